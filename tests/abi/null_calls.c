// No exported function crashes on NULL or on a bad index: calls all of them, as null_calls.py wrote
// them down from the headers.

#include "null_calls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

graze_robot *h_graze_robot;
graze_robot_builder *h_graze_robot_builder;
graze_world *h_graze_world;
graze_checker *h_graze_checker;
graze_workspace *h_graze_workspace;
graze_rules *h_graze_rules;
graze_workspace_pool *h_graze_workspace_pool;
graze_mesh *h_graze_mesh;
graze_path *h_graze_path;
graze_matrix *h_graze_matrix;
graze_matrix_review *h_graze_matrix_review;
graze_lint_report *h_graze_lint_report;
graze_compiled *h_graze_compiled;
graze_mesh_report *h_graze_mesh_report;
graze_planar_scene *h_graze_planar_scene;
graze_scene *h_graze_scene;
graze_view *h_graze_view;
graze_trajectory *h_graze_trajectory;
graze_problems *h_graze_problems;
graze_roadmap *h_graze_roadmap;
graze_roadmap_workspace *h_graze_roadmap_workspace;
_Alignas(64) unsigned char scratch[16][16384];
sigjmp_buf before_call;

static const char *function = "";
static int failures;

void note(const char *name) {
    memset(scratch, 0, sizeof scratch);
    function = name;
}

static void fail(const char *what) {
    static const char *last = "";
    failures++;
    if (strcmp(last, function) != 0) printf("%s: %s\n", function, what);
    last = function;
}

void end(graze_status status, bool index_is_bad) {
    if (index_is_bad && status == GRAZE_OK) fail("accepts an index that there is not");
}

static void crash(int number) {
    (void)number;
    fail("crashes");
    siglongjmp(before_call, 1);
}

static void must(graze_status status, const char *what) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "cannot make %s\n", what);
    exit(2);
}

static void make_handles(void) {
    static const char urdf[] =
        "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry>"
        "</collision></link><link name='x'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link><joint name='x' type='revolute'><parent link='a'/><child link='x'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
    static const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, q[1] = {0.1};
    static const uint32_t triangle[3] = {0, 1, 2};
    static const double size[3] = {1, 1, 1};
    const graze_transform far = {{1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1, 9}};
    unsigned char *bytes;
    size_t length;
    graze_plan_result plan;
    graze_roadmap_options few = graze_roadmap_options_default();
    few.nodes = 3;
    must(graze_robot_load_urdf_memory(&h_graze_robot, urdf, sizeof urdf - 1, "r", NULL, NULL, NULL),
         "a robot");
    must(graze_world_create(&h_graze_world, "w", NULL), "a world");
    must(graze_world_add_box(h_graze_world, "x", size, &far, NULL), "a box");
    must(graze_world_commit(h_graze_world, NULL), "a world");
    must(graze_robot_builder_create(&h_graze_robot_builder, "r", NULL), "a builder");
    must(graze_checker_create(&h_graze_checker, h_graze_robot, h_graze_world, NULL, NULL),
         "a checker");
    must(graze_workspace_create(&h_graze_workspace, h_graze_checker, NULL), "a workspace");
    must(graze_rules_create(&h_graze_rules, h_graze_checker, NULL), "rules");
    must(graze_workspace_pool_create(&h_graze_workspace_pool, NULL), "a pool");
    must(graze_mesh_create(&h_graze_mesh, corners, 3, triangle, 1, NULL), "a mesh");
    must(graze_plan(h_graze_checker, q, NULL, (const double[1]){-0.1}, NULL, NULL, &plan, NULL),
         "a plan");
    h_graze_path = plan.path;
    must(graze_matrix_compute(&h_graze_matrix, h_graze_robot, NULL, NULL), "a matrix");
    must(graze_matrix_review_srdf(&h_graze_matrix_review, h_graze_matrix, "<robot name='r'/>", 17,
                                  "s", NULL, NULL),
         "a review");
    must(graze_lint_urdf_memory(&h_graze_lint_report, urdf, sizeof urdf - 1, "r", ".", NULL, NULL),
         "a report");
    must(graze_compile(&bytes, &length, h_graze_robot, NULL, NULL, NULL), "a compiled file");
    must(graze_compiled_open_memory(&h_graze_compiled, bytes, length, "c", NULL),
         "a compiled file");
    graze_compiled_free(bytes);
    must(graze_mesh_report_create(&h_graze_mesh_report,
                                  GRAZE_SOURCE_DIR "/tests/cli/data/crate.obj", NULL, NULL),
         "a mesh report");
    must(graze_planar_scene_generate(&h_graze_planar_scene, NULL, NULL), "a scene");
    must(graze_scene_create(&h_graze_scene, h_graze_checker, NULL), "a scene");
    must(graze_view_acquire(&h_graze_view, h_graze_scene, NULL), "a view");
    must(graze_trajectory_from_bezier(&h_graze_trajectory, h_graze_robot, 1, 1,
                                      (const double[2]){0, 1}, (const double[2]){0, 0.1}, NULL,
                                      NULL),
         "a trajectory");
    must(graze_problems_load(&h_graze_problems, h_graze_robot,
                             GRAZE_SOURCE_DIR "/tests/abi/problems.json", NULL, NULL),
         "problems");
    must(graze_roadmap_build(&h_graze_roadmap, h_graze_checker, NULL, NULL, &few, NULL),
         "a roadmap");
    must(graze_roadmap_workspace_create(&h_graze_roadmap_workspace, h_graze_roadmap, NULL),
         "a workspace of a roadmap");
}

int main(void) {
    make_handles();
    signal(SIGSEGV, crash);
    signal(SIGBUS, crash);
    signal(SIGFPE, crash);
    signal(SIGABRT, crash);
    call_everything();
    printf("%d functions, %d calls, %d failures\n", function_count, call_count, failures);
    return failures ? 1 : 0;
}
