#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "math/lanes.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/containment.h"
#include "narrow/curved/curved.h"
#include "narrow/kernel.h"
#include "narrow/shape_pair.h"
#include "narrow/triangle/triangle.h"

static bool is_solid(const gz_shape *shape, graze_policy policy) {
    // A box is a solid under every policy; a mesh only where the policy says so.
    return shape->kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
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
static bool mesh_contains(const gz_shape *a, const double pose_a[12], graze_policy policy_a,
                          const gz_shape *b, const double pose_b[12], int64_t *triangle_b,
                          gz_shape_contact *m, graze_stats *stats) {
    gz_contained inside;
    if (!is_solid(a, policy_a) || !gz_mesh_contains(a->mesh, pose_a, policy_a == GRAZE_POLICY_CAP,
                                                    b->mesh, pose_b, &inside, stats))
        return false;
    *triangle_b = inside.triangle;
    m->contained = true;
    gz_snap(pose_b, b->mesh->vertices + 3 * (size_t)inside.vertex, m->point);
    return true;
}

/// What the sketches of two meshes say, and where it makes sense to look on.
typedef struct proxy_hint {
    gz_proxy_answer answer;
    gz_scene_hint scene;
    bool swapped; ///< a is the scene
} proxy_hint;

static void test_proxies(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                         const double pose_b[12], const gz_shape_rule *rule, proxy_hint *hint,
                         graze_stats *stats) {
    hint->answer = GZ_PROXY_UNKNOWN;
    hint->scene.count = 0;
    hint->swapped = false;
    if (rule->prefiltered || !a->mesh->proxy || !b->mesh->proxy) return;
    gz_proxy_pair pair;
    // A scene comes second.
    bool swap = a->mesh->proxy->clearance.cell_count && !b->mesh->proxy->clearance.cell_count;
    const gz_shape *first = swap ? b : a, *second = swap ? a : b;
    graze_policy policy_first = swap ? rule->policy_b : rule->policy_a;
    graze_policy policy_second = swap ? rule->policy_a : rule->policy_b;
    gz_proxy_pair_prepare(&pair, first->mesh, swap ? pose_b : pose_a, second->mesh,
                          swap ? pose_a : pose_b, rule->margin);
    pair.hint = &hint->scene;
    pair.question = rule->detail < GZ_DETAIL_PLACE ? GZ_PROXY_FIND_BOTH : GZ_PROXY_FIND_APART;
    pair.solid_a = is_solid(first, policy_first);
    pair.solid_b = is_solid(second, policy_second);
    pair.cap_a = policy_first == GRAZE_POLICY_CAP && first->mesh->caps;
    pair.cap_b = policy_second == GRAZE_POLICY_CAP && second->mesh->caps;
    hint->answer = rule->kernels->proxy_pair(&pair);
    stats->sketch_rejects += hint->answer == GZ_PROXY_APART;
    stats->sketch_hits += hint->answer == GZ_PROXY_OVERLAP;
    hint->swapped = swap;
}

static bool meshes_collide(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                           const double pose_b[12], const gz_shape_rule *rule, gz_shape_contact *m,
                           graze_stats *stats) {
    proxy_hint hint;
    test_proxies(a, pose_a, b, pose_b, rule, &hint, stats);
    if (hint.answer != GZ_PROXY_UNKNOWN) return hint.answer == GZ_PROXY_OVERLAP;
    gz_tree_pair pair;
    gz_tree_pair_prepare(&pair, a->mesh, pose_a, b->mesh, pose_b,
                         rule->detail == GZ_DETAIL_WITNESS);
    pair.hint = &hint.scene;
    pair.hint_swapped = hint.swapped;
    if (rule->margin > 0) {
        gz_tree_pair_grow(&pair, rule->margin);
        rule->kernels->tree_pair_near(&pair, stats);
    } else {
        rule->kernels->tree_pair(&pair, stats);
    }
    if (pair.hit) {
        m->triangle_a = pair.triangle_a;
        m->triangle_b = pair.triangle_b;
        if (rule->detail >= GZ_DETAIL_PLACE) locate_triangles(&pair, m);
        return true;
    }
    return mesh_contains(a, pose_a, rule->policy_a, b, pose_b, &m->triangle_b, m, stats) ||
           mesh_contains(b, pose_b, rule->policy_b, a, pose_a, &m->triangle_a, m, stats);
}

// ------------------------------------------------------------------------------- curved shapes

static gz_curved place_curved(const gz_shape *shape, const double pose[12]) {
    gz_curved out = {.kind = shape->kind, .radius = shape->radius};
    gz_snap(pose, shape->a, out.a);
    gz_snap(pose, shape->b, out.b);
    return out;
}

/// A curved shape in a mesh's frame: the box around its axis, and its radius. The shape lies within
/// `radius` of its axis (a cylinder, too), so what is farther from the axis's box is apart from the
/// shape. A box around all of it would let the corners of a large ball's box meet everything.
typedef struct rounded_box {
    gz_box axis;
    float radius; ///< pad included
    float square;
} rounded_box;

/// The rounded box, grown by the margin, with a pad for everything that rounds. The way into the
/// frame is off by 2^-48 (|t| + r) and 3e-9 r as in containment.c, and snapping by 2^-100. With u =
/// 2^-24, each gap in the test is off by at most 8 u of the sizes (centres and halves rounded, one
/// difference and two sums), so the distance by 14 u of them, and squaring and summing costs 3 u of
/// it: 2^-19 = 32 u is nearly twice that. 1e-18 keeps all squares that matter far above the
/// underflow of float.
static rounded_box frame_curved(const gz_curved *s, double margin, const double pose[12],
                                const graze_mesh *mesh) {
    double end[2][3], low[3], high[3], size = mesh->max_abs, far = 0, radius = s->radius + margin;
    for (int e = 0; e < 2; e++) {
        const double *p = e ? s->b : s->a;
        double d[3] = {p[0] - pose[3], p[1] - pose[7], p[2] - pose[11]};
        gz_transform_unrotate(pose, d, end[e]);
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fabs(end[e][k]) + radius);
            far = fmax(far, fabs(p[k]) + fabs(pose[4 * k + 3]));
        }
    }
    rounded_box box;
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(end[0][k], end[1][k]);
        high[k] = fmax(end[0][k], end[1][k]);
        box.axis.center[k] = (float)(0.5 * (low[k] + high[k]));
        box.axis.half[k] = (float)(0.5 * (high[k] - low[k]));
    }
    box.radius = (float)(radius + 0x1p-19 * size + 0x1p-46 * far + 1e-18);
    box.square = box.radius * box.radius;
    return box;
}

static unsigned overlap_mask(const gz_node *node, const rounded_box *box) {
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
static unsigned packet_overlap_mask(const gz_packet *packet, const rounded_box *box) {
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

/// Tests the triangles of a packet against a curved shape, keeping the lowest that collides in
/// *lowest. Returns whether one did.
static bool curved_packet(const gz_curved *s, double margin, const graze_mesh *mesh,
                          const double pose[12], const gz_packet *packet, unsigned lanes,
                          int64_t *lowest, double point[3], graze_stats *stats) {
    bool hit = false;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t t = packet->triangle[__builtin_ctz(lanes)];
        if (*lowest >= 0 && t >= *lowest) continue;
        double corners[3][3], at[3];
        gz_triangle_snap(mesh, pose, t, corners);
        stats->shape_tests++;
        if (!gz_curved_triangle_collide(s, (const double(*)[3])corners, margin, at)) continue;
        *lowest = t;
        memcpy(point, at, sizeof at);
        hit = true;
    }
    return hit;
}

/// Whether a curved shape, apart from the surface, lies inside: whether an end of its axis does,
/// which is known exactly and in every such solid, as the middle is not where it rounds; under
/// `cap`, where the shape may radius through an opening, either end or the middle.
static bool contains_curved(const graze_mesh *mesh, const double pose[12], graze_policy policy,
                            const gz_curved *s, double point[3], graze_stats *stats) {
    bool cap = policy == GRAZE_POLICY_CAP && mesh->caps;
    double places[3][3];
    memcpy(places[0], s->a, sizeof s->a);
    memcpy(places[1], s->b, sizeof s->b);
    gz_curved_center(s, places[2]);
    for (int i = 0; i < (cap ? 3 : 1); i++) {
        if (!gz_mesh_contains_point(mesh, pose, cap, places[i], stats)) continue;
        memcpy(point, places[i], sizeof places[i]);
        return true;
    }
    return false;
}

static bool curved_mesh_collide(const gz_curved *s, const gz_shape *shape, const double pose[12],
                                graze_policy policy, const gz_shape_rule *rule, int64_t *triangle,
                                gz_shape_contact *m, graze_stats *stats) {
    const graze_mesh *mesh = shape->mesh;
    rounded_box box = frame_curved(s, rule->margin, pose, mesh);
    int64_t lowest = -1;
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->root);
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        if (reference >= 0) {
            stats->node_tests++;
            gz_traversal_add(&walk, &mesh->nodes[reference],
                             overlap_mask(&mesh->nodes[reference], &box));
            continue;
        }
        const gz_packet *packet = &mesh->packets[~reference];
        unsigned lanes = packet_overlap_mask(packet, &box);
        if (curved_packet(s, rule->margin, mesh, pose, packet, lanes, &lowest, m->point, stats) &&
            rule->detail < GZ_DETAIL_WITNESS)
            break;
    }
    *triangle = lowest;
    if (lowest >= 0) return true;
    if (!is_solid(shape, policy) || !contains_curved(mesh, pose, policy, s, m->point, stats))
        return false;
    m->contained = true;
    return true;
}

bool gz_shapes_collide(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                       const double pose_b[12], const gz_shape_rule *rule,
                       gz_shape_contact *contact, graze_stats *stats) {
    stats->geometry_pairs++;
    *contact = (gz_shape_contact){.triangle_a = -1, .triangle_b = -1};
    if (a->mesh && b->mesh) return meshes_collide(a, pose_a, b, pose_b, rule, contact, stats);
    if (a->mesh) {
        gz_curved s = place_curved(b, pose_b);
        return curved_mesh_collide(&s, a, pose_a, rule->policy_a, rule, &contact->triangle_a,
                                   contact, stats);
    }
    gz_curved s = place_curved(a, pose_a);
    if (b->mesh)
        return curved_mesh_collide(&s, b, pose_b, rule->policy_b, rule, &contact->triangle_b,
                                   contact, stats);
    gz_curved t = place_curved(b, pose_b);
    stats->shape_tests++;
    return gz_curved_pair_collide(&s, &t, rule->margin, contact->point);
}

// Two posed meshes without a robot: the public question, answered by the same narrow phase.

/// The largest magnitude of a snapped coordinate, or a lower number where that is surely in range.
static double snapped_max_abs(const graze_mesh *mesh, const double pose[12]) {
    double far = fmax(fabs(pose[3]), fmax(fabs(pose[7]), fabs(pose[11])));
    if (far + GZ_SQRT_3 * mesh->max_abs * (1 + 1e-8) <= GZ_COORDINATE_MAX) return 0;
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
    if (!gz_transform_is_rigid(pose, 1e-9))
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

graze_status graze_meshes_overlap(const graze_mesh *a, const double pose_a[12], const graze_mesh *b,
                                  const double pose_b[12], graze_policy policy,
                                  graze_mesh_overlap *result, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!a || !b || !pose_a || !pose_b || !result)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "a mesh, a pose or result is NULL");
    *result = (graze_mesh_overlap){.overlap = true, .triangle_a = -1, .triangle_b = -1};
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
