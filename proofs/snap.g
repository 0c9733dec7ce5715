# gz_transform_apply(): one coordinate of a snapped vertex, in units of |p| + |t|, in double. Hypotheses: rows of length 1.
# docs/epsilon.md has the vector as a whole, 3.74 u |p| and a rounding of the last sum, by hand; this is coordinate by coordinate.
#@ src/math/transform.h gz_transform_apply 53
#~ m[4 * i] ->> m0
#~ m[4 * i + 1] ->> m1
#~ m[4 * i + 2] ->> m2
#~ m[4 * i + 3] ->> t
#= out[i] = ((m[4 * i] * p[0] + m[4 * i + 1] * p[1]) + m[4 * i + 2] * p[2]) + m[4 * i + 3]; i=0
S = (m0 * p_0 + m1 * p_1) + m2 * p_2;
{ |m0 * p_0| <= 1 /\ |m1 * p_1| <= 1 /\ |m2 * p_2| <= 1 /\ |m0 * p_0 + m1 * p_1| <= 1 /\ |S| <= 1 /\ |S + t| <= 1
  -> |out_0 - (S + t)| <= 49b-56 }
