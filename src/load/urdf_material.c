// Colours. Nothing here can stop a load: a colour is never worth a robot.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "load/urdf/urdf_internal.h"

/// The colour that a `<material>` itself gives; false when it gives none.
static bool read_color(const gz_xml_source *source, const gz_xml_element *material,
                       double color[4]) {
    const gz_xml_element *e = gz_xml_child(material, "color");
    if (!e) return false;
    const char *text = gz_xml_get(e, "rgba");
    graze_error why = {.message = "it has no rgba"};
    double rgba[4];
    if (!text || gz_numbers_parse(text, rgba, 4, NULL, &why) != GRAZE_OK) {
        gz_xml_warn(source, e, "bad-material", "<color> is left out: %s", why.message);
        return false;
    }
    for (int i = 0; i < 4; i++) {
        color[i] = rgba[i] < 0 ? 0 : rgba[i] > 1 ? 1 : rgba[i];
        if (rgba[i] < 0 || rgba[i] > 1)
            gz_xml_warn(source, e, "bad-material", "rgba holds %g: clipped; allowed: 0 to 1",
                        rgba[i]);
    }
    return true;
}

// ------------------------------------------------------------------------------ materials by name

static graze_status add(gz_urdf_reader *reader, const gz_xml_element *element, bool global) {
    const char *name = gz_xml_get(element, "name");
    if (!name || !*name) return GRAZE_OK;
    if (!gz_array_reserve((void **)&reader->materials, &reader->material_capacity,
                          reader->material_count + 1, sizeof *reader->materials))
        return gz_fail_memory(reader->source.error);
    reader->materials[reader->material_count] = (gz_urdf_material){name, element,
                                                                   reader->material_count, global};
    reader->material_count++;
    return GRAZE_OK;
}

static int by_name_then_order(const void *a, const void *b) {
    const gz_urdf_material *m = a, *n = b;
    int names = strcmp(m->name, n->name);
    return names ? names : (m->order > n->order) - (m->order < n->order);
}

graze_status gz_urdf_collect_materials(gz_urdf_reader *reader, const gz_xml_element *root) {
    graze_status status = GRAZE_OK;
    const gz_xml_element *e, *visual, *material;
    for (e = gz_xml_child(root, "material"); e && status == GRAZE_OK; e = gz_xml_next(e)) {
        gz_xml_report_unknown(&reader->source, e, "color texture", "name");
        if (!gz_xml_get(e, "name"))
            gz_xml_warn(&reader->source, e, "bad-material",
                        "<material> without a name at the top of the file is left out");
        status = add(reader, e, true);
    }
    for (e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        for (visual = gz_xml_child(e, "visual"); visual; visual = gz_xml_next(visual)) {
            material = gz_xml_child(visual, "material");
            if (material && gz_xml_child(material, "color") && status == GRAZE_OK)
                status = add(reader, material, false);
        }
    if (status != GRAZE_OK || !reader->material_count) return status;
    qsort(reader->materials, reader->material_count, sizeof *reader->materials, by_name_then_order);
    for (size_t i = 1; i < reader->material_count; i++) {
        const gz_urdf_material *m = &reader->materials[i];
        if (m->global && strcmp(m->name, m[-1].name) == 0)
            gz_xml_warn(&reader->source, m->element, "duplicate-material",
                        "material %.200s is defined twice: the first one counts", m->name);
    }
    return GRAZE_OK;
}

/// The first material of that name, or NULL.
static const gz_urdf_material *find(const gz_urdf_reader *reader, const char *name) {
    size_t low = 0, high = reader->material_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(reader->materials[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool same = low < reader->material_count && strcmp(reader->materials[low].name, name) == 0;
    return same ? &reader->materials[low] : NULL;
}

void gz_urdf_visual_color(const gz_urdf_reader *reader, const gz_xml_element *visual,
                          bool *has_color, double color[4]) {
    *has_color = false;
    const gz_xml_element *material = gz_xml_child(visual, "material");
    if (!material) return;
    gz_xml_report_unknown(&reader->source, material, "color texture", "name");
    const gz_xml_element *second = gz_xml_next(material);
    if (second)
        gz_xml_warn(&reader->source, second, "bad-material",
                    "second <material> of a <visual> is left out");
    *has_color = read_color(&reader->source, material, color);
    const char *name = gz_xml_get(material, "name");
    if (*has_color || (!name && gz_xml_child(material, "texture"))) return;
    const gz_urdf_material *named = name ? find(reader, name) : NULL;
    if (named)
        *has_color = read_color(&reader->source, named->element, color);
    else if (!gz_xml_child(material, "texture"))
        gz_xml_warn(&reader->source, material, "undefined-material",
                    "material \"%.200s\" is not defined: no colour", name ? name : "");
}
