// Planar arms with links of any shape among circles, rounded rectangles and polygons, against brute
// force in long double.
//
// The oracle places every vertex itself, and takes polygons as they are given, concave ones and
// holes as rings: two borders meet where two edges do, or where a point of one lies in the other by
// counting crossings; else the distance is that of all pairs of edges. It has no convex parts, no
// boxes, no bounds of motion.
//
//   cells   the middle of every cell against that; with proofs, places anywhere in proved cells
//   paths   places along every path, finely sampled

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/planar_arm.h"

typedef long double real;

enum { RING_MAX = 16, LOOP_MAX = 2, SHAPES = 8, LINKS = 4, PARTS = 256, SIDE_MAX = 128 };

/// A polygon with its holes, grown by a radius.
typedef struct figure {
    double xy[LOOP_MAX][2 * RING_MAX];
    size_t sizes[LOOP_MAX], loops;
    double radius;
    int32_t link; ///< of the arm
} figure;

typedef struct point {
    real x, y;
} point;

/// The same where it is.
typedef struct placed_figure {
    point v[LOOP_MAX][RING_MAX];
    const figure *figure;
    real radius; ///< no vertex is farther from the first one
} placed_figure;

typedef struct arm_case {
    int32_t links, figures, obstacles;
    double lengths[LINKS], rest[LINKS];
    int32_t joints[2];
    graze_vec2 base;
    figure arm[SHAPES], walls[SHAPES];
    bool self;
} arm_case;

static uint64_t wrong;

static void fault(const char *what, const arm_case *c, double a, double b, double d) {
    static int shown;
    wrong++;
    if (shown++ < 10)
        fprintf(stderr, "%s: %d links, at %.17g %.17g: %.17g\n", what, (int)c->links, a, b, d);
}

// ---------------------------------------------------------------------------------------- figures

static double range(gz_random *r, double low, double high) {
    return gz_random_range(r, low, high);
}

/// A star about a middle: simple, seldom convex.
static void make_star(gz_random *r, double *xy, size_t *count, double x, double y, double least,
                      double most) {
    *count = 3 + gz_random_below(r, 6);
    double turn = range(r, -3.2, 3.2);
    for (size_t i = 0; i < *count; i++) {
        double angle = turn +
                       6.283185307179586 * ((double)i + range(r, -0.3, 0.3)) / (double)*count;
        double far = range(r, least, most);
        xy[2 * i] = x + far * cos(angle);
        xy[2 * i + 1] = y + far * sin(angle);
    }
}

/// A circle, a capsule, a rounded rectangle, a star, or a star with a hole, about a place.
static void make_figure(gz_random *r, figure *f, double x, double y, double size) {
    *f = (figure){.loops = 1};
    uint32_t kind = gz_random_below(r, 5);
    double angle = range(r, -3.2, 3.2), c = cos(angle), s = sin(angle);
    double w = range(r, 0.2, 1) * size, h = kind == 1 ? 0 : range(r, 0.1, 0.6) * size;
    f->radius = gz_random_below(r, 2) || kind < 2 ? range(r, 0, 0.3) * size : 0;
    if (kind == 0) {
        f->sizes[0] = 1;
        f->xy[0][0] = x;
        f->xy[0][1] = y;
    } else if (kind < 3) {
        f->sizes[0] = kind == 1 ? 2 : 4;
        for (size_t i = 0; i < f->sizes[0]; i++) {
            double a = i == 0 || i == 3 ? -w : w, b = i < 2 ? -h : h;
            f->xy[0][2 * i] = x + c * a - s * b;
            f->xy[0][2 * i + 1] = y + s * a + c * b;
        }
    } else {
        make_star(r, f->xy[0], &f->sizes[0], x, y, 0.5 * size, size);
        if (kind == 4 && f->sizes[0] > 4) {
            f->loops = 2;
            make_star(r, f->xy[1], &f->sizes[1], x, y, 0.05 * size, 0.15 * size);
        }
    }
}

static void make_case(gz_random *r, arm_case *c) {
    *c = (arm_case){.links = 2 + (int32_t)gz_random_below(r, LINKS - 1)};
    c->base = (graze_vec2){range(r, -1, 1), range(r, -1, 1)};
    c->self = gz_random_below(r, 2) != 0;
    c->joints[0] = (int32_t)gz_random_below(r, (uint32_t)c->links);
    c->joints[1] = (c->joints[0] + 1 + (int32_t)gz_random_below(r, (uint32_t)c->links - 1)) %
                   c->links;
    for (int32_t i = 0; i < c->links; i++) {
        c->lengths[i] = gz_random_below(r, 8) ? range(r, 0.2, 1) : 0;
        c->rest[i] = range(r, -3.2, 3.2);
        for (uint32_t k = 1 + gz_random_below(r, 2); k > 0 && c->figures < SHAPES; k--) {
            figure *f = &c->arm[c->figures++];
            make_figure(r, f, range(r, 0, 1) * c->lengths[i], 0, 0.25);
            f->link = i;
        }
    }
    for (uint32_t k = gz_random_below(r, SHAPES); k > 0; k--) {
        double far = range(r, 0.2, 2), way = range(r, -3.2, 3.2);
        make_figure(r, &c->walls[c->obstacles++], c->base.x + far * cos(way),
                    c->base.y + far * sin(way), range(r, 0.1, 0.5));
    }
}

// ------------------------------------------------------------------------------- brute force

static void place_figure(const figure *f, point at, real angle, placed_figure *out) {
    real c = cosl(angle), s = sinl(angle);
    out->figure = f;
    out->radius = 0;
    for (size_t k = 0; k < f->loops; k++)
        for (size_t i = 0; i < f->sizes[k]; i++) {
            real x = f->xy[k][2 * i], y = f->xy[k][2 * i + 1];
            out->v[k][i] = (point){at.x + c * x - s * y, at.y + s * x + c * y};
            real far = hypotl(out->v[k][i].x - out->v[0][0].x, out->v[k][i].y - out->v[0][0].y);
            out->radius = far > out->radius ? far : out->radius;
        }
}

static real cross(point a, point b, point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The square of a distance.
static real point_segment(point p, point a, point b) {
    real x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    real t = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    x = a.x + t * x - p.x;
    y = a.y + t * y - p.y;
    return x * x + y * y;
}

static real lesser(real a, real b) {
    return b < a ? b : a;
}

/// The square of their distance, 0 where they cross.
static real segment_segment(point a, point b, point c, point d) {
    bool parted = cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
    if (parted) return 0;
    return lesser(lesser(point_segment(a, c, d), point_segment(b, c, d)),
                  lesser(point_segment(c, a, b), point_segment(d, a, b)));
}

static bool contains(const placed_figure *f, point p) {
    bool inside = false;
    for (size_t k = 0; k < f->figure->loops; k++) {
        size_t n = f->figure->sizes[k];
        for (size_t i = 0; n > 2 && i < n; i++) {
            point a = f->v[k][i], b = f->v[k][(i + 1) % n];
            if ((a.y > p.y) == (b.y > p.y)) continue;
            if (a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) > p.x) inside = !inside;
        }
    }
    return inside;
}

/// The distance of the polygons, less both radii, or, where it is above 1e-6 m, no less than that;
/// -INFINITY where polygons overlap.
static real gap_of(const placed_figure *a, const placed_figure *b) {
    real least = INFINITY;
    real apart = hypotl(b->v[0][0].x - a->v[0][0].x, b->v[0][0].y - a->v[0][0].y);
    apart -= a->radius + b->radius + a->figure->radius + b->figure->radius;
    if (apart > 1e-6L) return apart; // far from what any test looks at
    if (contains(a, b->v[0][0]) || contains(b, a->v[0][0])) return -INFINITY;
    for (size_t k = 0; k < a->figure->loops; k++)
        for (size_t i = 0, n = a->figure->sizes[k]; i < n; i++)
            for (size_t m = 0; m < b->figure->loops; m++)
                for (size_t j = 0, o = b->figure->sizes[m]; j < o; j++)
                    least = lesser(least, segment_segment(a->v[k][i], a->v[k][(i + 1) % n],
                                                          b->v[m][j], b->v[m][(j + 1) % o]));
    if (least == 0) return -INFINITY;
    return sqrtl(least) - a->figure->radius - b->figure->radius;
}

/// The least gap of the arm, and the first link that has one below 0.
static real arm_gap(const arm_case *c, const placed_figure *walls, const real *q, int32_t *link) {
    placed_figure placed[SHAPES];
    point joint[LINKS + 1] = {{c->base.x, c->base.y}};
    real angle[LINKS], turn = 0, least = INFINITY;
    for (int32_t i = 0; i < c->links; i++) {
        angle[i] = turn += q[i];
        joint[i + 1] = (point){joint[i].x + c->lengths[i] * cosl(turn),
                               joint[i].y + c->lengths[i] * sinl(turn)};
    }
    *link = -1;
    for (int32_t i = 0; i < c->figures; i++) {
        const figure *f = &c->arm[i];
        place_figure(f, joint[f->link], angle[f->link], &placed[i]);
        for (int32_t k = 0; k < c->obstacles + (c->self ? i : 0); k++) {
            bool own = k >= c->obstacles;
            if (own && c->arm[k - c->obstacles].link + 1 >= f->link) continue;
            real gap = gap_of(&placed[i], own ? &placed[k - c->obstacles] : &walls[k]);
            least = fminl(least, gap);
            if (gap < 0 && *link < 0) *link = f->link;
        }
    }
    return least;
}

// ------------------------------------------------------------------------------------- the engine

typedef struct engine_case {
    graze_planar_shape shapes[PARTS], walls[PARTS];
    int32_t shape_links[PARTS];
    graze_planar_arm_scene scene;
} engine_case;

static size_t add_parts(const figure *f, graze_planar_shape *shapes, size_t count) {
    graze_planar_parts parts = {0};
    double xy[LOOP_MAX * 2 * RING_MAX];
    size_t used = 0;
    if (f->sizes[0] < 3)
        return graze_planar_polygon(&shapes[count], f->xy[0], f->sizes[0], f->radius, NULL)
                   ? count
                   : count + 1;
    for (size_t k = 0; k < f->loops; k++) {
        memcpy(xy + used, f->xy[k], 2 * f->sizes[k] * sizeof *xy);
        used += 2 * f->sizes[k];
    }
    if (graze_planar_decompose(&parts, xy, f->sizes, f->loops, f->radius, NULL)) return count;
    for (size_t i = 0; i < parts.count && count < PARTS; i++) shapes[count++] = parts.items[i];
    graze_planar_parts_free(&parts);
    return count;
}

static bool make_engine(const arm_case *c, engine_case *e) {
    size_t count = 0, walls = 0;
    for (int32_t i = 0; i < c->figures; i++) {
        size_t before = count;
        count = add_parts(&c->arm[i], e->shapes, count);
        if (count == before) return false;
        for (; before < count; before++) e->shape_links[before] = c->arm[i].link;
    }
    for (int32_t i = 0; i < c->obstacles; i++) {
        size_t before = walls;
        walls = add_parts(&c->walls[i], e->walls, walls);
        if (walls == before) return false;
    }
    e->scene = (graze_planar_arm_scene){{c->base, c->lengths, c->links},
                                        e->shapes,
                                        e->shape_links,
                                        count,
                                        e->walls,
                                        walls,
                                        c->self,
                                        false,
                                        0};
    return count <= GRAZE_PLANAR_ARM_SHAPE_MAX && walls < PARTS;
}

// ------------------------------------------------------------------------------------------ tests

typedef struct tally {
    uint64_t cases, cells, blocked, open, proved, samples, paths, places;
} tally;

static void put_q(const arm_case *c, real a, real b, real *q) {
    for (int32_t i = 0; i < c->links; i++) q[i] = c->rest[i];
    q[c->joints[0]] = a;
    q[c->joints[1]] = b;
}

/// Kinematics and distances of the engine are off by far less.
static const real tolerance = 1e-12L;

static void test_cell(gz_random *r, const arm_case *c, const placed_figure *walls,
                      const graze_cspace *m, uint32_t cell, tally *t) {
    const uint8_t state = m->cells[cell].state;
    const int32_t id = m->cells[cell].link;
    graze_vec2 at = graze_planar_map_middle(m, cell % m->width, cell / m->width);
    real q[LINKS];
    int32_t link;
    put_q(c, at.x, at.y, q);
    real gap = arm_gap(c, walls, q, &link);
    bool blocked = state == GRAZE_CSPACE_COLLIDING || state == GRAZE_CSPACE_COLLIDING_CERTIFIED;
    t->cells++;
    t->blocked += blocked;
    t->open += state == GRAZE_CSPACE_UNDECIDED;
    if (fabsl(gap) > tolerance && state != GRAZE_CSPACE_UNDECIDED) {
        if (blocked != (gap < 0)) fault("a cell's middle", c, at.x, at.y, (double)gap);
        if (id != (gap < 0 ? link : -1)) fault("a cell's link", c, at.x, at.y, id);
    }
    if (state == GRAZE_CSPACE_UNDECIDED && fabsl(gap) > 1e-9L && isfinite(gap))
        fault("an open cell", c, at.x, at.y, (double)gap);
    if (state != GRAZE_CSPACE_FREE_CERTIFIED && state != GRAZE_CSPACE_COLLIDING_CERTIFIED) return;
    t->proved++;
    double wide = (m->ranges[0][1] - m->ranges[0][0]) / m->width;
    double high = (m->ranges[1][1] - m->ranges[1][0]) / m->height;
    for (int k = 0; k < 2; k++, t->samples++) {
        // Anywhere in the cell, or in a corner.
        double x = gz_random_below(r, 3) ? range(r, -0.5, 0.5) : gz_random_below(r, 2) ? 0.5 : -0.5;
        double y = gz_random_below(r, 3) ? range(r, -0.5, 0.5) : gz_random_below(r, 2) ? 0.5 : -0.5;
        put_q(c, at.x + x * wide, at.y + y * high, q);
        gap = arm_gap(c, walls, q, &link);
        if (blocked ? gap > tolerance : gap < -tolerance)
            fault("a proved cell", c, at.x + x * wide, at.y + y * high, (double)gap);
    }
}

static void test_path(gz_random *r, const arm_case *c, const engine_case *e,
                      const placed_figure *walls, const graze_cspace *m, tally *t) {
    graze_planar_path path;
    const double(*ends)[2] = m->ranges;
    graze_vec2 start = {range(r, ends[0][0], ends[0][1]), range(r, ends[1][0], ends[1][1])};
    graze_vec2 goal = {range(r, ends[0][0], ends[0][1]), range(r, ends[1][0], ends[1][1])};
    if (graze_planar_arm_plan(&e->scene, m, start, goal, &path, NULL)) {
        fault("a plan is refused", c, start.x, start.y, 0);
        return;
    }
    if (path.outcome == GRAZE_PLANAR_PATH_FOUND) {
        t->paths++;
        graze_planar_pose first = path.poses[0], last = path.poses[path.pose_count - 1];
        if (memcmp(&first, &start, sizeof start) != 0 || memcmp(&last, &goal, sizeof goal) != 0)
            fault("a path's ends", c, last.x, last.y, 0);
        for (size_t i = 0; i + 1 < path.pose_count; i++) {
            graze_planar_pose a = path.poses[i], b = path.poses[i + 1];
            for (int k = 0; k <= 100; k++, t->places++) {
                real s = k / (real)100, q[LINKS];
                int32_t link;
                put_q(c, a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), q);
                real gap = arm_gap(c, walls, q, &link);
                if (gap < -tolerance) fault("a path", c, a.x, a.y, (double)gap);
            }
        }
    } else if (path.outcome != GRAZE_PLANAR_PATH_NONE) {
        graze_vec2 end = path.outcome == GRAZE_PLANAR_PATH_START_BLOCKED ? start : goal;
        real q[LINKS];
        int32_t link;
        put_q(c, end.x, end.y, q);
        real gap = arm_gap(c, walls, q, &link);
        if (gap > tolerance) fault("a blocked end", c, end.x, end.y, (double)gap);
    }
    graze_planar_path_free(&path);
}

static void test_case(gz_random *r, tally *t) {
    static graze_cspace_cell cells[SIDE_MAX * SIDE_MAX];
    static engine_case e;
    arm_case c;
    placed_figure walls[SHAPES];
    make_case(r, &c);
    if (!make_engine(&c, &e)) return; // stars that are no simple polygons
    t->cases++;
    for (int32_t i = 0; i < c.obstacles; i++)
        place_figure(&c.walls[i], (point){0, 0}, 0, &walls[i]);
    graze_cspace map = graze_cspace_default();
    map.certified = gz_random_below(r, 3) != 0;
    for (int k = 0; k < 2; k++) map.ranges[k][0] = range(r, -3.2, 0);
    for (int k = 0; k < 2; k++) map.ranges[k][1] = range(r, 0.1, 3.2);
    map.width = 1 + gz_random_below(r, SIDE_MAX);
    map.height = 1 + gz_random_below(r, SIDE_MAX);
    map.q = c.rest;
    memcpy(map.columns, c.joints, sizeof map.columns);
    map.cells = cells;
    if (graze_planar_arm_map(&e.scene, &map, NULL)) {
        fault("a map is refused", &c, 0, 0, 0);
        return;
    }
    for (uint32_t i = 0; i < map.width * map.height; i++) test_cell(r, &c, walls, &map, i, t);
    if (map.certified) test_path(r, &c, &e, walls, &map, t);
}

int main(int argc, char **argv) {
    uint64_t cells = 10000000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--cells") == 0) cells = value;
        if (strcmp(argv[i], "--seed") == 0) seed = value;
    }
    gz_random random = gz_random_make(seed, 0);
    tally t = {0};
    while (t.cells < cells) test_case(&random, &t);
    printf("arms   %llu, %llu cells, %llu blocked, %llu open\n", (unsigned long long)t.cases,
           (unsigned long long)t.cells, (unsigned long long)t.blocked, (unsigned long long)t.open);
    printf("proofs %llu cells, %llu places in them\n", (unsigned long long)t.proved,
           (unsigned long long)t.samples);
    printf("paths  %llu, %llu places along them\n", (unsigned long long)t.paths,
           (unsigned long long)t.places);
    printf("%llu wrong\n", (unsigned long long)wrong);
    // Hardly any cell may be left open, and most are to be proved of those that proofs are for.
    return wrong > 0 || 1000 * t.open > t.cells || 3 * t.proved < t.cells;
}
