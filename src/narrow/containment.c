#include "narrow/containment.h"

#include <math.h>

#include "math/transform.h"
#include "mesh/box_tree.h"
#include "mesh/node_overlap.h"
#include "narrow/tree_pair.h"
#include "narrow/winding.h"

/// The half line from a point upwards (+z of the world), seen from a mesh's frame.
typedef struct ray {
    double origin[3], direction[3];
    double pad; ///< how far the frame's numbers may be off along the part of the line that matters
} ray;

/// The snapped mesh lies, seen from its frame, within 3e-9 r of the mesh (the pose is rigid up to
/// 1e-9) and the rounding of the snap and of the point's way back, 2^-48 (|t| + |p| + r); along the
/// line, of which no more than its pass through the mesh matters (a length below |o| + 2 r), the
/// direction's error of 3e-9 counts too. All of it is below 2e-8 (|o| + r) + 2^-48 (|t| + |p|), but
/// for coordinates below 2^-100, which snapping sets to zero.
static ray make_ray(const double point[3], const graze_mesh *mesh, const double pose[12]) {
    ray r;
    double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]};
    gz_transform_unrotate(pose, d, r.origin);
    for (int j = 0; j < 3; j++) r.direction[j] = pose[8 + j];
    double far = gz_transform_far(pose) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    r.pad = 2e-8 * (gz_norm(r.origin) + 2 * mesh->reach) + 0x1p-48 * far + 1e-29;
    return r;
}

/// Whether the half line may pass through a box: slabs, widened by the pad.
static bool ray_passes(const ray *r, const double center[3], const double half[3]) {
    double enter = 0, leave = INFINITY;
    for (int k = 0; k < 3; k++) {
        double low = center[k] - half[k] - r->pad - r->origin[k];
        double high = center[k] + half[k] + r->pad - r->origin[k];
        double d = r->direction[k];
        if (fabs(d) < 1e-7) {
            // So slow along this axis that the pass through the mesh moves it by less than 1e-7 of
            // its length, which is at most |o| + 2 r = pad / 2e-8: 5 pads.
            if (low > 5 * r->pad || high < -5 * r->pad) return false;
            continue;
        }
        double t0 = (d > 0 ? low : high) / d, t1 = (d > 0 ? high : low) / d;
        enter = fmax(enter, t0 - fabs(t0) * 0x1p-50);
        leave = fmin(leave, t1 + fabs(t1) * 0x1p-50);
    }
    return enter <= leave;
}

static int packet_crossings(const gz_packet *packet, const double point[3], const graze_mesh *mesh,
                            const double pose[12]) {
    int sum = 0;
    for (int lane = 0; lane < packet->count; lane++) {
        uint32_t t = packet->triangle[lane];
        if (!mesh->components[mesh->component_of[t]].closed) continue;
        double corners[3][3];
        gz_triangle_snap(mesh, pose, t, corners);
        sum += gz_winding_crossing(point, (const double(*)[3])corners);
    }
    return sum;
}

int gz_winding_number(const double point[3], const graze_mesh *mesh, const double pose[12],
                      graze_stats *stats) {
    stats->containment_tests++;
    ray r = make_ray(point, mesh, pose);
    int32_t stack[GZ_TREE_STACK];
    int top = 0, sum = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            sum += packet_crossings(&mesh->packets[~reference], point, mesh, pose);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        for (int i = 0; i < node->count; i++) {
            double center[3], half[3];
            for (int k = 0; k < 3; k++) {
                center[k] = (double)node->center[k][i];
                half[k] = (double)node->half[k][i];
            }
            if (ray_passes(&r, center, half)) stack[top++] = node->child[i];
        }
    }
    return sum;
}

// ------------------------------------------------- which components may contain, or be contained

/// Finds the components whose boxes overlap a box of the mesh's frame (centre, half extents), which
/// has been grown by all that may be off. Calls `each` with them until it returns true.
static bool visit_components(const graze_mesh *mesh, const double center[3], const double half[3],
                             bool (*each)(void *user, uint32_t component), void *user) {
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    if (mesh->component_count == 1) return each(user, 0);
    // In float: rounding the query and the sums in the test costs 2^-22 of the sizes.
    gz_box box;
    double size = mesh->reach;
    for (int k = 0; k < 3; k++) {
        box.center[k] = (float)center[k];
        box.half[k] = (float)half[k];
        size = fmax(size, fabs(center[k]) + half[k]);
    }
    float pad = (float)(0x1p-20 * size + 1e-30);
    stack[top++] = mesh->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (each(user, (uint32_t)~reference)) return true;
            continue;
        }
        const gz_node *node = &mesh->component_nodes[reference];
        for (unsigned mask = gz_node_overlap(node, &box, pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return false;
}

static bool box_holds(const graze_aabb *box, const double p[3], double pad) {
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++)
        if (p[k] < low[k] - pad || p[k] > high[k] + pad) return false;
    return true;
}

typedef struct point_query {
    const graze_mesh *mesh;
    const ray *ray;
} point_query;

static bool may_hold(void *user, uint32_t component) {
    const point_query *q = user;
    const gz_component *c = &q->mesh->components[component];
    return c->closed && box_holds(&c->box, q->ray->origin, q->ray->pad);
}

/// Whether the box of some closed component holds the point that the ray starts at. Only such a
/// component adds to the winding number.
static bool some_box_holds(const graze_mesh *whole, const ray *r) {
    if (!whole->closed_count || !box_holds(&whole->closed_box, r->origin, r->pad)) return false;
    point_query q = {whole, r};
    double half[3] = {r->pad, r->pad, r->pad};
    return visit_components(whole, r->origin, half, may_hold, &q);
}

bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12],
                            const double point[3], graze_stats *stats) {
    ray r = make_ray(point, whole, pose_whole);
    return some_box_holds(whole, &r) && gz_winding_number(point, whole, pose_whole, stats) != 0;
}

typedef struct part_query {
    const graze_mesh *whole, *part;
    const double *pose_whole, *pose_part;
    graze_stats *stats;
    uint32_t found; ///< lowest component that lies inside, or UINT32_MAX
} part_query;

/// A component inside has every vertex in the box of the closed components; the one that will be
/// judged and five others tell mostly.
static bool is_contained(void *user, uint32_t component) {
    part_query *q = user;
    if (component >= q->found) return false;
    const gz_component *c = &q->part->components[component];
    for (int k = 0; k < 6; k++) {
        double p[3];
        gz_snap(q->pose_part, q->part->vertices + 3 * (size_t)c->extreme[k], p);
        ray r = make_ray(p, q->whole, q->pose_whole);
        bool may = k ? box_holds(&q->whole->closed_box, r.origin, r.pad)
                     : some_box_holds(q->whole, &r);
        if (!may) return false;
    }
    double p[3];
    gz_snap(q->pose_part, q->part->vertices + 3 * (size_t)c->vertex, p);
    if (gz_winding_number(p, q->whole, q->pose_whole, q->stats) != 0) q->found = component;
    return false;
}

/// The box of the closed components of `whole`, seen from the frame of `part` and grown by all that
/// may be off (see make_ray).
static void closed_box_of(const graze_mesh *whole, const double pose_whole[12],
                          const graze_mesh *part, const double pose_part[12], double center[3],
                          double half[3]) {
    const double *low = GZ_ARRAY3(whole->closed_box.min), *high = GZ_ARRAY3(whole->closed_box.max);
    double rel[12], middle[3], own[3];
    gz_transform_relative(pose_whole, pose_part, rel);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (low[k] + high[k]);
        own[k] = 0.5 * (high[k] - low[k]);
    }
    gz_transform_apply(rel, middle, center);
    double t[3] = {rel[3], rel[7], rel[11]};
    double pad = 2e-8 * (gz_norm(t) + 2 * whole->reach + 2 * part->reach) +
                 0x1p-46 * (gz_transform_far(pose_whole) + gz_transform_far(pose_part)) + 1e-29;
    for (int k = 0; k < 3; k++)
        half[k] = fabs(rel[4 * k]) * own[0] + fabs(rel[4 * k + 1]) * own[1] +
                  fabs(rel[4 * k + 2]) * own[2] + pad;
}

bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], const graze_mesh *part,
                      const double pose_part[12], uint32_t *triangle, graze_stats *stats) {
    if (!whole->closed_count) return false;
    part_query q = {.whole = whole,
                    .part = part,
                    .pose_whole = pose_whole,
                    .pose_part = pose_part,
                    .stats = stats,
                    .found = UINT32_MAX};
    double center[3], half[3];
    closed_box_of(whole, pose_whole, part, pose_part, center, half);
    visit_components(part, center, half, is_contained, &q);
    if (q.found == UINT32_MAX) return false;
    *triangle = part->components[q.found].triangle;
    return true;
}
