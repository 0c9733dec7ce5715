// Triangulation of a polygon with holes: bridges from the holes to the outline, then ear clipping.
//
// Bridges (Eberly, "Triangulation by ear clipping", section 3) are edges there and back, found by
// exact visibility. Holes are joined in the order of their last vertices M (by x, then y), the last
// of all first. What is not joined yet lies before M then, so a bridge to a corner P after M can
// only intersect the ring. Such a P exists: the ray from M along +x hits the ring, and of the
// triangle between it and that edge's later end, either the end or a corner inside is visible from
// M.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planar/convex/convex_internal.h"

typedef struct hole {
    graze_vec2 last;
    uint32_t vertex, loop;
} hole;

typedef struct candidate {
    double square;
    uint32_t corner;
} candidate;

static int compare_holes(const void *a, const void *b) {
    hole p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return gz_planar_before(q.last, p.last) - gz_planar_before(p.last, q.last);
}

static int compare_candidates(const void *a, const void *b) {
    candidate p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    int order = (p.square > q.square) - (p.square < q.square);
    return order != 0 ? order : (p.corner > q.corner) - (p.corner < q.corner);
}

static uint32_t append(gz_ring *ring, graze_vec2 point) {
    ring->corners[ring->count] = (gz_corner){
        .point = point, .side = GZ_NONE, .previous = GZ_NONE, .next = GZ_NONE};
    return ring->count++;
}

static void link(gz_ring *ring, uint32_t from, uint32_t to, uint32_t side) {
    ring->corners[from].next = to;
    ring->corners[from].side = side;
    ring->corners[to].previous = from;
}

// Whether the segment from the corner to p begins inside the ring.
static bool faces(const gz_ring *ring, const gz_corner *corner, graze_vec2 p) {
    graze_vec2 before = ring->corners[corner->previous].point, at = corner->point;
    graze_vec2 after = ring->corners[corner->next].point;
    bool left_of_first = gz_planar_turn(before, at, p) > 0;
    bool left_of_second = gz_planar_turn(at, after, p) > 0;
    if (gz_planar_turn(before, at, after) > 0) return left_of_first && left_of_second;
    return left_of_first || left_of_second;
}

// Whether no edge of the ring intersects the segment from the corner to p.
static bool is_visible(const gz_ring *ring, uint32_t start, const gz_corner *corner, graze_vec2 p) {
    uint32_t i = start;
    do {
        graze_vec2 a = ring->corners[i].point;
        i = ring->corners[i].next;
        graze_vec2 b = ring->corners[i].point;
        bool at_a = gz_planar_same(a, corner->point), at_b = gz_planar_same(b, corner->point);
        if (!at_a && !at_b && gz_segments_intersect(a, b, corner->point, p)) return false;
        // An edge that ends in the corner's point lies on the segment or intersects it there alone.
        graze_vec2 other = at_a ? b : a;
        if (at_a != at_b && gz_segments_intersect(other, other, corner->point, p)) return false;
    } while (i != start);
    return true;
}

// The corner that the hole is joined to: the nearest after M that is visible from it.
static uint32_t find_corner(const gz_ring *ring, candidate *candidates, graze_vec2 m) {
    size_t count = 0;
    for (uint32_t i = 0; i < ring->count; i++) {
        graze_vec2 p = ring->corners[i].point;
        if (!gz_planar_before(m, p)) continue;
        candidates[count++] = (candidate){(p.x - m.x) * (p.x - m.x) + (p.y - m.y) * (p.y - m.y), i};
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t k = 0; k < count; k++) {
        const gz_corner *corner = &ring->corners[candidates[k].corner];
        if (faces(ring, corner, m) && is_visible(ring, 0, corner, m)) return candidates[k].corner;
    }
    return GZ_NONE;
}

// Inserts a bridge and its hole: ... P, M, the hole, M again, P again, ...
static void bridge(gz_ring *ring, const gz_loops *loops, const hole *h, uint32_t corner,
                   uint32_t number) {
    uint32_t after = ring->corners[corner].next, side = ring->corners[corner].side;
    uint32_t first = loops->first[h->loop], size = loops->first[h->loop + 1] - first;
    uint32_t last = corner;
    for (uint32_t k = 0; k <= size; k++) {
        uint32_t i = append(ring, loops->points[first + (h->vertex - first + k) % size]);
        link(ring, last, i, k == 0 ? GZ_BRIDGE | number : GZ_NONE);
        last = i;
    }
    uint32_t again = append(ring, ring->corners[corner].point);
    link(ring, last, again, GZ_BRIDGE | number);
    link(ring, again, after, side);
}

static void list_holes(hole *holes, const gz_loops *loops) {
    for (uint32_t l = 1; l < loops->count; l++) {
        hole *h = &holes[l - 1];
        *h = (hole){loops->points[loops->first[l]], loops->first[l], l};
        for (uint32_t i = loops->first[l]; i < loops->first[l + 1]; i++) {
            if (!gz_planar_before(h->last, loops->points[i])) continue;
            h->last = loops->points[i];
            h->vertex = i;
        }
    }
    qsort(holes, loops->count - 1, sizeof *holes, compare_holes);
}

graze_status gz_ring_join(gz_ring *ring, const gz_loops *loops, graze_error *error) {
    for (uint32_t i = 0; i < loops->first[1]; i++) append(ring, loops->points[i]);
    for (uint32_t i = 0; i < ring->count; i++) link(ring, i, (i + 1) % ring->count, GZ_NONE);
    if (loops->count == 1) return GRAZE_OK;
    hole *holes = gz_malloc(loops->count - 1, sizeof *holes);
    candidate *candidates = gz_malloc((size_t)loops->size + 2 * (size_t)loops->count,
                                      sizeof *candidates);
    graze_status status = holes && candidates ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) list_holes(holes, loops);
    for (uint32_t k = loops->count - 1; k-- > 0 && status == GRAZE_OK;) {
        uint32_t corner = find_corner(ring, candidates, holes[k].last);
        if (corner == GZ_NONE) {
            status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                             "no bridge from hole %u to the outline; allowed: holes inside",
                             holes[k].loop);
            break;
        }
        bridge(ring, loops, &holes[k], corner, k);
    }
    gz_free(holes);
    gz_free(candidates);
    return status;
}

// Ear clipping: corners whose triangle contains no other corner are cut off one by one (Meisters
// 1975). Only reflex corners can block an ear. A corner that is no ear is tested again when a
// neighbour is cut, and, as long as that leads to more ears, when nothing else is left to test.

typedef struct cutter {
    gz_ring *ring;
    uint32_t *stack; ///< corners to test; owned, and followed by the reflex ones
    size_t height;
    uint32_t *reflex; ///< reflex corners; some may have become convex
    size_t reflex_count;
    uint32_t left; ///< corners still in the ring
} cutter;

static void enqueue(cutter *c, uint32_t i) {
    gz_corner *corner = &c->ring->corners[i];
    if (corner->cut || corner->listed) return;
    corner->listed = true;
    c->stack[c->height++] = i;
}

static int turn_at(const gz_ring *ring, uint32_t i) {
    const gz_corner *corners = ring->corners, *corner = &corners[i];
    return gz_planar_turn(corners[corner->previous].point, corner->point,
                          corners[corner->next].point);
}

// A corner may become convex when a neighbour is cut; at the end of a bridge it may become reflex.
static void update(cutter *c, uint32_t i) {
    gz_corner *corner = &c->ring->corners[i];
    corner->reflex = turn_at(c->ring, i) <= 0;
    if (corner->reflex && !corner->kept) {
        corner->kept = true;
        c->reflex[c->reflex_count++] = i;
    }
    enqueue(c, i);
}

// Whether no reflex corner lies in the closed triangle, other than at its corners.
static bool is_ear(cutter *c, graze_vec2 a, graze_vec2 b, graze_vec2 d) {
    double left = fmin(a.x, fmin(b.x, d.x)), right = fmax(a.x, fmax(b.x, d.x));
    double bottom = fmin(a.y, fmin(b.y, d.y)), top = fmax(a.y, fmax(b.y, d.y));
    for (size_t k = 0; k < c->reflex_count;) {
        uint32_t i = c->reflex[k];
        gz_corner *corner = &c->ring->corners[i];
        if (corner->cut || !corner->reflex) {
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
            return false;
    }
    return true;
}

// Links half-edge h to its twin across the edge of the ring with the mark `side`.
static void set_twin(gz_ring *ring, uint32_t h, uint32_t side) {
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
    set_twin(ring, h, ring->corners[a].side);
    set_twin(ring, h + 1, ring->corners[b].side);
}

// Removes corner b from the ring; beyond the new edge lies `side`.
static void cut_off(cutter *c, uint32_t b, uint32_t side) {
    gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    corners[b].cut = true;
    corners[a].next = d;
    corners[a].side = side;
    corners[d].previous = a;
    c->left--;
    update(c, a);
    update(c, d);
}

// Cuts the corner if it is an ear.
static void try_corner(cutter *c, uint32_t b) {
    gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    int turn = turn_at(c->ring, b);
    // A reflex corner, or a point on a line, which may be a corner of what lies beyond: tested
    // again when a neighbour is cut. An edge that turns straight back encloses nothing.
    if (turn == 0 && !gz_planar_between(corners[a].point, corners[b].point, corners[d].point))
        cut_off(c, b, GZ_NONE);
    if (turn <= 0) return;
    if (!is_ear(c, corners[a].point, corners[b].point, corners[d].point)) return;
    uint32_t h = c->ring->edge_count;
    add_triangle(c->ring, a, b, d);
    if (c->left == 3) {
        set_twin(c->ring, h + 2, corners[d].side);
        c->left = 0;
        return;
    }
    cut_off(c, b, h + 2);
}

graze_status gz_ring_cut(gz_ring *ring, graze_error *error) {
    // A corner is listed at most once at a time.
    cutter c = {.ring = ring, .left = ring->count};
    c.stack = gz_malloc(ring->count, 2 * sizeof *c.stack);
    if (c.stack == NULL) return gz_fail_memory(error);
    c.reflex = c.stack + ring->count;
    for (uint32_t i = ring->count; i-- > 0;) update(&c, i);
    for (uint32_t before = ring->count + 1; c.left >= 3 && c.left < before;) {
        before = c.left;
        while (c.left >= 3 && c.height > 0) {
            uint32_t b = c.stack[--c.height];
            ring->corners[b].listed = false;
            if (!ring->corners[b].cut) try_corner(&c, b);
        }
        for (uint32_t i = ring->count; c.left >= 3 && i-- > 0;) enqueue(&c, i);
    }
    gz_free(c.stack);
    if (c.left < 3) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "%u corners are left and none can be cut; allowed: simple polygons", c.left);
}
