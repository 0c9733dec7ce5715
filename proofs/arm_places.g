# Places of a planar arm of n links, u = 2^-53. The sum of i angles, of magnitudes A = 1: that it is less than 1.000001 i u off holds for the next
# one, too. So sine and cosine are off by E = (n A + 2) u (GZ_TRIGONOMETRY_ERROR). What hangs on a joint, in units of its way, |x| + |y| at most
# sqrt 2 (b and the rest): a coordinate sqrt 2 E and 2.5 u, as a vector 2 (n A + 4) u of the 2 (n A + 5) u that distance_error() takes; a joint on the one
# before sqrt 2 E and sqrt 2 u. A sum with the place u of the largest coordinate, n + 1 times for x and for y; 256 u of a distance are
# promised (docs/planar.md).
#@ src/planar/cspace/arm_pose.c place_all 53
#~ angle ->> angle
#~ q[query->first + i] ->> next
#= angle += q[query->first + i]
#? gz_planar_place(&placed[k], &scene->shapes[k], (graze_vec2){0, 0}, c, s, at)
#? at = gz_vec2_add_scaled(at, scene->arm.lengths[i], (graze_vec2){c, s})
#@ src/planar/shapes/planar_shape.c gz_planar_place 53
#= c * x - s * y
#= s * x + c * y
#~ (c * x - s * y) ->> way
#~ to.x ->> to
#= to.x + (c * x - s * y)
#@ src/planar/cspace/arm_pose.c distance_error 53
#~ (query->length + query->radius) ->> one
#~ (n * angles + 5) ->> parts
#~ (2 * (n + 1) + 256) * size ->> rest
#= double sum = 2 * (query->length + query->radius) * (n * angles + 5) + (2 * (n + 1) + 256) * size
#~ sum ->> unit
#= return 0x1p-53 * sum * (1 + 0x1p-20)
#@ src/math/trigonometry.h - 53
#? #define GZ_TRIGONOMETRY_ERROR 0x1p-52
R = c * x - s * y;
W = 1.41421357 - (dc * (b * p) - ds * ((1.41421357 - b) * r));
F = 1.000001 * (i + 1) - (1.000001 * i + 1 + 1.000001 * i * 1b-53);
G = 2 * (k + 5) - 1.41421357 * (1.41421357 * (k + 2) + 2.6);
{ i in [0,64] -> F >= 0 }
F -> 0.000001 - 1.000001 * i * 1b-53;
{ |c| <= 1 /\ |s| <= 1 /\ b in [0,1.41421357] /\ |x| - b <= 0 /\ |y| - (1.41421357 - b) <= 0 /\ |x| <= 1 /\ |y| <= 1 /\ |R| <= 1 -> |result - R| <= 83b-58 }
$ b in 32;
{ |dc| <= 1 /\ |ds| <= 1 /\ b in [0,1.41421357] /\ |p| <= 1 /\ |r| <= 1 -> W >= -1b-50 }
W -> b * (1 - dc * p) + (1.41421357 - b) * (1 + ds * r);
{ k in [0,4194304] -> G >= 0 }
G -> 10 - 1.41421357 * 1.41421357 * 2 - 1.41421357 * 2.6 + (2 - 1.41421357 * 1.41421357) * k;
{ |to + way| <= 1 -> |result_3 - (to + way)| <= 1b-53 }
{ one in [1,1] /\ parts in [1,1] /\ rest in [0,0] -> sum >= 1.9999999 }
{ unit in [1,1] -> result_4 >= 1b-53 }
