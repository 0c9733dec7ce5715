// Findings as one JSON object.
#include "cli/lint/lint_internal.h"
#include "cli/output.h"

static void write_text(FILE *stream, const char *key, const char *text) {
    fprintf(stream, ",\"%s\":", key);
    gz_json_string(stream, text);
}

static void write_fix(FILE *stream, const graze_lint_fix *fix) {
    fprintf(stream, ",\"fix\":{\"offset\":%llu,\"was\":", (unsigned long long)fix->offset);
    gz_json_string(stream, fix->was);
    write_text(stream, "text", fix->text);
    fputc('}', stream);
}

static void write_suppression(FILE *stream, const graze_finding *f,
                              const gz_lint_suppressions *known) {
    fprintf(stream, ",\"suppressed\":%s", f->suppressed ? "true" : "false");
    if (f->suppression < 0) return;
    fprintf(stream, ",\"suppression\":{\"file\":");
    gz_json_string(stream, known->file);
    fprintf(stream, ",\"line\":%d", known->lines[f->suppression]);
    write_text(stream, "reason", known->reasons[f->suppression]);
    fputc('}', stream);
}

static void write_finding(FILE *stream, const graze_finding *f, const gz_lint_suppressions *known) {
    fprintf(stream, "{\"rule\":\"%s\",\"name\":\"%s\",\"tier\":\"%s\",\"severity\":\"%s\"",
            f->rule->id, f->rule->name, gz_tier_name(f->rule->tier), gz_severity_name(f->severity));
    write_text(stream, "file", f->file);
    if (f->line > 0) fprintf(stream, ",\"line\":%d,\"column\":%d", (int)f->line, (int)f->column);
    if (f->element[0] != '\0') write_text(stream, "element", f->element);
    if (f->link[0] != '\0') write_text(stream, "link", f->link);
    if (f->joint[0] != '\0') write_text(stream, "joint", f->joint);
    write_text(stream, "message", f->message);
    write_text(stream, "advice", f->rule->advice);
    if (f->has_value) {
        fputs(",\"value\":", stream);
        gz_json_number(stream, f->value);
        fputs(",\"threshold\":", stream);
        gz_json_number(stream, f->threshold);
        write_text(stream, "unit", f->unit);
    }
    if (f->fix.text != NULL) write_fix(stream, &f->fix);
    write_suppression(stream, f, known);
    fputc('}', stream);
}

void gz_lint_json(FILE *stream, const graze_lint_report *report,
                  const gz_lint_suppressions *known) {
    fprintf(stream, "{\"format\":\"graze-lint-1\",\"errors\":%zu,\"warnings\":%zu,\"notes\":%zu,",
            graze_lint_count(report, GRAZE_SEVERITY_ERROR),
            graze_lint_count(report, GRAZE_SEVERITY_WARNING),
            graze_lint_count(report, GRAZE_SEVERITY_INFO));
    fputs("\"findings\":[", stream);
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        fputs(i > 0 ? ",\n " : "\n ", stream);
        write_finding(stream, graze_lint_finding(report, i), known);
    }
    fputs("]}\n", stream);
}
