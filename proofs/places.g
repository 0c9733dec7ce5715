# Pads against what their derivations need, in double, each in units of what it is a part of. gz_pose_pad(): snapping two points sets six
# coordinates below 2^-100 to 0, as change_frame() has it; at most 2^20 m out, plus rounding, it is below what gz_filter_pad() takes it for. Boxes of caps: a corner
# moved, 7 u; their box as a vector, its centre and the corner 3.74 u of sqrt 3 each (apply_vector), its three axes 3.74 u of a half extent, no more than
# the size: 25 u. gz_pose_pad(): of the place, u a coordinate for centre and vertex, as vectors at most their sum. Poses rigid up to 1e-9 move points by 3e-9 of the sizes of either side: rays, frames and proxies. A ray that is slower
# than 1e-7 along an axis, on a way of pad / 2e-8: five pads. gz_rounded_box_make(): 13 u of the sizes (box_floats: 2.3 u and 3.1 u, u
# more for centre and half extent, 8 u; as a vector 14 u) and 3 u for squares. gz_margin_threshold(): curved shapes may collide 1e-9 m early, or
# 2.5e-12 of 8 times the sizes.
#@ src/check/workspace.h gz_pose_pad 53
#= return 0x1p-48 * t + 0x1p-97
#@ src/check/filter_error.h gz_filter_pad 53
#~ l->pad ->> pad
#= l->pad + 0x1p-26
#@ src/check/cap_clearance.c gz_caps_apart 53
#~ o->shape.mesh->max_abs ->> one
#= 0x1p-46 * o->shape.mesh->max_abs
#@ src/narrow/containment.c make_ray 53
#~ (gz_norm(r.origin) + 2 * b->mesh->max_abs) ->> one
#= 2e-8 * (gz_norm(r.origin) + 2 * b->mesh->max_abs)
#@ src/narrow/containment.c change_frame 53
#~ (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs) ->> one
#= 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs)
#~ (gz_transform_far(pose_from) + gz_transform_far(pose_to)) ->> 0
#= c.pad = 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs) + 0x1p-46 * (gz_transform_far(pose_from) + gz_transform_far(pose_to)) + 5e-30
#@ src/narrow/kernel.c gz_proxy_pair_prepare 53
#~ (gz_norm(t) + a->max_abs + b->max_abs) ->> one
#= 6e-9 * (gz_norm(t) + a->max_abs + b->max_abs)
#@ src/narrow/containment.c ray_passes 53
#? if (fabs(d) < 1e-7) {
#~ r->pad ->> one
#= 5 * r->pad
#? if (low > 5 * r->pad || high < -5 * r->pad) return false
#@ src/narrow/shape_pair.c gz_rounded_box_make 53
#~ size ->> one
#= 0x1p-19 * size
#@ src/check/margin.h gz_margin_threshold 53
#~ margin ->> 0
#~ (radii + margin) ->> sizes
#= margin + 2e-9 + 0x1p-35 * (radii + margin)
{ t in [0,0] -> result >= 6b-100 }
{ one in [0,0] -> c_pad >= 6b-100 }
{ t in [0,3145729] -> result <= 1b-26 }
{ pad in [0,0] -> result_2 >= 1048575b-46 }
{ one in [1,1] -> result_3 >= 127b-53 /\ result_4 >= 0.000000019 /\ result_5 >= 0.000000019 /\ result_6 >= 0.00000000599 /\ result_7 >= 4.9999 /\ result_8 >= 31b-24 }
{ sizes in [0,0] -> result_9 >= 0.0000000019 }
{ sizes in [1,1] -> result_9 >= 0.000000002022 }
{ t in [1,1] -> result >= 31b-53 }
{ |x| + |y| + |z| in [0,1] -> 2b-53 * (|x| + |y| + |z|) <= 2b-53 }
{ e in [0,3.74] -> (2 * 1.7321 + 3) * e <= 25 }
{ x in [-8b-24,8b-24] -> sqrt(x * x + x * x + x * x) + 3b-24 <= 17b-24 }
