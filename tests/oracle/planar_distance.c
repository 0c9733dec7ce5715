// Compares graze_planar_distance() and graze_planar_distance_batch() with the Minkowski difference
// of the polygons, built anew for every pair in long double: all differences of vertices, their
// hull, and the signed distance of the origin from its border. Checks what comes with a distance,
// too: witness points on the borders, the normal, the features.

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "graze/planar_distance.h"

#define VERTICES  GRAZE_PLANAR_VERTEX_MAX
#define BATCH     64
#define SHOWN_MAX 10

// Half of what the headers claim, 256 * 2^-53.
#define BOUND 0x1p-46

typedef long double real;
typedef struct point {
    real x, y;
} point;

// ------------------------------------------------------------------------------------ the oracle

static int compare_points(const void *a, const void *b) {
    const point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static real turn(point a, point b, point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's chain; what it drops or keeps wrongly by rounding to 64 bits is 2^-60 of the size off a
// line.
static int hull_of(point *points, int n, point *hull) {
    qsort(points, (size_t)n, sizeof *points, compare_points);
    int k = 0;
    for (int i = 0; i < n; i++) {
        while (k >= 2 && turn(hull[k - 2], hull[k - 1], points[i]) <= 0) k--;
        hull[k++] = points[i];
    }
    int lower = k + 1;
    for (int i = n - 2; i >= 0; i--) {
        while (k >= lower && turn(hull[k - 2], hull[k - 1], points[i]) <= 0) k--;
        hull[k++] = points[i];
    }
    return k > 1 ? k - 1 : k;
}

static real segment_distance(point p, point a, point b) {
    real ex = b.x - a.x, ey = b.y - a.y, wx = p.x - a.x, wy = p.y - a.y;
    real square = ex * ex + ey * ey, t = square > 0 ? (wx * ex + wy * ey) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    wx -= t * ex;
    wy -= t * ey;
    return sqrtl(wx * wx + wy * wy);
}

// Signed distance of p from a convex polygon, counter-clockwise; a segment or a point has no
// inside.
static real polygon_distance(point p, const point *hull, int n) {
    bool inside = n >= 3;
    real least = HUGE_VALL;
    for (int i = 0; i < n; i++) {
        point a = hull[i], b = hull[(i + 1) % n];
        inside = inside && turn(a, b, p) > 0;
        real d = segment_distance(p, a, b);
        least = d < least ? d : least;
    }
    return inside ? -least : least;
}

static real oracle_distance(const graze_planar_shape *a, const graze_planar_shape *b) {
    point points[VERTICES * VERTICES], hull[2 * VERTICES * VERTICES + 2];
    int n = 0;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            points[n++] = (point){(real)b->vertices[j].x - a->vertices[i].x,
                                  (real)b->vertices[j].y - a->vertices[i].y};
        }
    }
    int corners = hull_of(points, n, hull);
    return polygon_distance((point){0, 0}, hull, corners) - ((real)a->radius + b->radius);
}

// ------------------------------------------------------------------------------------ the cases

typedef struct generator {
    gz_random random;
    double scale;
} generator;

static double range(generator *g, double low, double high) {
    return gz_random_range(&g->random, low, high);
}

static int below(generator *g, uint32_t n) {
    return (int)gz_random_below(&g->random, n);
}

static void must(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "the oracle made a bad shape: %s\n", error->message);
    exit(1);
}

// Corners on an ellipse or anywhere, near (x, y), about `size` wide.
static void random_polygon(generator *g, graze_planar_shape *out, double x, double y, double size,
                           int n, double radius) {
    double xy[2 * VERTICES];
    double wide = range(g, 0.2, 1), tilt = range(g, 0, 6.3);
    for (int i = 0; i < n; i++) {
        double t = (i + range(g, 0, 0.9)) * 6.283185307179586 / n;
        double u = size * cos(t), v = size * wide * sin(t);
        xy[2 * i] = x + u * cos(tilt) - v * sin(tilt);
        xy[2 * i + 1] = y + u * sin(tilt) + v * cos(tilt);
    }
    graze_error error;
    must(graze_planar_hull(out, xy, (size_t)n, radius, &error), &error);
}

// The kinds of the batch: 0 circle, 1 capsule, 2 rectangle, 3 polygon.
static void random_shape(generator *g, int kind, graze_planar_shape *out, double x, double y,
                         double size) {
    graze_error error;
    double s = g->scale, radius = below(g, 3) ? range(g, 0, 0.5) * size * s : 0;
    x *= s;
    y *= s;
    size *= s;
    graze_vec2 at = {x, y};
    if (kind == 0) must(graze_planar_circle(out, at, radius, &error), &error);
    if (kind == 1) {
        graze_vec2 to = {x + range(g, -size, size), y + range(g, -size, size)};
        must(graze_planar_capsule(out, at, to, radius, &error), &error);
    }
    if (kind == 2) {
        graze_transform2 pose = graze_transform2_make(x, y, range(g, -4, 4));
        graze_vec2 half = {range(g, 0, size), range(g, 0, size)};
        must(graze_planar_rectangle(out, &pose, half, radius, &error), &error);
    }
    if (kind == 3) random_polygon(g, out, x, y, size, 3 + below(g, VERTICES - 2), radius);
}

static void move(graze_planar_shape *shape, double x, double y) {
    graze_transform2 t = {1, 0, x, y};
    graze_error error;
    must(graze_planar_transform(shape, shape, &t, &error), &error);
}

static void make_random(generator *g, int ka, int kb, graze_planar_shape *a,
                        graze_planar_shape *b) {
    random_shape(g, ka, a, 0, 0, 1);
    random_shape(g, kb, b, range(g, -3, 3), range(g, -3, 3), 1);
}

// Moved along the normal until they touch, up to rounding.
static void make_touching(generator *g, int ka, int kb, graze_planar_shape *a,
                          graze_planar_shape *b) {
    make_random(g, ka, kb, a, b);
    for (int i = 0; i < 2; i++) {
        graze_planar_result r;
        if (graze_planar_distance(a, b, &r) != GRAZE_OK) return;
        move(b, -r.distance * r.normal.x, -r.distance * r.normal.y);
    }
}

// Corners on a coarse grid: exact contact, parallel and shared edges, vertex on vertex.
static void make_grid(generator *g, int ka, int kb, graze_planar_shape *a, graze_planar_shape *b) {
    graze_planar_shape *shapes[2] = {a, b};
    const int kinds[2] = {ka, kb};
    graze_error error;
    for (int k = 0; k < 2; k++) {
        double xy[2 * VERTICES], radius = 0.5 * below(g, 3) * g->scale;
        int n = kinds[k] + 1 < 3 ? kinds[k] + 1 : kinds[k] == 2 ? 4 : 3 + below(g, 6);
        for (int i = 0; i < 2 * n; i++)
            xy[i] = (below(g, 7) + (k && below(g, 2) ? 4 : 0)) * g->scale;
        if (kinds[k] == 2) {
            double x = xy[0], y = xy[1], w = (1 + below(g, 3)) * g->scale,
                   h = below(g, 4) * g->scale;
            double box[8] = {x, y, x + w, y, x + w, y + h, x, y + h};
            memcpy(xy, box, sizeof box);
        }
        must(graze_planar_hull(shapes[k], xy, (size_t)n, radius, &error), &error);
    }
}

// Parallel edges, by the same angle: b is a's turned copy, moved along or across an edge.
static void make_parallel(generator *g, int ka, int kb, graze_planar_shape *a,
                          graze_planar_shape *b) {
    (void)kb;
    random_shape(g, ka, a, range(g, -1, 1), range(g, -1, 1), 1);
    graze_error error;
    int i = below(g, (uint32_t)a->count), j = (i + 1) % a->count;
    double ex = a->vertices[j].x - a->vertices[i].x, ey = a->vertices[j].y - a->vertices[i].y;
    double along = range(g, -2, 2), across = below(g, 3) ? range(g, 0, 2) : 0;
    graze_transform2 half_turn = {below(g, 2) ? -1 : 1, 0, 0, 0};
    must(graze_planar_transform(b, a, &half_turn, &error), &error);
    double x = a->vertices[i].x - b->vertices[i].x, y = a->vertices[i].y - b->vertices[i].y;
    move(b, x + along * ex + across * ey, y + along * ey - across * ex);
}

static void make_contained(generator *g, int ka, int kb, graze_planar_shape *a,
                           graze_planar_shape *b) {
    random_shape(g, ka, a, 0, 0, 1);
    double x = 0, y = 0, size = range(g, 0.001, 0.3);
    for (int i = 0; i < a->count; i++) {
        x += a->vertices[i].x / a->count / g->scale;
        y += a->vertices[i].y / a->count / g->scale;
    }
    random_shape(g, kb, b, x + range(g, -size, size), y + range(g, -size, size), size);
}

// The same shape twice, or with single points equal.
static void make_coincident(generator *g, int ka, int kb, graze_planar_shape *a,
                            graze_planar_shape *b) {
    make_random(g, ka, kb, a, b);
    if (ka == kb && below(g, 2)) {
        double radius = b->radius;
        *b = *a;
        b->radius = radius;
        return;
    }
    int i = below(g, (uint32_t)a->count), j = below(g, (uint32_t)b->count);
    for (int k = 0; k < 2; k++)
        move(b, a->vertices[i].x - b->vertices[j].x, a->vertices[i].y - b->vertices[j].y);
}

// Nearly flat: points on a line up to rounding, edges a few roundings long, segments of one line.
static void make_degenerate(generator *g, int ka, int kb, graze_planar_shape *a,
                            graze_planar_shape *b) {
    graze_planar_shape *shapes[2] = {a, b};
    const int kinds[2] = {ka, kb};
    graze_error error;
    double dx = range(g, -1, 1), dy = range(g, -1, 1);
    double thin = below(g, 2) ? 0 : pow(10, range(g, -18, -6));
    for (int k = 0; k < 2; k++) {
        double xy[2 * VERTICES], start = range(g, -2, 2);
        int n = kinds[k] < 2 ? kinds[k] + 1 : kinds[k] == 2 ? 4 : 3 + below(g, VERTICES - 2);
        for (int i = 0; i < n; i++) {
            double t = start + (below(g, 4) ? range(g, 0, 1) : 0);
            double off = thin * range(g, -1, 1);
            xy[2 * i] = (t * dx - off * dy + (below(g, 2) ? off : 0)) * g->scale;
            xy[2 * i + 1] = (t * dy + off * dx) * g->scale;
        }
        if (kinds[k] == 2) { // a thin rectangle
            graze_transform2 pose = {0, 0, xy[0], xy[1]};
            double length = sqrt(dx * dx + dy * dy);
            pose.c = dx / length;
            pose.s = dy / length;
            graze_vec2 half = {range(g, 0, 1) * g->scale, thin * g->scale};
            must(graze_planar_rectangle(shapes[k], &pose, half, 0, &error), &error);
            continue;
        }
        must(graze_planar_hull(shapes[k], xy, (size_t)n, below(g, 2) ? thin * g->scale : 0, &error),
             &error);
    }
}

// A long edge broken into many nearly parallel ones, against the same.
static void make_near_parallel(generator *g, int ka, int kb, graze_planar_shape *a,
                               graze_planar_shape *b) {
    if (ka < 3 || kb < 3) {
        make_parallel(g, ka, kb, a, b);
        double turn_by = pow(10, range(g, -17, -5));
        graze_transform2 t = graze_transform2_make(0, 0, turn_by);
        graze_error error;
        must(graze_planar_transform(b, b, &t, &error), &error);
        return;
    }
    graze_planar_shape *shapes[2] = {a, b};
    double tilt = range(g, 0, 6.3), c = cos(tilt), s = sin(tilt);
    for (int k = 0; k < 2; k++) {
        double xy[2 * VERTICES], bend = pow(10, range(g, -17, -3)), shift = range(g, -2, 2);
        int n = 4 + below(g, VERTICES - 3);
        for (int i = 0; i < n; i++) {
            // A flat parabola below, closed by a far point above; the other shape mirrored.
            double x = range(g, -1, 1), y = bend * x * x;
            if (i == 0) y = range(g, 0.5, 1);
            if (k) y = -y - range(g, 0, 1) * (i == 1 ? 1e-3 : 0) - 0.01;
            x += k ? shift : 0;
            xy[2 * i] = (x * c - y * s) * g->scale;
            xy[2 * i + 1] = (x * s + y * c) * g->scale;
        }
        graze_error error;
        must(graze_planar_hull(shapes[k], xy, (size_t)n, 0, &error), &error);
    }
}

// A pair of another category, far from the origin.
static void make_far(generator *g, int ka, int kb, graze_planar_shape *a, graze_planar_shape *b) {
    make_random(g, ka, kb, a, b);
    double far = pow(10, range(g, 1, 14)) * g->scale, x = far * range(g, -1, 1);
    move(a, x, far);
    move(b, x, far);
}

// Points between two others and on their line, but for rounding.
static void sliver(generator *g, graze_planar_shape *out, double x, double y) {
    double xy[2 * VERTICES], dx = range(g, -2, 2), dy = range(g, -2, 2);
    int n = 3 + below(g, VERTICES - 2);
    for (int i = 0; i < n; i++) {
        double t = i < 2 ? i : range(g, 0, 1);
        xy[2 * i] = (x + t * dx) * g->scale;
        xy[2 * i + 1] = (y + t * dy) * g->scale;
    }
    graze_error error;
    double radius = below(g, 3) ? 0 : range(g, 0, 0.5) * g->scale;
    must(graze_planar_hull(out, xy, (size_t)n, radius, &error), &error);
}

// A polygon a few roundings thin, whose two long sides are as near as each other to whatever is
// beside it, against another, or against a shape of the other kind.
static void make_slivers(generator *g, int ka, int kb, graze_planar_shape *a,
                         graze_planar_shape *b) {
    make_random(g, ka, kb, a, b);
    if (ka == 3) sliver(g, a, range(g, -2, 2), range(g, -2, 2));
    if (kb == 3 && (ka != 3 || below(g, 3) == 0)) sliver(g, b, range(g, -2, 2), range(g, -2, 2));
}

static void make_scaled(generator *g, int ka, int kb, graze_planar_shape *a, graze_planar_shape *b);

typedef struct category {
    const char *name;
    void (*make)(generator *, int, int, graze_planar_shape *, graze_planar_shape *);
} category;

static const category categories[] = {{"random", make_random},
                                      {"touching", make_touching},
                                      {"grid", make_grid},
                                      {"parallel", make_parallel},
                                      {"contained", make_contained},
                                      {"coincident", make_coincident},
                                      {"degenerate", make_degenerate},
                                      {"near-parallel", make_near_parallel},
                                      {"far", make_far},
                                      {"scaled", make_scaled},
                                      {"slivers", make_slivers}};
#define CATEGORIES (int)(sizeof categories / sizeof *categories)

// A pair of another category, from 2^-85 to 2^85 in size.
static void make_scaled(generator *g, int ka, int kb, graze_planar_shape *a,
                        graze_planar_shape *b) {
    g->scale = ldexp(1, below(g, 171) - 85);
    categories[below(g, 8)].make(g, ka, kb, a, b);
    g->scale = 1;
}

// ------------------------------------------------------------------------------------ the checks

typedef struct tally {
    uint64_t pairs, overlapping, touching, violations;
    double worst_distance, worst_witness, worst_batch; ///< in units of 2^-53 of the largest number
} tally;

static double largest(const graze_planar_shape *s) {
    double most = s->radius;
    for (int i = 0; i < s->count; i++)
        most = fmax(most, fmax(fabs(s->vertices[i].x), fabs(s->vertices[i].y)));
    return most;
}

static void show(const char *name, const char *what, const graze_planar_shape *a,
                 const graze_planar_shape *b, double found, double expected) {
    static int shown;
    if (shown++ >= SHOWN_MAX) return;
    fprintf(stderr, "%s: %s: found %.17g, expected %.17g\n", name, what, found, expected);
    const graze_planar_shape *shapes[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        fprintf(stderr, " %c radius %a", k ? 'b' : 'a', shapes[k]->radius);
        for (int i = 0; i < shapes[k]->count; i++)
            fprintf(stderr, " (%a, %a)", shapes[k]->vertices[i].x, shapes[k]->vertices[i].y);
        fprintf(stderr, "\n");
    }
}

// How far the witness is from the border, and from its feature moved by the radius.
static double witness_error(const graze_planar_shape *s, graze_vec2 at, graze_vec2 outward,
                            graze_planar_feature feature) {
    point hull[VERTICES],
        center = {at.x - (real)s->radius * outward.x, at.y - (real)s->radius * outward.y};
    if (feature.index < 0 || feature.index >= s->count) return HUGE_VAL;
    for (int i = 0; i < s->count; i++) hull[i] = (point){s->vertices[i].x, s->vertices[i].y};
    point from = hull[feature.index], to = hull[(feature.index + 1) % s->count];
    real off = segment_distance(center, from, feature.edge ? to : from);
    real border = polygon_distance((point){at.x, at.y}, hull, s->count) - s->radius;
    return (double)fmaxl(off, fabsl(border));
}

static double check_witnesses(const graze_planar_shape *a, const graze_planar_shape *b,
                              const graze_planar_result *r) {
    graze_vec2 back = {-r->normal.x, -r->normal.y};
    double off = fmax(witness_error(a, r->point_a, r->normal, r->feature_a),
                      witness_error(b, r->point_b, back, r->feature_b));
    off = fmax(off, fabs(r->point_b.x - r->point_a.x - r->distance * r->normal.x));
    off = fmax(off, fabs(r->point_b.y - r->point_a.y - r->distance * r->normal.y));
    if (r->feature_a.edge && r->feature_b.edge) return HUGE_VAL;
    // A normal off unit by more than rounding is no normal.
    double length = hypot(r->normal.x, r->normal.y);
    return fabs(length - 1) <= 0x1p-50 ? off : HUGE_VAL;
}

static void check_single(const char *name, const graze_planar_shape *a, const graze_planar_shape *b,
                         double *truth, tally *t) {
    graze_planar_result r = {0}, back = {0};
    *truth = (double)oracle_distance(a, b);
    double unit = fmax(largest(a), largest(b)) * 0x1p-53;
    if (graze_planar_distance(a, b, &r) != GRAZE_OK ||
        graze_planar_distance(b, a, &back) != GRAZE_OK) {
        t->violations++;
        show(name, "refused", a, b, 0, *truth);
        return;
    }
    double off = fmax(fabs(r.distance - *truth), fabs(back.distance - *truth));
    double witness = fmax(check_witnesses(a, b, &r), check_witnesses(b, a, &back));
    t->pairs++;
    t->overlapping += *truth < -BOUND * unit * 0x1p53;
    t->touching += fabs(*truth) <= BOUND * unit * 0x1p53;
    if (off > 0) t->worst_distance = fmax(t->worst_distance, off / unit);
    if (witness > 0) t->worst_witness = fmax(t->worst_witness, witness / unit);
    if (!(off <= BOUND * unit * 0x1p53)) {
        t->violations++;
        show(name, "distance", a, b, r.distance, *truth);
    } else if (!(witness <= BOUND * unit * 0x1p53)) {
        t->violations++;
        show(name, "witness", a, b, witness / unit, 0);
    }
}

static const graze_planar_kind kinds[4] = {GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE,
                                           GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_POLYGON};

// One batch of pairs of two kinds. Shapes that a kind cannot hold are left out of the batch alone.
static void check_block(const category *c, generator *g, int ka, int kb, uint64_t count, tally *t) {
    static double rows[2][GRAZE_PLANAR_ROW_MAX * BATCH];
    double truth[BATCH], units[BATCH], found[BATCH + 1];
    graze_planar_shape shapes[2][BATCH];
    size_t n = 0;
    int32_t vertices = VERTICES;
    for (uint64_t i = 0; i < count; i++) {
        graze_planar_shape *a = &shapes[0][n], *b = &shapes[1][n];
        c->make(g, ka, kb, a, b);
        check_single(c->name, a, b, &truth[n], t);
        units[n] = fmax(largest(a), largest(b)) * 0x1p-53;
        bool fits = graze_planar_array_set(rows[0], BATCH, n, kinds[ka], vertices, a) == GRAZE_OK &&
                    graze_planar_array_set(rows[1], BATCH, n, kinds[kb], vertices, b) == GRAZE_OK;
        n += fits;
    }
    graze_planar_array arrays[2] = {{kinds[ka], vertices, n, BATCH, rows[0]},
                                    {kinds[kb], vertices, n, BATCH, rows[1]}};
    found[n] = -42;
    if (graze_planar_distance_batch(&arrays[0], &arrays[1], found) != GRAZE_OK || found[n] != -42) {
        t->violations++;
        show(c->name, "batch refused or wrote too much", &shapes[0][0], &shapes[1][0], 0, 0);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double off = fabs(found[i] - truth[i]);
        if (off > 0) t->worst_batch = fmax(t->worst_batch, off / units[i]);
        if (off <= BOUND * units[i] * 0x1p53) continue;
        t->violations++;
        show(c->name, "batch", &shapes[0][i], &shapes[1][i], found[i], truth[i]);
    }
}

static void run(const category *c, int index, uint64_t pairs, uint64_t seed, tally *t) {
    generator g = {gz_random_make(seed, (uint64_t)index), 1};
    for (uint64_t done = 0; done < pairs;) {
        int pick = below(&g, 16);
        uint64_t chunk = pairs - done < BATCH ? pairs - done : 1 + (uint64_t)below(&g, BATCH);
        check_block(c, &g, pick / 4, pick % 4, chunk, t);
        done += chunk;
    }
}

static void print_row(const char *name, const tally *t) {
    printf("%-14s %10llu %11llu %9llu %9.1f %9.1f %9.1f %10llu\n", name,
           (unsigned long long)t->pairs, (unsigned long long)t->overlapping,
           (unsigned long long)t->touching, t->worst_distance, t->worst_witness, t->worst_batch,
           (unsigned long long)t->violations);
    fflush(stdout);
}

int main(int argc, char **argv) {
    uint64_t pairs = 200000, seed = 1;
    for (int i = 1; i < argc; i++) {
        char *end = "";
        uint64_t *number = strcmp(argv[i], "--pairs") == 0  ? &pairs
                           : strcmp(argv[i], "--seed") == 0 ? &seed
                                                            : NULL;
        if (number != NULL && i + 1 < argc) *number = strtoull(argv[++i], &end, 10);
        if (number == NULL || *end != '\0') {
            fprintf(stderr, "usage: planar_distance [--pairs N] [--seed N]\n");
            return 2;
        }
    }
    printf("errors in 2^-53 of the largest coordinate or radius of the pair; allowed: %g\n",
           BOUND * 0x1p53);
    printf("%-14s %10s %11s %9s %9s %9s %9s %10s\n", "category", "pairs", "overlapping", "touching",
           "distance", "witness", "batch", "violations");
    tally sum = {0};
    for (int c = 0; c < CATEGORIES; c++) {
        tally t = {0};
        run(&categories[c], c, (pairs + CATEGORIES - 1) / CATEGORIES, seed, &t);
        print_row(categories[c].name, &t);
        sum.pairs += t.pairs;
        sum.overlapping += t.overlapping;
        sum.touching += t.touching;
        sum.violations += t.violations;
        sum.worst_distance = fmax(sum.worst_distance, t.worst_distance);
        sum.worst_witness = fmax(sum.worst_witness, t.worst_witness);
        sum.worst_batch = fmax(sum.worst_batch, t.worst_batch);
    }
    print_row("all", &sum);
    return sum.violations != 0;
}
