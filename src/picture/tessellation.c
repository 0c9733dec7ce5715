// Curved shapes as triangles, for the eye only.
#include <stdlib.h>

#include "picture/drawing.h"
#include "picture/vector.h"

#define PI 3.14159265358979323846

enum { AROUND = 64 }; // segments of a full circle

typedef struct surface {
    gz_drawing *drawing;
    const graze_transform *pose;
} surface;

/// A point of a surface of revolution about z, with its normal.
typedef struct ring_point {
    double radius, z, normal_radius, normal_z;
} ring_point;

static bool add_quad_half(const surface *s, const graze_vec3 p[4], const graze_vec3 n[4], int a,
                          int b, int c) {
    graze_vec3 corner[3] = {p[a], p[b], p[c]}, normal[3] = {n[a], n[b], n[c]};
    graze_vec3 area = vec_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0]));
    if (vec_length(area) == 0) return true;
    return gz_drawing_add(s->drawing, corner, normal);
}

/// The band between two rings, `a` below `b` seen from outside.
static bool add_band(const surface *s, ring_point a, ring_point b) {
    for (int i = 0; i < AROUND; i++) {
        graze_vec3 p[4], n[4];
        for (int k = 0; k < 4; k++) {
            const ring_point *r = k < 2 ? &a : &b;
            double angle = 2 * PI * (i + (k == 1 || k == 2)) / AROUND;
            double x = cos(angle), y = sin(angle);
            p[k] = vec_transform(s->pose, vec(r->radius * x, r->radius * y, r->z));
            n[k] = vec_unit(
                vec_rotate(s->pose, vec(r->normal_radius * x, r->normal_radius * y, r->normal_z)));
        }
        if (!add_quad_half(s, p, n, 0, 1, 2) || !add_quad_half(s, p, n, 0, 2, 3)) return false;
    }
    return true;
}

/// A part of a sphere between two latitudes, around (0, 0, z).
static bool add_cap(const surface *s, double radius, double z, double from, double to) {
    enum { UP = AROUND / 4 };
    ring_point last = {0};
    for (int i = 0; i <= UP; i++) {
        double latitude = from + (to - from) * i / UP;
        double c = fmax(cos(latitude), 0), h = sin(latitude);
        ring_point next = {c * radius, z + h * radius, c, h};
        if (i > 0 && !add_band(s, last, next)) return false;
        last = next;
    }
    return true;
}

static bool add_cylinder(const surface *s, double radius, double length) {
    double z = length / 2;
    return add_band(s, (ring_point){0, -z, 0, -1}, (ring_point){radius, -z, 0, -1}) &&
           add_band(s, (ring_point){radius, -z, 1, 0}, (ring_point){radius, z, 1, 0}) &&
           add_band(s, (ring_point){radius, z, 0, 1}, (ring_point){0, z, 0, 1});
}

static bool add_capsule(const surface *s, double radius, double length) {
    double z = length / 2;
    return add_cap(s, radius, -z, -PI / 2, 0) &&
           add_band(s, (ring_point){radius, -z, 1, 0}, (ring_point){radius, z, 1, 0}) &&
           add_cap(s, radius, z, 0, PI / 2);
}

static bool add_box(const surface *s, const double size[3]) {
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double side = face % 2 ? 1 : -1;
        graze_vec3 p[4], n[4];
        for (int k = 0; k < 4; k++) {
            double x[3], normal[3] = {0, 0, 0};
            x[axis] = side * size[axis] / 2;
            x[u] = (k == 1 || k == 2 ? 0.5 : -0.5) * size[u] * side;
            x[v] = (k >= 2 ? 0.5 : -0.5) * size[v];
            normal[axis] = side;
            p[k] = vec_transform(s->pose, vec(x[0], x[1], x[2]));
            n[k] = vec_rotate(s->pose, vec(normal[0], normal[1], normal[2]));
        }
        if (!add_quad_half(s, p, n, 0, 1, 2) || !add_quad_half(s, p, n, 0, 2, 3)) return false;
    }
    return true;
}

/// Points as octahedra with the normals of balls; of very many, only every so-many-th.
static bool add_points(const surface *s, const graze_geometry *g) {
    static const double tip[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    size_t stride = 1 + g->vertex_count / 200000;
    for (size_t i = 0; g->vertices && i < g->vertex_count; i += stride) {
        const double *c = g->vertices + 3 * i;
        for (int face = 0; face < 8; face++) {
            graze_vec3 p[3], n[3];
            for (int k = 0; k < 3; k++) {
                const double *t = tip[2 * k + (face >> k & 1)];
                n[k] = vec_rotate(s->pose, vec(t[0], t[1], t[2]));
                p[k] = vec_transform(s->pose, vec(c[0] + g->radius * t[0], c[1] + g->radius * t[1],
                                                  c[2] + g->radius * t[2]));
            }
            if (!gz_drawing_add(s->drawing, p, n)) return false;
        }
    }
    return true;
}

bool gz_drawing_add_shape(gz_drawing *drawing, const graze_geometry *g,
                          const graze_transform *pose) {
    surface s = {drawing, pose};
    switch (g->shape) {
    case GRAZE_SHAPE_BOX:
        return add_box(&s, g->size);
    case GRAZE_SHAPE_SPHERE:
        return add_cap(&s, g->radius, 0, -PI / 2, PI / 2);
    case GRAZE_SHAPE_CYLINDER:
        return add_cylinder(&s, g->radius, g->length);
    case GRAZE_SHAPE_CAPSULE:
        return add_capsule(&s, g->radius, g->length);
    case GRAZE_SHAPE_POINTS:
        return add_points(&s, g);
    case GRAZE_SHAPE_MESH:
        return true; // not loaded
    }
    return true;
}
