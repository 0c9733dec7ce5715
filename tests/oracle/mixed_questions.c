// Every way to ask: each instruction set, compiled, after a change of the world; one configuration
// at a time with a fresh workspace and a used one, and batches of 1 and 3 threads with neighbours
// in another order. Each answer is held against the truth, and all against each other.

#include <stdio.h>

#include "compiled_twin.h"
#include "mixed.h"

enum { SCALAR, SSE2, AVX2, COMPILED, CHANGED, SETS };
enum { ANSWERS = 4, ROUNDS = 5 };

static const char *const set_names[SETS] = {"scalar", "sse2", "avx2", "compiled", "changed"};
static const char *const answer_names[ANSWERS] = {"any", "first", "all", "pair"};

/// A checker, and what it is made of.
typedef struct asked {
    graze_robot *robot; ///< NULL: the scene's
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
} asked;

/// What was said of a row: by the first set, and then compared.
typedef struct told {
    graze_verdict verdict;
    size_t count;
    graze_contact *contacts; ///< of all, one for each pair
} told;

typedef struct questions {
    const mixed_scene *scene;
    const mixed_truth *truth;
    const mixed_rows *rows;
    gz_random *random;
    const char *where;
    mixed_tally *tally;
    uint64_t violations;
    asked sets[SETS];
    told *told;
    graze_contact *contacts,
        *found; ///< space for all rows' contacts; for one row's
} questions;

static void complain(questions *q, const char *set, const char *way, size_t row, const char *what) {
    if (q->violations++ > 1) return; // the table counts them all
    printf("violation: %s, row %zu: %s, %s: %s\n", q->where, row, set, way, what);
}

// ---------------------------------------------------------------------------------------- checkers

static void make_checker(asked *a, const questions *q, const char *instructions) {
    graze_error error;
    if (setenv("GRAZE_ISA", instructions, 1)) give_up("mixed", "no environment");
    if (graze_checker_create(&a->checker, a->robot ? a->robot : q->scene->robot,
                             a->world ? a->world : q->scene->world, &q->scene->options, &error) ||
        graze_workspace_create(&a->workspace, a->checker, &error))
        give_up("checker", error.message);
    setenv("GRAZE_ISA", "", 1);
}

static void make_compiled(asked *a, const questions *q) {
    compiled_twin(q->scene->robot, q->scene->world, &a->robot, &a->world);
    make_checker(a, q, "");
}

/// A checker of the world before, carried over.
static void make_changed(asked *a, const questions *q) {
    graze_error error;
    graze_checker *before;
    if (graze_checker_create(&before, q->scene->robot, q->scene->before, &q->scene->options,
                             &error) ||
        graze_checker_with_world(&a->checker, before, q->scene->world, &error) ||
        graze_workspace_create(&a->workspace, a->checker, &error))
        give_up("changed", error.message);
    graze_checker_free(before);
}

static void make_sets(questions *q) {
    for (int set = SCALAR; set <= AVX2; set++) make_checker(&q->sets[set], q, set_names[set]);
    if (gz_random_below(q->random, 8) == 0) make_compiled(&q->sets[COMPILED], q);
    if (q->scene->before) make_changed(&q->sets[CHANGED], q);
}

static void clear_sets(questions *q) {
    for (int set = 0; set < SETS; set++) {
        asked *a = &q->sets[set];
        graze_workspace_free(a->workspace);
        graze_checker_free(a->checker);
        graze_robot_free(a->robot);
        graze_world_free(a->world);
    }
}

// ----------------------------------------------------------------------------------- against truth

/// The place of a contact's pair in check order, or pair_count.
static size_t find_pair(const mixed_truth *t, const graze_contact *c) {
    size_t i = 0;
    while (i < t->pair_count &&
           !(t->pairs[i].rules.link == c->link && t->pairs[i].rules.other == c->other &&
             t->pairs[i].rules.is_world == (c->kind == GRAZE_CONTACT_WORLD)))
        i++;
    return i;
}

static bool has_one_element(const mixed_pair *p) {
    return p->end[0] - p->first[0] == 1 && p->end[1] - p->first[1] == 1;
}

static void check_contacts(questions *q, const char *set, const char *way, graze_answer answer,
                           size_t row, const graze_contact *contacts, size_t count) {
    const mixed_truth *t = q->truth;
    const mixed_state *states = q->rows->states + row * t->pair_count;
    size_t next = 0; // pairs below are accounted for
    for (size_t i = 0; i < count; i++) {
        size_t pair = find_pair(t, &contacts[i]);
        if (pair == t->pair_count || states[pair] == MIXED_APART) {
            complain(q, set, way, row, "a contact of a pair that is apart");
            return;
        }
        for (size_t k = next; answer != GRAZE_ANSWER_ANY && k < pair; k++)
            if (states[k] == MIXED_MEETING) complain(q, set, way, row, "a pair is left out");
        next = pair + 1;
        mixed_inside inside = q->rows->inside[row * t->pair_count + pair];
        if ((answer == GRAZE_ANSWER_FIRST || answer == GRAZE_ANSWER_ALL) &&
            states[pair] == MIXED_MEETING && has_one_element(&t->pairs[pair]) &&
            inside != MIXED_MET_OR_INSIDE && contacts[i].contained != (inside == MIXED_INSIDE))
            complain(q, set, way, row, inside == MIXED_INSIDE ? "not contained" : "contained");
    }
    for (size_t k = next; answer == GRAZE_ANSWER_ALL && k < t->pair_count; k++)
        if (states[k] == MIXED_MEETING) complain(q, set, way, row, "a pair is left out");
}

static void check_verdict(questions *q, const char *set, const char *way, size_t row,
                          graze_verdict verdict) {
    const mixed_truth *t = q->truth;
    mixed_state state = MIXED_APART;
    for (size_t i = 0; i < t->pair_count; i++) {
        mixed_state of_pair = q->rows->states[row * t->pair_count + i];
        state = of_pair > state ? of_pair : state;
    }
    if (state == MIXED_MEETING && verdict != GRAZE_COLLISION) complain(q, set, way, row, "FREE");
    if (state == MIXED_APART && verdict != GRAZE_FREE) complain(q, set, way, row, "COLLISION");
    if (verdict != q->told[row].verdict) complain(q, set, way, row, "another verdict than others");
}

// ------------------------------------------------------------------------------ against each other

static bool same_point(const graze_vec3 *a, const graze_vec3 *b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/// By name only, as far as GRAZE_ANSWER_PAIR goes.
static bool same_pair(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return same_pair(a, b) && a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           same_point(&a->point, &b->point) &&
           (!a->has_segment || (same_point(&a->segment[0], &b->segment[0]) &&
                                same_point(&a->segment[1], &b->segment[1])));
}

static void compare(questions *q, const char *set, const char *way, graze_answer answer, size_t row,
                    const graze_contact *contacts, size_t count) {
    const told *t = &q->told[row];
    bool good = true;
    if (answer == GRAZE_ANSWER_ALL) good = count == t->count;
    for (size_t i = 0; good && answer != GRAZE_ANSWER_ANY && i < count && i < t->count; i++)
        good = answer == GRAZE_ANSWER_PAIR ? same_pair(&contacts[i], &t->contacts[i])
                                           : same_contact(&contacts[i], &t->contacts[i]);
    if (!good) complain(q, set, way, row, "another contact than others");
}

// -------------------------------------------------------------------------------------------- ways

/// False where the engine gives an error.
static bool query_one(questions *q, int set, graze_workspace *workspace, graze_answer answer,
                      size_t row, graze_report *report) {
    size_t width = q->scene->width;
    report->contacts = q->found;
    report->capacity = q->truth->pair_count + 1;
    graze_error error;
    if (graze_check(q->sets[set].checker, workspace, answer, q->rows->q + row * width, width,
                    q->rows->base + 6 * row, report, &error) == GRAZE_OK)
        return true;
    complain(q, set_names[set], answer_names[answer], row, error.message);
    return false;
}

/// The scalar code asked for all pairs is what the others are compared with.
static void run_reference(questions *q) {
    q->told = allocate(q->rows->count, sizeof *q->told);
    q->contacts = allocate(q->rows->count * (q->truth->pair_count + 1), sizeof *q->contacts);
    q->found = allocate(q->truth->pair_count + 1, sizeof *q->found);
    for (size_t row = 0; row < q->rows->count; row++) {
        graze_report report = {0};
        told *t = &q->told[row];
        t->contacts = q->contacts + row * (q->truth->pair_count + 1);
        if (!query_one(q, SCALAR, q->sets[SCALAR].workspace, GRAZE_ANSWER_ALL, row, &report))
            continue;
        t->verdict = report.verdict;
        t->count = report.count;
        memcpy(t->contacts, q->found, report.count * sizeof *q->found);
    }
}

static void run_singles(questions *q, int set, bool fresh) {
    for (size_t row = 0; row < q->rows->count; row++)
        for (int answer = 0; answer < ANSWERS; answer++) {
            graze_workspace *workspace = q->sets[set].workspace;
            graze_report report = {0};
            graze_error error;
            char way[32];
            if (fresh && graze_workspace_create(&workspace, q->sets[set].checker, &error))
                give_up("workspace", error.message);
            snprintf(way, sizeof way, "one %s%s", answer_names[answer], fresh ? ", fresh" : "");
            if (query_one(q, set, workspace, (graze_answer)answer, row, &report)) {
                check_verdict(q, set_names[set], way, row, report.verdict);
                check_contacts(q, set_names[set], way, (graze_answer)answer, row, q->found,
                               report.count);
                compare(q, set_names[set], way, (graze_answer)answer, row, q->found, report.count);
            }
            if (fresh) graze_workspace_free(workspace);
        }
}

/// Every row, in order and then drawn, so that rows have other neighbours and chunks.
static void run_batch(questions *q, int set, graze_answer answer, uint32_t threads) {
    size_t count = ROUNDS * q->rows->count, width = q->scene->width;
    size_t *rows = allocate(count, sizeof *rows);
    double *values = allocate(count * width, sizeof *values),
           *base = allocate(6 * count, sizeof *base);
    uint8_t *verdicts = allocate(count, 1);
    graze_contact *contacts = allocate(count, sizeof *contacts);
    for (size_t i = 0; i < count; i++) {
        rows[i] = i < q->rows->count ? i : gz_random_below(q->random, (uint32_t)q->rows->count);
        memcpy(values + i * width, q->rows->q + rows[i] * width, width * sizeof *values);
        memcpy(base + 6 * i, q->rows->base + 6 * rows[i], 6 * sizeof *base);
    }
    graze_stats stats = {0};
    graze_error error;
    graze_batch batch = graze_batch_default();
    batch.threads = threads;
    batch.count = count;
    batch.q = values;
    batch.base = base;
    batch.answer = answer;
    batch.verdicts = verdicts;
    batch.contacts = answer == GRAZE_ANSWER_ANY && threads == 1 ? NULL : contacts;
    batch.stats = &stats;
    char way[48];
    snprintf(way, sizeof way, "batch %s, %u threads", answer_names[answer], threads);
    if (graze_check_batch(q->sets[set].checker, &batch, &error))
        complain(q, set_names[set], way, 0, error.message);
    for (size_t i = 0; i < count; i++) {
        check_verdict(q, set_names[set], way, rows[i], (graze_verdict)verdicts[i]);
        if (verdicts[i] != GRAZE_COLLISION || !batch.contacts) continue;
        check_contacts(q, set_names[set], way, answer, rows[i], &contacts[i], 1);
        compare(q, set_names[set], way, answer, rows[i], &contacts[i], 1);
    }
    if (set == AVX2 && answer == GRAZE_ANSWER_ANY && threads == 1) {
        q->tally->lanes += stats.lane_rejects;
        q->tally->apart += stats.proxy_rejects;
        q->tally->meeting += stats.proxy_hits;
    }
    free(rows);
    free(values);
    free(base);
    free(verdicts);
    free(contacts);
}

static void count_rows(questions *q) {
    size_t pairs = q->truth->pair_count;
    for (size_t row = 0; row < q->rows->count; row++) {
        bool meeting = false, contained = false, either = false;
        for (size_t i = 0; i < pairs; i++) {
            mixed_state state = q->rows->states[row * pairs + i];
            meeting |= state == MIXED_MEETING;
            either |= state == MIXED_EITHER;
            contained |= q->rows->inside[row * pairs + i] == MIXED_INSIDE;
        }
        q->tally->rows++;
        q->tally->collide += meeting;
        q->tally->contained += contained;
        q->tally->either += either && !meeting;
    }
    q->tally->caps += q->truth->by_caps;
}

void mixed_questions_run(const mixed_scene *scene, const mixed_truth *truth, const mixed_rows *rows,
                         gz_random *random, const char *where, mixed_tally *tally) {
    questions q = {scene, truth, rows, random, where, tally, 0, {{0}}, NULL, NULL, NULL};
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_PAIR};
    make_sets(&q);
    run_reference(&q);
    count_rows(&q);
    for (int set = 0; set < SETS; set++) {
        if (!q.sets[set].checker) continue;
        run_singles(&q, set, false);
        if (gz_random_below(random, 8) == 0) run_singles(&q, set, true);
        for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
            run_batch(&q, set, answers[i], 1);
            if (set == AVX2) run_batch(&q, set, answers[i], 3);
        }
    }
    tally->violations += q.violations;
    clear_sets(&q);
    free(q.told);
    free(q.contacts);
    free(q.found);
}
