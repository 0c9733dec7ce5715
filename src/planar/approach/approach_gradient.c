// The clearance of a motion and the time of impact, with gradients.
//
// clearance = min over t in [0, h] of f(t), f(t) = s(t v) - r, with s the signed distance to the
// polygons' difference C and r the sum of the radii. s is convex and, outside C, differentiable.
// By the envelope theorem the gradient by B's place is the subgradient g of s at the nearest place
// with g.v = 0 (or that of s itself, at an end of the time), and by B's velocity t g:
//   - the line passes C at a vertex:           g is the unit vector from C to the line;
//   - it runs through C, deepest where one edge takes over from another: s = max of the edges'
//     signed distances, g the mean of the two normals, weighted so that g.v = 0.
// Every choice between pieces is made by a comparison of lengths; `slack` keeps the closest of
// them.

#include <math.h>

#include "base/float_environment.h"
#include "planar/approach/approach_internal.h"
#include "planar/shapes/shape_internal.h"

#define EDGES (2 * GRAZE_PLANAR_VERTEX_MAX)

// Less deep than this part of the largest length, the lines of C's edges do not count: C may be a
// sliver whose two sides, within a rounding of each other, intersect far beyond its ends.
#define SHALLOW 0x1p-47

typedef struct query {
    const graze_planar_shape *a, *b;
    graze_vec2 velocity_a, v; ///< A's, and B's relative to A
    graze_vec2 direction;
    double speed, horizon, r;
    double slack; ///< metres: how clearly the piece of the clearance was chosen
} query;

static void slacken(query *q, double length) {
    q->slack = fmin(q->slack, fabs(length));
}

/// An edge's signed distance from B: gap + along * slope, with `along` in metres along the
/// direction.
typedef struct line {
    double gap, slope;
    graze_vec2 n;
} line;

// The lines of one shape's edges; sign 1 for A's, -1 for B's.
static int lines_of(const query *q, const graze_planar_shape *shape,
                    const graze_planar_shape *other, double sign, line *out) {
    int count = 0;
    for (int i = 0; i < shape->count && shape->count > 1; i++) {
        graze_vec2 p = gz_planar_vertex(shape, i),
                   to = gz_planar_vertex(shape, gz_planar_next(i, shape->count));
        double x = to.x - p.x, y = to.y - p.y, length = sqrt(x * x + y * y);
        if (!(length > 0)) continue;
        graze_vec2 n = {y / length, -x / length};
        double least = INFINITY;
        for (int j = 0; j < other->count; j++)
            least = fmin(least, n.x * (other->x[j] - p.x) + n.y * (other->y[j] - p.y));
        n.x *= sign, n.y *= sign;
        out[count++] = (line){least, gz_vec2_dot(n, q->direction), n};
    }
    return count;
}

static int edge_lines(const query *q, line lines[EDGES]) {
    int count = lines_of(q, q->a, q->b, 1, lines);
    return count + lines_of(q, q->b, q->a, -1, lines + count);
}

/// The lowest place of the upper envelope of lines: where the path is deepest in C.
typedef struct valley {
    double entry, depth; ///< metres along the direction; the value there, at most 0 inside
    graze_vec2 g;
} valley;

// Along the envelope from the far left: each takeover is the first to the right, until it rises.
static bool valley_find(query *q, const line *lines, int count, valley *out) {
    int at = 0;
    for (int i = 1; i < count; i++)
        if (lines[i].slope < lines[at].slope ||
            (lines[i].slope == lines[at].slope && lines[i].gap > lines[at].gap))
            at = i;
    if (count < 2 || !(lines[at].slope < 0)) return false;
    double from = -INFINITY; // takeovers come one after another, also where rounding has them else
    for (int round = 0; round < count; round++) {
        int next = -1;
        double along = INFINITY;
        for (int i = 0; i < count; i++) {
            double rise = lines[i].slope - lines[at].slope;
            if (!(rise > 0)) continue;
            double x = (lines[at].gap - lines[i].gap) / rise;
            // Lines of almost equal slope intersect farther away than any double.
            if (!(x < INFINITY)) continue;
            x = fmax(x, from);
            if (x < along || (x == along && lines[i].slope > lines[next].slope))
                along = x, next = i;
        }
        if (next < 0) return false;
        if (lines[next].slope >= 0) {
            double down = -lines[at].slope, up = lines[next].slope, whole = down + up;
            out->entry = along;
            out->depth = lines[at].gap + along * lines[at].slope;
            out->g.x = (up * lines[at].n.x + down * lines[next].n.x) / whole;
            out->g.y = (up * lines[at].n.y + down * lines[next].n.y) / whole;
            // Another edge as deep here, or one along the motion, makes a kink.
            for (int i = 0; i < count; i++)
                if (i != at && i != next)
                    slacken(q, out->depth - (lines[i].gap + along * lines[i].slope));
            slacken(q, fmin(up, down) * (fabs(out->depth) + q->r));
            return true;
        }
        at = next;
        from = along;
    }
    return false;
}

// Extremes of C to the left and right of the line, and how far the vertices next to them are
// behind.
static void extremes(const query *q, double *high, double *low, double *next_high,
                     double *next_low) {
    *high = *low = 0;
    *next_high = *next_low = INFINITY;
    for (int side = 0; side < 2; side++) {
        const graze_planar_shape *shape = side ? q->b : q->a;
        double sign = side ? -1 : 1, most = -INFINITY, least = INFINITY;
        double w[GRAZE_PLANAR_VERTEX_MAX];
        int i = 0, i_most = 0, i_least = 0;
        do {
            double x = shape->x[i] - q->a->x[0], y = shape->y[i] - q->a->y[0];
            w[i] = sign * (q->direction.x * y - q->direction.y * x);
            if (w[i] > most) most = w[i], i_most = i;
            if (w[i] < least) least = w[i], i_least = i;
        } while (++i < shape->count);
        *high += most;
        *low += least;
        for (i = 0; i < shape->count; i++) {
            if (i != i_most) *next_high = fmin(*next_high, most - w[i]);
            if (i != i_least) *next_low = fmin(*next_low, w[i] - least);
        }
    }
}

static void set(graze_planar_clearance_result *out, double clearance, double time, graze_vec2 g) {
    out->clearance = clearance;
    out->time = time;
    out->by_position = g;
    out->by_velocity = (graze_vec2){time * g.x, time * g.y};
    out->by_horizon = 0;
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
    query here = *q;
    line lines[EDGES];
    here.b = time > 0 ? &moved : q->b;
    int count = edge_lines(&here, lines);
    bool same = false; // the first of the edges that are as deep is the one that was chosen
    for (int i = 0; i < count; i++) {
        bool chosen = gz_vec2_dot(lines[i].n, d.normal) > 1 - 0x1p-40;
        if (chosen)
            same = true;
        else
            slacken(q, unrounded - lines[i].gap);
    }
    if (!same) slacken(q, 0);
    return GRAZE_OK;
}

// The place of least distance on the whole line.
static void nearest_place(query *q, valley *out) {
    double high, low, next_high, next_low;
    extremes(q, &high, &low, &next_high, &next_low);
    slacken(q, high);
    slacken(q, low);
    bool passes = high < 0 || low > 0;
    if (passes) slacken(q, high < 0 ? next_high : next_low);
    if (!passes) {
        line lines[EDGES];
        int count = edge_lines(q, lines);
        double scale = fmax(gz_approach_extent(q->a), gz_approach_extent(q->b));
        if (valley_find(q, lines, count, out) && out->depth < -SHALLOW * scale) return;
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

// f(t) = 0 at the impact: its gradient n gives dt = - n.dp / n.v.
static graze_status impact(const query *q, double threshold, graze_planar_clearance_result *out) {
    graze_planar_approach_result hit;
    graze_vec2 velocity_b = {q->velocity_a.x + q->v.x, q->velocity_a.y + q->v.y};
    GZ_TRY(graze_planar_approach(q->a, q->velocity_a, q->b, velocity_b, q->horizon, &hit));
    out->hit = hit.hit;
    out->impact_time = hit.hit ? hit.time : INFINITY;
    out->impact_differentiable = false;
    out->impact_by_position = out->impact_by_velocity = (graze_vec2){0, 0};
    if (!hit.hit) return GRAZE_OK;
    if (!(hit.time > 0)) {
        out->impact_differentiable = hit.distance < -threshold;
        return GRAZE_OK;
    }
    double rate = gz_vec2_dot(hit.normal, q->v);
    if (!(rate < 0)) return GRAZE_OK;
    graze_vec2 g = {-hit.normal.x / rate, -hit.normal.y / rate};
    out->impact_by_position = g;
    out->impact_by_velocity = (graze_vec2){hit.time * g.x, hit.time * g.y};
    double high, low, next_high, next_low;
    extremes(q, &high, &low, &next_high, &next_low);
    gz_approach_line found;
    gz_approach_line_find(q->a, q->b, q->direction, q->r, &found);
    // Grazing, the ends of the time, and, without a radius, corners.
    double slack = fmin(fabs(high + q->r), fabs(low - q->r));
    slack = fmin(slack, fmin(found.entry, fabs(found.entry - q->horizon * q->speed)));
    slack = fmin(slack, fmax(q->r, found.margin));
    out->impact_differentiable = slack > threshold;
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
    query q = {.a = a, .b = b, .velocity_a = velocity_a, .horizon = horizon, .slack = INFINITY};
    q.v = (graze_vec2){velocity_b.x - velocity_a.x, velocity_b.y - velocity_a.y};
    q.r = a->radius + b->radius;
    gz_approach_direction(q.v, &q.direction, &q.speed);
    graze_planar_clearance_result out = {0};
    GZ_TRY(clearance(&q, &out));
    GZ_TRY(impact(&q, threshold, &out));
    out.differentiable = q.slack > threshold;
    *result = out;
    return GRAZE_OK;
}
