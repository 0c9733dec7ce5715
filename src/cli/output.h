/// Where data goes: standard output, or a file that appears only when it is complete.
#ifndef GZ_CLI_OUTPUT_H
#define GZ_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/interrupt.h"

typedef struct gz_output {
    FILE *stream;
    int status;       ///< of gz_output_open()
    const char *path; ///< as given; NULL for standard output
    int error;        ///< errno of a write that failed before gz_output_finish(), where known
    char *place;      ///< the name in `folder` that the file gets in the end; NULL when direct
    int folder;       ///< a descriptor, where `place` is not NULL
    int held;         ///< a descriptor that keeps the file locked, or -1
    int noted;        ///< of gz_unfinished_add()
    char aside[GZ_UNFINISHED_SIZE]; ///< the name in `folder` until the file is complete, or ""
} gz_output;

/// Opens a file, or standard output for NULL, "-" and another name of it. A regular file is written
/// beside its place and renamed in the end; a device or pipe is written directly. What killed runs
/// have left unfinished in that folder is removed. Returns an exit status (0: open), the message
/// already printed; gz_output_finish() returns it again.
int gz_output_open(gz_output *output, const char *path);

/// Whether a write has failed (a full disk): long work can end early.
bool gz_output_failed(const gz_output *output);

/// Writes what is buffered, closes, and puts the file in its place. Returns an exit status; on
/// failure a file that was there before is untouched.
int gz_output_finish(gz_output *output);

/// Closes and removes what was written; nothing after gz_output_finish().
void gz_output_abandon(gz_output *output);

/// Writes an answer to a stream. Returns an exit status, the message printed.
typedef int gz_output_writer(FILE *stream, const void *answer);

/// Opens, writes and finishes; the file stays as it was where the writer fails. Returns an exit
/// status.
int gz_output_write(const char *path, gz_output_writer *write, const void *answer);

/// Opens, writes all of data, and finishes.
int gz_output_write_file(const char *path, const void *data, size_t size);

/// Whether an output would take the place of a file, however both are spelt. Standard output ("-"),
/// devices and pipes take what comes.
bool gz_output_replaces(const char *output, const char *file);

/// Whether an output would take the place of the file that standard input is redirected from.
bool gz_output_replaces_stdin(const char *output);

/// The path that two of several outputs have, or NULL: the last would take the place of the others,
/// or follow them on standard output.
const char *gz_output_shared(const char *const *paths, size_t count);

/// Writes the header of an NPY file, format 1.0, padded so that the numbers start at a multiple of
/// 64 bytes: descr is "|u1" or "<f8"; of `count` rows, or with 0 columns of `count` numbers.
void gz_npy_header_write(FILE *stream, const char *descr, size_t count, size_t columns);

/// Writes numbers of `size` bytes each, the lowest byte first, as the header says.
void gz_npy_items_write(FILE *stream, const void *items, size_t size, size_t count);

/// Opens standard streams that are closed, so that nothing can be read or written there: else the
/// next file that is opened gets the number of one, and what was meant for stdout or stderr ends up
/// in it. For the begin of main(); false where that cannot be.
bool gz_output_hold_standard(void);

/// Flushes standard output and says whether everything arrived; for the end of main().
int gz_output_close_stdout(void);

/// Whether colours are wanted: the stream is a terminal, NO_COLOR is unset or empty, and TERM is
/// not "dumb".
bool gz_output_colors(FILE *stream);

/// Whether a text means itself to a shell, without quotes.
bool gz_shell_bare(const char *text);
/// A text for between single quotes of a shell command, as gz_plain() has it: what is copied into a
/// shell runs nothing that a name holds.
void gz_shell_inside(FILE *stream, const char *text);

/// A CSV field, quoted where it must be (RFC 4180).
void gz_csv_field(FILE *stream, const char *text);

#endif
