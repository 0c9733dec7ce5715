// Holes joined with the outline by bridges, there and back (Eberly, "Triangulation by ear
// clipping", section 3), found by exact visibility.
//
// Holes are taken in the order of their last vertices M (by x, then y), the last of all first. What
// is not joined yet lies before M then, so a bridge to a corner P after M can only meet the ring.
// Such a P exists: the ray from M along +x meets the ring, and of the triangle between it and that
// edge's later end, either the end or a corner inside is seen from M.
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
    ring->corners[ring->count] = (gz_corner){.point = point,
                                             .side = GZ_NONE,
                                             .waiting = GZ_NONE,
                                             .waits_at = GZ_NONE,
                                             .queued_before = GZ_NONE,
                                             .queued_after = GZ_NONE,
                                             .previous = GZ_NONE,
                                             .next = GZ_NONE};
    return ring->count++;
}

static void link(gz_ring *ring, uint32_t from, uint32_t to, uint32_t side) {
    ring->corners[from].next = to;
    ring->corners[from].side = side;
    ring->corners[to].previous = from;
}

// Whether the way from the corner to p begins inside the ring.
static bool opens_to(const gz_ring *ring, const gz_corner *corner, graze_vec2 p) {
    graze_vec2 before = ring->corners[corner->previous].point, at = corner->point;
    graze_vec2 after = ring->corners[corner->next].point;
    bool left_of_first = gz_planar_turn(before, at, p) > 0;
    bool left_of_second = gz_planar_turn(at, after, p) > 0;
    if (gz_planar_turn(before, at, after) > 0) return left_of_first && left_of_second;
    return left_of_first || left_of_second;
}

// Whether nothing of the ring lies on the way from the corner to p.
static bool sees(const gz_ring *ring, uint32_t start, const gz_corner *corner, graze_vec2 p) {
    uint32_t i = start;
    do {
        graze_vec2 a = ring->corners[i].point;
        i = ring->corners[i].next;
        graze_vec2 b = ring->corners[i].point;
        bool at_a = gz_planar_same(a, corner->point), at_b = gz_planar_same(b, corner->point);
        if (!at_a && !at_b && gz_segments_meet(a, b, corner->point, p)) return false;
        // An edge that ends in the corner's point lies on the way or meets it there alone.
        graze_vec2 other = at_a ? b : a;
        if (at_a != at_b && gz_segments_meet(other, other, corner->point, p)) return false;
    } while (i != start);
    return true;
}

// The corner that the hole is joined to: the nearest after M that sees it.
static uint32_t find_corner(const gz_ring *ring, candidate *room, graze_vec2 m) {
    size_t count = 0;
    for (uint32_t i = 0; i < ring->count; i++) {
        graze_vec2 p = ring->corners[i].point;
        if (!gz_planar_before(m, p)) continue;
        room[count++] = (candidate){(p.x - m.x) * (p.x - m.x) + (p.y - m.y) * (p.y - m.y), i};
    }
    qsort(room, count, sizeof *room, compare_candidates);
    for (size_t k = 0; k < count; k++) {
        const gz_corner *corner = &ring->corners[room[k].corner];
        if (opens_to(ring, corner, m) && sees(ring, 0, corner, m)) return room[k].corner;
    }
    return GZ_NONE;
}

// ... P, M, the hole, M again, P again, ...
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
    candidate *room = gz_malloc((size_t)loops->size + 2 * (size_t)loops->count, sizeof *room);
    graze_status status = holes && room ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) list_holes(holes, loops);
    for (uint32_t k = loops->count - 1; k-- > 0 && status == GRAZE_OK;) {
        uint32_t corner = find_corner(ring, room, holes[k].last);
        if (corner == GZ_NONE) {
            status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                             "no bridge from hole %u to the outline; allowed: holes inside",
                             holes[k].loop);
            break;
        }
        bridge(ring, loops, &holes[k], corner, k);
    }
    gz_free(holes);
    gz_free(room);
    return status;
}
