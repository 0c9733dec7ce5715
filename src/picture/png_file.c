#include "picture/png_file.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

graze_status gz_png_file_write(const char *path, const uint8_t *pixels, int32_t width,
                               int32_t height, graze_error *error) {
    size_t size = strlen(path) + 64;
    char *name = malloc(size);
    if (!name) return gz_picture_fail(error, GRAZE_ERROR_NO_MEMORY, NULL, "out of memory");
    errno = 0;
    FILE *stream = open_beside(path, name, size);
    if (!stream) {
        free(name);
        return gz_picture_fail(error, GRAZE_ERROR_IO, path, "cannot be written: %s",
                               strerror(errno));
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    bool ok = png_image_write_to_stdio(&image, stream, 0, pixels, 0, NULL) != 0;
    char reason[sizeof image.message + 1];
    snprintf(reason, sizeof reason, "%s", ok ? "" : image.message);
    png_image_free(&image);
    errno = 0;
    if (fclose(stream) != 0 && ok) {
        ok = false;
        snprintf(reason, sizeof reason, "%s", strerror(errno));
    }
    if (ok && rename(name, path) != 0) {
        ok = false;
        snprintf(reason, sizeof reason, "%s", strerror(errno));
    }
    if (!ok) unlink(name);
    free(name);
    if (!ok) return gz_picture_fail(error, GRAZE_ERROR_IO, path, "cannot be written: %s", reason);
    return GRAZE_OK;
}
