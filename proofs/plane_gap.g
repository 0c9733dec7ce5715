# A plane between two proxies, across d with |d|_1 = 1 (3 u off), in units of S (kernel.c), u = 2^-24. The direction in A's frame, combine(): 6 u a coordinate
# and u for the entries of R, which d weights; as a vector 12.2 u, which a vertex counts with its length. along(): 6 u for a middle and for half extents, their
# difference 2 u; a vertex's own rounding u. The shift, gz_f4_dot(): 9 u. What is compared with, sums below 2: 5 u and 2 u. In all 42 u of A and
# 17 u of B: 60 u of the 63 u of the pad at least, half of which is taken off on either side. A kept plane rounds no more: 6 u in place of the shift's 9 u,
# the sum with the pad 5 u, and nothing where B is compared.
#@ src/narrow/prefilter/proxy_pair.inl combine 24
#~ m[0] ->> f0
#~ m[1] ->> f1
#~ m[2] ->> f2
#~ c ->> 0
#~ x ->> d0
#~ y ->> d1
#~ z ->> d2
#= return gz_f4_muladd(m[2], gz_f4_all(z), gz_f4_muladd(m[1], gz_f4_all(y), gz_f4_muladd(m[0], gz_f4_all(x), c)))
#@ src/narrow/prefilter/proxy_pair.inl along 24
#~ group[0] ->> p0
#~ d[0] ->> n0
#~ group[1] ->> p1
#~ d[1] ->> n1
#~ group[2] ->> p2
#~ d[2] ->> n2
#= gz_f8 sum = gz_f8_mul(gz_f8_load(group[0]), d[0])
#= sum = gz_f8_muladd(gz_f8_load(group[1]), d[1], sum)
#= return gz_f8_muladd(gz_f8_load(group[2]), d[2], sum)
#@ src/narrow/prefilter/proxy_pair.inl mesh_beyond 24
#~ along(node->center, d) ->> at
#~ along(node->half, size) ->> half
#= gz_f8 low = gz_f8_sub(along(node->center, d), along(node->half, size))
#@ src/math/float_quad.h gz_f4_dot 24
#? gz_f4 p = a * b
#~ p[0] ->> q0
#~ p[1] ->> q1
#~ p[2] ->> q2
#= return (p[0] + p[1]) + p[2]
#@ src/narrow/prefilter/proxy_pair.inl proxies_apart 24
#? if (gap && prove_plane(p, &at, shift, 0.5f * p->pad)) {
#~ size ->> total
#= 1 / size
#@ src/narrow/prefilter/proxy_pair.inl prove_plane 24
#~ half ->> more
#= (middle + half) - shift
#= -(middle - half)
#@ src/narrow/kernel.c gz_proxy_pair_grow 53
#~ error ->> 0
#~ margin ->> 0
#~ size ->> unit
#= 64 * 0x1p-24 * (size + margin)
#@ src/narrow/prefilter/proxy_pair.inl plane_holds 24
#~ t[0] ->> k0
#~ t[1] ->> k1
#~ t[2] ->> k2
#~ r[0][k] ->> k0
#~ r[1][k] ->> k1
#~ r[2][k] ->> k2
#~ d[0] ->> m0
#~ d[1] ->> m1
#~ d[2] ->> m2
#~ p->plane->high ->> high
#~ p->pad ->> pad
#= away = (t[0] * d[0] + t[1] * d[1]) + t[2] * d[2]
#= (r[0][k] * d[0] + r[1][k] * d[1]) + r[2][k] * d[2]
#= (p->plane->high + p->pad) - away
C = f2 * d2 + (f1 * d1 + f0 * d0);
V = 1 - (h2 * ((1 - a - b) * g2) + h1 * (b * g1) + h0 * (a * g0));
P = p2 * n2 + (p1 * n1 + p0 * n0);
Q = (e0 + e1) + e2;
K = (k0 * m0 + k1 * m1) + k2 * m2;
{ |f0 * d0| <= 1.000001 /\ |f1 * d1| <= 1.000001 /\ |f2 * d2| <= 1.000001 /\ |f1 * d1 + f0 * d0| <= 1.000001 /\ |C| <= 1.000001 -> |result - C| <= 6b-24 }
{ a in [0,1] /\ b in [0,1] /\ 1 - a - b in [0,1] /\ |h0| <= 1 /\ |h1| <= 1 /\ |h2| <= 1 /\ |g0| <= 1 /\ |g1| <= 1 /\ |g2| <= 1 -> V >= -1b-50 }
V -> a * (1 - h0 * g0) + b * (1 - h1 * g1) + (1 - a - b) * (1 - h2 * g2);
{ |p0 * n0| <= 1.000001 /\ |p1 * n1| <= 1.000001 /\ |p2 * n2| <= 1.000001 /\ |p1 * n1 + p0 * n0| <= 1.000001 /\ |P| <= 1.000001 -> |result_2 - P| <= 6b-24 }
{ |at - half| <= 2 -> |low - (at - half)| <= 2b-24 }
{ q0 -/ e0 in [-2b-24,2b-24] /\ q1 -/ e1 in [-2b-24,2b-24] /\ q2 -/ e2 in [-2b-24,2b-24] /\ |e0| <= 1 /\ |e1| <= 1 /\ |e2| <= 1 /\ |e0 + e1| <= 1 /\ |Q| <= 1 -> |result_3 - Q| <= 9b-24 }
{ total in [1,1] -> result_4 in [0.9999999,1.0000001] }
{ |middle + more| <= 2 /\ |middle + more - shift| <= 2 -> |result_5 - ((middle + more) - shift)| <= 5b-24 }
{ |middle - more| <= 2 -> |result_6 + (middle - more)| <= 2b-24 }
result_6 + (middle - more) -> (middle - more) - sub_rel<24>(middle, more);
{ unit in [1,1] -> result_7 >= 63b-24 }
{ x in [-7b-24,7b-24] -> sqrt(x * x + x * x + x * x) + 1b-24 + 12b-24 + 2b-24 + 9b-24 + 5b-24 + 1b-24 + 12b-24 + 2b-24 + 2b-24 <= 60b-24 }
{ |k0 * m0| <= 1.000001 /\ |k1 * m1| <= 1.000001 /\ |k2 * m2| <= 1.000001 /\ |k0 * m0 + k1 * m1| <= 1.000001 /\ |K| <= 1.000001 -> |away - K| <= 6b-24 /\ |result_8 - K| <= 6b-24 }
{ |high + pad| <= 2 /\ |high + pad - away| <= 2 -> |result_9 - ((high + pad) - away)| <= 5b-24 }
