# group_near(): a link's sphere and eight objects' boxes. In units of the threshold; what is
# outside of the box is a float, whose own error object_view and object_turn have. Joined by hand: a computed square above the
# right side means a real one above 1.
#@ src/check/query_filter.inl group_near 24
#= square = gz_f8_all(0)
#? gz_f8 out = gz_f8_max(gz_f8_sub(gz_f8_abs(p), gz_f8_load(g->half[k])), none)
#~ out ->> d0
#= square = gz_f8_muladd(out, out, square)
#~ d0 ->> d1
#= square = gz_f8_muladd(out, out, square)
#~ d1 ->> d2nd
#= square = gz_f8_muladd(out, out, square)
#= threshold = gz_f8_mul(threshold, gz_f8_all(GZ_SQUARE_ROUND_UP))
#= gz_f8_mul(threshold, threshold)
D2 = d2nd * d2nd + (d1 * d1 + d0 * d0);
{ |d0| in [1b-60,1b60] /\ |d1| in [1b-60,1b60] /\ |d2nd| in [1b-60,1b60] /\ threshold in [1,1]
  -> square_4 -/ D2 in [-1b-21,1b-21] /\ result >= 1.000001 }
