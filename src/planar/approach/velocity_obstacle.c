// The velocity obstacle of two shapes that are apart, truncated at a horizon.
//
// It is K grown by r / h (docs/planar.md): a convex polygon with two unbounded edges, the cone's
// legs, and between them those edges of C / h that face the origin. Signed distance to it is that
// of any convex polygon: outside the nearest edge counts, inside the line of least depth.

#include <math.h>

#include "base/float_environment.h"
#include "planar/approach/approach_internal.h"
#include "planar/shapes/shape_internal.h"

// Of lengths up to 2^102 over it, squares and their sums stay within the doubles.
#define HORIZON_MIN 0x1p-400

typedef struct obstacle {
    gz_difference_edge edges[GZ_DIFFERENCE_MAX]; ///< of C
    int count;
    double r, over;         ///< sum of radii; 1 / horizon, 0 for none
    graze_vec2 v;           ///< the velocity in question
    graze_vec2 left, right; ///< the legs, unit
    double depth;           ///< greatest signed distance from the line of an edge so far
    graze_vec2 depth_normal;
    double square;             ///< least squared distance from an edge so far
    graze_vec2 nearest, aside; ///< the nearest point, and the normal there; 0 at the edge's end
} obstacle;

// The corner of C farthest along n, over the horizon.
static graze_vec2 farthest(const obstacle *o, graze_vec2 n) {
    graze_vec2 best = o->edges[0].from;
    for (int i = 1; i < o->count; i++)
        if (gz_vec2_dot(n, gz_vec2_minus(o->edges[i].from, best)) > 0) best = o->edges[i].from;
    return (graze_vec2){best.x * o->over, best.y * o->over};
}

// Updates the depth by an edge's line: p on it, outward normal n.
static void consider_line(obstacle *o, graze_vec2 p, graze_vec2 n) {
    double depth = gz_vec2_dot(n, gz_vec2_minus(o->v, p));
    if (depth > o->depth) o->depth = depth, o->depth_normal = n;
}

// Updates the distance by the edge from p along the unit vector e, of that length (INFINITY: a
// leg), normal n, which is kept beside it: that of points a few roundings apart may point anywhere.
static void consider_edge(obstacle *o, graze_vec2 p, graze_vec2 e, double length, graze_vec2 n) {
    graze_vec2 q = gz_vec2_minus(o->v, p);
    double along = gz_vec2_dot(e, q), side = gz_vec2_dot(n, q) < 0 ? -1 : 1;
    bool beside = along >= 0 && along <= length;
    double s = !(along > 0) ? 0 : along < length ? along : length;
    graze_vec2 foot = gz_vec2_add_scaled(p, s, e), off = gz_vec2_minus(o->v, foot);
    double square = gz_vec2_dot(off, off);
    if (!(square < o->square)) return;
    o->square = square;
    o->nearest = foot;
    o->aside = beside ? (graze_vec2){side * n.x, side * n.y} : (graze_vec2){0, 0};
}

// The legs: of all tangents from the origin to the circles about C's corners the outermost.
static void legs(obstacle *o) {
    for (int i = 0; i < o->count; i++) {
        graze_vec2 c = o->edges[i].from;
        double length = sqrt(gz_vec2_dot(c, c));
        // Rounding may take a corner within r of the origin, which is apart from it.
        double sine = o->r < length ? o->r / length : 1;
        double rest = (length - o->r) * (length + o->r);
        double cosine = rest > 0 ? sqrt(rest) / length : 0;
        c.x /= length, c.y /= length;
        graze_vec2 left = {cosine * c.x - sine * c.y, cosine * c.y + sine * c.x};
        graze_vec2 right = {cosine * c.x + sine * c.y, cosine * c.y - sine * c.x};
        if (i == 0 || gz_vec2_cross(o->left, left) > 0) o->left = left;
        if (i == 0 || gz_vec2_cross(o->right, right) < 0) o->right = right;
    }
}

// As lines count the edges towards the origin. As places all do, for they lie in K: where a leg
// runs along an edge, its start may be either end, and the edge closes the gap.
static void consider_edges(obstacle *o) {
    for (int i = 0; i < o->count; i++) {
        const gz_difference_edge *edge = &o->edges[i];
        graze_vec2 n = edge->normal, start = {edge->from.x * o->over, edge->from.y * o->over};
        bool facing = gz_vec2_dot(n, o->left) < 0 && gz_vec2_dot(n, o->right) < 0;
        if (edge->length > 0) consider_edge(o, start, edge->direction, edge->length * o->over, n);
        if (facing) consider_line(o, start, n);
    }
}

static void measure(obstacle *o, graze_planar_velocity_obstacle_result *out) {
    legs(o);
    o->depth = -INFINITY;
    o->square = INFINITY;
    graze_vec2 nl = {-o->left.y, o->left.x}, nr = {o->right.y, -o->right.x};
    graze_vec2 start_left = farthest(o, nl), start_right = farthest(o, nr);
    consider_line(o, start_left, nl);
    consider_line(o, start_right, nr);
    consider_edge(o, start_left, o->left, INFINITY, nl);
    consider_edge(o, start_right, o->right, INFINITY, nr);
    consider_edges(o);
    // Squares of the smallest velocities vanish.
    double scale = o->square > 0x1p-900 ? 1 : 0x1p600;
    graze_vec2 off = gz_vec2_minus(o->v, o->nearest);
    off = (graze_vec2){scale * off.x, scale * off.y};
    double length = sqrt(gz_vec2_dot(off, off)), away = length / scale, grown = o->r * o->over;
    bool outside = o->depth > 0 && away > 0;
    bool beside = o->aside.x != 0 || o->aside.y != 0;
    out->normal = !outside ? o->depth_normal
                  : beside ? o->aside
                           : (graze_vec2){off.x / length, off.y / length};
    out->distance = (outside ? away : o->depth) - grown;
    out->boundary = (graze_vec2){o->v.x - out->distance * out->normal.x,
                                 o->v.y - out->distance * out->normal.y};
}

graze_status graze_planar_velocity_obstacle(const graze_planar_shape *a, graze_vec2 velocity_a,
                                            const graze_planar_shape *b, graze_vec2 velocity_b,
                                            double horizon,
                                            graze_planar_velocity_obstacle_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    if (result == NULL) return GRAZE_ERROR_ARGUMENT;
    graze_planar_approach_result approach;
    GZ_TRY(graze_planar_approach(a, velocity_a, b, velocity_b, horizon, &approach));
    if (!(horizon >= HORIZON_MIN)) return GRAZE_ERROR_RANGE;
    graze_planar_velocity_obstacle_result out = {.inside = approach.hit};
    graze_vec2 v = gz_vec2_minus(velocity_b, velocity_a);
    graze_planar_result now;
    GZ_TRY(graze_planar_distance(a, b, &now));
    if (now.distance <= 0 || (approach.hit && approach.time == 0)) {
        out = (graze_planar_velocity_obstacle_result){true, true, -INFINITY, now.normal, v};
    } else {
        obstacle o = {.r = a->radius + b->radius, .over = 1 / horizon, .v = v};
        o.count = gz_difference_edges(a, b, o.edges);
        measure(&o, &out);
    }
    *result = out;
    return GRAZE_OK;
}
