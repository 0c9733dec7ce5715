#include "picture/overlay.h"

#include "picture/vector.h"

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
