# gz_world_question_make(): the box as floats, grown by the pad, holds the box in double; in units of size = |centre| + half
# extent, here c and e. Joined by hand: the sum of what both are off, 2.1 u in floats, is below the pad's 8 u.
#@ src/broad/world_query.h gz_world_question_make 53
#? double center = 0.5 * low[k] + 0.5 * high[k]
#? half = 0.5 * (high[k] - low[k])
#? double size = center < 0 ? half - center : half + center
#~ center ->> c
#~ half ->> e
#= q.box.center[k] = (float)center; k=0
#= q.box.half[k] = (float)half; k=0
#~ size ->> one
#~ 1e-30 ->> 0
#= q.pad[k] = (float)(0x1p-21 * size + 1e-30); k=0
{ |c| <= 1 /\ e in [0,1] /\ one in [1,1]
  -> |q_box_center_0 - c| <= 1b-24 /\ |q_box_half_0 - e| <= 1b-24 /\ q_pad_0 >= 7b-24 }
c * 1 -> c;
e * 1 -> e;
