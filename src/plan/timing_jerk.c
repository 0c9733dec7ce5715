// Speeds along a path within limits of jerk, too.
//
// A straight way is run through by a double S (Biagiotti and Melchiorri, Trajectory Planning for
// Automatic Machines and Robots, 2008, section 3.4): from the speed of one bend, without
// acceleration, to a peak and down to that of the next, with jerk constant in each of up to seven
// phases. A bend is a cubic of its length with no second derivative at its ends, and is run through
// at constant speed v. So the whole is cubic in time, piece by piece, with continuous acceleration;
// of the bend's columns it is (u1 - u0) v^2 / c at most, and their jerk (u1 - u0) v^3 / c^2.
//
// A change of speed by d takes two phases of time Tj and one of time Ta between them, and a way of
// the mean of both speeds times 2 Tj + Ta. That way grows with the greater of the two speeds, so
// that peaks and speeds of bends are found by halves: bends backward, as fast as the next one lets
// them, and forward, likewise.
//
// Times are whole nanoseconds. They are chosen first, rounded upward, and the peak is then what
// brings the robot to the end of the way in just this time. No phase is shorter than PHASE, below
// which nanoseconds would count: what they add to a speed is a jerk of v 1e-9 / (T PHASE^2).
#include <math.h>

#include "plan/timing_internal.h"

// The shortest phase, s: a cycle of a controller.
#define PHASE 4e-3
// Halvings of an interval of speeds.
enum { HALVINGS = 60 };

/// What a straight way allows of its speed and derivatives of it.
typedef struct way_limits {
    double speed, acceleration, jerk;
} way_limits;

/// Times of a change of speed, s: of each of two phases of jerk, and of that between them.
typedef struct speed_change {
    double jerk, constant;
} speed_change;

static double to_nanoseconds_upward(double seconds) {
    return ceil(seconds * 1e9) / 1e9;
}

static way_limits limits_of(const gz_timed_path *p, size_t motion, double share) {
    way_limits l = {INFINITY, INFINITY, INFINITY};
    for (size_t k = 0; k < p->width; k++) {
        double u = fabs(p->directions[motion * p->width + k]);
        if (u == 0) continue;
        l.speed = fmin(l.speed, share * p->velocities[k] / u);
        l.acceleration = fmin(l.acceleration, share * share * p->accelerations[k] / u);
        l.jerk = fmin(l.jerk, share * share * share * p->jerks[k] / u);
    }
    return l;
}

static double way_of(const gz_timed_path *p, size_t motion) {
    return p->lengths[motion] - p->cuts[motion] - p->cuts[motion + 1];
}

/// The times of a change. They grow with its size without jumps: what rounding does to a speed must
/// not make a way too short by a phase. So a middle phase of less than half of PHASE goes to the
/// others, and one of more becomes as long.
static speed_change change_between(const way_limits *l, double from, double to) {
    double d = fabs(to - from), jerk = d * l->jerk < l->acceleration * l->acceleration
                                           ? sqrt(d / l->jerk)
                                           : l->acceleration / l->jerk;
    jerk = fmax(jerk, PHASE);
    double constant = d / l->acceleration - jerk;
    if (constant <= 0.5 * PHASE) {
        jerk += fmax(constant, 0);
        constant = 0;
    } else {
        constant = fmax(constant, PHASE);
    }
    return (speed_change){to_nanoseconds_upward(jerk), to_nanoseconds_upward(constant)};
}

static double seconds_of(speed_change c) {
    return 2 * c.jerk + c.constant;
}

/// The way that a peak takes between two speeds.
static double way_with_peak(const way_limits *l, double from, double to, double peak) {
    return 0.5 * (from + peak) * seconds_of(change_between(l, from, peak)) +
           0.5 * (peak + to) * seconds_of(change_between(l, peak, to));
}

/// The greatest speed between two, of which the lower is allowed, from which another can be had on
/// a way, or that can be had from it.
static double fastest_beside(const way_limits *l, double way, double other, double most) {
    double low = fmin(other, most), high = most;
    if (way_with_peak(l, high, other, fmax(high, other)) <= way) return high;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (way_with_peak(l, middle, other, fmax(middle, other)) <= way)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// The greatest v whose cube is at most that, found by halves: the same bits everywhere.
static double cube_root_below(double cube, double most) {
    double low = 0, high = most;
    for (int k = 0; k < HALVINGS && most * most * most > cube; k++) {
        double middle = 0.5 * (low + high);
        if (middle * middle * middle <= cube)
            low = middle;
        else
            high = middle;
    }
    return most * most * most > cube ? low : most;
}

/// The greatest constant speed on a bend.
static double bend_speed(const gz_timed_path *p, size_t corner, double share) {
    double cut = p->cuts[corner], v = INFINITY;
    const double *u = p->directions + corner * p->width, *before = u - p->width;
    for (size_t k = 0; k < p->width; k++) {
        double turn = fabs(u[k] - before[k]), first = fmax(fabs(u[k]), fabs(before[k]));
        if (first > 0) v = fmin(v, share * p->velocities[k] / first);
        if (turn > 0) v = fmin(v, share * sqrt(p->accelerations[k] * cut / turn));
    }
    for (size_t k = 0; k < p->width; k++) {
        double turn = fabs(u[k] - before[k]);
        if (turn > 0 && isfinite(p->jerks[k]))
            v = fmin(v, cube_root_below(share * share * share * p->jerks[k] * cut * cut / turn, v));
    }
    return v;
}

/// Speeds at corners, and the times of half their bends.
static void set_corners(gz_timed_path *p, double share, double *speeds, double *halves) {
    size_t last = p->count - 1;
    speeds[0] = speeds[last] = 0;
    for (size_t i = 1; i < last; i++) {
        // From a speed to the same one, as changes of speed take two phases each at least.
        double most = fmin(way_of(p, i - 1), way_of(p, i)) / (4 * PHASE) * (1 - 1e-9);
        speeds[i] = p->cuts[i] > 0 ? fmin(most, bend_speed(p, i, share)) : 0;
    }
    for (size_t i = last; i-- > 1;) {
        way_limits l = limits_of(p, i, share);
        if (speeds[i] > speeds[i + 1])
            speeds[i] = fastest_beside(&l, way_of(p, i), speeds[i + 1], speeds[i]);
    }
    for (size_t i = 0; i < last; i++) {
        way_limits l = limits_of(p, i, share);
        if (speeds[i + 1] > speeds[i])
            speeds[i + 1] = fastest_beside(&l, way_of(p, i), speeds[i], speeds[i + 1]);
        if (p->cuts[i] == 0 || speeds[i] == 0) continue;
        halves[i] = to_nanoseconds_upward(p->cuts[i] / speeds[i]);
        speeds[i] = p->cuts[i] / halves[i];
    }
}

/// What is written, cell by cell.
typedef struct cell_writer {
    gz_timed_path *path;
    size_t span;
    double at;          ///< on the span
    double nanoseconds; ///< since the begin: a whole number
} cell_writer;

static void add_cell(cell_writer *w, double way, double speed, double seconds) {
    gz_timed_path *p = w->path;
    size_t i = p->cell_count++;
    p->cells[i] = (gz_path_cell){w->span, w->at, w->at + way};
    w->at += way;
    w->nanoseconds += nearbyint(seconds * 1e9);
    double whole = floor(w->nanoseconds / 1e9);
    p->times[i + 1] = whole + (w->nanoseconds - whole * 1e9) / 1e9;
    p->speeds[i + 1] = speed * speed;
}

static void add_change(cell_writer *w, speed_change c, double from, double to) {
    double jerk = (to - from) / (c.jerk * (c.jerk + c.constant)), t = c.jerk;
    double acceleration = jerk * t, step = jerk * t * t * t / 6, v = from + 0.5 * acceleration * t;
    add_cell(w, from * t + step, v, t);
    if (c.constant > 0) {
        double next = v + acceleration * c.constant;
        add_cell(w, 0.5 * (v + next) * c.constant, next, c.constant);
        v = next;
    }
    add_cell(w, v * t + 0.5 * acceleration * t * t - step, to, t);
}

/// Makes a change of speed take longer.
static void stretch(speed_change *c, double seconds) {
    if (c->constant > 0)
        c->constant += to_nanoseconds_upward(seconds);
    else
        c->jerk += to_nanoseconds_upward(0.5 * seconds);
}

/// A straight way, from one speed to another.
static void add_way(cell_writer *w, const way_limits *l, double way, double from, double to) {
    double low = fmax(from, to), high = fmax(low, l->speed);
    if (way_with_peak(l, from, to, high) <= way) low = high;
    for (int k = 0; k < HALVINGS && low < high; k++) {
        double middle = 0.5 * (low + high);
        if (way_with_peak(l, from, to, middle) <= way)
            low = middle;
        else
            high = middle;
    }
    speed_change up = change_between(l, from, low), down = change_between(l, low, to);
    double rest = (way - way_with_peak(l, from, to, low)) / low;
    double even = rest >= PHASE ? to_nanoseconds_upward(rest) : 0;
    // Less than a phase goes to the greater change.
    if (rest > 1e-9 && even == 0)
        stretch(from < to ? &up : &down, 2 * rest * low / (low + fmin(from, to)));
    // The peak at which the way takes these times: half of both changes is at their other speeds.
    double rise = 0.5 * seconds_of(up), fall = 0.5 * seconds_of(down);
    double peak = (way - from * rise - to * fall) / (rise + even + fall);
    add_change(w, up, from, peak);
    if (even > 0) add_cell(w, peak * even, peak, even);
    add_change(w, down, peak, to);
    w->path->cells[w->path->cell_count - 1].to = way;
}

void gz_timed_path_jerk_limited(gz_timed_path *p, double share, double *scratch) {
    double *speeds = scratch, *halves = scratch + p->count;
    cell_writer w = {.path = p};
    set_corners(p, share, speeds, halves);
    p->cell_count = 0;
    p->times[0] = p->speeds[0] = 0;
    for (w.span = 0; w.span < p->span_count; w.span++) {
        const gz_path_span *span = p->spans + w.span;
        size_t i = span->at;
        w.at = 0;
        if (span->bends) {
            add_cell(&w, p->cuts[i], speeds[i], halves[i]);
            add_cell(&w, p->cuts[i], speeds[i], halves[i]);
            continue;
        }
        way_limits l = limits_of(p, i, share);
        add_way(&w, &l, span->length, speeds[i], speeds[i + 1]);
    }
}
