/// `graze plan --problems`: every problem of some files planned, and what became of them.
#ifndef GZ_CLI_PLAN_PROBLEM_TABLE_H
#define GZ_CLI_PLAN_PROBLEM_TABLE_H

#include "graze/plan.h"
#include "graze/problems.h"

/// Plans to the goals one after the other until there is a path; each gets an equal share of the
/// time that is left.
/// @param goals rows of graze_robot_q_size() numbers
/// @param found [out] the goal that was planned to last; NULL: not wanted
graze_status gz_plan_to_goals(const graze_checker *checker, const double *start,
                              const double *start_base, const double *goals, size_t goal_count,
                              const double *goal_base, const graze_plan_options *options,
                              graze_plan_result *result, size_t *found, graze_error *error);

/// Whether a plan failed at its start: another goal does not help.
bool gz_plan_fails_at_start(const graze_plan_result *result);

/// What outcomes are called in files.
extern const char *const gz_plan_outcome_names[];

typedef struct gz_problem_table {
    const graze_checker *checker; ///< of the robot without a world
    const double *base;           ///< of all starts and goals
    graze_plan_options plan;
    const char *file; ///< for a row of each problem; NULL: none
    bool json;        ///< of the rows; else CSV
} gz_problem_table;

/// Plans all problems of the sets, prints a table of their families on standard output, unless the
/// rows go there, and writes the rows. Returns an exit status: GZ_EXIT_FINDING where a problem has
/// no path.
int gz_problem_table_run(const gz_problem_table *table, graze_problems *const *sets,
                         size_t set_count);

#endif
