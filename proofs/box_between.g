# box_between() and place_box(): centre, half extent and its growth in double, in units of the larger of |low| and |high|.
# Joined by hand: centre +- half extent holds low and high, as u + u + 2 u and the rounding of the sum are below what is added,
# 32 u of |low| + |high|, or 8 u of the larger.
#@ src/check/cap_clearance.c box_between 53
#= center[k] = 0.5 * low[k] + 0.5 * high[k]; k=0
#= 0.5 * high[k] - 0.5 * low[k]; k=0
#? half[k] = (0.5 * high[k] - 0.5 * low[k]) + 0x1p-48 * (fabs(low[k]) + fabs(high[k]))
#@ src/check/check.c place_box 53
#= middle[k] = 0.5 * (low[k] + high[k]); k=0
#~ 0.5 * (high[k] - low[k]) ->> h
#~ m ->> one
#= half[k] = 0.5 * (high[k] - low[k]) + 0x1p-50 * m; k=0
L = 0.5 * low_0; H = 0.5 * high_0;
{ |L| <= 0.5 /\ |H| <= 0.5 /\ |low_0 + high_0| <= 2 /\ one in [1,1] /\ h in [0,1]
  -> |center_0 - (L + H)| <= 33b-57 /\ |result - (H - L)| <= 33b-57
  /\ |middle_0 - 0.5 * (low_0 + high_0)| <= 33b-57 /\ |half_0 - (h + one * 1b-50)| <= 3b-53 }
