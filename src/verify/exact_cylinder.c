#include <limits.h>
#include <math.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/verify_memory.h"

// How much smaller a cylinder is made when a point inside is looked for: far more than doubles may
// be off for coordinates up to 1 km (out to 2^20 m they may be off by 2^-32 m, and contacts there
// stay undecided).
#define INSET (2 * GZ_CYLINDER_DEPTH)

// ------------------------------------------------------------------------------- closest points

typedef long double real;

/// Where two convex solids are nearest to each other, as well as long doubles allow: proposals,
/// which the exact tests prove or reject.
typedef struct closest_points {
    double a[3], b[3];   ///< a point of each
    double direction[3]; ///< from a's solid to b's, about unit length; 0 where they overlap
} closest_points;

#define STEPS 200

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// v becomes the unit vector of its body perpendicular to an axis of unit length. Twice: of a
/// vector nearly along the axis the first difference leaves little but rounding, in any direction.
/// False where nothing is left.
static bool make_perpendicular(real v[3], const real axis[3]) {
    for (int time = 0; time < 2; time++) {
        real along = dot(v, axis), before = sqrtl(dot(v, v));
        for (int k = 0; k < 3; k++) v[k] -= along * axis[k];
        real size = sqrtl(dot(v, v));
        if (!(size > 1e-18L * before)) return false;
        for (int k = 0; k < 3; k++) v[k] /= size;
    }
    return true;
}

/// The farthest point of a solid along a direction.
static void support(const gz_solid *s, real inset, const real n[3], real out[3]) {
    const double *ends[3] = {s->simplex.corners[0], s->simplex.corners[1], s->simplex.corners[2]};
    real best = -INFINITY, axis[3], radius = s->radius - inset, length = sqrtl(dot(n, n));
    int found = 0;
    for (int i = 0; i < s->simplex.count; i++) {
        real p[3] = {ends[i][0], ends[i][1], ends[i][2]}, height = dot(n, p);
        if (height > best) {
            best = height;
            found = i;
        }
    }
    for (int k = 0; k < 3; k++) out[k] = ends[found][k];
    real across[3] = {n[0] / length, n[1] / length, n[2] / length};
    bool is_across = true;
    if (s->flat_ended) {
        for (int k = 0; k < 3; k++) axis[k] = (real)ends[1][k] - (real)ends[0][k];
        real size = sqrtl(dot(axis, axis));
        for (int k = 0; k < 3; k++) {
            axis[k] /= size;
            out[k] += (found == 0 ? inset : -inset) * axis[k];
        }
        is_across = make_perpendicular(across, axis);
    }
    for (int k = 0; is_across && k < 3; k++) out[k] += radius * across[k];
}

/// A point of the difference a - b, with what it comes from.
typedef struct corner {
    real d[3], a[3], b[3];
    real weight;
} corner;

/// Solves the symmetric n x n system m w = r (n <= 3) by elimination. False where it is singular.
static bool solve(int n, real m[3][3], real r[3]) {
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int k = i + 1; k < n; k++)
            if (fabsl(m[k][i]) > fabsl(m[pivot][i])) pivot = k;
        if (!(fabsl(m[pivot][i]) > 0)) return false;
        for (int k = 0; k < n; k++) {
            real swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        real swap = r[i];
        r[i] = r[pivot];
        r[pivot] = swap;
        for (int k = i + 1; k < n; k++) {
            real factor = m[k][i] / m[i][i];
            for (int j = i; j < n; j++) m[k][j] -= factor * m[i][j];
            r[k] -= factor * r[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) r[i] -= m[i][j] * r[j];
        r[i] /= m[i][i];
    }
    return true;
}

/// The point nearest to 0 of the plane through the chosen corners, as weights; false where it is
/// outside their hull.
static bool weigh(const corner *corners, const int *chosen, int count, real weights[4]) {
    real m[3][3], r[3], sum = 0;
    const real *o = corners[chosen[0]].d;
    real edges[3][3];
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) edges[i - 1][k] = corners[chosen[i]].d[k] - o[k];
    for (int i = 0; i < count - 1; i++) {
        for (int j = 0; j < count - 1; j++) m[i][j] = dot(edges[i], edges[j]);
        r[i] = -dot(edges[i], o);
    }
    if (!solve(count - 1, m, r)) return false;
    for (int i = 0; i < count - 1; i++) {
        if (!(r[i] >= 0)) return false;
        weights[i + 1] = r[i];
        sum += r[i];
    }
    weights[0] = 1 - sum;
    return weights[0] >= 0;
}

/// Keeps the corners of the smallest face that holds the point nearest to 0, which goes to v. Four
/// are kept only where they are around 0: of a flat tetrahedron the weights are rounding alone.
static int reduce(corner *corners, int count, real v[3]) {
    real best = INFINITY, largest = 0, kept_weights[4] = {1, 0, 0, 0};
    for (int i = 0; i < count; i++) largest = fmaxl(largest, dot(corners[i].d, corners[i].d));
    int kept[4] = {0}, kept_count = 1;
    for (int mask = 1; mask < 1 << count; mask++) {
        int chosen[4], n = 0;
        real weights[4], p[3] = {0, 0, 0};
        for (int i = 0; i < count; i++)
            if (mask >> i & 1) chosen[n++] = i;
        if (!weigh(corners, chosen, n, weights)) continue;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) p[k] += weights[i] * corners[chosen[i]].d[k];
        real size = dot(p, p);
        if (!(size < best) || (n == 4 && size > 1e-32L * largest)) continue;
        best = size;
        kept_count = n;
        memcpy(kept, chosen, sizeof kept);
        memcpy(kept_weights, weights, sizeof kept_weights);
        memcpy(v, p, sizeof p);
    }
    corner out[4];
    for (int i = 0; i < kept_count; i++) {
        out[i] = corners[kept[i]];
        out[i].weight = kept_weights[i];
    }
    memcpy(corners, out, (size_t)kept_count * sizeof *out);
    return kept_count;
}

static void add_corner(const gz_solid *a, const gz_solid *b, real inset, const real n[3],
                       corner *out) {
    real back[3] = {-n[0], -n[1], -n[2]};
    support(a, inset, n, out->a);
    support(b, 0, back, out->b);
    for (int k = 0; k < 3; k++) out->d[k] = out->a[k] - out->b[k];
}

/// The algorithm of Gilbert, Johnson and Keerthi (1988), a bounded number of steps. The first solid
/// is made smaller on all sides by `inset`, where it is a cylinder.
static closest_points find_closest(const gz_solid *a, const gz_solid *b, double inset) {
    corner corners[5];
    int count = 1;
    real v[3], n[3] = {1, 0, 0};
    add_corner(a, b, inset, n, &corners[0]);
    corners[0].weight = 1;
    memcpy(v, corners[0].d, sizeof v);
    for (int step = 0; step < STEPS; step++) {
        real size = dot(v, v);
        if (!(size > 1e-36L)) break;
        for (int k = 0; k < 3; k++) n[k] = -v[k];
        corner next;
        add_corner(a, b, inset, n, &next);
        if (size - dot(v, next.d) <= 1e-19L * size) break; // as near as it gets
        real before[3];
        corner kept[4];
        int kept_count = count;
        memcpy(before, v, sizeof v);
        memcpy(kept, corners, (size_t)count * sizeof *kept);
        corners[count++] = next;
        count = reduce(corners, count, v);
        if (count == 4) { // around 0
            memset(v, 0, sizeof v);
            break;
        }
        if (!(dot(v, v) < size)) { // rounding has the last word
            memcpy(corners, kept, sizeof kept);
            memcpy(v, before, sizeof v);
            count = kept_count;
            break;
        }
    }
    closest_points out = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    real length = sqrtl(dot(v, v));
    for (int k = 0; k < 3; k++) {
        real pa = 0, pb = 0;
        for (int i = 0; i < count; i++) {
            pa += corners[i].weight * corners[i].a[k];
            pb += corners[i].weight * corners[i].b[k];
        }
        out.a[k] = (double)pa;
        out.b[k] = (double)pb;
        out.direction[k] = length > 0 ? (double)(-v[k] / length) : 0;
    }
    return out;
}

// ------------------------------------------------------------------------------------- numbers

// Bits behind the point of square roots.
#define ROOT_BITS 96

struct gz_exact_cylinder {
    gz_exact_vector a, d, w, n, t; ///< an end, the axis, a point from the end, a direction
    mpz_t length, height, rest, i, j, radius;
    mpz_t gap, needed;
};

#define NUMBERS (sizeof(gz_exact_cylinder) / sizeof(mpz_t))

gz_exact_cylinder *gz_exact_cylinder_create(void) {
    return gz_exact_numbers_create(sizeof(gz_exact_cylinder), NUMBERS);
}

void gz_exact_cylinder_free(gz_exact_cylinder *x) {
    gz_exact_numbers_free(x, NUMBERS);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/// The exponent that makes integers of a solid's numbers.
static int solid_exponent(const gz_solid *s) {
    return least(gz_exact_common_exponent(s->simplex.corners[0], 3 * (size_t)s->simplex.count),
                 gz_exact_common_exponent(&s->radius, 1));
}

/// a, d and length = d . d of a cylinder, at a scale.
static void load_axis(gz_exact_cylinder *x, const gz_solid *s, int exponent) {
    gz_exact_vector_set(&x->a, s->simplex.corners[0], exponent);
    gz_exact_vector_set(&x->d, s->simplex.corners[1], exponent);
    gz_exact_subtract(&x->d, &x->d, &x->a);
    gz_exact_dot(x->length, &x->d, &x->d);
}

// ------------------------------------------------------------------------- points and cylinders

/// Loads a point beside an axis: with L = d . d, height h = w . d (h / sqrt L along the axis) and
/// rest = |w|^2 L - h^2 (rest / L is the square of the distance from the axis).
static void load_point(gz_exact_cylinder *x, const gz_solid *s, const double p[3], int exponent) {
    load_axis(x, s, exponent);
    gz_exact_vector_set(&x->w, p, exponent);
    gz_exact_subtract(&x->w, &x->w, &x->a);
    gz_exact_dot(x->height, &x->w, &x->d);
    gz_exact_dot(x->rest, &x->w, &x->w);
    mpz_mul(x->rest, x->rest, x->length);
    mpz_submul(x->rest, x->height, x->height);
}

bool gz_exact_cylinder_is_deep(gz_exact_cylinder *x, const gz_solid *s, const double p[3]) {
    const double depth = GZ_CYLINDER_DEPTH;
    int exponent = least(least(solid_exponent(s), gz_exact_common_exponent(p, 3)),
                         gz_exact_exponent(depth));
    load_point(x, s, p, exponent);
    // From both ends: 0 <= h, h^2 >= depth^2 L, and so for L - h.
    gz_exact_set(x->i, depth, exponent);
    mpz_mul(x->j, x->i, x->i);
    mpz_mul(x->j, x->j, x->length);
    for (int end = 0; end < 2; end++) {
        if (mpz_sgn(x->height) < 0) return false;
        mpz_mul(x->needed, x->height, x->height);
        if (mpz_cmp(x->needed, x->j) < 0) return false;
        mpz_sub(x->height, x->length, x->height);
    }
    // From the side: rest / L <= (radius - depth)^2.
    gz_exact_set(x->radius, s->radius, exponent);
    mpz_sub(x->radius, x->radius, x->i);
    if (mpz_sgn(x->radius) < 0) return false;
    mpz_mul(x->j, x->radius, x->radius);
    mpz_mul(x->j, x->j, x->length);
    return mpz_cmp(x->rest, x->j) <= 0;
}

/// Whether a point is at most the threshold (in x->i, at the scale of what is loaded) from the
/// cylinder: with e = how far h is beyond an end, and the distance s = sqrt(rest / L) from the
/// axis: beside the cylinder e^2 / L <= threshold^2 where s <= radius, and e^2 / L + (s - radius)^2
/// <= threshold^2 elsewhere. Times L: e^2 + rest + (radius^2 - threshold^2) L <= 2 radius sqrt(rest
/// L), decided by the signs and the squares of both sides.
static bool is_loaded_point_near(gz_exact_cylinder *x) {
    mpz_t *beyond = &x->height;
    if (mpz_sgn(*beyond) >= 0) {
        mpz_sub(*beyond, *beyond, x->length);
        if (mpz_sgn(*beyond) < 0) mpz_set_ui(*beyond, 0);
    }
    mpz_mul(x->needed, *beyond, *beyond); // e^2
    mpz_mul(x->i, x->i, x->i);            // threshold^2
    mpz_mul(x->gap, x->i, x->length);
    if (mpz_cmp(x->needed, x->gap) > 0) return false; // too far along the axis alone
    mpz_mul(x->j, x->radius, x->radius);
    mpz_mul(x->gap, x->j, x->length);
    if (mpz_cmp(x->rest, x->gap) <= 0) return true; // beside an end, or inside
    mpz_sub(x->gap, x->j, x->i);
    mpz_mul(x->gap, x->gap, x->length);
    mpz_add(x->gap, x->gap, x->needed);
    mpz_add(x->gap, x->gap, x->rest); // the left side
    if (mpz_sgn(x->gap) <= 0) return true;
    mpz_mul(x->gap, x->gap, x->gap);
    mpz_mul(x->j, x->j, x->rest);
    mpz_mul(x->j, x->j, x->length);
    mpz_mul_2exp(x->j, x->j, 2);
    return mpz_cmp(x->gap, x->j) <= 0;
}

bool gz_exact_cylinder_is_near(gz_exact_cylinder *x, gz_exact *simplices, const double p[3],
                               const gz_solid *s, const double threshold[2]) {
    double terms[GZ_THRESHOLD_TERMS] = {threshold[0], threshold[1], GZ_CYLINDER_DEPTH, s->radius};
    if (!s->flat_ended) {
        gz_simplex point = {.count = 1};
        memcpy(point.corners[0], p, sizeof point.corners[0]);
        return gz_exact_within(simplices, &point, &s->simplex, terms);
    }
    int exponent = least(least(solid_exponent(s), gz_exact_common_exponent(p, 3)),
                         gz_exact_common_exponent(terms, GZ_THRESHOLD_TERMS));
    load_point(x, s, p, exponent);
    mpz_set_ui(x->i, 0);
    for (int k = 0; k < 3; k++) {
        gz_exact_set(x->j, terms[k], exponent);
        mpz_add(x->i, x->i, x->j);
    }
    gz_exact_set(x->radius, s->radius, exponent);
    return is_loaded_point_near(x);
}

// --------------------------------------------------------------------------------- directions

/// out = a whole number not below sqrt(x->i / x->j) 2^ROOT_BITS; uses both.
static void root_above(gz_exact_cylinder *x, mpz_t out) {
    mpz_mul_2exp(x->i, x->i, 2 * ROOT_BITS);
    mpz_cdiv_q(x->i, x->i, x->j);
    mpz_sqrt(out, x->i);
    mpz_add_ui(out, out, 1);
}

/// Adds to x->needed, in units of 2^-ROOT_BITS, how far a solid with a radius reaches beyond its
/// simplex along n: r |n|, and for a cylinder r |n x d| / |d|.
static void add_round(gz_exact_cylinder *x, const gz_solid *s, int exponent) {
    if (s->radius == 0) return;
    mpz_set_ui(x->j, 1);
    if (s->flat_ended) {
        load_axis(x, s, exponent);
        gz_exact_cross(&x->t, &x->n, &x->d);
        gz_exact_dot(x->i, &x->t, &x->t);
        mpz_set(x->j, x->length);
    } else {
        gz_exact_dot(x->i, &x->n, &x->n);
    }
    root_above(x, x->rest);
    gz_exact_set(x->radius, s->radius, exponent);
    mpz_addmul(x->needed, x->radius, x->rest);
}

/// out = the greatest (side 1) or least (side -1) n . c over the corners of a simplex.
static void extreme(gz_exact_cylinder *x, const gz_simplex *simplex, int side, int exponent,
                    mpz_t out) {
    for (int c = 0; c < simplex->count; c++) {
        gz_exact_vector_set(&x->w, simplex->corners[c], exponent);
        gz_exact_dot(x->i, &x->n, &x->w);
        if (c == 0 || mpz_cmp(x->i, out) * side > 0) mpz_set(out, x->i);
    }
}

/// Whether a direction from a to b proves that they are more than the threshold apart: the least n
/// . x over b's simplex less the greatest over a's, less what is round, exceeds threshold |n|.
static bool is_apart_along(gz_exact_cylinder *x, const gz_solid *a, const gz_solid *b,
                           const double direction[3], const double threshold[2]) {
    int own = gz_exact_common_exponent(direction, 3);
    if (own == INT_MAX) return false; // no direction
    int exponent = least(least(solid_exponent(a), solid_exponent(b)),
                         gz_exact_common_exponent(threshold, 2));
    gz_exact_vector_set(&x->n, direction, own);
    extreme(x, &b->simplex, -1, exponent, x->gap);
    extreme(x, &a->simplex, 1, exponent, x->height);
    mpz_sub(x->gap, x->gap, x->height);
    mpz_set_ui(x->needed, 0);
    add_round(x, a, exponent);
    add_round(x, b, exponent);
    // threshold |n|
    mpz_set_ui(x->j, 1);
    gz_exact_dot(x->i, &x->n, &x->n);
    root_above(x, x->rest);
    for (int k = 0; k < 2; k++) {
        gz_exact_set(x->radius, threshold[k], exponent);
        mpz_addmul(x->needed, x->radius, x->rest);
    }
    mpz_mul_2exp(x->gap, x->gap, ROOT_BITS);
    return mpz_cmp(x->gap, x->needed) > 0;
}

gz_nearness gz_exact_cylinder_within(gz_exact_cylinder *x, gz_exact *simplices, const gz_solid *a,
                                     const gz_solid *b, const double threshold[2]) {
    if (!a->flat_ended) {
        const gz_solid *swap = a;
        a = b;
        b = swap;
    }
    closest_points whole = find_closest(a, b, 0);
    if (is_apart_along(x, a, b, whole.direction, threshold)) return GZ_APART;
    const double *p = a->simplex.corners[0], *q = a->simplex.corners[1];
    double axis[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (length > 2 * INSET && a->radius > INSET) {
        closest_points inner = find_closest(a, b, INSET);
        if (gz_exact_cylinder_is_deep(x, a, inner.a) &&
            gz_exact_cylinder_is_near(x, simplices, inner.a, b, threshold))
            return GZ_NEAR;
    }
    return GZ_UNDECIDED;
}
