#include <string.h>

#include "base/memory.h"
#include "cli/lint/lint_internal.h"
#include "cli/message.h"
#include "cli/text.h"

/// One line being read; everything behind `at` is still to come.
typedef struct line {
    const char *file;
    int number;
    char *start, *at;
} line;

static int fail(const line *l, const char *at, const char *what, const char *allowed) {
    gz_message("%s:%d:%d: %s; allowed: %s", l->file, l->number, (int)(at - l->start) + 1, what,
               allowed);
    return GZ_EXIT_INPUT;
}

#define SHAPE "RULE [link=NAME|joint=NAME] [# reason]"

static void skip_blanks(line *l) {
    while (*l->at == ' ' || *l->at == '\t') l->at++;
}

/// Cuts off the word at the place, and moves on behind it.
static char *take_word(line *l) {
    char *word = l->at;
    l->at += strcspn(l->at, " \t");
    if (*l->at != '\0') *l->at++ = '\0';
    return word;
}

/// A name up to a blank, or in double quotes.
static int take_name(line *l, const char **name) {
    if (*l->at != '"') {
        *name = take_word(l);
        if (**name == '\0' || strchr(*name, '"') != NULL || strchr(*name, '#') != NULL)
            return fail(l, *name, "no name", "a name, in double quotes where it holds a blank");
        return GZ_EXIT_FINE;
    }
    char *end = strchr(l->at + 1, '"');
    if (end == NULL || end == l->at + 1 || (end[1] != '\0' && end[1] != ' ' && end[1] != '\t'))
        return fail(l, l->at, "a name in quotes that does not end", "\"NAME\"");
    *name = l->at + 1;
    *end = '\0';
    l->at = end + 1;
    return GZ_EXIT_FINE;
}

static int read_scope(line *l, graze_lint_suppression *out) {
    bool link = strncmp(l->at, "link=", 5) == 0, joint = strncmp(l->at, "joint=", 6) == 0;
    if (!link && !joint) return fail(l, l->at, "no scope", SHAPE);
    l->at += link ? 5 : 6;
    return take_name(l, link ? &out->link : &out->joint);
}

static int read_line(line *l, graze_lint_suppression *out, const char **reason) {
    static const char nothing[] = "";
    *out = (graze_lint_suppression){0};
    *reason = nothing;
    for (char *p = l->start; *p != '\0'; p++)
        if (((unsigned char)*p < 0x20 && *p != '\t') || *p == 0x7f)
            return fail(l, p, "a control character", "text");
    skip_blanks(l);
    if (*l->at == '\0' || *l->at == '#') return GZ_EXIT_FINE;
    char *word = take_word(l);
    const graze_lint_rule *rule = graze_lint_rule_find(word);
    if (rule == NULL) return fail(l, word, "no rule", "an id or a name that --rules lists");
    out->rule = rule->id;
    skip_blanks(l);
    GZ_TRY_EXIT(*l->at != '\0' && *l->at != '#' ? read_scope(l, out) : GZ_EXIT_FINE);
    skip_blanks(l);
    if (*l->at == '\0') return GZ_EXIT_FINE;
    if (*l->at != '#') return fail(l, l->at, "something behind the scope", SHAPE);
    l->at++;
    skip_blanks(l);
    *reason = l->at;
    return GZ_EXIT_FINE;
}

int gz_lint_suppressions_read(gz_lint_suppressions *list, const char *path, uint64_t limit) {
    *list = (gz_lint_suppressions){.file = path};
    size_t size;
    GZ_TRY_EXIT(gz_text_input_read(path, limit, &list->text, &size));
    line l = {.file = path, .number = 1, .start = list->text, .at = list->text};
    if (memchr(list->text, '\0', size) != NULL)
        return fail(&l, l.at, "a zero byte in the file", "text");
    size_t lines = 1;
    for (const char *p = list->text; (p = strchr(p, '\n')) != NULL; p++) lines++;
    list->items = gz_malloc(lines, sizeof *list->items);
    list->notes = gz_malloc(lines, sizeof *list->notes);
    if (list->items == NULL || list->notes == NULL) return gz_message_no_memory();
    for (char *next = list->text; next != NULL; l.number++) {
        l.start = l.at = next;
        next = strchr(l.start, '\n');
        if (next != NULL) *next++ = '\0';
        size_t length = strlen(l.start);
        if (length > 0 && l.start[length - 1] == '\r') l.start[length - 1] = '\0';
        graze_lint_suppression *item = &list->items[list->count];
        GZ_TRY_EXIT(read_line(&l, item, &list->notes[list->count].reason));
        if (item->rule == NULL) continue;
        if (list->count == GRAZE_LINT_SUPPRESSION_MAX)
            return fail(&l, l.start, "too many entries", "at most 10000");
        list->notes[list->count++].line = l.number;
    }
    return GZ_EXIT_FINE;
}

void gz_lint_suppressions_free(gz_lint_suppressions *list) {
    gz_free(list->text);
    gz_free(list->items);
    gz_free(list->notes);
    *list = (gz_lint_suppressions){0};
}

// -------------------------------------------------------------------------------------- unused

/// Whether the rule had a chance to find anything.
static bool was_run(const graze_lint_rule *rule, const graze_lint_options *options) {
    bool on = (options->tiers_off >> rule->tier & 1) == 0;
    for (size_t i = 0; i < options->rule_count; i++)
        if (graze_lint_rule_find(options->rules[i].rule) == rule)
            on = options->rules[i].severity != GRAZE_SEVERITY_OFF;
    return on && (strcmp(rule->id, "S011") != 0 || options->audit != 0);
}

static void warn(const gz_lint_suppressions *list, size_t i) {
    const graze_lint_suppression *s = &list->items[i];
    const char *scope = s->link != NULL ? " link=" : s->joint != NULL ? " joint=" : "";
    const char *name = s->link != NULL ? s->link : s->joint != NULL ? s->joint : "";
    char message[512];
    snprintf(message, sizeof message, "%s%s%s suppresses nothing; it can be removed", s->rule,
             scope, name);
    graze_warning warning = {.code = "unused-suppression",
                             .message = message,
                             .file = list->file,
                             .element = "",
                             .line = list->notes[i].line,
                             .count = 1};
    gz_message_warning(warning);
}

size_t gz_lint_suppressions_unused(const gz_lint_suppressions *list,
                                   const graze_lint_report *report,
                                   const graze_lint_options *options, bool quiet) {
    size_t unused = 0, findings = graze_lint_finding_count(report);
    for (size_t i = 0; i < list->count; i++) {
        bool used = !was_run(graze_lint_rule_find(list->items[i].rule), options);
        for (size_t k = 0; k < findings && !used; k++)
            used = graze_lint_finding(report, k)->suppression == (int32_t)i;
        if (used) continue;
        unused++;
        if (!quiet) warn(list, i);
    }
    return unused;
}
