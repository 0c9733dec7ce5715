#include "solid_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "posed_mesh.h"
#include "sample_mesh.h"
#include "test_robot.h"

static const double origin[3] = {0, 0, 0};

static void ball(maker *m, double x, double y, double z, double radius) {
    const double center[3] = {x, y, z};
    maker_sphere(m, center, radius, 5, 7);
}

static void box(maker *m, double x, double y, double z, double hx, double hy, double hz) {
    const double center[3] = {x, y, z}, half[3] = {hx, hy, hz};
    maker_box(m, center, half);
}

static void flip(maker *m, size_t first, size_t end) {
    size_t all = m->nt;
    m->nt = end;
    maker_flip(m, first);
    m->nt = all;
}

/// Takes triangles out of the middle of the list.
static void take(maker *m, size_t first, size_t count) {
    memmove(m->t + 3 * first, m->t + 3 * (first + count),
            3 * (m->nt - first - count) * sizeof *m->t);
    m->nt -= count;
}

/// A grid of n by k quads on a surface, its rows joined into a ring; the columns too where `turn`
/// is 0 or 1 (1: joined with a twist, so that the surface has one side only).
static void grid(maker *m, int n, int k, int turn, void (*place)(double u, double v, double p[3])) {
    uint32_t first = (uint32_t)m->nv, columns = (uint32_t)(turn < 0 ? k + 1 : k);
    for (int i = 0; i < n; i++)
        for (uint32_t j = 0; j < columns; j++) {
            double p[3];
            place((double)i / n, (double)j / k, p);
            maker_vertex(m, p[0], p[1], p[2]);
        }
    for (int i = 0; i < n; i++)
        for (uint32_t j = 0; j < (uint32_t)k; j++) {
            uint32_t corner[4];
            for (uint32_t e = 0; e < 4; e++) {
                uint32_t row = (uint32_t)i + (e == 1 || e == 2), column = j + (e >= 2);
                bool around = row == (uint32_t)n;
                if (around) row = 0;
                if (turn >= 0) column %= columns;
                if (around && turn == 1) column = (columns - column) % columns;
                corner[e] = first + row * columns + column;
            }
            maker_triangle(m, corner[0], corner[1], corner[2]);
            maker_triangle(m, corner[0], corner[2], corner[3]);
        }
}

static const double tau = 6.28318530717958647692;

static void klein_bottle(double u, double v, double p[3]) {
    double a = tau * u, b = tau * v,
           r = 0.7 + 0.25 * (cos(a / 2) * sin(b) - sin(a / 2) * sin(2 * b));
    p[0] = r * cos(a);
    p[1] = r * sin(a);
    p[2] = 0.25 * (sin(a / 2) * sin(b) + cos(a / 2) * sin(2 * b));
}

static void tube(double u, double v, double p[3]) {
    p[0] = 0.4 * cos(tau * u);
    p[1] = 0.4 * sin(tau * u);
    p[2] = 1.6 * v - 0.8;
}

static void funnel(double u, double v, double p[3]) {
    double r = 0.2 + 0.7 * v * v;
    p[0] = r * cos(tau * u);
    p[1] = r * sin(tau * u) * 0.8;
    p[2] = v - 0.5 + 0.1 * sin(2 * tau * u); // the rims are not flat
}

static void knot(double u, double v, double p[3]) {
    double a = tau * u, b = tau * v, r = 0.6 + 0.25 * cos(3 * a);
    p[0] = (r + 0.12 * cos(b)) * cos(2 * a);
    p[1] = (r + 0.12 * cos(b)) * sin(2 * a);
    p[2] = 0.25 * sin(3 * a) + 0.12 * sin(b);
}

// ------------------------------------------------------------------------------------- the list

typedef struct recipe {
    const char *name;
    bool lattice;
    int link; // 1 and 2: links of the shipped robot
} recipe;

enum {
    BALL,
    BOX,
    TORUS,
    KNOT,
    TETRAHEDRON,
    HOLLOW,
    HOLLOW_FILLED,
    ONION,
    NESTED,
    OVERLAPPING,
    THREE_OVERLAPPING,
    REVERSED,
    REVERSED_OVERLAPPING,
    DOUBLED,
    CANCELLED,
    BOX_IN_BOX,
    SHARED_FACE,
    SHARED_EDGE,
    SHARED_VERTEX,
    STEPS,
    PIERCED,
    HOLES,
    BOWL,
    CRATE,
    TUBE,
    FUNNEL,
    FLIPPED_TRIANGLE,
    FLIPPED_FACE,
    DOUBLED_FACE,
    CLOSED_AND_OPEN,
    LITTERED,
    KLEIN,
    BOOK,
    SHEET,
    SOUP,
    NEEDLES,
    DEGENERATE,
    BEADS,
    LINK_A,
    LINK_B,
    SHAPE_COUNT
};

static const recipe recipes[SHAPE_COUNT] = {
    [BALL] = {"ball", false, 0},
    [BOX] = {"box", true, 0},
    [TORUS] = {"torus", false, 0},
    [KNOT] = {"trefoil knot", false, 0},
    [TETRAHEDRON] = {"tetrahedron", true, 0},
    [HOLLOW] = {"hollow ball", false, 0},
    [HOLLOW_FILLED] = {"hollow ball with a ball inside", false, 0},
    [ONION] = {"onion of hollow boxes", true, 0},
    [NESTED] = {"nested shells, all outward", false, 0},
    [OVERLAPPING] = {"two overlapping shells", false, 0},
    [THREE_OVERLAPPING] = {"three overlapping boxes", true, 0},
    [REVERSED] = {"reversed ball", false, 0},
    [REVERSED_OVERLAPPING] = {"a shell overlapping a reversed one", false, 0},
    [DOUBLED] = {"doubled shell", false, 0},
    [CANCELLED] = {"shell with its reverse", false, 0},
    [BOX_IN_BOX] = {"box in a box, touching from inside", true, 0},
    [SHARED_FACE] = {"two boxes with a common face", true, 0},
    [SHARED_EDGE] = {"two boxes with a common edge", true, 0},
    [SHARED_VERTEX] = {"two boxes with a common corner", true, 0},
    [STEPS] = {"steps", true, 0},
    [PIERCED] = {"ball without one triangle", false, 0},
    [HOLES] = {"ball with several holes", false, 0},
    [BOWL] = {"bowl", false, 0},
    [CRATE] = {"crate", true, 0},
    [TUBE] = {"tube", false, 0},
    [FUNNEL] = {"funnel with bent rims", false, 0},
    [FLIPPED_TRIANGLE] = {"box with a triangle flipped", true, 0},
    [FLIPPED_FACE] = {"ball with flipped triangles", false, 0},
    [DOUBLED_FACE] = {"box with a face twice", true, 0},
    [CLOSED_AND_OPEN] = {"ball in a crate", false, 0},
    [LITTERED] = {"crate with loose triangles", false, 0},
    [KLEIN] = {"Klein bottle", false, 0},
    [BOOK] = {"book of three pages", true, 0},
    [SHEET] = {"sheet", true, 0},
    [SOUP] = {"soup", false, 0},
    [NEEDLES] = {"needles in a ball", false, 0},
    [DEGENERATE] = {"box with degenerate triangles", true, 0},
    [BEADS] = {"beads", false, 0},
    [LINK_A] = {"link of the shipped robot", false, 1},
    [LINK_B] = {"another link", false, 2},
};

static void make_closed(int which, maker *m) {
    switch (which) {
    case BALL:
        ball(m, 0, 0, 0, 0.9);
        break;
    case BOX:
        box(m, 0, 0, 0, 0.5, 0.75, 1);
        break;
    case TORUS:
        maker_torus(m, 0.7, 0.3, 9, 7);
        break;
    case KNOT:
        grid(m, 36, 5, 0, knot);
        break;
    case TETRAHEDRON:
        for (uint32_t i = 0; i < 4; i++) maker_vertex(m, i == 1, i == 2, i == 3);
        maker_triangle(m, 0, 2, 1);
        maker_triangle(m, 0, 1, 3);
        maker_triangle(m, 0, 3, 2);
        maker_triangle(m, 1, 2, 3);
        break;
    case ONION:
        for (int i = 0; i < 4; i++) {
            size_t first = m->nt;
            box(m, 0, 0, 0, 1 - 0.25 * i, 1 - 0.25 * i, 1 - 0.25 * i);
            if (i % 2) maker_flip(m, first);
        }
        break;
    case NESTED:
        for (int i = 0; i < 3; i++) ball(m, 0.05 * i, 0, 0, 1 - 0.3 * i);
        break;
    case OVERLAPPING:
        ball(m, -0.3, 0, 0, 0.6);
        ball(m, 0.3, 0.1, 0, 0.6);
        break;
    case THREE_OVERLAPPING:
        for (int i = 0; i < 3; i++) box(m, 0.25 * i - 0.25, 0.125 * i, 0, 0.5, 0.5, 0.625);
        break;
    case BOX_IN_BOX:
        box(m, 0, 0, 0, 0.75, 0.75, 0.75);
        box(m, 0.25, 0, 0, 0.5, 0.5, 0.5); // shares the plane of a face
        break;
    case SHARED_FACE:
        box(m, -0.5, 0, 0, 0.5, 0.5, 0.5);
        box(m, 0.5, 0, 0, 0.5, 0.5, 0.5);
        break;
    case SHARED_EDGE:
        box(m, -0.5, -0.5, 0, 0.5, 0.5, 0.5);
        box(m, 0.5, 0.5, 0, 0.5, 0.5, 0.5);
        break;
    case SHARED_VERTEX:
        box(m, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
        box(m, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5);
        break;
    case STEPS:
        for (int i = 0; i < 3; i++) box(m, 0.5 * i - 0.5, 0, 0.25 * i, 0.25, 0.5, 0.25 + 0.25 * i);
        break;
    case BEADS:
        for (int i = 0; i < 9; i++)
            ball(m, 0.9 * cos(tau * i / 9), 0.9 * sin(tau * i / 9), 0, 0.08 + 0.01 * i);
        break;
    default:
        give_up("shape", "unknown");
    }
}

static void make_reversed(int which, maker *m) {
    switch (which) {
    case HOLLOW:
    case HOLLOW_FILLED: {
        ball(m, 0, 0, 0, 1);
        size_t first = m->nt;
        ball(m, 0.1, 0, 0, 0.6);
        maker_flip(m, first);
        if (which == HOLLOW_FILLED) ball(m, 0.1, 0, 0, 0.25);
        break;
    }
    case REVERSED:
        ball(m, 0, 0, 0, 0.9);
        maker_flip(m, 0);
        break;
    case REVERSED_OVERLAPPING:
        ball(m, 0.35, 0, 0, 0.6);
        maker_flip(m, 0);
        ball(m, -0.35, 0.1, 0, 0.6);
        break;
    case DOUBLED:
    case CANCELLED: {
        ball(m, 0, 0, 0, 0.8);
        size_t first = m->nt;
        ball(m, 0, 0, 0, 0.8);
        if (which == CANCELLED) maker_flip(m, first);
        break;
    }
    default:
        give_up("shape", "unknown");
    }
}

static void make_open(int which, maker *m) {
    switch (which) {
    case PIERCED:
        ball(m, 0, 0, 0, 0.9);
        take(m, 17, 1);
        break;
    case HOLES:
        ball(m, 0, 0, 0, 0.9);
        take(m, 40, 3);
        take(m, 20, 6);
        take(m, 3, 2);
        break;
    case BOWL:
        maker_sphere(m, origin, 0.9, 8, 9);
        for (size_t t = m->nt; t-- > 0;) { // what is above, or nearly, goes
            double top = 0;
            for (size_t k = 0; k < 3; k++) top = fmax(top, m->v[3 * m->t[3 * t + k] + 2]);
            if (top > 0.2) take(m, t, 1);
        }
        break;
    case CRATE:
    case CLOSED_AND_OPEN:
    case LITTERED:
        box(m, 0, 0, 0, 0.75, 0.75, 0.75);
        take(m, 2, 2); // the top
        if (which == CLOSED_AND_OPEN) ball(m, 0, 0, 0.2, 0.3);
        if (which == LITTERED) {
            gz_random random = gz_random_make(6, 0);
            maker_soup(m, &random, 8, 0.3);
        }
        break;
    case TUBE:
        grid(m, 8, 3, -1, tube);
        break;
    case FUNNEL:
        grid(m, 9, 4, -1, funnel);
        break;
    case FLIPPED_TRIANGLE:
        box(m, 0, 0, 0, 0.5, 0.75, 0.5);
        flip(m, 5, 6);
        break;
    case FLIPPED_FACE:
        ball(m, 0, 0, 0, 0.9);
        flip(m, 8, 11);
        flip(m, 30, 31);
        break;
    case DOUBLED_FACE:
        box(m, 0, 0, 0, 0.5, 0.75, 0.5);
        for (size_t t = 0; t < 2; t++)
            maker_triangle(m, m->t[3 * t], m->t[3 * t + 1], m->t[3 * t + 2]);
        break;
    case KLEIN:
        grid(m, 12, 8, 1, klein_bottle);
        break;
    case BOOK:
        for (uint32_t i = 0; i < 2; i++) maker_vertex(m, 0, 0, i);
        for (uint32_t i = 0; i < 3; i++) {
            maker_vertex(m, i == 0 ? 1 : -0.5, i == 0 ? 0 : i == 1 ? 0.75 : -0.75, 0);
            maker_vertex(m, i == 0 ? 1 : -0.5, i == 0 ? 0 : i == 1 ? 0.75 : -0.75, 1);
            maker_triangle(m, 0, 2 + 2 * i, 3 + 2 * i);
            maker_triangle(m, 0, 3 + 2 * i, 1);
        }
        break;
    case SHEET:
        for (uint32_t i = 0; i < 9; i++)
            maker_vertex(m, 0.5 * (i % 3) - 0.5, 0.5 * (i / 3) - 0.5, i == 4 ? 0.25 : 0);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t a = i % 2 + 3 * (i / 2);
            maker_triangle(m, a, a + 1, a + 4);
            maker_triangle(m, a, a + 4, a + 3);
        }
        break;
    default:
        give_up("shape", "unknown");
    }
}

static void make_soup(int which, maker *m) {
    gz_random random = gz_random_make(5, 0);
    if (which == SOUP) {
        maker_soup(m, &random, 40, 0.5);
    } else if (which == NEEDLES) {
        ball(m, 0, 0, 0, 1);
        maker_needles(m, &random, 20);
    } else {
        box(m, 0, 0, 0, 0.5, 0.75, 0.5);
        maker_triangle(m, 0, 0, 1);
        maker_triangle(m, 2, 2, 2);
        uint32_t middle = maker_vertex(m, -0.5, 0, -0.5);
        maker_triangle(m, m->t[0], middle, m->t[1]);
        maker_triangle(m, m->t[1], middle, m->t[0]);
    }
}

/// A link's mesh, about 1 in size.
static void make_link(const graze_robot *robot, const char *name, maker *m) {
    graze_geometry g = test_robot_mesh(robot, name);
    double size = 0, low[3], high[3];
    for (size_t k = 0; k < 3; k++) {
        low[k] = INFINITY, high[k] = -INFINITY;
        for (size_t i = 0; i < g.vertex_count; i++) {
            low[k] = fmin(low[k], g.vertices[3 * i + k]);
            high[k] = fmax(high[k], g.vertices[3 * i + k]);
        }
        size = fmax(size, high[k] - low[k]);
    }
    for (size_t i = 0; i < g.vertex_count; i++) {
        const double *p = g.vertices + 3 * i;
        maker_vertex(m, (p[0] - (low[0] + high[0]) / 2) * 1.6 / size,
                     (p[1] - (low[1] + high[1]) / 2) * 1.6 / size,
                     (p[2] - (low[2] + high[2]) / 2) * 1.6 / size);
    }
    for (size_t t = 0; t < g.triangle_count; t++)
        maker_triangle(m, g.triangles[3 * t], g.triangles[3 * t + 1], g.triangles[3 * t + 2]);
}

solid_shape *solid_shapes_make(size_t *count) {
    solid_shape *shapes = allocate(SHAPE_COUNT, sizeof *shapes);
    graze_robot *robot = test_robot_load("heron");
    for (int i = 0; i < SHAPE_COUNT; i++) {
        maker *m = &shapes[i].mesh;
        shapes[i].name = recipes[i].name;
        shapes[i].lattice = recipes[i].lattice;
        if (recipes[i].link) {
            make_link(robot, recipes[i].link == 1 ? "estop_link" : "laser_link", m);
        } else if (i == SOUP || i == NEEDLES || i == DEGENERATE) {
            make_soup(i, m);
        } else if (i == HOLLOW || i == HOLLOW_FILLED || (i >= REVERSED && i <= CANCELLED)) {
            make_reversed(i, m);
        } else if (i >= PIERCED && i <= SHEET) {
            make_open(i, m);
        } else {
            make_closed(i, m);
        }
    }
    graze_robot_free(robot);
    *count = SHAPE_COUNT;
    return shapes;
}

void solid_shapes_free(solid_shape *shapes, size_t count) {
    for (size_t i = 0; i < count; i++) maker_free(&shapes[i].mesh);
    free(shapes);
}
