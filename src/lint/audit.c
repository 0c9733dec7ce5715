// A sweep goes from the rest value towards a limit in pieces [t, t + 2h]. In the middle of a piece
// all pairs that the joint moves are checked with margins of their own: what the pair's distance
// may change within h (kinematics/motion_bound.h), plus
//
//     3 epsilon + GZ_CURVED_TOLERANCE
//
// FREE there proves a real distance above margin - epsilon (docs/margins.md), so after any motion
// in the piece above 2 epsilon + GZ_CURVED_TOLERANCE: the exact check at margin 0, which is never
// farther off than epsilon, gives FREE in all of the piece. So nothing is stepped over, however
// thin it is.
//
// Pieces come in sizes halved from the whole range down to below the tolerance, with a checker for
// each size, made when it is first needed. A proved piece is followed by one of twice the size, one
// that is not proved by one of half. The smallest is shorter than the tolerance: where it is not
// proved, the exact verdict at its end is asked, and COLLISION ends the sweep. Where that is FREE,
// two surfaces are too near to each other for a proof (nearer than some tenths of a micrometre);
// the sweep goes on by exact verdicts alone, and the finding states from where on nothing is
// proved.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "kinematics/motion_bound.h"
#include "lint/audit.h"
#include "narrow/curved/curved.h"
#include "robot/robot.h"

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
    const gz_audit *audit;
    const graze_robot *robot;
    gz_motion_model motion; ///< while every joint that is swept is within its limits
    size_t q_size;
    double *numbers; ///< what the following six lie in: one each per column of q
    double *rest, *start, *q;
    double *low, *high; ///< limits, half a turn each way, or infinite; rest where nothing is swept
    double *rates;      ///< 1 for the column that is swept, 0 for others
    graze_checker *all; ///< every pair, margin 0
    double epsilon;
    uint8_t *touching; ///< per pair of the robot: it collides at rest
    graze_error *error;
    bool stopped;

    // Of the joint that is swept.
    int32_t joint, column;
    bool at_end;                 ///< no contact stopped it on one of its ways from rest
    gz_audit_event beyond;       ///< a pair that may collide beyond its range; a is -1: none
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
    options.margin_count = half > 0 ? r->margin_count : 0;
    graze_pair_margin *margins = gz_malloc(options.margin_count, sizeof *margins);
    if (!margins) return gz_fail_memory(r->error);
    for (size_t i = 0; i < options.margin_count; i++) {
        margins[i] = r->margins[i];
        margins[i].margin = margins[i].margin * half + 3 * r->epsilon + GZ_CURVED_TOLERANCE;
    }
    options.margins = margins;
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
static graze_status check_at(run *r, level *l, double value, bool *free, graze_contact *contact) {
    if (!l->checker) {
        graze_status status = make_level(r, l, l->half);
        if (status) return status;
    }
    graze_report report = {.contacts = contact, .capacity = 1};
    r->q[r->column] = value;
    graze_answer answer = l == &r->exact ? GRAZE_ANSWER_FIRST : GRAZE_ANSWER_PAIR;
    graze_status status = graze_check(l->checker, l->workspace, answer, r->q, r->q_size, NULL,
                                      &report, r->error);
    *free = status == GRAZE_OK && report.verdict == GRAZE_FREE;
    return status;
}

// ------------------------------------------------------------------------------------------ sweep

typedef struct sweep {
    gz_audit_event event;
    bool ended;
    graze_contact near; ///< the first pair that could not be proved apart
    double near_value;
    uint64_t unknown; ///< steps that are neither proved nor colliding
} sweep;

static void end_sweep(sweep *s, gz_audit_kind kind, const graze_contact *contact, double value) {
    s->ended = true;
    s->event.kind = kind;
    s->event.a = contact->link;
    s->event.b = contact->other;
    s->event.value = value;
}

/// Between a value that is free and one that collides: the ends of the last step of a bisection by
/// exact verdicts. The colliding one is reported.
static graze_status bisect(run *r, sweep *s, double free_value, double value,
                           graze_contact contact) {
    while (fabs(value - free_value) > GZ_AUDIT_TOLERANCE / 4) {
        double middle = free_value + (value - free_value) / 2;
        bool free;
        graze_contact found;
        graze_status status = check_at(r, &r->exact, middle, &free, &found);
        if (status) return status;
        if (free) {
            free_value = middle;
        } else {
            value = middle;
            contact = found;
        }
    }
    end_sweep(s, GZ_AUDIT_CONTACT, &contact, value);
    return GRAZE_OK;
}

/// Steps on to `next` by the exact verdict, where the smallest piece is not proved.
static graze_status step_exactly(run *r, sweep *s, double t, double next,
                                 const graze_contact *near) {
    bool free;
    graze_contact contact;
    graze_status status = check_at(r, &r->exact, next, &free, &contact);
    if (status) return status;
    if (!free) return bisect(r, s, t, next, contact);
    if (!s->unknown++) {
        s->near = *near;
        s->near_value = t;
    }
    return GRAZE_OK;
}

/// Sweeps from start to limit, up to the first contact.
static graze_status sweep_range(run *r, sweep *s) {
    double t = s->event.start, end = s->event.limit, way = end < t ? -1 : 1;
    int k = 0, last = r->level_count - 1;
    double smallest = 2 * r->levels[last].half, step = smallest;
    while (t != end && !s->ended) {
        double left = fabs(end - t);
        // Of the sizes that cover what is left the smallest asks for the least.
        while (k < last && r->levels[k + 1].half >= left / 2) k++;
        double half = fmin(r->levels[k].half, left / 2);
        double next = left <= 2 * half ? end : t + way * 2 * half;
        bool free;
        graze_contact contact;
        graze_status status = check_at(r, &r->levels[k], t + way * half, &free, &contact);
        if (status) return status;
        if (free) {
            t = next;
            if (!s->unknown) s->event.proved = t;
            k -= k > 0;
            step = smallest;
        } else if (k < last) {
            k++;
        } else {
            // Surfaces that slide along each other are left by longer and longer steps.
            next = left <= step ? end : t + way * step;
            step *= GROWTH;
            status = step_exactly(r, s, t, next, &contact);
            if (status) return status;
            t = next;
        }
    }
    if (!s->ended && s->unknown) end_sweep(s, GZ_AUDIT_NEAR, &s->near, s->near_value);
    return GRAZE_OK;
}

static graze_status sweep_to(run *r, double limit, int64_t sample) {
    if (r->stopped || limit == r->rest[r->column]) return GRAZE_OK;
    double start = r->rest[r->column];
    sweep s = {.event = {.joint = r->joint,
                         .follower = -1,
                         .start = start,
                         .proved = start,
                         .limit = limit,
                         .sample = sample,
                         .q = r->q}};
    memcpy(r->q, r->start, r->q_size * sizeof *r->q);
    graze_status status = sweep_range(r, &s);
    r->at_end |= !s.ended || s.event.kind != GZ_AUDIT_CONTACT;
    if (status || !s.ended) return status;
    if (s.event.kind == GZ_AUDIT_NEAR)
        s.event.gap = gz_motion_rate(&r->motion, s.event.a, s.event.b, r->rates) *
                          r->levels[r->level_count - 1].half +
                      4 * r->epsilon + GZ_CURVED_TOLERANCE;
    r->q[r->column] = s.event.value;
    r->stopped = !r->audit->each(&s.event, r->audit->user);
    return GRAZE_OK;
}

/// Sweeps both ways from the configuration in `start`.
static graze_status sweep_joint(run *r, int64_t sample) {
    bool free;
    graze_contact contact;
    memcpy(r->q, r->start, r->q_size * sizeof *r->q);
    graze_status status = check_at(r, &r->exact, r->rest[r->column], &free, &contact);
    if (status || !free) return status;
    status = sweep_to(r, r->low[r->column], sample);
    return status ? status : sweep_to(r, r->high[r->column], sample);
}

// ------------------------------------------------------------------------------------------ joints

static bool turns(graze_joint_type type) {
    return type == GRAZE_JOINT_REVOLUTE || type == GRAZE_JOINT_CONTINUOUS;
}

/// Whether a joint is swept: it turns or slides, and has a number of q of its own.
static bool is_swept(const graze_robot *robot, int32_t joint) {
    const graze_joint_info *info = &robot->joints[joint].info;
    return (turns(info->type) || info->type == GRAZE_JOINT_PRISMATIC) && info->q_index >= 0;
}

/// Whether the limits of joints that follow this one lie within its range, so that the sweep covers
/// all that they allow.
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
    return low <= high && low >= r->low[r->column] && high <= r->high[r->column];
}

/// A joint that the column drives, on the path between the two links, and that one turn of the
/// column does not bring back to where it was: a slide, or a gear of no whole ratio; the nearest to
/// a, else to b; -1 for none.
static int32_t nonperiodic_joint(const run *r, int32_t a, int32_t b) {
    const graze_robot *robot = r->robot;
    const gz_path_joint *path = r->motion.path;
    int32_t count = gz_motion_path(robot, r->motion.varying, robot->links[a].body,
                                   robot->links[b].body, r->motion.path),
            found = -1;
    for (int32_t i = 0; i < count; i++) {
        const gz_body *body = &robot->bodies[path[i].body];
        bool periodic = turns(body->type) && body->multiplier == floor(body->multiplier);
        if (body->column != r->column || periodic) continue;
        found = body->joint;
        if (!path[i].on_b_side) break;
    }
    return found;
}

/// Finds a pair that a sweep of one turn does not cover: a joint without end drives something that
/// is elsewhere after the turn, so that the two may collide later.
static void find_beyond(run *r) {
    r->beyond.a = -1;
    if (r->robot->joints[r->joint].info.limited || held_by_followers(r)) return;
    for (size_t i = 0; i < r->margin_count; i++) {
        int32_t a = graze_robot_find_link(r->robot, r->margins[i].a);
        int32_t b = graze_robot_find_link(r->robot, r->margins[i].b);
        int32_t follower = nonperiodic_joint(r, a, b);
        if (follower < 0) continue;
        r->beyond = (gz_audit_event){.kind = GZ_AUDIT_BEYOND,
                                     .joint = r->joint,
                                     .follower = follower,
                                     .a = a,
                                     .b = b,
                                     .start = r->rest[r->column],
                                     .value = r->high[r->column],
                                     .proved = r->high[r->column],
                                     .limit = r->high[r->column],
                                     .sample = -1,
                                     .q = r->rest};
        return;
    }
}

/// Sample `number`: each joint that turns or slides anywhere in its range, the same whatever joint
/// is swept.
static void draw_sample(run *r, uint32_t number) {
    gz_random random = gz_random_make(r->audit->seed, number);
    memcpy(r->start, r->rest, r->q_size * sizeof *r->start);
    for (int32_t j = 0; j < r->robot->joint_count; j++) {
        if (!is_swept(r->robot, j)) continue;
        int32_t column = r->robot->joints[j].info.q_index;
        double value = gz_random_unit(&random), low = r->low[column], high = r->high[column];
        if (isfinite(low)) r->start[column] = low + (high - low) * value;
    }
    r->start[r->column] = r->rest[r->column];
}

/// Sorts the pairs into those that the joint moves, and the others. False where no pair is moved,
/// or one without a bound.
static bool sort_pairs(run *r) {
    bool bounded = true;
    r->allowed_count = r->margin_count = 0;
    for (size_t i = 0; i < r->robot->pair_count; i++) {
        const gz_pair *pair = &r->robot->pairs[i];
        const char *a = r->robot->links[pair->a].name, *b = r->robot->links[pair->b].name;
        double rate = 0;
        if (pair->state == GRAZE_PAIR_CHECKED && !r->touching[i])
            rate = gz_motion_rate(&r->motion, pair->a, pair->b, r->rates);
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
    double low = r->low[r->column], high = r->high[r->column], half = (high - low) / 2;
    memset(r->rates, 0, r->q_size * sizeof *r->rates);
    r->rates[r->column] = 1;
    if (!isfinite(half) || !(low < high) || !sort_pairs(r)) return GRAZE_OK;
    r->level_count = 0;
    do {
        r->levels[r->level_count++] = (level){.half = half};
        half /= 2;
    } while (4 * half > GZ_AUDIT_TOLERANCE / 32 && r->level_count < MOST_LEVELS);
    r->exact = (level){.half = 0};
    memcpy(r->start, r->rest, r->q_size * sizeof *r->start);
    find_beyond(r);
    r->at_end = false;
    graze_status status = sweep_joint(r, -1);
    if (!status && !r->stopped && r->at_end && r->beyond.a >= 0)
        r->stopped = !r->audit->each(&r->beyond, r->audit->user);
    for (uint32_t i = 0; !status && !r->stopped && i < r->audit->samples; i++) {
        draw_sample(r, i);
        status = sweep_joint(r, i);
    }
    clear_level(&r->exact);
    for (int i = 0; i < r->level_count; i++) clear_level(&r->levels[i]);
    return status;
}

// -------------------------------------------------------------------------------------------- rest

/// Finds the pairs that touch at rest, and reports them.
static graze_status check_rest(run *r) {
    graze_workspace *workspace = NULL;
    size_t pairs = r->robot->pair_count, at = 0;
    graze_contact *contacts = gz_malloc(pairs, sizeof *contacts);
    graze_report report = {.contacts = contacts, .capacity = pairs};
    graze_status status = contacts ? graze_workspace_create(&workspace, r->all, r->error)
                                   : gz_fail_memory(r->error);
    if (!status)
        status = graze_check(r->all, workspace, GRAZE_ANSWER_ALL, r->rest, r->q_size, NULL, &report,
                             r->error);
    for (size_t i = 0; !status && i < report.count && !r->stopped; i++) {
        // Contacts come in check order, which is that of the pairs.
        const gz_pair *pair = r->robot->pairs + at;
        while (at < pairs && (pair->a != contacts[i].link || pair->b != contacts[i].other))
            pair = r->robot->pairs + ++at;
        if (at == pairs) break;
        r->touching[at] = 1;
        gz_audit_event event = {.kind = GZ_AUDIT_REST,
                                .joint = -1,
                                .follower = -1,
                                .a = pair->a,
                                .b = pair->b,
                                .sample = -1,
                                .q = r->rest};
        r->stopped = !r->audit->each(&event, r->audit->user);
    }
    graze_workspace_free(workspace);
    gz_free(contacts);
    return status;
}

/// Fills the ranges of the columns: an endless joint is swept half a turn each way, an endless
/// slide not at all.
static void set_ranges(run *r) {
    for (size_t i = 0; i < r->q_size; i++) {
        int32_t joint = graze_robot_q_joint(r->robot, i);
        const graze_joint_info *info = &r->robot->joints[joint].info;
        double way = info->type == GRAZE_JOINT_PRISMATIC ? INFINITY : M_PI;
        r->low[i] = r->high[i] = r->rest[i];
        if (!is_swept(r->robot, joint)) continue;
        r->low[i] = info->limited ? info->lower : r->rest[i] - way;
        r->high[i] = info->limited ? info->upper : r->rest[i] + way;
    }
}

static graze_status prepare(run *r) {
    size_t pairs = r->robot->pair_count;
    r->numbers = gz_calloc(6 * r->q_size, sizeof *r->numbers);
    r->touching = gz_calloc(pairs, 1);
    r->allowed = gz_malloc(pairs, sizeof *r->allowed);
    r->margins = gz_malloc(pairs, sizeof *r->margins);
    if (!r->numbers || !r->touching || !r->allowed || !r->margins) return gz_fail_memory(r->error);
    double **rows[] = {&r->rest, &r->start, &r->q, &r->low, &r->high, &r->rates};
    for (size_t i = 0; i < 6; i++) *rows[i] = r->numbers + i * r->q_size;
    graze_robot_rest(r->robot, r->rest);
    set_ranges(r);
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf_margins = 1;
    options.margin = 0;
    graze_status status = graze_checker_create(&r->all, r->robot, NULL, &options, r->error);
    if (!status) r->epsilon = graze_checker_epsilon(r->all);
    return status;
}

graze_status gz_audit_run(const gz_audit *audit, graze_error *error) {
    run r = {.audit = audit,
             .robot = audit->robot,
             .q_size = graze_robot_q_size(audit->robot),
             .error = error};
    graze_status status = prepare(&r);
    if (!status) status = check_rest(&r);
    if (!status) status = gz_motion_model_make(&r.motion, r.robot, r.low, r.high, error);
    for (int32_t j = 0; !status && !r.stopped && j < r.robot->joint_count; j++)
        if (is_swept(r.robot, j)) status = audit_joint(&r, j);
    graze_checker_free(r.all);
    gz_motion_model_free(&r.motion);
    gz_free(r.numbers);
    gz_free(r.touching);
    gz_free(r.allowed);
    gz_free(r.margins);
    return status;
}
