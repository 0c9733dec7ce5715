// A robot, a world, a checker and rules for it, beside a model of what these are to say.
#ifndef UNIT_CHECK_CALL_RULES_FIXTURE_H
#define UNIT_CHECK_CALL_RULES_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "check/checker.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { LINKS = 64, OBJECTS = 160, CONTACTS = 512, ROWS = 24, TEXT = 1 << 18 };

/// What the rules are to say, in arrays of its own.
typedef struct model {
    bool self[LINKS][LINKS], world[LINKS][OBJECTS]; ///< checked
    double self_margin[LINKS][LINKS], world_margin[LINKS][OBJECTS];
    bool own_self[LINKS][LINKS], own_world[LINKS][OBJECTS]; ///< margins that were given
} model;

typedef struct fixture {
    const char *urdf, *srdf, *data;
    graze_robot *robot;
    graze_world *world;
    graze_checker_options options;
    graze_checker *checker;
    graze_workspace *ws, *other; ///< the other one is never given rules
    size_t tree_pairs;
    graze_rules *rules;
    int32_t links, objects;
    size_t columns;
    bool has_geometry[LINKS];
    model base, now;
    gz_random random;
    size_t collisions, frees, errors;
    graze_error error;
} fixture;

static inline void must(fixture *f, graze_status status) {
    if (status) fail_msg("%s: %s", f->error.element, f->error.message);
}

static inline size_t pick(fixture *f, size_t count) {
    return gz_random_below(&f->random, (uint32_t)count);
}

static inline bool has_geometry(const fixture *f, int32_t link) {
    return f->has_geometry[link];
}

static inline bool note_pair(const graze_checked_pair *pair, void *user) {
    model *m = user;
    if (pair->is_world) {
        m->world[pair->link][pair->other] = !pair->hidden;
        m->world_margin[pair->link][pair->other] = pair->margin;
    } else {
        m->self[pair->link][pair->other] = m->self[pair->other][pair->link] = !pair->hidden;
        m->self_margin[pair->link][pair->other] = m->self_margin[pair->other][pair->link] =
            pair->margin;
    }
    return true;
}

static inline graze_robot *load(fixture *f, const char *srdf) {
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.package_path = f->data;
    graze_robot *robot;
    must(f, graze_robot_load_urdf(&robot, f->urdf, &options, &f->error));
    return robot;
}

static inline const char *object_name(const fixture *f, int32_t object) {
    graze_geometry g;
    return graze_world_object(f->world, (size_t)object, &g) ? NULL : g.name;
}

/// Compares what the rules say with the model.
static inline void compare_arrays(fixture *f) {
    static double margins[LINKS * (LINKS + OBJECTS)];
    for (int kind = 0; kind < 2; kind++) {
        graze_contact_kind k = kind ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF;
        int32_t others = kind ? f->objects : f->links;
        size_t words = 99, count = (size_t)f->links * (size_t)others;
        const uint64_t *bits = graze_rules_matrix(f->rules, k, &words);
        assert_int_equal(words, ((size_t)others + 63) / 64);
        assert_int_equal(graze_rules_margins(f->rules, k, margins, count), count);
        for (int32_t a = 0; a < f->links; a++)
            for (int32_t b = 0; b < others; b++) {
                bool want = kind ? f->now.world[a][b] : f->now.self[a][b];
                assert_int_equal(bits[(size_t)a * words + (size_t)b / 64] >> b % 64 & 1, want);
                // Given margins count as at least epsilon.
                double margin = kind ? f->now.world_margin[a][b] : f->now.self_margin[a][b];
                if (margin > 0) margin = fmax(margin, graze_checker_epsilon(f->checker));
                if (a != b || kind) assert_true(margins[(size_t)(a * others + b)] == margin);
            }
    }
}

static inline void set_self(fixture *f, int32_t a, int32_t b, bool checked) {
    must(f, graze_rules_set(f->rules, GRAZE_CONTACT_SELF, a, b, checked, &f->error));
    f->now.self[a][b] = f->now.self[b][a] = checked;
}

static inline void set_world(fixture *f, int32_t a, int32_t k, bool checked) {
    must(f, graze_rules_set(f->rules, GRAZE_CONTACT_WORLD, a, k, checked, &f->error));
    f->now.world[a][k] = checked;
}

static inline int32_t pick_link(fixture *f) {
    for (;;) {
        int32_t link = (int32_t)pick(f, (size_t)f->links);
        if (has_geometry(f, link)) return link;
    }
}

static inline const char *source(const char *file) {
    static char path[3][512];
    static int turn;
    turn = (turn + 1) % 3;
    snprintf(path[turn], sizeof path[0], "%s/%s", GRAZE_SOURCE_DIR, file);
    return path[turn];
}

static inline void open_fixture(fixture *f, const char *urdf, const char *srdf, const char *world) {
    f->urdf = urdf;
    f->robot = load(f, srdf);
    f->links = (int32_t)graze_robot_link_count(f->robot);
    f->columns = graze_robot_q_size(f->robot);
    for (size_t i = 0; i < graze_robot_collision_count(f->robot); i++) {
        graze_geometry g;
        must(f, graze_robot_collision(f->robot, i, &g));
        f->has_geometry[g.owner] = true;
    }
    f->tree_pairs = SIZE_MAX;
    f->random = gz_random_make(7, 0);
    f->options = graze_checker_options_default();
    if (!world) return;
    must(f, graze_world_create(&f->world, "world", &f->error));
    must(f, graze_world_add_file(f->world, source(world), NULL, &f->error));
}

/// A cloud of points, which the filter leaves to the tree over the world.
static inline void add_points(fixture *f) {
    double points[300];
    for (int i = 0; i < 300; i++) points[i] = (double)pick(f, 2001) * 1e-3 - (i % 3 == 2 ? 0 : 1);
    must(f, graze_world_add_points(f->world, "cloud", points, 100, 0.02, NULL, &f->error));
}

static inline void begin(fixture *f) {
    if (f->world) must(f, graze_world_commit(f->world, &f->error));
    f->objects = f->world ? (int32_t)graze_world_object_count(f->world) : 0;
    assert_true(f->links <= LINKS && f->objects <= OBJECTS && f->columns <= LINKS);
    must(f,
         gz_checker_create(&f->checker, f->robot, f->world, &f->options, f->tree_pairs, &f->error));
    must(f, graze_workspace_create(&f->ws, f->checker, &f->error));
    must(f, graze_workspace_create(&f->other, f->checker, &f->error));
    must(f, graze_rules_create(&f->rules, f->checker, &f->error));
    graze_checker_pairs(f->checker, note_pair, &f->base);
    f->now = f->base;
}

static inline void end(fixture *f, const char *name) {
    print_message("%s: %zu collide, %zu are free, %zu out of the domain\n", name, f->collisions,
                  f->frees, f->errors);
    graze_rules_free(f->rules);
    graze_workspace_free(f->ws);
    graze_workspace_free(f->other);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    free(f);
}

static inline fixture *make(void) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    return f;
}

#endif
