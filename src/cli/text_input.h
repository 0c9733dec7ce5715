/// A text file as it is, read whole.
#ifndef GZ_CLI_TEXT_INPUT_H
#define GZ_CLI_TEXT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/// Reads a regular file of at most `limit` bytes; *text is NUL-terminated beyond *size, free with
/// gz_storage_free(). Prints what is wrong and returns an exit status.
int gz_text_input_read(const char *path, uint64_t limit, char **text, size_t *size);

#endif
