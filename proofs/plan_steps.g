# gz_plan_space_steps(): the steps of an edge, before the next whole number is taken, in units of what they are of `distance` and `resolution` in
# real arithmetic: product, quotient and product round by 3 u, u = 2^-53. What is left of 1e-12 holds the root of a sum of n squares, (n + 5) u / 2,
# for n = 17,000. The factor for rotations is not below the square root of 2.
#@ src/plan/plan_space.c gz_plan_space_steps 53
#~ space->has_rotation ? 1.4142135623730952 : 1.0 ->> 1.4142135623730952
#= double factor = space->has_rotation ? 1.4142135623730952 : 1.0
#~ factor ->> scale
#= factor * distance / resolution * (1 + 1e-12)
{ factor * factor in [2,2.0000001] }
{ scale in [1,1] /\ distance in [1,1] /\ resolution in [1,1] -> result - (1 + 8503b-53) in [0,1e-13] }
