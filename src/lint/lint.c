// The linter: options, rules, a run, and its report.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "lint/lint.h"
#include "lint/self_collision.h"
#include "load/file.h"

// ---------------------------------------------------------------------------------------- rules

/// By the letters of their ids: A G I J S T U.
static const gz_lint_tier *const tiers[] = {
    &gz_lint_tier_assets, &gz_lint_tier_geometry, &gz_lint_tier_inertia, &gz_lint_tier_joints,
    &gz_lint_tier_self,   &gz_lint_tier_topology, &gz_lint_tier_schema};
#define TIER_COUNT (sizeof tiers / sizeof *tiers)

size_t graze_lint_rule_count(void) {
    size_t sum = 0;
    for (size_t i = 0; i < TIER_COUNT; i++) sum += tiers[i]->count;
    return sum;
}

const graze_lint_rule *graze_lint_rule_at(size_t index) {
    for (size_t i = 0; i < TIER_COUNT; i++) {
        if (index < tiers[i]->count) return &tiers[i]->rules[index].info;
        index -= tiers[i]->count;
    }
    return NULL;
}

const graze_lint_rule *graze_lint_rule_find(const char *name) {
    size_t count = graze_lint_rule_count();
    for (size_t i = 0; name && i < count; i++) {
        const graze_lint_rule *rule = graze_lint_rule_at(i);
        if (strcasecmp(rule->id, name) == 0 || strcasecmp(rule->name, name) == 0) return rule;
    }
    return NULL;
}

/// The severity of a rule in this run; OFF where its tier or itself is off.
static graze_severity severity_of(const graze_lint_options *o, const graze_lint_rule *rule) {
    graze_severity severity = o->tiers_off >> rule->tier & 1 ? GRAZE_SEVERITY_OFF : rule->severity;
    for (size_t i = 0; i < o->rule_count; i++)
        if (graze_lint_rule_find(o->rules[i].rule) == rule) severity = o->rules[i].severity;
    return severity;
}

/// What the rules found.
struct graze_lint_report {
    graze_finding *items; ///< strings owned
    size_t count, capacity;
    char **files; ///< of meshes, owned
    size_t file_count;
};

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

/// A comment <!-- graze-lint: off J003 --> in front of an element holds for all of it.
static bool is_silenced(const gz_xml_element *element, const graze_lint_rule *rule) {
    for (; element; element = element->parent)
        if (*element->note && note_silences(element->note, rule)) return true;
    return false;
}

// ------------------------------------------------------------------------------------- findings

/// Copies texts, NULL as "", into one block, which begins with the first of them; false when out of
/// memory.
static bool copy_texts(const char **texts[], size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (!*texts[i]) *texts[i] = "";
        size += strlen(*texts[i]) + 1;
    }
    char *to = gz_malloc(size, 1);
    for (size_t i = 0; to && i < count; i++) {
        size = strlen(*texts[i]) + 1;
        *texts[i] = memcpy(to, *texts[i], size);
        to += size;
    }
    return to != NULL;
}

/// Writes a message, which is one line: control characters become '?'.
static void make_message(char text[GRAZE_MESSAGE_SIZE], const char *format, va_list arguments) {
    vsnprintf(text, GRAZE_MESSAGE_SIZE, format, arguments);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f) *p = '?';
}

gz_lint_place gz_lint_measured(gz_lint_place place, double value, double threshold,
                               const char *unit) {
    place.has_value = true;
    place.value = value;
    place.threshold = threshold;
    place.unit = unit;
    return place;
}

void gz_lint_add(gz_lint_context *c, gz_lint_place place, const char *format, ...) {
    graze_lint_report *r = c->report;
    const graze_lint_rule *rule = &c->rule->info;
    char path[GRAZE_PATH_SIZE] = "", message[GRAZE_MESSAGE_SIZE];
    const char *own_file = place.srdf ? c->srdf_file : c->file;
    va_list arguments;
    va_start(arguments, format);
    make_message(message, format, arguments);
    va_end(arguments);
    graze_finding f = {.rule = rule,
                       .severity = severity_of(c->options, rule),
                       .file = place.file ? place.file : own_file,
                       .element = path,
                       .link = place.link,
                       .joint = place.joint,
                       .message = message,
                       .has_value = place.has_value,
                       .value = place.value,
                       .threshold = place.threshold,
                       .unit = place.unit,
                       .fix = place.fix,
                       .suppression = -1};
    if (place.element) {
        gz_xml_path(place.element, path, sizeof path);
        f.line = place.element->line;
        f.column = place.element->column;
        f.suppressed = is_silenced(place.element, rule);
    }
    const char **texts[] = {&f.file,    &f.element, &f.link,     &f.joint,
                            &f.message, &f.unit,    &f.fix.text, &f.fix.was};
    if (gz_array_reserve((void **)&r->items, &r->capacity, r->count + 1, sizeof *r->items) &&
        copy_texts(texts, f.fix.text ? 8 : 6))
        r->items[r->count++] = f;
    else
        c->out_of_memory = true;
}

static bool covers(const graze_lint_suppression *s, const graze_finding *f) {
    return (!s->link || strcmp(s->link, f->link) == 0) &&
           (!s->joint || strcmp(s->joint, f->joint) == 0);
}

/// Marks what the suppressions of the options cover; false when out of memory.
static bool suppress(graze_lint_report *report, const graze_lint_options *options) {
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

/// Sorts by file, line, column, rule, message.
static void sort_findings(graze_lint_report *report) {
    if (report->count > 1)
        qsort(report->items, report->count, sizeof *report->items, compare_findings);
}

void graze_lint_report_free(graze_lint_report *report) {
    if (!report) return;
    // What a finding says is one block, which begins with the file.
    for (size_t i = 0; i < report->count; i++) gz_free((void *)(uintptr_t)report->items[i].file);
    for (size_t i = 0; i < report->file_count; i++) gz_free(report->files[i]);
    gz_free(report->files);
    gz_free(report->items);
    gz_free(report);
}

size_t graze_lint_file_count(const graze_lint_report *report) {
    return report ? report->file_count : 0;
}

const char *graze_lint_file(const graze_lint_report *report, size_t index) {
    return report && index < report->file_count ? report->files[index] : NULL;
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

// -------------------------------------------------------------------------------------- options

static graze_lint_options default_options(void) {
    return (graze_lint_options){.audit_samples = 16, .pair_samples = 200};
}

GZ_OPTIONS_INIT(graze_lint_options, default_options)

static graze_status check_suppressions(const graze_lint_options *o, graze_error *error) {
    if (!o->suppressions && o->suppression_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "suppressions is NULL");
    if (o->suppression_count > GRAZE_LINT_SUPPRESSION_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%zu suppressions; allowed: at most %d",
                       o->suppression_count, GRAZE_LINT_SUPPRESSION_MAX);
    for (size_t i = 0; i < o->suppression_count; i++) {
        const char *rule = o->suppressions[i].rule;
        if (!graze_lint_rule_find(rule))
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "suppression %zu names '%.100s', which is no rule; allowed: an id or a "
                           "name of graze_lint_rule_at()",
                           i, rule ? rule : "(NULL)");
    }
    return GRAZE_OK;
}

/// Completes options; `load` becomes those of loading.
static graze_status check_options(const graze_lint_options *options, graze_lint_options *checked,
                                  graze_load_options *load, graze_error *error) {
    graze_status status = GZ_OPTIONS_READ(graze_lint_options, checked, options, error);
    if (status) return status;
    if (!checked->rules && checked->rule_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "rules is NULL");
    for (size_t i = 0; i < checked->rule_count; i++) {
        const graze_rule_setting *s = &checked->rules[i];
        if (!graze_lint_rule_find(s->rule))
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "'%.100s' is no rule; allowed: an id or a name of "
                           "graze_lint_rule_at()",
                           s->rule ? s->rule : "(NULL)");
        if (s->severity < GRAZE_SEVERITY_OFF || s->severity > GRAZE_SEVERITY_ERROR)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "severity of rule '%.100s' is not one of the enumerators", s->rule);
    }
    status = check_suppressions(checked, error);
    if (status != GRAZE_OK) return status;
    if (checked->audit_samples > GRAZE_LINT_AUDIT_SAMPLE_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "audit_samples is %u; allowed: at most %d",
                       (unsigned)checked->audit_samples, GRAZE_LINT_AUDIT_SAMPLE_MAX);
    if (checked->pair_samples > GRAZE_LINT_PAIR_SAMPLE_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "pair_samples is %u; allowed: at most %d",
                       (unsigned)checked->pair_samples, GRAZE_LINT_PAIR_SAMPLE_MAX);
    status = gz_load_options_check(checked->load, load, error);
    checked->load = load;
    return status;
}

// ------------------------------------------------------------------------------------------ run

/// A file that is no XML is a finding of the first rule, at the place that the parser names. Where
/// that rule is off it is an error all the same: no other rule can read the file, and a run that
/// checked nothing must not succeed.
static void report_parse_error(gz_lint_context *c, bool srdf, const graze_error *why) {
    c->rule = &gz_lint_tier_schema.rules[0];
    gz_lint_add(c, (gz_lint_place){.srdf = srdf}, "%s", why->message);
    if (c->out_of_memory) return;
    graze_finding *f = &c->report->items[c->report->count - 1];
    f->line = why->line;
    f->column = why->column;
    if (f->severity == GRAZE_SEVERITY_OFF) f->severity = GRAZE_SEVERITY_ERROR;
}

/// An SRDF that cannot be read is an error of the run; one that is no XML a finding.
static graze_status read_srdf(gz_lint_context *c, gz_xml_document **document, char **bytes,
                              graze_error *error) {
    size_t size;
    c->srdf_file = c->options->load->srdf;
    if (!c->srdf_file) return GRAZE_OK;
    const graze_limits *limits = &c->options->load->limits;
    graze_status status = gz_load_read(c->srdf_file, c->options->load->files, limits->file_bytes,
                                       bytes, &size, error);
    if (status != GRAZE_OK) return status;
    graze_error why;
    status = gz_xml_parse(document, *bytes, size, c->srdf_file, limits, &why);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    if (status != GRAZE_OK) report_parse_error(c, true, &why);
    c->srdf = *document;
    c->srdf_text = *bytes;
    return GRAZE_OK;
}

/// Calls the rule's function for everything that it is about.
static void run_rule(gz_lint_context *c) {
    const gz_lint_rule *rule = c->rule;
    if (rule->check) rule->check(c);
    if (rule->check_srdf && c->srdf) rule->check_srdf(c, gz_xml_root(c->srdf));
    for (size_t i = 0; rule->check_link && i < c->link_count && !c->out_of_memory; i++)
        rule->check_link(c, &c->links[i]);
    for (size_t i = 0; rule->check_joint && i < c->joint_count && !c->out_of_memory; i++)
        rule->check_joint(c, &c->joints[i]);
    const gz_lint_pairs *pairs = rule->check_pair ? gz_lint_pairs_get(c) : NULL;
    for (size_t i = 0; pairs && i < pairs->count; i++) rule->check_pair(c, &pairs->items[i]);
    for (size_t i = 0; i < c->geometry_count; i++) {
        const gz_lint_geometry *g = &c->geometries[i];
        if (rule->check_geometry) rule->check_geometry(c, g);
        if (rule->check_use && g->mesh >= 0) rule->check_use(c, g, &c->meshes[g->mesh]);
    }
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++) {
        gz_lint_mesh *mesh = &c->meshes[i];
        if (rule->check_mesh) rule->check_mesh(c, mesh);
        if (rule->check_measured && mesh->first_collision >= 0 && gz_lint_mesh_measure(c, mesh))
            rule->check_measured(c, &c->geometries[mesh->first_collision], mesh);
    }
    gz_lint_schema_walk(c);
}

static void run_rules(gz_lint_context *c) {
    for (size_t t = 0; t < TIER_COUNT; t++)
        for (size_t i = 0; i < tiers[t]->count && !c->out_of_memory; i++) {
            c->rule = &tiers[t]->rules[i];
            if (severity_of(c->options, &c->rule->info) != GRAZE_SEVERITY_OFF) run_rule(c);
        }
}

/// Hands the paths of the meshes over to the report.
static void keep_files(gz_lint_context *c) {
    graze_lint_report *r = c->report;
    r->files = c->mesh_count ? gz_calloc(c->mesh_count, sizeof *r->files) : NULL;
    c->out_of_memory |= c->mesh_count && !r->files;
    for (size_t i = 0; r->files && i < c->mesh_count; i++) {
        if (!c->meshes[i].path) continue;
        r->files[r->file_count++] = c->meshes[i].path;
        c->meshes[i].path = NULL;
    }
}

static graze_status run(gz_lint_context *c, const char *text, size_t size, graze_error *error) {
    gz_xml_document *urdf = NULL, *srdf = NULL;
    char *srdf_text = NULL;
    graze_error why;
    graze_status status = gz_xml_parse(&urdf, text, size, c->file, &c->options->load->limits, &why);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    if (status != GRAZE_OK) report_parse_error(c, false, &why);
    c->urdf = urdf;
    c->text = text;
    c->text_size = size;
    status = c->out_of_memory ? GRAZE_OK : read_srdf(c, &srdf, &srdf_text, error);
    if (urdf && status == GRAZE_OK && !c->out_of_memory) {
        c->out_of_memory |= !gz_lint_model_read(c) || !gz_lint_meshes_read(c);
        if (!c->out_of_memory) run_rules(c);
        if (!c->out_of_memory) keep_files(c);
    }
    gz_lint_survey_free(c->survey);
    gz_lint_pairs_free(c->pairs);
    gz_lint_meshes_clear(c);
    gz_lint_model_clear(c);
    gz_xml_free(urdf);
    gz_xml_free(srdf);
    gz_free(srdf_text);
    return c->out_of_memory ? gz_fail_memory(error) : status;
}

static graze_status lint_text(graze_lint_report **out, const char *text, size_t size,
                              const char *name, const char *base_dir,
                              const graze_lint_options *options, graze_error *error) {
    graze_lint_report *report = gz_calloc(1, sizeof *report);
    if (!report) return gz_fail_memory(error);
    gz_lint_context context = {.options = options,
                               .file = name,
                               .base_dir = base_dir,
                               .robot_name = "",
                               .root = -1,
                               .report = report};
    graze_status status = run(&context, text, size, error);
    if (status == GRAZE_OK && !suppress(report, options)) status = gz_fail_memory(error);
    if (status != GRAZE_OK) {
        graze_lint_report_free(report);
        return status;
    }
    sort_findings(report);
    *out = report;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_lint_urdf_memory(graze_lint_report **out, const char *text, size_t size,
                                    const char *name, const char *base_dir,
                                    const graze_lint_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    if (!out || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "an argument is NULL; allowed: out, text and name that are not");
    graze_lint_options checked;
    graze_load_options load;
    graze_status status = check_options(options, &checked, &load, error);
    if (status != GRAZE_OK) return status;
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, load.limits.memory_bytes);
    status = lint_text(out, text, size, name, base_dir ? base_dir : ".", &checked, error);
    gz_memory_budget_close(&memory);
    return status;
}

static graze_status lint_file(graze_lint_report **out, const char *path,
                              const graze_lint_options *options, graze_error *error) {
    char *text, *folder = gz_path_folder(path);
    size_t size;
    if (!folder) return gz_fail_memory(error);
    graze_status status = gz_load_read(path, options->load->files, options->load->limits.file_bytes,
                                       &text, &size, error);
    if (status == GRAZE_OK) {
        status = lint_text(out, text, size, path, folder, options, error);
        gz_free(text);
    }
    gz_free(folder);
    return status;
}

graze_status graze_lint_urdf(graze_lint_report **out, const char *path,
                             const graze_lint_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "an argument is NULL; allowed: out and path that are not");
    graze_lint_options checked;
    graze_load_options load;
    graze_status status = check_options(options, &checked, &load, error);
    if (status != GRAZE_OK) return status;
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, load.limits.memory_bytes);
    status = lint_file(out, path, &checked, error);
    gz_memory_budget_close(&memory);
    return status;
}
