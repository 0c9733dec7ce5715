# GZ_APPLY_ERROR: the rounding of R v as a vector, in units of u |v|, u = 2^-53. A coordinate's error is the sum of three: of its products, at
# most u times a row of |R| by |v|; of the first sum, u times that sum of products; of the second sum, u times (R v)_i: all three up to
# 4 u of themselves. For |v| = 1: a row of |R| by |v| is at most 1 (2 p q = p^2 + q^2 - (p - q)^2), three of them as a vector sqrt 3. The
# other two have the length of (v0, v1, 0) and of v, up to E = R^T R - I (rigid). Three vectors no longer than sqrt 3, 1 and 1 make
# one no longer than sqrt 3 + 2, likewise: 3.7321, and 1e-6 for what is left out.
#@ src/mesh/shape.h - 53
#? #define GZ_APPLY_ERROR (3.74 * 0x1p-53)
#@ src/math/transform.h gz_transform_apply 53
#~ m[4 * i] ->> m0
#~ m[4 * i + 1] ->> m1
#~ m[4 * i + 2] ->> m2
#~ m[4 * i + 3] ->> 0
#= (m[4 * i] * p[0] + m[4 * i + 1] * p[1])
#= ((m[4 * i] * p[0] + m[4 * i + 1] * p[1]) + m[4 * i + 2] * p[2])
P0 = mul_rel<53>(m0, p_0);
P1 = mul_rel<53>(m1, p_1);
P2 = mul_rel<53>(m2, p_2);
products = (P0 - m0 * p_0) + (P1 - m1 * p_1) + (P2 - m2 * p_2);
first = result - (P0 + P1);
second = result_2 - (result + P2);
S = (m0 * p_0 + m1 * p_1) + m2 * p_2;
row = a0 * v0 + a1 * v1 + a2 * v2;
aa = a0 * a0 + a1 * a1 + a2 * a2;
vv = v0 * v0 + v1 * v1 + v2 * v2;
x = r00 * v0 + r01 * v1;
y = r10 * v0 + r11 * v1;
z = r20 * v0 + r21 * v1;
e00 = r00 * r00 + r10 * r10 + r20 * r20 - 1;
e11 = r01 * r01 + r11 * r11 + r21 * r21 - 1;
e01 = r00 * r01 + r10 * r11 + r20 * r21;
q0 = 1.7320509 * k0 + f0 + s0;
q1 = 1.7320509 * k1 + f1 + s1;
q2 = 1.7320509 * k2 + f2 + s2;
kk = k0 * k0 + k1 * k1 + k2 * k2;
ff = f0 * f0 + f1 * f1 + f2 * f2;
ss = s0 * s0 + s1 * s1 + s2 * s2;
kf = (k0 - f0) * (k0 - f0) + (k1 - f1) * (k1 - f1) + (k2 - f2) * (k2 - f2);
ks = (k0 - s0) * (k0 - s0) + (k1 - s1) * (k1 - s1) + (k2 - s2) * (k2 - s2);
fs = (f0 - s0) * (f0 - s0) + (f1 - s1) * (f1 - s1) + (f2 - s2) * (f2 - s2);
{ |m0| <= 1.00001 /\ |m1| <= 1.00001 /\ |m2| <= 1.00001 /\ |p_0| <= 1 /\ |p_1| <= 1 /\ |p_2| <= 1 -> result_2 - S - products - first - second in [0,0] }
result_2 - S - products - first - second -> 0;
{ P0 -/ (m0 * p_0) in [-1b-53,1b-53] }
{ result -/ (P0 + P1) in [-1b-53,1b-53] /\ result_2 -/ (result + P2) in [-1b-53,1b-53] }
{ a0 in [0,1] /\ a1 in [0,1] /\ a2 in [0,1] /\ v0 in [0,1] /\ v1 in [0,1] /\ v2 in [0,1] /\ aa in [0,1.000001] /\ vv in [0,1] -> row <= 1.000001 }
row -> 0.5 * (aa + vv - ((a0 - v0) * (a0 - v0) + (a1 - v1) * (a1 - v1) + (a2 - v2) * (a2 - v2)));
{ |v0| <= 1 /\ |v1| <= 1 /\ |e00| <= 0.0000001 /\ |e11| <= 0.0000001 /\ |e01| <= 0.0000001 /\ v0 * v0 + v1 * v1 in [0,1] -> x * x + y * y + z * z <= 1.000001 }
x * x + y * y + z * z -> (v0 * v0 + v1 * v1) + e00 * (v0 * v0) + e11 * (v1 * v1) + 2 * (e01 * (v0 * v1));
{ |k0| <= 1.1 /\ |k1| <= 1.1 /\ |k2| <= 1.1 /\ |f0| <= 1.1 /\ |f1| <= 1.1 /\ |f2| <= 1.1 /\ |s0| <= 1.1 /\ |s1| <= 1.1 /\ |s2| <= 1.1
  /\ kk in [0,1.00001] /\ ff in [0,1.00001] /\ ss in [0,1.00001] -> sqrt(q0 * q0 + q1 * q1 + q2 * q2) <= 3.74 }
q0 * q0 + q1 * q1 + q2 * q2 -> (1.7320509 * 1.7320509 * kk + ff + ss) + 1.7320509 * (kk + ff - kf) + 1.7320509 * (kk + ss - ks) + (ff + ss - fs);
