# gz_tree_pair_grow(): a margin as a float is not less than it, in units of it; and the pad of boxes with the margin, in units
# of both, is not less than they are.
#@ src/narrow/kernel.c gz_tree_pair_grow 53
#~ fmax(margin * GZ_ROUND_UP_TO_FLOAT, 1e-18) ->> (one * GZ_ROUND_UP_TO_FLOAT)
#= (float)fmax(margin * GZ_ROUND_UP_TO_FLOAT, 1e-18)
#@ src/narrow/kernel.c gz_tree_pair_grow 24
#~ pair->box_pad ->> pad
#~ pair->float_margin ->> grown
#= pair->box_pad * GZ_ROUND_UP_FEW + pair->float_margin
W = pad * 1048577b-20 + grown;
{ one in [1,1] /\ pad in [0,1] /\ grown in [0,1] /\ pad + grown in [1,1] /\ W in [1,1.000001]
  -> result >= 1.0000008 /\ |result_2 - W| <= 33b-28 }
