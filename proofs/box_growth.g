# gz_bound_obb_along(): points along three axes A, A^T A = I + E. orthonormal() holds |E_ij| to 2^-49 as computed, 8 u off: 2^-48 = e, u = 2^-53. The computed p
# are A^T d, 4 u of |d|_1 off, and A s = d: so A^T d = s + E s, which is 3 e of the largest |s| off, a coordinate. With |s| and |d|_1 at most twice the
# sum of the halves, 2 3 e + 2 4 u = 14 e at most; a ball's radius 3 e of it, a disc 2^-49; a few u for sums. What is added: 2^-43.
#@ src/mesh/bound.c orthonormal 53
#? if (!(fabs(gz_dot(axis[i], axis[j]) - (i == j ? 1 : 0)) <= 0x1p-49)) return false
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> a0
#~ a[1] ->> a1
#~ a[2] ->> a2
#~ b[0] ->> b0
#~ b[1] ->> b1
#~ b[2] ->> b2
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/mesh/bound.c gz_bound_obb_along 53
#~ (half[0] + half[1] + half[2] + radius) ->> one
#= double grow = 0x1p-43 * (half[0] + half[1] + half[2] + radius)
D = (a0 * b0 + a1 * b1) + a2 * b2;
e00 = r00 * r00 + r10 * r10 + r20 * r20 - 1;
e01 = r00 * r01 + r10 * r11 + r20 * r21;
e02 = r00 * r02 + r10 * r12 + r20 * r22;
x = r00 * s0 + r01 * s1 + r02 * s2;
y = r10 * s0 + r11 * s1 + r12 * s2;
z = r20 * s0 + r21 * s1 + r22 * s2;
p0 = r00 * x + r10 * y + r20 * z;
{ |a0 * b0| <= 1.00001 /\ |a1 * b1| <= 1.00001 /\ |a2 * b2| <= 1.00001 /\ |a0 * b0 + a1 * b1| <= 1.00001 /\ |D| <= 1.00001 -> |result - D| <= 6b-53 }
{ |c - k| <= 1b-49 /\ |c - d| <= 8b-53 -> |d - k| <= 1b-48 }
d - k -> (c - k) - (c - d);
{ |e00| <= 1b-48 /\ |e01| <= 1b-48 /\ |e02| <= 1b-48 /\ |s0| <= 1 /\ |s1| <= 1 /\ |s2| <= 1 -> |p0 - s0| <= 3b-48 }
p0 - s0 -> e00 * s0 + e01 * s1 + e02 * s2;
{ |x0 * r0| <= 1 /\ |x1 * r1| <= 1 /\ |x2 * r2| <= 1 -> 2 * 3b-48 + 2 * 6b-53 + 3b-48 + 1b-49 + 8b-53 in [0,14b-48] }
{ one in [1,1] -> grow >= 31b-48 }
