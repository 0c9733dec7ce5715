// graze lint: what is wrong or doubtful in a robot description.
#include <string.h>
#include <strings.h>

#include "cli/argument.h"
#include "cli/command.h"
#include "cli/lint_writer.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_input.h"
#include "cli/storage.h"

static const char *const format_names[] = {"text", "json", "sarif", "junit", NULL};

typedef struct lint_options {
    gz_robot_input input;
    gz_texts settings, tiers;
    const char *output, *explained;
    bool strict, list;
    int format;
} lint_options;

static const char about[] =
    "Looks for everything that is wrong or doubtful in a robot description, in one pass: each\n"
    "finding has a rule, a severity, a place, what was found and what to do. ROBOT is a URDF\n"
    "file; '-' reads it from standard input. A comment <!-- graze-lint: off RULE --> in front of\n"
    "an element turns a rule off for it and all that it holds.";

static const char examples[] = "  graze lint robot.urdf --srdf robot.srdf\n"
                               "  xacro robot.xacro | graze lint - --strict\n"
                               "  graze lint robot.urdf --format sarif -o findings.sarif\n"
                               "  graze lint --explain J003\n";

static int parse(lint_options *o, const char **robot, int argc, char **argv) {
    gz_option of_robot[GZ_ROBOT_OPTION_COUNT], limits[GZ_LIMIT_OPTION_COUNT];
    gz_option rules[] = {
        {.name = "rule",
         .kind = GZ_OPTION_TEXTS,
         .target = &o->settings,
         .argument = "RULE=SEVERITY",
         .help = "off, info, warning or error, for a rule's id or name\n(repeatable)"},
        {.name = "tier",
         .kind = GZ_OPTION_TEXTS,
         .target = &o->tiers,
         .argument = "TIER=off",
         .help = "leave out a tier: schema, topology, joints, inertia,\n"
                 "assets, geometry (repeatable)"},
        {.name = "strict",
         .kind = GZ_OPTION_FLAG,
         .target = &o->strict,
         .help = "warnings count like errors for the exit status"},
        {.name = "rules",
         .kind = GZ_OPTION_FLAG,
         .target = &o->list,
         .help = "list the rules and do nothing else"},
        {.name = "explain",
         .kind = GZ_OPTION_TEXT,
         .target = &o->explained,
         .argument = "RULE",
         .help = "say what a rule means and do nothing else"},
    };
    gz_option answer[] = {
        {.name = "format",
         .kind = GZ_OPTION_CHOICE,
         .target = &o->format,
         .argument = "FORMAT",
         .choices = format_names,
         .help = "text (default), json, sarif, junit"},
        {.name = "output",
         .letter = 'o',
         .kind = GZ_OPTION_TEXT,
         .target = &o->output,
         .argument = "FILE",
         .help = "write to FILE, which appears when it is complete"},
    };
    gz_robot_input_options(&o->input, of_robot);
    gz_robot_input_limit_options(&o->input, limits);
    gz_option_section sections[] = {
        {"rules", rules, sizeof rules / sizeof *rules},
        {"answer", answer, sizeof answer / sizeof *answer},
        {"robot", of_robot, GZ_ROBOT_OPTION_COUNT},
        {"limits and messages", limits, GZ_LIMIT_OPTION_COUNT},
    };
    gz_command_line line = {.command = "lint",
                            .synopsis = "lint ROBOT [options]\n       graze lint --rules\n"
                                        "       graze lint --explain RULE",
                            .about = about,
                            .examples = examples,
                            .sections = sections,
                            .section_count = sizeof sections / sizeof *sections,
                            .operand_name = "ROBOT",
                            .operand_optional = true};
    int status = gz_command_line_parse(&line, argc, argv);
    *robot = line.operand;
    return status;
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
                            "inertia, assets or geometry",
                            text);
}

// ------------------------------------------------------------------------------------------ run

static int write_report(const lint_options *o, const graze_lint_report *report) {
    gz_output output = {0};
    int status = gz_output_open(&output, o->output);
    if (status != GZ_EXIT_FINE) return status;
    switch (o->format) {
    case 0:
        gz_lint_text(output.stream, report, o->input.quiet);
        break;
    case 1:
        gz_lint_json(output.stream, report);
        break;
    case 2:
        gz_lint_sarif(output.stream, report);
        break;
    default:
        gz_lint_junit(output.stream, report);
    }
    status = gz_output_finish(&output);
    if (status != GZ_EXIT_FINE) return status;
    size_t bad = graze_lint_count(report, GRAZE_SEVERITY_ERROR);
    if (o->strict) bad += graze_lint_count(report, GRAZE_SEVERITY_WARNING);
    return bad > 0 ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

static int run_lint(lint_options *o, const char *robot) {
    graze_lint_options lint = graze_lint_options_default();
    graze_rule_setting *settings = gz_storage_resize(NULL, o->settings.count, sizeof *settings);
    if (settings == NULL && o->settings.count > 0) return gz_message_no_memory();
    int status = GZ_EXIT_FINE;
    for (size_t i = 0; status == GZ_EXIT_FINE && i < o->settings.count; i++)
        status = read_setting(o->settings.items[i], &settings[i]);
    for (size_t i = 0; status == GZ_EXIT_FINE && i < o->tiers.count; i++)
        status = read_tier(o->tiers.items[i], &lint.tiers_off);
    lint.rules = settings;
    lint.rule_count = o->settings.count;
    graze_lint_report *report = NULL;
    if (status == GZ_EXIT_FINE) status = gz_robot_input_lint(&o->input, robot, &lint, &report);
    if (status == GZ_EXIT_FINE) status = write_report(o, report);
    graze_lint_report_free(report);
    gz_storage_free(settings);
    return status;
}

static int run_without_robot(const lint_options *o) {
    if (o->list) {
        gz_lint_list_rules(stdout);
        return GZ_EXIT_FINE;
    }
    const graze_lint_rule *rule = graze_lint_rule_find(o->explained);
    if (rule == NULL)
        return gz_message_usage("lint", "--explain is '%s', which is no rule; see --rules",
                                o->explained);
    gz_lint_explain_rule(stdout, rule);
    return GZ_EXIT_FINE;
}

int gz_command_lint(int argc, char **argv) {
    lint_options options = {.input = gz_robot_input_default("lint")};
    const char *robot = NULL;
    int status = parse(&options, &robot, argc, argv);
    if (status == GZ_GO_ON) {
        bool alone = options.list || options.explained != NULL;
        if (alone && robot == NULL)
            status = run_without_robot(&options);
        else if (alone || robot == NULL)
            status = gz_message_usage("lint", alone ? "--rules and --explain take no ROBOT"
                                                    : "ROBOT is missing");
        else
            status = run_lint(&options, robot);
    }
    gz_texts_free(&options.settings);
    gz_texts_free(&options.tiers);
    gz_robot_input_free(&options.input);
    return status;
}
