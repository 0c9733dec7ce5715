/// World files from bytes: graze worlds, which may name meshes and points of the scratch folder.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_world_file("fuzz.json", data, size);
    return 0;
}
