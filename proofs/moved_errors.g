# Errors of two poses in one of their frames. With M the error of a rotation and v a vector, |M v| <= |M| |v| in Frobenius' norm (Cauchy and Schwarz, as
# |m|^2 |v|^2 - (m v)^2 is a sum of squares). gz_filter_place_pair() and gz_filter_place_object(): a vertex x at a distance d <= span from the other
# frame is off by turn d, and by what both places are off, longer by 1 + turn (below 0.009: gz_pose_bound): less than 1.01 of their sum. Composing in
# float (filter_turn): 5.2 u an entry, 15.6 u of a rotation and sqrt 3 of the mesh's size; 9.1 u of the way; 32 u used of twice the size and the way.
# gz_motion_set_radii(): |a x d| for an axis a that is off by delta, |delta| <= turn, and divided by its length: (x - turn) / (1 + turn) >=
# x - 2 turn, of the distance; |delta x d| <= |delta| |d| as before. Points of line and link 2 epsilon of the 4.
#@ src/check/filter_model.h gz_filter_place_pair 53
#? double span = 2 * (a->mesh->max_abs + b->mesh->max_abs) + size
#? double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24
#~ (double)p->error ->> places
#~ turn * span ->> turned
#= GZ_BOUND_SLACK * ((double)p->error + turn * span)
#@ src/check/filter_model.h gz_filter_place_object 53
#? double turn = (double)l->turn + 32 * 0x1p-24
#~ (double)l->error + (double)view->mesh_pad + turn * span ->> places + turned
#= return GZ_BOUND_SLACK * ((double)l->error + (double)view->mesh_pad + turn * span)
#@ src/kinematics/motion_bound.c gz_motion_set_radii 53
#? for (int k = 0; k < 3; k++) axis[k] /= size
#? double far = distance(link->center, on) + ball
#? (4 * epsilon + 2 * turn * far + link->error)
#~ turn ->> one
#~ far ->> one
#= 2 * turn * far
#~ epsilon ->> one
#= 4 * epsilon
w0 = m00 * v0 + m01 * v1 + m02 * v2;
w1 = m10 * v0 + m11 * v1 + m12 * v2;
w2 = m20 * v0 + m21 * v1 + m22 * v2;
f0 = m00 * m00 + m01 * m01 + m02 * m02;
f1 = m10 * m10 + m11 * m11 + m12 * m12;
f2 = m20 * m20 + m21 * m21 + m22 * m22;
vv = v0 * v0 + v1 * v1 + v2 * v2;
c0 = (m00 * v1 - m01 * v0) * (m00 * v1 - m01 * v0) + (m01 * v2 - m02 * v1) * (m01 * v2 - m02 * v1) + (m02 * v0 - m00 * v2) * (m02 * v0 - m00 * v2);
c1 = (m10 * v1 - m11 * v0) * (m10 * v1 - m11 * v0) + (m11 * v2 - m12 * v1) * (m11 * v2 - m12 * v1) + (m12 * v0 - m10 * v2) * (m12 * v0 - m10 * v2);
c2 = (m20 * v1 - m21 * v0) * (m20 * v1 - m21 * v0) + (m21 * v2 - m22 * v1) * (m21 * v2 - m22 * v1) + (m22 * v0 - m20 * v2) * (m22 * v0 - m20 * v2);
{ |m00| <= 1 /\ |m01| <= 1 /\ |m02| <= 1 /\ |m10| <= 1 /\ |m11| <= 1 /\ |m12| <= 1 /\ |m20| <= 1 /\ |m21| <= 1 /\ |m22| <= 1
  /\ |v0| <= 1 /\ |v1| <= 1 /\ |v2| <= 1 /\ vv in [0,1] -> (w0 * w0 + w1 * w1 + w2 * w2) - (f0 + f1 + f2) <= 0 }
(w0 * w0 + w1 * w1 + w2 * w2) - (f0 + f1 + f2) -> (f0 + f1 + f2) * (vv - 1) - c0 - c1 - c2;
{ |m00| <= 1 /\ |m01| <= 1 /\ |m02| <= 1 /\ |v0| <= 1 /\ |v1| <= 1 /\ |v2| <= 1 /\ vv in [0,1] -> c0 - f0 <= 0 }
c0 - f0 -> f0 * (vv - 1) - w0 * w0;
{ places in [0,1] /\ turned in [0,1] /\ places + turned in [1,1] -> result >= 1.0099 /\ result_2 >= 1.0099 }
{ turn in [0,0.009] /\ places in [0,1] -> 1.0099 * places - (1 + turn) * places >= 0 }
1.0099 * places - (1 + turn) * places -> places * (0.0099 - turn);
{ e in [-83b-28,83b-28] -> 3 * e * 1.7321 + 1b-24 <= 32b-24 /\ sqrt(e * e + e * e + e * e) + 1b-24 <= 32b-24 }
{ one in [1,1] -> result_3 >= 1.999999 /\ result_4 >= 3.999999 }
{ x in [0,1] /\ turn in [0,0.009] -> (x - turn) - (x - turn - turn * x) * (1 + turn) >= 0 }
(x - turn) - (x - turn - turn * x) * (1 + turn) -> turn * turn * (1 + x);
