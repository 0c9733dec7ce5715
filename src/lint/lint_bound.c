#include "lint/link_geometry.h"

#include <math.h>

gz_lint_box gz_lint_box_empty(void) {
    return (gz_lint_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bool gz_lint_box_is_empty(const gz_lint_box *box) {
    return !(box->low[0] <= box->high[0]);
}

void gz_lint_box_add(gz_lint_box *box, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], p[k]);
        box->high[k] = fmax(box->high[k], p[k]);
    }
}

double gz_lint_box_diagonal(const gz_lint_box *box) {
    if (gz_lint_box_is_empty(box)) return 0;
    return hypot(hypot(box->high[0] - box->low[0], box->high[1] - box->low[1]),
                 box->high[2] - box->low[2]);
}

void gz_lint_scale(const gz_lint_geometry *g, double scale[3]) {
    for (int k = 0; k < 3; k++) scale[k] = g->scale.valid ? g->scale.value[k] : 1;
}

static void add_placed(gz_lint_box *box, const graze_transform *t, const double p[3]) {
    graze_vec3 w = graze_transform_point(t, (graze_vec3){p[0], p[1], p[2]});
    gz_lint_box_add(box, (double[3]){w.x, w.y, w.z});
}

/// Adds the eight corners of a box about the geometry's own origin.
static void add_corners(gz_lint_box *box, const graze_transform *t, const double half[3]) {
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = i >> k & 1 ? half[k] : -half[k];
        add_placed(box, t, p);
    }
}

static bool mesh_box(const gz_lint_context *c, const gz_lint_geometry *g, gz_lint_box *box) {
    const gz_soup *soup = g->mesh >= 0 ? c->meshes[g->mesh].soup : NULL;
    if (!soup || g->over || (g->scale.text && !g->scale.valid)) return false;
    double scale[3];
    gz_lint_scale(g, scale);
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        const double *v = soup->vertices + 3 * (size_t)soup->triangles[i];
        add_placed(box, &g->origin.transform,
                   (double[3]){scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]});
    }
    return true;
}

bool gz_lint_geometry_box(const gz_lint_context *c, const gz_lint_geometry *g, gz_lint_box *box) {
    *box = gz_lint_box_empty();
    if (!g->known) return false;
    double half[3], r = g->radius.value[0], h = 0.5 * g->length.value[0];
    switch (g->kind) {
    case GRAZE_SHAPE_MESH:
        return mesh_box(c, g, box);
    case GRAZE_SHAPE_BOX:
        if (!g->size.valid) return false;
        for (int k = 0; k < 3; k++) half[k] = 0.5 * g->size.value[k];
        break;
    case GRAZE_SHAPE_SPHERE:
        if (!g->radius.valid) return false;
        half[0] = half[1] = half[2] = r;
        break;
    default:
        if (!g->radius.valid || !g->length.valid) return false;
        half[0] = half[1] = r;
        half[2] = g->kind == GRAZE_SHAPE_CAPSULE ? h + r : h;
    }
    add_corners(box, &g->origin.transform, half);
    return true;
}

bool gz_lint_link_box(const gz_lint_context *c, const gz_lint_link *link, gz_lint_use use,
                      gz_lint_box *box) {
    bool known = true;
    *box = gz_lint_box_empty();
    for (size_t i = 0; i < link->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[link->first_geometry + i];
        gz_lint_box own;
        if (!(use & (g->visual ? GZ_LINT_VISUAL : GZ_LINT_COLLISION))) continue;
        known &= gz_lint_geometry_box(c, g, &own);
        if (gz_lint_box_is_empty(&own)) continue;
        gz_lint_box_add(box, own.low);
        gz_lint_box_add(box, own.high);
    }
    return known;
}
