#include "cli/program_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "graze/graze.h"

bool gz_program_path_find(const char *name, char *path, size_t size) {
    char folder[GRAZE_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
        static const char *const places[] = {"", "/bench", "/../libexec/graze"};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            int n = snprintf(path, size, "%s%s/%s", folder, places[i], name);
            if (n > 0 && (size_t)n < size && access(path, X_OK) == 0) return true;
        }
    }
    int n = snprintf(path, size, "%s/%s", GRAZE_LIBEXEC_DIR, name);
    return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

/// Whether a folder holds what the demo needs.
static bool is_share(const char *folder) {
    char path[GRAZE_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", folder);
    return access(path, R_OK) == 0;
}

/// The share folder beside the program's own: PREFIX/bin/graze has PREFIX/share/graze, wherever
/// PREFIX was moved to.
static void beside_program(char *folder, size_t size) {
    char program[GRAZE_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(program, '/');
        if (slash != NULL) *slash = '\0';
    }
    snprintf(folder, size, "%s/share/graze", program);
}

int gz_share_find(char *folder, size_t size) {
    const char *set = getenv("GRAZE_SHARE");
    if (set != NULL && set[0] != '\0') {
        snprintf(folder, size, "%s", set);
        if (is_share(folder)) return GZ_EXIT_FINE;
        gz_message("GRAZE_SHARE is %s; allowed: a folder with urdf/heron.urdf in it", set);
        return GZ_EXIT_INPUT;
    }
    beside_program(folder, size);
    if (is_share(folder)) return GZ_EXIT_FINE;
    static const char *const folders[] = {GRAZE_SHARE_DIR, GRAZE_SOURCE_SHARE_DIR};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(folder, size, "%s", folders[i]);
        if (is_share(folder)) return GZ_EXIT_FINE;
    }
    gz_message("the robots that ship are not found: neither %s nor %s holds urdf/heron.urdf; "
               "GRAZE_SHARE may name their folder",
               GRAZE_SHARE_DIR, GRAZE_SOURCE_SHARE_DIR);
    return GZ_EXIT_INPUT;
}
