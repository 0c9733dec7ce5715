// G: collision geometry: meshes as measured, against the visual, and as written.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lint/link_geometry.h"
#include "lint/lint.h"
#include "lint/self_collision.h"
#include "load/xml/xml.h"
#include "mesh/mesh.h"

// ------------------------------------------------------------------------------------ solid or not

static void check_open(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    const graze_solid_report *s = &mesh->measure.solids;
    size_t bad = s->hole_edges + s->non_manifold_edges;
    if (!bad) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)bad, 0, ""),
                "\"%.120s\": %zu edge%s one triangle, %zu more than two; allowed: two each; %zu of "
                "%zu parts are open%s",
                gz_lint_base_name(mesh->path), s->hole_edges,
                s->hole_edges == 1 ? " has" : "s have", s->non_manifold_edges, s->open_count,
                s->component_count,
                s->open_count ? ", and what is inside them is not noticed" : "");
}

static void check_winding(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t bad = m->reversed_count + m->solids.winding_edges;
    if (!bad) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)bad, 0, ""),
                "\"%.120s\": %zu of %zu closed parts are wound inside out, at %zu edges two "
                "triangles are wound against each other; allowed: outward, all alike",
                gz_lint_base_name(mesh->path), m->reversed_count, m->solids.closed_count,
                m->solids.winding_edges);
}

static void check_degenerate(gz_lint_context *c, const gz_lint_geometry *g,
                             const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t bad = m->solids.degenerate_count + m->duplicate_count;
    if (!bad) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)bad, 0, ""),
                "\"%.120s\": of %zu triangles %zu have no area, %zu are there twice; usual: none",
                gz_lint_base_name(mesh->path), m->solids.triangle_count, m->solids.degenerate_count,
                m->duplicate_count);
}

/// Parts that a collision mesh may have before it looks like an assembly with all its screws.
#define MANY_SHELLS 50

static void check_shells(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    const gz_mesh_measure *m = &mesh->measure;
    size_t shells = m->solids.component_count;
    if (m->inner_count)
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)m->inner_count, 0, ""),
                    "\"%.120s\": %s%zu of %zu parts are inside others, where nothing can touch "
                    "them; usual: none",
                    gz_lint_base_name(mesh->path), m->inner_partial ? "at least " : "",
                    m->inner_count, shells);
    else if (shells > MANY_SHELLS)
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)shells, MANY_SHELLS, ""),
                    "\"%.120s\" consists of %zu parts that do not hang together; usual: at most %d",
                    gz_lint_base_name(mesh->path), shells, MANY_SHELLS);
}

// --------------------------------------------------------------------------------- simple shapes

/// A factor that is the same along all axes keeps a cylinder a cylinder; 0 for others.
static double uniform_scale(const gz_lint_geometry *g) {
    double scale[3];
    gz_lint_scale(g, scale);
    double s = fabs(scale[0]);
    return fabs(scale[1]) == s && fabs(scale[2]) == s ? s : 0;
}

static void check_fit(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_mesh *mesh) {
    const gz_mesh_fit *fit = &mesh->measure.fit;
    double s = uniform_scale(g), d = 1000 * s * fit->deviation;
    if (!fit->found || !(s > 0)) return;
    gz_lint_place place = gz_lint_measured(gz_lint_at_shape(c, g), d, 1000 * s * fit->limit, "mm");
    const char *name = gz_lint_base_name(mesh->path);
    size_t triangles = mesh->measure.solids.triangle_count;
    const double *size = fit->size;
    if (fit->shape == GRAZE_SHAPE_BOX)
        gz_lint_add(c, place,
                    "\"%.120s\", %zu triangles, is a box of %.5g x %.5g x %.5g m to within %.2g mm",
                    name, triangles, s * size[0], s * size[1], s * size[2], d);
    else if (fit->shape == GRAZE_SHAPE_CYLINDER)
        gz_lint_add(c, place,
                    "\"%.120s\", %zu triangles, is a cylinder of radius %.5g m and length %.5g m: "
                    "every vertex is within %.2g mm of it",
                    name, triangles, s * size[0], s * size[1], d);
    else
        gz_lint_add(c, place,
                    "\"%.120s\", %zu triangles, is a sphere of radius %.5g m: every vertex is "
                    "within %.2g mm of it",
                    name, triangles, s * size[0], d);
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

static void check_origin(gz_lint_context *c, const gz_lint_geometry *g) {
    gz_lint_box box;
    if (g->visual || g->mesh < 0 || !gz_lint_geometry_box(c, g, &box)) return;
    if (gz_lint_box_is_empty(&box)) return;
    double gap = gap_from_origin(&box), size = gz_lint_box_diagonal(&box);
    double limit = fmax(FAR_AWAY, FAR_FACTOR * size);
    if (!(gap > limit)) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), gap, limit, "m"),
                "the mesh is %.4g m away from the origin of link '%.100s', and %.4g m across; "
                "usual: at most %.4g m away",
                gap, c->links[g->link].name, size, limit);
}

// ------------------------------------------------------------------------------ the same geometry

/// Triangles that one mesh of a link may have before its cost is named.
#define MANY_TRIANGLES 1000

/// Exports of one mesh to two formats round coordinates, and leave out triangles without area.
#define SAME_SHARE 1e-3
#define SAME_COUNT 1e-2

static bool have_similar_count(const gz_soup *p, const gz_soup *q) {
    double a = (double)p->triangle_count, b = (double)q->triangle_count;
    return fabs(a - b) <= SAME_COUNT * a;
}

/// Whether two meshes have about as many triangles, the same box in the link, and the same area.
static bool are_alike(const gz_lint_context *c, const gz_lint_geometry *a,
                      const gz_lint_geometry *b) {
    const gz_soup *p = c->meshes[a->mesh].soup, *q = c->meshes[b->mesh].soup;
    gz_lint_box box_a, box_b;
    if (!p || !q || !have_similar_count(p, q) || !gz_lint_geometry_box(c, a, &box_a) ||
        !gz_lint_geometry_box(c, b, &box_b))
        return false;
    double limit = SAME_SHARE * gz_lint_box_diagonal(&box_a);
    for (int k = 0; k < 3; k++)
        if (fabs(box_a.low[k] - box_b.low[k]) > limit ||
            fabs(box_a.high[k] - box_b.high[k]) > limit)
            return false;
    double scale_a[3], scale_b[3];
    gz_lint_scale(a, scale_a);
    gz_lint_scale(b, scale_b);
    // Areas are compared in the files' units: the same factor along all axes, or the same three.
    double u = scale_a[0] * scale_a[0], v = scale_b[0] * scale_b[0];
    for (int k = 1; k < 3; k++)
        if (fabs(scale_a[k] * scale_b[0]) != fabs(scale_b[k] * scale_a[0])) return false;
    double area_a = u * gz_surface_area(p->vertices, p->triangles, p->triangle_count);
    double area_b = v * gz_surface_area(q->vertices, q->triangles, q->triangle_count);
    return fabs(area_a - area_b) <= SAME_SHARE * area_a;
}

/// 2: the visual file itself or a copy; 1: the same geometry in another file; 0: neither.
static int likeness(const gz_lint_context *c, const gz_lint_geometry *g) {
    const gz_lint_link *l = &c->links[g->link];
    int best = 0;
    for (size_t k = 0; k < l->geometry_count && best < 2; k++) {
        const gz_lint_geometry *v = &c->geometries[l->first_geometry + k];
        if (!v->visual || v->mesh < 0) continue;
        const gz_lint_mesh *a = &c->meshes[g->mesh], *b = &c->meshes[v->mesh];
        if (a == b || (a->bytes && a->bytes == b->bytes && a->hash == b->hash))
            best = 2;
        else if (!best && are_alike(c, g, v))
            best = 1;
    }
    return best;
}

static void check_same_geometry(gz_lint_context *c, const gz_lint_geometry *g) {
    if (g->visual || g->mesh < 0 || !c->meshes[g->mesh].soup) return;
    size_t triangles = c->meshes[g->mesh].soup->triangle_count;
    int like = triangles > MANY_TRIANGLES ? likeness(c, g) : 0;
    if (!like) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), (double)triangles, MANY_TRIANGLES, ""),
                "link '%.100s' collides with %s of %zu triangles; usual: a mesh of its own "
                "with at most %d",
                c->links[g->link].name,
                like == 2 ? "its visual mesh" : "the geometry of its visual mesh", triangles,
                MANY_TRIANGLES);
}

// ------------------------------------------------------------------------------------ two surfaces

/// Sample points of each surface, and how many of them are tested for being inside: a test visits
/// every triangle.
enum { POINTS = 400, MOST_INSIDE = 32 };

typedef struct sample {
    double point[3], distance;
} sample;

static int compare_samples(const void *x, const void *y) {
    const sample *a = x, *b = y;
    return (a->distance < b->distance) - (a->distance > b->distance);
}

/// The farthest that a point of `from` is outside of `to`, where that is more than `limit`; else 0.
/// Points inside count as covered; where the surface has holes, those that it winds around by half.
static double find_excess(gz_lint_context *c, const gz_soup *from, const gz_soup *to, double limit,
                          double where[3]) {
    graze_mesh *mesh = NULL;
    graze_status status = gz_mesh_build(&mesh, to, NULL, false, GZ_MESH_LINK, NULL);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    if (status != GRAZE_OK) return 0;
    double points[3 * POINTS], result = 0;
    sample far[POINTS];
    size_t count = gz_link_surface_sample(from, points, POINTS), kept = 0;
    const double bound = 0x1p22; // no two points of graze are farther apart
    for (size_t i = 0; i < count; i++) {
        sample s = {.distance = gz_surface_distance(mesh, points + 3 * i, bound)};
        for (int k = 0; k < 3; k++) s.point[k] = points[3 * i + (size_t)k];
        if (s.distance > limit) far[kept++] = s;
    }
    qsort(far, kept, sizeof *far, compare_samples);
    for (size_t i = 0; i < kept && i < MOST_INSIDE && !(result > 0); i++) {
        if (fabs(gz_surface_winding(mesh, far[i].point)) >= 0.5) continue;
        result = far[i].distance;
        for (int k = 0; k < 3; k++) where[k] = far[i].point[k];
    }
    graze_mesh_free(mesh);
    return result;
}

/// Compares the geometry `from` of a link with the other. The limit is `least` metres, and a share
/// of the visual's diagonal.
static void compare_link(gz_lint_context *c, const gz_lint_link *link, gz_lint_use from_use,
                         double least, double share) {
    gz_lint_box seen, hit;
    bool known = gz_lint_link_box(c, link, GZ_LINT_VISUAL, &seen);
    known = gz_lint_link_box(c, link, GZ_LINT_COLLISION, &hit) && known;
    if (!known || gz_lint_box_is_empty(&seen) || gz_lint_box_is_empty(&hit)) return;
    double limit = fmax(least, share * gz_lint_box_diagonal(&seen)), where[3];
    gz_soup *from = NULL, *to = NULL;
    gz_link_surface_make(&from, c, link, from_use);
    if (from) gz_link_surface_make(&to, c, link, GZ_LINT_BOTH ^ from_use);
    double excess = to ? find_excess(c, from, to, limit, where) : 0;
    gz_soup_free(from);
    gz_soup_free(to);
    if (!(excess > limit) || c->out_of_memory) return;
    gz_lint_place place = gz_lint_measured(gz_lint_at_link(link, NULL), 1000 * excess, 1000 * limit,
                                           "mm");
    bool uncovered = from_use == GZ_LINT_VISUAL;
    gz_lint_add(c, place,
                "the %s geometry of link '%.100s' is %.4g mm outside of the %s at (%.4g, %.4g, "
                "%.4g) m; usual: at most %.4g mm",
                uncovered ? "visual" : "collision", link->name, 1000 * excess,
                uncovered ? "collision geometry" : "visual", where[0], where[1], where[2],
                1000 * limit);
}

static void check_coverage(gz_lint_context *c, const gz_lint_link *link) {
    compare_link(c, link, GZ_LINT_VISUAL, 0.01, 0.05);
}

static void check_excess(gz_lint_context *c, const gz_lint_link *link) {
    compare_link(c, link, GZ_LINT_COLLISION, 0.03, 0.2);
}

// ----------------------------------------------------------------------------- missing geometry

static void check_missing(gz_lint_context *c, const gz_lint_link *l) {
    if (!l->geometry_count || gz_lint_has_collision(c, (int32_t)(l - c->links))) return;
    gz_lint_add(c, gz_lint_at_link(l, NULL),
                "link '%.100s' has a <visual> and no <collision>: it cannot collide", l->name);
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

static void check_shape(gz_lint_context *c, const gz_lint_geometry *g) {
    if (g->visual) return;
    const gz_xml_element *stranger = find_stranger(g);
    if (stranger)
        gz_lint_add(c, gz_lint_at_link(&c->links[g->link], stranger),
                    "<%.60s> is no shape; allowed: box, sphere, cylinder, capsule, mesh",
                    stranger->tag);
    else if (!g->known)
        gz_lint_add(c, gz_lint_at_link(&c->links[g->link], g->element),
                    "<%s> has no shape; allowed: <geometry> with a box, sphere, cylinder, capsule "
                    "or mesh",
                    g->element->tag);
}

// ---------------------------------------------------------------------------------------- sizes

/// False after a finding.
static bool check_size(gz_lint_context *c, const gz_lint_geometry *g, const gz_lint_numbers *n,
                       const char *name) {
    if (!n->text) {
        gz_lint_add(c, gz_lint_at_shape(c, g), "<%s> has no %s; allowed: one of 0 to 1048576",
                    g->shape->tag, name);
        return false;
    }
    for (size_t k = 0; n->valid && k < n->count; k++) {
        if (n->value[k] >= 0 && n->value[k] <= GZ_COORDINATE_MAX) continue;
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), n->value[k], 0, "m"),
                    "%s of <%s> is %.9g m; allowed: 0 to 1048576", name, g->shape->tag,
                    n->value[k]);
        return false;
    }
    return true;
}

static bool check_scale(gz_lint_context *c, const gz_lint_geometry *g) {
    for (size_t k = 0; g->scale.valid && k < 3; k++) {
        double s = g->scale.value[k];
        if (s != 0 && fabs(s) <= GZ_COORDINATE_MAX) continue;
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), s, 0, ""),
                    "scale of <mesh> holds %.9g; allowed: magnitudes above 0, up to 1048576", s);
        return false;
    }
    return true;
}

static bool check_shape_sizes(gz_lint_context *c, const gz_lint_geometry *g) {
    if (g->kind == GRAZE_SHAPE_MESH) return check_scale(c, g);
    if (g->kind == GRAZE_SHAPE_BOX) return check_size(c, g, &g->size, "size");
    bool good = check_size(c, g, &g->radius, "radius");
    if (g->kind == GRAZE_SHAPE_SPHERE) return good;
    if (!check_size(c, g, &g->length, "length") || !good) return false;
    bool disc = g->kind == GRAZE_SHAPE_CYLINDER && g->radius.valid && g->radius.value[0] > 0 &&
                g->length.valid && g->length.value[0] == 0;
    if (disc)
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), 0, 0, "m"),
                    "length of <cylinder> is 0; allowed: above 0 where its radius is");
    return !disc;
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

/// Valid sizes, scale and origin may still put geometry beyond the largest coordinate.
static void check_bounds(gz_lint_context *c, const gz_lint_geometry *g) {
    gz_lint_box box;
    double max_abs = 0;
    if (!coordinate_box(c, g, &box)) return;
    for (int k = 0; k < 3; k++) max_abs = fmax(max_abs, fmax(-box.low[k], box.high[k]));
    if (max_abs <= GZ_COORDINATE_MAX) return;
    gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), max_abs, GZ_COORDINATE_MAX, "m"),
                "<%s> reaches to %.9g m from the origin of link '%.100s'; allowed: coordinates up "
                "to 1048576 m",
                g->shape->tag, max_abs, c->links[g->link].name);
}

static void check_sizes(gz_lint_context *c, const gz_lint_geometry *g) {
    if (g->known && check_shape_sizes(c, g)) check_bounds(c, g);
}

static void check_scales(gz_lint_context *c, const gz_lint_geometry *g) {
    for (size_t k = 0; g->scale.valid && k < 3; k++) {
        double s = g->scale.value[k];
        if (!(s < 0)) continue; // 0 is an error: G010
        gz_lint_add(c, gz_lint_measured(gz_lint_at_shape(c, g), s, 0, ""),
                    "scale of <mesh> holds %.9g: it mirrors, which some readers refuse; usual: "
                    "above 0",
                    s);
        break;
    }
}

// ---------------------------------------------------------------------------------------- costs

/// Triangles of a link, and of a robot, that are more than most need.
#define LINK_TRIANGLES  5000
#define ROBOT_TRIANGLES 50000

static void check_triangles(gz_lint_context *c) {
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
        gz_lint_place place = gz_lint_at_link(l, NULL);
        gz_lint_add(c, gz_lint_measured(place, (double)triangles, LINK_TRIANGLES, ""),
                    "link '%.100s' has %zu collision triangles; usual: at most %d", l->name,
                    triangles, LINK_TRIANGLES);
    }
    if (robot <= ROBOT_TRIANGLES) return;
    gz_lint_place place = {.element = gz_xml_root(c->urdf)};
    gz_lint_add(c, gz_lint_measured(place, (double)robot, ROBOT_TRIANGLES, ""),
                "the robot has %zu collision triangles; usual: at most %d", robot, ROBOT_TRIANGLES);
}

#define RULE(...) GZ_LINT_RULE(GEOMETRY, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("G001", "no-collision", WARNING, "A link has a <visual> and no <collision>.",
         "Add collision geometry, or turn the rule off for what is only shown.",
         .check_link = check_missing),
    RULE("G002", "visual-as-collision", WARNING, "A link collides with its own visual mesh.",
         "Decimate a copy for <collision>: checks get faster, and lose nothing that matters.",
         .check_geometry = check_same_geometry),
    RULE("G003", "many-triangles", WARNING, "A link or the robot has very many triangles.",
         "Decimate the meshes that the message names.", .check = check_triangles),
    RULE("G004", "open-mesh", WARNING, "A collision mesh is not closed.",
         "Close its holes and split its edges: graze info --solids shows where.",
         .check_measured = check_open),
    RULE("G005", "winding", WARNING, "Triangles of a collision mesh are wound inside out.",
         "Let a mesh program recompute the normals outward.", .check_measured = check_winding),
    RULE("G006", "useless-triangles", INFO, "Triangles have no area, or are there twice.",
         "Remove them: they cost time and show nothing.", .check_measured = check_degenerate),
    RULE("G007", "inner-parts", INFO, "A collision mesh has parts inside others, or very many.",
         "Keep the outer hull alone: what is inside cannot be touched.",
         .check_measured = check_shells),
    RULE("G008", "not-covered", WARNING, "The visual reaches outside of the collision geometry.",
         "Add collision geometry there: this part of the link passes through everything.",
         .check_link = check_coverage),
    RULE("G009", "too-fat", WARNING, "The collision geometry is much fatter than the visual.",
         "Fit it closer: configurations that are free count as collisions.",
         .check_link = check_excess),
    RULE("G010", "bad-size", ERROR, "A size is missing, negative, or far too large.",
         "Write the size in metres.", .check_geometry = check_sizes),
    RULE("G011", "scale-not-positive", WARNING, "A scale mirrors a mesh.",
         "Mirror the mesh in the program that made it.", .check_geometry = check_scales),
    RULE("G012", "simple-shape", INFO, "A collision mesh is a box, a cylinder or a sphere.",
         "Write it as <box>, <cylinder> or <sphere>: checks get faster and exact.",
         .check_measured = check_fit),
    RULE("G013", "far-from-origin", WARNING, "A collision mesh is far from its link's origin.",
         "Export it in the frame of its link, or correct its <origin>.",
         .check_geometry = check_origin),
    RULE("G014", "no-shape", ERROR, "A <collision> has no shape that is known.",
         "Give it a <geometry> with a box, sphere, cylinder, capsule or mesh.",
         .check_geometry = check_shape),
};

const gz_lint_tier gz_lint_tier_geometry = {rules, sizeof rules / sizeof *rules};
