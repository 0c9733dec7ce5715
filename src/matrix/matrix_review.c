// Reviewing an SRDF: every rule about pairs is held against what is known of the pair.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "load/xml/xml.h"
#include "matrix/matrix_internal.h"

// Suggestions compare a name with every link: enough for files that people write.
enum { MOST_SUGGESTIONS = 50 };

struct graze_matrix_review {
    const graze_matrix *matrix;
    gz_xml_document *document; ///< holds the names as written
    graze_matrix_finding *items;
    size_t count, capacity;
    size_t rules, disabled;
};

typedef struct reviewer {
    graze_matrix_review *review;
    const graze_matrix *matrix;
    const graze_robot *robot;
    uint8_t *disabled, *enabled; ///< per entry
    int suggestions;
    graze_status status;
} reviewer;

const char *graze_matrix_fault_name(graze_matrix_fault fault) {
    static const char *const names[GRAZE_MATRIX_FAULT_COUNT] = {
        "unknown-link", "hides-contact", "wrong-reason", "missing",
        "duplicate",    "same-link",     "unsure"};
    return (int)fault >= 0 && fault < GRAZE_MATRIX_FAULT_COUNT ? names[fault] : "unknown";
}

static void add(reviewer *r, graze_matrix_finding f, char *message) {
    graze_matrix_review *v = r->review;
    if (!message || r->status ||
        !gz_array_reserve((void **)&v->items, &v->capacity, v->count + 1, sizeof *v->items)) {
        gz_free(message);
        r->status = GRAZE_ERROR_NO_MEMORY;
        return;
    }
    f.message = message;
    v->items[v->count++] = f;
}

static graze_matrix_finding finding_at(const gz_xml_element *e, graze_matrix_fault fault,
                                       bool is_error) {
    bool of_one = gz_xml_is(e, "disable_default_collisions");
    const char *one = gz_xml_get(e, of_one ? "link" : "link1");
    const char *two = of_one ? NULL : gz_xml_get(e, "link2");
    const char *reason = gz_xml_get(e, "reason");
    return (graze_matrix_finding){.fault = fault,
                                  .is_error = is_error,
                                  .line = e->line,
                                  .column = e->column,
                                  .link1 = one ? one : "",
                                  .link2 = two ? two : "",
                                  .reason = reason ? reason : ""};
}

static size_t index_of(const reviewer *r, const graze_matrix_entry *e) {
    return (size_t)(e - graze_matrix_at(r->matrix, 0));
}

static const char *name_of(const reviewer *r, int32_t link) {
    return graze_robot_link_name(r->robot, link);
}

// ------------------------------------------------------------------------------------------ names

static const char *nearest_link(reviewer *r, const char *name) {
    if (r->suggestions++ >= MOST_SUGGESTIONS) return NULL;
    gz_spelling nearest = gz_spelling_start(name);
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(r->robot); i++)
        gz_spelling_try(&nearest, name_of(r, i), i);
    return nearest.index >= 0 ? name_of(r, nearest.index) : NULL;
}

/// The links that a rule names; false where one is unknown, which is a finding.
static bool find_links(reviewer *r, const gz_xml_element *e, const char *const *attributes,
                       int32_t *links, int count) {
    graze_matrix_finding f = finding_at(e, GRAZE_MATRIX_UNKNOWN_LINK, true);
    const char *unknown = NULL, *nearest = NULL;
    for (int k = 0; k < count; k++) {
        const char *name = gz_xml_get(e, attributes[k]);
        links[k] = name ? graze_robot_find_link(r->robot, name) : -1;
        if (links[k] >= 0) continue;
        f.nearest[k] = nearest_link(r, name ? name : "");
        if (!unknown) unknown = name ? name : "", nearest = f.nearest[k];
    }
    if (!unknown) return true;
    add(r, f,
        gz_string_format("the robot has no link %.200s%s%.200s%s: the rule has no effect",
                         unknown[0] ? unknown : "(no name)", nearest ? " (did you mean " : "",
                         nearest ? nearest : "", nearest ? "?)" : ""));
    return false;
}

// ------------------------------------------------------------------------------------------ rules

/// Whether the reason says what is known to be false; *truth says what is true instead.
static bool is_false_reason(const graze_matrix_entry *e, const char *reason, const char **truth) {
    bool adjacent = strcmp(reason, "Adjacent") == 0, never = strcmp(reason, "Never") == 0;
    bool always = strcmp(reason, "Always") == 0, at_rest = strcmp(reason, "Default") == 0;
    *truth = graze_matrix_kind_reason(e->kind);
    return (adjacent && !e->adjacent) || (never && e->witness) || (always && e->apart) ||
           (at_rest && !e->rest_collides);
}

/// What is wrong with leaving the pair out.
static void review_pair(reviewer *r, const gz_xml_element *e, const graze_matrix_entry *entry) {
    graze_matrix_finding f = finding_at(e, GRAZE_MATRIX_HIDES_CONTACT, true);
    const char *a = name_of(r, entry->a), *b = name_of(r, entry->b), *truth;
    f.entry = entry;
    if (entry->kind == GRAZE_MATRIX_DEFAULT || entry->kind == GRAZE_MATRIX_SOMETIMES) {
        add(r, f,
            gz_string_format("%.200s and %.200s are not checked%s%.60s%s, and collide %s", a, b,
                             f.reason[0] ? " (\"" : "", f.reason, f.reason[0] ? "\")" : "",
                             !entry->rest_collides ? "in some configurations"
                             : entry->apart        ? "at rest, though not always"
                                                   : "at rest, and a joint without limits is "
                                                     "between them"));
        return;
    }
    if (entry->kind == GRAZE_MATRIX_UNBOUNDED || entry->kind == GRAZE_MATRIX_UNPROVED) {
        f.fault = GRAZE_MATRIX_UNSURE;
        f.is_error = false;
        add(r, f,
            gz_string_format("%.200s and %.200s are not checked, and %s: nothing is known of the "
                             "pair",
                             a, b,
                             entry->kind == GRAZE_MATRIX_UNBOUNDED
                                 ? "a joint without limits is between them"
                                 : "a quick matrix has not proved that they never collide"));
        return;
    }
    if (!is_false_reason(entry, f.reason, &truth)) return;
    f.fault = GRAZE_MATRIX_WRONG_REASON;
    add(r, f,
        gz_string_format("%.200s and %.200s: the reason is \"%.60s\"; right is \"%s\"", a, b,
                         f.reason, truth));
}

static void review_disable(reviewer *r, const gz_xml_element *e) {
    static const char *const attributes[] = {"link1", "link2"};
    int32_t links[2];
    r->review->rules++;
    if (!find_links(r, e, attributes, links, 2)) return;
    if (links[0] == links[1]) {
        add(r, finding_at(e, GRAZE_MATRIX_SAME_LINK, true),
            gz_string_format("the rule names link %.200s twice: it has no effect",
                             name_of(r, links[0])));
        return;
    }
    const graze_matrix_entry *entry = graze_matrix_find(r->matrix, links[0], links[1]);
    if (!entry) return; // a link without collision geometry: such a pair is never checked
    uint8_t *disabled = &r->disabled[index_of(r, entry)];
    if (*disabled) {
        graze_matrix_finding f = finding_at(e, GRAZE_MATRIX_DUPLICATE, false);
        f.entry = entry;
        add(r, f,
            gz_string_format("%.200s and %.200s were named before", name_of(r, entry->a),
                             name_of(r, entry->b)));
        return;
    }
    *disabled = 1;
    r->review->disabled++;
    review_pair(r, e, entry);
}

/// All pairs of a link but those that are enabled.
static void review_default(reviewer *r, const gz_xml_element *e) {
    static const char *const attributes[] = {"link"};
    int32_t link;
    r->review->rules++;
    if (!find_links(r, e, attributes, &link, 1)) return;
    for (size_t i = 0; i < graze_matrix_count(r->matrix); i++) {
        const graze_matrix_entry *entry = graze_matrix_at(r->matrix, i);
        if ((entry->a != link && entry->b != link) || r->disabled[i] || r->enabled[i]) continue;
        r->disabled[i] = 1;
        r->review->disabled++;
        review_pair(r, e, entry);
    }
}

static void review_enable(reviewer *r, const gz_xml_element *e) {
    static const char *const attributes[] = {"link1", "link2"};
    int32_t links[2];
    r->review->rules++;
    if (!find_links(r, e, attributes, links, 2)) return;
    const graze_matrix_entry *entry = graze_matrix_find(r->matrix, links[0], links[1]);
    if (entry) r->enabled[index_of(r, entry)] = 1;
}

static void list_missing(reviewer *r) {
    for (size_t i = 0; i < graze_matrix_count(r->matrix); i++) {
        const graze_matrix_entry *e = graze_matrix_at(r->matrix, i);
        const char *reason = graze_matrix_kind_reason(e->kind);
        if (r->disabled[i] || r->enabled[i] || !reason) continue;
        bool always = e->kind == GRAZE_MATRIX_ALWAYS;
        graze_matrix_finding f = {.fault = GRAZE_MATRIX_MISSING,
                                  .is_error = always,
                                  .link1 = name_of(r, e->a),
                                  .link2 = name_of(r, e->b),
                                  .reason = "",
                                  .entry = e};
        add(r, f,
            gz_string_format("%.200s and %.200s %s: not left out, as \"%s\"", f.link1, f.link2,
                             always                             ? "collide in every configuration"
                             : e->kind == GRAZE_MATRIX_ADJACENT ? "are adjacent"
                                                                : "never collide",
                             reason));
    }
}

static int compare_findings(const void *x, const void *y) {
    const graze_matrix_finding *p = x, *q = y;
    // What is missing has no line, and comes last.
    bool missing[2] = {p->fault == GRAZE_MATRIX_MISSING, q->fault == GRAZE_MATRIX_MISSING};
    if (missing[0] != missing[1]) return missing[0] ? 1 : -1;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    const graze_matrix_entry *e = p->entry, *f = q->entry;
    if (!e || !f) return 0;
    if (e->a != f->a) return e->a < f->a ? -1 : 1;
    return (e->b > f->b) - (e->b < f->b);
}

// --------------------------------------------------------------------------------------- documents

graze_status gz_matrix_document_parse(gz_xml_document **out, const char *text, size_t size,
                                      const char *name, const graze_limits *limits,
                                      graze_error *error) {
    graze_limits defaults = graze_load_options_default().limits;
    graze_status status = gz_xml_parse(out, text, size, name, limits ? limits : &defaults, error);
    if (status) return status;
    const gz_xml_element *root = gz_xml_root(*out);
    if (gz_xml_is(root, "robot") && !gz_xml_child(root, "link")) return GRAZE_OK;
    gz_place place = {.file = name, .line = root->line, .column = root->column};
    status = gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                        gz_xml_is(root, "robot")
                            ? "<robot> holds <link> elements: this is a URDF; allowed: an SRDF"
                            : "root element is not <robot>; allowed: an SRDF");
    gz_xml_free(*out);
    *out = NULL;
    return status;
}

static void review_all(reviewer *r) {
    const gz_xml_element *root = gz_xml_root(r->review->document);
    for (const gz_xml_element *e = root->first_child; e; e = e->next)
        if (gz_xml_is(e, "enable_collisions")) review_enable(r, e);
    for (const gz_xml_element *e = root->first_child; e; e = e->next)
        if (gz_xml_is(e, "disable_collisions")) review_disable(r, e);
    for (const gz_xml_element *e = root->first_child; e; e = e->next)
        if (gz_xml_is(e, "disable_default_collisions")) review_default(r, e);
    list_missing(r);
    if (r->review->count)
        qsort(r->review->items, r->review->count, sizeof *r->review->items, compare_findings);
}

static graze_status review_text(graze_matrix_review **out, const graze_matrix *matrix,
                                const char *text, size_t size, const char *name,
                                const graze_limits *limits, graze_error *error) {
    graze_matrix_review *v = gz_calloc(1, sizeof *v);
    if (!v) return gz_fail_memory(error);
    v->matrix = matrix;
    reviewer r = {.review = v, .matrix = matrix, .robot = graze_matrix_robot(matrix)};
    size_t count = graze_matrix_count(matrix);
    graze_status status = gz_matrix_document_parse(&v->document, text, size, name, limits, error);
    if (!status) {
        r.disabled = gz_calloc(count, 1);
        r.enabled = gz_calloc(count, 1);
        if (r.disabled && r.enabled)
            review_all(&r);
        else
            r.status = GRAZE_ERROR_NO_MEMORY;
        status = r.status ? gz_fail_memory(error) : GRAZE_OK;
        gz_free(r.disabled);
        gz_free(r.enabled);
    }
    if (status) {
        graze_matrix_review_free(v);
        return status;
    }
    *out = v;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_matrix_review_srdf(graze_matrix_review **out, const graze_matrix *matrix,
                                      const char *text, size_t size, const char *name,
                                      const graze_limits *limits, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!matrix || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "matrix, text or name is NULL");
    const graze_limits defaults = graze_load_options_default().limits;
    if (!limits) limits = &defaults;
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, limits->memory_bytes);
    graze_status status = review_text(out, matrix, text, size, name, limits, error);
    gz_memory_budget_close(&memory);
    return status;
}

void graze_matrix_review_free(graze_matrix_review *v) {
    if (!v) return;
    for (size_t i = 0; i < v->count; i++) gz_free((void *)(uintptr_t)v->items[i].message);
    gz_free(v->items);
    gz_xml_free(v->document);
    gz_free(v);
}

size_t graze_matrix_review_count(const graze_matrix_review *v) {
    return v ? v->count : 0;
}

const graze_matrix_finding *graze_matrix_review_at(const graze_matrix_review *v, size_t index) {
    return v && index < v->count ? &v->items[index] : NULL;
}

size_t graze_matrix_review_rules(const graze_matrix_review *v) {
    return v ? v->rules : 0;
}

size_t graze_matrix_review_disabled(const graze_matrix_review *v) {
    return v ? v->disabled : 0;
}
