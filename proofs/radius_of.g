# Half diagonals of boxes from above, in units of them: radius_of() in a tree of points, search_subtree() and test_packet() in a
# scene (with less than 160 u).
#@ src/narrow/points/point_pair.inl radius_of 24
#~ box->half[0] ->> h_0
#~ box->half[1] ->> h_1
#~ box->half[2] ->> h_2
#= float square = box->half[0] * box->half[0] + box->half[1] * box->half[1]
#= return sqrtf(square + box->half[2] * box->half[2]) * GZ_ROUND_UP_FEW
#@ src/narrow/prefilter/scene_pair.inl search_subtree 24
#~ square ->> 0
#~ half ->> g_0
#= square = gz_f8_add(square, gz_f8_mul(half, half))
#@ src/narrow/prefilter/scene_pair.inl search_subtree 24
#~ square ->> square_2
#~ half ->> g_1
#= square = gz_f8_add(square, gz_f8_mul(half, half))
#@ src/narrow/prefilter/scene_pair.inl search_subtree 24
#~ square ->> square_3
#~ half ->> g_2
#= square = gz_f8_add(square, gz_f8_mul(half, half))
#@ src/narrow/prefilter/scene_pair.inl search_subtree 24
#~ square ->> square_4
#= gz_f8 radius = gz_f8_mul(gz_f8_sqrt(square), gz_f8_all(GZ_ROUND_UP))
#@ src/narrow/prefilter/scene_pair.inl test_packet 24
#? radius = gz_f8_add(radius, gz_f8_mul(half, half))
#? radius = gz_f8_mul(gz_f8_sqrt(radius), gz_f8_all(GZ_ROUND_UP))
S = (h_0 * h_0 + h_1 * h_1) + h_2 * h_2;
T = (g_0 * g_0 + g_1 * g_1) + g_2 * g_2;
{ T in [1,1] /\ g_0 in [1b-60,1] /\ g_1 in [1b-60,1] /\ g_2 in [1b-60,1] /\ S in [1,1] /\ h_0 in [1b-60,1] /\ h_1 in [1b-60,1] /\ h_2 in [1b-60,1] -> result >= 1 /\ radius >= 1 }
