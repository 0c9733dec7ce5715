# Points of two meshes in float, in units of S (kernel.c), u = 2^-24: no farther apart than their computed distance and twice the pad. The way from a place to a point
# of a triangle is 12 u off a coordinate (proxy_points.g, nearest_ways()), the point 13 u. Joined by hand: a's point and b's as vectors 22.6 u each, a's seen from b
# 12 u a coordinate (proxy_points.g), as a vector 20.8 u: 66 u of the 128 u in twice the pad, besides twice the error of the poses. The distance rounds by 4 u of 16 u.
#@ src/narrow/distance/hull_distance.inl nearest_of_packet 24
#~ at[k] ->> place
#~ way[k][lane] ->> way
#= at[k] + way[k][lane]
#@ src/narrow/distance/hull_distance.inl find_hull_upper 24
#? square += (seen[1][k] - own[1][k]) * (seen[1][k] - own[1][k]);
#? const float found = sqrtf(square) * GZ_ROUND_UP_FEW + 2 * h->pad;
#~ square ->> square
#= sqrtf(square) * GZ_ROUND_UP_FEW
{ |place + way| <= 1 -> |result - (place + way)| <= 1b-24 }
{ square in [1,1] -> result_2 >= 16777228b-24 }
{ z in [-13b-24,13b-24] -> 2 * sqrt(z * z + z * z + z * z) + 21b-24 <= 67b-24 }
