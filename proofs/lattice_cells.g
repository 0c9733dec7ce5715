# Cells that a triangle comes near, in units of a cell, along an axis d whose sum of magnitudes is 1: what rounds, against 0.01 PAD = 2^-12.3
# to spare in HALF, find_range() and PAD. A corner is off by 2^-38 (it lies below 2^12 cells: step > 2^-12 of the mesh's size). The product
# of axis and corner, the ends of its interval and a row's place in units of 1 / d_x, which scales all of them: 2^-36. A row along which d_x is
# below FLAT counts as constant: 2^12 FLAT. The lattice's own corner, as a float, moves by 2^-12 of a cell at most (choose_lattice()), of the
# cell and a half around the mesh; what queries add to that is in their pads: place_map() takes 0.9 PAD.
#@ src/mesh/prefilter/lattice.c - 53
#? #define PAD 0.02
#? #define HALF (0.5 + 2.01 * PAD)
#? #define FLAT 0x1p-30
#~ PAD ->> 0.02
#= 0.5 + 2.01 * PAD
#@ src/mesh/prefilter/lattice.c find_range 53
#~ PAD ->> 0.02
#~ low ->> edge
#~ high ->> edge
#= low - 2.01 * PAD
#= high + 2.01 * PAD
#@ src/mesh/prefilter/lattice.c choose_lattice 53
#? if (!(b->step > 0x1p-12 * b->mesh->max_abs) || !(b->step > 1e-12)) return false
#~ b->step ->> one
#~ PAD ->> 0.02
#= b->pad = PAD * b->step
#~ (low[k] - 1.5 * b->step) ->> outer
#= (double)(float)(low[k] - 1.5 * b->step)
#@ src/mesh/prefilter/cell_map.c place_map 53
#~ b->pad ->> pad
#= (float)(0.9 * b->pad)
#@ src/mesh/prefilter/lattice.c mark_triangles 53
#? const double inverse = 1 / b->step
#~ v[k] ->> v
#~ b->low[k] ->> corner
#~ inverse ->> over
#= c[i][k] = (v[k] - b->low[k]) * inverse; i=0 k=0
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> d0
#~ a[1] ->> d1
#~ a[2] ->> d2
#~ b[0] ->> x
#~ b[1] ->> y
#~ b[2] ->> z
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/mesh/prefilter/lattice.c add_axis 53
#? double p0 = gz_dot(d, c[0]), p1 = gz_dot(d, c[1]), p2 = gz_dot(d, c[2])
#~ HALF ->> 0.5402
#~ length ->> length
#= double extent = HALF * length
#~ d[0] ->> d0
#~ d[1] ->> d1
#~ d[2] ->> d2
#= middle = 0.5 * (d[0] + d[1] + d[2])
#~ (p2 < low ? p2 : low) ->> p
#~ (p2 > high ? p2 : high) ->> p
#= low = (p2 < low ? p2 : low) - extent - middle
#= high = (p2 > high ? p2 : high) + extent - middle
#? if (fabs(d[0]) <= FLAT * length)
#~ inverse ->> unit
#~ (inverse > 0 ? low : high) ->> end
#= r->along[i].first = (inverse > 0 ? low : high) * inverse; i=0
#= r->along[i].y = -d[1] * inverse; i=0
#= r->along[i].z = -d[2] * inverse; i=0
#~ fabs(inverse) ->> unit
#~ (high - low) ->> wide
#= r->along[i].width = (high - low) * fabs(inverse); i=0
#@ src/mesh/prefilter/lattice.c cut_row 53
#~ r->along[i].first ->> r_along_0_first
#~ r->along[i].y ->> r_along_0_y
#~ r->along[i].z ->> r_along_0_z
#~ y ->> row
#~ z ->> column
#= double first = r->along[i].first + (r->along[i].y * y + r->along[i].z * z)
#~ first ->> first
#~ r->along[i].width ->> r_along_0_width
#= double last = first + r->along[i].width
D = (d0 * x + d1 * y) + d2 * z;
C = (v - corner) * 1;
A = mul_rel<53>(r_along_0_y, row);
B = mul_rel<53>(r_along_0_z, column);
G = add_rel<53>(A, B);
R = end - d1 * row - d2 * column;
Z = R + wide;
{ edge in [-0.0000001,0.0000001] -> result in [0.54019999,0.5402001] /\ result_2 <= -0.0401 /\ result_3 >= 0.0401 }
{ one in [1,1] -> b_pad in [0.01999999,0.02000001] }
{ pad in [1,1] -> result_5 in [0.8999999,0.9000001] }
{ |v - corner| <= 1b12 /\ over in [9007199254740991b-53,9007199254740993b-53] -> |c_0_0 - C| <= 1b-38 }
{ |d0| <= 1 /\ |d1| <= 1 /\ |d2| <= 1 /\ |x| <= 1b12 /\ |y| <= 1b12 /\ |z| <= 1b12 /\ |d0 * x + d1 * y| <= 1b12 /\ |D| <= 1b12 -> |result_6 - D| <= 1b-38 }
{ |d0| <= 1 /\ |d1| <= 1 /\ |d2| <= 1 /\ |d0 + d1| <= 1 /\ |d0 + d1 + d2| <= 1 /\ length in [0.99999999,1.00000001] /\ |p| <= 4097
  -> |low - (p - extent - middle)| <= 1b-38 /\ |high - (p + extent - middle)| <= 1b-38 }
{ |end| <= 4100 /\ |d1| <= 1 /\ |d2| <= 1 /\ row in [0,4096] /\ column in [0,4096] /\ |R| <= 8196 /\ wide in [0,8200] /\ |Z| <= 16400 /\ unit in [9007199254740991b-53,9007199254740993b-53]
  -> |first - R| <= 1b-37 /\ |last - Z| <= 1b-36 }
first - R -> (first - (r_along_0_first + G)) + (r_along_0_first - end) + (G - (A + B)) + (A + d1 * row) + (B + d2 * column);
last - Z -> (last - (first + r_along_0_width)) + (first - R) + (r_along_0_width - wide);
r_along_0_first - end -> (r_along_0_first - end * unit) + end * (unit - 1);
r_along_0_width - wide -> (r_along_0_width - wide * unit) + wide * (unit - 1);
A + d1 * row -> (A - r_along_0_y * row) + (r_along_0_y + d1) * row;
B + d2 * column -> (B - r_along_0_z * column) + (r_along_0_z + d2) * column;
r_along_0_y + d1 -> (r_along_0_y - (-d1) * unit) - d1 * (unit - 1);
r_along_0_z + d2 -> (r_along_0_z - (-d2) * unit) - d2 * (unit - 1);
{ left in [0.000199,0.000201] -> left - 1b-18 - 1b-36 - 1b-37 - 1b-38 - 1b-38 >= 0.0001 }
{ |outer| <= 4098 -> |result_4 - outer * 1| <= 0.00025 }
