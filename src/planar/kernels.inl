// All kernels of the plane. Included by kernels_*.c with KERNELS, their table's name, defined.
#include "planar/approach/approach_kernels.inl"
#include "planar/distance/distance_kernels.inl"
#include "planar/distance/polygon_distance.inl"

const gz_planar_kernels KERNELS = {
    .distance = {[GRAZE_PLANAR_CIRCLE] = {distance_circles, distance_circle_capsule,
                                          distance_circle_rectangle, NULL},
                 [GRAZE_PLANAR_CAPSULE] = {NULL, distance_capsules, NULL, NULL},
                 [GRAZE_PLANAR_RECTANGLE] = {NULL, NULL, distance_rectangles, NULL},
                 [GRAZE_PLANAR_POLYGON] = {NULL, NULL, NULL, distance_polygons}},
    .approach = {[GRAZE_PLANAR_CIRCLE] = {approach_circles, approach_circle_capsule,
                                          approach_circle_rectangle},
                 [GRAZE_PLANAR_CAPSULE] = {NULL, approach_capsules, approach_capsule_rectangle},
                 [GRAZE_PLANAR_RECTANGLE] = {NULL, NULL, approach_rectangles}},
    .polygon = polygon_distance,
};
