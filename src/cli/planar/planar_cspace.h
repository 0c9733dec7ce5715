/// What `graze planar cspace` asks and finds, shared by its parts.
#ifndef GZ_CLI_PLANAR_PLANAR_CSPACE_H
#define GZ_CLI_PLANAR_PLANAR_CSPACE_H

#include "cli/planar/planar_input.h"
#include "graze/planar_cspace.h"

typedef struct gz_cspace_options {
    gz_scene_input scene;
    const char *body, *start, *goal, *arm, *base, *joints, *rest;
    gz_texts disks;
    gz_planar_report report;
    const char *npy;
    double heading; ///< degrees
    uint64_t cells, lattice;
    bool no_walls;
} gz_cspace_options;

/// A map and what it is a map of: a body among polygons, or an arm among disks.
typedef struct gz_cspace_map {
    const gz_cspace_options *options;
    graze_planar_grid grid;
    uint8_t *cells;
    graze_planar_scene *scene;
    graze_planar_body *body, *turned; ///< as given, and at the heading
    graze_planar_drive drive;         ///< outcome FOUND, with a path, where one was asked for
    bool driven;
    double lengths[GRAZE_PLANAR_LINK_MAX], rest[GRAZE_PLANAR_LINK_MAX];
    graze_planar_arm arm;
    int32_t joints[2];
    graze_planar_disk *disks;
    size_t disk_count;
} gz_cspace_map;

extern const char gz_cspace_command[];

/// Fill the map of a body, with its path, and of an arm. Return exit statuses.
int gz_cspace_find_body(const gz_cspace_options *o, gz_cspace_map *map);
int gz_cspace_find_arm(const gz_cspace_options *o, gz_cspace_map *map);
void gz_cspace_map_clear(gz_cspace_map *map);

/// Cells of that kind.
size_t gz_cspace_cells_of(const gz_cspace_map *map, uint8_t kind);

/// Most corners of an obstacle in configuration space.
#define GZ_CSPACE_CORNER_MAX (GRAZE_PLANAR_SCENE_VERTEX_MAX + GRAZE_PLANAR_VERTEX_MAX)

/// The piece of that obstacle that a part of the turned body makes. Returns the number of corners.
size_t gz_cspace_piece(const gz_cspace_map *map, size_t obstacle, size_t part,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]);

/// Writers of a gz_cspace_map: NPY (uint8, rows from the lowest y), and SVG.
int gz_cspace_write_npy(FILE *stream, const void *map);
int gz_cspace_draw(FILE *stream, const void *map);
/// Writes the map as a PNG.
int gz_cspace_draw_pixels(const gz_cspace_map *map, const char *path);

#endif
