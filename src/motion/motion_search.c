// Which intervals of an edge are free? Pair by pair: a pair leaves the lists where it is proved
// clear on a interval, and what is left of a interval is split in two. Where any collision will do,
// intervals go level by level, so that the middles come in the order of van der Corput's sequence
// (1935), from coarse to fine, less what is proved already; where the first is wanted, or the
// memory for a level is used up, depth first from the left.
#include <math.h>
#include <string.h>

#include "check/margin.h"
#include "motion/motion_internal.h"

/// Intervals shorter than this are not split: t stays exact.
#define SHORTEST 0x1p-44

typedef enum step {
    STEP_ON,   ///< the pairs in `active` are left
    STEP_STOP, ///< the answer is known, or the budget spent
    STEP_FAIL  ///< an error
} step;

typedef struct search {
    graze_motion_workspace *m;
    const graze_motion_options *options;
    graze_motion_report *report;
    graze_error *error;
    graze_status status;
    double latest;     ///< of the lowest t known to collide; infinite for none
    double inside;     ///< up to here the base is inside the boundary
    double sampled;    ///< the middles of intervals this long or longer are known not to collide
    double open;       ///< no interval before this is left; where the search stopped
    double open_end;   ///< the end of that interval
    int32_t open_pair; ///< some pair that is not proved there
    gz_motion_interval
        undecided; ///< the first interval that is too small to be split; count 0: none
    int32_t undecided_pair;
} search;

// ------------------------------------------------------------------------------------ one interval

static void pose_pairs(search *s, const int32_t *list, size_t count, double t) {
    graze_motion_workspace *m = s->m;
    gz_edge_place(&m->edge, t);
    for (size_t i = 0; i < count; i++) {
        const gz_motion_pair *p = &m->pairs[list[i]];
        gz_workspace_want(m->ws, p->link);
        if (p->pair >= 0) gz_workspace_want(m->ws, p->other);
    }
    gz_workspace_pose_wanted(m->ws, m->edge.q, gz_edge_root(&m->edge));
    s->report->configurations++;
}

/// Whether it collides at t; takes it as the lowest such t.
static bool collides_at(search *s, double t) {
    graze_motion_workspace *m = s->m;
    bool any = s->options->answer == GRAZE_MOTION_ANY, hit; // then this is the last check
    gz_edge_place(&m->edge, t);
    s->status = gz_motion_check_place(m, t, any ? GRAZE_ANSWER_PAIR : GRAZE_ANSWER_ANY,
                                      &s->report->contact, &hit, s->error);
    s->report->configurations++;
    if (s->status || !hit) return false;
    s->latest = fmin(s->latest, t);
    return true;
}

/// Whether there is a boundary to be kept: what moves against it is looked at with what stands.
static bool is_bounded(const search *s) {
    const graze_checker *c = s->m->checker;
    return s->m->group < 0 && c->world && !c->options.no_world && c->world->has_boundary;
}

/// Whether the base's origin is outside the world's boundary at t.
static bool is_outside(search *s, double t) {
    const graze_checker *c = s->m->checker;
    if (!is_bounded(s)) return false;
    gz_edge_place(&s->m->edge, t);
    for (int k = 0; k < 3; k++) {
        double x = s->m->edge.base[k];
        if (!(x >= c->world->boundary_min[k] && x <= c->world->boundary_max[k])) return true;
    }
    return false;
}

/// Where a base that is outside in the end leaves the boundary, which is convex: coordinates rise
/// or fall all the way, as computed, too.
static void find_exit(search *s) {
    double in = 0, out = 1;
    s->inside = 1;
    if (!is_outside(s, 1)) return;
    while (out - in > fmax(0.5 * s->options->width, SHORTEST)) {
        double middle = 0.5 * (in + out);
        if (is_outside(s, middle))
            out = middle;
        else
            in = middle;
    }
    s->inside = in;
    s->latest = fmin(s->latest, out);
}

/// Where the base first may be outside, on a curve: intervals are halved until the control points
/// of each are inside.
static void find_exit_of_curve(search *s) {
    const graze_checker *c = s->m->checker;
    double t = 0, size = 1;
    s->inside = 1;
    if (!is_bounded(s)) return;
    while (t < 1) {
        size = fmin(size, 1 - t);
        if (gz_edge_base_inside(&s->m->edge, t, t + size, c->world->boundary_min,
                                c->world->boundary_max)) {
            t += size;
            size *= 2;
        } else if (size <= 0.5 * s->options->width && is_outside(s, t + size)) {
            s->latest = fmin(s->latest, t + size);
            break;
        } else if (size <= SHORTEST) {
            s->undecided = (gz_motion_interval){.t0 = t, .t1 = t + size, .count = 1};
            s->undecided_pair = -1;
            break;
        } else {
            size *= 0.5;
        }
    }
    s->inside = t;
}

/// Whether a pair is clear within `half` of the posed t; else *bound is of its motion there.
static bool is_clear(search *s, const gz_motion_pair *p, double half, double *bound) {
    graze_motion_workspace *m = s->m;
    gz_edge *e = &m->edge;
    s->report->pair_tests++;
    if (p->pair < 0) {
        *bound = gz_edge_world_bound(e, m->ws, p->link, half);
    } else {
        // A bound that is cheap, and enough for most pairs.
        double most = 0;
        if (p->above != 1) most += gz_edge_link_bound(e, m->ws, p->link, half);
        if (p->above != 2) most += gz_edge_link_bound(e, m->ws, p->other, half);
        if (gz_motion_pair_far(m->ws, p, p->need + most)) return true;
        if (p->table && gz_edge_table_bound(e, p->table, half) > p->need) return true;
        *bound = gz_edge_pair_bound(e, m->ws, p->link, p->other, half);
    }
    return gz_motion_pair_clear(m->checker, m->ws, p, p->need + *bound);
}

/// Keeps in `active` the pairs of a list that are not clear within `half` of the posed t.
static void keep_near(search *s, const int32_t *list, size_t count, double half) {
    graze_motion_workspace *m = s->m;
    m->active_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_clear(s, &m->pairs[list[i]], half, &m->bounds[m->active_count])) continue;
        m->active[m->active_count++] = list[i];
    }
}

/// Leaves out of `active` what cannot be split.
static void drop_small(search *s, double t0, double t1) {
    graze_motion_workspace *m = s->m;
    size_t kept = 0;
    for (size_t i = 0; i < m->active_count; i++) {
        bool small = m->bounds[i] <= s->options->resolution || t1 - t0 <= SHORTEST;
        if (!small) {
            m->active[kept++] = m->active[i];
        } else if (s->undecided.count == 0 || t0 < s->undecided.t0) {
            s->undecided = (gz_motion_interval){.t0 = t0, .t1 = t1, .count = 1};
            s->undecided_pair = m->active[i];
        }
    }
    m->active_count = kept;
}

/// Whether nothing is to be done about a interval any more, from left to right.
static bool is_enough(search *s, double t0) {
    bool first = s->options->answer == GRAZE_MOTION_FIRST;
    if (gz_is_cancelled(s->options->cancel))
        s->status = gz_fail(s->error, GRAZE_ERROR_CANCELLED, "cancelled");
    if (s->status) return true;
    if (first && s->latest - t0 <= s->options->width) return true;
    s->report->spent = s->options->budget && s->report->pair_tests >= s->options->budget;
    return s->report->spent;
}

/// Some pair of those left collides in the middle of an interval of that length.
static step test_middle(search *s, double t, double length) {
    graze_motion_workspace *m = s->m;
    if (length >= s->sampled) return STEP_ON;
    for (size_t i = 0; i < m->active_count; i++) {
        if (!gz_motion_pair_collides(m->checker, m->ws, &m->pairs[m->active[i]])) continue;
        if (collides_at(s, t)) return s->options->answer == GRAZE_MOTION_ANY ? STEP_STOP : STEP_ON;
        return s->status ? STEP_FAIL : STEP_ON; // within the tolerance of curved shapes
    }
    return STEP_ON;
}

static step test_interval(search *s, double t0, double t1, const int32_t *list, size_t count) {
    graze_motion_workspace *m = s->m;
    m->active_count = 0;
    if (t0 >= s->latest) return STEP_ON;
    s->open = t0;
    s->open_end = t1;
    s->open_pair = list[0];
    if (is_enough(s, t0)) return s->status ? STEP_FAIL : STEP_STOP;
    double middle = 0.5 * (t0 + t1);
    gz_edge_narrow(&m->edge, t0, t1);
    pose_pairs(s, list, count, middle);
    keep_near(s, list, count, 0.5 * (t1 - t0));
    step next = m->active_count ? test_middle(s, middle, t1 - t0) : STEP_ON;
    if (next == STEP_ON) drop_small(s, t0, t1);
    return next;
}

// ------------------------------------------------------------------------------------ all
// intervals

/// Adds the interval whose pairs are in `active`; false where there is no space.
static bool push(search *s, gz_motion_intervals *intervals, double t0, double t1) {
    graze_motion_workspace *m = s->m;
    if (m->active_count == 0) return true;
    if (intervals->count == m->interval_capacity ||
        m->list_capacity - intervals->list_count < m->active_count)
        return false;
    intervals->intervals[intervals->count++] = (gz_motion_interval){
        t0, t1, 0, intervals->list_count, m->active_count};
    memcpy(intervals->list + intervals->list_count, m->active, m->active_count * sizeof *m->active);
    intervals->list_count += m->active_count;
    return true;
}

/// The next half of a interval.
static step test_half(search *s, gz_motion_interval *interval, const int32_t *list,
                      double half[2]) {
    double middle = 0.5 * (interval->t0 + interval->t1);
    half[0] = interval->next ? middle : interval->t0;
    half[1] = interval->next ? interval->t1 : middle;
    interval->next++;
    return test_interval(s, half[0], half[1], list + interval->first, interval->count);
}

/// Depth first, until the stack is empty.
static step search_stack(search *s) {
    gz_motion_intervals *stack = &s->m->stack;
    while (stack->count) {
        gz_motion_interval *interval = &stack->intervals[stack->count - 1];
        if (interval->next == 2) {
            stack->list_count = interval->first;
            stack->count--;
            continue;
        }
        double half[2];
        step next = test_half(s, interval, stack->list, half);
        if (next != STEP_ON) return next;
        if (push(s, stack, half[0], half[1])) continue;
        s->report->spent = true;
        return STEP_STOP;
    }
    return STEP_ON;
}

/// Level by level.
static step search_levels(search *s) {
    graze_motion_workspace *m = s->m;
    gz_motion_intervals *level = &m->queue[0], *below = &m->queue[1];
    while (level->count) {
        below->count = below->list_count = 0;
        for (size_t i = 0; i < level->count; i++) {
            while (level->intervals[i].next < 2) {
                double half[2];
                step next = test_half(s, &level->intervals[i], level->list, half);
                if (next == STEP_ON && !push(s, below, half[0], half[1])) {
                    push(s, &m->stack, half[0], half[1]);
                    next = search_stack(s);
                }
                if (next == STEP_ON) continue;
                if (below->count) {
                    s->open = fmin(s->open, below->intervals[0].t0);
                    s->open_end = below->intervals[0].t1;
                    s->open_pair = below->list[0];
                }
                return next;
            }
        }
        gz_motion_intervals *swapped = level;
        level = below;
        below = swapped;
    }
    return STEP_ON;
}

// ----------------------------------------------------------------------------------- the whole
// edge

static bool add_pair(search *s, const gz_motion_pair *p) {
    graze_motion_workspace *m = s->m;
    double bound;
    if (is_clear(s, p, 0.5, &bound)) {
        s->report->far_pairs++;
        return true;
    }
    if (m->pair_count == m->pair_capacity) return false;
    m->bounds[m->pair_count] = bound;
    m->active[m->pair_count] = (int32_t)m->pair_count;
    m->pairs[m->pair_count++] = *p;
    return true;
}

/// Links that move against each other, or are moved together, which rounds.
static bool list_links(search *s) {
    graze_motion_workspace *m = s->m;
    for (size_t i = 0; i < m->self_count; i++) {
        const gz_motion_pair *p = &m->self[i];
        if (!gz_edge_moves(&m->edge, -1, p->link) && !gz_edge_moves(&m->edge, -1, p->other))
            continue;
        if (!add_pair(s, p)) return false;
    }
    return true;
}

static bool list_objects(search *s) {
    graze_motion_workspace *m = s->m;
    const graze_checker *c = m->checker;
    double error = m->group < 0 ? 0 : GZ_MOVING_ERROR * c->options.domain;
    if (!c->world || c->options.no_world || c->world->object_count == 0) return true;
    for (size_t i = 0; i < c->link_count; i++) {
        int32_t link = c->links[i];
        if (!gz_edge_moves(&m->edge, -1, link)) continue;
        graze_stats stats = {0};
        double bound = gz_edge_world_bound(&m->edge, m->ws, link, 0.5);
        double margin = c->margins ? c->margins->greatest[link] : 0;
        size_t near = gz_link_world_near(
            c, m->ws, link,
            (gz_margin_certified(c, -1, link, margin) + error + bound) * (1 + 0x1p-40), &stats);
        for (size_t k = 0; k < near; k++) {
            int32_t object = m->ws->entries[k];
            if (gz_object_allowed(c, link, object) || !gz_motion_in_group(m, object)) continue;
            gz_motion_pair p = gz_motion_pair_object(c, link, object);
            p.need += error;
            if (!add_pair(s, &p)) return false;
        }
    }
    return true;
}

/// Proves what it can of the whole edge at once from its middle, and lists the other pairs; false
/// where there are too many.
static bool list_pairs(search *s) {
    graze_motion_workspace *m = s->m;
    const graze_checker *c = m->checker;
    m->pair_count = 0;
    gz_edge_find_motions(&m->edge);
    gz_edge_place(&m->edge, 0.5);
    for (size_t i = 0; i < c->link_count; i++) gz_workspace_want(m->ws, c->links[i]);
    gz_workspace_pose_wanted(m->ws, m->edge.q, gz_edge_root(&m->edge));
    s->report->configurations++;
    bool complete = (c->options.no_self || m->group >= 0 || list_links(s)) && list_objects(s);
    m->active_count = m->pair_count;
    return complete;
}

/// Single configurations first: the middle, the begin and the end, then in the order of van der
/// Corput's sequence; where the first collision is wanted the begin comes first. A few find most
/// collisions, and a proof that cannot succeed is not begun. False where none collides, but for
/// the end where the first collision is wanted.
static bool sample(search *s) {
    static const double places[2][9] = {{0.5, 0, 1, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875},
                                        {0, 0.5, 1, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875}};
    bool any = s->options->answer == GRAZE_MOTION_ANY;
    for (size_t i = 0; i < 9; i++) {
        double t = places[!any][i];
        bool hit = collides_at(s, t);
        if (s->status) return false;
        if (hit && (any || t < 1)) return true;
    }
    s->sampled = 0.25; // the middles of quarters are eighths
    return false;
}

static step search_all(search *s) {
    graze_motion_workspace *m = s->m;
    bool any = s->options->answer == GRAZE_MOTION_ANY, hit = sample(s);
    if (s->status) return STEP_FAIL;
    // What stands still has the verdict of the begin.
    if (hit && (any || s->latest == 0)) return STEP_STOP;
    // The boundary is convex: a straight way leaves it once, and stays outside.
    if (m->edge.q_curve.degree)
        find_exit_of_curve(s);
    else
        find_exit(s);
    if (!list_pairs(s)) {
        s->report->spent = true;
        return STEP_STOP;
    }
    if (m->active_count == 0) return STEP_ON;
    step next = test_middle(s, 0.5, 1);
    if (next != STEP_ON) return next;
    drop_small(s, 0, 1);
    gz_motion_intervals *intervals = any ? &m->queue[0] : &m->stack;
    m->queue[0].count = m->queue[0].list_count = m->stack.count = m->stack.list_count = 0;
    if (!push(s, intervals, 0, 1)) {
        s->report->spent = true;
        return STEP_STOP;
    }
    return any ? search_levels(s) : search_stack(s);
}

// ---------------------------------------------------------------------------------- the report

static graze_contact name_pair(const search *s, int32_t pair) {
    const gz_motion_pair none = {.pair = -1, .link = -1, .other = -1};
    const gz_motion_pair *p = (size_t)pair < s->m->pair_count ? &s->m->pairs[pair] : &none;
    return gz_contact_make(p->pair < 0 ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF, p->link, -1,
                           p->other, -1, NULL);
}

static graze_status report_hit(search *s, double earliest) {
    graze_motion_workspace *m = s->m;
    bool hit;
    s->report->verdict = GRAZE_MOTION_HIT;
    s->report->earliest = fmin(earliest, s->latest);
    s->report->latest = s->latest;
    if (s->options->answer == GRAZE_MOTION_ANY) return GRAZE_OK; // collides_at() has the contact
    gz_edge_place(&m->edge, s->latest);
    return gz_motion_check_place(m, s->latest, GRAZE_ANSWER_FIRST, &s->report->contact, &hit,
                                 s->error);
}

graze_status gz_motion_search(graze_motion_workspace *m, const graze_motion_options *options,
                              graze_motion_report *report, graze_error *error) {
    search s = {.m = m,
                .options = options,
                .report = report,
                .error = error,
                .latest = INFINITY,
                .inside = 1,
                .sampled = INFINITY,
                .open_end = 1,
                .open_pair = -1};
    step end = search_all(&s);
    if (end == STEP_FAIL) return s.status;
    // Stopped: what is behind `open` is not known. Else all is proved but for what was too small.
    bool known = end == STEP_ON, small = s.undecided.count != 0;
    if (known || (small && s.undecided.t0 < s.open)) {
        s.open = small ? s.undecided.t0 : 1;
        s.open_end = small ? s.undecided.t1 : 1;
        s.open_pair = s.undecided_pair;
    }
    if (s.latest <= 1) return report_hit(&s, fmin(s.open, s.inside));
    report->earliest = s.open;
    report->latest = s.open_end;
    report->verdict = known && !small ? GRAZE_MOTION_FREE : GRAZE_MOTION_UNDECIDED;
    if (report->verdict == GRAZE_MOTION_UNDECIDED) report->contact = name_pair(&s, s.open_pair);
    return GRAZE_OK;
}
