/// Text: decimal numbers, strict and the same in every locale (the command never calls setlocale),
/// and text files read whole.
#ifndef GZ_CLI_TEXT_H
#define GZ_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "graze/types.h"

#define GZ_DECIMAL_SIZE 32

/// Reads a whole token, blanks around it allowed: a decimal number, "inf" or "nan" with a sign.
/// Hexadecimal, a rest behind the number and the empty token are refused.
bool gz_decimal_parse(const char *text, size_t length, double *value);

/// Reads numbers separated by commas. Returns how many, or 0 where the text has others, or more
/// than `most`.
size_t gz_decimal_parse_numbers(const char *text, size_t length, double *values, size_t most);

/// Reads exactly `count` of them.
bool gz_decimal_parse_list(const char *text, double *values, size_t count);

/// Reads a whole token of decimal digits.
bool gz_decimal_parse_count(const char *text, uint64_t *value);

/// Writes the shortest of 15, 16 or 17 significant digits that reads back as the same number.
/// Returns buffer.
const char *gz_decimal_format(char buffer[GZ_DECIMAL_SIZE], double value);

/// Writes a number for people, with a fixed count of decimals and never "-0.000".
const char *gz_decimal_format_fixed(char buffer[GZ_DECIMAL_SIZE], double value, int decimals);

#define GZ_VECTOR_SIZE (3 * GZ_DECIMAL_SIZE + 8)
/// Writes "(1.0000, 0.0000, 0.5000)", for people. Returns buffer.
const char *gz_vector_format(char buffer[GZ_VECTOR_SIZE], graze_vec3 v);

bool gz_text_ends_with(const char *text, const char *ending);

/// Reads a regular file, or standard input where path is NULL, of at most `limit` bytes; *text is
/// NUL-terminated beyond *size, free with gz_free(). Prints what is wrong and returns an exit
/// status.
int gz_text_input_read(const char *path, uint64_t limit, char **text, size_t *size);

/// A text for between double quotes of XML; NULL when out of memory, else free with gz_free().
char *gz_text_escape_xml(const char *text);

#endif
