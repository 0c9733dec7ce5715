// Samples are uniform in the limits of the pair's own numbers: what they say of its probability is
// said of these. From the nearest of them a search goes towards contact: random steps, longer after
// one that has led nearer, shorter after one that has not (a (1+1) evolution strategy with the
// success rule, Rechenberg 1973). There is no distance to be had, only whether the pair is farther
// apart than a margin; so a place is nearer when it is not, at a little less than the best
// distance.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/matrix_internal.h"
#include "narrow/triangle/triangle.h"

enum { FIRST_SAMPLES = 256, QUICK_SAMPLES = 64, CORNERS = 64 };

/// Below this the exact verdict decides, metres.
#define SMALLEST_DISTANCE 1e-9

bool gz_matrix_case_note(gz_matrix_case *c, const gz_matrix_scratch *scratch, bool collides) {
    graze_matrix_entry *e = c->entry;
    const double **place = collides ? &e->witness : &e->apart;
    if (collides) c->apart_only = false;
    if (*place) return true;
    double *q = gz_malloc(scratch->checker->robot->column_count, sizeof *q);
    if (!q) return false;
    gz_matrix_pair_configuration(scratch, q);
    *place = q;
    return true;
}

// ----------------------------------------------------------------------------------- first looks

/// Poses the pair, checks it and takes note.
static bool try_at(gz_matrix_case *c, gz_matrix_scratch *scratch, const double *x, bool *collides) {
    gz_matrix_pair_pose(scratch, &c->pair, x);
    *collides = gz_matrix_pair_collides(scratch, &c->pair, 0);
    return !scratch->valid || gz_matrix_case_note(c, scratch, *collides);
}

/// A quaternion must not be 0; any other is normalised on use.
static void fix_quaternion(const gz_matrix_scratch *scratch, gz_matrix_case *c, double *x) {
    const graze_robot *r = scratch->checker->robot;
    for (int32_t i = 0; i + 3 < c->pair.variable_count; i++) {
        int32_t column = c->pair.variables[i].column;
        const graze_joint_info *info = &r->joints[r->column_joints[column]].info;
        if (info->type != GRAZE_JOINT_FLOATING || column != info->q_index + 3) continue;
        double *w = x + i;
        if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3] < 1e-6) w[3] = 1;
    }
}

/// Corner `index` of the limits; at random where there are too many to go through.
static void corner_at(gz_matrix_case *c, gz_random *random, int32_t index, double *x) {
    bool all = c->pair.variable_count <= 6;
    for (int32_t i = 0; i < c->pair.variable_count; i++) {
        const gz_matrix_variable *v = &c->pair.variables[i];
        bool high = all ? (index >> i & 1) != 0 : gz_random_next(random) >> 63 != 0;
        x[i] = high ? v->high : v->low;
    }
}

/// Whether no more looks are needed: of a quick matrix, once a contact and a place apart are known.
static bool is_settled(const gz_matrix_case *c, const graze_matrix_options *options) {
    const graze_matrix_entry *e = c->entry;
    return options->quick > 0 && (e->adjacent || (e->apart && e->witness));
}

static bool try_corners(gz_matrix_case *c, gz_matrix_scratch *scratch,
                        const graze_matrix_options *options) {
    gz_random random = gz_random_make(options->seed ^ UINT64_C(0x636f726e65720000),
                                      (uint64_t)c->pair.a << 32 | (uint32_t)c->pair.b);
    int32_t n = c->pair.variable_count, count = n <= 6 ? 1 << n : CORNERS;
    bool collides;
    for (int32_t i = 0; i < count && !is_settled(c, options); i++) {
        corner_at(c, &random, i, scratch->values);
        c->entry->searched++;
        if (!try_at(c, scratch, scratch->values, &collides)) return false;
    }
    for (int32_t i = 0; i < n; i++)
        scratch->values[i] = c->pair.variables[i].low / 2 + c->pair.variables[i].high / 2;
    fix_quaternion(scratch, c, scratch->values);
    c->entry->searched++;
    return try_at(c, scratch, scratch->values, &collides);
}

static void draw(gz_matrix_case *c, gz_matrix_scratch *scratch, double *x) {
    for (int32_t i = 0; i < c->pair.variable_count; i++)
        x[i] = gz_random_range(&c->random, c->pair.variables[i].low, c->pair.variables[i].high);
    fix_quaternion(scratch, c, x);
}

bool gz_matrix_case_start(gz_matrix_case *c, gz_matrix_scratch *scratch,
                          const graze_matrix_options *options) {
    graze_matrix_entry *e = c->entry;
    for (int32_t i = 0; i < c->pair.variable_count; i++)
        scratch->values[i] = scratch->rest[c->pair.variables[i].column];
    if (!try_at(c, scratch, scratch->values, &e->rest_collides)) return false;
    if (c->pair.variable_count == 0 || is_settled(c, options)) return true;
    if (!try_corners(c, scratch, options)) return false;
    // Where all collide the claim is "always", and rests on all samples; a pair of which both is
    // known already needs no more than the first to tell how often.
    uint64_t first = options->quick > 0 ? QUICK_SAMPLES : FIRST_SAMPLES;
    if (first > options->samples) first = options->samples;
    while (e->samples < first || (!e->apart && !e->adjacent && e->samples < options->samples)) {
        if (is_settled(c, options)) break;
        bool collides;
        draw(c, scratch, scratch->values);
        if (!try_at(c, scratch, scratch->values, &collides)) return false;
        e->samples++;
        e->collisions += collides;
        if (gz_matrix_scratch_cancelled(scratch)) break;
    }
    return true;
}

// -------------------------------------------------------------------------------------- distances

/// How far apart the pair is as posed, from below: it collides at `above`. 0 when it touches.
static double distance_below(gz_matrix_scratch *scratch, const gz_matrix_pair *p, double above) {
    double low = above;
    do {
        above = low;
        low /= 2;
        if (low < SMALLEST_DISTANCE) {
            if (gz_matrix_pair_collides(scratch, p, 0)) return 0;
            return SMALLEST_DISTANCE / 2;
        }
    } while (gz_matrix_pair_collides(scratch, p, low));
    for (int i = 0; i < 4; i++) {
        double middle = (low + above) / 2;
        if (gz_matrix_pair_collides(scratch, p, middle))
            above = middle;
        else
            low = middle;
    }
    return low;
}

static bool make_starts(gz_matrix_case *c) {
    size_t n = (size_t)c->pair.variable_count;
    c->coordinates = gz_malloc((GZ_MATRIX_STARTS + 1) * n, sizeof *c->coordinates);
    if (!c->coordinates) return false;
    for (size_t i = 0; i < GZ_MATRIX_STARTS; i++) c->starts[i].x = c->coordinates + i * n;
    return true;
}

/// Keeps a place that is nearer than the farthest of those kept, which are sorted.
static void keep_start(gz_matrix_case *c, const double *x, double distance) {
    int at = c->start_count < GZ_MATRIX_STARTS ? c->start_count++ : GZ_MATRIX_STARTS - 1;
    double *place = c->starts[at].x;
    for (; at > 0 && c->starts[at - 1].distance > distance; at--) c->starts[at] = c->starts[at - 1];
    c->starts[at] = (gz_matrix_start){place, distance};
    memcpy(place, x, (size_t)c->pair.variable_count * sizeof *x);
}

/// Looks at a place that does not touch: is it among the nearest? *distance is 0 on contact.
static void try_near(gz_matrix_case *c, gz_matrix_scratch *scratch, const double *x,
                     bool *touches) {
    gz_matrix_pair_pose(scratch, &c->pair, x);
    double above = gz_matrix_pair_span(scratch, &c->pair) * (1 + 1e-9) + SMALLEST_DISTANCE;
    above = fmin(above, GZ_MARGIN_MAX);
    *touches = false;
    if (c->start_count == GZ_MATRIX_STARTS) {
        above = c->starts[GZ_MATRIX_STARTS - 1].distance;
        if (!gz_matrix_pair_collides(scratch, &c->pair, above)) return;
    }
    double distance = distance_below(scratch, &c->pair, above);
    *touches = distance == 0;
    if (!*touches) keep_start(c, x, distance);
}

// ----------------------------------------------------------------------------------------- search

static double clamped(double x, const gz_matrix_variable *v) {
    return x < v->low ? v->low : x > v->high ? v->high : x;
}

/// A step of at most `length` of each range; half of the steps move one variable only.
static void step_from(const gz_matrix_case *c, gz_random *random, const double *x, double length,
                      double *out) {
    int32_t n = c->pair.variable_count;
    int32_t only = (int32_t)gz_random_below(random, 2 * (uint32_t)n);
    for (int32_t i = 0; i < n; i++) {
        const gz_matrix_variable *v = &c->pair.variables[i];
        double step = gz_random_range(random, -1, 1) * length * (v->high - v->low);
        out[i] = only < n && only != i ? x[i] : clamped(x[i] + step, v);
    }
}

static bool search_from(gz_matrix_case *c, gz_matrix_scratch *scratch, gz_matrix_start *start,
                        gz_random *random, uint64_t steps) {
    double length = 0.1, *x = scratch->values;
    for (uint64_t i = 0; i < steps && start->distance > SMALLEST_DISTANCE; i++) {
        step_from(c, random, start->x, length, x);
        c->entry->searched++;
        if (gz_matrix_scratch_cancelled(scratch)) return true;
        gz_matrix_pair_pose(scratch, &c->pair, x);
        double nearer = 0.98 * start->distance;
        if (!gz_matrix_pair_collides(scratch, &c->pair, nearer)) {
            length = fmax(0.93 * length, 1e-5);
            continue;
        }
        start->distance = distance_below(scratch, &c->pair, nearer);
        memcpy(start->x, x, (size_t)c->pair.variable_count * sizeof *x);
        if (start->distance == 0) return gz_matrix_case_note(c, scratch, true);
        length = fmin(1.5 * length, 0.3);
    }
    return true;
}

/// The nearest place of all becomes part of the evidence.
static bool note_nearest(gz_matrix_case *c, gz_matrix_scratch *scratch) {
    const gz_matrix_start *best = &c->starts[0];
    for (int i = 1; i < c->start_count; i++)
        if (c->starts[i].distance < best->distance) best = &c->starts[i];
    if (c->start_count == 0 || !c->apart_only) return true;
    double *q = gz_malloc(scratch->checker->robot->column_count, sizeof *q);
    if (!q) return false;
    gz_matrix_pair_pose(scratch, &c->pair, best->x);
    gz_matrix_pair_configuration(scratch, q);
    c->entry->nearest = q;
    // A margin below epsilon says nothing about real arithmetic, nor one outside the domain; below
    // SMALLEST_DISTANCE none was tried.
    bool proved = best->distance >= SMALLEST_DISTANCE && scratch->inside;
    c->entry->distance = proved ? fmax(best->distance - scratch->checker->epsilon, 0) : 0;
    return true;
}

bool gz_matrix_case_sample(gz_matrix_case *c, gz_matrix_scratch *scratch,
                           const graze_matrix_options *options) {
    graze_matrix_entry *e = c->entry;
    if (!make_starts(c)) return false;
    // The first samples once more, for their distances, then the others.
    gz_random again = gz_random_make(options->seed,
                                     (uint64_t)c->pair.a << 32 | (uint32_t)c->pair.b);
    uint64_t known = e->samples;
    c->random = again;
    for (uint64_t i = 0; i < options->samples && c->apart_only; i++) {
        bool touches;
        draw(c, scratch, scratch->values);
        try_near(c, scratch, scratch->values, &touches);
        if (i >= known) e->samples++;
        if (touches && i >= known) e->collisions++;
        if (touches && !gz_matrix_case_note(c, scratch, true)) return false;
        if (gz_matrix_scratch_cancelled(scratch)) return true;
    }
    gz_random random = gz_random_make(options->seed ^ UINT64_C(0x7365617263680000),
                                      (uint64_t)c->pair.a << 32 | (uint32_t)c->pair.b);
    for (int i = 0; i < c->start_count && c->apart_only; i++)
        if (!search_from(c, scratch, &c->starts[i], &random, options->search / GZ_MATRIX_STARTS))
            return false;
    return note_nearest(c, scratch);
}
