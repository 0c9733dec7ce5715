/// Proofs about two meshes in their poses that share nothing with the library but the snap: farther
/// apart than a margin, with nothing of one inside the other; or colliding.
#ifndef GRAZE_TESTS_POSED_PROOF_H
#define GRAZE_TESTS_POSED_PROOF_H

#include "base/random.h"
#include "crossing_number.h"
#include "posed_mesh.h"
#include "rational_distance.h"
#include "separation.h"

/// A mesh with what proofs need of it.
typedef struct proof_body {
    posed_mesh mesh;
    crossing_mesh crossing; ///< made when first needed
    bool has_crossing, crossing_placed;
    bool cap; ///< its open components, closed by their caps, hold things, too
    graze_transform pose;
} proof_body;

/// Tools, and how often each was enough.
typedef struct posed_proof {
    gz_random random;
    separation separation;
    rational_clip *clip;
    rational_distance *distance;
    unsigned long by_boxes, by_planes, by_triangles; ///< proofs that two are apart
    unsigned long by_meeting, by_containment;        ///< proofs that they collide
    uint64_t exact;
} posed_proof;

void posed_proof_init(posed_proof *proof, uint64_t seed);
void posed_proof_clear(posed_proof *proof);

/// The arrays are borrowed.
void proof_body_init(proof_body *body, const double *vertices, size_t vertex_count,
                     const uint32_t *triangles, size_t triangle_count);
void proof_body_clear(proof_body *body);
void proof_body_place(proof_body *body, const graze_transform *pose);

/// Whether no point of one is within the margin of the other, and no component of either lies
/// inside a closed one of the other where that counts as solid; with caps no vertex does.
bool posed_proof_apart(posed_proof *proof, proof_body *a, bool solid_a, proof_body *b, bool solid_b,
                       double margin);

/// Whether a triangle of one meets one of the other, or a component of one lies inside a closed one
/// of the other that counts as solid.
bool posed_proof_overlap(posed_proof *proof, proof_body *a, bool solid_a, proof_body *b,
                         bool solid_b);

/// Whether a point is farther than a distance from a triangle (x y z of each corner).
bool posed_proof_point_beyond(posed_proof *proof, const double point[3], const double triangle[9],
                              double distance);

/// What winds around a point.
bool posed_proof_winds(posed_proof *proof, proof_body *body, const double point[3]);

#endif
