/// Reading whole files, and numbers from text, the same in every locale.
#ifndef GZ_LOAD_TEXT_FILE_H
#define GZ_LOAD_TEXT_FILE_H

#include "base/error.h"
#include "graze/robot.h"

/// Reads a regular file whole: *bytes is NUL-terminated beyond *size, free with gz_free().
/// @return GRAZE_ERROR_NOT_FOUND, _IO (a folder, unreadable, short read), _LIMIT (larger than
///         limit_bytes), _NO_MEMORY; the error names the path
graze_status gz_file_read(const char *path, uint64_t limit_bytes, char **bytes, size_t *size,
                          graze_error *error);
/// Whether a regular file (or a folder) is there.
bool gz_file_exists(const char *path);
bool gz_folder_exists(const char *path);

/// For the readers of lines that end at a line feed: a carriage return anywhere but before one, or
/// at the end of the text, would join two lines, and what the second says be skipped with the
/// first.
/// @return GRAZE_ERROR_PARSE at the line of such a one
graze_status gz_text_check_returns(const char *text, size_t size, const char *path,
                                   graze_error *error);

/// Reads one number that fills the whole of text[0..n): decimal, optional sign, point and exponent;
/// correctly rounded; "1.0m", "0,5", "", hexadecimal are false. "nan", "inf" and overflow read as
/// such: callers refuse what is not finite. Locale-free.
bool gz_number_parse(const char *text, size_t n, double *value);

/// Reads exactly `count` numbers separated by XML white space. On failure says why in error (status
/// GRAZE_ERROR_SCHEMA, or _RANGE for a value that is not finite) without a place.
/// *odd_space is set when a separator other than single spaces was met (may be NULL).
graze_status gz_numbers_parse(const char *text, double *values, size_t count, bool *odd_space,
                              graze_error *error);

#endif
