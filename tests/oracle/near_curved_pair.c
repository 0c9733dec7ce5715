// The pairs of near_curved.c.

#include "near_curved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "narrow/shape_pair.h"
#include "posed_mesh.h"
#include "sample_mesh.h"

static const char *const kinds[] = {"sphere", "capsule", "cylinder", "box", "triangle"};
static const graze_shape shapes[] = {GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER,
                                     GRAZE_SHAPE_BOX, GRAZE_SHAPE_MESH};
static const struct row {
    const char *name;
    int one, other;
} rows[] = {
    {"sphere, sphere", 0, 0},     {"sphere, capsule", 0, 1},  {"sphere, cylinder", 0, 2},
    {"sphere, box", 0, 3},        {"sphere, triangle", 0, 4}, {"capsule, capsule", 1, 1},
    {"capsule, cylinder", 1, 2},  {"capsule, box", 1, 3},     {"capsule, triangle", 1, 4},
    {"cylinder, cylinder", 2, 2}, {"cylinder, box", 2, 3},    {"cylinder, triangle", 2, 4},
    {"box, box", 3, 3},           {"box, triangle", 3, 4},    {"cylinder, tip over a cap", 2, 4},
};

/// Corners of the triangles of a box whose corner i has x high for i & 1, y for 2, z for 4.
static const uint32_t box_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const uint32_t one_triangle[3] = {0, 1, 2};

const char *near_pair_name(size_t row) {
    return row < sizeof rows / sizeof *rows ? rows[row].name : NULL;
}

near_pair *near_pair_create(size_t row) {
    near_pair *p = allocate(1, sizeof *p);
    p->one.name = kinds[rows[row].one];
    p->one.kind = shapes[rows[row].one];
    p->other.name = kinds[rows[row].other];
    p->other.kind = shapes[rows[row].other];
    p->tip = row + 1 == sizeof rows / sizeof *rows; // the last
    p->rational = rational_distance_create();
    p->cylinders = cylinder_distance_create();
    return p;
}

void near_pair_free(near_pair *pair) {
    gz_shape_clear(&pair->one.shape);
    gz_shape_clear(&pair->other.shape);
    rational_distance_free(pair->rational);
    cylinder_distance_free(pair->cylinders);
    free(pair);
}

// --------------------------------------------------------------------------------------- drawing

/// How sizes are drawn.
typedef enum manner {
    GENERIC,  ///< all of some decimetres
    LATTICE,  ///< multiples of 1/64, quarter turns, lines along coordinates: ends and faces touch
              ///< flat
    EXTREME,  ///< needles and coins
    LARGE,    ///< up to some 100 m, 100 m away
    ENORMOUS, ///< up to kilometres, where epsilon grows with the span
    FLAT,     ///< decimetres, and every other size 0: points, segments, rectangles
    FLAT_LATTICE, ///< such on the lattice
    MANNERS
} manner;

static double draw_length(gz_random *random, manner how) {
    switch (how) {
    case FLAT_LATTICE:
        if (gz_random_below(random, 2)) return 0;
        // fall through
    case LATTICE:
        return (1 + gz_random_below(random, 31)) / 64.0;
    case EXTREME:
        return pow(10, gz_random_range(random, -4, 1));
    case LARGE:
        return pow(10, gz_random_range(random, -2, 2));
    case ENORMOUS:
        return pow(10, gz_random_range(random, 1, 4));
    case FLAT:
        if (gz_random_below(random, 2)) return 0;
        // fall through
    default:
        return gz_random_range(random, 0.01, 0.5);
    }
}

bool near_pair_has_triangles(const near_subject *s) {
    return s->kind == GRAZE_SHAPE_BOX || s->kind == GRAZE_SHAPE_MESH;
}

/// One without a radius is a segment, and left to the oracle of these.
static bool is_cylinder(const near_subject *s) {
    return s->kind == GRAZE_SHAPE_CYLINDER && s->radius > 0;
}

static bool is_on_lattice(manner how) {
    return how == LATTICE || how == FLAT_LATTICE;
}

static int corner_count(const near_subject *s) {
    return s->kind == GRAZE_SHAPE_BOX ? 8 : s->kind == GRAZE_SHAPE_MESH ? 3 : 2;
}

/// Own frame, around its origin.
static void draw_corners(near_subject *s, gz_random *random, manner how) {
    double size[3], length = draw_length(random, how);
    for (int k = 0; k < 3; k++) size[k] = 0.5 * draw_length(random, how);
    memset(s->corner, 0, sizeof s->corner);
    s->radius = 0;
    if (s->kind == GRAZE_SHAPE_BOX) {
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 3; k++) s->corner[i][k] = i >> k & 1 ? size[k] : -size[k];
        return;
    }
    if (s->kind == GRAZE_SHAPE_MESH) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                double x = gz_random_range(random, -1, 1) * (how == EXTREME ? size[k] : length);
                s->corner[i][k] = is_on_lattice(how) ? rint(64 * x) / 64 : x;
            }
        // A right angle at the origin's height, now and then: flat against ends and faces.
        if (is_on_lattice(how))
            for (int i = 0; i < 3; i++) s->corner[i][2] = 0;
        return;
    }
    s->radius = draw_length(random, how);
    // A cylinder without length has lost its axis, and is refused.
    while (s->kind == GRAZE_SHAPE_CYLINDER && s->radius > 0 && length == 0)
        length = draw_length(random, how);
    if (s->kind == GRAZE_SHAPE_SPHERE) return;
    for (int i = 0; i < 2; i++) s->corner[i][2] = i ? 0.5 * length : -0.5 * length;
}

static void make_shape(near_subject *s) {
    gz_shape_clear(&s->shape);
    s->shape = (gz_shape){.kind = s->kind, .radius = s->radius};
    s->full_radius = 0;
    for (int i = 0; i < corner_count(s); i++) {
        const double *p = s->corner[i];
        s->full_radius = fmax(s->full_radius, hypot(hypot(p[0], p[1]), p[2]) + s->radius);
    }
    memcpy(s->shape.a, s->corner[0], sizeof s->shape.a);
    memcpy(s->shape.b, s->corner[1], sizeof s->shape.b);
    bool box = s->kind == GRAZE_SHAPE_BOX;
    graze_error error;
    if (!box && s->kind != GRAZE_SHAPE_MESH) return;
    if (graze_mesh_create(&s->shape.mesh, s->corner[0], box ? 8 : 3,
                          box ? box_triangles : one_triangle, box ? 12 : 1, &error))
        give_up(s->name, error.message);
}

static graze_transform draw_pose(gz_random *random, manner how, const double at[3]) {
    double angles[3], here[3];
    for (int k = 0; k < 3; k++) {
        angles[k] = gz_random_range(random, -3.15, 3.15);
        here[k] = is_on_lattice(how) ? rint(64 * at[k]) / 64 : at[k];
    }
    if (!is_on_lattice(how)) return graze_transform_from_xyz_rpy(here, angles);
    // One of the three ways to turn the coordinates: exact.
    int turn = (int)gz_random_below(random, 3);
    graze_transform out = {{0}};
    for (int k = 0; k < 3; k++) {
        out.m[4 * k + (k + turn) % 3] = 1;
        out.m[4 * k + 3] = here[k];
    }
    return out;
}

void near_pair_draw(near_pair *pair, gz_random *random) {
    static const double round[] = {1e-9, 1e-6, 0x1p-10, 0.01, 0.125, 1};
    manner how = (manner)gz_random_below(random, 2 * MANNERS);
    if (how >= MANNERS) how = GENERIC;
    if (pair->one.kind != GRAZE_SHAPE_BOX || how != ENORMOUS)
        draw_corners(&pair->one, random, how);
    else
        draw_corners(&pair->one, random, how = LARGE);
    draw_corners(&pair->other, random, how);
    make_shape(&pair->one);
    make_shape(&pair->other);
    double at[3], away = how == LARGE ? 100 : how == ENORMOUS ? 1e4 : is_on_lattice(how) ? 0 : 2;
    for (int k = 0; k < 3; k++) at[k] = gz_random_range(random, -1, 1) * away;
    pair->one.pose = draw_pose(random, how, at);
    pair->other.pose = draw_pose(random, how, at);
    pair->margin = gz_random_below(random, 5) < 3    ? 0
                   : gz_random_below(random, 2) == 0 ? round[gz_random_below(random, 6)]
                                                     : pow(10, gz_random_range(random, -9, 0));
    // A line that passes near the middle of the first, not always through it.
    double size = 0, least = fmin(pair->one.full_radius, pair->other.full_radius);
    if (least == 0) least = 0.5 * fmax(pair->one.full_radius, pair->other.full_radius);
    int axis = (int)gz_random_below(random, 3);
    bool straight = is_on_lattice(how) || gz_random_below(random, 4) == 0;
    while (!(size > 0.1)) {
        size = 0;
        for (int k = 0; k < 3; k++) {
            pair->direction[k] = straight ? k == axis : gz_random_range(random, -1, 1);
            size += pair->direction[k] * pair->direction[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        double off = gz_random_range(random, -0.8, 0.8) * least;
        pair->start[k] = pair->one.pose.m[4 * k + 3] +
                         (is_on_lattice(how) ? rint(64 * off) / 64 : off);
    }
    pair->far = 2 * (pair->one.full_radius + pair->other.full_radius + pair->margin + least) /
                sqrt(size);
}

/// A coordinate: of the solid itself, a few ulps from where its plane or mantle is asked, or any.
static double draw_level(gz_random *random, double size, double limit) {
    double sign = gz_random_below(random, 2) ? 1 : -1, ulp = nextafter(limit, INFINITY) - limit;
    switch (gz_random_below(random, 5)) {
    case 0:
        return sign * size;
    case 1:
        return sign * (limit + ulp * ((double)gz_random_below(random, 9) - 4));
    case 2:
        return sign * ldexp(gz_random_unit(random), (int)gz_random_below(random, 12) - 4);
    case 3:
        return 0;
    default:
        return 2 * sign * size * gz_random_unit(random);
    }
}

/// A triangle through the axis: one corner on one side of it, two far off on the other.
static void draw_pierced(double t[3][3], double half, gz_random *random) {
    double x = half * (0.5 + gz_random_unit(random)), y = x * gz_random_range(random, 0.5, 1);
    for (int k = 1; k < 3; k++) {
        double length = half * gz_random_range(random, 5, 200), side = k == 1 ? 0.6 : -0.6;
        double angle = atan2(y, x) + 3.14159 + side * gz_random_range(random, 0.3, 1.5);
        t[k][0] = x + length * cos(angle);
        t[k][1] = y + length * sin(angle);
        t[k][2] = -length * half / x * gz_random_range(random, 0.3, 1);
    }
    t[0][0] = x, t[0][1] = y, t[0][2] = half;
}

void near_pair_draw_tip(near_pair *pair, gz_random *random) {
    near_subject *s = &pair->one, *t = &pair->other;
    double half = ldexp(1 - 1e-3 * gz_random_unit(random), (int)gz_random_below(random, 10) - 8);
    double radius = ldexp(0.5 + gz_random_unit(random), (int)gz_random_below(random, 16) - 12);
    bool pierced = gz_random_below(random, 2);
    if (pierced) radius = 1e-3 * half;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) s->corner[i][k] = k < 2 ? 0 : i ? half : -half;
    s->radius = radius;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t->corner[i][k] = draw_level(random, k < 2 ? radius : half, k < 2 ? radius : half);
    if (pierced) draw_pierced(t->corner, half, random);
    // Where the plane of the cap is asked: beyond it by 2^-47 of the span.
    double most = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = t->corner[i];
        most = fmax(most, fabs(p[0]) + fabs(p[1]) + fabs(p[2] + half));
    }
    double limit = half + 0x1p-47 * (2 * half + radius + most);
    for (int i = 0; i < (pierced ? 1 : 3); i++)
        if (pierced || gz_random_below(random, 2))
            t->corner[i][2] = draw_level(random, half, limit);
    if (pierced && !(t->corner[0][2] >= half))
        t->corner[0][2] = limit + ldexp(limit, (int)gz_random_below(random, 12) - 54);
    make_shape(s);
    make_shape(t);
    s->pose = t->pose = graze_transform_identity();
    for (int k = 0; k < 3; k++) pair->start[k] = pair->direction[k] = 0;
    pair->far = 0;
    pair->margin = gz_random_below(random, 4) ? 0 : 1e-300;
}

// ---------------------------------------------------------------------------------- affine maps

static void snap(near_subject *s) {
    for (int i = 0; i < corner_count(s); i++) {
        const double *p = s->corner[i];
        graze_vec3 w = graze_transform_point(&s->pose, (graze_vec3){p[0], p[1], p[2]});
        s->snapped[i][0] = w.x, s->snapped[i][1] = w.y, s->snapped[i][2] = w.z;
    }
}

static double extent(const near_subject *s, const double origin[3]) {
    double most = 0;
    for (int i = 0; i < corner_count(s); i++) {
        double here = 0;
        for (int k = 0; k < 3; k++) here += fabs(s->snapped[i][k] - origin[k]);
        most = fmax(most, here);
    }
    return most + s->radius;
}

void near_pair_place(near_pair *pair, double x) {
    for (int k = 0; k < 3; k++)
        pair->other.pose.m[4 * k + 3] = pair->start[k] + x * pair->direction[k];
    snap(&pair->one);
    snap(&pair->other);
    const double *origin = pair->one.snapped[0];
    pair->span = extent(&pair->one, origin) + extent(&pair->other, origin);
    pair->cylinder_excess = NAN;
}

bool near_pair_query(const near_pair *pair, bool swapped) {
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = GRAZE_POLICY_SOLID,
                          .policy_b = GRAZE_POLICY_SOLID,
                          .margin = pair->margin};
    const near_subject *a = swapped ? &pair->other : &pair->one,
                       *b = swapped ? &pair->one : &pair->other;
    gz_shape_contact meeting;
    graze_stats stats = {0};
    return gz_shapes_collide(&a->shape, a->pose.m, &b->shape, b->pose.m, &rule, &meeting, &stats);
}

// ------------------------------------------------------------------------------------ the oracle

static int piece_count(const near_subject *s) {
    return s->kind == GRAZE_SHAPE_BOX ? 12 : 1;
}

/// A triangle of a subject; the axis of a curved one as a triangle without area.
static void piece(const near_subject *s, int i, double out[9]) {
    for (int c = 0; c < 3; c++) {
        uint32_t corner = s->kind == GRAZE_SHAPE_BOX ? box_triangles[3 * i + c] : (uint32_t)c;
        if (corner >= (uint32_t)corner_count(s)) corner = 1;
        memcpy(out + 3 * c, s->snapped[corner], sizeof s->snapped[corner]);
    }
}

/// Whether coordinates tell that two pieces are farther apart than the limit, by far more than
/// rounding could do.
static bool surely_farther(const double a[9], const double b[9], double limit) {
    double slack = 1e-9, gap = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 6; i++) {
            double x = i < 3 ? a[3 * i + k] : b[3 * (i - 3) + k];
            low[i / 3] = fmin(low[i / 3], x);
            high[i / 3] = fmax(high[i / 3], x);
            slack = fmax(slack, 1e-9 * fabs(x));
        }
        gap = fmax(gap, fmax(low[0] - high[1], low[1] - high[0]));
    }
    return gap > limit + slack;
}

/// Whether the middle of a subject lies in a box (of any kind of subject; surfaces are apart).
static bool holds_middle(const near_subject *box, const near_subject *s) {
    const double *half = box->corner[7];
    if (box->kind != GRAZE_SHAPE_BOX || half[0] == 0 || half[1] == 0 || half[2] == 0) return false;
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < corner_count(s); i++)
        for (int k = 0; k < 3; k++) middle[k] += s->snapped[i][k] / corner_count(s);
    for (int k = 0; k < 3; k++) {
        double along = 0;
        for (int j = 0; j < 3; j++)
            along += box->pose.m[4 * j + k] * (middle[j] - box->pose.m[4 * j + 3]);
        if (fabs(along) > half[k]) return false;
    }
    return true;
}

/// Whether the axis has no length.
static bool is_point(const near_subject *s) {
    return !near_pair_has_triangles(s) &&
           memcmp(s->snapped[0], s->snapped[1], sizeof s->snapped[0]) == 0;
}

static solid_cylinder as_cylinder(const near_subject *s) {
    solid_cylinder c = {.radius = s->radius};
    memcpy(c.a, s->snapped[0], sizeof c.a);
    memcpy(c.b, s->snapped[1], sizeof c.b);
    return c;
}

/// The distance less the margin, where a cylinder takes part.
static double excess_of(near_pair *p) {
    bool first = is_cylinder(&p->one);
    const near_subject *s = first ? &p->one : &p->other, *t = first ? &p->other : &p->one;
    solid_cylinder c = as_cylinder(s);
    const double terms[2] = {p->margin, t->radius};
    if (is_cylinder(t)) {
        solid_cylinder e = as_cylinder(t);
        return cylinder_pair_excess(p->cylinders, &c, &e, terms, 1);
    }
    const int count = is_point(t) ? 1 : near_pair_has_triangles(t) ? 3 : 2;
    double axis[9], corners[9], least = INFINITY;
    piece(s, 0, axis);
    for (int i = 0; i < piece_count(t); i++) {
        piece(t, i, corners);
        // What is farther than the least so far need not be looked at.
        double limit = least < INFINITY ? least + p->margin + s->radius : INFINITY;
        if (surely_farther(axis, corners, limit)) continue;
        double points[3][3];
        memcpy(points, corners, sizeof points);
        least = fmin(least, cylinder_hull_excess(p->cylinders, &c, (const double(*)[3])points,
                                                 count, terms, 2));
    }
    return least;
}

bool near_pair_within(near_pair *p, double extra) {
    const near_subject *s = &p->one, *t = &p->other;
    if (holds_middle(s, t) || holds_middle(t, s)) return true;
    if (is_cylinder(s) || is_cylinder(t)) {
        if (isnan(p->cylinder_excess)) p->cylinder_excess = excess_of(p);
        return p->cylinder_excess <= extra;
    }
    const double terms[4] = {s->radius, t->radius, p->margin, extra};
    for (int i = 0; i < piece_count(s); i++)
        for (int j = 0; j < piece_count(t); j++) {
            double a[9], b[9];
            piece(s, i, a);
            piece(t, j, b);
            double limit = s->radius + t->radius + p->margin + extra;
            if (surely_farther(a, b, limit)) continue;
            if (rational_distance_within(p->rational, a, b, terms, 4)) return true;
        }
    return false;
}

bool near_pair_has_allowance(const near_pair *p) {
    const near_subject *s = &p->one, *t = &p->other;
    // Two balls have a relative bound, meshes are exact, and the span of a box is not that of the
    // triangle which is nearest.
    if (s->kind == GRAZE_SHAPE_BOX || t->kind == GRAZE_SHAPE_BOX) return false;
    if (is_point(s) && is_point(t)) return false;
    double a[9], b[9];
    piece(s, 0, a);
    piece(t, 0, b);
    return !surely_farther(a, b, (s->radius + t->radius + p->margin) * (1 - 1e-8) - 2e-9);
}
