# gz_filter_threshold(): what a margin adds to a float filter, at least what gz_margin_threshold() is; turn >= 0.
#@ src/check/filter_error.c gz_filter_threshold 53
#~ threshold ->> one
#= return (float)(threshold * (1.00001 + 2 * (double)turn))
{ one in [1,1] /\ turn in [0,1] -> result >= 1.0000098 }
