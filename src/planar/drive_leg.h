/// Judging motions of a body among polygons, for the files that plan with it.
#ifndef GZ_PLANAR_DRIVE_LEG_H
#define GZ_PLANAR_DRIVE_LEG_H

#include "planar/cspace/cspace_internal.h"

/// What a motion is judged against.
typedef struct gz_surroundings {
    const graze_planar_scene *scene;
    const graze_planar_body *body;
    bool walls;
    double resolution;
    double size; ///< largest magnitude of a coordinate that occurs, for the bounds on rounding
} gz_surroundings;

/// Largest magnitudes of poses.
#define GZ_POSE_PLACE_MAX   0x1p50
#define GZ_POSE_HEADING_MAX 0x1p10

graze_status gz_planar_pose_check(const char *name, const graze_planar_pose *pose,
                                  graze_error *error);

gz_surroundings gz_surroundings_make(const graze_planar_scene *scene, const graze_planar_body *body,
                                     bool walls, double resolution);

/// graze_planar_leg_judge() for checked arguments.
graze_planar_leg gz_leg_judge(const gz_surroundings *around, const graze_planar_pose *from,
                              const graze_planar_pose *to);

#endif
