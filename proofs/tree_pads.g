# set_pads() and gz_proxy_pair_grow(): the pads used, in units of size = S, with the terms for places and 1e-29 left out (they only add),
# against the sum of what the proofs tree_* have. Triangles: a vertex of A 9.5 u and of B u (tree_vertex); along the axis 5.25 u of either side's part
# a or 1 - a of S (tree_axis); the gap u; edges, of which one end stands for both, u of lengths that sum to 2 S: 18.75 u. Boxes along the other one's axes: the centre 8.5 u (tree_face) and its distance u, as a vector sqrt 3 of that along a column of length 1;
# the rounded column u; its products and sums 6 u; half extents 8 u with u of their |r| (tree_box_axis): 33 u. Along the node's own axes: 8.5 u, 7 u, u. Along a
# product of axes: two entries of one column, sqrt 2 of 9.5 u, u, 3.1 u, 8.2 u and u (tree_cross): 27 u. Rotations that are rigid up to 1e-9 and
# the lengths of float axes, 2 u of the margin, which S holds, are below u / 4. A vertex of a proxy: sqrt 3 of 9.5 u.
#@ src/narrow/kernel.c pad 53
#~ constant ->> 24
#~ size ->> one
#~ far ->> 0
#= constant * 0x1p-24 * size + 0x1p-50 * far
#@ src/narrow/kernel.c pad 53
#~ constant ->> 40
#~ size ->> one
#~ far ->> 0
#= constant * 0x1p-24 * size + 0x1p-50 * far
#@ src/narrow/kernel.c set_pads 53
#? pair->box_pad = pad(40, size, far)
#? pair->triangle_pad = pad(24, size, far)
#@ src/narrow/kernel.c gz_proxy_pair_grow 53
#~ error ->> 0
#~ size ->> one
#= error + 24 * 0x1p-24 * size
triangles = 19b-25 + 1b-24 + (a * 21b-26 + (1 - a) * 21b-26) + 1b-24 + 2b-24;
boxes = sqrt(x * x + x * x + x * x) + 1b-24 + 6b-24 + 8b-24 + 1b-24;
faces = 17b-25 + 1b-24 + 7b-24 + 1b-24;
edges = sqrt(x * x + x * x) + 1b-24 + 49b-28 + 130b-28 + 1b-24;
vertex = sqrt(x * x + x * x + x * x);
{ one in [1,1] /\ a in [0,1] /\ rigid in [0,1b-26] -> result - (triangles + rigid) >= 4b-24 }
a * 21b-26 + (1 - a) * 21b-26 -> 21b-26;
{ one in [1,1] /\ x in [0,19b-25] /\ rigid in [0,1b-26] -> result_2 - (boxes + rigid) >= 6b-24 /\ result_2 - (faces + rigid) >= 22b-24 /\ result_2 - (edges + rigid) >= 12b-24 }
{ one in [1,1] /\ x in [0,19b-25] -> result_3 - vertex >= 7b-24 }
