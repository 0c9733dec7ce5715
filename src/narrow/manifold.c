#include "narrow/manifold.h"

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "narrow/curved/curved_internal.h"
#include "narrow/penetration.h"

// What faces each other: the points of each hull that are as near to its end along the normal as
// the two overlap, seen along it, as a polygon. The polygons are clipped against each other
// (Sutherland and Hodgman 1974), four corners are kept, and the overlap is measured along the line
// through each.

/// Corners of a polygon: the points farthest in so many directions of the plane.
#define CORNERS 16
// Each side of the other polygon adds at most one.
#define CLIPPED (2 * CORNERS)

/// Directions of the plane across the normal, with origin.
typedef struct plane {
    double n[3], u[3], v[3], origin[3];
    double direction[CORNERS][2];
} plane;

typedef struct polygon {
    double at[CLIPPED][2];
    int count;
} polygon;

static plane make_plane(const double n[3], const double origin[3]) {
    plane p;
    int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[k])) k = 2;
    const double unit[3] = {k == 0, k == 1, k == 2};
    memcpy(p.n, n, sizeof p.n);
    memcpy(p.origin, origin, sizeof p.origin);
    gz_cross(n, unit, p.u);
    double norm = gz_norm(p.u);
    for (int i = 0; i < 3; i++) p.u[i] /= norm;
    gz_cross(n, p.u, p.v);
    // A turn of a sixteenth, off by less than 1e-16, and off the axes: corners of a box along these
    // are told apart.
    double c = cos(0.1), s = sin(0.1);
    const double turn[2] = {0.92387953251128674, 0.38268343236508977};
    for (int i = 0; i < CORNERS; i++) {
        p.direction[i][0] = c;
        p.direction[i][1] = s;
        double next = c * turn[0] - s * turn[1];
        s = s * turn[0] + c * turn[1];
        c = next;
    }
    return p;
}

/// Points of one side, gathered.
typedef struct gathering {
    const plane *plane;
    double sign, end; ///< only points with sign * (n . x) >= end count
    double far[CORNERS];
    polygon polygon;
    bool any;
} gathering;

static void gather(gathering *g, const double point[3]) {
    const plane *p = g->plane;
    if (g->sign * gz_dot(p->n, point) < g->end) return;
    double d[3];
    gz_subtract(point, p->origin, d);
    double x = gz_dot(d, p->u), y = gz_dot(d, p->v);
    for (int i = 0; i < CORNERS; i++) {
        double along = x * p->direction[i][0] + y * p->direction[i][1];
        if (g->any && along <= g->far[i]) continue;
        g->far[i] = along;
        g->polygon.at[i][0] = x;
        g->polygon.at[i][1] = y;
    }
    g->any = true;
}

/// The rims of a cylinder, at the lowest places along the normal and 15 others each.
static void gather_rims(gathering *g, const gz_curved *s, const double n[3]) {
    double axis[3], across[3], other[3], low[3], point[3];
    gz_subtract(s->b, s->a, axis);
    double length = gz_norm(axis);
    for (int k = 0; k < 3; k++) axis[k] /= length;
    double along = gz_dot(n, axis);
    for (int k = 0; k < 3; k++) low[k] = n[k] - along * axis[k];
    double norm = gz_norm(low);
    if (norm > 1e-9)
        for (int k = 0; k < 3; k++) across[k] = low[k] / norm;
    else
        memcpy(across, g->plane->u, sizeof across);
    gz_cross(axis, across, other);
    for (int i = 0; i < 2 * CORNERS; i++) {
        const double *end = i % 2 ? s->b : s->a, *turn = g->plane->direction[i / 2];
        // Turned back, so that the first is the lowest.
        const double *first = g->plane->direction[0];
        double c = turn[0] * first[0] + turn[1] * first[1];
        double d = turn[1] * first[0] - turn[0] * first[1];
        for (int k = 0; k < 3; k++) point[k] = end[k] + s->radius * (c * across[k] + d * other[k]);
        gather(g, point);
    }
}

/// The polygon of a hull's points within `band` of its end along sign * n; corners that are equal
/// are one.
static polygon face_of(const gz_hull *h, const plane *p, double sign, double band) {
    double n[3], point[3];
    for (int k = 0; k < 3; k++) n[k] = sign * p->n[k];
    gathering g = {.plane = p, .sign = sign, .end = gz_hull_extent(h, n) - band};
    const gz_curved *s = &h->curved;
    if (h->mesh) {
        for (size_t i = 0; i < h->mesh->vertex_count; i++) {
            gz_snap(h->pose, h->mesh->vertices + 3 * i, point);
            gather(&g, point);
        }
    } else if (s->kind == GRAZE_SHAPE_CYLINDER && memcmp(s->a, s->b, sizeof s->a) != 0) {
        gather_rims(&g, s, n);
    } else {
        for (int e = 0; e < 2; e++) {
            for (int k = 0; k < 3; k++) point[k] = (e ? s->b : s->a)[k] + s->radius * n[k];
            gather(&g, point);
        }
    }
    if (!g.any) {
        gz_hull_support(h, n, point);
        g.end = -INFINITY;
        gather(&g, point);
    }
    polygon out = {.count = 0};
    for (int i = 0; i < CORNERS; i++) {
        const double *at = g.polygon.at[i];
        if (out.count && memcmp(out.at[out.count - 1], at, sizeof *out.at) == 0) continue;
        memcpy(out.at[out.count++], at, sizeof *out.at);
    }
    while (out.count > 1 && memcmp(out.at[0], out.at[out.count - 1], sizeof *out.at) == 0)
        out.count--;
    return out;
}

/// Twice the area of the triangle p, q, r; above 0 where it turns left.
static double turn_of(const double p[2], const double q[2], const double r[2]) {
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/// The part of a polygon to the left of the line from p to q.
static polygon clip(const polygon *in, const double p[2], const double q[2]) {
    polygon out = {.count = 0};
    for (int i = 0; i < in->count; i++) {
        const double *x = in->at[i], *y = in->at[(i + 1) % in->count];
        double dx = turn_of(p, q, x), dy = turn_of(p, q, y);
        if (dx >= 0 && out.count < CLIPPED) memcpy(out.at[out.count++], x, sizeof *out.at);
        bool crosses = in->count > 1 && ((dx < 0 && dy > 0) || (dx > 0 && dy < 0));
        if (!crosses || out.count == CLIPPED || (in->count == 2 && i == 1)) continue;
        double t = dx / (dx - dy);
        for (int k = 0; k < 2; k++) out.at[out.count][k] = x[k] + t * (y[k] - x[k]);
        out.count++;
    }
    return out;
}

/// Where two segments, or points, of the plane are nearest to each other.
static polygon cross_segments(const polygon *a, const polygon *b) {
    double p[4][3] = {{0}};
    gz_convex_witness near;
    for (int k = 0; k < 2; k++) {
        p[0][k] = a->at[0][k];
        p[1][k] = a->at[a->count - 1][k];
        p[2][k] = b->at[0][k];
        p[3][k] = b->at[b->count - 1][k];
    }
    gz_segments_nearest(p[0], p[1], p[2], p[3], &near);
    return (polygon){.at = {{0.5 * (near.a[0] + near.b[0]), 0.5 * (near.a[1] + near.b[1])}},
                     .count = 1};
}

/// Two segments along each other share a segment, whose ends are ends of them.
static polygon share_segments(const polygon *a, const polygon *b) {
    double d[2] = {a->at[1][0] - a->at[0][0], a->at[1][1] - a->at[0][1]};
    double e[2] = {b->at[1][0] - b->at[0][0], b->at[1][1] - b->at[0][1]};
    double square = d[0] * d[0] + d[1] * d[1], across = d[0] * e[1] - d[1] * e[0];
    double length = sqrt(square * (e[0] * e[0] + e[1] * e[1]));
    double t[2] = {0, 1};
    if (!(fabs(across) <= 1e-6 * length) || !(square > 0)) return cross_segments(a, b);
    double s[2];
    for (int i = 0; i < 2; i++)
        s[i] = ((b->at[i][0] - a->at[0][0]) * d[0] + (b->at[i][1] - a->at[0][1]) * d[1]) / square;
    t[0] = fmax(t[0], fmin(s[0], s[1]));
    t[1] = fmin(t[1], fmax(s[0], s[1]));
    if (!(t[0] < t[1])) return cross_segments(a, b);
    polygon out = {.count = 2};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) out.at[i][k] = a->at[0][k] + t[i] * d[k];
    return out;
}

/// What two convex polygons, either of which may be a segment or a point, share.
static polygon intersect(const polygon *a, const polygon *b) {
    if (a->count == 2 && b->count == 2) return share_segments(a, b);
    if (a->count < 3 && b->count < 3) return cross_segments(a, b);
    const polygon *by = b->count >= a->count ? b : a;
    polygon out = by == b ? *a : *b;
    for (int i = 0; i < by->count && out.count; i++)
        out = clip(&out, by->at[i], by->at[(i + 1) % by->count]);
    return out;
}

// ----------------------------------------------------------------------------- along the normal

/// The part of a line inside of a hull.
typedef struct span {
    double low, high;
} span;

static void widen(span *s, double at) {
    s->low = fmin(s->low, at);
    s->high = fmax(s->high, at);
}

/// Where the line p + s n meets a mesh: first and last triangle.
static span span_of_mesh(const gz_hull *h, const double p[3], const double n[3]) {
    span out = {INFINITY, -INFINITY};
    double d[3], own[3], dir[3];
    for (int k = 0; k < 3; k++) d[k] = p[k] - h->pose[4 * k + 3];
    gz_transform_unrotate(h->pose, d, own);
    gz_transform_unrotate(h->pose, n, dir);
    for (size_t t = 0; t < h->mesh->triangle_count; t++) {
        const double *a = gz_mesh_corner(h->mesh, t, 0);
        double e[3], f[3], x[3], y[3], to[3];
        gz_subtract(gz_mesh_corner(h->mesh, t, 1), a, e);
        gz_subtract(gz_mesh_corner(h->mesh, t, 2), a, f);
        gz_cross(dir, f, x);
        double det = gz_dot(e, x);
        if (det == 0) continue;
        gz_subtract(own, a, to);
        double u = gz_dot(to, x) / det;
        gz_cross(to, e, y);
        double v = gz_dot(dir, y) / det;
        if (u >= 0 && v >= 0 && u + v <= 1) widen(&out, gz_dot(f, y) / det);
    }
    return out;
}

static void widen_by_ball(span *out, const double center[3], double radius, const double p[3],
                          const double n[3]) {
    double d[3];
    gz_subtract(center, p, d);
    double middle = gz_dot(d, n), square = radius * radius - (gz_dot(d, d) - middle * middle);
    if (!(square >= 0)) return;
    widen(out, middle - sqrt(square));
    widen(out, middle + sqrt(square));
}

/// The line inside of the cylinder with the axis a-b.
static void widen_by_cylinder(span *out, const gz_curved *s, const double p[3], const double n[3]) {
    double axis[3], m[3], across[3];
    gz_subtract(s->b, s->a, axis);
    gz_subtract(p, s->a, m);
    double length = gz_norm(axis), low = -INFINITY, high = INFINITY;
    if (!(length > 0)) return;
    for (int k = 0; k < 3; k++) axis[k] /= length;
    double along = gz_dot(n, axis), at = gz_dot(m, axis);
    for (int k = 0; k < 3; k++) {
        m[k] -= at * axis[k];
        across[k] = n[k] - along * axis[k];
    }
    double a = gz_dot(across, across), b = gz_dot(across, m),
           c = gz_dot(m, m) - s->radius * s->radius;
    // Along the axis `across` is rounding alone, 24 u long, u = 2^-53: the side is no way out.
    if (a > 0x1p-96) {
        if (!(b * b - a * c >= 0)) return;
        low = (-b - sqrt(b * b - a * c)) / a;
        high = (-b + sqrt(b * b - a * c)) / a;
    } else if (c > 0) {
        return;
    }
    if (fabs(along) > 1e-12) {
        double first = -at / along, last = (length - at) / along;
        low = fmax(low, fmin(first, last));
        high = fmin(high, fmax(first, last));
    } else if (at < 0 || at > length) {
        return;
    }
    if (!(low <= high)) return;
    widen(out, low);
    widen(out, high);
}

static span span_of(const gz_hull *h, const double p[3], const double n[3]) {
    if (h->mesh) return span_of_mesh(h, p, n);
    const gz_curved *s = &h->curved;
    span out = {INFINITY, -INFINITY};
    bool axis = memcmp(s->a, s->b, sizeof s->a) != 0;
    if (axis) widen_by_cylinder(&out, s, p, n);
    if (s->kind == GRAZE_SHAPE_CYLINDER && axis) return out;
    widen_by_ball(&out, s->a, s->radius, p, n);
    widen_by_ball(&out, s->b, s->radius, p, n);
    return out;
}

/// Keeps the corner farthest from the middle, the one farthest from it, and the two farthest from
/// the line through both, one on each side.
static int choose_corners(const polygon *in, int chosen[4]) {
    if (in->count <= 4) {
        for (int i = 0; i < in->count; i++) chosen[i] = i;
        return in->count;
    }
    double middle[2] = {0, 0}, most = -1, left = 0, right = 0;
    for (int i = 0; i < in->count; i++)
        for (int k = 0; k < 2; k++) middle[k] += in->at[i][k] / in->count;
    const double *from = middle;
    for (int round = 0; round < 2; round++, most = -1) {
        for (int i = 0; i < in->count; i++) {
            double x = in->at[i][0] - from[0], y = in->at[i][1] - from[1];
            if (x * x + y * y <= most) continue;
            most = x * x + y * y;
            chosen[round] = i;
        }
        from = in->at[chosen[0]];
    }
    int sides[2] = {-1, -1}, count = 2;
    for (int i = 0; i < in->count; i++) {
        double off = turn_of(in->at[chosen[0]], in->at[chosen[1]], in->at[i]);
        if (off > left) {
            left = off;
            sides[0] = i;
        }
        if (off < right) {
            right = off;
            sides[1] = i;
        }
    }
    for (int k = 0; k < 2; k++)
        if (sides[k] >= 0) chosen[count++] = sides[k];
    return count;
}

/// Adds the point over a place of the plane, if the hulls overlap there.
static void add_point(gz_manifold *out, const gz_hull *a, const gz_hull *b, const plane *p,
                      const double at[2]) {
    double foot[3];
    for (int k = 0; k < 3; k++) foot[k] = p->origin[k] + at[0] * p->u[k] + at[1] * p->v[k];
    double high = span_of(a, foot, p->n).high, low = span_of(b, foot, p->n).low;
    if (!(high >= low) || !isfinite(high) || !isfinite(low)) return;
    double *point = out->points[out->count];
    for (int k = 0; k < 3; k++) point[k] = foot[k] + 0.5 * (high + low) * p->n[k];
    out->depths[out->count++] = high - low;
}

void gz_manifold_find(const gz_shape *shape_a, const double pose_a[12], const gz_shape *shape_b,
                      const double pose_b[12], double margin, gz_manifold *out) {
    gz_hull a = gz_hull_make(shape_a, pose_a), b = gz_hull_make(shape_b, pose_b);
    gz_penetration found = gz_penetration_find(&a, &b);
    // Extents and the poses moved by them round by less than 2^-48 of the coordinates, the unit
    // normal by 2^-51; 2^-45 is more than that and than what sums of these round.
    double size = a.far + b.far + margin + fabs(found.overlap);
    *out = (gz_manifold){.depth = found.overlap + margin + 0x1p-45 * size + a.turn + b.turn,
                         .least = found.least};
    memcpy(out->normal, found.normal, sizeof out->normal);
    plane p = make_plane(found.normal, found.point);
    double band = fmax(found.overlap, 0) + 0x1p-40 * size;
    polygon face_a = face_of(&a, &p, 1, band), face_b = face_of(&b, &p, -1, band);
    polygon shared = intersect(&face_a, &face_b);
    int chosen[4], count = choose_corners(&shared, chosen);
    double middle[2] = {0, 0};
    for (int i = 0; i < shared.count; i++)
        for (int k = 0; k < 2; k++) middle[k] += shared.at[i][k] / shared.count;
    for (int i = 0; i < count; i++) {
        // A little inward, as lines through corners may miss by rounding.
        double at[2];
        for (int k = 0; k < 2; k++) {
            double x = shared.at[chosen[i]][k];
            at[k] = x + 0x1p-24 * (middle[k] - x);
        }
        add_point(out, &a, &b, &p, at);
    }
    if (out->count) return;
    memcpy(out->points[0], found.point, sizeof out->points[0]);
    out->depths[0] = fmax(found.overlap, 0);
    out->count = 1;
}
