// Exact, by a vertical ray; and for a lattice of distances by balls that overlap.
#include "mesh/region.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/box_tree.h"
#include "mesh/vertical_ray.h"
#include "mesh/winding.h"

static int count_crossings(const graze_mesh *mesh, const gz_packet *packet, const double p[3]) {
    int sum = 0;
    for (int i = 0; i < packet->count; i++) {
        uint32_t triangle = packet->triangle[i];
        if (!mesh->components[mesh->component_of[triangle]].closed) continue;
        double t[3][3];
        for (uint32_t k = 0; k < 3; k++)
            memcpy(t[k], mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + k],
                   sizeof t[k]);
        sum += gz_winding_crossing(p, (const double(*)[3])t);
    }
    return sum;
}

bool gz_region_is_inside(const graze_mesh *mesh, const double p[3]) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    gz_vertical_ray ray = gz_vertical_ray_make(p, mesh, identity);
    int32_t stack[GZ_TREE_STACK];
    int top = 0, sum = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            sum += count_crossings(mesh, &mesh->packets[~reference], p);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        for (unsigned mask = gz_vertical_ray_children(&ray, node); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return sum != 0;
}

/// Neighbours through a face; returns how many.
static int list_faces(const gz_lattice *b, size_t at, size_t next[6]) {
    size_t nx = b->n[0], nxy = nx * b->n[1], x = at % nx, y = at / nx % b->n[1], z = at / nxy;
    int m = 0;
    if (x > 0) next[m++] = at - 1;
    if (x + 1 < nx) next[m++] = at + 1;
    if (y > 0) next[m++] = at - nx;
    if (y + 1 < b->n[1]) next[m++] = at + nx;
    if (z > 0) next[m++] = at - nxy;
    if (z + 1 < b->n[2]) next[m++] = at + nxy;
    return m;
}

/// The cells that hang together with the one at the head of the queue; returns how many.
static size_t gather_balls(const gz_lattice *b, uint8_t *seen, uint32_t *queue) {
    size_t count = 1, taken = 0;
    while (taken < count) {
        size_t at = queue[taken++], next[6];
        for (int i = list_faces(b, at, next) - 1; i >= 0; i--) {
            // Radii that sum to more than the distance of the middles, rounding included.
            if (seen[next[i]] || b->cells[at] + b->cells[next[i]] <= GZ_CLEARANCE_PER_CELL)
                continue;
            seen[next[i]] = 1;
            queue[count++] = (uint32_t)next[i];
        }
    }
    return count;
}

bool gz_region_mark_balls(gz_lattice *b) {
    uint32_t *queue = gz_malloc(b->count, sizeof *queue);
    uint8_t *seen = gz_calloc(b->count, 1), *flag = gz_calloc(b->count, 1);
    bool ok = queue && seen && flag;
    for (size_t i = 0; ok && i < b->count; i++) {
        if (seen[i]) continue;
        seen[i] = 1;
        queue[0] = (uint32_t)i;
        size_t count = gather_balls(b, seen, queue);
        if (count == 1) { // in the surface, nearly
            flag[i] = 0;
            b->cells[i] = 0;
            continue;
        }
        double p[3];
        size_t cell[3] = {i % b->n[0], i / b->n[0] % b->n[1], i / b->n[0] / b->n[1]};
        for (int k = 0; k < 3; k++) p[k] = b->low[k] + ((double)cell[k] + 0.5) * b->step;
        if (!gz_region_is_inside(b->mesh, p)) continue;
        for (size_t k = 0; k < count; k++) flag[queue[k]] = GZ_CLEARANCE_INSIDE;
    }
    for (size_t i = 0; ok && i < b->count; i++) b->cells[i] |= b->cells[i] ? flag[i] : 0;
    gz_free(queue);
    gz_free(seen);
    gz_free(flag);
    return ok;
}
