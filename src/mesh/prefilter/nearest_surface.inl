// The distance of a point from the surface of a mesh: included by kernels_base.c and
// kernels_avx2.c, which name NEAREST_SURFACE. No fused operations here: maps have the same bits on
// every processor.

#include <math.h>

#include "math/rounding.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "mesh/prefilter/lattice.h"

/// Of smaller meshes nothing is said: 2^-18 of their size, a quarter of it taken by rounding, would
/// not cover the 2^-29 m of what underflows; see beyond_squares().
#define SIZE_LEAST 1e-3

/// Squares of the distances of a point from the children's boxes.
static gz_f8 box_squares(const gz_node *node, const float p[3]) {
    gz_f8 sum = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(p[k])));
        d = gz_f8_max(gz_f8_sub(d, gz_f8_load(node->half[k])), gz_f8_all(0));
        sum = gz_f8_add(sum, gz_f8_mul(d, d));
    }
    return sum;
}

/// Whether a packet's triangles are surely no nearer than the root of a square, by their corners
/// alone. A point q of a triangle, of weights l_i that sum to 1, has |p - q|^2 = sum l_i |p -
/// v_i|^2 - sum l_i l_j |v_i - v_j|^2 (over i < j), and sum l_i l_j = (1 - sum l_i^2) / 2 <= 1/3:
/// it is at least the least |p - v_i|^2 less a third of the longest edge's square. Squares are off
/// by less than 2^-21 of them.
static bool corners_beyond(const lanes3 v[3], const float at[3], float square) {
    gz_f8 nearest, longest;
    for (int k = 0; k < 3; k++) {
        lanes3 d = sub_lanes(v[k], spread_point(at));
        gz_f8 way = dot_lanes(d, d);
        nearest = k ? gz_f8_min(nearest, way) : way;
    }
    for (int k = 0; k < 3; k++) {
        lanes3 e = sub_lanes(v[(k + 1) % 3], v[k]);
        gz_f8 length = dot_lanes(e, e);
        longest = k ? gz_f8_max(longest, length) : length;
    }
    gz_f8 bound = gz_f8_sub(gz_f8_mul(nearest, gz_f8_all(GZ_ROUND_DOWN_FEW)),
                            gz_f8_mul(longest, gz_f8_all(1 / 3.0f + 0x1p-20f)));
    return !gz_f8_mask(gz_f8_greater(gz_f8_all(square), bound));
}

/// The least square of a distance from a packet's triangles, or one that is not below `enough`.
static float packet_square(const gz_packet *packet, const float p[3], float enough) {
    lanes3 v[3];
    for (int k = 0; k < 3; k++) v[k] = load_lanes3(packet->vertex[k]);
    if (corners_beyond(v, p, enough)) return enough;
    return gz_f8_least(beyond_squares(v, p));
}

/// What has been found of a point.
typedef struct search {
    float best;  ///< square of the distance from a triangle
    float limit; ///< what is at least so far off, squared, changes nothing
    float unit;  ///< of the steps that are wanted; 0: the distance itself is
    float steps; ///< what `best` is worth
    float size;  ///< at least what the coordinates are
    bool ended;  ///< by the limit of visits: nothing is known
} search;

/// Coordinates are rounded, as are the squares: see gz_nearest_surface().
static float bound_of(float square, float size) {
    return sqrtf(square) * (1 - 0x1p-16f) - size * 0x1p-18f;
}

/// Records a nearer distance. What is as far off as its steps are worth, with room for rounding,
/// needs no visit: below it the root may be off by 2^-16, and the sum and the product by 2^-22.
static void record(search *s, float square) {
    s->best = s->limit = square;
    if (!(s->unit > 0)) return;
    s->steps = floorf(bound_of(square, s->size) / s->unit);
    float enough = (s->steps * s->unit + s->size * 0x1p-18f) * (1 + 0x1p-15f);
    if (s->steps <= 0) enough = 0;
    s->limit = enough * enough < square ? enough * enough : square;
}

/// Searches some subtrees.
static search find_nearest(const graze_mesh *mesh, const int32_t *subtrees, int count,
                           const float point[3], float most, float unit, uint64_t *left) {
    search s = {.unit = unit};
    s.size = (fabsf(point[0]) + fabsf(point[1])) + fabsf(point[2]) + (float)mesh->max_abs;
    record(&s, most * most * 1.0001f);
    struct {
        int32_t reference;
        float square;
    } stack[GZ_TREE_STACK + GZ_SUBTREES_MOST];
    int top = 0;
    for (; top < count; top++) {
        stack[top].reference = subtrees[top];
        stack[top].square = 0;
    }
    while (top) {
        top--;
        int32_t reference = stack[top].reference;
        if (stack[top].square >= s.limit) continue;
        if (*left == 0) {
            s.ended = true;
            break;
        }
        --*left;
        if (reference < 0) {
            float square = packet_square(&mesh->packets[~reference], point, s.limit);
            if (square < s.limit) record(&s, square);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 squares = box_squares(node, point);
        unsigned near = gz_f8_mask(gz_f8_greater(gz_f8_all(s.limit), squares)) &
                        ((1u << node->count) - 1);
        if (!near) continue;
        float values[GZ_WIDTH];
        gz_f8_store(values, squares);
        int first = gz_take_least(values, &near);
        for (; near; near &= near - 1) {
            int i = __builtin_ctz(near);
            stack[top].reference = node->child[i];
            stack[top++].square = values[i];
        }
        stack[top].reference = node->child[first];
        stack[top++].square = values[first];
    }
    return s;
}

float NEAREST_SURFACE(const graze_mesh *mesh, const int32_t *subtrees, int count,
                      const float point[3], float most, float unit, uint64_t *left) {
    if (!(mesh->max_abs > SIZE_LEAST)) return 0;
    search s = find_nearest(mesh, subtrees, count, point, most, unit, left);
    if (s.ended) return 0;
    if (!(unit > 0)) return bound_of(s.best, s.size);
    return s.steps > 0 ? s.steps : 0;
}
