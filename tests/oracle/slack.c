// How much of each error bound of the double filters is ever needed? Errors are taken against
// rationals (GMP) and 200-bit numbers (MPFR) on inputs that are made to round as badly as they can,
// kept where they did and changed a little further. Fails where an error exceeds its bound. (The
// float filters of trees, proxies and links are measured here, too: single gaps, at their worst,
// and whole decisions by bounds; forward kinematics by kinematics, the closed forms of curved
// solids by near_curved.)
//
// usage: slack [--tries N] [--seed N] [--only TEXT]

#include <inttypes.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/processor.h"
#include "base/random.h"
#include "math/trigonometry.h"
#include "rational_distance.h"
#include "slack_floats.h"
#include "slack_lanes.h"

// The files whose inner functions are measured.
#include "narrow/curved/convex.c"
#include "narrow/triangle/triangle.c"
#define pair      near_pair
#define candidate near_candidate
#define vertex    near_vertex
#include "narrow/triangle/triangle_distance.c"
#undef pair
#undef candidate
#undef vertex

enum { NUMBERS = 21, BITS = 200 };

/// Where the errors are added up.
typedef struct scratch {
    mpq_t a, b, sum, det;
    mpfr_t x, y, z, w;
    rational_distance *distance;
} scratch;

/// One bound: the error that an input makes, in the unit of the bound.
typedef struct subject {
    const char *name, *unit;
    int count; ///< numbers of an input
    double allowed;
    double (*error)(scratch *s, const double *x);
    double low, high; ///< the numbers' range, or exponents to draw from
} subject;

// ----------------------------------------------------------------------------------- determinants

/// s->sum = x - y, exactly.
static void difference(mpq_t out, mpq_t other, double x, double y) {
    mpq_set_d(out, x);
    mpq_set_d(other, y);
    mpq_sub(out, out, other);
}

/// Adds sign * (product of `count` differences) to s->det.
static void add_term(scratch *s, const double (*pairs)[2], int count, int sign) {
    mpq_set_si(s->sum, sign, 1);
    for (int i = 0; i < count; i++) {
        difference(s->a, s->b, pairs[i][0], pairs[i][1]);
        mpq_mul(s->sum, s->sum, s->a);
    }
    mpq_add(s->det, s->det, s->sum);
}

/// |value - s->det| / size, in 2^-53.
static double share(scratch *s, double value, double size) {
    if (!(size > 0)) return 0;
    mpq_set_d(s->a, value);
    mpq_sub(s->a, s->a, s->det);
    return fabs(mpq_get_d(s->a)) / size * 0x1p53;
}

static double orient2d_error(scratch *s, const double *x) {
    const double *a = x, *b = x + 2, *c = x + 4;
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    const double l[2][2] = {{a[0], c[0]}, {b[1], c[1]}}, r[2][2] = {{a[1], c[1]}, {b[0], c[0]}};
    mpq_set_si(s->det, 0, 1);
    add_term(s, l, 2, 1);
    add_term(s, r, 2, -1);
    return share(s, left - right, fabs(left) + fabs(right));
}

/// det of the rows p - o, q - o, r - o.
static void exact_det(scratch *s, const double *p, const double *q, const double *r,
                      const double *o) {
    mpq_set_si(s->det, 0, 1);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        const double one[3][2] = {{p[k], o[k]}, {q[u], o[u]}, {r[v], o[v]}},
                     other[3][2] = {{p[k], o[k]}, {q[v], o[v]}, {r[u], o[u]}};
        add_term(s, one, 3, 1);
        add_term(s, other, 3, -1);
    }
}

/// As predicate.h computes it.
static double orient3d_error(scratch *s, const double *x) {
    const double *a = x, *b = x + 3, *c = x + 6, *d = x + 9;
    double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
    double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
    double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
    double det = az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay);
    double size = fabs(az) * (fabs(bx * cy) + fabs(cx * by)) +
                  fabs(bz) * (fabs(cx * ay) + fabs(ax * cy)) +
                  fabs(cz) * (fabs(ax * by) + fabs(bx * ay));
    exact_det(s, a, b, c, d);
    return share(s, det, size);
}

/// The heights over a triangle's plane, in units of their own bound's 9.
static double heights_error(scratch *s, const double *x) {
    double p[3][3], t[3][3], worst = 0;
    memcpy(p, x, sizeof p);
    memcpy(t, x + 9, sizeof t);
    heights h = heights_over((const double(*)[3])p, (const double(*)[3])t);
    for (int i = 0; i < 3; i++) {
        exact_det(s, p[1], p[2], t[i], p[0]);
        worst = fmax(worst, share(s, h.h[i], h.bound / 0x9p-53));
    }
    return worst;
}

// -------------------------------------------------------------------------------------- distances

/// s->x = n . p
static void exact_dot(scratch *s, const double n[3], const double p[3]) {
    mpfr_set_zero(s->x, 1);
    for (int k = 0; k < 3; k++) {
        mpfr_set_d(s->y, n[k], MPFR_RNDN);
        mpfr_mul_d(s->y, s->y, p[k], MPFR_RNDN);
        mpfr_add(s->x, s->x, s->y, MPFR_RNDN);
    }
}

static void exact_length(scratch *s, const double n[3], mpfr_t out) {
    exact_dot(s, n, n);
    mpfr_sqrt(out, s->x, MPFR_RNDN);
}

/// The largest n . p (side 1) or the least (side -1) of some points, to s->z.
static void exact_support(scratch *s, const double n[3], const double (*p)[3], int count,
                          int side) {
    for (int i = 0; i < count; i++) {
        exact_dot(s, n, p[i]);
        if (i == 0 || mpfr_cmp(s->x, s->z) * side > 0) mpfr_set(s->z, s->x, MPFR_RNDN);
    }
}

/// |value - s->w| / span in 2^-53, which changes s->w.
static double against(scratch *s, double value, double span) {
    mpfr_sub_d(s->w, s->w, value, MPFR_RNDN);
    return fabs(mpfr_get_d(s->w, MPFR_RNDN)) / span * 0x1p53;
}

/// The certified gap of a triangle and a triangle, its allowance taken back.
static double gap_error(scratch *s, const double *x) {
    gz_convex a = {.count = 3}, b = {.count = 3};
    memcpy(a.p, x, sizeof a.p);
    memcpy(b.p, x + 9, sizeof b.p);
    const double *n = x + 18;
    double span = gz_convex_span(&a, &b), gap = gz_convex_gap(&a, &b, n, 0);
    double allowance = (gap - gz_convex_gap(&a, &b, n, span)) / span * 0x1p47; // 1, if it is 64 u
    exact_support(s, n, (const double(*)[3])a.p, 3, -1);
    mpfr_set(s->w, s->z, MPFR_RNDN);
    exact_support(s, n, (const double(*)[3])b.p, 3, 1);
    mpfr_sub(s->w, s->w, s->z, MPFR_RNDN);
    exact_length(s, n, s->z);
    if (mpfr_zero_p(s->z)) return 0;
    mpfr_div(s->w, s->w, s->z, MPFR_RNDN);
    return against(s, gap, span) / allowance;
}

/// The same of a cylinder (two ends, x[6] for its radius) and a point.
static double cylinder_gap_error(scratch *s, const double *x) {
    gz_convex a = {.count = 2, .disc = fabs(x[6])}, b = {.count = 1};
    memcpy(a.p, x, 6 * sizeof *x);
    memcpy(b.p, x + 7, 3 * sizeof *x);
    const double *n = x + 10;
    gz_subtract(a.p[1], a.p[0], a.axis);
    a.axis_norm = gz_norm(a.axis);
    if (!(a.axis_norm > 0)) return 0;
    double span = gz_convex_span(&a, &b), gap = gz_convex_gap(&a, &b, n, 0);
    if (!isfinite(gap)) return 0;
    double allowance = (gap - gz_convex_gap(&a, &b, n, span)) / span * 0x1p47;
    // min over the cylinder: least end, less r |n x d| / |d|; d exactly from the ends.
    mpfr_t d[3], cross, sum, length;
    mpfr_inits2(BITS, d[0], d[1], d[2], cross, sum, length, (mpfr_ptr)0);
    for (int k = 0; k < 3; k++) {
        mpfr_set_d(d[k], a.p[1][k], MPFR_RNDN);
        mpfr_sub_d(d[k], d[k], a.p[0][k], MPFR_RNDN);
    }
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(length, 1);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        mpfr_mul_d(cross, d[v], n[u], MPFR_RNDN);
        mpfr_mul_d(s->y, d[u], n[v], MPFR_RNDN);
        mpfr_sub(cross, cross, s->y, MPFR_RNDN);
        mpfr_fma(sum, cross, cross, sum, MPFR_RNDN);
        mpfr_fma(length, d[k], d[k], length, MPFR_RNDN);
    }
    mpfr_div(sum, sum, length, MPFR_RNDN);
    mpfr_sqrt(sum, sum, MPFR_RNDN);
    mpfr_mul_d(sum, sum, a.disc, MPFR_RNDN);
    exact_support(s, n, (const double(*)[3])a.p, 2, -1);
    mpfr_sub(s->w, s->z, sum, MPFR_RNDN);
    exact_support(s, n, (const double(*)[3])b.p, 1, 1);
    mpfr_sub(s->w, s->w, s->z, MPFR_RNDN);
    mpfr_clears(d[0], d[1], d[2], cross, sum, length, (mpfr_ptr)0);
    exact_length(s, n, s->z);
    if (mpfr_zero_p(s->z)) return 0;
    mpfr_div(s->w, s->w, s->z, MPFR_RNDN);
    return against(s, gap, span) / allowance;
}

/// Of two triangles: the gap along a direction, as gz_triangles_near() certifies it.
static double near_gap_error(scratch *s, const double *x) {
    double t[2][3][3];
    near_pair p;
    memcpy(t, x, sizeof t);
    const double *n = x + 18;
    pair_make(&p, (const double(*)[3])t[0], (const double(*)[3])t[1]);
    double gap = gap_along(&p, n, NULL) + ERROR * p.span;
    if (!isfinite(gap)) return 0;
    double best = INFINITY;
    exact_length(s, n, s->z);
    if (mpfr_zero_p(s->z)) return 0;
    for (int side = 0; side < 2; side++) {
        exact_support(s, n, (const double(*)[3])t[side], 3, -1);
        mpfr_set(s->w, s->z, MPFR_RNDN);
        exact_support(s, n, (const double(*)[3])t[1 - side], 3, 1);
        mpfr_sub(s->w, s->w, s->z, MPFR_RNDN);
        exact_length(s, n, s->z);
        mpfr_div(s->w, s->w, s->z, MPFR_RNDN);
        best = fmin(best, against(s, gap, p.span)); // the wider of both is the one that is meant
    }
    return best;
}

/// How far the distance that the formulas find is below the real one.
static double near_distance_error(scratch *s, const double *x) {
    double t[2][3][3], p[3], q[3];
    near_pair both;
    memcpy(t, x, sizeof t);
    pair_make(&both, (const double(*)[3])t[0], (const double(*)[3])t[1]);
    double found = gz_triangles_nearest((const double(*)[3])t[0], (const double(*)[3])t[1], p, q);
    double low = 0, high = 128, unit = 0x1p-53 * both.span;
    double terms[2] = {found, 0};
    if (rational_distance_within(s->distance, x, x + 9, terms, 2)) return 0;
    for (int i = 0; i < 10; i++) {
        double middle = 0.5 * (low + high);
        terms[1] = middle * unit;
        *(rational_distance_within(s->distance, x, x + 9, terms, 2) ? &high : &low) = middle;
    }
    return high;
}

// ------------------------------------------------------------------------------------ float lanes

/// One of 2^bits whole numbers.
static unsigned choice(double x, int bits) {
    return (unsigned)fmin(ldexp(fabs(x), bits), ldexp(1, bits) - 1);
}

/// Three corners and a point, exactly floats. Edges are of 2^-149 m to 1 km, each of its own size;
/// the third corner is anywhere or on the first edge, but for a little; the point is over some
/// place of the triangle or over its first corner, up to 1 km off. Coordinates may be 0, so that
/// what is far smaller than floats tell apart elsewhere stays what it is.
static void lay_out(const double *x, double corner[9], double point[3]) {
    unsigned zero = choice(x[15], 10);
    double size[2] = {exp2(10 - 159 * fabs(x[12])), exp2(10 - 159 * fabs(x[13]))};
    for (int k = 0; k < 3; k++) {
        double place = zero >> k & 1 ? 0 : x[k];
        double e = zero >> (3 + k) & 1 ? 0 : x[3 + k] * size[0], f = x[6 + k] * size[1];
        double off = zero >> (6 + k) & 1 ? 0 : x[9 + k] * exp2(10 - 40 * fabs(x[14]));
        corner[k] = (float)place;
        corner[3 + k] = (float)(place + e);
        corner[6 + k] = (float)(place + f + fmax(x[16], 0) * e);
        double within = zero >> 9 ? 0 : 0.5 * (fabs(x[17]) * e + fabs(x[18]) * f);
        point[k] = (float)(corner[k] + within + off);
    }
}

/// The largest distance that any instruction set claims, whichever corner and side come first.
static double claimed_distance(const double corner[9], const double point[3]) {
    static const int order[8][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1},
                                    {2, 1, 0}, {1, 0, 2}, {0, 1, 2}, {0, 1, 2}};
    gz_packet packet;
    float at[3], squares[3][GZ_WIDTH];
    double most = 0;
    for (int k = 0; k < 3; k++) at[k] = (float)point[k];
    for (int lane = 0; lane < 8; lane++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                packet.vertex[c][k][lane] = (float)corner[3 * order[lane][c] + k];
    slack_lanes_scalar(&packet, at, squares[0]);
    slack_lanes_base(&packet, at, squares[1]);
    memcpy(squares[2], squares[1], sizeof squares[2]);
#ifdef GRAZE_HAVE_AVX2
    if (gz_processor_has_avx2()) slack_lanes_avx2(&packet, at, squares[2]);
#endif
    for (int set = 0; set < 3; set++)
        for (int lane = 0; lane < 8; lane++) {
            if (isnan(squares[set][lane])) return INFINITY;
            most = fmax(most, (double)squares[set][lane]);
        }
    return sqrt(most);
}

/// How much a claimed distance from a triangle is above the real one, of what beyond_squares() may
/// be off.
static double beyond_error(scratch *s, const double *x) {
    double corner[9], point[9], far = 0;
    lay_out(x, corner, point);
    memcpy(point + 3, point, 3 * sizeof *point);
    memcpy(point + 6, point, 3 * sizeof *point);
    for (int c = 0; c < 9; c += 3)
        far = fmax(far, hypot(hypot(corner[c] - point[0], corner[c + 1] - point[1]),
                              corner[c + 2] - point[2]));
    double claim = claimed_distance(corner, point), unit = 0x1p-22 * far + 0x1p-29;
    double low = 0, high = 0x1p-6, least;
    if (!isfinite(claim)) return INFINITY;
    if (!rational_distance_within(s->distance, corner, point, &claim, 1)) return 0;
    for (; least = fmax(claim - high * unit, 0), least > 0; high *= 2) {
        if (!rational_distance_within(s->distance, corner, point, &least, 1)) break;
        low = high;
    }
    for (int i = 0; i < 8; i++) {
        double middle = 0.5 * (low + high);
        least = fmax(claim - middle * unit, 0);
        bool within = least > 0 && rational_distance_within(s->distance, corner, point, &least, 1);
        *(within ? &low : &high) = middle;
    }
    return low;
}

// ------------------------------------------------------------------------------------ trigonometry

static double sine_error(scratch *s, const double *x) {
    double sine, cosine, worst = 0;
    gz_sine_cosine(x[0], &sine, &cosine);
    mpfr_set_d(s->x, x[0], MPFR_RNDN);
    mpfr_sin_cos(s->y, s->z, s->x, MPFR_RNDN);
    mpfr_sub_d(s->y, s->y, sine, MPFR_RNDN);
    mpfr_sub_d(s->z, s->z, cosine, MPFR_RNDN);
    worst = fmax(fabs(mpfr_get_d(s->y, MPFR_RNDN)), fabs(mpfr_get_d(s->z, MPFR_RNDN)));
    return worst * 0x1p53;
}

// ----------------------------------------------------------------------------------------
// searching

#define FLOATS(name)                                                                               \
    static double name##_of(scratch *s, const double *x) {                                         \
        (void)s;                                                                                   \
        return slack_##name(x);                                                                    \
    }
FLOATS(triangles)
FLOATS(boxes)
FLOATS(vertex)
FLOATS(planes)
FLOATS(spheres)
FLOATS(view)
FLOATS(sine)
FLOATS(cloud_boxes)
FLOATS(cloud_axes)
FLOATS(cloud_axis)
FLOATS(children)
FLOATS(children_way)
FLOATS(cells)
FLOATS(chain)

static const subject subjects[] = {
    {"orient2d filter", "u of its terms", 6, 5, orient2d_error, -1, 1},
    {"orient3d filter", "u of its terms", 12, 9, orient3d_error, -1, 1},
    {"heights over a plane", "u of its terms", 18, 9, heights_error, -1, 1},
    {"certified gap, triangles", "u of the span", 21, 64, gap_error, -1, 1},
    {"certified gap, cylinder and ball", "u of the span", 13, 64, cylinder_gap_error, -1, 1},
    {"near triangles: gap", "u of the span", 21, ERROR * 0x1p53, near_gap_error, -1, 1},
    {"near triangles: distance", "u of the span", 18, ERROR * 0x1p53, near_distance_error, -1, 1},
    {"point and triangles, float lanes", "of 2^-22 and 2^-29 m", 19, 1, beyond_error, -1, 1},
    {"triangles of trees, float", "u of S |n|_1", SLACK_TRIANGLES, 24, triangles_of, -1, 1},
    {"boxes of trees, 15 axes, float", "u of S", SLACK_BOXES, 40, boxes_of, -1, 1},
    {"vertex of a proxy, float", "u of S", SLACK_TRIANGLES, 24, vertex_of, -1, 1},
    {"planes of proxies, float", "u of S", SLACK_PLANES, 64, planes_of, -1, 1},
    {"spheres, squared distance, float", "u of itself", SLACK_SPHERES, 160, spheres_of, -1, 1},
    {"object's box from a base, float", "u of its size", SLACK_TRIANGLES, 64, view_of, -1, 1},
    {"boxes of clouds, float", "u of S", SLACK_BOXES, 64, cloud_boxes_of, -1, 1},
    {"axes of clouds, float", "u of S", SLACK_BOXES, 64, cloud_axes_of, -1, 1},
    {"points and an axis, float", "u of S", SLACK_AXIS, 64, cloud_axis_of, -1, 1},
    {"distances of children, float", "u of S", SLACK_BOXES, 40, children_of, -1, 1},
    {"the same along a way, float", "u of S", SLACK_BOXES, 80, children_way_of, -1, 1},
    {"balls in cells, float", "of their pad", SLACK_CELLS, 1, cells_of, -1, 1},
    {"sine and cosine, float", "u", 1, 8, sine_of, -64, 64},
    {"links of chains, float", "of a link's error", SLACK_CHAIN, 1, chain_of, -1, 1},
    {"sine and cosine to 64", "2^-53", 1, GZ_TRIGONOMETRY_ERROR * 0x1p53, sine_error, -64, 64},
    {"sine and cosine to 2^20", "2^-53", 1, GZ_TRIGONOMETRY_ERROR * 0x1p53, sine_error, -0x1p20,
     0x1p20},
};

/// Numbers of like or of very different sizes, with all their digits.
static void draw(const subject *j, gz_random *random, double *x) {
    int spread = j->count > 1 ? (int)gz_random_below(random, 6) : 0;
    for (int i = 0; i < j->count; i++)
        x[i] = ldexp(gz_random_range(random, j->low, j->high),
                     -(int)gz_random_below(random, (uint32_t)(4 * spread + 1)));
}

/// Some numbers anew, others by a few units in their last places.
static void change(const subject *j, gz_random *random, double *x) {
    int i = (int)gz_random_below(random, (uint32_t)j->count);
    if (gz_random_below(random, 3) == 0) {
        x[i] = gz_random_range(random, j->low, j->high);
        return;
    }
    double way = ldexp(gz_random_range(random, -1, 1), -(int)(10 + gz_random_below(random, 42)));
    x[i] += x[i] * way;
    x[i] = fmax(j->low, fmin(j->high, x[i]));
}

static double worst_of(const subject *j, uint64_t tries, gz_random *random, scratch *s) {
    double best[NUMBERS], x[NUMBERS], worst = 0, here = -1;
    const uint64_t steps = tries / 50 > 400 ? tries / 50 : 400; // 50 starts, or more
    for (uint64_t i = 0; i < tries; i++) {
        // So many steps away from the worst of a start, then another start.
        bool start = i % steps == 0;
        if (start)
            draw(j, random, x), here = -INFINITY;
        else
            memcpy(x, best, sizeof x), change(j, random, x);
        double error = j->error(s, x);
        if (!(error > here)) continue;
        here = error;
        memcpy(best, x, sizeof x);
        worst = fmax(worst, error);
    }
    return worst;
}

int main(int argc, char **argv) {
    uint64_t tries = 1000000, seed = 1;
    const char *only = "";
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--tries")) {
            tries = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--only")) {
            only = argv[i + 1];
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else {
            fprintf(stderr, "usage: slack [--tries N] [--seed N] [--only TEXT]\n");
            return 2;
        }
    }
    scratch s;
    mpq_inits(s.a, s.b, s.sum, s.det, (mpq_ptr)0);
    mpfr_inits2(BITS, s.x, s.y, s.z, s.w, (mpfr_ptr)0);
    s.distance = rational_distance_create();
    slack_chain_begin();
    int violations = 0;
    printf("%-34s %12s %9s %8s  %s\n", "bound", "tries", "worst", "allowed", "unit");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const subject *j = &subjects[i];
        if (!strstr(j->name, only)) continue;
        gz_random random = gz_random_make(seed, i);
        double worst = worst_of(j, tries, &random, &s);
        bool wrong = !(worst <= j->allowed) || worst == 0; // without any error nothing was measured
        violations += wrong;
        printf("%-34s %12" PRIu64 " %9.3f %8.0f  %s%s\n", j->name, tries, worst, j->allowed,
               j->unit, wrong ? "  VIOLATION" : "");
        fflush(stdout);
    }
    mpq_clears(s.a, s.b, s.sum, s.det, (mpq_ptr)0);
    mpfr_clears(s.x, s.y, s.z, s.w, (mpfr_ptr)0);
    rational_distance_free(s.distance);
    slack_chain_end();
    return violations != 0;
}
