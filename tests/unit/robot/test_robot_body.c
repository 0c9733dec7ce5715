// Folding and bounding: links joined by fixed joints move as one, vertices are rounded once into
// the frame of their body, and bounds contain what they are of.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "math/transform.h"
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
        double radius = hypot(hypot(l->sphere.center.x, l->sphere.center.y), l->sphere.center.z) +
                        l->sphere.radius;
        // No less than what one rotation rounds, no more than a picometre a metre or so.
        assert_true(l->pad >= 0x1p-48 * radius && l->pad <= 1e-10 * (radius + 1));
    }
    clear(&m);
    graze_robot_free(robot);
}

/// A box that a link carries in a pose stretched, sheared or shrunk as far as is accepted.
static graze_robot *carry(const graze_transform *pose, int times) {
    static const char urdf[] = "<robot name='r'><link name='a'/></robot>";
    graze_robot *robot;
    assert_int_equal(graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "r", ".", NULL, NULL),
                     GRAZE_OK);
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {2, 2, 2}};
    static const char *const names[] = {"a", "b1", "b2", "b3"};
    for (int i = 0; i < times; i++) {
        graze_attachment body = {.struct_size = sizeof(graze_attachment),
                                 .name = names[i + 1],
                                 .link = names[i],
                                 .pose = *pose,
                                 .geometry = &box};
        graze_robot *more;
        graze_error e;
        if (graze_robot_attach(&more, robot, &body, &e)) fail_msg("%s", e.message);
        graze_robot_free(robot);
        robot = more;
    }
    return robot;
}

static void test_bounds_hold_what_is_attached_in_a_pose_not_quite_rigid(void **state) {
    (void)state;
    gz_random r = gz_random_make(20260101, 0);
    for (int test = 0; test < 300; test++) {
        graze_transform pose = maker_pose(&r, 1);
        double stretch[9];
        for (int k = 0; k < 9; k++) stretch[k] = gz_random_range(&r, -2.4e-10, 2.4e-10);
        for (int k = 0; k < 3; k++)
            if (test % 3) stretch[4 * k] = test % 3 == 1 ? 2.4e-10 : -2.4e-10;
        graze_transform off = pose;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    off.m[4 * i + j] += pose.m[4 * i + k] * stretch[3 * k + j];
        int times = 1 + test % 2;
        graze_robot *robot = carry(&off, times);
        const gz_link *l = &robot->links[times];
        const graze_link_bounds *local = &l->local;
        // The corners, which stand in the frame of the body, as the link's frame has them: solved
        // for in long double, not turned back.
        real m[12], inverse[9];
        widen(&l->in_body, m);
        real det = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
                   m[2] * (m[4] * m[9] - m[5] * m[8]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
                inverse[3 * j + i] = (m[4 * a + c] * m[4 * b + d] - m[4 * a + d] * m[4 * b + c]) /
                                     det;
            }
        const graze_mesh *mesh = robot->collisions[l->first_collision].shape.mesh;
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            real p[3], square = 0;
            const double *center = GZ_ARRAY3(local->sphere.center),
                         *low = GZ_ARRAY3(local->aabb.min), *high = GZ_ARRAY3(local->aabb.max);
            for (int i = 0; i < 3; i++) {
                p[i] = 0;
                for (int k = 0; k < 3; k++)
                    p[i] += inverse[3 * i + k] * (mesh->vertices[3 * v + (size_t)k] - m[4 * k + 3]);
                square += (p[i] - center[i]) * (p[i] - center[i]);
                assert_true(p[i] >= low[i] && p[i] <= high[i]);
            }
            assert_true(square <= (real)local->sphere.radius * local->sphere.radius);
        }
        // |R^T R - I| along some directions, which the link's skew must not be below.
        for (int k = 0; k < 20; k++) {
            real x[3], y[3] = {0}, xx = 0, yy = 0;
            for (int i = 0; i < 3; i++) x[i] = gz_random_range(&r, -1, 1);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) y[i] += m[4 * i + j] * x[j];
                xx += x[i] * x[i];
                yy += y[i] * y[i];
            }
            assert_true(fabsl(yy - xx) <= l->skew * xx);
        }
        graze_robot_free(robot);
    }
}

static void test_bodies_on_bodies_are_off_rigid_by_so_much_in_all(void **state) {
    (void)state;
    graze_transform pose = graze_transform_identity();
    pose.m[0] = pose.m[5] = pose.m[10] = 1 + 4.9e-10;
    graze_robot *robot = carry(&pose, 1), *more;
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {2, 2, 2}};
    graze_error e;
    for (int i = 2;; i++) {
        assert_true(i <= 61);
        char below[12], name[12];
        snprintf(below, sizeof below, "b%d", i - 1);
        snprintf(name, sizeof name, "b%d", i);
        graze_attachment body = {.struct_size = sizeof(graze_attachment),
                                 .name = name,
                                 .link = below,
                                 .pose = pose,
                                 .geometry = &box};
        graze_status status = graze_robot_attach(&more, robot, &body, &e);
        if (status) {
            assert_int_equal(status, GRAZE_ERROR_LIMIT);
            assert_non_null(strstr(e.message, "off rigid"));
            assert_true(i >= 20);
            break;
        }
        graze_robot_free(robot);
        robot = more;
        assert_true(robot->links[i].skew <= 0x1p-24);
    }
    graze_robot_free(robot);
}

static void test_level_bounds_says_free_of_no_attached_body_that_collides(void **state) {
    (void)state;
    graze_transform pose = graze_transform_identity(), place = pose;
    pose.m[0] = pose.m[5] = pose.m[10] = 1 + 4.9e-10;
    place.m[3] = 2 + 4.8e-10;
    graze_robot *robot = carry(&pose, 1);
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "ball", 1, &place, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    for (int level = 0; level < 2; level++) {
        graze_checker_options options = graze_checker_options_default();
        options.level = level ? GRAZE_LEVEL_BOUNDS : GRAZE_LEVEL_MESH;
        graze_checker *checker;
        graze_workspace *workspace;
        graze_report report;
        assert_int_equal(graze_checker_create(&checker, robot, world, &options, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
        memset(&report, 0, sizeof report);
        assert_int_equal(
            graze_check(checker, workspace, GRAZE_ANSWER_FIRST, NULL, 0, NULL, &report, NULL),
            GRAZE_OK);
        assert_int_equal(report.verdict, GRAZE_COLLISION);
        graze_workspace_free(workspace);
        graze_checker_free(checker);
    }
    graze_world_free(world);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_fold_into_the_body_of_the_joint_that_moves_them),
        cmocka_unit_test(test_vertices_are_rounded_once_into_the_frame_of_the_body),
        cmocka_unit_test(test_bounds_of_links_contain_their_geometry),
        cmocka_unit_test(test_pads_of_posed_bounds_are_set),
        cmocka_unit_test(test_bounds_hold_what_is_attached_in_a_pose_not_quite_rigid),
        cmocka_unit_test(test_bodies_on_bodies_are_off_rigid_by_so_much_in_all),
        cmocka_unit_test(test_level_bounds_says_free_of_no_attached_body_that_collides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
