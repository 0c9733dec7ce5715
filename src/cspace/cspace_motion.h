/// How much can the distance of two links, or of a link and the world, change inside a box of two
/// joint values?
#ifndef GZ_CSPACE_CSPACE_MOTION_H
#define GZ_CSPACE_CSPACE_MOTION_H

#include "cspace/cspace_grid.h"

/// A joint that the map moves, posed in the middle of the map.
typedef struct gz_station {
    double before[3], after[3]; ///< the joint's frame, and the child's, world
    double axis[3];             ///< unit, world
    double turn[2], slide[2];   ///< magnitudes: angle and way per unit of each column
    double travel; ///< most that `before` and `after` are ever apart in the map, metres
} gz_station;

typedef struct gz_cspace_motion {
    const graze_robot *robot;
    gz_station *stations;
    int32_t station_count;
    int32_t *paths;       ///< per link, station_count entries: stations from the root to the link
    int32_t *path_counts; ///< per link
    double (*centers)[3]; ///< per link: of the bounding sphere, world, in the middle of the map
    double *radii;
    double *across; ///< scratch of gz_cspace_motion_bound(), per station
} gz_cspace_motion;

/// Prepares the bounds for a grid. Free in any case.
graze_status gz_cspace_motion_make(gz_cspace_motion *motion, const gz_cspace_grid *grid,
                                   graze_error *error);
void gz_cspace_motion_free(gz_cspace_motion *motion);

/// Whether the map moves the link.
bool gz_cspace_motion_moves(const gz_cspace_motion *motion, int32_t link);

/// An upper bound, metres, of how much the distance of two links (a of -1: the world) differs
/// between the middle of a box and any other place in it, whose half edges are `half`.
/// @param turned [out] an upper bound of the angle between them, rad; may be NULL
/// One thread at a time. Cost: linear in the joints that the map moves.
double gz_cspace_motion_bound(const gz_cspace_motion *motion, int32_t a, int32_t b,
                              const double half[2], double *turned);

#endif
