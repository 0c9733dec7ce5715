/// What `graze planar cspace` is given and finds, shared by its parts.
#ifndef GZ_CLI_PLANAR_PLANAR_CSPACE_H
#define GZ_CLI_PLANAR_PLANAR_CSPACE_H

#include "cli/planar/planar_input.h"

typedef struct gz_cspace_options {
    gz_scene_input scene;
    const char *body, *start, *goal, *arm, *joints, *rest;
    const char *ids, *states, *legend, *picture;
    gz_cspace_sides sides;
    gz_texts links, obstacles, at;
    graze_vec2 base;
    double heading; ///< degrees
    double width;   ///< of links, metres
    uint64_t lattice;
    int format;
    bool no_walls, certified, self;
    bool arm_only; ///< options for an arm were given
} gz_cspace_options;

/// A map and what it is a map of: a body among polygons, or an arm among obstacles.
typedef struct gz_cspace_map {
    const gz_cspace_options *options;
    bool body;
    graze_planar_grid grid;
    char axes[2][32]; ///< names of the sides: "x", "joint 1"
    bool certified;
    graze_cspace cells; ///< what is known of each; the link is the link or part that is blocked
    gz_cspace_answer answer; ///< the map as graze cspace writes one
    uint8_t *states;         ///< as the library has them
    graze_planar_scene *scene;
    graze_planar_arm_scene arm; ///< a body: one link on a base that drives
    double lengths[GRAZE_PLANAR_LINK_MAX], rest[GRAZE_PLANAR_LINK_MAX];
    gz_planar_shapes shapes, turned; ///< of the body, as given and at the heading; or of the links
    gz_planar_shapes obstacles;      ///< what `arm` refers to
    int32_t shape_links[GRAZE_PLANAR_ARM_SHAPE_MAX];
    int32_t *owners; ///< of each part in `obstacles` the obstacle as given: --obstacle, then scene
    size_t owner_capacity;
    int32_t joints[2];
    graze_planar_pose *at; ///< places of the map at which the arm is drawn
    size_t at_count;
    graze_planar_pose rest_pose; ///< where it is drawn if nowhere else
    graze_planar_pose ends[2];   ///< start and goal of the path
    graze_planar_path path;      ///< FOUND where none was wanted
} gz_cspace_map;

extern const char gz_cspace_command[];

/// Fills the map of a body or an arm, with its path. Returns an exit status.
int gz_cspace_find(const gz_cspace_options *o, gz_cspace_map *map);
void gz_cspace_map_clear(gz_cspace_map *map);

/// The obstacle that stands against a blocked start or goal; -1 for none: the map's border, or the
/// arm itself.
int64_t gz_cspace_blocker(const gz_cspace_map *map);
/// The configuration at a place of the map.
void gz_cspace_configuration(const gz_cspace_map *map, const graze_planar_pose *at,
                             double q[GRAZE_PLANAR_LINK_MAX]);
/// Most corners of an obstacle in configuration space.
#define GZ_CSPACE_CORNER_MAX (GRAZE_PLANAR_SCENE_VERTEX_MAX + GRAZE_PLANAR_VERTEX_MAX)

/// The piece of that obstacle that a part of the turned body makes. Returns the number of corners.
size_t gz_cspace_piece(const gz_cspace_map *map, size_t obstacle, size_t part,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]);

/// Writes the map as SVG, or, where the path ends in .png, its cells with the path. Returns an exit
/// status.
int gz_cspace_draw(const gz_cspace_map *map, const char *path);

#endif
