# balls_collide(): both sides of the comparison, in units of the radii and the margin. Joined by hand: a real distance of at
# most 1 is computed as at most 1 + 4 u (gz_norm()), so that its left side is at most 1 - 2 u, and the right side is at least 1 + 4 u.
#@ src/narrow/curved/curved.c balls_collide 53
#= limit = s->radius + t->radius + margin
#~ distance ->> d
#= distance * (1 - 0x1p-50)
#~ limit ->> limit
#= limit * (1 + 0x1p-50)
S = (s_radius + t_radius) + margin;
{ s_radius in [0,1] /\ t_radius in [0,1] /\ margin in [0,1] /\ S in [1,1] /\ d in [0,1.00000000000000044]
  -> result <= 0.9999999999999998 /\ result_2 >= 1.0000000000000004 }
