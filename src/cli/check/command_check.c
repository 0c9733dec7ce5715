// graze check: which link collides with what.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/argument.h"
#include "cli/check/check_output.h"
#include "cli/check/check_run.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"

static const char *const format_names[] = {"text", "json", "jsonl", "csv", "npy", NULL};

typedef struct check_options {
    gz_robot_input input;
    gz_posture_options posture;
    const char *q, *configs, *output, *picture, *dump;
    bool all, explain, masked, suggest, stats, enforce_limits;
    int format;
    uint64_t threads;
} check_options;

static const char about[] =
    "Says for one configuration, or for every row of a file, whether the robot collides, with\n"
    "the link, what it touches and where. Without -q and --configs the rest configuration\n"
    "(--rest, --state) is checked. ROBOT is a URDF file; '-' reads it from standard input.";

static const char examples[] =
    "  graze check robot.urdf -q 0.1,0.2,0.3\n"
    "  graze check robot.urdf --srdf robot.srdf -q elbow=1.2 --world shelf.json\n"
    "  graze check robot.urdf --configs q.npy --joints shoulder,elbow --format npy -o v.npy\n"
    "  some-program | graze check robot.urdf --configs - --format jsonl\n";

/// Reads the command line; the tables live only here.
static int parse(check_options *o, const char **robot, int argc, char **argv) {
    gz_option posture[GZ_POSTURE_OPTION_COUNT];
    gz_robot_options shared;
    gz_option what[] = {
        gz_option_lettered('q', gz_option_text("configuration", &o->q, "Q",
                                               "one configuration: numbers or joint=value,...")),
        gz_option_reads(gz_option_text(
            "configs", &o->configs, "FILE",
            "many: .npy (float64 or float32 [n,dof]), or .csv with\n"
            "a header of joint names and base_x ... base_yaw;\n'-': standard input")),
    };
    gz_option answer[] = {
        gz_option_flag("all", &o->all, "every colliding pair instead of the first"),
        gz_option_flag("explain", &o->explain, "what became of every pair, stage by stage"),
        gz_option_flag("masked", &o->masked,
                       "list contacts that the SRDF, --allow or adjacency\nhides"),
        gz_option_flag(
            "suggest-allow", &o->suggest,
            "of one configuration: every contact, and the --allow\noptions for those that are meant, as wheels on a floor"),
        gz_option_flag("enforce-limits", &o->enforce_limits,
                       "a joint outside its limits is an error"),
        gz_option_flag("stats", &o->stats, "counters per stage and the mean time, on stderr"),
        gz_option_count("threads", &o->threads, "N", 0, 1024,
                        "for --configs (default 1; 0: one per processor)"),
        gz_option_choice("format", &o->format, "FORMAT", format_names,
                         "text (default), json, jsonl, csv, npy (uint8[n]:\n"
                         "0 free, 1 collision, 255 unknown)"),
        gz_option_output(&o->output),
        gz_option_writes(gz_option_text(
            "picture", &o->picture, "FILE.png",
            "draw the one configuration: colliding links red, what\nthey touch orange")),
        gz_option_writes(
            gz_option_text("dump", &o->dump, "FILE",
                           "write all that the verdicts rest on, for\n'graze verify FILE'")),
    };
    gz_posture_option_table(&o->posture, posture);
    gz_robot_input_options(&o->input, &shared);
    gz_option_section sections[] = {
        {"configurations", what, sizeof what / sizeof *what},
        {"where joints and base stay", posture, GZ_POSTURE_OPTION_COUNT},
        {"answer", answer, sizeof answer / sizeof *answer},
        shared.rules,
        shared.world,
        shared.attached,
        shared.robot,
        shared.limits,
    };
    gz_command_line line = {.command = "check",
                            .synopsis = "check ROBOT [options]",
                            .about = about,
                            .examples = examples,
                            .sections = sections,
                            .section_count = sizeof sections / sizeof *sections,
                            .operand_name = "ROBOT"};
    int status = gz_command_line_parse(&line, argc, argv);
    *robot = line.operand;
    return status;
}

/// Options that contradict each other.
static int check_usage(const check_options *o, const char *robot) {
    bool text = o->format == GZ_VERDICT_TEXT, npy = o->format == GZ_VERDICT_NPY;
    bool json = o->format == GZ_VERDICT_JSON || o->format == GZ_VERDICT_JSONL;
    if (o->q != NULL && o->configs != NULL) {
        return gz_message_usage("check", "-q and --configs exclude each other");
    }
    if (strcmp(robot, "-") == 0 && o->configs != NULL && strcmp(o->configs, "-") == 0) {
        return gz_message_usage("check", "ROBOT and --configs cannot both be standard input");
    }
    if ((o->explain || o->masked) && !text && !json) {
        return gz_message_usage("check",
                                "--explain and --masked need --format text, json or jsonl");
    }
    if ((o->explain || o->masked) && o->input.level == GRAZE_LEVEL_BOUNDS) {
        return gz_message_usage("check", "--explain and --masked are for --level mesh");
    }
    if (o->suggest && (o->configs != NULL || (!text && !json))) {
        return gz_message_usage("check", "--suggest-allow is for one configuration, and for "
                                         "--format text, json or jsonl");
    }
    if (o->all && npy) return gz_message_usage("check", "--all has no meaning with --format npy");
    if (o->dump != NULL && o->input.level == GRAZE_LEVEL_BOUNDS) {
        return gz_message_usage("check", "--dump is for --level mesh");
    }
    if (o->dump != NULL && strcmp(o->dump, "-") == 0 &&
        (o->output == NULL || strcmp(o->output, "-") == 0)) {
        return gz_message_usage("check", "--dump - needs -o FILE for the verdicts");
    }
    if (o->picture != NULL && strcmp(o->picture, "-") == 0)
        return gz_message_usage("check", "--picture is '-'; allowed: the name of a file");
    const char *const outputs[] = {o->output, o->dump, o->picture};
    const char *shared = gz_output_shared(outputs, 3);
    if (shared != NULL) {
        return gz_message_usage(
            "check", "two of -o, --dump and --picture are '%s'; allowed: a file each", shared);
    }
    if (o->picture != NULL && o->configs != NULL) {
        return gz_message_usage("check", "--picture draws one configuration; not with --configs");
    }
    if (o->posture.joints != NULL && o->q == NULL && o->configs == NULL) {
        return gz_message_usage("check", "--joints names the numbers of -q or --configs");
    }
    if (o->posture.joints != NULL && o->q != NULL && strchr(o->q, '=') != NULL) {
        return gz_message_usage("check", "-q names its joints itself; not with --joints");
    }
    bool to_stdout = o->output == NULL || strcmp(o->output, "-") == 0;
    if (npy && to_stdout && isatty(STDOUT_FILENO) == 1) {
        return gz_message_usage("check", "--format npy is not for a terminal; give -o FILE");
    }
    return GZ_EXIT_FINE;
}

static void print_stats(const gz_check_run *run) {
    const graze_stats *s = &run->stats;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"configurations", s->configurations},
        {"link pairs", s->link_pairs},
        {"apart in lanes", s->lane_rejects},
        {"apart by spheres", s->sphere_rejects},
        {"apart by boxes", s->obb_rejects},
        {"geometry pairs", s->geometry_pairs},
        {"apart by sketches", s->sketch_rejects},
        {"meet by sketches", s->sketch_hits},
        {"node tests", s->node_tests},
        {"packet tests", s->packet_tests},
        {"triangle tests", s->triangle_tests},
        {"exact tests", s->exact_tests},
        {"shape tests", s->shape_tests},
        {"containment tests", s->containment_tests},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fprintf(stderr, "%-18s %llu\n", rows[i].name, (unsigned long long)rows[i].value);
    }
    uint64_t count = run->free_count + run->collision_count + run->unknown_count;
    if (count > 0) fprintf(stderr, "mean %.2f us/config\n", 1e6 * run->seconds / (double)count);
}

/// How messages call the file of --configs.
static const char *configs_name(const check_options *o) {
    return strcmp(o->configs, "-") == 0 ? "<stdin>" : o->configs;
}

/// What a batch came to, on stderr; and why the first unknown is unknown.
static void print_summary(const gz_check_run *run, const check_options *o) {
    if (run->unknown_count > 0) {
        const graze_error *error = &run->first_unknown;
        bool located = error->element[0] != '\0';
        if (o->configs != NULL) {
            gz_message("%s: row %llu: %s%s%s%s", configs_name(o),
                       (unsigned long long)run->first_unknown_index, error->message,
                       located ? " (" : "", error->element, located ? ")" : "");
        } else {
            gz_message_error("check", error);
        }
    }
    if (o->configs == NULL || o->input.quiet) return;
    uint64_t count = run->free_count + run->collision_count + run->unknown_count;
    fprintf(stderr, "%llu configuration%s: %llu free, %llu in collision", (unsigned long long)count,
            count == 1 ? "" : "s", (unsigned long long)run->free_count,
            (unsigned long long)run->collision_count);
    if (run->unknown_count > 0) {
        fprintf(stderr, ", %llu unknown", (unsigned long long)run->unknown_count);
    }
    fputc('\n', stderr);
    if (run->masked != NULL)
        gz_masked_tally_print(stderr, run->masked, run->checker, count - run->unknown_count);
}

static graze_status run_one(gz_check_run *run, const check_options *o, const gz_posture *rest,
                            graze_error *error) {
    gz_posture posture = {0};
    graze_status status = gz_posture_copy(&posture, rest, error);
    if (status == GRAZE_OK && o->q != NULL) {
        status = gz_posture_parse(&posture, run->robot, o->posture.joints, "-q", o->q, error);
    }
    if (status == GRAZE_OK) {
        gz_verdict_writer_begin(&run->writer);
        status = gz_check_run_one(run, 0, posture.q, posture.base, error);
    }
    if (status == GRAZE_OK && o->picture != NULL && run->unknown_count == 0) {
        gz_pictured_pose pose = {posture.q, posture.base};
        int drawn = gz_picture_output(o->picture, run->checker, &pose, 1);
        if (drawn > run->worst) run->worst = drawn;
    }
    gz_posture_free(&posture);
    return status;
}

static graze_status run_file(gz_check_run *run, const check_options *o, const gz_posture *rest,
                             graze_error *error) {
    gz_configuration_file file;
    graze_status status = gz_configuration_file_open(&file, o->configs, run->robot,
                                                     o->posture.joints, rest, error);
    if (status == GRAZE_OK) {
        gz_interrupt_catch();
        gz_verdict_writer_begin(&run->writer);
        status = gz_check_run_file(run, &file, error);
    }
    gz_configuration_file_close(&file);
    return status;
}

/// Runs and writes; the output takes its place only when everything was answered.
static int write_answer(gz_check_run *run, const check_options *o, const gz_posture *rest) {
    gz_output output;
    int status = gz_output_open(&output, o->output);
    if (status != GZ_EXIT_FINE) return status;
    run->writer.stream = output.stream;
    run->writer.colors = o->format == GZ_VERDICT_TEXT && gz_output_colors(output.stream);
    graze_error error;
    graze_status answered = o->configs != NULL ? run_file(run, o, rest, &error)
                                               : run_one(run, o, rest, &error);
    if (answered != GRAZE_OK) {
        fflush(output.stream);
        gz_output_abandon(&output);
        return gz_message_error("check", &error);
    }
    output.error = run->write_error;
    gz_verdict_writer_end(&run->writer);
    status = gz_output_finish(&output);
    if (status != GZ_EXIT_FINE) return status;
    run->finished = run->write_error == 0;
    print_summary(run, o);
    if (o->stats) print_stats(run);
    // Who reads the exit status alone must not take a file that lost its rows for a free path.
    if (run->free_count + run->collision_count + run->unknown_count == 0) {
        gz_message("%s: no configurations; allowed: one at least, nothing was checked",
                   configs_name(o));
        return GZ_EXIT_INPUT;
    }
    if (run->worst != GZ_EXIT_FINE) return run->worst;
    return run->collision_count > 0 ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

/// The same with a dump beside it, which takes its place only with the output.
static int answer(gz_check_run *run, const check_options *o, const gz_posture *rest) {
    if (o->dump == NULL) return write_answer(run, o, rest);
    gz_output output;
    int status = gz_output_open(&output, o->dump);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    gz_dump_writer dump = {.stream = output.stream,
                           .checker = run->checker,
                           .all = o->all,
                           .domain = o->input.domain,
                           .no_world = o->input.no_world};
    run->dump = &dump;
    status = gz_dump_writer_begin(&dump, &error) == GRAZE_OK ? write_answer(run, o, rest)
                                                             : gz_message_error("check", &error);
    // Configurations were dumped whatever the exit status says of them; what was cut off was not.
    bool whole = run->finished;
    if (whole) gz_dump_writer_end(&dump);
    gz_dump_writer_free(&dump);
    int written = whole ? gz_output_finish(&output) : status;
    gz_output_abandon(&output);
    return written > status ? written : status;
}

static int run_check(check_options *o, const char *robot) {
    gz_robot_input *input = &o->input;
    int status = gz_robot_input_load(input, robot,
                                     o->picture != NULL ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load_world(input);
    if (status == GZ_EXIT_FINE)
        status = gz_attach_input_apply(input, &o->posture, o->q, o->configs == NULL);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_make_checker(input);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    gz_posture rest;
    gz_masked_tally masked = {0};
    gz_check_run run = {.robot = input->robot,
                        .checker = input->checker,
                        .threads = (uint32_t)o->threads,
                        .enforce_limits = o->enforce_limits,
                        .quiet = input->quiet,
                        .masked = o->masked ? &masked : NULL,
                        .writer = {.format = (gz_verdict_format)o->format,
                                   .checker = input->checker,
                                   .many = o->configs != NULL,
                                   .all = o->all || o->suggest,
                                   .bounds = input->level == GRAZE_LEVEL_BOUNDS,
                                   .explain = o->explain,
                                   .masked = o->masked,
                                   .suggest = o->suggest}};
    if (gz_posture_make(&rest, input->robot, &o->posture, &error) != GRAZE_OK) {
        status = gz_message_error("check", &error);
    } else {
        status = gz_check_run_prepare(&run);
    }
    if (status == GZ_EXIT_FINE) status = answer(&run, o, &rest);
    gz_check_run_free(&run);
    gz_masked_tally_free(&masked);
    gz_posture_free(&rest);
    return status;
}

int gz_command_check(int argc, char **argv) {
    check_options options = {.input = gz_robot_input_default("check"), .threads = 1};
    const char *robot = NULL;
    int status = parse(&options, &robot, argc, argv);
    if (status == GZ_GO_ON) {
        status = check_usage(&options, robot);
        if (status == GZ_EXIT_FINE) status = run_check(&options, robot);
    }
    gz_robot_input_free(&options.input);
    return status;
}
