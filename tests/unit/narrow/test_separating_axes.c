// Each separating axis of the float tests at its own pad: two boxes of trees (15 axes), triangles
// of packets (2 planes, 9 products of edges) and planes between proxies. Poses are drawn until one
// axis alone parts the two; they are then moved along it, and where the test changes its mind is
// bisected and held to the pad. The pads are far larger than what floats round, so that a pad that
// is halved or left out, an axis without its test and an extent that is too long all fail. The
// gaps are computed here from the definition, in long double.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TREE_PAIR_NAME    "test"
#define TREE_PAIR_KERNELS test_axes_kernels
#include "narrow/tree_pair.inl"

#include "base/random.h"
#include "math/transform.h"
#include "unit/mesh/mesh_maker.h"

typedef long double real;

#define PAD 0x1p-10f

/// Cases of each axis, and how many draws may be needed for them all.
enum { CASES = 24, DRAWS = 4000000, BOX_AXES = 15, TRIANGLE_AXES = 11 };

/// A convex body as its corners.
typedef struct body {
    real corner[8][3];
    int count;
} body;

static void cross(const real a[3], const real b[3], real out[3]) {
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = a[u] * b[v] - a[v] * b[u];
    }
}

static real norm(const real n[3], int power) {
    real sum = 0;
    for (int k = 0; k < 3; k++) sum += power == 1 ? fabsl(n[k]) : n[k] * n[k];
    return power == 1 ? sum : sqrtl(sum);
}

/// The gap along n, of any length, a moved by `way` times n.
static real gap_along(const body *a, const body *b, const real n[3], real way) {
    real low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2; side++) {
        const body *s = side ? b : a;
        for (int i = 0; i < s->count; i++) {
            real at = side ? 0 : way * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int k = 0; k < 3; k++) at += n[k] * s->corner[i][k];
            low[side] = fminl(low[side], at);
            high[side] = fmaxl(high[side], at);
        }
    }
    return fmaxl(low[1] - high[0], low[0] - high[1]);
}

/// Moves a along axis k until the two touch there. Returns whether all other axes overlap by a
/// hundredth, so that k alone decides nearby, and the direction that parts them, of length 1.
static bool touch_along(body *a, const body *b, const real (*axis)[3], int count, int k,
                        real out[3]) {
    const real length = norm(axis[k], 2);
    if (length < 0.1L) return false;
    const real gap = gap_along(a, b, axis[k], 0),
               sign = gap_along(a, b, axis[k], 1e-3L) < gap ? -1 : 1;
    for (int j = 0; j < 3; j++) {
        out[j] = sign * axis[k][j] / length;
        for (int i = 0; i < a->count; i++) a->corner[i][j] -= gap / length * out[j];
    }
    for (int j = 0; j < count; j++) {
        const real size = norm(axis[j], 2);
        if (j != k && size > 1e-6L && gap_along(a, b, axis[j], 0) > -0.02L * size) return false;
    }
    return true;
}

/// Where a decision changes between two ways.
static real bisect(bool (*apart)(void *user, real way), void *user, real low, real high) {
    assert_false(apart(user, low));
    assert_true(apart(user, high));
    for (int i = 0; i < 40; i++) {
        const real middle = (low + high) / 2;
        *(apart(user, middle) ? &high : &low) = middle;
    }
    return high;
}

static void expect_near(real found, real wanted) {
    if (fabsl(found - wanted) > 0.01L * wanted)
        fail_msg("the test changes its mind at %Lg, its pad is %Lg", found, wanted);
}

// ------------------------------------------------------------------------------------------ boxes

typedef struct two_boxes {
    gz_box a;
    gz_node node;
    float r[3][3], abs_r[3][3];
    real shift[3], way[3]; ///< from a's frame; the direction in which it is moved
    real axis[BOX_AXES][3];
    body corners[2];
    float margin; ///< less than the pad
    bool near;
} two_boxes;

static void draw_boxes(gz_random *random, two_boxes *out) {
    double x[4], pose[12];
    const double none[3] = {0};
    *out = (two_boxes){.node.count = 1, .corners = {{.count = 8}, {.count = 8}}};
    do {
        for (int k = 0; k < 4; k++) x[k] = gz_random_range(random, -1, 1);
    } while (!(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(x[3]) > 0.1));
    memcpy(pose, graze_transform_from_xyz_quat(none, x).m, sizeof pose);
    for (int k = 0; k < 3; k++) {
        out->a.center[k] = (float)gz_random_range(random, -1, 1);
        out->a.half[k] = (float)gz_random_range(random, 0.1, 1);
        for (int i = 0; i < GZ_WIDTH; i++) {
            out->node.center[k][i] = (float)(i ? 100 : gz_random_range(random, -1, 1));
            out->node.half[k][i] = (float)gz_random_range(random, 0.1, 1);
        }
        out->axis[k][k] = 1;
        for (int j = 0; j < 3; j++) {
            out->r[k][j] = (float)pose[4 * k + j];
            out->abs_r[k][j] = fabsf(out->r[k][j]);
            out->axis[3 + j][k] = (real)out->r[k][j];
        }
        out->shift[k] = (real)gz_random_range(random, -1.5, 1.5);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) cross(out->axis[i], out->axis[3 + j], out->axis[6 + 3 * i + j]);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            const real sign = i >> k & 1 ? 1 : -1;
            out->corners[1].corner[i][k] = (real)out->node.center[k][0] +
                                           sign * (real)out->node.half[k][0];
            out->corners[0].corner[i][k] = out->shift[k];
            for (int j = 0; j < 3; j++)
                out->corners[0].corner[i][k] += (real)out->r[k][j] *
                                                ((real)out->a.center[j] +
                                                 (i >> j & 1 ? 1 : -1) * (real)out->a.half[j]);
        }
}

static bool boxes_apart(void *user, real way) {
    two_boxes *c = user;
    float t[3], keys[GZ_WIDTH];
    for (int k = 0; k < 3; k++) t[k] = (float)(c->shift[k] + way * c->way[k]);
    const unsigned mask = c->near
                              ? node_mask(&c->node, &c->a, c->r, c->abs_r, t, PAD + c->margin,
                                          c->margin, keys, true)
                              : node_mask(&c->node, &c->a, c->r, c->abs_r, t, PAD, 0, keys, false);
    return !(mask & 1);
}

/// Draws two boxes that touch along axis k, and there alone.
static bool draw_touching_boxes(gz_random *random, int k, two_boxes *out) {
    draw_boxes(random, out);
    const body before = out->corners[0];
    if (!touch_along(&out->corners[0], &out->corners[1], (const real(*)[3])out->axis, BOX_AXES, k,
                     out->way))
        return false;
    for (int i = 0; i < 3; i++) out->shift[i] += out->corners[0].corner[0][i] - before.corner[0][i];
    return true;
}

static void each_axis_of_two_boxes_decides_at_its_pad(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 0);
    int found[BOX_AXES] = {0}, missing = BOX_AXES * CASES;
    for (int draw = 0; missing && draw < DRAWS; draw++) {
        two_boxes c;
        const int k = draw % BOX_AXES;
        if (found[k] == CASES || !draw_touching_boxes(&random, k, &c)) continue;
        c.near = found[k] % 2;
        c.margin = c.near ? 0x1p-9f : 0;
        // The gap along an axis that is a product is as much longer as that is. Under a margin the
        // pad holds it, for shorter axes too.
        expect_near(bisect(boxes_apart, &c, 0, 0.019L) * norm(c.axis[k], 2),
                    (real)PAD + (real)c.margin);
        found[k]++;
        missing--;
    }
    assert_int_equal(missing, 0);
}

// -------------------------------------------------------------------------------------- triangles

typedef struct two_triangles {
    body corners[2];
    real way[3];
    real axis[TRIANGLE_AXES][3];
    packet_pads pads;
} two_triangles;

static void draw_triangles(gz_random *random, two_triangles *out) {
    real edge[2][3][3];
    *out = (two_triangles){.corners = {{.count = 3}, {.count = 3}}, .pads = {.pad = PAD}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                out->corners[side].corner[i][k] = (real)(float)gz_random_range(random, -1, 1);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                edge[side][i][k] = out->corners[side].corner[(i + 1) % 3][k] -
                                   out->corners[side].corner[i][k];
        cross(edge[side][0], edge[side][1], out->axis[side]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) cross(edge[0][i], edge[1][j], out->axis[2 + 3 * i + j]);
}

static bool triangles_apart(void *user, real way) {
    two_triangles *c = user;
    packet_pair p = {.pads = c->pads, .b_lanes = 0xff};
    float b[3][3][GZ_WIDTH];
    lanes3 a[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < GZ_WIDTH; lane++) {
                p.moved[i][k][lane] = (float)(c->corners[0].corner[i][k] + way * c->way[k]);
                b[i][k][lane] = (float)c->corners[1].corner[i][k];
            }
    for (int i = 0; i < 3; i++) {
        a[i] = load_lanes3((const float(*)[GZ_WIDTH])p.moved[i]);
        p.b[i] = load_lanes3((const float(*)[GZ_WIDTH])b[i]);
    }
    const bool near = c->pads.margin > 0;
    p.b_planes = make_planes(p.b, &p.pads, near);
    const plane_lanes planes = make_planes(a, &p.pads, near);
    gz_f8_store(p.planes[0], planes.n.x);
    gz_f8_store(p.planes[1], planes.n.y);
    gz_f8_store(p.planes[2], planes.n.z);
    gz_f8_store(p.planes[3], planes.offset);
    gz_f8_store(p.planes[4], planes.pad);
    const unsigned mask = near ? packet_mask(&p, 5, true) : packet_mask(&p, 5, false);
    assert_true(mask == 0 || mask == 0xff);
    return !mask;
}

/// What pad_along() bounds: |n|_1 pads, |n| margins (the length up to 16 % too long), and `flat`.
static void expect_pad(const two_triangles *c, const real n[3], real gap) {
    const real least = norm(n, 1) * (real)c->pads.pad + (real)c->pads.flat;
    const real margin = norm(n, 2) * (real)c->pads.margin;
    if (gap < (least + margin) * 0.99L || gap > (least + 1.16L * margin) * 1.01L)
        fail_msg("apart at %Lg, the pad is %Lg", gap, least + margin);
}

static void each_axis_of_two_triangles_decides_at_its_pad(void **state) {
    (void)state;
    gz_random random = gz_random_make(2, 0);
    int found[TRIANGLE_AXES] = {0}, missing = TRIANGLE_AXES * CASES;
    const real planes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int draw = 0; missing && draw < DRAWS; draw++) {
        two_triangles c;
        const int k = draw % TRIANGLE_AXES;
        if (found[k] == CASES) continue;
        draw_triangles(&random, &c);
        if (!touch_along(&c.corners[0], &c.corners[1], (const real(*)[3])c.axis, TRIANGLE_AXES, k,
                         c.way))
            continue;
        bool clear = false;
        for (int i = 0; i < 3; i++)
            clear = clear || gap_along(&c.corners[0], &c.corners[1], planes[i], 0) > -0.02L;
        if (clear) continue; // their boxes might part them under a margin
        c.pads.margin = found[k] % 3 == 1 ? 0x1p-9f : 0;
        c.pads.flat = found[k] % 3 == 2 ? 0x1p-11f : 0;
        expect_pad(&c, c.axis[k], bisect(triangles_apart, &c, 0, 0.019L) * norm(c.axis[k], 2));
        found[k]++;
        missing--;
    }
    assert_int_equal(missing, 0);
}

// ---------------------------------------------------------------------------------------- proxies

/// A box, and others inside of it, so that there are triangles enough for a proxy.
static graze_mesh *make_box(const float half[3]) {
    maker m = {0};
    const double origin[3] = {0, 0, 0};
    for (double scale = 1; scale > 0.1; scale -= 0.125)
        maker_box(&m, origin,
                  (const double[3]){scale * (double)half[0], scale * (double)half[1],
                                    scale * (double)half[2]});
    graze_mesh *mesh = maker_finish(&m);
    assert_non_null(mesh->proxy);
    return mesh;
}

typedef struct two_proxies {
    two_boxes boxes;
    gz_proxy_pair pair;
} two_proxies;

static bool proxies_are_apart(void *user, real way) {
    two_proxies *c = user;
    for (int k = 0; k < 3; k++) c->pair.t[k] = (float)(c->boxes.shift[k] + way * c->boxes.way[k]);
    return proxies_apart(&c->pair);
}

/// Whether a plane that was kept where the two touch holds `pads` pads farther on.
static bool holds_at(two_proxies *c, real share, real pads) {
    for (int k = 0; k < 3; k++)
        c->pair.t[k] = (float)(c->boxes.shift[k] + pads / share * (real)PAD * c->boxes.way[k]);
    return plane_holds(&c->pair);
}

/// The first direction is the axis that parts the boxes. It parts them for a gap of two pads, of
/// the direction with magnitudes that add up to 1; others may do so sooner, but not below two pads.
/// A plane that was kept does so from one pad on.
static void expect_planes(two_boxes *boxes, const real axis[3]) {
    two_proxies c = {.boxes = *boxes};
    gz_proxy_plane plane = {{0}, 0};
    const gz_node *node = &boxes->node;
    const float half[3] = {node->half[0][0], node->half[1][0], node->half[2][0]};
    const real share = norm(axis, 2) / norm(axis, 1); // of the way in the gap
    for (int i = 0; i < 3; i++) {
        // Both around their origins.
        c.boxes.shift[i] -= (real)node->center[i][0];
        for (int j = 0; j < 3; j++)
            c.boxes.shift[i] += (real)boxes->r[i][j] * (real)boxes->a.center[j];
        plane.normal[i] = (float)(boxes->way[i] * share);
        plane.high += fabsf(plane.normal[i]) * half[i];
    }
    graze_mesh *a = make_box(boxes->a.half), *b = make_box(half);
    c.pair = (gz_proxy_pair){.a = a, .b = b, .pad = PAD};
    memcpy(c.pair.r, boxes->r, sizeof c.pair.r);
    const real at = bisect(proxies_are_apart, &c, 0, 0.019L);
    assert_true(at * 1.01L > 2 * (real)PAD);
    assert_true(at * share < 2 * (real)PAD * 1.01L);
    c.pair.plane = &plane;
    assert_false(holds_at(&c, share, 0.99L));
    assert_true(holds_at(&c, share, 1.01L));
    graze_mesh_free(a);
    graze_mesh_free(b);
}

static void planes_of_proxies_keep_their_pads(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 0);
    int found[BOX_AXES] = {0}, missing = BOX_AXES * 4;
    for (int draw = 0; missing && draw < DRAWS; draw++) {
        two_boxes c;
        const int k = draw % BOX_AXES;
        if (found[k] == 4 || !draw_touching_boxes(&random, k, &c)) continue;
        expect_planes(&c, c.axis[k]);
        found[k]++;
        missing--;
    }
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_axis_of_two_boxes_decides_at_its_pad),
        cmocka_unit_test(each_axis_of_two_triangles_decides_at_its_pad),
        cmocka_unit_test(planes_of_proxies_keep_their_pads),
    };
    return cmocka_run_group_tests_name("separating_axes", tests, NULL, NULL);
}
