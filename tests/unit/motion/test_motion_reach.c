// Which objects a motion may come near: against dense samples, and against what it costs to say
// "maybe" always.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "slider_fixture.h"
#include "unit/trials.h"

enum { OBJECTS = 12 };

static double drawn(uint64_t *state, double low, double high) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/// The slider among boxes, spheres and cylinders.
static void set_up_many(fixture *f, uint64_t *state) {
    char name[16];
    assert_int_equal(graze_robot_load_urdf_memory(&f->robot, slider_urdf, strlen(slider_urdf),
                                                  "robot", NULL, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
    for (int i = 0; i < OBJECTS; i++) {
        graze_transform pose = {{1, 0, 0, drawn(state, -3, 3), 0, 1, 0, drawn(state, -1.5, 1.5), 0,
                                 0, 1, drawn(state, -0.3, 0.6)}};
        const double size[3] = {0.1, 0.2, 0.3};
        snprintf(name, sizeof name, "o%d", i);
        graze_status status = i % 3 == 0 ? graze_world_add_box(f->world, name, size, &pose, NULL)
                              : i % 3 == 1
                                  ? graze_world_add_sphere(f->world, name, 0.1, &pose, NULL)
                                  : graze_world_add_cylinder(f->world, name, 0.1, 0.2, &pose, NULL);
        assert_int_equal(status, GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, f->world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&f->motion, f->checker, NULL), GRAZE_OK);
}

static bool reaches(fixture *f, const double *from, const double *to, const double *to_base,
                    const uint8_t *objects, uint32_t halvings) {
    bool out = false;
    assert_int_equal(graze_motion_reaches(f->checker, f->motion, from, to, 2, NULL, to_base,
                                          GRAZE_TURN_SHORTER, objects, halvings, &out, NULL),
                     GRAZE_OK);
    return out;
}

/// The objects that the robot touches at some of 200 places of a motion.
static void touched(fixture *f, const double *from, const double *to, const double *to_base,
                    uint8_t out[OBJECTS]) {
    static const double identity[6] = {0};
    memset(out, 0, OBJECTS);
    for (int k = 0; k <= 200; k++) {
        double q[2], base[6], t = k / 200.0;
        graze_contact contacts[64];
        graze_report report = {.contacts = contacts, .capacity = 64};
        graze_robot_interpolate(f->robot, from, to, 2, GRAZE_TURN_SHORTER, t, q, NULL);
        graze_motion_base(identity, to_base, GRAZE_TURN_SHORTER, t, base, NULL);
        assert_int_equal(
            graze_check(f->checker, f->workspace, GRAZE_ANSWER_ALL, q, 2, base, &report, NULL),
            GRAZE_OK);
        for (size_t i = 0; i < report.count; i++)
            if (contacts[i].kind == GRAZE_CONTACT_WORLD) out[contacts[i].other] = 1;
    }
}

static void test_what_is_touched_is_reached(void **context) {
    (void)context;
    uint64_t state = 3;
    size_t touches = 0, apart = 0, finer = 0;
    for (int trial = 0; trial < TRIALS(60, 6); trial++) {
        fixture f = {0};
        set_up_many(&f, &state);
        for (int i = 0; i < 10; i++) {
            double from[2] = {drawn(&state, -2, 2), drawn(&state, -3, 3)};
            double to[2] = {from[0] + drawn(&state, -0.5, 0.5), from[1] + drawn(&state, -1, 1)};
            double base[6] = {0};
            uint8_t hit[OBJECTS], one[OBJECTS] = {0};
            if (i % 2) base[0] = drawn(&state, -0.3, 0.3);
            if (i % 2) base[5] = drawn(&state, -1, 1);
            touched(&f, from, to, base, hit);
            for (int k = 0; k < OBJECTS; k++) {
                one[k] = 1;
                bool coarse = reaches(&f, from, to, base, one, 0);
                bool fine = reaches(&f, from, to, base, one, 5);
                one[k] = 0;
                assert_true(coarse || !fine); // what was apart stays so
                if (hit[k]) assert_true(fine);
                touches += hit[k];
                apart += !fine;
                finer += coarse && !fine;
            }
            bool any = false;
            for (int k = 0; k < OBJECTS; k++) any = any || hit[k];
            assert_true(!any || reaches(&f, from, to, base, NULL, 5));
            assert_false(reaches(&f, from, to, base, one, 5)); // no object counts
        }
        tear_down(&f);
    }
    assert_true(touches > TRIALS(80, 3));
    assert_true(apart > 10 * touches);
    assert_true(finer > TRIALS(400, 20));
}

/// A link that stands is near an object on every motion; it counts where it collides.
static void test_links_that_stand_count_where_they_collide(void **context) {
    (void)context;
    const double size[3] = {0.1, 0.1, 0.1}, from[2] = {0, 1}, to[2] = {0, 2};
    fixture f;
    set_up_inside(&f, size, 0.16, 0, 0, 0); // a centimetre off the cube, which stands
    assert_false(reaches(&f, from, to, NULL, NULL, 4));
    tear_down(&f);
    set_up_inside(&f, size, 0.149, 0, 0, 0);
    assert_true(reaches(&f, from, to, NULL, NULL, 4));
    tear_down(&f);
}

static void test_wrong_arguments_are_errors_and_say_maybe(void **context) {
    (void)context;
    const double size[3] = {0.1, 0.1, 0.1}, from[2] = {0, 1}, to[2] = {0, 2}, off[2] = {NAN, 0};
    fixture f;
    bool out = false;
    set_up_inside(&f, size, 4, 0, 0, 0);
    assert_int_equal(graze_motion_reaches(f.checker, f.motion, from, to, 2, NULL, NULL,
                                          GRAZE_TURN_SHORTER, NULL, 17, &out, NULL),
                     GRAZE_ERROR_RANGE);
    assert_true(out);
    out = false;
    assert_int_equal(graze_motion_reaches(f.checker, f.motion, from, off, 2, NULL, NULL,
                                          GRAZE_TURN_SHORTER, NULL, 4, &out, NULL),
                     GRAZE_ERROR_RANGE);
    assert_true(out);
    assert_int_equal(graze_motion_reaches(f.checker, f.motion, from, to, 3, NULL, NULL,
                                          GRAZE_TURN_SHORTER, NULL, 4, &out, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_motion_reaches(f.checker, f.motion, from, to, 2, NULL, NULL,
                                          GRAZE_TURN_SHORTER, NULL, 4, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_motion_reaches(f.checker, f.motion, from, to, 2, NULL, NULL,
                                          (graze_turn)7, NULL, 4, &out, NULL),
                     GRAZE_ERROR_ARGUMENT);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_touched_is_reached),
        cmocka_unit_test(test_links_that_stand_count_where_they_collide),
        cmocka_unit_test(test_wrong_arguments_are_errors_and_say_maybe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
