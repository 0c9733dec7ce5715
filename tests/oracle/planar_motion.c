#include "planar_motion.h"

#include <math.h>

typedef struct outline {
    long double x[GRAZE_PLANAR_VERTEX_MAX], y[GRAZE_PLANAR_VERTEX_MAX];
    int count;
} outline;

static void place(const graze_planar_shape *s, const planar_motion *m, const long double shift[2],
                  const long double push[2], long double t, outline *out) {
    out->count = s->count;
    for (int i = 0; i < s->count; i++) {
        out->x[i] = s->vertices[i].x + shift[0] + t * (m->velocity.x + push[0]);
        out->y[i] = s->vertices[i].y + shift[1] + t * (m->velocity.y + push[1]);
    }
}

// From vertices of q to edges of p: the least squared distance, and the greatest separation by p's
// edges. Searches call it some hundred times a case, so roots and divisions are taken once an edge.
static void one_way(const outline *p, const outline *q, long double *nearest, long double *parted) {
    for (int i = 0; i < p->count; i++) {
        int k = i + 1 < p->count ? i + 1 : 0;
        long double ex = p->x[k] - p->x[i], ey = p->y[k] - p->y[i], ee = ex * ex + ey * ey;
        long double least = INFINITY, foot = INFINITY;
        for (int j = 0; j < q->count; j++) {
            long double x = q->x[j] - p->x[i], y = q->y[j] - p->y[i];
            long double along = x * ex + y * ey, outside = ey * x - ex * y;
            if (outside < least) least = outside;
            if (along > 0 && along < ee) {
                long double square = outside * outside;
                if (square < foot) foot = square;
                continue;
            }
            if (along > 0) x -= ex, y -= ey; // beyond the edge's second end
            long double square = x * x + y * y;
            if (square < *nearest) *nearest = square;
        }
        if (!(ee > 0) || p->count == 1) continue;
        if (foot / ee < *nearest) *nearest = foot / ee;
        least /= sqrtl(ee);
        if (least > *parted) *parted = least;
    }
}

long double planar_distance_at(const planar_moving *m, long double t) {
    static const long double none[2] = {0, 0};
    outline a, b;
    place(m->a, &m->ma, none, none, t, &a);
    place(m->b, &m->mb, m->shift, m->push, t, &b);
    long double nearest = INFINITY, parted = -INFINITY;
    one_way(&a, &b, &nearest, &parted);
    one_way(&b, &a, &nearest, &parted);
    bool inside = parted < 0 && parted > -INFINITY;
    return (inside ? parted : sqrtl(nearest)) - (long double)m->a->radius - m->b->radius;
}

// Golden section's rounds: 0.618^92 is 6e-20.
#define ROUNDS 92
// How far to both sides of a guess a minimum or a root is looked for first.
#define NEAR 1e-3L

static long double golden(const planar_moving *m, long double low, long double high, int rounds,
                          long double *when) {
    const long double ratio = 0.61803398874989484820L;
    long double x = high - ratio * (high - low), y = low + ratio * (high - low);
    long double fx = planar_distance_at(m, x), fy = planar_distance_at(m, y);
    for (int i = 0; i < rounds; i++) {
        if (fx <= fy) { // equal: the earlier
            high = y, y = x, fy = fx;
            fx = planar_distance_at(m, x = high - ratio * (high - low));
        } else {
            low = x, x = y, fx = fy;
            fy = planar_distance_at(m, y = low + ratio * (high - low));
        }
    }
    *when = fx <= fy ? x : y;
    return fx <= fy ? fx : fy;
}

long double planar_least(const planar_moving *m, long double end, long double *when) {
    long double at_0 = planar_distance_at(m, 0), at_end = planar_distance_at(m, end);
    long double least = end > 0 ? golden(m, 0, end, ROUNDS, when) : INFINITY;
    if (at_end < least) least = at_end, *when = end;
    if (at_0 <= least) least = at_0, *when = 0;
    return least;
}

static long double bisect(const planar_moving *m, long double low, long double high) {
    for (int i = 0; i < 80; i++) {
        long double middle = (low + high) / 2;
        if (middle <= low || middle >= high) break; // neighbours
        *(planar_distance_at(m, middle) > 0 ? &low : &high) = middle;
    }
    return high;
}

long double planar_root(const planar_moving *m, long double end) {
    // Where the difference of the shapes has no inside, the least distance is 0 and the root
    // itself.
    long double when = 0, least = planar_least(m, end, &when);
    return least < -1e-15L ? bisect(m, 0, when) : when;
}

long double planar_least_near(const planar_moving *m, long double end, long double guess) {
    // A convex function that is no less on both sides of the guess has its minimum between them.
    long double low = fmaxl(guess - NEAR, 0), high = fminl(guess + NEAR, end), when = 0;
    long double at = planar_distance_at(m, guess);
    long double before = planar_distance_at(m, low), behind = planar_distance_at(m, high);
    bool between = (low <= 0 || before >= at) && (high >= end || behind >= at);
    if (!between) return planar_least(m, end, &when);
    // 0.618^64 of 2 NEAR is 8e-17.
    return fminl(fminl(before, behind), golden(m, low, high, 64, &when));
}

long double planar_root_near(const planar_moving *m, long double end, long double guess) {
    // Positive before 0 or less: as a convex function it comes to its first root between the two.
    long double low = fmaxl(guess - NEAR, 0), high = fminl(guess + NEAR, end);
    bool between = planar_distance_at(m, low) > 0 && planar_distance_at(m, high) <= 0;
    return between ? bisect(m, low, high) : planar_root(m, end);
}

planar_found planar_search(const planar_moving *m, long double end, int steps) {
    planar_found out = {.time = 0, .value = planar_distance_at(m, 0)};
    if (out.value <= 0) return (planar_found){0, out.value, true, 0};
    long double step = end / steps;
    int best = 0;
    for (int i = 1; i <= steps && end > 0; i++) {
        long double t = i < steps ? i * step : end, f = planar_distance_at(m, t);
        if (f <= 0) {
            out.hit = true;
            out.first = out.time = bisect(m, (i - 1) * step, t);
            out.value = 0;
            return out;
        }
        if (f < out.value) out.value = f, out.time = t, best = i;
    }
    if (!(end > 0)) return out;
    long double low = best > 0 ? (best - 1) * step : 0, when = 0;
    long double high = best < steps ? (best + 1) * step : end,
                least = golden(m, low, high, ROUNDS, &when);
    if (least <= 0) {
        out.hit = true;
        out.first = out.time = bisect(m, low, when);
        out.value = 0;
    } else if (least < out.value) {
        out.value = least;
        out.time = when;
    }
    return out;
}

double planar_scale(const planar_moving *m, double t) {
    double s = 0;
    for (int k = 0; k < 2; k++) {
        const graze_planar_shape *shape = k ? m->b : m->a;
        const planar_motion *o = k ? &m->mb : &m->ma;
        s = fmax(s, shape->radius);
        for (int i = 0; i < shape->count; i++)
            s = fmax(s, fmax(fabs(shape->vertices[i].x), fabs(shape->vertices[i].y)));
        s = fmax(s, t * fmax(fabs(o->velocity.x), fabs(o->velocity.y)));
    }
    return s;
}
