/// Collada from bytes: judged and read, in the process.
#include <stdlib.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "load/mesh/collada.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
    char *text = gz_string_copy_n((const char *)data, size);
    gz_mesh_budget budget = {.triangles_left = options.limits.triangles};
    gz_warnings warnings = {0};
    gz_soup *soup = gz_soup_create();
    graze_error error;
    gz_mesh_reader reader = {.path = "fuzz.dae",
                             .bytes = text,
                             .size = size,
                             .scale = {1, 1, 1},
                             .options = &options,
                             .budget = &budget,
                             .warnings = &warnings,
                             .error = &error,
                             .soup = soup};
    if (!text || !soup) abort();
    graze_status status = gz_collada_read(&reader);
    if (status) {
        fuzz_exercise_error(status, &error);
    } else {
        for (size_t i = 0; i < 3 * soup->triangle_count; i++)
            FUZZ_CHECK(soup->triangles[i] < soup->vertex_count);
        for (size_t i = 0; i < 3 * soup->vertex_count; i++)
            FUZZ_CHECK(soup->vertices[i] >= -1048576 && soup->vertices[i] <= 1048576);
    }
    gz_polygons_free(&reader.polygons);
    gz_soup_free(soup);
    gz_warnings_free(&warnings);
    gz_free(text);
    return 0;
}
