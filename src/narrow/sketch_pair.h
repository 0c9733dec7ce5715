/// Mesh against mesh by their sketches: surely apart, surely meeting, or a case for the trees.
#ifndef GZ_NARROW_SKETCH_PAIR_H
#define GZ_NARROW_SKETCH_PAIR_H

#include "mesh/prefilter/mesh_proxy.h"

typedef enum gz_proxy_answer {
    GZ_PROXY_UNKNOWN,
    GZ_PROXY_APART,  ///< they do not collide under the policies of the pair
    GZ_PROXY_OVERLAP ///< they collide under the policies of the pair
} gz_proxy_answer;

/// Where a mesh may touch a scene.
typedef struct gz_scene_hint {
    int32_t starts[64]; ///< packets, as gz_node.child: what is in none of them is apart
    int count;          ///< 0: nothing is known
    int32_t entry;      ///< subtree of the scene: what is not in it is apart from those packets
} gz_scene_hint;

/// Two meshes in a relative pose: both with a sketch, or a with one and b as a part.
typedef struct gz_proxy_pair {
    const graze_mesh *a, *b;
    float r[3][3], t[3]; ///< a's frame to b's
    float pad;           ///< apart by more than this is apart: error, rounding and margin, metres
    float error;         ///< bound on how far r and t place a vertex of a off, seen from b, metres
    bool meet;           ///< a hit may be answered: nobody asks for its place
    bool hits_only;      ///< whether two sketches are apart is not asked
    bool solid_a, solid_b; ///< what lies in a closed component of it collides
    bool cap_a, cap_b;     ///< what lies in an open component of it, closed by its caps, does, too
    const gz_component_proxy *part; ///< b as one part, where it is small and has one; else NULL
    bool box;                       ///< gz_mesh_is_box() of b, which has a part
    gz_scene_hint *hint; ///< [out] where b has a map and nothing is told; NULL: not wanted
} gz_proxy_pair;

/// Sets the pads of a pair whose r and t are set, from double poses or not: `error` is what else a
/// vertex of a may be off against b, and `margin` the distance that counts as a collision.
void gz_proxy_pair_grow(gz_proxy_pair *pair, double error, double margin);

/// Whether a mesh may hold some of a scene whose surface is clear of its own, for all that their
/// sizes tell. What lies in a closed component is no longer than that; two vertices of each are off
/// by twice the error, together. What reaches through an opening that a cap closes may be of any
/// length.
static inline bool gz_proxy_may_contain(const graze_mesh *mesh, bool solid, bool cap,
                                        const graze_mesh *scene, double error) {
    return cap || (solid && mesh->closed_count > 0 &&
                   scene->proxy->shortest <= mesh->proxy->enclosure + 2 * error);
}

/// A pair in double poses, rigid up to 1e-9. The flags are left to the caller.
void gz_proxy_pair_prepare(gz_proxy_pair *pair, const graze_mesh *a, const double pose_a[12],
                           const graze_mesh *b, const double pose_b[12], double margin);

#endif
