// graze info: what a robot is.
#include <string.h>

#include "cli/argument.h"
#include "cli/cost_report.h"
#include "cli/info/robot_summary.h"
#include "cli/input/robot_input.h"
#include "cli/loader_diff.h"
#include "cli/message.h"
#include "cli/output.h"

static const char *const format_names[] = {"text", "json", NULL};

typedef struct info_options {
    gz_robot_input input;
    const char *output;
    bool pairs, no_visuals, loader_diff, cost;
    int format;
    uint64_t samples, seed;
} info_options;

static const char about[] =
    "Says what a robot is: links, joints, the order of q with limits, triangles and bounds per\n"
    "link, groups and states of the SRDF, and which pairs of links are checked. ROBOT is a URDF\n"
    "file; '-' reads it from standard input.";

static const char examples[] = "  graze info robot.urdf\n"
                               "  graze info robot.urdf --srdf robot.srdf --pairs\n"
                               "  graze info robot.urdf --loader-diff\n"
                               "  graze info robot.urdf --srdf robot.srdf --cost\n"
                               "  xacro robot.xacro | graze info - --format json\n";

static int parse(info_options *o, const char **robot, int argc, char **argv) {
    gz_robot_options shared;
    gz_option answer[] = {
        gz_option_flag("pairs", &o->pairs,
                       "list every pair of links in check order, with what\nbecomes of it and why"),
        gz_option_flag("no-visuals", &o->no_visuals,
                       "do not load visual meshes to count their triangles"),
        gz_option_flag("loader-diff", &o->loader_diff,
                       "instead: every mesh with what its file says, and where\n"
                       "the profiles ros, spec and moveit place it"),
        gz_option_flag("cost", &o->cost,
                       "instead: each link's share of the triangles and of the\ntime of a check"),
        gz_option_count("samples", &o->samples, "N", 1, 10000000,
                        "of --cost: configurations (default 2000)"),
        gz_option_count("seed", &o->seed, "N", 0, UINT64_MAX, "of --cost: of these (default 0)"),
        gz_option_number(
            "domain", &o->input.domain, "M",
            "state pose_error and epsilon for coordinates up to M\nmetres (default 100)"),
        gz_option_choice("format", &o->format, "FORMAT", format_names, "text (default), json"),
        gz_option_output(&o->output),
    };
    gz_robot_input_options(&o->input, &shared);
    gz_option_section sections[] = {
        {"answer", answer, sizeof answer / sizeof *answer},
        shared.robot,
        shared.limits,
    };
    gz_command_line line = {.command = "info",
                            .synopsis = "info ROBOT [options]",
                            .about = about,
                            .examples = examples,
                            .sections = sections,
                            .section_count = sizeof sections / sizeof *sections,
                            .operand_name = "ROBOT"};
    int status = gz_command_line_parse(&line, argc, argv);
    *robot = line.operand;
    return status;
}

static int run_loader_diff(info_options *o, const char *robot) {
    gz_loader_diff diff;
    gz_output output = {0};
    int status = gz_loader_diff_make(&diff, &o->input, robot, !o->no_visuals);
    if (status == GZ_EXIT_FINE) status = gz_output_open(&output, o->output);
    if (status == GZ_EXIT_FINE) {
        if (o->format == 0) {
            gz_loader_diff_text(output.stream, &diff);
        } else {
            gz_loader_diff_json(output.stream, &diff);
        }
        status = gz_output_finish(&output);
    }
    gz_loader_diff_free(&diff);
    return status;
}

static int run_cost(info_options *o, const char *robot) {
    gz_cost_report report = {0};
    gz_output output = {0};
    graze_error error;
    int status = gz_robot_input_load(&o->input, robot, GRAZE_VISUALS_SKIP);
    if (status != GZ_EXIT_FINE) return status;
    if (gz_cost_report_make(&report, o->input.robot, (size_t)o->samples, o->seed, &error) !=
        GRAZE_OK)
        status = gz_message_error("info", &error);
    if (status == GZ_EXIT_FINE) status = gz_output_open(&output, o->output);
    if (status == GZ_EXIT_FINE) {
        if (o->format == 0) {
            gz_cost_report_text(output.stream, &report);
        } else {
            gz_cost_report_json(output.stream, &report);
        }
        status = gz_output_finish(&output);
    }
    gz_cost_report_free(&report);
    return status;
}

/// Options that contradict each other.
static int check_usage(const info_options *o, const char *robot) {
    if (o->loader_diff && o->cost)
        return gz_message_usage("info", "--loader-diff and --cost exclude each other");
    if (o->pairs && (o->loader_diff || o->cost))
        return gz_message_usage("info", "--pairs is for the summary; not with --loader-diff or "
                                        "--cost");
    if (o->loader_diff && strcmp(robot, "-") == 0)
        return gz_message_usage("info", "--loader-diff reads ROBOT three times; not from standard "
                                        "input");
    return gz_robot_input_check_domain(&o->input);
}

static int run_info(info_options *o, const char *robot) {
    int status = check_usage(o, robot);
    if (status != GZ_EXIT_FINE) return status;
    if (o->loader_diff) return run_loader_diff(o, robot);
    if (o->cost) return run_cost(o, robot);
    status = gz_robot_input_load(&o->input, robot,
                                 o->no_visuals ? GRAZE_VISUALS_SKIP : GRAZE_VISUALS_LOAD);
    if (status != GZ_EXIT_FINE) return status;
    gz_robot_summary summary;
    gz_output output = {0};
    if (!gz_robot_summary_make(&summary, o->input.robot, o->input.compiled, !o->no_visuals,
                               o->input.domain)) {
        status = gz_message_no_memory();
    } else {
        status = gz_output_open(&output, o->output);
    }
    if (status == GZ_EXIT_FINE) {
        if (o->format == 0) {
            gz_robot_summary_text(output.stream, &summary, o->pairs);
        } else {
            gz_robot_summary_json(output.stream, &summary, o->pairs);
        }
        status = gz_output_finish(&output);
    }
    gz_robot_summary_free(&summary);
    return status;
}

int gz_command_info(int argc, char **argv) {
    info_options options = {.input = gz_robot_input_default("info"), .samples = 2000};
    const char *robot = NULL;
    int status = parse(&options, &robot, argc, argv);
    if (status == GZ_GO_ON) status = run_info(&options, robot);
    gz_robot_input_free(&options.input);
    return status;
}
