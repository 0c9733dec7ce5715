# pose_permuted(): one entry of a column that a turn makes of two of the parent's, y c1 + z s2, with sine and cosine as they are.
# Hypotheses: entries within 1, and (y, z), (c, s) of length 1. Six such entries in Frobenius' norm: sqrt 6 times 3 u, 7.4 u; with
# 16 u of sine and cosine 24 u, of the 48 u that gz_pose_bound_next() adds.
#@ src/check/batch_filter.inl pose_permuted 24
#~ c1 ->> c
#~ s2 ->> s
#= gz_f8_muladd(y, c1, gz_f8_mul(z, s2))
#@ src/check/filter_error.c gz_pose_bound_next 53
#~ parent->rotation ->> 0
#~ body->bent ->> 0
#~ u ->> unit
#= e.rotation = parent->rotation * (1 + 64 * u) + 48 * u + GZ_BOUND_SLACK * body->bent
{ |y * c| <= 1 /\ |z * s| <= 1 /\ |y * c + z * s| <= 1.00001 /\ unit in [1b-24,1b-24]
  -> |result - (y * c + z * s)| <= 49b-28 /\ e_rotation >= 47b-24 }
