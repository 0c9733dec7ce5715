#include "triangle_cases.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// -------------------------------------------------------------------------------------- helpers

static double between(gz_random *r, double low, double high) {
    return gz_random_range(r, low, high);
}

static double sign(gz_random *r) {
    return gz_random_below(r, 2) ? 1 : -1;
}

// 10^-low to 10^-high, uniform in the logarithm.
static double tiny(gz_random *r, double low, double high) {
    return pow(10, -between(r, high, low));
}

static void random_point(gz_random *r, double half, double p[3]) {
    for (int k = 0; k < 3; k++) p[k] = between(r, -half, half);
}

static void random_triangle(gz_random *r, double half, double t[9]) {
    for (int i = 0; i < 3; i++) random_point(r, half, t + 3 * i);
}

static void random_pair(gz_random *r, double half, double a[9], double b[9]) {
    random_triangle(r, half, a);
    random_triangle(r, half, b);
}

static void shift(double a[9], double b[9], const double by[3]) {
    for (int i = 0; i < 9; i++) a[i] += by[i % 3], b[i] += by[i % 3];
}

static void scale(double a[9], double b[9], double by) {
    for (int i = 0; i < 9; i++) a[i] *= by, b[i] *= by;
}

// A rotation from a random unit quaternion, rounded as poses are.
static void random_rotation(gz_random *r, double m[9]) {
    double q[4], norm;
    do {
        for (int i = 0; i < 4; i++) q[i] = between(r, -1, 1);
        norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    } while (norm < 0.1 || norm > 1);
    double x = q[0] / norm, y = q[1] / norm, z = q[2] / norm, w = q[3] / norm;
    const double rotation[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(m, rotation, sizeof rotation);
}

static void rotate_point(const double m[9], double p[3]) {
    double x = p[0], y = p[1], z = p[2];
    for (int k = 0; k < 3; k++) p[k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z;
}

static void rotate(gz_random *r, double a[9], double b[9]) {
    double m[9];
    random_rotation(r, m);
    for (int i = 0; i < 3; i++) rotate_point(m, a + 3 * i), rotate_point(m, b + 3 * i);
}

// A point of the triangle, rounded; now and then on an edge or a corner.
static void point_on(gz_random *r, const double t[9], double p[3]) {
    double u = gz_random_unit(r), v = gz_random_unit(r);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    uint32_t kind = gz_random_below(r, 8);
    if (kind == 0) v = 0;
    if (kind == 1) u = v = 0;
    for (int k = 0; k < 3; k++) p[k] = t[k] + u * (t[3 + k] - t[k]) + v * (t[6 + k] - t[k]);
}

// Turns the corners of a triangle, so that no category has its special corner always first.
static void turn_corners(gz_random *r, double t[9]) {
    double old[9];
    memcpy(old, t, sizeof old);
    uint32_t by = gz_random_below(r, 3);
    for (uint32_t i = 0; i < 9; i++) t[i] = old[(i + 3 * by) % 9];
}

static void copy_point(double to[3], const double from[3]) {
    memcpy(to, from, 3 * sizeof *to);
}

// ----------------------------------------------------------------------------------- categories

static void unit(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
}

static void single_precision(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    for (int i = 0; i < 9; i++) a[i] = (float)a[i], b[i] = (float)b[i];
}

static void at(gz_random *r, double half, double far, double a[9], double b[9]) {
    random_pair(r, half, a, b);
    double by[3];
    random_point(r, far, by);
    shift(a, b, by);
}

static void millimetre(gz_random *r, double a[9], double b[9]) {
    at(r, 0.0005, 1, a, b);
}

static void offset_1e3(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 0.05, a, b);
    shift(a, b, (const double[3]){1000, 1000, 1000});
}

static void offset_1e6(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 0.05, a, b);
    shift(a, b, (const double[3]){1e6, -1e6, 1e6});
}

static void scale_small(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1e-6, a, b);
}

static void scale_large(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1e6, a, b);
}

// Triangles of sizes far apart, about one place.
static void mixed_sizes(gz_random *r, double a[9], double b[9]) {
    random_triangle(r, tiny(r, 9, 0), a);
    random_triangle(r, 1, b);
    double p[3];
    point_on(r, b, p);
    for (int i = 0; i < 9; i++) a[i] += p[i % 3];
}

static void grid_of(gz_random *r, double step, double a[9], double b[9]) {
    for (int i = 0; i < 9; i++) {
        a[i] = gz_random_below(r, 4) * step;
        b[i] = gz_random_below(r, 4) * step;
    }
}

static void grid(gz_random *r, double a[9], double b[9]) {
    grid_of(r, 1, a, b);
}

static void grid_tenth(gz_random *r, double a[9], double b[9]) {
    grid_of(r, 0.1, a, b);
}

static void grid_far(gz_random *r, double a[9], double b[9]) {
    grid_of(r, 0.1, a, b);
    shift(a, b, (const double[3]){1000.3, -0.7, 1e-3});
}

// All in one exact plane: z = i x + j y.
static void grid_coplanar(gz_random *r, double a[9], double b[9]) {
    grid_of(r, 1, a, b);
    double i = (int)gz_random_below(r, 5) - 2, j = (int)gz_random_below(r, 5) - 2;
    for (int c = 0; c < 9; c += 3) {
        a[c + 2] = i * a[c] + j * a[c + 1];
        b[c + 2] = i * b[c] + j * b[c + 1];
    }
}

static void shared_vertex(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    copy_point(b, a);
    turn_corners(r, a);
    turn_corners(r, b);
}

static void shared_edge(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    copy_point(b, a);
    copy_point(b + 3, a + 6);
    turn_corners(r, a);
    turn_corners(r, b);
}

static void vertex_on_face(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    point_on(r, b, a);
    // Beyond the plane of b lies only that corner.
    turn_corners(r, a);
}

static void edges_crossing(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    // A point of an edge of each made the same, by moving b.
    double s = gz_random_unit(r), t = gz_random_unit(r), by[3];
    for (int k = 0; k < 3; k++) {
        by[k] = a[k] + s * (a[3 + k] - a[k]) - (b[k] + t * (b[3 + k] - b[k]));
    }
    for (int i = 0; i < 9; i++) b[i] += by[i % 3];
    turn_corners(r, a);
    turn_corners(r, b);
}

static void flat_pair(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    for (int i = 2; i < 9; i += 3) a[i] = b[i] = 0;
    uint32_t kind = gz_random_below(r, 3);
    if (kind == 0) copy_point(b, a);
    if (kind == 1) point_on(r, a, b);
}

static void coplanar_rotated(gz_random *r, double a[9], double b[9]) {
    flat_pair(r, a, b);
    rotate(r, a, b);
}

static void near_coplanar(gz_random *r, double a[9], double b[9]) {
    flat_pair(r, a, b);
    double size = tiny(r, 17, 8);
    for (int i = 2; i < 9; i += 3) a[i] = between(r, -size, size), b[i] = between(r, -size, size);
    if (gz_random_below(r, 2)) rotate(r, a, b);
}

// Long and thin, one across the other.
static void needle(gz_random *r, double t[9], const double through[3]) {
    double direction[3], width = tiny(r, 12, 3);
    random_point(r, 1, direction);
    double s = gz_random_unit(r);
    for (int k = 0; k < 3; k++) {
        t[k] = through[k] - s * direction[k];
        t[3 + k] = through[k] + (1 - s) * direction[k];
        t[6 + k] = t[k] + between(r, -width, width);
    }
    turn_corners(r, t);
}

static void needles(gz_random *r, double a[9], double b[9]) {
    double p[3];
    random_point(r, 1, p);
    needle(r, a, p);
    needle(r, b, p);
}

// All corners near one line.
static void slivers(gz_random *r, double a[9], double b[9]) {
    double width = tiny(r, 17, 3);
    random_pair(r, 1, a, b);
    for (int k = 0; k < 3; k++) {
        a[6 + k] = 0.5 * (a[k] + a[3 + k]) + between(r, -width, width);
        b[k] = a[6 + k] + between(r, -width, width);
    }
    turn_corners(r, a);
    turn_corners(r, b);
}

// Makes a triangle the exact segment of two of its corners.
static void make_segment(gz_random *r, double t[9]) {
    for (int k = 0; k < 3; k++) {
        // Few bits, so that points of the segment can be exact.
        t[k] = ldexp(rint(ldexp(t[k], 20)), -20);
        t[3 + k] = ldexp(rint(ldexp(t[3 + k], 20)), -20);
    }
    double ratio = gz_random_below(r, 17) / 16.0; // 0 and 1 repeat a corner
    for (int k = 0; k < 3; k++) t[6 + k] = t[k] + ratio * (t[3 + k] - t[k]);
    turn_corners(r, t);
}

static void segment_triangle(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    uint32_t kind = gz_random_below(r, 4);
    if (kind == 0) point_on(r, b, a);
    if (kind == 1) copy_point(a, b);
    if (kind == 2) { // in the exact plane of b
        for (int i = 2; i < 9; i += 3) a[i] = b[i] = 0.25;
        if (gz_random_below(r, 2)) copy_point(b + 3, a + 3);
    }
    make_segment(r, a);
}

static void point_triangle(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    uint32_t kind = gz_random_below(r, 4);
    if (kind == 0) copy_point(a, b);
    if (kind == 1) point_on(r, b, a);
    if (kind == 2) { // exact middle of an edge or of the face
        for (int i = 0; i < 9; i++) b[i] = rint(ldexp(b[i], 10));
        uint32_t to = gz_random_below(r, 2) ? 3 : 6;
        for (uint32_t k = 0; k < 3; k++) a[k] = 0.5 * (b[k] + 0.5 * (b[to + k] + b[3 + k]));
    }
    copy_point(a + 3, a);
    copy_point(a + 6, a);
}

static void two_segments(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    make_segment(r, a);
    uint32_t kind = gz_random_below(r, 4);
    if (kind == 0) copy_point(b, a + 6);
    make_segment(r, b);
    if (kind >= 2) { // on one line, or crossing it in a point of it
        double direction[3];
        random_point(r, 1, direction);
        for (int i = 0; i < 3; i++) {
            double s = gz_random_below(r, 17) - 8.0;
            for (int k = 0; k < 3; k++) {
                double step = kind == 2 ? a[3 + k] - a[k] : rint(ldexp(direction[k], 15)) * 0x1p-15;
                b[3 * i + k] = a[k] + s * 0.125 * step;
            }
        }
    }
}

static void point_degenerate(gz_random *r, double a[9], double b[9]) {
    two_segments(r, a, b);
    int from = 3 * (int)gz_random_below(r, 3);
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = gz_random_below(r, 4) ? 0.5 * (b[from + k] + b[k]) : b[from + k];
    }
    for (int i = 0; i < 9; i++) a[i] = p[i % 3];
    if (gz_random_below(r, 4) == 0) { // two points
        for (int i = 3; i < 9; i++) b[i] = b[i % 3];
    }
}

// Small integers times a power of two at an end of the exact range: every product is as large or as
// small as it can be.
static void range_end(gz_random *r, double a[9], double b[9]) {
    random_pair(r, 1, a, b);
    bool large = gz_random_below(r, 2);
    uint32_t kind = gz_random_below(r, 4);
    if (kind == 0) grid(r, a, b);
    if (kind == 1) flat_pair(r, a, b);
    if (kind == 2) edges_crossing(r, a, b);
    scale(a, b, large ? 0x1p137 : 0x1p-138);
    for (int i = 0; i < 9; i++) { // into the range: 0 below it
        if (fabs(a[i]) < 0x1p-140) a[i] = 0;
        if (fabs(b[i]) < 0x1p-140) b[i] = 0;
    }
}

// Every coordinate of a magnitude of its own, from one end of the range to the other.
static void range_mixed(gz_random *r, double a[9], double b[9]) {
    for (int i = 0; i < 9; i++) {
        a[i] = sign(r) * ldexp(between(r, 1, 2), (int)gz_random_below(r, 279) - 140);
        b[i] = sign(r) * ldexp(between(r, 1, 2), (int)gz_random_below(r, 279) - 140);
    }
    if (gz_random_below(r, 2)) copy_point(b, a);
    if (gz_random_below(r, 4) == 0) {
        int k = (int)gz_random_below(r, 3);
        for (int c = 0; c < 9; c += 3) a[c + k] = b[c + k] = gz_random_below(r, 2) ? a[k] : 0;
    }
}

// Faces of two equal boxes that touch face to face, each posed and rounded on its own, as a robot
// on its floor is.
static void boxes_stacked(gz_random *r, double a[9], double b[9]) {
    static const int corner[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                      {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                      {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    double size[3], m[9], place[3];
    for (int k = 0; k < 3; k++) size[k] = between(r, 0.1, 1), place[k] = between(r, -2, 2);
    random_rotation(r, m);
    const int *fa = corner[gz_random_below(r, 12)], *fb = corner[gz_random_below(r, 12)];
    int above = (int)gz_random_below(r, 3);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            a[3 * i + k] = (fa[i] >> k & 1) * size[k];
            b[3 * i + k] = ((fb[i] >> k & 1) + (k == above)) * size[k];
        }
        rotate_point(m, a + 3 * i);
        rotate_point(m, b + 3 * i);
    }
    shift(a, b, place);
}

// Triangles that are almost, or exactly, the same one.
static void near_equal(gz_random *r, double a[9], double b[9]) {
    random_triangle(r, 1, a);
    uint32_t moved = gz_random_below(r, 4);
    for (uint32_t i = 0; i < 9; i++) {
        b[i] = a[i];
        if (i / 3 < moved) b[i] += sign(r) * gz_random_below(r, 3) * ldexp(fabs(a[i]), -52);
    }
    turn_corners(r, b);
}

const triangle_category triangle_categories[] = {
    {"unit", "random in [-1, 1]", unit},
    {"float", "the same, single precision", single_precision},
    {"millimetre", "1 mm triangles within 1 m", millimetre},
    {"offset-1e3", "0.1 m triangles at 1000", offset_1e3},
    {"offset-1e6", "0.1 m triangles at 1e6", offset_1e6},
    {"scale-1e-6", "random in [-1e-6, 1e-6]", scale_small},
    {"scale-1e6", "random in [-1e6, 1e6]", scale_large},
    {"mixed-sizes", "1e-9 to 1 m against 1 m", mixed_sizes},
    {"grid", "integers 0..3, degenerates too", grid},
    {"grid-tenth", "the same times 0.1", grid_tenth},
    {"grid-far", "the same at 1000.3", grid_far},
    {"grid-coplanar", "integers in one exact plane", grid_coplanar},
    {"shared-vertex", "one corner bit-equal", shared_vertex},
    {"shared-edge", "two corners bit-equal", shared_edge},
    {"vertex-on-face", "a corner rounded onto a face", vertex_on_face},
    {"edges-crossing", "edges meet up to rounding", edges_crossing},
    {"coplanar-rotated", "coplanar up to rounding", coplanar_rotated},
    {"near-coplanar", "heights 1e-17 to 1e-8", near_coplanar},
    {"needles", "crossing, width 1e-12 to 1e-3", needles},
    {"slivers", "corners near one line", slivers},
    {"near-equal", "equal up to an ulp or two", near_equal},
    {"boxes-stacked", "faces of touching posed boxes", boxes_stacked},
    {"segment-triangle", "one is a segment", segment_triangle},
    {"point-triangle", "one is a point", point_triangle},
    {"two-segments", "both are segments", two_segments},
    {"point-degenerate", "point against segment or point", point_degenerate},
    {"range-end", "at 2^-140 or 2^140", range_end},
    {"range-mixed", "coordinates 2^-140 to 2^140", range_mixed},
};
const int triangle_category_count = sizeof triangle_categories / sizeof *triangle_categories;
