# heights_over(), one term uy vz wx of a height at 1, all others 0, as in orient3d: every other term is alike by the symmetry of
# the statements, which the script names. It is off by at most 8 roundings, `bound` is at least 9 u less 7 roundings of itself.
#@ src/narrow/triangle/triangle.c heights_over 53
#= uy = p[1][1] - p[0][1]
#? uz = p[1][2] - p[0][2]
#= vz = p[2][2] - p[0][2]
#= double uyvz = uy * vz
#? uzvy = uz * vy
#? double uzvx = uz * vx, uxvz = ux * vz
#? double uxvy = ux * vy, uyvx = uy * vx
#~ uzvy ->> 0
#= double nx = uyvz - uzvy
#? ny = uzvx - uxvz, nz = uxvy - uyvx
#= double wx = t[i][0] - p[0][0]; i=0
#~ ny ->> 0
#~ nz ->> 0
#~ wy ->> 0
#~ wz ->> 0
#= result.h[i] = nx * wx + ny * wy + nz * wz; i=0
#~ uzvx ->> 0
#~ uxvz ->> 0
#~ uxvy ->> 0
#~ uyvx ->> 0
#~ wx_max ->> most
#~ wy_max ->> 0
#~ wz_max ->> 0
#= result.bound = 0x9p-53 * ((fabs(uyvz) + fabs(uzvy)) * wx_max + (fabs(uzvx) + fabs(uxvz)) * wy_max + (fabs(uxvy) + fabs(uyvx)) * wz_max)
{ p_1_1 - p_0_1 in [1,1] /\ p_2_2 - p_0_2 in [1,1] /\ t_0_0 - p_0_0 in [1,1] /\ most in [1,1]
  -> |result_h_0 - 1| <= 65b-56 /\ result_bound >= 71b-56 }
