/// URDF from bytes: the reader, the tree, meshes of the scratch folder, then checks of what loads.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
    options.visuals = GRAZE_VISUALS_LOAD;
    graze_robot *robot;
    graze_error error;
    fuzz_guard_begin();
    graze_status status = graze_robot_load_urdf_memory(
        &robot, (const char *)data, size, "fuzz.urdf", fuzz_scratch(), &options, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        FUZZ_CHECK(robot == NULL);
    } else {
        fuzz_exercise_robot(robot);
    }
    graze_robot_free(robot);
    fuzz_guard_end();
    return 0;
}
