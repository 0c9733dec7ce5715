/// Shared by the files on configuration space in the plane: maps, configurations, motions.
#ifndef GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H
#define GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H

#include "graze/planar_arm.h"
#include "graze/planar_distance.h"
#include "planar/convex/convex_internal.h"

/// Cells of a map from `at` on, along x and y.
typedef struct gz_cell_box {
    uint32_t at[2], size[2];
    bool split; ///< it takes two smaller ones
} gz_cell_box;

/// Reads what is to be mapped; fails unless it has cells, and its ranges ascend.
graze_status gz_map_read(graze_cspace *map, const graze_cspace *given, graze_error *error);
/// The middle of a box, and half its sides with what rounding adds: places are off by 4 u.
graze_vec2 gz_map_place(const graze_cspace *map, const gz_cell_box *box);
graze_vec2 gz_map_half(const graze_cspace *map, uint32_t wide, uint32_t high);
/// Writes all cells of a box.
void gz_map_put(const graze_cspace *map, const gz_cell_box *box, uint8_t state, int32_t link);

/// Tests a box and writes its cells; false where it is to be split. `memory`: of its thread.
typedef bool gz_box_test(const void *user, void *memory, const gz_cell_box *box);
/// Tests the boxes of a map within its budget. `whole`: at first the whole map, a box at the cost
/// of one cell; else the rows, at the cost of their cells. Each thread has so many bytes of memory.
graze_status gz_map_run(const graze_cspace *map, bool whole, gz_box_test *test, const void *user,
                        size_t memory, graze_error *error);

/// Largest magnitudes of the coordinates of a configuration, and most of them.
#define GZ_ARM_PLACE_MAX       0x1p50
#define GZ_ARM_ANGLE_MAX       0x1p10
#define GZ_ARM_COORDINATES_MAX (GRAZE_PLANAR_LINK_MAX + 2)

/// A checked arm and its obstacles, with what bounds of rounding need.
typedef struct gz_arm_query {
    const graze_planar_arm_scene *scene;
    graze_planar_bounds *boxes; ///< of the obstacles, free with gz_free(); NULL: found anew
    int32_t first,
        count; ///< of q: the number of the first angle (2 on a base that drives), and all
    double length, radius; ///< of all links; of the vertex that is farthest from its link's joint
    double extent;         ///< no point of the arm is farther from its base
    double far;            ///< largest magnitude of a coordinate of obstacles, radius included
} gz_arm_query;

/// Fails unless all shapes are such as constructors make them; names the first that is not.
graze_status gz_planar_shapes_check(const char *name, const graze_planar_shape *shapes,
                                    size_t count, graze_error *error);
/// Likewise an arm, its shapes and its obstacles.
graze_status gz_arm_query_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               graze_error *error);
/// Fails unless q is of numbers in range.
graze_status gz_arm_check(const gz_arm_query *query, const double *q, graze_error *error);

/// Finds the boxes of the obstacles, once for many questions.
graze_status gz_arm_boxes_make(gz_arm_query *query, graze_error *error);
/// A query with boxes for a map, which is read, and its q; of that the two columns are to be set.
graze_status gz_arm_plane_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               const graze_cspace *given, graze_cspace *map, double *rest,
                               graze_error *error);

static inline graze_vec2 gz_arm_base(const gz_arm_query *query, const double *q) {
    return query->first > 0 ? (graze_vec2){q[0], q[1]} : query->scene->arm.base;
}

/// What is known of all q that differ from a middle by at most so much.
typedef struct gz_arm_verdict {
    int32_t touched;     ///< the first link with a pair that is not proved free everywhere; -1
    int32_t blocked;     ///< the first with a pair that is proved to meet everywhere; -1
    uint8_t middle;      ///< GRAZE_CSPACE_FREE, _COLLIDING or _UNDECIDED
    int32_t middle_link; ///< the first that meets in the middle; -1
} gz_arm_verdict;

/// Tests the box about q, with half widths; NULL for none.
gz_arm_verdict gz_arm_test(const gz_arm_query *query, const double *q, const double *half);

/// No less than the way of any point of the arm while q changes, from anywhere.
double gz_arm_way(const gz_arm_query *query, const double *change);

/// graze_planar_arm_motion() for checked arguments.
graze_planar_leg gz_arm_motion_test(const gz_arm_query *query, const double *from, const double *to,
                                    double resolution);

#endif
