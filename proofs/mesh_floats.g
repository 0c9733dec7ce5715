# Bounds of components and maps as floats. find_box(), in units of the half extent from the middle as rounded; spheres around the
# middle, in units of the distance, whose square is summed in double; the unit and the step of a map, in units of the real ones; the
# inner box of a mesh that is one, in units of the greater side of the middle, of which `half` is made: less by 3 u of the sum of both,
# where the other side lacks 2 u of the middle at most. Of a sum that is 2^21 times as long nothing is left.
#@ src/mesh/prefilter/component_proxy.c find_box 53
#~ most ->> one
#= proxy->half[k] = (float)(most * (1 + 0x1p-22)); k=0
#@ src/mesh/prefilter/component_proxy.c square_from 53
#? double d = v[i] - (double)proxy->center[i]
#~ square ->> 0
#~ d ->> x
#= square += d * d
#~ square ->> square
#~ d ->> y
#= square += d * d
#~ d ->> z
#= square += d * d
#@ src/mesh/prefilter/component_proxy.c grow_sphere 53
#~ square ->> square_3
#= (float)sqrt(square)
#@ src/mesh/prefilter/component_proxy.c find_spheres 24
#~ proxies[i].radius ->> result
#= proxies[i].radius *= 1 + 0x1p-21f; i=0
#@ src/mesh/prefilter/component_proxy.c gz_component_proxy_make 24
#? proxy.radius *= 1 + 0x1p-21f
#@ src/mesh/prefilter/component_proxy.c find_ellipsoid 24
#~ (fabsf(proxy->center[k]) + proxy->half[k]) ->> sum
#~ proxy->half[k] ->> half
#= inner.half[k] = proxy->half[k] * GZ_ROUND_DOWN_FEW - (fabsf(proxy->center[k]) + proxy->half[k]) * 0x1p-22f; k=0
#@ src/mesh/prefilter/cell_map.h - 24
#? #define GZ_CLEARANCE_PER_CELL 6
#@ src/mesh/prefilter/cell_map.c gz_clearance_map_build 53
#~ b.step ->> one
#~ GZ_CLEARANCE_PER_CELL ->> 6
#= out->unit = (float)(b.step / GZ_CLEARANCE_PER_CELL * (1 - 1e-6))
#= out->step = (float)(b.step * (1 + 1e-6))
P = mul_rel<24>(half, 1048575b-20);
Q = mul_rel<24>(sum, 1b-22);
{ one in [1,1] -> proxy_half_0 >= 1.0000001 /\ out_unit * 6 in [0.999998,1] /\ out_step >= 1 }
{ (x * x + y * y) + z * z in [1,1] /\ |x| in [1b-400,1] /\ |y| in [1b-400,1] /\ |z| in [1b-400,1] -> proxies_0_radius >= 1 }
{ half in [1,16777222b-24] /\ sum in [0,1b21] -> inner_half_0 - (1 - sum * 3b-24) <= 0 }
inner_half_0 - (1 - sum * 3b-24) -> (inner_half_0 - (P - Q)) + ((P - 1) - (Q - sum * 3b-24));
Q - sum * 3b-24 -> (Q - sum * 1b-22) + sum * 1b-24;
