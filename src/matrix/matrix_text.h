/// Text that grows.
#ifndef GZ_MATRIX_MATRIX_TEXT_H
#define GZ_MATRIX_MATRIX_TEXT_H

#include "base/error.h"

typedef struct gz_matrix_text {
    char *bytes; ///< NUL-terminated once something was added
    size_t size, capacity;
    bool full; ///< sticky: memory is out
} gz_matrix_text;

void gz_matrix_text_add(gz_matrix_text *text, const char *bytes, size_t size);
void gz_matrix_text_print(gz_matrix_text *text, const char *format, ...) GZ_PRINTF(2, 3);
/// As the value of an attribute in double quotes.
void gz_matrix_text_escape(gz_matrix_text *text, const char *value);

#endif
