/// Collada from bytes, read a second time by assimp in the confined importer: what graze's own
/// reader takes, as a load has it compared, and what it refuses, straight to assimp. What that does
/// to assimp is not graze's fault. It must end in a warning and leave the mesh as it is, or in an
/// error, or in a sound mesh.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "load/importer.h"
#include "load/mesh/collada.h"

static void check_soup(const gz_soup *soup) {
    for (size_t i = 0; i < 3 * soup->triangle_count; i++)
        FUZZ_CHECK(soup->triangles[i] < soup->vertex_count);
    for (size_t i = 0; i < 3 * soup->vertex_count; i++)
        FUZZ_CHECK(soup->vertices[i] >= -1048576 && soup->vertices[i] <= 1048576);
}

/// Nothing but warnings may come of the second reading.
static void read_twice(const gz_mesh_input *input, const gz_soup *ours) {
    gz_soup *soup = gz_soup_create();
    graze_error error;
    if (!soup || gz_collada_read(input, soup, &error)) abort();
    FUZZ_CHECK(soup->triangle_count == ours->triangle_count && soup->skipped == ours->skipped);
    FUZZ_CHECK(soup->vertex_count == ours->vertex_count);
    if (ours->triangle_count) {
        FUZZ_CHECK(memcmp(soup->triangles, ours->triangles, 12 * ours->triangle_count) == 0);
        FUZZ_CHECK(memcmp(soup->vertices, ours->vertices, 24 * ours->vertex_count) == 0);
    }
    for (size_t i = 0; i < input->warnings->count; i++)
        fuzz_tell_contained(input->warnings->items[i].message, input->bytes, input->size);
    gz_soup_free(soup);
}

static void read_apart(const gz_mesh_input *input) {
    char name[] = "mesh.dae";
    gz_memory_file file = {name, input->bytes, input->size};
    gz_import_job job = {.files = &file, .file_count = 1, .up = 'z'};
    gz_soup *soup = gz_soup_create();
    gz_importer_process process;
    graze_error error;
    if (!soup || gz_importer_process_start(&process, input, &error)) abort();
    graze_status status = gz_importer_read(&process, &job, input, soup, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        fuzz_tell_contained(error.message, input->bytes, input->size);
    }
    check_soup(soup);
    gz_soup_free(soup);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
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
    gz_soup *ours = gz_soup_create();
    graze_error error;
    if (!text || !ours) abort();
    graze_status status = gz_collada_read(&input, ours, &error);
    options.importer = GRAZE_IMPORTER;
    if (status)
        read_apart(&input);
    else
        read_twice(&input, ours);
    gz_soup_free(ours);
    gz_warnings_free(&warnings);
    gz_free(text);
    return 0;
}
