// A mesh against a scene, a mesh with a clearance map: included by proxy_pair.inl, file-local.
//
// The parts of the scene whose boxes overlap the mesh's are looked at. Where all of them are small
// the mesh's tree is searched for packets near each; a triangle that reaches into a ball inside of
// a part is a hit, as a probe is in proxy_pair.inl. Where one is large the mesh's cover is
// searched for packets whose spheres are not clear in the map; a point of them that is inside is a
// hit, and what is clear and inside lies in it. Apart: no packet is near, and where one of the two
// counts as solid the other does not lie in it, either.

#include <math.h>
#include <string.h>

#include "narrow/prefilter/component_pair.inl"

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
    const gz_proxy_pair *p = s->pair;
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
    if (s->meet && points_meet(s, packet)) return true;
    add_packet(s, reference, NULL);
    return false;
}

/// Down a subtree of the mesh; whether nothing new is to be told: a hit is shown, or enough packets
/// are near.
static bool search_subtree(scene_search *s, int32_t root) {
    const graze_mesh *mesh = s->pair->a;
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            s->meets = look_at_packet(s, reference);
            if (s->meets || s->count > s->most) return true;
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
    const gz_sphere_set *cover = &s->pair->a->proxy->fine;
    uint64_t near = 0;
    for (int g = 0; g * GZ_WIDTH < cover->count; g++) {
        int left = cover->count - g * GZ_WIDTH;
        unsigned lanes = ask_spheres(s, cover->group[g], gz_f8_load(cover->group[g][3]),
                                     left < GZ_WIDTH ? left : GZ_WIDTH);
        near |= (uint64_t)lanes << (g * GZ_WIDTH);
    }
    for (; near; near &= near - 1)
        if (search_subtree(s, cover->reference[__builtin_ctzll(near)])) return;
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

/// Parts looked at one by one; more of them are left to the map.
#define NEAR_PARTS 32

static inline bool has_leaf(const gz_node *node) {
    for (int i = 0; i < node->count; i++)
        if (node->child[i] < 0) return true;
    return false;
}

/// The parts whose boxes overlap the mesh's; returns how many, or -1 where they are too many, or
/// one is so large that the mesh may lie in it, or nearly.
static int list_parts(const gz_proxy_pair *p, pair_frames *frames, const gz_component_proxy **out) {
    const graze_mesh *scene = p->b;
    const gz_mesh_proxy *mesh = p->a->proxy;
    gz_box box, around = box_of_mesh(p);
    memcpy(box.center, mesh->center, sizeof box.center);
    memcpy(box.half, mesh->half, sizeof box.half);
    float large = (float)mesh->shortest;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, count = 0;
    stack[top++] = scene->component_count == 1 ? ~0 : scene->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_component_proxy *part = &scene->proxy->parts[~reference];
            if (count == NEAR_PARTS || !(2 * part->radius < large)) return -1;
            out[count++] = part;
            continue;
        }
        const gz_node *node = &scene->component_nodes[reference];
        unsigned near = gz_node_overlap(node, &around, p->pad) & ((1u << node->count) - 1);
        // Parts are worth six axes, and their triangles tell the rest; nodes above them are soon
        // looked into.
        if (near && has_leaf(node))
            near &= axes_mask(node, &box, frames->to_b, frames->abs_to_b, frames->shift_b, p->pad,
                              0, NULL, false, false);
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
    }
    return count;
}

/// The same of all parts of a scene.
static bool may_hold_part(const gz_proxy_pair *p) {
    const graze_mesh *scene = p->b;
    if (!gz_proxy_may_contain(p->a, p->solid_a, p->cap_a, scene, (double)p->error)) return false;
    gz_box box = box_of_mesh(p);
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = scene->component_count == 1 ? ~0 : scene->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_component_proxy *part = &scene->proxy->parts[~reference];
            if (may_hold(p, &box, part)) return true;
            continue;
        }
        const gz_node *node = &scene->component_nodes[reference];
        for (unsigned mask = gz_node_overlap(node, &box, p->pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return false;
}

static gz_proxy_answer judge_scene(gz_proxy_pair *p) {
    scene_search s;
    // Nothing is inside of an open scene, such as a ground.
    begin_search(&s, p, &p->b->proxy->clearance, p->meet && p->b->closed_count > 0);
    const gz_component_proxy *parts[NEAR_PARTS];
    pair_frames frames;
    make_frames(p, &frames);
    int count = list_parts(p, &frames, parts);
    // A hit that the first packets do not show is seldom shown by more.
    s.most = p->hint ? HINT_PACKETS : s.meet ? PART_PACKETS : 0;
    if (count < 0) search_scene(&s);
    for (int i = 0; i < count && !s.meets && s.count <= s.most; i++)
        s.meets = search_part(&s, &frames, parts[i]);
    if (s.meets) return GZ_PROXY_OVERLAP;
    if (s.contained && (p->solid_b || p->cap_b))
        return p->meet && !p->cap_b ? GZ_PROXY_OVERLAP : GZ_PROXY_UNKNOWN;
    if (s.count && p->hint && s.count <= HINT_PACKETS) {
        p->hint->count = s.count;
        p->hint->entry = find_entry(&s);
        memcpy(p->hint->starts, s.packets, (size_t)s.count * sizeof *s.packets);
    }
    if (s.count || p->cap_b) return GZ_PROXY_UNKNOWN;
    return may_hold_part(p) ? GZ_PROXY_UNKNOWN : GZ_PROXY_APART;
}
