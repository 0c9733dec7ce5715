#include "narrow/containment.h"

#include <math.h>

#include "math/transform.h"
#include "mesh/tree.h"
#include "narrow/tree_pair.h"
#include "narrow/winding.h"

/// The half line from a point upwards (+z of the world), seen from a mesh's frame.
typedef struct ray {
    double origin[3], direction[3];
    double pad; ///< how far the frame's numbers may be off along the part of the line that matters
} ray;

static double largest(const double m[12]) {
    return fmax(fabs(m[3]), fmax(fabs(m[7]), fabs(m[11])));
}

/// The snapped mesh lies, seen from its frame, within 3e-9 r of the mesh (the pose is rigid up to
/// 1e-9) and the rounding of the snap and of the point's way back, 2^-48 (|t| + |p| + r); along the
/// line, of which no more than its pass through the mesh matters (a length below |o| + 2 r), the
/// direction's error of 3e-9 counts too. All of it is below 2e-8 (|o| + r) + 2^-48 (|t| + |p|).
static ray make_ray(const double point[3], const graze_mesh *mesh, const double pose[12]) {
    ray r;
    double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]};
    gz_transform_unrotate(pose, d, r.origin);
    for (int j = 0; j < 3; j++) r.direction[j] = pose[8 + j];
    double far = largest(pose) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    r.pad = 2e-8 * (gz_norm(r.origin) + 2 * mesh->reach) + 0x1p-48 * far;
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
    int32_t stack[GZ_TREE_DEPTH * (GZ_WIDTH - 1) + 1];
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

/// Whether a world point may lie in a box of the mesh's frame (a quick look before the ray).
static bool may_hold(const graze_aabb *box, const graze_mesh *mesh, const double pose[12],
                     const double point[3]) {
    ray r = make_ray(point, mesh, pose);
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++)
        if (r.origin[k] < low[k] - r.pad || r.origin[k] > high[k] + r.pad) return false;
    return true;
}

/// Whether a component may lie inside the closed box of the other mesh: its six extreme vertices
/// do.
static bool may_contain(const graze_mesh *whole, const double pose_whole[12],
                        const graze_mesh *part, const double pose_part[12],
                        const gz_component *component) {
    for (int k = 0; k < 6; k++) {
        double p[3];
        gz_snap(pose_part, part->vertices + 3 * (size_t)component->extreme[k], p);
        if (!may_hold(&whole->closed_box, whole, pose_whole, p)) return false;
    }
    return true;
}

bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], const graze_mesh *part,
                      const double pose_part[12], uint32_t *triangle, graze_stats *stats) {
    if (!whole->closed_count) return false;
    for (size_t i = 0; i < part->component_count; i++) {
        const gz_component *c = &part->components[i];
        if (!may_contain(whole, pose_whole, part, pose_part, c)) continue;
        double p[3];
        gz_snap(pose_part, part->vertices + 3 * (size_t)c->vertex, p);
        if (gz_winding_number(p, whole, pose_whole, stats) == 0) continue;
        *triangle = c->triangle;
        return true;
    }
    return false;
}

bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12],
                            const double point[3], graze_stats *stats) {
    return whole->closed_count && may_hold(&whole->closed_box, whole, pose_whole, point) &&
           gz_winding_number(point, whole, pose_whole, stats) != 0;
}
