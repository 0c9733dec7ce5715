#include "check/domain.h"

#include <math.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"

/// Magnitude of an unlimited slide's value up to which the lane filter speaks (lane_filter.c).
#define LANE_SLIDE_MAX 2.0

double graze_checker_epsilon(const graze_checker *checker) {
    return checker ? checker->epsilon : INFINITY;
}

/// How far any part of the robot can be from the base's origin where the lane filter speaks.
static bool bound_reach(graze_checker *c) {
    const graze_robot *r = c->robot;
    double *far = gz_malloc((size_t)r->body_count, sizeof *far);
    if (!far) return false;
    far[0] = 0;
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        double origin[3] = {b->origin[3], b->origin[7], b->origin[11]}, slide = 0;
        if (b->type == GRAZE_JOINT_PRISMATIC)
            slide = isfinite(b->value_max) ? b->value_max : LANE_SLIDE_MAX;
        far[i] = far[b->parent] + b->error.stretch * (gz_norm(origin) + slide);
        c->reach = fmax(c->reach, far[i]);
    }
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        double own = gz_norm(GZ_ARRAY3(l->sphere.center)) + l->sphere.radius;
        c->reach = fmax(c->reach, far[l->body] + r->bodies[l->body].error.stretch * own);
    }
    c->reach *= 1 + 0x1p-20; // for rounding
    gz_free(far);
    return true;
}

graze_status gz_domain_prepare(graze_checker *c, graze_error *error) {
    double domain = c->options.domain;
    if (!(domain > 0 && domain <= GZ_COORDINATE_MAX))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "domain is %g m; allowed: above 0 and at most 2^20 m", domain);
    if (isnan(c->robot_error)) c->robot_error = graze_robot_pose_error(c->robot, domain);
    double robot = c->robot_error;
    c->epsilon = robot + fmax(robot, graze_world_pose_error(c->world));
    if (c->has_margins && !isfinite(c->epsilon))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the error of a pose has no bound, so no margin can be held; allowed: "
                       "origins that are rotations, and margin 0");
    return bound_reach(c) ? GRAZE_OK : gz_fail_memory(error);
}

static graze_status fail_place(const char *what, const char *name, double most, double domain,
                               graze_error *error) {
    return gz_fail_at(
        error, GRAZE_ERROR_RANGE, (gz_place){.element = name},
        "%s '%s' reaches %g m from the world's origin; allowed with a margin above 0: "
        "at most the domain, %g m",
        what, name, most, domain);
}

/// Values of joints that the bound on the pose's error holds to their limits.
static const gz_body *body_beyond(const graze_robot *r, const double *q, double *value) {
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        if (!isfinite(b->value_max)) continue;
        *value = gz_pose_value(r, b->joint, q);
        if (!(fabs(*value) <= b->value_max)) return b;
    }
    return NULL;
}

graze_status gz_domain_check(const graze_checker *c, const graze_workspace *ws, const double *q,
                             graze_error *error) {
    if (!c->has_margins) return GRAZE_OK;
    const graze_robot *r = c->robot;
    double domain = c->options.domain, value;
    const gz_body *beyond = body_beyond(r, q, &value);
    if (beyond) {
        const char *name = r->joints[beyond->joint].info.name;
        return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = name},
                          "value of joint '%s' is %g; allowed with a margin above 0: magnitudes of "
                          "at most %g, its limits and 1 more",
                          name, value, beyond->value_max);
    }
    for (int32_t i = 0; i < r->body_count; i++) {
        double most = gz_transform_far(ws->bodies[i]);
        if (!(most <= domain))
            return fail_place(i ? "link" : "base", r->links[r->bodies[i].root_link].name, most,
                              domain, error);
    }
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        const double *p = ws->centers[c->links[i]];
        // The ball holds the snapped link but for what gz_pose_pad() and gz_link.pad say.
        double most = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) + l->sphere.radius;
        if (!(most <= domain)) return fail_place("link", l->name, most, domain, error);
    }
    return GRAZE_OK;
}

bool gz_domain_surely(const graze_checker *c, const double *q, const double base[12]) {
    if (!c->has_margins) return true;
    double value;
    return gz_transform_far(base) + c->reach <= c->options.domain &&
           !body_beyond(c->robot, q, &value);
}
