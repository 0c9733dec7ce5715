#include "cspace/inner_solid.h"

#include <string.h>

#include "base/memory.h"

#define VERTICES   48  // of a mesh that are taken as balls, at most
#define POINTS     256 // of a set of points
#define AXIS_BALLS 5   // along a capsule or cylinder

static bool add_ball(gz_inside *in, const double center[3], double radius) {
    if (!gz_array_reserve((void **)&in->balls, &in->ball_capacity, in->ball_count + 1,
                          sizeof *in->balls))
        return false;
    gz_ball *ball = &in->balls[in->ball_count++];
    memcpy(ball->center, center, sizeof ball->center);
    ball->radius = radius;
    in->ball_radius = fmax(in->ball_radius, radius);
    return true;
}

static bool add_solid(gz_inside *in, const gz_inner_solid *c) {
    if (!gz_array_reserve((void **)&in->solids, &in->solid_capacity, in->solid_count + 1,
                          sizeof *in->solids))
        return false;
    in->solids[in->solid_count++] = *c;
    in->solid_depth = fmax(in->solid_depth, c->depth);
    return true;
}

static bool add_sphere(gz_inside *in, const double center[3], double radius) {
    gz_inner_solid c = {.radius = radius, .depth = radius};
    memcpy(c.ends[0], center, sizeof c.ends[0]);
    memcpy(c.ends[1], center, sizeof c.ends[1]);
    return add_solid(in, &c) && add_ball(in, center, radius);
}

/// Capsule or cylinder: itself, and balls along its axis.
static bool add_round(gz_inside *in, const graze_geometry *g) {
    bool flat = g->shape == GRAZE_SHAPE_CYLINDER;
    double length = gz_point_distance(g->ends[0], g->ends[1]);
    double radius = flat ? fmin(g->radius, 0.5 * length) : g->radius;
    gz_inner_solid c = {.flat = flat, .radius = g->radius, .depth = radius};
    memcpy(c.ends, g->ends, sizeof c.ends);
    if (!add_solid(in, &c)) return false;
    // The ends of a cylinder cut its balls off.
    double rim = flat && length > 0 ? radius / length : 0;
    for (int k = 0; k < AXIS_BALLS; k++) {
        double t = rim + (1 - 2 * rim) * k / (AXIS_BALLS - 1), p[3];
        for (int i = 0; i < 3; i++) p[i] = g->ends[0][i] + t * (g->ends[1][i] - g->ends[0][i]);
        if (!add_ball(in, p, radius * (1 - 0x1p-40))) return false;
    }
    return true;
}

/// |F^T F - I| of a frame, in the Frobenius norm, rounded up.
static double skew_of(const double m[12]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double dot = m[i] * m[k] + m[4 + i] * m[4 + k] + m[8 + i] * m[8 + k] - (i == k);
            sum += dot * dot;
        }
    }
    return sqrt(sum) * (1 + 0x1p-20) + 0x1p-50;
}

// A frame F is a rotation up to 1e-9 only, for objects and attached bodies; the box is what lies at
// F x, |x_i| <= h_i, and box_distance() sees F^T F x instead of x: e |x| off, e the skew. Inside, a
// depth of r along x_i is one of at least r (1 - e), so that halves less 3 e |h| answer for e |h|
// of the first kind, for e r < e |h| of the second and for what is of second order. Outside, at the
// distance r of the smaller box, e (|h| + r) of the first kind and e r of the second: its own
// smallness answers for |h|, and 3 e r are added.
static bool add_box_solid(gz_inside *in, gz_inner_solid c) {
    double pad = 3 * c.skew * gz_norm(c.half);
    for (int i = 0; i < 3; i++) c.half[i] -= pad;
    c.depth -= pad;
    return !(c.depth > 0) || add_solid(in, &c);
}

/// A box: itself, balls along its longest edge, and its corners.
static bool add_box(gz_inside *in, const graze_geometry *g, const double frame[12]) {
    gz_inner_solid c = {.box = true, .skew = skew_of(frame)};
    memcpy(c.frame, frame, sizeof c.frame);
    int longest = 0;
    c.depth = INFINITY;
    for (int i = 0; i < 3; i++) {
        c.half[i] = 0.5 * g->size[i];
        c.depth = fmin(c.depth, c.half[i]);
        if (c.half[i] > c.half[longest]) longest = i;
    }
    if (!add_box_solid(in, c)) return false;
    // One that is flat has only its corners for certain: where a place on it rounds to, it is not.
    for (int k = 0; k < AXIS_BALLS && c.depth > 0; k++) {
        double local[3] = {0}, p[3];
        local[longest] = (c.half[longest] - c.depth) * (2.0 * k / (AXIS_BALLS - 1) - 1);
        gz_transform_apply(frame, local, p);
        if (!add_ball(in, p, c.depth * (1 - 0x1p-40 - c.skew))) return false;
    }
    for (size_t i = 0; i < g->vertex_count; i++)
        if (!add_ball(in, g->vertices + 3 * i, 0)) return false;
    return true;
}

/// Every so manieth point of a mesh or set, as balls.
static bool add_points(gz_inside *in, const graze_geometry *g, size_t most, double radius,
                       const double *frame) {
    size_t stride = g->vertex_count / most + 1;
    for (size_t i = 0; i < g->vertex_count; i += stride) {
        double p[3];
        memcpy(p, g->vertices + 3 * i, sizeof p);
        if (frame) gz_transform_apply(frame, g->vertices + 3 * i, p);
        if (!add_ball(in, p, radius)) return false;
    }
    return true;
}

static graze_status add_mesh(gz_inside *in, const graze_geometry *g, graze_policy policy,
                             const double *frame, graze_error *error) {
    gz_ball balls[GZ_INNER_BALLS];
    size_t count = 0;
    graze_solid_report report = {0};
    graze_status status = GRAZE_OK;
    if (policy == GRAZE_POLICY_CAP) status = graze_mesh_solids(g->mesh, &report, NULL, 0, error);
    // Balls are found by what closed parts wind around. Under `cap` open ones count as well, and a
    // shell that is wound the other way can make a cavity of it.
    if (!status && policy != GRAZE_POLICY_SURFACE && report.open_count == 0)
        status = gz_inner_balls_find(g, balls, &count, error);
    if (status) return status;
    for (size_t i = 0; i < count; i++) {
        double p[3];
        memcpy(p, balls[i].center, sizeof p);
        if (frame) gz_transform_apply(frame, balls[i].center, p);
        if (!add_sphere(in, p, balls[i].radius)) return gz_fail_memory(error);
    }
    if (!add_points(in, g, VERTICES, 0, frame)) return gz_fail_memory(error);
    return GRAZE_OK;
}

graze_status gz_inside_add(gz_inside *in, const graze_geometry *g, graze_policy policy,
                           const double box_frame[12], const double *frame, graze_error *error) {
    graze_geometry placed = *g;
    if (frame)
        for (int k = 0; k < 2; k++) gz_transform_apply(frame, g->ends[k], placed.ends[k]);
    bool done = true;
    switch (g->shape) {
    case GRAZE_SHAPE_BOX: {
        double corners[24];
        for (size_t i = 0; frame && i < 8 && i < g->vertex_count; i++)
            gz_transform_apply(frame, g->vertices + 3 * i, corners + 3 * i);
        if (frame) placed.vertices = corners;
        done = g->vertex_count <= 8 && add_box(in, &placed, box_frame);
        break;
    }
    case GRAZE_SHAPE_SPHERE:
        done = add_sphere(in, placed.ends[0], g->radius);
        break;
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CAPSULE:
        done = add_round(in, &placed);
        break;
    case GRAZE_SHAPE_POINTS:
        done = add_points(in, g, POINTS, g->radius, frame);
        break;
    case GRAZE_SHAPE_MESH:
        return add_mesh(in, g, policy, frame, error);
    case GRAZE_SHAPE_CONE:
        return add_mesh(in, g, GRAZE_POLICY_SOLID, frame, error);
    case GRAZE_SHAPE_HALFSPACE: // what surely collides with these is found by its own inside alone
    case GRAZE_SHAPE_PLANE:
        break;
    }
    return done ? GRAZE_OK : gz_fail_memory(error);
}

/// The middle of a solid, and how far it reaches from it.
static double solid_radius(const gz_inner_solid *c, double middle[3]) {
    for (int i = 0; i < 3; i++)
        middle[i] = c->box ? c->frame[4 * i + 3] : 0.5 * (c->ends[0][i] + c->ends[1][i]);
    return c->box ? gz_norm(c->half) : 0.5 * gz_point_distance(c->ends[0], c->ends[1]) + c->radius;
}

// About the middle of a box around everything.
void gz_inside_bound(gz_inside *in) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t count = in->ball_count + in->solid_count;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            const double *p = k < in->ball_count ? in->balls[k].center : NULL;
            double middle[3], radius = p ? in->balls[k].radius : 0;
            if (!p) radius = solid_radius(&in->solids[k - in->ball_count], middle);
            if (!p) p = middle;
            for (int i = 0; pass == 0 && i < 3; i++) {
                low[i] = fmin(low[i], p[i] - radius);
                high[i] = fmax(high[i], p[i] + radius);
            }
            if (pass == 1) in->radius = fmax(in->radius, gz_point_distance(in->center, p) + radius);
        }
        for (int i = 0; pass == 0 && count && i < 3; i++) in->center[i] = 0.5 * (low[i] + high[i]);
    }
}

static double box_distance(const gz_inner_solid *c, const double p[3]) {
    double d[3] = {p[0] - c->frame[3], p[1] - c->frame[7], p[2] - c->frame[11]}, local[3];
    gz_transform_unrotate(c->frame, d, local);
    double inner = -INFINITY, outer = 0;
    for (int i = 0; i < 3; i++) {
        double x = fabs(local[i]) - c->half[i];
        inner = fmax(inner, x);
        if (x > 0) outer += x * x;
    }
    return outer > 0 ? sqrt(outer) * (1 + 3 * c->skew) : inner;
}

static double round_distance(const gz_inner_solid *c, const double p[3]) {
    double axis[3], to[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = c->ends[1][i] - c->ends[0][i];
        to[i] = p[i] - c->ends[0][i];
    }
    double square = gz_dot(axis, axis), t = square > 0 ? gz_dot(to, axis) / square : 0;
    double held = c->flat ? t : fmin(fmax(t, 0), 1);
    for (int i = 0; i < 3; i++) to[i] -= held * axis[i];
    double aside = gz_norm(to) - c->radius;
    if (!c->flat) return aside;
    double along = (fabs(t - 0.5) - 0.5) * sqrt(square);
    if (aside <= 0 || along <= 0) return fmax(aside, along);
    return sqrt(aside * aside + along * along);
}

void gz_inside_free(gz_inside *in) {
    gz_free(in->solids);
    gz_free(in->balls);
}

double gz_inner_solid_distance(const gz_inner_solid *c, const double p[3]) {
    return c->box ? box_distance(c, p) : round_distance(c, p);
}
