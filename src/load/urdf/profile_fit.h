/// Where the Collada profiles would place the collision geometry of a robot, and by which of them
/// its links lie nearest to their joints.
#ifndef GZ_LOAD_URDF_PROFILE_FIT_H
#define GZ_LOAD_URDF_PROFILE_FIT_H

#include "robot/builder.h"

enum { GZ_PROFILES = 3 }; ///< ros, spec, moveit

/// A box, or none (low above high).
typedef struct gz_fit_box {
    double low[3], high[3];
} gz_fit_box;

/// Begins zeroed, with `profile`.
typedef struct gz_profile_fit {
    graze_collada profile;            ///< by which the meshes are read
    gz_fit_box (*links)[GZ_PROFILES]; ///< of each link's collision geometry, in the link's frame
    size_t count, capacity;           ///< links that have some, or are before one that has
    size_t meshes[GZ_PROFILES];       ///< that a profile would place elsewhere
    double moved[GZ_PROFILES];        ///< by how much at most, m
    double apart[GZ_PROFILES]; ///< after gz_profile_fit_measure(): the mean distance of joints from
                               ///< the boxes of the links that they join, m
} gz_profile_fit;

/// Adds a collision geometry whose mesh, if it is one, is still a soup. False when out of memory.
bool gz_profile_fit_add(gz_profile_fit *fit, const gz_geometry_input *input);

/// Measures the finished robot, with a warning where a profile would place geometry elsewhere.
/// Returns the profile that fits: another than `fit->profile` only where it halves the distance,
/// and by more than a millimetre.
graze_collada gz_profile_fit_measure(gz_profile_fit *fit, graze_robot *robot);

void gz_profile_fit_free(gz_profile_fit *fit);

#endif
