/// A link of some shape on a sliding joint, and a cloud of points around the way that it takes:
/// drawn for points.c, and made through the public API.
#ifndef GRAZE_TESTS_POINT_SCENE_H
#define GRAZE_TESTS_POINT_SCENE_H

#include "base/random.h"
#include "graze/graze.h"
#include "solid_shapes.h"

enum { POINT_SETS = 3 }; ///< instruction sets

/// What the link is, and how its points lie.
typedef enum point_shape {
    POINT_SOLIDS, ///< one of solid_shapes.h
    POINT_FLATS, ///< needles, triangles of a lattice (segments and points among them), one triangle
    POINT_BOX,
    POINT_SPHERE,
    POINT_CAPSULE,
    POINT_CYLINDER,
    POINT_SHAPES
} point_shape;
typedef enum point_cloud {
    POINT_FEW,      ///< anywhere around, some of them twice
    POINT_TOUCHING, ///< at a radius from corners, edges and faces where the link is at some place
    POINT_LATTICE,  ///< multiples of 1/16, many of them twice, sizes and ways as well
    POINT_INSIDE,   ///< heaps where the link's box is at some place, small against it
    POINT_DENSE,    ///< a bumpy sheet, as scanned, of up to 100,000
    POINT_CLUSTER, ///< hardly apart, next to the origin of their frame: finer there than the link's
    POINT_CLOUDS
} point_cloud;

typedef struct point_scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker[POINT_SETS]; ///< one per instruction set
    graze_workspace *workspace[POINT_SETS];
    graze_geometry shape; ///< of the link
    graze_policy policy;
    double margin, radius; ///< of the rule; of the points
    double *points;        ///< snapped, x y z each
    size_t count;
    double place[3], far; ///< joint values: where they may meet, and where they are apart
} point_scene;

const char *point_shape_name(int shape);
const char *point_cloud_name(int cloud);

/// Draws a scene. Ends the program where one cannot be made.
void point_scene_draw(point_scene *scene, int shape, int cloud, const solid_shape *solids,
                      size_t solid_count, gz_random *random);
void point_scene_clear(point_scene *scene);

/// The pose of the shape's frame at a joint value.
graze_transform point_scene_pose(const point_scene *scene, double x);

#endif
