#include "load/mesh/collada.h"

#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "math/trigonometry.h"

/// A node still to be visited.
typedef struct entry {
    const gz_xml_element *node;
    gz_affine parent;
} entry;

typedef struct walk {
    gz_collada *c;
    entry *stack; ///< the next one last
    size_t count, capacity;
} walk;

// ------------------------------------------------------------------------------------
// transforms

/// Makes the length 1, whatever it is; false for 0.
static bool normalize(double v[3]) {
    double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(most > 0)) return false;
    for (int k = 0; k < 3; k++) v[k] /= most; // the squares can neither overflow nor vanish
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

/// <rotate>: a turn about an axis of any length, in degrees. An axis of 0 will
/// do for no turn.
static bool rotation(double v[4], gz_affine *out) {
    if (!normalize(v)) return v[3] == 0;
    double s, c, x = v[0], y = v[1], z = v[2];
    gz_sine_cosine(fmod(v[3], 360) * (M_PI / 180), &s, &c);
    double d = 1 - c;
    *out = (gz_affine){{{c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0},
                        {y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0},
                        {z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0}}};
    return true;
}

/// <lookat>: stands at a point and looks, along -z, at another, with y as close
/// to "up" as that leaves free.
static bool look(const double v[9], gz_affine *out) {
    double back[3], right[3], up[3] = {v[6], v[7], v[8]};
    for (int k = 0; k < 3; k++) back[k] = v[k] - v[3 + k];
    if (!normalize(back) || !normalize(up)) return false;
    cross(up, back, right);
    if (!normalize(right)) return false;
    cross(back, right, up);
    for (int k = 0; k < 3; k++) {
        const double row[4] = {right[k], up[k], back[k], v[k]};
        memcpy(out->m[k], row, sizeof row);
    }
    return true;
}

/// Puts one transform behind those before it: checked to have its numbers.
static bool apply(const gz_xml_element *e, gz_affine *place) {
    static const struct {
        const char *tag;
        size_t count;
    } transforms[] = {{"matrix", 16}, {"translate", 3}, {"scale", 3}, {"rotate", 4}, {"lookat", 9}};
    double v[16];
    size_t kind = 0;
    while (kind < 5 && !gz_xml_is(e, transforms[kind].tag)) kind++;
    if (kind == 5) return true;
    if (gz_numbers_parse(e->text, v, transforms[kind].count, NULL, NULL)) return false;
    gz_affine own = gz_affine_scale(1);
    bool fine = true;
    if (kind == 0) {
        memcpy(own.m, v, sizeof own.m);
        fine = gz_affine_is_last_row(v[12], v[13], v[14], v[15]);
    }
    for (int i = 0; i < 3 && kind == 1; i++) own.m[i][3] = v[i];
    for (int i = 0; i < 3 && kind == 2; i++) own.m[i][i] = v[i];
    if (kind == 3) fine = rotation(v, &own);
    if (kind == 4) fine = look(v, &own);
    *place = gz_affine_multiply(place, &own);
    return fine && gz_affine_is_finite(place);
}

// -----------------------------------------------------------------------------------------
// nodes

/// Pushes the children and instances of a node so that the first comes off
/// first.
static graze_status push_children(walk *w, const gz_xml_element *parent, const gz_affine *place) {
    size_t first = w->count;
    for (const gz_xml_element *e = parent->first_child; e; e = e->next) {
        const gz_xml_element *child = NULL;
        if (gz_xml_is(e, "node")) child = e;
        if (gz_xml_is(e, "instance_node"))
            child = gz_collada_find(&w->c->nodes, gz_xml_get(e, "url"))->element;
        if (!child) continue;
        if (!gz_array_reserve((void **)&w->stack, &w->capacity, w->count + 1, sizeof *w->stack))
            return gz_fail_memory(w->c->error);
        w->stack[w->count++] = (entry){child, *place};
    }
    for (size_t i = first, k = w->count; i + 1 < k; i++) {
        entry other = w->stack[--k];
        w->stack[k] = w->stack[i];
        w->stack[i] = other;
    }
    return GRAZE_OK;
}

static graze_status enter(walk *w, const entry *at, gz_collada_visit *visit, void *user) {
    gz_affine place = at->parent;
    for (const gz_xml_element *e = at->node->first_child; e; e = e->next)
        if (!apply(e, &place))
            return gz_fail_at(w->c->error, GRAZE_ERROR_RANGE, gz_collada_place(w->c, e),
                              "the transform <%.40s> is not finite or not affine; allowed: a "
                              "matrix with a last row of 0 0 0 1, axes that have a direction",
                              e->tag);
    graze_status status = GRAZE_OK;
    if (gz_xml_child(at->node, "instance_geometry")) status = visit(user, at->node, &place);
    return status ? status : push_children(w, at->node, &place);
}

graze_status gz_collada_walk(gz_collada *c, const gz_affine *first, gz_collada_visit *visit,
                             void *user) {
    walk w = {.c = c};
    graze_status status = push_children(&w, c->scene, first);
    while (!status && w.count) {
        entry at = w.stack[--w.count];
        status = enter(&w, &at, visit, user);
    }
    gz_free(w.stack);
    return status;
}

// -------------------------------------------------------------------------------------
// the list

typedef struct list {
    gz_collada *c;
    gz_mesh_nodes *nodes;
} list;

static graze_status add(void *user, const gz_xml_element *node, const gz_affine *place) {
    list *l = user;
    const char *name = gz_xml_get(node, "name");
    if (!name) name = gz_xml_get(node, "id");
    size_t geometries = gz_xml_child(node, "instance_geometry")->namesakes;
    return gz_mesh_nodes_add(l->nodes, name, place, geometries) ? GRAZE_OK
                                                                : gz_fail_memory(l->c->error);
}

graze_status gz_collada_list_nodes(gz_collada *c, gz_mesh_nodes *nodes) {
    list l = {c, nodes};
    gz_affine identity = gz_affine_scale(1);
    return gz_collada_walk(c, &identity, add, &l);
}
