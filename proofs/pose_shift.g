# pose_general(): one coordinate of a body's place, in units of |o| + |t|: R o + t, unfused and fused. Hypotheses: rows of the
# parent's rotation of length 1. sqrt 3 of it, 11 u, is below the 12 u |o| + 4 u |t| that gz_pose_bound_next() has for it: the
# rounding of o is in both.
#@ src/check/batch_filter.inl pose_general 24
#~ shift[0] ->> o0
#~ shift[1] ->> o1
#~ shift[2] ->> o2
#~ load(parent[4 * i + 3]) ->> p
#= gz_f8 t = gz_f8_muladd(x, shift[0], gz_f8_muladd(y, shift[1], load(parent[4 * i + 3])))
#= gz_f8_muladd(z, shift[2], t)
{ |x * o0| <= 1 /\ |y * o1| <= 1 /\ |z * o2| <= 1 /\ |p| <= 1 /\ |y * o1 + p| <= 1 /\ |x * o0 + (y * o1 + p)| <= 1
  /\ |z * o2 + (x * o0 + (y * o1 + p))| <= 1
  -> |result - (z * o2 + (x * o0 + (y * o1 + p)))| <= 49b-27 }
