# gz_moved_turn(): a term e (p + t - r) of the turn of a moved point, for a side e of length 1; s = p + t, d the difference from r. In units
# of the greater of |s| and |d|, whose sum the bound has, it is off by 5 u; with the difference of two terms, u, below 8 u less the
# bound's own rounding.
#@ src/planar/convex/convex_polygon.c gz_moved_turn 53
#~ e1.x ->> b
#~ e0.x ->> a
#= double ex = e1.x - e0.x
#? ey = e1.y - e0.y
#? sx = p.x + t.x
#~ p.y ->> p
#~ t.y ->> t
#= sy = p.y + t.y
#? double dx = sx - r.x
#~ r.y ->> r
#= dy = sy - r.y
#~ ex ->> side
#? value = ex * dy - ey * dx
#= ex * dy
#~ fabs(ey) * (fabs(sx) + fabs(dx)) ->> 0
#~ fabs(ex) ->> side
#~ (fabs(sy) + fabs(dy)) ->> size
#= double bound = 0x8p-53 * (fabs(ex) * (fabs(sy) + fabs(dy)) + fabs(ey) * (fabs(sx) + fabs(dx)))
S = p + t;
D = S - r;
{ b - a in [1,1] -> ex - 1 in [-1b-53,1b-53] }
{ side - 1 in [-1b-53,1b-53] /\ |S| <= 1 /\ |D| <= 1 /\ |sy - r| <= 1.000001 -> |result - D| <= 5b-53 }
result - D -> (result - side * dy) + (side - 1) * dy + (dy - (sy - r)) + (sy - S);
{ side - 1 in [-1b-53,1b-53] /\ size in [1,1] -> bound >= 63b-56 }
