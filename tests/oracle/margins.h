/// What the rows of the margins campaign share: triangles (margin_triangles.c), meshes and curved
/// shapes (margin_shapes.c), and the shipped robot (margin_robot.c).
#ifndef GRAZE_TESTS_MARGINS_H
#define GRAZE_TESTS_MARGINS_H

#include "base/random.h"
#include "rational_distance.h"

/// One row of the table.
typedef struct margin_tally {
    uint64_t pairs;      ///< judged
    uint64_t near;       ///< of these, next to the margin: later than step 18 of a search
    uint64_t collisions; ///< the engine's
    uint64_t exact;      ///< pairs that needed integers
    uint64_t excess;     ///< collisions beyond the margin, within margin + epsilon (curved shapes)
    uint64_t changes;    ///< places where the verdict changes, met within neighbouring doubles
    uint64_t violations; ///< of the contract, of monotonicity, or of two ways to ask
} margin_tally;

/// A family of pairs with one parameter.
typedef struct margin_family {
    /// Judges the pair at x: adds to the tally and returns whether the oracle calls it near.
    bool (*evaluate)(struct margin_family *family, double x, margin_tally *tally);
    gz_random *random;
} margin_family;

/// Bisects between a parameter with a near pair and one with a far pair, down to neighbouring
/// doubles, and looks a few ulps and up to 1e-6 beyond; every pair on the way is judged. Returns
/// false, having judged both ends, when their verdicts are the same.
bool margin_bisect(margin_family *family, double near, double far, margin_tally *tally);

/// From 1e-9 to 1, uniform in the logarithm; now and then a round number.
double margin_draw(gz_random *random);
/// Not parallel to anything in particular, or along a coordinate.
void margin_draw_direction(gz_random *random, double d[3]);

/// Whether a direction proves that two triangles are farther apart than the limit, by so much that
/// the rounding of doubles does not matter.
bool margin_surely_farther(const double a[9], const double b[9], double limit);

/// One row each, until `pairs` have been judged. The names; NULL after the last.
void margin_triangles_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally);
const char *margin_triangles_name(size_t row);
void margin_shapes_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally);
const char *margin_shapes_name(size_t row);
void margin_robot_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally);
const char *margin_robot_name(size_t row);

#endif
