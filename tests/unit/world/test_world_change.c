// Versions of worlds: what they share, what they refuse, who frees what, and that a version is the
// world that its objects make: its compiled file is that of a world made anew, byte for byte.
// Random changes by the hundred thousand are those of tests/oracle/world_versions.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/thread.h"
#include "graze/compiled.h"
#include "world/world.h"

static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double dots[6] = {0, 0, 0, 1, 2, 3};

static graze_transform shift(double x, double y, double z) {
    graze_transform t = graze_transform_identity();
    t.m[3] = x;
    t.m[7] = y;
    t.m[11] = z;
    return t;
}

/// "a": box, "b": mesh, "c": points, "d": capsule, "e" ...: spheres, in a row.
static graze_world *make_world(size_t count) {
    graze_world *w;
    const double one[3] = {1, 1, 1}, low[3] = {-1, -2, -3}, high[3] = {4, 5, 6};
    assert_int_equal(graze_world_create(&w, "row", NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(w, low, high, NULL), GRAZE_OK);
    for (size_t i = 0; i < count; i++) {
        char name[24];
        graze_transform at = shift(2 * (double)i, 0, 0);
        graze_status status;
        if (i < 26)
            snprintf(name, sizeof name, "%c", (int)('a' + i));
        else
            snprintf(name, sizeof name, "%zu", i);
        if (i == 0)
            status = graze_world_add_box(w, name, one, &at, NULL);
        else if (i == 1)
            status = graze_world_add_mesh(w, name, corners, 4, tetrahedron, 4, &at, NULL);
        else if (i == 2)
            status = graze_world_add_points(w, name, dots, 2, 0.25, &at, NULL);
        else if (i == 3)
            status = graze_world_add_capsule(w, name, 0.5, 1, &at, NULL);
        else
            status = graze_world_add_sphere(w, name, 0.5, &at, NULL);
        assert_int_equal(status, GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static graze_world_change move_to(const char *name, const graze_transform *pose) {
    return (graze_world_change){.struct_size = sizeof(graze_world_change),
                                .kind = GRAZE_CHANGE_MOVE,
                                .name = name,
                                .pose = pose};
}

static graze_world_change take_away(const char *name) {
    return (graze_world_change){
        .struct_size = sizeof(graze_world_change), .kind = GRAZE_CHANGE_REMOVE, .name = name};
}

static graze_world_change add(const char *name, const graze_geometry *geometry,
                              const graze_transform *pose) {
    return (graze_world_change){.struct_size = sizeof(graze_world_change),
                                .kind = GRAZE_CHANGE_ADD,
                                .name = name,
                                .pose = pose,
                                .geometry = geometry};
}

static graze_world *revise(const graze_world *w, const graze_world_change *changes, size_t count) {
    graze_world *out;
    graze_error error;
    if (graze_world_revise(&out, w, changes, count, &error)) fail_msg("%s", error.message);
    return out;
}

static graze_geometry object(const graze_world *w, const char *name) {
    graze_geometry g;
    int32_t index = graze_world_find_object(w, name);
    assert_true(index >= 0);
    assert_int_equal(graze_world_object(w, (size_t)index, &g), GRAZE_OK);
    return g;
}

// ------------------------------------------------------------------------------------------ tests

static void test_what_does_not_change_is_shared(void **state) {
    (void)state;
    graze_world *w = make_world(100);
    graze_transform at = shift(0, 7, 0);
    graze_world_change change = move_to("b", &at);
    graze_world *v = revise(w, &change, 1);
    assert_int_equal(graze_world_object_count(v), 100);
    assert_non_null(v->delta);
    assert_ptr_equal(v->delta->base, w);
    assert_ptr_equal(object(v, "b").mesh, object(w, "b").mesh);
    assert_ptr_equal(object(v, "c").vertices, object(w, "c").vertices);
    assert_ptr_equal(object(v, "e").name, object(w, "e").name);
    assert_true(object(v, "b").origin.m[7] == 7 && object(w, "b").origin.m[7] == 0);
    assert_string_equal(graze_world_name(v), "row");
    double low[3];
    assert_true(graze_world_boundary(v, low, NULL) && low[2] == -3);
    // Moved again, it still leans on the first world, not on the one between.
    change = move_to("c", &at);
    graze_world *next = revise(v, &change, 1);
    assert_ptr_equal(next->delta->base, w);
    assert_int_equal(next->delta->object_count, 2);
    assert_ptr_equal(object(next, "c").vertices, object(w, "c").vertices);
    graze_world_free(w);
    graze_world_free(v);
    assert_true(object(next, "b").origin.m[7] == 7 && object(next, "c").origin.m[7] == 7);
    assert_memory_equal(object(next, "c").vertices, dots, sizeof dots);
    graze_world_free(next);
}

static void test_many_moves_end_in_a_tree_of_their_own(void **state) {
    (void)state;
    graze_world *w = make_world(100), *first = w;
    size_t whole = 0, beside = 0;
    for (int i = 0; i < 90; i++) {
        graze_transform at = shift(i, i, i);
        const gz_object *o = gz_world_at(w, (size_t)i);
        graze_world_change change = move_to(o->name, &at);
        graze_world *next = revise(w, &change, 1);
        *(next->delta ? &beside : &whole) += 1;
        if (next->delta) assert_true(next->delta->object_count <= 48);
        if (w != first) graze_world_free(w);
        w = next;
    }
    assert_true(whole >= 2 && beside >= 80);
    for (int i = 0; i < 100; i++)
        assert_true(gz_world_at(w, (size_t)i)->pose.m[3] == (i < 90 ? i : 2 * i));
    graze_world_free(w);
    graze_world_free(first);
}

/// The bytes of a world's compiled file.
static void assert_compiled_alike(const graze_world *a, const graze_world *b) {
    unsigned char *x, *y;
    size_t m, n;
    assert_int_equal(graze_compile(&x, &m, NULL, a, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_compile(&y, &n, NULL, b, NULL, NULL), GRAZE_OK);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    graze_compiled_free(x);
    graze_compiled_free(y);
}

static void test_a_version_is_the_world_that_its_objects_make(void **state) {
    (void)state;
    graze_world *w = make_world(5), *anew;
    graze_transform at = shift(0, 1, 0), far = shift(0, 0, 9);
    graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 2};
    graze_geometry mesh = object(w, "b");
    const graze_world_change changes[] = {
        move_to("d", &far),    take_away("a"),  add("xx", &ball, &at),
        add("y", &mesh, &far), take_away("xx"), add("a", &ball, NULL),
        move_to("a", &at),     take_away("c"),  move_to("d", &at),
    };
    graze_world *v = revise(w, changes, sizeof changes / sizeof *changes);
    // By hand: b, d moved, e, y, a.
    const double low[3] = {-1, -2, -3}, high[3] = {4, 5, 6};
    graze_transform b = shift(2, 0, 0), e = shift(8, 0, 0);
    graze_world_create(&anew, "row", NULL);
    graze_world_set_boundary(anew, low, high, NULL);
    graze_world_add_mesh(anew, "b", corners, 4, tetrahedron, 4, &b, NULL);
    graze_world_add_capsule(anew, "d", 0.5, 1, &at, NULL);
    graze_world_add_sphere(anew, "e", 0.5, &e, NULL);
    graze_world_add_mesh(anew, "y", corners, 4, tetrahedron, 4, &far, NULL);
    graze_world_add_sphere(anew, "a", 2, &at, NULL);
    assert_int_equal(graze_world_commit(anew, NULL), GRAZE_OK);
    assert_compiled_alike(v, anew);
    // The same beside a base: one more that moves.
    graze_world *big = make_world(60), *moved = make_world(60);
    graze_world_change change = move_to("c", &far);
    graze_world *beside = revise(big, &change, 1);
    assert_non_null(beside->delta);
    const graze_world_change there_and_back[] = {move_to("a", &far), move_to("c", &far)};
    graze_world *other = revise(moved, there_and_back, 2);
    graze_transform home = shift(0, 0, 0);
    change = move_to("a", &home);
    graze_world *same = revise(other, &change, 1);
    assert_compiled_alike(beside, same);
    assert_true(graze_world_pose_error(beside) == graze_world_pose_error(same));
    graze_world *worlds[] = {w, v, anew, big, beside, moved, other, same};
    for (size_t i = 0; i < 8; i++) graze_world_free(worlds[i]);
}

static void test_a_world_of_a_file_outlives_it_in_its_versions(void **state) {
    (void)state;
    graze_world *w = make_world(60), *opened;
    unsigned char *bytes;
    size_t size;
    graze_compiled *compiled;
    assert_int_equal(graze_compile(&bytes, &size, NULL, w, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_open_memory(&compiled, bytes, size, "file", NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_world(&opened, compiled, NULL), GRAZE_OK);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    graze_transform at = shift(0, 7, 0);
    graze_geometry mesh = object(opened, "b");
    const graze_world_change changes[] = {move_to("b", &at), add("zz", &mesh, &at)};
    graze_world *beside = revise(opened, changes, 2);
    graze_world_change change = take_away("a");
    graze_world *whole = revise(opened, &change, 1);
    graze_world_free(opened);
    graze_world *again = revise(w, changes, 2), *less = revise(w, &change, 1);
    assert_compiled_alike(beside, again);
    assert_compiled_alike(whole, less);
    graze_world *worlds[] = {w, beside, whole, again, less};
    for (size_t i = 0; i < 5; i++) graze_world_free(worlds[i]);
}

/// An id stays with its object, in versions with and without a tree of their own and in those that
/// removal shifts, and no later object has it; so does what the caller has given the object.
static void test_ids_and_user_data_stay_with_their_objects(void **state) {
    (void)state;
    int mark[3];
    graze_world *w, *v;
    const double one[3] = {1, 1, 1};
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    for (int i = 0; i < 60; i++) {
        char name[16];
        snprintf(name, sizeof name, "o%d", i);
        assert_int_equal(graze_world_add_box(w, name, one, NULL, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_set_user(w, 4, &mark[0], NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_user(w, 60, &mark[0], NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_user(w, 4, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    graze_transform at = shift(1, 2, 3);
    graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 1};
    graze_world_change last = take_away("o59"), more = add("x", &ball, NULL);
    more.user = &mark[1];
    const graze_world_change lists[][2] = {
        {last, more},
        {{.struct_size = sizeof last, .kind = GRAZE_CHANGE_REMOVE, .id = 2},
         {.struct_size = sizeof last, .kind = GRAZE_CHANGE_MOVE, .id = 5, .pose = &at}},
        {take_away("x"), add("x", &ball, &at)}};
    for (int i = 0; i < 3; i++) {
        v = revise(w, lists[i], 2);
        graze_world_free(w);
        w = v;
    }
    assert_true(object(w, "o4").id == 5 && object(w, "o4").user == &mark[0]);
    assert_int_equal(graze_world_find_id(w, 5), 3);
    assert_true(object(w, "o4").origin.m[3] == 1);
    assert_int_equal(graze_world_find_id(w, 2), -1);
    assert_int_equal(graze_world_find_id(w, 60), -1); // removed before "x" was added
    assert_int_equal(graze_world_find_id(w, 61), -1); // the first "x"
    assert_true(object(w, "x").id == 62 && object(w, "x").user == NULL);
    for (uint64_t id = 0; id < 70; id++) {
        int32_t index = graze_world_find_id(w, id);
        graze_geometry g;
        if (index < 0) continue;
        assert_int_equal(graze_world_object(w, (size_t)index, &g), GRAZE_OK);
        assert_true(g.id == id);
    }
    // Of an object that is removed and added by that name in one list, the id is gone.
    const graze_world_change gone[] = {
        take_away("o4"),
        add("o4", &ball, NULL),
        {.struct_size = sizeof last, .kind = GRAZE_CHANGE_MOVE, .id = 5, .pose = &at}};
    assert_int_equal(graze_world_revise(&v, w, gone, 3, NULL), GRAZE_ERROR_NOT_FOUND);
    graze_world_free(w);
}

/// A program whose graze_world_change is shorter, or longer, than the library's.
static void test_changes_have_the_callers_size(void **state) {
    (void)state;
    graze_world *w = make_world(5), *v;
    graze_transform at = shift(0, 7, 0);
    const size_t known = sizeof(graze_world_change), least = offsetof(graze_world_change, id);
    for (size_t size = least; size <= known + 16; size += 8) {
        unsigned char *array = calloc(3, size);
        const char *names[] = {"a", "d", "b"};
        assert_non_null(array);
        for (int i = 0; i < 3; i++) {
            graze_world_change change;
            graze_world_change_init(&change, sizeof change);
            change.struct_size = (uint32_t)size;
            change.name = names[i];
            change.pose = &at;
            memcpy(array + (size_t)i * size, &change, size < known ? size : known);
        }
        const graze_world_change *changes = (const graze_world_change *)(const void *)array;
        assert_int_equal(graze_world_revise(&v, w, changes, 3, NULL), GRAZE_OK);
        assert_true(object(v, "a").origin.m[7] == 7 && object(v, "b").origin.m[7] == 7);
        assert_true(object(v, "d").origin.m[7] == 7 && object(v, "c").origin.m[7] == 0);
        graze_world_free(v);
        // Sizes that differ, and what is not known here, are refused.
        array[2 * size] ^= 8;
        assert_int_equal(graze_world_revise(&v, w, changes, 3, NULL), GRAZE_ERROR_ARGUMENT);
        array[2 * size] ^= 8;
        array[2 * size - 1] = 1;
        graze_status expected = size > known ? GRAZE_ERROR_ARGUMENT : GRAZE_OK;
        if (size > known) assert_int_equal(graze_world_revise(&v, w, changes, 3, NULL), expected);
        free(array);
    }
    graze_world_change unset = {.kind = GRAZE_CHANGE_MOVE, .name = "a", .pose = &at};
    assert_int_equal(graze_world_revise(&v, w, &unset, 1, NULL), GRAZE_ERROR_ARGUMENT);
    graze_world_free(w);
}

static void test_a_refused_list_changes_nothing(void **state) {
    (void)state;
    graze_world *w = make_world(5), *open;
    graze_transform at = shift(0, 1, 0), far = shift(0, 0x1p20, 0), skewed = at, bad = at;
    skewed.m[1] = 0.1;
    bad.m[3] = NAN;
    graze_geometry none = {.shape = GRAZE_SHAPE_MESH},
                   flat = {.shape = GRAZE_SHAPE_BOX, .size = {-1, 1, 1}},
                   nothing = {.shape = GRAZE_SHAPE_POINTS, .radius = 1},
                   odd = {.shape = (graze_shape)77},
                   ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 1};
    const struct {
        graze_world_change change;
        graze_status status;
        const char *text;
    } cases[] = {
        {move_to("nobody", &at), GRAZE_ERROR_NOT_FOUND, "nobody"},
        {take_away("nobody"), GRAZE_ERROR_NOT_FOUND, "removes"},
        {move_to("b", NULL), GRAZE_ERROR_ARGUMENT, "NULL"},
        {move_to(NULL, &at), GRAZE_ERROR_ARGUMENT, "name is NULL"},
        {move_to("b", &skewed), GRAZE_ERROR_ARGUMENT, "rigid"},
        {move_to("b", &bad), GRAZE_ERROR_RANGE, "finite"},
        {move_to("b", &far), GRAZE_ERROR_RANGE, "2^20"},
        {add("b", &ball, &at), GRAZE_ERROR_SCHEMA, "in use"},
        {add("", &ball, &at), GRAZE_ERROR_SCHEMA, "empty"},
        {add("new", NULL, &at), GRAZE_ERROR_ARGUMENT, "geometry"},
        {add("new", &none, &at), GRAZE_ERROR_ARGUMENT, "mesh"},
        {add("new", &flat, &at), GRAZE_ERROR_RANGE, "size"},
        {add("new", &nothing, &at), GRAZE_ERROR_MESH, "point"},
        {add("new", &odd, &at), GRAZE_ERROR_ARGUMENT, "shape"},
        {add("new", &ball, &skewed), GRAZE_ERROR_ARGUMENT, "rigid"},
        {{.struct_size = sizeof(graze_world_change),
          .kind = (graze_change_kind)9,
          .name = "b",
          .pose = &at},
         GRAZE_ERROR_ARGUMENT,
         "kind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const graze_world_change list[] = {move_to("a", &at), take_away("c"), cases[i].change};
        graze_world *out = w;
        graze_error e;
        graze_status status = graze_world_revise(&out, w, list, 3, &e);
        if (status != cases[i].status) fail_msg("case %zu: %s", i, e.message);
        assert_null(out);
        assert_string_equal(e.element, "changes[2]");
        if (!strstr(e.message, cases[i].text))
            fail_msg("'%s' lacks '%s'", e.message, cases[i].text);
        assert_int_equal(graze_world_object_count(w), 5);
        assert_true(object(w, "a").origin.m[7] == 0);
    }
    graze_world *out;
    graze_world_change change = move_to("a", &at);
    assert_int_equal(graze_world_revise(NULL, w, &change, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_revise(&out, NULL, &change, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_revise(&out, w, NULL, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_create(&open, "open", NULL), GRAZE_OK);
    assert_int_equal(graze_world_revise(&out, open, NULL, 0, NULL), GRAZE_ERROR_ARGUMENT);
    graze_world_free(open);
    // None at all is a version like its world; of an empty world, too.
    graze_world *same = revise(w, NULL, 0);
    assert_compiled_alike(w, same);
    graze_world_free(same);
    graze_world_free(w);
    w = make_world(0);
    same = revise(w, NULL, 0);
    assert_compiled_alike(w, same);
    const graze_world_change first = add("only", &ball, NULL);
    graze_world *one = revise(same, &first, 1);
    assert_int_equal(graze_world_find_object(one, "only"), 0);
    graze_world_free(w);
    graze_world_free(same);
    graze_world_free(one);
}

enum { THREADS = 4, ROUNDS = 300 };

typedef struct race {
    const graze_world *world;
    graze_world *last[THREADS];
} race;

static void revise_and_free(void *user, uint32_t thread) {
    race *r = user;
    gz_random random = gz_random_make(thread, 3);
    graze_world *mine = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        graze_transform at = shift(gz_random_range(&random, -5, 5), (double)thread, 0);
        const graze_world_change changes[] = {move_to("b", &at), take_away("d")};
        graze_world *next = NULL;
        // Now and then from the common world, else from the thread's own version.
        bool own = mine && i % 3;
        bool removes = i % 50 == 0 && !own;
        if (graze_world_revise(&next, own ? mine : r->world, changes, removes ? 2 : 1, NULL)) break;
        graze_world_free(mine);
        mine = next;
    }
    r->last[thread] = mine;
}

static void test_versions_are_made_and_freed_on_many_threads(void **state) {
    (void)state;
    graze_world *w = make_world(60);
    race r = {.world = w};
    gz_thread_run(THREADS, revise_and_free, &r);
    graze_world_free(w);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(r.last[i]);
        assert_true(object(r.last[i], "b").origin.m[7] == i);
        graze_world_free(r.last[i]);
    }
}

static void test_without_memory_nothing_is_left_behind(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_world *w = make_world(60);
    graze_transform at = shift(0, 1, 0);
    graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 1}, mesh = object(w, "b"),
                   points = object(w, "c");
    const graze_world_change list[] = {move_to("b", &at),     add("xx", &ball, &at),
                                       add("yy", &mesh, &at), add("zz", &points, &at),
                                       move_to("b", &at),     take_away("a")};
    for (size_t count = 5; count <= 6; count++) {
        long n = 1;
        for (;; n++) {
            graze_world *out = w;
            gz_memory_fail_after(n, false);
            graze_status status = graze_world_revise(&out, w, list, count, NULL);
            gz_memory_fail_after(0, false);
            assert_true((status == GRAZE_OK) == (out != NULL));
            graze_world_free(out);
            if (status == GRAZE_OK) break;
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        }
        assert_true(n > 10);
    }
    graze_world_free(w);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_does_not_change_is_shared),
        cmocka_unit_test(test_many_moves_end_in_a_tree_of_their_own),
        cmocka_unit_test(test_a_version_is_the_world_that_its_objects_make),
        cmocka_unit_test(test_a_world_of_a_file_outlives_it_in_its_versions),
        cmocka_unit_test(test_ids_and_user_data_stay_with_their_objects),
        cmocka_unit_test(test_changes_have_the_callers_size),
        cmocka_unit_test(test_a_refused_list_changes_nothing),
        cmocka_unit_test(test_versions_are_made_and_freed_on_many_threads),
        cmocka_unit_test(test_without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
