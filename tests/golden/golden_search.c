// Questions that need more than one configuration at a time: the last one before contact, and
// plans.
#include <math.h>
#include <stdlib.h>

#include "golden_hash.h"
#include "golden_questions.h"
#include "golden_stream.h"

static void hash_point(uint64_t *hash, graze_vec3 p) {
    golden_hash_double(hash, p.x);
    golden_hash_double(hash, p.y);
    golden_hash_double(hash, p.z);
}

void golden_hash_contact(uint64_t *hash, const graze_contact *contact) {
    golden_hash_integer(hash, (uint64_t)contact->kind);
    golden_hash_integer(hash, (uint64_t)contact->link);
    golden_hash_integer(hash, (uint64_t)contact->element);
    golden_hash_integer(hash, (uint64_t)contact->other);
    golden_hash_integer(hash, (uint64_t)contact->other_element);
    golden_hash_integer(hash, (uint64_t)contact->contained);
    golden_hash_integer(hash, (uint64_t)contact->triangle);
    golden_hash_integer(hash, (uint64_t)contact->other_triangle);
    golden_hash_integer(hash, (uint64_t)contact->has_segment);
    if (contact->has_segment) {
        hash_point(hash, contact->segment[0]);
        hash_point(hash, contact->segment[1]);
    }
    hash_point(hash, contact->point);
}

/// A configuration within the limits of which the checker says `wanted`, with the base as given;
/// false when 100 draws gave none.
static bool draw(const graze_checker *checker, graze_workspace *workspace, gz_random *random,
                 const double base[6], graze_verdict wanted, double *q) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t size = graze_robot_q_size(robot);
    for (int attempt = 0; attempt < 100; attempt++) {
        for (size_t k = 0; k < size; k++) q[k] = golden_draw_inside(robot, k, random);
        graze_report report = {.verdict = GRAZE_UNKNOWN};
        if (graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, size, base, &report, NULL) ==
                GRAZE_OK &&
            report.verdict == wanted)
            return true;
    }
    return false;
}

// -------------------------------------------------------------------------------------- touch

/// Halves the way from a free to a colliding configuration until no number is left between: where
/// the verdict changes, to the last bit, and what touches there. Returns the number of checks.
static uint64_t one_touch(uint64_t *hash, const graze_checker *checker, graze_workspace *workspace,
                          const double *free_q, const double *hit_q, double *q) {
    size_t size = graze_robot_q_size(graze_checker_robot(checker));
    double low = 0, high = 1;
    uint64_t checks = 0;
    graze_contact contact = {0};
    for (;;) {
        double middle = 0.5 * (low + high);
        bool end = middle <= low || middle >= high || checks == 64;
        if (end) middle = high;
        for (size_t k = 0; k < size; k++) q[k] = free_q[k] + middle * (hit_q[k] - free_q[k]);
        graze_report report = {.contacts = &contact, .capacity = 1};
        graze_status status = graze_check(checker, workspace, GRAZE_ANSWER_FIRST, q, size, NULL,
                                          &report, NULL);
        golden_hash_integer(hash, (uint64_t)status);
        checks++;
        if (end) {
            golden_hash_double(hash, middle);
            golden_hash_integer(hash, (uint64_t)report.verdict);
            if (report.verdict == GRAZE_COLLISION) golden_hash_contact(hash, &contact);
            return checks;
        }
        *(report.verdict == GRAZE_FREE ? &low : &high) = middle;
    }
}

uint64_t golden_touches(const graze_robot *robot, const graze_world *world, double margin,
                        size_t count, uint64_t seed, uint64_t *queries) {
    uint64_t hash = GOLDEN_HASH_START;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_error error;
    graze_checker_options options = graze_checker_options_default();
    if (margin > 0) options.margin = margin;
    if (graze_checker_create(&checker, robot, world, &options, &error) ||
        graze_workspace_create(&workspace, checker, &error))
        golden_give_up("checker", error.message);
    size_t size = graze_robot_q_size(robot);
    double *q = golden_allocate(3 * size, sizeof *q);
    const double base[6] = {0};
    for (size_t i = 0; i < count; i++) {
        gz_random random = gz_random_make(seed, i);
        if (draw(checker, workspace, &random, base, GRAZE_FREE, q) &&
            draw(checker, workspace, &random, base, GRAZE_COLLISION, q + size))
            *queries += one_touch(&hash, checker, workspace, q, q + size, q + 2 * size);
        else
            golden_hash_integer(&hash, UINT64_MAX);
    }
    free(q);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    return hash;
}

// -------------------------------------------------------------------------------------- plans

static void hash_plan(uint64_t *hash, const graze_plan_result *result, size_t q_size) {
    golden_hash_integer(hash, (uint64_t)result->outcome);
    golden_hash_integer(hash, result->iterations);
    golden_hash_integer(hash, result->configurations_checked);
    golden_hash_integer(hash, result->edges_checked);
    golden_hash_integer(hash, result->tree_size[0]);
    golden_hash_integer(hash, result->tree_size[1]);
    if (!result->path) return;
    golden_hash_double(hash, result->length_raw);
    golden_hash_double(hash, result->length);
    golden_hash_integer(hash, graze_path_count(result->path));
    for (size_t i = 0; i < graze_path_count(result->path); i++) {
        for (size_t k = 0; k < q_size; k++)
            golden_hash_double(hash, graze_path_q(result->path, i)[k]);
        for (size_t k = 0; k < 6; k++)
            golden_hash_double(hash, graze_path_base(result->path, i)[k]);
    }
}

/// Every other plan moves the base, too.
static void one_plan(uint64_t *hash, const graze_checker *checker, graze_workspace *workspace,
                     size_t index, uint64_t seed, uint32_t threads, uint64_t *found) {
    size_t size = graze_robot_q_size(graze_checker_robot(checker));
    gz_random random = gz_random_make(seed, index);
    double start_base[6] = {0}, goal_base[6] = {0};
    if (index % 2) {
        goal_base[0] = gz_random_range(&random, -0.25, 0.25);
        goal_base[1] = gz_random_range(&random, -0.25, 0.25);
        goal_base[5] = gz_random_range(&random, -1, 1);
    }
    double *start = golden_allocate(2 * size, sizeof *start), *goal = start + size;
    graze_plan_options options = graze_plan_options_default();
    options.planar_base = index % 2;
    options.resolution = 0.0625;
    options.seed = seed + index;
    options.max_iterations = 20;
    options.max_seconds = INFINITY;
    options.shortcut_rounds = 10;
    options.recheck = 2;
    options.threads = threads;
    graze_plan_result result;
    graze_error error;
    if (!draw(checker, workspace, &random, start_base, GRAZE_FREE, start) ||
        !draw(checker, workspace, &random, goal_base, GRAZE_FREE, goal)) {
        golden_hash_integer(hash, UINT64_MAX);
    } else if (graze_plan(checker, start, start_base, goal, goal_base, &options, &result, &error)) {
        golden_give_up("plan", error.message);
    } else {
        hash_plan(hash, &result, size);
        *found += result.outcome == GRAZE_PLAN_FOUND;
        graze_path_free(result.path);
    }
    free(start);
}

uint64_t golden_plans(const graze_robot *robot, const graze_world *world, size_t count,
                      uint64_t seed, uint32_t threads, uint64_t *found) {
    uint64_t hash = GOLDEN_HASH_START;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_error error;
    if (graze_checker_create(&checker, robot, world, NULL, &error) ||
        graze_workspace_create(&workspace, checker, &error))
        golden_give_up("checker", error.message);
    for (size_t i = 0; i < count; i++) one_plan(&hash, checker, workspace, i, seed, threads, found);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    return hash;
}
