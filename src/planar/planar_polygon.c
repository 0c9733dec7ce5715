// A convex polygon from its vertices in order.
#include "base/float_environment.h"
#include "planar/shapes/shape_internal.h"

// Corners are collected here while the vertices pass; the first and the last may still go when the
// ring closes, so two more than a shape holds are let in, and one to see that they are too many.
#define ROOM (GRAZE_PLANAR_VERTEX_MAX + 3)

typedef struct ring {
    graze_vec2 corner[ROOM];
    size_t index[ROOM]; ///< as the caller counts
    size_t count;
    graze_vec2 low, high; ///< the ends, should all lie on one line
    size_t reversal;      ///< 1 + a vertex where the outline turns back on itself; 0: none
    bool flat;            ///< so far, all lie on one line
} ring;

static bool lies_between(graze_vec2 a, graze_vec2 b, graze_vec2 c) {
    return (gz_planar_before(a, b) && gz_planar_before(b, c)) ||
           (gz_planar_before(c, b) && gz_planar_before(b, a));
}

// Takes corner k out where it lies on the line of its neighbours; false where it is a corner.
static bool drop_flat(ring *r, size_t k) {
    size_t n = r->count;
    graze_vec2 a = r->corner[(k + n - 1) % n], b = r->corner[k], c = r->corner[(k + 1) % n];
    bool again = gz_planar_same(a, b) || gz_planar_same(b, c);
    if (!again && gz_planar_turn(a, b, c) != 0) return false;
    if (!again && !lies_between(a, b, c)) r->reversal = r->index[k] + 1;
    for (size_t i = k; i + 1 < n; i++) {
        r->corner[i] = r->corner[i + 1];
        r->index[i] = r->index[i + 1];
    }
    r->count--;
    return true;
}

static void add(ring *r, graze_vec2 p, size_t index) {
    // Off the line of those before? The ring may not know any more: where it went there and back,
    // it has forgotten the way.
    if (index > 0 && !gz_planar_same(r->low, r->high) && gz_planar_turn(r->low, r->high, p) != 0)
        r->flat = false;
    if (index == 0 || gz_planar_before(p, r->low)) r->low = p;
    if (index == 0 || gz_planar_before(r->high, p)) r->high = p;
    size_t n = r->count;
    if (n > 0 && gz_planar_same(r->corner[n - 1], p)) return;
    r->corner[n] = p;
    r->index[n] = index;
    r->count = n + 1;
    // The corner before it may turn out to lie on the line; then p may repeat the one before that.
    while (r->count > 2) {
        size_t last = r->count - 1;
        graze_vec2 a = r->corner[last - 2], b = r->corner[last - 1];
        if (gz_planar_turn(a, b, r->corner[last]) != 0) break;
        if (!lies_between(a, b, r->corner[last])) r->reversal = r->index[last - 1] + 1;
        r->corner[last - 1] = r->corner[last];
        r->index[last - 1] = r->index[last];
        r->count--;
        if (gz_planar_same(r->corner[last - 2], r->corner[last - 1])) r->count--;
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

// All corners known: one direction, once around, and few enough?
static graze_status close_ring(ring *r, graze_planar_shape *out, double radius,
                               graze_error *error) {
    while (r->count > 2 && (drop_flat(r, r->count - 1) || drop_flat(r, 0))) continue;
    if (r->reversal != 0) return fail_convex(r->reversal - 1, error);
    if (r->count > GRAZE_PLANAR_VERTEX_MAX) return fail_limit(error);
    size_t n = r->count;
    int turn = n > 2 ? gz_planar_turn(r->corner[0], r->corner[1], r->corner[2]) : 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = (i + 1) % n;
        if (n < 3 || gz_planar_turn(r->corner[i], r->corner[k], r->corner[(i + 2) % n]) != turn) {
            return fail_convex(r->index[k], error);
        }
    }
    // Counter-clockwise, from the same first corner.
    graze_vec2 corners[ROOM];
    for (size_t i = 0; i < n; i++) corners[i] = r->corner[turn > 0 ? i : (n - i) % n];
    if (!gz_planar_is_strictly_convex(corners, n)) {
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the polygon winds more than once; allowed: convex polygons");
    }
    gz_planar_shape_fill(out, corners, n, radius);
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status polygon(graze_planar_shape *out, const double *xy, size_t count,
                                           double radius, graze_error *error) {
    ring r = {.flat = true};
    for (size_t i = 0; i < count; i++) {
        graze_vec2 p = {xy[2 * i], xy[2 * i + 1]};
        graze_status status = gz_planar_point_check(p, i, error);
        if (status != GRAZE_OK) return status;
        add(&r, gz_planar_snap(p), i);
        if (r.count == ROOM)
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
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out == NULL || xy == NULL || count == 0) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no vertices; allowed: at least 1");
    }
    graze_status status = gz_planar_radius_check(radius, error);
    return status == GRAZE_OK ? polygon(out, xy, count, radius, error) : status;
}
