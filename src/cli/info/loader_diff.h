/// Where do the loaders that people use place a robot's meshes? graze info --loader-diff.
#ifndef GZ_CLI_INFO_LOADER_DIFF_H
#define GZ_CLI_INFO_LOADER_DIFF_H

#include <stdio.h>

#include "cli/input/robot_input.h"
#include "graze/mesh_report.h"

enum { GZ_PROFILES = 3 }; ///< ros, spec, moveit: by graze_collada

/// A mesh file, read by graze and by assimp.
typedef struct gz_mesh_readings {
    const char *path;         ///< of a robot's geometry
    graze_mesh_report *facts; ///< NULL where graze has no reader for it
    size_t triangles[2];      ///< as graze and as assimp reads it
    double apart;        ///< metres in the file's frame: from a vertex of one to the nearest of the
                         ///< other, at most
    double bounds_apart; ///< metres: how far the bounds are apart, at most
    bool same;           ///< but for single precision
    char error[GRAZE_MESSAGE_SIZE]; ///< why there is nothing to compare; "" where there is
} gz_mesh_readings;

/// One mesh of a link, as every profile places it.
typedef struct gz_placed_mesh {
    bool visual;
    graze_geometry geometry[GZ_PROFILES];
    graze_aabb box[GZ_PROFILES]; ///< metres, in the frame of the link `geometry.frame`
    double moved[GZ_PROFILES];   ///< metres: how far its farthest vertex is from where `ros` has it
    size_t file;                 ///< of the files
    graze_solid_report solid;    ///< as `ros` has it
} gz_placed_mesh;

typedef struct gz_loader_diff {
    graze_robot *robots[GZ_PROFILES];
    gz_placed_mesh *meshes;
    size_t count, differing;
    gz_mesh_readings *files; ///< in the order of their first use
    size_t file_count, file_capacity, misread;
} gz_loader_diff;

/// Loads ROBOT once for each profile and compares. Prints what is wrong and returns
/// an exit status; free in any case.
int gz_loader_diff_make(gz_loader_diff *diff, gz_robot_input *input, bool visuals);
void gz_loader_diff_free(gz_loader_diff *diff);

void gz_loader_diff_text(FILE *stream, const gz_loader_diff *diff);
void gz_loader_diff_json(FILE *stream, const gz_loader_diff *diff);

#endif
