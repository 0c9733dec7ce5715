#include "point_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

/// What distances in doubles may be off here: coordinates are below 16 m and squares of them are
/// rounded a few dozen times, and what would be divided by little is left to integers.
#define OFF 1e-11

void point_oracle_init(point_oracle *o, const graze_geometry *shape, graze_policy policy,
                       double radius, double margin, uint64_t seed) {
    bool mesh = shape->triangle_count > 0;
    *o = (point_oracle){.shape = *shape,
                        .inside = shape->shape == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE,
                        .cap = shape->shape == GRAZE_SHAPE_MESH && policy == GRAZE_POLICY_CAP,
                        .terms = {radius, margin, mesh ? 0 : shape->radius},
                        .random = gz_random_make(seed, 77),
                        .clip = rational_clip_create(),
                        .rational = rational_distance_create(),
                        .cylinders = cylinder_distance_create()};
    o->limit = radius + margin + o->terms[2];
    o->corners = allocate(3 * graze_geometry_point_count(shape), sizeof *o->corners);
    o->boxes = allocate(6 * (mesh ? shape->triangle_count : 1), sizeof *o->boxes);
    if (mesh)
        crossing_mesh_init(&o->crossing, shape->vertices, shape->vertex_count, shape->triangles,
                           shape->triangle_count);
}

void point_oracle_clear(point_oracle *o) {
    if (o->shape.triangle_count) crossing_mesh_clear(&o->crossing);
    free(o->corners);
    free(o->boxes);
    rational_clip_free(o->clip);
    rational_distance_free(o->rational);
    cylinder_distance_free(o->cylinders);
    *o = (point_oracle){0};
}

static size_t piece_count(const point_oracle *o) {
    return o->shape.triangle_count ? o->shape.triangle_count : 1;
}

/// A triangle; of a curved shape its axis, as a triangle without area.
static void piece(const point_oracle *o, size_t t, double out[9]) {
    for (size_t c = 0; c < 3; c++) {
        size_t i = o->shape.triangle_count ? o->shape.triangles[3 * t + c] : c > 0;
        memcpy(out + 3 * c, o->corners + 3 * i, 3 * sizeof *out);
    }
}

void point_oracle_place(point_oracle *o, const graze_transform *pose) {
    graze_geometry_snap(&o->shape, pose, o->corners);
    if (o->shape.triangle_count) crossing_mesh_place(&o->crossing, pose);
    for (int k = 0; k < 3; k++) o->box[k] = INFINITY, o->box[3 + k] = -INFINITY;
    for (size_t t = 0; t < piece_count(o); t++) {
        double p[9], *box = o->boxes + 6 * t;
        piece(o, t, p);
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(p[k], fmin(p[3 + k], p[6 + k]));
            box[3 + k] = fmax(p[k], fmax(p[3 + k], p[6 + k]));
            o->box[k] = fmin(o->box[k], box[k]);
            o->box[3 + k] = fmax(o->box[3 + k], box[3 + k]);
        }
    }
}

static bool beyond(const double box[6], const double p[3], double far) {
    for (int k = 0; k < 3; k++)
        if (box[k] - p[k] > far || p[k] - box[3 + k] > far) return true;
    return false;
}

// ------------------------------------------------------------------------------------- in doubles

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double from_segment(const double p[3], const double a[3], const double b[3]) {
    double d[3], w[3];
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k], w[k] = p[k] - a[k];
    double length = dot(d, d), t = length > 0 ? fmin(1, fmax(0, dot(w, d) / length)) : 0;
    for (int k = 0; k < 3; k++) w[k] -= t * d[k];
    return sqrt(dot(w, w));
}

/// The distance from a triangle is in [low, high], but for OFF.
static void from_triangle(const double p[3], const double t[9], double *low, double *high) {
    const double *a = t, *b = t + 3, *c = t + 6;
    double border = fmin(from_segment(p, a, b), fmin(from_segment(p, b, c), from_segment(p, c, a)));
    double e[3][3], n[3], longest = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) e[i][k] = t[(3 * i + 3 + k) % 9] - t[3 * i + k];
        longest = fmax(longest, dot(e[i], e[i]));
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = e[0][i] * e[1][j] - e[0][j] * e[1][i];
    }
    double area = sqrt(dot(n, n));
    *low = *high = border;
    if (area < 1e-3 * longest || area < 1e-8) {
        // A sliver: nowhere farther from its border than its width.
        *low = fmax(0, border - area / sqrt(fmax(longest, 1e-300)) - 1e-12);
        return;
    }
    double w[3], height;
    for (int k = 0; k < 3; k++) w[k] = p[k] - a[k];
    height = fabs(dot(w, n)) / area;
    for (int i = 0; i < 3; i++) {
        double side[3];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            side[k] = e[i][u] * (p[v] - t[3 * i + v]) - e[i][v] * (p[u] - t[3 * i + u]);
        }
        if (dot(side, n) < 0) return; // not above the face
    }
    *low = *high = fmin(border, height);
}

/// Judges by doubles; false where they cannot.
static bool evaluate_fast(point_oracle *o, const double p[3], point_state *state) {
    double low = INFINITY, high = INFINITY, far = o->limit + POINT_EPSILON + OFF;
    for (size_t t = 0; t < piece_count(o); t++) {
        double corners[9], least, most;
        if (beyond(o->boxes + 6 * t, p, far)) continue;
        piece(o, t, corners);
        if (o->shape.triangle_count) {
            from_triangle(p, corners, &least, &most);
        } else {
            least = most = from_segment(p, corners, corners + 3);
            if (o->shape.shape == GRAZE_SHAPE_CYLINDER) most = INFINITY; // flat ends
        }
        low = fmin(low, least);
        high = fmin(high, most);
        if (high < o->limit - OFF) break;
    }
    *state = low > far ? POINT_FAR : high < o->limit - OFF ? POINT_HIT : POINT_EITHER;
    return *state != POINT_EITHER ||
           (low > o->limit + OFF && high < o->limit + POINT_EPSILON - OFF);
}

// ----------------------------------------------------------------------------------------- exactly

static point_state evaluate_cylinder(point_oracle *o, const double p[3]) {
    solid_cylinder c = {.radius = o->shape.radius};
    memcpy(c.a, o->corners, sizeof c.a);
    memcpy(c.b, o->corners + 3, sizeof c.b);
    double point[1][3];
    memcpy(point[0], p, sizeof point[0]);
    double excess = cylinder_hull_excess(o->cylinders, &c, (const double(*)[3])point, 1, o->terms,
                                         2);
    return excess <= 0 ? POINT_HIT : excess <= POINT_EPSILON ? POINT_EITHER : POINT_FAR;
}

static point_state evaluate_exactly(point_oracle *o, const double p[3]) {
    const double terms[4] = {o->terms[0], o->terms[1], o->terms[2], POINT_EPSILON};
    double point[9];
    point_state state = POINT_FAR;
    for (size_t i = 0; i < 3; i++) memcpy(point + 3 * i, p, 3 * sizeof *p);
    o->exact++;
    if (o->shape.shape == GRAZE_SHAPE_CYLINDER) return evaluate_cylinder(o, p);
    for (size_t t = 0; t < piece_count(o); t++) {
        double corners[9], least, most;
        if (beyond(o->boxes + 6 * t, p, o->limit + 2 * POINT_EPSILON)) continue;
        piece(o, t, corners);
        from_triangle(p, corners, &least, &most);
        if (least > o->limit + 2 * POINT_EPSILON) continue;
        if (rational_distance_within(o->rational, point, corners, terms, 3)) return POINT_HIT;
        if (rational_distance_within(o->rational, point, corners, terms, 4)) state = POINT_EITHER;
    }
    return state;
}

static bool is_inside(point_oracle *o, const double p[3]) {
    if (!o->inside || !o->shape.triangle_count || beyond(o->crossing.box, p, 0)) return false;
    if (o->cap && crossing_mesh_cap_touches(&o->crossing, p, o->clip)) return false;
    return crossing_number(&o->crossing, p, o->cap, &o->random, &o->signs) != 0;
}

point_state point_oracle_evaluate(point_oracle *o, const double p[3]) {
    point_state state = POINT_FAR;
    bool near = !beyond(o->box, p, o->limit + 2 * POINT_EPSILON);
    if (near && !evaluate_fast(o, p, &state)) state = evaluate_exactly(o, p);
    if (state == POINT_HIT || !is_inside(o, p)) return state;
    o->held++;
    return POINT_HIT;
}
