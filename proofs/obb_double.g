# gz_obb_apart(): both sides of the comparisons along the faces of b and along products of edges, in double, in units of |T| and of
# the half extents' sum, with t, r and |r| as they are computed (relative_make() has their errors). Hypothesis: partial sums are no
# longer than the vector. Together 8 u of the 64 u of relative_make(), of which it uses 128 u.
#@ src/broad/bound_test.c gz_obb_apart 53
#~ m.r[0][j] ->> r0
#~ m.r[1][j] ->> r1
#~ m.r[2][j] ->> r2
#= double left = m.t[0] * m.r[0][j] + m.t[1] * m.r[1][j] + m.t[2] * m.r[2][j]
#~ m.absolute[0][j] ->> q0
#~ m.absolute[1][j] ->> q1
#~ m.absolute[2][j] ->> q2
#~ m.b[j] ->> b
#= double right = m.a[0] * m.absolute[0][j] + m.a[1] * m.absolute[1][j] + m.a[2] * m.absolute[2][j] + m.b[j]
#@ src/broad/bound_test.c gz_obb_apart 53
#~ m.t[i2] ->> t2
#~ m.t[i1] ->> t1
#~ m.r[i1][j] ->> s1
#~ m.r[i2][j] ->> s2
#= double left = m.t[i2] * m.r[i1][j] - m.t[i1] * m.r[i2][j]
#~ m.a[i1] ->> a1
#~ m.a[i2] ->> a2
#~ m.b[j1] ->> b1
#~ m.b[j2] ->> b2
#~ m.absolute[i2][j] ->> p1
#~ m.absolute[i1][j] ->> p2
#~ m.absolute[i][j2] ->> p3
#~ m.absolute[i][j1] ->> p4
#= double right = m.a[i1] * m.absolute[i2][j] + m.a[i2] * m.absolute[i1][j] + m.b[j1] * m.absolute[i][j2] + m.b[j2] * m.absolute[i][j1]
L = (m_t_0 * r0 + m_t_1 * r1) + m_t_2 * r2;
R = ((m_a_0 * q0 + m_a_1 * q1) + m_a_2 * q2) + b;
L2 = t2 * s1 - t1 * s2;
R2 = ((a1 * p1 + a2 * p2) + b1 * p3) + b2 * p4;
{ |m_t_0 * r0| <= 1.01 /\ |m_t_1 * r1| <= 1.01 /\ |m_t_2 * r2| <= 1.01 /\ |m_t_0 * r0 + m_t_1 * r1| <= 1.01 /\ |L| <= 1.01
  /\ m_a_0 * q0 in [0,1] /\ m_a_1 * q1 in [0,1] /\ m_a_2 * q2 in [0,1] /\ m_a_0 * q0 + m_a_1 * q1 in [0,1]
  /\ (m_a_0 * q0 + m_a_1 * q1) + m_a_2 * q2 in [0,1] /\ R in [0,1] /\ |t2 * s1| <= 1.01 /\ |t1 * s2| <= 1.01 /\ |L2| <= 1.01
  /\ a1 * p1 in [0,1] /\ a2 * p2 in [0,1] /\ b1 * p3 in [0,1] /\ b2 * p4 in [0,1] /\ a1 * p1 + a2 * p2 in [0,1]
  /\ (a1 * p1 + a2 * p2) + b1 * p3 in [0,1] /\ R2 in [0,1]
  -> |left - L| <= 6b-53 /\ |right - R| <= 7b-53 /\ |left_2 - L2| <= 4b-53 /\ |right_2 - R2| <= 8b-53 }
