/// What the rules found.
#ifndef GZ_LINT_LINT_REPORT_H
#define GZ_LINT_LINT_REPORT_H

#include "lint/lint.h"

struct graze_lint_report {
    graze_finding *items; ///< strings owned
    size_t count, capacity;
};

/// The severity of a rule in this run; OFF where its tier or itself is off.
graze_severity gz_lint_severity(const graze_lint_options *options, const graze_lint_rule *rule);
/// Marks what the suppressions of the options cover; false when out of memory.
bool gz_lint_report_suppress(graze_lint_report *report, const graze_lint_options *options);
/// Sorts by file, line, column, rule, message.
void gz_lint_report_sort(graze_lint_report *report);

#endif
