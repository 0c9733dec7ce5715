#include "verify/motion_replay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/replay_pair.h"
#include "verify/robot_motion.h"
#include "verify/verify_memory.h"

// An interval shorter than this is not split.
#define SHORTEST 0x1p-44
// Holds the rounding of sums, and how much origins that are rigid up to 1e-9 let distances change
// while both bodies move together.
#define SLACK (1 + 0x1p-16)
// Where more of the smaller body than this moves, halves are cheaper than triangles.
#define WORTH 0.02

/// A body, where it is posed.
typedef struct moving_body {
    gz_posed_body posed;
    double span;       ///< no point is farther from the body's origin
    double off;        ///< how far snapped points are from their real places, metres
    uint64_t interval; ///< that it was posed for
} moving_body;

struct gz_motion_replay {
    const gz_dump_scene *scene;
    gz_kinematics *kinematics;
    gz_robot_motion motion;
    gz_dump_motion claim; ///< of the motion that was run last
    double *reached;      ///< q and base where that motion ends, if it was a piece of a trajectory
    moving_body *bodies;
    double (*links)[12];
    gz_pair_scratch scratch;
    size_t *list; ///< pairs that are left: of an interval, behind it of its half, and so on
    size_t capacity;
    uint64_t interval, tests;
    bool no_memory;
    gz_motion_result *result;
};

// ------------------------------------------------------------------------------------- the making

static double span_of(const gz_dump_body *body) {
    double most = 0;
    for (size_t e = 0; e < body->element_count; e++)
        for (size_t i = 0; i < body->elements[e].point_count; i++)
            for (int k = 0; k < 3; k++) most = fmax(most, fabs(body->elements[e].points[i][k]));
    return sqrt(3) * most * SLACK;
}

/// How far rims of cylinders are off where their ends are.
static double rims_off(const gz_dump_body *body, double off) {
    double most = 0;
    for (size_t i = 0; i < body->element_count; i++) {
        const gz_dump_element *e = &body->elements[i];
        if (e->shape != GZ_DUMP_CYLINDER) continue;
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = e->points[1][k] - e->points[0][k];
            square += d * d;
        }
        if (square == 0 && memcmp(e->points[0], e->points[1], sizeof e->points[0]) == 0)
            continue; // a ball: there is no axis
        most = fmax(most, e->radius * fmin(4 * off / sqrt(square), 1));
    }
    return most;
}

/// A pose whose numbers are cut off by 2^-52 of them, three products and sums of doubles: below
/// 2^-50 (span + |t|) a coordinate, and coordinates below 2^-100 become 0.
static void place(moving_body *b, const double pose[12]) {
    double shift = fabs(pose[3]) + fabs(pose[7]) + fabs(pose[11]);
    double off = 0x1p-48 * (b->span + shift) + 0x1p-98;
    b->off = (off + rims_off(b->posed.source, off)) * SLACK;
    gz_posed_body_place(&b->posed, pose);
}

gz_motion_replay *gz_motion_replay_create(const gz_dump_scene *s, gz_kinematics *kinematics) {
    gz_motion_replay *r = gz_verify_calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->scene = s;
    r->kinematics = kinematics;
    r->bodies = gz_verify_calloc(s->body_count, sizeof *r->bodies);
    r->links = gz_verify_calloc(s->tree_size, sizeof *r->links);
    r->scratch.simplices = gz_exact_create();
    r->scratch.cylinders = gz_exact_cylinder_create();
    r->scratch.winding = gz_exact_winding_create();
    r->reached = gz_verify_calloc(s->q_size + 6, sizeof *r->reached);
    bool good = gz_robot_motion_make(&r->motion, s) && r->bodies && r->links && r->reached &&
                r->scratch.simplices && r->scratch.cylinders && r->scratch.winding;
    for (size_t i = 0; good && i < s->body_count; i++) {
        r->bodies[i].span = span_of(&s->bodies[i]);
        good = gz_posed_body_make(&r->bodies[i].posed, &s->bodies[i]);
        if (good && s->bodies[i].is_object) place(&r->bodies[i], s->bodies[i].pose);
    }
    if (good) return r;
    gz_motion_replay_free(r);
    return NULL;
}

void gz_motion_replay_free(gz_motion_replay *r) {
    if (r == NULL) return;
    for (size_t i = 0; r->bodies != NULL && i < r->scene->body_count; i++)
        if (r->bodies[i].posed.source != NULL) gz_posed_body_free(&r->bodies[i].posed);
    gz_verify_free(r->bodies);
    gz_verify_free(r->links);
    gz_verify_free(r->list);
    gz_verify_free(r->reached);
    gz_robot_motion_free(&r->motion);
    gz_exact_free(r->scratch.simplices);
    gz_exact_cylinder_free(r->scratch.cylinders);
    gz_exact_winding_free(r->scratch.winding);
    gz_verify_free(r);
}

__attribute__((format(printf, 3, 4))) static bool
report(gz_motion_replay *r, gz_replay_outcome outcome, const char *format, ...) {
    gz_replay_result *out = &r->result->replay;
    if (outcome <= out->outcome) return false;
    out->outcome = outcome;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out->message, sizeof out->message, format, arguments);
    va_end(arguments);
    return false;
}

// -------------------------------------------------------------------------------------- one pair

/// An object where it is at the place that the robot is posed at.
static void place_moving(const gz_motion_replay *r, moving_body *b) {
    double pose[12];
    gz_object_pose_at(b->posed.source, r->motion.time, pose);
    place(b, pose);
    b->off += gz_robot_motion_object_off(&r->motion, b->posed.source, pose);
}

static moving_body *pose_body(gz_motion_replay *r, int32_t index) {
    moving_body *b = &r->bodies[index];
    const gz_dump_body *source = &r->scene->bodies[index];
    bool stands = source->is_object && !source->moves;
    if (stands || b->interval == r->interval) return b;
    b->interval = r->interval;
    if (source->is_object)
        place_moving(r, b);
    else
        place(b, r->links[r->scene->frames[source->frame]]);
    return b;
}

static double size_of(const gz_extent *box) {
    double most = 0;
    for (int k = 0; k < 3; k++) most = fmax(most, box->high[k] - box->low[k]);
    return most;
}

/// Whether two bodies are proved apart by more than `need` where they are, nothing of one in the
/// other, caps included.
static bool is_clear(gz_motion_replay *r, gz_posed_body *a, gz_posed_body *b, double need) {
    gz_pair_finding found;
    gz_pair_find(&r->scratch, a, b, need, &found);
    return !found.collides && !found.undecided && gz_pair_caps_apart(&r->scratch, a, b, need);
}

/// Whether the claim is wrong at the middle: their real distance is no more than claimed.
static bool is_refuted(gz_motion_replay *r, const gz_dump_pair *pair, moving_body *a,
                       moving_body *b) {
    double slack = gz_robot_motion_bound(&r->motion, r->links, a->posed.source, &a->posed.box,
                                         b->posed.source, &b->posed.box, 0);
    if (!a->posed.in_range || !b->posed.in_range) return false;
    if (!(slack + a->off + b->off <= 0.5 * r->scene->epsilon)) return false;
    gz_pair_finding found;
    gz_pair_find(&r->scratch, &a->posed, &b->posed, fmax(pair->margin, 0.5 * r->scene->epsilon),
                 &found);
    return found.collides;
}

typedef enum pair_state { PAIR_CLEAR, PAIR_LEFT, PAIR_REFUTED } pair_state;

static pair_state test_pair(gz_motion_replay *r, size_t index, double half) {
    const gz_dump_scene *s = r->scene;
    const gz_dump_pair *pair = &s->pairs[index];
    moving_body *a = pose_body(r, pair->a), *b = pose_body(r, pair->b);
    r->result->replay.pairs++;
    if (!a->posed.in_range || !b->posed.in_range) return PAIR_LEFT;
    double moved = gz_robot_motion_bound(&r->motion, r->links, a->posed.source, &a->posed.box,
                                         b->posed.source, &b->posed.box, half);
    double need = (fmax(pair->margin, s->epsilon) + s->epsilon + moved + a->off + b->off) * SLACK;
    if (!(need <= 0x1p20)) return PAIR_LEFT;
    gz_extent grown = gz_extent_grown(&b->posed.box, need);
    if (!gz_extents_overlap(&a->posed.box, &grown)) return PAIR_CLEAR;
    if (moved > WORTH * fmin(size_of(&a->posed.box), size_of(&b->posed.box))) return PAIR_LEFT;
    if (is_clear(r, &a->posed, &b->posed, need)) return PAIR_CLEAR;
    return is_refuted(r, pair, a, b) ? PAIR_REFUTED : PAIR_LEFT;
}

// ------------------------------------------------------------------------------------ the search

static bool pose_at(gz_motion_replay *r, double t) {
    r->interval++;
    gz_robot_motion_place(&r->motion, t);
    return gz_kinematics_place(r->kinematics, r->motion.q, r->motion.at, r->links,
                               &r->result->replay);
}

static bool report_refuted(gz_motion_replay *r, size_t index, double t) {
    const gz_dump_pair *pair = &r->scene->pairs[index];
    return report(r, GZ_REPLAY_REFUTED, "%s, %s collide or are too close at t = %.17g",
                  r->scene->bodies[pair->a].name, r->scene->bodies[pair->b].name, t);
}

/// A pair that is not proved on a short interval: behind it the pair may be refuted, which is the
/// better answer.
static bool report_undecided(gz_motion_replay *r, size_t index, double t0, double t1) {
    const gz_dump_pair *pair = &r->scene->pairs[index];
    for (int k = 42; k >= 0; k -= 6) {
        double t = t1 + ldexp(r->claim.earliest - t1, -k);
        if (!pose_at(r, t)) return false;
        if (is_refuted(r, pair, pose_body(r, pair->a), pose_body(r, pair->b)))
            return report_refuted(r, index, t);
    }
    return report(r, GZ_REPLAY_UNDECIDED, "%s, %s are not proved free for t in [%.17g, %.17g]",
                  r->scene->bodies[pair->a].name, r->scene->bodies[pair->b].name, t0, t1);
}

/// Proves the pairs of a part of the list free on an interval; false, and reported, where it
/// cannot.
static bool prove(gz_motion_replay *r, double t0, double t1, size_t first, size_t count) {
    double c = 0.5 * (t0 + t1), half = nextafter(fmax(c - t0, t1 - c), 1);
    size_t kept = first + count;
    if (!gz_verify_reserve((void **)&r->list, &r->capacity, kept + count, sizeof *r->list)) {
        r->no_memory = true;
        return false;
    }
    r->result->intervals++;
    if (!pose_at(r, c)) return false;
    for (size_t i = first; i < first + count; i++) {
        pair_state state = test_pair(r, r->list[i], half);
        if (state == PAIR_REFUTED) return report_refuted(r, r->list[i], c);
        if (state == PAIR_LEFT) r->list[kept++] = r->list[i];
    }
    first += count;
    count = kept - first;
    if (count == 0) return true;
    if (t1 - t0 <= SHORTEST || r->result->replay.pairs > r->tests)
        return report_undecided(r, r->list[first], t0, t1);
    return prove(r, t0, c, first, count) && prove(r, c, t1, first, count);
}

/// Lists the pairs that something moves. The others, and links of one body, have the verdict of the
/// configuration that the motion begins at.
static bool list_pairs(gz_motion_replay *r, size_t *count) {
    const gz_dump_scene *s = r->scene;
    if (!gz_verify_reserve((void **)&r->list, &r->capacity, s->pair_count, sizeof *r->list))
        return false;
    *count = 0;
    for (size_t i = 0; i < s->pair_count; i++) {
        const gz_dump_body *a = &s->bodies[s->pairs[i].a], *b = &s->bodies[s->pairs[i].b];
        bool moves = r->motion.moves[s->frames[a->frame]] || b->moves ||
                     (!b->is_object && r->motion.moves[s->frames[b->frame]]);
        bool together = !b->is_object && a->frame == b->frame;
        if (!s->pairs[i].skipped && moves && !together) r->list[(*count)++] = i;
    }
    return true;
}

/// Whether a piece of a trajectory begins where and when the piece before it ends, if there is one;
/// keeps where it ends itself.
static bool follows_last(gz_motion_replay *r, const gz_dump_motion *motion) {
    const gz_dump_motion *last = &r->claim;
    bool joined = last->times[1] == motion->times[0];
    for (size_t i = 0; i < r->scene->q_size + 6; i++) {
        const gz_moving_number *n = &r->motion.numbers[i];
        joined = joined && r->reached[i] == n->from;
        r->reached[i] = n->to;
    }
    return joined || !last->is_curve || !motion->is_curve;
}

/// What is wrong with a motion before any pair is looked at.
static void check_claim(gz_motion_replay *r, const gz_dump_configuration *c,
                        gz_replay_outcome start) {
    const gz_dump_motion *motion = &c->motion;
    if (!r->motion.supported)
        report(r, GZ_REPLAY_UNDECIDED,
               "a floating joint turns, an angle turns by half a turn, an origin is not rigid, or "
               "there are more than 1000 joints: not followed");
    if (r->scene->timed && c->time != r->motion.times[0])
        report(r, GZ_REPLAY_REFUTED, "it begins at the time %.17g, and its objects at %.17g",
               r->motion.times[0], c->time);
    if (motion->verdict != GZ_DUMP_MOTION_FREE && motion->earliest == 0) return;
    if (c->verdict != GZ_DUMP_FREE)
        report(r, GZ_REPLAY_REFUTED, "it begins at a configuration that is not free");
    if (start != GZ_REPLAY_CONFIRMED)
        report(r, GZ_REPLAY_UNDECIDED, "the configuration that it begins at is not confirmed");
    if (gz_robot_motion_is_inside(&r->motion, motion->earliest)) return;
    if (motion->is_curve)
        report(r, GZ_REPLAY_UNDECIDED, "the base is not proved to stay in the boundary");
    else
        report(r, GZ_REPLAY_REFUTED, "the base leaves the boundary");
}

bool gz_motion_replay_run(gz_motion_replay *r, const gz_dump_configuration *c,
                          gz_replay_outcome start, uint64_t tests, gz_motion_result *result) {
    size_t count;
    *result = (gz_motion_result){.replay = {.outcome = GZ_REPLAY_CONFIRMED}};
    r->result = result;
    r->tests = tests;
    r->no_memory = false;
    r->scratch.item_pairs = r->scratch.points = 0;
    gz_robot_motion_set(&r->motion, c);
    bool follows = follows_last(r, &c->motion);
    r->claim = c->motion; // its numbers are not used again
    if (!follows) {
        report(r, GZ_REPLAY_REFUTED, "it does not begin where the piece before it ends");
        return true;
    }
    if (c->motion.verdict == GZ_DUMP_MOTION_UNDECIDED) {
        report(r, GZ_REPLAY_UNCLAIMED, "the motion is undecided in [%.17g, %.17g]",
               c->motion.earliest, c->motion.latest);
        return true;
    }
    check_claim(r, c, start);
    bool some = c->motion.verdict == GZ_DUMP_MOTION_FREE || c->motion.earliest > 0;
    if (!some || result->replay.outcome != GZ_REPLAY_CONFIRMED) return true;
    if (!list_pairs(r, &count)) return false;
    if (count > 0) prove(r, 0, c->motion.earliest, 0, count);
    result->replay.item_pairs = r->scratch.item_pairs;
    result->replay.points = r->scratch.points;
    return !r->no_memory;
}

void gz_motion_replay_end(gz_motion_replay *r, const gz_dump_configuration *next,
                          gz_replay_outcome outcome, gz_motion_result *result) {
    r->result = result;
    if (r->claim.verdict != GZ_DUMP_MOTION_COLLISION) return;
    if (next == NULL || next->verdict != GZ_DUMP_COLLISION ||
        !gz_robot_motion_is_at(&r->motion, next, r->claim.latest))
        report(r, GZ_REPLAY_REFUTED, "no collision follows that is at t = %.17g", r->claim.latest);
    else if (outcome == GZ_REPLAY_REFUTED || outcome == GZ_REPLAY_UNDECIDED)
        report(r, outcome, "the collision at t = %.17g is not confirmed", r->claim.latest);
}
