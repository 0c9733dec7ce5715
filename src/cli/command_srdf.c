// graze srdf: the allowed-collision matrix with its evidence, and the review of an SRDF against it.
#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/srdf_writer.h"
#include "cli/text.h"

static const char *const format_names[] = {"srdf", "json", "text", NULL};

typedef struct srdf_options {
    gz_robot_input input;
    uint64_t samples, seed, search, budget, threads;
    const char *output, *reviewed;
    bool strict;
    int format; ///< -1: not given
    gz_progress progress;
} srdf_options;

static const char about[] =
    "Writes the allowed-collision matrix of a robot as SRDF: for every pair of links whether they\n"
    "can touch inside the limits of their joints, each with its evidence in a comment. Pairs that\n"
    "never touch are proved so where the budget allows, else sampled. With --srdf everything else\n"
    "of that file is kept as it is. With --verify an SRDF is reviewed instead: unknown links, pairs\n"
    "that are left out although they collide, with a configuration that shows it, wrong reasons,\n"
    "missing pairs.";

static const char examples[] = "  graze srdf robot.urdf -o robot.srdf\n"
                               "  graze srdf robot.urdf --srdf old.srdf -o new.srdf\n"
                               "  graze srdf robot.urdf --verify robot.srdf\n"
                               "  graze srdf robot.urdf --format text --threads 0\n";

/// What is written as SRDF keeps all else of --srdf, and so may take its place; a report may not.
static int check_place(const srdf_options *o) {
    bool keeps = o->reviewed == NULL && o->format <= 0;
    if (keeps || o->output == NULL || o->input.srdf == NULL) return GZ_GO_ON;
    if (!gz_output_replaces(o->output, o->input.srdf)) return GZ_GO_ON;
    return gz_message_usage("srdf",
                            "-o is '%s', which is read as --srdf; allowed: an output that is no "
                            "input, but of --format srdf",
                            o->output);
}

static int parse(srdf_options *o, const char **robot, int argc, char **argv) {
    gz_robot_options shared;
    gz_option work[] = {
        gz_option_count("samples", &o->samples, "N", 1, 1000000000,
                        "configurations per pair (default 10000)"),
        gz_option_count("search", &o->search, "N", 0, 1000000000,
                        "steps towards contact per pair (default 600)"),
        gz_option_count("budget", &o->budget, "N", 0, 1000000000000,
                        "work for proofs per pair, some 0.5 us each; 0: none\n(default 100000)"),
        gz_option_count("seed", &o->seed, "N", 0, UINT64_MAX, "of all samples (default 1)"),
        gz_option_count("threads", &o->threads, "N", 0, 1024,
                        "default 1, 0 is one per processor; the matrix is the\nsame"),
    };
    gz_option review[] = {
        gz_option_reads(gz_option_text("verify", &o->reviewed, "FILE",
                                       "review this SRDF; exit status 1 when something is\nwrong")),
        gz_option_flag("strict", &o->strict, "notes count like errors for the exit status"),
    };
    gz_option answer[] = {
        gz_option_choice("format", &o->format, "FORMAT", format_names,
                         "srdf (default), json, text (default of --verify)"),
        gz_option_output(&o->output),
    };
    gz_robot_input_options(&o->input, &shared);
    shared.of_robot[0].file = GZ_FILE_NONE; // see check_place()
    gz_option_section sections[] = {
        {"evidence", work, sizeof work / sizeof *work},
        {"review", review, sizeof review / sizeof *review},
        {"answer", answer, sizeof answer / sizeof *answer},
        shared.robot,
        shared.limits,
    };
    gz_command_line line = {.command = "srdf",
                            .synopsis = "srdf ROBOT [options]\n"
                                        "       graze srdf ROBOT --verify FILE [options]",
                            .about = about,
                            .examples = examples,
                            .sections = sections,
                            .section_count = sizeof sections / sizeof *sections,
                            .operand_name = "ROBOT"};
    o->format = -1;
    int status = gz_command_line_parse(&line, argc, argv);
    *robot = line.operand;
    return status == GZ_GO_ON ? check_place(o) : status;
}

// --------------------------------------------------------------------------------------- the work

static void show_progress(uint64_t done, uint64_t total, void *user) {
    gz_progress *progress = user;
    double fraction = total > 0 ? (double)done / (double)total : 1;
    gz_progress_update(progress, done, fraction < 1 ? fraction : 1, "pairs");
}

static int compute(srdf_options *o, graze_matrix **matrix) {
    graze_matrix_options options = graze_matrix_options_default();
    options.samples = o->samples;
    options.search = o->search;
    options.budget = o->budget;
    options.seed = o->seed;
    options.threads = (uint32_t)o->threads;
    options.cancel = gz_interrupt_flag();
    options.progress = show_progress;
    options.user = &o->progress;
    gz_interrupt_catch();
    o->progress = gz_progress_start(o->input.quiet);
    graze_error error;
    graze_status status = graze_matrix_compute(matrix, o->input.robot, &options, &error);
    gz_progress_clear(&o->progress);
    if (status == GRAZE_ERROR_CANCELLED && gz_interrupted()) return gz_interrupt_exit();
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error("srdf", &error);
}

static graze_limits limits_of(const srdf_options *o) {
    graze_limits limits = graze_load_options_default().limits;
    limits.file_bytes = o->input.max_bytes;
    limits.memory_bytes = o->input.max_memory;
    limits.depth = (uint32_t)o->input.max_depth;
    limits.elements = (uint32_t)o->input.max_elements;
    return limits;
}

static int write_matrix(srdf_options *o, const graze_matrix *matrix, const char *text,
                        size_t size) {
    char *srdf = NULL;
    size_t srdf_size = 0;
    if (o->format <= 0) {
        graze_error error;
        graze_limits limits = limits_of(o);
        graze_status status = graze_matrix_write_srdf(&srdf, &srdf_size, matrix, text, size,
                                                      o->input.srdf, &limits, &error);
        if (status != GRAZE_OK) return gz_message_error("srdf", &error);
    }
    gz_output output = {0};
    int status = gz_output_open(&output, o->output);
    if (status == GZ_EXIT_FINE) {
        if (o->format <= 0)
            fwrite(srdf, 1, srdf_size, output.stream);
        else if (o->format == 1)
            gz_srdf_json(output.stream, matrix);
        else
            gz_srdf_text(output.stream, matrix);
        status = gz_output_finish(&output);
    }
    graze_matrix_text_free(srdf);
    return status;
}

// ------------------------------------------------------------------------------------- the review

static int write_review(srdf_options *o, const char *robot, const graze_matrix *matrix,
                        const graze_matrix_review *review) {
    static const char *const collada[] = {NULL, "spec", "moveit"};
    static const char *const visual[] = {NULL, "missing", "always"};
    gz_srdf_origin origin = {.robot = robot,
                             .packages = o->input.packages.items,
                             .package_count = o->input.packages.count,
                             .package_path = o->input.package_path,
                             .collada = collada[o->input.collada],
                             .use_visual = visual[o->input.use_visual]};
    gz_output output = {0};
    int status = gz_output_open(&output, o->output);
    if (status != GZ_EXIT_FINE) return status;
    if (o->format == 1)
        gz_srdf_review_json(output.stream, review, matrix, o->reviewed);
    else
        gz_srdf_review_text(output.stream, review, matrix, o->reviewed, &origin);
    status = gz_output_finish(&output);
    if (status != GZ_EXIT_FINE) return status;
    for (size_t i = 0; i < graze_matrix_review_count(review); i++)
        if (o->strict || graze_matrix_review_at(review, i)->is_error) return GZ_EXIT_FINDING;
    return GZ_EXIT_FINE;
}

static int review_matrix(srdf_options *o, const char *robot, const graze_matrix *matrix,
                         const char *text, size_t size) {
    graze_matrix_review *review = NULL;
    graze_error error;
    graze_limits limits = limits_of(o);
    if (graze_matrix_review_srdf(&review, matrix, text, size, o->reviewed, &limits, &error) !=
        GRAZE_OK)
        return gz_message_error("srdf", &error);
    int status = write_review(o, robot, matrix, review);
    graze_matrix_review_free(review);
    return status;
}

static int run(srdf_options *o, const char *robot) {
    const char *file = o->reviewed != NULL ? o->reviewed : o->input.srdf;
    char *text = NULL;
    size_t size = 0;
    graze_matrix *matrix = NULL;
    int status = GZ_EXIT_FINE;
    if (file != NULL) status = gz_text_input_read(file, o->input.max_bytes, &text, &size);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load(&o->input, robot, GRAZE_VISUALS_SKIP);
    if (status == GZ_EXIT_FINE) status = compute(o, &matrix);
    if (status == GZ_EXIT_FINE)
        status = o->reviewed != NULL ? review_matrix(o, robot, matrix, text, size)
                                     : write_matrix(o, matrix, text, size);
    graze_matrix_free(matrix);
    gz_storage_free(text);
    return status;
}

int gz_command_srdf(int argc, char **argv) {
    graze_matrix_options defaults = graze_matrix_options_default();
    srdf_options options = {.input = gz_robot_input_default("srdf"),
                            .samples = defaults.samples,
                            .seed = defaults.seed,
                            .search = defaults.search,
                            .budget = defaults.budget,
                            .threads = 1};
    const char *robot = NULL;
    int status = parse(&options, &robot, argc, argv);
    if (status == GZ_GO_ON) {
        if (options.reviewed != NULL && options.input.srdf != NULL)
            status = gz_message_usage("srdf", "--verify and --srdf exclude each other");
        else if (options.reviewed != NULL && options.format == 0)
            status = gz_message_usage("srdf", "--verify writes text or json");
        else if (options.reviewed == NULL && options.strict)
            status = gz_message_usage("srdf", "--strict goes with --verify");
        else
            status = run(&options, robot);
    }
    gz_robot_input_free(&options.input);
    return status;
}
