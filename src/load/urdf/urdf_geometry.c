#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/token.h"
#include "load/urdf/urdf.h"
#include "mesh/shape.h"

#define MOST_SIZE 0x1p20 // metres; what the contract allows of a coordinate

// --------------------------------------------------------------------------------------- shapes

/// Why an element has no usable shape: the message, and where.
typedef struct fault {
    const gz_xml_element *at;
    char message[256];
} fault;

#define SHAPES "box sphere cylinder capsule mesh"

static int shape_kind(const gz_xml_element *element) {
    static const graze_shape kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                        GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_MESH};
    int index = gz_index_in_list(SHAPES, element->tag, strlen(element->tag));
    return index < 0 ? -1 : (int)kinds[index];
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

static graze_status read_scale(const gz_xml_source *source, const gz_xml_element *shape,
                               double scale[3]) {
    bool present;
    scale[0] = scale[1] = scale[2] = 1;
    GZ_TRY(gz_xml_numbers(source, shape, "scale", scale, 3, &present));
    for (int i = 0; i < 3; i++)
        if (scale[i] == 0 || fabs(scale[i]) > MOST_SIZE)
            return gz_xml_fail(source, shape, GRAZE_ERROR_RANGE,
                               "scale of <mesh> holds %g; allowed: magnitudes above 0, up to "
                               "1048576 (negative mirrors)",
                               scale[i]);
    return GRAZE_OK;
}

static graze_status read_primitive(const gz_urdf_reader *r, const gz_xml_element *shape,
                                   gz_geometry_input *input) {
    const gz_xml_source *source = &r->source;
    switch (input->shape) {
    case GRAZE_SHAPE_BOX:
        gz_xml_report_unknown(source, shape, "", "size");
        GZ_TRY(gz_xml_numbers(source, shape, "size", input->size, 3, NULL));
        break;
    case GRAZE_SHAPE_SPHERE:
        gz_xml_report_unknown(source, shape, "", "radius");
        GZ_TRY(gz_xml_numbers(source, shape, "radius", &input->radius, 1, NULL));
        break;
    default:
        gz_xml_report_unknown(source, shape, "", "radius length");
        if (input->shape == GRAZE_SHAPE_CAPSULE) gz_urdf_since(r, shape, 12, "<capsule>");
        GZ_TRY(gz_xml_numbers(source, shape, "radius", &input->radius, 1, NULL));
        GZ_TRY(gz_xml_numbers(source, shape, "length", &input->length, 1, NULL));
    }
    graze_status status = gz_shape_check(input->shape, input->size, input->radius, input->length,
                                         source->error);
    if (status) gz_error_locate(source->error, GZ_XML_PLACE(source, shape));
    return status;
}

static graze_status read_shape(const gz_urdf_reader *r, const gz_xml_element *shape,
                               gz_geometry_input *input) {
    const gz_xml_source *source = &r->source;
    input->shape = (graze_shape)shape_kind(shape);
    if (input->shape != GRAZE_SHAPE_MESH) return read_primitive(r, shape, input);
    gz_xml_report_unknown(source, shape, "", "filename scale");
    GZ_TRY(gz_xml_require(source, shape, "filename", &input->uri));
    return read_scale(source, shape, input->scale);
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

static graze_status resolve(const gz_urdf_reader *r, const gz_xml_element *shape, char **path,
                            graze_error *error) {
    return gz_package_resolve(path, gz_xml_get(shape, "filename"), r->base_dir, r->options,
                              r->packages, r->source.warnings, GZ_XML_PLACE(&r->source, shape),
                              error);
}

static graze_status read_mesh(gz_urdf_reader *r, const gz_xml_element *shape, const char *path,
                              const double scale[3], gz_soup **soup, graze_error *error) {
    graze_status status = gz_mesh_file_read(soup, path, scale, r->options, &r->budget,
                                            r->source.warnings, error);
    if (status && status != GRAZE_ERROR_NO_MEMORY) name_the_user(&r->source, shape, path, error);
    return status;
}

/// The mesh of a shape that collides, if it is one. Free *path when `input` is no longer used.
static graze_status collision_mesh(gz_urdf_reader *r, const gz_xml_element *shape,
                                   gz_geometry_input *input, char **path) {
    if (input->shape != GRAZE_SHAPE_MESH) return GRAZE_OK;
    GZ_TRY(resolve(r, shape, path, r->source.error));
    input->file = *path;
    return read_mesh(r, shape, *path, input->scale, &input->soup, r->source.error);
}

/// Whether an error, in r->source.error, ends the load even where only pictures suffer.
static bool is_fatal(graze_status status) {
    return status == GRAZE_ERROR_NO_MEMORY || status == GRAZE_ERROR_LIMIT;
}

/// A mesh that only pictures need: what is wrong with it is a warning, unless the whole load is.
static graze_status visual_mesh(gz_urdf_reader *r, const gz_xml_element *shape,
                                gz_geometry_input *input, char **path) {
    if (r->options->visuals == GRAZE_VISUALS_SKIP) return GRAZE_OK;
    graze_error *why = r->source.error;
    const char *code = "visual-not-found";
    graze_status status = resolve(r, shape, path, why);
    if (!status && r->options->visuals == GRAZE_VISUALS_LOAD) {
        code = "visual-unreadable";
        status = read_mesh(r, shape, *path, input->scale, &input->soup, why);
    }
    if (!status || is_fatal(status)) return status;
    gz_xml_warn(&r->source, shape, code, "visual mesh is left out: %s", why->message);
    return GRAZE_OK;
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

static graze_status add_material(gz_urdf_reader *r, const gz_xml_element *element, bool global) {
    const char *name = gz_xml_get(element, "name");
    if (!name || !*name) return GRAZE_OK;
    if (!GZ_RESERVE(r->materials, r->material_capacity, r->material_count + 1))
        return gz_fail_memory(r->source.error);
    r->materials[r->material_count] = (gz_urdf_material){name, element, r->material_count, global};
    r->material_count++;
    return GRAZE_OK;
}

static int by_name_then_order(const void *a, const void *b) {
    const gz_urdf_material *m = a, *n = b;
    int names = strcmp(m->name, n->name);
    return names ? names : (m->order > n->order) - (m->order < n->order);
}

graze_status gz_urdf_collect_materials(gz_urdf_reader *r, const gz_xml_element *root) {
    const gz_xml_element *e, *visual, *material;
    for (e = gz_xml_child(root, "material"); e; e = gz_xml_next(e)) {
        gz_xml_report_unknown(&r->source, e, "color texture", "name");
        if (!gz_xml_get(e, "name"))
            gz_xml_warn(&r->source, e, "bad-material",
                        "<material> without a name at the top of the file is left out");
        GZ_TRY(add_material(r, e, true));
    }
    for (e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        for (visual = gz_xml_child(e, "visual"); visual; visual = gz_xml_next(visual)) {
            material = gz_xml_child(visual, "material");
            if (material && gz_xml_child(material, "color"))
                GZ_TRY(add_material(r, material, false));
        }
    if (!r->material_count) return GRAZE_OK;
    qsort(r->materials, r->material_count, sizeof *r->materials, by_name_then_order);
    size_t kept = 1;
    for (size_t i = 1; i < r->material_count; i++) {
        const gz_urdf_material m = r->materials[i];
        if (strcmp(m.name, r->materials[kept - 1].name) != 0)
            r->materials[kept++] = m;
        else if (m.global)
            gz_xml_warn(&r->source, m.element, "duplicate-material",
                        "material %.200s is defined twice: the first one counts", m.name);
    }
    r->material_count = kept;
    return GRAZE_OK;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const gz_urdf_material *)a)->name, ((const gz_urdf_material *)b)->name);
}

/// The colour of a visual's `<material>`, if it has one; trouble with it is a warning.
static void visual_color(const gz_urdf_reader *r, const gz_xml_element *visual, bool *has_color,
                         double color[4]) {
    *has_color = false;
    const gz_xml_element *material = gz_xml_child(visual, "material");
    if (!material) return;
    gz_xml_report_unknown(&r->source, material, "color texture", "name");
    const gz_xml_element *second = gz_xml_next(material);
    if (second)
        gz_xml_warn(&r->source, second, "bad-material",
                    "second <material> of a <visual> is left out");
    *has_color = read_color(&r->source, material, color);
    const char *name = gz_xml_get(material, "name");
    if (*has_color || (!name && gz_xml_child(material, "texture"))) return;
    const gz_urdf_material key = {.name = name}, *named = NULL;
    if (name && r->material_count)
        named = bsearch(&key, r->materials, r->material_count, sizeof key, by_name);
    if (named)
        *has_color = read_color(&r->source, named->element, color);
    else if (!gz_xml_child(material, "texture"))
        gz_xml_warn(&r->source, material, "undefined-material",
                    "material \"%.200s\" is not defined: no colour", name ? name : "");
}

// ------------------------------------------------------------------------------------- elements

/// Hands a geometry to the builder, which takes the soup; what is left of it is the caller's.
static graze_status add(gz_urdf_reader *r, const gz_xml_element *element,
                        gz_geometry_input *input) {
    uint32_t most = r->options->limits.elements;
    if (r->geometries >= most)
        return gz_xml_fail(&r->source, element, GRAZE_ERROR_LIMIT,
                           "more than %u geometries; allowed: at most %u (limits.elements)",
                           (unsigned)most, (unsigned)most);
    r->geometries++;
    r->collides |= !input->visual;
    if (!input->visual && !gz_profile_fit_add(&r->fit, input))
        return gz_fail_memory(r->source.error);
    graze_status status = gz_builder_add_geometry(r->builder, input, r->source.error);
    input->soup = NULL;
    if (status) gz_error_locate(r->source.error, GZ_XML_PLACE(&r->source, element));
    return status;
}

/// What `<visual>` and `<collision>` have in common.
static graze_status read_common(const gz_urdf_reader *r, const gz_xml_element *element,
                                int32_t link, gz_geometry_input *input,
                                const gz_xml_element **shape) {
    fault f;
    *input = (gz_geometry_input){.link = link,
                                 .name = gz_xml_get(element, "name"),
                                 .scale = {1, 1, 1},
                                 .at = gz_urdf_line(element)};
    *shape = find_shape(element, &f);
    GZ_TRY(gz_urdf_origin(r, element, &input->origin));
    if (!*shape) return gz_xml_fail(&r->source, f.at, GRAZE_ERROR_SCHEMA, "%s", f.message);
    gz_xml_report_unknown(&r->source, (*shape)->parent, SHAPES, "");
    return read_shape(r, *shape, input);
}

static graze_status read_collision(gz_urdf_reader *r, const gz_xml_element *element, int32_t link,
                                   bool used) {
    gz_geometry_input input;
    const gz_xml_element *shape;
    gz_xml_report_unknown(&r->source, element, "origin geometry", "name");
    GZ_TRY(read_common(r, element, link, &input, &shape));
    if (!used) return GRAZE_OK;
    char *path = NULL;
    graze_status status = collision_mesh(r, shape, &input, &path);
    if (!status) status = add(r, element, &input);
    gz_soup_free(input.soup);
    gz_free(path);
    return status;
}

/// A visual that stands in for collision geometry: it is added twice, once for each use.
static graze_status add_stand_in(gz_urdf_reader *r, const gz_xml_element *element,
                                 const gz_xml_element *shape, gz_geometry_input *input) {
    char *path = NULL;
    gz_soup *shown = NULL;
    graze_status status = collision_mesh(r, shape, input, &path);
    if (!status && input->soup && r->options->visuals == GRAZE_VISUALS_LOAD) {
        const gz_soup *soup = input->soup;
        shown = gz_mesh_soup_copy(soup->vertices, soup->vertex_count, soup->triangles,
                                  soup->triangle_count);
        if (!shown) status = gz_fail_memory(r->source.error);
        if (shown) shown->skipped = soup->skipped;
    }
    if (!status) status = add(r, element, input);
    gz_soup_free(input->soup);
    input->soup = shown;
    if (!status) {
        input->visual = true;
        status = add(r, element, input);
    }
    gz_soup_free(input->soup);
    gz_free(path);
    return status;
}

/// Whether a visual is a point or a segment, which no picture shows.
static bool is_invisible(const gz_geometry_input *input) {
    int sides = 0;
    for (int k = 0; k < 3; k++) sides += input->size[k] > 0;
    if (input->shape == GRAZE_SHAPE_BOX) return sides < 2;
    return input->shape != GRAZE_SHAPE_MESH && input->radius == 0;
}

static graze_status read_visual(gz_urdf_reader *r, const gz_xml_element *element, int32_t link,
                                bool needed) {
    gz_geometry_input input;
    const gz_xml_element *shape;
    gz_xml_report_unknown(&r->source, element, "origin geometry material", "name");
    GZ_TRY(read_common(r, element, link, &input, &shape));
    visual_color(r, element, &input.has_color, input.color);
    if (needed) return add_stand_in(r, element, shape, &input);
    if (is_invisible(&input))
        return gz_xml_fail(&r->source, shape, GRAZE_ERROR_RANGE,
                           "a size of <%s> is 0, and nothing is left to be seen", shape->tag);
    char *path = NULL;
    input.visual = true;
    graze_status status = GRAZE_OK;
    if (input.shape == GRAZE_SHAPE_MESH) status = visual_mesh(r, shape, &input, &path);
    input.file = path;
    if (!status) status = add(r, element, &input);
    gz_soup_free(input.soup);
    gz_free(path);
    return status;
}

/// Reads a visual that only pictures need: what is wrong with it leaves it out, with a warning.
static graze_status read_picture(gz_urdf_reader *r, const gz_xml_element *element, int32_t link) {
    graze_error why, *error = r->source.error;
    gz_error_clear(&why);
    r->source.error = &why;
    graze_status status = read_visual(r, element, link, false);
    r->source.error = error;
    if (is_fatal(status) && error) *error = why;
    if (!status || is_fatal(status)) return status;
    gz_warn(r->source.warnings, "bad-visual",
            (gz_place){why.file, why.element, why.line, why.column}, "<visual> is left out: %s",
            why.message);
    return GRAZE_OK;
}

static void report_missing(const gz_urdf_reader *r, const gz_xml_element *element, bool has_visual,
                           bool has_collision) {
    const char *name = gz_xml_get(element, "name");
    if (r->options->use_visual == GRAZE_USE_VISUAL_ALWAYS) {
        if (has_collision && !has_visual)
            gz_xml_warn(&r->source, element, "no-visual",
                        "link %.200s has <collision> but no <visual>: it cannot collide, as "
                        "visuals are to be used always",
                        name);
    } else if (has_visual && !has_collision && r->options->use_visual == GRAZE_USE_VISUAL_NEVER) {
        gz_xml_warn(&r->source, element, "no-collision",
                    "link %.200s has <visual> but no <collision>: it CANNOT COLLIDE, unless "
                    "visuals are to be used (--use-visual missing)",
                    name);
    }
}

graze_status gz_urdf_read_geometries(gz_urdf_reader *r, const gz_xml_element *element,
                                     int32_t link) {
    bool has_visual = gz_xml_child(element, "visual") != NULL;
    bool has_collision = gz_xml_child(element, "collision") != NULL;
    graze_use_visual use = r->options->use_visual;
    bool stand_in = use == GRAZE_USE_VISUAL_ALWAYS ||
                    (use == GRAZE_USE_VISUAL_MISSING && !has_collision);
    report_missing(r, element, has_visual, has_collision);
    for (const gz_xml_element *e = element->first_child; e; e = e->next) {
        if (gz_xml_is(e, "collision"))
            GZ_TRY(read_collision(r, e, link, use != GRAZE_USE_VISUAL_ALWAYS));
        else if (gz_xml_is(e, "visual"))
            GZ_TRY(stand_in ? read_visual(r, e, link, true) : read_picture(r, e, link));
    }
    return GRAZE_OK;
}
