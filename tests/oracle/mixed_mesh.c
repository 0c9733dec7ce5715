// Meshes of the mixed campaign, about the origin.

#include <math.h>

#include "mixed.h"
#include "sample_mesh.h"

double mixed_magnitude(gz_random *random, double low, double high) {
    return pow(10, gz_random_range(random, low, high));
}

static void add(maker *m, const double *vertices, size_t vertex_count, const uint32_t *triangles,
                size_t triangle_count, const double at[3], double scale, bool flip) {
    uint32_t first = (uint32_t)m->nv;
    for (size_t i = 0; i < vertex_count; i++)
        maker_vertex(m, at[0] + scale * vertices[3 * i], at[1] + scale * vertices[3 * i + 1],
                     at[2] + scale * vertices[3 * i + 2]);
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t *c = triangles + 3 * t;
        maker_triangle(m, first + c[0], first + c[flip ? 2 : 1], first + c[flip ? 1 : 2]);
    }
}

/// A box of n by n squares a side; `open` faces, from the last (upwards along z), are left out.
static void add_box(maker *m, const double at[3], const double half[3], uint32_t n, uint32_t open,
                    bool flip) {
    double low[3];
    for (int k = 0; k < 3; k++) low[k] = -half[k];
    sample_mesh box = sample_box(low, half, n);
    add(m, box.vertices, box.vertex_count, box.triangles, box.triangle_count - 2 * open * n * n, at,
        1, flip);
    sample_mesh_clear(&box);
}

static void draw_point(gz_random *random, double far, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = gz_random_range(random, -far, far);
}

static void draw_half(gz_random *random, double size, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = size * gz_random_range(random, 0.1, 0.5);
}

static void add_body(maker *m, gz_random *random, const double at[3], double size) {
    double half[3];
    draw_half(random, size, half);
    if (gz_random_below(random, 3)) {
        add_box(m, at, half, 1 + gz_random_below(random, 3), 0, gz_random_below(random, 8) == 0);
    } else {
        maker_sphere(m, at, half[0], 3 + (int)gz_random_below(random, 4),
                     3 + (int)gz_random_below(random, 8));
    }
}

/// The part of a ball below some height.
static void add_bowl(maker *m, gz_random *random, double radius) {
    const double zero[3] = {0};
    maker ball = {0};
    size_t kept = 0;
    double brim = radius * gz_random_range(random, -0.3, 0.9);
    maker_sphere(&ball, zero, radius, 6, 4 + (int)gz_random_below(random, 6));
    for (size_t t = 0; t < ball.nt; t++) {
        const uint32_t *c = ball.t + 3 * t;
        double top = -radius;
        for (size_t k = 0; k < 3; k++) top = fmax(top, ball.v[3 * (size_t)c[k] + 2]);
        if (top <= brim) memmove(ball.t + 3 * kept++, c, 3 * sizeof *c);
    }
    add(m, ball.v, ball.nv, ball.t, kept, zero, 1, false);
    maker_free(&ball);
}

static void add_open(maker *m, gz_random *random, double size) {
    const double zero[3] = {0};
    double half[3];
    draw_half(random, size, half);
    uint32_t kind = gz_random_below(random, 4), n = 1 + gz_random_below(random, 5);
    if (gz_random_below(random, 4)) n++;
    if (kind == 0) {
        add_bowl(m, random, half[0]);
    } else {
        add_box(m, zero, half, n, 1 + (kind == 1), gz_random_below(random, 8) == 0);
    }
}

static void add_rod(maker *m, gz_random *random, const double at[3], double size) {
    const double half[3] = {size * mixed_magnitude(random, -2.5, -1),
                            size * mixed_magnitude(random, -2.5, -1),
                            size * gz_random_range(random, 0.3, 2)};
    add_box(m, at, half, 1 + gz_random_below(random, 3), 0, false);
}

/// A square in the plane z = 0; with both of its sides (a closed component of no volume), with some
/// thickness, or neither.
static void add_sheet(maker *m, gz_random *random, double size) {
    const double zero[3] = {0}, half[3] = {size * gz_random_range(random, 0.2, 1),
                                           size * gz_random_range(random, 0.2, 1), 1e-300};
    uint32_t n = 1 + gz_random_below(random, 4), kind = gz_random_below(random, 3);
    if (kind == 0) {
        const double thick[3] = {half[0], half[1], mixed_magnitude(random, -9.5, -6)};
        add_box(m, zero, thick, n, 0, false);
        return;
    }
    add_box(m, zero, half, n, 0, false); // its last two faces lie in the plane
    size_t side = 2 * (size_t)n * n;
    for (size_t i = 0; i < m->nv; i++) m->v[3 * i + 2] = 0;
    memmove(m->t, m->t + 3 * 4 * side, 3 * 2 * side * sizeof *m->t);
    m->nt = kind * side;
}

/// One triangle or a tiny box, some way off: mostly where numbers as small as its edges can be told
/// apart in float, on an axis.
static void add_speck(maker *m, gz_random *random, double size, double speck) {
    double at[3], far = size * gz_random_range(random, 0.5, 5);
    uint32_t axis = gz_random_below(random, 3), kind = gz_random_below(random, 6);
    if (gz_random_below(random, 2)) axis = 2;
    draw_point(random, far, at);
    for (uint32_t k = 0; k < 3; k++)
        if (k != axis && gz_random_below(random, 8)) at[k] = 0;
    if (kind == 0) {
        const double half[3] = {speck, speck, speck};
        add_box(m, at, half, 1, 0, false);
        return;
    }
    uint32_t first = (uint32_t)m->nv, u = (axis + 1) % 3, v = (axis + 2) % 3;
    maker_vertex(m, at[0], at[1], at[2]);
    for (int i = 1; i < 3; i++) {
        double p[3] = {at[0], at[1], at[2]};
        if (kind == 1) p[axis] += speck * gz_random_range(random, -1, 1);
        if (kind == 2 && i == 2) p[axis] += size * gz_random_range(random, -0.5, 0.5);
        p[i == 1 ? u : v] += speck * gz_random_range(random, 0.1, 1);
        maker_vertex(m, p[0], p[1], p[2]);
    }
    uint32_t turn = gz_random_below(random, 3);
    maker_triangle(m, first + turn, first + (turn + 1) % 3, first + (turn + 2) % 3);
}

static void add_few(maker *m, gz_random *random, double size) {
    sample_mesh needles = sample_needles(random, 1 + gz_random_below(random, 8));
    const double zero[3] = {0};
    if (gz_random_below(random, 2)) {
        add(m, needles.vertices, needles.vertex_count, needles.triangles, needles.triangle_count,
            zero, 2 * size, false);
    } else {
        maker_soup(m, random, 1 + gz_random_below(random, 3), 0.5);
        maker_scale(m, size);
    }
    sample_mesh_clear(&needles);
}

/// Hills of 2 n n triangles.
static void add_ground(maker *m, gz_random *random, double size, uint32_t n) {
    uint32_t first = (uint32_t)m->nv;
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++)
            maker_vertex(m, size * (2.0 * i / n - 1), size * (2.0 * j / n - 1),
                         size * gz_random_range(random, -0.6, 0.2));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t p = first + i * (n + 1) + j, q = p + n + 1;
            maker_triangle(m, p, q, q + 1);
            maker_triangle(m, p, q + 1, p + 1);
        }
}

/// Walls (whichever way they are wound) or a ground, and things between.
static void add_walls(maker *m, gz_random *random, double size, double speck) {
    const double zero[3] = {0};
    double half[3], at[3];
    for (int k = 0; k < 3; k++) half[k] = gz_random_range(random, 0.8, 2.5);
    uint32_t kind = gz_random_below(random, 4);
    if (kind == 0) {
        add_ground(m, random, half[0], 4 + gz_random_below(random, 28));
    } else {
        add_box(m, zero, half, 1 + gz_random_below(random, 6), kind == 1, kind == 3);
    }
    for (uint32_t i = gz_random_below(random, 12); i > 0; i--) {
        draw_point(random, half[0], at);
        uint32_t what = gz_random_below(random, 3);
        if (what == 0) add_rod(m, random, at, size);
        if (what == 1) add_body(m, random, at, size * mixed_magnitude(random, -1, 0.7));
        if (what == 2) add_speck(m, random, half[0] / 5, speck);
    }
}

maker mixed_mesh_make(gz_random *random, mixed_form form, double size, double speck,
                      const solid_shape *shapes, size_t shape_count) {
    maker m = {0};
    const double zero[3] = {0};
    const solid_shape *shape;
    switch (form) {
    case FORM_SHAPE:
        shape = &shapes[gz_random_below(random, (uint32_t)shape_count)];
        add(&m, shape->mesh.v, shape->mesh.nv, shape->mesh.t, shape->mesh.nt, zero, size / 2,
            gz_random_below(random, 8) == 0);
        break;
    case FORM_OPEN:
        add_open(&m, random, size);
        break;
    case FORM_ROD:
        add_rod(&m, random, zero, size);
        break;
    case FORM_SHEET:
        add_sheet(&m, random, size);
        break;
    case FORM_FEW:
        add_few(&m, random, size);
        break;
    case FORM_WALLS:
        add_walls(&m, random, size, speck);
        break;
    case FORM_SPECKED:
        add_body(&m, random, zero, size);
        for (uint32_t i = 1 + gz_random_below(random, 3); i > 0; i--)
            add_speck(&m, random, size, speck);
        break;
    default:
        add_body(&m, random, zero, size);
        break;
    }
    return m;
}
