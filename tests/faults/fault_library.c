/// The library's part of the scenarios: each calls it as a program would, prints what it finds, and
/// breaks (FAULT_EXIT_BROKEN) where a call that failed hands something out.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/faults.h"
#include "graze/graze.h"

enum { BATCH = 600, MAP = 12, CONTACTS = 16 };

static const double colliding[3] = {0, -1, 0}; ///< of the gantry: travel, lift, turn

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_error error;
    bool broken; ///< a call that failed handed something out
} scene;

static bool broken(const char *what) {
    fprintf(stderr, "broken: %s\n", what);
    return false;
}

/// Whether a call was good; one that was not must have left no output and an error that says so.
static bool is_good(scene *s, graze_status status, const void *output) {
    if (status == GRAZE_OK) return true;
    if (output) s->broken = !broken("a call that failed handed something out");
    if (s->error.status != status || !s->error.message[0])
        s->broken = !broken("the error is not that of the status");
    return false;
}

static int end(scene *s, bool good) {
    graze_workspace_free(s->workspace);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
    if (s->broken) return FAULT_EXIT_BROKEN;
    if (good) return 0;
    fprintf(stderr, "library: %s\n", s->error.message);
    graze_status status = s->error.status;
    if (status == GRAZE_ERROR_CANCELLED) return 130;
    return status == GRAZE_ERROR_NO_MEMORY || status == GRAZE_ERROR_LIMIT ? 4 : 3;
}

// ------------------------------------------------------------------------------------------ parts

static graze_load_options options_for(const char *srdf, bool by_assimp) {
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.visuals = GRAZE_VISUALS_SKIP;
    options.importer = by_assimp ? GRAZE_IMPORTER : NULL;
    return options;
}

static bool load_robot(scene *s, const char *path, const char *srdf) {
    graze_load_options options = options_for(srdf, false);
    graze_status status = graze_robot_load_urdf(&s->robot, path, &options, &s->error);
    return is_good(s, status, s->robot);
}

/// A world with what the file holds; one that cannot be read must leave the world as it was.
static bool load_world(scene *s, const char *path, bool by_assimp) {
    graze_load_options options = options_for(NULL, by_assimp);
    if (!is_good(s, graze_world_create(&s->world, "made", &s->error), s->world)) return false;
    const double size[3] = {1, 1, 1};
    const graze_transform far = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 50}};
    graze_status status = graze_world_add_box(s->world, "far", size, &far, &s->error);
    if (!is_good(s, status, NULL)) return false;
    status = graze_world_add_file(s->world, path, &options, &s->error);
    if (status != GRAZE_OK && graze_world_object_count(s->world) != 1)
        s->broken = !broken("a file that could not be read changed the world");
    return is_good(s, status, NULL) && is_good(s, graze_world_commit(s->world, &s->error), NULL);
}

static bool make_checker(scene *s, const graze_checker_options *options) {
    graze_status status = graze_checker_create(&s->checker, s->robot, s->world, options, &s->error);
    if (!is_good(s, status, s->checker)) return false;
    status = graze_workspace_create(&s->workspace, s->checker, &s->error);
    return is_good(s, status, s->workspace);
}

/// Prints every contact of a configuration.
static bool print_contacts(scene *s, const double *q) {
    graze_contact contacts[CONTACTS];
    graze_report report = {.contacts = contacts, .capacity = CONTACTS};
    graze_status status = graze_check(s->checker, s->workspace, GRAZE_ANSWER_ALL, q,
                                      graze_robot_q_size(s->robot), NULL, &report, &s->error);
    if (status != GRAZE_OK && report.verdict != GRAZE_UNKNOWN)
        s->broken = !broken("a check that failed has a verdict");
    if (!is_good(s, status, NULL)) return false;
    printf("verdict %d, %zu contacts\n", (int)report.verdict, report.count);
    for (size_t i = 0; i < report.count && i < CONTACTS; i++)
        printf("%s %s %.17g\n", graze_contact_link_name(s->checker, &contacts[i]),
               graze_contact_other_name(s->checker, &contacts[i]), contacts[i].point.z);
    return true;
}

// -------------------------------------------------------------------------------------- scenarios

static bool run_robot(scene *s, char **argv) {
    if (!load_robot(s, argv[0], argv[1])) return false;
    printf("%s: %d links, %zu columns, %zu pairs, %zu states, %zu margins, %zu warnings\n",
           graze_robot_name(s->robot), (int)graze_robot_link_count(s->robot),
           graze_robot_q_size(s->robot), graze_robot_pair_count(s->robot),
           graze_robot_state_count(s->robot), graze_robot_margin_count(s->robot),
           graze_robot_warning_count(s->robot));
    if (!make_checker(s, NULL)) return false;
    double q[64] = {0};
    if (graze_robot_q_size(s->robot) <= 64) graze_robot_rest(s->robot, q);
    return print_contacts(s, q);
}

static bool run_world(scene *s, char **argv) {
    bool by_assimp = argv[1] && strcmp(argv[1], "by-assimp") == 0;
    if (!load_robot(s, "../in/gantry.urdf", NULL) || !load_world(s, argv[0], by_assimp) ||
        !make_checker(s, NULL))
        return false;
    for (size_t i = 0; i < graze_world_object_count(s->world); i++) {
        graze_geometry g;
        if (graze_world_object(s->world, i, &g) == GRAZE_OK)
            printf("%s: shape %d, %zu triangles, %zu points\n", g.name, (int)g.shape,
                   g.triangle_count, graze_geometry_point_count(&g));
    }
    return print_contacts(s, (const double[3]){0, 0, 0}) && print_contacts(s, colliding);
}

/// Rules of every kind on one checker.
static bool run_rules(scene *s, char **argv) {
    (void)argv;
    const graze_allowed_pair allowed[] = {{"slab", "tong"}, {"hook", "post"}};
    const graze_pair_margin margins[] = {{"hook", NULL, 0.5}, {"slab", "jaw", 0.125}};
    const graze_name_policy policies[] = {{"wedge", GRAZE_POLICY_CAP},
                                          {"hook", GRAZE_POLICY_SURFACE}};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = allowed;
    options.allowed_count = 2;
    options.margin = 0.0625;
    options.margins = margins;
    options.margin_count = 2;
    options.policies = policies;
    options.policy_count = 2;
    return load_robot(s, "../in/gantry.urdf", "../in/gantry_margins.srdf") &&
           load_world(s, "../in/room.json", false) && make_checker(s, &options) &&
           print_contacts(s, colliding);
}

/// Rows of which every other one collides: none of them may ever be called free.
static bool run_batch(scene *s, char **argv) {
    if (!load_robot(s, "../in/gantry.urdf", NULL) || !load_world(s, "../in/room.json", false) ||
        !make_checker(s, NULL))
        return false;
    static double q[BATCH][3];
    static uint8_t verdicts[BATCH];
    for (size_t i = 0; i < BATCH; i++) {
        q[i][1] = i % 2 ? -1 : 0;
        verdicts[i] = GRAZE_FREE; // what a call that writes nothing leaves
    }
    graze_batch batch = graze_batch_default();
    batch.threads = (uint32_t)strtoul(argv[0], NULL, 10);
    batch.count = BATCH;
    batch.q = &q[0][0];
    batch.answer = argv[1] ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_ANY;
    batch.verdicts = verdicts;
    graze_status status = graze_check_batch(s->checker, &batch, &s->error);
    size_t collisions = 0;
    for (size_t i = 0; i < BATCH; i++) {
        collisions += verdicts[i] == GRAZE_COLLISION;
        if (verdicts[i] == GRAZE_UNKNOWN ? status == GRAZE_OK : verdicts[i] != i % 2)
            s->broken = !broken("a row has a verdict that is not its own");
    }
    if (!is_good(s, status, NULL)) return false;
    printf("%zu of %d collide\n", collisions, (int)BATCH);
    return true;
}

static bool print_explanation(const graze_explanation *e, void *user) {
    const graze_checker *checker = user;
    printf("%d %d %d %d %s\n", e->link, e->other, (int)e->stage, e->collides,
           e->collides ? graze_contact_other_name(checker, &e->contact) : e->reason);
    return true;
}

static bool run_explain(scene *s, char **argv) {
    (void)argv;
    if (!load_robot(s, "../in/gantry.urdf", "../in/gantry.srdf") ||
        !load_world(s, "../in/room.json", false) || !make_checker(s, NULL))
        return false;
    graze_status status = graze_check_explain(s->checker, s->workspace, colliding, 3, NULL,
                                              print_explanation, s->checker, &s->error);
    return is_good(s, status, NULL);
}

static bool run_map(scene *s, char **argv) {
    (void)argv;
    if (!load_robot(s, "../in/gantry.urdf", NULL) || !load_world(s, "../in/room.json", false) ||
        !make_checker(s, NULL))
        return false;
    static graze_cspace_cell cells[MAP * MAP];
    graze_cspace map = graze_cspace_default();
    map.threads = 2;
    map.columns[0] = 0;
    map.columns[1] = 1;
    map.width = map.height = MAP;
    map.certified = 1;
    map.cells = cells;
    graze_cspace_summary summary;
    graze_status status = graze_cspace_map(s->checker, &map, &summary, &s->error);
    if (!is_good(s, status, NULL)) return false;
    for (size_t i = 0; i < MAP * MAP; i++)
        printf("%d%s", cells[i].state, (i + 1) % MAP ? " " : "\n");
    return true;
}

static bool run_plan(scene *s, char **argv) {
    (void)argv;
    if (!load_robot(s, "../in/gantry.urdf", NULL) || !load_world(s, "../in/room.json", false) ||
        !make_checker(s, NULL))
        return false;
    const double start[3] = {-2, 0, 0}, goal[3] = {0.5, 0.25, 1};
    graze_plan_options options = graze_plan_options_default();
    options.threads = 2;
    options.max_seconds = 1e9; // a busy machine must not end it
    graze_plan_result result;
    graze_status status = graze_plan(s->checker, start, NULL, goal, NULL, &options, &result,
                                     &s->error);
    bool good = is_good(s, status, status == GRAZE_OK ? NULL : result.path);
    if (good)
        printf("outcome %d, %zu waypoints\n", (int)result.outcome, graze_path_count(result.path));
    graze_path_free(result.path);
    return good;
}

/// The question whose answer is a name: "?" is no answer, and NULL would be "free".
static bool run_name(scene *s, char **argv) {
    (void)argv;
    if (!load_robot(s, "../in/gantry.urdf", NULL)) return false;
    const char *name = graze_pose_is_collision(s->robot, NULL, colliding);
    if (!name) s->broken = !broken("a collision was called free");
    if (!name || strcmp(name, "?") == 0) {
        s->error = (graze_error){.status = GRAZE_ERROR_NO_MEMORY, .message = "out of memory (?)"};
        return false;
    }
    printf("%s\n", name);
    return true;
}

static bool run_lint(scene *s, char **argv) {
    graze_lint_options options = graze_lint_options_default();
    graze_lint_report *report = NULL;
    graze_status status = graze_lint_urdf(&report, argv[0], &options, &s->error);
    bool good = is_good(s, status, report);
    if (good) printf("%zu findings\n", graze_lint_finding_count(report));
    graze_lint_report_free(report);
    return good;
}

int fault_library_run(int argc, char **argv) {
    static const struct {
        const char *name;
        bool (*run)(scene *s, char **argv);
    } scenarios[] = {{"robot", run_robot},     {"world", run_world}, {"rules", run_rules},
                     {"batch", run_batch},     {"map", run_map},     {"plan", run_plan},
                     {"explain", run_explain}, {"name", run_name},   {"lint", run_lint}};
    scene s = {0};
    for (size_t i = 0; argc > 0 && i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(argv[0], scenarios[i].name) == 0) return end(&s, scenarios[i].run(&s, argv + 1));
    return FAULT_EXIT_BROKEN;
}
