#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/collada.h"
#include "load/token.h"

/// A node or a visual scene, with what is below it once every instance is a copy.
typedef struct node {
    const gz_xml_element *element;
    uint64_t copies; ///< nodes, itself included; saturates
    uint64_t steps;  ///< what walking over them costs
    uint32_t height; ///< levels, itself included
    enum { NEW, OPEN, DONE } state;
} node;

/// A node whose children are being summed up.
typedef struct visit {
    node *node;
    const gz_xml_element *next;    ///< the child to look at next
    const gz_xml_element *counted; ///< the last one whose cost has been added
} visit;

typedef struct graph {
    gz_collada *c;
    node *nodes; ///< sorted by the address of their elements
    size_t count, capacity;
    visit *stack;
    size_t depth, stack_capacity;
} graph;

static int compare_nodes(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const node *)a)->element, y = (uintptr_t)((const node *)b)->element;
    return (x > y) - (x < y);
}

static node *node_of(const graph *g, const gz_xml_element *element) {
    node key = {.element = element};
    return bsearch(&key, g->nodes, g->count, sizeof *g->nodes, compare_nodes);
}

static graze_status fail_reference(gz_collada *c, const gz_xml_element *at, const char *what) {
    const char *url = gz_xml_get(at, "url");
    if (url && url[0] && url[0] != '#')
        return gz_collada_fail(c, at, GRAZE_ERROR_UNSUPPORTED,
                               "<%.40s> url='%.80s' names another file; allowed: '#' and an id",
                               at->tag, url);
    return gz_collada_fail(c, at, GRAZE_ERROR_MESH,
                           "<%.40s> url='%.80s' names no %s; allowed: '#' and an id of the file",
                           at->tag, url ? url : "", what);
}

static graze_status enter(graph *g, node *n) {
    if (!GZ_RESERVE(g->stack, g->stack_capacity, g->depth + 1))
        return gz_fail_memory(g->c->reader->error);
    n->state = OPEN;
    n->copies = 1;
    n->steps = 1;
    n->height = 1;
    g->stack[g->depth++] = (visit){n, n->element->first_child, NULL};
    return GRAZE_OK;
}

/// Adds to the cost of walking over a node. Copies alone do not bound it: a node may hold any
/// number of elements, and each copy looks at all of them. As many are fine as XML may have.
static graze_status add_steps(graph *g, node *parent, uint64_t steps, const gz_xml_element *at) {
    const uint32_t elements = g->c->reader->options->limits.elements;
    parent->steps += steps;
    if (parent->steps <= 64 * (uint64_t)elements) return GRAZE_OK;
    return gz_collada_fail(
        g->c, at, GRAZE_ERROR_LIMIT,
        "what nodes hold is more than %" PRIu64 " elements, instances counted and "
        "16 characters of a transform as one; allowed: 64 times elements of %" PRIu32,
        64 * (uint64_t)elements, elements);
}

/// Adds what is below a child to its parent, against the limits.
static graze_status add_below(graph *g, node *parent, const node *child, const gz_xml_element *at) {
    const graze_limits *limits = &g->c->reader->options->limits;
    parent->copies += child->copies;
    if (parent->height <= child->height) parent->height = child->height + 1;
    if (parent->copies > limits->elements)
        return gz_collada_fail(g->c, at, GRAZE_ERROR_LIMIT,
                               "more than %" PRIu32
                               " nodes, instances counted; allowed: elements of "
                               "%" PRIu32,
                               limits->elements, limits->elements);
    if (parent->height > limits->depth)
        return gz_collada_fail(g->c, at, GRAZE_ERROR_LIMIT,
                               "nodes nest deeper than %" PRIu32
                               ", instances followed; allowed: depth "
                               "of %" PRIu32,
                               limits->depth, limits->depth);
    return add_steps(g, parent, child->steps, at);
}

/// What one look at an element in a node costs. Each visit reads the text of a transform anew.
static uint64_t cost_of(const gz_xml_element *at) {
    return gz_collada_is_hidden(at) ? 1 : 1 + strlen(at->text) / 16;
}

/// One step of the walk: the next child of the innermost open node, or its end.
static graze_status step(graph *g) {
    visit *v = &g->stack[g->depth - 1];
    const gz_xml_element *at = v->next;
    if (!at) {
        v->node->state = DONE;
        g->depth--;
        return GRAZE_OK;
    }
    node *child = NULL;
    if (v->next != v->counted) {
        v->counted = v->next;
        GZ_TRY(add_steps(g, v->node, cost_of(at), at));
    }
    if (gz_xml_is(at, "node")) {
        child = node_of(g, at);
    } else if (gz_xml_is(at, "instance_geometry")) {
        static const node geometry = {.copies = 1};
        v->next = at->next;
        return add_below(g, v->node, &geometry, at);
    } else if (gz_xml_is(at, "instance_node")) {
        const gz_collada_id *found = gz_collada_find(&g->c->nodes, gz_xml_get(at, "url"));
        if (!found) return fail_reference(g->c, at, "node");
        GZ_TRY(gz_collada_check_once(g->c, found));
        child = node_of(g, found->element);
    }
    if (child && child->state == OPEN)
        return gz_collada_fail(g->c, at, GRAZE_ERROR_MESH,
                               "a node holds an instance of itself; allowed: nodes without cycles");
    if (child && child->state == NEW) return enter(g, child); // and come back to this child
    v->next = at->next;
    return child ? add_below(g, v->node, child, at) : GRAZE_OK;
}

static graze_status check_graph(graph *g) {
    for (size_t i = 0; i < g->count; i++) {
        if (g->nodes[i].state == NEW) GZ_TRY(enter(g, &g->nodes[i]));
        while (g->depth) GZ_TRY(step(g));
    }
    return GRAZE_OK;
}

static graze_status collect(graph *g) {
    gz_collada *c = g->c;
    for (const gz_xml_element *e = c->root; e; e = gz_collada_next(e, c->root)) {
        bool is_node = gz_xml_is(e, "node");
        if (gz_xml_is(e, "geometry"))
            GZ_TRY(gz_collada_add(c, &c->geometries, (gz_collada_id){.element = e}));
        if (is_node) GZ_TRY(gz_collada_add(c, &c->nodes, (gz_collada_id){.element = e}));
        if (!is_node && !gz_xml_is(e, "visual_scene")) continue;
        if (!GZ_RESERVE(g->nodes, g->capacity, g->count + 1))
            return gz_fail_memory(c->reader->error);
        g->nodes[g->count++] = (node){.element = e};
    }
    if (g->count) qsort(g->nodes, g->count, sizeof *g->nodes, compare_nodes);
    gz_collada_sort(c, &c->geometries);
    gz_collada_sort(c, &c->nodes);
    return GRAZE_OK;
}

/// The scene that is shown must be one of the file's visual scenes, and clearly so.
static graze_status find_scene(gz_collada *c) {
    const gz_xml_element *scene = gz_xml_child(c->root, "scene");
    const gz_xml_element *shown = scene ? gz_xml_child(scene, "instance_visual_scene") : NULL;
    if (!shown)
        return gz_collada_fail(c, c->root, GRAZE_ERROR_MESH,
                               "no <instance_visual_scene> in a <scene>; allowed: one");
    const char *url = gz_xml_get(shown, "url");
    for (const gz_xml_element *l = gz_xml_child(c->root, "library_visual_scenes"); l;
         l = gz_xml_next(l))
        for (const gz_xml_element *v = gz_xml_child(l, "visual_scene"); v; v = gz_xml_next(v)) {
            const char *id = gz_xml_get(v, "id");
            if (!id || !url || url[0] != '#' || strcmp(id, url + 1) != 0) continue;
            if (c->scene)
                return gz_collada_fail(c, v, GRAZE_ERROR_PARSE,
                                       "id '%.80s' is used twice; allowed: once in a file", id);
            c->scene = v;
        }
    return c->scene ? GRAZE_OK : fail_reference(c, shown, "visual scene");
}

size_t gz_collada_transform_size(const gz_xml_element *element) {
    static const struct {
        const char *tag;
        size_t count;
    } transforms[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4}, {"scale", 3}, {"lookat", 9}};
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
        if (gz_xml_is(element, transforms[i].tag)) return transforms[i].count;
    return 0;
}

/// Checks that a transform has its numbers, all finite.
static graze_status check_transform(gz_collada *c, const gz_xml_element *element) {
    if (gz_xml_is(element, "skew"))
        return gz_collada_fail(c, element, GRAZE_ERROR_UNSUPPORTED,
                               "<skew>, which programs read differently; allowed: <matrix>");
    double values[16];
    size_t count = gz_collada_transform_size(element);
    if (!count) return GRAZE_OK;
    graze_status status = gz_numbers_parse(element->text, values, count, NULL, c->reader->error);
    if (!status) return GRAZE_OK;
    if (status == GRAZE_ERROR_SCHEMA) status = GRAZE_ERROR_PARSE; // this is no robot
    if (c->reader->error) c->reader->error->status = status;
    gz_error_locate(c->reader->error, gz_collada_place(c, element));
    return status;
}

static graze_status check_instance(gz_collada *c, const gz_xml_element *instance) {
    const gz_collada_id *found = gz_collada_find(&c->geometries, gz_xml_get(instance, "url"));
    if (!found) return fail_reference(c, instance, "geometry");
    GZ_TRY(gz_collada_check_once(c, found));
    const gz_xml_element *other = gz_xml_child(found->element, "convex_mesh");
    if (!other) other = gz_xml_child(found->element, "brep");
    if (!other) return GRAZE_OK;
    const char *hull = gz_xml_get(other, "convex_hull_of");
    return gz_collada_fail(c, other, GRAZE_ERROR_UNSUPPORTED,
                           "geometry '%.80s' is a <%s>%s%.80s%s; allowed: <mesh>", found->id,
                           other->tag, hull ? ", the convex hull of '" : "", hull ? hull : "",
                           hull ? "'" : "");
}

static graze_status check_content(gz_collada *c, const gz_xml_element *element) {
    if (gz_xml_is(element, "instance_geometry")) return check_instance(c, element);
    if (element->parent && gz_xml_is(element->parent, "node")) return check_transform(c, element);
    return GRAZE_OK;
}

graze_status gz_collada_check_nodes(gz_collada *c) {
    graph g = {.c = c};
    graze_status status = collect(&g);
    if (!status) status = check_graph(&g);
    if (!status) status = find_scene(c);
    gz_free(g.nodes);
    gz_free(g.stack);
    if (status) return status;
    for (const gz_xml_element *e = c->root; e; e = gz_collada_next(e, c->root))
        GZ_TRY(check_content(c, e));
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- places

/// What is read, and where the standard has it. Elsewhere it would be passed over in silence.
static const struct rule {
    const char *tags, *parents; ///< separated by blanks
    bool single;                ///< one in its parent: of several, only the first would be read
    bool text;                  ///< holds text, which elements inside would cut
} rules[] = {
    {"library_geometries library_nodes library_visual_scenes", "COLLADA", false, false},
    {"scene", "COLLADA", true, false},
    {"instance_visual_scene", "scene", true, false},
    {"visual_scene", "library_visual_scenes", false, false},
    {"node", "visual_scene node library_nodes", false, false},
    {"instance_node instance_geometry", "node", false, false},
    {"matrix translate rotate scale lookat", "node", false, true},
    {"geometry", "library_geometries", false, false},
    {"mesh convex_mesh brep spline", "geometry", true, false},
    {"source", "mesh", false, false},
    {"float_array int_array bool_array Name_array IDREF_array SIDREF_array", "source", false, true},
    {"technique_common", "source", true, false},
    {"technique", "source", false, false},
    {"accessor", "technique_common", true, false},
    {"param", "accessor", false, false},
    {"vertices", "mesh", true, false},
    {"triangles polylist polygons tristrips lines linestrips", "mesh", false, false},
    {"input", "vertices triangles polylist polygons", false, false},
    {"input", "tristrips", false, false},
    {"p", "triangles polylist polygons tristrips", false, true},
    {"vcount", "polylist", true, true},
};

enum { RULES = sizeof rules / sizeof *rules };

static bool is_listed(const char *tags, const gz_xml_element *element) {
    return gz_is_listed(tags, element->tag, strlen(element->tag));
}

static bool is_read(const gz_xml_element *element) {
    for (size_t i = 0; i < RULES; i++)
        if (is_listed(rules[i].tags, element)) return true;
    return false;
}

static graze_status fail(gz_collada *c, const gz_xml_element *at, graze_status status,
                         const char *allowed) {
    return gz_collada_fail(c, at, status,
                           "<%.40s> in <%.40s> would be left out, and a part with it; allowed: %s",
                           at->tag, at->parent->tag, allowed);
}

static graze_status check_place(gz_collada *c, const gz_xml_element *element) {
    const struct rule *rule = NULL, *any = NULL;
    for (size_t i = 0; i < RULES && !rule; i++) {
        if (!is_listed(rules[i].tags, element)) continue;
        any = &rules[i];
        if (is_listed(any->parents, element->parent)) rule = any;
    }
    if (!any) {
        // What no mesh needs may stand anywhere but for libraries, which the standard has at the
        // top. The rest is somebody's own: harmless where nothing is looked for.
        bool library = strncmp(element->tag, "library_", 8) == 0;
        bool hidden = gz_collada_is_hidden(element) && !library;
        if (hidden || element->parent == c->root || !is_read(element->parent)) return GRAZE_OK;
        return fail(c, element, GRAZE_ERROR_UNSUPPORTED, "elements of Collada 1.4 and 1.5");
    }
    if (!rule)
        return gz_collada_fail(c, element, GRAZE_ERROR_MESH,
                               "<%.40s> in <%.40s>; allowed: in <%.*s>", element->tag,
                               element->parent->tag, (int)strcspn(any->parents, " "), any->parents);
    if (rule->single && element->namesakes > 1)
        return gz_collada_fail(c, element, GRAZE_ERROR_MESH,
                               "%u of <%.40s> in <%.40s>; allowed: one",
                               (unsigned)element->namesakes, element->tag, element->parent->tag);
    if (rule->text && element->first_child)
        return gz_collada_fail(c, element->first_child, GRAZE_ERROR_MESH,
                               "<%.40s> in <%.40s>; allowed: text", element->first_child->tag,
                               element->tag);
    return GRAZE_OK;
}

graze_status gz_collada_check_places(gz_collada *c) {
    for (const gz_xml_element *e = gz_collada_next(c->root, c->root); e;
         e = gz_collada_next(e, c->root))
        GZ_TRY(check_place(c, e));
    return GRAZE_OK;
}
