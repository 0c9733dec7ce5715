/// Whether points lie inside a closed mesh, by the solid angle of its triangles: nothing of the
/// library's way, which counts crossings of a ray.
#ifndef GRAZE_TESTS_INSIDE_H
#define GRAZE_TESTS_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/types.h"

/// A welded mesh with its connected components, at a pose.
typedef struct inside_mesh inside_mesh;

/// Copies the vertices and the triangles. Ends the program without memory.
inside_mesh *inside_mesh_create(const double *vertices, size_t vertex_count,
                                const uint32_t *triangles, size_t triangle_count);
void inside_mesh_free(inside_mesh *mesh);

/// Snaps the vertices.
void inside_mesh_place(inside_mesh *mesh, const graze_transform *pose);

/// Whether the winding number of the closed components around a point is not 0. False too where the
/// sum of solid angles is no whole number, as on the surface.
bool inside_mesh_holds(const inside_mesh *mesh, const double point[3]);

/// The same for every vertex of the component to which a triangle of `inner` belongs; adds their
/// number to *count.
bool inside_mesh_holds_component(const inside_mesh *mesh, const inside_mesh *inner, size_t triangle,
                                 size_t *count);

/// Whether some component of `inner`, none of whose triangles meets a closed one of `mesh`, lies
/// inside: one vertex tells.
bool inside_mesh_holds_some(const inside_mesh *mesh, const inside_mesh *inner);

#endif
