# gz_filter_view_turn(): an object's centre along its axes, in units of its pad's size: half extents and the centre's 1-norm.
# Hypotheses: entries of axes within 1, and each float nearest to its double. The pad is 64 u; 12 u are used here.
#@ src/check/filter_model.h gz_filter_view_turn 24
#~ c[0] ->> centre_0
#~ c[1] ->> centre_1
#~ c[2] ->> centre_2
#= out->along[k] = (a[0] * c[0] + a[1] * c[1]) + a[2] * c[2]; k=0
#@ src/check/filter_model.h gz_filter_view_place 24
#~ size ->> one
#= out->pad = size * 0x1p-18f
A = a0 * c0 + a1 * c1 + a2 * c2;
{ centre_0 -/ c0 in [-1b-24,1b-24] /\ centre_1 -/ c1 in [-1b-24,1b-24] /\ centre_2 -/ c2 in [-1b-24,1b-24]
  /\ a_0 -/ a0 in [-1b-24,1b-24] /\ a_1 -/ a1 in [-1b-24,1b-24] /\ a_2 -/ a2 in [-1b-24,1b-24]
  /\ |a0 * c0| <= 1 /\ |a1 * c1| <= 1 /\ |a2 * c2| <= 1 /\ |a0 * c0 + a1 * c1| <= 1 /\ |A| <= 1 /\ one in [1,1]
  -> |out_along_0 - A| <= 12b-24 /\ out_pad >= 63b-24 }
