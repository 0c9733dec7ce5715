// Parts hold their components, and their cores nothing of any surface, on the right side of it.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh/prefilter/lattice.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "mesh_maker.h"

static graze_mesh *make(maker *m) {
    graze_mesh *mesh = NULL;
    graze_error error;
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error)) fail_msg("%s", error.message);
    maker_free(m);
    return mesh;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_distance(const double a[3], const double b[3], const double p[3]) {
    double e[3], d[3], q[3];
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k];
    for (int k = 0; k < 3; k++) d[k] = p[k] - a[k];
    double n = dot(e, e), t = n > 0 ? fmin(fmax(dot(d, e) / n, 0), 1) : 0;
    for (int k = 0; k < 3; k++) q[k] = d[k] - t * e[k];
    return sqrt(dot(q, q));
}

/// The distance of a point from a triangle, in double: from the plane where three signed areas say
/// that the foot is inside, else from the edges.
static double triangle_distance(const double t[3][3], const double p[3]) {
    double best = INFINITY, e[3][3], n[3];
    for (int c = 0; c < 3; c++) {
        best = fmin(best, segment_distance(t[c], t[(c + 1) % 3], p));
        for (int k = 0; k < 3; k++) e[c][k] = t[(c + 1) % 3][k] - t[c][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    double size = sqrt(dot(n, n));
    if (!(size > 1e-12)) return best;
    for (int c = 0; c < 3; c++) {
        double d[3], side[3];
        for (int k = 0; k < 3; k++) d[k] = p[k] - t[c][k];
        for (int k = 0; k < 3; k++)
            side[k] = e[c][(k + 1) % 3] * d[(k + 2) % 3] - e[c][(k + 2) % 3] * d[(k + 1) % 3];
        if (dot(side, n) < 0) return best;
    }
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = p[k] - t[0][k];
    return fmin(best, fabs(dot(d, n)) / size);
}

static double brute_distance(const graze_mesh *mesh, const double p[3]) {
    double best = INFINITY;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        double t[3][3];
        for (int c = 0; c < 3; c++)
            memcpy(t[c], mesh->vertices + 3 * (size_t)mesh->triangles[3 * i + (size_t)c],
                   sizeof t[c]);
        best = fmin(best, triangle_distance((const double(*)[3])t, p));
    }
    return best;
}

static uint64_t looks = UINT64_MAX; // as many as it takes

static float distance_below(const graze_mesh *mesh, const float p[3], float most) {
    return gz_nearest_surface(mesh, &mesh->root, 1, p, most, 0, &looks);
}

static void distances_are_lower_bounds_and_close(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        maker m = {0};
        gz_random random = gz_random_make(3, 0);
        if (kind)
            maker_soup(&m, &random, 40, 0.3); // needles and points among them
        else
            maker_torus(&m, 0.6, 0.2, 10, 8);
        graze_mesh *mesh = make(&m);
        for (int i = 0; i < 150; i++) {
            float p[3];
            double q[3];
            for (int k = 0; k < 3; k++) p[k] = (float)gz_random_range(&random, -1.2, 1.2);
            for (int k = 0; k < 3; k++) q[k] = (double)p[k];
            double real = brute_distance(mesh, q);
            double free = (double)distance_below(mesh, p, INFINITY);
            double held = (double)distance_below(mesh, p, (float)real * 1.0001f + 1e-6f);
            assert_true(free <= real && free >= real * (1 - 1e-4) - 3e-5);
            assert_true(held <= real && held >= real * (1 - 1e-4) - 3e-5);
            // Where the surface is farther than asked, the bound is beyond that.
            double most = 0.5 * real;
            assert_true((double)distance_below(mesh, p, (float)most) > most * 0.999 - 3e-5);
        }
        graze_mesh_free(mesh);
    }
}

/// Steps say what the distance says, from the baseline's code and from what the processor has.
static void steps_are_whole_fractions_of_the_distance(void **state) {
    (void)state;
    size_t far = 0, near = 0;
    for (int kind = 0; kind < 2; kind++) {
        maker m = {0};
        gz_random random = gz_random_make(7, 0);
        if (kind)
            maker_soup(&m, &random, 300, 0.2);
        else
            maker_torus(&m, 0.6, 0.2, 40, 30); // triangles so small that corners tell
        graze_mesh *mesh = make(&m);
        for (int i = 0; i < 300; i++) {
            float p[3], unit = (float)gz_random_range(&random, 0.005, 0.3);
            double q[3];
            for (int k = 0; k < 3; k++) p[k] = (float)gz_random_range(&random, -1.2, 1.2);
            for (int k = 0; k < 3; k++) q[k] = (double)p[k];
            double real = brute_distance(mesh, q);
            float steps = gz_nearest_surface(mesh, &mesh->root, 1, p, INFINITY, unit, &looks);
            assert_true(steps ==
                        gz_nearest_surface_base(mesh, &mesh->root, 1, p, INFINITY, unit, &looks));
            float below = distance_below(mesh, p, INFINITY);
            assert_true(below ==
                        gz_nearest_surface_base(mesh, &mesh->root, 1, p, INFINITY, 0, &looks));
            assert_true(steps >= 0 && steps == floorf(steps));
            assert_true((double)steps * (double)unit <= real);
            assert_true(steps >= floorf(below / unit * 0.99999f));
            // Told that the surface is near, or in vain.
            assert_true(gz_nearest_surface(mesh, &mesh->root, 1, p, below * 1.001f + 1e-4f, unit,
                                           &looks) >= floorf(below / unit * 0.99999f));
            float most = 0.7f * below,
                  few = gz_nearest_surface(mesh, &mesh->root, 1, p, most, unit, &looks);
            assert_true(few >= floorf(most / unit * 0.999f - 0.001f));
            far += steps > 3;
            near += steps < 1;
        }
        graze_mesh_free(mesh);
    }
    assert_true(far > 100 && near > 50);
}

/// The nearest of all is the nearest of the root's children together, and none is nearer by itself.
static void subtrees_are_asked_alone(void **state) {
    (void)state;
    maker m = {0};
    gz_random random = gz_random_make(8, 0);
    maker_torus(&m, 0.6, 0.2, 20, 12);
    graze_mesh *mesh = make(&m);
    const gz_node *root = &mesh->nodes[mesh->root];
    size_t farther = 0;
    for (int i = 0; i < 100; i++) {
        float p[3];
        for (int k = 0; k < 3; k++) p[k] = (float)gz_random_range(&random, -1, 1);
        float all = distance_below(mesh, p, INFINITY), least = INFINITY;
        assert_true(all ==
                    gz_nearest_surface(mesh, root->child, root->count, p, INFINITY, 0, &looks));
        for (int c = 0; c < root->count; c++) {
            float one = gz_nearest_surface(mesh, root->child + c, 1, p, INFINITY, 0, &looks);
            farther += one > all;
            least = fminf(least, one);
        }
        assert_true(least == all);
    }
    assert_true(farther > 300);
    graze_mesh_free(mesh);
}

/// Of slivers the normal is noise in float: no bound may rest on it alone.
static void distances_from_slivers_are_lower_bounds(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    size_t said = 0;
    for (int i = 0; i < 60000; i++) {
        double v[9], width = exp2(gz_random_range(&random, -22, -2)), e[3], f[3], n[3], up = 0;
        double s = gz_random_unit(&random), a = gz_random_unit(&random),
               b = gz_random_unit(&random);
        for (int k = 0; k < 6; k++) v[k] = gz_random_range(&random, -1, 1);
        for (int k = 0; k < 3; k++)
            v[6 + k] = v[k] + s * (v[3 + k] - v[k]) + width * gz_random_range(&random, -1, 1);
        for (int k = 0; k < 9; k++) v[k] = (double)(float)v[k];
        if (a + b > 1) a = 1 - a, b = 1 - b;
        for (int k = 0; k < 3; k++) e[k] = v[3 + k] - v[k];
        for (int k = 0; k < 3; k++) f[k] = v[6 + k] - v[k];
        for (int k = 0; k < 3; k++)
            n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        double length = sqrt(dot(n, n)), height = exp2(gz_random_range(&random, -20, 0));
        if (!(length > 0)) continue;
        float p[3];
        for (int k = 0; k < 3; k++) {
            double foot = v[k] + a * e[k] + b * f[k];
            p[k] = (float)(foot + height * n[k] / length);
            up += pow(foot - (double)p[k], 2);
        }
        const uint32_t triangle[3] = {0, 1, 2};
        graze_mesh *mesh;
        assert_int_equal(graze_mesh_create(&mesh, v, 3, triangle, 1, NULL), GRAZE_OK);
        double got = (double)distance_below(mesh, p, INFINITY);
        assert_true(got <= sqrt(up));
        said += got > 0.9 * sqrt(up);
        graze_mesh_free(mesh);
    }
    assert_true(said > 30000);
}

static double distance_between(const float a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow((double)a[k] - b[k], 2);
    return sqrt(sum);
}

/// Components of one triangle, each corner in turn the farthest from the middle of the box.
static void add_single_triangles(maker *m) {
    static const double corner[3][3] = {{0, 1, 0.9}, {1, 0, 1.1}, {2, 2, 2}};
    for (int i = 0; i < 3; i++) {
        uint32_t v[3];
        for (int c = 0; c < 3; c++) {
            const double *at = corner[(c + i) % 3];
            v[c] = maker_vertex(m, at[0] + 5 * (i + 1), at[1], at[2]);
        }
        maker_triangle(m, v[0], v[1], v[2]);
    }
}

static void proxies_contain_their_components(void **state) {
    (void)state;
    maker m = {0};
    gz_random random = gz_random_make(4, 0);
    for (int i = 0; i < 60; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(&random, -3, 3);
        maker_sphere(&m, at, gz_random_range(&random, 0.01, 0.3), 16, 24);
    }
    add_single_triangles(&m);
    graze_mesh *mesh = make(&m);
    assert_int_equal(mesh->proxy->component_count, mesh->component_count);
    size_t ellipsoids = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const gz_component_proxy *component = &mesh->proxy->components[mesh->component_of[t]];
        for (size_t c = 0; c < 3; c++) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
            for (int k = 0; k < 3; k++)
                assert_true(fabs(v[k] - (double)component->center[k]) <=
                            (double)component->half[k]);
            assert_true(distance_between(component->center, v) <= (double)component->radius);
        }
    }
    for (size_t i = 0; i < mesh->component_count; i++) {
        const gz_component_proxy *component = &mesh->proxy->components[i];
        ellipsoids += (size_t)component->inner_count;
        for (int c = 0; c < component->inner_count; c++) {
            const gz_inner_ellipsoid *ellipsoid = &component->inner[c];
            double middle[3] = {(double)ellipsoid->center[0], (double)ellipsoid->center[1],
                                (double)ellipsoid->center[2]};
            assert_true(brute_distance(mesh, middle) >= (double)ellipsoid->half[0]);
        }
        // A ball that stands alone is nearly all core.
        if (component->inner_count == 1)
            assert_true(component->inner[0].half[0] < component->radius);
    }
    assert_true(ellipsoids >= 55);
    graze_mesh_free(mesh);
}

/// A slanting lens whose packets are wider than it is thick: the middles of their boxes lead
/// astray.
static void a_flat_lens_has_an_ellipsoid(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 1, 40, 60);
    for (size_t i = 0; i < m.nv; i++) m.v[3 * i + 2] *= 0.04;
    for (size_t i = 0; i < m.nv; i++) m.v[3 * i + 2] += 0.5 * m.v[3 * i];
    graze_mesh *mesh = make(&m);
    gz_component_proxy component = gz_component_proxy_make(mesh);
    assert_true(component.inner_count > 0);
    for (int c = 0; c < component.inner_count; c++) {
        double middle[3] = {(double)component.inner[c].center[0],
                            (double)component.inner[c].center[1],
                            (double)component.inner[c].center[2]};
        assert_true(brute_distance(mesh, middle) >= (double)component.inner[c].half[0]);
        assert_true(component.inner[c].half[0] > 0.02f);
    }
    graze_mesh_free(mesh);
}

static void a_box_has_an_ellipsoid_and_a_box_with_a_dent_none_through_it(void **state) {
    (void)state;
    maker m = {0};
    maker_box(&m, (double[3]){1, 2, 3}, (double[3]){0.5, 0.01, 0.25});
    graze_mesh *box = make(&m);
    gz_component_proxy component = gz_component_proxy_make(box);
    assert_int_equal(component.inner_count, 1);
    const double half[3] = {0.5, 0.01, 0.25};
    for (int k = 0; k < 3; k++) {
        assert_true((double)component.inner[0].half[k] <= half[k]);
        assert_true((double)component.inner[0].half[k] > 0.999 * half[k]);
    }
    graze_mesh_free(box);
    // The same box with one corner drawn to the middle: closed, and no box.
    maker_box(&m, (double[3]){0, 0, 0}, (double[3]){0.5, 0.4, 0.3});
    for (int k = 0; k < 3; k++) m.v[21 + k] = 0.01;
    graze_mesh *dent = make(&m);
    component = gz_component_proxy_make(dent);
    assert_true(component.inner_count > 0);
    for (int c = 0; c < component.inner_count; c++) {
        double middle[3] = {(double)component.inner[c].center[0],
                            (double)component.inner[c].center[1],
                            (double)component.inner[c].center[2]};
        assert_true(brute_distance(dent, middle) >= (double)component.inner[c].half[0]);
    }
    graze_mesh_free(dent);
    // Turned inside out it winds, too; open it has no core.
    maker_box(&m, (double[3]){0, 0, 0}, (double[3]){0.5, 0.4, 0.3});
    m.nt--;
    graze_mesh *open = make(&m);
    assert_int_equal(gz_component_proxy_make(open).inner_count, 0);
    graze_mesh_free(open);
}

/// A cube with one corner cut off by the last of its triangles: all others lie in the faces of its
/// box.
static void a_box_whose_last_triangle_cuts_a_corner_is_none(void **state) {
    (void)state;
    static const uint32_t faces[6][5] = {{0, 4, 6, 2, 2}, {0, 1, 5, 4, 4}, {0, 2, 3, 1, 1},
                                         {1, 3, 9, 8, 5}, {2, 6, 7, 9, 3}, {4, 5, 8, 7, 6}};
    maker m = {0};
    for (uint32_t i = 0; i < 7; i++) maker_vertex(&m, i & 1, i >> 1 & 1, i >> 2 & 1);
    maker_vertex(&m, 0.5, 1, 1), maker_vertex(&m, 1, 0.5, 1), maker_vertex(&m, 1, 1, 0.5);
    for (int f = 0; f < 6; f++)
        for (int i = 1; i < 4 && faces[f][i] != faces[f][i + 1]; i++)
            maker_triangle(&m, faces[f][0], faces[f][i], faces[f][i + 1]);
    maker_triangle(&m, 7, 8, 9);
    graze_mesh *mesh = make(&m);
    assert_int_equal(mesh->closed_count, 1);
    assert_false(gz_mesh_is_box(mesh));
    graze_mesh_free(mesh);
}

/// Squares of its sizes underflow in float, and so did the radius of its sphere.
static void a_component_smaller_than_squares_in_float_is_in_its_sphere(void **state) {
    (void)state;
    for (int e = -98; e <= 0; e += 7) {
        maker m = {0};
        maker_sphere(&m, (double[3]){0, 0, 0}, ldexp(1, e), 9, 12);
        graze_mesh *mesh = make(&m);
        gz_component_proxy component = gz_component_proxy_make(mesh);
        double most = 0;
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            double d[3];
            for (size_t k = 0; k < 3; k++)
                d[k] = mesh->vertices[3 * i + k] - (double)component.center[k];
            most = fmax(most, sqrt(dot(d, d)));
        }
        assert_true((double)component.radius >= most);
        assert_true((double)component.radius <= most * (1 + 0x1p-19));
        graze_mesh_free(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_smaller_than_squares_in_float_is_in_its_sphere),
        cmocka_unit_test(distances_are_lower_bounds_and_close),
        cmocka_unit_test(steps_are_whole_fractions_of_the_distance),
        cmocka_unit_test(subtrees_are_asked_alone),
        cmocka_unit_test(distances_from_slivers_are_lower_bounds),
        cmocka_unit_test(proxies_contain_their_components),
        cmocka_unit_test(a_flat_lens_has_an_ellipsoid),
        cmocka_unit_test(a_box_has_an_ellipsoid_and_a_box_with_a_dent_none_through_it),
        cmocka_unit_test(a_box_whose_last_triangle_cuts_a_corner_is_none),
    };
    return cmocka_run_group_tests_name("part", tests, NULL, NULL);
}
