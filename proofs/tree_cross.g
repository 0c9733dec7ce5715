# axes_mask(): along the product of axis i of the node and axis j of the box, in units of S with the pad in it: the
# difference p of two products of distances, the half extents `own` of the box and h of both. As in tree_box_axis the errors of the distances come on
# top: 9.5 u each, times two entries of one column.
#@ src/narrow/tree_pair.inl axes_mask 24
#~ distance[i2] ->> d2
#~ distance[i1] ->> d1
#~ r[i1][j] ->> r1
#~ r[i2][j] ->> r2
#= gz_f8 p = gz_f8_sub(gz_f8_mul(distance[i2], gz_f8_all(r[i1][j])), gz_f8_mul(distance[i1], gz_f8_all(r[i2][j])))
#~ box->half[j1] ->> b1
#~ box->half[j2] ->> b2
#~ abs_r[i][j2] ->> a2
#~ abs_r[i][j1] ->> a1
#= float own = box->half[j1] * abs_r[i][j2] + box->half[j2] * abs_r[i][j1] + pad
#~ half[i2] ->> h2
#~ half[i1] ->> h1
#~ abs_r[i1][j] ->> q1
#~ abs_r[i2][j] ->> q2
#~ own ->> given
#= gz_f8 h = gz_f8_muladd(half[i2], gz_f8_all(abs_r[i1][j]), gz_f8_all(own))
#= h = gz_f8_muladd(half[i1], gz_f8_all(abs_r[i2][j]), h)
O = (b1 * a2 + b2 * a1) + pad;
H = h1 * q2 + (h2 * q1 + given);
{ |d2 * r1| <= 1 /\ |d1 * r2| <= 1 /\ |d2 * r1 - d1 * r2| <= 1
  /\ b1 * a2 in [0,1] /\ b2 * a1 in [0,1] /\ b1 * a2 + b2 * a1 in [0,1] /\ O in [0,1]
  /\ h2 * q1 in [0,1] /\ h1 * q2 in [0,1] /\ h2 * q1 + given in [0,1] /\ H in [0,1]
  -> |p - (d2 * r1 - d1 * r2)| <= 49b-28 /\ |own - O| <= 65b-28 /\ |h_2 - H| <= 65b-28 }
