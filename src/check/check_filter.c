// One configuration by the float filter: what it leaves is tested exactly.
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "check/call_rules.h"
#include "check/filters.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"

/// Names what is certain to overlap, if there is anything.
static void add_certain(const graze_checker *c, const gz_query_scratch *s, graze_report *report) {
    if (s->certain_pair >= 0)
        gz_report_add_pair(report, c, &c->pairs[s->certain_pair]);
    else if (s->certain.link >= 0)
        gz_report_add_object(report, c, s->certain.link, s->certain.object);
}

/// The first of the rules' own pairs that collides, and its contact; NULL where none does. They are
/// tested before what the filter knows, which then ends at that pair.
static const gz_check_pair *find_own(const graze_checker *c, graze_workspace *ws,
                                     graze_answer answer, const double *q, const double base[12],
                                     graze_contact *contact, graze_stats *stats) {
    const graze_rules *r = ws->rules;
    size_t count = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_check_pair *pair = &r->pairs[i].pair;
        if (!gz_rules_counts(r, pair)) continue;
        gz_workspace_want(ws, pair->a);
        gz_workspace_want(ws, pair->b);
        count++;
    }
    if (count == 0) return NULL;
    gz_workspace_pose_wanted(ws, q, base);
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_check_pair *pair = &r->pairs[i].pair;
        if (gz_rules_counts(r, pair) &&
            gz_link_pair_check(c, ws, pair, gz_answer_detail(answer), contact, stats))
            return pair;
    }
    return NULL;
}

/// Adds the links of which rules say more than what is hidden to the filter's candidates, each in
/// its place and against the whole world; but for those behind what is certain to overlap.
static void add_ruled_links(const graze_checker *c, const graze_rules *r, gz_query_scratch *s) {
    for (size_t i = 0; r->has_more && i < c->link_count; i++) {
        int32_t link = c->links[i];
        if (!(r->flags[link] & GZ_RULED_MORE)) continue;
        if (s->certain.link >= 0 && s->certain.link < link) return;
        size_t at = s->candidate_count;
        while (at && s->candidates[at - 1].link > link) at--;
        if (at && s->candidates[at - 1].link == link) continue;
        memmove(&s->candidates[at + 1], &s->candidates[at],
                (s->candidate_count++ - at) * sizeof *s->candidates);
        s->candidates[at] = (gz_candidate){link, -1};
    }
}

/// Pairs, then links and the world: each list is tested up to its first collision. What the filter
/// is certain of comes behind what it left before.
GZ_ALWAYS_INLINE void check_filtered(const graze_checker *c, graze_workspace *ws,
                                     graze_answer answer, const double *q, const double base[12],
                                     graze_report *report) {
    const gz_filter_kernels *stages = c->filter->filters;
    gz_query_scratch *s = ws->query;
    gz_proxy_question question = gz_answer_detail(answer) < GZ_DETAIL_PLACE ? GZ_PROXY_TEST_BOTH
                                                                            : GZ_PROXY_TEST_APART;
    graze_contact own;
    s->rules = ws->rules;
    s->keeps_planes = ws->keeps_planes && !c->filter->tree && gz_workspace_recalls(ws);
    s->before = ws->rules ? find_own(c, ws, answer, q, base, &own, &report->stats) : NULL;
    stages->pairs(c->filter, question, s, &report->stats);
    gz_candidates list = {.pairs = s->pairs, .pair_count = s->pair_count};
    // Where any pair will do, all proxies are tested before the first tree.
    if (answer != GRAZE_ANSWER_ANY && list.pair_count) {
        gz_check_candidates(c, ws, answer, q, base, &list, report);
        list.pair_count = 0;
    }
    if (report->count == 0 && !gz_workspace_spent(ws)) add_certain(c, s, report);
    // Which pair is the lowest is not known where the budget ended before all lower ones were
    // tested.
    bool counts = s->before && (answer == GRAZE_ANSWER_ANY || !gz_workspace_spent(ws));
    if (report->count == 0 && counts) gz_report_answer(report, answer, &own);
    if (report->count || gz_workspace_spent(ws)) return;
    if (c->filter->has_world) {
        bool known = gz_workspace_recalls(ws) && ws->static_valid &&
                     memcmp(ws->static_base, base, sizeof ws->static_base) == 0;
        const uint8_t *free = known ? ws->static_free : NULL;
        stages->objects(c->filter, base, free, question, s, &report->stats);
        if (ws->rules) add_ruled_links(c, ws->rules, s);
        if (answer == GRAZE_ANSWER_ANY) add_certain(c, s, report);
        if (report->count) return;
    }
    list.objects = s->candidates;
    list.object_count = s->candidate_count;
    gz_check_candidates(c, ws, answer, q, base, &list, report);
    if (report->count == 0 && !gz_workspace_spent(ws)) add_certain(c, s, report);
}

/// The base as a transform, known already where it is that of the last call; NULL where the filter
/// does not cover it.
static const double *recall_base(graze_workspace *ws, const double *base) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (!base) return identity;
    if (!ws->has_base || memcmp(ws->last_base, base, sizeof ws->last_base) != 0) {
        ws->has_base = gz_pose_base(base, ws->last_root, NULL) == GRAZE_OK &&
                       gz_filter_base_fits(ws->last_root);
        memcpy(ws->last_base, base, sizeof ws->last_base);
    }
    return ws->has_base ? ws->last_root : NULL;
}

/// Whether the filter covers an answer. A fixed pair that collides has its place among the others.
static inline bool is_filtered(const graze_checker *c, const graze_workspace *ws,
                               graze_answer answer) {
    return c->filter && answer != GRAZE_ANSWER_ALL && !gz_ruled_collision(c, ws->rules);
}

/// Checks a configuration by the filter, which has its poses, the root's among them. q is NULL
/// where all bodies are posed.
GZ_ALWAYS_INLINE void check_in_float(const graze_checker *c, graze_workspace *ws,
                                     graze_answer answer, const double *q, const double root[12],
                                     graze_report *report) {
    report->verdict = GRAZE_FREE;
    graze_contact contact;
    if (gz_boundary_left(c, root, &contact))
        gz_report_add(report, &contact);
    else
        check_filtered(c, ws, answer, q, root, report);
}

const double *gz_check_by_filter(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                                 const double *q, size_t q_count, const double *base,
                                 graze_report *report) {
    if (!is_filtered(c, ws, answer) || !q || q_count != c->robot->column_count) return NULL;
    const double *root = recall_base(ws, base);
    // The filter poses no value that is out of the domain (gz_filter_body.value_max).
    if (!root || (gz_ruled_domain(c, ws->rules) && !gz_domain_holds_base(c, root)) ||
        !c->filter->filters->pose(c->filter, q, root, ws->query))
        return NULL;
    check_in_float(c, ws, answer, q, root, report);
    return root;
}

// Not where a pose is so far off rigid that the links' bounds were loosened, for which the filter's
// errors are not.
bool gz_check_posed_by_filter(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                              graze_report *report) {
    const double *root = ws->bodies[0];
    if (!is_filtered(c, ws, answer) || ws->links != c->robot->links || !gz_filter_base_fits(root) ||
        !c->filter->filters->take(c->filter, ws->bodies, ws->query))
        return false;
    check_in_float(c, ws, answer, NULL, root, report);
    return true;
}
