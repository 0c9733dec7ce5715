// A: files that are referred to.

#include <string.h>
#include <strings.h>

#include "lint/lint.h"

static gz_lint_place at(const gz_lint_context *c, const gz_lint_geometry *g) {
    return (gz_lint_place){.element = g->shape ? g->shape : g->element,
                           .link = c->links[g->link].name};
}

/// Calls `each` for every place that names a mesh file.
static void walk_meshes(gz_lint_context *c, const gz_lint_rule *rule,
                        void (*each)(gz_lint_context *, const gz_lint_rule *,
                                     const gz_lint_geometry *, const gz_lint_mesh *)) {
    for (size_t i = 0; i < c->geometry_count; i++)
        if (c->geometries[i].mesh >= 0)
            each(c, rule, &c->geometries[i], &c->meshes[c->geometries[i].mesh]);
}

static void judge_found(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                        const gz_lint_mesh *mesh) {
    if (!mesh->path) gz_lint_add(c, rule, at(c, g), "%s", mesh->error.message);
}

static void check_found(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        bool nameless = g->known && g->kind == GRAZE_SHAPE_MESH && g->mesh < 0;
        if (nameless)
            gz_lint_add(c, rule, at(c, g),
                        "<mesh> names no file; allowed: filename=\"package://NAME/PATH\"");
    }
    walk_meshes(c, rule, judge_found);
}

static void judge_absolute(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (mesh->uri[0] != '/' && strncasecmp(mesh->uri, "file:", 5) != 0) return;
    gz_lint_add(c, rule, at(c, g),
                "\"%.200s\" is a path of one machine; usual: package://NAME/PATH", mesh->uri);
}

static void check_absolute(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_absolute);
}

static void judge_readable(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (!mesh->path || mesh->status == GRAZE_OK) return;
    if (mesh->error.line > 0)
        gz_lint_add(c, rule, at(c, g), "%.200s:%d: %s", mesh->path, (int)mesh->error.line,
                    mesh->error.message);
    else
        gz_lint_add(c, rule, at(c, g), "%.200s: %s", mesh->path, mesh->error.message);
}

static void check_readable(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_readable);
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_ASSETS, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("A001", "mesh-not-found", ERROR, "A mesh file is not there.",
         "Mend the path, or say where the package lives: --package NAME=DIR, --package-path DIR.",
         check_found),
    RULE("A002", "absolute-path", WARNING, "A mesh is named by a path of one machine.",
         "Write package://NAME/PATH.", check_absolute),
    RULE("A005", "mesh-unreadable", ERROR, "A mesh file is empty, broken, or of no known format.",
         "Export it anew, as STL, OBJ, PLY, glTF or Collada.", check_readable),
};

const gz_lint_rule *gz_lint_rules_assets(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
