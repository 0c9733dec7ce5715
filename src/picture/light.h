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

#endif
