/// SRDF from bytes, on a robot with every kind of joint and a branch.
#include "fuzz/fuzz.h"

#define BALL       "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
#define LINK(name) "<link name='" name "'>" BALL "</link>"
#define JOINT(name, type, parent, child)                                                           \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"

static const char robot_text[] = "<robot name='r'>" LINK("base") LINK("a") LINK("b") LINK("c")
    LINK("d") LINK("tip") JOINT("j1", "revolute", "base", "a") JOINT("j2", "prismatic", "a", "b")
        JOINT("j3", "floating", "b", "c") JOINT("j4", "planar", "a", "d")
            JOINT("j5", "fixed", "c", "tip") "</robot>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
    options.srdf = fuzz_file("fuzz.srdf", data, size);
    graze_robot *robot;
    graze_error error;
    fuzz_guard_begin();
    graze_status status = graze_robot_load_urdf_memory(
        &robot, robot_text, sizeof robot_text - 1, "robot.urdf", fuzz_scratch(), &options, &error);
    if (status)
        fuzz_exercise_error(status, &error);
    else
        fuzz_exercise_robot(robot);
    graze_robot_free(robot);
    fuzz_guard_end();
    return 0;
}
