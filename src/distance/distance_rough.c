// A rough least distance of the robot's links from each other, by the float filter's poses. The
// nearest pair is sought best first: by the links' spheres; then, as long as a pair is the least,
// by the gap of its hulls, an estimate from their support points. Of the pairs whose hulls are
// nearest points are measured where the hulls are, which gives an upper bound. Last, a gap of the
// hulls proves each pair farther apart than is wanted of the lower bound. The trees of a pair are
// searched of which that is not so, as its hulls overlap, or its surfaces are not where the hulls
// are nearest. The points are evaluated in double where they are wanted.
#include <math.h>
#include <string.h>

#include "check/filters.h"
#include "distance/distance_internal.h"
#include "math/rounding.h"

/// Up to which share the gap of hulls is found.
#define ROUGH_SHARE 0.05f

typedef enum rough_stage {
    ROUGH_NEAR,     ///< the search between its hulls has not ended
    ROUGH_FOUND,    ///< it has
    ROUGH_MEASURED, ///< points where they are nearest have been measured
    ROUGH_OPEN,     ///< they are too near to each other, or there are none
} rough_stage;

/// A pair whose spheres are near.
struct gz_rough_pair {
    gz_hull_search hulls;
    int32_t own;   ///< of the filter's pairs
    bool posed;    ///< in double
    bool searched; ///< its trees have been
    rough_stage stage;
    float gap;   ///< of its hulls, about; 0: they overlap, or there are none
    float bound; ///< by its spheres
};

typedef struct rough_search {
    gz_near_query *query;
    const gz_filter_model *model;
    const double *root;
    gz_rough_lists *lists;
    size_t count; ///< of pairs
    float limit;  ///< what is farther apart is not wanted
    float upper;  ///< an upper bound by points that are known in float; INFINITY: there are none
    gz_rough_pair *nearest; ///< the pair of these; NULL where they are evaluated, or there are none
    uint32_t triangle[2];   ///< and their triangles
} rough_search;

void gz_rough_lay_out(graze_distance_workspace *d, gz_arena *arena) {
    const size_t rows = d->checker->filter ? d->checker->filter->row_count : 0;
    gz_rough_lists *l = &d->rough;
    l->keys = gz_arena_array(arena, rows * GZ_LANES, sizeof *l->keys);
    l->least = gz_arena_array(arena, rows ? rows + GZ_LANES : 0, sizeof *l->least);
    l->slots = gz_arena_array(arena, rows * GZ_LANES, sizeof *l->slots);
    l->pairs = gz_arena_array(arena, rows ? GZ_ROUGH_PAIRS : 0, sizeof *l->pairs);
}

static inline float smaller(float a, float b) {
    return b < a ? b : a;
}

// ------------------------------------------------------------------------------------------ pairs

/// Sets the limit by what has been found.
static void set_limit(rough_search *s) {
    const gz_nearest *n = &s->query->nearest;
    const double limit = fmin((double)s->upper * n->shrink - n->slack, gz_nearest_limit(n));
    s->limit = (float)(fmax(limit, 0) * GZ_ROUND_UP_TO_FLOAT);
}

/// Adds the pair of a key, and begins the search between its hulls, from middle to middle.
static gz_rough_pair *add_pair(rough_search *s, size_t at) {
    const int32_t own = s->model->rows[at / GZ_LANES].pair[at % GZ_LANES];
    const gz_filter_pair *p = &s->model->pairs[own];
    gz_rough_pair *out = &s->lists->pairs[s->count++];
    s->query->report->stats.link_pairs++;
    out->own = own;
    out->posed = false;
    out->stage = p->has_proxies ? ROUGH_NEAR : ROUGH_OPEN;
    out->gap = 0;
    out->bound = s->lists->keys[at];
    if (!p->has_proxies) return out;
    gz_proxy_pair meshes;
    float way[3];
    s->model->filters->place(s->model, p, s->query->d->ws->query, &meshes);
    const float *a = meshes.a->proxy->center, *b = meshes.b->proxy->center;
    for (int k = 0; k < 3; k++) {
        const float *r = meshes.r[k];
        way[k] = ((r[0] * a[0] + r[1] * a[1]) + r[2] * a[2]) + meshes.t[k] - b[k];
    }
    gz_hull_begin(&out->hulls, meshes.a, meshes.b, (const float(*)[3])meshes.r, meshes.t,
                  meshes.pad, way);
    return out;
}

/// Poses a pair in double.
static gz_near_pair pose_pair(const rough_search *s, gz_rough_pair *pair) {
    const graze_distance_workspace *d = s->query->d;
    const int32_t index = s->model->pairs[pair->own].pair;
    const gz_check_pair *links = &d->checker->pairs[index];
    if (!pair->posed) {
        gz_workspace_want(d->ws, links->a);
        gz_workspace_want(d->ws, links->b);
        gz_workspace_pose_wanted(d->ws, s->query->q, s->root);
    }
    pair->posed = true;
    return (gz_near_pair){.pair = index, .link = links->a, .other = links->b, .fixed = -1};
}

/// Measures points where the hulls of a pair are nearest.
static void measure_pair(rough_search *s, gz_rough_pair *pair) {
    const gz_near_query *q = s->query;
    const float enough = pair->gap / (float)q->nearest.shrink;
    uint32_t triangle[2];
    const float upper = q->d->kernels->hull_upper(&pair->hulls, enough, triangle);
    q->report->stats.triangle_tests++;
    if (!(upper < s->upper) || (double)upper > q->nearest.upper) return;
    s->upper = upper;
    s->nearest = pair;
    memcpy(s->triangle, triangle, sizeof triangle);
    set_limit(s);
}

/// Evaluates the nearest points in double.
static void evaluate_nearest(rough_search *s) {
    gz_near_query *q = s->query;
    if (!s->nearest) return;
    const gz_near_place here = {.pair = pose_pair(s, s->nearest), .found = true};
    const gz_placed a = gz_near_element(q->d, here.pair.link, 0),
                    b = gz_near_element(q->d, here.pair.other, 0);
    gz_near_begin(&here, &q->place, &q->nearest);
    gz_shapes_evaluate(&a, &b, s->triangle[0], s->triangle[1], &q->nearest);
    if (q->nearest.found) q->place = here;
    s->nearest = NULL;
    set_limit(s);
}

/// Finds out more about a pair until it is beyond the nearest of the others, or the limit.
static void refine_pair(rough_search *s, gz_rough_pair *pair, float next) {
    float most = smaller(s->limit, next);
    while (pair->stage != ROUGH_OPEN) {
        if (pair->stage == ROUGH_NEAR) {
            pair->gap = s->query->d->kernels->hull_gap(&pair->hulls, most, ROUGH_SHARE);
            if (pair->gap > most) return;
        } else if (pair->stage == ROUGH_FOUND) {
            measure_pair(s, pair);
            most = smaller(s->limit, next);
        }
        pair->stage = pair->gap > 0 ? pair->stage + 1 : ROUGH_OPEN;
        if (pair->gap > most) return;
    }
}

/// Finds out more about the pair of a key, the least but for `next`. False where there is no space.
static bool visit(rough_search *s, size_t at, float next) {
    gz_rough_lists *l = s->lists;
    const int8_t slot = l->slots[at];
    if (slot < 0 && s->count == GZ_ROUGH_PAIRS) return false;
    gz_rough_pair *pair = slot < 0 ? add_pair(s, at) : &l->pairs[slot];
    l->slots[at] = (int8_t)(pair - l->pairs);
    refine_pair(s, pair, next);
    l->keys[at] = pair->stage == ROUGH_OPEN ? INFINITY : pair->gap;
    return true;
}

static void search_trees(rough_search *s, gz_rough_pair *pair) {
    gz_near_query *q = s->query;
    evaluate_nearest(s);
    const gz_near_pair links = pose_pair(s, pair);
    q->nearest.trees_only = true;
    gz_near_visit(q, &links, &q->place, &q->nearest);
    q->nearest.trees_only = false;
    set_limit(s);
}

/// Proves a pair of hulls farther apart than wanted, once points of it may have been measured.
static bool prove(rough_search *s, gz_rough_pair *pair) {
    const gz_distance_kernels *kernels = s->query->d->kernels;
    const float limit = s->limit;
    if (pair->bound > limit || kernels->hulls_apart(&pair->hulls, limit)) return true;
    if (pair->stage >= ROUGH_MEASURED || !(pair->hulls.beyond > 0)) return false;
    measure_pair(s, pair);
    return s->limit < limit && kernels->hulls_apart(&pair->hulls, s->limit);
}

/// Searches the trees of the pairs whose hulls are too near, and then of those that are not proved.
static void finish(rough_search *s) {
    gz_rough_pair *pairs = s->lists->pairs;
    for (size_t i = 0; i < s->count; i++) {
        pairs[i].searched = !(pairs[i].gap > s->limit);
        if (pairs[i].searched) search_trees(s, &pairs[i]);
    }
    for (size_t i = 0; i < s->count; i++)
        if (!pairs[i].searched && !prove(s, &pairs[i])) search_trees(s, &pairs[i]);
}

/// Of the pairs that no joint moves, the nearest.
static void begin_with_fixed(rough_search *s) {
    gz_near_query *q = s->query;
    const graze_distance_workspace *d = q->d;
    const gz_fixed_pair *nearest = NULL;
    for (size_t i = 0; i < d->fixed_count; i++)
        if (!nearest || d->fixed[i].nearest.upper < nearest->nearest.upper) nearest = &d->fixed[i];
    if (!nearest) return;
    gz_workspace_want(d->ws, nearest->place.pair.link);
    gz_workspace_pose_wanted(d->ws, q->q, s->root);
    gz_near_visit(q, &nearest->place.pair, &q->place, &q->nearest);
}

/// Evaluates the nearest points where they are wanted, else takes their bound.
static void end_search(rough_search *s) {
    gz_near_query *q = s->query;
    gz_nearest *n = &q->nearest;
    if (q->report->capacity && q->report->pairs) evaluate_nearest(s);
    if (!s->nearest) return;
    const int32_t pair = s->model->pairs[s->nearest->own].pair;
    const gz_check_pair *links = &q->d->checker->pairs[pair];
    q->place = (gz_near_place){
        .pair = {.pair = pair, .link = links->a, .other = links->b, .fixed = -1}, .found = true};
    n->any = true;
    n->upper = (double)s->upper;
    for (int k = 0; k < 2; k++) n->triangle[k] = s->triangle[k];
}

/// Whether a query is about that.
static bool covers(const gz_near_query *q) {
    const graze_checker *c = q->d->checker;
    return q->options->answer == GRAZE_DISTANCE_BOUND && !q->options->budget &&
           !(q->nearest.tie > 0) && c->filter && c->filter->row_count && !c->options.no_self;
}

bool gz_near_search_roughly(gz_near_query *q, const double root[12]) {
    const graze_checker *c = q->d->checker;
    if (!covers(q)) return false;
    gz_rough_lists *l = &q->d->rough;
    rough_search s = {.query = q, .model = c->filter, .root = root, .lists = l, .upper = INFINITY};
    begin_with_fixed(&s);
    set_limit(&s);
    const gz_filter_kernels *filters = c->filter->filters;
    const size_t rows = c->filter->row_count;
    filters->bounds(c->filter, q->d->ws->query, l->keys, l->least);
    memset(l->slots, -1, rows * GZ_LANES);
    for (size_t at = 0;;) {
        const float next = filters->least(l->keys, l->least, rows, &at);
        if (!(l->keys[at] < INFINITY) || l->keys[at] > s.limit) break;
        if (!visit(&s, at, next)) return false;
    }
    finish(&s);
    end_search(&s);
    return true;
}
