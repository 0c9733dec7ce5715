#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "graze/geometry.h"
#include "math/predicate.h"
#include "narrow/triangle/triangle.h"
#include "narrow/triangle/triangle_internal.h"

// The heights of three points over the plane of a triangle, scaled by its normal, in double.
typedef struct heights {
    double h[3];
    double bound; // on the error of each; 0: all are exactly 0
} heights;

// h_i = N . (t_i - p0), N = (p1 - p0) x (p2 - p0).
//
// As in predicate.h each of the six terms of h_i goes through at most eight roundings: two edge
// differences, their product, its subtraction, t_i - p0, the product with it, two additions. Their
// magnitudes sum to at most P = sum over k of (the two products' magnitudes in N_k) times
// (the largest |t_i - p0| along k), so |error| <= (8 u + O(u^2)) fl(P) < 9 u fl(P).
static inline heights heights_over(const double p[3][3], const double t[3][3]) {
    double ux = p[1][0] - p[0][0], uy = p[1][1] - p[0][1], uz = p[1][2] - p[0][2];
    double vx = p[2][0] - p[0][0], vy = p[2][1] - p[0][1], vz = p[2][2] - p[0][2];
    double uyvz = uy * vz, uzvy = uz * vy;
    double uzvx = uz * vx, uxvz = ux * vz;
    double uxvy = ux * vy, uyvx = uy * vx;
    double nx = uyvz - uzvy, ny = uzvx - uxvz, nz = uxvy - uyvx;
    heights result;
    double wx_max = 0, wy_max = 0, wz_max = 0;
    for (int i = 0; i < 3; i++) {
        double wx = t[i][0] - p[0][0], wy = t[i][1] - p[0][1], wz = t[i][2] - p[0][2];
        result.h[i] = nx * wx + ny * wy + nz * wz;
        wx_max = fabs(wx) > wx_max ? fabs(wx) : wx_max;
        wy_max = fabs(wy) > wy_max ? fabs(wy) : wy_max;
        wz_max = fabs(wz) > wz_max ? fabs(wz) : wz_max;
    }
    result.bound = 0x9p-53 *
                   ((fabs(uyvz) + fabs(uzvy)) * wx_max + (fabs(uzvx) + fabs(uxvz)) * wy_max +
                    (fabs(uxvy) + fabs(uyvx)) * wz_max);
    return result;
}

// All corners surely above, or surely below.
static inline bool heights_one_sided(const heights *s) {
    double b = s->bound;
    return (s->h[0] > b && s->h[1] > b && s->h[2] > b) ||
           (s->h[0] < -b && s->h[1] < -b && s->h[2] < -b);
}

// Whether some sign is unsure. Without branches, which these signs would mislead.
static inline bool heights_signs(const heights *s, int sides[3]) {
    bool unsure = false;
    for (int i = 0; i < 3; i++) {
        sides[i] = GZ_DECIDE(s->h[i], (s->h[i] > s->bound) - (s->h[i] < -s->bound));
        unsure |= (sides[i] == 0) & (s->bound != 0);
    }
    return unsure;
}

static bool boxes_apart(const double a[3][3], const double b[3][3]) {
    for (int k = 0; k < 3; k++) {
        if (fmax(fmax(a[0][k], a[1][k]), a[2][k]) < fmin(fmin(b[0][k], b[1][k]), b[2][k])) {
            return true;
        }
        if (fmax(fmax(b[0][k], b[1][k]), b[2][k]) < fmin(fmin(a[0][k], a[1][k]), a[2][k])) {
            return true;
        }
    }
    return false;
}

// Settles the signs that doubles left at 0, unless the bound says that they are exact.
static void decide_sides(const double plane[3][3], const double t[3][3], int sides[3],
                         uint64_t *exact) {
    for (int i = 0; i < 3; i++) {
        if (sides[i] == 0) {
            sides[i] = -gz_orient3d_counted(plane[0], plane[1], plane[2], t[i], exact);
        }
    }
}

// Both triangles have area and reach the line in which their planes meet, each in an interval whose
// ends lie on two edges: apart when one interval ends before the other begins.
static inline bool intervals_overlap(const double a[3][3], const int a_sides[3],
                                     const double b[3][3], const int b_sides[3], uint64_t *exact) {
    gz_crossing ca = gz_crossing_make(a, a_sides, 1);
    gz_crossing cb = gz_crossing_make(b, b_sides, -1);
    return gz_crossing_order(&ca, ca.high, &cb, cb.low, exact) <= 0 &&
           gz_crossing_order(&ca, ca.low, &cb, cb.high, exact) >= 0;
}

// A sign was unsure, or all corners of one triangle lie in the plane of the other.
static bool overlap_exactly(const double a[3][3], int a_sides[3], const double b[3][3],
                            int b_sides[3], uint64_t *exact) {
    if (boxes_apart(a, b)) return false;
    decide_sides(b, a, a_sides, exact);
    if (gz_sides_one(a_sides)) return false;
    decide_sides(a, b, b_sides, exact);
    if (gz_sides_one(b_sides)) return false;
    // All sides 0: one plane, or a triangle without area in place of the plane.
    if (gz_sides_flat(a_sides) || gz_sides_flat(b_sides)) {
        gz_flat fa = gz_flat_make(a, exact), fb = gz_flat_make(b, exact);
        return gz_degenerate_triangles_overlap(&fa, &fb, exact);
    }
    return intervals_overlap(a, a_sides, b, b_sides, exact);
}

static inline bool overlap(const double a[3][3], const double b[3][3], uint64_t *exact) {
    // Plane rejection both ways.
    heights a_over_b = heights_over(b, a);
    if (heights_one_sided(&a_over_b)) return false;
    heights b_over_a = heights_over(a, b);
    if (heights_one_sided(&b_over_a)) return false;

    int a_sides[3], b_sides[3];
    bool a_unsure = heights_signs(&a_over_b, a_sides), b_unsure = heights_signs(&b_over_a, b_sides);
    if (a_unsure || b_unsure || gz_sides_flat(a_sides) || gz_sides_flat(b_sides)) {
        return overlap_exactly(a, a_sides, b, b_sides, exact);
    }
    return intervals_overlap(a, a_sides, b, b_sides, exact);
}

bool gz_triangles_overlap_exact(const double a[3][3], const double b[3][3],
                                gz_triangle_stats *stats) {
    uint64_t exact = 0;
    bool result = overlap(a, b, &exact);
    if (stats != NULL) {
        stats->tests++;
        stats->exact_tests += exact != 0;
        stats->exact_signs += exact;
    }
    return result;
}

bool gz_segment_intersects_triangle(const double p[3], const double q[3], const double t[3][3]) {
    uint64_t exact = 0;
    double segment[3][3];
    for (int k = 0; k < 3; k++) segment[0][k] = p[k], segment[1][k] = segment[2][k] = q[k];
    if (boxes_apart(GZ_CORNERS(segment), t)) return false;
    gz_flat fs = gz_flat_make(GZ_CORNERS(segment), &exact), ft = gz_flat_make(t, &exact);
    return gz_degenerate_triangles_overlap(&fs, &ft, &exact);
}

// The public triangle test of graze/geometry.h: the range check around narrow/triangle.h.

// Whether the exact verdict holds for these coordinates; false for NaN and infinity.
GZ_OUT_OF_LINE static bool in_range(const double t[9]) {
    for (int i = 0; i < 9; i++) {
        double magnitude = fabs(t[i]);
        if (magnitude != 0 && !(magnitude >= GZ_EXACT_MIN && magnitude <= GZ_EXACT_MAX)) {
            return false;
        }
    }
    return true;
}

bool graze_triangles_overlap(const double a[9], const double b[9]) {
    GZ_FLOAT_ENVIRONMENT;
    if (a == NULL || b == NULL || !in_range(a) || !in_range(b)) return true;
    return gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL);
}

graze_status graze_triangles_overlap_checked(const double a[9], const double b[9], bool *overlap,
                                             double segment[6]) {
    GZ_FLOAT_ENVIRONMENT;
    if (overlap != NULL) *overlap = true;
    if (a == NULL || b == NULL || overlap == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!in_range(a) || !in_range(b)) return GRAZE_ERROR_RANGE;
    *overlap = gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL);
    if (*overlap && segment != NULL) {
        double ends[2][3];
        gz_triangles_segment(GZ_CORNERS(a), GZ_CORNERS(b), ends);
        memcpy(segment, ends, sizeof ends);
    }
    return GRAZE_OK;
}
