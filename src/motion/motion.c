// Certified motion: arguments, workspace, options.
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"
#include "motion/motion_internal.h"

static graze_motion_options default_options(void) {
    return (graze_motion_options){.struct_size = sizeof(graze_motion_options),
                                  .turn = GRAZE_TURN_SHORTER,
                                  .answer = GRAZE_MOTION_ANY,
                                  .width = 1e-3,
                                  .resolution = 1e-6,
                                  .budget = 20000};
}

GZ_OPTIONS_INIT(graze_motion_options, default_options)

// ------------------------------------------------------------------------------------- workspace

enum {
    INTERVALS = 1024,    ///< of a level, or of a stack
    LIST = 16384,        ///< pairs of all intervals of a level, or of a stack, besides 16 times all
    WORLD_PAIRS = 65536, ///< links with objects near them on an edge
};

static void lay_out(graze_motion_workspace *m, gz_arena *arena) {
    const graze_robot *robot = m->checker->robot;
    gz_edge_lay_out(&m->edge, robot, arena);
    m->self = gz_arena_array(arena, m->self_count, sizeof *m->self);
    m->pairs = gz_arena_array(arena, m->pair_capacity, sizeof *m->pairs);
    m->active = gz_arena_array(arena, m->pair_capacity, sizeof *m->active);
    m->bounds = gz_arena_array(arena, m->pair_capacity, sizeof *m->bounds);
    m->groups = gz_arena_array(arena, m->checker->world ? m->checker->world->object_count : 0,
                               sizeof *m->groups);
    m->base_points = gz_arena_array(arena, 6 * (GRAZE_TRAJECTORY_DEGREE_MAX + 1),
                                    sizeof *m->base_points);
    gz_motion_intervals *all[] = {&m->queue[0], &m->queue[1], &m->stack};
    for (int i = 0; i < 3; i++) {
        all[i]->intervals = gz_arena_array(arena, m->interval_capacity, sizeof *all[i]->intervals);
        all[i]->list = gz_arena_array(arena, m->list_capacity, sizeof *all[i]->list);
    }
}

static void count_pairs(graze_motion_workspace *m) {
    const graze_checker *c = m->checker;
    for (size_t i = 0; i < c->pair_count; i++) m->self_count += !c->pairs[i].fixed;
    size_t objects = c->world ? c->world->object_count : 0, world = c->link_count * objects;
    m->pair_capacity = m->self_count + (world < WORLD_PAIRS ? world : WORLD_PAIRS);
    m->interval_capacity = INTERVALS;
    m->list_capacity = LIST + 4 * m->pair_capacity;
}

static bool fill(graze_motion_workspace *m) {
    const graze_checker *c = m->checker;
    gz_arena arena = {0};
    count_pairs(m);
    lay_out(m, &arena);
    if (!gz_arena_create(&arena)) return false;
    m->memory = arena.memory;
    lay_out(m, &arena);
    gz_edge_prepare(&m->edge, c);
    size_t count = 0;
    for (size_t i = 0; i < c->pair_count; i++)
        if (!c->pairs[i].fixed) m->self[count++] = gz_motion_pair_links(c, (int32_t)i);
    return true;
}

static graze_status check_checker(const graze_checker *c, graze_error *error) {
    if (!c) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    if (c->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "motions of bounding volumes are not supported; allowed: a checker of "
                       "GRAZE_LEVEL_MESH");
    if (!isfinite(c->epsilon))
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "the robot has no epsilon, so nothing can be certified; allowed: origins "
                       "that are rotations");
    return GRAZE_OK;
}

graze_status graze_motion_workspace_create(graze_motion_workspace **out,
                                           const graze_checker *checker, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    GZ_TRY(check_checker(checker, error));
    graze_motion_workspace *m = gz_calloc(1, sizeof *m);
    if (!m) return gz_fail_memory(error);
    m->checker = checker;
    m->revision = checker->revision;
    graze_status status = graze_workspace_create(&m->ws, checker, error);
    if (status == GRAZE_OK && !fill(m)) status = gz_fail_memory(error);
    if (status) {
        graze_motion_workspace_free(m);
        return status;
    }
    *out = m;
    return GRAZE_OK;
}

void graze_motion_workspace_free(graze_motion_workspace *m) {
    if (!m) return;
    graze_workspace_free(m->ws);
    gz_free(m->memory);
    gz_free(m);
}

// ------------------------------------------------------------------------------------- arguments

static graze_status check_options(const graze_motion_options *o, graze_error *error) {
    if (o->turn != GRAZE_TURN_SHORTER && o->turn != GRAZE_TURN_AS_GIVEN)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "turn is %d; allowed: 0 or 1", (int)o->turn);
    if (o->answer != GRAZE_MOTION_ANY && o->answer != GRAZE_MOTION_FIRST)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "answer is %d; allowed: 0 or 1",
                       (int)o->answer);
    if (!(o->width > 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "width is %g; allowed: above 0", o->width);
    if (!(o->resolution > 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "resolution is %g m; allowed: above 0",
                       o->resolution);
    return GRAZE_OK;
}

graze_status gz_motion_check_domain(const graze_motion_workspace *m, const double *q[2],
                                    const double (*bases)[12], size_t base_count,
                                    graze_error *error) {
    const graze_checker *c = m->checker;
    double far = 0;
    for (size_t i = 0; i < base_count; i++) far = fmax(far, gz_transform_far(bases[i]));
    far += gz_edge_radius(&m->edge);
    bool inside = far <= c->options.domain;
    for (size_t i = 0; inside && i < base_count; i++)
        inside = gz_domain_surely(c, q[0], bases[i]) && gz_domain_surely(c, q[1], bases[i]);
    if (inside) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "the motion may reach %g m from the world's origin, or a joint go more than 1 "
                   "beyond its limits; allowed: inside the domain, %g m, where epsilon holds",
                   far, c->options.domain);
}

graze_status gz_motion_set_edge(graze_motion_workspace *m, const double *from, const double *to,
                                const double *from_base, const double *to_base, graze_turn turn,
                                graze_error *error) {
    static const double identity[6] = {0};
    const double *q[2] = {from, to};
    double ends[2][6], bases[2][12];
    if (!from_base) from_base = identity;
    if (!to_base) to_base = from_base;
    m->times[0] = 0;
    m->times[1] = 1;
    gz_motion_seen_base(m, from_base, 0, ends[0]);
    gz_motion_seen_base(m, to_base, 1, ends[1]);
    size_t count = memcmp(ends[0], ends[1], sizeof ends[0]) == 0 ? 1 : 2;
    for (size_t i = 0; i < count; i++) GZ_TRY(gz_motion_pose_base(m, ends[i], bases[i], error));
    gz_edge_set(&m->edge, from, to, ends[0], ends[1], turn);
    return gz_motion_check_domain(m, q, (const double(*)[12])bases, count, error);
}

graze_status gz_motion_prepare(const graze_checker *checker, graze_motion_workspace *m,
                               const graze_motion_options *options, graze_motion_options *read,
                               graze_error *error) {
    GZ_TRY(GZ_OPTIONS_READ(graze_motion_options, read, options, error));
    GZ_TRY(check_options(read, error));
    if (!checker || !m || m->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    if (m->revision != checker->revision)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the scene of the checker has moved since the workspace was made; allowed: "
                       "a workspace made for each version of a scene");
    return gz_motion_set_moving(m, read, error);
}

GZ_OUT_OF_LINE static graze_status
check_motion(const graze_checker *checker, graze_motion_workspace *m, const double *from,
             const double *to, size_t q_count, const double *from_base, const double *to_base,
             const graze_motion_options *options, graze_motion_report *report, graze_error *error) {
    graze_motion_options read;
    GZ_TRY(gz_motion_prepare(checker, m, options, &read, error));
    if (!from || !to) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "from or to is NULL");
    GZ_TRY(gz_pose_check(checker->robot, from, q_count, error));
    GZ_TRY(gz_pose_check(checker->robot, to, q_count, error));
    *report = (graze_motion_report){.earliest = 1, .latest = 1};
    while (gz_motion_next_group(m)) {
        if (gz_motion_is_enough(&read, report, 0)) return GRAZE_OK;
        graze_motion_report group = {.pair_tests = report->pair_tests};
        GZ_TRY(gz_motion_set_edge(m, from, to, from_base, to_base, read.turn, error));
        GZ_TRY(gz_motion_search(m, &read, &group, error));
        gz_motion_merge(report, &group);
    }
    return GRAZE_OK;
}

graze_status graze_check_motion_sized(const graze_checker *checker,
                                      graze_motion_workspace *workspace, const double *from,
                                      const double *to, size_t q_count, const double *from_base,
                                      const double *to_base, const graze_motion_options *options,
                                      graze_motion_report *report, size_t size,
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_motion_report filled = {.verdict = GRAZE_MOTION_UNKNOWN};
    if (!report) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL");
    graze_status status = check_motion(checker, workspace, from, to, q_count, from_base, to_base,
                                       options, &filled, error);
    if (status) filled = (graze_motion_report){.verdict = GRAZE_MOTION_UNKNOWN};
    gz_fill(report, size, &filled, sizeof filled);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

graze_status graze_motion_base(const double *from_base, const double *to_base, graze_turn turn,
                               double t, double *base, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    static const double identity[6] = {0};
    double pose[12];
    if (!base) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "base is NULL");
    if (turn != GRAZE_TURN_SHORTER && turn != GRAZE_TURN_AS_GIVEN)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "turn is %d; allowed: 0 or 1", (int)turn);
    if (!(t >= 0 && t <= 1))
        return gz_fail(error, GRAZE_ERROR_RANGE, "t is %g; allowed: 0 to 1", t);
    if (!from_base) from_base = identity;
    if (!to_base) to_base = from_base;
    GZ_TRY(gz_pose_base(from_base, pose, error));
    GZ_TRY(gz_pose_base(to_base, pose, error));
    gz_base_between(from_base, to_base, turn, t, base);
    gz_error_clear(error);
    return GRAZE_OK;
}
