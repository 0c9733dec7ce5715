/// Mends what the linter can mend with certainty: graze lint --fix and --diff.
#ifndef GZ_CLI_LINT_FIX_H
#define GZ_CLI_LINT_FIX_H

#include <stdio.h>

#include "graze/lint.h"

/// One replacement of bytes in a file.
typedef struct gz_text_edit {
    size_t offset, was_size, text_size;
    const char *was, *text; ///< of the report
} gz_text_edit;

/// A file before and after. Every byte outside the edits is the same.
typedef struct gz_mended_file {
    const char *path; ///< of the report
    char *before, *after;
    size_t before_size, after_size;
    gz_text_edit *edits; ///< by offset, none overlapping
    size_t edit_count, edit_capacity;
} gz_mended_file;

typedef struct gz_mended_files {
    gz_mended_file *items; ///< by path
    size_t count, capacity;
    size_t edits; ///< of all
} gz_mended_files;

/// Reads the files of findings that have a mend and are not suppressed, and mends them in memory.
/// Prints what is wrong and returns an exit status; free in any case.
int gz_lint_fix_prepare(gz_mended_files *files, const graze_lint_report *report, uint64_t limit);
/// Says what changes, as a unified diff with three lines of context.
void gz_lint_fix_diff(FILE *stream, const gz_mended_files *files);
/// Puts each file in its place, written aside and renamed; through a symbolic link, the file that
/// it leads to. Returns an exit status.
int gz_lint_fix_write(const gz_mended_files *files);
void gz_lint_fix_free(gz_mended_files *files);

#endif
