#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/lanes.h"
#include "math/rounding.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/prefilter/lattice.h"
#include "mesh/prefilter/mesh_proxy.h"

/// Scenes of more components have no inner ellipsoids: finding them takes too long.
#define COMPONENTS_MOST 4096
/// Places along each axis of the box where a ball is searched.
#define PLACES 3
/// Steps of a place that moves away from the surface, and the least, of its distance: at first, and
/// where its ball is large enough.
#define STEPS  12
#define COARSE 0.1f
#define FINE   0.004f
/// Balls are at least so large, of the longest half of the box.
#define LEAST 0.02f
/// Most boxes around a component.
#define AROUND 256

static void find_box(gz_component_proxy *proxy, const graze_aabb *box) {
    for (int k = 0; k < 3; k++) {
        double low = (&box->min.x)[k], high = (&box->max.x)[k];
        proxy->center[k] = (float)(low + 0.5 * (high - low));
        double most = fmax(high - (double)proxy->center[k], (double)proxy->center[k] - low);
        proxy->half[k] = (float)(most * (1 + 0x1p-22));
    }
}

static double square_from(const gz_component_proxy *proxy, const double v[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double d = v[i] - (double)proxy->center[i];
        square += d * d;
    }
    return square;
}

/// In double until the root is taken: squares of what is below 1e-22 m underflow in float.
static void grow_sphere(gz_component_proxy *proxy, double square) {
    double radius = (double)proxy->radius;
    if (square > radius * radius) proxy->radius = (float)sqrt(square);
}

/// The spheres around the boxes' middles that hold the components' vertices.
static void find_spheres(gz_component_proxy *proxies, const graze_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        gz_component_proxy *proxy = &proxies[mesh->component_of[t]];
        for (size_t k = 0; k < 3; k++)
            grow_sphere(proxy, square_from(proxy, gz_mesh_corner(mesh, t, k)));
    }
    for (size_t i = 0; i < mesh->component_count; i++) proxies[i].radius *= 1 + 0x1p-21f;
}

/// Visits of nodes, packets and triangles in search of balls: for all components of a scene, or for
/// a mesh as one, and more for each triangle. A component takes some thousand; but where components
/// overlap, each would take all of them.
#define VISITS_OF_SCENE     (1 << 24)
#define VISITS_OF_ONE       (1 << 18)
#define VISITS_PER_TRIANGLE 16

/// What is around a component: subtrees that hold all of the surface in its box, where they are
/// few; of many the middles of their boxes, in lanes.
typedef struct surroundings {
    const graze_mesh *mesh;
    int32_t subtrees[GZ_SUBTREES_MOST];
    int subtree_count, groups; ///< one of the two is 0
    uint64_t *left;            ///< visits
    float middle[AROUND / GZ_WIDTH][3][GZ_WIDTH];
} surroundings;

/// Opens nodes of the tree as long as there is room for their children, and keeps what overlaps the
/// proxy's box.
static void gather_surroundings(surroundings *s, const graze_mesh *mesh,
                                const gz_component_proxy *proxy) {
    int32_t queue[AROUND];
    int count = 1, next = 0;
    const gz_box own = gz_component_proxy_box(proxy);
    queue[0] = mesh->root;
    while (next < count) {
        if (queue[next] < 0) {
            next++;
            continue;
        }
        const gz_node *node = &mesh->nodes[queue[next]];
        if (count - 1 + node->count > AROUND) break;
        queue[next] = queue[--count];
        unsigned near = gz_node_overlap(node, &own, 0) & ((1u << node->count) - 1);
        for (; near; near &= near - 1) queue[count++] = node->child[__builtin_ctz(near)];
    }
    s->mesh = mesh;
    s->subtree_count = s->groups = 0;
    if (count <= GZ_SUBTREES_MOST) {
        memcpy(s->subtrees, queue, (size_t)count * sizeof *queue);
        s->subtree_count = count;
        return;
    }
    s->groups = (count + GZ_WIDTH - 1) / GZ_WIDTH;
    for (int i = 0; i < s->groups * GZ_WIDTH; i++) {
        const gz_box *box = gz_mesh_tree_box(mesh, queue[i < count ? i : 0]);
        for (int k = 0; k < 3; k++) s->middle[i / GZ_WIDTH][k][i % GZ_WIDTH] = box->center[k];
    }
}

/// About the distance of a place from the surface, where that is no farther than `most`. Inside of
/// a closed component the nearest surface is in the component's box.
static float distance_around(const surroundings *s, const float p[3], float most) {
    if (s->subtree_count)
        return gz_nearest_surface(s->mesh, s->subtrees, s->subtree_count, p, most, 0, s->left);
    gz_f8 least = gz_f8_all(INFINITY);
    for (int g = 0; g < s->groups; g++) {
        gz_f8 sum = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(s->middle[g][k]), gz_f8_all(p[k]));
            sum = gz_f8_add(sum, gz_f8_mul(d, d));
        }
        least = gz_f8_min(least, sum);
    }
    return sqrtf(gz_f8_least(least));
}

/// Moves a place to where the surface is farther, in ever smaller steps (Hooke and Jeeves 1961,
/// "Direct search"), each shorter than its distance. Returns that in the end.
static float move_away(const surroundings *s, float place[3], float stride, float finest) {
    float best = distance_around(s, place, INFINITY);
    for (int step = 0; step < STEPS && stride > finest * best; step++) {
        bool better = false;
        if (stride > 0.9f * best) stride = 0.9f * best;
        for (int k = 0; k < 6; k++) {
            float next[3] = {place[0], place[1], place[2]};
            next[k % 3] += k < 3 ? stride : -stride;
            float distance = distance_around(s, next, best + 1.01f * stride);
            if (!(distance > best)) continue;
            best = distance;
            memcpy(place, next, sizeof next);
            better = true;
        }
        if (!better) stride *= 0.5f;
    }
    return best;
}

/// Whether a ball would add something to those before it: its middle is in none of them.
static bool is_new(const gz_component_proxy *proxy, const float place[3]) {
    for (int i = 0; i < proxy->inner_count; i++) {
        float square = 0;
        for (int k = 0; k < 3; k++) {
            float d = (place[k] - proxy->inner[i].center[k]) / proxy->inner[i].half[k];
            square += d * d;
        }
        if (square < 1) return false;
    }
    return true;
}

/// Keeps the largest balls, in order.
static void add_ball(gz_component_proxy *proxy, const float place[3], float radius) {
    int at = proxy->inner_count < GZ_INNER_ELLIPSOIDS ? proxy->inner_count++ : GZ_INNER_ELLIPSOIDS;
    if (at == GZ_INNER_ELLIPSOIDS && !(radius > proxy->inner[--at].half[0])) return;
    for (; at > 0 && radius > proxy->inner[at - 1].half[0]; at--)
        proxy->inner[at] = proxy->inner[at - 1];
    proxy->inner[at] = (gz_inner_ellipsoid){{place[0], place[1], place[2]},
                                            {radius, radius, radius}};
}

static bool is_inside(const surroundings *s, const float place[3]) {
    const double p[3] = {(double)place[0], (double)place[1], (double)place[2]};
    return gz_region_is_inside(s->mesh, p, s->left);
}

/// Moves a place away from the surface, and keeps the ball around it.
static void find_ball(gz_component_proxy *proxy, const surroundings *s, float place[3]) {
    if (!is_new(proxy, place) || !is_inside(s, place)) return;
    const float *half = proxy->half;
    float least = LEAST * fmaxf(half[0], fmaxf(half[1], half[2]));
    if (proxy->inner_count == GZ_INNER_ELLIPSOIDS)
        least = proxy->inner[GZ_INNER_ELLIPSOIDS - 1].half[0] * 1.02f;
    float about = move_away(s, place, 0.25f * fminf(half[0], fminf(half[1], half[2])), COARSE);
    if (!(about * (1 + COARSE) > least) || !is_new(proxy, place)) return;
    about = move_away(s, place, COARSE * about, FINE);
    if (!(about > least) || !is_new(proxy, place)) return;
    // The place may have left the component, and the distance was that of a part of the surface.
    if (!is_inside(s, place)) return;
    float unit = 0.5f * FINE * about;
    float radius = unit *
                   gz_nearest_surface(s->mesh, &s->mesh->root, 1, place, INFINITY, unit, s->left);
    if (radius > least) add_ball(proxy, place, radius);
}

static void try_places(gz_component_proxy *proxy, const surroundings *s) {
    for (int i = 0; i < PLACES * PLACES * PLACES; i++) {
        if (*s->left == 0) return;
        // The middle first: of a round component its ball is nearly all.
        int cell = (i + PLACES * PLACES * PLACES / 2) % (PLACES * PLACES * PLACES);
        int at[3] = {cell % PLACES, cell / PLACES % PLACES, cell / PLACES / PLACES};
        float place[3];
        for (int k = 0; k < 3; k++)
            place[k] = proxy->center[k] + proxy->half[k] * ((float)at[k] - 1) * (2 / 3.0f);
        find_ball(proxy, s, place);
    }
}

static void find_balls(gz_component_proxy *proxy, const graze_mesh *mesh, uint64_t *left) {
    surroundings around;
    around.left = left;
    gather_surroundings(&around, mesh, proxy);
    try_places(proxy, &around);
    if (proxy->inner_count || !around.groups) return;
    // Thinner than the boxes around it are wide.
    around.subtrees[0] = mesh->root;
    around.subtree_count = 1;
    around.groups = 0;
    try_places(proxy, &around);
}

bool gz_mesh_is_box(const graze_mesh *mesh) {
    if (mesh->component_count != 1 || mesh->closed_count != 1) return false;
    const double *low = &mesh->aabb.min.x, *high = &mesh->aabb.max.x;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles + 3 * t;
        bool flat = false;
        for (size_t k = 0; k < 3; k++) {
            double x[3];
            for (size_t i = 0; i < 3; i++) x[i] = mesh->vertices[3 * (size_t)c[i] + k];
            flat = flat || (x[0] == x[1] && x[1] == x[2] && (x[0] == low[k] || x[0] == high[k]));
        }
        if (!flat) return false;
    }
    return true;
}

/// The ellipsoid in a box that no triangle of the mesh passes, where the closed components wind
/// around its middle.
static void find_ellipsoid(gz_component_proxy *proxy, const graze_mesh *mesh) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = (double)proxy->center[k];
    uint64_t left = 0;
    if (!gz_region_is_inside(mesh, middle, &left)) return;
    gz_inner_ellipsoid inner;
    for (int k = 0; k < 3; k++) {
        inner.center[k] = proxy->center[k];
        inner.half[k] = proxy->half[k] * GZ_ROUND_DOWN_FEW -
                        (fabsf(proxy->center[k]) + proxy->half[k]) * 0x1p-22f;
        if (!(inner.half[k] > 0)) return;
    }
    proxy->inner[proxy->inner_count++] = inner;
}

bool gz_component_proxies_build(gz_component_proxy **out, const graze_mesh *mesh) {
    gz_component_proxy *proxies = gz_calloc(mesh->component_count, sizeof *proxies);
    *out = proxies;
    if (!proxies) return false;
    for (size_t i = 0; i < mesh->component_count; i++)
        find_box(&proxies[i], &mesh->components[i].box);
    find_spheres(proxies, mesh);
    uint64_t left = VISITS_OF_SCENE + VISITS_PER_TRIANGLE * (uint64_t)mesh->triangle_count;
    for (size_t i = 0; i < mesh->component_count && mesh->component_count <= COMPONENTS_MOST; i++)
        if (mesh->components[i].closed) find_balls(&proxies[i], mesh, &left);
    return true;
}

gz_component_proxy gz_component_proxy_make(const graze_mesh *mesh) {
    gz_component_proxy proxy = {.inner_count = 0};
    find_box(&proxy, &mesh->aabb);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        grow_sphere(&proxy, square_from(&proxy, mesh->vertices + 3 * i));
    proxy.radius *= 1 + 0x1p-21f;
    if (mesh->closed_count == 0) return proxy;
    uint64_t left = VISITS_OF_ONE + VISITS_PER_TRIANGLE * (uint64_t)mesh->triangle_count;
    if (gz_mesh_is_box(mesh))
        find_ellipsoid(&proxy, mesh);
    else
        find_balls(&proxy, mesh, &left);
    return proxy;
}
