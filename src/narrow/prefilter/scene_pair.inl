// A mesh against a scene, a mesh with a clearance map: included by proxy_pair.inl, file-local.
//
// The components of the scene whose boxes overlap the mesh's are listed. Where all of them are
// small, the mesh's tree is searched for packets near each; a triangle that enters an inner
// ellipsoid is a hit, as a sample point is in proxy_pair.inl. Where one is large, the mesh's sphere
// set is searched for packets whose spheres are not clear in the map; a point of them that is
// inside is a hit, and what is clear and inside lies in it. Apart: no packet is near, and where one
// of the two counts as solid the other does not lie in it, either.

#include <math.h>
#include <string.h>

#include "math/rounding.h"
#include "narrow/prefilter/component_pair.inl"

/// Tests points of a packet's triangles: their corners, the middles of their edges and their own.
/// One that is inside proves a hit where its component is not all inside.
static inline bool points_overlap(scene_search *s, const gz_packet *packet) {
    static const float weights[7][3] = {{1, 0, 0},
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
            gz_f8 sum = gz_f8_mul(gz_f8_load(packet->vertex[0][i]), gz_f8_all(weights[k][0]));
            sum = madd(sum, gz_f8_load(packet->vertex[1][i]), weights[k][1]);
            gz_f8_store(group[i], madd(sum, gz_f8_load(packet->vertex[2][i]), weights[k][2]));
        }
        moved_points at = move_group(p->r, p->t, (const float(*)[GZ_WIDTH])group);
        ball_answer ball = query_balls(s->map, &at, gz_f8_all(p->error));
        for (unsigned inside = ball.inside & lanes; inside; inside &= inside - 1) {
            uint32_t triangle = packet->triangle[__builtin_ctz(inside)];
            if (proves_hit(s, triangle)) return true;
        }
    }
    return false;
}

/// Tests the spheres around a packet's triangles; whether a hit is proved.
static inline bool test_packet(scene_search *s, int32_t reference) {
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
    radius = gz_f8_mul(gz_f8_sqrt(radius), gz_f8_all(GZ_ROUND_UP));
    if (!test_spheres(s, (const float(*)[GZ_WIDTH])center, radius, packet->count)) return false;
    if (s->wanted && points_overlap(s, packet)) return true;
    add_packet(s, reference, NULL);
    return false;
}

/// Searches a subtree of the mesh; whether the search may end: a hit is proved, or enough packets
/// are near.
static bool search_subtree(scene_search *s, int32_t root) {
    const graze_mesh *mesh = s->pair->a;
    gz_traversal walk;
    gz_traversal_start(&walk, root);
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        if (reference < 0) {
            s->hit = test_packet(s, reference);
            if (s->hit || s->count > s->most) return true;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_f8 square = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 half = gz_f8_load(node->half[k]);
            square = gz_f8_add(square, gz_f8_mul(half, half));
        }
        gz_f8 radius = gz_f8_mul(gz_f8_sqrt(square), gz_f8_all(GZ_ROUND_UP));
        unsigned near = test_spheres(s, (const float(*)[GZ_WIDTH])node->center, radius,
                                     node->count);
        gz_traversal_add(&walk, node, near);
    }
    return false;
}

/// Searches the mesh from its sphere set down to the packets.
static void search_scene(scene_search *s) {
    const gz_sphere_set *set = &s->pair->a->proxy->sphere_set;
    uint64_t near = 0;
    for (int g = 0; g * GZ_WIDTH < set->count; g++) {
        int left = set->count - g * GZ_WIDTH;
        unsigned lanes = test_spheres(s, set->group[g], gz_f8_load(set->group[g][3]),
                                      left < GZ_WIDTH ? left : GZ_WIDTH);
        near |= (uint64_t)lanes << (g * GZ_WIDTH);
    }
    for (; near; near &= near - 1)
        if (search_subtree(s, set->reference[__builtin_ctzll(near)])) return;
}

/// The smallest subtree of the scene that holds all of it that is near the packets.
static inline int32_t find_entry(const scene_search *s) {
    const graze_mesh *scene = s->pair->b;
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = 0.5f * (s->low[k] + s->high[k]);
        box.half[k] = 0.5f * (s->high[k] - s->low[k]) * GZ_ROUND_UP;
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

/// Most components that are tested one by one; more of them are left to the map.
#define NEAR_COMPONENTS 32

static inline bool has_leaf(const gz_node *node) {
    for (int i = 0; i < node->count; i++)
        if (node->child[i] < 0) return true;
    return false;
}

/// Lists the components whose boxes overlap the mesh's; returns how many, or -1 where they are too
/// many, or one is so large that the mesh may lie in it, or nearly.
static int list_components(const gz_proxy_pair *p, pair_frames *frames,
                           const gz_component_proxy **out) {
    const graze_mesh *scene = p->b;
    const gz_mesh_proxy *mesh = p->a->proxy;
    gz_box box, around = box_of_mesh(p);
    memcpy(box.center, mesh->center, sizeof box.center);
    memcpy(box.half, mesh->half, sizeof box.half);
    float large = (float)mesh->shortest;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, count = 0;
    stack[top++] = scene->component_root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_component_proxy *proxy = &scene->proxy->components[~reference];
            if (count == NEAR_COMPONENTS || !(2 * proxy->radius < large)) return -1;
            out[count++] = proxy;
            continue;
        }
        const gz_node *node = &scene->component_nodes[reference];
        unsigned near = gz_node_overlap(node, &around, p->pad) & ((1u << node->count) - 1);
        // Components are worth six axes, and their triangles decide the rest; nodes above them are
        // quickly opened.
        if (near && has_leaf(node))
            near &= axes_mask(node, &box, frames->to_b, frames->abs_to_b, frames->shift_b, p->pad,
                              0, NULL, false, false);
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
    }
    return count;
}

/// Whether some component of a scene, clear of the mesh's surface, may lie in the mesh.
static bool may_contain_some(const gz_proxy_pair *p) {
    const graze_mesh *scene = p->b;
    if (!gz_proxy_may_contain(p->a, p->solid_a, p->cap_a, scene, (double)p->error)) return false;
    gz_box box = box_of_mesh(p);
    gz_traversal walk;
    gz_traversal_start(&walk, scene->component_root);
    for (int32_t i; gz_traversal_next_in_box(&walk, scene->component_nodes, &box, p->pad, &i);)
        if (may_contain(p, &box, &scene->proxy->components[i])) return true;
    return false;
}

static gz_proxy_answer test_scene(gz_proxy_pair *p) {
    scene_search s;
    // Nothing is inside of an open scene, such as a ground.
    begin_search(&s, p, &p->b->proxy->clearance,
                 p->question != GZ_PROXY_TEST_APART && p->b->closed_count > 0);
    const gz_component_proxy *near[NEAR_COMPONENTS];
    pair_frames frames;
    make_frames(p, &frames);
    int count = list_components(p, &frames, near);
    // A hit that the first packets do not prove is seldom proved by more.
    s.most = p->hint ? HINT_PACKETS : s.wanted ? COMPONENT_PACKETS : 0;
    if (count < 0) search_scene(&s);
    for (int i = 0; i < count && !s.hit && s.count <= s.most; i++)
        s.hit = search_component(&s, &frames, near[i]);
    if (s.hit) return GZ_PROXY_OVERLAP;
    if (s.contained && (p->solid_b || p->cap_b))
        return p->question != GZ_PROXY_TEST_APART && !p->cap_b ? GZ_PROXY_OVERLAP
                                                               : GZ_PROXY_UNKNOWN;
    if (s.count && p->hint && s.count <= HINT_PACKETS) {
        p->hint->count = s.count;
        p->hint->entry = find_entry(&s);
        memcpy(p->hint->starts, s.packets, (size_t)s.count * sizeof *s.packets);
    }
    if (s.count || p->cap_b) return GZ_PROXY_UNKNOWN;
    return may_contain_some(p) ? GZ_PROXY_UNKNOWN : GZ_PROXY_APART;
}
