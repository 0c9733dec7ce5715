// Convex polygons from their vertices in order, and convex hulls.

#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/shapes/shape_internal.h"

// Most corners collected while the vertices are read: two more than a shape holds, as the first and
// the last may be dropped when the ring closes, and one to detect that there are too many.
#define CORNERS_MAX (GRAZE_PLANAR_VERTEX_MAX + 3)

typedef struct ring {
    graze_vec2 corner[CORNERS_MAX];
    size_t index[CORNERS_MAX]; ///< as the caller counts
    size_t count;
    graze_vec2 low, high; ///< the ends, should all lie on one line
    size_t reversal;      ///< 1 + a vertex where the outline turns back on itself; 0: none
    bool flat;            ///< so far, all lie on one line
} ring;

// Removes corner k where it lies on the line of its neighbours; false where it is a corner.
static bool drop_flat(ring *r, size_t k) {
    size_t n = r->count;
    graze_vec2 a = r->corner[(k + n - 1) % n], b = r->corner[k], c = r->corner[(k + 1) % n];
    bool again = gz_planar_same(a, b) || gz_planar_same(b, c);
    if (!again && gz_planar_turn(a, b, c) != 0) return false;
    if (!again && !gz_planar_between(a, b, c)) r->reversal = r->index[k] + 1;
    r->count--;
    memmove(r->corner + k, r->corner + k + 1, (r->count - k) * sizeof *r->corner);
    memmove(r->index + k, r->index + k + 1, (r->count - k) * sizeof *r->index);
    return true;
}

static void add(ring *r, graze_vec2 p, size_t index) {
    // Off the line of those before? Not by the ring's corners: an outline that turns back loses
    // them.
    if (index > 0 && !gz_planar_same(r->low, r->high) && gz_planar_turn(r->low, r->high, p) != 0)
        r->flat = false;
    if (index == 0 || gz_planar_before(p, r->low)) r->low = p;
    if (index == 0 || gz_planar_before(r->high, p)) r->high = p;
    size_t n = r->count;
    if (n > 0 && gz_planar_same(r->corner[n - 1], p)) return;
    r->corner[n] = p;
    r->index[n] = index;
    r->count = n + 1;
    // The corner before may now lie on a line; then p may repeat the one before that.
    while (r->count > 2 && drop_flat(r, r->count - 2)) {
        size_t last = r->count - 1;
        if (gz_planar_same(r->corner[last - 1], r->corner[last])) r->count--;
    }
}

static graze_status fail_convex(size_t vertex, graze_error *error) {
    return gz_fail(
        error, GRAZE_ERROR_SCHEMA,
        "the polygon turns the other way, or back, at vertex %zu; allowed: convex polygons",
        vertex);
}

static graze_status fail_limit(graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_LIMIT, "more than %d corners; allowed: at most %d",
                   GRAZE_PLANAR_VERTEX_MAX, GRAZE_PLANAR_VERTEX_MAX);
}

// Finishes the ring: all turns in one direction, once around, and few enough corners.
static graze_status close_ring(ring *r, graze_planar_shape *out, double radius,
                               graze_error *error) {
    while (r->count > 2 && (drop_flat(r, r->count - 1) || drop_flat(r, 0))) continue;
    if (r->reversal != 0) return fail_convex(r->reversal - 1, error);
    if (r->count > GRAZE_PLANAR_VERTEX_MAX) return fail_limit(error);
    size_t n = r->count;
    int turn = n > 2 ? gz_planar_turn(r->corner[0], r->corner[1], r->corner[2]) : 0;
    size_t rounds = 0, off = n > 2 ? gz_planar_turns(r->corner, n, turn, &rounds) : n - 1;
    if (off < n) return fail_convex(r->index[off], error);
    // Counter-clockwise, from the same first corner.
    graze_vec2 corners[CORNERS_MAX];
    for (size_t i = 0; i < n; i++) corners[i] = r->corner[turn > 0 ? i : (n - i) % n];
    if (rounds != 1)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the polygon winds more than once; allowed: convex polygons");
    gz_planar_shape_fill(out, corners, n, radius);
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status polygon(graze_planar_shape *out, const double *xy, size_t count,
                                           double radius, graze_error *error) {
    ring r = {.flat = true};
    for (size_t i = 0; i < count; i++) {
        graze_vec2 p;
        GZ_TRY(gz_planar_point_read(&p, xy, i, error));
        add(&r, p, i);
        if (r.count == CORNERS_MAX)
            return r.reversal ? fail_convex(r.reversal - 1, error) : fail_limit(error);
    }
    if (r.flat) {
        graze_vec2 ends[2] = {r.low, r.high};
        gz_planar_shape_fill_nearly(out, ends, 2, radius);
        return GRAZE_OK;
    }
    return close_ring(&r, out, radius, error);
}

graze_status graze_planar_polygon(graze_planar_shape *out, const double *xy, size_t count,
                                  double radius, graze_error *error) {
    GZ_ENTER(error);
    if (out == NULL || xy == NULL || count == 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no vertices; allowed: at least 1");
    GZ_TRY(gz_planar_radius_check(radius, error));
    return polygon(out, xy, count, radius, error);
}

// Convex hulls in the plane by Andrew's chain (1979), with exact signs.

// Up to so many points are sorted in place on the stack.
#define SMALL GRAZE_PLANAR_VERTEX_MAX

static int compare_points(const void *a, const void *b) {
    const graze_vec2 *p = a, *q = b;
    return gz_planar_before(*q, *p) - gz_planar_before(*p, *q);
}

void gz_planar_sort(graze_vec2 *points, size_t count) {
    qsort(points, count, sizeof *points, compare_points);
}

size_t gz_planar_hull_of_sorted(graze_vec2 *corners, const graze_vec2 *points, size_t count) {
    // The lower chain from left to right: whatever does not turn left is no corner.
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (n > 0 && gz_planar_same(corners[n - 1], points[i])) continue;
        while (n > 1 && gz_planar_turn(corners[n - 2], corners[n - 1], points[i]) <= 0) n--;
        corners[n++] = points[i];
    }
    // The upper chain back; its last point is the first corner again.
    size_t lower = n;
    for (size_t i = count; i-- > 0 && lower > 1;) {
        if (gz_planar_same(corners[n - 1], points[i])) continue;
        while (n > lower && gz_planar_turn(corners[n - 2], corners[n - 1], points[i]) <= 0) n--;
        corners[n++] = points[i];
    }
    return n > 1 ? n - 1 : n;
}

static GZ_OUT_OF_LINE graze_status hull(graze_planar_shape *out, const double *xy, size_t count,
                                        double radius, graze_error *error) {
    // The points, and behind them the corners.
    graze_vec2 small[2 * SMALL + 1], *points = small;
    if (count > SMALL)
        points = count < SIZE_MAX / 4 ? gz_malloc(2 * count + 1, sizeof *points) : NULL;
    if (points == NULL) return gz_fail_memory(error);
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++)
        status = gz_planar_point_read(&points[i], xy, i, error);
    if (status == GRAZE_OK) {
        gz_planar_sort(points, count);
        size_t n = gz_planar_hull_of_sorted(points + count, points, count);
        if (n <= GRAZE_PLANAR_VERTEX_MAX)
            gz_planar_shape_fill(out, points + count, n, radius);
        else
            status = gz_fail(error, GRAZE_ERROR_LIMIT,
                             "the hull has %zu corners; allowed: at most %d", n,
                             GRAZE_PLANAR_VERTEX_MAX);
    }
    if (points != small) gz_free(points);
    return status;
}

graze_status graze_planar_hull(graze_planar_shape *out, const double *xy, size_t count,
                               double radius, graze_error *error) {
    GZ_ENTER(error);
    if (!out || !xy || count == 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no points; allowed: at least 1 point");
    GZ_TRY(gz_planar_radius_check(radius, error));
    return hull(out, xy, count, radius, error);
}
