# beyond_squares(): the height over a triangle's plane from below, in float, in units of N = |e0| |e1| and of |d| = 1, u = 2^-24; what
# underflows is treated beside the source. A coordinate of the normal is a difference of two terms whose magnitudes b and 1 - b sum to 1 at most; with
# the edges' rounding it is 4.2 u off, as a vector 7.4 u. Its product with d: 7.4 u of it, and 6 u in products and sums: 13.4 u, below the
# 14 u that are taken off at least. The length of the normal, 7.4 u and a few u of itself, is below `bottom`, which has 7.9 u of N more and is
# u of itself off; 2^-19 of the height's square holds what is off in proportion. The inradius's square from above, (|n|^2 + (8 u N)^2) / 2 longest^2:
# 4 u of |n|^2, 9 u of N^2, 6 u of the edge and 3 u in sum and quotient, 20 u in all of it; the edge's square from below, 6 u off. An
# edge whose square is below the least divisor is shorter than 1.1e-15 m, of the 2^-29 m that underflow may take: any of its points will do.
#@ src/mesh/bvh/triangle_lanes.h cross_lanes 24
#~ a.y ->> ay
#~ b.z ->> bz
#~ a.z ->> az
#~ b.y ->> by
#= gz_f8_sub(gz_f8_mul(a.y, b.z), gz_f8_mul(a.z, b.y))
#@ src/mesh/bvh/triangle_lanes.h dot_lanes 24
#~ a.x ->> n0
#~ a.y ->> n1
#~ a.z ->> n2
#~ b.x ->> d0
#~ b.y ->> d1
#~ b.z ->> d2
#= return gz_f8_add(gz_f8_add(gz_f8_mul(a.x, b.x), gz_f8_mul(a.y, b.y)), gz_f8_mul(a.z, b.z))
#@ src/mesh/bvh/triangle_lanes.h edges_seen_from 24
#? gz_f8_max(dot_lanes(e, e), gz_f8_all(1e-30f))
#? t = gz_f8_min(gz_f8_max(t, zero), one)
#~ gz_f8_all(1e-30f) ->> 1e-30f
#= gz_f8_all(1e-30f)
#@ src/mesh/bvh/triangle_lanes.h beyond_squares 24
#~ dot_lanes(seen.e[0], seen.e[0]) ->> first
#~ dot_lanes(seen.e[1], seen.e[1]) ->> second
#= gz_f8 square = gz_f8_mul(dot_lanes(seen.e[0], seen.e[0]), dot_lanes(seen.e[1], seen.e[1]))
#~ square ->> area
#= size = gz_f8_sqrt(square)
#~ dot_lanes(seen.d[0], seen.d[0]) ->> far
#= gz_f8 way = gz_f8_sqrt(dot_lanes(seen.d[0], seen.d[0]))
#~ size ->> N
#~ way ->> d
#= gz_f8_mul(gz_f8_mul(size, way), gz_f8_all(0x1p-20f))
#~ gz_f8_abs(dot_lanes(n, seen.d[0])) ->> along
#= gz_f8 top = gz_f8_sub(gz_f8_abs(dot_lanes(n, seen.d[0])), gz_f8_mul(gz_f8_mul(size, way), gz_f8_all(0x1p-20f)))
#? gz_f8 zero = gz_f8_all(0), tiny = gz_f8_all(1e-36f), outside = zero, longest = zero
#~ n2 ->> n2
#~ area ->> area
#= gz_f8 inner = gz_f8_add(n2, gz_f8_mul(square, gz_f8_all(0x1p-42f)))
#~ inner ->> most
#~ gz_f8_max(gz_f8_add(longest, longest), tiny) ->> doubled
#= inner = gz_f8_div(inner, gz_f8_max(gz_f8_add(longest, longest), tiny))
#~ seen.best.square ->> edge2
#~ inner ->> inner2
#= gz_f8 bound = gz_f8_sub(gz_f8_mul(seen.best.square, gz_f8_all(1 - 0x1p-19f)), gz_f8_mul(inner, gz_f8_all(1 + 0x1p-19f)))
#~ gz_f8_sqrt(n2) ->> root
#= gz_f8 bottom = gz_f8_add(gz_f8_sqrt(n2), gz_f8_mul(size, gz_f8_all(0x1p-21f)))
#~ height ->> one
#= gz_f8_mul(gz_f8_mul(height, height), gz_f8_all(1 - 0x1p-19f))
p = real_ay * real_bz;
q = real_az * real_by;
P = mul_rel<24>(ay, bz);
Q = mul_rel<24>(az, by);
D = (n0 * d0 + n1 * d1) + n2 * d2;
K = mul_rel<24>(mul_rel<24>(N, d), 1b-20);
L = mul_rel<24>(N, 1b-21);
EA = mul_rel<24>(edge2, 524287b-19);
IA = mul_rel<24>(inner2, 524289b-19);
{ ay -/ real_ay in [-1b-24,1b-24] /\ bz -/ real_bz in [-1b-24,1b-24] /\ az -/ real_az in [-1b-24,1b-24] /\ by -/ real_by in [-1b-24,1b-24]
  /\ b in [0,1] /\ |p| - b <= 0 /\ |q| - (1 - b) <= 0 /\ |p| <= 1 /\ |q| <= 1 /\ |p - q| <= 1 -> |result - (p - q)| <= 67b-28 }
$ b in 32;
{ x in [-67b-28,67b-28] -> sqrt(x * x + x * x + x * x) <= 117b-28 }
{ |n0 * d0| <= 1.000001 /\ |n1 * d1| <= 1.000001 /\ |n2 * d2| <= 1.000001 /\ |n0 * d0 + n1 * d1| <= 1.000001 /\ |D| <= 1.000001 -> |result_2 - D| <= 6b-24 }
{ first in [0.9999993,1.0000007] /\ second in [0.9999993,1.0000007] -> square in [0.9999985,1.0000015] }
{ area in [0.9999985,1.0000015] /\ far in [0.9999996,1.0000004] -> size in [0.999999,1.000001] /\ way in [0.9999997,1.0000003] }
{ N in [0.999999,1.000001] /\ d in [0.9999997,1.0000003] /\ along in [0,1.00001] -> top - along <= -14b-24 }
top - along -> (top - (along - K)) - K;
{ N in [0.999999,1.000001] -> L >= 127b-28 }
{ root in [1b-40,1] /\ N in [1b-40,1] -> bottom -/ (root + L) in [-1b-24,1b-24] }
{ one in [1,1] -> result_5 <= 0.9999983 }
{ n2 in [1b-80,1b40] /\ area in [1b-80,1b40] -> inner -/ (n2 + area * 1b-42) in [-3b-24,3b-24] }
{ edge2 in [0.9999996,1.0000004] -> EA <= 1 }
{ inner2 in [0.9999988,1.0000012] -> IA >= 1 }
{ EA in [1b-80,1b40] /\ IA in [1b-80,1b40] -> sub_rel<24>(EA, IA) -/ (EA - IA) in [-1b-24,1b-24] }
{ x in [0,1.000001] -> sqrt(result_3 * x + 3b-150) <= 1.1e-15 /\ sqrt(result_3 * x + 3b-150) <= 1b-49 }
