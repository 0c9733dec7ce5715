/// Primitive shapes: their sizes, their place in the body frame, and bounds that contain them.

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/bound.h"
#include "mesh/shape.h"

// ---------------------------------------------------------------------------------------- checks

static const char *shape_name(graze_shape kind) {
    static const char *const names[] = {
        [GRAZE_SHAPE_BOX] = "box",           [GRAZE_SHAPE_SPHERE] = "sphere",
        [GRAZE_SHAPE_CYLINDER] = "cylinder", [GRAZE_SHAPE_CAPSULE] = "capsule",
        [GRAZE_SHAPE_MESH] = "mesh",         [GRAZE_SHAPE_POINTS] = "points",
        [GRAZE_SHAPE_CONE] = "cone",         [GRAZE_SHAPE_HALFSPACE] = "halfspace",
        [GRAZE_SHAPE_PLANE] = "plane"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "shape";
}

static graze_status check_size(graze_shape kind, const char *what, double value,
                               graze_error *error) {
    // The comparison is false for NaN, too.
    if (value >= 0 && value <= GZ_COORDINATE_MAX) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "%s of the %s is %.17g; allowed: 0 to 2^20 m", what,
                   shape_name(kind), value);
}

/// A disc has no axis that its two ends could hold.
static graze_status check_round(graze_shape kind, double radius, double length,
                                graze_error *error) {
    GZ_TRY(check_size(kind, "radius", radius, error));
    GZ_TRY(check_size(kind, "length", length, error));
    if (kind != GRAZE_SHAPE_CYLINDER || length > 0 || radius == 0) return GRAZE_OK;
    return gz_fail(
        error, GRAZE_ERROR_RANGE,
        "length of the cylinder is 0 and its radius %.17g; allowed: a length of 0 with a "
        "radius of 0, else above 0 and at most 2^20 m",
        radius);
}

graze_status gz_shape_check(graze_shape kind, const double size[3], double radius, double length,
                            graze_error *error) {
    static const char *const edges[3] = {"size x", "size y", "size z"};
    graze_status status = GRAZE_OK;
    switch (kind) {
    case GRAZE_SHAPE_BOX:
        for (int k = 0; k < 3 && status == GRAZE_OK; k++)
            status = check_size(kind, edges[k], size[k], error);
        break;
    case GRAZE_SHAPE_CYLINDER:
    case GRAZE_SHAPE_CAPSULE:
    case GRAZE_SHAPE_CONE:
        status = check_round(kind, radius, length, error);
        break;
    case GRAZE_SHAPE_SPHERE:
        status = check_size(kind, "radius", radius, error);
        break;
    case GRAZE_SHAPE_POINTS:
        if (!(radius > 0) || radius > GZ_COORDINATE_MAX)
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "radius of the points is %.17g; allowed: above 0 and at most 2^20 m",
                           radius);
        break;
    case GRAZE_SHAPE_HALFSPACE:
    case GRAZE_SHAPE_PLANE:
        break;
    case GRAZE_SHAPE_MESH:
    default:
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "shape '%s' has no sizes; allowed: box, sphere, cylinder, capsule, cone, "
                       "points, halfspace, plane",
                       shape_name(kind));
    }
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

// ------------------------------------------------------------------------------------- polyhedra

static graze_status make_polyhedron(gz_shape *out, graze_shape kind, const gz_soup *soup,
                                    const graze_transform *origin, graze_error *error) {
    graze_mesh *mesh;
    GZ_TRY(gz_mesh_build(&mesh, soup, origin, false, GZ_MESH_LINK, error));
    gz_shape_mesh(out, mesh);
    out->kind = kind;
    return GRAZE_OK;
}

/// A box, or what stands for a shape without an end.
static graze_status make_box(gz_shape *out, graze_shape kind, const double low[3],
                             const double high[3], const graze_transform *origin,
                             graze_error *error) {
    // Corner i has the sign of bit k of i along axis k; each face is two triangles, counter-
    // clockwise seen from outside. Halves are exact, and the mesh places each corner with one
    // rounding per coordinate operation, as graze_transform_point() does.
    static const uint32_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                          {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    double corners[24];
    uint32_t triangles[36];
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 3; k++) corners[3 * i + k] = i >> k & 1U ? high[k] : low[k];
    memcpy(triangles, faces, sizeof triangles);
    const gz_soup soup = {
        .vertices = corners, .vertex_count = 8, .triangles = triangles, .triangle_count = 12};
    return make_polyhedron(out, kind, &soup, origin, error);
}

/// A pyramid whose base is the regular polygon around the circle of the cone's base: it contains
/// the cone, and no point of it is farther from it than radius (1 / cos(pi / CONE_SIDES) - 1) <
/// 7.6e-5 radius. A corner is off by less than 2^-50 of the radius, from the sine, the division and
/// the product, which 2^-46 of it covers.
enum { CONE_SIDES = 256 };

static graze_status make_cone(gz_shape *out, double radius, double length,
                              const graze_transform *origin, graze_error *error) {
    double corners[3 * (CONE_SIDES + 1)], sine, cosine;
    uint32_t triangles[3 * (2 * CONE_SIDES - 2)], *t = triangles;
    gz_sine_cosine(GZ_PI / CONE_SIDES, &sine, &cosine);
    double around = radius / cosine * (1 + 0x1p-46);
    for (uint32_t i = 0; i < CONE_SIDES; i++, t += 3) {
        gz_sine_cosine(GZ_TWO_PI * i / CONE_SIDES, &sine, &cosine);
        corners[3 * i] = around * cosine;
        corners[3 * i + 1] = around * sine;
        corners[3 * i + 2] = -0.5 * length;
        t[0] = i, t[1] = (i + 1) % CONE_SIDES, t[2] = CONE_SIDES;
    }
    for (uint32_t i = 1; i + 1 < CONE_SIDES; i++, t += 3) t[0] = 0, t[1] = i + 1, t[2] = i;
    double *tip = corners + 3 * CONE_SIDES;
    tip[0] = tip[1] = 0, tip[2] = 0.5 * length;
    const gz_soup soup = {.vertices = corners,
                          .vertex_count = CONE_SIDES + 1,
                          .triangles = triangles,
                          .triangle_count = 2 * CONE_SIDES - 2};
    return make_polyhedron(out, GRAZE_SHAPE_CONE, &soup, origin, error);
}

static graze_status make_of_triangles(gz_shape *out, graze_shape kind, const double size[3],
                                      double radius, double length, const graze_transform *origin,
                                      graze_error *error) {
    const double far = GZ_UNBOUNDED_EXTENT;
    double low[3] = {-far, -far, 0}, high[3] = {far, far, 0};
    if (kind == GRAZE_SHAPE_CONE) return make_cone(out, radius, length, origin, error);
    if (kind == GRAZE_SHAPE_HALFSPACE) low[2] = -2 * far;
    for (int k = 0; kind == GRAZE_SHAPE_BOX && k < 3; k++) {
        high[k] = 0.5 * size[k];
        low[k] = -high[k];
    }
    return make_box(out, kind, low, high, origin, error);
}

// ----------------------------------------------------------------------------------- curved solids

// Moves a computed coordinate outward past the rounding of the sum that made it (half an ulp is at
// most 2^-53 of it; 2^-51 also covers this sum).
static double step_down(double x) {
    return x - 0x1p-51 * fabs(x);
}
static double step_up(double x) {
    return x + 0x1p-51 * fabs(x);
}

/// How far the solid reaches from its axis along each coordinate. A ball reaches its radius. The
/// rim of a cylinder with axis direction d reaches r sqrt(d_j^2 + d_k^2) / |d| along coordinate i:
/// no cancellation, so the relative error is below 10u, u = 2^-53, and 2^-48 covers it.
static void radial_extent(double extent[3], const gz_shape *s) {
    double d[3], most = 0;
    for (int k = 0; k < 3; k++) {
        extent[k] = s->radius;
        d[k] = s->b[k] - s->a[k];
        most = fmax(most, fabs(d[k]));
    }
    // A cylinder whose ends were rounded to one point stands for a ball: that of any direction.
    if (s->kind != GRAZE_SHAPE_CYLINDER || !(most > 0)) return;
    for (int k = 0; k < 3; k++) d[k] /= most;
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 3; k++) {
        double across = d[(k + 1) % 3] * d[(k + 1) % 3] + d[(k + 2) % 3] * d[(k + 2) % 3];
        extent[k] = fmin(s->radius, s->radius * sqrt(across / square) * (1 + 0x1p-48));
    }
}

static graze_aabb curved_aabb(const gz_shape *s) {
    double extent[3], low[3], high[3];
    radial_extent(extent, s);
    for (int k = 0; k < 3; k++) {
        low[k] = step_down(fmin(s->a[k], s->b[k]) - extent[k]);
        high[k] = step_up(fmax(s->a[k], s->b[k]) + extent[k]);
    }
    return (graze_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static graze_sphere curved_sphere(const gz_shape *s) {
    double c[3], a = 0, b = 0, off = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = 0.5 * (s->a[k] + s->b[k]);
        off += fabs(c[k]);
        a += (s->a[k] - c[k]) * (s->a[k] - c[k]);
        b += (s->b[k] - c[k]) * (s->b[k] - c[k]);
    }
    // Squares underflow only below 2^-500: such an axis has no length that counts (see below).
    double square = fmax(a, b), radius;
    if (s->kind == GRAZE_SHAPE_CYLINDER) {
        radius = sqrt(square + s->radius * s->radius);
    } else {
        radius = sqrt(square) + s->radius;
    }
    // Relative errors are below 8u. The rounded centre is off the axis by at most u |c|_1, and a
    // point of the rim is by Pythagoras at sqrt(square + r^2) from the foot on the axis: at most
    // that much farther. 2^-500 covers underflow.
    radius = radius * (1 + 0x1p-49) + 0x1p-51 * off + 0x1p-500;
    return (graze_sphere){{c[0], c[1], c[2]}, radius};
}

static graze_obb curved_obb(const gz_shape *s) {
    double d[3], axis[3][3], ends[6];
    for (int k = 0; k < 3; k++) {
        d[k] = s->b[k] - s->a[k];
        ends[k] = s->a[k];
        ends[3 + k] = s->b[k];
    }
    // The third axis along the solid's own, as a posed cylinder or capsule has it.
    double turned[3][3];
    gz_bound_axes(turned, d, (double[3]){0, 0, 0});
    memcpy(axis[0], turned[1], sizeof axis[0]);
    memcpy(axis[1], turned[2], sizeof axis[1]);
    memcpy(axis[2], turned[0], sizeof axis[2]);
    bool point = d[0] == 0 && d[1] == 0 && d[2] == 0;
    const bool radial[3] = {true, true, s->kind != GRAZE_SHAPE_CYLINDER || point};
    return gz_bound_obb_along(ends, 2, (const double(*)[3])axis, s->radius, radial);
}

// ---------------------------------------------------------------------------------------- shapes

graze_status gz_shape_curved(gz_shape *out, graze_shape kind, double radius, double length,
                             const graze_transform *origin, graze_error *error) {
    memset(out, 0, sizeof *out);
    if (kind != GRAZE_SHAPE_SPHERE && kind != GRAZE_SHAPE_CYLINDER && kind != GRAZE_SHAPE_CAPSULE) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "shape '%s' is no primitive; allowed: box, sphere, cylinder, capsule",
                       shape_name(kind));
    }
    out->kind = kind;
    out->radius = radius;
    double half = kind == GRAZE_SHAPE_SPHERE ? 0 : 0.5 * length;
    graze_vec3 a = graze_transform_point(origin, (graze_vec3){0, 0, -half});
    graze_vec3 b = graze_transform_point(origin, (graze_vec3){0, 0, half});
    const double ends[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int k = 0; k < 3; k++) {
        // As in a mesh, -0 is stored as +0.
        out->a[k] = ends[k] + 0.0;
        out->b[k] = ends[3 + k] + 0.0;
        double most = fmax(fabs(out->a[k]), fabs(out->b[k]));
        if (!(most <= GZ_COORDINATE_MAX) || isnan(ends[k]) || isnan(ends[3 + k])) {
            memset(out, 0, sizeof *out);
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the %s reaches to %.17g; allowed: magnitudes of at most 2^20 m",
                           shape_name(kind), most);
        }
    }
    out->aabb = curved_aabb(out);
    return GRAZE_OK;
}

graze_status gz_shape_primitive(gz_shape *out, graze_shape kind, const double size[3],
                                double radius, double length, const graze_transform *origin,
                                graze_error *error) {
    memset(out, 0, sizeof *out);
    if (gz_shape_is_polyhedron(kind))
        return make_of_triangles(out, kind, size, radius, length, origin, error);
    GZ_TRY(gz_shape_curved(out, kind, radius, length, origin, error));
    out->sphere = curved_sphere(out);
    out->obb = curved_obb(out);
    gz_error_clear(error);
    return GRAZE_OK;
}

void gz_shape_mesh(gz_shape *out, graze_mesh *mesh) {
    memset(out, 0, sizeof *out);
    out->kind = GRAZE_SHAPE_MESH;
    out->mesh = mesh;
    out->sphere = mesh->sphere;
    out->aabb = mesh->aabb;
    out->obb = mesh->obb;
}

void gz_shape_clear(gz_shape *shape) {
    graze_mesh_free(shape->mesh);
    memset(shape, 0, sizeof *shape);
}

void gz_shape_show(const gz_shape *shape, graze_geometry *out) {
    const graze_mesh *m = shape->mesh;
    if (!m) {
        memcpy(out->ends[0], shape->a, sizeof out->ends[0]);
        memcpy(out->ends[1], shape->b, sizeof out->ends[1]);
        return;
    }
    out->vertex_count = m->vertex_count;
    out->vertices = m->vertices;
    out->triangle_count = m->triangle_count;
    out->triangles = m->triangles;
    out->degenerate_count = m->degenerate_count;
    out->component_count = m->component_count;
    out->closed_count = m->closed_count;
    out->mesh = m;
}

double gz_half_ulp(double most) {
    int exponent;
    (void)frexp(most, &exponent); // most = f 2^exponent, 1/2 <= f < 1
    return ldexp(0x1p-53, exponent - 1);
}

double gz_mesh_span(const graze_mesh *mesh) {
    // The ball's bound, or the box's; both computed, so 2^-40 outward.
    double ball = gz_norm(GZ_ARRAY3(mesh->sphere.center)) + mesh->sphere.radius;
    return fmin(ball, sqrt(3) * mesh->max_abs) * (1 + 0x1p-40);
}

double gz_curved_error(const gz_shape *shape, double error, double apart) {
    if (shape->kind != GRAZE_SHAPE_CYLINDER) return error;
    double axis[3], radius = shape->radius;
    gz_subtract(shape->b, shape->a, axis);
    double length = gz_norm(axis);
    if (!(length > 0)) return error + radius;
    return error + fmin(2 * radius * (apart / length) * (1 + 0x1p-20), radius);
}

graze_status gz_placed_shapes(const graze_geometry *geometry, const graze_placed_shape **shapes,
                              size_t *count, graze_placed_shape *own, graze_error *error) {
    if (geometry ? *shapes || *count : !*shapes || !*count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "geometry is %s, and there are %zu shapes; allowed: a geometry, or at least "
                       "one shape",
                       geometry ? "given" : "NULL", *shapes ? *count : 0);
    if (*count > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "there are %zu shapes; allowed: up to %d", *count,
                       INT32_MAX / 2);
    if (!geometry) return GRAZE_OK;
    *own = (graze_placed_shape){geometry, graze_transform_identity()};
    *shapes = own;
    *count = 1;
    return GRAZE_OK;
}
