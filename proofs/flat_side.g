# A line along a cylinder's axis, as widen_by_cylinder() has it: n is the axis, as another function rounds it. Both are 5 u a coordinate off (their
# length 4 u, norms; a quotient u), u = 2^-53, of the coordinate of the real direction x, y, z of length 1. Their product is 13 u off 1, and what is
# left of n across the axis, in units of a coordinate, is 24.4 u: its square is no more than the limit, below which a line has no way out at the side.
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> n0
#~ b[0] ->> axis
#~ a[1] ->> n1
#~ b[1] ->> c1
#~ a[2] ->> n2
#~ b[2] ->> c2
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/narrow/manifold.c widen_by_cylinder 53
#? double along = gz_dot(n, axis), at = gz_dot(m, axis)
#~ along ->> dot
#~ axis[k] ->> axis
#~ n[k] ->> n0
#= across[k] = n[k] - along * axis[k]; k=0
#? double a = gz_dot(across, across)
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> v0
#~ b[0] ->> v0
#~ a[1] ->> v1
#~ b[1] ->> v1
#~ a[2] ->> v2
#~ b[2] ->> v2
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/narrow/manifold.c widen_by_cylinder 53
#? if (a > 0x1p-96) {
#= 0x1p-96
S = (x * x + y * y) + z * z;
Q = (v0 * v0 + v1 * v1) + v2 * v2;
{ n0 -/ x in [-5b-53,5b-53] /\ axis -/ x in [-5b-53,5b-53] /\ n1 -/ y in [-5b-53,5b-53] /\ c1 -/ y in [-5b-53,5b-53] /\ n2 -/ z in [-5b-53,5b-53] /\ c2 -/ z in [-5b-53,5b-53]
  /\ |x| in [1b-500,1] /\ |y| in [1b-500,1] /\ |z| in [1b-500,1] /\ S in [1,1] -> result - 1 in [-105b-56,105b-56] }
{ n0 - 1 in [-5b-53,5b-53] /\ axis - 1 in [-5b-53,5b-53] /\ dot - 1 in [-105b-56,105b-56] -> |across_0| <= 195b-56 }
n0 - mul_rel<53>(dot, axis) -> (n0 - 1) - (axis - 1) - (dot - 1) * axis - (mul_rel<53>(dot, axis) - dot * axis);
{ |v0| in [1b-500,1] /\ |v1| in [1b-500,1] /\ |v2| in [1b-500,1] /\ Q in [0,595b-106] -> result_3 - result_2 >= 0 }
