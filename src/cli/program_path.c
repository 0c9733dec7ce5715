#include "cli/program_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
