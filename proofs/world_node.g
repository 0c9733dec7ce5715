# gz_world_node_overlap(): in units of |c| + half extent of the node and what the question has, below 2: the distance of the
# centres, the slack for it and the sum of half extents. Joined by hand: 2 u + 3 u of 2 are below the slack's 8 u and the pad.
#@ src/broad/world_query.h gz_world_node_overlap 24
#~ gz_f8_all(q->box.center[k]) ->> qc
#= gz_f8_sub(c, gz_f8_all(q->box.center[k]))
#~ gz_f8_add(gz_f8_abs(c), half) ->> size
#= gz_f8 slack = gz_f8_mul(gz_f8_add(gz_f8_abs(c), half), gz_f8_all(0x1p-21f))
#~ slack ->> given
#~ q->box.half[k] ->> qh
#~ q->pad[k] ->> pad
#= gz_f8 h = gz_f8_add(gz_f8_add(half, slack), gz_f8_all(q->box.half[k] + q->pad[k]))
H = (half + given) + (qh + pad);
{ size in [1,1.1] /\ |c - qc| <= 2 /\ half + given in [0,1.000001] /\ qh + pad in [0,1.000001] /\ H in [0,2]
  -> slack >= 7b-24 /\ |result - (c - qc)| <= 2b-24 /\ |h - H| <= 65b-28 }
