/// Lamps with shadows: the sky as many weak ones, a key lamp as a few strong ones close together.
#ifndef GZ_PICTURE_LIGHT_H
#define GZ_PICTURE_LIGHT_H

#include "picture/camera.h"

/// One distant lamp and the depths that it sees.
typedef struct gz_lamp {
    graze_vec3 direction; ///< towards the lamp, unit
    graze_vec3 right, up; ///< of its map
    double color[3];      ///< linear
    bool key;
    gz_raster map;
} gz_lamp;

enum { GZ_SKY_LAMPS = 48, GZ_KEY_LAMPS = 20, GZ_LAMPS = GZ_SKY_LAMPS + GZ_KEY_LAMPS };

typedef struct gz_lights {
    gz_lamp lamps[GZ_LAMPS];
    graze_vec3 center; ///< the ball that the maps cover
    double radius;
    graze_vec3 key; ///< the middle of the key lamps
} gz_lights;

/// Places the lamps relative to the camera and draws their maps; false when out of memory.
bool gz_lights_make(gz_lights *lights, const gz_drawing *drawing, const gz_focus *focus,
                    const gz_camera *camera);
void gz_lights_free(gz_lights *lights);

/// A place that is lit. Floats, because there are many: a step of 1e-7 is far below a pixel.
typedef struct gz_lit_point {
    float point[3];  ///< relative to the lights' center
    float normal[3]; ///< as shaded, on the eye's side
    float sum[3];    ///< [out] light that arrives, times the cosine
    float key_seen;  ///< [out] how much of the key lamps is seen, 0 to 1
} gz_lit_point;

/// Adds up the lamps' light at many points. One lamp after the other, so that neighbouring points
/// find its map in the cache.
void gz_lights_shine(const gz_lights *lights, gz_lit_point *points, size_t count);

/// From what is seen at a sample to its colour.

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
