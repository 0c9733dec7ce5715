#include "narrow/containment.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "narrow/kernel.h"
#include "narrow/triangle/triangle.h"

/// A mesh that may contain something, posed.
typedef struct body {
    const graze_mesh *mesh;
    const double *pose;
    bool cap;       ///< open components count, too, with their caps
    uint64_t *left; ///< work that may still be done; NULL: no limit
    graze_stats *stats;
    const gz_component *except; ///< does not count; NULL for none
} body;

static body make_body(const graze_mesh *mesh, const double pose[12], bool cap, uint64_t *left,
                      graze_stats *stats) {
    return (body){mesh, pose, cap && mesh->caps, left, stats, NULL};
}

// ---------------------------------------------------------------------------------- vertical rays

/// The half line from a point upwards (+z of the world), seen from a mesh's frame.
typedef struct vertical_ray {
    const double *point; ///< where it starts, world frame
    double origin[3], direction[3];
    double pad; ///< how far the frame's numbers may be off along the part of the line that matters
} vertical_ray;

/// The snapped mesh lies, seen from its frame, within 3e-9 r of the mesh (the pose is rigid up to
/// 1e-9) and the rounding of the snap and of the point's way back, 2^-48 (|t| + |p| + r); along the
/// line, of which no more than its pass through the mesh matters (a length below |o| + 2 r), the
/// direction's error of 3e-9 counts too. All of it is below 2e-8 (|o| + r) + 2^-48 (|t| + |p|), but
/// for coordinates below 2^-100, which snapping sets to zero.
static vertical_ray make_ray(const double point[3], const body *b) {
    const double *pose = b->pose;
    vertical_ray r = {.point = point};
    double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]};
    gz_transform_unrotate(pose, d, r.origin);
    for (int j = 0; j < 3; j++) r.direction[j] = pose[8 + j];
    double far = gz_transform_far(pose) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    r.pad = 2e-8 * (gz_norm(r.origin) + 2 * b->mesh->max_abs) + 0x1p-48 * far + 1e-29;
    return r;
}

/// Whether the ray may pass through a box: slabs, widened by the pad.
static bool ray_passes(const vertical_ray *r, const gz_box *box) {
    double enter = 0, leave = INFINITY;
    for (int k = 0; k < 3; k++) {
        double center = (double)box->center[k], half = (double)box->half[k];
        double low = center - half - r->pad - r->origin[k];
        double high = center + half + r->pad - r->origin[k];
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

/// Goes on to the next leaf that the ray may pass; false at the end.
static bool next_on_ray(gz_traversal *t, const gz_node *nodes, const vertical_ray *r,
                        uint64_t *left, int32_t *leaf) {
    for (int32_t reference; gz_work_take(left, 1) && gz_traversal_next(t, &reference);) {
        *leaf = ~reference;
        if (reference < 0) return true;
        const gz_node *node = &nodes[reference];
        unsigned mask = 0;
        for (int i = 0; i < node->count; i++) {
            gz_box box = gz_node_box(node, i);
            if (ray_passes(r, &box)) mask |= 1U << i;
        }
        gz_traversal_add(t, node, mask);
    }
    return false;
}

/// Whether a box of the mesh's frame may hold the point that the ray starts at.
static bool ray_starts_in(const vertical_ray *r, const graze_aabb *box) {
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++)
        if (r->origin[k] < low[k] - r->pad || r->origin[k] > high[k] + r->pad) return false;
    return true;
}

// ------------------------------------------------------------------------ boxes in another's frame

/// An axis-aligned box.
typedef struct double_box {
    double center[3], half[3];
} double_box;

typedef struct frame_change {
    double relative[12]; ///< from the frame of one posed mesh to that of the other
    double pad;          ///< all that snapped triangles may be off, seen from the other frame
} frame_change;

/// The pads of both meshes as derived at make_ray(), for a point of either.
static frame_change change_frame(const graze_mesh *from, const double pose_from[12],
                                 const graze_mesh *to, const double pose_to[12]) {
    frame_change c;
    gz_transform_relative(pose_from, pose_to, c.relative);
    double t[3] = {c.relative[3], c.relative[7], c.relative[11]};
    c.pad = 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs) +
            0x1p-46 * (gz_transform_far(pose_from) + gz_transform_far(pose_to)) + 5e-30;
    return c;
}

/// The box around a box in the other frame, grown by the pad.
static double_box moved_box(const frame_change *c, const double_box *box) {
    const double *m = c->relative, *half = box->half;
    double_box out;
    gz_transform_apply(m, box->center, out.center);
    for (int k = 0; k < 3; k++)
        out.half[k] = fabs(m[4 * k]) * half[0] + fabs(m[4 * k + 1]) * half[1] +
                      fabs(m[4 * k + 2]) * half[2] + c->pad;
    return out;
}

/// The box in float, as the query of gz_node_overlap() against trees of a mesh: rounding it and the
/// sums in the test costs 2^-22 of the sizes, which *pad covers.
static gz_box float_box(const double_box *box, const graze_mesh *mesh, float *pad) {
    gz_box out;
    double size = mesh->max_abs;
    for (int k = 0; k < 3; k++) {
        out.center[k] = (float)box->center[k];
        out.half[k] = (float)box->half[k];
        size = fmax(size, fabs(box->center[k]) + box->half[k]);
    }
    *pad = (float)(0x1p-20 * size + 1e-30);
    return out;
}

/// The box around where a ray may start.
static gz_box start_box(const vertical_ray *ray, const graze_mesh *mesh, float *pad) {
    double_box at = {.half = {ray->pad, ray->pad, ray->pad}};
    memcpy(at.center, ray->origin, sizeof at.center);
    return float_box(&at, mesh, pad);
}

// ------------------------------------------------------------------------------------------- caps

static void snap_cap(const body *b, const gz_cap_triangle *t, double out[3][3]) {
    gz_snap(b->pose, b->mesh->caps->apexes + 3 * (size_t)t->apex, out[0]);
    gz_snap(b->pose, b->mesh->vertices + 3 * (size_t)t->from, out[1]);
    gz_snap(b->pose, b->mesh->vertices + 3 * (size_t)t->to, out[2]);
}

/// What the caps of a mesh (not NULL) add to the winding number of the point that a ray starts at.
static int cap_crossings(const body *b, const vertical_ray *ray) {
    const gz_caps *caps = b->mesh->caps;
    if (caps->triangle_count == 0) return 0;
    int sum = 0;
    gz_traversal walk;
    gz_traversal_start(&walk, caps->tree.root);
    for (int32_t index; next_on_ray(&walk, caps->tree.nodes, ray, b->left, &index);) {
        const gz_tree_leaf *leaf = &caps->tree.leaves[index];
        for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
            double corners[3][3];
            snap_cap(b, &caps->triangles[i], corners);
            sum += caps->triangles[i].count * gz_winding_crossing(ray->point, GZ_CORNERS(corners));
        }
    }
    return sum;
}

/// Whether a point lies on a triangle: whether the triangle whose three corners it is overlaps it.
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

/// Whether the point that a ray starts at lies on a cap (not NULL), exactly.
static bool is_on_cap(const body *b, const vertical_ray *ray) {
    const gz_caps *caps = b->mesh->caps;
    if (caps->triangle_count == 0) return false;
    float pad;
    gz_box box = start_box(ray, b->mesh, &pad);
    gz_traversal walk;
    gz_traversal_start(&walk, caps->tree.root);
    for (int32_t index; gz_traversal_next_in_box(&walk, caps->tree.nodes, &box, pad, &index);) {
        const gz_tree_leaf *leaf = &caps->tree.leaves[index];
        for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
            double corners[3][3];
            snap_cap(b, &caps->triangles[i], corners);
            if (is_on(ray->point, GZ_CORNERS(corners))) return true;
        }
    }
    return false;
}

// -------------------------------------------------------------------------------- winding numbers

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

static int winding_number(const body *b, const vertical_ray *ray) {
    b->stats->containment_tests++;
    gz_work_spend(b->left, GZ_WORK_SHAPE);
    int sum = b->cap ? cap_crossings(b, ray) : 0;
    gz_traversal walk;
    gz_traversal_start(&walk, b->mesh->root);
    for (int32_t packet; next_on_ray(&walk, b->mesh->nodes, ray, b->left, &packet);)
        sum += packet_crossings(b, &b->mesh->packets[packet], ray->point);
    return sum;
}

int gz_winding_number(const double point[3], const graze_mesh *mesh, const double pose[12],
                      bool cap, graze_stats *stats) {
    body b = make_body(mesh, pose, cap, NULL, stats);
    vertical_ray ray = make_ray(point, &b);
    return winding_number(&b, &ray);
}

/// The box of all components that count. A cap lies in the box of its component, but for what the
/// pads cover (mesh/cap.c).
static const graze_aabb *body_box(const body *b) {
    return b->cap ? &b->mesh->aabb : &b->mesh->closed_box;
}

static bool may_contain(const body *b) {
    return b->cap || b->mesh->closed_count > 0;
}

/// Whether the box of some component that counts holds the point that the ray starts at. Only such
/// a component adds to the winding number.
static bool some_box_holds(const body *b, const vertical_ray *ray) {
    const graze_mesh *mesh = b->mesh;
    const gz_component *only = mesh->components;
    if (!may_contain(b) || !ray_starts_in(ray, body_box(b))) return false;
    if (mesh->component_count == 1) return counts(b, only) && ray_starts_in(ray, &only->box);
    float pad;
    gz_box at = start_box(ray, mesh, &pad);
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->component_root);
    for (int32_t i; gz_traversal_next_in_box(&walk, mesh->component_nodes, &at, pad, &i);) {
        const gz_component *c = &mesh->components[i];
        if (counts(b, c) && ray_starts_in(ray, &c->box)) return true;
    }
    return false;
}

/// Whether a point, not on the surface, lies inside; a point on a cap does not. False where the
/// work was spent on the way.
static bool winds(const body *b, const vertical_ray *ray) {
    return winding_number(b, ray) != 0 && !gz_work_is_spent(b->left) &&
           !(b->cap && is_on_cap(b, ray));
}

static bool holds(const body *b, const vertical_ray *ray) {
    return some_box_holds(b, ray) && winds(b, ray);
}

bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12], bool cap,
                            const double point[3], uint64_t *left, graze_stats *stats) {
    body b = make_body(whole, pose_whole, cap, left, stats);
    vertical_ray ray = make_ray(point, &b);
    return holds(&b, &ray);
}

int gz_winding_number_of_others(uint32_t component, const graze_mesh *mesh) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_stats stats = {0};
    body b = make_body(mesh, identity, false, NULL, &stats);
    b.except = &mesh->components[component];
    vertical_ray ray = make_ray(mesh->vertices + 3 * (size_t)b.except->vertex, &b);
    return some_box_holds(&b, &ray) ? winding_number(&b, &ray) : 0;
}

// ------------------------------------------------------------------- components of another mesh

/// The mesh whose components may lie inside, and the lowest that does, or UINT32_MAX.
typedef struct inner_query {
    const body *whole;
    const graze_mesh *mesh;
    const double *pose;
    frame_change change; ///< from the frame of `whole`
    gz_contained found;
} inner_query;

static vertical_ray ray_of(const inner_query *q, uint32_t vertex, double p[3]) {
    gz_snap(q->pose, q->mesh->vertices + 3 * (size_t)vertex, p);
    return make_ray(p, q->whole);
}

/// A component that no surface and no cap intersects is inside with all of its vertices, or with
/// none: its lowest vertex decides. Then every vertex is in the box of what counts; the deciding
/// one and five others mostly suffice.
static void test_component(inner_query *q, uint32_t component) {
    if (component >= q->found.component || gz_work_is_spent(q->whole->left)) return;
    gz_work_spend(q->whole->left, 1);
    const gz_component *c = &q->mesh->components[component];
    double lowest[3], p[3];
    vertical_ray ray = ray_of(q, c->vertex, lowest);
    if (!some_box_holds(q->whole, &ray)) return;
    for (int k = 1; k < 6; k++) {
        vertical_ray other = ray_of(q, c->extreme[k], p);
        if (!ray_starts_in(&other, body_box(q->whole))) return;
    }
    if (winds(q->whole, &ray))
        q->found = (gz_contained){component, c->triangle,
                                  q->mesh->triangles[3 * (size_t)c->triangle]};
}

/// A component that intersects a cap may have vertices on either side of it. Whatever lies on one
/// side has a vertex in a triangle that intersects the cap (docs/solids.md), so these decide.
static void test_triangle_near_cap(inner_query *q, uint32_t triangle) {
    uint32_t component = q->mesh->component_of[triangle];
    if (component >= q->found.component || gz_work_is_spent(q->whole->left)) return;
    gz_work_spend(q->whole->left, 1);
    for (size_t k = 0; k < 3; k++) {
        uint32_t vertex = q->mesh->triangles[3 * (size_t)triangle + k];
        double p[3];
        vertical_ray ray = ray_of(q, vertex, p);
        if (!holds(q->whole, &ray)) continue;
        q->found = (gz_contained){component, q->mesh->components[component].triangle, vertex};
        return;
    }
}

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

/// Tests the inner mesh's triangles near a box of its frame.
static void test_near_box(inner_query *q, const double_box *near) {
    const graze_mesh *mesh = q->mesh;
    float pad;
    gz_box box = float_box(near, mesh, &pad);
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->root);
    for (int32_t index; gz_traversal_next_in_box(&walk, mesh->nodes, &box, pad, &index);) {
        const gz_packet *packet = &mesh->packets[index];
        for (int lane = 0; lane < packet->count; lane++)
            if (lane_overlaps(packet, lane, &box, pad))
                test_triangle_near_cap(q, packet->triangle[lane]);
    }
}

/// Whether the box of the mesh overlaps a box of its frame.
static bool mesh_overlaps(const graze_mesh *mesh, const double_box *box) {
    const double *low = GZ_ARRAY3(mesh->aabb.min), *high = GZ_ARRAY3(mesh->aabb.max);
    for (int k = 0; k < 3; k++)
        if (box->center[k] + box->half[k] < low[k] || box->center[k] - box->half[k] > high[k])
            return false;
    return true;
}

/// Tests the inner mesh's triangles that may intersect a cap, some of them several times; certainly
/// all that do.
static void test_near_caps(inner_query *q) {
    const gz_caps *caps = q->whole->mesh->caps;
    if (caps->triangle_count == 0) return;
    gz_traversal walk;
    gz_traversal_start(&walk, caps->tree.root);
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        const gz_box *box = reference < 0 ? &caps->tree.leaf_boxes[~reference]
                                          : &caps->tree.node_boxes[reference];
        double_box own;
        for (int k = 0; k < 3; k++) {
            own.center[k] = (double)box->center[k];
            own.half[k] = (double)box->half[k];
        }
        own = moved_box(&q->change, &own);
        if (!mesh_overlaps(q->mesh, &own)) continue;
        if (reference < 0) {
            test_near_box(q, &own);
            continue;
        }
        const gz_node *node = &caps->tree.nodes[reference];
        gz_traversal_add(&walk, node, (1U << node->count) - 1);
    }
}

/// Tests the inner mesh's components near the box of what counts.
static void test_components(inner_query *q) {
    const graze_mesh *inner = q->mesh;
    if (inner->component_count == 1) {
        test_component(q, 0);
        return;
    }
    const graze_aabb *own = body_box(q->whole);
    const double *low = GZ_ARRAY3(own->min), *high = GZ_ARRAY3(own->max);
    double_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = 0.5 * (low[k] + high[k]);
        box.half[k] = 0.5 * (high[k] - low[k]);
    }
    box = moved_box(&q->change, &box);
    float pad;
    gz_box near = float_box(&box, inner, &pad);
    gz_traversal walk;
    gz_traversal_start(&walk, inner->component_root);
    for (int32_t c; gz_traversal_next_in_box(&walk, inner->component_nodes, &near, pad, &c);)
        test_component(q, (uint32_t)c);
}

bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], bool cap,
                      const graze_mesh *inner, const double pose_inner[12], gz_contained *contained,
                      uint64_t *left, graze_stats *stats) {
    body b = make_body(whole, pose_whole, cap, left, stats);
    if (!may_contain(&b)) return false;
    inner_query q = {&b,
                     inner,
                     pose_inner,
                     change_frame(whole, pose_whole, inner, pose_inner),
                     {UINT32_MAX, 0, 0}};
    test_components(&q);
    if (b.cap) test_near_caps(&q);
    if (q.found.component == UINT32_MAX) return false;
    *contained = q.found;
    return true;
}
