#include "cli/json.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

static void write_string(FILE *stream, const char *text) {
    if (text == NULL) {
        fputs("null", stream);
        return;
    }
    fputc('"', stream);
    while (*text != '\0') {
        size_t n = gz_utf8_length(text);
        if (n == 0) {
            fputs("\\ufffd", stream);
            n = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(stream, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            fprintf(stream, "\\u%04x", (unsigned)*text);
        } else {
            fwrite(text, 1, n, stream);
        }
        text += n;
    }
    fputc('"', stream);
}

void gz_number_write(FILE *stream, double value) {
    char buffer[GZ_DECIMAL_SIZE];
    fputs(isfinite(value) ? gz_decimal_format(buffer, value) : "null", stream);
}

static void write_plain_number(FILE *stream, double value) {
    char buffer[GZ_DECIMAL_SIZE];
    fputs(isfinite(value) ? gz_decimal_format_fixed(buffer, value, 6) : "none", stream);
}

static void write_index(FILE *stream, int64_t index) {
    if (index >= 0)
        fprintf(stream, "%" PRId64, index);
    else
        fputs("null", stream);
}

// ------------------------------------------------------------------------------------------- items

/// Writes what stands in front of an item's value.
static void start_item(gz_json *json, const char *key, size_t length) {
    bool keyed = json->keyed;
    json->keyed = false;
    if (keyed) return;
    bool comma = json->levels[json->depth].used && json->depth > 0;
    const char *gap = json->levels[json->depth].gap;
    json->levels[json->depth].used = true;
    if (json->plain) {
        bool line = json->depth == 1;
        fprintf(json->stream, "%s%s",
                !comma ? ""
                : line ? "\n"
                : gap  ? ","
                       : ", ",
                gap != NULL ? gap : "");
        if (length > 0) fprintf(json->stream, "%-*.*s ", line ? 15 : 0, (int)length, key);
        return;
    }
    fprintf(json->stream, "%s%s", comma ? "," : "", gap != NULL ? gap : "");
    if (length > 0) fprintf(json->stream, "\"%.*s\":", (int)length, key);
}

void gz_json_item(gz_json *json, const char *key) {
    start_item(json, key, key != NULL ? strlen(key) : 0);
}

void gz_json_key(gz_json *json, const char *key) {
    gz_json_item(json, key);
    json->keyed = true;
}

static void open_level(gz_json *json, char bracket) {
    assert(json->depth < GZ_JSON_DEPTH);
    if (!json->plain || json->depth > 0) fputc(bracket, json->stream);
    json->depth++;
    json->levels[json->depth].close = bracket == '{' ? '}' : ']';
    json->levels[json->depth].used = false;
    json->levels[json->depth].gap = NULL;
}

static void close_level(gz_json *json) {
    char close = json->levels[json->depth--].close;
    if (!json->plain || json->depth > 0) fputc(close, json->stream);
}

/// Writes one argument by its conversion, which stands behind the '%'.
static void write_argument(const gz_json *json, const char *conversion, va_list *arguments) {
    FILE *stream = json->stream;
    bool is_long = *conversion == 'l';
    const char *kind = conversion + strspn(conversion, "lz");
    if (json->plain && *kind == 's')
        gz_plain_put(stream, va_arg(*arguments, const char *));
    else if (json->plain && *kind == 'g')
        write_plain_number(stream, va_arg(*arguments, double));
    else if (json->plain && *kind == 'i')
        fputs(va_arg(*arguments, int) != 0 ? "yes" : "no", stream);
    else if (*kind == 's')
        write_string(stream, va_arg(*arguments, const char *));
    else if (*kind == 'g')
        gz_number_write(stream, va_arg(*arguments, double));
    else if (*kind == 'i')
        fputs(va_arg(*arguments, int) != 0 ? "true" : "false", stream);
    else if (*kind == 'd')
        write_index(stream, is_long ? va_arg(*arguments, int64_t) : va_arg(*arguments, int));
    else if (*conversion == 'z')
        fprintf(stream, "%zu", va_arg(*arguments, size_t));
    else if (is_long)
        fprintf(stream, "%" PRIu64, va_arg(*arguments, uint64_t));
    else
        fprintf(stream, "%u", va_arg(*arguments, unsigned));
}

void gz_json_put(gz_json *json, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " "), key = strcspn(at, "=");
        if (*at == '}' || *at == ']') {
            close_level(json);
            at++;
            continue;
        }
        start_item(json, at, key < length ? key : 0);
        const char *value = key < length ? at + key + 1 : at;
        at += length;
        if (*value == '{' || *value == '[')
            open_level(json, *value);
        else if (*value == '%')
            write_argument(json, value + 1, &arguments);
        else
            fwrite(value, 1, (size_t)(at - value), json->stream);
    }
    va_end(arguments);
}

void gz_json_numbers(gz_json *json, const char *key, const double *values, size_t count) {
    gz_json_item(json, key);
    open_level(json, '[');
    for (size_t i = 0; i < count; i++) gz_json_put(json, "%g", values[i]);
    close_level(json);
}

void gz_json_vector(gz_json *json, const char *key, graze_vec3 vector) {
    const double values[3] = {vector.x, vector.y, vector.z};
    gz_json_numbers(json, key, values, 3);
}

void gz_json_gap(gz_json *json, const char *gap) {
    json->levels[json->depth].gap = gap;
}

gz_json gz_json_begin(FILE *stream, const char *format) {
    gz_json json = {.stream = stream};
    gz_json_put(&json, "{ format=%s", format);
    return json;
}

gz_json gz_json_begin_plain(FILE *stream) {
    gz_json json = {.stream = stream, .plain = true};
    open_level(&json, '{');
    return json;
}

void gz_json_finish(gz_json *json) {
    bool open = !json->plain || json->levels[1].used;
    while (json->depth > 0) close_level(json);
    if (open) fputc('\n', json->stream);
}
