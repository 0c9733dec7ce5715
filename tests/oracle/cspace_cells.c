// Certified maps against single checks: random configurations in cells that are proved free must be
// free, in cells that are proved colliding must collide; the middle of every sampled cell must have
// the verdict and the first pair of graze_check(). Half of the samples lie on a cell's border,
// where a bound that is too small shows first.
//
//     cspace_cells [--samples N] [--cells N] [--seed N] [--urdf FILE [--srdf FILE]] [--world FILE]
//                  [--joints A,B]
//
// Without --urdf: the robots and worlds that ship, over many pairs of joints, margins and policies.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "graze/graze.h"

typedef struct options {
    uint64_t samples, cells, seed;
    const char *urdf, *srdf, *world, *joints;
} options;

typedef struct scene {
    const char *urdf, *srdf, *world, *joints;
    double margin;
    graze_policy policy;
} scene;

/// What was looked at, and what was wrong.
typedef struct tally {
    uint64_t maps, cells, free_certified, colliding_certified;
    uint64_t free_samples, colliding_samples, middles, wrong;
    double seconds;
} tally;

static const scene shipped[] = {
    {"urdf/two_link.urdf", "urdf/two_link.srdf", "worlds/clutter.json",
     "shoulder_joint,elbow_joint", 0, GRAZE_POLICY_SOLID},
    {"urdf/six_axis.urdf", "urdf/six_axis.srdf", "worlds/table.json", "joint_2,joint_3", 0,
     GRAZE_POLICY_SOLID},
    {"urdf/six_axis.urdf", "urdf/six_axis.srdf", "worlds/cage.json", "joint_3,joint_5", 0.02,
     GRAZE_POLICY_SOLID},
    {"urdf/heron.urdf", "urdf/heron.srdf", "worlds/shelf.json",
     "shoulder_pan_joint,shoulder_lift_joint", 0, GRAZE_POLICY_SOLID},
    {"urdf/heron.urdf", "urdf/heron.srdf", "worlds/shelf.json", "torso_lift_joint,elbow_flex_joint",
     0, GRAZE_POLICY_SURFACE},
    {"urdf/heron.urdf", "urdf/heron.srdf", "worlds/kitchen.json",
     "shoulder_lift_joint,elbow_flex_joint", 0, GRAZE_POLICY_CAP},
    {"urdf/heron.urdf", "urdf/heron.srdf", "worlds/table.json",
     "wrist_flex_joint,l_gripper_finger_joint", 0, GRAZE_POLICY_SOLID},
    {"urdf/heron.urdf", "urdf/heron.srdf", NULL, "shoulder_lift_joint,elbow_flex_joint", 0,
     GRAZE_POLICY_SOLID},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "%s: %s\n", error->file, error->message);
    exit(3);
}

static const char *resolved(const char *path, char *buffer, size_t size) {
    if (path == NULL || path[0] == '/') return path;
    snprintf(buffer, size, "%s/%s", GRAZE_SOURCE_DIR, path);
    return buffer;
}

// ---------------------------------------------------------------------------------------- one map

typedef struct question {
    const scene *scene;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_cspace map;
    graze_cspace_summary summary;
    double *q;
    size_t q_size;
} question;

static void load(question *k, const scene *s) {
    char path[4096];
    graze_error error;
    k->scene = s;
    graze_load_options load_options = graze_load_options_default();
    char srdf[4096];
    load_options.srdf = resolved(s->srdf, srdf, sizeof srdf);
    load_options.use_environment = 1;
    must(graze_robot_load_urdf(&k->robot, resolved(s->urdf, path, sizeof path), &load_options,
                               &error),
         &error);
    if (s->world) {
        must(graze_world_create(&k->world, "world", &error), &error);
        must(graze_world_add_file(k->world, resolved(s->world, path, sizeof path), NULL, &error),
             &error);
        must(graze_world_commit(k->world, &error), &error);
    }
    graze_checker_options rules = graze_checker_options_default();
    if (s->margin > 0) rules.margin = s->margin;
    rules.policy = s->policy;
    must(graze_checker_create(&k->checker, k->robot, k->world, &rules, &error), &error);
    must(graze_workspace_create(&k->workspace, k->checker, &error), &error);
    k->q_size = graze_robot_q_size(k->robot);
    k->q = calloc(k->q_size, sizeof *k->q);
}

static void unload(question *k) {
    free(k->map.cells);
    free(k->q);
    graze_workspace_free(k->workspace);
    graze_checker_free(k->checker);
    graze_world_free(k->world);
    graze_robot_free(k->robot);
}

/// The rest of q: the robot's own for the first map, else anywhere in the limits.
static void decide(question *k, gz_random *random, bool own) {
    graze_robot_rest(k->robot, k->q);
    for (size_t i = 0; !own && i < k->q_size; i++) {
        graze_joint_info info;
        graze_robot_joint(k->robot, graze_robot_q_joint(k->robot, i), &info);
        if (info.type != GRAZE_JOINT_FLOATING)
            k->q[i] = info.limited ? gz_random_range(random, info.lower, info.upper)
                                   : gz_random_range(random, -3, 3);
    }
}

static void make_map(question *k, const options *o, tally *t) {
    char first[256];
    snprintf(first, sizeof first, "%s", k->scene->joints);
    char *comma = strchr(first, ',');
    if (!comma) exit(2);
    *comma = '\0';
    k->map = graze_cspace_default();
    k->map.columns[0] = graze_robot_find_q(k->robot, first);
    k->map.columns[1] = graze_robot_find_q(k->robot, comma + 1);
    k->map.width = (uint32_t)o->cells;
    k->map.height = (uint32_t)(o->cells * 3 / 4 + 1);
    k->map.q = k->q;
    k->map.certified = 1;
    k->map.threads = 0;
    k->map.cells = calloc((size_t)k->map.width * k->map.height, sizeof *k->map.cells);
    graze_error error;
    double start = now();
    must(graze_cspace_map(k->checker, &k->map, &k->summary, &error), &error);
    t->seconds += now() - start;
    t->maps++;
    t->cells += (uint64_t)k->map.width * k->map.height;
    t->free_certified += k->summary.free_certified;
    t->colliding_certified += k->summary.colliding_certified;
}

static graze_verdict query(question *k, double a, double b, graze_contact *contact) {
    k->q[k->map.columns[0]] = a;
    k->q[k->map.columns[1]] = b;
    graze_report report = {.contacts = contact, .capacity = 1};
    graze_error error;
    must(graze_check(k->checker, k->workspace, GRAZE_ANSWER_FIRST, k->q, k->q_size, NULL, &report,
                     &error),
         &error);
    return report.verdict;
}

/// The value at a fraction of the range.
static double value(const question *k, int side, double place) {
    uint32_t count = side == 0 ? k->map.width : k->map.height;
    double low = k->summary.ranges[side][0], high = k->summary.ranges[side][1];
    return low + place * (high - low) / count;
}

static void fault(question *k, tally *t, const char *what, double a, double b) {
    if (t->wrong++ < 10)
        fprintf(stderr, "%s %s %s: %s at %.17g %.17g\n", k->scene->urdf,
                k->scene->world ? k->scene->world : "-", k->scene->joints, what, a, b);
}

static double within(gz_random *random) {
    switch (gz_random_below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return 1;
    default:
        return gz_random_unit(random);
    }
}

static void sample(question *k, gz_random *random, tally *t) {
    uint32_t x = (uint32_t)gz_random_below(random, k->map.width);
    uint32_t y = (uint32_t)gz_random_below(random, k->map.height);
    const graze_cspace_cell *cell = &k->map.cells[(size_t)y * k->map.width + x];
    graze_contact contact;
    if (cell->state == GRAZE_CSPACE_FREE || cell->state == GRAZE_CSPACE_COLLIDING ||
        gz_random_below(random, 8) == 0) {
        double a = value(k, 0, x + 0.5), b = value(k, 1, y + 0.5);
        bool hit = query(k, a, b, &contact) == GRAZE_COLLISION;
        bool said = cell->state == GRAZE_CSPACE_COLLIDING ||
                    cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED;
        t->middles++;
        if (hit != said) fault(k, t, "a middle has another verdict", a, b);
        if (hit && said &&
            (contact.link != cell->link || contact.other != cell->other ||
             (uint8_t)contact.kind != cell->kind))
            fault(k, t, "a middle has another first pair", a, b);
        return;
    }
    double a = value(k, 0, x + within(random)), b = value(k, 1, y + within(random));
    bool hit = query(k, a, b, &contact) == GRAZE_COLLISION;
    if (cell->state == GRAZE_CSPACE_FREE_CERTIFIED) {
        t->free_samples++;
        if (hit) fault(k, t, "a collision in a cell proved free", a, b);
    } else {
        t->colliding_samples++;
        if (!hit) fault(k, t, "free in a cell proved colliding", a, b);
    }
}

// ---------------------------------------------------------------------------------------- the
// whole

static void run_scene(const scene *s, const options *o, uint64_t samples, gz_random *random,
                      tally *sum) {
    tally t = {0};
    for (uint64_t pass = 0; pass == 0 || t.free_samples + t.colliding_samples + t.middles < samples;
         pass++) {
        question k = {0};
        load(&k, s);
        decide(&k, random, pass == 0);
        make_map(&k, o, &t);
        for (uint64_t i = 0; i < samples / 4 + 1; i++) sample(&k, random, &t);
        unload(&k);
    }
    printf("%-20s %-20s %-40s %8llu cells: %4.1f %% free and %4.1f %% colliding certified; samples "
           "%llu free, %llu colliding, %llu middles; %.2f s; wrong %llu\n",
           s->urdf + (strlen(s->urdf) > 20 ? strlen(s->urdf) - 20 : 0),
           s->world ? s->world + (strlen(s->world) > 20 ? strlen(s->world) - 20 : 0) : "-",
           s->joints, (unsigned long long)t.cells, 100 * (double)t.free_certified / (double)t.cells,
           100 * (double)t.colliding_certified / (double)t.cells,
           (unsigned long long)t.free_samples, (unsigned long long)t.colliding_samples,
           (unsigned long long)t.middles, t.seconds, (unsigned long long)t.wrong);
    sum->wrong += t.wrong;
    sum->maps += t.maps;
    sum->free_samples += t.free_samples;
    sum->colliding_samples += t.colliding_samples;
    sum->middles += t.middles;
}

static bool parse(options *o, int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--samples"))
            o->samples = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--cells"))
            o->cells = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--seed"))
            o->seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--urdf"))
            o->urdf = argv[i + 1];
        else if (!strcmp(argv[i], "--srdf"))
            o->srdf = argv[i + 1];
        else if (!strcmp(argv[i], "--world"))
            o->world = argv[i + 1];
        else if (!strcmp(argv[i], "--joints"))
            o->joints = argv[i + 1];
        else
            return false;
    }
    return argc % 2 == 1 && o->cells >= 1 && o->cells <= 8192 && (!o->urdf || o->joints);
}

int main(int argc, char **argv) {
    options o = {.samples = 1000000, .cells = 128, .seed = 1};
    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "usage: cspace_cells [--samples N] [--cells N] [--seed N] [--urdf FILE "
                        "--joints A,B [--srdf FILE] [--world FILE]]\n");
        return 2;
    }
    gz_random random = gz_random_make(o.seed, 0);
    tally sum = {0};
    if (o.urdf) {
        scene own = {o.urdf, o.srdf, o.world, o.joints, 0, GRAZE_POLICY_SOLID};
        run_scene(&own, &o, o.samples, &random, &sum);
    } else {
        size_t count = sizeof shipped / sizeof *shipped;
        for (size_t i = 0; i < count; i++)
            run_scene(&shipped[i], &o, o.samples / count, &random, &sum);
    }
    printf("%llu maps, %llu samples in cells proved free, %llu in cells proved colliding, %llu "
           "middles; wrong: %llu\n",
           (unsigned long long)sum.maps, (unsigned long long)sum.free_samples,
           (unsigned long long)sum.colliding_samples, (unsigned long long)sum.middles,
           (unsigned long long)sum.wrong);
    return sum.wrong > 0;
}
