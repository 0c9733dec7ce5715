// Components and closedness against brute force: labels spread over shared vertices, and a table of
// directed edges.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

/// Labels of the triangles: the lowest triangle that can be reached through shared vertices.
static void spread_labels(const uint32_t *t, size_t n, size_t *label) {
    for (size_t i = 0; i < n; i++) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                bool share = false;
                for (size_t a = 0; a < 9; a++) share |= t[3 * i + a / 3] == t[3 * k + a % 3];
                if (share && label[k] < label[i]) label[i] = label[k], changed = true;
            }
    }
}

static bool is_closed(const uint32_t *t, size_t n, const size_t *label, size_t which, size_t nv) {
    int32_t *count = calloc(nv * nv, sizeof *count);
    assert_non_null(count);
    for (size_t i = 0; i < n; i++) {
        if (label[i] != which) continue;
        for (size_t k = 0; k < 3; k++) count[t[3 * i + k] * nv + t[3 * i + (k + 1) % 3]]++;
    }
    bool closed = true;
    for (size_t a = 0; a < nv; a++)
        for (size_t b = 0; b < a; b++) closed &= count[a * nv + b] == count[b * nv + a];
    free(count);
    return closed;
}

/// Checks everything that is said of a mesh's components.
static void check(const graze_mesh *m) {
    size_t n = m->triangle_count, found = 0, closed = 0;
    size_t *label = malloc(n * sizeof *label);
    assert_non_null(label);
    spread_labels(m->triangles, n, label);
    double low_all[3] = {INFINITY, INFINITY, INFINITY},
           high_all[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(m->component_of[i], m->component_of[label[i]]);
        if (label[i] != i) continue;
        assert_int_equal(m->component_of[i], found); // numbered by the lowest triangle
        const gz_component *c = &m->components[found++];
        assert_int_equal(c->triangle, i);
        size_t count = 0;
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        bool member[6] = {false};
        for (size_t k = 0; k < n; k++) {
            if (label[k] != i) continue;
            count++;
            for (size_t j = 0; j < 3; j++) {
                size_t v = m->triangles[3 * k + j];
                for (int e = 0; e < 6; e++) member[e] |= c->extreme[e] == v;
                for (size_t a = 0; a < 3; a++) {
                    low[a] = fmin(low[a], m->vertices[3 * v + a]);
                    high[a] = fmax(high[a], m->vertices[3 * v + a]);
                }
            }
        }
        assert_int_equal(c->triangle_count, count);
        const double *box[2] = {&c->box.min.x, &c->box.max.x};
        for (size_t a = 0; a < 3; a++) {
            assert_true(box[0][a] == low[a] && box[1][a] == high[a]);
            assert_true(m->vertices[3 * (size_t)c->extreme[2 * a] + a] == low[a]);
            assert_true(m->vertices[3 * (size_t)c->extreme[2 * a + 1] + a] == high[a]);
        }
        for (int e = 0; e < 6; e++) assert_true(member[e]);
        assert_true(m->vertices[3 * (size_t)c->vertex] == low[0]);
        assert_int_equal(c->closed, is_closed(m->triangles, n, label, i, m->vertex_count));
        if (!c->closed) continue;
        closed++;
        for (size_t a = 0; a < 3; a++) {
            low_all[a] = fmin(low_all[a], low[a]);
            high_all[a] = fmax(high_all[a], high[a]);
        }
    }
    assert_int_equal(m->component_count, found);
    assert_int_equal(m->closed_count, closed);
    for (size_t a = 0; closed && a < 3; a++) {
        assert_true((&m->closed_box.min.x)[a] == low_all[a]);
        assert_true((&m->closed_box.max.x)[a] == high_all[a]);
    }
    free(label);
}

static void test_random_soups_equal_brute_force(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    size_t closed = 0, open = 0;
    for (int round = 0; round < TRIALS(3000, 500); round++) {
        maker m = {0};
        uint32_t vertices = 3 + gz_random_below(&r, 12), triangles = 1 + gz_random_below(&r, 14);
        for (uint32_t i = 0; i < vertices; i++)
            maker_vertex(&m, gz_random_range(&r, -1, 1), (double)gz_random_below(&r, 3),
                         gz_random_range(&r, -1, 1));
        for (uint32_t i = 0; i < triangles; i++) {
            uint32_t a = gz_random_below(&r, vertices), b = gz_random_below(&r, vertices),
                     c = gz_random_below(&r, vertices);
            maker_triangle(&m, a, b, c);
            if (round % 2) maker_triangle(&m, c, b, a); // closed against its reverse
        }
        graze_mesh *mesh = maker_finish(&m);
        check(mesh);
        closed += mesh->closed_count;
        open += mesh->component_count - mesh->closed_count;
        graze_mesh_free(mesh);
    }
    assert_true(closed > TRIALS(1000, 150) && open > TRIALS(1000, 150)); // both kinds were seen
}

static void test_vertices_of_very_many_edges_are_counted_exactly(void **state) {
    (void)state;
    // Fans around one vertex, closed below by a second apex, and the same with one face flipped.
    for (int flaw = 0; flaw < 2; flaw++) {
        maker m = {0};
        double origin[3] = {0, 0, 0};
        maker_sphere(&m, origin, 1, 2, 300);
        if (flaw) maker_triangle(&m, m.t[0], m.t[1], m.t[2]);
        graze_mesh *mesh = maker_finish(&m);
        assert_int_equal(mesh->component_count, 1);
        assert_int_equal(mesh->closed_count, flaw ? 0 : 1);
        graze_mesh_free(mesh);
    }
}

static graze_mesh *tetrahedra(const double (*corner)[3], uint32_t (*faces)[3], size_t nv,
                              size_t nt) {
    maker m = {0};
    for (size_t i = 0; i < nv; i++) maker_vertex(&m, corner[i][0], corner[i][1], corner[i][2]);
    for (size_t i = 0; i < nt; i++) maker_triangle(&m, faces[i][0], faces[i][1], faces[i][2]);
    return maker_finish(&m);
}

static const double corners[8][3] = {{0, 0, 0}, {1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                     {0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};

static void test_shells_that_share_only_a_vertex_are_one_component(void **state) {
    (void)state;
    uint32_t faces[8][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3},
                            {4, 5, 6}, {4, 7, 5}, {4, 6, 7}, {5, 7, 6}};
    graze_mesh *m = tetrahedra(corners, faces, 8, 8); // both have a corner at the origin
    check(m);
    assert_int_equal(m->vertex_count, 7);
    assert_int_equal(m->component_count, 1);
    assert_int_equal(m->closed_count, 1);
    graze_mesh_free(m);
}

static void test_duplicated_flipped_and_missing_faces(void **state) {
    (void)state;
    static const uint32_t base[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    struct {
        int count, closed;
        uint32_t extra[2][3];
    } cases[] = {
        {4, 1, {{0}}},                  // a tetrahedron
        {3, 0, {{0}}},                  // a face is missing
        {5, 0, {{1, 2, 3}}},            // a face twice
        {6, 1, {{1, 2, 3}, {3, 2, 1}}}, // a face and its reverse in addition
        {5, 0, {{3, 2, 1}}},            // a face against itself: a hole in exact counts
        {5, 1, {{2, 2, 2}}},            // degenerate faces change nothing
        {6, 1, {{1, 1, 3}, {0, 3, 0}}}, //
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t faces[6][3];
        memcpy(faces, base, sizeof base);
        memcpy(faces[4], cases[i].extra, sizeof cases[i].extra);
        graze_mesh *m = tetrahedra(corners, faces, 4, (size_t)cases[i].count);
        check(m);
        assert_int_equal(m->closed_count, cases[i].closed);
        graze_mesh_free(m);
        for (int f = 0; f < cases[i].count; f++) { // flipped: as closed as before
            uint32_t swap = faces[f][0];
            faces[f][0] = faces[f][1];
            faces[f][1] = swap;
        }
        m = tetrahedra(corners, faces, 4, (size_t)cases[i].count);
        assert_int_equal(m->closed_count, cases[i].closed);
        graze_mesh_free(m);
    }
    // One face flipped alone: three edges no longer cancel.
    uint32_t faces[4][3];
    memcpy(faces, base, sizeof base);
    faces[2][1] = 2, faces[2][2] = 3;
    graze_mesh *m = tetrahedra(corners, faces, 4, 4);
    assert_int_equal(m->closed_count, 0);
    graze_mesh_free(m);
}

static void test_closed_shells_are_closed_when_exploded_and_welded(void **state) {
    (void)state;
    maker m = {0};
    double center[3] = {4, 0, 0}, half[3] = {1, 2, 3};
    maker_torus(&m, 2, 0.5, 12, 9);
    maker_sphere(&m, center, 0.7, 6, 8);
    center[0] = -7;
    maker_box(&m, center, half);
    maker_explode(&m);
    graze_mesh *mesh = maker_finish(&m);
    check(mesh);
    assert_int_equal(mesh->component_count, 3);
    assert_int_equal(mesh->closed_count, 3);
    assert_int_equal(mesh->vertex_count, 12 * 9 + 5 * 8 + 2 + 8);
    graze_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_soups_equal_brute_force),
        cmocka_unit_test(test_vertices_of_very_many_edges_are_counted_exactly),
        cmocka_unit_test(test_shells_that_share_only_a_vertex_are_one_component),
        cmocka_unit_test(test_duplicated_flipped_and_missing_faces),
        cmocka_unit_test(test_closed_shells_are_closed_when_exploded_and_welded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
