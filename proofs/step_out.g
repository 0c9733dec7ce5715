# step_down() and step_up(): a sum, rounded to x, at most u of x off (here |x| is 1), lies between them.
#@ src/mesh/shape.c step_down 53
#~ fabs(x) ->> one
#= return x - 0x1p-51 * fabs(x)
#@ src/mesh/shape.c step_up 53
#~ fabs(x) ->> one
#= return x + 0x1p-51 * fabs(x)
{ |x| in [1,1] /\ one in [1,1] -> result - x <= -2b-53 /\ result_2 - x >= 2b-53 }
