// Shapes of little or no radius that cross each other's way: every form (inline, single, batch)
// must see it. The judge decides whether they cross in integers: vertices and velocities are
// multiples of UNIT, and what is met within a horizon is a convex hull of integer points.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"

#define UNIT    0x1p-24
#define LARGEST (1 << 26)
#define HORIZON 2
// 256 x 2^-53 times the largest length, 4 m and a way of 16 m at most.
#define TOLERANCE (0x1p-45 * 20)

typedef struct point {
    int64_t x, y;
} point;

/// A circle, capsule or rectangle along the axes by its vertices, and how it moves in a second.
typedef struct body {
    graze_planar_kind kind;
    int count;
    point vertex[4], velocity;
    double radius;
} body;

// The difference of two bodies, as it is now and, from `moved` on, at the horizon.
typedef struct difference {
    point corner[32];
    int count;
} difference;

static point drawn(gz_random *random, int64_t most) {
    point p = {(int64_t)gz_random_below(random, (uint32_t)(2 * most + 1)) - most,
               (int64_t)gz_random_below(random, (uint32_t)(2 * most + 1)) - most};
    return p;
}

static body body_drawn(gz_random *random, graze_planar_kind kind, double radius) {
    body b = {.kind = kind, .velocity = drawn(random, LARGEST), .radius = radius};
    point p = drawn(random, LARGEST / 2), q = drawn(random, LARGEST / 2);
    const point corners[4] = {p, {q.x, p.y}, q, {p.x, q.y}};
    b.count = kind == GRAZE_PLANAR_CIRCLE ? 1 : kind == GRAZE_PLANAR_CAPSULE ? 2 : 4;
    for (int i = 0; i < b.count; i++) b.vertex[i] = b.count == 2 ? corners[2 * i] : corners[i];
    return b;
}

static difference difference_of(const body *a, const body *b, int64_t horizon) {
    difference d = {.count = 0};
    for (int end = 0; end < 2; end++) {
        int64_t time = end * horizon;
        int64_t x = time * (b->velocity.x - a->velocity.x);
        int64_t y = time * (b->velocity.y - a->velocity.y);
        for (int i = 0; i < a->count; i++)
            for (int k = 0; k < b->count; k++)
                d.corner[d.count++] = (point){b->vertex[k].x - a->vertex[i].x + x,
                                              b->vertex[k].y - a->vertex[i].y + y};
    }
    return d;
}

// Coordinates are below 2^29, so cross products are exact.
static int64_t cross(point p, point q) {
    return p.x * q.y - p.y * q.x;
}

typedef enum place { INSIDE, BORDER, OUTSIDE } place;

// Where the origin lies in the hull: outside where from one corner all others lie within less than
// half a turn to the left, not inside where they lie within half a turn.
static place place_of_origin(const difference *d) {
    place found = INSIDE;
    for (int i = 0; i < d->count; i++) {
        point p = d->corner[i];
        place here = p.x != 0 || p.y != 0 ? OUTSIDE : BORDER;
        for (int k = 0; k < d->count && here != INSIDE; k++) {
            point q = d->corner[k];
            int64_t turn = cross(p, q), along = p.x * q.x + p.y * q.y;
            if (turn < 0)
                here = INSIDE;
            else if (turn == 0 && along <= 0)
                here = BORDER;
        }
        found = here > found ? here : found;
    }
    return found;
}

// The distance of the origin from a hull that does not hold it, metres: that of the nearest
// segment between two corners.
static long double distance_of(const difference *d) {
    long double least = INFINITY;
    for (int i = 0; i < d->count; i++)
        for (int k = 0; k < d->count; k++) {
            point p = d->corner[i], e = {d->corner[k].x - p.x, d->corner[k].y - p.y};
            long double along = -(long double)(p.x * e.x + p.y * e.y),
                        length = e.x * e.x + e.y * e.y;
            long double part = length > 0 ? fminl(fmaxl(along / length, 0), 1) : 0;
            least = fminl(least, hypotl(p.x + part * e.x, p.y + part * e.y));
        }
    return least * UNIT;
}

// Minus the depth of the origin in a hull that holds it, metres: by the lines through two corners.
static long double depth_of(const difference *d) {
    long double deepest = -INFINITY;
    for (int i = 0; i < d->count; i++)
        for (int k = 0; k < d->count; k++) {
            point p = d->corner[i], e = {d->corner[k].x - p.x, d->corner[k].y - p.y};
            if (e.x == 0 && e.y == 0) continue;
            int64_t least = INT64_MAX;
            for (int j = 0; j < d->count; j++) {
                int64_t side = cross(e, d->corner[j]);
                least = side < least ? side : least;
            }
            deepest = fmaxl(deepest, least / hypotl(e.x, e.y));
        }
    return deepest * UNIT;
}

static graze_vec2 metres(point p) {
    return (graze_vec2){(double)p.x * UNIT, (double)p.y * UNIT};
}

static graze_planar_shape shape_of(const body *b) {
    graze_planar_shape s;
    double xy[8];
    for (int i = 0; i < b->count; i++) {
        xy[2 * i] = metres(b->vertex[i]).x;
        xy[2 * i + 1] = metres(b->vertex[i]).y;
    }
    assert_int_equal(graze_planar_polygon(&s, xy, (size_t)b->count, b->radius, NULL), GRAZE_OK);
    return s;
}

// ------------------------------------------------------------------------------------ the forms

#define FORMS 3
static const char *const form_names[FORMS] = {"single", "batch", "inline"};

typedef struct answers {
    bool hit[FORMS];
    double distance[FORMS];
    int count; ///< of forms; there is no inline one for rectangles
} answers;

static void arrays_of(const body *bodies[2], double rows[2][7], graze_planar_array arrays[2]) {
    for (int k = 0; k < 2; k++) {
        graze_planar_shape s = shape_of(bodies[k]);
        arrays[k] = (graze_planar_array){bodies[k]->kind, 0, 1, 1, rows[k]};
        assert_int_equal(graze_planar_array_set(rows[k], 1, 0, bodies[k]->kind, 0, &s), GRAZE_OK);
    }
}

static answers approaches(const body *a, const body *b) {
    graze_vec2 va = metres(a->velocity), vb = metres(b->velocity), pa = metres(a->vertex[0]);
    graze_vec2 b0 = metres(b->vertex[0]), b1 = metres(b->vertex[1]);
    graze_planar_shape sa = shape_of(a), sb = shape_of(b);
    graze_planar_approach_result r[FORMS] = {{.time = 0}};
    assert_int_equal(graze_planar_approach(&sa, va, &sb, vb, HORIZON, &r[0]), GRAZE_OK);
    double rows[2][7], vx = vb.x - va.x, vy = vb.y - va.y;
    const body *both[2] = {a, b};
    graze_planar_array arrays[2];
    arrays_of(both, rows, arrays);
    assert_int_equal(graze_planar_approach_batch(&arrays[0], &arrays[1], &vx, &vy, HORIZON,
                                                 &r[1].time, &r[1].distance),
                     GRAZE_OK);
    r[1].hit = r[1].distance <= 0;
    bool has_inline = a->count == 1 && b->count < 4;
    if (has_inline && b->count == 1)
        graze_planar_circles_approach(pa, a->radius, va, b0, b->radius, vb, HORIZON, &r[2]);
    else if (has_inline)
        graze_planar_circle_capsule_approach(pa, a->radius, va, b0, b1, b->radius, vb, HORIZON,
                                             &r[2]);
    answers out = {.count = has_inline ? FORMS : FORMS - 1};
    for (int f = 0; f < out.count; f++) {
        out.hit[f] = r[f].hit;
        out.distance[f] = r[f].distance;
    }
    return out;
}

static answers distances(const body *a, const body *b) {
    graze_vec2 a0 = metres(a->vertex[0]), a1 = metres(a->vertex[1]);
    graze_vec2 b0 = metres(b->vertex[0]), b1 = metres(b->vertex[1]);
    graze_planar_shape sa = shape_of(a), sb = shape_of(b);
    graze_planar_result single, in_line;
    answers out = {.count = a->count <= b->count && b->count < 4 ? FORMS : FORMS - 1};
    assert_int_equal(graze_planar_distance(&sa, &sb, &single), GRAZE_OK);
    double rows[2][7];
    const body *both[2] = {a, b};
    graze_planar_array arrays[2];
    arrays_of(both, rows, arrays);
    assert_int_equal(graze_planar_distance_batch(&arrays[0], &arrays[1], &out.distance[1]),
                     GRAZE_OK);
    if (a->count == 2)
        graze_planar_capsules(a0, a1, a->radius, b0, b1, b->radius, &in_line);
    else if (b->count == 2)
        graze_planar_circle_capsule(a0, a->radius, b0, b1, b->radius, &in_line);
    else
        graze_planar_circles(a0, a->radius, b0, b->radius, &in_line);
    out.distance[0] = single.distance;
    out.distance[2] = in_line.distance;
    return out;
}

// ------------------------------------------------------------------------------------ the tests

// Of each pair of kinds and each radius; the first argument replaces it.
static size_t cases = 4000;

static const double radii[] = {0, 0x1p-100, 0x1p-60, 0x1p-52, 0x1p-10};
#define RADII (sizeof radii / sizeof *radii)

// Bodies of each pair of kinds, radii and number of a case.
static void bodies_drawn(size_t number, body *a, body *b) {
    gz_random random = gz_random_make(23, number);
    double radius = radii[number / 9 % RADII];
    *a = body_drawn(&random, (graze_planar_kind)(number % 3), radius);
    *b = body_drawn(&random, (graze_planar_kind)(number / 3 % 3), number % 2 ? radius : 0);
    if (number % 7 > 1) return;
    // Aimed: two vertices are in one place after a second.
    point p = a->vertex[number % (size_t)a->count], q = b->vertex[number / 3 % (size_t)b->count];
    b->velocity = (point){a->velocity.x + p.x - q.x, a->velocity.y + p.y - q.y};
}

static void no_form_misses_what_crosses_its_way(void **state) {
    (void)state;
    long missed[FORMS] = {0}, torn[FORMS] = {0}, crossings = 0;
    for (size_t number = 0; number < 9 * RADII * cases; number++) {
        body a, b;
        bodies_drawn(number, &a, &b);
        difference d = difference_of(&a, &b, HORIZON);
        place origin = place_of_origin(&d);
        bool crosses = origin == INSIDE;
        long double gap = origin < OUTSIDE ? 0 : distance_of(&d) - (a.radius + b.radius);
        answers found = approaches(&a, &b);
        crossings += crosses;
        for (int f = 0; f < found.count; f++) {
            missed[f] += (crosses || gap < -TOLERANCE) && !found.hit[f];
            if (gap > TOLERANCE) assert_false(found.hit[f]);
            torn[f] += found.hit[f] != (found.distance[f] <= 0);
            if (!crosses && !found.hit[f]) assert_true(fabsl(found.distance[f] - gap) < TOLERANCE);
        }
    }
    for (int f = 0; f < FORMS; f++)
        if (missed[f] || torn[f])
            print_error("%s: misses %ld of %ld; %ld hits apart or misses in contact\n",
                        form_names[f], missed[f], crossings, torn[f]);
    if (cases > 4000) print_message("%ld crossings\n", crossings);
    for (int f = 0; f < FORMS; f++) assert_int_equal(missed[f] + torn[f], 0);
    assert_true(crossings > 9 * (long)(RADII * cases) / 8);
}

static void every_form_has_the_distance_of_what_overlaps(void **state) {
    (void)state;
    long overlaps = 0;
    for (size_t number = 0; number < 9 * RADII * cases / 4; number++) {
        body a, b;
        bodies_drawn(number, &a, &b);
        difference d = difference_of(&a, &b, 0);
        bool overlapping = place_of_origin(&d) == INSIDE;
        long double polygons = overlapping ? depth_of(&d) : distance_of(&d);
        answers found = distances(&a, &b);
        overlaps += overlapping;
        for (int f = 0; f < found.count; f++)
            assert_true(fabsl(found.distance[f] - (polygons - (a.radius + b.radius))) < TOLERANCE);
    }
    assert_true(overlaps > 9 * (long)(RADII * cases) / 40);
}

int main(int argc, char **argv) {
    if (argc > 1) cases = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_form_misses_what_crosses_its_way),
        cmocka_unit_test(every_form_has_the_distance_of_what_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
