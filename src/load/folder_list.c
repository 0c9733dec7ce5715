#include "load/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

static bool has_ending(const char *name, const char *endings) {
    const char *dot = strrchr(name, '.');
    size_t n = dot ? strlen(dot + 1) : 0;
    for (const char *p = endings; n && *p;) {
        size_t m = strcspn(p, " ");
        if (m == n && strncasecmp(p, dot + 1, n) == 0) return true;
        p += m + (p[m] == ' ');
    }
    return false;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool gz_folder_list_read(gz_folder_list *out, const char *folder, const char *endings,
                         size_t most) {
    *out = (gz_folder_list){0};
    DIR *stream = opendir(folder);
    if (!stream) return true;
    bool ok = true;
    for (struct dirent *e; ok && out->count < most && (e = readdir(stream));) {
        if (!has_ending(e->d_name, endings)) continue;
        char *name = gz_string_copy(e->d_name);
        ok = name && gz_array_reserve((void **)&out->names, &out->capacity, out->count + 1,
                                      sizeof *out->names);
        if (ok)
            out->names[out->count++] = name;
        else
            gz_free(name);
    }
    closedir(stream);
    if (out->count > 1) qsort(out->names, out->count, sizeof *out->names, compare);
    return ok;
}

void gz_folder_list_free(gz_folder_list *list) {
    for (size_t i = 0; i < list->count; i++) gz_free(list->names[i]);
    gz_free(list->names);
}
