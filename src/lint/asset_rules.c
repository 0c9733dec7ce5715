// A: files that are referred to. What their content says is in file_rules.c.

#include <math.h>
#include <string.h>
#include <strings.h>

#include "lint/asset_rules.h"
#include "lint/link_geometry.h"
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
    gz_lint_place place = at(c, g);
    gz_fix_buffer mend;
    gz_fix_path(&mend, c, g, mesh, &place.fix);
    gz_lint_add(c, rule, place, "\"%.200s\" is a path of one machine; usual: package://NAME/PATH",
                mesh->uri);
}

static void check_absolute(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_absolute);
}

static void judge_readable(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (g->over)
        gz_lint_add(c, rule, at(c, g),
                    "%.200s: %zu triangles, %llu are left; allowed: %llu for one load, instances "
                    "counted (limits.triangles)",
                    mesh->path, mesh->soup->triangle_count, (unsigned long long)g->left,
                    (unsigned long long)c->options->load.limits.triangles);
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

// ------------------------------------------------------------------------------------- how named

static bool has_scheme(const char *uri) {
    return strstr(uri, "://") || strncasecmp(uri, "file:", 5) == 0;
}

static void judge_relative(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                           const gz_lint_mesh *mesh) {
    if (mesh->uri[0] == '/' || !mesh->uri[0] || has_scheme(mesh->uri)) return;
    gz_lint_add(c, rule, at(c, g),
                "\"%.200s\" is relative to the URDF: ROS does not find it; usual: "
                "package://NAME/PATH",
                mesh->uri);
}

static void check_relative(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_relative);
}

static void judge_case(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                       const gz_lint_mesh *mesh) {
    if (!mesh->other_case) return;
    gz_lint_add(c, rule, at(c, g),
                "\"%.200s\" is not there, %.200s is; allowed: the same capitals, which not every "
                "system needs",
                mesh->uri, mesh->other_case);
}

static void check_case(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_case);
}

// -------------------------------------------------------------------------------- scale of a mesh

/// A part of a robot is larger than the one, and smaller than the other, m: what is not was
/// exported in other units.
#define LARGEST_PART  10.0
#define SMALLEST_PART 1e-3

/// Names the units that a factor between two lengths speaks of, or says nothing.
static const char *unit_hint(double ratio) {
    static const struct {
        double factor;
        const char *text;
    } hints[] = {{1000, "; 1000: millimetres"},
                 {100, "; 100: centimetres"},
                 {39.37, "; 39.37: inches"},
                 {25.4, "; 25.4: inches"}};
    if (ratio < 1) ratio = 1 / ratio;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (ratio > 0.95 * hints[i].factor && ratio < 1.05 * hints[i].factor) return hints[i].text;
    return "";
}

static double longest_side(const gz_lint_box *box) {
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, box->high[k] - box->low[k]);
    return longest;
}

static void judge_extent(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_geometry *g,
                         const gz_lint_mesh *mesh) {
    gz_lint_box box;
    (void)mesh;
    if (!gz_lint_geometry_box(c, g, &box) || gz_lint_box_is_empty(&box)) return;
    double side = longest_side(&box);
    if (side >= SMALLEST_PART && side <= LARGEST_PART) return;
    double limit = side > LARGEST_PART ? LARGEST_PART : SMALLEST_PART;
    gz_lint_add(c, rule, gz_lint_measured(at(c, g), side, limit, "m"),
                "the mesh is %.4g m long where it is longest; usual: %.3g to %.3g m; a scale of "
                "%s is missing, or one too many",
                side, SMALLEST_PART, LARGEST_PART, side > LARGEST_PART ? "0.001" : "1000");
}

static void check_extent(gz_lint_context *c, const gz_lint_rule *rule) {
    walk_meshes(c, rule, judge_extent);
}

/// How many times larger than each other what is seen and what collides may be.
#define USUAL_RATIO 5.0

static void check_sizes_agree(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_lint_link *l = &c->links[i];
        gz_lint_box seen, hit;
        bool known = gz_lint_link_box(c, l, GZ_LINT_VISUAL, &seen);
        known = gz_lint_link_box(c, l, GZ_LINT_COLLISION, &hit) && known;
        if (!known || gz_lint_box_is_empty(&seen) || gz_lint_box_is_empty(&hit)) continue;
        double shown = gz_lint_box_diagonal(&seen), solid = gz_lint_box_diagonal(&hit);
        if (!(shown > 0 && solid > 0)) continue;
        double ratio = solid / shown;
        if (ratio <= USUAL_RATIO && ratio >= 1 / USUAL_RATIO) continue;
        gz_lint_place place = {.element = l->element, .link = l->name};
        gz_lint_add(c, rule,
                    gz_lint_measured(place, ratio, ratio > 1 ? USUAL_RATIO : 1 / USUAL_RATIO, ""),
                    "the collision geometry of link '%.100s' is %.4g m across, the visual %.4g m: "
                    "a ratio of %.4g; usual: %.3g to %.3g%s",
                    l->name, solid, shown, ratio, 1 / USUAL_RATIO, USUAL_RATIO, unit_hint(ratio));
    }
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_ASSETS, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("A001", "mesh-not-found", ERROR, "A mesh file is not there.",
         "Mend the path, or say where the package lives: --package NAME=DIR, --package-path DIR.",
         check_found),
    RULE("A002", "absolute-path", WARNING, "A mesh is named by a path of one machine.",
         "Write package://NAME/PATH.", check_absolute),
    RULE("A003", "relative-path", WARNING, "A mesh is named relative to the URDF.",
         "Write package://NAME/PATH.", check_relative),
    RULE("A004", "case-differs", WARNING, "A mesh file has other capitals than its name here.",
         "Write the name as the file has it.", check_case),
    RULE("A005", "mesh-unreadable", ERROR, "A mesh file is empty, broken, or of no known format.",
         "Export it anew, as STL, OBJ, PLY, glTF or Collada.", check_readable),
    RULE("A006", "profiles-differ", WARNING, "Programs place a Collada mesh differently.",
         "Export it with Z up in metres, or as another format.", gz_lint_check_profiles),
    RULE("A007", "unit-name", WARNING,
         "A Collada unit's name and its length contradict each other.",
         "Write the length that the file is drawn in; a scale in the URDF may then be too many.",
         gz_lint_check_unit_names),
    RULE("A008", "size-unusual", WARNING, "A mesh is larger than 10 m, or smaller than 1 mm.",
         "Look whether the file is in millimetres: then it needs scale=\"0.001 0.001 0.001\".",
         check_extent),
    RULE("A009", "sizes-differ", WARNING, "What is seen and what collides differ in size by far.",
         "Look at the scale of both, and whether they are the same part.", check_sizes_agree),
    RULE("A010", "solid-header", INFO, "A binary STL begins like a text one.",
         "Export it with another header: some readers take it for text.",
         gz_lint_check_solid_headers),
    RULE("A011", "stl-length", WARNING, "A binary STL is longer or shorter than it says.",
         "Export it anew: it was cut off, or something was added.", gz_lint_check_stl_lengths),
    RULE("A012", "unused-mesh", INFO, "A folder of meshes holds some that nothing names.",
         "Remove them, or keep them for another robot.", gz_lint_check_unused),
    RULE("A013", "broken-reference", WARNING,
         "A Collada file shows a light or camera that is not there.",
         "Export it without lights and cameras: some readers fail.",
         gz_lint_check_broken_references),
    RULE("A014", "format-not-portable", INFO, "A well-known program does not read a mesh's format.",
         "Keep a copy as OBJ, which all read.", gz_lint_check_formats),
    RULE("A015", "same-file-name", WARNING, "Two mesh files in different folders have one name.",
         "Rename one: some programs know meshes by their file names alone.",
         gz_lint_check_file_names),
};

const gz_lint_rule *gz_lint_rules_assets(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
