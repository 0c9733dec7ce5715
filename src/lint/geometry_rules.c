// G: collision geometry.

#include <string.h>

#include "lint/lint_bound.h"

static gz_lint_place at(const gz_lint_context *c, const gz_lint_geometry *g,
                        const gz_xml_element *element) {
    return (gz_lint_place){.element = element ? element : g->element,
                           .link = c->links[g->link].name};
}

static gz_lint_place measured(gz_lint_place place, double value, double threshold,
                              const char *unit) {
    place.has_value = true;
    place.value = value;
    place.threshold = threshold;
    place.unit = unit;
    return place;
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

static void judge_shape(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g) {
    if (g->known) return;
    if (g->shape)
        gz_lint_add(c, rule, at(c, g, g->shape),
                    "<%.60s> is no shape; allowed: box, sphere, cylinder, capsule, mesh",
                    g->shape->tag);
    else
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

static void judge_size(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                       const gz_lint_numbers *n, const char *name) {
    if (!n->text) {
        gz_lint_add(c, rule, at(c, g, g->shape), "<%s> has no %s; allowed: one above 0",
                    g->shape->tag, name);
        return;
    }
    for (size_t k = 0; n->valid && k < n->count; k++) {
        if (n->value[k] > 0 && n->value[k] <= 0x1p20) continue;
        gz_lint_add(c, rule, measured(at(c, g, g->shape), n->value[k], 0, "m"),
                    "%s of <%s> is %.9g m; allowed: above 0, up to 1048576", name, g->shape->tag,
                    n->value[k]);
        return;
    }
}

static void check_sizes(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        if (!g->known || g->kind == GRAZE_SHAPE_MESH) continue;
        if (g->kind == GRAZE_SHAPE_BOX) {
            judge_size(c, rule, g, &g->size, "size");
            continue;
        }
        judge_size(c, rule, g, &g->radius, "radius");
        if (g->kind != GRAZE_SHAPE_SPHERE) judge_size(c, rule, g, &g->length, "length");
    }
}

static void check_scales(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        for (size_t k = 0; g->scale.valid && k < 3; k++) {
            double s = g->scale.value[k];
            if (s > 0) continue;
            gz_lint_add(c, rule, measured(at(c, g, g->shape), s, 0, ""),
                        "scale of <mesh> holds %.9g: %s; usual: above 0", s,
                        s < 0 ? "it mirrors, which some readers refuse" : "the mesh is flat");
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------- costs

/// Triangles that one mesh of a link may have before its cost is named.
#define MANY_TRIANGLES 1000

static bool shows_same_file(const gz_lint_context *c, const gz_lint_geometry *g) {
    const gz_lint_link *l = &c->links[g->link];
    for (size_t k = 0; k < l->geometry_count; k++) {
        const gz_lint_geometry *v = &c->geometries[l->first_geometry + k];
        if (!v->visual || v->mesh < 0) continue;
        const gz_lint_mesh *a = &c->meshes[g->mesh], *b = &c->meshes[v->mesh];
        if (a == b || (a->bytes && a->bytes == b->bytes && a->hash == b->hash)) return true;
    }
    return false;
}

static void check_visual_mesh(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        if (g->visual || g->mesh < 0 || !c->meshes[g->mesh].soup) continue;
        size_t triangles = c->meshes[g->mesh].soup->triangle_count;
        if (triangles <= MANY_TRIANGLES || !shows_same_file(c, g)) continue;
        gz_lint_add(c, rule, measured(at(c, g, g->shape), (double)triangles, MANY_TRIANGLES, ""),
                    "link '%.100s' collides with its visual mesh of %zu triangles; usual: a mesh "
                    "of its own with at most %d",
                    c->links[g->link].name, triangles, MANY_TRIANGLES);
    }
}

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
        gz_lint_add(c, rule, measured(place, (double)triangles, LINK_TRIANGLES, ""),
                    "link '%.100s' has %zu collision triangles; usual: at most %d", l->name,
                    triangles, LINK_TRIANGLES);
    }
    if (robot <= ROBOT_TRIANGLES) return;
    gz_lint_place place = {.element = gz_xml_root(c->urdf)};
    gz_lint_add(c, rule, measured(place, (double)robot, ROBOT_TRIANGLES, ""),
                "the robot has %zu collision triangles; usual: at most %d", robot, ROBOT_TRIANGLES);
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_GEOMETRY, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("G001", "no-collision", WARNING, "A link has a <visual> and no <collision>.",
         "Add collision geometry, or turn the rule off for what is only shown.", check_missing),
    RULE("G002", "visual-as-collision", WARNING, "A link collides with its own visual mesh.",
         "Decimate a copy for <collision>: checks get faster, and lose nothing that matters.",
         check_visual_mesh),
    RULE("G003", "many-triangles", WARNING, "A link or the robot has very many triangles.",
         "Decimate the meshes that the message names.", check_triangles),
    RULE("G010", "size-not-positive", ERROR, "A size is missing, negative, 0, or far too large.",
         "Write the size in metres.", check_sizes),
    RULE("G011", "scale-not-positive", WARNING, "A scale mirrors a mesh or makes it flat.",
         "Mirror the mesh in the program that made it.", check_scales),
    RULE("G014", "no-shape", ERROR, "A <collision> has no shape that is known.",
         "Give it a <geometry> with a box, sphere, cylinder, capsule or mesh.", check_shapes),
};

const gz_lint_rule *gz_lint_rules_geometry(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
