/// Bytes that nobody has judged, straight to assimp in the confined importer: what it does to
/// assimp is not graze's fault, and must be an error or a sound mesh.
#include <stdlib.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "load/importer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
    options.importer = GRAZE_IMPORTER;
    options.importer_seconds = 1;
    options.limits.memory_bytes = 16 << 20;
    char *text = gz_string_copy_n((const char *)data, size);
    gz_mesh_budget budget = {.triangles_left = options.limits.triangles,
                             .memory_left = options.limits.memory_bytes};
    gz_warnings warnings = {0};
    gz_mesh_input input = {.path = "fuzz.dae",
                           .bytes = text,
                           .size = size,
                           .scale = {1, 1, 1},
                           .options = &options,
                           .budget = &budget,
                           .warnings = &warnings};
    char name[] = "mesh.dae";
    gz_memory_file file = {name, text, size};
    gz_assimp_job job = {.files = &file, .file_count = 1, .up = 'z'};
    gz_soup *soup = gz_soup_create();
    gz_importer_process process;
    graze_error error;
    if (!text || !soup || gz_importer_process_start(&process, &input, &error)) abort();
    graze_status status = gz_importer_read(&process, &job, &input, soup, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        fuzz_tell_contained(&error, data, size);
    }
    for (size_t i = 0; i < 3 * soup->triangle_count; i++)
        FUZZ_CHECK(soup->triangles[i] < soup->vertex_count);
    for (size_t i = 0; i < 3 * soup->vertex_count; i++)
        FUZZ_CHECK(soup->vertices[i] >= -1048576 && soup->vertices[i] <= 1048576);
    gz_soup_free(soup);
    gz_warnings_free(&warnings);
    gz_free(text);
    return 0;
}
