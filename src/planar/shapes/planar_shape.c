// Planar shapes: their constructors and their invariant.

#include "base/float_environment.h"
#include "graze/planar_distance.h"
#include "math/expansion.h"
#include "math/trigonometry.h"
#include "planar/shapes/shape_internal.h"

// Deviations from rigid and from square that count as the caller's rounding.
#define RIGID_TOLERANCE 1e-9

graze_transform2 graze_transform2_make(double x, double y, double angle) {
    GZ_FLOAT_ENVIRONMENT;
    graze_transform2 out = {.x = x, .y = y};
    gz_sine_cosine(angle, &out.s, &out.c);
    return out;
}

// ---------------------------------------------------------------------------------- checks

graze_status gz_planar_fail_null(graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "an argument is NULL; allowed: none");
}

graze_status gz_planar_range_check(const char *name, double value, double least, double most,
                                   const char *allowed, graze_error *error) {
    if (value >= least && value <= most) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "%s is %g; allowed: %s", name, value, allowed);
}

graze_status gz_planar_radius_check(double radius, graze_error *error) {
    return gz_planar_range_check("radius", radius, 0, GRAZE_PLANAR_COORDINATE_MAX, "0 to 2^100",
                                 error);
}

graze_status gz_planar_point_read(graze_vec2 *point, const double *xy, size_t index,
                                  graze_error *error) {
    graze_vec2 p = {xy[2 * index], xy[2 * index + 1]};
    *point = gz_planar_snap(p);
    if (gz_planar_point_ok(p)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "point %zu is (%g, %g); allowed: magnitudes up to %g",
                   index, p.x, p.y, GRAZE_PLANAR_COORDINATE_MAX);
}

graze_status gz_planar_transform_check(const graze_transform2 *pose, graze_error *error) {
    if (!gz_planar_number_ok(pose->x) || !gz_planar_number_ok(pose->y))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "translation is (%g, %g); allowed: magnitudes up to %g", pose->x, pose->y,
                       GRAZE_PLANAR_COORDINATE_MAX);
    double off = pose->c * pose->c + pose->s * pose->s - 1;
    if (fabs(off) <= RIGID_TOLERANCE) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "direction (%g, %g) has not length 1; allowed: up to %g off", pose->c, pose->s,
                   RIGID_TOLERANCE);
}

void gz_planar_shape_fill(graze_planar_shape *out, const graze_vec2 *corners, size_t count,
                          double radius) {
    for (size_t i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++)
        out->vertices[i] = corners[i < count ? i : count - 1];
    out->radius = radius;
    out->count = (int32_t)count;
}

size_t gz_planar_turns(const graze_vec2 *corners, size_t count, int turn, size_t *rounds) {
    // Once a round a corner is the lowest of its neighbours.
    *rounds = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = (i + 1) % count;
        graze_vec2 a = corners[i], b = corners[k], c = corners[(i + 2) % count];
        if (gz_planar_turn(a, b, c) != turn) return k;
        *rounds += gz_planar_lower(b, a) && gz_planar_lower(b, c);
    }
    return count;
}

bool gz_planar_is_strictly_convex(const graze_vec2 *corners, size_t count) {
    size_t rounds;
    return gz_planar_turns(corners, count, 1, &rounds) == count && rounds == 1;
}

void gz_planar_shape_fill_nearly(graze_planar_shape *out, const graze_vec2 *points, size_t count,
                                 double radius) {
    if (count == 2 && gz_planar_same(points[0], points[1])) count = 1;
    if (count < 3 || gz_planar_is_strictly_convex(points, count)) {
        gz_planar_shape_fill(out, points, count, radius);
        return;
    }
    graze_vec2 sorted[GRAZE_PLANAR_VERTEX_MAX], corners[GRAZE_PLANAR_VERTEX_MAX + 1];
    for (size_t i = 0; i < count; i++) sorted[i] = points[i];
    gz_planar_sort(sorted, count);
    size_t n = gz_planar_hull_of_sorted(corners, sorted, count);
    // A segment keeps its direction.
    if (n == 2 && gz_planar_same(corners[1], points[0])) {
        corners[1] = corners[0];
        corners[0] = points[0];
    }
    gz_planar_shape_fill(out, corners, n, radius);
}

void gz_planar_place(graze_planar_shape *out, const graze_planar_shape *shape, graze_vec2 center,
                     double c, double s, graze_vec2 to) {
    graze_vec2 points[GRAZE_PLANAR_VERTEX_MAX];
    for (int32_t i = 0; i < shape->count; i++) {
        double x = shape->vertices[i].x - center.x, y = shape->vertices[i].y - center.y;
        points[i] = gz_planar_flushed((graze_vec2){to.x + (c * x - s * y), to.y + (s * x + c * y)});
    }
    gz_planar_shape_fill_nearly(out, points, (size_t)shape->count, shape->radius);
}

// Makes a shape from points that are meant to be corners: checks their range, snaps, fills.
static graze_status fill_checked(graze_planar_shape *out, graze_vec2 *points, size_t count,
                                 double radius, graze_error *error) {
    GZ_TRY(gz_planar_radius_check(radius, error));
    for (size_t i = 0; i < count; i++)
        GZ_TRY(gz_planar_point_read(&points[i], &points[0].x, i, error));
    gz_planar_shape_fill_nearly(out, points, count, radius);
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------- constructors

graze_status graze_planar_circle(graze_planar_shape *out, graze_vec2 center, double radius,
                                 graze_error *error) {
    gz_error_clear(error);
    if (out == NULL) return gz_planar_fail_null(error);
    return fill_checked(out, &center, 1, radius, error);
}

graze_status graze_planar_capsule(graze_planar_shape *out, graze_vec2 a, graze_vec2 b,
                                  double radius, graze_error *error) {
    GZ_ENTER(error);
    if (out == NULL) return gz_planar_fail_null(error);
    graze_vec2 points[2] = {a, b};
    return fill_checked(out, points, 2, radius, error);
}

static GZ_OUT_OF_LINE graze_status rectangle(graze_planar_shape *out, const graze_transform2 *pose,
                                             graze_vec2 half, double radius, graze_error *error) {
    double length = sqrt(pose->c * pose->c + pose->s * pose->s);
    double c = pose->c / length, s = pose->s / length;
    graze_vec2 u = {half.x * c, half.x * s}, v = {-half.y * s, half.y * c};
    graze_vec2 points[4] = {{pose->x - u.x - v.x, pose->y - u.y - v.y},
                            {pose->x + u.x - v.x, pose->y + u.y - v.y},
                            {pose->x + u.x + v.x, pose->y + u.y + v.y},
                            {pose->x - u.x + v.x, pose->y - u.y + v.y}};
    return fill_checked(out, points, 4, radius, error);
}

graze_status graze_planar_rectangle(graze_planar_shape *out, const graze_transform2 *pose,
                                    graze_vec2 half, double radius, graze_error *error) {
    GZ_ENTER(error);
    if (out == NULL || pose == NULL) return gz_planar_fail_null(error);
    GZ_TRY(gz_planar_transform_check(pose, error));
    if (!(half.x >= 0 && half.y >= 0) || !gz_planar_point_ok(half))
        return gz_fail(error, GRAZE_ERROR_RANGE, "half extents are (%g, %g); allowed: 0 to %g",
                       half.x, half.y, GRAZE_PLANAR_COORDINATE_MAX);
    return rectangle(out, pose, half, radius, error);
}

static graze_status count_check(const graze_planar_shape *shape, graze_error *error) {
    if (gz_planar_count_ok(shape)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the shape has %d vertices; allowed: 1 to %d",
                   (int)shape->count, GRAZE_PLANAR_VERTEX_MAX);
}

static GZ_OUT_OF_LINE graze_status transform(graze_planar_shape *out,
                                             const graze_planar_shape *shape,
                                             const graze_transform2 *pose, graze_error *error) {
    graze_vec2 points[GRAZE_PLANAR_VERTEX_MAX];
    for (int32_t i = 0; i < shape->count; i++)
        points[i] = graze_transform2_point(pose, shape->vertices[i]);
    return fill_checked(out, points, (size_t)shape->count, shape->radius, error);
}

graze_status graze_planar_transform(graze_planar_shape *out, const graze_planar_shape *shape,
                                    const graze_transform2 *pose, graze_error *error) {
    GZ_ENTER(error);
    if (out == NULL || shape == NULL || pose == NULL) return gz_planar_fail_null(error);
    GZ_TRY(count_check(shape, error));
    GZ_TRY(gz_planar_transform_check(pose, error));
    return transform(out, shape, pose, error);
}

graze_status graze_planar_shape_check(const graze_planar_shape *shape, graze_error *error) {
    GZ_ENTER(error);
    if (shape == NULL) return gz_planar_fail_null(error);
    GZ_TRY(count_check(shape, error));
    GZ_TRY(gz_planar_radius_check(shape->radius, error));
    graze_vec2 corners[GRAZE_PLANAR_VERTEX_MAX];
    for (int32_t i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++) {
        GZ_TRY(gz_planar_point_read(&corners[i], &shape->vertices[0].x, (size_t)i, error));
        graze_vec2 p = shape->vertices[i], last = shape->vertices[shape->count - 1];
        bool small = !gz_planar_same(corners[i], p);
        bool unlike = i >= shape->count && !gz_planar_same(p, last);
        if (small || unlike)
            return gz_fail(error, GRAZE_ERROR_SCHEMA, "entry %d is (%g, %g); allowed: %s", (int)i,
                           p.x, p.y,
                           small ? "0 or magnitudes from 2^-100" : "the last vertex again");
    }
    if (shape->count == 1) return GRAZE_OK;
    bool good = shape->count == 2 ? !gz_planar_same(corners[0], corners[1])
                                  : gz_planar_is_strictly_convex(corners, (size_t)shape->count);
    return good ? GRAZE_OK
                : gz_fail(error, GRAZE_ERROR_SCHEMA,
                          "the vertices do not turn left everywhere; allowed: the corners of their "
                          "hull, counter-clockwise");
}

// ----------------------------------------------------------------------------------------- bounds

// high + radius, the next double where rounding went inward.
static double up(double high, double radius) {
    double sum, rest;
    gz_two_sum(high, radius, &sum, &rest);
    return rest > 0 ? nextafter(sum, INFINITY) : sum;
}

graze_planar_bounds graze_planar_shape_bounds(const graze_planar_shape *shape) {
    GZ_FLOAT_ENVIRONMENT;
    if (!shape) return (graze_planar_bounds){{0, 0}, {0, 0}};
    double left = shape->vertices[0].x, right = left, bottom = shape->vertices[0].y, top = bottom;
    for (int32_t i = 1; i < GRAZE_PLANAR_VERTEX_MAX && i < shape->count; i++) {
        left = fmin(left, shape->vertices[i].x);
        right = fmax(right, shape->vertices[i].x);
        bottom = fmin(bottom, shape->vertices[i].y);
        top = fmax(top, shape->vertices[i].y);
    }
    double r = shape->radius;
    return (graze_planar_bounds){{-up(-left, r), -up(-bottom, r)}, {up(right, r), up(top, r)}};
}
