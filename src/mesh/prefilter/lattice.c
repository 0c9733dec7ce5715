// Separating axes between triangle and cell (Akenine-Moeller 2001, "Fast 3D triangle-box overlap
// testing").

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/lanes.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "mesh/component.h"
#include "mesh/prefilter/cell_map.h"
#include "mesh/prefilter/lattice.h"

/// Margin around the cells, in cells: for the rounding of a point that is looked up. Much larger
/// than the coordinates' own errors, so that those never matter.
#define PAD 0.02

/// Ranges of so few cells are cut by the triangle's plane alone.
#define FEW 8

/// Rows of cells that may be cut, of all triangles, for each cell and for each triangle. Where
/// large triangles lie in each other by the thousand, that would take time in both.
#define ROWS_PER_CELL     16
#define ROWS_PER_TRIANGLE 64

/// A cube root, from a number that is not below it, by Newton's method: until rounding ends the
/// descent. Not that of the C library, whose last bits differ from one to another: a mesh has the
/// same lattice everywhere. Any step near enough will do, all else follows from it.
static double cube_root(double x, double above) {
    for (;;) {
        double next = (2 * above + x / (above * above)) / 3;
        if (!(next < above)) return above;
        above = next;
    }
}

static bool choose_lattice(gz_lattice *b, size_t wanted) {
    const double *low = GZ_ARRAY3(b->mesh->aabb.min), *high = GZ_ARRAY3(b->mesh->aabb.max);
    double longest = 0, volume = 1;
    for (int k = 0; k < 3; k++) longest = fmax(longest, high[k] - low[k]);
    for (int k = 0; k < 3; k++) volume *= fmax(high[k] - low[k], longest / 64);
    b->step = cube_root(volume / (double)wanted, longest);
    b->pad = PAD * b->step;
    // Floats distinguish cells, with a hundredth of the pad to spare; else there is no map.
    if (!(b->step > 0x1p-12 * b->mesh->max_abs) || !(b->step > 1e-12)) return false;
    b->count = 1;
    for (int k = 0; k < 3; k++) {
        b->low[k] = (double)(float)(low[k] - 1.5 * b->step);
        b->n[k] = (size_t)((high[k] + 1.5 * b->step - b->low[k]) / b->step) + 1;
        b->count *= b->n[k];
    }
    return b->count < 1 << 23;
}

// Triangle and cells are compared in units of a cell, seen from the lattice's corner. An axis d
// proves that no point of a triangle is nearer than 2 PAD to a cell whose middle m has d . m
// outside of [min d . c - r, max d . c + r], over its corners c, r = HALF |d|, |d| the sum of
// magnitudes; that holds for every d, however it was rounded. HALF has 0.01 PAD = 2^-12.3 per |d|
// to spare for what follows. A corner is off by less than 2^-38: it is below 2^12 (a lattice of
// 2^21 cells is at most 2^11.1 long, as no edge of its box counts for less than a 64th of the
// longest), and the subtraction, the step's inverse and the product are off by 2^-53 each. The
// three products of d . c add 2^-39 |d|. Along a row of cells d . m grows by d_x a cell, and the
// interval becomes one of x, its ends sums of three terms below 2^13 |d| / d_x, off by less than
// 2^-37 |d| / d_x; times d_x that is 2^-37 |d|. Where d_x is smaller than FLAT |d|, d . m is taken
// to be the same in all of the row, which is off by 2^12 FLAT |d| = 2^-18 |d|. Axes shorter than
// 2^-500, where products may underflow, are passed over.
#define HALF (0.5 + 2.01 * PAD)
#define FLAT 0x1p-30

/// The rows of cells, seen from a triangle: in which cells of row (y, z) is it not apart?
typedef struct row_cuts {
    struct {
        double first, y, z, width; ///< x from first + y * row's y + z * row's z, and so far
    } along[10];
    struct {
        double y, z, low, high; ///< y * row's y + z * row's z in [low, high], or not at all
    } across[10];
    int along_count, across_count;
} row_cuts;

static void add_axis(row_cuts *r, const double c[3][3], const double d[3]) {
    double length = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
    // Beyond this its inverse would overflow; whatever was rounded, any other axis is right.
    if (length < 0x1p-994) return;
    double p0 = gz_dot(d, c[0]), p1 = gz_dot(d, c[1]), p2 = gz_dot(d, c[2]);
    double low = p0 < p1 ? p0 : p1, high = p0 < p1 ? p1 : p0;
    // A cell's middle is half a cell from its corner, which has its number.
    double extent = HALF * length, middle = 0.5 * (d[0] + d[1] + d[2]);
    low = (p2 < low ? p2 : low) - extent - middle;
    high = (p2 > high ? p2 : high) + extent - middle;
    if (fabs(d[0]) <= FLAT * length) {
        int i = r->across_count++;
        r->across[i].y = d[1];
        r->across[i].z = d[2];
        r->across[i].low = low;
        r->across[i].high = high;
        return;
    }
    int i = r->along_count++;
    double inverse = 1 / d[0];
    r->along[i].first = (inverse > 0 ? low : high) * inverse;
    r->along[i].y = -d[1] * inverse;
    r->along[i].z = -d[2] * inverse;
    r->along[i].width = (high - low) * fabs(inverse);
}

/// The cross products of the triangle's edges with the axes.
static void add_edges(row_cuts *r, const double c[3][3]) {
    for (int i = 0; i < 3; i++) {
        double e[3];
        gz_subtract(c[(i + 1) % 3], c[i], e);
        add_axis(r, c, (const double[3]){0, e[2], -e[1]});
        add_axis(r, c, (const double[3]){-e[2], 0, e[0]});
        add_axis(r, c, (const double[3]){e[1], -e[0], 0});
    }
}

static void add_normal(row_cuts *r, const double c[3][3]) {
    double e[3], f[3], n[3];
    gz_subtract(c[1], c[0], e);
    gz_subtract(c[2], c[0], f);
    gz_cross(e, f, n);
    add_axis(r, c, n);
}

/// The cells of a row, within *from and *to, that no axis separates; false for none.
static bool cut_row(const row_cuts *r, double y, double z, size_t *from, size_t *to) {
    for (int i = 0; i < r->across_count; i++) {
        double at = r->across[i].y * y + r->across[i].z * z;
        if (at < r->across[i].low || at > r->across[i].high) return false;
    }
    double low = (double)*from, high = (double)*to;
    for (int i = 0; i < r->along_count; i++) {
        double first = r->along[i].first + (r->along[i].y * y + r->along[i].z * z);
        double last = first + r->along[i].width;
        low = first > low ? first : low;
        high = last < high ? last : high;
    }
    if (low > high) return false;
    // Rounded inward: up, and down, as neither is negative.
    *from = (size_t)low + ((double)(size_t)low < low);
    *to = (size_t)high;
    return *from <= *to;
}

/// The cells around a triangle's box, grown by 2 pad, and how many these are.
static size_t find_range(const double c[3][3], size_t from[3], size_t to[3]) {
    size_t cells = 1;
    for (int k = 0; k < 3; k++) {
        double low = c[0][k] < c[1][k] ? c[0][k] : c[1][k];
        double high = c[0][k] < c[1][k] ? c[1][k] : c[0][k];
        low = c[2][k] < low ? c[2][k] : low;
        high = c[2][k] > high ? c[2][k] : high;
        from[k] = (size_t)(int64_t)(low - 2.01 * PAD);
        to[k] = (size_t)(int64_t)(high + 2.01 * PAD);
        cells *= to[k] - from[k] + 1;
    }
    return cells;
}

static uint8_t *row_of(const gz_lattice *b, size_t y, size_t z) {
    return b->cells + (z * b->n[1] + y) * b->n[0];
}

static bool all_marked(const gz_lattice *b, const size_t from[3], const size_t to[3]) {
    unsigned all = 1;
    for (size_t z = from[2]; z <= to[2]; z++)
        for (size_t y = from[1]; y <= to[1]; y++)
            for (size_t x = from[0]; x <= to[0]; x++) all &= row_of(b, y, z)[x];
    return all;
}

/// Marks the cells near a triangle. False, and nothing done, where that needs more rows than
/// `left`.
static bool mark_triangle(gz_lattice *b, const double c[3][3], uint64_t *left) {
    size_t from[3], to[3], cells = find_range(c, from, to);
    if (cells == 1) {
        row_of(b, from[1], from[2])[from[0]] = 1;
        return true;
    }
    // Triangles of fine meshes are smaller than a cell, and many share one.
    if (cells <= FEW && all_marked(b, from, to)) return true;
    const uint64_t rows = (uint64_t)(to[1] - from[1] + 1) * (to[2] - from[2] + 1);
    if (rows > *left) return false;
    *left -= rows;
    row_cuts cuts;
    cuts.along_count = cuts.across_count = 0;
    add_normal(&cuts, c);
    // In a small range nearly every cell that the plane passes is passed.
    if (cells > FEW) add_edges(&cuts, c);
    for (size_t z = from[2]; z <= to[2]; z++)
        for (size_t y = from[1]; y <= to[1]; y++) {
            size_t first = from[0], last = to[0];
            if (cut_row(&cuts, (double)y, (double)z, &first, &last))
                memset(row_of(b, y, z) + first, 1, last - first + 1);
        }
    return true;
}

static void mark_triangles(gz_lattice *b) {
    const graze_mesh *mesh = b->mesh;
    const double inverse = 1 / b->step;
    uint64_t left = ROWS_PER_CELL * (uint64_t)b->count +
                    ROWS_PER_TRIANGLE * (uint64_t)mesh->triangle_count;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        for (size_t i = 0; i < 3; i++) {
            const double *v = gz_mesh_corner(mesh, t, i);
            for (int k = 0; k < 3; k++) c[i][k] = (v[k] - b->low[k]) * inverse;
        }
        if (mark_triangle(b, (const double(*)[3])c, &left)) continue;
        memset(b->cells, 1, b->count); // a triangle may pass any cell
        return;
    }
}

bool gz_lattice_is_possible(const graze_mesh *mesh, size_t wanted) {
    gz_lattice lattice = {.mesh = mesh};
    return choose_lattice(&lattice, wanted);
}

bool gz_lattice_build(gz_lattice *out, const graze_mesh *mesh, size_t wanted) {
    *out = (gz_lattice){.mesh = mesh};
    if (!choose_lattice(out, wanted)) return true;
    out->cells = gz_calloc(out->count, 1);
    if (!out->cells) return false;
    mark_triangles(out);
    return true;
}

void gz_lattice_middle(const gz_lattice *b, size_t cell, double middle[3]) {
    size_t at[3] = {cell % b->n[0], cell / b->n[0] % b->n[1], cell / b->n[0] / b->n[1]};
    for (int k = 0; k < 3; k++) middle[k] = b->low[k] + ((double)at[k] + 0.5) * b->step;
}

void gz_lattice_clear(gz_lattice *b) {
    gz_free(b->cells);
    b->cells = NULL;
}

// Inside or not: exactly, by a vertical ray; and for a lattice of distances by balls that overlap.

static int count_crossings(const graze_mesh *mesh, const gz_packet *packet, const double p[3]) {
    int sum = 0;
    for (int i = 0; i < packet->count; i++) {
        uint32_t triangle = packet->triangle[i];
        if (!mesh->components[mesh->component_of[triangle]].closed) continue;
        double t[3][3];
        for (size_t k = 0; k < 3; k++) memcpy(t[k], gz_mesh_corner(mesh, triangle, k), sizeof t[k]);
        sum += gz_winding_crossing(p, (const double(*)[3])t);
    }
    return sum;
}

/// The children that a ray upwards from p may pass: around it, seen from above, and not below it.
/// Boxes hold their triangles exactly; the point in float, sums and differences are off by less
/// than 2^-22 of all that is involved.
static unsigned children_above(const gz_node *node, const float p[3], float pad) {
    gz_f8 off[3], limit[3];
    for (int k = 0; k < 3; k++) {
        off[k] = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(p[k]));
        limit[k] = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(pad));
    }
    gz_f8 apart = gz_f8_or(gz_f8_greater(gz_f8_abs(off[0]), limit[0]),
                           gz_f8_greater(gz_f8_abs(off[1]), limit[1]));
    apart = gz_f8_or(apart, gz_f8_greater(gz_f8_sub(gz_f8_all(0), off[2]), limit[2]));
    return ~gz_f8_mask(apart) & ((1U << node->count) - 1);
}

bool gz_region_is_inside(const graze_mesh *mesh, const double p[3], uint64_t *left) {
    const float at[3] = {(float)p[0], (float)p[1], (float)p[2]};
    const double size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + mesh->max_abs;
    const float pad = (float)(size * 0x1p-20) + 1e-30f;
    int sum = 0;
    uint64_t visits = 0;
    gz_traversal walk;
    gz_traversal_start(&walk, mesh->root);
    for (int32_t reference; gz_traversal_next(&walk, &reference);) {
        visits++;
        if (reference < 0) {
            visits += (uint64_t)mesh->packets[~reference].count;
            sum += count_crossings(mesh, &mesh->packets[~reference], p);
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        gz_traversal_add(&walk, node, children_above(node, at, pad));
    }
    *left -= visits < *left ? visits : *left;
    return sum != 0;
}

/// Cells along x whose balls overlap one after the other.
typedef struct ball_run {
    uint32_t first, count;
} ball_run;

/// The runs, and which of them are connected.
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

static bool middle_is_inside(const gz_lattice *b, size_t cell, uint64_t *left) {
    double p[3];
    gz_lattice_middle(b, cell, p);
    return gz_region_is_inside(b->mesh, p, left);
}

/// Flags the cells of a run, or clears them where their side is not known. That of a set of one
/// cell, nearly on the surface, is not computed.
static void mark_run(const gz_lattice *b, const ball_run *run, bool known, bool inside) {
    uint8_t *cells = b->cells + run->first;
    if (!known) memset(cells, 0, run->count);
    for (size_t x = 0; inside && x < run->count; x++)
        cells[x] |= cells[x] ? GZ_CLEARANCE_INSIDE : 0;
}

/// Marks the sets. Under `free` every set of cells that are not 0 counts, not only those of several
/// cells, and that of the first cell is known to be outside.
static bool mark_sets(ball_sets *s, uint64_t left, bool free) {
    const uint8_t *cells = s->lattice->cells;
    bool *inside = gz_calloc(s->count, sizeof *inside), *more = gz_calloc(s->count, sizeof *more);
    bool ok = inside && more;
    for (uint32_t i = 0; ok && i < s->count; i++) {
        uint32_t root = gz_find_root(s->parent, i);
        more[root] = more[root] || root != i || s->runs[i].count > 1 ||
                     (free && cells[s->runs[i].first]);
    }
    // A set's lowest run is its root, and comes first. From then on `more` is whether its side
    // is known.
    for (uint32_t i = 0; ok && i < s->count; i++) {
        uint32_t root = gz_find_root(s->parent, i);
        if (root == i) more[i] = more[i] && left > 0;
        if (root == i && more[i] && !(free && i == 0))
            inside[i] = middle_is_inside(s->lattice, s->runs[i].first, &left);
        mark_run(s->lattice, &s->runs[i], more[root], inside[root]);
    }
    gz_free(inside);
    gz_free(more);
    return ok;
}

static bool mark_cells(gz_lattice *b, uint64_t visits, bool free) {
    ball_sets sets = {.lattice = b};
    bool ok = find_sets(&sets) && mark_sets(&sets, visits, free);
    gz_free(sets.runs);
    gz_free(sets.parent);
    gz_free(sets.run_of);
    return ok;
}

bool gz_region_mark_balls(gz_lattice *b, uint64_t visits) {
    return mark_cells(b, visits, false);
}

bool gz_region_mark_free(gz_lattice *b, uint64_t visits) {
    // Balls that overlap exactly where both cells are free.
    for (size_t i = 0; i < b->count; i++) b->cells[i] = b->cells[i] ? 0 : GZ_CLEARANCE_PER_CELL;
    return mark_cells(b, visits, true);
}
