# A sample point in the cells of an inside map, a coordinate, in units of S / step (S of kernel.c): 16 u. Hypotheses: |v_j| <= rA, rows of
# length 1, the lattice's corner is at most 1.25 rB off, half a cell below 0.1 rB (a map has 2048 cells or more), sqrt 3 (rA + rB) + |t| = S.
# That is less than the 24 u of `error` (tree_pads), which is below 0.9 pads; the two are less than the 2 PAD around a cell that no
# triangle comes near (lattice_cells).
#@ src/mesh/prefilter/cell_map.c - 24
#? #define CELLS_LEAST 2048
#@ src/narrow/prefilter/proxy_pair.inl proxies_overlap 24
#? if (b->inside.word_count && p->error < b->inside.pad
#? if (!a->inside.word_count || !(p->error < a->inside.pad)) return false
#@ src/narrow/prefilter/proxy_pair.inl prepare_cells 24
#~ r[i][j] ->> r0
#~ map->inverse ->> over
#= f->r[i][j] = r[i][j] * map->inverse; i=0 j=0
#~ r[i][j] ->> r1
#= f->r[i][j] = r[i][j] * map->inverse; i=0 j=1
#~ r[i][j] ->> r2
#= f->r[i][j] = r[i][j] * map->inverse; i=0 j=2
#~ t[i] ->> t
#~ map->low[i] ->> corner
#~ 0.5f ->> half
#= f->t[i] = (t[i] - map->low[i]) * map->inverse - 0.5f; i=0
#@ src/narrow/prefilter/cell_lanes.h madd 24
#? return gz_f8_muladd(a, gz_f8_all(b), sum)
#@ src/narrow/prefilter/cell_lanes.h move_group 24
#? out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2])
#~ madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]) ->> gz_f8_muladd(z, f_r_0_2, gz_f8_muladd(y, f_r_0_1, gz_f8_muladd(x, f_r_0_0, f_t_0)))
#= out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]); i=0
T = (t - corner) * one - half;
X = x * (r0 * one) + T;
Y = y * (r1 * one) + X;
Z = z * (r2 * one) + Y;
{ over -/ one in [-1b-24,1b-24] /\ one in [1,1] /\ |t - corner| <= 1.01 /\ |T| <= 1.06 /\ half in [0,0.06] /\ |x| <= 0.57735 /\ |y| <= 0.57735 /\ |z| <= 0.57735
  /\ |r0| <= 1.000001 /\ |r1| <= 1.000001 /\ |r2| <= 1.000001 /\ |X| <= 1.06 /\ |Y| <= 1.06 /\ |Z| <= 1.06 -> |out_x_0 - Z| <= 16b-24 }
