#include "oracle/collada/soup_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// ---------------------------------------------------------------------------------------- weld

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

/// Names the vertices of the first soup, then those of the second: vertices that are up to
/// `tolerance` apart in each coordinate have the same name, and so has what a chain of such, or of
/// ones up to 1.001 times twice as far, links. One that has no vertex of the other soup so close by
/// has a name that the other soup has not, whatever links it. Vertices that no triangle uses link
/// nothing, and what they are called says nothing. @return false when out of memory
static bool weld(uint64_t *names, const gz_soup *const soups[2], double tolerance) {
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

// --------------------------------------------------------------------------------------- match

/// A triangle by the names of its corners, the least first.
typedef struct face {
    uint64_t corners[3];
    size_t index; ///< in its soup
    bool theirs;
} face;

/// What the triangles of one polygon have in common, however it was cut.
typedef struct outline {
    uint64_t rim[2];     ///< sums over the sides of the polygon
    uint64_t corners[2]; ///< the least and the greatest of its corners, for one whose sides cancel
    size_t solid, first; ///< how many of its triangles have an area and no partner; the first
    bool there, theirs;
} outline;

typedef struct comparison {
    gz_soup_cut cuts[2];
    const uint64_t *names[2]; ///< of the vertices of each soup
    double tolerance;
    face *faces;
    size_t face_count;
    outline *outlines; ///< one for each triangle; used where that has a polygon's number
} comparison;

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

// ---------------------------------------------------------------------------------------- faces

static int compare_faces(const void *a, const void *b) {
    const face *f = a, *g = b;
    for (int k = 0; k < 3; k++) {
        int c = compare_numbers(f->corners[k], g->corners[k]);
        if (c) return c;
    }
    int c = compare_numbers(f->theirs, g->theirs);
    return c ? c : compare_numbers(f->index, g->index);
}

static bool same_corners(const face *f, const face *g) {
    return f->corners[0] == g->corners[0] && f->corners[1] == g->corners[1] &&
           f->corners[2] == g->corners[2];
}

/// Lists the faces of a soup, but for those of which two corners are one: their sides cancel.
static void list_faces(comparison *c, bool theirs) {
    const gz_soup *soup = c->cuts[theirs].soup;
    const uint64_t *names = c->names[theirs];
    for (size_t i = 0; i < soup->triangle_count; i++) {
        const uint32_t *corners = soup->triangles + 3 * i;
        uint64_t n[3] = {names[corners[0]], names[corners[1]], names[corners[2]]};
        if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
        int k = n[0] < n[1] ? (n[0] < n[2] ? 0 : 2) : (n[1] < n[2] ? 1 : 2);
        c->faces[c->face_count++] = (face){
            .corners = {n[k], n[(k + 1) % 3], n[(k + 2) % 3]}, .index = i, .theirs = theirs};
    }
}

/// Leaves only the faces without a partner, each once.
static void drop_partners(comparison *c) {
    if (c->face_count) qsort(c->faces, c->face_count, sizeof *c->faces, compare_faces);
    size_t left = 0;
    for (size_t i = 0, end; i < c->face_count; i = end) {
        for (end = i + 1; end < c->face_count && same_corners(&c->faces[i], &c->faces[end]);) end++;
        if (c->faces[i].theirs == c->faces[end - 1].theirs) c->faces[left++] = c->faces[i];
    }
    c->face_count = left;
}

/// Whether a triangle has an area: it is higher above its longest side than rounding of its corners
/// can make one that is flat. A height errs by no more than two corners do, and a corner by the
/// diagonal of a cube of the tolerance.
static bool is_solid(const comparison *c, const face *f) {
    const gz_soup *soup = c->cuts[f->theirs].soup;
    const uint32_t *t = soup->triangles + 3 * f->index;
    double way[3][3], cross[3], longest = 0, area = 0;
    for (size_t k = 0; k < 3; k++) {
        double square = 0;
        for (size_t i = 0; i < 3; i++) {
            way[k][i] = soup->vertices[3 * (size_t)t[(k + 1) % 3] + i] -
                        soup->vertices[3 * (size_t)t[k] + i];
            square += way[k][i] * way[k][i];
        }
        longest = fmax(longest, sqrt(square));
    }
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3, k = (i + 2) % 3;
        cross[i] = way[0][j] * way[1][k] - way[0][k] * way[1][j];
        area += cross[i] * cross[i];
    }
    return sqrt(area) > 2 * sqrt(3) * c->tolerance * longest;
}

// ------------------------------------------------------------------------------------- outlines

/// Spreads a number over all bits, so that sums of different ones are hardly ever equal.
static uint64_t spread(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/// Adds a side to the rim; two that run against each other leave nothing, as diagonals do.
static void add_side(outline *o, uint64_t from, uint64_t to) {
    if (from == to) return;
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    for (uint64_t k = 0; k < 2; k++) {
        uint64_t value = spread(spread(low ^ (k << 63)) + high);
        o->rim[k] += from < to ? value : -value;
    }
}

static outline *outline_of(comparison *c, bool theirs, size_t triangle) {
    const gz_soup_cut *cut = &c->cuts[theirs];
    size_t number = cut->polygons ? cut->polygons[triangle] : triangle;
    return c->outlines + (theirs ? c->cuts[0].soup->triangle_count : 0) + number;
}

/// The outlines of all polygons of a soup, those with partners too: another copy of a polygon may
/// have been cut as this one.
static void fill_outlines(comparison *c, bool theirs) {
    const gz_soup *soup = c->cuts[theirs].soup;
    for (size_t i = 0; i < soup->triangle_count; i++) {
        outline *o = outline_of(c, theirs, i);
        for (size_t k = 0; k < 3; k++) {
            uint64_t from = c->names[theirs][soup->triangles[3 * i + k]];
            add_side(o, from, c->names[theirs][soup->triangles[3 * i + (k + 1) % 3]]);
            if (!o->there || from < o->corners[0]) o->corners[0] = from;
            if (!o->there || from > o->corners[1]) o->corners[1] = from;
            o->there = true;
        }
        o->theirs = theirs;
    }
}

static void count_solid_faces(comparison *c) {
    for (size_t i = 0; i < c->face_count; i++) {
        const face *f = &c->faces[i];
        outline *o = outline_of(c, f->theirs, f->index);
        if (is_solid(c, f) && (!o->solid++ || f->index < o->first)) o->first = f->index;
    }
}

static int compare_outlines(const void *a, const void *b) {
    const outline *o = a, *p = b;
    for (int k = 0; k < 2; k++) {
        int c = compare_numbers(o->rim[k], p->rim[k]);
        if (!c) c = compare_numbers(o->corners[k], p->corners[k]);
        if (c) return c;
    }
    return 0;
}

/// Polygons with the same outline are the same.
static void match_outlines(comparison *c, gz_soup_match *match) {
    size_t all = c->cuts[0].soup->triangle_count + c->cuts[1].soup->triangle_count, count = 0;
    for (size_t i = 0; i < all; i++)
        if (c->outlines[i].there) c->outlines[count++] = c->outlines[i];
    if (count) qsort(c->outlines, count, sizeof *c->outlines, compare_outlines);
    for (size_t i = 0, end; i < count; i = end) {
        bool there[2] = {false, false};
        for (end = i; end < count && compare_outlines(&c->outlines[i], &c->outlines[end]) == 0;
             end++)
            there[c->outlines[end].theirs] = true;
        for (size_t k = i; k < end; k++) {
            const outline *o = &c->outlines[k];
            if (!o->solid || (there[0] && there[1])) continue;
            match->lacking[o->theirs] += o->solid;
            if (o->first < match->first[o->theirs]) match->first[o->theirs] = o->first;
        }
    }
}

// ------------------------------------------------------------------------------------- the whole

/// How far the bounds of what the triangles use are apart.
static double bounds_apart(const gz_soup *const soups[2]) {
    double bounds[2][6], apart = 0;
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 6; k++) bounds[s][k] = -INFINITY;
        for (size_t i = 0; i < 3 * soups[s]->triangle_count; i++) {
            const double *v = soups[s]->vertices + 3 * (size_t)soups[s]->triangles[i];
            for (int k = 0; k < 6; k++) bounds[s][k] = fmax(bounds[s][k], k < 3 ? v[k] : -v[k - 3]);
        }
    }
    if (!soups[0]->triangle_count || !soups[1]->triangle_count) return 0;
    for (int k = 0; k < 6; k++) apart = fmax(apart, fabs(bounds[0][k] - bounds[1][k]));
    return apart;
}

bool gz_soup_match_find(gz_soup_match *match, const gz_soup_cut *ours, const gz_soup_cut *theirs,
                        double tolerance) {
    *match = (gz_soup_match){.first = {SIZE_MAX, SIZE_MAX}};
    const gz_soup *const soups[2] = {ours->soup, theirs->soup};
    size_t triangles = soups[0]->triangle_count + soups[1]->triangle_count;
    comparison c = {.cuts = {*ours, *theirs}, .tolerance = tolerance};
    uint64_t *names = gz_malloc(soups[0]->vertex_count + soups[1]->vertex_count + 1, sizeof *names);
    c.faces = gz_malloc(triangles + 1, sizeof *c.faces);
    c.outlines = gz_calloc(triangles + 1, sizeof *c.outlines);
    bool fine = names && c.faces && c.outlines && weld(names, soups, tolerance);
    if (fine) {
        c.names[0] = names;
        c.names[1] = names + soups[0]->vertex_count;
        for (int s = 0; s < 2; s++) list_faces(&c, s);
        drop_partners(&c);
        for (int s = 0; s < 2 && c.face_count; s++) fill_outlines(&c, s);
        count_solid_faces(&c);
        match_outlines(&c, match);
        match->apart = bounds_apart(soups);
    }
    gz_free(names);
    gz_free(c.faces);
    gz_free(c.outlines);
    return fine;
}
