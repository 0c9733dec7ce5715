// Findings as SARIF 2.1.0: what code hosts show beside the lines of a change.
#include <inttypes.h>
#include <string.h>

#include "cli/lint/lint_internal.h"
#include "cli/output.h"

static const char *level_of(graze_severity severity) {
    switch (severity) {
    case GRAZE_SEVERITY_ERROR:
        return "error";
    case GRAZE_SEVERITY_WARNING:
        return "warning";
    case GRAZE_SEVERITY_INFO:
        return "note";
    default:
        return "none";
    }
}

static void write_rule(FILE *stream, const graze_lint_rule *rule) {
    fprintf(stream, "{\"id\":\"%s\",\"name\":\"%s\",\"shortDescription\":{\"text\":", rule->id,
            rule->name);
    gz_json_string(stream, rule->summary);
    fputs("},\"help\":{\"text\":", stream);
    gz_json_string(stream, rule->advice);
    fprintf(stream,
            "},\"defaultConfiguration\":{\"level\":\"%s\"},"
            "\"properties\":{\"tags\":[\"%s\"]}}",
            level_of(rule->severity), gz_tier_name(rule->tier));
}

static void write_rules(FILE *stream) {
    fputs("\"rules\":[", stream);
    for (size_t i = 0; i < graze_lint_rule_count(); i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", stream);
        write_rule(stream, graze_lint_rule_at(i));
    }
    fputs("]", stream);
}

static size_t rule_index(const graze_lint_rule *rule) {
    size_t i = 0;
    while (graze_lint_rule_at(i) != rule) i++;
    return i;
}

/// A path as a URI reference: what is not unreserved or a slash is written in percent.
static void write_uri(FILE *stream, const char *path) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    fputs(path[0] == '/' ? "\"file://" : "\"", stream);
    while (strncmp(path, "./", 2) == 0) path += 2;
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            fputc(*path, stream);
        else
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*path);
    }
    fputc('"', stream);
}

/// Tells a finding from others when lines move: FNV-1a of rule, element, link and joint.
static uint64_t fingerprint(const graze_finding *f) {
    const char *const parts[] = {f->rule->id, f->element, f->link, f->joint};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *p = parts[i];
        do hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
        while (*p++ != '\0');
    }
    return hash;
}

static void write_artifact(FILE *stream, const char *file) {
    fputs("\"artifactLocation\":{\"uri\":", stream);
    write_uri(stream, file);
    if (file[0] != '/') fputs(",\"uriBaseId\":\"SRCROOT\"", stream);
    fputc('}', stream);
}

/// How to mend it: bytes of the file to replace.
static void write_fix(FILE *stream, const graze_finding *f) {
    fputs(",\"fixes\":[{\"description\":{\"text\":", stream);
    gz_json_string(stream, f->rule->advice);
    fputs("},\"artifactChanges\":[{", stream);
    write_artifact(stream, f->file);
    fprintf(stream,
            ",\"replacements\":[{\"deletedRegion\":{\"byteOffset\":%" PRIu64
            ",\"byteLength\":%zu},\"insertedContent\":{\"text\":",
            f->fix.offset, strlen(f->fix.was));
    gz_json_string(stream, f->fix.text);
    fputs("}}]}]}]", stream);
}

/// By a comment in the file, or by a file of suppressions, with its reason.
static void write_suppressions(FILE *stream, const graze_finding *f,
                               const gz_lint_suppressions *known) {
    const char *reason = f->suppression < 0 ? "" : known->reasons[f->suppression];
    fprintf(stream, ",\"suppressions\":[{\"kind\":\"%s\"",
            f->suppression < 0 ? "inSource" : "external");
    if (reason[0] != '\0') {
        fputs(",\"justification\":", stream);
        gz_json_string(stream, reason);
    }
    fputs("}]", stream);
}

static void write_result(FILE *stream, const graze_finding *f, const gz_lint_suppressions *known) {
    fprintf(stream, "{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{\"text\":",
            f->rule->id, rule_index(f->rule), level_of(f->severity));
    gz_json_string(stream, f->message);
    fputs("},\"locations\":[{\"physicalLocation\":{", stream);
    write_artifact(stream, f->file);
    if (f->line > 0)
        fprintf(stream, ",\"region\":{\"startLine\":%d,\"startColumn\":%d}", (int)f->line,
                (int)f->column);
    fputc('}', stream);
    const char *name = f->link[0] != '\0' ? f->link : f->joint;
    if (name[0] != '\0') {
        fputs(",\"logicalLocations\":[{\"name\":", stream);
        gz_json_string(stream, name);
        fputs(",\"fullyQualifiedName\":", stream);
        gz_json_string(stream, f->element[0] != '\0' ? f->element : name);
        fputs("}]", stream);
    }
    fprintf(stream, "}],\"partialFingerprints\":{\"grazeFinding/v1\":\"%016" PRIx64 "\"}",
            fingerprint(f));
    if (f->fix.text != NULL) write_fix(stream, f);
    if (f->suppressed) write_suppressions(stream, f, known);
    fputc('}', stream);
}

void gz_lint_sarif(FILE *stream, const graze_lint_report *report,
                   const gz_lint_suppressions *known) {
    fprintf(stream,
            "{\"version\":\"2.1.0\",\"$schema\":"
            "\"https://json.schemastore.org/sarif-2.1.0.json\",\"runs\":[{\n"
            " \"tool\":{\"driver\":{\"name\":\"graze\",\"semanticVersion\":\"%s\",",
            graze_version());
    write_rules(stream);
    fputs("}},\n \"columnKind\":\"unicodeCodePoints\",\"results\":[", stream);
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", stream);
        write_result(stream, graze_lint_finding(report, i), known);
    }
    fputs("]}]}\n", stream);
}
