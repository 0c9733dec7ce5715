// Two posed meshes without a robot: the public question, answered by the same narrow phase.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "math/transform.h"
#include "narrow/shape_pair.h"

/// The largest magnitude of a snapped coordinate, or a lower number where that is surely in range.
static double snapped_reach(const graze_mesh *mesh, const double pose[12]) {
    double far = fmax(fabs(pose[3]), fmax(fabs(pose[7]), fabs(pose[11])));
    if (far + 1.7320508075688774 * mesh->max_abs * (1 + 1e-8) <= GZ_COORDINATE_MAX) return 0;
    double worst = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        gz_snap(pose, mesh->vertices + 3 * i, p);
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(p[k]));
    }
    return worst;
}

static graze_status check_pose(const graze_mesh *mesh, const double pose[12], const char *which,
                               graze_error *error) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(pose[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE, "pose of mesh %s has %g; allowed: finite",
                           which, pose[i]);
    if (!gz_transform_is_rigid(pose, 1e-9))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "pose of mesh %s is not rigid; allowed: R^T R = I up to 1e-9, det R > 0",
                       which);
    double worst = snapped_reach(mesh, pose);
    if (worst > GZ_COORDINATE_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "mesh %s reaches %g m from the origin; allowed: at most 2^20 m", which,
                       worst);
    return GRAZE_OK;
}

graze_status graze_meshes_overlap(const graze_mesh *a, const double pose_a[12], const graze_mesh *b,
                                  const double pose_b[12], graze_policy policy,
                                  graze_mesh_overlap *result, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!a || !b || !pose_a || !pose_b || !result)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "a mesh, a pose or result is NULL");
    *result = (graze_mesh_overlap){.overlap = true, .triangle_a = -1, .triangle_b = -1};
    if (policy != GRAZE_POLICY_SOLID && policy != GRAZE_POLICY_SURFACE &&
        policy != GRAZE_POLICY_CAP)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "policy is not one of the enumerators");
    graze_status status = check_pose(a, pose_a, "a", error);
    if (status == GRAZE_OK) status = check_pose(b, pose_b, "b", error);
    if (status) return status;
    // The shapes borrow the meshes: nothing here writes to them or frees them.
    gz_shape shape_a = {.kind = GRAZE_SHAPE_MESH, .mesh = (graze_mesh *)(uintptr_t)a};
    gz_shape shape_b = {.kind = GRAZE_SHAPE_MESH, .mesh = (graze_mesh *)(uintptr_t)b};
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = policy,
                          .policy_b = policy,
                          .witness = true,
                          .place = true};
    gz_shape_contact meeting;
    graze_stats stats = {0};
    result->overlap = gz_shapes_collide(&shape_a, pose_a, &shape_b, pose_b, &rule, &meeting,
                                        &stats);
    if (result->overlap) {
        result->contained = meeting.contained;
        result->triangle_a = meeting.triangle_a;
        result->triangle_b = meeting.triangle_b;
        for (int k = 0; k < 3; k++) {
            result->segment[k] = meeting.has_segment ? meeting.segment[0][k] : meeting.point[k];
            result->segment[3 + k] = meeting.has_segment ? meeting.segment[1][k] : meeting.point[k];
        }
    }
    gz_error_clear(error);
    return GRAZE_OK;
}
