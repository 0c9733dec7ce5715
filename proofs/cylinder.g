# Bounds of curved shapes in double, outward, in units of what each stands for. radial_extent(): a disc along an axis; the squares of
# directions are off by 6 u (two quotients, product and sums). curved_sphere(): squares of half an axis, 6 u off. gz_mesh_span(), the
# way of a rim (gz_curved_error()), the polygon of a cone (GZ_TRIGONOMETRY_ERROR of its cosine, which is above 1/2), and the
# frame of an object without an end (frame_most(), inward, of a difference 16 u off).
#@ src/mesh/shape.c radial_extent 53
#~ s->radius ->> one
#= s->radius * sqrt(across / square) * (1 + 0x1p-48)
#@ src/mesh/shape.c curved_sphere 53
#~ s->radius ->> r
#= radius = sqrt(square + s->radius * s->radius)
#~ sqrt(square) ->> root
#= radius = sqrt(square) + s->radius
#~ radius ->> near
#~ off ->> 0
#~ 0x1p-500 ->> 0
#= radius = radius * (1 + 0x1p-49) + 0x1p-51 * off + 0x1p-500
#~ 0x1p-51 * off ->> (0x1p-51 * one)
#= 0x1p-51 * off
#@ src/mesh/shape.c gz_mesh_span 53
#~ gz_norm(GZ_ARRAY3(mesh->sphere.center)) ->> n
#~ mesh->sphere.radius ->> m
#= double ball = gz_norm(GZ_ARRAY3(mesh->sphere.center)) + mesh->sphere.radius
#~ fmin(ball, sqrt(3) * mesh->max_abs) ->> near
#= fmin(ball, sqrt(3) * mesh->max_abs) * (1 + 0x1p-40)
#@ src/mesh/shape.c gz_curved_error 53
#~ radius ->> one
#~ apart ->> one
#= 2 * radius * (apart / length) * (1 + 0x1p-20)
#@ src/mesh/shape.c make_cone 53
#~ radius ->> half
#= double around = radius / cosine * (1 + 0x1p-46)
#@ src/check/margin.c frame_most 53
#~ (sqrt(0.5) * GZ_UNBOUNDED_EXTENT - sqrt(3) * c->options.domain) ->> near
#= return (sqrt(0.5) * GZ_UNBOUNDED_EXTENT - sqrt(3) * c->options.domain) * (1 - 0x1p-20)
{ one in [1,1] /\ across in [9007199254740986b-53,9007199254740998b-53] /\ square in [9007199254740986b-53,9007199254740998b-53] -> result >= 1 }
{ square in [0,1] /\ r in [1b-400,1] /\ square + r * r in [9007199254740985b-53,1] -> radius >= 9007199254740984b-53 }
{ root in [0,1] /\ r in [0,1] /\ root + r in [9007199254740987b-53,1] -> radius_2 >= 9007199254740984b-53 }
{ near in [9007199254740984b-53,1] -> radius_3 >= 1 /\ result_3 >= 1 }
{ one in [1,1] /\ length in [9007199254740988b-53,9007199254740996b-53] -> result_2 >= 3b-53 /\ result_4 >= 2 }
{ n in [0,1] /\ m in [0,1] /\ n + m in [9007199254740988b-53,1] -> ball >= 9007199254740986b-53 }
{ half in [1,1] /\ cosine in [9007199254740988b-53,9007199254740996b-53] -> around >= 1.000000000000005 }
{ near in [1,9007199254741008b-53] -> result_5 <= 1 }
