/// @file tables.h
/// Tables of pairs of links: proved lower bounds of their distance for every place of the one or
/// two numbers of q that move them against each other. Links two joints apart are often within each
/// other's bounding volumes at every configuration; with a table most checks, proofs and distances
/// of such a pair take nanoseconds. A robot with tables has the same verdicts, contacts and
/// distances as without. docs/tables.md.
#ifndef GRAZE_TABLES_H
#define GRAZE_TABLES_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options of graze_robot_tabulate(); make them with graze_tabulate_options_default().
typedef struct graze_tabulate_options {
    uint32_t struct_size;       ///< set by the default; do not change
    uint32_t threads;           ///< default 1; 0 = one per processor; never changes the tables
    uint32_t cells;             ///< along each number of q: a power of two, 2 to 256; default 64
    const volatile int *cancel; ///< looked at before each pair; may be NULL
} graze_tabulate_options;

/// Writes the defaults of graze_tabulate_options into a structure of `size` bytes, the caller's
/// size of it: what graze_tabulate_options_default() calls, so that programs compiled against a
/// shorter one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_tabulate_options_init(graze_tabulate_options *options, size_t size);

/// The default options of tables. Any thread. Allocates nothing. Cost: O(1).
static inline graze_tabulate_options graze_tabulate_options_default(void) {
    graze_tabulate_options options;
    graze_tabulate_options_init(&options, sizeof options);
    return options;
}

/// Makes a version of a robot that has tables, in place of those it may have: for each pair of
/// links that is checked by default (not hidden by the SRDF, no attached body), that one or two
/// numbers of q move, with limits or a whole turn, and that bounding boxes often leave in doubt.
/// Versions made of it by attaching and detaching bodies keep them, and so do compiled files.
///
/// A cell of a table holds the pair's distance in its middle, by graze_distance(), less how far the
/// pair can come nearer inside it; cells where that is not enough are halved. docs/tables.md has
/// the proof. Source of the bound of motion: Schwarzer, Saha and Latombe (2005), "Adaptive dynamic
/// collision checking for single and multiple articulated robots".
///
/// @param out     [out] free with graze_robot_free(); NULL on failure
/// @param robot   may be freed afterwards
/// @param options NULL for the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, options not initialised); GRAZE_ERROR_RANGE
///         (cells; a joint whose value at rest graze_check() refuses); GRAZE_ERROR_CANCELLED;
///         GRAZE_ERROR_NO_MEMORY
/// The same tables whatever the threads, and on every machine. Any thread. Allocates. Cost: up to
/// cells^2 distances for each pair, some 10 to 50 ms. Nullable: options, error.
GRAZE_API graze_status graze_robot_tabulate(graze_robot **out, const graze_robot *robot,
                                            const graze_tabulate_options *options,
                                            graze_error *error);

/// How many tables a robot has; 0 for NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_table_count(const graze_robot *robot);

/// What a table is of.
typedef struct graze_pair_table {
    int32_t a, b;       ///< links, a < b; tables are sorted by (a, b)
    int32_t columns[2]; ///< of q, ascending; the second is -1 where one alone moves the pair
    int32_t cells[2];   ///< along each; 1 where there is no column
    double share;       ///< of the cells that prove the pair apart, 0 to 1
} graze_pair_table;

/// graze_robot_table() into a structure of `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(cells).
GRAZE_API graze_status graze_robot_table_sized(const graze_robot *robot, size_t index,
                                               graze_pair_table *table, size_t size);

/// Describes a table of a robot.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT: NULL, or no such table
/// Any thread. Allocates nothing. Cost: O(cells).
static inline graze_status graze_robot_table(const graze_robot *robot, size_t index,
                                             graze_pair_table *table) {
    return graze_robot_table_sized(robot, index, table, sizeof *table);
}

/// What a table knows at q: the distance of its two links, as real arithmetic poses them, is at
/// least that many metres; rounded down to 2^-16 m, 1 m at most, and 0 where it knows nothing: near
/// contact, beyond the limits, or where q_count is not graze_robot_q_size(). Any thread. Allocates
/// nothing. Cost: O(1), some 3 ns.
GRAZE_API double graze_robot_table_bound(const graze_robot *robot, size_t index, const double *q,
                                         size_t q_count);

#ifdef __cplusplus
}
#endif

#endif
