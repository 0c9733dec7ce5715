/// Bytes in the formats that assimp reads, by the confined importer. What they do to assimp is not
/// graze's fault: it must end in an error or in a sound mesh with a warning.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "load/importer/importer.h"

static void check_soup(const gz_soup *soup) {
    for (size_t i = 0; i < 3 * soup->triangle_count; i++)
        FUZZ_CHECK(soup->triangles[i] < soup->vertex_count);
    for (size_t i = 0; i < 3 * soup->vertex_count; i++)
        FUZZ_CHECK(soup->vertices[i] >= -1048576 && soup->vertices[i] <= 1048576);
}

/// The format is told by how the bytes begin.
static const char *ending_of(const char *bytes, size_t size) {
    static const struct {
        const char *start, *ending;
    } formats[] = {{"OFF", "off"},     {"AC3D", "ac"},  {"MM", "3ds"},  {"; FBX", "fbx"},
                   {"Kaydara", "fbx"}, {"FORM", "lwo"}, {"<X3D", "x3d"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (size >= strlen(formats[i].start) &&
            memcmp(bytes, formats[i].start, strlen(formats[i].start)) == 0)
            return formats[i].ending;
    return "dae";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_load_options options = fuzz_options();
    options.importer = GRAZE_IMPORTER;
    options.importer_seconds = 1;
    options.limits.memory_bytes = 16 << 20;
    char *text = gz_string_copy_n((const char *)data, size);
    gz_mesh_budget budget = {.triangles_left = options.limits.triangles};
    gz_warnings warnings = {0};
    gz_soup *soup = gz_soup_create();
    graze_error error;
    gz_mesh_reader reader = {.path = "fuzz",
                             .bytes = text,
                             .size = size,
                             .scale = {1, 1, 1},
                             .options = &options,
                             .budget = &budget,
                             .warnings = &warnings,
                             .error = &error,
                             .soup = soup};
    if (!text || !soup) abort();
    graze_status status = gz_importer_read(&reader, ending_of(text, size));
    if (status) {
        fuzz_exercise_error(status, &error);
        fuzz_report_contained(error.message, text, size);
    } else {
        FUZZ_CHECK(warnings.count > 0 && strcmp(warnings.items[0].code, "read-by-assimp") == 0);
    }
    check_soup(soup);
    gz_polygons_free(&reader.polygons);
    gz_soup_free(soup);
    gz_warnings_free(&warnings);
    gz_free(text);
    return 0;
}
