# Points of a proxy in the other frame, in units of S (kernel.c), u = 2^-24, against `error`, 24 u and more (tree_pads), and `pad`, 64 u and
# more. Hypotheses as in tree_vertex. sticks_out(): a vertex's distance from a middle, a coordinate, 12 u, of two errors. move_group():
# 9.5 u a coordinate, and u more for the middle: of two errors in samples_enter(), and in pose_inner() of a ball or box, as a vector 18.2 u,
# with a point of an edge (edges_inside(): 6 u a coordinate) 29 u, with the foot in a triangle (nearest_ways(): 12 u, and u of a corner) 41 u. box_of_mesh(): its
# middle 9.5 u, of the pad. query_balls(): the place in a cell, in units of the lattice's length: 5 u.
#@ src/narrow/kernel.c gz_proxy_pair_grow 53
#~ error ->> 0
#~ margin ->> 0
#~ size ->> unit
#= error + 24 * 0x1p-24 * size
#= 64 * 0x1p-24 * (size + margin)
#@ src/narrow/prefilter/component_pair.inl sticks_out 24
#~ p->r[k][0] ->> s0
#~ p->r[k][1] ->> s1
#~ p->r[k][2] ->> s2
#~ x[0] ->> x0
#~ x[1] ->> x1
#~ x[2] ->> x2
#= float at = (p->r[k][0] * x[0] + p->r[k][1] * x[1]) + p->r[k][2] * x[2]
#~ p->t[k] ->> shift
#~ proxy->center[k] ->> middle
#= at + (p->t[k] - proxy->center[k])
#~ p->error ->> error
#= 2 * p->error
#@ src/narrow/prefilter/component_pair.inl samples_enter 24
#~ p->error ->> error
#= 2 * p->error
#~ at.x[k] ->> place
#~ proxy->center[k] ->> middle
#= gz_f8_sub(at.x[k], gz_f8_all(proxy->center[k]))
#@ src/narrow/prefilter/component_pair.inl pose_inner 24
#~ p->error ->> error
#= 2 * p->error
#@ src/narrow/prefilter/cell_lanes.h move_group 24
#~ madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]) ->> gz_f8_muladd(x2, s2, gz_f8_muladd(x1, s1, gz_f8_muladd(x0, s0, shift)))
#= out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]); i=0
#@ src/narrow/prefilter/cell_lanes.h madd 24
#? return gz_f8_muladd(a, gz_f8_all(b), sum)
#@ src/narrow/prefilter/component_pair.inl edges_inside 24
#~ b->x ->> to
#~ a->x ->> start
#= way[0] = gz_f8_sub(b->x, a->x)
#~ t ->> part
#~ way[k] ->> way_0
#~ from[k] ->> start
#= x[k] = gz_f8_muladd(t, way[k], from[k]); k=0
#@ src/mesh/bvh/triangle_lanes.h nearest_ways 24
#~ d[0].x ->> near
#~ e[0].x ->> along
#~ e[2].x ->> across
#~ s ->> part
#~ t ->> rest
#= gz_f8_sub(gz_f8_add(d[0].x, gz_f8_mul(s, e[0].x)), gz_f8_mul(t, e[2].x))
#@ src/narrow/prefilter/component_pair.inl box_of_mesh 24
#? box.half[i] = p->pad
#~ box.center[i] ->> c0
#~ p->r[i][j] ->> s0
#~ mesh->center[j] ->> x0
#= box.center[i] += p->r[i][j] * mesh->center[j]; i=0 j=0
#~ box.center[i] ->> box_center_0
#~ p->r[i][j] ->> s1
#~ mesh->center[j] ->> x1
#= box.center[i] += p->r[i][j] * mesh->center[j]; i=0 j=1
#~ box.center[i] ->> box_center_0_2
#~ p->r[i][j] ->> s2
#~ mesh->center[j] ->> x2
#= box.center[i] += p->r[i][j] * mesh->center[j]; i=0 j=2
#@ src/narrow/prefilter/cell_lanes.h query_balls 24
#~ p->x[k] ->> place
#~ map->low[k] ->> low
#~ inverse ->> over
#= gz_f8 c = gz_f8_mul(gz_f8_sub(p->x[k], gz_f8_all(map->low[k])), inverse)
#~ c ->> c
#~ 0.5f ->> half
#= c = gz_f8_sub(c, gz_f8_all(0.5f))
P = (r0 * v0 + r1 * v1) + r2 * v2;
A = x2 * s2 + (x1 * s1 + (x0 * s0 + shift));
T = v2 * r2 + (v1 * r1 + (v0 * r0 + t));
B = ((t + r0 * x0) + r1 * x1) + r2 * x2;
F = part * (to - start) + start;
N = (near + part * (b - a)) - rest * (d - g);
O = (place - low) * one;
{ s0 -/ r0 in [-1b-24,1b-24] /\ s1 -/ r1 in [-1b-24,1b-24] /\ s2 -/ r2 in [-1b-24,1b-24] /\ x0 -/ v0 in [-1b-24,1b-24] /\ x1 -/ v1 in [-1b-24,1b-24] /\ x2 -/ v2 in [-1b-24,1b-24]
  /\ shift -/ t in [-1b-24,1b-24] /\ |t| <= 1 /\ |r0 * v0| <= 0.57735028 /\ |r1 * v1| <= 0.57735028 /\ |r2 * v2| <= 0.57735028 /\ |r0 * v0 + r1 * v1| <= 1.000001 /\ |P| <= 1.000001
  /\ |middle| <= 0.57735028 /\ |t - middle| <= 1 /\ |P + (t - middle)| <= 1.000001 -> |result_3 - (P + (t - middle))| <= 12b-24 }
{ |x0 * s0| <= 0.5774 /\ |x1 * s1| <= 0.5774 /\ |x2 * s2| <= 0.5774 /\ |x0 * s0 + shift| <= 1.000001 /\ |x1 * s1 + (x0 * s0 + shift)| <= 1.000001 /\ |A| <= 1.000001
  -> |out_x_0 - A| <= 5b-24 }
{ s0 -/ r0 in [-1b-24,1b-24] /\ s1 -/ r1 in [-1b-24,1b-24] /\ s2 -/ r2 in [-1b-24,1b-24] /\ x0 -/ v0 in [-1b-24,1b-24] /\ x1 -/ v1 in [-1b-24,1b-24] /\ x2 -/ v2 in [-1b-24,1b-24]
  /\ shift -/ t in [-1b-24,1b-24] /\ |t| <= 1 /\ |v0 * r0| <= 0.57735028 /\ |v1 * r1| <= 0.57735028 /\ |v2 * r2| <= 0.57735028 -> |A - T| <= 9b-25 }
{ |place - middle| <= 1.00001 -> |result_6 - (place - middle)| <= 33b-29 }
{ part in [0,1] /\ |to - start| <= 2 /\ |start| <= 1 /\ |F| <= 1 -> |x_0 - F| <= 6b-24 }
{ along -/ (b - a) in [-1b-24,1b-24] /\ across -/ (d - g) in [-1b-24,1b-24] /\ |b - a| <= 2 /\ |d - g| <= 2 /\ |near| <= 1 /\ part in [0,1] /\ rest in [0,1]
  /\ |near + part * (b - a)| <= 2 /\ |N| <= 1 -> |result_8 - N| <= 12b-24 }
{ s0 -/ r0 in [-1b-24,1b-24] /\ s1 -/ r1 in [-1b-24,1b-24] /\ s2 -/ r2 in [-1b-24,1b-24] /\ c0 -/ t in [-1b-24,1b-24] /\ |t| <= 1
  /\ |r0 * x0| <= 0.57735028 /\ |r1 * x1| <= 0.57735028 /\ |r2 * x2| <= 0.57735028 /\ |t + r0 * x0| <= 1.000001 /\ |(t + r0 * x0) + r1 * x1| <= 1.000001 /\ |B| <= 1.000001
  -> |box_center_0_3 - B| <= 19b-25 }
{ over -/ one in [-1b-24,1b-24] /\ one in [1,1] /\ |place - low| <= 1 /\ half in [0,0.1] /\ |O - half| <= 1 -> |c_2 - (O - half)| <= 5b-24 }
{ unit in [1,1] -> result >= 3071b-31 /\ result_2 >= 8190b-31 }
{ error in [3071b-31,3073b-31] -> result_4 >= 6131b-31 /\ result_5 >= 6131b-31 /\ result_7 >= 6131b-31 }
{ x in [-21b-25,21b-25] /\ e in [-6b-24,6b-24] /\ f in [-13b-24,13b-24] -> sqrt(x * x + x * x + x * x) + sqrt(f * f + f * f + f * f) <= 41b-24 /\ sqrt(x * x + x * x + x * x) + sqrt(e * e + e * e + e * e) <= 29b-24 }
