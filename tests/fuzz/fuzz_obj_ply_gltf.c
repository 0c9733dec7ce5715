/// OBJ, PLY, glTF and GLB from bytes. The first byte chooses the ending; the rest is the file.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"fuzz.obj", "fuzz.ply", "fuzz.gltf", "fuzz.glb"};
    if (size < 1) return 0;
    const char *path = fuzz_file(names[data[0] % 4], data + 1, size - 1);
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
