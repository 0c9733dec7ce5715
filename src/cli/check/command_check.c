// graze check: which link collides with what.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/check/check_output.h"
#include "cli/check/rest_contact.h"
#include "cli/check/verdict_writer.h"
#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

static const char *const format_names[] = {"text", "json", "jsonl", "csv", "npy", NULL};

typedef struct check_options {
    gz_robot_input input;
    const char *q, *configs;
    gz_check_files files;
    bool all, explain, acm_hidden, suggest, poses, stats, enforce_limits;
    int format;
    uint32_t threads;
} check_options;

static const gz_command_line command_line = {
    .command = "check",
    .synopsis = "check ROBOT [options]",
    .about =
        "Says for one configuration, or for every row of a file, whether the robot collides, with\n"
        "the link, what it touches and where. Without -q and --configs the rest configuration\n"
        "(--rest, --state) is checked. ROBOT is a URDF file; '-' reads it from standard input.",
    .examples =
        "  graze check robot.urdf -q 0.1,0.2,0.3\n"
        "  graze check robot.urdf --srdf robot.srdf -q elbow=1.2 --world shelf.json\n"
        "  graze check robot.urdf --configs q.npy --joints shoulder,elbow --format npy -o v.npy\n"
        "  some-program | graze check robot.urdf --configs - --format jsonl\n",
    .operand_name = "ROBOT",
};

/// Options that contradict each other.
static int check_usage(const check_options *o) {
    const char *joints = o->input.posture.joints;
    bool npy = o->format == GZ_VERDICT_NPY, pairs = o->explain || o->acm_hidden;
    bool words = !npy && o->format != GZ_VERDICT_CSV;
    bool both_stdin = strcmp(o->input.path, "-") == 0 && o->configs != NULL &&
                      strcmp(o->configs, "-") == 0;
    bool printed = o->files.output == NULL || strcmp(o->files.output, "-") == 0;
    const gz_usage_rule first[] = {
        {o->q != NULL && o->configs != NULL, "-q and --configs exclude each other"},
        {both_stdin, "ROBOT and --configs cannot both be standard input"},
        {pairs && !words, "--explain and --masked need --format text, json or jsonl"},
        {pairs && o->input.level == GRAZE_LEVEL_BOUNDS,
         "--explain and --masked are for --level mesh"},
        {o->suggest && (o->configs != NULL || !words),
         "--suggest-allow is for one configuration, and for --format text, json or jsonl"},
        {o->all && npy, "--all has no meaning with --format npy"},
        {o->poses && npy, "--poses has no meaning with --format npy"},
    };
    const gz_usage_rule last[] = {
        {o->files.picture != NULL && o->configs != NULL,
         "--picture draws one configuration; not with --configs"},
        {joints != NULL && o->q == NULL && o->configs == NULL,
         "--joints names the numbers of -q or --configs"},
        {joints != NULL && o->q != NULL && strchr(o->q, '=') != NULL,
         "-q names its joints itself; not with --joints"},
        {npy && printed && isatty(STDOUT_FILENO) == 1,
         "--format npy is not for a terminal; give -o FILE"},
    };
    int status = gz_usage_check("check", first, GZ_COUNT(first));
    if (status == GZ_GO_ON) status = gz_check_files_usage(&o->files, &o->input, "the verdicts");
    return status == GZ_GO_ON ? gz_usage_check("check", last, GZ_COUNT(last)) : status;
}

static int parse(check_options *o, int argc, char **argv) {
    gz_option what[] = {
        {"configuration", "Q", .letter = 'q', .text = &o->q,
         .help = "one configuration: numbers or joint=value,..."},
        {"configs", "FILE", .text = &o->configs, .file = GZ_FILE_READ,
         .help = "many: .npy (float64 or float32 [n,dof]), or .csv with\n"
                 "a header of joint names and base_x ... base_yaw;\n'-': standard input"},
    };
    gz_option answer[] = {
        {"all", NULL, .flag = &o->all, .help = "every colliding pair instead of the first"},
        {"explain", NULL, .flag = &o->explain, .help = "what became of every pair, stage by stage"},
        {"masked", NULL, .flag = &o->acm_hidden,
         .help = "list contacts that the SRDF, --allow or adjacency\nhides"},
        {"suggest-allow", NULL, .flag = &o->suggest,
         .help =
             "of one configuration: every contact, and the --allow\noptions for those that are meant, as wheels on a floor"},
        {"poses", NULL, .flag = &o->poses,
         .help = "also the links' poses in the world: x y z, m, and\nroll pitch yaw, rad"},
        {"enforce-limits", NULL, .flag = &o->enforce_limits,
         .help = "a joint outside its limits is an error"},
        {"stats", NULL, .flag = &o->stats,
         .help = "counters per stage and the mean time, on stderr"},
        {"threads", "N", .count32 = &o->threads, .maximum = 1024,
         .help = "for --configs (default 1; 0: one per processor)"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json, jsonl, csv, npy (uint8[n]:\n"
                 "0 free, 1 collision, 255 unknown)"},
        GZ_OPTION_OUTPUT(&o->files.output),
        {"picture", "FILE.png", .text = &o->files.picture, .file = GZ_FILE_WRITTEN,
         .endings = GZ_SHADED_ENDING,
         .help = "draw the one configuration: colliding links red, what\nthey touch orange"},
        GZ_OPTION_CAMERA(&o->files.cameras),
        {"dump", "FILE", .text = &o->files.dump, .file = GZ_FILE_WRITTEN,
         .help = "write all that the verdicts rest on, for\n'graze verify FILE'"},
    };
    const gz_option_section own[] = {GZ_SECTION("configurations", what),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ----------------------------------------------------------------------------------------- the run

typedef struct check_run {
    // Set by the command.
    const check_options *o;
    const graze_robot *robot;
    const graze_checker *checker;
    gz_verdict_writer writer;
    gz_dump_writer *dump;    ///< gets every finding, too; NULL for none
    gz_view view;            ///< of the picture
    gz_hidden_tally *hidden; ///< counts every hidden contact; NULL for none

    // What came out.
    graze_stats stats;
    double seconds; ///< spent in checks
    uint64_t count, free_count, collision_count, unknown_count;
    int worst;                 ///< exit status of the worst unknown configuration; 0: none
    bool finished;             ///< every configuration was answered and written
    int write_error;           ///< errno of a write that failed and ended the run early; 0: none
    graze_error first_unknown; ///< of the first one
    uint64_t first_unknown_index;

    // Scratch.
    gz_rest_contacts rest; ///< found with the first collision
    bool rest_known;
    graze_workspace *workspace;
    int32_t *violated;      ///< room for every joint
    graze_transform *poses; ///< room for every link, where they are wanted
    gz_contacts contacts;   ///< of one configuration, or of one chunk
    graze_explanation *explanations;
    size_t explanation_count, explanation_capacity;
    bool out_of_memory;
    double *q, *base; ///< of one chunk
    uint8_t *verdicts;
} check_run;

// A chunk is large enough that starting threads does not count, and small enough that a robot with
// many joints stays within some tens of megabytes.
#define CHUNK_ROWS  32768
#define CHUNK_BYTES ((size_t)32 << 20)

/// Makes the scratch of one configuration.
static graze_status prepare(check_run *run, graze_error *error) {
    size_t joints = graze_robot_joint_count(run->robot);
    run->violated = gz_malloc(joints, sizeof *run->violated);
    if (run->violated == NULL) return gz_fail_memory(error);
    if (run->o->poses) {
        run->poses = gz_malloc(graze_robot_link_count(run->robot), sizeof *run->poses);
        if (run->poses == NULL) return gz_fail_memory(error);
    }
    return graze_workspace_create(&run->workspace, run->checker, error);
}

static void release(check_run *run) {
    graze_workspace_free(run->workspace);
    gz_free(run->violated);
    gz_free(run->poses);
    gz_verdict_writer_free(&run->writer);
    gz_free(run->contacts.items);
    gz_rest_contacts_free(&run->rest);
    gz_free(run->explanations);
    gz_free(run->q);
    gz_free(run->verdicts);
    *run = (check_run){0};
}

// --------------------------------------------------------------------------- one configuration

/// Counts a finding and writes it, with the joints that are outside their limits.
static graze_status put(check_run *run, gz_finding *finding, const double *q, const double *base,
                        graze_error *error) {
    graze_error problem;
    size_t joints = graze_robot_joint_count(run->robot);
    finding->violated = run->violated;
    finding->violated_count = graze_robot_limits_violated(run->robot, q, run->violated, joints);
    if (run->o->enforce_limits && finding->violated_count > 0 &&
        finding->verdict != GRAZE_UNKNOWN) {
        gz_joint_limit_error(run->robot, run->violated[0], q, &problem);
        finding->error = &problem;
        finding->verdict = GRAZE_UNKNOWN;
    }
    // What cannot be posed has no verdict, either.
    if (run->poses != NULL && graze_robot_pose(run->robot, q, graze_robot_q_size(run->robot), base,
                                               run->poses, NULL) == GRAZE_OK)
        finding->poses = run->poses;
    if (run->dump != NULL) gz_dump_writer_put(run->dump, finding, q, base);
    bool tallied = run->hidden != NULL && finding->verdict != GRAZE_UNKNOWN;
    if (tallied && !gz_hidden_tally_add(run->hidden, finding->index, finding->explanations,
                                        finding->explanation_count))
        return gz_fail_memory(error);
    // The matrix of a robot knows neither margins nor what it carries.
    const gz_robot_input *input = &run->o->input;
    bool plain = !input->quiet && input->margins.count == 0 && input->attached.count == 0;
    if (finding->contact_count > 0 && plain) {
        if (!run->rest_known && !gz_rest_contacts_find(&run->rest, run->checker, run->workspace))
            return gz_fail_memory(error);
        run->rest_known = true;
        gz_rest_contacts_note(&run->rest, finding->contacts, finding->contact_count);
    }
    run->count++;
    run->free_count += finding->verdict == GRAZE_FREE;
    run->collision_count += finding->verdict == GRAZE_COLLISION;
    if (finding->verdict == GRAZE_UNKNOWN) {
        int status = gz_exit_of(finding->error->status);
        if (run->unknown_count++ == 0) {
            run->first_unknown = *finding->error;
            run->first_unknown_index = finding->index;
        }
        if (status > run->worst) run->worst = status;
    }
    return gz_verdict_writer_put(&run->writer, finding) ? GRAZE_OK : gz_fail_memory(error);
}

static bool keep_explanation(const graze_explanation *explanation, void *user) {
    check_run *run = user;
    if (!gz_array_reserve((void **)&run->explanations, &run->explanation_capacity,
                          run->explanation_count + 1, sizeof *run->explanations)) {
        run->out_of_memory = true;
        return false;
    }
    run->explanations[run->explanation_count++] = *explanation;
    return true;
}

/// Answers one configuration and writes it. GRAZE_OK also for an unknown verdict, which is counted;
/// any other status ends the run (out of memory).
static graze_status answer_one(check_run *run, uint64_t index, const double *q, const double *base,
                               graze_error *error) {
    graze_report report = {0};
    graze_error problem;
    gz_finding finding = {.index = index};
    const gz_pictured_pose pose = {q, base};
    double started = gz_clock();
    graze_status status = gz_check_contacts(run->checker, run->workspace, run->writer.all, &pose,
                                            &run->contacts, &report, &problem);
    run->seconds += gz_clock() - started;
    graze_stats_add(&run->stats, &report.stats);
    run->explanation_count = 0;
    if (status == GRAZE_OK && (run->writer.explain || run->writer.hidden))
        status = graze_check_explain(run->checker, run->workspace, q,
                                     graze_robot_q_size(run->robot), base, keep_explanation, run,
                                     &problem);
    if (status == GRAZE_ERROR_NO_MEMORY || run->out_of_memory) return gz_fail_memory(error);
    finding.verdict = status == GRAZE_OK ? report.verdict : GRAZE_UNKNOWN;
    finding.error = status == GRAZE_OK ? NULL : &problem;
    finding.contacts = run->contacts.items;
    finding.contact_count = finding.verdict == GRAZE_COLLISION ? report.count : 0;
    finding.explanations = run->explanations;
    finding.explanation_count = run->explanation_count;
    return put(run, &finding, q, base, error);
}

// -------------------------------------------------------------------------------------- chunks

/// Whether the verdicts alone are wanted, without contacts.
static bool wants_bytes(const check_run *run) {
    return run->writer.format == GZ_VERDICT_NPY && run->dump == NULL;
}

static size_t chunk_rows(const check_run *run) {
    size_t row_bytes = (graze_robot_q_size(run->robot) + GZ_BASE_SIZE) * sizeof(double);
    size_t rows = CHUNK_BYTES / row_bytes;
    return rows > CHUNK_ROWS ? CHUNK_ROWS : rows > 0 ? rows : 1;
}

static graze_status make_chunk(check_run *run, size_t rows, bool batch, graze_error *error) {
    size_t size = graze_robot_q_size(run->robot);
    run->q = gz_malloc(rows * (size + GZ_BASE_SIZE), sizeof *run->q);
    run->verdicts = gz_malloc(rows, 1);
    bool contacts = !batch || wants_bytes(run) ||
                    gz_array_reserve((void **)&run->contacts.items, &run->contacts.capacity, rows,
                                     sizeof *run->contacts.items);
    if (run->q == NULL || run->verdicts == NULL || !contacts) return gz_fail_memory(error);
    run->base = run->q + rows * size;
    return GRAZE_OK;
}

/// Counts and writes row i of a chunk that the batch has answered. Rows without a verdict are
/// checked one by one: a batch keeps the error of the first alone.
static graze_status put_row(check_run *run, uint64_t index, size_t i, graze_error *error) {
    const double *q = run->q + i * graze_robot_q_size(run->robot);
    const double *base = run->base + i * GZ_BASE_SIZE;
    gz_finding finding = {.index = index, .verdict = (graze_verdict)run->verdicts[i]};
    if (finding.verdict == GRAZE_UNKNOWN) return answer_one(run, index, q, base, error);
    if (finding.verdict == GRAZE_COLLISION && !wants_bytes(run)) {
        finding.contacts = &run->contacts.items[i];
        finding.contact_count = 1;
    }
    return put(run, &finding, q, base, error);
}

/// Answers one chunk with graze_check_batch().
static graze_status run_batch(check_run *run, uint64_t index, size_t count, bool bases,
                              graze_error *error) {
    graze_stats stats = {0};
    bool bytes = wants_bytes(run);
    graze_batch batch = graze_batch_default();
    batch.threads = run->o->threads;
    batch.count = count;
    batch.q = run->q;
    batch.base = bases ? run->base : NULL;
    batch.base_common = run->base;
    batch.answer = bytes ? GRAZE_ANSWER_ANY : GRAZE_ANSWER_FIRST;
    batch.verdicts = run->verdicts;
    batch.contacts = bytes ? NULL : run->contacts.items;
    batch.stats = &stats;
    batch.cancel = gz_interrupt_flag();
    double started = gz_clock();
    graze_status status = graze_check_batch(run->checker, &batch, error);
    run->seconds += gz_clock() - started;
    graze_stats_add(&run->stats, &stats);
    if (gz_interrupted()) return gz_fail(error, GRAZE_ERROR_CANCELLED, "interrupted");
    // A row that cannot be answered is a finding of its own; without memory there is no batch.
    if (status == GRAZE_ERROR_NO_MEMORY || status == GRAZE_ERROR_ARGUMENT) return status;
    for (size_t i = 0; i < count; i++) GZ_TRY(put_row(run, index + i, i, error));
    return GRAZE_OK;
}

/// Answers one chunk row by row: all pairs and explanations are not for batches.
static graze_status run_rows(check_run *run, uint64_t index, size_t count, graze_error *error) {
    size_t size = graze_robot_q_size(run->robot);
    for (size_t i = 0; i < count; i++) {
        if (gz_interrupted()) return gz_fail(error, GRAZE_ERROR_CANCELLED, "interrupted");
        GZ_TRY(answer_one(run, index + i, run->q + i * size, run->base + i * GZ_BASE_SIZE, error));
    }
    return GRAZE_OK;
}

/// Answers a whole file, a chunk at a time. CANCELLED after an interrupt.
static graze_status answer_file(check_run *run, gz_configuration_file *file, graze_error *error) {
    bool batch = !run->writer.all && !run->writer.explain && !run->writer.hidden;
    bool bases = gz_columns_have_base(&file->columns);
    size_t rows = chunk_rows(run);
    graze_status status = make_chunk(run, rows, batch, error);
    gz_progress progress = gz_progress_start(run->o->input.quiet);
    uint64_t done = 0;
    while (status == GRAZE_OK) {
        // Rows before a fault in the file are answered before it is told, wherever chunks end.
        size_t count = 0;
        graze_error fault;
        graze_status read = gz_configuration_file_read(file, rows, run->q, run->base, &count,
                                                       &fault);
        if (read == GRAZE_ERROR_CANCELLED) count = 0;
        if (count > 0)
            status = batch ? run_batch(run, done, count, bases, error)
                           : run_rows(run, done, count, error);
        done += count;
        if (status == GRAZE_OK && read != GRAZE_OK) {
            *error = fault;
            status = read;
        }
        if (status != GRAZE_OK || count == 0) break;
        gz_progress_update(&progress, done, gz_configuration_file_fraction(file), "configurations");
        // Whoever reads a pipe gets every chunk at once; a full disk ends the work early.
        if (fflush(run->writer.stream) != 0) {
            run->write_error = errno;
            break;
        }
    }
    gz_progress_clear(&progress);
    return status;
}

// -------------------------------------------------------------------------------------- the answer

static void print_stats(const check_run *run) {
    const graze_stats *s = &run->stats;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"configurations", s->configurations},  {"link pairs", s->link_pairs},
        {"apart in lanes", s->lane_rejects},    {"apart by spheres", s->sphere_rejects},
        {"apart by boxes", s->obb_rejects},     {"geometry pairs", s->geometry_pairs},
        {"apart by proxies", s->proxy_rejects}, {"overlap by proxies", s->proxy_hits},
        {"node tests", s->node_tests},          {"packet tests", s->packet_tests},
        {"triangle tests", s->triangle_tests},  {"exact tests", s->exact_tests},
        {"shape tests", s->shape_tests},        {"containment tests", s->containment_tests},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(stderr, "%-18s %" PRIu64 "\n", rows[i].name, rows[i].value);
    if (run->count > 0)
        fprintf(stderr, "mean %.2f us/config\n", 1e6 * run->seconds / (double)run->count);
}

/// How messages call the file of --configs.
static const char *configs_name(const check_options *o) {
    return strcmp(o->configs, "-") == 0 ? "<stdin>" : o->configs;
}

/// What a batch came to, on stderr; and why the first unknown is unknown.
static void print_summary(const check_run *run) {
    const check_options *o = run->o;
    const graze_error *error = &run->first_unknown;
    bool located = error->element[0] != '\0';
    if (run->unknown_count > 0 && o->configs == NULL) gz_message_error("check", error);
    if (run->unknown_count > 0 && o->configs != NULL)
        gz_message("%s: row %" PRIu64 ": %s%s%s%s", configs_name(o), run->first_unknown_index,
                   error->message, located ? " (" : "", error->element, located ? ")" : "");
    if (o->input.quiet) return;
    gz_rest_contacts_print(stderr, &run->rest, run->checker, o->input.path);
    if (o->configs == NULL) return;
    fprintf(stderr, "%" PRIu64 " configuration%s: %" PRIu64 " free, %" PRIu64 " in collision",
            run->count, run->count == 1 ? "" : "s", run->free_count, run->collision_count);
    if (run->unknown_count > 0) fprintf(stderr, ", %" PRIu64 " unknown", run->unknown_count);
    fputc('\n', stderr);
    if (run->hidden != NULL)
        gz_hidden_tally_print(stderr, run->hidden, run->checker, run->count - run->unknown_count);
}

static graze_status run_one(check_run *run, gz_posture *posture, graze_error *error) {
    const check_options *o = run->o;
    const char *joints = o->input.posture.joints;
    if (o->q != NULL) GZ_TRY(gz_posture_parse(posture, run->robot, joints, "-q", o->q, error));
    gz_verdict_writer_begin(&run->writer);
    GZ_TRY(answer_one(run, 0, posture->q, posture->base, error));
    if (o->files.picture == NULL || run->unknown_count > 0) return GRAZE_OK;
    gz_pictured_pose pose = {posture->q, posture->base};
    int drawn = gz_picture_output(o->files.picture, run->checker, &run->view, &pose, 1);
    if (drawn > run->worst) run->worst = drawn;
    return GRAZE_OK;
}

static graze_status run_file(check_run *run, const gz_posture *rest, graze_error *error) {
    const check_options *o = run->o;
    gz_configuration_file file;
    graze_status status = gz_configuration_file_open(&file, o->configs, run->robot,
                                                     o->input.posture.joints, rest, error);
    if (status == GRAZE_OK) {
        gz_interrupt_catch();
        gz_verdict_writer_begin(&run->writer);
        status = answer_file(run, &file, error);
    }
    gz_configuration_file_close(&file);
    return status;
}

/// Runs and writes; the output takes its place only when everything was answered.
static int write_answer(check_run *run, gz_posture *rest) {
    const check_options *o = run->o;
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, o->files.output));
    run->writer.stream = output.stream;
    run->writer.colors = o->format == GZ_VERDICT_TEXT && gz_output_colors(output.stream);
    graze_error error;
    graze_status answered = o->configs != NULL ? run_file(run, rest, &error)
                                               : run_one(run, rest, &error);
    if (answered != GRAZE_OK) {
        fflush(output.stream);
        gz_output_abandon(&output);
        return gz_message_error("check", &error);
    }
    output.error = run->write_error;
    gz_verdict_writer_end(&run->writer);
    int status = gz_output_finish(&output);
    if (status != GZ_EXIT_FINE) return status;
    run->finished = run->write_error == 0;
    print_summary(run);
    if (o->stats) print_stats(run);
    // Who reads the exit status alone must not take a file that lost its rows for a free path.
    if (run->count == 0) {
        gz_message("%s: no configurations; allowed: one at least, nothing was checked",
                   configs_name(o));
        return GZ_EXIT_INPUT;
    }
    if (run->worst != GZ_EXIT_FINE) return run->worst;
    return run->collision_count > 0 ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

/// Runs and writes, with a dump beside it, which takes its place only with the output.
static int answer(check_run *run, gz_posture *rest) {
    const check_options *o = run->o;
    if (o->files.dump == NULL) return write_answer(run, rest);
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, o->files.dump));
    graze_error error;
    gz_dump_writer dump = {.stream = output.stream,
                           .checker = run->checker,
                           .all = o->all,
                           .domain = o->input.domain,
                           .no_world = o->input.no_world};
    run->dump = &dump;
    int status = gz_dump_writer_begin(&dump, &error) == GRAZE_OK
                     ? write_answer(run, rest)
                     : gz_message_error("check", &error);
    // Configurations were dumped whatever the exit status says of them; what was cut off was not.
    bool whole = run->finished;
    if (whole) gz_dump_writer_end(&dump);
    gz_dump_writer_free(&dump);
    int written = whole ? gz_output_finish(&output) : status;
    gz_output_abandon(&output);
    return written > status ? written : status;
}

static int run_check(check_options *o) {
    gz_robot_input *input = &o->input;
    graze_visuals visuals = o->files.picture != NULL ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_CHECK;
    GZ_TRY_EXIT(gz_robot_input_prepare(input, visuals, o->q, o->configs == NULL));
    graze_error error;
    gz_posture rest;
    gz_hidden_tally hidden = {0};
    check_run run = {.o = o,
                     .robot = input->robot,
                     .checker = input->checker,
                     .hidden = o->acm_hidden ? &hidden : NULL,
                     .writer = {.format = (gz_verdict_format)o->format,
                                .checker = input->checker,
                                .many = o->configs != NULL,
                                .all = o->all || o->suggest,
                                .bounds = input->level == GRAZE_LEVEL_BOUNDS,
                                .explain = o->explain,
                                .hidden = o->acm_hidden,
                                .poses = o->poses,
                                .suggest = o->suggest}};
    GZ_TRY_EXIT(gz_camera_read(&run.view, &o->files.cameras, input));
    graze_status made = gz_posture_make(&rest, input->robot, &input->posture, &error);
    if (made == GRAZE_OK) made = prepare(&run, &error);
    int status = made == GRAZE_OK ? answer(&run, &rest) : gz_message_error("check", &error);
    release(&run);
    gz_hidden_tally_free(&hidden);
    gz_posture_free(&rest);
    return status;
}

int gz_command_check(int argc, char **argv) {
    check_options options = {.input = gz_robot_input_default("check"), .threads = 1};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run_check(&options);
    gz_texts_free(&options.files.cameras);
    gz_robot_input_free(&options.input);
    return status;
}
