// Rules by call against a checker made anew, whose SRDF, allowed pairs and margins say the same by
// name: random rules, all answers, by q, by poses, in batches and explained.

#include <unistd.h>

#include "unit/check/call_rules_fixture.h"
#include "unit/mesh/mesh_maker.h"

/// An SRDF that disables what is hidden and enables everything else.
static void write_srdf(const fixture *f, const char *path) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "<robot name=\"%s\">\n", graze_robot_name(f->robot));
    for (int32_t a = 0; a < f->links; a++)
        for (int32_t b = a + 1; b < f->links; b++)
            if (has_geometry(f, a) && has_geometry(f, b))
                fprintf(out, "<%s_collisions link1=\"%s\" link2=\"%s\"/>\n",
                        f->now.self[a][b] ? "enable" : "disable",
                        graze_robot_link_name(f->robot, a), graze_robot_link_name(f->robot, b));
    fprintf(out, "</robot>\n");
    assert_int_equal(fclose(out), 0);
}

typedef struct twin {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *ws;
} twin;

static twin make_twin(fixture *f) {
    char path[] = "/tmp/graze_rules_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_srdf(f, path);
    twin t = {.robot = load(f, path)};
    unlink(path);
    static graze_allowed_pair allowed[LINKS * OBJECTS];
    static graze_pair_margin margins[LINKS * (LINKS + OBJECTS)];
    graze_checker_options o = f->options;
    size_t allowed_count = 0, margin_count = 0;
    for (int32_t a = 0; a < f->links; a++) {
        if (!has_geometry(f, a)) continue;
        const char *name = graze_robot_link_name(f->robot, a);
        for (int32_t b = a + 1; b < f->links; b++)
            if (f->now.own_self[a][b])
                margins[margin_count++] = (graze_pair_margin){
                    name, graze_robot_link_name(f->robot, b), f->now.self_margin[a][b]};
        for (int32_t k = 0; k < f->objects; k++) {
            if (!f->now.world[a][k])
                allowed[allowed_count++] = (graze_allowed_pair){name, object_name(f, k)};
            if (f->now.own_world[a][k])
                margins[margin_count++] = (graze_pair_margin){name, object_name(f, k),
                                                              f->now.world_margin[a][k]};
        }
    }
    // Margins of whole links, objects and all stay; those of pairs are not given by the fixtures.
    for (size_t i = 0; i < f->options.margin_count; i++)
        margins[margin_count++] = f->options.margins[i];
    o.allowed = allowed;
    o.allowed_count = allowed_count;
    o.margins = margins;
    o.margin_count = margin_count;
    must(f, graze_checker_create(&t.checker, t.robot, f->world, &o, &f->error));
    must(f, graze_workspace_create(&t.ws, t.checker, &f->error));
    return t;
}

static void free_twin(twin *t) {
    graze_workspace_free(t->ws);
    graze_checker_free(t->checker);
    graze_robot_free(t->robot);
}

// A random change of the rules, and of the model.

static void set_some(fixture *f, bool checked, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t a = pick_link(f), b = pick_link(f);
        if (a != b) set_self(f, a, b, checked);
        if (f->objects) set_world(f, pick_link(f), (int32_t)pick(f, (size_t)f->objects), checked);
    }
}

static void set_margins(fixture *f, size_t count) {
    static const double values[] = {0, 1e-13, 0.001, 0.01, 0.05, 0.3};
    for (size_t i = 0; i < count; i++) {
        int32_t a = pick_link(f), b = pick_link(f);
        bool again = pick(f, 5) == 0;
        double m = again ? NAN : values[pick(f, 6)];
        if (a != b) {
            must(f, graze_rules_set_margin(f->rules, GRAZE_CONTACT_SELF, a, b, m, &f->error));
            f->now.own_self[a][b] = f->now.own_self[b][a] = !again;
            f->now.self_margin[a][b] = f->now.self_margin[b][a] = again ? f->base.self_margin[a][b]
                                                                        : m;
        }
        if (!f->objects) continue;
        int32_t k = (int32_t)pick(f, (size_t)f->objects);
        must(f, graze_rules_set_margin(f->rules, GRAZE_CONTACT_WORLD, a, k, m, &f->error));
        f->now.own_world[a][k] = !again;
        f->now.world_margin[a][k] = again ? f->base.world_margin[a][k] : m;
    }
}

static void keep(fixture *f) {
    int32_t kept[LINKS];
    bool is_kept[LINKS] = {0};
    size_t count = 1 + pick(f, (size_t)f->links);
    for (size_t i = 0; i < count; i++) {
        kept[i] = (int32_t)pick(f, (size_t)f->links);
        is_kept[kept[i]] = true;
    }
    must(f, graze_rules_keep_links(f->rules, kept, count, &f->error));
    for (int32_t a = 0; a < f->links; a++) {
        for (int32_t b = 0; b < f->links; b++)
            if (!is_kept[a] && !is_kept[b]) f->now.self[a][b] = false;
        for (int32_t k = 0; k < f->objects && !is_kept[a]; k++) f->now.world[a][k] = false;
    }
}

/// Whole matrices, with noise where nothing is read.
static void assign(fixture *f) {
    static uint64_t bits[LINKS * 8];
    for (int kind = 0; kind < 2; kind++) {
        size_t words = kind ? ((size_t)f->objects + 63) / 64 + 1 : ((size_t)f->links + 63) / 64;
        int32_t others = kind ? f->objects : f->links;
        for (size_t i = 0; i < (size_t)f->links * words; i++) bits[i] = gz_random_next(&f->random);
        for (int32_t a = 0; a < f->links; a++)
            for (int32_t b = kind ? 0 : a + 1; b < others; b++) {
                if (!has_geometry(f, a) || (!kind && !has_geometry(f, b))) continue;
                bool old = kind ? f->now.world[a][b] : f->now.self[a][b];
                bool value = pick(f, 12) ? old : !old;
                uint64_t *word = &bits[(size_t)a * words + (size_t)b / 64],
                         bit = (uint64_t)1 << b % 64;
                *word = value ? *word | bit : *word & ~bit;
                if (kind)
                    f->now.world[a][b] = value;
                else
                    f->now.self[a][b] = f->now.self[b][a] = value;
            }
        must(f, graze_rules_assign(f->rules, kind ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF, bits,
                                   words, &f->error));
    }
}

/// Hides what collides in a configuration, so that others may be free.
static void hide_hits(fixture *f, const double *q, const double *base) {
    static graze_contact contacts[CONTACTS];
    graze_report report = {.contacts = contacts, .capacity = CONTACTS};
    if (graze_check_ruled(f->rules, f->ws, GRAZE_ANSWER_ALL, q, f->columns, base, &report, NULL))
        return;
    for (size_t i = 0; i < report.count && i < CONTACTS; i++) {
        const graze_contact *c = &contacts[i];
        if (c->kind == GRAZE_CONTACT_SELF) set_self(f, c->link, c->other, false);
        if (c->kind == GRAZE_CONTACT_WORLD) set_world(f, c->link, c->other, false);
    }
}

static void change(fixture *f, const double *q, const double *base) {
    switch (pick(f, 8)) {
    case 0:
        graze_rules_reset(f->rules);
        f->now = f->base;
        break;
    case 1:
        set_some(f, false, 1 + pick(f, 40));
        break;
    case 2:
        set_some(f, true, 1 + pick(f, 4));
        break;
    case 3:
        set_some(f, true, 40);
        break;
    case 4:
        set_margins(f, 1 + pick(f, 12));
        break;
    case 5:
        keep(f);
        break;
    case 6:
        assign(f);
        break;
    default:
        hide_hits(f, q, base);
    }
}

// Comparing.

static bool same_point(graze_vec3 a, graze_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           (!a->has_segment || (same_point(a->segment[0], b->segment[0]) &&
                                same_point(a->segment[1], b->segment[1]))) &&
           same_point(a->point, b->point);
}

static void compare_reports(const graze_report *own, const graze_report *anew,
                            graze_answer answer) {
    assert_int_equal(own->verdict, anew->verdict);
    if (answer == GRAZE_ANSWER_ANY) return;
    assert_int_equal(own->count, anew->count);
    for (size_t i = 0; i < own->count && i < CONTACTS; i++)
        if (!same_contact(&own->contacts[i], &anew->contacts[i]))
            fail_msg("contact %zu of answer %d differs", i, (int)answer);
}

/// Whether a contact names one of the pairs of a full report.
static bool names_one(const graze_contact *contact, const graze_report *all) {
    for (size_t i = 0; i < all->count && i < CONTACTS; i++)
        if (all->contacts[i].kind == contact->kind && all->contacts[i].link == contact->link &&
            all->contacts[i].other == contact->other)
            return true;
    return false;
}

typedef struct listing {
    const graze_report *all;
    size_t count;
    bool hidden; ///< allowed ones have begun
} listing;

static bool list_hit(const graze_explanation *e, void *user) {
    listing *l = user;
    if (e->allowed) l->hidden = true;
    if (!e->collides || e->allowed) return true;
    assert_false(l->hidden);
    assert_true(l->count < l->all->count);
    assert_true(same_contact(&e->contact, &l->all->contacts[l->count]));
    l->count++;
    return true;
}

/// A workspace keeps nothing of rules: without them it answers as one that has never seen any.
static void compare_without(fixture *f, const double *q, const double *base) {
    static graze_contact contacts[2][CONTACTS];
    graze_report own = {.contacts = contacts[0], .capacity = CONTACTS};
    graze_report anew = {.contacts = contacts[1], .capacity = CONTACTS};
    graze_answer answer = pick(f, 2) ? GRAZE_ANSWER_ALL : GRAZE_ANSWER_FIRST;
    assert_int_equal(graze_check(f->checker, f->ws, answer, q, f->columns, base, &own, NULL),
                     graze_check(f->checker, f->other, answer, q, f->columns, base, &anew, NULL));
    compare_reports(&own, &anew, answer);
}

static void compare_at(fixture *f, const twin *t, const double *q, const double *base) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ALL, GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST,
                                           GRAZE_ANSWER_PAIR};
    static graze_contact contacts[3][CONTACTS];
    graze_transform links[LINKS];
    must(f, graze_robot_pose(f->robot, q, f->columns, base, links, &f->error));
    graze_report all = {.contacts = contacts[0], .capacity = CONTACTS};
    for (int i = 0; i < 4; i++) {
        graze_report anew = {.contacts = contacts[i ? 1 : 0], .capacity = CONTACTS};
        graze_report own = {.contacts = contacts[2], .capacity = CONTACTS};
        graze_status want = graze_check(t->checker, t->ws, answers[i], q, f->columns, base, &anew,
                                        NULL);
        assert_int_equal(
            graze_check_ruled(f->rules, f->ws, answers[i], q, f->columns, base, &own, NULL), want);
        compare_reports(&own, &anew, answers[i]);
        if (i == 0) all = anew;
        if (i == 1 && own.count) assert_true(names_one(&contacts[2][0], &all));
        f->errors += want != GRAZE_OK;
        if (want) continue;
        assert_int_equal(graze_check_posed_ruled(f->rules, f->ws, answers[i], links,
                                                 (size_t)f->links, &own, NULL),
                         GRAZE_OK);
        compare_reports(&own, &anew, answers[i]);
    }
    compare_without(f, q, base);
    if (all.verdict == GRAZE_UNKNOWN) return;
    f->collisions += all.verdict == GRAZE_COLLISION;
    f->frees += all.verdict == GRAZE_FREE;
    listing l = {.all = &all};
    must(f,
         graze_check_explain_ruled(f->rules, f->ws, q, f->columns, base, list_hit, &l, &f->error));
    if (all.contacts[0].kind == GRAZE_CONTACT_BOUNDARY || all.count <= CONTACTS)
        assert_int_equal(l.count, all.count);
}

static void compare_batch(fixture *f, const twin *t, const double *q, const double *base) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_PAIR};
    for (int i = 0; i < 3; i++) {
        uint8_t own[ROWS], anew[ROWS];
        graze_contact contacts[2][ROWS];
        graze_batch b = graze_batch_default();
        b.count = ROWS;
        b.q = q;
        b.base_common = base;
        b.answer = answers[i];
        b.verdicts = anew;
        b.contacts = contacts[0];
        graze_status want = graze_check_batch(t->checker, &b, NULL);
        b.verdicts = own;
        b.contacts = contacts[1];
        b.rules = f->rules;
        assert_int_equal(graze_check_batch(f->checker, &b, NULL), want);
        for (int row = 0; row < ROWS; row++) {
            assert_int_equal(own[row], anew[row]);
            if (own[row] == GRAZE_COLLISION && answers[i] != GRAZE_ANSWER_ANY)
                assert_true(same_contact(&contacts[1][row], &contacts[0][row]));
        }
    }
}

static void pick_base(fixture *f, double base[6]) {
    for (int k = 0; k < 6; k++) base[k] = (double)pick(f, 2001) * 1e-3 - 1;
    base[2] *= 0.1;
    base[3] *= 0.1;
    base[4] *= 0.1;
    if (pick(f, 12) == 0) base[0] = 1e5; // outside the domain: an error where a margin counts
}

static void compare_many(fixture *f, size_t trials) {
    static double q[ROWS * LINKS];
    for (size_t i = 0; i < trials; i++) {
        double place[6];
        const double *base = pick(f, 2) ? place : NULL;
        pick_base(f, place);
        for (size_t row = 0; row < ROWS; row++)
            must(f,
                 graze_robot_sample(f->robot, i, row, NULL, NULL, q + row * f->columns, &f->error));
        for (size_t k = 1 + pick(f, 3); k > 0; k--) change(f, q, base);
        compare_arrays(f);
        twin t = make_twin(f);
        for (size_t row = 0; row < ROWS; row++) compare_at(f, &t, q + row * f->columns, base);
        compare_batch(f, &t, q, base);
        free_twin(&t);
    }
}

static void test_heron_at_the_shelf(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), "worlds/shelf.json");
    begin(f);
    compare_many(f, TRIALS(40, 8));
    assert_true(f->frees > 30 || TRIALS(0, 1));
    end(f, "heron, shelf");
}

static void test_heron_with_allowed_pairs_and_margins(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), NULL, "worlds/kitchen.json");
    const graze_pair_margin margins[] = {{"gripper_link", NULL, 0.02}};
    f->options.margins = margins;
    f->options.margin_count = 1;
    f->options.policy = GRAZE_POLICY_SURFACE;
    f->options.domain = 1000;
    static const char *const allowed[] = {"base_link", "gripper_link", "elbow_flex_link"};
    must(f, graze_world_commit(f->world, &f->error));
    graze_allowed_pair pairs[3];
    for (int i = 0; i < 3; i++) pairs[i] = (graze_allowed_pair){allowed[i], object_name(f, i)};
    f->options.allowed = pairs;
    f->options.allowed_count = 3;
    begin(f);
    compare_many(f, TRIALS(20, 4));
    end(f, "heron, kitchen, margins");
}

static void test_heron_in_points(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), source("urdf/heron.srdf"), "worlds/table.json");
    add_points(f);
    begin(f);
    compare_many(f, TRIALS(20, 4));
    end(f, "heron, points");
}

static void test_two_link(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/two_link.urdf"), source("urdf/two_link.srdf"),
                 "worlds/kineval_basic.json");
    begin(f);
    compare_many(f, TRIALS(50, 20));
    end(f, "two_link");
}

/// The tree over the links, which only robots of many pairs have.
static void test_heron_with_a_tree_over_its_links(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/heron.urdf"), NULL, "worlds/kineval_random.json");
    f->tree_pairs = 1;
    begin(f);
    compare_many(f, TRIALS(15, 4));
    end(f, "heron with a tree, 100 objects");
}

static void test_six_axis_without_a_world(void **state) {
    (void)state;
    fixture *f = make();
    open_fixture(f, source("urdf/six_axis.urdf"), source("urdf/six_axis.srdf"), NULL);
    f->options.margin = 0.01;
    begin(f);
    compare_many(f, TRIALS(50, 20));
    end(f, "six_axis, margin 0.01");
}

/// A robot of GRAZE_TEST_DATA at the shelf.
static void compare_shared(const char *urdf, const char *packages) {
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set\n");
        skip();
    }
    char file[512], folder[512];
    snprintf(file, sizeof file, "%s/%s", data, urdf);
    snprintf(folder, sizeof folder, "%s/%s", data, packages);
    fixture *f = make();
    f->data = folder;
    open_fixture(f, file, NULL, "worlds/shelf.json");
    begin(f);
    compare_many(f, TRIALS(20, 2));
    end(f, urdf);
}

static void test_fetch(void **state) {
    (void)state;
    compare_shared("robots/fetch_description/robots/fetch.urdf", "robots");
}

static void test_panda(void **state) {
    (void)state;
    compare_shared("robots/panda_mbm/panda.urdf", "robots");
}

/// A mesh of each link in turn, the last link's, too, stands in a mesh that rules hide from it:
/// free, though float proxies are certain of the overlap.
static void test_each_link_may_stand_in_what_is_hidden(void **state) {
    (void)state;
    static const char *const element =
        "<link name='%s'><collision><geometry><mesh filename='%s/meshes/heron/collision/"
        "estop_link.stl'/></geometry></collision></link>";
    static const char *const joint =
        "<joint name='%s' type='prismatic'><parent link='root'/><child link='%s'/><origin "
        "xyz='%d 0 0'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' "
        "velocity='1'/></joint>";
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_ALL};
    char a[1024], b[1024], ja[512], jb[512], urdf[4096];
    snprintf(a, sizeof a, element, "a", GRAZE_SOURCE_DIR);
    snprintf(b, sizeof b, element, "b", GRAZE_SOURCE_DIR);
    snprintf(ja, sizeof ja, joint, "x", "a", 0);
    snprintf(jb, sizeof jb, joint, "y", "b", 2);
    snprintf(urdf, sizeof urdf, "<robot name='pair'><link name='root'/>%s%s%s%s</robot>", a, b, ja,
             jb);
    for (int32_t link = 1; link < 3; link++) {
        fixture *f = make();
        maker m = {0};
        const double q[2] = {0.5, 0.5}, middle[3] = {link == 2 ? 2.5 : 0.5, 0, 0};
        maker_sphere(&m, middle, 0.5, 20, 30);
        must(f, graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "pair", NULL, NULL,
                                             &f->error));
        must(f, graze_world_create(&f->world, "world", &f->error));
        must(f, graze_world_add_mesh(f->world, "ball", m.v, m.nv, m.t, m.nt, NULL, &f->error));
        maker_free(&m);
        f->links = 3;
        f->columns = 2;
        f->has_geometry[1] = f->has_geometry[2] = true;
        f->options = graze_checker_options_default();
        f->tree_pairs = SIZE_MAX;
        begin(f);
        for (int hidden = 0; hidden < 2; hidden++) {
            if (hidden) set_world(f, link, 0, false);
            for (size_t i = 0; i < 3; i++) {
                graze_report report = {0};
                must(f, graze_check_ruled(f->rules, f->ws, answers[i], q, 2, NULL, &report,
                                          &f->error));
                assert_int_equal(report.verdict, hidden ? GRAZE_FREE : GRAZE_COLLISION);
            }
        }
        end(f, "two meshes");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_link_may_stand_in_what_is_hidden),
        cmocka_unit_test(test_heron_at_the_shelf),
        cmocka_unit_test(test_heron_with_allowed_pairs_and_margins),
        cmocka_unit_test(test_heron_in_points),
        cmocka_unit_test(test_two_link),
        cmocka_unit_test(test_heron_with_a_tree_over_its_links),
        cmocka_unit_test(test_six_axis_without_a_world),
        cmocka_unit_test(test_fetch),
        cmocka_unit_test(test_panda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
