# Certified gaps along n in double, in units of |n| and the span. A product of n with a corner is off by 6 u, besides u of the corner;
# a difference of two, in units of itself at most twice the span, by u. So a gap is off by 16 u. The length of n, 4 u off, and the
# quotient make it 6 u more. What is taken off is 59 u and more, of triangles and of convex sets, whose supports are corners, too. And
# the square of a limit from below, in units of it.
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> n0
#~ b[0] ->> c0
#~ a[1] ->> n1
#~ b[1] ->> c1
#~ a[2] ->> n2
#~ b[2] ->> c2
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/narrow/triangle/triangle_distance.c gap_along 53
#~ low[0] ->> low
#~ high[1] ->> high
#= low[0] - high[1]
#~ larger(low[0] - high[1], low[1] - high[0]) ->> gap
#= larger(low[0] - high[1], low[1] - high[0]) / norm
#~ larger(low[0] - high[1], low[1] - high[0]) / norm ->> q
#~ p->span ->> one
#= return larger(low[0] - high[1], low[1] - high[0]) / norm - ERROR * p->span
#@ src/narrow/curved/convex.c gz_convex_gap 53
#? double gap = -support_along(a, back) - support_along(b, n)
#~ gap / norm ->> q
#~ (a->round + b->round) ->> round
#~ span ->> one
#= return gap / norm - (a->round + b->round) - 0x1p-47 * span
#@ src/narrow/triangle/triangle_distance.c gz_triangles_near 53
#~ limit ->> one
#= limit * limit * (1 - 0x1p-50)
D = (n0 * c0 + n1 * c1) + n2 * c2;
M = mul_rel<53>(1b-47, one);
{ |n0 * c0| <= 1 /\ |n1 * c1| <= 1 /\ |n2 * c2| <= 1 /\ |n0 * c0 + n1 * c1| <= 1 /\ |D| <= 1 -> |result - D| <= 6b-53 }
{ |low - high| <= 1.000001 -> |result_2 - (low - high)| <= 2b-53 }
{ gap in [1,1] /\ norm in [9007199254740988b-53,9007199254740996b-53] -> |result_3 - 1| <= 6b-53 }
{ q in [-1,1] /\ one in [1,1] -> result_4 - q <= -60b-53 }
result_4 - q -> (result_4 - (q - M)) - M;
{ q in [-1,1] /\ round in [0,1] /\ one in [1,1] -> result_5 - (q - round) <= -59b-53 }
result_5 - (q - round) -> (result_5 - (sub_rel<53>(q, round) - M)) + (sub_rel<53>(q, round) - (q - round)) - M;
{ one in [1,1] -> result_6 <= 1 }
