# beyond(): what underflows in a gap along a direction, squared, and in the direction's length times a square of a threshold, 2^-150 a product, against
# 1e-30. Thresholds are below 2^21 m (the domain). Three products of a gap: below 2^-50 their square is off by less than 2^-190; above, they are
# 2^-98 of it, which the factor holds (margin_square). Three of a length, times the square, and two products: below 1e-32.
#@ src/narrow/points/point_lanes.inl cast 24
#? return (shadow){gz_f8_mul(gap, gap), dot_lanes(n, n)}
#@ src/narrow/points/point_lanes.inl beyond 24
#? gz_f8 limit = gz_f8_add(gz_f8_mul(s->length, threshold_square), gz_f8_all(1e-30f))
#~ gz_f8_mul(s->length, threshold_square) ->> product
#= gz_f8 limit = gz_f8_add(gz_f8_mul(s->length, threshold_square), gz_f8_all(1e-30f))
{ gap in [0,1b-50] -> 6b-150 * gap + 9b-300 <= 1b-190 }
{ gap in [1b-50,1b70] -> 3b-150 / gap <= 1b-98 }
{ square in [0,1b42] -> 3b-150 * square + 2b-150 <= 1e-32 }
{ product in [0,0] -> limit >= 0.99e-30 }
