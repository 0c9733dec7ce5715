#include "sample_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

static sample_mesh make(size_t vertex_count, size_t triangle_count) {
    return (sample_mesh){vertex_count, triangle_count, allocate(3 * vertex_count, sizeof(double)),
                         allocate(3 * triangle_count, sizeof(uint32_t))};
}

void sample_mesh_clear(sample_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (sample_mesh){0};
}

sample_mesh sample_mesh_copy(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                             size_t triangle_count) {
    sample_mesh out = make(vertex_count, triangle_count);
    memcpy(out.vertices, vertices, 3 * vertex_count * sizeof *vertices);
    memcpy(out.triangles, triangles, 3 * triangle_count * sizeof *triangles);
    return out;
}

// One face of a box, seen from outside with u to the right and v upwards.
static void add_face(sample_mesh *mesh, const double low[3], const double high[3], uint32_t n,
                     int axis, int side) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++) {
            double *p = mesh->vertices + 3 * mesh->vertex_count++;
            // The same expression on every face, so that the edges coincide bit for bit.
            p[axis] = side ? high[axis] : low[axis];
            p[u] = i == n ? high[u] : low[u] + (high[u] - low[u]) * i / n;
            p[v] = j == n ? high[v] : low[v] + (high[v] - low[v]) * j / n;
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t p = first + i * (n + 1) + j, q = p + n + 1;
            const uint32_t outward[6] = {p, q, q + 1, p, q + 1, p + 1};
            for (size_t k = 0; k < 6; k++)
                mesh->triangles[3 * mesh->triangle_count + k] = outward[side ? k : 5 - k];
            mesh->triangle_count += 2;
        }
}

sample_mesh sample_box(const double low[3], const double high[3], uint32_t n) {
    sample_mesh out = make(6 * (n + 1) * (n + 1), 12 * n * n);
    out.vertex_count = out.triangle_count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) add_face(&out, low, high, n, axis, side);
    return out;
}

sample_mesh sample_cut(sample_mesh closed, double height) {
    sample_mesh out = make(closed.vertex_count, closed.triangle_count);
    uint32_t *place = allocate(closed.vertex_count, sizeof *place); // plus one; 0: none yet
    out.vertex_count = out.triangle_count = 0;
    for (size_t t = 0; t < closed.triangle_count; t++) {
        const uint32_t *corner = closed.triangles + 3 * t;
        bool below = false;
        for (size_t k = 0; k < 3; k++) below |= closed.vertices[3 * (size_t)corner[k] + 2] < height;
        for (size_t k = 0; below && k < 3; k++) {
            if (!place[corner[k]]) {
                memcpy(out.vertices + 3 * out.vertex_count, closed.vertices + 3 * (size_t)corner[k],
                       3 * sizeof *out.vertices);
                place[corner[k]] = (uint32_t)++out.vertex_count;
            }
            out.triangles[3 * out.triangle_count + k] = place[corner[k]] - 1;
        }
        out.triangle_count += below;
    }
    free(place);
    sample_mesh_clear(&closed);
    return out;
}

sample_mesh sample_split(const sample_mesh *mesh) {
    size_t count = mesh->triangle_count;
    sample_mesh out = make(6 * count, 4 * count);
    for (size_t t = 0; t < count; t++) {
        double *v = out.vertices + 18 * t;
        for (size_t k = 0; k < 3; k++) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k];
            const double *q = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (k + 1) % 3];
            for (size_t i = 0; i < 3; i++) {
                v[3 * k + i] = p[i];
                v[9 + 3 * k + i] = 0.5 * (p[i] + q[i]);
            }
        }
        static const uint32_t children[12] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5};
        for (size_t k = 0; k < 12; k++) out.triangles[12 * t + k] = (uint32_t)(6 * t) + children[k];
    }
    return out;
}

sample_mesh sample_icosphere(double radius, int levels) {
    const double g = 0.5 + sqrt(1.25);
    const double corners[36] = {-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
                                0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1};
    static const uint32_t faces[60] = {0, 11, 5, 0, 5,  1,  0,  1,  7,  0,  7, 10, 0, 10, 11,
                                       1, 5,  9, 5, 11, 4,  11, 10, 2,  10, 7, 6,  7, 1,  8,
                                       3, 9,  4, 3, 4,  2,  3,  2,  6,  3,  6, 8,  3, 8,  9,
                                       4, 9,  5, 2, 4,  11, 6,  2,  10, 8,  6, 7,  9, 8,  1};
    sample_mesh out = sample_mesh_copy(corners, 12, faces, 20);
    for (int level = 0; level <= levels; level++) {
        if (level > 0) {
            sample_mesh finer = sample_split(&out);
            sample_mesh_clear(&out);
            out = finer;
        }
        for (size_t i = 0; i < out.vertex_count; i++) {
            double *p = out.vertices + 3 * i;
            double norm = sqrt((p[0] * p[0] + p[1] * p[1]) + p[2] * p[2]);
            for (int k = 0; k < 3; k++) p[k] = p[k] / norm * radius;
        }
    }
    return out;
}

sample_mesh sample_needles(gz_random *random, size_t count) {
    sample_mesh out = make(3 * count, count);
    for (size_t t = 0; t < count; t++) {
        double *p = out.vertices + 9 * t;
        double width = pow(10, gz_random_range(random, -12, -3));
        for (size_t k = 0; k < 3; k++) {
            p[k] = gz_random_range(random, -0.3, 0.3);
            p[3 + k] = gz_random_range(random, -0.3, 0.3);
            p[6 + k] = p[k] + gz_random_range(random, -width, width);
        }
        for (size_t k = 0; k < 3; k++) out.triangles[3 * t + k] = (uint32_t)(3 * t + k);
    }
    return out;
}

sample_mesh sample_lattice(gz_random *random, size_t count) {
    sample_mesh out = make(512, count);
    for (size_t i = 0; i < 512; i++) {
        out.vertices[3 * i] = ((double)(i & 7) - 3) / 8;
        out.vertices[3 * i + 1] = ((double)(i >> 3 & 7) - 3) / 8;
        out.vertices[3 * i + 2] = ((double)(i >> 6) - 3) / 8;
    }
    for (size_t t = 0; t < count; t++) {
        uint32_t *corner = out.triangles + 3 * t;
        corner[0] = gz_random_below(random, 512);
        for (size_t k = 1; k < 3; k++) {
            // Near the first: small triangles leave gaps to move through.
            uint32_t step = gz_random_below(random, 27), at = 0;
            for (uint32_t axis = 0; axis < 3; axis++, step /= 3) {
                uint32_t place = (corner[0] >> 3 * axis & 7) + step % 3;
                at |= (place == 0 ? 0 : place > 8 ? 7 : place - 1) << 3 * axis;
            }
            corner[k] = at;
        }
        if (t % 5 == 0) corner[2] = corner[gz_random_below(random, 2)];
    }
    return out;
}
