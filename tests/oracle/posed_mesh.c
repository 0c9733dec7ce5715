#include "posed_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void give_up(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(3);
}

void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) give_up("memory", "none");
    return p;
}

void posed_mesh_init(posed_mesh *mesh, const double *vertices, size_t vertex_count,
                     const uint32_t *triangles, size_t triangle_count) {
    size_t block_count = (triangle_count + POSED_BLOCK - 1) / POSED_BLOCK;
    *mesh = (posed_mesh){.vertex_count = vertex_count,
                         .triangle_count = triangle_count,
                         .vertices = vertices,
                         .triangles = triangles,
                         .snapped = allocate(3 * vertex_count, sizeof(double)),
                         .boxes = allocate(6 * triangle_count, sizeof(double)),
                         .blocks = allocate(6 * block_count, sizeof(double)),
                         .near = allocate(block_count, sizeof(uint32_t))};
}

void posed_mesh_clear(posed_mesh *mesh) {
    free(mesh->snapped);
    free(mesh->boxes);
    free(mesh->blocks);
    free(mesh->near);
    *mesh = (posed_mesh){0};
}

// Minima and maxima are exact, so boxes that are apart prove that what they hold is.
static void empty(double box[6]) {
    for (int k = 0; k < 3; k++) {
        box[k] = INFINITY;
        box[3 + k] = -INFINITY;
    }
}

static void grow(double box[6], const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        if (low[k] < box[k]) box[k] = low[k];
        if (high[k] > box[3 + k]) box[3 + k] = high[k];
    }
}

static bool apart(const double a[6], const double b[6]) {
    return a[0] > b[3] || b[0] > a[3] || a[1] > b[4] || b[1] > a[4] || a[2] > b[5] || b[2] > a[5];
}

void posed_mesh_place(posed_mesh *mesh, const graze_transform *pose) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *v = mesh->vertices + 3 * i;
        graze_vec3 p = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        mesh->snapped[3 * i] = p.x;
        mesh->snapped[3 * i + 1] = p.y;
        mesh->snapped[3 * i + 2] = p.z;
    }
    empty(mesh->box);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double *box = mesh->boxes + 6 * t, *block = mesh->blocks + 6 * (t / POSED_BLOCK);
        empty(box);
        for (size_t k = 0; k < 3; k++) {
            const double *p = mesh->snapped + 3 * (size_t)mesh->triangles[3 * t + k];
            grow(box, p, p);
        }
        if (t % POSED_BLOCK == 0) empty(block);
        grow(block, box, box + 3);
        grow(mesh->box, box, box + 3);
    }
}

void posed_mesh_corners(const posed_mesh *mesh, size_t triangle, double corners[9]) {
    for (size_t k = 0; k < 3; k++)
        memcpy(corners + 3 * k, mesh->snapped + 3 * (size_t)mesh->triangles[3 * triangle + k],
               3 * sizeof(double));
}

// The lowest triangle of b that meets triangle t of a.
static bool triangle_overlaps(rational_clip *clip, const posed_mesh *a, size_t t,
                              const posed_mesh *b, size_t near_count, int64_t pair[2]) {
    const double *box = a->boxes + 6 * t;
    double mine[9], other[9];
    posed_mesh_corners(a, t, mine);
    for (size_t i = 0; i < near_count; i++) {
        size_t first = (size_t)b->near[i] * POSED_BLOCK, end = first + POSED_BLOCK;
        if (apart(box, b->blocks + 6 * b->near[i])) continue;
        for (size_t u = first; u < end && u < b->triangle_count; u++) {
            if (apart(box, b->boxes + 6 * u)) continue;
            posed_mesh_corners(b, u, other);
            if (!rational_clip_overlap(clip, mine, other)) continue;
            pair[0] = (int64_t)t;
            pair[1] = (int64_t)u;
            return true;
        }
    }
    return false;
}

bool posed_meshes_overlap(rational_clip *clip, const posed_mesh *a, posed_mesh *b,
                          int64_t pair[2]) {
    pair[0] = pair[1] = -1;
    if (apart(a->box, b->box)) return false;
    size_t near_count = 0;
    for (size_t i = 0; POSED_BLOCK * i < b->triangle_count; i++)
        if (!apart(a->box, b->blocks + 6 * i)) b->near[near_count++] = (uint32_t)i;
    for (size_t t = 0; t < a->triangle_count; t++) {
        if (apart(a->blocks + 6 * (t / POSED_BLOCK), b->box)) {
            t += POSED_BLOCK - 1 - t % POSED_BLOCK;
            continue;
        }
        if (!apart(a->boxes + 6 * t, b->box) && triangle_overlaps(clip, a, t, b, near_count, pair))
            return true;
    }
    return false;
}
