// What counts as inside, rule by rule (docs/solids.md), and the report that says which parts of a
// mesh are solids.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "narrow/containment.h"
#include "narrow/shape_pair.h"
#include "unit/mesh/mesh_maker.h"

static void box_at(maker *m, double x, double y, double z, double half) {
    const double center[3] = {x, y, z}, size[3] = {half, half, half};
    maker_box(m, center, size);
}

static void drop(maker *m, size_t first, size_t count) {
    memmove(m->t + 3 * first, m->t + 3 * (first + count),
            3 * (m->nt - first - count) * sizeof *m->t);
    m->nt -= count;
}

/// A box of half size 1 without its top (triangles 2 and 3 of maker_box look up).
static graze_mesh *crate(void) {
    maker m = {0};
    box_at(&m, 0, 0, 0, 1);
    drop(&m, 2, 2);
    return maker_finish(&m);
}

static graze_mesh *cube(double half) {
    maker m = {0};
    box_at(&m, 0, 0, 0, half);
    return maker_finish(&m);
}

static graze_transform shift(double x, double y, double z) {
    graze_transform t = graze_transform_identity();
    t.m[3] = x, t.m[7] = y, t.m[11] = z;
    return t;
}

static graze_mesh_overlap query(const graze_mesh *whole, const graze_mesh *inner,
                                graze_transform pose, graze_policy policy) {
    graze_transform one = graze_transform_identity();
    graze_mesh_overlap out, swapped;
    assert_int_equal(graze_meshes_overlap(whole, &one, inner, &pose, policy, &out, NULL), GRAZE_OK);
    assert_int_equal(graze_meshes_overlap(inner, &pose, whole, &one, policy, &swapped, NULL),
                     GRAZE_OK);
    assert_int_equal(out.overlap, swapped.overlap);
    assert_int_equal(out.contained, swapped.contained);
    return out;
}

/// Whether the part, at a place where it meets no surface, counts as contained.
static bool contained(const graze_mesh *whole, const graze_mesh *inner, double x, double y,
                      double z, graze_policy policy) {
    graze_mesh_overlap out = query(whole, inner, shift(x, y, z), policy);
    assert_int_equal(out.overlap, out.contained);
    return out.contained;
}

static void expect(const graze_mesh *whole, const graze_mesh *inner, double x, double y, double z,
                   bool solid, bool cap) {
    assert_int_equal(contained(whole, inner, x, y, z, GRAZE_POLICY_SOLID), solid);
    assert_int_equal(contained(whole, inner, x, y, z, GRAZE_POLICY_CAP), cap);
    assert_false(contained(whole, inner, x, y, z, GRAZE_POLICY_SURFACE));
}

// ----------------------------------------------------------------------------------------- rules

static void test_component_inside_a_closed_one_collides_but_not_as_surfaces(void **state) {
    (void)state;
    graze_mesh *whole = cube(1), *inner = cube(0.25);
    expect(whole, inner, 0, 0, 0, true, true);
    expect(whole, inner, 0.5, -0.5, 0.5, true, true);
    expect(whole, inner, 3, 0, 0, false, false);
    graze_mesh_overlap out = query(whole, inner, shift(0, 0, 0), GRAZE_POLICY_SOLID);
    assert_int_equal(out.triangle_a, -1);
    assert_int_equal(out.triangle_b, 0);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_reversed_inner_shell_is_a_cavity(void **state) {
    (void)state;
    maker m = {0};
    box_at(&m, 0, 0, 0, 1);
    size_t first = m.nt;
    box_at(&m, 0, 0, 0, 0.5);
    maker_flip(&m, first);
    graze_mesh *whole = maker_finish(&m), *inner = cube(0.125);
    expect(whole, inner, 0, 0, 0, false, false);  // in the cavity
    expect(whole, inner, 0.75, 0, 0, true, true); // in the wall
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_overlapping_and_reversed_shells_are_solid_and_opposite_ones_cancel(void **state) {
    (void)state;
    graze_mesh *inner = cube(0.125);
    for (int kind = 0; kind < 3; kind++) {
        maker m = {0};
        box_at(&m, -0.25, 0, 0, 1);
        size_t first = m.nt;
        box_at(&m, 0.25, 0, 0, 1);
        if (kind == 1) maker_flip(&m, 0);     // both
        if (kind == 2) maker_flip(&m, first); // one
        graze_mesh *whole = maker_finish(&m);
        expect(whole, inner, 0, 0, 0, kind < 2, kind < 2); // 2, -2 and 0 turns
        expect(whole, inner, 1.1, 0, 0, true, true);
        graze_mesh_free(whole);
    }
    graze_mesh_free(inner);
}

static void test_open_component_contains_only_with_a_cap(void **state) {
    (void)state;
    graze_mesh *whole = crate(), *inner = cube(0.25);
    expect(whole, inner, 0, 0, 0, false, true);
    expect(whole, inner, 0, 0, -0.5, false, true);
    expect(whole, inner, 0, 0, 1.5, false, false); // above the cap
    expect(whole, inner, 3, 0, 0, false, false);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_component_that_extends_through_a_cap_is_contained(void **state) {
    (void)state;
    graze_mesh *whole = crate(), *inner = cube(0.25);
    maker m = {0};
    const double center[3] = {0, 0, 5}, half[3] = {0.1, 0.1, 4.5};
    maker_box(&m, center, half);
    graze_mesh *stick = maker_finish(&m);
    // All but a tip is outside; the vertex that is lowest in x, y, z is inside or outside.
    expect(whole, inner, 0, 0, 1.125, false, true);
    expect(whole, inner, 0, 0, 0.875, false, true);
    expect(whole, stick, 0, 0, 0, false, true);
    graze_transform over = shift(0, 0, 10); // upside down: the lowest vertex is outside
    over.m[5] = over.m[10] = -1;
    assert_true(query(whole, stick, over, GRAZE_POLICY_CAP).contained);
    assert_false(query(whole, stick, over, GRAZE_POLICY_SOLID).overlap);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
    graze_mesh_free(stick);
}

static void test_component_that_touches_a_cap_from_outside_is_apart(void **state) {
    (void)state;
    graze_mesh *whole = crate(), *inner = cube(0.25);
    expect(whole, inner, 0, 0, 1.25, false, false);       // its lower face lies in the cap
    expect(whole, inner, 0.25, 0.25, 1.25, false, false); // a corner at the cap's apex
    // The next double down is inside.
    expect(whole, inner, 0, 0, nextafter(1.25, 0), false, true);
    graze_mesh_free(whole);
    // The same from below, where the symbolic shift of the vertices leads inwards.
    maker m = {0};
    box_at(&m, 0, 0, 0, 1);
    drop(&m, 0, 2);
    whole = maker_finish(&m);
    expect(whole, inner, 0, 0, -1.25, false, false);
    expect(whole, inner, 0, 0, nextafter(-1.25, 0), false, true);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void loose_triangle(maker *m, double x, bool down) {
    uint32_t a = maker_vertex(m, x - 0.4, -0.5, 0.7), b = maker_vertex(m, x + 0.4, -0.5, 0.7),
             c = maker_vertex(m, x, 0.6, 0.7);
    maker_triangle(m, a, down ? c : b, down ? b : c);
}

static void test_loose_triangles_enclose_nothing_and_hide_nothing(void **state) {
    (void)state;
    maker m = {0};
    box_at(&m, 0, 0, 0, 1);
    drop(&m, 2, 2);
    loose_triangle(&m, -0.5, false); // over the parts that are inside
    loose_triangle(&m, 0.5, true);
    loose_triangle(&m, 3, false); // and over those that are not
    graze_mesh *whole = maker_finish(&m), *inner = cube(0.125);
    assert_int_equal(whole->component_count, 4);
    expect(whole, inner, -0.5, 0, 0, false, true);
    expect(whole, inner, 0.5, 0, 0, false, true);
    expect(whole, inner, 3, 0, 0.5, false, false);
    expect(whole, inner, 3, 0, 0.9, false, false);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_each_opening_is_closed_across_itself(void **state) {
    (void)state;
    // A tube open at both ends is full from end to end, and nothing beyond them.
    maker m = {0};
    const double center[3] = {0, 0, 0}, half[3] = {1, 1, 4};
    maker_box(&m, center, half);
    drop(&m, 0, 4); // bottom and top
    graze_mesh *whole = maker_finish(&m), *inner = cube(0.25);
    assert_int_equal(whole->closed_count, 0);
    for (int z = -3; z <= 3; z++) expect(whole, inner, 0.5, 0.25, z, false, true);
    expect(whole, inner, 0, 0, 4.5, false, false);
    expect(whole, inner, 0, 0, -4.5, false, false);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_flipped_triangle_is_mended_by_its_cap(void **state) {
    (void)state;
    graze_mesh *inner = cube(0.125);
    for (size_t t = 0; t < 12; t++) {
        maker m = {0};
        box_at(&m, 0, 0, 0, 1);
        uint32_t swap = m.t[3 * t];
        m.t[3 * t] = m.t[3 * t + 1];
        m.t[3 * t + 1] = swap;
        graze_mesh *whole = maker_finish(&m);
        for (int i = 0; i < 27; i++)
            expect(whole, inner, 0.75 * (i % 3 - 1), 0.75 * (i / 3 % 3 - 1), 0.75 * (i / 9 - 1),
                   false, true);
        for (int i = 0; i < 6; i++) {
            double x[3] = {0.3, 0.2, 0.1};
            x[i / 2] = i % 2 ? 1.5 : -1.5;
            expect(whole, inner, x[0], x[1], x[2], false, false);
        }
        graze_mesh_free(whole);
    }
    graze_mesh_free(inner);
}

static void test_closed_meshes_count_alike_under_solid_and_cap(void **state) {
    (void)state;
    gz_random r = gz_random_make(8, 0);
    maker a = {0}, b = {0};
    const double origin[3] = {0, 0, 0};
    maker_torus(&a, 1, 0.4, 12, 9);
    maker_sphere(&b, origin, 0.15, 5, 6);
    graze_mesh *whole = maker_finish(&a), *inner = maker_finish(&b);
    int inside = 0;
    for (int i = 0; i < 400; i++) {
        graze_transform pose = maker_pose(&r, 1.3);
        graze_mesh_overlap x = query(whole, inner, pose, GRAZE_POLICY_SOLID),
                           y = query(whole, inner, pose, GRAZE_POLICY_CAP);
        assert_memory_equal(&x.triangle_a, &y.triangle_a, sizeof x.triangle_a);
        assert_int_equal(x.overlap, y.overlap);
        assert_int_equal(x.contained, y.contained);
        inside += x.contained;
    }
    assert_true(inside > 5);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static bool overlaps(const gz_shape *a, const gz_shape *b, graze_transform pose,
                     graze_policy policy) {
    gz_shape_rule rule = {
        .kernels = gz_kernels_choose(), .policy_a = policy, .detail = GZ_DETAIL_PLACE};
    graze_transform one = graze_transform_identity();
    graze_stats stats = {0};
    gz_shape_contact meeting;
    return gz_shapes_collide(a, one.m, b, pose.m, &rule, &meeting, &stats) && meeting.contained;
}

static void
test_curved_shapes_are_judged_by_their_middle_and_under_cap_by_their_ends(void **state) {
    (void)state;
    gz_shape whole, stick, ball;
    graze_transform one = graze_transform_identity();
    gz_shape_mesh(&whole, crate());
    assert_int_equal(gz_shape_primitive(&stick, GRAZE_SHAPE_CAPSULE, NULL, 0.1, 2, &one, NULL),
                     GRAZE_OK);
    assert_int_equal(gz_shape_primitive(&ball, GRAZE_SHAPE_SPHERE, NULL, 0.25, 0, &one, NULL),
                     GRAZE_OK);
    assert_true(overlaps(&whole, &ball, shift(0, 0, 0), GRAZE_POLICY_CAP));
    assert_false(overlaps(&whole, &ball, shift(0, 0, 0), GRAZE_POLICY_SOLID));
    assert_false(overlaps(&whole, &ball, shift(0, 0, 0), GRAZE_POLICY_SURFACE));
    assert_true(overlaps(&whole, &ball, shift(0, 0, 0.9), GRAZE_POLICY_CAP));
    assert_false(
        overlaps(&whole, &ball, shift(0, 0, 1), GRAZE_POLICY_CAP)); // its middle on the cap
    assert_false(overlaps(&whole, &ball, shift(0, 0, 1.1), GRAZE_POLICY_CAP));
    // The stick's lower end reaches in, its middle does not; then upside down.
    assert_true(overlaps(&whole, &stick, shift(0, 0, 1.5), GRAZE_POLICY_CAP));
    graze_transform over = shift(0, 0, 1.5);
    over.m[5] = over.m[10] = -1;
    assert_true(overlaps(&whole, &stick, over, GRAZE_POLICY_CAP));
    assert_false(overlaps(&whole, &stick, shift(0, 0, 2.2), GRAZE_POLICY_CAP));
    assert_false(overlaps(&whole, &stick, shift(0, 0, 1.5), GRAZE_POLICY_SOLID));
    gz_shape_clear(&whole);
    gz_shape_clear(&stick);
    gz_shape_clear(&ball);
}

static void test_lowest_component_inside_is_named(void **state) {
    (void)state;
    graze_mesh *whole = crate();
    maker m = {0};
    box_at(&m, 0, 0, 9, 0.1);   // outside
    box_at(&m, 0.5, 0, 1, 0.2); // through the cap
    box_at(&m, 0, 0, 0, 0.1);   // inside
    graze_mesh *inner = maker_finish(&m);
    graze_mesh_overlap out = query(whole, inner, shift(0, 0, 0), GRAZE_POLICY_CAP);
    assert_true(out.contained);
    assert_int_equal(out.triangle_b, 12);
    // The place is a vertex that is inside.
    assert_true(out.segment[2] < 1 && out.segment[2] > 0.7);
    out = query(whole, inner, shift(0, 0, 0.9), GRAZE_POLICY_CAP);
    assert_int_equal(out.triangle_b, 24);
    graze_mesh_free(whole);
    graze_mesh_free(inner);
}

static void test_policy_that_is_no_enumerator_is_refused(void **state) {
    (void)state;
    graze_mesh *a = cube(1), *b = cube(0.5);
    graze_transform one = graze_transform_identity();
    graze_mesh_overlap out;
    assert_int_equal(graze_meshes_overlap(a, &one, b, &one, (graze_policy)3, &out, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_true(out.overlap);
    graze_mesh_free(a);
    graze_mesh_free(b);
}

// ---------------------------------------------------------------------------------------- report

static graze_solid_report report(graze_mesh *mesh, graze_component_info *components, size_t hall) {
    graze_solid_report out;
    assert_int_equal(graze_mesh_solids(mesh, &out, components, hall, NULL), GRAZE_OK);
    graze_mesh_free(mesh);
    return out;
}

static void test_report_of_closed_shells_tells_reversed_from_cavity(void **state) {
    (void)state;
    maker m = {0};
    box_at(&m, 0, 0, 0, 2);
    box_at(&m, 0, 0, 0, 1);
    maker_flip(&m, 12); // a cavity
    box_at(&m, 9, 0, 0, 1);
    maker_flip(&m, 24);       // inside out
    box_at(&m, 0, 0, 0, 0.5); // solid, in the cavity
    graze_component_info c[5];
    memset(c, 0xff, sizeof c);
    graze_solid_report r = report(maker_finish(&m), c, 5);
    assert_int_equal(r.triangle_count, 48);
    assert_int_equal(r.component_count, 4);
    assert_int_equal(r.closed_count, 4);
    assert_int_equal(r.reversed_count, 2);
    assert_int_equal(r.cavity_count, 1);
    assert_int_equal(r.open_count, 0);
    assert_int_equal(r.boundary_edges + r.boundary_loops + r.non_manifold_edges, 0);
    assert_false(r.has_place);
    const double volumes[4] = {64, -8, -8, 1};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(c[i].closure, GRAZE_CLOSURE_CLOSED);
        assert_int_equal(c[i].triangle, 12 * i);
        assert_int_equal(c[i].triangle_count, 12);
        assert_true(c[i].volume == volumes[i]);
        assert_int_equal(c[i].reversed, volumes[i] < 0);
        assert_int_equal(c[i].cavity, i == 1);
    }
    assert_int_equal(c[4].triangle, SIZE_MAX); // not written beyond what there is
}

static void test_report_of_holes_counts_loops_and_names_a_place(void **state) {
    (void)state;
    maker m = {0};
    box_at(&m, 5, 0, 0, 1); // closed
    box_at(&m, 0, 0, 0, 1);
    drop(&m, 14, 2); // no top
    drop(&m, 12, 1); // and half of the bottom
    graze_component_info c[2];
    graze_solid_report r = report(maker_finish(&m), c, 2);
    assert_int_equal(r.open_count, 1);
    assert_int_equal(r.closed_count, 1);
    assert_int_equal(r.boundary_edges, 7);
    assert_int_equal(r.hole_edges, 7);
    assert_int_equal(r.boundary_loops, 2);
    assert_true(r.has_place);
    assert_int_equal(r.place_component, 1);
    assert_true(r.place.x == -1 && r.place.y == -1 && r.place.z == -1);
    assert_int_equal(c[0].closure, GRAZE_CLOSURE_CLOSED);
    assert_int_equal(c[1].closure, GRAZE_CLOSURE_HOLE);
    assert_true(c[1].volume == 0 && !c[1].reversed);
}

/// The last vertex is in two edges as their higher end only.
static void test_report_names_the_lowest_place_whatever_its_index(void **state) {
    (void)state;
    maker m = {0};
    maker_vertex(&m, 0, 0, 0);
    maker_vertex(&m, 1, 0, 0);
    maker_vertex(&m, -1, 0, 1);
    maker_triangle(&m, 0, 1, 2);
    graze_component_info c;
    graze_solid_report r = report(maker_finish(&m), &c, 1);
    assert_int_equal(c.hole_edges, 3);
    assert_true(r.has_place && r.place.x == -1 && r.place.z == 1);
}

static void test_report_tells_winding_and_non_manifold_edges_from_holes(void **state) {
    (void)state;
    graze_component_info c;
    maker m = {0};
    box_at(&m, 0, 0, 0, 1);
    uint32_t swap = m.t[4];
    m.t[4] = m.t[5];
    m.t[5] = swap;
    graze_solid_report r = report(maker_finish(&m), &c, 1);
    assert_int_equal(c.closure, GRAZE_CLOSURE_WINDING);
    assert_int_equal(r.winding_edges, 3);
    assert_int_equal(r.hole_edges, 0);
    assert_int_equal(r.non_manifold_edges, 0);
    // A face twice: its border has three triangles an edge.
    m = (maker){0};
    box_at(&m, 0, 0, 0, 1);
    maker_triangle(&m, m.t[0], m.t[1], m.t[2]);
    r = report(maker_finish(&m), &c, 1);
    assert_int_equal(c.closure, GRAZE_CLOSURE_NON_MANIFOLD);
    assert_int_equal(r.non_manifold_edges, 3);
    assert_int_equal(r.boundary_edges, 3);
    // Two boxes that share an edge are closed, and not manifold there.
    m = (maker){0};
    box_at(&m, 0, 0, 0, 1);
    box_at(&m, 2, 2, 0, 1);
    r = report(maker_finish(&m), &c, 1);
    assert_int_equal(r.component_count, 1);
    assert_int_equal(r.closed_count, 1);
    assert_int_equal(r.non_manifold_edges, 1);
}

static void test_report_of_loose_and_degenerate_triangles(void **state) {
    (void)state;
    maker m = {0};
    uint32_t a = maker_vertex(&m, 0, 0, 0), b = maker_vertex(&m, 1, 0, 0),
             c = maker_vertex(&m, 0, 1, 0), d = maker_vertex(&m, 2, 0, 0);
    maker_vertex(&m, 0, 0, 0); // welds with a
    maker_triangle(&m, a, b, c);
    maker_triangle(&m, a, b, d); // no area
    graze_solid_report r = report(maker_finish(&m), NULL, 0);
    assert_int_equal(r.degenerate_count, 1);
    assert_int_equal(r.given_vertex_count, 5);
    assert_int_equal(r.vertex_count, 4);
    assert_int_equal(r.open_count, 1);
    assert_int_equal(r.boundary_edges, 5);
    assert_int_equal(r.boundary_loops, 1);
    assert_int_equal(r.winding_edges, 1);
}

/// Reversed leaves in a pile: the line upwards from each passes all above it, which took quadratic
/// time, though none is in the box of another.
static void test_report_of_a_pile_of_reversed_leaves_takes_little_time(void **state) {
    (void)state;
    enum { LEAVES = 8000 };
    maker m = {0};
    for (int i = 0; i < LEAVES; i++) {
        double z = i * 3e-4;
        uint32_t a = maker_vertex(&m, -1, -1, z), b = maker_vertex(&m, 1, -1, z + 1e-5),
                 c = maker_vertex(&m, 0, 1, z), d = maker_vertex(&m, 0, 0, z + 1e-4);
        maker_triangle(&m, a, b, c);
        maker_triangle(&m, a, d, b);
        maker_triangle(&m, b, d, c);
        maker_triangle(&m, c, d, a);
    }
    graze_mesh *mesh = maker_finish(&m);
    graze_solid_report report;
    clock_t start = clock();
    assert_int_equal(graze_mesh_solids(mesh, &report, NULL, 0, NULL), GRAZE_OK);
    double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(report.reversed_count, LEAVES);
    assert_int_equal(report.cavity_count, 0);
    assert_true(taken < 1);
    graze_mesh_free(mesh);
}

static void test_report_refuses_null(void **state) {
    (void)state;
    graze_mesh *mesh = crate();
    graze_solid_report none;
    graze_component_info one;
    assert_int_equal(graze_mesh_solids(NULL, &none, NULL, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_mesh_solids(mesh, NULL, NULL, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_mesh_solids(mesh, NULL, &one, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_mesh_solids(mesh, &none, NULL, 1, NULL), GRAZE_ERROR_ARGUMENT);
    graze_mesh_free(mesh);
}

static void test_report_out_of_memory_at_every_allocation(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_mesh *mesh = crate();
    for (long n = 1;; n++) {
        graze_solid_report r;
        graze_error error;
        gz_memory_fail_after(n, false);
        graze_status status = graze_mesh_solids(mesh, &r, NULL, 0, &error);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            assert_true(n > 5);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(error.status, GRAZE_ERROR_NO_MEMORY);
    }
    graze_mesh_free(mesh);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_component_inside_a_closed_one_collides_but_not_as_surfaces),
        cmocka_unit_test(test_reversed_inner_shell_is_a_cavity),
        cmocka_unit_test(test_overlapping_and_reversed_shells_are_solid_and_opposite_ones_cancel),
        cmocka_unit_test(test_open_component_contains_only_with_a_cap),
        cmocka_unit_test(test_component_that_extends_through_a_cap_is_contained),
        cmocka_unit_test(test_component_that_touches_a_cap_from_outside_is_apart),
        cmocka_unit_test(test_loose_triangles_enclose_nothing_and_hide_nothing),
        cmocka_unit_test(test_each_opening_is_closed_across_itself),
        cmocka_unit_test(test_flipped_triangle_is_mended_by_its_cap),
        cmocka_unit_test(test_closed_meshes_count_alike_under_solid_and_cap),
        cmocka_unit_test(test_curved_shapes_are_judged_by_their_middle_and_under_cap_by_their_ends),
        cmocka_unit_test(test_lowest_component_inside_is_named),
        cmocka_unit_test(test_policy_that_is_no_enumerator_is_refused),
        cmocka_unit_test(test_report_of_closed_shells_tells_reversed_from_cavity),
        cmocka_unit_test(test_report_of_holes_counts_loops_and_names_a_place),
        cmocka_unit_test(test_report_names_the_lowest_place_whatever_its_index),
        cmocka_unit_test(test_report_tells_winding_and_non_manifold_edges_from_holes),
        cmocka_unit_test(test_report_of_loose_and_degenerate_triangles),
        cmocka_unit_test(test_report_of_a_pile_of_reversed_leaves_takes_little_time),
        cmocka_unit_test(test_report_refuses_null),
        cmocka_unit_test(test_report_out_of_memory_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
