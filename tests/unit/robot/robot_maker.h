/// Robots built through the builder, for tests of what it makes of them.
#ifndef GZ_TESTS_ROBOT_MAKER_H
#define GZ_TESTS_ROBOT_MAKER_H

#include <stdio.h>
#include <stdlib.h>

#include "graze/robot.h"
#include "robot/builder.h"
#include "robot/robot.h"

/// A joint with a name made of its child's; type and origin as given, axis z, limits -1 to 1.
static inline graze_status robot_joint(gz_builder *b, graze_joint_type type, const char *parent,
                                       const char *child, const graze_transform *origin,
                                       graze_error *error) {
    char name[64];
    snprintf(name, sizeof name, "to_%s", child);
    gz_joint_input in = {.name = name,
                         .type = type,
                         .parent = parent,
                         .child = child,
                         .origin = origin ? *origin : graze_transform_identity(),
                         .axis = {0, 0, 1},
                         .has_limit = true,
                         .lower = -1,
                         .upper = 1};
    return gz_builder_add_joint(b, &in, error);
}

/// A box of edge `size` in the link.
static inline graze_status robot_box(gz_builder *b, int32_t link, double size,
                                     const graze_transform *origin, graze_error *error) {
    gz_geometry_input in = {.link = link,
                            .shape = GRAZE_SHAPE_BOX,
                            .origin = origin ? *origin : graze_transform_identity(),
                            .size = {size, size, size},
                            .scale = {1, 1, 1}};
    return gz_builder_add_geometry(b, &in, error);
}

#endif
