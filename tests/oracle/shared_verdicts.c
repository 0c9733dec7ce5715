// 20,000 configurations of a real robot (fetch, test data) against verdicts on which FCL, Coal and
// ODE agree: alone, with a shelf of boxes and cylinders, and with a world of 498,400 triangles.
//
// Surfaces must give these verdicts. Solids may collide more: wherever they do, one part must lie
// inside a closed part of the other, and every vertex of it is confirmed to, by the solid angle
// (van Oosterom and Strackee 1983) under which the closed part is seen; and where they are free, no
// part may lie inside another.
//
// usage: shared_verdicts, with GRAZE_TEST_DATA set; without, it is skipped (77)

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "inside.h"
#include "posed_mesh.h"
#include "test_robot.h"

enum { ROWS = 20000, COLUMNS = 8 };

static const char *const columns[COLUMNS] = {
    "torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
    "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint",    "wrist_roll_joint"};

/// The bytes of a NumPy file behind its header.
static void *read_npy(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) give_up(path, "cannot be opened");
    unsigned char head[10];
    void *out = allocate(size, 1);
    if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, "\x93NUMPY\x01", 7) != 0 ||
        fseek(file, head[8] + 256 * head[9], SEEK_CUR) != 0 || fread(out, 1, size, file) != size)
        give_up(path, "not the .npy file it should be");
    fclose(file);
    return out;
}

typedef struct trial {
    const char *name;
    const graze_robot *robot;
    const graze_world *world; ///< or NULL
    const double *q;
    size_t width;
    uint8_t *expected;
    uint8_t *verdicts;
    graze_contact *contacts;
    graze_transform *links;
    graze_geometry *elements, *objects;
    size_t element_count, object_count;
    inside_mesh **robot_meshes, **world_meshes; ///< made on demand
    size_t missing, extra, contained, wrong, vertices, overlooked;
} trial;

static double *configurations(const graze_robot *robot, const char *data) {
    size_t width = graze_robot_q_size(robot);
    double *rows = read_npy(test_path(data, "verdicts/fetch_configs.npy"),
                            ROWS * COLUMNS * sizeof(double));
    double *q = allocate(ROWS * width, sizeof *q);
    for (size_t i = 0; i < ROWS; i++) {
        graze_robot_rest(robot, q + i * width);
        for (size_t k = 0; k < COLUMNS; k++) {
            int32_t at = graze_robot_find_q(robot, columns[k]);
            if (at < 0) give_up(columns[k], "no such joint");
            q[i * width + (size_t)at] = rows[i * COLUMNS + k];
        }
    }
    free(rows);
    return q;
}

static void check(trial *t, graze_policy policy, graze_answer answer) {
    graze_error error;
    graze_checker *checker;
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    if (graze_checker_create(&checker, t->robot, t->world, &options, &error))
        give_up(t->name, error.message);
    graze_batch batch = graze_batch_default();
    batch.threads = 0;
    batch.count = ROWS;
    batch.q = t->q;
    batch.answer = answer;
    batch.verdicts = t->verdicts;
    batch.contacts = t->contacts;
    if (graze_check_batch(checker, &batch, &error)) give_up(t->name, error.message);
    graze_checker_free(checker);
}

// -------------------------------------------------------------------------------------- surfaces

/// Returns the number of rows that differ.
static size_t check_surfaces(trial *t, graze_answer answer, const char *how) {
    size_t missing = 0, extra = 0, hits = 0;
    check(t, GRAZE_POLICY_SURFACE, answer);
    for (size_t i = 0; i < ROWS; i++) {
        hits += t->expected[i];
        missing += t->verdicts[i] != GRAZE_COLLISION && t->expected[i];
        extra += t->verdicts[i] != GRAZE_FREE && !t->expected[i];
        if ((t->verdicts[i] == GRAZE_COLLISION) != t->expected[i] && missing + extra <= 5)
            printf("  row %zu: expected %d, graze %d\n", i, t->expected[i], t->verdicts[i]);
    }
    printf("%-8s surfaces, %-5s  %5zu collisions of %d, %zu missing, %zu too many\n", t->name, how,
           hits, ROWS, missing, extra);
    return missing + extra;
}

// ---------------------------------------------------------------------------------------- solids

/// A side of a contact: the geometry, and its frame's pose.
typedef struct side {
    const graze_geometry *geometry;
    const graze_transform *pose;
    inside_mesh **mesh;
} side;

static side robot_side(trial *t, int32_t link, int32_t element) {
    for (size_t i = 0; i < t->element_count; i++) {
        const graze_geometry *g = &t->elements[i];
        if (g->owner == link && g->element == element)
            return (side){g, &t->links[g->frame], &t->robot_meshes[i]};
    }
    give_up(t->name, "a contact names an element that does not exist");
}

static side world_side(trial *t, int32_t object) {
    const graze_geometry *g = &t->objects[object];
    return (side){g, &g->origin, &t->world_meshes[object]};
}

static inside_mesh *mesh_of(trial *t, side *s) {
    const graze_geometry *g = s->geometry;
    if (!g->triangle_count) give_up(t->name, "a curved shape cannot contain a part");
    if (!*s->mesh)
        *s->mesh = inside_mesh_create(g->vertices, g->vertex_count, g->triangles,
                                      g->triangle_count);
    inside_mesh_place(*s->mesh, s->pose);
    return *s->mesh;
}

/// Whether what the contact calls contained is.
static bool confirm(trial *t, const graze_contact *c) {
    side a = robot_side(t, c->link, c->element);
    side b = c->kind == GRAZE_CONTACT_SELF ? robot_side(t, c->other, c->other_element)
                                           : world_side(t, c->other);
    // The container is the side without a triangle; a curved shape has none, but is none.
    bool a_holds = c->triangle < 0 && a.geometry->triangle_count != 0;
    side *whole = a_holds ? &a : &b, *inner = a_holds ? &b : &a;
    int64_t triangle = a_holds ? c->other_triangle : c->triangle;
    const inside_mesh *container = mesh_of(t, whole);
    if (!inner->geometry->triangle_count) {
        // A curved shape: its centre stands for it. (The robot has none.)
        const double *m = inner->geometry->origin.m;
        t->vertices++;
        return inner == &b && inside_mesh_holds(container, (const double[3]){m[3], m[7], m[11]});
    }
    return triangle >= 0 && inside_mesh_holds_component(container, mesh_of(t, inner),
                                                        (size_t)triangle, &t->vertices);
}

/// Whether a part of one lies inside the other, their surfaces being apart.
static bool nested(trial *t, side a, side b) {
    if (!a.geometry->triangle_count || !b.geometry->triangle_count) return false;
    const inside_mesh *p = mesh_of(t, &a), *q = mesh_of(t, &b);
    return inside_mesh_holds_some(p, q) || inside_mesh_holds_some(q, p);
}

/// A free configuration: whether containment was overlooked anywhere. Every link of fetch has one
/// collision element or none.
static bool has_nested(trial *t) {
    bool found = false;
    for (size_t i = 0; i < graze_robot_pair_count(t->robot) && !found; i++) {
        graze_pair pair;
        if (graze_robot_pair(t->robot, i, &pair)) give_up(t->name, "no pair");
        if (pair.state == GRAZE_PAIR_CHECKED)
            found = nested(t, robot_side(t, pair.a, 0), robot_side(t, pair.b, 0));
    }
    for (size_t i = 0; i < t->element_count && !found; i++)
        for (size_t k = 0; k < t->object_count && !found; k++)
            found = nested(t, robot_side(t, t->elements[i].owner, t->elements[i].element),
                           world_side(t, (int32_t)k));
    return found;
}

static void pose_row(trial *t, size_t row) {
    graze_error error;
    if (graze_robot_pose(t->robot, t->q + row * t->width, t->width, NULL, t->links, &error))
        give_up(t->name, error.message);
}

/// Returns the number of rows that are wrong.
static size_t check_solids(trial *t) {
    check(t, GRAZE_POLICY_SOLID, GRAZE_ANSWER_FIRST);
    for (size_t i = 0; i < ROWS; i++) {
        if (t->verdicts[i] != GRAZE_COLLISION) {
            t->missing += t->expected[i] || t->verdicts[i] != GRAZE_FREE;
            pose_row(t, i);
            if (has_nested(t)) {
                t->overlooked++;
                printf("  row %zu: free, and one part lies inside another\n", i);
            }
            continue;
        }
        if (t->expected[i]) continue;
        t->extra++;
        const graze_contact *c = &t->contacts[i];
        if (!c->contained) {
            t->wrong++;
            printf("  row %zu: a further collision that is not containment\n", i);
            continue;
        }
        t->contained++;
        pose_row(t, i);
        if (!confirm(t, c)) {
            t->wrong++;
            printf("  row %zu: a part that is not inside\n", i);
        }
    }
    printf("%-8s solids, first    %5zu further collisions, %zu of them contained (%zu vertices "
           "confirmed inside), %zu missing, %zu overlooked, %zu wrong\n",
           t->name, t->extra, t->contained, t->vertices, t->missing, t->overlooked, t->wrong);
    return t->missing + t->overlooked + t->wrong;
}

// ------------------------------------------------------------------------------------------ runs

static graze_world *load_world(const char *data, const char *file) {
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, file, &error) ||
        graze_world_add_file(world, test_path(data, file), NULL, &error) ||
        graze_world_commit(world, &error))
        give_up(file, error.message);
    return world;
}

static void free_meshes(inside_mesh **meshes, size_t count) {
    for (size_t i = 0; i < count; i++) inside_mesh_free(meshes[i]);
    free(meshes);
}

static size_t run(const graze_robot *robot, const double *q, const char *data, const char *name,
                  const char *world_file) {
    char verdicts[64];
    snprintf(verdicts, sizeof verdicts, "verdicts/fetch_%s.npy", name);
    graze_world *world = world_file ? load_world(data, world_file) : NULL;
    size_t objects = world ? graze_world_object_count(world) : 0,
           elements = graze_robot_collision_count(robot);
    trial t = {.name = name,
               .robot = robot,
               .world = world,
               .q = q,
               .width = graze_robot_q_size(robot),
               .expected = read_npy(test_path(data, verdicts), ROWS),
               .verdicts = allocate(ROWS, 1),
               .contacts = allocate(ROWS, sizeof(graze_contact)),
               .links = allocate(graze_robot_link_count(robot), sizeof(graze_transform)),
               .elements = allocate(elements, sizeof(graze_geometry)),
               .objects = allocate(objects, sizeof(graze_geometry)),
               .element_count = elements,
               .object_count = objects,
               .robot_meshes = allocate(elements, sizeof(inside_mesh *)),
               .world_meshes = allocate(objects, sizeof(inside_mesh *))};
    for (size_t i = 0; i < elements; i++)
        if (graze_robot_collision(robot, i, &t.elements[i])) give_up(name, "no geometry");
    for (size_t i = 0; i < objects; i++)
        if (graze_world_object(world, i, &t.objects[i])) give_up(name, "no geometry");
    size_t wrong = check_surfaces(&t, GRAZE_ANSWER_ANY, "any") +
                   check_surfaces(&t, GRAZE_ANSWER_FIRST, "first") + check_solids(&t);
    fflush(stdout);
    free_meshes(t.robot_meshes, elements);
    free_meshes(t.world_meshes, objects);
    free(t.expected);
    free(t.verdicts);
    free(t.contacts);
    free(t.links);
    free(t.elements);
    free(t.objects);
    graze_world_free(world);
    return wrong;
}

/// The test inside must be able to say no: a tetrahedron, and one with a hollow of half its size.
static void test_inside(void) {
    static const double vertices[24] = {3,    3,    3,    3,   -3,   -3,   -3,   3,
                                        -3,   -3,   -3,   3,   1.5,  1.5,  1.5,  1.5,
                                        -1.5, -1.5, -1.5, 1.5, -1.5, -1.5, -1.5, 1.5};
    static const uint32_t triangles[24] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2,
                                           4, 6, 5, 4, 7, 6, 4, 5, 7, 5, 6, 7};
    static const double at[4][3] = {{0.1, 0.2, 0.3}, {2, 2, 2}, {-2, -2, -2}, {4, 0, 0}};
    graze_transform identity = graze_transform_identity();
    for (size_t hollow = 0; hollow < 2; hollow++) {
        inside_mesh *mesh = inside_mesh_create(vertices, 4 + 4 * hollow, triangles, 4 + 4 * hollow);
        inside_mesh_place(mesh, &identity);
        const bool inside[4] = {!hollow, true, false, false};
        for (size_t i = 0; i < 4; i++)
            if (inside_mesh_holds(mesh, at[i]) != inside[i]) give_up("the test inside", "is wrong");
        inside_mesh_free(mesh);
    }
}

int main(void) {
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        printf("skipped: GRAZE_TEST_DATA is not set\n");
        return 77;
    }
    test_inside();
    graze_robot *robot = test_robot_load("fetch");
    double *q = configurations(robot, data);
    size_t wrong = run(robot, q, data, "self", NULL) +
                   run(robot, q, data, "shelf", "worlds/shelf.json") +
                   run(robot, q, data, "clutter", "worlds/clutter.ply");
    free(q);
    graze_robot_free(robot);
    return wrong != 0;
}
