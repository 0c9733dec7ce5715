# A round of a curve's values between control points, in units of their greatest magnitude: off by at most 2.03 u. 1 - s is exact
# (curve.h). What the points before were off by, in units of the most, is passed on as a mean of two that is no more: 2.03 u a round. The slack
# used is at least 56.2 u, 1.97 times what two values of degree 7 are off by.
r = 1 - s;
#@ src/motion/curve.h gz_curve_blossom 53
#~ (1 - s[round]) ->> r
#~ s[round] ->> s
#~ b[i + 1] ->> b1
#~ b[i] ->> b0
#= (1 - s[round]) * b[i] + s[round] * b[i + 1]
#@ include/graze/trajectory.h - 53
#? #define GRAZE_TRAJECTORY_DEGREE_MAX 7
#@ src/motion/curve.h - 53
#? #define GZ_CURVE_SLACK
#~ GRAZE_TRAJECTORY_DEGREE_MAX ->> 7
#= (4 * 2.01 * GRAZE_TRAJECTORY_DEGREE_MAX * 0x1p-53)
M = 1 - (r * e0 + s * e1);
{ s in [0,1] /\ |b0| <= 1 /\ |b1| <= 1 -> |result - (r * b0 + s * b1)| <= 0.000000000000000225 }
$ s in 256;
{ result_2 >= 0.00000000000000624 }
{ s in [0,1] /\ |e0| <= 1 /\ |e1| <= 1 -> M >= 0 }
M -> (1 - s) * (1 - e0) + s * (1 - e1);
