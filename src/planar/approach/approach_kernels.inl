// The batch loops of closest approach, over lanes; included by kernels_*.c with ISA_NAME and
// ISA(name) defined.
//
// In passes over what fits the first-level cache twice, each a short chain of dependent divisions
// and roots, so that the processor has several blocks under way: segments' lengths, where the line
// meets the difference (approach_lanes.h), and the distance then (approach_course.h). For the same
// reason a step of the last takes the root of the block before.

#include <string.h>

#include "planar/approach/approach_lanes.inl"
#include "planar/kernels.h"

#define PASS 64

/// A course's numbers, `count` of those by kinds, and the velocities where their sign is turned.
typedef struct tile {
    double basic[4][PASS], number[NUMBERS][PASS], vx[PASS], vy[PASS];
} tile;

ALWAYS void basic_store(tile *t, size_t at, const course *c) {
    gz_d_store(t->basic[0] + at, c->along);
    gz_d_store(t->basic[1] + at, c->square);
    gz_d_store(t->basic[2] + at, c->over);
    gz_d_store(t->basic[3] + at, c->state);
}

ALWAYS void basic_load(const tile *t, size_t at, course *c) {
    c->along = gz_d_load(t->basic[0] + at);
    c->square = gz_d_load(t->basic[1] + at);
    c->over = gz_d_load(t->basic[2] + at);
    c->state = gz_d_load(t->basic[3] + at);
}

// Numbers `from` to `to`.
ALWAYS void numbers_store(tile *t, size_t at, const course *c, int from, int to) {
    for (int k = from; k < to; k++) gz_d_store(t->number[k] + at, c->number[k]);
}

ALWAYS void numbers_load(const tile *t, size_t at, course *c, int count) {
    for (int k = 0; k < count; k++) c->number[k] = gz_d_load(t->number[k] + at);
}

/// What a loop is made of; `count`: numbers that pass from the first pass to the second.
typedef struct approach_parts {
    prepare_function *prepare; ///< may be NULL
    first_function *first;
    then_function *then;
    int prepared, count;
    bool is_signed, in_one; ///< in one pass, where little is to be done
} approach_parts;

ALWAYS lanes2 velocity(const arrays *in, size_t i) {
    return (lanes2){gz_d_load(in->vx + i), gz_d_load(in->vy + i)};
}

// The larger component; of a pair at rest, and of no number, infinity.
ALWAYS gz_d moving_speed(lanes2 v) {
    gz_d speed = gz_d_max(gz_d_abs(v.x), gz_d_abs(v.y));
    return d_select(gz_d_less(gz_d_all(0), speed), speed, gz_d_all(INFINITY));
}

ALWAYS void slowest_take(double *slowest, gz_d speeds) {
    double lanes[GZ_D_LANES];
    gz_d_store(lanes, speeds);
    for (int k = 0; k < GZ_D_LANES; k++) *slowest = lanes[k] < *slowest ? lanes[k] : *slowest;
}

ALWAYS unrooted block_square(const arrays *in, size_t i, lanes2 v, const course *c,
                             approach_parts parts) {
    gz_d time = way_time(c->along, c->over, in->horizon);
    return course_square(c, parts.then(in, i, v, c, time));
}

// The block at i up to its root, and the answers of the one before, which waits for its own.
ALWAYS void block_step(const arrays *in, size_t i, lanes2 v, const course *c, approach_parts parts,
                       unrooted *waiting) {
    unrooted next = block_square(in, i, v, c, parts);
    if (i > 0) course_end(in, i - GZ_D_LANES, waiting, parts.is_signed);
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
        course c;
        parts.prepare(&in, i, &c);
        numbers_store(&t, i, &c, 0, parts.prepared);
    }
    unrooted waiting = {zero, zero, zero, zero, zero, zero};
    for (size_t i = 0; i < count; i += GZ_D_LANES) {
        lanes2 v = velocity(&in, i);
        course c;
        slowest = gz_d_min(moving_speed(v), slowest);
        numbers_load(&t, i, &c, parts.prepared);
        parts.first(&in, i, v, &c);
        if (parts.in_one) {
            block_step(&in, i, v, &c, parts, &waiting);
        } else {
            basic_store(&t, i, &c);
            numbers_store(&t, i, &c, parts.prepared, parts.count);
        }
    }
    for (size_t i = 0; !parts.in_one && i < count; i += GZ_D_LANES) {
        course c;
        basic_load(&t, i, &c);
        numbers_load(&t, i, &c, parts.count);
        block_step(&in, i, velocity(&in, i), &c, parts, &waiting);
    }
    course_end(&in, last, &waiting, parts.is_signed);
    slowest_take(in.slowest, slowest);
}

/// What is left at the end, fewer pairs than a block, copied into one.
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
    static void name(gz_approach_batch *batch) {                                                   \
        approach_run(batch,                                                                        \
                     (approach_parts){.first = name##_first, .then = name##_then, __VA_ARGS__});   \
    }

APPROACH_LOOP(circles, .count = CIRCLES_NUMBERS, .in_one = true)
APPROACH_LOOP(circle_capsule, .prepare = circle_capsule_prepare,
              .prepared = CIRCLE_CAPSULE_PREPARED, .count = CIRCLE_CAPSULE_NUMBERS)
APPROACH_LOOP(circle_rectangle, .count = CIRCLE_RECTANGLE_NUMBERS)
APPROACH_LOOP(capsules, .prepare = capsules_prepare, .prepared = CAPSULES_PREPARED,
              .count = CAPSULES_NUMBERS, .is_signed = true)
APPROACH_LOOP(capsule_rectangle, .count = CAPSULE_RECTANGLE_NUMBERS)
APPROACH_LOOP(rectangles, .count = RECTANGLES_NUMBERS)

const gz_approach_kernels ISA(gz_approach_kernels) = {ISA_NAME,
                                                      {{circles, circle_capsule, circle_rectangle},
                                                       {0, capsules, capsule_rectangle},
                                                       {0, 0, rectangles}}};
