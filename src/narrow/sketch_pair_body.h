// The kernel of sketch_pair.h: included by one source file per instruction set, file-local.
//
// A hit is a vertex of one mesh in a cell of the other's inside map: the closed components there
// wind around it, all together. Where that mesh counts as solid, this is a collision: the vertex's
// component crosses a closed one or lies inside. Where only its surface counts (or where caps could
// make a cavity of that place), the component must also stick out: a connected surface with points
// that are wound around and points that are not meets a closed one.
//
// Apart is a plane between the two: GJK (Gilbert, Johnson and Keerthi 1988) looks for one between
// the corners of the sketches; what it finds is proved on the trees, or not believed.

#include <math.h>
#include <string.h>

#include "math/lanes.h"
#include "mesh/box_tree.h"
#include "narrow/moved_points.h"
#include "narrow/sketch_pair.h"

/// Searches for a plane that take longer seldom end well.
#define PLANE_ITERATIONS 10

// ------------------------------------------------------------------------------------------- hits

/// Whether one of eight points is in a cell that is inside; adds the lanes that are outside of the
/// lattice or within a quarter of a cell of its end, and so by more than a cell outside of the
/// mesh's box, to *out. A point on the border of two cells may fall to either, within 2^-21 of the
/// lattice's length, which the map's pad covers as it does the points' errors.
static inline bool find_inside(const gz_inside_map *map, const moved_points *p, unsigned *out) {
    gz_f8 cell[3], beyond = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_mul(gz_f8_sub(p->x[k], gz_f8_all(map->low[k])), gz_f8_all(map->inverse));
        gz_f8 most = gz_f8_all((float)map->count[k] - 0.25f);
        beyond = gz_f8_or(beyond, gz_f8_greater(gz_f8_all(0.25f), c));
        beyond = gz_f8_or(beyond, gz_f8_greater(c, most));
        cell[k] = gz_f8_whole(gz_f8_sub(c, gz_f8_all(0.5f)));
    }
    unsigned beyond_mask = gz_f8_mask(beyond);
    *out |= beyond_mask;
    if (beyond_mask == 0xff) return false;
    gz_f8 index = gz_f8_add(gz_f8_mul(cell[2], gz_f8_all((float)map->count[1])), cell[1]);
    index = gz_f8_add(gz_f8_mul(index, gz_f8_all((float)map->count[0])), cell[0]);
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    for (unsigned mask = ~beyond_mask & 0xff; mask; mask &= mask - 1)
        if (gz_inside_map_has(map, (uint32_t)lanes[__builtin_ctz(mask)])) return true;
    return false;
}

/// Whether a probe of a mesh shows that it meets the owner of the map.
static inline bool probes_meet(const gz_sketch *probes, const float r[3][3], const float t[3],
                               const gz_sketch *owner, bool solid) {
    bool in = false;
    unsigned out = solid || probes->span > owner->enclosure;
    for (int g = 0; g < probes->probes.count; g++) {
        moved_points p = move_group(r, t, probes->probes.group[g]);
        unsigned beyond = 0;
        in = find_inside(&owner->inside, &p, &beyond) || in;
        out |= beyond;
        if (in && out) return true;
    }
    return false;
}

static inline bool sketches_meet(const gz_sketch_pair *p) {
    const gz_sketch *a = p->a->sketch, *b = p->b->sketch;
    if (b->inside.word_count && p->error < b->inside.pad &&
        probes_meet(a, p->r, p->t, b, p->solid_b && !p->cap_b))
        return true;
    if (!a->inside.word_count || !(p->error < a->inside.pad)) return false;
    float r[3][3], t[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r[i][j] = p->r[j][i];
        t[i] = -((p->r[0][i] * p->t[0] + p->r[1][i] * p->t[1]) + p->r[2][i] * p->t[2]);
    }
    return probes_meet(b, (const float(*)[3])r, t, a, p->solid_a && !p->cap_a);
}

// ------------------------------------------------------------------------------------------ planes

static inline float dot3(const float a[3], const float b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void sub3(const float a[3], const float b[3], float out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void cross3(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline gz_f8 along(const float (*group)[GZ_WIDTH], const gz_f8 d[3]) {
    gz_f8 sum = gz_f8_mul(gz_f8_load(group[0]), d[0]);
    sum = gz_f8_add(sum, gz_f8_mul(gz_f8_load(group[1]), d[1]));
    return gz_f8_add(sum, gz_f8_mul(gz_f8_load(group[2]), d[2]));
}

/// The least of p . d over a set; *point is where.
static inline float find_least(const gz_point_set *set, const float direction[3], float point[3]) {
    gz_f8 d[3] = {gz_f8_all(direction[0]), gz_f8_all(direction[1]), gz_f8_all(direction[2])};
    gz_f8 least = along(set->group[0], d), group = gz_f8_all(0);
    for (int g = 1; g < set->count; g++) {
        gz_f8 dot = along(set->group[g], d), less = gz_f8_greater(least, dot);
        least = gz_f8_min(least, dot);
        group = gz_f8_select(group, gz_f8_all((float)g), less);
    }
    float lanes[GZ_WIDTH], groups[GZ_WIDTH];
    gz_f8_store(lanes, least);
    gz_f8_store(groups, group);
    int best = 0;
    for (int i = 1; i < GZ_WIDTH; i++) best = lanes[i] < lanes[best] ? i : best;
    for (int k = 0; k < 3; k++) point[k] = set->group[(int)groups[best]][k][best];
    return lanes[best];
}

/// Whether every vertex of a mesh has p . d > least. Boxes that are beyond need no look inside.
static bool mesh_beyond(const graze_mesh *mesh, const float direction[3], float least) {
    gz_f8 d[3], size[3], limit = gz_f8_all(least);
    for (int k = 0; k < 3; k++) {
        d[k] = gz_f8_all(direction[k]);
        size[k] = gz_f8_abs(d[k]);
    }
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_packet *packet = &mesh->packets[~reference];
            gz_f8 low = along(packet->vertex[0], d);
            low = gz_f8_min(low,
                            gz_f8_min(along(packet->vertex[1], d), along(packet->vertex[2], d)));
            if (gz_f8_mask(gz_f8_greater(low, limit)) != 0xff) return false;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 low = gz_f8_sub(along(node->center, d), along(node->half, size));
        unsigned near = ~gz_f8_mask(gz_f8_greater(low, limit)) & ((1u << node->count) - 1);
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
    }
    return true;
}

/// The corners that the search has kept: points of A - B.
typedef struct simplex {
    float p[4][3];
    int count;
} simplex;

static inline void keep_two(simplex *s, int i, int j) {
    float a[3], b[3];
    memcpy(a, s->p[i], sizeof a);
    memcpy(b, s->p[j], sizeof b);
    memcpy(s->p[0], a, sizeof a);
    memcpy(s->p[1], b, sizeof b);
    s->count = 2;
}

/// The point of a segment nearest to the origin. The new corner is the last; the search cannot have
/// passed the other end.
static inline void nearest_on_segment(simplex *s, float v[3]) {
    float ab[3];
    sub3(s->p[1], s->p[0], ab);
    float t = -dot3(s->p[0], ab), length = dot3(ab, ab);
    if (t >= length) {
        memcpy(s->p[0], s->p[1], sizeof s->p[0]);
        s->count = 1;
        memcpy(v, s->p[0], 3 * sizeof *v);
        return;
    }
    float part = t > 0 ? t / length : 0;
    for (int k = 0; k < 3; k++) v[k] = s->p[0][k] + part * ab[k];
}

/// The same for a triangle, whose corner 2 is new: beyond an edge with it, or above the face.
static inline void nearest_on_triangle(simplex *s, float v[3]) {
    float a[3], b[3], n[3], side[3];
    sub3(s->p[0], s->p[2], a);
    sub3(s->p[1], s->p[2], b);
    cross3(a, b, n);
    cross3(a, n, side); // away from corner 1
    if (dot3(s->p[2], side) < 0) {
        keep_two(s, 0, 2);
        nearest_on_segment(s, v);
        return;
    }
    cross3(n, b, side); // away from corner 0
    if (dot3(s->p[2], side) < 0) {
        keep_two(s, 1, 2);
        nearest_on_segment(s, v);
        return;
    }
    float size = dot3(n, n), h = size > 0 ? dot3(s->p[2], n) / size : 0;
    for (int k = 0; k < 3; k++) v[k] = h * n[k];
}

/// The same for a tetrahedron, whose corner 3 is new: beyond one of its three faces with that
/// corner, or inside (false).
static inline bool nearest_on_tetrahedron(simplex *s, float v[3]) {
    for (int f = 0; f < 3; f++) {
        int i = f, j = (f + 1) % 3, other = (f + 2) % 3;
        float a[3], b[3], c[3], n[3];
        sub3(s->p[i], s->p[3], a);
        sub3(s->p[j], s->p[3], b);
        sub3(s->p[other], s->p[3], c);
        cross3(a, b, n);
        if (dot3(c, n) * dot3(s->p[3], n) <= 0) continue; // the origin is on the inner side
        simplex face = {.count = 3};
        memcpy(face.p[0], s->p[i], sizeof face.p[0]);
        memcpy(face.p[1], s->p[j], sizeof face.p[1]);
        memcpy(face.p[2], s->p[3], sizeof face.p[2]);
        *s = face;
        nearest_on_triangle(s, v);
        return true;
    }
    return false;
}

static inline bool nearest_on_simplex(simplex *s, float v[3]) {
    switch (s->count) {
    case 1:
        memcpy(v, s->p[0], 3 * sizeof *v);
        return true;
    case 2:
        nearest_on_segment(s, v);
        return true;
    case 3:
        nearest_on_triangle(s, v);
        return true;
    default:
        return nearest_on_tetrahedron(s, v);
    }
}

/// Whether the plane across d, midway in the gap that the corners leave, keeps the meshes apart by
/// the pad. A lies beyond it, B before; `da` is d in A's frame, `low` the least of A's corners.
static bool prove_plane(const gz_sketch_pair *p, const float d[3], const float da[3], float low,
                        float high) {
    float size = (fabsf(d[0]) + fabsf(d[1])) + fabsf(d[2]), shift = dot3(p->t, d);
    float middle = 0.5f * (low + high), half = 0.5f * size * p->pad;
    float back[3] = {-d[0], -d[1], -d[2]};
    return mesh_beyond(p->a, da, (middle + half) - shift) &&
           mesh_beyond(p->b, back, -(middle - half));
}

static inline float clamp(float x, float center, float half) {
    return x < center - half ? center - half : x > center + half ? center + half : x;
}

/// From b to a, in b's frame: from the point of b's box that is nearest to the middle of a, to the
/// point of a's box that is nearest to it; between the middles where the boxes overlap there.
static inline void first_direction(const gz_sketch_pair *p, float d[3]) {
    const gz_sketch *a = p->a->sketch, *b = p->b->sketch;
    float middle[3], on_b[3], seen[3], on_a[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = dot3(p->r[i], a->center) + p->t[i];
        on_b[i] = clamp(middle[i], b->center[i], b->half[i]);
        seen[i] = on_b[i] - p->t[i];
    }
    for (int k = 0; k < 3; k++)
        on_a[k] = clamp((p->r[0][k] * seen[0] + p->r[1][k] * seen[1]) + p->r[2][k] * seen[2],
                        a->center[k], a->half[k]);
    float size = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = (dot3(p->r[i], on_a) + p->t[i]) - on_b[i];
        size += fabsf(d[i]);
    }
    if (size > 1e-6f) return;
    for (int i = 0; i < 3; i++) d[i] = middle[i] - b->center[i];
}

static bool sketches_apart(const gz_sketch_pair *p) {
    const gz_sketch *a = p->a->sketch, *b = p->b->sketch;
    float d[3];
    first_direction(p, d);
    simplex s = {.count = 0};
    for (int step = 0; step < PLANE_ITERATIONS; step++) {
        float size = (fabsf(d[0]) + fabsf(d[1])) + fabsf(d[2]);
        if (!(size > 1e-6f)) return false; // they meet, or nearly
        float scale = 1 / size, da[3], back[3], pa[3], pb[3];
        for (int k = 0; k < 3; k++) d[k] *= scale;
        for (int k = 0; k < 3; k++) {
            da[k] = (p->r[0][k] * d[0] + p->r[1][k] * d[1]) + p->r[2][k] * d[2];
            back[k] = -d[k];
        }
        float low = find_least(&a->corners, da, pa) + dot3(p->t, d);
        float high = -find_least(&b->corners, back, pb);
        // |d|_1 is 1: twice the pad, so that half of it is left for what the corners leave out.
        if (low - high > 2 * p->pad && prove_plane(p, d, da, low, high)) return true;
        float *w = s.p[s.count++];
        for (int i = 0; i < 3; i++) w[i] = (dot3(p->r[i], pa) + p->t[i]) - pb[i];
        if (!nearest_on_simplex(&s, d)) return false;
    }
    return false;
}

static gz_sketch_answer judge_sketches(gz_sketch_pair *p) {
    if (p->part) {
        gz_sketch_answer answer = judge_part(p);
        if (answer != GZ_SKETCH_UNKNOWN || !p->b->sketch) return answer;
    }
    if (p->b->sketch->clearance.cell_count) return judge_scene(p);
    if (p->meet && sketches_meet(p)) return GZ_SKETCH_MEET;
    return sketches_apart(p) ? GZ_SKETCH_APART : GZ_SKETCH_UNKNOWN;
}
