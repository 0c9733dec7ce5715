/// Files of configurations from bytes: NPY and CSV. The first byte chooses the ending.
#include <stdlib.h>

#include "cli/input/configuration.h"
#include "cli/message.h"
#include "fuzz/fuzz.h"

static const char arm[] = "<robot name='arm'><link name='a'/><link name='b'/><link name='c'/>"
                          "<joint name='one' type='continuous'><parent link='a'/><child "
                          "link='b'/></joint><joint name='two' type='floating'><parent link='b'/>"
                          "<child link='c'/></joint></robot>";

static void read_rows(gz_configuration_file *file, const gz_posture *rest) {
    enum { ROWS = 7 };
    double *q = calloc(ROWS * rest->size, sizeof *q), base[ROWS * GZ_BASE_SIZE];
    if (!q) abort();
    graze_error error;
    size_t count = 1;
    for (int chunk = 0; chunk < 1000 && count; chunk++) {
        graze_status status = gz_configuration_file_read(file, ROWS, q, base, &count, &error);
        FUZZ_CHECK(count <= ROWS);
        double fraction = gz_configuration_file_fraction(file);
        FUZZ_CHECK(fraction == -1 || (fraction >= 0 && fraction <= 1));
        if (status) {
            FUZZ_CHECK(error.message[0] != '\0');
            break;
        }
    }
    free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static graze_robot *robot;
    if (!robot &&
        graze_robot_load_urdf_memory(&robot, arm, sizeof arm - 1, "arm", NULL, NULL, NULL))
        abort();
    if (size < 1) return 0;
    const char *path = fuzz_file(data[0] % 2 ? "fuzz.npy" : "fuzz.csv", data + 1, size - 1);
    gz_posture rest;
    gz_posture_options options = {0};
    gz_configuration_file file;
    graze_error error;
    if (gz_posture_make(&rest, robot, &options, &error)) abort();
    fuzz_guard_begin();
    graze_status status = gz_configuration_file_open(&file, path, robot, NULL, &rest, &error);
    if (status)
        FUZZ_CHECK(error.message[0] != '\0');
    else
        read_rows(&file, &rest);
    gz_configuration_file_close(&file);
    fuzz_guard_end();
    gz_posture_free(&rest);
    return 0;
}
