/// FCL's verdict on two posed meshes (OBBRSS trees), for C.
#ifndef GRAZE_TESTS_FCL_MESHES_H
#define GRAZE_TESTS_FCL_MESHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fcl_mesh fcl_mesh;

fcl_mesh *fcl_mesh_create(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                          size_t triangle_count);
void fcl_mesh_free(fcl_mesh *mesh);

/// @param pose_a,pose_b row-major 3x4
bool fcl_meshes_overlap(const fcl_mesh *a, const double pose_a[12], const fcl_mesh *b,
                        const double pose_b[12]);

#ifdef __cplusplus
}
#endif

#endif
