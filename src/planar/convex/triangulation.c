// Polygons with holes as convex parts: ear clipping, in which ears that make up a convex polygon
// are cut as one, and diagonals to holes.
//
// A corner whose triangle with its neighbours contains no other corner is an ear, and cut off
// (Meisters 1975). Only reflex corners can block an ear. A corner that is no ear is tested again
// when a neighbour is cut, and, as long as that leads to more ears, when nothing else is left to
// test. An ear is added to the one cut before where they share an edge, and both are convex
// together.
//
// Where a hole is in the way, or no ear is left, a convex corner B is joined with the corner V in
// its triangle that is farthest from the line of its neighbours A and D. No edge can cross BV: of
// the triangle, the part on B's side of the parallel to AD through V contains no corner, and no
// edge crosses AB or BD (de Berg et al., Computational Geometry (2008), section 3.1). A diagonal to
// the same ring makes two of it, one to a hole makes the hole part of the ring.

#include <string.h>

#include "base/memory.h"
#include "planar/convex/convex_internal.h"

typedef struct cutter {
    gz_rings *rings;
    uint32_t *stack; ///< corners to test; owned, and followed by the reflex ones
    size_t height;
    uint32_t *reflex; ///< reflex corners; some may have become convex
    size_t reflex_count;
    uint32_t left; ///< corners still in a ring
    graze_planar_parts *parts;
    double radius;
    graze_vec2 part[GRAZE_PLANAR_VERTEX_MAX]; ///< being cut: from corner `from` of a ring to `to`
    size_t part_count;
    uint32_t from, to;
} cutter;

static void enqueue(cutter *c, uint32_t i) {
    gz_corner *corner = &c->rings->corners[i];
    if (corner->cut || corner->listed) return;
    corner->listed = true;
    c->stack[c->height++] = i;
}

static int turn_at(const cutter *c, uint32_t i) {
    const gz_corner *corners = c->rings->corners, *corner = &corners[i];
    return gz_planar_turn(corners[corner->previous].point, corner->point,
                          corners[corner->next].point);
}

// A corner may become convex when a neighbour is cut; at the end of a bridge it may become reflex.
static void update(cutter *c, uint32_t i) {
    gz_corner *corner = &c->rings->corners[i];
    corner->reflex = turn_at(c, i) <= 0;
    if (corner->reflex && !corner->kept) {
        corner->kept = true;
        c->reflex[c->reflex_count++] = i;
    }
    enqueue(c, i);
}

// A reflex corner in the closed triangle of corner b, other than at its corners: the one that is
// farthest from the line of the neighbours, or any. GZ_NONE for an ear.
static uint32_t find_blocker(cutter *c, uint32_t b_corner, bool farthest) {
    const gz_corner *corners = c->rings->corners;
    graze_vec2 a = corners[corners[b_corner].previous].point, b = corners[b_corner].point;
    graze_vec2 d = corners[corners[b_corner].next].point;
    double left = fmin(a.x, fmin(b.x, d.x)), right = fmax(a.x, fmax(b.x, d.x));
    double bottom = fmin(a.y, fmin(b.y, d.y)), top = fmax(a.y, fmax(b.y, d.y));
    uint32_t found = GZ_NONE;
    for (size_t k = 0; k < c->reflex_count && (farthest || found == GZ_NONE);) {
        uint32_t i = c->reflex[k];
        gz_corner *corner = &c->rings->corners[i];
        if (corner->cut || !corner->reflex) {
            corner->kept = false;
            c->reflex[k] = c->reflex[--c->reflex_count];
            continue;
        }
        k++;
        graze_vec2 p = corner->point;
        if (p.x < left || p.x > right || p.y < bottom || p.y > top) continue;
        if (gz_planar_same(p, a) || gz_planar_same(p, b) || gz_planar_same(p, d)) continue;
        if (gz_planar_turn(a, b, p) < 0 || gz_planar_turn(b, d, p) < 0 ||
            gz_planar_turn(d, a, p) < 0)
            continue;
        if (found == GZ_NONE || gz_direction_turn(a, d, corners[found].point, p) < 0) found = i;
    }
    return found;
}

// Removes corner b from its ring; of three corners, all.
static void cut_off(cutter *c, uint32_t b) {
    gz_corner *corners = c->rings->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    bool last = corners[d].next == a;
    corners[b].cut = true;
    corners[a].cut = corners[d].cut = last;
    c->left -= last ? 3 : 1;
    if (last) return;
    gz_corners_link(c->rings, a, d);
    update(c, a);
    update(c, d);
}

// Adds the ear at either end of the part that is being cut, if it and the part are convex together:
// the corner beyond follows the last, or goes before the first.
static bool extend(cutter *c, bool at_end) {
    const gz_corner *corners = c->rings->corners;
    size_t n = c->part_count;
    uint32_t end = at_end ? c->to : c->from;
    uint32_t beyond = at_end ? corners[end].next : corners[end].previous;
    graze_vec2 p = corners[beyond].point, *part = c->part;
    if (corners[end].cut || n == GRAZE_PLANAR_VERTEX_MAX) return false;
    if (gz_planar_turn(part[n - 2], part[n - 1], p) < 0 || gz_planar_turn(p, part[0], part[1]) < 0)
        return false;
    if (turn_at(c, end) <= 0 || find_blocker(c, end, false) != GZ_NONE) return false;
    if (!at_end) memmove(part + 1, part, n * sizeof *part);
    part[at_end ? n : 0] = p;
    c->part_count++;
    *(at_end ? &c->to : &c->from) = beyond;
    cut_off(c, end);
    return true;
}

// Whether the segment from the corner to p begins inside its ring.
static bool faces(const gz_corner *corners, const gz_corner *corner, graze_vec2 p) {
    graze_vec2 before = corners[corner->previous].point, at = corner->point;
    graze_vec2 after = corners[corner->next].point;
    bool left_of_first = gz_planar_turn(before, at, p) > 0;
    bool left_of_second = gz_planar_turn(at, after, p) > 0;
    if (gz_planar_turn(before, at, after) > 0) return left_of_first && left_of_second;
    return left_of_first || left_of_second;
}

// Draws a diagonal from corner b to the point of another: the corner there that faces b.
static bool draw_diagonal(cutter *c, uint32_t b, graze_vec2 to) {
    gz_rings *rings = c->rings;
    gz_corner *corners = rings->corners;
    uint32_t v = 0;
    while (v < rings->count && (corners[v].cut || !gz_planar_same(corners[v].point, to) ||
                                !faces(corners, &corners[v], corners[b].point)))
        v++;
    if (v == rings->count || rings->count + 2 > rings->most) return false;
    for (uint32_t i = v; corners[i].hole; i = corners[i].next) corners[i].hole = false;
    // ..., B, V, ... on one side of it, ..., V again, B again, ... on the other.
    uint32_t again_v = rings->count++, again_b = rings->count++;
    corners[again_v] = (gz_corner){.point = corners[v].point};
    corners[again_b] = (gz_corner){.point = corners[b].point};
    gz_corners_link(rings, corners[v].previous, again_v);
    gz_corners_link(rings, again_b, corners[b].next);
    gz_corners_link(rings, again_v, again_b);
    gz_corners_link(rings, b, v);
    c->left += 2;
    update(c, b);
    update(c, v);
    update(c, again_v);
    update(c, again_b);
    return true;
}

// Cuts the corner if it is an ear, and what is convex with it.
static void try_corner(cutter *c, uint32_t b) {
    const gz_corner *corners = c->rings->corners;
    uint32_t a = corners[b].previous, d = corners[b].next;
    int turn = turn_at(c, b);
    // A point on a line may be a corner of what lies beyond; an edge straight back encloses
    // nothing.
    if (turn == 0 && !gz_planar_between(corners[a].point, corners[b].point, corners[d].point))
        cut_off(c, b);
    uint32_t blocker = turn > 0 ? find_blocker(c, b, true) : GZ_NONE;
    if (blocker != GZ_NONE && corners[blocker].hole && !corners[b].hole)
        (void)draw_diagonal(c, b, corners[blocker].point); // early, which leaves larger parts
    if (turn > 0 && blocker == GZ_NONE) {
        const graze_vec2 ear[3] = {corners[a].point, corners[b].point, corners[d].point};
        memcpy(c->part, ear, sizeof ear);
        c->part_count = 3;
        c->from = a;
        c->to = d;
        cut_off(c, b);
        while (extend(c, true) || extend(c, false)) continue;
        // What lies on a line between its neighbours is no corner.
        gz_planar_shape_fill_nearly(&c->parts->items[c->parts->count++], c->part, c->part_count,
                                    c->radius);
    }
}

// Draws a diagonal from the first corner that can have one.
static bool divide(cutter *c) {
    for (uint32_t b = 0; b < c->rings->count; b++) {
        if (c->rings->corners[b].cut || turn_at(c, b) <= 0) continue;
        uint32_t v = find_blocker(c, b, true);
        if (v != GZ_NONE && draw_diagonal(c, b, c->rings->corners[v].point)) return true;
    }
    return false;
}

graze_status gz_rings_cut(gz_rings *rings, graze_planar_parts *parts, double radius,
                          graze_error *error) {
    // A corner is listed at most once at a time.
    cutter c = {.rings = rings, .left = rings->count, .parts = parts, .radius = radius};
    c.stack = gz_malloc(rings->most, 2 * sizeof *c.stack);
    if (c.stack == NULL) return gz_fail_memory(error);
    c.reflex = c.stack + rings->most;
    for (uint32_t i = rings->count; i-- > 0;) update(&c, i);
    for (uint32_t before = UINT32_MAX; c.left > 0;) {
        if (c.left == before && !divide(&c)) break;
        before = c.left;
        while (c.height > 0) {
            uint32_t b = c.stack[--c.height];
            rings->corners[b].listed = false;
            if (!rings->corners[b].cut) try_corner(&c, b);
        }
        for (uint32_t i = rings->count; i-- > 0;) enqueue(&c, i);
    }
    gz_free(c.stack);
    if (c.left == 0) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "%u corners are left and none can be cut; allowed: simple polygons", c.left);
}
