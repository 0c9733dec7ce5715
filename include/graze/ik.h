/// @file ik.h
/// Inverse kinematics: configurations that put a link, or a frame on it, at a pose, and that are
/// free of collision.
#ifndef GRAZE_IK_H
#define GRAZE_IK_H

#include "check.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How configurations are sought. Obtain from graze_ik_options_default(), then change fields.
typedef struct graze_ik_options {
    uint32_t struct_size;   ///< set by the default; do not change
    uint32_t starts;        ///< most starting points, at least 1; default 200
    uint32_t iterations;    ///< most steps from each, at least 1; default 60
    uint32_t position_only; ///< 1: the orientation may be any; default 0
    uint32_t colliding;     ///< 1: configurations that collide are solutions, too; default 0
    uint32_t reserved;      ///< 0
    const int32_t
        *columns; ///< columns of q that may move, or NULL: all but those of passive joints
    size_t column_count;
    const graze_transform *frame; ///< the frame that is to be at the pose, in that of the link;
                                  ///< NULL: the link's own
    double position_tolerance;    ///< metres, above 0; default 1e-8
    double angle_tolerance;       ///< rad, above 0; default 1e-8
    double
        distinct;  ///< solutions are at least so far apart, in the metric; at least 0; default 0.1
    uint64_t seed; ///< of the starting points; default 1
    const volatile int *cancel; ///< checked before each start; may be NULL
} graze_ik_options;

/// Writes the defaults of graze_ik_options into a structure of `size` bytes, the caller's size of
/// it: what graze_ik_options_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_ik_options_init(graze_ik_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_ik_options graze_ik_options_default(void) {
    graze_ik_options options;
    graze_ik_options_init(&options, sizeof options);
    return options;
}

/// What was found, and what kept others from being found. The library fills it; it may grow.
typedef struct graze_ik_result {
    size_t count;          ///< solutions written
    uint32_t starts;       ///< starting points tried
    uint32_t reached;      ///< of these: ended at the pose
    uint32_t beyond;       ///< of these: with a mimic joint outside its limits
    uint32_t collided;     ///< of these: in collision
    uint64_t iterations;   ///< steps in all
    double position_error; ///< metres: the greatest of the solutions; without one the least of all
                           ///< starts
    double angle_error;    ///< rad, likewise; 0 with position_only
    graze_contact contact; ///< collided > 0: of the first that collided
} graze_ik_result;

/// graze_ik() for a caller whose graze_ik_result has `size` bytes.
/// @return as there. Any thread. Allocates. Cost: as there.
GRAZE_API graze_status graze_ik_sized(const graze_checker *checker, int32_t link,
                                      const graze_transform *pose, const double *start,
                                      const double *base, const graze_ik_options *options,
                                      double *solutions, size_t capacity, graze_ik_result *result,
                                      size_t size, graze_error *error);

/// Finds configurations in which a frame on a link is at a pose: by damped least squares from
/// `start`, then from random starting points, until `capacity` distinct ones are found or all
/// starts are tried. Columns  stay in their limits; those that do not move the link stay where they
/// are. Where a revolute joint reaches the same pose with whole turns more or less within its
/// limits, the nearest to `start` is taken, and the others are solutions, too, while there is
/// space. "There is none" is never proved.
/// @param pose      where the frame is to be, world frame; a rotation and metres
/// @param start     graze_robot_q_size() numbers: the first starting point, and where columns stay
/// that
///                  may not move
/// @param base      x y z roll pitch yaw, m and rad; NULL: the identity
/// @param solutions [out] capacity rows of graze_robot_q_size() numbers, the nearest to `start`
/// first
/// @param capacity  at least 1
/// @return GRAZE_OK also where none was found; GRAZE_ERROR_ARGUMENT (NULL, no such link or column,
/// a
///         column twice, no capacity, options not initialised); GRAZE_ERROR_RANGE (q or base as
///         graze_robot_pose(), a pose or frame that is no rotation, a tolerance, `distinct`, no
///         starts); GRAZE_ERROR_UNSUPPORTED (part of a quaternion); GRAZE_ERROR_CANCELLED (the
///         result holds); GRAZE_ERROR_NO_MEMORY
/// The same inputs give the same solutions, on every machine. Any thread. Allocates. Nullable:
/// base, options, error. Cost: some 50 microseconds a start. Source: Sugihara (2011),
/// "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", equations 13
/// and 21.
static inline graze_status graze_ik(const graze_checker *checker, int32_t link,
                                    const graze_transform *pose, const double *start,
                                    const double *base, const graze_ik_options *options,
                                    double *solutions, size_t capacity, graze_ik_result *result,
                                    graze_error *error) {
    return graze_ik_sized(checker, link, pose, start, base, options, solutions, capacity, result,
                          sizeof *result, error);
}

#ifdef __cplusplus
}
#endif

#endif
