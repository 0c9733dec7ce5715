// Why this verdict? Every pair's way through the stages, hidden pairs too.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "check/call_rules.h"
#include "check/check_internal.h"
#include "check/margin.h"

typedef struct reporter {
    bool (*each)(const graze_explanation *explanation, void *user);
    void *user;
    bool stopped;
} reporter;

static void report(reporter *t, const graze_explanation *e) {
    if (!t->stopped) t->stopped = !t->each(e, t->user);
}

/// The last stage that counters show; `otherwise` where no two elements were tested.
static graze_stage stage_of(const graze_stats *stats, graze_stage otherwise) {
    if (stats->containment_tests) return GRAZE_STAGE_CONTAINMENT;
    if (stats->exact_tests) return GRAZE_STAGE_EXACT;
    if (stats->triangle_tests || stats->shape_tests) return GRAZE_STAGE_TRIANGLE;
    return stats->geometry_pairs ? GRAZE_STAGE_TREE : otherwise;
}

/// The stage of a moving pair of links. Of several elements no two of which are near, the spheres
/// of all pairs are counted: more than one.
static graze_stage pair_stage(const graze_stats *stats) {
    if (stats->obb_rejects) return GRAZE_STAGE_BOX;
    return stage_of(stats, stats->sphere_rejects == 1 ? GRAZE_STAGE_SPHERE : GRAZE_STAGE_TREE);
}

static void report_pair(const graze_checker *c, graze_workspace *ws, const gz_check_pair *pair,
                        bool allowed, reporter *t) {
    if (t->stopped) return;
    graze_explanation e = {.kind = GRAZE_CONTACT_SELF,
                           .link = pair->a,
                           .other = pair->b,
                           .margin = pair->margin,
                           .allowed = false,
                           .reason = ""};
    e.collides = gz_link_pair_check(c, ws, pair, GZ_DETAIL_WITNESS, &e.contact, &e.stats);
    if (pair->fixed) e.stats = pair->verdict->stats;
    e.stage = pair->fixed ? GRAZE_STAGE_STATIC : pair_stage(&e.stats);
    e.allowed = allowed && e.collides;
    if (allowed) e.reason = pair->reason;
    report(t, &e);
}

/// A pair under rules, where it is allowed or is not, as asked for.
static void report_ruled(const graze_checker *c, graze_workspace *ws, const gz_check_pair *pair,
                         bool allowed, reporter *t) {
    const graze_rules *r = ws->rules;
    if (gz_bit(r->links, r->links_words, pair->a, pair->b) == allowed) return;
    const gz_ruled_pair *own = gz_rules_find(r, pair->a, pair->b);
    gz_check_pair use = own ? own->pair : *pair;
    if (!use.reason[0]) use.reason = "allowed";
    report_pair(c, ws, &use, allowed, t);
}

/// Pairs of links that are allowed, or those that are not.
static void report_self(const graze_checker *c, graze_workspace *ws, bool allowed, reporter *t) {
    const gz_check_pair *own = allowed ? c->hidden : c->pairs;
    size_t count = allowed ? c->hidden_count : c->pair_count;
    for (size_t i = 0; !ws->rules && i < count; i++) report_pair(c, ws, &own[i], allowed, t);
    if (!ws->rules) return;
    // Checked and hidden pairs are sorted alike: they are merged.
    for (size_t i = 0, h = 0; i < c->pair_count || h < c->hidden_count;) {
        bool hidden = i == c->pair_count ||
                      (h < c->hidden_count && gz_pair_comes_before(&c->hidden[h], &c->pairs[i]));
        report_ruled(c, ws, hidden ? &c->hidden[h++] : &c->pairs[i++], allowed, t);
    }
}

/// The hits of one link on the world, gathered object by object.
typedef struct world_reporter {
    reporter *t;
    const graze_checker *checker;
    const graze_rules *rules;
    bool allowed;
    const graze_stats *stats; ///< of the link so far
    graze_stats reported;     ///< of these, what was reported of earlier objects
} world_reporter;

static bool report_hit(void *user, const graze_contact *contact) {
    world_reporter *w = user;
    graze_explanation e = {
        .kind = GRAZE_CONTACT_WORLD,
        .link = contact->link,
        .other = contact->other,
        .stage = contact->contained ? GRAZE_STAGE_CONTAINMENT : GRAZE_STAGE_TRIANGLE,
        .collides = true,
        .margin = gz_object_ruled_margin(w->checker, w->rules, contact->link, contact->other),
        .allowed = w->allowed,
        .reason = w->allowed ? "allowed" : "",
        .stats = gz_stats_since(w->stats, &w->reported),
        .contact = *contact};
    if (!contact->contained && e.stats.exact_tests) e.stage = GRAZE_STAGE_EXACT;
    w->reported = *w->stats;
    report(w->t, &e);
    return !w->t->stopped;
}

/// The greatest margin of a link against any object.
static double greatest_margin(const graze_checker *c, const graze_rules *rules, int32_t link) {
    double most = c->margins ? c->margins->greatest[link] : 0;
    if (!(gz_ruled_objects(rules, link) & GZ_RULED_MORE)) return most;
    most = 0;
    for (size_t i = 0; i < c->world->object_count; i++)
        most = fmax(most, gz_object_ruled_margin(c, rules, link, (int32_t)i));
    return most;
}

/// One entry per object that a link hits, and one with other = -1 where it hits none.
static void report_world(const graze_checker *c, graze_workspace *ws, bool allowed, reporter *t) {
    for (size_t i = 0; i < c->link_count && !t->stopped; i++) {
        graze_stats stats = {0};
        world_reporter w = {
            .t = t, .checker = c, .rules = ws->rules, .allowed = allowed, .stats = &stats};
        bool hit = gz_link_world_check(c, ws, c->links[i], GZ_DETAIL_WITNESS, allowed, report_hit,
                                       &w, &stats);
        if (hit || allowed) continue;
        graze_explanation e = {
            .kind = GRAZE_CONTACT_WORLD,
            .link = c->links[i],
            .other = -1,
            .stage = stage_of(&stats, stats.link_pairs ? GRAZE_STAGE_BOX : GRAZE_STAGE_SPHERE),
            .margin = greatest_margin(c, ws->rules, c->links[i]),
            .reason = "",
            .stats = stats};
        report(t, &e);
    }
}

graze_status graze_check_explain(const graze_checker *checker, graze_workspace *ws, const double *q,
                                 size_t q_count, const double *base,
                                 bool (*each)(const graze_explanation *explanation, void *user),
                                 void *user, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!checker || !ws || ws->checker != checker || !each)
        return gz_fail(
            error, GRAZE_ERROR_ARGUMENT,
            "checker, workspace or each is NULL, or the workspace is of another checker");
    if (checker->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "explanations are of the stages of the level mesh; the level is bounds");
    gz_workspace_follow(ws);
    graze_status status = gz_workspace_pose(ws, q, q_count, base, error);
    if (status == GRAZE_OK) status = gz_domain_check(checker, ws, q, error);
    if (status) return status;
    ws->left = UINT64_MAX;
    reporter t = {.each = each, .user = user};
    graze_explanation left = {.kind = GRAZE_CONTACT_BOUNDARY,
                              .link = checker->robot->root,
                              .other = -1,
                              .collides = true,
                              .reason = ""};
    if (gz_boundary_left(checker, ws->bodies[0], &left.contact)) report(&t, &left);
    bool self = !checker->options.no_self, world = checker->world && !checker->options.no_world;
    if (self) report_self(checker, ws, false, &t);
    if (world) report_world(checker, ws, false, &t);
    if (self) report_self(checker, ws, true, &t);
    if (world && (checker->allowed || ws->rules)) report_world(checker, ws, true, &t);
    gz_error_clear(error);
    return GRAZE_OK;
}

// Which pairs a checker looks at, in which order and by which rules; and which not, and why not.

static graze_checked_pair self_pair(const graze_checker *c, const gz_check_pair *pair,
                                    bool hidden) {
    const char *reason = NULL;
    if (c->options.no_self) reason = "links are not checked against links";
    if (hidden) reason = pair->reason;
    return (graze_checked_pair){.link = pair->a,
                                .other = pair->b,
                                .hidden = reason,
                                .margin = pair->margin,
                                .policies = {c->link_policies[pair->a], c->link_policies[pair->b]}};
}

typedef bool (*visit)(const graze_checked_pair *pair, void *user);

/// Checked and hidden pairs are sorted alike: they are merged.
static bool visit_self(const graze_checker *c, visit each, void *user) {
    size_t i = 0, h = 0;
    while (i < c->pair_count || h < c->hidden_count) {
        bool hidden = i == c->pair_count ||
                      (h < c->hidden_count && gz_pair_comes_before(&c->hidden[h], &c->pairs[i]));
        graze_checked_pair pair = hidden ? self_pair(c, &c->hidden[h++], true)
                                         : self_pair(c, &c->pairs[i++], false);
        if (!each(&pair, user)) return false;
    }
    return true;
}

static void visit_world(const graze_checker *c, visit each, void *user) {
    size_t objects = c->world ? c->world->object_count : 0;
    for (size_t i = 0; i < c->link_count; i++) {
        for (size_t o = 0; o < objects; o++) {
            int32_t link = c->links[i];
            const char *reason = c->options.no_world ? "the world is not checked" : NULL;
            if (!reason && gz_object_allowed(c, link, (int32_t)o)) reason = "allowed";
            graze_checked_pair pair = {
                .link = link,
                .other = (int32_t)o,
                .is_world = true,
                .hidden = reason,
                .margin = gz_object_margin(c, link, (int32_t)o),
                .policies = {c->link_policies[link], gz_object_policy(c, (int32_t)o)}};
            if (!each(&pair, user)) return;
        }
    }
}

void graze_checker_pairs(const graze_checker *checker, visit each, void *user) {
    if (checker && each && visit_self(checker, each, user)) visit_world(checker, each, user);
}
