// Maps of what is inside: a set cell has no surface in it or near it and lies inside, by distances
// and solid angles computed here. Enough cells are set to be of use.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh/prefilter/cell_map.h"
#include "mesh_maker.h"

static graze_mesh *make(maker *m) {
    graze_mesh *mesh = NULL;
    graze_error error;
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error)) fail_msg("%s", error.message);
    return mesh;
}

static double cell_middle(const gz_inside_map *map, int axis, int i) {
    return (double)map->low[axis] + (i + 0.5) / (double)map->inverse;
}

/// Calls `each` for the middle of every set cell; returns how many there are.
static size_t visit(const gz_inside_map *map,
                    void (*each)(const double p[3], double half, const void *user),
                    const void *user) {
    size_t set = 0;
    uint32_t cell = 0;
    for (int z = 0; z < map->count[2]; z++)
        for (int y = 0; y < map->count[1]; y++)
            for (int x = 0; x < map->count[0]; x++, cell++) {
                if (!gz_inside_map_has(map, cell)) continue;
                double p[3] = {cell_middle(map, 0, x), cell_middle(map, 1, y),
                               cell_middle(map, 2, z)};
                each(p, 0.5 / (double)map->inverse, user);
                set++;
            }
    return set;
}

/// A torus of circles: a cell is inside when all its corners are within the smaller circle, less
/// what flat facets take off.
static void inside_torus(const double p[3], double half, const void *user) {
    const double *size = user;
    for (int i = 0; i < 8; i++) {
        double x = p[0] + (i & 1 ? half : -half), y = p[1] + (i & 2 ? half : -half),
               z = p[2] + (i & 4 ? half : -half);
        double r = sqrt(x * x + y * y) - size[0];
        assert_true(sqrt(r * r + z * z) < size[1]);
    }
}

static void cells_of_a_torus_are_inside_it(void **state) {
    (void)state;
    maker m = {0};
    double size[2] = {0.4, 0.15};
    maker_torus(&m, size[0], size[1], 48, 24);
    graze_mesh *mesh = make(&m);
    gz_inside_map map;
    assert_true(gz_inside_map_build(&map, mesh));
    assert_non_null(map.bits);
    size_t set = visit(&map, inside_torus, size);
    // A good part of the volume 2 pi^2 R r^2.
    double cell = pow(1 / (double)map.inverse, 3);
    assert_true((double)set * cell > 0.25 * 2 * 9.8696 * size[0] * size[1] * size[1]);
    gz_free(map.bits);
    graze_mesh_free(mesh);
    maker_free(&m);
}

static void inside_ball(const double p[3], double half, const void *user) {
    const double *radius = user;
    assert_true(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + half < *radius);
}

static void a_reversed_sphere_has_an_inside_too(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.5, 16, 24);
    for (size_t t = 0; t < m.nt; t++) {
        uint32_t swap = m.t[3 * t];
        m.t[3 * t] = m.t[3 * t + 1];
        m.t[3 * t + 1] = swap;
    }
    graze_mesh *mesh = make(&m);
    gz_inside_map map;
    assert_true(gz_inside_map_build(&map, mesh));
    assert_non_null(map.bits);
    assert_true(visit(&map, inside_ball, &(double){0.5}) > 100);
    gz_free(map.bits);
    graze_mesh_free(mesh);
    maker_free(&m);
}

static void an_open_mesh_has_no_inside(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.5, 16, 24);
    m.nt--; // a hole
    graze_mesh *mesh = make(&m);
    gz_inside_map map;
    assert_true(gz_inside_map_build(&map, mesh));
    assert_null(map.bits);
    gz_free(map.bits);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// Far from the origin floats cannot tell the cells apart: no map rather than a wrong one.
static void a_small_mesh_far_away_has_no_map(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){5000, 0, 0}, 0.01, 16, 24);
    graze_mesh *mesh = make(&m);
    gz_inside_map map;
    assert_true(gz_inside_map_build(&map, mesh));
    assert_null(map.bits);
    gz_free(map.bits);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// A sphere in a sphere, turned inwards: what it encloses is outside again.
static void a_cavity_is_not_inside(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 1, 40, 60);
    size_t first = m.nt;
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.6, 20, 30);
    for (size_t t = first; t < m.nt; t++) {
        uint32_t *c = m.t + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
    graze_mesh *mesh = make(&m);
    gz_inside_map map;
    assert_true(gz_inside_map_build(&map, mesh));
    size_t set = 0;
    uint32_t i = 0;
    for (int z = 0; z < map.count[2]; z++)
        for (int y = 0; y < map.count[1]; y++)
            for (int x = 0; x < map.count[0]; x++, i++) {
                double p[3] = {(double)map.low[0] + (x + 0.5) / (double)map.inverse,
                               (double)map.low[1] + (y + 0.5) / (double)map.inverse,
                               (double)map.low[2] + (z + 0.5) / (double)map.inverse};
                if (!gz_inside_map_has(&map, i)) continue;
                set++;
                assert_true(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 0.35);
            }
    assert_true(set > 100);
    gz_free(map.bits);
    graze_mesh_free(mesh);
    maker_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_a_torus_are_inside_it),
        cmocka_unit_test(a_reversed_sphere_has_an_inside_too),
        cmocka_unit_test(an_open_mesh_has_no_inside),
        cmocka_unit_test(a_small_mesh_far_away_has_no_map),
        cmocka_unit_test(a_cavity_is_not_inside),
    };
    return cmocka_run_group_tests_name("inside_map", tests, NULL, NULL);
}
