#include "picture/raster.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

graze_status gz_picture_fail(graze_error *error, graze_status status, const char *file,
                             const char *format, ...) {
    if (!error) return status;
    *error = (graze_error){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    if (file) snprintf(error->file, sizeof error->file, "%s", file);
    return status;
}

/// Opens a new file beside `path`, under a name that nothing has; its name goes to `name`.
static FILE *open_beside(const char *path, char *name, size_t size) {
    for (int i = 0; i < 100; i++) {
        snprintf(name, size, "%s.%ld-%d.part", path, (long)getpid(), i);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            FILE *stream = fdopen(file, "wb");
            if (stream) return stream;
            close(file);
            unlink(name);
            return NULL;
        }
        if (errno != EEXIST) return NULL;
    }
    return NULL;
}

static graze_status fail_write(graze_error *error, const char *path, const char *reason) {
    return gz_picture_fail(error, GRAZE_ERROR_IO, path, "cannot be written: %s", reason);
}

/// Writes the picture and closes the stream; on failure the reason is why.
static bool write_stream(FILE *stream, const uint8_t *pixels, int32_t width, int32_t height,
                         char *reason, size_t size) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    bool ok = png_image_write_to_stdio(&image, stream, 0, pixels, 0, NULL) != 0;
    snprintf(reason, size, "%s", ok ? "" : image.message);
    png_image_free(&image);
    errno = 0;
    if (fclose(stream) != 0 && ok) {
        ok = false;
        snprintf(reason, size, "%s", strerror(errno));
    }
    return ok;
}

/// A file that is put in its place when it is complete.
static graze_status write_beside(const char *path, const uint8_t *pixels, int32_t width,
                                 int32_t height, graze_error *error) {
    char reason[128];
    size_t size = strlen(path) + 64;
    char *name = malloc(size);
    if (!name) return gz_picture_fail(error, GRAZE_ERROR_NO_MEMORY, NULL, "out of memory");
    errno = 0;
    FILE *stream = open_beside(path, name, size);
    if (!stream) {
        free(name);
        return fail_write(error, path, strerror(errno));
    }
    bool ok = write_stream(stream, pixels, width, height, reason, sizeof reason);
    if (ok && rename(name, path) != 0) {
        ok = false;
        snprintf(reason, sizeof reason, "%s", strerror(errno));
    }
    if (!ok) unlink(name);
    free(name);
    return ok ? GRAZE_OK : fail_write(error, path, reason);
}

graze_status gz_png_file_write(const char *path, const uint8_t *pixels, int32_t width,
                               int32_t height, graze_error *error) {
    struct stat file, link;
    bool exists = stat(path, &file) == 0;
    if (exists && S_ISDIR(file.st_mode)) return fail_write(error, path, strerror(EISDIR));
    if (exists && !S_ISREG(file.st_mode)) {
        // A device, pipe or socket has no place that a file could take.
        char reason[128];
        FILE *stream = fopen(path, "wb");
        if (!stream) return fail_write(error, path, strerror(errno));
        bool ok = write_stream(stream, pixels, width, height, reason, sizeof reason);
        return ok ? GRAZE_OK : fail_write(error, path, reason);
    }
    // A link stays one: what it leads to is written.
    char real[PATH_MAX];
    bool linked = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (linked && !realpath(path, real)) return fail_write(error, path, strerror(errno));
    return write_beside(linked ? real : path, pixels, width, height, error);
}
