#include "matrix/matrix_text.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void gz_matrix_text_add(gz_matrix_text *t, const char *bytes, size_t size) {
    t->full = t->full || !gz_array_reserve((void **)&t->bytes, &t->capacity, t->size + size + 1, 1);
    if (t->full) return;
    if (size) memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
}

void gz_matrix_text_print(gz_matrix_text *t, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0) size = 0;
    gz_matrix_text_add(t, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

void gz_matrix_text_escape(gz_matrix_text *t, const char *value) {
    for (; *value; value++) {
        switch (*value) {
        case '&':
            gz_matrix_text_add(t, "&amp;", 5);
            break;
        case '<':
            gz_matrix_text_add(t, "&lt;", 4);
            break;
        case '"':
            gz_matrix_text_add(t, "&quot;", 6);
            break;
        case '\t':
            gz_matrix_text_add(t, "&#9;", 4);
            break;
        case '\n':
            gz_matrix_text_add(t, "&#10;", 5);
            break;
        case '\r':
            gz_matrix_text_add(t, "&#13;", 5);
            break;
        default:
            gz_matrix_text_add(t, value, 1);
        }
    }
}
