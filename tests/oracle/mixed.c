// Small random robots in small random worlds, asked about in every way, against arithmetic that
// shares no code with the engine.
//
//   mixed [--rows N] [--seed S] [--only TEXT] [--case N]
//
// A case is a robot, a world and rules; its rows are configurations, most of them next to where
// some pair of parts begins to touch, to hold or to come within a margin of the other. Every
// violation names seed and case; --case N runs that one alone. Exits with 1 on any violation.

#include <inttypes.h>
#include <stdio.h>

#include "mixed.h"

enum { ROWS_OF_CASE = 8, SHAPE_TRIANGLES_MOST = 400 };

static const char *const family_names[MIXED_FAMILIES] = {"plain",  "caps",  "sheets", "specks",
                                                         "chains", "walls", "curved", "sizes"};

typedef struct campaign {
    uint64_t rows, seed, only_case;
    const char *only;
    solid_shape *shapes;
    size_t shape_count, small_count; ///< the small ones come first
    mixed_tally tallies[MIXED_FAMILIES];
} campaign;

static void sort_shapes(campaign *c) {
    c->shapes = solid_shapes_make(&c->shape_count);
    for (size_t i = 0; i < c->shape_count; i++) {
        if (c->shapes[i].mesh.nt > SHAPE_TRIANGLES_MOST) continue;
        solid_shape swap = c->shapes[c->small_count];
        c->shapes[c->small_count++] = c->shapes[i];
        c->shapes[i] = swap;
    }
}

static void run_case(campaign *c, uint64_t number, mixed_family family) {
    char where[128];
    gz_random random = gz_random_make(c->seed, number);
    mixed_scene scene;
    mixed_truth truth;
    mixed_rows rows;
    graze_checker *checker;
    graze_error error;
    snprintf(where, sizeof where, "%s, --seed %" PRIu64 " --case %" PRIu64, family_names[family],
             c->seed, number);
    mixed_scene_create(&scene, &random, family, c->shapes, c->small_count);
    if (graze_checker_create(&checker, scene.robot, scene.world, &scene.options, &error))
        give_up(where, error.message);
    mixed_truth_init(&truth, checker, c->seed + number);
    mixed_rows_draw(&rows, &scene, &truth, &random, ROWS_OF_CASE);
    if (rows.count) mixed_questions_run(&scene, &truth, &rows, &random, where, &c->tallies[family]);
    mixed_rows_clear(&rows);
    mixed_truth_clear(&truth);
    graze_checker_free(checker);
    mixed_scene_clear(&scene);
}

static void add(mixed_tally *sum, const mixed_tally *t) {
    sum->rows += t->rows;
    sum->collide += t->collide;
    sum->contained += t->contained;
    sum->caps += t->caps;
    sum->either += t->either;
    sum->lanes += t->lanes;
    sum->apart += t->apart;
    sum->meeting += t->meeting;
    sum->violations += t->violations;
}

static void print_row(const char *name, const mixed_tally *t) {
    printf("%-8s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %10" PRIu64
           " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
           name, t->rows, t->collide, t->contained, t->caps, t->either, t->lanes, t->apart,
           t->meeting, t->violations);
}

static void print_table(const campaign *c) {
    mixed_tally sum = {0};
    printf("%-8s %9s %9s %9s %9s %9s %10s %10s %10s %10s\n", "scenes", "rows", "collide",
           "contained", "by caps", "either", "lane apart", "by proxies", "met", "violations");
    for (int i = 0; i < MIXED_FAMILIES; i++) {
        add(&sum, &c->tallies[i]);
        if (c->tallies[i].rows) print_row(family_names[i], &c->tallies[i]);
    }
    print_row("all", &sum);
}

static bool read_words(campaign *c, int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) return false;
        if (!strcmp(argv[i], "--rows")) {
            c->rows = strtoull(argv[i + 1], NULL, 10);
        } else if (!strcmp(argv[i], "--seed")) {
            c->seed = strtoull(argv[i + 1], NULL, 10);
        } else if (!strcmp(argv[i], "--case")) {
            c->only_case = strtoull(argv[i + 1], NULL, 10);
        } else if (!strcmp(argv[i], "--only")) {
            c->only = argv[i + 1];
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    campaign c = {.rows = 20000, .seed = 1, .only_case = UINT64_MAX};
    if (!read_words(&c, argc, argv)) {
        fprintf(stderr, "usage: mixed [--rows N] [--seed N] [--only TEXT] [--case N]\n");
        return 2;
    }
    sort_shapes(&c);
    uint64_t done = 0, violations = 0, collide = 0;
    for (uint64_t number = 0; done < c.rows; number++) {
        mixed_family family = (mixed_family)(number % MIXED_FAMILIES);
        if (c.only && !strstr(family_names[family], c.only)) {
            if (number > 64 && done == 0) break;
            continue;
        }
        if (c.only_case != UINT64_MAX && number < c.only_case) continue;
        uint64_t before = c.tallies[family].rows;
        run_case(&c, number, family);
        done += c.tallies[family].rows - before;
        if (c.only_case != UINT64_MAX) break;
    }
    print_table(&c);
    for (int i = 0; i < MIXED_FAMILIES; i++) {
        violations += c.tallies[i].violations;
        collide += c.tallies[i].collide;
    }
    solid_shapes_free(c.shapes, c.shape_count);
    // A campaign that never meets a collision would prove nothing.
    return violations != 0 || (collide == 0 && c.only_case == UINT64_MAX);
}
