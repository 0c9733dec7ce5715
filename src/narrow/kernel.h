/// The inner loops of the narrow phase, compiled once per instruction set, and their input: two
/// meshes by their proxies (surely apart, surely overlapping, or a case for the trees), and two
/// trees.
#ifndef GZ_NARROW_KERNEL_H
#define GZ_NARROW_KERNEL_H

#include "graze/check.h"
#include "math/float_quad.h"
#include "mesh/mesh.h"
#include "mesh/prefilter/mesh_proxy.h"

typedef enum gz_proxy_answer {
    GZ_PROXY_UNKNOWN,
    GZ_PROXY_APART,  ///< they do not collide under the policies of the pair
    GZ_PROXY_OVERLAP ///< they collide under the policies of the pair
} gz_proxy_answer;

/// Where a mesh may overlap a scene.
typedef struct gz_scene_hint {
    int32_t starts[64]; ///< packets, as gz_node.child: what is in none of them is apart
    int count;          ///< 0: nothing is known
    int32_t entry;      ///< subtree of the scene: what is not in it is apart from those packets
} gz_scene_hint;

/// The transform from a's frame to b's: rows and columns of the rotation, and the translation.
typedef struct gz_plane_frames {
    gz_f4 row[3], column[3], shift;
} gz_plane_frames;

static inline gz_plane_frames gz_plane_frames_make(const float (*r)[3], const float *t) {
    gz_plane_frames out;
    for (int k = 0; k < 3; k++) {
        out.row[k] = gz_f4_set(r[k][0], r[k][1], r[k][2], 0);
        out.column[k] = gz_f4_set(r[0][k], r[1][k], r[2][k], 0);
    }
    out.shift = gz_f4_set(t[0], t[1], t[2], 0);
    return out;
}

/// The support points of a - b that a search between two hulls has kept.
typedef struct gz_simplex {
    gz_f4 p[4];
    int count;
} gz_simplex;

/// What is to be found out by proxies.
typedef enum gz_proxy_question {
    GZ_PROXY_TEST_APART,  ///< are they surely apart? The place of an overlap is wanted otherwise
    GZ_PROXY_TEST_BOTH,   ///< surely apart, or surely overlapping?
    GZ_PROXY_TEST_OVERLAP ///< surely overlapping?
} gz_proxy_question;

/// A plane that kept two meshes apart, in b's frame: b has p . normal below `high`. The same two
/// are often apart along it in the next pose (Baraff, "Curved surfaces and coherence for
/// non-penetrating rigid body simulation", SIGGRAPH 1990).
typedef struct gz_proxy_plane {
    float normal[3]; ///< its 1-norm is 1; 0: none is known
    float high;
} gz_proxy_plane;

/// Two meshes in a relative pose: both with a proxy, or a with one and b as one component.
typedef struct gz_proxy_pair {
    const graze_mesh *a, *b;
    float r[3][3], t[3]; ///< a's frame to b's
    float pad;           ///< apart by more than this is apart: error, rounding and margin, metres
    float error;         ///< bound on how far r and t place a vertex of a off, seen from b, metres
    gz_proxy_question question;
    bool solid_a, solid_b; ///< what lies in a closed component of it collides
    bool cap_a, cap_b;     ///< what lies in an open component of it, closed by its caps, does, too
    const gz_component_proxy *component; ///< b as one component, where it is small; else NULL
    bool box;                            ///< gz_mesh_is_box() of b, where `component` is set
    gz_scene_hint *hint;   ///< [out] where b has a map and the answer is unknown; NULL: not wanted
    gz_proxy_plane *plane; ///< [in, out] of these two meshes in an earlier pose; NULL: none is kept
} gz_proxy_pair;

/// Sets the pads of a pair whose r and t are set, from double poses or not: `error` bounds what
/// else displaces a vertex of a against b, and `margin` the distance that counts as a collision.
void gz_proxy_pair_grow(gz_proxy_pair *pair, double error, double margin);

/// Whether a mesh may contain a component of a scene whose surface is clear of its own, by their
/// sizes. What lies in a closed component is no longer than that; two vertices of each are off by
/// twice the error, together. What extends through an opening that a cap closes may be of any
/// length.
static inline bool gz_proxy_may_contain(const graze_mesh *mesh, bool solid, bool cap,
                                        const graze_mesh *scene, double error) {
    return cap || (solid && mesh->closed_count > 0 &&
                   scene->proxy->shortest <= mesh->proxy->enclosure + 2 * error);
}

/// A pair in double poses, rigid up to 1e-9. The flags are left to the caller.
void gz_proxy_pair_prepare(gz_proxy_pair *pair, const graze_mesh *a, const double pose_a[12],
                           const graze_mesh *b, const double pose_b[12], double margin);

/// What is called for every pair of triangles that collides, in place of looking for one; -1 stands
/// for a curved shape.
typedef struct gz_triangle_sink {
    void (*each)(void *user, int64_t triangle_a, int64_t triangle_b);
    void *user;
} gz_triangle_sink;

/// Takes work off what is left of a budget (docs/control.md); at 0 it is spent. NULL: no limit.
static inline void gz_work_spend(uint64_t *left, uint64_t units) {
    if (left) *left = *left > units ? *left - units : 0;
}

/// Whether a budget is spent: what is found out from here on proves nothing.
static inline bool gz_work_is_spent(const uint64_t *left) {
    return left && *left == 0;
}

/// Takes work off, if there is more than that left; else the budget is spent.
static inline bool gz_work_take(uint64_t *left, uint64_t units) {
    if (!left) return true;
    bool enough = *left > units;
    *left = enough ? *left - units : 0;
    return enough;
}

/// Units, besides one of a node of a tree: of a packet of triangles against another, about what 8
/// nodes take; of a pair of shapes with the test of its proxies; of one certified test of curved
/// shapes, or one winding number besides its way.
#define GZ_WORK_PACKETS 8
#define GZ_WORK_PAIR    16
#define GZ_WORK_SHAPE   8

/// A mesh against a mesh, in a relative pose. Filled by gz_tree_pair_prepare().
typedef struct gz_tree_pair {
    const graze_mesh *a, *b;
    const double *pose_a, *pose_b;        ///< 12 numbers each
    float to_b[3][3], to_b_shift[3];      ///< a's frame to b's frame, rounded
    float to_a[3][3], to_a_shift[3];      ///< the inverse
    float abs_to_b[3][3], abs_to_a[3][3]; ///< of the entries
    float box_pad, triangle_pad;          ///< error bounds of the float tests, metres;
                                          ///< box_pad with the margin
    double margin;      ///< triangles collide when they are not farther apart; 0: when they overlap
    float float_margin; ///< the same for the float tests, rounded up; 0 at margin 0
    const gz_scene_hint *hint;    ///< NULL: all of both is searched
    bool hint_swapped;            ///< the packets are b's, the scene is a
    uint64_t *left;               ///< work that may still be done; NULL: no limit
    const gz_triangle_sink *sink; ///< with `lowest`: gets every pair that collides; NULL: none
    bool lowest;                  ///< find the lexicographically lowest pair of triangles, not any
    bool hit;                     ///< [out]
    uint32_t triangle_a, triangle_b; ///< [out] where hit
} gz_tree_pair;

/// The functions that are compiled once per instruction set.
typedef struct gz_kernels {
    const char *name; ///< "scalar", "sse2", "avx2"
    /// Traverses both trees; fills pair->hit and the triangles, and adds to stats. For margin 0.
    void (*tree_pair)(gz_tree_pair *pair, graze_stats *stats);
    /// As tree_pair, for margins above 0.
    void (*tree_pair_near)(gz_tree_pair *pair, graze_stats *stats);
    /// Tests the proxies; only b's has a clearance map, or both do.
    gz_proxy_answer (*proxy_pair)(gz_proxy_pair *pair);
} gz_kernels;

extern const gz_kernels gz_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_kernels gz_kernels_avx2;
#endif

/// The best kernels for this processor; the environment variable GRAZE_ISA (scalar, sse2, avx2)
/// chooses others where they exist. All give the same verdicts.
const gz_kernels *gz_kernels_choose(void);

/// Sets up the relative pose and the pads. Poses are rigid up to 1e-9.
void gz_tree_pair_prepare(gz_tree_pair *pair, const graze_mesh *a, const double pose_a[12],
                          const graze_mesh *b, const double pose_b[12], bool lowest);

/// Gives a pair that gz_tree_pair_prepare() has set up a margin, GZ_MARGIN_MIN to GZ_MARGIN_MAX.
void gz_tree_pair_grow(gz_tree_pair *pair, double margin);

/// The snapped corners of a triangle, world frame.
void gz_triangle_snap(const graze_mesh *mesh, const double pose[12], uint32_t triangle,
                      double out[3][3]);

#endif
