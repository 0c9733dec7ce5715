#include "picture/raster.h"

#include <png.h>

#include "base/memory.h"
#include "picture/vector.h"

bool gz_raster_make(gz_raster *raster, int32_t width, int32_t height, bool with_ids) {
    size_t count = (size_t)width * (size_t)height;
    *raster = (gz_raster){.width = width, .height = height};
    raster->depth = gz_malloc(count, sizeof *raster->depth);
    if (with_ids) raster->ids = gz_malloc(count, sizeof *raster->ids);
    if (!raster->depth || (with_ids && !raster->ids)) {
        gz_raster_free(raster);
        return false;
    }
    gz_raster_clear(raster);
    return true;
}

void gz_raster_free(gz_raster *raster) {
    gz_free(raster->depth);
    gz_free(raster->ids);
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
static void sample_range(double low, double high, int32_t size, int32_t *first, int32_t *last) {
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
    sample_range(least(a->x, least(b->x, c->x)), most(a->x, most(b->x, c->x)), raster->width, &x0,
                 &x1);
    sample_range(least(a->y, least(b->y, c->y)), most(a->y, most(b->y, c->y)), raster->height, &y0,
                 &y1);
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

// ------------------------------------------------------------------------------- finished pixels

/// The distance of (x, y) from the segment between two points.
static double distance_to_segment(double x, double y, const double a[2], const double b[2]) {
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

/// Whether a point is near the picture at all; ends that are far off would overflow.
static bool drawable(const gz_pixels *p, const double at[2]) {
    return fabs(at[0]) < 8.0 * p->width && fabs(at[1]) < 8.0 * p->height;
}

void gz_pixels_line(const gz_pixels *p, const double a[2], const double b[2], double radius,
                    const uint8_t color[3]) {
    if (!drawable(p, a) || !drawable(p, b)) return;
    int32_t x0 = (int32_t)most(0, least(a[0], b[0]) - radius - 2);
    int32_t x1 = (int32_t)least(p->width - 1, most(a[0], b[0]) + radius + 2);
    int32_t y0 = (int32_t)most(0, least(a[1], b[1]) - radius - 2);
    int32_t y1 = (int32_t)least(p->height - 1, most(a[1], b[1]) + radius + 2);
    for (int32_t y = y0; y <= y1; y++) {
        for (int32_t x = x0; x <= x1; x++) {
            double coverage = radius + 0.5 - distance_to_segment(x + 0.5, y + 0.5, a, b);
            coverage = coverage < 0 ? 0 : coverage > 1 ? 1 : coverage;
            uint8_t *at = p->rgb + ((size_t)y * (size_t)p->width + (size_t)x) * 3;
            for (int k = 0; k < 3; k++)
                at[k] = (uint8_t)(at[k] + coverage * ((double)color[k] - at[k]) + 0.5);
        }
    }
}

bool gz_pixels_write_png(const gz_pixels *p, FILE *stream) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = PNG_FORMAT_RGB};
    bool ok = png_image_write_to_stdio(&image, stream, 0, p->rgb, 0, NULL) != 0;
    png_image_free(&image);
    return ok;
}
