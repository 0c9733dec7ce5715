/// URDF from bytes, as scenery: its links at rest are objects of a world.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_world_file("fuzz.urdf", data, size);
    return 0;
}
