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

#include "mesh/cap.h"
#include "mesh/mesh.h"
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

/// Of the box each number, and how far each coordinate reaches.
static void test_each_number_of_a_box_that_shrinks_is_noticed(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        maker m = {0};
        maker_sphere(&m, (const double[3]){k == 0 ? 5 : 0, k == 1 ? 5 : 0, k == 2 ? 5 : 0}, 1, 9,
                     14);
        graze_mesh *mesh = build(&m);
        maker_free(&m);
        const graze_aabb box = mesh->aabb;
        (&mesh->aabb.max.x)[k] = nextafter((&mesh->aabb.max.x)[k], -INFINITY);
        expect_fault(mesh, "the box does not contain vertex");
        mesh->aabb = box;
        (&mesh->aabb.min.x)[k] = nextafter((&mesh->aabb.min.x)[k], INFINITY);
        expect_fault(mesh, "the box does not contain vertex");
        mesh->aabb = box;
        mesh->max_abs = nextafter((&mesh->aabb.max.x)[k], -INFINITY);
        expect_fault(mesh, "the reach of vertex");
        graze_mesh_free(mesh);
    }
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
    for (int corner = 0; corner < 3; corner++) {
        for (int k = 0; k < 3; k++) {
            float *at = &mesh->packets[0].vertex[corner][k][0], kept = *at;
            *at = nextafterf(kept, 1e9f);
            expect_fault(mesh, "a vertex of packet");
            *at = kept;
        }
    }
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

static void test_a_component_that_its_tree_leaves_out_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    assert_true(mesh->component_count > 1 && mesh->component_root == 0);
    gz_node *root = &mesh->component_nodes[0];
    int32_t last = --root->count, child = root->child[last];
    const float before[3] = {root->half[0][last], root->half[1][last], root->half[2][last]};
    expect_fault(mesh, "an empty lane of node");
    root->half[0][last] = root->half[1][last] = root->half[2][last] = -1e30f;
    expect_fault(mesh, "no leaf has component");
    for (int k = 0; k < 3; k++) root->half[k][last] = before[k];
    root->count++;
    root->child[last] = root->child[0];
    expect_fault(mesh, "component");
    root->child[last] = child;
    root->count = GZ_WIDTH + 1;
    expect_fault(mesh, "count of node");
    root->count = last + 1;
    assert_int_equal(gz_mesh_validate(mesh, NULL), GRAZE_OK);
    graze_mesh_free(mesh);
}

static void test_what_a_component_is_not_is_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_mesh(1, 2);
    gz_component *c = &mesh->components[0];
    c->closed = !c->closed;
    expect_fault(mesh, "closed");
    c->closed = !c->closed;
    c->capped = !c->capped;
    expect_fault(mesh, "capped");
    c->capped = !c->capped;
    uint32_t before = c->extreme[3];
    c->extreme[3] = c->extreme[2];
    expect_fault(mesh, "extreme");
    c->extreme[3] = before;
    mesh->closed_count--;
    expect_fault(mesh, "closed");
    mesh->closed_count++;
    mesh->closed_box.max.x = mesh->closed_box.min.x;
    expect_fault(mesh, "closed");
    graze_mesh_free(mesh);
}

/// Two cups without caps.
static graze_mesh *make_cups(void) {
    maker m = {0};
    for (int i = 0; i < 2; i++) {
        uint32_t rim[12], bottom = maker_vertex(&m, 3 * i, 0, -1);
        for (int k = 0; k < 12; k++)
            rim[k] = maker_vertex(&m, 3 * i + cos(0.5 * k), sin(0.5 * k), 0.1 * (k % 3));
        for (int k = 0; k < 12; k++) maker_triangle(&m, bottom, rim[(k + 1) % 12], rim[k]);
    }
    graze_mesh *mesh = build(&m);
    maker_free(&m);
    return mesh;
}

static void test_caps_that_close_nothing_are_noticed(void **state) {
    (void)state;
    graze_mesh *mesh = make_cups();
    assert_int_equal(gz_mesh_validate(mesh, NULL), GRAZE_OK);
    assert_true(mesh->caps && mesh->caps->apex_count == 2 && mesh->caps->triangle_count == 24);
    gz_caps *caps = mesh->caps;
    caps->triangles[7].to = caps->triangles[7].from;
    expect_fault(mesh, "triangles 7");
    graze_mesh_free(mesh);
    mesh = make_cups();
    mesh->caps->apexes[2] += 1e-9;
    expect_fault(mesh, "apex");
    graze_mesh_free(mesh);
    mesh = make_cups();
    mesh->caps->triangle_count--;
    expect_fault(mesh, "triangle_count");
    graze_mesh_free(mesh);
    mesh = make_cups();
    mesh->caps->tree.nodes[0].half[1][0] *= 0.5f;
    expect_fault(mesh, "tree.nodes 0");
    graze_mesh_free(mesh);
    mesh = make_cups();
    caps = mesh->caps;
    mesh->caps = NULL;
    expect_fault(mesh, "caps");
    mesh->caps = caps;
    graze_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mesh_that_is_built_validates),
        cmocka_unit_test(test_a_shrunk_sphere_is_noticed),
        cmocka_unit_test(test_a_shrunk_box_is_noticed),
        cmocka_unit_test(test_each_number_of_a_box_that_shrinks_is_noticed),
        cmocka_unit_test(test_an_oriented_box_shrunk_by_more_than_its_growth_is_noticed),
        cmocka_unit_test(test_a_shrunk_node_or_packet_is_noticed),
        cmocka_unit_test(test_a_triangle_in_the_wrong_packet_is_noticed),
        cmocka_unit_test(test_a_shrunk_component_is_noticed),
        cmocka_unit_test(test_a_component_that_its_tree_leaves_out_is_noticed),
        cmocka_unit_test(test_what_a_component_is_not_is_noticed),
        cmocka_unit_test(test_caps_that_close_nothing_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
