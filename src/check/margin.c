#include "check/check_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "check/call_rules.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"
#include "narrow/curved/curved.h"
#include "narrow/triangle/triangle.h"

// ---------------------------------------------------------------------------------------- entries

typedef struct reader {
    graze_checker *c;
    struct gz_margins *margins;
    graze_error *error;
} reader;

static void unset(double *margins, size_t count) {
    for (size_t i = 0; margins && i < count; i++) margins[i] = NAN;
}

static graze_status find_named(const reader *r, size_t index, const char *name, gz_named *out) {
    const graze_checker *c = r->c;
    if (gz_find_named(c->robot, c->world, name, out)) return GRAZE_OK;
    return gz_fail(r->error, GRAZE_ERROR_ARGUMENT,
                   "margins[%zu] names '%s', which is neither a link of '%s' nor an object of the "
                   "world",
                   index, name ? name : "(NULL)", c->robot->name);
}

static graze_status fail_twice(const reader *r, size_t index, const char *a, const char *b,
                               double margin, double before) {
    return gz_fail(r->error, GRAZE_ERROR_ARGUMENT,
                   "margins[%zu] gives '%s'%s%s%s the margin %g, an entry before it %g; allowed: "
                   "one margin a %s",
                   index, a, b ? ", '" : "", b ? b : "", b ? "'" : "", margin, before,
                   b ? "pair" : "name");
}

/// An entry for all pairs of one thing.
static graze_status read_side(reader *r, const graze_pair_margin *entry, size_t index, gz_named a) {
    struct gz_margins *m = r->margins;
    if (a.link < 0 && !m->of_objects) {
        // Worlds are large, and mostly no object has a margin of its own.
        size_t count = r->c->world->object_count;
        m->of_objects = gz_malloc(count, sizeof *m->of_objects);
        unset(m->of_objects, count);
        if (!m->of_objects) return gz_fail_memory(r->error);
    }
    double *side = a.link >= 0 ? &m->of_links[a.link] : &m->of_objects[a.object];
    int32_t count = a.link >= 0 ? 1 : a.end - a.object;
    if (!isnan(*side) && *side != entry->margin)
        return fail_twice(r, index, entry->a, NULL, entry->margin, *side);
    for (int32_t k = 0; k < count; k++) side[k] = entry->margin;
    return GRAZE_OK;
}

static graze_status read_entry(reader *r, const graze_pair_margin *entry, size_t index) {
    if (!(entry->margin >= 0 && isfinite(entry->margin)))
        return gz_fail(r->error, GRAZE_ERROR_RANGE,
                       "margins[%zu] of '%s' is %g m; allowed: finite, not negative", index,
                       entry->a ? entry->a : "(NULL)", entry->margin);
    gz_named a, b;
    graze_status status = find_named(r, index, entry->a, &a);
    if (status || !entry->b) return status ? status : read_side(r, entry, index, a);
    status = find_named(r, index, entry->b, &b);
    if (status) return status;
    if (a.link < 0 && b.link < 0)
        return gz_fail(r->error, GRAZE_ERROR_ARGUMENT,
                       "margins[%zu] names two objects, '%s' and '%s'; allowed: at least one link",
                       index, entry->a, entry->b);
    if (a.link == b.link)
        return gz_fail(r->error, GRAZE_ERROR_ARGUMENT,
                       "margins[%zu] names link '%s' twice; allowed: two links, or a link and an "
                       "object",
                       index, entry->a);
    struct gz_margins *m = r->margins;
    gz_pair_margin out = {.margin = entry->margin, .index = index};
    if (a.link >= 0 && b.link >= 0) {
        out.a = a.link < b.link ? a.link : b.link;
        out.b = a.link < b.link ? b.link : a.link;
        m->self.items[m->self.count++] = out;
    } else {
        const gz_named *object = a.link >= 0 ? &b : &a;
        out.a = a.link >= 0 ? a.link : b.link;
        for (out.b = object->object; out.b < object->end; out.b++)
            m->world.items[m->world.count++] = out;
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ lists

static int compare_pairs(const void *x, const void *y) {
    const gz_pair_margin *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static int compare_entries(const void *x, const void *y) {
    const gz_pair_margin *p = x, *q = y;
    int order = compare_pairs(p, q);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

gz_pair_margin *gz_pair_margins_find(const gz_pair_margins *list, int32_t a, int32_t b) {
    gz_pair_margin key = {.a = a, .b = b};
    if (list->count == 0) return NULL;
    return bsearch(&key, list->items, list->count, sizeof key, compare_pairs);
}

/// Sorts a list, and keeps each pair once; two margins of a pair are an error, unless the later one
/// is the SRDF's.
static graze_status sort_list(const reader *r, const graze_checker_options *o,
                              gz_pair_margins *list) {
    size_t count = list->count;
    list->count = 0;
    if (count) qsort(list->items, count, sizeof *list->items, compare_entries);
    for (size_t i = 0; i < count; i++) {
        const gz_pair_margin *p = &list->items[i];
        const gz_pair_margin *last = list->count ? &list->items[list->count - 1] : NULL;
        if (!last || compare_pairs(p, last) != 0) {
            list->items[list->count++] = *p;
        } else if (p->margin != last->margin && p->index != GZ_MARGIN_OF_SRDF) {
            const graze_pair_margin *entry = &o->margins[p->index];
            return fail_twice(r, p->index, entry->a, entry->b, p->margin, last->margin);
        }
    }
    return GRAZE_OK;
}

/// Adds the SRDF's pairs, which come behind those of the options.
static void add_srdf(struct gz_margins *m, const graze_robot *robot) {
    for (size_t i = 0; i < robot->margin_count; i++) {
        const graze_link_margin *p = &robot->margins[i];
        m->self.items[m->self.count++] = (gz_pair_margin){p->a, p->b, p->margin, GZ_MARGIN_OF_SRDF};
    }
}

// ---------------------------------------------------------------------------------------- reading

static graze_status check_options(const graze_checker_options *o, graze_error *error) {
    if (!o->margins && o->margin_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "margins is NULL");
    if (!isnan(o->margin) && !(o->margin >= 0 && isfinite(o->margin)))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "margin is %g m; allowed: finite, not negative, or NAN where it is not set",
                       o->margin);
    return GRAZE_OK;
}

static graze_status read_lists(reader *r, const graze_checker_options *o, bool srdf) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < o->margin_count; i++)
        status = read_entry(r, &o->margins[i], i);
    struct gz_margins *m = r->margins;
    if (status == GRAZE_OK && srdf) add_srdf(m, r->c->robot);
    if (status == GRAZE_OK) status = sort_list(r, o, &m->self);
    if (status == GRAZE_OK) status = sort_list(r, o, &m->world);
    return status;
}

/// Whether any margin is above 0.
static bool any_above(const graze_checker *c, const struct gz_margins *m) {
    if (m->all > 0) return true;
    for (size_t i = 0; i < m->self.count; i++)
        if (m->self.items[i].margin > 0) return true;
    for (size_t i = 0; i < m->world.count; i++)
        if (m->world.items[i].margin > 0) return true;
    for (int32_t i = 0; i < c->robot->link_count; i++)
        if (m->of_links[i] > 0) return true;
    for (size_t i = 0; m->of_objects && i < c->world->object_count; i++)
        if (m->of_objects[i] > 0) return true;
    return false;
}

/// How many pairs of a link and a shape of the world the entries may name.
static size_t count_world(const reader *r, const graze_checker_options *o) {
    size_t count = o->margin_count;
    for (size_t i = 0; i < o->margin_count; i++)
        for (int k = 0; k < 2; k++) {
            gz_named named;
            const char *name = k ? o->margins[i].b : o->margins[i].a;
            if (gz_find_named(r->c->robot, r->c->world, name, &named) && named.object >= 0)
                count += (size_t)(named.end - named.object);
        }
    return count;
}

static void lay_out(reader *r, size_t entries, size_t shapes, gz_arena *arena) {
    struct gz_margins *m = r->margins;
    const graze_robot *robot = r->c->robot;
    size_t links = (size_t)robot->link_count;
    m->of_links = gz_arena_array(arena, links, sizeof *m->of_links);
    m->greatest = gz_arena_array(arena, links, sizeof *m->greatest);
    m->thresholds = gz_arena_array(arena, links, sizeof *m->thresholds);
    m->self.items = gz_arena_array(arena, entries + robot->margin_count, sizeof *m->self.items);
    m->world.items = gz_arena_array(arena, shapes, sizeof *m->world.items);
}

graze_status gz_margins_read(graze_checker *c, const graze_checker_options *o, graze_error *error) {
    graze_status status = check_options(o, error);
    if (status) return status;
    bool srdf = !o->ignore_srdf_margins;
    struct gz_margins *m = c->margins = gz_calloc(1, sizeof *m);
    if (!m) return gz_fail_memory(error);
    double fallback = srdf ? c->robot->default_margin : NAN;
    m->all = !isnan(o->margin) ? o->margin : isnan(fallback) ? 0 : fallback;
    reader r = {.c = c, .margins = m, .error = error};
    gz_arena arena = {0};
    size_t shapes = count_world(&r, o);
    lay_out(&r, o->margin_count, shapes, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    m->memory = arena.memory;
    lay_out(&r, o->margin_count, shapes, &arena);
    unset(m->of_links, (size_t)c->robot->link_count);
    status = read_lists(&r, o, srdf);
    if (status) return status;
    c->has_margins = any_above(c, m);
    if (c->has_margins) return GRAZE_OK;
    gz_margins_free(m); // nothing to look up: the exact verdict everywhere
    c->margins = NULL;
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- resolving

/// The greater of two margins of which either may be NAN; `otherwise` where both are.
static double greater(double a, double b, double otherwise) {
    double most = fmax(a, b);
    return isnan(most) ? otherwise : most;
}

double gz_margins_find(const struct gz_margins *m, int32_t link, int32_t object) {
    const gz_pair_margin *given = gz_pair_margins_find(&m->world, link, object);
    if (given) return given->margin;
    return greater(m->of_links[link], m->of_objects ? m->of_objects[object] : NAN, m->all);
}

double gz_margin_effective(double margin, double epsilon) {
    if (!(margin > 0)) return margin;
    return fmin(fmax(fmax(margin, epsilon), GZ_MARGIN_MIN), GZ_MARGIN_MAX);
}

static void resolve_pairs(const graze_checker *c, gz_check_pair *pairs, size_t count) {
    const struct gz_margins *m = c->margins;
    for (size_t i = 0; i < count; i++) {
        gz_check_pair *p = &pairs[i];
        const gz_pair_margin *given = gz_pair_margins_find(&m->self, p->a, p->b);
        p->margin = given ? given->margin : greater(m->of_links[p->a], m->of_links[p->b], m->all);
        p->threshold = gz_margin_threshold(p->margin, c->robot->links[p->a].sphere.radius +
                                                          c->robot->links[p->b].sphere.radius);
    }
}

/// How far a link looks for objects.
static void resolve_link(const graze_checker *c, int32_t link) {
    struct gz_margins *m = c->margins;
    size_t objects = c->world ? c->world->object_count : 0;
    double most = 0, size = c->world ? c->world->extent.size : 0;
    // Where no object has a margin of its own, all have the same.
    bool same = !m->of_objects && m->world.count == 0;
    for (size_t k = 0; k < (same && objects ? 1 : objects); k++)
        most = fmax(most, gz_margins_find(m, link, (int32_t)k));
    m->greatest[link] = most;
    m->thresholds[link] = gz_margin_threshold(most, c->robot->links[link].sphere.radius + size);
}

/// The least margin above 0 of a list.
static double least_above(double least, const double *margins, size_t count) {
    for (size_t i = 0; margins && i < count; i++)
        if (margins[i] > 0) least = fmin(least, margins[i]);
    return least;
}

static double find_least(const graze_checker *c) {
    const struct gz_margins *m = c->margins;
    double least = least_above(INFINITY, &m->all, 1);
    least = least_above(least, m->of_links, (size_t)c->robot->link_count);
    least = least_above(least, m->of_objects, c->world ? c->world->object_count : 0);
    for (size_t i = 0; i < m->self.count; i++)
        least = least_above(least, &m->self.items[i].margin, 1);
    for (size_t i = 0; i < m->world.count; i++)
        least = least_above(least, &m->world.items[i].margin, 1);
    return least;
}

/// How far the frame of an object without an end may be away: every place of the domain, the
/// corners of its cube, too, is then where what is held of it is as good (GZ_UNBOUNDED_EXTENT).
/// 2^-20 is for rounding, and for frames that are rigid up to 1e-9 only.
static double frame_most(const graze_checker *c) {
    return (sqrt(0.5) * GZ_UNBOUNDED_EXTENT - sqrt(3) * c->options.domain) * (1 - 0x1p-20);
}

static bool holds_unbounded(const graze_checker *c) {
    const graze_world *w = c->world;
    return !w || !w->extent.unbounded_count || w->extent.frame <= frame_most(c);
}

bool gz_margins_follow(graze_checker *c) {
    double before = c->epsilon;
    c->epsilon = c->robot_error + fmax(c->robot_error, graze_world_pose_error(c->world));
    if (!holds_unbounded(c)) return false;
    if (!c->has_margins) return true;
    if (!(c->margins->least > fmax(before, c->epsilon))) return false;
    for (size_t i = 0; i < c->link_count; i++) resolve_link(c, c->links[i]);
    return true;
}

void gz_margins_resolve(graze_checker *c) {
    struct gz_margins *m = c->margins;
    if (!m) return;
    m->all = gz_margin_effective(m->all, c->epsilon);
    for (int32_t i = 0; i < c->robot->link_count; i++) {
        m->of_links[i] = gz_margin_effective(m->of_links[i], c->epsilon);
        m->greatest[i] = m->thresholds[i] = 0;
    }
    for (size_t i = 0; m->of_objects && i < c->world->object_count; i++)
        m->of_objects[i] = gz_margin_effective(m->of_objects[i], c->epsilon);
    gz_pair_margins lists[2] = {m->self, m->world};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k].count; i++)
            lists[k].items[i].margin = gz_margin_effective(lists[k].items[i].margin, c->epsilon);
    resolve_pairs(c, c->pairs, c->pair_count);
    resolve_pairs(c, c->hidden, c->hidden_count);
    for (size_t i = 0; i < c->link_count; i++) resolve_link(c, c->links[i]);
    m->least = find_least(c);
}

// FREE at margin m proves a real distance above m - epsilon. Where m is no less than
//
//     max(margin, epsilon) + 2 epsilon + GZ_CURVED_TOLERANCE
//
// and what the distance may change, the snapped distance is above max(margin, epsilon) +
// GZ_CURVED_TOLERANCE wherever it may change to: there the checker cannot say COLLISION
// (docs/contract.md). GZ_CURVED_TOLERANCE covers what the verdict on curved shapes leaves open
// besides (1e-9 m, narrow/curved/curved.h), and rounding of the place where it is asked. Where the
// two span more than 400 m, that verdict leaves open 2.5e-12 of the span S instead. S is the sum of
// both sets' extents from an end of one of them, in the 1-norm and with their radii: for parts of
// diameters d and e, a gap g apart, at most sqrt 3 (2 d + e + g) + d + e < 5 (d + e + g); and where
// the verdict is in doubt g is the margin.
double gz_margin_certified(const graze_checker *c, int32_t a, int32_t b, double margin) {
    const gz_link *links = c->robot->links;
    double other = a >= 0 ? 2 * links[a].sphere.radius : c->world->extent.size;
    double span = 5 * (2 * links[b].sphere.radius + other + margin);
    return fmax(margin, c->epsilon) + 2 * c->epsilon + GZ_CURVED_TOLERANCE +
           fmax(0, 2.5e-12 * span - 1e-9);
}

void gz_margins_free(struct gz_margins *m) {
    if (!m) return;
    gz_free(m->of_objects);
    gz_free(m->memory);
    gz_free(m);
}

/// Magnitude of an unlimited slide's value up to which the float filters apply (filter_model.c).
#define SLIDE_MAX 2.0

double graze_checker_epsilon(const graze_checker *checker) {
    return checker ? checker->epsilon : INFINITY;
}

/// How far any part of the robot can be from the base's origin where the float filters apply.
static bool bound_workspace(graze_checker *c) {
    const graze_robot *r = c->robot;
    double *far = gz_malloc((size_t)r->body_count, sizeof *far);
    if (!far) return false;
    far[0] = 0;
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        double origin[3] = {b->origin[3], b->origin[7], b->origin[11]}, slide = 0;
        if (b->type == GRAZE_JOINT_PRISMATIC)
            slide = isfinite(b->value_max) ? b->value_max : SLIDE_MAX;
        far[i] = far[b->parent] + b->error.stretch * (gz_norm(origin) + slide);
        c->workspace_radius = fmax(c->workspace_radius, far[i]);
    }
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        double own = gz_norm(GZ_ARRAY3(l->sphere.center)) + l->sphere.radius;
        c->workspace_radius = fmax(c->workspace_radius,
                                   far[l->body] + r->bodies[l->body].error.stretch * own);
    }
    c->workspace_radius *= 1 + 0x1p-20; // for rounding
    gz_free(far);
    return true;
}

graze_status gz_domain_prepare(graze_checker *c, graze_error *error) {
    double domain = c->options.domain;
    if (!(domain > 0 && domain <= GZ_COORDINATE_MAX))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "domain is %g m; allowed: above 0 and at most 2^20 m", domain);
    if (isnan(c->robot_error)) c->robot_error = graze_robot_pose_error(c->robot, domain);
    double robot = c->robot_error;
    c->epsilon = robot + fmax(robot, graze_world_pose_error(c->world));
    if (c->has_margins && !isfinite(c->epsilon))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the error of a pose has no bound, so no margin can be held; allowed: "
                       "origins that are rotations, and margin 0");
    if (!holds_unbounded(c))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the frame of a half-space or plane is %g m from the world's origin, and "
                       "the domain %g m; allowed: a frame at most %g m away (docs/shapes.md)",
                       c->world->extent.frame, domain, frame_most(c));
    return bound_workspace(c) ? GRAZE_OK : gz_fail_memory(error);
}

/// @param why the domain counts
static graze_status fail_place(const char *what, const char *name, double most, double domain,
                               const char *why, graze_error *error) {
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = name},
                      "%s '%s' reaches %g m from the world's origin; allowed with %s: at most the "
                      "domain, %g m",
                      what, name, most, why, domain);
}

/// Values of joints that the bound on the pose's error holds to their limits.
static const gz_body *body_beyond(const graze_robot *r, const double *q, double *value) {
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        if (!isfinite(b->value_max)) continue;
        *value = gz_pose_value(r, b->joint, q);
        if (!(fabs(*value) <= b->value_max)) return b;
    }
    return NULL;
}

graze_status gz_domain_check(const graze_checker *c, const graze_workspace *ws, const double *q,
                             graze_error *error) {
    const graze_robot *r = c->robot;
    double value;
    const gz_body *beyond = gz_ruled_margins(c, ws->rules) ? body_beyond(r, q, &value) : NULL;
    if (beyond) {
        const char *name = r->joints[beyond->joint].info.name;
        return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = name},
                          "value of joint '%s' is %g; allowed with a margin above 0: magnitudes of "
                          "at most %g, its limits and 1 more",
                          name, value, beyond->value_max);
    }
    return gz_domain_check_places(c, ws, error);
}

graze_status gz_domain_check_places(const graze_checker *c, const graze_workspace *ws,
                                    graze_error *error) {
    if (!gz_ruled_domain(c, ws->rules)) return GRAZE_OK;
    const graze_robot *r = c->robot;
    double domain = c->options.domain;
    const char *why = gz_ruled_margins(c, ws->rules) ? "a margin above 0"
                                                     : "a half-space or plane in the world";
    for (int32_t i = 0; i < r->body_count; i++) {
        double most = gz_transform_far(ws->bodies[i]);
        if (!(most <= domain))
            return fail_place(i ? "link" : "base", r->links[r->bodies[i].root_link].name, most,
                              domain, why, error);
    }
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        const double *p = ws->centers[c->links[i]];
        // The ball holds the snapped link but for what gz_pose_pad() and gz_link.pad hold.
        double most = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) + l->sphere.radius;
        if (!(most <= domain)) return fail_place("link", l->name, most, domain, why, error);
    }
    return GRAZE_OK;
}

bool gz_domain_surely(const graze_checker *c, const double *q, const double base[12]) {
    double value;
    return gz_domain_holds_base(c, base) && !body_beyond(c->robot, q, &value);
}
