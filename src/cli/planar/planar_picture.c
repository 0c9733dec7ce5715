// What pictures of the plane share: boxes about what is drawn, shapes made of parts, two shapes
// with their velocities.

#include <math.h>
#include <stdio.h>

#include "cli/planar/planar_input.h"

void gz_planar_box_add(graze_planar_bounds *box, graze_vec2 p) {
    box->min = (graze_vec2){fmin(box->min.x, p.x), fmin(box->min.y, p.y)};
    box->max = (graze_vec2){fmax(box->max.x, p.x), fmax(box->max.y, p.y)};
}

void gz_planar_box_add_shape(graze_planar_bounds *box, const graze_planar_shape *shape) {
    graze_planar_bounds own = graze_planar_shape_bounds(shape);
    gz_planar_box_add(box, own.min);
    gz_planar_box_add(box, own.max);
}

graze_planar_bounds gz_planar_shapes_box(const gz_planar_shapes *shapes) {
    graze_planar_bounds box = GZ_PLANAR_BOX_EMPTY;
    for (size_t i = 0; i < shapes->count; i++) gz_planar_box_add_shape(&box, &shapes->items[i]);
    return box;
}

graze_vec2 gz_planar_shapes_middle(const gz_planar_shapes *shapes) {
    graze_planar_bounds box = gz_planar_shapes_box(shapes);
    return (graze_vec2){0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)};
}

void gz_planar_shapes_put(const gz_svg *svg, const gz_planar_shapes *shapes,
                          const graze_transform2 *pose, const char *style) {
    for (size_t i = 0; i < shapes->count; i++) {
        graze_planar_shape there = shapes->items[i];
        (void)graze_planar_transform(&there, &shapes->items[i], pose, NULL); // else as it was
        gz_svg_shape(svg, &there, style);
    }
}

void gz_planar_shapes_draw(const gz_svg *svg, const gz_planar_shapes *shapes,
                           const graze_transform2 *pose, const char *fill, const char *color) {
    char style[128];
    snprintf(style, sizeof style,
             "fill=\"none\" stroke=\"%s\" stroke-width=\"3\" stroke-linejoin=\"round\"", color);
    gz_planar_shapes_put(svg, shapes, pose, style);
    snprintf(style, sizeof style, "fill=\"%s\" stroke=\"%s\" stroke-width=\"0.6\"", fill, fill);
    gz_planar_shapes_put(svg, shapes, pose, style);
}

static void put_mover(const gz_svg *svg, const gz_planar_shapes *shapes, graze_vec2 velocity,
                      double second, const char *name, const char *color) {
    graze_vec2 from = gz_planar_shapes_middle(shapes);
    gz_plot_arrow(svg, from, gz_planar_along(from, second, velocity), color);
    gz_svg_dot(svg, from, 3.5, "fill=\"" GZ_PLANAR_INK "\"");
    // Above or below the shape, where its arrow does not point.
    graze_planar_bounds box = gz_planar_shapes_box(shapes);
    bool above = velocity.y < 0;
    char style[64];
    snprintf(style, sizeof style, "fill=\"%s\" text-anchor=\"middle\"", color);
    gz_svg_text(svg, (graze_vec2){from.x, above ? box.max.y : box.min.y}, 0, above ? 8 : -18, name,
                style);
}

void gz_planar_movers_draw(const gz_svg *page, const gz_planar_pair *q) {
    const gz_plot_box place = {24, 60, 460, 390}, inner = {36, 84, 436, 330};
    graze_planar_bounds box = gz_planar_shapes_box(&q->a), other = gz_planar_shapes_box(&q->b);
    gz_planar_box_add(&box, other.min);
    gz_planar_box_add(&box, other.max);
    double fastest = fmax(hypot(q->velocity_a.x, q->velocity_a.y),
                          hypot(q->velocity_b.x, q->velocity_b.y));
    // The faster of the two gets an arrow of a fifth of the drawing; it may leave the shapes' box.
    double size = fmax(box.max.x - box.min.x, box.max.y - box.min.y);
    double second = fastest > 0 ? 0.22 * size / fastest : 0;
    gz_planar_box_add(&box, gz_planar_along(gz_planar_shapes_middle(&q->a), second, q->velocity_a));
    gz_planar_box_add(&box, gz_planar_along(gz_planar_shapes_middle(&q->b), second, q->velocity_b));
    gz_svg svg = gz_plot_panel(page, inner, box.min, box.max);
    const graze_transform2 here = {1, 0, 0, 0};
    gz_planar_shapes_draw(&svg, &q->a, &here, GZ_PLANAR_FIRST_FILL, GZ_PLANAR_FIRST);
    gz_planar_shapes_draw(&svg, &q->b, &here, GZ_PLANAR_SECOND_FILL, GZ_PLANAR_SECOND);
    put_mover(&svg, &q->a, q->velocity_a, second, "first", GZ_PLANAR_FIRST);
    put_mover(&svg, &q->b, q->velocity_b, second, "second", GZ_PLANAR_SECOND);
    gz_plot_scale_bar(&svg, page, place);
    gz_plot_words(page, 24, 48, "The shapes and their velocities",
                  "fill=\"" GZ_PLANAR_INK "\" font-weight=\"bold\"");
}
