# A plane that keeps two hulls apart, across d of length 1 (4 u off), u = 2^-24. Each side is off by half of what plane_gap.g has, times |d|_1 <= sqrt 3:
# below 1.733 pads in all, sums with half of a distance of up to 2 S included; the gap of all vertices, less the slack of both, is off by as much.
# Joined by hand: the distance is more than (need - 1.733 pads) / (1 + 4 u), and need is at least distance (1 + 59 u) + 1.99 pads.
#@ src/narrow/distance/hull_distance.inl hulls_apart 24
#? keeps_apart(h, &at, h->middle, 0.5f * need)
#? if (step_proves(h, &at, need)) return true;
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
#@ src/narrow/distance/hull_distance.inl keeps_apart 24
#~ half ->> more
#~ at->shift ->> shift
#= (middle + half) - at->shift
#= -(middle - half)
N = distance * 262145b-18 + 2 * pad;
{ distance in [1b-60,1b60] /\ pad in [1b-60,1b60] -> need -/ N in [-4b-24,4b-24] }
{ |middle + more| <= 4 /\ |middle + more - shift| <= 4 -> |result_2 - ((middle + more) - shift)| <= 9b-24 }
{ |middle - more| <= 4 -> |result_3 + (middle - more)| <= 4b-24 }
result_3 + (middle - more) -> (middle - more) - sub_rel<24>(middle, more);
{ |slack| <= 1 /\ |gap - 2 * slack| <= 2 -> |result - (gap - 2 * slack)| <= 5b-24 }
