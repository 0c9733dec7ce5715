/// What JavaScript calls in the WebAssembly module, beside the functions of the public headers that
/// take and return numbers alone: graze.js is the one caller.
///
/// Structures go over as rows of doubles, whose fields stand in the order of the comments; pointers
/// and counts are numbers, too. Text is NUL-terminated UTF-8. Functions that can fail return a
/// graze_status, and the error is that of graze_web_error().
#ifndef GRAZE_WEB_H
#define GRAZE_WEB_H

#include "graze/graze.h"

#define GRAZE_WEB_API __attribute__((used, visibility("default")))

/// A robot, its world and the rules by which they are checked.
typedef struct graze_web graze_web;

/// NULL when out of memory; free with graze_web_free().
graze_web *graze_web_create(void);
void graze_web_free(graze_web *web);

/// The last error, as graze_error lies in memory.
graze_error *graze_web_error(graze_web *web);
const graze_robot *graze_web_robot(const graze_web *web);

/// Room for the bytes of a file; NULL when out of memory. For graze_web_open(), which takes it.
void *graze_web_room(size_t size);

/// Opens a compiled file, without a copy: `bytes` are of graze_web_room(). With `prove` all of it
/// is proved, graze_compiled_verify(). Its robot and its world, whichever it has, are taken in
/// calls of their own: each takes some time, for which a page should not be held up at once. Then
/// it is closed.
graze_status graze_web_open(graze_web *web, void *bytes, size_t size, const char *name, bool prove);
graze_status graze_web_take_robot(graze_web *web);
graze_status graze_web_take_world(graze_web *web);
void graze_web_close(graze_web *web);

/// Rules, before graze_web_prepare(). Texts are copied; NULL or "" for `b`: all pairs of `a`.
graze_status graze_web_allow(graze_web *web, const char *a, const char *b);
graze_status graze_web_set_margin(graze_web *web, const char *a, const char *b, double margin);
graze_status graze_web_set_policy(graze_web *web, const char *name, int32_t policy);

/// Makes the checker; that of plans is made with the first plan.
/// @param options policy, no_self, no_world, ignore_srdf, margin (NaN: not set), domain
graze_status graze_web_prepare(graze_web *web, const double options[6]);

/// After it, in a call of its own as above: makes what checks need.
graze_status graze_web_begin(graze_web *web);

/// Moves an object of the world, adds one, or removes one (graze_change_kind), by its name; rules
/// and all else stay.
/// @param pose  row-major 3x4; not read for removing
/// @param shape of what is added: kind (graze_shape, no mesh), size (3), radius, length
graze_status graze_web_change(graze_web *web, int32_t kind, const char *name, const double pose[12],
                              const double shape[6]);

/// Scales an object about the origin of its frame: meshes, points, and sizes of all its shapes. It
/// then stands at the end of the world.
/// @return as graze_world_revise(); GRAZE_ERROR_RANGE (`factor` not above 0 and finite);
///         GRAZE_ERROR_ARGUMENT (a half-space, a plane)
graze_status graze_web_scale(graze_web *web, const char *name, double factor);

/// Keeps the world as it is now, to go back to.
/// @param version [out] its address, 0 where there is no world; free it with graze_world_free()
graze_status graze_web_keep_world(graze_web *web, double version[1]);

/// Makes the world what it was when a version was kept. The version stays.
/// @param version NULL: no world
graze_status graze_web_restore_world(graze_web *web, const graze_world *version);

// --------------------------------------------------------------------------------------- model

/// A joint: name, type, parent, child, origin (12), axis (3), q_index, q_count, limited, lower,
/// upper, velocity (0: none), mimic, multiplier, offset, passive.
enum { GRAZE_WEB_JOINT = 29 };
graze_status graze_web_joint(const graze_web *web, int32_t joint, double row[GRAZE_WEB_JOINT]);

/// Which geometries.
typedef enum graze_web_kind {
    GRAZE_WEB_COLLISION = 0,
    GRAZE_WEB_VISUAL = 1,
    GRAZE_WEB_OBJECT = 2
} graze_web_kind;

size_t graze_web_geometry_count(const graze_web *web, graze_web_kind kind);

/// A geometry: name, uri, owner, element, shape, frame, origin (12), size (3), scale (3), radius,
/// length, vertex_count, vertices, triangle_count, triangles, ends (6), has_color, color (4).
enum { GRAZE_WEB_GEOMETRY = 41 };
graze_status graze_web_geometry(const graze_web *web, graze_web_kind kind, size_t index,
                                double row[GRAZE_WEB_GEOMETRY]);

/// Whether only the outside of a geometry can be seen: a closed shape, wound outward.
bool graze_web_is_closed(const graze_web *web, graze_web_kind kind, size_t index);

/// graze_mesh_tree_level() of a geometry, in the frame of its vertices; 0 where it has no mesh.
size_t graze_web_tree_level(const graze_web *web, graze_web_kind kind, size_t index, uint32_t level,
                            graze_aabb *boxes, size_t capacity);

/// The bounds of a link: empty, triangle_count, sphere (centre, radius), aabb (min, max), obb
/// (centre, three axes, half sizes).
enum { GRAZE_WEB_BOUNDS = 27 };
graze_status graze_web_bounds(const graze_web *web, int32_t link, double row[GRAZE_WEB_BOUNDS]);

/// A pair of links: a, b, state, reason.
graze_status graze_web_pair(const graze_web *web, size_t index, double row[4]);

/// The world's boundary: min, max. False where there is none.
bool graze_web_boundary(const graze_web *web, double row[6]);

/// A state of the SRDF: its name, its group.
graze_status graze_web_state(const graze_web *web, size_t index, double row[2]);

/// Epsilon of the checker, metres.
double graze_web_epsilon(const graze_web *web);

// ------------------------------------------------------------------------------------- queries

/// graze_check().
/// @param report [out] verdict, contacts found, joints outside their limits, the array of these
graze_status graze_web_check(graze_web *web, graze_answer answer, const double *q,
                             const double *base, double report[4]);

/// A contact of the last graze_web_check() or graze_web_hidden(): kind, link, element, other,
/// other_element, contained, triangle, other_triangle, has_segment, segment (6), point (3), the
/// other's name, the reason why it does not count (0: it does).
enum { GRAZE_WEB_CONTACT = 20 };
graze_status graze_web_contact(const graze_web *web, size_t index, double row[GRAZE_WEB_CONTACT]);

/// Finds the contacts that do not count: those of pairs that the SRDF, adjacency or a rule hides.
/// @param count [out]
graze_status graze_web_hidden(graze_web *web, const double *q, const double *base, double *count);

/// graze_check_contacts() with at most `limit` pairs of triangles for a pair of geometries (0:
/// all).
/// @param report [out] verdict, pairs, pairs of triangles that meet, those that are listed
graze_status graze_web_contacts(graze_web *web, const double *q, const double *base, size_t limit,
                                bool manifolds, double report[4]);

/// A pair of the last graze_web_contacts(): kind, link, element, other, other_element, contained,
/// triangle_count, first, written, point_count, normal (3), depth, least, points (12), depths (4).
enum { GRAZE_WEB_PAIR = 31 };
graze_status graze_web_contact_pair(const graze_web *web, size_t index, double row[GRAZE_WEB_PAIR]);

/// A pair of triangles of it: kind, link, element, other, other_element, triangle, other_triangle,
/// overlap, segment (6), normals (6).
enum { GRAZE_WEB_TRIANGLES = 20 };
graze_status graze_web_triangle_pair(const graze_web *web, size_t index,
                                     double row[GRAZE_WEB_TRIANGLES]);

/// graze_check_batch(): one verdict for each row of q; all with one base (NULL: the identity).
graze_status graze_web_batch(graze_web *web, size_t count, const double *q, const double *base,
                             uint8_t *verdicts);

/// graze_distance(): the `count` nearest pairs, 1 or more, that are within the threshold.
/// @param report [out] pairs that are listed, bounds of the least distance
graze_status graze_web_nearest(graze_web *web, size_t count, double threshold, const double *q,
                               const double *base, double report[3]);

/// A pair of the last graze_web_nearest(): kind, link, element, other, other_element, triangle,
/// other_triangle, overlap, bounds of the distance (2), points (6), normal (3).
enum { GRAZE_WEB_PROXIMITY = 19 };
graze_status graze_web_proximity(const graze_web *web, size_t index,
                                 double row[GRAZE_WEB_PROXIMITY]);

/// graze_check_motion().
/// @param first  true: the first collision is wanted
/// @param report [out] verdict, earliest, latest, and of a collision its contact's kind, link,
/// other
graze_status graze_web_motion(graze_web *web, const double *from, const double *to,
                              const double *from_base, const double *to_base, bool first,
                              double report[6]);

/// graze_plan(); where no margin is set, with the least one, as the command `graze plan` does.
/// @param options step, resolution, seed, max_iterations, max_seconds, shortcut_rounds,
/// planar_base,
///                certify, the link that is watched (-1: graze_web_node() is not called), sampler
/// @param columns to be planned; NULL: as graze_plan_options says
/// @param result  [out] outcome, path (0: none), joint, iterations, configurations_checked, trees
///                (2), length_raw, length, certified, and of an end that collides the contact's
///                kind, link, other
/// The path belongs to `web` until the next plan.
graze_status graze_web_plan(graze_web *web, const double *start, const double *start_base,
                            const double *goal, const double *goal_base, const double options[10],
                            const int32_t *columns, size_t column_count, double result[13]);

/// What JavaScript is told of a search: its node, and where the watched link's frame is there.
__attribute__((import_module("env"), import_name("graze_web_node"))) void
graze_web_node(int32_t tree, int32_t parent, double x, double y, double z);

/// Takes a timed trajectory in place of the last: graze_trajectory_from_bezier().
graze_status graze_web_set_trajectory(graze_web *web, uint32_t degree, size_t count,
                                      const double *times, const double *q, const double *base);

/// graze_trajectory_at().
/// @param place [out] q, then the base
graze_status graze_web_trajectory_at(graze_web *web, double time, double *place);

/// graze_check_trajectory() of one piece.
/// @param report [out] as of graze_web_motion(), times in s
graze_status graze_web_check_piece(graze_web *web, size_t piece, double report[6]);

/// Leaves out waypoints: from each the farthest is joined of which the straight motion is proved
/// free, by the checker of plans; what was not proved before is not proved then.
/// @param kept [out] count numbers: the rows that stay
/// @param left [out] how many they are
graze_status graze_web_simplify(graze_web *web, size_t count, const double *q, const double *base,
                                uint32_t *kept, double *left);

#endif
