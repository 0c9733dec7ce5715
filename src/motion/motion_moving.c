// Objects that move while the robot does: which there are, how the edge looks from one, and what
// collides at a place of it.
#include <math.h>
#include <string.h>

#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "motion/motion_internal.h"

static graze_status check_moving(const graze_motion_workspace *m, const graze_moving_object *o,
                                 size_t i, graze_error *error) {
    const graze_world *w = m->checker->world;
    size_t count = w ? w->object_count : 0;
    if (o->object < 0 || (size_t)o->object >= count ||
        gz_world_at(w, (size_t)o->object)->element != 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "moving object %zu is the object %d; allowed: the first shape of an object, "
                       "below %zu",
                       i, (int)o->object, count);
    if (m->groups[o->object] >= 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the object \"%s\" moves twice; allowed: once",
                       gz_world_at(w, (size_t)o->object)->name);
    for (int k = 0; k < 3; k++)
        if (!isfinite(o->velocity[k]))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the velocity of \"%s\" has the coordinate %g; allowed: finite numbers",
                           gz_world_at(w, (size_t)o->object)->name, o->velocity[k]);
    return GRAZE_OK;
}

static bool move_alike(const graze_moving_object *a, const graze_moving_object *b) {
    return a->velocity[0] == b->velocity[0] && a->velocity[1] == b->velocity[1] &&
           a->velocity[2] == b->velocity[2];
}

graze_status gz_motion_set_moving(graze_motion_workspace *m, const graze_motion_options *options,
                                  graze_error *error) {
    m->moving = options->moving;
    m->moving_count = options->moving_count;
    m->group = INT32_MIN;
    if (m->moving_count == 0) return GRAZE_OK;
    if (!m->moving) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "moving is NULL");
    const graze_world *w = m->checker->world;
    for (size_t i = 0; w && i < w->object_count; i++) m->groups[i] = -1;
    for (size_t i = 0; i < m->moving_count; i++) {
        GZ_TRY(check_moving(m, &m->moving[i], i, error));
        size_t first = 0, object = (size_t)m->moving[i].object;
        while (!move_alike(&m->moving[first], &m->moving[i])) first++;
        for (size_t k = 0; k < gz_world_shapes(w, object); k++)
            m->groups[object + k] = (int32_t)first;
    }
    return GRAZE_OK;
}

bool gz_motion_next_group(graze_motion_workspace *m) {
    if (m->group == INT32_MIN) {
        m->group = -1;
        return true;
    }
    while ((size_t)++m->group < m->moving_count)
        if (m->groups[m->moving[m->group].object] == m->group) return true;
    return false;
}

void gz_motion_seen_base(const graze_motion_workspace *m, const double base[6], double time,
                         double out[6]) {
    memcpy(out, base, 6 * sizeof *out);
    for (int k = 0; m->group >= 0 && k < 3; k++) out[k] -= m->moving[m->group].velocity[k] * time;
}

graze_status gz_motion_pose_base(const graze_motion_workspace *m, const double base[6],
                                 double pose[12], graze_error *error) {
    if (m->group < 0) return gz_pose_base(base, pose, error);
    if (gz_pose_base(base, pose, NULL) == GRAZE_OK) return GRAZE_OK;
    size_t object = (size_t)m->moving[m->group].object;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "\"%s\" moves too far; allowed: the base, seen from it, within 2^20 m",
                   gz_world_at(m->checker->world, object)->name);
}

/// Where an object is met: as found by the object at its begin, but there.
static void move_contact(const graze_motion_workspace *m, double t, graze_contact *c) {
    if (m->group < 0) return;
    const double *v = m->moving[m->group].velocity;
    double time = (1 - t) * m->times[0] + t * m->times[1];
    graze_vec3 *points[] = {&c->point, &c->segment[0], &c->segment[1]};
    for (int i = 0; i < (c->has_segment ? 3 : 1); i++) {
        points[i]->x += v[0] * time;
        points[i]->y += v[1] * time;
        points[i]->z += v[2] * time;
    }
}

/// The lowest object of the group that a posed link collides with.
static bool hits_object(graze_motion_workspace *m, int32_t link, gz_detail detail,
                        graze_contact *contact) {
    const graze_checker *c = m->checker;
    graze_stats stats = {0};
    double threshold = c->margins ? c->margins->thresholds[link] : 0;
    size_t near = gz_link_world_near(c, m->ws, link, threshold, &stats);
    int32_t lowest = INT32_MAX;
    for (size_t i = 0; i < near; i++) {
        graze_contact found;
        int32_t object = m->ws->entries[i];
        if (object > lowest || !gz_motion_in_group(m, object) ||
            gz_object_allowed(c, link, object) ||
            !gz_link_object_near(c, m->ws, link, object, gz_object_margin(c, link, object), detail,
                                 &found, &stats))
            continue;
        lowest = object;
        *contact = found;
    }
    return lowest != INT32_MAX;
}

static bool collides(graze_motion_workspace *m, gz_detail detail, graze_contact *contact) {
    const graze_checker *c = m->checker;
    const double *root = gz_edge_root(&m->edge);
    graze_stats stats = {0};
    bool stands = m->group < 0;
    if (stands && gz_boundary_left(c, root, contact)) return true;
    for (size_t i = 0; i < c->link_count; i++) gz_workspace_want(m->ws, c->links[i]);
    gz_workspace_pose_wanted(m->ws, m->edge.q, root);
    for (size_t i = 0; stands && !c->options.no_self && i < c->pair_count; i++)
        if (gz_link_pair_check(c, m->ws, &c->pairs[i], detail, contact, &stats)) return true;
    for (size_t i = 0; c->world && !c->options.no_world && i < c->link_count; i++)
        if (hits_object(m, c->links[i], detail, contact)) return true;
    return false;
}

graze_status gz_motion_check_place(graze_motion_workspace *m, double t, graze_answer answer,
                                   graze_contact *contact, bool *hit, graze_error *error) {
    graze_report report = {.contacts = contact, .capacity = 1};
    if (m->moving_count == 0) {
        graze_status status = graze_check(m->checker, m->ws, answer, m->edge.q,
                                          m->edge.robot->column_count, m->edge.base, &report,
                                          error);
        *hit = status == GRAZE_OK && report.verdict == GRAZE_COLLISION;
        return status;
    }
    bool place = answer == GRAZE_ANSWER_FIRST;
    *hit = collides(m, place ? GZ_DETAIL_WITNESS : GZ_DETAIL_PAIR, contact);
    if (*hit && place)
        move_contact(m, t, contact);
    else if (*hit)
        *contact = gz_contact_make(contact->kind, contact->link, contact->element, contact->other,
                                   contact->other_element, NULL);
    return GRAZE_OK;
}

void gz_motion_merge(graze_motion_report *all, const graze_motion_report *group) {
    bool hit = group->verdict == GRAZE_MOTION_HIT, hit_before = all->verdict == GRAZE_MOTION_HIT;
    bool first = hit ? !hit_before || group->latest < all->latest
                     : group->verdict == GRAZE_MOTION_UNDECIDED && !hit_before &&
                           (all->verdict == GRAZE_MOTION_FREE || group->earliest < all->earliest);
    if (first) {
        all->verdict = group->verdict;
        all->latest = group->latest;
        all->contact = group->contact;
    }
    all->earliest = fmin(all->earliest, group->earliest);
    all->configurations += group->configurations;
    all->pair_tests = group->pair_tests;
    all->far_pairs += group->far_pairs;
    all->spent |= group->spent;
}

bool gz_motion_is_enough(const graze_motion_options *options, graze_motion_report *all,
                         double begin) {
    bool enough = options->answer == GRAZE_MOTION_ANY && all->verdict == GRAZE_MOTION_HIT;
    if (enough) all->earliest = begin;
    return enough;
}
