# gz_distance_exceeds() on spheres, in double: with the left side above the right one, the real distance exceeds the real
# sum of the lengths. In units of that sum. Overflow and underflow: bound_test.h. Joined by hand: d2 (1 - 2^-48) is at
# most the real square, and the other side at least 1.
#@ src/broad/bound_test.h gz_spheres_apart 53
#~ a[0] ->> ax
#~ b[0] ->> bx
#~ a[1] ->> ay
#~ b[1] ->> by
#~ a[2] ->> az
#~ b[2] ->> bz
#= double x = a[0] - b[0]
#= y = a[1] - b[1]
#= z = a[2] - b[2]
#~ x ->> x
#= x * x + y * y + z * z
#= radius_a + radius_b + pad
#@ src/broad/bound_test.h gz_distance_exceeds 53
#~ d2 ->> result
#~ distance ->> result_2
#~ 1 - 0x1p-48 ->> below
#~ 1 + 0x1p-48 ->> above
#= d2 * (1 - 0x1p-48)
#= distance * distance * (1 + 0x1p-48)
X = ax - bx; Y = ay - by; Z = az - bz;
{ |X| in [1b-60,1b60] /\ |Y| in [1b-60,1b60] /\ |Z| in [1b-60,1b60] /\ radius_a in [0,1] /\ radius_b in [0,1] /\ pad in [0,1]
  /\ radius_a + radius_b + pad in [1,1] /\ below = 1 - 1b-48 /\ above = 1 + 1b-48
  -> result -/ (X * X + Y * Y + Z * Z) in [-1b-50,1b-50] /\ result_4 >= 1 }
