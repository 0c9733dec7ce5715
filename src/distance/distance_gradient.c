// How the distance of a pair changes with q and the base: by the points where it is nearest. The
// distance of two convex sets is differentiable where one pair of points is nearest, and changes as
// these two, fixed to their links, move along the normal (Danskin's theorem; Rockafellar 1970,
// Convex Analysis, section 27).
#include <math.h>
#include <string.h>

#include "distance/distance_internal.h"
#include "kinematics/space.h"
#include "math/transform.h"

void gz_near_rates(const gz_near_query *q, const gz_near_pair *pair, const gz_nearest *n) {
    graze_distance_workspace *d = q->d;
    memset(d->by_q, 0, d->checker->robot->column_count * sizeof *d->by_q);
    memset(d->by_base, 0, sizeof d->by_base);
    if (!n || pair->fixed >= 0) return;
    const graze_robot *r = d->checker->robot;
    const double back[3] = {-n->normal[0], -n->normal[1], -n->normal[2]};
    const int32_t other = pair->pair >= 0 ? pair->other : -1;
    // A joint that moves both links turns the points about one axis, which leaves their distance.
    gz_point_rates(r, d->ws->bodies, q->q, pair->link, other, n->point[0], back, d->by_q);
    if (other >= 0) {
        gz_point_rates(r, d->ws->bodies, q->q, other, pair->link, n->point[1], n->normal, d->by_q);
        return;
    }
    const double *root = d->ws->bodies[0], origin[3] = {root[3], root[7], root[11]};
    double arm[3], turn[3];
    gz_subtract(n->point[0], origin, arm);
    gz_cross(arm, n->normal, turn);
    for (int k = 0; k < 3; k++) {
        d->by_base[k] = back[k];
        d->by_base[3 + k] = -turn[k];
    }
}

bool gz_near_is_unsure(const gz_nearest *n) {
    return n->skipped <= n->upper + n->tie && !gz_nearest_has_rivals(n);
}

void gz_near_forget_ties(gz_nearest *n) {
    n->tie_count = 0;
    n->untold = n->skipped = INFINITY;
}

bool gz_near_is_smooth(const gz_nearest *n) {
    if (!(n->tie > 0) || !(n->upper > 0) || gz_norm(n->normal) == 0) return false;
    if (fmin(n->untold, n->skipped) <= n->upper + n->tie) return false;
    for (int i = 0; i < n->tie_count; i++) {
        if (n->ties[i].upper > n->upper + n->tie) continue;
        if (n->ties[i].flat || gz_nearest_differs((const double(*)[3])n->ties[i].point,
                                                  (const double(*)[3])n->point, GZ_NEAREST_SAME))
            return false;
    }
    return true;
}
