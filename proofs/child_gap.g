# Distances of boxes along a direction n of length at most 1 (gz_near_aim(): cell_balls), in units of S, u = 2^-24. The sum of the magnitudes
# of n is at most sqrt 3, as 3 |n|^2 - (sum)^2 is a sum of squares. child_squares(): a box's centre along an axis of the node 8.5 u, its
# half extent 7 u, the distance u more; the products with n 6 u and 7 u, the gap 4 u: 17 u sqrt 3 + 17 u, below the 2 pads of 40 u
# used. prove_gap(): a gap of two hulls, 60 u of the magnitudes' sum (plane_gap) and 6 u for a length that is off by 4 u, against 4 pads, and
# likewise search_hulls(); lower_limit(): a way between two points (way_points) against 2 pads of triangles.
#@ src/narrow/distance/tree_distance.inl child_squares 24
#~ ahead ->> 0
#~ pad ->> one
#= ahead + 2 * pad
#~ pad ->> grown
#~ abs_r[i] ->> q
#~ box->half ->> size
#~ r[i] ->> r
#~ box->center ->> centre
#~ t[i] ->> shift
#= float c = ((r[i][0] * box->center[0] + r[i][1] * box->center[1]) + r[i][2] * box->center[2]) + t[i]
#= float h = ((abs_r[i][0] * box->half[0] + abs_r[i][1] * box->half[1]) + abs_r[i][2] * box->half[2]) + pad
#~ node->center[i] ->> middle
#~ c ->> place
#= distance[i] = gz_f8_sub(gz_f8_load(node->center[i]), gz_f8_all(c)); i=0
#~ distance[i] ->> d0
#~ half[i] ->> e0
#~ n[i] ->> n0
#~ along ->> 0
#~ extent ->> 0
#= along = gz_f8_muladd(distance[i], gz_f8_all(n[i]), along)
#= extent = gz_f8_muladd(half[i], gz_f8_all(fabsf(n[i])), extent)
#~ along ->> along
#~ extent ->> extent
#~ distance[i] ->> d1
#~ half[i] ->> e1
#~ n[i] ->> n1
#= along = gz_f8_muladd(distance[i], gz_f8_all(n[i]), along)
#= extent = gz_f8_muladd(half[i], gz_f8_all(fabsf(n[i])), extent)
#~ distance[i] ->> d2
#~ half[i] ->> e2
#~ n[i] ->> n2
#= along = gz_f8_muladd(distance[i], gz_f8_all(n[i]), along)
#= extent = gz_f8_muladd(half[i], gz_f8_all(fabsf(n[i])), extent)
#~ along ->> way
#~ extent ->> ends
#~ ahead + 2 * pad ->> more
#= gz_f8 gap = gz_f8_sub(along, gz_f8_add(extent, gz_f8_all(ahead + 2 * pad)))
#@ src/narrow/distance/hull_distance.inl search_hulls 24
#~ s->pair.box_pad ->> one
#= const float pad = 4 * s->pair.box_pad
#@ src/narrow/distance/hull_distance.inl prove_gap 24
#~ s->pair.box_pad ->> one
#= 4 * s->pair.box_pad
#? pad = 2 * slack + 4 * s->pair.box_pad
#@ src/narrow/distance/tree_distance.inl lower_limit 24
#~ s->pair.triangle_pad ->> one
#= 2 * s->pair.triangle_pad
C = ((r0 * centre_0 + r1 * centre_1) + r2 * centre_2) + t;
H = ((q0 * size_0 + q1 * size_1) + q2 * size_2) + grown;
P = d2 * n2 + (d1 * n1 + d0 * n0);
E = e2 * |n2| + (e1 * |n1| + e0 * |n0|);
G = way - (ends + more);
s = a0 + a1 + a2;
nn = a0 * a0 + a1 * a1 + a2 * a2;
{ a0 in [0,1.0000002] /\ a1 in [0,1.0000002] /\ a2 in [0,1.0000002] /\ nn in [0,1.0000002] -> sqrt(s * s) <= 1.73206 }
s * s -> 3 * nn - ((a0 - a1) * (a0 - a1) + (a1 - a2) * (a1 - a2) + (a2 - a0) * (a2 - a0));
{ r_0 -/ r0 in [-1b-24,1b-24] /\ r_1 -/ r1 in [-1b-24,1b-24] /\ r_2 -/ r2 in [-1b-24,1b-24] /\ shift -/ t in [-1b-24,1b-24]
  /\ q_0 -/ q0 in [-1b-24,1b-24] /\ q_1 -/ q1 in [-1b-24,1b-24] /\ q_2 -/ q2 in [-1b-24,1b-24]
  /\ |r0 * centre_0| <= 0.57735028 /\ |r1 * centre_1| <= 0.57735028 /\ |r2 * centre_2| <= 0.57735028
  /\ |r0 * centre_0 + r1 * centre_1| <= 1.000001 /\ |(r0 * centre_0 + r1 * centre_1) + r2 * centre_2| <= 1.000001 /\ |t| <= 1 /\ |C| <= 1.000001
  /\ q0 * size_0 in [0,0.57735028] /\ q1 * size_1 in [0,0.57735028] /\ q2 * size_2 in [0,0.57735028] /\ grown in [0,0.00001]
  /\ q0 * size_0 + q1 * size_1 in [0,1.000001] /\ (q0 * size_0 + q1 * size_1) + q2 * size_2 in [0,1.000001]
  -> |c - C| <= 17b-25 /\ |h - H| <= 14b-25 }
{ |middle - place| <= 1.00001 -> |distance_0 - (middle - place)| <= 33b-29 }
{ |d0 * n0| <= 1 /\ |d1 * n1| <= 1 /\ |d2 * n2| <= 1 /\ |d1 * n1 + d0 * n0| <= 1 /\ |P| <= 1
  /\ e0 * |n0| in [0,1] /\ e1 * |n1| in [0,1] /\ e2 * |n2| in [0,1] /\ e1 * |n1| + e0 * |n0| in [0,1] /\ E in [0,1]
  -> |along_3 - P| <= 6b-24 /\ |extent_3 - E| <= 7b-24 }
{ |way| <= 1 /\ ends in [0,1] /\ more in [0,1] /\ ends + more in [0,1] /\ |G| <= 1 -> |gap - G| <= 4b-24 }
{ one in [1,1] -> result >= 1.99999 /\ pad >= 3.99999 /\ result_2 >= 3.99999 /\ result_3 >= 1.99999 }
{ one in [40b-24,41b-24] /\ s1 in [0,1.73206] -> result - (s1 * (17b-25 + 14b-25 + 33b-29) + 17b-24) >= 32b-24 /\ result_2 - (s1 * 60b-24 + 6b-24) >= 49b-24 /\ pad - (s1 * 60b-24 + 6b-24) >= 49b-24 }
