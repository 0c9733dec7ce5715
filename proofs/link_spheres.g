# Two links' spheres: what spheres_near() calls apart is apart by more than the threshold of make_pair().
# In units of the threshold. A difference that is 0 has no error. Joined by hand: where d2 > apart2, the real square is
# at least d2 / (1 + 2^-21) > 1.
#@ src/check/batch_filter.inl spheres_near 24
#~ load(a + 2 * GZ_LANES) ->> az
#~ load(b + 2 * GZ_LANES) ->> bz
#~ load(a + GZ_LANES) ->> ay
#~ load(b + GZ_LANES) ->> by
#~ load(a) ->> ax
#~ load(b) ->> bx
#= gz_f8 x = gz_f8_sub(load(a), load(b))
#= y = gz_f8_sub(load(a + GZ_LANES), load(b + GZ_LANES))
#= z = gz_f8_sub(load(a + 2 * GZ_LANES), load(b + 2 * GZ_LANES))
#= gz_f8 d2 = gz_f8_muladd(z, z, gz_f8_muladd(y, y, gz_f8_mul(x, x)))
#@ src/check/filter_model.c make_pair 24
#= .apart2 = threshold * threshold * GZ_ROUND_UP
X = ax - bx; Y = ay - by; Z = az - bz;
{ |X| in [1b-60,1b60] /\ |Y| in [1b-60,1b60] /\ |Z| in [1b-60,1b60] /\ threshold in [1,1] ->
  d2 -/ (Z * Z + (Y * Y + X * X)) in [-1b-21,1b-21] /\ apart2 >= 1.000001 }
