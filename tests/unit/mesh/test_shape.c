/// Primitive shapes: checks of sizes, placement, and bounds that hold sampled surface points.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "mesh/shape.h"

typedef long double real;

static const double some_size[3] = {1, 2, 3};

static void expect_range(graze_status status, const graze_error *error, const char *message) {
    assert_int_equal(status, GRAZE_ERROR_RANGE);
    assert_int_equal(error->status, GRAZE_ERROR_RANGE);
    assert_string_equal(error->message, message);
}

static void test_sizes_that_are_negative_or_not_finite_are_refused(void **state) {
    (void)state;
    static const double bad[] = {-0x1p-1074, -1, NAN, INFINITY, 0x1.0000000000001p20, -INFINITY};
    graze_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int k = 0; k < 3; k++) {
            double size[3] = {1, 2, 3};
            size[k] = bad[i];
            assert_int_equal(gz_shape_check(GRAZE_SHAPE_BOX, size, 0, 0, &error),
                             GRAZE_ERROR_RANGE);
        }
        assert_int_equal(gz_shape_check(GRAZE_SHAPE_SPHERE, NULL, bad[i], 0, &error),
                         GRAZE_ERROR_RANGE);
        assert_int_equal(gz_shape_check(GRAZE_SHAPE_POINTS, NULL, bad[i], 0, &error),
                         GRAZE_ERROR_RANGE);
        assert_int_equal(gz_shape_check(GRAZE_SHAPE_CYLINDER, NULL, bad[i], 1, &error),
                         GRAZE_ERROR_RANGE);
        assert_int_equal(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 1, bad[i], &error),
                         GRAZE_ERROR_RANGE);
        assert_int_equal(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 1, bad[i], NULL),
                         GRAZE_ERROR_RANGE);
    }
    const double flat[3] = {1, -1, 3};
    expect_range(gz_shape_check(GRAZE_SHAPE_BOX, flat, 0, 0, &error), &error,
                 "size y of the box is -1; allowed: 0 to 2^20 m");
    expect_range(gz_shape_check(GRAZE_SHAPE_CYLINDER, NULL, -1, 1, &error), &error,
                 "radius of the cylinder is -1; allowed: 0 to 2^20 m");
    expect_range(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 1, -2.5, &error), &error,
                 "length of the capsule is -2.5; allowed: 0 to 2^20 m");
    expect_range(gz_shape_check(GRAZE_SHAPE_CYLINDER, NULL, 0.5, 0, &error), &error,
                 "length of the cylinder is 0 and its radius 0.5; allowed: a length of 0 with a "
                 "radius of 0, else above 0 and at most 2^20 m");
    expect_range(gz_shape_check(GRAZE_SHAPE_POINTS, NULL, 0, 0, &error), &error,
                 "radius of the points is 0; allowed: above 0 and at most 2^20 m");
}

static void test_sizes_within_range_are_accepted(void **state) {
    (void)state;
    graze_error error = {.status = GRAZE_ERROR_IO};
    const double extreme[3] = {0x1p20, 0x1p-1074, 1};
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_BOX, extreme, 0, 0, &error), GRAZE_OK);
    assert_int_equal(error.status, GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_SPHERE, NULL, 0x1p20, -1, &error), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 1, 2, &error), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_POINTS, NULL, 1, 0, NULL), GRAZE_OK);
    const double point[3] = {0, 0, 0};
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_BOX, point, 0, 0, NULL), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_SPHERE, NULL, 0, 0, NULL), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 0, 1, NULL), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_CAPSULE, NULL, 1, 0, NULL), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_CYLINDER, NULL, 0, 1, NULL), GRAZE_OK);
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_CYLINDER, NULL, 0, 0, NULL), GRAZE_OK);
}

static void test_what_is_no_primitive_is_refused(void **state) {
    (void)state;
    graze_error error;
    graze_transform identity = graze_transform_identity();
    gz_shape shape;
    assert_int_equal(gz_shape_check(GRAZE_SHAPE_MESH, some_size, 1, 1, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(gz_shape_primitive(&shape, GRAZE_SHAPE_MESH, some_size, 1, 1, &identity, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(
        gz_shape_primitive(&shape, GRAZE_SHAPE_POINTS, some_size, 1, 1, &identity, &error),
        GRAZE_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "shape 'points' is no primitive; allowed: box, sphere, cylinder, capsule");
}

/// A pyramid around a cone: no side cuts it, and no corner is farther from it than is said.
static void test_a_cone_is_inside_of_its_pyramid(void **state) {
    (void)state;
    const graze_transform identity = graze_transform_identity();
    static const double sizes[][2] = {{0.25, 0.75}, {1, 0.001}, {0x1p-30, 1}, {1000, 2000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double radius = sizes[i][0], length = sizes[i][1];
        gz_shape shape;
        assert_int_equal(
            gz_shape_primitive(&shape, GRAZE_SHAPE_CONE, NULL, radius, length, &identity, NULL),
            GRAZE_OK);
        const graze_mesh *m = shape.mesh;
        assert_true(m->vertex_count == 257 && m->triangle_count == 510 && m->closed_count == 1);
        size_t tips = 0, sides = 0;
        for (size_t v = 0; v < m->vertex_count; v++) {
            const double *p = m->vertices + 3 * v;
            real far = hypotl(p[0], p[1]);
            bool tip = far == 0;
            tips += tip;
            assert_true(p[2] == (tip ? 0.5 : -0.5) * length);
            if (!tip) assert_true(far >= radius && far <= radius * (1 + 7.6e-5L));
        }
        // The edges between sides and base pass the circle by.
        for (size_t t = 0; t < m->triangle_count; t++) {
            const double *ring[3];
            int on_ring = 0;
            for (int k = 0; k < 3; k++) {
                const double *p = m->vertices + 3 * m->triangles[3 * t + (size_t)k];
                if (p[2] < 0) ring[on_ring++] = p;
            }
            if (on_ring == 3) continue; // of the base
            real x = ring[1][0] - (real)ring[0][0], y = ring[1][1] - (real)ring[0][1];
            real passes = fabsl(ring[0][0] * y - ring[0][1] * x) / hypotl(x, y);
            assert_true(on_ring == 2 && passes >= radius && hypotl(x, y) <= 2.5e-2L * radius);
            sides++;
        }
        assert_true(tips == 1 && sides == 256);
        gz_shape_clear(&shape);
    }
    gz_shape flat;
    assert_int_equal(gz_shape_primitive(&flat, GRAZE_SHAPE_CONE, NULL, 0, 0, &identity, NULL),
                     GRAZE_OK);
    assert_int_equal(flat.mesh->vertex_count, 1);
    gz_shape_clear(&flat);
}

static graze_transform random_origin(gz_random *r) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = gz_random_below(r, 4) == 0 ? 0 : gz_random_range(r, -5, 5);
        rpy[k] = gz_random_below(r, 4) == 0 ? 0 : gz_random_range(r, -3, 3);
    }
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

static void test_a_box_is_a_closed_outward_mesh_of_its_placed_corners(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int trial = 0; trial < 50; trial++) {
        double size[3];
        for (int k = 0; k < 3; k++) size[k] = gz_random_range(&r, 0.01, 2);
        graze_transform origin = random_origin(&r);
        gz_shape s;
        assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_BOX, size, 0, 0, &origin, NULL),
                         GRAZE_OK);
        assert_int_equal(s.kind, GRAZE_SHAPE_BOX);
        assert_int_equal(s.mesh->vertex_count, 8);
        assert_int_equal(s.mesh->triangle_count, 12);
        assert_int_equal(s.mesh->component_count, 1);
        assert_int_equal(s.mesh->closed_count, 1);
        assert_int_equal(s.mesh->degenerate_count, 0);
        // Every placed corner is a vertex, bit for bit.
        for (unsigned c = 0; c < 8; c++) {
            graze_vec3 p = {c & 1 ? size[0] / 2 : -size[0] / 2, c & 2 ? size[1] / 2 : -size[1] / 2,
                            c & 4 ? size[2] / 2 : -size[2] / 2};
            p = graze_transform_point(&origin, p);
            bool found = false;
            for (size_t i = 0; i < 8; i++) {
                const double *v = s.mesh->vertices + 3 * i;
                found = found || (v[0] == p.x && v[1] == p.y && v[2] == p.z);
            }
            assert_true(found);
        }
        // The divergence theorem: only an outward mesh without gaps has this volume.
        double volume = 0;
        for (size_t i = 0; i < 12; i++) {
            const double *a = s.mesh->vertices + 3 * (size_t)s.mesh->triangles[3 * i];
            const double *b = s.mesh->vertices + 3 * (size_t)s.mesh->triangles[3 * i + 1];
            const double *c = s.mesh->vertices + 3 * (size_t)s.mesh->triangles[3 * i + 2];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        assert_true(fabs(volume / 6 - size[0] * size[1] * size[2]) < 1e-12);
        assert_memory_equal(&s.obb, &s.mesh->obb, sizeof s.obb);
        gz_shape_clear(&s);
        assert_null(s.mesh);
    }
}

static void check_point(const gz_shape *s, const real p[3]) {
    const graze_aabb *box = &s->aabb;
    assert_true(p[0] >= box->min.x && p[1] >= box->min.y && p[2] >= box->min.z);
    assert_true(p[0] <= box->max.x && p[1] <= box->max.y && p[2] <= box->max.z);
    real x = p[0] - s->sphere.center.x, y = p[1] - s->sphere.center.y,
         z = p[2] - s->sphere.center.z;
    assert_true(sqrtl(x * x + y * y + z * z) <= s->sphere.radius);
    // Coordinates along axes that are orthonormal to 2^-48 are those of the box to as much.
    const double half[3] = {s->obb.half.x, s->obb.half.y, s->obb.half.z};
    x = p[0] - s->obb.center.x;
    y = p[1] - s->obb.center.y;
    z = p[2] - s->obb.center.z;
    for (int i = 0; i < 3; i++) {
        real along = x * s->obb.axis[i].x + y * s->obb.axis[i].y + z * s->obb.axis[i].z;
        assert_true(fabsl(along) <= half[i] * (1 - 0x1p-47L));
    }
}

/// Points of the surface of the solid that a, b and the radius describe, in long double; the
/// extreme ones along each coordinate are among them.
static void check_surface(gz_random *r, const gz_shape *s) {
    real w[3], length = 0;
    for (int k = 0; k < 3; k++) {
        w[k] = (real)s->b[k] - s->a[k];
        length += w[k] * w[k];
    }
    length = sqrtl(length);
    for (int k = 0; k < 3; k++) w[k] = length > 0 ? w[k] / length : k == 2;
    for (int sample = 0; sample < 60; sample++) {
        const double *end = sample % 2 == 0 ? s->a : s->b;
        real n[3], norm = 0, p[3];
        for (int k = 0; k < 3; k++) {
            n[k] = sample < 12 ? (real)(k == sample / 4) * (sample & 2 ? 1 : -1)
                               : (real)gz_random_range(r, -1, 1);
        }
        real along = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
        for (int k = 0; k < 3; k++) {
            if (s->kind == GRAZE_SHAPE_CYLINDER) n[k] -= along * w[k];
            norm += n[k] * n[k];
        }
        if (norm < 1e-6L) continue;
        for (int k = 0; k < 3; k++) p[k] = end[k] + (real)s->radius * n[k] / sqrtl(norm);
        check_point(s, p);
    }
}

static void test_bounds_of_curved_shapes_contain_and_fit(void **state) {
    (void)state;
    static const graze_shape kinds[] = {GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                        GRAZE_SHAPE_CAPSULE};
    gz_random r = gz_random_make(2, 0);
    for (int trial = 0; trial < 3000; trial++) {
        double radius = pow(10, gz_random_range(&r, -4, 1));
        double length = pow(10, gz_random_range(&r, -4, 1));
        graze_transform origin = random_origin(&r);
        gz_shape s;
        graze_shape kind = kinds[trial % 3];
        assert_int_equal(gz_shape_primitive(&s, kind, NULL, radius, length, &origin, NULL),
                         GRAZE_OK);
        assert_int_equal(s.kind, kind);
        assert_true(s.radius == radius && s.mesh == NULL);
        check_surface(&r, &s);
        // Tight, too.
        double across = kind == GRAZE_SHAPE_SPHERE ? radius : 0.5 * length + radius;
        double around = kind == GRAZE_SHAPE_CYLINDER ? hypot(0.5 * length, radius) : across;
        assert_true(s.sphere.radius <= around * (1 + 1e-12) + 1e-13);
        double lowest = fmin(s.obb.half.x, fmin(s.obb.half.y, s.obb.half.z));
        double highest = fmax(s.obb.half.x, fmax(s.obb.half.y, s.obb.half.z));
        double flat = kind == GRAZE_SHAPE_CYLINDER ? fmin(radius, 0.5 * length) : radius;
        double tall = kind == GRAZE_SHAPE_CYLINDER ? fmax(radius, 0.5 * length) : across;
        assert_true(lowest <= flat + 1e-11 && highest <= tall + 1e-11);
        gz_shape_clear(&s);
    }
}

static void test_the_axis_of_a_curved_shape_runs_along_z_of_its_origin(void **state) {
    (void)state;
    graze_transform origin = graze_transform_identity();
    origin.m[3] = 1;
    gz_shape s;
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_CYLINDER, NULL, 0.5, 3, &origin, NULL),
                     GRAZE_OK);
    assert_true(s.a[0] == 1 && s.a[1] == 0 && s.a[2] == -1.5);
    assert_true(s.b[0] == 1 && s.b[1] == 0 && s.b[2] == 1.5);
    assert_false(signbit(s.a[1]));
    // Exact where all numbers are: the box grows by at most a few units in the last place.
    assert_true(s.aabb.min.z <= -1.5 && s.aabb.min.z >= -1.5 * (1 + 1e-14));
    assert_true(s.aabb.max.x >= 1.5 && s.aabb.max.x <= 1.5 * (1 + 1e-14));
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_SPHERE, NULL, 0.5, 77, &origin, NULL),
                     GRAZE_OK);
    assert_true(s.a[2] == 0 && s.b[2] == 0);
}

static void test_a_cylinder_whose_length_is_rounded_away_is_bounded_as_a_ball(void **state) {
    (void)state;
    graze_transform origin = graze_transform_identity();
    origin.m[3] = 1000;
    origin.m[11] = 1000;
    gz_shape s;
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_CYLINDER, NULL, 0.5, 1e-20, &origin, NULL),
                     GRAZE_OK);
    assert_true(s.a[2] == s.b[2]);
    assert_true(s.aabb.max.z >= 1000.5 && s.obb.half.x >= 0.5 && s.obb.half.y >= 0.5 &&
                s.obb.half.z >= 0.5 && s.sphere.radius >= 0.5);
}

static void test_shapes_out_of_range_are_refused(void **state) {
    (void)state;
    graze_transform origin = graze_transform_identity();
    origin.m[11] = 0x1p20;
    gz_shape s;
    graze_error error;
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_CAPSULE, NULL, 1, 2, &origin, &error),
                     GRAZE_ERROR_RANGE);
    assert_string_equal(error.message,
                        "the capsule reaches to 1048577; allowed: magnitudes of at most 2^20 m");
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_BOX, some_size, 0, 0, &origin, &error),
                     GRAZE_ERROR_RANGE);
    assert_null(s.mesh);
    origin.m[11] = NAN;
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_SPHERE, NULL, 1, 2, &origin, &error),
                     GRAZE_ERROR_RANGE);
}

static void test_a_box_without_memory_is_an_error_and_leaks_nothing(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_transform origin = graze_transform_identity();
    for (long n = 1;; n++) {
        gz_shape s;
        graze_error error;
        gz_memory_fail_after(n, n % 2 == 0);
        graze_status status = gz_shape_primitive(&s, GRAZE_SHAPE_BOX, some_size, 0, 0, &origin,
                                                 &error);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            assert_true(n > 1);
            gz_shape_clear(&s);
            return;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(error.status, GRAZE_ERROR_NO_MEMORY);
        assert_null(s.mesh);
    }
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_that_are_negative_or_not_finite_are_refused),
        cmocka_unit_test(test_sizes_within_range_are_accepted),
        cmocka_unit_test(test_what_is_no_primitive_is_refused),
        cmocka_unit_test(test_a_cone_is_inside_of_its_pyramid),
        cmocka_unit_test(test_a_box_is_a_closed_outward_mesh_of_its_placed_corners),
        cmocka_unit_test(test_bounds_of_curved_shapes_contain_and_fit),
        cmocka_unit_test(test_the_axis_of_a_curved_shape_runs_along_z_of_its_origin),
        cmocka_unit_test(test_a_cylinder_whose_length_is_rounded_away_is_bounded_as_a_ball),
        cmocka_unit_test(test_shapes_out_of_range_are_refused),
        cmocka_unit_test(test_a_box_without_memory_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
