#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/collada.h"
#include "load/mesh/mesh_formats.h"
#include "load/token.h"

// ----------------------------------------------------------------------------------
// the document

bool gz_collada_is_hidden(const gz_xml_element *element) {
    // References there may be broken or circular.
    static const char *const hidden[] = {
        "library_animations",
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
        "library_formulas",
        "instance_light",
        "instance_camera",
        "instance_physics_scene",
        "instance_kinematics_scene",
        "bind_material",
        "evaluate_scene",
        "asset",
        "lines",
        "linestrips",
        "spline",
        "convex_mesh",
        "brep",
        "technique",
        "extra",
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (gz_xml_is(element, hidden[i])) return true;
    return false;
}

const gz_xml_element *gz_collada_next(const gz_xml_element *element, const gz_xml_element *root) {
    if (element->first_child && !gz_collada_is_hidden(element)) return element->first_child;
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
    ids->items[ids->count++] = (struct gz_collada_id){id, element, count, NULL};
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

struct gz_collada_id *gz_collada_find(const gz_collada_ids *ids, const char *reference) {
    if (!reference || reference[0] != '#' || !ids->count) return NULL;
    struct gz_collada_id key = {.id = reference + 1};
    return bsearch(&key, ids->items, ids->count, sizeof *ids->items, compare_ids);
}

/// What an <asset> says of unit and up axis; where it says nothing, *facts stay.
static graze_status read_asset(gz_collada *c, const gz_xml_element *asset,
                               gz_collada_facts *facts) {
    const gz_xml_element *unit = asset ? gz_xml_child(asset, "unit") : NULL;
    const gz_xml_element *up = asset ? gz_xml_child(asset, "up_axis") : NULL;
    const gz_xml_element *once[] = {asset, unit, up};
    for (int i = 0; i < 3; i++)
        if (once[i] && once[i]->namesakes > 1)
            return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, once[i]),
                              "%u of <%.40s>; allowed: one", (unsigned)once[i]->namesakes,
                              once[i]->tag);
    const char *meter = unit ? gz_xml_get(unit, "meter") : NULL;
    double *value = &facts->unit;
    if (unit && !meter) *value = 1; // as the standard has it
    if (meter && (!gz_number_parse(meter, strlen(meter), value) || !(*value > 0 && *value <= 1e9)))
        return gz_fail_at(c->error, GRAZE_ERROR_RANGE, gz_collada_place(c, unit),
                          "unit meter=\"%.40s\"; allowed: a number above 0, at most 1e9", meter);
    if (!up) return GRAZE_OK;
    const char *text = up->text;
    if (text[0] < 'X' || text[0] > 'Z' || strcmp(text + 1, "_UP") != 0)
        return gz_fail_at(c->error, GRAZE_ERROR_PARSE, gz_collada_place(c, up),
                          "up_axis '%.40s'; allowed: X_UP, Y_UP or Z_UP", text);
    facts->up = (char)(text[0] - 'X' + 'x');
    return GRAZE_OK;
}

/// The standard lets libraries, geometries and scenes have a unit and an up axis of their own. Only
/// the file's are read: others are refused.
static graze_status check_assets(gz_collada *c) {
    for (const gz_xml_element *e = c->root; e; e = gz_collada_next(e, c->root)) {
        if (!gz_xml_is(e, "asset") || e->parent == c->root) continue;
        gz_collada_facts own = c->facts;
        graze_status status = read_asset(c, e, &own);
        if (status) return status;
        if (own.unit != c->facts.unit || own.up != c->facts.up)
            return gz_fail_at(c->error, GRAZE_ERROR_UNSUPPORTED, gz_collada_place(c, e),
                              "the <asset> of <%.40s> says %g m and %c up, that of the file %g m "
                              "and %c up; allowed: the same",
                              e->parent->tag, own.unit, own.up, c->facts.unit, c->facts.up);
    }
    return GRAZE_OK;
}

graze_status gz_collada_open(gz_collada *c, const gz_mesh_input *input, graze_error *error) {
    *c = (gz_collada){.input = input, .error = error, .facts = {.unit = 1.0, .up = 'y'}};
    if (memchr(input->bytes, '\0', input->size))
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(input, 0),
                          "a zero byte (UTF-16?); allowed: UTF-8 and other one-byte encodings");
    graze_status status = gz_xml_parse(&c->document, input->bytes, input->size, input->path,
                                       &input->options->limits, error);
    if (status) return status;
    c->root = gz_xml_root(c->document);
    if (!gz_xml_is(c->root, "COLLADA"))
        return gz_fail_at(error, GRAZE_ERROR_PARSE, gz_collada_place(c, c->root),
                          "<%.40s>; allowed: <COLLADA>", c->root->tag);
    status = read_asset(c, gz_xml_child(c->root, "asset"), &c->facts);
    if (!status) status = check_assets(c);
    if (!status) status = gz_collada_check_geometry(c);
    if (!status) status = gz_collada_check_nodes(c);
    if (!status) status = gz_collada_check_places(c);
    return status;
}

void gz_collada_close(gz_collada *c) {
    for (size_t i = 0; i < c->arrays.count; i++) gz_free(c->arrays.items[i].values);
    gz_free(c->arrays.items);
    gz_free(c->sources.items);
    gz_free(c->vertices.items);
    gz_free(c->geometries.items);
    gz_free(c->nodes.items);
    gz_xml_free(c->document);
}

// -----------------------------------------------------------------------------------------
// read

/// The turn from the file's axes to x right, y in, z up, by a scale. The
/// standard gives right, up and out of the screen: -y x z for X_UP, x y z for
/// Y_UP, x z -y for Z_UP.
static gz_affine start(double s, char up) {
    if (up == 'x') return (gz_affine){{{0, -s, 0, 0}, {0, 0, -s, 0}, {s, 0, 0, 0}}};
    if (up == 'y') return (gz_affine){{{s, 0, 0, 0}, {0, 0, -s, 0}, {0, s, 0, 0}}};
    return gz_affine_scale(s);
}

graze_status gz_collada_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_collada c;
    graze_status status = gz_collada_open(&c, input, error);
    // Numbers of two bytes in the text become eight.
    if (!status) status = gz_mesh_check_memory(input, 4 * (uint64_t)input->size, "Collada", error);
    graze_collada profile = input->options->collada;
    gz_affine first = start(profile == GRAZE_COLLADA_MOVEIT ? 1.0 : c.facts.unit,
                            profile == GRAZE_COLLADA_SPEC ? c.facts.up : 'z');
    if (!status) status = gz_collada_append_scene(&c, &first, soup);
    if (!status && c.facts.lines) {
        soup->skipped += c.facts.lines;
        gz_warn(input->warnings, "mesh-face-without-area", gz_mesh_place(input, 0),
                "%" PRIu64 " lines were left out", c.facts.lines);
    }
    gz_collada_close(&c);
    return status;
}
