#include "cli/program_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "graze/graze.h"

void gz_program_path(char path[GRAZE_PATH_SIZE], int up) {
    ssize_t length = readlink("/proc/self/exe", path, GRAZE_PATH_SIZE - 1);
    path[length < 0 ? 0 : length] = '\0';
    for (; up > 0; up--) {
        char *slash = strrchr(path, '/');
        if (slash != NULL) *slash = '\0';
    }
}

bool gz_program_path_find(const char *name, char *path, size_t size) {
    char folder[GRAZE_PATH_SIZE];
    gz_program_path(folder, 1);
    static const char *const places[] = {"", "/bench", "/../libexec/graze", GRAZE_LIBEXEC_DIR};
    for (size_t i = 0; i < 4; i++) {
        int n = snprintf(path, size, "%s%s/%s", i < 3 ? folder : "", places[i], name);
        if (n > 0 && (size_t)n < size && access(path, X_OK) == 0) return true;
    }
    return false;
}

/// Whether a folder holds what the demo needs.
static bool is_share(const char *folder) {
    char path[GRAZE_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", folder);
    return access(path, R_OK) == 0;
}

int gz_share_find(char *folder, size_t size) {
    const char *set = getenv("GRAZE_SHARE");
    if (set != NULL && set[0] != '\0') {
        snprintf(folder, size, "%s", set);
        if (is_share(folder)) return GZ_EXIT_FINE;
        gz_message("GRAZE_SHARE is %s; allowed: a folder with urdf/heron.urdf in it", set);
        return GZ_EXIT_INPUT;
    }
    // PREFIX/bin/graze has PREFIX/share/graze, wherever PREFIX was moved to.
    char prefix[GRAZE_PATH_SIZE];
    gz_program_path(prefix, 2);
    const char *const places[] = {"/share/graze", GRAZE_SHARE_DIR, GRAZE_SOURCE_SHARE_DIR};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, size, "%s%s", i == 0 ? prefix : "", places[i]);
        if (is_share(folder)) return GZ_EXIT_FINE;
    }
    gz_message("the robots that ship are not found: neither %s nor %s holds urdf/heron.urdf; "
               "GRAZE_SHARE may name their folder",
               GRAZE_SHARE_DIR, GRAZE_SOURCE_SHARE_DIR);
    return GZ_EXIT_INPUT;
}
