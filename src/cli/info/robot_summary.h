/// What `graze info` reports of a robot, of its meshes as solids, and of a compiled file: counted
/// once, written as text or JSON.
#ifndef GZ_CLI_INFO_ROBOT_SUMMARY_H
#define GZ_CLI_INFO_ROBOT_SUMMARY_H

#include <stdio.h>

#include "cli/input/robot_input.h"
#include "graze/graze.h"

/// Geometry of one kind (collision or visual), of a link or of the robot.
typedef struct gz_geometry_count {
    size_t elements, meshes, primitives;
    size_t triangles;     ///< of meshes, as the files have them
    size_t box_triangles; ///< of boxes
    size_t degenerate;
    size_t components, closed;
} gz_geometry_count;

/// One collision mesh as a solid: which components are closed, what is wrong with the others, and
/// where. Of a curved shape all is 0.
typedef struct gz_solid_summary {
    graze_solid_report report;
    graze_component_info *components; ///< the first ones
    size_t component_count;           ///< of these
} gz_solid_summary;

/// What becomes of a pair of links: a graze_pair_state, or what the command's rules say.
typedef enum gz_ruled_state {
    GZ_PAIR_ALLOWED = GRAZE_PAIR_TOUCH + 1, ///< --allow
    GZ_PAIR_LEFT_OUT,                       ///< --no-self, --level bounds
    GZ_PAIR_STATES
} gz_ruled_state;

typedef struct gz_robot_summary {
    const graze_robot *robot;
    graze_checker_options rules;                  ///< of the command
    graze_rules *checked;                         ///< which pairs they leave; NULL: none
    gz_geometry_count collision, visual;          ///< of the robot
    gz_geometry_count *link_collision;            ///< per link
    gz_geometry_count *link_visual;               ///< per link
    gz_solid_summary *solids;                     ///< per collision element
    size_t pair_count[GZ_PAIR_STATES];            ///< by what becomes of the pair
    size_t joint_count[GRAZE_JOINT_FLOATING + 1]; ///< by graze_joint_type
    size_t mimic_count, links_with_collision;
    const graze_compiled *compiled;    ///< the file that the robot is of, or NULL
    graze_source_state *source_states; ///< of its sources
    bool visuals;                      ///< visual meshes were loaded
    double domain;                     ///< metres: where pose_error holds
    const graze_transform *poses;      ///< of the links; NULL: not wanted
    const graze_world *world;          ///< NULL: none
} gz_robot_summary;

/// Of a prepared input: counts, and looks at the sources of a compiled file. False when out of
/// memory.
bool gz_robot_summary_make(gz_robot_summary *summary, const gz_robot_input *input);
void gz_robot_summary_free(gz_robot_summary *summary);

/// What becomes of a pair of links under rules (NULL: no pair is checked): a graze_pair_state or a
/// gz_ruled_state; and the word for it.
int gz_pair_under_rules(const graze_rules *rules, graze_pair pair);
const char *gz_pair_becomes(int state);

/// "urdf", "srdf", "mesh" or "world"; "same", "changed", "missing" or "unknown".
const char *gz_source_kind_name(graze_source_kind kind);
const char *gz_source_state_name(graze_source_state state);

/// Write the whole summary; `pairs`: every pair of links too.
void gz_robot_summary_text(FILE *stream, const gz_robot_summary *summary, bool pairs);
void gz_robot_summary_json(FILE *stream, const gz_robot_summary *summary, bool pairs);

/// graze info --loader-diff: loads ROBOT once for each Collada profile, compares where its meshes
/// are and how assimp reads them, and writes that to a file (NULL: standard output). Returns an
/// exit status; the message is printed.
int gz_loader_diff_write(gz_robot_input *input, const char *path, bool visuals, bool as_json);

#endif
