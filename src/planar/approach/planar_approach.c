// Closest point of approach of two shapes that translate, one pair or batches. First the partial
// Minkowski chain: which feature of A - B a moving point hits.
//
// Method and error are those of docs/planar.md: in axes along the motion (u) and to its left (w), a
// chain of edges merged from those that face it, and the feature over which g = w + n_w R passes 0.

#include <math.h>

#include "base/float_environment.h"
#include "planar/approach/approach_internal.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

/// One shape in the axes of the motion. B is negated, by half a turn, which keeps its order.
typedef struct outline {
    const graze_planar_shape *shape;
    graze_vec2 origin;
    double c, s; ///< the direction, negated for B
    int count;
} outline;

static inline graze_vec2 outline_axes(const outline *o, graze_vec2 v) {
    return (graze_vec2){o->c * v.x + o->s * v.y, o->c * v.y - o->s * v.x};
}

static inline graze_vec2 outline_vertex(const outline *o, int i) {
    return outline_axes(o, gz_vec2_minus(o->shape->vertices[i], o->origin));
}

// From the vertices' own difference, not from their turned places: however short an edge is, its
// direction, and so its place in the order and the sign of its w, is right to a few roundings.
static inline graze_vec2 outline_edge(const outline *o, int i) {
    graze_vec2 to = o->shape->vertices[gz_planar_next(i, o->count)];
    return outline_axes(o, gz_vec2_minus(to, o->shape->vertices[i]));
}

// Where the chain begins: the vertex of highest w, of equals the one of least u.
static inline int chain_start(const outline *o) {
    int best = 0;
    double top = -INFINITY;
    for (int i = 0; i < o->count; i++) {
        double w = outline_vertex(o, i).y;
        best = w > top ? i : best;
        top = w > top ? w : top;
    }
    // Rounding may have chosen a neighbour that is as high but for it. The edges decide: one that
    // rises leads on, one that falls before leads back.
    for (int left = o->count; left > 1; left--) {
        graze_vec2 next = outline_edge(o, best);
        if (!(next.y > 0 || (next.y == 0 && next.x < 0))) break;
        best = gz_planar_next(best, o->count);
    }
    for (int left = o->count; left > 2; left--) {
        int before = best > 0 ? best - 1 : o->count - 1;
        if (!(outline_edge(o, before).y < 0)) break;
        best = before;
    }
    return best;
}

/// The chain at one vertex: which vertices of A and of B, and the edge that follows.
typedef struct chain {
    outline a, b;
    int i, j;
    graze_vec2 ea, eb; ///< the edges that follow on each
    double u, w;       ///< the vertex
    double eu, ew;     ///< the edge; ew < 0
    bool of_a;         ///< the edge is A's
} chain;

static inline void chain_vertex(chain *c) {
    graze_vec2 p = outline_vertex(&c->a, c->i), q = outline_vertex(&c->b, c->j);
    c->u = p.x + q.x;
    c->w = p.y + q.y;
}

// The next edge that faces the motion; false at the end of the chain.
static inline bool chain_edge(chain *c) {
    graze_vec2 a = c->ea, b = c->eb;
    if (!(a.y < 0 || b.y < 0)) return false;
    c->of_a = a.y < 0 && (!(b.y < 0) || a.x * b.y - a.y * b.x > 0);
    c->eu = c->of_a ? a.x : b.x;
    c->ew = c->of_a ? a.y : b.y;
    return true;
}

static inline void chain_advance(chain *c) {
    if (c->of_a) {
        c->i = gz_planar_next(c->i, c->a.count);
        c->ea = outline_edge(&c->a, c->i);
    } else {
        c->j = gz_planar_next(c->j, c->b.count);
        c->eb = outline_edge(&c->b, c->j);
    }
    chain_vertex(c);
}

typedef struct contact {
    double s;            ///< along the edge, in [0, 1]; 0 at a vertex
    double nu, nw;       ///< normal
    double before, past; ///< g at the two ends of the feature, before >= 0 >= past where it is hit
} contact;

// Half the chord of a circle at w from its middle, |w| < r. Squares of the smallest would vanish.
static double half_chord(double r, double w) {
    if (r < 0x1p-400) return 0x1p-600 * half_chord(0x1p600 * r, 0x1p600 * w);
    return sqrt((r - w) * (r + w));
}

// Contact with a vertex, or passing it: the circle of radius r about it.
static void vertex_contact(const chain *c, double r, bool alone, gz_approach_line *line,
                           contact *out) {
    double w = c->w, away = fabs(w) - r;
    // g passes 0 over a vertex that is hit. |w| may still be more than r: g was taken from the end
    // of the edge before, which is this vertex but for rounding.
    line->hit = out->before >= 0 && out->past <= 0;
    line->gap = !line->hit && away > 0 ? away : 0;
    double depth = away < 0 ? half_chord(r, w) : 0;
    line->entry = c->u - depth;
    out->s = 0;
    out->nu = 0;
    out->nw = w < 0 ? 1 : -1;
    if (away > 0) return;
    // Without a radius only the chain's first vertex is ever hit: a corner touched sideways, or the
    // difference of two points.
    if (r > 0)
        out->nu = -depth / r, out->nw = -w / r;
    else if (alone)
        out->nu = -1, out->nw = 0;
    else
        out->nw = 1;
}

static void edge_contact(const chain *c, double r, double length, double k, gz_approach_line *line,
                         contact *out) {
    double s = (c->w + k) / -c->ew;
    out->s = s < 0 ? 0 : s < 1 ? s : 1;
    out->nu = c->ew / length;
    out->nw = -c->eu / length;
    line->hit = true;
    line->gap = 0;
    line->entry = c->u + out->s * c->eu + out->nu * r;
}

static bool walk(chain *c, double r, gz_approach_line *line, contact *out) {
    bool alone = true;
    out->before = c->w + r; // g before the first vertex: its normals begin at +w
    // One edge of A or of B a round; the count stops shapes that are not convex.
    for (int left = c->a.count + c->b.count; left > 0 && out->before >= 0; left--) {
        if (!chain_edge(c)) break;
        bool first = alone;
        alone = false;
        double length = sqrt(c->eu * c->eu + c->ew * c->ew);
        double k = r > 0 ? -c->eu * (r / length) : 0;
        double at_start = c->w + k, at_end = c->w + c->ew + k;
        // Without a radius a later vertex is no feature of its own: the edge before it ended at
        // w > 0, it lies at w <= 0 by rounding, and this edge is hit at its start.
        if (at_start <= 0 && (first || r > 0)) {
            out->past = at_start;
            vertex_contact(c, r, false, line, out);
            return false;
        }
        if (at_end <= 0) {
            edge_contact(c, r, length, k, line, out);
            return true;
        }
        out->before = at_end;
        chain_advance(c);
    }
    out->past = c->w - r;
    vertex_contact(c, r, alone, line, out);
    return false;
}

void gz_approach_line_find(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_vec2 direction, double radius, gz_approach_line *line) {
    // About A's first vertex, so that far from the origin only what is far apart is long.
    graze_vec2 origin = a->vertices[0];
    chain c = {.a = {a, origin, direction.x, direction.y, a->count},
               .b = {b, origin, -direction.x, -direction.y, b->count}};
    c.i = chain_start(&c.a);
    c.j = chain_start(&c.b);
    c.ea = outline_edge(&c.a, c.i);
    c.eb = outline_edge(&c.b, c.j);
    chain_vertex(&c);
    contact at;
    bool edge = walk(&c, radius, line, &at);
    line->normal = (graze_vec2){direction.x * at.nu - direction.y * at.nw,
                                direction.y * at.nu + direction.x * at.nw};
    line->inner_a = a->vertices[c.i];
    line->inner_b = b->vertices[c.j];
    if (!edge) return;
    // The foot on the edge, from the vertices themselves.
    const graze_planar_shape *side = c.of_a ? a : b;
    int from = c.of_a ? c.i : c.j, to = gz_planar_next(from, side->count);
    graze_vec2 p = side->vertices[from], way = gz_vec2_minus(side->vertices[to], p);
    *(c.of_a ? &line->inner_a : &line->inner_b) = gz_vec2_add_scaled(p, at.s, way);
}

bool gz_approach_direction(graze_vec2 v, graze_vec2 *direction, double *speed) {
    *speed = 0;
    *direction = (graze_vec2){1, 0};
    double square = gz_vec2_dot(v, v);
    if (!(square >= GZ_APPROACH_REST * GZ_APPROACH_REST)) return false;
    *speed = sqrt(square);
    *direction = (graze_vec2){v.x / *speed, v.y / *speed};
    return true;
}

double gz_approach_extent(const graze_planar_shape *shape) {
    double largest = shape->radius;
    for (int i = 0; i < shape->count; i++)
        largest = fmax(largest, fmax(fabs(shape->vertices[i].x), fabs(shape->vertices[i].y)));
    return largest;
}

graze_status gz_approach_check(const graze_planar_shape *a, graze_vec2 velocity_a,
                               const graze_planar_shape *b, graze_vec2 velocity_b) {
    if (a == NULL || b == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!gz_planar_count_ok(a) || !gz_planar_count_ok(b)) return GRAZE_ERROR_ARGUMENT;
    bool fine = gz_planar_shape_in_range(a) && gz_planar_shape_in_range(b) && a->radius >= 0 &&
                b->radius >= 0 && gz_planar_point_ok(velocity_a) && gz_planar_point_ok(velocity_b);
    return fine ? GRAZE_OK : GRAZE_ERROR_RANGE;
}

// ---------------------------------------------------------------------------------- one pair

// Within this part of the largest length, rounding cannot separate contact from a gap: a pair that
// close, and moving in by the chain, touches. 16 units: two of the coordinates' differences, one
// each of the projections, and the distance's own bound in the units of its operands.
#define TOUCH 0x1p-49

// The answer for one given time, with B's velocity relative to A: the signed distance there.
static graze_status answer_at(const graze_planar_shape *a, graze_vec2 velocity_a,
                              const graze_planar_shape *b, graze_vec2 v, double time,
                              graze_planar_approach_result *out) {
    graze_planar_shape moved;
    if (time > 0) {
        gz_planar_place(&moved, b, (graze_vec2){0, 0}, 1, 0, (graze_vec2){v.x * time, v.y * time});
        if (!gz_planar_shape_in_range(&moved)) return GRAZE_ERROR_RANGE;
        b = &moved;
    }
    graze_planar_result d;
    gz_planar_distance_in_range(a, b, &d);
    out->time = time;
    out->distance = d.distance;
    out->hit = d.distance <= 0;
    out->normal = d.normal;
    out->point_a = gz_vec2_add_scaled(d.point_a, time, velocity_a);
    out->point_b = gz_vec2_add_scaled(d.point_b, time, velocity_a);
    return GRAZE_OK;
}

// Whether the answer now is that of the whole time: the shapes overlap, or are apart and part. f is
// convex, and its slope now is n.v, n the exact normal. The distance d that was found is that of
// two points and at most e = 2^-45 s above the exact one, s the largest length; so their vector
// differs from the exact one by at most sqrt(2 d e), the difference being convex, and the normal
// from n by sqrt(2 e / d): by less than 2^-11 where d > 2^-20 s.
static bool holds_later(const graze_planar_shape *a, const graze_planar_shape *b, graze_vec2 v,
                        double speed, const graze_planar_approach_result *now) {
    double d = now->distance, squares = gz_planar_squares(a) + gz_planar_squares(b);
    return d * d > 0x1p-40 * squares && (d < 0 || gz_vec2_dot(now->normal, v) > 0x1p-11 * speed);
}

GZ_OUT_OF_LINE graze_status gz_planar_approach_of_any(const graze_planar_shape *a,
                                                      graze_vec2 velocity_a,
                                                      const graze_planar_shape *b,
                                                      graze_vec2 velocity_b, double horizon,
                                                      graze_planar_approach_result *out) {
    GZ_TRY(gz_approach_check(a, velocity_a, b, velocity_b));
    if (!(horizon >= 0)) return GRAZE_ERROR_RANGE;
    graze_vec2 direction, v = gz_vec2_minus(velocity_b, velocity_a);
    double speed;
    graze_planar_approach_result now;
    bool rests = !gz_approach_direction(v, &direction, &speed);
    // Where the first vertices part, the line would mostly lead to the distance now.
    bool tried = rests || gz_vec2_dot(gz_vec2_minus(b->vertices[0], a->vertices[0]), v) >= 0;
    if (tried) GZ_TRY(answer_at(a, velocity_a, b, v, 0, &now));
    if (rests || (tried && holds_later(a, b, v, speed, &now))) {
        *out = now;
        return GRAZE_OK;
    }
    gz_approach_line line;
    gz_approach_line_find(a, b, direction, a->radius + b->radius, &line);
    // f is convex: before the line's entry (or its nearest place) it falls, so that what lies
    // outside the time is answered at the nearer end. An entry in the past leaves three cases to
    // the distance now: overlapping, touching, and past it.
    double t = line.entry / speed;
    if (t > horizon) return answer_at(a, velocity_a, b, v, horizon, out);
    if (!(t > 0)) {
        if (!tried) GZ_TRY(answer_at(a, velocity_a, b, v, 0, &now));
        if (line.hit && now.distance > 0 &&
            now.distance <= TOUCH * fmax(gz_approach_extent(a), gz_approach_extent(b)))
            now.distance = 0, now.hit = true;
        *out = now;
        return GRAZE_OK;
    }
    graze_vec2 on_a = gz_vec2_add_scaled(line.inner_a, t, velocity_a), n = line.normal;
    graze_vec2 on_b = gz_vec2_add_scaled(gz_vec2_add_scaled(line.inner_b, t, v), t, velocity_a);
    on_a = gz_vec2_add_scaled(on_a, a->radius, n);
    on_b = gz_vec2_add_scaled(on_b, -b->radius, n);
    *out = (graze_planar_approach_result){t, line.gap, line.hit, n, on_a, on_b};
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------- batches

graze_status graze_planar_approach_batch(const graze_planar_array *a, const graze_planar_array *b,
                                         const double *vx, const double *vy, double horizon,
                                         double *times, double *distances) {
    GZ_FLOAT_ENVIRONMENT;
    size_t count;
    if (a == NULL || b == NULL) return GRAZE_ERROR_ARGUMENT;
    if (a->kind == GRAZE_PLANAR_POLYGON || b->kind == GRAZE_PLANAR_POLYGON)
        return GRAZE_ERROR_UNSUPPORTED;
    if (!gz_planar_arrays_ok(a, b, &count)) return GRAZE_ERROR_ARGUMENT;
    if (!(horizon >= 0)) return GRAZE_ERROR_RANGE;
    if (count == 0) return GRAZE_OK;
    if (!vx || !vy || !times || !distances) return GRAZE_ERROR_ARGUMENT;
    const gz_planar_kernels *kernels = gz_planar_kernels_for(gz_isa_choose());
    gz_pair_job job = {.exchanged = a->kind > b->kind, .count = count, .distances = distances};
    job.a = job.exchanged ? b : a;
    job.b = job.exchanged ? a : b;
    job.times = times;
    job.vx = vx;
    job.vy = vy;
    job.horizon = horizon;
    job.loop = kernels->approach[job.a->kind][job.b->kind];
    gz_pairs_run(&job);
    return GRAZE_OK;
}
