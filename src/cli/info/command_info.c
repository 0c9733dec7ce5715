// graze info: what a robot is, and what each of its links costs (--cost).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "cli/argument.h"
#include "cli/info/robot_summary.h"
#include "cli/input/robot_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"
#include "graze/graze.h"

// ------------------------------------------------------------------------------- the cost of links

typedef struct link_cost {
    int32_t link;
    size_t triangles; ///< of its collision meshes and boxes
    double area;      ///< of the faces of its collision geometry's box, m^2
    double seconds;   ///< a configuration: of the checks of the pairs that it is in
    bool candidate;   ///< for decimation
} link_cost;

typedef struct cost_report {
    const graze_robot *robot;
    link_cost *links; ///< with collision geometry, by triangles, then by number
    size_t count, triangles, pairs, configurations;
    double seconds;      ///< a configuration: of all pairs, posing included
    double posing;       ///< of it, without any pair
    double link_seconds; ///< the sum over the links: each pair counts for both
    size_t candidate_triangles;
} cost_report;

// Time is the least of so many runs: what else the machine does only ever adds.
#define RUNS 3

// A link is a candidate for decimation when it holds a good part of the robot's triangles although
// it is small: many of them to its size.
#define CANDIDATE_TRIANGLES 500
#define CANDIDATE_SHARE     0.05
#define CANDIDATE_DENSITY   4.0

// ---------------------------------------------------------------------------------------- sampling

/// Rows of q: joints that turn or slide anywhere in their range, the others at rest.
static double *sample(const graze_robot *robot, size_t count, uint64_t seed) {
    gz_random random = {seed};
    size_t size = graze_robot_q_size(robot);
    double *q = gz_malloc(count * size, sizeof *q);
    for (size_t i = 0; q != NULL && i < count; i++) {
        double *row = q + i * size;
        graze_robot_rest(robot, row);
        for (size_t k = 0; k < size; k++) {
            graze_joint_info joint = gz_joint_of_column(robot, k);
            if (joint.q_count != 1) continue;
            double unit = gz_random_unit(&random);
            if (joint.limited)
                row[k] = joint.lower + (joint.upper - joint.lower) * unit;
            else if (joint.type == GRAZE_JOINT_CONTINUOUS)
                row[k] = M_PI * (2 * unit - 1);
        }
    }
    return q;
}

// --------------------------------------------------------------------------------------- measuring

typedef struct meter {
    const graze_checker *checker;
    graze_rules *rules; ///< the checker's, less what is not measured
    double *q;
    uint8_t *verdicts;
    size_t count;
    graze_error *error;
} meter;

/// The time of one configuration when only what `link` is in counts; -1: all, -2: nothing.
static graze_status measure(meter *m, int32_t link, double *seconds) {
    graze_rules_reset(m->rules);
    if (link != -1) GZ_TRY(graze_rules_keep_links(m->rules, &link, link >= 0 ? 1 : 0, m->error));
    *seconds = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        graze_batch batch = graze_batch_default();
        batch.count = m->count;
        batch.q = m->q;
        batch.verdicts = m->verdicts;
        batch.rules = m->rules;
        double started = gz_clock();
        GZ_TRY(graze_check_batch(m->checker, &batch, m->error));
        *seconds = fmin(*seconds, (gz_clock() - started) / (double)m->count);
    }
    return GRAZE_OK;
}

static graze_status measure_all(cost_report *report, meter *m) {
    GZ_TRY(measure(m, -1, &report->seconds));
    GZ_TRY(measure(m, -2, &report->posing));
    for (size_t i = 0; i < report->count; i++) {
        link_cost *link = &report->links[i];
        GZ_TRY(measure(m, link->link, &link->seconds));
        link->seconds = fmax(link->seconds - report->posing, 0);
        report->link_seconds += link->seconds;
    }
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- counting

static int compare(const void *x, const void *y) {
    const link_cost *a = x, *b = y;
    if (a->triangles != b->triangles) return a->triangles > b->triangles ? -1 : 1;
    return (a->link > b->link) - (a->link < b->link);
}

static double face_area(const graze_aabb *box) {
    double x = box->max.x - box->min.x, y = box->max.y - box->min.y, z = box->max.z - box->min.z;
    return 2 * (x * y + y * z + z * x);
}

static void choose_candidates(cost_report *report) {
    double area = 0;
    for (size_t i = 0; i < report->count; i++)
        if (report->links[i].triangles > 0) area += report->links[i].area;
    for (size_t i = 0; i < report->count; i++) {
        link_cost *link = &report->links[i];
        double share = (double)link->triangles / (double)report->triangles;
        // As much of the area as of the triangles would be a share of the density of 1.
        link->candidate = link->triangles >= CANDIDATE_TRIANGLES && share >= CANDIDATE_SHARE &&
                          share * area >= CANDIDATE_DENSITY * link->area;
        if (link->candidate) report->candidate_triangles += link->triangles;
    }
}

static graze_status count_links(cost_report *report, const graze_rules *rules, graze_error *error) {
    const graze_robot *robot = report->robot;
    size_t links = graze_robot_link_count(robot);
    report->links = gz_malloc(links, sizeof *report->links);
    if (report->links == NULL) return gz_fail_memory(error);
    for (int32_t i = 0; i < (int32_t)links; i++) {
        graze_link_bounds bounds;
        if (graze_robot_link_bounds(robot, i, &bounds) != GRAZE_OK || bounds.empty) continue;
        report->links[report->count++] = (link_cost){
            .link = i, .triangles = bounds.triangle_count, .area = face_area(&bounds.aabb)};
        report->triangles += bounds.triangle_count;
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++)
        report->pairs += gz_pair_under_rules(rules, gz_pair_at(robot, i)) == GRAZE_PAIR_CHECKED;
    qsort(report->links, report->count, sizeof *report->links, compare);
    if (report->triangles > 0) choose_candidates(report);
    return GRAZE_OK;
}

/// Counts, and measures on configurations that are sampled within the limits (an endless joint:
/// one turn). Free in any case.
static graze_status make_cost_report(cost_report *report, const graze_checker *checker,
                                     size_t samples, uint64_t seed, graze_error *error) {
    *report = (cost_report){.robot = graze_checker_robot(checker), .configurations = samples};
    meter m = {.checker = checker, .count = samples, .error = error};
    graze_status status = graze_rules_create(&m.rules, checker, error);
    if (status == GRAZE_OK) status = count_links(report, m.rules, error);
    m.q = sample(report->robot, samples, seed);
    m.verdicts = gz_malloc(samples, 1);
    if (status == GRAZE_OK && (m.q == NULL || m.verdicts == NULL)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = measure_all(report, &m);
    graze_rules_free(m.rules);
    gz_free(m.q);
    gz_free(m.verdicts);
    return status;
}

// ------------------------------------------------------------------------------------------ output

static double share(double amount, double whole) {
    return whole > 0 ? 100 * amount / whole : 0;
}

static void write_cost_text(FILE *stream, const cost_report *report) {
    size_t width = strlen("link");
    for (size_t i = 0; i < report->count; i++) {
        size_t n = strlen(graze_robot_link_name(report->robot, report->links[i].link));
        if (n > width) width = n;
    }
    fprintf(stream, "%zu triangles, %zu pairs checked; %zu sampled configurations: %.2f us each, ",
            report->triangles, report->pairs, report->configurations, 1e6 * report->seconds);
    fprintf(stream, "of these %.2f us each for posing\n\n", 1e6 * report->posing);
    fprintf(stream, "%-*s  %9s  %8s  %14s  %6s\n", (int)width, "link", "triangles", "of all",
            "time", "of all");
    for (size_t i = 0; i < report->count; i++) {
        const link_cost *link = &report->links[i];
        fprintf(stream, "%-*s  %9zu  %6.1f %%  %6.2f us each  %4.1f %%%s\n", (int)width,
                GZ_PLAIN(graze_robot_link_name(report->robot, link->link)), link->triangles,
                share((double)link->triangles, (double)report->triangles), 1e6 * link->seconds,
                share(link->seconds, report->link_seconds), link->candidate ? "  candidate" : "");
    }
    // A candidate has triangles.
    if (report->candidate_triangles == 0) {
        fputs("\nno candidates for decimation\n", stream);
        return;
    }
    fputs("\ncandidates for decimation:", stream);
    for (size_t i = 0; i < report->count; i++)
        if (report->links[i].candidate)
            fprintf(stream, " %s",
                    GZ_PLAIN(graze_robot_link_name(report->robot, report->links[i].link)));
    fprintf(stream, ", %.1f %% of all triangles\n",
            share((double)report->candidate_triangles, (double)report->triangles));
}

static void write_cost_json(FILE *stream, const cost_report *report) {
    gz_json json = gz_json_begin(stream, "graze-cost-1");
    gz_json_put(&json,
                "robot=%s triangles=%zu pairs=%zu configurations=%zu candidate_triangles=%zu "
                "seconds=%g posing_seconds=%g links=[",
                graze_robot_name(report->robot), report->triangles, report->pairs,
                report->configurations, report->candidate_triangles, report->seconds,
                report->posing);
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < report->count; i++) {
        const link_cost *link = &report->links[i];
        gz_json_put(
            &json,
            "{ link=%s triangles=%zu triangle_share=%g seconds=%g time_share=%g candidate=%i }",
            graze_robot_link_name(report->robot, link->link), link->triangles,
            share((double)link->triangles, (double)report->triangles) / 100, link->seconds,
            share(link->seconds, report->link_seconds) / 100, link->candidate);
    }
    gz_json_finish(&json);
}

// ----------------------------------------------------------------------------------------- command

static const char *const format_names[] = {"text", "json", NULL};

typedef struct info_options {
    gz_robot_input input;
    const char *output, *q;
    bool pairs, loader_diff, cost;
    int format;
    uint64_t samples, seed;
} info_options;

static const gz_command_line command_line = {
    .command = "info",
    .synopsis = "info ROBOT [options]",
    .about =
        "Says what a robot is: links, joints, the order of q with limits, triangles and bounds per\n"
        "link, groups and states of the SRDF, and which pairs of links are checked; with -q where the\n"
        "links are. ROBOT is a URDF file, '-' standard input, or a mesh file: a robot of one link.",
    .examples = "  graze info robot.urdf\n"
                "  graze info robot.urdf --srdf robot.srdf --pairs\n"
                "  graze info robot.urdf -q elbow=1.2\n"
                "  graze info part.stl\n"
                "  graze info robot.urdf --loader-diff\n"
                "  graze info robot.urdf --srdf robot.srdf --cost\n"
                "  xacro robot.xacro | graze info - --format json\n",
    .operand_name = "ROBOT",
};

/// Whether the links' poses are to be told.
static bool wants_poses(const info_options *o) {
    const gz_posture_options *p = &o->input.posture;
    return o->q != NULL || p->rest != NULL || p->state != NULL || p->base != NULL;
}

/// Whether there are options of worlds, attached bodies and rules.
static bool has_rules(const gz_robot_input *i) {
    return i->worlds.count + i->attached.count + i->allowed.count + i->margins.count +
                   i->policies.count >
               0 ||
           i->no_self || i->no_world || i->level != GRAZE_LEVEL_MESH;
}

/// Options that contradict each other.
static int check_usage(const info_options *o) {
    const gz_usage_rule rules[] = {
        {o->loader_diff && o->cost, "--loader-diff and --cost exclude each other"},
        {o->pairs && (o->loader_diff || o->cost),
         "--pairs is for the summary; not with --loader-diff or --cost"},
        {wants_poses(o) && (o->loader_diff || o->cost),
         "-q, --state, --rest and --base are for the summary; not with --loader-diff or --cost"},
        {o->loader_diff && has_rules(&o->input),
         "--loader-diff is about mesh files; not with a world, attached bodies or rules"},
        {o->cost && o->input.level == GRAZE_LEVEL_BOUNDS, "--cost is for --level mesh"},
        {o->loader_diff && strcmp(o->input.path, "-") == 0,
         "--loader-diff reads ROBOT three times; not from standard input"},
    };
    return gz_usage_check("info", rules, GZ_COUNT(rules));
}

static int parse(info_options *o, int argc, char **argv) {
    gz_option what[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "also the links' poses in the world at a configuration:\n"
                 "numbers or joint=value,..."},
    };
    gz_option answer[] = {
        {"pairs", NULL, .flag = &o->pairs,
         .help = "list every pair of links in check order, with what\nbecomes of it and why"},
        {"loader-diff", NULL, .flag = &o->loader_diff,
         .help = "instead: every mesh with what its file says, where the\n"
                 "profiles ros, spec and moveit place it, and whether\n"
                 "assimp reads the same"},
        {"cost", NULL, .flag = &o->cost,
         .help = "instead: each link's share of the triangles and of the\ntime of a check"},
        {"samples", "N", .count = &o->samples, .minimum = 1, .maximum = 10000000,
         .help = "of --cost: configurations (default 2000)"},
        {"seed", "N", .count = &o->seed, .help = "of --cost: of these (default 0)"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("configuration", what),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

static int run_cost(info_options *o) {
    cost_report report = {0};
    gz_output output;
    graze_error error;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_SKIP, NULL, false));
    graze_status made = make_cost_report(&report, o->input.checker, (size_t)o->samples, o->seed,
                                         &error);
    int status = gz_message_outcome("info", made, &error);
    if (status == GZ_EXIT_FINE) {
        if (gz_output_open(&output, o->output) == GZ_EXIT_FINE)
            (o->format == 0 ? write_cost_text : write_cost_json)(output.stream, &report);
        status = gz_output_finish(&output);
    }
    gz_free(report.links);
    return status;
}

/// Poses the robot at -q, on top of --rest, --state and --base. Free *poses.
static int pose_links(const info_options *o, graze_transform **poses) {
    const graze_robot *robot = o->input.robot;
    graze_error error;
    gz_posture posture;
    graze_status status = gz_posture_make(&posture, robot, &o->input.posture, &error);
    if (status == GRAZE_OK && o->q != NULL)
        status = gz_posture_parse(&posture, robot, o->input.posture.joints, "-q", o->q, &error);
    *poses = gz_malloc(graze_robot_link_count(robot), sizeof **poses);
    if (status == GRAZE_OK && *poses == NULL) status = gz_fail_memory(&error);
    if (status == GRAZE_OK)
        status = graze_robot_pose(robot, posture.q, posture.size, posture.base, *poses, &error);
    gz_posture_free(&posture);
    return gz_message_outcome("info", status, &error);
}

static int run_summary(info_options *o) {
    gz_robot_summary summary;
    gz_output output;
    int status = GZ_EXIT_FINE;
    graze_transform *poses = NULL;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_LOAD, o->q, true));
    if (wants_poses(o)) status = pose_links(o, &poses);
    if (status != GZ_EXIT_FINE) {
        gz_free(poses);
        return status;
    }
    if (gz_robot_summary_make(&summary, &o->input)) {
        summary.poses = poses;
        if (gz_output_open(&output, o->output) == GZ_EXIT_FINE)
            (o->format == 0 ? gz_robot_summary_text : gz_robot_summary_json)(output.stream,
                                                                             &summary, o->pairs);
        status = gz_output_finish(&output);
    } else {
        status = gz_message_no_memory();
    }
    gz_robot_summary_free(&summary);
    gz_free(poses);
    return status;
}

static int run_info(info_options *o) {
    GZ_TRY_EXIT(gz_robot_input_check_domain(&o->input));
    if (o->loader_diff)
        return gz_loader_diff_write(&o->input, o->output, !o->input.no_visuals, o->format == 1);
    return o->cost ? run_cost(o) : run_summary(o);
}

int gz_command_info(int argc, char **argv) {
    info_options options = {.input = gz_robot_input_default("info"), .samples = 2000};
    options.input.shared = GZ_SHARED_CHECKER;
    options.input.mesh_allowed = true;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_info(&options);
    gz_robot_input_free(&options.input);
    return status;
}
