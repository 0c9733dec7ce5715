// Configuration space in the plane against independent answers.
//
// Arms: the map of a two-link arm without width against the closed form of a disk's obstacle in
// long double, cell by cell. Arms among polygons are in planar_arms.c. Bodies: places against exact
// arithmetic; the vertices of Minkowski differences against the hull of all differences. Driving:
// every pose along a path, sampled finely, against separating axes in long double.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/planar_arm.h"
#include "planar/convex/convex_internal.h"
#include "polygon_oracle.h"

typedef long double real;
#define PI_L 3.14159265358979323846264338327950288L

static uint64_t wrong;

static void fault(const char *what, double a, double b, double c) {
    static int shown;
    wrong++;
    if (shown++ < 10) fprintf(stderr, "%s: %.17g %.17g %.17g\n", what, a, b, c);
}

static double range(gz_random *r, double low, double high) {
    return gz_random_range(r, low, high);
}

// ---------------------------------------------------------------------------------------- arms

#define CELLS 96

typedef struct arm_case {
    double lengths[2];
    graze_planar_arm arm;
    graze_vec2 center;
    double radius;
} arm_case;

/// Arms and disks of all proportions, with those that only just reach.
static void make_arm(gz_random *r, arm_case *c) {
    c->lengths[0] = range(r, 0.2, 1.5);
    c->lengths[1] = range(r, 0.2, 1.5);
    c->arm = (graze_planar_arm){{range(r, -1, 1), range(r, -1, 1)}, c->lengths, 2};
    double away = range(r, 0, 3), way = range(r, -3.2, 3.2);
    c->radius = range(r, 0, 1);
    switch (gz_random_below(r, 5)) {
    case 0: // touched by the outstretched arm only, or by a hair not
        away = c->lengths[0] + c->lengths[1] + c->radius +
               ldexp(range(r, -1, 1), -(int)gz_random_below(r, 50));
        break;
    case 1: // around the base, or just not
        away = c->radius + ldexp(range(r, -1, 1), -(int)gz_random_below(r, 36));
        break;
    case 2: // at the elbow's circle
        away = c->lengths[0];
        break;
    case 3:
        c->radius = ldexp(range(r, 0, 1), -(int)gz_random_below(r, 30));
        break;
    default:
        break;
    }
    c->center = (graze_vec2){c->arm.base.x + away * cos(way), c->arm.base.y + away * sin(way)};
}

/// In closed form: half the range of angles, against the direction of the centre, at which a
/// segment of that length about a pivot meets a disk of radius r at distance rho; -1 for none. pi
/// where the pivot is in the disk, asin(r / rho) where the segment reaches the tangent's point, the
/// angle of the triangle of rho, length and r down to length = rho - r. Falls with rho.
static real half_range(real rho, real length, real r) {
    if (rho <= r) return PI_L;
    real tangent = (rho - r) * (rho + r);
    if (length * length >= tangent) return asinl(r / rho);
    if (length < rho - r) return -1;
    real across = (r - (rho - length)) * (r + (rho - length));
    real along = (rho + length - r) * (rho + length + r);
    return 2 * atan2l(sqrtl(fmaxl(across, 0)), sqrtl(along));
}

/// What the closed form says of a link that turns about p at this angle: 1 blocked, 0 free, -1 too
/// close to tell. Kinematics in double are off by less than 1e-14 m here.
static int test_link(const arm_case *c, real px, real py, double length, real angle) {
    static const real off = 1e-13L;
    real x = c->center.x - px, y = c->center.y - py, rho = hypotl(x, y);
    real away = fabsl(remainderl(angle - atan2l(y, x), 2 * PI_L));
    real turn = rho > off ? off / rho * 2 : PI_L;
    real most = half_range(rho - off, length + off, c->radius + off);
    real least = half_range(rho + off, length - off, c->radius - off);
    if (least >= PI_L || away < least - turn) return 1;
    return most < 0 || away > most + turn ? 0 : -1;
}

typedef struct arm_tally {
    uint64_t cells, blocked, open_map, open_form;
} arm_tally;

static void test_arm(gz_random *r, arm_tally *t) {
    static graze_cspace_cell cells[CELLS * CELLS];
    static const int32_t shape_links[2] = {0, 1};
    arm_case c;
    make_arm(r, &c);
    graze_planar_shape links[2], disk;
    graze_cspace map = graze_cspace_default();
    map.width = map.height = CELLS;
    map.ranges[0][0] = map.ranges[1][0] = -3.2;
    map.ranges[0][1] = map.ranges[1][1] = 3.2;
    map.cells = cells;
    for (int i = 0; i < 2; i++)
        graze_planar_capsule(&links[i], (graze_vec2){0, 0}, (graze_vec2){c.lengths[i], 0}, 0, NULL);
    graze_planar_circle(&disk, c.center, c.radius, NULL);
    graze_planar_arm_scene scene = {c.arm, links, shape_links, 2, &disk, 1, false, false, 0};
    if (graze_planar_arm_map(&scene, &map, NULL)) {
        fault("the map is refused", 0, 0, 0);
        return;
    }
    for (uint32_t column = 0; column < CELLS; column++) {
        real q0 = graze_planar_map_middle(&map, column, 0).x;
        real px = c.arm.base.x + c.lengths[0] * cosl(q0);
        real py = c.arm.base.y + c.lengths[0] * sinl(q0);
        int first = test_link(&c, c.arm.base.x, c.arm.base.y, c.lengths[0], q0);
        for (uint32_t row = 0; row < CELLS; row++) {
            double q1 = graze_planar_map_middle(&map, column, row).y;
            int second = test_link(&c, px, py, c.lengths[1], q0 + q1);
            int form = first == 1 || second == 1 ? 1 : first == 0 && second == 0 ? 0 : -1;
            uint8_t cell = cells[row * CELLS + column].state;
            t->cells++;
            t->blocked += cell == GRAZE_CSPACE_COLLIDING;
            t->open_map += cell == GRAZE_CSPACE_UNDECIDED;
            t->open_form += form < 0;
            if (form >= 0 && cell != GRAZE_CSPACE_UNDECIDED &&
                cell != (form ? GRAZE_CSPACE_COLLIDING : GRAZE_CSPACE_FREE))
                fault("map and closed form differ", (double)q0, q1, cell);
        }
    }
}

// -------------------------------------------------------------------------------------- bodies

typedef struct place_tally {
    uint64_t places, blocked, sums;
} place_tally;

/// The corners of the points, which are snapped and sorted.
static size_t hull(graze_vec2 *corners, graze_vec2 *points, size_t count) {
    for (size_t i = 0; i < count; i++) points[i] = gz_planar_snap(points[i]);
    gz_planar_sort(points, count);
    return gz_planar_hull_of_sorted(corners, points, count);
}

/// A hull of points of a grid, or of anywhere.
static void make_polygon(gz_random *r, polygon_oracle_polygon *p, bool grid) {
    p->count = 1 + (int32_t)gz_random_below(r, 8);
    for (int32_t i = 0; i < p->count; i++) {
        p->v[i] = grid ? (graze_vec2){(double)gz_random_below(r, 8) - 3,
                                      (double)gz_random_below(r, 8) - 3}
                       : (graze_vec2){range(r, -1, 1), range(r, -1, 1)};
    }
    graze_vec2 corners[POLYGON_ORACLE_MAX + 1];
    p->count = (int32_t)hull(corners, p->v, (size_t)p->count);
    memcpy(p->v, corners, (size_t)p->count * sizeof *corners);
}

/// The vertices against the hull of all differences, where these are doubles.
static void test_sum(const gz_convex *a, const gz_convex *b) {
    graze_planar_cspace_vertex got[2 * POLYGON_ORACLE_MAX];
    graze_vec2 all[64], corners[65];
    size_t n = 0;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count && n < 64; k++)
            all[n++] = gz_vec2_minus(a->vertices[i], b->vertices[k]);
    size_t count = gz_cspace_obstacle(a, b, got), wanted = hull(corners, all, n);
    bool same = count == wanted;
    for (size_t i = 0; same && i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < count && !found; k++) {
            found = gz_planar_same(got[k].point, corners[i]) &&
                    gz_planar_same(got[(k + 1) % count].point, corners[(i + 1) % count]);
        }
        same = found;
    }
    if (!same) fault("a Minkowski sum", (double)count, (double)wanted, 0);
}

static void test_place(gz_random *r, polygon_oracle *o, place_tally *t) {
    polygon_oracle_polygon a, b;
    gz_convex ca, cb;
    bool grid = gz_random_below(r, 2) != 0;
    make_polygon(r, &a, grid);
    make_polygon(r, &b, grid);
    if (gz_convex_make(&ca, a.v, a.count, NULL) || gz_convex_make(&cb, b.v, b.count, NULL)) {
        fault("a polygon is refused", 0, 0, 0);
        return;
    }
    graze_vec2 at = {range(r, -2, 2), range(r, -2, 2)};
    graze_planar_cspace_vertex corners[2 * POLYGON_ORACLE_MAX];
    size_t count = gz_cspace_obstacle(&ca, &cb, corners);
    uint32_t kind = gz_random_below(r, 4);
    if (kind == 0 && grid) {
        at = (graze_vec2){(double)gz_random_below(r, 16) - 8, (double)gz_random_below(r, 16) - 8};
    } else if (kind >= 1 && count > 0) {
        // On the border as nearly as doubles go, or some ulps beside.
        graze_vec2 p = corners[0].point, q = corners[count - 1].point;
        double s = kind == 1 ? 0 : range(r, 0, 1);
        at = (graze_vec2){p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)};
        if (kind == 3) at.x = nextafter(at.x, gz_random_below(r, 2) ? 9 : -9);
    }
    if (fabs(at.x) < 0x1p-90) at.x = 0;
    if (fabs(at.y) < 0x1p-90) at.y = 0;
    bool truth = polygon_oracle_overlap(o, &a, &b, at);
    t->places++;
    t->blocked += truth;
    if (gz_cspace_blocked(&ca, &cb, at) != truth) fault("a place", at.x, at.y, truth);
    if (grid && a.count * b.count <= 64) {
        test_sum(&ca, &cb);
        t->sums++;
    }
}

// ------------------------------------------------------------------------------------- driving

typedef struct drive_tally {
    uint64_t plans, found, poses;
} drive_tally;

/// The greatest gap along the normals of all edges, in long double.
static real gap_between(const graze_vec2 *a, int32_t n, const real (*b)[2], int32_t m) {
    real best = -INFINITY;
    for (int side = 0; side < 2; side++) {
        int32_t edges = side ? m : n;
        for (int32_t i = 0; i < edges; i++) {
            int32_t k = (i + 1) % edges;
            real px = side ? b[i][0] : a[i].x, py = side ? b[i][1] : a[i].y;
            real qx = side ? b[k][0] : a[k].x, qy = side ? b[k][1] : a[k].y;
            real nx = qy - py, ny = px - qx, length = hypotl(nx, ny), least = INFINITY;
            for (int32_t j = 0; j < (side ? n : m); j++) {
                real x = side ? a[j].x : b[j][0], y = side ? a[j].y : b[j][1];
                least = fminl(least, (nx * (x - px) + ny * (y - py)) / length);
            }
            best = fmaxl(best, least);
        }
    }
    return best;
}

static void test_pose(const graze_planar_scene *scene, const graze_vec2 *body, int32_t count,
                      const graze_planar_pose *pose) {
    real placed[16][2], c = cosl(pose->heading), s = sinl(pose->heading);
    real size = graze_planar_scene_size(scene);
    for (int32_t i = 0; i < count; i++) {
        placed[i][0] = c * body[i].x - s * body[i].y + pose->x;
        placed[i][1] = s * body[i].x + c * body[i].y + pose->y;
        if (placed[i][0] < 0 || placed[i][1] < 0 || placed[i][0] > size || placed[i][1] > size) {
            fault("a path leaves the map", pose->x, pose->y, pose->heading);
        }
    }
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        const gz_convex *p = gz_scene_polygon(scene, i);
        if (gap_between(p->vertices, p->count, (const real(*)[2])placed, count) <= 0) {
            fault("a path meets a polygon", pose->x, pose->y, pose->heading);
        }
    }
}

/// A leg turns in place or drives along the heading.
static void test_leg(const graze_planar_pose *a, const graze_planar_pose *b) {
    double dx = b->x - a->x, dy = b->y - a->y;
    if (dx == 0 && dy == 0) return;
    if (a->heading != b->heading) fault("a leg drives and turns", a->x, a->y, a->heading);
    if (fabs(dx * sin(a->heading) - dy * cos(a->heading)) > 1e-11 * hypot(dx, dy)) {
        fault("a leg drives across", a->x, a->y, a->heading);
    }
}

static void test_drive(gz_random *r, drive_tally *t) {
    static const graze_vec2 wedge[3] = {{0.12, 0}, {-0.08, 0.05}, {-0.08, -0.05}};
    static const int samples = 400;
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.count = 4 + gz_random_below(r, 16);
    o.radius_min = 0.05;
    o.radius_max = 0.2;
    o.seed = gz_random_next(r);
    graze_planar_scene *scene = NULL;
    graze_planar_path drive = {0};
    graze_planar_shape shape, obstacles[20];
    const double lengths[1] = {0};
    const int32_t shape_links[1] = {0};
    graze_planar_pose start = {range(r, 0.15, 1.85), range(r, 0.15, 1.85), range(r, -3.2, 3.2)};
    graze_planar_pose goal = {range(r, 0.15, 1.85), range(r, 0.15, 1.85), range(r, -3.2, 3.2)};
    graze_planar_drive_options options = graze_planar_drive_options_default();
    options.cells = 24;
    t->plans++;
    if (graze_planar_scene_generate(&scene, &o, NULL) ||
        graze_planar_polygon(&shape, &wedge[0].x, 3, 0, NULL)) {
        fault("a scene is refused", 0, 0, 0);
        return;
    }
    for (size_t i = 0; i < o.count; i++) {
        size_t n;
        const graze_vec2 *v = graze_planar_scene_polygon(scene, i, &n);
        if (graze_planar_polygon(&obstacles[i], &v->x, n, 0, NULL)) fault("an obstacle", 0, 0, 0);
    }
    graze_planar_arm_scene body = {
        {{0, 0}, lengths, 1}, &shape, shape_links, 1, obstacles, o.count, false, true,
        options.size};
    if (graze_planar_drive_plan(&body, &start, &goal, &options, &drive, NULL))
        fault("a plan is refused", 0, 0, 0);
    if (drive.outcome == GRAZE_PLANAR_PATH_FOUND) {
        const graze_planar_pose *p = drive.poses, *last = &p[drive.pose_count - 1];
        t->found++;
        if (memcmp(&p[0], &start, sizeof start) != 0 || last->x != goal.x || last->y != goal.y ||
            fabs(remainder(last->heading - goal.heading, 6.283185307179586)) > 1e-12) {
            fault("a path's ends", last->x, last->y, last->heading);
        }
        for (size_t i = 0; i + 1 < drive.pose_count; i++) {
            test_leg(&p[i], &p[i + 1]);
            for (int k = 0; k <= samples; k++, t->poses++) {
                double s = (double)k / samples;
                graze_planar_pose at = {p[i].x + s * (p[i + 1].x - p[i].x),
                                        p[i].y + s * (p[i + 1].y - p[i].y),
                                        p[i].heading + s * (p[i + 1].heading - p[i].heading)};
                test_pose(scene, wedge, 3, &at);
            }
        }
    }
    graze_planar_path_free(&drive);
    graze_planar_scene_free(scene);
}

int main(int argc, char **argv) {
    uint64_t arms = 1000, places = 1000000, drives = 100, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--arms") == 0) arms = value;
        if (strcmp(argv[i], "--places") == 0) places = value;
        if (strcmp(argv[i], "--drives") == 0) drives = value;
        if (strcmp(argv[i], "--seed") == 0) seed = value;
    }
    polygon_oracle *o = polygon_oracle_create();
    if (!o) return 1;
    gz_random random = gz_random_make(seed, 0);
    arm_tally arm = {0};
    place_tally place = {0};
    drive_tally drive = {0};
    for (uint64_t i = 0; i < arms; i++) test_arm(&random, &arm);
    for (uint64_t i = 0; i < places; i++) test_place(&random, o, &place);
    for (uint64_t i = 0; i < drives; i++) test_drive(&random, &drive);
    polygon_oracle_free(o);
    printf("arms     %llu, %llu cells, %llu blocked, open in the map %llu, in closed form %llu\n",
           (unsigned long long)arms, (unsigned long long)arm.cells, (unsigned long long)arm.blocked,
           (unsigned long long)arm.open_map, (unsigned long long)arm.open_form);
    printf("places   %llu, %llu blocked; %llu sums\n", (unsigned long long)place.places,
           (unsigned long long)place.blocked, (unsigned long long)place.sums);
    printf("driving  %llu plans, %llu paths, %llu poses\n", (unsigned long long)drive.plans,
           (unsigned long long)drive.found, (unsigned long long)drive.poses);
    printf("%llu wrong\n", (unsigned long long)wrong);
    // Cells that are open on both sides decide nothing: hardly any may be.
    bool vague = 1000 * (arm.open_map + arm.open_form) > arm.cells;
    return wrong > 0 || vague || (drives > 20 && drive.found == 0);
}
