# lower_limit(): the distance that an estimate in float proves, in units of the pads of two points, of which half are spare
# (kernel.c): the root, u off itself, and the pads, up to 4 u of their sum. The limit that follows, in units of what it is before the slack is taken off.
#@ src/narrow/distance/tree_distance.inl lower_limit 24
#~ sqrtf(square) ->> root
#~ 2 * s->pair.triangle_pad ->> pads
#= float upper = sqrtf(square) * GZ_ROUND_UP_FEW + 2 * s->pair.triangle_pad
#~ upper ->> up
#~ c->shrink ->> shrink
#~ c->tie ->> more
#~ c->slack ->> less
#= float limit = (upper * c->shrink + c->tie) * GZ_ROUND_UP_FEW - c->slack
X = mul_rel<24>(add_rel<24>(mul_rel<24>(up, shrink), more), 1048577b-20);
{ root in [0,1] /\ pads in [0,1] -> upper - (root * 1048577b-20 + pads) in [-4b-24,4b-24] }
{ up * shrink in [0,1] /\ more in [0,1] /\ up * shrink + more in [1,1] /\ less in [0,1] -> limit - (1 - less) >= 0 }
limit - (1 - less) -> (limit - (X - less)) + (X - 1);
