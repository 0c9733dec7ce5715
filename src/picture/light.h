/// Light and colour: lamps with shadow maps (the sky as many weak ones, a key lamp as a few strong
/// ones close together), and the shading of samples.
#ifndef GZ_PICTURE_LIGHT_H
#define GZ_PICTURE_LIGHT_H

#include "graze/cglm.h"
#include "picture/camera.h"

/// One distant lamp and the depths that it sees.
typedef struct gz_lamp {
    graze_vec3 direction; ///< towards the lamp, unit
    graze_vec3 right, up; ///< of its map
    graze_vec3 color;     ///< linear red, green, blue
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

/// Places the lamps relative to the camera and draws their maps, on so many threads; false when out
/// of memory.
bool gz_lights_make(gz_lights *lights, const gz_drawing *drawing, const gz_focus *focus,
                    const gz_camera *camera, uint32_t threads);
void gz_lights_free(gz_lights *lights);

/// A point that is lit, in floats (cglm).
typedef struct gz_lit_point {
    vec3 point;     ///< relative to the lights' center
    vec3 normal;    ///< as shaded, on the eye's side
    vec3 sum;       ///< [out] light that arrives, times the cosine
    float key_seen; ///< [out] how much of the key lamps is seen, 0 to 1
} gz_lit_point;

/// Adds up the lamps' light at many points. One lamp after the other, so that neighbouring points
/// find its map in the cache.
void gz_lights_shine(const gz_lights *lights, gz_lit_point *points, size_t count);

typedef struct gz_scene {
    const gz_drawing *drawing;
    const gz_focus *focus;
    const gz_camera *camera; ///< of the picture, in pixels
    const gz_lights *lights;
    int32_t height;
} gz_scene;

/// A triangle, the floor or the background, at a place of the picture.
typedef struct gz_fragment {
    double x, y; ///< pixels, fractions allowed
    int32_t id;  ///< triangle; -1 for the floor and the background
    graze_vec3 ray;
    double fade; ///< floor: 0 is all background
    double away; ///< floor: from the eye
} gz_fragment;

/// Fills in the fragment of triangle `id` at a place, and the point that is to be lit. False for
/// the background, which is not lit.
bool gz_fragment_find(const gz_scene *scene, int32_t id, double x, double y, gz_fragment *fragment,
                      gz_lit_point *point);

/// The colour, linear red, green, blue, of a fragment whose point has been lit; for the background
/// the point is not read.
graze_vec3 gz_fragment_color(const gz_scene *scene, const gz_fragment *fragment,
                             const gz_lit_point *point);

/// A linear value as a byte of sRGB, highlights rolled off.
uint8_t gz_tone(double value);

#endif
