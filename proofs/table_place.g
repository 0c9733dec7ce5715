# gz_pair_table_place(): cells per unit and the place of a value, in units of the exact ones: 4 u of the place in all. So places are off by
# 4 u of the value's distance from the range's begin, which is at most twice the greatest magnitude of the range, or 1004 rad where the
# column comes round.
#@ src/robot/pair_table.h gz_pair_table_place 53
#~ t->low[k] ->> low
#~ t->high[k] ->> high
#= double per_unit = count / (t->high[k] - t->low[k])
#~ per_unit ->> scale
#= double x = (value - t->low[k]) * per_unit
L = high - low;
V = value - low;
{ |high| <= 2000 /\ |low| <= 2000 /\ L in [1,1] /\ count in [1,1] -> per_unit - 1 in [-2049b-63,2049b-63] }
{ |value| <= 2000 /\ |low| <= 2000 /\ V in [1,1] /\ scale in [9007199254740990b-53,9007199254740994b-53] -> x - 1 in [-4097b-63,4097b-63] }
