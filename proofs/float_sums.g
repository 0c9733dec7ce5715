# Sums of radii, errors and pads in float with a safety factor are not below the real ones. In units of the sum each. Joined by
# hand: the pad of object_near() is off by 3.1 u of what it is in real numbers, which the factor of the next sum covers.
#@ src/check/batch_filter.inl object_near 24
#~ 4 * l->error ->> error
#~ view->pad ->> pad
#~ gz_filter_margin(m, link, object) ->> margin
#= (4 * l->error + view->pad) * GZ_PAD_ROUND_UP + gz_filter_margin(m, link, object)
#~ pad ->> all
#~ l->radius ->> radius
#= (l->radius + pad) * GZ_ROUND_UP
#@ src/check/query_filter.inl test_object 24
#? float pad = (4 * l->error + seen->view.pad) * GZ_PAD_ROUND_UP + margin
#@ src/check/filter_model.c fill_links 24
#~ 4 * m->links[i].error ->> all
#~ m->links[i].radius ->> radius
#= (m->links[i].radius + 4 * m->links[i].error) * GZ_PAD_ROUND_UP
#@ src/check/filter_model.c make_pair 24
#~ (float)pads.spheres ->> s
#~ a->radius ->> ra
#~ b->radius ->> rb
#~ margin ->> m
#= float threshold = (a->radius + b->radius + (float)pads.spheres + margin) * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl pose_component 24
#? out->radius = (proxy->radius + p->pad) * GZ_ROUND_UP + 1e-18f
S = ((ra + rb) + s) + m;
{ error in [0,1] /\ pad in [0,1] /\ margin in [0,1] /\ (error + pad) + margin in [1,1] /\ radius in [0,1] /\ all in [0,1]
  /\ radius + all in [1,1] /\ ra in [0,1] /\ rb in [0,1] /\ s in [0,1] /\ m in [0,1] /\ S in [1,1] /\ ra + rb in [0,1] /\ (ra + rb) + s in [0,1]
  -> result -/ ((error + pad) * 8396997b-23 + margin) in [-13b-26,13b-26] /\ result_2 >= 1.000009 /\ result_3 >= 1.0009 /\ threshold >= 1.000009 }
