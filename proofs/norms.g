# Lengths of vectors in double: gz_norm() in units of the real one, and what is made of it outward or inward. A length below
# 2^-500 may lose its squares: what uses it says why that does not matter.
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> x
#~ b[0] ->> x
#~ a[1] ->> y
#~ b[1] ->> y
#~ a[2] ->> z
#~ b[2] ->> z
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/math/transform.h gz_norm 53
#~ gz_dot(a, a) ->> result
#= return sqrt(gz_dot(a, a))
#@ src/narrow/distance/shape_depth.c try_direction 53
#~ gz_norm(shift) ->> norm
#= gz_norm(shift) * (1 + 0x1p-50)
#@ src/narrow/distance/shape_depth.c gz_shapes_depth 53
#~ gz_norm(s.best.escape) ->> norm
#= gz_norm(s.best.escape) * (1 + 0x1p-50)
#@ src/motion/motion_edge.c base_motion 53
#~ gz_norm(along) ->> norm
#= gz_norm(along) * (1 + 0x1p-50)
#@ src/narrow/distance/shape_depth.c try_inner_point 53
#~ x ->> p
#~ y ->> q
#= (x + y) * (1 - 0x1p-50)
S = (x * x + y * y) + z * z;
{ |x| in [1b-500,1] /\ |y| in [1b-500,1] /\ |z| in [1b-500,1] /\ S in [1,1] /\ p in [0,1] /\ q in [0,1] /\ p + q in [1,1] /\ norm in [9007199254740988b-53,9007199254740996b-53]
  -> result_2 - 1 in [-4b-53,4b-53] /\ result_3 >= 1 /\ result_4 >= 1 /\ result_5 >= 1 /\ result_6 <= 1 }
