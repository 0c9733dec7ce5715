# place_ball(): centre as floats, per coordinate in units of it, and the radius that holds the ball; and link_spheres_near(), the
# squared distance and the sum of radii, relative errors. In units of the radius, of |d| and of the radii.
#@ src/check/link_tree.c place_ball 53
#= out->center[k][i] = (float)d; k=0 i=0
#~ 0x1p-60 ->> 0
#~ sum ->> sum
#= out->radius[i] = (float)(radius * (1 + 0x1p-20) + 0x1p-22 * sum + 0x1p-60); i=0
#@ src/check/link_finder.inl link_spheres_near 24
#~ gz_f8_load(b->radius) ->> rb
#~ gz_f8_all(a->radius[i]) ->> ra
#= gz_f8 r = gz_f8_add(gz_f8_load(b->radius), gz_f8_all(a->radius[i]))
#= gz_f8 r2 = gz_f8_mul(gz_f8_mul(r, r), gz_f8_all(GZ_ROUND_UP))
#= gz_f8 d2 = gz_f8_all(0)
#~ d ->> x
#= d2 = gz_f8_muladd(d, d, d2)
#~ x ->> y
#= d2 = gz_f8_muladd(d, d, d2)
#~ y ->> z
#= d2 = gz_f8_muladd(d, d, d2)
D = z * z + (y * y + x * x);
{ d in [1,1] /\ radius in [0,1] /\ sum in [0,1] /\ radius + sum in [1,1] /\ ra in [0,1] /\ rb in [0,1] /\ rb + ra in [1,1]
  /\ |x| in [1b-60,1b60] /\ |y| in [1b-60,1b60] /\ |z| in [1b-60,1b60]
  -> |out_center_0_0 - d| <= 1b-24 /\ r2 >= 1.000009 /\ d2_4 -/ D in [-6b-24,6b-24] }
