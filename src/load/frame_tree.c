#include "load/frame_tree.h"

#include <string.h>

#include "base/memory.h"

bool gz_frame_tree_add(gz_frame_tree *tree, const gz_frame *frame) {
    if (!gz_array_reserve((void **)&tree->frames, &tree->capacity, tree->count + 1,
                          sizeof *tree->frames))
        return false;
    tree->frames[tree->count++] = *frame;
    return true;
}

const gz_frame *gz_frame_tree_find(const gz_frame_tree *tree, const char *name) {
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->frames[i].name, name) == 0) return &tree->frames[i];
    return NULL;
}

void gz_frame_tree_clear(gz_frame_tree *tree) {
    gz_free(tree->frames);
    *tree = (gz_frame_tree){0};
}

static bool is_in_itself(const gz_frame *f) {
    return f->parent && strcmp(f->parent, f->name) == 0;
}

/// MoveIt writes its table of transforms the other way round: each entry has the planning frame for
/// its child, the planning frame itself among them, and its header names the frame that is placed
/// in it. Any other file that says so places the planning frame twice.
static void turn_moveit_table(gz_frame_tree *tree) {
    bool itself = false;
    for (size_t i = 0; i < tree->count; i++) {
        const gz_frame *f = &tree->frames[i];
        if (!f->parent || strcmp(f->name, tree->frames[0].name) != 0) return;
        itself |= is_in_itself(f);
    }
    for (size_t i = 0; itself && i < tree->count; i++) {
        gz_frame *f = &tree->frames[i];
        const char *child = f->name;
        f->name = f->parent;
        f->parent = child;
    }
}

static graze_status find_parent(gz_frame_tree *tree, gz_frame *f, const gz_document *document,
                                graze_error *error) {
    const graze_transform identity = graze_transform_identity();
    const gz_frame *first = gz_frame_tree_find(tree, f->name);
    f->up = -1;
    if (first != f)
        return gz_value_fail(document, f->value, error, GRAZE_ERROR_SCHEMA,
                             "the frame \"%.80s\" is placed here and in line %d; allowed: once",
                             f->name, first->value->line);
    if (!f->parent) return GRAZE_OK;
    if (is_in_itself(f)) {
        for (int k = 0; k < 12; k++)
            if (f->pose.m[k] != identity.m[k])
                return gz_value_fail(document, f->value, error, GRAZE_ERROR_SCHEMA,
                                     "the frame \"%.80s\" is placed in itself; allowed: in another "
                                     "frame, or the identity",
                                     f->name);
        return GRAZE_OK;
    }
    const gz_frame *parent = gz_frame_tree_find(tree, f->parent);
    if (parent) {
        f->up = (int32_t)(parent - tree->frames);
        return GRAZE_OK;
    }
    if (!tree->world) tree->world = f->parent;
    if (strcmp(tree->world, f->parent) == 0) return GRAZE_OK;
    return gz_value_fail(document, f->value, error, GRAZE_ERROR_UNSUPPORTED,
                         "frames are placed in \"%.80s\" and in \"%.80s\", and neither of these in "
                         "another; allowed: one such frame, the world's",
                         tree->world, f->parent);
}

graze_status gz_frame_tree_resolve(gz_frame_tree *tree, const gz_document *document,
                                   graze_error *error) {
    turn_moveit_table(tree);
    for (size_t i = 0; i < tree->count; i++) {
        graze_status status = find_parent(tree, &tree->frames[i], document, error);
        if (status) return status;
    }
    for (size_t i = 0; i < tree->count; i++) {
        gz_frame *f = &tree->frames[i];
        size_t steps = 0;
        f->in_world = f->pose;
        for (int32_t up = f->up; up >= 0; up = tree->frames[up].up) {
            if (steps++ == tree->count)
                return gz_value_fail(document, f->value, error, GRAZE_ERROR_SCHEMA,
                                     "the frame \"%.80s\" is in a cycle of frames; allowed: a tree",
                                     f->name);
            f->in_world = graze_transform_multiply(&tree->frames[up].pose, &f->in_world);
        }
    }
    return GRAZE_OK;
}
