// G: how what collides stands to what is seen.

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "lint/link_geometry.h"
#include "lint/mesh_rules.h"
#include "mesh/mesh.h"

// ------------------------------------------------------------------------------ the same geometry

/// Triangles that one mesh of a link may have before its cost is named.
#define MANY_TRIANGLES 1000

static double area_of(const gz_soup *soup) {
    double sum = 0;
    for (size_t t = 0; t < soup->triangle_count; t++) {
        double e[3], f[3];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t *v = soup->triangles + 3 * t;
            double origin = soup->vertices[3 * (size_t)v[0] + k];
            e[k] = soup->vertices[3 * (size_t)v[1] + k] - origin;
            f[k] = soup->vertices[3 * (size_t)v[2] + k] - origin;
        }
        double x = e[1] * f[2] - e[2] * f[1], y = e[2] * f[0] - e[0] * f[2],
               z = e[0] * f[1] - e[1] * f[0];
        sum += 0.5 * sqrt(x * x + y * y + z * z);
    }
    return sum;
}

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
    double area_a = u * area_of(p), area_b = v * area_of(q);
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

void gz_lint_check_same_geometry(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        if (g->visual || g->mesh < 0 || !c->meshes[g->mesh].soup) continue;
        size_t triangles = c->meshes[g->mesh].soup->triangle_count;
        int like = triangles > MANY_TRIANGLES ? likeness(c, g) : 0;
        if (!like) continue;
        gz_lint_place place = {.element = g->shape, .link = c->links[g->link].name};
        gz_lint_add(c, rule, gz_lint_measured(place, (double)triangles, MANY_TRIANGLES, ""),
                    "link '%.100s' collides with %s of %zu triangles; usual: a mesh of its own "
                    "with at most %d",
                    c->links[g->link].name,
                    like == 2 ? "its visual mesh" : "the geometry of its visual mesh", triangles,
                    MANY_TRIANGLES);
    }
}

// ------------------------------------------------------------------------------------ two surfaces

/// Points looked at on each surface, and how many of them are asked whether they are inside: that
/// takes a look at every triangle.
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

typedef struct judgement {
    gz_lint_use from, to;
    double least, share; ///< the limit: metres, and a share of the visual's diagonal
} judgement;

static void judge_link(gz_lint_context *c, const gz_lint_rule *rule, const gz_lint_link *link,
                       const judgement *j) {
    gz_lint_box seen, hit;
    bool known = gz_lint_link_box(c, link, GZ_LINT_VISUAL, &seen);
    known = gz_lint_link_box(c, link, GZ_LINT_COLLISION, &hit) && known;
    if (!known || gz_lint_box_is_empty(&seen) || gz_lint_box_is_empty(&hit)) return;
    double limit = fmax(j->least, j->share * gz_lint_box_diagonal(&seen)), where[3];
    gz_soup *from = NULL, *to = NULL;
    gz_link_surface_make(&from, c, link, j->from);
    if (from) gz_link_surface_make(&to, c, link, j->to);
    double excess = to ? find_excess(c, from, to, limit, where) : 0;
    gz_soup_free(from);
    gz_soup_free(to);
    if (!(excess > limit) || c->out_of_memory) return;
    gz_lint_place place = {.element = link->element, .link = link->name};
    place = gz_lint_measured(place, 1000 * excess, 1000 * limit, "mm");
    bool uncovered = j->from == GZ_LINT_VISUAL;
    gz_lint_add(c, rule, place,
                "the %s geometry of link '%.100s' is %.4g mm outside of the %s at (%.4g, %.4g, "
                "%.4g) m; usual: at most %.4g mm",
                uncovered ? "visual" : "collision", link->name, 1000 * excess,
                uncovered ? "collision geometry" : "visual", where[0], where[1], where[2],
                1000 * limit);
}

static void judge_links(gz_lint_context *c, const gz_lint_rule *rule, const judgement *j) {
    for (size_t i = 0; i < c->link_count && !c->out_of_memory; i++)
        judge_link(c, rule, &c->links[i], j);
}

void gz_lint_check_cover(gz_lint_context *c, const gz_lint_rule *rule) {
    static const judgement cover = {
        .from = GZ_LINT_VISUAL, .to = GZ_LINT_COLLISION, .least = 0.01, .share = 0.05};
    judge_links(c, rule, &cover);
}

void gz_lint_check_excess(gz_lint_context *c, const gz_lint_rule *rule) {
    static const judgement excess = {
        .from = GZ_LINT_COLLISION, .to = GZ_LINT_VISUAL, .least = 0.03, .share = 0.2};
    judge_links(c, rule, &excess);
}
