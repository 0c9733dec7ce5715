// Versions of worlds against worlds made anew. A model, a plain list of what should stand where, is
// changed at random along with a world (moved, removed, added, several at once, from any of the
// last versions); after every change the version must say the same as a world that is built from
// the model by the public additions, and a checker that was carried over the same as a checker made
// anew: objects, entries, queries, errors, pairs, and whole reports of random configurations.
//
//     world_versions [--changes N] [--seed N]
//     world_versions --time OBJECTS [--seed N]
//
// The second form measures: a world of so many boxes, of which one, or another, is moved.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "broad/world_query.h"
#include "graze/graze.h"
#include "posed_mesh.h"
#include "test_robot.h"
#include "world/world.h"

enum { ITEMS_MAX = 160, VERSIONS = 6, MESHES = 3, POINTS = 12, LIST_MAX = 24 };

/// What should stand somewhere.
typedef struct item {
    char name[24];
    graze_shape shape;
    double size[3], radius, length;
    int mesh;
    graze_transform pose;
} item;

typedef struct model {
    item items[ITEMS_MAX];
    size_t count;
} model;

typedef struct version {
    graze_world *world;
    graze_checker *checker;
    model model;
} version;

typedef struct tally {
    uint64_t changes, moves, removals, additions, refused, versions, deltas, queries, reports,
        colliding, wrong;
} tally;

typedef struct campaign {
    graze_robot *robot;
    graze_checker_options options;
    graze_mesh *meshes[MESHES];
    double vertices[MESHES][12];
    double points[POINTS * 3];
    gz_random random;
    uint64_t names;
    tally tally;
    version versions[VERSIONS];
} campaign;

static const uint32_t tetrahedron[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void wrong(campaign *c, const char *what, size_t index) {
    if (c->tally.wrong++ < 10)
        printf("WRONG after %llu changes: %s %zu\n", (unsigned long long)c->tally.changes, what,
               index);
}

// ---------------------------------------------------------------------------------------- the
// model

static graze_transform random_pose(gz_random *r) {
    double q[4], n = 0;
    for (int i = 0; i < 4; i++) q[i] = gz_random_range(r, -1, 1), n += q[i] * q[i];
    n = sqrt(n);
    double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
    graze_transform t = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
                          2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
                          2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0}};
    for (int i = 0; i < 3; i++) t.m[4 * i + 3] = gz_random_range(r, -1.5, 1.5);
    return t;
}

static item random_item(campaign *c) {
    gz_random *r = &c->random;
    static const graze_shape shapes[] = {
        GRAZE_SHAPE_BOX,  GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CAPSULE,
        GRAZE_SHAPE_MESH, GRAZE_SHAPE_POINTS, GRAZE_SHAPE_CONE};
    item i = {.shape = shapes[gz_random_below(r, 7)], .pose = random_pose(r)};
    // What has no end hides much of what the others do, so it is rare.
    uint32_t flat = gz_random_below(r, 200);
    if (flat < 2) i.shape = flat ? GRAZE_SHAPE_PLANE : GRAZE_SHAPE_HALFSPACE;
    snprintf(i.name, sizeof i.name, "thing %llu", (unsigned long long)(c->names++ % 400));
    for (int k = 0; k < 3; k++) i.size[k] = gz_random_range(r, 0.02, 0.3);
    i.radius = gz_random_range(r, 0.01, 0.1);
    i.length = gz_random_range(r, 0.02, 0.4);
    i.mesh = (int)gz_random_below(r, MESHES);
    return i;
}

static size_t find(const model *m, const char *name) {
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->items[i].name, name) == 0) return i;
    return ITEMS_MAX;
}

static graze_status add_plainly(const campaign *c, graze_world *w, const item *i, graze_error *e) {
    switch (i->shape) {
    case GRAZE_SHAPE_BOX:
        return graze_world_add_box(w, i->name, i->size, &i->pose, e);
    case GRAZE_SHAPE_SPHERE:
        return graze_world_add_sphere(w, i->name, i->radius, &i->pose, e);
    case GRAZE_SHAPE_CYLINDER:
        return graze_world_add_cylinder(w, i->name, i->radius, i->length, &i->pose, e);
    case GRAZE_SHAPE_CAPSULE:
        return graze_world_add_capsule(w, i->name, i->radius, i->length, &i->pose, e);
    case GRAZE_SHAPE_MESH:
        return graze_world_add_mesh(w, i->name, c->vertices[i->mesh], 4, tetrahedron, 4, &i->pose,
                                    e);
    case GRAZE_SHAPE_POINTS:
        return graze_world_add_points(w, i->name, c->points, POINTS, i->radius, &i->pose, e);
    case GRAZE_SHAPE_CONE:
        return graze_world_add_cone(w, i->name, i->radius, i->length, &i->pose, e);
    case GRAZE_SHAPE_HALFSPACE:
    case GRAZE_SHAPE_PLANE: {
        const graze_geometry g = {.shape = i->shape};
        return graze_world_add_geometry(w, i->name, &g, &i->pose, e);
    }
    }
    return GRAZE_ERROR_ARGUMENT;
}

static graze_world *make_anew(const campaign *c, const model *m) {
    graze_world *w;
    graze_error e;
    const double low[3] = {-9, -9, -9}, high[3] = {9, 9, 9};
    if (graze_world_create(&w, "world", &e) || graze_world_set_boundary(w, low, high, &e))
        give_up("world", e.message);
    for (size_t i = 0; i < m->count; i++)
        if (add_plainly(c, w, &m->items[i], &e)) give_up(m->items[i].name, e.message);
    if (graze_world_commit(w, &e)) give_up("commit", e.message);
    return w;
}

// ------------------------------------------------------------------------------------- comparisons

static bool same_geometry(const graze_geometry *a, const graze_geometry *b) {
    if (strcmp(a->name, b->name) != 0 || a->owner != b->owner || a->shape != b->shape ||
        a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count)
        return false;
    return memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
           memcmp(a->size, b->size, sizeof a->size) == 0 && a->radius == b->radius &&
           a->length == b->length && memcmp(a->ends, b->ends, sizeof a->ends) == 0 &&
           (!a->vertex_count ||
            memcmp(a->vertices, b->vertices, a->vertex_count * 3 * sizeof(double)) == 0) &&
           (!a->triangle_count ||
            memcmp(a->triangles, b->triangles, a->triangle_count * 3 * sizeof(uint32_t)) == 0);
}

static void compare_objects(campaign *c, const graze_world *w, const graze_world *anew) {
    size_t n = graze_world_object_count(anew);
    if (graze_world_object_count(w) != n) {
        wrong(c, "counts", n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        graze_geometry a, b;
        if (graze_world_object(w, i, &a) || graze_world_object(anew, i, &b) ||
            !same_geometry(&a, &b))
            wrong(c, "object", i);
        else if (graze_world_find_object(w, b.name) != (int32_t)i)
            wrong(c, "name of object", i);
    }
    for (size_t i = 0; i < n; i++)
        if (memcmp(&gz_world_at(w, i)->box, &anew->objects[i]->box, sizeof(graze_aabb)) != 0)
            wrong(c, "box", i);
    if (graze_world_pose_error(w) != graze_world_pose_error(anew)) wrong(c, "pose error", 0);
    if (w->extent.size != anew->extent.size) wrong(c, "extent", 0);
    if (!graze_world_boundary(w, NULL, NULL)) wrong(c, "boundary", 0);
}

/// Boxes against a loop over all objects of the world made anew.
static void compare_queries(campaign *c, const graze_world *w, const graze_world *anew) {
    size_t n = anew->object_count;
    int32_t *out = malloc((n + 1) * sizeof *out),
            *stack = malloc((w->node_count * (GZ_WIDTH - 1) + 8) * sizeof *stack);
    uint8_t *found = malloc(n + 1);
    if (!out || !stack || !found) give_up("query", "no memory");
    for (int q = 0; q < 3 && w->object_count == n; q++) {
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            double center = gz_random_range(&c->random, -1.5, 1.5),
                   half = gz_random_range(&c->random, 0, q ? 0.4 : 2);
            low[k] = center - half;
            high[k] = center + half;
        }
        uint64_t tests = 0;
        size_t count = gz_world_query(w, low, high, out, stack, &tests);
        memset(found, 0, n + 1);
        for (size_t i = 0; i < count; i++) {
            if (out[i] < 0 || (size_t)out[i] >= n || found[out[i]]++) wrong(c, "query's entry", i);
        }
        for (size_t i = 0; i < n; i++) {
            const double *a = &anew->objects[i]->box.min.x, *b = &anew->objects[i]->box.max.x;
            bool overlaps = true;
            for (int k = 0; k < 3; k++) overlaps = overlaps && a[k] <= high[k] && b[k] >= low[k];
            if (overlaps != (found[i] != 0)) wrong(c, "query of entry", i);
        }
        c->tally.queries++;
    }
    free(out);
    free(stack);
    free(found);
}

static bool same_point(graze_vec3 a, graze_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           (!a->has_segment || (same_point(a->segment[0], b->segment[0]) &&
                                same_point(a->segment[1], b->segment[1]))) &&
           same_point(a->point, b->point);
}

/// Whether the pair that GRAZE_ANSWER_ANY names is one of all that collide, without a place.
static bool is_some_pair(campaign *c, const graze_checker *checker, graze_workspace *ws,
                         const double *q, const graze_contact *named) {
    static graze_contact all[4096];
    graze_report r = {.contacts = all, .capacity = 4096};
    if (graze_check(checker, ws, GRAZE_ANSWER_ALL, q, graze_robot_q_size(c->robot), NULL, &r, NULL))
        give_up("check", "an error");
    if (r.count > 4096 || named->triangle != -1 || named->other_triangle != -1) return false;
    for (size_t i = 0; i < r.count; i++)
        if (all[i].kind == named->kind && all[i].link == named->link &&
            all[i].other == named->other)
            return true;
    return false;
}

/// The reports of a few configurations, for every answer. Which pair GRAZE_ANSWER_ANY names depends
/// on the tree that is searched, and so does the work until it is found.
static void compare_reports(campaign *c, const graze_checker *a, const graze_checker *b) {
    graze_workspace *ws[2];
    graze_contact contacts[2][64];
    double q[64];
    if (graze_workspace_create(&ws[0], a, NULL) || graze_workspace_create(&ws[1], b, NULL))
        give_up("workspace", "no memory");
    for (int i = 0; i < 2; i++) {
        test_robot_draw(c->robot, &c->random, q);
        for (graze_answer answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_PAIR; answer++) {
            graze_report r[2];
            for (int k = 0; k < 2; k++) {
                r[k] = (graze_report){.contacts = contacts[k], .capacity = 64};
                memset(contacts[k], 0, sizeof contacts[k]);
                if (graze_check(k ? b : a, ws[k], answer, q, graze_robot_q_size(c->robot), NULL,
                                &r[k], NULL))
                    give_up("check", "an error");
            }
            bool same = r[0].verdict == r[1].verdict && r[0].count == r[1].count &&
                        (answer == GRAZE_ANSWER_ANY ||
                         r[0].stats.obb_rejects == r[1].stats.obb_rejects);
            for (size_t n = 0; same && n < r[0].count && n < 64; n++)
                same = answer == GRAZE_ANSWER_ANY
                           ? is_some_pair(c, a, ws[0], q, &contacts[0][n]) &&
                                 is_some_pair(c, b, ws[1], q, &contacts[1][n])
                           : same_contact(&contacts[0][n], &contacts[1][n]);
            if (!same) wrong(c, "report of answer", (size_t)answer);
            c->tally.reports++;
            c->tally.colliding += r[1].verdict == GRAZE_COLLISION;
        }
    }
    graze_workspace_free(ws[0]);
    graze_workspace_free(ws[1]);
}

typedef struct pair_list {
    graze_checked_pair *items;
    size_t count;
} pair_list;

static bool keep_pair(const graze_checked_pair *pair, void *user) {
    pair_list *l = user;
    l->items[l->count++] = *pair;
    return true;
}

static void compare_pairs(campaign *c, const graze_checker *a, const graze_checker *b,
                          size_t objects) {
    size_t links = graze_robot_link_count(c->robot), capacity = links * (links + objects);
    pair_list x = {malloc(capacity * sizeof *x.items), 0},
              y = {malloc(capacity * sizeof *y.items), 0};
    if (!x.items || !y.items) give_up("pairs", "no memory");
    graze_checker_pairs(a, keep_pair, &x);
    graze_checker_pairs(b, keep_pair, &y);
    bool same = x.count == y.count;
    for (size_t i = 0; same && i < x.count; i++) {
        const graze_checked_pair *p = &x.items[i], *q = &y.items[i];
        same = p->link == q->link && p->other == q->other && p->is_world == q->is_world &&
               !p->hidden == !q->hidden && p->margin == q->margin &&
               p->policies[0] == q->policies[0] && p->policies[1] == q->policies[1];
        if (same && p->hidden) same = strcmp(p->hidden, q->hidden) == 0;
    }
    if (!same) wrong(c, "pairs", x.count);
    if (graze_checker_epsilon(a) != graze_checker_epsilon(b)) wrong(c, "epsilon", 0);
    free(x.items);
    free(y.items);
}

/// The rules that a checker made anew can have: those whose objects are there.
static graze_checker *check_anew(const campaign *c, const graze_world *w) {
    graze_allowed_pair allowed[8];
    graze_pair_margin margins[8];
    graze_name_policy policies[8];
    graze_checker_options o = c->options;
#define KNOWN(name)                                                                                \
    (graze_robot_find_link(c->robot, name) >= 0 || graze_world_find_object(w, name) >= 0)
    o.allowed = allowed;
    o.margins = margins;
    o.policies = policies;
    o.allowed_count = o.margin_count = o.policy_count = 0;
    for (size_t i = 0; i < c->options.allowed_count; i++)
        if (KNOWN(c->options.allowed[i].a) && KNOWN(c->options.allowed[i].b))
            allowed[o.allowed_count++] = c->options.allowed[i];
    for (size_t i = 0; i < c->options.margin_count; i++)
        if (KNOWN(c->options.margins[i].a) &&
            (!c->options.margins[i].b || KNOWN(c->options.margins[i].b)))
            margins[o.margin_count++] = c->options.margins[i];
    for (size_t i = 0; i < c->options.policy_count; i++)
        if (KNOWN(c->options.policies[i].name)) policies[o.policy_count++] = c->options.policies[i];
#undef KNOWN
    graze_checker *out;
    graze_error e;
    if (graze_checker_create(&out, c->robot, w, &o, &e)) give_up("checker", e.message);
    return out;
}

static void compare(campaign *c, const version *v) {
    graze_world *anew = make_anew(c, &v->model);
    graze_checker *checker = check_anew(c, anew);
    compare_objects(c, v->world, anew);
    compare_queries(c, v->world, anew);
    compare_pairs(c, v->checker, checker, v->model.count);
    compare_reports(c, v->checker, checker);
    graze_checker_free(checker);
    graze_world_free(anew);
}

// ----------------------------------------------------------------------------------------- changes

/// What a list of changes points to.
typedef struct scratch {
    item items[LIST_MAX];
    graze_geometry geometry[LIST_MAX];
} scratch;

static graze_geometry geometry_of(const campaign *c, const item *i, bool shared) {
    graze_geometry g = {.shape = i->shape, .radius = i->radius, .length = i->length};
    memcpy(g.size, i->size, sizeof g.size);
    if (i->shape == GRAZE_SHAPE_MESH && shared) {
        g.mesh = c->meshes[i->mesh];
    } else if (i->shape == GRAZE_SHAPE_MESH) {
        g.vertices = c->vertices[i->mesh];
        g.vertex_count = 4;
        g.triangles = tetrahedron;
        g.triangle_count = 4;
    } else if (i->shape == GRAZE_SHAPE_POINTS) {
        g.vertices = c->points;
        g.vertex_count = POINTS;
    }
    return g;
}

/// One random change that holds for the model; the model follows.
static graze_world_change draw_change(campaign *c, model *m, scratch *s, size_t at) {
    gz_random *r = &c->random;
    uint32_t die = gz_random_below(r, 10);
    bool grow = m->count < 4 || (die < 2 && m->count + LIST_MAX < ITEMS_MAX);
    s->items[at] = random_item(c);
    item *fresh = &s->items[at];
    if (grow && find(m, fresh->name) == ITEMS_MAX) {
        m->items[m->count++] = *fresh;
        s->geometry[at] = geometry_of(c, fresh, gz_random_below(r, 2) == 0);
        c->tally.additions++;
        return (graze_world_change){.struct_size = sizeof(graze_world_change),
                                    .kind = GRAZE_CHANGE_ADD,
                                    .name = fresh->name,
                                    .pose = &fresh->pose,
                                    .geometry = &s->geometry[at]};
    }
    size_t which = gz_random_below(r, (uint32_t)m->count);
    item *old = &m->items[which];
    memcpy(fresh->name, old->name, sizeof fresh->name);
    if (die == 9 && m->count > 4) {
        memmove(old, old + 1, (m->count - which - 1) * sizeof *old);
        m->count--;
        c->tally.removals++;
        return (graze_world_change){.struct_size = sizeof(graze_world_change),
                                    .kind = GRAZE_CHANGE_REMOVE,
                                    .name = fresh->name};
    }
    old->pose = fresh->pose;
    c->tally.moves++;
    return (graze_world_change){.struct_size = sizeof(graze_world_change),
                                .kind = GRAZE_CHANGE_MOVE,
                                .name = fresh->name,
                                .pose = &fresh->pose};
}

/// A list with one change that must be refused: nothing is made, and nothing has changed.
static void refuse(campaign *c, const version *v, graze_world_change *list, size_t count) {
    static const graze_transform skewed = {{1, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    size_t at = gz_random_below(&c->random, (uint32_t)count);
    if (gz_random_below(&c->random, 2))
        list[at] = (graze_world_change){.struct_size = sizeof(graze_world_change),
                                        .kind = GRAZE_CHANGE_MOVE,
                                        .name = "nobody",
                                        .pose = list[at].pose};
    else
        list[at] = (graze_world_change){.struct_size = sizeof(graze_world_change),
                                        .kind = GRAZE_CHANGE_MOVE,
                                        .name = v->model.items[0].name,
                                        .pose = &skewed};
    graze_world *made = v->world;
    if (graze_world_revise(&made, v->world, list, count, NULL) == GRAZE_OK || made)
        wrong(c, "refused change", at);
    c->tally.refused++;
}

static void step(campaign *c) {
    gz_random *r = &c->random;
    const version *from = &c->versions[gz_random_below(r, 4) ? 0 : gz_random_below(r, VERSIONS)];
    size_t count = gz_random_below(r, 20) ? 1 + gz_random_below(r, 3)
                                          : gz_random_below(r, LIST_MAX);
    graze_world_change list[LIST_MAX];
    scratch s;
    version made = {.model = from->model};
    for (size_t i = 0; i < count; i++) list[i] = draw_change(c, &made.model, &s, i);
    graze_error e;
    if (graze_world_revise(&made.world, from->world, list, count, &e)) give_up("revise", e.message);
    if (graze_checker_with_world(&made.checker, from->checker, made.world, &e))
        give_up("checker", e.message);
    c->tally.changes += count;
    c->tally.versions++;
    c->tally.deltas += made.world->delta != NULL;
    if (count && gz_random_below(r, 20) == 0) refuse(c, from, list, count);
    // The version takes the place of one that nobody needs to have kept: owners go in any order.
    size_t place = gz_random_below(r, VERSIONS);
    graze_checker_free(c->versions[place].checker);
    graze_world_free(c->versions[place].world);
    if (place) c->versions[place] = c->versions[0];
    c->versions[0] = made;
    compare(c, &c->versions[0]);
    if (gz_random_below(r, 10) == 0) compare(c, &c->versions[gz_random_below(r, VERSIONS)]);
}

static void begin(campaign *c, uint64_t seed) {
    static const graze_allowed_pair allowed[] = {{"gripper_link", "thing 3"},
                                                 {"thing 8", "base_link"}};
    static const graze_pair_margin margins[] = {{"thing 5", NULL, 0.03},
                                                {"thing 6", "gripper_link", 0.02}};
    static const graze_name_policy policies[] = {{"thing 2", GRAZE_POLICY_SURFACE}};
    c->random = gz_random_make(seed, 1);
    c->names = 0;
    for (int i = 0; i < MESHES; i++) {
        for (int k = 0; k < 12; k++) c->vertices[i][k] = gz_random_range(&c->random, -0.2, 0.2);
        if (graze_mesh_create(&c->meshes[i], c->vertices[i], 4, tetrahedron, 4, NULL))
            give_up("mesh", "not made");
    }
    for (int i = 0; i < 3 * POINTS; i++) c->points[i] = gz_random_range(&c->random, -0.2, 0.2);
    c->options = graze_checker_options_default();
    c->options.policies = policies;
    c->options.policy_count = 1;
    static const char *const link_names[] = {"gripper_link", "base_link"};
    c->options.allowed = allowed;
    for (size_t i = 0; i < 2; i++)
        if (graze_robot_find_link(c->robot, link_names[i]) < 0) give_up("link", link_names[i]);
    c->options.allowed_count = 2;
    c->options.margins = margins;
    c->options.margin_count = 2;
    if (seed % 2) c->options.margin = 0.001;
    model first = {.count = 0};
    for (int i = 0; i < 12; i++) first.items[first.count++] = random_item(c);
    for (int i = 0; i < VERSIONS; i++) {
        version *v = &c->versions[i];
        v->model = first;
        v->world = make_anew(c, &first);
        v->checker = check_anew(c, v->world);
    }
}

static void end(campaign *c) {
    for (int i = 0; i < VERSIONS; i++) {
        graze_checker_free(c->versions[i].checker);
        graze_world_free(c->versions[i].world);
    }
    for (int i = 0; i < MESHES; i++) graze_mesh_free(c->meshes[i]);
}

// ------------------------------------------------------------------------------------------- times

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static graze_world *make_boxes(gz_random *r, size_t count) {
    graze_world *w;
    double spread = 2 + cbrt((double)count) / 4;
    if (graze_world_create(&w, "boxes", NULL)) give_up("boxes", "no memory");
    for (size_t i = 0; i < count; i++) {
        char name[32];
        double size[3];
        graze_transform pose = random_pose(r);
        snprintf(name, sizeof name, "box %zu", i);
        for (int k = 0; k < 3; k++) {
            size[k] = gz_random_range(r, 0.02, 0.1);
            pose.m[4 * k + 3] *= spread;
        }
        if (graze_world_add_box(w, name, size, &pose, NULL)) give_up(name, "not added");
    }
    return w;
}

/// Moves a box `rounds` times, the same one or each time another; each version has a checker and a
/// workspace and asks one configuration. Prints the mean of each.
static void time_moves(const campaign *c, graze_world *w, bool same, int rounds, gz_random *r) {
    graze_checker *checker, *next_checker;
    graze_world *next, *first = w;
    graze_error e;
    double spent[3] = {0}, worst = 0, q[64];
    size_t count = graze_world_object_count(w);
    test_robot_draw(c->robot, r, q);
    if (graze_checker_create(&checker, c->robot, w, NULL, &e)) give_up("checker", e.message);
    for (int i = 0; i < rounds; i++) {
        char name[32];
        graze_transform pose = random_pose(r);
        snprintf(name, sizeof name, "box %zu",
                 same ? count / 2 : gz_random_below(r, (uint32_t)count));
        graze_world_change change = {.struct_size = sizeof(graze_world_change),
                                     .kind = GRAZE_CHANGE_MOVE,
                                     .name = name,
                                     .pose = &pose};
        graze_workspace *ws;
        graze_report report = {0};
        double t0 = now();
        if (graze_world_revise(&next, w, &change, 1, &e)) give_up("revise", e.message);
        double t1 = now();
        if (graze_checker_with_world(&next_checker, checker, next, &e))
            give_up("checker", e.message);
        double t2 = now();
        if (graze_workspace_create(&ws, next_checker, &e)) give_up("workspace", e.message);
        graze_check(next_checker, ws, GRAZE_ANSWER_ANY, q, graze_robot_q_size(c->robot), NULL,
                    &report, &e);
        graze_workspace_free(ws);
        graze_checker_free(checker);
        if (w != first) graze_world_free(w);
        double t3 = now();
        spent[0] += t1 - t0;
        spent[1] += t2 - t1;
        spent[2] += t3 - t2;
        worst = fmax(worst, t1 - t0);
        checker = next_checker;
        w = next;
    }
    printf("%zu boxes, %s moved %d times: version %.2f us (most %.0f), checker %.2f us, "
           "workspace, one check and freeing %.2f us\n",
           count, same ? "one" : "any", rounds, 1e6 * spent[0] / rounds, 1e6 * worst,
           1e6 * spent[1] / rounds, 1e6 * spent[2] / rounds);
    graze_checker_free(checker);
    if (w != first) graze_world_free(w);
}

static int measure(campaign *c, size_t count, uint64_t seed) {
    gz_random r = gz_random_make(seed, 2);
    graze_checker *checker;
    double t0 = now();
    graze_world *w = make_boxes(&r, count);
    double t1 = now();
    if (graze_world_commit(w, NULL)) give_up("commit", "no memory");
    double t2 = now();
    if (graze_checker_create(&checker, c->robot, w, NULL, NULL)) give_up("checker", "not made");
    double t3 = now();
    graze_checker_free(checker);
    printf("%zu boxes made anew: adding %.2f us, committing %.2f us, checker %.2f us\n", count,
           1e6 * (t1 - t0), 1e6 * (t2 - t1), 1e6 * (t3 - t2));
    time_moves(c, w, true, 2000, &r);
    time_moves(c, w, false, 2000, &r);
    graze_world_change removal = {
        .struct_size = sizeof(graze_world_change), .kind = GRAZE_CHANGE_REMOVE, .name = "box 1"};
    graze_world *less;
    t0 = now();
    if (graze_world_revise(&less, w, &removal, 1, NULL)) give_up("revise", "not made");
    printf("%zu boxes, one removed: version %.2f us\n", count, 1e6 * (now() - t0));
    graze_world_free(less);
    graze_world_free(w);
    graze_robot_free(c->robot);
    return 0;
}

int main(int argc, char **argv) {
    uint64_t changes = 10000, seed = 1, timed = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--changes") == 0) changes = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--time") == 0) timed = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
    }
    static campaign c;
    c.robot = test_robot_load("heron");
    if (timed) return measure(&c, (size_t)timed, seed);
    // Half of the changes without a margin for all, half with one.
    for (int half = 0; half < 2; half++) {
        uint64_t until = half ? changes : changes / 2;
        begin(&c, 2 * seed + (uint64_t)half);
        while (c.tally.changes < until) step(&c);
        end(&c);
    }
    graze_robot_free(c.robot);
    const tally *t = &c.tally;
    printf("%llu changes (%llu moves, %llu removals, %llu additions), %llu lists refused; %llu "
           "versions, %llu of them beside a base\n%llu queries, %llu reports, %llu of them "
           "collisions; %llu wrong\n",
           (unsigned long long)t->changes, (unsigned long long)t->moves,
           (unsigned long long)t->removals, (unsigned long long)t->additions,
           (unsigned long long)t->refused, (unsigned long long)t->versions,
           (unsigned long long)t->deltas, (unsigned long long)t->queries,
           (unsigned long long)t->reports, (unsigned long long)t->colliding,
           (unsigned long long)t->wrong);
    return t->wrong ? 1 : 0;
}
