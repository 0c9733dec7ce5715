#include "mesh/nearest_surface.h"

#include <math.h>

#include "math/lanes.h"
#include "mesh/box_tree.h"

typedef struct lanes3 {
    gz_f8 x[3];
} lanes3;

static gz_f8 dot(const lanes3 *a, const lanes3 *b) {
    gz_f8 sum = gz_f8_mul(a->x[0], b->x[0]);
    sum = gz_f8_add(sum, gz_f8_mul(a->x[1], b->x[1]));
    return gz_f8_add(sum, gz_f8_mul(a->x[2], b->x[2]));
}

static lanes3 subtract(const lanes3 *a, const lanes3 *b) {
    lanes3 out;
    for (int k = 0; k < 3; k++) out.x[k] = gz_f8_sub(a->x[k], b->x[k]);
    return out;
}

static lanes3 cross(const lanes3 *a, const lanes3 *b) {
    lanes3 out;
    for (int k = 0; k < 3; k++)
        out.x[k] = gz_f8_sub(gz_f8_mul(a->x[(k + 1) % 3], b->x[(k + 2) % 3]),
                             gz_f8_mul(a->x[(k + 2) % 3], b->x[(k + 1) % 3]));
    return out;
}

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

/// The square of the distance of the origin from an edge that starts at a.
static gz_f8 edge_square(const lanes3 *a, const lanes3 *edge) {
    gz_f8 zero = gz_f8_all(0), length = dot(edge, edge);
    gz_f8 along = gz_f8_sub(zero, dot(a, edge));
    gz_f8 t = gz_f8_div(along, gz_f8_max(length, gz_f8_all(1e-30f)));
    t = gz_f8_min(gz_f8_max(t, zero), gz_f8_all(1));
    lanes3 at;
    for (int k = 0; k < 3; k++) at.x[k] = gz_f8_add(a->x[k], gz_f8_mul(t, edge->x[k]));
    return dot(&at, &at);
}

/// The square of the distance of a point from eight triangles: from the plane where it is above the
/// triangle, else from the nearest edge. A point that rounding takes for one above the triangle is
/// as near to an edge, but for that rounding.
static gz_f8 triangle_squares(const gz_packet *packet, const float p[3]) {
    lanes3 v[3], edge[3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            v[c].x[k] = gz_f8_sub(gz_f8_load(packet->vertex[c][k]), gz_f8_all(p[k]));
    gz_f8 square = gz_f8_all(INFINITY), outside = gz_f8_all(0), zero = outside;
    for (int c = 0; c < 3; c++) edge[c] = subtract(&v[(c + 1) % 3], &v[c]);
    lanes3 n = cross(&edge[0], &edge[1]);
    for (int c = 0; c < 3; c++) {
        lanes3 side = cross(&n, &edge[c]); // towards the inner side
        outside = gz_f8_or(outside, gz_f8_greater(dot(&side, &v[c]), zero));
        square = gz_f8_min(square, edge_square(&v[c], &edge[c]));
    }
    gz_f8 height = dot(&n, &v[0]), size = dot(&n, &n);
    gz_f8 above = gz_f8_div(gz_f8_mul(height, height), gz_f8_max(size, gz_f8_all(1e-36f)));
    gz_f8 inner = gz_f8_select(gz_f8_min(square, above), square, outside);
    // Without area, or narrower than 2^-21 of an edge: no place is farther from the edges than
    // that.
    gz_f8 thin = gz_f8_mul(gz_f8_mul(dot(&edge[0], &edge[0]), dot(&edge[1], &edge[1])),
                           gz_f8_all(0x1p-42f));
    return gz_f8_select(square, inner, gz_f8_greater(size, thin));
}

/// Takes the lane of the least value out of the mask.
static int take_least(const float *values, unsigned *mask) {
    int best = __builtin_ctz(*mask);
    for (unsigned rest = *mask & (*mask - 1); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        best = values[lane] < values[best] ? lane : best;
    }
    *mask &= ~(1u << best);
    return best;
}

float gz_surface_distance_below(const graze_mesh *mesh, const float point[3], float most) {
    float best = most * most * 1.0001f;
    struct {
        int32_t reference;
        float square;
    } stack[GZ_TREE_STACK];
    int top = 0;
    stack[top].reference = mesh->root;
    stack[top++].square = 0;
    while (top) {
        top--;
        int32_t reference = stack[top].reference;
        if (stack[top].square >= best) continue;
        float values[GZ_WIDTH];
        if (reference < 0) {
            gz_f8_store(values, triangle_squares(&mesh->packets[~reference], point));
            for (int i = 0; i < GZ_WIDTH; i++) best = values[i] < best ? values[i] : best;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 squares = box_squares(node, point);
        gz_f8_store(values, squares);
        unsigned near = gz_f8_mask(gz_f8_greater(gz_f8_all(best), squares)) &
                        ((1u << node->count) - 1);
        if (!near) continue;
        int first = take_least(values, &near);
        for (; near; near &= near - 1) {
            int i = __builtin_ctz(near);
            stack[top].reference = node->child[i];
            stack[top++].square = values[i];
        }
        stack[top].reference = node->child[first];
        stack[top++].square = values[first];
    }
    float size = (fabsf(point[0]) + fabsf(point[1])) + fabsf(point[2]) + (float)mesh->reach;
    return sqrtf(best) * (1 - 0x1p-16f) - size * 0x1p-18f;
}
