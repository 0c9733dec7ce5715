# Boxes of configuration spaces and motions of planar arms, outward, in doubles, in units of what each stands for. gz_map_half(): half
# a part of a grid, whose quotient and product round as they do by 1; its second term, in units of the corners, holds a place's rounding.
# prove(): half of a half, and u of the place. collect_row(): a gap of two numbers along y, in units of their sizes. middle_of(): the
# middle and part of a change, in units of the greater end.
#@ src/planar/cspace/planar_map.c gz_map_half 53
#~ r[0][1] ->> high
#~ r[0][0] ->> low
#~ m->width ->> one
#~ wide ->> one
#= double x = 0.5 * (r[0][1] - r[0][0]) / m->width * wide
#~ x ->> half
#~ (fabs(r[0][0]) + fabs(r[0][1])) ->> ends
#= x * (1 + 0x1p-48) + 0x1p-50 * (fabs(r[0][0]) + fabs(r[0][1]))
#@ src/planar/cspace/planar_map.c prove 53
#~ half.x ->> one
#~ fabs(at.x) ->> place
#= 0.5 * half.x * (1 + 0x1p-48) + 0x1p-50 * fabs(at.x)
#@ src/planar/cspace/cspace_obstacle.c collect_row 53
#~ m->away ->> 0
#~ (fabs(y) + fabs(box->min.y) + fabs(box->max.y)) ->> sizes
#= double slack = m->away + 0x1p-48 * (fabs(y) + fabs(box->min.y) + fabs(box->max.y))
#@ src/planar/cspace/planar_path.c middle_of 53
#~ to[i] ->> b
#~ from[i] ->> a
#= double change = to[i] - from[i]
#~ fmax(fabs(from[i]), fabs(to[i])) ->> one
#= 0x1p-50 * fmax(fabs(from[i]), fabs(to[i]))
#= q[i] = from[i] + middle * change; i=0
#~ fabs(change) ->> way
#~ slack ->> 0
#= part * fabs(change) * (1 + 0x1p-48) + slack
D = high - low;
{ D in [1,1] /\ one in [1,1] -> x in [4503599627370493b-53,4503599627370499b-53] }
{ half in [9007199254740986b-53,1] /\ ends in [0,0] -> result >= 9007199254741012b-53 }
{ half in [0,0] /\ ends in [1,1] -> result >= 7b-53 }
{ one in [0,0] /\ place in [1,1] -> result_2 >= 7b-53 }
{ one in [1,1] /\ place in [0,0] -> result_2 >= 0.5000000000000006 }
{ sizes in [1,1] -> slack >= 31b-53 }
{ |a| <= 1 /\ |b| <= 1 /\ |b - a| <= 2 /\ middle in [0,1] /\ |a + middle * (b - a)| <= 1 -> |q_0 - (a + middle * (b - a))| <= 6b-53 }
{ one in [1,1] -> result_3 >= 7b-53 }
{ part in [1,1] /\ way in [0.9999999999999998,1] -> result_4 >= 1 }
