// The trees of a mesh: packets hold each triangle once, in float, and boxes contain the doubles.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/bvh/box_tree.h"
#include "mesh/mesh.h"
#include "unit/mesh/mesh_maker.h"

static bool holds(const gz_box *box, const double *p) {
    for (int k = 0; k < 3; k++) {
        long double d = (long double)p[k] - box->center[k];
        if (!(fabsl(d) <= box->half[k])) return false;
    }
    return true;
}

static void check_packet(const graze_mesh *m, size_t i, uint8_t *seen) {
    const gz_packet *p = &m->packets[i];
    assert_true(p->count >= 1 && p->count <= GZ_WIDTH);
    for (int lane = 0; lane < GZ_WIDTH; lane++) {
        uint32_t t = p->triangle[lane];
        if (lane < p->count)
            assert_int_equal(seen[t]++, 0);
        else
            assert_int_equal(t, p->triangle[0]);
        for (int corner = 0; corner < 3; corner++) {
            const double *v = m->vertices +
                              3 * (size_t)m->triangles[3 * (size_t)t + (size_t)corner];
            assert_true(holds(&m->packet_boxes[i], v));
            for (int k = 0; k < 3; k++) assert_true(p->vertex[corner][k][lane] == (float)v[k]);
        }
    }
}

/// Every vertex of the triangles below a reference lies in the box.
static void check_below(const graze_mesh *m, int32_t reference, const gz_box *box,
                        uint8_t *packet_seen) {
    if (reference < 0) {
        const gz_packet *p = &m->packets[~reference];
        packet_seen[~reference]++;
        for (int lane = 0; lane < p->count; lane++)
            for (size_t c = 0; c < 3; c++)
                assert_true(
                    holds(box, m->vertices +
                                   3 * (size_t)m->triangles[3 * (size_t)p->triangle[lane] + c]));
        return;
    }
    const gz_node *node = &m->nodes[reference];
    for (int i = 0; i < node->count; i++) {
        gz_box child;
        for (int k = 0; k < 3; k++)
            child.center[k] = node->center[k][i], child.half[k] = node->half[k][i];
        check_below(m, node->child[i], &child, packet_seen);
        check_below(m, node->child[i], box, (uint8_t[65536]){0});
        check_below(m, node->child[i], &m->node_boxes[reference], (uint8_t[65536]){0});
    }
}

static void check_components(const graze_mesh *m) {
    uint8_t *seen = calloc(m->component_count, 1);
    assert_non_null(seen);
    if (m->component_node_count == 0) {
        assert_int_equal(m->component_count, 1);
        assert_int_equal(m->component_root, ~0);
        seen[0] = 1;
    }
    for (size_t i = 0; i < m->component_node_count; i++) {
        const gz_node *node = &m->component_nodes[i];
        for (int k = 0; k < node->count; k++) {
            if (node->child[k] >= 0) continue;
            const gz_component *c = &m->components[~node->child[k]];
            seen[~node->child[k]]++;
            gz_box box;
            for (int a = 0; a < 3; a++)
                box.center[a] = node->center[a][k], box.half[a] = node->half[a][k];
            assert_true(holds(&box, &c->box.min.x) && holds(&box, &c->box.max.x));
        }
    }
    for (size_t i = 0; i < m->component_count; i++) assert_int_equal(seen[i], 1);
    free(seen);
}

static void check(graze_mesh *m) {
    uint8_t *seen = calloc(m->triangle_count, 1), *packet_seen = calloc(m->packet_count, 1);
    assert_true(seen && packet_seen && m->packet_count < 65536);
    for (size_t i = 0; i < m->packet_count; i++) check_packet(m, i, seen);
    for (size_t i = 0; i < m->triangle_count; i++) assert_int_equal(seen[i], 1);
    if (m->root < 0)
        packet_seen[0] = 1;
    else
        check_below(m, m->root, &m->node_boxes[m->root], packet_seen);
    for (size_t i = 0; i < m->packet_count; i++) assert_int_equal(packet_seen[i], 1);
    assert_int_equal((uintptr_t)m->packets % 64, 0);
    assert_int_equal((uintptr_t)m->nodes % 64, 0);
    check_components(m);
    free(seen);
    free(packet_seen);
    graze_mesh_free(m);
}

static void test_packets_and_nodes_hold_every_triangle_once(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 40; round++) {
        maker m = {0};
        if (round % 4 == 0) maker_soup(&m, &r, 1 + gz_random_below(&r, 30), 0.5);
        if (round % 4 == 1) maker_soup(&m, &r, 400, 0.05);
        if (round % 4 == 2) maker_torus(&m, 1, 0.4, 14, 9);
        if (round % 4 == 3) maker_needles(&m, &r, 100);
        maker_scale(&m, pow(10, gz_random_range(&r, -6, 4)));
        for (size_t i = 0; round % 2 && i < 3 * m.nv; i++) m.v[i] += 12345.678;
        check(maker_finish(&m));
    }
}

static void test_trees_of_many_components_lead_to_each(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    maker m = {0};
    for (int i = 0; i < 300; i++) {
        double c[3];
        for (int k = 0; k < 3; k++) c[k] = gz_random_range(&r, -1, 1);
        maker_sphere(&m, c, 0.02, 2, 3);
    }
    graze_mesh *mesh = maker_finish(&m);
    assert_int_equal(mesh->component_count, 300);
    check(mesh);
}

static void test_equal_input_gives_equal_trees(void **state) {
    (void)state;
    graze_mesh *mesh[2];
    for (int i = 0; i < 2; i++) {
        gz_random r = gz_random_make(3, 0);
        maker m = {0};
        maker_soup(&m, &r, 700, 0.2);
        mesh[i] = maker_finish(&m);
    }
    assert_int_equal(mesh[0]->node_count, mesh[1]->node_count);
    assert_int_equal(mesh[0]->packet_count, mesh[1]->packet_count);
    assert_memory_equal(mesh[0]->nodes, mesh[1]->nodes, mesh[0]->node_count * sizeof(gz_node));
    assert_memory_equal(mesh[0]->packets, mesh[1]->packets,
                        mesh[0]->packet_count * sizeof(gz_packet));
    for (int i = 0; i < 2; i++) graze_mesh_free(mesh[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_and_nodes_hold_every_triangle_once),
        cmocka_unit_test(test_trees_of_many_components_lead_to_each),
        cmocka_unit_test(test_equal_input_gives_equal_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
