/// What near_contact's two families of poses share: meshes moved along lines (near_lines.c), and
/// links moved by one joint (near_joints.c).
#ifndef GRAZE_TESTS_NEAR_CONTACT_H
#define GRAZE_TESTS_NEAR_CONTACT_H

#include "base/random.h"
#include "fcl_meshes.h"
#include "posed_mesh.h"

/// One row of the table.
typedef struct near_tally {
    uint64_t poses;
    uint64_t meeting;
    uint64_t violations; ///< verdict or lowest triangles differ from the oracle's
    uint64_t exact;      ///< poses that needed expansion arithmetic
    uint64_t fcl_at;     ///< FCL's wrong verdicts within 1 ulp of a change, and at touching ends
    uint64_t fcl_beyond; ///< its others, where the verdict is not about to change
    double fcl_farthest; ///< the farthest of them from there, metres or radians
    uint64_t changes;    ///< places where the verdict changes, met within neighbouring doubles
} near_tally;

/// A family of poses with one parameter.
typedef struct near_family {
    /// Judges the pose at x: adds to the tally, sets *fcl_wrong, and returns the oracle's verdict.
    bool (*evaluate)(struct near_family *family, double x, near_tally *tally, bool *fcl_wrong);
    rational_clip *clip;
    bool touching; ///< the second end of a search is a touching pose by construction
} near_family;

/// Bisects between two parameters, which may have different verdicts, down to neighbouring doubles,
/// and looks a few ulps beyond; every pose on the way is judged. Returns false, having judged both
/// ends, when their verdicts are the same.
bool near_bisect(near_family *family, double one, double other, near_tally *tally);

/// One row each: until `poses` have been judged. They return false when the row needs test data
/// and there are none.
bool near_lines_run(size_t row, uint64_t poses, uint64_t seed, near_tally *tally);
bool near_joints_run(size_t row, uint64_t poses, uint64_t seed, near_tally *tally);
/// The names of the rows; NULL after the last.
const char *near_lines_name(size_t row);
const char *near_joints_name(size_t row);

#endif
