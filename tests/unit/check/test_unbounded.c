// Half-spaces and planes. Truth is where the snapped vertices of a link are: which side of
// normal . x = offset they are on is seen from one coordinate where the normal is an axis.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    graze_geometry body; ///< the link's only one
} fixture;

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const double *const axes[3] = {x_axis, y_axis, z_axis};

static void must(graze_status status, const graze_error *error) {
    if (status) fail_msg("%s: %s", error->element, error->message);
}

/// A robot of one link.
static void make_robot(fixture *f, const graze_geometry *geometry) {
    graze_robot_builder *b;
    graze_error e;
    memset(f, 0, sizeof *f);
    must(graze_robot_builder_create(&b, "r", &e), &e);
    must(graze_robot_builder_link(b, "body", &e), &e);
    must(graze_robot_builder_collision(b, "body", NULL, geometry, &e), &e);
    must(graze_robot_builder_finish(b, &f->robot, &e), &e);
    graze_robot_builder_free(b);
    must(graze_robot_collision(f->robot, 0, &f->body), &e);
}

typedef graze_status (*add)(graze_world *world, const char *name, const double normal[3],
                            double offset, graze_error *error);

static void make_world(fixture *f, add add_flat, const double normal[3], double offset,
                       const graze_checker_options *options) {
    graze_error e;
    must(graze_world_create(&f->world, "w", &e), &e);
    must(add_flat(f->world, "floor", normal, offset, &e), &e);
    must(graze_world_commit(f->world, &e), &e);
    must(graze_checker_create(&f->checker, f->robot, f->world, options, &e), &e);
    must(graze_workspace_create(&f->ws, f->checker, &e), &e);
}

static void drop_world(fixture *f) {
    graze_workspace_free(f->ws);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    f->world = NULL;
}

static graze_verdict verdict(fixture *f, const graze_transform *pose) {
    graze_report report = {0};
    graze_error e;
    must(graze_check_posed(f->checker, f->ws, GRAZE_ANSWER_ANY, pose, 1, &report, &e), &e);
    graze_report first = {0};
    must(graze_check_posed(f->checker, f->ws, GRAZE_ANSWER_FIRST, pose, 1, &first, &e), &e);
    assert_int_equal(report.verdict, first.verdict);
    return report.verdict;
}

static graze_transform random_pose(gz_random *r, double far) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = gz_random_range(r, -far, far);
        rpy[k] = gz_random_range(r, -3, 3);
    }
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

/// The least and greatest coordinate of the snapped link.
static void bound(const fixture *f, const graze_transform *pose, int axis, double *low,
                  double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < f->body.vertex_count; i++) {
        const double *v = f->body.vertices + 3 * i;
        graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        double at = axis == 0 ? w.x : axis == 1 ? w.y : w.z;
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

static void random_geometry(gz_random *r, int kind, graze_geometry *g, double vertices[36],
                            uint32_t triangles[12]) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    *g = (graze_geometry){.shape = GRAZE_SHAPE_MESH};
    if (kind == 0) {
        g->shape = GRAZE_SHAPE_BOX;
        for (int k = 0; k < 3; k++) g->size[k] = gz_random_range(r, 0, 2);
    } else if (kind == 1) {
        g->shape = GRAZE_SHAPE_CONE;
        g->radius = gz_random_range(r, 0, 1);
        g->length = gz_random_range(r, 0, 2);
    } else {
        for (int i = 0; i < 12; i++) vertices[i] = gz_random_range(r, -1, 1);
        memcpy(triangles, faces, sizeof faces);
        g->vertices = vertices;
        g->vertex_count = 4;
        g->triangles = triangles;
        g->triangle_count = 4;
    }
}

/// Touching collides, a neighbouring double away is free, whatever else the link is.
static void test_a_halfspace_is_exact(void **state) {
    (void)state;
    gz_random r = gz_random_make(17, 0);
    for (int i = 0; i < TRIALS(600, 60); i++) {
        fixture f;
        graze_geometry g;
        double vertices[36], low, high;
        uint32_t triangles[12];
        random_geometry(&r, i % 3, &g, vertices, triangles);
        make_robot(&f, &g);
        graze_transform pose = random_pose(&r, i % 2 ? 90 : 3);
        int axis = (int)gz_random_below(&r, 3);
        bound(&f, &pose, axis, &low, &high);
        graze_checker_options options = graze_checker_options_default();
        options.policy = i % 2 ? GRAZE_POLICY_SURFACE : GRAZE_POLICY_SOLID;
        const double offsets[] = {low, nextafter(low, 200), 0.5 * (low + high), high + 1, 99};
        for (size_t k = 0; k < 5; k++) {
            make_world(&f, graze_world_add_halfspace, axes[axis], offsets[k], &options);
            assert_int_equal(verdict(&f, &pose), GRAZE_COLLISION);
            drop_world(&f);
        }
        make_world(&f, graze_world_add_halfspace, axes[axis], nextafter(low, -200), &options);
        assert_int_equal(verdict(&f, &pose), GRAZE_FREE);
        drop_world(&f);
        // From above: -x <= -offset.
        const double down[3] = {-axes[axis][0], -axes[axis][1], -axes[axis][2]};
        make_world(&f, graze_world_add_halfspace, down, -high, &options);
        assert_int_equal(verdict(&f, &pose), GRAZE_COLLISION);
        drop_world(&f);
        make_world(&f, graze_world_add_halfspace, down, -nextafter(high, 200), &options);
        assert_int_equal(verdict(&f, &pose), GRAZE_FREE);
        drop_world(&f);
        graze_robot_free(f.robot);
    }
}

static void test_a_plane_overlaps_what_is_on_both_sides(void **state) {
    (void)state;
    gz_random r = gz_random_make(18, 0);
    for (int i = 0; i < TRIALS(300, 30); i++) {
        fixture f;
        graze_geometry g;
        double vertices[36], low, high;
        uint32_t triangles[12];
        random_geometry(&r, i % 3, &g, vertices, triangles);
        make_robot(&f, &g);
        graze_transform pose = random_pose(&r, 50);
        int axis = (int)gz_random_below(&r, 3);
        bound(&f, &pose, axis, &low, &high);
        const double crossing[] = {low, high, 0.5 * (low + high)};
        const double beside[] = {nextafter(low, -200), nextafter(high, 200), -99, 99};
        for (size_t k = 0; k < 7; k++) {
            make_world(&f, graze_world_add_plane, axes[axis], k < 3 ? crossing[k] : beside[k - 3],
                       NULL);
            assert_int_equal(verdict(&f, &pose), k < 3 ? GRAZE_COLLISION : GRAZE_FREE);
            drop_world(&f);
        }
        graze_robot_free(f.robot);
    }
}

/// Tilted ones, balls and margins, against their distance in extended precision.
static void test_tilted_halfspaces_and_margins(void **state) {
    (void)state;
    gz_random r = gz_random_make(19, 0);
    for (int i = 0; i < TRIALS(1500, 150); i++) {
        fixture f;
        const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.5};
        make_robot(&f, &ball);
        double normal[3], length = 0;
        for (int k = 0; k < 3; k++) {
            normal[k] = gz_random_range(&r, -3, 3);
            length += normal[k] * normal[k];
        }
        length = sqrt(length);
        graze_transform pose = random_pose(&r, 50);
        graze_checker_options options = graze_checker_options_default();
        options.margin = i % 2 ? gz_random_range(&r, 0.01, 5) : 0;
        // The farthest that the ball may be away, and what is left of it.
        double far = 0.5 + options.margin, gap = i % 4 < 2 ? 5e-9 : -5e-9, at = 0;
        for (int k = 0; k < 3; k++) at += normal[k] * pose.m[4 * k + 3];
        make_world(&f, graze_world_add_halfspace, normal, at - (far + gap) * length, &options);
        assert_int_equal(verdict(&f, &pose), gap > 0 ? GRAZE_FREE : GRAZE_COLLISION);
        drop_world(&f);
        graze_robot_free(f.robot);
    }
}

static void test_outside_of_the_domain_is_an_error_and_never_free(void **state) {
    (void)state;
    fixture f;
    graze_error e;
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {1, 1, 1}};
    make_robot(&f, &box);
    make_world(&f, graze_world_add_halfspace, z_axis, 0, NULL);
    const double base[6] = {3000, 0, -1, 0, 0, 0};
    graze_transform pose = graze_transform_from_xyz_rpy(base, base + 3);
    graze_report report = {0};
    assert_int_equal(graze_check_posed(f.checker, f.ws, GRAZE_ANSWER_ANY, &pose, 1, &report, &e),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(report.verdict, GRAZE_UNKNOWN);
    assert_int_equal(graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, base, 0, base, &report, &e),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(report.verdict, GRAZE_UNKNOWN);
    assert_non_null(strstr(e.message, "half-space"));
    uint8_t verdicts[9];
    graze_batch batch = graze_batch_default();
    batch.count = 9;
    batch.base_common = base;
    batch.q = base;
    batch.verdicts = verdicts;
    graze_check_batch(f.checker, &batch, NULL);
    for (int i = 0; i < 9; i++) assert_int_equal(verdicts[i], GRAZE_UNKNOWN);
    graze_distance_workspace *d;
    graze_distance_options options = graze_distance_options_default();
    graze_distance_report near = {0};
    must(graze_distance_workspace_create(&d, f.checker, &e), &e);
    assert_int_equal(graze_distance(f.checker, d, base, 0, base, &options, &near, &e),
                     GRAZE_ERROR_RANGE);
    const double above[6] = {70, -20, 80.5, 0, 0, 0};
    must(graze_distance(f.checker, d, above, 0, above, &options, &near, &e), &e);
    assert_true(near.least.lower <= 80 && near.least.upper >= 80 && near.least.lower > 80 - 1e-6);
    graze_distance_workspace_free(d);
    drop_world(&f);
    graze_robot_free(f.robot);
}

static void test_what_is_held_of_it_contains_the_domain(void **state) {
    (void)state;
    fixture f;
    graze_error e;
    graze_checker *other;
    graze_world *moved;
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {1, 1, 1}};
    make_robot(&f, &box);
    make_world(&f, graze_world_add_halfspace, z_axis, -99, NULL);
    graze_checker_options options = graze_checker_options_default();
    options.domain = 300;
    assert_int_equal(graze_checker_create(&other, f.robot, f.world, &options, &e),
                     GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "half-space"));
    // A version, and a scene, that take it too far away.
    graze_transform far = graze_transform_identity();
    far.m[3] = 400;
    graze_world_change change = graze_world_change_default();
    change.name = "floor";
    change.pose = &far;
    must(graze_world_revise(&moved, f.world, &change, 1, &e), &e);
    assert_int_equal(graze_checker_with_world(&other, f.checker, moved, &e), GRAZE_ERROR_RANGE);
    graze_world_free(moved);
    graze_scene *scene;
    must(graze_scene_create(&scene, f.checker, &e), &e);
    assert_int_equal(graze_scene_revise(scene, &change, 1, &e), GRAZE_ERROR_RANGE);
    graze_view *view;
    far.m[3] = 40;
    for (int i = 0; i < 5; i++) {
        far.m[11] = i % 2 ? 20 : -20;
        must(graze_scene_revise(scene, &change, 1, &e), &e);
        must(graze_view_acquire(&view, scene, &e), &e);
        graze_report report = {0};
        must(graze_check(graze_view_checker(view), graze_view_workspace(view), GRAZE_ANSWER_ANY,
                         far.m, 0, NULL, &report, &e),
             &e);
        assert_int_equal(report.verdict, i % 2 ? GRAZE_COLLISION : GRAZE_FREE);
        graze_view_release(view);
    }
    graze_scene_free(scene);
    drop_world(&f);
    graze_robot_free(f.robot);
}

static void test_links_have_no_shapes_without_an_end(void **state) {
    (void)state;
    fixture f;
    graze_error e;
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {1, 1, 1}};
    const graze_geometry cone = {.shape = GRAZE_SHAPE_CONE, .radius = 0.25, .length = 1};
    make_robot(&f, &box);
    make_world(&f, graze_world_add_plane, z_axis, 0, NULL);
    graze_robot *carrying;
    graze_attachment attachment = graze_attachment_default();
    attachment.name = "tool";
    attachment.link = "body";
    attachment.pose.m[11] = 2;
    for (int i = 0; i < 2; i++) {
        const graze_geometry flat = {.shape = i ? GRAZE_SHAPE_PLANE : GRAZE_SHAPE_HALFSPACE};
        attachment.geometry = &flat;
        assert_int_equal(graze_robot_attach(&carrying, f.robot, &attachment, &e),
                         GRAZE_ERROR_UNSUPPORTED);
    }
    attachment.geometry = &cone;
    must(graze_robot_attach(&carrying, f.robot, &attachment, &e), &e);
    graze_geometry body;
    must(graze_robot_collision(carrying, 1, &body), &e);
    assert_true(body.shape == GRAZE_SHAPE_CONE && body.vertex_count == 257 && body.radius == 0.25);
    graze_robot_free(carrying);
    drop_world(&f);
    graze_world *world;
    const double zero[3] = {0}, nan[3] = {0, NAN, 1};
    must(graze_world_create(&world, "w", &e), &e);
    assert_int_equal(graze_world_add_halfspace(world, "a", zero, 0, &e), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_world_add_plane(world, "a", nan, 0, &e), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_world_add_plane(world, "a", z_axis, INFINITY, &e), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_world_add_plane(world, "a", NULL, 0, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
    graze_robot_free(f.robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_halfspace_is_exact),
        cmocka_unit_test(test_a_plane_overlaps_what_is_on_both_sides),
        cmocka_unit_test(test_tilted_halfspaces_and_margins),
        cmocka_unit_test(test_outside_of_the_domain_is_an_error_and_never_free),
        cmocka_unit_test(test_what_is_held_of_it_contains_the_domain),
        cmocka_unit_test(test_links_have_no_shapes_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
