#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/mesh/mesh_file.h"
#include "load/package.h"
#include "load/world/world_file.h"

/// Quaternions farther than this from length 1 are worth a warning.
#define QUATERNION_TOLERANCE 1e-6
/// Angles for which graze's own sine and cosine are good.
#define ANGLE_MAX 0x1p20

typedef struct reader {
    gz_world_load *load;
    gz_document document;
} reader;

// ---------------------------------------------------------------------------------------- numbers

/// A size in metres under a key that must be there.
static graze_status read_length(reader *r, const gz_value *map, const char *key, double *out) {
    graze_status status;
    const gz_value *value = gz_value_required(&r->document, map, key, &status, r->load->error);
    if (!status) status = gz_value_number(&r->document, value, out, r->load->error);
    if (!status && (!(*out > 0) || *out > GZ_COORDINATE_MAX))
        status = gz_value_fail(&r->document, value, r->load->error, GRAZE_ERROR_RANGE,
                               "%s is %g; allowed: above 0 and at most 2^20 m", key, *out);
    return status;
}

/// n numbers under a key that may be missing: then *out stays.
static graze_status read_numbers(reader *r, const gz_value *map, const char *key, double *out,
                                 uint32_t n, const gz_value **found) {
    *found = gz_value_member(&r->document, map, key);
    return *found ? gz_value_numbers(&r->document, *found, out, n, r->load->error) : GRAZE_OK;
}

static graze_status read_text(reader *r, const gz_value *map, const char *key, const char **out) {
    graze_status status;
    const gz_value *value = gz_value_required(&r->document, map, key, &status, r->load->error);
    if (!status)
        status = gz_value_expect(&r->document, value, GZ_VALUE_STRING, "a string", r->load->error);
    if (!status) *out = gz_value_text(&r->document, value);
    if (!status && !**out)
        status = gz_value_fail(&r->document, value, r->load->error, GRAZE_ERROR_SCHEMA,
                               "%s is empty; allowed: a text", key);
    return status;
}

static gz_place place_of(const reader *r, const gz_value *value, char element[GRAZE_PATH_SIZE]) {
    gz_value_element(&r->document, value, NULL, element, GRAZE_PATH_SIZE);
    return (gz_place){r->load->path, element, value->line, value->column};
}

// ------------------------------------------------------------------------------------------- pose

static graze_status read_angles(reader *r, const gz_value *value, const double position[3],
                                graze_transform *pose) {
    double rpy[3];
    graze_status status = gz_value_numbers(&r->document, value, rpy, 3, r->load->error);
    for (int k = 0; k < 3 && !status; k++)
        if (fabs(rpy[k]) > ANGLE_MAX)
            status = gz_value_fail(&r->document, value, r->load->error, GRAZE_ERROR_RANGE,
                                   "an angle is %g; allowed: at most 2^20 rad", rpy[k]);
    if (!status) *pose = graze_transform_from_xyz_rpy(position, rpy);
    return status;
}

static graze_status read_pose(reader *r, const gz_value *object, graze_transform *pose) {
    double position[3] = {0, 0, 0}, quaternion[4] = {0, 0, 0, 1};
    const gz_value *at, *turn;
    graze_status status = read_numbers(r, object, "position", position, 3, &at);
    for (int k = 0; k < 3 && !status; k++)
        if (fabs(position[k]) > GZ_COORDINATE_MAX)
            status = gz_value_fail(&r->document, at, r->load->error, GRAZE_ERROR_RANGE,
                                   "a coordinate is %g; allowed: at most 2^20 m", position[k]);
    if (!status) status = read_numbers(r, object, "quaternion", quaternion, 4, &turn);
    if (status) return status;
    const gz_value *rpy = gz_value_member(&r->document, object, "rpy");
    if (rpy && turn)
        return gz_value_fail(&r->document, rpy, r->load->error, GRAZE_ERROR_SCHEMA,
                             "both rpy and quaternion are given; allowed: one of them");
    if (rpy) return read_angles(r, rpy, position, pose);
    char element[GRAZE_PATH_SIZE];
    gz_place place = place_of(r, turn ? turn : object, element);
    return gz_world_load_pose(r->load, place, position, quaternion, QUATERNION_TOLERANCE, pose);
}

// ---------------------------------------------------------------------------------------- objects

/// The keys that every object may have come first; the rest depends on the shape.
#define COMMON_KEYS "name", "shape", "position", "quaternion", "rpy", "description"

typedef struct rule {
    const char *name;
    graze_shape kind;
    const char *keys[11];
} rule;

static const rule shapes[] = {
    {"box", GRAZE_SHAPE_BOX, {COMMON_KEYS, "size", NULL}},
    {"sphere", GRAZE_SHAPE_SPHERE, {COMMON_KEYS, "radius", NULL}},
    {"cylinder", GRAZE_SHAPE_CYLINDER, {COMMON_KEYS, "radius", "length", NULL}},
    {"capsule", GRAZE_SHAPE_CAPSULE, {COMMON_KEYS, "radius", "length", NULL}},
    {"mesh", GRAZE_SHAPE_MESH, {COMMON_KEYS, "file", "scale", NULL}},
    {"points", GRAZE_SHAPE_POINTS, {COMMON_KEYS, "file", "scale", "radius", NULL}},
};

static graze_status find_shape(reader *r, const gz_value *object, const rule **out) {
    const char *name = "";
    graze_status status = read_text(r, object, "shape", &name);
    if (status) return status;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(shapes[i].name, name) != 0) continue;
        *out = &shapes[i];
        return GRAZE_OK;
    }
    return gz_value_fail(&r->document, gz_value_member(&r->document, object, "shape"),
                         r->load->error, GRAZE_ERROR_SCHEMA,
                         "the shape is \"%.80s\"; allowed: box, sphere, cylinder, capsule, mesh, "
                         "points",
                         name);
}

static graze_status read_scale(reader *r, const gz_value *object, double scale[3]) {
    const gz_value *value;
    graze_status status = read_numbers(r, object, "scale", scale, 3, &value);
    for (int k = 0; k < 3 && !status; k++)
        if (scale[k] == 0)
            status = gz_value_fail(&r->document, value, r->load->error, GRAZE_ERROR_RANGE,
                                   "the scale is 0 in %c; allowed: other than 0", "xyz"[k]);
    return status;
}

static graze_status add_file(reader *r, const gz_value *object, const char *name, const rule *shape,
                             const graze_transform *pose) {
    gz_world_load *load = r->load;
    double scale[3] = {1, 1, 1}, radius = 0;
    const char *uri = NULL;
    graze_status status = read_text(r, object, "file", &uri);
    if (!status) status = read_scale(r, object, scale);
    if (!status && shape->kind == GRAZE_SHAPE_POINTS)
        status = read_length(r, object, "radius", &radius);
    if (status) return status;
    char element[GRAZE_PATH_SIZE];
    gz_place place = place_of(r, gz_value_member(&r->document, object, "file"), element);
    if (shape->kind == GRAZE_SHAPE_MESH)
        return gz_world_load_mesh_object(load, place, name, uri, scale, pose);
    char *file;
    double *points = NULL;
    size_t count;
    status = gz_package_resolve(&file, uri, load->folder, load->options, &load->warnings, place,
                                load->error);
    if (!status)
        status = gz_points_file_read(&points, &count, file, scale, load->options, &load->budget,
                                     &load->warnings, load->error);
    if (!status) {
        const gz_origin origin = {file, uri, scale, object->line};
        status = gz_world_add_points(load->world, name, points, count, radius, pose, &origin,
                                     load->error);
    }
    if (status) gz_world_load_locate(load, place);
    gz_free(file);
    return status;
}

static graze_status add_primitive(reader *r, const gz_value *object, const char *name,
                                  const rule *shape, const graze_transform *pose) {
    double size[3] = {0}, radius = 0, length = 0;
    graze_status status = GRAZE_OK;
    if (shape->kind == GRAZE_SHAPE_BOX) {
        const gz_value *value = gz_value_required(&r->document, object, "size", &status,
                                                  r->load->error);
        if (!status) status = gz_value_numbers(&r->document, value, size, 3, r->load->error);
        for (int k = 0; k < 3 && !status; k++)
            if (!(size[k] > 0) || size[k] > GZ_COORDINATE_MAX)
                status = gz_value_fail(&r->document, value, r->load->error, GRAZE_ERROR_RANGE,
                                       "the size is %g in %c; allowed: above 0 and at most 2^20 m",
                                       size[k], "xyz"[k]);
    } else {
        status = read_length(r, object, "radius", &radius);
        if (!status && shape->kind != GRAZE_SHAPE_SPHERE)
            status = read_length(r, object, "length", &length);
    }
    if (status) return status;
    const gz_origin origin = {.line = object->line};
    return gz_world_add_primitive(r->load->world, name, shape->kind, size, radius, length, pose,
                                  &origin, r->load->error);
}

static graze_status read_object(reader *r, const gz_value *object) {
    gz_world_load *load = r->load;
    graze_status status = gz_value_expect(&r->document, object, GZ_VALUE_MAP, "an object {...}",
                                          load->error);
    if (status) return status;
    char element[GRAZE_PATH_SIZE];
    gz_place place = place_of(r, object, element);
    const char *name = NULL;
    const rule *shape = NULL;
    graze_transform pose;
    status = gz_world_load_count(load, place);
    if (!status) status = read_text(r, object, "name", &name);
    if (!status) status = find_shape(r, object, &shape);
    if (!status) status = read_pose(r, object, &pose);
    if (status) return status;
    gz_value_check_keys(&r->document, object, shape->keys, &r->load->warnings);
    bool file = shape->kind == GRAZE_SHAPE_MESH || shape->kind == GRAZE_SHAPE_POINTS;
    status = file ? add_file(r, object, name, shape, &pose)
                  : add_primitive(r, object, name, shape, &pose);
    // The only mistake of that kind that is left: a name in use.
    if (status == GRAZE_ERROR_SCHEMA && load->error && !load->error->line)
        gz_value_locate(&r->document, gz_value_member(&r->document, object, "name"), load->error);
    if (status) gz_world_load_locate(load, place);
    return status;
}

// ------------------------------------------------------------------------------------- the world

static graze_status check_format(reader *r, const gz_value *root) {
    const char *format = NULL;
    graze_status status = read_text(r, root, "format", &format);
    if (!status && strcmp(format, "graze-world-1") != 0)
        status = gz_value_fail(&r->document, gz_value_member(&r->document, root, "format"),
                               r->load->error, GRAZE_ERROR_SCHEMA,
                               "the format is \"%.80s\"; allowed: \"graze-world-1\"", format);
    return status;
}

static graze_status read_corner(reader *r, const gz_value *boundary, const char *key,
                                double out[3]) {
    graze_status status;
    const gz_value *value = gz_value_required(&r->document, boundary, key, &status, r->load->error);
    return status ? status : gz_value_numbers(&r->document, value, out, 3, r->load->error);
}

static graze_status read_boundary(reader *r, const gz_value *boundary) {
    static const char *const keys[] = {"min", "max", "description", NULL};
    gz_world_load *load = r->load;
    double min[3], max[3];
    graze_status status = gz_value_expect(&r->document, boundary, GZ_VALUE_MAP, "an object {...}",
                                          load->error);
    if (!status) status = read_corner(r, boundary, "min", min);
    if (!status) status = read_corner(r, boundary, "max", max);
    if (status) return status;
    gz_value_check_keys(&r->document, boundary, keys, &r->load->warnings);
    if (load->world->has_boundary)
        gz_value_warn(&r->document, boundary, &load->warnings, "boundary-replaced",
                      "the world had a boundary already; this one replaces it");
    status = graze_world_set_boundary(load->world, min, max, load->error);
    if (status) gz_value_locate(&r->document, boundary, load->error);
    return status;
}

/// A world without a name takes that of its file. The old one is the caller's to free or restore.
static graze_status take_name(reader *r, const gz_value *root) {
    const gz_value *value = gz_value_member(&r->document, root, "name");
    if (!value) return GRAZE_OK;
    graze_status status = gz_value_expect(&r->document, value, GZ_VALUE_STRING, "a string",
                                          r->load->error);
    if (status || r->load->world->name[0]) return status;
    char *name = gz_string_copy(gz_value_text(&r->document, value));
    if (!name) return gz_fail_memory(r->load->error);
    r->load->world->name = name;
    return GRAZE_OK;
}

static graze_status read_world(reader *r) {
    static const char *const keys[] = {"format",   "name",    "description",
                                       "boundary", "objects", NULL};
    gz_world_load *load = r->load;
    const gz_value *root = gz_document_root(&r->document);
    graze_status status = gz_value_expect(&r->document, root, GZ_VALUE_MAP, "an object {...}",
                                          load->error);
    if (!status) status = check_format(r, root);
    if (!status) status = take_name(r, root);
    if (status) return status;
    gz_value_check_keys(&r->document, root, keys, &r->load->warnings);
    const gz_value *boundary = gz_value_member(&r->document, root, "boundary");
    if (boundary) status = read_boundary(r, boundary);
    // Required, so that a misspelt key is an error and not an empty world.
    const gz_value *objects = NULL;
    if (!status) objects = gz_value_required(&r->document, root, "objects", &status, load->error);
    if (!status)
        status = gz_value_expect(&r->document, objects, GZ_VALUE_LIST, "a list [...]", load->error);
    if (status) return status;
    for (const gz_value *v = gz_value_first(&r->document, objects); v && !status;
         v = gz_value_next(&r->document, v))
        status = read_object(r, v);
    return status;
}

graze_status gz_world_load_json(gz_world_load *load) {
    reader r = {.load = load};
    graze_status status = gz_document_read_json(&r.document, load->path, load->bytes, load->size,
                                                &load->options->limits, load->error);
    if (!status) status = read_world(&r);
    gz_document_clear(&r.document);
    return status;
}
