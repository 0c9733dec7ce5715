# A lower bound of the distance of two links by their spheres, u = 2^-24. In units of the distance D of the middles, whose square is off by
# 2^-21 (link_spheres.g), the first length is less than 1 by 8 u; in units of T, the sum of radii and pads, the second is more than 1 by 8 u.
# Joined by hand: the difference rounds by u, so it is no more than D - T where it is positive.
#@ src/check/query_filter.inl bound_pairs 24
#? down = gz_f8_all(1 - 0x1p-20f), up = gz_f8_all(1 + 0x1p-20f)
#~ down ->> 1 - 0x1p-20f
#~ up ->> 1 + 0x1p-20f
#= gz_f8_mul(gz_f8_sqrt(square), down)
#= gz_f8_mul(gz_f8_sqrt(apart2), up)
{ square in [0.9999995,1.0000005] -> result <= 16777208b-24 }
{ apart2 >= 1.000001 /\ apart2 <= 2 -> result_2 >= 16777224b-24 }
