#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/token.h"

// -------------------------------------------------------------------------------------- building

bool gz_document_start(gz_document *document, const char *file, const char *name_key,
                       const graze_limits *limits) {
    *document = (gz_document){.file = file,
                              .name_key = name_key,
                              .memory_limit = limits->memory_bytes,
                              .depth_limit = limits->depth,
                              .key_limit = limits->elements};
    // Offset 0 means "no text", so that a zeroed value has none.
    if (!gz_array_reserve((void **)&document->text, &document->text_capacity, 1, 1)) return false;
    document->text[document->text_size++] = '\0';
    return true;
}

void gz_document_clear(gz_document *document) {
    gz_free(document->values);
    gz_free(document->text);
    *document = (gz_document){0};
}

static graze_status check_memory(const gz_document *document, int32_t line, graze_error *error) {
    uint64_t bytes = (uint64_t)document->count * sizeof(gz_value) + document->text_size;
    if (bytes <= document->memory_limit && document->count < UINT32_MAX &&
        document->text_size < UINT32_MAX)
        return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = document->file, .line = line},
                      "the document has more than %zu values and takes %llu bytes; allowed: at "
                      "most %llu (limits.memory_bytes)",
                      document->count, (unsigned long long)bytes,
                      (unsigned long long)document->memory_limit);
}

graze_status gz_document_add(gz_document *document, uint32_t parent, gz_value value,
                             uint32_t *index, graze_error *error) {
    graze_status status = check_memory(document, value.line, error);
    if (status) return status;
    if (!gz_array_reserve((void **)&document->values, &document->capacity, document->count + 1,
                          sizeof *document->values))
        return gz_fail_memory(error);
    uint32_t at = (uint32_t)document->count++;
    value.parent = parent;
    if (at) {
        gz_value *above = &document->values[parent];
        value.index = above->count++;
        if (above->last) document->values[above->last].next = at;
        if (!above->first) above->first = at;
        above->last = at;
    }
    document->values[at] = value;
    *index = at;
    return GRAZE_OK;
}

graze_status gz_document_add_text(gz_document *document, const char *text, size_t size,
                                  uint32_t *offset, graze_error *error) {
    if (document->text_size + size >= UINT32_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = document->file},
                          "the document has more than 4 GiB of text; allowed: less");
    if (!gz_array_reserve((void **)&document->text, &document->text_capacity,
                          document->text_size + size + 1, 1))
        return gz_fail_memory(error);
    *offset = (uint32_t)document->text_size;
    if (size) memcpy(document->text + document->text_size, text, size);
    document->text_size += size;
    document->text[document->text_size++] = '\0';
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- reading

const gz_value *gz_value_first(const gz_document *document, const gz_value *parent) {
    return parent->first ? &document->values[parent->first] : NULL;
}

const gz_value *gz_value_next(const gz_document *document, const gz_value *value) {
    return value->next ? &document->values[value->next] : NULL;
}

const char *gz_value_key(const gz_document *document, const gz_value *value) {
    return document->text + value->key;
}

const char *gz_value_text(const gz_document *document, const gz_value *value) {
    return value->text ? document->text + value->text : NULL;
}

const gz_value *gz_value_member(const gz_document *document, const gz_value *map, const char *key) {
    if (!map || map->kind != GZ_VALUE_MAP) return NULL;
    for (const gz_value *v = gz_value_first(document, map); v; v = gz_value_next(document, v))
        if (strcmp(gz_value_key(document, v), key) == 0) return v;
    return NULL;
}

const char *gz_value_kind_name(const gz_value *value) {
    switch (value->kind) {
    case GZ_VALUE_NULL:
        return "empty (null)";
    case GZ_VALUE_BOOL:
        return "true or false";
    case GZ_VALUE_NUMBER:
        return "a number";
    case GZ_VALUE_STRING:
        return "a string";
    case GZ_VALUE_LIST:
        return "a list";
    case GZ_VALUE_MAP:
        return "a map";
    }
    return "unknown";
}

// ---------------------------------------------------------------------------------------- places

/// Appends to a path under construction; what does not fit is cut off.
static void append(char *out, size_t size, const char *format, const char *text, uint32_t number) {
    size_t used = strlen(out);
    if (used + 1 >= size) return;
    if (text)
        snprintf(out + used, size - used, format, text);
    else
        snprintf(out + used, size - used, format, number);
}

/// Paths are made for each object, whether they are needed or not: a name that stands behind many
/// other keys is not looked for.
enum { MOST_KEYS_BEFORE_NAME = 64 };

static const char *name_of(const gz_document *document, const gz_value *value) {
    if (value->kind != GZ_VALUE_MAP) return NULL;
    const gz_value *v = gz_value_first(document, value);
    for (int i = 0; v && i < MOST_KEYS_BEFORE_NAME; i++, v = gz_value_next(document, v))
        if (strcmp(gz_value_key(document, v), document->name_key) == 0)
            return gz_value_text(document, v);
    return NULL;
}

static void append_step(const gz_document *document, const gz_value *value, char *out,
                        size_t size) {
    if (value->key) {
        append(out, size, "/%.200s", gz_value_key(document, value), 0);
        return;
    }
    const char *text = name_of(document, value);
    if (text && *text) {
        append(out, size, "[@%s=", document->name_key, 0);
        append(out, size, "'%.200s']", text, 0);
    } else {
        append(out, size, "[%u]", NULL, value->index);
    }
}

void gz_value_element(const gz_document *document, const gz_value *value, const char *key,
                      char *out, size_t size) {
    // Deeper than this the path has long been cut off by `size`.
    const gz_value *steps[128];
    size_t depth = 0;
    out[0] = '\0';
    for (const gz_value *v = value; v != document->values; v = &document->values[v->parent])
        steps[depth++ % 128] = v;
    for (size_t i = depth; i > 0; i--)
        if (i + 128 > depth) append_step(document, steps[(i - 1) % 128], out, size);
    if (key) append(out, size, "/%.200s", key, 0);
    if (!out[0]) append(out, size, "%s", "/", 0);
}

static gz_place place_of(const gz_document *document, const gz_value *value, char *element) {
    gz_value_element(document, value, NULL, element, GRAZE_PATH_SIZE);
    return (gz_place){document->file, element, value->line, value->column};
}

graze_status gz_value_fail(const gz_document *document, const gz_value *value, graze_error *error,
                           graze_status status, const char *format, ...) {
    char message[GRAZE_MESSAGE_SIZE], element[GRAZE_PATH_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return gz_fail_at(error, status, place_of(document, value, element), "%s", message);
}

void gz_value_locate(const gz_document *document, const gz_value *value, graze_error *error) {
    char element[GRAZE_PATH_SIZE];
    gz_error_locate(error, place_of(document, value, element));
}

void gz_value_warn(const gz_document *document, const gz_value *value, gz_warnings *warnings,
                   const char *code, const char *format, ...) {
    char message[GRAZE_MESSAGE_SIZE], element[GRAZE_PATH_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gz_warn(warnings, code, place_of(document, value, element), "%s", message);
}

/// Warnings are compared with all before them, so a file of nonsense must not make many.
enum { MOST_UNKNOWN_KEYS = 100 };

static void warn_key(gz_document *document, const gz_value *value, const char *const *keys,
                     gz_warnings *warnings) {
    if (document->unknown_keys > MOST_UNKNOWN_KEYS) return;
    if (document->unknown_keys++ == MOST_UNKNOWN_KEYS) {
        gz_value_warn(document, value, warnings, "unknown-keys",
                      "more than %d keys are not known; the others are not listed",
                      MOST_UNKNOWN_KEYS);
        return;
    }
    const char *key = gz_value_key(document, value);
    gz_spelling nearest = gz_spelling_start(key);
    for (int32_t i = 0; keys[i]; i++) gz_spelling_try(&nearest, keys[i], i);
    if (nearest.index >= 0)
        gz_value_warn(document, value, warnings, "unknown-key",
                      "the key \"%.80s\" is not known here and ignored; did you mean \"%s\"?", key,
                      keys[nearest.index]);
    else
        gz_value_warn(document, value, warnings, "unknown-key",
                      "the key \"%.80s\" is not known here and ignored", key);
}

void gz_value_check_keys(gz_document *document, const gz_value *map, const char *const *keys,
                         gz_warnings *warnings) {
    if (map->kind != GZ_VALUE_MAP) return;
    for (const gz_value *v = gz_value_first(document, map); v; v = gz_value_next(document, v)) {
        const char *const *key = keys;
        while (*key && strcmp(*key, gz_value_key(document, v)) != 0) key++;
        if (!*key) warn_key(document, v, keys, warnings);
    }
}

// ------------------------------------------------------------------------------------ typed reads

const gz_value *gz_value_required(const gz_document *document, const gz_value *map, const char *key,
                                  graze_status *status, graze_error *error) {
    const gz_value *value = gz_value_member(document, map, key);
    *status = value ? GRAZE_OK
                    : gz_value_fail(document, map, error, GRAZE_ERROR_SCHEMA,
                                    "the key \"%s\" is missing; it is required here", key);
    return value;
}

graze_status gz_value_expect(const gz_document *document, const gz_value *value, gz_value_kind kind,
                             const char *allowed, graze_error *error) {
    if (value->kind == kind) return GRAZE_OK;
    return gz_value_fail(document, value, error, GRAZE_ERROR_SCHEMA, "found %s; allowed: %s",
                         gz_value_kind_name(value), allowed);
}

graze_status gz_value_number(const gz_document *document, const gz_value *value, double *out,
                             graze_error *error) {
    graze_status status = gz_value_expect(document, value, GZ_VALUE_NUMBER, "a number", error);
    if (status) return status;
    if (!isfinite(value->number))
        return gz_value_fail(document, value, error, GRAZE_ERROR_RANGE,
                             "found %g; allowed: a finite number", value->number);
    *out = value->number;
    return GRAZE_OK;
}

graze_status gz_value_numbers(const gz_document *document, const gz_value *value, double *out,
                              uint32_t n, graze_error *error) {
    char allowed[40];
    snprintf(allowed, sizeof allowed, "a list of %u numbers", n);
    graze_status status = gz_value_expect(document, value, GZ_VALUE_LIST, allowed, error);
    if (status) return status;
    if (value->count != n)
        return gz_value_fail(document, value, error, GRAZE_ERROR_SCHEMA,
                             "found a list of %u; allowed: %s", value->count, allowed);
    for (const gz_value *v = gz_value_first(document, value); v && !status;
         v = gz_value_next(document, v))
        status = gz_value_number(document, v, &out[v->index], error);
    return status;
}
