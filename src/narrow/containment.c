#include "narrow/containment.h"

#include <math.h>

#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "narrow/frame_change.h"
#include "narrow/kernel.h"
#include "narrow/posed_cap.h"
#include "narrow/triangle/triangle.h"

/// A mesh that may contain something, posed.
typedef struct body {
    const graze_mesh *mesh;
    const double *pose;
    bool cap; ///< open components count, too, with their caps
    graze_stats *stats;
    const gz_component *except; ///< does not count; NULL for none
} body;

static body make_body(const graze_mesh *mesh, const double pose[12], bool cap, graze_stats *stats) {
    return (body){mesh, pose, cap && mesh->caps, stats, NULL};
}

/// Whether a component adds to winding numbers.
static bool counts(const body *b, const gz_component *c) {
    return (c->closed || (b->cap && c->capped)) && c != b->except;
}

static int packet_crossings(const body *b, const gz_packet *packet, const double point[3]) {
    int sum = 0;
    for (int lane = 0; lane < packet->count; lane++) {
        uint32_t t = packet->triangle[lane];
        if (!counts(b, &b->mesh->components[b->mesh->component_of[t]])) continue;
        double corners[3][3];
        gz_triangle_snap(b->mesh, b->pose, t, corners);
        sum += gz_winding_crossing(point, GZ_CORNERS(corners));
    }
    return sum;
}

static int winding_number(const body *b, const double point[3], const gz_vertical_ray *ray) {
    b->stats->containment_tests++;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, sum = b->cap ? gz_caps_crossings(point, ray, b->mesh, b->pose) : 0;
    stack[top++] = b->mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            sum += packet_crossings(b, &b->mesh->packets[~reference], point);
            continue;
        }
        const gz_node *node = &b->mesh->nodes[reference];
        for (unsigned mask = gz_vertical_ray_children(ray, node); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return sum;
}

int gz_winding_number(const double point[3], const graze_mesh *mesh, const double pose[12],
                      bool cap, graze_stats *stats) {
    body b = make_body(mesh, pose, cap, stats);
    gz_vertical_ray ray = gz_vertical_ray_make(point, mesh, pose);
    return winding_number(&b, point, &ray);
}

// ------------------------------------------------- which components may contain, or be contained

/// Finds the components whose boxes overlap a box of the mesh's frame (centre, half extents), which
/// has been grown by all that may be off. Calls `each` with them until it returns true.
static bool visit_components(const graze_mesh *mesh, const double center[3], const double half[3],
                             bool (*each)(void *user, uint32_t component), void *user) {
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    if (mesh->component_count == 1) return each(user, 0);
    float pad;
    gz_box box = gz_query_box(center, half, mesh, &pad);
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

/// The box of all components that count. A cap lies in the box of its component, but for what the
/// pads cover (mesh/cap.c).
static const graze_aabb *body_box(const body *b) {
    return b->cap ? &b->mesh->aabb : &b->mesh->closed_box;
}

static bool may_contain(const body *b) {
    return b->cap || b->mesh->closed_count > 0;
}

typedef struct point_query {
    const body *body;
    const gz_vertical_ray *ray;
} point_query;

static bool may_hold(void *user, uint32_t component) {
    const point_query *q = user;
    const gz_component *c = &q->body->mesh->components[component];
    return counts(q->body, c) && gz_vertical_ray_starts_in(q->ray, &c->box);
}

/// Whether the box of some component that counts holds the point that the ray starts at. Only such
/// a component adds to the winding number.
static bool some_box_holds(const body *b, const gz_vertical_ray *ray) {
    if (!may_contain(b) || !gz_vertical_ray_starts_in(ray, body_box(b))) return false;
    point_query q = {b, ray};
    double half[3] = {ray->pad, ray->pad, ray->pad};
    return visit_components(b->mesh, ray->origin, half, may_hold, &q);
}

/// Whether a point, not on the surface, lies inside: on a cap is not.
static bool winds(const body *b, const double point[3], const gz_vertical_ray *ray) {
    return winding_number(b, point, ray) != 0 &&
           !(b->cap && gz_caps_touch(point, ray, b->mesh, b->pose));
}

static bool holds(const body *b, const double point[3], const gz_vertical_ray *ray) {
    return some_box_holds(b, ray) && winds(b, point, ray);
}

bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12], bool cap,
                            const double point[3], graze_stats *stats) {
    body b = make_body(whole, pose_whole, cap, stats);
    gz_vertical_ray ray = gz_vertical_ray_make(point, whole, pose_whole);
    return holds(&b, point, &ray);
}

int gz_winding_number_of_others(uint32_t component, const graze_mesh *mesh) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_stats stats = {0};
    body b = make_body(mesh, identity, false, &stats);
    b.except = &mesh->components[component];
    const double *p = mesh->vertices + 3 * (size_t)b.except->vertex;
    gz_vertical_ray ray = gz_vertical_ray_make(p, mesh, identity);
    return some_box_holds(&b, &ray) ? winding_number(&b, p, &ray) : 0;
}

// ----------------------------------------------------------------------------------------- parts

typedef struct part_query {
    const body *whole;
    const graze_mesh *part;
    const double *pose_part;
    gz_contained found; ///< lowest component that lies inside, or UINT32_MAX
} part_query;

static gz_vertical_ray ray_of(const part_query *q, uint32_t vertex, double p[3]) {
    gz_snap(q->pose_part, q->part->vertices + 3 * (size_t)vertex, p);
    return gz_vertical_ray_make(p, q->whole->mesh, q->whole->pose);
}

/// A component that no surface and no cap meets is inside with all of its vertices, or with none:
/// its lowest vertex is judged. Then every vertex is in the box of what counts; the one that will
/// be judged and five others tell mostly.
static bool is_contained(void *user, uint32_t component) {
    part_query *q = user;
    if (component >= q->found.component) return false;
    const gz_component *c = &q->part->components[component];
    double lowest[3], p[3];
    gz_vertical_ray ray = ray_of(q, c->vertex, lowest);
    if (!some_box_holds(q->whole, &ray)) return false;
    for (int k = 1; k < 6; k++) {
        gz_vertical_ray other = ray_of(q, c->extreme[k], p);
        if (!gz_vertical_ray_starts_in(&other, body_box(q->whole))) return false;
    }
    if (winds(q->whole, lowest, &ray))
        q->found = (gz_contained){component, c->triangle,
                                  q->part->triangles[3 * (size_t)c->triangle]};
    return false;
}

/// A component that meets a cap may have vertices on either side of it. Whatever lies on one side
/// has a vertex in a triangle that meets the cap (docs/solids.md), so these are judged.
static void judge_near(void *user, uint32_t triangle) {
    part_query *q = user;
    uint32_t component = q->part->component_of[triangle];
    if (component >= q->found.component) return;
    for (size_t k = 0; k < 3; k++) {
        uint32_t vertex = q->part->triangles[3 * (size_t)triangle + k];
        double p[3];
        gz_vertical_ray ray = ray_of(q, vertex, p);
        if (!holds(q->whole, p, &ray)) continue;
        q->found = (gz_contained){component, q->part->components[component].triangle, vertex};
        return;
    }
}

bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], bool cap,
                      const graze_mesh *part, const double pose_part[12], gz_contained *contained,
                      graze_stats *stats) {
    body b = make_body(whole, pose_whole, cap, stats);
    if (!may_contain(&b)) return false;
    part_query q = {&b, part, pose_part, {UINT32_MAX, 0, 0}};
    gz_frame_change change = gz_frame_change_make(whole, pose_whole, part, pose_part);
    const double *low = GZ_ARRAY3(body_box(&b)->min), *high = GZ_ARRAY3(body_box(&b)->max);
    double middle[3], own[3], center[3], half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (low[k] + high[k]);
        own[k] = 0.5 * (high[k] - low[k]);
    }
    gz_frame_change_box(&change, middle, own, center, half);
    visit_components(part, center, half, is_contained, &q);
    if (b.cap) gz_caps_visit_near(whole, pose_whole, part, pose_part, judge_near, &q);
    if (q.found.component == UINT32_MAX) return false;
    *contained = q.found;
    return true;
}
