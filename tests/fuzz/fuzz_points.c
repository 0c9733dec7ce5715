/// Clouds of points from bytes, text or PLY, as an object of a world names them.
#include <string.h>

#include "fuzz/fuzz.h"

static const char world_text[] = "{\"format\":\"graze-world-1\",\"objects\":[{\"name\":\"cloud\","
                                 "\"shape\":\"points\",\"file\":\"cloud.xyz\",\"radius\":0.05}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_file("cloud.xyz", data, size);
    fuzz_world_file("cloud.json", (const uint8_t *)world_text, strlen(world_text));
    return 0;
}
