/// Which links make a block, and which blocks a block of the next level? What is joined stays
/// together in every configuration: blocks are parts of the tree of joints.
#ifndef GZ_CHECK_LINK_BLOCK_H
#define GZ_CHECK_LINK_BLOCK_H

#include "check/link_tree.h"

/// A link, or a block, that is to be part of a block.
typedef struct gz_block_item {
    int32_t parent;     ///< -1: none
    double position[3]; ///< where no joint has moved
} gz_block_item;

/// Groups the items of a level, `count` of them and at least one, into blocks of up to eight, and
/// makes items of these blocks in their place. False when out of memory.
bool gz_link_level_group(gz_link_level *level, gz_block_item *items, size_t count);

#endif
