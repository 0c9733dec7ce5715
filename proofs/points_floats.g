# Points of a cloud, in float. axis_near(): a threshold with the leaf's slack, in units of their sum. threshold_square(): a threshold and
# a part of the triangle's size, squared, in units of their sum. padded_threshold(): 64 u of the size and more as a float, in units
# of it; a threshold with it.
#@ src/narrow/points/point_pair.inl axis_near 24
#~ slack ->> a
#~ p->threshold ->> b
#= gz_f8 threshold = gz_f8_mul(gz_f8_add(slack, gz_f8_all(p->threshold)), gz_f8_all(GZ_ROUND_UP_FEW))
#@ src/narrow/points/point_lanes.inl threshold_square 24
#~ threshold ->> a
#= gz_f8 far = gz_f8_add(gz_f8_all(threshold), gz_f8_mul(size, gz_f8_all(0x1p-20f)))
#~ far ->> one
#= return gz_f8_mul(gz_f8_mul(far, far), gz_f8_all(GZ_ROUND_UP_FEW))
#@ src/narrow/points/point_pair.c padded_threshold 53
#~ size ->> one
#~ far ->> 0
#~ 1e-29 ->> least
#= double off = (64 * 0x1p-24 * size + 0x1p-50 * far) * GZ_ROUND_UP_TO_FLOAT + 1e-29
#~ off ->> one
#= (float)(off * GZ_ROUND_UP_TO_FLOAT)
#~ fmax((threshold + off) * GZ_ROUND_UP_TO_FLOAT, 1e-18) ->> ((c + d) * GZ_ROUND_UP_TO_FLOAT)
#= (float)fmax((threshold + off) * GZ_ROUND_UP_TO_FLOAT, 1e-18)
S = a + size * 1b-20;
{ a in [0,1] /\ b in [0,1] /\ a + b in [1,1] -> threshold >= 1.0000008 }
{ a in [0,1] /\ size in [0,1b20] /\ S in [1,1] /\ a + mul_rel<24>(size, 1b-20) in [0.9999999,1.0000001] -> far in [0.9999998,1.0000002] }
{ one in [1,1] -> result >= 1.0000008 }
{ one in [1,1] /\ least in [0,1] -> off >= 64b-24 /\ result_2 >= 1 }
{ c in [0,1] /\ d in [0,1] /\ c + d in [1,1] -> result_3 >= 1 }
