// What rules by call cost: changes of them, and checks under them beside checks without; and what
// it costs to carry a checker or a workspace over to another version.
//
//   graze-bench-rules [SHARE]
//
// SHARE holds the shipped robot (urdf/, meshes/, worlds/). Each figure is the median of 15 rounds
// of the same work in the same run, with the least and the greatest, in microseconds of processor
// time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graze/graze.h"

enum { ROWS = 1024, ROUNDS = 15, LINKS = 64 };

static graze_checker *checker;
static graze_workspace *workspace;
static graze_rules *rules;
static graze_robot *robot, *carrying;
static graze_world *world;
static graze_workspace_pool *pool;
static double *q;
static size_t width;
static int32_t first, second, arm[LINKS];
static size_t arm_count;
static uint64_t matrix[LINKS];

static void require(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-rules: %s\n", error->message);
    exit(3);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // other programs take time, too
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// ------------------------------------------------------------------------------------------- works

static void check(int i) {
    graze_report report = {0};
    graze_error error;
    require(graze_check(checker, workspace, GRAZE_ANSWER_ANY, q + (size_t)i * width, width, NULL,
                        &report, &error),
            &error);
}

static void check_ruled(int i) {
    graze_report report = {0};
    graze_error error;
    require(graze_check_ruled(rules, workspace, GRAZE_ANSWER_ANY, q + (size_t)i * width, width,
                              NULL, &report, &error),
            &error);
}

static void set_pair(int i) {
    graze_rules_set(rules, GRAZE_CONTACT_SELF, first, second, i & 1, NULL);
}

static void set_object(int i) {
    graze_rules_set(rules, GRAZE_CONTACT_WORLD, second, 0, i & 1, NULL);
}

static void set_margin(int i) {
    graze_rules_set_margin(rules, GRAZE_CONTACT_SELF, first, second, i & 1 ? 0.01 : 0.02, NULL);
}

static void keep(int i) {
    (void)i;
    graze_rules_keep_links(rules, arm, arm_count, NULL);
}

static void reset(int i) {
    (void)i;
    graze_rules_reset(rules);
}

static void assign(int i) {
    matrix[first] ^= (uint64_t)(i & 1) << second;
    graze_rules_assign(rules, GRAZE_CONTACT_SELF, matrix, 1, NULL);
}

static void create_rules(int i) {
    (void)i;
    graze_error error;
    graze_rules *made;
    require(graze_rules_create(&made, checker, &error), &error);
    graze_rules_free(made);
}

static void create_checker(int i) {
    (void)i;
    graze_error error;
    graze_checker *made;
    require(graze_checker_create(&made, carrying, world, NULL, &error), &error);
    graze_checker_free(made);
}

static void with_robot(int i) {
    (void)i;
    graze_error error;
    graze_checker *made;
    require(graze_checker_with_robot(&made, checker, carrying, &error), &error);
    graze_checker_free(made);
}

static void create_workspace(int i) {
    (void)i;
    graze_error error;
    graze_workspace *made;
    require(graze_workspace_create(&made, checker, &error), &error);
    graze_workspace_free(made);
}

static void rebind(int i) {
    (void)i;
    graze_error error;
    require(graze_workspace_rebind(workspace, checker, &error), &error);
}

static void borrow(int i) {
    (void)i;
    graze_error error;
    graze_workspace *borrowed;
    require(graze_workspace_pool_borrow(&borrowed, pool, checker, &error), &error);
    graze_workspace_pool_give_back(pool, borrowed);
}

// ------------------------------------------------------------------------------------------
// measuring

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Median time of a call, over rounds of `count`.
static void measure(const char *name, void (*work)(int i), int count) {
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < count; i++) work(i);
        times[round] = (now() - start) / count;
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("  %-52s %8.3f us  (%.3f to %.3f)\n", name, times[ROUNDS / 2], times[0],
           times[ROUNDS - 1]);
}

static void measure_checks(void) {
    measure("check", check, ROWS);
    graze_rules_reset(rules);
    measure("check under rules, as the checker", check_ruled, ROWS);
    graze_rules_set(rules, GRAZE_CONTACT_SELF, first, second, false, NULL);
    graze_rules_set(rules, GRAZE_CONTACT_WORLD, second, 0, false, NULL);
    measure("  a pair and an object hidden", check_ruled, ROWS);
    graze_rules_keep_links(rules, arm, arm_count, NULL);
    measure("  links of the arm alone", check_ruled, ROWS);
    graze_rules_reset(rules);
    graze_rules_set(rules, GRAZE_CONTACT_SELF, arm[0], arm[1], true, NULL);
    measure("  an adjacent pair required", check_ruled, ROWS);
    graze_rules_reset(rules);
    graze_rules_set_margin(rules, GRAZE_CONTACT_SELF, first, second, 0.01, NULL);
    measure("  a pair of links with a margin", check_ruled, ROWS);
    graze_rules_reset(rules);
    graze_rules_set_margin(rules, GRAZE_CONTACT_WORLD, second, 0, 0.01, NULL);
    measure("  a link and an object with a margin", check_ruled, ROWS);
    graze_rules_reset(rules);
}

static void measure_changes(void) {
    measure("hide or show a pair of links", set_pair, 10000);
    measure("hide or show a link and an object", set_object, 10000);
    measure("margin of a pair", set_margin, 10000);
    graze_rules_reset(rules);
    measure("keep the arm's links", keep, 10000);
    measure("reset", reset, 10000);
    measure("take a matrix of links", assign, 10000);
    measure("create and free rules", create_rules, 1000);
    measure("checker_create, a robot that carries a box", create_checker, 20);
    measure("checker_with_robot, the same", with_robot, 20);
    measure("workspace_create and free", create_workspace, 1000);
    measure("workspace_rebind", rebind, 1000);
    measure("borrow from a pool and give back", borrow, 10000);
}

static void open_robot(const char *share) {
    char path[4096], srdf[4096];
    graze_error error;
    graze_load_options load = graze_load_options_default();
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", share);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", share);
    load.srdf = srdf;
    require(graze_robot_load_urdf(&robot, path, &load, &error), &error);
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    const graze_attachment parcel = {.struct_size = sizeof parcel,
                                     .name = "parcel",
                                     .link = "gripper_link",
                                     .pose = graze_transform_identity(),
                                     .geometry = &box};
    require(graze_robot_attach(&carrying, robot, &parcel, &error), &error);
    snprintf(path, sizeof path, "%s/worlds/shelf.json", share);
    require(graze_world_create(&world, "shelf", &error), &error);
    require(graze_world_add_file(world, path, NULL, &error), &error);
    require(graze_world_commit(world, &error), &error);
    require(graze_checker_create(&checker, robot, world, NULL, &error), &error);
    require(graze_workspace_create(&workspace, checker, &error), &error);
    require(graze_rules_create(&rules, checker, &error), &error);
    require(graze_workspace_pool_create(&pool, &error), &error);
}

static void choose_links(void) {
    static const char *const names[] = {
        "shoulder_pan_link", "shoulder_lift_link", "upperarm_roll_link", "elbow_flex_link",
        "forearm_roll_link", "wrist_flex_link",    "wrist_roll_link",    "gripper_link"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t link = graze_robot_find_link(robot, names[i]);
        if (link >= 0) arm[arm_count++] = link;
    }
    first = graze_robot_find_link(robot, "base_link");
    second = graze_robot_find_link(robot, "gripper_link");
    size_t words;
    const uint64_t *bits = graze_rules_matrix(rules, GRAZE_CONTACT_SELF, &words);
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(robot) && i < LINKS; i++)
        matrix[i] = bits[i];
}

int main(int argc, char **argv) {
    graze_error error;
    open_robot(argc > 1 ? argv[1] : ".");
    choose_links();
    width = graze_robot_q_size(robot);
    q = malloc(ROWS * width * sizeof *q);
    if (!q) return 3;
    for (uint64_t i = 0; i < ROWS; i++)
        require(graze_robot_sample(robot, 1, i, NULL, NULL, q + i * width, &error), &error);
    printf("heron, shelf, one thread; any answer\n");
    measure_checks();
    printf("changes\n");
    measure_changes();
    free(q);
    graze_workspace_pool_free(pool);
    graze_rules_free(rules);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(carrying);
    graze_robot_free(robot);
}
