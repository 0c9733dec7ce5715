# Squares of lower bounds in the search for the nearest triangles, in units of the real ones: three gaps as floats, each of which
# the pad has made less than the real one (kernel.c), summed by add_gap(), and the factor of each function. A gap that is not
# positive adds 0. And limits, squared, from above, the gap of two hulls from below.
#@ src/mesh/bvh/triangle_lanes.h add_gap 24
#? gz_f8 positive = gz_f8_max(gap, gz_f8_all(0))
#~ sum ->> 0
#~ positive ->> x
#= gz_f8_add(sum, gz_f8_mul(positive, positive))
#@ src/mesh/bvh/triangle_lanes.h add_gap 24
#~ sum ->> result
#~ positive ->> y
#= gz_f8_add(sum, gz_f8_mul(positive, positive))
#@ src/mesh/bvh/triangle_lanes.h add_gap 24
#~ sum ->> result_2
#~ positive ->> z
#= gz_f8_add(sum, gz_f8_mul(positive, positive))
#@ src/narrow/distance/tree_distance.inl child_squares 24
#? own = add_gap(own, gz_f8_sub(gz_f8_abs(distance[i]), gz_f8_add(half[i], gz_f8_all(h))))
#? down = gz_f8_all(GZ_ROUND_DOWN_FEW)
#~ gz_f8_max(square, other) ->> result_3
#~ square ->> result_3
#~ down ->> GZ_ROUND_DOWN_FEW
#= return gz_f8_mul(square, down)
#? other = add_gap(other, gz_f8_sub(gz_f8_abs(p), h))
#= return gz_f8_mul(gz_f8_max(square, other), down)
#@ src/narrow/distance/tree_distance.inl place_packets 24
#? square = add_gap(square, gz_f8_sub(gap, pad))
#~ square ->> result_3
#= gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW))
#@ src/narrow/distance/tree_distance.inl box_row 24
#? square = add_gap(square, gz_f8_sub(gap, gz_f8_all(pad)))
#~ square ->> result_3
#= return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW))
#@ src/narrow/distance/tree_distance.inl axis_squares 24
#? return add_gap(square, gz_f8_max(gap_low, gap_high))
#@ src/narrow/distance/tree_distance.inl packet_axis_squares 24
#~ square ->> result_3
#= return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW))
#@ src/narrow/distance/tree_distance.inl node_axis_squares 24
#? square = add_gap(
#~ square ->> result_3
#= return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW))
#@ src/narrow/distance/tree_distance.inl limit_square 24
#~ limit ->> one
#= return limit * limit * GZ_ROUND_UP_FEW
#@ src/narrow/distance/hull_distance.inl hull_square 24
#~ s->hull.gap ->> one
#= return s->hull.gap * s->hull.gap * GZ_ROUND_DOWN_FEW
{ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60] /\ (x * x + y * y) + z * z in [1,1] /\ one in [1,1]
  -> result_4 <= 1 /\ result_5 <= 1 /\ result_6 <= 1 /\ result_7 <= 1 /\ result_8 <= 1 /\ result_9 <= 1 /\ result_10 >= 1.0000008 /\ result_11 <= 1 }
