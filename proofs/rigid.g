# Rotations that are rigid up to GZ_RIGID_TOLERANCE. The test that all poses have passed, computed in double: an entry E of R^T R - I is
# below 1.0000005e-9. A point v moved by R and back by R^T is E v off: 3e-9 of the largest |v_j| a coordinate, 5.2e-9 of it as a vector
# (its square). The square of a length with |v_j| at most 1 changes by 9e-9 at most; so a length, of the largest |v_j|, by 4.6e-9. Of itself it
# grows by 3e-9: what is left of that is a sum of squares, times what the entries are below 1.000001e-9. So a length grows by 1.5e-9, of the 2e-9
# of snapped_max_abs() less three roundings. Against what is used: rays
# and frames 3.9e-8 of a mesh's size, proxies 5.99e-9 of both, inside_by() 1e-8 of point and mesh (5.2e-9 of the way back and 4.6e-9 of a depth
# below the mesh's size), a length less 1e-6 of itself, and the frame of an object without an end: lengths less 9e-7.
#@ src/math/transform.h - 53
#? #define GZ_RIGID_TOLERANCE 1e-9
#@ src/math/transform.c gz_transform_is_rigid 53
#~ m[i] ->> a0
#~ m[j] ->> b0
#~ m[4 + i] ->> a1
#~ m[4 + j] ->> b1
#~ m[8 + i] ->> a2
#~ m[8 + j] ->> b2
#= double dot = (m[i] * m[j] + m[4 + i] * m[4 + j]) + m[8 + i] * m[8 + j]
#~ (i == j) ->> one
#= dot - (i == j)
#? rigid = rigid & (fabs(dot - (i == j)) <= tolerance)
#@ src/world/world_object.c - 53
#? gz_transform_is_rigid(pose->m, GZ_RIGID_TOLERANCE)
#@ src/narrow/shape_pair.c - 53
#? gz_transform_is_rigid(pose, GZ_RIGID_TOLERANCE)
#@ src/robot/robot_attach.c - 53
#? gz_transform_is_rigid(s->pose.m, GZ_RIGID_TOLERANCE)
#@ src/narrow/containment.c make_ray 53
#~ gz_norm(r.origin) ->> 0
#~ b->mesh->max_abs ->> unit
#= 2e-8 * (gz_norm(r.origin) + 2 * b->mesh->max_abs)
#@ src/narrow/containment.c change_frame 53
#~ gz_norm(t) ->> 0
#~ from->max_abs ->> 0
#~ to->max_abs ->> unit
#= 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs)
#@ src/narrow/kernel.c gz_proxy_pair_prepare 53
#~ gz_norm(t) ->> 0
#~ a->max_abs ->> 0
#~ b->max_abs ->> unit
#= 6e-9 * (gz_norm(t) + a->max_abs + b->max_abs)
#@ src/narrow/distance/shape_depth.c inside_by 53
#~ gz_norm(local) ->> way
#~ mesh->max_abs ->> size
#= 1e-8 * (gz_norm(local) + mesh->max_abs)
#@ src/narrow/prefilter/component_pair.inl proves_hit 53
#~ length ->> longer
#= length * (1 - 1e-6)
#@ src/check/margin.c frame_most 53
#~ (sqrt(0.5) * GZ_UNBOUNDED_EXTENT - sqrt(3) * c->options.domain) ->> longer
#= return (sqrt(0.5) * GZ_UNBOUNDED_EXTENT - sqrt(3) * c->options.domain) * (1 - 0x1p-20)
#@ src/narrow/shape_pair.c snapped_max_abs 53
#~ mesh->max_abs ->> most
#= GZ_SQRT_3 * mesh->max_abs * (1 + 2e-9)
D = (a0 * b0 + a1 * b1) + a2 * b2;
e00 = r00 * r00 + r10 * r10 + r20 * r20 - 1;
e11 = r01 * r01 + r11 * r11 + r21 * r21 - 1;
e22 = r02 * r02 + r12 * r12 + r22 * r22 - 1;
e01 = r00 * r01 + r10 * r11 + r20 * r21;
e02 = r00 * r02 + r10 * r12 + r20 * r22;
e12 = r01 * r02 + r11 * r12 + r21 * r22;
x = r00 * v0 + r01 * v1 + r02 * v2;
y = r10 * v0 + r11 * v1 + r12 * v2;
z = r20 * v0 + r21 * v1 + r22 * v2;
back = r00 * x + r10 * y + r20 * z;
length = v0 * v0 + v1 * v1 + v2 * v2;
left = 3.000003e-9 * length - ((x * x + y * y + z * z) - length);
{ |a0| <= 1.00001 /\ |b0| <= 1.00001 /\ |a1| <= 1.00001 /\ |b1| <= 1.00001 /\ |a2| <= 1.00001 /\ |b2| <= 1.00001
  /\ one in [0,1] /\ |result| <= 1e-9 -> |D - one| <= 1.000001e-9 }
D - one -> (D - dot) + (dot - one - result) + result;
{ |e00| <= 1.000001e-9 /\ |e01| <= 1.000001e-9 /\ |e02| <= 1.000001e-9 /\ |v0| <= 1 /\ |v1| <= 1 /\ |v2| <= 1 -> |back - v0| <= 3.00001e-9 }
back - v0 -> e00 * v0 + e01 * v1 + e02 * v2;
{ |o0| <= 3.00001e-9 /\ |o1| <= 3.00001e-9 /\ |o2| <= 3.00001e-9 -> sqrt(o0 * o0 + o1 * o1 + o2 * o2) <= 5.2e-9 }
{ |e00| <= 1.000001e-9 /\ |e11| <= 1.000001e-9 /\ |e22| <= 1.000001e-9 /\ |e01| <= 1.000001e-9 /\ |e02| <= 1.000001e-9 /\ |e12| <= 1.000001e-9
  /\ |v0| <= 1 /\ |v1| <= 1 /\ |v2| <= 1 -> |(x * x + y * y + z * z) - (v0 * v0 + v1 * v1 + v2 * v2)| <= 9.1e-9 }
(x * x + y * y + z * z) - (v0 * v0 + v1 * v1 + v2 * v2)
  -> e00 * (v0 * v0) + e11 * (v1 * v1) + e22 * (v2 * v2) + 2 * (e01 * (v0 * v1) + e02 * (v0 * v2) + e12 * (v1 * v2));
{ square in [0.9999999909,1.0000000091] -> sqrt(square) in [0.9999999954,1.0000000046] }
{ unit in [1,1] -> result_2 >= 3.9e-8 /\ result_3 >= 3.9e-8 /\ result_4 >= 5.99e-9 }
{ way + size in [1,1] -> result_5 >= 9.8e-9 }
{ longer in [0,1.0000000046] -> result_6 <= 0.9999991 /\ result_7 <= 0.9999991 }
{ |e00| <= 1.000001e-9 /\ |e11| <= 1.000001e-9 /\ |e22| <= 1.000001e-9 /\ |e01| <= 1.000001e-9 /\ |e02| <= 1.000001e-9 /\ |e12| <= 1.000001e-9
  /\ |v0| <= 1 /\ |v1| <= 1 /\ |v2| <= 1 -> left >= -1b-150 }
left -> (1.000001e-9 - e00) * (v0 * v0) + (1.000001e-9 - e11) * (v1 * v1) + (1.000001e-9 - e22) * (v2 * v2)
  + ((1.000001e-9 - e01) * ((v0 + v1) * (v0 + v1)) + (1.000001e-9 + e01) * ((v0 - v1) * (v0 - v1))
  + (1.000001e-9 - e02) * ((v0 + v2) * (v0 + v2)) + (1.000001e-9 + e02) * ((v0 - v2) * (v0 - v2))
  + (1.000001e-9 - e12) * ((v1 + v2) * (v1 + v2)) + (1.000001e-9 + e12) * ((v1 - v2) * (v1 - v2))) / 2;
{ square in [1,1.000000003000003] /\ most in [1,1] -> result_8 - 1.7320508075688773 * sqrt(square) >= 0 }
