# gz_obb_skew(): what the computed product of two axes is off, with 1 taken away; 2^-50 is added. Hypotheses: entries of axes
# within 1, sums within 1 and a little (Cauchy and Schwarz).
#@ src/broad/bound_test.c dot 53
#= return a.x * b.x + a.y * b.y + a.z * b.z
#@ src/broad/bound_test.c gz_obb_skew 53
#? return most + 0x1p-50
#? double entry = fabs(dot(box->axis[i], box->axis[j]) - (i == j ? 1 : 0))
T = a_x * b_x + a_y * b_y + a_z * b_z;
entry = sub_rel<53>(result, 1);
{ |a_x * b_x| <= 1.01 /\ |a_y * b_y| <= 1.01 /\ |a_z * b_z| <= 1.01 /\ |a_x * b_x + a_y * b_y| <= 1.01 /\ |T - 1| <= 1b-9
  -> |result - T| <= 41b-56 /\ |entry - (T - 1)| <= 52b-56 }
