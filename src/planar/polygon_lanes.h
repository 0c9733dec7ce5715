// The batch loop of polygons: the method of polygon_distance.c with a pair in every lane. Included
// by distance_body.h.

// Above so many roundings of a contact the dual bound refuses, as in polygon_distance.c.
#define DUAL_SLACK 0x1p-49 // 16 u

// A polygon's vertices, the first repeated at the end.
typedef struct polygon {
    lanes2 v[GRAZE_PLANAR_VERTEX_MAX + 1];
} polygon;

// The best edge so far: f |f| for its unit normal, and its number, A's edges before B's.
typedef struct best {
    gz_d value, index;
} best;

// Where the ends of all edges are, by their numbers.
typedef struct edge_rows {
    const double *ends[2 * GRAZE_PLANAR_VERTEX_MAX][4]; ///< x, y of the first, x, y of the second
} edge_rows;

static void edge_rows_set(edge_rows *out, const gz_distance_block *block) {
    int number = 0;
    for (int side = 0; side < 2; side++) {
        const double *const *rows = side ? block->b : block->a;
        int n = side ? block->vertices_b : block->vertices_a;
        for (int k = 0; k < n; k++, number++) {
            int next = k + 1 < n ? k + 1 : 0;
            const int from[4] = {k, n + k, next, n + next};
            for (int e = 0; e < 4; e++) out->ends[number][e] = rows[from[e]];
        }
    }
}

ALWAYS void polygon_load(polygon *out, const double *const *rows, int n, size_t i) {
    lanes2 first = load2(rows, 0, n, i);
    out->v[0] = first;
    for (int k = 1; k < n; k++) out->v[k] = load2(rows, k, n + k, i);
    out->v[n] = first;
}

// The edges of p whose normals part the polygons more than the best so far; numbers from `first`.
// An edge without length has no value (0 / 0) and is never better.
ALWAYS void best_edge(best *out, const polygon *p, int n, const polygon *q, int m, int first) {
    for (int i = 0; i < n; i++) {
        lanes2 e = minus(p->v[i + 1], p->v[i]);
        gz_d least = sub(mul(e.y, q->v[0].x), mul(e.x, q->v[0].y));
        for (int j = 1; j < m; j++) {
            least = gz_d_min(sub(mul(e.y, q->v[j].x), mul(e.x, q->v[j].y)), least);
        }
        gz_d f = sub(least, sub(mul(e.y, p->v[i].x), mul(e.x, p->v[i].y)));
        gz_d value = gz_d_div(mul(f, gz_d_abs(f)), dot(e, e));
        gz_d_mask better = gz_d_less(out->value, value);
        out->value = pick(better, value, out->value);
        out->index = pick(better, gz_d_all(first + i), out->index);
    }
}

// The ends of the best edge of each lane, from whichever polygon.
ALWAYS void edge_ends(const edge_rows *rows, size_t i, gz_d index, lanes2 *p0, lanes2 *p1) {
    double number[GZ_D_LANES], ends[4][GZ_D_LANES];
    gz_d_store(number, index);
    for (int lane = 0; lane < GZ_D_LANES; lane++) {
        const double *const *at = rows->ends[(int)number[lane]];
        for (int e = 0; e < 4; e++) ends[e][lane] = at[e][i + (size_t)lane];
    }
    *p0 = (lanes2){gz_d_load(ends[0]), gz_d_load(ends[1])};
    *p1 = (lanes2){gz_d_load(ends[2]), gz_d_load(ends[3])};
}

// Of the polygon that has not the edge, the vertex least outside it.
ALWAYS lanes2 facing_vertex(const polygon *a, int n, const polygon *b, int m, gz_d_mask edge_of_a,
                            lanes2 e) {
    lanes2 out = {gz_d_all(0), gz_d_all(0)};
    gz_d least = gz_d_all(0);
    for (int j = 0; j < (n > m ? n : m); j++) {
        lanes2 va = a->v[j < n ? j : n - 1], vb = b->v[j < m ? j : m - 1];
        lanes2 v = {pick(edge_of_a, vb.x, va.x), pick(edge_of_a, vb.y, va.y)};
        gz_d f = sub(mul(e.y, v.x), mul(e.x, v.y));
        if (j == 0) {
            least = f;
            out = v;
        } else {
            gz_d_mask better = gz_d_less(f, least);
            least = pick(better, f, least);
            out.x = pick(better, v.x, out.x);
            out.y = pick(better, v.y, out.y);
        }
    }
    return out;
}

// f for the direction r, from the polygon with the edge to the other: turned, so from A to B.
ALWAYS gz_d dual(const polygon *a, int n, const polygon *b, int m, lanes2 r) {
    gz_d most = dot(r, a->v[0]), least = dot(r, b->v[0]);
    for (int k = 1; k < n; k++) most = gz_d_max(dot(r, a->v[k]), most);
    for (int k = 1; k < m; k++) least = gz_d_min(dot(r, b->v[k]), least);
    return sub(least, most);
}

ALWAYS gz_d largest(lanes2 a, lanes2 b) {
    return gz_d_max(gz_d_max(gz_d_abs(a.x), gz_d_abs(a.y)), gz_d_max(gz_d_abs(b.x), gz_d_abs(b.y)));
}

ALWAYS void polygons(const gz_distance_block *block, int n, int m) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    edge_rows rows;
    edge_rows_set(&rows, block);
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        polygon a, b;
        polygon_load(&a, block->a, n, i);
        polygon_load(&b, block->b, m, i);

        // The edge normal that parts them most.
        best edge = {gz_d_all(-INFINITY), zero};
        best_edge(&edge, &a, n, &b, m, 0);
        best_edge(&edge, &b, m, &a, n, n);
        gz_d_mask edge_of_a = gz_d_less(edge.index, gz_d_all(n));

        // The other polygon's vertex nearest along it, against the edge.
        lanes2 p0, p1;
        edge_ends(&rows, i, edge.index, &p0, &p1);
        lanes2 e = minus(p1, p0), q = facing_vertex(&a, n, &b, m, edge_of_a, e);
        lanes2 w = minus(q, p0), v = minus(q, p1);
        gz_d_mask past = gz_d_less(zero, dot(w, e)), left = gz_d_less(dot(v, e), zero);
        gz_d_mask within = gz_d_and(past, left);
        gz_d outside = cross(w, e), square_e = dot(e, e);
        lanes2 end = {pick(past, p1.x, p0.x), pick(past, p1.y, p0.y)}, r = minus(q, end);
        gz_d square = pick(within, gz_d_div(mul(outside, outside), pick(within, square_e, one)),
                           dot(r, r));
        gz_d distance = gz_d_root(square);

        // At an end of the edge: right where no direction parts them less, as far as M is that of
        // these two points (the others' may only make the bound refuse without need).
        lanes2 along = {pick(edge_of_a, r.x, gz_d_negative(r.x)),
                        pick(edge_of_a, r.y, gz_d_negative(r.y))};
        gz_d slack = mul(gz_d_all(DUAL_SLACK), largest(q, end));
        gz_d_mask held = gz_d_and(
            gz_d_at_most(mul(distance, sub(distance, slack)), dual(&a, n, &b, m, along)),
            gz_d_at_most(zero, edge.value));
        gz_d good = pick(within, one, pick(held, one, zero));

        distance = pick(within, gz_d_turn(distance, outside), distance);
        gz_d radii = add(gz_d_load(block->a[2 * n] + i), gz_d_load(block->b[2 * m] + i));
        gz_d_store(block->distances + i, sub(distance, radii));

        // What the quick way leaves, one by one.
        double goods[GZ_D_LANES];
        gz_d_store(goods, good);
        for (int lane = 0; lane < GZ_D_LANES; lane++) {
            size_t at = i + (size_t)lane;
            if (goods[lane] == 0) block->distances[at] = gz_distance_of_polygons(block, at);
        }
    }
}

static void polygon_polygon(const gz_distance_block *block) {
    int n = block->vertices_a, m = block->vertices_b;
    if (n == 8 && m == 8) {
        polygons(block, 8, 8);
    } else if (n == 4 && m == 4) {
        polygons(block, 4, 4);
    } else {
        polygons(block, n, m);
    }
}
