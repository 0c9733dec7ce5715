# gz_filter_sine_cosine(): the sine of a float x, 0 <= x <= pi/2 + 2^-20 (it is odd), against its Taylor polynomial to x^11, whose
# truncation is below u (u = 2^-24): 5.5 u and u. The rounding of the reduced argument, 2^-31 and u |x|, comes on top.
#@ src/check/filter_model.h gz_filter_sine_cosine 24
#~ gz_f8_mul(gz_f8_load(r), sign) ->> x
#? gz_f8 x = gz_f8_mul(gz_f8_load(r), sign)
#= x2 = gz_f8_mul(x, x)
#= gz_f8 s = gz_f8_muladd(x2, gz_f8_all(-1.0f / 39916800.0f), gz_f8_all(1.0f / 362880.0f))
#= s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 5040.0f))
#= s = gz_f8_muladd(s, x2, gz_f8_all(1.0f / 120.0f))
#= s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 6.0f))
#= gz_f8_muladd(gz_f8_mul(x, x2), s, x)
X = x * x;
S1 = X * (-1 / 39916800) + 1 / 362880;
S2 = S1 * X + (-1 / 5040);
S3 = S2 * X + 1 / 120;
S4 = S3 * X + (-1 / 6);
S = (x * X) * S4 + x;
more = x * (X * X * X) * (X * X * X) / 6227020800 + 1b-24 * (x * (1 - X / 2 + X * X / 24)) + 1b-31;
{ x in [1b-40,1.570798] -> |result - S| <= 88b-28 }
result - S $ x in 64;
{ x in [1b-40,1.570798] -> |result - S| + more <= 128b-28 }
|result - S| + more $ x in 256;
