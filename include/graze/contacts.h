/// @file contacts.h
/// All contacts of a configuration: every pair of triangles that meets, and for each pair of
/// geometries a normal, a depth and up to four points. docs/contacts.md says what is exact in them.
#ifndef GRAZE_CONTACTS_H
#define GRAZE_CONTACTS_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most points of a manifold.
#define GRAZE_MANIFOLD_POINTS 4

/// Two geometries that collide: two elements of links, or an element and an object of the world (of
/// a cloud of points one of these); or the base that has left the boundary.
///
/// The manifold is that of the convex hulls of both, which the shapes themselves are unless a mesh
/// is not convex. Moving the other geometry by `normal` times `depth`, or the link's by as much the
/// other way, makes the two free (farther apart than their margin): `depth` is rounded up by what
/// the way to it and a pose moved by it may round. It is not the least such way, though near it:
/// none is shorter than `least`, but for rounding.
typedef struct graze_contact_pair {
    graze_contact_kind kind;
    int32_t link, element, other, other_element; ///< as in graze_contact
    bool contained;        ///< the surfaces are apart: one part lies inside a closed one
    size_t triangle_count; ///< pairs of triangles that meet; 0 where contained
    size_t first, written; ///< of these the ones in graze_contact_report.triangles
    int32_t point_count;   ///< 0: no manifold was wanted, or kind is GRAZE_CONTACT_BOUNDARY
    graze_vec3 normal;     ///< unit, world frame, from the link's geometry to the other
    double depth;          ///< metres; where they are apart, within a margin, what that lacks
    double least;          ///< metres; 0 where nothing is known
    graze_vec3
        points[GRAZE_MANIFOLD_POINTS];    ///< world frame, rounded: in the middle of the overlap
    double depths[GRAZE_MANIFOLD_POINTS]; ///< the overlap along the normal there, metres, rounded;
                                          ///< not negative
} graze_contact_pair;

/// Two triangles that meet, or a triangle and a curved shape, or two curved shapes.
typedef struct graze_triangle_pair {
    graze_contact_kind kind;
    int32_t link, element, other, other_element; ///< as in graze_contact
    int64_t triangle, other_triangle;            ///< as in graze_contact; -1 of a curved shape
    bool overlap;          ///< they share a point; false: they are apart, within the margin
    graze_vec3 segment[2]; ///< as in graze_contact; with a curved shape twice a point near the
                           ///< contact. World frame, rounded
    graze_vec3 normal[2]; ///< unit, world frame, rounded, of the link's side and of the other: of a
                          ///< snapped triangle by its winding in the file (outward where that is),
                          ///< (0, 0, 0) where it has no area; of a sphere or capsule outward, at
                          ///< the place nearest to the other side's triangle, sphere or capsule;
                          ///< (0, 0, 0) of a cylinder, and where the other side meets the axis
} graze_triangle_pair;

/// What is to be listed. Obtain from graze_contacts_options_default(), then change fields.
typedef struct graze_contacts_options {
    uint32_t struct_size;
    uint32_t manifolds;    ///< 1 (default): normals, depths and points of each pair
    size_t triangle_limit; ///< most pairs of triangles that are written of one pair of geometries,
                           ///< a cloud of points counting as one; 0 (default): no limit
} graze_contacts_options;

/// Writes the defaults of graze_contacts_options into a structure of `size` bytes, the caller's
/// size of it: what graze_contacts_options_default() calls, so that programs compiled against a
/// shorter one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_contacts_options_init(graze_contacts_options *options, size_t size);

/// The defaults: manifolds, no limit. Any thread. Allocates nothing. Cost: O(1).
static inline graze_contacts_options graze_contacts_options_default(void) {
    graze_contacts_options options;
    graze_contacts_options_init(&options, sizeof options);
    return options;
}

/// The contacts of one configuration. The caller sets the arrays and their capacities before the
/// call (NULL and 0: they are counted); the rest is written.
typedef struct graze_contact_report {
    graze_verdict verdict;
    graze_contact_pair *pairs; ///< in check order, by (link, other), then element, other_element
    size_t pair_capacity;
    size_t pair_count; ///< that collide; written are the first min(pair_count, pair_capacity)
    graze_triangle_pair *triangles; ///< in the order of pairs, then by (triangle, other_triangle)
    size_t triangle_capacity;
    size_t triangle_count;    ///< that meet, whatever the limit and the capacity
    size_t triangles_written; ///< of each pair of geometries the lowest, as many as fit
    bool truncated;           ///< pairs or triangles were not written
    graze_stats stats;        ///< of this call
} graze_contact_report;

/// graze_check_contacts() for a caller whose structures have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_contacts_sized(
    const graze_checker *checker, graze_workspace *workspace, const double *q, size_t q_count,
    const double *base, const graze_contacts_options *options, graze_contact_report *report,
    size_t report_size, size_t pair_size, size_t triangle_size, graze_error *error);

/// Lists all contacts of one configuration: what graze_check() with GRAZE_ANSWER_ALL finds, and of
/// each pair of links or link and object every pair of elements and every pair of triangles. The
/// tests are those of the verdict: it is GRAZE_FREE exactly where `pair_count` is 0, and what is
/// listed is proved to meet (under a margin: not to be farther apart; curved shapes:
/// docs/shapes.md).
/// @param q       graze_robot_q_size() numbers, see graze_robot_pose()
/// @param base    x y z roll pitch yaw of the root link, or NULL for the identity
/// @param options NULL for the defaults
/// @param report  [in,out] NULL is GRAZE_ERROR_ARGUMENT
/// @return as graze_check(); GRAZE_ERROR_UNSUPPORTED for a checker of GRAZE_LEVEL_BOUNDS;
///         GRAZE_ERROR_BUDGET (graze_workspace_set_budget()): what was found until then is listed
/// Allocates nothing. One thread per workspace. Nullable: base, options, error. Cost: that of
/// GRAZE_ANSWER_ALL without stopping at the first triangles; a manifold takes some microseconds for
/// boxes and curved shapes, and for meshes some 50 passes over their vertices and 8 over their
/// triangles.
static inline graze_status graze_check_contacts(const graze_checker *checker,
                                                graze_workspace *workspace, const double *q,
                                                size_t q_count, const double *base,
                                                const graze_contacts_options *options,
                                                graze_contact_report *report, graze_error *error) {
    return graze_check_contacts_sized(checker, workspace, q, q_count, base, options, report,
                                      sizeof *report, sizeof(graze_contact_pair),
                                      sizeof(graze_triangle_pair), error);
}

/// graze_check_posed_contacts() for a caller whose structures have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_posed_contacts_sized(
    const graze_checker *checker, graze_workspace *workspace, const graze_transform *links,
    size_t link_count, const graze_contacts_options *options, graze_contact_report *report,
    size_t report_size, size_t pair_size, size_t triangle_size, graze_error *error);

/// graze_check_contacts() for poses of links from outside, as graze_check_posed() takes them.
/// @param links a pose for each link, link frame to world, m
/// @return as graze_check_posed() and graze_check_contacts()
/// Allocates nothing. One thread per workspace. Nullable: options, error. Cost: as
/// graze_check_contacts().
static inline graze_status
graze_check_posed_contacts(const graze_checker *checker, graze_workspace *workspace,
                           const graze_transform *links, size_t link_count,
                           const graze_contacts_options *options, graze_contact_report *report,
                           graze_error *error) {
    return graze_check_posed_contacts_sized(checker, workspace, links, link_count, options, report,
                                            sizeof *report, sizeof(graze_contact_pair),
                                            sizeof(graze_triangle_pair), error);
}

#ifdef __cplusplus
}
#endif

#endif
