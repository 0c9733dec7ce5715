#include "lint/lint_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

// -------------------------------------------------------------------------------- suppression

static bool is_word(const char *at, size_t size, const char *word) {
    return size == strlen(word) && strncasecmp(at, word, size) == 0;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A letter and three digits.
static bool is_id(const char *at, size_t size) {
    char letter = (char)(at[0] | 0x20);
    return size == 4 && letter >= 'a' && letter <= 'z' && is_digit(at[1]) && is_digit(at[2]) &&
           is_digit(at[3]);
}

/// Whether a note, lines of "off RULE, RULE ... reason", turns the rule off; "off all" turns off
/// every rule. The reason begins with the first word that is neither behind a comma nor an id:
/// rules have names such as "cycle", and a reason may hold them, or "all".
static bool note_silences(const char *note, const graze_lint_rule *rule) {
    static const char separators[] = " \t\r\n,";
    bool open = false, first = false;
    for (const char *from = note; *note;) {
        size_t gap = strspn(note, separators);
        bool starts_line = from == note || memchr(note, '\n', gap);
        bool listed = memchr(note, ',', gap) != NULL;
        const char *word = note + gap;
        size_t size = strcspn(word, separators);
        note = word + size;
        if (starts_line && is_word(word, size, "off")) {
            open = first = true;
            continue;
        }
        open = open && size && (first || listed || is_id(word, size));
        if (open && ((first && is_word(word, size, "all")) || is_word(word, size, rule->id) ||
                     is_word(word, size, rule->name)))
            return true;
        first = false;
    }
    return false;
}

/// A comment <!-- graze-lint: off J003 --> in front of an element speaks for all of it.
static bool is_silenced(const gz_xml_element *element, const graze_lint_rule *rule) {
    for (; element; element = element->parent)
        if (*element->note && note_silences(element->note, rule)) return true;
    return false;
}

// ------------------------------------------------------------------------------------- findings

static const char *copy_or_empty(const char *text, bool *failed) {
    char *copy = gz_string_copy(text ? text : "");
    *failed |= !copy;
    return copy;
}

static void free_text(const char *text) {
    gz_free((void *)(uintptr_t)text);
}

static void clear_finding(graze_finding *f) {
    free_text(f->file);
    free_text(f->element);
    free_text(f->link);
    free_text(f->joint);
    free_text(f->message);
    free_text(f->unit);
    free_text(f->fix.text);
    free_text(f->fix.was);
}

/// A message is one line: control characters become '?'.
static char *make_message(const char *format, va_list arguments) {
    char text[GRAZE_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f) *p = '?';
    return gz_string_copy(text);
}

gz_lint_place gz_lint_measured(gz_lint_place place, double value, double threshold,
                               const char *unit) {
    place.has_value = true;
    place.value = value;
    place.threshold = threshold;
    place.unit = unit;
    return place;
}

void gz_lint_add(gz_lint_context *c, const gz_lint_rule *rule, gz_lint_place place,
                 const char *format, ...) {
    graze_lint_report *r = c->report;
    if (!gz_array_reserve((void **)&r->items, &r->capacity, r->count + 1, sizeof *r->items)) {
        c->out_of_memory = true;
        return;
    }
    char path[GRAZE_PATH_SIZE] = "";
    bool failed = false;
    graze_finding f = {.rule = &rule->info,
                       .severity = gz_lint_severity(c->options, &rule->info),
                       .has_value = place.has_value,
                       .value = place.value,
                       .threshold = place.threshold,
                       .suppression = -1};
    if (place.element) {
        gz_xml_path(place.element, path, sizeof path);
        f.line = place.element->line;
        f.column = place.element->column;
        f.suppressed = is_silenced(place.element, &rule->info);
    }
    const char *own_file = place.srdf ? c->srdf_file : c->file;
    f.file = copy_or_empty(place.file ? place.file : own_file, &failed);
    f.element = copy_or_empty(path, &failed);
    f.link = copy_or_empty(place.link, &failed);
    f.joint = copy_or_empty(place.joint, &failed);
    f.unit = copy_or_empty(place.unit, &failed);
    f.fix = place.fix;
    if (f.fix.text) {
        f.fix.text = copy_or_empty(place.fix.text, &failed);
        f.fix.was = copy_or_empty(place.fix.was, &failed);
    }
    va_list arguments;
    va_start(arguments, format);
    f.message = make_message(format, arguments);
    va_end(arguments);
    if (failed || !f.message) {
        clear_finding(&f);
        c->out_of_memory = true;
        return;
    }
    r->items[r->count++] = f;
}

static bool covers(const graze_lint_suppression *s, const graze_finding *f) {
    return (!s->link || strcmp(s->link, f->link) == 0) &&
           (!s->joint || strcmp(s->joint, f->joint) == 0);
}

bool gz_lint_report_suppress(graze_lint_report *report, const graze_lint_options *options) {
    size_t count = options->suppression_count;
    if (!count) return true;
    // Names are looked up once: findings and entries may be many.
    const graze_lint_rule **rules = gz_malloc(count, sizeof *rules);
    if (!rules) return false;
    for (size_t i = 0; i < count; i++)
        rules[i] = graze_lint_rule_find(options->suppressions[i].rule);
    for (size_t k = 0; k < report->count; k++) {
        graze_finding *f = &report->items[k];
        for (size_t i = 0; i < count && f->suppression < 0; i++)
            if (rules[i] == f->rule && covers(&options->suppressions[i], f))
                f->suppression = (int32_t)i;
        f->suppressed |= f->suppression >= 0;
    }
    gz_free(rules);
    return true;
}

static int compare_findings(const void *x, const void *y) {
    const graze_finding *a = x, *b = y;
    int order = strcmp(a->file, b->file);
    if (!order) order = (a->line > b->line) - (a->line < b->line);
    if (!order) order = (a->column > b->column) - (a->column < b->column);
    if (!order) order = strcmp(a->rule->id, b->rule->id);
    if (!order) order = strcmp(a->message, b->message);
    return order;
}

void gz_lint_report_sort(graze_lint_report *report) {
    if (report->count > 1)
        qsort(report->items, report->count, sizeof *report->items, compare_findings);
}

void graze_lint_report_free(graze_lint_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->count; i++) clear_finding(&report->items[i]);
    gz_free(report->items);
    gz_free(report);
}

size_t graze_lint_finding_count(const graze_lint_report *report) {
    return report ? report->count : 0;
}

const graze_finding *graze_lint_finding(const graze_lint_report *report, size_t index) {
    return report && index < report->count ? &report->items[index] : NULL;
}

size_t graze_lint_count(const graze_lint_report *report, graze_severity severity) {
    size_t count = 0;
    for (size_t i = 0; report && i < report->count; i++)
        count += report->items[i].severity == severity && !report->items[i].suppressed;
    return count;
}
