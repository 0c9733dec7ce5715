// What the planning tests share: loading, small robots and worlds, and a re-checker of paths that
// shares no code with the planner.
#ifndef PLAN_FIXTURE_H
#define PLAN_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/plan.h"

/// A robot, a world and their checker.
typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    size_t n; ///< numbers of q
} fixture;

static inline void fixture_finish(fixture *f) {
    graze_error error;
    if (f->world) assert_int_equal(graze_world_commit(f->world, &error), GRAZE_OK);
    graze_status status = graze_checker_create(&f->checker, f->robot, f->world, NULL, &error);
    if (status != GRAZE_OK) fail_msg("checker: %s", error.message);
    f->n = graze_robot_q_size(f->robot);
}

/// A shipped robot with its SRDF, and a shipped world or NULL.
static inline void fixture_load(fixture *f, const char *robot, const char *world) {
    char path[512], srdf[512];
    graze_error error;
    memset(f, 0, sizeof *f);
    snprintf(path, sizeof path, "%s/urdf/%s.urdf", GRAZE_SOURCE_DIR, robot);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", GRAZE_SOURCE_DIR, robot);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.visuals = GRAZE_VISUALS_SKIP;
    if (graze_robot_load_urdf(&f->robot, path, &options, &error) != GRAZE_OK)
        fail_msg("%s: %s", error.file, error.message);
    if (world) {
        snprintf(path, sizeof path, "%s/worlds/%s.json", GRAZE_SOURCE_DIR, world);
        assert_int_equal(graze_world_create(&f->world, world, &error), GRAZE_OK);
        if (graze_world_add_file(f->world, path, NULL, &error) != GRAZE_OK)
            fail_msg("%s: %s", error.file, error.message);
    }
    fixture_finish(f);
}

/// A robot written down in the test, and an empty world to add to before fixture_finish().
static inline void fixture_begin(fixture *f, const char *urdf) {
    graze_error error;
    memset(f, 0, sizeof *f);
    if (graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "test", NULL, NULL, &error) !=
        GRAZE_OK)
        fail_msg("%s", error.message);
    assert_int_equal(graze_world_create(&f->world, "test", &error), GRAZE_OK);
}

static inline void fixture_free(fixture *f) {
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

static inline void fixture_box(fixture *f, const char *name, double sx, double sy, double sz,
                               double x, double y, double z) {
    double size[3] = {sx, sy, sz};
    graze_transform pose = graze_transform_identity();
    pose.m[3] = x;
    pose.m[7] = y;
    pose.m[11] = z;
    assert_int_equal(graze_world_add_box(f->world, name, size, &pose, NULL), GRAZE_OK);
}

/// The shorter way from a to b on the circle, by trigonometry.
static inline double turn(double a, double b) {
    return atan2(sin(b - a), cos(b - a));
}

/// Whether joint j moves with `leader`, along whatever chain of mimics.
static inline int follows(const graze_robot *robot, int32_t j, int32_t leader) {
    graze_joint_info info;
    for (;; j = info.mimic) {
        assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
        if (info.mimic < 0) return j == leader;
    }
}

/// Whether all that moves with a joint without limits is back where it was after a turn of it.
static inline int is_circle(const graze_robot *robot, int32_t leader) {
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
        graze_joint_info info;
        assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
        if (info.mimic < 0 || !follows(robot, j, leader)) continue;
        if (info.limited || info.type == GRAZE_JOINT_PRISMATIC || fmod(info.multiplier, 1) != 0)
            return 0;
    }
    return 1;
}

/// How column i of q goes: 0 along a line, 1 on a circle, 2 first of a quaternion, 3 its rest.
static inline int column_kind(const graze_robot *robot, size_t i) {
    graze_joint_info info;
    assert_int_equal(graze_robot_joint(robot, graze_robot_q_joint(robot, i), &info), GRAZE_OK);
    size_t offset = i - (size_t)info.q_index;
    if (info.type == GRAZE_JOINT_CONTINUOUS) return is_circle(robot, graze_robot_q_joint(robot, i));
    if (info.type == GRAZE_JOINT_PLANAR) return offset == 2;
    if (info.type == GRAZE_JOINT_FLOATING && offset >= 3) return offset == 3 ? 2 : 3;
    return 0;
}

/// A configuration between two waypoints, and the length of the motion.
static inline double between(const fixture *f, const double *qa, const double *ba, const double *qb,
                             const double *bb, double t, double *q, double base[6]) {
    double sum = 0;
    for (size_t i = 0; i < f->n; i++) {
        int kind = column_kind(f->robot, i);
        if (kind == 2) {
            double dot = 0, norm = 0, chord = 0;
            for (size_t k = 0; k < 4; k++) dot += qa[i + k] * qb[i + k];
            for (size_t k = 0; k < 4; k++) {
                double end = dot < 0 ? -qb[i + k] : qb[i + k];
                q[i + k] = (1 - t) * qa[i + k] + t * end;
                norm += q[i + k] * q[i + k];
                chord += (end - qa[i + k]) * (end - qa[i + k]);
            }
            for (size_t k = 0; k < 4; k++) q[i + k] /= sqrt(norm);
            sum += 4 * chord;
        } else if (kind < 2) {
            double d = kind == 1 ? turn(qa[i], qb[i]) : qb[i] - qa[i];
            q[i] = qa[i] + t * d;
            sum += d * d;
        }
    }
    for (int i = 0; i < 6; i++) {
        double d = i == 5 ? turn(ba[i], bb[i]) : bb[i] - ba[i];
        base[i] = ba[i] + t * d;
        sum += d * d;
    }
    return sqrt(sum);
}

/// Walks a path in steps of at most `step` and counts what is not free or outside limits.
static inline size_t recheck(const fixture *f, const graze_path *path, double step,
                             double *length) {
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f->checker, NULL), GRAZE_OK);
    double *q = calloc(f->n + 1, sizeof *q), base[6];
    size_t bad = 0;
    *length = 0;
    for (size_t i = 0; i + 1 < graze_path_count(path); i++) {
        const double *qa = graze_path_q(path, i), *qb = graze_path_q(path, i + 1);
        const double *ba = graze_path_base(path, i), *bb = graze_path_base(path, i + 1);
        double edge = between(f, qa, ba, qb, bb, 0, q, base);
        *length += edge;
        size_t steps = (size_t)ceil(edge / step) + 1;
        for (size_t k = 0; k <= steps; k++) {
            between(f, qa, ba, qb, bb, (double)k / (double)steps, q, base);
            graze_report report = {0};
            assert_int_equal(
                graze_check(f->checker, workspace, GRAZE_ANSWER_ANY, q, f->n, base, &report, NULL),
                GRAZE_OK);
            bad += report.verdict != GRAZE_FREE;
            for (size_t c = 0; c < f->n; c++) {
                graze_joint_info info;
                graze_robot_joint(f->robot, graze_robot_q_joint(f->robot, c), &info);
                // The walk rounds; waypoints must keep to their limits to the last bit.
                double slack = k > 0 && k < steps ? 1e-12 : 0;
                bad += info.limited && (q[c] < info.lower - slack || q[c] > info.upper + slack);
            }
        }
    }
    free(q);
    graze_workspace_free(workspace);
    return bad;
}

/// Plans, fails the test on an error, and rechecks a path at a tenth of the resolution.
static inline graze_plan_result plan_and_recheck(const fixture *f, const double *start,
                                                 const double *start_base, const double *goal,
                                                 const double *goal_base,
                                                 const graze_plan_options *options) {
    graze_plan_result result;
    graze_error error;
    if (graze_plan(f->checker, start, start_base, goal, goal_base, options, &result, &error) !=
        GRAZE_OK)
        fail_msg("plan: %s", error.message);
    assert_int_equal(result.outcome == GRAZE_PLAN_FOUND, result.path != NULL);
    if (!result.path) return result;
    size_t last = graze_path_count(result.path) - 1;
    assert_true(last >= 1);
    assert_int_equal(result.certified, options->certify);
    double length;
    assert_int_equal(recheck(f, result.path, options->resolution / 10, &length), 0);
    assert_true(fabs(length - result.length) <= 1e-9 * (1 + length));
    assert_true(result.length <= result.length_raw * (1 + 1e-9) || result.length_raw == 0);
    for (size_t i = 0; i < f->n; i++) {
        if (column_kind(f->robot, i) >= 2) continue;
        assert_true(graze_path_q(result.path, 0)[i] == start[i]);
        assert_true(graze_path_q(result.path, last)[i] == goal[i]);
    }
    for (int i = 0; i < 6; i++) {
        assert_true(graze_path_base(result.path, 0)[i] == (start_base ? start_base[i] : 0));
        assert_true(graze_path_base(result.path, last)[i] == (goal_base ? goal_base[i] : 0));
    }
    return result;
}

#ifdef GRAZE_FAULTS
/// Plans with each allocation failing in turn: an error without a path, up to the first plan that
/// does without the one that would fail.
static inline void fixture_fail_allocations(const fixture *f, const double *from, const double *to,
                                            const graze_plan_options *options) {
    for (long n = 1;; n++) {
        graze_plan_result r;
        graze_error error;
        gz_memory_fail_after(n, false);
        graze_status status = graze_plan(f->checker, from, NULL, to, NULL, options, &r, &error);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        graze_path_free(r.path);
        if (used < n) {
            assert_int_equal(status, GRAZE_OK);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(r.path);
    }
}
#endif

#endif
