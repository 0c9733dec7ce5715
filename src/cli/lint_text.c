// Findings for people, and the rules.
#include "cli/lint/lint_internal.h"
#include "cli/message.h"
#include "cli/output.h"

const char *gz_tier_name(graze_tier tier) {
    static const char *const names[GRAZE_TIER_COUNT] = {"schema", "topology", "joints", "inertia",
                                                        "assets", "geometry", "self"};
    return names[tier];
}

static void write_finding(FILE *stream, const graze_finding *f) {
    gz_plain_put(stream, f->file);
    if (f->line > 0) fprintf(stream, ":%d:%d", (int)f->line, (int)f->column);
    fprintf(stream, ": %s: ", gz_severity_name(f->severity));
    gz_plain_put(stream, f->message);
    fprintf(stream, " [%s %s]\n", f->rule->id, f->rule->name);
    fprintf(stream, "    %s\n", f->rule->advice);
}

static void write_count(FILE *stream, size_t count, const char *what) {
    fprintf(stream, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

void gz_lint_text(FILE *stream, const graze_lint_report *report, bool quiet) {
    size_t suppressed = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (f->suppressed)
            suppressed++;
        else
            write_finding(stream, f);
    }
    if (quiet) return;
    write_count(stream, graze_lint_count(report, GRAZE_SEVERITY_ERROR), "error");
    fputs(", ", stream);
    write_count(stream, graze_lint_count(report, GRAZE_SEVERITY_WARNING), "warning");
    fputs(", ", stream);
    write_count(stream, graze_lint_count(report, GRAZE_SEVERITY_INFO), "note");
    if (suppressed > 0) fprintf(stream, ", %zu suppressed", suppressed);
    fputc('\n', stream);
}

void gz_lint_list_rules(FILE *stream) {
    for (size_t i = 0; i < graze_lint_rule_count(); i++) {
        const graze_lint_rule *rule = graze_lint_rule_at(i);
        fprintf(stream, "%s  %-22s %-9s %-8s %s\n", rule->id, rule->name, gz_tier_name(rule->tier),
                gz_severity_name(rule->severity), rule->summary);
    }
}

void gz_lint_explain_rule(FILE *stream, const graze_lint_rule *rule) {
    fprintf(stream, "%s %s (tier %s, %s)\n%s\n%s\ndocs/lint/%s.md has an example.\n", rule->id,
            rule->name, gz_tier_name(rule->tier), gz_severity_name(rule->severity), rule->summary,
            rule->advice, rule->id);
}
