# decide_orientation(): a volume as a sum of tetrahedra, in units of the magnitudes of its products, u = 2^-53. A term of one, with its edges, as
# orient3d: 7.2 u of its magnitudes (b and 1 - b of it), and 2 u in the sum of three: 9.2 u. Adding the tetrahedra one by one: that i
# of them, of magnitudes M, are off by less than 1.03 (9 + i) u M holds for the next one, too, of magnitude m, M + m = 1. The
# magnitudes themselves are summed to less than 1 % off for 2^32 triangles; the bound is above what is needed.
#@ src/narrow/solid_report.c add_volume 53
#? for (size_t i = 0; i < 3; i++) gz_subtract(gz_mesh_corner(m, t, i), o, e[i])
#~ e[1][u] ->> a
#~ e[2][v] ->> d
#~ e[1][v] ->> c
#~ e[2][u] ->> g
#= double left = e[1][u] * e[2][v]
#= right = e[1][v] * e[2][u]
#~ e[0][k] ->> w
#= e[0][k] * (left - right)
#? c->volume += sum
#? s->volume_error[number] += size
#@ src/narrow/solid_report.c decide_orientation 53
#~ (double)c->triangle_count ->> n
#~ s->volume_error[i] ->> sizes
#= double bound = 0x1p-52 * ((double)c->triangle_count + 16) * s->volume_error[i]
p = a0 * d0;
q = c0 * g0;
T = w0 * (p - q);
F = (10 + i) * 1.03 - ((9 + i) * 1.03 * (1 - m) + 9.2 * m + 1.0001);
{ a -/ a0 in [-1b-53,1b-53] /\ d -/ d0 in [-1b-53,1b-53] /\ c -/ c0 in [-1b-53,1b-53] /\ g -/ g0 in [-1b-53,1b-53] /\ w -/ w0 in [-1b-53,1b-53]
  /\ b in [0,1] /\ |p| - b <= 0 /\ |q| - (1 - b) <= 0 /\ |p| <= 1 /\ |q| <= 1 /\ |p - q| <= 1 /\ |w0| <= 1 -> |result - T| <= 115b-57 }
$ b in 32;
{ i in [0,1b32] /\ m in [0,1] -> F >= 0 }
F -> 0.0299 + m * (0.07 + 1.03 * i);
{ n in [0,4294967296] /\ sizes in [0.99,1] -> bound -/ (1b-52 * (n + 16) * sizes) in [-4b-53,4b-53] }
{ n in [0,4294967296] -> 1.97 * (n + 16) - 1.03 * (9 + n) >= 0 }
1.97 * (n + 16) - 1.03 * (9 + n) -> 0.94 * n + 22.25;
