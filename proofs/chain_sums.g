# Sums along a chain of bodies, outward, in units of themselves: a step is off by 7 u (the length of an origin 4 u, a slide, a stretch, the
# sum). n steps multiply n factors between 1 - 7 u and 1 + 7 u, whose product lies between the n-th powers of these: squared 18 times, for
# the at most 10^5 bodies of a chain, on both sides of a path and twice for their stretches, 2^21 u of the 2^23 u and 2^33 u used. Ways along a chain of a motion's joints: a radius
# times a chord and a sum, 3 u. The time of a parameter: a step of 2^-46 and 4 u of the piece, and 4 u of its ends, of what is used.
#@ src/check/margin.c bound_workspace 53
#~ far[b->parent] ->> far
#~ b->error.stretch ->> stretch
#~ (gz_norm(origin) + slide) ->> way
#= far[i] = far[b->parent] + b->error.stretch * (gz_norm(origin) + slide); i=0
#~ c->workspace_radius ->> sum
#= c->workspace_radius *= 1 + 0x1p-20
#@ src/motion/motion_edge.c gz_edge_radius 53
#? far += greatest_slide(e, &e->robot->bodies[i])
#~ far * e->stretch ->> sum
#= return far * e->stretch * (1 + 0x1p-20)
#@ src/kinematics/motion_bound.c share_of 53
#~ joint->chord ->> chord
#~ joint->radius[link] ->> radius
#= joint->chord * joint->radius[link]
#@ src/kinematics/motion_bound.c gz_motion_stretch 53
#? for (int32_t i = 0; i < 2 * count + 2; i++) whole *= stretch
#@ src/kinematics/motion_bound.c gz_motion_sum 53
#? sum += share_of(&path[i], 1)
#? from_b += share_of(&path[k - 1], 0)
#? sum += path[i].share
#@ src/kinematics/motion_bound.c bound 53
#~ angles ->> sum
#= angles * ROUND_UP
#@ src/motion/trajectory_check.c earliest_time 53
#~ (end - begin) ->> one
#= 0x1p-45 * (end - begin)
#~ fmax(fabs(begin), fabs(end)) ->> one
#= 0x1p-50 * fmax(fabs(begin), fabs(end))
G1 = (1 + e) * (1 + e);
G2 = G1 * G1;
G3 = G2 * G2;
G4 = G3 * G3;
G5 = G4 * G4;
G6 = G5 * G5;
G7 = G6 * G6;
G8 = G7 * G7;
G9 = G8 * G8;
G10 = G9 * G9;
G11 = G10 * G10;
G12 = G11 * G11;
G13 = G12 * G12;
G14 = G13 * G13;
G15 = G14 * G14;
G16 = G15 * G15;
G17 = G16 * G16;
G18 = G17 * G17;
M = mul_rel<53>(stretch, way);
W = stretch * way;
{ far in [0,1] /\ W in [0,1] /\ far + W in [1,1] -> |far_0 - 1| <= 3b-53 }
far_0 - 1 -> (far_0 - (far + M)) + (M - W) + (far + W - 1);
{ sum in [0.99999999988,1] -> result >= 1 /\ c_workspace_radius >= 1 /\ result_3 >= 1 }
{ chord in [0,1] /\ radius in [0,1] -> |result_2 - chord * radius| <= 1b-53 }
{ one in [1,1] -> result_4 - 1b-46 >= 120b-53 /\ result_5 >= 7b-53 }
{ e in [-7b-53,7b-53] -> |G18 - 1| <= 1b-32 }
{ sum in [0.9999999995343387,1] -> result_3 >= 1 }
