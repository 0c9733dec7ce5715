#include "verify/replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/replay_pair.h"
#include "verify/skip_reason.h"
#include "verify/verify_memory.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

struct gz_replay {
    const gz_dump_scene *scene;
    gz_posed_body *bodies;
    gz_pair_scratch scratch;
    gz_pair_finding *fixed; ///< per pair of one frame: its verdict there, which no pose changes
    size_t skewed;          ///< an object whose pose is not rigid; body_count: none
    size_t apart;           ///< a pair that is skipped as adjacent and is not; pair_count: none
};

// ------------------------------------------------------------------------------------- the making

/// Two links of one rigid body: the contract checks them once, in the body's frame.
static bool is_fixed(const gz_dump_scene *s, const gz_dump_pair *pair) {
    const gz_dump_body *a = &s->bodies[pair->a], *b = &s->bodies[pair->b];
    return !b->is_object && a->frame == b->frame;
}

static void place_fixed(gz_replay *r, const gz_dump_pair *pair) {
    gz_posed_body_place(&r->bodies[pair->a], identity);
    gz_posed_body_place(&r->bodies[pair->b], identity);
}

static void find_fixed(gz_replay *r) {
    const gz_dump_scene *s = r->scene;
    for (size_t i = 0; i < s->pair_count; i++) {
        const gz_dump_pair *pair = &s->pairs[i];
        if ((pair->skipped && !gz_skip_is_never(pair)) || !is_fixed(s, pair)) continue;
        place_fixed(r, pair);
        gz_pair_find(&r->scratch, &r->bodies[pair->a], &r->bodies[pair->b], pair->margin,
                     &r->fixed[i]);
    }
}

gz_replay *gz_replay_create(const gz_dump_scene *scene) {
    gz_replay *r = gz_verify_calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->scene = scene;
    r->bodies = gz_verify_calloc(scene->body_count, sizeof *r->bodies);
    r->fixed = gz_verify_calloc(scene->pair_count, sizeof *r->fixed);
    r->scratch.simplices = gz_exact_create();
    r->scratch.cylinders = gz_exact_cylinder_create();
    r->scratch.winding = gz_exact_winding_create();
    bool good = r->bodies != NULL && r->fixed != NULL && r->scratch.simplices != NULL &&
                r->scratch.cylinders != NULL && r->scratch.winding != NULL;
    r->apart = gz_skip_find_apart(scene);
    good = good && r->apart <= scene->pair_count;
    for (size_t i = 0; good && i < scene->body_count; i++)
        good = gz_posed_body_make(&r->bodies[i], &scene->bodies[i]);
    if (!good) {
        gz_replay_free(r);
        return NULL;
    }
    r->skewed = scene->body_count;
    for (size_t i = scene->body_count; i-- > scene->link_count;) {
        gz_posed_body_place(&r->bodies[i], scene->bodies[i].pose);
        if (!gz_exact_is_rigid(scene->bodies[i].pose)) r->skewed = i;
    }
    find_fixed(r);
    return r;
}

void gz_replay_free(gz_replay *r) {
    if (r == NULL) return;
    for (size_t i = 0; r->bodies != NULL && i < r->scene->body_count; i++)
        if (r->bodies[i].source != NULL) gz_posed_body_free(&r->bodies[i]);
    gz_verify_free(r->bodies);
    gz_verify_free(r->fixed);
    gz_exact_free(r->scratch.simplices);
    gz_exact_cylinder_free(r->scratch.cylinders);
    gz_exact_winding_free(r->scratch.winding);
    gz_verify_free(r);
}

// ------------------------------------------------------------------------------------ one verdict

/// A configuration while it is replayed. The first outcome that is not `confirmed` stays, but that
/// a refutation takes the place of the others.
typedef struct run {
    gz_replay *replay;
    const gz_dump_configuration *claims;
    gz_replay_result *result;
} run;

__attribute__((format(printf, 3, 4))) static void report(run *r, gz_replay_outcome outcome,
                                                         const char *format, ...) {
    if (outcome <= r->result->outcome) return;
    r->result->outcome = outcome;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->result->message, sizeof r->result->message, format, arguments);
    va_end(arguments);
}

static const char *name_of(const run *r, int32_t body) {
    return r->replay->scene->bodies[body].name;
}

/// Places every link, and objects that move; whether the poses are such as the contract allows.
static void place_links(run *r) {
    const gz_dump_scene *s = r->replay->scene;
    for (size_t f = 0; f < s->frame_count; f++)
        if (!gz_exact_is_rigid(r->claims->poses[f]))
            report(r, GZ_REPLAY_REFUTED, "pose %zu is not rigid", f);
    if (r->replay->skewed < s->body_count)
        report(r, GZ_REPLAY_REFUTED, "the pose of %s is not rigid",
               name_of(r, (int32_t)r->replay->skewed));
    for (size_t i = 0; i < s->link_count; i++)
        gz_posed_body_place(&r->replay->bodies[i], r->claims->poses[s->bodies[i].frame]);
    for (size_t i = s->link_count; i < s->body_count; i++) {
        double pose[12];
        if (!s->bodies[i].moves) continue;
        gz_object_pose_at(&s->bodies[i], r->claims->time, pose);
        gz_posed_body_place(&r->replay->bodies[i], pose);
    }
    for (size_t i = 0; i < s->body_count; i++)
        if (!r->replay->bodies[i].in_range)
            report(r, GZ_REPLAY_REFUTED, "%s reaches beyond 2^20 m, where there are no verdicts",
                   name_of(r, (int32_t)i));
}

/// "(triangles 3, 14)", for people.
static const char *describe(char out[96], int64_t triangle, int64_t other, bool inside) {
    char sides[2][32] = {"-", "-"};
    if (triangle >= 0) snprintf(sides[0], sizeof sides[0], "%lld", (long long)triangle);
    if (other >= 0) snprintf(sides[1], sizeof sides[1], "%lld", (long long)other);
    snprintf(out, 96, "(triangles %s, %s%s)", sides[0], sides[1], inside ? ", inside" : "");
    return out;
}

/// Whether the corners that the dump gives of the two triangles are the snapped ones.
static bool same_corners(const run *r, const gz_dump_contact *claim) {
    const gz_posed_shape *a = &r->replay->bodies[claim->body].shapes[claim->element];
    const gz_posed_shape *b = &r->replay->bodies[claim->other].shapes[claim->other_element];
    gz_simplex x, y;
    if (claim->triangle < 0 || claim->other_triangle < 0) return false;
    gz_posed_item(a, (size_t)claim->triangle, &x);
    gz_posed_item(b, (size_t)claim->other_triangle, &y);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            if (claim->corners[c][k] != x.corners[c][k] ||
                claim->corners[3 + c][k] != y.corners[c][k])
                return false;
    return true;
}

/// A pair that is claimed to collide: the contact is one, and no lower one exists.
static void confirm_pair(run *r, const gz_dump_pair *pair, const gz_dump_contact *claim,
                         const gz_pair_finding *found) {
    gz_replay *replay = r->replay;
    gz_posed_body *a = &replay->bodies[pair->a], *b = &replay->bodies[pair->b];
    char claimed[96], lowest[96], who[GZ_REPLAY_MESSAGE];
    const char *why;
    describe(claimed, claim->triangle, claim->other_triangle, claim->inside);
    snprintf(who, sizeof who, "%s, %s %s", name_of(r, pair->a), name_of(r, pair->b), claimed);
    describe(lowest, found->triangle, found->other_triangle, found->inside);
    double tolerance = gz_pair_tolerance(a, b, claim, pair->margin, replay->scene->epsilon);
    int order = found->collides ? gz_pair_compare(b, claim, found) : -1;
    if (order > 0) {
        report(r, GZ_REPLAY_REFUTED, "%s is claimed, but elements %d, %d %s collide and are lower",
               who, found->element, found->other_element, lowest);
        return;
    }
    if (order < 0) {
        gz_nearness nearness = gz_pair_confirm(&replay->scratch, a, b, pair->margin, tolerance,
                                               claim, &why);
        if (nearness == GZ_APART) {
            report(r, GZ_REPLAY_REFUTED, "%s is claimed to collide, but %s", who, why);
            return;
        }
        bool decided = nearness == GZ_NEAR;
        report(r, decided ? GZ_REPLAY_TOLERATED : GZ_REPLAY_UNDECIDED, "%s: %s", who,
               decided ? "no farther apart than the contract allows for a collision"
                       : "too close to contact to be decided");
    }
    if (order == 0 && found->undecided)
        report(r, GZ_REPLAY_UNDECIDED, "%s: a lower contact is too close to be decided", who);
    if (claim->has_corners && (claim->inside || !same_corners(r, claim)))
        report(r, GZ_REPLAY_REFUTED, "%s: the corners are not fl(R v + t)", who);
}

/// Decides one pair, which is claimed to collide (or, with NULL, to be free).
static void replay_pair(run *r, size_t index, const gz_dump_contact *claim) {
    gz_replay *replay = r->replay;
    const gz_dump_pair *pair = &replay->scene->pairs[index];
    gz_posed_body *a = &replay->bodies[pair->a], *b = &replay->bodies[pair->b];
    bool fixed = is_fixed(replay->scene, pair);
    gz_pair_finding found = replay->fixed[index];
    r->result->pairs++;
    if (!fixed) gz_pair_find(&replay->scratch, a, b, pair->margin, &found);
    if (claim != NULL) {
        if (fixed) place_fixed(replay, pair);
        confirm_pair(r, pair, claim, &found);
        if (fixed) {
            gz_posed_body_place(a, r->claims->poses[a->source->frame]);
            gz_posed_body_place(b, r->claims->poses[b->source->frame]);
        }
        return;
    }
    char lowest[96];
    if (found.collides) {
        report(r, GZ_REPLAY_REFUTED, "%s, %s elements %d, %d %s collide, which is not claimed",
               a->source->name, b->source->name, found.element, found.other_element,
               describe(lowest, found.triangle, found.other_triangle, found.inside));
    } else if (found.undecided) {
        report(r, GZ_REPLAY_UNDECIDED, "%s, %s: too close to contact to be decided",
               a->source->name, b->source->name);
    }
}

/// Whether the base's origin has left the boundary, which is a closed box.
static bool is_outside(const run *r) {
    const gz_dump_scene *s = r->replay->scene;
    const double *pose = r->claims->poses[0];
    for (int k = 0; s->has_boundary && k < 3; k++)
        if (pose[4 * k + 3] < s->boundary_min[k] || pose[4 * k + 3] > s->boundary_max[k])
            return true;
    return false;
}

/// The boundary comes first. Returns how many claims are about it: 0 or 1. Frame 0 is the root's:
/// its origin is the base's, bit for bit, whether or not any body stands in it.
static size_t replay_boundary(run *r) {
    const gz_dump_configuration *c = r->claims;
    for (int k = 0; k < 3; k++)
        if (c->poses[0][4 * k + 3] != c->base[k]) {
            report(r, GZ_REPLAY_REFUTED, "pose 0 is the root's, and is not where the base is");
            return 0;
        }
    bool claimed = c->contact_count > 0 && c->contacts[0].body < 0, outside = is_outside(r);
    if (claimed && !outside)
        report(r, GZ_REPLAY_REFUTED, "the base is claimed outside the boundary, and is inside");
    if (!claimed && outside)
        report(r, GZ_REPLAY_REFUTED, "the base is outside the boundary, which is not claimed");
    return claimed ? 1 : 0;
}

/// What the dump says of the pairs that it leaves out, where its own joints and numbers refute it.
static void check_skips(run *r) {
    gz_replay *replay = r->replay;
    const gz_dump_scene *s = replay->scene;
    if (replay->apart < s->pair_count) {
        const gz_dump_pair *pair = &s->pairs[replay->apart];
        report(r, GZ_REPLAY_REFUTED, "%s, %s is skipped as adjacent, but no joint joins them",
               name_of(r, pair->a), name_of(r, pair->b));
    }
    bool within = gz_skip_within_limits(s, r->claims->q);
    for (size_t i = 0; within && i < s->pair_count && r->result->outcome != GZ_REPLAY_REFUTED;
         i++) {
        const gz_dump_pair *pair = &s->pairs[i];
        if (!gz_skip_is_never(pair)) continue;
        gz_pair_finding found = replay->fixed[i];
        if (!is_fixed(s, pair))
            gz_pair_find(&replay->scratch, &replay->bodies[pair->a], &replay->bodies[pair->b], 0,
                         &found);
        if (found.collides)
            report(r, GZ_REPLAY_REFUTED,
                   "%s, %s is skipped because it never collides, but elements %d, %d do",
                   name_of(r, pair->a), name_of(r, pair->b), found.element, found.other_element);
    }
}

void gz_replay_run(gz_replay *replay, const gz_dump_configuration *c, gz_replay_result *result) {
    const gz_dump_scene *s = replay->scene;
    run r = {replay, c, result};
    *result = (gz_replay_result){.outcome = GZ_REPLAY_CONFIRMED};
    replay->scratch.item_pairs = replay->scratch.points = 0;
    if (c->verdict == GZ_DUMP_UNKNOWN) {
        report(&r, GZ_REPLAY_UNCLAIMED, "%s", c->message);
        return;
    }
    place_links(&r);
    size_t next = replay_boundary(&r);
    // Every pair in check order: with the claim about it, or as free. Where only the first is
    // claimed, nothing is claimed of the pairs behind it.
    for (size_t i = 0; i < s->pair_count && result->outcome != GZ_REPLAY_REFUTED; i++) {
        const gz_dump_pair *pair = &s->pairs[i];
        if (!s->all && next > 0 && next == c->contact_count) break;
        if (pair->skipped) continue;
        const gz_dump_contact *claim = next < c->contact_count ? &c->contacts[next] : NULL;
        bool of_pair = claim != NULL && claim->body == pair->a && claim->other == pair->b;
        replay_pair(&r, i, of_pair ? claim : NULL);
        if (of_pair) next++;
    }
    if (result->outcome != GZ_REPLAY_REFUTED && next < c->contact_count) {
        const gz_dump_contact *claim = &c->contacts[next];
        if (claim->body < 0) {
            report(&r, GZ_REPLAY_REFUTED, "the boundary is claimed twice, or behind a pair");
        } else {
            report(&r, GZ_REPLAY_REFUTED,
                   "%s, %s is claimed, which is not checked, or not in check order",
                   name_of(&r, claim->body), name_of(&r, claim->other));
        }
    }
    if (result->outcome != GZ_REPLAY_REFUTED) check_skips(&r);
    result->item_pairs = replay->scratch.item_pairs;
    result->points = replay->scratch.points;
}
