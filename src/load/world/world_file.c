#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/platform.h"
#include "load/file.h"
#include "load/mesh/affine.h"
#include "load/token.h"
#include "load/world/world_file.h"

typedef graze_status (*reader)(gz_world_load *load);

// ---------------------------------------------------------------------------------- mesh and URDF

/// The last name of a path without its ending: "meshes/cup.v2.stl" is "cup.v2".
static char *base_name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    return dot && dot > start ? gz_string_copy_n(start, (size_t)(dot - start))
                              : gz_string_copy(start);
}

/// Reads a mesh file, or with a radius one of points, and adds it.
static graze_status add_file(gz_world_load *load, const char *name, const char *file,
                             const gz_origin *origin, double radius, const graze_transform *pose) {
    gz_soup *soup;
    double *points;
    size_t count;
    if (radius > 0) {
        GZ_TRY(gz_points_file_read(&points, &count, file, origin->scale, load->options,
                                   &load->budget, &load->warnings, load->error));
        return gz_world_add_points(load->world, name, points, count, radius, pose, origin,
                                   load->error);
    }
    GZ_TRY(gz_mesh_file_read(&soup, file, origin->scale, load->options, &load->budget,
                             &load->warnings, load->error));
    return gz_world_add_soup(load->world, name, soup, pose, origin, load->error);
}

static graze_status load_mesh(gz_world_load *load) {
    const gz_origin origin = {.file = load->path, .uri = load->path};
    char *name = base_name_of(load->path);
    graze_status status = name ? add_file(load, name, load->path, &origin, 0, NULL)
                               : gz_fail_memory(load->error);
    gz_free(name);
    return status;
}

/// A robot at rest, and the count of geometries that its links have had so far.
typedef struct scenery {
    graze_robot *robot;
    double *q;
    graze_transform *links;
    int32_t *numbers; ///< per link
} scenery;

static graze_status pose_at_rest(scenery *s, gz_world_load *load) {
    size_t q_count = graze_robot_q_size(s->robot);
    size_t links = graze_robot_link_count(s->robot);
    s->q = gz_calloc(q_count, sizeof *s->q);
    s->links = gz_calloc(links, sizeof *s->links);
    s->numbers = gz_calloc(links, sizeof *s->numbers);
    if (!s->q || !s->links || !s->numbers) return gz_fail_memory(load->error);
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
    gz_soup *soup = gz_mesh_soup_copy(geometry->vertices, geometry->vertex_count,
                                      geometry->triangles, geometry->triangle_count);
    if (!soup) return gz_fail_memory(load->error);
    soup->skipped = geometry->file_triangle_count > soup->triangle_count
                        ? geometry->file_triangle_count - soup->triangle_count
                        : 0;
    const gz_origin origin = {.file = geometry->file,
                              .uri = geometry->uri,
                              .scale = geometry->scale,
                              .line = geometry->line};
    return gz_world_add_soup(load->world, name, soup, body, &origin, load->error);
}

static graze_status add_geometry(scenery *s, gz_world_load *load, const graze_geometry *geometry) {
    gz_place place = {.file = load->path, .line = geometry->line};
    GZ_TRY(gz_world_load_count(load, place));
    graze_status status;
    const char *link = graze_robot_link_name(s->robot, geometry->owner);
    int32_t number = ++s->numbers[geometry->owner];
    char *name = number == 1 ? gz_string_copy(link) : gz_string_format("%s/%d", link, number);
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
    GZ_TRY(pose_at_rest(s, load));
    size_t count = graze_robot_collision_count(s->robot);
    if (count == 0)
        return gz_fail_at(load->error, GRAZE_ERROR_SCHEMA, (gz_place){.file = load->path},
                          "no link has collision geometry; allowed: a URDF with at least one "
                          "<collision>, or use_visual");
    for (size_t i = 0; i < count; i++) {
        graze_geometry geometry;
        GZ_TRY(graze_robot_collision(s->robot, i, &geometry));
        GZ_TRY(add_geometry(s, load, &geometry));
    }
    for (size_t i = 0; i < graze_robot_warning_count(s->robot); i++) {
        graze_warning w = graze_robot_warning(s->robot, i);
        gz_warn(&load->warnings, w.code, (gz_place){w.file, w.element, w.line, w.column}, "%s",
                w.message);
    }
    return GRAZE_OK;
}

static graze_status load_urdf(gz_world_load *load) {
    // An SRDF belongs to the robot that moves, not to the scenery around it; looks are of no use.
    graze_load_options options = *load->options;
    options.srdf = NULL;
    options.visuals = GRAZE_VISUALS_SKIP;
    scenery s = {0};
    GZ_TRY(graze_robot_load_urdf(&s.robot, load->path, &options, load->error));
    graze_status status = add_all(&s, load);
    gz_free(s.q);
    gz_free(s.links);
    gz_free(s.numbers);
    graze_robot_free(s.robot);
    return status;
}

// ------------------------------------------------------------------------------ choosing a reader

static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

/// Whether the first bytes of a file hold such a text.
static bool holds(const char *bytes, size_t size, const char *text) {
    return gz_bytes_find(bytes, size < 4096 ? size : 4096, text) != NULL;
}

static char first_character(const char *bytes, size_t size) {
    size_t i = gz_byte_order_mark(bytes, size);
    while (i < size && gz_is_space(bytes[i])) i++;
    return i < size ? bytes[i] : '\0';
}

/// XML is, by its root, a Collada mesh or a URDF; where the ending is unknown, a URDF, too.
static reader reader_of_xml(const char *bytes, size_t size, const char *ending) {
    if (holds(bytes, size, "<COLLADA")) return load_mesh;
    bool open = !ending[0] || strcasecmp(ending, ".xml") == 0;
    return open || holds(bytes, size, "<robot") ? load_urdf : NULL;
}

/// Chooses by the first bytes, for files whose ending is unknown.
static reader reader_of_content(const char *bytes, size_t size, const char *ending) {
    static const char *const mesh_starts[] = {"ply", "glTF", "solid", "# Octomap OcTree binary",
                                              NULL};
    for (const char *const *start = mesh_starts; *start; start++)
        if (size >= strlen(*start) && memcmp(bytes, *start, strlen(*start)) == 0) return load_mesh;
    char first = first_character(bytes, size);
    if (first == '{') return gz_world_load_json;
    if (first == '<') return reader_of_xml(bytes, size, ending);
    if (holds(bytes, size, "collision_objects:")) return gz_world_load_yaml;
    return NULL;
}

static reader reader_of_ending(const char *ending) {
    static const struct {
        const char *endings;
        reader read;
    } readers[] = {{"json", gz_world_load_json},
                   {"scene", gz_world_load_moveit_scene},
                   {"yaml yml", gz_world_load_yaml},
                   {"urdf xacro", load_urdf},
                   {"stl stlb dae obj ply glb gltf bt", load_mesh}};
    for (size_t i = 0; ending[0] && i < sizeof readers / sizeof *readers; i++)
        if (gz_word_index((gz_word){ending + 1, strlen(ending + 1)}, readers[i].endings) >= 0)
            return readers[i].read;
    return NULL;
}

static graze_status choose(gz_world_load *load, reader *chosen) {
    const char *ending = ending_of(load->path);
    *chosen = reader_of_ending(ending);
    // URDFs and meshes are opened by their own loaders.
    if (*chosen == load_urdf || *chosen == load_mesh) return GRAZE_OK;
    GZ_TRY(gz_load_read(load->path, load->options->files, load->options->limits.file_bytes,
                        &load->bytes, &load->size, load->error));
    if (*chosen) return GRAZE_OK;
    *chosen = reader_of_content(load->bytes, load->size, ending);
    // What is left may be a mesh that assimp reads.
    if (!*chosen && ending[0] && load->options->importer) *chosen = load_mesh;
    if (*chosen) return GRAZE_OK;
    return gz_fail_at(load->error, GRAZE_ERROR_UNSUPPORTED, (gz_place){.file = load->path},
                      "neither the ending \"%.20s\" nor the content tells the format; allowed: "
                      ".json, .urdf, .xml, .scene, .yaml, .yml, .stl, .dae, .obj, .ply, .glb, "
                      ".gltf, .bt; by an importer, what assimp reads",
                      ending);
}

// ---------------------------------------------------------------------------- the public function

/// Hands the warnings over, or fails without having changed the world's.
static graze_status keep_warnings(gz_world_load *load) {
    gz_warnings *kept = &load->world->warnings;
    if (load->warnings.out_of_memory ||
        !GZ_RESERVE(kept->items, kept->capacity, kept->count + load->warnings.count))
        return gz_fail_memory(load->error);
    gz_warnings_move(kept, &load->warnings);
    return GRAZE_OK;
}

static void restore(gz_world_load *load, const graze_world *before) {
    graze_world *world = load->world;
    gz_world_truncate(world, load->objects_before);
    if (world->name != before->name) gz_free(world->name);
    world->name = before->name;
    world->has_boundary = before->has_boundary;
    memcpy(world->boundary_min, before->boundary_min, sizeof world->boundary_min);
    memcpy(world->boundary_max, before->boundary_max, sizeof world->boundary_max);
}

static graze_status run(gz_world_load *load) {
    graze_world *world = load->world;
    const graze_world before = *world;
    reader read = NULL;
    graze_status status = choose(load, &read);
    load->budget.named_by_file = read != load_mesh;
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
    GZ_TRY(gz_load_options_check(options, &checked, error));
    gz_world_load load = {.world = world,
                          .path = path,
                          .options = &checked,
                          .objects_before = world->object_count,
                          .error = error};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    load.budget = (gz_mesh_budget){.triangles_left = load.options->limits.triangles,
                                   .imports = gz_import_cache_create()};
    load.folder = gz_path_folder(path);
    bool ready = load.folder && load.budget.imports;
    graze_status status = ready ? run(&load) : gz_fail_memory(error);
    gz_warnings_free(&load.warnings);
    gz_free(load.bytes);
    gz_free(load.folder);
    gz_package_cache_free(&load.packages);
    gz_import_cache_free(load.budget.imports);
    gz_memory_budget_close(&memory);
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
    double scaled[4], norm;
    memcpy(scaled, quaternion, sizeof scaled);
    const double most = gz_divide_by_largest(scaled, 4, &norm);
    if (most == 0)
        return gz_fail_at(load->error, GRAZE_ERROR_RANGE, place,
                          "the quaternion is 0 0 0 0; allowed: x y z w of length 1");
    if (fabs(norm * most - 1) > tolerance)
        gz_warn(&load->warnings, "quaternion-not-unit", place,
                "a quaternion is not of length 1; normalised");
    // One that is of length 1 already is passed on as it is, not rounded twice.
    *pose = graze_transform_from_xyz_quat(position,
                                          most >= 0x1p-2 && most <= 4 ? quaternion : scaled);
    return GRAZE_OK;
}

/// NULL when out of memory; free with gz_free().
static char *name_of_shape(const gz_world_load *load, const char *object, size_t index) {
    return index && !load->in_object ? gz_string_format("%s#%zu", object, index + 1)
                                     : gz_string_copy(object);
}

graze_status gz_world_load_shape(gz_world_load *load, const char *object, size_t index,
                                 gz_world_shape *shape, const graze_transform *pose) {
    const gz_origin origin = {.line = shape->line,
                              .element = load->in_object ? (int32_t)index : 0,
                              .in_object = load->in_object};
    char *name = name_of_shape(load, object, index);
    if (!name) return gz_fail_memory(load->error);
    graze_status status;
    if (shape->soup)
        status = gz_world_add_soup(load->world, name, shape->soup, pose, &origin, load->error);
    else
        status = gz_world_add_primitive(load->world, name, shape->kind, shape->size, shape->radius,
                                        shape->length, pose, &origin, load->error);
    shape->soup = NULL;
    gz_free(name);
    return status;
}

graze_status gz_world_load_uri(gz_world_load *load, gz_place place, int32_t line,
                               const char *object, size_t index, const char *uri,
                               const double scale[3], double radius, const graze_transform *pose) {
    char *file = NULL, *name = name_of_shape(load, object, index);
    graze_status status = name ? gz_package_resolve(&file, uri, load->folder, load->options,
                                                    &load->packages, &load->warnings, place,
                                                    load->error)
                               : gz_fail_memory(load->error);
    if (!status) {
        const gz_origin origin = {
            file, uri, scale, line, load->in_object ? (int32_t)index : 0, load->in_object};
        status = add_file(load, name, file, &origin, radius, pose);
    }
    if (status) gz_world_load_locate(load, place);
    gz_free(name);
    gz_free(file);
    return status;
}
