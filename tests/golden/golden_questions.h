/// The questions that golden asks of one robot in one world, each answered by a hash.
#ifndef GRAZE_TESTS_GOLDEN_QUESTIONS_H
#define GRAZE_TESTS_GOLDEN_QUESTIONS_H

#include "base/random.h"
#include "graze/plan.h"

/// The configurations of one robot: row i depends on the robot and on i alone.
typedef struct golden_rows {
    const graze_robot *robot;
    size_t count, q_size;
    double *q;    ///< count rows of q_size
    double *base; ///< count rows of 6
} golden_rows;

void golden_rows_make(golden_rows *rows, const graze_robot *robot, size_t count, uint64_t seed);
void golden_rows_free(golden_rows *rows);

/// A value for a column of q: within the limits; where there are none, a turn either way.
double golden_draw_inside(const graze_robot *robot, size_t column, gz_random *random);

/// Every field of a contact.
void golden_hash_contact(uint64_t *hash, const graze_contact *contact);

/// What the hashes are of.
typedef struct golden_mode {
    const char *name;
    graze_level level;
    graze_policy policy;
    double margin; ///< 0: none
    graze_answer answer;
} golden_mode;

extern const golden_mode golden_modes[];
extern const size_t golden_mode_count;

/// The bits of every link pose, and the status, of each row.
uint64_t golden_poses(const golden_rows *rows);
/// Verdicts and what each answer says, on so many threads. Adds to *collisions, and to *violations
/// each row where two ways to ask disagree.
uint64_t golden_verdicts(const golden_rows *rows, const graze_world *world, const golden_mode *mode,
                         uint32_t threads, uint64_t *collisions, uint64_t *violations);
/// So many ways from a free to a colliding configuration, each to the last bit before contact (or
/// before the margin, above 0). Adds its checks to *queries.
uint64_t golden_touches(const graze_robot *robot, const graze_world *world, double margin,
                        size_t count, uint64_t seed, uint64_t *queries);
/// So many plans of a fixed number of iterations between free configurations. Adds to *found.
uint64_t golden_plans(const graze_robot *robot, const graze_world *world, size_t count,
                      uint64_t seed, uint32_t threads, uint64_t *found);

#endif
