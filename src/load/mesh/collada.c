#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/collada.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"

// ----------------------------------------------------------------------------------- the document

bool gz_collada_is_hidden(const gz_xml_element *element) {
    // References there may be broken or circular.
    static const char hidden[] =
        "library_animations library_animation_clips library_controllers library_effects "
        "library_materials library_images library_lights library_cameras "
        "library_physics_materials library_physics_models library_physics_scenes "
        "library_force_fields library_joints library_kinematics_models "
        "library_kinematics_scenes library_articulated_systems library_formulas "
        "instance_light instance_camera instance_physics_scene instance_kinematics_scene "
        "bind_material evaluate_scene asset lines linestrips spline convex_mesh brep "
        "technique extra";
    return gz_is_listed(hidden, element->tag, strlen(element->tag));
}

const gz_xml_element *gz_collada_next(const gz_xml_element *element, const gz_xml_element *root) {
    if (element->first_child && !gz_collada_is_hidden(element)) return element->first_child;
    while (element != root && !element->next) element = element->parent;
    return element == root ? NULL : element->next;
}

graze_status gz_collada_add(gz_collada *c, gz_collada_ids *ids, gz_collada_id item) {
    item.id = gz_xml_get(item.element, "id");
    if (!item.id) return GRAZE_OK;
    if (!GZ_RESERVE(ids->items, ids->capacity, ids->count + 1))
        return gz_fail_memory(c->reader->error);
    ids->items[ids->count++] = item;
    return GRAZE_OK;
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(((const gz_collada_id *)a)->id, ((const gz_collada_id *)b)->id);
}

/// By id, those of one id in the order of the document.
static int compare_places(const void *a, const void *b) {
    const gz_xml_element *e = ((const gz_collada_id *)a)->element,
                         *f = ((const gz_collada_id *)b)->element;
    int ids = compare_ids(a, b);
    if (ids) return ids;
    return e->line == f->line ? e->column - f->column : e->line - f->line;
}

void gz_collada_sort(gz_collada *c, gz_collada_ids *ids) {
    if (ids->count) qsort(ids->items, ids->count, sizeof *ids->items, compare_places);
    for (size_t i = 1; i < ids->count; i++) {
        gz_collada_id *first = &ids->items[i - 1], *second = &ids->items[i];
        if (compare_ids(first, second) != 0) continue;
        first->second = second->second = second->element;
        gz_warn(c->reader->warnings, "mesh-id-twice", gz_collada_place(c, second->element),
                "an id is used twice: no matter where nothing that is read goes by it");
    }
}

graze_status gz_collada_check_once(gz_collada *c, const gz_collada_id *found) {
    if (!found->second) return GRAZE_OK;
    return gz_collada_fail(c, found->second, GRAZE_ERROR_PARSE,
                           "id '%.80s' is used twice; allowed: once in a file", found->id);
}

gz_collada_id *gz_collada_find_id(const gz_collada_ids *ids, const char *id) {
    gz_collada_id key = {.id = id};
    if (!id || !ids->count) return NULL;
    return bsearch(&key, ids->items, ids->count, sizeof *ids->items, compare_ids);
}

gz_collada_id *gz_collada_find(const gz_collada_ids *ids, const char *reference) {
    return reference && reference[0] == '#' ? gz_collada_find_id(ids, reference + 1) : NULL;
}

/// Reads unit and up axis of an <asset>; where it has none, *facts stay.
static graze_status read_asset(gz_collada *c, const gz_xml_element *asset,
                               gz_collada_facts *facts) {
    const gz_xml_element *unit = asset ? gz_xml_child(asset, "unit") : NULL;
    const gz_xml_element *up = asset ? gz_xml_child(asset, "up_axis") : NULL;
    const gz_xml_element *once[] = {asset, unit, up};
    for (int i = 0; i < 3; i++)
        if (once[i] && once[i]->namesakes > 1)
            return gz_collada_fail(c, once[i], GRAZE_ERROR_MESH, "%u of <%.40s>; allowed: one",
                                   (unsigned)once[i]->namesakes, once[i]->tag);
    const char *meter = unit ? gz_xml_get(unit, "meter") : NULL;
    double *value = &facts->unit;
    if (unit && !meter) *value = 1; // as the standard has it
    if (meter && (!gz_number_parse(meter, strlen(meter), value) || !(*value > 0 && *value <= 1e9)))
        return gz_collada_fail(c, unit, GRAZE_ERROR_RANGE,
                               "unit meter=\"%.40s\"; allowed: a number above 0, at most 1e9",
                               meter);
    if (!up) return GRAZE_OK;
    const char *text = up->text;
    if (text[0] < 'X' || text[0] > 'Z' || strcmp(text + 1, "_UP") != 0)
        return gz_collada_fail(c, up, GRAZE_ERROR_PARSE,
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
        GZ_TRY(read_asset(c, e, &own));
        if (own.unit != c->facts.unit || own.up != c->facts.up)
            return gz_collada_fail(
                c, e, GRAZE_ERROR_UNSUPPORTED,
                "the <asset> of <%.40s> says %g m and %c up, that of the file %g m "
                "and %c up; allowed: the same",
                e->parent->tag, own.unit, own.up, c->facts.unit, c->facts.up);
    }
    return GRAZE_OK;
}

graze_status gz_collada_open(gz_collada *c, gz_mesh_reader *r) {
    *c = (gz_collada){.reader = r, .facts = {.unit = 1.0, .up = 'y'}};
    r->lines_name = "lines";
    if (memchr(r->bytes, '\0', r->size))
        return gz_mesh_fail(r, 0, GRAZE_ERROR_UNSUPPORTED,
                            "a zero byte (UTF-16?); allowed: UTF-8 and other one-byte encodings");
    GZ_TRY(gz_xml_parse(&c->document, r->bytes, r->size, r->path, &r->options->limits, r->error));
    if (gz_xml_blanks_before(r->bytes, r->size))
        gz_warn(r->warnings, "mesh-blank-before-xml", gz_mesh_place(r, 1),
                "blanks or line breaks stand in front of <?xml: left out");
    c->root = gz_xml_root(c->document);
    if (!gz_xml_is(c->root, "COLLADA"))
        return gz_collada_fail(c, c->root, GRAZE_ERROR_PARSE, "<%.40s>; allowed: <COLLADA>",
                               c->root->tag);
    GZ_TRY(read_asset(c, gz_xml_child(c->root, "asset"), &c->facts));
    GZ_TRY(check_assets(c));
    GZ_TRY(gz_collada_check_geometry(c));
    GZ_TRY(gz_collada_check_nodes(c));
    return gz_collada_check_places(c);
}

void gz_collada_close(gz_collada *c) {
    for (size_t i = 0; i < c->arrays.count; i++) gz_free(c->arrays.items[i].values);
    for (size_t i = 0; i < c->primitive_count; i++) {
        gz_free(c->primitives[i].corners);
        gz_free(c->primitives[i].sizes);
    }
    gz_free(c->primitives);
    gz_free(c->arrays.items);
    gz_free(c->sources.items);
    gz_free(c->vertices.items);
    gz_free(c->geometries.items);
    gz_free(c->nodes.items);
    gz_xml_free(c->document);
}

// ------------------------------------------------------------------------------------------- read

/// The turn from the file's axes to x right, y in, z up, by a scale. The standard gives right, up
/// and out of the screen: -y x z for X_UP, x y z for Y_UP, x z -y for Z_UP.
static gz_affine start(double s, char up) {
    if (up == 'x') return (gz_affine){{{0, -s, 0, 0}, {0, 0, -s, 0}, {s, 0, 0, 0}}};
    if (up == 'y') return (gz_affine){{{s, 0, 0, 0}, {0, 0, -s, 0}, {0, s, 0, 0}}};
    return gz_affine_scale(s);
}

graze_status gz_collada_read(gz_mesh_reader *r) {
    gz_collada c;
    graze_status status = gz_collada_open(&c, r);
    // Numbers of two bytes in the text become eight.
    if (!status) status = gz_mesh_check_memory(r, 4 * (uint64_t)r->size, "Collada");
    graze_collada profile = r->options->collada;
    r->soup->unit = c.facts.unit;
    r->soup->up = c.facts.up;
    gz_affine first = start(profile == GRAZE_COLLADA_MOVEIT ? 1.0 : c.facts.unit,
                            profile == GRAZE_COLLADA_SPEC ? c.facts.up : 'z');
    if (!status) status = gz_collada_append_scene(&c, &first);
    gz_collada_close(&c);
    return status;
}
