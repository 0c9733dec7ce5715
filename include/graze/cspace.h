/// @file cspace.h
/// Collision maps: the verdict of a checker over a grid of two joints, cell by cell, and on request
/// a proof for whole cells instead of their middles.
#ifndef GRAZE_CSPACE_H
#define GRAZE_CSPACE_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most cells along one side of a map.
#define GRAZE_CSPACE_SIZE_MAX 16384

/// What is known of a cell.
typedef enum graze_cspace_state {
    GRAZE_CSPACE_FREE = 0,                ///< its middle is free
    GRAZE_CSPACE_FREE_CERTIFIED = 1,      ///< proved: all of it is free
    GRAZE_CSPACE_COLLIDING = 2,           ///< its middle collides
    GRAZE_CSPACE_COLLIDING_CERTIFIED = 3, ///< proved: all of it collides
    GRAZE_CSPACE_UNDECIDED = 255          ///< not looked at: the budget is spent, or cancelled; or
                                          ///< its middle cannot be checked
} graze_cspace_state;

/// One cell of a map.
typedef struct graze_cspace_cell {
    uint8_t state;   ///< a graze_cspace_state
    uint8_t kind;    ///< colliding: a graze_contact_kind; else 0
    uint8_t outside; ///< 1: a joint that the map moves is outside its limits in the cell's middle;
                     ///< a verdict is given all the same
    uint8_t reserved;
    int32_t link;  ///< colliding: the first pair in check order at the cell's middle, as in
    int32_t other; ///< graze_contact; else -1
} graze_cspace_cell;

/// How far a map is: `done` of `total` cells decided. Called on the caller's thread.
typedef void (*graze_cspace_progress)(uint64_t done, uint64_t total, void *user);

/// What to map. Obtain from graze_cspace_default(), then set the fields.
///
/// Column a of q runs along x, column b along y. A side of n cells over the range [lo, hi] has the
/// middles lo + (i + 1/2) (hi - lo) / n; cell (x, y) is cells[y * width + x].
typedef struct graze_cspace {
    uint32_t struct_size;
    uint32_t threads;    ///< default 1; 0 = one per processor
    int32_t columns[2];  ///< a and b, two columns of q; not of a quaternion
    double ranges[2][2]; ///< lo < hi, rad or m, at most 1e3 in magnitude; NAN (the default): the
                         ///< joint's limits; -pi to pi where an angle has none, -1 to 1 m where a
                         ///< length has none
    uint32_t width;      ///< cells over column a, 1 to GRAZE_CSPACE_SIZE_MAX; default 512
    uint32_t height;     ///< cells over column b; default 512
    const double *q;     ///< where the other columns stay, graze_robot_q_size() numbers; NULL: the
                         ///< rest configuration
    const double *base;  ///< x y z roll pitch yaw of the root link; NULL: the identity
    uint32_t certified;  ///< 1: prove what can be proved of whole cells; default 0
    uint64_t budget;     ///< most configurations that are checked for a verdict or a proof (naming
                         ///< pairs does not count); default 0: no limit
    const volatile int *cancel;     ///< looked at now and then; may be NULL
    graze_cspace_progress progress; ///< may be NULL
    void *user;                     ///< for progress
    graze_cspace_cell *cells;       ///< [out] width * height
    uint8_t *rows; ///< [out] height; NULL (the default): all cells are written. Else 1 for each row
                   ///< that is written; of the others no cell is decided, and nothing is written,
                   ///< so that a large map with a small budget does not touch all its memory
} graze_cspace;

/// What a map came to.
typedef struct graze_cspace_summary {
    double ranges[2][2];          ///< as they counted, rad or m
    uint64_t free_cells;          ///< by state
    uint64_t free_certified;      ///< proved wholly free
    uint64_t colliding_cells;     ///< in the middle
    uint64_t colliding_certified; ///< proved wholly colliding
    uint64_t undecided;
    uint64_t outside; ///< cells of any state with a joint outside its limits
    uint64_t checks;  ///< configurations checked, all stages
    uint64_t boxes;   ///< of cells that were looked at for a proof
    uint64_t proofs;  ///< boxes proved, free or colliding
} graze_cspace_summary;

/// Writes the defaults of graze_cspace into a structure of `size` bytes, the caller's size of it:
/// what graze_cspace_default() calls, so that programs compiled against a shorter one stay right.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_cspace_init(graze_cspace *options, size_t size);

/// A map of 512 x 512 cells over the joints' limits, one thread, not certified; columns and cells
/// are to be set. Any thread. Allocates nothing. Cost: O(1).
static inline graze_cspace graze_cspace_default(void) {
    graze_cspace options;
    graze_cspace_init(&options, sizeof options);
    return options;
}

/// graze_cspace_map() for a caller whose graze_cspace_summary has `size` bytes.
/// @return as there. Any thread. Allocates. Cost: as there.
GRAZE_API graze_status graze_cspace_map_sized(const graze_checker *checker, const graze_cspace *map,
                                              graze_cspace_summary *summary, size_t size,
                                              graze_error *error);

/// Maps. Without `certified` every middle is checked, as graze_check() would with
/// GRAZE_ANSWER_FIRST. With it, boxes of cells are proved free or colliding, else split in four
/// down to single cells; what cannot be proved of a single cell is checked in its middle. The link
/// of a colliding cell is the first pair at its middle in both cases. A cell whose middle
/// graze_check() answers with GRAZE_ERROR_RANGE (outside the domain, with a margin) is undecided,
/// unless it is proved free.
///
/// A proof of "free": each pair is farther apart in the middle of the box than its margin, plus the
/// most by which the pair's distance can change inside the box, plus twice graze_checker_epsilon().
/// A proof of "colliding": a ball inside one part reaches into a ball, box, sphere, cylinder or
/// capsule inside the other deeper than that. Both hold for every real configuration in the cell,
/// its border included, whatever else q holds; docs/cspace.md derives the bounds.
///
/// @param map     what to map; its cells are written
/// @param summary [out] may be NULL
/// @return GRAZE_OK, also when the budget is spent; GRAZE_ERROR_CANCELLED: what was not done is
///         GRAZE_CSPACE_UNDECIDED, the rest is right; GRAZE_ERROR_ARGUMENT (NULL, not initialised,
///         columns that are the same, that the robot has not, or of a quaternion);
///         GRAZE_ERROR_RANGE (size, range, q or base, or no middle can be checked);
///         GRAZE_ERROR_UNSUPPORTED (`certified` with a checker of GRAZE_LEVEL_BOUNDS, or for a
///         robot that has no epsilon); GRAZE_ERROR_NO_MEMORY. On every error but CANCELLED all
///         cells are undecided.
/// The same cells for any number of threads. Any thread. Allocates, and makes a checker for each
/// size of box. Cost: cells times that of graze_check(), for the cells that are not proved in
/// larger boxes. Source: motion bounds as in Schwarzer, Saha and Latombe (2005), "Adaptive dynamic
/// collision checking for single and multiple articulated robots"; subdivision as in Zhu and
/// Latombe (1991), "New heuristic algorithms for efficient hierarchical path planning".
/// Nullable: summary, error.
static inline graze_status graze_cspace_map(const graze_checker *checker, const graze_cspace *map,
                                            graze_cspace_summary *summary, graze_error *error) {
    return graze_cspace_map_sized(checker, map, summary, sizeof *summary, error);
}

#ifdef __cplusplus
}
#endif

#endif
