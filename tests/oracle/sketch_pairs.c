// Two meshes in a pose, next to touching or anywhere: what their sketches say.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/transform.h"
#include "narrow/kernel.h"
#include "sketches.h"

static graze_transform draw_pose(sketch_campaign *c, double far) {
    double xyz[3], q[4];
    for (int k = 0; k < 3; k++) xyz[k] = gz_random_range(&c->random, -far, far);
    for (int k = 0; k < 4; k++) q[k] = gz_random_range(&c->random, -1, 1);
    // One in four aligned with the axes, where edges and faces are parallel.
    if (gz_random_below(&c->random, 4) == 0)
        for (int k = 0; k < 4; k++) q[k] = k == (int)gz_random_below(&c->random, 4) || k == 3;
    return graze_transform_from_xyz_quat(xyz, q);
}

/// The least and the most of a body along a direction.
static void extent(const posed_mesh *m, const double d[3], double out[2]) {
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (size_t i = 0; i < m->vertex_count; i++) {
        double along = gz_dot(m->snapped + 3 * i, d);
        out[0] = fmin(out[0], along);
        out[1] = fmax(out[1], along);
    }
}

/// Moves b so that the two are apart along a direction, or overlap.
static void place_roughly(sketch_campaign *c, const proof_body *a, proof_body *b, bool apart) {
    double d[3], ea[2], eb[2], square = 0;
    bool centers = gz_random_below(&c->random, 2);
    for (int k = 0; k < 3; k++) {
        double middle_a = a->mesh.box[k] + a->mesh.box[3 + k],
               middle_b = b->mesh.box[k] + b->mesh.box[3 + k];
        d[k] = centers ? middle_b - middle_a : gz_random_range(&c->random, -1, 1);
        square += d[k] * d[k];
    }
    if (!(square > 1e-30)) return;
    for (int k = 0; k < 3; k++) d[k] /= sqrt(square);
    extent(&a->mesh, d, ea);
    extent(&b->mesh, d, eb);
    double size = ea[1] - ea[0] + eb[1] - eb[0];
    double gap = gz_random_range(&c->random, apart ? 0.001 : -1, 0.2) * size;
    graze_transform moved = b->pose;
    for (int k = 0; k < 3; k++) moved.m[4 * k + 3] += (ea[1] + gap - eb[0]) * d[k];
    proof_body_place(b, &moved);
}

/// Moves b along the shortest way between the hulls until that is about as long as the margin: off
/// by parts of the pad, or of the margin.
static void approach(sketch_campaign *c, const proof_body *a, proof_body *b, double margin,
                     double pad) {
    double way[3];
    if (!separation_nearest(b->mesh.snapped, b->mesh.vertex_count, a->mesh.snapped,
                            a->mesh.vertex_count, way))
        return;
    double length = gz_norm(way), sign = gz_random_below(&c->random, 2) ? 1 : -1;
    double off = gz_random_below(&c->random, 2) && margin > 0 ? 0.1 * margin : 4 * pad;
    double wanted = margin + sign * off * exp2(gz_random_range(&c->random, -9, 0));
    graze_transform moved = b->pose;
    for (int k = 0; k < 3; k++) moved.m[4 * k + 3] -= (length - wanted) / length * way[k];
    proof_body_place(b, &moved);
}

void sketch_pairs(sketch_campaign *c) {
    sketch_subject *sa = &c->subjects[gz_random_below(&c->random, (uint32_t)c->subject_count)],
                   *sb = &c->subjects[gz_random_below(&c->random, (uint32_t)c->subject_count)];
    proof_body *a = &sa->body[0], *b = &sb->body[1];
    double reach = sa->mesh->reach + sb->mesh->reach;
    double far = exp2(gz_random_range(&c->random, -3, 12));
    double margin = gz_random_below(&c->random, 2)
                        ? reach * exp2(gz_random_range(&c->random, -24, -2))
                        : 0;
    graze_transform pose_a = draw_pose(c, far), pose_b = draw_pose(c, far);
    proof_body_place(a, &pose_a);
    proof_body_place(b, &pose_b);
    bool close = gz_random_below(&c->random, 3) != 0;
    place_roughly(c, a, b, close);
    gz_sketch_pair pair;
    gz_sketch_pair_prepare(&pair, sa->mesh, a->pose.m, sb->mesh, b->pose.m, margin);
    if (close) {
        approach(c, a, b, margin, (double)pair.pad - margin);
        gz_sketch_pair_prepare(&pair, sa->mesh, a->pose.m, sb->mesh, b->pose.m, margin);
    }
    pair.meet = true;
    pair.solid_a = gz_random_below(&c->random, 2);
    pair.solid_b = gz_random_below(&c->random, 2);
    snprintf(c->where, sizeof c->where, "meshes %zu and %zu of the list, margin %a",
             (size_t)(sa - c->subjects), (size_t)(sb - c->subjects), margin);
    gz_sketch_answer answer = c->kernels[0]->sketches(&pair);
    for (int f = 1; f < c->form_count; f++)
        sketch_claim(c, PAIRS_ALIKE, true, sketch_agree(c->kernels[f]->sketches(&pair), answer));
    bool apart = answer == GZ_SKETCH_APART, meet = answer == GZ_SKETCH_MEET;
    sketch_claim(c, PAIRS_APART, apart,
                 apart && posed_proof_apart(&c->proof, a, pair.solid_a, b, pair.solid_b, margin));
    sketch_claim(c, PAIRS_MEET, meet,
                 meet && posed_proof_meet(&c->proof, a, pair.solid_a, b, pair.solid_b));
}
