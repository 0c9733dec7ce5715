# gz_filter_turn(): an entry of a pose in another frame, three products of numbers whose sums are at most 1 (rows and columns of rotations,
# or an axis and a way, in units of the way): 5.1 u, fused or not. Used are 32 u of the sizes of both links and the way. bound_errors():
# the base's numbers, rounded once, in Frobenius' norm u sqrt 3 of 1, and of the largest coordinate.
#@ src/check/filter_model.h gz_filter_turn 24
#~ row[0] ->> a0
#~ to[i][0] ->> b0
#= gz_f4 sum = gz_f4_mul(row[0], gz_f4_all(to[i][0]))
#~ row[1] ->> a1
#~ to[i][1] ->> b1
#= sum = gz_f4_muladd(row[1], gz_f4_all(to[i][1]), sum)
#~ row[2] ->> a2
#~ to[i][2] ->> b2
#= sum = gz_f4_muladd(row[2], gz_f4_all(to[i][2]), sum)
#@ src/check/filter_model.h gz_filter_place_pair 53
#~ (double)a->turn ->> turn_a
#~ (double)b->turn ->> turn_b
#= double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24
#@ src/check/filter_model.h gz_filter_place_object 53
#? double turn = (double)l->turn + 32 * 0x1p-24
#@ src/check/filter_model.c bound_errors 53
#? errors[0] = (gz_pose_bound){.rotation = 2 * 0x1p-24, .translation = 2 * 0x1p-24 * GZ_FILTER_BASE_MAX}
#= 2 * 0x1p-24
S = a2 * b2 + (a1 * b1 + a0 * b0);
{ |a0 * b0| <= 1 /\ |a1 * b1| <= 1 /\ |a2 * b2| <= 1 /\ |a1 * b1 + a0 * b0| <= 1 /\ |S| <= 1 -> |sum_3 - S| <= 82b-28 }
{ turn_a in [0,0] /\ turn_b in [0,0] -> turn >= 31b-24 }
{ result >= 0.000000103296 }
