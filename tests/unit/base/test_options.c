// Programs that were compiled against a shorter or a longer structure of options than the
// library's: what they get is written, and what they gave is read, in their own size.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

typedef void (*init)(void *options, size_t size);

#define TYPE(t)                                                                                    \
    { #t, sizeof(t), (init)t##_init }
static const struct {
    const char *name;
    size_t size;
    init init;
} types[] = {
    TYPE(graze_load_options),
    TYPE(graze_plan_options),
    TYPE(graze_checker_options),
    TYPE(graze_batch),
    TYPE(graze_cspace),
    TYPE(graze_matrix_options),
    TYPE(graze_lint_options),
    TYPE(graze_compile_options),
    TYPE(graze_planar_scene_options),
    TYPE(graze_planar_drive_options),
    TYPE(graze_attachment),
    TYPE(graze_grasp),
    TYPE(graze_world_change), // in arrays: unit/world/test_world_change.c
    TYPE(graze_contacts_options),
    TYPE(graze_ik_options),
};

static uint32_t size_in(const unsigned char *options) {
    uint32_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

static void test_defaults_fill_the_callers_structure_and_nothing_behind_it(void **context) {
    (void)context;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t most = types[i].size + 64;
        unsigned char *whole = malloc(most), *own = malloc(most);
        types[i].init(whole, types[i].size);
        assert_int_equal(size_in(whole), types[i].size);
        for (size_t size = 8; size <= types[i].size + 32; size += 8) {
            memset(own, 0xa5, most);
            types[i].init(own, size);
            assert_int_equal(size_in(own), size);
            for (size_t k = 4; k < most; k++) {
                unsigned char expected = k >= size ? 0xa5 : k < types[i].size ? whole[k] : 0;
                assert_int_equal(own[k], expected);
            }
        }
        types[i].init(NULL, types[i].size);
        memset(own, 0xa5, most);
        types[i].init(own, 0); // no room for a size
        for (size_t k = 0; k < most; k++) assert_int_equal(own[k], 0xa5);
        free(whole);
        free(own);
    }
}

static const char urdf[] = "<robot name='r'><link name='a'/><link name='b'/>"
                           "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                           "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_checker *checker;
} fixture;

/// Calls the function that reads options i.
static graze_status use(const fixture *f, size_t i, const void *options, graze_error *error) {
    const double q[1] = {0};
    graze_status status = GRAZE_OK;
    if (i == 0) {
        graze_robot *robot;
        status = graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "r", NULL, options,
                                              error);
        graze_robot_free(robot);
    } else if (i == 1) {
        graze_plan_result result;
        status = graze_plan(f->checker, q, NULL, q, NULL, options, &result, error);
        graze_path_free(result.path);
    } else if (i == 2) {
        graze_checker *checker;
        status = graze_checker_create(&checker, f->robot, NULL, options, error);
        graze_checker_free(checker);
    } else if (i == 10) {
        graze_workspace *ws;
        graze_contact_report report = {0};
        assert_int_equal(graze_workspace_create(&ws, f->checker, NULL), GRAZE_OK);
        status = graze_check_contacts(f->checker, ws, q, 1, NULL, options, &report, error);
        graze_workspace_free(ws);
    } else if (i == 3) {
        status = graze_check_batch(f->checker, options, error);
    } else if (i == 4) {
        status = graze_cspace_map(f->checker, options, NULL, error);
    } else if (i == 5) {
        graze_matrix *matrix;
        status = graze_matrix_compute(&matrix, f->robot, options, error);
        graze_matrix_free(matrix);
    } else if (i == 6) {
        graze_lint_report *report;
        status = graze_lint_urdf_memory(&report, urdf, sizeof urdf - 1, "r", ".", options, error);
        graze_lint_report_free(report);
    } else if (i == 7) {
        unsigned char *bytes;
        size_t size;
        status = graze_compile(&bytes, &size, f->robot, NULL, options, error);
        graze_compiled_free(bytes);
    } else if (i == 8) {
        graze_planar_scene *scene;
        status = graze_planar_scene_generate(&scene, options, error);
        graze_planar_scene_free(scene);
    } else if (i == 10) {
        graze_robot *robot;
        status = graze_robot_attach(&robot, f->robot, options, error);
        graze_robot_free(robot);
    } else if (i == 11) {
        graze_robot *robot;
        graze_world *world;
        status = graze_grasp_object(&robot, &world, f->robot, NULL, options, error);
    }
    return status;
}

static void test_shorter_options_are_completed_and_longer_ones_read_where_they_are_0(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        // What the rest of a request must hold is not the question here.
        if (i == 4 || i > 8) continue;
        // In memory of exactly its size, so that a sanitizer sees what is read behind it.
        for (size_t size = 8; size <= types[i].size + 16; size += 8) {
            unsigned char *own = malloc(size);
            graze_error error;
            types[i].init(own, size);
            graze_status status = use(f, i, own, &error);
            if (status) fail_msg("%s of %zu bytes: %s", types[i].name, size, error.message);
            if (size > types[i].size) {
                own[size - 1] = 1;
                assert_int_equal(use(f, i, own, &error), GRAZE_ERROR_ARGUMENT);
                assert_non_null(strstr(error.message, "older than its header"));
            }
            free(own);
        }
    }
}

static void test_what_was_not_initialised_is_refused(void **state) {
    fixture *f = *state;
    static const uint32_t bad[] = {0, 1, 3, 4, 7, 9, 1 << 20, 0xffffffff};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (i == 9 || i > 11) continue;
        unsigned char *own = malloc(types[i].size);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            graze_error error;
            types[i].init(own, types[i].size);
            memcpy(own, &bad[k], sizeof bad[k]);
            assert_int_equal(use(f, i, own, &error), GRAZE_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, "struct_size"));
        }
        free(own);
    }
}

static int make_fixture(void **state) {
    static fixture f;
    assert_int_equal(
        graze_robot_load_urdf_memory(&f.robot, urdf, sizeof urdf - 1, "r", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_checker_create(&f.checker, f.robot, NULL, NULL, NULL), GRAZE_OK);
    *state = &f;
    return 0;
}

static int free_fixture(void **state) {
    fixture *f = *state;
    graze_checker_free(f->checker);
    graze_robot_free(f->robot);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_fill_the_callers_structure_and_nothing_behind_it),
        cmocka_unit_test(test_shorter_options_are_completed_and_longer_ones_read_where_they_are_0),
        cmocka_unit_test(test_what_was_not_initialised_is_refused),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
