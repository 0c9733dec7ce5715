/// Meshes for tests: closed shells, soups and needles, built vertex by vertex without any code of
/// the library but the random numbers.
#ifndef GZ_TESTS_MESH_MAKER_H
#define GZ_TESTS_MESH_MAKER_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/geometry.h"

/// Triangles in the making; zero-initialise, free with maker_free().
typedef struct maker {
    double *v;
    uint32_t *t;
    size_t nv, nt, vertex_room, triangle_room;
} maker;

static inline void maker_free(maker *m) {
    free(m->v);
    free(m->t);
    memset(m, 0, sizeof *m);
}

static inline uint32_t maker_vertex(maker *m, double x, double y, double z) {
    if (m->nv == m->vertex_room) {
        m->vertex_room = 2 * m->vertex_room + 16;
        m->v = realloc(m->v, m->vertex_room * 3 * sizeof *m->v);
        if (!m->v) abort();
    }
    double *p = m->v + 3 * m->nv;
    p[0] = x, p[1] = y, p[2] = z;
    return (uint32_t)m->nv++;
}

static inline void maker_triangle(maker *m, uint32_t a, uint32_t b, uint32_t c) {
    if (m->nt == m->triangle_room) {
        m->triangle_room = 2 * m->triangle_room + 16;
        m->t = realloc(m->t, m->triangle_room * 3 * sizeof *m->t);
        if (!m->t) abort();
    }
    uint32_t *p = m->t + 3 * m->nt++;
    p[0] = a, p[1] = b, p[2] = c;
}

/// A closed sphere, outward, of 2 (stacks - 1) slices triangles.
static inline void maker_sphere(maker *m, const double center[3], double radius, int stacks,
                                int slices) {
    const double pi = acos(-1);
    uint32_t north = maker_vertex(m, center[0], center[1], center[2] + radius), ring = north + 1;
    for (int i = 1; i < stacks; i++)
        for (int k = 0; k < slices; k++) {
            double a = pi * i / stacks, b = 2 * pi * k / slices;
            maker_vertex(m, center[0] + radius * sin(a) * cos(b),
                         center[1] + radius * sin(a) * sin(b), center[2] + radius * cos(a));
        }
    uint32_t south = maker_vertex(m, center[0], center[1], center[2] - radius);
    uint32_t n = (uint32_t)slices, last = ring + (uint32_t)(stacks - 2) * n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t next = (k + 1) % n;
        maker_triangle(m, north, ring + k, ring + next);
        maker_triangle(m, south, last + next, last + k);
        for (uint32_t row = ring; row < last; row += n) {
            maker_triangle(m, row + k, row + n + k, row + n + next);
            maker_triangle(m, row + k, row + n + next, row + next);
        }
    }
}

/// A closed torus about z, outward, of 2 n m triangles.
static inline void maker_torus(maker *m, double big, double small, int n, int k) {
    const double pi = acos(-1);
    uint32_t first = (uint32_t)m->nv, rows = (uint32_t)n, columns = (uint32_t)k;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            double a = 2 * pi * i / n, b = 2 * pi * j / k, r = big + small * cos(b);
            maker_vertex(m, r * cos(a), r * sin(a), small * sin(b));
        }
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            uint32_t i1 = (i + 1) % rows, j1 = (j + 1) % columns;
            uint32_t a = first + i * columns + j, b = first + i1 * columns + j,
                     c = first + i1 * columns + j1, d = first + i * columns + j1;
            maker_triangle(m, a, b, c);
            maker_triangle(m, a, c, d);
        }
}

/// A closed box, outward, 12 triangles.
static inline void maker_box(maker *m, const double center[3], const double half[3]) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    uint32_t first = (uint32_t)m->nv;
    for (int i = 0; i < 8; i++)
        maker_vertex(m, center[0] + (i & 1 ? half[0] : -half[0]),
                     center[1] + (i & 2 ? half[1] : -half[1]),
                     center[2] + (i & 4 ? half[2] : -half[2]));
    for (int i = 0; i < 12; i++)
        maker_triangle(m, first + faces[i][0], first + faces[i][1], first + faces[i][2]);
}

/// Triangles anywhere in a cube of edge 2, with edges up to `size`; every ninth is degenerate.
static inline void maker_soup(maker *m, gz_random *r, size_t count, double size) {
    for (size_t i = 0; i < count; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = gz_random_range(r, -1, 1);
        uint32_t c[3];
        for (int j = 0; j < 3; j++)
            c[j] = maker_vertex(m, p[0] + gz_random_range(r, -size, size),
                                p[1] + gz_random_range(r, -size, size),
                                p[2] + gz_random_range(r, -size, size));
        if (i % 9 == 8) c[2] = c[i % 2];
        maker_triangle(m, c[0], c[1], c[2]);
    }
}

/// Slivers: long triangles of hardly any width.
static inline void maker_needles(maker *m, gz_random *r, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double p[3], d[3], w = pow(10, gz_random_range(r, -15, -2));
        for (int k = 0; k < 3; k++) {
            p[k] = gz_random_range(r, -1, 1);
            d[k] = gz_random_range(r, -1, 1);
        }
        uint32_t a = maker_vertex(m, p[0], p[1], p[2]),
                 b = maker_vertex(m, p[0] + d[0], p[1] + d[1], p[2] + d[2]),
                 c = maker_vertex(m, p[0] + 0.4 * d[0] + w, p[1] + 0.4 * d[1] - w,
                                  p[2] + 0.4 * d[2] + w);
        maker_triangle(m, a, b, c);
    }
}

/// Reverses the winding of the triangles from `first` on.
static inline void maker_flip(maker *m, size_t first) {
    for (size_t i = first; i < m->nt; i++) {
        uint32_t swap = m->t[3 * i + 1];
        m->t[3 * i + 1] = m->t[3 * i + 2];
        m->t[3 * i + 2] = swap;
    }
}

static inline void maker_scale(maker *m, double s) {
    for (size_t i = 0; i < 3 * m->nv; i++) m->v[i] *= s;
}

/// Takes the vertices apart, as an STL file would.
static inline void maker_explode(maker *m) {
    maker out = {0};
    for (size_t i = 0; i < 3 * m->nt; i++) {
        const double *p = m->v + 3 * (size_t)m->t[i];
        maker_vertex(&out, p[0], p[1], p[2]);
    }
    for (uint32_t i = 0; i < m->nt; i++) maker_triangle(&out, 3 * i, 3 * i + 1, 3 * i + 2);
    maker_free(m);
    *m = out;
}

/// The mesh of what was made; aborts where that fails. Frees the maker.
static inline graze_mesh *maker_finish(maker *m) {
    graze_mesh *mesh;
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, NULL)) abort();
    maker_free(m);
    return mesh;
}

/// A rotation drawn evenly and a translation within +-far.
static inline graze_transform maker_pose(gz_random *r, double far) {
    double xyz[3], q[4], n;
    do {
        n = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = gz_random_range(r, -1, 1);
            n += q[i] * q[i];
        }
    } while (n > 1 || n < 0.01);
    for (int i = 0; i < 3; i++) xyz[i] = gz_random_range(r, -far, far);
    return graze_transform_from_xyz_quat(xyz, q);
}

#endif
