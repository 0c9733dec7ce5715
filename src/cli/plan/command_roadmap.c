// graze roadmap: roadmaps whose edges are proved free: made, searched, brought to another world.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform.h"
#include "cli/argument.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/plan/path_ends.h"
#include "cli/plan/path_writer.h"

static const char *const format_names[] = {"csv", "json", NULL};

/// What the command line of one of the commands says, and what is made of it.
typedef struct roadmap_run {
    gz_robot_input input;
    const char *file, *output;
    gz_path_ends ends;
    bool planar_base;
    int format; ///< an index into format_names
    graze_roadmap_options options;
    graze_roadmap_query query;
    graze_roadmap *map;
    graze_roadmap_update update;
} roadmap_run;

static roadmap_run make_run(const char *command) {
    roadmap_run r = {.input = gz_robot_input_default(command),
                     .ends = gz_path_ends_default(),
                     .options = graze_roadmap_options_default(),
                     .query = graze_roadmap_query_default()};
    r.input.shared = GZ_SHARED_CHECKER;
    r.input.least_margin = true;
    r.options.cancel = gz_interrupt_flag();
    r.query.cancel = gz_interrupt_flag();
    return r;
}

static int end_run(roadmap_run *r, int status) {
    graze_roadmap_free(r->map);
    gz_robot_input_free(&r->input);
    return status;
}

/// Loads robot, world and rules; from then on Ctrl-C ends the work.
static int prepare(roadmap_run *r) {
    GZ_TRY_EXIT(gz_robot_input_prepare(&r->input, GRAZE_VISUALS_CHECK, NULL, false));
    gz_interrupt_catch();
    return GZ_EXIT_FINE;
}

static int outcome_of(const roadmap_run *r, graze_status status, const graze_error *error) {
    if (status == GRAZE_ERROR_CANCELLED) return gz_interrupt_exit();
    return gz_message_outcome(r->input.command, status, error);
}

/// Reads the file; with `options` it becomes one of the world that is given.
static int read_map(roadmap_run *r, const graze_roadmap_options *options) {
    const unsigned char *bytes;
    size_t size;
    graze_error error;
    graze_status status = gz_file_map(r->file, &bytes, &size, &error);
    if (status == GRAZE_OK) {
        status = graze_roadmap_unpack(&r->map, bytes, size, r->input.checker, options, &r->update,
                                      &error);
        if (status != GRAZE_OK) gz_error_locate(&error, (gz_place){.file = r->file});
        gz_file_unmap(bytes, size);
    }
    return outcome_of(r, status, &error);
}

static int write_map(const roadmap_run *r) {
    unsigned char *bytes;
    size_t size;
    graze_error error;
    graze_status status = graze_roadmap_pack(&bytes, &size, r->map, &error);
    if (status != GRAZE_OK) return gz_message_error(r->input.command, &error);
    int written = gz_output_write_file(r->output, bytes, size);
    graze_roadmap_bytes_free(bytes);
    return written;
}

static void print_info(const graze_roadmap *map, FILE *stream) {
    graze_roadmap_info i;
    graze_roadmap_describe(map, &i);
    fprintf(stream,
            "%" PRIu64 " nodes of %" PRIu64 " samples (seed %" PRIu64 "), %u neighbours, %u "
            "numbers vary\n",
            i.nodes, i.samples, i.seed, (unsigned)i.neighbours, (unsigned)i.dimension);
    fprintf(stream,
            "%" PRIu64 " edges proved free of %" PRIu64 "; blocked by the robot %" PRIu64
            ", by the world %" PRIu64 ", undecided %" PRIu64 "\n",
            i.free, i.edges, i.self, i.world, i.undecided);
    fprintf(stream, "%" PRIu64 " components, the largest of %" PRIu64 " nodes; %" PRIu64 " bytes\n",
            i.components, i.largest, i.bytes);
}

static int check_output(const roadmap_run *r) {
    const gz_usage_rule rules[] = {
        {r->output == NULL, "--output is missing; allowed: -o FILE, '-' for standard output"},
        {r->input.level == GRAZE_LEVEL_BOUNDS, "roadmaps are for --level mesh"},
    };
    return gz_usage_check(r->input.command, rules, GZ_COUNT(rules));
}

#define THREADS_OPTION(target)                                                                     \
    {                                                                                              \
        "threads", "N", .count32 = (target), .maximum = 1024,                                      \
                        .help = "(default 1; 0: one per processor); same result"                   \
    }
#define TIME_OPTION(target)                                                                        \
    { "time", "S", .number = (target), .infinite = true, .help = "seconds (default: no limit)" }

// ------------------------------------------------------------------------------------------ build

static int run_build(roadmap_run *r) {
    gz_posture rest = {0};
    gz_columns columns = {0};
    graze_error error;
    GZ_TRY_EXIT(prepare(r));
    const char *joints = r->input.posture.joints;
    graze_status status = gz_posture_make(&rest, r->input.robot, &r->input.posture, &error);
    if (status == GRAZE_OK && joints)
        status = gz_columns_of_joints(&columns, r->input.robot, joints, "joints, and --planar-base",
                                      &error);
    r->options.planar_base = r->planar_base;
    r->options.columns = joints ? columns.places : NULL;
    r->options.column_count = columns.count;
    if (status == GRAZE_OK)
        status = graze_roadmap_build(&r->map, r->input.checker, rest.q, rest.base, &r->options,
                                     &error);
    gz_columns_free(&columns);
    gz_posture_free(&rest);
    GZ_TRY_EXIT(outcome_of(r, status, &error));
    GZ_TRY_EXIT(write_map(r));
    if (!r->input.quiet) print_info(r->map, stderr);
    return GZ_EXIT_FINE;
}

static int build(int argc, char **argv) {
    static const gz_command_line line = {
        .command = "roadmap build",
        .synopsis = "roadmap build ROBOT -o ROADMAP [options]",
        .about =
            "Builds a roadmap: random configurations, each joined to its nearest neighbours where\n"
            "the whole motion is proved free. For 'graze roadmap query' with the same robot, rules\n"
            "and world; 'graze roadmap update' makes it one of another world. Without --margin and\n"
            "the SRDF's margins the least one counts, epsilon.",
        .examples =
            "  graze roadmap build robot.urdf --world shelf.json --nodes 5000 -o shelf.roadmap\n",
        .operand_name = "ROBOT",
    };
    roadmap_run r = make_run("roadmap build");
    graze_roadmap_options *o = &r.options;
    r.input.joints_help = "the joints that vary (default: all of q but passive joints\n"
                          "of the SRDF)";
    gz_option how[] = {
        {"nodes", "N", .count = &o->nodes, .minimum = 2, .maximum = 1 << 24,
         .help = "configurations (default 1000)"},
        {"neighbours", "N", .count32 = &o->neighbours,
         .help = "of each (default 0: those of PRM*)"},
        {"planar-base", NULL, .flag = &r.planar_base,
         .help = "the base's x, y and yaw vary, too, in the world's boundary"},
        {"resolution", "M", .number = &o->resolution,
         .help = "metres: what comes nearer may stay unproved (default 0.001)"},
        {"seed", "N", .count = &o->seed, .help = "of the random numbers (default 1)"},
        {"samples", "N", .count = &o->max_samples,
         .help = "at most, for the nodes (default 100000000)"},
        {"bytes", "N", .count = &o->max_bytes,
         .help = "of the roadmap, at most (default: no limit)"},
        TIME_OPTION(&o->max_seconds),
        THREADS_OPTION(&o->threads),
    };
    gz_option answer[] = {GZ_OPTION_OUTPUT(&r.output)};
    const gz_option_section own[] = {GZ_SECTION("roadmap", how), GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&r.input, &line, own, GZ_COUNT(own), argc, argv);
    if (status == GZ_GO_ON) status = check_output(&r);
    return end_run(&r, status == GZ_GO_ON ? run_build(&r) : status);
}

// ----------------------------------------------------------------------------------------- update

static int run_update(roadmap_run *r) {
    const graze_roadmap_update *u = &r->update;
    GZ_TRY_EXIT(prepare(r));
    GZ_TRY_EXIT(read_map(r, &r->options));
    GZ_TRY_EXIT(write_map(r));
    if (r->input.quiet) return GZ_EXIT_FINE;
    fprintf(stderr,
            "%" PRIu64 " objects gone or moved, %" PRIu64 " new or moved; %" PRIu64 " of %" PRIu64
            " edges tested: %" PRIu64 " opened, %" PRIu64 " closed\n",
            u->removed, u->added, u->tested, u->edges, u->opened, u->closed);
    return GZ_EXIT_FINE;
}

static int update(int argc, char **argv) {
    roadmap_run r = make_run("roadmap update");
    r.input.no_posture = true;
    const gz_command_line line = {
        .command = "roadmap update",
        .synopsis = "roadmap update ROBOT ROADMAP -o NEW [options]",
        .about =
            "Makes a roadmap one of the world that is given now: the one that 'graze roadmap build'\n"
            "would make there, but tests only the edges that the change of the world can reach.",
        .examples =
            "  graze roadmap update robot.urdf old.roadmap --world moved.json -o new.roadmap\n",
        .operand_name = "ROBOT",
        .second_name = "ROADMAP",
        .second = &r.file,
    };
    gz_option answer[] = {TIME_OPTION(&r.options.max_seconds), THREADS_OPTION(&r.options.threads),
                          GZ_OPTION_OUTPUT(&r.output)};
    const gz_option_section own[] = {GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&r.input, &line, own, GZ_COUNT(own), argc, argv);
    if (status == GZ_GO_ON) status = check_output(&r);
    return end_run(&r, status == GZ_GO_ON ? run_update(&r) : status);
}

// ------------------------------------------------------------------------------------------- info

static int run_info(roadmap_run *r) {
    GZ_TRY_EXIT(prepare(r));
    GZ_TRY_EXIT(read_map(r, NULL));
    print_info(r->map, stdout);
    return GZ_EXIT_FINE;
}

static int info(int argc, char **argv) {
    roadmap_run r = make_run("roadmap info");
    r.input.no_posture = true;
    const gz_command_line line = {
        .command = "roadmap info",
        .synopsis = "roadmap info ROBOT ROADMAP [options]",
        .about =
            "Says how many nodes and edges a roadmap has and what blocks the others; and that it is\n"
            "whole, and of this robot, these rules and this world.",
        .operand_name = "ROBOT",
        .second_name = "ROADMAP",
        .second = &r.file,
    };
    int status = gz_robot_input_parse(&r.input, &line, NULL, 0, argc, argv);
    return end_run(&r, status == GZ_GO_ON ? run_info(&r) : status);
}

// ------------------------------------------------------------------------------------------ query

/// Prints why there is no path. Returns the exit status.
static int explain(const roadmap_run *r, const graze_roadmap_result *result,
                   const gz_posture ends[2]) {
    graze_joint_info joint;
    const graze_checker *checker = r->input.checker;
    int end = result->outcome == GRAZE_ROADMAP_GOAL_COLLIDES ||
                      result->outcome == GRAZE_ROADMAP_GOAL_LIMITS ||
                      result->outcome == GRAZE_ROADMAP_GOAL_ALONE
                  ? GZ_GOAL
                  : GZ_START;
    const char *name = end == GZ_GOAL ? "goal" : "start";
    switch (result->outcome) {
    case GRAZE_ROADMAP_START_COLLIDES:
    case GRAZE_ROADMAP_GOAL_COLLIDES:
        return gz_path_end_collides(checker, end, &result->contact);
    case GRAZE_ROADMAP_START_LIMITS:
    case GRAZE_ROADMAP_GOAL_LIMITS:
        return gz_path_end_exceeds(r->input.robot, end, result->joint, ends[end].q);
    case GRAZE_ROADMAP_OTHER_JOINT:
        if (graze_robot_joint(r->input.robot, result->joint, &joint) == GRAZE_OK)
            gz_message("no path: joint '%s', which does not vary, stands elsewhere in the roadmap",
                       joint.name);
        else
            gz_message("no path: the base stands elsewhere in the roadmap");
        return GZ_EXIT_FINDING;
    case GRAZE_ROADMAP_START_ALONE:
    case GRAZE_ROADMAP_GOAL_ALONE:
        if (result->contact.link < 0)
            gz_message("no path: no motion between the %s and a node near it is proved free", name);
        else
            gz_message("no path: no motion between the %s and a node near it is proved free; most "
                       "are blocked by %s and %s",
                       name, graze_contact_link_name(checker, &result->contact),
                       graze_contact_other_name(checker, &result->contact));
        return GZ_EXIT_FINDING;
    case GRAZE_ROADMAP_ITERATIONS:
        gz_message("no path yet: %" PRIu64 " nodes are searched; --iterations allows more",
                   r->query.max_iterations);
        return GZ_EXIT_LIMIT;
    case GRAZE_ROADMAP_TIME:
        return gz_path_time_is_spent(r->query.max_seconds);
    case GRAZE_ROADMAP_CANCELLED:
        return gz_path_interrupted();
    default:
        gz_message("no path in this roadmap: start and goal are joined to nodes that are in "
                   "different components");
        return GZ_EXIT_FINDING;
    }
}

static void print_summary(const graze_roadmap_result *result) {
    fprintf(stderr,
            "path: %zu waypoints, proved free, length %.3f; %" PRIu64 " motions tested, %" PRIu64
            " nodes searched, %.3f ms\n",
            result->waypoints, result->length, result->motions, result->iterations,
            1e3 * result->seconds);
}

/// Writes the path, or why there is none. Returns the exit status.
static int answer(const roadmap_run *r, const graze_roadmap_workspace *workspace,
                  const graze_roadmap_result *result, const gz_posture ends[2]) {
    graze_error error;
    graze_path *path = NULL;
    bool found = result->outcome == GRAZE_ROADMAP_FOUND;
    const gz_path_output output = {.file = r->output, .json = r->format == 1};
    int why = found ? GZ_EXIT_FINE : explain(r, result, ends);
    if (result->outcome == GRAZE_ROADMAP_CANCELLED || (!found && !output.json)) return why;
    if (found && graze_roadmap_path(&path, workspace, &error) != GRAZE_OK)
        return gz_message_error(r->input.command, &error);
    int written = gz_roadmap_answer_write(&output, r->input.checker, result, path);
    graze_path_free(path);
    if (written != GZ_EXIT_FINE) return written;
    if (found && !r->input.quiet) print_summary(result);
    return why;
}

static int find_between(const roadmap_run *r, const gz_posture ends[2]) {
    graze_roadmap_workspace *workspace;
    graze_roadmap_result result;
    graze_error error;
    graze_status status = graze_roadmap_workspace_create(&workspace, r->map, &error);
    if (status == GRAZE_OK)
        status = graze_roadmap_find(workspace, ends[0].q, ends[0].base, ends[1].q, ends[1].base,
                                    &r->query, &result, &error);
    int code = outcome_of(r, status, &error);
    if (code == GZ_EXIT_FINE) code = answer(r, workspace, &result, ends);
    graze_roadmap_workspace_free(workspace);
    return code;
}

static int run_query(roadmap_run *r) {
    gz_posture ends[2] = {{0}, {0}};
    graze_error error;
    GZ_TRY_EXIT(prepare(r));
    GZ_TRY_EXIT(read_map(r, NULL));
    graze_status status = GRAZE_OK;
    for (int i = 0; i < 2 && status == GRAZE_OK; i++)
        status = gz_posture_make_end(&ends[i], r->input.robot, &r->input.posture, &r->ends.of[i],
                                     &error);
    int code = outcome_of(r, status, &error);
    if (code == GZ_EXIT_FINE) code = find_between(r, ends);
    for (int i = 0; i < 2; i++) gz_posture_free(&ends[i]);
    return code;
}

static int query(int argc, char **argv) {
    roadmap_run r = make_run("roadmap query");
    const gz_command_line line = {
        .command = "roadmap query",
        .synopsis = "roadmap query ROBOT ROADMAP [options]",
        .about =
            "Finds a path in a roadmap and prints its waypoints (base pose and q), which\n"
            "'graze check --configs' and 'graze motion --path' read; all of it is proved free. When\n"
            "there is none it says why; 'no path' never means that there is none.",
        .examples =
            "  graze roadmap query robot.urdf shelf.roadmap --world shelf.json --goal elbow=1\n",
        .operand_name = "ROBOT",
        .second_name = "ROADMAP",
        .second = &r.file,
    };
    r.input.joints_help = "the joints that the numbers of --start and --goal are, in\n"
                          "order (default: all of q)";
    gz_option ends[] = {GZ_OPTIONS_OF_ENDS(&r.ends)};
    gz_option answer[] = {
        {"neighbours", "N", .count32 = &r.query.neighbours,
         .help = "nodes that an end is joined to, at most (default: as many\nas nodes to each "
                 "other)"},
        {"budget", "N", .count = &r.query.budget,
         .help = "tests of a pair for a motion to a node, after which another\n"
                 "node is tried first (default 500; 0: no limit)"},
        {"iterations", "N", .count = &r.query.max_iterations,
         .help = "nodes that are searched, at most (default: no limit)"},
        TIME_OPTION(&r.query.max_seconds),
        {"format", "FORMAT", .choice = &r.format, .choices = format_names,
         .help = "csv (default), json: also why there is no path"},
        GZ_OPTION_OUTPUT(&r.output),
    };
    const gz_option_section own[] = {GZ_SECTION("start and goal", ends),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&r.input, &line, own, GZ_COUNT(own), argc, argv);
    const gz_usage_rule rules[] = {
        {!gz_path_end_is_given(&r.ends, GZ_GOAL),
         "the goal is missing; allowed: --goal, --goal-state, --goal-base"},
    };
    if (status == GZ_GO_ON) status = gz_usage_check(line.command, rules, GZ_COUNT(rules));
    return end_run(&r, status == GZ_GO_ON ? run_query(&r) : status);
}

int gz_command_roadmap(int argc, char **argv) {
    static const gz_command commands[] = {
        {"build", build, "configurations, and the motions between them that are proved free"},
        {"query", query, "a path between two configurations"},
        {"update", update, "the roadmap in another world, from the one in an old world"},
        {"info", info, "nodes and edges, and what blocks the others"},
    };
    static const gz_command_list list = {
        .name = "roadmap",
        .commands = commands,
        .count = GZ_COUNT(commands),
        .width = 6,
        .about = "usage: graze roadmap COMMAND ...\n\nRoadmaps whose edges are proved free.\n",
        .notes = "\n  graze roadmap COMMAND --help    a command's options\n",
    };
    return gz_command_list_run(&list, argc - 1, argv + 1);
}
