# note_clear(), links_kept_clear(): how far a link's sphere may move from where it was seen clear of an object, u = 2^-24. In units of its
# distance D there, whose square S is computed (group_sphere), T being the threshold: the slack is off by less than 5e-7. Its square
# as it is kept is below that of the slack by 9.7e-6 of it; that of the way between two places in float is off by 8 u. Joined by hand: the
# way M is less than (1 - 4.6e-6) (D - T + 5e-7 D), so D - M is more than (1 - 5e-7) T, and T is 1.4e-3 above the distance that keeps the two apart.
#@ src/check/query_filter.inl group_near 24
#~ square ->> S
#~ threshold ->> T
#= gz_f8_sub(gz_f8_sqrt(square), threshold)
#@ src/check/query_filter.inl note_clear 24
#= least * least * GZ_ROUND_DOWN
#@ src/check/query_filter.inl links_kept_clear 24
#? gz_f8 moved = gz_f8_all(0)
#~ gz_f8_load(s->centers[k] + first) ->> now
#~ gz_f8_load(s->clear[k] + first) ->> place
#= gz_f8 d = gz_f8_sub(gz_f8_load(s->centers[k] + first), gz_f8_load(s->clear[k] + first))
#~ d ->> d0
#~ moved ->> 0
#= moved = gz_f8_muladd(d, d, moved)
#~ d ->> d1
#~ moved ->> moved
#= moved = gz_f8_muladd(d, d, moved)
#~ d ->> d2nd
#= moved = gz_f8_muladd(d, d, moved)
M2 = d2nd * d2nd + (d1 * d1 + d0 * d0);
{ S in [0.9999995,1.0000005] /\ T in [0,1] -> |result - (1 - T)| <= 5e-7 }
{ least in [1,1] -> result_2 <= 0.9999903 }
{ now - place in [1,1] -> d in [0.9999999,1.0000001] }
{ |d0| in [1b-60,1b60] /\ |d1| in [1b-60,1b60] /\ |d2nd| in [1b-60,1b60] -> moved_3 -/ M2 in [-4b-24,4b-24] }
