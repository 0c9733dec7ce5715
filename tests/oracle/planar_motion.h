/// Moving shapes of the plane by brute force in long double: all vertices against all edges, time
/// by stepping, bisection and golden section. Shares nothing with the library but its types.
#ifndef PLANAR_MOTION_H
#define PLANAR_MOTION_H

#include "graze/planar_approach.h"

typedef struct planar_motion {
    graze_vec2 velocity;
} planar_motion;

typedef struct planar_moving {
    const graze_planar_shape *a, *b;
    planar_motion ma, mb;
    long double shift[2]; ///< added to B's place
    long double push[2];  ///< added to B's velocity
} planar_moving;

typedef struct planar_found {
    long double time, value; ///< of the least distance in [0, end]
    bool hit;                ///< a distance of at most 0 was met
    long double first;       ///< the first time of it
} planar_found;

/// Signed distance at a time: vertices against edges outside, least depth over all edges inside.
long double planar_distance_at(const planar_moving *m, long double t);

/// Steps through [0, end], then polishes.
planar_found planar_search(const planar_moving *m, long double end, int steps);

/// min over [0, end] of the distance, for motions without turning (the distance is convex then).
long double planar_least(const planar_moving *m, long double end, long double *when);

/// The first root of the distance in [0, end], for motions without turning that touch there and are
/// apart at 0.
long double planar_root(const planar_moving *m, long double end);

/// The same two where they are known to be near `guess`, as after a small change; looked for
/// everywhere where they are not.
long double planar_least_near(const planar_moving *m, long double end, long double guess);
long double planar_root_near(const planar_moving *m, long double end, long double guess);

/// Largest magnitude among coordinates, radii and ways until a time.
double planar_scale(const planar_moving *m, double t);

#endif
