/// @file problems.h
/// Sets of planning problems from files: a world, a start and goals for each, in families, as
/// benchmarks of planners keep them.
#ifndef GRAZE_PROBLEMS_H
#define GRAZE_PROBLEMS_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Planning problems of one robot. Immutable: threads may share it. Free with
/// graze_problems_free().
typedef struct graze_problems graze_problems;

/// One problem. What it points to is the set's.
typedef struct graze_problem {
    const char *name;         ///< "family/number"
    size_t family_length;     ///< bytes of `name` in front of the slash
    const graze_world *world; ///< committed
    const double *start;      ///< one row of graze_robot_q_size() numbers
    const double *goals;      ///< goal_count such rows
    size_t goal_count;        ///< at least 1
    const int32_t *columns;   ///< columns of q that are planned: graze_plan_options.columns
    size_t column_count;
    int32_t vamp_valid; ///< whether VAMP calls start and goal free, as the file says: 1 or 0; -1:
                        ///< it says nothing
} graze_problem;

/// Reads problems. `path` is one of
/// - a JSON file of format "mbm-1": the joints that are planned, and families of problems with
///   start, goals, other joints, and objects (boxes, spheres, cylinders in the frame of the robot's
///   root, metres, quaternions x y z w), and what VAMP says of start and goal (vamp_valid);
/// - a folder as MotionBenchMaker writes it (Chamzas et al., RA-L 2022): a family of that name, of
///   MoveIt's messages in YAML: requestNNNN.yaml (a MotionPlanRequest, whose goals are constraints
///   of joints) beside sceneNNNN.yaml (a PlanningScene).
///
/// Joints that neither start nor goal names are at graze_robot_rest(). Which pairs may touch is a
/// matter of the checker, not of these files: matrices of allowed collisions in them are not read.
/// @param out     [out] NULL on failure; free with graze_problems_free()
/// @param robot   it need not live on
/// @param options NULL: the defaults; of those for worlds and their meshes all count
/// @return GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NOT_FOUND, GRAZE_ERROR_IO, GRAZE_ERROR_PARSE,
///         GRAZE_ERROR_SCHEMA (a joint that is not there, missing or unknown keys, no problem at
///         all, a request without a scene), GRAZE_ERROR_RANGE, GRAZE_ERROR_UNSUPPORTED (another
///         format or frame, goals that are no constraints of joints), GRAZE_ERROR_LIMIT,
///         GRAZE_ERROR_NO_MEMORY; with file, line and element
/// Any thread. Allocates. Cost: O(size), and that of making the worlds. Nullable: options, error.
GRAZE_API graze_status graze_problems_load(graze_problems **out, const graze_robot *robot,
                                           const char *path, const graze_load_options *options,
                                           graze_error *error);

/// Frees a set, its worlds among it. NULL is allowed. Not while another thread uses it. Allocates
/// nothing. Cost: O(size).
GRAZE_API void graze_problems_free(graze_problems *problems);

/// The number of problems; 0 for NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_problems_count(const graze_problems *problems);

/// graze_problems_get() for a caller whose graze_problem has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_problems_get_sized(const graze_problems *problems, size_t index,
                                                graze_problem *problem, size_t size);

/// Problem `index`, from 0; those of a family follow each other, in the order of their file.
/// @param problem [out] all 0 on failure
/// @return GRAZE_ERROR_ARGUMENT for NULL or an index that is not there
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_problems_get(const graze_problems *problems, size_t index,
                                              graze_problem *problem) {
    return graze_problems_get_sized(problems, index, problem, sizeof *problem);
}

#ifdef __cplusplus
}
#endif

#endif
