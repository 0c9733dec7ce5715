// What a check reports: contacts, their names, the report.

#include <string.h>

#include "base/options.h"
#include "check/check_internal.h"

graze_contact gz_contact_make(graze_contact_kind kind, int32_t link, int32_t element, int32_t other,
                              int32_t other_element, const gz_shape_contact *found) {
    static const gz_shape_contact no_place = {.triangle_a = -1, .triangle_b = -1};
    const gz_shape_contact *m = found ? found : &no_place;
    graze_contact c = {.kind = kind,
                       .link = link,
                       .element = element,
                       .other = other,
                       .other_element = other_element,
                       .contained = m->contained,
                       .triangle = m->triangle_a,
                       .other_triangle = m->triangle_b,
                       .has_segment = m->has_segment};
    memcpy(&c.segment[0], m->segment[0], sizeof m->segment[0]);
    memcpy(&c.segment[1], m->segment[1], sizeof m->segment[1]);
    memcpy(&c.point, m->point, sizeof m->point);
    return c;
}

void gz_report_add(graze_report *report, const graze_contact *contact) {
    report->verdict = GRAZE_COLLISION;
    if (report->contacts && report->count < report->capacity)
        gz_fill((unsigned char *)report->contacts + report->count * report->contact_size,
                report->contact_size, contact, sizeof *contact);
    report->count++;
    report->truncated = report->count > report->capacity;
}

/// The only element of a link.
static int32_t only_element(const graze_robot *r, int32_t link) {
    return r->collisions[r->links[link].first_collision].element;
}

void gz_report_answer(graze_report *report, graze_answer answer, const graze_contact *contact) {
    graze_contact named = *contact;
    if (gz_answer_detail(answer) < GZ_DETAIL_PLACE)
        named = gz_contact_make(contact->kind, contact->link, contact->element, contact->other,
                                contact->other_element, NULL);
    gz_report_add(report, &named);
}

void gz_report_add_pair(graze_report *report, const graze_checker *c, const gz_check_pair *pair) {
    graze_contact contact = gz_contact_make(GRAZE_CONTACT_SELF, pair->a,
                                            only_element(c->robot, pair->a), pair->b,
                                            only_element(c->robot, pair->b), NULL);
    gz_report_add(report, &contact);
}

void gz_report_add_object(graze_report *report, const graze_checker *c, int32_t link,
                          int32_t object) {
    graze_contact contact = gz_contact_make(GRAZE_CONTACT_WORLD, link, only_element(c->robot, link),
                                            object, 0, NULL);
    gz_report_add(report, &contact);
}

bool gz_boundary_excludes(const graze_checker *checker, const double base[12],
                          graze_contact *contact) {
    const graze_world *w = checker->world;
    double origin[3] = {base[3], base[7], base[11]};
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside = inside && origin[k] >= w->boundary_min[k] && origin[k] <= w->boundary_max[k];
    if (inside) return false;
    *contact = gz_contact_make(GRAZE_CONTACT_BOUNDARY, checker->robot->root, -1, -1, -1, NULL);
    contact->point = (graze_vec3){origin[0], origin[1], origin[2]};
    return true;
}

const char *graze_contact_link_name(const graze_checker *checker, const graze_contact *contact) {
    return checker && contact ? graze_robot_link_name(checker->robot, contact->link) : NULL;
}

const char *graze_contact_other_name(const graze_checker *checker, const graze_contact *contact) {
    if (!checker || !contact) return NULL;
    if (contact->kind == GRAZE_CONTACT_BOUNDARY) return "boundary";
    if (contact->kind == GRAZE_CONTACT_SELF)
        return graze_robot_link_name(checker->robot, contact->other);
    const graze_world *w = checker->world;
    if (contact->other < 0) return "world";
    if (!w || (size_t)contact->other >= w->object_count) return NULL;
    return gz_world_at(w, (size_t)contact->other)->name;
}

// Sums and differences of counters.

// All counters are of one type, one after the other, so that none can be forgotten here.
enum { COUNTERS = sizeof(graze_stats) / sizeof(uint64_t) };
_Static_assert(sizeof(graze_stats) % sizeof(uint64_t) == 0, "a counter of another type");

/// Adds counters of which the caller knows `size` bytes, times 1 or, modulo 2^64, -1.
static inline void add_times(graze_stats *sum, const graze_stats *more, size_t size,
                             uint64_t sign) {
    uint64_t a[COUNTERS] = {0}, b[COUNTERS] = {0};
    memcpy(a, sum, size);
    memcpy(b, more, size);
    for (int i = 0; i < COUNTERS; i++) a[i] += sign * b[i];
    memcpy(sum, a, size);
}

void graze_stats_add_sized(graze_stats *sum, const graze_stats *more, size_t size) {
    if (!sum || !more) return;
    if (size >= sizeof *sum)
        add_times(sum, more, sizeof *sum, 1);
    else
        add_times(sum, more, size, 1);
}

graze_stats gz_stats_since(const graze_stats *now, const graze_stats *before) {
    graze_stats out = *now;
    add_times(&out, before, sizeof out, UINT64_MAX);
    return out;
}
