// The clearance of a motion, with its gradient.
//
// clearance = min over t in [0, h] of s(t v) - r, with s the signed distance to the polygons'
// difference C and r the sum of the radii. The gradient (docs/planar.md) is the subgradient g of s
// at the nearest place with g.v = 0, or that of s itself, at an end of the time:
//   - the line passes C at a vertex:           g is the unit vector from C to the line;
//   - it runs through C, deepest where one edge takes over from another: s = max of the edges'
//     signed distances, g the mean of the two normals, weighted so that g.v = 0.
// Choices between pieces are made by comparing lengths; `slack` keeps the closest of them.

#include <math.h>

#include "base/float_environment.h"
#include "planar/approach/approach_internal.h"
#include "planar/convex/convex_internal.h"

// Less deep than this part of the largest length, the lines of C's edges do not count: C may be a
// sliver whose two sides, within a rounding of each other, intersect far beyond its ends.
#define SHALLOW 0x1p-47

typedef struct query {
    const graze_planar_shape *a, *b;
    graze_vec2 v; ///< B's velocity relative to A
    graze_vec2 direction;
    double speed, horizon, r;
    double slack; ///< metres: how clearly the piece of the clearance was chosen
} query;

static void slacken(query *q, double length) {
    q->slack = fmin(q->slack, fabs(length));
}

int gz_difference_edges(const graze_planar_shape *a, const graze_planar_shape *b,
                        gz_difference_edge out[GZ_DIFFERENCE_MAX]) {
    gz_convex p = gz_convex_of(a->vertices, a->count), q = gz_convex_of(b->vertices, b->count);
    gz_boundary w = gz_boundary_start(&p, &q);
    int count = 0;
    out[0] = (gz_difference_edge){.from = gz_vec2_minus(p.vertices[w.i], q.vertices[w.j])};
    while (w.a_left + w.b_left > 0) {
        int i = w.i, j = w.j, order = gz_boundary_order(&w);
        gz_boundary_step(&w, order);
        // The way that one or both went.
        graze_vec2 of_a = gz_vec2_minus(p.vertices[w.i], p.vertices[i]);
        graze_vec2 e = gz_vec2_minus(of_a, gz_vec2_minus(q.vertices[w.j], q.vertices[j]));
        double length = sqrt(gz_vec2_dot(e, e));
        if (!(length > 0)) continue;
        e = (graze_vec2){e.x / length, e.y / length};
        graze_vec2 from = gz_vec2_minus(p.vertices[i], q.vertices[j]);
        out[count++] = (gz_difference_edge){from, e, {e.y, -e.x}, length};
    }
    return count > 0 ? count : 1;
}

// How far B is outside an edge's line, and by how much that grows per metre along the direction.
static double gap_of(const gz_difference_edge *edge) {
    return -gz_vec2_dot(edge->normal, edge->from);
}

static double slope_of(const query *q, const gz_difference_edge *edge) {
    return gz_vec2_dot(edge->normal, q->direction);
}

/// Where the path is deepest in C: the lowest place of the upper envelope of its edges' lines.
typedef struct valley {
    double entry, depth; ///< metres along the direction; the value there, at most 0 inside
    graze_vec2 g;
} valley;

// The first edge, of equals the steepest, whose line rises above that of edge `at` right of `from`,
// or -1.
static int takeover(const query *q, const gz_difference_edge *edges, int count, int at, double from,
                    double *along) {
    int next = -1;
    *along = INFINITY;
    for (int i = 0; i < count; i++) {
        double rise = slope_of(q, &edges[i]) - slope_of(q, &edges[at]);
        if (!(rise > 0)) continue;
        // Lines of almost equal slope intersect farther away than any double.
        double x = fmax((gap_of(&edges[at]) - gap_of(&edges[i])) / rise, from);
        bool steeper = next >= 0 && slope_of(q, &edges[i]) > slope_of(q, &edges[next]);
        if (!(x < *along || (x == *along && steeper))) continue;
        *along = x;
        next = i;
    }
    return next;
}

// Along the envelope from the far left, where the steepest falling line is highest, to its rise.
static bool valley_find(query *q, const gz_difference_edge *edges, int count, valley *out) {
    int at = 0, next = -1;
    for (int i = 1; i < count; i++) {
        double steeper = slope_of(q, &edges[at]) - slope_of(q, &edges[i]);
        if (steeper > 0 || (steeper == 0 && gap_of(&edges[i]) > gap_of(&edges[at]))) at = i;
    }
    double along = -INFINITY; // takeovers come one after another, also where rounding has them else
    for (int left = count; left > 0 && slope_of(q, &edges[at]) < 0; left--) {
        next = takeover(q, edges, count, at, along, &along);
        if (next < 0) return false;
        if (slope_of(q, &edges[next]) >= 0) break;
        at = next;
    }
    double down = -slope_of(q, &edges[at]);
    if (!(down > 0) || next < 0) return false;
    double up = slope_of(q, &edges[next]), whole = down + up;
    out->entry = along;
    out->depth = gap_of(&edges[at]) - along * down;
    out->g.x = (up * edges[at].normal.x + down * edges[next].normal.x) / whole;
    out->g.y = (up * edges[at].normal.y + down * edges[next].normal.y) / whole;
    // Another edge as deep here, or one along the motion, makes a kink.
    for (int i = 0; i < count; i++)
        if (i != at && i != next)
            slacken(q, out->depth - (gap_of(&edges[i]) + along * slope_of(q, &edges[i])));
    slacken(q, fmin(up, down) * (fabs(out->depth) + q->r));
    return true;
}

// How far C extends to the left (sign 1) or right (-1) of the line, and the next corner behind
// that.
static double extreme(const query *q, const gz_difference_edge *edges, int count, double sign,
                      double *behind) {
    double most = -INFINITY, second = -INFINITY;
    for (int i = 0; i < count; i++) {
        double w = sign * gz_vec2_cross(q->direction, edges[i].from);
        second = fmax(second, fmin(w, most));
        most = fmax(most, w);
    }
    *behind = most - second;
    return most;
}

static void set(graze_planar_clearance_result *out, double clearance, double time, graze_vec2 g) {
    *out = (graze_planar_clearance_result){clearance, time, g, {time * g.x, time * g.y}, 0, false};
}

// The clearance is that at one end of the time.
static graze_status at_end(query *q, double time, graze_planar_clearance_result *out) {
    graze_planar_shape moved;
    gz_planar_place(&moved, q->b, (graze_vec2){0, 0}, 1, 0,
                    (graze_vec2){q->v.x * time, q->v.y * time});
    graze_planar_result d;
    graze_status status = graze_planar_distance(q->a, time > 0 ? &moved : q->b, &d);
    if (status) return status;
    set(out, d.distance, time, d.normal);
    double slope = gz_vec2_dot(d.normal, q->v);
    out->by_horizon = time > 0 ? fmin(slope, 0) : 0;
    double unrounded = d.distance + q->r;
    slacken(q, unrounded); // at C's border the normal jumps
    if (q->speed > 0) slacken(q, slope / q->speed * (fabs(unrounded) + q->r));
    if (unrounded > 0) return GRAZE_OK;
    // Inside, the least depth decides.
    gz_difference_edge edges[GZ_DIFFERENCE_MAX];
    int count = gz_difference_edges(q->a, time > 0 ? &moved : q->b, edges);
    bool same = false; // the first of the edges that are as deep is the one that was chosen
    for (int i = 0; i < count; i++) {
        bool chosen = gz_vec2_dot(edges[i].normal, d.normal) > 1 - 0x1p-40;
        same |= chosen;
        if (!chosen) slacken(q, unrounded - gap_of(&edges[i]));
    }
    if (!same) slacken(q, 0);
    return GRAZE_OK;
}

// The place of least distance on the whole line.
static void nearest_place(query *q, valley *out) {
    gz_difference_edge edges[GZ_DIFFERENCE_MAX];
    int count = gz_difference_edges(q->a, q->b, edges);
    double next_left, next_right, left = extreme(q, edges, count, 1, &next_left),
                                  right = extreme(q, edges, count, -1, &next_right);
    slacken(q, left);
    slacken(q, right);
    bool passes = left < 0 || right < 0;
    if (passes) slacken(q, left < 0 ? next_left : next_right);
    if (!passes) {
        double scale = fmax(gz_approach_extent(q->a), gz_approach_extent(q->b));
        if (valley_find(q, edges, count, out) && out->depth < -SHALLOW * scale) return;
        slacken(q, 0); // C is a point on the line, or a segment along it, but for rounding
    }
    gz_approach_line found;
    gz_approach_line_find(q->a, q->b, q->direction, 0, &found);
    graze_vec2 across = {-q->direction.y, q->direction.x};
    *out = (valley){found.entry, found.gap, passes ? found.normal : across};
}

static graze_status clearance(query *q, graze_planar_clearance_result *out) {
    if (!(q->speed > 0)) {
        // Any velocity towards A would lower it: a kink, unless there is no time to move.
        if (q->horizon > 0) slacken(q, 0);
        return at_end(q, 0, out);
    }
    double end = q->horizon * q->speed;
    query inner = *q; // what concerns only an answer between the ends
    valley nearest;
    nearest_place(&inner, &nearest);
    slacken(q, nearest.entry);
    slacken(q, nearest.entry - end);
    if (nearest.entry <= 0) return at_end(q, 0, out);
    if (nearest.entry >= end) return at_end(q, q->horizon, out);
    slacken(q, inner.slack);
    set(out, nearest.depth - q->r, nearest.entry / q->speed, nearest.g);
    return GRAZE_OK;
}

graze_status graze_planar_clearance(const graze_planar_shape *a, graze_vec2 velocity_a,
                                    const graze_planar_shape *b, graze_vec2 velocity_b,
                                    double horizon, double threshold,
                                    graze_planar_clearance_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    if (result == NULL) return GRAZE_ERROR_ARGUMENT;
    GZ_TRY(gz_approach_check(a, velocity_a, b, velocity_b));
    if (!(horizon >= 0) || !(threshold >= 0)) return GRAZE_ERROR_RANGE;
    query q = {.a = a, .b = b, .horizon = horizon, .slack = INFINITY};
    q.v = gz_vec2_minus(velocity_b, velocity_a);
    q.r = a->radius + b->radius;
    gz_approach_direction(q.v, &q.direction, &q.speed);
    graze_planar_clearance_result out = {0};
    GZ_TRY(clearance(&q, &out));
    out.differentiable = q.slack > threshold;
    *result = out;
    return GRAZE_OK;
}
