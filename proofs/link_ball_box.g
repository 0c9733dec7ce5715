# A link's sphere and another's box: ball_apart() adds the squares of what is outside, and compares with fill_ball()'s.
# In units of the threshold; what is outside is a float, and its own error belongs to link_box_axis.
#@ src/check/batch_filter.inl ball_apart 24
#= d2 = gz_f8_all(0)
#~ out ->> out0
#= d2 = gz_f8_muladd(out, out, d2)
#~ out ->> out1
#= d2 = gz_f8_muladd(out, out, d2)
#~ out ->> out2
#= d2 = gz_f8_muladd(out, out, d2)
#@ src/check/filter_model.c fill_ball 24
#= p->outside2 = threshold * threshold * 1.00002f
{ |out0| in [1b-60,1b60] /\ |out1| in [1b-60,1b60] /\ |out2| in [1b-60,1b60] /\ threshold in [1,1] ->
  d2_4 -/ (out2 * out2 + (out1 * out1 + out0 * out0)) in [-1b-21,1b-21] /\ p_outside2 >= 1.000001 }
