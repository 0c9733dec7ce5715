#include "load/collada_placing.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/text_file.h"
#include "math/trigonometry.h"

/// A node still to be visited; `known` is false below a transform that is not read.
typedef struct entry {
    const gz_xml_element *node;
    gz_placing parent;
    bool known;
} entry;

typedef struct named_node {
    const char *id;
    const gz_xml_element *element;
} named_node;

typedef struct walk {
    gz_mesh_nodes *nodes;
    named_node *named; ///< by id
    size_t named_count, named_capacity;
    entry *stack; ///< the next one last
    size_t count, capacity;
} walk;

// ------------------------------------------------------------------------------------ transforms

/// A turn about an axis, in degrees (Collada 1.4.1, <rotate>). An axis that is not of length 1 is
/// taken as it is, as assimp does: it then stretches, too.
static gz_placing rotation(const double v[4]) {
    double s, c, x = v[0], y = v[1], z = v[2];
    gz_sine_cosine(v[3] * (M_PI / 180), &s, &c);
    double d = 1 - c;
    return (gz_placing){{{c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0},
                         {y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0},
                         {z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0}}};
}

static bool numbers(const gz_xml_element *e, double *values, size_t count) {
    return gz_numbers_parse(e->text, values, count, NULL, NULL) == GRAZE_OK;
}

/// Puts one transform behind those before it. False for what is not read here.
static bool apply(const gz_xml_element *e, gz_placing *place) {
    double v[16];
    gz_placing own = gz_placing_scale(1);
    if (gz_xml_is(e, "matrix")) {
        if (!numbers(e, v, 16)) return false;
        memcpy(own.m, v, sizeof own.m);
    } else if (gz_xml_is(e, "translate")) {
        if (!numbers(e, v, 3)) return false;
        for (int i = 0; i < 3; i++) own.m[i][3] = v[i];
    } else if (gz_xml_is(e, "scale")) {
        if (!numbers(e, v, 3)) return false;
        for (int i = 0; i < 3; i++) own.m[i][i] = v[i];
    } else if (gz_xml_is(e, "rotate")) {
        // The sine is for angles up to 2^20 rad.
        if (!numbers(e, v, 4) || fabs(v[3]) > 1e6) return false;
        own = rotation(v);
    } else {
        return !gz_xml_is(e, "lookat") && !gz_xml_is(e, "skew");
    }
    *place = gz_placing_multiply(place, &own);
    return gz_placing_finite(place);
}

// ----------------------------------------------------------------------------------------- nodes

static bool push(walk *w, const gz_xml_element *node, const gz_placing *parent, bool known) {
    if (!gz_array_reserve((void **)&w->stack, &w->capacity, w->count + 1, sizeof *w->stack))
        return false;
    w->stack[w->count++] = (entry){node, *parent, known};
    return true;
}

static int compare_named(const void *a, const void *b) {
    return strcmp(((const named_node *)a)->id, ((const named_node *)b)->id);
}

static const gz_xml_element *instanced(const walk *w, const gz_xml_element *instance) {
    const char *url = gz_xml_get(instance, "url");
    if (!url || url[0] != '#' || !w->named_count) return NULL;
    named_node key = {.id = url + 1};
    const named_node *found = bsearch(&key, w->named, w->named_count, sizeof *w->named,
                                      compare_named);
    return found ? found->element : NULL;
}

/// Pushes the children and instances of a node so that the first comes off first.
static bool push_children(walk *w, const gz_xml_element *parent, const gz_placing *place,
                          bool known) {
    size_t first = w->count;
    for (const gz_xml_element *e = parent->first_child; e; e = e->next) {
        const gz_xml_element *child = NULL;
        if (gz_xml_is(e, "node")) child = e;
        if (gz_xml_is(e, "instance_node")) child = instanced(w, e);
        if (child && !push(w, child, place, known)) return false;
    }
    for (size_t i = first, k = w->count; i + 1 < k; i++) {
        entry other = w->stack[--k];
        w->stack[k] = w->stack[i];
        w->stack[i] = other;
    }
    return true;
}

static bool visit(walk *w, const entry *at) {
    gz_placing place = at->parent;
    bool known = at->known;
    size_t geometries = 0;
    for (const gz_xml_element *e = at->node->first_child; e; e = e->next) {
        known = known && apply(e, &place);
        geometries += gz_xml_is(e, "instance_geometry");
    }
    const char *name = gz_xml_get(at->node, "name");
    if (!name) name = gz_xml_get(at->node, "id");
    if (geometries && !gz_mesh_nodes_add(w->nodes, name, known ? &place : NULL, geometries))
        return false;
    return push_children(w, at->node, &place, known);
}

/// Every node that has an id, for instances.
static bool name_nodes(walk *w, const gz_xml_element *root) {
    for (const gz_xml_element *e = root; e; e = gz_collada_next(e, root)) {
        const char *id = gz_xml_is(e, "node") ? gz_xml_get(e, "id") : NULL;
        if (!id) continue;
        if (!gz_array_reserve((void **)&w->named, &w->named_capacity, w->named_count + 1,
                              sizeof *w->named))
            return false;
        w->named[w->named_count++] = (named_node){id, e};
    }
    if (w->named_count) qsort(w->named, w->named_count, sizeof *w->named, compare_named);
    return true;
}

/// The scene that is shown: checked to be there.
static const gz_xml_element *shown_scene(const gz_xml_element *root) {
    const gz_xml_element *scene = gz_xml_child(root, "scene");
    const gz_xml_element *shown = scene ? gz_xml_child(scene, "instance_visual_scene") : NULL;
    const char *url = shown ? gz_xml_get(shown, "url") : NULL;
    for (const gz_xml_element *e = root; e && url; e = gz_collada_next(e, root)) {
        const char *id = gz_xml_is(e, "visual_scene") ? gz_xml_get(e, "id") : NULL;
        if (id && strcmp(id, url + 1) == 0) return e;
    }
    return NULL;
}

graze_status gz_collada_place_nodes(gz_mesh_nodes *nodes, const gz_mesh_input *input,
                                    graze_error *error) {
    gz_xml_document *document;
    graze_status status = gz_xml_parse(&document, input->bytes, input->size, input->path,
                                       &input->options->limits, error);
    if (status) return status;
    const gz_xml_element *root = gz_xml_root(document), *scene = shown_scene(root);
    walk w = {.nodes = nodes};
    gz_placing identity = gz_placing_scale(1);
    bool good = name_nodes(&w, root) && (!scene || push_children(&w, scene, &identity, true));
    while (good && w.count) {
        entry at = w.stack[--w.count];
        good = visit(&w, &at);
    }
    gz_free(w.named);
    gz_free(w.stack);
    gz_xml_free(document);
    return good ? GRAZE_OK : gz_fail_memory(error);
}
