#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "picture/camera.h"
#include "picture/drawing.h"
#include "picture/light.h"
#include "picture/picture.h"
#include "picture/raster.h"
#include "picture/vector.h"

typedef struct job {
    void (*work)(void *user, int32_t i);
    void *user;
    int32_t i;
    pthread_t thread;
    bool started;
} job;

int32_t gz_parallel_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > GZ_PICTURE_THREADS ? GZ_PICTURE_THREADS : (int32_t)n;
}

static void *run_job(void *argument) {
    job *j = argument;
    j->work(j->user, j->i);
    return NULL;
}

void gz_parallel_run(int32_t count, void (*work)(void *user, int32_t i), void *user) {
    job jobs[GZ_PICTURE_THREADS] = {0};
    for (int32_t i = 1; i < count; i++) {
        jobs[i] = (job){.work = work, .user = user, .i = i};
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
    }
    if (count > 0) work(user, 0);
    for (int32_t i = 1; i < count; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            work(user, i);
    }
}

/// Marks drawn over a finished picture.

/// Draws the contacts: the segments where triangles meet, and a dot where there is none, bright
/// with a dark edge, whatever lies in front.
void gz_overlay_contacts(uint8_t *pixels, const gz_picture *picture, const gz_camera *camera);

typedef struct canvas {
    uint8_t *pixels;
    int32_t width, height;
} canvas;

static double distance_to_line(double x, double y, const gz_corner *a, const gz_corner *b) {
    double dx = b->x - a->x, dy = b->y - a->y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - a->x) * dx + (y - a->y) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - a->x - t * dx, y - a->y - t * dy);
}

/// A line with round ends; a dot when both ends are the same.
static void draw_line(const canvas *c, const gz_corner *a, const gz_corner *b, double radius,
                      const uint8_t color[3]) {
    int32_t x0 = (int32_t)most(0, least(a->x, b->x) - radius - 2);
    int32_t x1 = (int32_t)least(c->width - 1, most(a->x, b->x) + radius + 2);
    int32_t y0 = (int32_t)most(0, least(a->y, b->y) - radius - 2);
    int32_t y1 = (int32_t)least(c->height - 1, most(a->y, b->y) + radius + 2);
    for (int32_t y = y0; y <= y1; y++) {
        for (int32_t x = x0; x <= x1; x++) {
            double cover = radius + 0.5 - distance_to_line(x + 0.5, y + 0.5, a, b);
            cover = cover < 0 ? 0 : cover > 1 ? 1 : cover;
            uint8_t *p = c->pixels + ((size_t)y * (size_t)c->width + (size_t)x) * 3;
            for (int k = 0; k < 3; k++)
                p[k] = (uint8_t)(p[k] + cover * ((double)color[k] - p[k]) + 0.5);
        }
    }
}

/// Whether a projected mark is near the picture at all; far-off ends would overflow.
static bool drawable(const canvas *c, const gz_corner *p) {
    return fabs(p->x) < 8.0 * c->width && fabs(p->y) < 8.0 * c->height;
}

void gz_overlay_contacts(uint8_t *pixels, const gz_picture *picture, const gz_camera *camera) {
    static const uint8_t dark[3] = {40, 8, 20}, bright[3] = {255, 240, 70};
    canvas c = {pixels, picture->width, picture->height};
    double longer = picture->width > picture->height ? picture->width : picture->height;
    double unit = most(longer / 1280, 0.5);
    // All dark edges first, so that neighbouring marks do not cross each other out.
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < picture->contact_count; i++) {
            const graze_contact *contact = &picture->contacts[i];
            if (contact->kind == GRAZE_CONTACT_BOUNDARY) continue;
            bool line = contact->has_segment;
            gz_corner a, b;
            if (!gz_camera_project(camera, line ? contact->segment[0] : contact->point, &a) ||
                !gz_camera_project(camera, line ? contact->segment[1] : contact->point, &b) ||
                !drawable(&c, &a) || !drawable(&c, &b))
                continue;
            // A short segment is still to be seen: it gets the size of a dot.
            double radius = (hypot(a.x - b.x, a.y - b.y) < 8 * unit ? 4.0 : 2.2) * unit;
            draw_line(&c, &a, &b, pass ? radius : radius + 1.8 * unit, pass ? bright : dark);
        }
    }
}

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
