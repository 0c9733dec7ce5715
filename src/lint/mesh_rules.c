// G: what is measured of one collision mesh. A mesh is judged once, where it is first used.

#include "lint/mesh_rules.h"

#include <math.h>
#include <string.h>

#include "lint/link_geometry.h"
#include "lint/lint.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static gz_lint_place at(const gz_lint_context *c, const gz_lint_geometry *g) {
    return (gz_lint_place){.element = g->shape, .link = c->links[g->link].name};
}

/// Calls `each` for every collision mesh that can be measured.
static void walk(gz_lint_context *c, const gz_lint_rule *rule,
                 void (*each)(gz_lint_context *, const gz_lint_rule *, const gz_lint_geometry *,
                              const gz_lint_mesh *)) {
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++) {
        gz_lint_mesh *mesh = &c->meshes[i];
        if (mesh->first_collision >= 0 && gz_lint_mesh_measure(c, mesh))
            each(c, rule, &c->geometries[mesh->first_collision], mesh);
    }
}

// ------------------------------------------------------------------------------------ solid or not

static void judge_open(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                       const gz_lint_mesh *mesh) {
    const graze_solid_report *s = &mesh->measure.solids;
    size_t bad = s->hole_edges + s->non_manifold_edges;
    if (!bad) return;
    gz_lint_add(c, rule, gz_lint_measured(at(c, g), (double)bad, 0, ""),
                "\"%.120s\": %zu edge%s one triangle, %zu more than two; allowed: two each; %zu of "
                "%zu parts are open%s",
                base_name(mesh->path), s->hole_edges, s->hole_edges == 1 ? " has" : "s have",
                s->non_manifold_edges, s->open_count, s->component_count,
                s->open_count ? ", and what is inside them is not noticed" : "");
}

void gz_lint_check_open(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_open);
}

static void judge_winding(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                          const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t bad = m->reversed_count + m->solids.winding_edges;
    if (!bad) return;
    gz_lint_add(c, rule, gz_lint_measured(at(c, g), (double)bad, 0, ""),
                "\"%.120s\": %zu of %zu closed parts are wound inside out, at %zu edges two "
                "triangles are wound against each other; allowed: outward, all alike",
                base_name(mesh->path), m->reversed_count, m->solids.closed_count,
                m->solids.winding_edges);
}

void gz_lint_check_winding(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_winding);
}

static void judge_triangles(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                            const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t bad = m->solids.degenerate_count + m->duplicate_count;
    if (!bad) return;
    gz_lint_add(c, rule, gz_lint_measured(at(c, g), (double)bad, 0, ""),
                "\"%.120s\": of %zu triangles %zu have no area, %zu are there twice; usual: none",
                base_name(mesh->path), m->solids.triangle_count, m->solids.degenerate_count,
                m->duplicate_count);
}

void gz_lint_check_triangles(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_triangles);
}

/// Parts that a collision mesh may have before it looks like an assembly with all its screws.
#define MANY_SHELLS 50

static void judge_shells(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                         const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t shells = m->solids.component_count;
    if (m->inner_count)
        gz_lint_add(c, rule, gz_lint_measured(at(c, g), (double)m->inner_count, 0, ""),
                    "\"%.120s\": %s%zu of %zu parts are inside others, where nothing can touch "
                    "them; usual: none",
                    base_name(mesh->path), m->inner_partial ? "at least " : "", m->inner_count,
                    shells);
    else if (shells > MANY_SHELLS)
        gz_lint_add(c, rule, gz_lint_measured(at(c, g), (double)shells, MANY_SHELLS, ""),
                    "\"%.120s\" consists of %zu parts that do not hang together; usual: at most %d",
                    base_name(mesh->path), shells, MANY_SHELLS);
}

void gz_lint_check_shells(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_shells);
}

// ------------------------------------------------------------------------------------ simple
// shapes

/// A factor that is the same along all axes keeps a cylinder a cylinder; 0 for others.
static double uniform_scale(const gz_lint_geometry *g) {
    double scale[3];
    gz_lint_scale(g, scale);
    double s = fabs(scale[0]);
    return fabs(scale[1]) == s && fabs(scale[2]) == s ? s : 0;
}

static void judge_fit(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                      const gz_lint_mesh *mesh) {
    const gz_mesh_fit *fit = &mesh->measure.fit;
    double s = uniform_scale(g), d = 1000 * s * fit->deviation;
    if (!fit->found || !(s > 0)) return;
    gz_lint_place place = gz_lint_measured(at(c, g), d, 1000 * s * fit->limit, "mm");
    const char *name = base_name(mesh->path);
    size_t triangles = mesh->measure.solids.triangle_count;
    const double *size = fit->size;
    if (fit->shape == GRAZE_SHAPE_BOX)
        gz_lint_add(c, rule, place,
                    "\"%.120s\", %zu triangles, is a box of %.5g x %.5g x %.5g m to within %.2g mm",
                    name, triangles, s * size[0], s * size[1], s * size[2], d);
    else if (fit->shape == GRAZE_SHAPE_CYLINDER)
        gz_lint_add(c, rule, place,
                    "\"%.120s\", %zu triangles, is a cylinder of radius %.5g m and length %.5g m: "
                    "every vertex is within %.2g mm of it",
                    name, triangles, s * size[0], s * size[1], d);
    else
        gz_lint_add(c, rule, place,
                    "\"%.120s\", %zu triangles, is a sphere of radius %.5g m: every vertex is "
                    "within %.2g mm of it",
                    name, triangles, s * size[0], d);
}

void gz_lint_check_fit(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_fit);
}

// ------------------------------------------------------------------------------------------ origin

/// How far from its link's origin geometry may be: this much, or so many times its own size.
#define FAR_AWAY   0.5
#define FAR_FACTOR 3.0

static double gap_from_origin(const gz_lint_box *box) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double gap = fmax(0, fmax(box->low[k], -box->high[k]));
        sum += gap * gap;
    }
    return sqrt(sum);
}

void gz_lint_check_origin(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        gz_lint_box box;
        if (g->visual || g->mesh < 0 || !gz_lint_geometry_box(c, g, &box)) continue;
        if (gz_lint_box_is_empty(&box)) continue;
        double gap = gap_from_origin(&box), size = gz_lint_box_diagonal(&box);
        double limit = fmax(FAR_AWAY, FAR_FACTOR * size);
        if (!(gap > limit)) continue;
        gz_lint_add(c, rule, gz_lint_measured(at(c, g), gap, limit, "m"),
                    "the mesh is %.4g m away from the origin of link '%.100s', and %.4g m across; "
                    "usual: at most %.4g m away",
                    gap, c->links[g->link].name, size, limit);
    }
}
