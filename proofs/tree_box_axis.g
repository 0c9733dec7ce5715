# axes_mask(): along axis j of the other box, in units of S, with the pad in it: the half extents h, and the distance p of the
# distances along the node's axes (whose own error tree_face has: 8.5 u and u each, at most sqrt 3 of it along a column). The
# rotation is the stored one; its rounding is u more of each product. Hypotheses: columns of length 1, so that sums are no longer.
#@ src/narrow/tree_pair.inl axes_mask 24
#~ distance ->> d
#~ r[0][j] ->> r0
#~ r[1][j] ->> r1
#~ r[2][j] ->> r2
#= gz_f8 p = gz_f8_mul(distance[0], gz_f8_all(r[0][j]))
#= p = gz_f8_muladd(distance[1], gz_f8_all(r[1][j]), p)
#= p = gz_f8_muladd(distance[2], gz_f8_all(r[2][j]), p)
#~ half ->> half
#~ abs_r[0][j] ->> q0
#~ abs_r[1][j] ->> q1
#~ abs_r[2][j] ->> q2
#~ box->half[j] ->> own
#= gz_f8 h = gz_f8_muladd(half[0], gz_f8_all(abs_r[0][j]), gz_f8_all(box->half[j] + pad))
#= h = gz_f8_muladd(half[1], gz_f8_all(abs_r[1][j]), h)
#= h = gz_f8_muladd(half[2], gz_f8_all(abs_r[2][j]), h)
P = d_2 * r2 + (d_1 * r1 + d_0 * r0);
H = half_2 * q2 + (half_1 * q1 + (half_0 * q0 + (own + pad)));
{ |d_0 * r0| <= 1 /\ |d_1 * r1| <= 1 /\ |d_2 * r2| <= 1 /\ |d_1 * r1 + d_0 * r0| <= 1 /\ |P| <= 1
  /\ half_0 * q0 in [0,1] /\ half_1 * q1 in [0,1] /\ half_2 * q2 in [0,1] /\ own + pad in [0,1]
  /\ half_0 * q0 + (own + pad) in [0,1] /\ half_1 * q1 + (half_0 * q0 + (own + pad)) in [0,1] /\ H in [0,1]
  -> |p_3 - P| <= 6b-24 /\ |h_3 - H| <= 8b-24 }
