/// Timed trajectories from bytes: JSON and YAML as ROS prints them.
#include <math.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

static const char arm[] = "<robot name='arm'><link name='a'/><link name='b'/><link name='c'/>"
                          "<link name='d'/><joint name='one' type='continuous'><parent link='a'/>"
                          "<child link='b'/></joint><joint name='two' type='revolute'><parent "
                          "link='b'/><child link='c'/><limit lower='-1' upper='1' effort='1' "
                          "velocity='1'/></joint><joint name='three' type='floating'><parent "
                          "link='c'/><child link='d'/></joint></robot>";

/// Times ascend, and everything is finite wherever the trajectory is asked for.
static void exercise(const graze_trajectory *t) {
    enum { WIDTH = 9 }; // of q
    double q[WIDTH], base[6], when;
    size_t column, pieces = graze_trajectory_piece_count(t);
    FUZZ_CHECK(pieces > 0);
    for (size_t i = 0; i <= pieces; i++) {
        double time = graze_trajectory_time(t, i), next = graze_trajectory_time(t, i + 1);
        FUZZ_CHECK(isfinite(time) && (i == pieces ? isnan(next) : next > time));
        for (int k = 0; k < 4 && i < pieces; k++) {
            FUZZ_CHECK(!graze_trajectory_at(t, time + k * 0.3 * (next - time), q, base));
            for (int c = 0; c < WIDTH; c++) FUZZ_CHECK(isfinite(q[c]) && fabs(q[c]) <= 1048576);
        }
    }
    if (!graze_trajectory_leaves_limits(t, &when, &column)) return;
    FUZZ_CHECK(column == 1 && when >= graze_trajectory_time(t, 0) &&
               when <= graze_trajectory_time(t, pieces));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static graze_robot *robot;
    if (!robot &&
        graze_robot_load_urdf_memory(&robot, arm, sizeof arm - 1, "arm", NULL, NULL, NULL))
        abort();
    graze_trajectory *t;
    graze_error error;
    const graze_load_options options = fuzz_options();
    graze_status status = graze_trajectory_load_memory(&t, robot, (const char *)data, size,
                                                       "fuzz.yaml", NULL, NULL, &options, &error);
    FUZZ_CHECK((status == GRAZE_OK) == (t != NULL));
    if (status)
        fuzz_exercise_error(status, &error);
    else
        exercise(t);
    graze_trajectory_free(t);
    return 0;
}
