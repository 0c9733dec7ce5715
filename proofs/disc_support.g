# The disc of a convex set along n, r |n x d| / |d|, in double, in units of r |n|, u = 2^-53. Each coordinate of the axis d is 2 u off. For
# |n| = |d| = 1 a coordinate of the cross product is 7.5 u off with the axis; as a vector 13 u; its norm 4 u, |d| 6 u, quotient and product
# make it 26 u. So a support is off by 27 u of the set's part of the span, with its sum; without a disc by 7 u (triangle_gap). With the gap's
# sum, |n| and the quotient (triangle_gap) that is 34 u, of 59 u used.
#@ src/math/transform.h gz_cross 53
#~ a[1] ->> n1
#~ b[2] ->> d2
#~ a[2] ->> n2
#~ b[1] ->> d1
#= out[0] = a[1] * b[2] - a[2] * b[1]
#@ src/narrow/curved/convex.c support_along 53
#? double most = gz_dot(n, s->p[0])
#? gz_cross(n, s->axis, across)
#~ s->disc ->> r
#~ gz_norm(across) ->> over
#~ s->axis_norm ->> long
#= s->disc * (gz_norm(across) / s->axis_norm)
#~ most ->> corner
#~ s->disc * (gz_norm(across) / s->axis_norm) ->> disc
#= most += s->disc * (gz_norm(across) / s->axis_norm)
#@ src/narrow/curved/convex.c gz_convex_span 53
#? span += most + s->disc + s->round
#@ src/narrow/curved/convex.c gz_convex_gap 53
#~ span ->> one
#= 0x1p-47 * span
C = n1 * e2 - n2 * e1;
{ d1 -/ e1 in [-2b-53,2b-53] /\ d2 -/ e2 in [-2b-53,2b-53] /\ |n1 * e2| <= 1 /\ |n2 * e1| <= 1 /\ |C| <= 1 -> |out_0 - C| <= 15b-54 }
{ x in [-15b-54,15b-54] -> sqrt(x * x + x * x + x * x) <= 13b-53 }
{ r in [1,1] /\ over in [1,1] /\ long in [9007199254740986b-53,9007199254740998b-53] -> |result - over| <= 9b-53 }
{ |corner| <= 1 /\ disc in [0,1] /\ |corner + disc| <= 1 -> |most - (corner + disc)| <= 1b-53 }
{ one in [1,1] -> result_2 >= 63b-53 }
