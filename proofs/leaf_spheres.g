# Float squares from a point to corners, outward and inward. sphere_around(): the root of the greatest square, in units of it, before
# the terms for rounded vertices, each u of the mesh's size off a coordinate, and for what underflows, 2^-150 a square. corners_beyond(): squares of three differences, in units of them; the factors and the difference.
# bound_of(): a root from below, in units of it, where the square is off by 2^-18; coordinates of point, vertex and their difference, u of the
# sizes each and twice for it, as a vector a quarter of what is taken off, of which the rest is above 2^-29 m from SIZE_LEAST on. find_nearest(): a first limit from above.
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
#~ (float)mesh->max_abs ->> single
#= (float)mesh->max_abs * 0x1p-21f
#? out.radius = sqrtf(square) * GZ_ROUND_UP_FEW + (float)mesh->max_abs * 0x1p-21f + 0x1p-73f
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
#~ size ->> sizes
#= size * 0x1p-18f
#@ src/mesh/prefilter/nearest_surface.inl - 24
#? #define SIZE_LEAST 1e-3
#@ src/mesh/prefilter/nearest_surface.inl find_nearest 24
#~ most ->> one
#= most * most * 1.0001f
S = (x * x + y * y) + z * z;
{ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60] -> sum_3 -/ S in [-6b-24,6b-24] /\ result_3 -/ S in [-6b-24,6b-24] }
{ root in [0.9999995,1] -> result >= 1.0000003 }
{ square in [0.9999996,1.0000004] -> result_4 <= 1 /\ result_5 >= 0.3333333334 }
{ low in [0,1b20] /\ high in [0,1b20] -> bound -/ (low - high) in [-1b-24,1b-24] }
{ root in [0.5,0.5] -> result_6 <= 0.5 }
{ one in [1,1] -> result_8 >= 1 }
{ single in [0.9999999,1.0000001] /\ v in [-1b-24,1b-24] -> result_2 >= 7b-24 /\ sqrt(v * v + v * v + v * v) <= 2b-24 }
{ w in [0,1b-150] -> sqrt(w + w + w) <= 1b-73 }
{ sizes in [1,1] /\ c in [-4b-24,4b-24] -> sqrt(c * c + c * c + c * c) <= 7b-24 /\ result_7 >= 63b-24 }
{ sizes in [0.000999,1] -> 0.75 * result_7 >= 1b-29 }
