# Boxes around turned boxes. box_extent() in double: the sum of three products that are not negative, in units of it, off by 6 u; what
# is added makes it 24 u more; the middle's part, in units of the middle, covers the rounding of middle and extent, u each.
# tree_near(): a sum of four terms in float, in units of it, as what it is made in double; box_of_mesh() has such a sum, and a factor.
#@ src/check/link_check.c box_extent 53
#~ fabs(GZ_ARRAY3(box->axis[j])[k]) ->> a0
#~ h[j] ->> h0
#~ e ->> 0
#= e += fabs(GZ_ARRAY3(box->axis[j])[k]) * h[j]
#~ e ->> e
#~ fabs(GZ_ARRAY3(box->axis[j])[k]) ->> a1
#~ h[j] ->> h1
#= e += fabs(GZ_ARRAY3(box->axis[j])[k]) * h[j]
#~ fabs(GZ_ARRAY3(box->axis[j])[k]) ->> a2
#~ h[j] ->> h2
#= e += fabs(GZ_ARRAY3(box->axis[j])[k]) * h[j]
#~ fabs(c[k]) ->> c
#= e = e * (1 + 0x1p-48) + pad + fabs(c[k]) * 0x1p-50
#@ src/check/query_filter.inl tree_near 24
#~ 4 * l->error ->> error
#= float extent = 4 * l->error
#~ fabsf(box->row[k][j]) * l->half[j] ->> p0
#= extent += fabsf(box->row[k][j]) * l->half[j]
#~ fabsf(box->row[k][j]) * l->half[j] ->> p1
#= extent += fabsf(box->row[k][j]) * l->half[j]
#~ fabsf(box->row[k][j]) * l->half[j] ->> p2
#= extent += fabsf(box->row[k][j]) * l->half[j]
#@ src/check/query_filter.inl tree_near 53
#~ l->world_threshold ->> threshold
#= ((double)extent * (1 + 0x1p-20) + l->world_threshold)
#@ src/narrow/prefilter/component_pair.inl box_of_mesh 24
#? box.half[i] = p->pad
#? box.half[i] += fabsf(p->r[i][j]) * mesh->half[j]
#~ box.half[i] ->> total
#= box.half[i] *= GZ_ROUND_UP; i=0
S = (a0 * h0 + a1 * h1) + a2 * h2;
{ a0 * h0 in [0,1] /\ a1 * h1 in [0,1] /\ a2 * h2 in [0,1] /\ a0 * h0 + a1 * h1 in [0,1] /\ S in [0,1] -> e_3 - S in [-6b-53,6b-53] }
{ e_3 in [1,1] /\ pad in [0,0] /\ c in [0,0] -> e_4 >= 9007199254741016b-53 }
{ e_3 in [0,0] /\ pad in [0,0] /\ c in [1,1] -> e_4 >= 7b-53 }
{ error in [0,1] /\ p0 in [0,1] /\ p1 in [0,1] /\ p2 in [0,1] /\ error + p0 in [0,1] /\ (error + p0) + p1 in [0,1] /\ ((error + p0) + p1) + p2 in [1,1]
  -> extent_4 >= 0.99999976 }
{ extent_4 in [0.9999997,1] /\ threshold in [0,0] -> result >= 1.0000005 }
{ total in [0.99999976,1] -> box_half_0 >= 1.000009 }
