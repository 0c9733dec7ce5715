// The distance of two meshes where their convex hulls are nearest, as those of a robot's links
// mostly are: included by tree_distance.inl.
//
// The algorithm of Gilbert, Johnson and Keerthi (1988) finds the direction between the hulls, first
// by the support points of the proxies, then by all vertices, whose least along a direction is
// found in the tree. The gap of all vertices along any direction is a lower bound of the distance,
// and where the hulls' nearest points lie on the surfaces it is all of it. So near this plane of
// either mesh there are few packets, and among them the nearest triangles.
//
// A gap along a direction of length 1 is off by less than 4 box_pad: gz_proxy_pair_grow() derives
// what the transform between the frames, the direction's in the other one, products and sums of
// boxes are off by, 60 u S |d|_1; no more than 60 sqrt 3 u S = 104 u S of 160 u S, the rest for a
// length that is off by 4 u. Of the pad the parts besides u S are the same.

#include <string.h>

#include "base/float_environment.h"

/// Steps of the search on support points, and on all vertices.
#define HULL_STEPS  16
#define HULL_PROVES 4
/// Up to which share of the distance the gap of the hulls is found.
#define HULL_COARSE 0.02f
#define HULL_FINE   1e-3f
/// Packets of both that points are sought in, at most.
#define UPPER_STEPS 3
/// Lists of packets near a plane have room for so many.
#define SLAB_PACKETS 24

static inline void spread_direction(const float direction[3], gz_f8 d[3], gz_f8 size[3]) {
    for (int k = 0; k < 3; k++) {
        d[k] = gz_f8_all(direction[k]);
        size[k] = gz_f8_abs(d[k]);
    }
}

/// The least of a packet; of the vertex where it is less than what is known.
static inline void consider_packet(const gz_packet *packet, const gz_f8 d[3], gz_least_point *out) {
    gz_f8 all = least_of(along(packet->vertex[0], d), along(packet->vertex[1], d),
                         along(packet->vertex[2], d));
    float least = gz_f8_least(all);
    if (!(least < out->least)) return;
    out->least = least;
    lowest_vertex(packet, d, out->point);
}

/// Looks for a vertex that is less along a direction than a known one: none is less than what is
/// found by more than `slack`.
static void find_least_vertex(const graze_mesh *mesh, const float direction[3], float slack,
                              gz_least_point *out) {
    struct {
        int32_t reference;
        float low;
    } stack[GZ_TREE_STACK];
    gz_f8 d[3], size[3];
    int top = 1;
    stack[0].reference = mesh->root;
    stack[0].low = -INFINITY;
    spread_direction(direction, d, size);
    while (top) {
        float values[GZ_WIDTH], low = stack[--top].low;
        int32_t reference = stack[top].reference;
        if (low > out->least - slack) continue;
        if (reference < 0) {
            consider_packet(&mesh->packets[~reference], d, out);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 lows = gz_f8_sub(along(node->center, d), along(node->half, size));
        unsigned near = ~gz_f8_mask(gz_f8_greater(lows, gz_f8_all(out->least - slack))) &
                        ((1u << node->count) - 1);
        if (!near) continue;
        gz_f8_store(values, lows);
        int least = gz_f8_least_lane(lows);
        for (near &= ~(1u << least); near; near &= near - 1, top++) {
            stack[top].reference = node->child[__builtin_ctz(near)];
            stack[top].low = values[__builtin_ctz(near)];
        }
        stack[top].reference = node->child[least];
        stack[top++].low = values[least];
    }
}

static inline const gz_point_set *supports_of(const graze_mesh *mesh) {
    return mesh->proxy && mesh->proxy->support.count > 0 ? &mesh->proxy->support : NULL;
}

/// Whether a mesh's hull says something: a scene's does not.
static inline bool has_hull(const graze_mesh *mesh) {
    return !mesh->proxy || (supports_of(mesh) && !mesh->proxy->clearance.cell_count);
}

/// The least along a direction of a mesh's support points, or of its vertices where it has none.
static gz_least_point find_support(const graze_mesh *mesh, const float direction[4], float slack) {
    gz_least_point out = {.least = INFINITY};
    const gz_point_set *set = supports_of(mesh);
    if (set) {
        least_lanes lanes = find_least_lanes(set, direction);
        out.least = pick_least(set, &lanes, out.point);
    } else {
        find_least_vertex(mesh, direction, slack, &out);
    }
    return out;
}

static inline float hull_gap(const gz_hull_step *s) {
    return (s->a.least + s->shift) + s->b.least;
}

/// Makes the direction's length 1, places it in both frames, and finds the support points, unless
/// that is done. False where it has no length: the hulls overlap.
static bool set_step(gz_hull_search *h) {
    gz_hull_step *at = &h->step;
    if (at->known) return true;
    float length = sqrtf(gz_f4_dot(h->way, h->way));
    if (!(length > 1e-30f && length < 1e30f)) return false;
    h->way = gz_f4_mul(h->way, gz_f4_all(1 / length));
    gz_f4_store(at->d, h->way);
    gz_f4_store(at->back, gz_f4_sub(gz_f4_all(0), h->way));
    gz_f4_store(at->da, combine(h->frames.row, at->d[0], at->d[1], at->d[2], gz_f4_all(0)));
    at->shift = gz_f4_dot(h->frames.shift, h->way);
    at->a = find_support(h->a, at->da, h->pad);
    at->b = find_support(h->b, at->back, h->pad);
    return at->known = true;
}

/// Adds the points of a step to the simplex; goes on towards what is nearest of it.
static inline void take_step(gz_hull_search *h) {
    const float *a = h->step.a.point, *b = h->step.b.point;
    const gz_f4 of_b = gz_f4_set(b[0], b[1], b[2], 0),
                p = gz_f4_sub(combine(h->frames.column, a[0], a[1], a[2], h->frames.shift), of_b);
    h->simplex.p[h->simplex.count++] = p;
    if (h->point_count < GZ_HULL_POINTS) {
        h->point[h->point_count] = p;
        h->of_b[h->point_count++] = of_b;
    }
    h->way = nearest_on_simplex(&h->simplex);
    h->step.known = false;
    float square = gz_f4_dot(h->way, h->way);
    h->beyond = square > 1e-36f ? gz_f4_dot(h->simplex.p[0], h->way) / sqrtf(square) : 0;
}

/// Finds the direction between the hulls of the support points, and returns their gap along it; 0
/// where they overlap.
static float search_supports(gz_hull_search *h, float most, float share) {
    for (int i = 0;; i++) {
        if (!set_step(h)) return 0;
        float gap = hull_gap(&h->step);
        if (i == HULL_STEPS || gap > most || h->beyond - gap <= share * h->beyond) return gap;
        take_step(h);
    }
}

/// How far what is least may be above what is proved: where the gap of the support points is beyond
/// the limit a third of that, else a share of it, but nothing finer than rounding.
static inline float choose_slack(const gz_tree_search *s, float gap, float share) {
    float beyond = (gap - s->candidates->limit) * 0.3f;
    return fmaxf(fmaxf(beyond, gap * share), s->pair.box_pad);
}

/// The gap of all vertices along the directions of a few more steps: keeps the widest.
static void prove_gap(gz_tree_search *s, gz_hull_search *h, int steps, float fine, float share) {
    for (int i = 0; i < steps; i++) {
        gz_hull_step *at = &h->step;
        if (!set_step(h)) break;
        const float slack = choose_slack(s, hull_gap(at), share),
                    pad = 2 * slack + 4 * s->pair.box_pad;
        if (supports_of(s->pair.a)) find_least_vertex(s->pair.a, at->da, slack, &at->a);
        if (supports_of(s->pair.b)) find_least_vertex(s->pair.b, at->back, slack, &at->b);
        float gap = hull_gap(at);
        if (gap - pad > s->hull.gap) {
            s->hull.gap = gap - pad;
            s->hull.plane[0] = slack - (at->a.least + at->shift);
            s->hull.plane[1] = at->b.least - slack;
            for (int k = 0; k < 3; k++) s->hull.n[k] = at->back[k];
        }
        take_step(h);
        if (h->beyond - gap <= fine * h->beyond || h->simplex.count == 4 ||
            s->hull.gap > s->candidates->limit)
            break;
    }
}

static float hull_square(const gz_tree_search *s) {
    return s->hull.gap * s->hull.gap * GZ_ROUND_DOWN_FEW;
}

/// Whether the hulls are worth a look; and the square of a lower bound of the distance, by boxes.
static gz_near_entry begin_hulls(gz_tree_search *s) {
    const gz_tree_pair *p = &s->pair;
    gz_near_entry root = gz_near_root(s);
    s->hull.stage = GZ_HULL_NONE;
    if (s->trees_only || !p->b || !has_hull(p->a) || !has_hull(p->b) || (root.a < 0 && root.b < 0))
        return root;
    bool of_b;
    const gz_node *node = larger_node(p, root, &of_b);
    root.square = gz_f8_least(entry_squares(s, root, node, of_b, INFINITY));
    s->hull.stage = GZ_HULL_BOXES;
    return root;
}

/// Looks for the gap between the hulls. Returns the square of a lower bound of the distance; 0
/// where none is known.
static float bound_hulls(gz_tree_search *s) {
    const gz_tree_pair *p = &s->pair;
    s->hull.gap = 0;
    s->hull.stage = GZ_HULL_NONE;
    gz_hull_search *h = &s->hull.search;
    const float way[3] = {-s->frame[1][2][0], -s->frame[1][2][1], -s->frame[1][2][2]};
    gz_hull_begin(h, p->a, p->b, (const float(*)[3])p->to_b, p->to_b_shift, p->box_pad, way);
    if (search_supports(h, s->candidates->limit + 4 * p->box_pad, HULL_COARSE) == 0) return 0;
    prove_gap(s, h, 1, 0, HULL_COARSE / 2);
    if (s->hull.gap > 0) s->hull.stage = GZ_HULL_FOUND;
    return hull_square(s);
}

/// Goes on where bound_hulls() has stopped.
static void refine_hulls(gz_tree_search *s) {
    gz_hull_search *h = &s->hull.search;
    if (h->simplex.count < 4 && h->beyond - s->hull.gap > HULL_FINE * h->beyond)
        prove_gap(s, h, HULL_PROVES, HULL_FINE, 0);
}

// ------------------------------------------------------------------------- hulls that are apart

/// A lower bound of the gap along a step's direction, by the balls around support points.
static inline float ball_gap(const gz_hull_search *h) {
    const gz_hull_step *at = &h->step;
    return (ball_least(h->a->proxy, at->da) + at->shift) + ball_least(h->b->proxy, at->back);
}

/// Whether the gap of all vertices along a step's direction is above that; the step has points that
/// are less, where there are. Each round finds less, or proves it.
static bool step_proves(gz_hull_search *h, float need) {
    gz_hull_step *at = &h->step;
    for (float gap = hull_gap(at), before = INFINITY; gap > need && gap < before;) {
        const float slack = 0.25f * (gap - need);
        find_least_vertex(h->a, at->da, slack, &at->a);
        find_least_vertex(h->b, at->back, slack, &at->b);
        before = gap;
        gap = hull_gap(at);
        if (gap - 2 * slack > need) return true;
    }
    return false;
}

/// Along the last direction, then along those of more steps. A gap is off by the pad times |d|_1 <=
/// sqrt 3, of which twice the pad is left for; a length of 1 rounds by 4 u.
static bool hulls_apart(gz_hull_search *h, float distance) {
    const float need = distance * (1 + 0x1p-18f) + 2 * h->pad;
    for (int i = 0; i < HULL_STEPS && h->simplex.count < 4 && set_step(h); i++) {
        if (ball_gap(h) > need || step_proves(h, need)) return true;
        take_step(h);
        if (!(h->beyond > need)) break;
    }
    return false;
}

// ------------------------------------------------------------------------- packets near the planes

/// A box in the search's frame.
typedef struct slab_box {
    float low[3], high[3];
} slab_box;

/// Packets of a mesh that are near a box, their boxes, and the box around them.
typedef struct slab {
    slab_box all;
    int count;
    int32_t packet[SLAB_PACKETS];
    float low[3][SLAB_PACKETS], high[3][SLAB_PACKETS]; ///< of unused lanes anything
} slab;

/// A mesh's places in the search's frame.
typedef struct slab_frame {
    const graze_mesh *mesh;
    const float (*axis)[3];
    float shift[3];
} slab_frame;

/// Adds the squares of the gaps along one axis.
static inline gz_f8 add_slab_gap(gz_f8 square, gz_f8 low, gz_f8 high, const slab_box *other, int i,
                                 float pad) {
    gz_f8 gap = gz_f8_max(gz_f8_sub(low, gz_f8_all(other->high[i] + pad)),
                          gz_f8_sub(gz_f8_all(other->low[i] - pad), high));
    return add_gap(square, gap);
}

static inline unsigned not_above(gz_f8 square, float most) {
    return ~gz_f8_mask(gz_f8_greater(square, gz_f8_all(most))) & 0xff;
}

/// The children of a node that are near; along the last axis most are not.
static inline unsigned near_children(const slab_frame *f, const gz_node *node,
                                     const slab_box *other, float pad, float most) {
    gz_f8 square = gz_f8_all(0);
    unsigned near = (1u << node->count) - 1;
    for (int i = 2; i >= 0 && near; i--) {
        gz_f8 d[3], size[3];
        spread_direction(f->axis[i], d, size);
        gz_f8 middle = gz_f8_add(along(node->center, d), gz_f8_all(f->shift[i])),
              half = along(node->half, size);
        square = add_slab_gap(square, gz_f8_sub(middle, half), gz_f8_add(middle, half), other, i,
                              pad);
        near &= not_above(square, most);
    }
    return near;
}

/// Adds a packet that is near. False where there is no room for it.
static inline bool list_packet(const slab_frame *f, int32_t packet, const slab_box *other,
                               float pad, float most, slab *out) {
    gz_f8 low[3], high[3], square = gz_f8_all(0);
    for (int i = 2; i >= 0; i--) {
        gz_f8 x[3];
        place_corners(&f->mesh->packets[packet], f->axis[i], f->shift[i], x);
        low[i] = least_of(x[0], x[1], x[2]);
        high[i] = most_of(x[0], x[1], x[2]);
        square = add_slab_gap(square, low[i], high[i], other, i, pad);
        if (!not_above(square, most)) return true;
    }
    if (out->count == SLAB_PACKETS) return false;
    const int at = out->count++;
    out->packet[at] = packet;
    for (int i = 0; i < 3; i++) {
        out->low[i][at] = gz_f8_least(low[i]);
        out->high[i][at] = -gz_f8_least(gz_f8_sub(gz_f8_all(0), high[i]));
        out->all.low[i] = fminf(out->all.low[i], out->low[i][at]);
        out->all.high[i] = fmaxf(out->all.high[i], out->high[i][at]);
    }
    return true;
}

/// Lists the packets that are nearer to a box than a limit. False where there are too many.
static bool fill_slab(const slab_frame *f, const slab_box *other, float pad, float limit,
                      slab *out) {
    const float most = limit_square(limit);
    gz_traversal walk;
    gz_traversal_start(&walk, f->mesh->root);
    out->count = 0;
    for (int i = 0; i < 3; i++) {
        out->all.low[i] = INFINITY;
        out->all.high[i] = -INFINITY;
    }
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        if (reference < 0) {
            if (!list_packet(f, ~reference, other, pad, most, out)) return false;
            continue;
        }
        const gz_node *node = &f->mesh->nodes[reference];
        gz_traversal_add(&walk, node, near_children(f, node, other, pad, most));
    }
    return true;
}

/// Lists the packets of both that are near enough to each other. False where there are too many.
static bool fill_slabs(const slab_frame f[2], const float plane[2], float pad, float limit,
                       slab out[2]) {
    slab_box half[2];
    for (int k = 0; k < 2; k++) // before a's plane, beyond b's
        half[k] = (slab_box){.low = {-INFINITY, -INFINITY, k ? plane[1] : -INFINITY},
                             .high = {INFINITY, INFINITY, k ? INFINITY : plane[0]}};
    if (fill_slab(&f[0], &half[1], pad, limit, &out[0]))
        return fill_slab(&f[1], &out[0].all, pad, limit, &out[1]);
    return fill_slab(&f[1], &half[0], pad, limit, &out[1]) &&
           fill_slab(&f[0], &out[1].all, pad, limit, &out[0]);
}

/// The packets of b, a bit each, that are nearer to one of a than the limit.
static uint32_t near_packets(const slab *a, int own, const slab *b, float pad, float limit) {
    slab_box box;
    uint32_t near = 0;
    for (int i = 0; i < 3; i++) {
        box.low[i] = a->low[i][own];
        box.high[i] = a->high[i][own];
    }
    for (int k = 0; k < b->count; k += GZ_WIDTH) {
        gz_f8 square = gz_f8_all(0);
        for (int i = 0; i < 3; i++)
            square = add_slab_gap(square, gz_f8_load(&b->low[i][k]), gz_f8_load(&b->high[i][k]),
                                  &box, i, pad);
        near |= not_above(square, limit_square(limit)) << k;
    }
    return near & (uint32_t)((UINT64_C(1) << b->count) - 1);
}

/// Looks at packets of two lists, nothing farther than the limit, as long as that is not below the
/// gap. False where the work is spent.
static bool search_slabs(gz_tree_search *s, slab list[2], float gap, graze_stats *stats) {
    const float *limit = &s->candidates->limit;
    for (int i = 0; i < list[0].count; i++)
        for (uint32_t near = near_packets(&list[0], i, &list[1], s->pair.triangle_pad, *limit);
             near; near &= near - 1) {
            if (*limit < gap) return true;
            if (!gz_work_take(s->left, GZ_WORK_PACKETS)) return false;
            search_packets(s, list[0].packet[i], list[1].packet[__builtin_ctz(near)], stats);
        }
    return true;
}

/// The packet whose box is nearest to a point, or nearly: that of the child that is, by its box,
/// and where boxes overlap by its middle.
static int32_t find_packet(const graze_mesh *mesh, const float at[3]) {
    int32_t reference = mesh->root;
    while (reference >= 0) {
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 square = gz_f8_all(0), off = square;
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(at[k])));
            square = add_gap(square, gz_f8_sub(d, gz_f8_load(node->half[k])));
            off = gz_f8_muladd(d, d, off);
        }
        const gz_f8 values = gz_f8_muladd(off, gz_f8_all(1.0f / 64), square);
        reference = node->child[gz_f8_least_lane(values)]; // empty lanes are far
    }
    return ~reference;
}

/// The triangle of that packet which is nearest to the point.
static uint32_t find_triangle(const graze_mesh *mesh, const float at[3]) {
    const gz_packet *packet = &mesh->packets[find_packet(mesh, at)];
    lanes3 v[3];
    for (int k = 0; k < 3; k++) v[k] = load_lanes3(packet->vertex[k]);
    return packet->triangle[gz_f8_least_lane(nearest_squares(v, at))];
}

// -------------------------------------------------------------------------------- points of hulls

/// b's point of a corner of the simplex, if that is remembered.
static inline gz_f4 point_of_b(const gz_hull_search *h, int corner) {
    const gz_f4 p = h->simplex.p[corner];
    int i = h->point_count - 1;
    while (i > 0 && !(h->point[i][0] == p[0] && h->point[i][1] == p[1] && h->point[i][2] == p[2]))
        i--;
    return h->of_b[i];
}

/// Where two hulls are nearest to each other, about, in the frames of a and b, by a search with at
/// least one point: b's is as far between b's points of the simplex as the nearest point of the
/// simplex is between its corners.
static void find_hull_points(const gz_hull_search *h, float at[2][3]) {
    const gz_f4 *p = h->simplex.p;
    gz_f4 b = point_of_b(h, 0);
    if (h->simplex.count == 2) {
        const gz_f4 e = gz_f4_sub(p[1], p[0]);
        const float t = -gz_f4_dot(p[0], e) / fmaxf(gz_f4_dot(e, e), 1e-30f);
        b = gz_f4_muladd(gz_f4_all(fmaxf(t, 0)), gz_f4_sub(point_of_b(h, 1), b), b);
    } else if (h->simplex.count > 2) {
        const gz_f4 e = gz_f4_sub(p[1], p[0]), f = gz_f4_sub(p[2], p[0]), n = cross4(e, f),
                    over = gz_f4_all(fmaxf(gz_f4_dot(n, n), 1e-30f)),
                    s = gz_f4_div(gz_f4_all(gz_f4_dot(n, cross4(f, p[0]))), over),
                    t = gz_f4_div(gz_f4_all(gz_f4_dot(n, cross4(p[0], e))), over);
        b = gz_f4_muladd(s, gz_f4_sub(point_of_b(h, 1), b),
                         gz_f4_muladd(t, gz_f4_sub(point_of_b(h, 2), b), b));
    }
    const float scale = h->beyond / fmaxf(sqrtf(gz_f4_dot(h->way, h->way)), 1e-30f);
    const gz_f4 a = gz_f4_sub(gz_f4_muladd(gz_f4_all(scale), h->way, b), h->frames.shift),
                own = combine(h->frames.row, a[0], a[1], a[2], gz_f4_all(0));
    for (int k = 0; k < 3; k++) {
        at[0][k] = own[k];
        at[1][k] = b[k];
    }
}

/// The point of a packet that is nearest to a place, or nearly. Returns its triangle.
GZ_OUT_OF_LINE static uint32_t nearest_of_packet(const gz_packet *packet, const float at[3],
                                                 float out[3]) {
    lanes3 v[3];
    for (int k = 0; k < 3; k++) v[k] = load_lanes3(packet->vertex[k]);
    const way_lanes best = nearest_ways(v, at);
    const int lane = gz_f8_least_lane(best.square);
    float way[3][GZ_WIDTH];
    gz_f8_store(way[0], best.way.x);
    gz_f8_store(way[1], best.way.y);
    gz_f8_store(way[2], best.way.z);
    for (int k = 0; k < 3; k++) out[k] = at[k] + way[k][lane];
    return packet->triangle[lane];
}

/// Projects b's point to a and that to b, in the packets where the hulls are nearest; then in those
/// that are nearest to what was found (Besl and McKay 1992, "A method for registration of 3-D
/// shapes", do so with the nearest points of whole surfaces).
static float find_hull_upper(const gz_hull_search *h, float enough, uint32_t triangle[2]) {
    const gz_plane_frames *f = &h->frames;
    float own[2][3], seen[2][4], upper = INFINITY; // points of a and b; the other's in their frames
    find_hull_points(h, own);
    for (int k = 0; k < 2; k++) memcpy(seen[k], own[k], sizeof own[k]);
    for (int i = 0; i < UPPER_STEPS && upper > enough; i++) {
        const gz_packet *a = &h->a->packets[find_packet(h->a, seen[0])],
                        *b = &h->b->packets[find_packet(h->b, seen[1])];
        const gz_f4 way = gz_f4_sub(gz_f4_set(own[1][0], own[1][1], own[1][2], 0), f->shift);
        gz_f4_store(seen[0], combine(f->row, way[0], way[1], way[2], gz_f4_all(0)));
        const uint32_t of_a = nearest_of_packet(a, seen[0], own[0]);
        gz_f4_store(seen[1], combine(f->column, own[0][0], own[0][1], own[0][2], f->shift));
        const uint32_t of_b = nearest_of_packet(b, seen[1], own[1]);
        float square = 0;
        for (int k = 0; k < 3; k++) square += (seen[1][k] - own[1][k]) * (seen[1][k] - own[1][k]);
        const float found = sqrtf(square) * GZ_ROUND_UP_FEW + 2 * h->pad;
        if (!(found < upper)) break;
        upper = found;
        triangle[0] = of_a;
        triangle[1] = of_b;
    }
    return upper;
}

/// Evaluates the triangles where the hulls are nearest.
static void evaluate_ahead(gz_tree_search *s, graze_stats *stats) {
    float at[2][3];
    find_hull_points(&s->hull.search, at);
    stats->triangle_tests++;
    s->evaluate(s, find_triangle(s->pair.a, at[0]), find_triangle(s->pair.b, at[1]));
}

/// Looks at the packets that are near the planes between the hulls, for what is little farther than
/// these: then for more. False where more than that has to be looked at.
static bool search_hulls(gz_tree_search *s, graze_stats *stats) {
    gz_near_candidates *c = s->candidates;
    if (c->shrink < 1) { // a rough limit is soon found
        evaluate_ahead(s, stats);
        if (s->hull.gap > c->limit) return true;
    }
    refine_hulls(s);
    const double n[3] = {(double)s->hull.n[0], (double)s->hull.n[1], (double)s->hull.n[2]};
    const float pad = 4 * s->pair.box_pad, gap = s->hull.gap;
    s->hull.stage = GZ_HULL_NONE;
    if (gap > c->limit) return true;
    gz_near_aim(s, n);
    float frame[2][3][3];
    memcpy(frame, s->frame, sizeof frame);
    const slab_frame f[2] = {
        {s->pair.a, (const float(*)[3])frame[0], {s->shift[0], s->shift[1], s->shift[2]}},
        {s->pair.b, (const float(*)[3])frame[1], {0, 0, 0}}};
    const float plane[2] = {s->hull.plane[0], s->hull.plane[1]};
    const float levels[] = {gap * 1.001f + 3 * pad, gap * 1.01f, gap * 1.1f};
    for (int i = 0; i < 3; i++) {
        const float before = c->known, level = fminf(before, levels[i]);
        slab list[2];
        if (!fill_slabs(f, plane, pad, level, list)) return false;
        c->limit = level;
        bool all = search_slabs(s, list, gap, stats);
        if (c->limit < level || level == before) return all;
        c->limit = c->known;
        if (!all) return false;
    }
    return false;
}
