/// World files from bytes: MotionBenchMaker scenes in YAML.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_world_file("fuzz.yaml", data, size);
    return 0;
}
