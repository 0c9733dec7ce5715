/// May something go through an opening that a cap closes, inside a box of configurations? Margins
/// do not tell: it need not come near the surfaces.
#ifndef GZ_CSPACE_CSPACE_CAPS_H
#define GZ_CSPACE_CSPACE_CAPS_H

#include "check/check_internal.h"
#include "cspace/cspace_motion.h"

/// The checked pairs that count caps and that the map moves.
typedef struct gz_cspace_caps {
    const graze_checker *checker;
    const gz_cspace_motion *motion;
    graze_checked_pair *pairs;
    double *reaches; ///< per pair, of the boxes that gz_cspace_caps_bound() was told
    size_t count, capacity;
    graze_workspace **workspaces; ///< one per thread
    uint32_t threads;
} gz_cspace_caps;

/// Free in any case.
graze_status gz_cspace_caps_make(gz_cspace_caps *caps, const graze_checker *checker,
                                 const gz_cspace_motion *motion, uint32_t threads,
                                 graze_error *error);
void gz_cspace_caps_free(gz_cspace_caps *caps);

/// Bounds the motion of every pair in boxes of these half edges; before gz_cspace_caps_clear().
void gz_cspace_caps_bound(gz_cspace_caps *caps, const double half[2]);

/// Whether nothing passes a cap in all of the box whose middle is q: true is a proof. `thread`
/// below the number of threads, each by one thread at a time.
bool gz_cspace_caps_clear(const gz_cspace_caps *caps, uint32_t thread, const double *q,
                          size_t q_count, const double *base);

#endif
