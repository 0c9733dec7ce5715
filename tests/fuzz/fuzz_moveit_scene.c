/// World files from bytes: MoveIt scenes.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_world_file("fuzz.scene", data, size);
    return 0;
}
