// G: collision geometry. What takes measuring is in mesh_rules.c and cover_rules.c.

#include <math.h>
#include <string.h>

#include "lint/link_geometry.h"
#include "lint/mesh_rules.h"
#include "lint/schema.h"
#include "load/xml/xml.h"
#include "mesh/mesh.h"

static gz_lint_place at(const gz_lint_context *c, const gz_lint_geometry *g,
                        const gz_xml_element *element) {
    return (gz_lint_place){.element = element ? element : g->element,
                           .link = c->links[g->link].name};
}

// -------------------------------------------------------------------------- what is there at all

static void check_missing(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_lint_link *l = &c->links[i];
        size_t visuals = 0, collisions = 0;
        for (size_t k = 0; k < l->geometry_count; k++) {
            bool visual = c->geometries[l->first_geometry + k].visual;
            visuals += visual;
            collisions += !visual;
        }
        if (!visuals || collisions) continue;
        gz_lint_add(c, rule, (gz_lint_place){.element = l->element, .link = l->name},
                    "link '%.100s' has a <visual> and no <collision>: it cannot collide", l->name);
    }
}

/// What stands in a <geometry> beside its shape, and is neither a shape (U010) nor an extension.
static const gz_xml_element *find_stranger(const gz_lint_geometry *g) {
    const gz_xml_element *e = g->known ? g->shape->parent->first_child : g->shape;
    size_t count;
    while (g->known && e &&
           (gz_lint_schema_lists(GZ_LINT_SHAPES, e->tag, &count) || gz_xml_is_extension(e->tag)))
        e = e->next;
    return e;
}

static void judge_shape(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g) {
    const gz_xml_element *stranger = find_stranger(g);
    if (stranger)
        gz_lint_add(c, rule, at(c, g, stranger),
                    "<%.60s> is no shape; allowed: box, sphere, cylinder, capsule, mesh",
                    stranger->tag);
    else if (!g->known)
        gz_lint_add(c, rule, at(c, g, NULL),
                    "<%s> has no shape; allowed: <geometry> with a box, sphere, cylinder, capsule "
                    "or mesh",
                    g->element->tag);
}

static void check_shapes(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++)
        if (!c->geometries[i].visual) judge_shape(c, rule, &c->geometries[i]);
}

// ---------------------------------------------------------------------------------------- sizes

/// False after a finding.
static bool judge_size(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                       const gz_lint_numbers *n, const char *name) {
    if (!n->text) {
        gz_lint_add(c, rule, at(c, g, g->shape), "<%s> has no %s; allowed: one above 0",
                    g->shape->tag, name);
        return false;
    }
    for (size_t k = 0; n->valid && k < n->count; k++) {
        if (n->value[k] > 0 && n->value[k] <= GZ_COORDINATE_MAX) continue;
        gz_lint_add(c, rule, gz_lint_measured(at(c, g, g->shape), n->value[k], 0, "m"),
                    "%s of <%s> is %.9g m; allowed: above 0, up to 1048576", name, g->shape->tag,
                    n->value[k]);
        return false;
    }
    return true;
}

static bool judge_scale(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g) {
    for (size_t k = 0; g->scale.valid && k < 3; k++) {
        double s = g->scale.value[k];
        if (s != 0 && fabs(s) <= GZ_COORDINATE_MAX) continue;
        gz_lint_add(c, rule, gz_lint_measured(at(c, g, g->shape), s, 0, ""),
                    "scale of <mesh> holds %.9g; allowed: magnitudes above 0, up to 1048576", s);
        return false;
    }
    return true;
}

static bool judge_shape_sizes(gz_lint_context *c, const gz_lint_rule *rule,
                              const gz_lint_geometry *g) {
    if (g->kind == GRAZE_SHAPE_MESH) return judge_scale(c, rule, g);
    if (g->kind == GRAZE_SHAPE_BOX) return judge_size(c, rule, g, &g->size, "size");
    bool good = judge_size(c, rule, g, &g->radius, "radius");
    if (g->kind == GRAZE_SHAPE_SPHERE) return good;
    return judge_size(c, rule, g, &g->length, "length") && good;
}

/// The box around what has coordinates: corners, or the ends of an axis. False where none is known.
static bool coordinate_box(const gz_lint_context *c, const gz_lint_geometry *g, gz_lint_box *box) {
    if (g->kind == GRAZE_SHAPE_BOX || g->kind == GRAZE_SHAPE_MESH)
        return gz_lint_geometry_box(c, g, box);
    bool is_sphere = g->kind == GRAZE_SHAPE_SPHERE;
    double half = is_sphere ? 0 : 0.5 * g->length.value[0];
    *box = gz_lint_box_empty();
    for (int end = -1; end <= 1; end += 2) {
        const graze_vec3 along = {0, 0, end * half};
        graze_vec3 p = graze_transform_point(&g->origin.transform, along);
        gz_lint_box_add(box, (double[3]){p.x, p.y, p.z});
    }
    return is_sphere || g->length.valid;
}

/// Sizes, scale and origin may be good and still put geometry where none can be.
static void judge_reach(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g) {
    gz_lint_box box;
    double reach = 0;
    if (!coordinate_box(c, g, &box)) return;
    for (int k = 0; k < 3; k++) reach = fmax(reach, fmax(-box.low[k], box.high[k]));
    if (reach <= GZ_COORDINATE_MAX) return;
    gz_lint_add(c, rule, gz_lint_measured(at(c, g, g->shape), reach, GZ_COORDINATE_MAX, "m"),
                "<%s> reaches to %.9g m from the origin of link '%.100s'; allowed: coordinates up "
                "to 1048576 m",
                g->shape->tag, reach, c->links[g->link].name);
}

static void check_sizes(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        if (g->known && judge_shape_sizes(c, rule, g)) judge_reach(c, rule, g);
    }
}

static void check_scales(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        for (size_t k = 0; g->scale.valid && k < 3; k++) {
            double s = g->scale.value[k];
            if (!(s < 0)) continue; // 0 is an error: G010
            gz_lint_add(c, rule, gz_lint_measured(at(c, g, g->shape), s, 0, ""),
                        "scale of <mesh> holds %.9g: it mirrors, which some readers refuse; usual: "
                        "above 0",
                        s);
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------- costs

/// Triangles of a link, and of a robot, that are more than most need.
#define LINK_TRIANGLES  5000
#define ROBOT_TRIANGLES 50000

static void check_triangles(gz_lint_context *c, const gz_lint_rule *rule) {
    size_t robot = 0;
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_lint_link *l = &c->links[i];
        size_t triangles = 0;
        for (size_t k = 0; k < l->geometry_count; k++) {
            const gz_lint_geometry *g = &c->geometries[l->first_geometry + k];
            if (!g->visual && g->mesh >= 0 && c->meshes[g->mesh].soup)
                triangles += c->meshes[g->mesh].soup->triangle_count;
        }
        robot += triangles;
        if (triangles <= LINK_TRIANGLES) continue;
        gz_lint_place place = {.element = l->element, .link = l->name};
        gz_lint_add(c, rule, gz_lint_measured(place, (double)triangles, LINK_TRIANGLES, ""),
                    "link '%.100s' has %zu collision triangles; usual: at most %d", l->name,
                    triangles, LINK_TRIANGLES);
    }
    if (robot <= ROBOT_TRIANGLES) return;
    gz_lint_place place = {.element = gz_xml_root(c->urdf)};
    gz_lint_add(c, rule, gz_lint_measured(place, (double)robot, ROBOT_TRIANGLES, ""),
                "the robot has %zu collision triangles; usual: at most %d", robot, ROBOT_TRIANGLES);
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_GEOMETRY, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("G001", "no-collision", WARNING, "A link has a <visual> and no <collision>.",
         "Add collision geometry, or turn the rule off for what is only shown.", check_missing),
    RULE("G002", "visual-as-collision", WARNING, "A link collides with its own visual mesh.",
         "Decimate a copy for <collision>: checks get faster, and lose nothing that matters.",
         gz_lint_check_same_geometry),
    RULE("G003", "many-triangles", WARNING, "A link or the robot has very many triangles.",
         "Decimate the meshes that the message names.", check_triangles),
    RULE("G004", "open-mesh", WARNING, "A collision mesh is not closed.",
         "Close its holes and split its edges: graze info --solids shows where.",
         gz_lint_check_open),
    RULE("G005", "winding", WARNING, "Triangles of a collision mesh are wound inside out.",
         "Let a mesh program recompute the normals outward.", gz_lint_check_winding),
    RULE("G006", "useless-triangles", INFO, "Triangles have no area, or are there twice.",
         "Remove them: they cost time and show nothing.", gz_lint_check_triangles),
    RULE("G007", "inner-parts", INFO, "A collision mesh has parts inside others, or very many.",
         "Keep the outer hull alone: what is inside cannot be touched.", gz_lint_check_shells),
    RULE("G008", "not-covered", WARNING, "The visual reaches outside of the collision geometry.",
         "Add collision geometry there: this part of the link passes through everything.",
         gz_lint_check_cover),
    RULE("G009", "too-fat", WARNING, "The collision geometry is much fatter than the visual.",
         "Fit it closer: configurations that are free count as collisions.", gz_lint_check_excess),
    RULE("G010", "size-not-positive", ERROR, "A size is missing, negative, 0, or far too large.",
         "Write the size in metres.", check_sizes),
    RULE("G011", "scale-not-positive", WARNING, "A scale mirrors a mesh.",
         "Mirror the mesh in the program that made it.", check_scales),
    RULE("G012", "simple-shape", INFO, "A collision mesh is a box, a cylinder or a sphere.",
         "Write it as <box>, <cylinder> or <sphere>: checks get faster and exact.",
         gz_lint_check_fit),
    RULE("G013", "far-from-origin", WARNING, "A collision mesh is far from its link's origin.",
         "Export it in the frame of its link, or mend its <origin>.", gz_lint_check_origin),
    RULE("G014", "no-shape", ERROR, "A <collision> has no shape that is known.",
         "Give it a <geometry> with a box, sphere, cylinder, capsule or mesh.", check_shapes),
};

const gz_lint_rule *gz_lint_rules_geometry(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
