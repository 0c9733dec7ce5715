#include "narrow/distance/shape_distance.h"

#include <math.h>
#include <string.h>

#include "base/processor.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "narrow/curved/curved.h"
#include "narrow/triangle/triangle.h"

const gz_distance_kernels *gz_distance_kernels_choose(void) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_isa_choose() == GZ_ISA_AVX2) return &gz_distance_kernels_avx2;
#endif
    return &gz_distance_kernels_base;
}

// ------------------------------------------------------------------- where the nearest is not
// unique

/// How nearly parallel features count as parallel, of their own size.
#define FLAT 1e-5

/// Of the points of a set, at most three, those that are as far along n as the farthest, but for
/// FLAT of the set's size. Returns how many, and the first two.
static int support(const double (*p)[3], int count, const double n[3], double sign,
                   const double *out[2]) {
    double most = -INFINITY, square = 0, along[3];
    int found = 0;
    for (int i = 0; i < count; i++) {
        double e[3];
        gz_subtract(p[i], p[0], e);
        along[i] = sign * gz_dot(n, e);
        square = gz_dot(e, e) > square ? gz_dot(e, e) : square;
        most = along[i] > most ? along[i] : most;
    }
    double least = most - FLAT * sqrt(square);
    for (int i = 0; i < count; i++) {
        if (along[i] < least) continue;
        if (found < 2) out[found] = p[i];
        found++;
    }
    return found;
}

/// Whether two hulls of points have parallel features where they are nearest along n: then more
/// than one pair of points is nearest, or a small motion leads to one that is far from the first.
static bool is_flat(const double (*a)[3], int a_count, const double (*b)[3], int b_count,
                    const double n[3]) {
    const double *x[2], *y[2];
    int in_a = support(a, a_count, n, 1, x), in_b = support(b, b_count, n, -1, y);
    if (in_a < 2 || in_b < 2) return false;
    if (in_a > 2 || in_b > 2) return true;
    double e[3], f[3], across[3];
    gz_subtract(x[1], x[0], e);
    gz_subtract(y[1], y[0], f);
    gz_cross(e, f, across);
    return gz_norm(across) <= FLAT * gz_norm(e) * gz_norm(f);
}

/// The axis of a curved shape as points; a cylinder's rim is round about them.
static int axis_of(const gz_curved *s, double out[2][3]) {
    memcpy(out[0], s->a, sizeof s->a);
    memcpy(out[1], s->b, sizeof s->b);
    return memcmp(s->a, s->b, sizeof s->a) == 0 ? 1 : 2;
}

/// Whether a cylinder's cap faces along n.
static bool has_cap_along(const gz_curved *s, const double n[3]) {
    double axis[3], across[3];
    if (s->kind != GRAZE_SHAPE_CYLINDER) return false;
    gz_subtract(s->b, s->a, axis);
    gz_cross(axis, n, across);
    return gz_norm(across) <= FLAT * gz_norm(axis);
}

// ------------------------------------------------------------------------------------ evaluation

/// One pair of triangles, or curved shapes, as evaluated.
typedef struct measured {
    int64_t triangle[2];
    double upper, lower, point[2][3], normal[3];
    bool flat;
} measured;

bool gz_nearest_differs(const double a[2][3], const double b[2][3], double more) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(a[i][k] - b[i][k]) <= more)) return true;
    return false;
}

/// Whether a tie says the same already: of the pair itself, which may be evaluated twice, or of one
/// that shares the corner.
static bool is_noted(const gz_nearest *n, const measured *m) {
    for (int i = 0; i < n->tie_count; i++)
        if (n->ties[i].upper == m->upper && n->ties[i].flat == m->flat &&
            !gz_nearest_differs((const double(*)[3])n->ties[i].point, (const double(*)[3])m->point,
                                0))
            return true;
    return false;
}

/// Drops what is no longer as near, and notes what is.
static void note_tie(gz_nearest *n, const measured *m) {
    int kept = 0;
    for (int i = 0; i < n->tie_count; i++)
        if (n->ties[i].upper <= n->upper + n->tie) n->ties[kept++] = n->ties[i];
    n->tie_count = kept;
    if (is_noted(n, m)) return;
    if (kept == GZ_NEAREST_TIES) {
        n->skipped = fmin(n->skipped, m->upper);
        return;
    }
    n->ties[kept].upper = m->upper;
    n->ties[kept].flat = m->flat;
    memcpy(n->ties[kept].point, m->point, sizeof m->point);
    n->tie_count++;
}

/// Whether a pair of triangles comes before what was found, in the order of links, elements and
/// triangles.
static bool comes_first(const gz_nearest *n, int64_t a, int64_t b) {
    if (!n->found && !n->aimed) return n->first;
    return a != n->triangle[0] ? a < n->triangle[0] : b < n->triangle[1];
}

static bool keep(gz_nearest *n, const measured *m) {
    if (m->lower < m->upper - GZ_NEAREST_WIDTH && m->lower < n->lower) n->lower = m->lower;
    bool better = gz_nearest_is_better(n, m->upper, comes_first(n, m->triangle[0], m->triangle[1]));
    if (better) {
        n->found = n->any = true;
        n->upper = m->upper;
        memcpy(n->triangle, m->triangle, sizeof m->triangle);
        memcpy(n->point, m->point, sizeof m->point);
        memcpy(n->normal, m->normal, sizeof m->normal);
    }
    if (n->tie > 0 && m->upper <= n->upper + n->tie) note_tie(n, m);
    return better;
}

/// A solid and a triangle; the solid is a where `solid_first`.
static measured measure_solid(const gz_curved *s, const gz_placed *mesh, int64_t triangle,
                              bool solid_first, bool ties) {
    measured m = {.triangle = {solid_first ? -1 : triangle, solid_first ? triangle : -1}};
    double t[3][3], point[2][3], axis[2][3];
    gz_triangle_snap(mesh->shape->mesh, mesh->pose, (uint32_t)triangle, t);
    m.upper = gz_curved_triangle_distance(s, GZ_CORNERS(t), point, m.normal, &m.lower);
    if (ties)
        m.flat = has_cap_along(s, m.normal) ||
                 is_flat((const double(*)[3])axis, axis_of(s, axis), GZ_CORNERS(t), 3, m.normal);
    memcpy(m.point[solid_first ? 0 : 1], point[0], sizeof point[0]);
    memcpy(m.point[solid_first ? 1 : 0], point[1], sizeof point[0]);
    for (int k = 0; k < 3 && !solid_first; k++) m.normal[k] = -m.normal[k];
    return m;
}

static measured measure_solids(const gz_placed *a, const gz_placed *b, bool ties) {
    measured m = {.triangle = {-1, -1}};
    double p[2][3], q[2][3];
    gz_curved s = gz_shape_place_curved(a->shape, a->pose),
              t = gz_shape_place_curved(b->shape, b->pose);
    m.upper = gz_curved_pair_distance(&s, &t, m.point, m.normal, &m.lower);
    if (ties)
        m.flat = has_cap_along(&s, m.normal) || has_cap_along(&t, m.normal) ||
                 is_flat((const double(*)[3])p, axis_of(&s, p), (const double(*)[3])q,
                         axis_of(&t, q), m.normal);
    return m;
}

bool gz_nearest_has_rivals(const gz_nearest *n) {
    int first = -1;
    for (int i = 0; i < n->tie_count; i++) {
        if (n->ties[i].upper > n->upper + n->tie) continue;
        if (n->ties[i].flat) return true;
        if (first < 0) first = i;
        if (gz_nearest_differs((const double(*)[3])n->ties[i].point,
                               (const double(*)[3])n->ties[first].point, 2 * GZ_NEAREST_SAME))
            return true;
    }
    return false;
}

/// Whether two triangles cannot be better: they come after what was found, and by the gap along its
/// normal are in no cell below its own. Where ties are wanted they still may be rivals, which is of
/// no use as soon as there are some.
static bool cannot_be_better(gz_nearest *n, const measured *m, const double a[3][3],
                             const double b[3][3]) {
    if (!n->any || comes_first(n, m->triangle[0], m->triangle[1])) return false;
    if (n->tie > 0 && !gz_nearest_has_rivals(n)) return false;
    double gap = gz_triangles_gap(a, b, n->normal);
    if (gz_nearest_cell(gap) < gz_nearest_cell(n->upper)) return false;
    if (n->tie > 0) n->skipped = fmin(n->skipped, gap);
    return true;
}

/// Measures two triangles, of which the corners of the first are given, unless they cannot be
/// better; then false.
static bool measure_triangles(const double x[3][3], const gz_placed *b, gz_nearest *n,
                              measured *m) {
    double y[3][3];
    gz_triangle_snap(b->shape->mesh, b->pose, (uint32_t)m->triangle[1], y);
    if (cannot_be_better(n, m, x, GZ_CORNERS(y))) return false;
    m->upper = gz_triangles_distance(x, GZ_CORNERS(y), m->point, m->normal, &m->lower);
    m->flat = n->tie > 0 && is_flat(x, 3, GZ_CORNERS(y), 3, m->normal);
    return true;
}

void gz_shapes_evaluate(const gz_placed *a, const gz_placed *b, int64_t triangle_a,
                        int64_t triangle_b, gz_nearest *nearest) {
    bool ties = nearest->tie > 0;
    measured m = {.triangle = {triangle_a, triangle_b}};
    if (a->shape->mesh && b->shape->mesh) {
        double x[3][3];
        gz_triangle_snap(a->shape->mesh, a->pose, (uint32_t)triangle_a, x);
        if (!measure_triangles(GZ_CORNERS(x), b, nearest, &m)) return;
    } else if (a->shape->mesh || b->shape->mesh) {
        bool first = !a->shape->mesh;
        gz_curved s = gz_shape_place_curved(first ? a->shape : b->shape, first ? a->pose : b->pose);
        m = measure_solid(&s, first ? b : a, first ? triangle_b : triangle_a, first, ties);
    } else {
        m = measure_solids(a, b, ties);
    }
    keep(nearest, &m);
}

// ---------------------------------------------------------------------------------------- searches

/// Farther apart than anything, metres; its square is a float.
#define FAR 1e15

static float limit_of(const gz_nearest *n) {
    double limit = gz_nearest_limit(n);
    if (limit > FAR) return INFINITY;
    return limit > 0 ? (float)(limit * GZ_ROUND_UP_TO_FLOAT) : 0;
}

void gz_candidates_start(gz_near_candidates *c, const gz_nearest *n) {
    c->limit = c->known = limit_of(n);
    c->most = (float)(n->most * (1 - 0x1p-20));
    c->estimate = INFINITY;
    c->shrink = (float)n->shrink;
    c->slack = (float)(fmin(n->slack, FAR) * (1 - 0x1p-20));
    c->tie = (float)((n->tie + GZ_NEAREST_CELL) * GZ_ROUND_UP_TO_FLOAT);
    c->count = 0;
    c->best.search = NULL;
}

/// Axes are rounded once; those in a's frame are their product with a rotation that was rounded
/// before, whose error they turn. With u and S as in kernel.c a place of b is off by 6 u rB per
/// coordinate (vertex, axes, products and sums), and one of a by 8 u rA + 5 u |t|. So a gap along a
/// direction n, with its own products and sums, is off by 14 u S |n|_1 at most, of which the pad of
/// triangles has 24.
void gz_near_aim(gz_tree_search *s, const double n[3]) {
    const double norm = gz_norm(n);
    const bool known = norm > 1e-100; // else squares may have lost digits
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (known) {
        // Duff et al. (2017), Building an orthonormal basis, revisited, JCGT 6 (1).
        const double x = n[0] / norm, y = n[1] / norm, z = n[2] / norm, sign = copysign(1, z),
                     a = -1 / (sign + z), b = x * y * a;
        memcpy(axes,
               (const double[3][3]){{1 + sign * x * x * a, sign * b, -sign * x},
                                    {b, sign + y * y * a, -y},
                                    {x, y, z}},
               sizeof axes);
    }
    for (int i = 0; i < 3; i++) {
        double shift = 0;
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++) turned += axes[i][k] * (double)s->pair.to_b[k][j];
            s->frame[0][i][j] = (float)turned;
            s->frame[1][i][j] = (float)axes[i][j];
            shift += axes[i][j] * (double)s->pair.to_b_shift[j];
        }
        s->shift[i] = (float)shift;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            s->direction[k][i] = known ? s->frame[k][2][i] * (1 - 1e-6f) : 0;
}

/// The direction to begin with: that of what was found, or from middle to middle.
static void start_direction(gz_shape_search *q) {
    double x[3], y[3], way[3], n[3];
    gz_transform_apply(q->a.pose, GZ_ARRAY3(q->a.shape->sphere.center), x);
    gz_transform_apply(q->b.pose, GZ_ARRAY3(q->b.shape->sphere.center), y);
    gz_subtract(y, x, way);
    gz_transform_unrotate(q->b.pose, q->nearest->aimed ? q->nearest->normal : way, n);
    gz_near_aim(&q->search, n);
    if (q->nearest->aimed) q->search.estimate = (float)(q->nearest->upper * q->nearest->upper);
}

static bool measure_candidate(gz_shape_search *q, measured *m) {
    if (!q->search.pair.b) {
        *m = measure_solid(&q->solid, q->solid_first ? &q->b : &q->a, m->triangle[0],
                           q->solid_first, q->nearest->tie > 0);
        return true;
    }
    if (q->snapped != m->triangle[0])
        gz_triangle_snap(q->a.shape->mesh, q->a.pose, (uint32_t)m->triangle[0], q->corners);
    q->snapped = m->triangle[0];
    return measure_triangles(GZ_CORNERS(q->corners), &q->b, q->nearest, m);
}

static void evaluate_pair(gz_tree_search *s, uint32_t a, uint32_t b) {
    gz_shape_search *q = s->user;
    measured m = {.triangle = {a, b}};
    if (q->begin) q->begin(q);
    if (!measure_candidate(q, &m)) return;
    if (!keep(q->nearest, &m)) return;
    if (q->took) q->took(q);
    gz_candidates_lower(s->candidates, limit_of(q->nearest));
}

void gz_shape_search_start(gz_shape_search *q, gz_near_candidates *candidates, uint64_t *left) {
    const graze_mesh *x = q->a.shape->mesh, *y = q->b.shape->mesh;
    gz_tree_search *s = &q->search;
    s->evaluate = evaluate_pair;
    s->user = q;
    s->left = left;
    q->snapped = -1;
    s->candidates = candidates;
    s->round = 0;
    s->unseen = s->estimate = INFINITY;
    s->trees_only = q->nearest->trees_only;
    if (x && y) {
        gz_tree_pair_prepare(&s->pair, x, q->a.pose, y, q->b.pose, false);
        start_direction(q);
        return;
    }
    q->solid_first = !x;
    const gz_placed *mesh = x ? &q->a : &q->b, *solid = x ? &q->b : &q->a;
    q->solid = gz_shape_place_curved(solid->shape, solid->pose);
    gz_rounded_box box = gz_rounded_box_make(&q->solid, 0, mesh->pose, mesh->shape->mesh);
    s->pair.a = mesh->shape->mesh;
    s->pair.b = NULL;
    s->solid = box.axis;
    s->round = box.radius;
}

void gz_shapes_nearest(const gz_placed *a, const gz_placed *b, const gz_distance_kernels *kernels,
                       gz_nearest *nearest, uint64_t *left, graze_stats *stats) {
    stats->geometry_pairs++;
    if (!gz_work_take(left, GZ_WORK_PAIR)) {
        nearest->unseen = 0;
        return;
    }
    if (!a->shape->mesh && !b->shape->mesh) {
        stats->shape_tests++;
        measured m = measure_solids(a, b, nearest->tie > 0);
        keep(nearest, &m);
        return;
    }
    gz_near_candidates candidates;
    gz_shape_search q = {.a = *a, .b = *b, .nearest = nearest};
    gz_candidates_start(&candidates, nearest);
    gz_shape_search_start(&q, &candidates, left);
    kernels->below(&q.search, kernels->begin(&q.search), stats);
    kernels->finish(&candidates, stats);
    if ((double)q.search.unseen < nearest->unseen) nearest->unseen = (double)q.search.unseen;
}
