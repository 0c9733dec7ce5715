#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/token.h"

// -------------------------------------------------------------------------------------- building

bool gz_document_start(gz_document *d, const char *name_key, const graze_limits *limits) {
    d->name_key = name_key;
    const uint64_t left = gz_memory_left();
    d->memory_limit = left < limits->memory_bytes ? left : limits->memory_bytes;
    d->depth_limit = limits->depth;
    d->key_limit = limits->elements;
    // Offset 0 means "no text", so that a zeroed value has none.
    if (!gz_array_reserve((void **)&d->text, &d->text_capacity, 1, 1)) return false;
    d->text[d->text_size++] = '\0';
    return true;
}

void gz_document_clear(gz_document *d) {
    gz_free(d->values);
    gz_free(d->text);
    *d = (gz_document){0};
}

static graze_status check_memory(const gz_document *d, int32_t line) {
    uint64_t bytes = (uint64_t)d->count * sizeof(gz_value) + d->text_size;
    if (bytes <= d->memory_limit && d->count < UINT32_MAX && d->text_size < UINT32_MAX)
        return GRAZE_OK;
    gz_place place = {.file = d->file, .line = line};
    return gz_fail_at(d->error, GRAZE_ERROR_LIMIT, place,
                      "the document has more than %zu values and takes %llu bytes; allowed: at "
                      "most %llu (limits.memory_bytes)",
                      d->count, (unsigned long long)bytes, (unsigned long long)d->memory_limit);
}

graze_status gz_document_add(gz_document *d, uint32_t parent, gz_value value, uint32_t *index) {
    GZ_TRY(check_memory(d, value.line));
    if (!GZ_RESERVE(d->values, d->capacity, d->count + 1)) return gz_fail_memory(d->error);
    uint32_t at = (uint32_t)d->count++;
    value.parent = parent;
    if (at) {
        gz_value *above = &d->values[parent];
        value.index = above->count++;
        if (above->last) d->values[above->last].next = at - above->last;
        if (!above->first) above->first = at - parent;
        above->last = at;
    }
    d->values[at] = value;
    *index = at;
    return GRAZE_OK;
}

graze_status gz_document_add_text(gz_document *d, const char *text, size_t size, uint32_t *offset) {
    if (d->text_size + size >= UINT32_MAX)
        return gz_fail_at(d->error, GRAZE_ERROR_LIMIT, (gz_place){.file = d->file},
                          "the document has more than 4 GiB of text; allowed: less");
    if (!gz_array_reserve((void **)&d->text, &d->text_capacity, d->text_size + size + 1, 1))
        return gz_fail_memory(d->error);
    *offset = (uint32_t)d->text_size;
    if (size) memcpy(d->text + d->text_size, text, size);
    d->text_size += size;
    d->text[d->text_size++] = '\0';
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- reading

const char *gz_value_key(const gz_document *d, const gz_value *value) {
    return d->text + value->key;
}

const char *gz_value_text(const gz_document *d, const gz_value *value) {
    return value->text ? d->text + value->text : NULL;
}

const gz_value *gz_value_member(const gz_document *d, const gz_value *map, const char *key) {
    if (!map || map->kind != GZ_VALUE_MAP) return NULL;
    for (const gz_value *v = gz_value_first(map); v; v = gz_value_next(v))
        if (strcmp(gz_value_key(d, v), key) == 0) return v;
    return NULL;
}

const char *gz_value_kind_name(const gz_value *value) {
    static const char *const names[] = {
        [GZ_VALUE_NULL] = "empty (null)", [GZ_VALUE_BOOL] = "true or false",
        [GZ_VALUE_NUMBER] = "a number",   [GZ_VALUE_STRING] = "a string",
        [GZ_VALUE_LIST] = "a list",       [GZ_VALUE_MAP] = "a map",
    };
    return names[value->kind];
}

// ---------------------------------------------------------------------------------------- places

/// Appends to a path under construction; what does not fit is cut off.
static void append(char *out, size_t size, const char *before, const char *text,
                   const char *behind) {
    size_t used = strlen(out);
    if (used + 1 < size) snprintf(out + used, size - used, "%s%.200s%s", before, text, behind);
}

/// Paths are made for each object, whether they are needed or not: a name that stands behind many
/// other keys is not looked for.
enum { MOST_KEYS_BEFORE_NAME = 64 };

static const char *name_of(const gz_document *d, const gz_value *value) {
    if (value->kind != GZ_VALUE_MAP) return NULL;
    const gz_value *v = gz_value_first(value);
    for (int i = 0; v && i < MOST_KEYS_BEFORE_NAME; i++, v = gz_value_next(v))
        if (strcmp(gz_value_key(d, v), d->name_key) == 0) return gz_value_text(d, v);
    return NULL;
}

static void append_step(const gz_document *d, const gz_value *value, char *out, size_t size) {
    const char *text = value->key ? NULL : name_of(d, value);
    char number[16];
    if (value->key) {
        append(out, size, "/", gz_value_key(d, value), "");
    } else if (text && *text) {
        append(out, size, "[@", d->name_key, "='");
        append(out, size, "", text, "']");
    } else {
        snprintf(number, sizeof number, "%u", value->index);
        append(out, size, "[", number, "]");
    }
}

void gz_value_element(const gz_document *d, const gz_value *value, const char *key, char *out,
                      size_t size) {
    // Deeper than this the path has long been cut off by `size`.
    const gz_value *steps[128];
    size_t depth = 0;
    out[0] = '\0';
    for (const gz_value *v = value; v != d->values; v = &d->values[v->parent])
        steps[depth++ % 128] = v;
    for (size_t i = depth; i > 0; i--)
        if (i + 128 > depth) append_step(d, steps[(i - 1) % 128], out, size);
    if (key) append(out, size, "/", key, "");
    if (!out[0]) append(out, size, "/", "", "");
}

gz_place gz_value_place(const gz_document *d, const gz_value *value,
                        char element[GRAZE_PATH_SIZE]) {
    gz_value_element(d, value, NULL, element, GRAZE_PATH_SIZE);
    return (gz_place){d->file, element, value->line, value->column};
}

void gz_value_locate(const gz_document *d, const gz_value *value) {
    gz_error_locate(d->error, GZ_VALUE_PLACE(d, value));
}

/// Warnings are compared with all before them, so a file of nonsense must not make many.
enum { MOST_UNKNOWN_KEYS = 100 };

static void warn_key(gz_document *d, const gz_value *value, const char *keys) {
    if (d->unknown_keys > MOST_UNKNOWN_KEYS) return;
    if (d->unknown_keys++ == MOST_UNKNOWN_KEYS) {
        gz_value_warn(d, value, "unknown-keys",
                      "more than %d keys are not known; the others are not listed",
                      MOST_UNKNOWN_KEYS);
        return;
    }
    const char *key = gz_value_key(d, value);
    char name[64];
    if (gz_spelling_of_list(keys, key, name))
        gz_value_warn(d, value, "unknown-key",
                      "the key \"%.80s\" is not known here and ignored; did you mean \"%s\"?", key,
                      name);
    else
        gz_value_warn(d, value, "unknown-key", "the key \"%.80s\" is not known here and ignored",
                      key);
}

void gz_value_check_keys(gz_document *d, const gz_value *map, const char *keys) {
    if (map->kind != GZ_VALUE_MAP) return;
    for (const gz_value *v = gz_value_first(map); v; v = gz_value_next(v)) {
        const char *key = gz_value_key(d, v);
        if (!gz_is_listed(keys, key, strlen(key))) warn_key(d, v, keys);
    }
}

graze_status gz_value_refuse_keys(const gz_document *document, const gz_value *map,
                                  const char *keys) {
    for (const gz_value *v = gz_value_first(map); v; v = gz_value_next(v)) {
        const char *key = gz_value_key(document, v);
        if (!gz_is_listed(keys, key, strlen(key)))
            return gz_value_fail(document, v, GRAZE_ERROR_SCHEMA,
                                 "the key \"%.80s\" is not known here; allowed: %s", key, keys);
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------ typed reads

graze_status gz_value_required(const gz_document *d, const gz_value *map, const char *key,
                               const gz_value **out) {
    *out = gz_value_member(d, map, key);
    if (*out) return GRAZE_OK;
    return gz_value_fail(d, map, GRAZE_ERROR_SCHEMA,
                         "the key \"%s\" is missing; it is required here", key);
}

graze_status gz_value_expect(const gz_document *d, const gz_value *value, gz_value_kind kind,
                             const char *allowed) {
    if (value->kind == kind) return GRAZE_OK;
    return gz_value_fail(d, value, GRAZE_ERROR_SCHEMA, "found %s; allowed: %s",
                         gz_value_kind_name(value), allowed);
}

graze_status gz_value_required_kind(const gz_document *d, const gz_value *map, const char *key,
                                    gz_value_kind kind, const char *allowed, const gz_value **out) {
    GZ_TRY(gz_value_required(d, map, key, out));
    return gz_value_expect(d, *out, kind, allowed);
}

graze_status gz_value_number(const gz_document *d, const gz_value *value, double *out) {
    GZ_TRY(gz_value_expect(d, value, GZ_VALUE_NUMBER, "a number"));
    if (!isfinite(value->number))
        return gz_value_fail(d, value, GRAZE_ERROR_RANGE, "found %g; allowed: a finite number",
                             value->number);
    *out = value->number;
    return GRAZE_OK;
}

graze_status gz_value_numbers(const gz_document *d, const gz_value *value, double *out,
                              uint32_t n) {
    char allowed[40];
    snprintf(allowed, sizeof allowed, "a list of %u numbers", n);
    GZ_TRY(gz_value_expect(d, value, GZ_VALUE_LIST, allowed));
    if (value->count != n)
        return gz_value_fail(d, value, GRAZE_ERROR_SCHEMA, "found a list of %u; allowed: %s",
                             value->count, allowed);
    for (const gz_value *v = gz_value_first(value); v; v = gz_value_next(v))
        GZ_TRY(gz_value_number(d, v, &out[v->index]));
    return GRAZE_OK;
}
