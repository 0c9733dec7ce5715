/// Where do the loaders that people use place a robot's meshes? graze info --loader-diff.
#ifndef GZ_CLI_LOADER_DIFF_H
#define GZ_CLI_LOADER_DIFF_H

#include <stdio.h>

#include "cli/input/robot_input.h"
#include "graze/mesh_report.h"

enum { GZ_PROFILES = 3 }; ///< ros, spec, moveit: by graze_collada

/// One mesh of a link, as every profile places it.
typedef struct gz_placed_mesh {
    bool visual;
    graze_geometry geometry[GZ_PROFILES];
    graze_aabb box[GZ_PROFILES]; ///< metres, in the frame of the link `geometry.frame`
    double moved[GZ_PROFILES];   ///< metres: how far its farthest vertex is from where `ros` has it
    const graze_mesh_report *file;
    graze_solid_report solid; ///< as `ros` has it
} gz_placed_mesh;

typedef struct gz_loader_diff {
    graze_robot *robots[GZ_PROFILES];
    gz_placed_mesh *meshes;
    size_t count, differing;
    graze_mesh_report **files; ///< in the order of their first use
    size_t file_count, file_capacity;
} gz_loader_diff;

const char *gz_profile_name(int profile);

/// Loads the robot of `path` once for each profile and compares. Prints what is wrong and returns
/// an exit status; free in any case.
int gz_loader_diff_make(gz_loader_diff *diff, gz_robot_input *input, const char *path,
                        bool visuals);
void gz_loader_diff_free(gz_loader_diff *diff);

void gz_loader_diff_text(FILE *stream, const gz_loader_diff *diff);
void gz_loader_diff_json(FILE *stream, const gz_loader_diff *diff);

#endif
