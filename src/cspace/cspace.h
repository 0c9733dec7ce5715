/// The inside of graze_cspace_map(): the grid, and what is proved of whole boxes of it.
#ifndef GZ_CSPACE_CSPACE_H
#define GZ_CSPACE_CSPACE_H

#include "check/check_internal.h"
#include "graze/cspace.h"
#include "kinematics/motion_bound.h"

/// The grid of a map: which configuration belongs to a place in it.
typedef struct gz_cspace_grid {
    const graze_robot *robot;
    const graze_cspace *map;
    double low[2], high[2]; ///< of the two columns
    double step[2];         ///< a cell's edges
    double *q;              ///< the other columns; the two of the map hold the middle of the ranges
    size_t q_size;
} gz_cspace_grid;

/// Reads and checks the map's columns, size, ranges and rest configuration; see graze_cspace_map().
/// Free in any case.
graze_status gz_cspace_grid_make(gz_cspace_grid *grid, const graze_robot *robot,
                                 const graze_cspace *map, graze_error *error);
void gz_cspace_grid_free(gz_cspace_grid *grid);

/// The configuration in the middle of the box of `wide` x `high` cells from (x, y): q_size numbers.
void gz_cspace_grid_place(const gz_cspace_grid *grid, uint32_t x, uint32_t y, uint32_t wide,
                          uint32_t high, double *q);

/// Whether a joint that column `side` of the map moves, itself or by mimicry, is outside its
/// limits.
bool gz_cspace_grid_outside(const gz_cspace_grid *grid, int side, const double *q);

/// The motion bounds of the map's range. Free in any case.
graze_status gz_cspace_grid_motion(const gz_cspace_grid *grid, gz_motion_model *motion,
                                   graze_error *error);

// ------------------------------------------------------------------------- free: cspace_level.c

/// The two sides of a checked pair: of link and world -1 and the link.
static inline int32_t gz_pair_first(const graze_checked_pair *pair) {
    return pair->is_world ? -1 : pair->link;
}

static inline int32_t gz_pair_second(const graze_checked_pair *pair) {
    return pair->is_world ? pair->link : pair->other;
}

/// Whether the map moves a link of the pair.
static inline bool gz_pair_moves(const gz_motion_model *motion, const graze_checked_pair *pair) {
    return gz_motion_moves(motion, -1, pair->link) ||
           (!pair->is_world && gz_motion_moves(motion, -1, pair->other));
}

/// A checker with the rules of `checker`, whose margin is, pair by pair, that of `checker`, plus
/// what the pair's distance may change in a box of these half edges (one per column of q), plus
/// twice epsilon. Where its verdict in the middle is FREE, that of `checker` is in all of the
/// box, and so it is in real arithmetic, but for what goes through openings that caps close.
/// @param out [out] free with graze_checker_free()
graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const double *half,
                                  graze_error *error);

/// The margin of one pair there.
double gz_cspace_level_margin(const graze_checker *checker, const gz_motion_model *motion,
                              const double *half, const graze_checked_pair *pair);

/// The checked pairs that count caps and that the map moves. What passes an opening that a cap
/// closes need not come near the surfaces, so that margins do not hold for it.
typedef struct gz_cspace_caps {
    const graze_checker *checker;
    const gz_motion_model *motion;
    graze_checked_pair *pairs;
    double *margins; ///< per pair, for the boxes that gz_cspace_caps_bound() was called with
    size_t count, capacity;
    bool full;                    ///< memory is out
    graze_workspace **workspaces; ///< one per thread
    uint32_t threads;
} gz_cspace_caps;

/// Free in any case.
graze_status gz_cspace_caps_make(gz_cspace_caps *caps, const graze_checker *checker,
                                 const gz_motion_model *motion, uint32_t threads,
                                 graze_error *error);
void gz_cspace_caps_free(gz_cspace_caps *caps);

/// Bounds the motion of every pair in boxes of these half edges; before gz_cspace_caps_clear().
void gz_cspace_caps_bound(gz_cspace_caps *caps, const double *half);

/// Whether nothing passes a cap in all of the box whose middle is q: true is a proof. `thread`
/// below the number of threads, each by one thread at a time.
bool gz_cspace_caps_clear(const gz_cspace_caps *caps, uint32_t thread, const double *q,
                          size_t q_count, const double *base);

// -------------------------------------------------------------------- colliding: cspace_proof.c

/// Proofs that all of a box of configurations collides.
typedef struct gz_cspace_proof gz_cspace_proof;

/// Collects what is inside the links and the objects of the checker's pairs.
graze_status gz_cspace_proof_make(gz_cspace_proof **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const gz_cspace_grid *grid,
                                  graze_error *error);
void gz_cspace_proof_free(gz_cspace_proof *proof);

/// Bounds the motion of every pair in boxes of these half edges; before gz_cspace_proof_holds().
void gz_cspace_proof_bound(gz_cspace_proof *proof, const double *half);

/// Whether some pair collides in all of the box in the middle of which the links are posed so: true
/// is a proof. Any thread, after gz_cspace_proof_bound(). Cost: pairs times what is inside them.
bool gz_cspace_proof_holds(const gz_cspace_proof *proof, const graze_transform *links);

#endif
