// Configurations of a scene: drawn, and moved to where a pair changes its state.

#include <math.h>

#include "mixed.h"

/// What moves: a number of q, or of the base; of a chain all joints by one angle.
typedef struct mover {
    const mixed_scene *scene;
    double *q, base[6];
    uint32_t number;
    bool is_base;
} mover;

static void move(mover *m, double value) {
    if (m->is_base) {
        m->base[m->number] = value;
        return;
    }
    for (size_t i = 0; i < m->scene->width; i++)
        if (m->scene->family == MIXED_CHAINS || i == m->number) m->q[i] = value;
}

static double value_of(const mover *m) {
    return m->is_base ? m->base[m->number] : m->q[m->number];
}

static void add_row(mixed_rows *rows, mixed_truth *t, const mover *m) {
    size_t width = m->scene->width, row = rows->count;
    if (row == rows->capacity) return;
    memcpy(rows->q + row * width, m->q, width * sizeof *m->q);
    memcpy(rows->base + 6 * row, m->base, sizeof m->base);
    if (!mixed_truth_place(t, m->q, m->base)) return;
    for (size_t i = 0; i < t->pair_count; i++)
        rows->states[row * t->pair_count + i] = mixed_truth_evaluate(
            t, &t->pairs[i], &rows->inside[row * t->pair_count + i]);
    rows->count++;
}

static mover draw_mover(const mixed_scene *s, double *q, gz_random *random) {
    mover m = {.scene = s, .q = q};
    memcpy(q, s->q, s->width * sizeof *q);
    memcpy(m.base, s->base, sizeof m.base);
    m.is_base = s->width == 0 || gz_random_below(random, 2);
    m.number = gz_random_below(random, m.is_base ? 6 : (uint32_t)s->width);
    return m;
}

/// As far as the mover may go: metres or radians.
static double range_of(const mover *m) {
    graze_joint_info joint;
    bool turns = m->is_base && m->number > 2;
    if (!m->is_base) {
        const graze_robot *robot = m->scene->robot;
        if (graze_robot_joint(robot, graze_robot_q_joint(robot, m->number), &joint))
            give_up("joint", "none");
        turns = joint.type != GRAZE_JOINT_PRISMATIC;
    }
    return turns ? 3 : 3 * m->scene->size;
}

static bool state_at(mover *m, mixed_truth *t, const mixed_pair *pair, double value,
                     mixed_state *state) {
    mixed_inside inside;
    move(m, value);
    if (!mixed_truth_place(t, m->q, m->base)) return false;
    *state = mixed_truth_evaluate(t, pair, &inside);
    return true;
}

/// Halves a way between two states of a pair some times, mostly few; both ends become rows.
static void search(mixed_rows *rows, mover *m, mixed_truth *t, gz_random *random) {
    const mixed_pair *pair = &t->pairs[gz_random_below(random, (uint32_t)t->pair_count)];
    double low = value_of(m), high = low + range_of(m) * gz_random_range(random, -1, 1);
    mixed_state at_low, at_high, now;
    if (!state_at(m, t, pair, low, &at_low) || !state_at(m, t, pair, high, &at_high)) return;
    uint32_t steps = gz_random_below(random, gz_random_below(random, 2) ? 60 : 12);
    for (uint32_t i = 0; at_low != at_high && i < steps; i++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high || !state_at(m, t, pair, middle, &now)) break;
        *(now == at_low ? &low : &high) = middle;
    }
    move(m, low);
    add_row(rows, t, m);
    move(m, high);
    add_row(rows, t, m);
}

/// A little off where the scene was made, or anywhere.
static void draw_row(mixed_rows *rows, mover *m, mixed_truth *t, gz_random *random) {
    for (uint32_t i = gz_random_below(random, 4); i > 0; i--) {
        double far = range_of(m) * mixed_magnitude(random, -10, 0);
        move(m, value_of(m) + far * gz_random_range(random, -1, 1));
        m->is_base = m->scene->width == 0 || gz_random_below(random, 2);
        m->number = gz_random_below(random, m->is_base ? 6 : (uint32_t)m->scene->width);
    }
    add_row(rows, t, m);
}

void mixed_rows_draw(mixed_rows *rows, const mixed_scene *s, mixed_truth *t, gz_random *random,
                     size_t capacity) {
    *rows = (mixed_rows){.capacity = capacity,
                         .q = allocate(capacity * s->width, sizeof(double)),
                         .base = allocate(6 * capacity, sizeof(double)),
                         .states = allocate(capacity * t->pair_count, sizeof(mixed_state)),
                         .inside = allocate(capacity * t->pair_count, sizeof(mixed_inside))};
    double *q = allocate(s->width, sizeof *q);
    for (size_t tries = 0; rows->count < capacity && tries < 4 * capacity; tries++) {
        mover m = draw_mover(s, q, random);
        if (tries == 0) {
            add_row(rows, t, &m);
        } else if (gz_random_below(random, 3) && t->pair_count) {
            search(rows, &m, t, random);
        } else {
            draw_row(rows, &m, t, random);
        }
    }
    free(q);
}

void mixed_rows_clear(mixed_rows *rows) {
    free(rows->q);
    free(rows->base);
    free(rows->states);
    free(rows->inside);
    *rows = (mixed_rows){0};
}
