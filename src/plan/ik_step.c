// Damped least squares: one descent to a pose, after Levenberg and Marquardt. The damping is the
// squared error itself, so that far steps are short and safe in singular configurations, and the
// last ones are those of Newton's method: Sugihara (2011), equation 21.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "plan/ik_internal.h"

enum { PATIENCE = 10 }; ///< steps without gain that end a descent

/// The rotation vector of a rotation matrix, its length the angle in [0, pi].
static void rotation_vector(const double m[9], double v[3]) {
    v[0] = 0.5 * (m[7] - m[5]);
    v[1] = 0.5 * (m[2] - m[6]);
    v[2] = 0.5 * (m[3] - m[1]);
    double sine = gz_norm(v), cosine = 0.5 * (m[0] + m[4] + m[8] - 1);
    if (sine > 1e-7 || cosine > 0) {
        double angle = gz_vector_angle(sine, cosine), scale = sine > 0 ? angle / sine : 1;
        for (int i = 0; i < 3; i++) v[i] *= scale;
        return;
    }
    // About half a turn: the axis is the direction of the greatest column of m + 1.
    int k = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
    for (int i = 0; i < 3; i++) v[i] = m[3 * i + k] + m[3 * k + i] + (i == k ? 2 : 0);
    double length = gz_norm(v);
    for (int i = 0; i < 3; i++) v[i] *= GZ_PI / length;
}

/// The error of ik->q: what is missing to the pose, velocity above angular velocity, world axes.
static graze_status measure(gz_ik *ik, double e[6], double frame[12], graze_error *error) {
    GZ_TRY(graze_robot_pose(ik->robot, ik->q, ik->n, ik->base, ik->links, error));
    const double *t = ik->target.m;
    memcpy(frame, ik->links[ik->link].m, 12 * sizeof *frame);
    if (ik->options.frame) gz_transform_compose(ik->links[ik->link].m, ik->options.frame->m, frame);
    for (int i = 0; i < 3; i++) e[i] = t[4 * i + 3] - frame[4 * i + 3];
    double turn[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turn[3 * i + k] = t[4 * i] * frame[4 * k] + t[4 * i + 1] * frame[4 * k + 1] +
                              t[4 * i + 2] * frame[4 * k + 2];
    rotation_vector(turn, e + 3);
    if (ik->options.position_only) memset(e + 3, 0, 3 * sizeof *e);
    return GRAZE_OK;
}

/// Solves a x = b for a symmetric positive definite matrix of 6 rows, by Cholesky's method in
/// place; false where it is none.
static bool solve_symmetric(double a[6][6], const double b[6], double x[6]) {
    for (int j = 0; j < 6; j++) {
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 0)) return false;
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < 6; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < 6; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
    return true;
}

/// Whether a step would push a column that is at its limit beyond it.
static bool is_blocked(const gz_ik *ik, const gz_ik_column *c) {
    double v = ik->q[c->column], d = ik->step[c->column];
    return c->kind == GRAZE_Q_LINE && ((v <= c->low && d < 0) || (v >= c->high && d > 0));
}

/// The step J^T (J J^T + damping)^-1 e of the columns that no limit blocks. A blocked column gets
/// no part in it: it is left out, and the rest solved again. False where there is none.
static bool find_step(gz_ik *ik, const double e[6], double damping) {
    size_t n = ik->n, blocked;
    do {
        double a[6][6] = {{0}}, y[6];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k <= i; k++)
                for (size_t c = 0; c < ik->count; c++) {
                    size_t at = (size_t)ik->columns[c].column;
                    a[i][k] += ik->jacobian[(size_t)i * n + at] * ik->jacobian[(size_t)k * n + at];
                }
        for (int i = 0; i < 6; i++) a[i][i] += damping;
        if (!solve_symmetric(a, e, y)) return false;
        blocked = 0;
        for (size_t c = 0; c < ik->count; c++) {
            size_t at = (size_t)ik->columns[c].column;
            ik->step[at] = 0;
            for (size_t i = 0; i < 6; i++) ik->step[at] += ik->jacobian[i * n + at] * y[i];
            if (!is_blocked(ik, &ik->columns[c])) continue;
            for (size_t i = 0; i < 6; i++) ik->jacobian[i * n + at] = 0;
            blocked++;
        }
    } while (blocked);
    return true;
}

/// Moves ik->q by the step, no column by more than one radian or metre, within the limits.
static void apply_step(gz_ik *ik) {
    double most = 0;
    for (size_t c = 0; c < ik->count; c++) most = fmax(most, fabs(ik->step[ik->columns[c].column]));
    double scale = most > 1 ? 1 / most : 1;
    for (size_t c = 0; c < ik->count; c++) {
        const gz_ik_column *column = &ik->columns[c];
        double *v = &ik->q[column->column];
        *v += scale * ik->step[column->column];
        if (column->kind == GRAZE_Q_LINE) *v = fmin(fmax(*v, column->low), column->high);
    }
    graze_robot_wrap(ik->robot, ik->q, ik->n, NULL); // circles and quaternions stay in range
}

bool gz_ik_is_reached(const gz_ik *ik, const gz_ik_residual *residual) {
    return residual->position <= ik->options.position_tolerance &&
           residual->angle <= ik->options.angle_tolerance;
}

graze_status gz_ik_descend(gz_ik *ik, gz_ik_residual *residual, uint64_t *iterations,
                           graze_error *error) {
    double least = INFINITY, goal = INFINITY;
    uint32_t waiting = 0;
    for (uint32_t k = 0;; k++) {
        double e[6], frame[12], square = 0;
        GZ_TRY(measure(ik, e, frame, error));
        for (int i = 0; i < 6; i++) square += e[i] * e[i];
        if (square < least) {
            least = square;
            memcpy(ik->best, ik->q, ik->n * sizeof *ik->q);
            *residual = (gz_ik_residual){gz_norm(e), gz_norm(e + 3)};
            if (gz_ik_is_reached(ik, residual)) break;
        }
        waiting = square < 0.9 * goal ? 0 : waiting + 1;
        if (waiting == 0) goal = square;
        if (waiting >= PATIENCE || k >= ik->options.iterations) break;
        graze_vec3 point = {frame[3], frame[7], frame[11]};
        GZ_TRY(graze_robot_jacobian(ik->robot, ik->links, ik->q, ik->n, ik->link, &point,
                                    ik->jacobian, error));
        if (ik->options.position_only)
            memset(ik->jacobian + 3 * ik->n, 0, 3 * ik->n * sizeof *ik->jacobian);
        ++*iterations;
        if (!find_step(ik, e, 0.5 * square + 1e-12)) break;
        apply_step(ik);
    }
    memcpy(ik->q, ik->best, ik->n * sizeof *ik->q);
    return GRAZE_OK;
}
