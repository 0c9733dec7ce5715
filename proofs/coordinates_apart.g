# gz_coordinates_apart(): a gap along a coordinate axis, rounded, above the limit is above the distance, in units of it.
#@ src/narrow/curved/curved_internal.h gz_coordinates_apart 53
#~ distance ->> one
#= double limit = distance * (1 + 0x1p-48)
#~ q_low ->> q
#~ p_high ->> p
#= q_low - p_high
{ one in [1,1] /\ q - p in [0,1] -> limit >= 1.000000000000003 /\ result <= 1.0000000000000003 }
