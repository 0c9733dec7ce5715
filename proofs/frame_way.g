# The way of a point into a frame, R^T (p - t), a coordinate of it in units of the largest |p_i - t_i|, each u off: 10 u, as a vector
# 17.4 u.
# gz_transform_relative() does the same with the place of the other frame. Hypotheses: a column of R has length 1, up to 1e-9, which each
# place holds apart. What is used, in units of the places' magnitudes, whose sum is no less: 24 u at least.
#@ src/check/check.c sphere_overlaps 53
#? double d[3] = {center[0] - pose[3], center[1] - pose[7], center[2] - pose[11]}, local[3]
#? gz_transform_unrotate(pose, d, local)
#? 0x1p-48 * (fabs(center[0]) + fabs(center[1]) + fabs(center[2]))
#@ src/math/transform.h gz_transform_unrotate 53
#~ m[j] ->> r0
#~ m[4 + j] ->> r1
#~ m[8 + j] ->> r2
#~ v[0] ->> e0
#~ v[1] ->> e1
#~ v[2] ->> e2
#= out[j] = (m[j] * v[0] + m[4 + j] * v[1]) + m[8 + j] * v[2]; j=0
#@ src/math/transform.h gz_transform_relative 53
#? double d[3] = {a[3] - b[3], a[7] - b[7], a[11] - b[11]}
#? out[4 * i + 3] = (b[i] * d[0] + b[4 + i] * d[1]) + b[8 + i] * d[2]
#@ src/narrow/containment.c make_ray 53
#? double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]}
#~ far ->> one
#= 0x1p-48 * far
#@ src/narrow/distance/shape_depth.c inside_by 53
#? double d[3] = {point[0] - side->pose[3], point[1] - side->pose[7], point[2] - side->pose[11]}
#? 0x1p-46 * (gz_transform_far(side->pose) + gz_norm(point))
#@ src/narrow/containment.c change_frame 53
#? 0x1p-46 * (gz_transform_far(pose_from) + gz_transform_far(pose_to))
#@ src/narrow/shape_pair.c gz_rounded_box_make 53
#? double d[3] = {p[0] - pose[3], p[1] - pose[7], p[2] - pose[11]}
#? far = fmax(far, fabs(p[k]) + fabs(pose[4 * k + 3]))
#? 0x1p-46 * far
#@ src/narrow/kernel.c gz_proxy_pair_prepare 53
#~ (gz_transform_far(pose_a) + gz_transform_far(pose_b)) ->> one
#= 3 * (gz_transform_far(pose_a) + gz_transform_far(pose_b))
#~ far ->> three
#= 0x1p-50 * far
W = (r0 * d0 + r1 * d1) + r2 * d2;
{ e0 -/ d0 in [-1b-53,1b-53] /\ e1 -/ d1 in [-1b-53,1b-53] /\ e2 -/ d2 in [-1b-53,1b-53] /\ |r0 * d0| <= 1 /\ |r1 * d1| <= 1 /\ |r2 * d2| <= 1
  /\ |r0 * d0 + r1 * d1| <= 1.4143 /\ |W| <= 1.7321 -> |out_0 - W| <= 10b-53 }
{ one in [1,1] -> result >= 31b-53 /\ result_2 >= 2.9999 }
{ three in [2.9999,3] -> result_3 >= 23b-53 }
