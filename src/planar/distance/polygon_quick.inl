// The quick way of polygon_distance.c, for what needs no more: one straight piece of code without
// calls. Included by kernels_*.c with ISA(name) defined.

#include "planar/distance/polygon_edges.h"
#include "planar/kernels.h"

ALWAYS double along(graze_vec2 r, const graze_planar_shape *shape, int from, int to) {
    return r.x * (shape->x[to] - shape->x[from]) + r.y * (shape->y[to] - shape->y[from]);
}

// The answer for an edge of p and a vertex of q, if it is certain: the foot lies within the edge,
// or an end of the edge is nearest, as no neighbour of either vertex is nearer to the other: by
// convexity the borders only lead away from there, and what rounding hides, 4 u a unit of way, is
// below 16 u D.
ALWAYS bool quick_answer(const graze_planar_shape *p, const graze_planar_shape *q, int edge,
                         int vertex, double value, bool p_is_a, graze_planar_result *out) {
    int n = p->count, m = q->count, next = edge + 1 < n ? edge + 1 : 0;
    graze_vec2 at = gz_planar_vertex(q, vertex);
    double wx = at.x - p->x[edge], wy = at.y - p->y[edge];
    double vx = at.x - p->x[next], vy = at.y - p->y[next];
    double ex = p->x[next] - p->x[edge], ey = p->y[next] - p->y[edge];
    bool before = !(wx * ex + wy * ey > 0), behind = !(vx * ex + vy * ey < 0);
    bool within = !(before | behind);
    double x = ey, y = -ex, distance, scale;
    int end = before ? edge : next;
    graze_vec2 on_p = gz_planar_vertex(p, end);
    if (within) {
        scale = 1 / sqrt(x * x + y * y);
        distance = (ey * wx - ex * wy) * scale;
        on_p.x = at.x - distance * x * scale;
        on_p.y = at.y - distance * y * scale;
    } else {
        // An end is nearest: it, and the vertex beyond.
        int beyond = before ? (edge > 0 ? edge - 1 : n - 1) : (next + 1 < n ? next + 1 : 0);
        int left = vertex > 0 ? vertex - 1 : m - 1, right = vertex + 1 < m ? vertex + 1 : 0;
        graze_vec2 r = {before ? wx : vx, before ? wy : vy};
        // Without branches: each outcome is as likely as the other.
        int nearest = along(r, p, end, beyond) <= 0;
        nearest &= along(r, q, vertex, left) >= 0;
        nearest &= along(r, q, vertex, right) >= 0;
        nearest &= value >= 0;
        if (!nearest) return false;
        distance = sqrt(r.x * r.x + r.y * r.y);
        // Two equal points part along the edge's normal.
        x = distance > 0 ? r.x : x;
        y = distance > 0 ? r.y : y;
        scale = 1 / (distance > 0 ? distance : sqrt(x * x + y * y));
    }
    if (!(fabs(distance) < INFINITY)) return false;
    graze_planar_feature feature_p = {within ? edge : end, within}, feature_q = {vertex, false};
    double sign = p_is_a ? scale : -scale;
    out->distance = distance;
    out->normal = (graze_vec2){sign * x, sign * y};
    *(p_is_a ? &out->point_a : &out->point_b) = on_p;
    *(p_is_a ? &out->point_b : &out->point_a) = at;
    *(p_is_a ? &out->feature_a : &out->feature_b) = feature_p;
    *(p_is_a ? &out->feature_b : &out->feature_a) = feature_q;
    return true;
}

// A point, q, against a polygon.
ALWAYS bool quick_point(const graze_planar_shape *p, const graze_planar_shape *q, bool p_is_a,
                        graze_planar_result *out) {
    int n = p->count, edge = 0;
    double best = -INFINITY, qx = q->x[0], qy = q->y[0];
    double ax = p->x[n - 1], ay = p->y[n - 1], zero = 0;
    for (int i = 0; i < n; i++) {
        double bx = p->x[i], by = p->y[i], ex = bx - ax, ey = by - ay;
        double outside = ey * (qx - ax) - ex * (qy - ay);
        double value = outside * fabs(outside) / (ex * ex + ey * ey);
        bool better = value > best;
        best = better ? value : best;
        edge = better ? i : edge;
        zero += (bx - bx) + (by - by);
        ax = bx;
        ay = by;
    }
    // Numbered by their ends so far. What is not finite goes the careful way.
    edge = edge > 0 ? edge - 1 : n - 1;
    if (!(zero + (qx - qx) + (qy - qy) == 0)) return false;
    return quick_answer(p, q, edge, 0, best, p_is_a, out);
}

// Of n and m vertices: constants where the compiler is to unroll all loops.
ALWAYS bool quick_polygons(const graze_planar_shape *a, int n, const graze_planar_shape *b, int m,
                           graze_planar_result *out) {
    outline outline_a, outline_b;
    graze_vec2 origin = gz_planar_vertex(a, 0);
    double extent = outline_set(&outline_a, a, n, origin) + outline_set(&outline_b, b, m, origin);
    if (!(extent <= POLYGON_EXTENTS_MAX)) return false;
    // The edge normal that parts them most, and the other polygon's vertex nearest along it.
    extreme_feature edge_a = best_edge(&outline_a, n, &outline_b, m);
    extreme_feature edge_b = best_edge(&outline_b, m, &outline_a, n);
    bool p_is_a = edge_a.value >= edge_b.value;
    const outline *p = p_is_a ? &outline_a : &outline_b, *q = p_is_a ? &outline_b : &outline_a;
    int edge = p_is_a ? edge_a.index : edge_b.index,
        next = edge + 1 < (p_is_a ? n : m) ? edge + 1 : 0;
    double value = p_is_a ? edge_a.value : edge_b.value;
    double ex = p->x[next] - p->x[edge], ey = p->y[next] - p->y[edge];
    int vertex = support(q, p_is_a ? m : n, -ey, ex).index;
    return quick_answer(p_is_a ? a : b, p_is_a ? b : a, edge, vertex, value, p_is_a, out);
}

bool ISA(gz_polygon_quick)(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_planar_result *out) {
    if (a->count == 1 && b->count == 1) return false;
    if (b->count == 1) return quick_point(a, b, true, out);
    if (a->count == 1) return quick_point(b, a, false, out);
    if (a->count == 4 && b->count == 4) return quick_polygons(a, 4, b, 4, out);
    if (a->count == 8 && b->count == 8) return quick_polygons(a, 8, b, 8, out);
    return quick_polygons(a, a->count, b, b->count, out);
}
