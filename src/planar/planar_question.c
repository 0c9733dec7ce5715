// What one planar shape is asked: support, area, containment, bounds.
#include "base/float_environment.h"
#include "math/expansion.h"
#include "planar/shapes/shape_internal.h"

#define PI 3.14159265358979323846

static int32_t vertex_count(const graze_planar_shape *shape) {
    int32_t n = shape->count;
    return n < 1 ? 1 : n > GRAZE_PLANAR_VERTEX_MAX ? GRAZE_PLANAR_VERTEX_MAX : n;
}

graze_vec2 graze_planar_support(const graze_planar_shape *shape, graze_vec2 direction,
                                int32_t *vertex) {
    GZ_FLOAT_ENVIRONMENT;
    // Scaled to magnitude about 1, so that squares stay within the doubles for any direction.
    double size = fmax(fabs(direction.x), fabs(direction.y));
    double x = size > 0 ? direction.x / size : 1, y = size > 0 ? direction.y / size : 0;
    int32_t best = 0;
    double most = -INFINITY;
    for (int32_t i = 0; i < vertex_count(shape); i++) {
        // Relative to the first vertex, so that a shape far from the origin loses nothing.
        double along = (shape->x[i] - shape->x[0]) * x + (shape->y[i] - shape->y[0]) * y;
        if (along > most) {
            most = along;
            best = i;
        }
    }
    if (vertex != NULL) *vertex = best;
    double reach = shape->radius / sqrt(x * x + y * y);
    graze_vec2 out = {shape->x[best] + reach * x, shape->y[best] + reach * y};
    return out;
}

double graze_planar_area(const graze_planar_shape *shape) {
    GZ_FLOAT_ENVIRONMENT;
    // The polygon as a fan, the strip along its outline (a capsule's both sides), the disk of the
    // corners: together the area of a sum with a disk (Steiner's formula).
    int32_t n = vertex_count(shape);
    double twice = 0, outline = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t k = i + 1 < n ? i + 1 : 0;
        double ax = shape->x[i] - shape->x[0], ay = shape->y[i] - shape->y[0];
        double bx = shape->x[k] - shape->x[0], by = shape->y[k] - shape->y[0];
        twice += ax * by - ay * bx;
        outline += sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    }
    return 0.5 * twice + outline * shape->radius + PI * shape->radius * shape->radius;
}

// The squared distance of p from the segment from a to b.
static double square_from_edge(graze_vec2 p, graze_vec2 a, graze_vec2 b) {
    double ex = b.x - a.x, ey = b.y - a.y, wx = p.x - a.x, wy = p.y - a.y;
    double vx = p.x - b.x, vy = p.y - b.y;
    if (!(wx * ex + wy * ey > 0)) return wx * wx + wy * wy;
    if (!(vx * ex + vy * ey < 0)) return vx * vx + vy * vy;
    double cross = ex * wy - ey * wx;
    return cross * cross / (ex * ex + ey * ey);
}

static GZ_OUT_OF_LINE bool contains(const graze_planar_shape *shape, graze_vec2 p) {
    int32_t n = vertex_count(shape);
    bool inside = true;
    double square = INFINITY;
    for (int32_t i = 0; i < n; i++) {
        graze_vec2 a = gz_planar_vertex(shape, i),
                   b = gz_planar_vertex(shape, i + 1 < n ? i + 1 : 0);
        inside = inside && gz_planar_turn(a, b, p) >= 0;
        square = fmin(square, square_from_edge(p, a, b));
    }
    if (n >= 3 && inside) return true;
    if (shape->radius > 0) return square <= shape->radius * shape->radius;
    if (n >= 3) return false;
    // A segment holds what is on its line and between its ends; the line passes the loop above from
    // both sides. A point holds itself.
    graze_vec2 a = gz_planar_vertex(shape, 0), b = gz_planar_vertex(shape, n - 1);
    return inside && fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y &&
           p.y <= fmax(a.y, b.y);
}

bool graze_planar_contains(const graze_planar_shape *shape, graze_vec2 point) {
    GZ_FLOAT_ENVIRONMENT;
    if (!(fabs(point.x) <= GZ_EXACT_MAX && fabs(point.y) <= GZ_EXACT_MAX)) return false;
    return contains(shape, gz_planar_snap(point));
}

// low - radius and high + radius, the next double where rounding went inward.
static double down(double low, double radius) {
    double high, rest;
    gz_two_difference(low, radius, &high, &rest);
    return rest < 0 ? nextafter(high, -INFINITY) : high;
}

static double up(double high, double radius) {
    double sum, rest;
    gz_two_sum(high, radius, &sum, &rest);
    return rest > 0 ? nextafter(sum, INFINITY) : sum;
}

graze_planar_bounds graze_planar_shape_bounds(const graze_planar_shape *shape) {
    GZ_FLOAT_ENVIRONMENT;
    double left = shape->x[0], right = left, bottom = shape->y[0], top = bottom;
    for (int32_t i = 1; i < vertex_count(shape); i++) {
        left = fmin(left, shape->x[i]);
        right = fmax(right, shape->x[i]);
        bottom = fmin(bottom, shape->y[i]);
        top = fmax(top, shape->y[i]);
    }
    double r = shape->radius;
    graze_planar_bounds out = {{down(left, r), down(bottom, r)}, {up(right, r), up(top, r)}};
    return out;
}
