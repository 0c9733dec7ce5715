#include "load/collada.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/assimp_scene.h"
#include "load/importer.h"
#include "load/text_file.h"

// ---------------------------------------------------------------------------------------- hidden

/// What no mesh needs, and what assimp had better not parse when a stranger wrote it: references
/// there may be broken, circular or hostile. Lines are counted by the check.
static const char *const hidden[] = {"library_animations",
                                     "library_animation_clips",
                                     "library_controllers",
                                     "library_effects",
                                     "library_materials",
                                     "library_images",
                                     "library_lights",
                                     "library_cameras",
                                     "library_physics_materials",
                                     "library_physics_models",
                                     "library_physics_scenes",
                                     "library_force_fields",
                                     "library_joints",
                                     "library_kinematics_models",
                                     "library_kinematics_scenes",
                                     "library_articulated_systems",
                                     "instance_light",
                                     "instance_camera",
                                     "bind_material",
                                     "lines",
                                     "linestrips",
                                     "extra",
                                     NULL};

static const char *hidden_name(const char *name, size_t size) {
    for (const char *const *tag = hidden; *tag; tag++)
        if (strlen(*tag) == size && memcmp(name, *tag, size) == 0) return *tag;
    return NULL;
}

/// The end of a piece of markup that begins at `at` (a tag, comment, CDATA section or instruction):
/// behind its last character.
static char *markup_end(char *at, char *end) {
    static const struct {
        const char *open, *close;
    } others[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t n = strlen(others[i].open), m = strlen(others[i].close);
        if ((size_t)(end - at) < n || memcmp(at, others[i].open, n) != 0) continue;
        char *close = memmem(at + n, (size_t)(end - at) - n, others[i].close, m);
        return close ? close + m : end;
    }
    char quote = '\0';
    for (; at < end; at++) {
        if (quote) {
            if (*at == quote) quote = '\0';
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at + 1;
        }
    }
    return end;
}

/// Overwrites the hidden elements with blanks. The text is well-formed: expat has read it.
static void hide(char *bytes, size_t size) {
    char *end = bytes + size, *from = NULL;
    const char *inside = NULL; // the hidden element that we are in, and how often it is open
    size_t open = 0;
    for (char *at = bytes; (at = memchr(at, '<', (size_t)(end - at)));) {
        char *next = markup_end(at, end);
        bool closing = at[1] == '/', alone = next[-2] == '/';
        const char *name = at + 1 + closing;
        size_t n = strcspn(name, " \t\r\n/>");
        const char *found = hidden_name(name, n);
        if (found && !inside && !closing) {
            inside = found;
            from = at;
        }
        if (found && found == inside && !alone) open += closing ? SIZE_MAX : 1;
        if (inside && open == 0) {
            memset(from, ' ', (size_t)(next - from));
            inside = NULL;
        }
        at = next;
    }
}

// ---------------------------------------------------------------------------------- the document

const gz_xml_element *gz_collada_next(const gz_xml_element *element, const gz_xml_element *root) {
    if (element->first_child && !hidden_name(element->tag, strlen(element->tag)))
        return element->first_child;
    while (element != root && !element->next) element = element->parent;
    return element == root ? NULL : element->next;
}

gz_place gz_collada_place(const gz_collada *c, const gz_xml_element *element) {
    return (gz_place){.file = c->input->path, .line = element->line, .column = element->column};
}

graze_status gz_collada_add(gz_collada *c, gz_collada_ids *ids, const gz_xml_element *element,
                            uint64_t count) {
    const char *id = gz_xml_get(element, "id");
    if (!id) return GRAZE_OK;
    if (!gz_array_reserve((void **)&ids->items, &ids->capacity, ids->count + 1, sizeof *ids->items))
        return gz_fail_memory(c->error);
    ids->items[ids->count++] = (struct gz_collada_id){id, element, count};
    return GRAZE_OK;
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(((const struct gz_collada_id *)a)->id, ((const struct gz_collada_id *)b)->id);
}

graze_status gz_collada_sort(gz_collada *c, gz_collada_ids *ids) {
    if (ids->count) qsort(ids->items, ids->count, sizeof *ids->items, compare_ids);
    for (size_t i = 1; i < ids->count; i++)
        if (strcmp(ids->items[i - 1].id, ids->items[i].id) == 0)
            return gz_fail_at(
                c->error, GRAZE_ERROR_PARSE, gz_collada_place(c, ids->items[i].element),
                "id '%.80s' is used twice; allowed: once in a file", ids->items[i].id);
    return GRAZE_OK;
}

const struct gz_collada_id *gz_collada_find(const gz_collada_ids *ids, const char *reference) {
    if (!reference || reference[0] != '#' || !ids->count) return NULL;
    struct gz_collada_id key = {.id = reference + 1};
    return bsearch(&key, ids->items, ids->count, sizeof *ids->items, compare_ids);
}

static graze_status read_asset(gz_collada *c) {
    const gz_xml_element *asset = gz_xml_child(c->root, "asset");
    const gz_xml_element *unit = asset ? gz_xml_child(asset, "unit") : NULL;
    const char *meter = unit ? gz_xml_get(unit, "meter") : NULL;
    double *value = &c->facts.unit;
    if (meter && (!gz_number_parse(meter, strlen(meter), value) || !(*value > 0 && *value <= 1e9)))
        return gz_fail_at(c->error, GRAZE_ERROR_RANGE, gz_collada_place(c, unit),
                          "unit meter=\"%.40s\"; allowed: a number above 0, at most 1e9", meter);
    const gz_xml_element *up = asset ? gz_xml_child(asset, "up_axis") : NULL;
    if (!up) return GRAZE_OK;
    const char *text = up->text;
    if (text[0] < 'X' || text[0] > 'Z' || strcmp(text + 1, "_UP") != 0)
        return gz_fail_at(c->error, GRAZE_ERROR_PARSE, gz_collada_place(c, up),
                          "up_axis '%.40s'; allowed: X_UP, Y_UP or Z_UP", text);
    c->facts.up = (char)(text[0] - 'X' + 'x');
    return GRAZE_OK;
}

graze_status gz_collada_check(gz_collada_facts *facts, const gz_mesh_input *input,
                              graze_error *error) {
    if (memchr(input->bytes, '\0', input->size))
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(input, 0),
                          "a zero byte (UTF-16?); allowed: UTF-8 and other one-byte encodings");
    gz_xml_document *document;
    graze_status status = gz_xml_parse(&document, input->bytes, input->size, input->path,
                                       &input->options->limits, error);
    if (status) return status;
    gz_collada c = {.input = input,
                    .error = error,
                    .root = gz_xml_root(document),
                    .facts = {.unit = 1.0, .up = 'y'}};
    if (!gz_xml_is(c.root, "COLLADA"))
        status = gz_fail_at(error, GRAZE_ERROR_PARSE, gz_collada_place(&c, c.root),
                            "<%.40s>; allowed: <COLLADA>", c.root->tag);
    if (!status) status = read_asset(&c);
    if (!status) status = gz_collada_check_geometry(&c);
    if (!status) status = gz_collada_check_nodes(&c);
    *facts = c.facts;
    gz_free(c.arrays.items);
    gz_free(c.sources.items);
    gz_free(c.vertices.items);
    gz_free(c.geometries.items);
    gz_free(c.nodes.items);
    gz_xml_free(document);
    return status;
}

// ----------------------------------------------------------------------------------------- read

/// Judges the file, then has assimp read it: here, or in the importer if there is one.
static graze_status judge_and_read(gz_importer_process *importer, gz_collada_facts *facts,
                                   const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    graze_status status = gz_collada_check(facts, input, error);
    // Text becomes a tree, then index lists and unshared vertices: about 16 bytes for each byte.
    if (!status) status = gz_mesh_check_memory(input, 16 * (uint64_t)input->size, "assimp", error);
    char *bytes = status ? NULL : gz_string_copy_n(input->bytes, input->size);
    if (!status && !bytes) status = gz_fail_memory(error);
    if (status) {
        if (importer) gz_importer_process_end(importer);
        return status;
    }
    hide(bytes, input->size);

    // assimp's root is the visual scene, which has no transform of its own, times the unit; the
    // profile puts there what it wants, in double.
    char name[] = "mesh.dae";
    gz_memory_file file = {name, bytes, input->size};
    graze_collada profile = input->options->collada;
    gz_assimp_job job = {.files = &file,
                         .file_count = 1,
                         .replace_root = true,
                         .root_scale = profile == GRAZE_COLLADA_MOVEIT ? 1.0 : facts->unit,
                         .up = profile == GRAZE_COLLADA_SPEC ? facts->up : 'z'};
    status = importer ? gz_importer_read(importer, &job, input, soup, error)
                      : gz_assimp_read(&job, input, soup, error);
    gz_free(bytes);
    return status;
}

graze_status gz_collada_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    // The importer starts up, which takes milliseconds, while this process judges the file.
    gz_importer_process process, *importer = input->options->importer ? &process : NULL;
    graze_status status = GRAZE_OK;
    if (importer) status = gz_importer_process_start(importer, input, error);
    gz_collada_facts facts;
    if (!status) status = judge_and_read(importer, &facts, input, soup, error);
    if (status || !facts.lines) return status;
    soup->skipped += facts.lines;
    gz_warn(input->warnings, "mesh-face-without-area", gz_mesh_place(input, 0),
            "%" PRIu64 " lines were left out", facts.lines);
    return GRAZE_OK;
}
