#include "cli/input/auto_srdf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

// ------------------------------------------------------------------------------------ the matrix

static void show_progress(uint64_t done, uint64_t total, void *user) {
    double fraction = total > 0 ? (double)done / (double)total : 1;
    gz_progress_update(user, done, fraction < 1 ? fraction : 1, NULL);
}

int gz_matrix_input_compute(const gz_robot_input *input, const graze_robot *robot,
                            graze_matrix_options options, graze_matrix **matrix) {
    gz_progress progress = gz_progress_start(input->quiet);
    options.cancel = gz_interrupt_flag();
    options.progress = show_progress;
    options.user = &progress;
    gz_interrupt_catch();
    graze_error error;
    graze_status status = graze_matrix_compute(matrix, robot, &options, &error);
    gz_progress_clear(&progress);
    if (status == GRAZE_ERROR_CANCELLED && gz_interrupted()) return gz_interrupt_exit();
    return gz_message_outcome(input->command, status, &error);
}

static graze_matrix_options auto_options(void) {
    graze_matrix_options options = graze_matrix_options_default();
    options.quick = GRAZE_MATRIX_QUICK;
    options.threads = 0; // one per processor; the matrix is the same
    return options;
}

// ------------------------------------------------------------------------------------- the cache

/// Makes a folder and those above it; false where that cannot be.
static bool make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        if (slash == NULL) return made;
        *slash = '/';
    }
}

/// Where matrices are kept: $XDG_CACHE_HOME/graze or $HOME/.cache/graze, which must be absolute;
/// false where there is none that can be written.
static bool find_folder(char *folder, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(folder, size, "%s/graze", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(folder, size, "%s/.cache/graze", home);
    return length > 0 && (size_t)length < size && make_folders(folder) && access(folder, W_OK) == 0;
}

/// Names all that a matrix depends on: the robot with its meshes, as compiled, and how it is made.
static int name_robot(const gz_robot_input *input, const graze_robot *robot,
                      char name[GZ_SHA256_TEXT]) {
    unsigned char *bytes;
    size_t size;
    graze_error error;
    graze_status status = graze_compile(&bytes, &size, robot, NULL, NULL, &error);
    if (status != GRAZE_OK) return gz_message_outcome(input->command, status, &error);
    graze_matrix_options options = auto_options();
    char how[128];
    snprintf(how, sizeof how,
             "graze %s, quick %" PRIu64 ", samples %" PRIu64 ", seed %" PRIu64 "\n",
             graze_version(), options.quick, options.samples, options.seed);
    gz_sha256 hash = gz_sha256_begin();
    gz_sha256_add(&hash, how, strlen(how));
    gz_sha256_add(&hash, bytes, size);
    gz_sha256_finish(&hash, name);
    graze_compiled_free(bytes);
    return GZ_EXIT_FINE;
}

static const char seal_start[] = "<!-- sha256 ";

/// The last line of a kept file: the digest of what is above.
static void make_seal(char *line, size_t size, const char *text, size_t text_size) {
    gz_sha256 hash = gz_sha256_begin();
    char digest[GZ_SHA256_TEXT];
    gz_sha256_add(&hash, text, text_size);
    gz_sha256_finish(&hash, digest);
    snprintf(line, size, "%s%s -->\n", seal_start, digest);
}

/// Whether a kept file is there and is what was written.
static bool is_kept(const gz_robot_input *input, const char *path) {
    char *text = NULL, seal[GZ_SHA256_TEXT + 32];
    size_t size = 0;
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || access(path, R_OK) != 0) return false;
    if (gz_text_input_read(path, input->limits.file_bytes, &text, &size) != GZ_EXIT_FINE)
        return false;
    make_seal(seal, sizeof seal, "", 0);
    size_t last = strlen(seal);
    bool kept = size > last;
    if (kept) make_seal(seal, sizeof seal, text, size - last);
    kept = kept && memcmp(text + size - last, seal, last) == 0;
    gz_free(text);
    return kept;
}

// --------------------------------------------------------------------------------------- the file

static void print_counts(const graze_matrix *matrix) {
    size_t counts[GRAZE_MATRIX_KIND_COUNT] = {0}, out = 0;
    for (size_t i = 0; i < graze_matrix_count(matrix); i++) {
        graze_matrix_kind kind = graze_matrix_at(matrix, i)->kind;
        counts[kind]++;
        out += graze_matrix_kind_reason(kind) != NULL;
    }
    fprintf(stderr, "srdf auto: %zu of %zu pairs are not checked", out, graze_matrix_count(matrix));
    const char *separator = ":";
    for (int k = 0; k < GRAZE_MATRIX_KIND_COUNT; k++) {
        if (counts[k] == 0 || graze_matrix_kind_reason((graze_matrix_kind)k) == NULL) continue;
        fprintf(stderr, "%s %zu %s", separator, counts[k],
                graze_matrix_kind_name((graze_matrix_kind)k));
        separator = ",";
    }
}

/// Without a cache: a file without a name, until this process ends.
static char *write_unnamed(gz_robot_input *input, const char *text, size_t size) {
    FILE *file = tmpfile();
    if (file == NULL) return NULL;
    char name[32];
    int length = snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    if (fwrite(text, 1, size, file) != size || fflush(file) != 0) return NULL;
    rewind(file);
    return gz_robot_input_keep_text(input, name, (size_t)length);
}

/// Computes the matrix and writes it to *path, which becomes another where that cannot be.
static int make_file(gz_robot_input *input, const graze_robot *robot, const char **path) {
    double started = gz_clock();
    graze_matrix *matrix = NULL;
    char *srdf = NULL, seal[GZ_SHA256_TEXT + 32];
    size_t size = 0;
    graze_error error;
    GZ_TRY_EXIT(gz_matrix_input_compute(input, robot, auto_options(), &matrix));
    graze_status status = graze_matrix_write_srdf(&srdf, &size, matrix, NULL, 0, NULL, NULL,
                                                  &error);
    if (status == GRAZE_OK) {
        make_seal(seal, sizeof seal, srdf, size);
        gz_output output;
        bool kept = *path != NULL && gz_output_open(&output, *path) == GZ_EXIT_FINE;
        if (kept) {
            fwrite(srdf, 1, size, output.stream);
            fputs(seal, output.stream);
            kept = gz_output_finish(&output) == GZ_EXIT_FINE;
        }
        if (!kept) *path = write_unnamed(input, srdf, size);
        if (!input->quiet) print_counts(matrix);
        if (!input->quiet)
            fprintf(stderr, "; %.1f s, %s\n", gz_clock() - started,
                    kept ? GZ_PLAIN(*path) : "kept nowhere: no cache folder can be written");
    }
    graze_matrix_text_free(srdf);
    graze_matrix_free(matrix);
    if (status != GRAZE_OK) return gz_message_outcome(input->command, status, &error);
    return *path != NULL ? GZ_EXIT_FINE : gz_message_no_memory();
}

bool gz_auto_srdf_wanted(const gz_robot_input *input) {
    return input->srdf != NULL && strcmp(input->srdf, "auto") == 0;
}

int gz_auto_srdf_find(gz_robot_input *input, const graze_robot *robot, const char **path) {
    char folder[GRAZE_PATH_SIZE - GZ_SHA256_TEXT - 8], name[GZ_SHA256_TEXT];
    *path = NULL;
    if (find_folder(folder, sizeof folder)) {
        char file[GRAZE_PATH_SIZE];
        GZ_TRY_EXIT(name_robot(input, robot, name));
        int length = snprintf(file, sizeof file, "%s/%s.srdf", folder, name);
        *path = gz_robot_input_keep_text(input, file, (size_t)length);
        if (*path == NULL) return gz_message_no_memory();
        if (is_kept(input, *path)) {
            if (!input->quiet) fprintf(stderr, "srdf auto: from %s\n", GZ_PLAIN(*path));
            return GZ_EXIT_FINE;
        }
    }
    return make_file(input, robot, path);
}
