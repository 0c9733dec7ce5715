// The shipped robot under margins: one pair of links moved by the joints between them, against the
// oracle; and whole checks, asked in every way and under growing margins.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "margins.h"
#include "posed_mesh.h"
#include "test_robot.h"

static const struct row {
    const char *name, *a, *b; ///< links; NULL: whole checks
} rows[] = {
    {"robot: heron forearm, base, by joints", "base_link", "forearm_roll_link"},
    {"robot: heron gripper, torso, by joints", "torso_fixed_link", "gripper_link"},
    {"robot: heron in the shelf, ways to ask", NULL, NULL},
};

const char *margin_robot_name(size_t row) {
    return row < sizeof rows / sizeof *rows ? rows[row].name : NULL;
}

enum { CONTACTS = 256, BATCH = 24 };

typedef struct scene {
    margin_family family;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    size_t width;
    double *q, *from, *to;
    graze_contact contacts[CONTACTS];
    graze_report report;
    // Of rows about one pair.
    rational_distance *distance;
    int32_t a, b;
    graze_geometry geometry[2];
    posed_mesh posed[2];
    graze_transform *links;
    double margin;
} scene;

static void open_checker(scene *s, const graze_checker_options *options) {
    graze_error error;
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    if (graze_checker_create(&s->checker, s->robot, s->world, options, &error) ||
        graze_workspace_create(&s->ws, s->checker, &error))
        give_up("checker", error.message);
}

static void check(scene *s, graze_answer answer) {
    graze_error error;
    s->report = (graze_report){.contacts = s->contacts, .capacity = CONTACTS};
    if (graze_check(s->checker, s->ws, answer, s->q, s->width, NULL, &s->report, &error))
        give_up("check", error.message);
}

static void close_scene(scene *s) {
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
    rational_distance_free(s->distance);
    free(s->q);
    free(s->from);
    free(s->to);
    free(s->links);
}

static void open_scene(scene *s, gz_random *random) {
    *s = (scene){.family = {.random = random}, .robot = test_robot_load("heron")};
    s->width = graze_robot_q_size(s->robot);
    s->q = allocate(s->width, sizeof *s->q);
    s->from = allocate(s->width, sizeof *s->from);
    s->to = allocate(s->width, sizeof *s->to);
    s->links = allocate(graze_robot_link_count(s->robot), sizeof *s->links);
    s->distance = rational_distance_create();
}

// ------------------------------------------------------------------------- one pair, by its joints

// Boxes (low, high) farther apart than the margin along a coordinate, beyond any rounding.
static bool boxes_farther(const double a[6], const double b[6], double margin) {
    for (int k = 0; k < 3; k++)
        if (a[k] - b[3 + k] > margin + 1e-11 || b[k] - a[3 + k] > margin + 1e-11) return true;
    return false;
}

static bool oracle_near(scene *s) {
    graze_error error;
    if (graze_robot_pose(s->robot, s->q, s->width, NULL, s->links, &error))
        give_up("pose", error.message);
    for (int i = 0; i < 2; i++) posed_mesh_place(&s->posed[i], &s->links[s->geometry[i].frame]);
    for (size_t i = 0; i < s->posed[0].triangle_count; i++)
        for (size_t j = 0; j < s->posed[1].triangle_count; j++) {
            const double *box = s->posed[0].boxes + 6 * i;
            if (j % POSED_BLOCK == 0 &&
                boxes_farther(box, s->posed[1].blocks + 6 * (j / POSED_BLOCK), s->margin)) {
                j += POSED_BLOCK - 1;
                continue;
            }
            double a[9], b[9];
            posed_mesh_corners(&s->posed[0], i, a);
            posed_mesh_corners(&s->posed[1], j, b);
            if (!margin_surely_farther(a, b, s->margin) &&
                rational_distance_within(s->distance, a, b, &s->margin, 1))
                return true;
        }
    return false;
}

static bool engine_near(scene *s) {
    check(s, GRAZE_ANSWER_ALL);
    for (size_t i = 0; i < s->report.count && i < CONTACTS; i++)
        if (s->contacts[i].kind == GRAZE_CONTACT_SELF && s->contacts[i].link == s->a &&
            s->contacts[i].other == s->b && !s->contacts[i].contained)
            return true;
    return false;
}

static bool evaluate(margin_family *family, double x, margin_tally *tally) {
    scene *s = (scene *)family;
    for (size_t i = 0; i < s->width; i++) s->q[i] = s->from[i] + x * (s->to[i] - s->from[i]);
    bool near = oracle_near(s), mine = engine_near(s);
    if (mine != near) {
        printf("violation: margin %a: graze %s, oracle %s at", s->margin, mine ? "near" : "far",
               near ? "near" : "far");
        for (size_t i = 0; i < s->width; i++) printf(" %a", s->q[i]);
        printf("\n");
    }
    tally->collisions += mine;
    tally->exact += s->report.stats.exact_tests != 0;
    tally->violations += mine != near;
    return near;
}

// Draws until the engine calls the pair near, or far.
static void draw(scene *s, bool near, double *out) {
    for (int tries = 0; tries < 100000; tries++) {
        test_robot_draw(s->robot, s->family.random, s->q);
        if (engine_near(s) != near) continue;
        memcpy(out, s->q, s->width * sizeof *out);
        return;
    }
    give_up("robot", "the pair is never near, or always");
}

static void run_pair(scene *s, const struct row *row, uint64_t pairs, margin_tally *tally) {
    s->family.evaluate = evaluate;
    s->a = graze_robot_find_link(s->robot, row->a);
    s->b = graze_robot_find_link(s->robot, row->b);
    const char *names[2] = {row->a, row->b};
    for (int i = 0; i < 2; i++) {
        s->geometry[i] = test_robot_mesh(s->robot, names[i]);
        const graze_geometry *g = &s->geometry[i];
        posed_mesh_init(&s->posed[i], g->vertices, g->vertex_count, g->triangles,
                        g->triangle_count);
    }
    while (tally->pairs < pairs) {
        s->margin = margin_draw(s->family.random) * 0.1;
        graze_pair_margin pair = {row->b, row->a, s->margin};
        graze_checker_options options = graze_checker_options_default();
        options.margins = &pair;
        options.margin_count = 1;
        open_checker(s, &options);
        s->margin = fmax(s->margin, graze_checker_epsilon(s->checker));
        draw(s, true, s->from);
        draw(s, false, s->to);
        margin_bisect(&s->family, 0, 1, tally);
    }
    for (int i = 0; i < 2; i++) posed_mesh_clear(&s->posed[i]);
}

// ------------------------------------------------------------------------------------ ways to ask

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->triangle == b->triangle && a->other_triangle == b->other_triangle &&
           memcmp(a->segment, b->segment, sizeof a->segment) == 0;
}

// What a whole check says, as a set.
typedef struct pair_set {
    int32_t kind[CONTACTS], link[CONTACTS], other[CONTACTS];
    size_t count;
} pair_set;

static bool holds(const pair_set *set, int32_t kind, int32_t link, int32_t other) {
    for (size_t i = 0; i < set->count; i++)
        if (set->kind[i] == kind && set->link[i] == link && set->other[i] == other) return true;
    return false;
}

// Every answer of one checker for all rows; violations where they differ. Fills the sets.
static uint64_t query_all(scene *s, const double *q, pair_set *sets, margin_tally *tally) {
    uint64_t violations = 0;
    uint8_t any[BATCH], first[BATCH];
    graze_contact contacts[BATCH];
    graze_batch batch = graze_batch_default();
    batch.count = BATCH;
    batch.q = q;
    batch.verdicts = any;
    graze_error error;
    if (graze_check_batch(s->checker, &batch, &error)) give_up("batch", error.message);
    batch.answer = GRAZE_ANSWER_FIRST;
    batch.threads = 3;
    batch.verdicts = first;
    batch.contacts = contacts;
    if (graze_check_batch(s->checker, &batch, &error)) give_up("batch", error.message);
    for (size_t row = 0; row < BATCH; row++) {
        memcpy(s->q, q + row * s->width, s->width * sizeof *s->q);
        check(s, GRAZE_ANSWER_ANY);
        graze_verdict one = s->report.verdict;
        check(s, GRAZE_ANSWER_FIRST);
        bool good = one == s->report.verdict && one == any[row] && one == first[row];
        if (one == GRAZE_COLLISION) good = good && same_contact(&s->contacts[0], &contacts[row]);
        check(s, GRAZE_ANSWER_ALL);
        good = good && one == s->report.verdict && s->report.count <= CONTACTS;
        if (one == GRAZE_COLLISION) good = good && same_contact(&s->contacts[0], &contacts[row]);
        sets[row].count = s->report.count;
        for (size_t i = 0; i < s->report.count && i < CONTACTS; i++) {
            sets[row].kind[i] = (int32_t)s->contacts[i].kind;
            sets[row].link[i] = s->contacts[i].link;
            sets[row].other[i] = s->contacts[i].other;
        }
        if (!good) printf("violation: two ways to ask differ in row %zu\n", row);
        violations += !good;
        tally->pairs++;
        tally->collisions += one == GRAZE_COLLISION;
        tally->exact += s->report.stats.exact_tests != 0;
    }
    return violations;
}

static void run_checks(scene *s, uint64_t pairs, margin_tally *tally) {
    const char *path = GRAZE_SOURCE_DIR "/worlds/shelf.json";
    graze_error error;
    if (graze_world_create(&s->world, "shelf", &error) ||
        graze_world_add_file(s->world, path, NULL, &error) || graze_world_commit(s->world, &error))
        give_up(path, error.message);
    double *q = allocate(BATCH * s->width, sizeof *q);
    pair_set *sets = allocate(BATCH, sizeof *sets), *before = allocate(BATCH, sizeof *before);
    static const double margins[] = {0, 1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.05};
    while (tally->pairs < pairs) {
        for (size_t i = 0; i < BATCH; i++)
            test_robot_draw(s->robot, s->family.random, q + i * s->width);
        for (size_t m = 0; m < sizeof margins / sizeof *margins; m++) {
            graze_pair_margin given[2] = {{"gripper_link", NULL, 2 * margins[m]},
                                          {"forearm_roll_link", "base_link", 3 * margins[m]}};
            graze_checker_options options = graze_checker_options_default();
            options.margin = margins[m];
            options.margins = given;
            options.margin_count = 2;
            open_checker(s, &options);
            tally->violations += query_all(s, q, sets, tally);
            for (size_t i = 0; m && i < BATCH; i++)
                for (size_t k = 0; k < before[i].count; k++)
                    if (!holds(&sets[i], before[i].kind[k], before[i].link[k],
                               before[i].other[k])) {
                        printf("violation: free at margin %g, not at a smaller one\n", margins[m]);
                        tally->violations++;
                    }
            memcpy(before, sets, BATCH * sizeof *sets);
        }
    }
    free(q);
    free(sets);
    free(before);
}

void margin_robot_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally) {
    gz_random random = gz_random_make(seed, 3000 + row);
    scene s;
    open_scene(&s, &random);
    if (rows[row].a)
        run_pair(&s, &rows[row], pairs, tally);
    else
        run_checks(&s, pairs, tally);
    close_scene(&s);
}
