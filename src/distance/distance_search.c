// All pairs, the nearest first: those whose bound is beyond what is known are never looked at.
#include <math.h>
#include <string.h>

#include "base/options.h"
#include "check/call_rules.h"
#include "distance/distance_internal.h"
#include "narrow/distance/shape_depth.h"

/// A heap of pairs, that with the least bound on top.
typedef struct pair_heap {
    gz_near_pair *pairs;
    size_t count;
} pair_heap;

static void sift_down(pair_heap *h, size_t at) {
    const gz_near_pair moved = h->pairs[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->count) break;
        if (child + 1 < h->count && h->pairs[child + 1].bound < h->pairs[child].bound) child++;
        if (!(h->pairs[child].bound < moved.bound)) break;
        h->pairs[at] = h->pairs[child];
        at = child;
    }
    h->pairs[at] = moved;
}

static gz_near_pair take_nearest(pair_heap *h) {
    gz_near_pair top = h->pairs[0];
    h->pairs[0] = h->pairs[--h->count];
    if (h->count) sift_down(h, 0);
    return top;
}

// ------------------------------------------------------------------------ which pairs are visited

static double limit_of(const gz_near_query *q) {
    return q->joins ? gz_frontier_limit(q) : gz_nearest_limit(&q->nearest);
}

static void list_self(gz_near_query *q, pair_heap *h) {
    const graze_checker *c = q->d->checker;
    int32_t fixed = 0;
    double limit = limit_of(q);
    if (c->options.no_self || q->links_done) return;
    for (size_t i = 0; i < c->pair_count; i++) {
        int32_t own = c->pairs[i].fixed ? fixed++ : -1;
        gz_near_pair pair = gz_near_links(q->d, (int32_t)i, q->table_q);
        pair.fixed = own;
        if (own >= 0) pair.bound = q->d->fixed[own].overlaps ? 0 : q->d->fixed[own].nearest.upper;
        if (!(pair.bound > limit)) h->pairs[h->count++] = pair;
    }
}

static void list_object(gz_near_query *q, pair_heap *h, int32_t link, int32_t object,
                        double limit) {
    if (gz_object_hidden(q->d->checker, NULL, link, object)) return;
    gz_near_pair pair = gz_near_object(q->d, link, object);
    if (!(pair.bound > limit)) h->pairs[h->count++] = pair;
}

size_t gz_near_object_count(const gz_near_query *q) {
    const graze_checker *c = q->d->checker;
    return c->world && !c->options.no_world ? c->world->object_count : 0;
}

static void list_small_world(gz_near_query *q, pair_heap *h) {
    const graze_checker *c = q->d->checker;
    double limit = limit_of(q);
    if (gz_near_object_count(q) > GZ_NEAR_OBJECTS) return;
    for (size_t i = 0; i < c->link_count; i++)
        for (size_t o = 0; o < gz_near_object_count(q); o++)
            list_object(q, h, c->links[i], (int32_t)o, limit);
}

/// What is still to be visited is no nearer than its bound.
static void note_unseen(gz_near_query *q, double bound) {
    q->spent = true;
    if (bound < q->nearest.unseen) q->nearest.unseen = bound > 0 ? bound : 0;
}

typedef void (*visit_pair)(gz_near_query *q, const gz_near_pair *pair);

static void visit_heap(gz_near_query *q, pair_heap *h, visit_pair visit) {
    for (size_t i = h->count / 2; i-- > 0;) sift_down(h, i);
    while (h->count) {
        const gz_near_pair pair = take_nearest(h);
        if (q->joins) gz_frontier_run(q, pair.bound);
        if (pair.bound > limit_of(q)) break;
        visit(q, &pair);
        if (q->left <= 1 || q->nearest.unseen < INFINITY) {
            note_unseen(q, h->count ? h->pairs[0].bound : INFINITY);
            break;
        }
    }
    if (q->joins) gz_frontier_run(q, INFINITY);
}

/// Of many objects, link by link: those within a distance, then within a greater one, until that is
/// beyond what is known.
static void visit_large_world(gz_near_query *q, visit_pair visit) {
    const graze_checker *c = q->d->checker;
    graze_workspace *ws = q->d->ws;
    if (gz_near_object_count(q) <= GZ_NEAR_OBJECTS) return;
    for (size_t i = 0; i < c->link_count; i++) {
        int32_t link = c->links[i];
        double within = ws->radii[link], seen = -INFINITY;
        for (bool last = false; !last; within *= 4) {
            double limit = fmax(limit_of(q), 0);
            last = limit <= within || within > 8 * GZ_COORDINATE_MAX;
            if (last) within = fmin(limit, 8 * GZ_COORDINATE_MAX);
            size_t near = gz_link_world_near(c, ws, link, within, &q->report->stats);
            pair_heap h = {.pairs = q->d->list};
            for (size_t k = 0; k < near; k++) list_object(q, &h, link, ws->entries[k], within);
            // What a smaller distance has brought has been visited.
            size_t kept = 0;
            for (size_t k = 0; k < h.count; k++)
                if (h.pairs[k].bound > seen) h.pairs[kept++] = h.pairs[k];
            h.count = kept;
            seen = within;
            if (q->left <= 1) {
                note_unseen(q, 0);
                return;
            }
            visit_heap(q, &h, visit);
        }
    }
}

// ------------------------------------------------------------------------------------- the answers

static void copy_point(graze_vec3 *out, const double p[3]) {
    *out = (graze_vec3){p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}; // -0 becomes 0
}

/// Names a pair.
static graze_proximity name_pair(const gz_near_query *q, const gz_near_pair *pair) {
    return (graze_proximity){.kind = pair->pair >= 0 ? GRAZE_CONTACT_SELF : GRAZE_CONTACT_WORLD,
                             .link = pair->link,
                             .other = pair->other,
                             .triangle = -1,
                             .other_triangle = -1,
                             .distance = {0, q->options->threshold}};
}

static double lower_of(const gz_nearest *n) {
    double lower = n->upper * n->shrink - n->slack - GZ_NEAREST_WIDTH;
    lower = fmin(fmin(lower, n->lower), n->unseen);
    return fmax(lower, 0);
}

static graze_proximity describe(const gz_near_query *q, const gz_near_place *place,
                                const gz_nearest *n) {
    graze_proximity out = name_pair(q, &place->pair);
    const graze_robot *r = q->d->checker->robot;
    const gz_link *l = &r->links[place->pair.link];
    out.element = r->collisions[l->first_collision + (size_t)place->element].element;
    out.other_element = place->other_element;
    if (place->pair.pair >= 0)
        out.other_element = r->collisions[r->links[place->pair.other].first_collision +
                                          (size_t)place->other_element]
                                .element;
    out.triangle = n->triangle[0];
    out.other_triangle = n->triangle[1];
    out.distance = (graze_interval){lower_of(n), n->upper};
    for (int k = 0; k < 2; k++) copy_point(&out.point[k], n->point[k]);
    copy_point(&out.normal, n->normal);
    if (!(n->tie > 0)) return out;
    gz_near_rates(q, &place->pair, n);
    out.smooth = gz_near_is_smooth(n);
    return out;
}

/// An element of a link by its number.
static const gz_shape *shape_of(const graze_robot *r, int32_t link, int32_t element) {
    const gz_link *l = &r->links[link];
    const gz_geometry *g = &r->collisions[l->first_collision];
    for (size_t i = 0; i < l->collision_count; i++)
        if (g[i].element == element) return &g[i].shape;
    return NULL;
}

/// Whether both sides of a contact are meshes or boxes.
static bool is_mesh(const gz_near_query *q, const gz_near_pair *pair,
                    const graze_contact *contact) {
    const graze_checker *c = q->d->checker;
    const gz_shape *own = shape_of(c->robot, pair->link, contact->element);
    if (!own || !own->mesh) return false;
    if (pair->pair < 0) return gz_world_at(c->world, (size_t)pair->other)->shape.mesh;
    const gz_shape *other = shape_of(c->robot, pair->other, contact->other_element);
    return other && other->mesh;
}

/// Bounds the depth of an overlap, but that of a cloud's point.
static void add_depth(const gz_near_query *q, const gz_near_pair *pair,
                      const graze_contact *contact, graze_proximity *out) {
    const graze_checker *c = q->d->checker;
    const graze_workspace *ws = q->d->ws;
    gz_placed b = {NULL, NULL}, a = {shape_of(c->robot, pair->link, contact->element),
                                     gz_link_pose(c, ws, pair->link)};
    graze_policy other;
    if (pair->pair >= 0) {
        b = (gz_placed){shape_of(c->robot, pair->other, contact->other_element),
                        gz_link_pose(c, ws, pair->other)};
        other = c->link_policies[pair->other];
    } else {
        const gz_object *o = gz_world_at(c->world, (size_t)pair->other);
        if (o->kind != GRAZE_SHAPE_POINTS) b = (gz_placed){&o->shape, o->pose.m};
        other = gz_object_policy(c, pair->other);
    }
    if (!a.shape || !b.shape) return;
    const gz_shape_rule rule = gz_rule_make(c, c->link_policies[pair->link], other, 0,
                                            GZ_DETAIL_NONE);
    const gz_depth depth = gz_shapes_depth(&a, &b, &rule);
    out->depth = (graze_interval){depth.lower, depth.upper};
    copy_point(&out->escape, depth.escape);
}

/// A pair that overlaps. Meshes share a point; of curved shapes the verdict leaves a little open.
static graze_proximity describe_overlap(const gz_near_query *q, const gz_near_pair *pair,
                                        const graze_contact *contact) {
    graze_proximity out = name_pair(q, pair);
    out.element = contact->element;
    out.other_element = contact->other_element;
    out.triangle = contact->triangle;
    out.other_triangle = contact->other_triangle;
    out.point[0] = out.point[1] = contact->point;
    out.overlap = true;
    out.contained = contact->contained;
    if (q->nearest.tie > 0) gz_near_rates(q, pair, NULL);
    if (q->options->depth) add_depth(q, pair, contact, &out);
    out.distance.upper = is_mesh(q, pair, contact) || out.contained ? 0 : GZ_CURVED_TOLERANCE;
    return out;
}

static void write_at(gz_near_query *q, size_t index, const graze_proximity *p) {
    graze_distance_report *r = q->report;
    unsigned char *at = (unsigned char *)(void *)r->pairs + index * r->proximity_size;
    gz_fill(at, r->proximity_size, p, sizeof *p);
    size_t columns = q->d->checker->robot->column_count;
    if (r->by_q && columns)
        memcpy(r->by_q + index * columns, q->d->by_q, columns * sizeof *r->by_q);
    if (r->by_base) memcpy(r->by_base + index * 6, q->d->by_base, sizeof q->d->by_base);
}

static const graze_proximity *at_index(const gz_near_query *q, size_t index) {
    const graze_distance_report *r = q->report;
    return (const graze_proximity *)(const void *)((const unsigned char *)(const void *)r->pairs +
                                                   index * r->proximity_size);
}

static void add_pair(gz_near_query *q, const graze_proximity *p) {
    graze_distance_report *r = q->report;
    if (r->count < r->capacity && r->pairs) write_at(q, r->count, p);
    r->count++;
}

static void report_overlap(gz_near_query *q, const gz_near_pair *pair,
                           const graze_contact *contact) {
    const graze_proximity p = describe_overlap(q, pair, contact);
    add_pair(q, &p);
    q->report->least = p.distance;
}

/// The first pair of links that overlaps.
static bool find_self_overlap(gz_near_query *q) {
    const graze_checker *c = q->d->checker;
    graze_contact contact;
    int32_t fixed = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        gz_near_pair pair = gz_near_links(q->d, (int32_t)i, q->table_q);
        pair.fixed = c->pairs[i].fixed ? fixed++ : -1;
        if (pair.fixed < 0 && pair.bound > 0) continue;
        if (!gz_near_overlaps(q->d, &pair, GZ_DETAIL_PAIR, &contact)) continue;
        report_overlap(q, &pair, &contact);
        return true;
    }
    return false;
}

/// The lowest object that a link overlaps.
static bool find_object_overlap(gz_near_query *q, int32_t link) {
    pair_heap h = {.pairs = q->d->list};
    gz_near_pair lowest = {.other = -1};
    graze_contact contact, here;
    size_t near = gz_link_world_near(q->d->checker, q->d->ws, link, 0, &q->report->stats);
    for (size_t k = 0; k < near; k++) list_object(q, &h, link, q->d->ws->entries[k], 0);
    for (size_t k = 0; k < h.count; k++) {
        if (lowest.other >= 0 && h.pairs[k].other > lowest.other) continue;
        if (!gz_near_overlaps(q->d, &h.pairs[k], GZ_DETAIL_PAIR, &here)) continue;
        lowest = h.pairs[k];
        contact = here;
    }
    if (lowest.other < 0) return false;
    report_overlap(q, &lowest, &contact);
    return true;
}

/// The first pair that overlaps, in the order of checks.
static bool find_overlap(gz_near_query *q) {
    const graze_checker *c = q->d->checker;
    if (find_self_overlap(q)) return true;
    for (size_t i = 0; i < c->link_count && c->world; i++)
        if (find_object_overlap(q, c->links[i])) return true;
    return false;
}

/// The pair of a contact.
static gz_near_pair pair_of(const graze_contact *contact) {
    return (gz_near_pair){.pair = contact->kind == GRAZE_CONTACT_SELF ? 0 : -1,
                          .link = contact->link,
                          .other = contact->other,
                          .fixed = -1};
}

static void visit_for_least(gz_near_query *q, const gz_near_pair *pair) {
    gz_near_visit(q, pair, &q->place, &q->nearest);
}

static void search_least(gz_near_query *q) {
    gz_frontier_start(q);
    q->joins = true;
    pair_heap h = {.pairs = q->d->list};
    list_self(q, &h);
    list_small_world(q, &h);
    visit_heap(q, &h, visit_for_least);
    if (!q->spent) visit_large_world(q, visit_for_least);
    gz_frontier_finish(q);
}

void gz_near_report_least(gz_near_query *q) {
    graze_distance_workspace *d = q->d;
    graze_distance_report *r = q->report;
    if (!q->place.found) {
        r->least = (graze_interval){fmax(fmin(q->options->threshold, q->nearest.unseen), 0),
                                    INFINITY};
        return;
    }
    r->least = (graze_interval){lower_of(&q->nearest), q->nearest.upper};
    if (r->capacity && r->pairs) {
        const graze_proximity p = describe(q, &q->place, &q->nearest);
        add_pair(q, &p);
    } else {
        r->count++;
    }
    d->hint = q->place;
    memcpy(d->hint_triangle, q->nearest.triangle, sizeof d->hint_triangle);
}

static void find_least(gz_near_query *q) {
    bool exact = q->options->answer == GRAZE_DISTANCE_LEAST && !(q->nearest.slack > 0);
    if (exact && !q->options->budget) gz_near_evaluate_hint(q);
    search_least(q);
    if (gz_near_is_unsure(&q->nearest) && !q->spent) {
        gz_near_forget_ties(&q->nearest);
        search_least(q);
    }
    gz_near_report_least(q);
}

bool gz_near_measure(gz_near_query *q, const gz_near_pair *pair, double limit,
                     graze_proximity *out) {
    graze_contact contact;
    if (!(pair->bound > 0) && gz_near_overlaps(q->d, pair, GZ_DETAIL_WITNESS, &contact)) {
        *out = describe_overlap(q, pair, &contact);
        return true;
    }
    gz_nearest n;
    gz_nearest_start(&n, limit);
    gz_near_place place = {.found = false};
    n.slack = q->nearest.slack;
    n.tie = q->nearest.tie;
    gz_near_visit(q, pair, &place, &n);
    if (gz_near_is_unsure(&n) && n.unseen == INFINITY) {
        gz_near_forget_ties(&n);
        gz_near_visit(q, pair, &place, &n);
    }
    q->nearest.unseen = fmin(q->nearest.unseen, n.unseen);
    if (!place.found) return false;
    *out = describe(q, &place, &n);
    return true;
}

static void widen_least(graze_distance_report *r, const graze_interval *distance) {
    r->least.lower = fmin(r->least.lower, distance->lower);
    r->least.upper = fmin(r->least.upper, distance->upper);
}

/// Pairs in the order of checks.
static bool is_before(const graze_proximity *x, const graze_proximity *y) {
    if (x->kind != y->kind) return x->kind < y->kind;
    if (x->link != y->link) return x->link < y->link;
    return x->other < y->other;
}

static bool is_nearer(const graze_proximity *x, const graze_proximity *y) {
    double cell = gz_nearest_cell(x->distance.upper), other = gz_nearest_cell(y->distance.upper);
    return cell != other ? cell < other : is_before(x, y);
}

/// Puts a pair into the caller's sorted array, whose last falls out where it is full.
static void insert(gz_near_query *q, const graze_proximity *p,
                   bool (*comes_first)(const graze_proximity *, const graze_proximity *)) {
    graze_distance_report *r = q->report;
    size_t kept = r->count < r->capacity ? r->count : r->capacity, size = r->proximity_size,
           at = kept;
    unsigned char *base = (unsigned char *)(void *)r->pairs;
    r->count++;
    while (at > 0 && comes_first(p, at_index(q, at - 1))) at--;
    if (at >= r->capacity || !base) return;
    size_t moved = (kept < r->capacity ? kept : r->capacity - 1) - at;
    size_t columns = q->d->checker->robot->column_count;
    memmove(base + (at + 1) * size, base + at * size, moved * size);
    if (r->by_q && moved)
        memmove(r->by_q + (at + 1) * columns, r->by_q + at * columns,
                moved * columns * sizeof *r->by_q);
    if (r->by_base && moved)
        memmove(r->by_base + (at + 1) * 6, r->by_base + at * 6, moved * 6 * sizeof *r->by_base);
    write_at(q, at, p);
}

static void visit_for_all(gz_near_query *q, const gz_near_pair *pair) {
    graze_proximity p;
    if (!gz_near_measure(q, pair, q->options->threshold, &p)) return;
    widen_least(q->report, &p.distance);
    insert(q, &p, is_before);
}

static void visit_for_smooth(gz_near_query *q, const gz_near_pair *pair) {
    graze_proximity p;
    bool stands = pair->pair < 0 && q->d->checker->robot->links[pair->link].body == 0;
    if (pair->fixed >= 0 || (stands && q->smooth->base_stands)) return;
    if (gz_near_measure(q, pair, q->options->threshold, &p)) gz_smooth_add(q, &p);
}

static void visit_for_nearest(gz_near_query *q, const gz_near_pair *pair) {
    graze_distance_report *r = q->report;
    graze_proximity p;
    if (!gz_near_measure(q, pair, q->nearest.upper, &p)) return;
    widen_least(r, &p.distance);
    insert(q, &p, is_nearer);
    if (r->count > r->capacity) r->count = r->capacity;
    if (r->count == r->capacity) // in its cell a pair may come first
        q->nearest.upper = fmin(at_index(q, r->count - 1)->distance.upper + GZ_NEAREST_CELL,
                                q->nearest.upper);
}

static void find_several(gz_near_query *q, visit_pair visit) {
    graze_distance_report *r = q->report;
    r->least = (graze_interval){q->options->threshold, INFINITY};
    pair_heap h = {.pairs = q->d->list};
    list_self(q, &h);
    list_small_world(q, &h);
    visit_heap(q, &h, visit);
    if (!q->spent) visit_large_world(q, visit);
    r->least.lower = fmax(fmin(r->least.lower, q->nearest.unseen), 0);
}

/// The least, where it is not known that a pair overlaps.
static void find_least_or_overlap(gz_near_query *q, gz_near_verdict verdict,
                                  const graze_contact *contact) {
    if (verdict == GZ_NEAR_OVERLAP) {
        const gz_near_pair pair = pair_of(contact);
        report_overlap(q, &pair, contact);
    } else if (verdict == GZ_NEAR_FREE || !find_overlap(q)) {
        find_least(q);
    }
}

void gz_near_search(gz_near_query *q, gz_near_verdict verdict, const graze_contact *contact) {
    graze_distance_report *r = q->report;
    switch (q->options->answer) {
    case GRAZE_DISTANCE_PAIRS:
        find_several(q, q->smooth ? visit_for_smooth : visit_for_all);
        break;
    case GRAZE_DISTANCE_NEAREST:
        find_several(q, visit_for_nearest);
        break;
    default:
        find_least_or_overlap(q, verdict, contact);
        break;
    }
    r->spent = q->spent || q->nearest.unseen < INFINITY;
    r->truncated = r->count > r->capacity;
}
