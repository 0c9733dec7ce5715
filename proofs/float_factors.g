# Sums and squares with a safety factor, in units of the real ones: those that a filter rejects beyond are above 1, those that it
# accepts within are below 1. Hypotheses: nothing is negative, but for half axes less an error, which count only where positive.
#@ src/check/batch_filter.inl spheres_near_map 24
#~ l->radius ->> r
#~ sphere->radius ->> r
#~ pad ->> p
#= (l->radius + pad) * GZ_ROUND_UP
#= (sphere->radius + pad) * GZ_ROUND_UP
#@ src/check/query_filter.inl groups_near_map 24
#~ gz_f8_load(l->spheres[g][3]) ->> r
#~ gz_f8_all(pad) ->> p
#= gz_f8_mul(gz_f8_add(gz_f8_load(l->spheres[g][3]), gz_f8_all(pad)), gz_f8_all(GZ_ROUND_UP))
#@ src/check/query_filter.inl find_possible 24
#~ m->radius_bounds[i + lane] ->> a
#~ 2 * seen->view.mesh_pad ->> b
#~ margin ->> c
#= (m->radius_bounds[i + lane] + 2 * seen->view.mesh_pad + margin) * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl sticks_out 24
#~ proxy->half[k] ->> r
#~ 2 * p->error ->> p
#= (proxy->half[k] + 2 * p->error) * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl samples_enter 24
#~ proxy->half[k] ->> r
#~ 2 * p->error ->> p
#= (proxy->half[k] + 2 * p->error) * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl test_packet_near 24
#~ radius ->> one
#= radius * radius * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl far_children 24
#~ seen->radius ->> one
#= seen->radius * seen->radius * GZ_ROUND_UP
#@ src/broad/world_query.h gz_local_tree_near 24
#~ radius ->> one
#= radius * radius * GZ_ROUND_UP
#@ src/narrow/prefilter/scene_pair.inl find_entry 24
#~ 0.5f * (s->high[k] - s->low[k]) ->> (h - l)
#= 0.5f * (s->high[k] - s->low[k]) * GZ_ROUND_UP
#@ src/narrow/prefilter/component_pair.inl pose_inner 24
#~ inner->half[k] ->> h
#~ 2 * p->error ->> l
#= float half = (inner->half[k] - 2 * p->error) * GZ_ROUND_DOWN
#@ src/narrow/prefilter/component_pair.inl may_contain 24
#~ proxy->half[k] ->> one
#= proxy->half[k] * GZ_ROUND_DOWN
{ r in [0,1] /\ p in [0,1] /\ r + p in [1,1] /\ a in [0,1] /\ b in [0,1] /\ c in [0,1] /\ a + b in [0,1] /\ (a + b) + c in [1,1]
  /\ one in [1,1] /\ h - l in [1,1]
  -> result >= 1.000009 /\ result_2 >= 1.000009 /\ result_3 >= 1.000009 /\ result_4 >= 1.000009 /\ result_5 >= 1.000009
  /\ result_6 >= 1.000009 /\ result_7 >= 1.000009 /\ result_8 >= 1.000009 /\ result_9 >= 1.000009 /\ result_10 >= 1.000009
  /\ half <= 0.999991 /\ result_11 <= 0.999991 }
