/// Winding numbers against a generic ray in integers and against sums of solid angles.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh/cap.h"

#define MOST 4096

typedef struct lattice_mesh {
    int64_t t[MOST][3][3];
    size_t count;
} lattice_mesh;

static lattice_mesh mesh;

static int64_t det3(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void minus(int64_t out[3], const int64_t a[3], const int64_t b[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

enum { ON_SURFACE = 1000, TRY_AGAIN = 1001 };

/// Whether the triangle has no area: it adds nothing to any winding number.
static bool is_flat(int64_t (*t)[3]) {
    int64_t u[3], v[3];
    minus(u, t[1], t[0]);
    minus(v, t[2], t[0]);
    return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
}

/// The winding number by a ray in an integer direction that meets no edge, or one of the two above.
static int ray_winding(const int64_t p[3], const int64_t direction[3]) {
    int sum = 0;
    for (size_t i = 0; i < mesh.count; i++) {
        int64_t a[3], b[3], c[3];
        minus(a, mesh.t[i][0], p);
        minus(b, mesh.t[i][1], p);
        minus(c, mesh.t[i][2], p);
        if (is_flat(mesh.t[i])) continue;
        int64_t ab = det3(direction, a, b), bc = det3(direction, b, c), ca = det3(direction, c, a);
        if (ab == 0 || bc == 0 || ca == 0) return TRY_AGAIN;
        if ((ab > 0) != (bc > 0) || (ab > 0) != (ca > 0)) continue;
        // The line meets the inside of the triangle, at a parameter with the sign of
        // det(a, b, c) / (ab + bc + ca).
        int64_t volume = det3(a, b, c), along = ab + bc + ca;
        if (volume == 0) return ON_SURFACE;
        if ((volume > 0) == (along > 0)) sum += along > 0 ? 1 : -1;
    }
    return sum;
}

static int oracle(gz_random *random, const int64_t p[3]) {
    // Where no direction works, the point lies on an edge.
    for (int attempt = 0; attempt < 20; attempt++) {
        int64_t direction[3];
        for (int k = 0; k < 3; k++) direction[k] = (int64_t)gz_random_below(random, 20001) - 10000;
        int winding = ray_winding(p, direction);
        if (winding != TRY_AGAIN) return winding;
    }
    return ON_SURFACE;
}

static int judged(const int64_t p[3], double scale) {
    double q[3], t[3][3];
    int sum = 0;
    for (int k = 0; k < 3; k++) q[k] = scale * (double)p[k];
    for (size_t i = 0; i < mesh.count; i++) {
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) t[c][k] = scale * (double)mesh.t[i][c][k];
        }
        sum += gz_winding_crossing(q, (const double(*)[3])t);
    }
    return sum;
}

static void add_triangle(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    assert_true(mesh.count < MOST);
    for (int k = 0; k < 3; k++) {
        mesh.t[mesh.count][0][k] = a[k];
        mesh.t[mesh.count][1][k] = b[k];
        mesh.t[mesh.count][2][k] = c[k];
    }
    mesh.count++;
}

static void add_tetrahedron(gz_random *random) {
    int64_t p[4][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) p[i][k] = 2 * (int64_t)gz_random_below(random, 4);
    }
    // Any orientation, flat ones too: closed all the same.
    add_triangle(p[0], p[2], p[1]);
    add_triangle(p[0], p[1], p[3]);
    add_triangle(p[1], p[2], p[3]);
    add_triangle(p[2], p[0], p[3]);
}

static void test_winding_of_lattice_tetrahedra_is_that_of_a_generic_ray(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 0);
    size_t inside = 0, negative = 0, surface = 0, tested = 0;
    for (int trial = 0; trial < 2000; trial++) {
        mesh.count = 0;
        for (uint32_t n = 1 + gz_random_below(&random, 3); n > 0; n--) add_tetrahedron(&random);
        for (int sample = 0; sample < 20; sample++) {
            int64_t p[3];
            for (int k = 0; k < 3; k++) p[k] = (int64_t)gz_random_below(&random, 9) - 1;
            int expected = oracle(&random, p);
            if (expected == ON_SURFACE) {
                surface++;
                continue;
            }
            assert_int_equal(judged(p, 1), expected);
            assert_int_equal(judged(p, 0x1p-40), expected);
            tested++;
            inside += expected > 0;
            negative += expected < 0;
        }
    }
    print_message("%zu tested, %zu inside, %zu reversed, %zu on a surface\n", tested, inside,
                  negative, surface);
    assert_true(tested > 10000 && inside > 100 && negative > 100 && surface > 300);
}

/// Adds the two triangles of a unit face of the cell, its outside along +axis or -axis.
static void add_face(const int64_t cell[3], int axis, int side, bool diagonal) {
    int64_t c[4][3];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 4; i++) {
        c[i][axis] = 2 * (cell[axis] + side);
        c[i][u] = 2 * (cell[u] + (i == 1 || i == 2));
        c[i][v] = 2 * (cell[v] + (i >= 2));
    }
    int first = diagonal ? 0 : 1;
    const int64_t *q[4];
    for (int i = 0; i < 4; i++) q[i] = c[(first + i) % 4];
    if (side == 1) {
        add_triangle(q[0], q[1], q[2]);
        add_triangle(q[0], q[2], q[3]);
    } else {
        add_triangle(q[0], q[2], q[1]);
        add_triangle(q[0], q[3], q[2]);
    }
}

static void test_winding_in_voxels_is_one_inside_and_zero_outside(void **state) {
    (void)state;
    // Boundaries of random sets of cells: every lattice column of odd points runs through face
    // middles (the diagonals), every other one through edges and vertices.
    enum { N = 4 };
    gz_random random = gz_random_make(2, 0);
    for (int trial = 0; trial < 25; trial++) {
        bool full[N + 2][N + 2][N + 2] = {{{false}}};
        for (int i = 1; i <= N; i++) {
            for (int j = 1; j <= N; j++) {
                for (int k = 1; k <= N; k++) full[i][j][k] = gz_random_below(&random, 3) > 0;
            }
        }
        mesh.count = 0;
        for (int i = 1; i <= N; i++) {
            for (int j = 1; j <= N; j++) {
                for (int k = 1; k <= N; k++) {
                    if (!full[i][j][k]) continue;
                    const int64_t cell[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        for (int side = 0; side < 2; side++) {
                            int m[3] = {i, j, k};
                            m[axis] += side == 1 ? 1 : -1;
                            if (full[m[0]][m[1]][m[2]]) continue;
                            add_face(cell, axis, side, gz_random_below(&random, 2) == 0);
                        }
                    }
                }
            }
        }
        for (int64_t x = 1; x <= 2 * N + 3; x++) {
            for (int64_t y = 1; y <= 2 * N + 3; y++) {
                for (int64_t z = 1; z <= 2 * N + 3; z += 2) {
                    const int64_t p[3] = {x, y, z};
                    // A point of a face plane in x or y is inside where all cells around are full.
                    int filled = 0, cells = 0;
                    for (int64_t i = (x - 1) / 2; i <= x / 2; i++) {
                        for (int64_t j = (y - 1) / 2; j <= y / 2; j++) {
                            cells++;
                            filled += full[i][j][z / 2];
                        }
                    }
                    if (filled != 0 && filled != cells) continue;
                    assert_int_equal(judged(p, 1), filled == cells);
                    assert_int_equal(judged(p, 0.1), filled == cells);
                }
            }
        }
    }
}

static double solid_angle(const double p[3], const double t[3][3]) {
    // Van Oosterom and Strackee (1983).
    double d[3][3], l[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) d[i][k] = t[i][k] - p[k];
        l[i] = sqrt(d[i][0] * d[i][0] + d[i][1] * d[i][1] + d[i][2] * d[i][2]);
    }
    double triple = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                    d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                    d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    double dots[3];
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        dots[i] = (d[a][0] * d[b][0] + d[a][1] * d[b][1] + d[a][2] * d[b][2]) * l[i];
    }
    return 2 * atan2(triple, l[0] * l[1] * l[2] + dots[0] + dots[1] + dots[2]);
}

static void test_winding_of_curved_meshes_is_their_solid_angle(void **state) {
    (void)state;
    // Star-shaped balls of 200 bumpy triangles, closed because their vertices are shared.
    enum { RINGS = 11, SPOKES = 10 };
    const double pi = acos(-1.0);
    gz_random random = gz_random_make(3, 0);
    size_t inside = 0, outside = 0;
    for (int trial = 0; trial < 40; trial++) {
        double v[RINGS + 1][SPOKES][3], t[2 * RINGS * SPOKES][3][3];
        for (int r = 0; r <= RINGS; r++) {
            for (int s = 0; s < SPOKES; s++) {
                double theta = pi * r / RINGS, phi = 2 * pi * s / SPOKES;
                double radius = r == 0 || r == RINGS ? 1 : gz_random_range(&random, 0.6, 1.4);
                v[r][s][0] = radius * sin(theta) * cos(phi) * (r > 0 && r < RINGS);
                v[r][s][1] = radius * sin(theta) * sin(phi) * (r > 0 && r < RINGS);
                v[r][s][2] = radius * cos(theta);
            }
        }
        size_t count = 0;
        for (int r = 0; r < RINGS; r++) {
            for (int s = 0; s < SPOKES; s++) {
                int next = (s + 1) % SPOKES;
                for (int k = 0; k < 3; k++) {
                    t[count][0][k] = v[r][s][k];
                    t[count][1][k] = v[r + 1][s][k];
                    t[count][2][k] = v[r + 1][next][k];
                    t[count + 1][0][k] = v[r][s][k];
                    t[count + 1][1][k] = v[r + 1][next][k];
                    t[count + 1][2][k] = v[r][next][k];
                }
                count += 2;
            }
        }
        for (int sample = 0; sample < 100; sample++) {
            double p[3], angle = 0;
            // Every second point straight below a vertex.
            const double *below = v[gz_random_below(&random, RINGS)][sample % SPOKES];
            for (int k = 0; k < 3; k++) {
                p[k] = sample % 2 == 0 || k == 2 ? gz_random_range(&random, -1.5, 1.5) : below[k];
            }
            int sum = 0;
            for (size_t i = 0; i < count; i++) {
                angle += solid_angle(p, (const double(*)[3])t[i]);
                sum += gz_winding_crossing(p, (const double(*)[3])t[i]);
            }
            double turns = angle / (4 * pi);
            assert_true(fabs(turns - round(turns)) < 1e-6);
            assert_int_equal(sum, (int)round(turns));
            inside += sum == 1;
            outside += sum == 0;
        }
    }
    assert_true(inside > 500 && outside > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winding_of_lattice_tetrahedra_is_that_of_a_generic_ray),
        cmocka_unit_test(test_winding_in_voxels_is_one_inside_and_zero_outside),
        cmocka_unit_test(test_winding_of_curved_meshes_is_their_solid_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
