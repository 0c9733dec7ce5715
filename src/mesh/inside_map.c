// The cells that no triangle comes near fall into regions that hang together through faces. No
// surface passes a region, so that every component's winding number is the same in all of it: one
// exact ray per region tells.
#include "mesh/inside_map.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/box_tree.h"
#include "mesh/vertical_ray.h"
#include "mesh/winding.h"

#define CELLS_PER_TRIANGLE 2
#define CELLS_LEAST        2048
#define CELLS_MOST         8192

typedef struct region_search {
    gz_lattice *lattice;
    uint32_t *queue;
} region_search;

/// Marks all cells of the region of `start`.
static void flood(const region_search *s, size_t start, uint8_t mark) {
    gz_lattice *b = s->lattice;
    size_t count = 0, taken = 0, nx = b->n[0], nxy = nx * b->n[1];
    s->queue[count++] = (uint32_t)start;
    b->cells[start] = mark;
    while (taken < count) {
        size_t at = s->queue[taken++], x = at % nx, y = at / nx % b->n[1], z = at / nxy;
        size_t next[6], m = 0;
        if (x > 0) next[m++] = at - 1;
        if (x + 1 < nx) next[m++] = at + 1;
        if (y > 0) next[m++] = at - nx;
        if (y + 1 < b->n[1]) next[m++] = at + nx;
        if (z > 0) next[m++] = at - nxy;
        if (z + 1 < b->n[2]) next[m++] = at + nxy;
        for (size_t i = 0; i < m; i++) {
            if (b->cells[next[i]]) continue;
            b->cells[next[i]] = mark;
            s->queue[count++] = (uint32_t)next[i];
        }
    }
}

/// Winding numbers of the components that a vertical ray passes.
#define PASSED 64
typedef struct windings {
    uint32_t component[PASSED];
    int sum[PASSED], count;
    bool full;
} windings;

static void add_crossing(windings *w, uint32_t component, int crossing) {
    int k = 0;
    while (k < w->count && w->component[k] != component) k++;
    if (k == PASSED) {
        w->full = true;
        return;
    }
    if (k == w->count) {
        w->component[k] = component;
        w->sum[w->count++] = 0;
    }
    w->sum[k] += crossing;
}

static void cross_packet(const graze_mesh *mesh, const gz_packet *packet, const double p[3],
                         windings *w) {
    for (int i = 0; i < packet->count; i++) {
        uint32_t triangle = packet->triangle[i], component = mesh->component_of[triangle];
        if (!mesh->components[component].closed) continue;
        double t[3][3];
        for (uint32_t k = 0; k < 3; k++)
            memcpy(t[k], mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + k],
                   sizeof t[k]);
        int crossing = gz_winding_crossing(p, (const double(*)[3])t);
        if (crossing) add_crossing(w, component, crossing);
    }
}

/// Whether some closed component winds around p; false where too many stand above it to tell.
static bool is_inside(const graze_mesh *mesh, const double p[3]) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    gz_vertical_ray ray = gz_vertical_ray_make(p, mesh, identity);
    windings w = {.count = 0};
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            cross_packet(mesh, &mesh->packets[~reference], p, &w);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        for (unsigned mask = gz_vertical_ray_children(&ray, node); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    bool inside = false;
    for (int k = 0; k < w.count; k++) inside = inside || w.sum[k] != 0;
    return inside && !w.full;
}

/// Finds the regions; returns whether one is inside.
static bool find_regions(const region_search *s) {
    gz_lattice *b = s->lattice;
    bool any = false;
    flood(s, 0, GZ_CELL_REACHED); // the border: outside
    for (size_t i = 0; i < b->count; i++) {
        if (b->cells[i]) continue;
        size_t x = i % b->n[0], y = i / b->n[0] % b->n[1], z = i / b->n[0] / b->n[1];
        double p[3] = {b->low[0] + ((double)x + 0.5) * b->step,
                       b->low[1] + ((double)y + 0.5) * b->step,
                       b->low[2] + ((double)z + 0.5) * b->step};
        bool inside = is_inside(b->mesh, p);
        flood(s, i, GZ_CELL_REACHED | (inside ? GZ_CELL_INSIDE : 0));
        any = any || inside;
    }
    return any;
}

static bool store_map(gz_inside_map *out, const gz_lattice *b) {
    out->bits = gz_calloc(b->count / 32 + 1, sizeof *out->bits);
    if (!out->bits) return false;
    out->word_count = b->count / 32 + 1;
    for (size_t i = 0; i < b->count; i++)
        if (b->cells[i] & GZ_CELL_INSIDE) out->bits[i >> 5] |= 1u << (i & 31);
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)b->low[k];
        out->count[k] = (int32_t)b->n[k];
    }
    out->inverse = (float)(1 / b->step);
    out->pad = (float)(0.9 * b->pad);
    return true;
}

bool gz_inside_map_build(gz_inside_map *out, const graze_mesh *mesh) {
    *out = (gz_inside_map){.bits = NULL};
    if (mesh->closed_count == 0) return true;
    size_t wanted = mesh->triangle_count * CELLS_PER_TRIANGLE;
    wanted = wanted < CELLS_LEAST ? CELLS_LEAST : wanted > CELLS_MOST ? CELLS_MOST : wanted;
    gz_lattice lattice;
    bool ok = gz_lattice_build(&lattice, mesh, wanted);
    if (ok && lattice.cells) {
        region_search s = {.lattice = &lattice, .queue = gz_malloc(lattice.count, sizeof *s.queue)};
        ok = s.queue && (!find_regions(&s) || store_map(out, &lattice));
        gz_free(s.queue);
    }
    gz_lattice_clear(&lattice);
    return ok;
}

void gz_inside_map_clear(gz_inside_map *map) {
    gz_free(map->bits);
    map->bits = NULL;
    map->word_count = 0;
}

size_t gz_inside_map_bytes(const gz_inside_map *map) {
    return map->word_count * sizeof *map->bits;
}
