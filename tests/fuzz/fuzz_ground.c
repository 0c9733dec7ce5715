/// The ground that fuzz targets stand on: scratch folder, guard, bytes as numbers.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

void fuzz_check(bool fine, const char *what, const char *file, int line) {
    if (fine) return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

// -------------------------------------------------------------------------------- scratch folder

static char scratch[64];
static bool guarded;

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)type, (void)where;
    return remove(path);
}

static void remove_scratch(void) {
    guarded = false;
    nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void write_text(const char *name, const char *text) {
    fuzz_file(name, (const uint8_t *)text, strlen(text));
}

/// A cube of 0.1 m as ASCII STL, from its corners' bits.
static void write_cube(const char *name) {
    static const char faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    char text[8192] = "solid cube\n";
    size_t n = strlen(text);
    for (int i = 0; i < 12; i++) {
        const char *face = faces[i / 2];
        const int corners[3] = {face[0], face[1 + i % 2], face[2 + i % 2]};
        n += (size_t)snprintf(text + n, sizeof text - n, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "vertex %g %g %g\n",
                                  0.1 * (corners[k] & 1), 0.1 * (corners[k] >> 1 & 1),
                                  0.1 * (corners[k] >> 2));
        n += (size_t)snprintf(text + n, sizeof text - n, "endloop\nendfacet\n");
    }
    snprintf(text + n, sizeof text - n, "endsolid cube\n");
    write_text(name, text);
}

const char *fuzz_scratch(void) {
    if (scratch[0]) return scratch;
    strcpy(scratch, "/tmp/graze-fuzz-XXXXXX");
    if (!mkdtemp(scratch)) abort();
    atexit(remove_scratch);
    char folder[128];
    snprintf(folder, sizeof folder, "%s/box", scratch);
    if (mkdir(folder, 0700) != 0) abort();
    write_cube("cube.stl");
    write_cube("box/cube.stl");
    write_text("box/package.xml", "<package><name>box</name></package>");
    write_text("wedge.obj", "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 2 3\nf 1 4 2\nf 2 4 3\n");
    write_text("buffer.bin", "0123456789abcdef0123456789abcdef0123");
    return scratch;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", fuzz_scratch(), name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    return path;
}

// ----------------------------------------------------------------------------------------- guard

void fuzz_guard_begin(void) {
    fuzz_scratch();
    guarded = true;
}

void fuzz_guard_end(void) {
    guarded = false;
}

/// Whether a path leads elsewhere: not into the scratch folder, or back out of it.
static bool is_outside(const char *path) {
    if (!guarded) return false;
    size_t n = strlen(scratch);
    if (strncmp(path, scratch, n) != 0 || (path[n] && path[n] != '/')) return true;
    return strstr(path, "/../") ||
           (strlen(path) >= 3 && strcmp(path + strlen(path) - 3, "/..") == 0);
}

// The linker turns every call of open() and its like in this program into these (--wrap).
int __wrap_open(const char *path, int flags, ...);
int __wrap_stat(const char *path, struct stat *about);
DIR *__wrap_opendir(const char *path);
char *__wrap_realpath(const char *path, char *resolved);
int __real_open(const char *path, int flags, ...);
int __real_stat(const char *path, struct stat *about);
DIR *__real_opendir(const char *path);
char *__real_realpath(const char *path, char *resolved);

static bool refuse(const char *path) {
    bool outside = is_outside(path);
    if (outside) errno = ENOENT;
    return outside;
}

int __wrap_open(const char *path, int flags, ...) {
    // Nothing here creates a file through open(), so there is no mode to pass on.
    return refuse(path) ? -1 : __real_open(path, flags, 0600);
}

int __wrap_stat(const char *path, struct stat *about) {
    return refuse(path) ? -1 : __real_stat(path, about);
}

DIR *__wrap_opendir(const char *path) {
    return refuse(path) ? NULL : __real_opendir(path);
}

char *__wrap_realpath(const char *path, char *resolved) {
    return refuse(path) ? NULL : __real_realpath(path, resolved);
}

// ------------------------------------------------------------------------------------- contained

void fuzz_report_contained(const char *message, const char *data, size_t size) {
    static char known[16][80];
    if (strncmp(message, "the importer", 12) != 0 && strncmp(message, "the import took", 15) != 0)
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(known[i], message, sizeof known[i] - 1) == 0) return;
        if (known[i][0]) continue;
        snprintf(known[i], sizeof known[i], "%s", message);
        break;
    }
    fprintf(stderr, "contained: %s\n", message);
    const char *folder = getenv("GRAZE_FUZZ_CONTAINED");
    if (!folder) return;
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i]) * 16777619;
    char path[512];
    snprintf(path, sizeof path, "%s/%08x", folder, hash);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fwrite(data, 1, size, file);
    fclose(file);
}

// ----------------------------------------------------------------------------------------- bytes

graze_load_options fuzz_options(void) {
    graze_load_options options = graze_load_options_default();
    options.use_environment = 0;
    options.limits = (graze_limits){.file_bytes = 1 << 20,
                                    .memory_bytes = 64 << 20,
                                    .depth = 24,
                                    .elements = 300,
                                    .triangles = 5000};
    return options;
}

uint32_t fuzz_byte(fuzz_bytes *bytes) {
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

uint32_t fuzz_choice(fuzz_bytes *bytes, uint32_t count) {
    uint32_t value = fuzz_byte(bytes);
    if (count > 256) value |= fuzz_byte(bytes) << 8;
    return value % count;
}

double fuzz_number(fuzz_bytes *bytes) {
    static const double extremes[] = {0,        -0.0,    1,      -1,       1e-9, 1048576,
                                      -1048577, 1e300,   5e-324, INFINITY, NAN,  1e-160,
                                      0.1,      1048575, 1e-30,  3.14159};
    uint32_t kind = fuzz_byte(bytes);
    if (kind < 160) return ((double)fuzz_byte(bytes) - 128) / 64;
    if (kind < 224) return extremes[kind % (sizeof extremes / sizeof *extremes)];
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits = bits << 8 | fuzz_byte(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
