// graze lint: what is wrong or doubtful in a robot description.

#include <string.h>

#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/lint/lint_internal.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

static const char *const format_names[] = {"text", "json", "sarif", "junit", NULL};

typedef struct lint_options {
    gz_robot_input input;
    gz_texts settings, tiers;
    const char *output, *explained, *suppressions;
    bool strict, list, audit, fix, diff;
    int format;
    graze_lint_options lint;
} lint_options;

static const gz_command_line command_line = {
    .command = "lint",
    .synopsis = "lint ROBOT [options]\n       graze lint --rules\n"
                "       graze lint --explain RULE",
    .about =
        "Looks for everything that is wrong or doubtful in a robot description, in one pass: each\n"
        "finding has a rule, a severity, a place, what was found and what to do. ROBOT is a URDF\n"
        "file; '-' reads it from standard input. A comment <!-- graze-lint: off RULE --> in front of\n"
        "an element turns a rule off for it and all that it holds.",
    .examples = "  graze lint robot.urdf --srdf robot.srdf\n"
                "  xacro robot.xacro | graze lint - --strict\n"
                "  graze lint robot.urdf --format sarif -o findings.sarif\n"
                "  graze lint robot.urdf --srdf robot.srdf --audit\n"
                "  graze lint robot.urdf --diff\n"
                "  graze lint --explain J003\n",
    .operand_name = "ROBOT",
    .operand_optional = true,
};

/// Options that contradict each other.
static int check_usage(const lint_options *o) {
    const char *robot = o->input.path;
    bool fixes = o->fix || o->diff, alone = o->list || o->explained != NULL;
    const gz_usage_rule rules[] = {
        {alone && robot != NULL, "--rules and --explain take no ROBOT"},
        {!alone && robot == NULL, "ROBOT is missing"},
        {!alone && o->fix && o->diff, "--fix and --diff exclude each other"},
        {!alone && fixes && robot != NULL && strcmp(robot, "-") == 0,
         "--fix and --diff change files, not standard input"},
        {!alone && fixes && o->format != 0, "--fix and --diff print a diff; not with --format"},
    };
    return gz_usage_check("lint", rules, GZ_COUNT(rules));
}

static int parse(lint_options *o, int argc, char **argv) {
    gz_option rules[] = {
        {"rule", "RULE=SEVERITY", .texts = &o->settings,
         .help = "off, info, warning or error, for a rule's id or name\n(repeatable)"},
        {"tier", "TIER=off", .texts = &o->tiers,
         .help = "leave out a tier: schema, topology, joints, inertia,\n"
                 "assets, geometry, self (repeatable)"},
        {"suppressions", "FILE", .text = &o->suppressions, .file = GZ_FILE_READ,
         .help = "findings that are known: lines of\nRULE [link=NAME|joint=NAME] [# reason]"},
        {"strict", NULL, .flag = &o->strict,
         .help = "warnings count like errors for the exit status, and\n"
                 "so do suppressions that suppress nothing"},
        {"pair-samples", "N", .count32 = &o->lint.pair_samples,
         .maximum = GRAZE_LINT_PAIR_SAMPLE_MAX,
         .help = "configurations in which rules S001 and S003 look at\neach pair of links (default "
                 "200; 0: not at all)"},
        {"rules", NULL, .flag = &o->list, .help = "list the rules and do nothing else"},
        {"explain", "RULE", .text = &o->explained,
         .help = "say what a rule means and do nothing else"},
    };
    gz_option audit[] = {
        {"audit", NULL, .flag = &o->audit,
         .help = "sweep every joint through its limits, and report where\n"
                 "the robot first touches itself (rule S011)"},
        {"samples", "N", .count32 = &o->lint.audit_samples, .maximum = GRAZE_LINT_AUDIT_SAMPLE_MAX,
         .help = "of the other joints, besides their rest values\n(default 16)"},
        {"seed", "N", .count = &o->lint.seed, .help = "of the samples (default 0)"},
    };
    gz_option fixing[] = {
        {"fix", NULL, .flag = &o->fix,
         .help = "fix in the files what can be fixed with certainty,\nand print what was "
                 "changed as a diff"},
        {"diff", NULL, .flag = &o->diff, .help = "print what --fix would change; touch nothing"},
    };
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json, sarif, junit"},
        GZ_OPTION_OUTPUT(&o->output),
    };
    const gz_option_section own[] = {GZ_SECTION("rules", rules), GZ_SECTION("joint audit", audit),
                                     GZ_SECTION("fixing", fixing), GZ_SECTION("answer", answer)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// ------------------------------------------------------------------------------------- settings

static const char *const severity_names[] = {"off", "info", "warning", "error"};

const char *gz_severity_name(graze_severity severity) {
    return severity_names[severity];
}

/// Reads "RULE=SEVERITY"; the name of the rule is found in the library's own table.
static int read_setting(const char *text, graze_rule_setting *out) {
    const char *equals = strchr(text, '=');
    char name[64];
    size_t size = equals != NULL ? (size_t)(equals - text) : 0;
    if (size > 0 && size < sizeof name) {
        memcpy(name, text, size);
        name[size] = '\0';
        const graze_lint_rule *rule = graze_lint_rule_find(name);
        if (rule == NULL)
            return gz_message_usage("lint", "--rule names '%s', which is no rule; see --rules",
                                    name);
        for (int i = 0; i < 4; i++) {
            if (strcmp(equals + 1, severity_names[i]) != 0) continue;
            *out = (graze_rule_setting){rule->id, (graze_severity)i};
            return GZ_EXIT_FINE;
        }
    }
    return gz_message_usage("lint",
                            "--rule is '%s'; allowed: RULE=SEVERITY with off, info, warning or "
                            "error",
                            text);
}

static int read_tier(const char *text, uint32_t *tiers_off) {
    for (int i = 0; i < GRAZE_TIER_COUNT; i++) {
        const char *name = gz_tier_name((graze_tier)i);
        size_t size = strlen(name);
        if (strncmp(text, name, size) != 0 || strcmp(text + size, "=off") != 0) continue;
        *tiers_off |= 1u << i;
        return GZ_EXIT_FINE;
    }
    return gz_message_usage("lint",
                            "--tier is '%s'; allowed: TIER=off with schema, topology, joints, "
                            "inertia, assets, geometry or self",
                            text);
}

// ------------------------------------------------------------------------------------------ run

/// The exit status that a report asks for; `unused`: suppressions that suppress nothing.
static int exit_status(const lint_options *o, const graze_lint_report *report, size_t unused) {
    size_t bad = graze_lint_count(report, GRAZE_SEVERITY_ERROR);
    if (o->strict) bad += graze_lint_count(report, GRAZE_SEVERITY_WARNING) + unused;
    return bad > 0 ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

static int write_report(const lint_options *o, const graze_lint_report *report,
                        const gz_lint_suppressions *known) {
    gz_output output;
    bool open = gz_output_open(&output, o->output) == GZ_EXIT_FINE;
    if (open && o->format == 0) gz_lint_text(output.stream, report, o->input.quiet);
    if (open && o->format == 1) gz_lint_json(output.stream, report, known);
    if (open && o->format == 2) gz_lint_sarif(output.stream, report, known);
    if (open && o->format == 3) gz_lint_junit(output.stream, report);
    return gz_output_finish(&output);
}

/// Prints what was fixed, and what is left, on stderr.
static void print_fixes(const lint_options *o, const gz_fixed_files *files,
                        const graze_lint_report *left) {
    if (o->input.quiet) return;
    fprintf(stderr, "%zu %s %sfixed in %zu file%s", files->edits,
            files->edits == 1 ? "finding" : "findings", o->diff ? "can be " : "", files->count,
            files->count == 1 ? "" : "s");
    if (left != NULL)
        fprintf(stderr, "; left: %zu errors, %zu warnings, %zu notes",
                graze_lint_count(left, GRAZE_SEVERITY_ERROR),
                graze_lint_count(left, GRAZE_SEVERITY_WARNING),
                graze_lint_count(left, GRAZE_SEVERITY_INFO));
    fputc('\n', stderr);
}

/// Fixes, or shows how; the diff is on stdout before any file is touched.
static int fix(lint_options *o, graze_lint_options *lint, graze_lint_report **report) {
    gz_fixed_files files;
    gz_output output;
    int status = gz_lint_fix_prepare(&files, *report, o->input.limits.file_bytes);
    if (status == GZ_EXIT_FINE) {
        if (gz_output_open(&output, o->output) == GZ_EXIT_FINE)
            gz_lint_fix_diff(output.stream, &files);
        status = gz_output_finish(&output);
    }
    if (status == GZ_EXIT_FINE && !o->diff) status = gz_lint_fix_write(&files);
    graze_lint_report *left = NULL;
    // The audit does not depend on what was fixed.
    lint->audit = 0;
    if (status == GZ_EXIT_FINE && !o->diff) status = gz_robot_input_lint(&o->input, lint, &left);
    if (status == GZ_EXIT_FINE) print_fixes(o, &files, left);
    gz_lint_fix_free(&files);
    if (left != NULL) {
        graze_lint_report_free(*report);
        *report = left;
    }
    return status;
}

/// Whether the output is none of the meshes that were read.
static int check_output(const lint_options *o, const graze_lint_report *report) {
    for (size_t i = 0; o->output != NULL && i < graze_lint_file_count(report); i++)
        if (gz_output_replaces(o->output, graze_lint_file(report, i)))
            return gz_message_usage("lint",
                                    "the output is '%s', which is read as a mesh; allowed: an "
                                    "output that is no input",
                                    o->output);
    return GZ_EXIT_FINE;
}

static int run_checked(lint_options *o, graze_lint_options *lint,
                       const gz_lint_suppressions *known) {
    graze_lint_report *report = NULL;
    size_t unused = 0;
    int status = gz_robot_input_lint(&o->input, lint, &report);
    if (status == GZ_EXIT_FINE) status = check_output(o, report);
    if (status == GZ_EXIT_FINE) {
        bool quiet = o->input.quiet && !o->strict;
        unused = gz_lint_suppressions_unused(known, report, lint, quiet);
        status = o->fix || o->diff ? fix(o, lint, &report) : write_report(o, report, known);
    }
    if (status == GZ_EXIT_FINE) status = exit_status(o, report, unused);
    graze_lint_report_free(report);
    return status;
}

static int run_lint(lint_options *o) {
    graze_lint_options lint = o->lint;
    graze_rule_setting *settings = gz_malloc(o->settings.count, sizeof *settings);
    if (settings == NULL) return gz_message_no_memory();
    gz_lint_suppressions known = {0};
    int status = GZ_EXIT_FINE;
    for (size_t i = 0; status == GZ_EXIT_FINE && i < o->settings.count; i++)
        status = read_setting(o->settings.items[i], &settings[i]);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < o->tiers.count; i++)
        status = read_tier(o->tiers.items[i], &lint.tiers_off);
    if (status == GZ_EXIT_FINE && o->suppressions != NULL)
        status = gz_lint_suppressions_read(&known, o->suppressions, o->input.limits.file_bytes);
    lint.rules = settings;
    lint.rule_count = o->settings.count;
    lint.suppressions = known.items;
    lint.suppression_count = known.count;
    lint.audit = o->audit;
    if (status == GZ_EXIT_FINE) status = run_checked(o, &lint, &known);
    gz_lint_suppressions_free(&known);
    gz_free(settings);
    return status;
}

static int run_without_robot(const lint_options *o) {
    const graze_lint_rule *rule = o->list ? NULL : graze_lint_rule_find(o->explained);
    if (!o->list && rule == NULL)
        return gz_message_usage("lint", "--explain is '%s', which is no rule; see --rules",
                                o->explained);
    if (o->format != 0)
        return gz_message_usage("lint", "--rules and --explain print text; not with --format");
    gz_output output;
    bool open = gz_output_open(&output, o->output) == GZ_EXIT_FINE;
    if (open && o->list) gz_lint_list_rules(output.stream);
    if (open && !o->list) gz_lint_explain_rule(output.stream, rule);
    return gz_output_finish(&output);
}

int gz_command_lint(int argc, char **argv) {
    lint_options options = {.input = gz_robot_input_default("lint"),
                            .lint = graze_lint_options_default()};
    options.input.own_strict = true;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON)
        status = options.input.path != NULL ? run_lint(&options) : run_without_robot(&options);
    gz_texts_free(&options.settings);
    gz_texts_free(&options.tiers);
    gz_robot_input_free(&options.input);
    return status;
}
