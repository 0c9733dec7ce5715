# reduce(): pi/2 in three pieces, against 50 places of it: 2^-121 in all. Products of the first two with a whole number below 2^20 are exact in a
# double; that of the third rounds by 2^-101 at most, and what the pieces lack is 2^-101 of it. 2 / pi as a double is 2^-53 of itself off.
#@ src/math/trigonometry.c - 53
#= HALF_PI_1 = 0x1.921fb544p+0
#= HALF_PI_2 = 0x1.0b4611a6p-34
#= HALF_PI_3 = 0x1.3198a2e037073p-69
#= TWO_OVER_PI = 0x1.45f306dc9c883p-1
#@ src/math/trigonometry.c reduce 53
#? double b = -(k * HALF_PI_2)
#~ HALF_PI_3 ->> third
#= k * HALF_PI_3
n = int<ne>(y);
first = n * HALF_PI_1;
second = n * HALF_PI_2;
{ h in [1.5707963267948966192313216916397514420985846996875529,1.5707963267948966192313216916397514420985846996875530]
  -> |h - HALF_PI_1 - HALF_PI_2 - HALF_PI_3| <= 1b-121 }
{ h in [1.5707963267948966192313216916397514420985846996875529,1.5707963267948966192313216916397514420985846996875530] -> |TWO_OVER_PI * h - 1| <= 1b-53 }
{ |n| <= 1048576 -> float<ieee_64,ne>(first) - first in [0,0] }
{ |n| <= 1048576 -> float<ieee_64,ne>(second) - second in [0,0] }
{ |k| <= 1048576 /\ third in [0,1b-68] -> |result - k * third| <= 1b-101 }
{ |k| <= 1048576 -> |k * 1b-121| <= 1b-101 }
