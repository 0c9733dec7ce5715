// Programs read Collada's <unit> and <up_axis> in different ways, and files are drawn for one of
// them. Which one shows in the robot: a joint lies in or near the links that it joins, unless their
// meshes are turned or scaled by another rule than their author's. Boxes tell that well enough.
#include "load/urdf/profile_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "robot/robot.h"

// Below this nobody sees the difference, m; as lint rule A006.
#define SAME_PLACE 1e-4
// A better fit is worth another profile from here on, m.
#define WORTH 1e-3

static const char *const names[GZ_PROFILES] = {"ros", "spec", "moveit"};

static gz_fit_box empty_box(void) {
    return (gz_fit_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void add_points(gz_fit_box *box, const double *points, size_t count) {
    double low[3], high[3];
    memcpy(low, box->low, sizeof low);
    memcpy(high, box->high, sizeof high);
    for (const double *p = points; p < points + 3 * count; p += 3) {
        for (int k = 0; k < 3; k++) {
            low[k] = low[k] < p[k] ? low[k] : p[k];
            high[k] = high[k] > p[k] ? high[k] : p[k];
        }
    }
    memcpy(box->low, low, sizeof low);
    memcpy(box->high, high, sizeof high);
}

static void add_corners(gz_fit_box *box, const graze_transform *pose, const gz_fit_box *of) {
    if (!(of->low[0] <= of->high[0])) return;
    for (int i = 0; i < 8; i++) {
        const graze_vec3 corner = {i & 1 ? of->high[0] : of->low[0],
                                   i & 2 ? of->high[1] : of->low[1],
                                   i & 4 ? of->high[2] : of->low[2]};
        graze_vec3 p = graze_transform_point(pose, corner);
        add_points(box, (double[3]){p.x, p.y, p.z}, 1);
    }
}

static gz_fit_box shape_box(const gz_geometry_input *input) {
    double half[3] = {input->radius, input->radius, input->radius};
    if (input->shape == GRAZE_SHAPE_BOX)
        for (int k = 0; k < 3; k++) half[k] = 0.5 * input->size[k];
    else if (input->shape != GRAZE_SHAPE_SPHERE)
        half[2] = 0.5 * input->length + (input->shape == GRAZE_SHAPE_CAPSULE ? input->radius : 0);
    return (gz_fit_box){{-half[0], -half[1], -half[2]}, {half[0], half[1], half[2]}};
}

/// A point as one profile places it, as another does: out of the file's axes, and in again.
static void replace(double p[3], graze_collada from, graze_collada to, const gz_soup *soup,
                    const double scale[3]) {
    double q[3] = {p[0] / scale[0], p[1] / scale[1], p[2] / scale[2]};
    double unit = (to == GRAZE_COLLADA_MOVEIT ? 1 : soup->unit) /
                  (from == GRAZE_COLLADA_MOVEIT ? 1 : soup->unit);
    bool turned = from == GRAZE_COLLADA_SPEC, turns = to == GRAZE_COLLADA_SPEC;
    double f[3] = {q[0], q[1], q[2]}, out[3];
    if (turned && soup->up == 'y') f[1] = q[2], f[2] = -q[1];               // back from x, -z, y
    if (turned && soup->up == 'x') f[0] = q[2], f[1] = -q[0], f[2] = -q[1]; // from -y, -z, x
    out[0] = f[0], out[1] = f[1], out[2] = f[2];
    if (turns && soup->up == 'y') out[1] = -f[2], out[2] = f[1];
    if (turns && soup->up == 'x') out[0] = -f[1], out[1] = -f[2], out[2] = f[0];
    for (int k = 0; k < 3; k++) p[k] = unit * out[k] * scale[k];
}

/// The boxes of a mesh by all profiles; those that place it elsewhere are counted.
static void mesh_boxes(gz_profile_fit *fit, const gz_geometry_input *input,
                       gz_fit_box boxes[GZ_PROFILES]) {
    const gz_soup *soup = input->soup; // of whose vertices triangles use all
    const bool claims = soup->unit > 0 && (soup->unit != 1 || soup->up != 'z');
    gz_fit_box as_read = empty_box();
    add_points(&as_read, soup->vertices, soup->vertex_count);
    for (int k = 0; k < GZ_PROFILES; k++) {
        boxes[k] = as_read;
        if (!claims || (graze_collada)k == fit->profile) continue;
        double moved = 0;
        boxes[k] = empty_box();
        for (size_t i = 0; i < soup->vertex_count; i++) {
            const double *v = soup->vertices + 3 * i;
            double p[3] = {v[0], v[1], v[2]};
            replace(p, fit->profile, (graze_collada)k, soup, input->scale);
            moved = fmax(moved, hypot(hypot(p[0] - v[0], p[1] - v[1]), p[2] - v[2]));
            add_points(&boxes[k], p, 1);
        }
        fit->meshes[k] += moved > SAME_PLACE;
        fit->moved[k] = fmax(fit->moved[k], moved);
    }
}

bool gz_profile_fit_add(gz_profile_fit *fit, const gz_geometry_input *input) {
    gz_fit_box boxes[GZ_PROFILES];
    size_t link = (size_t)input->link;
    if (input->shape == GRAZE_SHAPE_MESH && !input->soup) return true;
    if (!GZ_RESERVE(fit->links, fit->capacity, link + 1)) return false;
    for (; fit->count <= link; fit->count++)
        for (int k = 0; k < GZ_PROFILES; k++) fit->links[fit->count][k] = empty_box();
    if (input->soup)
        mesh_boxes(fit, input, boxes);
    else
        boxes[0] = boxes[1] = boxes[2] = shape_box(input);
    for (int k = 0; k < GZ_PROFILES; k++)
        add_corners(&fit->links[link][k], &input->origin, &boxes[k]);
    return true;
}

/// How far a point is from the box of a link; below 0 where the link has none.
static double distance(const gz_profile_fit *fit, int32_t link, int profile, graze_vec3 point) {
    if (link < 0 || (size_t)link >= fit->count) return -1;
    const gz_fit_box *box = &fit->links[link][profile];
    const double p[3] = {point.x, point.y, point.z};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(0, fmax(box->low[k] - p[k], p[k] - box->high[k]));
        sum += d * d;
    }
    return box->low[0] <= box->high[0] ? sqrt(sum) : -1;
}

/// The mean over the ends of all joints whose links have collision geometry.
static double mean_distance(const gz_profile_fit *fit, const graze_robot *robot, int profile) {
    double sum = 0;
    size_t ends = 0;
    for (int32_t i = 0; i < robot->joint_count; i++) {
        const graze_joint_info *joint = &robot->joints[i].info;
        const double d[2] = {
            distance(fit, joint->parent, profile,
                     (graze_vec3){joint->origin.m[3], joint->origin.m[7], joint->origin.m[11]}),
            distance(fit, joint->child, profile, (graze_vec3){0, 0, 0})};
        for (int k = 0; k < 2; k++) {
            if (d[k] < 0) continue;
            sum += d[k];
            ends++;
        }
    }
    return ends > 0 ? sum / (double)ends : 0;
}

graze_collada gz_profile_fit_measure(gz_profile_fit *fit, graze_robot *robot) {
    int own = (int)fit->profile, best = own, other = -1;
    for (int k = 0; k < GZ_PROFILES; k++)
        if (k != own && (other < 0 || fit->meshes[k] > fit->meshes[other])) other = k;
    if (fit->meshes[other] == 0) return fit->profile;
    for (int k = 0; k < GZ_PROFILES; k++) fit->apart[k] = mean_distance(fit, robot, k);
    for (int k = 0; k < GZ_PROFILES; k++)
        if (fit->apart[k] < 0.5 * fit->apart[own] && fit->apart[own] - fit->apart[k] > WORTH &&
            (best == own || fit->apart[k] < fit->apart[best]))
            best = k;
    char verdict[160] = "its joints do not tell which of them fits";
    bool fits = best != own || fit->apart[own] < 0.5 * fit->apart[other];
    if (fits)
        snprintf(
            verdict, sizeof verdict,
            "the links fit their joints by %s (which are %.3g m from their boxes in the mean by "
            "ros, %.3g by spec, %.3g by moveit)",
            names[best], fit->apart[0], fit->apart[1], fit->apart[2]);
    gz_warn(
        &robot->warnings, "collada-profile",
        (gz_place){.file = robot->file ? robot->file : "", .line = 1},
        "Collada profile %s would place %zu collision mesh%s up to %.3g m elsewhere than %s; %s",
        names[other], fit->meshes[other], fit->meshes[other] == 1 ? "" : "es", fit->moved[other],
        names[own], verdict);
    return (graze_collada)best;
}

void gz_profile_fit_free(gz_profile_fit *fit) {
    gz_free(fit->links);
    *fit = (gz_profile_fit){0};
}
