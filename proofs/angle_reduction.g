# gz_filter_sine_cosine(): the reduced angle in double, of |value| <= 2^20, is off by less than 2^-31 and at most pi/2 + 2^-20. n is the
# nearest whole number of a quotient in double, which the constant 0x1.8p52 rounds to (int<ne>). pi to 20 places.
#@ src/check/filter_model.h gz_filter_sine_cosine 53
#~ value[i] ->> value
#= value[i] * 0x1.45f306dc9c883p-2
#? double n = (value[i] * 0x1.45f306dc9c883p-2 + 0x1.8p52) - 0x1.8p52
whole = int<ne>(result);
C = 5734161139222659b-54;
#~ n ->> whole
#= (value[i] - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33
#? r[i] = (float)((value[i] - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33)
A = mul_rel<53>(whole, 1686629713b-29);
B = mul_rel<53>(whole, 4701928774853425b-85);
P = 1686629713b-29 + 4701928774853425b-85;
T = value - whole * pi;
{ |value| <= 1b20 /\ pi in [3.1415926535897932384,3.1415926535897932385] -> |T| <= 1.570797 }
T -> value * (1 - C * pi) - (result - value * C) * pi + (result - whole) * pi;
{ |value| <= 1b20 /\ pi in [3.1415926535897932384,3.1415926535897932385] /\ |T| <= 1.570797 -> |result_2 - T| <= 1b-31 }
result_2 - T -> (result_2 - (sub_rel<53>(value, A) - B)) + (sub_rel<53>(value, A) - (value - A)) - (A - whole * 1686629713b-29) - (B - whole * 4701928774853425b-85) + whole * (pi - P);
value - A -> T - (A - whole * 1686629713b-29) + whole * (pi - 1686629713b-29);
