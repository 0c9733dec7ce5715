// A sweep goes from the rest value towards a limit in pieces [t, t + 2h]. In the middle of a piece
// all pairs that the joint moves are checked with margins of their own: what the pair's distance
// may change within h (audit_reach.c), plus
//
//     3 epsilon + SLACK
//
// FREE there proves a real distance above margin - epsilon (docs/margins.md), so after any motion
// in the piece above 2 epsilon + SLACK: the exact check at margin 0, which is never farther off
// than epsilon, says FREE in all of the piece. SLACK covers what verdicts on curved shapes leave
// open besides (narrow/curved.h). So nothing is stepped over, however thin it is.
//
// Pieces come in sizes halved from the whole range down to below the tolerance, with a checker for
// each size, made when it is first needed. A proved piece is followed by one of twice the size, one
// that is not proved by one of half. The smallest is shorter than the tolerance: where it is not
// proved, the exact verdict at its end is asked, and COLLISION ends the sweep. Where that is FREE,
// two surfaces are too near to each other for a proof (nearer than some tenths of a micrometre);
// the sweep goes on by exact verdicts alone, and the meeting says from where on nothing is proved.
#include "lint/audit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "lint/audit_reach.h"

#define SLACK 4e-9
// The smallest piece is some hundredth of the tolerance: there the part of a margin that grows with
// it is as small as the part that does not, and links that come near slowly are told apart longest.
#define MOST_LEVELS 52
#define GROWTH      1.25

typedef struct level {
    double half; ///< h
    graze_checker *checker;
    graze_workspace *workspace;
} level;

typedef struct run {
    gz_audit *audit;
    const graze_robot *robot;
    gz_audit_reach reach;
    size_t q_size;
    double *rest, *start, *q;
    graze_checker *all; ///< every pair, margin 0
    double epsilon;
    uint8_t *touching; ///< per pair of the robot: it collides at rest
    graze_error *error;
    bool stopped;

    // Of the joint that is swept.
    int32_t joint, column;
    double low, high;
    bool at_end;                 ///< no contact stopped it on one of its ways from rest
    gz_audit_meeting part;       ///< a pair that its range does not tell all of; a is -1: none
    graze_allowed_pair *allowed; ///< what it does not move, or what touches at rest
    size_t allowed_count;
    graze_pair_margin *margins; ///< the others; the margin is the rate
    size_t margin_count;
    level exact, levels[MOST_LEVELS];
    int level_count;
} run;

// ---------------------------------------------------------------------------------------- checkers

static graze_status make_level(run *r, level *l, double half) {
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf_margins = 1;
    options.margin = 0;
    options.allowed = r->allowed;
    options.allowed_count = r->allowed_count;
    graze_pair_margin *margins = NULL;
    if (half > 0) {
        margins = gz_malloc(r->margin_count, sizeof *margins);
        if (!margins) return gz_fail_memory(r->error);
        for (size_t i = 0; i < r->margin_count; i++) {
            margins[i] = r->margins[i];
            margins[i].margin = margins[i].margin * half + 3 * r->epsilon + SLACK;
        }
        options.margins = margins;
        options.margin_count = r->margin_count;
    }
    graze_status status = graze_checker_create(&l->checker, r->robot, NULL, &options, r->error);
    gz_free(margins);
    return status ? status : graze_workspace_create(&l->workspace, l->checker, r->error);
}

static void clear_level(level *l) {
    graze_workspace_free(l->workspace);
    graze_checker_free(l->checker);
    *l = (level){.half = l->half};
}

/// Checks at one value of the joint; *contact is the lowest pair that is within its margin there.
static graze_status look(run *r, level *l, double value, bool *free, graze_contact *contact) {
    if (!l->checker) {
        graze_status status = make_level(r, l, l->half);
        if (status) return status;
    }
    graze_report report = {.contacts = contact, .capacity = 1};
    r->q[r->column] = value;
    r->audit->checks++;
    graze_answer answer = l == &r->exact ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_PAIR;
    graze_status status = graze_check(l->checker, l->workspace, answer, r->q, r->q_size, NULL,
                                      &report, r->error);
    *free = status == GRAZE_OK && report.verdict == GRAZE_FREE;
    return status;
}

// ------------------------------------------------------------------------------------------ sweep

typedef struct sweep {
    gz_audit_meeting meeting;
    bool met;
    graze_contact near; ///< the first pair that could not be proved apart
    double near_value;
    uint64_t unknown; ///< steps that are neither proved nor colliding
} sweep;

static void meet(sweep *s, gz_audit_kind kind, const graze_contact *contact, double value) {
    s->met = true;
    s->meeting.kind = kind;
    s->meeting.a = contact->link;
    s->meeting.b = contact->other;
    s->meeting.value = value;
}

/// Between a value that is free and one that collides: the ends of the last step of a bisection by
/// exact verdicts. The colliding one is the meeting.
static graze_status bisect(run *r, sweep *s, double free_value, double value,
                           graze_contact contact) {
    while (fabs(value - free_value) > GZ_AUDIT_TOLERANCE / 4) {
        double middle = free_value + (value - free_value) / 2;
        bool free;
        graze_contact found;
        graze_status status = look(r, &r->exact, middle, &free, &found);
        if (status) return status;
        if (free) {
            free_value = middle;
        } else {
            value = middle;
            contact = found;
        }
    }
    meet(s, GZ_AUDIT_CONTACT, &contact, value);
    return GRAZE_OK;
}

/// The smallest piece is not proved: on to `next`, by exact verdicts.
static graze_status settle(run *r, sweep *s, double t, double next, const graze_contact *near) {
    bool free;
    graze_contact contact;
    graze_status status = look(r, &r->exact, next, &free, &contact);
    if (status) return status;
    if (!free) return bisect(r, s, t, next, contact);
    if (!s->unknown++) {
        s->near = *near;
        s->near_value = t;
    }
    return GRAZE_OK;
}

static graze_status go(run *r, sweep *s) {
    double t = s->meeting.start, end = s->meeting.limit, way = end < t ? -1 : 1;
    int k = 0, last = r->level_count - 1;
    double smallest = 2 * r->levels[last].half, step = smallest;
    while (t != end && !s->met) {
        double left = fabs(end - t);
        // Of the sizes that cover what is left the smallest asks for the least.
        while (k < last && r->levels[k + 1].half >= left / 2) k++;
        double half = fmin(r->levels[k].half, left / 2);
        double next = left <= 2 * half ? end : t + way * 2 * half;
        bool free;
        graze_contact contact;
        graze_status status = look(r, &r->levels[k], t + way * half, &free, &contact);
        if (status) return status;
        if (free) {
            t = next;
            if (!s->unknown) s->meeting.proved = t;
            k -= k > 0;
            step = smallest;
        } else if (k < last) {
            k++;
        } else {
            // Surfaces that slide along each other are left by longer and longer steps.
            next = left <= step ? end : t + way * step;
            step *= GROWTH;
            status = settle(r, s, t, next, &contact);
            if (status) return status;
            t = next;
        }
    }
    if (!s->met && s->unknown) meet(s, GZ_AUDIT_NEAR, &s->near, s->near_value);
    return GRAZE_OK;
}

static double rate_of(const run *r, int32_t a, int32_t b) {
    return gz_audit_reach_rate(&r->reach, r->column, a, b);
}

static graze_status sweep_to(run *r, double limit, int64_t sample) {
    if (r->stopped || limit == r->rest[r->column]) return GRAZE_OK;
    double start = r->rest[r->column];
    sweep s = {.meeting = {.joint = r->joint,
                           .follower = -1,
                           .start = start,
                           .proved = start,
                           .limit = limit,
                           .sample = sample,
                           .q = r->q}};
    memcpy(r->q, r->start, r->q_size * sizeof *r->q);
    r->audit->sweeps++;
    graze_status status = go(r, &s);
    r->at_end |= !s.met || s.meeting.kind != GZ_AUDIT_CONTACT;
    if (status || !s.met) return status;
    if (s.meeting.kind == GZ_AUDIT_NEAR)
        s.meeting.gap = rate_of(r, s.meeting.a, s.meeting.b) * r->levels[r->level_count - 1].half +
                        4 * r->epsilon + SLACK;
    r->q[r->column] = s.meeting.value;
    r->stopped = !r->audit->each(&s.meeting, r->audit->user);
    return GRAZE_OK;
}

/// Sweeps both ways from the configuration in `start`.
static graze_status sweep_joint(run *r, int64_t sample) {
    bool free;
    graze_contact contact;
    memcpy(r->q, r->start, r->q_size * sizeof *r->q);
    graze_status status = look(r, &r->exact, r->rest[r->column], &free, &contact);
    if (status) return status;
    if (!free) {
        r->audit->blocked++;
        return GRAZE_OK;
    }
    status = sweep_to(r, r->low, sample);
    return status ? status : sweep_to(r, r->high, sample);
}

// ------------------------------------------------------------------------------------------ joints

/// The range of a column of q; false where it has none that can be swept.
static bool range_of(const graze_robot *robot, int32_t joint, double rest, double *low,
                     double *high) {
    const graze_joint_info *info = &robot->joints[joint].info;
    *low = info->limited ? info->lower : rest - M_PI;
    *high = info->limited ? info->upper : rest + M_PI;
    return info->limited || info->type != GRAZE_JOINT_PRISMATIC;
}

/// Whether the limits of what follows the joint end its way within its range, so that the sweep is
/// all of it.
static bool held_by_followers(const run *r) {
    double low = -INFINITY, high = INFINITY;
    for (int32_t j = 0; j < r->robot->joint_count; j++) {
        const gz_joint *joint = &r->robot->joints[j];
        double m = joint->multiplier;
        if (joint->column != r->column || !joint->info.limited || m == 0) continue;
        double ends[2] = {(joint->info.lower - joint->offset) / m,
                          (joint->info.upper - joint->offset) / m};
        low = fmax(low, fmin(ends[0], ends[1]));
        high = fmin(high, fmax(ends[0], ends[1]));
    }
    return low <= high && low >= r->low && high <= r->high;
}

/// A joint without end is swept once around. That is not all where something that it drives is
/// elsewhere after a turn, and goes on: such pairs may meet later.
static void find_part(run *r) {
    r->part.a = -1;
    if (r->robot->joints[r->joint].info.limited || held_by_followers(r)) return;
    for (size_t i = 0; i < r->margin_count; i++) {
        int32_t a = graze_robot_find_link(r->robot, r->margins[i].a);
        int32_t b = graze_robot_find_link(r->robot, r->margins[i].b);
        int32_t follower = gz_audit_reach_drift(r->robot, r->column, a, b);
        if (follower < 0) continue;
        r->part = (gz_audit_meeting){.kind = GZ_AUDIT_PART,
                                     .joint = r->joint,
                                     .follower = follower,
                                     .a = a,
                                     .b = b,
                                     .start = r->rest[r->column],
                                     .value = r->high,
                                     .proved = r->high,
                                     .limit = r->high,
                                     .sample = -1,
                                     .q = r->rest};
        return;
    }
}

/// Sample `number`: each joint that turns or slides anywhere in its range, the same whatever joint
/// is swept.
static void draw(run *r, uint32_t number) {
    gz_random random = gz_random_make(r->audit->seed, number);
    memcpy(r->start, r->rest, r->q_size * sizeof *r->start);
    for (int32_t j = 0; j < r->robot->joint_count; j++) {
        const graze_joint_info *info = &r->robot->joints[j].info;
        double low, high;
        if (info->q_index < 0 || !gz_audit_moves(r->robot, j)) continue;
        double value = gz_random_unit(&random);
        if (!range_of(r->robot, j, r->rest[info->q_index], &low, &high)) continue;
        r->start[info->q_index] = low + (high - low) * value;
    }
    r->start[r->column] = r->rest[r->column];
}

/// Sorts the pairs into those that the joint moves, and the others. False where no pair is moved,
/// or one without a bound.
static bool sort_pairs(run *r) {
    bool bounded = true;
    r->allowed_count = r->margin_count = 0;
    for (size_t i = 0; i < graze_robot_pair_count(r->robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(r->robot, i, &pair) != GRAZE_OK) continue;
        const char *a = r->robot->links[pair.a].name, *b = r->robot->links[pair.b].name;
        bool is_checked = pair.state == GRAZE_PAIR_CHECKED;
        double rate = is_checked && !r->touching[i] ? rate_of(r, pair.a, pair.b) : 0;
        bounded &= isfinite(rate) != 0;
        if (rate > 0)
            r->margins[r->margin_count++] = (graze_pair_margin){.a = a, .b = b, .margin = rate};
        else
            r->allowed[r->allowed_count++] = (graze_allowed_pair){.a = a, .b = b};
    }
    return bounded && r->margin_count > 0;
}

static graze_status audit_joint(run *r, int32_t joint) {
    r->joint = joint;
    r->column = r->robot->joints[joint].info.q_index;
    if (!range_of(r->robot, joint, r->rest[r->column], &r->low, &r->high) || !(r->low < r->high) ||
        !sort_pairs(r))
        return GRAZE_OK;
    r->level_count = 0;
    double half = (r->high - r->low) / 2;
    do {
        r->levels[r->level_count++] = (level){.half = half};
        half /= 2;
    } while (4 * half > GZ_AUDIT_TOLERANCE / 32 && r->level_count < MOST_LEVELS);
    r->exact = (level){.half = 0};
    memcpy(r->start, r->rest, r->q_size * sizeof *r->start);
    find_part(r);
    r->at_end = false;
    graze_status status = sweep_joint(r, -1);
    if (!status && !r->stopped && r->at_end && r->part.a >= 0)
        r->stopped = !r->audit->each(&r->part, r->audit->user);
    for (uint32_t i = 0; !status && !r->stopped && i < r->audit->samples; i++) {
        draw(r, i);
        status = sweep_joint(r, i);
    }
    clear_level(&r->exact);
    for (int i = 0; i < r->level_count; i++) clear_level(&r->levels[i]);
    return status;
}

// ---------------------------------------------------------------------------------------------
// rest

/// Finds the pairs that touch at rest, and tells them.
static graze_status look_at_rest(run *r) {
    graze_workspace *workspace = NULL;
    size_t pairs = graze_robot_pair_count(r->robot), at = 0;
    graze_contact *contacts = gz_malloc(pairs, sizeof *contacts);
    graze_report report = {.contacts = contacts, .capacity = pairs};
    graze_status status = contacts ? graze_workspace_create(&workspace, r->all, r->error)
                                   : gz_fail_memory(r->error);
    if (!status)
        status = graze_check(r->all, workspace, GRAZE_ANSWER_ALL, r->rest, r->q_size, NULL, &report,
                             r->error);
    r->audit->checks++;
    for (size_t i = 0; !status && i < report.count && !r->stopped; i++) {
        graze_pair pair = {.a = -1};
        // Contacts come in check order, which is that of the pairs.
        for (; at < pairs; at++)
            if (graze_robot_pair(r->robot, at, &pair) == GRAZE_OK && pair.a == contacts[i].link &&
                pair.b == contacts[i].other)
                break;
        if (at == pairs) break;
        r->touching[at] = 1;
        gz_audit_meeting meeting = {.kind = GZ_AUDIT_REST,
                                    .joint = -1,
                                    .follower = -1,
                                    .a = pair.a,
                                    .b = pair.b,
                                    .sample = -1,
                                    .q = r->rest};
        r->stopped = !r->audit->each(&meeting, r->audit->user);
    }
    graze_workspace_free(workspace);
    gz_free(contacts);
    return status;
}

static graze_status prepare(run *r) {
    size_t pairs = graze_robot_pair_count(r->robot), n = r->q_size ? r->q_size : 1;
    r->rest = gz_calloc(n, sizeof *r->rest);
    r->start = gz_calloc(n, sizeof *r->start);
    r->q = gz_calloc(n, sizeof *r->q);
    r->touching = gz_calloc(pairs ? pairs : 1, 1);
    r->allowed = gz_malloc(pairs, sizeof *r->allowed);
    r->margins = gz_malloc(pairs, sizeof *r->margins);
    if (!r->rest || !r->start || !r->q || !r->touching || !r->allowed || !r->margins)
        return gz_fail_memory(r->error);
    graze_robot_rest(r->robot, r->rest);
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf_margins = 1;
    options.margin = 0;
    graze_status status = graze_checker_create(&r->all, r->robot, NULL, &options, r->error);
    if (!status) r->epsilon = graze_checker_epsilon(r->all);
    return status ? status : gz_audit_reach_make(&r->reach, r->robot, r->rest, r->error);
}

graze_status gz_audit_run(gz_audit *audit, graze_error *error) {
    run r = {.audit = audit,
             .robot = audit->robot,
             .q_size = graze_robot_q_size(audit->robot),
             .error = error};
    audit->sweeps = audit->checks = audit->blocked = 0;
    graze_status status = prepare(&r);
    if (!status) status = look_at_rest(&r);
    for (int32_t j = 0; !status && !r.stopped && j < r.robot->joint_count; j++)
        if (gz_audit_moves(r.robot, j) && r.robot->joints[j].info.q_index >= 0)
            status = audit_joint(&r, j);
    graze_checker_free(r.all);
    gz_audit_reach_free(&r.reach);
    gz_free(r.rest);
    gz_free(r.start);
    gz_free(r.q);
    gz_free(r.touching);
    gz_free(r.allowed);
    gz_free(r.margins);
    return status;
}
