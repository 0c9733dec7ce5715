/// Runs the linter on texts, for the tests of its rules.
#ifndef TESTS_UNIT_LINT_LINT_TEXT_H
#define TESTS_UNIT_LINT_LINT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graze/lint.h"

/// What is said of a URDF with an SRDF (NULL: none); free with graze_lint_report_free().
static inline graze_lint_report *lint_texts(const char *urdf, const char *srdf) {
    char path[] = "/tmp/graze-lint-XXXXXX";
    graze_lint_options options = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    options.load = &load;
    if (srdf) {
        int file = mkstemp(path);
        assert_true(file >= 0);
        assert_int_equal(write(file, srdf, strlen(srdf)), (ssize_t)strlen(srdf));
        close(file);
        load.srdf = path;
    }
    graze_lint_report *report = NULL;
    graze_error error;
    graze_status status = graze_lint_urdf_memory(&report, urdf, strlen(urdf), "test.urdf", NULL,
                                                 &options, &error);
    if (srdf) unlink(path);
    if (status != GRAZE_OK) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return report;
}

/// The first finding of a rule, or NULL; their number through *count, which may be NULL.
static inline const graze_finding *finding_of(const graze_lint_report *report, const char *rule,
                                              size_t *count) {
    const graze_finding *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (strcmp(f->rule->id, rule) != 0) continue;
        if (!first) first = f;
        n++;
    }
    if (count) *count = n;
    return first;
}

/// How many findings a rule has in these texts, and the line of the first (0: none).
static inline size_t count_in(const char *urdf, const char *srdf, const char *rule, int *line) {
    size_t count;
    graze_lint_report *report = lint_texts(urdf, srdf);
    const graze_finding *first = finding_of(report, rule, &count);
    if (line) *line = first ? first->line : 0;
    graze_lint_report_free(report);
    return count;
}

#endif
