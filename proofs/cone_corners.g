# make_cone(): corners of the polygon around a cone's base, in units of its radius, u = 2^-53. An angle, a product and a quotient below 2 pi:
# 19 u; its sine and cosine 2 u (GZ_TRIGONOMETRY_ERROR), the products u: each coordinate is off by 23 u and as a vector 33 u, of `around` below
# 1.0002. So the polygon's sides come nearer by no more than that; `around` makes them 120 u farther (cylinder: the cosine of the half angle).
#@ src/mesh/shape.c - 53
#? enum { CONE_SIDES = 256 }
#@ src/mesh/shape.c make_cone 53
#~ GZ_TWO_PI ->> turn
#~ CONE_SIDES ->> 256
#= GZ_TWO_PI * i / CONE_SIDES
#~ around ->> wide
#= corners[3 * i] = around * cosine; i=0
#~ radius ->> one
#~ cosine ->> apothem
#= double around = radius / cosine * (1 + 0x1p-46)
#@ src/math/trigonometry.h - 53
#? #define GZ_TRIGONOMETRY_ERROR 0x1p-52
A = pi * (i / 256);
B = mul_rel<53>(turn, i);
Q = mul_rel<53>((B / 256), 1);
{ pi in [6.2831853071795864769,6.283185307179586477] /\ turn in [6.2831853071795862,6.2831853071795866] -> |turn - pi| <= 6b-53 }
{ |turn - pi| <= 6b-53 /\ B -/ (turn * i) in [-1b-53,1b-53] /\ i in [1,255] /\ pi in [6.283,6.2832] -> |result - A| <= 19b-53 }
result - A -> (result - (B / 256) * 1) + (B - turn * i) / 256 + (turn - pi) * i / 256;
{ wide in [0.9,1.0002] /\ |cosine| <= 1.000001 /\ |real| <= 1 /\ cosine - real in [-21b-53,21b-53] -> |corners_0 - wide * real| <= 23b-53 }
corners_0 - wide * real -> (corners_0 - wide * cosine) + wide * (cosine - real);
{ x in [-23b-53,23b-53] -> sqrt(x * x + x * x) <= 33b-53 }
{ one in [1,1] /\ apothem in [0.9999,1] -> around in [1,1.0002] }
