/// Which bodies are closed, and what closes the others.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "verify/posed_shape.h"

static double points[][3] = {{0, 0, 0}, {1, 0, 0},   {0, 1, 0}, {0, 0, 1}, // a tetrahedron,
                             {5, 0, 0}, {6, 0, 0},   {5, 1, 0}, {5, 0, 1}, // another,
                             {0, 0, 0}, {-0.0, 1, 0}};                     // 0 and 2 once more

static gz_surface made(uint32_t (*triangles)[3], size_t count, gz_dump_element *element) {
    *element = (gz_dump_element){.shape = GZ_DUMP_MESH,
                                 .points = points,
                                 .point_count = sizeof points / sizeof *points,
                                 .triangles = triangles,
                                 .triangle_count = count};
    gz_surface surface;
    assert_true(gz_surface_make(&surface, element));
    return surface;
}

static void test_components_are_numbered_by_their_lowest_triangles(void **state) {
    (void)state;
    uint32_t triangles[][3] = {{4, 6, 5}, {0, 2, 1}, {4, 5, 7}, {0, 1, 3},
                               {4, 7, 6}, {0, 3, 2}, {5, 6, 7}, {1, 2, 3}};
    gz_dump_element element;
    gz_surface s = made(triangles, 8, &element);
    assert_int_equal(s.component_count, 2);
    assert_int_equal(s.components[0].triangle, 0);
    assert_int_equal(s.components[1].triangle, 1);
    assert_true(s.components[0].closed && s.components[1].closed);
    assert_int_equal(s.component_of[7], 1);
    assert_int_equal(s.open_edge_count, 0);
    gz_surface_free(&s);
}

static void test_equal_vertices_are_one(void **state) {
    (void)state;
    uint32_t triangles[][3] = {{0, 2, 1}, {8, 1, 3}, {8, 3, 9}, {1, 2, 3}};
    gz_dump_element element;
    gz_surface s = made(triangles, 4, &element);
    assert_int_equal(s.component_count, 1);
    assert_true(s.components[0].closed);
    gz_surface_free(&s);
}

static void test_a_missing_turned_or_doubled_triangle_opens_a_component(void **state) {
    (void)state;
    uint32_t missing[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
    uint32_t turned[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 3, 2}};
    uint32_t doubled[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {1, 2, 3}};
    uint32_t both_ways[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {1, 2, 3}, {1, 3, 2}};
    const struct {
        uint32_t (*triangles)[3];
        size_t count, open;
        int net;
    } cases[] = {{missing, 3, 3, 1}, {turned, 4, 3, 2}, {doubled, 5, 3, 1}, {both_ways, 6, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gz_dump_element element;
        gz_surface s = made(cases[i].triangles, cases[i].count, &element);
        assert_int_equal(s.components[0].closed, cases[i].open == 0);
        assert_int_equal(s.open_edge_count, cases[i].open);
        for (size_t e = 0; e < s.open_edge_count; e++)
            assert_int_equal(abs(s.open_edges[e].net), cases[i].net);
        gz_surface_free(&s);
    }
}

static void test_triangles_that_are_segments_have_no_edge_left(void **state) {
    (void)state;
    uint32_t triangles[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 1, 0}, {2, 2, 2}};
    gz_dump_element element;
    gz_surface s = made(triangles, 6, &element);
    assert_int_equal(s.component_count, 1);
    assert_true(s.components[0].closed);
    gz_surface_free(&s);
}

static void test_a_cap_is_the_triangle_that_is_missing(void **state) {
    (void)state;
    uint32_t triangles[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
    gz_dump_element element;
    gz_verify_caps caps;
    gz_surface s = made(triangles, 3, &element);
    assert_true(gz_verify_caps_make(&caps, &element, &s));
    assert_int_equal(caps.apex_count, 1);
    assert_int_equal(caps.triangle_count, 1); // two are empty: the apex is one of the corners
    assert_int_equal(caps.triangles[0].weight, 1);
    gz_verify_caps_free(&caps);
    gz_surface_free(&s);
}

static void test_the_apex_is_the_mean_of_the_starting_points(void **state) {
    (void)state;
    // Two sides of a tent over a square: its border has the corners 0, 1, 2 and 3.
    uint32_t triangles[][3] = {{0, 1, 2}, {0, 2, 3}};
    gz_dump_element element;
    gz_verify_caps caps;
    gz_surface s = made(triangles, 2, &element);
    assert_true(gz_verify_caps_make(&caps, &element, &s));
    assert_int_equal(caps.apex_count, 1);
    for (int k = 0; k < 3; k++) assert_true(caps.apexes[0][k] == 0.25);
    assert_int_equal(caps.triangle_count, 4);
    // Against the edges' direction: 1 to 0 is one of them.
    bool found = false;
    for (size_t i = 0; i < 4; i++)
        found = found || (caps.triangles[i].from == 1 && caps.triangles[i].to == 0);
    assert_true(found);
    gz_verify_caps_free(&caps);
    gz_surface_free(&s);
}

static void test_one_triangle_alone_has_no_cap(void **state) {
    (void)state;
    uint32_t triangles[][3] = {{0, 1, 2}};
    gz_dump_element element;
    gz_verify_caps caps;
    gz_surface s = made(triangles, 1, &element);
    assert_false(gz_verify_is_capped(&s.components[0]));
    assert_true(gz_verify_caps_make(&caps, &element, &s));
    assert_int_equal(caps.triangle_count, 0);
    gz_verify_caps_free(&caps);
    gz_surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components_are_numbered_by_their_lowest_triangles),
        cmocka_unit_test(test_equal_vertices_are_one),
        cmocka_unit_test(test_a_missing_turned_or_doubled_triangle_opens_a_component),
        cmocka_unit_test(test_triangles_that_are_segments_have_no_edge_left),
        cmocka_unit_test(test_a_cap_is_the_triangle_that_is_missing),
        cmocka_unit_test(test_the_apex_is_the_mean_of_the_starting_points),
        cmocka_unit_test(test_one_triangle_alone_has_no_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
