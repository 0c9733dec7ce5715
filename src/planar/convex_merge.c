// Triangles merged to convex parts: a diagonal goes where both its ends stay convex without it
// (Hertel and Mehlhorn 1983) and the part keeps few enough vertices.
#include "planar/convex/convex_internal.h"

// Vertices of the part to the left of a half-edge, counted up to one more than a shape may have.
static int part_size(const gz_half_edge *edges, uint32_t h) {
    int n = 0;
    uint32_t i = h;
    do {
        n++;
        i = edges[i].next;
    } while (i != h && n <= GRAZE_PLANAR_VERTEX_MAX);
    return n;
}

static bool same_part(const gz_half_edge *edges, uint32_t h, uint32_t t) {
    for (uint32_t i = edges[h].next; i != h; i = edges[i].next) {
        if (i == t) return true;
    }
    return false;
}

// Whether the corner that stays where `in` ends and `out` begins, on either side of a diagonal,
// turns left.
static bool stays_convex(const gz_half_edge *edges, uint32_t in, uint32_t out) {
    graze_vec2 after = edges[edges[out].next].origin;
    return gz_planar_turn(edges[in].origin, edges[out].origin, after) >= 0;
}

void gz_ring_merge(gz_ring *ring) {
    gz_half_edge *edges = ring->edges;
    for (uint32_t h = 0; h < ring->edge_count; h++) {
        uint32_t t = edges[h].twin;
        if (t == GZ_NONE || h > t || edges[h].done) continue;
        int size = part_size(edges, h) + part_size(edges, t) - 2;
        if (size > GRAZE_PLANAR_VERTEX_MAX || same_part(edges, h, t)) continue;
        uint32_t h_in = edges[h].previous, h_out = edges[h].next;
        uint32_t t_in = edges[t].previous, t_out = edges[t].next;
        if (!stays_convex(edges, h_in, t_out) || !stays_convex(edges, t_in, h_out)) continue;
        edges[h_in].next = t_out;
        edges[t_out].previous = h_in;
        edges[t_in].next = h_out;
        edges[h_out].previous = t_in;
        edges[h].done = edges[t].done = true;
    }
}
