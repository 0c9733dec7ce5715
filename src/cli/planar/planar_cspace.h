/// What `graze planar cspace` is given and finds, shared by its parts.
#ifndef GZ_CLI_PLANAR_PLANAR_CSPACE_H
#define GZ_CLI_PLANAR_PLANAR_CSPACE_H

#include "cli/planar/planar_input.h"

typedef struct gz_cspace_options {
    gz_scene_input scene;
    const char *body, *heading, *start, *goal, *arm, *joints, *rest;
    gz_cspace_input map;
    gz_texts links, obstacles, at;
    graze_vec2 base;
    double width; ///< of links, metres
    uint64_t lattice;
    int format;
    bool no_walls, self;
    bool arm_only; ///< options for an arm were given
} gz_cspace_options;

/// A map and what it is a map of: a body among polygons, or an arm among obstacles.
typedef struct gz_cspace_map {
    const gz_cspace_options *options;
    bool body;
    double heading;          ///< of a body, degrees
    char axes[2][32];        ///< names of the sides: "x", "joint 1"
    gz_cspace_answer answer; ///< the map; a link of a body is the part that is blocked
    graze_planar_scene *scene;
    graze_planar_arm_scene arm; ///< a body: one link on a base that drives
    double lengths[GRAZE_PLANAR_LINK_MAX], rest[GRAZE_PLANAR_LINK_MAX];
    gz_planar_shapes shapes, turned; ///< of the body, as given and at the heading; or of the links
    gz_planar_shapes obstacles;      ///< what `arm` refers to
    int32_t shape_links[GRAZE_PLANAR_ARM_SHAPE_MAX];
    int32_t *owners; ///< of each part in `obstacles` the obstacle as given: --obstacle, then scene
    size_t owner_capacity;
    graze_planar_pose ends[2]; ///< start and goal of the path
    graze_planar_path path;    ///< FOUND where none was wanted
} gz_cspace_map;

/// Fills the map of a body or an arm, with its path. Returns an exit status.
int gz_planar_map_find(const gz_cspace_options *o, gz_cspace_map *map);
void gz_cspace_map_clear(gz_cspace_map *map);

/// The obstacle at a blocked start or goal; -1 for none: the map's border, or the arm itself.
int64_t gz_cspace_blocker(const gz_cspace_map *map);
/// Most corners of an obstacle in configuration space.
#define GZ_CSPACE_CORNER_MAX (GRAZE_PLANAR_SCENE_VERTEX_MAX + GRAZE_PLANAR_VERTEX_MAX)

/// A piece of an obstacle, of which each part of the turned body makes one, in their order. Returns
/// the number of corners; 0 behind the last.
size_t gz_cspace_piece(const gz_cspace_map *map, size_t index,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]);

/// Writes the map as SVG, or its cells and path as .png. Returns an exit status.
int gz_cspace_draw(const gz_cspace_map *map, const char *path);

#endif
