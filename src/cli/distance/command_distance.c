// graze distance: how far is the robot from itself and from its world?

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

enum { TEXT, JSON, JSONL, CSV, NPY };
static const char *const format_names[] = {"text", "json", "jsonl", "csv", "npy", NULL};

typedef struct distance_options {
    gz_robot_input input;
    const char *q, *configs, *output;
    graze_distance_options distance;
    bool all, bound, gradient, depth, stats;
    uint64_t nearest;
    int format;
} distance_options;

static const gz_command_line command_line = {
    .command = "distance",
    .synopsis = "distance ROBOT [options]",
    .about =
        "Tells the least distance of the robot from itself and its world, or that of every pair\n"
        "within a reach: a lower and an upper bound in metres, both names, a point of each in the\n"
        "world, and the normal from the first to the second. An overlap is at distance 0; margins\n"
        "are not subtracted. Without -q and --configs the rest configuration is measured.\n"
        "ROBOT is a URDF file; '-' reads it from standard input.",
    .examples = "  graze distance robot.urdf -q 0.1,0.2,0.3 --world shelf.json\n"
                "  graze distance robot.urdf --all --reach 0.05\n"
                "  graze distance robot.urdf --configs q.npy --format npy -o d.npy\n",
    .operand_name = "ROBOT",
};

static int check_usage(const distance_options *o) {
    const char *joints = o->input.posture.joints;
    bool npy = o->format == NPY, printed = !o->output || strcmp(o->output, "-") == 0;
    bool both_stdin = strcmp(o->input.path, "-") == 0 && o->configs && strcmp(o->configs, "-") == 0;
    const gz_usage_rule rules[] = {
        {o->q && o->configs, "-q and --configs exclude each other"},
        {both_stdin, "ROBOT and --configs cannot both be standard input"},
        {o->all + o->bound + (o->nearest > 0) > 1,
         "--all, --nearest and --bound exclude each other"},
        {o->all && isinf(o->distance.threshold), "--all needs --reach D: how far is far enough"},
        {npy && (o->all || o->nearest || o->gradient || o->depth),
         "--format npy has the two bounds alone; not with --all, --nearest, --gradient and --depth"},
        {joints && !o->q && !o->configs, "--joints names the numbers of -q or --configs"},
        {joints && o->q && strchr(o->q, '='), "-q names its joints itself; not with --joints"},
        {npy && printed && isatty(STDOUT_FILENO) == 1,
         "--format npy is not for a terminal; give -o FILE"},
        {o->input.level == GRAZE_LEVEL_BOUNDS, "distances are for --level mesh"},
    };
    return gz_usage_check("distance", rules, GZ_COUNT(rules));
}

static int parse(distance_options *o, int argc, char **argv) {
    gz_option what[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "one configuration: numbers or joint=value,..."},
        {"configs", "FILE", .text = &o->configs, .file = GZ_FILE_READ,
         .help = "many: .npy or .csv as for 'graze check --configs';\n'-': standard input"},
    };
    gz_option answer[] = {
        {"all", NULL, .flag = &o->all, .help = "every pair within --reach, in the order of checks"},
        {"nearest", "K", .count = &o->nearest, .minimum = 1, .maximum = 1000000,
         .help = "the K nearest pairs, nearest first"},
        {"reach", "D", .number = &o->distance.threshold,
         .help = "metres: what is farther apart is not looked at"},
        {"bound", NULL, .flag = &o->bound,
         .help = "rough bounds, the lower at least 0.9 of the upper:\ncheaper"},
        {"gradient", NULL, .flag = &o->gradient,
         .help = "also the derivatives by q and by the base's velocity\nand angular velocity"},
        {"depth", NULL, .flag = &o->depth,
         .help =
             "of overlaps also bounds of the shortest translation that\nparts the two elements, and one"},
        {"budget", "N", .count = &o->distance.budget,
         .help = "most nodes and triangles visited; spent, bounds are\nwide (default 0: no limit)"},
        {"stats", NULL, .flag = &o->stats, .help = "counters and the mean time, on stderr"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json, jsonl, csv, npy (float64[n,2]:\nlower, upper)"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("configurations", what),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ------------------------------------------------------------------------------------------ the
// run

typedef struct distance_run {
    const distance_options *o;
    const graze_checker *checker;
    graze_distance_workspace *workspace;
    graze_distance_report report;
    size_t columns;
    FILE *stream;
    gz_json json;   ///< of JSON
    double *bounds; ///< of NPY: two a row
    size_t bound_count, bound_capacity;
    uint64_t rows;
    double seconds;
    graze_stats stats;
} distance_run;

/// An infinite upper bound is written as "inf", which CSV and NPY readers know, or null in JSON.
static void put_number(FILE *stream, double x) {
    if (isinf(x))
        fputs("inf", stream);
    else
        gz_number_write(stream, x);
}

static void put_vector(FILE *stream, graze_vec3 v, char between) {
    gz_number_write(stream, v.x);
    fputc(between, stream);
    gz_number_write(stream, v.y);
    fputc(between, stream);
    gz_number_write(stream, v.z);
}

// ---------------------------------------------------------------------------------------- formats

static void put_row_text(const double *values, size_t count, const char *name, FILE *stream) {
    fprintf(stream, "  %s ", name);
    for (size_t i = 0; i < count; i++) {
        if (i) fputc(',', stream);
        gz_number_write(stream, values[i]);
    }
    fputc('\n', stream);
}

static void put_depth(const graze_proximity *p, FILE *stream) {
    fputs(" depth ", stream);
    put_number(stream, p->depth.lower);
    fputc(' ', stream);
    put_number(stream, p->depth.upper);
    fputs(" escape ", stream);
    put_vector(stream, p->escape, ',');
}

static void write_text(distance_run *run, uint64_t index) {
    const graze_distance_report *r = &run->report;
    FILE *stream = run->stream;
    size_t written = r->count < r->capacity ? r->count : r->capacity;
    for (size_t i = 0; i < written || i == 0; i++) {
        const graze_proximity *p = written ? &r->pairs[i] : NULL;
        const graze_interval *d = p ? &p->distance : &r->least;
        if (run->o->configs) fprintf(stream, "%" PRIu64 ": ", index);
        put_number(stream, d->lower);
        fputc(' ', stream);
        put_number(stream, d->upper);
        if (p) {
            fprintf(stream, " %s", GZ_PLAIN(gz_proximity_link_name(run->checker, p)));
            fprintf(stream, " %s", GZ_PLAIN(gz_proximity_other_name(run->checker, p)));
            if (p->overlap) fputs(" overlap", stream);
            if (p->overlap && run->o->depth) put_depth(p, stream);
            if (!p->overlap) {
                fputs(" at ", stream);
                put_vector(stream, p->point[0], ',');
                fputs(" and ", stream);
                put_vector(stream, p->point[1], ',');
                fputs(" normal ", stream);
                put_vector(stream, p->normal, ',');
            }
        }
        fputs(r->spent ? " (the budget is spent)\n" : "\n", stream);
        if (!p || !run->o->gradient) continue;
        put_row_text(r->by_q + i * run->columns, run->columns,
                     p->smooth ? "by q" : "by q, one-sided", stream);
        put_row_text(r->by_base + 6 * i, 6, "by base", stream);
    }
}

static void write_pair_json(const distance_run *run, gz_json *json, size_t i) {
    const graze_distance_report *r = &run->report;
    const graze_proximity *p = &r->pairs[i];
    gz_json_put(json, "lower=%g upper=%g kind=%s link=%s other=%s", p->distance.lower,
                p->distance.upper, p->kind == GRAZE_CONTACT_SELF ? "self" : "world",
                gz_proximity_link_name(run->checker, p), gz_proximity_other_name(run->checker, p));
    gz_json_put(json, "element=%d other_element=%d triangle=%" PRId64 " other_triangle=%" PRId64,
                p->element, p->other_element, p->triangle, p->other_triangle);
    gz_json_put(json, "overlap=%i", p->overlap);
    if (!p->overlap) {
        gz_json_put(json, "points=[");
        gz_json_vector(json, NULL, p->point[0]);
        gz_json_vector(json, NULL, p->point[1]);
        gz_json_put(json, "]");
        gz_json_vector(json, "normal", p->normal);
    }
    if (run->o->depth && p->overlap) {
        gz_json_numbers(json, "depth", (const double[2]){p->depth.lower, p->depth.upper}, 2);
        gz_json_vector(json, "escape", p->escape);
    }
    if (!run->o->gradient) return;
    gz_json_put(json, "smooth=%i", p->smooth);
    gz_json_numbers(json, "by_q", r->by_q + i * run->columns, run->columns);
    gz_json_numbers(json, "by_base", r->by_base + 6 * i, 6);
}

static void write_json(distance_run *run, gz_json *json, uint64_t index) {
    const graze_distance_report *r = &run->report;
    size_t written = r->count < r->capacity ? r->count : r->capacity;
    if (run->o->configs) gz_json_put(json, "index=%" PRIu64, index);
    gz_json_put(json, "lower=%g upper=%g spent=%i pairs=[", r->least.lower, r->least.upper,
                r->spent);
    for (size_t i = 0; i < written; i++) {
        gz_json_put(json, "{");
        write_pair_json(run, json, i);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

static void write_csv_header(const distance_run *run) {
    const graze_robot *robot = graze_checker_robot(run->checker);
    FILE *stream = run->stream;
    fputs("index,lower,upper,kind,link,other,element,other_element,triangle,other_triangle,overlap,"
          "x0,y0,z0,x1,y1,z1,nx,ny,nz",
          stream);
    if (run->o->depth) fputs(",depth_lower,depth_upper,escape_x,escape_y,escape_z", stream);
    if (run->o->gradient) {
        fputs(",smooth", stream);
        for (size_t i = 0; i < run->columns; i++) {
            char name[256];
            snprintf(name, sizeof name, "by_%s", gz_place_name(robot, (int32_t)i));
            fputc(',', stream);
            gz_csv_field(stream, name);
        }
        fputs(",by_base_x,by_base_y,by_base_z,by_base_wx,by_base_wy,by_base_wz", stream);
    }
    fputc('\n', stream);
}

static void write_pair_csv(const distance_run *run, size_t i) {
    const graze_distance_report *r = &run->report;
    const graze_proximity *p = &r->pairs[i];
    FILE *stream = run->stream;
    const int64_t indices[] = {p->element, p->other_element, p->triangle, p->other_triangle};
    const graze_vec3 vectors[] = {p->point[0], p->point[1], p->normal};
    fprintf(stream, ",%s,", p->kind == GRAZE_CONTACT_SELF ? "self" : "world");
    gz_csv_field(stream, gz_proximity_link_name(run->checker, p));
    fputc(',', stream);
    gz_csv_field(stream, gz_proximity_other_name(run->checker, p));
    for (int k = 0; k < 4; k++) {
        fputc(',', stream);
        if (indices[k] >= 0) fprintf(stream, "%" PRId64, indices[k]);
    }
    fprintf(stream, ",%s", p->overlap ? "true" : "false");
    for (int k = 0; k < 3; k++) {
        fputc(',', stream);
        if (p->overlap)
            fputs(",,", stream);
        else
            put_vector(stream, vectors[k], ',');
    }
    if (run->o->depth && p->overlap) {
        fputc(',', stream);
        put_number(stream, p->depth.lower);
        fputc(',', stream);
        put_number(stream, p->depth.upper);
        fputc(',', stream);
        put_vector(stream, p->escape, ',');
    } else if (run->o->depth) {
        fputs(",,,,,", stream);
    }
    if (!run->o->gradient) return;
    fprintf(stream, ",%s", p->smooth ? "true" : "false");
    for (size_t k = 0; k < run->columns + 6; k++) {
        fputc(',', stream);
        gz_number_write(stream, k < run->columns ? r->by_q[i * run->columns + k]
                                                 : r->by_base[6 * i + k - run->columns]);
    }
}

static void write_csv(const distance_run *run, uint64_t index) {
    const graze_distance_report *r = &run->report;
    size_t written = r->count < r->capacity ? r->count : r->capacity;
    for (size_t i = 0; i < written || i == 0; i++) {
        const graze_interval *d = written ? &r->pairs[i].distance : &r->least;
        fprintf(run->stream, "%" PRIu64 ",", index);
        put_number(run->stream, d->lower);
        fputc(',', run->stream);
        put_number(run->stream, d->upper);
        if (written) write_pair_csv(run, i);
        // 17 further columns, and those of depths and derivatives.
        size_t more = 17 + (run->o->depth ? 5u : 0u) + (run->o->gradient ? run->columns + 7 : 0);
        for (size_t k = 0; !written && k < more; k++) fputc(',', run->stream);
        fputc('\n', run->stream);
    }
}

static bool keep_bounds(distance_run *run) {
    if (!gz_array_reserve((void **)&run->bounds, &run->bound_capacity, run->bound_count + 2,
                          sizeof *run->bounds))
        return false;
    run->bounds[run->bound_count++] = run->report.least.lower;
    run->bounds[run->bound_count++] = run->report.least.upper;
    return true;
}

static graze_status write_row(distance_run *run, uint64_t index, graze_error *error) {
    gz_json line = {.stream = run->stream};
    switch (run->o->format) {
    case JSON:
        if (run->o->configs) gz_json_put(&run->json, "{");
        write_json(run, &run->json, index);
        if (run->o->configs) gz_json_put(&run->json, "}");
        break;
    case JSONL:
        gz_json_put(&line, "{");
        write_json(run, &line, index);
        gz_json_put(&line, "}");
        fputc('\n', run->stream);
        break;
    case CSV:
        write_csv(run, index);
        break;
    case NPY:
        return keep_bounds(run) ? GRAZE_OK : gz_fail_memory(error);
    default:
        write_text(run, index);
        break;
    }
    return GRAZE_OK;
}

static void begin_output(distance_run *run) {
    if (run->o->format == CSV) write_csv_header(run);
    if (run->o->format != JSON) return;
    run->json = gz_json_begin(run->stream, "graze-distance-1");
    if (run->o->configs) gz_json_put(&run->json, "configurations=[");
}

static void end_output(distance_run *run) {
    if (run->o->format == JSON) gz_json_finish(&run->json);
    if (run->o->format != NPY) return;
    gz_npy_header_write(run->stream, "<f8", run->bound_count / 2, 2);
    if (run->bound_count) fwrite(run->bounds, sizeof *run->bounds, run->bound_count, run->stream);
}

// ------------------------------------------------------------------------------------ measurement

/// Makes space for `capacity` pairs.
static graze_status make_space(distance_run *run, size_t capacity, graze_error *error) {
    graze_distance_report *r = &run->report;
    gz_free(r->pairs);
    gz_free(r->by_q);
    gz_free(r->by_base);
    *r = (graze_distance_report){.capacity = capacity};
    r->pairs = gz_malloc(capacity, sizeof *r->pairs);
    if (!r->pairs) return gz_fail_memory(error);
    if (!run->o->gradient) return GRAZE_OK;
    r->by_q = gz_malloc(capacity * run->columns + 1, sizeof *r->by_q);
    r->by_base = gz_malloc(capacity * 6, sizeof *r->by_base);
    return r->by_q && r->by_base ? GRAZE_OK : gz_fail_memory(error);
}

static graze_status measure(distance_run *run, const double *q, const double *base,
                            graze_error *error) {
    for (;;) {
        double started = gz_clock();
        GZ_TRY(graze_distance(run->checker, run->workspace, q, run->columns, base,
                              &run->o->distance, &run->report, error));
        run->seconds += gz_clock() - started;
        if (!run->report.truncated) break;
        GZ_TRY(make_space(run, run->report.count, error));
    }
    graze_stats_add(&run->stats, &run->report.stats);
    run->rows++;
    return GRAZE_OK;
}

enum { CHUNK_ROWS = 1024 };

/// Says in which row an error is.
static graze_status name_row(const distance_run *run, uint64_t index, graze_error *error) {
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return gz_fail_at(error, error->status, (gz_place){.file = run->o->configs},
                      "row %" PRIu64 ": %s", index, message);
}

static graze_status run_rows(distance_run *run, gz_configuration_file *file, double *q,
                             graze_error *error) {
    double *base = q + CHUNK_ROWS * run->columns;
    for (size_t count = 1; count;) {
        GZ_TRY(gz_configuration_file_read(file, CHUNK_ROWS, q, base, &count, error));
        for (size_t i = 0; i < count; i++) {
            uint64_t index = run->rows;
            graze_status status = measure(run, q + i * run->columns, base + i * GZ_BASE_SIZE,
                                          error);
            if (status) return name_row(run, index, error);
            GZ_TRY(write_row(run, index, error));
        }
    }
    if (run->rows) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = run->o->configs},
                      "no configurations; allowed: one at least");
}

static graze_status run_file(distance_run *run, const gz_posture *rest, graze_error *error) {
    gz_configuration_file file = {0};
    double *q = gz_malloc(CHUNK_ROWS * (run->columns + GZ_BASE_SIZE), sizeof *q);
    graze_status status = q ? gz_configuration_file_open(&file, run->o->configs,
                                                         graze_checker_robot(run->checker),
                                                         run->o->input.posture.joints, rest, error)
                            : gz_fail_memory(error);
    if (status == GRAZE_OK) {
        gz_interrupt_catch();
        begin_output(run);
        status = run_rows(run, &file, q, error);
    }
    if (q) gz_configuration_file_close(&file);
    gz_free(q);
    return status;
}

static graze_status run_one(distance_run *run, gz_posture *posture, graze_error *error) {
    const distance_options *o = run->o;
    if (o->q)
        GZ_TRY(gz_posture_parse(posture, graze_checker_robot(run->checker), o->input.posture.joints,
                                "-q", o->q, error));
    GZ_TRY(measure(run, posture->q, posture->base, error));
    begin_output(run);
    return write_row(run, 0, error);
}

static int answer(distance_run *run, gz_posture *rest) {
    const distance_options *o = run->o;
    gz_output output;
    graze_error error;
    GZ_TRY_EXIT(gz_output_open(&output, o->output));
    run->stream = output.stream;
    graze_status status = o->configs ? run_file(run, rest, &error) : run_one(run, rest, &error);
    if (status) {
        fflush(output.stream);
        gz_output_abandon(&output);
        return gz_message_error("distance", &error);
    }
    end_output(run);
    GZ_TRY_EXIT(gz_output_finish(&output));
    if (o->stats)
        fprintf(stderr,
                "%" PRIu64 " configurations, %" PRIu64 " node tests, %" PRIu64
                " triangle tests\nmean %.2f us/config\n",
                run->rows, run->stats.node_tests, run->stats.triangle_tests,
                1e6 * run->seconds / (double)run->rows);
    return GZ_EXIT_FINE;
}

static int run_distance(distance_options *o) {
    graze_error error;
    gz_posture rest = {0};
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_CHECK, o->q, o->configs == NULL));
    distance_run run = {
        .o = o, .checker = o->input.checker, .columns = graze_robot_q_size(o->input.robot)};
    o->distance.answer = o->all       ? GRAZE_DISTANCE_PAIRS
                         : o->nearest ? GRAZE_DISTANCE_NEAREST
                         : o->bound   ? GRAZE_DISTANCE_BOUND
                                      : GRAZE_DISTANCE_LEAST;
    o->distance.depth = o->depth;
    graze_status status = gz_posture_make(&rest, o->input.robot, &o->input.posture, &error);
    if (status == GRAZE_OK)
        status = graze_distance_workspace_create(&run.workspace, o->input.checker, &error);
    if (status == GRAZE_OK) status = make_space(&run, o->nearest ? (size_t)o->nearest : 1, &error);
    int code = status == GRAZE_OK ? answer(&run, &rest) : gz_message_error("distance", &error);
    gz_posture_free(&rest);
    graze_distance_workspace_free(run.workspace);
    gz_free(run.report.pairs);
    gz_free(run.report.by_q);
    gz_free(run.report.by_base);
    gz_free(run.bounds);
    return code;
}

int gz_command_distance(int argc, char **argv) {
    distance_options options = {.input = gz_robot_input_default("distance"),
                                .distance = graze_distance_options_default()};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_distance(&options);
    gz_robot_input_free(&options.input);
    return status;
}
