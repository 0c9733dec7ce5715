/// Where the picture is taken from.
#ifndef GZ_PICTURE_CAMERA_H
#define GZ_PICTURE_CAMERA_H

#include "graze/cglm.h"
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
/// One link; what gz_focus_find() says where it has nothing to show.
gz_focus gz_focus_link(const gz_drawing *drawing, int32_t link);

/// Takes the view that is given, or a three-quarter view in which the collision, or else the robot,
/// is seen best, and fits it to the picture. False when out of memory.
bool gz_camera_choose(gz_camera *camera, const gz_drawing *drawing, const gz_focus *focus,
                      const gz_view *view, int32_t width, int32_t height);

/// Draws everything into a raster with ids.
void gz_camera_draw(const gz_camera *camera, const gz_drawing *drawing, gz_raster *raster);

/// How a camera or a lamp sees points: a matrix of floats (cglm). A float is within 1e-7 of a
/// point's distance from the origin, a thousandth of a sample; neighbouring triangles project their
/// common corners to the same place, so no gaps open between them.
typedef struct gz_projection {
    mat4 matrix; ///< of the point relative to the origin, to x w, y w, depth w and w
    graze_vec3
        origin; ///< near what is drawn; subtracted in double, so that far places lose nothing
    float near; ///< the least w that is seen
} gz_projection;

gz_projection gz_camera_projection(const gz_camera *camera);

/// Where a point lies in the picture, in samples; false when it is behind the camera.
bool gz_project(gz_projection *projection, graze_vec3 point, gz_corner *out);

/// The unit direction from the eye through a place of the picture.
graze_vec3 gz_camera_ray(const gz_camera *camera, double x, double y);

#endif
