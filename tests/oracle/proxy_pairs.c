// Two meshes in a pose, next to touching or anywhere: what their proxies decide.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/transform.h"
#include "narrow/kernel.h"
#include "proxies.h"

static graze_transform draw_pose(proxy_campaign *c, double far) {
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
static void place_roughly(proxy_campaign *c, const proof_body *a, proof_body *b, bool apart) {
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
static void approach(proxy_campaign *c, const proof_body *a, proof_body *b, double margin,
                     double pad) {
    double way[3];
    if (!separation_nearest(b->mesh.snapped, b->mesh.vertex_count, a->mesh.snapped,
                            a->mesh.vertex_count, way))
        return;
    double length = gz_norm(way), sign = gz_random_below(&c->random, 2) ? 1 : -1;
    double off = gz_random_below(&c->random, 2) && margin > 0 ? 0.1 * margin : 4 * pad;
    double wanted = margin + sign * off * exp2(gz_random_range(&c->random, -14, 0));
    graze_transform moved = b->pose;
    for (int k = 0; k < 3; k++) moved.m[4 * k + 3] -= (length - wanted) / length * way[k];
    proof_body_place(b, &moved);
}

/// Moves b so that one of its vertices is in a cup, or just above; often upright, as it would reach
/// in.
static void insert_rod(proxy_campaign *c, const proxy_subject *cup, const proof_body *a,
                       proof_body *b) {
    graze_transform moved = b->pose;
    if (gz_random_below(&c->random, 2)) moved = a->pose;
    proof_body_place(b, &moved);
    double depth = gz_random_range(&c->random, -0.1, 0.8);
    graze_vec3 at = {cup->width * gz_random_range(&c->random, -0.6, 0.6),
                     cup->width * gz_random_range(&c->random, -0.6, 0.6),
                     cup->opening - cup->width * depth};
    graze_vec3 to = graze_transform_point(&a->pose, at);
    const double *p = b->mesh.snapped +
                      3 * (size_t)gz_random_below(&c->random, (uint32_t)b->mesh.vertex_count);
    moved.m[3] += to.x - p[0];
    moved.m[7] += to.y - p[1];
    moved.m[11] += to.z - p[2];
    proof_body_place(b, &moved);
}

/// Moves b, a sheet across its z, so that a lies on it, somewhere, with one vertex: off by a part
/// of what floats place it wrong.
static void lie_on(proxy_campaign *c, const proof_body *a, proof_body *b, double half, double pad) {
    graze_transform moved = b->pose;
    double n[3] = {moved.m[2], moved.m[6], moved.m[10]}, least = INFINITY;
    const double *lowest = a->mesh.snapped;
    for (size_t i = 0; i < a->mesh.vertex_count; i++) {
        const double *p = a->mesh.snapped + 3 * i;
        if (gz_dot(p, n) < least) {
            least = gz_dot(p, n);
            lowest = p;
        }
    }
    double sign = gz_random_below(&c->random, 2) ? 1 : -1;
    graze_vec3 at = {gz_random_range(&c->random, -0.4, 0.4), gz_random_range(&c->random, -0.3, 0.3),
                     half + sign * pad * exp2(gz_random_range(&c->random, -12, 1))};
    graze_vec3 to = graze_transform_point(&moved, at);
    moved.m[3] += lowest[0] - to.x;
    moved.m[7] += lowest[1] - to.y;
    moved.m[11] += lowest[2] - to.z;
    proof_body_place(b, &moved);
}

static proxy_subject *draw_from(proxy_campaign *c, proxy_range range) {
    uint32_t count = (uint32_t)(range.end - range.first);
    return &c->subjects[range.first + gz_random_below(&c->random, count)];
}

/// Mostly `cap` where that is wanted.
static graze_policy draw_policy(proxy_campaign *c, bool capped) {
    static const graze_policy policies[] = {GRAZE_POLICY_SURFACE, GRAZE_POLICY_SOLID,
                                            GRAZE_POLICY_CAP};
    if (capped && gz_random_below(&c->random, 4)) return GRAZE_POLICY_CAP;
    return policies[gz_random_below(&c->random, 3)];
}

static void set_policies(gz_proxy_pair *pair, proof_body *a, graze_policy policy_a, proof_body *b,
                         graze_policy policy_b) {
    pair->solid_a = policy_a != GRAZE_POLICY_SURFACE;
    pair->solid_b = policy_b != GRAZE_POLICY_SURFACE;
    a->cap = policy_a == GRAZE_POLICY_CAP;
    b->cap = policy_b == GRAZE_POLICY_CAP;
    pair->cap_a = a->cap && pair->a->caps;
    pair->cap_b = b->cap && pair->b->caps;
}

static void prove_pair(proxy_campaign *c, gz_proxy_pair *pair, proof_body *a, proof_body *b,
                       double margin, bool sheet) {
    gz_proxy_answer answers[2];
    for (int f = 0; f < c->form_count; f++) {
        answers[f] = c->kernels[f]->proxy_pair(pair);
        if (f > 0) proxy_claim(c, PAIRS_ALIKE, true, proxy_agree(answers[f], answers[0]));
    }
    gz_proxy_answer answer = proxy_decided(answers, c->form_count);
    bool apart = answer == GZ_PROXY_APART, overlap = answer == GZ_PROXY_OVERLAP;
    bool capped = pair->cap_a || pair->cap_b;
    proxy_claim(c, capped ? CAPS_APART : PAIRS_APART, apart,
                apart && posed_proof_apart(&c->proof, a, pair->solid_a, b, pair->solid_b, margin));
    proxy_claim(c, sheet ? SHEETS_OVERLAP : PAIRS_OVERLAP, overlap,
                overlap && posed_proof_overlap(&c->proof, a, pair->solid_a, b, pair->solid_b));
}

void proxy_pairs(proxy_campaign *c) {
    // One in four reaches into a cup, one in six is beside a sheet.
    uint32_t way = gz_random_below(&c->random, 12);
    const proxy_range all = {0, c->subject_count};
    bool cup = way < 3, sheet = way == 3 || way == 4;
    proxy_subject *sa = draw_from(c, cup ? c->cups : all), *sb = draw_from(c, cup     ? c->rods
                                                                              : sheet ? c->sheets
                                                                                      : all);
    proof_body *a = &sa->body[0], *b = &sb->body[1];
    double radius = sa->mesh->max_abs + sb->mesh->max_abs;
    double far = exp2(gz_random_range(&c->random, -3, 12));
    double margin = !sheet && gz_random_below(&c->random, 2)
                        ? radius * exp2(gz_random_range(&c->random, -24, -2))
                        : 0;
    graze_transform pose_a = draw_pose(c, far), pose_b = draw_pose(c, far);
    proof_body_place(a, &pose_a);
    proof_body_place(b, &pose_b);
    bool close = !cup && !sheet && gz_random_below(&c->random, 3) != 0;
    if (cup)
        insert_rod(c, sa, a, b);
    else if (sheet)
        lie_on(c, a, b, 0, 0); // so that the next is told the pad there
    else
        place_roughly(c, a, b, close);
    gz_proxy_pair pair;
    gz_proxy_pair_prepare(&pair, sa->mesh, a->pose.m, sb->mesh, b->pose.m, margin);
    if (close) {
        approach(c, a, b, margin, (double)pair.pad - margin);
        gz_proxy_pair_prepare(&pair, sa->mesh, a->pose.m, sb->mesh, b->pose.m, margin);
    }
    if (sheet) {
        lie_on(c, a, b, sb->mesh->aabb.max.z, (double)pair.pad);
        gz_proxy_pair_prepare(&pair, sa->mesh, a->pose.m, sb->mesh, b->pose.m, margin);
    }
    pair.question = GZ_PROXY_TEST_BOTH;
    set_policies(&pair, a, draw_policy(c, cup), b, draw_policy(c, false));
    // As an object of the world has one.
    if (!sb->mesh->proxy->clearance.cell_count && (sheet || gz_random_below(&c->random, 2))) {
        pair.component = &sb->component;
        pair.box = sb->is_box;
    }
    snprintf(c->where, sizeof c->where, "meshes %zu and %zu of the list, margin %a",
             (size_t)(sa - c->subjects), (size_t)(sb - c->subjects), margin);
    prove_pair(c, &pair, a, b, margin, sheet);
}
