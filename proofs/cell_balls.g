# query_balls(): a radius in cells from above, in units of it; a value in cells from below, for a unit that is a sixth of a cell less
# 1e-6 of it (mesh_floats); the square of a distance from the middle of a cell, in units of it; the square of what is left, likewise.
# gz_near_aim(): a coordinate of a direction, whose rounded frame is u off, from below. A hull's packets: three pads.
#@ src/narrow/prefilter/cell_lanes.h query_balls 24
#~ radius ->> one
#= radius = gz_f8_mul(gz_f8_mul(radius, inverse), gz_f8_all(GZ_ROUND_UP))
#~ square ->> 0
#~ d ->> x
#= square = gz_f8_add(square, gz_f8_mul(d, d))
#~ square ->> square
#~ d ->> y
#= square = gz_f8_add(square, gz_f8_mul(d, d))
#~ d ->> z
#= square = gz_f8_add(square, gz_f8_mul(d, d))
#~ GZ_CLEARANCE_PER_CELL ->> 6
#= gz_f8 per_cell = gz_f8_all(GZ_ROUND_DOWN / GZ_CLEARANCE_PER_CELL)
#~ values ->> six
#= gz_f8_mul(values, per_cell)
#~ gz_f8_max(rest, gz_f8_all(0)) ->> one
#~ rest ->> one
#= gz_f8 rest2 = gz_f8_mul(rest, gz_f8_max(rest, gz_f8_all(0)))
#@ src/narrow/distance/shape_distance.c gz_near_aim 24
#~ s->frame[k][2][i] ->> axis
#= s->frame[k][2][i] * (1 - 1e-6f)
S = (x * x + y * y) + z * z;
{ one in [1,1] /\ inverse in [0.99999994,1] -> radius >= 1.0000095 /\ rest2 <= 1.0000001 }
{ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60] -> square_3 -/ S in [-4b-24,4b-24] }
{ six in [6,6] -> result <= 0.9999902 }
{ axis in [0,1.00000007] -> result_2 <= 0.9999993 }
