// One configuration: in which order, how many, with what name.

#include "check/check_internal.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "broad/bound_test.h"
#include "check/call_rules.h"
#include "check/filters.h"
#include "check/margin.h"
#include "math/transform.h"
#include "narrow/points/point_pair.h"

/// The pairs that the tree over the links leaves, in order; counts those that it does not as the
/// loop over all of them would. False where that is not known.
static bool check_tree_pairs(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                             graze_report *report) {
    if (!gz_link_tree_find(c->tree, ws->search, ws)) return false;
    gz_detail detail = gz_answer_detail(answer);
    size_t tested = 0, fixed = 0, end = c->pair_count;
    for (int32_t i; (i = gz_link_search_next(ws->search)) >= 0;) {
        graze_contact contact;
        tested++;
        fixed += c->pairs[i].fixed;
        bool hit = gz_link_pair_check(c, ws, &c->pairs[i], detail, &contact, &report->stats);
        if (hit) gz_report_answer(report, answer, &contact);
        if ((!hit || answer == GRAZE_ANSWER_ALL) && !gz_workspace_spent(ws)) continue;
        gz_link_search_clear(ws->search);
        end = (size_t)i + 1;
    }
    report->stats.link_pairs += end - tested;
    report->stats.sphere_rejects += end - tested -
                                    (gz_link_tree_fixed_before(c->tree, end) - fixed);
    return true;
}

/// The next pair that may touch, from *next on, among those that are tested as the checker does:
/// those that the tree over the links leaves, or all; SIZE_MAX after the last.
static size_t next_plain(const graze_checker *c, graze_workspace *ws, bool by_tree, size_t *next) {
    for (;;) {
        int32_t found = by_tree ? gz_link_search_next(ws->search) : -1;
        size_t i = by_tree ? (size_t)found : *next;
        if (found < 0 && (by_tree || i >= c->pair_count)) return SIZE_MAX;
        *next = i + 1;
        if (gz_rules_plain(ws->rules, c->pairs[i].a, c->pairs[i].b)) return i;
    }
}

/// check_self() under rules: pairs as the checker has them and the rules' own, in order.
static void check_ruled_self(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                             graze_report *report) {
    const graze_rules *r = ws->rules;
    bool by_tree = c->tree && gz_link_tree_find(c->tree, ws->search, ws);
    size_t next = 0, own = 0, i = next_plain(c, ws, by_tree, &next);
    while (i != SIZE_MAX || own < r->pair_count) {
        bool is_own = own < r->pair_count &&
                      (i == SIZE_MAX || gz_pair_comes_before(&r->pairs[own].pair, &c->pairs[i]));
        const gz_check_pair *pair = is_own ? &r->pairs[own].pair : &c->pairs[i];
        if (is_own)
            own++;
        else
            i = next_plain(c, ws, by_tree, &next);
        if (is_own && !gz_rules_counts(r, pair)) continue;
        graze_contact contact;
        if (!gz_link_pair_check(c, ws, pair, gz_answer_detail(answer), &contact, &report->stats))
            continue;
        gz_report_answer(report, answer, &contact);
        if (answer == GRAZE_ANSWER_ALL) continue;
        if (by_tree) gz_link_search_clear(ws->search);
        return;
    }
}

static void check_self(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                       graze_report *report) {
    graze_contact contact;
    if (ws->rules) {
        check_ruled_self(c, ws, answer, report);
        return;
    }
    // Fixed pairs that collide decide every configuration; where any pair will do, they come
    // first.
    if (answer == GRAZE_ANSWER_ANY && c->fixed_collision) {
        for (size_t i = 0; i < c->pair_count; i++) {
            if (!c->pairs[i].collides) continue;
            gz_link_pair_check(c, ws, &c->pairs[i], GZ_DETAIL_NONE, &contact, &report->stats);
            gz_report_answer(report, answer, &contact);
            return;
        }
    }
    if (c->tree && check_tree_pairs(c, ws, answer, report)) return;
    gz_detail detail = gz_answer_detail(answer);
    for (size_t i = 0; i < c->pair_count; i++) {
        // Most pairs end here, as they would in gz_link_pair_check().
        const gz_pair_bound *bound = &c->bounds[i];
        if (bound->a >= 0 && gz_links_apart(ws, bound->a, bound->b, bound->threshold)) {
            report->stats.link_pairs++;
            report->stats.sphere_rejects++;
            continue;
        }
        bool hit = gz_link_pair_check(c, ws, &c->pairs[i], detail, &contact, &report->stats);
        if (hit) gz_report_answer(report, answer, &contact);
        if ((hit && answer != GRAZE_ANSWER_ALL) || gz_workspace_spent(ws)) return;
    }
}

typedef struct world_report {
    graze_report *report;
    graze_answer answer;
} world_report;

static bool report_world_hit(void *user, const graze_contact *contact) {
    world_report *sink = user;
    gz_report_answer(sink->report, sink->answer, contact);
    return sink->answer == GRAZE_ANSWER_ALL;
}

/// Whether a link, which no joint moves, is known to be free of the world in spite of rules.
static bool is_free(const graze_workspace *ws, int32_t link) {
    return ws->static_free[link] && gz_workspace_recalls(ws) &&
           !(gz_ruled_objects(ws->rules, link) & GZ_RULED_MORE);
}

/// One link against the world; remembers that a link which q does not move is free. What that costs
/// is not counted: it happens once per base pose and workspace, and counters must not depend on
/// what a workspace did before, nor a batch's on the number of its threads.
static bool check_link_world(const graze_checker *c, graze_workspace *ws, int32_t link,
                             world_report *sink) {
    bool is_static = !c->robot->bodies[c->robot->links[link].body].moves;
    graze_stats uncounted = {0};
    bool hit = gz_link_world_check(c, ws, link, gz_answer_detail(sink->answer), false,
                                   report_world_hit, sink,
                                   is_static ? &uncounted : &sink->report->stats);
    if (!hit && is_static && !gz_ruled_objects(ws->rules, link) && !gz_workspace_spent(ws))
        ws->static_free[link] = 1;
    return hit;
}

static void check_world(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                        graze_report *report) {
    world_report sink = {report, answer};
    for (size_t i = 0; i < c->link_count; i++) {
        if (is_free(ws, c->links[i])) continue;
        bool hit = check_link_world(c, ws, c->links[i], &sink);
        if ((hit && answer != GRAZE_ANSWER_ALL) || gz_workspace_spent(ws)) return;
    }
}

// The verdict of bounding volumes, as KinEval gives it: boundary, then the world's objects against
// each link's axis-aligned box in the link frame; no link against link. A margin grows the boxes:
// free is still proved to be farther apart, a collision may be reported of what is up to sqrt 3
// times the margin apart.

/// A sphere of the world against a link's box, in the link frame.
static bool sphere_overlaps(const double center[3], double radius, const double pose[12],
                            const gz_link *link, double margin) {
    double d[3] = {center[0] - pose[3], center[1] - pose[7], center[2] - pose[11]}, local[3];
    gz_transform_unrotate(pose, d, local);
    double pad = link->skew * (gz_norm(local) + radius) + gz_link_pad(link, pose) +
                 0x1p-48 * (fabs(center[0]) + fabs(center[1]) + fabs(center[2]));
    return !gz_sphere_aabb_apart(local, radius, GZ_ARRAY3(link->local.aabb.min),
                                 GZ_ARRAY3(link->local.aabb.max), pad + margin);
}

/// A link's axis-aligned box as an oriented box of the world.
static graze_obb place_box(const graze_link_bounds *bounds, const double pose[12]) {
    const double *low = GZ_ARRAY3(bounds->aabb.min), *high = GZ_ARRAY3(bounds->aabb.max);
    double middle[3];
    graze_obb box;
    double *half = GZ_ARRAY3(box.half);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (low[k] + high[k]);
        double m = fmax(fabs(low[k]), fabs(high[k]));
        half[k] = 0.5 * (high[k] - low[k]) + 0x1p-50 * m;
        box.axis[k] = (graze_vec3){pose[k], pose[4 + k], pose[8 + k]};
    }
    gz_transform_apply(pose, middle, GZ_ARRAY3(box.center));
    return box;
}

/// A link's box and a cloud of points.
typedef struct box_cloud {
    const gz_object *object;
    const double *pose;
    const gz_link *link;
    double margin;
} box_cloud;

static bool ball_overlaps(const void *user, uint32_t point) {
    const box_cloud *b = user;
    double center[3];
    gz_snap(b->object->pose.m, b->object->points + 3 * (size_t)point, center);
    return sphere_overlaps(center, b->object->radius, b->pose, b->link, b->margin);
}

/// Each ball that sphere_overlaps() takes is, but for rounding, within the margin of the box along
/// each of its axes: near the box that is as much larger. What its pads add is some times the
/// link's skew, below 2^-24 (of attached bodies; of others below 3e-9), of the sizes: less than the
/// half of the tree's own pad that is left (above padded_threshold(), point_pair.c); but for what a
/// flat cylinder's rims may turn, which has no such bound.
static bool points_overlap(const gz_object *o, const double pose[12], const gz_link *link,
                           double margin, const gz_kernels *kernels, int32_t *point,
                           graze_stats *stats) {
    const box_cloud cloud = {o, pose, link, margin};
    graze_obb box = place_box(&link->local, pose);
    double turn = gz_rim_pad(link, link->pad + gz_pose_pad(pose));
    for (int k = 0; k < 3; k++) GZ_ARRAY3(box.half)[k] += margin + turn;
    gz_point_box_query query = {.tree = o->tree,
                                .points_pose = o->pose.m,
                                .radius = o->radius,
                                .box = &box,
                                .kernels = kernels};
    int64_t found = gz_points_lowest_near_box(&query, ball_overlaps, &cloud, stats);
    *point = (int32_t)found;
    return found >= 0;
}

static bool object_overlaps(const graze_checker *c, const gz_object *o, const double pose[12],
                            const gz_link *link, double margin, int32_t *point,
                            graze_stats *stats) {
    *point = 0;
    if (o->kind == GRAZE_SHAPE_SPHERE) {
        double center[3];
        gz_snap(o->pose.m, o->shape.a, center);
        return sphere_overlaps(center, o->radius, pose, link, margin);
    }
    if (o->kind == GRAZE_SHAPE_POINTS)
        return points_overlap(o, pose, link, margin, c->kernels, point, stats);
    graze_obb box = place_box(&link->local, pose);
    double pad = gz_link_pad(link, pose) + margin;
    return !gz_obb_apart(&box, &o->posed, link->skew + GZ_OBJECT_SKEW, pad);
}

static void check_bounds(const graze_checker *c, const graze_workspace *ws, graze_answer answer,
                         graze_report *report) {
    if (!c->world || c->options.no_world) return;
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &ws->links[c->links[i]];
        double pose[12];
        gz_transform_compose(ws->bodies[l->body], l->in_body.m, pose);
        for (size_t k = 0; k < c->world->object_count; k++) {
            int32_t point;
            if (gz_object_allowed(c, c->links[i], (int32_t)k)) continue;
            report->stats.link_pairs++;
            double margin = gz_object_margin(c, c->links[i], (int32_t)k);
            const gz_object *o = gz_world_at(c->world, k);
            if (!object_overlaps(c, o, pose, l, margin, &point, &report->stats)) continue;
            graze_contact contact = gz_contact_make(GRAZE_CONTACT_WORLD, c->links[i], -1,
                                                    (int32_t)k, point, NULL);
            graze_vec3 middle = l->local.sphere.center;
            gz_transform_apply(pose, GZ_ARRAY3(middle), GZ_ARRAY3(contact.point));
            gz_report_add(report, &contact);
            if (answer != GRAZE_ANSWER_ALL) return;
        }
    }
}

// ------------------------------------------------------------------------------- the level of
// meshes

static void check_posed(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                        graze_report *report) {
    graze_contact contact;
    bool all = answer == GRAZE_ANSWER_ALL;
    if (gz_boundary_left(c, ws->bodies[0], &contact)) {
        gz_report_add(report, &contact);
        if (ws->visitor) {
            ws->visitor->now = (gz_element_pair){.name = contact};
            ws->visitor->elements(ws->visitor->user, false);
        }
    }
    if (report->count && !all) return;
    if (c->options.level == GRAZE_LEVEL_BOUNDS) {
        check_bounds(c, ws, answer, report);
        return;
    }
    if (!c->options.no_self) check_self(c, ws, answer, report);
    if ((report->count && !all) || gz_workspace_spent(ws)) return;
    if (c->world && !c->options.no_world) check_world(c, ws, answer, report);
}

/// Poses the links of candidates.
static void pose_candidates(const graze_checker *c, graze_workspace *ws, const double *q,
                            const double base[12], const gz_candidates *list) {
    for (size_t i = 0; i < list->pair_count; i++) {
        int32_t index = list->pairs[i];
        const gz_check_pair *pair = &c->pairs[index < 0 ? ~index : index];
        gz_workspace_want(ws, pair->a);
        gz_workspace_want(ws, pair->b);
    }
    for (size_t i = 0; i < list->object_count; i++) gz_workspace_want(ws, list->objects[i].link);
    gz_workspace_pose_wanted(ws, q, base);
}

void gz_check_candidates(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                         const double *q, const double base[12], const gz_candidates *list,
                         graze_report *report) {
    if (list->pair_count + list->object_count == 0) return;
    pose_candidates(c, ws, q, base, list);
    gz_detail detail = gz_answer_detail(answer);
    graze_contact contact;
    for (size_t i = 0; i < list->pair_count; i++) {
        // Through all stages again: a bound in double may separate what the narrow phase, within
        // its tolerance for curved shapes, takes for a collision, and so must every way to a row.
        // Meshes have no tolerance.
        bool finish = list->pairs[i] < 0;
        const gz_check_pair *pair = &c->pairs[finish ? ~list->pairs[i] : list->pairs[i]];
        bool hit = finish ? gz_link_pair_finish(c, ws, pair, detail, &contact, &report->stats)
                          : gz_link_pair_check(c, ws, pair, detail, &contact, &report->stats);
        if (hit) gz_report_answer(report, answer, &contact);
        if (hit || gz_workspace_spent(ws)) return;
    }
    world_report sink = {report, answer};
    for (size_t i = 0; i < list->object_count; i++) {
        const gz_candidate *t = &list->objects[i];
        if (t->object < 0) {
            if (is_free(ws, t->link)) continue;
            if (check_link_world(c, ws, t->link, &sink) || gz_workspace_spent(ws)) return;
            continue;
        }
        bool hit = gz_link_object_check(c, ws, t->link, t->object, detail, &contact,
                                        &report->stats);
        if (hit) gz_report_answer(report, answer, &contact);
        if (hit || gz_workspace_spent(ws)) return;
    }
}

/// Clears statistics in two halves: of the whole gcc makes a string instruction, which is slower.
static inline void clear_stats(graze_stats *stats) {
    enum { HALF = sizeof *stats / 2 };
    memset(stats, 0, HALF);
    memset((char *)stats + HALF, 0, sizeof *stats - HALF);
}

/// Clears the report, and checks the arguments that do not pose.
static inline graze_status begin(const graze_checker *checker, graze_workspace *ws,
                                 graze_answer answer, graze_report *report, graze_error *error) {
    report->verdict = GRAZE_UNKNOWN;
    report->count = report->violated_count = 0;
    report->truncated = false;
    clear_stats(&report->stats);
    if (!checker || !ws || ws->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    ws->left = ws->budget;
    if (answer != GRAZE_ANSWER_ANY && answer != GRAZE_ANSWER_FIRST && answer != GRAZE_ANSWER_ALL &&
        answer != GRAZE_ANSWER_PAIR)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "answer is not one of the enumerators");
    gz_workspace_follow(ws);
    return GRAZE_OK;
}

/// What a check answers whose budget is spent. The lowest triangles are known only where all were
/// tested; which pair is the lowest, where it was found.
static graze_status fail_spent(const graze_workspace *ws, graze_answer answer, graze_report *report,
                               graze_error *error) {
    if (report->count && (answer == GRAZE_ANSWER_ANY || answer == GRAZE_ANSWER_PAIR))
        return GRAZE_OK;
    if (!report->count) report->verdict = GRAZE_UNKNOWN;
    return gz_fail(error, GRAZE_ERROR_BUDGET,
                   "the budget of %llu units of work is spent; %s; see "
                   "graze_workspace_set_budget()",
                   (unsigned long long)ws->budget,
                   report->count ? "a collision was found, and not all that was wanted of it"
                                 : "no collision was found so far");
}

/// Ends a check that was done: notes its work.
static inline graze_status finish(graze_workspace *ws, graze_answer answer, graze_report *report,
                                  graze_error *error) {
    ws->last_work = ws->budget - ws->left;
    if (ws->last_work > ws->most_work) ws->most_work = ws->last_work;
    report->stats.configurations = 1;
    if (error) gz_error_clear(error);
    return gz_workspace_spent(ws) ? fail_spent(ws, answer, report, error) : GRAZE_OK;
}

static graze_status check_q(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                            const double *q, size_t q_count, const double *base,
                            graze_report *report, graze_error *error) {
    GZ_TRY(begin(checker, ws, answer, report, error));
    bool filtered = gz_check_by_filter(checker, ws, answer, q, q_count, base, report) != NULL;
    if (!filtered) {
        graze_status status = gz_workspace_pose(ws, q, q_count, base, error);
        if (status == GRAZE_OK) status = gz_domain_check(checker, ws, q, error);
        if (status) return status;
        report->verdict = GRAZE_FREE;
        check_posed(checker, ws, answer, report);
    }
    if (!filtered || ws->query->beyond)
        report->violated_count = graze_robot_limits_violated(
            checker->robot, q, report->violated, report->violated ? report->violated_capacity : 0);
    return finish(ws, answer, report, error);
}

/// Places links whose poses were taken, and checks that they are in range.
static graze_status place_posed(const graze_checker *c, graze_workspace *ws, graze_error *error) {
    GZ_TRY(gz_workspace_place(ws, error));
    return gz_domain_check_places(c, ws, error);
}

static graze_status check_links(const graze_checker *checker, graze_workspace *ws,
                                graze_answer answer, const graze_transform *links,
                                size_t link_count, graze_report *report, graze_error *error) {
    GZ_TRY(begin(checker, ws, answer, report, error));
    graze_status status = gz_workspace_take(ws, links, link_count, error);
    bool has_domain = gz_ruled_domain(checker, ws->rules);
    if (status == GRAZE_OK && has_domain) status = place_posed(checker, ws, error);
    if (status == GRAZE_OK && !gz_check_posed_by_filter(checker, ws, answer, report)) {
        if (!has_domain) status = place_posed(checker, ws, error);
        if (status == GRAZE_OK) report->verdict = GRAZE_FREE;
        if (status == GRAZE_OK) check_posed(checker, ws, answer, report);
    }
    if (status == GRAZE_OK) status = finish(ws, answer, report, error);
    gz_workspace_release(ws);
    return status;
}

/// The caller's report, or where it is shorter than this library's a copy in `own`; NULL where it
/// has no size of any version.
static graze_report *open_report(graze_report *report, size_t size, size_t contact_size,
                                 graze_report *own, graze_error *error) {
    if (!report || size < offsetof(graze_report, stats)) {
        gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL or too short");
        return NULL;
    }
    graze_report *use = report;
    if (size < sizeof *own) {
        *own = (graze_report){0};
        use = memcpy(own, report, size);
    }
    use->contact_size = contact_size;
    return use;
}

graze_status graze_check_sized(const graze_checker *checker, graze_workspace *ws,
                               graze_answer answer, const double *q, size_t q_count,
                               const double *base, graze_report *report, size_t report_size,
                               size_t contact_size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_report own, *use = open_report(report, report_size, contact_size, &own, error);
    if (!use) return GRAZE_ERROR_ARGUMENT;
    graze_status status = check_q(checker, ws, answer, q, q_count, base, use, error);
    if (use == &own) memcpy(report, &own, report_size);
    return status;
}

graze_status graze_check_posed_sized(const graze_checker *checker, graze_workspace *ws,
                                     graze_answer answer, const graze_transform *links,
                                     size_t link_count, graze_report *report, size_t report_size,
                                     size_t contact_size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_report own, *use = open_report(report, report_size, contact_size, &own, error);
    if (!use) return GRAZE_ERROR_ARGUMENT;
    graze_status status = check_links(checker, ws, answer, links, link_count, use, error);
    if (use == &own) memcpy(report, &own, report_size);
    return status;
}

/// The checker of a call's rules; NULL where rules or workspace are, or are of different ones.
static const graze_checker *begin_rules(const graze_rules *rules, graze_workspace *ws) {
    if (!rules || !ws || !gz_rules_fit(rules, ws->checker)) return NULL;
    ws->rules = rules;
    return rules->checker;
}

static void end_rules(graze_workspace *ws) {
    if (ws) ws->rules = NULL;
}

graze_status graze_check_ruled_sized(const graze_rules *rules, graze_workspace *ws,
                                     graze_answer answer, const double *q, size_t q_count,
                                     const double *base, graze_report *report, size_t report_size,
                                     size_t contact_size, graze_error *error) {
    const graze_checker *c = begin_rules(rules, ws);
    graze_status status = graze_check_sized(c, ws, answer, q, q_count, base, report, report_size,
                                            contact_size, error);
    end_rules(ws);
    return status;
}

graze_status graze_check_posed_ruled_sized(const graze_rules *rules, graze_workspace *ws,
                                           graze_answer answer, const graze_transform *links,
                                           size_t link_count, graze_report *report,
                                           size_t report_size, size_t contact_size,
                                           graze_error *error) {
    const graze_checker *c = begin_rules(rules, ws);
    graze_status status = graze_check_posed_sized(c, ws, answer, links, link_count, report,
                                                  report_size, contact_size, error);
    end_rules(ws);
    return status;
}

graze_status graze_check_explain_ruled(const graze_rules *rules, graze_workspace *ws,
                                       const double *q, size_t q_count, const double *base,
                                       bool (*each)(const graze_explanation *explanation,
                                                    void *user),
                                       void *user, graze_error *error) {
    const graze_checker *c = begin_rules(rules, ws);
    graze_status status = graze_check_explain(c, ws, q, q_count, base, each, user, error);
    end_rules(ws);
    return status;
}

const char *graze_pose_is_collision(const graze_robot *robot, const graze_world *world,
                                    const double *q) {
    GZ_FLOAT_ENVIRONMENT;
    graze_checker *checker = NULL;
    graze_workspace *ws = NULL;
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    const char *name = "?";
    if (robot && graze_checker_create(&checker, robot, world, NULL, NULL) == GRAZE_OK &&
        graze_workspace_create(&ws, checker, NULL) == GRAZE_OK &&
        graze_check(checker, ws, GRAZE_ANSWER_FIRST, q, robot->column_count, NULL, &report, NULL) ==
            GRAZE_OK)
        name = report.verdict == GRAZE_FREE ? NULL : graze_contact_link_name(checker, &contact);
    graze_workspace_free(ws);
    graze_checker_free(checker);
    return name;
}
