// Folding and bounding: links joined by fixed joints move as one, vertices are rounded once into
// the frame of their body, and bounds contain what they are of.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "robot/robot.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/robot/robot_maker.h"

#define LINKS 16

typedef long double real;

/// out = a b, rigid transforms in long double (row-major 3x4).
static void multiply(const real a[12], const real b[12], real out[12]) {
    real m[12];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            m[4 * i + j] = j == 3 ? a[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++) m[4 * i + j] += a[4 * i + k] * b[4 * k + j];
        }
    memcpy(out, m, sizeof m);
}

static void widen(const graze_transform *t, real out[12]) {
    for (int i = 0; i < 12; i++) out[i] = t->m[i];
}

typedef struct element {
    int32_t link;
    graze_shape shape;
    graze_transform origin;
    double size[3], radius, length;
    maker mesh;
} element;

typedef struct model {
    int parent[LINKS];
    bool fixed[LINKS];
    graze_transform origin[LINKS];
    element elements[2 * LINKS];
    size_t element_count;
} model;

static void add_element(model *m, gz_random *r, int32_t link) {
    element *e = &m->elements[m->element_count++];
    *e = (element){.link = link,
                   .shape = (graze_shape)gz_random_below(r, 5),
                   .origin = maker_pose(r, 1),
                   .radius = gz_random_range(r, 0.05, 0.5),
                   .length = gz_random_range(r, 0.05, 1)};
    for (int k = 0; k < 3; k++) e->size[k] = gz_random_range(r, 0.05, 1);
    if (e->shape == GRAZE_SHAPE_MESH) maker_soup(&e->mesh, r, 12, 0.3);
}

static graze_robot *build(model *m, gz_random *r) {
    memset(m, 0, sizeof *m);
    gz_builder *b = gz_builder_create("r", "r.urdf");
    graze_error e;
    for (int i = 0; i < LINKS; i++) {
        char name[16], parent[16];
        int32_t link;
        snprintf(name, sizeof name, "l%d", i);
        assert_int_equal(gz_builder_add_link(b, name, (gz_line){0}, &link, &e), GRAZE_OK);
        m->parent[i] = i ? (int)gz_random_below(r, (uint32_t)i) : -1;
        m->fixed[i] = gz_random_below(r, 2);
        m->origin[i] = maker_pose(r, 2);
        for (uint32_t n = gz_random_below(r, 3); n > 0; n--) add_element(m, r, i);
        snprintf(parent, sizeof parent, "l%d", m->parent[i]);
        if (i)
            assert_int_equal(robot_joint(b,
                                         m->fixed[i] ? GRAZE_JOINT_FIXED : GRAZE_JOINT_CONTINUOUS,
                                         parent, name, &m->origin[i], &e),
                             GRAZE_OK);
    }
    // Elements in reverse: the robot sorts them by link, then as added.
    for (size_t i = m->element_count; i-- > 0;) {
        element *x = &m->elements[i];
        gz_geometry_input in = {.link = x->link,
                                .shape = x->shape,
                                .origin = x->origin,
                                .radius = x->radius,
                                .length = x->length,
                                .scale = {1, 1, 1}};
        memcpy(in.size, x->size, sizeof in.size);
        if (x->shape == GRAZE_SHAPE_MESH) {
            in.soup = gz_soup_create();
            assert_true(in.soup && gz_soup_reserve(in.soup, x->mesh.nv, x->mesh.nt));
            memcpy(in.soup->vertices, x->mesh.v, x->mesh.nv * 3 * sizeof(double));
            memcpy(in.soup->triangles, x->mesh.t, x->mesh.nt * 3 * sizeof(uint32_t));
            in.soup->vertex_count = x->mesh.nv;
            in.soup->triangle_count = x->mesh.nt;
        }
        assert_int_equal(gz_builder_add_geometry(b, &in, &e), GRAZE_OK);
    }
    graze_robot *robot;
    if (gz_builder_finish(b, &robot, &e)) fail_msg("%s", e.message);
    return robot;
}

static void clear(model *m) {
    for (size_t i = 0; i < m->element_count; i++) maker_free(&m->elements[i].mesh);
}

/// The transform from a link to the root of its body: the product of the fixed joints above it.
static int body_of(const model *m, int link, real out[12]) {
    graze_transform one = graze_transform_identity();
    widen(&one, out);
    while (link > 0 && m->fixed[link]) {
        real step[12];
        widen(&m->origin[link], step);
        multiply(step, out, out);
        link = m->parent[link];
    }
    return link;
}

static void test_links_fold_into_the_body_of_the_joint_that_moves_them(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 60; round++) {
        model m;
        graze_robot *robot = build(&m, &r);
        int32_t bodies = 0;
        for (int i = 0; i < LINKS; i++) {
            real want[12];
            int root = body_of(&m, i, want);
            int32_t body = graze_robot_link_body(robot, i);
            assert_int_equal(robot->bodies[body].root_link, root);
            assert_int_equal(body, graze_robot_link_body(robot, root));
            for (int k = 0; k < 12; k++)
                assert_true(fabsl(robot->links[i].in_body.m[k] - want[k]) < 1e-14L);
            if (root != i) continue;
            bodies++;
            if (i == 0) continue;
            // Hung on the parent's body where the parent link is in it.
            int32_t above = graze_robot_link_body(robot, m.parent[i]);
            assert_int_equal(robot->bodies[body].parent, above);
            assert_true(above < body); // parents first
            real origin[12];
            body_of(&m, m.parent[i], want);
            widen(&m.origin[i], origin);
            multiply(want, origin, want);
            for (int k = 0; k < 12; k++)
                assert_true(fabsl(robot->bodies[body].origin[k] - want[k]) < 1e-14L);
            assert_true(robot->bodies[body].moves);
        }
        assert_int_equal(graze_robot_body_count(robot), bodies);
        assert_int_equal(graze_robot_link_body(robot, -1), -1);
        assert_int_equal(graze_robot_link_body(robot, LINKS), -1);
        assert_false(robot->bodies[0].moves);
        clear(&m);
        graze_robot_free(robot);
    }
}

static const element *find_element(const model *m, const graze_geometry *g) {
    int32_t at = 0;
    for (size_t i = m->element_count; i-- > 0;) // in the order of adding
        if (m->elements[i].link == g->owner && at++ == g->element) return &m->elements[i];
    return NULL;
}

static void test_vertices_are_rounded_once_into_the_frame_of_the_body(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 40; round++) {
        model m;
        graze_robot *robot = build(&m, &r);
        assert_int_equal(graze_robot_collision_count(robot), m.element_count);
        int32_t last_link = 0, last_element = -1;
        for (size_t i = 0; i < m.element_count; i++) {
            graze_geometry g;
            assert_int_equal(graze_robot_collision(robot, i, &g), GRAZE_OK);
            bool same = g.owner == last_link;
            assert_true(g.owner >= last_link && g.element == (same ? last_element + 1 : 0));
            last_link = g.owner;
            last_element = g.element;
            const element *x = find_element(&m, &g);
            assert_non_null(x);
            assert_int_equal(g.shape, x->shape);
            assert_memory_equal(&g.origin, &x->origin, sizeof g.origin);
            real to_body[12], origin[12];
            assert_int_equal(g.frame, body_of(&m, g.owner, to_body));
            widen(&x->origin, origin);
            multiply(to_body, origin, to_body);
            if (g.shape != GRAZE_SHAPE_MESH) continue;
            assert_int_equal(g.triangle_count, x->mesh.nt);
            for (size_t t = 0; t < 3 * x->mesh.nt; t++) {
                const double *v = x->mesh.v + 3 * (size_t)x->mesh.t[t],
                             *got = g.vertices + 3 * (size_t)g.triangles[t];
                for (int k = 0; k < 3; k++) {
                    real want = to_body[4 * k + 3];
                    for (int j = 0; j < 3; j++) want += to_body[4 * k + j] * v[j];
                    assert_true(fabsl(got[k] - want) < 1e-13L);
                }
            }
        }
        clear(&m);
        graze_robot_free(robot);
    }
}

/// A point on or in an element, in the link frame.
static void sample(const element *x, gz_random *r, real out[3]) {
    double p[3] = {0, 0, 0}, d[3], n = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = gz_random_range(r, -1, 1);
        n += d[k] * d[k];
    }
    n = sqrt(n) * (1 + 1e-14);
    double flat = hypot(d[0], d[1]) * (1 + 1e-14);
    switch (x->shape) {
    case GRAZE_SHAPE_BOX:
        for (int k = 0; k < 3; k++) p[k] = 0.5 * (d[k] < 0 ? -x->size[k] : x->size[k]);
        break;
    case GRAZE_SHAPE_MESH: {
        uint32_t c = x->mesh.t[gz_random_below(r, (uint32_t)(3 * x->mesh.nt))];
        memcpy(p, x->mesh.v + 3 * (size_t)c, sizeof p);
        break;
    }
    case GRAZE_SHAPE_CYLINDER:
        p[0] = x->radius * d[0] / flat;
        p[1] = x->radius * d[1] / flat;
        p[2] = d[2] < 0 ? -0.5 * x->length : 0.5 * x->length;
        break;
    default: // ball or capsule
        for (int k = 0; k < 3; k++) p[k] = x->radius * d[k] / n;
        if (x->shape == GRAZE_SHAPE_CAPSULE) p[2] += d[2] < 0 ? -0.5 * x->length : 0.5 * x->length;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = x->origin.m[4 * k + 3];
        for (int j = 0; j < 3; j++) out[k] += (real)x->origin.m[4 * k + j] * p[j];
    }
}

static void assert_holds(const graze_sphere *s, const graze_aabb *a, const graze_obb *o,
                         const real p[3]) {
    const double *c = &s->center.x, *low = &a->min.x, *high = &a->max.x, *half = &o->half.x;
    real d2 = 0, d[3] = {p[0] - o->center.x, p[1] - o->center.y, p[2] - o->center.z};
    for (int k = 0; k < 3; k++) {
        const real slack = 1e-15L; // of this test's own arithmetic and sampling
        d2 += (p[k] - c[k]) * (p[k] - c[k]);
        assert_true(p[k] >= low[k] - slack && p[k] <= high[k] + slack);
        const double *axis = &o->axis[k].x;
        assert_true(fabsl(d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2]) <= half[k] + slack);
    }
    assert_true(sqrtl(d2) <= s->radius + 1e-15L);
}

static void test_bounds_of_links_contain_their_geometry(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int round = 0; round < 40; round++) {
        model m;
        graze_robot *robot = build(&m, &r);
        for (int i = 0; i < LINKS; i++) {
            graze_link_bounds b;
            assert_int_equal(graze_robot_link_bounds(robot, i, &b), GRAZE_OK);
            size_t triangles = 0, elements = 0;
            for (size_t k = 0; k < m.element_count; k++) {
                const element *x = &m.elements[k];
                if (x->link != i) continue;
                elements++;
                if (x->shape == GRAZE_SHAPE_BOX) triangles += 12;
                if (x->shape == GRAZE_SHAPE_MESH) triangles += x->mesh.nt;
                for (int n = 0; n < 60; n++) {
                    real p[3];
                    sample(x, &r, p);
                    assert_holds(&b.sphere, &b.aabb, &b.obb, p);
                    // And the bounds in the body's frame.
                    real to_body[12], q[3];
                    body_of(&m, i, to_body);
                    for (int a = 0; a < 3; a++) {
                        q[a] = to_body[4 * a + 3];
                        for (int j = 0; j < 3; j++) q[a] += to_body[4 * a + j] * p[j];
                    }
                    const gz_link *l = &robot->links[i];
                    assert_holds(&l->sphere, &l->aabb, &l->obb, q);
                }
            }
            assert_int_equal(b.empty, elements == 0);
            assert_int_equal(b.triangle_count, triangles);
            if (b.empty) assert_true(b.sphere.radius == 0);
        }
        graze_link_bounds b;
        assert_int_equal(graze_robot_link_bounds(robot, LINKS, &b), GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_robot_link_bounds(robot, -1, &b), GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_robot_link_bounds(robot, 0, NULL), GRAZE_ERROR_ARGUMENT);
        clear(&m);
        graze_robot_free(robot);
    }
}

static void test_pads_of_posed_bounds_are_set(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    model m;
    graze_robot *robot = build(&m, &r);
    for (int i = 0; i < LINKS; i++) {
        const gz_link *l = &robot->links[i];
        if (!l->collision_count) continue;
        double reach = hypot(hypot(l->sphere.center.x, l->sphere.center.y), l->sphere.center.z) +
                       l->sphere.radius;
        // No less than what one rotation rounds, no more than a picometre a metre or so.
        assert_true(l->pad >= 0x1p-48 * reach && l->pad <= 1e-10 * (reach + 1));
    }
    clear(&m);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_fold_into_the_body_of_the_joint_that_moves_them),
        cmocka_unit_test(test_vertices_are_rounded_once_into_the_frame_of_the_body),
        cmocka_unit_test(test_bounds_of_links_contain_their_geometry),
        cmocka_unit_test(test_pads_of_posed_bounds_are_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
