# Motions in double. list_objects() and is_near_any(): a sum from above, in units of it. straight_column(): a rate from above, in units of the
# difference; the value between the ends, in units of |a| + |b|: 5 u, where a turn that is taken off has 12 u of 8 more, both
# doubled below SLACK. A base as seen from an object that moves, a coordinate in units of the domain: 6 u, with
# 4 u of twice the domain for the time 14 u, three of them 42 u of the 64 u of GZ_MOVING_ERROR.
#@ src/motion/motion_search.c list_objects 53
#~ gz_margin_certified(c, -1, link, margin) ->> need
#= (gz_margin_certified(c, -1, link, margin) + error + bound) * (1 + 0x1p-40)
#@ src/motion/motion_reach.c is_near_any 53
#~ gz_margin_certified(c, -1, link, margin) ->> need
#= double within = (gz_margin_certified(c, -1, link, margin) + bound) * (1 + 0x1p-40)
#@ src/motion/motion_edge.c straight_column 53
#? d = b - a
#~ fabs(d) ->> d
#~ (fabs(a) + fabs(b) + 8) ->> one
#= fabs(d) * ROUND_UP
#= SLACK * (fabs(a) + fabs(b) + 8)
#@ src/motion/motion_edge.c radius_about 53
#~ gz_norm(cross) ->> one
#= gz_norm(cross) * ROUND_UP
#@ src/kinematics/space.h gz_number_between 53
#= x = a + t * (b - a)
#@ src/motion/motion_moving.c gz_motion_seen_base 53
#? memcpy(out, base, 6 * sizeof *out)
#~ out[k] ->> b
#~ m->moving[m->group].velocity[k] ->> v
#~ time ->> T
#= out[k] -= m->moving[m->group].velocity[k] * time; k=0
#@ src/motion/motion_internal.h - 53
#? #define GZ_MOVING_ERROR 0x1p-47
S = (need + error) + bound;
R = a + t * (b - a);
Z = v * T;
{ need in [0,1] /\ error in [0,1] /\ bound in [0,1] /\ need + error in [0,1] /\ S in [1,1] -> result >= 1 }
{ need in [0,1] /\ bound in [0,1] /\ need + bound in [1,1] -> within >= 1 }
{ d in [0.9999999999999998,1] -> result_2 >= 1 }
{ one in [1,1] -> result_3 >= 15b-53 /\ result_4 >= 1 }
{ |a| <= 1 /\ |b| <= 1 /\ |b - a| <= 1 /\ t in [0,1] /\ |R| <= 1 -> |x - R| <= 5b-53 }
{ |Z| <= 2 /\ |b| <= 1 /\ |b - Z| <= 3 -> |out_0 - (b - Z)| <= 6b-53 }
