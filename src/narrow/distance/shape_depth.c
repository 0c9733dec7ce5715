#include "narrow/distance/shape_depth.h"

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "mesh/prefilter/lattice.h"
#include "narrow/containment.h"
#include "narrow/manifold.h"

typedef struct depth_search {
    const gz_placed *a, *b;
    gz_shape_rule rule;
    gz_depth best;
} depth_search;

// ------------------------------------------------------------------------------- the upper bound

/// Whether b, moved, is free of a. The vertices of a moved pose are snapped anew: each is within
/// 2^-50 of its coordinates of where the translation takes it, far less than the margin.
static bool is_free(const depth_search *s, const double shift[3]) {
    double pose[12];
    gz_shape_contact contact;
    graze_stats stats = {0};
    memcpy(pose, s->b->pose, sizeof pose);
    for (int k = 0; k < 3; k++) pose[4 * k + 3] += shift[k];
    return !gz_shapes_collide(s->a->shape, s->a->pose, s->b->shape, pose, &s->rule, &contact,
                              &stats);
}

/// Shortens the way out along a unit direction, as far as tests prove it free.
static void try_direction(depth_search *s, const double d[3]) {
    enum { HALVINGS = 10 };
    double low = s->best.lower, high = s->best.upper, shift[3];
    for (int i = 0; i < HALVINGS; i++) {
        // First whether it is of use at all.
        double t = i ? low + 0.5 * (high - low) : 0.98 * high;
        for (int k = 0; k < 3; k++) shift[k] = t * d[k];
        bool free = is_free(s, shift);
        if (!free && !i) return;
        if (!free) {
            low = t;
            continue;
        }
        high = t;
        memcpy(s->best.escape, shift, sizeof shift);
        s->best.upper = gz_norm(shift) * (1 + 0x1p-50);
    }
}

/// Six directions about one, off it by the angle of that tangent.
static void try_around(depth_search *s, const double d[3], double tangent) {
    static const double around[6][2] = {
        {1, 0},  {0.5, 0.8660254037844386},   {-0.5, 0.8660254037844386},
        {-1, 0}, {-0.5, -0.8660254037844386}, {0.5, -0.8660254037844386}};
    double u[3], v[3], axis[3] = {0, 0, 0};
    int least = fabs(d[0]) < fabs(d[1]) ? 0 : 1;
    if (fabs(d[2]) < fabs(d[least])) least = 2;
    axis[least] = 1;
    gz_cross(d, axis, u);
    double norm = gz_norm(u);
    for (int k = 0; k < 3; k++) u[k] /= norm;
    gz_cross(d, u, v);
    for (int i = 0; i < 6; i++) {
        double turned[3];
        for (int k = 0; k < 3; k++)
            turned[k] = d[k] + tangent * (around[i][0] * u[k] + around[i][1] * v[k]);
        norm = gz_norm(turned);
        for (int k = 0; k < 3; k++) turned[k] /= norm;
        try_direction(s, turned);
    }
}

static void shorten(depth_search *s) {
    for (int i = 0; i < 27; i++) {
        double d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, norm = gz_norm(d);
        if (!(norm > 0)) continue;
        for (int k = 0; k < 3; k++) d[k] /= norm;
        try_direction(s, d);
    }
    for (double tangent = 0.4; tangent > 0.01; tangent *= 0.4) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = s->best.escape[k] / s->best.upper;
        try_around(s, d, tangent);
    }
}

// ------------------------------------------------------------------------------- the lower bound

/// A lower bound of the distance of a world point from a mesh's surface; 0 where the point is not
/// inside, or not in more than `enough` of it. The way into the mesh's frame is off by less than
/// 2^-48 of the places and 6e-9 of the size, float by what gz_nearest_surface() subtracts.
static double inside_by(const gz_placed *side, const double point[3], double enough) {
    const graze_mesh *mesh = side->shape->mesh;
    double d[3] = {point[0] - side->pose[3], point[1] - side->pose[7], point[2] - side->pose[11]},
           local[3];
    gz_transform_unrotate(side->pose, d, local);
    for (int k = 0; k < 3; k++)
        if (local[k] < GZ_ARRAY3(mesh->aabb.min)[k] || local[k] > GZ_ARRAY3(mesh->aabb.max)[k])
            return 0;
    const float at[3] = {(float)local[0], (float)local[1], (float)local[2]};
    uint64_t left = UINT64_MAX;
    double off = 1e-8 * (gz_norm(local) + mesh->max_abs) +
                 0x1p-46 * (gz_transform_far(side->pose) + gz_norm(point));
    double radius = (double)gz_nearest_surface(mesh, &mesh->root, 1, at, (float)mesh->max_abs * 4,
                                               0, &left) -
                    off;
    graze_stats stats = {0};
    if (!(radius > enough) || !gz_mesh_contains_point(mesh, side->pose, false, point, NULL, &stats))
        return 0;
    return radius;
}

/// Points inside of both: how deep a vertex of one is in the other.
static void try_vertices(depth_search *s, const gz_placed *outer, const gz_placed *inner) {
    const graze_mesh *mesh = inner->shape->mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        gz_snap(inner->pose, mesh->vertices + 3 * i, p);
        s->best.lower = fmax(s->best.lower, inside_by(outer, p, s->best.lower));
    }
}

static void try_inner_point(depth_search *s, const double point[3]) {
    double x = inside_by(s->a, point, 0), y = x > 0 ? inside_by(s->b, point, 0) : 0;
    if (x > 0 && y > 0) s->best.lower = fmax(s->best.lower, (x + y) * (1 - 0x1p-50));
}

static bool is_solid(const gz_placed *side, graze_policy policy) {
    return gz_shape_is_polyhedron(side->shape->kind) || policy != GRAZE_POLICY_SURFACE;
}

static void deepen(depth_search *s, const gz_manifold *m) {
    if (!s->a->shape->mesh || !s->b->shape->mesh) return;
    bool a = is_solid(s->a, s->rule.policy_a), b = is_solid(s->b, s->rule.policy_b);
    if (a && b) {
        double middle[3] = {0, 0, 0};
        for (int i = 0; i < m->count; i++) {
            try_inner_point(s, m->points[i]);
            for (int k = 0; k < 3; k++) middle[k] += m->points[i][k] / m->count;
        }
        try_inner_point(s, middle);
    }
    if (a) try_vertices(s, s->a, s->b);
    if (b) try_vertices(s, s->b, s->a);
}

gz_depth gz_shapes_depth(const gz_placed *a, const gz_placed *b, const gz_shape_rule *rule) {
    depth_search s = {.a = a, .b = b, .rule = *rule};
    s.rule.margin = GZ_DEPTH_MARGIN;
    s.rule.detail = GZ_DETAIL_NONE;
    gz_manifold m;
    gz_manifold_find(a->shape, a->pose, b->shape, b->pose, 0, &m);
    // Hulls that are apart by a little more than the margin are, whatever else.
    double out = fmax(m.depth, 0) + 4 * GZ_DEPTH_MARGIN;
    bool free = false;
    for (int tries = 0; tries < 20 && !free; tries++, out *= 2) {
        for (int k = 0; k < 3; k++) s.best.escape[k] = out * m.normal[k];
        free = is_free(&s, s.best.escape);
    }
    s.best.upper = gz_norm(s.best.escape) * (1 + 0x1p-50);
    deepen(&s, &m);
    if (!free) return (gz_depth){s.best.lower, INFINITY, {0, 0, 0}};
    shorten(&s);
    return s.best;
}
