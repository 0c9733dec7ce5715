// Is a compiled world one that can be asked?

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "compile/image.h"

// Is the tree over a compiled set of points one that can be asked?

/// Every point is in one leaf, and its points ascend; the last leaf repeats its last point.
static graze_status check_leaves(gz_image_checker *c, const gz_point_tree *tree, size_t count) {
    uint8_t *seen = gz_image_marks(c, count);
    if (!seen) return gz_fail_memory(c->error);
    for (size_t i = 0; i < tree->leaf_count; i++) {
        const uint32_t *point = tree->leaves[i].point;
        size_t left = count - i * GZ_POINT_LEAF;
        for (size_t k = 0; k < GZ_POINT_LEAF; k++) {
            if (k >= left && point[k] == point[k - 1]) continue;
            if (k >= left || point[k] >= count || seen[point[k]] ||
                (k > 0 && point[k] < point[k - 1]))
                return gz_image_fail(c,
                                     "leaf %zu has the point %u at %zu; allowed: each of the %zu "
                                     "points once, ascending",
                                     i, point[k], k, count);
            seen[point[k]] = 1;
        }
    }
    return GRAZE_OK;
}

static graze_status check_lowest(const gz_image_checker *c, const gz_point_tree *tree) {
    for (size_t i = tree->node_count; i-- > 0;) {
        const gz_node *node = &tree->nodes[i];
        uint32_t lowest = UINT32_MAX;
        for (int k = 0; k < node->count; k++) {
            uint32_t own = gz_point_tree_lowest(tree, node->child[k]);
            lowest = own < lowest ? own : lowest;
        }
        if (tree->lowest[i] != lowest)
            return gz_image_fail(c, "node %zu says that its lowest point is %u; it is %u", i,
                                 tree->lowest[i], lowest);
    }
    return GRAZE_OK;
}

/// The tree over so many points: each of them in one leaf, ascending, and the lowest of each node.
static graze_status check_point_tree(gz_image_checker *c, const gz_point_tree *tree, size_t count) {
    if (!tree || tree->leaf_count != (count + GZ_POINT_LEAF - 1) / GZ_POINT_LEAF)
        return gz_image_fail(c, "has no tree over its %zu points", count);
    for (int k = 0; k < 3; k++)
        if (!(fabsf(tree->box.center[k]) <= (float)GZ_NUMBER_MAX) ||
            !(fabsf(tree->box.half[k]) <= (float)GZ_NUMBER_MAX))
            return gz_image_fail(c, "the box of its points is out of range; allowed: up to 2^40 m");
    GZ_TRY(gz_tree_image_check(c, tree->nodes, tree->node_count, tree->root, tree->leaf_count));
    GZ_TRY(check_leaves(c, tree, count));
    return check_lowest(c, tree);
}

/// Names are found by probing until a slot is free, so one must be.
static graze_status check_slots(const gz_image_checker *c, const graze_world *w) {
    size_t count = w->name_slot_count, used = 0, names = 0;
    if ((count & (count - 1)) || count < 2 * w->object_count)
        return gz_image_fail(c,
                             "%zu slots for %zu names; allowed: a power of two, at most half "
                             "of them in use",
                             count, w->object_count);
    for (size_t i = 0; i < count; i++) {
        if (w->name_slots[i] > w->object_count)
            return gz_image_fail(c, "slot %zu names object %u", i, w->name_slots[i]);
        used += w->name_slots[i] != 0;
    }
    for (size_t i = 0; i < w->object_count; i++)
        names += w->objects[i] && w->objects[i]->element == 0;
    return used == names ? GRAZE_OK : gz_image_fail(c, "%zu names for %zu objects", used, names);
}

static graze_status check_objects(gz_image_checker *c, const graze_world *w) {
    for (size_t i = 0; i < w->object_count; i++) {
        const gz_object *o = w->objects[i];
        snprintf(c->element, sizeof c->element, "object %zu of the world", i);
        if (!o) return gz_image_fail(c, "is missing");
        // Shapes of one object follow each other.
        const gz_object *before = i && o->element ? w->objects[i - 1] : NULL;
        if (o->element &&
            (!before || o->element != before->element + 1 || strcmp(o->name, before->name) != 0))
            return gz_image_fail(c, "is shape %d of an object that stands elsewhere", o->element);
        if (gz_object_check_pose(&o->pose, NULL) || gz_object_check_pose(&o->in_object, NULL))
            return gz_image_fail(c, "has a pose that is not rigid");
        // Moving a curved solid makes it anew from its sizes.
        if (o->kind != GRAZE_SHAPE_MESH &&
            gz_shape_check(o->kind, o->size, o->radius, o->length, NULL))
            return gz_image_fail(c, "has a size that is out of range; allowed: up to 2^20 m");
        if (o->kind != GRAZE_SHAPE_POINTS) {
            if (o->point_count || o->tree)
                return gz_image_fail(c, "has points; allowed: a set of points");
            GZ_TRY(gz_shape_image_check(c, o->kind, &o->shape, true));
            continue;
        }
        if (o->shape.mesh || o->point_count < 1 || o->point_count > INT32_MAX / 2)
            return gz_image_fail(c, "is no set of points");
        for (size_t k = 0; k < 3 * o->point_count; k++)
            if (!(fabs(o->points[k]) <= GZ_COORDINATE_MAX))
                return gz_image_fail(c,
                                     "point %zu is out of range; allowed: magnitudes up to "
                                     "2^20 m",
                                     k / 3);
        GZ_TRY(check_point_tree(c, o->tree, o->point_count));
    }
    snprintf(c->element, sizeof c->element, "world");
    return GRAZE_OK;
}

graze_status gz_world_image_check(gz_image_checker *c, const void *world) {
    const graze_world *w = world;
    if (!w->committed || w->object_count > INT32_MAX / 2)
        return gz_image_fail(c, "is not committed, or too large");
    for (int k = 0; k < 3; k++)
        if (!(w->boundary_min[k] <= w->boundary_max[k]))
            return gz_image_fail(c, "has a boundary that is inside out");
    GZ_TRY(check_slots(c, w));
    GZ_TRY(check_objects(c, w));
    if (w->object_count > 0)
        return gz_tree_image_check(c, w->nodes, w->node_count, w->root, w->object_count);
    return w->node_count ? gz_image_fail(c, "a tree over nothing") : GRAZE_OK;
}
