/// What operating systems do in different ways: files as memory, pages, texts of errors, programs.
/// platform.c is what another system needs anew: it alone asks for more than C17 and POSIX 2008,
/// and src/import, which is Linux's.
#ifndef GZ_BASE_PLATFORM_H
#define GZ_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

// ----------------------------------------------------------------------------------------- files

/// Reads a regular file whole: *bytes is NUL-terminated beyond *size, free with gz_free().
/// @return GRAZE_ERROR_NOT_FOUND, _IO (a folder, unreadable, short read), _LIMIT (larger than
///         limit_bytes), _NO_MEMORY; the error names the path
graze_status gz_file_read(const char *path, uint64_t limit_bytes, char **bytes, size_t *size,
                          graze_error *error);
/// Reads the first bytes of a regular file; returns how many there were, 0 where it cannot be read.
size_t gz_file_begin(const char *path, char *bytes, size_t size);

/// Whether a file is there that is no folder (a pipe is one, and reading it an error), or a folder.
bool gz_file_exists(const char *path);
bool gz_folder_exists(const char *path);

/// Maps a regular file of at least 1 byte read only; *bytes is aligned to a page. Give it back with
/// gz_file_unmap().
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE (empty), _NO_MEMORY; the error names the path
graze_status gz_file_map(const char *path, const unsigned char **bytes, size_t *size,
                         graze_error *error);
void gz_file_unmap(const unsigned char *bytes, size_t size);

// ---------------------------------------------------------------------------------------- memory

/// Asks for all pages of a block that is about to be written whole, in one call: the kernel takes
/// much longer to hand them out one fault at a time. Changes nothing else; NULL is allowed.
void gz_memory_populate(void *memory, size_t count, size_t size);

/// The first place of a text in some bytes; NULL where there is none.
const char *gz_bytes_find(const char *bytes, size_t size, const char *text);

// -------------------------------------------------------------------------------------- programs

/// What an errno says; the text may lie in `buffer`. Safe with other threads about.
const char *gz_errno_text(int number, char *buffer, size_t size);
/// The same of a signal.
const char *gz_signal_text(int number);

/// Starts the program with a socket as its standard input and output, no other descriptor where the
/// system can close them, no environment, every signal at its default, and a process group of its
/// own, so that the terminal's Ctrl-C reaches only the program that asked. What it says on standard
/// error goes nowhere. Safe with other threads about; copies no memory map of the host.
/// @return an errno; 0: *pid runs
int gz_process_start(int32_t *pid, const char *path, int socket);

#endif
