#include "cli/share.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/message.h"

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
