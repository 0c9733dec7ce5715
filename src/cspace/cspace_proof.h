/// Proofs that all of a box of configurations collides.
#ifndef GZ_CSPACE_CSPACE_PROOF_H
#define GZ_CSPACE_CSPACE_PROOF_H

#include "check/check_internal.h"
#include "cspace/cspace_motion.h"

typedef struct gz_cspace_proof gz_cspace_proof;

/// Collects what is inside the links and the objects that the checker's pairs ask for.
graze_status gz_cspace_proof_make(gz_cspace_proof **out, const graze_checker *checker,
                                  const gz_cspace_motion *motion, const gz_cspace_grid *grid,
                                  graze_error *error);
void gz_cspace_proof_free(gz_cspace_proof *proof);

/// Bounds the motion of every pair in boxes of these half edges; before gz_cspace_proof_holds().
void gz_cspace_proof_bound(gz_cspace_proof *proof, const double half[2]);

/// Whether some pair collides in all of the box in the middle of which the links are posed so: true
/// is a proof. Any thread, after gz_cspace_proof_bound(). Cost: pairs times what is inside them.
bool gz_cspace_proof_holds(const gz_cspace_proof *proof, const graze_transform *links);

#endif
