/// One mesh file made, read and thrown away: what the tests of the mesh readers share.
#ifndef TESTS_UNIT_LOAD_MESH_CASE_H
#define TESTS_UNIT_LOAD_MESH_CASE_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "load/mesh/mesh_file.h"

typedef struct mesh_case {
    char folder[64];
    graze_load_options options;
    gz_mesh_budget budget;
    gz_warnings warnings;
    graze_error error;
    gz_soup *soup;
} mesh_case;

static inline graze_load_options mesh_case_options(void) {
    graze_load_options options = {.struct_size = (uint32_t)sizeof options};
    options.limits = (graze_limits){.file_bytes = UINT64_C(256) << 20,
                                    .memory_bytes = UINT64_C(4) << 30,
                                    .depth = 64,
                                    .elements = 100000,
                                    .triangles = 64000000};
    return options;
}

static inline int mesh_case_setup(void **state) {
    mesh_case *m = calloc(1, sizeof *m);
    if (!m) return -1;
    strcpy(m->folder, "/tmp/graze-mesh-XXXXXX");
    if (!mkdtemp(m->folder)) return -1;
    m->options = mesh_case_options();
    m->budget = (gz_mesh_budget){.triangles_left = m->options.limits.triangles};
    *state = m;
    return 0;
}

/// Forgets the last read.
static inline void mesh_case_clear(mesh_case *m) {
    gz_soup_free(m->soup);
    m->soup = NULL;
    gz_warnings_free(&m->warnings);
    m->error = (graze_error){0};
}

static inline int mesh_case_teardown(void **state) {
    mesh_case *m = *state;
    mesh_case_clear(m);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", m->folder);
    int failed = system(command);
    free(m);
    return failed;
}

static inline const char *mesh_case_path(const mesh_case *m, const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", m->folder, name);
    return path;
}

static inline void mesh_case_write(const mesh_case *m, const char *name, const void *bytes,
                                   size_t size) {
    FILE *file = fopen(mesh_case_path(m, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/// Reads a file of the folder within the memory of the options, as a load does.
static inline graze_status mesh_case_read(mesh_case *m, const char *name, const double scale[3]) {
    mesh_case_clear(m);
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, m->options.limits.memory_bytes);
    graze_status status = gz_mesh_file_read(&m->soup, mesh_case_path(m, name), scale, &m->options,
                                            &m->budget, &m->warnings, &m->error);
    gz_memory_budget_close(&memory);
    return status;
}

/// Writes the text as a file and reads it.
static inline graze_status mesh_case_text(mesh_case *m, const char *name, const char *text) {
    mesh_case_write(m, name, text, strlen(text));
    return mesh_case_read(m, name, NULL);
}

static inline void assert_message(const mesh_case *m, const char *piece) {
    if (!strstr(m->error.message, piece))
        fail_msg("message '%s' does not hold '%s'", m->error.message, piece);
}

/// The corners of the triangles, nine numbers each, in order.
static inline void assert_triangles(const mesh_case *m, const double *corners, size_t count,
                                    double within) {
    assert_non_null(m->soup);
    assert_int_equal(m->soup->triangle_count, count);
    for (size_t i = 0; i < 3 * count; i++) {
        uint32_t vertex = m->soup->triangles[i];
        assert_true(vertex < m->soup->vertex_count);
        for (size_t k = 0; k < 3; k++) {
            double found = m->soup->vertices[3 * (size_t)vertex + k], wanted = corners[3 * i + k];
            if (!(found - wanted <= within && wanted - found <= within))
                fail_msg("triangle %zu corner %zu axis %zu: %.17g, not %.17g", i / 3, i % 3, k,
                         found, wanted);
        }
    }
}

static inline bool has_warning(const mesh_case *m, const char *code) {
    for (size_t i = 0; i < m->warnings.count; i++)
        if (strcmp(m->warnings.items[i].code, code) == 0) return true;
    return false;
}

#ifdef GRAZE_FAULTS
/// Makes every allocation of a read fail in turn: each time the read must say so and hand out
/// nothing; leaks are the sanitizer's to find.
static inline void assert_survives_faults(mesh_case *m, const char *name) {
    mesh_case_clear(m);
    gz_memory_fail_after(LONG_MAX, false);
    assert_int_equal(mesh_case_read(m, name, NULL), GRAZE_OK);
    long allocations = gz_memory_allocation_count();
    gz_memory_fail_after(0, false);
    assert_true(allocations > 0);
    for (long n = 1; n <= allocations; n++) {
        mesh_case_clear(m);
        gz_memory_fail_after(n, false);
        graze_status status = gz_mesh_file_read(&m->soup, mesh_case_path(m, name), NULL,
                                                &m->options, &m->budget, &m->warnings, &m->error);
        gz_memory_fail_after(0, false);
        if (status != GRAZE_ERROR_NO_MEMORY)
            fail_msg("allocation %ld of %ld failed, and the status is %d: %s", n, allocations,
                     (int)status, m->error.message);
        assert_null(m->soup);
        assert_int_equal(m->error.status, GRAZE_ERROR_NO_MEMORY);
    }
}
#else
static inline void assert_survives_faults(mesh_case *m, const char *name) {
    (void)m, (void)name;
    skip();
}
#endif

#define MESH_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, mesh_case_setup, mesh_case_teardown)

#endif
