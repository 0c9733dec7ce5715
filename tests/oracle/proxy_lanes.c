// The filter over eight configurations: pairs of links and links with the world, by spheres, boxes,
// proxies and maps, under margins; the boxes of objects in double, and the tree over the world.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broad/bound_test.h"
#include "broad/world_query.h"
#include "check/check_internal.h"
#include "check/margin.h"
#include "narrow/kernel.h"
#include "proxies.h"
#include "sample_mesh.h"

/// A checker at work, with everything that can be posed.
typedef struct lane_scene {
    const graze_robot *robot;
    const graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    gz_batch_block blocks[2]; ///< per instruction set
    proof_body *elements;     ///< per collision element of the robot
    proof_body *objects;      ///< of the world
    bool *placed;             ///< per element, in this lane
    double *q;
} lane_scene;

// ----------------------------------------------------------------------------------------- worlds

static void require(graze_status status, const graze_error *error) {
    if (status) give_up("proxies: world", error->message);
}

static void add_mesh(graze_world *w, const char *name, sample_mesh made, double scale,
                     const graze_transform *pose) {
    graze_error error;
    for (size_t i = 0; i < 3 * made.vertex_count; i++) made.vertices[i] *= scale;
    require(graze_world_add_mesh(w, name, made.vertices, made.vertex_count, made.triangles,
                                 made.triangle_count, pose, &error),
            &error);
    sample_mesh_clear(&made);
}

static graze_transform draw_place(proxy_campaign *c, double far) {
    double xyz[3], q[4];
    for (int k = 0; k < 3; k++) xyz[k] = gz_random_range(&c->random, -far, far);
    for (int k = 0; k < 4; k++) q[k] = gz_random_range(&c->random, -1, 1);
    return graze_transform_from_xyz_quat(xyz, q);
}

/// Small balls, some so small that they lie in a link, and a fine one beside: one mesh of more
/// triangles than a clearance map begins at.
static sample_mesh make_dust(proxy_campaign *c) {
    enum { GRAINS = 16 };
    sample_mesh grain = sample_icosphere(1, 0), fine = sample_icosphere(0.3, 5);
    size_t nv = grain.vertex_count, nt = grain.triangle_count;
    size_t v = fine.vertex_count, t = fine.triangle_count;
    sample_mesh out = {.vertex_count = v + GRAINS * nv,
                       .triangle_count = t + GRAINS * nt,
                       .vertices = allocate(3 * (v + GRAINS * nv), sizeof(double)),
                       .triangles = allocate(3 * (t + GRAINS * nt), sizeof(uint32_t))};
    for (size_t i = 0; i < 3 * v; i++) out.vertices[i] = fine.vertices[i] + (i % 3 ? 0 : 1.5);
    memcpy(out.triangles, fine.triangles, 3 * t * sizeof(uint32_t));
    for (size_t g = 0; g < GRAINS; g++, v += nv, t += nt) {
        double at[3], radius = exp2(gz_random_range(&c->random, -9, -4));
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(&c->random, -0.8, 0.8);
        for (size_t i = 0; i < 3 * nv; i++)
            out.vertices[3 * v + i] = radius * grain.vertices[i] + at[i % 3];
        for (size_t i = 0; i < 3 * nt; i++)
            out.triangles[3 * t + i] = grain.triangles[i] + (uint32_t)v;
    }
    sample_mesh_clear(&grain);
    sample_mesh_clear(&fine);
    return out;
}

static void add_box(proxy_campaign *c, graze_world *w, const char *name, int number,
                    const double size[3]) {
    char full[32];
    graze_error error;
    graze_transform pose = draw_place(c, 1.5);
    snprintf(full, sizeof full, "%s%d", name, number);
    require(graze_world_add_box(w, full, size, &pose, &error), &error);
}

/// A hollow box with walls, with poles in it: longer than cups are wide, and a map whose
/// cells are smaller.
static sample_mesh make_poles(proxy_campaign *c) {
    enum { POLES = 6 };
    const double far = 4, wall = 4.5, half = 0.02, high = 1.6;
    sample_mesh cavity = sample_box((double[3]){-far, -far, -far}, (double[3]){far, far, far}, 24);
    sample_mesh walls = sample_box((double[3]){-wall, -wall, -wall}, (double[3]){wall, wall, wall},
                                   24);
    sample_mesh pole = sample_box((double[3]){-half, -half, -high}, (double[3]){half, half, high},
                                  1);
    size_t nv = pole.vertex_count, nt = pole.triangle_count;
    size_t v = 2 * cavity.vertex_count, t = 2 * cavity.triangle_count;
    sample_mesh out = {.vertex_count = v + POLES * nv,
                       .triangle_count = t + POLES * nt,
                       .vertices = allocate(3 * (v + POLES * nv), sizeof(double)),
                       .triangles = allocate(3 * (t + POLES * nt), sizeof(uint32_t))};
    memcpy(out.vertices, cavity.vertices, 3 * v / 2 * sizeof(double));
    memcpy(out.vertices + 3 * v / 2, walls.vertices, 3 * v / 2 * sizeof(double));
    for (size_t i = 0; i < 3 * t / 2; i++) {
        out.triangles[i] = cavity.triangles[3 * t / 2 - 1 - i]; // wound the other way
        out.triangles[3 * t / 2 + i] = walls.triangles[i] + (uint32_t)(v / 2);
    }
    for (size_t g = 0; g < POLES; g++, v += nv, t += nt) {
        graze_transform pose = draw_place(c, 1.5);
        for (size_t i = 0; i < nv; i++) {
            const double *own = pole.vertices + 3 * i;
            graze_vec3 p = graze_transform_point(&pose, (graze_vec3){own[0], own[1], own[2]});
            memcpy(out.vertices + 3 * (v + i), &p, sizeof p);
        }
        for (size_t i = 0; i < 3 * nt; i++)
            out.triangles[3 * t + i] = pole.triangles[i] + (uint32_t)v;
    }
    sample_mesh_clear(&cavity);
    sample_mesh_clear(&walls);
    sample_mesh_clear(&pole);
    return out;
}

void proxy_worlds_create(proxy_campaign *c) {
    static const char *const names[PROXY_WORLDS] = {"objects", "dust", "shell", "poles"};
    graze_error error;
    for (int i = 0; i < PROXY_WORLDS; i++)
        require(graze_world_create(&c->worlds[i], names[i], &error), &error);
    for (int i = 0; i < 16; i++) {
        char name[32];
        double size[3];
        for (int k = 0; k < 3; k++) size[k] = gz_random_range(&c->random, 0.02, 0.6);
        if (i % 2) {
            add_box(c, c->worlds[0], "object", i, size);
            continue;
        }
        graze_transform at = draw_place(c, 1.5);
        snprintf(name, sizeof name, "object%d", i);
        add_mesh(c->worlds[0], name, sample_icosphere(1, 2), 0.5 * size[0], &at);
    }
    // Rods that reach into cups, and sheets about as thin as floats place them.
    for (int i = 0; i < 24; i++) {
        const double rod[3] = {0.03, 0.03, exp2(i % 4 - 1)},
                     sheet[3] = {1, 0.6, exp2(-30 + 2 * (i % 12))};
        add_box(c, c->worlds[0], i % 2 ? "rod" : "sheet", i, i % 2 ? rod : sheet);
    }
    graze_transform pose = draw_place(c, 0.3);
    add_mesh(c->worlds[1], "dust", make_dust(c), 1, &pose);
    add_mesh(c->worlds[1], "ball", sample_icosphere(1, 2), 0.4, &pose);
    // With all of a robot inside, or some, or none: bases are up to three metres off.
    add_mesh(c->worlds[2], "shell", sample_icosphere(1, 5), 3, &pose);
    add_mesh(c->worlds[3], "poles", make_poles(c), 1, NULL);
    for (int i = 0; i < PROXY_WORLDS; i++)
        require(graze_world_commit(c->worlds[i], &error), &error);
}

// ------------------------------------------------------------------------------------------ scenes

static void init_body(proof_body *body, const graze_mesh *m) {
    proof_body_init(body, m->vertices, m->vertex_count, m->triangles, m->triangle_count);
}

/// False for robots that the filter does not cover, or that have curved shapes.
static bool open_scene(lane_scene *s, proxy_campaign *c, const graze_robot *robot,
                       const graze_world *world, graze_policy policy, double margin) {
    *s = (lane_scene){.robot = robot, .world = world};
    for (size_t i = 0; i < robot->collision_count; i++)
        if (!robot->collisions[i].shape.mesh) return false;
    graze_checker_options options = graze_checker_options_default();
    options.margin = margin;
    options.policy = policy;
    graze_error error;
    if (graze_checker_create(&s->checker, robot, world, &options, &error))
        give_up("proxies: checker", error.message);
    if (!s->checker->filter) {
        graze_checker_free(s->checker);
        return false;
    }
    if (graze_workspace_create(&s->ws, s->checker, &error))
        give_up("proxies: workspace", error.message);
    for (int f = 0; f < c->form_count; f++)
        if (!gz_batch_block_create(&s->blocks[f], s->checker->filter)) give_up("memory", "none");
    s->elements = allocate(robot->collision_count, sizeof *s->elements);
    s->placed = allocate(robot->collision_count, sizeof *s->placed);
    s->objects = allocate(world->object_count, sizeof *s->objects);
    s->q = allocate(GZ_LANES * robot->column_count, sizeof *s->q);
    bool cap = policy == GRAZE_POLICY_CAP;
    for (size_t i = 0; i < robot->collision_count; i++) {
        init_body(&s->elements[i], robot->collisions[i].shape.mesh);
        s->elements[i].cap = cap;
    }
    for (size_t i = 0; i < world->object_count; i++) {
        graze_geometry object;
        if (graze_world_object(world, i, &object)) give_up("proxies: world", "no object");
        proof_body_init(&s->objects[i], object.vertices, object.vertex_count, object.triangles,
                        object.triangle_count);
        proof_body_place(&s->objects[i], &object.origin);
        s->objects[i].cap = cap;
    }
    return true;
}

static void close_scene(lane_scene *s, const proxy_campaign *c) {
    for (size_t i = 0; i < s->robot->collision_count; i++) proof_body_clear(&s->elements[i]);
    for (size_t i = 0; i < s->world->object_count; i++) proof_body_clear(&s->objects[i]);
    for (int f = 0; f < c->form_count; f++) gz_batch_block_free(&s->blocks[f]);
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    free(s->elements);
    free(s->objects);
    free(s->placed);
    free(s->q);
}

static proof_body *element(lane_scene *s, size_t index, int32_t link) {
    if (!s->placed[index]) {
        graze_transform pose;
        memcpy(pose.m, gz_link_pose(s->checker, s->ws, link), sizeof pose.m);
        proof_body_place(&s->elements[index], &pose);
        s->placed[index] = true;
    }
    return &s->elements[index];
}

/// Boxes are solid under every policy.
static bool is_solid(graze_shape kind, graze_policy policy) {
    return kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
}

static bool element_is_solid(const lane_scene *s, int32_t link, size_t index) {
    size_t place = s->robot->links[link].first_collision + index;
    return is_solid(s->robot->collisions[place].shape.kind, s->checker->link_policies[link]);
}

static bool object_is_solid(const lane_scene *s, size_t object) {
    return is_solid(gz_world_at(s->world, object)->kind,
                    gz_object_policy(s->checker, (int32_t)object));
}

// ------------------------------------------------------------------------------------------ proofs

/// Whether all elements of two links are apart, and neither holds any of the other.
static bool links_apart(proxy_campaign *c, lane_scene *s, const gz_check_pair *p) {
    const gz_link *a = &s->robot->links[p->a], *b = &s->robot->links[p->b];
    for (size_t i = 0; i < a->collision_count; i++)
        for (size_t j = 0; j < b->collision_count; j++)
            if (!posed_proof_apart(&c->proof, element(s, a->first_collision + i, p->a),
                                   element_is_solid(s, p->a, i),
                                   element(s, b->first_collision + j, p->b),
                                   element_is_solid(s, p->b, j), p->margin))
                return false;
    return true;
}

static bool object_apart(proxy_campaign *c, lane_scene *s, int32_t link, size_t object,
                         double margin) {
    const gz_link *l = &s->robot->links[link];
    for (size_t i = 0; i < l->collision_count; i++)
        if (!posed_proof_apart(&c->proof, element(s, l->first_collision + i, link),
                               element_is_solid(s, link, i), &s->objects[object],
                               object_is_solid(s, object), margin))
            return false;
    return true;
}

static void prove_proxies(proxy_campaign *c, lane_scene *s, const gz_batch_pair *candidate,
                          uint32_t lane) {
    const gz_check_pair *p = &s->checker->pairs[candidate->index];
    gz_proxy_answer answers[2];
    for (int f = 0; f < c->form_count; f++) {
        gz_proxy_pair pair;
        answers[f] = GZ_PROXY_UNKNOWN;
        if (gz_batch_pair_place(s->checker->filter, &s->blocks[f], candidate, lane, &pair)) {
            pair.question = GZ_PROXY_TEST_BOTH;
            answers[f] = c->kernels[f]->proxy_pair(&pair);
        }
        if (f > 0) proxy_claim(c, LANES_ALIKE, true, proxy_agree(answers[f], answers[0]));
    }
    gz_proxy_answer answer = proxy_decided(answers, c->form_count);
    bool apart = answer == GZ_PROXY_APART, overlap = answer == GZ_PROXY_OVERLAP;
    proxy_claim(c, LANES_APART, apart, apart && links_apart(c, s, p));
    bool good = false;
    if (overlap) {
        size_t a = s->robot->links[p->a].first_collision, b = s->robot->links[p->b].first_collision;
        good = posed_proof_overlap(&c->proof, element(s, a, p->a), element_is_solid(s, p->a, 0),
                                   element(s, b, p->b), element_is_solid(s, p->b, 0));
    }
    proxy_claim(c, LANES_OVERLAP, overlap, good);
}

/// What one instruction set has left out; with `query`, also what the proxies decide of what it has
/// left.
static void prove_pairs(proxy_campaign *c, lane_scene *s, const gz_batch_block *block,
                        uint32_t lane, bool query) {
    const gz_filter_model *model = s->checker->filter;
    for (size_t i = 0, at = 0; i < model->pair_count; i++) {
        const gz_batch_pair *own = NULL; // candidates are in the order of the pairs
        if (at < block->pair_count && block->pairs[at].index == model->pairs[i].pair)
            own = &block->pairs[at++];
        bool left = own && (own->lanes >> lane & 1);
        const gz_check_pair *pair = &s->checker->pairs[model->pairs[i].pair];
        snprintf(c->where, sizeof c->where, "robot %s, links %d and %d, margin %g",
                 graze_robot_name(s->robot), pair->a, pair->b, pair->margin);
        proxy_claim(c, LANES_LEFT_OUT, !left, !left && links_apart(c, s, pair));
        if (left && query) prove_proxies(c, s, own, lane);
    }
}

/// What the parts and maps of the world say of a link and an object that the filter has left.
static void prove_touch(proxy_campaign *c, lane_scene *s, const gz_batch_candidate *touch,
                        uint32_t lane, double margin) {
    gz_filter_model model = *s->checker->filter;
    int32_t link = model.links[touch->link].link;
    gz_proxy_answer answers[2];
    for (int f = 0; f < c->form_count; f++) {
        model.kernels = c->kernels[f];
        answers[f] = gz_batch_candidate_test(&model, &s->blocks[f], touch, lane,
                                             GZ_PROXY_TEST_BOTH);
        if (f > 0) proxy_claim(c, LANES_ALIKE, true, proxy_agree(answers[f], answers[0]));
    }
    gz_proxy_answer answer = proxy_decided(answers, c->form_count);
    bool apart = answer == GZ_PROXY_APART, overlap = answer == GZ_PROXY_OVERLAP;
    size_t object = (size_t)touch->object;
    proxy_claim(c, LANES_APART, apart, apart && object_apart(c, s, link, object, margin));
    bool good = overlap &&
                posed_proof_overlap(
                    &c->proof, element(s, s->robot->links[link].first_collision, link),
                    element_is_solid(s, link, 0), &s->objects[object], object_is_solid(s, object));
    proxy_claim(c, LANES_OVERLAP, overlap, good);
}

static const gz_batch_candidate *find_touch(const gz_batch_block *block, size_t link,
                                            size_t object) {
    for (size_t i = 0; i < block->candidate_count; i++) {
        const gz_batch_candidate *t = &block->candidates[i];
        if (t->link == (int32_t)link && (t->object < 0 || t->object == (int32_t)object)) return t;
    }
    return NULL;
}

static void prove_world(proxy_campaign *c, lane_scene *s, const gz_batch_block *block,
                        uint32_t lane, bool query) {
    for (size_t i = 0; i < s->checker->filter->link_count; i++) {
        int32_t link = s->checker->filter->links[i].link;
        const gz_link *l = &s->robot->links[link];
        for (size_t k = 0; k < s->world->object_count; k++) {
            const gz_batch_candidate *touch = find_touch(block, i, k);
            bool left = touch && (touch->lanes >> lane & 1);
            double margin = gz_object_margin(s->checker, link, (int32_t)k);
            snprintf(c->where, sizeof c->where,
                     "robot %s, link %d, world %s, object %zu, margin %g",
                     graze_robot_name(s->robot), link, graze_world_name(s->world), k, margin);
            proxy_claim(c, LANES_FREE, !left, !left && object_apart(c, s, link, k, margin));
            if (!query) continue;
            if (left && touch->object >= 0) prove_touch(c, s, touch, lane, margin);
            // As link_world.c asks it.
            const graze_obb *box = &gz_world_at(s->world, k)->posed;
            double size = sqrt(box->half.x * box->half.x + box->half.y * box->half.y +
                               box->half.z * box->half.z);
            double pad = l->pad + gz_pose_pad(gz_link_pose(s->checker, s->ws, link)) +
                         gz_margin_threshold(margin, l->sphere.radius + size);
            bool apart = gz_obb_apart(gz_workspace_box(s->ws, link), box, l->skew + GZ_OBJECT_SKEW,
                                      pad);
            proxy_claim(c, BOXES_APART, apart, apart && object_apart(c, s, link, k, margin));
        }
    }
}

// ------------------------------------------------------------------------------------- world tree

/// The tree's answer against every entry, and the entries' boxes against what they hold.
static void prove_tree(proxy_campaign *c, const lane_scene *s) {
    const graze_world *w = s->world;
    int32_t *found = allocate(w->object_count, sizeof *found),
            *stack = allocate(w->node_count + 8, sizeof *stack);
    uint64_t tests = 0;
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = gz_random_range(&c->random, -2, 2);
        high[k] = low[k] + exp2(gz_random_range(&c->random, -10, 1));
    }
    // One in two ends where an object does, or one unit beside it.
    const graze_aabb *edge =
        &gz_world_at(w, gz_random_below(&c->random, (uint32_t)w->object_count))->box;
    if (gz_random_below(&c->random, 2)) {
        double slip = gz_random_below(&c->random, 2) ? INFINITY : -INFINITY;
        low[0] = gz_random_below(&c->random, 2) ? nextafter(edge->max.x, slip) : edge->max.x;
        high[0] = low[0] + 1;
    }
    size_t count = gz_world_query(w, low, high, found, stack, &tests);
    for (size_t i = 0; i < w->object_count; i++) {
        const graze_aabb *b = &gz_world_at(w, i)->box;
        bool overlap = b->min.x <= high[0] && low[0] <= b->max.x && b->min.y <= high[1] &&
                       low[1] <= b->max.y && b->min.z <= high[2] && low[2] <= b->max.z;
        bool listed = false;
        for (size_t k = 0; k < count; k++) listed |= found[k] == (int32_t)i;
        proxy_claim(c, WORLD_TREE, !listed, !overlap);
        const double *own = s->objects[i].mesh.box; // of the snapped vertices
        proxy_claim(c, WORLD_TREE, true,
                    b->min.x <= own[0] && b->min.y <= own[1] && b->min.z <= own[2] &&
                        b->max.x >= own[3] && b->max.y >= own[4] && b->max.z >= own[5]);
    }
    free(found);
    free(stack);
}

// ------------------------------------------------------------------------------------------ blocks

static void draw_rows(proxy_campaign *c, const graze_robot *r, double *q) {
    for (size_t i = 0; i < GZ_LANES * r->column_count; i++) {
        const graze_joint_info *j = &r->joints[r->column_joints[i % r->column_count]].info;
        q[i] = j->limited ? gz_random_range(&c->random, j->lower, j->upper)
                          : gz_random_range(&c->random, -3.2, 3.2);
    }
}

/// Whether two instruction sets left the same.
static bool blocks_equal(const gz_batch_block *a, const gz_batch_block *b) {
    return a->unfit == b->unfit && a->pair_count == b->pair_count &&
           a->candidate_count == b->candidate_count &&
           memcmp(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs) == 0 &&
           memcmp(a->candidates, b->candidates, a->candidate_count * sizeof *a->candidates) == 0;
}

/// One block: eight configurations with bases near the world.
static void run_block(proxy_campaign *c, lane_scene *s) {
    double base[GZ_LANES][12], own[GZ_LANES][6], far = exp2(gz_random_range(&c->random, -4, 1.5));
    draw_rows(c, s->robot, s->q);
    for (int i = 0; i < GZ_LANES; i++) {
        for (int k = 0; k < 3; k++) {
            own[i][k] = i ? own[0][k] + gz_random_range(&c->random, -0.5, 0.5)
                          : gz_random_range(&c->random, -far, far);
            own[i][3 + k] = gz_random_range(&c->random, -3.2, 3.2);
        }
        graze_transform t = graze_transform_from_xyz_rpy(own[i], own[i] + 3);
        memcpy(base[i], t.m, sizeof base[i]);
    }
    for (int f = 0; f < c->form_count; f++) {
        s->blocks[f].unfit = 0;
        c->filters[f](s->checker->filter, s->q, s->robot->column_count, GZ_LANES, base,
                      &s->blocks[f]);
        if (f > 0) proxy_claim(c, LANES_ALIKE, true, s->blocks[f].unfit == s->blocks[0].unfit);
    }
    for (uint32_t i = 0; i < GZ_LANES; i++) {
        if (s->blocks[0].unfit >> i & 1) continue;
        if (gz_workspace_pose(s->ws, s->q + i * s->robot->column_count, s->robot->column_count,
                              own[i], NULL))
            continue;
        memset(s->placed, 0, s->robot->collision_count * sizeof *s->placed);
        prove_pairs(c, s, &s->blocks[0], i, true);
        prove_world(c, s, &s->blocks[0], i, true);
        // Where one fuses products and sums, what is nearly out of reach may be left by the other.
        for (int f = 1; f < c->form_count; f++) {
            if (blocks_equal(&s->blocks[f], &s->blocks[0])) continue;
            prove_pairs(c, s, &s->blocks[f], i, false);
            prove_world(c, s, &s->blocks[f], i, false);
        }
    }
    prove_tree(c, s);
}

void proxy_lanes(proxy_campaign *c) {
    // The cups and the shells, last of the robots, more often: they are quick, and hold things.
    uint32_t count = (uint32_t)c->robot_count, chosen = gz_random_below(&c->random, count + 4);
    const graze_robot *robot = c->robots[chosen < count ? chosen : count - 1 - chosen % 2];
    static const graze_policy policies[4] = {GRAZE_POLICY_SOLID, GRAZE_POLICY_SOLID,
                                             GRAZE_POLICY_SURFACE, GRAZE_POLICY_CAP};
    graze_policy policy = policies[gz_random_below(&c->random, 4)];
    const graze_world *world = c->worlds[gz_random_below(&c->random, PROXY_WORLDS)];
    if (!strcmp(graze_robot_name(robot), "cups")) {
        policy = GRAZE_POLICY_CAP;
        if (gz_random_below(&c->random, 2)) world = c->worlds[3]; // with what reaches into them
    }
    double margin = gz_random_below(&c->random, 2) ? exp2(gz_random_range(&c->random, -20, -3)) : 0;
    lane_scene s;
    if (c->without && !strcmp(graze_world_name(world), c->without)) return;
    if (!open_scene(&s, c, robot, world, policy, margin)) return;
    for (int i = 0; i < 3; i++) run_block(c, &s);
    close_scene(&s, c);
}
