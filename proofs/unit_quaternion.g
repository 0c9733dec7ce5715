# gz_unit_quaternion(): the square of a quaternion that was divided by its length is less than 2^-49 off 1, so that it is left as it is
# from then on. A square as summed is off by 5 u of itself, its root by 4 u, a quotient by 5.1 u: the square of the quotients by 10.2 u,
# and as summed by 5 u more, below 16 u.
#@ src/kinematics/space.c gz_unit_quaternion 53
#~ x[0] ->> x0
#~ x[1] ->> x1
#~ x[2] ->> x2
#~ x[3] ->> x3
#= double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]
#? bool divide = square > 0 && fabs(square - 1) > 0x1p-49
#~ square ->> sum
#= sqrt(square)
#~ x[k] ->> one
#~ length ->> long
#= out[k] = x[k] / length; k=0
S = ((x0 * x0 + x1 * x1) + x2 * x2) + x3 * x3;
{ |x0| in [1b-200,1] /\ |x1| in [1b-200,1] /\ |x2| in [1b-200,1] /\ |x3| in [1b-200,1] /\ S in [0.5,2] -> square -/ S in [-5b-53,5b-53] }
{ sum in [9007199254740987b-53,9007199254740997b-53] -> result in [9007199254740988b-53,9007199254740996b-53] }
{ one in [1,1] /\ long in [9007199254740988b-53,9007199254740996b-53] -> out_0 - 1 in [-41b-56,41b-56] }
