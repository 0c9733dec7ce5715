# Hulls of a penetration, in units of `size`, the sum of both sides' far = |t|_max + 2 max |v|: a support is no longer than sqrt 3 far, a
# difference than sqrt 3 size. A unit normal is 7 u off, u = 2^-53 (norms). expand(): products of a normal and two vertices, gz_dot(): 6 u of sqrt 3
# each and the sum, 23 u; 128 u used. gz_manifold_find(): the extents of both sides, and the overlap that is their sum, 6 u of sqrt 3 and 2 u;
# the normal 7 u of sqrt 3: 25 u; 256 u used. cylinder_turn(): both ends of an axis, 3.74 u of their places in the shape's frame
# (apply_vector), which are no longer than the ends and sqrt 3 |t|_max, and u of the ends: 13 u of far; the direction turns by no
# more than sqrt 2 of that over the length (below a right angle a chord is at most sqrt 2 times its sine), 4 u off: 19 u of 32 u used.
#@ src/math/transform.h gz_dot 53
#~ a[0] ->> n0
#~ b[0] ->> y0
#~ a[1] ->> n1
#~ b[1] ->> y1
#~ a[2] ->> n2
#~ b[2] ->> y2
#= return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
#@ src/narrow/penetration.c gz_hull_make 53
#? h.far += 2 * h.mesh->max_abs
#? for (int k = 0; k < 3; k++) h.far += fabs(h.curved.a[k]) + fabs(h.curved.b[k])
#@ src/narrow/penetration.c gz_penetration_find 53
#? p.size = a->far + b->far
#@ src/narrow/penetration.c add_face 53
#~ out->n[c] ->> w
#~ sign ->> one
#= sign / norm
#? for (int c = 0; c < 3; c++) out->n[c] *= sign / norm
#? out->at = gz_dot(out->n, p->vertices[i].y)
#@ src/narrow/penetration.c expand 53
#? if (!(gz_dot(f->n, p->vertices[newest].y) > f->at + 0x1p-46 * p->size)) {
#~ p->size ->> size
#= 0x1p-46 * p->size
#~ f->at ->> at
#= f->at + 0x1p-46 * p->size
#@ src/narrow/manifold.c gz_manifold_find 53
#? .depth = found.overlap + margin + 0x1p-45 * size + a.turn + b.turn
#~ size ->> size
#= 0x1p-45 * size
#@ src/narrow/penetration.c gz_penetration_find 53
#? out.overlap = gz_hull_extent(a, p.best) + gz_hull_extent(b, back)
#~ gz_hull_extent(a, p.best) ->> extent
#~ gz_hull_extent(b, back) ->> other
#= gz_hull_extent(a, p.best) + gz_hull_extent(b, back)
#@ src/narrow/penetration.c cylinder_turn 53
#~ far ->> one
#= off = 0x1p-48 * far
#~ off ->> off
#~ length ->> long
#= off / length
D = (n0 * y0 + n1 * y1) + n2 * y2;
s = wa + wb + t;
ends = 3.74 * (wa + wb + 2 * 1.7320509 * t) + (wa + wb);
{ |n0 * y0| <= 1.7321 /\ |n1 * y1| <= 1.7321 /\ |n2 * y2| <= 1.7321 /\ |n0 * y0 + n1 * y1| <= 1.7321 /\ |D| <= 1.7321 -> |result - D| <= 21b-54 }
{ size in [1,1] /\ |at| <= 1.7321 -> result_4 - at >= 125b-53 }
result_4 - at -> (result_4 - (at + result_3)) + result_3;
{ size in [1,1] -> result_5 >= 255b-53 }
{ |extent| <= 1.7321 /\ |other| <= 1.7321 /\ |extent + other| <= 1.7321 -> |result_6 - (extent + other)| <= 2b-53 }
{ one in [1,1] -> off >= 31b-53 }
{ t in [0,1] /\ s in [0,1] -> 1.41422 * ends * 1b-53 <= 19b-53 }
ends -> 4.74 * s + (3.74 * 2 * 1.7320509 - 4.74) * t;
