/// Numbers as text: strict, and the same in every locale (the command never calls setlocale).
#ifndef GZ_CLI_DECIMAL_H
#define GZ_CLI_DECIMAL_H

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

#endif
