// graze motion: is the whole way from one configuration to another free?

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/motion/certificate.h"
#include "cli/motion/motion_answer.h"
#include "cli/motion/moving_input.h"
#include "cli/output.h"

static const char *const format_names[] = {"text", "json", NULL};
static const char *const turn_names[] = {"shorter", "as-given", NULL};

typedef struct motion_options {
    gz_robot_input input;
    const char *from, *to, *from_base, *to_base, *path, *output, *certificate;
    graze_motion_options motion;
    gz_texts moving;
    bool any, stats;
    int format, turn;
} motion_options;

static const gz_command_line command_line = {
    .command = "motion",
    .synopsis = "motion ROBOT [options]",
    .about =
        "Says whether the straight way from one configuration to another is free, all of it: with a\n"
        "proof, or with the first collision between two places t of [0, 1]; else that it is\n"
        "undecided, where a pair comes within some nanometres. With --path the ways between the rows\n"
        "of a file, up to the first that is not free, behind the index of the row that it begins at.\n"
        "ROBOT is a URDF file; '-' reads it from standard input.",
    .examples =
        "  graze motion robot.urdf --from 0,0,0 --to 1,0.5,0 --world shelf.json\n"
        "  graze plan robot.urdf --goal elbow=1 -o path.csv; graze motion robot.urdf --path path.csv\n",
    .operand_name = "ROBOT",
};

static int check_usage(const motion_options *o) {
    bool ends = o->from || o->to || o->from_base || o->to_base;
    const char *const outputs[] = {o->output, o->certificate};
    bool printed = !o->output || strcmp(o->output, "-") == 0;
    bool both_stdin = o->path && strcmp(o->path, "-") == 0 && strcmp(o->input.path, "-") == 0;
    const gz_usage_rule rules[] = {
        {o->path && ends, "--path has the ends; not with --from and --to"},
        {!o->path && !o->to && !o->to_base,
         "the end is missing; allowed: --to, --to-base, or --path"},
        {o->path && o->moving.count, "--moving is for one way; not with --path"},
        {both_stdin, "ROBOT and --path cannot both be standard input"},
        {o->input.level == GRAZE_LEVEL_BOUNDS, "motions are for --level mesh"},
        {o->certificate && strcmp(o->certificate, "-") == 0 && printed,
         "--certificate - needs -o FILE for the answer"},
        {gz_output_shared(outputs, GZ_COUNT(outputs)) != NULL,
         "-o and --certificate are one file; allowed: a file each"},
    };
    return gz_usage_check("motion", rules, GZ_COUNT(rules));
}

static int parse(motion_options *o, int argc, char **argv) {
    gz_option ends[] = {
        {"from", "Q", .text = &o->from,
         .help = "where it begins: numbers or joint=value,... (default: the\nrest configuration)"},
        {"to", "Q", .text = &o->to, .help = "where it ends, likewise"},
        {"from-base", "x,y,z,r,p,y", .text = &o->from_base,
         .help = "base pose at the begin (default: --base)"},
        {"to-base", "x,y,z,r,p,y", .text = &o->to_base,
         .help = "base pose at the end (default: that at the begin)"},
        {"path", "FILE", .text = &o->path, .file = GZ_FILE_READ,
         .help = "waypoints: .npy or .csv as for 'graze check --configs';\n'-': standard input"},
        {"turn", "RULE", .choice = &o->turn, .choices = turn_names,
         .help = "of joints without limits and of the base: shorter\n(default), or as-given"},
        GZ_OPTION_MOVING(&o->moving, "from the begin to the end"),
    };
    gz_option answer[] = {
        GZ_OPTIONS_MOTION(&o->motion, &o->any, "of t", "way"),
        {"certificate", "FILE", .text = &o->certificate, .file = GZ_FILE_WRITTEN,
         .help = "what the answer rests on, for 'graze verify'"},
        {"stats", NULL, .flag = &o->stats, .help = "counters, on stderr"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("the way", ends), GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ------------------------------------------------------------------------------------------ ways

/// The run: one way after the other.
typedef struct motion_run {
    const motion_options *o;
    graze_motion_workspace *workspace;
    graze_motion_report report; ///< of the last way
    uint64_t ways, configurations, pair_tests;
    gz_certificate *certificate; ///< NULL for none
} motion_run;

/// The way that was checked last, and the collision that it ends at.
static graze_status certify_way(motion_run *run, const double *from, const double *to, size_t size,
                                const double *from_base, const double *to_base,
                                graze_error *error) {
    const graze_motion_report *r = &run->report;
    graze_turn turn = run->o->motion.turn;
    const gz_dumped_motion motion = {NULL, 1,          to,          to_base,
                                     turn, r->verdict, r->earliest, r->latest};
    double base[GZ_BASE_SIZE], *q = gz_malloc(size + 1, sizeof *q);
    if (!q) return gz_fail_memory(error);
    graze_status status = graze_motion_base(from_base, to_base, turn, r->latest, base, error);
    if (status == GRAZE_OK)
        status = graze_robot_interpolate(run->o->input.robot, from, to, size, turn, r->latest, q,
                                         error);
    const gz_certified_place begin = {from, from_base, 0}, hit = {q, base, r->latest};
    if (status == GRAZE_OK)
        status = gz_certificate_put(run->certificate, &begin, &motion, &hit, error);
    gz_free(q);
    return status;
}

/// Checks one way. False where nothing comes after it.
static bool check_way(motion_run *run, const double *from, const double *to, size_t size,
                      const double *from_base, const double *to_base, graze_status *status,
                      graze_error *error) {
    *status = graze_check_motion(run->o->input.checker, run->workspace, from, to, size, from_base,
                                 to_base, &run->o->motion, &run->report, error);
    run->ways++;
    run->configurations += run->report.configurations;
    run->pair_tests += run->report.pair_tests;
    if (*status == GRAZE_OK && run->certificate)
        *status = certify_way(run, from, to, size, from_base, to_base, error);
    return *status == GRAZE_OK && run->report.verdict == GRAZE_MOTION_FREE;
}

static graze_status check_ends(motion_run *run, graze_error *error) {
    const motion_options *o = run->o;
    gz_posture from = {0}, to = {0};
    const gz_end_options first = {
        .q = o->from, .base = o->from_base, .q_name = "--from", .base_name = "--from-base"};
    const gz_end_options second = {.q = o->to,
                                   .base = o->to_base ? o->to_base : o->from_base,
                                   .q_name = "--to",
                                   .base_name = "--to-base"};
    const graze_robot *robot = o->input.robot;
    graze_status status = gz_posture_make_end(&from, robot, &o->input.posture, &first, error);
    if (status == GRAZE_OK)
        status = gz_posture_make_end(&to, robot, &o->input.posture, &second, error);
    if (status == GRAZE_OK)
        check_way(run, from.q, to.q, from.size, from.base, to.base, &status, error);
    gz_posture_free(&from);
    gz_posture_free(&to);
    return status;
}

enum { CHUNK_ROWS = 256 };

/// The rows of a file; q and base have space for one more, the last of those before.
static graze_status check_rows(motion_run *run, gz_configuration_file *file, size_t size, double *q,
                               double *base, graze_error *error) {
    size_t kept = 0, count;
    do {
        GZ_TRY(gz_configuration_file_read(file, CHUNK_ROWS, q + kept * size,
                                          base + kept * GZ_BASE_SIZE, &count, error));
        size_t rows = kept + count;
        for (size_t i = 0; i + 1 < rows; i++) {
            graze_status status;
            if (!check_way(run, q + i * size, q + (i + 1) * size, size, base + i * GZ_BASE_SIZE,
                           base + (i + 1) * GZ_BASE_SIZE, &status, error))
                return status;
        }
        if (rows && count) {
            memmove(q, q + (rows - 1) * size, size * sizeof *q);
            memmove(base, base + (rows - 1) * GZ_BASE_SIZE, GZ_BASE_SIZE * sizeof *base);
            kept = 1;
        }
    } while (count);
    if (run->ways) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = run->o->path},
                      "the path has %zu rows; allowed: two at least", kept);
}

static graze_status check_path(motion_run *run, graze_error *error) {
    const motion_options *o = run->o;
    gz_posture rest = {0};
    gz_configuration_file file = {0};
    GZ_TRY(gz_posture_make(&rest, o->input.robot, &o->input.posture, error));
    double *q = gz_malloc((CHUNK_ROWS + 1) * (rest.size + GZ_BASE_SIZE), sizeof *q);
    graze_status status = q ? gz_configuration_file_open(&file, o->path, o->input.robot,
                                                         o->input.posture.joints, &rest, error)
                            : gz_fail_memory(error);
    if (status == GRAZE_OK)
        status = check_rows(run, &file, rest.size, q, q + (CHUNK_ROWS + 1) * rest.size, error);
    if (q) gz_configuration_file_close(&file);
    gz_free(q);
    gz_posture_free(&rest);
    return status;
}

// ---------------------------------------------------------------------------------------- answer

static gz_motion_answer answer_of(const motion_run *run) {
    const graze_motion_report *r = &run->report;
    return (gz_motion_answer){.checker = run->o->input.checker,
                              .verdict = r->verdict,
                              .earliest = r->earliest,
                              .latest = r->latest,
                              .unit = "",
                              .contact = &r->contact,
                              .any = run->o->any,
                              .spent = r->spent};
}

static void write_text(const motion_run *run, FILE *stream) {
    const gz_motion_answer answer = answer_of(run);
    bool free = answer.verdict == GRAZE_MOTION_FREE;
    if (run->o->path && !free) fprintf(stream, "%" PRIu64 ": ", run->ways - 1);
    gz_motion_answer_text(&answer, stream);
}

static void write_json(const motion_run *run, FILE *stream) {
    const gz_motion_answer answer = answer_of(run);
    gz_json json = gz_json_begin(stream, "graze-motion-1");
    gz_motion_answer_verdict(&answer, &json);
    if (run->o->path) gz_json_put(&json, "waypoint=%" PRIu64, run->ways - 1);
    gz_motion_answer_json(&answer, &json);
    gz_json_finish(&json);
}

static int answer(const motion_run *run) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, run->o->output));
    if (run->o->format == 1)
        write_json(run, output.stream);
    else
        write_text(run, output.stream);
    GZ_TRY_EXIT(gz_output_finish(&output));
    if (run->o->stats)
        fprintf(stderr,
                "%" PRIu64 " ways, %" PRIu64 " configurations, %" PRIu64 " tests of pairs\n",
                run->ways, run->configurations, run->pair_tests);
    return run->report.verdict == GRAZE_MOTION_FREE ? GZ_EXIT_FINE : GZ_EXIT_FINDING;
}

/// Checks the ways and answers.
static int run_ways(motion_run *run) {
    graze_error error;
    graze_status status = graze_motion_workspace_create(&run->workspace, run->o->input.checker,
                                                        &error);
    if (status == GRAZE_OK)
        status = run->o->path ? check_path(run, &error) : check_ends(run, &error);
    return status == GRAZE_OK ? answer(run) : gz_message_error("motion", &error);
}

/// run_ways(), with a certificate beside it.
static int run_certified(motion_run *run) {
    const graze_motion_options *motion = &run->o->motion;
    const gz_dumped_moving moving = {motion->moving, motion->moving_count, 0};
    gz_certificate certificate;
    run->certificate = &certificate;
    int status = gz_certificate_open(&certificate, run->o->certificate, &run->o->input, &moving);
    return gz_certificate_close(&certificate, status == GZ_EXIT_FINE ? run_ways(run) : status);
}

static int run_motion(motion_options *o) {
    motion_run run = {.o = o};
    graze_moving_object *moving;
    graze_error error;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_CHECK, NULL, false));
    o->motion.turn = o->turn ? GRAZE_TURN_AS_GIVEN : GRAZE_TURN_SHORTER;
    o->motion.answer = o->any ? GRAZE_MOTION_ANY : GRAZE_MOTION_FIRST;
    graze_status status = gz_moving_read(&o->moving, graze_checker_world(o->input.checker),
                                         &o->motion, &moving, &error);
    int code = status           ? gz_message_error("motion", &error)
               : o->certificate ? run_certified(&run)
                                : run_ways(&run);
    graze_motion_workspace_free(run.workspace);
    gz_free(moving);
    return code;
}

int gz_command_motion(int argc, char **argv) {
    motion_options options = {.input = gz_robot_input_default("motion"),
                              .motion = graze_motion_options_default()};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_motion(&options);
    gz_texts_free(&options.moving);
    gz_robot_input_free(&options.input);
    return status;
}
