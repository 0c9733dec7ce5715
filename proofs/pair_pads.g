# Errors of poses in float and what is made of them, in double, each in units of itself: more by 0.99 % (errors below 2^-12 are so to second
# order, up to the third power, ((1 + e)^3 - 1) / 3 e = 1 + e + e^2 / 3) or by 0.09 %, whatever rounds. What is taken off
# (own_error()) is less than it is in real numbers, and a share of a way no more than 1 / 1.01 of it.
#@ src/check/filter_error.c gz_pose_bound_next 53
#~ parent->length ->> 0
#~ o ->> one
#= GZ_BOUND_SLACK * o
#~ parent->rotation ->> rotation
#~ body->bent ->> bent
#= (parent->rotation + GZ_BOUND_SLACK * body->bent)
#@ src/check/filter_error.c own_error 53
#~ (s->body->length - common->length) ->> one
#= double path = (s->body->length - common->length) * (1 / GZ_BOUND_SLACK - 1e-6)
#~ (common->translation + common->rotation * fmax(path, 0)) ->> one
#= GZ_BOUND_SLACK * (1 - 1e-6) * (common->translation + common->rotation * fmax(path, 0))
#@ src/check/filter_error.c gz_pair_pads_make 53
#~ (a->error + b->error) ->> one
#= double whole = 1.001 * (a->error + b->error)
#~ common->rotation ->> one
#= turn = GZ_BOUND_SLACK * common->rotation
#~ (own_error(a, common) + own_error(b, common)) ->> one
#= double own = GZ_BOUND_SLACK * (own_error(a, common) + own_error(b, common))
#~ own ->> part
#~ across ->> 0
#~ turn ->> one
#~ size ->> angle
#= 4 * own + 16 * turn * size + across
#@ src/check/filter_model.c make_link 53
#~ e->rotation ->> rotation
#= out.turn = (float)(GZ_BOUND_SLACK * e->rotation + 0x1p-20)
#~ gz_filter_pad(l) ->> 0
#~ (e->translation + 4 * e->rotation * extent + 24 * 0x1p-24 * far) ->> one
#= out.error = (float)(GZ_BOUND_SLACK * (e->translation + 4 * e->rotation * extent + 24 * 0x1p-24 * far) + gz_filter_pad(l))
#@ src/check/filter_model.h gz_filter_place_pair 53
#~ ((double)p->error + turn * span) ->> one
#= GZ_BOUND_SLACK * ((double)p->error + turn * span)
#@ src/check/filter_model.h gz_filter_place_object 53
#~ ((double)l->error + (double)view->mesh_pad + turn * span) ->> one
#= return GZ_BOUND_SLACK * ((double)l->error + (double)view->mesh_pad + turn * span)
#@ src/check/filter_model.c make_pair 24
#~ (float)pads.boxes ->> boxes
#= out.sizes[6] = (float)pads.boxes * GZ_ROUND_UP + margin
#@ src/narrow/points/point_lanes.inl at_most 24
#~ threshold ->> one
#= threshold * threshold * GZ_ROUND_UP_FEW
#@ src/narrow/kernel.c pad 53
#~ constant * 0x1p-24 * size + 0x1p-50 * far ->> one
#~ 1e-29 ->> least
#= (float)((constant * 0x1p-24 * size + 0x1p-50 * far) * GZ_ROUND_UP_TO_FLOAT + 1e-29)
#@ src/narrow/kernel.c gz_proxy_pair_grow 53
#~ (error + 24 * 0x1p-24 * size) ->> one
#= (float)((error + 24 * 0x1p-24 * size) * GZ_ROUND_UP_TO_FLOAT)
#@ src/narrow/points/point_pair.inl move_leaf 24
#~ p->threshold ->> limit
#~ leaf_slack(own) ->> slack
#= out->threshold = (p->threshold + leaf_slack(own)) * GZ_ROUND_UP_FEW
{ one in [1,1] -> result >= 1.0099 /\ result_3 <= 1.01 /\ path in [0.99009,0.9900990099] /\ whole >= 1.0009 /\ turn >= 1.0099 /\ own >= 1.0099
  /\ result_5 >= 1.0099 /\ result_6 >= 1.0099 /\ result_7 >= 1.0000008 /\ result_9 >= 1 /\ out_error >= 1.00999 }
{ rotation in [0,0] /\ bent in [1,1] -> result_2 >= 1.0099 }
{ one in [1,1] /\ part in [1,1] /\ angle in [0,0] -> result_4 >= 3.9999 }
{ one in [1,1] /\ part in [0,0] /\ angle in [1,1] -> result_4 >= 15.9999 }
{ rotation in [1,1] -> out_turn >= 1.00999 }
{ boxes in [0,1] /\ margin in [0,1] /\ boxes + margin in [1,1] -> |out_sizes_6 - (boxes * 2097173b-21 + margin)| <= 3b-24 }
{ one in [1,1] /\ least in [0,1] -> result_8 >= 1 }
{ limit in [0,1] /\ slack in [0,1] /\ limit + slack in [1,1] -> out_threshold >= 1.0000008 }
{ e in [0,1b-12] -> 1 + (e + (e * e) * 0.33333334) <= 1.0003 }
