/// A mesh at a pose, its vertices snapped as the contract says, and the exact answer whether two of
/// them meet: every pair of triangles whose boxes touch, in rational arithmetic. Shares with the
/// library nothing but graze_transform_point().
#ifndef GRAZE_TESTS_POSED_MESH_H
#define GRAZE_TESTS_POSED_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/types.h"
#include "rational_clip.h"

typedef struct posed_mesh {
    size_t vertex_count, triangle_count;
    const double *vertices; ///< borrowed
    const uint32_t *triangles;
    double *snapped; ///< 3 per vertex
    double *boxes;   ///< low 3, high 3 per triangle
    double *blocks;  ///< the same per POSED_BLOCK triangles
    uint32_t *near;  ///< blocks near another mesh
    double box[6];
} posed_mesh;

enum { POSED_BLOCK = 16 };

/// Ends the program, saying what was missing.
_Noreturn void give_up(const char *what, const char *why);
/// Zeroed memory, or the end of the program.
void *allocate(size_t count, size_t size);

void posed_mesh_init(posed_mesh *mesh, const double *vertices, size_t vertex_count,
                     const uint32_t *triangles, size_t triangle_count);
void posed_mesh_clear(posed_mesh *mesh);

/// Snaps every vertex and finds the boxes.
void posed_mesh_place(posed_mesh *mesh, const graze_transform *pose);

/// The nine coordinates of a triangle's snapped corners.
void posed_mesh_corners(const posed_mesh *mesh, size_t triangle, double corners[9]);

/// Whether a triangle of one meets a triangle of the other; pair is the lexicographically lowest.
/// Writes to b's list of blocks.
bool posed_meshes_overlap(rational_clip *clip, const posed_mesh *a, posed_mesh *b, int64_t pair[2]);

#endif
