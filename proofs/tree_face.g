# axes_mask(): a box of B in a node's frame, along the node's axes, in units of S, with the pad apart: the centre c (as in
# tree_vertex), the half extent h. Hypotheses: a row of a rotation has length 1, halves and centre lie within the mesh's bounds.
#@ src/narrow/tree_pair.inl axes_mask 24
#~ abs_r[i] ->> q
#~ box->half ->> half
#~ r[i] ->> r
#~ box->center ->> centre
#~ t[i] ->> shift
#= float c = ((r[i][0] * box->center[0] + r[i][1] * box->center[1]) + r[i][2] * box->center[2]) + t[i]
#= float h = ((abs_r[i][0] * box->half[0] + abs_r[i][1] * box->half[1]) + abs_r[i][2] * box->half[2]) + pad
C = ((r0 * centre_0 + r1 * centre_1) + r2 * centre_2) + t;
H = ((q0 * half_0 + q1 * half_1) + q2 * half_2) + pad;
{ r_0 -/ r0 in [-1b-24,1b-24] /\ r_1 -/ r1 in [-1b-24,1b-24] /\ r_2 -/ r2 in [-1b-24,1b-24] /\ shift -/ t in [-1b-24,1b-24]
  /\ q_0 -/ q0 in [-1b-24,1b-24] /\ q_1 -/ q1 in [-1b-24,1b-24] /\ q_2 -/ q2 in [-1b-24,1b-24]
  /\ |r0 * centre_0| <= 0.57735028 /\ |r1 * centre_1| <= 0.57735028 /\ |r2 * centre_2| <= 0.57735028
  /\ |r0 * centre_0 + r1 * centre_1| <= 1.000001 /\ |(r0 * centre_0 + r1 * centre_1) + r2 * centre_2| <= 1.000001 /\ |t| <= 1 /\ |C| <= 1.000001
  /\ q0 * half_0 in [0,0.57735028] /\ q1 * half_1 in [0,0.57735028] /\ q2 * half_2 in [0,0.57735028] /\ pad in [0,0.00001]
  /\ q0 * half_0 + q1 * half_1 in [0,1.000001] /\ (q0 * half_0 + q1 * half_1) + q2 * half_2 in [0,1.000001]
  -> |c - C| <= 17b-25 /\ |h - H| <= 14b-25 }
