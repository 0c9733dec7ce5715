/// What the library computes poses of bodies from, as plain numbers: the constants of each body's
/// joint in double and in float, the origins that they come from, and the bounds on their errors
/// that the library states. For an oracle that evaluates these bounds on its own.
#ifndef GRAZE_TESTS_POSE_STEPS_H
#define GRAZE_TESTS_POSE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/// R(v) = constant + cos v * cosine + sin v * sine, row-major; of a slide `constant` alone.
typedef struct pose_turn {
    double constant[9], cosine[9], sine[9];
} pose_turn;

/// A body and the joint that moves it.
typedef struct pose_step {
    int32_t parent;
    graze_joint_type type;
    double (*chain)[12]; ///< origins of the model from the parent body's frame on, fixed joints'
                         ///< first; their product is the real origin
    size_t chain_count;
    double given[3];            ///< the axis of the model
    double origin[12], axis[3]; ///< as the library has them
    double multiplier, offset;  ///< of the joint's value, as the library has them
    double real[8][2]; ///< multipliers and offsets of the model, of this and what it follows
    size_t real_count;
    double value_max; ///< of magnitude; infinite where only the domain bounds it
    pose_turn in_double, in_float;
    double shift[3], slide[3]; ///< in float: the origin, and its change per value
    double float_value_max;
    bool permutes;                ///< in float: columns are the parent's or mixed of two of them
    double rotation, translation; ///< the bounds in float that the library has, to first order
} pose_step;

/// A link with geometry.
typedef struct pose_link {
    int32_t link, body;
    double radius;    ///< of meshes and of ends of curved shapes, from the body's origin
    double center[3]; ///< of the bounding sphere
    double box[3], half[3];
    double error, turn; ///< what the library says of it in float; 0 where it has no such filter
    double own;         ///< of `error`, what the bounds have in double
} pose_link;

typedef struct pose_steps {
    pose_step *steps; ///< parents first; the first is the base
    size_t step_count;
    pose_link *links;
    size_t link_count;
    bool has_filter;
} pose_steps;

/// Ends the program where there is no memory.
void pose_steps_make(pose_steps *out, const graze_robot *robot);
void pose_steps_clear(pose_steps *steps);

#ifdef __cplusplus
}
#endif

#endif
