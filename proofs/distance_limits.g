# Limits of the search for the nearest triangles. In units of what each stands for: a limit and a tie as floats are no less, a slack
# no more. gz_near_bound(): the root of a square less a radius is no more than in real numbers, in units of the root.
#@ src/narrow/distance/shape_distance.c limit_of 53
#~ limit ->> one
#= (float)(limit * GZ_ROUND_UP_TO_FLOAT)
#@ src/narrow/distance/shape_distance.c gz_candidates_start 53
#~ fmin(n->slack, FAR) ->> one
#= c->slack = (float)(fmin(n->slack, FAR) * (1 - 0x1p-20))
#~ n->tie ->> tie
#~ GZ_NEAREST_CELL ->> cell
#= (float)((n->tie + GZ_NEAREST_CELL) * GZ_ROUND_UP_TO_FLOAT)
#@ src/narrow/distance/tree_distance.h gz_near_bound 24
#~ square ->> one
#~ search->round ->> round
#= float below = sqrtf(square) * (1 - 0x1p-20f) - search->round * (1 + 0x1p-20f)
A = mul_rel<24>(mul_rel<24>(sqrt(one), 1), 1048575b-20);
B = mul_rel<24>(round, 1048577b-20);
{ one in [1,1] /\ tie in [0,1] /\ cell in [0,1] /\ tie + cell in [1,1] /\ round in [0,1]
  -> result >= 1 /\ c_slack <= 1 /\ result_2 >= 1 /\ below - (1 - round) <= 0 }
below - (1 - round) -> (below - (A - B)) + ((A - 1) - (B - round));
