#include "mesh/nearest_surface.h"

#include <math.h>

#include "mesh/box_tree.h"
#include "mesh/triangle_lanes.h"

/// Of smaller meshes nothing is said: 2^-18 of their size would not cover what underflows.
#define REACH_LEAST 1e-3

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

static gz_f8 triangle_squares(const gz_packet *packet, const float p[3]) {
    lanes3 v[3];
    for (int k = 0; k < 3; k++)
        v[k] = (lanes3){gz_f8_load(packet->vertex[k][0]), gz_f8_load(packet->vertex[k][1]),
                        gz_f8_load(packet->vertex[k][2])};
    return beyond_squares(v, p);
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
    if (!(mesh->reach > REACH_LEAST)) return 0;
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
