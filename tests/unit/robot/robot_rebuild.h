/// A robot made by calls from what the accessors of another one say, and what the two must share.
#ifndef TESTS_UNIT_ROBOT_ROBOT_REBUILD_H
#define TESTS_UNIT_ROBOT_ROBOT_REBUILD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

#define OK(call) assert_int_equal(call, GRAZE_OK)

static inline void add_joint_of(graze_robot_builder *b, const graze_robot *r, int32_t index) {
    graze_joint_info j, other;
    OK(graze_robot_joint(r, index, &j));
    graze_joint_input in = graze_joint_input_default();
    in.type = j.type;
    in.name = j.name;
    in.parent = graze_robot_link_name(r, j.parent);
    in.child = graze_robot_link_name(r, j.child);
    in.origin = j.origin;
    in.axis = j.axis;
    in.lower = j.limited ? j.lower : 0;
    in.upper = j.limited ? j.upper : 0;
    in.has_effort = j.has_effort;
    in.has_velocity = j.has_velocity;
    in.effort = j.effort;
    in.velocity = j.velocity;
    in.passive = j.passive;
    in.multiplier = j.multiplier;
    in.offset = j.offset;
    if (j.mimic >= 0) {
        OK(graze_robot_joint(r, j.mimic, &other));
        in.mimic = other.name;
    }
    OK(graze_robot_builder_joint(b, &in, NULL));
}

/// Opens a mesh file as a world of one object, which is in the frame of the file.
typedef graze_world *(*mesh_opener)(const char *file);

static inline void add_geometry_of(graze_robot_builder *b, const graze_robot *r,
                                   const graze_geometry *g, bool arrays, mesh_opener open) {
    graze_geometry in = *g, in_file;
    const graze_transform one = graze_transform_identity();
    graze_world *world = NULL;
    // The vertices are in the frame of the body: that of the shape, where nothing moves it there.
    if (g->shape == GRAZE_SHAPE_MESH &&
        (g->frame != g->owner || memcmp(&g->origin, &one, sizeof one) != 0)) {
        assert_non_null(open);
        world = open(g->file);
        OK(graze_world_object(world, 0, &in_file));
        in.mesh = in_file.mesh;
        in.vertices = in_file.vertices;
        in.vertex_count = in_file.vertex_count;
        in.triangles = in_file.triangles;
    }
    if (arrays) in.mesh = NULL;
    OK(graze_robot_builder_collision(b, graze_robot_link_name(r, g->owner), &g->origin, &in, NULL));
    graze_world_free(world);
}

/// What groups and pairs say, too.
static inline void add_rules_of(graze_robot_builder *b, const graze_robot *r) {
    for (size_t i = 0; i < graze_robot_pair_count(r); i++) {
        graze_pair p;
        OK(graze_robot_pair(r, i, &p));
        if (p.state == GRAZE_PAIR_DISABLED || p.reason[0])
            OK(graze_robot_builder_disable_pair(b, graze_robot_link_name(r, p.a),
                                                graze_robot_link_name(r, p.b), p.reason, NULL));
    }
    for (size_t i = 0; i < graze_robot_group_count(r); i++) {
        graze_group g;
        graze_joint_info j;
        OK(graze_robot_group(r, i, &g));
        OK(graze_robot_builder_group(b, g.name, GRAZE_GROUP_JOINT, NULL, NULL, NULL));
        for (size_t k = 0; k < g.joint_count; k++) {
            OK(graze_robot_joint(r, g.joints[k], &j));
            OK(graze_robot_builder_group(b, g.name, GRAZE_GROUP_JOINT, j.name, NULL, NULL));
        }
        for (size_t k = 0; k < g.link_count; k++)
            OK(graze_robot_builder_group(b, g.name, GRAZE_GROUP_LINK,
                                         graze_robot_link_name(r, g.links[k]), NULL, NULL));
    }
}

static inline graze_robot *rebuild(const graze_robot *r, bool arrays, mesh_opener open) {
    graze_robot_builder *b;
    graze_robot *out;
    graze_error e;
    OK(graze_robot_builder_create(&b, graze_robot_name(r), NULL));
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(r); i++)
        OK(graze_robot_builder_link(b, graze_robot_link_name(r, i), NULL));
    for (int32_t i = 0; i < (int32_t)graze_robot_joint_count(r); i++) add_joint_of(b, r, i);
    for (size_t i = 0; i < graze_robot_collision_count(r); i++) {
        graze_geometry g;
        OK(graze_robot_collision(r, i, &g));
        add_geometry_of(b, r, &g, arrays, open);
    }
    add_rules_of(b, r);
    if (graze_robot_builder_finish(b, &out, &e)) fail_msg("%s", e.message);
    graze_robot_builder_free(b);
    return out;
}

static inline void assert_same_bits(const void *a, const void *b, size_t size) {
    if (size) assert_memory_equal(a, b, size);
}

static inline void assert_same(const graze_robot *a, const graze_robot *b) {
    assert_int_equal(graze_robot_link_count(a), graze_robot_link_count(b));
    assert_int_equal(graze_robot_q_size(a), graze_robot_q_size(b));
    assert_int_equal(graze_robot_root(a), graze_robot_root(b));
    assert_int_equal(graze_robot_pair_count(a), graze_robot_pair_count(b));
    assert_int_equal(graze_robot_group_count(a), graze_robot_group_count(b));
    for (size_t i = 0; i < graze_robot_pair_count(a); i++) {
        graze_pair p, q;
        OK(graze_robot_pair(a, i, &p));
        OK(graze_robot_pair(b, i, &q));
        assert_true(p.a == q.a && p.b == q.b && p.state == q.state);
        assert_string_equal(p.reason, q.reason);
    }
    for (size_t i = 0; i < graze_robot_collision_count(a); i++) {
        graze_geometry g, h;
        OK(graze_robot_collision(a, i, &g));
        OK(graze_robot_collision(b, i, &h));
        assert_true(g.vertex_count == h.vertex_count && g.triangle_count == h.triangle_count);
        assert_same_bits(g.vertices, h.vertices, 24 * g.vertex_count);
        assert_same_bits(g.triangles, h.triangles, 12 * g.triangle_count);
        assert_same_bits(g.ends, h.ends, sizeof g.ends);
    }
    for (size_t i = 0; i < graze_robot_group_count(a); i++) {
        graze_group g, h;
        OK(graze_robot_group(a, i, &g));
        OK(graze_robot_group(b, i, &h));
        assert_string_equal(g.name, h.name);
        assert_true(g.joint_count == h.joint_count && g.link_count == h.link_count);
        assert_same_bits(g.joints, h.joints, g.joint_count * sizeof *g.joints);
        assert_same_bits(g.links, h.links, g.link_count * sizeof *g.links);
    }
    assert_true(graze_robot_pose_error(a, GRAZE_DOMAIN) == graze_robot_pose_error(b, GRAZE_DOMAIN));
}

/// Poses and reports of random configurations, bit for bit.
static inline void assert_same_answers(const graze_robot *a, const graze_robot *b, int rows) {
    const graze_robot *robots[2] = {a, b};
    graze_checker *c[2];
    graze_workspace *w[2];
    for (int i = 0; i < 2; i++) {
        OK(graze_checker_create(&c[i], robots[i], NULL, NULL, NULL));
        OK(graze_workspace_create(&w[i], c[i], NULL));
    }
    int collisions = 0;
    for (int row = 0; row < rows; row++) {
        double q[64];
        graze_transform poses[2][64];
        graze_report reports[2] = {{0}, {0}};
        OK(graze_robot_sample(a, 7, (uint64_t)row, NULL, NULL, q, NULL));
        for (int i = 0; i < 2; i++) {
            OK(graze_robot_pose(robots[i], q, graze_robot_q_size(a), NULL, poses[i], NULL));
            OK(graze_check(c[i], w[i], GRAZE_ANSWER_FIRST, q, graze_robot_q_size(a), NULL,
                           &reports[i], NULL));
        }
        assert_memory_equal(poses[0], poses[1], graze_robot_link_count(a) * sizeof **poses);
        assert_int_equal(reports[0].verdict, reports[1].verdict);
        collisions += reports[0].verdict == GRAZE_COLLISION;
    }
    assert_true(collisions > 0 && collisions < rows);
    for (int i = 0; i < 2; i++) {
        graze_workspace_free(w[i]);
        graze_checker_free(c[i]);
    }
}

/// Both were made by calls, so that neither has lines of a file, and are the same bytes compiled.
static inline void assert_same_file(const graze_robot *a, const graze_robot *b) {
    unsigned char *bytes[2];
    size_t size[2];
    OK(graze_compile(&bytes[0], &size[0], a, NULL, NULL, NULL));
    OK(graze_compile(&bytes[1], &size[1], b, NULL, NULL, NULL));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    graze_compiled_free(bytes[0]);
    graze_compiled_free(bytes[1]);
}

#endif
