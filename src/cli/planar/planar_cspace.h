/// What `graze planar cspace` asks and finds, shared by its parts.
#ifndef GZ_CLI_PLANAR_PLANAR_CSPACE_H
#define GZ_CLI_PLANAR_PLANAR_CSPACE_H

#include "cli/planar/planar_input.h"
#include "graze/planar_cspace.h"

typedef struct gz_cspace_options {
    gz_scene_input scene;
    const char *body, *start, *goal, *arm, *base, *joints, *rest;
    gz_texts disks;
    const char *output, *picture, *npy;
    double heading; ///< degrees
    uint64_t cells, lattice;
    int format;
    bool no_walls;
} gz_cspace_options;

/// A map and what it is a map of: a body among polygons, or an arm among disks.
typedef struct gz_cspace_map {
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
    double error_bound; ///< of an arm's clearance
} gz_cspace_map;

extern const char gz_cspace_command[];

/// Fill the map of a body, with its path, and of an arm. Return exit statuses.
int gz_cspace_find_body(const gz_cspace_options *o, gz_cspace_map *map);
int gz_cspace_find_arm(const gz_cspace_options *o, gz_cspace_map *map);
void gz_cspace_map_clear(gz_cspace_map *map);

/// Cells of that kind.
size_t gz_cspace_cells_of(const gz_cspace_map *map, uint8_t kind);

/// Writes the map as NPY (uint8, rows from the lowest y), and as a PNG or an SVG by its name.
int gz_cspace_write_npy(const gz_cspace_map *map, const char *path);
int gz_cspace_draw(const gz_cspace_map *map, const char *path);

#endif
