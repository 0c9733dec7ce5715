#include <jansson.h>
#include <string.h>

#include "base/memory.h"
#include "load/document/document.h"

/// Walks over the tokens of a JSON text that need a place: keys, scalars and opening brackets.
/// jansson tells the line of a mistake in syntax, but not that of a value it has read; it keeps the
/// order of the text, so its values and these tokens go in step.
typedef struct scanner {
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

static scanner scan(const char *text, size_t size, uint32_t depth_limit) {
    return (scanner){
        .at = text, .end = text + size, .line = 1, .column = 1, .depth_limit = depth_limit};
}

/// Before jansson sees the text: its recursion and its memory are bounded here.
static graze_status check_limits(const gz_document *document, const char *text, size_t size,
                                 graze_error *error) {
    scanner s = scan(text, size, document->depth_limit);
    uint64_t tokens = 0;
    while (next_token(&s)) tokens++;
    gz_place place = {document->file, "", s.token_line, s.token_column};
    if (s.depth > s.depth_limit)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "lists and maps nest more than %u deep; allowed: %u (limits.depth)",
                          s.depth_limit, s.depth_limit);
    // Per token, jansson takes up to about 96 bytes (an entry of a map, its key and its value), and
    // 160 more for an empty map; texts are copied as they grow, and once more into the document.
    uint64_t bytes = tokens * (96 + sizeof(gz_value)) + s.opened * 160 + 4 * (uint64_t)size;
    if (bytes > document->memory_limit)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = document->file},
                          "the document has %llu tokens, about %llu bytes in memory; allowed: %llu "
                          "(limits.memory_bytes)",
                          (unsigned long long)tokens, (unsigned long long)bytes,
                          (unsigned long long)document->memory_limit);
    return GRAZE_OK;
}

typedef struct conversion {
    gz_document *document;
    scanner scanner;
    graze_error *error;
} conversion;

static graze_status convert(conversion *c, json_t *json, uint32_t parent, gz_value value);

static graze_status convert_members(conversion *c, json_t *json, uint32_t self) {
    const char *key;
    json_t *member;
    json_object_foreach(json, key, member) {
        gz_value value = {0};
        graze_status status = gz_document_add_text(c->document, key, strlen(key), &value.key,
                                                   c->error);
        if (status) return status;
        next_token(&c->scanner);
        value.key_line = c->scanner.token_line;
        value.key_column = c->scanner.token_column;
        status = convert(c, member, self, value);
        if (status) return status;
    }
    return GRAZE_OK;
}

/// Appends a jansson value and all below it. Recursion is bounded by the depth limit, and by
/// jansson's own (2048).
static graze_status convert(conversion *c, json_t *json, uint32_t parent, gz_value value) {
    graze_status status = GRAZE_OK;
    next_token(&c->scanner);
    value.line = c->scanner.token_line;
    value.column = c->scanner.token_column;
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        value.kind = GZ_VALUE_MAP;
        break;
    case JSON_ARRAY:
        value.kind = GZ_VALUE_LIST;
        break;
    case JSON_STRING:
        value.kind = GZ_VALUE_STRING;
        status = gz_document_add_text(c->document, json_string_value(json),
                                      json_string_length(json), &value.text, c->error);
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        value.kind = GZ_VALUE_NUMBER;
        value.number = json_number_value(json);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        value.kind = GZ_VALUE_BOOL;
        value.number = json_is_true(json);
        break;
    case JSON_NULL:
        value.kind = GZ_VALUE_NULL;
        break;
    }
    uint32_t self;
    if (!status) status = gz_document_add(c->document, parent, value, &self, c->error);
    if (status) return status;
    if (value.kind == GZ_VALUE_MAP) return convert_members(c, json, self);
    for (size_t i = 0; value.kind == GZ_VALUE_LIST && i < json_array_size(json); i++) {
        status = convert(c, json_array_get(json, i), self, (gz_value){0});
        if (status) return status;
    }
    return GRAZE_OK;
}

static graze_status fail_jansson(const char *file, const json_error_t *why, graze_error *error) {
    gz_place place = {file, "", why->line > 0 ? why->line : 0, why->column > 0 ? why->column : 0};
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

graze_status gz_document_read_json(gz_document *document, const char *file, const char *text,
                                   size_t size, const graze_limits *limits, graze_error *error) {
    if (!gz_document_start(document, file, "name", limits)) return gz_fail_memory(error);
    // A byte order mark is legal in no JSON, and common all the same.
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3;
    graze_status status = check_limits(document, text, size, error);
    if (status) return status;
    json_error_t why = {0};
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    if (!json) return fail_jansson(file, &why, error);
    conversion c = {document, scan(text, size, UINT32_MAX), error};
    status = convert(&c, json, 0, (gz_value){0});
    json_decref(json);
    return status;
}
