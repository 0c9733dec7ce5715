# gz_bound_sphere(): the radius is not below the distance of the farthest vertex, in units of it. `square` is what farthest()
# finds, as spheres_in_double has it: 6 u and less off.
#@ src/mesh/bound.c gz_bound_sphere 53
#~ square ->> square
#= double radius = sqrt(square) * (1 + 0x1p-50)
{ square -/ real in [-6b-53,6b-53] /\ real in [1,1] -> radius >= 1 }
