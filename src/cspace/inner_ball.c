// A lattice over the mesh's box gives candidates. Half lines along x tell quickly which of them
// are likely to be inside; the distance to the nearest triangle is their radius. The best are taken
// one after the other, each outside of those before it, and only then proved.
//
// The proof: a point around which the closed components wind, all together, is inside
// (docs/solids.md), and mesh/prefilter/lattice.h counts that exactly. No closed surface passes the
// ball, so that the number is the same in all of it.
//
// The radius is the least distance to a triangle. Where it counts, above RADIUS_LEAST of the size,
// it is at most a relative 1e-7 too large (triangle_distance()), far below SHRINK, which takes it
// back on the safe side, and with it the rounding of the centre's pose.
#include "cspace/inner_solid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/prefilter/lattice.h"

#define LATTICE       1500 // candidates, about
#define RADIUS_LEAST  1e-4 // of the longest edge of the mesh's box
#define SHRINK        (1 - 1e-6)
#define FLAT          1e-6   // squared sine of a triangle's largest angle
#define TRIANGLES_MAX 400000 // of meshes that are searched: the work is proportional

typedef struct soup_triangle {
    const double *corner[3];
    double middle[3], radius; // a ball that holds it
} soup_triangle;

typedef struct candidate {
    double p[3], radius;
} candidate;

typedef struct finder {
    const graze_mesh *mesh;
    soup_triangle *triangles;
    size_t count;
    double low[3], high[3], size;
    candidate *candidates;
    size_t candidate_count;
} finder;

// ------------------------------------------------------------------------------- closed triangles

static void add_triangle(finder *f, size_t t) {
    soup_triangle *s = &f->triangles[f->count++];
    for (int k = 0; k < 3; k++) {
        s->corner[k] = gz_mesh_corner(f->mesh, t, (size_t)k);
        for (int i = 0; i < 3; i++) {
            f->low[i] = fmin(f->low[i], s->corner[k][i]);
            f->high[i] = fmax(f->high[i], s->corner[k][i]);
        }
    }
    s->radius = 0;
    for (int i = 0; i < 3; i++)
        s->middle[i] = (s->corner[0][i] + s->corner[1][i] + s->corner[2][i]) / 3;
    for (int k = 0; k < 3; k++) {
        double d[3];
        gz_subtract(s->corner[k], s->middle, d);
        s->radius = fmax(s->radius, gz_norm(d));
    }
}

static graze_status collect(finder *f, graze_error *error) {
    const graze_mesh *mesh = f->mesh;
    f->triangles = gz_malloc(mesh->triangle_count, sizeof *f->triangles);
    if (!f->triangles) return gz_fail_memory(error);
    for (int i = 0; i < 3; i++) {
        f->low[i] = INFINITY;
        f->high[i] = -INFINITY;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (mesh->components[mesh->component_of[t]].closed) add_triangle(f, t);
    for (int i = 0; i < 3 && f->count; i++) f->size = fmax(f->size, f->high[i] - f->low[i]);
    return GRAZE_OK;
}

// -------------------------------------------------------------------------------------- geometry

/// The squared distance of p from the triangle's edges.
static double edge_square(const soup_triangle *t, const double p[3]) {
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *from = t->corner[k];
        double edge[3], to[3], q[3];
        gz_subtract(t->corner[(k + 1) % 3], from, edge);
        gz_subtract(p, from, to);
        double square = gz_dot(edge, edge);
        double s = square > 0 ? fmin(fmax(gz_dot(to, edge) / square, 0), 1) : 0;
        for (int i = 0; i < 3; i++) q[i] = to[i] - s * edge[i];
        least = fmin(least, gz_dot(q, q));
    }
    return least;
}

/// The corner with the largest angle: it faces the longest edge.
static int widest_corner(const soup_triangle *t) {
    double longest = -1;
    int widest = 0;
    for (int k = 0; k < 3; k++) {
        double edge[3];
        gz_subtract(t->corner[(k + 2) % 3], t->corner[(k + 1) % 3], edge);
        double square = gz_dot(edge, edge);
        if (!(square > longest)) continue;
        longest = square;
        widest = k;
    }
    return widest;
}

/// The distance of p from a triangle: in the plane, or along an edge. Let S be the size, h >= 1e-4
/// S the real distance, u = 2^-53. The foot in the plane comes of two equations in v and w, with
/// the edges b and c from the widest corner, whose angle A is 60 degrees or more, so that needles
/// are as good as any triangle. Products and sums of some ten roundings make the numerators wrong
/// by 20 u |b| |c|^2 |ap| and the like, the area |b|^2 |c|^2 sin^2 A by 16 u |b|^2 |c|^2; edges and
/// ap are at most 2 S. So where sin^2 A > FLAT the foot is at most
///
///     e = (2 20 u 2 S + 2 16 u 2 S) / FLAT = 1.6e-14 S / FLAT = 1.6e-8 S
///
/// off. It is a point of the triangle, or, where it falls beside one, within e of the edge that is
/// taken instead; either way the result is at most sqrt(h^2 + e^2), which is too large by
/// e^2 / (2 h) <= 2e-12 S <= 2e-8 h; the rounding of the last sums adds 20 u S <= 3e-11 h. Nearer
/// than 1e-4 S the result is no larger than 1.0000001e-4 S, which no ball has.
/// A flatter triangle is no higher over its longest edge than sqrt(FLAT) of it, and is taken for
/// its edges less that height.
static double triangle_distance(const soup_triangle *t, const double p[3]) {
    int at = widest_corner(t);
    const double *from = t->corner[at];
    double ab[3], ac[3], ap[3], q[3];
    gz_subtract(t->corner[(at + 1) % 3], from, ab);
    gz_subtract(t->corner[(at + 2) % 3], from, ac);
    gz_subtract(p, from, ap);
    double d1 = gz_dot(ab, ap), d2 = gz_dot(ac, ap);
    double aa = gz_dot(ab, ab), bb = gz_dot(ac, ac), cross = gz_dot(ab, ac);
    double area = aa * bb - cross * cross;
    bool flat = !(area > FLAT * aa * bb);
    double v = flat ? -1 : (bb * d1 - cross * d2) / area;
    double w = flat ? -1 : (aa * d2 - cross * d1) / area;
    if (v >= 0 && w >= 0 && v + w <= 1) {
        for (int i = 0; i < 3; i++) q[i] = ap[i] - v * ab[i] - w * ac[i];
        return gz_norm(q);
    }
    return fmax(0, sqrt(edge_square(t, p)) - (flat ? sqrt(FLAT) * 2 * t->radius : 0));
}

static double surface_distance(const finder *f, const double p[3]) {
    double least = f->size;
    for (size_t t = 0; t < f->count; t++) {
        const soup_triangle *s = &f->triangles[t];
        double d[3], far = least + s->radius;
        gz_subtract(p, s->middle, d);
        if (gz_dot(d, d) < far * far) least = fmin(least, triangle_distance(s, p));
    }
    return least;
}

static bool is_inside(const finder *f, const double p[3]) {
    uint64_t left = UINT64_MAX;
    return gz_region_is_inside(f->mesh, p, &left);
}

// ------------------------------------------------------------------------------------- the lattice

/// Where a line along x through (y, z) passes the triangle; false where it does not. `sign`: by
/// which side.
static bool crossing_of(const soup_triangle *t, double y, double z, double *x, int *sign) {
    double s[3], sum = 0, at = 0;
    for (int k = 0; k < 3; k++) {
        const double *b = t->corner[(k + 1) % 3], *c = t->corner[(k + 2) % 3];
        s[k] = (b[1] - y) * (c[2] - z) - (b[2] - z) * (c[1] - y);
        sum += s[k];
    }
    if (!((s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0))) return false;
    for (int k = 0; k < 3; k++) at += s[k] * t->corner[k][0];
    *x = at / sum;
    *sign = sum > 0 ? 1 : -1;
    return true;
}

/// Counts, for the candidates of one row along x, how often they are wound around.
static void wind_row(const finder *f, double y, double z, const double *x, int *winding,
                     size_t count) {
    memset(winding, 0, count * sizeof *winding);
    for (size_t t = 0; t < f->count; t++) {
        double at;
        int sign;
        if (!crossing_of(&f->triangles[t], y, z, &at, &sign)) continue;
        for (size_t i = 0; i < count && x[i] < at; i++) winding[i] += sign;
    }
}

/// Not that of the C library, whose last bits differ from one to another: a mesh has the same balls
/// everywhere. By Newton's method, from a number that is not below it, until rounding ends the
/// descent.
static double cube_root(double x, double above) {
    for (;;) {
        double next = (2 * above + x / (above * above)) / 3;
        if (!(next < above)) return above;
        above = next;
    }
}

static graze_status scatter(finder *f, graze_error *error) {
    double edge[3], volume = 1;
    size_t n[3];
    for (int i = 0; i < 3; i++) {
        edge[i] = fmax(f->high[i] - f->low[i], 0x1p-20 * f->size);
        volume *= edge[i];
    }
    // A hair less, so that edges of whole numbers of cells are no matter of rounding.
    double cell = cube_root(volume / LATTICE, f->size);
    for (int i = 0; i < 3; i++)
        n[i] = (size_t)fmin(fmax(ceil(edge[i] / cell * (1 - 0x1p-40)), 5), 64);
    f->candidates = gz_malloc(n[0] * n[1] * n[2], sizeof *f->candidates);
    if (!f->candidates) return gz_fail_memory(error);
    double x[64];
    int winding[64];
    for (size_t i = 0; i < n[0]; i++) x[i] = f->low[0] + ((double)i + 0.5) * edge[0] / (double)n[0];
    for (size_t k = 0; k < n[1] * n[2]; k++) {
        // A little off the middle: rows through edges and vertices miss what they should count.
        double y = f->low[1] + ((double)(k % n[1]) + 0.5017) * edge[1] / (double)n[1];
        double z = f->low[2] + ((double)(k / n[1]) + 0.4989) * edge[2] / (double)n[2];
        wind_row(f, y, z, x, winding, n[0]);
        for (size_t i = 0; i < n[0]; i++) {
            if (!winding[i]) continue;
            candidate *c = &f->candidates[f->candidate_count++];
            *c = (candidate){.p = {x[i], y, z}};
            c->radius = surface_distance(f, c->p) * SHRINK;
        }
    }
    return GRAZE_OK;
}

/// The largest candidate that is worth it; -1 for none.
static ptrdiff_t best_of(const finder *f) {
    ptrdiff_t best = -1;
    double radius = RADIUS_LEAST * f->size;
    for (size_t i = 0; i < f->candidate_count; i++) {
        if (!(f->candidates[i].radius > radius)) continue;
        radius = f->candidates[i].radius;
        best = (ptrdiff_t)i;
    }
    return best;
}

/// Moves a ball to where it can be larger, by steps that shrink.
static void grow(const finder *f, candidate *c) {
    for (double step = 0.5 * c->radius; step > 0.02 * c->radius;) {
        bool better = false;
        for (int k = 0; k < 6 && !better; k++) {
            candidate next = *c;
            next.p[k / 2] += k % 2 ? step : -step;
            next.radius = surface_distance(f, next.p) * SHRINK;
            if (next.radius > c->radius * 1.001) {
                *c = next;
                better = true;
            }
        }
        if (!better) step *= 0.5;
    }
}

graze_status gz_inner_balls_find(const graze_geometry *g, gz_ball *balls, size_t *count,
                                 graze_error *error) {
    *count = 0;
    if (!g->mesh || g->triangle_count == 0 || g->triangle_count > TRIANGLES_MAX) return GRAZE_OK;
    finder f = {.mesh = g->mesh};
    graze_status status = collect(&f, error);
    if (!status && f.count && f.size > 0) status = scatter(&f, error);
    while (!status && *count < GZ_INNER_BALLS) {
        ptrdiff_t best = best_of(&f);
        if (best < 0) break;
        candidate c = f.candidates[best];
        f.candidates[best].radius = 0;
        if (!is_inside(&f, c.p)) continue;
        if (*count < GZ_INNER_BALLS / 2) grow(&f, &c);
        if (!is_inside(&f, c.p)) continue; // a large step may have crossed a wall
        gz_ball *ball = &balls[(*count)++];
        *ball = (gz_ball){.radius = c.radius};
        memcpy(ball->center, c.p, sizeof c.p);
        for (size_t i = 0; i < f.candidate_count; i++) {
            double d[3];
            gz_subtract(f.candidates[i].p, c.p, d);
            if (gz_norm(d) < 0.8 * c.radius) f.candidates[i].radius = 0;
        }
    }
    gz_free(f.triangles);
    gz_free(f.candidates);
    return status;
}
