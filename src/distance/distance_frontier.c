// The least distance of all pairs: best first, but for an eighth of a bound. Buckets hold nodes of
// the trees of many pairs, by their bounds; pairs join them when their own bound is the least. So
// hardly anything is looked at that has a bound above the least distance.
#include <math.h>
#include <string.h>

#include "distance/distance_internal.h"

/// The bucket of a bound: eight for each power of two, by the bits of the float; 0 for all below
/// the least, and the last for all above the greatest.
static uint32_t bucket_of(float bound) {
    uint32_t bits, first;
    const float least = 0x1p-22f;
    memcpy(&bits, &bound, sizeof bits);
    memcpy(&first, &least, sizeof first);
    if (bits < first) return 0;
    uint32_t bucket = (bits - first) >> 20;
    return bucket < GZ_FRONTIER_BUCKETS ? bucket : GZ_FRONTIER_BUCKETS - 1;
}

/// The bucket with the least bounds that has entries, or -1.
static int least_bucket(const gz_frontier *f) {
    for (int word = 0; word < GZ_FRONTIER_BUCKETS / 64; word++)
        if (f->used[word]) return 64 * word + __builtin_ctzll(f->used[word]);
    return -1;
}

static gz_frontier_entry take_from(gz_frontier *f, int bucket) {
    int32_t at = f->first[bucket];
    const gz_frontier_entry top = f->entries[at];
    f->first[bucket] = top.next;
    if (top.next < 0) f->used[bucket / 64] &= ~(UINT64_C(1) << (bucket % 64));
    f->entries[at].next = f->unused;
    f->unused = at;
    return top;
}

/// The least bound of all entries; INFINITY where there are none.
static double least_bound(const gz_frontier *f) {
    int bucket = least_bucket(f);
    float least = INFINITY;
    for (int32_t at = bucket < 0 ? -1 : f->first[bucket]; at >= 0; at = f->entries[at].next)
        least = f->entries[at].bound < least ? f->entries[at].bound : least;
    return (double)least;
}

/// Adds an entry, or where there is no space looks at all of it at once.
static void push(gz_near_query *q, gz_frontier_search *s, gz_near_entry entry) {
    gz_frontier *f = &q->d->frontier;
    int32_t at = f->unused;
    if (at < 0 && f->fresh == GZ_FRONTIER_ENTRIES) {
        q->d->kernels->below(&s->shapes.search, entry, &q->report->stats);
        if (s->shapes.search.unseen < INFINITY)
            q->nearest.unseen = fmin(q->nearest.unseen, (double)s->shapes.search.unseen);
        return;
    }
    float bound = gz_near_bound(&s->shapes.search, entry.square);
    uint32_t bucket = bucket_of(bound);
    if (at < 0)
        at = f->fresh++;
    else
        f->unused = f->entries[at].next;
    f->entries[at] = (gz_frontier_entry){
        .bound = bound,
        .search = (int32_t)(s - f->searches),
        .entry = entry,
        .next = f->used[bucket / 64] >> (bucket % 64) & 1 ? f->first[bucket] : -1};
    f->first[bucket] = at;
    f->used[bucket / 64] |= UINT64_C(1) << (bucket % 64);
}

// What a search evaluates is compared with the nearest of all pairs.

static void begin(gz_shape_search *shapes) {
    const gz_frontier_search *s = shapes->user;
    gz_near_begin(&s->here, &s->query->place, &s->query->nearest);
}

static void took(gz_shape_search *shapes) {
    const gz_frontier_search *s = shapes->user;
    s->query->place = s->here;
}

/// Looks at an entry, which is not of two packets unless there is work left for them. Returns how
/// many entries it has written, the farthest first.
static int step(gz_near_query *q, gz_frontier_search *s, gz_near_entry e, float bound,
                gz_near_entry below[GZ_WIDTH]) {
    const bool leaves = e.a < 0 && e.b < 0;
    if (!gz_work_take(&q->left, leaves ? GZ_WORK_PACKETS : 1)) {
        q->nearest.unseen = fmin(q->nearest.unseen,
                                 fmin((double)bound, least_bound(&q->d->frontier)));
        return 0;
    }
    return q->d->kernels->step(&s->shapes.search, e, below, &q->report->stats);
}

/// Goes down to two packets that are near, so that a limit and a direction are known early.
static void descend(gz_near_query *q, gz_frontier_search *s, gz_near_entry e) {
    gz_near_entry below[GZ_WIDTH];
    for (int count = 1; count > 0;) {
        count = step(q, s, e, gz_near_bound(&s->shapes.search, e.square), below);
        for (int i = 0; i < count - 1; i++) push(q, s, below[i]);
        if (count > 0) e = below[count - 1];
    }
}

bool gz_frontier_join(gz_near_query *q, const gz_near_place *here, const gz_placed *a,
                      const gz_placed *b) {
    gz_frontier *f = &q->d->frontier;
    if (f->search_count == GZ_FRONTIER_SEARCHES || (!a->shape->mesh && !b->shape->mesh) ||
        !gz_work_take(&q->left, GZ_WORK_PAIR))
        return false;
    gz_frontier_search *s = &f->searches[f->search_count++];
    s->query = q;
    s->here = *here;
    s->shapes.a = *a;
    s->shapes.b = *b;
    s->shapes.nearest = &q->nearest;
    s->shapes.begin = begin;
    s->shapes.took = took;
    s->shapes.user = s;
    begin(&s->shapes);
    gz_shape_search_start(&s->shapes, &f->candidates, &q->left);
    q->report->stats.geometry_pairs++;
    const gz_near_entry root = q->d->kernels->begin(&s->shapes.search);
    if (s->shapes.search.hull.stage)
        push(q, s, root);
    else
        descend(q, s, root);
    return true;
}

void gz_frontier_run(gz_near_query *q, double until) {
    gz_frontier *f = &q->d->frontier;
    for (int bucket; (bucket = least_bucket(f)) >= 0 && !(q->nearest.unseen < INFINITY);) {
        if ((double)f->entries[f->first[bucket]].bound > until) return;
        const gz_frontier_entry top = take_from(f, bucket);
        if (top.bound > f->candidates.limit) continue;
        gz_frontier_search *s = &f->searches[top.search];
        gz_near_entry below[GZ_WIDTH];
        for (int i = step(q, s, top.entry, top.bound, below); i-- > 0;) push(q, s, below[i]);
    }
}

void gz_frontier_start(gz_near_query *q) {
    gz_frontier *f = &q->d->frontier;
    f->search_count = 0;
    memset(f->used, 0, sizeof f->used);
    f->unused = -1;
    f->fresh = 0;
    gz_candidates_start(&f->candidates, &q->nearest);
}

double gz_frontier_limit(const gz_near_query *q) {
    return fmin((double)q->d->frontier.candidates.limit, gz_nearest_limit(&q->nearest));
}

void gz_frontier_finish(gz_near_query *q) {
    gz_frontier *f = &q->d->frontier;
    q->d->kernels->finish(&f->candidates, &q->report->stats);
}
