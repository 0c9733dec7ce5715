// Proxies: points are vertices, covers cover, clearances are lower bounds of distances that are
// computed here triangle by triangle.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "mesh_maker.h"

static graze_mesh *make(const maker *m) {
    graze_mesh *mesh = NULL;
    graze_error error;
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error)) fail_msg("%s", error.message);
    return mesh;
}

static bool is_vertex(const graze_mesh *mesh, const gz_point_set *set, int group, int lane) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        bool same = true;
        for (int k = 0; k < 3; k++)
            same = same && set->group[group][k][lane] == (float)mesh->vertices[3 * i + (size_t)k];
        if (same) return true;
    }
    return false;
}

static void points_are_vertices_and_corners_extreme(void **state) {
    (void)state;
    maker m = {0};
    maker_torus(&m, 0.4, 0.15, 20, 12);
    graze_mesh *mesh = make(&m);
    const gz_mesh_proxy *s = mesh->proxy;
    assert_non_null(s);
    const gz_point_set *sets[2] = {&s->support, &s->samples};
    for (int i = 0; i < 2; i++) {
        assert_in_range(sets[i]->count, 4, GZ_PROXY_GROUPS);
        for (int g = 0; g < sets[i]->count; g++)
            for (int lane = 0; lane < GZ_WIDTH; lane++)
                assert_true(is_vertex(mesh, sets[i], g, lane));
    }
    // Corners of a torus that lies flat: none in the hole.
    for (int g = 0; g < s->support.count; g++)
        for (int lane = 0; lane < GZ_WIDTH; lane++)
            assert_true(hypotf(s->support.group[g][0][lane], s->support.group[g][1][lane]) > 0.39f);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// How far a mesh reaches along a direction, and beyond its support points; with their balls it
/// must be no farther.
static long double farther_than_points(const graze_mesh *mesh, const double d[3]) {
    const gz_mesh_proxy *s = mesh->proxy;
    const long double length = sqrtl((long double)d[0] * d[0] + (long double)d[1] * d[1] +
                                     (long double)d[2] * d[2]);
    long double most = -INFINITY, points = -INFINITY, balls = -INFINITY;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *v = mesh->vertices + 3 * i;
        most = fmaxl(most, (long double)v[0] * d[0] + (long double)v[1] * d[1] +
                               (long double)v[2] * d[2]);
    }
    for (int i = 0; i < s->support.count * GZ_WIDTH; i++) {
        const float(*group)[GZ_WIDTH] = s->support.group[i / GZ_WIDTH];
        const long double at = (long double)group[0][i % GZ_WIDTH] * d[0] +
                               (long double)group[1][i % GZ_WIDTH] * d[1] +
                               (long double)group[2][i % GZ_WIDTH] * d[2];
        points = fmaxl(points, at);
        balls = fmaxl(balls, at + length * s->support_radius[i / GZ_WIDTH][i % GZ_WIDTH]);
    }
    assert_true(most <= balls);
    return (most - points) / length;
}

static float largest_radius(const gz_mesh_proxy *s) {
    float most = 0;
    for (int i = 0; i < s->support.count * GZ_WIDTH; i++)
        most = fmaxf(most, s->support_radius[i / GZ_WIDTH][i % GZ_WIDTH]);
    return most;
}

/// Along random directions, and from the middle to each vertex. Returns how much of the largest
/// radius is needed.
static double needed_of_balls(maker *m, gz_random *r) {
    graze_mesh *mesh = make(m);
    assert_non_null(mesh->proxy);
    long double most = 0;
    for (size_t i = 0; i < 300 + mesh->vertex_count; i++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = i < 300
                       ? gz_random_range(r, -1, 1)
                       : mesh->vertices[3 * (i - 300) + (size_t)k] - (double)mesh->proxy->center[k];
        if (d[0] != 0 || d[1] != 0 || d[2] != 0) most = fmaxl(most, farther_than_points(mesh, d));
    }
    const double needed = (double)(most / largest_radius(mesh->proxy));
    graze_mesh_free(mesh);
    maker_free(m);
    return needed;
}

/// Round, flat, thin and tangled meshes of all sizes, moved off the origin, too.
static void test_balls_around_support_points_hold_the_mesh(void **state) {
    (void)state;
    gz_random r = gz_random_make(17, 0);
    for (int i = 0; i < 90; i++) {
        maker m = {0};
        const double center[3] = {0, 0, 0};
        if (i % 6 == 0) maker_sphere(&m, center, 1, 16, 24);
        if (i % 6 == 1) maker_torus(&m, 0.4, 0.15, 30, 16);
        if (i % 6 == 2) maker_soup(&m, &r, 200, 0.2);
        if (i % 6 == 3) maker_needles(&m, &r, 60);
        if (i % 6 == 4) maker_sphere(&m, center, 1, 20, 40);
        if (i % 6 == 5)
            for (int n = 0; n < 4; n++) maker_box(&m, center, (const double[3]){1, n, 0.1});
        const double flat = i % 6 == 4 ? (i % 4 ? 1e-9 : 0) : 1, far = i % 5 ? 0 : 3,
                     size = pow(10, gz_random_range(&r, -4, 3));
        for (size_t n = 0; n < 3 * m.nv; n++)
            m.v[n] = size * (m.v[n] * (n % 3 == 2 ? flat : 1) + far);
        const double needed = needed_of_balls(&m, &r);
        if (i % 6 == 0) assert_true(needed > 0.7);
        assert_true(needed <= 1);
    }
}

static void covers_hold_every_triangle(void **state) {
    (void)state;
    maker m = {0};
    maker_torus(&m, 0.4, 0.05, 40, 8);
    graze_mesh *mesh = make(&m);
    const gz_mesh_proxy *s = mesh->proxy;
    assert_in_range(s->sphere_count, 8, GZ_PROXY_SPHERES);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        bool held = false; // a ball that holds the corners holds the triangle
        for (int i = 0; i < s->sphere_count && !held; i++) {
            held = true;
            for (size_t k = 0; k < 3; k++) {
                const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k];
                double x = v[0] - (double)s->spheres[i].center[0],
                       y = v[1] - (double)s->spheres[i].center[1],
                       z = v[2] - (double)s->spheres[i].center[2];
                held = held && sqrt(x * x + y * y + z * z) <= (double)s->spheres[i].radius;
            }
        }
        assert_true(held);
    }
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// Of meshes so small that squares underflow in float, too.
static void test_covers_of_specks_hold_every_vertex(void **state) {
    (void)state;
    for (int size = -98; size <= -60; size++) {
        maker m = {0};
        maker_torus(&m, ldexp(0.7, size), ldexp(0.2, size), 20, 12);
        graze_mesh *mesh = make(&m);
        const gz_mesh_proxy *s = mesh->proxy;
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            bool held = false, held_fine = false;
            for (int i = 0; i < s->sphere_count + s->sphere_set.count; i++) {
                bool fine = i >= s->sphere_count;
                int at = fine ? i - s->sphere_count : i;
                double sum = 0,
                       radius = fine ? (double)s->sphere_set.group[at / GZ_WIDTH][3][at % GZ_WIDTH]
                                     : (double)s->spheres[at].radius;
                for (int k = 0; k < 3; k++) {
                    double c = fine ? (double)s->sphere_set.group[at / GZ_WIDTH][k][at % GZ_WIDTH]
                                    : (double)s->spheres[at].center[k];
                    sum += pow(mesh->vertices[3 * v + (size_t)k] - c, 2);
                }
                *(fine ? &held_fine : &held) |= sqrt(sum) <= radius;
            }
            if (!held || !held_fine) fail_msg("2^%d: vertex %zu is in no sphere", size, v);
        }
        graze_mesh_free(mesh);
        maker_free(&m);
    }
}

static void span_and_enclosure_bound_sizes(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.5, 12, 16);
    maker_sphere(&m, (double[3]){2, 0, 0}, 0.1, 8, 8);
    graze_mesh *mesh = make(&m);
    assert_true(mesh->proxy->span > 0.98 && mesh->proxy->span < 1.0000001);
    assert_true(mesh->proxy->enclosure > 1 && mesh->proxy->enclosure < 1.7320510);
    assert_true(mesh->proxy->shortest > 0.18 && mesh->proxy->shortest < 0.2000001);
    // Probes are of the component with most triangles only.
    for (int g = 0; g < mesh->proxy->samples.count; g++)
        for (int lane = 0; lane < GZ_WIDTH; lane++)
            assert_true(mesh->proxy->samples.group[g][0][lane] < 1);
    graze_mesh_free(mesh);
    maker_free(&m);
}

static void fine_covers_hold_every_triangle(void **state) {
    (void)state;
    maker m = {0};
    maker_torus(&m, 0.7, 0.2, 40, 20);
    graze_mesh *mesh = make(&m);
    const gz_sphere_set *fine = &mesh->proxy->sphere_set;
    assert_in_range(fine->count, 40, GZ_PROXY_GROUPS * GZ_WIDTH);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        bool held = false;
        for (int i = 0; i < fine->count && !held; i++) {
            const float(*group)[GZ_WIDTH] = fine->group[i / GZ_WIDTH];
            held = true;
            for (size_t k = 0; k < 3; k++) {
                const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k];
                double sum = 0;
                for (int j = 0; j < 3; j++) sum += pow(v[j] - (double)group[j][i % GZ_WIDTH], 2);
                held = held && sqrt(sum) <= (double)group[3][i % GZ_WIDTH];
            }
        }
        assert_true(held);
    }
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// Two large spheres of facets; the distance from one is the distance from a ball, less the sagitta
/// of a facet. The second is a cavity's worth of nothing: it is turned inwards in the first.
static void clearances_are_lower_bounds_on_the_right_side(void **state) {
    (void)state;
    maker m = {0};
    const double center[3][3] = {{0, 0, 0}, {1.5, 0.2, -0.3}, {0, 0, 0}},
                 radius[3] = {0.5, 0.3, 0.2};
    for (int i = 0; i < 3; i++) maker_sphere(&m, center[i], radius[i], 80, 80);
    for (size_t t = m.nt / 3 * 2; t < m.nt; t++) {
        uint32_t *c = m.t + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
    graze_mesh *mesh = make(&m);
    const gz_clearance_map *map = &mesh->proxy->clearance;
    assert_non_null(map->cells);
    assert_null(mesh->proxy->inside.bits);
    double sagitta = 0.5 * (1 - cos(3.14159265 / 80)) * 2, worst = INFINITY, widest = 0, loss = 0,
           near = 0; // the claims' losses: in all cells, and in those that the surface passes
    size_t cell = 0, inside = 0, unsaid = 0;
    for (int z = 0; z < map->count[2]; z++)
        for (int y = 0; y < map->count[1]; y++)
            for (int x = 0; x < map->count[0]; x++, cell++) {
                int value = map->cells[cell] % GZ_CLEARANCE_INSIDE, depth = 0;
                bool flag = map->cells[cell] >= GZ_CLEARANCE_INSIDE;
                double least = INFINITY, p[3] = {x + 0.5, y + 0.5, z + 0.5};
                for (int k = 0; k < 3; k++)
                    p[k] = (double)map->low[k] + p[k] / (double)map->inverse;
                for (int i = 0; i < 3; i++) {
                    double d[3], r;
                    for (int k = 0; k < 3; k++) d[k] = p[k] - center[i][k];
                    r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                    least = fmin(least, fabs(r - radius[i]));
                    depth += (r < radius[i]) * (i == 2 ? -1 : 1);
                }
                double claim = (double)map->unit * value;
                if (value == 0) {
                    unsaid++;
                    continue;
                }
                worst = fmin(worst, least + sagitta - claim);
                widest = fmax(widest, claim);
                if (least < 3 * (double)map->step) loss = fmax(loss, least - claim);
                if (least < 0.5 * (double)map->step) near = fmax(near, least - claim);
                if (claim > sagitta) assert_int_equal(flag, depth != 0);
                inside += flag;
            }
    assert_true(worst >= 0);
    assert_true(widest > 0.15); // and they say something:
    assert_true(near < 0.2 * (double)map->step + sagitta);
    assert_true(loss < 1.4 * (double)map->step && unsaid < map->cell_count / 10);
    assert_true(inside > map->cell_count / 20);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// Two specks at opposite corners of a flat box: in the first one's rows the last cell is the
/// farthest, nearer to the second by one step than the other cells' squares are. Each cell's
/// distance is at most that of the nearer speck's vertices.
static void clearances_of_far_corners_are_lower_bounds(void **state) {
    (void)state;
    for (size_t wanted = 5; wanted < 100; wanted += 5) {
        maker m = {0};
        const double center[2][3] = {{0, 0, 0}, {1, 1, 0}}, radius = 1e-3;
        for (int i = 0; i < 2; i++) maker_sphere(&m, center[i], radius, 5, 6);
        graze_mesh *mesh = make(&m);
        gz_clearance_map map;
        assert_true(gz_clearance_map_build(&map, mesh, wanted) && map.cells);
        double widest = 0;
        for (size_t cell = 0; cell < map.cell_count; cell++) {
            size_t nx = (size_t)map.count[0], ny = (size_t)map.count[1];
            const size_t at[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
            double least = INFINITY;
            for (int i = 0; i < 2; i++) {
                double square = 0;
                for (int k = 0; k < 3; k++) {
                    double d = (double)map.low[k] + ((double)at[k] + 0.5) / (double)map.inverse -
                               center[i][k];
                    square += d * d;
                }
                least = fmin(least, sqrt(square) + radius);
            }
            double claim = (double)map.unit * (map.cells[cell] % GZ_CLEARANCE_INSIDE);
            assert_true(claim <= least);
            widest = fmax(widest, claim);
        }
        assert_true(widest > 0.4);
        gz_free(map.cells);
        graze_mesh_free(mesh);
        maker_free(&m);
    }
}

static void small_meshes_have_no_proxy(void **state) {
    (void)state;
    maker m = {0};
    for (uint32_t i = 0; i < 4; i++) maker_vertex(&m, i == 1, i == 2, i == 3);
    for (uint32_t i = 0; i < 4; i++) maker_triangle(&m, i, (i + 1) % 4, (i + 2) % 4);
    graze_mesh *mesh = make(&m);
    assert_null(mesh->proxy);
    graze_mesh_free(mesh);
    maker_free(&m);
}

/// The proxy of what was made for a role: its cells of a map of clearances, and of what is inside.
static void count_cells(maker *m, gz_mesh_role role, size_t *clearances, size_t *inside) {
    const gz_soup soup = {
        .vertices = m->v, .vertex_count = m->nv, .triangles = m->t, .triangle_count = m->nt};
    graze_mesh *mesh = NULL;
    graze_error error;
    if (gz_mesh_build(&mesh, &soup, NULL, false, role, &error)) fail_msg("%s", error.message);
    *clearances = mesh->proxy ? mesh->proxy->clearance.cell_count : 0;
    *inside = mesh->proxy ? mesh->proxy->inside.word_count : 0;
    assert_true(gz_mesh_proxy_suits(mesh, role));
    gz_mesh_role other = role == GZ_MESH_LINK ? GZ_MESH_OBJECT : GZ_MESH_LINK;
    size_t components = mesh->proxy ? mesh->proxy->component_count : 0;
    assert_int_equal(components, *clearances ? mesh->component_count : 0);
    // One for the other role is shared where that would be prefiltered alike, else made anew.
    graze_mesh *shared = NULL;
    assert_int_equal(gz_mesh_share(&shared, mesh, other, NULL), GRAZE_OK);
    assert_true(gz_mesh_proxy_suits(shared, other));
    assert_int_equal(shared == mesh, gz_mesh_proxy_suits(mesh, other));
    assert_int_equal(shared->given_vertex_count, mesh->given_vertex_count);
    graze_mesh_free(shared);
    graze_mesh_free(mesh);
}

/// As an object and as a link; the object's map has about so many cells.
static void check_roles(maker *m, size_t wanted) {
    size_t clearances, inside;
    count_cells(m, GZ_MESH_LINK, &clearances, &inside);
    assert_int_equal(clearances, 0);
    count_cells(m, GZ_MESH_OBJECT, &clearances, &inside);
    // The map's border, a cell and a half and more on each side, comes on top.
    assert_true(wanted ? clearances > wanted / 2 && clearances < 4 * wanted : clearances == 0);
    assert_true(!clearances || !inside);
    maker_free(m);
}

static void rooms_and_rocks_have_maps_links_and_crates_none(void **state) {
    (void)state;
    const double center[3] = {0, 0, 0}, crate[3] = {0.3, 0.4, 0.2}, hall[3] = {2, 2, 1.5};
    maker m = {0};
    maker_box(&m, center, crate);
    check_roles(&m, 0);
    maker_box(&m, center, crate); // seen from within, but small
    maker_flip(&m, 0);
    check_roles(&m, 0);
    maker_box(&m, center, hall); // one that a robot may stand in, as it may be wound
    check_roles(&m, 16384);
    maker_sphere(&m, center, 0.4, 24, 24);
    check_roles(&m, 0);
    maker_sphere(&m, center, 0.4, 101, 101); // large, whatever its shape
    check_roles(&m, GZ_CLEARANCE_CELLS);
    // Rocks: steep heaps on an open ground, 13 by 13 corners.
    for (uint32_t i = 0; i < 169; i++)
        maker_vertex(&m, 0.1 * (i / 13), 0.1 * (i % 13), i * 7919 % 13 * 0.03);
    for (uint32_t i = 0; i < 12 * 13; i++) {
        if (i % 13 == 12) continue;
        maker_triangle(&m, i, i + 13, i + 14);
        maker_triangle(&m, i, i + 14, i + 1);
    }
    check_roles(&m, (size_t)288 * 128);
}

/// Where floats do not tell cells apart there is no map, and none is looked for again: an object is
/// what a link of the same triangles is.
static void rooms_too_far_away_for_a_map_are_shared(void **state) {
    (void)state;
    const double far[3] = {0, 5000, 0}, hall[3] = {2, 2, 1.5};
    maker m = {0};
    maker_box(&m, far, hall);
    check_roles(&m, 0);
}

/// Large links have what lanes ask them for.
static void links_of_any_size_know_their_inside(void **state) {
    (void)state;
    const double center[3] = {0, 0, 0};
    maker m = {0};
    maker_sphere(&m, center, 0.4, 120, 120);
    size_t clearances, inside;
    count_cells(&m, GZ_MESH_LINK, &clearances, &inside);
    assert_true(m.nt > 20000 && inside > 0);
    maker_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_vertices_and_corners_extreme),
        cmocka_unit_test(test_balls_around_support_points_hold_the_mesh),
        cmocka_unit_test(covers_hold_every_triangle),
        cmocka_unit_test(test_covers_of_specks_hold_every_vertex),
        cmocka_unit_test(span_and_enclosure_bound_sizes),
        cmocka_unit_test(fine_covers_hold_every_triangle),
        cmocka_unit_test(clearances_are_lower_bounds_on_the_right_side),
        cmocka_unit_test(clearances_of_far_corners_are_lower_bounds),
        cmocka_unit_test(small_meshes_have_no_proxy),
        cmocka_unit_test(rooms_and_rocks_have_maps_links_and_crates_none),
        cmocka_unit_test(rooms_too_far_away_for_a_map_are_shared),
        cmocka_unit_test(links_of_any_size_know_their_inside),
    };
    return cmocka_run_group_tests_name("proxy", tests, NULL, NULL);
}
