// Let q go from the middle c of a box to any other place in it, one joint at a time. A step turns
// all that is beyond one joint by an angle of at most t about its axis, or slides it by at most t,
// and changes nothing else. Seen from a, all points of b move, by no more than min(t, 2) times
// their distance from the axis, or by t; seen from b, those of a do. The distance of the two
// changes by no more than the lesser, as it does not matter from where it is seen.
//
// How far the points of b are from the axis of joint i, does only depend on the joints between i
// and b; those of a on the joints between a and i. The order of the steps is free. Count joints
// from a to b, 1 to n, and choose k: move joints k, k-1, ..., 1 first, each with all joints between
// a and itself still where they are in c, then k+1, ..., n, each with all joints between itself and
// b still as in c. So every distance from an axis is one in c, where the pair is posed:
//
//     change <= min over k of  sum_{i<=k} t_i A_i + sum_{i>k} t_i B_i,
//
// A_i and B_i the most that a point of a, of b, is away from the axis of joint i in c; 1 for a
// slide. Nothing is lost to how far the links could be elsewhere, as with bounds that hold for all
// of the joints' range (Schwarzer, Saha and Latombe 2005, section 4). A mimic joint is a joint of
// its own: distances depend on the pose alone, and the bound holds for joints that move as they
// please.
//
// What is computed in doubles stands for real numbers so:
//
// - Poses are off from real ones by rotations of at most E (gz_pose_error.rotation of both bodies,
//   which grows along the tree) and points by at most epsilon. A distance from an axis: the point
//   epsilon, the axis's own point epsilon, its direction E times the way between the two; doubled
//   for what is of second order.
// - Origins of joints as stored are rotations but for gz_pose_error.stretch: s bounds how they
//   lengthen and shorten. A chord in a joint's frame is at most s times as long in the world; the
//   distance of two sets, seen from another frame, is another by a factor of at most s. Over n
//   steps (both ways, a's and b's s multiplied) s^(2n+2) on the whole covers it.
// - A box's middle is rounded when boxes are split: proof boxes are wider by that (matrix_proof.c).
// - Posed bounds are off by gz_link_pad().
// - The verdict: FREE at margin m proves a real distance above m - epsilon; a snapped pair that is
//   really farther apart than epsilon does not collide (docs/contract.md); 4e-9 is what verdicts on
//   curved shapes leave open besides (narrow/curved.h).
#include "matrix/matrix_motion.h"

#include <math.h>

#include "math/transform.h"

#define SLACK 4e-9

bool gz_matrix_motion_known(const gz_matrix_probe *probe, const gz_matrix_pair *p) {
    if (p->unbounded || p->step_count > GZ_MATRIX_STEPS_MAX) return false;
    // Larger angles and slides than any robot has would eat into the slack.
    for (int32_t i = 0; i < p->variable_count; i++)
        if (!(fabs(p->variables[i].low) <= 1e3 && fabs(p->variables[i].high) <= 1e3)) return false;
    for (int32_t i = 0; i < p->step_count; i++)
        if (!(p->steps[i].rate <= 1e3)) return false;
    const graze_robot *r = probe->checker->robot;
    double stretch = r->bodies[r->links[p->a].body].error.stretch *
                     r->bodies[r->links[p->b].body].error.stretch;
    return isfinite(probe->checker->epsilon) && stretch <= 1 + 1e-6;
}

/// The most that a point of the link is away from the line through `on` along the unit vector
/// `axis`: no farther than the ball's, nor than the farthest corner of the box that holds it.
static double reach_of(gz_matrix_probe *probe, int32_t link, const double on[3],
                       const double axis[3]) {
    double from[3], cross[3];
    gz_subtract(probe->ws->centers[link], on, from);
    gz_cross(axis, from, cross);
    double ball = gz_norm(cross) + probe->checker->robot->links[link].sphere.radius;
    const graze_obb *box = gz_workspace_box(probe->ws, link);
    gz_subtract(GZ_ARRAY3(box->center), on, from);
    double middle[3], edges[3][3], most = 0;
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    gz_cross(axis, from, middle);
    for (int k = 0; k < 3; k++) gz_cross(axis, GZ_ARRAY3(box->axis[k]), edges[k]);
    for (int corner = 0; corner < 8; corner++) {
        double v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = middle[i];
            for (int k = 0; k < 3; k++)
                v[i] += (corner >> k & 1 ? half[k] : -half[k]) * edges[k][i];
        }
        most = fmax(most, gz_dot(v, v));
    }
    return fmin(ball, sqrt(most));
}

/// One step's share of the bound, seen from either link.
static void step_bounds(gz_matrix_probe *probe, const gz_matrix_pair *p, int32_t i,
                        const double *half, double *from_a, double *from_b) {
    const graze_robot *r = probe->checker->robot;
    const gz_matrix_step *s = &p->steps[i];
    double t = s->rate * half[s->variable];
    *from_a = *from_b = t;
    if (!s->turns) return;
    const double *pose = probe->ws->bodies[s->body];
    double axis[3], on[3] = {pose[3], pose[7], pose[11]};
    gz_transform_rotate(pose, r->bodies[s->body].axis, axis);
    double size = gz_norm(axis);
    for (int k = 0; k < 3; k++) axis[k] /= size;
    double turn = r->bodies[r->links[p->a].body].error.rotation +
                  r->bodies[r->links[p->b].body].error.rotation;
    const int32_t links[2] = {p->a, p->b};
    double chord = fmin(t, 2), *out[2] = {from_a, from_b};
    for (int k = 0; k < 2; k++) {
        double way[3];
        gz_subtract(probe->ws->centers[links[k]], on, way);
        double far = gz_norm(way) + r->links[links[k]].sphere.radius;
        double rounding = 4 * probe->checker->epsilon + 2 * turn * far +
                          gz_link_pad(&r->links[links[k]],
                                      gz_link_pose(probe->checker, probe->ws, links[k]));
        *out[k] = chord * (reach_of(probe, links[k], on, axis) + rounding);
    }
}

double gz_matrix_motion_bound(gz_matrix_probe *probe, const gz_matrix_pair *p, const double *half,
                              double *parts) {
    double from_a[GZ_MATRIX_STEPS_MAX], from_b[GZ_MATRIX_STEPS_MAX];
    int32_t n = p->step_count, best = 0;
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        step_bounds(probe, p, i, half, &from_a[i], &from_b[i]);
        sum += from_b[i];
    }
    // The best k: from all steps seen from a (k = 0: points of b move), one after the other turns.
    double least = sum;
    for (int32_t k = 1; k <= n; k++) {
        sum += from_a[k - 1] - from_b[k - 1];
        if (sum < least) least = sum, best = k;
    }
    for (int32_t v = 0; v < p->variable_count; v++) parts[v] = 0;
    double total = 0;
    for (int32_t i = 0; i < n; i++) {
        double part = i < best ? from_a[i] : from_b[i];
        parts[p->steps[i].variable] += part;
        total += part;
    }
    const graze_robot *r = probe->checker->robot;
    double stretch = r->bodies[r->links[p->a].body].error.stretch *
                     r->bodies[r->links[p->b].body].error.stretch;
    double whole = 1 + 0x1p-30; // for the rounding of these sums
    for (int32_t i = 0; i < 2 * n + 2; i++) whole *= stretch;
    return (total + 2 * probe->checker->epsilon + SLACK) * whole;
}
