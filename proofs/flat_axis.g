# flat_slack(): a triangle's edges e, f and g, in units of H^3, u = 2^-24; an edge's coordinates are at most twice the half extents of its box, whose sum is at
# most H. A term (e_i f_j - e_j f_i) g_k is off by 3.1 u of its magnitudes (b and 1 - b of them), the sum of three by 2.1 u. The magnitudes of all
# three are at most 8 times the permanent of three rows that sum to 1: the product of these sums less 21 products that are not negative, so 1. So both
# triangles are off by 2 8 5.2 u = 83.2 u of what is at least 95 u (rows_of_distances).
#@ src/narrow/tree_pair.inl flat_slack 24
#? return 96 * 0x1p-24f * h * h * h + 1e-30f
#@ src/narrow/tree_pair.inl dot_normal 24
#~ n->x ->> n0
#~ v->x ->> g
#= gz_f8_mul(n->x, v->x)
#~ gz_f8_mul(n->x, v->x) ->> t0
#~ gz_f8_mul(n->y, v->y) ->> t1
#= gz_f8 xy = gz_f8_add(gz_f8_mul(n->x, v->x), gz_f8_mul(n->y, v->y))
#~ gz_f8_mul(n->z, v->z) ->> t2
#~ xy ->> xy
#= gz_f8_add(xy, gz_f8_mul(n->z, v->z))
#@ src/mesh/bvh/triangle_lanes.h cross_lanes 24
#~ a.y ->> e1
#~ b.z ->> f2
#~ a.z ->> e2
#~ b.y ->> f1
#= gz_f8_sub(gz_f8_mul(a.y, b.z), gz_f8_mul(a.z, b.y))
p = e1 * f2;
q = e2 * f1;
W = mul_rel<24>(result_3, g);
sa = a0 + a1 + a2;
sb = b0 + b1 + b2;
sc = c0 + c1 + c2;
permanent = a0 * b1 * c2 + a0 * b2 * c1 + a1 * b0 * c2 + a1 * b2 * c0 + a2 * b0 * c1 + a2 * b1 * c0;
{ b in [0,1] /\ |p| - b <= 0 /\ |q| - (1 - b) <= 0 /\ |p| <= 1 /\ |q| <= 1 /\ |p - q| <= 1 /\ |g| <= 1 -> |W - (p - q) * g| <= 99b-29 }
$ b in 32;
{ |t0| <= 1.000001 /\ |t1| <= 1.000001 /\ |t2| <= 1.000001 /\ |t0 + t1| <= 1.000001 /\ |t0 + t1 + t2| <= 1.000001 -> |result_2 - (t0 + t1 + t2)| <= 67b-29 }
{ a0 in [0,1] /\ a1 in [0,1] /\ a2 in [0,1] /\ b0 in [0,1] /\ b1 in [0,1] /\ b2 in [0,1] /\ c0 in [0,1] /\ c1 in [0,1] /\ c2 in [0,1]
  /\ sa in [0,1] /\ sb in [0,1] /\ sc in [0,1] -> permanent <= 1 }
permanent -> sa * sb * sc - (a0 * b0 * c0 + a0 * b0 * c1 + a0 * b0 * c2 + a0 * b1 * c0 + a0 * b1 * c1 + a0 * b2 * c0 + a0 * b2 * c2
  + a1 * b0 * c0 + a1 * b0 * c1 + a1 * b1 * c0 + a1 * b1 * c1 + a1 * b1 * c2 + a1 * b2 * c1 + a1 * b2 * c2
  + a2 * b0 * c0 + a2 * b0 * c2 + a2 * b1 * c1 + a2 * b1 * c2 + a2 * b2 * c0 + a2 * b2 * c1 + a2 * b2 * c2);
