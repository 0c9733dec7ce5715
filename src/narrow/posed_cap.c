#include "narrow/posed_cap.h"

#include <string.h>

#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "narrow/frame_change.h"
#include "narrow/triangle/triangle.h"

static void snap_cap(const graze_mesh *mesh, const double pose[12], const gz_cap_triangle *t,
                     double out[3][3]) {
    gz_snap(pose, mesh->caps->apexes + 3 * (size_t)t->apex, out[0]);
    gz_snap(pose, mesh->vertices + 3 * (size_t)t->from, out[1]);
    gz_snap(pose, mesh->vertices + 3 * (size_t)t->to, out[2]);
}

int gz_caps_crossings(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                      const double pose[12]) {
    const gz_caps *caps = mesh->caps;
    if (caps->triangle_count == 0) return 0;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, sum = 0;
    stack[top++] = caps->tree.root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference >= 0) {
            const gz_node *node = &caps->tree.nodes[reference];
            for (unsigned mask = gz_vertical_ray_children(ray, node); mask; mask &= mask - 1)
                stack[top++] = node->child[__builtin_ctz(mask)];
            continue;
        }
        const gz_tree_leaf *leaf = &caps->tree.leaves[~reference];
        for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
            double corners[3][3];
            snap_cap(mesh, pose, &caps->triangles[i], corners);
            sum += caps->triangles[i].count * gz_winding_crossing(point, GZ_CORNERS(corners));
        }
    }
    return sum;
}

/// The point is the triangle whose corners it is.
static bool is_on(const double point[3], const double corners[3][3]) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
        double low = fmin(corners[0][k], fmin(corners[1][k], corners[2][k])),
               high = fmax(corners[0][k], fmax(corners[1][k], corners[2][k]));
        if (point[k] < low || point[k] > high) return false;
    }
    for (int i = 0; i < 3; i++) memcpy(p[i], point, sizeof p[i]);
    return gz_triangles_overlap_exact(GZ_CORNERS(p), corners, NULL);
}

bool gz_caps_touch(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                   const double pose[12]) {
    const gz_caps *caps = mesh->caps;
    if (caps->triangle_count == 0) return false;
    const double half[3] = {ray->pad, ray->pad, ray->pad};
    float pad;
    gz_box box = gz_query_box(ray->origin, half, mesh, &pad);
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = caps->tree.root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference >= 0) {
            const gz_node *node = &caps->tree.nodes[reference];
            for (unsigned mask = gz_node_overlap(node, &box, pad); mask; mask &= mask - 1)
                stack[top++] = node->child[__builtin_ctz(mask)];
            continue;
        }
        const gz_tree_leaf *leaf = &caps->tree.leaves[~reference];
        for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
            double corners[3][3];
            snap_cap(mesh, pose, &caps->triangles[i], corners);
            if (is_on(point, GZ_CORNERS(corners))) return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------- triangles of a part near caps

typedef struct near_query {
    const graze_mesh *part;
    gz_frame_change change;
    void (*each)(void *user, uint32_t triangle);
    void *user;
} near_query;

/// Whether the box around a lane's triangle, in float, overlaps the query.
static bool lane_overlaps(const gz_packet *packet, int lane, const gz_box *box, float pad) {
    for (int k = 0; k < 3; k++) {
        float a = packet->vertex[0][k][lane], b = packet->vertex[1][k][lane],
              c = packet->vertex[2][k][lane];
        float half = box->half[k] + pad;
        if (fminf(a, fminf(b, c)) - box->center[k] > half ||
            box->center[k] - fmaxf(a, fmaxf(b, c)) > half)
            return false;
    }
    return true;
}

/// The part's triangles near a box that is given in the part's frame.
static void visit_near_box(const near_query *q, const double center[3], const double half[3]) {
    const graze_mesh *part = q->part;
    float pad;
    gz_box box = gz_query_box(center, half, part, &pad);
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = part->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference >= 0) {
            const gz_node *node = &part->nodes[reference];
            for (unsigned mask = gz_node_overlap(node, &box, pad); mask; mask &= mask - 1)
                stack[top++] = node->child[__builtin_ctz(mask)];
            continue;
        }
        const gz_packet *packet = &part->packets[~reference];
        for (int lane = 0; lane < packet->count; lane++)
            if (lane_overlaps(packet, lane, &box, pad)) q->each(q->user, packet->triangle[lane]);
    }
}

/// Whether the box of the part overlaps a box of its frame.
static bool part_overlaps(const graze_mesh *part, const double center[3], const double half[3]) {
    const double *low = GZ_ARRAY3(part->aabb.min), *high = GZ_ARRAY3(part->aabb.max);
    for (int k = 0; k < 3; k++)
        if (center[k] + half[k] < low[k] || center[k] - half[k] > high[k]) return false;
    return true;
}

void gz_caps_visit_near(const graze_mesh *whole, const double pose_whole[12],
                        const graze_mesh *part, const double pose_part[12],
                        void (*each)(void *user, uint32_t triangle), void *user) {
    const gz_box_tree *tree = &whole->caps->tree;
    if (whole->caps->triangle_count == 0) return;
    near_query q = {.part = part,
                    .change = gz_frame_change_make(whole, pose_whole, part, pose_part),
                    .each = each,
                    .user = user};
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = tree->root;
    while (top) {
        int32_t reference = stack[--top];
        const gz_box *box = reference < 0 ? &tree->leaf_boxes[~reference]
                                          : &tree->node_boxes[reference];
        double own[3], own_half[3], center[3], half[3];
        for (int k = 0; k < 3; k++) {
            own[k] = (double)box->center[k];
            own_half[k] = (double)box->half[k];
        }
        gz_frame_change_box(&q.change, own, own_half, center, half);
        if (!part_overlaps(part, center, half)) continue;
        if (reference < 0) {
            visit_near_box(&q, center, half);
            continue;
        }
        const gz_node *node = &tree->nodes[reference];
        for (int i = 0; i < node->count; i++) stack[top++] = node->child[i];
    }
}
