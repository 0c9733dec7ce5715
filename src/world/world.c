#include "world/world.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/transform.h"

/// How far a pose may be from rigid, as include/graze/world.h says.
#define RIGID_TOLERANCE 1e-9

// ----------------------------------------------------------------------------- creating, freeing

graze_status graze_world_create(graze_world **out, const char *name, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    graze_world *world = gz_calloc(1, sizeof *world);
    if (world) world->name = gz_string_copy(name ? name : "");
    if (!world || !world->name) {
        graze_world_free(world);
        return gz_fail_memory(error);
    }
    *out = world;
    gz_error_clear(error);
    return GRAZE_OK;
}

static void object_clear(gz_object *object) {
    gz_free(object->name);
    gz_free(object->points);
    gz_free(object->file);
    gz_free(object->uri);
    gz_shape_clear(&object->shape);
}

void graze_world_free(graze_world *world) {
    if (!world) return;
    if (world->release) {
        world->release(world->image);
        return;
    }
    for (size_t i = 0; i < world->object_count; i++) object_clear(&world->objects[i]);
    gz_free(world->objects);
    gz_free(world->name_slots);
    gz_warnings_free(&world->warnings);
    gz_free(world->entries);
    gz_free(world->nodes);
    gz_free(world->name);
    gz_free(world);
}

// ------------------------------------------------------------------------------------------ names

/// FNV-1a, finished by a mixer, as linear probing looks at the low bits alone.
static uint64_t hash_name(const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return gz_random_mix(hash);
}

/// The slot of a name, or the free slot where it would go. There is always a free one.
static size_t name_slot(const graze_world *world, const char *name, uint64_t hash) {
    size_t mask = world->name_slot_count - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        uint32_t index = world->name_slots[slot];
        if (!index) return slot;
        const gz_object *object = &world->objects[index - 1];
        if (object->name_hash == hash && strcmp(object->name, name) == 0) return slot;
    }
}

static int32_t find_object(const graze_world *world, const char *name) {
    if (!world->name_slot_count) return -1;
    return (int32_t)world->name_slots[name_slot(world, name, hash_name(name))] - 1;
}

/// Keeps the table at most half full with one more name; false when out of memory.
static bool reserve_name(graze_world *world) {
    size_t needed = 2 * (world->object_count + 1), count = world->name_slot_count;
    if (count >= needed) return true;
    for (count = count ? count : 16; count < needed;) count *= 2;
    uint32_t *slots = gz_calloc(count, sizeof *slots);
    if (!slots) return false;
    gz_free(world->name_slots);
    world->name_slots = slots;
    world->name_slot_count = count;
    for (size_t i = 0; i < world->object_count; i++) {
        const gz_object *object = &world->objects[i];
        slots[name_slot(world, object->name, object->name_hash)] = (uint32_t)i + 1;
    }
    return true;
}

void gz_world_truncate(graze_world *world, size_t count) {
    // Names leave the table in the reverse of the order in which they came, so that emptying a slot
    // cannot cut the probe path of a name that stays.
    while (world->object_count > count) {
        gz_object *object = &world->objects[world->object_count - 1];
        world->name_slots[name_slot(world, object->name, object->name_hash)] = 0;
        object_clear(object);
        world->object_count--;
    }
}

// -------------------------------------------------------------------------------- placing objects

static graze_status check_pose(const graze_transform *pose, graze_error *error) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(pose->m[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "pose has the entry %g in row %d, column %d; allowed: finite numbers",
                           pose->m[i], i / 4, i % 4);
    if (!gz_transform_is_rigid(pose->m, RIGID_TOLERANCE))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "pose is not rigid; allowed: a rotation up to 1e-9, without mirroring");
    return GRAZE_OK;
}

/// The place of a point in the world, checked against the range that the exact tests need.
static graze_status snap(const graze_transform *pose, const double point[3], double out[3],
                         graze_error *error) {
    gz_snap(pose->m, point, out);
    for (int k = 0; k < 3; k++)
        if (!(fabs(out[k]) <= GZ_COORDINATE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the object reaches to %c = %g in the world; allowed: magnitudes of at "
                           "most 2^20 m",
                           "xyz"[k], out[k]);
    return GRAZE_OK;
}

static graze_aabb box_empty(void) {
    return (graze_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_join(graze_aabb *box, const double low[3], const double high[3]) {
    box->min.x = fmin(box->min.x, low[0]);
    box->min.y = fmin(box->min.y, low[1]);
    box->min.z = fmin(box->min.z, low[2]);
    box->max.x = fmax(box->max.x, high[0]);
    box->max.y = fmax(box->max.y, high[1]);
    box->max.z = fmax(box->max.z, high[2]);
}

/// The box of a ball: the sums are rounded to nearest, so one step outward contains the true ones.
static void ball_box(const double center[3], double radius, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = nextafter(center[k] - radius, -INFINITY);
        high[k] = nextafter(center[k] + radius, INFINITY);
    }
}

static graze_status box_of_vertices(const double *vertices, size_t count, double radius,
                                    const graze_transform *pose, graze_aabb *box,
                                    graze_error *error) {
    *box = box_empty();
    for (size_t i = 0; i < count; i++) {
        double at[3], low[3], high[3];
        graze_status status = snap(pose, vertices + 3 * i, at, error);
        if (status) return status;
        if (radius > 0) {
            ball_box(at, radius, low, high);
            box_join(box, low, high);
        } else {
            box_join(box, at, at);
        }
    }
    return GRAZE_OK;
}

/// The box of a whole object in the world. A curved solid is made once more at its pose: its axis
/// then has the snapped ends, and its bounds are those of the solid that verdicts are about.
static graze_status place_object(gz_object *object, graze_error *error) {
    if (object->kind == GRAZE_SHAPE_POINTS)
        return box_of_vertices(object->points, object->point_count, object->radius, &object->pose,
                               &object->box, error);
    if (object->shape.mesh)
        return box_of_vertices(object->shape.mesh->vertices, object->shape.mesh->vertex_count, 0,
                               &object->pose, &object->box, error);
    gz_shape placed;
    graze_status status = gz_shape_primitive(&placed, object->kind, object->size, object->radius,
                                             object->length, &object->pose, error);
    if (status) return status;
    object->box = placed.aabb;
    gz_shape_clear(&placed);
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------- adding objects

/// What every addition checks before it makes anything.
static graze_status check_addition(const graze_world *world, const char *name,
                                   const graze_transform *pose, graze_error *error) {
    if (!world) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world is NULL");
    if (!name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "name is NULL");
    if (world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is committed; allowed: additions before graze_world_commit()");
    if (!*name)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "the name is empty; allowed: a name of its own");
    int32_t other = find_object(world, name);
    if (other >= 0 && world->objects[other].line)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is in use by object %d (line %d of its file); allowed: a "
                       "name that is new in this world",
                       name, other, world->objects[other].line);
    if (other >= 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is in use by object %d; allowed: a name that is new in this "
                       "world",
                       name, other);
    if (world->object_count >= INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the world has %zu objects; allowed: up to %d",
                       world->object_count, INT32_MAX / 2);
    return pose ? check_pose(pose, error) : GRAZE_OK;
}

/// Copies name and origin into the object and stores it; takes the object's parts in any case.
static graze_status store(graze_world *world, gz_object *object, const char *name,
                          const gz_origin *origin, graze_error *error) {
    static const gz_origin unknown = {0};
    if (!origin) origin = &unknown;
    for (int k = 0; k < 3; k++) object->scale[k] = origin->scale ? origin->scale[k] : 1;
    object->line = origin->line;
    object->name = gz_string_copy(name);
    object->file = gz_string_copy(origin->file);
    object->uri = gz_string_copy(origin->uri);
    bool ok = object->name && (object->file || !origin->file) && (object->uri || !origin->uri) &&
              gz_array_reserve((void **)&world->objects, &world->object_capacity,
                               world->object_count + 1, sizeof *world->objects) &&
              reserve_name(world);
    if (!ok) {
        object_clear(object);
        return gz_fail_memory(error);
    }
    object->name_hash = hash_name(name);
    world->name_slots[name_slot(world, name, object->name_hash)] = (uint32_t)world->object_count +
                                                                   1;
    world->objects[world->object_count++] = *object;
    gz_error_clear(error);
    return GRAZE_OK;
}

/// The last two steps of each addition.
static graze_status place_and_store(graze_world *world, gz_object *object, const char *name,
                                    const gz_origin *origin, graze_error *error) {
    graze_status status = place_object(object, error);
    if (status) {
        object_clear(object);
        return status;
    }
    return store(world, object, name, origin, error);
}

graze_status gz_world_add_primitive(graze_world *world, const char *name, graze_shape kind,
                                    const double size[3], double radius, double length,
                                    const graze_transform *pose, const gz_origin *origin,
                                    graze_error *error) {
    graze_status status = check_addition(world, name, pose, error);
    if (!status) status = gz_shape_check(kind, size, radius, length, error);
    if (status) return status;
    const graze_transform identity = graze_transform_identity();
    gz_object object = {.kind = kind, .pose = pose ? *pose : identity};
    if (kind == GRAZE_SHAPE_BOX) memcpy(object.size, size, sizeof object.size);
    if (kind != GRAZE_SHAPE_BOX) object.radius = radius;
    if (kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CAPSULE) object.length = length;
    status = gz_shape_primitive(&object.shape, kind, object.size, object.radius, object.length,
                                &identity, error);
    if (status) return status;
    return place_and_store(world, &object, name, origin, error);
}

static graze_status add_triangles(graze_world *world, const char *name, const gz_soup *soup,
                                  const graze_transform *pose, const gz_origin *origin,
                                  graze_error *error) {
    graze_status status = check_addition(world, name, pose, error);
    if (status) return status;
    gz_object object = {.kind = GRAZE_SHAPE_MESH,
                        .pose = pose ? *pose : graze_transform_identity(),
                        .file_triangle_count = soup->triangle_count + soup->skipped};
    graze_mesh *mesh;
    status = gz_mesh_build(&mesh, soup, NULL, false, error);
    if (status) return status;
    gz_shape_mesh(&object.shape, mesh);
    return place_and_store(world, &object, name, origin, error);
}

graze_status gz_world_add_soup(graze_world *world, const char *name, gz_soup *soup,
                               const graze_transform *pose, const gz_origin *origin,
                               graze_error *error) {
    graze_status status = add_triangles(world, name, soup, pose, origin, error);
    gz_soup_free(soup);
    return status;
}

static graze_status check_points(const double *points, size_t count, double radius,
                                 graze_error *error) {
    if (!(radius > 0) || !(radius <= GZ_COORDINATE_MAX))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "radius is %g; allowed: above 0 and at most 2^20 m", radius);
    if (!count) return gz_fail(error, GRAZE_ERROR_MESH, "there is no point; allowed: at least one");
    for (size_t i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= GZ_COORDINATE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "point %zu has the coordinate %g; allowed: finite, at most 2^20 m",
                           i / 3, points[i]);
    return GRAZE_OK;
}

graze_status gz_world_add_points(graze_world *world, const char *name, double *points,
                                 size_t point_count, double radius, const graze_transform *pose,
                                 const gz_origin *origin, graze_error *error) {
    graze_status status = check_addition(world, name, pose, error);
    if (!status) status = check_points(points, point_count, radius, error);
    if (status) {
        gz_free(points);
        return status;
    }
    gz_object object = {.kind = GRAZE_SHAPE_POINTS,
                        .points = points,
                        .point_count = point_count,
                        .radius = radius,
                        .pose = pose ? *pose : graze_transform_identity()};
    return place_and_store(world, &object, name, origin, error);
}

// ------------------------------------------------------------------------- the public additions

graze_status graze_world_add_box(graze_world *world, const char *name, const double size[3],
                                 const graze_transform *pose, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!size) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "size is NULL");
    return gz_world_add_primitive(world, name, GRAZE_SHAPE_BOX, size, 0, 0, pose, NULL, error);
}

graze_status graze_world_add_sphere(graze_world *world, const char *name, double radius,
                                    const graze_transform *pose, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_world_add_primitive(world, name, GRAZE_SHAPE_SPHERE, NULL, radius, 0, pose, NULL,
                                  error);
}

graze_status graze_world_add_cylinder(graze_world *world, const char *name, double radius,
                                      double length, const graze_transform *pose,
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_world_add_primitive(world, name, GRAZE_SHAPE_CYLINDER, NULL, radius, length, pose,
                                  NULL, error);
}

graze_status graze_world_add_capsule(graze_world *world, const char *name, double radius,
                                     double length, const graze_transform *pose,
                                     graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_world_add_primitive(world, name, GRAZE_SHAPE_CAPSULE, NULL, radius, length, pose,
                                  NULL, error);
}

graze_status graze_world_add_mesh(graze_world *world, const char *name, const double *vertices,
                                  size_t vertex_count, const uint32_t *triangles,
                                  size_t triangle_count, const graze_transform *pose,
                                  graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if ((!vertices && vertex_count) || (!triangles && triangle_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "vertices or triangles is NULL");
    // Read only: the soup borrows the caller's arrays.
    const gz_soup soup = {.vertices = (double *)(uintptr_t)vertices,
                          .vertex_count = vertex_count,
                          .triangles = (uint32_t *)(uintptr_t)triangles,
                          .triangle_count = triangle_count};
    return add_triangles(world, name, &soup, pose, NULL, error);
}

graze_status graze_world_add_points(graze_world *world, const char *name, const double *points,
                                    size_t point_count, double radius, const graze_transform *pose,
                                    graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!points && point_count) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "points is NULL");
    double *copy = gz_malloc(point_count, 3 * sizeof *copy);
    if (!copy) return gz_fail_memory(error);
    if (point_count) memcpy(copy, points, point_count * 3 * sizeof *copy);
    return gz_world_add_points(world, name, copy, point_count, radius, pose, NULL, error);
}

graze_status graze_world_set_boundary(graze_world *world, const double min[3], const double max[3],
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world || !min || !max)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world, min or max is NULL");
    if (world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is committed; allowed: a boundary before graze_world_commit()");
    for (int k = 0; k < 3; k++)
        if (!isfinite(min[k]) || !isfinite(max[k]) || min[k] > max[k])
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "boundary goes from %g to %g in %c; allowed: finite, min at most max",
                           min[k], max[k], "xyz"[k]);
    memcpy(world->boundary_min, min, sizeof world->boundary_min);
    memcpy(world->boundary_max, max, sizeof world->boundary_max);
    world->has_boundary = true;
    gz_error_clear(error);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- committing

static void fill_points(const gz_object *object, int32_t index, gz_entry *entries) {
    for (size_t i = 0; i < object->point_count; i++) {
        double at[3], low[3], high[3];
        gz_snap(object->pose.m, object->points + 3 * i, at);
        ball_box(at, object->radius, low, high);
        entries[i] = (gz_entry){.object = index,
                                .point = (int32_t)i,
                                .box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}};
    }
}

static graze_status make_entries(graze_world *world, graze_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < world->object_count; i++) {
        const gz_object *object = &world->objects[i];
        count += object->kind == GRAZE_SHAPE_POINTS ? object->point_count : 1;
        if (count > INT32_MAX / 2)
            return gz_fail(error, GRAZE_ERROR_LIMIT,
                           "the world has more than %d objects and points; allowed: up to %d",
                           INT32_MAX / 2, INT32_MAX / 2);
    }
    gz_entry *entries = gz_malloc(count, sizeof *entries);
    if (!entries) return gz_fail_memory(error);
    count = 0;
    for (size_t i = 0; i < world->object_count; i++) {
        const gz_object *object = &world->objects[i];
        if (object->kind == GRAZE_SHAPE_POINTS) {
            fill_points(object, (int32_t)i, entries + count);
            count += object->point_count;
        } else {
            entries[count++] = (gz_entry){.object = (int32_t)i, .point = -1, .box = object->box};
        }
    }
    world->entries = entries;
    world->entry_count = count;
    return GRAZE_OK;
}

graze_status graze_world_commit(graze_world *world, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world is NULL");
    if (!world->committed) {
        graze_status status = make_entries(world, error);
        if (status) return status;
        status = gz_world_tree_build(world, error);
        if (status) {
            gz_free(world->entries);
            world->entries = NULL;
            world->entry_count = 0;
            return status;
        }
        world->committed = true;
    }
    gz_error_clear(error);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- inspection

const char *graze_world_name(const graze_world *world) {
    return world ? world->name : NULL;
}

size_t graze_world_object_count(const graze_world *world) {
    return world ? world->object_count : 0;
}

graze_status graze_world_object(const graze_world *world, size_t index, graze_geometry *geometry) {
    if (!world || !geometry || index >= world->object_count) return GRAZE_ERROR_ARGUMENT;
    const gz_object *object = &world->objects[index];
    *geometry = (graze_geometry){.name = object->name,
                                 .owner = (int32_t)index,
                                 .shape = object->kind,
                                 .origin = object->pose,
                                 .frame = -1,
                                 .radius = object->radius,
                                 .length = object->length,
                                 .file = object->file,
                                 .uri = object->uri,
                                 .file_triangle_count = object->file_triangle_count,
                                 .line = object->line};
    memcpy(geometry->size, object->size, sizeof geometry->size);
    memcpy(geometry->scale, object->scale, sizeof geometry->scale);
    const graze_mesh *mesh = object->shape.mesh;
    if (object->kind == GRAZE_SHAPE_POINTS) {
        geometry->vertex_count = object->point_count;
        geometry->vertices = object->points;
    } else if (mesh) {
        geometry->vertex_count = mesh->vertex_count;
        geometry->vertices = mesh->vertices;
        geometry->triangle_count = mesh->triangle_count;
        geometry->triangles = mesh->triangles;
        geometry->degenerate_count = mesh->degenerate_count;
        geometry->component_count = mesh->component_count;
        geometry->closed_count = mesh->closed_count;
        geometry->mesh = mesh;
    } else {
        memcpy(geometry->ends[0], object->shape.a, sizeof geometry->ends[0]);
        memcpy(geometry->ends[1], object->shape.b, sizeof geometry->ends[1]);
    }
    return GRAZE_OK;
}

int32_t graze_world_find_object(const graze_world *world, const char *name) {
    return world && name ? find_object(world, name) : -1;
}

bool graze_world_boundary(const graze_world *world, double min[3], double max[3]) {
    if (!world || !world->has_boundary) return false;
    if (min) memcpy(min, world->boundary_min, sizeof world->boundary_min);
    if (max) memcpy(max, world->boundary_max, sizeof world->boundary_max);
    return true;
}

size_t graze_world_warning_count(const graze_world *world) {
    return world ? world->warnings.count : 0;
}

graze_warning graze_world_warning(const graze_world *world, size_t index) {
    if (!world || index >= world->warnings.count)
        return (graze_warning){.code = "", .message = "", .file = "", .element = ""};
    return world->warnings.items[index];
}
