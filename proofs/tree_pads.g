# set_pads() and gz_proxy_pair_grow(): the pads used, in units of size = S, with the terms for places and 1e-29 left out
# (they only add). Needed, joined by hand in docs/bounds.md: 22 u for triangles, 64 u for boxes, 17 u for a vertex of a proxy.
#@ src/narrow/kernel.c pad 53
#~ constant ->> 32
#~ size ->> one
#~ far ->> 0
#= constant * 0x1p-24 * size + 0x1p-50 * far
#@ src/narrow/kernel.c pad 53
#~ constant ->> 80
#~ size ->> one
#~ far ->> 0
#= constant * 0x1p-24 * size + 0x1p-50 * far
#@ src/narrow/kernel.c set_pads 53
#? pair->box_pad = pad(80, size, far)
#? pair->triangle_pad = pad(32, size, far)
#@ src/narrow/kernel.c gz_proxy_pair_grow 53
#~ error ->> 0
#~ size ->> one
#= error + 24 * 0x1p-24 * size
{ one in [1,1] -> result >= 22b-24 /\ result_2 >= 64b-24 /\ result_3 >= 17b-24 }
