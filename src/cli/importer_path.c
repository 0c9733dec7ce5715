#include "cli/importer_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "graze/graze.h"

void gz_importer_path_find(char *path, size_t size) {
    char folder[GRAZE_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
        static const char *const places[] = {"", "/../libexec/graze"};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            int n = snprintf(path, size, "%s%s/graze-import", folder, places[i]);
            if (n > 0 && (size_t)n < size && access(path, X_OK) == 0) return;
        }
    }
    snprintf(path, size, "%s/graze-import", GRAZE_LIBEXEC_DIR);
}
