# Triangles of two packets in an aimed frame, in float, in units of S (kernel.c), u = 2^-24. place_corners(): a corner 10 u of its magnitude's
# part of S; both sides' parts sum to S. A way between two points, with any weights from 0 to 1 (edge_ways(); face_way() has a sum of two, too): 8 u. So it is
# off by 18 u a coordinate, as a vector 31.2 u, of twice 24 u less its rounding (lower_limit()). Along a way n, in units of |n|_1: corners 10 u, products 6 u of the
# same parts, their difference u: 17 u, of the 23 u that |n|_1 times the pad is at least (measure_row()).
#@ src/narrow/distance/tree_distance.inl place_corners 24
#? out[corner] = gz_f8_all(shift)
#~ packet->vertex[corner][j] ->> x0
#~ row[j] ->> f0
#~ out[corner] ->> shift
#= out[corner] = gz_f8_muladd(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(row[j]), out[corner]); corner=0
#~ packet->vertex[corner][j] ->> x1
#~ row[j] ->> f1
#~ out[corner] ->> out_0
#= out[corner] = gz_f8_muladd(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(row[j]), out[corner]); corner=0
#~ packet->vertex[corner][j] ->> x2
#~ row[j] ->> f2
#~ out[corner] ->> out_0_2
#= out[corner] = gz_f8_muladd(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(row[j]), out[corner]); corner=0
#@ src/mesh/bvh/triangle_lanes.h sub_lanes 24
#~ a.x ->> a
#~ b.x ->> b
#= gz_f8_sub(a.x, b.x)
#@ src/narrow/distance/tree_distance.inl edge_ways 24
#? keep_way(best, go_along(go_along(r, s, e), gz_f8_sub(zero, t), f))
#@ src/narrow/distance/tree_distance.inl face_way 24
#? lanes3 way = go_along(go_along(d, gz_f8_sub(zero, s), e[0]), t, e[2])
#@ src/narrow/distance/tree_distance.inl go_along 24
#~ t ->> s
#~ e.x ->> e
#~ p.x ->> r
#= gz_f8_muladd(t, e.x, p.x)
#~ t ->> w
#~ e.x ->> f
#~ p.x ->> result_2
#= gz_f8_muladd(t, e.x, p.x)
#@ src/mesh/bvh/triangle_lanes.h dot_lanes 24
#~ a.x ->> n0
#~ a.y ->> n1
#~ a.z ->> n2
#~ b.x ->> v0
#~ b.y ->> v1
#~ b.z ->> v2
#= return gz_f8_add(gz_f8_add(gz_f8_mul(a.x, b.x), gz_f8_mul(a.y, b.y)), gz_f8_mul(a.z, b.z))
#@ src/narrow/distance/tree_distance.inl measure_row 24
#~ gz_f8_abs(best.way.x) ->> x
#~ gz_f8_abs(best.way.y) ->> y
#~ gz_f8_abs(best.way.z) ->> z
#= gz_f8 size = gz_f8_add(gz_f8_abs(best.way.x), gz_f8_add(gz_f8_abs(best.way.y), gz_f8_abs(best.way.z)))
#~ size ->> sum
#~ s->pair.triangle_pad ->> least
#= gz_f8 pad = gz_f8_mul(size, gz_f8_all(s->pair.triangle_pad))
#~ low ->> low
#~ high ->> high
#= gz_f8_sub(low, high)
A = x2 * f2 + (x1 * f1 + (x0 * f0 + shift));
T = x2 * r2 + (x1 * r1 + (x0 * r0 + t));
P = s * e + r;
Q = s * e0 + r0;
U = w * f + result_2;
V = w * g0 + Q;
D = (n0 * v0 + n1 * v1) + n2 * v2;
Z = x + (y + z);
{ |x0 * f0| <= 0.5774 /\ |x1 * f1| <= 0.5774 /\ |x2 * f2| <= 0.5774 /\ |x0 * f0 + shift| <= 1.000001 /\ |x1 * f1 + (x0 * f0 + shift)| <= 1.000001 /\ |A| <= 1.000001 -> |out_0_3 - A| <= 5b-24 }
{ f0 -/ r0 in [-1b-24,1b-24] /\ f1 -/ r1 in [-1b-24,1b-24] /\ f2 -/ r2 in [-1b-24,1b-24] /\ x0 -/ v0 in [-1b-24,1b-24] /\ x1 -/ v1 in [-1b-24,1b-24] /\ x2 -/ v2 in [-1b-24,1b-24]
  /\ shift -/ t in [-1b-24,1b-24] /\ |t| <= 1 /\ |v0 * r0| <= 0.57735028 /\ |v1 * r1| <= 0.57735028 /\ |v2 * r2| <= 0.57735028 -> |A - (v2 * r2 + (v1 * r1 + (v0 * r0 + t)))| <= 9b-25 }
{ |a - b| <= 1 -> |result - (a - b)| <= 1b-24 }
{ e -/ e0 in [-1b-24,1b-24] /\ |r - r0| <= 1b-24 /\ |s| <= 1 /\ |e0| <= 1.155 /\ |s * e0| <= 1.155 /\ |r0| <= 1 /\ |Q| <= 1 -> |P - Q| <= 9b-26 /\ |result_2 - P| <= 9b-26 }
P - Q -> s * (e - e0) + (r - r0);
{ f -/ g0 in [-1b-24,1b-24] /\ |result_2 - Q| <= 18b-26 /\ |w| <= 1 /\ |g0| <= 1.155 /\ |w * g0| <= 1.155 /\ |Q| <= 1 /\ |V| <= 1 -> |U - V| <= 23b-26 /\ |result_3 - U| <= 9b-26 }
U - V -> w * (f - g0) + (result_2 - Q);
{ |n0 * v0| <= 1 /\ |n1 * v1| <= 1 /\ |n2 * v2| <= 1 /\ |n0 * v0 + n1 * v1| <= 1 /\ |D| <= 1 -> |result_4 - D| <= 6b-24 }
{ x in [0,1] /\ y in [0,1] /\ z in [0,1] /\ y + z in [0,1] /\ Z in [1,1] -> size >= 0.9999998 }
{ sum in [0.9999998,1.0000002] /\ least in [24b-24,25b-24] -> pad >= 23b-24 }
{ |low - high| <= 1.00001 -> |result_5 - (low - high)| <= 33b-29 }
{ q in [-18b-24,18b-24] -> sqrt(q * q + q * q + q * q) <= 32b-24 }
