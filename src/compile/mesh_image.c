// Is a mesh of a compiled file one that can be asked anything?

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "compile/image.h"
#include "math/transform.h"
#include "mesh/cap.h"
#include "mesh/prefilter/mesh_proxy.h"

graze_status gz_image_fail(const gz_image_checker *c, const char *format, ...) {
    char message[GRAZE_MESSAGE_SIZE / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return gz_fail_at(c->error, GRAZE_ERROR_PARSE, (gz_place){.file = c->file},
                      "compiled file: %s: %s", c->element, message);
}

uint8_t *gz_image_marks(gz_image_checker *c, size_t count) {
    if (!gz_array_reserve((void **)&c->marks, &c->mark_capacity, count ? count : 1, 1)) return NULL;
    memset(c->marks, 0, count);
    return c->marks;
}

// As fast as memory: no branches, and only what four lanes of a register can do. `limit - x` of
// unsigned numbers, both below half the range, has its highest bit set where x is above the limit.

/// Whether every index is below the limit, which is at most 2^31.
static bool all_below(const uint32_t *index, size_t count, size_t limit) {
    uint32_t bad = 0, last = (uint32_t)limit - 1;
    for (size_t i = 0; i < count; i++) bad |= index[i] | (last - index[i]);
    return !(bad >> 31);
}

/// Whether all are 0 or of magnitude `least` to GZ_COORDINATE_MAX. The bits of numbers without
/// their signs are in the order of magnitudes, what is not finite above all; 0 is the one of which
/// the negative has no highest bit.
static bool all_within(const double *x, size_t count, double least) {
    const double range[2] = {least, GZ_COORDINATE_MAX};
    uint64_t bad = 0, limits[2];
    memcpy(limits, range, sizeof limits);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= INT64_MAX;
        bad |= (limits[1] - bits) | ((bits - limits[0]) & (0 - bits));
    }
    return !(bad >> 63);
}

/// Whether all are coordinates of a mesh: what computes with them exactly takes that for granted.
static bool all_coordinates(const double *x, size_t count) {
    return all_within(x, count, GZ_SNAP_MIN);
}

static bool all_floats_within(const float *x, size_t count) {
    const float most = (float)GZ_NUMBER_MAX;
    uint32_t bad = 0, limit;
    memcpy(&limit, &most, sizeof limit);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bad |= limit - (bits & INT32_MAX);
    }
    return !(bad >> 31);
}

/// Lanes that hold no child must be as gz_node_clear() left them: traversals test all eight.
static bool lanes_are_sound(const gz_node *node) {
    if (node->count == GZ_WIDTH) // nearly all: at once
        return all_floats_within(node->center[0], 3 * GZ_WIDTH) &&
               all_floats_within(node->half[0], 3 * GZ_WIDTH);
    for (int i = node->count; i < GZ_WIDTH; i++)
        for (int k = 0; k < 3; k++)
            if (node->child[i] != 0 || node->center[k][i] != 0 || node->half[k][i] != -1e30f)
                return false;
    for (int k = 0; k < 3; k++)
        if (!all_floats_within(node->center[k], (size_t)node->count) ||
            !all_floats_within(node->half[k], (size_t)node->count))
            return false;
    return true;
}

graze_status gz_tree_image_check(gz_image_checker *c, const gz_node *nodes, size_t node_count,
                                 int32_t root, size_t leaf_count) {
    if (node_count > INT32_MAX || leaf_count > INT32_MAX)
        return gz_image_fail(c, "tree of %zu nodes; allowed: up to %d", node_count, INT32_MAX);
    if (node_count == 0 && (root != ~0 || leaf_count != 1))
        return gz_image_fail(c, "tree without nodes over %zu leaves; allowed: one", leaf_count);
    if (node_count == 0) return GRAZE_OK;
    if (root != 0) return gz_image_fail(c, "root of a tree is %d; allowed: 0", (int)root);
    // The level of each node, 0 while nobody has named it. Parents come before their children, so
    // one pass sees all; named once each, they form one tree. So must leaves be: queries have space
    // for each of them once.
    uint8_t *level = gz_image_marks(c, node_count + leaf_count);
    if (!level) return gz_fail_memory(c->error);
    uint8_t *named = level + node_count;
    size_t leaves = 0;
    level[0] = 1;
    for (size_t i = 0; i < node_count; i++) {
        const gz_node *node = &nodes[i];
        if (!level[i]) return gz_image_fail(c, "node %zu is in no tree", i);
        if (node->count < 1 || node->count > GZ_WIDTH || !lanes_are_sound(node))
            return gz_image_fail(c,
                                 "node %zu has %d children; allowed: 1 to %d, boxes up to 2^40 "
                                 "m, the other lanes empty",
                                 i, (int)node->count, GZ_WIDTH);
        for (int k = 0; k < node->count; k++) {
            int32_t child = node->child[k];
            if (child < 0 && (size_t)~child < leaf_count && !named[~child]) {
                named[~child] = 1;
                leaves++;
                continue;
            }
            if (child < 0 || (size_t)child <= i || (size_t)child >= node_count || level[child])
                return gz_image_fail(c,
                                     "node %zu has the child %d; allowed: a node behind it, "
                                     "or a leaf down to %d, once",
                                     i, (int)child, (int)~(int32_t)(leaf_count - 1));
            level[child] = (uint8_t)(level[i] + 1);
            if (level[child] > GZ_TREE_DEPTH)
                return gz_image_fail(c, "tree deeper than %d levels", GZ_TREE_DEPTH);
        }
    }
    if (leaves != leaf_count)
        return gz_image_fail(c, "tree names %zu of %zu leaves; allowed: all", leaves, leaf_count);
    return GRAZE_OK;
}

static graze_status check_packets(const gz_image_checker *c, const graze_mesh *m) {
    if (!all_floats_within(m->node_boxes->center, 6 * m->node_count) ||
        !all_floats_within(m->packet_boxes->center, 6 * m->packet_count))
        return gz_image_fail(c, "a box is out of range; allowed: up to 2^40 m");
    for (size_t i = 0; i < m->packet_count; i++) {
        const gz_packet *p = &m->packets[i];
        if (p->count < 1 || p->count > GZ_WIDTH ||
            !all_below(p->triangle, GZ_WIDTH, m->triangle_count))
            return gz_image_fail(c,
                                 "packet %zu of %d triangles names one that is not there; "
                                 "allowed: 1 to %d, 0 to %zu",
                                 i, (int)p->count, GZ_WIDTH, m->triangle_count - 1);
    }
    return GRAZE_OK;
}

static graze_status check_components(const gz_image_checker *c, const graze_mesh *m) {
    size_t closed = 0;
    for (size_t i = 0; i < m->component_count; i++) {
        const gz_component *p = &m->components[i];
        uint8_t flags[2];
        memcpy(flags, (const unsigned char *)p + offsetof(gz_component, closed), 1);
        memcpy(flags + 1, (const unsigned char *)p + offsetof(gz_component, capped), 1);
        if (flags[0] > 1 || flags[1] > 1 || (flags[1] && (flags[0] || !m->caps)) ||
            p->triangle >= m->triangle_count || p->vertex >= m->vertex_count ||
            !all_below(p->extreme, 6, m->vertex_count) || p->triangle_count < 1 ||
            p->triangle_count > m->triangle_count || !all_coordinates(&p->box.min.x, 6))
            return gz_image_fail(c, "component %zu does not fit its mesh", i);
        closed += flags[0];
    }
    if (closed != m->closed_count)
        return gz_image_fail(c, "%zu closed components; said: %zu", closed, m->closed_count);
    if (!all_below(m->component_of, m->triangle_count, m->component_count))
        return gz_image_fail(c, "a triangle is of a component that is not there");
    return GRAZE_OK;
}

static graze_status check_caps(gz_image_checker *c, const graze_mesh *m) {
    const gz_caps *caps = m->caps;
    if (!caps) return GRAZE_OK;
    if (!all_coordinates(caps->apexes, 3 * caps->apex_count))
        return gz_image_fail(c, "an apex is out of range; allowed: 0, and magnitudes from 2^-100 "
                                "to 2^20 m");
    for (size_t i = 0; i < caps->triangle_count; i++) {
        const gz_cap_triangle *t = &caps->triangles[i];
        if (t->apex >= caps->apex_count || t->from >= m->vertex_count || t->to >= m->vertex_count)
            return gz_image_fail(c, "triangle %zu of a cap names what is not there", i);
    }
    // Caps whose triangles are all empty have no tree.
    if (caps->triangle_count == 0)
        return caps->tree.node_count || caps->tree.leaf_count
                   ? gz_image_fail(c, "a tree over caps without triangles")
                   : GRAZE_OK;
    for (size_t i = 0; i < caps->tree.leaf_count; i++) {
        const gz_tree_leaf *leaf = &caps->tree.leaves[i];
        if (leaf->count < 1 || leaf->count > GZ_WIDTH || leaf->first > caps->triangle_count ||
            leaf->count > caps->triangle_count - leaf->first)
            return gz_image_fail(c, "leaf %zu of a cap holds triangles that are not there", i);
    }
    if (!all_floats_within(caps->tree.node_boxes->center, 6 * caps->tree.node_count) ||
        !all_floats_within(caps->tree.leaf_boxes->center, 6 * caps->tree.leaf_count))
        return gz_image_fail(c, "a box of a cap is out of range; allowed: up to 2^40 m");
    return gz_tree_image_check(c, caps->tree.nodes, caps->tree.node_count, caps->tree.root,
                               caps->tree.leaf_count);
}

static bool set_is_sound(const gz_point_set *set) {
    return set->count >= 1 && set->count <= GZ_PROXY_GROUPS &&
           all_floats_within(&set->group[0][0][0], (size_t)set->count * 3 * GZ_WIDTH);
}

/// Whether a lattice has so many cells, and numbers that place points in it. Reaching a cell and a
/// half beyond its mesh on either side, it has three along each axis at least: so many that words
/// of four cells can be read anywhere (cell_lanes.h), and, as all of them are at most 2^23,
/// fewer than 2^20 along an axis, far below the 2^22 up to which gz_f8_whole() finds a cell.
static bool lattice_is_sound(const int32_t n[3], const float low[3], float inverse, size_t cells) {
    size_t product = 1;
    for (int k = 0; k < 3; k++) {
        if (n[k] < 3 || n[k] > 1 << 20) return false;
        product *= (size_t)n[k];
        if (product > 1 << 23) return false;
    }
    return product == cells && all_floats_within(low, 3) && inverse > 0 &&
           all_floats_within(&inverse, 1);
}

static bool sphere_set_is_sound(const gz_sphere_set *fine, const graze_mesh *m) {
    const int32_t most = GZ_PROXY_GROUPS * GZ_WIDTH;
    if (fine->count < 1 || fine->count > most) return false;
    for (int i = 0; i < most; i++) {
        int64_t reference = fine->reference[i];
        if (reference >= (int64_t)m->node_count || ~reference >= (int64_t)m->packet_count)
            return false;
    }
    return all_floats_within(fine->group[0][0], 4 * (size_t)most);
}

static bool components_are_sound(const gz_mesh_proxy *s) {
    for (size_t i = 0; i < s->component_count; i++) {
        const gz_component_proxy *component = &s->components[i];
        if (component->inner_count < 0 || component->inner_count > GZ_INNER_ELLIPSOIDS ||
            !all_floats_within(component->center, 3) || !all_floats_within(component->half, 3) ||
            !all_floats_within(&component->radius, 1) ||
            !all_floats_within(component->inner[0].center, 6 * (size_t)component->inner_count))
            return false;
    }
    return true;
}

static graze_status check_proxy(const gz_image_checker *c, const graze_mesh *m) {
    const gz_mesh_proxy *s = m->proxy;
    if (!s) return GRAZE_OK;
    if (!set_is_sound(&s->support) || !set_is_sound(&s->samples) || s->sphere_count < 1 ||
        s->sphere_count > GZ_PROXY_SPHERES || !all_floats_within(s->center, 3) ||
        !all_floats_within(s->half, 3) ||
        !all_floats_within(s->spheres[0].center, 4 * (size_t)s->sphere_count) ||
        !sphere_set_is_sound(&s->sphere_set, m))
        return gz_image_fail(c, "points of a proxy are not there, or out of range");
    const gz_inside_map *inside = &s->inside;
    size_t cells = (size_t)inside->count[0] * (size_t)inside->count[1] * (size_t)inside->count[2];
    if (inside->word_count &&
        (!lattice_is_sound(inside->count, inside->low, inside->inverse, cells) ||
         inside->word_count != cells / 32 + 1 || !all_floats_within(&inside->pad, 1)))
        return gz_image_fail(c, "a map of what is inside has %zu words, not one bit a cell",
                             inside->word_count);
    const gz_clearance_map *far = &s->clearance;
    if (far->cell_count &&
        (!lattice_is_sound(far->count, far->low, far->inverse, far->cell_count) ||
         !(far->unit > 0) || !all_floats_within(&far->unit, 1) ||
         !all_floats_within(&far->step, 1)))
        return gz_image_fail(c, "a map of clearances has %zu bytes, not one a cell",
                             far->cell_count);
    if (s->component_count != (far->cell_count ? m->component_count : 0) ||
        !components_are_sound(s))
        return gz_image_fail(c, "parts of a scene are not there, or out of range");
    return GRAZE_OK;
}

static graze_status check_mesh(gz_image_checker *c, const graze_mesh *m) {
    const size_t most = INT32_MAX / 4;
    if (m->vertex_count < 1 || m->vertex_count > most || m->triangle_count < 1 ||
        m->triangle_count > most || m->component_count < 1 || m->packet_count < 1 ||
        m->component_count > m->triangle_count || m->degenerate_count > m->triangle_count)
        return gz_image_fail(c, "%zu vertices, %zu triangles; allowed: 1 to %zu of each",
                             m->vertex_count, m->triangle_count, most);
    if (!all_coordinates(m->vertices, 3 * m->vertex_count))
        return gz_image_fail(c, "a vertex is out of range; allowed: 0, and magnitudes from 2^-100 "
                                "to 2^20 m");
    if (!all_below(m->triangles, 3 * m->triangle_count, m->vertex_count))
        return gz_image_fail(c, "a triangle names a vertex that is not there; allowed: 0 to %zu",
                             m->vertex_count - 1);
    GZ_TRY(check_packets(c, m));
    GZ_TRY(check_components(c, m));
    GZ_TRY(gz_tree_image_check(c, m->nodes, m->node_count, m->root, m->packet_count));
    GZ_TRY(gz_tree_image_check(c, m->component_nodes, m->component_node_count, m->component_root,
                               m->component_count));
    GZ_TRY(check_proxy(c, m));
    return check_caps(c, m);
}

graze_status gz_shape_image_check(gz_image_checker *c, graze_shape kind, const gz_shape *shape,
                                  bool loaded) {
    bool of_mesh = kind == GRAZE_SHAPE_MESH || gz_shape_is_polyhedron(kind);
    if (!loaded && kind != GRAZE_SHAPE_MESH)
        return gz_image_fail(c, "a shape that is no mesh was not loaded");
    if ((shape->mesh != NULL) != (loaded && of_mesh))
        return gz_image_fail(c, "a mesh where there is none, or none where there is one");
    if (!loaded) return GRAZE_OK;
    if (shape->kind != kind) return gz_image_fail(c, "shape of two kinds");
    if (shape->mesh) return check_mesh(c, shape->mesh);
    if (!(shape->radius >= 0) || !all_within(shape->a, 3, 0) || !all_within(shape->b, 3, 0) ||
        shape->radius > GZ_COORDINATE_MAX)
        return gz_image_fail(c, "a curved solid is out of range; allowed: up to 2^20 m");
    return GRAZE_OK;
}
