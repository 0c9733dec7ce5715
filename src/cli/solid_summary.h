/// What `graze info` says of collision meshes as solids: which parts are closed, what is wrong with
/// the others, and where.
#ifndef GZ_CLI_SOLID_SUMMARY_H
#define GZ_CLI_SOLID_SUMMARY_H

#include <stdio.h>

#include "graze/graze.h"

/// One collision element; of a curved shape all is 0.
typedef struct gz_solid_summary {
    graze_solid_report report;
    graze_component_info *components; ///< the first ones
    size_t component_count;           ///< of these
} gz_solid_summary;

/// Surveys every collision element of a robot: graze_robot_collision_count() items, or NULL when
/// out of memory.
gz_solid_summary *gz_solid_summary_make(const graze_robot *robot);
void gz_solid_summary_free(gz_solid_summary *items, const graze_robot *robot);

/// The table of the robot's meshes, each followed by its open components.
void gz_solid_summary_text(FILE *stream, const graze_robot *robot, const gz_solid_summary *items);
/// One element's object.
void gz_solid_summary_json(FILE *stream, const graze_robot *robot, const graze_geometry *geometry,
                           const gz_solid_summary *item);

#endif
