// A mesh against a component proxy, of a component of a scene or of a small mesh: included by
// scene_pair.inl, file-local.
//
// Where the proxy is of a whole object, the mesh's sample points are tested first: one inside of an
// inner ellipsoid and one outside of the box prove a hit. Otherwise the mesh's tree is searched for
// packets near the proxy's box and sphere; a triangle that enters an inner ellipsoid is a hit, as a
// sample point is in proxy_pair.inl. Of a box along the axes the whole interior counts instead of
// an ellipsoid. No packet near: apart.

#include <math.h>
#include <string.h>

#include "math/rounding.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/kernel.h"
#include "narrow/prefilter/cell_lanes.h"

/// Most packets near a scene that are listed, and near a small object that are tested.
#define HINT_PACKETS      64
#define COMPONENT_PACKETS 2

/// Depths of less are inside of an ellipsoid or box of radius 1, whatever rounding did.
#define SURELY_INSIDE (1 - 1e-4f)

/// Distances of triangles are not computed under a smaller pad: see beyond_squares().
#define PAD_LEAST 1e-8f

/// One mesh against one scene.
typedef struct scene_search {
    const gz_proxy_pair *pair;
    const gz_clearance_map *map;
    bool wanted;    ///< hits are reported, and the scene has an inside
    bool out;       ///< some of the mesh is not inside
    int sampled;    ///< groups of sample points that have been tested for that
    bool contained; ///< some of the mesh, clear of the surface, is inside
    bool hit;       ///< proved
    int most;       ///< packets near the surface at which the search may end
    int count;      ///< packets near the surface so far
    int32_t packets[HINT_PACKETS];
    float low[3], high[3]; ///< around them, in the scene's frame
} scene_search;

/// The packets and the box around them are set as they are found.
static inline void begin_search(scene_search *s, const gz_proxy_pair *p,
                                const gz_clearance_map *map, bool wanted) {
    s->pair = p;
    s->map = map;
    s->wanted = wanted;
    s->out = s->contained = s->hit = false;
    s->most = s->count = s->sampled = 0;
}

/// The lanes of spheres, around subtrees or packets, that may touch the surface.
static inline unsigned test_spheres(scene_search *s, const float (*center)[GZ_WIDTH], gz_f8 radius,
                                    int count) {
    const gz_proxy_pair *p = s->pair;
    moved_points at = move_group(p->r, p->t, center);
    ball_answer ball = query_balls(s->map, &at, gz_f8_add(radius, gz_f8_all(p->pad)));
    unsigned lanes = (1u << count) - 1;
    s->contained = s->contained || (ball.inside & lanes);
    s->out = s->out || (ball.clear & ~ball.inside & lanes);
    return ~ball.clear & lanes;
}

/// Whether a vertex of a component is outside of the proxy's box, and so not inside of b. A vertex,
/// and its distance from the middle, is off by less than twice the error.
static bool sticks_out(const gz_proxy_pair *p, const gz_component *c) {
    const gz_component_proxy *proxy = p->component;
    for (int e = 0; e < 6; e++) {
        const double *v = p->a->vertices + 3 * (size_t)c->extreme[e];
        float x[3] = {(float)v[0], (float)v[1], (float)v[2]};
        for (int k = 0; k < 3; k++) {
            float at = (p->r[k][0] * x[0] + p->r[k][1] * x[1]) + p->r[k][2] * x[2];
            float off = fabsf(at + (p->t[k] - proxy->center[k]));
            if (off > (proxy->half[k] + 2 * p->error) * GZ_ROUND_UP) return true;
        }
    }
    return false;
}

/// Whether a triangle that is partly inside proves a hit: its component is longer than what could
/// contain it, or sticks out. Two vertices of each are off by less than the error, together; the
/// rest is for rotations that are rigid up to 1e-9, and for the sphere in float.
static bool proves_hit(scene_search *s, uint32_t triangle) {
    const gz_proxy_pair *p = s->pair;
    const gz_component *c = &p->a->components[p->a->component_of[triangle]];
    if (p->solid_b && !p->cap_b) return true;
    double length = fmax(c->box.max.x - c->box.min.x,
                         fmax(c->box.max.y - c->box.min.y, c->box.max.z - c->box.min.z));
    double enclosure = s->map ? p->b->proxy->enclosure : 2 * (double)p->component->radius;
    if (length * (1 - 1e-6) > enclosure + (double)p->error) return true;
    if (!s->map) return sticks_out(p, c);
    if (p->a->component_count > 1) return false;
    const gz_point_set *samples = &p->a->proxy->samples;
    for (; s->sampled < samples->count && !s->out; s->sampled++)
        test_spheres(s, samples->group[s->sampled], gz_f8_all(0), GZ_WIDTH);
    return s->out;
}

static inline float smaller(float a, float b) {
    return a < b ? a : b;
}

static inline float larger(float a, float b) {
    return a > b ? a : b;
}

/// Lists a packet; `proxy` is what it may overlap, NULL for everything.
static inline void add_packet(scene_search *s, int32_t reference, const gz_component_proxy *proxy) {
    const gz_proxy_pair *p = s->pair;
    const gz_box *box = &p->a->packet_boxes[~reference];
    for (int i = 0; p->hint && i < 3; i++) {
        float c = p->t[i], h = p->pad;
        for (int j = 0; j < 3; j++) {
            c += p->r[i][j] * box->center[j];
            h += fabsf(p->r[i][j]) * box->half[j];
        }
        float low = c - h, high = c + h;
        if (proxy) {
            low = larger(low, proxy->center[i] - proxy->half[i] - p->pad);
            high = smaller(high, proxy->center[i] + proxy->half[i] + p->pad);
        }
        s->low[i] = s->count ? smaller(s->low[i], low) : low;
        s->high[i] = s->count ? larger(s->high[i], high) : high;
    }
    if (s->count < HINT_PACKETS) s->packets[s->count] = reference;
    s->count++;
}

/// An inner ellipsoid whose half axes are longer than the error of points.
typedef struct posed_inner {
    const gz_inner_ellipsoid *ellipsoid;
    float center[3]; ///< in the mesh's frame
    float scale[3];  ///< 1 / the half axes, less the error of points
} posed_inner;

/// A component proxy in the mesh's frame.
typedef struct posed_component {
    const gz_component_proxy *proxy;
    float center[3], radius; ///< of its sphere, pad included
    gz_box box;              ///< in the scene's frame
    int thin;                ///< its shortest direction
    int inner_count;
    posed_inner inner[GZ_INNER_ELLIPSOIDS];
} posed_component;

static inline void move_back(const gz_proxy_pair *p, const float at[3], float out[3]) {
    float d[3];
    for (int k = 0; k < 3; k++) d[k] = at[k] - p->t[k];
    for (int k = 0; k < 3; k++)
        out[k] = (p->r[0][k] * d[0] + p->r[1][k] * d[1]) + p->r[2][k] * d[2];
}

/// With e for the error, 24 u S and more (kernel.c): a point of a that is computed within half
/// axes shorter by 2 e, of a ball or of a box, is off by e, and by up to 8 u S where it is not a
/// vertex (edges_inside(), nearest_squares()): seen from b it is within the ellipsoid's own. Of an
/// ellipsoid that is not longer than 3 e in every direction, such as a thin sheet's, nothing is
/// left. Of others e is: S in units of it is below 2^20, and no product in these units overflows.
static inline bool pose_inner(const gz_proxy_pair *p, const gz_inner_ellipsoid *inner,
                              posed_inner *out) {
    for (int k = 0; k < 3; k++) {
        float half = (inner->half[k] - 2 * p->error) * GZ_ROUND_DOWN;
        if (!(half > p->error)) return false;
        out->scale[k] = 1 / half;
    }
    out->ellipsoid = inner;
    move_back(p, inner->center, out->center);
    return true;
}

static inline void pose_component(const gz_proxy_pair *p, const gz_component_proxy *proxy,
                                  posed_component *out) {
    out->proxy = proxy;
    move_back(p, proxy->center, out->center);
    // 1e-18 keeps the squares that it is compared with far above the underflow of float.
    out->radius = (proxy->radius + p->pad) * GZ_ROUND_UP + 1e-18f;
    out->box = gz_component_proxy_box(proxy);
    const float *h = proxy->half;
    out->thin = h[0] < h[1] ? (h[0] < h[2] ? 0 : 2) : h[1] < h[2] ? 1 : 2;
    out->inner_count = 0;
    for (int i = 0; i < proxy->inner_count; i++)
        out->inner_count += pose_inner(p, &proxy->inner[i], &out->inner[out->inner_count]);
}

/// How near the coordinates of the limit of a inner, 1, points are: less is inside. Of a box that
/// is the whole of it (see gz_mesh_is_box()), and of others the ellipsoid.
static inline gz_f8 inner_depth(const gz_f8 x[3], bool box) {
    if (box) return gz_f8_max(gz_f8_abs(x[0]), gz_f8_max(gz_f8_abs(x[1]), gz_f8_abs(x[2])));
    return gz_f8_muladd(x[2], x[2], gz_f8_muladd(x[1], x[1], gz_f8_mul(x[0], x[0])));
}

/// Lanes whose triangles have a point in a box, of those on their edges that are nearest to the
/// plane midway across the box's shortest direction: where an edge passes that plane, or its end.
/// Any t in [0, 1] makes a point of the edge; computing it rounds by 8 u of the sizes, for which
/// pose_inner() has made the box smaller.
static inline unsigned edges_inside(const lanes3 at[3], int thin) {
    gz_f8 zero = gz_f8_all(0), one = gz_f8_all(1), least = gz_f8_all(INFINITY);
    for (int c = 0; c < 3; c++) {
        const lanes3 *a = &at[c], *b = &at[(c + 1) % 3];
        gz_f8 from[3] = {a->x, a->y, a->z}, way[3];
        way[0] = gz_f8_sub(b->x, a->x);
        way[1] = gz_f8_sub(b->y, a->y);
        way[2] = gz_f8_sub(b->z, a->z);
        gz_f8 z = thin == 0 ? from[0] : thin == 1 ? from[1] : from[2];
        gz_f8 dz = thin == 0 ? way[0] : thin == 1 ? way[1] : way[2];
        // Where dz is 0 whatever t in [0, 1] will do; a NaN ends at 0 or 1.
        gz_f8 t = gz_f8_div(gz_f8_sub(zero, z), dz);
        t = gz_f8_min(gz_f8_max(t, zero), one);
        gz_f8 x[3];
        for (int k = 0; k < 3; k++) x[k] = gz_f8_muladd(t, way[k], from[k]);
        least = gz_f8_min(least, inner_depth(x, true));
    }
    return gz_f8_mask(gz_f8_greater(gz_f8_all(SURELY_INSIDE), least));
}

/// Whether sample points prove a hit: one is in an inner ellipsoid, and their component is not all
/// inside: b counts as solid, or another sample point is outside of the proxy's box.
static bool samples_enter(const gz_proxy_pair *p, const posed_component *seen) {
    const gz_point_set *samples = &p->a->proxy->samples;
    const gz_component_proxy *proxy = seen->proxy;
    bool in = false, out = p->solid_b && !p->cap_b;
    for (int g = 0; g < samples->count; g++) {
        moved_points at = move_group(p->r, p->t, samples->group[g]);
        gz_f8 least = gz_f8_all(INFINITY), beyond = gz_f8_all(0);
        for (int i = 0; i < seen->inner_count; i++) {
            const posed_inner *c = &seen->inner[i];
            gz_f8 x[3];
            for (int k = 0; k < 3; k++)
                x[k] = gz_f8_mul(gz_f8_sub(at.x[k], gz_f8_all(c->ellipsoid->center[k])),
                                 gz_f8_all(c->scale[k]));
            least = gz_f8_min(least, inner_depth(x, p->box));
        }
        in = in || gz_f8_mask(gz_f8_greater(gz_f8_all(SURELY_INSIDE), least));
        for (int k = 0; k < 3 && !out; k++) {
            gz_f8 off = gz_f8_abs(gz_f8_sub(at.x[k], gz_f8_all(proxy->center[k])));
            gz_f8 most = gz_f8_all((proxy->half[k] + 2 * p->error) * GZ_ROUND_UP);
            beyond = gz_f8_or(beyond, gz_f8_greater(off, most));
        }
        out = out || gz_f8_mask(beyond);
        if (in && out) return true;
    }
    return false;
}

/// Whether a box is farther from an ellipsoid's middle than its longest half axis.
static inline bool inner_beyond(const posed_inner *c, const gz_box *box) {
    const float *half = c->ellipsoid->half;
    float radius = larger(half[0], larger(half[1], half[2])), sum = 0;
    for (int k = 0; k < 3; k++) {
        float gap = fabsf(box->center[k] - c->center[k]) - box->half[k];
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum > radius * radius;
}

/// Whether a triangle of a packet reaches into a inner, and shows a hit: in coordinates in which
/// the inner is the ball of radius 1 around the origin, or the cube of edge 2.
static bool enters_inner(scene_search *s, const posed_component *seen, const lanes3 v[3],
                         const gz_packet *packet, const gz_box *box) {
    static const float origin[3] = {0, 0, 0};
    const gz_proxy_pair *p = s->pair;
    for (int i = 0; i < seen->inner_count; i++) {
        const posed_inner *c = &seen->inner[i];
        if (inner_beyond(c, box)) continue;
        lanes3 at[3];
        for (int n = 0; n < 3; n++) {
            gz_f8 x[3];
            for (int k = 0; k < 3; k++) {
                float shift = p->t[k] - c->ellipsoid->center[k];
                x[k] = madd(madd(madd(gz_f8_all(shift), v[n].x, p->r[k][0]), v[n].y, p->r[k][1]),
                            v[n].z, p->r[k][2]);
                x[k] = gz_f8_mul(x[k], gz_f8_all(c->scale[k]));
            }
            at[n] = (lanes3){x[0], x[1], x[2]};
        }
        unsigned hits = p->box ? edges_inside(at, seen->thin)
                               : gz_f8_mask(gz_f8_greater(gz_f8_all(SURELY_INSIDE),
                                                          nearest_squares(at, origin)));
        for (hits &= (1u << packet->count) - 1; hits; hits &= hits - 1)
            if (proves_hit(s, packet->triangle[__builtin_ctz(hits)])) return true;
    }
    return false;
}

/// Tests a packet whose box is near a component: whether it proves a hit, else it may be listed.
static bool test_packet_near(scene_search *s, const posed_component *seen, int32_t reference) {
    const gz_packet *packet = &s->pair->a->packets[~reference];
    const gz_box *box = &s->pair->a->packet_boxes[~reference];
    unsigned lanes = (1u << packet->count) - 1;
    lanes3 v[3];
    for (int k = 0; k < 3; k++) v[k] = load_lanes3(packet->vertex[k]);
    float radius = seen->radius + s->pair->pad; // twice the pad: of the distance's rounding, too
    gz_f8 far = gz_f8_greater(beyond_squares(v, seen->center),
                              gz_f8_all(radius * radius * GZ_ROUND_UP));
    if (s->pair->pad > PAD_LEAST && !(lanes & ~gz_f8_mask(far))) return false;
    if (s->wanted && seen->inner_count && enters_inner(s, seen, v, packet, box)) return true;
    add_packet(s, reference, seen->proxy);
    return false;
}

/// Children of a node whose boxes are beyond a component's sphere; and the squares of the distances
/// of their middles from its own.
static inline unsigned far_children(const gz_node *node, const posed_component *seen,
                                    float *squares) {
    gz_f8 sum = gz_f8_all(0), square = sum;
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(seen->center[k]));
        sum = add_gap(sum, gz_f8_sub(gz_f8_abs(d), gz_f8_load(node->half[k])));
        square = gz_f8_add(square, gz_f8_mul(d, d));
    }
    gz_f8_store(squares, square);
    return gz_f8_mask(gz_f8_greater(sum, gz_f8_all(seen->radius * seen->radius * GZ_ROUND_UP)));
}

/// The two frames of a pair, as axes_mask() takes them.
typedef struct pair_frames {
    float to_b[3][3], to_a[3][3], abs_to_b[3][3], abs_to_a[3][3], shift_b[3], shift_a[3];
} pair_frames;

static void make_frames(const gz_proxy_pair *p, pair_frames *out) {
    const float origin[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out->to_b[i][j] = out->to_a[j][i] = p->r[i][j];
            out->abs_to_b[i][j] = out->abs_to_a[j][i] = fabsf(p->r[i][j]);
        }
    memcpy(out->shift_b, p->t, sizeof p->t);
    move_back(p, origin, out->shift_a);
}

/// Searches the mesh's tree for packets near a component; whether a hit is proved.
static bool search_component(scene_search *s, pair_frames *frames,
                             const gz_component_proxy *proxy) {
    const graze_mesh *mesh = s->pair->a;
    posed_component seen;
    pose_component(s->pair, proxy, &seen);
    if (!s->map && s->wanted && seen.inner_count && samples_enter(s->pair, &seen)) return true;
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (test_packet_near(s, &seen, reference)) return true;
            if (s->count > s->most) return false;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        float squares[GZ_WIDTH];
        unsigned near = ~far_children(node, &seen, squares) & ((1u << node->count) - 1);
        if (near)
            near &= axes_mask(node, &seen.box, frames->to_a, frames->abs_to_a, frames->shift_a,
                              s->pair->pad, 0, NULL, false, false);
        if (!near) continue;
        int first = gz_take_least(squares, &near); // the likeliest to enter
        for (; near; near &= near - 1) stack[top++] = node->child[__builtin_ctz(near)];
        stack[top++] = node->child[first];
    }
    return false;
}

/// The box around the mesh, in the scene's frame.
static inline gz_box box_of_mesh(const gz_proxy_pair *p) {
    const gz_mesh_proxy *mesh = p->a->proxy;
    gz_box box;
    for (int i = 0; i < 3; i++) {
        box.center[i] = p->t[i];
        box.half[i] = p->pad;
        for (int j = 0; j < 3; j++) {
            box.center[i] += p->r[i][j] * mesh->center[j];
            box.half[i] += fabsf(p->r[i][j]) * mesh->half[j];
        }
        box.half[i] *= GZ_ROUND_UP;
    }
    return box;
}

/// Whether a component, whose surface is clear of the mesh's, may lie in the mesh, whose box is
/// given. In a closed component all of it does, so that its box is in the mesh's. Under `cap` one
/// vertex is enough, and what the caps close is in the mesh's box, since their apexes are.
static inline bool may_contain(const gz_proxy_pair *p, const gz_box *mesh,
                               const gz_component_proxy *proxy) {
    for (int k = 0; k < 3; k++) {
        float own = p->cap_a ? -proxy->half[k] : proxy->half[k] * GZ_ROUND_DOWN;
        if (fabsf(proxy->center[k] - mesh->center[k]) + own > mesh->half[k]) return false;
    }
    return p->cap_a || (p->solid_a && p->a->closed_count > 0);
}

/// A mesh against a small mesh with one component proxy. Where no packet is near its box, nothing
/// of the other lies in it, nor where caps close it: they are in its box and in its sphere.
static gz_proxy_answer test_component(gz_proxy_pair *p) {
    scene_search s;
    begin_search(&s, p, NULL, p->question != GZ_PROXY_TEST_APART && p->component->inner_count > 0);
    s.most = s.wanted ? COMPONENT_PACKETS : 0;
    pair_frames frames;
    make_frames(p, &frames);
    if (search_component(&s, &frames, p->component)) return GZ_PROXY_OVERLAP;
    if (s.count) return GZ_PROXY_UNKNOWN;
    gz_box box = box_of_mesh(p);
    return may_contain(p, &box, p->component) ? GZ_PROXY_UNKNOWN : GZ_PROXY_APART;
}
