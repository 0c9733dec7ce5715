// Meshes whose triangles lie in each other by the thousand: their maps took a look at all triangles
// for every cell, and at all of their parts for every part. What they hold must still be true.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "mesh_maker.h"
#include "unit/trials.h"

/// Tangled meshes take some thirty times as long as a calm one with a map of as many cells; with
/// all looks it was three hundred times.
#define TIMES_MOST 100

static graze_mesh *make(const maker *m, double *seconds) {
    graze_mesh *mesh = NULL;
    graze_error error;
    clock_t begin = clock();
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error)) fail_msg("%s", error.message);
    *seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return mesh;
}

/// Builds an object, in not too long.
static graze_mesh *make_quickly(const maker *m) {
    static const double origin[3] = {0, 0, 0};
    maker calm = {0};
    double seconds, usual;
    maker_sphere(&calm, origin, 1, 60, 80);
    graze_mesh_free(make(&calm, &usual));
    maker_free(&calm);
    graze_mesh *mesh = make(m, &seconds);
    if (seconds > TIMES_MOST * usual)
        fail_msg("%zu triangles take %g s, a sphere %g s", m->nt, seconds, usual);
    return mesh;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The point of a triangle nearest to p, roughly: by ever finer weights. Not below the
/// distance, where that is at most `reach`; else above it.
static double distance_above(const graze_mesh *mesh, size_t t, const double p[3], double limit) {
    double v[3][3], weight[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0}, best = INFINITY;
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < 3; k++)
            v[c][k] = mesh->vertices[3 * (size_t)mesh->triangles[3 * t + c] + k] - p[k];
    for (int k = 0; k < 3; k++) // beyond that in one coordinate
        if (fmin(v[0][k], fmin(v[1][k], v[2][k])) > limit ||
            fmax(v[0][k], fmax(v[1][k], v[2][k])) < -limit)
            return INFINITY;
    for (double step = 0.5; step > 1e-5; step *= 0.5)
        for (int way = 0, better = 0; way < 6 || better; way++) {
            if (way == 6) way = better = 0;
            double w[3] = {weight[0], weight[1], weight[2]}, q[3];
            int to = way % 3, from = (to + 1 + way / 3) % 3;
            double move = fmin(step, w[from]);
            w[to] += move;
            w[from] -= move;
            for (int k = 0; k < 3; k++) q[k] = w[0] * v[0][k] + w[1] * v[1][k] + w[2] * v[2][k];
            double here = dot(q, q);
            if (!(here < best)) continue;
            best = here;
            better = 1;
            for (int k = 0; k < 3; k++) weight[k] = w[k];
        }
    return sqrt(best);
}

/// Cells' values are lower bounds, and flags those of a box around the origin, the only closed
/// part.
static void expect_true_map(const graze_mesh *mesh, const double half[3]) {
    const gz_clearance_map *map = &mesh->proxy->clearance;
    gz_random random = gz_random_make(5, 0);
    assert_true(map->cell_count > 100000);
    size_t told = 0;
    for (int i = 0; i < 40000 && told < 150; i++) {
        size_t at = gz_random_below(&random, (uint32_t)map->cell_count);
        const size_t n[3] = {at % (size_t)map->count[0],
                             at / (size_t)map->count[0] % (size_t)map->count[1],
                             at / (size_t)map->count[0] / (size_t)map->count[1]};
        int value = map->cells[at] & ~GZ_CLEARANCE_INSIDE;
        if (value == 0) continue;
        told++;
        double p[3], limit = value * (double)map->unit * (1 - 1e-5);
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            p[k] = (double)map->low[k] + ((double)n[k] + 0.5) / (double)map->inverse;
            inside = inside && fabs(p[k]) < half[k];
        }
        for (size_t t = 0; t < mesh->triangle_count; t++)
            assert_true(distance_above(mesh, t, p, limit) > limit);
        assert_int_equal((map->cells[at] & GZ_CLEARANCE_INSIDE) != 0, inside);
    }
    assert_true(told >= 100);
}

/// Long needles through all of a hall, and a closed box among them.
static void test_needles_through_a_hall_take_no_visit_each_for_every_cell(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0}, half[3] = {0.7, 0.6, 0.5};
    gz_random random = gz_random_make(1, 0);
    maker m = {0};
    maker_box(&m, origin, half);
    for (int i = 0; i < TRIALS(15000, 4000); i++) {
        double a[3], b[3];
        for (int k = 0; k < 3; k++) a[k] = gz_random_range(&random, -1, 1);
        for (int k = 0; k < 3; k++) b[k] = gz_random_range(&random, -1, 1);
        uint32_t from = maker_vertex(&m, a[0], a[1], a[2]), to = maker_vertex(&m, b[0], b[1], b[2]);
        maker_triangle(&m, from, to, maker_vertex(&m, b[0] + 1e-3, b[1] - 1e-3, b[2] + 1e-3));
    }
    graze_mesh *mesh = make_quickly(&m);
    expect_true_map(mesh, half);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// Large triangles in a thin slab, whose lattice has a row for every second cell.
static void test_large_triangles_in_a_slab_take_no_row_each(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0}, half[3] = {0.02, 0.9, 0.9};
    gz_random random = gz_random_make(2, 0);
    maker m = {0};
    maker_box(&m, origin, half);
    for (int i = 0; i < 40000; i++) {
        uint32_t at[3];
        for (int c = 0; c < 3; c++)
            at[c] = maker_vertex(&m, gz_random_range(&random, 0.025, 0.027),
                                 gz_random_range(&random, -1, 1), gz_random_range(&random, -1, 1));
        maker_triangle(&m, at[0], at[1], at[2]);
    }
    graze_mesh *mesh = make_quickly(&m);
    expect_true_map(mesh, half);
    graze_mesh_free(mesh);
    maker_free(&m);
}

enum { BOXES = TRIALS(3500, 1000) };

/// Boxes in each other: a ray in one passes all.
static void test_nested_boxes_take_no_visit_each_for_every_other(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    for (int i = 0; i < BOXES; i++) {
        double h = 1 + 1e-6 * i;
        maker_box(&m, origin, (const double[3]){h, h, h});
    }
    graze_mesh *mesh = make_quickly(&m);
    assert_int_equal(mesh->proxy->component_count, BOXES);
    for (size_t i = 0; i < mesh->proxy->component_count; i++) {
        const gz_component_proxy *component = &mesh->proxy->components[i];
        for (int c = 0; c < component->inner_count; c++)
            for (int k = 0; k < 3; k++)
                assert_true(fabs((double)component->inner[c].center[k]) +
                                (double)component->inner[c].half[k] <
                            1);
    }
    assert_true(mesh->proxy->components[0].inner_count > 0);
    graze_mesh_free(mesh);
    maker_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needles_through_a_hall_take_no_visit_each_for_every_cell),
        cmocka_unit_test(test_large_triangles_in_a_slab_take_no_row_each),
        cmocka_unit_test(test_nested_boxes_take_no_visit_each_for_every_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
