/// Findings of the linter, for people, programs and code hosts.
#ifndef GZ_CLI_LINT_WRITER_H
#define GZ_CLI_LINT_WRITER_H

#include <stdio.h>

#include "cli/lint/lint_internal.h"
#include "graze/lint.h"

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

#endif
