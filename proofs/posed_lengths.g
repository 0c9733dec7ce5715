# samples_overlap() and proves_hit(): lengths of two posed meshes between two vertices each, against the error of proxies. A snapped vertex is
# 3.74 u of its length off (apply_vector), and u of each coordinate of its place as a vector, u = 2^-53: of the largest coordinate of a
# mesh sqrt 3 (3.74 + sqrt 3) u = 9.5 u, of the pose's shift sqrt 3 u; what snapping sets to 0 is sqrt 3 2^-100. Four of these make both lengths.
# What rotations that are rigid up to 1e-9 change is in the lengths (RIGID_SLACK, and 1e-6 of a length).
#@ src/narrow/kernel.c gz_proxy_pair_prepare 53
#~ gz_transform_far(pose_a) ->> far_a
#~ gz_transform_far(pose_b) ->> far_b
#~ a->max_abs ->> size_a
#~ b->max_abs ->> size_b
#~ gz_norm(t) ->> 0
#= double far = 3 * (gz_transform_far(pose_a) + gz_transform_far(pose_b)) + a->max_abs + b->max_abs
#~ far ->> far
#= double error = 0x1p-50 * far + 6e-9 * (gz_norm(t) + a->max_abs + b->max_abs) + 0x1p-97
#@ src/narrow/prefilter/proxy_pair.inl samples_overlap 53
#? from->span > owner->enclosure + (double)error
#@ src/narrow/prefilter/component_pair.inl proves_hit 53
#? enclosure + (double)p->error
#@ src/mesh/prefilter/mesh_proxy.c - 53
#? #define RIGID_SLACK 1e-7
point = 1.7320509 * (3.74 + 1.7320509);
{ far_a in [1,1] /\ far_b in [0,0] /\ size_a in [0,0] /\ size_b in [0,0] -> error - 2 * 1.7320509 * 1b-53 >= 19b-53 }
{ far_a in [0,0] /\ far_b in [0,0] /\ size_a in [1,1] /\ size_b in [0,0] -> error - 2 * point * 1b-53 >= 0.0000000059 }
{ far_a in [0,0] /\ far_b in [0,0] /\ size_a in [0,0] /\ size_b in [0,0] -> error - 4 * 1.7320509 * 1b-100 >= 1b-100 }
