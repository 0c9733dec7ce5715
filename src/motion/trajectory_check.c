// Is all of a trajectory free? Piece by piece, each by the search of motion_search.c over a
// parameter that goes from 0 to 1.
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/options.h"
#include "kinematics/forward_kinematics.h"
#include "motion/trajectory_internal.h"

/// A piece as seen from the group: what is linear has control points at even steps.
static void see_piece(graze_motion_workspace *m, const graze_trajectory *t, size_t piece,
                      gz_curve *q, gz_curve *base) {
    gz_trajectory_piece(t, piece, q, base);
    double begin = t->times[piece] - t->times[0], end = t->times[piece + 1] - t->times[0];
    m->times[0] = begin;
    m->times[1] = end;
    for (int i = 0; i <= base->degree; i++)
        gz_motion_seen_base(m, base->points + 6 * i, begin + i * (end - begin) / base->degree,
                            m->base_points + 6 * i);
    base->points = m->base_points;
}

/// Sets the edge of a workspace to a piece, and checks that it stays in the domain.
static graze_status set_piece(graze_motion_workspace *m, const graze_trajectory *t, size_t piece,
                              graze_error *error) {
    double bases[GRAZE_TRAJECTORY_DEGREE_MAX + 1][12];
    gz_curve q, base;
    see_piece(m, t, piece, &q, &base);
    size_t last = (size_t)t->degree;
    for (size_t i = 0; i <= last; i++)
        GZ_TRY(gz_motion_pose_base(m, base.points + 6 * i, bases[i], error));
    const double *ends[2] = {q.points, q.points + last * q.width};
    if (t->degree == 1) {
        gz_edge_set(&m->edge, ends[0], ends[1], base.points, base.points + 6, GRAZE_TURN_AS_GIVEN);
    } else {
        gz_edge_set_curve(&m->edge, &q, &base);
        ends[0] = m->edge.low;
        ends[1] = m->edge.high;
    }
    return gz_motion_check_domain(m, ends, (const double(*)[12])bases, last + 1, error);
}

/// Takes the time of a collision at a parameter: graze_trajectory_at() rounds the time to a
/// parameter of its own, and it must collide there. False where none of the times around does.
static bool take_hit(graze_motion_workspace *m, const graze_trajectory *t, size_t piece, double s,
                     graze_answer answer, graze_motion_report *out, graze_status *status,
                     graze_error *error) {
    enum { TRIES = 8 };
    double time = gz_trajectory_time(t, piece, s);
    for (int i = 0; i < TRIES; i++) {
        double again = gz_trajectory_parameter(t, piece, time);
        if (i == 0 && again == s) break; // as found
        bool hit;
        gz_edge_place(&m->edge, again);
        *status = gz_motion_check_place(m, again, answer, &out->contact, &hit, error);
        out->configurations++;
        if (*status) return false;
        if (hit) break;
        if (i + 1 == TRIES) return false;
        time = fmin(nextafter(time, INFINITY), t->times[piece + 1]);
    }
    out->latest = time;
    return true;
}

/// The time up to which a piece is proved free, whatever parameter its doubles are rounded to.
static double earliest_time(const graze_trajectory *t, size_t piece, double s) {
    double begin = t->times[piece], end = t->times[piece + 1];
    double slack = 0x1p-45 * (end - begin) + 0x1p-50 * fmax(fabs(begin), fabs(end));
    return fmax(begin, gz_trajectory_time(t, piece, s) - slack);
}

/// One group on a piece: `found` with times in place of parameters.
static graze_status check_group(graze_motion_workspace *m, const graze_trajectory *t, size_t piece,
                                const graze_motion_options *options, graze_motion_report *found,
                                graze_error *error) {
    GZ_TRY(set_piece(m, t, piece, error));
    GZ_TRY(gz_motion_search(m, options, found, error));
    if (found->verdict == GRAZE_MOTION_FREE) {
        found->earliest = found->latest = t->times[piece + 1];
        return GRAZE_OK;
    }
    double s = found->latest;
    found->earliest = earliest_time(t, piece, found->earliest);
    found->latest = gz_trajectory_time(t, piece, s);
    graze_answer answer = options->answer == GRAZE_MOTION_ANY ? GRAZE_ANSWER_PAIR
                                                              : GRAZE_ANSWER_FIRST;
    graze_status status = GRAZE_OK;
    if (found->verdict == GRAZE_MOTION_HIT &&
        !take_hit(m, t, piece, s, answer, found, &status, error))
        found->verdict = GRAZE_MOTION_UNDECIDED;
    return status;
}

static graze_status check_groups(graze_motion_workspace *m, const graze_trajectory *t, size_t piece,
                                 const graze_motion_options *options, graze_motion_report *all,
                                 graze_error *error) {
    m->group = INT32_MIN;
    while (gz_motion_next_group(m)) {
        if (gz_motion_is_enough(options, all, t->times[piece])) return GRAZE_OK;
        graze_motion_report group = {.pair_tests = all->pair_tests};
        GZ_TRY(check_group(m, t, piece, options, &group, error));
        gz_motion_merge(all, &group);
    }
    return GRAZE_OK;
}

static graze_status check_piece(graze_motion_workspace *m, const graze_trajectory *t, size_t piece,
                                const graze_motion_options *options, graze_trajectory_report *out,
                                graze_error *error) {
    graze_motion_report found = {.earliest = t->times[piece + 1], .latest = t->times[piece + 1]};
    graze_status status = check_groups(m, t, piece, options, &found, error);
    out->configurations += found.configurations;
    out->pair_tests += found.pair_tests;
    out->spent |= found.spent;
    out->verdict = found.verdict;
    out->contact = found.contact;
    out->earliest = found.earliest;
    out->latest = found.latest;
    if (status == GRAZE_OK) return GRAZE_OK;
    char element[64];
    snprintf(element, sizeof element, "piece %zu", piece);
    gz_error_locate(error, (gz_place){.element = element});
    return status;
}

GZ_OUT_OF_LINE static graze_status check_all(const graze_checker *checker,
                                             graze_motion_workspace *m, const graze_trajectory *t,
                                             const graze_motion_options *options,
                                             graze_trajectory_report *out, graze_error *error) {
    graze_motion_options read;
    GZ_TRY(gz_motion_prepare(checker, m, options, &read, error));
    if (!t || t->robot != checker->robot)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "trajectory is NULL, or of another robot than the checker's");
    for (size_t piece = 0; piece < t->piece_count; piece++) {
        out->piece = piece;
        if (gz_is_cancelled(read.cancel)) return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
        GZ_TRY(check_piece(m, t, piece, &read, out, error));
        if (out->verdict != GRAZE_MOTION_FREE) return GRAZE_OK;
    }
    out->piece = t->piece_count;
    out->earliest = out->latest = t->times[t->piece_count];
    return GRAZE_OK;
}

graze_status graze_check_trajectory_sized(const graze_checker *checker,
                                          graze_motion_workspace *workspace,
                                          const graze_trajectory *trajectory,
                                          const graze_motion_options *options,
                                          graze_trajectory_report *report, size_t size,
                                          graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_trajectory_report filled = {.verdict = GRAZE_MOTION_UNKNOWN};
    if (!report) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL");
    graze_status status = check_all(checker, workspace, trajectory, options, &filled, error);
    if (status) filled = (graze_trajectory_report){.verdict = GRAZE_MOTION_UNKNOWN};
    gz_fill(report, size, &filled, sizeof filled);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
