#include "cli/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

static int fail(const char *path, const char *why) {
    gz_message("%s: cannot be read: %s", path, why);
    return GZ_EXIT_INPUT;
}

static int read_stream(FILE *stream, const char *path, uint64_t limit, char **text, size_t *size) {
    struct stat file;
    if (fstat(fileno(stream), &file) != 0) return fail(path, strerror(errno));
    if (!S_ISREG(file.st_mode)) return fail(path, "no regular file");
    size_t capacity = 0;
    for (;;) {
        if (*size > limit) {
            gz_message("%s: more than %llu bytes; allowed by --max-bytes: %llu", path,
                       (unsigned long long)limit, (unsigned long long)limit);
            return GZ_EXIT_LIMIT;
        }
        // A byte is kept for the end.
        if (!gz_storage_reserve((void **)text, &capacity, *size + 65536, 1))
            return gz_message_no_memory();
        size_t got = fread(*text + *size, 1, capacity - *size - 1, stream);
        *size += got;
        if (got == 0) break;
    }
    (*text)[*size] = '\0';
    return ferror(stream) == 0 ? GZ_EXIT_FINE : fail(path, strerror(errno));
}

int gz_text_input_read(const char *path, uint64_t limit, char **text, size_t *size) {
    *text = NULL;
    *size = 0;
    // Not to wait for somebody who opens the other end of a pipe: it is refused.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (stream == NULL) {
        int status = fail(path, strerror(errno));
        if (fd >= 0) close(fd);
        return status;
    }
    int status = read_stream(stream, path, limit, text, size);
    fclose(stream);
    if (status == GZ_EXIT_FINE) return status;
    gz_storage_free(*text);
    *text = NULL;
    return status;
}
