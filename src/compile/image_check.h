/// Do the parts of a compiled robot or world fit together? Every count, index, order and tree that
/// the engine relies on without looking is looked at here, once, when a file is opened.
///
/// Promised: with what has passed, no query reads outside its arrays, overflows a stack or runs
/// without end, whatever else the file says. Not promised: that boxes hold their triangles and that
/// numbers are those of the robot; that is what the checksum (against accidents) and
/// graze_compiled_verify() (against anybody) are for.
#ifndef GZ_COMPILE_IMAGE_CHECK_H
#define GZ_COMPILE_IMAGE_CHECK_H

#include "base/error.h"
#include "robot/robot.h"
#include "world/world.h"

/// Memory that checks share, and what errors name.
typedef struct gz_image_checker {
    const char *file;
    char part[80];  ///< of the file: "collision mesh 3"
    uint8_t *marks; ///< of gz_array_reserve()
    size_t mark_capacity;
    graze_error *error;
} gz_image_checker;

/// Fails with "compiled file: PART: message".
graze_status gz_image_fail(const gz_image_checker *checker, const char *format, ...)
    GZ_PRINTF(2, 3);

/// Cleared marks for so many things, or NULL when out of memory.
uint8_t *gz_image_marks(gz_image_checker *checker, size_t count);

/// A tree: its nodes have 1 to 8 children, come before them, have one parent each, lie no deeper
/// than GZ_TREE_DEPTH, and name leaves below leaf_count; empty lanes overlap nothing.
graze_status gz_tree_image_check(gz_image_checker *checker, const gz_node *nodes, size_t node_count,
                                 int32_t root, size_t leaf_count);
graze_status gz_mesh_image_check(gz_image_checker *checker, const graze_mesh *mesh);
/// The tree over so many points: each of them in one leaf, ascending, and the lowest of each node.
graze_status gz_point_tree_image_check(gz_image_checker *checker, const gz_point_tree *tree,
                                       size_t count);
/// A shape of that kind; `loaded` false: a visual mesh that was not.
graze_status gz_shape_image_check(gz_image_checker *checker, graze_shape kind,
                                  const gz_shape *shape, bool loaded);

/// Whole robots and worlds. They free checker->marks themselves.
graze_status gz_robot_image_check(const graze_robot *robot, const char *file, graze_error *error);
graze_status gz_world_image_check(const graze_world *world, const char *file, graze_error *error);

#endif
