# find_possible(): a link's centre in the frame of an object's mesh, a coordinate, in units of the places of both, u = 2^-24: 10 u, as a vector
# 18 u; what the shift itself is off is in the object's pad (object_turn). The link's part is below one of the four errors of radius_bounds, which hold 24 u of all lengths; the object's below twice 64 u.
#@ src/check/filter_model.c fill_links 24
#? 4 * m->links[i].error
#@ src/check/filter_model.c make_link 53
#~ far ->> one
#= 24 * 0x1p-24 * far
#@ src/check/filter_model.h gz_filter_view_turn 24
#~ far ->> one
#= out->mesh_pad = far * 0x1p-18f
#@ src/check/query_filter.inl find_possible 24
#~ seen->view.mesh_pad ->> pad
#= 2 * seen->view.mesh_pad
#? p.x[j] = gz_f8_all(seen->view.shift[j])
#~ s->centers[n] + i ->> x0
#~ o->to_mesh[j][n] ->> f0
#~ p.x[j] ->> shift
#= p.x[j] = gz_f8_muladd(gz_f8_load(s->centers[n] + i), gz_f8_all(o->to_mesh[j][n]), p.x[j]); j=0
#~ s->centers[n] + i ->> x1
#~ o->to_mesh[j][n] ->> f1
#~ p.x[j] ->> p_x_0
#= p.x[j] = gz_f8_muladd(gz_f8_load(s->centers[n] + i), gz_f8_all(o->to_mesh[j][n]), p.x[j]); j=0
#~ s->centers[n] + i ->> x2
#~ o->to_mesh[j][n] ->> f2
#~ p.x[j] ->> p_x_0_2
#= p.x[j] = gz_f8_muladd(gz_f8_load(s->centers[n] + i), gz_f8_all(o->to_mesh[j][n]), p.x[j]); j=0
A = x2 * f2 + (x1 * f1 + (x0 * f0 + shift));
T = x2 * r2 + (x1 * r1 + (x0 * r0 + shift));
{ |x0 * f0| <= 1 /\ |x1 * f1| <= 1 /\ |x2 * f2| <= 1 /\ |x0 * f0 + shift| <= 1.000001 /\ |x1 * f1 + (x0 * f0 + shift)| <= 1.000001 /\ |A| <= 1.000001 -> |p_x_0_3 - A| <= 97b-28 }
{ f0 -/ r0 in [-1b-24,1b-24] /\ f1 -/ r1 in [-1b-24,1b-24] /\ f2 -/ r2 in [-1b-24,1b-24] 
  /\ |x0 * r0| <= 1 /\ |x1 * r1| <= 1 /\ |x2 * r2| <= 1 -> |A - T| <= 3b-24 }
A - T -> x2 * (f2 - r2) + x1 * (f1 - r1) + x0 * (f0 - r0);
{ x in [-10b-24,10b-24] -> sqrt(x * x + x * x + x * x) <= 18b-24 }
{ one in [1,1] -> result >= 23b-24 /\ out_mesh_pad >= 63b-24 }
{ pad in [63b-24,65b-24] -> result_2 >= 125b-24 }
