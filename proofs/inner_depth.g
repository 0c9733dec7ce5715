# How deep a point is in an inner ball or box, in units of half axes, u = 2^-24: a coordinate is divided by a half axis, inverse and product 2 u of itself;
# the sum of three squares, fused or not, is 9 u of itself off. So what is computed below 1 - 1e-4 (SURELY_INSIDE, 1677 u) is below 1. What a
# coordinate itself is off, half axes shorter by two errors hold (proxy_points).
#@ src/narrow/prefilter/component_pair.inl - 24
#? #define SURELY_INSIDE (1 - 1e-4f)
#= (1 - 1e-4f)
#@ src/narrow/prefilter/component_pair.inl pose_inner 24
#~ half ->> axis
#= out->scale[k] = 1 / half; k=0
#@ src/narrow/prefilter/component_pair.inl samples_enter 24
#~ gz_f8_sub(at.x[k], gz_f8_all(c->ellipsoid->center[k])) ->> off
#~ c->scale[k] ->> scale
#= x[k] = gz_f8_mul(gz_f8_sub(at.x[k], gz_f8_all(c->ellipsoid->center[k])), gz_f8_all(c->scale[k])); k=3
#? in = in || gz_f8_mask(gz_f8_greater(gz_f8_all(SURELY_INSIDE), least))
#@ src/narrow/prefilter/component_pair.inl enters_inner 24
#? x[k] = gz_f8_mul(x[k], gz_f8_all(c->scale[k]))
#@ src/narrow/prefilter/component_pair.inl inner_depth 24
#~ x[0] ->> a
#~ x[1] ->> b
#~ x[2] ->> c
#= return gz_f8_muladd(x[2], x[2], gz_f8_muladd(x[1], x[1], gz_f8_mul(x[0], x[0])))
S = c0 * c0 + (b0 * b0 + a0 * a0);
{ axis in [1,1] -> out_scale_0 in [0.99999994,1.00000006] }
{ scale -/ one in [-1b-24,1b-24] /\ off in [1b-60,1b40] /\ one in [1b-40,1b40] -> x_3 -/ (off * one) in [-33b-28,33b-28] }
{ a -/ a0 in [-33b-28,33b-28] /\ b -/ b0 in [-33b-28,33b-28] /\ c -/ c0 in [-33b-28,33b-28] /\ |a0| in [1b-40,1b20] /\ |b0| in [1b-40,1b20] /\ |c0| in [1b-40,1b20]
  -> result_2 -/ S in [-9b-24,9b-24] }
{ depth in [0,0.99990001] /\ e in [-9b-24,9b-24] -> depth / (1 + e) <= 0.99991 }
{ result <= 0.9999001 }
