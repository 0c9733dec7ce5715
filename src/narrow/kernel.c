#include <math.h>

#include "base/processor.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "narrow/kernel.h"

const gz_kernels *gz_kernels_choose(void) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_isa_choose() == GZ_ISA_AVX2) return &gz_kernels_avx2;
#endif
    return &gz_kernels_base;
}

/// With u = 2^-24 and S = |t| + sqrt 3 (rA + rB), r a mesh's largest coordinate. A vertex of A is
/// off by u rA when it is rounded, by 3 u rA and u |t| when R and t are, and by 4 u (rA + |t|) per
/// coordinate in products and sums: 9 u S, in length 16 u S; that is what `error` grows by,
/// generously. A vertex of B is off by u rB. Products and sums that are fused round less often.
///
/// Along a direction d, in whose frame A's own direction R^T d is computed, so that the same bounds
/// hold: 4 u |d|_1 per coordinate of R^T d, the products and sums of a vertex 4 u S |d|_1, of B's
/// too, the sum of the three terms 3 u S |d|_1. So a computed gap is off by at most (error + 24 u
/// S) |d|_1. The proof on boxes adds their half extents to their centres, which doubles the sizes:
/// 48 u S; proofs/plane_gap.g, which takes each direction's error as a vector's, comes to 60 u S,
/// and the pad takes 64.
void gz_proxy_pair_grow(gz_proxy_pair *pair, double error, double margin) {
    double t[3] = {(double)pair->t[0], (double)pair->t[1], (double)pair->t[2]};
    double size = gz_norm(t) + GZ_SQRT_3 * (pair->a->max_abs + pair->b->max_abs);
    pair->error = (float)((error + 24 * 0x1p-24 * size) * GZ_ROUND_UP_TO_FLOAT);
    pair->pad = (float)((error + margin + 64 * 0x1p-24 * (size + margin)) * GZ_ROUND_UP_TO_FLOAT +
                        1e-29);
}

/// The way into b's frame is off by what gz_tree_pair_grow() derives: 2^-50 of the places of both
/// frames and their sizes, 3e-9 of b's size for rotations that are rigid up to 1e-9 only (for a's,
/// too), and what snapping sets to 0.
void gz_proxy_pair_prepare(gz_proxy_pair *pair, const graze_mesh *a, const double pose_a[12],
                           const graze_mesh *b, const double pose_b[12], double margin) {
    double rel[12];
    gz_transform_relative(pose_a, pose_b, rel);
    *pair = (gz_proxy_pair){.a = a, .b = b};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) pair->r[i][j] = (float)rel[4 * i + j];
        pair->t[i] = (float)rel[4 * i + 3];
    }
    double far = 3 * (gz_transform_far(pose_a) + gz_transform_far(pose_b)) + a->max_abs +
                 b->max_abs;
    double t[3] = {rel[3], rel[7], rel[11]};
    double error = 0x1p-50 * far + 6e-9 * (gz_norm(t) + a->max_abs + b->max_abs) + 0x1p-97;
    gz_proxy_pair_grow(pair, error, margin);
}

/// How far the float tests may be off. With u = 2^-24 and S = |t| + rA + rB, where t is the
/// relative translation and r the largest distance of a vertex from its frame's origin:
///
/// A vertex of A, moved into B's frame in float, is off per coordinate by at most 9.5 u S, with its
/// own rounding and the rotation's, products and sums; a vertex of B by u rB. A projection onto an
/// axis n, whichever, adds 5.25 u |n|_1 of its own part of S, the gap u S |n|_1, and edges, of
/// which one end stands for both, are off by u of their lengths, 2 S at most: below 19 u S |n|_1
/// for triangles. For boxes a centre is off by 8.5 u S, its distance by u more, as a vector by sqrt
/// 3 of that; the rounded axis, products and sums of distances and of half extents, up to S, make
/// it 33 u S. The constants below are 24 and 40; proofs/tree_*.g prove the figures and join them.
///
/// What separates in B's frame separates in the world, because p -> Rb^T (p - tb) is linear: it
/// takes a snapped vertex of A to its place above within 2^-51 (|ta| + |tb| + S), and one of B to
/// its own within |Rb^T Rb - I| rB <= 3e-9 rB, which the slack of the constants covers (3e-9 < u /
/// 16), and the same snap. Last, 1e-29 covers what snapping sets to zero (2^-100 < 8e-31 per
/// coordinate, of either vertex) and underflow.
///
/// Under a margin m, what is apart by more than pad + m along an axis of length at most 1 (2u more
/// for rounded ones) is farther apart than m: with m in the size, the slack of the constants covers
/// those 2u m, and the rounding of sums with m in them.
static float pad(double constant, double size, double far) {
    return (float)((constant * 0x1p-24 * size + 0x1p-50 * far) * GZ_ROUND_UP_TO_FLOAT + 1e-29);
}

/// Sets the pads of a pair in the relative translation t. The float tests are relative to S above
/// with |t|, the margin, and the places of both frames.
static void set_pads(gz_tree_pair *pair, const double t[3]) {
    double size = gz_norm(t) + GZ_SQRT_3 * (pair->a->max_abs + pair->b->max_abs) + pair->margin;
    double far = 3 * (gz_transform_far(pair->pose_a) + gz_transform_far(pair->pose_b)) + size;
    pair->box_pad = pad(40, size, far);
    pair->triangle_pad = pad(24, size, far);
}

void gz_tree_pair_grow(gz_tree_pair *pair, double margin) {
    double rel[12];
    gz_transform_relative(pair->pose_a, pair->pose_b, rel);
    pair->margin = margin;
    set_pads(pair, (const double[3]){rel[3], rel[7], rel[11]});
    // At least 1e-18, so that squares do not underflow: rejecting less is always right.
    pair->float_margin = (float)fmax(margin * GZ_ROUND_UP_TO_FLOAT, 1e-18);
    pair->box_pad = pair->box_pad * GZ_ROUND_UP_FEW + pair->float_margin;
}

void gz_tree_pair_prepare(gz_tree_pair *pair, const graze_mesh *a, const double pose_a[12],
                          const graze_mesh *b, const double pose_b[12], bool lowest) {
    double rel[12];
    gz_transform_relative(pose_a, pose_b, rel);
    *pair = (gz_tree_pair){.a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b, .lowest = lowest};
    double t[3] = {rel[3], rel[7], rel[11]}, back[3];
    gz_transform_unrotate(rel, t, back);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pair->to_b[i][j] = (float)rel[4 * i + j];
            pair->to_a[j][i] = (float)rel[4 * i + j];
            pair->abs_to_b[i][j] = pair->abs_to_a[j][i] = fabsf((float)rel[4 * i + j]);
        }
        pair->to_b_shift[i] = (float)t[i];
        pair->to_a_shift[i] = (float)-back[i];
    }
    set_pads(pair, t);
}

void gz_triangle_snap(const graze_mesh *mesh, const double pose[12], uint32_t triangle,
                      double out[3][3]) {
    for (size_t k = 0; k < 3; k++) gz_snap(pose, gz_mesh_corner(mesh, triangle, k), out[k]);
}
