/// A description from bytes through the linter: URDF and, behind the first zero byte, SRDF. Nothing
/// that the loader refuses as invalid passes; fixes replace what stands there and do not overlap,
/// keep what loads, and leave nothing to fix.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "graze/lint.h"

typedef struct text {
    char *bytes;
    size_t size;
} text;

typedef struct description {
    text urdf, srdf;
    const char *srdf_path; ///< NULL: none
} description;

static text copy(const uint8_t *bytes, size_t size) {
    text out = {malloc(size + 1), size};
    if (!out.bytes) abort();
    if (size) memcpy(out.bytes, bytes, size);
    out.bytes[size] = '\0';
    return out;
}

static description take(const uint8_t *data, size_t size) {
    const uint8_t *mark = size ? memchr(data, 0, size) : NULL;
    description d = {.urdf = copy(data, mark ? (size_t)(mark - data) : size)};
    if (mark) {
        d.srdf = copy(mark + 1, size - d.urdf.size - 1);
        d.srdf_path = fuzz_file("fuzz.srdf", mark + 1, d.srdf.size);
    }
    return d;
}

static void release(description *d) {
    free(d->urdf.bytes);
    free(d->srdf.bytes);
}

static graze_status load(const description *d) {
    graze_load_options options = fuzz_options();
    options.srdf = d->srdf_path;
    graze_robot *robot;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(
        &robot, d->urdf.bytes, d->urdf.size, "fuzz.urdf", fuzz_scratch(), &options, &error);
    graze_robot_free(robot);
    return status;
}

static graze_lint_report *lint(const description *d) {
    graze_lint_options options = graze_lint_options_default();
    graze_load_options load = fuzz_options();
    load.srdf = d->srdf_path;
    options.load = &load;
    options.audit = 1;
    options.audit_samples = 2;
    options.pair_samples = 4;
    graze_lint_report *report;
    graze_error error;
    graze_status status = graze_lint_urdf_memory(&report, d->urdf.bytes, d->urdf.size, "fuzz.urdf",
                                                 fuzz_scratch(), &options, &error);
    if (status) fuzz_exercise_error(status, &error);
    FUZZ_CHECK(!report == (status != GRAZE_OK));
    return report;
}

static void check_finding(const graze_finding *f) {
    FUZZ_CHECK(f->rule && graze_lint_rule_find(f->rule->id) == f->rule);
    FUZZ_CHECK(f->severity >= GRAZE_SEVERITY_INFO && f->severity <= GRAZE_SEVERITY_ERROR);
    FUZZ_CHECK(f->message[0] != '\0' && f->file && f->line >= 0 && f->column >= 0);
    FUZZ_CHECK(f->element && f->link && f->joint);
    FUZZ_CHECK(!f->has_value || f->unit);
}

static int compare_fixes(const void *x, const void *y) {
    const graze_lint_fix *const *a = x, *const *b = y;
    return ((*a)->offset > (*b)->offset) - ((*a)->offset < (*b)->offset);
}

/// The fixes of one file, in their order; how many. The caller frees them.
static size_t list_fixes(const graze_lint_report *report, const char *file,
                         const graze_lint_fix ***out) {
    size_t all = graze_lint_finding_count(report), count = 0;
    *out = malloc((all + 1) * sizeof **out);
    if (!*out) abort();
    for (size_t i = 0; i < all; i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (!f->suppressed && f->fix.text && strcmp(f->file, file) == 0) (*out)[count++] = &f->fix;
    }
    qsort((void *)*out, count, sizeof **out, compare_fixes);
    return count;
}

/// A file with all of its fixes, and how many those are.
static text apply_fixes(const text *from, const char *file, const graze_lint_report *report,
                        size_t *applied) {
    const graze_lint_fix **fixes;
    size_t count = list_fixes(report, file, &fixes), size = from->size, at = 0;
    for (size_t i = 0; i < count; i++) size += strlen(fixes[i]->text);
    text out = {malloc(size + 1), 0};
    if (!out.bytes) abort();
    for (size_t i = 0; i < count; i++) {
        size_t offset = (size_t)fixes[i]->offset, was = strlen(fixes[i]->was);
        size_t now = strlen(fixes[i]->text);
        FUZZ_CHECK(offset >= at && offset <= from->size && was <= from->size - offset);
        FUZZ_CHECK(memcmp(from->bytes + offset, fixes[i]->was, was) == 0);
        memcpy(out.bytes + out.size, from->bytes + at, offset - at);
        out.size += offset - at;
        memcpy(out.bytes + out.size, fixes[i]->text, now);
        out.size += now;
        at = offset + was;
    }
    if (from->size > at) memcpy(out.bytes + out.size, from->bytes + at, from->size - at);
    out.size += from->size - at;
    out.bytes[out.size] = '\0';
    free((void *)fixes);
    *applied += count;
    return out;
}

/// The description with its fixes; how many those are through *count.
static description fix_all(const description *d, const graze_lint_report *report, size_t *count) {
    description now = {.srdf_path = d->srdf_path};
    *count = 0;
    now.urdf = apply_fixes(&d->urdf, "fuzz.urdf", report, count);
    if (d->srdf_path) now.srdf = apply_fixes(&d->srdf, d->srdf_path, report, count);
    return now;
}

static void check_fixes(const description *d, const graze_lint_report *report,
                        graze_status loaded) {
    size_t count, again;
    description now = fix_all(d, report, &count);
    if (count > 0) {
        if (now.srdf_path)
            now.srdf_path = fuzz_file("fuzz.srdf", (const uint8_t *)now.srdf.bytes, now.srdf.size);
        FUZZ_CHECK(load(&now) == loaded);
        graze_lint_report *second = lint(&now);
        if (second) {
            description last = fix_all(&now, second, &again);
            FUZZ_CHECK(again == 0);
            release(&last);
        }
        graze_lint_report_free(second);
    }
    release(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    description d = take(data, size);
    fuzz_guard_begin();
    graze_lint_report *report = lint(&d);
    if (report) {
        for (size_t i = 0; i < graze_lint_finding_count(report); i++)
            check_finding(graze_lint_finding(report, i));
        graze_status loaded = load(&d);
        // A limit that was met says nothing about what is in the file.
        bool invalid = loaded != GRAZE_OK && loaded != GRAZE_ERROR_LIMIT;
        FUZZ_CHECK(!invalid || graze_lint_count(report, GRAZE_SEVERITY_ERROR) > 0);
        check_fixes(&d, report, loaded);
    }
    graze_lint_report_free(report);
    fuzz_guard_end();
    release(&d);
    return 0;
}
