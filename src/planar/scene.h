/// A scene, for the files that make one.
#ifndef GZ_PLANAR_SCENE_H
#define GZ_PLANAR_SCENE_H

#include "planar/convex/convex_internal.h"

struct graze_planar_scene {
    double size;
    size_t count;
    graze_planar_convex *polygons;
    graze_vec2 *vertices; ///< of all polygons, one after another
};

/// Range of the edge of a map.
#define GZ_SCENE_SIZE_MIN 0x1p-50
#define GZ_SCENE_SIZE_MAX 0x1p50

#endif
