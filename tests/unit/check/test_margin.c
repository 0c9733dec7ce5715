// Margins: what they mean for pairs of links, for objects of every kind, for pairs that no joint
// moves; which of several counts; and what is refused. Distances are known by hand.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/graze.h"

/// A cube of edge 1 at the origin and, on a slider along x, a cube of edge 1 whose near face is at
/// x = 1.5 + q: they are 1 + q apart. Under the base hangs a plate, 0.25 below it, that nothing
/// moves; far below, so that no other pair is adjacent, a rail.
static const char urdf[] =
    "<robot name='slider'>"
    " <link name='base'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    " <link name='rail'><collision><origin xyz='0 0 -9'/><geometry>"
    "  <box size='0.1 0.1 0.1'/></geometry></collision></link>"
    " <link name='cube'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    " <link name='post'><collision><origin xyz='0 0 -20'/><geometry><box size='0.1 0.1 0.1'/>"
    "  </geometry></collision></link>"
    " <link name='plate'><collision><origin xyz='0 0 -1'/><geometry><box size='1 1 0.5'/>"
    "  </geometry></collision></link>"
    " <joint name='slide' type='prismatic'><parent link='base'/><child link='rail'/>"
    "  <origin xyz='2 0 0'/><axis xyz='1 0 0'/>"
    "  <limit lower='-1' upper='8' effort='1' velocity='1'/></joint>"
    " <joint name='turn' type='continuous'><parent link='rail'/><child link='cube'/>"
    "  <axis xyz='0 0 1'/></joint>"
    " <joint name='hold' type='fixed'><parent link='base'/><child link='post'/></joint>"
    " <joint name='bear' type='fixed'><parent link='post'/><child link='plate'/></joint>"
    "</robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    graze_contact contacts[8];
    graze_report report;
    graze_error error;
} fixture;

static void load(fixture *f) {
    memset(f, 0, sizeof *f);
    if (graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "test", NULL, NULL, &f->error))
        fail_msg("%s", f->error.message);
    f->report.contacts = f->contacts;
    f->report.capacity = 8;
}

static graze_checker_options options_with(double margin, const graze_pair_margin *margins,
                                          size_t count) {
    graze_checker_options o = graze_checker_options_default();
    o.margin = margin;
    o.margins = margins;
    o.margin_count = count;
    return o;
}

/// Another checker for the same robot and world.
static void use(fixture *f, const graze_checker_options *options) {
    graze_workspace_free(f->ws);
    graze_checker_free(f->checker);
    f->ws = NULL;
    if (graze_checker_create(&f->checker, f->robot, f->world, options, &f->error))
        fail_msg("%s", f->error.message);
    assert_int_equal(graze_workspace_create(&f->ws, f->checker, NULL), GRAZE_OK);
}

static void use_margin(fixture *f, double margin) {
    graze_checker_options o = options_with(margin, NULL, 0);
    o.no_self = f->world != NULL;
    // The plate is 0.25 from the base, whatever q is.
    graze_allowed_pair plate = {"base", "plate"};
    o.allowed = &plate;
    o.allowed_count = 1;
    use(f, &o);
}

static void close_fixture(fixture *f) {
    graze_workspace_free(f->ws);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

/// Asks in every way, with a batch that goes through the lane filter; all must agree.
static bool collides(fixture *f, double slide) {
    double q[18];
    for (int i = 0; i < 9; i++) q[2 * i] = slide, q[2 * i + 1] = 0;
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_ALL, GRAZE_ANSWER_FIRST};
    graze_verdict verdict = GRAZE_UNKNOWN;
    for (int i = 0; i < 3; i++) {
        if (graze_check(f->checker, f->ws, answers[i], q, 2, NULL, &f->report, &f->error))
            fail_msg("%s", f->error.message);
        if (i) assert_int_equal(f->report.verdict, verdict);
        verdict = f->report.verdict;
    }
    for (int i = 0; i < 2; i++) {
        uint8_t verdicts[9];
        graze_batch batch = graze_batch_default();
        batch.count = 9;
        batch.q = q;
        batch.answer = i ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_ANY;
        batch.verdicts = verdicts;
        assert_int_equal(graze_check_batch(f->checker, &batch, NULL), GRAZE_OK);
        for (int k = 0; k < 9; k++) assert_int_equal(verdicts[k], verdict);
    }
    return verdict == GRAZE_COLLISION;
}

// ------------------------------------------------------------------------------------- the meaning

static void test_a_margin_is_met_at_its_distance_and_not_beyond(void **state) {
    (void)state;
    fixture f;
    load(&f);
    // Distances 1 + slide that are exact: the snapped faces lie on lattice planes.
    const double margins[] = {0x1p-29, 0x1p-10, 0.125, 0.5, 2, 4};
    for (size_t i = 0; i < sizeof margins / sizeof *margins; i++) {
        double m = margins[i];
        use_margin(&f, m);
        assert_true(collides(&f, m - 1));
        assert_int_equal(f.contacts[0].kind, GRAZE_CONTACT_SELF);
        assert_false(f.contacts[0].contained);
        assert_true(collides(&f, 0.5 * m - 1));
        assert_false(collides(&f, m - 1 + 0x1p-49)); // the next place of the cube, nearly
        assert_false(collides(&f, 1.5 * m - 1));
    }
    close_fixture(&f);
}

static void test_the_witness_of_a_margin_is_the_nearest_points(void **state) {
    (void)state;
    fixture f;
    load(&f);
    use_margin(&f, 0.125);
    assert_true(collides(&f, 0.0625 - 1));
    const graze_contact *c = &f.contacts[0];
    assert_true(c->has_segment && c->triangle >= 0 && c->other_triangle >= 0);
    assert_true(fabs(c->segment[0].x - 0.5) < 1e-15);
    assert_true(fabs(c->segment[1].x - 0.5625) < 1e-15);
    assert_true(fabs(c->point.x - 0.53125) < 1e-15);
    // Where they meet, the segment where they do, as at margin 0.
    assert_true(collides(&f, -1));
    assert_true(fabs(c->segment[0].x - 0.5) < 1e-15 && fabs(c->segment[1].x - 0.5) < 1e-15);
    close_fixture(&f);
}

static void test_a_margin_below_epsilon_counts_as_epsilon(void **state) {
    (void)state;
    fixture f;
    load(&f);
    use_margin(&f, DBL_MIN);
    double epsilon = graze_checker_epsilon(f.checker);
    assert_true(epsilon > 0 && epsilon <= 1e-9);
    assert_true(collides(&f, 0.5 * epsilon - 1));
    assert_false(collides(&f, 2 * epsilon - 1));
    use_margin(&f, 0);
    assert_false(collides(&f, 0.5 * epsilon - 1));
    close_fixture(&f);
}

static void test_margin_0_is_the_exact_verdict(void **state) {
    (void)state;
    fixture f;
    load(&f);
    use_margin(&f, 0);
    assert_true(collides(&f, -1));
    assert_false(collides(&f, -1 + 0x1p-51));
    use_margin(&f, NAN); // not set: the same
    assert_true(collides(&f, -1));
    assert_false(collides(&f, -1 + 0x1p-51));
    close_fixture(&f);
}

static void test_pairs_that_no_joint_moves_have_margins(void **state) {
    (void)state;
    fixture f;
    load(&f);
    graze_pair_margin pair = {"plate", "base", 0.25};
    graze_checker_options o = options_with(NAN, &pair, 1);
    use(&f, &o);
    assert_true(collides(&f, 3)); // whatever q is
    assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[0]), "plate");
    pair.margin = 0.2499999;
    use(&f, &o);
    assert_false(collides(&f, 3));
    close_fixture(&f);
}

static void test_a_mesh_inside_another_collides_beyond_the_margin(void **state) {
    (void)state;
    fixture f;
    load(&f);
    const double size[3] = {40, 40, 100};
    graze_transform pose = graze_transform_identity();
    assert_int_equal(graze_world_create(&f.world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(f.world, "hall", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    use_margin(&f, 0.01);
    assert_true(collides(&f, 0));
    assert_true(f.contacts[0].contained);
    close_fixture(&f);
}

// ------------------------------------------------------------------------------- objects, by kind

static void add_object(fixture *f, int kind, double x) {
    graze_transform pose = graze_transform_identity();
    pose.m[3] = x;
    const double size[3] = {1, 1, 1}, points[6] = {0, 0, 0, 0.5, 0, 0};
    graze_world_free(f->world);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
    graze_status status = GRAZE_OK;
    if (kind == 0) status = graze_world_add_box(f->world, "thing", size, &pose, NULL);
    if (kind == 1) status = graze_world_add_sphere(f->world, "thing", 0.5, &pose, NULL);
    if (kind == 2) status = graze_world_add_cylinder(f->world, "thing", 0.5, 0.75, &pose, NULL);
    if (kind == 3) status = graze_world_add_capsule(f->world, "thing", 0.5, 0.75, &pose, NULL);
    if (kind == 4) status = graze_world_add_points(f->world, "thing", points, 2, 0.5, &pose, NULL);
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
}

/// Every kind of object reaches from x = 5 on; the cube's far face is at 2.5 + q.
static void test_objects_of_every_kind_are_kept_at_their_distance(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        fixture f;
        load(&f);
        add_object(&f, kind, 5.5);
        for (double m = 1e-6; m < 2; m *= 10) {
            use_margin(&f, m);
            assert_true(collides(&f, 2.5 - m + 1e-12));
            assert_int_equal(f.contacts[0].kind, GRAZE_CONTACT_WORLD);
            assert_false(collides(&f, 2.5 - m - 2e-9));
            assert_false(collides(&f, 2.5 - 1.1 * m));
        }
        close_fixture(&f);
    }
}

static void test_bounds_grow_by_the_margin(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        fixture f;
        load(&f);
        add_object(&f, kind, 5.5);
        graze_checker_options o = options_with(0.25, NULL, 0);
        o.level = GRAZE_LEVEL_BOUNDS;
        use(&f, &o);
        assert_true(collides(&f, 2.25 + 1e-5));
        assert_false(collides(&f, 2.25 - 1e-5));
        close_fixture(&f);
    }
}

// ---------------------------------------------------------------------------------- which counts

/// The margin of the pair cube, base, found by asking at the distances in between.
static double counted(fixture *f, const graze_checker_options *options) {
    const double steps[] = {0, 0.0625, 0.125, 0.25, 0.5, 1};
    use(f, options);
    for (size_t i = 1; i < sizeof steps / sizeof *steps; i++)
        if (!collides(f, steps[i] * 0.75 - 1)) return steps[i - 1];
    return INFINITY;
}

static void test_the_pairs_own_margin_counts_then_the_sides_then_the_common(void **state) {
    (void)state;
    fixture f;
    load(&f);
    const graze_allowed_pair plate[2] = {{"base", "plate"}, {"cube", "plate"}};
    graze_pair_margin m[4] = {
        {"base", NULL, 0.125}, {"cube", NULL, 0.25}, {"rail", NULL, 0.5}, {"cube", "base", 0.0625}};
    graze_checker_options o = options_with(0.5, m, 0);
    o.allowed = plate;
    o.allowed_count = 2;
    assert_true(counted(&f, &o) == 0.5);
    o.margin_count = 1;
    assert_true(counted(&f, &o) == 0.125); // less than that of all
    o.margin_count = 3;
    assert_true(counted(&f, &o) == 0.25); // the greater of the sides
    o.margin_count = 4;
    assert_true(counted(&f, &o) == 0.0625); // the pair's, though the least
    m[3].margin = 0;
    use(&f, &o);
    assert_true(collides(&f, -1)); // exact again
    assert_false(collides(&f, -1 + 0x1p-51));
    o.margin = NAN;
    o.margin_count = 0;
    assert_true(counted(&f, &o) == 0);
    close_fixture(&f);
}

static void test_margins_between_a_link_and_an_object(void **state) {
    (void)state;
    fixture f;
    load(&f);
    add_object(&f, 0, 5.5);
    graze_pair_margin m[3] = {{"thing", NULL, 0.25}, {"thing", "cube", 0.5}, {"cube", NULL, 1}};
    graze_checker_options o = options_with(0.125, m, 0);
    o.no_self = 1;
    use(&f, &o);
    assert_true(collides(&f, 2.5 - 0.1) && !collides(&f, 2.5 - 0.2));
    o.margin_count = 1;
    use(&f, &o);
    assert_true(collides(&f, 2.5 - 0.2) && !collides(&f, 2.5 - 0.3));
    o.margin_count = 2;
    use(&f, &o);
    assert_true(collides(&f, 2.5 - 0.4) && !collides(&f, 2.5 - 0.6));
    o.margin_count = 3; // the pair's still
    use(&f, &o);
    assert_true(collides(&f, 2.5 - 0.4) && !collides(&f, 2.5 - 0.6));
    m[1].margin = 0;
    use(&f, &o);
    assert_true(collides(&f, 2.5) && !collides(&f, 2.5 - 0x1p-50));
    close_fixture(&f);
}

typedef struct told {
    double of_pair, of_world;
} told;

static bool take(const graze_explanation *e, void *user) {
    told *t = user;
    if (e->kind == GRAZE_CONTACT_SELF && e->link == 0 && e->other == 2) t->of_pair = e->margin;
    if (e->kind == GRAZE_CONTACT_WORLD && e->link == 2) t->of_world = e->margin;
    return true;
}

static void test_explanations_report_the_margin(void **state) {
    (void)state;
    for (int near = 0; near < 2; near++) {
        fixture f;
        load(&f);
        add_object(&f, 0, 5.5);
        graze_pair_margin m[2] = {{"cube", "base", 0.25}, {"thing", "cube", 0.5}};
        graze_checker_options o = options_with(1e-30, m, 2);
        use(&f, &o);
        const double q[2] = {near ? 2.2 : 0, 0};
        told t = {0};
        assert_int_equal(graze_check_explain(f.checker, f.ws, q, 2, NULL, take, &t, NULL),
                         GRAZE_OK);
        assert_true(t.of_pair == 0.25 && t.of_world == 0.5);
        close_fixture(&f);
    }
}

// --------------------------------------------------------------------------------- what is refused

static void refuse(fixture *f, const graze_checker_options *o, graze_status status,
                   const char *text) {
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, f->robot, f->world, o, &f->error), status);
    assert_null(checker);
    if (!strstr(f->error.message, text)) fail_msg("'%s' lacks '%s'", f->error.message, text);
}

static void test_bad_margins_are_errors_that_name_the_entry(void **state) {
    (void)state;
    fixture f;
    load(&f);
    const double size[3] = {1, 1, 1};
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 50;
    assert_int_equal(graze_world_create(&f.world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(f.world, "thing", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(f.world, "other", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    const double wrong[] = {-1e-12, -INFINITY, INFINITY};
    for (int i = 0; i < 3; i++) {
        graze_checker_options o = options_with(wrong[i], NULL, 0);
        refuse(&f, &o, GRAZE_ERROR_RANGE, "allowed: finite, not negative");
    }
    const struct {
        graze_pair_margin entry;
        graze_status status;
        const char *text;
    } cases[] = {
        {{"cube", NULL, -1}, GRAZE_ERROR_RANGE, "margins[1] of 'cube' is -1 m"},
        {{"cube", NULL, NAN}, GRAZE_ERROR_RANGE, "margins[1] of 'cube' is"},
        {{"cube", "base", INFINITY}, GRAZE_ERROR_RANGE, "margins[1] of 'cube' is inf"},
        {{"cub", NULL, 1}, GRAZE_ERROR_ARGUMENT, "margins[1] names 'cub', which is neither"},
        {{"cube", "bas", 1}, GRAZE_ERROR_ARGUMENT, "margins[1] names 'bas', which is neither"},
        {{NULL, "base", 1}, GRAZE_ERROR_ARGUMENT, "margins[1] names '(NULL)'"},
        {{"thing", "other", 1}, GRAZE_ERROR_ARGUMENT, "two objects, 'thing' and 'other'"},
        {{"cube", "cube", 1}, GRAZE_ERROR_ARGUMENT, "names link 'cube' twice"},
        {{"rail", NULL, 0.25}, GRAZE_ERROR_ARGUMENT, "margins[1] gives 'rail' the margin 0.25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_pair_margin m[2] = {{"rail", NULL, 0.5}, cases[i].entry};
        graze_checker_options o = options_with(NAN, m, 2);
        refuse(&f, &o, cases[i].status, cases[i].text);
    }
    // Twice the same is fine, in either order; two margins of one pair are not.
    graze_pair_margin twice[4] = {
        {"cube", "base", 0.5}, {"base", "cube", 0.5}, {"cube", "thing", 1}, {"thing", "cube", 1}};
    graze_checker_options o = options_with(NAN, twice, 4);
    use(&f, &o);
    twice[1].margin = 0.25;
    refuse(&f, &o, GRAZE_ERROR_ARGUMENT, "margins[1] gives 'base', 'cube' the margin 0.25");
    twice[1].margin = 0.5;
    twice[3].margin = 2;
    refuse(&f, &o, GRAZE_ERROR_ARGUMENT, "margins[3] gives 'thing', 'cube' the margin 2");
    o.margins = NULL;
    refuse(&f, &o, GRAZE_ERROR_ARGUMENT, "margins is NULL");
    close_fixture(&f);
}

/// Every allocation in turn, once and from then on: a status, and nothing leaks (sanitizer build).
static void test_every_failed_allocation_is_an_error(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    fixture f;
    load(&f);
    add_object(&f, 0, 5.5);
    const graze_pair_margin m[4] = {
        {"cube", NULL, 0.5}, {"thing", NULL, 0.25}, {"cube", "base", 1}, {"cube", "thing", 2}};
    graze_checker_options o = options_with(0.125, m, 4);
    long n = 1;
    graze_status status = GRAZE_ERROR_NO_MEMORY;
    for (; status != GRAZE_OK && n < 1000; n++) {
        for (int persistent = 0; persistent < 2; persistent++) {
            graze_checker *checker;
            gz_memory_fail_after(n, persistent);
            status = graze_checker_create(&checker, f.robot, f.world, &o, &f.error);
            gz_memory_fail_after(0, false);
            if (status) assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            assert_int_equal(checker != NULL, status == GRAZE_OK);
            graze_checker_free(checker);
        }
    }
    assert_true(n > 12 && n < 1000);
    close_fixture(&f);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_margin_is_met_at_its_distance_and_not_beyond),
        cmocka_unit_test(test_the_witness_of_a_margin_is_the_nearest_points),
        cmocka_unit_test(test_a_margin_below_epsilon_counts_as_epsilon),
        cmocka_unit_test(test_margin_0_is_the_exact_verdict),
        cmocka_unit_test(test_pairs_that_no_joint_moves_have_margins),
        cmocka_unit_test(test_a_mesh_inside_another_collides_beyond_the_margin),
        cmocka_unit_test(test_objects_of_every_kind_are_kept_at_their_distance),
        cmocka_unit_test(test_bounds_grow_by_the_margin),
        cmocka_unit_test(test_the_pairs_own_margin_counts_then_the_sides_then_the_common),
        cmocka_unit_test(test_margins_between_a_link_and_an_object),
        cmocka_unit_test(test_explanations_report_the_margin),
        cmocka_unit_test(test_bad_margins_are_errors_that_name_the_entry),
        cmocka_unit_test(test_every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
