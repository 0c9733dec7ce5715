// The world as the public functions build it. Placed coordinates are computed here anew, by the
// formula of the contract, and solids are judged by points sampled on them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "world/world.h"

static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static graze_world *make_world(void) {
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "test", NULL), GRAZE_OK);
    return world;
}

/// A rotation from a random quaternion, written out here, and a translation within +-10 m.
static graze_transform random_pose(gz_random *random) {
    double q[4], n = 0;
    for (int i = 0; i < 4; i++) q[i] = gz_random_range(random, -1, 1), n += q[i] * q[i];
    n = sqrt(n);
    double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
    graze_transform t = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
                          2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
                          2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0}};
    for (int i = 0; i < 3; i++) t.m[4 * i + 3] = gz_random_range(random, -10, 10);
    return t;
}

static void place(const graze_transform *t, const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        const double *row = t->m + 4 * i;
        out[i] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + row[3];
    }
}

static bool box_holds(const graze_aabb *box, const double p[3], double slack) {
    return box->min.x - slack <= p[0] && p[0] <= box->max.x + slack && box->min.y - slack <= p[1] &&
           p[1] <= box->max.y + slack && box->min.z - slack <= p[2] && p[2] <= box->max.z + slack;
}

// ------------------------------------------------------------------------------------------ tests

static void test_objects_read_back_as_added(void **state) {
    (void)state;
    graze_world *world = make_world();
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 4;
    const double size[3] = {1, 2, 3}, points[6] = {0, 0, 0, 1, 2, 3};
    assert_int_equal(graze_world_add_box(world, "box", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "ball", 0.5, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_cylinder(world, "can", 0.25, 2, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(world, "pill", 0.125, 3, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "mesh", corners, 4, tetrahedron, 4, &pose, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "cloud", points, 2, 0.01, &pose, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_object_count(world), 6);
    assert_string_equal(graze_world_name(world), "test");

    static const char *const names[] = {"box", "ball", "can", "pill", "mesh", "cloud"};
    static const graze_shape kinds[] = {GRAZE_SHAPE_BOX,      GRAZE_SHAPE_SPHERE,
                                        GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CAPSULE,
                                        GRAZE_SHAPE_MESH,     GRAZE_SHAPE_POINTS};
    static const double radii[] = {0, 0.5, 0.25, 0.125, 0, 0.01}, lengths[] = {0, 0, 2, 3, 0, 0};
    static const size_t vertices[] = {8, 0, 0, 0, 4, 2}, triangles[] = {12, 0, 0, 0, 4, 0};
    for (size_t i = 0; i < 6; i++) {
        graze_geometry g;
        assert_int_equal(graze_world_object(world, i, &g), GRAZE_OK);
        assert_string_equal(g.name, names[i]);
        assert_int_equal(g.owner, i);
        assert_int_equal(g.frame, -1);
        assert_int_equal(g.shape, kinds[i]);
        assert_true(g.radius == radii[i] && g.length == lengths[i]);
        assert_int_equal(g.vertex_count, vertices[i]);
        assert_int_equal(g.triangle_count, triangles[i]);
        assert_true(g.scale[0] == 1 && g.scale[1] == 1 && g.scale[2] == 1);
        assert_true(g.origin.m[3] == (i == 1 ? 0 : 4));
        assert_null(g.file);
        assert_int_equal(graze_world_find_object(world, names[i]), i);
        if (i == 0) assert_true(g.size[0] == 1 && g.size[1] == 2 && g.size[2] == 3);
        if (i == 5) assert_memory_equal(g.vertices, points, sizeof points);
    }
    graze_geometry g;
    graze_world_object(world, 4, &g);
    assert_int_equal(g.component_count, 1);
    assert_int_equal(g.closed_count, 1);
    assert_int_equal(g.file_triangle_count, 4);
    assert_int_equal(graze_world_find_object(world, "nobody"), -1);
    assert_int_equal(graze_world_find_object(world, ""), -1);
    graze_world_free(world);
}

/// What graze_world_object() reads of one world, added to another: the same objects, and meshes
/// that are not copied.
static void test_geometries_are_added_and_meshes_shared(void **state) {
    (void)state;
    graze_world *world = make_world(), *other = make_world();
    graze_transform pose = graze_transform_identity();
    pose.m[7] = 2;
    const double size[3] = {1, 2, 3}, points[6] = {0, 0, 0, 1, 2, 3};
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, corners, 4, tetrahedron, 4, NULL), GRAZE_OK);
    const graze_geometry shared = {.shape = GRAZE_SHAPE_MESH, .mesh = mesh};
    assert_int_equal(graze_world_add_geometry(world, "one", &shared, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_geometry(world, "two", &shared, &pose, NULL), GRAZE_OK);
    graze_mesh_free(mesh);
    assert_int_equal(graze_world_add_mesh(world, "own", corners, 4, tetrahedron, 4, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "box", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(world, "pill", 0.125, 3, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "cloud", points, 2, 0.01, &pose, NULL),
                     GRAZE_OK);
    graze_geometry g[6], h;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(graze_world_object(world, i, &g[i]), GRAZE_OK);
        assert_int_equal(graze_world_add_geometry(other, g[i].name, &g[i], &g[i].origin, NULL),
                         GRAZE_OK);
        assert_int_equal(graze_world_object(other, i, &h), GRAZE_OK);
        assert_true(h.shape == g[i].shape && h.vertex_count == g[i].vertex_count);
        assert_true(h.shape == GRAZE_SHAPE_BOX || h.mesh == g[i].mesh);
        assert_memory_equal(&h.origin, &g[i].origin, sizeof h.origin);
        assert_memory_equal(h.ends, g[i].ends, sizeof h.ends);
        if (h.vertices) assert_memory_equal(h.vertices, g[i].vertices, 24 * h.vertex_count);
    }
    assert_true(g[0].mesh == g[1].mesh && g[2].mesh != g[0].mesh);
    assert_memory_equal(g[0].vertices, g[2].vertices, 24 * g[0].vertex_count);
    graze_world_free(world); // the other one holds what they share
    assert_int_equal(graze_world_commit(other, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_geometry(other, "new", &shared, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    graze_world_free(other);
}

static void test_inspection_is_safe_at_its_edges(void **state) {
    (void)state;
    graze_world *world = make_world();
    graze_geometry g;
    assert_int_equal(graze_world_object(world, 0, &g), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_object(world, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_object(NULL, 0, &g), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_find_object(world, "x"), -1);
    assert_int_equal(graze_world_find_object(world, NULL), -1);
    assert_int_equal(graze_world_find_object(NULL, "x"), -1);
    assert_int_equal(graze_world_object_count(NULL), 0);
    assert_int_equal(graze_world_warning_count(NULL), 0);
    assert_int_equal(graze_world_warning_count(world), 0);
    assert_string_equal(graze_world_warning(world, 3).message, "");
    assert_null(graze_world_name(NULL));
    assert_false(graze_world_boundary(NULL, NULL, NULL));
    assert_int_equal(graze_world_commit(NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_create(NULL, "x", NULL), GRAZE_ERROR_ARGUMENT);
    graze_world_free(NULL);
    graze_world_free(world);
    assert_int_equal(graze_world_create(&world, NULL, NULL), GRAZE_OK);
    assert_string_equal(graze_world_name(world), "");
    graze_world_free(world);
}

static void test_a_hundred_thousand_names_are_found(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    graze_world *world = make_world();
    char name[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "object %d", i);
        assert_int_equal(graze_world_add_sphere(world, name, 1, NULL, NULL), GRAZE_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "object %d", i);
        assert_int_equal(graze_world_find_object(world, name), i);
    }
    // What is taken away is gone, and what stays is still found.
    gz_world_truncate(world, COUNT / 3);
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "object %d", i);
        assert_int_equal(graze_world_find_object(world, name), i < COUNT / 3 ? i : -1);
    }
    graze_world_free(world);
}

static graze_status add_mesh_of(graze_world *world, const char *name, size_t vertices,
                                size_t triangles, const uint32_t *indices,
                                const graze_transform *pose, graze_error *error) {
    return graze_world_add_mesh(world, name, corners, vertices, indices, triangles, pose, error);
}

static void test_a_refused_addition_changes_nothing(void **state) {
    (void)state;
    graze_world *world = make_world();
    const double one[3] = {1, 1, 1}, flat[3] = {1, -1, 1}, huge[3] = {1, 1, 0x1p21};
    const double nan_point[3] = {0, NAN, 0};
    const uint32_t wrong[3] = {0, 1, 4};
    graze_transform far = graze_transform_identity(), skewed = far, mirror = far, bad = far;
    far.m[7] = 0x1p20;
    skewed.m[1] = 1e-8;
    mirror.m[0] = -1;
    bad.m[11] = INFINITY;
    assert_int_equal(graze_world_add_box(world, "first", one, NULL, NULL), GRAZE_OK);
    graze_error e;
#define REFUSED(call, status_, text)                                                               \
    do {                                                                                           \
        memset(&e, 0x55, sizeof e);                                                                \
        assert_int_equal(call, status_);                                                           \
        assert_int_equal(e.status, status_);                                                       \
        if (!strstr(e.message, text)) fail_msg("'%s' lacks '%s'", e.message, text);                \
        assert_int_equal(graze_world_object_count(world), 1);                                      \
        assert_int_equal(graze_world_find_object(world, "new"), -1);                               \
        assert_int_equal(graze_world_find_object(world, "first"), 0);                              \
    } while (0)
    REFUSED(graze_world_add_box(NULL, "new", one, NULL, &e), GRAZE_ERROR_ARGUMENT, "NULL");
    REFUSED(graze_world_add_box(world, NULL, one, NULL, &e), GRAZE_ERROR_ARGUMENT, "name");
    REFUSED(graze_world_add_box(world, "new", NULL, NULL, &e), GRAZE_ERROR_ARGUMENT, "size");
    REFUSED(graze_world_add_box(world, "", one, NULL, &e), GRAZE_ERROR_SCHEMA, "empty");
    REFUSED(graze_world_add_box(world, "first", one, NULL, &e), GRAZE_ERROR_SCHEMA, "object 0");
    REFUSED(graze_world_add_box(world, "new", flat, NULL, &e), GRAZE_ERROR_RANGE, "allowed");
    REFUSED(graze_world_add_box(world, "new", huge, NULL, &e), GRAZE_ERROR_RANGE, "allowed");
    REFUSED(graze_world_add_box(world, "new", nan_point, NULL, &e), GRAZE_ERROR_RANGE, "allowed");
    REFUSED(graze_world_add_box(world, "new", one, &far, &e), GRAZE_ERROR_RANGE, "2^20");
    REFUSED(graze_world_add_box(world, "new", one, &skewed, &e), GRAZE_ERROR_ARGUMENT, "rigid");
    REFUSED(graze_world_add_box(world, "new", one, &mirror, &e), GRAZE_ERROR_ARGUMENT, "rigid");
    REFUSED(graze_world_add_box(world, "new", one, &bad, &e), GRAZE_ERROR_RANGE, "finite");
    REFUSED(graze_world_add_sphere(world, "new", -0x1p-1074, NULL, &e), GRAZE_ERROR_RANGE,
            "radius");
    REFUSED(graze_world_add_sphere(world, "new", -1, NULL, &e), GRAZE_ERROR_RANGE, "radius");
    REFUSED(graze_world_add_sphere(world, "new", NAN, NULL, &e), GRAZE_ERROR_RANGE, "radius");
    REFUSED(graze_world_add_sphere(world, "new", INFINITY, NULL, &e), GRAZE_ERROR_RANGE, "radius");
    REFUSED(graze_world_add_sphere(world, "new", 1, &bad, &e), GRAZE_ERROR_RANGE, "finite");
    REFUSED(graze_world_add_cylinder(world, "new", 1, 0, NULL, &e), GRAZE_ERROR_RANGE, "length");
    REFUSED(graze_world_add_capsule(world, "new", 1, -2, NULL, &e), GRAZE_ERROR_RANGE, "length");
    far.m[7] = 0x1.00001p20;
    REFUSED(graze_world_add_sphere(world, "new", 1, &far, &e), GRAZE_ERROR_RANGE, "2^20");
    REFUSED(graze_world_add_capsule(world, "new", 1, 2, &far, &e), GRAZE_ERROR_RANGE, "2^20");
    REFUSED(graze_world_add_points(world, "new", one, 1, 1, &far, &e), GRAZE_ERROR_RANGE, "2^20");
    const graze_geometry none = {.shape = GRAZE_SHAPE_MESH}, odd = {.shape = (graze_shape)9};
    REFUSED(graze_world_add_geometry(world, "new", NULL, NULL, &e), GRAZE_ERROR_ARGUMENT, "NULL");
    REFUSED(graze_world_add_geometry(world, "new", &none, NULL, &e), GRAZE_ERROR_ARGUMENT, "mesh");
    REFUSED(graze_world_add_geometry(world, "new", &odd, NULL, &e), GRAZE_ERROR_ARGUMENT, "shape");
    REFUSED(graze_world_add_geometry(world, "new", &odd, &bad, &e), GRAZE_ERROR_RANGE, "finite");
    REFUSED(graze_world_add_points(world, "new", one, 1, 0, NULL, &e), GRAZE_ERROR_RANGE, "radius");
    REFUSED(graze_world_add_points(world, "new", one, 0, 1, NULL, &e), GRAZE_ERROR_MESH, "point");
    REFUSED(graze_world_add_points(world, "new", NULL, 1, 1, NULL, &e), GRAZE_ERROR_ARGUMENT, "");
    REFUSED(graze_world_add_points(world, "new", nan_point, 1, 1, NULL, &e), GRAZE_ERROR_RANGE,
            "point 0");
    REFUSED(graze_world_add_points(world, "first", one, 1, 1, NULL, &e), GRAZE_ERROR_SCHEMA, "");
    REFUSED(add_mesh_of(world, "new", 4, 0, tetrahedron, NULL, &e), GRAZE_ERROR_MESH, "triangle");
    REFUSED(add_mesh_of(world, "new", 4, 1, wrong, NULL, &e), GRAZE_ERROR_ARGUMENT, "vertex 4");
    REFUSED(add_mesh_of(world, "new", 4, 4, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT, "NULL");
    REFUSED(add_mesh_of(world, "new", 4, 4, tetrahedron, &far, &e), GRAZE_ERROR_RANGE, "2^20");
    REFUSED(add_mesh_of(world, "first", 4, 4, tetrahedron, NULL, &e), GRAZE_ERROR_SCHEMA, "");
#undef REFUSED
    // A pose that is rigid but for rounding passes.
    skewed.m[1] = 5e-10;
    assert_int_equal(graze_world_add_box(world, "new", one, &skewed, &e), GRAZE_OK);
    assert_int_equal(e.status, GRAZE_OK);
    graze_world_free(world);
}

static void test_boundary_is_checked_and_read_back(void **state) {
    (void)state;
    graze_world *world = make_world();
    const double min[3] = {-1, -2, -3}, max[3] = {1, -2, 3}, off[3] = {NAN, 0, 0};
    double low[3], high[3];
    assert_false(graze_world_boundary(world, low, high));
    assert_int_equal(graze_world_set_boundary(world, max, min, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_world_set_boundary(world, off, max, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_world_set_boundary(world, NULL, max, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_set_boundary(NULL, min, max, NULL), GRAZE_ERROR_ARGUMENT);
    assert_false(graze_world_boundary(world, NULL, NULL));
    assert_int_equal(graze_world_set_boundary(world, min, max, NULL), GRAZE_OK);
    assert_true(graze_world_boundary(world, low, high));
    assert_memory_equal(low, min, sizeof min);
    assert_memory_equal(high, max, sizeof max);
    assert_true(graze_world_boundary(world, NULL, NULL));
    graze_world_free(world);
}

static void test_commit_ends_the_building(void **state) {
    (void)state;
    graze_world *world = make_world();
    const double one[3] = {1, 1, 1};
    graze_error e;
    assert_int_equal(graze_world_add_box(world, "a", one, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, &e), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, &e), GRAZE_OK);
    assert_int_equal(world->object_count, 1);
    assert_int_equal(world->root, ~0);
    assert_int_equal(graze_world_add_box(world, "b", one, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "committed"));
    assert_int_equal(graze_world_add_points(world, "b", one, 1, 1, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_set_boundary(world, one, one, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_add_file(world, "x.json", NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_object_count(world), 1);
    graze_world_free(world);
}

/// A random point of the solid's surface or inside, in its own frame.
static void sample(const gz_object *o, gz_random *random, double p[3]) {
    double angle = gz_random_range(random, 0, 6.283185307179586),
           z = gz_random_range(random, -1, 1);
    double h = o->length / 2;
    if (o->kind == GRAZE_SHAPE_CYLINDER) {
        p[0] = o->radius * cos(angle), p[1] = o->radius * sin(angle);
        p[2] = h * (z < -0.5 ? -1 : z > 0.5 ? 1 : z);
        return;
    }
    double flat = sqrt(1 - z * z);
    p[0] = o->radius * flat * cos(angle), p[1] = o->radius * flat * sin(angle);
    p[2] = o->radius * z + (z > 0 ? h : -h);
}

static void test_entries_hold_their_objects_and_tightly(void **state) {
    (void)state;
    gz_random random = gz_random_make(7, 0);
    for (int round = 0; round < 300; round++) {
        graze_world *world = make_world();
        graze_transform pose = random_pose(&random);
        double radius = gz_random_range(&random, 0.01, 2),
               length = gz_random_range(&random, 0.01, 4);
        double size[3], points[30];
        for (int i = 0; i < 3; i++) size[i] = gz_random_range(&random, 0.01, 3);
        for (int i = 0; i < 30; i++) points[i] = gz_random_range(&random, -3, 3);
        graze_world_add_box(world, "box", size, &pose, NULL);
        graze_world_add_mesh(world, "mesh", corners, 4, tetrahedron, 4, &pose, NULL);
        graze_world_add_points(world, "cloud", points, 10, radius, &pose, NULL);
        graze_world_add_sphere(world, "ball", radius, &pose, NULL);
        graze_world_add_cylinder(world, "can", radius, length, &pose, NULL);
        graze_world_add_capsule(world, "pill", radius, length, &pose, NULL);
        assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
        assert_int_equal(world->object_count, 6);
        for (size_t i = 0; i < world->object_count; i++) {
            const gz_object *o = world->objects[i];
            double p[3], at[3];
            if (o->kind == GRAZE_SHAPE_POINTS) { // poles of the balls, no looser than an ulp or so
                const double *low = &o->box.min.x, *high = &o->box.max.x;
                double least[3] = {INFINITY, INFINITY, INFINITY}, most[3];
                for (int k = 0; k < 3; k++) most[k] = -INFINITY;
                for (int n = 0; n < 10; n++) {
                    place(&pose, points + 3 * n, at);
                    for (int k = 0; k < 3; k++) {
                        least[k] = fmin(least[k], at[k] - radius);
                        most[k] = fmax(most[k], at[k] + radius);
                    }
                }
                for (int k = 0; k < 3; k++) {
                    assert_true(low[k] < least[k] + 1e-300 && low[k] > least[k] - 1e-14);
                    assert_true(high[k] > most[k] - 1e-300 && high[k] < most[k] + 1e-14);
                }
            } else if (o->shape.mesh) { // exactly the bounds of the placed vertices
                double low[3] = {INFINITY, INFINITY, INFINITY}, high[3];
                for (int k = 0; k < 3; k++) high[k] = -INFINITY;
                for (unsigned corner = 0; corner < 8; corner++) {
                    if (o->kind == GRAZE_SHAPE_MESH && (corner & (corner - 1))) continue;
                    for (unsigned k = 0; k < 3; k++) {
                        double bit = (double)(corner >> k & 1);
                        p[k] = o->kind == GRAZE_SHAPE_MESH ? bit : (bit - 0.5) * size[k];
                    }
                    place(&pose, p, at);
                    for (int k = 0; k < 3; k++)
                        low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
                }
                assert_memory_equal(&o->box.min, low, sizeof low);
                assert_memory_equal(&o->box.max, high, sizeof high);
            } else { // samples lie inside but for the rounding of the samples themselves
                double gap[6];
                for (int k = 0; k < 6; k++) gap[k] = INFINITY;
                for (int n = 0; n < 2000; n++) {
                    sample(o, &random, p);
                    place(&pose, p, at);
                    assert_true(box_holds(&o->box, at, 1e-14));
                    for (int k = 0; k < 3; k++) {
                        gap[k] = fmin(gap[k], at[k] - (&o->box.min.x)[k]);
                        gap[3 + k] = fmin(gap[3 + k], (&o->box.max.x)[k] - at[k]);
                    }
                }
                for (int k = 0; k < 6; k++) assert_true(gap[k] < 0.2 * (radius + length));
            }
        }
        graze_world_free(world);
    }
}

static void test_tiny_coordinates_are_zero_in_the_world(void **state) {
    (void)state;
    graze_world *world = make_world();
    const double point[3] = {0x1p-120, -0x1p-110, 1};
    assert_int_equal(graze_world_add_points(world, "p", point, 1, 0.5, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    const graze_aabb *box = &world->objects[0]->box;
    assert_true(box->min.x <= -0.5 && box->max.x >= 0.5 && box->max.y >= 0.5);
    graze_world_free(world);
}

// -------------------------------------------------------------------------------- out of memory

#ifdef GRAZE_FAULTS
static graze_status build_all(graze_world **out) {
    const double size[3] = {1, 2, 3}, points[6] = {0, 0, 0, 1, 2, 3};
    graze_world *world;
    graze_error e;
    graze_status s = graze_world_create(&world, "test", &e);
    *out = world;
    if (!s) s = graze_world_add_box(world, "box", size, NULL, &e);
    if (!s) s = graze_world_add_capsule(world, "pill", 1, 2, NULL, &e);
    if (!s) s = add_mesh_of(world, "mesh", 4, 4, tetrahedron, NULL, &e);
    if (!s) s = graze_world_add_points(world, "cloud", points, 2, 1, NULL, &e);
    if (!s) s = graze_world_commit(world, &e);
    if (s) {
        assert_int_equal(s, GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(e.status, GRAZE_ERROR_NO_MEMORY);
    }
    return s;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    long failures = 0;
    for (long n = 1;; n++) {
        graze_world *world;
        gz_memory_fail_after(n, false);
        graze_status status = build_all(&world);
        bool reached = gz_memory_allocation_count() >= n;
        gz_memory_fail_after(0, false);
        if (status && world) {
            assert_false(world->committed);
            // What failed left the world usable.
            assert_int_equal(graze_world_add_sphere(world, "after", 1, NULL, NULL), GRAZE_OK);
            assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
        }
        graze_world_free(world);
        failures += status != GRAZE_OK;
        if (!reached) break;
    }
    assert_true(failures > 15);
}
#endif

/// The next name of eight letters whose hash ends in 12 zeros.
static void next_alike(uint64_t *counter, char name[9]) {
    for (;;) {
        uint64_t n = (*counter)++;
        for (int k = 0; k < 8; k++, n /= 26) name[k] = (char)('a' + n % 26);
        name[8] = '\0';
        if ((gz_object_hash(name) & 0xfff) == 0) return;
    }
}

/// A file of 32,000 names whose hashes end alike took 80 times as long as one of other names.
static void test_names_made_to_collide_are_refused(void **state) {
    (void)state;
    graze_world *world = make_world();
    graze_error error;
    graze_status status = GRAZE_OK;
    char name[9];
    uint64_t counter = 0;
    int count = 0;
    for (; status == GRAZE_OK && count < 1500; count++) {
        next_alike(&counter, name);
        status = graze_world_add_sphere(world, name, 0.1, NULL, &error);
    }
    assert_int_equal(status, GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, name));
    // What was stored is there, what was refused is not, and other names are welcome.
    assert_int_equal(graze_world_object_count(world), count - 1);
    assert_int_equal(graze_world_find_object(world, name), -1);
    assert_int_equal(graze_world_add_sphere(world, "plain", 0.1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_find_object(world, "plain"), count - 1);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    graze_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_read_back_as_added),
        cmocka_unit_test(test_geometries_are_added_and_meshes_shared),
        cmocka_unit_test(test_inspection_is_safe_at_its_edges),
        cmocka_unit_test(test_a_hundred_thousand_names_are_found),
        cmocka_unit_test(test_a_refused_addition_changes_nothing),
        cmocka_unit_test(test_boundary_is_checked_and_read_back),
        cmocka_unit_test(test_commit_ends_the_building),
        cmocka_unit_test(test_entries_hold_their_objects_and_tightly),
        cmocka_unit_test(test_tiny_coordinates_are_zero_in_the_world),
        cmocka_unit_test(test_names_made_to_collide_are_refused),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
