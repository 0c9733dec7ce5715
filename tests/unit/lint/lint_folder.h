/// A folder of files that a test makes, lints and removes.
#ifndef GZ_TESTS_LINT_FOLDER_H
#define GZ_TESTS_LINT_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graze/lint.h"

typedef struct lint_folder {
    char path[64];
} lint_folder;

static inline lint_folder lint_folder_make(void) {
    lint_folder f = {"/tmp/graze-lint-XXXXXX"};
    if (!mkdtemp(f.path)) abort();
    return f;
}

/// The path of a name in the folder; a static buffer.
static inline const char *lint_folder_path(const lint_folder *f, const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return path;
}

static inline void lint_folder_write(const lint_folder *f, const char *name, const void *bytes,
                                     size_t size) {
    FILE *file = fopen(lint_folder_path(f, name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static inline void lint_folder_text(const lint_folder *f, const char *name, const char *text) {
    lint_folder_write(f, name, text, strlen(text));
}

/// Removes it with its files and their folders' files, one level deep.
static inline void lint_folder_remove(const char *path, int depth) {
    DIR *stream = opendir(path);
    for (struct dirent *e; stream && (e = readdir(stream));) {
        char full[512];
        if (e->d_name[0] == '.') continue;
        snprintf(full, sizeof full, "%s/%s", path, e->d_name);
        if (unlink(full) != 0 && depth > 0) lint_folder_remove(full, depth - 1);
    }
    if (stream) closedir(stream);
    rmdir(path);
}

/// A closed mesh as OBJ, 1 m long.
#define LINT_TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

/// Lints robot.urdf of the folder, with its SRDF where `srdf`; NULL when that fails.
static inline graze_lint_report *lint_folder_run(const lint_folder *f, bool srdf,
                                                 graze_lint_options *options) {
    char urdf[256], second[256];
    graze_lint_options defaults = graze_lint_options_default();
    graze_lint_report *report = NULL;
    snprintf(urdf, sizeof urdf, "%s/robot.urdf", f->path);
    snprintf(second, sizeof second, "%s/robot.srdf", f->path);
    if (!options) options = &defaults;
    graze_load_options load = graze_load_options_default();
    load.srdf = second;
    if (srdf) options->load = &load;
    graze_lint_urdf(&report, urdf, options, NULL);
    if (srdf) options->load = NULL;
    return report;
}

/// The finding of that rule and number, from 0; NULL where there are not so many.
static inline const graze_finding *lint_find(const graze_lint_report *report, const char *rule,
                                             size_t number) {
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (strcmp(f->rule->id, rule) == 0 && number-- == 0) return f;
    }
    return NULL;
}

/// The finding of that rule about that link; NULL for none.
static inline const graze_finding *lint_find_link(const graze_lint_report *report, const char *rule,
                                                  const char *link) {
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_finding *f = graze_lint_finding(report, i);
        if (strcmp(f->rule->id, rule) == 0 && strcmp(f->link, link) == 0) return f;
    }
    return NULL;
}

/// Lints Fetch of the test data; NULL where there are none.
static inline graze_lint_report *lint_fetch(void) {
    const char *data = getenv("GRAZE_TEST_DATA");
    char urdf[512], srdf[512];
    graze_lint_report *report = NULL;
    if (!data) return NULL;
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf", data);
    snprintf(srdf, sizeof srdf, "%s/robots/fetch_moveit_config/config/fetch.srdf", data);
    graze_lint_options options = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    options.load = &load;
    graze_lint_urdf(&report, urdf, &options, NULL);
    return report;
}

#endif
