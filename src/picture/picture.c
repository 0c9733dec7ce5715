#include "picture/picture.h"

#include <stdlib.h>

#include "picture/camera.h"
#include "picture/drawing.h"
#include "picture/light.h"
#include "picture/overlay.h"
#include "picture/raster.h"

gz_picture gz_picture_default(void) {
    return (gz_picture){.pose_count = 1, .width = 1280, .height = 960, .samples = 3};
}

/// A square of the picture is drawn at a time: what is seen, then its light, then its pixels.
enum { TILE = 32 };

typedef struct tile {
    gz_sight *sights;
    gz_lit_point *points; ///< of the sights that are lit, in order
    size_t *lit;          ///< per sight, its point
    size_t *of_sample;    ///< per sample, its sight
    size_t count, point_count;
} tile;

static bool make_tile(tile *t, int32_t samples) {
    size_t n = (size_t)(TILE * TILE * samples * samples);
    t->sights = malloc(n * sizeof *t->sights);
    t->points = malloc(n * sizeof *t->points);
    t->lit = malloc(n * sizeof *t->lit);
    t->of_sample = malloc(n * sizeof *t->of_sample);
    return t->sights && t->points && t->lit && t->of_sample;
}

static void free_tile(tile *t) {
    free(t->sights);
    free(t->points);
    free(t->lit);
    free(t->of_sample);
}

/// What the samples of a pixel see. Those that see the same triangle share one sight, and those
/// that see the floor: light changes less within a pixel than edges do.
static void see_pixel(const gz_scene *scene, const gz_raster *raster, int32_t samples, int32_t x,
                      int32_t y, tile *t, size_t *of_sample) {
    size_t first = t->count;
    for (int32_t i = 0; i < samples * samples; i++) {
        int32_t sx = x * samples + i % samples, sy = y * samples + i / samples;
        int32_t id = raster->ids[(size_t)sy * (size_t)raster->width + (size_t)sx];
        size_t k = first;
        while (k < t->count && t->sights[k].id != id) k++;
        of_sample[i] = k;
        if (k < t->count) continue;
        t->count++;
        t->lit[k] = t->point_count;
        if (gz_sight_find(scene, id, (sx + 0.5) / samples, (sy + 0.5) / samples, &t->sights[k],
                          &t->points[t->point_count]))
            t->point_count++;
    }
}

static void draw_tile(const gz_scene *scene, const gz_picture *picture, const gz_raster *raster,
                      int32_t x0, int32_t y0, tile *t, uint8_t *pixels) {
    int32_t x1 = x0 + TILE < picture->width ? x0 + TILE : picture->width;
    int32_t y1 = y0 + TILE < picture->height ? y0 + TILE : picture->height;
    size_t total = (size_t)(picture->samples * picture->samples), at = 0;
    t->count = t->point_count = 0;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++, at += total)
            see_pixel(scene, raster, picture->samples, x, y, t, t->of_sample + at);
    gz_lights_shine(scene->lights, t->points, t->point_count);

    at = 0;
    for (int32_t y = y0; y < y1; y++) {
        for (int32_t x = x0; x < x1; x++, at += total) {
            gz_color sum = {0, 0, 0}, color = {0, 0, 0};
            for (size_t i = 0, last = SIZE_MAX; i < total; i++) {
                size_t k = t->of_sample[at + i];
                if (k != last) color = gz_sight_color(scene, &t->sights[k], &t->points[t->lit[k]]);
                last = k;
                sum.r += color.r;
                sum.g += color.g;
                sum.b += color.b;
            }
            uint8_t *p = pixels + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
            p[0] = gz_tone(sum.r / (double)total);
            p[1] = gz_tone(sum.g / (double)total);
            p[2] = gz_tone(sum.b / (double)total);
        }
    }
}

static graze_status check_arguments(const gz_picture *p, graze_error *error) {
    if (!p || !p->robot || !p->links || p->pose_count == 0 || (p->contact_count && !p->contacts))
        return gz_picture_fail(error, GRAZE_ERROR_ARGUMENT, NULL,
                               "the picture has no robot, no pose or no contacts where it counts "
                               "some");
    if (p->width < 16 || p->height < 16 || p->width > 16384 || p->height > 16384)
        return gz_picture_fail(error, GRAZE_ERROR_RANGE, NULL,
                               "picture size is %d x %d; allowed: 16 to 16384", p->width,
                               p->height);
    if (p->samples < 1 || p->samples > 4)
        return gz_picture_fail(error, GRAZE_ERROR_RANGE, NULL,
                               "samples per axis are %d; allowed: 1 to 4", p->samples);
    return GRAZE_OK;
}

/// Everything that the drawing needs, so that it can be freed in one place.
typedef struct studio {
    gz_drawing drawing;
    gz_focus focus;
    gz_camera camera;
    gz_lights lights;
    gz_raster raster;
    tile tiles[GZ_PICTURE_THREADS]; ///< one per thread
    int32_t threads;
    const gz_picture *picture;
    uint8_t *pixels;
} studio;

static bool prepare(studio *s, const gz_picture *p) {
    if (!gz_drawing_make(&s->drawing, p)) return false;
    s->focus = gz_focus_find(&s->drawing);
    if (!gz_camera_choose(&s->camera, &s->drawing, &s->focus, p->width, p->height)) return false;
    if (!gz_lights_make(&s->lights, &s->drawing, &s->focus, &s->camera)) return false;
    if (!gz_raster_make(&s->raster, p->width * p->samples, p->height * p->samples, true))
        return false;
    for (int32_t i = 0; i < s->threads; i++)
        if (!make_tile(&s->tiles[i], p->samples)) return false;
    gz_camera fine = gz_camera_scaled(&s->camera, p->samples);
    gz_camera_draw(&fine, &s->drawing, &s->raster);
    return true;
}

/// Every so-many-th row of tiles.
static void draw_rows(void *user, int32_t thread) {
    studio *s = user;
    const gz_picture *p = s->picture;
    gz_scene scene = {&s->drawing, &s->focus, &s->camera, &s->lights, p->height};
    for (int32_t y = thread * TILE; y < p->height; y += s->threads * TILE)
        for (int32_t x = 0; x < p->width; x += TILE)
            draw_tile(&scene, p, &s->raster, x, y, &s->tiles[thread], s->pixels);
}

static void free_studio(studio *s) {
    for (int32_t i = 0; i < s->threads; i++) free_tile(&s->tiles[i]);
    gz_raster_free(&s->raster);
    gz_lights_free(&s->lights);
    gz_drawing_free(&s->drawing);
    free(s);
}

graze_status gz_picture_draw(const gz_picture *picture, uint8_t *pixels, graze_error *error) {
    graze_status status = check_arguments(picture, error);
    if (status != GRAZE_OK) return status;
    if (!pixels) return gz_picture_fail(error, GRAZE_ERROR_ARGUMENT, NULL, "pixels is NULL");
    studio *s = calloc(1, sizeof *s);
    bool ok = s != NULL;
    if (s) {
        s->threads = gz_parallel_count();
        s->picture = picture;
        s->pixels = pixels;
        ok = prepare(s, picture);
        if (ok) gz_parallel_run(s->threads, draw_rows, s);
        if (ok) gz_overlay_contacts(pixels, picture, &s->camera);
        free_studio(s);
    }
    if (error && ok) *error = (graze_error){0};
    return ok ? GRAZE_OK
              : gz_picture_fail(error, GRAZE_ERROR_NO_MEMORY, NULL,
                                "out of memory for the picture");
}

graze_status gz_picture_write(const gz_picture *picture, const char *path, graze_error *error) {
    graze_status status = check_arguments(picture, error);
    if (status != GRAZE_OK) return status;
    if (!path) return gz_picture_fail(error, GRAZE_ERROR_ARGUMENT, NULL, "path is NULL");
    uint8_t *pixels = malloc((size_t)picture->width * (size_t)picture->height * 3);
    if (!pixels)
        return gz_picture_fail(error, GRAZE_ERROR_NO_MEMORY, NULL, "out of memory for the picture");
    status = gz_picture_draw(picture, pixels, error);
    if (status == GRAZE_OK)
        status = gz_png_file_write(path, pixels, picture->width, picture->height, error);
    free(pixels);
    return status;
}
