#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/platform.h"
#include "graze/mesh_report.h"
#include "load/file.h"
#include "load/importer/importer.h"
#include "load/mesh/collada.h"
#include "load/mesh/mesh_file.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"

// --------------------------------------------------------------------------------------- format

typedef enum format { UNKNOWN = -1, STL, COLLADA, OBJ, PLY, GLB, GLTF, OCTOMAP, FORMATS } format;

static const struct {
    const char *ending, *name;
    graze_status (*read)(gz_mesh_reader *r);
} formats[FORMATS] = {
    [STL] = {"stl", "STL", gz_stl_read},
    [COLLADA] = {"dae", "Collada", gz_collada_read},
    [OBJ] = {"obj", "OBJ", gz_obj_read},
    [PLY] = {"ply", "PLY", gz_ply_read},
    [GLB] = {"glb", "GLB", gz_gltf_read_glb},
    [GLTF] = {"gltf", "glTF", gz_gltf_read_json},
    [OCTOMAP] = {"bt", "OctoMap", gz_octomap_read},
};

#define ALLOWED                                                                                    \
    "STL (.stl), Collada (.dae), OBJ (.obj), PLY (.ply), GLB (.glb), glTF (.gltf), OctoMap (.bt)"

static bool holds(const char *bytes, size_t size, const char *text) {
    return gz_bytes_find(bytes, size, text) != NULL;
}

/// The format that the content shows, or UNKNOWN: OBJ has no mark to know it by.
static format sniff(const char *bytes, size_t size) {
    // A binary STL's header may hold anything, so its size speaks first.
    if (gz_stl_is_binary(bytes, size) || gz_stl_is_ascii(bytes, size)) return STL;
    if (gz_ply_is(bytes, size)) return PLY;
    if (gz_octomap_is(bytes, size)) return OCTOMAP;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) return GLB;
    gz_text_cursor cursor = gz_cursor_begin(bytes, size);
    gz_cursor_skip_blanks(&cursor);
    size_t left = (size_t)(cursor.end - cursor.at), head = left < 4096 ? left : 4096;
    if (left && *cursor.at == '<' && holds(cursor.at, head, "<COLLADA")) return COLLADA;
    if (left && *cursor.at == '{' && holds(cursor.at, left, "\"asset\"")) return GLTF;
    return UNKNOWN;
}

/// What stands behind the last dot of a file's name; "" for nothing.
static const char *ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static format from_ending(const char *path) {
    gz_word ending = {ending_of(path), strlen(ending_of(path))};
    for (int f = 0; f < FORMATS; f++)
        if (gz_word_is(ending, formats[f].ending)) return (format)f;
    return UNKNOWN;
}

/// assimp goes by the ending; of a file without one that it knows, by the content.
static graze_status read_by_assimp(gz_mesh_reader *r, format content) {
    const char *ending = ending_of(r->path);
    char lower[64];
    if (content != UNKNOWN && from_ending(r->path) == UNKNOWN) ending = formats[content].ending;
    size_t n = 0;
    for (; ending[n] && n < sizeof lower - 1; n++)
        lower[n] = (char)(ending[n] >= 'A' && ending[n] <= 'Z' ? ending[n] - 'A' + 'a' : ending[n]);
    lower[n] = '\0';
    GZ_TRY(gz_importer_read(r, lower));
    if (r->soup->triangle_count) return GRAZE_OK;
    return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH, "the .%s file has no triangle; allowed: at least 1",
                        ending);
}

static graze_status read_format(gz_mesh_reader *r) {
    if (r->size == 0)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH,
                            "the file is empty; allowed: at least 1 triangle");
    format content = sniff(r->bytes, r->size), ending = from_ending(r->path);
    format chosen = content == UNKNOWN ? ending : content;
    // Any JSON file may have a member called "asset".
    r->secret &= content == UNKNOWN || content == GLTF;
    const graze_load_options *options = r->options;
    if (chosen == UNKNOWN && (!ending_of(r->path)[0] || !options->importer))
        return gz_mesh_fail(
            r, 0, GRAZE_ERROR_UNSUPPORTED,
            "neither content nor ending \".%.20s\" shows a mesh format; allowed: " ALLOWED
            "; by an importer (the program graze-import), what assimp reads",
            ending_of(r->path));
    if (chosen == UNKNOWN || options->reader == GRAZE_READER_ASSIMP)
        return read_by_assimp(r, content);
    if (ending != UNKNOWN && content != UNKNOWN && content != ending)
        gz_warn(r->warnings, "mesh-ending", gz_mesh_place(r, 0),
                "the content is %s although the name ends in .%s; it was read as %s",
                formats[content].name, formats[ending].ending, formats[content].name);
    GZ_TRY(formats[chosen].read(r));
    gz_mesh_warn_skipped(r);
    if (r->soup->triangle_count) return GRAZE_OK;
    return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH, "the %s file has no triangle; allowed: at least 1",
                        formats[chosen].name);
}

// ----------------------------------------------------------------------------------------- read

/// Takes out of an error what a file holds that may be no mesh but a stranger's guess at a path:
/// messages have it between quotation marks or angle brackets.
static void keep_secret(const gz_mesh_reader *r) {
    if (!r->secret || !r->error || !strpbrk(r->error->message, "'\"<")) return;
    char where[64] = "";
    if (r->error->line) snprintf(where, sizeof where, " in line %d", (int)r->error->line);
    snprintf(r->error->message, sizeof r->error->message,
             "the file is not as its format has it%s; allowed: a mesh, or points (what it holds is "
             "quoted where the file itself is given to load)",
             where);
}

graze_status gz_mesh_read_file(gz_mesh_reader *r, graze_status (*read)(gz_mesh_reader *r)) {
    char *bytes;
    GZ_TRY(gz_load_read(r->path, r->options->files, r->options->limits.file_bytes, &bytes, &r->size,
                        r->error));
    r->bytes = bytes;
    r->soup = gz_soup_create();
    r->secret = r->budget->named_by_file;
    graze_status status = r->soup ? read(r) : gz_fail_memory(r->error);
    if (status) {
        keep_secret(r);
        gz_error_locate(r->error, gz_mesh_place(r, 0));
        gz_soup_free(r->soup);
        r->soup = NULL;
    }
    gz_polygons_free(&r->polygons);
    gz_free(bytes);
    return status;
}

static graze_status take_scale(gz_mesh_reader *r, const double scale[3]) {
    for (int k = 0; k < 3; k++) {
        r->scale[k] = scale ? scale[k] : 1.0;
        if (!isfinite(r->scale[k]) || r->scale[k] == 0)
            return gz_mesh_fail(r, 0, GRAZE_ERROR_RANGE,
                                "mesh scale %g %g %g; allowed: finite, other than 0", scale[0],
                                scale[1], scale[2]);
    }
    return GRAZE_OK;
}

static void flip(gz_soup *soup) {
    for (size_t i = 0; i < soup->triangle_count; i++) {
        uint32_t *triangle = soup->triangles + 3 * i, second = triangle[1];
        triangle[1] = triangle[2];
        triangle[2] = second;
    }
}

/// Removes the vertices of which `used` is 0; false when out of memory.
static bool compact(gz_soup *soup, const uint8_t *used) {
    uint32_t *index = gz_malloc(soup->vertex_count, sizeof *index);
    if (!index) return false;
    uint32_t kept = 0;
    for (size_t v = 0; v < soup->vertex_count; v++) {
        if (!used[v]) continue;
        memmove(soup->vertices + 3 * (size_t)kept, soup->vertices + 3 * v,
                3 * sizeof *soup->vertices);
        index[v] = kept++;
    }
    for (size_t i = 0; i < 3 * soup->triangle_count; i++)
        soup->triangles[i] = index[soup->triangles[i]];
    soup->vertex_count = kept;
    gz_free(index);
    return true;
}

/// Removes the vertices that no triangle uses: bounds, and with them epsilon, are of the surface.
static bool drop_unused(gz_soup *soup) {
    uint8_t *used = gz_calloc(soup->vertex_count, 1);
    if (!used) return false;
    const size_t corners = 3 * soup->triangle_count;
    const uint32_t *triangles = soup->triangles;
    for (size_t i = 0; i < corners; i++) used[triangles[i]] = 1;
    bool all = !soup->vertex_count || !memchr(used, 0, soup->vertex_count);
    bool fine = all || compact(soup, used);
    gz_free(used);
    return fine;
}

static graze_status read_soup(gz_mesh_reader *r) {
    GZ_TRY(read_format(r));
    if (!drop_unused(r->soup)) return gz_fail_memory(r->error);
    int negative = 0;
    for (int k = 0; k < 3; k++) negative += r->scale[k] < 0;
    if (negative % 2) flip(r->soup);
    return r->warnings->out_of_memory ? gz_fail_memory(r->error) : GRAZE_OK;
}

graze_status gz_mesh_file_read(gz_soup **soup, const char *path, const double scale[3],
                               const graze_load_options *options, gz_mesh_budget *budget,
                               gz_warnings *warnings, graze_error *error) {
    *soup = NULL;
    gz_mesh_reader r = {
        .path = path, .options = options, .budget = budget, .warnings = warnings, .error = error};
    GZ_TRY(take_scale(&r, scale));
    GZ_TRY(gz_mesh_read_file(&r, read_soup));
    budget->triangles_left -= r.soup->triangle_count;
    *soup = r.soup;
    gz_error_clear(error);
    return GRAZE_OK;
}

gz_soup *gz_mesh_soup_copy(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count) {
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, vertex_count, triangle_count)) {
        gz_soup_free(soup);
        return NULL;
    }
    if (vertex_count) memcpy(soup->vertices, vertices, vertex_count * 3 * sizeof *vertices);
    if (triangle_count) memcpy(soup->triangles, triangles, triangle_count * 3 * sizeof *triangles);
    soup->vertex_count = vertex_count;
    soup->triangle_count = triangle_count;
    return soup;
}

// ---------------------------------------------------------------------------------------- report

static graze_status read_collada(graze_mesh_report *report, gz_mesh_reader *r) {
    gz_collada c;
    graze_status status = gz_collada_open(&c, r);
    report->unit = c.facts.unit;
    report->up = c.facts.up;
    if (!status) status = gz_collada_list_nodes(&c);
    gz_collada_close(&c);
    return status;
}

static graze_status fill(gz_mesh_reader *r) {
    graze_mesh_report *report = r->report;
    format content = r->size ? sniff(r->bytes, r->size) : UNKNOWN;
    if (content == UNKNOWN) content = from_ending(r->path);
    if (content == UNKNOWN)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_UNSUPPORTED,
                            "neither content nor ending shows a mesh format; allowed: STL, "
                            "Collada, OBJ, PLY, GLB, glTF, OctoMap");
    report->bytes = r->size;
    report->hash = gz_hash_bytes(r->bytes, r->size);
    report->format = formats[content].name;
    if (content == COLLADA) return read_collada(report, r);
    if (content != GLB && content != GLTF) return GRAZE_OK;
    // glTF is in metres with y up; its reader lists the nodes while it places their meshes.
    report->unit = 1;
    report->up = 'y';
    return formats[content].read(r);
}

graze_status graze_mesh_report_create(graze_mesh_report **out, const char *path,
                                      const graze_limits *limits, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "an argument is NULL; allowed: out and path that are not");
    graze_load_options options = graze_load_options_default();
    if (limits) options.limits = *limits;
    gz_mesh_budget budget = {.triangles_left = options.limits.triangles};
    gz_warnings warnings = {0};
    gz_mesh_reader r = {.path = path,
                        .scale = {1, 1, 1},
                        .options = &options,
                        .budget = &budget,
                        .warnings = &warnings,
                        .error = error,
                        .report = gz_calloc(1, sizeof *r.report)};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, options.limits.memory_bytes);
    graze_status status = r.report ? gz_mesh_read_file(&r, fill) : gz_fail_memory(error);
    if (!status && warnings.out_of_memory) status = gz_fail_memory(error);
    gz_soup_free(r.soup);
    gz_warnings_free(&warnings);
    gz_memory_budget_close(&memory);
    if (status) {
        graze_mesh_report_free(r.report);
        return status;
    }
    *out = r.report;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_mesh_report_free(graze_mesh_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->node_count; i++)
        gz_free((void *)(uintptr_t)report->nodes[i].name);
    gz_free((void *)(uintptr_t)report->nodes);
    gz_free(report);
}
