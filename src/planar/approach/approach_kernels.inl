// The batch loops of closest approach, over lanes; included by kernels.inl.
//
// Each loop passes over tiles that fit the first-level cache twice. A pass is a short chain of
// dependent divisions and roots, so that the processor overlaps several blocks: first the segments'
// lengths, then the time of impact, then the distance at that time (approach_lanes.inl). For the
// same reason a step of the last pass takes the root of the block before.

#include <string.h>

#include "planar/approach/approach_lanes.inl"
#include "planar/kernels.h"

#define PASS 64

/// The hits of a tile, and its velocities where their sign is flipped.
typedef struct tile {
    double hit[4][PASS], carry[CARRY_MAX][PASS], vx[PASS], vy[PASS];
} tile;

ALWAYS void hit_store(tile *t, size_t at, const ray_hit *hit) {
    gz_d_store(t->hit[0] + at, hit->along);
    gz_d_store(t->hit[1] + at, hit->square);
    gz_d_store(t->hit[2] + at, hit->inverse);
    gz_d_store(t->hit[3] + at, hit->state);
}

ALWAYS void hit_load(const tile *t, size_t at, ray_hit *hit) {
    hit->along = gz_d_load(t->hit[0] + at);
    hit->square = gz_d_load(t->hit[1] + at);
    hit->inverse = gz_d_load(t->hit[2] + at);
    hit->state = gz_d_load(t->hit[3] + at);
}

// Carried numbers `from` to `to`.
ALWAYS void carry_store(tile *t, size_t at, const ray_hit *hit, int from, int to) {
    for (int k = from; k < to; k++) gz_d_store(t->carry[k] + at, hit->carry[k]);
}

ALWAYS void carry_load(const tile *t, size_t at, ray_hit *hit, int count) {
    for (int k = 0; k < count; k++) hit->carry[k] = gz_d_load(t->carry[k] + at);
}

/// What a loop consists of; `prepared` and `count` numbers are carried to the first and the second
/// pass.
typedef struct approach_parts {
    prepare_function *prepare; ///< may be NULL
    hit_function *hit;
    distance_function *distance;
    int prepared, count;
    bool is_signed, in_one; ///< in_one: both passes at once, for cheap pairs
} approach_parts;

ALWAYS lanes2 velocity(const arrays *in, size_t i) {
    return (lanes2){gz_d_load(in->vx + i), gz_d_load(in->vy + i)};
}

// The larger component; infinity for a pair at rest, and for NaN.
ALWAYS gz_d moving_speed(lanes2 v) {
    gz_d speed = gz_d_max(gz_d_abs(v.x), gz_d_abs(v.y));
    return gz_d_select(gz_d_less(gz_d_all(0), speed), speed, gz_d_all(INFINITY));
}

ALWAYS void slowest_update(double *slowest, gz_d speeds) {
    double lanes[GZ_D_LANES];
    gz_d_store(lanes, speeds);
    for (int k = 0; k < GZ_D_LANES; k++) *slowest = lanes[k] < *slowest ? lanes[k] : *slowest;
}

// Computes the block at i up to its root, and finishes the one before.
ALWAYS void block_step(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                       approach_parts parts, pending *waiting) {
    gz_d time = impact_time(hit->along, hit->inverse, in->horizon);
    pending next = pending_make(hit, parts.distance(in, i, v, hit, time));
    if (i > 0) pending_store(in, i - GZ_D_LANES, waiting, parts.is_signed);
    *waiting = next;
}

// The arrays from a pair on.
ALWAYS arrays arrays_from(const arrays *in, size_t from) {
    arrays out = *in;
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < GZ_APPROACH_ROWS && !in->one[which]; k++)
            if (in->rows[which][k]) out.rows[which][k] += from;
    out.vx += from;
    out.vy += from;
    out.times += from;
    out.distances += from;
    return out;
}

// The first `count` pairs, a tile at most.
ALWAYS void tile_run(arrays in, size_t count, approach_parts parts) {
    tile t;
    if (in.sign < 0) {
        for (size_t i = 0; i < count; i++) t.vx[i] = -in.vx[i], t.vy[i] = -in.vy[i];
        in.vx = t.vx;
        in.vy = t.vy;
    }
    size_t last = count - GZ_D_LANES;
    gz_d zero = gz_d_all(0), slowest = gz_d_all(INFINITY);
    for (size_t i = 0; parts.prepare && i < count; i += GZ_D_LANES) {
        ray_hit hit;
        parts.prepare(&in, i, &hit);
        carry_store(&t, i, &hit, 0, parts.prepared);
    }
    pending waiting = {zero, zero, zero, zero, zero, zero};
    for (size_t i = 0; i < count; i += GZ_D_LANES) {
        lanes2 v = velocity(&in, i);
        ray_hit hit;
        slowest = gz_d_min(moving_speed(v), slowest);
        carry_load(&t, i, &hit, parts.prepared);
        parts.hit(&in, i, v, &hit);
        if (parts.in_one) {
            block_step(&in, i, v, &hit, parts, &waiting);
        } else {
            hit_store(&t, i, &hit);
            carry_store(&t, i, &hit, parts.prepared, parts.count);
        }
    }
    for (size_t i = 0; !parts.in_one && i < count; i += GZ_D_LANES) {
        ray_hit hit;
        hit_load(&t, i, &hit);
        carry_load(&t, i, &hit, parts.count);
        block_step(&in, i, velocity(&in, i), &hit, parts, &waiting);
    }
    pending_store(&in, last, &waiting, parts.is_signed);
    slowest_update(in.slowest, slowest);
}

/// The last pairs, fewer than a block, copied into one.
typedef struct last_block {
    double rows[2][GZ_APPROACH_ROWS][GZ_D_LANES];
    double vx[GZ_D_LANES], vy[GZ_D_LANES], times[GZ_D_LANES], distances[GZ_D_LANES];
} last_block;

/// Copies of single shapes.
typedef struct copies {
    double rows[2][GZ_APPROACH_ROWS][PASS];
} copies;

static void arrays_make(gz_approach_batch *batch, copies *ones, arrays *out) {
    out->slowest = &batch->slowest;
    out->sign = batch->sign;
    out->horizon = gz_d_all(batch->horizon);
    out->vx = batch->vx;
    out->vy = batch->vy;
    out->times = batch->times;
    out->distances = batch->distances;
    for (int which = 0; which < 2; which++) {
        out->one[which] = batch->one[which];
        for (int k = 0; k < GZ_APPROACH_ROWS; k++) {
            const double *p = batch->rows[which][k];
            if (batch->one[which] && p) {
                double *to = ones->rows[which][k];
                for (size_t i = 0; i < PASS && i < batch->count + GZ_D_LANES; i++) to[i] = *p;
                p = to;
            }
            out->rows[which][k] = p;
        }
    }
}

static void block_fill(double out[GZ_D_LANES], const double *in, size_t from, size_t count) {
    for (size_t i = 0; i < GZ_D_LANES; i++) out[i] = in && from + i < count ? in[from + i] : 0;
}

static void block_make(last_block *store, const gz_approach_batch *batch, size_t from, arrays *in) {
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < GZ_APPROACH_ROWS && !batch->one[which]; k++) {
            block_fill(store->rows[which][k], batch->rows[which][k], from, batch->count);
            in->rows[which][k] = store->rows[which][k];
        }
    block_fill(store->vx, batch->vx, from, batch->count);
    block_fill(store->vy, batch->vy, from, batch->count);
    in->vx = store->vx;
    in->vy = store->vy;
    in->times = store->times;
    in->distances = store->distances;
}

// All pairs; the copy of the arrays has an address that goes nowhere, for registers.
ALWAYS void approach_run(gz_approach_batch *batch, approach_parts parts) {
    copies ones;
    last_block store;
    arrays all;
    arrays_make(batch, &ones, &all);
    const arrays in = all;
    size_t whole = batch->count - batch->count % GZ_D_LANES, left = batch->count - whole;
    for (size_t from = 0; from < whole; from += PASS)
        tile_run(arrays_from(&in, from), from + PASS < whole ? PASS : whole - from, parts);
    if (left == 0) return;
    block_make(&store, batch, whole, &all);
    tile_run(all, GZ_D_LANES, parts);
    memcpy(batch->times + whole, store.times, left * sizeof(double));
    memcpy(batch->distances + whole, store.distances, left * sizeof(double));
}

#define APPROACH_LOOP(name, ...)                                                                   \
    static void approach_##name(gz_approach_batch *batch) {                                        \
        approach_run(                                                                              \
            batch, (approach_parts){.hit = name##_hit, .distance = name##_distance, __VA_ARGS__}); \
    }

APPROACH_LOOP(circles, .count = 3, .in_one = true)
APPROACH_LOOP(circle_capsule, .prepare = circle_capsule_prepare, .prepared = 4, .count = 7)
APPROACH_LOOP(circle_rectangle, .count = 4)
APPROACH_LOOP(capsules, .prepare = capsules_prepare, .prepared = 11, .count = 13, .is_signed = true)
APPROACH_LOOP(capsule_rectangle, .count = 9)
APPROACH_LOOP(rectangles, .count = 8)
