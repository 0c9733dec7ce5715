/// STL from bytes, binary and ASCII: through the reader to a mesh with its parts and its tree.
#include <string.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("fuzz.stl", data, size);
    graze_load_options options = fuzz_options();
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, "fuzz", &error)) return 0;
    fuzz_guard_begin();
    graze_status status = graze_world_add_file(world, path, &options, &error);
    if (status) fuzz_exercise_error(status, &error);
    fuzz_exercise_world(world);
    fuzz_guard_end();
    graze_world_free(world);
    return 0;
}
