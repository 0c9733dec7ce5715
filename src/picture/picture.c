#include "picture/picture.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "picture/light.h"
#include "picture/vector.h"

/// Draws the contacts over the picture: the segments where triangles meet, and a dot where there is
/// none, bright with a dark edge, whatever lies in front.
static void draw_contacts(uint8_t *rgb, const gz_picture *picture, const gz_camera *camera) {
    static const uint8_t dark[3] = {40, 8, 20}, bright[3] = {255, 240, 70};
    const gz_pixels pixels = {rgb, picture->width, picture->height};
    double longer = picture->width > picture->height ? picture->width : picture->height;
    double unit = most(longer / 1280, 0.5);
    gz_projection view = gz_camera_projection(camera);
    // All dark edges first, so that neighbouring marks do not cross each other out.
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < picture->contact_count; i++) {
            const graze_contact *contact = &picture->contacts[i];
            if (contact->kind == GRAZE_CONTACT_BOUNDARY) continue;
            bool line = contact->has_segment;
            gz_corner a, b;
            if (!gz_project(&view, line ? contact->segment[0] : contact->point, &a) ||
                !gz_project(&view, line ? contact->segment[1] : contact->point, &b))
                continue;
            // A short segment gets the size of a dot, to be visible.
            double radius = (hypot(a.x - b.x, a.y - b.y) < 8 * unit ? 4.0 : 2.2) * unit;
            const double from[2] = {a.x, a.y}, to[2] = {b.x, b.y};
            gz_pixels_line(&pixels, from, to, pass ? radius : radius + 1.8 * unit,
                           pass ? bright : dark);
        }
    }
}

gz_picture gz_picture_default(void) {
    return (gz_picture){
        .pose_count = 1, .width = 1280, .height = 960, .samples = 3, .view.link = -1};
}

/// A square of the picture is drawn at a time: its fragments, then their light, then the pixels.
enum { TILE = 32, SAMPLES_MAX = 4, TILE_SAMPLES = TILE * TILE * SAMPLES_MAX * SAMPLES_MAX };

typedef struct tile {
    gz_fragment fragments[TILE_SAMPLES];
    gz_lit_point points[TILE_SAMPLES]; ///< of the fragments that are lit, in order
    size_t lit[TILE_SAMPLES];          ///< per fragment, its point
    size_t of_sample[TILE_SAMPLES];    ///< per sample, its fragment
    size_t count, point_count;
} tile;

/// The fragments of a pixel's samples. Samples of the same triangle share one, and those of the
/// floor: light changes less within a pixel than edges do.
static void sample_pixel(const gz_scene *scene, const gz_raster *raster, int32_t samples, int32_t x,
                         int32_t y, tile *t, size_t *of_sample) {
    size_t first = t->count;
    for (int32_t i = 0; i < samples * samples; i++) {
        int32_t sx = x * samples + i % samples, sy = y * samples + i / samples;
        int32_t id = raster->ids[(size_t)sy * (size_t)raster->width + (size_t)sx];
        size_t k = first;
        while (k < t->count && t->fragments[k].id != id) k++;
        of_sample[i] = k;
        if (k < t->count) continue;
        t->count++;
        t->lit[k] = t->point_count;
        if (gz_fragment_find(scene, id, (sx + 0.5) / samples, (sy + 0.5) / samples,
                             &t->fragments[k], &t->points[t->point_count]))
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
            sample_pixel(scene, raster, picture->samples, x, y, t, t->of_sample + at);
    gz_lights_shine(scene->lights, t->points, t->point_count);

    at = 0;
    for (int32_t y = y0; y < y1; y++) {
        for (int32_t x = x0; x < x1; x++, at += total) {
            graze_vec3 sum = {0, 0, 0}, color = {0, 0, 0};
            for (size_t i = 0, last = SIZE_MAX; i < total; i++) {
                size_t k = t->of_sample[at + i];
                if (k != last)
                    color = gz_fragment_color(scene, &t->fragments[k], &t->points[t->lit[k]]);
                last = k;
                sum = vec_add(sum, color);
            }
            uint8_t *p = pixels + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
            p[0] = gz_tone(sum.x / (double)total);
            p[1] = gz_tone(sum.y / (double)total);
            p[2] = gz_tone(sum.z / (double)total);
        }
    }
}

static graze_status check_arguments(const gz_picture *p, graze_error *error) {
    if (!p || !p->robot || !p->links || p->pose_count == 0 || (p->contact_count && !p->contacts))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the picture has no robot, no pose or no contacts where it counts "
                       "some");
    if (p->width < 16 || p->height < 16 || p->width > 16384 || p->height > 16384)
        return gz_fail(error, GRAZE_ERROR_RANGE, "picture size is %d x %d; allowed: 16 to 16384",
                       p->width, p->height);
    if (p->samples < 1 || p->samples > SAMPLES_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE, "samples per axis are %d; allowed: 1 to 4",
                       p->samples);
    return GRAZE_OK;
}

/// Everything that the drawing needs, so that it can be freed in one place.
typedef struct renderer {
    gz_drawing drawing;
    gz_focus focus;
    gz_camera camera;
    gz_lights lights;
    gz_raster raster;
    tile *tiles; ///< one per thread
    uint32_t threads;
    const gz_picture *picture;
    uint8_t *pixels;
} renderer;

/// Chooses what is looked at, and from where, by what has been laid out for a picture.
static bool choose_camera(renderer *s, const gz_picture *p) {
    s->focus = gz_focus_find(&s->drawing);
    gz_focus framed = p->view.link >= 0 ? gz_focus_link(&s->drawing, p->view.link) : s->focus;
    return gz_camera_choose(&s->camera, &s->drawing, &framed, &p->view, p->width, p->height);
}

/// For a camera that is chosen.
static bool prepare(renderer *s, const gz_picture *p) {
    if (!gz_lights_make(&s->lights, &s->drawing, &s->focus, &s->camera, s->threads)) return false;
    if (!gz_raster_make(&s->raster, p->width * p->samples, p->height * p->samples, true))
        return false;
    s->tiles = gz_malloc(s->threads, sizeof *s->tiles);
    if (!s->tiles) return false;
    gz_camera fine = s->camera; // in samples
    fine.scale *= p->samples;
    fine.cx *= p->samples;
    fine.cy *= p->samples;
    gz_camera_draw(&fine, &s->drawing, &s->raster);
    return true;
}

/// Every so-many-th row of tiles.
static void draw_rows(void *user, uint32_t thread) {
    renderer *s = user;
    const gz_picture *p = s->picture;
    gz_scene scene = {&s->drawing, &s->focus, &s->camera, &s->lights, p->height};
    for (int32_t y = (int32_t)thread * TILE; y < p->height; y += (int32_t)s->threads * TILE)
        for (int32_t x = 0; x < p->width; x += TILE)
            draw_tile(&scene, p, &s->raster, x, y, &s->tiles[thread], s->pixels);
}

static bool draw(renderer *s, const gz_picture *picture) {
    if (!prepare(s, picture)) return false;
    gz_thread_run(s->threads, draw_rows, s);
    draw_contacts(s->pixels, picture, &s->camera);
    return true;
}

static renderer *make_renderer(const gz_picture *picture, uint8_t *pixels) {
    renderer *s = gz_calloc(1, sizeof *s);
    if (!s) return NULL;
    const uint32_t processors = gz_thread_processors(), most = 8;
    s->threads = processors < most ? processors : most;
    s->picture = picture;
    s->pixels = pixels;
    return s;
}

/// What one picture takes; the camera stays.
static void free_picture(renderer *s) {
    gz_free(s->tiles);
    s->tiles = NULL;
    gz_raster_free(&s->raster);
    gz_lights_free(&s->lights);
    gz_drawing_free(&s->drawing);
}

static graze_status finish(renderer *s, bool ok, graze_error *error) {
    if (s) free_picture(s);
    gz_free(s);
    if (!ok) return gz_fail(error, GRAZE_ERROR_NO_MEMORY, "out of memory for the picture");
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status gz_picture_draw(const gz_picture *picture, uint8_t *pixels, graze_error *error) {
    GZ_TRY(check_arguments(picture, error));
    if (!pixels) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "pixels is NULL");
    renderer *s = make_renderer(picture, pixels);
    bool ok = s && gz_drawing_make(&s->drawing, picture) && choose_camera(s, picture) &&
              draw(s, picture);
    return finish(s, ok, error);
}

graze_status gz_picture_draw_frames(const gz_picture *framing, const graze_transform *links,
                                    size_t count, gz_frame_sink sink, void *user, uint8_t *pixels,
                                    graze_error *error) {
    GZ_TRY(check_arguments(framing, error));
    if (!links || !sink || !pixels)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "links, sink or pixels is NULL");
    const size_t link_count = graze_robot_link_count(framing->robot), pose = sizeof *links;
    graze_transform *rows = gz_malloc(3 * link_count, pose); // the ends, and the frame's own
    gz_picture frame = *framing;
    frame.pose_count = framing->ends && count > 0 ? 3 : 1;
    frame.links = rows;
    renderer *s = make_renderer(&frame, pixels);
    bool ok = s && rows && gz_drawing_make(&s->drawing, framing) && choose_camera(s, framing);
    graze_transform *own = ok ? rows + (frame.pose_count - 1) * link_count : NULL;
    if (ok && own != rows) {
        memcpy(rows, links, link_count * pose);
        memcpy(rows + link_count, links + (count - 1) * link_count, link_count * pose);
    }
    for (size_t i = 0; ok && i < count; i++) {
        free_picture(s);
        memcpy(own, links + i * link_count, link_count * pose);
        ok = gz_drawing_make(&s->drawing, &frame) && draw(s, &frame) && sink(user, pixels);
    }
    gz_free(rows);
    return finish(s, ok, error);
}
