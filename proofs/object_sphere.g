# object_apart(): a link's sphere and an object's box, eight configurations. In units of the threshold; what is
# outside of the box is a float, whose own error object_view and object_turn have. Joined by hand: a computed square above the
# right side means a real one above 1.
#@ src/check/batch_filter.inl object_apart 24
#= gz_f8 d2 = gz_f8_all(0)
#? d = gz_f8_max(gz_f8_sub(d, gz_f8_all(o->half[k])), none)
#~ d ->> d0
#= d2 = gz_f8_muladd(d, d, d2)
#~ d ->> d1
#= d2 = gz_f8_muladd(d, d, d2)
#~ d ->> d2nd
#= d2 = gz_f8_muladd(d, d, d2)
#= gz_f8_all(threshold * threshold * GZ_ROUND_UP)
D2 = d2nd * d2nd + (d1 * d1 + d0 * d0);
{ |d0| in [1b-60,1b60] /\ |d1| in [1b-60,1b60] /\ |d2nd| in [1b-60,1b60] /\ threshold in [1,1]
  -> d2_4 -/ D2 in [-1b-21,1b-21] /\ result >= 1.000001 }
