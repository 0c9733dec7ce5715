#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/world/world_file.h"

/// Quaternions farther than this from length 1 are worth a warning.
#define QUATERNION_TOLERANCE 1e-6
/// Angles for which graze's own sine and cosine are good.
#define ANGLE_MAX 0x1p20

typedef struct reader {
    gz_world_load *load;
    gz_document doc;
} reader;

// ---------------------------------------------------------------------------------------- numbers

/// A size in metres under a key that must be there, 0 allowed.
static graze_status read_length(reader *r, const gz_value *map, const char *key, double *out) {
    const gz_value *value;
    GZ_TRY(gz_value_required(&r->doc, map, key, &value));
    GZ_TRY(gz_value_number(&r->doc, value, out));
    if (!(*out >= 0) || *out > GZ_COORDINATE_MAX)
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_RANGE, "%s is %g; allowed: 0 to 2^20 m",
                             key, *out);
    return GRAZE_OK;
}

/// n numbers under a key that may be missing: then *out stays.
static graze_status read_numbers(reader *r, const gz_value *map, const char *key, double *out,
                                 uint32_t n, const gz_value **found) {
    *found = gz_value_member(&r->doc, map, key);
    return *found ? gz_value_numbers(&r->doc, *found, out, n) : GRAZE_OK;
}

static graze_status read_text(reader *r, const gz_value *map, const char *key, const char **out) {
    const gz_value *value;
    GZ_TRY(gz_value_required_kind(&r->doc, map, key, GZ_VALUE_STRING, "a string", &value));
    *out = gz_value_text(&r->doc, value);
    if (!**out)
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_SCHEMA, "%s is empty; allowed: a text",
                             key);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------- pose

static graze_status read_angles(reader *r, const gz_value *value, const double position[3],
                                graze_transform *pose) {
    double rpy[3];
    GZ_TRY(gz_value_numbers(&r->doc, value, rpy, 3));
    for (int k = 0; k < 3; k++)
        if (fabs(rpy[k]) > ANGLE_MAX)
            return gz_value_fail(&r->doc, value, GRAZE_ERROR_RANGE,
                                 "an angle is %g; allowed: at most 2^20 rad", rpy[k]);
    *pose = graze_transform_from_xyz_rpy(position, rpy);
    return GRAZE_OK;
}

static graze_status read_pose(reader *r, const gz_value *object, graze_transform *pose) {
    double position[3] = {0, 0, 0}, quaternion[4] = {0, 0, 0, 1};
    const gz_value *at, *turn;
    GZ_TRY(read_numbers(r, object, "position", position, 3, &at));
    for (int k = 0; k < 3; k++)
        if (fabs(position[k]) > GZ_COORDINATE_MAX)
            return gz_value_fail(&r->doc, at, GRAZE_ERROR_RANGE,
                                 "a coordinate is %g; allowed: at most 2^20 m", position[k]);
    GZ_TRY(read_numbers(r, object, "quaternion", quaternion, 4, &turn));
    const gz_value *rpy = gz_value_member(&r->doc, object, "rpy");
    if (rpy && turn)
        return gz_value_fail(&r->doc, rpy, GRAZE_ERROR_SCHEMA,
                             "both rpy and quaternion are given; allowed: one of them");
    if (rpy) return read_angles(r, rpy, position, pose);
    gz_place place = GZ_VALUE_PLACE(&r->doc, turn ? turn : object);
    return gz_world_load_pose(r->load, place, position, quaternion, QUATERNION_TOLERANCE, pose);
}

// ---------------------------------------------------------------------------------------- objects

/// The keys that every object may have come first; the rest depends on the shape.
#define COMMON_KEYS "name shape position quaternion rpy description"

typedef struct rule {
    const char *name;
    graze_shape kind;
    const char *keys;
} rule;

static const rule shapes[] = {
    {"box", GRAZE_SHAPE_BOX, COMMON_KEYS " size"},
    {"sphere", GRAZE_SHAPE_SPHERE, COMMON_KEYS " radius"},
    {"cylinder", GRAZE_SHAPE_CYLINDER, COMMON_KEYS " radius length"},
    {"capsule", GRAZE_SHAPE_CAPSULE, COMMON_KEYS " radius length"},
    {"mesh", GRAZE_SHAPE_MESH, COMMON_KEYS " file scale"},
    {"points", GRAZE_SHAPE_POINTS, COMMON_KEYS " file scale radius"},
    {"cone", GRAZE_SHAPE_CONE, COMMON_KEYS " radius length"},
    {"halfspace", GRAZE_SHAPE_HALFSPACE, COMMON_KEYS " normal"},
    {"plane", GRAZE_SHAPE_PLANE, COMMON_KEYS " normal"},
};

static graze_status find_shape(reader *r, const gz_value *object, const rule **out) {
    const char *name = "";
    GZ_TRY(read_text(r, object, "shape", &name));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(shapes[i].name, name) != 0) continue;
        *out = &shapes[i];
        return GRAZE_OK;
    }
    return gz_value_fail(&r->doc, gz_value_member(&r->doc, object, "shape"), GRAZE_ERROR_SCHEMA,
                         "the shape is \"%.80s\"; allowed: box, sphere, cylinder, capsule, cone, "
                         "mesh, points, halfspace, plane",
                         name);
}

static graze_status read_scale(reader *r, const gz_value *object, double scale[3]) {
    const gz_value *value;
    GZ_TRY(read_numbers(r, object, "scale", scale, 3, &value));
    for (int k = 0; k < 3; k++)
        if (scale[k] == 0)
            return gz_value_fail(&r->doc, value, GRAZE_ERROR_RANGE,
                                 "the scale is 0 in %c; allowed: other than 0", "xyz"[k]);
    return GRAZE_OK;
}

static graze_status read_point_radius(reader *r, const gz_value *object, double *radius) {
    GZ_TRY(read_length(r, object, "radius", radius));
    if (*radius > 0) return GRAZE_OK;
    return gz_value_fail(&r->doc, gz_value_member(&r->doc, object, "radius"), GRAZE_ERROR_RANGE,
                         "radius is 0; allowed for points: above 0 and at most 2^20 m");
}

static graze_status add_file(reader *r, const gz_value *object, const char *name, size_t index,
                             const rule *shape, const graze_transform *pose) {
    const bool points = shape->kind == GRAZE_SHAPE_POINTS;
    double scale[3] = {1, 1, 1}, radius = 0;
    const char *uri = NULL;
    GZ_TRY(read_text(r, object, "file", &uri));
    GZ_TRY(read_scale(r, object, scale));
    if (points) GZ_TRY(read_point_radius(r, object, &radius));
    gz_place place = GZ_VALUE_PLACE(&r->doc, gz_value_member(&r->doc, object, "file"));
    return gz_world_load_uri(r->load, place, points ? object->line : place.line, name, index, uri,
                             scale, radius, pose);
}

/// Turns a frame to a normal, which may be given in place of a rotation.
static graze_status read_normal(reader *r, const gz_value *object, graze_transform *pose) {
    double normal[3];
    const gz_value *value;
    GZ_TRY(read_numbers(r, object, "normal", normal, 3, &value));
    if (!value) return GRAZE_OK;
    if (gz_value_member(&r->doc, object, "quaternion") || gz_value_member(&r->doc, object, "rpy"))
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_SCHEMA,
                             "both a normal and a rotation are given; allowed: one of them");
    const double place[3] = {pose->m[3], pose->m[7], pose->m[11]};
    if (!gz_object_plane(normal, 0, pose))
        return gz_value_fail(&r->doc, value, GRAZE_ERROR_RANGE,
                             "the normal is 0 0 0; allowed: of any other length");
    for (int k = 0; k < 3; k++) pose->m[4 * k + 3] = place[k];
    return GRAZE_OK;
}

static graze_status add_primitive(reader *r, const gz_value *object, const char *name, size_t index,
                                  graze_shape kind, const graze_transform *pose) {
    gz_world_shape shape = {.kind = kind, .line = object->line};
    double *size = shape.size;
    if (kind == GRAZE_SHAPE_BOX) {
        const gz_value *value;
        GZ_TRY(gz_value_required(&r->doc, object, "size", &value));
        GZ_TRY(gz_value_numbers(&r->doc, value, size, 3));
        for (int k = 0; k < 3; k++)
            if (!(size[k] >= 0) || size[k] > GZ_COORDINATE_MAX)
                return gz_value_fail(&r->doc, value, GRAZE_ERROR_RANGE,
                                     "the size is %g in %c; allowed: 0 to 2^20 m", size[k],
                                     "xyz"[k]);
    }
    if (gz_shape_has_radius(kind)) GZ_TRY(read_length(r, object, "radius", &shape.radius));
    if (gz_shape_has_length(kind)) GZ_TRY(read_length(r, object, "length", &shape.length));
    return gz_world_load_shape(r->load, name, index, &shape, pose);
}

/// A shape: shape `index` of the object whose frame is given, or, with NULL, an object of its own.
static graze_status read_shape(reader *r, const gz_value *map, const char *name, size_t index,
                               const graze_transform *frame) {
    const rule *shape = NULL;
    graze_transform own, pose;
    GZ_TRY(find_shape(r, map, &shape));
    GZ_TRY(read_pose(r, map, &own));
    if (gz_shape_is_unbounded(shape->kind)) GZ_TRY(read_normal(r, map, &own));
    gz_value_check_keys(&r->doc, map, shape->keys);
    pose = frame ? graze_transform_multiply(frame, &own) : own;
    r->load->in_object = frame ? &own : NULL;
    bool file = shape->kind == GRAZE_SHAPE_MESH || shape->kind == GRAZE_SHAPE_POINTS;
    graze_status status = file ? add_file(r, map, name, index, shape, &pose)
                               : add_primitive(r, map, name, index, shape->kind, &pose);
    r->load->in_object = NULL;
    return status;
}

static graze_status read_shapes(reader *r, const gz_value *object, const gz_value *list,
                                const char *name) {
    graze_transform frame;
    GZ_TRY(read_pose(r, object, &frame));
    GZ_TRY(gz_value_expect(&r->doc, list, GZ_VALUE_LIST, "a list [...]"));
    gz_value_check_keys(&r->doc, object, "name shapes position quaternion rpy description");
    if (!list->count)
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_SCHEMA,
                             "there is no shape; allowed: at least one");
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v)) {
        gz_place place = GZ_VALUE_PLACE(&r->doc, v);
        GZ_TRY(gz_value_expect(&r->doc, v, GZ_VALUE_MAP, "an object {...}"));
        if (v->index) GZ_TRY(gz_world_load_count(r->load, place));
        graze_status status = read_shape(r, v, name, v->index, &frame);
        if (status && v->index) gz_world_load_locate(r->load, place);
        if (status) return status;
    }
    return GRAZE_OK;
}

static graze_status read_object(reader *r, const gz_value *object) {
    gz_world_load *load = r->load;
    GZ_TRY(gz_value_expect(&r->doc, object, GZ_VALUE_MAP, "an object {...}"));
    gz_place place = GZ_VALUE_PLACE(&r->doc, object);
    const char *name = NULL;
    GZ_TRY(gz_world_load_count(load, place));
    GZ_TRY(read_text(r, object, "name", &name));
    const gz_value *list = gz_value_member(&r->doc, object, "shapes");
    graze_status status = list ? read_shapes(r, object, list, name)
                               : read_shape(r, object, name, 0, NULL);
    // The only mistake of that kind that is left: a name in use.
    if (status == GRAZE_ERROR_SCHEMA && load->error && !load->error->line)
        gz_value_locate(&r->doc, gz_value_member(&r->doc, object, "name"));
    if (status) gz_world_load_locate(load, place);
    return status;
}

// ------------------------------------------------------------------------------------- the world

static graze_status check_format(reader *r, const gz_value *root) {
    const char *format = NULL;
    GZ_TRY(read_text(r, root, "format", &format));
    if (strcmp(format, "graze-world-1") != 0)
        return gz_value_fail(&r->doc, gz_value_member(&r->doc, root, "format"), GRAZE_ERROR_SCHEMA,
                             "the format is \"%.80s\"; allowed: \"graze-world-1\"", format);
    return GRAZE_OK;
}

static graze_status read_corner(reader *r, const gz_value *boundary, const char *key,
                                double out[3]) {
    const gz_value *value;
    GZ_TRY(gz_value_required(&r->doc, boundary, key, &value));
    return gz_value_numbers(&r->doc, value, out, 3);
}

static graze_status read_boundary(reader *r, const gz_value *boundary) {
    gz_world_load *load = r->load;
    double min[3], max[3];
    GZ_TRY(gz_value_expect(&r->doc, boundary, GZ_VALUE_MAP, "an object {...}"));
    GZ_TRY(read_corner(r, boundary, "min", min));
    GZ_TRY(read_corner(r, boundary, "max", max));
    gz_value_check_keys(&r->doc, boundary, "min max description");
    if (load->world->has_boundary)
        gz_value_warn(&r->doc, boundary, "boundary-replaced",
                      "the world had a boundary already; this one replaces it");
    graze_status status = graze_world_set_boundary(load->world, min, max, load->error);
    if (status) gz_value_locate(&r->doc, boundary);
    return status;
}

/// A world without a name takes that of its file. The old one is the caller's to free or restore.
static graze_status take_name(reader *r, const gz_value *root) {
    const gz_value *value = gz_value_member(&r->doc, root, "name");
    if (!value) return GRAZE_OK;
    GZ_TRY(gz_value_expect(&r->doc, value, GZ_VALUE_STRING, "a string"));
    if (r->load->world->name[0]) return GRAZE_OK;
    char *name = gz_string_copy(gz_value_text(&r->doc, value));
    if (!name) return gz_fail_memory(r->load->error);
    r->load->world->name = name;
    return GRAZE_OK;
}

static graze_status read_world(reader *r) {
    const gz_value *root = gz_document_root(&r->doc);
    GZ_TRY(gz_value_expect(&r->doc, root, GZ_VALUE_MAP, "an object {...}"));
    GZ_TRY(check_format(r, root));
    GZ_TRY(take_name(r, root));
    gz_value_check_keys(&r->doc, root, "format name description boundary objects");
    const gz_value *boundary = gz_value_member(&r->doc, root, "boundary");
    if (boundary) GZ_TRY(read_boundary(r, boundary));
    // Required, so that a misspelt key is an error and not an empty world.
    const gz_value *objects;
    GZ_TRY(
        gz_value_required_kind(&r->doc, root, "objects", GZ_VALUE_LIST, "a list [...]", &objects));
    for (const gz_value *v = gz_value_first(objects); v; v = gz_value_next(v))
        GZ_TRY(read_object(r, v));
    return GRAZE_OK;
}

graze_status gz_world_load_json(gz_world_load *load) {
    reader r = {.load = load,
                .doc = {.file = load->path, .error = load->error, .warnings = &load->warnings}};
    graze_status status = gz_document_read_json(&r.doc, load->bytes, load->size,
                                                &load->options->limits);
    if (!status) status = read_world(&r);
    gz_document_clear(&r.doc);
    return status;
}
