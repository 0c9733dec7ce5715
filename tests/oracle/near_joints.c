// Two links of a robot, moved by one of its joints.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "near_contact.h"
#include "test_robot.h"

static const struct row {
    const char *name, *robot;
} rows[] = {
    {"joint: heron", "heron"},
    {"joint: fetch", "fetch"},
    {"joint: panda", "panda"},
    {"joint: ur5", "ur5"},
};

const char *near_joints_name(size_t row) {
    return row < sizeof rows / sizeof *rows ? rows[row].name : NULL;
}

typedef struct element {
    graze_geometry geometry;
    posed_mesh posed;
    fcl_mesh *fcl;
} element;

typedef struct joint_family {
    near_family family;
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_transform *links;
    element *elements; // in link order, then element order
    size_t element_count, width, capacity;
    graze_contact *contacts;
    size_t count; // contacts of the last check
    double *q;
    size_t column;
    int32_t a, b; // the links
    // The configurations since the last comparison with a batch, and what was said of them.
    double *rows;
    uint8_t *verdicts, *batch_verdicts;
    graze_contact *firsts, *batch_firsts;
    size_t row_count;
} joint_family;

enum { ROWS_MAX = 256 };

// What the oracle or graze found between the two links.
typedef struct found {
    bool overlap;
    int32_t elements[2];
    int64_t triangles[2];
} found;

static void load(joint_family *f, const char *name) {
    graze_error error;
    graze_checker_options options = graze_checker_options_default();
    options.policy = GRAZE_POLICY_SURFACE;
    if (graze_checker_create(&f->checker, f->robot, NULL, &options, &error) ||
        graze_workspace_create(&f->workspace, f->checker, &error))
        give_up(name, error.message);
    f->links = allocate(graze_robot_link_count(f->robot), sizeof *f->links);
    f->width = graze_robot_q_size(f->robot);
    f->q = allocate(f->width, sizeof *f->q);
    f->rows = allocate(ROWS_MAX * f->width, sizeof *f->rows);
    f->verdicts = allocate(ROWS_MAX, 1);
    f->batch_verdicts = allocate(ROWS_MAX, 1);
    f->firsts = allocate(ROWS_MAX, sizeof *f->firsts);
    f->batch_firsts = allocate(ROWS_MAX, sizeof *f->batch_firsts);
    f->capacity = graze_robot_pair_count(f->robot);
    f->contacts = allocate(f->capacity, sizeof *f->contacts);
    f->element_count = graze_robot_collision_count(f->robot);
    f->elements = allocate(f->element_count, sizeof *f->elements);
    for (size_t i = 0; i < f->element_count; i++) {
        element *e = &f->elements[i];
        if (graze_robot_collision(f->robot, i, &e->geometry)) give_up(name, "no geometry");
        const graze_geometry *g = &e->geometry;
        if (g->shape != GRAZE_SHAPE_MESH) continue;
        posed_mesh_init(&e->posed, g->vertices, g->vertex_count, g->triangles, g->triangle_count);
        e->fcl = fcl_mesh_create(g->vertices, g->vertex_count, g->triangles, g->triangle_count);
    }
}

static void unload(joint_family *f) {
    for (size_t i = 0; i < f->element_count; i++) {
        posed_mesh_clear(&f->elements[i].posed);
        if (f->elements[i].fcl) fcl_mesh_free(f->elements[i].fcl);
    }
    free(f->elements);
    free(f->links);
    free(f->q);
    free(f->contacts);
    free(f->rows);
    free(f->verdicts);
    free(f->batch_verdicts);
    free(f->firsts);
    free(f->batch_firsts);
    graze_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_robot_free(f->robot);
}

// ------------------------------------------------------------------------------- what graze says

static graze_verdict query(joint_family *f, graze_answer answer, graze_contact *contacts,
                           size_t capacity, size_t *count) {
    graze_report report = {.contacts = contacts, .capacity = capacity};
    graze_error error;
    if (graze_check(f->checker, f->workspace, answer, f->q, f->width, NULL, &report, &error))
        give_up("check", error.message);
    *count = report.count;
    return report.verdict;
}

static const graze_contact *contact_of_pair(const joint_family *f) {
    for (size_t i = 0; i < f->count; i++)
        if (f->contacts[i].link == f->a && f->contacts[i].other == f->b) return &f->contacts[i];
    return NULL;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->link == b->link && a->element == b->element && a->other == b->other &&
           a->other_element == b->other_element && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->contained == b->contained;
}

typedef struct explained {
    const joint_family *family;
    bool collides, exact;
} explained;

static bool explain_pair(const graze_explanation *e, void *user) {
    explained *out = user;
    if (e->kind != GRAZE_CONTACT_SELF || e->link != out->family->a || e->other != out->family->b)
        return true;
    out->collides = e->collides;
    out->exact = e->stats.exact_tests != 0;
    return false;
}

/// Asks for all pairs, the first, and any, and for an explanation; returns whether they agree.
static bool query_all_ways(joint_family *f, found *mine, bool *exact) {
    size_t count;
    graze_contact first;
    bool any = query(f, GRAZE_ANSWER_ANY, NULL, 0, &count) == GRAZE_COLLISION;
    bool has_first = query(f, GRAZE_ANSWER_FIRST, &first, 1, &count) == GRAZE_COLLISION;
    bool all = query(f, GRAZE_ANSWER_ALL, f->contacts, f->capacity, &f->count) == GRAZE_COLLISION;
    if (f->row_count < ROWS_MAX) {
        memcpy(f->rows + f->row_count * f->width, f->q, f->width * sizeof *f->q);
        f->verdicts[f->row_count] = all;
        f->firsts[f->row_count++] = first;
    }
    const graze_contact *c = contact_of_pair(f);
    *mine = (found){.overlap = c != NULL};
    if (c) *mine = (found){true, {c->element, c->other_element}, {c->triangle, c->other_triangle}};
    explained e = {.family = f};
    if (graze_check_explain(f->checker, f->workspace, f->q, f->width, NULL, explain_pair, &e, NULL))
        give_up("explain", "failed");
    *exact = e.exact;
    return any == all && has_first == all && all == (f->count != 0) &&
           (!all || same_contact(&first, &f->contacts[0])) && e.collides == mine->overlap &&
           !(c && c->contained);
}

/// The same configurations as a batch, which filters several at a time.
static void run_batch(joint_family *f, graze_answer answer, near_tally *tally) {
    graze_error error;
    graze_batch batch = graze_batch_default();
    batch.count = f->row_count;
    batch.q = f->rows;
    batch.answer = answer;
    batch.verdicts = f->batch_verdicts;
    batch.contacts = f->batch_firsts;
    if (graze_check_batch(f->checker, &batch, &error)) give_up("batch", error.message);
    for (size_t i = 0; i < f->row_count; i++) {
        bool hit = f->verdicts[i], compared = hit && answer == GRAZE_ANSWER_FIRST;
        if (f->batch_verdicts[i] == f->verdicts[i] &&
            (!compared || same_contact(&f->batch_firsts[i], &f->firsts[i])))
            continue;
        tally->violations++;
        printf("violation: a batch says %d, a check %d; q =", f->batch_verdicts[i], f->verdicts[i]);
        for (size_t k = 0; k < f->width; k++) printf(" %a", f->rows[i * f->width + k]);
        printf("\n");
    }
}

// -------------------------------------------------------------------------------- what is true

static element *elements_of(const joint_family *f, int32_t link, size_t *count) {
    size_t first = 0, end;
    while (first < f->element_count && f->elements[first].geometry.owner != link) first++;
    for (end = first; end < f->element_count && f->elements[end].geometry.owner == link;) end++;
    *count = end - first;
    return f->elements + first;
}

static void search(joint_family *f, found *truth, bool *fcl_overlap) {
    size_t a_count, b_count;
    element *a = elements_of(f, f->a, &a_count), *b = elements_of(f, f->b, &b_count);
    for (size_t i = 0; i < a_count; i++)
        posed_mesh_place(&a[i].posed, &f->links[a->geometry.frame]);
    for (size_t j = 0; j < b_count; j++)
        posed_mesh_place(&b[j].posed, &f->links[b->geometry.frame]);
    *truth = (found){.overlap = false};
    *fcl_overlap = false;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) {
            if (!truth->overlap &&
                posed_meshes_overlap(f->family.clip, &a[i].posed, &b[j].posed, truth->triangles)) {
                truth->overlap = true;
                truth->elements[0] = a[i].geometry.element;
                truth->elements[1] = b[j].geometry.element;
            }
            *fcl_overlap = *fcl_overlap ||
                           fcl_meshes_overlap(a[i].fcl, f->links[a->geometry.frame].m, b[j].fcl,
                                              f->links[b->geometry.frame].m);
        }
}

static void report(const joint_family *f, const found *mine, const found *truth, bool agree) {
    printf("violation: %s %s: graze %s %d %lld %d %lld%s, oracle %s %d %lld %d %lld; q =",
           graze_robot_link_name(f->robot, f->a), graze_robot_link_name(f->robot, f->b),
           mine->overlap ? "meet" : "apart", mine->elements[0], (long long)mine->triangles[0],
           mine->elements[1], (long long)mine->triangles[1],
           agree ? "" : " (its answers differ among themselves)", truth->overlap ? "meet" : "apart",
           truth->elements[0], (long long)truth->triangles[0], truth->elements[1],
           (long long)truth->triangles[1]);
    for (size_t i = 0; i < f->width; i++) printf(" %a", f->q[i]);
    printf("\n");
}

static bool evaluate(near_family *family, double x, near_tally *tally, bool *fcl_wrong) {
    joint_family *f = (joint_family *)family;
    f->q[f->column] = x;
    graze_error error;
    if (graze_robot_pose(f->robot, f->q, f->width, NULL, f->links, &error))
        give_up("pose", error.message);
    found truth, mine;
    bool fcl_overlap, exact;
    search(f, &truth, &fcl_overlap);
    bool agree = query_all_ways(f, &mine, &exact), good = agree && mine.overlap == truth.overlap;
    for (int k = 0; k < 2 && truth.overlap; k++)
        good = good && mine.elements[k] == truth.elements[k] &&
               mine.triangles[k] == truth.triangles[k];
    if (!good) report(f, &mine, &truth, agree);
    tally->poses++;
    tally->meeting += truth.overlap;
    tally->violations += !good;
    tally->exact += exact;
    *fcl_wrong = fcl_overlap != truth.overlap;
    return truth.overlap;
}

// ----------------------------------------------------------------------- where to look for both

static bool has_only_meshes(const joint_family *f, int32_t link) {
    size_t count;
    const element *e = elements_of(f, link, &count);
    for (size_t i = 0; i < count; i++)
        if (e[i].geometry.shape != GRAZE_SHAPE_MESH) return false;
    return true;
}

/// A random configuration in collision, one of its pairs, and a joint that parts it: f->q, f->a,
/// f->b, f->column and the joint's two values.
static bool draw(joint_family *f, gz_random *random, double *apart, double *meeting) {
    test_robot_draw(f->robot, random, f->q);
    if (query(f, GRAZE_ANSWER_ALL, f->contacts, f->capacity, &f->count) == GRAZE_FREE) return false;
    const graze_contact *c = &f->contacts[gz_random_below(random, (uint32_t)f->count)];
    f->a = c->link;
    f->b = c->other;
    if (!has_only_meshes(f, f->a) || !has_only_meshes(f, f->b)) return false;
    double *other = allocate(f->width, sizeof *other);
    bool parted = false;
    for (int i = 0; i < 24 && !parted; i++) {
        f->column = gz_random_below(random, (uint32_t)f->width);
        test_robot_draw(f->robot, random, other);
        *meeting = f->q[f->column];
        *apart = f->q[f->column] = other[f->column];
        query(f, GRAZE_ANSWER_ALL, f->contacts, f->capacity, &f->count);
        parted = contact_of_pair(f) == NULL;
        f->q[f->column] = *meeting;
    }
    free(other);
    return parted;
}

bool near_joints_run(size_t row, uint64_t poses, uint64_t seed, near_tally *tally) {
    joint_family f = {.family = {evaluate, NULL, false}, .robot = test_robot_load(rows[row].robot)};
    if (!f.robot) return false;
    load(&f, rows[row].robot);
    f.family.clip = rational_clip_create();
    gz_random random = gz_random_make(seed, 1000 + row);
    uint64_t tries = 0;
    while (tally->poses < poses) {
        double apart, meeting;
        if (draw(&f, &random, &apart, &meeting)) {
            near_bisect(&f.family, apart, meeting, tally);
            run_batch(&f, GRAZE_ANSWER_ANY, tally);
            run_batch(&f, GRAZE_ANSWER_FIRST, tally);
            f.row_count = 0;
        }
        if (++tries > 1000 + 100 * poses) give_up(rows[row].robot, "no pair found to part");
    }
    rational_clip_free(f.family.clip);
    unload(&f);
    return true;
}
