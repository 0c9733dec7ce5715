// S013: is the geometry of a link inside its neighbour, wherever the joint between them stands?

#include <math.h>
#include <string.h>

#include "lint/link_geometry.h"
#include "lint/self_collision.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/mesh.h"

/// Points looked at on each surface; so many may be outside; places of the joint over its range.
enum { POINTS = 64, MOST_OUTSIDE = 3, PLACES = 5 };

/// The turn by `angle` about a unit axis (Rodrigues), or the shift by `value` along it.
static graze_transform motion_of(const gz_lint_joint *j, double value) {
    graze_transform t = graze_transform_identity();
    double a[3] = {1, 0, 0}, sine, cosine;
    if (j->axis.valid) memcpy(a, j->axis.value, sizeof a);
    double length = gz_norm(a);
    if (!(length > 0)) return t;
    for (int k = 0; k < 3; k++) a[k] /= length;
    if (strcmp(j->type, "prismatic") == 0) {
        for (int k = 0; k < 3; k++) t.m[4 * k + 3] = value * a[k];
        return t;
    }
    gz_sine_cosine(value, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        for (int k = 0; k < 3; k++) t.m[4 * i + k] = (1 - cosine) * a[i] * a[k];
        t.m[4 * i + i] += cosine;
        t.m[4 * i + u] -= sine * a[v];
        t.m[4 * i + v] += sine * a[u];
    }
    return t;
}

/// Whether the limits of a joint are known, and what they are; a continuous one has a whole turn.
static bool range_of(const gz_lint_joint *j, double range[2]) {
    range[0] = range[1] = 0;
    if (strcmp(j->type, "fixed") == 0) return true;
    if (strcmp(j->type, "continuous") == 0) {
        range[1] = 2 * 3.14159265358979323846;
        return true;
    }
    if (strcmp(j->type, "revolute") != 0 && strcmp(j->type, "prismatic") != 0) return false;
    if (!j->lower.valid || !j->upper.valid || j->lower.value[0] > j->upper.value[0]) return false;
    range[0] = j->lower.value[0];
    range[1] = j->upper.value[0];
    return fabs(range[0]) <= GZ_ANGLE_MAX && fabs(range[1]) <= GZ_ANGLE_MAX;
}

/// Whether all but a few of the points, moved by `t`, are inside the mesh.
static bool are_inside(const graze_mesh *mesh, const double *points, size_t count,
                       const graze_transform *t) {
    size_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        double p[3];
        gz_transform_apply(t->m, points + 3 * i, p);
        outside += fabs(gz_surface_winding(mesh, p)) < 0.5;
        if (outside > MOST_OUTSIDE) return false;
    }
    return true;
}

/// Whether link `in` stays inside link `out`. @param down `in` is the child of the joint
static bool stays_inside(gz_lint_context *c, const gz_lint_joint *j, const gz_lint_link *in,
                         const gz_lint_link *out, bool down) {
    gz_soup *inner = NULL, *outer = NULL;
    graze_mesh *mesh = NULL;
    double points[3 * POINTS], range[2];
    gz_link_surface_make(&inner, c, in, GZ_LINT_COLLISION);
    if (inner) gz_link_surface_make(&outer, c, out, GZ_LINT_COLLISION);
    size_t count = outer ? gz_link_surface_sample(inner, points, POINTS) : 0;
    if (count) {
        graze_status status = gz_mesh_build(&mesh, outer, NULL, false, GZ_MESH_LINK, NULL);
        c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    }
    bool inside = mesh && range_of(j, range);
    for (int i = 0; inside && i < PLACES; i++) {
        graze_transform move = motion_of(j, range[0] + (range[1] - range[0]) * i / (PLACES - 1));
        graze_transform t = graze_transform_multiply(&j->origin.transform, &move);
        if (!down) t = graze_transform_inverse(&t);
        inside = are_inside(mesh, points, count, &t);
    }
    graze_mesh_free(mesh);
    gz_soup_free(inner);
    gz_soup_free(outer);
    return inside;
}

void gz_lint_check_dead(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->joint_count && !c->out_of_memory; i++) {
        const gz_lint_joint *j = &c->joints[i];
        if (j->parent_link < 0 || j->child_link < 0 || j->parent_link == j->child_link) continue;
        const gz_lint_link *parent = &c->links[j->parent_link], *child = &c->links[j->child_link];
        const gz_lint_link *in = NULL, *out = parent;
        if (stays_inside(c, j, child, parent, true)) in = child;
        if (!in && !c->out_of_memory && stays_inside(c, j, parent, child, false)) {
            in = parent;
            out = child;
        }
        if (!in || c->out_of_memory) continue;
        gz_lint_place place = {.element = in->element, .link = in->name, .joint = j->name};
        gz_lint_add(c, rule, place,
                    "link '%.100s' is inside link '%.100s' over the whole range of joint '%.100s'; "
                    "usual: some of it outside",
                    in->name, out->name, j->name);
    }
}
