# Points of a cloud in float, in units of S (point_pair.c), u = 2^-24, of the 64 u of padded_threshold(). move_node(): a centre 8.5 u and a half
# extent 6 u; boxes_near(): difference, sum and gap 3 u. So a coordinate of a gap is off by 17.5 u, the distance by sqrt 3 of that and 2 u of
# itself (margin_square): 33 u. What is left holds 6e-9 of S for poses that are rigid up to 1e-9 (rigid). near_along_axes(): along an axis of
# length 1 that is u off, a difference 2 u off a coordinate, dot_lanes(): 16 u; the extents, four terms: 11 u. axis_near(): a place t along
# an axis whose inverse square is 2 u off: 9 u of the way; the difference 4 u a coordinate, as a vector 7 u: 16 u of S, and what squares round is
# in the factor. prepare_curved(): twice a length 4 u off holds the length.
#@ src/narrow/points/point_pair.inl move_node 24
#~ c[0] ->> c0
#~ p->r[i][0] ->> f0
#~ h[0] ->> h0
#~ p->abs_r[i][0] ->> g0
#= gz_f8 center = gz_f8_mul(c[0], gz_f8_all(p->r[i][0]))
#= gz_f8 half = gz_f8_mul(h[0], gz_f8_all(p->abs_r[i][0]))
#~ center ->> center
#~ half ->> half
#~ c[j] ->> c1
#~ p->r[i][j] ->> f1
#~ h[j] ->> h1
#~ p->abs_r[i][j] ->> g1
#= center = gz_f8_add(center, gz_f8_mul(c[j], gz_f8_all(p->r[i][j])))
#= half = gz_f8_add(half, gz_f8_mul(h[j], gz_f8_all(p->abs_r[i][j])))
#~ c[j] ->> c2
#~ p->r[i][j] ->> f2
#~ h[j] ->> h2
#~ p->abs_r[i][j] ->> g2
#= center = gz_f8_add(center, gz_f8_mul(c[j], gz_f8_all(p->r[i][j])))
#= half = gz_f8_add(half, gz_f8_mul(h[j], gz_f8_all(p->abs_r[i][j])))
#~ p->t[i] ->> shift
#= gz_f8_add(center, gz_f8_all(p->t[i]))
#@ src/narrow/points/point_lanes.inl boxes_near 24
#~ node->center[k] ->> at
#~ box->center[k] ->> off
#~ node->half[k] ->> a
#~ box->half[k] ->> b
#= gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(box->center[k]))
#= gz_f8 sum = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(box->half[k]))
#~ d ->> far
#~ sum ->> near
#= gz_f8_sub(d, sum)
#@ src/narrow/points/point_lanes.inl near_along_axes 24
#? gz_f8 along = dot_lanes(d, spread_point(b->axis[j])), most = gz_f8_all(b->half[j] + slack)
#~ b->half[j] ->> own
#~ slack ->> extra
#= most = gz_f8_all(b->half[j] + slack)
#~ most ->> most
#~ half[k] ->> h0
#~ b->abs_axis[j][k] ->> g0
#= most = gz_f8_add(most, gz_f8_mul(gz_f8_load(half[k]), gz_f8_all(b->abs_axis[j][k])))
#~ half[k] ->> h1
#~ b->abs_axis[j][k] ->> g1
#= most = gz_f8_add(most, gz_f8_mul(gz_f8_load(half[k]), gz_f8_all(b->abs_axis[j][k])))
#~ half[k] ->> h2
#~ b->abs_axis[j][k] ->> g2
#= most = gz_f8_add(most, gz_f8_mul(gz_f8_load(half[k]), gz_f8_all(b->abs_axis[j][k])))
#@ src/mesh/bvh/triangle_lanes.h dot_lanes 24
#~ a.x ->> d0
#~ a.y ->> d1
#~ a.z ->> d2
#~ b.x ->> n0
#~ b.y ->> n1
#~ b.z ->> n2
#= return gz_f8_add(gz_f8_add(gz_f8_mul(a.x, b.x), gz_f8_mul(a.y, b.y)), gz_f8_mul(a.z, b.z))
#@ src/narrow/points/point_pair.inl axis_near 24
#~ dot_lanes(d, along) ->> dot
#~ p->inverse ->> over
#= gz_f8 t = gz_f8_mul(dot_lanes(d, along), gz_f8_all(p->inverse))
#? d = sub_lanes(d, scale_lanes(along, t))
#@ src/mesh/bvh/triangle_lanes.h scale_lanes 24
#~ a.x ->> way
#~ s ->> part
#= gz_f8_mul(a.x, s)
#@ src/mesh/bvh/triangle_lanes.h sub_lanes 24
#~ a.x ->> start
#~ b.x ->> foot
#= gz_f8_sub(a.x, b.x)
#@ src/narrow/points/point_pair.c prepare_curved 53
#? p->inverse = square > 1e-30 ? (float)(1 / square) : 0
#? if (!(square > 1e-30)) threshold += 2 * sqrt(square)
#~ square ->> area
#= 2 * sqrt(square)
#@ src/narrow/points/point_pair.c padded_threshold 53
#~ size ->> one
#= 64 * 0x1p-24 * size
C = (c0 * r0 + c1 * r1) + c2 * r2;
H = (h0 * q0 + h1 * q1) + h2 * q2;
M = (((own + extra) + h0 * q0) + h1 * q1) + h2 * q2;
E = (d0 * n0 + d1 * n1) + d2 * n2;
D = (e0 * m0 + e1 * m1) + e2 * m2;
W = way * part;
{ f0 -/ r0 in [-1b-24,1b-24] /\ f1 -/ r1 in [-1b-24,1b-24] /\ f2 -/ r2 in [-1b-24,1b-24] /\ shift -/ place in [-1b-24,1b-24] /\ |c0 * r0| <= 0.5774 /\ |c1 * r1| <= 0.5774
  /\ |c2 * r2| <= 0.5774 /\ |c0 * r0 + c1 * r1| <= 1 /\ |C| <= 1 /\ |place| <= 1 /\ |C + place| <= 1 -> |result - (C + place)| <= 17b-25 }
{ g0 -/ q0 in [-1b-24,1b-24] /\ g1 -/ q1 in [-1b-24,1b-24] /\ g2 -/ q2 in [-1b-24,1b-24] /\ h0 * q0 in [0,0.5774] /\ h1 * q1 in [0,0.5774] /\ h2 * q2 in [0,0.5774]
  /\ h0 * q0 + h1 * q1 in [0,1] /\ H in [0,1] -> |half_3 - H| <= 6b-24 }
{ |at - off| <= 1 -> |result_2 - (at - off)| <= 1b-24 }
{ a in [0,1] /\ b in [0,1] /\ a + b in [0,1] -> |sum - (a + b)| <= 1b-24 }
{ |far - near| <= 1 -> |result_3 - (far - near)| <= 1b-24 }
{ g0 -/ q0 in [-1b-24,1b-24] /\ g1 -/ q1 in [-1b-24,1b-24] /\ g2 -/ q2 in [-1b-24,1b-24] /\ h0 * q0 in [0,1] /\ h1 * q1 in [0,1] /\ h2 * q2 in [0,1]
  /\ own + extra in [0,1] /\ (own + extra) + h0 * q0 in [0,1] /\ ((own + extra) + h0 * q0) + h1 * q1 in [0,1] /\ M in [0,1] -> |most_4 - M| <= 11b-24 }
{ |d0 * n0| <= 1 /\ |d1 * n1| <= 1 /\ |d2 * n2| <= 1 /\ |d0 * n0 + d1 * n1| <= 1 /\ |E| <= 1 -> |result_4 - E| <= 6b-24 }
{ |d0 - e0| <= 2b-24 /\ |d1 - e1| <= 2b-24 /\ |d2 - e2| <= 2b-24 /\ n0 -/ m0 in [-1b-24,1b-24] /\ n1 -/ m1 in [-1b-24,1b-24] /\ n2 -/ m2 in [-1b-24,1b-24]
  /\ |n0| <= 1 /\ |n1| <= 1 /\ |n2| <= 1 /\ |e0| <= 1 /\ |e1| <= 1 /\ |e2| <= 1 /\ |e0 * m0| <= 1 /\ |e1 * m1| <= 1 /\ |e2 * m2| <= 1 -> |E - D| <= 10b-24 }
E - D -> (d0 - e0) * n0 + e0 * (n0 - m0) + (d1 - e1) * n1 + e1 * (n1 - m1) + (d2 - e2) * n2 + e2 * (n2 - m2);
{ over in [1,1] /\ real in [0.9999998,1.0000002] /\ |dot - exact| <= 6b-24 /\ |exact| <= 1 -> |t - exact| <= 8b-24 }
t - exact -> (t - dot * over) + (dot * over - dot) + (dot - exact);
dot * over - dot -> dot * (over - 1);
{ |W| <= 1 /\ |start| <= 1.000001 /\ |foot - W| <= 1b-24 /\ |start - W| <= 1 -> |result_5 - W| <= 1b-24 /\ |result_6 - (start - W)| <= 33b-28 }
result_6 - (start - W) -> (result_6 - (start - foot)) - (foot - W);
{ x in [-35b-25,35b-25] -> sqrt(x * x + x * x + x * x) + 2b-24 <= 33b-24 }
{ x in [-4b-24,4b-24] -> 10b-24 + sqrt(x * x + x * x + x * x) <= 17b-24 }
{ area in [0.999999,1.000001] -> result_7 >= 1.9999 }
{ one in [1,1] -> result_8 >= 63b-24 }
