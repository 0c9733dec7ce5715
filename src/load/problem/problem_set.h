/// What the readers of planning problems share.
#ifndef GZ_LOAD_PROBLEM_PROBLEM_SET_H
#define GZ_LOAD_PROBLEM_PROBLEM_SET_H

#include "graze/problems.h"
#include "load/document/document.h"

/// A problem of a set; all of it is the set's. A set that is being read may have unfinished ones.
typedef struct gz_problem {
    char *name;
    size_t family_length;
    graze_world *world;
    double *rows; ///< the start, then the goals
    size_t goal_count, column_count;
    int32_t *columns;   ///< as many as a row has numbers may stand there
    int32_t vamp_valid; ///< 1, 0, or -1: unknown
} gz_problem;

/// One load in progress.
typedef struct gz_problem_reader {
    struct graze_problems *set;
    const graze_robot *robot;
    size_t width; ///< of a row
    const char *path;
    const graze_load_options *options;
    graze_error *error;
} gz_problem_reader;

/// Appends a problem "family/name" with so many goals: no columns, all rows at rest, a world that
/// is not committed.
graze_status gz_problem_add(gz_problem_reader *r, const char *family, const char *name,
                            size_t goal_count, gz_problem **out);

static inline double *gz_problem_goal(const gz_problem_reader *r, const gz_problem *p, size_t i) {
    return p->rows + (1 + i) * r->width;
}

/// Puts a joint's number into the first `count` rows: one that does not move, and one that follows
/// another, is passed over.
/// @param value where errors are
graze_status gz_problem_place_joint(const gz_problem_reader *r, const gz_document *document,
                                    const gz_value *value, const char *name, double number,
                                    gz_problem *p, size_t count);

graze_status gz_problems_read_json(gz_problem_reader *r);
graze_status gz_problems_read_folder(gz_problem_reader *r);

#endif
