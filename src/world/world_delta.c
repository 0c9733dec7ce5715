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
    gz_free(delta->nodes);
    gz_free(delta);
}

/// Takes the objects over and notes which of the base they stand for.
static void take_objects(gz_world_delta *delta, const gz_changed_object *objects, size_t count,
                         gz_tree_item *items) {
    for (size_t i = 0; i < count; i++) {
        const int32_t index = objects[i].index;
        delta->objects[i] = (gz_changed_object){index, gz_object_hold(objects[i].object)};
        items[i] = gz_object_item(objects[i].object, i);
        if ((size_t)index >= delta->base->object_count) continue;
        delta->moved[index / 64] |= UINT64_C(1) << (index % 64);
        delta->moved_count++;
    }
    delta->object_count = count;
}

gz_world_delta *gz_world_delta_make(const graze_world *base, const gz_changed_object *objects,
                                    size_t count, const gz_extent *rest) {
    gz_world_delta *delta = gz_calloc(1, sizeof *delta);
    if (!delta) return NULL;
    delta->base = gz_world_hold(base);
    delta->rest = *rest;
    delta->moved = gz_calloc(base->object_count / 64 + 1, sizeof *delta->moved);
    delta->objects = gz_malloc(count, sizeof *delta->objects);
    gz_tree_item *items = gz_malloc(count, sizeof *items);
    gz_object_tree tree = {.root = ~0};
    bool ok = delta->moved && delta->objects && items;
    if (ok) {
        take_objects(delta, objects, count, items);
        ok = gz_object_tree_build(&tree, items, count);
    }
    gz_free(items);
    delta->nodes = tree.nodes;
    delta->node_count = tree.node_count;
    delta->root = tree.root;
    if (ok) return delta;
    gz_world_delta_free(delta);
    return NULL;
}
