// The batch loop of polygons: the method of polygon_distance.c with a pair in every lane. Included
// by distance_body.h.
//
// Pairs go through five steps, a group of them through each before the next, so that the processor
// has independent work in every step:
// - round: the vertices in single precision (polygon_search.h);
// - propose: the edge normal that parts the polygons most, in single precision;
// - fetch: the ends of that edge, from whichever polygon, in doubles;
// - claim: the other polygon's vertex nearest along the normal, and the distance of the two;
// - prove: no direction parts them less. Apart, by the dual bound: f(n) of the claim's direction
//   reaches the distance, which is one of two points, up to 16 u M. Overlapping, f(n) of the edge
//   reaches it, and every other edge's falls short of it for certain (polygon_search.h).
// What is not proved goes to gz_distance_of_polygons(). So single precision decides no distance,
// only which pairs take long.

// Above so many roundings of a contact the dual bound refuses, as in polygon_distance.c.
#define DUAL_SLACK 0x1p-49 // 16 u

#include "base/float_environment.h"
#include "planar/distance/distance_kernels.inl"

// Where the ends of all edges are, by their numbers: x, y of the first, x, y of the second.
typedef struct edge_rows {
    const double *ends[2 * GRAZE_PLANAR_VERTEX_MAX][4];
} edge_rows;

// The ends of the proposed edges.
typedef struct fetched_ends {
    double x0[GROUP], y0[GROUP], x1[GROUP], y1[GROUP];
} fetched_ends;

// What is to be proved: f of the direction (x, y), from A to B, reaches `least`.
typedef struct claims {
    double x[GROUP], y[GROUP], least[GROUP];
    double vertex_x[GROUP], vertex_y[GROUP]; ///< of the polygon that has not the edge
} claims;

static void edge_rows_set(edge_rows *out, const gz_distance_block *block) {
    int number = 0;
    for (int side = 0; side < 2; side++) {
        const double *const *rows = side ? block->b : block->a;
        int n = side ? block->vertices_b : block->vertices_a;
        for (int k = 0; k < n; k++, number++) {
            int before = k > 0 ? k - 1 : n - 1;
            const int from[4] = {before, n + before, k, n + k};
            for (int e = 0; e < 4; e++) out->ends[number][e] = rows[from[e]];
        }
    }
}

ALWAYS void fetch(fetched_ends *out, const edge_rows *rows, size_t first, size_t count,
                  const proposals *proposed) {
    for (size_t k = 0; k < count; k++) {
        const double *const *at = rows->ends[proposed->edge[k]];
        out->x0[k] = at[0][first + k];
        out->y0[k] = at[1][first + k];
        out->x1[k] = at[2][first + k];
        out->y1[k] = at[3][first + k];
    }
}

// Of the polygon that has not the edge, the vertex least outside it.
ALWAYS lanes2 facing_vertex(const gz_distance_block *block, int n, int m, gz_d_mask edge_of_a,
                            lanes2 e, size_t i) {
    lanes2 out = {gz_d_all(0), gz_d_all(0)};
    gz_d least = gz_d_all(0);
    for (int j = 0; j < (n > m ? n : m); j++) {
        int ja = j < n ? j : n - 1, jb = j < m ? j : m - 1;
        lanes2 va = load2(block->a, ja, n + ja, i), vb = load2(block->b, jb, m + jb, i);
        lanes2 v = {pick(edge_of_a, vb.x, va.x), pick(edge_of_a, vb.y, va.y)};
        gz_d f = sub(mul(e.y, v.x), mul(e.x, v.y));
        if (j == 0) {
            least = f;
            out = v;
        } else {
            gz_d_mask better = gz_d_less(f, least);
            least = gz_d_min(f, least);
            out.x = pick(better, v.x, out.x);
            out.y = pick(better, v.y, out.y);
        }
    }
    return out;
}

ALWAYS lanes2 lanes2_at(const double *x, const double *y, size_t k) {
    return (lanes2){gz_d_load(x + k), gz_d_load(y + k)};
}

ALWAYS void face(const gz_distance_block *block, int n, int m, size_t i, size_t k,
                 const proposals *proposed, const fetched_ends *ends, claims *out) {
    lanes2 e = minus(lanes2_at(ends->x1, ends->y1, k), lanes2_at(ends->x0, ends->y0, k));
    gz_d_mask edge_of_a = gz_d_less(gz_d_load_whole(proposed->edge + k), gz_d_all(n));
    lanes2 q = facing_vertex(block, n, m, edge_of_a, e, i);
    gz_d_store(out->vertex_x + k, q.x);
    gz_d_store(out->vertex_y + k, q.y);
}

ALWAYS gz_d largest(lanes2 a, lanes2 b) {
    return gz_d_max(gz_d_max(gz_d_abs(a.x), gz_d_abs(a.y)), gz_d_max(gz_d_abs(b.x), gz_d_abs(b.y)));
}

// The vertex against the edge: along its normal where the foot lies within it, else from the nearer
// end. An inner product of differences over a length: 6 u of the longer difference. Two equal
// points leave no number (0 / 0), and nothing that could be proved.
ALWAYS void claim(const gz_distance_block *block, int n, int m, size_t i, size_t k,
                  const proposals *proposed, const fetched_ends *ends, claims *out) {
    gz_d zero = gz_d_all(0);
    lanes2 p0 = lanes2_at(ends->x0, ends->y0, k), p1 = lanes2_at(ends->x1, ends->y1, k);
    lanes2 q = lanes2_at(out->vertex_x, out->vertex_y, k);
    lanes2 e = minus(p1, p0), w = minus(q, p0), v = minus(q, p1);
    gz_d_mask past = gz_d_less(zero, dot(w, e)), left = gz_d_less(dot(v, e), zero);
    gz_d_mask within = gz_d_and(past, left);
    lanes2 r = {pick(past, v.x, w.x), pick(past, v.y, w.y)};
    lanes2 way = {pick(within, e.y, r.x), pick(within, gz_d_negative(e.x), r.y)};
    gz_d inner = dot(way, r), length = gz_d_root(dot(way, way));
    gz_d distance = gz_d_div(inner, length);
    gz_d radii = add(gz_d_load(block->a[2 * n] + i), gz_d_load(block->b[2 * m] + i));
    gz_d_store(block->distances + i, sub(distance, radii));

    // M as far as it is that of two points: the others' may only refuse without need.
    gz_d slack = mul(length, mul(gz_d_all(DUAL_SLACK), largest(q, p0)));
    gz_d_mask deepest = gz_d_at_most(gz_d_negative(distance), gz_d_load(proposed->depth + k));
    gz_d_store(out->least + k, pick(deepest, sub(inner, slack), gz_d_all(INFINITY)));
    gz_d from_b = sub(gz_d_all(n - 0.5), gz_d_load_whole(proposed->edge + k));
    gz_d_store(out->x + k, gz_d_turn(way.x, from_b));
    gz_d_store(out->y + k, gz_d_turn(way.y, from_b));
}

// Whether f of the claim's direction reaches what it must: 1 or 0.
ALWAYS gz_d prove(const gz_distance_block *block, int n, int m, size_t i, size_t k,
                  const claims *claimed) {
    lanes2 r = lanes2_at(claimed->x, claimed->y, k);
    gz_d most = dot(r, load2(block->a, 0, n, i)), least = dot(r, load2(block->b, 0, m, i));
    for (int j = 1; j < n; j++) most = gz_d_max(dot(r, load2(block->a, j, n + j, i)), most);
    for (int j = 1; j < m; j++) least = gz_d_min(dot(r, load2(block->b, j, m + j, i)), least);
    gz_d_mask held = gz_d_at_most(gz_d_load(claimed->least + k), sub(least, most));
    return gz_d_keep(held, gz_d_all(1));
}

// One by one.
static GZ_OUT_OF_LINE void settle(const gz_distance_block *block, size_t first, size_t count,
                                  const double *proved) {
    for (size_t k = 0; k < count; k++) {
        if (proved[k] == 0) block->distances[first + k] = gz_distance_of_polygons(block, first + k);
    }
}

ALWAYS void group_run(const gz_distance_block *block, const edge_rows *rows, int n, int m, size_t i,
                      size_t count) {
    rounded_group rounded;
    proposals proposed;
    fetched_ends ends;
    claims claimed;
    double proved[GROUP], every[GZ_D_LANES];
    // Eight at a time; where four are left, twice these.
    for (size_t k = 0; k < count; k += GZ_LANES) {
        size_t low = i + k, high = k + 4 < count ? low + 4 : low;
        round_pairs(&rounded, block, n, m, low, high, k);
    }
    for (size_t k = 0; k < count; k += GZ_LANES) propose(&rounded, n, m, k, &proposed);
    fetch(&ends, rows, i, count, &proposed);
    for (size_t k = 0; k < count; k += GZ_D_LANES) {
        face(block, n, m, i + k, k, &proposed, &ends, &claimed);
    }
    for (size_t k = 0; k < count; k += GZ_D_LANES) {
        claim(block, n, m, i + k, k, &proposed, &ends, &claimed);
    }
    gz_d all = gz_d_all(1);
    for (size_t k = 0; k < count; k += GZ_D_LANES) {
        gz_d good = prove(block, n, m, i + k, k, &claimed);
        gz_d_store(proved + k, good);
        all = gz_d_min(good, all);
    }
    gz_d_store(every, all);
    double least = every[0];
    for (int lane = 1; lane < GZ_D_LANES; lane++) least = every[lane] < least ? every[lane] : least;
    if (least == 0) settle(block, i, count, proved);
}

// Of n and m vertices: constants where the compiler is to unroll the loops over them.
ALWAYS void polygons(const gz_distance_block *block, int n, int m) {
    edge_rows rows;
    edge_rows_set(&rows, block);
    for (size_t i = 0; i < block->count; i += GROUP) {
        size_t left = block->count - i;
        group_run(block, &rows, n, m, i, left < GROUP ? left : GROUP);
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
