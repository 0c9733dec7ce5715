// Two convex polygons by their edges: two closed convex sets in the plane meet where their borders
// do, or where one holds the other.
//
// Edges p0 + t r and q0 + u s, t and u in [0, 1], meet at
//   t = (w x s) / (r x s), u = (w x r) / (r x s), w = q0 - p0,
// by Cramer's rule. Only the signs of t, 1 - t, u and 1 - u count, so that nothing is divided;
// where the doubles leave one of them open, four exact turns decide instead.

#include "planar/convex/convex_internal.h"

/// A cross product of differences, and the sum of its terms' magnitudes. The error is below 5 u
/// times that sum: each term is rounded by its two differences, its product and the subtraction.
typedef struct cross {
    double value, terms;
} cross;

static cross cross_of(graze_vec2 a, graze_vec2 b) {
    double left = a.x * b.y, right = a.y * b.x;
    return (cross){left - right, fabs(left) + fabs(right)};
}

static bool within(double low, double x, double high) {
    return low <= x && x <= high;
}

/// For points on one line through r: whether p is between the ends of a segment.
static bool between(graze_vec2 p, graze_vec2 a, graze_vec2 b) {
    return within(fmin(a.x, b.x), p.x, fmax(a.x, b.x)) &&
           within(fmin(a.y, b.y), p.y, fmax(a.y, b.y));
}

/// By four exact turns: neither segment has both ends strictly on one side of the other's line. All
/// four are 0 for points on one line only; there an end of one lies between those of the other.
static bool segments_meet_exact(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    int at_q0 = gz_turn(p0, p1, q0), at_q1 = gz_turn(p0, p1, q1);
    int at_p0 = gz_turn(q0, q1, p0), at_p1 = gz_turn(q0, q1, p1);
    if (at_q0 == 0 && at_q1 == 0 && at_p0 == 0 && at_p1 == 0) {
        return between(p0, q0, q1) || between(p1, q0, q1) || between(q0, p0, p1) ||
               between(q1, p0, p1);
    }
    return at_q0 * at_q1 <= 0 && at_p0 * at_p1 <= 0;
}

static bool segments_meet(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    graze_vec2 r = {p1.x - p0.x, p1.y - p0.y}, s = {q1.x - q0.x, q1.y - q0.y};
    graze_vec2 w = {q0.x - p0.x, q0.y - p0.y};
    cross det = cross_of(r, s), t = cross_of(w, s), u = cross_of(w, r);
    if (fabs(det.value) > 0x5p-53 * det.terms) {
        // t and u times |det|. The distance to |det| is rounded once more, by at most u times the
        // terms: 7 u of both sums cover that and the rounding of the sums.
        double sign = det.value > 0 ? 1 : -1, whole = fabs(det.value);
        double at_t = sign * t.value, at_u = sign * u.value;
        double t_low = 0x6p-53 * t.terms, u_low = 0x6p-53 * u.terms;
        double t_high = 0x7p-53 * (t.terms + det.terms), u_high = 0x7p-53 * (u.terms + det.terms);
        if (at_t < -t_low || at_u < -u_low || at_t - whole > t_high || at_u - whole > u_high) {
            return false;
        }
        if (at_t > t_low && at_u > u_low && whole - at_t > t_high && whole - at_u > u_high) {
            return true;
        }
    }
    return segments_meet_exact(p0, p1, q0, q1);
}

// The vertices as seen from the first one are in order of their angles: the last one that is not to
// the left of the point's direction is found by bisection, and the edge behind it decides.
bool gz_convex_holds(const graze_planar_convex *polygon, graze_vec2 point) {
    const graze_vec2 *v = polygon->vertices;
    int32_t low = 1, high = polygon->count - 1;
    if (polygon->count < 3) return segments_meet_exact(v[0], v[high], point, point);
    if (gz_turn(v[0], v[low], point) < 0 || gz_turn(v[0], v[high], point) > 0) return false;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (gz_turn(v[0], v[middle], point) >= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return gz_turn(v[low], v[high], point) >= 0;
}

/// Edges for this purpose: a segment has one, and a point counts as one whose ends coincide.
static int32_t border_edges(const graze_planar_convex *p) {
    return p->count < 3 ? 1 : p->count;
}

bool gz_convex_meet_edges(const graze_planar_convex *a, const graze_planar_convex *b) {
    int32_t a_edges = border_edges(a), b_edges = border_edges(b);
    for (int32_t i = 0; i < a_edges; i++) {
        graze_vec2 p0 = a->vertices[i], p1 = a->vertices[gz_convex_next(a, i)];
        for (int32_t j = 0; j < b_edges; j++) {
            if (segments_meet(p0, p1, b->vertices[j], b->vertices[gz_convex_next(b, j)])) {
                return true;
            }
        }
    }
    // The borders are apart: one polygon holds the whole other one, or there is no common point.
    return gz_convex_holds(a, b->vertices[0]) || gz_convex_holds(b, a->vertices[0]);
}
