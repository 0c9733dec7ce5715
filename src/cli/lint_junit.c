// Findings as JUnit's XML: what build servers count.
#include "cli/lint/lint_internal.h"
#include "cli/message.h"
#include "cli/output.h"

/// Text of an element or attribute; what XML 1.0 cannot hold becomes '?'.
static void write_xml(FILE *stream, const char *text) {
    for (size_t n; *text != '\0'; text += n) {
        n = gz_utf8_length(text);
        unsigned char c = (unsigned char)*text;
        // U+FFFE and U+FFFF are no characters of XML; surrogates are no UTF-8.
        bool none = n == 3 && c == 0xef && (unsigned char)text[1] == 0xbf &&
                    (unsigned char)text[2] >= 0xbe;
        if (n == 0 || none || (c < 0x20 && c != '\n')) {
            fputc('?', stream);
            n = n == 0 ? 1 : n;
            continue;
        }
        switch (c) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fwrite(text, 1, n, stream);
        }
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
