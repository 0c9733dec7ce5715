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
    size_t group; ///< of the first vertex of a cell: of its cell, another one or its own
} point;

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
/// coordinate. A coordinate is then below 2^40 cells, its quotient errs by less than 2^-12 of a
/// cell, and the thousandth that the cells are wider makes up for that.
static double cell_width(const gz_soup *const soups[2], double tolerance) {
    double most = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < 3 * soups[s]->vertex_count; i++)
            most = fmax(most, fabs(soups[s]->vertices[i]));
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
        if (!cells || compare_cells(points[cells - 1].cell, points[i].cell) != 0) {
            size_t vertex = points[i].vertex;
            points[cells] = points[i];
            points[cells].group = cells;
            names[vertex] = cells++;
        } else {
            names[points[i].vertex] = cells - 1;
        }
    }
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
        if (compare_cells(points[other].cell, wanted) == 0)
            points[find(points, other)].group = find(points, i);
    }
}

bool gz_soup_weld(uint64_t *names, const gz_soup *const soups[2], double tolerance) {
    size_t first = soups[0]->vertex_count, count = first + soups[1]->vertex_count;
    point *points = gz_malloc(count + 1, sizeof *points);
    if (!points) return false;
    double width = cell_width(soups, tolerance);
    for (size_t i = 0; i < count; i++) {
        const double *v = i < first ? soups[0]->vertices + 3 * i
                                    : soups[1]->vertices + 3 * (i - first);
        points[i].vertex = i;
        for (int k = 0; k < 3; k++) points[i].cell[k] = (int64_t)floor(v[k] / width);
    }
    if (count) qsort(points, count, sizeof *points, compare_points);
    size_t cells = gather_cells(points, count, names);
    // The 13 neighbours that come later in the order; the other 13 have this one for theirs.
    for (int n = 14; n < 27; n++)
        join(points, cells, (const int[3]){n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1});
    for (size_t i = 0; i < count; i++) names[i] = find(points, (size_t)names[i]);
    gz_free(points);
    return true;
}
