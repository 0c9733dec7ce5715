# Distances of triangles' points in double, in units of S, the largest sum of a corner's magnitudes, u = 2^-53. A coordinate's error is a sum of
# multiples of magnitudes; over the coordinates these sum up to 1 for corners and 2 for edges, which is what the hypotheses take, so
# that the results hold for vectors. A corner is u off, an edge 2 u. A point of an edge, with any weight from 0 to 1: 9 u; of a face, with
# weights that sum to 1 + 2 u: 17 u. Two such points, one of either triangle, differ by u more: with squares and root (norms) 4 u of what is at most the
# span, the sum of both S, 19 u and 4 u of 63 u used.
#@ src/narrow/triangle/triangle_distance.c along 53
#~ p[k] ->> c
#~ e[k] ->> e
#= out[k] = p[k] + t * e[k]; k=0
#@ src/narrow/triangle/triangle_distance.c face_corners 53
#~ c[k] ->> c
#~ e[k] ->> e
#~ f[k] ->> f
#~ s / square ->> v
#~ t / square ->> w
#= foot[k] = c[k] + ((s / square) * e[k] + (t / square) * f[k]); k=0
#@ src/narrow/triangle/triangle_distance.c keep 53
#? gz_subtract(p, q, d)
#? double square = gz_dot(d, d)
#@ src/math/transform.h gz_subtract 53
#~ a[i] ->> p
#~ b[i] ->> q
#= out[i] = a[i] - b[i]; i=1
#@ src/narrow/triangle/triangle_distance.c - 53
#? #define ERROR 0x1p-47
#@ src/narrow/triangle/triangle_distance.c gap_along 53
#~ p->span ->> one
#= ERROR * p->span
E = c0 + t * e0;
F = c0 + (v * e0 + w * f0);
M = mul_rel<53>(t, e);
V = mul_rel<53>(v, e);
W = mul_rel<53>(w, f);
D = add_rel<53>(V, W);
{ c -/ c0 in [-1b-53,1b-53] /\ e -/ e0 in [-2b-53,2b-53] /\ |c0| <= 1 /\ |e0| <= 2 /\ t in [0,1] /\ |E| <= 1 -> |out_0 - E| <= 9b-53 }
{ c -/ c0 in [-1b-53,1b-53] /\ e -/ e0 in [-2b-53,2b-53] /\ f -/ f0 in [-2b-53,2b-53] /\ |c0| <= 1 /\ |v * e0| <= 2 /\ |w * f0| <= 2 /\ |v * e0 + w * f0| <= 2.000001 /\ |F| <= 1.000001
  -> |foot_0 - F| <= 17b-53 }
{ |p - q| <= 1.000001 -> |out_1 - (p - q)| <= 1025b-63 }
{ one in [1,1] -> result >= 63b-53 }
