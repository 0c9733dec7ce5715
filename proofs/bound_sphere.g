# gz_bound_sphere(): the radius is not below the distance of the farthest vertex, in units of the root of `square`, which is what farthest() finds: 6 u
# and less off, as spheres_in_double has it, and 3 2^-1075 that three squares may lose by underflow, of `square` where it is least.
#@ src/mesh/bound.c gz_bound_sphere 53
#~ square ->> square
#= double radius = sqrt(square) * (1 + 0x1p-50)
#? if (square < 0x1p-1022) {
#= 0x1p-1022
lost = 3001 * 1b-1075 / (1000 * result);
distance = sqrt((1 + lost) / (1 - 6b-53));
{ square in [1,1] -> radius - distance >= 0 }
