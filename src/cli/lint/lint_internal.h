/// What the files of graze lint share: known findings that are accepted (--suppressions), writers
/// of findings, and replacements in files (--fix and --diff).
#ifndef GZ_CLI_LINT_LINT_INTERNAL_H
#define GZ_CLI_LINT_LINT_INTERNAL_H

#include <stdio.h>

#include "graze/lint.h"

// ------------------------------------------------------------------------------ suppressions

typedef struct gz_lint_suppressions {
    const char *file;
    char *text;                    ///< the file; the strings below lie in it
    graze_lint_suppression *items; ///< for the options of the linter
    struct {
        const char *reason; ///< what stands behind '#'; "" if nothing
        int line;
    } * notes; ///< per item
    size_t count;
} gz_lint_suppressions;

/// Reads a file of lines RULE [link=NAME|joint=NAME] [# reason]; blank lines and comments are
/// passed over, names with blanks stand in double quotes. Prints what is wrong, with its line, and
/// returns an exit status. Free in any case.
int gz_lint_suppressions_read(gz_lint_suppressions *list, const char *path, uint64_t limit);
void gz_lint_suppressions_free(gz_lint_suppressions *list);

/// How many entries no finding of the report needs, of rules that were run; each is told on stderr
/// unless `quiet`.
size_t gz_lint_suppressions_unused(const gz_lint_suppressions *list,
                                   const graze_lint_report *report,
                                   const graze_lint_options *options, bool quiet);

// ----------------------------------------------------------------------------------- writers

/// "off", "info", "warning", "error".
const char *gz_severity_name(graze_severity severity);
/// "schema", "topology" ...
const char *gz_tier_name(graze_tier tier);

/// One line a finding with its advice below, and a summary unless `quiet`.
void gz_lint_text(FILE *stream, const graze_lint_report *report, bool quiet);
/// One object with everything. `known`: the suppressions of the run.
void gz_lint_json(FILE *stream, const graze_lint_report *report, const gz_lint_suppressions *known);
/// SARIF 2.1.0 (OASIS), one run.
void gz_lint_sarif(FILE *stream, const graze_lint_report *report,
                   const gz_lint_suppressions *known);
/// JUnit's XML: a test case for each rule, with its findings as failures.
void gz_lint_junit(FILE *stream, const graze_lint_report *report);

void gz_lint_list_rules(FILE *stream);
void gz_lint_explain_rule(FILE *stream, const graze_lint_rule *rule);

// ------------------------------------------------------------------------------------- fixes

/// A file before and after. Every byte outside the edits is the same.
typedef struct gz_fixed_file {
    const char *path; ///< of the report
    char *before, *after;
    size_t before_size, after_size;
    const graze_lint_fix **edits; ///< of the report, by offset, none overlapping
    size_t edit_count, edit_capacity;
} gz_fixed_file;

typedef struct gz_fixed_files {
    gz_fixed_file *items; ///< by path
    size_t count, capacity;
    size_t edits; ///< of all
} gz_fixed_files;

/// Reads the files of findings that have a fix and are not suppressed, and fixes them in memory.
/// Prints what is wrong and returns an exit status; free in any case.
int gz_lint_fix_prepare(gz_fixed_files *files, const graze_lint_report *report, uint64_t limit);
/// Prints what changes, as a unified diff with three lines of context.
void gz_lint_fix_diff(FILE *stream, const gz_fixed_files *files);
/// Puts each file in its place, written aside and renamed; through a symbolic link, the file that
/// it leads to. Returns an exit status.
int gz_lint_fix_write(const gz_fixed_files *files);
void gz_lint_fix_free(gz_fixed_files *files);

#endif
