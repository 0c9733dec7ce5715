// Robots and worlds of the mixed campaign.

#include "mixed.h"

#include <math.h>
#include <stdio.h>

#include "mesh/mesh.h"
#include "robot/builder.h"

/// A shape on its way into a robot or a world.
typedef struct item {
    graze_geometry geometry; ///< its vertices and triangles are those of `mesh`
    maker mesh;
} item;

/// One of several, by weights that add up to 100.
static uint32_t draw_weighted(gz_random *random, const uint8_t *weights, uint32_t count) {
    uint32_t left = gz_random_below(random, 100), i = 0;
    while (i + 1 < count && left >= weights[i]) left -= weights[i++];
    return i;
}

/// Of a hundred links and objects of each family: meshes by form, then boxes, then curved shapes.
static const uint8_t link_weights[MIXED_FAMILIES][FORM_COUNT + 1] = {
    [MIXED_PLAIN] = {30, 20, 8, 4, 5, 5, 3, 0, 15},
    [MIXED_CAPS] = {15, 0, 75, 5, 0, 0, 0, 0, 5},
    [MIXED_SHEETS] = {5, 70, 5, 5, 5, 0, 0, 0, 10},
    [MIXED_SPECKS] = {0, 5, 5, 0, 0, 85, 5, 0, 0},
    [MIXED_CHAINS] = {5, 25, 5, 5, 0, 5, 0, 0, 55},
    [MIXED_WALLS] = {20, 30, 10, 5, 5, 10, 0, 0, 15},
    [MIXED_CURVED] = {10, 10, 5, 5, 2, 5, 3, 0, 10},
    [MIXED_SIZES] = {20, 20, 10, 5, 5, 10, 5, 0, 15},
};
static const uint8_t object_weights[MIXED_FAMILIES][FORM_COUNT + 1] = {
    [MIXED_PLAIN] = {25, 20, 8, 7, 5, 5, 5, 3, 15},
    [MIXED_CAPS] = {10, 10, 10, 35, 0, 0, 0, 3, 30},
    [MIXED_SHEETS] = {0, 5, 0, 0, 20, 0, 0, 0, 75},
    [MIXED_SPECKS] = {0, 20, 5, 5, 0, 20, 5, 5, 40},
    [MIXED_CHAINS] = {0, 5, 0, 5, 5, 5, 0, 0, 75},
    [MIXED_WALLS] = {5, 10, 5, 5, 0, 5, 0, 60, 10},
    [MIXED_CURVED] = {20, 10, 5, 5, 5, 5, 3, 7, 10},
    [MIXED_SIZES] = {15, 15, 10, 10, 5, 10, 5, 3, 20},
};

static void draw_box(const mixed_scene *s, gz_random *random, double size, bool object,
                     double edges[3]) {
    for (int k = 0; k < 3; k++) edges[k] = size * gz_random_range(random, 0.2, 1);
    uint32_t way = gz_random_below(random, 4);
    if (s->family == MIXED_SHEETS && (object || way == 0)) {
        edges[2] = mixed_magnitude(random, -9.5, -6.5);
    } else if (s->family == MIXED_CAPS && object) {
        for (int k = 0; k < 2; k++) edges[k] *= mixed_magnitude(random, -1.5, -0.5);
        edges[2] *= gz_random_range(random, 1, 4);
    } else if (s->family == MIXED_CHAINS && object) {
        edges[0] = mixed_magnitude(random, 3, 6);
    } else if (way == 0) {
        edges[gz_random_below(random, 3)] *= mixed_magnitude(random, -9, 0);
    } else if (way == 1) {
        edges[2] *= mixed_magnitude(random, 0, 1);
    }
    for (int k = 0; k < 3; k++) edges[k] = fmax(edges[k], 1e-12);
    // A rectangle, a segment or a point.
    if (gz_random_below(random, 6) == 0)
        for (uint32_t i = 1 + gz_random_below(random, 3); i > 0; i--)
            edges[gz_random_below(random, 3)] = 0;
}

static void draw_curved(gz_random *random, double size, graze_geometry *g) {
    static const graze_shape kinds[] = {GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CAPSULE,
                                        GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER};
    g->shape = kinds[gz_random_below(random, 4)];
    g->radius = size * gz_random_range(random, 0.05, 0.4);
    g->length = size * mixed_magnitude(random, -1, 0.3);
    if (gz_random_below(random, 6) == 0) g->radius = 0;
    // A cylinder with a radius has length.
    bool disc = g->shape == GRAZE_SHAPE_CYLINDER && g->radius > 0;
    if (gz_random_below(random, 12) == 0 && !disc) g->length = 0;
}

static item draw_item(const mixed_scene *s, gz_random *random, bool object) {
    const uint8_t *weights = object ? object_weights[s->family] : link_weights[s->family];
    item it = {.geometry = {.shape = GRAZE_SHAPE_MESH, .scale = {1, 1, 1}}};
    double size = s->size * mixed_magnitude(random, -0.5, object ? 0.7 : 0.2);
    if (s->family == MIXED_SPECKS && object) size *= gz_random_range(random, 0.1, 1);
    uint32_t kind = draw_weighted(random, weights, FORM_COUNT + 2);
    if (kind < FORM_COUNT) {
        it.mesh = mixed_mesh_make(random, (mixed_form)kind, size, s->speck, s->shapes,
                                  s->shape_count);
        it.geometry.vertices = it.mesh.v;
        it.geometry.vertex_count = it.mesh.nv;
        it.geometry.triangles = it.mesh.t;
        it.geometry.triangle_count = it.mesh.nt;
    } else if (kind == FORM_COUNT) {
        it.geometry.shape = GRAZE_SHAPE_BOX;
        draw_box(s, random, size, object, it.geometry.size);
    } else {
        draw_curved(random, size, &it.geometry);
    }
    return it;
}

// ------------------------------------------------------------------------------------------ robots

static graze_transform draw_frame(gz_random *random, double far) {
    const double quarter = acos(0);
    double at[3], angles[3];
    uint32_t way = gz_random_below(random, 3);
    for (int k = 0; k < 3; k++) {
        at[k] = gz_random_range(random, -far, far);
        angles[k] = way == 0   ? 0
                    : way == 1 ? quarter * gz_random_below(random, 4)
                               : gz_random_range(random, -3, 3);
    }
    return graze_transform_from_xyz_rpy(at, angles);
}

static graze_vec3 draw_axis(gz_random *random) {
    if (gz_random_below(random, 2)) {
        uint32_t k = gz_random_below(random, 3);
        return (graze_vec3){k == 0, k == 1, k == 2};
    }
    graze_transform t = maker_pose(random, 0);
    double n = sqrt(t.m[0] * t.m[0] + t.m[4] * t.m[4] + t.m[8] * t.m[8]);
    return (graze_vec3){t.m[0] / n, t.m[4] / n, t.m[8] / n};
}

static gz_soup *soup_of(const maker *m) {
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, m->nv, m->nt)) give_up("mixed", "no memory");
    memcpy(soup->vertices, m->v, 3 * m->nv * sizeof *m->v);
    memcpy(soup->triangles, m->t, 3 * m->nt * sizeof *m->t);
    soup->vertex_count = m->nv;
    soup->triangle_count = m->nt;
    return soup;
}

static void add_link(gz_builder *b, int index) {
    char name[16];
    graze_error error;
    int32_t link;
    snprintf(name, sizeof name, "l%d", index);
    if (gz_builder_add_link(b, name, (gz_line){1, 1}, &link, &error))
        give_up("link", error.message);
}

static void add_item(gz_builder *b, int32_t link, const item *it, const graze_transform *origin) {
    const graze_geometry *g = &it->geometry;
    bool mesh = g->shape == GRAZE_SHAPE_MESH;
    gz_geometry_input input = {.link = link,
                               .shape = g->shape,
                               .origin = *origin,
                               .size = {g->size[0], g->size[1], g->size[2]},
                               .radius = g->radius,
                               .length = g->length,
                               .file = mesh ? "drawn" : NULL,
                               .uri = mesh ? "drawn" : NULL,
                               .scale = {1, 1, 1},
                               .soup = mesh ? soup_of(&it->mesh) : NULL};
    graze_error error;
    if (gz_builder_add_geometry(b, &input, &error)) give_up("geometry", error.message);
}

static void add_geometry(const mixed_scene *s, gz_builder *b, gz_random *random, int32_t link) {
    for (uint32_t i = 1 + (gz_random_below(random, 8) == 0); i > 0; i--) {
        item it = draw_item(s, random, false);
        graze_transform origin = draw_frame(random, gz_random_below(random, 2) ? 0 : s->size);
        if (gz_random_below(random, s->family == MIXED_SPECKS ? 4 : 3) != 1)
            origin = graze_transform_identity();
        add_item(b, link, &it, &origin);
        maker_free(&it.mesh);
    }
}

static void add_joint(gz_builder *b, int parent, int child, graze_joint_type type,
                      const graze_transform *origin, graze_vec3 axis, double range) {
    char names[3][16];
    snprintf(names[0], sizeof names[0], "j%d", child);
    snprintf(names[1], sizeof names[1], "l%d", parent);
    snprintf(names[2], sizeof names[2], "l%d", child);
    double far = type == GRAZE_JOINT_PRISMATIC ? range : 4;
    gz_joint_input joint = {.name = names[0],
                            .type = type,
                            .parent = names[1],
                            .child = names[2],
                            .origin = *origin,
                            .axis = axis,
                            .has_limit = true,
                            .lower = -far,
                            .upper = far};
    graze_error error;
    if (gz_builder_add_joint(b, &joint, &error)) give_up("joint", error.message);
}

static void add_tree(const mixed_scene *s, gz_builder *b, gz_random *random) {
    static const graze_joint_type types[] = {
        GRAZE_JOINT_FIXED,    GRAZE_JOINT_PRISMATIC, GRAZE_JOINT_PRISMATIC, GRAZE_JOINT_REVOLUTE,
        GRAZE_JOINT_REVOLUTE, GRAZE_JOINT_REVOLUTE,  GRAZE_JOINT_CONTINUOUS};
    // Few parts mostly: what collides beside hides what is asked about. The root, which no joint
    // moves, is judged without filters.
    bool serial = gz_random_below(random, 2),
         few = s->family == MIXED_CAPS || s->family == MIXED_SHEETS || s->family == MIXED_SPECKS;
    int count = 2 + (few || gz_random_below(random, 2) ? 0 : (int)gz_random_below(random, 5));
    if (gz_random_below(random, 10) == 0) count = 1;
    for (int i = 0; i < count; i++) {
        add_link(b, i);
        uint32_t odds = count > 2 ? 2 : 8;
        if (i == count - 1 || gz_random_below(random, odds) == 0) add_geometry(s, b, random, i);
    }
    for (int i = 1; i < count; i++) {
        graze_transform origin = draw_frame(random, s->size);
        int parent = serial ? i - 1 : (int)gz_random_below(random, (uint32_t)i);
        add_joint(b, parent, i, types[gz_random_below(random, 7)], &origin, draw_axis(random),
                  4 * s->size);
    }
}

/// All joints alike and about the root's origin, so that rounding errors add up.
static void add_chain(const mixed_scene *s, gz_builder *b, gz_random *random) {
    int count = 64 + (int)gz_random_below(random, 237);
    graze_transform origin = draw_frame(random, 0);
    graze_vec3 axis = draw_axis(random);
    for (int i = 0; i <= count; i++) add_link(b, i);
    add_geometry(s, b, random, count);
    for (int i = 1; i <= count; i++)
        add_joint(b, i - 1, i, GRAZE_JOINT_CONTINUOUS, &origin, axis, 0);
}

static void make_robot(mixed_scene *s, gz_random *random) {
    gz_builder *b = gz_builder_create("mixed", "mixed");
    graze_error error;
    if (!b) give_up("mixed", "no memory");
    if (s->family == MIXED_CHAINS) {
        add_chain(s, b, random);
    } else {
        add_tree(s, b, random);
    }
    if (gz_builder_finish(b, &s->robot, &error)) give_up("robot", error.message);
    s->width = graze_robot_q_size(s->robot);
}

// ------------------------------------------------------------------------------------------ places

/// The box around a shape.
static void bound(const graze_geometry *g, double low[3], double high[3]) {
    double half = g->shape == GRAZE_SHAPE_SPHERE ? 0 : 0.5 * g->length;
    for (int k = 0; k < 3; k++) {
        bool box = g->shape == GRAZE_SHAPE_BOX;
        high[k] = box ? 0.5 * g->size[k] : g->radius + (k == 2 ? half : 0);
        low[k] = -high[k];
        for (size_t i = 0; i < g->vertex_count; i++) {
            double x = g->vertices[3 * i + (size_t)k];
            low[k] = i ? fmin(low[k], x) : x;
            high[k] = i ? fmax(high[k], x) : x;
        }
    }
}

typedef enum feature {
    CORNER,
    LAST_CORNER, ///< of one of the last triangles, which are those of specks
    FACE,        ///< the middle of a face of the box around it
    ACROSS,      ///< between the middles of two such faces
    INSIDE
} feature;

/// A point on or in a shape.
static graze_vec3 draw_feature(const graze_geometry *g, feature what, gz_random *random) {
    double p[3], low[3], high[3];
    uint32_t axis = gz_random_below(random, 3), side = gz_random_below(random, 2);
    if (what <= LAST_CORNER && g->triangle_count) {
        size_t last = what == CORNER || g->triangle_count < 3 ? g->triangle_count : 3;
        size_t t = g->triangle_count - 1 - gz_random_below(random, (uint32_t)last);
        const double *v = g->vertices + 3 * (size_t)g->triangles[3 * t + axis];
        return (graze_vec3){v[0], v[1], v[2]};
    }
    // Openings and rods look along z.
    if (gz_random_below(random, 4)) axis = 2, side = 0;
    bound(g, low, high);
    for (uint32_t k = 0; k < 3; k++) {
        double at = gz_random_range(random, 0.05, 0.95);
        if (what == FACE || what == ACROSS) at = k != axis ? 0.5 : what == FACE ? side : at;
        if (what <= LAST_CORNER) at = gz_random_below(random, 2);
        p[k] = low[k] + at * (high[k] - low[k]);
    }
    return (graze_vec3){p[0], p[1], p[2]};
}

/// What of a link is put to what of an object: anything, or what a family is about.
static void draw_features(mixed_family family, gz_random *random, feature out[2]) {
    static const feature usual[MIXED_FAMILIES][2] = {[MIXED_CAPS] = {INSIDE, FACE},
                                                     [MIXED_SHEETS] = {CORNER, INSIDE},
                                                     [MIXED_SPECKS] = {LAST_CORNER, ACROSS},
                                                     [MIXED_WALLS] = {CORNER, LAST_CORNER}};
    for (int i = 0; i < 2; i++) out[i] = (feature)gz_random_below(random, 5);
    if (gz_random_below(random, 4) && usual[family][1])
        memcpy(out, usual[family], sizeof usual[family]);
}

static graze_vec3 direction_of(const graze_transform *t, gz_random *random) {
    graze_transform any = maker_pose(random, 0);
    if (gz_random_below(random, 6) == 0) t = &any;
    uint32_t k = gz_random_below(random, 4) ? 2 : gz_random_below(random, 3);
    double sign = gz_random_below(random, 2) ? 1 : -1;
    return (graze_vec3){sign * t->m[k], sign * t->m[4 + k], sign * t->m[8 + k]};
}

/// Where an object touches a link, is in it or around it, or next to it.
static graze_transform draw_place(const mixed_scene *s, const item *it, gz_random *random,
                                  const graze_transform *links) {
    graze_geometry g;
    size_t count = graze_robot_collision_count(s->robot);
    graze_transform out = draw_frame(random, 3 * s->size);
    for (int k = 0; k < 3; k++) out.m[4 * k + 3] += s->base[k];
    if (!count || gz_random_below(random, 5) == 0) return out;
    if (graze_robot_collision(s->robot, gz_random_below(random, (uint32_t)count), &g))
        give_up("mixed", "no geometry");
    const graze_transform *pose = &links[g.frame];
    feature features[2];
    draw_features(s->family, random, features);
    bool aligned = s->family == MIXED_CAPS || s->family == MIXED_SHEETS ||
                   s->family == MIXED_SPECKS;
    if (gz_random_below(random, 4) < (aligned ? 3 : 2)) out = *pose;
    graze_vec3 p = g.vertices ? draw_feature(&g, features[0], random)
                              : (graze_vec3){g.ends[0][0], g.ends[0][1], g.ends[0][2]},
               q = draw_feature(&it->geometry, features[1], random), d = direction_of(&out, random);
    if (s->family == MIXED_CHAINS && it->geometry.shape == GRAZE_SHAPE_BOX)
        q = (graze_vec3){0.5 * it->geometry.size[0], 0, 0};
    uint32_t way = s->family == MIXED_SHEETS ? 1 : gz_random_below(random, 4);
    double gap = way == 0   ? s->size * mixed_magnitude(random, -10, 0)
                 : way == 1 ? mixed_magnitude(random, -11, -6)
                 : way == 2 ? s->size * gz_random_range(random, 0, 2)
                            : 0;
    p = graze_transform_point(pose, p);
    for (int k = 0; k < 3; k++) out.m[4 * k + 3] = 0;
    q = graze_transform_point(&out, q);
    out.m[3] = p.x - q.x + gap * d.x;
    out.m[7] = p.y - q.y + gap * d.y;
    out.m[11] = p.z - q.z + gap * d.z;
    return out;
}

// ------------------------------------------------------------------------------------------ worlds

static graze_status add_object(graze_world *w, const char *name, const item *it,
                               const graze_transform *pose, graze_error *error) {
    const graze_geometry *g = &it->geometry;
    switch (g->shape) {
    case GRAZE_SHAPE_BOX:
        return graze_world_add_box(w, name, g->size, pose, error);
    case GRAZE_SHAPE_SPHERE:
        return graze_world_add_sphere(w, name, g->radius, pose, error);
    case GRAZE_SHAPE_CAPSULE:
        return graze_world_add_capsule(w, name, g->radius, g->length, pose, error);
    case GRAZE_SHAPE_CYLINDER:
        return graze_world_add_cylinder(w, name, g->radius, g->length, pose, error);
    default:
        return graze_world_add_mesh(w, name, g->vertices, g->vertex_count, g->triangles,
                                    g->triangle_count, pose, error);
    }
}

static void make_world(mixed_scene *s, gz_random *random) {
    graze_error error;
    graze_transform *links = allocate(graze_robot_link_count(s->robot), sizeof *links);
    graze_transform pose = graze_transform_identity();
    if (graze_robot_pose(s->robot, s->q, s->width, s->base, links, &error) ||
        graze_world_create(&s->world, "mixed", &error))
        give_up("world", error.message);
    uint32_t count = gz_random_below(random, s->family == MIXED_WALLS ? 4 : 13);
    if (gz_random_below(random, 3)) count = 1 + (gz_random_below(random, 4) == 0);
    for (uint32_t i = 0; i < count; i++) {
        char name[16];
        item it = draw_item(s, random, true);
        pose = draw_place(s, &it, random, links);
        snprintf(name, sizeof name, "o%u", i);
        if (add_object(s->world, name, &it, &pose, &error)) give_up("object", error.message);
        maker_free(&it.mesh);
    }
    if (graze_world_commit(s->world, &error)) give_up("world", error.message);
    if (count > 1 && gz_random_below(random, 3) == 0) {
        // The first object to where the last was put.
        const graze_world_change change = {.struct_size = sizeof(graze_world_change),
                                           .kind = GRAZE_CHANGE_MOVE,
                                           .name = "o0",
                                           .pose = &pose};
        s->before = s->world;
        if (graze_world_revise(&s->world, s->before, &change, 1, &error))
            give_up("version", error.message);
    }
    free(links);
}

// ------------------------------------------------------------------------------------------- rules

static void draw_policies(mixed_scene *s, gz_random *random) {
    int32_t links = (int32_t)graze_robot_link_count(s->robot);
    uint32_t objects = (uint32_t)graze_world_object_count(s->world), count = 0;
    s->policies = allocate((size_t)links + objects, sizeof *s->policies);
    s->names = allocate((size_t)links + objects, sizeof *s->names);
    s->options = graze_checker_options_default();
    s->options.policy = s->family == MIXED_CAPS && gz_random_below(random, 6)
                            ? GRAZE_POLICY_CAP
                            : (graze_policy)gz_random_below(random, 3);
    for (uint32_t i = 0; i < (uint32_t)links + objects; i++) {
        if (gz_random_below(random, s->family == MIXED_CAPS ? 6 : 3)) continue;
        bool object = i >= (uint32_t)links;
        snprintf(s->names[count], sizeof *s->names, object ? "o%u" : "l%u",
                 object ? i - (uint32_t)links : i);
        s->policies[count] = (graze_name_policy){s->names[count],
                                                 (graze_policy)gz_random_below(random, 3)};
        count++;
    }
    s->options.policies = s->policies;
    s->options.policy_count = count;
    if (gz_random_below(random, 3) == 0)
        s->options.margin = s->size * mixed_magnitude(random, -8, 0);
    // Epsilon, and so the least margin, grows with the domain: where not needed the default stands.
    if (s->family == MIXED_CHAINS || s->family == MIXED_SIZES) s->options.domain = 0x1p20;
}

static void draw_size(mixed_scene *s, gz_random *random) {
    static const double scales[] = {1e-9, 1e-6, 1e-3, 1, 1, 1e3};
    s->size = mixed_magnitude(random, -1.3, 0.3);
    s->speck = gz_random_below(random, 4) ? mixed_magnitude(random, -14, -11)
                                          : mixed_magnitude(random, -10, -3);
    if (s->family == MIXED_WALLS) s->size = mixed_magnitude(random, -1.5, -0.3);
    if (s->family == MIXED_SIZES) s->size *= scales[gz_random_below(random, 6)];
}

static void draw_configuration(mixed_scene *s, gz_random *random) {
    s->q = allocate(s->width, sizeof *s->q);
    double all = gz_random_range(random, -3, 3);
    for (size_t i = 0; i < s->width; i++) {
        graze_joint_info joint;
        if (graze_robot_joint(s->robot, graze_robot_q_joint(s->robot, i), &joint))
            give_up("joint", "none");
        double far = joint.type == GRAZE_JOINT_PRISMATIC ? s->size : 3;
        s->q[i] = s->family == MIXED_CHAINS ? all : gz_random_range(random, -far, far);
    }
    if (s->family == MIXED_CHAINS) return;
    bool away = gz_random_below(random, 4) == 0;
    double far = away ? mixed_magnitude(random, 0, s->family == MIXED_SIZES ? 5.5 : 1.9) : 0;
    if (s->family == MIXED_SHEETS && away) far = mixed_magnitude(random, 0, 2);
    for (int k = 0; k < 3; k++) {
        s->base[k] = far * gz_random_range(random, -1, 1);
        s->base[3 + k] = gz_random_below(random, 2) ? gz_random_range(random, -3, 3) : 0;
    }
}

void mixed_scene_create(mixed_scene *s, gz_random *random, mixed_family family,
                        const solid_shape *shapes, size_t shape_count) {
    *s = (mixed_scene){.family = family, .shapes = shapes, .shape_count = shape_count};
    draw_size(s, random);
    make_robot(s, random);
    draw_configuration(s, random);
    make_world(s, random);
    draw_policies(s, random);
}

void mixed_scene_clear(mixed_scene *s) {
    graze_world_free(s->world);
    graze_world_free(s->before);
    graze_robot_free(s->robot);
    free(s->policies);
    free(s->names);
    free(s->q);
    *s = (mixed_scene){0};
}
