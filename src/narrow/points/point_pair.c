#include <math.h>
#include <string.h>

#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "narrow/containment.h"
#include "narrow/kernel.h"
#include "narrow/points/point_pair.h"
#include "narrow/points/point_pair_internal.h"

// -------------------------------------------------------------------------------------- one ball

void gz_point_ball_make(const gz_point_pair *pair, uint32_t point, gz_curved *out) {
    const gz_point_query *q = pair->query;
    *out = (gz_curved){.kind = GRAZE_SHAPE_SPHERE, .radius = q->radius};
    gz_snap(q->points_pose, q->points + 3 * (size_t)point, out->a);
    memcpy(out->b, out->a, sizeof out->b);
}

/// The sums are rounded to nearest, so one step outward contains the true ones.
bool gz_point_ball_counts(const gz_point_pair *pair, const gz_curved *ball) {
    const gz_point_query *q = pair->query;
    for (int k = 0; k < 3; k++)
        if (nextafter(ball->a[k] - q->radius, -INFINITY) > q->high[k] ||
            nextafter(ball->a[k] + q->radius, INFINITY) < q->low[k])
            return false;
    return true;
}

/// Counts a certified test; what is left to do ends with the work.
static void spend_test(gz_point_pair *pair) {
    gz_work_spend(pair->query->rule->left, GZ_WORK_SHAPE);
    pair->done = pair->done || gz_work_is_spent(pair->query->rule->left);
}

bool gz_point_ball_overlaps(gz_point_pair *pair, const gz_curved *ball, uint32_t triangle) {
    double corners[3][3];
    gz_triangle_snap(pair->mesh, pair->query->pose, triangle, corners);
    pair->stats->shape_tests++;
    spend_test(pair);
    return gz_curved_triangle_collide(ball, (const double(*)[3])corners, pair->query->rule->margin,
                                      NULL);
}

bool gz_point_ball_collides(gz_point_pair *pair, const gz_curved *ball) {
    pair->stats->shape_tests++;
    spend_test(pair);
    return gz_curved_pair_collide(&pair->curved, ball, pair->query->rule->margin, NULL);
}

bool gz_point_ball_is_inside(gz_point_pair *pair, const gz_curved *ball) {
    bool inside = gz_mesh_contains_point(pair->mesh, pair->query->pose, pair->cap, ball->a,
                                         pair->query->rule->left, pair->stats);
    pair->done = pair->done || gz_work_is_spent(pair->query->rule->left);
    return inside;
}

void gz_point_pair_record(gz_point_pair *pair, uint32_t point) {
    pair->hit = true;
    pair->limit = point;
    pair->done = pair->done || !pair->query->lowest || point == 0;
}

// --------------------------------------------------------------------------------- the question

/// Radius and margin with a pad for everything that rounds. With u = 2^-24 and S = |t| + sqrt 3 (rA
/// + rB) + radius + margin, where t is the relative translation and r the largest coordinate of
/// either side in its frame, each coordinate of a gap between boxes is off by at most 17 u S: the
/// centre of one, moved in float, by 6 u S (kernel.c), its half extents by 7 u S (three
/// products, rounded entries, sums), differences and sums by 4 u S. The distance is off by sqrt 3
/// times that, and by 2 u of itself where it is squared and summed: 32 u S. A point in a leaf is
/// off by u S before it is moved and 3 u S where its place is decoded, besides the half step that
/// the traversal adds. 64 u S is taken, so half of the pad is left:
///
/// The real shapes are snapped ones, in the world. Seen from a frame that is rigid up to 1e-9, they
/// are within 3e-9 S and 2^-50 of the places' magnitudes of their nominal places, and
/// distances are off by 1.5e-9 of themselves: below 6e-9 S, or u S / 10. The tests in double take
/// what is farther apart than radius and margin for a collision only within 2.5e-12 of what both
/// span (narrow/curved.h), which is below 3 S. So what is rejected is apart for them.
/// 1e-29 covers what snapping sets to zero, and the least threshold keeps squares above underflow.
static float padded_threshold(double size, double far, double threshold, float *pad) {
    double off = (64 * 0x1p-24 * size + 0x1p-50 * far) * GZ_ROUND_UP_TO_FLOAT + 1e-29;
    *pad = (float)(off * GZ_ROUND_UP_TO_FLOAT);
    return (float)fmax((threshold + off) * GZ_ROUND_UP_TO_FLOAT, 1e-18);
}

static double far_of(const gz_point_query *q, double size) {
    return 3 * (gz_transform_far(q->pose) + gz_transform_far(q->points_pose)) + size;
}

/// The box as the traversals use it. Six axes are tested: the coordinates, of the box around the
/// oriented one, and its own. Along these a place is off by the 6 u S of a centre that is moved,
/// and half extents by their 7 u S; its axes are at right angles up to 1e-9, as frames are. All
/// that, as above padded_threshold(), lies within the pad. What moved the box may have come by
/// larger coordinates than the box has, larger by `more`.
static gz_point_box frame_box(const gz_point_box_query *q, double more) {
    const double *center = GZ_ARRAY3(q->box->center), *half = GZ_ARRAY3(q->box->half);
    const double *m = q->points_pose, threshold = q->radius + q->margin;
    double d[3] = {center[0] - m[3], center[1] - m[7], center[2] - m[11]}, at[3], axis[3][3];
    gz_transform_unrotate(m, d, at);
    for (int j = 0; j < 3; j++) gz_transform_unrotate(m, GZ_ARRAY3(q->box->axis[j]), axis[j]);
    gz_point_box b = {.tree = q->tree, .limit = UINT32_MAX};
    double size = GZ_SQRT_3 * q->tree->max_abs + gz_norm(at) + threshold;
    double far = gz_transform_far(m) + fabs(center[0]) + fabs(center[1]) + fabs(center[2]) + more;
    for (int k = 0; k < 3; k++) {
        double sum = threshold;
        for (int j = 0; j < 3; j++) sum += fabs(axis[j][k]) * half[j];
        b.seen.center[k] = (float)at[k];
        b.seen.half[k] = (float)sum;
        size += sum;
    }
    padded_threshold(size, 3 * far + size, 0, &b.pad);
    b.small = (float)(GZ_POINT_SMALL * q->radius);
    for (int j = 0; j < 3; j++) {
        b.half[j] = (float)(half[j] + threshold) + b.pad;
        for (int k = 0; k < 3; k++) {
            b.axis[j][k] = (float)axis[j][k];
            b.abs_axis[j][k] = fabsf(b.axis[j][k]);
        }
    }
    return b;
}

/// The box around the mesh, of whatever lies inside of it too. Its corners are moved as the
/// mesh's own are, so what is said above padded_threshold() holds for it: they come by the
/// translation of the pose and by coordinates up to the mesh's threshold.
static gz_point_box frame_mesh_box(const gz_point_query *q) {
    const graze_mesh *mesh = q->shape->mesh;
    const gz_box *own = gz_mesh_tree_box(mesh, mesh->root);
    const double *m = q->pose;
    double at[3] = {(double)own->center[0], (double)own->center[1], (double)own->center[2]};
    graze_obb box;
    gz_transform_apply(m, at, GZ_ARRAY3(box.center));
    for (int j = 0; j < 3; j++) {
        GZ_ARRAY3(box.half)[j] = (double)own->half[j];
        for (int k = 0; k < 3; k++) GZ_ARRAY3(box.axis[j])[k] = m[4 * k + j];
    }
    const gz_point_box_query query = {.tree = q->tree,
                                      .points_pose = q->points_pose,
                                      .radius = q->radius,
                                      .box = &box,
                                      .margin = q->rule->margin};
    return frame_box(&query, gz_transform_far(m) + 2 * mesh->max_abs);
}

static void prepare_mesh(gz_point_pair *p) {
    const gz_point_query *q = p->query;
    const graze_mesh *mesh = p->mesh = q->shape->mesh;
    double rel[12], threshold = q->radius + q->rule->margin;
    gz_transform_relative(q->points_pose, q->pose, rel);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p->r[i][j] = (float)rel[4 * i + j];
            p->abs_r[i][j] = fabsf(p->r[i][j]);
        }
        p->t[i] = (float)rel[4 * i + 3];
    }
    double t[3] = {rel[3], rel[7], rel[11]};
    double size = gz_norm(t) + GZ_SQRT_3 * (mesh->max_abs + q->tree->max_abs) + threshold;
    p->threshold = padded_threshold(size, far_of(q, size), threshold, &p->pad);
    p->around = frame_mesh_box(q);
    graze_policy policy = q->rule->policy_a;
    p->cap = policy == GRAZE_POLICY_CAP && mesh->caps;
    // A box is a solid under every policy.
    p->solid = (gz_shape_is_polyhedron(q->shape->kind) || policy != GRAZE_POLICY_SURFACE) &&
               (p->cap || mesh->closed_count > 0);
    const graze_aabb *box = p->cap ? &mesh->aabb : &mesh->closed_box;
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3 && p->solid; k++) {
        p->inside.center[k] = (float)(0.5 * (low[k] + high[k]));
        p->inside.half[k] = (float)(0.5 * (high[k] - low[k]));
    }
}

/// A curved solid lies within its radius of its axis, a cylinder too.
static void prepare_curved(gz_point_pair *p) {
    const gz_point_query *q = p->query;
    double end[2][3], size = GZ_SQRT_3 * q->tree->max_abs, square = 0;
    double threshold = q->shape->radius + q->radius + q->rule->margin;
    p->curved = (gz_curved){.kind = q->shape->kind, .radius = q->shape->radius};
    gz_snap(q->pose, q->shape->a, p->curved.a);
    gz_snap(q->pose, q->shape->b, p->curved.b);
    for (int e = 0; e < 2; e++) {
        const double *at = e ? p->curved.b : p->curved.a, *pose = q->points_pose;
        double d[3] = {at[0] - pose[3], at[1] - pose[7], at[2] - pose[11]};
        gz_transform_unrotate(pose, d, end[e]);
        size += gz_norm(end[e]);
    }
    for (int k = 0; k < 3; k++) {
        p->axis[k] = (float)end[0][k];
        p->along[k] = (float)(end[1][k] - end[0][k]);
        p->axis_box.center[k] = (float)(0.5 * (end[0][k] + end[1][k]));
        p->axis_box.half[k] = (float)fabs(0.5 * (end[1][k] - end[0][k]));
        square += (double)p->along[k] * (double)p->along[k];
    }
    // An axis too short for its inverse square is as good as its end, and that much more threshold.
    p->inverse = square > 1e-30 ? (float)(1 / square) : 0;
    if (!(square > 1e-30)) threshold += 2 * sqrt(square);
    p->threshold = padded_threshold(size + threshold, far_of(q, size), threshold, &p->pad);
}

static const gz_point_kernels *choose(const gz_kernels *kernels) {
#ifdef GRAZE_HAVE_AVX2
    if (kernels == &gz_kernels_avx2) return &gz_point_kernels_avx2;
#endif
    (void)kernels;
    return &gz_point_kernels_base;
}

bool gz_points_near_box(const gz_point_box_query *query, graze_stats *stats) {
    gz_point_box box = frame_box(query, 0);
    return choose(query->kernels)->box(&box, stats);
}

/// A query whose margin shrinks while its points are visited.
typedef struct shrinking_query {
    gz_point_box_query query;
    gz_point_box *box;
    bool (*accepts)(const void *user, uint32_t point);
    const void *user;
} shrinking_query;

/// Visits a point, and fits the box to the margin that is left.
static bool accept_and_shrink(const void *user, uint32_t point) {
    shrinking_query *s = *(shrinking_query *const *)user;
    bool taken = s->accepts(s->user, point);
    if (*s->query.shrinking < s->query.margin) {
        s->query.margin = *s->query.shrinking;
        const gz_point_box fitted = frame_box(&s->query, 0);
        s->box->seen = fitted.seen;
        s->box->pad = fitted.pad;
        memcpy(s->box->half, fitted.half, sizeof fitted.half);
    }
    return taken;
}

int64_t gz_points_lowest_near_box(const gz_point_box_query *query,
                                  bool (*accepts)(const void *user, uint32_t point),
                                  const void *user, graze_stats *stats) {
    gz_point_box box = frame_box(query, 0);
    shrinking_query shrinking = {*query, &box, accepts, user}, *mutable = &shrinking;
    box.accepts = query->shrinking ? accept_and_shrink : accepts;
    box.user = query->shrinking ? (const void *)&mutable : user;
    choose(query->kernels)->lowest(&box, stats);
    return box.limit == UINT32_MAX ? -1 : (int64_t)box.limit;
}

int64_t gz_point_pair_find(const gz_point_query *query, graze_stats *stats) {
    gz_point_pair pair = {.query = query, .stats = stats, .limit = query->limit};
    uint64_t before = stats->node_tests + stats->packet_tests;
    stats->geometry_pairs++;
    if (query->shape->mesh)
        prepare_mesh(&pair);
    else
        prepare_curved(&pair);
    choose(query->rule->kernels)->traverse(&pair);
    gz_work_spend(query->rule->left, stats->node_tests + stats->packet_tests - before);
    return pair.hit ? (int64_t)pair.limit : -1;
}
