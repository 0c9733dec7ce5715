// Policies by name: which entry counts for which link or object, and what is refused. An open
// crate and a closed chest hold a coin each; the world has a crate and a chest, too.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "check/check_internal.h"
#include "unit/mesh/mesh_maker.h"

/// The coin slides along x: at q = 10 it is inside whatever stands there.
static const char urdf[] =
    "<robot name='purse'>"
    " <link name='table'/>"
    " <link name='coin'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision>"
    " </link>"
    " <link name='crate'><collision><origin xyz='0 0 -50'/><geometry><sphere radius='0.1'/>"
    "  </geometry></collision></link>"
    " <joint name='slide' type='prismatic'><parent link='table'/><child link='coin'/>"
    "  <axis xyz='1 0 0'/><limit lower='-99' upper='99' effort='1' velocity='1'/></joint>"
    " <joint name='hold' type='fixed'><parent link='table'/><child link='crate'/></joint>"
    "</robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_error error;
} fixture;

static void add_box(graze_world *world, const char *name, double x, bool open) {
    const double center[3] = {x, 0, 0}, half[3] = {1, 1, 1};
    maker m = {0};
    maker_box(&m, center, half);
    if (open) memmove(m.t + 6, m.t + 12, 3 * 8 * sizeof *m.t); // without its top
    assert_int_equal(graze_world_add_mesh(world, name, m.v, m.nv, m.t, open ? 10 : 12, NULL, NULL),
                     GRAZE_OK);
    maker_free(&m);
}

static int set_up(void **state) {
    static fixture f;
    assert_int_equal(
        graze_robot_load_urdf_memory(&f.robot, urdf, sizeof urdf - 1, "test", NULL, NULL, &f.error),
        GRAZE_OK);
    assert_int_equal(graze_world_create(&f.world, "hall", NULL), GRAZE_OK);
    add_box(f.world, "chest", 10, false);
    add_box(f.world, "bin", 20, true);
    add_box(f.world, "crate", 30, true); // as a link is called
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    return 0;
}

static graze_status make(fixture *f, graze_checker **checker, graze_policy all,
                         const graze_name_policy *entries, size_t count) {
    graze_checker_options options = graze_checker_options_default();
    options.policy = all;
    options.policies = entries;
    options.policy_count = count;
    return graze_checker_create(checker, f->robot, f->world, &options, &f->error);
}

/// Whether the coin collides at 10, 20 and 30.
static void expect(fixture *f, graze_policy all, const graze_name_policy *entries, size_t count,
                   bool chest, bool bin, bool crate) {
    graze_checker *checker;
    graze_workspace *ws;
    assert_int_equal(make(f, &checker, all, entries, count), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
    const bool want[3] = {chest, bin, crate};
    for (int i = 0; i < 3; i++) {
        double q = 10 * (i + 1);
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        assert_int_equal(
            graze_check(checker, ws, GRAZE_ANSWER_FIRST, &q, 1, NULL, &report, &f->error),
            GRAZE_OK);
        assert_int_equal(report.verdict, want[i] ? GRAZE_COLLISION : GRAZE_FREE);
        if (want[i]) assert_true(contact.contained);
    }
    graze_workspace_free(ws);
    graze_checker_free(checker);
}

static void test_policy_of_all_counts_without_entries(void **state) {
    fixture *f = *state;
    expect(f, GRAZE_POLICY_SOLID, NULL, 0, true, false, false);
    expect(f, GRAZE_POLICY_SURFACE, NULL, 0, false, false, false);
    expect(f, GRAZE_POLICY_CAP, NULL, 0, true, true, true);
}

static void test_entry_counts_for_its_object_alone(void **state) {
    fixture *f = *state;
    const graze_name_policy bin[] = {{"bin", GRAZE_POLICY_CAP}},
                            chest[] = {{"chest", GRAZE_POLICY_SURFACE}},
                            both[] = {{"chest", GRAZE_POLICY_SURFACE}, {"bin", GRAZE_POLICY_SOLID}};
    expect(f, GRAZE_POLICY_SOLID, bin, 1, true, true, false);
    expect(f, GRAZE_POLICY_SOLID, chest, 1, false, false, false);
    expect(f, GRAZE_POLICY_CAP, both, 2, false, false, true);
}

static void test_entry_of_a_link_fills_the_link_s_policy(void **state) {
    fixture *f = *state;
    const graze_name_policy coin[] = {{"coin", GRAZE_POLICY_CAP}};
    graze_checker *checker;
    assert_int_equal(make(f, &checker, GRAZE_POLICY_SURFACE, coin, 1), GRAZE_OK);
    for (int32_t i = 0; i < 3; i++)
        assert_int_equal(checker->link_policies[i], i == graze_robot_find_link(f->robot, "coin")
                                                        ? GRAZE_POLICY_CAP
                                                        : GRAZE_POLICY_SURFACE);
    graze_checker_free(checker);
    expect(f, GRAZE_POLICY_SURFACE, coin, 1, false, false, false);
}

static void test_name_of_a_link_and_an_object_means_the_link(void **state) {
    fixture *f = *state;
    const graze_name_policy crate[] = {{"crate", GRAZE_POLICY_CAP}};
    expect(f, GRAZE_POLICY_SOLID, crate, 1, true, false, false);
}

static void test_same_policy_twice_for_one_name_is_fine(void **state) {
    fixture *f = *state;
    const graze_name_policy twice[] = {{"bin", GRAZE_POLICY_CAP}, {"bin", GRAZE_POLICY_CAP}};
    expect(f, GRAZE_POLICY_SURFACE, twice, 2, false, true, false);
}

static void refuse(fixture *f, const graze_name_policy *entries, size_t count,
                   const char *message) {
    graze_checker *checker = (graze_checker *)(uintptr_t)1;
    assert_int_equal(make(f, &checker, GRAZE_POLICY_SOLID, entries, count), GRAZE_ERROR_ARGUMENT);
    assert_null(checker);
    assert_string_equal(f->error.message, message);
}

static void test_what_is_refused_names_the_entry(void **state) {
    fixture *f = *state;
    const graze_name_policy unknown[] = {{"bin", GRAZE_POLICY_CAP}, {"tag", GRAZE_POLICY_CAP}};
    refuse(f, unknown, 2,
           "policies[1] names 'tag', which is neither a link of 'purse' nor an object of the "
           "world");
    const graze_name_policy two[] = {{"bin", GRAZE_POLICY_CAP}, {"bin", GRAZE_POLICY_SOLID}};
    refuse(f, two, 2,
           "policies[1] gives 'bin' the policy solid, an entry before it cap; allowed: one policy "
           "a name");
    // Two different policies are two even where one is that of all.
    const graze_name_policy first[] = {{"bin", GRAZE_POLICY_SOLID}, {"bin", GRAZE_POLICY_CAP}};
    refuse(f, first, 2,
           "policies[1] gives 'bin' the policy cap, an entry before it solid; allowed: one policy "
           "a name");
    const graze_name_policy bad[] = {{"bin", (graze_policy)3}};
    refuse(f, bad, 1,
           "policies[0] gives 'bin' the policy 3; allowed: the enumerators solid, surface, cap");
    const graze_name_policy nameless[] = {{NULL, GRAZE_POLICY_CAP}};
    refuse(f, nameless, 1, "policies[0] has no name");
    refuse(f, NULL, 1, "policies is NULL");
    graze_checker *checker;
    assert_int_equal(make(f, &checker, (graze_policy)3, NULL, 0), GRAZE_ERROR_ARGUMENT);
    // Without a world no object has a name.
    graze_checker_options options = graze_checker_options_default();
    const graze_name_policy object[] = {{"bin", GRAZE_POLICY_CAP}};
    options.policies = object;
    options.policy_count = 1;
    assert_int_equal(graze_checker_create(&checker, f->robot, NULL, &options, &f->error),
                     GRAZE_ERROR_ARGUMENT);
}

static void test_out_of_memory_at_every_allocation(void **state) {
#ifdef GRAZE_FAULTS
    fixture *f = *state;
    const graze_name_policy entries[] = {{"bin", GRAZE_POLICY_CAP}, {"coin", GRAZE_POLICY_SURFACE}};
    for (long n = 1;; n++) {
        graze_checker *checker;
        gz_memory_fail_after(n, false);
        graze_status status = make(f, &checker, GRAZE_POLICY_SOLID, entries, 2);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            graze_checker_free(checker);
            if (used >= n) continue;
            assert_true(n > 6);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(checker);
    }
#else
    (void)state;
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policy_of_all_counts_without_entries),
        cmocka_unit_test(test_entry_counts_for_its_object_alone),
        cmocka_unit_test(test_entry_of_a_link_fills_the_link_s_policy),
        cmocka_unit_test(test_name_of_a_link_and_an_object_means_the_link),
        cmocka_unit_test(test_same_policy_twice_for_one_name_is_fine),
        cmocka_unit_test(test_what_is_refused_names_the_entry),
        cmocka_unit_test(test_out_of_memory_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
