# box_corners(): a coordinate of a corner, in units of m = |centre| + |half|_1, against the sum of four terms in real numbers, whose
# half extents are those that have grown by 2^-48 m: off by less than the growth. Hypothesis: axes of length 1 up to 2^-20.
#@ src/robot/robot_body.c box_corners 53
#~ h[j] ->> h0
#~ m ->> one
#= double half = h[j] + m * 0x1p-48
#? double sum = c[k]
#? sum += (i >> j & 1 ? half : -half) * GZ_ARRAY3(box->axis[j])[k]
#~ sum ->> c
#~ (i >> j & 1 ? half : -half) ->> g0
#~ GZ_ARRAY3(box->axis[j])[k] ->> a0
#= sum += (i >> j & 1 ? half : -half) * GZ_ARRAY3(box->axis[j])[k]
#~ sum ->> sum
#~ (i >> j & 1 ? half : -half) ->> g1
#~ GZ_ARRAY3(box->axis[j])[k] ->> a1
#= sum += (i >> j & 1 ? half : -half) * GZ_ARRAY3(box->axis[j])[k]
#~ (i >> j & 1 ? half : -half) ->> g2
#~ GZ_ARRAY3(box->axis[j])[k] ->> a2
#= sum += (i >> j & 1 ? half : -half) * GZ_ARRAY3(box->axis[j])[k]
S = ((c + g0 * a0) + g1 * a1) + g2 * a2;
{ h0 in [0,1] /\ one in [1,1] -> half - (h0 + 1b-48) in [-2b-53,2b-53] }
{ |c| <= 1.000001 /\ |g0 * a0| <= 1.000001 /\ |g1 * a1| <= 1.000001 /\ |g2 * a2| <= 1.000001 /\ |c + g0 * a0| <= 1.000001
  /\ |(c + g0 * a0) + g1 * a1| <= 1.000001 /\ |S| <= 1.000001 -> |sum_3 - S| <= 8b-53 }
