// The matrix as its users see it.
#include <math.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "matrix/matrix_case.h"

struct graze_matrix {
    const graze_robot *robot;
    graze_matrix_options options;
    graze_matrix_entry *entries;
    size_t count;
};

const char *graze_matrix_kind_name(graze_matrix_kind kind) {
    static const char *const names[GRAZE_MATRIX_KIND_COUNT] = {
        "adjacent", "always", "never-proved", "never-sampled", "default", "sometimes", "unbounded"};
    return (int)kind >= 0 && kind < GRAZE_MATRIX_KIND_COUNT ? names[kind] : "unknown";
}

const char *graze_matrix_kind_reason(graze_matrix_kind kind) {
    static const char *const reasons[GRAZE_MATRIX_KIND_COUNT] = {"Adjacent", "Always", "Never",
                                                                 "Never"};
    return (int)kind >= 0 && kind < GRAZE_MATRIX_KIND_COUNT ? reasons[kind] : NULL;
}

graze_matrix_options graze_matrix_options_default(void) {
    return (graze_matrix_options){.struct_size = sizeof(graze_matrix_options),
                                  .threads = 1,
                                  .samples = 10000,
                                  .seed = 1,
                                  .search = 600,
                                  .budget = 100000};
}

static graze_status check_options(const graze_matrix_options *o, graze_error *error) {
    if (o->struct_size != sizeof *o)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "options are not initialised; use graze_matrix_options_default()");
    if (o->samples < 1 || o->samples > 1000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "samples is %llu; allowed: 1 to 1000000000",
                       (unsigned long long)o->samples);
    if (o->search > 1000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "search is %llu; allowed: at most 1000000000",
                       (unsigned long long)o->search);
    if (o->budget > 1000000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "budget is %llu; allowed: at most 1000000000000",
                       (unsigned long long)o->budget);
    if (o->threads > 1024)
        return gz_fail(error, GRAZE_ERROR_RANGE, "threads is %u; allowed: at most 1024",
                       (unsigned)o->threads);
    return GRAZE_OK;
}

/// The robot's pairs in their order.
static bool list_entries(graze_matrix *m) {
    m->count = m->robot->pair_count;
    m->entries = gz_calloc(m->count, sizeof *m->entries);
    if (!m->entries) return false;
    for (size_t i = 0; i < m->count; i++) {
        const gz_pair *pair = &m->robot->pairs[i];
        m->entries[i] = (graze_matrix_entry){.a = pair->a,
                                             .b = pair->b,
                                             .adjacent = pair->state == GRAZE_PAIR_ADJACENT,
                                             .distance = NAN};
    }
    return true;
}

graze_status graze_matrix_compute(graze_matrix **out, const graze_robot *robot,
                                  const graze_matrix_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_matrix_options defaults = graze_matrix_options_default();
    if (!options) options = &defaults;
    graze_status status = check_options(options, error);
    if (status) return status;
    graze_matrix *m = gz_calloc(1, sizeof *m);
    if (!m) return gz_fail_memory(error);
    m->robot = robot;
    m->options = *options;
    status = list_entries(m) ? gz_matrix_run(robot, m->entries, m->count, options, error)
                             : gz_fail_memory(error);
    if (status) {
        graze_matrix_free(m);
        return status;
    }
    *out = m;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_matrix_free(graze_matrix *m) {
    if (!m) return;
    for (size_t i = 0; m->entries && i < m->count; i++) {
        gz_free((void *)(uintptr_t)m->entries[i].nearest);
        gz_free((void *)(uintptr_t)m->entries[i].witness);
        gz_free((void *)(uintptr_t)m->entries[i].apart);
    }
    gz_free(m->entries);
    gz_free(m);
}

const graze_robot *graze_matrix_robot(const graze_matrix *m) {
    return m ? m->robot : NULL;
}

graze_matrix_options graze_matrix_settings(const graze_matrix *m) {
    return m ? m->options : graze_matrix_options_default();
}

size_t graze_matrix_count(const graze_matrix *m) {
    return m ? m->count : 0;
}

const graze_matrix_entry *graze_matrix_at(const graze_matrix *m, size_t index) {
    return m && index < m->count ? &m->entries[index] : NULL;
}

const graze_matrix_entry *graze_matrix_find(const graze_matrix *m, int32_t a, int32_t b) {
    if (!m) return NULL;
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t begin = 0, end = m->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        const graze_matrix_entry *e = &m->entries[middle];
        if (e->a == low && e->b == high) return e;
        if (e->a < low || (e->a == low && e->b < high))
            begin = middle + 1;
        else
            end = middle;
    }
    return NULL;
}
