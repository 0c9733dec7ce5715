// Posed shapes of every kind against each other: curved ones against meshes as a loop over the
// triangles would find, and what lies inside a solid under either policy.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/transform.h"
#include "mesh/shape.h"
#include "narrow/curved/curved.h"
#include "narrow/shape_pair.h"
#include "unit/mesh/mesh_maker.h"

static gz_shape primitive(graze_shape kind, double size) {
    gz_shape s;
    double edges[3] = {size, 1.1 * size, 0.9 * size};
    graze_transform one = graze_transform_identity();
    assert_int_equal(gz_shape_primitive(&s, kind, edges, 0.5 * size, size, &one, NULL), GRAZE_OK);
    return s;
}

static gz_shape mesh_shape(maker *m) {
    gz_shape s;
    gz_shape_mesh(&s, maker_finish(m));
    return s;
}

static gz_shape ball_mesh(double radius) {
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    maker_sphere(&m, origin, radius, 10, 14);
    return mesh_shape(&m);
}

static bool overlap(const gz_shape *a, const graze_transform *pa, const gz_shape *b,
                    const graze_transform *pb, graze_policy policy, gz_detail detail,
                    gz_shape_contact *m) {
    gz_shape_rule rule = {
        .kernels = gz_kernels_choose(), .policy_a = policy, .policy_b = policy, .detail = detail};
    graze_stats stats = {0};
    bool hit = gz_shapes_collide(a, pa->m, b, pb->m, &rule, m, &stats);
    assert_int_equal(stats.geometry_pairs, 1);
    return hit;
}

static gz_curved place(const gz_shape *s, const graze_transform *pose) {
    gz_curved c = {.kind = s->kind, .radius = s->radius};
    graze_vec3 a = graze_transform_point(pose, (graze_vec3){s->a[0], s->a[1], s->a[2]});
    graze_vec3 b = graze_transform_point(pose, (graze_vec3){s->b[0], s->b[1], s->b[2]});
    memcpy(c.a, &a, sizeof a);
    memcpy(c.b, &b, sizeof b);
    return c;
}

/// The lowest triangle that a curved shape collides with, or -1.
static int64_t lowest_triangle(const gz_curved *c, const graze_mesh *m,
                               const graze_transform *pose) {
    for (size_t t = 0; t < m->triangle_count; t++) {
        double corners[3][3], at[3];
        for (size_t k = 0; k < 3; k++) {
            const double *v = m->vertices + 3 * (size_t)m->triangles[3 * t + k];
            graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
            memcpy(corners[k], &w, sizeof w);
        }
        if (gz_curved_triangle_collide(c, (const double(*)[3])corners, 0, at)) return (int64_t)t;
    }
    return -1;
}

static const graze_shape curved_kinds[3] = {GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                            GRAZE_SHAPE_CAPSULE};

static void compare(const gz_shape *curved, const graze_transform *pc, const gz_shape *mesh,
                    const graze_transform *pm, int64_t want) {
    for (gz_detail detail = GZ_DETAIL_NONE; detail <= GZ_DETAIL_WITNESS; detail++) {
        gz_shape_contact m, n;
        bool hit = overlap(curved, pc, mesh, pm, GRAZE_POLICY_SURFACE, detail, &m);
        assert_int_equal(hit, want >= 0);
        assert_int_equal(overlap(mesh, pm, curved, pc, GRAZE_POLICY_SURFACE, detail, &n), hit);
        if (!hit) continue;
        assert_int_equal(m.triangle_a, -1);
        assert_int_equal(n.triangle_b, -1);
        assert_int_equal(m.triangle_b, n.triangle_a);
        assert_false(m.contained || m.has_segment);
        if (detail == GZ_DETAIL_WITNESS) assert_int_equal(m.triangle_b, want);
    }
}

static void test_curved_shapes_against_meshes_equal_a_loop_over_triangles(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    int hits = 0, misses = 0;
    for (int round = 0; round < 300; round++) {
        double scale = pow(10, gz_random_range(&r, -4, 3));
        maker m = {0};
        if (round % 2)
            maker_torus(&m, 1, 0.3, 20, 9);
        else
            maker_soup(&m, &r, 150, 0.2);
        maker_scale(&m, scale);
        gz_shape mesh = mesh_shape(&m);
        gz_shape curved = primitive(curved_kinds[round % 3],
                                    scale * gz_random_range(&r, 0.05, 0.5));
        graze_transform pm = maker_pose(&r, round % 4 ? 0 : 1000 * scale),
                        relative = maker_pose(&r, scale), pc;
        pc = graze_transform_multiply(&pm, &relative);
        gz_curved c = place(&curved, &pc);
        int64_t want = lowest_triangle(&c, mesh.mesh, &pm);
        compare(&curved, &pc, &mesh, &pm, want);
        hits += want >= 0;
        misses += want < 0;
        // Slide away to the last contact.
        graze_transform near = pc, far = pc;
        far.m[3] += 10 * scale;
        for (int step = 0; want >= 0 && round % 5 == 0 && step < 60; step++) {
            graze_transform middle = near;
            middle.m[3] = 0.5 * (near.m[3] + far.m[3]);
            c = place(&curved, &middle);
            int64_t t = lowest_triangle(&c, mesh.mesh, &pm);
            if (step > 25) compare(&curved, &middle, &mesh, &pm, t);
            *(t >= 0 ? &near : &far) = middle;
        }
        gz_shape_clear(&mesh);
        gz_shape_clear(&curved);
    }
    assert_true(hits > 60 && misses > 60);
}

/// A tetrahedron with a vertex at `tip` that widens along a direction.
static void add_spike(maker *m, const double tip[3], const double along[3], const double across[3],
                      double size) {
    double other[3];
    uint32_t at[4];
    gz_cross(along, across, other);
    for (int i = 0; i < 4; i++) {
        double turn = 2.0943951023931953 * i, p[3];
        for (int k = 0; k < 3; k++)
            p[k] = tip[k] + (i == 3 ? 0
                                    : size * (along[k] + 0.3 * cos(turn) * across[k] +
                                              0.3 * sin(turn) * other[k]));
        at[i] = maker_vertex(m, p[0], p[1], p[2]);
    }
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (int f = 0; f < 4; f++)
        maker_triangle(m, at[faces[f][0]], at[faces[f][1]], at[faces[f][2]]);
}

/// A spike whose tip touches a cylinder's cap or side, or a ball, to the last bit of its place;
/// with a second one through the middle, the pair collides whatever the first does.
static void test_vertices_that_touch_caps_and_sides(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    for (int round = 0; round < 240; round++) {
        double scale = pow(10, gz_random_range(&r, -2, 1)), unit[3] = {0, 0, 1};
        gz_shape curved = primitive(curved_kinds[round % 3], scale);
        double turn = gz_random_range(&r, 0, 6.28), radius = curved.radius;
        double direction[3] = {cos(turn), sin(turn), 0}, tip[3];
        double across[3] = {-sin(turn), cos(turn), 0};
        bool cap = round / 3 % 2, second = round / 6 % 2;
        memcpy(tip, direction, sizeof tip);
        for (int k = 0; k < 3; k++) tip[k] *= radius;
        if (cap) {
            memcpy(direction, unit, sizeof unit);
            for (int k = 0; k < 3; k++)
                tip[k] = fmax(curved.a[k], curved.b[k]) +
                         (curved.kind == GRAZE_SHAPE_CYLINDER ? 0 : radius * unit[k]);
        }
        maker m = {0};
        add_spike(&m, tip, direction, across, 0.2 * scale);
        if (second) {
            double from[3], back[3];
            for (int k = 0; k < 3; k++) {
                from[k] = -0.9 * scale * across[k];
                back[k] = across[k];
            }
            add_spike(&m, from, back, direction, 2 * scale);
        }
        // The mesh is turned and far from its own origin, for its size: there floats are coarse.
        graze_transform own = maker_pose(&r, 400 * scale), near = maker_pose(&r, scale), far, pm;
        for (size_t i = 0; i < m.nv; i++) {
            double *v = m.v + 3 * i;
            graze_vec3 at = graze_transform_point(&own, (graze_vec3){v[0], v[1], v[2]});
            memcpy(v, &at, sizeof at);
        }
        gz_shape mesh = mesh_shape(&m);
        own = graze_transform_inverse(&own);
        pm = graze_transform_multiply(&near, &own);
        far = near;
        double out[3];
        gz_transform_rotate(near.m, direction, out);
        for (int k = 0; k < 3; k++) {
            double way = 1e-3 * scale * out[k];
            near.m[4 * k + 3] += way; // of the curved shape, towards the tip
            far.m[4 * k + 3] -= way;
        }
        for (int step = 0; step < 60; step++) {
            graze_transform middle = near;
            for (int k = 0; k < 3; k++)
                middle.m[4 * k + 3] = 0.5 * (near.m[4 * k + 3] + far.m[4 * k + 3]);
            gz_curved c = place(&curved, &middle);
            int64_t t = lowest_triangle(&c, mesh.mesh, &pm);
            assert_true(t >= 0 || !second);
            if (step > 15) compare(&curved, &middle, &mesh, &pm, t);
            bool touches = t >= 0 && (!second || t < 4);
            *(touches ? &near : &far) = middle;
        }
        gz_shape_clear(&mesh);
        gz_shape_clear(&curved);
    }
}

/// A cylinder much thinner than its ends' rounding: what a verdict is about is the disc across the
/// snapped ends, which may lie at any angle. A spike goes through it near its rim.
static void test_a_thin_disc_is_where_its_snapped_ends_say(void **state) {
    (void)state;
    gz_random r = gz_random_make(9, 0);
    int hits = 0;
    for (int round = 0; round < 400; round++) {
        const double edges[3] = {1, 1, 1}, length = pow(10, gz_random_range(&r, -15, -10));
        const graze_transform one = graze_transform_identity();
        gz_shape disc;
        assert_int_equal(
            gz_shape_primitive(&disc, GRAZE_SHAPE_CYLINDER, edges, 1, length, &one, NULL),
            GRAZE_OK);
        graze_transform pc = maker_pose(&r, 3), pm = maker_pose(&r, 3);
        gz_curved c = place(&disc, &pc);
        // A point of the disc's middle plane, 0.98 from its middle, in the mesh's frame.
        double way[3], across[3], middle[3], out[3], tip[3];
        gz_subtract(c.b, c.a, way);
        gz_across(way, across);
        double norm = gz_norm(across), size = gz_norm(way);
        if (!(size > 0)) {
            gz_shape_clear(&disc);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            across[k] /= norm;
            way[k] /= size;
            middle[k] = c.a[k] + 0.98 * across[k] - 1e-7 * way[k] - pm.m[4 * k + 3];
        }
        gz_transform_unrotate(pm.m, middle, tip);
        gz_transform_unrotate(pm.m, way, out);
        gz_transform_unrotate(pm.m, across, middle);
        maker m = {0};
        add_spike(&m, tip, out, middle, 1e-4);
        gz_shape mesh = mesh_shape(&m);
        int64_t want = lowest_triangle(&c, mesh.mesh, &pm);
        compare(&disc, &pc, &mesh, &pm, want);
        hits += want >= 0;
        gz_shape_clear(&mesh);
        gz_shape_clear(&disc);
    }
    assert_true(hits > 200);
}

/// A part inside a whole, for every pair of kinds: a box is solid under every policy, curved shapes
/// are solids by nature, a mesh only where the policy says so.
static void test_what_lies_inside_a_solid(void **state) {
    (void)state;
    static const graze_shape kinds[5] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                         GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_MESH};
    gz_random r = gz_random_make(2, 0);
    for (int w = 0; w < 5; w++)
        for (int p = 0; p < 5; p++) {
            gz_shape whole = kinds[w] == GRAZE_SHAPE_MESH ? ball_mesh(2) : primitive(kinds[w], 4);
            gz_shape inner = kinds[p] == GRAZE_SHAPE_MESH ? ball_mesh(0.2)
                                                          : primitive(kinds[p], 0.4);
            for (int round = 0; round < 20; round++) {
                graze_transform pw = maker_pose(&r, 50), relative = maker_pose(&r, 0.5), pp;
                pp = graze_transform_multiply(&pw, &relative);
                gz_shape_contact m;
                bool solid = overlap(&whole, &pw, &inner, &pp, GRAZE_POLICY_SOLID,
                                     GZ_DETAIL_WITNESS, &m);
                assert_true(solid);
                // Only surfaces that are apart can be "contained".
                bool surfaces = whole.mesh != NULL;
                assert_int_equal(m.contained, surfaces);
                if (surfaces) assert_int_equal(m.triangle_a, -1);
                bool surface = overlap(&inner, &pp, &whole, &pw, GRAZE_POLICY_SURFACE,
                                       GZ_DETAIL_WITNESS, &m);
                assert_int_equal(surface, kinds[w] != GRAZE_SHAPE_MESH);
                // And far outside nothing collides.
                pp.m[3] += 20;
                assert_false(
                    overlap(&whole, &pw, &inner, &pp, GRAZE_POLICY_SOLID, GZ_DETAIL_WITNESS, &m));
            }
            gz_shape_clear(&whole);
            gz_shape_clear(&inner);
        }
}

static void test_open_meshes_hold_nothing(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    maker_sphere(&m, origin, 2, 10, 14);
    m.nt--;
    gz_shape whole = mesh_shape(&m);
    graze_transform one = graze_transform_identity();
    for (int k = 0; k < 3; k++) {
        gz_shape inner = primitive(curved_kinds[k], 0.4);
        gz_shape_contact meeting;
        assert_false(
            overlap(&whole, &one, &inner, &one, GRAZE_POLICY_SOLID, GZ_DETAIL_PLACE, &meeting));
        gz_shape_clear(&inner);
    }
    gz_shape_clear(&whole);
}

/// A capsule thinner than the spacing of coordinates where it stands, whose ends are inside of a
/// tetrahedron by that spacing. The middle of its axis is no double: rounded, it is outside.
static void test_a_capsule_thinner_than_an_ulp_is_inside_a_solid(void **state) {
    (void)state;
    const double ulp = 0x1p-33, far = 0x1p-23;
    const double x = 0x1p19 + 1001 * ulp, y = 0x1p19 + 2001 * ulp;
    maker m = {0};
    maker_vertex(&m, x - far, y + far + ulp, -far);
    maker_vertex(&m, x + far, y - far + ulp, -far);
    maker_vertex(&m, x + ulp, y + ulp, far);
    maker_vertex(&m, x - far, y - far, 0);
    maker_triangle(&m, 0, 1, 2);
    maker_triangle(&m, 1, 0, 3);
    maker_triangle(&m, 2, 1, 3);
    maker_triangle(&m, 0, 2, 3);
    gz_shape solid = mesh_shape(&m);
    maker_free(&m);
    assert_int_equal(solid.mesh->closed_count, 1);
    graze_transform one = graze_transform_identity();
    for (int turned = 0; turned < 2; turned++) {
        gz_shape capsule = {.kind = GRAZE_SHAPE_CAPSULE, .radius = 1e-12};
        const double ends[2][3] = {{x, y + ulp, 0}, {x + ulp, y, 0}};
        memcpy(capsule.a, ends[turned], sizeof capsule.a);
        memcpy(capsule.b, ends[!turned], sizeof capsule.b);
        gz_shape_contact found;
        assert_true(
            overlap(&solid, &one, &capsule, &one, GRAZE_POLICY_SOLID, GZ_DETAIL_PLACE, &found));
        assert_true(found.contained);
        assert_true(
            overlap(&capsule, &one, &solid, &one, GRAZE_POLICY_SOLID, GZ_DETAIL_PLACE, &found));
        assert_false(
            overlap(&solid, &one, &capsule, &one, GRAZE_POLICY_SURFACE, GZ_DETAIL_PLACE, &found));
    }
    gz_shape_clear(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curved_shapes_against_meshes_equal_a_loop_over_triangles),
        cmocka_unit_test(test_vertices_that_touch_caps_and_sides),
        cmocka_unit_test(test_a_thin_disc_is_where_its_snapped_ends_say),
        cmocka_unit_test(test_what_lies_inside_a_solid),
        cmocka_unit_test(test_open_meshes_hold_nothing),
        cmocka_unit_test(test_a_capsule_thinner_than_an_ulp_is_inside_a_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
