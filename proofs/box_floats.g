# Boxes and points rounded to float against the nodes of a tree, in units of the sizes (places and half extents). float_box(): the
# box's centre and half extent u each; gz_node_overlap(): the distance is off by 2.3 u, the half extents by 3.1 u, and the pad used is 15 u at
# least. children_above(): a point likewise, against the pad of gz_region_is_inside(). local_tree_near(): a centre moved. The box around
# all objects (gz_filter_view_extent()) is grown by more than its rounding. Link balls: parts of the radius and of the coordinates.
#@ src/mesh/bvh/box_tree.h gz_node_overlap 24
#~ node->center[k] ->> C
#~ box->center[k] ->> c
#? gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(box->center[k])))
#~ node->half[k] ->> H
#~ box->half[k] ->> b
#~ pad ->> grow
#= gz_f8 h = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(box->half[k] + pad))
#@ src/narrow/containment.c float_box 53
#? out.center[k] = (float)box->center[k]
#? out.half[k] = (float)box->half[k]
#~ size ->> one
#~ 1e-30 ->> least
#= (float)(0x1p-20 * size + 1e-30)
#@ src/mesh/prefilter/lattice.c children_above 24
#~ node->center[k] ->> C
#~ p[k] ->> c
#= off[k] = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(p[k])); k=0
#~ node->half[k] ->> H
#~ pad ->> grown
#= limit[k] = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(pad)); k=0
#@ src/mesh/prefilter/lattice.c gz_region_is_inside 53
#~ size ->> one
#= (float)(size * 0x1p-20)
#@ src/check/batch_filter.inl local_tree_near 24
#? float o = (float)origin[4 * k + 3]
#= center[k] = o + c; k=0
#~ (fabsf(o) + fabsf(c)) ->> one
#= 0x1p-20f * (fabsf(o) + fabsf(c))
#@ src/check/filter_model.h gz_filter_view_extent 24
#? float low = (float)(m->extent[0][k] - origin[4 * k + 3])
#~ (fabsf(low) + fabsf(high)) ->> one
#= float pad = 0x1p-20f * (fabsf(low) + fabsf(high))
#~ pad ->> edge
#= extent[0][k] = low - pad; k=0
#= extent[1][k] = high + pad; k=0
#@ src/check/link_tree.c gz_link_tree_find_balls 24
#~ radii[place] ->> radius
#~ (fabsf(x[at]) + fabsf(y[at]) + fabsf(z[at])) ->> sum
#~ 0x1p-60f ->> 0
#= radii[place] * (1 + 0x1p-15f) + 0x1p-22f * (fabsf(x[at]) + fabsf(y[at]) + fabsf(z[at])) + 0x1p-60f
G = C - c;
{ |G| <= 2.000001 -> |off_0 - G| <= 9b-26 }
{ H in [0,1] /\ b in [0,1] /\ grow in [0,0.00001] -> h - (H + (b + grow)) in [-49b-28,49b-28] }
{ one in [1,1] /\ least in [0,1] -> result >= 15b-24 /\ result_2 >= 15b-24 /\ result_3 >= 15b-24 /\ pad >= 15b-24 }
{ H in [0,1] /\ grown in [0,0.00001] -> limit_0 - (H + grown) in [-17b-28,17b-28] }
{ o -/ place in [-1b-24,1b-24] /\ |place| <= 1 /\ |c| <= 1 /\ |place + c| <= 1 -> |center_0 - (place + c)| <= 33b-28 }
{ |low| <= 1 /\ edge in [15b-24,17b-24] -> extent_0_0 - low <= -13b-24 }
extent_0_0 - low -> (extent_0_0 - (low - edge)) - edge;
{ |high| <= 1 /\ edge in [15b-24,17b-24] -> extent_1_0 - high >= 13b-24 }
extent_1_0 - high -> (extent_1_0 - (high + edge)) + edge;
{ radius in [1,1] /\ sum in [0,0] -> result_4 >= 1.00003 }
{ radius in [0,0] /\ sum in [1,1] -> result_4 >= 63b-28 }
