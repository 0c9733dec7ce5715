# gz_filter_sine_cosine(): the cosine of a float x, |x| <= pi/2 + 2^-20, against its Taylor polynomial to x^12, whose truncation is
# below 0.2 u.
#@ src/check/filter_model.h gz_filter_sine_cosine 24
#= x2 = gz_f8_mul(x, x)
#= gz_f8 c = gz_f8_muladd(x2, gz_f8_all(1.0f / 479001600.0f), gz_f8_all(-1.0f / 3628800.0f))
#= c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 40320.0f))
#= c = gz_f8_muladd(c, x2, gz_f8_all(-1.0f / 720.0f))
#= c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 24.0f))
#= c = gz_f8_muladd(c, x2, gz_f8_all(-0.5f))
#= gz_f8_muladd(c, x2, gz_f8_all(1))
#? gz_f8_store(cosine, gz_f8_mul(gz_f8_muladd(c, x2, gz_f8_all(1)), sign))
X = x * x;
S1 = X * (1 / 479001600) + (-1 / 3628800);
S2 = S1 * X + 1 / 40320;
S3 = S2 * X + (-1 / 720);
S4 = S3 * X + 1 / 24;
S5 = S4 * X + (-1 / 2);
S = S5 * X + 1;
more = (X * X * X) * (X * X * X) * X / 87178291200 + 1b-24 * (X * (1 - X / 6 + X * X / 120)) + 1b-31;
{ x in [1b-40,1.570798] -> |result - S| <= 112b-28 }
result - S $ x in 64;
{ x in [1b-40,1.570798] -> |result - S| + more <= 128b-28 }
|result - S| + more $ x in 256;
