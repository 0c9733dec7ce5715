// Scenes: each version is the world that its objects make, whatever memory it was written over;
// views keep what they saw, on several threads; nothing is allocated once memory goes around.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/thread.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { OBJECTS = 200, CONTACTS = 200, PHASES = 6, READERS = 3 };
#define TICKS       TRIALS(1500, 150)
#define LARGE_TICKS TRIALS(300, 40)
#define SWAPS       TRIALS(3000, 300)

static const double corners[12] = {0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2};
static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double dots[9] = {0, 0, 0, 0.1, 0, 0, 0, 0.2, 0.1};

/// An object as the test knows it.
typedef struct thing {
    char name[16];
    int kind;
    graze_transform pose;
    uint64_t id;
    void *user;
} thing;

typedef struct model {
    thing things[OBJECTS];
    size_t count;
    unsigned made;
} model;

typedef struct fixture {
    graze_robot *robot;
    size_t columns;
} fixture;

static int start(void **state) {
    static fixture f;
    graze_load_options options = graze_load_options_default();
    options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    assert_int_equal(
        graze_robot_load_urdf(&f.robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, NULL), 0);
    f.columns = graze_robot_q_size(f.robot);
    *state = &f;
    return 0;
}

static int end(void **state) {
    fixture *f = *state;
    graze_robot_free(f->robot);
    return 0;
}

static graze_transform draw_pose(gz_random *random, double range) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) xyz[k] = gz_random_range(random, -range, range);
    for (int k = 0; k < 3; k++) rpy[k] = gz_random_range(random, -3, 3);
    xyz[2] += 0.8;
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

static graze_geometry shape_of(int kind) {
    static const graze_shape shapes[] = {GRAZE_SHAPE_BOX,     GRAZE_SHAPE_SPHERE,
                                         GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER,
                                         GRAZE_SHAPE_MESH,    GRAZE_SHAPE_POINTS};
    graze_geometry g = {.shape = shapes[kind], .size = {0.2, 0.1, 0.3}, .radius = 0.08};
    g.length = 0.2;
    g.vertices = kind == 5 ? dots : corners;
    g.vertex_count = kind == 5 ? 3 : 4;
    g.triangles = kind == 4 ? tetrahedron : NULL;
    g.triangle_count = kind == 4 ? 4 : 0;
    return g;
}

static void make_thing(model *m, gz_random *random, bool points) {
    thing *t = &m->things[m->count++];
    *t = (thing){.kind = (int)gz_random_range(random, 0, points ? 5.99 : 4.99)};
    snprintf(t->name, sizeof t->name, "t%u", m->made++);
    t->pose = draw_pose(random, 2);
    t->id = m->made;
    t->user = &m->things[m->made % OBJECTS];
}

/// The world of a model, made anew.
static graze_world *make_world(const model *m) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "w", NULL), 0);
    for (size_t i = 0; i < m->count; i++) {
        const thing *t = &m->things[i];
        graze_geometry g = shape_of(t->kind);
        graze_status (*round_shape)(
            graze_world *, const char *, double, double, const graze_transform *,
            graze_error *) = t->kind == 2 ? graze_world_add_capsule : graze_world_add_cylinder;
        graze_status status =
            t->kind == 0   ? graze_world_add_box(w, t->name, g.size, &t->pose, NULL)
            : t->kind == 1 ? graze_world_add_sphere(w, t->name, g.radius, &t->pose, NULL)
            : t->kind == 4
                ? graze_world_add_mesh(w, t->name, corners, 4, tetrahedron, 4, &t->pose, NULL)
            : t->kind == 5 ? graze_world_add_points(w, t->name, dots, 3, g.radius, &t->pose, NULL)
                           : round_shape(w, t->name, g.radius, g.length, &t->pose, NULL);
        assert_int_equal(status, GRAZE_OK);
        assert_int_equal(graze_world_set_user(w, i, t->user, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(w, NULL), 0);
    return w;
}

// ------------------------------------------------------------------------------------- comparing

static void compare_objects(const graze_world *w, const model *m) {
    assert_int_equal(graze_world_object_count(w), m->count);
    for (size_t i = 0; i < m->count; i++) {
        graze_geometry g;
        assert_int_equal(graze_world_object(w, i, &g), GRAZE_OK);
        assert_string_equal(g.name, m->things[i].name);
        assert_memory_equal(&g.origin, &m->things[i].pose, sizeof g.origin);
        assert_true(g.id == m->things[i].id && g.user == m->things[i].user);
        assert_int_equal(graze_world_find_id(w, g.id), i);
    }
}

static graze_report check(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                          const double *q, graze_contact *contacts) {
    graze_report report = {.contacts = contacts, .capacity = CONTACTS};
    assert_int_equal(graze_check(c, ws, answer, q, graze_robot_q_size(graze_checker_robot(c)), NULL,
                                 &report, NULL),
                     GRAZE_OK);
    return report;
}

/// Returns how many contacts there are.
static size_t compare_answers(const graze_checker *c, graze_workspace *ws,
                              const graze_checker *anew, const double *q) {
    static graze_contact own[CONTACTS], other[CONTACTS];
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_PAIR, GRAZE_ANSWER_FIRST,
                                           GRAZE_ANSWER_ALL};
    graze_workspace *ws_anew;
    size_t count = 0;
    assert_int_equal(graze_workspace_create(&ws_anew, anew, NULL), GRAZE_OK);
    for (int i = 0; i < 4; i++) {
        graze_report a = check(c, ws, answers[i], q, own);
        graze_report b = check(anew, ws_anew, answers[i], q, other);
        assert_int_equal(a.verdict, b.verdict);
        assert_int_equal(a.count, b.count);
        count = a.count;
        for (size_t k = 0; i > 0 && k < a.count; k++) {
            assert_true(own[k].kind == other[k].kind && own[k].link == other[k].link);
            assert_true(own[k].other == other[k].other && own[k].triangle == other[k].triangle);
            assert_true(own[k].other_triangle == other[k].other_triangle);
            assert_memory_equal(&own[k].point, &other[k].point, sizeof own[k].point);
        }
    }
    uint8_t verdict;
    graze_batch batch = graze_batch_default();
    batch.count = 1;
    batch.q = q;
    batch.verdicts = &verdict;
    assert_int_equal(graze_check_batch(c, &batch, NULL), GRAZE_OK);
    assert_int_equal(verdict == GRAZE_COLLISION, count > 0);
    graze_workspace_free(ws_anew);
    return count;
}

static size_t compare_scene(const fixture *f, graze_scene *scene, const model *m,
                            const graze_checker_options *rules, gz_random *random) {
    double q[64];
    graze_robot_rest(f->robot, q);
    for (size_t k = 0; k < f->columns; k++) q[k] += gz_random_range(random, -0.5, 0.5);
    graze_view *view;
    assert_int_equal(graze_view_acquire(&view, scene, NULL), GRAZE_OK);
    const graze_checker *c = graze_view_checker(view);
    compare_objects(graze_checker_world(c), m);
    graze_world *anew = make_world(m);
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, f->robot, anew, rules, NULL), GRAZE_OK);
    assert_true(graze_checker_epsilon(c) == graze_checker_epsilon(checker));
    size_t count = compare_answers(c, graze_view_workspace(view), checker, q);
    graze_view_release(view);
    graze_checker_free(checker);
    graze_world_free(anew);
    return count;
}

// -------------------------------------------------------------------------------- random changes

static void move_thing(model *m, gz_random *random, graze_world_change *change) {
    thing *t = &m->things[(size_t)gz_random_range(random, 0, (double)m->count)];
    if (gz_random_range(random, 0, 1) < 0.9) t->pose = draw_pose(random, 2);
    *change = graze_world_change_default();
    change->pose = &t->pose;
    if (gz_random_range(random, 0, 1) < 0.5)
        change->name = t->name;
    else
        change->id = t->id;
}

/// Adds or removes the last but one. Names stay where they are until the change is applied.
static void change_things(model *m, gz_random *random, bool points, graze_world_change *change,
                          graze_geometry *shape) {
    *change = graze_world_change_default();
    if (m->count < 10 || gz_random_range(random, 0, 1) < 0.5) {
        make_thing(m, random, points);
        thing *t = &m->things[m->count - 1];
        *shape = shape_of(t->kind);
        change->kind = GRAZE_CHANGE_ADD;
        change->name = t->name;
        change->pose = &t->pose;
        change->geometry = shape;
        change->user = t->user;
        return;
    }
    size_t at = (size_t)gz_random_range(random, 0, (double)m->count);
    change->kind = GRAZE_CHANGE_REMOVE;
    change->id = m->things[at].id;
    memmove(&m->things[at], &m->things[at + 1], (--m->count - at) * sizeof *m->things);
}

static void run_changes(const fixture *f, size_t objects, size_t ticks, bool points, bool margins) {
    static model m;
    gz_random random = gz_random_make(objects, margins);
    graze_checker_options rules = graze_checker_options_default();
    const graze_allowed_pair allowed = {"base_link", "t1"};
    const graze_pair_margin margin = {"t2", NULL, 0.05};
    if (margins) {
        rules.margin = 0.01;
        rules.margins = &margin;
        rules.margin_count = 1;
    }
    m = (model){.count = 0};
    for (size_t i = 0; i < objects; i++) make_thing(&m, &random, points);
    rules.allowed = &allowed;
    rules.allowed_count = 1;
    graze_world *world = make_world(&m);
    graze_checker *checker;
    graze_scene *scene;
    graze_error error;
    assert_int_equal(graze_checker_create(&checker, f->robot, world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_scene_create(&scene, checker, NULL), GRAZE_OK);
    graze_checker_free(checker);
    graze_world_free(world);
    size_t contacts = 0;
    graze_view *held = NULL;
    for (size_t tick = 0; tick < ticks; tick++) {
        static graze_world_change changes[OBJECTS];
        graze_geometry shape;
        // Objects with rules stay: a rule whose name is gone is an error of a checker made anew.
        bool other = tick % 7 == 6 && !margins && m.count + 1 < OBJECTS && m.count > 20;
        size_t count = other ? 1 : (size_t)gz_random_range(&random, 0, (double)m.count);
        if (other && m.things[1].id == 2)
            change_things(&m, &random, points, changes, &shape);
        else
            for (size_t i = 0; i < count; i++) move_thing(&m, &random, &changes[i]);
        if (m.things[1].id != 2) { // "t1" is gone: so are the rules
            rules.allowed_count = 0;
        }
        if (graze_scene_revise(scene, changes, count, &error)) fail_msg("%s", error.message);
        assert_int_equal(graze_scene_version(scene), tick + 2);
        contacts += compare_scene(f, scene, &m, &rules, &random);
        // Now and then a version is held, so that others are written over.
        if (tick % 5 == 0) {
            graze_view_release(held);
            assert_int_equal(graze_view_acquire(&held, scene, NULL), GRAZE_OK);
        }
    }
    assert_true(contacts > ticks / 4);
    graze_view_release(held);
    graze_scene_free(scene);
}

static void test_versions_are_the_worlds_that_their_objects_make(void **state) {
    const fixture *f = *state;
    run_changes(f, 30, TICKS, false, false);
    run_changes(f, 40, TICKS / 4, true, false);
    run_changes(f, 120, LARGE_TICKS, true, false);
}

static void test_versions_under_margins_too(void **state) {
    const fixture *f = *state;
    run_changes(f, 25, TICKS / 2, false, true);
    run_changes(f, 90, LARGE_TICKS / 2, true, true);
}

// ------------------------------------------------------------------------------- views and threads

static graze_transform place(size_t object, uint64_t version) {
    gz_random random = gz_random_make(object, version % PHASES);
    return draw_pose(&random, 1.5);
}

typedef struct run {
    graze_scene *scene;
    const fixture *f;
    size_t objects;
    graze_verdict expected[PHASES];
    atomic_bool over;
    atomic_size_t views;
} run;

static void move_all(run *r) {
    static graze_world_change changes[OBJECTS];
    static graze_transform poses[OBJECTS];
    uint64_t next = graze_scene_version(r->scene) + 1;
    for (size_t i = 0; i < r->objects; i++) {
        poses[i] = place(i, next);
        changes[i] = graze_world_change_default();
        changes[i].id = i + 1;
        changes[i].pose = &poses[i];
    }
    graze_error error;
    if (graze_scene_revise(r->scene, changes, r->objects, &error)) fail_msg("%s", error.message);
}

static bool view_is_whole(const run *r, const graze_view *view, const double *q) {
    uint64_t number = graze_view_version(view);
    const graze_checker *c = graze_view_checker(view);
    for (size_t i = 0; i < r->objects; i++) {
        graze_geometry g;
        graze_transform expected = place(i, number);
        if (graze_world_object(graze_checker_world(c), i, &g) ||
            memcmp(&g.origin, &expected, sizeof expected) != 0)
            return false;
    }
    graze_report report = {.contacts = NULL};
    return graze_check(c, graze_view_workspace(view), GRAZE_ANSWER_ANY, q, r->f->columns, NULL,
                       &report, NULL) == GRAZE_OK &&
           report.verdict == r->expected[number % PHASES];
}

static void work(void *user, uint32_t index) {
    run *r = user;
    double q[64];
    graze_robot_rest(r->f->robot, q);
    if (index == 0) {
        for (int i = 0; i < SWAPS; i++) move_all(r);
        atomic_store(&r->over, true);
        return;
    }
    // Some views are held for long, some not at all.
    for (size_t i = 0; !atomic_load(&r->over) || i < 10; i++) {
        graze_view *view;
        bool right = graze_view_acquire(&view, r->scene, NULL) == GRAZE_OK;
        for (size_t k = 0; right && k < 1 + (i % 7) * index; k++) right = view_is_whole(r, view, q);
        graze_view_release(view);
        if (!right) abort(); // cmocka's assertions are for its own thread
        atomic_fetch_add(&r->views, 1);
    }
}

/// A scene of boxes, and what is expected of each version of it.
static void open_run(run *r, const fixture *f, size_t objects) {
    static model m;
    *r = (run){.f = f, .objects = objects};
    double q[64];
    graze_robot_rest(f->robot, q);
    size_t hits = 0;
    for (uint64_t phase = 0; phase < PHASES; phase++) {
        m = (model){.count = 0};
        gz_random random = gz_random_make(1, 1);
        for (size_t i = 0; i < objects; i++) {
            make_thing(&m, &random, false);
            m.things[i].pose = place(i, phase);
        }
        graze_world *world = make_world(&m);
        graze_checker *checker;
        graze_workspace *ws;
        assert_int_equal(graze_checker_create(&checker, f->robot, world, NULL, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
        graze_report report = {.contacts = NULL};
        assert_int_equal(
            graze_check(checker, ws, GRAZE_ANSWER_ANY, q, f->columns, NULL, &report, NULL),
            GRAZE_OK);
        r->expected[phase] = report.verdict;
        hits += report.verdict == GRAZE_COLLISION;
        if (phase == 1) assert_int_equal(graze_scene_create(&r->scene, checker, NULL), GRAZE_OK);
        graze_workspace_free(ws);
        graze_checker_free(checker);
        graze_world_free(world);
    }
    assert_in_range(hits, 1, objects < 100 ? PHASES - 1 : PHASES);
}

static void test_views_on_threads_see_whole_versions(void **state) {
    run r;
    size_t sizes[] = {12, 70};
    for (int i = 0; i < 2; i++) {
        open_run(&r, *state, sizes[i]);
        gz_thread_run(1 + READERS, work, &r);
        assert_true(atomic_load(&r.views) >= 10 * READERS);
        graze_scene_free(r.scene);
    }
}

/// A world that somebody made from a view lives on, and is not written over.
static void test_worlds_made_from_a_view_stay_as_they_are(void **state) {
    run r;
    open_run(&r, *state, 70);
    graze_view *view;
    graze_world *own;
    assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
    graze_transform far = graze_transform_identity();
    graze_world_change change = graze_world_change_default();
    far.m[3] = 50;
    change.id = 7;
    change.pose = &far;
    assert_int_equal(
        graze_world_revise(&own, graze_checker_world(graze_view_checker(view)), &change, 1, NULL),
        GRAZE_OK);
    graze_view_release(view);
    for (int i = 0; i < 10; i++) move_all(&r);
    for (size_t i = 0; i < r.objects; i++) {
        graze_geometry g;
        graze_transform expected = i == 6 ? far : place(i, 1);
        assert_int_equal(graze_world_object(own, i, &g), GRAZE_OK);
        assert_memory_equal(&g.origin, &expected, sizeof expected);
    }
    graze_scene_free(r.scene);
    graze_world_free(own);
}

static void test_a_mistake_leaves_the_scene_as_it_was(void **state) {
    run r;
    open_run(&r, *state, 12);
    graze_transform skewed = graze_transform_identity(), there = place(0, 2);
    skewed.m[0] = 2;
    graze_world_change changes[2] = {graze_world_change_default(), graze_world_change_default()};
    changes[0].id = 1;
    changes[0].pose = &there;
    const struct {
        const char *name;
        uint64_t id;
        const graze_transform *pose;
        graze_status status;
    } wrong[] = {{"nobody", 0, &there, GRAZE_ERROR_NOT_FOUND}, {NULL, 99, &there, 6},
                 {NULL, 0, &there, GRAZE_ERROR_ARGUMENT},      {"t1", 2, &there, 1},
                 {NULL, 2, NULL, GRAZE_ERROR_ARGUMENT},        {"t1", 0, &skewed, 1}};
    double q[64];
    graze_robot_rest(r.f->robot, q);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        graze_error error;
        changes[1].name = wrong[i].name;
        changes[1].id = wrong[i].id;
        changes[1].pose = wrong[i].pose;
        graze_status status = graze_scene_revise(r.scene, changes, 2, &error);
        assert_true(status == GRAZE_ERROR_ARGUMENT || status == GRAZE_ERROR_NOT_FOUND);
        assert_string_equal(error.element, "changes[1]");
        graze_view *view;
        assert_int_equal(graze_scene_version(r.scene), 1);
        assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
        assert_true(view_is_whole(&r, view, q));
        graze_view_release(view);
    }
    changes[1].struct_size -= 8;
    graze_error sizes;
    assert_int_equal(graze_scene_revise(r.scene, changes, 2, &sizes), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(sizes.message, "one size"));
    assert_int_equal(graze_scene_version(r.scene), 1);
    graze_scene *none;
    assert_int_equal(graze_scene_create(&none, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_scene_revise(NULL, changes, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_scene_revise(r.scene, NULL, 1, NULL), GRAZE_ERROR_ARGUMENT);
    graze_view_release(NULL);
    graze_scene_free(r.scene);
}

/// Of a scene's checker.
typedef struct made {
    graze_rules *rules;
    graze_workspace *ws;
    graze_motion_workspace *motion;
} made;

static void assert_both(const run *r, const graze_checker *c, const made *m,
                        graze_status expected) {
    double q[64];
    graze_report report = {.contacts = NULL};
    graze_motion_report motion;
    graze_robot_rest(r->f->robot, q);
    assert_int_equal(
        graze_check_ruled(m->rules, m->ws, GRAZE_ANSWER_ANY, q, r->f->columns, NULL, &report, NULL),
        expected);
    assert_int_equal(
        graze_check_motion(c, m->motion, q, q, r->f->columns, NULL, NULL, NULL, &motion, NULL),
        expected);
}

/// A scene writes over checkers that nobody views: what was made of one is of its old version.
static void test_what_was_made_of_a_version_is_refused_after_it(void **state) {
    run r;
    made m;
    graze_view *view;
    open_run(&r, *state, 12);
    assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
    const graze_checker *c = graze_view_checker(view);
    assert_int_equal(graze_rules_create(&m.rules, c, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&m.ws, c, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&m.motion, c, NULL), GRAZE_OK);
    assert_both(&r, c, &m, GRAZE_OK);
    int moves = 0;
    do {
        graze_view_release(view);
        move_all(&r);
        assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
    } while (graze_view_checker(view) != c && ++moves < 10);
    assert_ptr_equal(graze_view_checker(view), c);
    assert_both(&r, c, &m, GRAZE_ERROR_ARGUMENT);
    graze_view_release(view);
    graze_motion_workspace_free(m.motion);
    graze_rules_free(m.rules);
    graze_workspace_free(m.ws);
    graze_scene_free(r.scene);
}

/// How many nodes of the tree over the world a check of the robot at rest tests.
static uint64_t count_node_tests(const fixture *f, const graze_checker *checker,
                                 graze_workspace *workspace) {
    double q[64];
    graze_report report = {0};
    graze_robot_rest(f->robot, q);
    assert_int_equal(
        graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, f->columns, NULL, &report, NULL),
        GRAZE_OK);
    return report.stats.node_tests;
}

static uint64_t count_in_scene(const fixture *f, graze_scene *scene) {
    graze_view *view;
    assert_int_equal(graze_view_acquire(&view, scene, NULL), GRAZE_OK);
    uint64_t tests = count_node_tests(f, graze_view_checker(view), graze_view_workspace(view));
    graze_view_release(view);
    return tests;
}

/// The same of a version whose tree is made for it.
static uint64_t count_anew(const fixture *f, const graze_checker *checker,
                           const graze_world_change *changes, size_t count) {
    graze_world *world;
    graze_checker *own;
    graze_workspace *workspace;
    assert_int_equal(graze_world_revise(&world, graze_checker_world(checker), changes, count, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_checker_with_world(&own, checker, world, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, own, NULL), GRAZE_OK);
    uint64_t tests = count_node_tests(f, own, workspace);
    graze_workspace_free(workspace);
    graze_checker_free(own);
    graze_world_free(world);
    return tests;
}

/// A world of one object has no nodes that could be noted as stale.
static void test_a_single_object_moves(void **state) {
    const fixture *f = *state;
    graze_world *world;
    graze_checker *checker;
    graze_scene *scene;
    gz_random random = gz_random_make(7, 19);
    graze_transform pose = draw_pose(&random, 1);
    graze_world_change change = graze_world_change_default();
    change.id = 1;
    change.pose = &pose;
    assert_int_equal(graze_world_create(&world, "one", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "ball", 0.3, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&checker, f->robot, world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_scene_create(&scene, checker, NULL), GRAZE_OK);
    for (int jump = 0; jump < 8; jump++) {
        pose = draw_pose(&random, 1);
        assert_int_equal(graze_scene_revise(scene, &change, 1, NULL), GRAZE_OK);
        assert_int_equal(count_in_scene(f, scene), count_anew(f, checker, &change, 1));
    }
    graze_scene_free(scene);
    graze_checker_free(checker);
    graze_world_free(world);
}

/// Each version has a tree of its own, whose measure is taken before its objects move: where they
/// had jumped already, the worst tree was the measure of all later ones.
static void test_trees_stay_good_while_all_objects_jump(void **state) {
    enum { JUMPS = 12 };
    const fixture *f = *state;
    graze_world *world;
    graze_checker *checker;
    graze_scene *scene;
    graze_world_change changes[OBJECTS];
    graze_transform poses[OBJECTS];
    gz_random random = gz_random_make(7, 18);
    uint64_t tests = 0, anew = 0;
    assert_int_equal(graze_world_create(&world, "jumps", NULL), GRAZE_OK);
    for (size_t i = 0; i < OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%zu", i);
        poses[i] = draw_pose(&random, 4);
        changes[i] = graze_world_change_default();
        changes[i].id = i + 1;
        changes[i].pose = &poses[i];
        assert_int_equal(graze_world_add_sphere(world, name, 0.03, &poses[i], NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&checker, f->robot, world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_scene_create(&scene, checker, NULL), GRAZE_OK);
    for (int jump = 0; jump < JUMPS; jump++) {
        for (size_t i = 0; i < OBJECTS; i++) poses[i] = draw_pose(&random, 4);
        assert_int_equal(graze_scene_revise(scene, changes, OBJECTS, NULL), GRAZE_OK);
        tests += count_in_scene(f, scene);
        anew += count_anew(f, checker, changes, OBJECTS);
    }
    assert_in_range(tests, 1, 3 * anew);
    graze_scene_free(scene);
    graze_checker_free(checker);
    graze_world_free(world);
}

#ifdef GRAZE_FAULTS
static void test_nothing_is_allocated_after_the_first_ticks(void **state) {
    size_t sizes[] = {12, 70, 190};
    double q[64];
    for (int i = 0; i < 3; i++) {
        run r;
        open_run(&r, *state, sizes[i]);
        graze_robot_rest(r.f->robot, q);
        for (int tick = 0; tick < 50; tick++) {
            if (tick == 4) gz_memory_fail_after(1, true);
            graze_view *view;
            move_all(&r);
            assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
            assert_true(view_is_whole(&r, view, q));
            graze_view_release(view);
        }
        long count = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        assert_int_equal(count, 0);
        graze_scene_free(r.scene);
    }
}

/// Each allocation fails in turn: a revision fails as a whole, and the next one is right.
static void test_a_lack_of_memory_leaves_the_scene_as_it_was(void **state) {
    bool done = false;
    double q[64];
    graze_geometry ball = shape_of(1);
    graze_world_change change = graze_world_change_default();
    change.kind = GRAZE_CHANGE_ADD;
    change.name = "new";
    change.geometry = &ball;
    for (long n = 1; !done; n++) {
        run r;
        open_run(&r, *state, 12);
        graze_robot_rest(r.f->robot, q);
        move_all(&r);
        gz_memory_fail_after(n, false);
        done = graze_scene_revise(r.scene, &change, 1, NULL) == GRAZE_OK;
        gz_memory_fail_after(0, false);
        assert_int_equal(graze_scene_version(r.scene), done ? 3 : 2);
        graze_view *view;
        assert_int_equal(graze_view_acquire(&view, r.scene, NULL), GRAZE_OK);
        if (!done) assert_true(view_is_whole(&r, view, q));
        graze_view_release(view);
        if (!done) move_all(&r);
        graze_scene_free(r.scene);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_are_the_worlds_that_their_objects_make),
        cmocka_unit_test(test_versions_under_margins_too),
        cmocka_unit_test(test_views_on_threads_see_whole_versions),
        cmocka_unit_test(test_worlds_made_from_a_view_stay_as_they_are),
        cmocka_unit_test(test_a_mistake_leaves_the_scene_as_it_was),
        cmocka_unit_test(test_what_was_made_of_a_version_is_refused_after_it),
        cmocka_unit_test(test_a_single_object_moves),
        cmocka_unit_test(test_trees_stay_good_while_all_objects_jump),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_nothing_is_allocated_after_the_first_ticks),
        cmocka_unit_test(test_a_lack_of_memory_leaves_the_scene_as_it_was),
#endif
    };
    return cmocka_run_group_tests(tests, start, end);
}
