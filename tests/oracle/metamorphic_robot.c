// The shipped robot in the shipped shelf, asked about in other ways.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiled_twin.h"
#include "graze/graze.h"
#include "metamorphic.h"
#include "posed_mesh.h"
#include "test_robot.h"

enum {
    THREADS,
    NEIGHBOURS,
    INSTRUCTIONS,
    SINGLE,
    POSED,
    OBJECTS,
    CHECKERS,
    COMPILED,
    VERSIONS,
    RELATION_COUNT
};

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    size_t width, rows;
    double *q;
    uint8_t *verdicts;
    graze_contact *contacts; ///< the first of each row
    relation *relations;
} scene;

/// What a batch said.
typedef struct answers {
    uint8_t *verdicts;
    graze_contact *contacts;
} answers;

static graze_world *load_world(void) {
    graze_world *world;
    graze_error error;
    const char *path = GRAZE_SOURCE_DIR "/worlds/shelf.json";
    if (graze_world_create(&world, "shelf", &error) ||
        graze_world_add_file(world, path, NULL, &error) || graze_world_commit(world, &error))
        give_up(path, error.message);
    return world;
}

static graze_checker *make_checker(const graze_robot *robot, const graze_world *world) {
    graze_checker *checker;
    graze_error error;
    if (graze_checker_create(&checker, robot, world, NULL, &error))
        give_up("checker", error.message);
    return checker;
}

static answers make_answers(size_t rows) {
    return (answers){allocate(rows, 1), allocate(rows, sizeof(graze_contact))};
}

static void free_answers(answers *a) {
    free(a->verdicts);
    free(a->contacts);
}

static void run_batch(const graze_checker *checker, const double *q, size_t rows, uint32_t threads,
                      graze_answer answer, answers *out) {
    graze_error error;
    graze_batch batch = graze_batch_default();
    batch.threads = threads;
    batch.count = rows;
    batch.q = q;
    batch.answer = answer;
    batch.verdicts = out->verdicts;
    batch.contacts = out->contacts;
    if (graze_check_batch(checker, &batch, &error)) give_up("batch", error.message);
}

static bool same_point(const graze_vec3 *a, const graze_vec3 *b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           same_point(&a->point, &b->point) &&
           (!a->has_segment || (same_point(&a->segment[0], &b->segment[0]) &&
                                same_point(&a->segment[1], &b->segment[1])));
}

static void note(const scene *s, int which, size_t row, bool good) {
    char where[2048];
    size_t used = (size_t)snprintf(where, sizeof where, "q =");
    for (size_t i = 0; i < s->width && used < sizeof where; i++)
        used += (size_t)snprintf(where + used, sizeof where - used, " %a",
                                 s->q[row * s->width + i]);
    relation_note(&s->relations[which], s->verdicts[row] == GRAZE_COLLISION, good, where);
}

/// Compares a batch's row with the reference's row.
static void compare(const scene *s, int which, size_t row, const answers *other, size_t at) {
    bool hit = s->verdicts[row] == GRAZE_COLLISION;
    note(s, which, row,
         other->verdicts[at] == s->verdicts[row] &&
             (!hit || same_contact(&other->contacts[at], &s->contacts[row])));
}

// ---------------------------------------------------------------------------------------- rows

/// Half of them random; then ends of searches for contact between two of those.
static void draw_rows(scene *s, gz_random *random) {
    size_t half = s->rows / 2;
    s->q = allocate(s->rows * s->width, sizeof *s->q);
    for (size_t i = 0; i < half; i++) test_robot_draw(s->robot, random, s->q + i * s->width);
    answers known = make_answers(s->rows), one = make_answers(1);
    run_batch(s->checker, s->q, half, 1, GRAZE_ANSWER_ANY, &known);
    double *q = allocate(s->width, sizeof *q);
    for (size_t row = half; row < s->rows;) {
        size_t free_row = gz_random_below(random, (uint32_t)half),
               hit_row = gz_random_below(random, (uint32_t)half);
        if (known.verdicts[free_row] == known.verdicts[hit_row]) continue;
        const double *from = s->q + free_row * s->width, *to = s->q + hit_row * s->width;
        double low = 0, high = 1;
        for (int step = 0; step < 54 && row < s->rows; step++) {
            double middle = 0.5 * (low + high);
            for (size_t i = 0; i < s->width; i++) q[i] = from[i] + middle * (to[i] - from[i]);
            run_batch(s->checker, q, 1, 1, GRAZE_ANSWER_ANY, &one);
            *(one.verdicts[0] == known.verdicts[free_row] ? &low : &high) = middle;
            if (step >= 38 && step % 2 == 0)
                memcpy(s->q + row++ * s->width, q, s->width * sizeof *q);
        }
    }
    free(q);
    free_answers(&known);
    free_answers(&one);
}

// ------------------------------------------------------------------------------------- relations

static void try_threads(const scene *s) {
    static const uint32_t counts[] = {2, 3, 8};
    answers other = make_answers(s->rows);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        run_batch(s->checker, s->q, s->rows, counts[i], GRAZE_ANSWER_FIRST, &other);
        for (size_t row = 0; row < s->rows; row++) compare(s, THREADS, row, &other, row);
    }
    free_answers(&other);
}

/// Backwards: other configurations beside each.
static void try_neighbours(const scene *s) {
    answers other = make_answers(s->rows);
    double *q = allocate(s->rows * s->width, sizeof *q);
    for (size_t row = 0; row < s->rows; row++)
        memcpy(q + (s->rows - 1 - row) * s->width, s->q + row * s->width, s->width * sizeof *q);
    run_batch(s->checker, q, s->rows, 1, GRAZE_ANSWER_FIRST, &other);
    for (size_t row = 0; row < s->rows; row++)
        compare(s, NEIGHBOURS, row, &other, s->rows - 1 - row);
    run_batch(s->checker, q, s->rows, 1, GRAZE_ANSWER_ANY, &other);
    for (size_t row = 0; row < s->rows; row++)
        note(s, NEIGHBOURS, row, other.verdicts[s->rows - 1 - row] == s->verdicts[row]);
    free(q);
    free_answers(&other);
}

static void try_instructions(const scene *s) {
    static const char *const sets[] = {"avx2", "sse2", "scalar"};
    answers other = make_answers(s->rows);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        choose_instructions(sets[i]);
        graze_checker *checker = make_checker(s->robot, s->world);
        run_batch(checker, s->q, s->rows, 1, GRAZE_ANSWER_FIRST, &other);
        graze_checker_free(checker);
        for (size_t row = 0; row < s->rows; row++) compare(s, INSTRUCTIONS, row, &other, row);
    }
    choose_instructions("");
    free_answers(&other);
}

enum { CAPACITY = 1024 };

typedef struct desk {
    const graze_checker *checker;
    graze_workspace *workspace;
    graze_contact *contacts;
    size_t count;
} desk;

static desk open_desk(const graze_checker *checker) {
    desk d = {.checker = checker, .contacts = allocate(CAPACITY, sizeof(graze_contact))};
    graze_error error;
    if (graze_workspace_create(&d.workspace, checker, &error)) give_up("workspace", error.message);
    return d;
}

static void close_desk(desk *d) {
    graze_workspace_free(d->workspace);
    free(d->contacts);
}

static graze_verdict query(desk *d, const scene *s, graze_answer answer, size_t row) {
    graze_report report = {.contacts = d->contacts, .capacity = CAPACITY};
    graze_error error;
    if (graze_check(d->checker, d->workspace, answer, s->q + row * s->width, s->width, NULL,
                    &report, &error))
        give_up("check", error.message);
    if (report.truncated) give_up("check", "more contacts than there is space for");
    d->count = report.count;
    return report.verdict;
}

/// One configuration at a time: the first pair, any pair, and all, of which the first is the first.
static void try_single(const scene *s) {
    desk d = open_desk(s->checker);
    static const graze_answer kinds[] = {GRAZE_ANSWER_FIRST, GRAZE_ANSWER_ANY, GRAZE_ANSWER_ALL};
    for (size_t row = 0; row < s->rows; row++) {
        for (size_t i = 0; i < 3; i++) {
            graze_verdict verdict = query(&d, s, kinds[i], row);
            bool hit = verdict == GRAZE_COLLISION, any = kinds[i] == GRAZE_ANSWER_ANY;
            note(s, SINGLE, row,
                 verdict == s->verdicts[row] && hit == (d.count != 0) &&
                     (!hit || any || same_contact(&d.contacts[0], &s->contacts[row])));
        }
    }
    close_desk(&d);
}

/// By the poses of the links in place of q: any pair, and the first.
static void try_posed(const scene *s) {
    desk d = open_desk(s->checker);
    size_t links = graze_robot_link_count(s->robot);
    graze_transform *poses = allocate(links, sizeof *poses);
    for (size_t row = 0; row < s->rows; row++) {
        graze_error error;
        if (graze_robot_pose(s->robot, s->q + row * s->width, s->width, NULL, poses, &error))
            give_up("pose", error.message);
        for (int first = 0; first < 2; first++) {
            graze_report report = {.contacts = d.contacts, .capacity = CAPACITY};
            if (graze_check_posed(d.checker, d.workspace,
                                  first ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_ANY, poses, links,
                                  &report, &error))
                give_up("check", error.message);
            bool hit = report.verdict == GRAZE_COLLISION;
            note(s, POSED, row,
                 report.verdict == s->verdicts[row] && hit == (report.count != 0) &&
                     (!hit || !first || same_contact(&d.contacts[0], &s->contacts[row])));
        }
    }
    free(poses);
    close_desk(&d);
}

static graze_status copy_object(graze_world *to, const graze_geometry *g, graze_error *error) {
    switch (g->shape) {
    case GRAZE_SHAPE_BOX:
        return graze_world_add_box(to, g->name, g->size, &g->origin, error);
    case GRAZE_SHAPE_SPHERE:
        return graze_world_add_sphere(to, g->name, g->radius, &g->origin, error);
    case GRAZE_SHAPE_CYLINDER:
        return graze_world_add_cylinder(to, g->name, g->radius, g->length, &g->origin, error);
    case GRAZE_SHAPE_CAPSULE:
        return graze_world_add_capsule(to, g->name, g->radius, g->length, &g->origin, error);
    default:
        return graze_world_add_mesh(to, g->name, g->vertices, g->vertex_count, g->triangles,
                                    g->triangle_count, &g->origin, error);
    }
}

/// The same objects, last one first.
static graze_world *reverse_world(const graze_world *from) {
    graze_world *to;
    graze_error error;
    if (graze_world_create(&to, "reversed", &error)) give_up("world", error.message);
    for (size_t i = graze_world_object_count(from); i-- > 0;) {
        graze_geometry g;
        if (graze_world_object(from, i, &g) || copy_object(to, &g, &error))
            give_up("object", error.message);
    }
    double min[3], max[3];
    if (graze_world_boundary(from, min, max) && graze_world_set_boundary(to, min, max, &error))
        give_up("boundary", error.message);
    if (graze_world_commit(to, &error)) give_up("world", error.message);
    return to;
}

static bool is_among(const graze_checker *checker, const desk *d, const char *link,
                     const char *other) {
    for (size_t i = 0; i < d->count; i++)
        if (!strcmp(graze_contact_link_name(checker, &d->contacts[i]), link) &&
            !strcmp(graze_contact_other_name(checker, &d->contacts[i]), other))
            return true;
    return false;
}

/// All named pairs, whatever the order of the objects.
static void try_objects(const scene *s) {
    graze_world *reversed = reverse_world(s->world);
    graze_checker *checker = make_checker(s->robot, reversed);
    desk one = open_desk(s->checker), other = open_desk(checker);
    for (size_t row = 0; row < s->rows; row++) {
        query(&one, s, GRAZE_ANSWER_ALL, row);
        bool good = query(&other, s, GRAZE_ANSWER_ALL, row) == s->verdicts[row] &&
                    one.count == other.count;
        for (size_t i = 0; i < one.count && good; i++)
            good = is_among(checker, &other, graze_contact_link_name(s->checker, &one.contacts[i]),
                            graze_contact_other_name(s->checker, &one.contacts[i]));
        note(s, OBJECTS, row, good);
    }
    close_desk(&one);
    close_desk(&other);
    graze_checker_free(checker);
    graze_world_free(reversed);
}

/// By another robot and world, which it frees.
static void try_others(const scene *s, int which, graze_robot *robot, graze_world *world) {
    graze_checker *checker = make_checker(robot, world);
    answers other = make_answers(s->rows);
    run_batch(checker, s->q, s->rows, 1, GRAZE_ANSWER_FIRST, &other);
    for (size_t row = 0; row < s->rows; row++) compare(s, which, row, &other, row);
    free_answers(&other);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}

static void try_compiled(const scene *s) {
    graze_robot *robot;
    graze_world *world;
    compiled_twin(s->robot, s->world, &robot, &world);
    try_others(s, COMPILED, robot, world);
}

/// A world of which a part was moved away, taken out, put in and moved back, one step a version,
/// with the checker carried along: every object ends where it was, so every row must, too.
static void try_versions(const scene *s) {
    graze_world *world = NULL;
    graze_checker *checker = NULL;
    size_t objects = graze_world_object_count(s->world), steps = 2 * objects;
    for (size_t step = 0; step < steps; step++) {
        graze_geometry g;
        graze_error error;
        graze_world_object(s->world, step % objects, &g);
        graze_transform at = g.origin;
        if (step < objects) at.m[3] += 0.25;
        // First all move away; then they move back, and the last one is taken out and added.
        bool last = step == steps - 1;
        const graze_world_change changes[] = {
            {.struct_size = sizeof(graze_world_change),
             .kind = last ? GRAZE_CHANGE_REMOVE : GRAZE_CHANGE_MOVE,
             .name = g.name,
             .pose = &at},
            {.struct_size = sizeof(graze_world_change),
             .kind = GRAZE_CHANGE_ADD,
             .name = g.name,
             .pose = &at,
             .geometry = &g}};
        graze_world *next;
        graze_checker *next_checker;
        if (graze_world_revise(&next, world ? world : s->world, changes, last ? 2 : 1, &error) ||
            graze_checker_with_world(&next_checker, checker ? checker : s->checker, next, &error))
            give_up(g.name, error.message);
        graze_checker_free(checker);
        graze_world_free(world);
        checker = next_checker;
        world = next;
    }
    answers other = make_answers(s->rows);
    run_batch(checker, s->q, s->rows, 1, GRAZE_ANSWER_FIRST, &other);
    for (size_t row = 0; row < s->rows; row++) compare(s, VERSIONS, row, &other, row);
    free_answers(&other);
    graze_checker_free(checker);
    graze_world_free(world);
}

uint64_t metamorphic_robot(uint64_t rows, uint64_t seed) {
    relation relations[RELATION_COUNT] = {
        [THREADS] = {.name = "robot: 2, 3, 8 threads"},
        [NEIGHBOURS] = {.name = "robot: other neighbours in the batch"},
        [INSTRUCTIONS] = {.name = "robot: avx2, sse2, scalar"},
        [SINGLE] = {.name = "robot: one by one; any, first and all"},
        [POSED] = {.name = "robot: poses in place of q; any and first"},
        [OBJECTS] = {.name = "robot: objects in reverse order"},
        [CHECKERS] = {.name = "robot: loaded again"},
        [COMPILED] = {.name = "robot: compiled"},
        [VERSIONS] = {.name = "robot: objects moved away and back"},
    };
    gz_random random = gz_random_make(seed, 1);
    choose_instructions("");
    scene s = {.robot = test_robot_load("heron"), .world = load_world(), .relations = relations};
    s.width = graze_robot_q_size(s.robot);
    s.rows = rows;
    s.checker = make_checker(s.robot, s.world);
    draw_rows(&s, &random);
    answers first = make_answers(s.rows);
    run_batch(s.checker, s.q, s.rows, 1, GRAZE_ANSWER_FIRST, &first);
    s.verdicts = first.verdicts;
    s.contacts = first.contacts;
    try_threads(&s);
    try_neighbours(&s);
    try_instructions(&s);
    try_single(&s);
    try_posed(&s);
    try_objects(&s);
    try_others(&s, CHECKERS, test_robot_load("heron"), load_world());
    try_compiled(&s);
    try_versions(&s);
    free_answers(&first);
    free(s.q);
    graze_checker_free(s.checker);
    graze_world_free(s.world);
    graze_robot_free(s.robot);
    return relations_print(relations, RELATION_COUNT);
}
