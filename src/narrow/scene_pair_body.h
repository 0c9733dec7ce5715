// A mesh against a scene, a mesh with a clearance map: included by tree_pair_body.h, file-local.
//
// The parts of the scene whose boxes overlap the mesh's are looked at. Where all of them are small
// the mesh's tree is searched for packets near each; a triangle that reaches into a ball inside of
// a part is a hit, as a probe is in sketch_pair_body.h. Where one is large the mesh's cover is
// searched for packets whose spheres are not clear in the map; a point of them that is inside is a
// hit, and what is clear and inside lies in it. Apart: no packet is near, and where one of the two
// counts as solid the other does not lie in it, either.

#include <math.h>
#include <string.h>

#include "mesh/box_tree.h"
#include "mesh/node_overlap.h"
#include "mesh/triangle_lanes.h"
#include "narrow/clearance_ball.h"
#include "narrow/sketch_pair.h"

/// Packets near a scene that are noted, and near a small object that are looked at.
#define HINT_PACKETS 64
#define PART_PACKETS 2

/// Distances of triangles are not asked under a smaller pad: see beyond_squares().
#define PAD_LEAST 1e-8f

/// One mesh against one scene.
typedef struct scene_search {
    const gz_sketch_pair *pair;
    const gz_clearance_map *map;
    bool out;       ///< some of the mesh is not inside
    bool contained; ///< some of the mesh, clear of the surface, is inside
    bool meets;     ///< it is shown
    int count;      ///< packets that may touch the surface
    int32_t packets[HINT_PACKETS];
    float low[3], high[3]; ///< around them, in the scene's frame
} scene_search;

/// Spheres around subtrees or packets: lanes that may touch the surface.
static inline unsigned ask_spheres(scene_search *s, const float (*center)[GZ_WIDTH], gz_f8 radius,
                                   int count) {
    const gz_sketch_pair *p = s->pair;
    moved_points at = move_group(p->r, p->t, center);
    ball_answer ball = ask_balls(s->map, &at, gz_f8_add(radius, gz_f8_all(p->pad)));
    unsigned lanes = (1u << count) - 1;
    s->contained = s->contained || (ball.inside & lanes);
    s->out = s->out || (ball.clear & ~ball.inside & lanes);
    return ~ball.clear & lanes;
}

/// Whether a triangle that is partly inside shows a hit: its component is longer than what could
/// hold it, or sticks out.
static bool shows_hit(scene_search *s, uint32_t triangle) {
    const gz_sketch_pair *p = s->pair;
    const gz_component *c = &p->a->components[p->a->component_of[triangle]];
    if (p->solid_b && !p->cap_b) return true;
    double length = fmax(c->box.max.x - c->box.min.x,
                         fmax(c->box.max.y - c->box.min.y, c->box.max.z - c->box.min.z));
    double enclosure = s->map ? p->b->sketch->enclosure : 2 * (double)p->part->radius;
    if (length * (1 - 1e-6) > enclosure) return true;
    if (p->a->component_count > 1 || !s->map) return false;
    const gz_point_set *probes = &p->a->sketch->probes;
    for (int g = 0; g < probes->count && !s->out; g++)
        ask_spheres(s, probes->group[g], gz_f8_all(0), GZ_WIDTH);
    return s->out;
}

/// Points of a packet's triangles: their corners, the middles of their edges and their own. One
/// that is inside shows a hit where its component is not, all of it.
static inline bool points_meet(scene_search *s, const gz_packet *packet) {
    static const float part[7][3] = {{1, 0, 0},
                                     {0, 1, 0},
                                     {0, 0, 1},
                                     {0.5f, 0.5f, 0},
                                     {0, 0.5f, 0.5f},
                                     {0.5f, 0, 0.5f},
                                     {1 / 3.0f, 1 / 3.0f, 1 / 3.0f}};
    const gz_sketch_pair *p = s->pair;
    unsigned lanes = (1u << packet->count) - 1;
    for (int k = 0; k < 7; k++) {
        float group[3][GZ_WIDTH];
        for (int i = 0; i < 3; i++) {
            gz_f8 sum = gz_f8_mul(gz_f8_load(packet->vertex[0][i]), gz_f8_all(part[k][0]));
            sum = madd(sum, gz_f8_load(packet->vertex[1][i]), part[k][1]);
            gz_f8_store(group[i], madd(sum, gz_f8_load(packet->vertex[2][i]), part[k][2]));
        }
        moved_points at = move_group(p->r, p->t, (const float(*)[GZ_WIDTH])group);
        ball_answer ball = ask_balls(s->map, &at, gz_f8_all(p->error));
        for (unsigned inside = ball.inside & lanes; inside; inside &= inside - 1) {
            uint32_t triangle = packet->triangle[__builtin_ctz(inside)];
            if (shows_hit(s, triangle)) return true;
        }
    }
    return false;
}

static inline float smaller(float a, float b) {
    return a < b ? a : b;
}

static inline float larger(float a, float b) {
    return a > b ? a : b;
}

/// Notes a packet; `part` is what it may meet, NULL for everything.
static inline void add_packet(scene_search *s, int32_t reference, const gz_part *part) {
    const gz_sketch_pair *p = s->pair;
    const gz_box *box = &p->a->packet_boxes[~reference];
    for (int i = 0; i < 3; i++) {
        float c = p->t[i], h = p->pad;
        for (int j = 0; j < 3; j++) {
            c += p->r[i][j] * box->center[j];
            h += fabsf(p->r[i][j]) * box->half[j];
        }
        float low = c - h, high = c + h;
        if (part) {
            low = larger(low, part->center[i] - part->half[i] - p->pad);
            high = smaller(high, part->center[i] + part->half[i] + p->pad);
        }
        s->low[i] = s->count ? smaller(s->low[i], low) : low;
        s->high[i] = s->count ? larger(s->high[i], high) : high;
    }
    if (s->count < HINT_PACKETS) s->packets[s->count] = reference;
    s->count++;
}

/// A packet that is near: its triangles' spheres.
static inline bool look_at_packet(scene_search *s, int32_t reference) {
    const gz_packet *packet = &s->pair->a->packets[~reference];
    float center[3][GZ_WIDTH];
    gz_f8 radius = gz_f8_all(0);
    for (int i = 0; i < 3; i++) {
        gz_f8 v[3], low, high;
        for (int k = 0; k < 3; k++) v[k] = gz_f8_load(packet->vertex[k][i]);
        low = gz_f8_min(v[0], gz_f8_min(v[1], v[2]));
        high = gz_f8_max(v[0], gz_f8_max(v[1], v[2]));
        gz_f8 half = gz_f8_mul(gz_f8_sub(high, low), gz_f8_all(0.5f));
        gz_f8_store(center[i], gz_f8_add(low, half));
        radius = gz_f8_add(radius, gz_f8_mul(half, half));
    }
    radius = gz_f8_mul(gz_f8_sqrt(radius), gz_f8_all(1.00001f));
    if (!ask_spheres(s, (const float(*)[GZ_WIDTH])center, radius, packet->count)) return false;
    if (s->pair->meet && points_meet(s, packet)) return true;
    add_packet(s, reference, NULL);
    return false;
}

/// Down a subtree of the mesh; whether a hit is shown.
static bool search_subtree(scene_search *s, int32_t root) {
    const graze_mesh *mesh = s->pair->a;
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (look_at_packet(s, reference)) return true;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 square = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 half = gz_f8_load(node->half[k]);
            square = gz_f8_add(square, gz_f8_mul(half, half));
        }
        gz_f8 radius = gz_f8_mul(gz_f8_sqrt(square), gz_f8_all(1.00001f));
        unsigned near = ask_spheres(s, (const float(*)[GZ_WIDTH])node->center, radius, node->count);
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
    }
    return false;
}

/// From the cover down to the packets.
static void search_scene(scene_search *s) {
    const gz_fine_cover *cover = &s->pair->a->sketch->fine;
    uint64_t near = 0;
    for (int g = 0; g * GZ_WIDTH < cover->count; g++) {
        int left = cover->count - g * GZ_WIDTH;
        unsigned lanes = ask_spheres(s, cover->group[g], gz_f8_load(cover->group[g][3]),
                                     left < GZ_WIDTH ? left : GZ_WIDTH);
        near |= (uint64_t)lanes << (g * GZ_WIDTH);
    }
    for (; near && !s->meets; near &= near - 1)
        s->meets = search_subtree(s, cover->reference[__builtin_ctzll(near)]);
}

/// The smallest subtree of the scene that holds all of it that is near the packets.
static inline int32_t find_entry(const scene_search *s) {
    const graze_mesh *scene = s->pair->b;
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = 0.5f * (s->low[k] + s->high[k]);
        box.half[k] = 0.5f * (s->high[k] - s->low[k]) * 1.00001f;
    }
    int32_t entry = scene->root;
    while (entry >= 0) {
        const gz_node *node = &scene->nodes[entry];
        unsigned near = gz_node_overlap(node, &box, s->pair->pad) & ((1u << node->count) - 1);
        if (!near || near & (near - 1)) break;
        entry = node->child[__builtin_ctz(near)];
    }
    return entry;
}

/// A part in the mesh's frame.
typedef struct seen_part {
    const gz_part *part;
    float center[3], reach;        ///< of its sphere, pad included
    gz_box box;                    ///< in the scene's frame
    float scale[GZ_PART_CORES][3]; ///< 1 / the half axes of the cores, less what points may be off
} seen_part;

static inline void move_back(const gz_sketch_pair *p, const float at[3], float out[3]) {
    float d[3];
    for (int k = 0; k < 3; k++) d[k] = at[k] - p->t[k];
    for (int k = 0; k < 3; k++)
        out[k] = (p->r[0][k] * d[0] + p->r[1][k] * d[1]) + p->r[2][k] * d[2];
}

static inline void see_part(const gz_sketch_pair *p, const gz_part *part, seen_part *out) {
    out->part = part;
    move_back(p, part->center, out->center);
    out->reach = (part->radius + p->pad) * 1.00001f;
    memcpy(out->box.center, part->center, sizeof out->box.center);
    memcpy(out->box.half, part->half, sizeof out->box.half);
    for (int i = 0; i < part->core_count; i++)
        for (int k = 0; k < 3; k++) {
            float half = (part->core[i].half[k] - 2 * p->error) * (1 - 1e-5f);
            out->scale[i][k] = half > 0 ? 1 / half : 1e15f;
        }
}

/// Whether a triangle of a packet reaches into a core, and shows a hit: in coordinates in which the
/// core is the ball of radius 1 around the origin.
static bool reaches_core(scene_search *s, const seen_part *seen, const lanes3 v[3],
                         const gz_packet *packet) {
    static const float origin[3] = {0, 0, 0};
    const gz_sketch_pair *p = s->pair;
    for (int i = 0; i < seen->part->core_count; i++) {
        lanes3 at[3];
        for (int c = 0; c < 3; c++) {
            gz_f8 x[3];
            for (int k = 0; k < 3; k++) {
                float shift = p->t[k] - seen->part->core[i].center[k];
                x[k] = madd(madd(madd(gz_f8_all(shift), v[c].x, p->r[k][0]), v[c].y, p->r[k][1]),
                            v[c].z, p->r[k][2]);
                x[k] = gz_f8_mul(x[k], gz_f8_all(seen->scale[i][k]));
            }
            at[c] = (lanes3){x[0], x[1], x[2]};
        }
        gz_f8 square = nearest_squares(at, origin);
        unsigned hits = gz_f8_mask(gz_f8_greater(gz_f8_all(1 - 1e-4f), square));
        for (hits &= (1u << packet->count) - 1; hits; hits &= hits - 1)
            if (shows_hit(s, packet->triangle[__builtin_ctz(hits)])) return true;
    }
    return false;
}

/// A packet whose box is near a part: whether it shows a hit, else it may be noted.
static bool look_at_part(scene_search *s, const seen_part *seen, int32_t reference) {
    const gz_packet *packet = &s->pair->a->packets[~reference];
    unsigned lanes = (1u << packet->count) - 1;
    lanes3 v[3];
    for (int k = 0; k < 3; k++) v[k] = load_corner(packet->vertex[k]);
    float reach = seen->reach + s->pair->pad; // twice the pad: of the distance's rounding, too
    gz_f8 far = gz_f8_greater(beyond_squares(v, seen->center), gz_f8_all(reach * reach * 1.00001f));
    if (s->pair->pad > PAD_LEAST && !(lanes & ~gz_f8_mask(far))) return false;
    if (s->pair->meet && seen->part->core_count && reaches_core(s, seen, v, packet)) return true;
    add_packet(s, reference, seen->part);
    return false;
}

/// Children of a node whose boxes a part's sphere does not reach; and the squares of the distances
/// of their middles from its own.
static inline unsigned far_children(const gz_node *node, const seen_part *seen, float *squares) {
    gz_f8 sum = gz_f8_all(0), square = sum;
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(seen->center[k]));
        sum = add_gap(sum, gz_f8_sub(gz_f8_abs(d), gz_f8_load(node->half[k])));
        square = gz_f8_add(square, gz_f8_mul(d, d));
    }
    gz_f8_store(squares, square);
    return gz_f8_mask(gz_f8_greater(sum, gz_f8_all(seen->reach * seen->reach * 1.00001f)));
}

/// The two frames of a pair, as node_mask() takes them.
typedef struct pair_frames {
    float to_b[3][3], to_a[3][3], abs_to_b[3][3], abs_to_a[3][3], shift_b[3], shift_a[3];
} pair_frames;

static void make_frames(const gz_sketch_pair *p, pair_frames *out) {
    const float origin[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out->to_b[i][j] = out->to_a[j][i] = p->r[i][j];
            out->abs_to_b[i][j] = out->abs_to_a[j][i] = fabsf(p->r[i][j]);
        }
    memcpy(out->shift_b, p->t, sizeof p->t);
    move_back(p, origin, out->shift_a);
}

/// Down the mesh's tree, to the packets near a part; whether a hit is shown. Ends where more than
/// so many packets are near.
static bool search_part(scene_search *s, pair_frames *frames, const gz_part *part, int most) {
    const graze_mesh *mesh = s->pair->a;
    seen_part seen;
    see_part(s->pair, part, &seen);
    int32_t stack[GZ_TREE_STACK];
    float keys[GZ_WIDTH];
    int top = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (look_at_part(s, &seen, reference)) return true;
            if (s->count > most) return false;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        float squares[GZ_WIDTH];
        unsigned near = ~far_children(node, &seen, squares) & ((1u << node->count) - 1);
        if (near)
            near &= node_mask(node, &seen.box, frames->to_a, frames->abs_to_a, frames->shift_a,
                              s->pair->pad, 0, keys, false);
        if (!near) continue;
        int first = take_nearest(squares, &near); // the likeliest to reach a core
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
        stack[top++] = node->child[first];
    }
    return false;
}

/// Parts looked at one by one; more of them are left to the map.
#define NEAR_PARTS 32

/// The parts whose boxes overlap the mesh's; returns how many, or -1 where they are too many, or
/// one is so large that the mesh may lie in it, or nearly.
static int list_parts(const gz_sketch_pair *p, pair_frames *frames, const gz_part **out) {
    const graze_mesh *scene = p->b;
    const gz_sketch *mesh = p->a->sketch;
    gz_box box;
    memcpy(box.center, mesh->center, sizeof box.center);
    memcpy(box.half, mesh->half, sizeof box.half);
    float keys[GZ_WIDTH], large = (float)mesh->shortest;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, count = 0;
    stack[top++] = scene->component_count == 1 ? ~0 : scene->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_part *part = &scene->sketch->parts[~reference];
            if (count == NEAR_PARTS || !(2 * part->radius < large)) return -1;
            out[count++] = part;
            continue;
        }
        const gz_node *node = &scene->component_nodes[reference];
        unsigned near = node_mask(node, &box, frames->to_b, frames->abs_to_b, frames->shift_b,
                                  p->pad, 0, keys, false);
        for (near &= (1u << node->count) - 1; near; near &= near - 1)
            stack[top++] = node->child[__builtin_ctz(near)];
    }
    return count;
}

/// The box around the mesh, in the scene's frame.
static inline gz_box box_of_mesh(const gz_sketch_pair *p) {
    const gz_sketch *mesh = p->a->sketch;
    gz_box box;
    for (int i = 0; i < 3; i++) {
        box.center[i] = p->t[i];
        box.half[i] = p->pad;
        for (int j = 0; j < 3; j++) {
            box.center[i] += p->r[i][j] * mesh->center[j];
            box.half[i] += fabsf(p->r[i][j]) * mesh->half[j];
        }
        box.half[i] *= 1.00001f;
    }
    return box;
}

static inline bool box_fits(const gz_box *box, const float center[3], const float half[3]) {
    for (int k = 0; k < 3; k++)
        if (fabsf(center[k] - box->center[k]) + half[k] * (1 - 1e-5f) > box->half[k]) return false;
    return true;
}

/// Whether a part, whose surface is clear of the mesh's, may lie in the mesh: its box would lie in
/// the box around the mesh.
static inline bool part_fits(const gz_sketch_pair *p, const float center[3], const float half[3]) {
    gz_box box = box_of_mesh(p);
    return box_fits(&box, center, half);
}

/// The same of all parts of a scene.
static bool may_hold_part(const gz_sketch_pair *p) {
    const graze_mesh *scene = p->b;
    if (scene->sketch->shortest > p->a->sketch->enclosure) return false;
    gz_box box = box_of_mesh(p);
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = scene->component_count == 1 ? ~0 : scene->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_part *part = &scene->sketch->parts[~reference];
            if (box_fits(&box, part->center, part->half)) return true;
            continue;
        }
        const gz_node *node = &scene->component_nodes[reference];
        for (unsigned mask = gz_node_overlap(node, &box, p->pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return false;
}

static gz_sketch_answer judge_scene(gz_sketch_pair *p) {
    scene_search s = {.pair = p, .map = &p->b->sketch->clearance};
    const gz_part *parts[NEAR_PARTS];
    pair_frames frames;
    make_frames(p, &frames);
    int count = list_parts(p, &frames, parts);
    if (count < 0) search_scene(&s);
    for (int i = 0; i < count && !s.meets && s.count <= HINT_PACKETS; i++)
        s.meets = search_part(&s, &frames, parts[i], HINT_PACKETS);
    if (s.meets) return GZ_SKETCH_MEET;
    if (s.contained && (p->solid_b || p->cap_b))
        return p->meet && !p->cap_b ? GZ_SKETCH_MEET : GZ_SKETCH_UNKNOWN;
    if (s.count && p->hint && s.count <= HINT_PACKETS) {
        p->hint->count = s.count;
        p->hint->entry = find_entry(&s);
        memcpy(p->hint->starts, s.packets, (size_t)s.count * sizeof *s.packets);
    }
    if (s.count || p->cap_b) return GZ_SKETCH_UNKNOWN;
    return (p->solid_a || p->cap_a) && may_hold_part(p) ? GZ_SKETCH_UNKNOWN : GZ_SKETCH_APART;
}

/// A small mesh as one part. Where no packet is near its box, nothing of the other lies in it.
static gz_sketch_answer judge_part(gz_sketch_pair *p) {
    scene_search s = {.pair = p};
    pair_frames frames;
    make_frames(p, &frames);
    if (search_part(&s, &frames, p->part, PART_PACKETS)) return GZ_SKETCH_MEET;
    if (s.count) return GZ_SKETCH_UNKNOWN;
    bool holds = (p->solid_a || p->cap_a) && part_fits(p, p->part->center, p->part->half);
    return holds ? GZ_SKETCH_UNKNOWN : GZ_SKETCH_APART;
}
