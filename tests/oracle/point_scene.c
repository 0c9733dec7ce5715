#include "point_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"
#include "sample_mesh.h"

static const char *const sets[POINT_SETS] = {"scalar", "sse2", "avx2"};

const char *point_shape_name(int shape) {
    static const char *const names[] = {"solids", "flat meshes", "box",
                                        "sphere", "capsule",     "cylinder"};
    return names[shape];
}

const char *point_cloud_name(int cloud) {
    static const char *const names[] = {"few", "touching", "lattice", "inside", "dense", "cluster"};
    return names[cloud];
}

static double draw_length(gz_random *r, bool lattice) {
    return lattice ? (1 + gz_random_below(r, 7)) / 16.0 : pow(10, gz_random_range(r, -2, -0.3));
}

static double lattice_place(gz_random *r, uint32_t range) {
    return ((double)gz_random_below(r, 2 * range + 1) - range) / 16.0;
}

// --------------------------------------------------------------------------------------- the robot

static graze_transform draw_pose(gz_random *r, bool lattice, double far) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = lattice ? lattice_place(r, 4) : gz_random_range(r, -far, far);
        rpy[k] = lattice ? 0 : gz_random_range(r, -3.1, 3.1);
    }
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

/// A link without geometry that slides along a line through the origin.
static graze_robot *make_slider(gz_random *r, bool lattice) {
    char text[1024];
    double axis[3], rpy[3];
    int along = (int)gz_random_below(r, 3);
    for (int k = 0; k < 3; k++) {
        axis[k] = lattice ? k == along : gz_random_range(r, -1, 1);
        rpy[k] = lattice ? 0 : gz_random_range(r, -3, 3);
    }
    snprintf(text, sizeof text,
             "<robot name='slider'><link name='root'/><link name='slide'/><joint name='j' "
             "type='prismatic'><parent link='root'/><child link='slide'/><origin xyz='0 0 0' "
             "rpy='%.17g %.17g %.17g'/><axis xyz='%.17g %.17g %.17g'/><limit lower='-9' upper='9' "
             "effort='1' velocity='1'/></joint></robot>",
             rpy[0], rpy[1], rpy[2], axis[0], axis[1], axis[2]);
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, strlen(text), "slider", NULL, NULL, &error))
        give_up("slider", error.message);
    return robot;
}

static sample_mesh draw_flat(gz_random *r) {
    static const uint32_t corners[3] = {0, 1, 2};
    double v[9];
    switch (gz_random_below(r, 3)) {
    case 0:
        return sample_needles(r, 1 + gz_random_below(r, 40));
    case 1:
        return sample_lattice(r, 1 + gz_random_below(r, 60));
    default:
        for (int i = 0; i < 9; i++) v[i] = gz_random_range(r, -0.5, 0.5);
        return sample_mesh_copy(v, 3, corners, 1);
    }
}

static void attach(point_scene *s, int shape, bool lattice, const solid_shape *solids,
                   size_t solid_count, gz_random *r) {
    static const graze_shape kinds[] = {GRAZE_SHAPE_MESH,    GRAZE_SHAPE_MESH,
                                        GRAZE_SHAPE_BOX,     GRAZE_SHAPE_SPHERE,
                                        GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER};
    graze_geometry g = {.name = "", .shape = kinds[shape]};
    sample_mesh mesh = {0};
    if (shape == POINT_SOLIDS) {
        const maker *m = &solids[gz_random_below(r, (uint32_t)solid_count)].mesh;
        double scale = lattice ? 0.5 : gz_random_range(r, 0.05, 0.6);
        mesh = sample_mesh_copy(m->v, m->nv, m->t, m->nt);
        for (size_t i = 0; i < 3 * mesh.vertex_count; i++) mesh.vertices[i] *= scale;
    } else if (shape == POINT_FLATS) {
        mesh = draw_flat(r);
    }
    g.vertices = mesh.vertices, g.vertex_count = mesh.vertex_count;
    g.triangles = mesh.triangles, g.triangle_count = mesh.triangle_count;
    for (int k = 0; k < 3; k++) g.size[k] = draw_length(r, lattice);
    g.radius = draw_length(r, lattice), g.length = draw_length(r, lattice);
    graze_robot *slider = make_slider(r, lattice);
    graze_attachment body = {.struct_size = sizeof(graze_attachment),
                             .name = "body",
                             .link = "slide",
                             .pose = draw_pose(r, lattice, 0.1),
                             .geometry = &g};
    graze_error error;
    if (graze_robot_attach(&s->robot, slider, &body, &error)) give_up("attach", error.message);
    graze_robot_free(slider);
    sample_mesh_clear(&mesh);
    if (graze_robot_collision(s->robot, 0, &s->shape)) give_up("attach", "no geometry");
}

graze_transform point_scene_pose(const point_scene *scene, double x) {
    graze_transform links[3]; // root, slide, body
    graze_error error;
    if (graze_robot_pose(scene->robot, &x, 1, NULL, links, &error)) give_up("pose", error.message);
    return links[scene->shape.frame];
}

// --------------------------------------------------------------------------------------- the cloud

static double bumps(double x, double y) {
    double step = x > 0.31 ? 0.12 : 0; // an edge, as of a table
    return 0.08 * sin(9 * x) * cos(7 * y) + 0.03 * sin(31 * x + 17 * y) + step;
}

/// Points of the world before they are posed.
static void draw_points(point_scene *s, int cloud, gz_random *r, double *p) {
    double tilt = gz_random_range(r, -1, 1), low = gz_random_range(r, -0.2, 0.2);
    double grain = pow(10, gz_random_range(r, -6, -2));
    for (size_t i = 0; i < s->count; i++, p += 3) {
        for (int k = 0; k < 3; k++)
            p[k] = cloud == POINT_LATTICE ? lattice_place(r, 12) : gz_random_range(r, -0.7, 0.7);
        if (cloud == POINT_DENSE)
            p[2] = low + tilt * p[0] + bumps(p[0], p[1]) + gz_random_range(r, -grain, grain);
        // The same place again, under another number.
        if (i > 0 && gz_random_below(r, cloud == POINT_LATTICE ? 2 : 10) == 0)
            memcpy(p, p - 3 * (1 + gz_random_below(r, (uint32_t)i)), 3 * sizeof *p);
    }
}

/// A point at just the radius (as doubles go) from a corner, an edge, a face or an axis of the link
/// where it is at place[0], along a coordinate, or on it.
static void draw_touching(const point_scene *s, gz_random *r, const double *corners, double *p) {
    size_t n = graze_geometry_point_count(&s->shape);
    double w[3] = {1, 0, 0}, at[3][3];
    uint32_t way = gz_random_below(r, 4), axis = gz_random_below(r, 3);
    if (way == 1) w[0] = w[1] = 0.5;
    if (way > 1) {
        w[0] = gz_random_unit(r);
        w[1] = way == 2 ? 1 - w[0] : (1 - w[0]) * gz_random_unit(r);
        w[2] = way == 2 ? 0 : 1 - w[0] - w[1];
    }
    uint32_t t = s->shape.triangle_count ? gz_random_below(r, (uint32_t)s->shape.triangle_count)
                                         : 0;
    for (size_t c = 0; c < 3; c++) {
        size_t i = s->shape.triangle_count ? s->shape.triangles[3 * t + c] : c % n;
        memcpy(at[c], corners + 3 * i, sizeof at[c]);
    }
    for (int k = 0; k < 3; k++) p[k] = w[0] * at[0][k] + w[1] * at[1][k] + w[2] * at[2][k];
    double off = s->radius + s->margin + (s->shape.triangle_count ? 0 : s->shape.radius);
    if (gz_random_below(r, 4)) p[axis] += gz_random_below(r, 2) ? off : -off;
}

/// Heaps of points in the box around the link where it is at place[0].
static void draw_heaps(const point_scene *s, gz_random *r, const double *corners, double *p) {
    double low[3], high[3], middle[3] = {0, 0, 0};
    double off = s->shape.triangle_count ? 0 : s->shape.radius;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (size_t i = 0; i < 3 * graze_geometry_point_count(&s->shape); i++) {
        low[i % 3] = fmin(low[i % 3], corners[i] - off);
        high[i % 3] = fmax(high[i % 3], corners[i] + off);
    }
    double size = pow(10, gz_random_range(r, -4, -0.4));
    size_t heap = gz_random_below(r, 2) ? 50 : s->count;
    for (size_t i = 0; i < s->count; i++, p += 3)
        for (int k = 0; k < 3; k++) {
            if (i % heap == 0) middle[k] = gz_random_range(r, low[k], high[k]);
            p[k] = middle[k] + size * gz_random_range(r, -1, 1);
        }
}

static void add_world(point_scene *s, const double *points, const graze_transform *pose) {
    graze_error error;
    graze_geometry g;
    if (graze_world_create(&s->world, "cloud", &error) ||
        graze_world_add_points(s->world, "points", points, s->count, s->radius, pose, &error) ||
        graze_world_commit(s->world, &error) || graze_world_object(s->world, 0, &g))
        give_up("world", error.message);
    s->points = allocate(3 * s->count, sizeof *s->points);
    graze_geometry_snap(&g, &g.origin, s->points);
}

static void make_cloud(point_scene *s, int cloud, gz_random *r) {
    s->count = 1 + gz_random_below(r, 60);
    if (gz_random_below(r, 6) == 0) s->count = 1;
    if (cloud == POINT_INSIDE) s->count = 1 + gz_random_below(r, 1500);
    if (cloud == POINT_DENSE) s->count = (size_t)pow(10, gz_random_range(r, 3, 5));
    double *points = allocate(3 * s->count, sizeof *points);
    draw_points(s, cloud, r, points);
    if (cloud == POINT_CLUSTER) {
        double size = pow(10, gz_random_range(r, -10, -5));
        for (size_t i = 0; i < 3 * s->count; i++) points[i] *= size;
    }
    // Touching places are those of the world, bit for bit.
    bool around = cloud == POINT_TOUCHING || cloud == POINT_INSIDE;
    bool straight = around || cloud == POINT_LATTICE;
    graze_transform pose = straight ? graze_transform_identity() : draw_pose(r, false, 0.5);
    if (around) {
        double *corners = allocate(3 * graze_geometry_point_count(&s->shape), sizeof *corners);
        graze_transform there = point_scene_pose(s, s->place[0]);
        graze_geometry_snap(&s->shape, &there, corners);
        if (cloud == POINT_INSIDE) draw_heaps(s, r, corners, points);
        for (size_t i = 0; i < s->count && cloud == POINT_TOUCHING; i++)
            if (gz_random_below(r, 3)) draw_touching(s, r, corners, points + 3 * i);
        free(corners);
    }
    add_world(s, points, &pose);
    free(points);
}

// ----------------------------------------------------------------------------------- both together

static void make_checkers(point_scene *s) {
    graze_checker_options options = graze_checker_options_default();
    graze_error error;
    options.policy = s->policy;
    options.margin = s->margin;
    for (int i = 0; i < POINT_SETS; i++) {
        setenv("GRAZE_ISA", sets[i], 1);
        if (graze_checker_create(&s->checker[i], s->robot, s->world, &options, &error) ||
            graze_workspace_create(&s->workspace[i], s->checker[i], &error))
            give_up("checker", error.message);
    }
    unsetenv("GRAZE_ISA");
}

void point_scene_draw(point_scene *scene, int shape, int cloud, const solid_shape *solids,
                      size_t solid_count, gz_random *random) {
    static const graze_policy policies[] = {GRAZE_POLICY_SOLID, GRAZE_POLICY_SURFACE,
                                            GRAZE_POLICY_CAP};
    // A radius must be above 0: the least double is as good as none.
    static const double radii[] = {0x1p-1074, 1e-12, 0x1p-10, 0.02, 0.125};
    static const double margins[] = {1e-6, 0x1p-10, 0.01, 0.25};
    bool lattice = cloud == POINT_LATTICE;
    *scene = (point_scene){.policy = policies[gz_random_below(random, 3)], .far = 4};
    scene->radius = radii[gz_random_below(random, 5)];
    if (!lattice && gz_random_below(random, 3) == 0)
        scene->radius = pow(10, gz_random_range(random, -5, -1));
    if (gz_random_below(random, 3) == 0) scene->margin = margins[gz_random_below(random, 4)];
    // Faces along the coordinates are where their boxes end.
    bool along = lattice || (cloud == POINT_CLUSTER && gz_random_below(random, 4));
    attach(scene, shape, along, solids, solid_count, random);
    for (int i = 0; i < 3; i++)
        scene->place[i] = lattice ? lattice_place(random, 8) : gz_random_range(random, -0.5, 0.5);
    make_cloud(scene, cloud, random);
    make_checkers(scene);
}

void point_scene_clear(point_scene *scene) {
    for (int i = 0; i < POINT_SETS; i++) {
        graze_workspace_free(scene->workspace[i]);
        graze_checker_free(scene->checker[i]);
    }
    graze_world_free(scene->world);
    graze_robot_free(scene->robot);
    free(scene->points);
    *scene = (point_scene){0};
}
