#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/transform.h"
#include "world/world.h"

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

graze_world *gz_world_hold(const graze_world *world) {
    gz_kept_hold(&world->shared, world->keeper);
    return (graze_world *)(uintptr_t)world;
}

void graze_world_free(graze_world *world) {
    if (!world || !gz_kept_drop(&world->shared, world->keeper)) return;
    gz_world_delta_free(world->delta);
    gz_type_clear(&gz_type_world, world);
    gz_free(world);
}

// ------------------------------------------------------------------------------------------ names

/// A name more than this many slots behind that of its hash is refused. The table is at most half
/// full, so that a name is one slot behind in the mean and the unluckiest of a billion some hundred
/// (linear probing); names that were made to collide would take time that grows with their square.
#define PROBING_MAX 1000

/// The slot of a name, or the free slot where it would go. There is always a free one.
static size_t name_slot(const graze_world *world, const char *name, uint64_t hash) {
    size_t mask = world->name_slot_count - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        uint32_t index = world->name_slots[slot];
        if (!index) return slot;
        const gz_object *object = world->objects[index - 1];
        if (object->name_hash == hash && strcmp(object->name, name) == 0) return slot;
    }
}

int32_t gz_world_find(const graze_world *world, const char *name, uint64_t hash) {
    if (world->delta) return gz_world_delta_find(world->delta, name, hash);
    if (!world->name_slot_count) return -1;
    return (int32_t)world->name_slots[name_slot(world, name, hash)] - 1;
}

/// Keeps the table at most half full with so many more names; false when out of memory.
static bool reserve_names(graze_world *world, size_t more) {
    size_t needed = 2 * (world->object_count + more), count = world->name_slot_count;
    if (count >= needed) return true;
    for (count = count ? count : 16; count < needed;) count *= 2;
    uint32_t *slots = gz_calloc(count, sizeof *slots);
    if (!slots) return false;
    gz_free(world->name_slots);
    world->name_slots = slots;
    world->name_slot_count = count;
    for (size_t i = 0; i < world->object_count; i++) {
        const gz_object *object = world->objects[i];
        if (!object->element)
            slots[name_slot(world, object->name, object->name_hash)] = (uint32_t)i + 1;
    }
    return true;
}

void gz_world_truncate(graze_world *world, size_t count) {
    // Names leave the table in the reverse of the order in which they came, so that emptying a slot
    // cannot cut the probe path of a name that stays.
    while (world->object_count > count) {
        gz_object *object = world->objects[world->object_count - 1];
        if (!object->element)
            world->name_slots[name_slot(world, object->name, object->name_hash)] = 0;
        gz_object_drop(object);
        world->object_count--;
    }
}

// --------------------------------------------------------------------------------- adding objects

static graze_status check_name(const graze_world *world, const char *name, graze_error *error) {
    if (!*name)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "the name is empty; allowed: a name of its own");
    int32_t other = gz_world_find(world, name, gz_object_hash(name));
    int32_t line = other >= 0 ? gz_world_at(world, (size_t)other)->line : 0;
    if (line)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is in use by object %d (line %d of its file); allowed: a "
                       "name that is new in this world",
                       name, other, line);
    if (other >= 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is in use by object %d; allowed: a name that is new in this "
                       "world",
                       name, other);
    return GRAZE_OK;
}

/// What every addition checks before it makes anything.
static graze_status check_addition(const graze_world *world, const char *name,
                                   const graze_transform *pose, const gz_origin *origin,
                                   graze_error *error) {
    if (!world) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world is NULL");
    if (!name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "name is NULL");
    if (world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is committed; allowed: additions before graze_world_commit()");
    if (!origin || !origin->element) GZ_TRY(check_name(world, name, error));
    if (world->object_count >= INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the world has %zu objects; allowed: up to %d",
                       world->object_count, INT32_MAX / 2);
    return pose ? gz_object_check_pose(pose, error) : GRAZE_OK;
}

bool gz_world_reserve(graze_world *world, size_t more) {
    return gz_array_reserve((void **)&world->objects, &world->object_capacity,
                            world->object_count + more, sizeof(gz_object *)) &&
           reserve_names(world, more);
}

graze_status gz_world_store(graze_world *world, gz_object *object, graze_error *error) {
    if (!gz_world_reserve(world, 1)) {
        gz_object_drop(object);
        return gz_fail_memory(error);
    }
    size_t slot = name_slot(world, object->name, object->name_hash);
    if (((slot - object->name_hash) & (world->name_slot_count - 1)) > PROBING_MAX) {
        gz_fail(error, GRAZE_ERROR_LIMIT,
                "more than %d names share their hash with '%s'; allowed: up to that", PROBING_MAX,
                object->name);
        gz_object_drop(object);
        return GRAZE_ERROR_LIMIT;
    }
    if (!object->id) object->id = object->element ? world->last_id : ++world->last_id;
    if (!object->element) world->name_slots[slot] = (uint32_t)world->object_count + 1;
    world->objects[world->object_count++] = object;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status gz_world_add_primitive(graze_world *world, const char *name, graze_shape kind,
                                    const double size[3], double radius, double length,
                                    const graze_transform *pose, const gz_origin *origin,
                                    graze_error *error) {
    gz_object *object;
    GZ_TRY(check_addition(world, name, pose, origin, error));
    GZ_TRY(gz_object_primitive(name, kind, size, radius, length, pose, origin, &object, error));
    return gz_world_store(world, object, error);
}

static graze_status add_triangles(graze_world *world, const char *name, const gz_soup *soup,
                                  gz_soup *owned, const graze_transform *pose,
                                  const gz_origin *origin, graze_error *error) {
    gz_object *object;
    GZ_TRY(check_addition(world, name, pose, origin, error));
    GZ_TRY(gz_object_triangles(name, soup, owned, pose, origin, &object, error));
    return gz_world_store(world, object, error);
}

graze_status gz_world_add_soup(graze_world *world, const char *name, gz_soup *soup,
                               const graze_transform *pose, const gz_origin *origin,
                               graze_error *error) {
    graze_status status = add_triangles(world, name, soup, soup, pose, origin, error);
    gz_soup_free(soup);
    return status;
}

graze_status gz_world_add_points(graze_world *world, const char *name, double *points,
                                 size_t point_count, double radius, const graze_transform *pose,
                                 const gz_origin *origin, graze_error *error) {
    graze_status status = check_addition(world, name, pose, origin, error);
    if (status) {
        gz_free(points);
        return status;
    }
    gz_object *object;
    GZ_TRY(gz_object_points(name, points, point_count, radius, pose, origin, &object, error));
    return gz_world_store(world, object, error);
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

graze_status graze_world_add_cone(graze_world *world, const char *name, double radius,
                                  double length, const graze_transform *pose, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_world_add_primitive(world, name, GRAZE_SHAPE_CONE, NULL, radius, length, pose, NULL,
                                  error);
}

static graze_status add_flat(graze_world *world, const char *name, graze_shape kind,
                             const double normal[3], double offset, graze_error *error) {
    graze_transform pose;
    if (!normal) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "normal is NULL");
    if (!gz_object_plane(normal, offset, &pose))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "normal is %g %g %g, offset %g; allowed: finite, and not of length 0",
                       normal[0], normal[1], normal[2], offset);
    return gz_world_add_primitive(world, name, kind, NULL, 0, 0, &pose, NULL, error);
}

graze_status graze_world_add_halfspace(graze_world *world, const char *name, const double normal[3],
                                       double offset, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return add_flat(world, name, GRAZE_SHAPE_HALFSPACE, normal, offset, error);
}

graze_status graze_world_add_plane(graze_world *world, const char *name, const double normal[3],
                                   double offset, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return add_flat(world, name, GRAZE_SHAPE_PLANE, normal, offset, error);
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
    return add_triangles(world, name, &soup, NULL, pose, NULL, error);
}

graze_status graze_world_add_points(graze_world *world, const char *name, const double *points,
                                    size_t point_count, double radius, const graze_transform *pose,
                                    graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!points && point_count) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "points is NULL");
    gz_object *object;
    GZ_TRY(check_addition(world, name, pose, NULL, error));
    GZ_TRY(gz_object_points_copy(name, points, point_count, radius, pose, NULL, &object, error));
    return gz_world_store(world, object, error);
}

graze_status graze_world_add_geometry(graze_world *world, const char *name,
                                      const graze_geometry *geometry, const graze_transform *pose,
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const graze_transform identity = graze_transform_identity();
    if (!geometry) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "geometry is NULL");
    gz_object *object;
    GZ_TRY(check_addition(world, name, pose, NULL, error));
    GZ_TRY(gz_object_of_geometry(name, geometry, pose ? pose : &identity, &object, error));
    return gz_world_store(world, object, error);
}

graze_status graze_world_add_shapes(graze_world *world, const char *name,
                                    const graze_placed_shape *shapes, size_t count,
                                    const graze_transform *pose, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const graze_transform identity = graze_transform_identity();
    graze_placed_shape none;
    GZ_TRY(gz_placed_shapes(NULL, &shapes, &count, &none, error));
    GZ_TRY(check_addition(world, name, pose, NULL, error));
    if (world->object_count + count > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the world has %zu objects; allowed: up to %d",
                       world->object_count + count, INT32_MAX / 2);
    size_t before = world->object_count;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        gz_object *object;
        status = gz_object_of_shape(name, &shapes[i], i, pose ? pose : &identity, &object, error);
        if (status == GRAZE_OK) status = gz_world_store(world, object, error);
    }
    if (status) gz_world_truncate(world, before);
    return status;
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

gz_tree_item gz_object_item(const gz_object *object, size_t index) {
    const graze_aabb *box = &object->box;
    return gz_tree_item_make(GZ_ARRAY3(box->min), GZ_ARRAY3(box->max), (uint32_t)index);
}

bool gz_object_tree_build(gz_object_tree *out, gz_tree_item *items, size_t count) {
    gz_box_tree tree;
    *out = (gz_object_tree){.root = ~0};
    if (count < 2) return true;
    if (!gz_box_tree_build(&tree, items, count, 1)) return false;
    gz_box_tree_name(&tree, items);
    *out = (gz_object_tree){tree.nodes, tree.node_count, tree.root};
    tree.nodes = NULL;
    gz_box_tree_free(&tree);
    return true;
}

graze_status gz_world_build_tree(graze_world *world, graze_error *error) {
    size_t count = world->object_count;
    gz_tree_item *items = gz_malloc(count, sizeof *items);
    gz_object_tree tree;
    gz_extent extent = {0};
    for (size_t i = 0; items && i < count; i++) {
        items[i] = gz_object_item(world->objects[i], i);
        gz_extent_add(&extent, world->objects[i]);
    }
    bool built = items && gz_object_tree_build(&tree, items, count);
    gz_free(items);
    if (!built) return gz_fail_memory(error);
    world->nodes = tree.nodes;
    world->node_count = tree.node_count;
    world->root = tree.root;
    world->extent = extent;
    world->committed = true;
    return GRAZE_OK;
}

graze_status graze_world_commit(graze_world *world, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world is NULL");
    if (!world->committed) GZ_TRY(gz_world_build_tree(world, error));
    gz_error_clear(error);
    return GRAZE_OK;
}

// What a world says of itself.

const char *graze_world_name(const graze_world *world) {
    return world ? world->name : NULL;
}

size_t graze_world_object_count(const graze_world *world) {
    return world ? world->object_count : 0;
}

graze_status graze_world_object_sized(const graze_world *world, size_t index,
                                      graze_geometry *geometry, size_t size) {
    if (!world || !geometry || index >= world->object_count) return GRAZE_ERROR_ARGUMENT;
    const gz_object *object = gz_world_at(world, index);
    graze_geometry out = {.name = object->name,
                          .owner = (int32_t)index,
                          .element = object->element,
                          .shape = object->kind,
                          .origin = object->pose,
                          .frame = -1,
                          .radius = object->radius,
                          .length = object->length,
                          .file = object->file,
                          .uri = object->uri,
                          .file_triangle_count = object->file_triangle_count,
                          .line = object->line,
                          .id = object->id,
                          .user = object->user,
                          .in_object = object->in_object};
    memcpy(out.size, object->size, sizeof out.size);
    memcpy(out.scale, object->scale, sizeof out.scale);
    out.vertex_count = object->point_count;
    out.vertices = object->points;
    if (object->kind != GRAZE_SHAPE_POINTS) gz_shape_show(&object->shape, &out);
    gz_fill(geometry, size, &out, sizeof out);
    return GRAZE_OK;
}

int32_t graze_world_find_object(const graze_world *world, const char *name) {
    return world && name ? gz_world_find(world, name, gz_object_hash(name)) : -1;
}

size_t gz_world_shapes(const graze_world *world, size_t index) {
    size_t end = index + 1;
    while (end < world->object_count && gz_world_at(world, end)->element) end++;
    return end - index;
}

/// The index of the first shape of the object.
static int32_t first_shape(const graze_world *world, size_t index) {
    return (int32_t)index - gz_world_at(world, index)->element;
}

int32_t graze_world_find_id(const graze_world *world, uint64_t id) {
    size_t low = 0, high = world ? world->object_count : 0;
    if (!id || !high) return -1;
    // Most worlds have never lost an object.
    if (id <= high && gz_world_at(world, (size_t)id - 1)->id == id)
        return first_shape(world, (size_t)id - 1);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t there = gz_world_at(world, middle)->id;
        if (there == id) return first_shape(world, middle);
        if (there < id)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

graze_status graze_world_set_user(graze_world *world, size_t index, void *user,
                                  graze_error *error) {
    if (!world || world->committed || index >= world->object_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "world is NULL, committed, or has no object %zu", index);
    index = (size_t)first_shape(world, index);
    for (size_t i = 0, n = gz_world_shapes(world, index); i < n; i++)
        world->objects[index + i]->user = user;
    gz_error_clear(error);
    return GRAZE_OK;
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
