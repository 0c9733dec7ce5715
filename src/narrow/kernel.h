/// The inner loops of the narrow phase, compiled once per instruction set.
#ifndef GZ_NARROW_KERNEL_H
#define GZ_NARROW_KERNEL_H

#include "graze/check.h"
#include "mesh/mesh.h"
#include "narrow/kernel.h"

/// A mesh against a mesh, in a relative pose. Filled by gz_tree_pair_prepare().
typedef struct gz_tree_pair {
    const graze_mesh *a, *b;
    const double *pose_a, *pose_b;        ///< 12 numbers each
    float to_b[3][3], to_b_shift[3];      ///< a's frame to b's frame, rounded
    float to_a[3][3], to_a_shift[3];      ///< the way back
    float abs_to_b[3][3], abs_to_a[3][3]; ///< of the entries
    float box_pad, triangle_pad;          ///< bounds of what the float tests may be off, metres;
                                          ///< box_pad with the margin
    double margin;      ///< triangles collide when they are not farther apart; 0: when they meet
    float float_margin; ///< the same for the float tests, rounded up; 0 at margin 0
    const gz_scene_hint *hint; ///< NULL: all of both is looked at
    bool hint_swapped;         ///< the packets are b's, the scene is a
    bool lowest;               ///< find the lexicographically lowest pair of triangles, not any
    bool hit;                  ///< [out]
    uint32_t triangle_a, triangle_b; ///< [out] where hit
} gz_tree_pair;

typedef struct gz_kernels {
    const char *name; ///< "scalar", "sse2", "avx2"
    /// Traverses both trees; fills pair->hit and the triangles, and adds to stats. For margin 0.
    void (*tree_pair)(gz_tree_pair *pair, graze_stats *stats);
    /// The same for margins above 0.
    void (*tree_pair_near)(gz_tree_pair *pair, graze_stats *stats);
    /// What the sketches say; only b's has a clearance map, or both do.
    gz_proxy_answer (*sketches)(gz_proxy_pair *pair);
} gz_kernels;

extern const gz_kernels gz_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_kernels gz_kernels_avx2;
#endif

/// The best kernels for this processor; the environment variable GRAZE_ISA (scalar, sse2, avx2)
/// chooses others where they exist. All give the same verdicts.
const gz_kernels *gz_kernels_choose(void);

#endif
