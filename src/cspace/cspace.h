/// The grid of a map: which configuration belongs to a place in it.
#ifndef GZ_CSPACE_CSPACE_H
#define GZ_CSPACE_CSPACE_H

#include "check/checker.h"
#include "graze/cspace.h"
#include "kinematics/motion_bound.h"

typedef struct gz_cspace_grid {
    const graze_robot *robot;
    const graze_cspace *map;
    double low[2], high[2]; ///< of the two columns
    double step[2];         ///< a cell's edges
    double *q;              ///< the other columns; the two of the map hold the middle of the ranges
    size_t q_size;
} gz_cspace_grid;

/// What a column of q does to the joint that it moves.
typedef enum gz_column_kind {
    GZ_COLUMN_TURNS = 0,
    GZ_COLUMN_SLIDES = 1,
    GZ_COLUMN_QUATERNION = 2
} gz_column_kind;

gz_column_kind gz_column_kind_of(const graze_robot *robot, int32_t column);

/// Whether column `column` of q moves the joint, perhaps as one of several.
bool gz_column_moves(const gz_joint *joint, int32_t column);

/// Reads and judges the map's columns, size, ranges and rest configuration; see graze_cspace_map().
/// Free in any case.
graze_status gz_cspace_grid_make(gz_cspace_grid *grid, const graze_robot *robot,
                                 const graze_cspace *map, graze_error *error);
void gz_cspace_grid_free(gz_cspace_grid *grid);

/// The configuration in the middle of the box of `wide` x `high` cells from (x, y): q_size numbers.
void gz_cspace_grid_place(const gz_cspace_grid *grid, uint32_t x, uint32_t y, uint32_t wide,
                          uint32_t high, double *q);

/// Whether a joint that the map moves, itself or by mimicry, is outside its limits there.
bool gz_cspace_grid_outside(const gz_cspace_grid *grid, const double *q);

/// The motion bounds of the map's range. Free in any case.
graze_status gz_cspace_grid_motion(const gz_cspace_grid *grid, gz_motion_model *motion,
                                   graze_error *error);

/// Checkers whose margins hold for whole boxes: FREE in the middle is free everywhere.

/// A checker with the rules of `checker`, whose margin is, pair by pair, that of `checker`, plus
/// what the pair's distance may change in a box of these half edges (one per column of q), plus
/// twice epsilon. Where it says FREE in the middle, `checker` says so in all of the box, and so
/// does real arithmetic, but for what goes through openings that caps close (cspace_caps.h).
/// @param out [out] free with graze_checker_free()
graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const double *half,
                                  graze_error *error);

/// The margin of one pair there: a link and, below 0, the world, or another link.
double gz_cspace_level_margin(const graze_checker *checker, const gz_motion_model *motion,
                              const double *half, int32_t a, int32_t b, double margin);

/// May something go through an opening that a cap closes, inside a box of configurations? Margins
/// do not tell: it need not come near the surfaces.

/// The checked pairs that count caps and that the map moves.
typedef struct gz_cspace_caps {
    const graze_checker *checker;
    const gz_motion_model *motion;
    graze_checked_pair *pairs;
    double *reaches; ///< per pair, of the boxes that gz_cspace_caps_bound() was told
    size_t count, capacity;
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

/// Proofs that all of a box of configurations collides.

typedef struct gz_cspace_proof gz_cspace_proof;

/// Collects what is inside the links and the objects that the checker's pairs ask for.
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
