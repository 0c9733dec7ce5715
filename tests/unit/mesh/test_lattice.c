// Lattices: no triangle comes near a cell that is not touched, by clipping triangles against grown
// cells; and hardly more is touched than must be.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh_maker.h"

// The file itself, for its axes.
#include "mesh/prefilter/lattice.c"

typedef struct polygon {
    double p[16][3];
    int n;
} polygon;

/// Keeps what lies at sign * (x_k - at) <= 0 (Sutherland and Hodgman 1974).
static polygon clip(const polygon *in, int k, double at, double sign) {
    polygon out = {.n = 0};
    for (int i = 0; i < in->n; i++) {
        const double *a = in->p[i], *b = in->p[(i + 1) % in->n];
        double da = sign * (a[k] - at), db = sign * (b[k] - at);
        if (da <= 0) memcpy(out.p[out.n++], a, sizeof out.p[0]);
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            double t = da / (da - db);
            for (int j = 0; j < 3; j++) out.p[out.n][j] = a[j] + t * (b[j] - a[j]);
            out.p[out.n++][k] = at;
        }
    }
    return out;
}

/// Whether some point of a triangle is in the cell, grown by `grow` metres. Rounding is far below
/// what the callers leave.
static bool reaches(const graze_mesh *m, size_t t, const gz_lattice *b, const size_t cell[3],
                    double grow) {
    polygon p = {.n = 3};
    for (size_t i = 0; i < 3; i++)
        memcpy(p.p[i], m->vertices + 3 * (size_t)m->triangles[3 * t + i], sizeof p.p[i]);
    for (int k = 0; k < 3; k++) {
        double low = b->low[k] + (double)cell[k] * b->step;
        p = clip(&p, k, low - grow, -1);
        p = clip(&p, k, low + b->step + grow, 1);
    }
    return p.n > 0;
}

typedef struct counts {
    size_t touched, clear, spared;
} counts;

/// Every cell against every triangle.
static void check(const graze_mesh *m, size_t wanted, counts *c) {
    gz_lattice b;
    assert_true(gz_lattice_build(&b, m, wanted));
    assert_non_null(b.cells);
    assert_int_equal(b.count, b.n[0] * b.n[1] * b.n[2]);
    for (size_t i = 0; i < b.count; i++) {
        const size_t cell[3] = {i % b.n[0], i / b.n[0] % b.n[1], i / b.n[0] / b.n[1]};
        bool near = false, beside = false;
        for (size_t t = 0; t < m->triangle_count && !near; t++) {
            near = reaches(m, t, &b, cell, 2 * b.pad * (1 - 1e-6));
            beside = beside || near || reaches(m, t, &b, cell, b.step);
        }
        assert_in_range(b.cells[i], 0, 1);
        assert_true(b.cells[i] || !near);
        assert_true(!b.cells[i] || beside);
        c->touched += b.cells[i];
        c->clear += !near;
        c->spared += !near && !b.cells[i];
    }
    // The border is never touched: whoever floods from a corner must get around the mesh.
    for (size_t i = 0; i < b.count; i++) {
        const size_t cell[3] = {i % b.n[0], i / b.n[0] % b.n[1], i / b.n[0] / b.n[1]};
        for (int k = 0; k < 3; k++)
            if (cell[k] == 0 || cell[k] + 1 == b.n[k]) assert_int_equal(b.cells[i], 0);
    }
    gz_lattice_clear(&b);
}

static double some(gz_random *r) {
    return gz_random_range(r, -1, 1);
}

/// A triangle of one of several kinds, from a point to a needle across the mesh.
static void add_triangle(maker *m, gz_random *r, uint32_t kind, double away) {
    double p[3][3], size = kind == 0 ? 2 : kind == 1 ? 0.3 : kind == 2 ? 0.02 : 1e-9;
    double middle[3] = {some(r), some(r), some(r)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) p[i][k] = middle[k] + size * some(r);
    if (kind == 4) // a needle: the third corner all but on the line of the others
        for (int k = 0; k < 3; k++)
            p[0][k] = some(r), p[1][k] = some(r), p[2][k] = 0.3 * p[0][k] + 0.7 * p[1][k];
    if (kind == 5) p[1][0] = p[2][0] = p[0][0];                            // across an axis
    if (kind == 6) p[1][0] = p[0][0] + 1e-7 * some(r), p[1][1] = -p[0][1]; // nearly along one
    if (kind == 7) memcpy(p[2], p[1], sizeof p[2]);                        // a line
    uint32_t v[3];
    for (int i = 0; i < 3; i++) v[i] = maker_vertex(m, away + p[i][0], p[i][1] - away, p[i][2]);
    maker_triangle(m, v[0], v[1], v[2]);
}

static void no_triangle_comes_near_a_cell_that_is_not_touched(void **state) {
    (void)state;
    gz_random r = gz_random_make(41, 0);
    counts c = {0};
    for (uint32_t trial = 0; trial < 120; trial++) {
        maker m = {0};
        uint32_t kind = trial % 9, n = 1 + gz_random_below(&r, 12);
        double away = trial % 4 == 3 ? 40 : 0;
        for (uint32_t i = 0; i < n; i++)
            add_triangle(&m, &r, kind < 8 ? kind : gz_random_below(&r, 8), away);
        add_triangle(&m, &r, 0, away); // so that tiny ones have a lattice around them
        graze_mesh *mesh = maker_finish(&m);
        check(mesh, 200 + gz_random_below(&r, 1500), &c);
        graze_mesh_free(mesh);
    }
    print_message("%zu cells touched; %zu of %zu that are clear were not\n", c.touched, c.spared,
                  c.clear);
    assert_true(c.touched > 1000 && c.spared > c.clear / 100 * 95);
}

static void a_plate_and_a_rod_have_lattices_too(void **state) {
    (void)state;
    counts c = {0};
    static const double half[3][3] = {{1, 1, 1e-3}, {1, 1e-3, 1e-3}, {0.3, 1, 0.2}};
    for (int i = 0; i < 3; i++) {
        maker m = {0};
        maker_box(&m, (double[3]){0.1, 0.2, 0.3}, half[i]);
        graze_mesh *mesh = maker_finish(&m);
        check(mesh, 4096, &c);
        graze_mesh_free(mesh);
    }
}

/// Boxes for whose steps cube roots of C libraries end in other bits; what is compiled from them
/// must not.
static void steps_have_the_same_bits_with_every_c_library(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0};
    static const struct {
        double sixteenths[3], step;
    } boxes[] = {{{5, 4, 4}, 0x1.13c484138704fp-6},
                 {{24, 18, 5}, 0x1.9da6c61d4a875p-5},
                 {{35, 34, 27}, 0x1.fca7c07f36353p-4},
                 {{39, 26, 24}, 0x1.cfa9e4dd130e5p-4}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        double half[3];
        for (int k = 0; k < 3; k++) half[k] = boxes[i].sixteenths[k] / 32;
        maker m = {0};
        maker_box(&m, origin, half);
        graze_mesh *mesh = maker_finish(&m);
        gz_lattice b;
        assert_true(gz_lattice_build(&b, mesh, 4096));
        assert_true(b.step == boxes[i].step);
        gz_lattice_clear(&b);
        graze_mesh_free(mesh);
    }
}

/// An axis is left out only where its inverse would overflow; whatever is kept has numbers.
static void axes_are_kept_as_long_as_they_have_an_inverse(void **state) {
    (void)state;
    const double corner[3][3] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 4}};
    for (int e = -1000; e <= -980; e++) {
        // Just not flat: the inverse is as long as it may be.
        double length = ldexp(1, e);
        const double d[3] = {length * FLAT * (1 + 0x1p-10), length, 0};
        row_cuts cuts = {.along_count = 0};
        add_axis(&cuts, corner, d);
        assert_int_equal(cuts.across_count, 0);
        assert_int_equal(cuts.along_count, e >= -994);
        if (!cuts.along_count) continue;
        assert_true(isfinite(cuts.along[0].first) && isfinite(cuts.along[0].width));
        assert_true(isfinite(cuts.along[0].y) && isfinite(cuts.along[0].z));
    }
    // Between this and half of it inverses do overflow.
    row_cuts cuts = {.along_count = 0};
    const double d[3] = {0x1.8p-995 * FLAT * (1 + 0x1p-10), 0x1.8p-995, 0};
    assert_true(!isfinite(1 / d[0]));
    add_axis(&cuts, corner, d);
    assert_int_equal(cuts.along_count + cuts.across_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_triangle_comes_near_a_cell_that_is_not_touched),
        cmocka_unit_test(a_plate_and_a_rod_have_lattices_too),
        cmocka_unit_test(steps_have_the_same_bits_with_every_c_library),
        cmocka_unit_test(axes_are_kept_as_long_as_they_have_an_inverse),
    };
    return cmocka_run_group_tests_name("lattice", tests, NULL, NULL);
}
