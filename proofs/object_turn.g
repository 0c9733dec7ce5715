# turn_center(), object_apart(): a sphere's centre along an object's axes, and its distance from the object's centre there, in
# units of both centres' 1-norms. The axes are those stored; their rounding is u more. With object_view both together use 23 u of the object's pad and the link's four
# errors, of which each is at least 24 u of what the link reaches (make_link()).
#@ src/check/batch_filter.inl turn_center 24
#~ o->axis[k] ->> a
#= gz_f8 p = gz_f8_mul(x, gz_f8_all(o->axis[k][0]))
#= p = gz_f8_muladd(y, gz_f8_all(o->axis[k][1]), p)
#= out[k] = gz_f8_muladd(z, gz_f8_all(o->axis[k][2]), p); k=0
#@ src/check/batch_filter.inl object_apart 24
#~ turned[k] ->> turned
#~ view->along[k] ->> along
#= gz_f8_sub(turned[k], gz_f8_all(view->along[k]))
#@ src/check/filter_model.c make_link 24
#? (e->translation + 4 * e->rotation * extent + 24 * 0x1p-24 * far)
T = z * a_2 + (y * a_1 + x * a_0);
{ |x * a_0| <= 1 /\ |y * a_1| <= 1 /\ |z * a_2| <= 1 /\ |y * a_1 + x * a_0| <= 1 /\ |T| <= 1 /\ |turned - along| <= 1.000002
  -> |out_0 - T| <= 6b-24 /\ |result - (turned - along)| <= 17b-28 }
