# Under a margin: the squares of three gaps, summed by add_gap(), against margin_square(). In units of the margin. A gap that
# is not positive adds 0. Joined by hand: where the sum exceeds margin_square(), the real one is above 1.
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
#@ src/narrow/tree_pair.inl margin_square 24
#= return margin * margin * GZ_ROUND_UP_FEW
{ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60] /\ margin in [1,1]
  -> result_3 -/ (x * x + y * y + z * z) in [-1b-21,1b-21] /\ result_4 >= 1.0000008 }
