/// What is proved by how far surfaces are apart says nothing about caps, which are no surfaces:
/// what goes through an opening need not come near the walls around it. How far is a pair from
/// that?
#ifndef GZ_CHECK_CAP_CLEARANCE_H
#define GZ_CHECK_CAP_CLEARANCE_H

#include "check/checker.h"

/// Whether a pair of the checker counts caps: the policy `cap` is in force for one side, and closes
/// some mesh of it.
bool gz_pair_has_caps(const graze_checker *checker, const graze_checked_pair *pair);

/// Whether the caps of each side are surely farther than `reach` from all of the other, with the
/// links posed in `ws`: a box around the caps of a mesh is, from the other side's box. True where
/// there are no caps. Cost: O(triangles of the caps).
bool gz_caps_apart(const graze_checker *checker, graze_workspace *ws,
                   const graze_checked_pair *pair, double reach);

#endif
