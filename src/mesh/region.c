// Exact, by a vertical ray; and for a lattice of distances by balls that overlap.
#include "mesh/prefilter/lattice.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/lanes.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "mesh/component.h"

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

/// The children that a ray upwards from p may pass: around it, seen from above, and not below it.
/// Boxes hold their triangles exactly; the point in float, sums and differences are off by less
/// than 2^-22 of all that is involved.
static unsigned children_above(const gz_node *node, const float p[3], float pad) {
    gz_f8 off[3], room[3];
    for (int k = 0; k < 3; k++) {
        off[k] = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(p[k]));
        room[k] = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(pad));
    }
    gz_f8 apart = gz_f8_or(gz_f8_greater(gz_f8_abs(off[0]), room[0]),
                           gz_f8_greater(gz_f8_abs(off[1]), room[1]));
    apart = gz_f8_or(apart, gz_f8_greater(gz_f8_sub(gz_f8_all(0), off[2]), room[2]));
    return ~gz_f8_mask(apart) & ((1U << node->count) - 1);
}

bool gz_region_is_inside(const graze_mesh *mesh, const double p[3], uint64_t *left) {
    const float at[3] = {(float)p[0], (float)p[1], (float)p[2]};
    const double size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + mesh->max_abs;
    const float pad = (float)(size * 0x1p-20) + 1e-30f;
    int32_t stack[GZ_TREE_STACK];
    int top = 0, sum = 0;
    uint64_t looks = 0;
    stack[top++] = mesh->root;
    while (top) {
        int32_t reference = stack[--top];
        looks++;
        if (reference < 0) {
            looks += (uint64_t)mesh->packets[~reference].count;
            sum += count_crossings(mesh, &mesh->packets[~reference], p);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        for (unsigned mask = children_above(node, at, pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    *left -= looks < *left ? looks : *left;
    return sum != 0;
}

/// Cells along x whose balls overlap one after the other.
typedef struct ball_run {
    uint32_t first, count;
} ball_run;

/// The runs, and which of them hang together.
typedef struct ball_sets {
    const gz_lattice *lattice;
    ball_run *runs;
    uint32_t *parent; ///< gz_join()
    size_t count, capacity, parent_capacity;
    uint32_t *run_of; ///< of the cells of two layers, in turn
} ball_sets;

/// Whether the balls of neighbours overlap: radii that sum to more than the distance of the
/// middles, rounding included.
static bool overlap(uint8_t a, uint8_t b) {
    return a + b > GZ_CLEARANCE_PER_CELL;
}

/// Cuts a row of cells into runs.
static bool cut_runs(ball_sets *s, size_t first, uint32_t *run_of) {
    const size_t nx = s->lattice->n[0], most = s->count + nx;
    const uint8_t *cells = s->lattice->cells + first;
    if (!gz_array_reserve((void **)&s->runs, &s->capacity, most, sizeof *s->runs) ||
        !gz_array_reserve((void **)&s->parent, &s->parent_capacity, most, sizeof *s->parent))
        return false;
    for (size_t x = 0; x < nx; x++) {
        if (x == 0 || !overlap(cells[x - 1], cells[x])) {
            s->parent[s->count] = (uint32_t)s->count;
            s->runs[s->count++] = (ball_run){(uint32_t)(first + x), 0};
        }
        s->runs[s->count - 1].count++;
        run_of[x] = (uint32_t)(s->count - 1);
    }
    return true;
}

/// Joins the runs of two rows that lie side by side.
static void join_runs(ball_sets *s, const uint8_t *row, const uint32_t *run_of,
                      const uint8_t *other, const uint32_t *other_run_of) {
    uint32_t a = UINT32_MAX, b = UINT32_MAX; // those joined last
    for (size_t x = 0; x < s->lattice->n[0]; x++) {
        if (!overlap(row[x], other[x]) || (run_of[x] == a && other_run_of[x] == b)) continue;
        a = run_of[x];
        b = other_run_of[x];
        gz_join(s->parent, a, b);
    }
}

static bool find_sets(ball_sets *s) {
    const gz_lattice *b = s->lattice;
    const size_t nx = b->n[0], ny = b->n[1], nxy = nx * ny;
    s->run_of = gz_malloc(2 * nxy, sizeof *s->run_of);
    if (!s->run_of) return false;
    for (size_t i = 0; i < ny * b->n[2]; i++) {
        const size_t y = i % ny, z = i / ny;
        const uint8_t *row = b->cells + i * nx;
        uint32_t *run_of = s->run_of + z % 2 * nxy + y * nx;
        const uint32_t *below = s->run_of + (z + 1) % 2 * nxy + y * nx;
        if (!cut_runs(s, i * nx, run_of)) return false;
        if (y > 0) join_runs(s, row, run_of, row - nx, run_of - nx);
        if (z > 0) join_runs(s, row, run_of, row - nxy, below);
    }
    return true;
}

static bool middle_is_inside(const gz_lattice *b, size_t at, uint64_t *left) {
    size_t cell[3] = {at % b->n[0], at / b->n[0] % b->n[1], at / b->n[0] / b->n[1]};
    double p[3];
    for (int k = 0; k < 3; k++) p[k] = b->low[k] + ((double)cell[k] + 0.5) * b->step;
    return gz_region_is_inside(b->mesh, p, left);
}

/// Flags the cells of a run, or clears them where their side is not known: of a set of one cell,
/// which is in the surface, nearly, nobody asks.
static void mark_run(const gz_lattice *b, const ball_run *run, bool known, bool inside) {
    uint8_t *cells = b->cells + run->first;
    if (!known) memset(cells, 0, run->count);
    for (size_t x = 0; inside && x < run->count; x++)
        cells[x] |= cells[x] ? GZ_CLEARANCE_INSIDE : 0;
}

static bool mark_sets(ball_sets *s, uint64_t left) {
    bool *inside = gz_calloc(s->count, sizeof *inside), *more = gz_calloc(s->count, sizeof *more);
    bool ok = inside && more;
    for (uint32_t i = 0; ok && i < s->count; i++) {
        uint32_t root = gz_find_root(s->parent, i);
        more[root] = more[root] || root != i || s->runs[i].count > 1;
    }
    // A set's lowest run is its root, and comes first. From then on `more` tells whether its side
    // is known.
    for (uint32_t i = 0; ok && i < s->count; i++) {
        uint32_t root = gz_find_root(s->parent, i);
        if (root == i) more[i] = more[i] && left > 0;
        if (root == i && more[i]) inside[i] = middle_is_inside(s->lattice, s->runs[i].first, &left);
        mark_run(s->lattice, &s->runs[i], more[root], inside[root]);
    }
    gz_free(inside);
    gz_free(more);
    return ok;
}

bool gz_region_mark_balls(gz_lattice *b, uint64_t looks) {
    ball_sets sets = {.lattice = b};
    bool ok = find_sets(&sets) && mark_sets(&sets, looks);
    gz_free(sets.runs);
    gz_free(sets.parent);
    gz_free(sets.run_of);
    return ok;
}
