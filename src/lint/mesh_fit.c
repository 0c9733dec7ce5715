#include "lint/mesh_measure.h"

#include <math.h>

#include "math/transform.h"
#include "mesh/mesh.h"

/// Shares of the diagonal of the mesh's box: how far a vertex, and how far the middle of an edge or
/// triangle may be from the surface. A chord of a circle cut into n is R (1 - cos(pi/n)) inside it:
/// 0.049 R for n = 10, and the diagonal is at least 2 sqrt(2) R for a cylinder: 1.8 % of it.
#define VERTEX_SHARE 0.005
#define MIDDLE_SHARE 0.03
/// Area and volume, relative. A regular polygon of n sides has sin(2 pi/n) n / (2 pi) of its
/// circle: 0.935 for n = 10.
#define ROUND_SHARE 0.08
#define BOX_SHARE   0.02

/// A candidate: a frame, and the shape's size in it.
typedef struct candidate {
    graze_shape shape;
    double center[3], axis[3][3];
    double
        half[3]; ///< box: along the axes; cylinder: radius, radius, half the length along axis[2]
} candidate;

static void to_frame(const candidate *c, const double p[3], double out[3]) {
    double d[3];
    gz_subtract(p, c->center, d);
    for (int k = 0; k < 3; k++) out[k] = gz_dot(d, c->axis[k]);
}

/// Distance of a point from the surface of the shape; for points outside of a box or cylinder a
/// lower bound, which is as good: the shape contains every vertex by the way it is made.
static double distance(const candidate *c, const double p[3]) {
    double q[3];
    to_frame(c, p, q);
    if (c->shape == GRAZE_SHAPE_SPHERE) return fabs(c->half[0] - gz_norm(q));
    if (c->shape == GRAZE_SHAPE_CYLINDER)
        return fmin(fabs(c->half[0] - hypot(q[0], q[1])), fabs(c->half[2] - fabs(q[2])));
    double least = INFINITY;
    for (int k = 0; k < 3; k++) least = fmin(least, fabs(c->half[k] - fabs(q[k])));
    return least;
}

static const double *corner(const graze_mesh *mesh, size_t t, size_t i) {
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + i % 3];
}

/// Whether the middles of all edges and triangles are near the surface.
static bool middles_follow(const candidate *c, const graze_mesh *mesh, double limit) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double middle[3] = {0};
        for (size_t i = 0; i < 3; i++) {
            const double *p = corner(mesh, t, i), *q = corner(mesh, t, i + 1);
            double half[3];
            for (int k = 0; k < 3; k++) {
                half[k] = 0.5 * (p[k] + q[k]);
                middle[k] += p[k] / 3;
            }
            if (distance(c, half) > limit) return false;
        }
        if (distance(c, middle) > limit) return false;
    }
    return true;
}

/// Whether each corner of the box has a vertex near it.
static bool corners_are_there(const candidate *c, const graze_mesh *mesh, double limit) {
    unsigned seen = 0;
    for (size_t v = 0; v < mesh->vertex_count && seen != 255; v++) {
        double q[3], away = 0;
        to_frame(c, mesh->vertices + 3 * v, q);
        for (int k = 0; k < 3; k++) away = fmax(away, fabs(c->half[k] - fabs(q[k])));
        if (away <= limit) seen |= 1u << ((q[0] > 0) + 2 * (q[1] > 0) + 4 * (q[2] > 0));
    }
    return seen == 255;
}

static bool is_close(double value, double wanted, double share) {
    return fabs(value - wanted) <= share * wanted;
}

static bool sizes_agree(const candidate *c, double area, double volume) {
    const double *h = c->half, pi = 3.14159265358979323846;
    if (c->shape == GRAZE_SHAPE_BOX)
        return is_close(area, 8 * (h[0] * h[1] + h[1] * h[2] + h[2] * h[0]), BOX_SHARE) &&
               is_close(volume, 8 * h[0] * h[1] * h[2], BOX_SHARE);
    if (c->shape == GRAZE_SHAPE_CYLINDER)
        return is_close(area, 2 * pi * h[0] * (h[0] + 2 * h[2]), ROUND_SHARE) &&
               is_close(volume, 2 * pi * h[0] * h[0] * h[2], ROUND_SHARE);
    return is_close(area, 4 * pi * h[0] * h[0], ROUND_SHARE) &&
           is_close(volume, 4 * pi / 3 * h[0] * h[0] * h[0], ROUND_SHARE);
}

/// Sets the size, and along the axes the centre, so that the shape just holds every vertex.
static void enclose(candidate *c, const graze_mesh *mesh) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double q[3];
        to_frame(c, mesh->vertices + 3 * v, q);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], q[k]);
            high[k] = fmax(high[k], q[k]);
        }
        radius = fmax(radius, c->shape == GRAZE_SHAPE_SPHERE ? gz_norm(q) : hypot(q[0], q[1]));
    }
    bool box = c->shape == GRAZE_SHAPE_BOX;
    for (int k = 0; k < 3; k++) {
        c->half[k] = box || k == 2 ? 0.5 * (high[k] - low[k]) : radius;
        bool moves = box || (k == 2 && c->shape == GRAZE_SHAPE_CYLINDER);
        double shift = moves ? 0.5 * (high[k] + low[k]) : 0;
        for (int i = 0; i < 3; i++) c->center[i] += shift * c->axis[k][i];
    }
    if (c->shape == GRAZE_SHAPE_SPHERE) c->half[2] = radius;
}

static double diagonal_of(const graze_mesh *mesh) {
    graze_vec3 low = mesh->aabb.min, high = mesh->aabb.max;
    return hypot(hypot(high.x - low.x, high.y - low.y), high.z - low.z);
}

static bool judge(candidate *c, const graze_mesh *mesh, double area, double volume,
                  double *deviation) {
    enclose(c, mesh);
    if (!sizes_agree(c, area, volume)) return false;
    double diagonal = diagonal_of(mesh);
    *deviation = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        *deviation = fmax(*deviation, distance(c, mesh->vertices + 3 * v));
        if (*deviation > VERTEX_SHARE * diagonal) return false;
    }
    return middles_follow(c, mesh, MIDDLE_SHARE * diagonal) &&
           (c->shape != GRAZE_SHAPE_BOX || corners_are_there(c, mesh, 2 * VERTEX_SHARE * diagonal));
}

static gz_mesh_fit fit_of(const candidate *c, double deviation) {
    gz_mesh_fit fit = {.found = true, .shape = c->shape, .deviation = deviation};
    fit.center = (graze_vec3){c->center[0], c->center[1], c->center[2]};
    bool box = c->shape == GRAZE_SHAPE_BOX;
    for (int k = 0; k < 3; k++) {
        const double *a = c->axis[box ? k : 2];
        fit.axis[k] = (graze_vec3){a[0], a[1], a[2]};
        fit.size[k] = box ? 2 * c->half[k] : c->half[0];
    }
    if (c->shape == GRAZE_SHAPE_CYLINDER) fit.size[1] = 2 * c->half[2];
    return fit;
}

/// The axes of candidate `number`, 0 to 5: three cyclic turns of the axes of the coordinates, then
/// of those of the oriented box.
static candidate make_candidate(const graze_mesh *mesh, graze_shape shape, int number) {
    candidate c = {.shape = shape};
    bool oriented = number >= 3;
    for (int k = 0; k < 3; k++) {
        int from = (k + number) % 3;
        for (int i = 0; i < 3; i++)
            c.axis[k][i] = oriented ? GZ_ARRAY3(mesh->obb.axis[from])[i] : (double)(i == from);
        c.center[k] = GZ_ARRAY3(mesh->sphere.center)[k];
    }
    return c;
}

gz_mesh_fit gz_mesh_fit_find(const graze_mesh *mesh, double area, double volume) {
    static const struct {
        graze_shape shape;
        int number;
    } tried[] = {{GRAZE_SHAPE_BOX, 0},      {GRAZE_SHAPE_BOX, 3},      {GRAZE_SHAPE_CYLINDER, 0},
                 {GRAZE_SHAPE_CYLINDER, 1}, {GRAZE_SHAPE_CYLINDER, 2}, {GRAZE_SHAPE_CYLINDER, 3},
                 {GRAZE_SHAPE_CYLINDER, 4}, {GRAZE_SHAPE_CYLINDER, 5}, {GRAZE_SHAPE_SPHERE, 0}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        candidate c = make_candidate(mesh, tried[i].shape, tried[i].number);
        double deviation;
        if (judge(&c, mesh, area, volume, &deviation)) {
            gz_mesh_fit fit = fit_of(&c, deviation);
            fit.limit = VERTEX_SHARE * diagonal_of(mesh);
            return fit;
        }
    }
    return (gz_mesh_fit){0};
}
