// Rules by call against graze_meshes_overlap(), on pairs that checkers hide; and what they refuse.

#include "unit/check/call_rules_fixture.h"

/// The only geometry of a link, if that is a mesh.
static bool find_mesh(const fixture *f, int32_t link, graze_geometry *out) {
    size_t count = 0;
    for (size_t i = 0; i < graze_robot_collision_count(f->robot); i++) {
        graze_geometry g;
        must((fixture *)(uintptr_t)f, graze_robot_collision(f->robot, i, &g));
        if (g.owner != link) continue;
        *out = g;
        count++;
    }
    return count == 1 && out->mesh;
}

/// Required pairs, adjacent ones and the SRDF's, one at a time, against the meshes by themselves.
static void test_required_pairs_overlap_where_their_meshes_do(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), NULL);
    begin(f);
    size_t pairs = 0;
    for (int32_t a = 0; a < f->links; a++)
        for (int32_t b = a + 1; b < f->links; b++) {
            graze_geometry x, y;
            if (!has_geometry(f, a) || !has_geometry(f, b) || f->base.self[a][b] ||
                !find_mesh(f, a, &x) || !find_mesh(f, b, &y) || x.frame == y.frame)
                continue;
            must(f, graze_rules_keep_links(f->rules, NULL, 0, &f->error));
            must(f, graze_rules_set(f->rules, GRAZE_CONTACT_SELF, b, a, true, &f->error));
            pairs++;
            for (uint64_t i = 0; i < TRIALS(40, 4); i++) {
                double q[LINKS];
                graze_transform poses[LINKS];
                graze_mesh_overlap overlap;
                graze_report report = {0};
                must(f, graze_robot_sample(f->robot, pairs, i, NULL, NULL, q, &f->error));
                must(f, graze_robot_pose(f->robot, q, f->columns, NULL, poses, &f->error));
                must(f, graze_meshes_overlap(x.mesh, &poses[x.frame], y.mesh, &poses[y.frame],
                                             GRAZE_POLICY_SOLID, &overlap, &f->error));
                must(f, graze_check_ruled(f->rules, f->ws, GRAZE_ANSWER_ANY, q, f->columns, NULL,
                                          &report, &f->error));
                assert_int_equal(report.verdict == GRAZE_COLLISION, overlap.overlap);
                f->collisions += overlap.overlap;
                f->frees += !overlap.overlap;
            }
        }
    assert_true(pairs >= 20 && f->collisions > 0 && f->frees > 0);
    end(f, "required pairs");
}

/// Touch links are no matter of the SRDF, and fixed to the body that they touch.
static void test_an_attached_body_and_its_touch_links(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), NULL);
    const char *const touch[] = {"l_gripper_finger_link"};
    graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.3, 0.3, 0.3}};
    graze_attachment attachment = {.struct_size = sizeof attachment,
                                   .name = "parcel",
                                   .link = "gripper_link",
                                   .pose = graze_transform_identity(),
                                   .geometry = &box,
                                   .touch_links = touch,
                                   .touch_link_count = 1};
    graze_robot *carrying;
    must(f, graze_robot_attach(&carrying, f->robot, &attachment, &f->error));
    graze_robot_free(f->robot);
    f->robot = carrying;
    f->links++;
    f->has_geometry[f->links - 1] = true;
    begin(f);
    int32_t finger = graze_robot_find_link(f->robot, touch[0]), parcel = f->links - 1;
    int32_t gripper = graze_robot_find_link(f->robot, "gripper_link");
    const int32_t others[] = {finger, gripper}; // one moves against the parcel, one does not
    double q[LINKS];
    graze_robot_rest(f->robot, q);
    for (int i = 0; i < 2; i++) {
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        must(f, graze_rules_keep_links(f->rules, NULL, 0, &f->error));
        must(f, graze_check_ruled(f->rules, f->ws, GRAZE_ANSWER_FIRST, q, f->columns, NULL, &report,
                                  &f->error));
        assert_int_equal(report.verdict, GRAZE_FREE);
        set_self(f, others[i], parcel, true);
        must(f, graze_check_ruled(f->rules, f->ws, GRAZE_ANSWER_FIRST, q, f->columns, NULL, &report,
                                  &f->error));
        assert_int_equal(report.verdict, GRAZE_COLLISION);
        assert_int_equal(contact.link, others[i]);
        assert_int_equal(contact.other, parcel);
    }
    end(f, "touch links");
}

/// That the base is free of the world is remembered, but not what rules made of it.
static void test_a_workspace_forgets_rules(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), "worlds/shelf.json");
    const double size[3] = {0.1, 0.1, 0.1};
    graze_transform pose = graze_transform_identity();
    pose.m[11] = 0.2;
    must(f, graze_world_add_box(f->world, "stone", size, &pose, &f->error));
    begin(f);
    double q[LINKS];
    graze_robot_rest(f->robot, q);
    int32_t base = graze_robot_find_link(f->robot, "base_link");
    int32_t stone = graze_world_find_object(f->world, "stone");
    must(f, graze_rules_keep_links(f->rules, &base, 1, &f->error));
    for (int32_t i = 0; i < f->links; i++)
        if (has_geometry(f, i) && i != base) set_self(f, base, i, false);
    for (int turn = 0; turn < 6; turn++) {
        graze_report report = {0};
        graze_answer answer = turn < 3 ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_ALL;
        set_world(f, base, stone, false);
        must(f,
             graze_check_ruled(f->rules, f->ws, answer, q, f->columns, NULL, &report, &f->error));
        assert_int_equal(report.verdict, GRAZE_FREE);
        must(f, graze_check(f->checker, f->ws, answer, q, f->columns, NULL, &report, &f->error));
        assert_int_equal(report.verdict, GRAZE_COLLISION);
        set_world(f, base, stone, true);
        must(f,
             graze_check_ruled(f->rules, f->ws, answer, q, f->columns, NULL, &report, &f->error));
        assert_int_equal(report.verdict, GRAZE_COLLISION);
    }
    end(f, "forgets");
}

/// Outside the domain a margin above 0 is an error, for as long as one is given.
static void test_the_domain_counts_while_there_is_a_margin(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), "worlds/shelf.json");
    begin(f);
    const double far[6] = {1e5};
    double q[LINKS];
    graze_robot_rest(f->robot, q);
    int32_t base = graze_robot_find_link(f->robot, "base_link");
    int32_t gripper = graze_robot_find_link(f->robot, "gripper_link");
    for (int kind = 0; kind < 2; kind++) {
        graze_contact_kind k = kind ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF;
        const double margins[] = {0.01, NAN, 0, 0.01};
        for (int i = 0; i < 4; i++) {
            graze_report report = {0};
            must(f, graze_rules_set_margin(f->rules, k, gripper, kind ? 0 : base, margins[i],
                                           &f->error));
            assert_int_equal(graze_check_ruled(f->rules, f->ws, GRAZE_ANSWER_ANY, q, f->columns,
                                               far, &report, NULL),
                             margins[i] > 0 ? GRAZE_ERROR_RANGE : GRAZE_OK);
        }
        graze_rules_reset(f->rules);
    }
    end(f, "domain");
}

static void test_what_is_refused(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), "worlds/shelf.json");
    begin(f);
    const graze_contact_kind self = GRAZE_CONTACT_SELF, world = GRAZE_CONTACT_WORLD;
    graze_rules *r = f->rules, *other;
    int32_t empty = 0, full = pick_link(f);
    while (has_geometry(f, empty)) empty++;
    const int32_t bad[] = {0, f->links};
    uint64_t bits[LINKS] = {0};
    double q[LINKS];
    graze_robot_rest(f->robot, q);
#define REFUSED(call) assert_int_equal(call, GRAZE_ERROR_ARGUMENT)
    REFUSED(graze_rules_set(r, self, full, full, true, NULL));
    REFUSED(graze_rules_set(r, self, -1, full, true, NULL));
    REFUSED(graze_rules_set(r, self, full, f->links, true, NULL));
    REFUSED(graze_rules_set(r, world, full, f->objects, true, NULL));
    REFUSED(graze_rules_set(r, GRAZE_CONTACT_BOUNDARY, full, 0, false, NULL));
    REFUSED(graze_rules_set(r, self, full, empty, true, NULL));
    REFUSED(graze_rules_set_margin(r, world, empty, 0, 0.1, NULL));
    REFUSED(graze_rules_keep_links(r, bad, 2, NULL));
    REFUSED(graze_rules_assign(r, self, bits, 0, NULL));
    assert_int_equal(graze_rules_set(r, self, full, empty, false, NULL), GRAZE_OK);
    assert_int_equal(graze_rules_set_margin(r, world, full, 0, -1, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_rules_set_margin(r, world, full, 0, INFINITY, NULL), GRAZE_ERROR_RANGE);
    compare_arrays(f); // nothing has changed
    // What is of another checker.
    graze_checker *bare, *bounds;
    graze_workspace *ws;
    graze_report report = {0};
    graze_checker_options o = graze_checker_options_default();
    o.no_self = o.no_world = 1;
    must(f, graze_checker_create(&bare, f->robot, f->world, &o, &f->error));
    must(f, graze_workspace_create(&ws, bare, &f->error));
    REFUSED(graze_check_ruled(r, ws, GRAZE_ANSWER_ANY, q, f->columns, NULL, &report, NULL));
    assert_int_equal(report.verdict, GRAZE_UNKNOWN);
    graze_batch b = graze_batch_default();
    b.rules = r;
    REFUSED(graze_check_batch(bare, &b, NULL));
    // What options leave out stays out.
    must(f, graze_rules_create(&other, bare, &f->error));
    int32_t second = full;
    while (second == full) second = pick_link(f);
    assert_int_equal(graze_rules_set(other, self, full, second, true, NULL),
                     GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(graze_rules_set(other, world, full, 0, true, NULL), GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(graze_rules_assign(other, self, bits, 1, NULL), GRAZE_OK);
    memset(bits, 0xff, sizeof bits);
    assert_int_equal(graze_rules_assign(other, self, bits, 1, NULL), GRAZE_ERROR_UNSUPPORTED);
    o.level = GRAZE_LEVEL_BOUNDS;
    must(f, graze_checker_create(&bounds, f->robot, f->world, &o, &f->error));
    graze_rules *none;
    assert_int_equal(graze_rules_create(&none, bounds, NULL), GRAZE_ERROR_UNSUPPORTED);
    assert_null(none);
    graze_rules_free(other);
    graze_workspace_free(ws);
    graze_checker_free(bare);
    graze_checker_free(bounds);
    end(f, "refused");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_required_pairs_overlap_where_their_meshes_do),
        cmocka_unit_test(test_an_attached_body_and_its_touch_links),
        cmocka_unit_test(test_a_workspace_forgets_rules),
        cmocka_unit_test(test_the_domain_counts_while_there_is_a_margin),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
