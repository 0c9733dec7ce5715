#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/lanes.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/prefilter/lattice.h"
#include "mesh/prefilter/mesh_proxy.h"

#define POINTS (GZ_PROXY_GROUPS * GZ_WIDTH)

/// Vertices in lanes, rounded to float; the last group is filled with its first point.
typedef struct cloud {
    float (*group)[3][GZ_WIDTH];
    float (*nearest)[GZ_WIDTH]; ///< square of the distance from the chosen points
    size_t groups, count;
} cloud;

static bool gather_cloud(cloud *c, const graze_mesh *mesh, const uint8_t *wanted) {
    c->group = gz_malloc_aligned(mesh->vertex_count / GZ_WIDTH + 1, sizeof *c->group);
    c->nearest = gz_malloc_aligned(mesh->vertex_count / GZ_WIDTH + 1, sizeof *c->nearest);
    if (!c->group || !c->nearest) return false;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (wanted && !wanted[i]) continue;
        for (int k = 0; k < 3; k++)
            c->group[c->count / GZ_WIDTH][k][c->count % GZ_WIDTH] =
                (float)mesh->vertices[3 * i + (size_t)k];
        c->count++;
    }
    c->groups = (c->count + GZ_WIDTH - 1) / GZ_WIDTH;
    for (size_t i = c->count; i < c->groups * GZ_WIDTH; i++)
        for (int k = 0; k < 3; k++)
            c->group[c->groups - 1][k][i % GZ_WIDTH] = c->group[c->groups - 1][k][0];
    return true;
}

static void clear_cloud(cloud *c) {
    gz_free(c->group);
    gz_free(c->nearest);
}

static void get_point(const cloud *c, size_t i, float out[3]) {
    for (int k = 0; k < 3; k++) out[k] = c->group[i / GZ_WIDTH][k][i % GZ_WIDTH];
}

static void put_point(gz_point_set *set, size_t i, const float p[3]) {
    for (int k = 0; k < 3; k++) set->group[i / GZ_WIDTH][k][i % GZ_WIDTH] = p[k];
}

/// Ends a set of `count` points.
static void close_set(gz_point_set *set, size_t count) {
    float first[3] = {set->group[0][0][0], set->group[0][1][0], set->group[0][2][0]};
    set->count = (int32_t)((count + GZ_WIDTH - 1) / GZ_WIDTH);
    for (size_t i = count; i < (size_t)set->count * GZ_WIDTH; i++) put_point(set, i, first);
}

/// The lane of the largest value above *most, or none; *most becomes it.
static size_t largest_lane(gz_f8 values, size_t group, size_t found, float *most) {
    if (!gz_f8_mask(gz_f8_greater(values, gz_f8_all(*most)))) return found;
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, values);
    for (size_t i = 0; i < GZ_WIDTH; i++) {
        if (!(lanes[i] > *most)) continue;
        *most = lanes[i];
        found = group * GZ_WIDTH + i;
    }
    return found;
}

static size_t find_extreme(const cloud *c, const float d[3]) {
    size_t found = 0;
    float most = -INFINITY;
    for (size_t g = 0; g < c->groups; g++) {
        gz_f8 dot = gz_f8_mul(gz_f8_load(c->group[g][0]), gz_f8_all(d[0]));
        dot = gz_f8_add(dot, gz_f8_mul(gz_f8_load(c->group[g][1]), gz_f8_all(d[1])));
        dot = gz_f8_add(dot, gz_f8_mul(gz_f8_load(c->group[g][2]), gz_f8_all(d[2])));
        found = largest_lane(dot, g, found, &most);
    }
    return found;
}

/// Evenly spread directions: a spiral from pole to pole with the golden angle (Swinbank and Purser
/// 2006, "Fibonacci grids").
static void spread_direction(int i, float d[3]) {
    double z = 1 - (2 * i + 1) / (double)POINTS, r = sqrt(1 - z * z), sine, cosine;
    gz_sine_cosine(2.399963229728653 * i, &sine, &cosine);
    d[0] = (float)(r * cosine);
    d[1] = (float)(r * sine);
    d[2] = (float)z;
}

static void find_support(gz_point_set *out, const cloud *c) {
    size_t chosen[POINTS], n = 0;
    for (int i = 0; i < POINTS; i++) {
        float d[3], p[3];
        spread_direction(i, d);
        size_t point = find_extreme(c, d), k = 0;
        while (k < n && chosen[k] != point) k++;
        if (k < n) continue;
        chosen[n] = point;
        get_point(c, point, p);
        put_point(out, n++, p);
    }
    close_set(out, n);
}

/// Takes the points' distances from one that was chosen, and returns the farthest from all of them.
static size_t find_farthest(cloud *c, const float chosen[3]) {
    size_t found = 0;
    float most = -1;
    for (size_t g = 0; g < c->groups; g++) {
        gz_f8 sum = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(c->group[g][k]), gz_f8_all(chosen[k]));
            sum = gz_f8_add(sum, gz_f8_mul(d, d));
        }
        sum = gz_f8_min(sum, gz_f8_load(c->nearest[g]));
        gz_f8_store(c->nearest[g], sum);
        found = largest_lane(sum, g, found, &most);
    }
    return found;
}

/// Each the farthest from those before it (Gonzalez 1985, "Clustering to minimize the maximum
/// intercluster distance").
static void find_samples(gz_point_set *out, cloud *c) {
    size_t n = c->count < POINTS ? c->count : POINTS, at = 0;
    for (size_t g = 0; g < c->groups; g++) gz_f8_store(c->nearest[g], gz_f8_all(INFINITY));
    for (size_t i = 0; i < n; i++) {
        float p[3];
        get_point(c, at, p);
        put_point(out, i, p);
        at = find_farthest(c, p);
    }
    close_set(out, n);
}

static uint32_t largest_component(const graze_mesh *mesh) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < mesh->component_count; i++)
        if (mesh->components[i].triangle_count > mesh->components[best].triangle_count) best = i;
    return best;
}

static void box_size(const graze_aabb *box, double size[3]) {
    gz_subtract(GZ_ARRAY3(box->max), GZ_ARRAY3(box->min), size);
}

static double longest(const double size[3]) {
    return fmax(size[0], fmax(size[1], size[2]));
}

/// What lengths may change by under rotations that are rigid up to 1e-9, relatively; and rounding.
#define RIGID_SLACK 1e-7

/// Lengths hold for rotations that are rigid up to 1e-9. What snapping adds to them does not grow
/// with the mesh, and is for those who pose it.
static void measure(gz_mesh_proxy *s, const graze_mesh *mesh, uint32_t component) {
    double size[3];
    box_size(&mesh->components[component].box, size);
    s->span = longest(size) * (1 - RIGID_SLACK);
    s->shortest = s->span;
    for (size_t i = 0; i < mesh->component_count; i++) {
        const gz_component *c = &mesh->components[i];
        box_size(&c->box, size);
        s->shortest = fmin(s->shortest, longest(size) * (1 - RIGID_SLACK));
        if (c->closed || c->capped)
            s->enclosure = fmax(s->enclosure, gz_norm(size) * (1 + RIGID_SLACK));
    }
    box_size(&mesh->aabb, size);
    for (int k = 0; k < 3; k++) {
        s->half[k] = (float)(0.5 * size[k]);
        s->center[k] = (float)(GZ_ARRAY3(mesh->aabb.min)[k] + 0.5 * size[k]);
    }
}

/// Marks the vertices of a component.
static uint8_t *mark_component(const graze_mesh *mesh, uint32_t component) {
    uint8_t *marks = gz_calloc(mesh->vertex_count, 1);
    for (size_t t = 0; marks && t < mesh->triangle_count; t++)
        for (size_t k = 0; k < 3 && mesh->component_of[t] == component; k++)
            marks[mesh->triangles[3 * t + k]] = 1;
    return marks;
}

/// The sphere around the middle of a subtree's box that holds its triangles.
static gz_bounding_sphere sphere_around(const graze_mesh *mesh, int32_t reference) {
    gz_bounding_sphere out;
    gz_f8 most = gz_f8_all(0);
    memcpy(out.center, gz_mesh_tree_box(mesh, reference)->center, sizeof out.center);
    gz_traversal walk;
    gz_traversal_start(&walk, reference);
    for (int32_t at; gz_traversal_next(&walk, &at);) {
        if (at >= 0) {
            gz_traversal_add(&walk, &mesh->nodes[at], (1u << mesh->nodes[at].count) - 1);
            continue;
        }
        for (int c = 0; c < 3; c++) {
            gz_f8 sum = gz_f8_all(0);
            for (int k = 0; k < 3; k++) {
                gz_f8 d = gz_f8_sub(gz_f8_load(mesh->packets[~at].vertex[c][k]),
                                    gz_f8_all(out.center[k]));
                sum = gz_f8_add(sum, gz_f8_mul(d, d));
            }
            most = gz_f8_max(most, sum);
        }
    }
    float lanes[GZ_WIDTH], square = 0;
    gz_f8_store(lanes, most);
    for (int i = 0; i < GZ_WIDTH; i++) square = fmaxf(square, lanes[i]);
    // Rounded vertices, differences, squares and sums: 2^-24 of the reach and 2^-21 of the radius.
    // Squares that underflow are off by 2^-150 each, their root by less than 2^-74.
    out.radius = sqrtf(square) * GZ_ROUND_UP_FEW + (float)mesh->max_abs * 0x1p-21f + 0x1p-73f;
    return out;
}

/// Spheres around subtrees, the largest split as long as there is room for its children. Returns
/// how many.
static int find_spheres(const graze_mesh *mesh, int most, gz_bounding_sphere *spheres,
                        int32_t *references) {
    int count = 1;
    references[0] = mesh->root;
    spheres[0] = sphere_around(mesh, mesh->root);
    for (;;) {
        int largest = -1;
        for (int i = 0; i < count; i++)
            if (references[i] >= 0 && (largest < 0 || spheres[i].radius > spheres[largest].radius))
                largest = i;
        if (largest < 0) break;
        const gz_node *node = &mesh->nodes[references[largest]];
        if (count - 1 + node->count > most) break;
        for (int i = 0; i < node->count; i++) {
            int slot = i ? count++ : largest;
            references[slot] = node->child[i];
            spheres[slot] = sphere_around(mesh, node->child[i]);
        }
    }
    return count;
}

static void find_sphere_sets(gz_mesh_proxy *s, const graze_mesh *mesh) {
    gz_bounding_sphere spheres[POINTS];
    int32_t references[POINTS];
    s->sphere_count = find_spheres(mesh, GZ_PROXY_SPHERES, s->spheres, references);
    int count = find_spheres(mesh, POINTS, spheres, s->sphere_set.reference);
    s->sphere_set.count = count;
    for (int i = 0; i < POINTS; i++) {
        const gz_bounding_sphere *sphere = &spheres[i < count ? i : 0];
        float(*group)[GZ_WIDTH] = s->sphere_set.group[i / GZ_WIDTH];
        for (int k = 0; k < 3; k++) group[k][i % GZ_WIDTH] = sphere->center[k];
        group[3][i % GZ_WIDTH] = sphere->radius;
        s->sphere_set.reference[i] = s->sphere_set.reference[i < count ? i : 0];
    }
}

/// Triangles that are sampled at, and how far, of the length of their component's box, a vertex
/// must be in front of one for the triangle to face it.
#define FACES_SAMPLED 256
#define FACING_LEAST  (1 / 32.0)

/// Whether a triangle faces a vertex that ends its own component, as none of a convex solid does.
static bool faces_itself(const graze_mesh *mesh, size_t t) {
    const gz_component *c = &mesh->components[mesh->component_of[t]];
    const double *corner[3];
    double e[3], f[3], n[3], size[3];
    for (size_t k = 0; k < 3; k++) corner[k] = gz_mesh_corner(mesh, t, k);
    gz_subtract(corner[1], corner[0], e);
    gz_subtract(corner[2], corner[0], f);
    gz_cross(e, f, n);
    box_size(&c->box, size);
    double least = FACING_LEAST * gz_norm(size) * gz_norm(n);
    for (int k = 0; k < 6; k++) {
        gz_subtract(mesh->vertices + 3 * (size_t)c->extreme[k], corner[0], e);
        if (gz_dot(n, e) > least) return true;
    }
    return false;
}

/// Whether links go in and out between the walls of a mesh, as over rocks: a quarter of its
/// triangles face vertices that end their component. No plane parts it from what it is around.
static bool is_hollow(const graze_mesh *mesh) {
    size_t stride = mesh->triangle_count / FACES_SAMPLED + 1, sampled = 0, facing = 0;
    for (size_t t = 0; t < mesh->triangle_count; t += stride) {
        sampled++;
        facing += faces_itself(mesh, t);
    }
    return 4 * facing >= sampled;
}

/// Edges of a box, in metres, between which a robot may stand, and on which links are small.
#define ROOM_LEAST 1.5
#define WIDE_LEAST 1.0

/// Whether an object is around links rather than beside them: a hall or a cage, whichever way it is
/// wound, or wide and hollow. Boxes of what is smaller, a bowl, leave few questions.
static bool is_surrounding(const graze_mesh *mesh) {
    double size[3];
    box_size(&mesh->aabb, size);
    int wide = 0, high = 0;
    for (int k = 0; k < 3; k++) {
        wide += size[k] >= WIDE_LEAST;
        high += size[k] >= ROOM_LEAST;
    }
    return high == 3 || (wide >= 2 && is_hollow(mesh));
}

/// Objects of so many triangles have a map whatever their shape: their trees do not fit the caches.
#define SCENE_LEAST 20000
/// Objects of fewer have none: nothing is within so few.
#define WALLS_LEAST 8
/// Cells of small maps.
#define CELLS_PER_TRIANGLE 128
#define CELLS_LEAST        16384

/// How many cells the clearance map of a mesh should have; 0 for none. The batch filter tests what
/// is inside of links, which a clearance map cannot decide.
static size_t count_cells(const graze_mesh *mesh, gz_mesh_role role) {
    if (role == GZ_MESH_LINK || mesh->triangle_count < WALLS_LEAST) return 0;
    if (mesh->triangle_count >= SCENE_LEAST) return GZ_CLEARANCE_CELLS;
    if (!is_surrounding(mesh)) return 0;
    size_t cells = CELLS_PER_TRIANGLE * mesh->triangle_count;
    cells = cells < CELLS_LEAST ? CELLS_LEAST : cells;
    return cells < GZ_CLEARANCE_CELLS ? cells : GZ_CLEARANCE_CELLS;
}

bool gz_mesh_proxy_suits(const graze_mesh *mesh, gz_mesh_role role) {
    bool has_map = mesh->proxy && mesh->proxy->clearance.cell_count > 0;
    if (has_map) return role == GZ_MESH_OBJECT;
    const size_t cells = count_cells(mesh, role);
    return cells == 0 || !gz_lattice_is_possible(mesh, cells);
}

bool gz_mesh_proxy_build(gz_mesh_proxy **out, const graze_mesh *mesh, gz_mesh_role role) {
    *out = NULL;
    const size_t cells = count_cells(mesh, role);
    if (mesh->triangle_count < GZ_PROXY_TRIANGLES_MIN && !cells) return true;
    gz_mesh_proxy *s = *out = gz_calloc(1, sizeof *s);
    if (!s) return false;
    uint32_t component = largest_component(mesh);
    uint8_t *wanted = mark_component(mesh, component);
    cloud all = {0}, own = {0};
    bool ok = wanted && gather_cloud(&all, mesh, NULL) && gather_cloud(&own, mesh, wanted);
    if (ok) {
        find_support(&s->support, &all);
        gz_support_radii_find(s, mesh);
        find_samples(&s->samples, &own);
        measure(s, mesh, component);
        find_sphere_sets(s, mesh);
        ok = gz_clearance_map_build(&s->clearance, mesh, cells);
        if (ok && s->clearance.cell_count) {
            ok = gz_component_proxies_build(&s->components, mesh);
            s->component_count = ok ? mesh->component_count : 0;
        }
        // The inside map of a scene is never used: see narrow/shape_pair.c.
        if (ok && !s->clearance.cell_count) ok = gz_inside_map_build(&s->inside, mesh);
    }
    clear_cloud(&all);
    clear_cloud(&own);
    gz_free(wanted);
    return ok;
}
