// Poses from outside: graze_check_posed() with the poses that graze_robot_pose() makes of q,
// against graze_check() for that q. Verdicts of GRAZE_ANSWER_ANY, and all contacts bit for bit, for
// robots in their worlds, at rest bases and moved ones, with and without a margin.
//
// usage: posed_verdicts [--configurations N] [--seed N]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/graze.h"
#include "test_robot.h"

enum { CONTACTS = 128, LINKS = 256, COLUMNS = 128 };

typedef struct tally {
    uint64_t configurations, colliding, contacts, wrong;
} tally;

typedef struct subject {
    const char *name;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checkers[2]; ///< without and with a margin
    graze_workspace *asked[2], *posed[2];
} subject;

static void must(const char *what, graze_status status, const graze_error *error) {
    if (!status) return;
    fprintf(stderr, "posed_verdicts: %s: %s\n", what, error->message);
    exit(3);
}

/// False where the robot belongs to test data and there are none.
static bool open_subject(subject *s, const char *robot, const char *world) {
    graze_error e;
    *s = (subject){.name = robot, .robot = test_robot_load(robot)};
    if (!s->robot) return false;
    must("world", graze_world_create(&s->world, world, &e), &e);
    must(world, graze_world_add_file(s->world, test_path(GRAZE_SOURCE_DIR, world), NULL, &e), &e);
    must("world", graze_world_commit(s->world, &e), &e);
    for (int i = 0; i < 2; i++) {
        graze_checker_options options = graze_checker_options_default();
        options.margin = i ? 0.02 : 0;
        must("checker", graze_checker_create(&s->checkers[i], s->robot, s->world, &options, &e),
             &e);
        must("workspace", graze_workspace_create(&s->asked[i], s->checkers[i], &e), &e);
        must("workspace", graze_workspace_create(&s->posed[i], s->checkers[i], &e), &e);
    }
    return true;
}

static void close_subject(subject *s) {
    for (int i = 0; i < 2; i++) {
        graze_workspace_free(s->asked[i]);
        graze_workspace_free(s->posed[i]);
        graze_checker_free(s->checkers[i]);
    }
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static bool same(const graze_report *a, const graze_report *b) {
    if (a->verdict != b->verdict || a->count != b->count) return false;
    size_t known = a->count < CONTACTS ? a->count : CONTACTS;
    return known == 0 || memcmp(a->contacts, b->contacts, known * sizeof *a->contacts) == 0;
}

static void compare(tally *t, const subject *s, int which, const double *q, const double *base) {
    static graze_contact contacts[2][CONTACTS];
    const size_t columns = graze_robot_q_size(s->robot), links = graze_robot_link_count(s->robot);
    graze_transform poses[LINKS];
    graze_error e;
    must("pose", graze_robot_pose(s->robot, q, columns, base, poses, &e), &e);
    graze_report asked = {.contacts = contacts[0], .capacity = CONTACTS};
    graze_report posed = {.contacts = contacts[1], .capacity = CONTACTS}, any[2] = {0};
    memset(contacts, 0, sizeof contacts);
    const graze_checker *c = s->checkers[which];
    must("check", graze_check(c, s->asked[which], GRAZE_ANSWER_ALL, q, columns, base, &asked, &e),
         &e);
    must("check posed",
         graze_check_posed(c, s->posed[which], GRAZE_ANSWER_ALL, poses, links, &posed, &e), &e);
    must("check", graze_check(c, s->asked[which], GRAZE_ANSWER_ANY, q, columns, base, &any[0], &e),
         &e);
    must("check posed",
         graze_check_posed(c, s->posed[which], GRAZE_ANSWER_ANY, poses, links, &any[1], &e), &e);
    bool right = same(&asked, &posed) && any[0].verdict == asked.verdict &&
                 any[1].verdict == asked.verdict;
    t->configurations++;
    t->colliding += asked.verdict == GRAZE_COLLISION;
    t->contacts += asked.count;
    if (!right && t->wrong++ < 10)
        printf("WRONG: configuration %llu, %s, margin %d: verdicts %d %d %d %d, contacts %zu %zu\n",
               (unsigned long long)t->configurations, s->name, which, (int)asked.verdict,
               (int)posed.verdict, (int)any[0].verdict, (int)any[1].verdict, asked.count,
               posed.count);
}

int main(int argc, char **argv) {
    uint64_t configurations = 3000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--configurations") == 0)
            configurations = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else
            return 2;
    }
    static const char *const names[][2] = {{"heron", "worlds/shelf.json"},
                                           {"fetch", "worlds/clutter.json"},
                                           {"panda", "worlds/table.json"},
                                           {"ur5", "worlds/cage.json"}};
    subject subjects[4];
    size_t count = 0;
    for (size_t i = 0; i < 4; i++)
        count += open_subject(&subjects[count], names[i][0], names[i][1]);
    gz_random random = gz_random_make(seed, 0);
    tally t = {0};
    for (uint64_t i = 0; i < configurations; i++) {
        const subject *s = &subjects[i % count];
        double q[COLUMNS], base[6];
        if (graze_robot_q_size(s->robot) > COLUMNS || graze_robot_link_count(s->robot) > LINKS)
            return 3;
        test_robot_draw(s->robot, &random, q);
        for (int k = 0; k < 6; k++) base[k] = gz_random_range(&random, -1, 1) * (k < 3 ? 1 : 3);
        compare(&t, s, (int)(i / count % 2), q, i / count % 3 ? base : NULL);
    }
    printf("%llu configurations of %zu robots, %llu in collision, %llu contacts; %llu wrong\n",
           (unsigned long long)t.configurations, count, (unsigned long long)t.colliding,
           (unsigned long long)t.contacts, (unsigned long long)t.wrong);
    for (size_t i = 0; i < count; i++) close_subject(&subjects[i]);
    return t.wrong ? 1 : 0;
}
