#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/token.h"

/// Turns libyaml's events into a document. Its own loader of whole documents is not used: it would
/// follow aliases, by which a short text can stand for one of any size.
typedef struct reader {
    yaml_parser_t parser;
    gz_document *document;
    uint32_t *open; ///< the lists and maps that are not closed yet
    size_t open_count, open_capacity;
    gz_value pending; ///< holds the key of the next value in a map
    bool has_key;
    bool done;
    bool behind; ///< a second document has begun: an empty one ends what `ros2 topic echo`
    yaml_mark_t behind_at; ///< and `rostopic echo` print
} reader;

static int32_t one_based(size_t n) {
    return n < INT32_MAX ? (int32_t)n + 1 : INT32_MAX;
}

static graze_status fail(const reader *r, graze_status status, yaml_mark_t mark,
                         const char *message) {
    gz_place place = {r->document->file, "", one_based(mark.line), one_based(mark.column)};
    return gz_fail_at(r->document->error, status, place, "%s", message);
}

// ---------------------------------------------------------------------------------------- scalars

/// YAML's core schema: what a scalar without quotes is.
static void classify(gz_value *value, const char *text, size_t size, bool quoted) {
    value->kind = GZ_VALUE_STRING;
    if (quoted) return;
    if (!size || gz_is_listed("~ null Null NULL", text, size)) {
        value->kind = GZ_VALUE_NULL;
    } else if (gz_is_listed("true True TRUE false False FALSE", text, size)) {
        value->kind = GZ_VALUE_BOOL;
        value->number = text[0] == 't' || text[0] == 'T';
    } else if (gz_is_listed(".inf .Inf .INF -.inf .nan .NaN .NAN", text, size)) {
        value->kind = GZ_VALUE_NUMBER;
        value->number = (double)NAN;
    } else if (gz_number_parse(text, size, &value->number)) {
        value->kind = GZ_VALUE_NUMBER;
    }
}

static graze_status add_scalar(reader *r, const yaml_event_t *event, gz_value *value) {
    const char *text = (const char *)event->data.scalar.value;
    size_t size = event->data.scalar.length;
    if (strlen(text) != size)
        return fail(r, GRAZE_ERROR_PARSE, event->start_mark, "the text holds a NUL character");
    bool quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE &&
                  event->data.scalar.style != YAML_ANY_SCALAR_STYLE;
    classify(value, text, size, quoted);
    return gz_document_add_text(r->document, text, size, &value->text);
}

// --------------------------------------------------------------------------------- keys, once each

/// A member of a map, for sorting: a table would need a hash that no file can be made to collide
/// in.
typedef struct member {
    const char *key;
    uint32_t value;
} member;

static int compare_members(const void *a, const void *b) {
    const member *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->value > y->value) - (x->value < y->value);
}

static graze_status fail_twice(const reader *r, const gz_value *value, const gz_value *first) {
    gz_document *d = r->document;
    char element[GRAZE_PATH_SIZE];
    gz_value_element(d, value, NULL, element, sizeof element);
    gz_place place = {d->file, element, value->key_line, value->key_column};
    return gz_fail_at(r->document->error, GRAZE_ERROR_SCHEMA, place,
                      "the key \"%.80s\" stands twice in one map, first in line %d; allowed: once",
                      gz_value_key(d, value), first->key_line);
}

/// Looks for a key that a map has twice, when the map is closed.
static graze_status check_keys(const reader *r, uint32_t map) {
    gz_document *d = r->document;
    const gz_value *parent = &d->values[map];
    if (parent->count > d->key_limit)
        return gz_value_fail(d, parent, GRAZE_ERROR_LIMIT,
                             "a map has %u keys; allowed: %u (limits.elements)", parent->count,
                             d->key_limit);
    member few[64];
    member *all = parent->count <= 64 ? few : gz_malloc(parent->count, sizeof *all);
    if (!all) return gz_fail_memory(r->document->error);
    size_t count = 0;
    for (const gz_value *v = gz_value_first(parent); v; v = gz_value_next(v))
        all[count++] = (member){gz_value_key(d, v), (uint32_t)(v - d->values)};
    if (count > 1) qsort(all, count, sizeof *all, compare_members);
    // The first of them in the file that repeats another.
    uint32_t twice = 0, first = 0;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(all[i - 1].key, all[i].key) != 0 || (twice && twice < all[i].value)) continue;
        first = all[i - 1].value;
        twice = all[i].value;
    }
    if (all != few) gz_free(all);
    return twice ? fail_twice(r, &d->values[twice], &d->values[first]) : GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- events

static graze_status add_value(reader *r, gz_value value, uint32_t *self) {
    uint32_t parent = r->open_count ? r->open[r->open_count - 1] : 0;
    if (r->has_key) {
        value.key = r->pending.key;
        value.key_line = r->pending.key_line;
        value.key_column = r->pending.key_column;
        r->has_key = false;
    }
    return gz_document_add(r->document, parent, value, self);
}

static bool wants_key(const reader *r) {
    return r->open_count && !r->has_key &&
           r->document->values[r->open[r->open_count - 1]].kind == GZ_VALUE_MAP;
}

static graze_status open_collection(reader *r, const yaml_event_t *event, gz_value value) {
    if (wants_key(r))
        return fail(r, GRAZE_ERROR_UNSUPPORTED, event->start_mark,
                    "a key is a list or a map; allowed: text");
    if (r->open_count >= r->document->depth_limit)
        return fail(r, GRAZE_ERROR_LIMIT, event->start_mark,
                    "lists and maps nest too deep; allowed: the number that limits.depth gives");
    uint32_t self;
    GZ_TRY(add_value(r, value, &self));
    if (!GZ_RESERVE(r->open, r->open_capacity, r->open_count + 1))
        return gz_fail_memory(r->document->error);
    r->open[r->open_count++] = self;
    return GRAZE_OK;
}

static graze_status take_scalar(reader *r, const yaml_event_t *event, gz_value value) {
    GZ_TRY(add_scalar(r, event, &value));
    if (wants_key(r)) {
        r->pending.key = value.text;
        r->pending.key_line = value.line;
        r->pending.key_column = value.column;
        r->has_key = true;
        return GRAZE_OK;
    }
    uint32_t self;
    return add_value(r, value, &self);
}

static bool has_anchor(const yaml_event_t *event) {
    bool may = event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
               event->type == YAML_MAPPING_START_EVENT;
    return may && event->data.scalar.anchor; // with which the data of all three begin
}

static graze_status fail_second(const reader *r) {
    return fail(r, GRAZE_ERROR_UNSUPPORTED, r->behind_at,
                "a second document starts (---); allowed: one in a file");
}

static graze_status take_event(reader *r, const yaml_event_t *event) {
    gz_value value = {.line = one_based(event->start_mark.line),
                      .column = one_based(event->start_mark.column)};
    if (event->type == YAML_ALIAS_EVENT || has_anchor(event))
        return fail(r, GRAZE_ERROR_UNSUPPORTED, event->start_mark,
                    "an anchor (&) or alias (*) was found; allowed: everything written out");
    bool empty = event->type == YAML_SCALAR_EVENT && !event->data.scalar.length;
    bool content = event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
                   event->type == YAML_MAPPING_START_EVENT;
    if (r->behind && content) return empty ? GRAZE_OK : fail_second(r);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (r->behind) return fail_second(r);
        r->behind = r->document->count > 0;
        r->behind_at = event->start_mark;
        return GRAZE_OK;
    case YAML_SCALAR_EVENT:
        return take_scalar(r, event, value);
    case YAML_SEQUENCE_START_EVENT:
        value.kind = GZ_VALUE_LIST;
        return open_collection(r, event, value);
    case YAML_MAPPING_START_EVENT:
        value.kind = GZ_VALUE_MAP;
        return open_collection(r, event, value);
    case YAML_SEQUENCE_END_EVENT:
        r->open_count--;
        return GRAZE_OK;
    case YAML_MAPPING_END_EVENT:
        return check_keys(r, r->open[--r->open_count]);
    case YAML_STREAM_END_EVENT:
        r->done = true;
        return GRAZE_OK;
    default:
        return GRAZE_OK;
    }
}

static graze_status fail_libyaml(const reader *r, const char *text, size_t size) {
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR) return gz_fail_memory(r->document->error);
    gz_place place = {r->document->file, "", one_based(p->problem_mark.line),
                      one_based(p->problem_mark.column)};
    if (p->error == YAML_READER_ERROR) { // about bytes: it knows an offset, not a line
        place.line = 1;
        place.column = 0;
        for (size_t i = 0; i < p->problem_offset && i < size; i++) place.line += text[i] == '\n';
    }
    return gz_fail_at(r->document->error, GRAZE_ERROR_PARSE, place, "not valid YAML: %s%s%s",
                      p->context ? p->context : "", p->context ? ": " : "",
                      p->problem ? p->problem : "unknown problem");
}

graze_status gz_document_read_yaml(gz_document *document, const char *text, size_t size,
                                   const graze_limits *limits) {
    reader r = {.document = document};
    // libyaml holds a text twice while it grows.
    if (2 * (uint64_t)size > gz_memory_left())
        return gz_fail_at(document->error, GRAZE_ERROR_LIMIT, (gz_place){.file = document->file},
                          "%zu bytes of YAML, %llu bytes of memory are left; allowed: half of it "
                          "(limits.memory_bytes)",
                          size, (unsigned long long)gz_memory_left());
    if (!gz_document_start(document, "id", limits) || !yaml_parser_initialize(&r.parser))
        return gz_fail_memory(document->error);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
    graze_status status = GRAZE_OK;
    while (!status && !r.done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r.parser, &event)) {
            status = fail_libyaml(&r, text, size);
            break;
        }
        status = take_event(&r, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&r.parser);
    gz_free(r.open);
    if (!status && !document->count)
        status = gz_fail_at(document->error, GRAZE_ERROR_PARSE,
                            (gz_place){.file = document->file, .line = 1},
                            "the file holds no YAML document; allowed: one");
    return status;
}
