#include <string.h>

#include "load/mesh/collada.h"

/// What is read, and where the standard has it. Elsewhere it would be passed
/// over in silence.
static const struct rule {
    const char *tag;
    const char *parents[4];
    bool single; ///< one in its parent: of several, only the first would be read
    bool text;   ///< holds text, which elements inside would cut
} rules[] = {
    {"library_geometries", {"COLLADA"}, false, false},
    {"library_nodes", {"COLLADA"}, false, false},
    {"library_visual_scenes", {"COLLADA"}, false, false},
    {"scene", {"COLLADA"}, true, false},
    {"instance_visual_scene", {"scene"}, true, false},
    {"visual_scene", {"library_visual_scenes"}, false, false},
    {"node", {"visual_scene", "node", "library_nodes"}, false, false},
    {"instance_node", {"node"}, false, false},
    {"instance_geometry", {"node"}, false, false},
    {"matrix", {"node"}, false, true},
    {"translate", {"node"}, false, true},
    {"rotate", {"node"}, false, true},
    {"scale", {"node"}, false, true},
    {"lookat", {"node"}, false, true},
    {"geometry", {"library_geometries"}, false, false},
    {"mesh", {"geometry"}, true, false},
    {"convex_mesh", {"geometry"}, true, false},
    {"brep", {"geometry"}, true, false},
    {"spline", {"geometry"}, true, false},
    {"source", {"mesh"}, false, false},
    {"float_array", {"source"}, false, true},
    {"int_array", {"source"}, false, true},
    {"bool_array", {"source"}, false, true},
    {"Name_array", {"source"}, false, true},
    {"IDREF_array", {"source"}, false, true},
    {"SIDREF_array", {"source"}, false, true},
    {"technique_common", {"source"}, true, false},
    {"technique", {"source"}, false, false},
    {"accessor", {"technique_common"}, true, false},
    {"param", {"accessor"}, false, false},
    {"vertices", {"mesh"}, true, false},
    {"triangles", {"mesh"}, false, false},
    {"polylist", {"mesh"}, false, false},
    {"polygons", {"mesh"}, false, false},
    {"tristrips", {"mesh"}, false, false},
    {"lines", {"mesh"}, false, false},
    {"linestrips", {"mesh"}, false, false},
    {"input", {"vertices", "triangles", "polylist", "polygons"}, false, false},
    {"input", {"tristrips"}, false, false},
    {"p", {"triangles", "polylist", "polygons", "tristrips"}, false, true},
    {"vcount", {"polylist"}, true, true},
};

enum { RULES = sizeof rules / sizeof *rules };

static bool allows(const struct rule *rule, const gz_xml_element *parent) {
    for (size_t i = 0; i < 4 && rule->parents[i]; i++)
        if (gz_xml_is(parent, rule->parents[i])) return true;
    return false;
}

static bool is_read(const gz_xml_element *element) {
    for (size_t i = 0; i < RULES; i++)
        if (gz_xml_is(element, rules[i].tag)) return true;
    return false;
}

static graze_status fail(gz_collada *c, const gz_xml_element *at, graze_status status,
                         const char *allowed) {
    return gz_fail_at(c->error, status, gz_collada_place(c, at),
                      "<%.40s> in <%.40s> would be left out, and a part with it; allowed: %s",
                      at->tag, at->parent->tag, allowed);
}

static graze_status check_place(gz_collada *c, const gz_xml_element *element) {
    const struct rule *rule = NULL, *any = NULL;
    for (size_t i = 0; i < RULES && !rule; i++) {
        if (!gz_xml_is(element, rules[i].tag)) continue;
        any = &rules[i];
        if (allows(any, element->parent)) rule = any;
    }
    if (!any) {
        // What no mesh needs may stand anywhere but for libraries, which the
        // standard has at the top. The rest is somebody's own: harmless where
        // nothing is looked for.
        bool library = strncmp(element->tag, "library_", 8) == 0;
        bool hidden = gz_collada_is_hidden(element) && !library;
        if (hidden || element->parent == c->root || !is_read(element->parent)) return GRAZE_OK;
        return fail(c, element, GRAZE_ERROR_UNSUPPORTED, "elements of Collada 1.4 and 1.5");
    }
    if (!rule)
        return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, element),
                          "<%.40s> in <%.40s>; allowed: in <%s>", element->tag,
                          element->parent->tag, any->parents[0]);
    if (rule->single && element->namesakes > 1)
        return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, element),
                          "%u of <%.40s> in <%.40s>; allowed: one", (unsigned)element->namesakes,
                          element->tag, element->parent->tag);
    if (rule->text && element->first_child)
        return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, element->first_child),
                          "<%.40s> in <%.40s>; allowed: text", element->first_child->tag,
                          element->tag);
    return GRAZE_OK;
}

graze_status gz_collada_check_places(gz_collada *c) {
    graze_status status = GRAZE_OK;
    for (const gz_xml_element *e = gz_collada_next(c->root, c->root); e && !status;
         e = gz_collada_next(e, c->root))
        status = check_place(c, e);
    return status;
}
