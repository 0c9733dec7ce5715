# orient2d, per term of the determinant, in units of the term: with the other term 0, what it is off, and what `bound` is.
# Errors are in proportion to the terms, so they add up to the greatest part times the sum P of magnitudes, and `bound`
# is at least the part proved here times P (docs/bounds.md). predicate.h: nothing over- or underflows.
#@ src/math/predicate.h gz_orient2d_counted 53
#~ a[0] ->> ax
#~ b[1] ->> by
#~ c[0] ->> cx
#~ c[1] ->> cy
#= double left = (a[0] - c[0]) * (b[1] - c[1])
#? double right = (a[1] - c[1]) * (b[0] - c[0])
#~ left ->> left
#~ right ->> right
#= double det = left - right
#= double bound = 0x5p-53 * (fabs(left) + fabs(right))
L = (ax - cx) * (by - cy);
{ ax - cx in [1,1] /\ by - cy in [1,1] /\ right in [-1,1]
  -> |left - L| <= 31b-56 /\ det -/ (left - right) in [-1b-53,1b-53] /\ bound -/ (5b-53 * (|left| + |right|)) in [-9b-55,9b-55] }
