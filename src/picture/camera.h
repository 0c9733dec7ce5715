/// Where the picture is taken from.
#ifndef GZ_PICTURE_CAMERA_H
#define GZ_PICTURE_CAMERA_H

#include "picture/drawing.h"
#include "picture/raster.h"

typedef struct gz_camera {
    graze_vec3 eye, right, up, forward;
    double near;   ///< nothing nearer than that is drawn
    double scale;  ///< samples per unit of x / z
    double cx, cy; ///< the middle, in samples
} gz_camera;

/// What the picture is about: the robot, what it touches and what is near, without floors and
/// walls.
typedef struct gz_focus {
    graze_aabb box;
    graze_vec3 center;
    double radius; ///< of a ball around the box
    double floor;  ///< height of the floor
} gz_focus;

gz_focus gz_focus_find(const gz_drawing *drawing);

/// Chooses a three-quarter view in which the collision, or else the robot, is seen best, and fits
/// it to the picture. False when out of memory.
bool gz_camera_choose(gz_camera *camera, const gz_drawing *drawing, const gz_focus *focus,
                      int32_t width, int32_t height);

/// Draws everything into a raster with ids.
void gz_camera_draw(const gz_camera *camera, const gz_drawing *drawing, gz_raster *raster);

/// Where a point lies in the picture; false when it is behind the camera.
bool gz_camera_project(const gz_camera *camera, graze_vec3 point, gz_corner *out);

/// The unit direction from the eye through a place of the picture.
graze_vec3 gz_camera_ray(const gz_camera *camera, double x, double y);

#endif
