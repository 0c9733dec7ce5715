# Ways of a planar arm, in units of each step's: a sum of products that are not negative is off by 2 u a step of itself (hypot() by u
# more). n steps multiply n factors between 1 - 3 u and 1 + 3 u, whose product lies between the n-th powers of these: 2^9 u of the
# 2^13 u used for GRAZE_PLANAR_LINK_MAX links and a base.
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
#@ include/graze/planar_smooth.h - 53
#? #define GRAZE_PLANAR_LINK_MAX 64
G1 = (1 + e) * (1 + e);
G2 = G1 * G1;
G3 = G2 * G2;
G4 = G3 * G3;
G5 = G4 * G4;
G6 = G5 * G5;
G7 = G6 * G6;
M = mul_rel<53>(turn, one);
{ before in [0,1] /\ turn in [0,1] /\ one in [1,1] /\ before + turn in [1,1] -> |way - 1| <= 3b-53 /\ |way_2 - 1| <= 3b-53 }
way - 1 -> (way - (before + M)) + (M - turn * one) + (before + turn - 1) + turn * (one - 1);
way_2 - 1 -> (way_2 - (before + M)) + (M - turn * one) + (before + turn - 1) + turn * (one - 1);
{ sum in [9007199254740000b-53,1] -> result >= 1 /\ result_2 >= 1 }
{ e in [-3b-53,3b-53] -> |G7 - 1| <= 1b-44 }
