// graze certify: is all of a timed trajectory free, and how much space is there on the way?

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/robot_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/motion/certificate.h"
#include "cli/motion/clearance_picture.h"
#include "cli/motion/motion_answer.h"
#include "cli/motion/moving_input.h"
#include "cli/motion/moving_world.h"
#include "cli/motion/trajectory_input.h"
#include "cli/output.h"

static const char *const format_names[] = {"text", "json", NULL};
static const char *const turn_names[] = {"shorter", "as-given", NULL};

typedef struct certify_options {
    gz_robot_input input;
    const char *trajectory, *output, *profile, *picture, *certificate;
    graze_motion_options motion;
    gz_texts moving;
    uint64_t clearance;
    bool any, ignore_limits, stats;
    int format, turn;
} certify_options;

static const gz_command_line command_line = {
    .command = "certify",
    .synopsis = "certify ROBOT TRAJECTORY [options]",
    .about =
        "Says whether all of a timed trajectory is free, as a controller plays it: with a proof, or\n"
        "with the first collision between two times; else that it is undecided, where a pair comes\n"
        "within some nanometres. TRAJECTORY is a JointTrajectory in YAML or JSON, as MoveIt, ROS 1\n"
        "and ROS 2 print it ('-': standard input), or rows of configurations, .csv or .npy, with a\n"
        "column 'time' or one second apart, and 'NAME velocity' and 'NAME acceleration' of each\n"
        "column or of none. Points are joined straight, by cubics where they have velocities, by\n"
        "quintics where they have accelerations, too.\n"
        "ROBOT is a URDF file; '-' reads it from standard input.",
    .examples = "  graze certify robot.urdf trajectory.yaml --world shelf.json\n"
                "  graze certify robot.urdf - --state home --world shelf.json < goal.json\n"
                "  graze certify robot.urdf path.csv --clearance 1000 --profile clearance.csv\n"
                "  graze certify robot.urdf path.csv --clearance 1000 --picture clearance.svg\n",
    .operand_name = "ROBOT",
    .second_name = "TRAJECTORY",
};

static int check_usage(const certify_options *o) {
    const char *const outputs[] = {o->output, o->profile, o->picture, o->certificate};
    const char *shared = gz_output_shared(outputs, GZ_COUNT(outputs));
    bool printed = !o->output || strcmp(o->output, "-") == 0;
    bool both = strcmp(o->trajectory, "-") == 0 && strcmp(o->input.path, "-") == 0;
    const gz_usage_rule rules[] = {
        {both, "ROBOT and TRAJECTORY cannot both be standard input"},
        {o->input.level == GRAZE_LEVEL_BOUNDS, "trajectories are for --level mesh"},
        {o->profile && !o->clearance, "--profile is the distances of --clearance; allowed: both"},
        {o->picture && !o->clearance, "--picture is the distances of --clearance; allowed: both"},
        {o->profile && strcmp(o->profile, "-") == 0 && printed,
         "--profile - needs -o FILE for the answer"},
        {o->certificate && strcmp(o->certificate, "-") == 0 && printed,
         "--certificate - needs -o FILE for the answer"},
        {shared != NULL,
         "two of -o, --profile, --picture and --certificate are one file; allowed: a file each"},
    };
    return gz_usage_check("certify", rules, GZ_COUNT(rules));
}

static int parse(certify_options *o, int argc, char **argv) {
    gz_option way[] = {
        {"turn", "RULE", .choice = &o->turn, .choices = turn_names,
         .help = "of joints without limits and of the base: shorter\n(default), or as-given"},
        {"ignore-limits", NULL, .flag = &o->ignore_limits, .help = "joints may leave their limits"},
        GZ_OPTION_MOVING(&o->moving, "a second"),
    };
    gz_option answer[] = {
        GZ_OPTIONS_MOTION(&o->motion, &o->any, "of a piece", "piece"),
        {"clearance", "N", .count = &o->clearance, .minimum = 2, .maximum = 100000000,
         .help = "also the least distance at N times, evenly spaced"},
        {"profile", "FILE", .text = &o->profile, .file = GZ_FILE_WRITTEN,
         .help = "these distances as CSV: time,lower,upper,link,other"},
        {"picture", "FILE.svg", .text = &o->picture, .file = GZ_FILE_WRITTEN, .endings = ".svg",
         .help = "these distances over time, as a picture"},
        {"certificate", "FILE", .text = &o->certificate, .file = GZ_FILE_WRITTEN,
         .help = "what the answer rests on, for 'graze verify'"},
        {"stats", NULL, .flag = &o->stats, .help = "counters, on stderr"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("the trajectory", way),
                                     GZ_SECTION("answer", answer)};
    gz_command_line line = command_line;
    line.second = &o->trajectory;
    int status = gz_robot_input_parse(&o->input, &line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ------------------------------------------------------------------------------------- clearance

typedef struct certify_run {
    const certify_options *o;
    const graze_checker *checker;
    graze_trajectory *trajectory;
    graze_trajectory_report report;
    // Of the clearance: bounds of the least of all samples, where it is, and of what.
    double lower, upper, time;
    graze_proximity nearest;       ///< link -1: no pair is checked
    FILE *profile;                 ///< NULL for none
    gz_clearance_picture *picture; ///< NULL for none
} certify_run;

static void put_bound(FILE *stream, double x) {
    if (isinf(x))
        fputs("inf", stream);
    else
        gz_number_write(stream, x);
}

static void put_sample(const certify_run *run, FILE *stream, double time,
                       const graze_interval *bounds, const graze_proximity *p) {
    gz_number_write(stream, time);
    fputc(',', stream);
    put_bound(stream, bounds->lower);
    fputc(',', stream);
    put_bound(stream, bounds->upper);
    fputc(',', stream);
    gz_csv_field(stream, gz_proximity_link_name(run->checker, p));
    fputc(',', stream);
    gz_csv_field(stream, gz_proximity_other_name(run->checker, p));
    fputc('\n', stream);
}

/// Time i of n that are evenly spaced, the first and the last at the ends.
static double sample_time(const graze_trajectory *t, uint64_t i, uint64_t n) {
    double begin = graze_trajectory_time(t, 0);
    double end = graze_trajectory_time(t, graze_trajectory_piece_count(t));
    return i + 1 == n ? end : begin + (end - begin) * ((double)i / (double)(n - 1));
}

/// Measures at all times, and writes the profile where there is one.
/// The least distance at a configuration, in the world of a time; `standing` is the workspace where
/// nothing moves.
static graze_status measure_at(const certify_run *run, gz_moving_world *world,
                               graze_distance_workspace *standing, const double *q,
                               const double *base, double time, graze_distance_report *report,
                               graze_error *error) {
    const graze_distance_options options = graze_distance_options_default();
    graze_distance_workspace *w = standing;
    GZ_TRY(gz_moving_world_show(world, time, error));
    const graze_checker *checker = gz_moving_world_checker(world);
    if (world->view) GZ_TRY(graze_distance_workspace_create(&w, checker, error));
    graze_status status = graze_distance(checker, w, q, graze_robot_q_size(run->o->input.robot),
                                         base, &options, report, error);
    if (world->view) graze_distance_workspace_free(w);
    return status;
}

static graze_status measure(certify_run *run, gz_moving_world *world, graze_distance_workspace *w,
                            double *q, graze_error *error) {
    uint64_t n = run->o->clearance;
    run->lower = run->upper = INFINITY;
    run->nearest.link = -1;
    run->time = sample_time(run->trajectory, 0, n);
    for (uint64_t i = 0; i < n; i++) {
        double base[GZ_BASE_SIZE], time = sample_time(run->trajectory, i, n);
        graze_proximity p = {.link = -1};
        graze_distance_report report = {.pairs = &p, .capacity = 1};
        graze_trajectory_at(run->trajectory, time, q, base);
        GZ_TRY(measure_at(run, world, w, q, base, time, &report, error));
        if (report.count == 0) p.link = -1;
        if (report.least.upper < run->upper) {
            run->upper = report.least.upper;
            run->time = time;
            run->nearest = p;
        }
        run->lower = fmin(run->lower, report.least.lower);
        if (run->profile) put_sample(run, run->profile, time, &report.least, &p);
        if (run->picture) gz_clearance_picture_add(run->picture, i, time, &report.least);
    }
    return GRAZE_OK;
}

/// The objects that move, which are where the world has them when the trajectory begins.
static gz_dumped_moving moving_of(const certify_run *run) {
    const graze_motion_options *motion = &run->o->motion;
    return (gz_dumped_moving){motion->moving, motion->moving_count,
                              graze_trajectory_time(run->trajectory, 0)};
}

static int measure_all(certify_run *run) {
    const certify_options *o = run->o;
    graze_distance_workspace *w = NULL;
    graze_error error;
    if (!o->clearance) return GZ_EXIT_FINE;
    gz_moving_world world = {0};
    const gz_dumped_moving moving = moving_of(run);
    double *q = gz_malloc(graze_robot_q_size(o->input.robot) + 1, sizeof *q);
    graze_status status = q ? graze_distance_workspace_create(&w, run->checker, &error)
                            : gz_fail_memory(&error);
    if (status == GRAZE_OK) status = gz_moving_world_open(&world, run->checker, &moving, &error);
    if (status == GRAZE_OK) status = measure(run, &world, w, q, &error);
    gz_moving_world_close(&world);
    graze_distance_workspace_free(w);
    gz_free(q);
    return gz_message_outcome("certify", status, &error);
}

// ---------------------------------------------------------------------------------------- answer

static gz_motion_answer answer_of(const certify_run *run) {
    const graze_trajectory_report *r = &run->report;
    return (gz_motion_answer){.checker = run->checker,
                              .verdict = r->verdict,
                              .earliest = r->earliest,
                              .latest = r->latest,
                              .unit = " s",
                              .contact = &r->contact,
                              .any = run->o->any,
                              .spent = r->spent};
}

static void write_text(const certify_run *run, FILE *stream) {
    const gz_motion_answer answer = answer_of(run);
    gz_motion_answer_text(&answer, stream);
    if (!run->o->clearance) return;
    fputs("clearance ", stream);
    put_bound(stream, run->lower);
    fputc(' ', stream);
    put_bound(stream, run->upper);
    if (run->nearest.link >= 0) {
        fputs(" at ", stream);
        gz_number_write(stream, run->time);
        fprintf(stream, " s: %s %s", GZ_PLAIN(gz_proximity_link_name(run->checker, &run->nearest)),
                GZ_PLAIN(gz_proximity_other_name(run->checker, &run->nearest)));
    }
    fprintf(stream, " (%" PRIu64 " times)\n", run->o->clearance);
}

static void write_json(const certify_run *run, FILE *stream) {
    const gz_motion_answer answer = answer_of(run);
    bool any = run->nearest.link >= 0;
    gz_json json = gz_json_begin(stream, "graze-certify-1");
    gz_motion_answer_verdict(&answer, &json);
    if (answer.verdict != GRAZE_MOTION_FREE) gz_json_put(&json, "piece=%zu", run->report.piece);
    gz_motion_answer_json(&answer, &json);
    if (run->o->clearance) {
        gz_json_put(&json, "clearance={ times=%" PRIu64 " lower=%g upper=%g", run->o->clearance,
                    run->lower, run->upper);
        gz_json_put(&json, "time=%g link=%s other=%s }", run->time,
                    any ? gz_proximity_link_name(run->checker, &run->nearest) : NULL,
                    any ? gz_proximity_other_name(run->checker, &run->nearest) : NULL);
    }
    gz_json_finish(&json);
}

static int answer(const certify_run *run) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, run->o->output));
    if (run->o->format == 1)
        write_json(run, output.stream);
    else
        write_text(run, output.stream);
    GZ_TRY_EXIT(gz_output_finish(&output));
    if (run->o->stats)
        fprintf(stderr, "%zu pieces, %" PRIu64 " configurations, %" PRIu64 " tests of pairs\n",
                graze_trajectory_piece_count(run->trajectory), run->report.configurations,
                run->report.pair_tests);
    return run->report.verdict == GRAZE_MOTION_FREE ? GZ_EXIT_FINE : GZ_EXIT_FINDING;
}

// ------------------------------------------------------------------------------------------- run

static int check_trajectory(certify_run *run) {
    graze_motion_workspace *workspace = NULL;
    graze_error error;
    graze_status status = graze_motion_workspace_create(&workspace, run->checker, &error);
    if (status == GRAZE_OK)
        status = graze_check_trajectory(run->checker, workspace, run->trajectory, &run->o->motion,
                                        &run->report, &error);
    graze_motion_workspace_free(workspace);
    if (status == GRAZE_OK) return GZ_EXIT_FINE;
    gz_error_locate(&error, (gz_place){.file = run->o->trajectory});
    return gz_message_error("certify", &error);
}

/// Writes the pieces up to the one that is not free, with its collision.
static graze_status put_pieces(const certify_run *run, gz_certificate *certificate, double *q,
                               graze_error *error) {
    const graze_trajectory *t = run->trajectory;
    const graze_trajectory_report *r = &run->report;
    size_t count = graze_trajectory_piece_count(t),
           q_size = graze_robot_q_size(run->o->input.robot);
    double end[GZ_BASE_SIZE];
    if (r->verdict == GRAZE_MOTION_HIT) graze_trajectory_at(t, r->latest, q, end);
    for (size_t i = 0; i < count && i <= r->piece; i++) {
        bool free = i < r->piece;
        const double times[2] = {graze_trajectory_time(t, i), graze_trajectory_time(t, i + 1)};
        const double *base, *points = graze_trajectory_points(t, i, &base);
        const gz_dumped_motion motion = {
            .times = times,
            .degree = graze_trajectory_degree(t),
            .to = points + q_size,
            .to_base = base + GZ_BASE_SIZE,
            .verdict = free ? GRAZE_MOTION_FREE : r->verdict,
            .earliest = free ? 1 : graze_trajectory_parameter(t, i, r->earliest),
            .latest = free ? 1 : graze_trajectory_parameter(t, i, r->latest)};
        // Where objects are at the collision, by the parameter, as the verifier computes it.
        const gz_certified_place begin = {points, base, times[0]},
                                 hit = {q, end, times[0] + motion.latest * (times[1] - times[0])};
        GZ_TRY(gz_certificate_put(certificate, &begin, &motion, &hit, error));
    }
    return GRAZE_OK;
}

/// answer(), with a certificate beside it.
static int answer_certified(const certify_run *run) {
    const certify_options *o = run->o;
    graze_error error;
    const gz_dumped_moving moving = moving_of(run);
    gz_certificate certificate;
    int status = gz_certificate_open(&certificate, o->certificate, &o->input, &moving);
    if (status == GZ_EXIT_FINE) {
        double *q = gz_malloc(graze_robot_q_size(o->input.robot) + 1, sizeof *q);
        graze_status put = q ? put_pieces(run, &certificate, q, &error) : gz_fail_memory(&error);
        gz_free(q);
        status = gz_message_outcome("certify", put, &error);
    }
    if (status == GZ_EXIT_FINE) status = answer(run);
    return gz_certificate_close(&certificate, status);
}

/// Checks, measures and answers.
static int run_trajectory(certify_run *run) {
    GZ_TRY_EXIT(check_trajectory(run));
    GZ_TRY_EXIT(measure_all(run));
    return run->o->certificate ? answer_certified(run) : answer(run);
}

/// What the picture says of the whole way, once it is known.
static void fill_picture(const certify_run *run) {
    gz_clearance_picture *picture = run->picture;
    picture->verdict = run->report.verdict;
    picture->earliest = run->report.earliest;
    picture->latest = run->report.latest;
    picture->least_lower = run->lower;
    picture->least_upper = run->upper;
    picture->least_time = run->time;
    if (run->nearest.link < 0) return;
    picture->link = gz_proximity_link_name(run->checker, &run->nearest);
    picture->other = gz_proximity_other_name(run->checker, &run->nearest);
}

/// Whether there is an answer, with which files beside it take their place.
static bool is_answered(int status) {
    return status == GZ_EXIT_FINE || status == GZ_EXIT_FINDING;
}

/// Ends a file beside the answer. Returns the exit status of both.
static int finish_beside(gz_output *output, int status) {
    int written = is_answered(status) ? gz_output_finish(output) : status;
    gz_output_abandon(output);
    return written > status ? written : status;
}

/// run_trajectory(), with a picture beside it, which takes its place only with the answer.
static int run_pictured(certify_run *run) {
    const graze_trajectory *t = run->trajectory;
    gz_output output;
    gz_clearance_picture *picture = gz_calloc(1, sizeof *picture);
    if (!picture) return gz_message_no_memory();
    picture->samples = run->o->clearance;
    picture->begin = graze_trajectory_time(t, 0);
    picture->end = graze_trajectory_time(t, graze_trajectory_piece_count(t));
    run->picture = picture;
    int status = gz_output_open(&output, run->o->picture);
    if (status == GZ_EXIT_FINE) status = run_trajectory(run);
    if (is_answered(status)) {
        fill_picture(run);
        gz_clearance_picture_write(picture, graze_robot_name(run->o->input.robot), output.stream);
    }
    gz_free(picture);
    return finish_beside(&output, status);
}

static int run_measured(certify_run *run) {
    return run->o->picture ? run_pictured(run) : run_trajectory(run);
}

/// run_measured(), with a profile beside it, which takes its place only with the answer.
static int run_profiled(certify_run *run) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, run->o->profile));
    run->profile = output.stream;
    fputs("time,lower,upper,link,other\n", output.stream);
    return finish_beside(&output, run_measured(run));
}

static int run_certify(certify_options *o) {
    gz_posture rest = {0};
    graze_moving_object *moving;
    graze_error error;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_CHECK, NULL, false));
    o->motion.answer = o->any ? GRAZE_MOTION_ANY : GRAZE_MOTION_FIRST;
    certify_run run = {.o = o, .checker = o->input.checker};
    const gz_trajectory_input input = {.input = &o->input,
                                       .path = o->trajectory,
                                       .rest = &rest,
                                       .turn = o->turn ? GRAZE_TURN_AS_GIVEN : GRAZE_TURN_SHORTER,
                                       .any_limits = o->ignore_limits};
    graze_status status = gz_moving_read(&o->moving, graze_checker_world(o->input.checker),
                                         &o->motion, &moving, &error);
    if (status == GRAZE_OK)
        status = gz_posture_make(&rest, o->input.robot, &o->input.posture, &error);
    int code = status == GRAZE_OK ? gz_trajectory_input_read(&run.trajectory, &input)
                                  : gz_message_error("certify", &error);
    if (code == GZ_EXIT_FINE) code = o->profile ? run_profiled(&run) : run_measured(&run);
    graze_trajectory_free(run.trajectory);
    gz_posture_free(&rest);
    gz_free(moving);
    return code;
}

int gz_command_certify(int argc, char **argv) {
    certify_options options = {.input = gz_robot_input_default("certify"),
                               .motion = graze_motion_options_default()};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_certify(&options);
    gz_texts_free(&options.moving);
    gz_robot_input_free(&options.input);
    return status;
}
