#include "posed_proof.h"

#include <math.h>
#include <string.h>

void posed_proof_init(posed_proof *proof, uint64_t seed) {
    *proof = (posed_proof){.random = gz_random_make(seed, 4711),
                           .clip = rational_clip_create(),
                           .distance = rational_distance_create()};
    separation_init(&proof->separation);
}

void posed_proof_clear(posed_proof *proof) {
    separation_clear(&proof->separation);
    rational_clip_free(proof->clip);
    rational_distance_free(proof->distance);
}

void proof_body_init(proof_body *body, const double *vertices, size_t vertex_count,
                     const uint32_t *triangles, size_t triangle_count) {
    *body = (proof_body){.has_crossing = false};
    posed_mesh_init(&body->mesh, vertices, vertex_count, triangles, triangle_count);
}

void proof_body_clear(proof_body *body) {
    posed_mesh_clear(&body->mesh);
    if (body->has_crossing) crossing_mesh_clear(&body->crossing);
    *body = (proof_body){.has_crossing = false};
}

void proof_body_place(proof_body *body, const graze_transform *pose) {
    body->pose = *pose;
    body->crossing_placed = false;
    posed_mesh_place(&body->mesh, pose);
}

/// For windings; made and placed where it is asked for.
static crossing_mesh *crossing_of(proof_body *body) {
    const posed_mesh *m = &body->mesh;
    if (!body->has_crossing)
        crossing_mesh_init(&body->crossing, m->vertices, m->vertex_count, m->triangles,
                           m->triangle_count);
    body->has_crossing = true;
    if (!body->crossing_placed) crossing_mesh_place(&body->crossing, &body->pose);
    body->crossing_placed = true;
    return &body->crossing;
}

bool posed_proof_winds(posed_proof *proof, proof_body *body, const double point[3]) {
    return crossing_number(crossing_of(body), point, false, &proof->random, &proof->exact) != 0;
}

/// Whether two boxes are farther apart than the margin along an axis. A difference that rounds to
/// more than the margin is more: rounding is monotone.
static bool boxes_beyond(const double a[6], const double b[6], double margin) {
    for (int k = 0; k < 3; k++)
        if (a[k] - b[3 + k] > margin || b[k] - a[3 + k] > margin) return true;
    return false;
}

static bool triangles_beyond(posed_proof *proof, const double a[9], const double b[9],
                             double margin) {
    if (separation_search(&proof->separation, a, 3, b, 3, margin)) return true;
    if (margin == 0) return !rational_clip_overlap(proof->clip, a, b);
    return !rational_distance_within(proof->distance, a, b, &margin, 1);
}

/// Whether a triangle is beyond the margin from all of b's that one list of blocks holds.
static bool triangle_beyond(posed_proof *proof, const posed_mesh *a, size_t t, const posed_mesh *b,
                            size_t near_count, double margin) {
    const double *box = a->boxes + 6 * t;
    double mine[9], other[9];
    posed_mesh_corners(a, t, mine);
    for (size_t i = 0; i < near_count; i++) {
        size_t first = (size_t)b->near[i] * POSED_BLOCK, end = first + POSED_BLOCK;
        if (boxes_beyond(box, b->blocks + 6 * b->near[i], margin)) continue;
        for (size_t u = first; u < end && u < b->triangle_count; u++) {
            if (boxes_beyond(box, b->boxes + 6 * u, margin)) continue;
            posed_mesh_corners(b, u, other);
            if (!triangles_beyond(proof, mine, other, margin)) return false;
        }
    }
    return true;
}

static bool surfaces_beyond(posed_proof *proof, const posed_mesh *a, posed_mesh *b, double margin) {
    size_t near_count = 0;
    for (size_t i = 0; POSED_BLOCK * i < b->triangle_count; i++)
        if (!boxes_beyond(a->box, b->blocks + 6 * i, margin)) b->near[near_count++] = (uint32_t)i;
    for (size_t t = 0; t < a->triangle_count && near_count; t++)
        if (!boxes_beyond(a->boxes + 6 * t, b->box, margin) &&
            !triangle_beyond(proof, a, t, b, near_count, margin))
            return false;
    return true;
}

static bool is_in_box(const double box[6], const double p[3]) {
    for (int k = 0; k < 3; k++)
        if (p[k] < box[k] || p[k] > box[3 + k]) return false;
    return true;
}

/// Whether some vertex of `inner` lies inside of `outer` with its caps, and on none of them.
static bool caps_hold(posed_proof *proof, const crossing_mesh *o, const crossing_mesh *i) {
    for (size_t v = 0; v < i->vertex_count; v++) {
        const double *p = i->snapped + 3 * v;
        if (i->of_vertex[v] == UINT32_MAX || !is_in_box(o->box, p)) continue;
        if (crossing_mesh_cap_touches(o, p, proof->clip)) continue;
        if (crossing_number(o, p, true, &proof->random, &proof->exact)) return true;
    }
    return false;
}

/// Whether the closed components of `outer`, all together, wind around a component of `inner`,
/// which meets none of their surfaces: one vertex of each tells. With caps, any vertex.
static bool holds(posed_proof *proof, proof_body *outer, proof_body *inner) {
    crossing_mesh *o = crossing_of(outer), *i = crossing_of(inner);
    if (outer->cap && o->cap_count) return caps_hold(proof, o, i);
    bool any = false;
    for (size_t c = 0; c < o->component_count; c++) any |= o->closed[c];
    for (size_t c = 0; any && c < i->component_count; c++) {
        const double *p = i->snapped + 3 * (size_t)i->triangles[3 * (size_t)i->first[c]];
        if (crossing_number(o, p, false, &proof->random, &proof->exact)) return true;
    }
    return false;
}

bool posed_proof_apart(posed_proof *proof, proof_body *a, bool solid_a, proof_body *b, bool solid_b,
                       double margin) {
    posed_mesh *ma = &a->mesh, *mb = &b->mesh;
    if (boxes_beyond(ma->box, mb->box, margin)) {
        proof->by_boxes++;
        return true;
    }
    // A plane has all of one on one side, so nothing of it in the other.
    if (separation_search(&proof->separation, ma->snapped, ma->vertex_count, mb->snapped,
                          mb->vertex_count, margin)) {
        proof->by_planes++;
        return true;
    }
    proof->by_triangles++;
    return surfaces_beyond(proof, ma, mb, margin) && !(solid_a && holds(proof, a, b)) &&
           !(solid_b && holds(proof, b, a));
}

bool posed_proof_overlap(posed_proof *proof, proof_body *a, bool solid_a, proof_body *b,
                         bool solid_b) {
    int64_t pair[2];
    if (posed_meshes_overlap(proof->clip, &a->mesh, &b->mesh, pair)) {
        proof->by_meeting++;
        return true;
    }
    proof->by_containment++;
    return (solid_a && holds(proof, a, b)) || (solid_b && holds(proof, b, a));
}

bool posed_proof_point_beyond(posed_proof *proof, const double point[3], const double triangle[9],
                              double distance) {
    for (int k = 0; k < 3; k++) {
        const double *t = triangle + k;
        if (fmin(t[0], fmin(t[3], t[6])) - point[k] > distance ||
            point[k] - fmax(t[0], fmax(t[3], t[6])) > distance)
            return true;
    }
    if (separation_search(&proof->separation, point, 1, triangle, 3, distance)) return true;
    double thrice[9];
    for (size_t i = 0; i < 3; i++) memcpy(thrice + 3 * i, point, 3 * sizeof *point);
    return !rational_distance_within(proof->distance, thrice, triangle, &distance, 1);
}
