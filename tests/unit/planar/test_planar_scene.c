// Scenes of polygons: what is a polygon, generation, storing and reading, and overlap in cases
// whose answers are plain. The campaign is tests/oracle/planar_polygons.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "planar/convex/convex_internal.h"
#include "unit/load/comma_locale.h"

static bool overlap(const graze_vec2 *a, int32_t n, const graze_vec2 *b, int32_t m) {
    gz_convex ca, cb;
    graze_error e;
    if (gz_convex_make(&ca, a, n, &e) || gz_convex_make(&cb, b, m, &e)) {
        fail_msg("%s", e.message);
    }
    bool first = gz_convex_overlap(&ca, &cb);
    assert_int_equal(gz_convex_overlap(&cb, &ca), first);
    // By the Minkowski difference, too.
    assert_int_equal(gz_cspace_blocked(&ca, &cb, (graze_vec2){0, 0}), first);
    assert_int_equal(gz_cspace_blocked(&cb, &ca, (graze_vec2){0, 0}), first);
    return first;
}

static const graze_vec2 square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static void test_touching_is_meeting(void **state) {
    (void)state;
    const graze_vec2 edge[4] = {{1, 0.25}, {2, 0.25}, {2, 0.5}, {1, 0.5}};
    const graze_vec2 corner[3] = {{1, 1}, {2, 1}, {2, 2}};
    const graze_vec2 tip[3] = {{0.5, 1}, {1, 2}, {0, 2}};
    assert_true(overlap(square, 4, edge, 4));
    assert_true(overlap(square, 4, corner, 3));
    assert_true(overlap(square, 4, tip, 3));
    // One ulp away.
    const double up = 0x1.0000000000001p0;
    const graze_vec2 near_corner[3] = {{up, up}, {2, up}, {2, 2}};
    const graze_vec2 near_tip[3] = {{0.5, up}, {1, 2}, {0, 2}};
    assert_false(overlap(square, 4, near_corner, 3));
    assert_false(overlap(square, 4, near_tip, 3));
}

static void test_containment_is_meeting(void **state) {
    (void)state;
    const graze_vec2 inside[3] = {{0.25, 0.25}, {0.5, 0.25}, {0.25, 0.5}};
    const graze_vec2 around[3] = {{-5, -5}, {9, -5}, {-5, 9}};
    assert_true(overlap(square, 4, inside, 3));
    assert_true(overlap(square, 4, around, 3));
}

static void test_points_and_segments(void **state) {
    (void)state;
    const graze_vec2 p[1] = {{0.5, 0.5}}, q[1] = {{1, 0.5}}, out[1] = {{1.5, 0.5}};
    assert_true(overlap(square, 4, p, 1));
    assert_true(overlap(square, 4, q, 1));
    assert_false(overlap(square, 4, out, 1));
    assert_true(overlap(p, 1, p, 1));
    assert_false(overlap(p, 1, q, 1));
    const graze_vec2 s[2] = {{0, 0}, {3, 3}}, t[2] = {{3, 3}, {4, 4}}, u[2] = {{4, 4}, {5, 5}};
    const graze_vec2 parallel[2] = {{1, 0}, {4, 3}}, across[2] = {{0, 2}, {2, 0}};
    assert_true(overlap(s, 2, t, 2));
    assert_false(overlap(s, 2, u, 2));
    assert_false(overlap(s, 2, parallel, 2));
    assert_true(overlap(s, 2, across, 2));
    const graze_vec2 on[1] = {{2, 2}}, beyond[1] = {{4, 4}};
    assert_true(overlap(s, 2, on, 1));
    assert_false(overlap(s, 2, beyond, 1));
}

static void expect_refused(const graze_vec2 *v, int32_t n, graze_status status, const char *text) {
    gz_convex c;
    graze_error e;
    assert_int_equal(gz_convex_make(&c, v, n, &e), status);
    if (!strstr(e.message, text)) fail_msg("'%s' is not in '%s'", text, e.message);
}

static void test_what_is_no_convex_polygon_is_refused(void **state) {
    (void)state;
    const graze_vec2 clockwise[3] = {{0, 0}, {0, 1}, {1, 0}};
    const graze_vec2 straight[4] = {{0, 0}, {1, 0}, {2, 0}, {0, 2}};
    const graze_vec2 star[5] = {{0, 3}, {-2, -3}, {3, 1}, {-3, 1}, {2, -3}};
    const graze_vec2 same[2] = {{1, 1}, {1, 1}}, bad[1] = {{0, INFINITY}},
                     tiny[1] = {{0x1p-120, 0}};
    expect_refused(clockwise, 3, GRAZE_ERROR_SCHEMA, "turn left");
    expect_refused(straight, 4, GRAZE_ERROR_SCHEMA, "vertex 1");
    expect_refused(star, 5, GRAZE_ERROR_SCHEMA, "2 times");
    expect_refused(same, 2, GRAZE_ERROR_SCHEMA, "different");
    expect_refused(bad, 1, GRAZE_ERROR_RANGE, "vertex 0");
    expect_refused(tiny, 1, GRAZE_ERROR_RANGE, "vertex 0");
    assert_true(gz_convex_overlap(NULL, NULL));
}

static void test_generated_polygons_are_as_asked(void **state) {
    (void)state;
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.count = 50;
    o.vertex_min = 15;
    o.vertex_max = 20;
    o.radius_min = 0.05;
    o.radius_max = 0.1;
    graze_planar_scene *scene = NULL;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_scene_count(scene), 50);
    bool least = false, most = false;
    for (size_t i = 0; i < 50; i++) {
        const gz_convex *p = gz_scene_polygon(scene, i);
        assert_true(p->count >= 15 && p->count <= 20);
        least |= p->count == 15;
        most |= p->count == 20;
        assert_true(p->bounds.min.x >= 0 && p->bounds.max.x <= 2);
        assert_true(p->bounds.max.x - p->bounds.min.x <= 0.2);
        assert_true(p->bounds.max.y - p->bounds.min.y > 0.1);
        gz_convex again;
        assert_int_equal(gz_convex_make(&again, p->vertices, p->count, NULL), GRAZE_OK);
    }
    assert_true(least && most);
    size_t n = 1;
    assert_null(graze_planar_scene_polygon(scene, 50, &n));
    assert_int_equal(n, 0);
    graze_planar_scene_free(scene);
}

static void test_one_seed_gives_one_scene(void **state) {
    (void)state;
    graze_planar_scene_options o = graze_planar_scene_options_default();
    char text[2][8192];
    for (int k = 0; k < 3; k++) {
        graze_planar_scene *scene = NULL;
        o.seed = k < 2 ? 5 : 6;
        assert_int_equal(graze_planar_scene_generate(&scene, &o, NULL), GRAZE_OK);
        assert_true(graze_planar_scene_text(scene, text[k > 0], sizeof text[0]) < sizeof text[0]);
        if (k == 1) assert_string_equal(text[0], text[1]);
        if (k == 2) assert_string_not_equal(text[0], text[1]);
        graze_planar_scene_free(scene);
    }
}

static void test_generation_refuses_what_cannot_be(void **state) {
    (void)state;
    graze_planar_scene *scene = NULL;
    graze_error e;
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.vertex_min = o.vertex_max = 900;
    o.radius_min = 0.01;
    o.count = 1;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, &e), GRAZE_ERROR_LIMIT);
    assert_null(scene);
    o = graze_planar_scene_options_default();
    o.radius_max = 1.5;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, &e), GRAZE_ERROR_RANGE);
    o = graze_planar_scene_options_default();
    o.vertex_min = 2;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, &e), GRAZE_ERROR_RANGE);
    o.struct_size = 3;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, &e), GRAZE_ERROR_ARGUMENT);
}

static void test_text_reads_back_as_the_same_scene(void **state) {
    (void)state;
    // Where the host writes numbers with a comma, too.
    temporary_folder folder = temporary_folder_make();
    bool comma = comma_locale_set(&folder);
    graze_planar_scene *scene = NULL, *back = NULL;
    assert_int_equal(graze_planar_scene_generate(&scene, NULL, NULL), GRAZE_OK);
    size_t size = graze_planar_scene_text(scene, NULL, 0);
    char *text = malloc(size + 1), *again = malloc(size + 1);
    assert_non_null(text);
    assert_non_null(again);
    assert_int_equal(graze_planar_scene_text(scene, text, size + 1), size);
    assert_int_equal(strlen(text), size);
    graze_error e;
    if (graze_planar_scene_load_memory(&back, text, size, "text", &e)) fail_msg("%s", e.message);
    assert_int_equal(graze_planar_scene_text(back, again, size + 1), size);
    assert_string_equal(text, again);
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        const gz_convex *p = gz_scene_polygon(scene, i);
        const gz_convex *q = gz_scene_polygon(back, i);
        assert_int_equal(p->count, q->count);
        assert_memory_equal(p->vertices, q->vertices, (size_t)p->count * sizeof *p->vertices);
    }
    // Cut short, it ends in NUL within the bytes there are.
    char few[8];
    assert_int_equal(graze_planar_scene_text(scene, few, sizeof few), size);
    assert_int_equal(strlen(few), 7);
    comma_locale_end();
    temporary_folder_remove(&folder);
    if (!comma) print_message("no locale with a comma could be made: held in the C locale only\n");
    free(text);
    free(again);
    graze_planar_scene_free(scene);
    graze_planar_scene_free(back);
}

#define HEAD "{\"format\": \"graze-planar-scene-1\", \"size\": 2,\n"

static void test_reading_is_strict_and_says_where(void **state) {
    (void)state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *message;
    } cases[] = {
        {"", GRAZE_ERROR_PARSE, 1, "JSON"},
        {"[]", GRAZE_ERROR_SCHEMA, 1, "object"},
        {"{\"format\": \"graze-planar-scene-2\"}", GRAZE_ERROR_SCHEMA, 1, "graze-planar-scene-1"},
        {HEAD "\"polygon\": []}", GRAZE_ERROR_SCHEMA, 2, "the key \"polygon\" is not known"},
        {HEAD "\"polygons\": [{\"vertices\": [[0, 0], [1, 0], [0, 1]],\n\"name\": 1}]}",
         GRAZE_ERROR_SCHEMA, 3, "the key \"name\" is not known"},
        {HEAD "\"polygons\": [{\"vertices\": []}]}", GRAZE_ERROR_LIMIT, 2, "0 vertices"},
        {HEAD "\"polygons\": [\n{\"vertices\": [[0, 0], [0, 1], [1, 0]]}]}", GRAZE_ERROR_SCHEMA, 3,
         "turn left"},
        {HEAD "\"polygons\": [{\"vertices\": [[0, 0],\n[1]]}]}", GRAZE_ERROR_SCHEMA, 3, "2"},
        {HEAD "\"polygons\": [{\"vertices\": [[0, 1e999]]}]}", GRAZE_ERROR_RANGE, 2, ""},
        {HEAD "\"polygons\": [{\"vertices\": [[0, 1e40]]}]}", GRAZE_ERROR_RANGE, 2, "vertex 0"},
        {"{\"format\": \"graze-planar-scene-1\", \"size\": 0, \"polygons\": []}", GRAZE_ERROR_RANGE,
         1, "size is 0"},
        {"{\"format\": \"graze-planar-scene-1\", \"polygons\": []}", GRAZE_ERROR_SCHEMA, 1, "size"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_planar_scene *scene = NULL;
        graze_error e;
        graze_status status = graze_planar_scene_load_memory(
            &scene, cases[i].text, strlen(cases[i].text), "scene.json", &e);
        if (status != cases[i].status || e.line != cases[i].line ||
            !strstr(e.message, cases[i].message)) {
            fail_msg("case %zu: status %d, line %d: %s", i, status, (int)e.line, e.message);
        }
        assert_null(scene);
        assert_string_equal(e.file, "scene.json");
    }
    graze_planar_scene *scene = NULL;
    graze_error e;
    assert_int_equal(graze_planar_scene_load(&scene, "no/such.json", &e), GRAZE_ERROR_NOT_FOUND);
    const char empty[] = HEAD "\"polygons\": []}";
    assert_int_equal(graze_planar_scene_load_memory(&scene, empty, strlen(empty), "x", &e),
                     GRAZE_OK);
    assert_int_equal(graze_planar_scene_count(scene), 0);
    graze_planar_scene_free(scene);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    const char text[] = HEAD "\"polygons\": [{\"vertices\": [[0, 0], [1, 0], [0, 1]]}]}";
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.vertex_min = o.vertex_max = 20;
    o.radius_min = 0.49;
    for (int what = 0; what < 2; what++) {
        for (long n = 1;; n++) {
            graze_planar_scene *scene = NULL;
            graze_error e;
            gz_memory_fail_after(n, n % 2 == 0);
            graze_status status = what == 0 ? graze_planar_scene_generate(&scene, &o, &e)
                                            : graze_planar_scene_load_memory(&scene, text,
                                                                             strlen(text), "x", &e);
            long used = gz_memory_allocation_count();
            gz_memory_fail_after(0, false);
            if (status == GRAZE_OK && used < n) {
                graze_planar_scene_free(scene);
                break;
            }
            // jansson allocates elsewhere; ours are counted.
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            assert_null(scene);
            if (n > 5000) fail_msg("no end of allocations");
        }
    }
#else
    skip();
#endif
}

/// Sweep and prune against every pair by Minkowski differences.
static void test_pairs_of_a_scene_are_those_of_all_pairs(void **state) {
    (void)state;
    static size_t pairs[5000][2];
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.count = 100;
    o.radius_min = 0.05;
    o.radius_max = 0.15;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        graze_planar_scene *scene;
        o.seed = seed;
        assert_int_equal(graze_planar_scene_generate(&scene, &o, NULL), GRAZE_OK);
        size_t count, at = 0, some = 0;
        assert_int_equal(graze_planar_scene_pairs(scene, pairs, 5000, &count, NULL), GRAZE_OK);
        for (size_t i = 0; i < 100; i++)
            for (size_t k = i + 1; k < 100; k++) {
                if (!gz_cspace_blocked(gz_scene_polygon(scene, i), gz_scene_polygon(scene, k),
                                       (graze_vec2){0, 0}))
                    continue;
                assert_true(at < count && pairs[at][0] == i && pairs[at][1] == k);
                at++;
            }
        assert_int_equal(at, count);
        assert_true(count > 20);
        size_t last[2] = {pairs[2][0], pairs[2][1]};
        memset(pairs, 0, sizeof pairs);
        assert_int_equal(graze_planar_scene_pairs(scene, pairs, 3, &some, NULL), GRAZE_OK);
        assert_true(some == count && pairs[2][0] == last[0] && pairs[2][1] == last[1]);
        assert_true(pairs[3][0] == 0 && pairs[3][1] == 0);
        graze_planar_scene_free(scene);
    }
    size_t count = 7;
    assert_int_equal(graze_planar_scene_pairs(NULL, pairs, 1, &count, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_of_a_scene_are_those_of_all_pairs),
        cmocka_unit_test(test_touching_is_meeting),
        cmocka_unit_test(test_containment_is_meeting),
        cmocka_unit_test(test_points_and_segments),
        cmocka_unit_test(test_what_is_no_convex_polygon_is_refused),
        cmocka_unit_test(test_generated_polygons_are_as_asked),
        cmocka_unit_test(test_one_seed_gives_one_scene),
        cmocka_unit_test(test_generation_refuses_what_cannot_be),
        cmocka_unit_test(test_text_reads_back_as_the_same_scene),
        cmocka_unit_test(test_reading_is_strict_and_says_where),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
