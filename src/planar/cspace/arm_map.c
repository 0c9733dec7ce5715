// Configuration space of a planar arm over two of its joints: a map that tests every cell, and, for
// a link that rotates about one end, the angles at which it hits a disk in closed form.

#include "base/error.h"
#include "base/float_environment.h"
#include "math/trigonometry.h"
#include "planar/cspace/cspace_internal.h"
#include "planar/smooth/smooth_internal.h"

#define ANGLE_MAX 0x1p10

static graze_status check_disk(const graze_planar_disk *disk, graze_error *error) {
    graze_status status = gz_smooth_check_point("the disk's centre", disk->center, error);
    return status ? status : gz_smooth_check("the disk's radius", disk->radius, 0, error);
}

// ---------------------------------------------------------------------------------------- the map

/// The least distance of a link from a disk, less its radius.
static double arm_clearance(const graze_planar_arm *arm, const double *q,
                            const graze_planar_disk *disks, size_t disk_count) {
    double least = INFINITY;
    graze_vec2 points[GRAZE_PLANAR_LINK_MAX + 1];
    gz_arm_points(arm, q, arm->link_count, points);
    for (int32_t i = 0; i < arm->link_count; i++) {
        for (size_t k = 0; k < disk_count; k++) {
            graze_planar_segment_range range;
            gz_segment_range(points[i], points[i + 1], disks[k].center, NULL, &range);
            least = fmin(least, range.least.value - disks[k].radius);
        }
    }
    return least;
}

/// The error of a clearance, u = 2^-53. Of n links with lengths that sum to L: an angle is a sum of
/// up to n numbers and so off by at most n u sum |q|; its sine and cosine by 2 u more, the product
/// with the length by u: every link's end moves by at most (n sum |q| + 3) sqrt(2) u of its length
/// against its start. Adding it rounds by u of the largest coordinate met, c <= |base| + L, each:
/// 2 n u c. The distance of a point to the rounded segment takes differences of coordinates up to
/// m = c + |centre| (u m sqrt(2) for each of two), the projection (off by 8 u, times a length up to
/// 2 m, but across the segment only to second order; counted in full), the hypotenuse and the
/// radius' difference (2 u (m + R)): below 24 u (m + R).
static double clearance_error(const graze_planar_arm *arm, double angles,
                              const graze_planar_disk *disks, size_t disk_count) {
    double length = 0, n = (double)arm->link_count, largest = 0;
    for (int32_t i = 0; i < arm->link_count; i++) length += arm->lengths[i];
    for (size_t k = 0; k < disk_count; k++)
        largest = fmax(largest, hypot(disks[k].center.x, disks[k].center.y) + disks[k].radius);
    double far = hypot(arm->base.x, arm->base.y) + length;
    double sum = 2 * length * (n * angles + 3) + 2 * n * far + 24 * (far + largest);
    return 0x1p-53 * sum * (1 + 0x1p-20); // its own rounding
}

static graze_status check_map(const graze_planar_arm *arm, const double *q, const int32_t joints[2],
                              const graze_planar_disk *disks, size_t disk_count,
                              const graze_planar_grid *grid, double full[GRAZE_PLANAR_LINK_MAX],
                              graze_error *error) {
    graze_status status = gz_grid_check(grid, ANGLE_MAX, error);
    if (status) return status;
    if (arm->link_count < 2 || arm->link_count > GRAZE_PLANAR_LINK_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the arm has %d links; allowed: 2 to %d",
                       (int)arm->link_count, GRAZE_PLANAR_LINK_MAX);
    if (joints[0] < 0 || joints[1] < 0 || joints[0] >= arm->link_count ||
        joints[1] >= arm->link_count || joints[0] == joints[1]) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the joints are %d and %d; allowed: two different ones of 0 to %d",
                       (int)joints[0], (int)joints[1], (int)arm->link_count - 1);
    }
    for (int32_t i = 0; i < arm->link_count; i++) {
        full[i] = i == joints[0] || i == joints[1] ? 0 : q[i];
        if (!(fabs(full[i]) <= ANGLE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "angle %d is %g; allowed: magnitude at most 2^10", (int)i, full[i]);
    }
    graze_vec2 points[GRAZE_PLANAR_LINK_MAX + 1];
    status = graze_planar_arm_points(arm, full, points, error);
    for (size_t k = 0; k < disk_count && !status; k++) status = check_disk(&disks[k], error);
    return status;
}

graze_status graze_planar_arm_map(const graze_planar_arm *arm, const double *q,
                                  const int32_t joints[2], const graze_planar_disk *disks,
                                  size_t disk_count, const graze_planar_grid *grid, uint8_t *cells,
                                  double *clearance, double *error_bound, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!arm || !q || !joints || (!disks && disk_count > 0) || !grid || !cells || !arm->lengths)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "an argument is NULL; allowed: only clearance and error_bound");
    double full[GRAZE_PLANAR_LINK_MAX];
    graze_status status = check_map(arm, q, joints, disks, disk_count, grid, full, error);
    if (status) return status;
    double angles = fmax(fabs(grid->min.x), fabs(grid->max.x)) +
                    fmax(fabs(grid->min.y), fabs(grid->max.y));
    for (int32_t i = 0; i < arm->link_count; i++) angles += fabs(full[i]);
    double bound = clearance_error(arm, angles, disks, disk_count);
    if (error_bound) *error_bound = bound;
    for (int32_t row = 0; row < grid->rows; row++) {
        for (int32_t column = 0; column < grid->columns; column++) {
            graze_vec2 at = graze_planar_grid_middle(grid, column, row);
            full[joints[0]] = at.x;
            full[joints[1]] = at.y;
            double gap = arm_clearance(arm, full, disks, disk_count);
            *cells++ = gap > bound    ? GRAZE_PLANAR_CELL_FREE
                       : gap < -bound ? GRAZE_PLANAR_CELL_BLOCKED
                                      : GRAZE_PLANAR_CELL_OPEN;
            if (clearance) *clearance++ = gap;
        }
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------ closed form

/// Half the range of angles, against the direction of the centre, at which a segment of that length
/// about the origin meets a disk of radius r at distance rho; -1 for none. Falls with rho.
static double half_range(double rho, double length, double r) {
    if (rho <= r) return GZ_PI;
    // In units of a power of two above rho, which changes no digit: squares of the smallest vanish.
    int unit;
    rho = frexp(rho, &unit);
    length = ldexp(length, -unit);
    r = ldexp(r, -unit);
    double tangent = (rho - r) * (rho + r); // the square of the way to the tangent's point
    if (length * length >= tangent) return asin(r / rho);
    if (length < rho - r) return -1;
    // The triangle's angle between rho and length, by its half: no cosine next to 1 is inverted.
    double across = (r - (rho - length)) * (r + (rho - length));
    double along = (rho + length - r) * (rho + length + r);
    return 2 * atan2(sqrt(fmax(across, 0)), sqrt(along));
}

/// The range for a pivot that is off by at most pivot_error. rho is off by that, by the rounding of
/// its differences and of its hypotenuse (below 4 u of the coordinates), and as much again stands
/// for the rounding inside half_range(): differences of rho, length and r there are off by at most
/// 4 u of their sum, which is what moving rho by as much does. As the half width falls with rho,
/// its values at both ends of the range of rho enclose it. To that comes what the functions of the
/// C library round, and how far the direction of the centre is off: asin(delta / rho), at most
/// delta / rho pi / 2.
static graze_planar_angle_range turning_range(graze_vec2 pivot, double pivot_error, double length,
                                              const graze_planar_disk *disk) {
    graze_vec2 v = gz_vec2_minus(disk->center, pivot);
    double r = disk->radius, rho = hypot(v.x, v.y);
    double size = fabs(pivot.x) + fabs(pivot.y) + fabs(disk->center.x) + fabs(disk->center.y);
    double delta = 2 * pivot_error + 0x1p-50 * (size + rho + length + r);
    double turn = rho > delta ? GZ_PI / 2 * (delta / rho) : GZ_TWO_PI;
    double slack = 0x1p-48 + turn;
    graze_planar_angle_range range = {.middle = atan2(v.y, v.x)};
    double most = half_range(rho - delta, length, r), least = half_range(rho + delta, length, r);
    range.half_most = most < 0 ? -1 : most + slack;
    // Blocked all around is so wherever the direction is.
    range.half_least = least >= GZ_PI ? GZ_TWO_PI : least < 0 ? -1 : least - slack;
    return range;
}

graze_status graze_planar_turning_range(graze_vec2 pivot, double pivot_error, double length,
                                        const graze_planar_disk *disk,
                                        graze_planar_angle_range *range, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!disk || !range)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !disk ? "disk" : "range");
    graze_status status = gz_smooth_check_point("the pivot", pivot, error);
    if (!status) status = gz_smooth_check("the pivot's error", pivot_error, 0, error);
    if (!status) status = gz_smooth_check("the length", length, 0, error);
    if (!status) status = check_disk(disk, error);
    if (status) return status;
    *range = turning_range(pivot, pivot_error, length, disk);
    return GRAZE_OK;
}

graze_status graze_planar_two_link_column(const graze_planar_arm *arm, double q0,
                                          const graze_planar_disk *disk,
                                          graze_planar_angle_range *shoulder,
                                          graze_planar_angle_range *elbow, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!arm || !disk || !shoulder || !elbow) return gz_planar_fail_null(error);
    if (arm->link_count != 2 || !(fabs(q0) <= ANGLE_MAX))
        return gz_fail(
            error, arm->link_count != 2 ? GRAZE_ERROR_ARGUMENT : GRAZE_ERROR_RANGE,
            "the arm has %d links and its first angle is %g; allowed: 2, and a magnitude "
            "of at most 2^10",
            (int)arm->link_count, q0);
    double q[2] = {q0, 0};
    graze_vec2 points[3];
    graze_status status = graze_planar_arm_points(arm, q, points, error);
    if (!status) status = check_disk(disk, error);
    if (status) return status;
    *shoulder = turning_range(points[0], 0, arm->lengths[0], disk);
    // The elbow: sine and cosine are off by 2 u, the product by u, the sum by u of the result.
    double off = 0x1p-50 * (arm->lengths[0] + fabs(points[1].x) + fabs(points[1].y));
    *elbow = turning_range(points[1], off, arm->lengths[1], disk);
    // Against the first link's direction; that difference is rounded by u of either.
    double middle = elbow->middle - q0;
    elbow->middle = middle - GZ_TWO_PI * round(middle / GZ_TWO_PI);
    double slack = 0x1p-50 * (fabs(q0) + 4);
    if (elbow->half_most >= 0) elbow->half_most += slack;
    elbow->half_least -= slack;
    return GRAZE_OK;
}

uint8_t graze_planar_angle_range_judge(const graze_planar_angle_range *range, double angle) {
    GZ_FLOAT_ENVIRONMENT;
    if (!range) return GRAZE_PLANAR_CELL_OPEN;
    if (range->half_most < 0) return GRAZE_PLANAR_CELL_FREE;
    // How far apart the angles are, all around. The multiple of 2 pi is off by its number of turns,
    // at most 2^8, times 2^-50, and the rest by roundings of numbers up to 2^10.
    double away = fabs(angle - range->middle);
    away = fabs(away - GZ_TWO_PI * round(away / GZ_TWO_PI));
    double slack = 0x1p-50 * (fabs(angle) + 4);
    if (away < range->half_least - slack) return GRAZE_PLANAR_CELL_BLOCKED;
    if (away > range->half_most + slack) return GRAZE_PLANAR_CELL_FREE;
    return GRAZE_PLANAR_CELL_OPEN;
}
