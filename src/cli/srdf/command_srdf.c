// graze srdf: the allowed-collision matrix with its evidence, and the review of an SRDF against it.

#include <stdio.h>

#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/auto_srdf.h"
#include "cli/input/robot_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

// -------------------------------------------------------------------------------------------- text

static void print_shares(FILE *stream, const graze_matrix *m) {
    size_t counts[GRAZE_MATRIX_KIND_COUNT] = {0};
    int32_t most = 0;
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        const graze_matrix_entry *e = graze_matrix_at(m, i);
        counts[e->kind]++;
        most = e->joint_count > most ? e->joint_count : most;
    }
    fprintf(stream, "%zu pairs:", graze_matrix_count(m));
    for (int k = 0; k < GRAZE_MATRIX_KIND_COUNT; k++)
        if (counts[k] > 0)
            fprintf(stream, " %s %zu", graze_matrix_kind_name((graze_matrix_kind)k), counts[k]);
    size_t proved = counts[GRAZE_MATRIX_NEVER_PROVED];
    size_t all = proved + counts[GRAZE_MATRIX_NEVER_SAMPLED];
    fputc('\n', stream);
    if (all == 0) return;
    fprintf(stream, "never, proved: %zu of %zu (%.1f %%); by joints between:", proved, all,
            100 * (double)proved / (double)all);
    for (int32_t j = 0; j <= most; j++) {
        size_t of[2] = {0};
        for (size_t i = 0; i < graze_matrix_count(m); i++) {
            const graze_matrix_entry *e = graze_matrix_at(m, i);
            if (e->joint_count != j) continue;
            of[0] += e->kind == GRAZE_MATRIX_NEVER_PROVED;
            of[1] += e->kind == GRAZE_MATRIX_NEVER_PROVED || e->kind == GRAZE_MATRIX_NEVER_SAMPLED;
        }
        if (of[1] > 0) fprintf(stream, " %d: %zu of %zu;", (int)j, of[0], of[1]);
    }
    fprintf(stream, "\n");
}

static void print_evidence(FILE *stream, const graze_matrix_entry *e) {
    fprintf(stream, "%d joint%s", (int)e->joint_count, e->joint_count == 1 ? "" : "s");
    if (e->samples > 0)
        fprintf(stream, ", %" PRIu64 " of %" PRIu64 " samples collide", e->collisions, e->samples);
    if (e->witness != NULL && e->samples > 0 && e->collisions == 0)
        fprintf(stream, ", and so does one of %" PRIu64 " more", e->searched);
    if (e->witness != NULL && e->samples == 0 && e->searched > 0)
        fprintf(stream, ", one of %" PRIu64 " corners collides", e->searched);
    if (e->nodes > 0 && e->joint_count > 0) fprintf(stream, ", %" PRIu64 " boxes", e->nodes);
    if (e->kind != GRAZE_MATRIX_NEVER_SAMPLED) return;
    char distance[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(distance, e->distance, 6);
    fprintf(stream, ", %.3g %% proved, nearest above %s m, collides in less than %.2g (95 %%)",
            100 * e->proved_share, distance, e->rate_bound);
}

static void write_matrix_text(FILE *stream, const graze_matrix *m) {
    const graze_robot *r = graze_matrix_robot(m);
    print_shares(stream, m);
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        const graze_matrix_entry *e = graze_matrix_at(m, i);
        fprintf(stream, "%-13s  %s x %s  ", graze_matrix_kind_name(e->kind),
                GZ_PLAIN(graze_robot_link_name(r, e->a)), GZ_PLAIN(graze_robot_link_name(r, e->b)));
        print_evidence(stream, e);
        fprintf(stream, "\n");
    }
}

// ----------------------------------------------------------------------------------------- review

/// A word of a shell command, in quotes where it needs them.
static void print_word(FILE *stream, const char *word) {
    bool bare = word[0] != '\0' && gz_shell_bare(word);
    if (!bare) fputc('\'', stream);
    gz_shell_inside(stream, word);
    if (!bare) fputc('\'', stream);
}

/// The numbers that are not at rest, by name, for between quotes.
static void print_witness(FILE *stream, const graze_robot *r, const graze_matrix_entry *e) {
    bool first = true;
    char number[GZ_DECIMAL_SIZE];
    for (size_t i = 0; i < graze_robot_q_size(r); i++) {
        graze_joint_info info = gz_joint_of_column(r, i);
        double rest = 0;
        if (info.limited) rest = info.lower > 0 ? info.lower : info.upper < 0 ? info.upper : 0;
        if (info.type == GRAZE_JOINT_FLOATING && i == (size_t)info.q_index + 6) rest = 1;
        if (e->witness[i] == rest) continue;
        if (!first) fputc(',', stream);
        gz_shell_inside(stream, graze_robot_q_name(r, i));
        fprintf(stream, "=%s", gz_decimal_format(number, e->witness[i]));
        first = false;
    }
}

/// How the user would check the configuration that shows a contact.
static void print_command(FILE *stream, const graze_matrix_entry *e, const gz_robot_input *input) {
    static const char *const collada[] = {"ros", "spec", "moveit", "auto"};
    static const char *const use_visual[] = {"never", "missing", "always"};
    fputs("  graze check ", stream);
    print_word(stream, input->path);
    for (size_t i = 0; i < input->packages.count; i++) {
        fputs(" --package ", stream);
        print_word(stream, input->packages.items[i]);
    }
    if (input->package_path != NULL) {
        fputs(" --package-path ", stream);
        print_word(stream, input->package_path);
    }
    if (input->collada > 0) fprintf(stream, " --collada %s", collada[input->collada]);
    if (input->use_visual > 0) fprintf(stream, " --use-visual %s", use_visual[input->use_visual]);
    if (!e->rest_collides) { // else the configuration that is checked without one
        fputs(" -q '", stream);
        print_witness(stream, input->robot, e);
        fputc('\'', stream);
    }
    fputs(" --explain\n", stream);
}

static void write_review_text(FILE *stream, const graze_matrix_review *review, const char *file,
                              const gz_robot_input *input) {
    size_t errors = 0, count = graze_matrix_review_count(review);
    for (size_t i = 0; i < count; i++) {
        const graze_matrix_finding *f = graze_matrix_review_at(review, i);
        errors += f->is_error;
        gz_plain_put(stream, file);
        if (f->line > 0) fprintf(stream, ":%d:%d", (int)f->line, (int)f->column);
        fprintf(stream, ": %s: ", f->is_error ? "error" : "note");
        gz_plain_put(stream, f->message);
        fprintf(stream, " [%s]\n", graze_matrix_fault_name(f->fault));
        if (f->entry != NULL && f->fault != GRAZE_MATRIX_DUPLICATE) {
            fputs("  ", stream);
            print_evidence(stream, f->entry);
            fputc('\n', stream);
        }
        if (f->fault == GRAZE_MATRIX_HIDES_CONTACT) print_command(stream, f->entry, input);
    }
    fprintf(stream, "%zu rules, %zu pairs left out: %zu errors, %zu notes\n",
            graze_matrix_review_rules(review), graze_matrix_review_disabled(review), errors,
            count - errors);
}

// -------------------------------------------------------------------------------------------- JSON

static void write_entry(gz_json *json, const char *key, const graze_matrix *m,
                        const graze_matrix_entry *e) {
    const graze_robot *r = graze_matrix_robot(m);
    static const char *const names[] = {"nearest", "witness", "apart"};
    const double *const configurations[] = {e->nearest, e->witness, e->apart};
    gz_json_key(json, key);
    gz_json_put(json,
                "{ links=[ %s %s ] kind=%s reason=%s adjacent=%i collides_at_rest=%i joints=%d "
                "variables=%d samples=%" PRIu64 " collisions=%" PRIu64 " searched=%" PRIu64
                " nodes=%" PRIu64 " proved_share=%g",
                graze_robot_link_name(r, e->a), graze_robot_link_name(r, e->b),
                graze_matrix_kind_name(e->kind), graze_matrix_kind_reason(e->kind), e->adjacent,
                e->rest_collides, e->joint_count, e->column_count, e->samples, e->collisions,
                e->searched, e->nodes, e->proved_share);
    if (e->kind == GRAZE_MATRIX_NEVER_SAMPLED)
        gz_json_put(json, "rate_bound=%g distance_above=%g", e->rate_bound, e->distance);
    for (int i = 0; i < 3; i++)
        if (configurations[i] != NULL)
            gz_json_numbers(json, names[i], configurations[i], graze_robot_q_size(r));
    gz_json_put(json, "}");
}

static void write_settings(gz_json *json, const graze_matrix *m) {
    const graze_robot *r = graze_matrix_robot(m);
    graze_matrix_options o = graze_matrix_settings(m);
    gz_json_put(json,
                "robot=%s samples=%" PRIu64 " seed=%" PRIu64 " search=%" PRIu64 " budget=%" PRIu64
                " quick=%" PRIu64 " q=[",
                graze_robot_name(r), o.samples, o.seed, o.search, o.budget, o.quick);
    for (size_t i = 0; i < graze_robot_q_size(r); i++)
        gz_json_put(json, "%s", graze_robot_q_name(r, i));
    gz_json_put(json, "]");
}

static void write_matrix_json(FILE *stream, const graze_matrix *m) {
    gz_json json = gz_json_begin(stream, "graze-matrix-1");
    write_settings(&json, m);
    gz_json_put(&json, "pairs=[");
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < graze_matrix_count(m); i++)
        write_entry(&json, NULL, m, graze_matrix_at(m, i));
    gz_json_finish(&json);
}

static void write_finding(gz_json *json, const graze_matrix *m, const graze_matrix_finding *f) {
    gz_json_put(json, "{ fault=%s error=%i", graze_matrix_fault_name(f->fault), f->is_error);
    if (f->line > 0) gz_json_put(json, "line=%d column=%d", f->line, f->column);
    gz_json_put(json, "link1=%s link2=%s reason=%s message=%s", f->link1, f->link2, f->reason,
                f->message);
    if (f->nearest[0] != NULL) gz_json_put(json, "nearest1=%s", f->nearest[0]);
    if (f->nearest[1] != NULL) gz_json_put(json, "nearest2=%s", f->nearest[1]);
    if (f->entry != NULL) write_entry(json, "pair", m, f->entry);
    gz_json_put(json, "}");
}

static void write_review_json(FILE *stream, const graze_matrix_review *review,
                              const graze_matrix *m, const char *file) {
    gz_json json = gz_json_begin(stream, "graze-matrix-review-1");
    gz_json_put(&json, "file=%s", file);
    write_settings(&json, m);
    gz_json_put(&json, "rules=%zu left_out=%zu findings=[", graze_matrix_review_rules(review),
                graze_matrix_review_disabled(review));
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < graze_matrix_review_count(review); i++)
        write_finding(&json, m, graze_matrix_review_at(review, i));
    gz_json_finish(&json);
}

// ----------------------------------------------------------------------------- the command line

static const char *const format_names[] = {"srdf", "json", "text", NULL};

typedef struct srdf_options {
    gz_robot_input input;
    graze_matrix_options matrix;
    const char *output, *reviewed;
    bool strict, prove;
    int format; ///< -1: not given
} srdf_options;

static int check_usage(const srdf_options *o) {
    const char *srdf = o->input.srdf;
    // What is written as SRDF keeps all else of --srdf, and so may take its place; a report may
    // not.
    bool keeps = o->reviewed == NULL && o->format <= 0;
    if (!keeps && o->output != NULL && srdf != NULL && gz_output_replaces(o->output, srdf))
        return gz_message_usage("srdf",
                                "-o is '%s', which is read as --srdf; allowed: an output that is "
                                "no input, but of --format srdf",
                                o->output);
    const gz_usage_rule rules[] = {
        {gz_auto_srdf_wanted(&o->input), "--srdf is 'auto'; allowed: a file"},
        {o->reviewed != NULL && srdf != NULL, "--verify and --srdf exclude each other"},
        {o->reviewed != NULL && o->format == 0, "--verify writes text or json"},
        {o->reviewed == NULL && o->strict, "--strict goes with --verify"},
    };
    return gz_usage_check("srdf", rules, GZ_COUNT(rules));
}

static const gz_command_line command_line = {
    .command = "srdf",
    .synopsis = "srdf ROBOT [options]\n"
                "       graze srdf ROBOT --verify FILE [options]",
    .about =
        "Writes the allowed-collision matrix of a robot as SRDF: for every pair of links whether they\n"
        "can touch inside the limits of their joints, each with its evidence in a comment. That takes\n"
        "seconds: of pairs that never touch those are left out that are proved so in that time; the\n"
        "others stay checked. With --prove, minutes: more are proved, and the rest sampled. With --srdf\n"
        "everything else of that file is kept as it is. With --verify an SRDF is reviewed instead, as\n"
        "deeply: unknown links, pairs that are left out although they collide, with a configuration\n"
        "that shows it, wrong reasons, missing pairs.",
    .examples = "  graze srdf robot.urdf -o robot.srdf\n"
                "  graze srdf robot.urdf --prove -o robot.srdf\n"
                "  graze srdf robot.urdf --srdf old.srdf -o new.srdf\n"
                "  graze srdf robot.urdf --verify robot.srdf\n"
                "  graze srdf robot.urdf --format text --threads 1\n",
    .operand_name = "ROBOT",
};

static int parse(srdf_options *o, int argc, char **argv) {
    gz_option work[] = {
        {"prove", NULL, .flag = &o->prove,
         .help =
             "search and prove for minutes, not seconds; so do\n--verify, --search and --budget"},
        {"samples", "N", .count = &o->matrix.samples, .minimum = 1, .maximum = 1000000000,
         .help = "configurations per pair (default 10000)"},
        {"search", "N", .count = &o->matrix.search, .maximum = 1000000000,
         .help = "steps towards contact per pair (default 600)"},
        {"budget", "N", .count = &o->matrix.budget, .maximum = 1000000000000,
         .help = "work for proofs per pair, some 0.5 us each; 0: none\n(default 100000)"},
        {"seed", "N", .count = &o->matrix.seed, .help = "of all samples (default 1)"},
        {"threads", "N", .count32 = &o->matrix.threads, .maximum = 1024,
         .help = "default 0, one per processor; the matrix is the same"},
    };
    gz_option review[] = {
        {"verify", "FILE", .text = &o->reviewed, .file = GZ_FILE_READ,
         .help = "review this SRDF; exit status 1 when something is\nwrong"},
        {"strict", NULL, .flag = &o->strict, .help = "notes count like errors for the exit status"},
    };
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "srdf (default), json, text (default of --verify)"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("evidence", work), GZ_SECTION("review", review),
                                     GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    bool deep = o->prove || o->reviewed != NULL;
    for (size_t i = 0; i < GZ_COUNT(work); i++)
        deep = deep || (work[i].given &&
                        (work[i].count == &o->matrix.search || work[i].count == &o->matrix.budget));
    o->matrix.quick = deep ? 0 : GRAZE_MATRIX_QUICK;
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// --------------------------------------------------------------------------------------- the work

static int write_matrix(srdf_options *o, const graze_matrix *matrix, const char *text,
                        size_t size) {
    char *srdf = NULL;
    size_t srdf_size = 0;
    if (o->format <= 0) {
        graze_error error;
        graze_status status = graze_matrix_write_srdf(&srdf, &srdf_size, matrix, text, size,
                                                      o->input.srdf, &o->input.limits, &error);
        if (status != GRAZE_OK) return gz_message_error("srdf", &error);
    }
    gz_output output;
    bool open = gz_output_open(&output, o->output) == GZ_EXIT_FINE;
    if (open && o->format <= 0) fwrite(srdf, 1, srdf_size, output.stream);
    if (open && o->format == 1) write_matrix_json(output.stream, matrix);
    if (open && o->format == 2) write_matrix_text(output.stream, matrix);
    graze_matrix_text_free(srdf);
    return gz_output_finish(&output);
}

// ------------------------------------------------------------------------------------- the review

static int write_review(const srdf_options *o, const graze_matrix *matrix,
                        const graze_matrix_review *review) {
    gz_output output;
    bool open = gz_output_open(&output, o->output) == GZ_EXIT_FINE;
    if (open && o->format == 1) write_review_json(output.stream, review, matrix, o->reviewed);
    if (open && o->format != 1) write_review_text(output.stream, review, o->reviewed, &o->input);
    GZ_TRY_EXIT(gz_output_finish(&output));
    for (size_t i = 0; i < graze_matrix_review_count(review); i++)
        if (o->strict || graze_matrix_review_at(review, i)->is_error) return GZ_EXIT_FINDING;
    return GZ_EXIT_FINE;
}

static int review_matrix(srdf_options *o, const graze_matrix *matrix, const char *text,
                         size_t size) {
    graze_matrix_review *review = NULL;
    graze_error error;
    if (graze_matrix_review_srdf(&review, matrix, text, size, o->reviewed, &o->input.limits,
                                 &error) != GRAZE_OK)
        return gz_message_error("srdf", &error);
    int status = write_review(o, matrix, review);
    graze_matrix_review_free(review);
    return status;
}

static int run(srdf_options *o) {
    const char *file = o->reviewed != NULL ? o->reviewed : o->input.srdf;
    char *text = NULL;
    size_t size = 0;
    graze_matrix *matrix = NULL;
    int status = GZ_EXIT_FINE;
    if (file != NULL) status = gz_text_input_read(file, o->input.limits.file_bytes, &text, &size);
    if (status == GZ_EXIT_FINE) status = gz_robot_input_load(&o->input, GRAZE_VISUALS_SKIP);
    if (status == GZ_EXIT_FINE)
        status = gz_matrix_input_compute(&o->input, o->input.robot, o->matrix, &matrix);
    if (status == GZ_EXIT_FINE)
        status = o->reviewed != NULL ? review_matrix(o, matrix, text, size)
                                     : write_matrix(o, matrix, text, size);
    graze_matrix_free(matrix);
    gz_free(text);
    return status;
}

int gz_command_srdf(int argc, char **argv) {
    srdf_options options = {.input = gz_robot_input_default("srdf"),
                            .matrix = graze_matrix_options_default(),
                            .format = -1};
    options.input.srdf_replaced = true;
    options.input.own_strict = true;
    options.matrix.threads = 0;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON) status = run(&options);
    gz_robot_input_free(&options.input);
    return status;
}
