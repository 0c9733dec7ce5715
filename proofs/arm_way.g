# Ways of a planar arm, in units of each step's: a sum of products that are not negative is off by 2 u a step of itself (hypot() by u
# more), so that a sum over GRAZE_PLANAR_LINK_MAX links is off by less than 2^9 u of the 2^13 u
# used.
#@ src/planar/cspace/arm_pose.c gz_arm_way 53
#~ fabs(change[query->first + i]) ->> turn
#~ behind ->> one
#~ way ->> before
#= way += fabs(change[query->first + i]) * behind
#~ way ->> sum
#= return way * (1 + 0x1p-40)
#@ src/planar/cspace/arm_pose.c way_of 53
#~ way ->> before
#~ (arm + pose->error + way) ->> one
#= way += turn * (arm + pose->error + way)
#~ way ->> sum
#= return way * (1 + 0x1p-40)
M = mul_rel<53>(turn, one);
{ before in [0,1] /\ turn in [0,1] /\ one in [1,1] /\ before + turn in [1,1] -> |way - 1| <= 3b-53 /\ |way_2 - 1| <= 3b-53 }
way - 1 -> (way - (before + M)) + (M - turn * one) + (before + turn - 1) + turn * (one - 1);
way_2 - 1 -> (way_2 - (before + M)) + (M - turn * one) + (before + turn - 1) + turn * (one - 1);
{ sum in [9007199254740000b-53,1] -> result >= 1 /\ result_2 >= 1 }
