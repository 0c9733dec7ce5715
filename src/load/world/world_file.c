#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/package.h"
#include "load/world/world_file.h"

typedef graze_status (*reader)(gz_world_load *load);

// ------------------------------------------------------------------------------ choosing a reader

static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

static bool is_one_of(const char *ending, const char *const *endings) {
    for (; *endings; endings++)
        if (strcasecmp(ending, *endings) == 0) return true;
    return false;
}

/// Whether the first bytes of a file, white space and byte order mark aside, hold such a text.
static bool holds(const char *bytes, size_t size, const char *text) {
    size_t n = strlen(text);
    if (size > 4096) size = 4096;
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(bytes + i, text, n) == 0) return true;
    return false;
}

static char first_character(const char *bytes, size_t size) {
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && strchr(" \t\r\n", bytes[i]) && bytes[i]) i++;
    return i < size ? bytes[i] : '\0';
}

/// XML is, by its root, a Collada mesh or a URDF; where the ending leaves it open, a URDF, too.
static reader reader_of_xml(const char *bytes, size_t size, const char *ending) {
    if (holds(bytes, size, "<COLLADA")) return gz_world_load_mesh;
    bool open = !ending[0] || strcasecmp(ending, ".xml") == 0;
    return open || holds(bytes, size, "<robot") ? gz_world_load_urdf : NULL;
}

/// For files whose ending says nothing: what the first bytes are.
static reader reader_of_content(const char *bytes, size_t size, const char *ending) {
    static const char *const mesh_starts[] = {"ply", "glTF", "solid", NULL};
    for (const char *const *start = mesh_starts; *start; start++)
        if (size >= strlen(*start) && memcmp(bytes, *start, strlen(*start)) == 0)
            return gz_world_load_mesh;
    char first = first_character(bytes, size);
    if (first == '{') return gz_world_load_json;
    if (first == '<') return reader_of_xml(bytes, size, ending);
    if (holds(bytes, size, "collision_objects:")) return gz_world_load_yaml;
    return NULL;
}

static reader reader_of_ending(const char *ending) {
    static const char *const json[] = {".json", NULL};
    static const char *const scene[] = {".scene", NULL};
    static const char *const yaml[] = {".yaml", ".yml", NULL};
    static const char *const urdf[] = {".urdf", ".xacro", NULL};
    static const char *const mesh[] = {".stl", ".stlb", ".dae",  ".obj",
                                       ".ply", ".glb",  ".gltf", NULL};
    if (is_one_of(ending, json)) return gz_world_load_json;
    if (is_one_of(ending, scene)) return gz_world_load_moveit_scene;
    if (is_one_of(ending, yaml)) return gz_world_load_yaml;
    if (is_one_of(ending, urdf)) return gz_world_load_urdf;
    if (is_one_of(ending, mesh)) return gz_world_load_mesh;
    return NULL;
}

static graze_status choose(gz_world_load *load, reader *chosen) {
    const char *ending = ending_of(load->path);
    *chosen = reader_of_ending(ending);
    // URDFs and meshes are opened by their own loaders.
    if (*chosen == gz_world_load_urdf || *chosen == gz_world_load_mesh) return GRAZE_OK;
    graze_status status = gz_file_read(load->path, load->options->limits.file_bytes, &load->bytes,
                                       &load->size, load->error);
    if (status || *chosen) return status;
    *chosen = reader_of_content(load->bytes, load->size, ending);
    // What is left may be a mesh that assimp reads.
    if (!*chosen && ending[0] && (load->options->importer || load->options->importer_in_process))
        *chosen = gz_world_load_mesh;
    if (*chosen) return GRAZE_OK;
    return gz_fail_at(load->error, GRAZE_ERROR_UNSUPPORTED, (gz_place){.file = load->path},
                      "neither the ending \"%.20s\" nor the content tells the format; allowed: "
                      ".json, .urdf, .xml, .scene, .yaml, .yml, .stl, .dae, .obj, .ply, .glb, "
                      ".gltf; by an importer, what assimp reads",
                      ending);
}

// ------------------------------------------------------------------------------ the public
// function

/// Hands the warnings over, or fails without having changed the world's.
static graze_status keep_warnings(gz_world_load *load) {
    gz_warnings *kept = &load->world->warnings;
    if (load->warnings.out_of_memory ||
        !gz_array_reserve((void **)&kept->items, &kept->capacity,
                          kept->count + load->warnings.count, sizeof *kept->items))
        return gz_fail_memory(load->error);
    gz_warnings_move(kept, &load->warnings);
    return GRAZE_OK;
}

typedef struct snapshot {
    char *name;
    bool has_boundary;
    double min[3], max[3];
} snapshot;

static void restore(gz_world_load *load, const snapshot *before) {
    graze_world *world = load->world;
    gz_world_truncate(world, load->objects_before);
    if (world->name != before->name) {
        gz_free(world->name);
        world->name = before->name;
    }
    world->has_boundary = before->has_boundary;
    memcpy(world->boundary_min, before->min, sizeof world->boundary_min);
    memcpy(world->boundary_max, before->max, sizeof world->boundary_max);
}

static graze_status run(gz_world_load *load) {
    graze_world *world = load->world;
    snapshot before = {.name = world->name, .has_boundary = world->has_boundary};
    memcpy(before.min, world->boundary_min, sizeof before.min);
    memcpy(before.max, world->boundary_max, sizeof before.max);
    reader read;
    graze_status status = choose(load, &read);
    if (!status) status = read(load);
    if (!status) status = keep_warnings(load);
    if (status) {
        restore(load, &before);
        gz_error_locate(load->error, (gz_place){.file = load->path});
    } else if (world->name != before.name) {
        gz_free(before.name);
    }
    return status;
}

graze_status graze_world_add_file(graze_world *world, const char *path,
                                  const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world || !path) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world or path is NULL");
    if (world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is committed; allowed: additions before graze_world_commit()");
    graze_load_options checked;
    graze_status status = gz_load_options_check(options, &checked, error);
    if (status) return status;
    gz_world_load load = {.world = world,
                          .path = path,
                          .options = &checked,
                          .objects_before = world->object_count,
                          .error = error};
    load.budget = (gz_mesh_budget){.triangles_left = load.options->limits.triangles,
                                   .memory_left = load.options->limits.memory_bytes};
    const char *slash = strrchr(path, '/');
    load.folder = !slash          ? gz_string_copy(".")
                  : slash == path ? gz_string_copy("/")
                                  : gz_string_copy_n(path, (size_t)(slash - path));
    status = load.folder ? run(&load) : gz_fail_memory(error);
    gz_warnings_free(&load.warnings);
    gz_free(load.bytes);
    gz_free(load.folder);
    if (!status) gz_error_clear(error);
    return status;
}

// ------------------------------------------------------------------------------ shared by readers

graze_status gz_world_load_count(gz_world_load *load, gz_place place) {
    size_t count = load->world->object_count - load->objects_before;
    if (count < load->options->limits.elements) return GRAZE_OK;
    return gz_fail_at(load->error, GRAZE_ERROR_LIMIT, place,
                      "the file has more than %zu objects; allowed: %u (limits.elements)", count,
                      load->options->limits.elements);
}

void gz_world_load_locate(gz_world_load *load, gz_place place) {
    // The line of the world file means nothing in a mesh file that was at fault.
    graze_error *error = load->error;
    if (error && error->file[0] && strcmp(error->file, load->path) != 0)
        place = (gz_place){.element = place.element};
    gz_error_locate(error, place);
}

graze_status gz_world_load_pose(gz_world_load *load, gz_place place, const double position[3],
                                const double quaternion[4], double tolerance,
                                graze_transform *pose) {
    double most = 0, scaled[4], square = 0;
    for (int i = 0; i < 4; i++) most = fmax(most, fabs(quaternion[i]));
    if (!(most > 0))
        return gz_fail_at(load->error, GRAZE_ERROR_RANGE, place,
                          "the quaternion is 0 0 0 0; allowed: x y z w of length 1");
    // Divided by its largest part first, squares neither overflow nor vanish.
    for (int i = 0; i < 4; i++) {
        scaled[i] = quaternion[i] / most;
        square += scaled[i] * scaled[i];
    }
    if (fabs(sqrt(square) * most - 1) > tolerance)
        gz_warn(&load->warnings, "quaternion-not-unit", place,
                "a quaternion is not of length 1; normalised");
    // One that is of length 1 already is passed on as it is, not rounded twice.
    *pose = graze_transform_from_xyz_quat(position,
                                          most >= 0x1p-2 && most <= 4 ? quaternion : scaled);
    return GRAZE_OK;
}

graze_status gz_world_load_mesh_object(gz_world_load *load, gz_place place, const char *name,
                                       const char *uri, const double scale[3],
                                       const graze_transform *pose) {
    char *file;
    gz_soup *soup = NULL;
    graze_status status = gz_package_resolve(&file, uri, load->folder, load->options,
                                             &load->warnings, place, load->error);
    if (!status)
        status = gz_mesh_file_read(&soup, file, scale, load->options, &load->budget,
                                   &load->warnings, load->error);
    if (!status) {
        const gz_origin origin = {file, uri, scale, place.line};
        status = gz_world_add_soup(load->world, name, soup, pose, &origin, load->error);
    }
    gz_world_load_locate(load, place);
    gz_free(file);
    return status;
}

char *gz_world_load_shape_name(const char *object, size_t index) {
    return index ? gz_string_format("%s#%zu", object, index + 1) : gz_string_copy(object);
}

char *gz_world_load_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    return dot && dot > start ? gz_string_copy_n(start, (size_t)(dot - start))
                              : gz_string_copy(start);
}

graze_status gz_world_load_mesh(gz_world_load *load) {
    gz_soup *soup;
    graze_status status = gz_mesh_file_read(&soup, load->path, NULL, load->options, &load->budget,
                                            &load->warnings, load->error);
    if (status) return status;
    char *name = gz_world_load_base_name(load->path);
    if (!name) {
        gz_soup_free(soup);
        return gz_fail_memory(load->error);
    }
    const gz_origin origin = {.file = load->path, .uri = load->path};
    status = gz_world_add_soup(load->world, name, soup, NULL, &origin, load->error);
    gz_free(name);
    return status;
}

/// A robot at rest, and the count of geometries that its links have had so far.
typedef struct scenery {
    graze_robot *robot;
    double *q;
    graze_transform *links;
    int32_t *parts; ///< per link
} scenery;

static graze_status pose_at_rest(scenery *s, gz_world_load *load) {
    size_t q_count = graze_robot_q_size(s->robot);
    size_t links = (size_t)graze_robot_link_count(s->robot);
    s->q = gz_calloc(q_count, sizeof *s->q);
    s->links = gz_calloc(links, sizeof *s->links);
    s->parts = gz_calloc(links, sizeof *s->parts);
    if (!s->q || !s->links || !s->parts) return gz_fail_memory(load->error);
    graze_robot_rest(s->robot, s->q);
    if (q_count)
        gz_warn(&load->warnings, "urdf-has-joints", (gz_place){.file = load->path},
                "the scenery has joints that move; it stands still, as at rest (0, clipped into "
                "the limits)");
    return graze_robot_pose(s->robot, s->q, q_count, NULL, s->links, load->error);
}

/// A mesh comes from the robot in the frame of its rigid body, whose pose then places it here.
static graze_status add_mesh(gz_world_load *load, const char *name, const graze_geometry *geometry,
                             const graze_transform *body) {
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, geometry->vertex_count, geometry->triangle_count)) {
        gz_soup_free(soup);
        return gz_fail_memory(load->error);
    }
    soup->vertex_count = geometry->vertex_count;
    soup->triangle_count = geometry->triangle_count;
    memcpy(soup->vertices, geometry->vertices, soup->vertex_count * 3 * sizeof *soup->vertices);
    memcpy(soup->triangles, geometry->triangles,
           soup->triangle_count * 3 * sizeof *soup->triangles);
    soup->skipped = geometry->file_triangle_count > soup->triangle_count
                        ? geometry->file_triangle_count - soup->triangle_count
                        : 0;
    const gz_origin origin = {geometry->file, geometry->uri, geometry->scale, geometry->line};
    return gz_world_add_soup(load->world, name, soup, body, &origin, load->error);
}

static graze_status add_geometry(scenery *s, gz_world_load *load, const graze_geometry *geometry) {
    gz_place place = {.file = load->path, .line = geometry->line};
    graze_status status = gz_world_load_count(load, place);
    if (status) return status;
    const char *link = graze_robot_link_name(s->robot, geometry->owner);
    int32_t part = ++s->parts[geometry->owner];
    char *name = part == 1 ? gz_string_copy(link) : gz_string_format("%s/%d", link, part);
    if (!name) return gz_fail_memory(load->error);
    if (geometry->shape == GRAZE_SHAPE_MESH) {
        status = add_mesh(load, name, geometry, &s->links[geometry->frame]);
    } else {
        const gz_origin origin = {.line = geometry->line};
        graze_transform pose = graze_transform_multiply(&s->links[geometry->owner],
                                                        &geometry->origin);
        status = gz_world_add_primitive(load->world, name, geometry->shape, geometry->size,
                                        geometry->radius, geometry->length, &pose, &origin,
                                        load->error);
    }
    gz_free(name);
    if (status) gz_error_locate(load->error, place);
    return status;
}

static graze_status add_all(scenery *s, gz_world_load *load) {
    graze_status status = pose_at_rest(s, load);
    size_t count = graze_robot_collision_count(s->robot);
    if (!status && count == 0)
        return gz_fail_at(load->error, GRAZE_ERROR_SCHEMA, (gz_place){.file = load->path},
                          "no link has collision geometry; allowed: a URDF with at least one "
                          "<collision>, or use_visual");
    for (size_t i = 0; i < count && !status; i++) {
        graze_geometry geometry;
        status = graze_robot_collision(s->robot, i, &geometry);
        if (!status) status = add_geometry(s, load, &geometry);
    }
    for (size_t i = 0; i < graze_robot_warning_count(s->robot) && !status; i++) {
        graze_warning w = graze_robot_warning(s->robot, i);
        gz_warn(&load->warnings, w.code, (gz_place){w.file, w.element, w.line, w.column}, "%s",
                w.message);
    }
    return status;
}

graze_status gz_world_load_urdf(gz_world_load *load) {
    // An SRDF belongs to the robot that moves, not to the scenery around it; looks are of no use.
    graze_load_options options = *load->options;
    options.srdf = NULL;
    options.visuals = GRAZE_VISUALS_SKIP;
    scenery s = {0};
    graze_status status = graze_robot_load_urdf(&s.robot, load->path, &options, load->error);
    if (status) return status;
    status = add_all(&s, load);
    gz_free(s.q);
    gz_free(s.links);
    gz_free(s.parts);
    graze_robot_free(s.robot);
    return status;
}
