#include "golden_questions.h"

#include <stdlib.h>

#include "golden_hash.h"
#include "golden_stream.h"

#define ALL_CAPACITY 256

const golden_mode golden_modes[] = {
    {"any", GRAZE_LEVEL_MESH, GRAZE_POLICY_SOLID, 0, GRAZE_ANSWER_ANY},
    {"first", GRAZE_LEVEL_MESH, GRAZE_POLICY_SOLID, 0, GRAZE_ANSWER_FIRST},
    {"all", GRAZE_LEVEL_MESH, GRAZE_POLICY_SOLID, 0, GRAZE_ANSWER_ALL},
    {"surface", GRAZE_LEVEL_MESH, GRAZE_POLICY_SURFACE, 0, GRAZE_ANSWER_FIRST},
    {"cap", GRAZE_LEVEL_MESH, GRAZE_POLICY_CAP, 0, GRAZE_ANSWER_FIRST},
    {"margin", GRAZE_LEVEL_MESH, GRAZE_POLICY_SOLID, 0.03, GRAZE_ANSWER_FIRST},
    {"bounds", GRAZE_LEVEL_BOUNDS, GRAZE_POLICY_SOLID, 0, GRAZE_ANSWER_ANY},
};
const size_t golden_mode_count = sizeof golden_modes / sizeof *golden_modes;

// ----------------------------------------------------------------------------- configurations

double golden_draw_inside(const graze_robot *robot, size_t column, gz_random *random) {
    graze_joint_info joint;
    if (graze_robot_joint(robot, graze_robot_q_joint(robot, column), &joint))
        golden_give_up("joint", "none");
    return joint.limited ? gz_random_range(random, joint.lower, joint.upper)
                         : gz_random_range(random, -3.25, 3.25);
}

/// Four kinds in turn: in the limits at the origin; in them, the base near the origin and askew;
/// far out of them, many turns; in them, the base far away, every 16th row beyond what is allowed.
/// Only products and sums: the rows themselves are the same everywhere.
static void draw_row(const graze_robot *robot, size_t i, uint64_t seed, double *q, double *base) {
    static const double distances[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    gz_random random = gz_random_make(seed, i);
    size_t kind = i % 4;
    for (size_t k = 0; k < graze_robot_q_size(robot); k++)
        q[k] = kind == 2 ? gz_random_range(&random, -500, 500)
                         : golden_draw_inside(robot, k, &random);
    double far = kind == 3 ? distances[gz_random_below(&random, 7)] : kind == 0 ? 0 : 0.75;
    if (i % 64 == 63) far = 0x1p21;
    for (int k = 0; k < 3; k++) base[k] = far * gz_random_range(&random, -1, 1);
    // Most robots stand upright; the second kind leans a little, the fourth lies as it likes.
    double lean = kind == 1 ? 0.25 : kind == 3 ? 3.25 : 0;
    for (int k = 3; k < 6; k++)
        base[k] = (k == 5 && kind ? 3.25 : lean) * gz_random_range(&random, -1, 1);
    if (kind == 1) base[2] *= 0.125;
    if (kind == 2) base[2] = 0;
}

void golden_rows_make(golden_rows *rows, const graze_robot *robot, size_t count, uint64_t seed) {
    size_t q_size = graze_robot_q_size(robot);
    *rows = (golden_rows){.robot = robot, .count = count, .q_size = q_size};
    rows->q = golden_allocate(count * q_size, sizeof(double));
    rows->base = golden_allocate(count * 6, sizeof(double));
    for (size_t i = 0; i < count; i++)
        draw_row(robot, i, seed, rows->q + i * q_size, rows->base + 6 * i);
}

void golden_rows_free(golden_rows *rows) {
    free(rows->q);
    free(rows->base);
}

uint64_t golden_poses(const golden_rows *rows) {
    uint64_t hash = GOLDEN_HASH_START;
    size_t links = graze_robot_link_count(rows->robot);
    graze_transform *poses = golden_allocate(links, sizeof *poses);
    for (size_t i = 0; i < rows->count; i++) {
        graze_status status = graze_robot_pose(rows->robot, rows->q + i * rows->q_size,
                                               rows->q_size, rows->base + 6 * i, poses, NULL);
        golden_hash_integer(&hash, (uint64_t)status);
        if (status != GRAZE_OK) continue;
        for (size_t link = 0; link < links; link++)
            for (int k = 0; k < 12; k++) golden_hash_double(&hash, poses[link].m[k]);
    }
    free(poses);
    return hash;
}

// ----------------------------------------------------------------------------------- verdicts

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    uint64_t hash_a = GOLDEN_HASH_START, hash_b = GOLDEN_HASH_START;
    golden_hash_contact(&hash_a, a);
    golden_hash_contact(&hash_b, b);
    return hash_a == hash_b;
}

/// A batch. Each row's verdict is the hash's; its contact where the first was asked for (which pair
/// the answer `any` names is not promised).
static graze_status run_batch(const golden_rows *rows, const graze_checker *checker,
                              graze_answer answer, uint32_t threads, uint8_t *verdicts,
                              graze_contact *contacts, graze_error *error) {
    graze_batch batch = graze_batch_default();
    batch.threads = threads;
    batch.count = rows->count;
    batch.q = rows->q;
    batch.base = rows->base;
    batch.answer = answer;
    batch.verdicts = verdicts;
    batch.contacts = contacts;
    return graze_check_batch(checker, &batch, error);
}

static void hash_batch(uint64_t *hash, const golden_rows *rows, graze_answer answer,
                       graze_status status, const graze_error *error, const uint8_t *verdicts,
                       const graze_contact *contacts) {
    golden_hash_integer(hash, (uint64_t)status);
    for (const char *c = status == GRAZE_OK ? "" : error->message; *c; c++)
        golden_hash_integer(hash, (unsigned char)*c);
    for (size_t i = 0; i < rows->count; i++) {
        golden_hash_integer(hash, verdicts[i]);
        if (answer == GRAZE_ANSWER_FIRST && verdicts[i] == GRAZE_COLLISION)
            golden_hash_contact(hash, &contacts[i]);
    }
}

/// Each row by itself: every contact, every joint outside its limits. The verdicts must be those of
/// the batch, whose contact, the first, must be among them.
static void hash_all(uint64_t *hash, const golden_rows *rows, const graze_checker *checker,
                     const uint8_t *verdicts, const graze_contact *first, uint64_t *violations) {
    graze_workspace *workspace;
    graze_error error;
    if (graze_workspace_create(&workspace, checker, &error))
        golden_give_up("workspace", error.message);
    graze_contact *contacts = golden_allocate(ALL_CAPACITY, sizeof *contacts);
    int32_t violated[64];
    for (size_t i = 0; i < rows->count; i++) {
        graze_report report = {.contacts = contacts,
                               .capacity = ALL_CAPACITY,
                               .violated = violated,
                               .violated_capacity = 64};
        graze_status status = graze_check(checker, workspace, GRAZE_ANSWER_ALL,
                                          rows->q + i * rows->q_size, rows->q_size,
                                          rows->base + 6 * i, &report, NULL);
        golden_hash_integer(hash, (uint64_t)status);
        golden_hash_integer(hash, (uint64_t)report.verdict);
        *violations += report.verdict != verdicts[i];
        if (status != GRAZE_OK) continue;
        golden_hash_integer(hash, report.count);
        bool among = report.verdict != GRAZE_COLLISION || report.truncated;
        for (size_t k = 0; k < report.count && k < report.capacity; k++) {
            golden_hash_contact(hash, &contacts[k]);
            among |= same_contact(&contacts[k], &first[i]);
        }
        *violations += !among;
        golden_hash_integer(hash, report.violated_count);
        for (size_t k = 0; k < report.violated_count && k < 64; k++)
            golden_hash_integer(hash, (uint64_t)violated[k]);
    }
    free(contacts);
    graze_workspace_free(workspace);
}

uint64_t golden_verdicts(const golden_rows *rows, const graze_world *world, const golden_mode *mode,
                         uint32_t threads, uint64_t *collisions, uint64_t *violations) {
    graze_checker_options options = graze_checker_options_default();
    options.level = mode->level;
    options.policy = mode->policy;
    if (mode->margin > 0) options.margin = mode->margin;
    graze_checker *checker;
    graze_error error;
    uint64_t hash = GOLDEN_HASH_START;
    graze_status status = graze_checker_create(&checker, rows->robot, world, &options, &error);
    golden_hash_integer(&hash, (uint64_t)status);
    if (status != GRAZE_OK) golden_give_up("checker", error.message);
    golden_hash_double(&hash, graze_checker_epsilon(checker));
    uint8_t *verdicts = golden_allocate(rows->count, 1);
    graze_contact *contacts = golden_allocate(rows->count, sizeof *contacts);
    graze_answer answer = mode->answer == GRAZE_ANSWER_ALL ? GRAZE_ANSWER_FIRST : mode->answer;
    status = run_batch(rows, checker, answer, threads, verdicts, contacts, &error);
    if (mode->answer == GRAZE_ANSWER_ALL)
        hash_all(&hash, rows, checker, verdicts, contacts, violations);
    else
        hash_batch(&hash, rows, answer, status, &error, verdicts, contacts);
    for (size_t i = 0; i < rows->count; i++) *collisions += verdicts[i] == GRAZE_COLLISION;
    free(verdicts);
    free(contacts);
    graze_checker_free(checker);
    return hash;
}
