// What pictures of the plane share: boxes, shapes made of parts, two shapes with velocities.

#include <math.h>
#include <stdio.h>

#include "cli/planar/planar_input.h"

const gz_planar_paint gz_planar_paints[] = {
    [GZ_FIRST_PAINT] = {"#cfe0f3", GZ_PLANAR_FIRST},
    [GZ_SECOND_PAINT] = {"#d7ead2", GZ_PLANAR_SECOND},
    [GZ_HIT_PAINT] = {"#f4c7b5", GZ_PLANAR_HIT},
    [GZ_PAST_PAINT] = {"#ffffff", "#9aa4b0"},
    [GZ_OBSTACLE_PAINT] = {"#8a929c", "#555d66"},
    [GZ_OTHER_PAINT] = {"#e6d9ee", "#7b3fa0"},
};

const graze_planar_bounds gz_planar_box_empty = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

void gz_planar_box_add(graze_planar_bounds *box, graze_vec2 p) {
    box->min = (graze_vec2){fmin(box->min.x, p.x), fmin(box->min.y, p.y)};
    box->max = (graze_vec2){fmax(box->max.x, p.x), fmax(box->max.y, p.y)};
}

void gz_planar_box_join(graze_planar_bounds *box, const graze_planar_bounds *other, graze_vec2 by) {
    gz_planar_box_add(box, gz_planar_along(other->min, 1, by));
    gz_planar_box_add(box, gz_planar_along(other->max, 1, by));
}

graze_planar_bounds gz_planar_shapes_box(const gz_planar_shapes *shapes) {
    graze_planar_bounds box = gz_planar_box_empty;
    for (size_t i = 0; i < shapes->count; i++) {
        graze_planar_bounds own = graze_planar_shape_bounds(&shapes->items[i]);
        gz_planar_box_join(&box, &own, (graze_vec2){0, 0});
    }
    return box;
}

graze_vec2 gz_planar_shapes_middle(const gz_planar_shapes *shapes) {
    graze_planar_bounds box = gz_planar_shapes_box(shapes);
    return (graze_vec2){0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)};
}

/// Edges first, then what is inside them over it.
void gz_planar_shapes_draw(const gz_svg *svg, const gz_planar_shapes *shapes,
                           const graze_transform2 *pose, const gz_planar_paint *paint) {
    char styles[2][128];
    snprintf(styles[0], sizeof styles[0],
             "fill=\"none\" stroke=\"%s\" stroke-width=\"3\" stroke-linejoin=\"round\"",
             paint->edge);
    snprintf(styles[1], sizeof styles[1], "fill=\"%s\" stroke=\"%s\" stroke-width=\"0.6\"",
             paint->fill, paint->fill);
    for (size_t i = 0; i < 2 * shapes->count; i++) {
        const graze_planar_shape *shape = &shapes->items[i % shapes->count];
        graze_planar_shape there = *shape;
        (void)graze_planar_transform(&there, shape, pose, NULL); // else as it was
        gz_svg_shape(svg, &there, styles[i / shapes->count]);
    }
}

void gz_planar_paint_explain(gz_legend *legend, int paint, const char *text) {
    char style[96];
    snprintf(style, sizeof style, "fill=\"%s\" stroke=\"%s\"", gz_planar_paints[paint].fill,
             gz_planar_paints[paint].edge);
    gz_legend_patch(legend, style, text);
}

void gz_planar_movers_draw(const gz_svg *page, const gz_planar_pair *q) {
    const gz_plot_box place = {24, 60, 460, 390}, inner = {36, 84, 436, 330};
    const gz_planar_shapes *shapes[2] = {&q->a, &q->b};
    const graze_vec2 velocities[2] = {q->velocity_a, q->velocity_b};
    const graze_transform2 here = {1, 0, 0, 0};
    graze_planar_bounds box = gz_planar_shapes_box(&q->a), other = gz_planar_shapes_box(&q->b);
    gz_planar_box_join(&box, &other, (graze_vec2){0, 0});
    double fastest = fmax(hypot(velocities[0].x, velocities[0].y),
                          hypot(velocities[1].x, velocities[1].y));
    // The faster of the two gets an arrow of a fifth of the drawing; it may leave the shapes' box.
    double size = fmax(box.max.x - box.min.x, box.max.y - box.min.y);
    double second = fastest > 0 ? 0.22 * size / fastest : 0;
    graze_vec2 from[2], to[2];
    for (int k = 0; k < 2; k++) {
        from[k] = gz_planar_shapes_middle(shapes[k]);
        to[k] = gz_planar_along(from[k], second, velocities[k]);
        gz_planar_box_add(&box, to[k]);
    }
    gz_svg svg = gz_plot_panel(page, inner, box.min, box.max);
    for (int k = 0; k < 2; k++) gz_planar_shapes_draw(&svg, shapes[k], &here, &gz_planar_paints[k]);
    for (int k = 0; k < 2; k++) {
        gz_plot_arrow(&svg, from[k], to[k], gz_planar_paints[k].edge);
        gz_svg_dot(&svg, from[k], 3.5, "fill=\"" GZ_PLANAR_INK "\"");
        gz_plot_label(&svg, from[k], 16, &velocities[k], 1, k ? "second" : "first",
                      gz_planar_paints[k].edge);
    }
    gz_plot_scale_bar(&svg, page, place);
    gz_plot_words(page, 24, 48, "The shapes and their velocities",
                  "fill=\"" GZ_PLANAR_INK "\" font-weight=\"bold\"");
}
