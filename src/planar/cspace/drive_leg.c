// Motions of a rigid body among polygons, tested for all times: conservative advancement by
// bisection.
//
// At the middle of an interval, bounds of the gap between body and polygons: no less than `low`,
// and proof of overlap. Within it, no point of the body is farther from where it is in the middle
// than half the path of the reference point plus half the rotation times the body's reach. So a gap
// above that is a gap throughout.

#include "base/error.h"
#include "base/float_environment.h"
#include "math/trigonometry.h"
#include "planar/cspace/cspace_internal.h"

/// Transforms a point from the world to the body.
static graze_vec2 to_body(const graze_transform2 *at, graze_vec2 p) {
    double x = p.x - at->x, y = p.y - at->y;
    return (graze_vec2){at->c * x + at->s * y, at->c * y - at->s * x};
}

/// The greatest gap that a line along an edge of `a` leaves to `b`, whose vertices go to a's frame
/// by `move`. A lower bound of their distance, and where it is not above 0, a hint that they
/// overlap.
static double edge_gap(const graze_planar_convex *a, const graze_planar_convex *b,
                       const graze_transform2 *at,
                       graze_vec2 (*move)(const graze_transform2 *, graze_vec2)) {
    double best = -INFINITY;
    for (int32_t i = 0, edges = gz_convex_edges(a); i < edges; i++) {
        graze_vec2 p = a->vertices[i], q = a->vertices[gz_planar_next(i, a->count)];
        double ex = q.x - p.x, ey = q.y - p.y, length = hypot(ex, ey);
        double nx = ey / length, ny = -ex / length, least = INFINITY;
        for (int32_t j = 0; j < b->count; j++) {
            graze_vec2 v = move(at, b->vertices[j]);
            least = fmin(least, nx * (v.x - p.x) + ny * (v.y - p.y));
        }
        best = fmax(best, least);
    }
    return best;
}

/// The greatest gap along the axes of the boxes and along the edges. Polygons with an area that
/// overlap by more than rounding have none above -depth; those that are apart have one.
static double part_gap(const graze_planar_convex *part, const graze_planar_convex *polygon,
                       const graze_transform2 *at) {
    double best = fmax(edge_gap(part, polygon, at, to_body),
                       edge_gap(polygon, part, at, graze_transform2_point));
    graze_vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int32_t i = 0; i < part->count; i++) {
        graze_vec2 v = graze_transform2_point(at, part->vertices[i]);
        low = (graze_vec2){fmin(low.x, v.x), fmin(low.y, v.y)};
        high = (graze_vec2){fmax(high.x, v.x), fmax(high.y, v.y)};
    }
    const graze_planar_bounds *box = &polygon->bounds;
    best = fmax(best, fmax(low.x - box->max.x, box->min.x - high.x));
    return fmax(best, fmax(low.y - box->max.y, box->min.y - high.y));
}

/// How far the body's bounding disk is from a polygon's box: less than any gap.
static double disk_gap(const graze_planar_convex *polygon, const graze_transform2 *at,
                       double radius) {
    const graze_planar_bounds *box = &polygon->bounds;
    double dx = fmax(0, fmax(box->min.x - at->x, at->x - box->max.x));
    double dy = fmax(0, fmax(box->min.y - at->y, at->y - box->max.y));
    return hypot(dx, dy) - radius;
}

static double wall_gap(const gz_surroundings *around, const graze_transform2 *at) {
    double size = graze_planar_scene_size(around->scene), least = INFINITY;
    for (size_t i = 0; i < around->body->vertex_count; i++) {
        graze_vec2 v = graze_transform2_point(at, around->body->vertices[i]);
        least = fmin(least, fmin(fmin(v.x, size - v.x), fmin(v.y, size - v.y)));
    }
    return least;
}

/// The least gap at a pose, at most `enough` (a larger one need not be found), and to what.
static double pose_gap(const gz_surroundings *around, const graze_planar_pose *pose, double enough,
                       int64_t *nearest) {
    graze_transform2 at = {.x = pose->x, .y = pose->y};
    gz_sine_cosine(pose->heading, &at.s, &at.c);
    double least = around->walls ? fmin(enough, wall_gap(around, &at)) : enough;
    *nearest = -1;
    size_t count = graze_planar_scene_count(around->scene);
    for (size_t i = 0; i < count; i++) {
        const graze_planar_convex *polygon = graze_planar_scene_polygon(around->scene, i);
        if (disk_gap(polygon, &at, around->body->radius) >= least) continue;
        for (size_t k = 0; k < around->body->count; k++) {
            double gap = part_gap(&around->body->parts[k], polygon, &at);
            if (gap < least) *nearest = (int64_t)i;
            least = fmin(least, gap);
        }
    }
    return least;
}

int64_t gz_leg_nearest(const gz_surroundings *around, const graze_planar_pose *pose) {
    int64_t nearest;
    (void)pose_gap(around, pose, INFINITY, &nearest);
    return nearest;
}

/// How far a gap may be from what is computed, u = 2^-53 and m the largest coordinate: a placed or
/// seen vertex is off by at most 12 u m (sine and cosine 2 u, products and sums; a difference of
/// places counts twice), its difference from an edge's start by 2 u m more, the unit normal by 4 u
/// of an arm of up to 4 m, products and sum by 8 u m: below 48 u m = 0x1.8p-48 m; doubled.
static double gap_error(const gz_surroundings *around) {
    return 0x1p-46 * around->size;
}

gz_surroundings gz_surroundings_make(const graze_planar_scene *scene, const graze_planar_body *body,
                                     bool walls, double resolution) {
    double size = fmax(graze_planar_scene_size(scene), body->radius);
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        const graze_planar_bounds *box = &graze_planar_scene_polygon(scene, i)->bounds;
        size = fmax(size, fmax(fmax(fabs(box->min.x), fabs(box->min.y)),
                               fmax(fabs(box->max.x), fabs(box->max.y))));
    }
    return (gz_surroundings){scene, body, walls, resolution, size};
}

/// Intervals that wait: each split adds one, and 64 splits leave no length at all.
#define SPLIT_MAX 64

typedef struct interval {
    double from, to; ///< of the motion, 0 to 1
} interval;

static graze_planar_pose pose_at(const graze_planar_pose *from, const graze_planar_pose *to,
                                 double t) {
    return (graze_planar_pose){from->x + t * (to->x - from->x), from->y + t * (to->y - from->y),
                               from->heading + t * (to->heading - from->heading)};
}

graze_planar_leg gz_leg_test(const gz_surroundings *around, const graze_planar_pose *from,
                             const graze_planar_pose *to) {
    // The longest path of a point over the whole motion, rounded up.
    double path = (hypot(to->x - from->x, to->y - from->y) +
                   around->body->radius * fabs(to->heading - from->heading)) *
                  (1 + 0x1p-48);
    gz_surroundings here = *around;
    double far[4] = {from->x, from->y, to->x, to->y};
    for (int i = 0; i < 4; i++) here.size = fmax(here.size, fabs(far[i]));
    // A pose in between is rounded, its place by 3 u of it, its heading (up to 2^10) by 2^-41.
    double error = gap_error(&here) + 0x1p-41 * here.body->radius;
    interval waiting[SPLIT_MAX + 1] = {{0, 1}};
    size_t count = 1;
    bool open = false;
    while (count > 0) {
        interval s = waiting[--count];
        double middle = 0.5 * (s.from + s.to), half = 0.5 * (s.to - s.from) * path;
        graze_planar_pose pose = pose_at(from, to, middle);
        int64_t nearest;
        double gap = pose_gap(&here, &pose, 2 * (half + error), &nearest);
        if (gap > half + error) continue;
        if (gap < -error) return GRAZE_PLANAR_LEG_BLOCKED;
        if (2 * half <= here.resolution || count + 2 > SPLIT_MAX) {
            open = true;
            continue;
        }
        // The later half waits, so that the earlier one is tested first.
        waiting[count++] = (interval){middle, s.to};
        waiting[count++] = (interval){s.from, middle};
    }
    return open ? GRAZE_PLANAR_LEG_OPEN : GRAZE_PLANAR_LEG_FREE;
}

// ----------------------------------------------------------------------------------- the interface

graze_status gz_planar_pose_check(const char *name, const graze_planar_pose *pose,
                                  graze_error *error) {
    if (fabs(pose->x) <= GZ_POSE_PLACE_MAX && fabs(pose->y) <= GZ_POSE_PLACE_MAX &&
        fabs(pose->heading) <= GZ_POSE_HEADING_MAX)
        return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "%s is (%g, %g), heading %g; allowed: coordinates up to 2^50 and headings up to "
                   "2^10 in magnitude",
                   name, pose->x, pose->y, pose->heading);
}

graze_status gz_resolution_check(double resolution, graze_error *error) {
    if (resolution > 0 && resolution <= 0x1p50) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "the resolution is %g; allowed: above 0, to 2^50",
                   resolution);
}

graze_status graze_planar_leg_judge(const graze_planar_scene *scene, int walls,
                                    const graze_planar_body *body, const graze_planar_pose *from,
                                    const graze_planar_pose *to, double resolution,
                                    graze_planar_leg *verdict, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (verdict) *verdict = GRAZE_PLANAR_LEG_OPEN;
    if (!scene || !body || !from || !to || !verdict) return gz_planar_fail_null(error);
    GZ_TRY(gz_planar_pose_check("the first pose", from, error));
    GZ_TRY(gz_planar_pose_check("the second pose", to, error));
    GZ_TRY(gz_resolution_check(resolution, error));
    gz_surroundings around = gz_surroundings_make(scene, body, walls != 0, resolution);
    *verdict = gz_leg_test(&around, from, to);
    return GRAZE_OK;
}
