# A vertex in the frame of a curved shape, in units of the sizes that gz_rounded_box_make() takes, u = 2^-24: three products and sums, 14 u
# a coordinate; vertex, frame and shift each rounded to float, 8 u; as a vector across the axis 31.2 u. Used are twice 32 u. Squares of
# that, and sums of two: 4 u, of a factor's 160 u. Hypotheses: the frame is orthonormal, what it is off in double being in the other pads
# (rigid); sums of products are at most sqrt 3, the shift, too.
#@ src/narrow/shape_pair.c make_frame 53
#? pad = 2 * box->pad
#~ box->pad ->> pad
#= 2 * box->pad
#? gz_subtract(s->b, s->a, center)
#? gz_transform_unrotate(pose, center, way)
#? axes[2][k] = way[k] / length
#? axes[0][k] /= across
#? gz_cross(axes[2], axes[0], axes[1])
#? f.r[i][k] = (float)axes[i][k]
#? f.t[i] = (float)-gz_dot(axes[i], center)
#@ src/narrow/shape_pair.c make_frame 24
#~ (radius + pad) ->> one
#= (float)((radius + pad) * (radius + pad)) * GZ_ROUND_UP
#~ (half + (flat ? margin : radius) + pad) ->> one
#= (float)(half + (flat ? margin : radius) + pad) * GZ_ROUND_UP
#~ inner ->> one
#= (float)(inner * inner) * GZ_ROUND_DOWN
#~ (float)half ->> one
#= (float)half * GZ_ROUND_DOWN
#~ (half - pad) ->> one
#= (float)(half - pad) * GZ_ROUND_DOWN
#@ src/narrow/shape_pair.c frame_overlap_mask 24
#? moved_points p = move_group(f->r, f->t, packet->vertex[v])
#? square = add_gap(square, gz_f8_sub(height, gz_f8_all(f->axis_half)))
#~ p.x[0] ->> a
#~ p.x[1] ->> b
#= gz_f8 square = gz_f8_muladd(p.x[0], p.x[0], gz_f8_mul(p.x[1], p.x[1]))
#@ src/narrow/prefilter/cell_lanes.h move_group 24
#~ madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]) ->> gz_f8_muladd(z, f2, gz_f8_muladd(y, f1, gz_f8_muladd(x, f0, ft)))
#= out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]); i=0
A = z * f2 + (y * f1 + (x * f0 + ft));
T = zt * r2 + (yt * r1 + (xt * r0 + t));
{ |x * f0| <= 1 /\ |y * f1| <= 1 /\ |z * f2| <= 1 /\ |x * f0 + ft| <= 3.4643 /\ |y * f1 + (x * f0 + ft)| <= 3.4643 /\ |A| <= 3.4643
  -> |out_x_0 - A| <= 14b-24 }
{ f0 -/ r0 in [-1b-24,1b-24] /\ f1 -/ r1 in [-1b-24,1b-24] /\ f2 -/ r2 in [-1b-24,1b-24] /\ ft -/ t in [-1b-24,1b-24]
  /\ x -/ xt in [-1b-24,1b-24] /\ y -/ yt in [-1b-24,1b-24] /\ z -/ zt in [-1b-24,1b-24]
  /\ |xt * r0| <= 1 /\ |yt * r1| <= 1 /\ |zt * r2| <= 1 /\ |t| <= 1.7321 -> |A - T| <= 8b-24 }
A - T -> (z * f2 - zt * r2) + (y * f1 - yt * r1) + (x * f0 - xt * r0) + (ft - t);
{ d in [-22b-24,22b-24] -> sqrt(d * d + d * d) <= 32b-24 }
{ pad in [32b-24,33b-24] -> result >= 63b-24 }
{ one in [1,1] -> result_2 >= 1.000009 /\ result_3 >= 1.000009 /\ result_4 <= 0.999991 /\ result_5 <= 0.999991 /\ result_6 <= 0.999991 }
{ a * a in [0.001,1] /\ b * b in [0.001,1] -> square -/ (a * a + b * b) in [-4b-24,4b-24] }
