# Float squares from a point to corners, outward and inward. sphere_around(): the root of the greatest square, in units of it, before
# the terms for rounded vertices. corners_beyond(): squares of three differences, in units of them; the factors and the difference.
# bound_of(): a root from below, in units of it, where the square is off by 2^-18. find_nearest(): a first limit from above.
#@ src/mesh/prefilter/mesh_proxy.c sphere_around 24
#? gz_f8 sum = gz_f8_all(0)
#~ sum ->> 0
#~ d ->> x
#= sum = gz_f8_add(sum, gz_f8_mul(d, d))
#~ sum ->> sum
#~ d ->> y
#= sum = gz_f8_add(sum, gz_f8_mul(d, d))
#~ d ->> z
#= sum = gz_f8_add(sum, gz_f8_mul(d, d))
#@ src/mesh/prefilter/mesh_proxy.c sphere_around 24
#~ sqrtf(square) ->> root
#= sqrtf(square) * GZ_ROUND_UP_FEW
#@ src/mesh/bvh/triangle_lanes.h dot_lanes 24
#~ a.x ->> x
#~ b.x ->> x
#~ a.y ->> y
#~ b.y ->> y
#~ a.z ->> z
#~ b.z ->> z
#= return gz_f8_add(gz_f8_add(gz_f8_mul(a.x, b.x), gz_f8_mul(a.y, b.y)), gz_f8_mul(a.z, b.z))
#@ src/mesh/prefilter/nearest_surface.inl corners_beyond 24
#~ gz_f8_mul(nearest, gz_f8_all(GZ_ROUND_DOWN_FEW)) ->> low
#~ gz_f8_mul(longest, gz_f8_all(1 / 3.0f + 0x1p-20f)) ->> high
#= gz_f8 bound = gz_f8_sub(gz_f8_mul(nearest, gz_f8_all(GZ_ROUND_DOWN_FEW)), gz_f8_mul(longest, gz_f8_all(1 / 3.0f + 0x1p-20f)))
#@ src/mesh/prefilter/nearest_surface.inl corners_beyond 24
#~ nearest ->> square
#= gz_f8_mul(nearest, gz_f8_all(GZ_ROUND_DOWN_FEW))
#~ longest ->> square
#= gz_f8_mul(longest, gz_f8_all(1 / 3.0f + 0x1p-20f))
#@ src/mesh/prefilter/nearest_surface.inl bound_of 24
#~ sqrtf(square) ->> root
#~ size ->> 0
#= return sqrtf(square) * (1 - 0x1p-16f) - size * 0x1p-18f
#@ src/mesh/prefilter/nearest_surface.inl find_nearest 24
#~ most ->> one
#= most * most * 1.0001f
S = (x * x + y * y) + z * z;
{ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60] -> sum_3 -/ S in [-6b-24,6b-24] /\ result_2 -/ S in [-6b-24,6b-24] }
{ root in [0.9999995,1] -> result >= 1.0000003 }
{ square in [0.9999996,1.0000004] -> result_3 <= 1 /\ result_4 >= 0.3333333334 }
{ low in [0,1b20] /\ high in [0,1b20] -> bound -/ (low - high) in [-1b-24,1b-24] }
{ root in [0.5,0.5] -> result_5 <= 0.5 }
{ one in [1,1] -> result_6 >= 1 }
