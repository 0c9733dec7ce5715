#include <jansson.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"
#include "load/token.h"

/// Walks over the tokens of a JSON text that need a place: keys, scalars and opening brackets.
/// jansson gives the line of a mistake in syntax, but not that of a value; it keeps the order of
/// the text, so its values match these tokens one by one.
typedef struct scanner {
    gz_document *d;
    const char *at, *end;
    int32_t line, column; ///< of `at`
    uint32_t depth, depth_limit;
    uint64_t opened; ///< lists and maps so far
    int32_t token_line, token_column;
} scanner;

static void advance(scanner *s) {
    char c = *s->at++;
    if (c == '\n') {
        if (s->line < INT32_MAX) s->line++;
        s->column = 1;
    } else if (((unsigned char)c & 0xc0) != 0x80 && s->column < INT32_MAX) {
        s->column++; // a character, not a byte: what continues one in UTF-8 does not count
    }
}

static void skip_string(scanner *s) {
    advance(s);
    while (s->at < s->end && *s->at != '"') {
        if (*s->at == '\\' && s->at + 1 < s->end) advance(s);
        advance(s);
    }
    if (s->at < s->end) advance(s);
}

static void skip_word(scanner *s) {
    while (s->at < s->end && !strchr(" \t\r\n,:]}[{\"", *s->at)) advance(s);
}

/// Moves over the next token; false at the end of the text, and where it nests too deep.
static bool next_token(scanner *s) {
    while (s->at < s->end && strchr(" \t\r\n,:]}", *s->at)) {
        if (*s->at == ']' || *s->at == '}') s->depth -= s->depth > 0;
        advance(s);
    }
    s->token_line = s->line;
    s->token_column = s->column;
    if (s->at >= s->end) return false;
    if (*s->at == '"') {
        skip_string(s);
    } else if (*s->at == '[' || *s->at == '{') {
        if (++s->depth > s->depth_limit) return false;
        s->opened++;
        advance(s);
    } else {
        const char *start = s->at;
        skip_word(s);
        if (s->at == start) advance(s); // NUL, which strchr() finds too: jansson refuses it
    }
    return true;
}

static scanner scan(gz_document *d, const char *text, size_t size, uint32_t depth_limit) {
    return (scanner){
        .d = d, .at = text, .end = text + size, .line = 1, .column = 1, .depth_limit = depth_limit};
}

/// Before jansson sees the text: its recursion and its memory are bounded here.
static graze_status check_limits(gz_document *d, const char *text, size_t size) {
    scanner s = scan(d, text, size, d->depth_limit);
    uint64_t tokens = 0;
    while (next_token(&s)) tokens++;
    gz_place place = {d->file, "", s.token_line, s.token_column};
    if (s.depth > s.depth_limit)
        return gz_fail_at(d->error, GRAZE_ERROR_LIMIT, place,
                          "lists and maps nest more than %u deep; allowed: %u (limits.depth)",
                          s.depth_limit, s.depth_limit);
    // Per token, jansson takes up to about 96 bytes (an entry of a map, its key and its value), and
    // 160 more for an empty map; texts are copied as they grow, and once more into the document.
    uint64_t bytes = tokens * (96 + sizeof(gz_value)) + s.opened * 160 + 4 * (uint64_t)size;
    if (bytes > d->memory_limit)
        return gz_fail_at(d->error, GRAZE_ERROR_LIMIT, (gz_place){.file = d->file},
                          "the document has %llu tokens, about %llu bytes in memory; allowed: %llu "
                          "(limits.memory_bytes)",
                          (unsigned long long)tokens, (unsigned long long)bytes,
                          (unsigned long long)d->memory_limit);
    return GRAZE_OK;
}

static graze_status convert(scanner *s, json_t *json, uint32_t parent, gz_value value);

static graze_status convert_members(scanner *s, json_t *json, uint32_t self) {
    const char *key;
    json_t *member;
    json_object_foreach(json, key, member) {
        gz_value value = {0};
        GZ_TRY(gz_document_add_text(s->d, key, strlen(key), &value.key));
        next_token(s);
        GZ_TRY(convert(s, member, self, value));
    }
    return GRAZE_OK;
}

/// Appends a jansson value and all below it. Recursion is bounded by the depth limit, and by
/// jansson's own (2048).
static graze_status convert(scanner *s, json_t *json, uint32_t parent, gz_value value) {
    static const gz_value_kind kinds[] = {
        [JSON_OBJECT] = GZ_VALUE_MAP,    [JSON_ARRAY] = GZ_VALUE_LIST,
        [JSON_STRING] = GZ_VALUE_STRING, [JSON_INTEGER] = GZ_VALUE_NUMBER,
        [JSON_REAL] = GZ_VALUE_NUMBER,   [JSON_TRUE] = GZ_VALUE_BOOL,
        [JSON_FALSE] = GZ_VALUE_BOOL,    [JSON_NULL] = GZ_VALUE_NULL,
    };
    next_token(s);
    value.line = s->token_line;
    value.column = s->token_column;
    value.kind = kinds[json_typeof(json)];
    value.number = json_is_true(json) ? 1 : json_number_value(json);
    if (json_is_string(json))
        GZ_TRY(gz_document_add_text(s->d, json_string_value(json), json_string_length(json),
                                    &value.text));
    uint32_t self;
    GZ_TRY(gz_document_add(s->d, parent, value, &self));
    if (value.kind == GZ_VALUE_MAP) return convert_members(s, json, self);
    for (size_t i = 0; value.kind == GZ_VALUE_LIST && i < json_array_size(json); i++)
        GZ_TRY(convert(s, json_array_get(json, i), self, (gz_value){0}));
    return GRAZE_OK;
}

static graze_status fail_jansson(const gz_document *d, const json_error_t *why) {
    graze_error *error = d->error;
    gz_place place = {d->file, "", why->line > 0 ? why->line : 0,
                      why->column > 0 ? why->column : 0};
    switch (json_error_code(why)) {
    case json_error_out_of_memory:
        return gz_fail_memory(error);
    case json_error_stack_overflow:
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place, "%s; allowed: 2048 levels", why->text);
    case json_error_duplicate_key:
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                          "a key stands twice in one map (%s); allowed: once", why->text);
    case json_error_numeric_overflow:
        return gz_fail_at(error, GRAZE_ERROR_RANGE, place, "%s; allowed: magnitudes below 1.8e308",
                          why->text);
    default:
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place, "not valid JSON: %s", why->text);
    }
}

graze_status gz_document_read_json(gz_document *d, const char *text, size_t size,
                                   const graze_limits *limits) {
    if (!gz_document_start(d, "name", limits)) return gz_fail_memory(d->error);
    // A byte order mark is legal in no JSON, and common all the same.
    size_t mark = gz_byte_order_mark(text, size);
    text += mark;
    size -= mark;
    GZ_TRY(check_limits(d, text, size));
    json_error_t why = {0};
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    if (!json) return fail_jansson(d, &why);
    scanner s = scan(d, text, size, UINT32_MAX);
    graze_status status = convert(&s, json, 0, (gz_value){0});
    json_decref(json);
    return status;
}
