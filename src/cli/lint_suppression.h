/// Files of findings that are known and accepted: graze lint --suppressions.
#ifndef GZ_CLI_LINT_SUPPRESSION_H
#define GZ_CLI_LINT_SUPPRESSION_H

#include "graze/lint.h"

typedef struct gz_lint_suppressions {
    const char *file;
    char *text;                    ///< the file; the strings below lie in it
    graze_lint_suppression *items; ///< for the options of the linter
    const char **reasons;          ///< per item: what stands behind '#'; "" if nothing
    int *lines;                    ///< per item
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

#endif
