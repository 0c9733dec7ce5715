// A planar arm: where its joints are, and the constraints of its links by its angles.

#include "base/error.h"
#include "base/float_environment.h"
#include "math/trigonometry.h"
#include "planar/smooth/smooth_internal.h"

static graze_status check_arm(const graze_planar_arm *arm, const double *q, graze_error *error) {
    if (!arm || !q || !arm->lengths) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !arm ? "arm"
                       : !q ? "q"
                            : "arm->lengths");
    }
    if (arm->link_count < 1 || arm->link_count > GRAZE_PLANAR_LINK_MAX) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the arm has %d links; allowed: 1 to %d",
                       (int)arm->link_count, GRAZE_PLANAR_LINK_MAX);
    }
    graze_status status = gz_smooth_check_point("the arm's base", arm->base, error);
    double angle = 0;
    for (int32_t i = 0; i < arm->link_count && !status; i++) {
        angle += q[i];
        if (!(fabs(angle) <= GZ_ANGLE_MAX)) {
            status = gz_fail(error, GRAZE_ERROR_RANGE,
                             "the angles up to joint %d sum to %g; allowed: magnitude at most 2^20",
                             (int)i, angle);
        } else {
            status = gz_smooth_check("a link's length", arm->lengths[i], 0, error);
        }
    }
    return status;
}

/// Reaches of 64 links of 2^100 stay far inside the doubles, whatever check_point() says of them.
static void find_points(const graze_planar_arm *arm, const double *q, int32_t count,
                        graze_vec2 *points) {
    double angle = 0;
    points[0] = arm->base;
    for (int32_t i = 0; i < count; i++) {
        double sine, cosine;
        angle += q[i];
        gz_sine_cosine(angle, &sine, &cosine);
        points[i + 1] = gz_vec2_add_scaled(points[i], arm->lengths[i], (graze_vec2){cosine, sine});
    }
}

graze_status graze_planar_arm_points(const graze_planar_arm *arm, const double *q,
                                     graze_vec2 *points, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!points) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "points is NULL; allowed: a place");
    graze_status status = check_arm(arm, q, error);
    if (status) return status;
    find_points(arm, q, arm->link_count, points);
    return GRAZE_OK;
}

/// Turning at joint j moves a point behind it across its distance from the joint.
static double turned(graze_vec2 gradient, graze_vec2 point, graze_vec2 joint) {
    return gradient.y * (point.x - joint.x) - gradient.x * (point.y - joint.y);
}

graze_status graze_planar_arm_constraint(const graze_planar_arm *arm, const double *q, int32_t link,
                                         graze_planar_relation relation, graze_vec2 center,
                                         double radius, double margin,
                                         const graze_planar_smoothing *smoothing,
                                         graze_planar_constraint *out, double *gradient,
                                         graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL; allowed: a place");
    *out = (graze_planar_constraint){0};
    graze_status status = check_arm(arm, q, error);
    if (!status) {
        status = gz_constraint_check(relation, center, radius, margin, smoothing, error);
    }
    if (status) return status;
    if (link < 0 || link >= arm->link_count) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "link is %d; allowed: 0 to %d", (int)link,
                       (int)arm->link_count - 1);
    }
    graze_vec2 points[GRAZE_PLANAR_LINK_MAX + 1];
    find_points(arm, q, link + 1, points);
    graze_vec2 a = points[link], b = points[link + 1];
    gz_segment_constraint(relation, a, b, center, radius, margin, smoothing, out);
    for (int32_t j = 0; gradient && j < arm->link_count; j++) {
        gradient[j] = j > link ? 0
                               : turned(out->whole.by_a, a, points[j]) +
                                     turned(out->whole.by_b, b, points[j]);
    }
    return GRAZE_OK;
}
