// Separating axes between triangle and cell (Akenine-Moeller 2001, "Fast 3D triangle-box overlap
// testing").
#include "mesh/lattice.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"

/// Room around the cells, in cells: for the rounding of a point that is asked for. Much larger than
/// the coordinates' own errors, so that those never matter.
#define PAD 0.02

static bool choose_lattice(gz_lattice *b, size_t wanted) {
    const double *low = GZ_ARRAY3(b->mesh->aabb.min), *high = GZ_ARRAY3(b->mesh->aabb.max);
    double longest = 0, volume = 1;
    for (int k = 0; k < 3; k++) longest = fmax(longest, high[k] - low[k]);
    for (int k = 0; k < 3; k++) volume *= fmax(high[k] - low[k], longest / 64);
    b->step = cbrt(volume / (double)wanted);
    b->pad = PAD * b->step;
    // Floats tell cells apart, with a hundredth of the pad to spare; else there is no map.
    if (!(b->step > 0x1p-12 * b->mesh->reach) || !(b->step > 1e-12)) return false;
    b->count = 1;
    for (int k = 0; k < 3; k++) {
        b->low[k] = (double)(float)(low[k] - 1.5 * b->step);
        b->n[k] = (size_t)((high[k] + 1.5 * b->step - b->low[k]) / b->step) + 1;
        b->count *= b->n[k];
    }
    return b->count < 1 << 23;
}

/// Whether a triangle, its corners seen from a cell's middle, may pass the cell of half edge
/// `half`: along the cross products of its edges with the axes. Rounding is far below the pad.
static bool edges_near(const double c[3][3], double half) {
    for (int i = 0; i < 3; i++) {
        const double *a = c[i], *other = c[(i + 2) % 3];
        double e[3];
        gz_subtract(c[(i + 1) % 3], a, e);
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, w = (k + 2) % 3;
            double p = e[w] * a[u] - e[u] * a[w], q = e[w] * other[u] - e[u] * other[w];
            double r = half * (fabs(e[u]) + fabs(e[w]));
            if (fmin(p, q) > r || fmax(p, q) < -r) return false;
        }
    }
    return true;
}

/// The cells around a triangle's box, grown by 2 pad.
static void find_range(const gz_lattice *b, const double c[3][3], size_t from[3], size_t to[3]) {
    for (int k = 0; k < 3; k++) {
        double low = fmin(c[0][k], fmin(c[1][k], c[2][k])) - 2.01 * b->pad;
        double high = fmax(c[0][k], fmax(c[1][k], c[2][k])) + 2.01 * b->pad;
        from[k] = (size_t)((low - b->low[k]) / b->step);
        to[k] = (size_t)((high - b->low[k]) / b->step);
    }
}

static void touch_triangle(gz_lattice *b, size_t t) {
    double c[3][3], e[3], f[3], n[3];
    size_t from[3], to[3];
    for (size_t i = 0; i < 3; i++)
        memcpy(c[i], b->mesh->vertices + 3 * (size_t)b->mesh->triangles[3 * t + i], sizeof c[i]);
    find_range(b, (const double(*)[3])c, from, to);
    gz_subtract(c[1], c[0], e);
    gz_subtract(c[2], c[0], f);
    gz_cross(e, f, n);
    double half = 0.5 * b->step + 2.01 * b->pad;
    double reach = half * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    size_t range = (to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1);
    for (size_t z = from[2]; z <= to[2]; z++)
        for (size_t y = from[1]; y <= to[1]; y++)
            for (size_t x = from[0]; x <= to[0]; x++) {
                uint8_t *cell = &b->cells[(z * b->n[1] + y) * b->n[0] + x];
                if (*cell) continue;
                double m[3] = {b->low[0] + ((double)x + 0.5) * b->step,
                               b->low[1] + ((double)y + 0.5) * b->step,
                               b->low[2] + ((double)z + 0.5) * b->step};
                double seen[3][3];
                for (int i = 0; i < 3; i++) gz_subtract(c[i], m, seen[i]);
                // In a small range nearly every cell that the plane passes is passed.
                if (range == 1 || (fabs(gz_dot(n, seen[0])) <= reach &&
                                   (range <= 8 || edges_near((const double(*)[3])seen, half))))
                    *cell = GZ_CELL_REACHED | GZ_CELL_TOUCHED;
            }
}

bool gz_lattice_build(gz_lattice *out, const graze_mesh *mesh, size_t wanted) {
    *out = (gz_lattice){.mesh = mesh};
    if (!choose_lattice(out, wanted)) return true;
    out->cells = gz_calloc(out->count, 1);
    if (!out->cells) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++) touch_triangle(out, t);
    return true;
}

void gz_lattice_clear(gz_lattice *b) {
    gz_free(b->cells);
    b->cells = NULL;
}
