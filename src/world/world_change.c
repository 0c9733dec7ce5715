// A new version of a world by a list of changes, which shares all that stays as it was.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "world/world.h"

static graze_world_change default_change(void) {
    return (graze_world_change){.kind = GRAZE_CHANGE_MOVE};
}

GZ_OPTIONS_INIT(graze_world_change, default_change)

graze_status gz_world_change_read(graze_world_change *out, const void *given, uint32_t stride,
                                  graze_error *error) {
    uint32_t size;
    memcpy(&size, given, sizeof size);
    if (size == stride) return GZ_OPTIONS_READ(graze_world_change, out, given, error);
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "struct_size is %u, and of the first change %u; allowed: one size",
                   (unsigned)size, (unsigned)stride);
}

/// A shape of an object that the changes speak of, and what has become of it so far.
typedef struct draft_item {
    const char *name;
    uint64_t hash;
    size_t next; ///< item of the object's next shape; 0: none, as item 0 is a first one
    int32_t old; ///< index in the world, or -1
    bool gone;   ///< the old object is no more
    bool added;  ///< the object follows those of the world, in this order:
    size_t order;
    gz_object *object; ///< what the changes have made, held; NULL: nothing yet, or nothing any more
} draft_item;

typedef struct draft {
    const graze_world *world;
    draft_item *items;
    uint32_t *slots; ///< hash table of the names: index of their first item + 1, or 0
    size_t count, capacity, slot_count, orders;
    uint64_t last_id; ///< of what is added
} draft;

// -------------------------------------------------------------------------------------- the draft

static bool draft_create(draft *d, const graze_world *world, size_t changes) {
    size_t slots = 16;
    while (slots < 2 * changes) slots *= 2;
    *d = (draft){.world = world, .slot_count = slots, .last_id = world->last_id};
    d->slots = gz_calloc(slots, sizeof *d->slots);
    return d->slots && gz_array_reserve((void **)&d->items, &d->capacity, changes ? changes : 1,
                                        sizeof *d->items);
}

static void draft_free(draft *d) {
    for (size_t i = 0; i < d->count; i++) gz_object_drop(d->items[i].object);
    gz_free(d->items);
    gz_free(d->slots);
}

/// One item more; false when out of memory.
static bool add_item(draft *d, const char *name, uint64_t hash, int32_t old) {
    if (!gz_array_reserve((void **)&d->items, &d->capacity, d->count + 1, sizeof *d->items))
        return false;
    d->items[d->count++] = (draft_item){.name = name, .hash = hash, .old = old};
    return true;
}

/// Finds the item of a name's first shape, made with those of the others where there is none yet.
/// False when out of memory.
static bool find_item(draft *d, const char *name, size_t *out) {
    uint64_t hash = gz_object_hash(name);
    size_t mask = d->slot_count - 1, slot = hash & mask;
    for (; d->slots[slot]; slot = (slot + 1) & mask) {
        *out = d->slots[slot] - 1;
        if (d->items[*out].hash == hash && strcmp(d->items[*out].name, name) == 0) return true;
    }
    int32_t old = gz_world_find(d->world, name, hash);
    size_t shapes = old < 0 ? 1 : gz_world_shapes(d->world, (size_t)old);
    *out = d->count;
    for (size_t i = 0; i < shapes; i++) {
        if (!add_item(d, name, hash, old < 0 ? old : old + (int32_t)i)) return false;
        if (i) d->items[d->count - 2].next = d->count - 1;
    }
    d->slots[slot] = (uint32_t)*out + 1;
    return true;
}

/// The item behind one of the same object; NULL: none.
static draft_item *next_item(const draft *d, const draft_item *item) {
    return item->next ? &d->items[item->next] : NULL;
}

/// The object of that name as it is by now, or NULL.
static const gz_object *current(const draft *d, const draft_item *item) {
    if (item->object) return item->object;
    return item->old >= 0 && !item->gone ? gz_world_at(d->world, (size_t)item->old) : NULL;
}

// ------------------------------------------------------------------------------------ one change

static graze_status fail_name(const draft *d, const char *verb, const char *name,
                              graze_error *error) {
    return gz_fail(
        error, GRAZE_ERROR_NOT_FOUND,
        "%s '%s', which is no object of the world '%s'; allowed: one that it has by then", verb,
        name, d->world->name);
}

static graze_status move(const draft *d, draft_item *item, const graze_world_change *change,
                         graze_error *error) {
    if (!current(d, item)) return fail_name(d, "moves", item->name, error);
    if (!change->pose)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "moves '%s' by pose NULL; allowed: a pose",
                       item->name);
    GZ_TRY(gz_object_check_pose(change->pose, error));
    for (; item; item = next_item(d, item)) {
        const gz_object *from = current(d, item);
        if (!from) continue; // of an object of that name that had more shapes
        gz_object *moved;
        const graze_transform pose = gz_object_pose(from, change->pose);
        GZ_TRY(gz_object_check_pose(&pose, error));
        GZ_TRY(gz_object_move(from, &pose, &moved, error));
        gz_object_drop(item->object);
        item->object = moved;
    }
    return GRAZE_OK;
}

static graze_status take_away(const draft *d, draft_item *item, graze_error *error) {
    if (!current(d, item)) return fail_name(d, "removes", item->name, error);
    for (; item; item = next_item(d, item)) {
        gz_object_drop(item->object);
        item->object = NULL;
        if (!item->added && item->old >= 0) item->gone = true;
        item->added = false;
    }
    return GRAZE_OK;
}

/// Adds the shapes of an object, to its items and behind them to new ones.
static graze_status add_shapes(draft *d, size_t at, const graze_placed_shape *shapes, size_t count,
                               const graze_world_change *change, graze_error *error) {
    const graze_transform identity = graze_transform_identity();
    const graze_transform *frame = change->pose ? change->pose : &identity;
    uint64_t id = ++d->last_id;
    GZ_TRY(gz_object_check_pose(frame, error));
    if (d->world->object_count + d->orders + count > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "there are %zu objects by then; allowed: up to %d",
                       d->world->object_count + d->orders + count, INT32_MAX / 2);
    for (size_t i = 0; i < count; i++) {
        if (i && !d->items[at].next) {
            if (!add_item(d, d->items[at].name, d->items[at].hash, -1))
                return gz_fail_memory(error);
            d->items[at].next = d->count - 1;
        }
        if (i) at = d->items[at].next;
        draft_item *item = &d->items[at];
        GZ_TRY(gz_object_of_shape(item->name, &shapes[i], i, frame, &item->object, error));
        item->object->id = id;
        item->object->user = change->user;
        item->added = true;
        item->order = d->orders++;
    }
    return GRAZE_OK;
}

static graze_status add(draft *d, size_t at, const graze_world_change *change, graze_error *error) {
    const draft_item *item = &d->items[at];
    if (current(d, item))
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "adds '%s', a name in use; allowed: a name that is new in this world",
                       item->name);
    if (!*item->name)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "the name is empty; allowed: a name of its own");
    const graze_placed_shape *shapes = change->shapes;
    size_t count = change->shape_count;
    graze_placed_shape own;
    GZ_TRY(gz_placed_shapes(change->geometry, &shapes, &count, &own, error));
    return add_shapes(d, at, shapes, count, change, error);
}

/// The item that a change is about, by name or by id.
static graze_status find_subject(draft *d, const graze_world_change *change, size_t *out,
                                 graze_error *error) {
    if (change->name && change->id)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "has the name '%s' and the id %llu; allowed: one", change->name,
                       (unsigned long long)change->id);
    if (!change->name && (!change->id || change->kind == GRAZE_CHANGE_ADD))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "name is NULL; allowed: a name, or an id when moving or removing");
    int32_t index = change->name ? -1 : graze_world_find_id(d->world, change->id);
    if (index < 0 && !change->name)
        return gz_fail(error, GRAZE_ERROR_NOT_FOUND, "no object of the world '%s' has the id %llu",
                       d->world->name, (unsigned long long)change->id);
    if (!find_item(d, change->name ? change->name : gz_world_at(d->world, (size_t)index)->name,
                   out))
        return gz_fail_memory(error);
    // Of an object that was removed before, another one may have the name by now.
    if (change->name || !(d->items[*out].gone || d->items[*out].added)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_NOT_FOUND, "the object '%s' of id %llu is removed by then",
                   d->items[*out].name, (unsigned long long)change->id);
}

static graze_status apply(draft *d, const graze_world_change *change, graze_error *error) {
    size_t at = 0;
    GZ_TRY(find_subject(d, change, &at, error));
    switch (change->kind) {
    case GRAZE_CHANGE_MOVE:
        return move(d, &d->items[at], change, error);
    case GRAZE_CHANGE_REMOVE:
        return take_away(d, &d->items[at], error);
    case GRAZE_CHANGE_ADD:
        return add(d, at, change, error);
    }
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "kind is %d; allowed: the enumerators",
                   (int)change->kind);
}

// --------------------------------------------------------------------------------------- versions

static int compare_old(const void *x, const void *y) {
    const draft_item *a = x, *b = y;
    return (a->old > b->old) - (a->old < b->old);
}

static int compare_order(const void *x, const void *y) {
    const draft_item *a = x, *b = y;
    return (a->order > b->order) - (a->order < b->order);
}

/// A world of that name, boundary and warnings, without objects.
static graze_world *copy_frame(const graze_world *world) {
    graze_world *out = gz_malloc(1, sizeof *out), frame = {.name = NULL};
    // All but who owns it, which other threads may be changing.
    memcpy(&frame, world, offsetof(graze_world, delta));
    frame.objects = NULL;
    frame.name_slots = NULL;
    frame.nodes = NULL;
    frame.object_count = frame.name_slot_count = frame.node_count = 0;
    frame.committed = false;
    if (!out || gz_type_copy(&gz_type_world, out, &frame)) return out;
    graze_world_free(out);
    return NULL;
}

/// Stores what the draft leaves of the world's objects, in their order; the draft is sorted by old
/// index.
static graze_status store_old(graze_world *out, const draft *d, graze_error *error) {
    graze_status status = GRAZE_OK;
    size_t next = 0;
    while (next < d->count && d->items[next].old < 0) next++;
    for (size_t i = 0; status == GRAZE_OK && i < d->world->object_count; i++) {
        bool named = next < d->count && (size_t)d->items[next].old == i;
        const draft_item *own = named ? &d->items[next++] : NULL;
        if (own && own->gone) continue;
        const gz_object *object = own && own->object ? own->object : gz_world_at(d->world, i);
        status = gz_world_store(out, gz_object_hold(object), error);
    }
    return status;
}

/// Makes a version that stands for itself: its own list of objects, entries and tree; the objects
/// are shared. Objects that are removed shift the indices behind them, so that the version is the
/// world which the same objects make in that order.
static graze_status make_flat(graze_world *out, draft *d, graze_error *error) {
    size_t count = d->world->object_count;
    for (size_t i = 0; i < d->count; i++) count = count + d->items[i].added - d->items[i].gone;
    if (!gz_world_reserve(out, count)) return gz_fail_memory(error);
    if (d->count) qsort(d->items, d->count, sizeof *d->items, compare_old);
    graze_status status = store_old(out, d, error);
    if (d->count) qsort(d->items, d->count, sizeof *d->items, compare_order);
    for (size_t i = 0; status == GRAZE_OK && i < d->count; i++)
        if (d->items[i].added)
            status = gz_world_store(out, gz_object_hold(d->items[i].object), error);
    return status ? status : gz_world_build_tree(out, error);
}

/// The changed objects of a version beside its base: those of the world's delta, with what the
/// draft makes of them. Borrowed.
typedef struct gathering {
    const graze_world *base;
    gz_changed_object *objects;
    size_t count;
    gz_extent rest;
    bool rest_known;
} gathering;

static int compare_changed(const void *x, const void *y) {
    const gz_changed_object *a = x, *b = y;
    return (a->index > b->index) - (a->index < b->index);
}

/// An object that stands elsewhere in the version.
static void gather_moved(gathering *g, const draft *d, const draft_item *item) {
    const gz_world_delta *delta = d->world->delta;
    bool again = delta && ((size_t)item->old >= g->base->object_count ||
                           gz_world_has_moved(delta, item->old));
    if (again) {
        // What stands in the world's delta was copied first, in the same order.
        g->objects[gz_world_delta_position(delta, (size_t)item->old)].object = item->object;
        return;
    }
    g->rest_known = gz_extent_remove(&g->rest, g->base->objects[item->old]) && g->rest_known;
    g->objects[g->count++] = (gz_changed_object){.index = item->old, .object = item->object};
}

/// Of the base's objects that the version does not have elsewhere.
static gz_extent find_rest(const gathering *g) {
    gz_extent rest = {0};
    size_t at = 0;
    for (size_t i = 0; i < g->base->object_count; i++) {
        if (at < g->count && (size_t)g->objects[at].index == i)
            at++;
        else
            gz_extent_add(&rest, g->base->objects[i]);
    }
    return rest;
}

/// Gathers what a delta would hold. False when out of memory. The draft is left sorted by order.
static bool gather(gathering *g, draft *d) {
    const gz_world_delta *delta = d->world->delta;
    size_t own = delta ? delta->object_count : 0;
    *g = (gathering){.base = delta ? delta->base : d->world, .rest_known = true};
    g->rest = delta ? delta->rest : d->world->extent;
    g->objects = gz_malloc(own + d->count, sizeof *g->objects);
    if (!g->objects) return false;
    if (own) memcpy(g->objects, delta->objects, own * sizeof *g->objects);
    g->count = own;
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].object && !d->items[i].added) gather_moved(g, d, &d->items[i]);
    if (d->count) qsort(d->items, d->count, sizeof *d->items, compare_order);
    int32_t index = (int32_t)d->world->object_count;
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].added)
            g->objects[g->count++] = (gz_changed_object){index++, d->items[i].object};
    if (g->count) qsort(g->objects, g->count, sizeof *g->objects, compare_changed);
    if (!g->rest_known) g->rest = find_rest(g);
    return true;
}

/// Whether a delta of so many objects is worth it: it is built anew for every version, and a tree
/// over everything once in as many versions as it takes to fill it. With some 0.2 us an object of
/// either, a delta of D objects beside N costs D per version and N / D of a whole tree: about the
/// root of N is best. Where half of the world has moved, the base's tree is mostly in vain.
static bool is_small(const gathering *g) {
    size_t all = g->base->object_count, limit = 32;
    while (limit * limit < all) limit += limit / 2;
    return g->count <= limit && 2 * g->count <= all;
}

static graze_status make_delta(graze_world *out, const gathering *g, graze_error *error) {
    gz_world_delta *delta = gz_world_delta_make(g->base, g->objects, g->count, &g->rest);
    if (!delta) return gz_fail_memory(error);
    out->delta = delta;
    out->object_count = g->base->object_count + (delta->object_count - delta->moved_count);
    out->node_count = g->base->node_count + delta->node_count;
    out->extent = g->rest;
    for (size_t i = 0; i < g->count; i++) gz_extent_add(&out->extent, g->objects[i].object);
    out->committed = true;
    return GRAZE_OK;
}

static graze_status make_version(graze_world *out, draft *d, graze_error *error) {
    bool removes = false;
    for (size_t i = 0; i < d->count; i++) removes |= d->items[i].gone;
    gathering g = {0};
    if (!removes && !gather(&g, d)) return gz_fail_memory(error);
    graze_status status = !removes && is_small(&g) ? make_delta(out, &g, error)
                                                   : make_flat(out, d, error);
    gz_free(g.objects);
    return status;
}

graze_status gz_world_flatten(graze_world **out, const graze_world *world, graze_error *error) {
    draft d = {.world = world};
    *out = copy_frame(world);
    if (!*out) return gz_fail_memory(error);
    (*out)->last_id = world->last_id;
    graze_status status = make_flat(*out, &d, error);
    if (status == GRAZE_OK) return status;
    graze_world_free(*out);
    *out = NULL;
    return status;
}

graze_status graze_world_revise(graze_world **out, const graze_world *world,
                                const graze_world_change *changes, size_t count,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!world || (!changes && count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "world or changes is NULL");
    if (!world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "world '%s' is not committed; allowed: after graze_world_commit()",
                       world->name);
    if (count > INT32_MAX / 2 || world->object_count + count > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "%zu changes of %zu objects; allowed: up to %d",
                       count, world->object_count, INT32_MAX / 2);
    const unsigned char *at = (const unsigned char *)changes;
    uint32_t stride = count ? changes->struct_size : 0;
    draft d;
    graze_status status = draft_create(&d, world, count) ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        char element[32];
        graze_world_change change;
        status = gz_world_change_read(&change, at + i * stride, stride, error);
        if (status == GRAZE_OK) status = apply(&d, &change, error);
        snprintf(element, sizeof element, "changes[%zu]", i);
        if (status && error) gz_error_locate(error, (gz_place){.element = element});
    }
    graze_world *made = status == GRAZE_OK ? copy_frame(world) : NULL;
    if (made) made->last_id = d.last_id;
    if (status == GRAZE_OK) status = made ? make_version(made, &d, error) : gz_fail_memory(error);
    draft_free(&d);
    if (status) {
        graze_world_free(made);
        return status;
    }
    *out = made;
    gz_error_clear(error);
    return GRAZE_OK;
}
