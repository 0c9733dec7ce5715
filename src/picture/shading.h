/// From what is seen at a sample to its colour.
#ifndef GZ_PICTURE_SHADING_H
#define GZ_PICTURE_SHADING_H

#include "picture/light.h"

typedef struct gz_color {
    double r, g, b; ///< linear
} gz_color;

typedef struct gz_scene {
    const gz_drawing *drawing;
    const gz_focus *focus;
    const gz_camera *camera; ///< of the picture, in pixels
    const gz_lights *lights;
    int32_t height;
} gz_scene;

/// Something seen at a place of the picture.
typedef struct gz_sight {
    double x, y; ///< pixels, fractions allowed
    int32_t id;  ///< triangle; -1 for the floor and the background
    graze_vec3 ray;
    double fade; ///< floor: 0 is all background
    double away; ///< floor: from the eye
} gz_sight;

/// Finds what a sight shows of triangle `id` and fills in the point that is to be lit. False when
/// no light counts there (the background).
bool gz_sight_find(const gz_scene *scene, int32_t id, double x, double y, gz_sight *sight,
                   gz_lit_point *point);

/// The colour of a sight whose point has been lit; for the background the point is not looked at.
gz_color gz_sight_color(const gz_scene *scene, const gz_sight *sight, const gz_lit_point *point);

/// A linear value as a byte of sRGB, highlights rolled off.
uint8_t gz_tone(double value);

#endif
