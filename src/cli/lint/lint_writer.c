// Findings of the linter: for people, as JSON, as JUnit's XML and as SARIF.
#include <inttypes.h>
#include <string.h>

#include "cli/json.h"
#include "cli/lint/lint_internal.h"
#include "cli/message.h"

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

void gz_lint_text(FILE *stream, const graze_lint_report *report, bool quiet) {
    size_t suppressed = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        suppressed += f->suppressed;
        if (!f->suppressed) write_finding(stream, f);
    }
    if (quiet) return;
    static const char *const words[] = {[GRAZE_SEVERITY_INFO] = "note",
                                        [GRAZE_SEVERITY_WARNING] = "warning",
                                        [GRAZE_SEVERITY_ERROR] = "error"};
    for (int severity = GRAZE_SEVERITY_ERROR; severity >= GRAZE_SEVERITY_INFO; severity--) {
        size_t count = graze_lint_count(report, (graze_severity)severity);
        fprintf(stream, "%s%zu %s%s", severity < GRAZE_SEVERITY_ERROR ? ", " : "", count,
                words[severity], count == 1 ? "" : "s");
    }
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

// -------------------------------------------------------------------------------------- JSON

static void write_json_finding(gz_json *json, const graze_finding *f,
                               const gz_lint_suppressions *known) {
    gz_json_put(json, "{ rule=%s name=%s tier=%s severity=%s file=%s", f->rule->id, f->rule->name,
                gz_tier_name(f->rule->tier), gz_severity_name(f->severity), f->file);
    if (f->line > 0) gz_json_put(json, "line=%d column=%d", f->line, f->column);
    if (f->element[0] != '\0') gz_json_put(json, "element=%s", f->element);
    if (f->link[0] != '\0') gz_json_put(json, "link=%s", f->link);
    if (f->joint[0] != '\0') gz_json_put(json, "joint=%s", f->joint);
    gz_json_put(json, "message=%s advice=%s", f->message, f->rule->advice);
    if (f->has_value)
        gz_json_put(json, "value=%g threshold=%g unit=%s", f->value, f->threshold, f->unit);
    if (f->fix.text != NULL)
        gz_json_put(json, "fix={ offset=%" PRIu64 " was=%s text=%s }", f->fix.offset, f->fix.was,
                    f->fix.text);
    gz_json_put(json, "suppressed=%i", f->suppressed);
    if (f->suppression >= 0)
        gz_json_put(json, "suppression={ file=%s line=%d reason=%s }", known->file,
                    known->notes[f->suppression].line, known->notes[f->suppression].reason);
    gz_json_put(json, "}");
}

void gz_lint_json(FILE *stream, const graze_lint_report *report,
                  const gz_lint_suppressions *known) {
    gz_json json = gz_json_begin(stream, "graze-lint-1");
    gz_json_put(&json, "errors=%zu warnings=%zu notes=%zu findings=[",
                graze_lint_count(report, GRAZE_SEVERITY_ERROR),
                graze_lint_count(report, GRAZE_SEVERITY_WARNING),
                graze_lint_count(report, GRAZE_SEVERITY_INFO));
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < graze_lint_finding_count(report); i++)
        write_json_finding(&json, graze_lint_finding(report, i), known);
    gz_json_finish(&json);
}

// ------------------------------------------------------------------------------------- JUnit

/// Text of an element or attribute; what XML 1.0 cannot hold becomes '?'.
static void write_xml(FILE *stream, const char *text) {
    for (size_t n; *text != '\0'; text += n) {
        n = gz_utf8_length(text);
        unsigned char c = (unsigned char)*text;
        // U+FFFE and U+FFFF are no characters of XML; surrogates are no UTF-8.
        bool none = n == 3 && c == 0xef && (unsigned char)text[1] == 0xbf &&
                    (unsigned char)text[2] >= 0xbe;
        bool odd = n == 0 || none || (c < 0x20 && c != '\n');
        const char *entity = odd        ? "?"
                             : c == '<' ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '&' ? "&amp;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        fwrite(entity != NULL ? entity : text, 1, entity != NULL ? strlen(entity) : n, stream);
        if (n == 0) n = 1;
    }
}

static bool counts(const graze_finding *f) {
    return !f->suppressed && f->severity >= GRAZE_SEVERITY_WARNING;
}

static size_t count_failures(const graze_lint_report *report, const graze_lint_rule *rule) {
    size_t count = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        count += counts(f) && (rule == NULL || f->rule == rule);
    }
    return count;
}

/// A test case fails once; its findings stand in it line by line.
static void write_failure(FILE *stream, const graze_lint_report *report,
                          const graze_lint_rule *rule) {
    fputs("\n      <failure message=\"", stream);
    write_xml(stream, rule->summary);
    fputs("\">", stream);
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (!counts(f) || f->rule != rule) continue;
        write_xml(stream, f->file);
        fprintf(stream, ":%d:%d: %s: ", (int)f->line, (int)f->column,
                gz_severity_name(f->severity));
        write_xml(stream, f->message);
        fputc('\n', stream);
    }
    fputs("</failure>\n    ", stream);
}

void gz_lint_junit(FILE *stream, const graze_lint_report *report) {
    size_t failed = 0, rules = graze_lint_rule_count();
    for (size_t i = 0; i < rules; i++) failed += count_failures(report, graze_lint_rule_at(i)) > 0;
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" "
            "failures=\"%zu\">\n  <testsuite name=\"graze lint\" tests=\"%zu\" failures=\"%zu\">\n",
            rules, failed, rules, failed);
    for (size_t i = 0; i < rules; i++) {
        const graze_lint_rule *rule = graze_lint_rule_at(i);
        fprintf(stream, "    <testcase classname=\"%s\" name=\"%s %s\">", gz_tier_name(rule->tier),
                rule->id, rule->name);
        if (count_failures(report, rule) > 0) write_failure(stream, report, rule);
        fputs("</testcase>\n", stream);
    }
    fputs("  </testsuite>\n</testsuites>\n", stream);
}

// ------------------------------------------------------------------------------- SARIF 2.1.0

static const char *level_of(graze_severity severity) {
    static const char *const names[] = {"none", "note", "warning", "error"};
    return names[severity];
}

static void write_rule(gz_json *json, const graze_lint_rule *rule) {
    gz_json_put(json,
                "{ id=%s name=%s shortDescription={ text=%s } help={ text=%s } "
                "defaultConfiguration={ level=%s } properties={ tags=[ %s ] } }",
                rule->id, rule->name, rule->summary, rule->advice, level_of(rule->severity),
                gz_tier_name(rule->tier));
}

static void write_tool(gz_json *json) {
    gz_json_put(json, "tool={ driver={ name=\"graze\" semanticVersion=%s rules=[", graze_version());
    gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < graze_lint_rule_count(); i++) write_rule(json, graze_lint_rule_at(i));
    gz_json_put(json, "] } }");
}

static size_t rule_index(const graze_lint_rule *rule) {
    size_t i = 0;
    while (graze_lint_rule_at(i) != rule) i++;
    return i;
}

/// A path as a URI reference: what is not unreserved or a slash is written in percent.
static void write_uri(gz_json *json, const char *path) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    FILE *stream = json->stream;
    gz_json_item(json, "uri");
    fputs(path[0] == '/' ? "\"file://" : "\"", stream);
    while (strncmp(path, "./", 2) == 0) path += 2;
    for (; *path != '\0'; path++)
        if (strchr(plain, *path) != NULL)
            fputc(*path, stream);
        else
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*path);
    fputc('"', stream);
}

/// Identifies a finding when lines move: FNV-1a of rule, element, link and joint.
static uint64_t fingerprint(const graze_finding *f) {
    const char *const texts[] = {f->rule->id, f->element, f->link, f->joint};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *p = texts[i];
        do hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
        while (*p++ != '\0');
    }
    return hash;
}

static void write_artifact(gz_json *json, const char *file) {
    gz_json_put(json, "artifactLocation={");
    write_uri(json, file);
    if (file[0] != '/') gz_json_put(json, "uriBaseId=\"SRCROOT\"");
    gz_json_put(json, "}");
}

/// Bytes of the file to replace.
static void write_replacement(gz_json *json, const graze_finding *f) {
    gz_json_put(json, "fixes=[ { description={ text=%s } artifactChanges=[ {", f->rule->advice);
    write_artifact(json, f->file);
    gz_json_put(json,
                "replacements=[ { deletedRegion={ byteOffset=%" PRIu64 " byteLength=%zu } "
                "insertedContent={ text=%s } } ] } ] } ]",
                f->fix.offset, strlen(f->fix.was), f->fix.text);
}

/// By a comment in the file, or by a file of suppressions, with its reason.
static void write_suppressions(gz_json *json, const graze_finding *f,
                               const gz_lint_suppressions *known) {
    const char *reason = f->suppression < 0 ? "" : known->notes[f->suppression].reason;
    gz_json_put(json, "suppressions=[ { kind=%s", f->suppression < 0 ? "inSource" : "external");
    if (reason[0] != '\0') gz_json_put(json, "justification=%s", reason);
    gz_json_put(json, "} ]");
}

static void write_location(gz_json *json, const graze_finding *f) {
    gz_json_put(json, "locations=[ { physicalLocation={");
    write_artifact(json, f->file);
    if (f->line > 0)
        gz_json_put(json, "region={ startLine=%d startColumn=%d }", f->line, f->column);
    gz_json_put(json, "}");
    const char *name = f->link[0] != '\0' ? f->link : f->joint;
    if (name[0] != '\0')
        gz_json_put(json, "logicalLocations=[ { name=%s fullyQualifiedName=%s } ]", name,
                    f->element[0] != '\0' ? f->element : name);
    gz_json_put(json, "} ]");
}

static void write_result(gz_json *json, const graze_finding *f, const gz_lint_suppressions *known) {
    char hash[17];
    gz_json_put(json, "{ ruleId=%s ruleIndex=%zu level=%s message={ text=%s }", f->rule->id,
                rule_index(f->rule), level_of(f->severity), f->message);
    write_location(json, f);
    snprintf(hash, sizeof hash, "%016" PRIx64, fingerprint(f));
    gz_json_put(json, "partialFingerprints={ grazeFinding/v1=%s }", hash);
    if (f->fix.text != NULL) write_replacement(json, f);
    if (f->suppressed) write_suppressions(json, f, known);
    gz_json_put(json, "}");
}

void gz_lint_sarif(FILE *stream, const graze_lint_report *report,
                   const gz_lint_suppressions *known) {
    gz_json json = {.stream = stream};
    gz_json_put(&json, "{ version=%s $schema=%s runs=[ {", "2.1.0",
                "https://json.schemastore.org/sarif-2.1.0.json");
    gz_json_gap(&json, "\n ");
    write_tool(&json);
    gz_json_put(&json, "columnKind=\"unicodeCodePoints\"");
    gz_json_gap(&json, NULL);
    gz_json_put(&json, "results=[");
    gz_json_gap(&json, "\n  ");
    for (size_t i = 0; i < graze_lint_finding_count(report); i++)
        write_result(&json, graze_lint_finding(report, i), known);
    gz_json_finish(&json);
}
