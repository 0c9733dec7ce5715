// A polygon with holes as convex parts: bridges from the holes to the outline, then ear clipping,
// in which ears that make up a convex polygon are cut as one.
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

static int compare_holes(const void *a, const void *b) {
    hole p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return gz_planar_before(q.last, p.last) - gz_planar_before(p.last, q.last);
}

static uint32_t append(gz_ring *ring, graze_vec2 point) {
    ring->corners[ring->count] = (gz_corner){.point = point, .previous = GZ_NONE, .next = GZ_NONE};
    return ring->count++;
}

static void link(gz_ring *ring, uint32_t from, uint32_t to) {
    ring->corners[from].next = to;
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
static uint32_t find_corner(const gz_ring *ring, graze_vec2 m) {
    uint32_t best = GZ_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < ring->count; i++) {
        const gz_corner *corner = &ring->corners[i];
        graze_vec2 way = gz_vec2_minus(corner->point, m);
        double square = gz_vec2_dot(way, way);
        if (!(square < least) || !gz_planar_before(m, corner->point)) continue;
        if (!faces(ring, corner, m) || !is_visible(ring, 0, corner, m)) continue;
        least = square;
        best = i;
    }
    return best;
}

// Inserts a bridge and its hole: ... P, M, the hole, M again, P again, ...
static void bridge(gz_ring *ring, const gz_loops *loops, const hole *h, uint32_t corner) {
    uint32_t after = ring->corners[corner].next, last = corner;
    uint32_t first = loops->first[h->loop], size = loops->first[h->loop + 1] - first;
    for (uint32_t k = 0; k <= size; k++) {
        uint32_t i = append(ring, loops->points[first + (h->vertex - first + k) % size]);
        link(ring, last, i);
        last = i;
    }
    uint32_t again = append(ring, ring->corners[corner].point);
    link(ring, last, again);
    link(ring, again, after);
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
    for (uint32_t i = 0; i < ring->count; i++) link(ring, i, (i + 1) % ring->count);
    if (loops->count == 1) return GRAZE_OK;
    hole *holes = gz_malloc(loops->count - 1, sizeof *holes);
    graze_status status = holes ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) list_holes(holes, loops);
    for (uint32_t k = loops->count - 1; k-- > 0 && status == GRAZE_OK;) {
        uint32_t corner = find_corner(ring, holes[k].last);
        if (corner == GZ_NONE) {
            status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                             "no bridge from hole %u to the outline; allowed: holes inside",
                             holes[k].loop);
            break;
        }
        bridge(ring, loops, &holes[k], corner);
    }
    gz_free(holes);
    return status;
}

// Ear clipping: corners whose triangle contains no other corner are cut off one by one (Meisters
// 1975). Only reflex corners can block an ear. A corner that is no ear is tested again when a
// neighbour is cut, and, as long as that leads to more ears, when nothing else is left to test. An
// ear is added to the one cut before where they share an edge, and both are convex together.

typedef struct cutter {
    gz_ring *ring;
    uint32_t *stack; ///< corners to test; owned, and followed by the reflex ones
    size_t height;
    uint32_t *reflex; ///< reflex corners; some may have become convex
    size_t reflex_count;
    uint32_t left; ///< corners still in the ring
    graze_planar_parts *parts;
    double radius;
    graze_vec2 part[GRAZE_PLANAR_VERTEX_MAX]; ///< being cut: from corner `from` of the ring to `to`
    size_t part_count;
    uint32_t from, to;
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

// Removes corner b from the ring.
static void cut_off(cutter *c, uint32_t b) {
    gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    corners[b].cut = true;
    corners[a].next = d;
    corners[d].previous = a;
    c->left--;
    update(c, a);
    update(c, d);
}

// Whether corner b can be cut with the two beside it.
static bool can_cut(cutter *c, uint32_t b) {
    const gz_corner *corners = c->ring->corners;
    return turn_at(c->ring, b) > 0 && is_ear(c, corners[corners[b].previous].point,
                                             corners[b].point, corners[corners[b].next].point);
}

// Cuts corner b; of three corners, all.
static void cut_ear(cutter *c, uint32_t b) {
    if (c->left == 3)
        c->left = 0;
    else
        cut_off(c, b);
}

// Adds the ear at either end of the part that is being cut, if it and the part are convex together:
// the corner beyond follows the last, or goes before the first.
static bool extend(cutter *c, bool at_end) {
    const gz_corner *corners = c->ring->corners;
    size_t n = c->part_count;
    uint32_t end = at_end ? c->to : c->from;
    uint32_t beyond = at_end ? corners[end].next : corners[end].previous;
    graze_vec2 p = corners[beyond].point, *part = c->part;
    if (c->left < 3 || n == GRAZE_PLANAR_VERTEX_MAX) return false;
    if (gz_planar_turn(part[n - 2], part[n - 1], p) < 0 || gz_planar_turn(p, part[0], part[1]) < 0)
        return false;
    if (!can_cut(c, end)) return false;
    if (!at_end) memmove(part + 1, part, n * sizeof *part);
    part[at_end ? n : 0] = p;
    c->part_count++;
    *(at_end ? &c->to : &c->from) = beyond;
    cut_ear(c, end);
    return true;
}

// Cuts the corner if it is an ear, and what is convex with it.
static void try_corner(cutter *c, uint32_t b) {
    const gz_corner *corners = c->ring->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    // A point on a line may be a corner of what lies beyond. An edge that turns straight back
    // encloses nothing.
    if (turn_at(c->ring, b) == 0 &&
        !gz_planar_between(corners[a].point, corners[b].point, corners[d].point))
        cut_off(c, b);
    else if (can_cut(c, b)) {
        c->part[0] = corners[a].point;
        c->part[1] = corners[b].point;
        c->part[2] = corners[d].point;
        c->part_count = 3;
        c->from = a;
        c->to = d;
        cut_ear(c, b);
        while (extend(c, true) || extend(c, false)) continue;
        // What lies on a line between its neighbours is no corner.
        gz_planar_shape_fill_nearly(&c->parts->items[c->parts->count++], c->part, c->part_count,
                                    c->radius);
    }
}

graze_status gz_ring_cut(gz_ring *ring, graze_planar_parts *parts, double radius,
                         graze_error *error) {
    // A corner is listed at most once at a time.
    cutter c = {.ring = ring, .left = ring->count, .parts = parts, .radius = radius};
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
