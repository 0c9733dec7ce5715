// Robots of hollow shells and small parts, which hold each other and what stands around them, and
// of cups that things reach into.

#include <string.h>

#include "mesh/mesh.h"
#include "proxies.h"
#include "robot/builder.h"
#include "sample_mesh.h"

typedef struct piece {
    const char *name, *parent; ///< the parent is NULL for the root
    double radius, at[3];      ///< of the shell, and of its joint's origin
    int levels;                ///< of a ball; 0: a box
} piece;

static const piece shells[] = {
    {"post", NULL, 0.1, {0, 0, 0}, 2},          {"bell", "post", 0.5, {0.4, 0.1, 0.2}, 3},
    {"egg", "bell", 0.25, {0.3, 0, 0.1}, 3},    {"crate", "post", 0.5, {-0.8, 0.3, 0.2}, 0},
    {"marble", "egg", 0.04, {0.1, 0.12, 0}, 2},
};

static const piece cups[] = {
    {"stand", NULL, 0.1, {0, 0, 0}, 2},         {"bowl", "stand", 0.9, {0.6, 0.1, 0.2}, 3},
    {"glass", "bowl", 0.25, {0.7, 0, 0.1}, 3},  {"tub", "stand", 0.6, {-0.9, 0.3, 0.2}, 0},
    {"mug", "stand", 0.3, {0.1, -0.8, 0.3}, 2},
};

static gz_soup *make_shell(const piece *p, bool open) {
    double half[3] = {p->radius, 0.5 * p->radius, 0.25 * p->radius};
    double low[3] = {-half[0], -half[1], -half[2]};
    sample_mesh ball = p->levels ? sample_icosphere(p->radius, p->levels)
                                 : sample_box(low, half, open ? 4 : 32);
    if (open) ball = sample_cut(ball, 0.25 * p->radius);
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, ball.vertex_count, ball.triangle_count))
        give_up("proxies", "no memory");
    memcpy(soup->vertices, ball.vertices, 3 * ball.vertex_count * sizeof(double));
    memcpy(soup->triangles, ball.triangles, 3 * ball.triangle_count * sizeof(uint32_t));
    // The middle of a link is off its joint's axis, so that shells move through each other.
    for (size_t i = 0; i < ball.vertex_count; i++) soup->vertices[3 * i] += 0.6 * p->radius;
    soup->vertex_count = ball.vertex_count;
    soup->triangle_count = ball.triangle_count;
    sample_mesh_clear(&ball);
    return soup;
}

graze_robot *proxy_robot_create(bool open) {
    const piece *pieces = open ? cups : shells;
    const size_t count = open ? sizeof cups / sizeof *cups : sizeof shells / sizeof *shells;
    gz_builder *b = gz_builder_create(open ? "cups" : "shells", "shells");
    graze_error error;
    graze_robot *robot = NULL;
    bool ok = b != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const piece *p = &pieces[i];
        int32_t link;
        ok = !gz_builder_add_link(b, p->name, (gz_line){1, 1}, &link, &error);
        gz_geometry_input shell = {.link = link,
                                   .shape = GRAZE_SHAPE_MESH,
                                   .origin = graze_transform_identity(),
                                   .file = "shell",
                                   .uri = "shell",
                                   .scale = {1, 1, 1},
                                   .soup = make_shell(p, open)};
        ok = ok && !gz_builder_add_geometry(b, &shell, &error);
        if (!p->parent) continue;
        gz_joint_input joint = {.name = p->name,
                                .type = GRAZE_JOINT_CONTINUOUS,
                                .parent = p->parent,
                                .child = p->name,
                                .origin = graze_transform_identity(),
                                .axis = {0, i % 2 ? 0.6 : 0, i % 2 ? 0.8 : 1}};
        for (int k = 0; k < 3; k++) joint.origin.m[4 * k + 3] = p->at[k];
        ok = ok && !gz_builder_add_joint(b, &joint, &error);
    }
    ok = ok && !gz_builder_finish(b, &robot, &error); // takes the builder
    if (!ok) give_up("proxies: shells", error.message);
    return robot;
}
