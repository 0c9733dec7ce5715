#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/options.h"
#include "math/lanes.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/containment.h"
#include "narrow/curved/curved.h"
#include "narrow/kernel.h"
#include "narrow/prefilter/cell_lanes.h"
#include "narrow/shape_pair.h"
#include "narrow/triangle/triangle.h"

/// One side of a pair.
typedef struct posed {
    const gz_shape *shape;
    const double *pose; ///< 12 numbers
    graze_policy policy;
} posed;

/// A box is a solid under every policy; a mesh depending on the policy.
static bool is_solid(const posed *s) {
    return gz_shape_is_polyhedron(s->shape->kind) || s->policy != GRAZE_POLICY_SURFACE;
}

static bool is_capped(const posed *s) {
    return s->policy == GRAZE_POLICY_CAP && s->shape->mesh->caps;
}

static void middle(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] + 0.5 * (b[k] - a[k]);
}

static void locate_triangles(const gz_tree_pair *pair, gz_shape_contact *m) {
    double a[3][3], b[3][3];
    gz_triangle_snap(pair->a, pair->pose_a, pair->triangle_a, a);
    gz_triangle_snap(pair->b, pair->pose_b, pair->triangle_b, b);
    if (pair->margin > 0 && !gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL))
        gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), m->segment[0], m->segment[1]);
    else
        gz_triangles_segment(GZ_CORNERS(a), GZ_CORNERS(b), m->segment);
    m->has_segment = true;
    middle(m->segment[0], m->segment[1], m->point);
}

/// Whether a component of b's mesh lies inside a.
static bool mesh_contains(const posed *a, const posed *b, int64_t *triangle_b, gz_shape_contact *m,
                          uint64_t *left, graze_stats *stats) {
    gz_contained inside;
    const graze_mesh *inner = b->shape->mesh;
    if (!is_solid(a) || !gz_mesh_contains(a->shape->mesh, a->pose, a->policy == GRAZE_POLICY_CAP,
                                          inner, b->pose, &inside, left, stats))
        return false;
    *triangle_b = inside.triangle;
    m->contained = true;
    gz_snap(b->pose, inner->vertices + 3 * (size_t)inside.vertex, m->point);
    return true;
}

/// Tests the proxies of two meshes, and finds where the trees should be searched: `scene`, of a
/// where *swapped.
static gz_proxy_answer test_proxies(const posed *a, const posed *b, const gz_shape_rule *rule,
                                    gz_scene_hint *scene, bool *swapped, graze_stats *stats) {
    const gz_mesh_proxy *proxy_a = a->shape->mesh->proxy, *proxy_b = b->shape->mesh->proxy;
    scene->count = 0;
    *swapped = false;
    if (rule->prefiltered || !proxy_a || !proxy_b) return GZ_PROXY_UNKNOWN;
    // A scene comes second.
    *swapped = proxy_a->clearance.cell_count && !proxy_b->clearance.cell_count;
    const posed *first = *swapped ? b : a, *second = *swapped ? a : b;
    gz_proxy_pair pair;
    gz_proxy_pair_prepare(&pair, first->shape->mesh, first->pose, second->shape->mesh, second->pose,
                          rule->margin);
    pair.hint = scene;
    pair.question = rule->detail < GZ_DETAIL_PLACE ? GZ_PROXY_TEST_BOTH : GZ_PROXY_TEST_APART;
    pair.solid_a = is_solid(first);
    pair.solid_b = is_solid(second);
    pair.cap_a = is_capped(first);
    pair.cap_b = is_capped(second);
    gz_proxy_answer answer = rule->kernels->proxy_pair(&pair);
    stats->proxy_rejects += answer == GZ_PROXY_APART;
    stats->proxy_hits += answer == GZ_PROXY_OVERLAP;
    return answer;
}

static bool meshes_collide(const posed *a, const posed *b, const gz_shape_rule *rule,
                           gz_shape_contact *m, graze_stats *stats) {
    gz_scene_hint scene;
    bool swapped;
    gz_proxy_answer answer = test_proxies(a, b, rule, &scene, &swapped, stats);
    if (answer != GZ_PROXY_UNKNOWN) return answer == GZ_PROXY_OVERLAP;
    gz_tree_pair pair;
    gz_tree_pair_prepare(&pair, a->shape->mesh, a->pose, b->shape->mesh, b->pose,
                         rule->detail == GZ_DETAIL_WITNESS);
    pair.hint = rule->sink ? NULL : &scene; // in which a packet may stand more than once
    pair.hint_swapped = swapped;
    pair.left = rule->left;
    pair.sink = rule->sink;
    if (rule->margin > 0) {
        gz_tree_pair_grow(&pair, rule->margin);
        rule->kernels->tree_pair_near(&pair, stats);
    } else {
        rule->kernels->tree_pair(&pair, stats);
    }
    if (pair.hit) {
        m->triangle_a = pair.triangle_a;
        m->triangle_b = pair.triangle_b;
        if (rule->detail >= GZ_DETAIL_PLACE && !rule->sink) locate_triangles(&pair, m);
        return true;
    }
    return mesh_contains(a, b, &m->triangle_b, m, rule->left, stats) ||
           mesh_contains(b, a, &m->triangle_a, m, rule->left, stats);
}

// ------------------------------------------------------------------------------- curved shapes

gz_curved gz_shape_place_curved(const gz_shape *shape, const double pose[12]) {
    gz_curved out = {.kind = shape->kind, .radius = shape->radius};
    gz_snap(pose, shape->a, out.a);
    gz_snap(pose, shape->b, out.b);
    return out;
}

/// The rounded box, grown by the margin, with a pad for everything that rounds. The way into the
/// frame is off by 2^-48 (|t| + r) and 3e-9 r as in containment.c, and snapping by 2^-100. With u =
/// 2^-24, each gap in the test is off by at most 8 u of the sizes (centres and halves rounded, one
/// difference and two sums), so the distance by 14 u of them, and squaring and summing costs 3 u of
/// it: 2^-19 = 32 u is nearly twice that. 1e-18 keeps all squares that matter far above the
/// underflow of float.
gz_rounded_box gz_rounded_box_make(const gz_curved *s, double margin, const double pose[12],
                                   const graze_mesh *mesh) {
    double low[3], high[3], size = mesh->max_abs, far = 0, radius = s->radius + margin;
    gz_rounded_box box;
    double(*end)[3] = box.end;
    for (int e = 0; e < 2; e++) {
        const double *p = e ? s->b : s->a;
        double d[3] = {p[0] - pose[3], p[1] - pose[7], p[2] - pose[11]};
        gz_transform_unrotate(pose, d, end[e]);
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fabs(end[e][k]) + radius);
            far = fmax(far, fabs(p[k]) + fabs(pose[4 * k + 3]));
        }
    }
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(end[0][k], end[1][k]);
        high[k] = fmax(end[0][k], end[1][k]);
        box.axis.center[k] = (float)(0.5 * (low[k] + high[k]));
        box.axis.half[k] = (float)(0.5 * (high[k] - low[k]));
    }
    box.pad = 0x1p-19 * size + 0x1p-46 * far + 1e-18;
    box.radius = (float)(radius + box.pad);
    box.square = box.radius * box.radius;
    return box;
}

static unsigned overlap_mask(const gz_node *node, const gz_rounded_box *box) {
    gz_f8 sum = gz_f8_all(0), empty = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 half = gz_f8_load(node->half[k]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(box->axis.center[k])));
        sum = add_gap(sum, gz_f8_sub(d, gz_f8_add(half, gz_f8_all(box->axis.half[k]))));
        empty = gz_f8_or(empty, gz_f8_greater(gz_f8_all(0), half));
    }
    empty = gz_f8_or(empty, gz_f8_greater(sum, gz_f8_all(box->square)));
    return ~gz_f8_mask(empty) & 0xff;
}

/// Lanes of a packet whose triangles' boxes the rounded box may overlap.
static unsigned packet_overlap_mask(const gz_packet *packet, const gz_rounded_box *box) {
    gz_f8 sum = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 v0 = gz_f8_load(packet->vertex[0][k]), v1 = gz_f8_load(packet->vertex[1][k]),
              v2 = gz_f8_load(packet->vertex[2][k]), c = gz_f8_all(box->axis.center[k]);
        gz_f8 gap = gz_f8_max(gz_f8_sub(gz_f8_min(v0, gz_f8_min(v1, v2)), c),
                              gz_f8_sub(c, gz_f8_max(v0, gz_f8_max(v1, v2))));
        sum = add_gap(sum, gz_f8_sub(gap, gz_f8_all(box->axis.half[k])));
    }
    return ~gz_f8_mask(gz_f8_greater(sum, gz_f8_all(box->square))) & ((1u << packet->count) - 1);
}

/// A curved shape with its axis as z: most triangles near its rounded box are apart from it there,
/// and of those that are not one with a vertex well inside is the first to test.
typedef struct curved_frame {
    float r[3][3], t[3]; ///< the mesh's frame to it
    float radius2, half; ///< of a cylinder that holds all that may collide
    float axis_half;
    float inner2, inner_half; ///< of what surely collides: squared distance from the axis, height
} curved_frame;

/// The axis is the difference of the snapped ends, turned: that of the ends in the mesh's frame,
/// which are rounded, is not the axis of a thin disc. The pad is twice the rounded box's: with u =
/// 2^-24, a coordinate of a vertex is off by 8 u of the sizes where the frame and it are rounded to
/// float, and by 14 u where it is moved; what lies across the axis by 32 u, of 64.
static curved_frame make_frame(const gz_curved *s, double margin, const gz_rounded_box *box,
                               const double pose[12], const graze_mesh *mesh) {
    curved_frame f;
    double axes[3][3] = {{0}, {0}, {0, 0, 1}}, center[3], way[3], pad = 2 * box->pad;
    gz_subtract(s->b, s->a, center);
    gz_transform_unrotate(pose, center, way);
    double length = gz_norm(way), radius = s->radius + margin;
    for (int k = 0; k < 3; k++) {
        if (length > 0) axes[2][k] = way[k] / length;
        center[k] = 0.5 * (box->end[0][k] + box->end[1][k]);
        way[k] = GZ_ARRAY3(mesh->obb.center)[k] - center[k];
    }
    // x points to the middle of the mesh, where it can.
    double along = gz_dot(way, axes[2]);
    for (int k = 0; k < 3; k++) axes[0][k] = way[k] - along * axes[2][k];
    if (!(gz_norm(axes[0]) > 1e-3 * gz_norm(way))) gz_across(axes[2], axes[0]);
    double across = gz_norm(axes[0]);
    for (int k = 0; k < 3; k++) axes[0][k] /= across;
    gz_cross(axes[2], axes[0], axes[1]);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) f.r[i][k] = (float)axes[i][k];
        f.t[i] = (float)-gz_dot(axes[i], center);
    }
    bool flat = s->kind == GRAZE_SHAPE_CYLINDER && length > 0; // else it has round ends
    double inner = radius - pad, half = 0.5 * length;
    f.radius2 = (float)((radius + pad) * (radius + pad)) * GZ_ROUND_UP;
    f.half = (float)(half + (flat ? margin : radius) + pad) * GZ_ROUND_UP;
    f.inner2 = inner > 0 ? (float)(inner * inner) * GZ_ROUND_DOWN : -1;
    f.axis_half = (float)half * GZ_ROUND_DOWN;
    f.inner_half = flat ? (float)(half - pad) * GZ_ROUND_DOWN : INFINITY;
    return f;
}

/// Lanes of a packet whose triangles may collide with the shape; *inside: that surely do.
static unsigned frame_overlap_mask(const gz_packet *packet, const curved_frame *f, unsigned lanes,
                                   unsigned *inside) {
    gz_f8 low[3], high[3], none = gz_f8_all(0);
    *inside = 0;
    for (int v = 0; v < 3; v++) {
        moved_points p = move_group(f->r, f->t, packet->vertex[v]);
        gz_f8 height = gz_f8_abs(p.x[2]);
        gz_f8 square = gz_f8_muladd(p.x[0], p.x[0], gz_f8_mul(p.x[1], p.x[1]));
        square = add_gap(square, gz_f8_sub(height, gz_f8_all(f->axis_half)));
        *inside |= ~gz_f8_mask(gz_f8_or(gz_f8_greater(square, gz_f8_all(f->inner2)),
                                        gz_f8_greater(height, gz_f8_all(f->inner_half))));
        for (int k = 0; k < 3; k++) {
            low[k] = v ? gz_f8_min(low[k], p.x[k]) : p.x[k];
            high[k] = v ? gz_f8_max(high[k], p.x[k]) : p.x[k];
        }
    }
    gz_f8 gap[3], square = none;
    for (int k = 0; k < 3; k++) gap[k] = gz_f8_max(low[k], gz_f8_sub(none, high[k]));
    for (int k = 0; k < 2; k++) square = add_gap(square, gap[k]);
    gz_f8 apart = gz_f8_or(gz_f8_greater(square, gz_f8_all(f->radius2)),
                           gz_f8_greater(gap[2], gz_f8_all(f->half)));
    *inside &= lanes;
    return lanes & ~gz_f8_mask(apart);
}

/// Gives the sink a triangle that collides with a curved shape, a or b.
static void sink_triangle(const gz_triangle_sink *sink, bool curved_first, uint32_t triangle) {
    if (curved_first)
        sink->each(sink->user, -1, triangle);
    else
        sink->each(sink->user, triangle, -1);
}

/// Tests the triangles of a packet against a curved shape, keeping the lowest that collides in
/// *lowest. Returns whether one did.
static bool curved_packet(const gz_curved *s, const gz_shape_rule *rule, bool curved_first,
                          const posed *side, const gz_packet *packet, unsigned lanes,
                          int64_t *lowest, double point[3], uint64_t *left, graze_stats *stats) {
    bool hit = false;
    for (; lanes && *left > 1; lanes &= lanes - 1) {
        uint32_t t = packet->triangle[__builtin_ctz(lanes)];
        if (*lowest >= 0 && t >= *lowest && !rule->sink) continue;
        double corners[3][3], at[3];
        gz_triangle_snap(side->shape->mesh, side->pose, t, corners);
        stats->shape_tests++;
        *left = *left > GZ_WORK_SHAPE ? *left - GZ_WORK_SHAPE : 1; // the traversal takes the last
        if (!gz_curved_triangle_collide(s, (const double(*)[3])corners, rule->margin, at)) continue;
        if (rule->sink) sink_triangle(rule->sink, curved_first, t);
        *lowest = t;
        memcpy(point, at, sizeof at);
        hit = true;
    }
    return hit;
}

/// Whether a curved shape, apart from the surface, lies inside: whether an end of its axis does,
/// which is known exactly and in every such solid, as the middle is not where it rounds; under
/// `cap`, where the shape may extend through an opening, either end or the middle.
static bool contains_curved(const posed *side, const gz_curved *s, double point[3], uint64_t *left,
                            graze_stats *stats) {
    bool cap = is_capped(side);
    double places[3][3];
    memcpy(places[0], s->a, sizeof s->a);
    memcpy(places[1], s->b, sizeof s->b);
    gz_curved_center(s, places[2]);
    for (int i = 0; i < (cap ? 3 : 1); i++) {
        if (!gz_mesh_contains_point(side->shape->mesh, side->pose, cap, places[i], left, stats))
            continue;
        memcpy(point, places[i], sizeof places[i]);
        return true;
    }
    return false;
}

static bool curved_mesh_collide(const posed *curved, const posed *side, bool curved_first,
                                const gz_shape_rule *rule, int64_t *triangle, gz_shape_contact *m,
                                graze_stats *stats) {
    const graze_mesh *mesh = side->shape->mesh;
    gz_curved s = gz_shape_place_curved(curved->shape, curved->pose);
    gz_rounded_box box = gz_rounded_box_make(&s, rule->margin, side->pose, mesh);
    curved_frame frame = make_frame(&s, rule->margin, &box, side->pose, mesh);
    int64_t lowest = -1;
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->root);
    uint64_t left = rule->left ? *rule->left : UINT64_MAX;
    for (int32_t reference; --left && gz_traversal_next(&walk, &reference);) {
        if (reference >= 0) {
            stats->node_tests++;
            gz_traversal_add(&walk, &mesh->nodes[reference],
                             overlap_mask(&mesh->nodes[reference], &box));
            continue;
        }
        const gz_packet *packet = &mesh->packets[~reference];
        unsigned lanes = packet_overlap_mask(packet, &box), inside;
        if (!lanes) continue;
        lanes = frame_overlap_mask(packet, &frame, lanes, &inside);
        if (inside && rule->detail < GZ_DETAIL_PLACE) lanes = inside & -inside;
        if (curved_packet(&s, rule, curved_first, side, packet, lanes, &lowest, m->point, &left,
                          stats) &&
            rule->detail < GZ_DETAIL_WITNESS)
            break;
    }
    if (rule->left) *rule->left = left;
    *triangle = lowest;
    if (lowest >= 0) return true;
    m->contained = is_solid(side) && contains_curved(side, &s, m->point, rule->left, stats);
    return m->contained;
}

bool gz_shapes_collide(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                       const double pose_b[12], const gz_shape_rule *rule,
                       gz_shape_contact *contact, graze_stats *stats) {
    const posed pa = {a, pose_a, rule->policy_a}, pb = {b, pose_b, rule->policy_b};
    if (!gz_work_take(rule->left, GZ_WORK_PAIR)) return false;
    stats->geometry_pairs++;
    *contact = (gz_shape_contact){.triangle_a = -1, .triangle_b = -1};
    if (a->mesh && b->mesh) return meshes_collide(&pa, &pb, rule, contact, stats);
    if (a->mesh)
        return curved_mesh_collide(&pb, &pa, false, rule, &contact->triangle_a, contact, stats);
    if (b->mesh)
        return curved_mesh_collide(&pa, &pb, true, rule, &contact->triangle_b, contact, stats);
    gz_curved s = gz_shape_place_curved(a, pose_a), t = gz_shape_place_curved(b, pose_b);
    stats->shape_tests++;
    gz_work_spend(rule->left, GZ_WORK_SHAPE);
    bool hit = gz_curved_pair_collide(&s, &t, rule->margin, contact->point);
    if (hit && rule->sink) rule->sink->each(rule->sink->user, -1, -1);
    return hit;
}

// ------------------------------------------------------------------ two meshes without a robot

/// The largest magnitude of a snapped coordinate, or a lower number where that is surely in range.
static double snapped_max_abs(const graze_mesh *mesh, const double pose[12]) {
    if (gz_transform_far(pose) + GZ_SQRT_3 * mesh->max_abs * (1 + 2e-9) <= GZ_COORDINATE_MAX)
        return 0;
    double worst = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        gz_snap(pose, mesh->vertices + 3 * i, p);
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(p[k]));
    }
    return worst;
}

static graze_status check_pose(const graze_mesh *mesh, const double pose[12], const char *which,
                               graze_error *error) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(pose[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE, "pose of mesh %s has %g; allowed: finite",
                           which, pose[i]);
    if (!gz_transform_is_rigid(pose, GZ_RIGID_TOLERANCE))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "pose of mesh %s is not rigid; allowed: R^T R = I up to 1e-9, det R > 0",
                       which);
    double worst = snapped_max_abs(mesh, pose);
    if (worst > GZ_COORDINATE_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "mesh %s reaches %g m from the origin; allowed: at most 2^20 m", which,
                       worst);
    return GRAZE_OK;
}

static graze_status overlap(const graze_mesh *a, const double pose_a[12], const graze_mesh *b,
                            const double pose_b[12], graze_policy policy,
                            graze_mesh_overlap *result, graze_error *error) {
    if (policy != GRAZE_POLICY_SOLID && policy != GRAZE_POLICY_SURFACE &&
        policy != GRAZE_POLICY_CAP)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "policy is not one of the enumerators");
    graze_status status = check_pose(a, pose_a, "a", error);
    if (status == GRAZE_OK) status = check_pose(b, pose_b, "b", error);
    if (status) return status;
    // The shapes borrow the meshes: nothing here writes to them or frees them.
    gz_shape shape_a = {.kind = GRAZE_SHAPE_MESH, .mesh = (graze_mesh *)(uintptr_t)a};
    gz_shape shape_b = {.kind = GRAZE_SHAPE_MESH, .mesh = (graze_mesh *)(uintptr_t)b};
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = policy,
                          .policy_b = policy,
                          .detail = GZ_DETAIL_WITNESS};
    gz_shape_contact contact;
    graze_stats stats = {0};
    result->overlap = gz_shapes_collide(&shape_a, pose_a, &shape_b, pose_b, &rule, &contact,
                                        &stats);
    if (result->overlap) {
        result->contained = contact.contained;
        result->triangle_a = contact.triangle_a;
        result->triangle_b = contact.triangle_b;
        for (int k = 0; k < 3; k++) {
            result->segment[k] = contact.has_segment ? contact.segment[0][k] : contact.point[k];
            result->segment[3 + k] = contact.has_segment ? contact.segment[1][k] : contact.point[k];
        }
    }
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_meshes_overlap_sized(const graze_mesh *a, const graze_transform *pose_a,
                                        const graze_mesh *b, const graze_transform *pose_b,
                                        graze_policy policy, graze_mesh_overlap *result,
                                        size_t size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!a || !b || !pose_a || !pose_b || !result)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "a mesh, a pose or result is NULL");
    graze_mesh_overlap found = {.overlap = true, .triangle_a = -1, .triangle_b = -1};
    graze_status status = overlap(a, pose_a->m, b, pose_b->m, policy, &found, error);
    gz_fill(result, size, &found, sizeof found);
    return status;
}
