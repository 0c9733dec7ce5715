// One configuration: in which order, how many, with what name.

#include <string.h>

#include "base/float_environment.h"
#include "check/checker.h"
#include "check/domain.h"
#include "pose/forward_kinematics.h"

static void list_violated(const graze_robot *r, const double *q, graze_report *report) {
    for (int32_t j = 0; j < r->joint_count; j++) {
        const graze_joint_info *info = &r->joints[j].info;
        if (!info->limited) continue;
        double v = gz_pose_value(r, j, q);
        if (v >= info->lower && v <= info->upper) continue;
        if (report->violated && report->violated_count < report->violated_capacity)
            report->violated[report->violated_count] = j;
        report->violated_count++;
    }
}

/// What an answer needs to know of a pair.
static gz_detail detail_of(graze_answer answer, const graze_report *report) {
    if (answer == GRAZE_ANSWER_PAIR) return GZ_DETAIL_PAIR;
    if (answer != GRAZE_ANSWER_ANY) return GZ_DETAIL_WITNESS;
    return report->contacts && report->capacity ? GZ_DETAIL_PLACE : GZ_DETAIL_NONE;
}

/// Reports a contact; where only names are asked for, without what depends on how it was found.
static void add_contact(graze_report *report, graze_answer answer, const graze_contact *contact) {
    graze_contact named = *contact;
    if (answer == GRAZE_ANSWER_PAIR)
        named = (graze_contact){.kind = contact->kind,
                                .link = contact->link,
                                .element = contact->element,
                                .other = contact->other,
                                .other_element = contact->other_element,
                                .triangle = -1,
                                .other_triangle = -1};
    gz_report_add(report, &named);
}

static void check_self(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                       graze_report *report) {
    // Fixed pairs that collide decide every configuration; where any pair will do, look at them
    // first.
    if (answer == GRAZE_ANSWER_ANY && c->fixed_collision) {
        for (size_t i = 0; i < c->pair_count; i++) {
            gz_pair_result result;
            if (!c->pairs[i].collides) continue;
            gz_link_pair_check(c, ws, &c->pairs[i], GZ_DETAIL_PLACE, &result, &report->stats);
            gz_report_add(report, &result.contact);
            return;
        }
    }
    gz_detail detail = detail_of(answer, report);
    for (size_t i = 0; i < c->pair_count; i++) {
        // Most pairs end here, as they would in gz_link_pair_check().
        const gz_pair_bound *bound = &c->bounds[i];
        if (bound->a >= 0 && gz_links_apart(ws, bound->a, bound->b, bound->reach)) {
            report->stats.link_pairs++;
            report->stats.sphere_rejects++;
            continue;
        }
        gz_pair_result result;
        if (!gz_link_pair_check(c, ws, &c->pairs[i], detail, &result, &report->stats)) continue;
        add_contact(report, answer, &result.contact);
        if (answer != GRAZE_ANSWER_ALL) return;
    }
}

typedef struct world_sink {
    graze_report *report;
    graze_answer answer;
} world_sink;

static bool take_world_hit(void *user, const graze_contact *contact) {
    world_sink *sink = user;
    add_contact(sink->report, sink->answer, contact);
    return sink->answer == GRAZE_ANSWER_ALL;
}

/// One link against the world; remembers that a link which q does not move is free. What that costs
/// is not counted: it happens once per base pose and workspace, and counters must not depend on
/// what a workspace did before, nor a batch's on the number of its threads.
static bool check_link_world(const graze_checker *c, graze_workspace *ws, int32_t link,
                             world_sink *sink) {
    bool still = !c->robot->bodies[c->robot->links[link].body].moves;
    graze_stats uncounted = {0};
    bool hit = gz_link_world_check(c, ws, link, detail_of(sink->answer, sink->report), false,
                                   take_world_hit, sink, still ? &uncounted : &sink->report->stats);
    if (!hit && still) ws->still_free[link] = 1;
    return hit;
}

static void check_world(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                        graze_report *report) {
    world_sink sink = {report, answer};
    for (size_t i = 0; i < c->link_count; i++) {
        if (ws->still_free[c->links[i]]) continue;
        bool hit = check_link_world(c, ws, c->links[i], &sink);
        if (hit && answer != GRAZE_ANSWER_ALL) return;
    }
}

static void check_posed(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                        graze_report *report) {
    graze_contact contact;
    bool all = answer == GRAZE_ANSWER_ALL;
    if (gz_boundary_left(c, ws, &contact)) gz_report_add(report, &contact);
    if (report->count && !all) return;
    if (c->options.level == GRAZE_LEVEL_BOUNDS) {
        gz_level_bounds_check(c, ws, answer, report);
        return;
    }
    if (!c->options.no_self) check_self(c, ws, answer, report);
    if (report->count && !all) return;
    if (c->world && !c->options.no_world) check_world(c, ws, answer, report);
}

void gz_check_survivors(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                        const int32_t *pairs, size_t pair_count, const gz_touch *touches,
                        size_t touch_count, graze_report *report) {
    gz_detail detail = detail_of(answer, report);
    for (size_t i = 0; i < pair_count; i++) {
        // Through all stages again: a bound in double may tell apart what the narrow phase, within
        // its tolerance for curved shapes, takes for a collision, and so must every way to a row.
        gz_pair_result result;
        if (!gz_link_pair_check(c, ws, &c->pairs[pairs[i]], detail, &result, &report->stats))
            continue;
        add_contact(report, answer, &result.contact);
        return;
    }
    world_sink sink = {report, answer};
    for (size_t i = 0; i < touch_count; i++) {
        const gz_touch *t = &touches[i];
        if (t->object < 0) {
            if (!ws->still_free[t->link] && check_link_world(c, ws, t->link, &sink)) return;
            continue;
        }
        graze_contact contact;
        if (!gz_link_object_check(c, ws, t->link, t->object, detail, &contact, &report->stats))
            continue;
        add_contact(report, answer, &contact);
        return;
    }
}

graze_status graze_check(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                         const double *q, size_t q_count, const double *base, graze_report *report,
                         graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!report) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL");
    report->verdict = GRAZE_UNKNOWN;
    report->count = report->violated_count = 0;
    report->truncated = false;
    report->stats = (graze_stats){0};
    if (!checker || !ws || ws->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    if (answer != GRAZE_ANSWER_ANY && answer != GRAZE_ANSWER_FIRST && answer != GRAZE_ANSWER_ALL &&
        answer != GRAZE_ANSWER_PAIR)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "answer is not one of the enumerators");
    graze_status status = gz_workspace_pose(ws, q, q_count, base, error);
    if (status == GRAZE_OK) status = gz_domain_check(checker, ws, q, error);
    if (status) return status;
    report->stats.configurations = 1;
    report->verdict = GRAZE_FREE;
    list_violated(checker->robot, q, report);
    check_posed(checker, ws, answer, report);
    gz_error_clear(error);
    return GRAZE_OK;
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
