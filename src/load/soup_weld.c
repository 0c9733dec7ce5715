#include "load/soup_weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/// A vertex in its cell of a grid as wide as the tolerance: two that are the same are in one cell,
/// or in cells that touch.
typedef struct point {
    int64_t cell[3];
    size_t vertex;
    size_t group;         ///< of the first vertex of a cell: of its cell, another one or its own
    unsigned there, near; ///< which soups have vertices in the cell; in it or in one that touches
} point;

/// Set in the names of vertices that have none of the other soup beside them.
static const uint64_t ALONE = UINT64_C(1) << 62;

_Static_assert(sizeof(point) <= GZ_SOUP_WELD_COST, "the cost that the header states");

static int compare_cells(const int64_t a[3], const int64_t b[3]) {
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_points(const void *a, const void *b) {
    return compare_cells(((const point *)a)->cell, ((const point *)b)->cell);
}

/// The width of a cell: a little more than the tolerance, and no less than 2^-40 of the largest
/// coordinate that a triangle has. A coordinate is then below 2^40 cells, its quotient errs by less
/// than 2^-12 of a cell, and the thousandth that the cells are wider makes up for that.
static double cell_width(const gz_soup *const soups[2], double tolerance) {
    double most = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < 9 * soups[s]->triangle_count; i++) {
            size_t corner = soups[s]->triangles[i / 3];
            most = fmax(most, fabs(soups[s]->vertices[3 * corner + i % 3]));
        }
    double width = fmax(1.001 * tolerance, ldexp(most, -40));
    return width > 0 ? width : 1; // all is at the origin
}

static size_t find(point *points, size_t i) {
    while (points[i].group != i) i = points[i].group = points[points[i].group].group;
    return i;
}

/// Leaves the first point of each cell in front, and tells every vertex its place there.
static size_t gather_cells(point *points, size_t count, uint64_t *names) {
    size_t cells = 0;
    for (size_t i = 0; i < count; i++) {
        const point at = points[i];
        if (!cells || compare_cells(points[cells - 1].cell, at.cell) != 0) {
            points[cells] = at;
            points[cells].group = cells;
            cells++;
        }
        points[cells - 1].there |= at.there;
        names[at.vertex] = cells - 1;
    }
    for (size_t i = 0; i < cells; i++) points[i].near = points[i].there;
    return cells;
}

/// Joins each cell with the one that is so many cells away from it. Cells moved by the same steps
/// keep their order, so that one walk along both finds all.
static void join(point *points, size_t cells, const int step[3]) {
    size_t other = 0;
    for (size_t i = 0; i < cells; i++) {
        int64_t wanted[3];
        for (int k = 0; k < 3; k++) wanted[k] = points[i].cell[k] + step[k];
        while (other < cells && compare_cells(points[other].cell, wanted) < 0) other++;
        if (other == cells) return;
        if (compare_cells(points[other].cell, wanted) != 0) continue;
        points[find(points, other)].group = find(points, i);
        points[i].near |= points[other].there;
        points[other].near |= points[i].there;
    }
}

/// Puts the vertices that triangles use into their cells. What no triangle uses is no geometry, and
/// must not link what is.
static size_t list_points(point *points, const uint64_t *used, const gz_soup *const soups[2],
                          double width) {
    size_t first = soups[0]->vertex_count, count = 0;
    for (size_t i = 0; i < first + soups[1]->vertex_count; i++) {
        bool theirs = i >= first;
        if (!used[i]) continue;
        const double *v = soups[theirs]->vertices + 3 * (theirs ? i - first : i);
        point *at = &points[count++];
        *at = (point){.vertex = i, .there = 1u << theirs};
        for (int k = 0; k < 3; k++) at->cell[k] = (int64_t)floor(v[k] / width);
    }
    return count;
}

static void mark_used(uint64_t *used, const gz_soup *soup) {
    for (size_t i = 0; i < soup->vertex_count; i++) used[i] = 0;
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) used[soup->triangles[i]] = 1;
}

bool gz_soup_weld(uint64_t *names, const gz_soup *const soups[2], double tolerance) {
    size_t first = soups[0]->vertex_count, all = first + soups[1]->vertex_count;
    point *points = gz_malloc(all + 1, sizeof *points);
    if (!points) return false;
    mark_used(names, soups[0]);
    mark_used(names + first, soups[1]);
    size_t count = list_points(points, names, soups, cell_width(soups, tolerance));
    if (count) qsort(points, count, sizeof *points, compare_points);
    size_t cells = gather_cells(points, count, names);
    // The 13 neighbours that come later in the order; the other 13 have this one for theirs.
    for (int n = 14; n < 27; n++)
        join(points, cells, (const int[3]){n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1});
    for (size_t i = 0; i < all && cells; i++) {
        const point *cell = &points[names[i]]; // of an unused vertex: any
        names[i] = cell->near == 3 ? find(points, (size_t)names[i]) : names[i] | ALONE;
    }
    gz_free(points);
    return true;
}
