/// Text and memory: decimal numbers, strict and the same in every locale (the command never calls
/// setlocale); text files read whole; arrays that grow.
#ifndef GZ_CLI_TEXT_H
#define GZ_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GZ_DECIMAL_SIZE 32

/// Reads a whole token, blanks around it allowed: a decimal number, "inf" or "nan" with a sign.
/// Hexadecimal, a rest behind the number and the empty token are refused.
bool gz_decimal_parse(const char *text, size_t length, double *value);

/// Reads a whole token of decimal digits.
bool gz_decimal_parse_count(const char *text, uint64_t *value);

/// Writes the shortest of 15, 16 or 17 significant digits that reads back as the same number.
/// Returns buffer.
const char *gz_decimal_format(char buffer[GZ_DECIMAL_SIZE], double value);

/// Writes a number for people, with a fixed count of decimals and never "-0.000".
const char *gz_decimal_format_fixed(char buffer[GZ_DECIMAL_SIZE], double value, int decimals);

/// Resizes memory (NULL for fresh) to count elements; NULL, the old memory untouched, when that
/// overflows or memory is out. Never NULL for zero bytes.
void *gz_storage_resize(void *memory, size_t count, size_t size);
/// Makes room for `needed` elements, growing by half; false, the array untouched, without memory.
bool gz_storage_reserve(void **array, size_t *capacity, size_t needed, size_t size);
/// Frees; NULL is allowed.
void gz_storage_free(void *memory);

/// Read a regular file, or standard input, of at most `limit` bytes; *text is NUL-terminated beyond
/// *size, free with gz_storage_free(). Print what is wrong and return an exit status.
int gz_text_input_read(const char *path, uint64_t limit, char **text, size_t *size);
int gz_text_input_read_stdin(uint64_t limit, char **text, size_t *size);

#endif
