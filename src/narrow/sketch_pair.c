#include "narrow/kernel.h"

#include <math.h>

#include "math/transform.h"

/// With u = 2^-24 and S = |t| + sqrt 3 (rA + rB), r a mesh's largest coordinate. A vertex of A is
/// off by u rA when it is rounded, by 3 u rA and u |t| when R and t are, and by 4 u (rA + |t|) per
/// coordinate in products and sums: 9 u S, in length 16 u S; that is what `error` grows by, with
/// room. A vertex of B is off by u rB. Products and sums that are fused round less often.
///
/// Along a direction d, in whose frame A's own direction R^T d is computed, so that the same bounds
/// hold: 4 u |d|_1 per coordinate of R^T d, the products and sums of a vertex 4 u S |d|_1, of B's
/// too, the sum of the three terms 3 u S |d|_1. So a computed gap is off by at most (error + 24 u
/// S) |d|_1. The proof on boxes adds their half extents to their centres, which doubles the sizes:
/// 48 u S, and the pad takes 64.
void gz_proxy_pair_grow(gz_proxy_pair *pair, double error, double margin) {
    double t[3] = {(double)pair->t[0], (double)pair->t[1], (double)pair->t[2]};
    double size = gz_norm(t) + 1.7320508075688774 * (pair->a->reach + pair->b->reach);
    pair->error = (float)((error + 24 * 0x1p-24 * size) * (1 + 0x1p-20));
    pair->pad = (float)((error + margin + 64 * 0x1p-24 * (size + margin)) * (1 + 0x1p-20) + 1e-29);
}

/// The way into b's frame is off by what tree_pair.c derives: 2^-50 of the places of both frames
/// and their sizes, 3e-9 of b's reach for rotations that are rigid up to 1e-9 only (for a's, too),
/// and what snapping sets to 0.
void gz_proxy_pair_prepare(gz_proxy_pair *pair, const graze_mesh *a, const double pose_a[12],
                           const graze_mesh *b, const double pose_b[12], double margin) {
    double rel[12];
    gz_transform_relative(pose_a, pose_b, rel);
    *pair = (gz_proxy_pair){.a = a, .b = b};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) pair->r[i][j] = (float)rel[4 * i + j];
        pair->t[i] = (float)rel[4 * i + 3];
    }
    double far = 3 * (gz_transform_far(pose_a) + gz_transform_far(pose_b)) + a->reach + b->reach;
    double t[3] = {rel[3], rel[7], rel[11]};
    double error = 0x1p-50 * far + 6e-9 * (gz_norm(t) + a->reach + b->reach) + 0x1p-97;
    gz_proxy_pair_grow(pair, error, margin);
}
