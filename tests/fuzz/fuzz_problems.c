/// Sets of planning problems from bytes: 0 in front, a JSON file; else a folder with a request in
/// YAML and, behind a line "=====", a scene.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static const char arm[] = "<robot name='arm'><link name='a'/><link name='b'/><link name='c'/>"
                          "<joint name='x' type='prismatic'><parent link='a'/><child link='b'/>"
                          "<limit lower='-5' upper='5' effort='1' velocity='1'/></joint>"
                          "<joint name='turn' type='continuous'><parent link='b'/><child "
                          "link='c'/></joint></robot>";

static void exercise(const graze_problems *set) {
    size_t count = graze_problems_count(set);
    FUZZ_CHECK(count > 0);
    for (size_t i = 0; i < count; i++) {
        graze_problem p;
        FUZZ_CHECK(graze_problems_get(set, i, &p) == GRAZE_OK);
        FUZZ_CHECK(p.name[p.family_length] == '/' && p.goal_count > 0 && p.column_count <= 2);
        for (size_t k = 0; k < 2; k++) FUZZ_CHECK(isfinite(p.start[k]));
        for (size_t k = 0; k < 2 * p.goal_count; k++) FUZZ_CHECK(isfinite(p.goals[k]));
        for (size_t k = 0; k < graze_world_object_count(p.world); k++) {
            graze_geometry g;
            FUZZ_CHECK(graze_world_object(p.world, k, &g) == GRAZE_OK);
        }
    }
}

static const char *write_folder(const uint8_t *data, size_t size) {
    static char path[256];
    static const char line[] = "\n=====\n";
    enum { LINE = sizeof line - 1 };
    size_t first = 0;
    while (first + LINE <= size && memcmp(data + first, line, LINE) != 0) first++;
    bool cut = first + LINE <= size;
    snprintf(path, sizeof path, "%s/set", fuzz_scratch());
    mkdir(path, 0700); // it may be there
    fuzz_file("set/request0001.yaml", data, cut ? first : size);
    fuzz_file("set/scene0001.yaml", data + (cut ? first + LINE : 0), cut ? size - first - LINE : 0);
    return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static graze_robot *robot;
    if (!robot &&
        graze_robot_load_urdf_memory(&robot, arm, sizeof arm - 1, "arm", NULL, NULL, NULL))
        abort();
    if (size == 0) return 0;
    const char *path = data[0] ? write_folder(data + 1, size - 1)
                               : fuzz_file("set.json", data + 1, size - 1);
    graze_problems *set;
    graze_error error;
    const graze_load_options options = fuzz_options();
    fuzz_guard_begin();
    graze_status status = graze_problems_load(&set, robot, path, &options, &error);
    fuzz_guard_end();
    FUZZ_CHECK((status == GRAZE_OK) == (set != NULL));
    if (status)
        fuzz_exercise_error(status, &error);
    else
        exercise(set);
    graze_problems_free(set);
    return 0;
}
