// The edges that a mesh leaves open, the caps that close them, and the mean that does not depend on
// any order.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh/cap.h"
#include "mesh/mesh.h"
#include "unit/mesh/mesh_maker.h"

static const double origin[3] = {0, 0, 0}, unit[3] = {1, 1, 1};

/// A ball without the triangles whose top is above `level`.
static void bowl(maker *m, double level) {
    size_t kept = 0;
    maker_sphere(m, origin, 1, 8, 9);
    for (size_t t = 0; t < m->nt; t++) {
        double top = -2;
        for (size_t k = 0; k < 3; k++) top = fmax(top, m->v[3 * (size_t)m->t[3 * t + k] + 2]);
        if (top <= level) memmove(m->t + 3 * kept++, m->t + 3 * t, 3 * sizeof *m->t);
    }
    m->nt = kept;
}

static void drop(maker *m, size_t first, size_t count) {
    memmove(m->t + 3 * first, m->t + 3 * (first + count),
            3 * (m->nt - first - count) * sizeof *m->t);
    m->nt -= count;
}

// ----------------------------------------------------------------------------------------- edges

typedef struct tally {
    size_t edges, open, uses;
    int64_t net;
    uint32_t low, high;
    bool ordered;
} tally;

static bool count_edge(void *user, const gz_edge *edge) {
    tally *t = user;
    t->ordered &= t->edges == 0 || edge->low > t->low ||
                  (edge->low == t->low && edge->high > t->high);
    t->edges++;
    t->open += edge->net != 0;
    t->uses += edge->uses;
    t->net += edge->net;
    t->low = edge->low, t->high = edge->high;
    return edge->low < edge->high;
}

static bool refuse(void *user, const gz_edge *edge) {
    (void)edge;
    ++*(int *)user;
    return false;
}

static void test_every_edge_is_seen_once_in_order(void **state) {
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        maker m = {0};
        maker_sphere(&m, origin, 1, 6, 30); // poles of many edges are sorted, others are not
        if (broken) drop(&m, 7, 1);
        graze_mesh *mesh = maker_finish(&m);
        tally all = {.ordered = true}, open = {.ordered = true};
        assert_true(gz_edges_visit(mesh, false, count_edge, &all));
        assert_true(gz_edges_visit(mesh, true, count_edge, &open));
        assert_true(all.ordered && open.ordered);
        assert_int_equal(all.uses, 3 * mesh->triangle_count);
        // Euler: V - E + F = 2 on a sphere; a hole leaves the edges.
        assert_int_equal(all.edges, mesh->vertex_count + mesh->triangle_count - 2 + (size_t)broken);
        assert_int_equal(all.open, broken ? 3 : 0);
        assert_int_equal(open.edges, broken ? 3 : 0);
        int calls = 0;
        assert_false(gz_edges_visit(mesh, false, refuse, &calls));
        assert_int_equal(calls, 1);
        graze_mesh_free(mesh);
    }
}

static void test_triangles_that_name_a_vertex_twice_have_no_edge(void **state) {
    (void)state;
    maker m = {0};
    maker_box(&m, origin, unit);
    maker_triangle(&m, 0, 0, 1);
    maker_triangle(&m, 5, 5, 5);
    maker_triangle(&m, 0, 7, 0);
    graze_mesh *mesh = maker_finish(&m);
    tally all = {.ordered = true};
    assert_true(gz_edges_visit(mesh, false, count_edge, &all));
    assert_int_equal(all.uses, 36);
    assert_int_equal(all.edges, 18);
    assert_int_equal(mesh->closed_count, 1);
    graze_mesh_free(mesh);
}

// ------------------------------------------------------------------------------------------ caps

/// With the caps every directed edge of the capped components cancels.
static void assert_closed_by_caps(const graze_mesh *mesh) {
    size_t n = mesh->vertex_count + mesh->caps->apex_count;
    int32_t *count = calloc(n * n, sizeof *count);
    assert_non_null(count);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        if (!mesh->components[mesh->component_of[t]].capped) continue;
        for (size_t k = 0; k < 3; k++) count[v[k] * n + v[(k + 1) % 3]]++;
    }
    for (size_t i = 0; i < mesh->caps->triangle_count; i++) {
        const gz_cap_triangle *t = &mesh->caps->triangles[i];
        // An apex that is a vertex is that vertex.
        size_t apex = mesh->vertex_count + t->apex;
        for (size_t v = 0; v < mesh->vertex_count; v++)
            if (!memcmp(mesh->vertices + 3 * v, mesh->caps->apexes + 3 * (size_t)t->apex, 24))
                apex = v;
        const size_t v[3] = {apex, t->from, t->to};
        for (int k = 0; k < 3; k++) count[v[k] * n + v[(k + 1) % 3]] += t->count;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++) assert_int_equal(count[a * n + b], count[b * n + a]);
    free(count);
}

static void test_closed_meshes_and_loose_triangles_have_no_cap(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    maker m = {0};
    maker_box(&m, origin, unit);
    maker_soup(&m, &r, 20, 0.1);
    graze_mesh *mesh = maker_finish(&m);
    assert_null(mesh->caps);
    for (size_t i = 0; i < mesh->component_count; i++) assert_false(mesh->components[i].capped);
    graze_mesh_free(mesh);
}

static void test_missing_triangle_is_its_own_cap(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, origin, 1, 5, 6);
    uint32_t hole[3];
    memcpy(hole, m.t + 3 * 11, sizeof hole);
    drop(&m, 11, 1);
    graze_mesh *mesh = maker_finish(&m);
    assert_int_equal(mesh->caps->triangle_count, 1);
    assert_closed_by_caps(mesh);
    graze_mesh_free(mesh);
}

static void test_each_loop_is_closed_by_itself(void **state) {
    (void)state;
    maker m = {0};
    maker_torus(&m, 1, 0.3, 20, 15); // 30 triangles a row
    drop(&m, 15 * 30 + 10, 2);
    drop(&m, 8 * 30 + 10, 1);
    drop(&m, 2 * 30 + 10, 4);
    graze_mesh *mesh = maker_finish(&m);
    assert_int_equal(mesh->component_count, 1);
    assert_int_equal(mesh->caps->apex_count, 3);
    assert_int_equal(mesh->caps->triangle_count, 4 + 1 + 6);
    assert_closed_by_caps(mesh);
    graze_mesh_free(mesh);
}

static void test_flipped_triangle_is_capped_by_itself_twice(void **state) {
    (void)state;
    maker m = {0};
    maker_box(&m, origin, unit);
    uint32_t swap = m.t[4];
    m.t[4] = m.t[5];
    m.t[5] = swap;
    graze_mesh *mesh = maker_finish(&m);
    assert_int_equal(mesh->closed_count, 0);
    assert_int_equal(mesh->caps->triangle_count, 1);
    assert_int_equal(mesh->caps->triangles[0].count, 2);
    assert_closed_by_caps(mesh);
    graze_mesh_free(mesh);
}

static void test_random_open_soups_are_closed_by_their_caps(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    int capped = 0;
    for (int round = 0; round < 500; round++) {
        maker m = {0};
        uint32_t vertices = 4 + gz_random_below(&r, 9), triangles = 2 + gz_random_below(&r, 20);
        for (uint32_t i = 0; i < vertices; i++)
            maker_vertex(&m, gz_random_range(&r, -1, 1), gz_random_range(&r, -1, 1),
                         gz_random_range(&r, -1, 1));
        for (uint32_t i = 0; i < triangles; i++)
            maker_triangle(&m, gz_random_below(&r, vertices), gz_random_below(&r, vertices),
                           gz_random_below(&r, vertices));
        graze_mesh *mesh = maker_finish(&m);
        if (mesh->caps) {
            assert_closed_by_caps(mesh);
            capped++;
        }
        graze_mesh_free(mesh);
    }
    assert_true(capped > 300);
}

static void test_apexes_are_the_same_whatever_the_order(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    for (int round = 0; round < 50; round++) {
        maker m = {0}, p = {0};
        bowl(&m, 0.3);
        for (size_t i = 0; i < 3 * m.nv; i++) m.v[i] += gz_random_range(&r, -0.05, 0.05);
        // Vertices from last to first, triangles too, corners turned.
        for (size_t i = m.nv; i-- > 0;)
            maker_vertex(&p, m.v[3 * i], m.v[3 * i + 1], m.v[3 * i + 2]);
        for (size_t t = m.nt; t-- > 0;) {
            uint32_t v[3];
            for (size_t k = 0; k < 3; k++) v[k] = (uint32_t)m.nv - 1 - m.t[3 * t + k];
            maker_triangle(&p, v[1], v[2], v[0]);
        }
        graze_mesh *a = maker_finish(&m), *b = maker_finish(&p);
        assert_int_equal(a->caps->apex_count, 1);
        assert_int_equal(b->caps->apex_count, 1);
        assert_memory_equal(a->caps->apexes, b->caps->apexes, 3 * sizeof(double));
        // It lies in the box of the rim.
        for (int k = 0; k < 3; k++) {
            assert_true(a->caps->apexes[k] >= (&a->aabb.min.x)[k]);
            assert_true(a->caps->apexes[k] <= (&a->aabb.max.x)[k]);
        }
        graze_mesh_free(a);
        graze_mesh_free(b);
    }
}

static void test_out_of_memory_while_capping(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    maker m = {0};
    bowl(&m, 0.3);
    drop(&m, 4, 1);
    for (long n = 1;; n++) {
        graze_mesh *mesh = (graze_mesh *)(uintptr_t)1;
        gz_memory_fail_after(n, false);
        graze_status status = graze_mesh_create(&mesh, m.v, m.nv, m.t, m.nt, NULL);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            graze_mesh_free(mesh);
            if (used >= n) continue;
            assert_true(n > 25);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(mesh);
    }
    maker_free(&m);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_edge_is_seen_once_in_order),
        cmocka_unit_test(test_triangles_that_name_a_vertex_twice_have_no_edge),
        cmocka_unit_test(test_closed_meshes_and_loose_triangles_have_no_cap),
        cmocka_unit_test(test_missing_triangle_is_its_own_cap),
        cmocka_unit_test(test_each_loop_is_closed_by_itself),
        cmocka_unit_test(test_flipped_triangle_is_capped_by_itself_twice),
        cmocka_unit_test(test_random_open_soups_are_closed_by_their_caps),
        cmocka_unit_test(test_apexes_are_the_same_whatever_the_order),
        cmocka_unit_test(test_out_of_memory_while_capping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
