// Which edge parts two polygons most, in single precision with eight pairs side by side: a proposal
// that polygon_lanes.h proves in doubles, and a bound for the edges that were not proposed.
// Included by polygon_lanes.h.
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
#include "math/lanes.h"

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
    for (size_t k = 0; k < GZ_F8_PARTS; k++) {
        size_t at = k * GZ_D_LANES;
        out.part[k] = gz_d_load(row + (at < 4 ? low + at : high + at - 4));
    }
    return out;
}

ALWAYS void round8(float *out, const double *row, size_t low, size_t high, const gz_d8 *origin) {
    gz_d8 a = load8(row, low, high);
    for (int k = 0; k < GZ_F8_PARTS; k++) a.part[k] = sub(origin->part[k], a.part[k]);
    gz_f8_store(out, gz_f8_round(a));
}

ALWAYS void round_pairs(rounded_group *out, const gz_distance_block *block, int n, int m,
                        size_t low, size_t high, size_t at) {
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

// Per edge, numbered by the vertex that ends it, the least cross product with the other polygon's
// vertices.
typedef struct outsides {
    gz_f8 least[2][GRAZE_PLANAR_VERTEX_MAX];
} outsides;

// Cross products of two vertices, one of each, make up those of either's edge with the other's
// vertex: a difference of two along A, of two along B. Each is computed once for both, a vertex of
// A at a time; those with A's first are 0.
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

// What the second best edge says of all but the best: the root of f |f| less the slack. Below 2^-20
// and above 2^20 metres numbers that underflow or overflow have no such bound.
ALWAYS gz_f8 certain_depth(const ranking *r, floats2 b0, int most) {
    gz_f8 zero = gz_f8_all(0);
    gz_f8 reach = gz_f8_add(gz_f8_mul(b0.x, b0.x), gz_f8_mul(b0.y, b0.y));
    reach = gz_f8_add(reach, gz_f8_mul(gz_f8_all(0.25f * (float)most), r->total));
    reach = gz_f8_mul(gz_f8_all(3), reach);
    gz_f8 slack = gz_f8_div(gz_f8_mul(gz_f8_all(0x1p-19f), reach), gz_f8_sqrt(r->shortest));
    gz_f8 depth = gz_f8_sub(gz_f8_sqrt(gz_f8_sub(zero, r->second)), slack);
    depth = gz_f8_keep(gz_f8_greater(r->shortest, gz_f8_all(0x1p-40f)), depth);
    depth = gz_f8_keep(gz_f8_greater(gz_f8_all(0x1p40f), reach), depth);
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
