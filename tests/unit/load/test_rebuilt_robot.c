// Robots that were loaded, made once more by calls: poses, pairs, verdicts and compiled bytes.

#include "unit/robot/robot_rebuild.h"

static graze_world *open_mesh(const char *file) {
    graze_world *world;
    graze_error e;
    OK(graze_world_create(&world, "file", NULL));
    if (graze_world_add_file(world, file, NULL, &e)) fail_msg("%s", e.message);
    return world;
}

static void rebuild_file(const char *name, const char *srdf) {
    char path[512], rules[512];
    snprintf(path, sizeof path, "%s/urdf/%s", GRAZE_SOURCE_DIR, name);
    snprintf(rules, sizeof rules, "%s/urdf/%s", GRAZE_SOURCE_DIR, srdf);
    graze_load_options options = graze_load_options_default();
    options.srdf = rules;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *loaded;
    graze_error e;
    if (graze_robot_load_urdf(&loaded, path, &options, &e)) fail_msg("%s", e.message);
    graze_robot *shared = rebuild(loaded, false, open_mesh),
                *copied = rebuild(loaded, true, open_mesh),
                *again = rebuild(shared, false, open_mesh);
    assert_same(loaded, shared);
    assert_same(loaded, copied);
    assert_same_answers(loaded, shared, 1000);
    assert_same_file(shared, again);
    graze_robot_free(loaded); // meshes are shared: what is left holds them
    assert_same_answers(shared, copied, 100);
    graze_robot_free(shared);
    graze_robot_free(copied);
    graze_robot_free(again);
}

static void test_loaded_robots_are_made_again_by_calls(void **state) {
    (void)state;
    rebuild_file("two_link.urdf", "two_link.srdf");
    rebuild_file("six_axis.urdf", "six_axis.srdf");
    rebuild_file("heron.urdf", "heron.srdf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaded_robots_are_made_again_by_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
