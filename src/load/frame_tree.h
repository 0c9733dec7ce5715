/// Frames that a file places in each other by name: where are they in the world?
#ifndef GZ_LOAD_FRAME_TREE_H
#define GZ_LOAD_FRAME_TREE_H

#include "load/document/document.h"

typedef struct gz_frame {
    const char *name;
    const char *parent;    ///< the frame that `pose` is in; NULL: the world
    const gz_value *value; ///< where the file says so
    graze_transform pose, in_world;
    int32_t up; ///< index of the parent; -1: the world
} gz_frame;

/// Names are the document's.
typedef struct gz_frame_tree {
    gz_frame *frames;
    size_t count, capacity;
    const char *world; ///< a frame that nothing places, so that it is the world's; or NULL
} gz_frame_tree;

/// Adds a frame; false when out of memory.
bool gz_frame_tree_add(gz_frame_tree *tree, const gz_frame *frame);

/// Finds the frames' poses in the world, when all are added.
/// @return GRAZE_ERROR_SCHEMA: a frame that is placed twice, or in itself but for the identity, or
/// a
///         cycle; _UNSUPPORTED: frames in two different ones that nothing places
graze_status gz_frame_tree_resolve(gz_frame_tree *tree, const gz_document *document,
                                   graze_error *error);

/// The frame of that name, or NULL.
const gz_frame *gz_frame_tree_find(const gz_frame_tree *tree, const char *name);

void gz_frame_tree_clear(gz_frame_tree *tree);

#endif
