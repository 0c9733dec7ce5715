# dot_normal(): a moved vertex along an axis n, in units of S |n|_1. Hypotheses: |v_k| <= S and |n_k| <= |n|_1, and so the
# partial sums are at most S |n|_1 (times 1 + 10^-6 for what the vertex is off).
#@ src/narrow/tree_pair.inl dot_normal 24
#~ n->x ->> nx
#~ n->y ->> ny
#~ n->z ->> nz
#~ v->x ->> vx
#~ v->y ->> vy
#~ v->z ->> vz
#= gz_f8 xy = gz_f8_add(gz_f8_mul(n->x, v->x), gz_f8_mul(n->y, v->y))
#= gz_f8_add(xy, gz_f8_mul(n->z, v->z))
{ |nx * vx| <= 1.000001 /\ |ny * vy| <= 1.000001 /\ |nz * vz| <= 1.000001
  /\ |nx * vx + ny * vy| <= 1.000001 /\ |nx * vx + ny * vy + nz * vz| <= 1.000001
  -> |result - (nx * vx + ny * vy + nz * vz)| <= 21b-26 }
