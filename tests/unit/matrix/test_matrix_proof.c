// Proofs alone, without samples: a bar that turns head-on into a post must be proved free up to
// just before the contact, and never when the range ends just behind it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "matrix/matrix_internal.h"

// The bar reaches from the axis to x = 1; the post stands at an angle of 1 rad near its end, so
// that the bar's end meets it nearly as fast as any of its points moves.
static const char urdf[] =
    "<robot name='r'><link name='base'><collision><origin xyz='0.537 0.837 0'/><geometry>"
    "<box size='0.002 0.002 0.002'/></geometry></collision></link><link name='hub'/>"
    "<link name='bar'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.002 0.01'/>"
    "</geometry></collision></link><joint name='s' type='prismatic'><parent link='base'/>"
    "<child link='hub'/><axis xyz='0 0 1'/><limit lower='-0.001' upper='0.001' effort='1' "
    "velocity='1'/></joint><joint name='t' type='revolute'><parent link='hub'/>"
    "<child link='bar'/><axis xyz='0 0 1'/><limit lower='0' upper='3' effort='1' velocity='1'/>"
    "</joint></robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_checker *checker;
    gz_matrix_scratch scratch;
    graze_matrix_entry entry;
    gz_matrix_case c;
} fixture;

static void set_up(fixture *f) {
    *f = (fixture){0};
    assert_int_equal(
        graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "t", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(gz_matrix_scratch_make(&f->scratch, f->checker, NULL), GRAZE_OK);
    f->c = (gz_matrix_case){.entry = &f->entry, .apart_only = true, .open = true};
    assert_true(gz_matrix_pair_make(&f->c.pair, f->robot, f->scratch.rest, 0, 2));
    assert_int_equal(f->c.pair.variable_count, 2);
}

static void tear_down(fixture *f) {
    gz_matrix_pair_free(&f->c.pair);
    gz_matrix_scratch_free(&f->scratch);
    graze_checker_free(f->checker);
    graze_robot_free(f->robot);
}

/// The angle of the first contact, by bisection of exact verdicts.
static double first_contact(fixture *f) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double x[2] = {0, (low + high) / 2};
        gz_matrix_pair_pose(&f->scratch, &f->c.pair, x);
        if (gz_matrix_pair_collides(&f->scratch, &f->c.pair, 0))
            high = x[1];
        else
            low = x[1];
    }
    return high;
}

/// Whether all of the range up to `end` is proved free.
static bool is_proved(fixture *f, double end) {
    f->c.pair.variables[1].high = end;
    f->c.apart_only = true;
    assert_true(gz_matrix_proof_start(&f->c));
    assert_true(gz_matrix_proof_run(&f->c, &f->scratch, 50000000));
    bool proved = f->c.proof.box_count == 0 && f->c.apart_only;
    if (proved) assert_true(fabs(f->c.proof.share - 1) < 1e-12);
    gz_matrix_proof_free(&f->c.proof);
    gz_free((void *)(uintptr_t)f->entry.witness);
    f->entry.witness = NULL;
    return proved;
}

static void test_proofs_end_before_contact_and_never_behind_it(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    double contact = first_contact(&f);
    assert_true(contact > 0.9 && contact < 1);
    assert_true(is_proved(&f, contact - 1e-3));
    assert_true(is_proved(&f, contact - 1e-5));
    for (double beyond = 1e-3; beyond > 1e-12; beyond /= 10)
        assert_false(is_proved(&f, contact + beyond));
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs_end_before_contact_and_never_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
