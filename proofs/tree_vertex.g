# move_packet(): a vertex of A in B's frame, per coordinate, in units of S = |t| + sqrt 3 (rA + rB), u = 2^-24.
# Hypotheses: |v_j| <= rA <= S / sqrt 3 (the mesh's bounds); a row of a rotation has length 1 (poses are rigid up to 1e-9:
# kernel.c holds that apart), so that partial sums are no longer than v; the mesh and to_b hold floats nearest to the doubles.

#@ src/narrow/tree_pair.inl move_packet 24
#~ packet->vertex[corner][0] ->> vertex_0
#~ packet->vertex[corner][j] ->> vertex[j]
#~ pair->to_b[i][0] ->> to_0
#~ pair->to_b[i][j] ->> to[j]
#~ pair->to_b_shift[i] ->> shift
#= gz_f8 p = gz_f8_mul(gz_f8_load(packet->vertex[corner][0]), gz_f8_all(pair->to_b[i][0]))
#= p = gz_f8_add(p, gz_f8_mul(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(pair->to_b[i][j]))); j=1
#= p = gz_f8_add(p, gz_f8_mul(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(pair->to_b[i][j]))); j=2
#= p = gz_f8_add(p, gz_f8_all(pair->to_b_shift[i]))
{ vertex_0 -/ v0 in [-1b-24,1b-24] /\ vertex_1 -/ v1 in [-1b-24,1b-24] /\ vertex_2 -/ v2 in [-1b-24,1b-24] /\ to_0 -/ r0 in [-1b-24,1b-24] /\ to_1 -/ r1 in [-1b-24,1b-24] /\ to_2 -/ r2 in [-1b-24,1b-24] /\ shift -/ t in [-1b-24,1b-24]
  /\ |v0| <= 0.57735027 /\ |v1| <= 0.57735027 /\ |v2| <= 0.57735027 /\ |r0| <= 1.000001 /\ |r1| <= 1.000001 /\ |r2| <= 1.000001
  /\ |v0 * r0 + v1 * r1| <= 1.000001 /\ |v0 * r0 + v1 * r1 + v2 * r2| <= 1.000001 /\ |t| <= 1
  /\ |v0 * r0 + v1 * r1 + v2 * r2 + t| <= 1.000001
  -> |p_4 - (v0 * r0 + v1 * r1 + v2 * r2 + t)| <= 19b-25 }
