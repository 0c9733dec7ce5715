#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/expansion.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "mesh/component.h"

// Expansions are exact here: coordinates are 0 or of magnitude 2^-100 to 2^20, centres and axes are
// computed from them, and no product has more than four factors.

/// Bounds of vertices: exact, as they are vertices' coordinates.
typedef struct extent {
    double low[3], high[3];
} extent;

static extent extent_none(void) {
    return (extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void extent_add(extent *sum, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        sum->low[k] = low[k] < sum->low[k] ? low[k] : sum->low[k];
        sum->high[k] = high[k] > sum->high[k] ? high[k] : sum->high[k];
    }
}

/// Whether a + b <= c, exactly.
static bool sum_at_most(double a, double b, double c) {
    double sum[2], h[3], less = -c;
    size_t n = gz_expansion_difference(a, -b, sum);
    n = gz_expansion_sum(sum, n, &less, c != 0, h);
    return n == 0 || h[n - 1] < 0;
}

/// Whether [center - half, center + half] contains the extent.
static bool box_contains(const gz_box *box, const extent *e) {
    for (int k = 0; k < 3; k++) {
        double center = (double)box->center[k], half = (double)box->half[k];
        if (!sum_at_most(center, -half, e->low[k]) || !sum_at_most(e->high[k], -half, center))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------------------- the tree

/// A walk over a tree.
typedef struct walk {
    const graze_mesh *mesh;
    uint8_t *seen; ///< per triangle; then per component, which are no more
    const char *fault;
    int64_t where; ///< node or packet of the fault
    bool no_memory;
} walk;

/// A tree of the mesh: its nodes, and how its leaves are checked.
typedef struct tree {
    const gz_node *nodes;
    const gz_box *boxes; ///< of the nodes; NULL: not kept
    size_t node_count;
    bool (*check_leaf)(walk *w, int32_t index, extent *out);
} tree;

static bool fault(walk *w, const char *what, int64_t where) {
    w->fault = what;
    w->where = where;
    return false;
}

static bool check_packet(walk *w, int32_t index, extent *out) {
    const graze_mesh *mesh = w->mesh;
    if (index < 0 || (size_t)index >= mesh->packet_count)
        return fault(w, "a node names a packet that does not exist", index);
    const gz_packet *p = &mesh->packets[index];
    if (p->count < 1 || p->count > GZ_WIDTH) return fault(w, "count of packet", index);
    for (int lane = 0; lane < GZ_WIDTH; lane++) {
        uint32_t t = p->triangle[lane];
        if (t >= mesh->triangle_count) return fault(w, "a triangle of packet", index);
        if (lane >= p->count && t != p->triangle[0])
            return fault(w, "an empty lane of packet", index);
        if (lane < p->count && w->seen[t]++) return fault(w, "a triangle twice, in packet", index);
        for (size_t c = 0; c < 3; c++) {
            const double *v = gz_mesh_corner(mesh, t, c);
            extent_add(out, v, v);
            for (int k = 0; k < 3; k++)
                if (p->vertex[c][k][lane] != (float)v[k])
                    return fault(w, "a vertex of packet", index);
        }
    }
    const gz_box *box = &mesh->packet_boxes[index];
    return box_contains(box, out) || fault(w, "the box of packet", index);
}

/// Of the tree of the components.
static bool check_component(walk *w, int32_t index, extent *out) {
    if (index < 0 || (size_t)index >= w->mesh->component_count)
        return fault(w, "no component", index);
    const graze_aabb *box = &w->mesh->components[index].box;
    extent_add(out, GZ_ARRAY3(box->min), GZ_ARRAY3(box->max));
    return !w->seen[index]++ || fault(w, "twice component", index);
}

/// Checks a subtree and finds the extent of what its leaves hold. Recursion is as deep as the tree,
/// which is GZ_TREE_DEPTH at most.
static bool check_subtree(walk *w, const tree *t, int32_t reference, int depth, extent *out) {
    *out = extent_none();
    if (reference < 0) return t->check_leaf(w, ~reference, out);
    if (depth >= GZ_TREE_DEPTH) return fault(w, "too deep at node", reference);
    if ((size_t)reference >= t->node_count)
        return fault(w, "a node names a node that does not exist", reference);
    const gz_node *node = &t->nodes[reference];
    if (node->count < 1 || node->count > GZ_WIDTH) return fault(w, "count of node", reference);
    for (int i = 0; i < GZ_WIDTH; i++) {
        gz_box box = gz_node_box(node, i);
        if (i >= node->count) {
            // Empty lanes overlap nothing: any half extent of another box is far below 1e30.
            if (!(box.half[0] <= -1e29f && box.half[1] <= -1e29f && box.half[2] <= -1e29f))
                return fault(w, "an empty lane of node", reference);
            continue;
        }
        extent below;
        if (!check_subtree(w, t, node->child[i], depth + 1, &below)) return false;
        if (!box_contains(&box, &below)) return fault(w, "a child's box of node", reference);
        extent_add(out, below.low, below.high);
    }
    return !t->boxes || box_contains(&t->boxes[reference], out) ||
           fault(w, "the box of node", reference);
}

/// Checks a tree that holds each of `count` triangles or components once.
static bool check_tree(walk *w, const tree *t, int32_t root, size_t count, const char *missing) {
    extent all;
    memset(w->seen, 0, count);
    if (!check_subtree(w, t, root, 0, &all)) return false;
    for (size_t i = 0; i < count; i++)
        if (!w->seen[i]) return fault(w, missing, (int64_t)i);
    return true;
}

static bool check_triangle_tree(walk *w) {
    const graze_mesh *mesh = w->mesh;
    const tree t = {mesh->nodes, mesh->node_boxes, mesh->node_count, check_packet};
    return check_tree(w, &t, mesh->root, mesh->triangle_count, "no packet has triangle");
}

static bool check_component_tree(walk *w) {
    const graze_mesh *mesh = w->mesh;
    const tree t = {mesh->component_nodes, NULL, mesh->component_node_count, check_component};
    return check_tree(w, &t, mesh->component_root, mesh->component_count, "no leaf has component");
}

// --------------------------------------------------------------------------------- the components

static bool boxes_equal(const graze_aabb *a, const graze_aabb *b) {
    for (int k = 0; k < 3; k++)
        if (GZ_ARRAY3(a->min)[k] != GZ_ARRAY3(b->min)[k] ||
            GZ_ARRAY3(a->max)[k] != GZ_ARRAY3(b->max)[k])
            return false;
    return true;
}

/// Components, compared with those that the triangles have.
static bool compare_components(walk *w, const graze_mesh *real) {
    const graze_mesh *mesh = w->mesh;
    if (mesh->component_count != real->component_count || mesh->closed_count != real->closed_count)
        return fault(w, "count of components, or of closed ones,", (int64_t)real->component_count);
    if (real->closed_count > 0 && !boxes_equal(&mesh->closed_box, &real->closed_box))
        return fault(w, "the box of the closed components", 0);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (mesh->component_of[t] != real->component_of[t])
            return fault(w, "component of triangle", (int64_t)t);
    for (size_t i = 0; i < mesh->component_count; i++) {
        const gz_component *a = &mesh->components[i], *b = &real->components[i];
        if (!boxes_equal(&a->box, &b->box)) return fault(w, "the box of component", (int64_t)i);
        if (a->closed != b->closed || a->capped != b->capped)
            return fault(w, "closed or capped is not component", (int64_t)i);
        if (a->triangle != b->triangle || a->triangle_count != b->triangle_count ||
            a->vertex != b->vertex || memcmp(a->extreme, b->extreme, sizeof a->extreme) != 0)
            return fault(w, "lowest or extreme of component", (int64_t)i);
    }
    return true;
}

/// Compares a value, or the elements of an array of as many, of two caps.
static bool compare_cap_field(walk *w, const gz_field *f, const gz_caps *a, const gz_caps *b) {
    const char *x = (const char *)a + f->offset, *y = (const char *)b + f->offset;
    size_t count = 1, unit = f->size;
    if (f->kind == GZ_FIELD_ARRAY) {
        count = gz_field_count(f, a);
        unit = f->unit;
        x = gz_field_pointer(f, a);
        y = gz_field_pointer(f, b);
    }
    for (size_t i = 0; i < count; i++)
        if (memcmp(x + i * unit, y + i * unit, unit) != 0) return fault(w, f->name, (int64_t)i);
    return true;
}

/// Caps, compared with those of the open components: first what is counted, then the arrays.
static bool compare_caps(walk *w, const graze_mesh *real) {
    const gz_caps *a = w->mesh->caps, *b = real->caps;
    if (!a && !b) return true;
    if (!a || !b) return fault(w, "caps,", 0);
    for (uint32_t i = 0; i < 2 * gz_type_caps.field_count; i++) {
        const gz_field *f = &gz_type_caps.fields[i % gz_type_caps.field_count];
        bool later = f->kind == GZ_FIELD_ARRAY;
        if (later == (i >= gz_type_caps.field_count) && !compare_cap_field(w, f, a, b))
            return false;
    }
    return true;
}

/// Finds the components and what closes them once more, from nothing but the triangles.
static bool check_components(walk *w) {
    const graze_mesh *mesh = w->mesh;
    graze_mesh real = {.vertices = mesh->vertices,
                       .vertex_count = mesh->vertex_count,
                       .triangles = mesh->triangles,
                       .triangle_count = mesh->triangle_count};
    w->no_memory = !gz_components_find(&real);
    bool ok = !w->no_memory && compare_components(w, &real) && compare_caps(w, &real);
    gz_free(real.component_of);
    gz_free(real.components);
    if (real.caps) gz_type_clear(&gz_type_caps, real.caps);
    gz_free(real.caps);
    return ok && check_component_tree(w);
}

// ------------------------------------------------------------------------------------- the bounds

/// Whether |v - center| <= radius, exactly.
static bool sphere_contains(const graze_sphere *s, const double v[3]) {
    const double *center = GZ_ARRAY3(s->center);
    double sum[32], next[32], square[8], d[2];
    size_t n = 0;
    for (int k = 0; k < 3; k++) {
        size_t m = gz_expansion_difference(v[k], center[k], d);
        m = gz_expansion_multiply(d, m, d, m, square);
        n = gz_expansion_sum(sum, n, square, m, next);
        memcpy(sum, next, n * sizeof *sum);
    }
    size_t m = gz_expansion_scale(&s->radius, s->radius != 0, s->radius, square);
    gz_expansion_negate(square, m);
    n = gz_expansion_sum(sum, n, square, m, next);
    return n == 0 || next[n - 1] < 0;
}

/// An oriented box, c + sum of s_k a_k with |s_k| <= h_k, by Cramer's rule: with n_0 = a_1 x a_2
/// and so on, |d . n_k| <= h_k det for d = v - c, det = a_0 . n_0 > 0.
typedef struct exact_box {
    double normal[3][3][4]; ///< of axis k, coordinate i, as expansions
    size_t length[3][3];
    double limit[3][64]; ///< h_k det
    size_t limit_length[3];
} exact_box;

static bool exact_box_make(exact_box *out, const graze_obb *box) {
    const double *axis[3] = {GZ_ARRAY3(box->axis[0]), GZ_ARRAY3(box->axis[1]),
                             GZ_ARRAY3(box->axis[2])};
    for (int k = 0; k < 3; k++) {
        const double *a = axis[(k + 1) % 3], *b = axis[(k + 2) % 3];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            double plus[2], minus[2], negative = -a[l];
            size_t n = gz_expansion_scale(&a[j], a[j] != 0, b[l], plus);
            size_t m = gz_expansion_scale(&negative, a[l] != 0, b[j], minus);
            out->length[k][i] = gz_expansion_sum(plus, n, minus, m, out->normal[k][i]);
        }
    }
    double det[32], next[32], product[8];
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        size_t m = gz_expansion_scale(out->normal[0][i], out->length[0][i], axis[0][i], product);
        n = gz_expansion_sum(det, n, product, m, next);
        memcpy(det, next, n * sizeof *det);
    }
    if (n == 0 || det[n - 1] <= 0) return false;
    for (int k = 0; k < 3; k++)
        out->limit_length[k] = gz_expansion_scale(det, n, GZ_ARRAY3(box->half)[k], out->limit[k]);
    return true;
}

static bool exact_box_contains(const exact_box *e, const graze_obb *box, const double v[3]) {
    double d[3][2];
    size_t d_length[3];
    for (int i = 0; i < 3; i++)
        d_length[i] = gz_expansion_difference(v[i], GZ_ARRAY3(box->center)[i], d[i]);
    for (int k = 0; k < 3; k++) {
        double sum[64], next[64], product[16], over[128];
        size_t n = 0;
        for (int i = 0; i < 3; i++) {
            size_t m = gz_expansion_multiply(e->normal[k][i], e->length[k][i], d[i], d_length[i],
                                             product);
            n = gz_expansion_sum(sum, n, product, m, next);
            memcpy(sum, next, n * sizeof *sum);
        }
        if (n && sum[n - 1] > 0) gz_expansion_negate(sum, n);
        n = gz_expansion_sum(sum, n, e->limit[k], e->limit_length[k], over); // h det - |d . n|
        if (n && over[n - 1] < 0) return false;
    }
    return true;
}

static bool check_bounds(walk *w) {
    const graze_mesh *mesh = w->mesh;
    exact_box box;
    if (!exact_box_make(&box, &mesh->obb)) return fault(w, "the axes of the oriented box", 0);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *v = mesh->vertices + 3 * i;
        for (int k = 0; k < 3; k++) {
            if (!(v[k] >= GZ_ARRAY3(mesh->aabb.min)[k] && v[k] <= GZ_ARRAY3(mesh->aabb.max)[k]))
                return fault(w, "the box does not contain vertex", (int64_t)i);
            if (!(fabs(v[k]) <= mesh->max_abs)) return fault(w, "the reach of vertex", (int64_t)i);
        }
        if (!sphere_contains(&mesh->sphere, v))
            return fault(w, "the sphere does not contain vertex", (int64_t)i);
        if (!exact_box_contains(&box, &mesh->obb, v))
            return fault(w, "the oriented box does not contain vertex", (int64_t)i);
    }
    return true;
}

graze_status gz_mesh_validate(const graze_mesh *mesh, graze_error *error) {
    walk w = {.mesh = mesh, .seen = gz_malloc(mesh->triangle_count, 1)};
    if (!w.seen) return gz_fail_memory(error);
    bool ok = check_bounds(&w) && check_triangle_tree(&w) && check_components(&w);
    gz_free(w.seen);
    if (w.no_memory) return gz_fail_memory(error);
    if (!ok)
        return gz_fail(error, GRAZE_ERROR_MESH, "the mesh is not what it claims: %s %lld", w.fault,
                       (long long)w.where);
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status gz_mesh_validate_or_abort(const graze_mesh *mesh, graze_error *error) {
    graze_error own;
    graze_status status = gz_mesh_validate(mesh, &own);
    if (status == GRAZE_ERROR_MESH) {
        fprintf(stderr, "graze: %s\n", own.message);
        abort();
    }
    if (status && error) *error = own;
    return status;
}
