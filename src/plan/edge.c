// Edges: whether the straight motion between two states is free, by samples or by proof.

#include "plan/plan_internal.h"

#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "graze/control.h"

/// One thread checks point by point, as the order of the points is likely to find a collision
/// early, and reads the clock every so many of them. Several are given GZ_EDGE_BATCH at a time. The
/// counters do not depend on it: they count up to the first collision.
enum { POINTS_A_TIME = 8 };

double gz_monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool gz_budget_spent(gz_budget *budget) {
    if (gz_is_cancelled(budget->cancel)) budget->cancelled = true;
    if (!budget->unlimited && gz_monotonic_seconds() - budget->start >= budget->max_seconds)
        budget->spent = true;
    return budget->cancelled || (budget->spent && !budget->unlimited);
}

graze_status gz_edges_make(gz_edges *edges, const graze_checker *checker,
                           const gz_plan_space *space, uint32_t threads, bool certify,
                           gz_budget *budget, graze_error *error) {
    *edges = (gz_edges){
        .checker = checker, .space = space, .threads = threads, .budget = budget, .error = error};
    edges->q = gz_malloc(GZ_EDGE_BATCH * space->q_size + space->dimension, sizeof(double));
    if (!edges->q) return gz_fail_memory(error);
    edges->state = edges->q + GZ_EDGE_BATCH * space->q_size;
    graze_status status = graze_workspace_create(&edges->workspace, checker, error);
    if (status == GRAZE_OK) status = graze_workspace_set_coherent(edges->workspace, 1, error);
    if (status == GRAZE_OK && certify) {
        status = graze_motion_workspace_create(&edges->motions, checker, error);
        if (status == GRAZE_ERROR_UNSUPPORTED) status = GRAZE_OK;
    }
    if (status) gz_edges_free(edges);
    return status;
}

void gz_edges_free(gz_edges *edges) {
    graze_workspace_free(edges->workspace);
    graze_motion_workspace_free(edges->motions);
    gz_free(edges->q);
    *edges = (gz_edges){0};
}

/// Checks one row after the other, up to the first that collides or cannot be checked.
static graze_status check_in_order(gz_edges *edges, size_t count, size_t *first) {
    size_t n = edges->space->q_size;
    for (size_t i = 0; i < count && *first == count; i++) {
        graze_report report = {0};
        GZ_TRY(graze_check(edges->checker, edges->workspace, GRAZE_ANSWER_ANY, edges->q + i * n, n,
                           edges->base + i * 6, &report, edges->error));
        if (report.verdict != GRAZE_FREE) *first = i;
    }
    return GRAZE_OK;
}

/// Checks the first `count` rows: the index of the first collision, or count. With any number of
/// threads: rows after the first collision do not count as checked.
static graze_status check_rows(gz_edges *edges, size_t count, size_t *first) {
    *first = count;
    graze_batch batch = graze_batch_default();
    batch.threads = edges->threads;
    batch.count = count;
    batch.q = edges->q;
    batch.base = edges->base;
    batch.verdicts = edges->verdicts;
    // A batch fails by any of its rows, and one that stands behind a collision must not count.
    if (graze_check_batch(edges->checker, &batch, NULL) != GRAZE_OK)
        return check_in_order(edges, count, first);
    for (size_t i = count; i-- > 0;)
        if (edges->verdicts[i] != GRAZE_FREE) *first = i;
    return GRAZE_OK;
}

/// The order of the points of an edge: its unknown ends, then the interior ones from coarse to
/// fine, by van der Corput's sequence (1935): the bits of a counter reversed.
typedef struct point_order {
    uint64_t steps;   ///< points 0 .. steps, the ends included
    uint64_t counter; ///< next value to be reversed; 0 while ends may be left
    unsigned bits;    ///< 2^bits >= steps
    unsigned ends;    ///< gz_edge_ends left
    uint64_t left;    ///< interior points that are wanted
} point_order;

static uint64_t reversed(uint64_t value, unsigned bits) {
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++, value >>= 1) result = (result << 1) | (value & 1);
    return result;
}

static bool next_point(point_order *order, uint64_t *point) {
    if (order->ends) {
        bool to = order->ends & GZ_EDGE_TO;
        order->ends &= to ? ~(unsigned)GZ_EDGE_TO : ~(unsigned)GZ_EDGE_FROM;
        *point = to ? order->steps : 0;
        return true;
    }
    if (!order->left) return false;
    // The reversed counter takes every value below 2^bits once; those past the edge are skipped.
    while (++order->counter < UINT64_C(1) << order->bits) {
        *point = reversed(order->counter, order->bits);
        if (*point >= order->steps) continue;
        order->left--;
        return true;
    }
    return false;
}

/// The points of one part of an edge of so many steps.
static point_order make_order(uint64_t steps, gz_edge_ends unknown, gz_edge_points points) {
    point_order order = {.steps = steps, .ends = unknown, .left = UINT64_MAX};
    while (order.bits < 63 && UINT64_C(1) << order.bits < steps) order.bits++;
    if (points == GZ_EDGE_WHOLE) return order;
    uint64_t first = steps / 8 < 3 ? 3 : steps / 8, skipped;
    if (points == GZ_EDGE_FIRST)
        order.left = first;
    else
        while (first-- && next_point(&order, &skipped)) continue;
    return order;
}

static graze_status prove(gz_edges *edges, const double *from, const double *to,
                          const graze_motion_options *options, graze_motion_report *report) {
    const gz_plan_space *space = edges->space;
    double *q[2] = {edges->q, edges->q + space->q_size};
    double *base[2] = {edges->base, edges->base + 6};
    gz_plan_space_write(space, from, q[0], base[0]);
    gz_plan_space_write(space, to, q[1], base[1]);
    *report = (graze_motion_report){0};
    edges->proved++;
    edges->status = graze_check_motion(edges->checker, edges->motions, q[0], q[1], space->q_size,
                                       base[0], base[1], options, report, edges->error);
    edges->configurations += report->configurations;
    // Outside the checker's domain samples are checked at margin 0, but nothing is proved.
    edges->beyond = edges->status == GRAZE_ERROR_RANGE;
    if (edges->beyond) {
        gz_error_clear(edges->error);
        edges->status = GRAZE_OK;
    }
    return edges->status;
}

gz_edge_verdict gz_edge_prove(gz_edges *edges, const double *from, const double *to) {
    graze_motion_report report;
    if (prove(edges, from, to, NULL, &report)) return GZ_EDGE_FAILED;
    if (report.verdict != GRAZE_MOTION_FREE) return GZ_EDGE_BLOCKED;
    return gz_budget_spent(edges->budget) ? GZ_EDGE_STOPPED : GZ_EDGE_FREE;
}

graze_status gz_edge_is_tight(gz_edges *edges, const double *from, const double *to, bool *tight) {
    graze_motion_report report;
    graze_motion_options options = graze_motion_options_default();
    options.answer = GRAZE_MOTION_FIRST;
    options.width = 1e-9;
    GZ_TRY(prove(edges, from, to, &options, &report));
    *tight = report.verdict != GRAZE_MOTION_FREE && !(report.earliest > options.width);
    return GRAZE_OK;
}

/// Writes a point of an edge as row `row` of the batch.
static void write_point(gz_edges *edges, const double *from, const double *to, double t,
                        size_t row) {
    gz_plan_space_interpolate(edges->space, from, to, t, edges->state);
    gz_plan_space_write(edges->space, edges->state, edges->q + row * edges->space->q_size,
                        edges->base + row * 6);
}

/// Checks the points of an edge one after the other, on this thread. As in batches, points before
/// an error do not count.
static gz_edge_verdict check_points(gz_edges *edges, const double *from, const double *to,
                                    point_order *order) {
    uint64_t point;
    size_t count = 0, first = 1;
    while (first && next_point(order, &point)) {
        if (count == GZ_EDGE_BATCH) {
            edges->configurations += count;
            count = 0;
        }
        if (count % POINTS_A_TIME == 0 && gz_budget_spent(edges->budget)) return GZ_EDGE_STOPPED;
        write_point(edges, from, to, (double)point / (double)order->steps, 0);
        edges->status = check_in_order(edges, 1, &first);
        if (edges->status != GRAZE_OK) return GZ_EDGE_FAILED;
        count++;
    }
    edges->configurations += count;
    return first ? GZ_EDGE_FREE : GZ_EDGE_BLOCKED;
}

/// Checks the points of an edge in batches, on several threads.
static gz_edge_verdict check_batches(gz_edges *edges, const double *from, const double *to,
                                     point_order *order) {
    for (bool more = true; more;) {
        size_t count = 0, first;
        uint64_t point = 0;
        while (count < GZ_EDGE_BATCH && (more = next_point(order, &point)))
            write_point(edges, from, to, (double)point / (double)order->steps, count++);
        if (count == 0) break;
        edges->status = check_rows(edges, count, &first);
        if (edges->status != GRAZE_OK) return GZ_EDGE_FAILED;
        edges->configurations += first < count ? first + 1 : count;
        if (first < count) return GZ_EDGE_BLOCKED;
        if (gz_budget_spent(edges->budget)) return GZ_EDGE_STOPPED;
    }
    return GZ_EDGE_FREE;
}

gz_edge_verdict gz_edge_check_points(gz_edges *edges, const double *from, const double *to,
                                     gz_edge_ends unknown, double resolution,
                                     gz_edge_points points) {
    const gz_plan_space *space = edges->space;
    edges->checked += points != GZ_EDGE_REST;
    double distance = gz_plan_space_distance(space, from, to);
    uint64_t steps = gz_plan_space_steps(space, distance, resolution);
    point_order order = make_order(steps, unknown, points);
    gz_edge_verdict verdict = edges->threads == 1 ? check_points(edges, from, to, &order)
                                                  : check_batches(edges, from, to, &order);
    if (verdict != GZ_EDGE_FREE || points == GZ_EDGE_FIRST || !edges->proves) return verdict;
    return gz_edge_prove(edges, from, to);
}

gz_edge_verdict gz_edge_check(gz_edges *edges, const double *from, const double *to,
                              gz_edge_ends unknown, double resolution) {
    return gz_edge_check_points(edges, from, to, unknown, resolution, GZ_EDGE_WHOLE);
}
