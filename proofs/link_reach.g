# gz_link_widen(): two radii in float that are widened have a sum of at least the threshold, less 5 u of it, u = 2^-24: what is missing in double,
# half of it as a float, and sums. What a filter does not call apart is no farther than the root of apart2, squared and 8 u off
# (link_spheres): 1.0000056 thresholds. gz_link_tree_find_balls() lets each radius reach 1.0000304 of itself and more, which is more, its
# two sides rounded.
#@ src/check/link_tree.h gz_link_widen 53
#~ threshold ->> one
#~ (double)radii[a] ->> a
#~ (double)radii[b] ->> b
#= double missing = threshold - (double)radii[a] - (double)radii[b]
#@ src/check/link_tree.h gz_link_widen 24
#? radii[a] += (float)(0.5 * missing)
#~ radii[a] ->> r
#~ (float)(0.5 * missing) ->> half
#= radii[a] += (float)(0.5 * missing); a=0
#~ radii[b] ->> s
#= radii[b] += (float)(0.5 * missing); b=1
#@ src/check/filter_model.c make_pair 24
#~ threshold ->> one
#= threshold * threshold * GZ_ROUND_UP
#@ src/check/link_tree.c gz_link_tree_find_balls 24
#~ radii[place] ->> radius
#= radii[place] * (1 + 0x1p-15f)
F = (1 - a) - b;
h = mul_rel<24>(0.5 * m, 1);
A = add_rel<24>(a, h);
B = add_rel<24>(b, h);
{ one in [1,1] /\ a in [0,1] /\ b in [0,1] /\ 1 - a in [0,1] /\ F in [0,1] -> missing - F in [-3b-53,3b-53] }
missing - F -> (missing - (sub_rel<53>(one, a) - b)) + (sub_rel<53>(one, a) - (one - a)) + (one - 1);
{ m - F in [-3b-53,3b-53] /\ m in [0,1.0000001] /\ a in [0,1] /\ b in [0,1] /\ F in [0,1] -> (A + B) - 1 >= -5b-24 }
(A + B) - 1 -> (A - (a + h)) + (B - (b + h)) + 2 * (h - 0.5 * m * 1) + (m - F);
{ one in [1,1] -> result <= 1.0000103 }
{ square in [0,1.0000109] -> sqrt(square) <= 1.0000056 }
{ radius in [0.9999997,1] -> result_2 >= 1.00003 }
