/// @file geometry.h
/// Geometry without a robot: overlap tests of spheres, boxes, triangles and posed meshes.
///
/// Every set is closed: touching is overlapping.
#ifndef GRAZE_GEOMETRY_H
#define GRAZE_GEOMETRY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a sphere and an axis-aligned box, given in the same frame, overlap.
/// Conservative by a derived bound: false is a proof that they are apart; true may be said of a gap
/// of a few units in the last place. A NaN counts as overlapping. Any thread. Cost: constant.
/// Source: Arvo, Graphics Gems (1990), "A simple method for box-sphere intersection testing".
/// Allocates nothing.
GRAZE_API bool graze_sphere_aabb_overlap(const graze_sphere *sphere, const graze_aabb *box);

/// Whether two oriented boxes, given in the same frame, overlap, by the 15 separating axes of
/// Gottschalk, Lin and Manocha, OBBTree (1996), section 5. Conservative as
/// graze_sphere_aabb_overlap(), also where the axes are orthonormal only up to 1e-9.
/// Any thread. Cost: constant.
/// Allocates nothing.
GRAZE_API bool graze_obb_overlap(const graze_obb *a, const graze_obb *b);

/// Whether two closed triangles share a point.
/// @param a,b three corners each, x y z x y z x y z; a triangle without area counts as the segment
///            or the point that it is
/// Exact when every coordinate is 0 or of magnitude 2^-140 to 2^140; true for all others, NaN and
/// infinity included (the safe side). Independent of the order of the corners and of the arguments.
/// Any thread. Cost: constant; tens of nanoseconds where doubles decide, microseconds where
/// expansion arithmetic must.
/// Source: Moeller, A fast triangle-triangle intersection test (1997), with the signs of
/// Shewchuk, Adaptive precision floating-point arithmetic and fast robust predicates (1997).
/// Allocates nothing.
GRAZE_API bool graze_triangles_overlap(const double a[9], const double b[9]);

/// graze_triangles_overlap() with a status beside it, and the set where the triangles meet.
/// @param overlap [out] the verdict
/// @param segment [out, may be NULL] x y z x y z: the end points of the segment in which the
///            triangles meet, rounded (Cramer's rule); both the same where they meet in a point;
///            for coplanar triangles two points of the shared polygon that are farthest apart.
///            Written only when they overlap.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE for a coordinate outside the
///         exact range (then *overlap is true)
/// Any thread. Allocates nothing. Cost: as graze_triangles_overlap().
GRAZE_API graze_status graze_triangles_overlap_checked(const double a[9], const double b[9],
                                                       bool *overlap, double segment[6]);

/// An immutable triangle mesh with its bounds and tree. Share between threads freely.
typedef struct graze_mesh graze_mesh;

/// Makes a mesh. Coordinates of a magnitude below 2^-100 m become 0; then vertices that are equal
/// bit for bit are welded.
/// @param out            [out] the mesh, NULL on failure; free with graze_mesh_free()
/// @param vertices       x y z per vertex, metres, finite, magnitude at most 2^20; copied
/// @param vertex_count   number of vertices, at least 1
/// @param triangles      three vertex indices per triangle; copied
/// @param triangle_count number of triangles, at least 1
/// @return GRAZE_OK, GRAZE_ERROR_ARGUMENT (NULL, index out of range), GRAZE_ERROR_MESH (no
///         triangle), GRAZE_ERROR_RANGE (NaN, infinity, too large), GRAZE_ERROR_LIMIT (more
///         vertices or triangles than indices can count), GRAZE_ERROR_NO_MEMORY
/// Any thread. Cost: O(n log n). Nullable: error.
/// Allocates.
GRAZE_API graze_status graze_mesh_create(graze_mesh **out, const double *vertices,
                                         size_t vertex_count, const uint32_t *triangles,
                                         size_t triangle_count, graze_error *error);

/// Frees a mesh; NULL is allowed. Robots and worlds that share it keep what they need. Any thread.
/// Allocates nothing. Cost: O(1), and freeing its memory.
GRAZE_API void graze_mesh_free(graze_mesh *mesh);

/// What is known of a mesh.
typedef struct graze_mesh_info {
    size_t triangle_count;   ///< as given
    size_t vertex_count;     ///< after welding
    size_t degenerate_count; ///< triangles without area (tested as segments or points)
    size_t component_count;  ///< connected through shared vertices
    size_t closed_count;     ///< components whose directed edges cancel exactly
    graze_sphere sphere;     ///< bounds in the mesh frame, each containing every vertex
    graze_aabb aabb;
    graze_obb obb;
} graze_mesh_info;

/// graze_mesh_describe() for a caller whose graze_mesh_info has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_mesh_describe_sized(const graze_mesh *mesh, graze_mesh_info *info,
                                                 size_t size);

/// Reads the facts of a mesh: counts and bounds.
/// @param info [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_mesh_describe(const graze_mesh *mesh, graze_mesh_info *info) {
    return graze_mesh_describe_sized(mesh, info, sizeof *info);
}

/// The boxes of one level of a mesh's bounding-volume hierarchy, which queries go down: level 0 is
/// one box around all, and a box of a level has up to eight of the next in it. A box of triangles,
/// up to eight, stays on all deeper levels, so that every level contains the mesh.
/// @param boxes    [out] in the mesh's frame, axis-aligned; may be NULL where capacity is 0
/// @param capacity as many are written at most
/// @return how many there are; 0 for NULL
/// Any thread. Allocates nothing. Cost: O(boxes of the level).
GRAZE_API size_t graze_mesh_tree_level(const graze_mesh *mesh, uint32_t level, graze_aabb *boxes,
                                       size_t capacity);

/// Why a component counts as it does.
typedef enum graze_closure {
    GRAZE_CLOSURE_CLOSED = 0,      ///< its directed edges cancel: a solid, or the wall of a cavity
    GRAZE_CLOSURE_HOLE = 1,        ///< open: some edge has a triangle on one side only
    GRAZE_CLOSURE_WINDING = 2,     ///< open: every edge has two triangles, but some are wound
                                   ///< against their neighbours
    GRAZE_CLOSURE_NON_MANIFOLD = 3 ///< open: more than two triangles share edges, which do not
                                   ///< cancel there
} graze_closure;

/// A connected component of a mesh. Lengths in metres, in the mesh's frame.
typedef struct graze_component_info {
    size_t triangle; ///< its lowest triangle, index as given
    size_t triangle_count;
    graze_closure closure;
    double volume; ///< closed: signed, rounded, m^3; negative where the winding is inward; else 0
    bool reversed; ///< closed, and its volume is below 0 by more than can be rounding
    bool cavity;   ///< reversed, and inside one more outward component than reversed ones: what it
                   ///< encloses is outside
    size_t boundary_edges; ///< open: edges whose directions do not cancel
    size_t boundary_loops; ///< connected pieces of these: what the policy `cap` closes, each for
                           ///< itself
    size_t hole_edges;     ///< of the boundary, with one triangle
    size_t winding_edges;  ///< of the boundary, with two triangles
    size_t non_manifold_edges; ///< closed or open: with more than two triangles
    graze_vec3 place; ///< open: a vertex of the boundary, the lowest in x, then y, then z; of a
                      ///< hole where there is one
} graze_component_info;

/// What a mesh is, as a solid: sums over its components.
typedef struct graze_solid_report {
    size_t triangle_count;     ///< as given
    size_t degenerate_count;   ///< without area
    size_t given_vertex_count; ///< before welding
    size_t vertex_count;       ///< after
    size_t component_count, closed_count, reversed_count, cavity_count, open_count;
    size_t boundary_edges, boundary_loops, hole_edges, winding_edges, non_manifold_edges;
    bool has_place;
    size_t place_component; ///< the lowest open component
    graze_vec3 place;       ///< its place
} graze_solid_report;

/// graze_mesh_solids() for a caller whose structures have `report_size` and `component_size` bytes.
/// @return as there. Any thread. Allocates working memory. Cost: as there.
GRAZE_API graze_status graze_mesh_solids_sized(const graze_mesh *mesh, graze_solid_report *report,
                                               size_t report_size, graze_component_info *components,
                                               size_t component_size, size_t capacity,
                                               graze_error *error);

/// Says which components of a mesh are closed, and what is wrong with the others.
/// @param report     [out]
/// @param components [out] the first `capacity` components, by their lowest triangle; may be NULL
///                   with capacity 0
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT for NULL; GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates working memory. Cost: O(n), and a query per reversed component.
static inline graze_status graze_mesh_solids(const graze_mesh *mesh, graze_solid_report *report,
                                             graze_component_info *components, size_t capacity,
                                             graze_error *error) {
    return graze_mesh_solids_sized(mesh, report, sizeof *report, components, sizeof *components,
                                   capacity, error);
}

/// Where two meshes meet.
typedef struct graze_mesh_overlap {
    bool overlap;
    bool contained; ///< the surfaces are apart, but a part of one lies inside a closed (or, under
                    ///< `cap`, capped) part of the other; then triangle_a and triangle_b are -1 for
                    ///< the container and a triangle of the contained part for the other
    int64_t triangle_a; ///< the lexicographically lowest pair that meets, indices as given
    int64_t triangle_b;
    double segment[6]; ///< where these two triangles meet, world frame
} graze_mesh_overlap;

/// How meshes count (docs/solids.md). Boxes are solid under every policy; curved shapes are solids.
typedef enum graze_policy {
    GRAZE_POLICY_SOLID = 0,   ///< closed components are solid: a part inside one collides
    GRAZE_POLICY_SURFACE = 1, ///< only surfaces count (as FCL, Coal and ODE answer for meshes)
    GRAZE_POLICY_CAP = 2      ///< as solid, and the open loops of open components are closed for
                              ///< the question of containment alone: a part with a vertex inside
                              ///< collides, a part that only touches a cap does not
} graze_policy;

/// graze_meshes_overlap() for a caller whose graze_mesh_overlap has `size` bytes.
/// @return as there. Any thread. Allocates working memory. Cost: as there.
GRAZE_API graze_status graze_meshes_overlap_sized(const graze_mesh *a,
                                                  const graze_transform *pose_a,
                                                  const graze_mesh *b,
                                                  const graze_transform *pose_b,
                                                  graze_policy policy, graze_mesh_overlap *result,
                                                  size_t size, graze_error *error);

/// Whether two posed meshes overlap: exact for the snapped vertices w = fl(R v + t) of each.
/// @param pose_a,pose_b rigid up to 1e-9
/// @param result        [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, pose not rigid); GRAZE_ERROR_RANGE (NaN, infinity,
///         snapped coordinate above 2^20 m); GRAZE_ERROR_NO_MEMORY
/// Any thread. Cost: logarithmic in the number of triangles when apart. Nullable: error.
/// Allocates working memory.
static inline graze_status graze_meshes_overlap(const graze_mesh *a, const graze_transform *pose_a,
                                                const graze_mesh *b, const graze_transform *pose_b,
                                                graze_policy policy, graze_mesh_overlap *result,
                                                graze_error *error) {
    return graze_meshes_overlap_sized(a, pose_a, b, pose_b, policy, result, sizeof *result, error);
}

#ifdef __cplusplus
}
#endif

#endif
