// graze plan: a collision-free path.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/check/check_output.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/plan/path_animation.h"
#include "cli/plan/path_ends.h"
#include "cli/plan/path_writer.h"
#include "cli/plan/pose_goal.h"
#include "cli/plan/problem_table.h"
#include "cli/plan/timed_output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

static const char *const format_names[] = {"csv", "json", NULL};
/// In the order of graze_plan_sampler.
static const char *const sampler_names[] = {"random", "halton", NULL};

typedef struct plan_options {
    gz_robot_input input;
    gz_path_ends ends;
    const char *base_range;
    gz_check_files files;
    gz_view view; ///< of the picture
    graze_plan_options plan;
    const char *goal_pose;
    gz_texts problems;   ///< files and folders of --problems
    const char *problem; ///< one of theirs
    graze_problems **sets;
    bool planar_base, kineval, unproved;
    uint32_t frames; ///< of the animation
    gz_timed_output timed;
    int format, sampler;
} plan_options;

static const gz_command_line command_line = {
    .command = "plan",
    .synopsis = "plan ROBOT [options]",
    .about =
        "Plans with RRT-Connect from a start to a goal, shortens the path, proves each of its motions\n"
        "free, and prints its waypoints (base pose and q) on stdout. When there is none it says why.\n"
        "ROBOT is a URDF file; '-' reads it from standard input. What 'no path' never means is that\n"
        "there is none. Without --margin and the SRDF's margins the least one counts, epsilon: what\n"
        "is free is proved free of the real robot, too, not only at the snapped pose.",
    .examples =
        "  graze plan robot.urdf --srdf robot.srdf --start-state home --goal elbow=1.2\n"
        "  graze plan robot.urdf --joints shoulder,elbow --start 0,0 --goal 1,1 -o path.csv\n"
        "  graze plan robot.urdf --world maze.json --kineval --seed 7 --format json\n",
    .operand_name = "ROBOT",
};

/// Options that contradict each other.
static int check_usage(const plan_options *o) {
    const gz_posture_options *rest = &o->input.posture;
    const gz_end_options *end = &o->ends.of[GZ_GOAL];
    bool start = gz_path_end_is_given(&o->ends, GZ_START);
    bool goal = gz_path_end_is_given(&o->ends, GZ_GOAL) || o->goal_pose != NULL;
    bool posed = rest->joints != NULL || rest->base != NULL || rest->rest != NULL ||
                 rest->state != NULL;
    bool many = o->problems.count > 0, whole = many && o->problem == NULL;
    bool smooth = o->plan.smooth > 0;
    const gz_usage_rule ends[] = {
        {many && (start || goal || o->kineval || rest->joints != NULL || rest->rest != NULL ||
                  rest->state != NULL || o->input.worlds.count > 0 || o->input.attached.count > 0),
         "--problems have starts, goals, joints and worlds of their own"},
        {!many && o->problem != NULL, "--problem is one of --problems"},
        {smooth && o->unproved, "--smooth is of proved paths; not with --no-proof"},
        {smooth && whole, "--smooth is for one path; allowed: with --problem NAME"},
        {smooth && !isnan(o->timed.corner),
         "--smooth says how far corners are cut; not with --corner"},
        {whole && (o->files.picture != NULL || o->files.animation != NULL ||
                   o->files.dump != NULL || o->timed.file != NULL),
         "what is drawn, timed or dumped is one path; allowed: with --problem NAME"},
        {o->kineval && (start || goal || posed), "--kineval chooses start, goal and joints itself"},
        {!o->kineval && !goal && !many,
         "the goal is missing; allowed: --goal, --goal-state, --goal-pose, --goal-base, "
         "--kineval, or --problems"},
        {o->goal_pose != NULL && (end->q != NULL || end->state != NULL),
         "--goal-pose finds the goal's joints; not with --goal and --goal-state"},
    };
    int status = gz_usage_check("plan", ends, GZ_COUNT(ends));
    if (status == GZ_GO_ON) status = gz_check_files_usage(&o->files, &o->input, "the path");
    if (status != GZ_GO_ON) return status;
    if (o->plan.step < o->plan.resolution)
        return gz_message_usage("plan", "--step is %g; allowed: at least --resolution, %g",
                                o->plan.step, o->plan.resolution);
    status = gz_timed_output_usage(&o->timed, &o->files);
    if (status != GZ_GO_ON) return status;
    if (o->base_range != NULL && !o->planar_base && !o->kineval)
        return gz_message_usage("plan", "--base-range is for --planar-base");
    return GZ_GO_ON;
}

static int parse(plan_options *o, int argc, char **argv) {
    gz_option ends[] = {
        GZ_OPTIONS_OF_ENDS(&o->ends),
        {"goal-pose", "LINK=x,y,z,r,p,y", .text = &o->goal_pose,
         .help = "a goal where this link is there in the world, as\n'graze ik' finds it"},
        {"kineval", NULL, .flag = &o->kineval,
         .help = "from a random free configuration (--seed) to the rest\n"
                 "configuration at the world's origin, base planned"},
        {"problems", "PATH", .texts = &o->problems, .file = GZ_FILE_READ,
         .help = "problems from a file (mbm-1) or from MotionBenchMaker's\n"
                 "folder of YAML files, repeatable: all are planned, -o\n"
                 "FILE gets a row of each"},
        {"problem", "NAME", .text = &o->problem,
         .help = "FAMILY/NUMBER of --problems: plan this one"},
    };
    gz_option planner[] = {
        {"planar-base", NULL, .flag = &o->planar_base, .help = "plan the base's x, y and yaw too"},
        {"base-range", "x,y,x,y", .text = &o->base_range,
         .help = "where the base may be: lowest x, y, highest x, y\n"
                 "(default: the world's boundary)"},
        {"step", "D", .number = &o->plan.step,
         .help = "longest extension, rad and m alike (default 1)"},
        {"resolution", "D", .number = &o->plan.resolution,
         .help = "between checked configurations of an edge\n(default 0.05)"},
        {"no-proof", NULL, .flag = &o->unproved, .help = "do not prove the path's motions free"},
        {"recheck", "N", .count32 = &o->plan.recheck, .maximum = 1000,
         .help = "look at a path that is not proved once more, N times\n"
                 "finer (default 100; 0: not)"},
        {"seed", "N", .count = &o->plan.seed, .help = "of the random numbers (default 1)"},
        {"sampler", "NAME", .choice = &o->sampler, .choices = sampler_names,
         .help = "of the search: random (default), halton: the Halton\n"
                 "sequence, from a place on that the seed chooses"},
        {"time", "S", .number = &o->plan.max_seconds, .infinite = true,
         .help = "seconds (default 10; inf: no limit)"},
        {"iterations", "N", .count = &o->plan.max_iterations, .help = "(default 1000000)"},
        {"shortcut", "N", .count32 = &o->plan.shortcut_rounds,
         .help = "rounds of shortening (default 800; 0: the raw path)"},
        {"improve", "N", .count = &o->plan.improve_iterations,
         .help = "samples for shorter paths, once there is one; a large\n"
                 "N with --time: as many as there is time for (default 0)"},
        {"good-length", "D", .number = &o->plan.good_length,
         .help = "a path as short is not improved, rad and m alike"},
        {"smooth", "D", .number = &o->plan.smooth,
         .help = "cut corners by cubic B-splines, at most so far (rad and\n"
                 "m alike), proved free; --trajectory follows the curve"},
        {"threads", "N", .count32 = &o->plan.threads, .maximum = 1024,
         .help = "(default 1; 0: one per processor); same result"},
    };
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "csv (default; 'graze check --configs' reads it), json"},
        GZ_OPTION_OUTPUT(&o->files.output),
        {"picture", "FILE.png", .text = &o->files.picture, .file = GZ_FILE_WRITTEN,
         .endings = GZ_SHADED_ENDING,
         .help =
             "draw the goal with the way to it see-through, its start\nblue, or the end that collides"},
        {"animation", "FILE.png", .text = &o->files.animation, .file = GZ_FILE_WRITTEN,
         .endings = ".png or .apng", .help = "draw the robot on its way, as an animated PNG"},
        {"frames", "N", .count32 = &o->frames, .minimum = 2, .maximum = 10000,
         .help = "of --animation (default 24)"},
        GZ_OPTION_CAMERA(&o->files.cameras),
        {"dump", "FILE", .text = &o->files.dump, .file = GZ_FILE_WRITTEN,
         .help = "write the path at its resolution, with all that its\n"
                 "verdicts rest on, for 'graze verify FILE'"},
    };
    gz_option timed[] = {
        {"trajectory", "FILE", .text = &o->timed.file, .file = GZ_FILE_WRITTEN,
         .help = "write the path in time, within the limits, proved free:\n"
                 "a JointTrajectory in JSON ('graze certify' reads it)"},
        {"joint-limits", "FILE", .text = &o->timed.limits, .file = GZ_FILE_READ,
         .help = "velocities, accelerations and jerks, as MoveIt's\n"
                 "joint_limits.yaml has them, over the description's"},
        {"acceleration", "A", .number = &o->timed.acceleration,
         .help = "most, rad/s^2 and m/s^2 (default: the description's)"},
        {"velocity", "V", .number = &o->timed.velocity,
         .help = "most, rad/s and m/s (default: the description's)"},
        {"jerk", "J", .number = &o->timed.jerk,
         .help = "most, rad/s^3 and m/s^3 (default: the description's,\n"
                 "where it has one); corners are cut by cubic B-splines"},
        {"base-velocity", "V,W", .numbers = o->timed.base_limits[0], .number_count = 2,
         .allowed = "two numbers above 0",
         .help = "most of the base, where it moves, m/s and rad/s; then\n"
                 "--trajectory is a .csv, whose rows have the base"},
        {"base-acceleration", "A,B", .numbers = o->timed.base_limits[1], .number_count = 2,
         .allowed = "two numbers above 0", .help = "likewise, m/s^2 and rad/s^2"},
        {"base-jerk", "J,K", .numbers = o->timed.base_limits[2], .number_count = 2,
         .allowed = "two numbers above 0", .help = "likewise, m/s^3 and rad/s^3 (default: none)"},
        {"velocity-scale", "F", .number = &o->timed.scale, .help = "of these, up to 1 (default 1)"},
        {"corner", "D", .number = &o->timed.corner, .above = -1e-300,
         .help = "how far corners of the path may be cut, rad and m alike\n"
                 "(default 0.1; 0: stop at each)"},
    };
    const gz_option_section own[] = {GZ_SECTION("start and goal", ends),
                                     GZ_SECTION("planner", planner), GZ_SECTION("answer", answer),
                                     GZ_SECTION("in time", timed)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ------------------------------------------------------------------------------------ problem

/// What is planned: the two ends and the joints that move.
typedef struct plan_problem {
    gz_posture start, goal;
    gz_columns columns;
    graze_plan_options options;
    gz_pose_goal pose; ///< of --goal-pose
    graze_problem one; ///< of --problem
} plan_problem;

static void problem_free(plan_problem *problem) {
    gz_posture_free(&problem->start);
    gz_posture_free(&problem->goal);
    gz_columns_free(&problem->columns);
    gz_pose_goal_free(&problem->pose);
}

static graze_status parse_range(const char *text, graze_plan_options *options, graze_error *error) {
    double range[4];
    if (!gz_decimal_parse_list(text, range, 4) || !(range[0] <= range[2] && range[1] <= range[3]))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "--base-range is '%s'; allowed: four numbers, the lowest x and y, then "
                       "the highest",
                       text);
    memcpy(options->base_min, range, sizeof options->base_min);
    memcpy(options->base_max, range + 2, sizeof options->base_max);
    return GRAZE_OK;
}

/// The base stays in the range on the whole way where it does at both ends: ways are straight.
static graze_status check_in_range(const char *end, const gz_posture *posture,
                                   const graze_plan_options *options, graze_error *error) {
    const double *b = posture->base;
    for (int i = 0; i < 2; i++) {
        if (b[i] >= options->base_min[i] && b[i] <= options->base_max[i]) continue;
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the %s's base is at x %g, y %g; allowed by --base-range: x %g to %g, "
                       "y %g to %g",
                       end, b[0], b[1], options->base_min[0], options->base_max[0],
                       options->base_min[1], options->base_max[1]);
    }
    return GRAZE_OK;
}

static graze_status make_columns(plan_problem *problem, const gz_robot_input *input,
                                 graze_error *error) {
    if (problem->one.name != NULL) {
        problem->options.columns = problem->one.columns;
        problem->options.column_count = problem->one.column_count;
    }
    if (input->posture.joints == NULL) return GRAZE_OK;
    GZ_TRY(gz_columns_of_joints(&problem->columns, input->robot, input->posture.joints,
                                "joints, and --planar-base", error));
    problem->options.columns = problem->columns.places;
    problem->options.column_count = problem->columns.count;
    return GRAZE_OK;
}

static graze_status make_problem(plan_problem *problem, const plan_options *o, graze_error *error) {
    const gz_end_options *ends = o->ends.of;
    const graze_robot *robot = o->input.robot;
    const gz_posture_options *common = &o->input.posture;
    graze_plan_options *options = &problem->options;
    *options = o->plan;
    options->planar_base = o->planar_base || o->kineval ? 1 : 0;
    options->cancel = gz_interrupt_flag();
    options->certify = o->unproved ? 0 : 1;
    GZ_TRY(gz_posture_make_end(&problem->start, robot, common, &ends[GZ_START], error));
    GZ_TRY(gz_posture_make_end(&problem->goal, robot, common, &ends[GZ_GOAL], error));
    GZ_TRY(make_columns(problem, &o->input, error));
    size_t row = problem->start.size * sizeof *problem->start.q;
    if (problem->one.name != NULL && row > 0) {
        memcpy(problem->start.q, problem->one.start, row);
        memcpy(problem->goal.q, problem->one.goals, row);
    }
    if (o->base_range != NULL) GZ_TRY(parse_range(o->base_range, options, error));
    if (o->kineval)
        GZ_TRY(graze_plan_kineval_start(o->input.checker, o->plan.seed, problem->start.q,
                                        problem->start.base, error));
    if (o->base_range == NULL) return GRAZE_OK;
    GZ_TRY(check_in_range("start", &problem->start, options, error));
    return check_in_range("goal", &problem->goal, options, error);
}

// ------------------------------------------------------------------------------------- answer

static bool is_mimicked(const graze_robot *robot, int32_t joint) {
    for (size_t i = 0; i < graze_robot_joint_count(robot); i++)
        if (gz_joint_at(robot, (int32_t)i).mimic == joint) return true;
    return false;
}

/// Names the joints of an end that reach the same pose, within their limits, with one turn more or
/// less. Others that follow such a joint would turn by another angle; it is left out.
static void print_turns(const graze_robot *robot, const char *end, const gz_posture *posture) {
    for (size_t i = 0; i < graze_robot_joint_count(robot); i++) {
        graze_joint_info joint = gz_joint_at(robot, (int32_t)i);
        if (joint.type != GRAZE_JOINT_REVOLUTE || joint.q_count != 1 ||
            is_mimicked(robot, (int32_t)i))
            continue;
        double value = posture->q[joint.q_index];
        for (int turn = -1; turn <= 1; turn += 2) {
            double other = value + turn * 2 * M_PI;
            if (other >= joint.lower && other <= joint.upper)
                gz_message("the %s with %s %c 2 pi is the same pose, within the limits", end,
                           joint.name, turn < 0 ? '-' : '+');
        }
    }
}

/// Prints why there is no path. Returns the exit status.
static int explain(const plan_options *o, const plan_problem *problem,
                   const graze_plan_result *result) {
    const graze_robot *robot = o->input.robot;
    graze_joint_info joint;
    int end = gz_plan_fails_at_start(result) ? GZ_START : GZ_GOAL;
    const gz_posture *at = end == GZ_START ? &problem->start : &problem->goal;
    int status = GZ_EXIT_FINDING;
    switch (result->outcome) {
    case GRAZE_PLAN_FOUND:
        return GZ_EXIT_FINE;
    case GRAZE_PLAN_START_COLLIDES:
    case GRAZE_PLAN_GOAL_COLLIDES:
        return gz_path_end_collides(o->input.checker, end, &result->contact);
    case GRAZE_PLAN_START_LIMITS:
    case GRAZE_PLAN_GOAL_LIMITS:
        status = gz_path_end_exceeds(robot, end, result->joint, at->q);
        break;
    case GRAZE_PLAN_ITERATIONS:
        gz_message("no path yet: %" PRIu64 " iterations are spent; --iterations allows more",
                   o->plan.max_iterations);
        status = GZ_EXIT_LIMIT;
        break;
    case GRAZE_PLAN_TIME:
        status = gz_path_time_is_spent(o->plan.max_seconds);
        break;
    case GRAZE_PLAN_CANCELLED:
        return gz_path_interrupted();
    case GRAZE_PLAN_UNREACHABLE:
        if (graze_robot_joint(robot, result->joint, &joint) == GRAZE_OK)
            gz_message("no path: start and goal differ in joint '%s', which --joints does not "
                       "plan",
                       joint.name);
        else
            gz_message("no path: start and goal differ in the base pose; --planar-base plans its "
                       "x, y and yaw");
        return status;
    }
    print_turns(robot, end == GZ_START ? "start" : "goal", at);
    return status;
}

static void print_summary(const graze_plan_result *result) {
    char improved[128] = "", curve[128] = "";
    if (result->improve_iterations > 0)
        snprintf(improved, sizeof improved,
                 ", %.3f before %" PRIu64 " improvements in %" PRIu64 " samples",
                 result->length_first, result->improvements, result->improve_iterations);
    if (result->curve != NULL)
        snprintf(curve, sizeof curve, "; curve: %zu corners smooth, %zu sharp",
                 result->smooth_corners, result->sharp_corners);
    fprintf(stderr,
            "path: %zu waypoints, %s, length %.3f (%.3f before shortening%s); %" PRIu64
            " iterations, trees of %zu and %zu, %" PRIu64 " configurations checked, %.3f s%s\n",
            graze_path_count(result->path), result->certified ? "proved free" : "not proved",
            result->length, result->length_raw, improved, result->iterations, result->tree_size[0],
            result->tree_size[1], result->configurations_checked, result->seconds, curve);
}

#define GHOSTS 5

/// The goal, with the way to it in see-through poses at equal steps of the path's index.
static int draw_path(const plan_options *o, const plan_problem *problem, const graze_path *path) {
    size_t size = problem->goal.size, edges = graze_path_count(path) - 1;
    gz_pictured_pose poses[GHOSTS + 1];
    double base[GHOSTS][GZ_BASE_SIZE];
    double *q = gz_malloc(GHOSTS * size, sizeof *q);
    bool good = q != NULL;
    for (size_t k = 0; good && k < GHOSTS; k++) {
        double at = (double)(k * edges) / GHOSTS;
        size_t edge = (size_t)at;
        poses[k] = (gz_pictured_pose){q + k * size, base[k]};
        good = graze_path_interpolate(path, edge, at - (double)edge, q + k * size, base[k]) ==
               GRAZE_OK;
    }
    poses[GHOSTS] = (gz_pictured_pose){problem->goal.q, problem->goal.base};
    int status = good ? gz_picture_output(o->files.picture, o->input.checker, &o->view, poses,
                                          GHOSTS + 1)
                      : gz_message_no_memory();
    gz_free(q);
    return status;
}

static int draw(const plan_options *o, const plan_problem *problem,
                const graze_plan_result *result) {
    if (result->path != NULL) return draw_path(o, problem, result->path);
    const gz_posture *end = gz_plan_fails_at_start(result) ? &problem->start : &problem->goal;
    gz_pictured_pose pose = {end->q, end->base};
    return gz_picture_output(o->files.picture, o->input.checker, &o->view, &pose, 1);
}

static int answer(const plan_options *o, const plan_problem *problem,
                  const graze_plan_result *result) {
    int why = explain(o, problem, result);
    if (result->outcome == GRAZE_PLAN_CANCELLED) return why;
    gz_path_output output = {.file = o->files.output,
                             .dump = o->files.dump,
                             .json = o->format == 1,
                             .resolution = o->plan.resolution,
                             .domain = o->input.domain,
                             .no_world = o->input.no_world};
    if (result->path != NULL || output.json)
        GZ_TRY_EXIT(gz_path_output_write(&output, o->input.checker, result));
    if (o->files.picture != NULL) GZ_TRY_EXIT(draw(o, problem, result));
    if (o->files.animation != NULL && result->path != NULL)
        GZ_TRY_EXIT(gz_path_animation_write(o->files.animation, o->input.checker, &o->view,
                                            result->path, o->frames));
    if (result->path != NULL && !o->input.quiet) print_summary(result);
    if (o->timed.file != NULL && result->path != NULL)
        GZ_TRY_EXIT(gz_timed_output_write(&o->timed, o->input.checker, result->path));
    return why;
}

enum { POSE_GOALS = 8 }; ///< configurations of a pose that are tried

/// The configurations of --goal-pose, the nearest to the start first.
static graze_status find_goals(plan_problem *problem, const plan_options *o, graze_error *error) {
    gz_pose_goal *pose = &problem->pose;
    gz_posture begin = problem->start;
    memcpy(begin.base, problem->goal.base, sizeof begin.base);
    pose->options = graze_ik_options_default();
    pose->options.seed = o->plan.seed;
    pose->options.columns = problem->options.columns;
    pose->options.column_count = problem->options.column_count;
    pose->options.cancel = problem->options.cancel;
    GZ_TRY(gz_pose_goal_parse(pose, o->input.robot, "--goal-pose", o->goal_pose, error));
    return gz_pose_goal_solve(pose, o->input.checker, &begin, POSE_GOALS, error);
}

/// Plans to the goal, to the goals of --problem, or to the configurations of --goal-pose.
static graze_status plan(plan_problem *problem, const plan_options *o, graze_plan_result *result,
                         graze_error *error) {
    const double *goals = problem->goal.q;
    size_t count = 1, reached;
    if (problem->one.name != NULL) {
        goals = problem->one.goals;
        count = problem->one.goal_count;
    } else if (o->goal_pose != NULL) {
        goals = problem->pose.rows;
        count = problem->pose.result.count;
    }
    GZ_TRY(gz_plan_to_goals(o->input.checker, problem->start.q, problem->start.base, goals, count,
                            problem->goal.base, &problem->options, result, &reached, error));
    if (problem->goal.size > 0)
        memmove(problem->goal.q, goals + reached * problem->goal.size,
                problem->goal.size * sizeof *problem->goal.q);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------ problems

static int load_problems(plan_options *o) {
    o->sets = gz_calloc(o->problems.count, sizeof *o->sets);
    if (o->sets == NULL) return gz_message_no_memory();
    for (size_t i = 0; i < o->problems.count; i++)
        GZ_TRY_EXIT(gz_robot_input_load_problems(&o->input, o->problems.items[i], &o->sets[i]));
    return GZ_EXIT_FINE;
}

static const char *name_of_problem(const void *user, size_t i) {
    const plan_options *o = user;
    graze_problem p;
    for (size_t k = 0; k < o->problems.count; k++) {
        if (graze_problems_get(o->sets[k], i, &p) == GRAZE_OK) return p.name;
        i -= graze_problems_count(o->sets[k]);
    }
    return NULL;
}

/// Finds --problem, and puts its world into the checker. Returns an exit status.
static int choose_problem(plan_options *o, graze_problem *one) {
    for (size_t k = 0; k < o->problems.count; k++)
        for (size_t i = 0; graze_problems_get(o->sets[k], i, one) == GRAZE_OK; i++) {
            if (strcmp(one->name, o->problem) != 0) continue;
            graze_error error;
            graze_checker *with;
            graze_status made = graze_checker_with_world(&with, o->input.checker, one->world,
                                                         &error);
            if (made == GRAZE_OK) {
                graze_checker_free(o->input.checker);
                o->input.checker = with;
            }
            return gz_message_outcome("plan", made, &error);
        }
    const char *near = gz_spelling_nearest(o->problem, name_of_problem, o);
    return gz_message_usage("plan", "--problem is '%s', which is not in --problems%s%s%s",
                            o->problem, near != NULL ? "; did you mean '" : "",
                            near != NULL ? near : "", near != NULL ? "'?" : "");
}

static int run_table(plan_options *o) {
    gz_posture base = {0};
    graze_error error;
    graze_status made = gz_posture_make(&base, o->input.robot, &o->input.posture, &error);
    gz_problem_table table = {.checker = o->input.checker,
                              .base = base.base,
                              .plan = o->plan,
                              .file = o->files.output,
                              .json = o->format == 1};
    table.plan.planar_base = o->planar_base ? 1 : 0;
    table.plan.certify = o->unproved ? 0 : 1;
    table.plan.cancel = gz_interrupt_flag();
    gz_interrupt_catch();
    int status = gz_message_outcome("plan", made, &error);
    if (status == GZ_EXIT_FINE) status = gz_problem_table_run(&table, o->sets, o->problems.count);
    gz_posture_free(&base);
    return status;
}

static int run_plan(plan_options *o) {
    gz_robot_input *input = &o->input;
    bool drawn = o->files.picture != NULL || o->files.animation != NULL;
    graze_visuals visuals = drawn ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK;
    GZ_TRY_EXIT(gz_robot_input_prepare(input, visuals, NULL, false));
    GZ_TRY_EXIT(gz_camera_read(&o->view, &o->files.cameras, input));
    graze_error error;
    plan_problem problem = {0};
    graze_plan_result result = {0};
    if (o->problems.count > 0) {
        GZ_TRY_EXIT(load_problems(o));
        if (o->problem == NULL) return run_table(o);
        GZ_TRY_EXIT(choose_problem(o, &problem.one));
    }
    graze_status planned = make_problem(&problem, o, &error);
    if (planned == GRAZE_OK) {
        gz_interrupt_catch();
        if (o->goal_pose != NULL) planned = find_goals(&problem, o, &error);
    }
    bool goals = planned == GRAZE_OK && (o->goal_pose == NULL || problem.pose.result.count > 0);
    if (goals) planned = plan(&problem, o, &result, &error);
    int status = planned != GRAZE_OK ? gz_message_error("plan", &error)
                 : goals             ? answer(o, &problem, &result)
                                     : GZ_EXIT_FINDING;
    if (planned == GRAZE_ERROR_CANCELLED) status = gz_interrupt_exit();
    if (planned == GRAZE_OK && !goals) gz_pose_goal_explain(&problem.pose, input->checker);
    graze_trajectory_free(result.curve);
    graze_path_free(result.path);
    problem_free(&problem);
    return status;
}

int gz_command_plan(int argc, char **argv) {
    plan_options options = {.input = gz_robot_input_default("plan"),
                            .ends = gz_path_ends_default(),
                            .plan = graze_plan_options_default(),
                            .frames = 24,
                            .timed = {.scale = 1, .corner = NAN}};
    options.input.shared = GZ_SHARED_CHECKER;
    options.input.least_margin = true;
    options.input.joints_help = "the joints to plan, which the numbers of --start and\n"
                                "--goal are, in order (default: all of q; passive joints\n"
                                "of the SRDF stay where start and goal agree)";
    int status = parse(&options, argc, argv);
    options.plan.sampler = (uint32_t)options.sampler;
    options.timed.quiet = options.input.quiet;
    options.timed.spline = options.plan.smooth > 0;
    if (isnan(options.timed.corner))
        options.timed.corner = options.timed.spline ? options.plan.smooth : 0.1;
    if (status == GZ_GO_ON) status = run_plan(&options);
    gz_texts_free(&options.files.cameras);
    gz_robot_input_free(&options.input);
    for (size_t i = 0; options.sets != NULL && i < options.problems.count; i++)
        graze_problems_free(options.sets[i]);
    gz_free(options.sets);
    gz_texts_free(&options.problems);
    return status;
}
