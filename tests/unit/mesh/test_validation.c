// Exact proofs about a mesh's bounds and trees: they pass on every mesh that is built, and notice
// every bound that is shrunk until a vertex sticks out.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/validation.h"
#include "unit/mesh/mesh_maker.h"

static graze_mesh *build(const maker *m) {
    graze_mesh *mesh;
    graze_error error;
    assert_int_equal(graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error), GRAZE_OK);
    return mesh;
}

/// Two spheres, far from the origin and turned into floats' coarse grid, and a flat triangle.
static graze_mesh *make_mesh(double scale, double shift) {
    maker m = {0};
    const double near[3] = {shift, -shift, 0.3 * scale}, far[3] = {shift + 3 * scale, 0, -shift};
    maker_sphere(&m, near, scale, 9, 14);
    maker_sphere(&m, far, 0.2 * scale, 5, 7);
    uint32_t a = maker_vertex(&m, shift, 0, 0), b = maker_vertex(&m, shift + scale, 0, 0);
    maker_triangle(&m, a, b, b);
    graze_mesh *mesh = build(&m);
    maker_free(&m);
    return mesh;
}

static void test_every_mesh_that_is_built_validates(void **state) {
    (void)state;
    static const double scales[] = {1, 1e-9, 1e5, 0.37}, shifts[] = {0, 1234.56789, -9e5};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) {
            graze_mesh *mesh = make_mesh(scales[i], shifts[k]);
            graze_error error;
            if (gz_mesh_validate(mesh, &error)) fail_msg("%s", error.message);
            graze_mesh_free(mesh);
        }
    }
}

static void expect_fault(const graze_mesh *mesh, const char *what) {
    graze_error error;
    assert_int_equal(gz_mesh_validate(mesh, &error), GRAZE_ERROR_MESH);
    if (!strstr(error.message, what)) fail_msg("'%s' lacks '%s'", error.message, what);
}

static void test_a_shrunk_sphere_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    mesh->sphere.radius *= 1 - 0x1p-40;
    expect_fault(mesh, "sphere");
    graze_mesh_free(mesh);
}

static void test_a_shrunk_box_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    mesh->aabb.max.x = nextafter(mesh->aabb.max.x, -INFINITY);
    expect_fault(mesh, "the box does not contain vertex");
    graze_mesh_free(mesh);
}

static void test_an_oriented_box_shrunk_by_more_than_its_growth_is_noticed(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        graze_mesh *mesh = make_mesh(1, 2);
        const double sum = mesh->obb.half.x + mesh->obb.half.y + mesh->obb.half.z;
        double *half = k == 0 ? &mesh->obb.half.x : k == 1 ? &mesh->obb.half.y : &mesh->obb.half.z;
        *half -= 0x1p-42 * sum; // it was grown by 2^-43 of the sum
        expect_fault(mesh, "oriented box");
        graze_mesh_free(mesh);
    }
}

static void test_a_shrunk_node_or_packet_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    assert_true(mesh->node_count > 1);
    // Boxes are rounded outward by up to two floats: four inward let a vertex out.
    for (int k = 0; k < 3; k++) {
        float *half[] = {&mesh->nodes[0].half[k][0], &mesh->node_boxes[0].half[k],
                         &mesh->packet_boxes[0].half[k]};
        for (size_t i = 0; i < 3; i++) {
            float before = *half[i];
            *half[i] = before - 0x1p-20f;
            expect_fault(mesh, i == 0 ? "child's box" : i == 1 ? "box of node" : "box of packet");
            *half[i] = before;
        }
    }
    assert_int_equal(gz_mesh_validate(mesh, NULL), GRAZE_OK);
    graze_mesh_free(mesh);
}

static void test_a_triangle_in_the_wrong_packet_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    mesh->packets[0].vertex[1][2][0] = nextafterf(mesh->packets[0].vertex[1][2][0], 1e9f);
    expect_fault(mesh, "a vertex of packet");
    graze_mesh_free(mesh);
    mesh = make_mesh(1, 2);
    gz_packet *last = &mesh->packets[mesh->packet_count - 1];
    *last = mesh->packets[0];
    expect_fault(mesh, "packet");
    graze_mesh_free(mesh);
}

static void test_a_shrunk_component_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    mesh->components[1].box.min.y += 1e-3;
    expect_fault(mesh, "component");
    graze_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mesh_that_is_built_validates),
        cmocka_unit_test(test_a_shrunk_sphere_is_noticed),
        cmocka_unit_test(test_a_shrunk_box_is_noticed),
        cmocka_unit_test(test_an_oriented_box_shrunk_by_more_than_its_growth_is_noticed),
        cmocka_unit_test(test_a_shrunk_node_or_packet_is_noticed),
        cmocka_unit_test(test_a_triangle_in_the_wrong_packet_is_noticed),
        cmocka_unit_test(test_a_shrunk_component_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
