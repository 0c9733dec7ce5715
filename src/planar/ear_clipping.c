// A ring cut into triangles: corners whose triangle holds no other corner are cut off one by one
// (Meisters 1975). Only reflex corners can lie in the way. Each corner that is no ear waits at the
// one that it was found to hold, and is looked at again when that one is gone or no longer reflex,
// or when a neighbour was cut.
#include "base/memory.h"
#include "planar/convex/convex_internal.h"

typedef struct cutter {
    gz_ring *ring;
    uint32_t *stack; ///< corners to look at
    size_t height;
    uint32_t *reflex; ///< reflex corners, some no longer so
    size_t reflex_count;
    uint32_t left; ///< corners of the ring
} cutter;

static void look_at(cutter *c, uint32_t i) {
    gz_corner *corner = &c->ring->corners[i];
    if (corner->gone || corner->listed) return;
    corner->listed = true;
    c->stack[c->height++] = i;
}

static void wait_at(gz_corner *corners, uint32_t i, uint32_t blocker) {
    uint32_t after = corners[blocker].waiting;
    corners[i].waits_at = blocker;
    corners[i].queued_before = GZ_NONE;
    corners[i].queued_after = after;
    if (after != GZ_NONE) corners[after].queued_before = i;
    corners[blocker].waiting = i;
}

static void stop_waiting(gz_corner *corners, uint32_t i) {
    gz_corner *corner = &corners[i];
    if (corner->waits_at == GZ_NONE) return;
    uint32_t before = corner->queued_before, after = corner->queued_after;
    if (before != GZ_NONE) {
        corners[before].queued_after = after;
    } else {
        corners[corner->waits_at].waiting = after;
    }
    if (after != GZ_NONE) corners[after].queued_before = before;
    corner->waits_at = GZ_NONE;
}

// Those that waited for this corner are looked at again.
static void release(cutter *c, uint32_t i) {
    gz_corner *corners = c->ring->corners;
    while (corners[i].waiting != GZ_NONE) {
        uint32_t w = corners[i].waiting;
        stop_waiting(corners, w);
        look_at(c, w);
    }
}

static int turn_at(const gz_ring *ring, uint32_t i) {
    const gz_corner *corners = ring->corners, *corner = &corners[i];
    return gz_planar_turn(corners[corner->previous].point, corner->point,
                          corners[corner->next].point);
}

// After a cut a corner may turn left at last; where a way there and back went, it may turn right.
static void update(cutter *c, uint32_t i) {
    gz_corner *corner = &c->ring->corners[i];
    bool reflex = turn_at(c->ring, i) <= 0, was = corner->reflex;
    corner->reflex = reflex;
    if (reflex && !corner->kept) {
        corner->kept = true;
        c->reflex[c->reflex_count++] = i;
    }
    if (was && !reflex) release(c, i);
    look_at(c, i);
}

// A reflex corner in the closed triangle, other than at its corners; GZ_NONE: an ear.
static uint32_t find_blocker(cutter *c, graze_vec2 a, graze_vec2 b, graze_vec2 d) {
    double left = fmin(a.x, fmin(b.x, d.x)), right = fmax(a.x, fmax(b.x, d.x));
    double bottom = fmin(a.y, fmin(b.y, d.y)), top = fmax(a.y, fmax(b.y, d.y));
    for (size_t k = 0; k < c->reflex_count;) {
        uint32_t i = c->reflex[k];
        gz_corner *corner = &c->ring->corners[i];
        if (corner->gone || !corner->reflex) {
            corner->kept = false;
            c->reflex[k] = c->reflex[--c->reflex_count];
            continue;
        }
        k++;
        graze_vec2 p = corner->point;
        if (p.x < left || p.x > right || p.y < bottom || p.y > top) continue;
        if (gz_planar_same(p, a) || gz_planar_same(p, b) || gz_planar_same(p, d)) continue;
        if (gz_planar_turn(a, b, p) >= 0 && gz_planar_turn(b, d, p) >= 0 &&
            gz_planar_turn(d, a, p) >= 0)
            return i;
    }
    return GZ_NONE;
}

// Sets the other side of half-edge h, which comes to lie along the ring's edge with that mark.
static void meet_side(gz_ring *ring, uint32_t h, uint32_t side) {
    if (side == GZ_NONE) return;
    if (side & GZ_BRIDGE) {
        uint32_t *first = &ring->bridge_sides[side & ~GZ_BRIDGE];
        if (*first == GZ_NONE) {
            *first = h;
            return;
        }
        side = *first;
    }
    ring->edges[h].twin = side;
    ring->edges[side].twin = h;
}

static void add_triangle(gz_ring *ring, uint32_t a, uint32_t b, uint32_t d) {
    uint32_t h = ring->edge_count;
    const uint32_t at[3] = {a, b, d};
    for (uint32_t k = 0; k < 3; k++) {
        ring->edges[h + k] = (gz_half_edge){.origin = ring->corners[at[k]].point,
                                            .next = h + (k + 1) % 3,
                                            .previous = h + (k + 2) % 3,
                                            .twin = GZ_NONE};
    }
    ring->edge_count += 3;
    meet_side(ring, h, ring->corners[a].side);
    meet_side(ring, h + 1, ring->corners[b].side);
}

// Takes corner b out of the ring; beyond the new edge lies `side`.
static void take_out(cutter *c, uint32_t b, uint32_t side) {
    gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    corners[b].gone = true;
    stop_waiting(corners, b);
    corners[a].next = d;
    corners[a].side = side;
    corners[d].previous = a;
    c->left--;
    release(c, b);
    update(c, a);
    update(c, d);
}

// Of points on a line.
static bool lies_between(graze_vec2 a, graze_vec2 b, graze_vec2 d) {
    return (gz_planar_before(a, b) && gz_planar_before(b, d)) ||
           (gz_planar_before(d, b) && gz_planar_before(b, a));
}

// Cuts the corner if it is an ear; else it waits.
static void try_corner(cutter *c, uint32_t b) {
    gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    int turn = turn_at(c->ring, b);
    // A reflex corner, or a point on a line, which may be a corner of what lies beyond: looked at
    // again when a neighbour is cut. The end of a way there and back holds nothing.
    if (turn == 0 && !lies_between(corners[a].point, corners[b].point, corners[d].point)) {
        take_out(c, b, GZ_NONE);
    }
    if (turn <= 0) return;
    uint32_t blocker = find_blocker(c, corners[a].point, corners[b].point, corners[d].point);
    if (blocker != GZ_NONE) {
        wait_at(corners, b, blocker);
        return;
    }
    uint32_t h = c->ring->edge_count;
    add_triangle(c->ring, a, b, d);
    if (c->left == 3) {
        meet_side(c->ring, h + 2, corners[d].side);
        c->left = 0;
        return;
    }
    take_out(c, b, h + 2);
}

graze_status gz_ring_cut(gz_ring *ring, graze_error *error) {
    // A corner is listed at most once at a time.
    cutter c = {.ring = ring, .left = ring->count};
    c.stack = gz_malloc(ring->count, sizeof *c.stack);
    c.reflex = gz_malloc(ring->count, sizeof *c.reflex);
    if (c.stack == NULL || c.reflex == NULL) {
        gz_free(c.stack);
        gz_free(c.reflex);
        return gz_fail_memory(error);
    }
    for (uint32_t i = ring->count; i-- > 0;) update(&c, i);
    while (c.left >= 3 && c.height > 0) {
        uint32_t b = c.stack[--c.height];
        ring->corners[b].listed = false;
        stop_waiting(ring->corners, b);
        if (ring->corners[b].gone) continue;
        try_corner(&c, b);
    }
    gz_free(c.stack);
    gz_free(c.reflex);
    if (c.left < 3) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "%u corners are left and none can be cut; allowed: simple polygons", c.left);
}
