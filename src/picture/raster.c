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

#include "picture/raster.h"
#include "picture/vector.h"

bool gz_raster_make(gz_raster *raster, int32_t width, int32_t height, bool with_ids) {
    size_t count = (size_t)width * (size_t)height;
    *raster = (gz_raster){.width = width, .height = height};
    raster->depth = malloc(count * sizeof *raster->depth);
    if (with_ids) raster->ids = malloc(count * sizeof *raster->ids);
    if (!raster->depth || (with_ids && !raster->ids)) {
        gz_raster_free(raster);
        return false;
    }
    gz_raster_clear(raster);
    return true;
}

void gz_raster_free(gz_raster *raster) {
    free(raster->depth);
    free(raster->ids);
    *raster = (gz_raster){0};
}

void gz_raster_clear(gz_raster *raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; i++) raster->depth[i] = -HUGE_VALF;
    for (size_t i = 0; raster->ids && i < count; i++) raster->ids[i] = -1;
}

/// A linear function on the screen, x * dx + y * dy + base.
typedef struct slope {
    double dx, dy, base;
} slope;

/// Twice the signed area of (a, b, p) as a function of p.
static slope edge(const gz_corner *a, const gz_corner *b) {
    slope e = {a->y - b->y, b->x - a->x, 0};
    e.base = -(e.dx * a->x + e.dy * a->y);
    return e;
}

/// The samples whose middles lie in [low, high], cut to 0 .. size - 1; first > last for none.
/// Written without ceil and floor, which are calls on the oldest processors.
static void cover(double low, double high, int32_t size, int32_t *first, int32_t *last) {
    *first = *last = 0;
    if (!(low < size && high > 0)) {
        *first = 1;
        return;
    }
    if (low > 0.5) {
        *first = (int32_t)(low - 0.5);
        *first += *first < low - 0.5;
    }
    *last = high < size - 0.5 ? (int32_t)(high + 0.5) - 1 : size - 1;
}

/// Cuts a stretch of `width` samples of a row to where an edge function, `at` on the first sample
/// and growing by `step`, is not negative; a sample more on either side, for rounding.
static void trim(double at, double step, int32_t width, int32_t *first, int32_t *last) {
    if (at < 0 && !(step > 0)) {
        *last = -1;
    } else if (at < 0) {
        double where = -at / step - 1;
        if (where > *first) *first = where < width ? (int32_t)where : width;
    } else if (step < 0) {
        double where = -at / step + 1;
        if (where < *last) *last = (int32_t)where;
    }
}

void gz_raster_triangle(gz_raster *raster, const gz_corner corner[3], int32_t id, bool sieve) {
    const gz_corner *a = &corner[0], *b = &corner[1], *c = &corner[2];
    double area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
    if (!(area != 0) || !isfinite(area)) return;
    if (area < 0) {
        const gz_corner *swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    int32_t x0, x1, y0, y1;
    cover(least(a->x, least(b->x, c->x)), most(a->x, most(b->x, c->x)), raster->width, &x0, &x1);
    cover(least(a->y, least(b->y, c->y)), most(a->y, most(b->y, c->y)), raster->height, &y0, &y1);
    if (x0 > x1 || y0 > y1) return;

    slope u = edge(b, c), v = edge(c, a), w = edge(a, b);
    double da = a->depth / area, db = b->depth / area, dc = c->depth / area;
    for (int32_t y = y0; y <= y1; y++) {
        double px = x0 + 0.5, py = y + 0.5;
        double eu = u.dx * px + u.dy * py + u.base, ev = v.dx * px + v.dy * py + v.base,
               ew = w.dx * px + w.dy * py + w.base;
        // Long thin triangles cover little of their box.
        int32_t first = 0, last = x1 - x0, width = x1 - x0 + 1;
        if (width > 8) {
            trim(eu, u.dx, width, &first, &last);
            trim(ev, v.dx, width, &first, &last);
            trim(ew, w.dx, width, &first, &last);
            eu += u.dx * first;
            ev += v.dx * first;
            ew += w.dx * first;
        }
        size_t row = (size_t)y * (size_t)raster->width;
        for (int32_t x = x0 + first; x <= x0 + last; x++, eu += u.dx, ev += v.dx, ew += w.dx) {
            if (eu < 0 || ev < 0 || ew < 0 || (sieve && ((x + y) & 1))) continue;
            float depth = (float)(eu * da + ev * db + ew * dc);
            if (!(depth > raster->depth[row + (size_t)x])) continue;
            raster->depth[row + (size_t)x] = depth;
            if (raster->ids) raster->ids[row + (size_t)x] = id;
        }
    }
}

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
