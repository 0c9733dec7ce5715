// The batch loops of signed distance, over lanes of pairs; included by kernels.inl.
//
// Polygons, first: the edge whose normal separates them most, in single precision with eight pairs
// side by side. It is a proposal that is proved in doubles below, with a bound for the edges that
// were not proposed.
//
// A proposal may be wrong and costs only time. The bound may not. Let w = 2^-24; R bound the
// coordinates, which are relative to A's first vertex, and the differences of two of them; the
// lower orders of w are left to the reserve at the end. Rounded vertices are off by w R, so a cross
// product of two by 2 w R^2, and as computed (two products, a difference) by 4 w R^2. For an edge e
// let F(e) be the least cross product of e with the other polygon's vertices less that with its
// own: f of its normal, times |e|. The first is a difference of two such products, off by 9 w R^2;
// in the second e as computed, e', is off by 3 w R and all of it by 6 w R^2; their difference is
// rounded by w R^2. So F(e) <= F'(e') + 16 w R^2. Then f(e) <= -d for a d >= 0 (below R) where
// F'(e') <= -d |e'| - 19 w R^2, with |e| <= |e'| + 3 w R. The rest of 32 w R^2 / |e'| is for the
// roundings of the quotient, the roots and the slack themselves (4 w R, and R >= |e'| / 2).
//
// R: no vertex is farther from another than half the way around, and that is at most the root of
// n times the sum of the n edges' squares: R <= |b0| + (the root for A + that for B) / 2, and R^2
// at most three times the sum of the squares of these three.

#include "base/float_environment.h"
#include "math/lanes.h"
#include "planar/distance/pair_lanes.h"
#include "planar/kernels.h"

// Pairs that each step of the method takes before the next step begins: enough that none waits for
// the one before, few enough that all of it stays in the first-level cache.
#define GROUP 32

// The polygons of a group in single precision, from A's first vertex to each: a point reflection
// of the pair, which changes no distance.
typedef struct rounded_group {
    float x[2][GRAZE_PLANAR_VERTEX_MAX][GROUP], y[2][GRAZE_PLANAR_VERTEX_MAX][GROUP];
} rounded_group;

// Per pair: the number of the edge that ends at that vertex, A's before B's, and how deep the
// polygons overlap, for certain, along the normal of each other edge; 0 where that is not certain.
typedef struct proposals {
    int32_t edge[GROUP];
    double depth[GROUP];
} proposals;

typedef struct floats2 {
    gz_f8 x, y;
} floats2;

// f |f| of the best edge's normal and of the second best, and the best edge's number.
typedef struct ranking {
    gz_f8 best, second, number;
    gz_f8 shortest, total; // squares of lengths
} ranking;

// Four numbers from `low` on, and four from `high` on.
ALWAYS gz_d8 load8(const double *row, size_t low, size_t high) {
    gz_d8 out;
    for (size_t k = 0; k < GZ_F8_VECTORS; k++) {
        size_t at = k * GZ_D_LANES;
        out.vector[k] = gz_d_load(row + (at < 4 ? low + at : high + at - 4));
    }
    return out;
}

ALWAYS void round8(float *out, const double *row, size_t low, size_t high, const gz_d8 *origin) {
    gz_d8 a = load8(row, low, high);
    for (int k = 0; k < GZ_F8_VECTORS; k++) a.vector[k] = origin->vector[k] - a.vector[k];
    gz_f8_store(out, gz_f8_round(a));
}

ALWAYS void round_pairs(rounded_group *out, const gz_pair_block *block, int n, int m, size_t low,
                        size_t high, size_t at) {
    gz_d8 x = load8(block->a[0], low, high), y = load8(block->a[n], low, high);
    for (int k = 0; k < n; k++) {
        round8(&out->x[0][k][at], block->a[k], low, high, &x);
        round8(&out->y[0][k][at], block->a[n + k], low, high, &y);
    }
    for (int k = 0; k < m; k++) {
        round8(&out->x[1][k][at], block->b[k], low, high, &x);
        round8(&out->y[1][k][at], block->b[m + k], low, high, &y);
    }
}

ALWAYS floats2 vertex8(const rounded_group *group, int side, int k, size_t at) {
    return (floats2){gz_f8_load(&group->x[side][k][at]), gz_f8_load(&group->y[side][k][at])};
}

ALWAYS gz_f8 cross8(floats2 a, floats2 b) {
    return gz_f8_sub(gz_f8_mul(a.y, b.x), gz_f8_mul(a.x, b.y));
}

// Per edge, numbered by its last vertex, the least cross product with the other's vertices.
typedef struct outsides {
    gz_f8 least[2][GRAZE_PLANAR_VERTEX_MAX];
} outsides;

// Cross products of two vertices make up those of either's edge with the other's vertex:
// differences along A, along B. Each is computed once for both, a vertex of A at a time; with A's
// first, 0.
ALWAYS void find_outsides(outsides *out, const rounded_group *group, size_t at, int n, int m) {
    gz_f8 zero = gz_f8_all(0), before[GRAZE_PLANAR_VERTEX_MAX];
    before[0] = out->least[1][0] = zero;
    for (int j = 1; j < m; j++) before[j] = out->least[1][j] = zero;
    for (int i = 1; i < n; i++) {
        floats2 a = vertex8(group, 0, i, at);
        gz_f8 last = cross8(a, vertex8(group, 1, m - 1, at)), left = last, least = zero;
        for (int j = 0; j < m; j++) {
            gz_f8 now = j < m - 1 ? cross8(a, vertex8(group, 1, j, at)) : last;
            gz_f8 along_a = gz_f8_sub(now, before[j]), along_b = gz_f8_sub(left, now);
            least = j > 0 ? gz_f8_min(along_a, least) : along_a;
            out->least[1][j] = gz_f8_min(along_b, out->least[1][j]);
            before[j] = left = now;
        }
        out->least[0][i] = least;
    }
    gz_f8 most = before[0];
    for (int j = 1; j < m; j++) most = gz_f8_max(before[j], most);
    out->least[0][0] = gz_f8_sub(zero, most);
}

// An edge without length has no value (0 / 0), which is never better and never second.
ALWAYS void rank_edges(ranking *out, const rounded_group *group, const gz_f8 *least, size_t at,
                       int side, int n, int first) {
    ranking now = *out;
    gz_f8 number = gz_f8_all((float)first), one = gz_f8_all(1);
    floats2 from = vertex8(group, side, n - 1, at);
    for (int i = 0; i < n; i++) {
        floats2 to = vertex8(group, side, i, at);
        floats2 e = {gz_f8_sub(to.x, from.x), gz_f8_sub(to.y, from.y)};
        gz_f8 f = gz_f8_sub(least[i], cross8(e, from));
        gz_f8 square = gz_f8_add(gz_f8_mul(e.x, e.x), gz_f8_mul(e.y, e.y));
        gz_f8 value = gz_f8_div(gz_f8_mul(f, gz_f8_abs(f)), square);
        gz_f8 better = gz_f8_greater(value, now.best);
        now.second = gz_f8_max(gz_f8_min(now.best, value), now.second);
        now.best = gz_f8_max(value, now.best);
        now.number = gz_f8_select(now.number, number, better);
        now.shortest = gz_f8_min(square, now.shortest);
        now.total = gz_f8_add(now.total, square);
        number = gz_f8_add(number, one);
        from = to;
    }
    *out = now;
}

// The bound that the second best edge gives for all but the best: the root of f |f| less the slack.
// Below 2^-20 and above 2^20 metres numbers that underflow or overflow have no such bound.
ALWAYS gz_f8 certain_depth(const ranking *r, floats2 b0, int most) {
    gz_f8 zero = gz_f8_all(0);
    gz_f8 square = gz_f8_add(gz_f8_mul(b0.x, b0.x), gz_f8_mul(b0.y, b0.y));
    square = gz_f8_add(square, gz_f8_mul(gz_f8_all(0.25f * (float)most), r->total));
    square = gz_f8_mul(gz_f8_all(3), square);
    gz_f8 slack = gz_f8_div(gz_f8_mul(gz_f8_all(0x1p-19f), square), gz_f8_sqrt(r->shortest));
    gz_f8 depth = gz_f8_sub(gz_f8_sqrt(gz_f8_sub(zero, r->second)), slack);
    depth = gz_f8_keep(gz_f8_greater(r->shortest, gz_f8_all(0x1p-40f)), depth);
    depth = gz_f8_keep(gz_f8_greater(gz_f8_all(0x1p40f), square), depth);
    return gz_f8_max(depth, zero); // 0 of no number
}

ALWAYS void propose(const rounded_group *group, int n, int m, size_t at, proposals *out) {
    gz_f8 zero = gz_f8_all(0), none = gz_f8_all(-INFINITY);
    ranking r = {none, none, zero, gz_f8_all(INFINITY), zero};
    outsides outside;
    find_outsides(&outside, group, at, n, m);
    rank_edges(&r, group, outside.least[0], at, 0, n, 0);
    rank_edges(&r, group, outside.least[1], at, 1, m, n);
    gz_f8_store_whole(out->edge + at, r.number);
    gz_f8_store_wide(out->depth + at, certain_depth(&r, vertex8(group, 1, 0, at), n > m ? n : m));
}

// The batch loop of polygons: the method of polygon_distance.inl with a pair in every lane.
//
// Pairs go through five steps, a group of them through each before the next, so that the processor
// has independent work in every step:
// - round: the vertices in single precision (above);
// - propose: the edge normal that separates the polygons most, in single precision;
// - fetch: the ends of that edge, from whichever polygon, in doubles;
// - claim: the other polygon's vertex nearest along the normal, and the distance of the two;
// - prove: no direction separates them less. Apart, f(n) of the claim's direction reaches the
//   distance, which is one of two points, up to 16 u M (the dual bound). Overlapping, f(n) of the
//   edge does, and every other edge's falls short of it for certain (above).
// What is not proved goes to gz_distance_of_polygons(): single precision decides no distance.

// Above so many roundings of a contact the dual bound refuses, as in polygon_distance.inl.
#define DUAL_SLACK 0x1p-49 // 16 u

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

static void edge_rows_set(edge_rows *out, const gz_pair_block *block) {
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
ALWAYS lanes2 facing_vertex(const gz_pair_block *block, int n, int m, gz_d_mask edge_of_a, lanes2 e,
                            size_t i) {
    lanes2 out = {gz_d_all(0), gz_d_all(0)};
    gz_d least = gz_d_all(0);
    for (int j = 0; j < (n > m ? n : m); j++) {
        int ja = j < n ? j : n - 1, jb = j < m ? j : m - 1;
        lanes2 va = load2(block->a, ja, n + ja, i), vb = load2(block->b, jb, m + jb, i);
        lanes2 v = {gz_d_select(edge_of_a, vb.x, va.x), gz_d_select(edge_of_a, vb.y, va.y)};
        gz_d f = e.y * v.x - e.x * v.y;
        if (j == 0) {
            least = f;
            out = v;
        } else {
            gz_d_mask better = gz_d_less(f, least);
            least = gz_d_min(f, least);
            out.x = gz_d_select(better, v.x, out.x);
            out.y = gz_d_select(better, v.y, out.y);
        }
    }
    return out;
}

ALWAYS lanes2 lanes2_at(const double *x, const double *y, size_t k) {
    return (lanes2){gz_d_load(x + k), gz_d_load(y + k)};
}

ALWAYS void face(const gz_pair_block *block, int n, int m, size_t i, size_t k,
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
ALWAYS void claim(const gz_pair_block *block, int n, int m, size_t i, size_t k,
                  const proposals *proposed, const fetched_ends *ends, claims *out) {
    gz_d zero = gz_d_all(0);
    lanes2 p0 = lanes2_at(ends->x0, ends->y0, k), p1 = lanes2_at(ends->x1, ends->y1, k);
    lanes2 q = lanes2_at(out->vertex_x, out->vertex_y, k);
    lanes2 e = minus(p1, p0), w = minus(q, p0), v = minus(q, p1);
    gz_d_mask past = gz_d_less(zero, dot(w, e)), left = gz_d_less(dot(v, e), zero);
    gz_d_mask within = gz_d_and(past, left);
    lanes2 r = {gz_d_select(past, v.x, w.x), gz_d_select(past, v.y, w.y)};
    lanes2 direction = {gz_d_select(within, e.y, r.x), gz_d_select(within, -e.x, r.y)};
    gz_d inner = dot(direction, r), length = gz_d_sqrt(dot(direction, direction));
    gz_d distance = inner / length;
    gz_d radii = gz_d_load(block->a[2 * n] + i) + gz_d_load(block->b[2 * m] + i);
    gz_d_store(block->distances + i, distance - radii);

    // M as far as it is that of two points: the others' may only refuse without need.
    gz_d slack = length * (gz_d_all(DUAL_SLACK) * largest(q, p0));
    gz_d_mask deepest = gz_d_at_most(-distance, gz_d_load(proposed->depth + k));
    gz_d_store(out->least + k, gz_d_select(deepest, inner - slack, gz_d_all(INFINITY)));
    gz_d from_b = gz_d_all(n - 0.5) - gz_d_load_whole(proposed->edge + k);
    gz_d_store(out->x + k, gz_d_mulsign(direction.x, from_b));
    gz_d_store(out->y + k, gz_d_mulsign(direction.y, from_b));
}

// Whether f of the claim's direction reaches what it must: 1 or 0.
ALWAYS gz_d prove(const gz_pair_block *block, int n, int m, size_t i, size_t k,
                  const claims *claimed) {
    lanes2 r = lanes2_at(claimed->x, claimed->y, k);
    gz_d most = dot(r, load2(block->a, 0, n, i)), least = dot(r, load2(block->b, 0, m, i));
    for (int j = 1; j < n; j++) most = gz_d_max(dot(r, load2(block->a, j, n + j, i)), most);
    for (int j = 1; j < m; j++) least = gz_d_min(dot(r, load2(block->b, j, m + j, i)), least);
    gz_d_mask held = gz_d_at_most(gz_d_load(claimed->least + k), least - most);
    return gz_d_keep(held, gz_d_all(1));
}

// Decides the pairs that are not proved, one by one.
static GZ_OUT_OF_LINE void decide_rest(const gz_pair_block *block, size_t first, size_t count,
                                       const double *proved) {
    for (size_t k = 0; k < count; k++)
        if (proved[k] == 0) block->distances[first + k] = gz_distance_of_polygons(block, first + k);
}

ALWAYS void group_run(const gz_pair_block *block, const edge_rows *rows, int n, int m, size_t i,
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
    for (size_t k = 0; k < count; k += GZ_D_LANES)
        face(block, n, m, i + k, k, &proposed, &ends, &claimed);
    for (size_t k = 0; k < count; k += GZ_D_LANES)
        claim(block, n, m, i + k, k, &proposed, &ends, &claimed);
    gz_d all = gz_d_all(1);
    for (size_t k = 0; k < count; k += GZ_D_LANES) {
        gz_d good = prove(block, n, m, i + k, k, &claimed);
        gz_d_store(proved + k, good);
        all = gz_d_min(good, all);
    }
    gz_d_store(every, all);
    double least = every[0];
    for (int lane = 1; lane < GZ_D_LANES; lane++) least = every[lane] < least ? every[lane] : least;
    if (least == 0) decide_rest(block, i, count, proved);
}

// Of n and m vertices: constants where the compiler is to unroll the loops over them.
ALWAYS void polygons(const gz_pair_block *block, int n, int m) {
    edge_rows rows;
    edge_rows_set(&rows, block);
    for (size_t i = 0; i < block->count; i += GROUP) {
        size_t left = block->count - i;
        group_run(block, &rows, n, m, i, left < GROUP ? left : GROUP);
    }
}

static void distance_polygons(gz_pair_block *block) {
    int n = block->vertices_a, m = block->vertices_b;
    if (n == 8 && m == 8)
        polygons(block, 8, 8);
    else if (n == 4 && m == 4)
        polygons(block, 4, 4);
    else
        polygons(block, n, m);
}

// Roots and divisions take longest, and each waits for what is before it. So a step takes the root
// of the pairs before: two short chains, of which the processor keeps more under direction.
ALWAYS void distance_run(const gz_pair_block *block, prepare_function *prepare,
                         distance_function *distance, bool is_signed, bool one_a, bool one_b) {
    row_set in;
    row_set_fill(&in, block->a, block->b);
    double *out = block->distances;
    size_t last = block->count - GZ_D_LANES;
    lane_pair pair;
    prepare(&pair, &in, 0, 0);
    rooted now = distance(&pair, pair.q);
    for (size_t i = 0; i < last; i += GZ_D_LANES) {
        size_t next = i + GZ_D_LANES;
        prepare(&pair, &in, one_a ? 0 : next, one_b ? 0 : next);
        rooted coming = distance(&pair, pair.q);
        gz_d_store(out + i, rooted_value(now, is_signed));
        now = coming;
    }
    gz_d_store(out + last, rooted_value(now, is_signed));
}

#define DISTANCE_LOOP(name, is_signed)                                                             \
    static void distance_##name(gz_pair_block *block) {                                            \
        RUN_BY_ONES(distance_run, block, name##_prepare, name##_distance, is_signed);              \
    }

DISTANCE_LOOP(circles, false)
DISTANCE_LOOP(circle_capsule, false)
DISTANCE_LOOP(circle_rectangle, false)
DISTANCE_LOOP(capsules, true)
DISTANCE_LOOP(rectangles, false)
