# A gap between two hulls along d of length 1 (4 u off), u = 2^-24. step_proves(): each side is off by half of what plane_gap.g has, times |d|_1 <= sqrt 3:
# below 1.733 pads in all, sums with half of a distance of up to 2 S included; the gap of all vertices, less the slack of both, is off by as much.
# ball_gap(): as plane_gap.g has it for points without boxes: 12.2 u for the direction in a's frame, 6 u for a point of either side, 9 u for the shift, and here 2 u
# for each radius and 5 u for both sums: 43 u, times sqrt 3 75 u, of 126 u. What is left of a vertex (support_radii.c) is no longer than a radius, by 14 u; d by 4 u.
# Joined by hand: the distance is more than (need - 1.733 pads) / (1 + 4 u), and need is at least distance (1 + 59 u) + 1.99 pads.
#@ src/narrow/distance/hull_distance.inl hulls_apart 24
#? if (ball_gap(h) > need || step_proves(h, need)) return true;
#@ src/narrow/distance/hull_distance.inl step_proves 24
#? find_least_vertex(h->a, at->da, slack, &at->a);
#? find_least_vertex(h->b, at->back, slack, &at->b);
#? gap = hull_gap(at);
#~ gap ->> gap
#~ slack ->> slack
#~ need ->> least
#= gap - 2 * slack
#@ src/narrow/distance/hull_distance.inl hulls_apart 24
#~ h->pad ->> pad
#= const float need = distance * (1 + 0x1p-18f) + 2 * h->pad
#@ src/narrow/prefilter/proxy_pair.inl ball_least 24
#~ along(set->group[g], d) ->> dot
#~ proxy->support_radius[g] ->> radius
#= gz_f8_sub(along(set->group[g], d), gz_f8_load(proxy->support_radius[g]))
#@ src/narrow/distance/hull_distance.inl ball_gap 24
#~ ball_least(h->a->proxy, at->da) ->> low
#~ at->shift ->> shift
#~ ball_least(h->b->proxy, at->back) ->> high
#= return (ball_least(h->a->proxy, at->da) + at->shift) + ball_least(h->b->proxy, at->back)
#@ src/mesh/prefilter/support_radii.c gz_support_radii_find 53
#~ own ->> rest
#= (float)(own * GZ_ROUND_UP_TO_FLOAT)
N = distance * 262145b-18 + 2 * pad;
{ distance in [1b-60,1b60] /\ pad in [1b-60,1b60] -> need -/ N in [-4b-24,4b-24] }
{ |slack| <= 1 /\ |gap - 2 * slack| <= 2 -> |result - (gap - 2 * slack)| <= 5b-24 }
{ |dot - radius| <= 2 -> |result_2 - (dot - radius)| <= 2b-24 }
{ |low + shift| <= 2 /\ |low + shift + high| <= 2 -> |result_3 - ((low + shift) + high)| <= 5b-24 }
{ rest in [1,1] -> result_4 >= 16777230b-24 }
{ x in [-7b-24,7b-24] -> sqrt(x * x + x * x + x * x) + 6b-24 + 2b-24 + 9b-24 + 6b-24 + 2b-24 + 5b-24 <= 43b-24 }
{ y in [43b-24,43b-24] -> y * 1.7320509 <= 75b-24 }
