// Two meshes by their proxies: the test of a gz_proxy_pair, included by tree_pair.inl, file-local.
//
// A hit is a vertex of one mesh in a cell of the other's inside map: the closed components there
// wind around it, all together. Where that mesh counts as solid, this is a collision: the vertex's
// component crosses a closed one or lies inside. Where only its surface counts (or where caps could
// make a cavity of that place), the component must also stick out: a connected surface with points
// that are wound around and points that are not intersects a closed one.
//
// Apart is a plane between the two: GJK (Gilbert, Johnson and Keerthi 1988) looks for one between
// their support points; what it finds is proved on the trees, or dropped.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/float_quad.h"
#include "math/lanes.h"
#include "mesh/bvh/box_tree.h"
#include "narrow/kernel.h"
#include "narrow/prefilter/cell_lanes.h"
#include "narrow/prefilter/scene_pair.inl"

// ------------------------------------------------------------------------------ separating plane
//
// The search is for a direction along which all of A lies beyond all of B. The first one is the
// best of the 15 axes along which two boxes can be apart. Then GJK (Gilbert, Johnson and Keerthi
// 1988) looks for the point of A - B nearest to the origin: each step adds the support point
// of A - B that is least along the direction, and goes on from the nearest point of the simplex of
// the points kept. Directions have any length: what matters is homogeneous in it.

/// Most steps: longer searches seldom find a plane.
#define PLANE_STEPS 20

/// m[0] x + m[1] y + m[2] z + c.
static inline gz_f4 combine(const gz_f4 m[3], float x, float y, float z, gz_f4 c) {
    return gz_f4_muladd(m[2], gz_f4_all(z),
                        gz_f4_muladd(m[1], gz_f4_all(y), gz_f4_muladd(m[0], gz_f4_all(x), c)));
}

static inline gz_f4 cross4(gz_f4 a, gz_f4 b) {
    return gz_f4_next(gz_f4_sub(gz_f4_mul(a, gz_f4_next(b)), gz_f4_mul(gz_f4_next(a), b)));
}

// ------------------------------------------------------------------------------ first direction

/// The axis of 15 along which two boxes overlap least, or are farthest apart: three of A's (0 to
/// 2), three of B's (3 to 5), and e_i x A's axis j (6 + 3 i + j), in B's frame. `c` is A's centre
/// seen from B's. Axes that are nearly none (of parallel edges) are penalised by a thousandth of
/// the sizes over their length.
static inline int best_axis(const gz_plane_frames *f, const gz_mesh_proxy *a,
                            const gz_mesh_proxy *b, const float c[3]) {
    const gz_f4 half_a = gz_f4_set(a->half[0], a->half[1], a->half[2], 1e30f),
                half_b = gz_f4_set(b->half[0], b->half[1], b->half[2], 1e30f);
    const gz_f4 next_a = gz_f4_next(half_a), last_a = gz_f4_next(next_a);
    const gz_f4 least = gz_f4_all(1e-3f * ((a->half[0] + a->half[1]) + a->half[2]));
    gz_f4 abs_row[3], gap[5];
    for (int k = 0; k < 3; k++) abs_row[k] = gz_f4_abs(f->row[k]);
    // A's and B's axes.
    gz_f4 along_a = combine(f->row, c[0], c[1], c[2], gz_f4_all(0));
    gap[0] = gz_f4_sub(gz_f4_abs(along_a),
                       combine(abs_row, b->half[0], b->half[1], b->half[2], half_a));
    gz_f4 abs_column[3];
    for (int k = 0; k < 3; k++) abs_column[k] = gz_f4_abs(f->column[k]);
    gap[1] = gz_f4_sub(gz_f4_abs(gz_f4_set(c[0], c[1], c[2], 0)),
                       combine(abs_column, a->half[0], a->half[1], a->half[2], half_b));
    // Cross products: with R's row i of lanes j, e_i x A's axes is -row i2 along i1, row i1 along
    // i2; seen from A it is row i x e_j.
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        gz_f4 extent = gz_f4_muladd(gz_f4_next(abs_row[i]), last_a, least);
        extent = gz_f4_muladd(gz_f4_next(gz_f4_next(abs_row[i])), next_a, extent);
        extent = gz_f4_muladd(gz_f4_all(b->half[i1]), abs_row[i2], extent);
        extent = gz_f4_muladd(gz_f4_all(b->half[i2]), abs_row[i1], extent);
        gz_f4 off = gz_f4_sub(gz_f4_mul(gz_f4_all(c[i2]), f->row[i1]),
                              gz_f4_mul(gz_f4_all(c[i1]), f->row[i2]));
        gz_f4 square = gz_f4_muladd(f->row[i1], f->row[i1], gz_f4_mul(f->row[i2], f->row[i2]));
        square = gz_f4_max(square, gz_f4_all(1e-12f));
        gap[2 + i] = gz_f4_div(gz_f4_sub(gz_f4_abs(off), extent), gz_f4_sqrt(square));
    }
    gz_f4 most = gz_f4_max(gz_f4_max(gz_f4_max(gap[0], gap[1]), gz_f4_max(gap[2], gap[3])), gap[4]);
    most = gz_f4_max(gz_f4_max(most, gz_f4_next(most)), gz_f4_next(gz_f4_next(most)));
    unsigned mask = 0;
    for (int g = 0; g < 5; g++) mask |= (~gz_f4_above(most, gap[g]) & 7) << 3 * g;
    return __builtin_ctz(mask | 1u << 15);
}

/// From b to a, in b's frame, along the best axis of their boxes.
static inline gz_f4 first_direction(const gz_proxy_pair *p, const gz_plane_frames *f) {
    const gz_mesh_proxy *a = p->a->proxy, *b = p->b->proxy;
    float c[4];
    gz_f4 from_b = gz_f4_set(b->center[0], b->center[1], b->center[2], 0);
    gz_f4 center = gz_f4_sub(combine(f->column, a->center[0], a->center[1], a->center[2], f->shift),
                             from_b);
    gz_f4_store(c, center);
    int axis = best_axis(f, a, b, c), i = axis / 3 - 2, j = axis % 3;
    gz_f4 d;
    if (i == -2) {
        d = f->column[j];
    } else {
        float n[3] = {0};
        if (i == -1) {
            n[j] = 1;
        } else {
            i = i > 2 ? 0 : i;
            n[(i + 1) % 3] = -p->r[(i + 2) % 3][j];
            n[(i + 2) % 3] = p->r[(i + 1) % 3][j];
        }
        d = gz_f4_set(n[0], n[1], n[2], 0);
    }
    return gz_f4_mul(d, gz_f4_all(gz_f4_dot(d, center) < 0 ? -1.0f : 1.0f));
}

// ------------------------------------------------------------------------------- support points

static inline gz_f8 along(const float (*group)[GZ_WIDTH], const gz_f8 d[3]) {
    gz_f8 sum = gz_f8_mul(gz_f8_load(group[0]), d[0]);
    sum = gz_f8_muladd(gz_f8_load(group[1]), d[1], sum);
    return gz_f8_muladd(gz_f8_load(group[2]), d[2], sum);
}

/// For each lane of a set: the least p . d, and the group of its point.
typedef struct least_lanes {
    gz_f8 least, group;
} least_lanes;

static inline void consider_group(const gz_point_set *set, int g, const gz_f8 d[3],
                                  least_lanes *out) {
    gz_f8 dot = along(set->group[g], d), less = gz_f8_greater(out->least, dot);
    out->least = gz_f8_min(out->least, dot);
    out->group = gz_f8_select(out->group, gz_f8_all((float)g), less);
}

/// The least p . d of a set, by lanes. A switch instead of a loop makes the groups' numbers
/// constant.
ALWAYS least_lanes find_least_lanes(const gz_point_set *set, const float direction[3]) {
    gz_f8 d[3] = {gz_f8_all(direction[0]), gz_f8_all(direction[1]), gz_f8_all(direction[2])};
    least_lanes out = {along(set->group[0], d), gz_f8_all(0)};
    _Static_assert(GZ_PROXY_GROUPS == 8, "a case each");
    switch (set->count) {
    default:
        consider_group(set, 7, d, &out);
        __attribute__((fallthrough));
    case 7:
        consider_group(set, 6, d, &out);
        __attribute__((fallthrough));
    case 6:
        consider_group(set, 5, d, &out);
        __attribute__((fallthrough));
    case 5:
        consider_group(set, 4, d, &out);
        __attribute__((fallthrough));
    case 4:
        consider_group(set, 3, d, &out);
        __attribute__((fallthrough));
    case 3:
        consider_group(set, 2, d, &out);
        __attribute__((fallthrough));
    case 2:
        consider_group(set, 1, d, &out);
        __attribute__((fallthrough));
    case 1:
        break;
    }
    return out;
}

/// The point with the least p . d; returns that.
static inline float pick_least(const gz_point_set *set, const least_lanes *lanes, float point[3]) {
    float least = gz_f8_least(lanes->least), groups[GZ_WIDTH];
    gz_f8_store(groups, lanes->group);
    int lane = gz_f8_least_lane(lanes->least), g = (int)groups[lane];
    for (int k = 0; k < 3; k++) point[k] = set->group[g][k][lane];
    return least;
}

/// No vertex of a mesh is less than that along d, of length 1: by the balls around its support
/// points.
static inline float ball_least(const gz_mesh_proxy *proxy, const float direction[3]) {
    const gz_point_set *set = &proxy->support;
    gz_f8 d[3] = {gz_f8_all(direction[0]), gz_f8_all(direction[1]), gz_f8_all(direction[2])};
    gz_f8 least = gz_f8_sub(along(set->group[0], d), gz_f8_load(proxy->support_radius[0]));
#pragma GCC unroll 8
    for (int g = 1; g < set->count; g++)
        least = gz_f8_min(least,
                          gz_f8_sub(along(set->group[g], d), gz_f8_load(proxy->support_radius[g])));
    return gz_f8_least(least);
}

// ---------------------------------------------------------------------------------------- proof

/// The vertex of a packet that is least along d.
static inline void lowest_vertex(const gz_packet *packet, const gz_f8 d[3], float point[3]) {
    float best = INFINITY;
    for (int corner = 0; corner < 3; corner++) {
        gz_f8 dot = along(packet->vertex[corner], d);
        float least = gz_f8_least(dot);
        if (!(least < best)) continue;
        best = least;
        int lane = gz_f8_least_lane(dot);
        for (int k = 0; k < 3; k++) point[k] = packet->vertex[corner][k][lane];
    }
}

/// Whether every vertex of a mesh has p . d > least. Boxes that are beyond are not opened.
/// Otherwise *point is a vertex that has not.
static bool mesh_beyond(const graze_mesh *mesh, const float direction[3], float least,
                        float point[3]) {
    gz_f8 d[3], size[3], limit = gz_f8_all(least);
    for (int k = 0; k < 3; k++) {
        d[k] = gz_f8_all(direction[k]);
        size[k] = gz_f8_abs(d[k]);
    }
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->root);
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        if (reference < 0) {
            const gz_packet *packet = &mesh->packets[~reference];
            gz_f8 low = along(packet->vertex[0], d);
            low = gz_f8_min(low,
                            gz_f8_min(along(packet->vertex[1], d), along(packet->vertex[2], d)));
            if (gz_f8_mask(gz_f8_greater(low, limit)) == 0xff) continue;
            lowest_vertex(packet, d, point);
            return false;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 low = gz_f8_sub(along(node->center, d), along(node->half, size));
        unsigned near = ~gz_f8_mask(gz_f8_greater(low, limit)) & ((1u << node->count) - 1);
        gz_traversal_add(&walk, node, near);
    }
    return true;
}

// -------------------------------------------------------------------------------------- simplex

/// The point of a segment nearest to the origin, times the square of its length. The new point is
/// the last; the search cannot have passed the other end.
static inline gz_f4 nearest_on_segment(gz_simplex *s) {
    gz_f4 ab = gz_f4_sub(s->p[1], s->p[0]);
    float t = -gz_f4_dot(s->p[0], ab), length = gz_f4_dot(ab, ab);
    if (t >= length) {
        s->p[0] = s->p[1];
        s->count = 1;
        return s->p[0];
    }
    return gz_f4_muladd(gz_f4_all(t > 0 ? t : 0), ab, gz_f4_mul(gz_f4_all(length), s->p[0]));
}

/// By how much the square of c's distance from the origin shrinks along the line through c and e,
/// as far as it is ahead.
static inline float gain_along(gz_f4 c, gz_f4 e) {
    float t = -gz_f4_dot(c, e);
    return t > 0 ? t * t / gz_f4_dot(e, e) : 0;
}

/// The point of a triangle nearest to the origin, times any number; its corner 2 is new: beyond an
/// edge with that corner, or above the face.
static inline gz_f4 nearest_on_triangle(gz_simplex *s) {
    gz_f4 c = s->p[2], a = gz_f4_sub(s->p[0], c), b = gz_f4_sub(s->p[1], c), n = cross4(a, b);
    bool beside_a = gz_f4_dot(c, cross4(a, n)) < 0; // away from corner 1
    bool beside_b = gz_f4_dot(c, cross4(n, b)) < 0; // away from corner 0
    if (!beside_a && !beside_b) return gz_f4_mul(n, gz_f4_all(gz_f4_dot(c, n)));
    if (beside_a && beside_b) beside_a = gain_along(c, a) > gain_along(c, b);
    s->p[0] = beside_a ? s->p[0] : s->p[1];
    s->p[1] = c;
    s->count = 2;
    return nearest_on_segment(s);
}

/// The square of the origin's distance from a plane that it is beyond; else -1.
static inline float square_beyond(gz_f4 at, gz_f4 n, float inner) {
    float h = gz_f4_dot(at, n);
    return h * inner > 0 ? h * h / gz_f4_dot(n, n) : -1;
}

/// The point of a tetrahedron nearest to the origin, times any number; its corner 3 is new: above
/// the farthest of the three faces with that corner that the origin is beyond; 0 where it is beyond
/// none, and so inside.
static inline gz_f4 nearest_on_tetrahedron(gz_simplex *s) {
    gz_f4 last = s->p[3], edge[3];
    for (int k = 0; k < 3; k++) edge[k] = gz_f4_sub(s->p[k], last);
    gz_f4 n0 = cross4(edge[0], edge[1]), n1 = cross4(edge[1], edge[2]),
          n2 = cross4(edge[2], edge[0]);
    float inner = gz_f4_dot(edge[2], n0);
    float h0 = square_beyond(last, n0, inner), h1 = square_beyond(last, n1, inner),
          h2 = square_beyond(last, n2, inner);
    int face = h1 > h0 ? 1 : 0;
    face = h2 > (h1 > h0 ? h1 : h0) ? 2 : face;
    if (h0 < 0 && h1 < 0 && h2 < 0) return gz_f4_all(0);
    gz_f4 p = s->p[face], q = s->p[(face + 1) % 3];
    s->p[0] = p;
    s->p[1] = q;
    s->p[2] = last;
    s->count = 3;
    return nearest_on_triangle(s);
}

static inline gz_f4 nearest_on_simplex(gz_simplex *s) {
    switch (s->count) {
    case 1:
        return s->p[0];
    case 2:
        return nearest_on_segment(s);
    case 3:
        return nearest_on_triangle(s);
    default:
        return nearest_on_tetrahedron(s);
    }
}

// --------------------------------------------------------------------------------------- search

/// A direction in both frames, and the support points that are least and most along it.
typedef struct plane_step {
    float d[4], da[4], back[4]; ///< in B's frame, in A's, and its opposite in B's
    float pa[3], pb[3];         ///< A's least point, B's most
    float low, high;            ///< along d
} plane_step;

/// Whether the plane across d, midway in the gap between the support points, keeps the meshes apart
/// by the pad: A lies beyond it, B before. Otherwise a vertex on the wrong side replaces A's or B's
/// support point.
static bool prove_plane(const gz_proxy_pair *p, plane_step *s, float shift, float half) {
    float middle = 0.5f * (s->low + s->high);
    return mesh_beyond(p->a, s->da, (middle + half) - shift, s->pa) &&
           mesh_beyond(p->b, s->back, -(middle - half), s->pb);
}

/// Whether the plane of an earlier pose keeps the meshes apart by the pad. B was proved to lie
/// before `high` itself, in any pose; the sum with the pad rounds as that of a new plane.
static bool plane_holds(const gz_proxy_pair *p) {
    const float *d = p->plane->normal, *t = p->t, (*r)[3] = p->r;
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) return false;
    float da[3], point[3], away = (t[0] * d[0] + t[1] * d[1]) + t[2] * d[2];
    for (int k = 0; k < 3; k++) da[k] = (r[0][k] * d[0] + r[1][k] * d[1]) + r[2][k] * d[2];
    return mesh_beyond(p->a, da, (p->plane->high + p->pad) - away, point);
}

/// Keeps the plane that was proved.
static void keep_plane(const gz_proxy_pair *p, const plane_step *s) {
    if (!p->plane) return;
    float close = s->high + 0.5f * p->pad, point[3];
    memcpy(p->plane->normal, s->d, sizeof p->plane->normal);
    p->plane->high = mesh_beyond(p->b, s->back, -close, point)
                         ? close
                         : 0.5f * (s->low + s->high) - 0.5f * p->pad;
}

static bool proxies_apart(const gz_proxy_pair *p) {
    const gz_mesh_proxy *a = p->a->proxy, *b = p->b->proxy;
    const gz_plane_frames f = gz_plane_frames_make(p->r, p->t);
    gz_f4 d = first_direction(p, &f);
    gz_simplex s = {.count = 0};
    for (int step = 0; step < PLANE_STEPS; step++) {
        plane_step at;
        float size = gz_f4_dot(gz_f4_abs(d), gz_f4_all(1));
        if (!(size > 1e-30f)) return false; // the hulls overlap
        d = gz_f4_mul(d, gz_f4_all(1 / size));
        gz_f4_store(at.d, d);
        gz_f4_store(at.back, gz_f4_sub(gz_f4_all(0), d));
        gz_f4_store(at.da, combine(f.row, at.d[0], at.d[1], at.d[2], gz_f4_all(0)));
        least_lanes least_a = find_least_lanes(&a->support, at.da),
                    least_b = find_least_lanes(&b->support, at.back);
        float shift = gz_f4_dot(f.shift, d);
        at.low = pick_least(&a->support, &least_a, at.pa) + shift;
        at.high = -pick_least(&b->support, &least_b, at.pb);
        // Twice the pad, so that half of it is left for vertices that are no support points.
        bool gap = at.low - at.high > 2 * p->pad;
        if (gap && prove_plane(p, &at, shift, 0.5f * p->pad)) {
            keep_plane(p, &at);
            return true;
        }
        gz_f4 w = gz_f4_sub(combine(f.column, at.pa[0], at.pa[1], at.pa[2], f.shift),
                            gz_f4_set(at.pb[0], at.pb[1], at.pb[2], 0));
        s.p[s.count++] = w;
        if (step == 0 && !gap) // mirrored at the point: better than towards it
            d = gz_f4_sub(gz_f4_mul(d, gz_f4_all(gz_f4_dot(w, w))),
                          gz_f4_mul(w, gz_f4_all(2 * gz_f4_dot(w, d))));
        else
            d = nearest_on_simplex(&s);
    }
    return false;
}

// ------------------------------------------------------------------------------------------- hits

/// The transform of a mesh's points into the cells of another's inside map.
typedef struct cell_frame {
    const gz_inside_map *map;
    float r[3][3], t[3];        ///< to cells, half a cell less: a cell is the nearest whole number
    float middle[3], extent[3]; ///< of the lattice, a quarter of a cell less on all sides
    float step[2];              ///< cells of a row, rows of a layer
} cell_frame;

/// With u = 2^-24 and lengths of kernel.c, in metres: R over the edge of a cell rounds once
/// more, 3 u rA of a vertex; so do t less the lattice's corner, which is at most 2 rB and some
/// cells away, and its way to cells, 4 u |t| + 6 u rB, and the sum with them, 7 u rB: 16 u S in
/// all, less than `error`, which is less than the map's pad: of the two pads around a cell that no
/// triangle comes near, 0.9 are for that, as much for this.
static inline void prepare_cells(cell_frame *f, const gz_inside_map *map, const float r[3][3],
                                 const float t[3]) {
    f->map = map;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) f->r[i][j] = r[i][j] * map->inverse;
        f->t[i] = (t[i] - map->low[i]) * map->inverse - 0.5f;
        f->middle[i] = 0.5f * (float)map->count[i] - 0.5f;
        f->extent[i] = 0.5f * (float)map->count[i] - 0.25f;
    }
    f->step[0] = (float)map->count[0];
    f->step[1] = (float)map->count[1];
}

/// Whether one of eight points is in a cell that is inside; adds the lanes that are outside of the
/// lattice or within a quarter of a cell of its end, and so by more than a cell outside of the
/// mesh's box, to *out.
static inline bool find_inside(const cell_frame *f, const float (*group)[GZ_WIDTH], unsigned *out) {
    moved_points p = move_group(f->r, f->t, group);
    gz_f8 beyond = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 off = gz_f8_abs(gz_f8_sub(p.x[k], gz_f8_all(f->middle[k])));
        beyond = gz_f8_or(beyond, gz_f8_greater(off, gz_f8_all(f->extent[k])));
    }
    unsigned beyond_mask = gz_f8_mask(beyond);
    *out |= beyond_mask;
    if (beyond_mask == 0xff) return false;
    gz_f8 index = gz_f8_muladd(gz_f8_whole(p.x[2]), gz_f8_all(f->step[1]), gz_f8_whole(p.x[1]));
    index = gz_f8_muladd(index, gz_f8_all(f->step[0]), gz_f8_whole(p.x[0]));
    return any_cell_inside(f->map, index, beyond);
}

/// Whether a sample point of a mesh proves that it overlaps the owner of the map. The lengths of
/// the points' component and of what would contain it are off by less than the error, together.
static inline bool samples_overlap(const gz_mesh_proxy *from, const float r[3][3], const float t[3],
                                   const gz_mesh_proxy *owner, bool solid, float error) {
    cell_frame f;
    prepare_cells(&f, &owner->inside, r, t);
    bool in = false;
    unsigned out = solid || from->span > owner->enclosure + (double)error;
    for (int g = 0; g < from->samples.count; g++) {
        unsigned beyond = 0;
        in = find_inside(&f, from->samples.group[g], &beyond) || in;
        out |= beyond;
        if (in && out) return true;
    }
    return false;
}

static inline bool proxies_overlap(const gz_proxy_pair *p) {
    const gz_mesh_proxy *a = p->a->proxy, *b = p->b->proxy;
    if (b->inside.word_count && p->error < b->inside.pad &&
        samples_overlap(a, p->r, p->t, b, p->solid_b && !p->cap_b, p->error))
        return true;
    if (!a->inside.word_count || !(p->error < a->inside.pad)) return false;
    float r[3][3], t[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r[i][j] = p->r[j][i];
        t[i] = -((p->r[0][i] * p->t[0] + p->r[1][i] * p->t[1]) + p->r[2][i] * p->t[2]);
    }
    return samples_overlap(b, (const float(*)[3])r, t, a, p->solid_a && !p->cap_a, p->error);
}

static gz_proxy_answer test_proxies(gz_proxy_pair *p) {
    if (p->component) {
        gz_proxy_answer answer = test_component(p);
        if (answer != GZ_PROXY_UNKNOWN || !p->b->proxy) return answer;
    }
    if (p->b->proxy->clearance.cell_count) return test_scene(p);
    if (p->plane && p->question != GZ_PROXY_TEST_OVERLAP && plane_holds(p)) return GZ_PROXY_APART;
    if (p->question != GZ_PROXY_TEST_APART && proxies_overlap(p)) return GZ_PROXY_OVERLAP;
    return p->question != GZ_PROXY_TEST_OVERLAP && proxies_apart(p) ? GZ_PROXY_APART
                                                                    : GZ_PROXY_UNKNOWN;
}
