#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "load/world/world_file.h"

// The text format of MoveIt's planning scenes (RViz: "Export scene"). A first line with the name;
// then per object "* name", in the newer form its pose, a count of shapes, and per shape its kind,
// numbers, pose and colour, in the newer form then a count of subframes and those; "." at the end.

/// MoveIt writes six digits, which alone moves a quaternion's length by up to 2e-6.
#define QUATERNION_TOLERANCE 1e-5

typedef struct reader {
    gz_world_load *load;
    gz_text_cursor cursor;
    bool has_poses;   ///< the newer form, with poses and subframes of objects
    const char *name; ///< of the object being read, or NULL
    bool in_shape;
    size_t index; ///< of the shape being read
    int32_t line; ///< where the current thing starts
} reader;

// ------------------------------------------------------------------------------- words and numbers

static gz_place place_of(const reader *r, char element[GRAZE_PATH_SIZE]) {
    element[0] = '\0';
    if (r->name && !r->in_shape)
        snprintf(element, GRAZE_PATH_SIZE, "/object[@name='%.200s']", r->name);
    else if (r->name)
        snprintf(element, GRAZE_PATH_SIZE, "/object[@name='%.200s']/shape[%zu]", r->name, r->index);
    return (gz_place){.file = r->load->path, .element = element, .line = r->line};
}

#define fail(r, status, ...)                                                                       \
    gz_fail_at((r)->load->error, status, place_of(r, (char[GRAZE_PATH_SIZE]){0}), __VA_ARGS__)

static graze_status read_word(reader *r, const char *what, gz_word *word) {
    gz_cursor_skip_blanks(&r->cursor);
    r->line = r->cursor.line;
    if (gz_cursor_word(&r->cursor, word)) return GRAZE_OK;
    return fail(r, GRAZE_ERROR_PARSE,
                "the file ends where %s should stand; allowed: a scene up to "
                "its last line, \".\"",
                what);
}

static graze_status read_numbers(reader *r, const char *what, double *out, size_t n) {
    for (size_t i = 0; i < n; i++) {
        gz_word word;
        GZ_TRY(read_word(r, what, &word));
        if (!gz_number_parse(word.text, word.size, &out[i]))
            return fail(r, GRAZE_ERROR_PARSE, "found '%.*s' for %s; allowed: %zu numbers",
                        gz_word_shown(word), word.text, what, n);
        if (!isfinite(out[i]))
            return fail(r, GRAZE_ERROR_RANGE, "found '%.*s' for %s; allowed: finite numbers",
                        gz_word_shown(word), word.text, what);
    }
    return GRAZE_OK;
}

/// A count of things that take at least `bytes` characters each, so that what is left of the file
/// bounds it.
static graze_status read_count(reader *r, const char *what, size_t bytes, size_t *out) {
    double value;
    GZ_TRY(read_numbers(r, what, &value, 1));
    size_t most = ((size_t)(r->cursor.end - r->cursor.at) + 1) / bytes;
    if (value < 0 || value != floor(value))
        return fail(r, GRAZE_ERROR_PARSE, "%s is %g; allowed: a whole number", what, value);
    if (value > (double)most)
        return fail(r, GRAZE_ERROR_PARSE, "%s is %.0f; the rest of the file holds at most %zu",
                    what, value, most);
    *out = (size_t)value;
    return GRAZE_OK;
}

static graze_status read_pose(reader *r, const char *what, graze_transform *pose) {
    double position[3], quaternion[4];
    GZ_TRY(read_numbers(r, what, position, 3));
    GZ_TRY(read_numbers(r, what, quaternion, 4));
    char element[GRAZE_PATH_SIZE];
    return gz_world_load_pose(r->load, place_of(r, element), position, quaternion,
                              QUATERNION_TOLERANCE, pose);
}

// ----------------------------------------------------------------------------------------- shapes

static graze_status read_triangles(reader *r, gz_soup *soup, size_t count) {
    for (size_t i = 0; i < 3 * count; i++) {
        double index;
        GZ_TRY(read_numbers(r, "a triangle", &index, 1));
        if (index < 0 || index != floor(index) || index >= (double)soup->vertex_count)
            return fail(r, GRAZE_ERROR_MESH, "triangle %zu names vertex %g; allowed: 0 to %zu",
                        i / 3, index, soup->vertex_count - 1);
        soup->triangles[i] = (uint32_t)index;
    }
    soup->triangle_count = count;
    return GRAZE_OK;
}

static graze_status read_mesh(reader *r, gz_world_shape *shape) {
    size_t vertices, triangles;
    // Three numbers each, of a digit and a blank.
    GZ_TRY(read_count(r, "the number of vertices", 6, &vertices));
    GZ_TRY(read_count(r, "the number of triangles", 6, &triangles));
    gz_mesh_budget *budget = &r->load->budget;
    uint64_t bytes = 24 * (uint64_t)vertices + 12 * (uint64_t)triangles;
    if (!vertices || !triangles)
        return fail(r, GRAZE_ERROR_MESH,
                    "the mesh has %zu vertices and %zu triangles; allowed: "
                    "at least one triangle",
                    vertices, triangles);
    if (triangles > budget->triangles_left || bytes > gz_memory_left() || vertices > UINT32_MAX)
        return fail(r, GRAZE_ERROR_LIMIT,
                    "the mesh has %zu vertices and %zu triangles; allowed: "
                    "what limits.triangles and limits.memory_bytes leave",
                    vertices, triangles);
    shape->soup = gz_soup_create();
    if (!shape->soup || !gz_soup_reserve(shape->soup, vertices, triangles))
        return gz_fail_memory(r->load->error);
    graze_status status = read_numbers(r, "a vertex", shape->soup->vertices, 3 * vertices);
    shape->soup->vertex_count = vertices;
    if (!status) status = read_triangles(r, shape->soup, triangles);
    budget->triangles_left -= triangles;
    return status;
}

/// The plane a x + b y + c z + d = 0 of a shape's frame.
static graze_status read_plane(reader *r, graze_transform *frame) {
    double plane[4];
    GZ_TRY(read_numbers(r, "the numbers a, b, c and d of a plane", plane, 4));
    if (gz_object_plane(plane, -plane[3], frame)) return GRAZE_OK;
    return fail(r, GRAZE_ERROR_RANGE, "the normal of a plane is %g %g %g; allowed: not 0 0 0",
                plane[0], plane[1], plane[2]);
}

/// A shape, and where it stands in its frame.
static graze_status read_kind(reader *r, gz_world_shape *shape, graze_transform *frame) {
    gz_word word;
    GZ_TRY(read_word(r, "the kind of a shape", &word));
    shape->line = r->line;
    if (gz_word_is(word, "box")) {
        shape->kind = GRAZE_SHAPE_BOX;
        return read_numbers(r, "the size of a box", shape->size, 3);
    }
    if (gz_word_is(word, "sphere")) {
        shape->kind = GRAZE_SHAPE_SPHERE;
        return read_numbers(r, "the radius of a sphere", &shape->radius, 1);
    }
    bool cone = gz_word_is(word, "cone");
    if (cone || gz_word_is(word, "cylinder")) {
        shape->kind = cone ? GRAZE_SHAPE_CONE : GRAZE_SHAPE_CYLINDER;
        GZ_TRY(read_numbers(r, cone ? "the radius of a cone" : "the radius of a cylinder",
                            &shape->radius, 1));
        return read_numbers(r, cone ? "the length of a cone" : "the length of a cylinder",
                            &shape->length, 1);
    }
    if (gz_word_is(word, "mesh")) {
        shape->kind = GRAZE_SHAPE_MESH;
        return read_mesh(r, shape);
    }
    if (gz_word_is(word, "plane")) {
        shape->kind = GRAZE_SHAPE_PLANE;
        return read_plane(r, frame);
    }
    return fail(r, gz_word_is(word, "octree") ? GRAZE_ERROR_UNSUPPORTED : GRAZE_ERROR_PARSE,
                "the shape is '%.*s'; allowed: box, sphere, cylinder, cone, plane, mesh",
                gz_word_shown(word), word.text);
}

static graze_status add_shape(reader *r, gz_world_shape *shape, const graze_transform *pose) {
    char element[GRAZE_PATH_SIZE];
    r->line = shape->line;
    gz_place place = place_of(r, element);
    GZ_TRY(gz_world_load_count(r->load, place));
    graze_status status = gz_world_load_shape(r->load, r->name, r->index, shape, pose);
    if (status) gz_error_locate(r->load->error, place);
    return status;
}

static graze_status read_shape(reader *r, const graze_transform *object_pose) {
    gz_world_shape shape = {0};
    graze_transform pose, frame = graze_transform_identity();
    double color[4];
    graze_status status = read_kind(r, &shape, &frame);
    if (!status) status = read_pose(r, "the pose of a shape", &pose);
    if (!status) status = read_numbers(r, "a colour", color, 4);
    if (!status) {
        pose = graze_transform_multiply(object_pose, &pose);
        if (shape.kind == GRAZE_SHAPE_PLANE) pose = graze_transform_multiply(&pose, &frame);
        status = add_shape(r, &shape, &pose);
    }
    gz_soup_free(shape.soup);
    return status;
}

// ---------------------------------------------------------------------------------------- objects

/// Named frames on an object: checked, and of no use to collision.
static graze_status skip_subframes(reader *r) {
    size_t count;
    GZ_TRY(read_count(r, "the number of subframes", 16, &count));
    for (size_t i = 0; i < count; i++) {
        gz_word name;
        graze_transform pose;
        GZ_TRY(read_word(r, "the name of a subframe", &name));
        GZ_TRY(read_pose(r, "the pose of a subframe", &pose));
    }
    return GRAZE_OK;
}

static graze_status read_shapes(reader *r) {
    graze_transform pose = graze_transform_identity();
    size_t count;
    r->index = 0;
    if (r->has_poses) GZ_TRY(read_pose(r, "the pose of an object", &pose));
    // A sphere, the shortest shape, takes 31 characters.
    GZ_TRY(read_count(r, "the number of shapes", 31, &count));
    if (!count) {
        char element[GRAZE_PATH_SIZE];
        gz_warn(&r->load->warnings, "object-empty", place_of(r, element),
                "an object has no shape; left out");
    }
    r->in_shape = true;
    for (; r->index < count; r->index++) GZ_TRY(read_shape(r, &pose));
    r->in_shape = false;
    return r->has_poses ? skip_subframes(r) : GRAZE_OK;
}

/// The rest of the line, without blanks around it.
static gz_word rest_of_line(gz_text_cursor *cursor) {
    const char *start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != '\n') cursor->at++;
    const char *end = cursor->at;
    while (start < end && gz_text_blank(*start)) start++;
    while (start < end && gz_text_blank(end[-1])) end--;
    return (gz_word){start, (size_t)(end - start)};
}

static graze_status read_object(reader *r) {
    gz_word word = rest_of_line(&r->cursor);
    if (!word.size) return fail(r, GRAZE_ERROR_PARSE, "an object has no name; allowed: \"* name\"");
    if (memchr(word.text, '\0', word.size))
        return fail(r, GRAZE_ERROR_PARSE, "the name of an object holds a NUL character");
    char *name = gz_string_copy_n(word.text, word.size);
    if (!name) return gz_fail_memory(r->load->error);
    r->name = name;
    graze_status status = read_shapes(r);
    r->name = NULL;
    gz_free(name);
    return status;
}

/// As MoveIt does: the newer form is the one where the line behind the first object's name holds a
/// position (words with blanks between them) rather than a count.
static bool find_form(gz_text_cursor cursor) {
    while (cursor.at < cursor.end) {
        bool found = *cursor.at == '*';
        gz_cursor_skip_line(&cursor);
        if (!found) continue;
        gz_word line = rest_of_line(&cursor);
        for (size_t i = 0; i < line.size; i++)
            if (gz_text_blank(line.text[i])) return true;
        return false;
    }
    return false;
}

graze_status gz_world_load_moveit_scene(gz_world_load *load) {
    reader r = {.load = load, .cursor = {load->bytes, load->bytes + load->size, 1}, .line = 1};
    gz_cursor_skip_line(&r.cursor); // the scene's name
    r.has_poses = find_form(r.cursor);
    for (;;) {
        gz_word marker;
        GZ_TRY(read_word(&r, "\"*\" or \".\"", &marker));
        if (gz_word_is(marker, ".")) break;
        if (!gz_word_is(marker, "*"))
            return fail(&r, GRAZE_ERROR_PARSE,
                        "found '%.*s'; allowed: \"* name\" for an object, or \".\" at the end",
                        gz_word_shown(marker), marker.text);
        GZ_TRY(read_object(&r));
    }
    gz_cursor_skip_blanks(&r.cursor);
    if (r.cursor.at < r.cursor.end)
        gz_warn(&load->warnings, "text-behind-end",
                (gz_place){.file = load->path, .line = r.cursor.line},
                "text behind the \".\" that ends the scene is ignored");
    return GRAZE_OK;
}
