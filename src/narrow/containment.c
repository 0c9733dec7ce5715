/// The half line from a point upwards (+z of the world), seen from a mesh's frame: which boxes may
/// it pass, and which may hold the point?

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "mesh/mesh.h"
#include "narrow/containment.h"
#include "narrow/kernel.h"
#include "narrow/triangle/triangle.h"

typedef struct gz_vertical_ray {
    double origin[3], direction[3];
    double pad; ///< how far the frame's numbers may be off along the part of the line that matters
} gz_vertical_ray;

/// The snapped mesh lies, seen from its frame, within 3e-9 r of the mesh (the pose is rigid up to
/// 1e-9) and the rounding of the snap and of the point's way back, 2^-48 (|t| + |p| + r); along the
/// line, of which no more than its pass through the mesh matters (a length below |o| + 2 r), the
/// direction's error of 3e-9 counts too. All of it is below 2e-8 (|o| + r) + 2^-48 (|t| + |p|), but
/// for coordinates below 2^-100, which snapping sets to zero.
static inline gz_vertical_ray gz_vertical_ray_make(const double point[3], const graze_mesh *mesh,
                                                   const double pose[12]) {
    gz_vertical_ray r;
    double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]};
    gz_transform_unrotate(pose, d, r.origin);
    for (int j = 0; j < 3; j++) r.direction[j] = pose[8 + j];
    double far = gz_transform_far(pose) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    r.pad = 2e-8 * (gz_norm(r.origin) + 2 * mesh->max_abs) + 0x1p-48 * far + 1e-29;
    return r;
}

/// Whether the half line may pass through a box: slabs, widened by the pad.
static inline bool gz_vertical_ray_passes(const gz_vertical_ray *r, const double center[3],
                                          const double half[3]) {
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

/// The children of a node that the half line may pass.
static inline unsigned gz_vertical_ray_children(const gz_vertical_ray *r, const gz_node *node) {
    unsigned mask = 0;
    for (int i = 0; i < node->count; i++) {
        double center[3], half[3];
        for (int k = 0; k < 3; k++) {
            center[k] = (double)node->center[k][i];
            half[k] = (double)node->half[k][i];
        }
        if (gz_vertical_ray_passes(r, center, half)) mask |= 1U << i;
    }
    return mask;
}

/// Whether a box of the mesh's frame may hold the point that the half line starts at.
static inline bool gz_vertical_ray_starts_in(const gz_vertical_ray *r, const graze_aabb *box) {
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++)
        if (r->origin[k] < low[k] - r->pad || r->origin[k] > high[k] + r->pad) return false;
    return true;
}

/// Boxes of one posed mesh, seen from the frame of another.

typedef struct gz_frame_change {
    double relative[12]; ///< from the frame of one to that of the other
    double pad;          ///< all that snapped triangles may be off, seen from the other frame
} gz_frame_change;

/// The pads of both meshes as derived at gz_vertical_ray_make(), for a point of either.
static inline gz_frame_change gz_frame_change_make(const graze_mesh *from,
                                                   const double pose_from[12], const graze_mesh *to,
                                                   const double pose_to[12]) {
    gz_frame_change c;
    gz_transform_relative(pose_from, pose_to, c.relative);
    double t[3] = {c.relative[3], c.relative[7], c.relative[11]};
    c.pad = 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs) +
            0x1p-46 * (gz_transform_far(pose_from) + gz_transform_far(pose_to)) + 1e-29;
    return c;
}

/// A box (centre, half extents) in the other frame, grown by the pad.
static inline void gz_frame_change_box(const gz_frame_change *c, const double center[3],
                                       const double half[3], double center_out[3],
                                       double half_out[3]) {
    const double *m = c->relative;
    gz_transform_apply(m, center, center_out);
    for (int k = 0; k < 3; k++)
        half_out[k] = fabs(m[4 * k]) * half[0] + fabs(m[4 * k + 1]) * half[1] +
                      fabs(m[4 * k + 2]) * half[2] + c->pad;
}

/// The same as the query of gz_node_overlap() against trees of a mesh: in float, where rounding the
/// query and the sums in the test costs 2^-22 of the sizes. *pad covers it.
static inline gz_box gz_query_box(const double center[3], const double half[3],
                                  const graze_mesh *mesh, float *pad) {
    gz_box box;
    double size = mesh->max_abs;
    for (int k = 0; k < 3; k++) {
        box.center[k] = (float)center[k];
        box.half[k] = (float)half[k];
        size = fmax(size, fabs(center[k]) + half[k]);
    }
    *pad = (float)(0x1p-20 * size + 1e-30);
    return box;
}

/// The caps of a posed mesh: what they add to winding numbers, what lies on them, and what is near.

/// What the caps of a mesh (not NULL) add to the winding number of a world point, whose half line
/// is `ray`.
int gz_caps_crossings(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                      const double pose[12]);

/// Whether a world point lies on a cap, exactly.
bool gz_caps_touch(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                   const double pose[12]);

/// Calls `each` with the triangles of `part` that may meet a cap of `whole` (not NULL), some of
/// them several times; certainly with all that do.
void gz_caps_visit_near(const graze_mesh *whole, const double pose_whole[12],
                        const graze_mesh *part, const double pose_part[12],
                        void (*each)(void *user, uint32_t triangle), void *user);

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
