# measure_row(): the gap along a way as floats, in units of the real one less the pad, over a length that is 3 u off, squared: no more
# than the real square. flat_slack(), in units of H^3. record(): what a visit must be nearer than, in units of the steps and sizes.
# proves_hit(): a length from below, in units of it, against a sum in double. ray_passes(): a quotient moved outward.
#@ src/narrow/distance/tree_distance.inl measure_row 24
#? gz_f8 length = gz_f8_sqrt(gz_f8_max(dot_lanes(best.way, best.way), gz_f8_all(1e-30f)))
#? gz_f8 pad = gz_f8_mul(size, gz_f8_all(s->pair.triangle_pad))
#~ gz_f8_sub(gz_f8_sub(low, high), pad) ->> rest
#= gz_f8 gap = gz_f8_div(gz_f8_sub(gz_f8_sub(low, high), pad), length)
#? gz_f8 square = gz_f8_mul(add_gap(gz_f8_all(0), gap), gz_f8_all(GZ_ROUND_DOWN_FEW))
#~ add_gap(gz_f8_all(0), gap) ->> gz_f8_mul(gap, gap)
#= gz_f8 square = gz_f8_mul(add_gap(gz_f8_all(0), gap), gz_f8_all(GZ_ROUND_DOWN_FEW))
#@ src/narrow/tree_pair.inl flat_slack 24
#~ a->half[0] ->> a0
#~ a->half[1] ->> a1
#~ a->half[2] ->> a2
#= float ha = a->half[0] + a->half[1] + a->half[2]
#? hb = b->half[0] + b->half[1] + b->half[2]
#~ 1e-30f ->> least
#= return 96 * 0x1p-24f * h * h * h + 1e-30f
#@ src/mesh/prefilter/nearest_surface.inl record 24
#~ s->steps * s->unit ->> way
#~ s->size * 0x1p-18f ->> more
#= float enough = (s->steps * s->unit + s->size * 0x1p-18f) * (1 + 0x1p-15f)
#~ enough ->> near
#= enough * enough
#@ src/narrow/prefilter/component_pair.inl proves_hit 53
#~ length ->> one
#= length * (1 - 1e-6)
#~ p->error ->> error
#= enclosure + (double)p->error
#@ src/narrow/containment.c ray_passes 53
#~ fabs(t0) ->> t0
#= t0 - fabs(t0) * 0x1p-50
#~ fabs(t1) ->> t1
#= t1 + fabs(t1) * 0x1p-50
H = (a0 + a1) + a2;
{ rest in [0.9999998,1.00000012] /\ length in [0.99999982,1.00000018] -> square <= 1 }
{ a0 in [0,1] /\ a1 in [0,1] /\ a2 in [0,1] /\ a0 + a1 in [0,1] /\ H in [1,1] -> ha >= 0.9999998 }
{ h in [0.9999998,1] /\ least in [0,1] -> result >= 95b-24 }
{ way in [0,1] /\ more in [0,1] /\ way + more in [1,1] -> enough >= 1.00003 }
{ near in [1.00003,1.0001] -> result_2 >= 1.00005 }
{ one in [1,1] -> result_3 <= 0.9999991 }
{ enclosure in [0,1] /\ error in [0,1] /\ enclosure + error in [1,1] -> result_4 >= 0.9999999 }
{ t0 in [1,1] -> result_5 <= 0.9999999999999996 }
{ t1 in [1,1] -> result_6 >= 1.0000000000000004 }
