#include "load/soup_match.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "load/soup_weld.h"

/// A triangle by the names of its corners, the least first.
typedef struct face {
    uint64_t corners[3];
    size_t index; ///< in its soup
    size_t patch; ///< a face that stands for all of the patch, once they are joined
    bool theirs;
} face;

/// A side of a face that has no partner. Once joined: of its patch.
typedef struct side {
    uint64_t low, high; ///< names of its ends
    size_t face;
    bool turned; ///< runs from high to low
} side;

/// Faces of one soup that hang together along sides that the other soup has not: what is within
/// the rim of a polygon. Known by its rim.
typedef struct patch {
    uint64_t rim[2]; ///< sums over the sides of the rim; 0 where there is none
    bool there, theirs;
    size_t solid, first; ///< how many faces have an area; the first of these
} patch;

typedef struct comparison {
    const gz_soup *soups[2];
    double tolerance;
    face *faces;
    size_t face_count;
    side *sides;
    patch *patches; ///< one for each face; used where the face stands for its patch
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
static void list_faces(comparison *c, bool theirs, const uint64_t *names) {
    const gz_soup *soup = c->soups[theirs];
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
    const gz_soup *soup = c->soups[f->theirs];
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

// ---------------------------------------------------------------------------------------- sides

static int compare_sides(const void *a, const void *b) {
    const side *s = a, *t = b;
    int c = compare_numbers(s->low, t->low);
    if (!c) c = compare_numbers(s->high, t->high);
    return c ? c : compare_numbers(s->face, t->face);
}

static size_t find(face *faces, size_t i) {
    while (faces[i].patch != i) i = faces[i].patch = faces[faces[i].patch].patch;
    return i;
}

static size_t same_ends(const comparison *c, size_t from) {
    const side *s = c->sides + from, *end = c->sides + 3 * c->face_count;
    while (s < end && s->low == c->sides[from].low && s->high == c->sides[from].high) s++;
    return (size_t)(s - c->sides);
}

/// Joins faces along the sides that only one of the soups has.
static void join_patches(comparison *c) {
    for (size_t i = 0; i < c->face_count; i++) {
        face *f = &c->faces[i];
        f->patch = i;
        for (size_t k = 0; k < 3; k++) {
            uint64_t from = f->corners[k], to = f->corners[(k + 1) % 3];
            c->sides[3 * i + k] = (side){.low = from < to ? from : to,
                                         .high = from < to ? to : from,
                                         .face = i,
                                         .turned = from > to};
        }
    }
    if (c->face_count) qsort(c->sides, 3 * c->face_count, sizeof *c->sides, compare_sides);
    for (size_t i = 0, end; i < 3 * c->face_count; i = end) {
        end = same_ends(c, i);
        bool shared = false;
        for (size_t k = i + 1; k < end; k++)
            shared |= c->faces[c->sides[k].face].theirs != c->faces[c->sides[i].face].theirs;
        for (size_t k = i + 1; k < end && !shared; k++)
            c->faces[find(c->faces, c->sides[k].face)].patch = find(c->faces, c->sides[i].face);
    }
}

/// Spreads a number over all bits, so that sums of different ones are hardly ever equal.
static uint64_t spread(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/// Adds a side to the rim of its patch; two that run against each other leave nothing.
static void add_to_rim(comparison *c, const side *s) {
    patch *p = &c->patches[find(c->faces, s->face)];
    for (uint64_t k = 0; k < 2; k++) {
        uint64_t value = spread(spread(s->low ^ (k << 63)) + s->high);
        p->rim[k] += s->turned ? -value : value;
    }
}

static void fill_patches(comparison *c) {
    for (size_t i = 0; i < c->face_count; i++) {
        const face *f = &c->faces[i];
        patch *p = &c->patches[find(c->faces, i)];
        p->theirs = f->theirs;
        p->there = true;
        if (is_solid(c, f) && (!p->solid++ || f->index < p->first)) p->first = f->index;
    }
    for (size_t i = 0; i < 3 * c->face_count; i++) add_to_rim(c, &c->sides[i]);
}

// -------------------------------------------------------------------------------------- patches

static int compare_patches(const void *a, const void *b) {
    const patch *p = a, *q = b;
    int c = compare_numbers(p->rim[0], q->rim[0]);
    return c ? c : compare_numbers(p->rim[1], q->rim[1]);
}

/// Patches with the same rim are the same; a closed surface has none, and is another wherever it
/// is not the same.
static void match_patches(comparison *c, gz_soup_match *match) {
    size_t count = 0;
    for (size_t i = 0; i < c->face_count; i++)
        if (c->patches[i].there) c->patches[count++] = c->patches[i];
    if (count) qsort(c->patches, count, sizeof *c->patches, compare_patches);
    for (size_t i = 0, end; i < count; i = end) {
        bool there[2] = {false, false};
        for (end = i; end < count && compare_patches(&c->patches[i], &c->patches[end]) == 0; end++)
            there[c->patches[end].theirs] = true;
        bool rimless = !c->patches[i].rim[0] && !c->patches[i].rim[1];
        for (size_t k = i; k < end; k++) {
            const patch *p = &c->patches[k];
            if (!p->solid || (there[0] && there[1] && !rimless)) continue;
            match->lacking[p->theirs] += p->solid;
            if (p->first < match->first[p->theirs]) match->first[p->theirs] = p->first;
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

uint64_t gz_soup_match_cost(const gz_soup *ours, const gz_soup *theirs) {
    uint64_t vertices = (uint64_t)ours->vertex_count + theirs->vertex_count,
             triangles = (uint64_t)ours->triangle_count + theirs->triangle_count;
    return vertices * (GZ_SOUP_WELD_COST + sizeof(uint64_t)) +
           triangles * (sizeof(face) + 3 * sizeof(side) + sizeof(patch));
}

bool gz_soup_match_find(gz_soup_match *match, const gz_soup *ours, const gz_soup *theirs,
                        double tolerance) {
    *match = (gz_soup_match){.first = {SIZE_MAX, SIZE_MAX}};
    comparison c = {.soups = {ours, theirs}, .tolerance = tolerance};
    uint64_t *names = gz_malloc(ours->vertex_count + theirs->vertex_count + 1, sizeof *names);
    c.faces = gz_malloc(ours->triangle_count + theirs->triangle_count + 1, sizeof *c.faces);
    bool fine = names && c.faces && gz_soup_weld(names, c.soups, tolerance);
    if (fine) {
        list_faces(&c, false, names);
        list_faces(&c, true, names + ours->vertex_count);
        drop_partners(&c);
        c.sides = gz_malloc(3 * c.face_count + 1, sizeof *c.sides);
        c.patches = gz_calloc(c.face_count + 1, sizeof *c.patches);
        fine = c.sides && c.patches;
    }
    if (fine) {
        join_patches(&c);
        fill_patches(&c);
        match_patches(&c, match);
        match->apart = bounds_apart(c.soups);
    }
    gz_free(names);
    gz_free(c.faces);
    gz_free(c.sides);
    gz_free(c.patches);
    return fine;
}
