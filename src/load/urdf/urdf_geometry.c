#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/package.h"
#include "load/token.h"
#include "load/urdf/urdf_internal.h"

#define MOST_SIZE 0x1p20 // metres; what the contract allows of a coordinate

// --------------------------------------------------------------------------------------- shapes

/// Why an element has no usable shape: what is said, and where.
typedef struct fault {
    const gz_xml_element *at;
    char message[256];
} fault;

#define SHAPES "box sphere cylinder capsule mesh"

static int shape_kind(const gz_xml_element *element) {
    static const char *const tags[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
    static const graze_shape kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                        GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_MESH};
    for (int i = 0; i < 5; i++)
        if (gz_xml_is(element, tags[i])) return (int)kinds[i];
    return -1;
}

static const gz_xml_element *fault_at(fault *f, const gz_xml_element *at, const char *format,
                                      const char *tag) {
    f->at = at;
    snprintf(f->message, sizeof f->message, format, tag);
    return NULL;
}

/// The one shape of a `<visual>` or `<collision>`; NULL with a fault when it is not one.
static const gz_xml_element *find_shape(const gz_xml_element *element, fault *f) {
    const gz_xml_element *geometry = gz_xml_child(element, "geometry");
    if (!geometry)
        return fault_at(f, element, "<%s> has no <geometry>; allowed: exactly one", element->tag);
    const gz_xml_element *second = gz_xml_next(geometry);
    if (second)
        return fault_at(f, second, "<%s> holds a second <geometry>; allowed: one", element->tag);
    const gz_xml_element *shape = NULL, *extension = NULL;
    for (const gz_xml_element *e = geometry->first_child; e; e = e->next) {
        if (shape_kind(e) < 0) {
            if (!gz_xml_is_extension(e->tag))
                return fault_at(f, e, "<%.100s> is no shape; allowed: one of " SHAPES, e->tag);
            extension = e;
        } else if (shape) {
            return fault_at(f, e, "<geometry> holds a second shape, <%s>; allowed: one", e->tag);
        } else {
            shape = e;
        }
    }
    if (!shape && extension)
        return fault_at(f, extension, "<%.100s> is no shape; allowed: one of " SHAPES,
                        extension->tag);
    if (!shape)
        return fault_at(f, geometry, "<%s> is empty; allowed: one of " SHAPES, geometry->tag);
    return shape;
}

static graze_status read_sizes(const gz_xml_source *source, const gz_xml_element *shape,
                               const char *name, double *values, size_t count) {
    graze_status status = gz_xml_numbers(source, shape, name, values, count, NULL);
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        if (values[i] <= 0)
            status = gz_xml_fail(source, shape, GRAZE_ERROR_RANGE,
                                 "%s of <%s> is %g; allowed: above 0", name, shape->tag, values[i]);
        else if (values[i] > MOST_SIZE)
            status = gz_xml_fail(source, shape, GRAZE_ERROR_RANGE,
                                 "%s of <%s> is %g; allowed: up to 1048576", name, shape->tag,
                                 values[i]);
    }
    return status;
}

static graze_status read_scale(const gz_xml_source *source, const gz_xml_element *shape,
                               double scale[3]) {
    bool present;
    scale[0] = scale[1] = scale[2] = 1;
    graze_status status = gz_xml_numbers(source, shape, "scale", scale, 3, &present);
    for (int i = 0; i < 3 && status == GRAZE_OK; i++)
        if (scale[i] == 0 || fabs(scale[i]) > MOST_SIZE)
            status = gz_xml_fail(source, shape, GRAZE_ERROR_RANGE,
                                 "scale of <mesh> holds %g; allowed: magnitudes above 0, up to "
                                 "1048576 (negative mirrors)",
                                 scale[i]);
    return status;
}

static graze_status read_shape(const gz_urdf_reader *reader, const gz_xml_element *shape,
                               gz_geometry_input *input) {
    const gz_xml_source *source = &reader->source;
    graze_status status = GRAZE_OK;
    input->shape = (graze_shape)shape_kind(shape);
    switch (input->shape) {
    case GRAZE_SHAPE_BOX:
        gz_xml_report_unknown(source, shape, "", "size");
        return read_sizes(source, shape, "size", input->size, 3);
    case GRAZE_SHAPE_SPHERE:
        gz_xml_report_unknown(source, shape, "", "radius");
        return read_sizes(source, shape, "radius", &input->radius, 1);
    case GRAZE_SHAPE_MESH:
        gz_xml_report_unknown(source, shape, "", "filename scale");
        status = gz_xml_require(source, shape, "filename", &input->uri);
        return status == GRAZE_OK ? read_scale(source, shape, input->scale) : status;
    default:
        gz_xml_report_unknown(source, shape, "", "radius length");
        if (input->shape == GRAZE_SHAPE_CAPSULE) gz_urdf_since(reader, shape, 12, "<capsule>");
        status = read_sizes(source, shape, "radius", &input->radius, 1);
        return status == GRAZE_OK ? read_sizes(source, shape, "length", &input->length, 1) : status;
    }
}

// --------------------------------------------------------------------------------------- meshes

/// Completes the error of a mesh file with who needed it: the file at fault stays the mesh.
static void name_the_user(const gz_xml_source *source, const gz_xml_element *shape,
                          const char *path, graze_error *error) {
    if (!error) return;
    char element[GRAZE_PATH_SIZE], message[GRAZE_MESSAGE_SIZE];
    gz_xml_path(shape, element, sizeof element);
    gz_error_locate(error, (gz_place){.file = path, .element = element});
    snprintf(message, sizeof message, "%.700s (needed by %.200s:%d)", error->message, source->file,
             (int)shape->line);
    memcpy(error->message, message, sizeof message);
}

static graze_status resolve(const gz_urdf_reader *reader, const gz_xml_element *shape, char **path,
                            graze_error *error) {
    char element[GRAZE_PATH_SIZE];
    return gz_package_resolve(path, gz_xml_get(shape, "filename"), reader->base_dir,
                              reader->options, reader->source.warnings,
                              gz_xml_place(&reader->source, shape, element), error);
}

static graze_status read_mesh(gz_urdf_reader *reader, const gz_xml_element *shape, const char *path,
                              const double scale[3], gz_soup **soup, graze_error *error) {
    graze_status status = gz_mesh_file_read(soup, path, scale, reader->options, &reader->budget,
                                            reader->source.warnings, error);
    if (status != GRAZE_OK && status != GRAZE_ERROR_NO_MEMORY)
        name_the_user(&reader->source, shape, path, error);
    return status;
}

static gz_soup *copy_soup(const gz_soup *soup) {
    gz_soup *copy = gz_soup_create();
    if (!copy || !gz_soup_reserve(copy, soup->vertex_count, soup->triangle_count)) {
        gz_soup_free(copy);
        return NULL;
    }
    if (soup->vertex_count)
        memcpy(copy->vertices, soup->vertices, soup->vertex_count * 3 * sizeof *soup->vertices);
    if (soup->triangle_count)
        memcpy(copy->triangles, soup->triangles,
               soup->triangle_count * 3 * sizeof *soup->triangles);
    copy->vertex_count = soup->vertex_count;
    copy->triangle_count = soup->triangle_count;
    copy->skipped = soup->skipped;
    return copy;
}

/// A mesh that only pictures need: what is wrong with it is a warning, unless the whole load is.
static graze_status visual_mesh(gz_urdf_reader *reader, const gz_xml_element *shape,
                                gz_geometry_input *input, char **path) {
    if (reader->options->visuals == GRAZE_VISUALS_SKIP) return GRAZE_OK;
    graze_error why;
    const char *code = "visual-not-found";
    graze_status status = resolve(reader, shape, path, &why);
    if (status == GRAZE_OK && reader->options->visuals == GRAZE_VISUALS_LOAD) {
        code = "visual-unreadable";
        status = read_mesh(reader, shape, *path, input->scale, &input->soup, &why);
    }
    if (status == GRAZE_ERROR_NO_MEMORY) return gz_fail_memory(reader->source.error);
    if (status == GRAZE_ERROR_LIMIT) {
        if (reader->source.error) *reader->source.error = why;
        return status;
    }
    if (status != GRAZE_OK)
        gz_xml_warn(&reader->source, shape, code, "visual mesh is left out: %s", why.message);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- elements

/// Hands a geometry to the builder, which takes the soup.
static graze_status add(gz_urdf_reader *reader, const gz_xml_element *element,
                        gz_geometry_input *input) {
    uint32_t most = reader->options->limits.elements;
    graze_status status = GRAZE_OK;
    if (reader->geometries >= most) {
        status = gz_xml_fail(&reader->source, element, GRAZE_ERROR_LIMIT,
                             "more than %u geometries; allowed: at most %u (limits.elements)",
                             (unsigned)most, (unsigned)most);
        gz_soup_free(input->soup);
    } else {
        reader->geometries++;
        status = gz_builder_add_geometry(reader->builder, input, reader->source.error);
        if (status != GRAZE_OK && reader->source.error) {
            char path[GRAZE_PATH_SIZE];
            gz_error_locate(reader->source.error, gz_xml_place(&reader->source, element, path));
        }
    }
    input->soup = NULL;
    return status;
}

/// What `<visual>` and `<collision>` have in common. *shape is NULL, with the fault, where there is
/// no usable shape.
static graze_status read_common(const gz_urdf_reader *reader, const gz_xml_element *element,
                                int32_t link, gz_geometry_input *input,
                                const gz_xml_element **shape, fault *f) {
    *input = (gz_geometry_input){.link = link,
                                 .name = gz_xml_get(element, "name"),
                                 .scale = {1, 1, 1},
                                 .at = gz_urdf_line(element)};
    *shape = find_shape(element, f);
    graze_status status = gz_urdf_origin(reader, element, &input->origin);
    if (status != GRAZE_OK || !*shape) return status;
    gz_xml_report_unknown(&reader->source, (*shape)->parent, SHAPES, "");
    return read_shape(reader, *shape, input);
}

static graze_status read_collision(gz_urdf_reader *reader, const gz_xml_element *element,
                                   int32_t link, bool used) {
    gz_geometry_input input;
    const gz_xml_element *shape;
    fault f;
    gz_xml_report_unknown(&reader->source, element, "origin geometry", "name");
    graze_status status = read_common(reader, element, link, &input, &shape, &f);
    if (status == GRAZE_OK && !shape)
        status = gz_xml_fail(&reader->source, f.at, GRAZE_ERROR_SCHEMA, "%s", f.message);
    if (status != GRAZE_OK || !used) return status;
    char *path = NULL;
    if (input.shape == GRAZE_SHAPE_MESH) {
        status = resolve(reader, shape, &path, reader->source.error);
        if (status == GRAZE_OK)
            status = read_mesh(reader, shape, path, input.scale, &input.soup, reader->source.error);
        input.file = path;
    }
    if (status == GRAZE_OK) status = add(reader, element, &input);
    gz_free(path);
    return status;
}

/// A visual that stands in for collision geometry: it is added twice, once for each use.
static graze_status add_stand_in(gz_urdf_reader *reader, const gz_xml_element *element,
                                 const gz_xml_element *shape, gz_geometry_input *input) {
    graze_status status = GRAZE_OK;
    char *path = NULL;
    gz_soup *shown = NULL;
    if (input->shape == GRAZE_SHAPE_MESH) {
        status = resolve(reader, shape, &path, reader->source.error);
        if (status == GRAZE_OK)
            status = read_mesh(reader, shape, path, input->scale, &input->soup,
                               reader->source.error);
        input->file = path;
        if (status == GRAZE_OK && reader->options->visuals == GRAZE_VISUALS_LOAD) {
            shown = copy_soup(input->soup);
            if (!shown) status = gz_fail_memory(reader->source.error);
        }
    }
    if (status == GRAZE_OK) {
        input->visual = false;
        status = add(reader, element, input);
    }
    gz_soup_free(input->soup);
    input->soup = shown;
    if (status == GRAZE_OK) {
        input->visual = true;
        status = add(reader, element, input);
    }
    gz_soup_free(input->soup);
    gz_free(path);
    return status;
}

static graze_status read_visual(gz_urdf_reader *reader, const gz_xml_element *element, int32_t link,
                                bool needed) {
    gz_geometry_input input;
    const gz_xml_element *shape;
    fault f;
    gz_xml_report_unknown(&reader->source, element, "origin geometry material", "name");
    graze_status status = read_common(reader, element, link, &input, &shape, &f);
    if (status != GRAZE_OK) return status;
    if (!shape && needed)
        return gz_xml_fail(&reader->source, f.at, GRAZE_ERROR_SCHEMA, "%s", f.message);
    if (!shape) {
        gz_xml_warn(&reader->source, f.at, "bad-visual", "<visual> is left out: %s", f.message);
        return GRAZE_OK;
    }
    gz_urdf_visual_color(reader, element, &input.has_color, input.color);
    if (needed) return add_stand_in(reader, element, shape, &input);
    char *path = NULL;
    input.visual = true;
    if (input.shape == GRAZE_SHAPE_MESH) status = visual_mesh(reader, shape, &input, &path);
    input.file = path;
    if (status == GRAZE_OK) status = add(reader, element, &input);
    gz_soup_free(input.soup);
    gz_free(path);
    return status;
}

static void report_missing(const gz_urdf_reader *reader, const gz_xml_element *element,
                           bool has_visual, bool has_collision) {
    const char *name = gz_xml_get(element, "name");
    if (reader->options->use_visual == GRAZE_USE_VISUAL_ALWAYS) {
        if (has_collision && !has_visual)
            gz_xml_warn(&reader->source, element, "no-visual",
                        "link %.200s has <collision> but no <visual>: it cannot collide, as "
                        "visuals are to be used always",
                        name);
    } else if (has_visual && !has_collision &&
               reader->options->use_visual == GRAZE_USE_VISUAL_NEVER) {
        gz_xml_warn(&reader->source, element, "no-collision",
                    "link %.200s has <visual> but no <collision>: it CANNOT COLLIDE, unless "
                    "visuals are to be used (--use-visual missing)",
                    name);
    }
}

graze_status gz_urdf_read_geometries(gz_urdf_reader *reader, const gz_xml_element *element,
                                     int32_t link) {
    bool has_visual = gz_xml_child(element, "visual") != NULL;
    bool has_collision = gz_xml_child(element, "collision") != NULL;
    graze_use_visual use = reader->options->use_visual;
    bool stand_in = use == GRAZE_USE_VISUAL_ALWAYS ||
                    (use == GRAZE_USE_VISUAL_MISSING && !has_collision);
    report_missing(reader, element, has_visual, has_collision);
    graze_status status = GRAZE_OK;
    for (const gz_xml_element *e = element->first_child; e && status == GRAZE_OK; e = e->next) {
        if (gz_xml_is(e, "collision"))
            status = read_collision(reader, e, link, use != GRAZE_USE_VISUAL_ALWAYS);
        else if (gz_xml_is(e, "visual"))
            status = read_visual(reader, e, link, stand_in);
    }
    return status;
}

// -------------------------------------------------------------------------------------- materials

// Colours never stop a load.

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

static graze_status add_material(gz_urdf_reader *reader, const gz_xml_element *element,
                                 bool global) {
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
        status = add_material(reader, e, true);
    }
    for (e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        for (visual = gz_xml_child(e, "visual"); visual; visual = gz_xml_next(visual)) {
            material = gz_xml_child(visual, "material");
            if (material && gz_xml_child(material, "color") && status == GRAZE_OK)
                status = add_material(reader, material, false);
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
static const gz_urdf_material *find_material(const gz_urdf_reader *reader, const char *name) {
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
    const gz_urdf_material *named = name ? find_material(reader, name) : NULL;
    if (named)
        *has_color = read_color(&reader->source, named->element, color);
    else if (!gz_xml_child(material, "texture"))
        gz_xml_warn(&reader->source, material, "undefined-material",
                    "material \"%.200s\" is not defined: no colour", name ? name : "");
}
