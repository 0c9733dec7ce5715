// What does a version of a world change? Its own objects and a small tree over them, beside the
// tree of the base, of which those that have moved are passed over: the logarithmic method with two
// levels (Bentley and Saxe, Decomposable searching problems I, 1980, section 2).

#include "world/world.h"

#include <string.h>

#include "base/memory.h"

// ------------------------------------------------------------------------------------- looking up

size_t gz_world_delta_position(const gz_world_delta *delta, size_t index) {
    size_t base = delta->base->object_count;
    if (index >= base) return delta->moved_count + (index - base);
    size_t low = 0, high = delta->moved_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)delta->objects[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const gz_object *gz_world_delta_object(const gz_world_delta *delta, size_t index) {
    bool own = index >= delta->base->object_count || gz_world_has_moved(delta, (int32_t)index);
    return own ? delta->objects[gz_world_delta_position(delta, index)].object
               : delta->base->objects[index];
}

const gz_entry *gz_world_delta_entry(const gz_world_delta *delta, size_t index) {
    size_t base = delta->base->entry_count;
    if (index >= base) return &delta->entries[delta->moved_entry_count + (index - base)];
    const gz_entry *entry = &delta->base->entries[index];
    if (!gz_world_has_moved(delta, entry->object)) return entry;
    size_t at = gz_world_delta_position(delta, (size_t)entry->object);
    return &delta->entries[delta->objects[at].first_entry +
                           (size_t)(entry->point > 0 ? entry->point : 0)];
}

/// The base's first entry of an object. Most have one, so most entries have their object's number.
static size_t first_entry(const graze_world *base, int32_t object) {
    size_t low = 0, high = base->entry_count;
    if (base->entry_count == base->object_count) return (size_t)object;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (base->entries[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t gz_world_delta_number(const gz_world_delta *delta, size_t position) {
    if (position >= delta->moved_entry_count)
        return (int32_t)(delta->base->entry_count + (position - delta->moved_entry_count));
    const gz_entry *entry = &delta->entries[position];
    size_t at = gz_world_delta_position(delta, (size_t)entry->object);
    return (int32_t)(first_entry(delta->base, entry->object) +
                     (position - delta->objects[at].first_entry));
}

int32_t gz_world_delta_find(const gz_world_delta *delta, const char *name, uint64_t hash) {
    int32_t found = gz_world_find(delta->base, name, hash);
    for (size_t i = delta->moved_count; found < 0 && i < delta->object_count; i++) {
        const gz_object *object = delta->objects[i].object;
        if (object->name_hash == hash && strcmp(object->name, name) == 0)
            found = delta->objects[i].index;
    }
    return found;
}

// ----------------------------------------------------------------------------------------- making

void gz_world_delta_free(gz_world_delta *delta) {
    if (!delta) return;
    for (size_t i = 0; i < delta->object_count; i++) gz_object_drop(delta->objects[i].object);
    graze_world_free(delta->base);
    gz_free(delta->moved);
    gz_free(delta->objects);
    gz_free(delta->entries);
    gz_free(delta->nodes);
    gz_free(delta);
}

/// Takes the objects over and notes which of the base they stand for.
static void take_objects(gz_world_delta *delta, const gz_changed_object *objects, size_t count) {
    size_t base = delta->base->object_count, at = 0;
    for (size_t i = 0; i < count; i++) {
        gz_changed_object *c = &delta->objects[i];
        *c = (gz_changed_object){objects[i].index, at, gz_object_hold(objects[i].object)};
        delta->object_count++;
        gz_object_entries(c->object, c->index, delta->entries + at);
        at += gz_object_entry_count(c->object);
        if ((size_t)c->index >= base) continue;
        delta->moved[c->index / 64] |= UINT64_C(1) << (c->index % 64);
        delta->moved_count++;
        delta->moved_entry_count = at;
    }
}

graze_status gz_world_delta_make(gz_world_delta **out, const graze_world *base,
                                 const gz_changed_object *objects, size_t count,
                                 const gz_extent *rest, graze_error *error) {
    *out = NULL;
    size_t entries = 0;
    for (size_t i = 0; i < count; i++) entries += gz_object_entry_count(objects[i].object);
    if (entries > INT32_MAX / 2 || base->entry_count + entries > INT32_MAX / 2)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "the world has more than %d objects and points; allowed: up to %d",
                       INT32_MAX / 2, INT32_MAX / 2);
    gz_world_delta *delta = gz_calloc(1, sizeof *delta);
    if (!delta) return gz_fail_memory(error);
    delta->base = gz_world_hold(base);
    delta->rest = *rest;
    delta->moved = gz_calloc(base->object_count / 64 + 1, sizeof *delta->moved);
    delta->objects = gz_calloc(count, sizeof *delta->objects);
    delta->entries = gz_malloc(entries, sizeof *delta->entries);
    bool ok = delta->moved && delta->objects && delta->entries;
    gz_entry_tree tree = {.root = ~0};
    if (ok) {
        take_objects(delta, objects, count);
        delta->entry_count = entries;
        ok = gz_entry_tree_build(&tree, delta->entries, entries);
    }
    delta->nodes = tree.nodes;
    delta->node_count = tree.node_count;
    delta->root = tree.root;
    if (!ok) {
        gz_world_delta_free(delta);
        return gz_fail_memory(error);
    }
    *out = delta;
    return GRAZE_OK;
}
