# orient3d, one term az bx cy of the determinant at 1, all others 0: every other term is alike by the symmetry of the
# statements, which the script names. It is off by at most 8 roundings; `bound` is at least 9 u less 8 roundings of itself.
#@ src/math/predicate.h gz_orient3d_counted 53
#? double ax = a[0] - d[0]
#? ay = a[1] - d[1]
#= az = a[2] - d[2]
#= double bx = b[0] - d[0]
#? by = b[1] - d[1]
#? bz = b[2] - d[2]
#= cy = c[1] - d[1]
#= double bxcy = bx * cy
#? cxby = cx * by
#? double cxay = cx * ay, axcy = ax * cy
#? double axby = ax * by, bxay = bx * ay
#~ cxby ->> 0
#~ cxay ->> 0
#~ axcy ->> 0
#~ axby ->> 0
#~ bxay ->> 0
#~ bz ->> 0
#~ cz ->> 0
#= double det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay)
#= double bound = 0x9p-53 * (fabs(az) * (fabs(bxcy) + fabs(cxby)) + fabs(bz) * (fabs(cxay) + fabs(axcy)) + fabs(cz) * (fabs(axby) + fabs(bxay)))
{ a_2 - d_2 in [1,1] /\ b_0 - d_0 in [1,1] /\ c_1 - d_1 in [1,1]
  -> |det - 1| <= 65b-56 /\ bound >= 71b-56 }
