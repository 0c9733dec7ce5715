/// Safety factors of bounds: what a computed length or square is multiplied by so that the true one
/// is on the safe side, whatever rounding did. With u = 2^-24, the unit roundoff of float.
#ifndef GZ_MATH_ROUNDING_H
#define GZ_MATH_ROUNDING_H

/// Float: more than 160 u, for chains of products, sums and roots, and frames rigid up to 1e-9.
#define GZ_ROUND_UP   1.00001f
#define GZ_ROUND_DOWN (1 - 1e-5f)

/// Float: 16 u, for a square, a root or a sum of three squares.
#define GZ_ROUND_UP_FEW   (1 + 0x1p-20f)
#define GZ_ROUND_DOWN_FEW (1 - 0x1p-20f)

/// Double: 16 u, for a bound that is rounded to float at the end.
#define GZ_ROUND_UP_TO_FLOAT (1 + 0x1p-20)

/// The square root of 3: a vector's length is at most that times its largest coordinate.
#define GZ_SQRT_3 1.7320508075688774

#endif
