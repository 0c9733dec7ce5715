// Tables of the distances of pairs, by branch and bound as in matrix_proof.c: the distance in the
// middle of a box of cells, less how far the pair can come nearer inside it, is a lower bound in
// all of them. A box whose bound is much below the distance is cut in halves along each column,
// down to single cells.
//
// gz_matrix_box_margin() is that loss. It holds 2 epsilon: the real distance in the middle is no
// less than that of the snapped shapes less epsilon, and once more lies in reserve. Each box is
// wider than its cells by GZ_PAIR_TABLE_TOLERANCE on each side, which covers how cells are found.
#include "graze/tables.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/worker.h"
#include "check/margin.h"
#include "distance/distance_internal.h"
#include "kinematics/forward_kinematics.h"
#include "matrix/matrix_internal.h"

static graze_tabulate_options default_options(void) {
    return (graze_tabulate_options){.threads = 1, .cells = 64};
}

GZ_OPTIONS_INIT(graze_tabulate_options, default_options)

/// A bound that is this part of the distance in the middle, or more, is good enough.
#define GOOD_SHARE 0.75

/// Places along each column at which a pair is tried for whether it needs a table, and how many of
/// 64 must leave its boxes in doubt.
enum { TRIED = 8, IN_DOUBT = 8 };

/// A table of which fewer than one cell of so many knows anything is dropped.
enum { KNOWN_LEAST = 16 };

/// A pair and the table that is made of it, where it needs one.
typedef struct job_item {
    int32_t pair; ///< of the checker
    bool kept;    ///< the table knows enough
    gz_pair_table table;
} job_item;

typedef struct tabulation {
    const graze_checker *checker;
    int32_t cells;
    job_item *items;
    size_t count;
} tabulation;

/// What one thread works with.
typedef struct desk {
    gz_matrix_scratch scratch;
    graze_distance_workspace *distance;
    int32_t index; ///< of the pair, among the checker's
    gz_matrix_pair pair;
} desk;

// --------------------------------------------------------------------------------------- one pair

/// A box of cells: from `first` on, so many along each column.
typedef struct cell_box {
    int32_t first[2], count[2];
} cell_box;

/// Poses the pair in the middle of a box; `half` gets half the edges of what is to be proved.
static void pose_box(desk *d, const gz_pair_table *t, const cell_box *box, double half[2]) {
    double middle[2];
    for (int k = 0; k < d->pair.variable_count; k++) {
        double cell = (t->high[k] - t->low[k]) / t->counts[k];
        double most = fmax(fabs(t->low[k]), fabs(t->high[k]));
        middle[k] = t->low[k] + cell * (box->first[k] + 0.5 * box->count[k]);
        half[k] = 0.5 * cell * box->count[k] + GZ_PAIR_TABLE_TOLERANCE * most;
    }
    gz_matrix_pair_pose(&d->scratch, &d->pair, middle);
}

/// A lower bound, metres, of the distance of the pair's snapped shapes as posed, or of `most`.
static double measure(desk *d, double most) {
    const graze_distance_options options = graze_distance_options_default();
    graze_distance_report report = {0};
    graze_workspace *own = d->distance->ws;
    gz_near_query query = {
        .d = d->distance, .options = &options, .report = &report, .left = UINT64_MAX};
    gz_nearest_start(&query.nearest, most);
    d->distance->ws = d->scratch.ws; // where the pair is posed
    const gz_near_pair pair = gz_near_links(d->distance, d->index, NULL);
    graze_proximity nearest;
    double lower = most;
    if (gz_near_measure(&query, &pair, most, &nearest)) lower = nearest.distance.lower;
    d->distance->ws = own;
    return lower;
}

static void raise_cells(gz_pair_table *t, const cell_box *box, double bound) {
    double units = floor(fmin(bound / GZ_PAIR_TABLE_UNIT, UINT16_MAX));
    if (!(units >= 1)) return;
    uint16_t value = (uint16_t)units;
    for (int32_t i = 0; i < box->count[0]; i++) {
        uint16_t *row = t->cells + (box->first[0] + i) * t->counts[1] + box->first[1];
        for (int32_t j = 0; j < box->count[1]; j++)
            if (row[j] < value) row[j] = value;
    }
}

/// Whether a box's bound, which its cells get, is good enough, or the box is a single cell.
static bool decide_box(desk *d, gz_pair_table *t, const cell_box *box) {
    const double most = GZ_PAIR_TABLE_UNIT * UINT16_MAX;
    double half[2], shares[2], lower = 0, bound = 0;
    pose_box(d, t, box, half);
    if (d->scratch.inside) {
        double loss = gz_matrix_box_margin(&d->scratch, &d->pair, half, shares);
        lower = measure(d, most + loss);
        bound = (lower - loss) * (1 - 0x1p-40);
    }
    raise_cells(t, box, bound);
    bool single = box->count[0] == 1 && box->count[1] == 1;
    return single || bound >= fmin(GOOD_SHARE * lower, most);
}

/// The cells of a box, which is cut in two along each column of more than one cell, level by level.
static void fill_box(desk *d, gz_pair_table *t, const cell_box *box) {
    if (decide_box(d, t, box)) return;
    cell_box child = *box;
    for (int k = 0; k < 2; k++)
        if (box->count[k] > 1) child.count[k] = box->count[k] / 2;
    for (int i = 0; i < box->count[0]; i += child.count[0])
        for (int j = 0; j < box->count[1]; j += child.count[1]) {
            child.first[0] = box->first[0] + i;
            child.first[1] = box->first[1] + j;
            fill_box(d, t, &child);
        }
}

/// Whether the bounding boxes leave the pair in doubt as posed.
static bool is_in_doubt(const desk *d) {
    graze_workspace *ws = d->scratch.ws;
    const graze_robot *r = d->scratch.checker->robot;
    int32_t a = d->pair.a, b = d->pair.b;
    return !gz_links_apart(ws, a, b, 0) &&
           !gz_obb_apart(gz_workspace_box(ws, a), gz_workspace_box(ws, b),
                         r->links[a].skew + r->links[b].skew, 0);
}

static bool needs_table(desk *d, const gz_pair_table *t) {
    const int32_t steps[2] = {t->columns[1] < 0 ? TRIED * TRIED : TRIED, TRIED};
    int doubts = 0;
    for (int i = 0; i < TRIED * TRIED; i++) {
        double x[2];
        const int32_t at[2] = {t->columns[1] < 0 ? i : i / TRIED, i % TRIED};
        for (int k = 0; k < 2; k++)
            x[k] = t->low[k] + (t->high[k] - t->low[k]) * (at[k] + 0.5) / steps[k];
        gz_matrix_pair_pose(&d->scratch, &d->pair, x);
        doubts += is_in_doubt(d);
    }
    return doubts >= IN_DOUBT;
}

/// The frame of a table; false for a pair that can have none.
static bool frame_table(const tabulation *t, const desk *d, gz_pair_table *out) {
    const gz_matrix_pair *p = &d->pair;
    const graze_robot *r = t->checker->robot;
    *out = (gz_pair_table){.a = p->a, .b = p->b, .columns = {-1, -1}, .counts = {1, 1}};
    if (p->variable_count < 1 || p->variable_count > 2 || !gz_matrix_proof_possible(&d->scratch, p))
        return false;
    for (int32_t k = 0; k < p->variable_count; k++) {
        const gz_matrix_variable *v = &p->variables[k];
        out->columns[k] = v->column;
        out->counts[k] = p->variable_count == 1 ? 4 * t->cells : t->cells;
        out->low[k] = v->low;
        out->high[k] = v->high;
        out->rounds[k] = r->column_kinds[v->column] == GRAZE_Q_CIRCLE &&
                         gz_matrix_comes_round(p, k) && v->high - v->low >= 2 * M_PI;
        if (!(v->low < v->high)) return false;
    }
    return true;
}

/// False when out of memory.
static bool tabulate_pair(const tabulation *t, desk *d, job_item *item) {
    gz_pair_table *table = &item->table;
    if (!frame_table(t, d, table) || !needs_table(d, table)) return true;
    table->cell_count = (size_t)table->counts[0] * (size_t)table->counts[1];
    table->cells = gz_calloc(table->cell_count, sizeof *table->cells);
    if (!table->cells) return false;
    fill_box(d, table, &(cell_box){{0, 0}, {table->counts[0], table->counts[1]}});
    item->kept = gz_pair_table_known(table) >= table->cell_count / KNOWN_LEAST;
    return true;
}

// ------------------------------------------------------------------------------------ all of them

static void destroy_desk(void *workspace) {
    desk *d = workspace;
    gz_matrix_scratch_free(&d->scratch);
    graze_distance_workspace_free(d->distance);
    gz_free(d);
}

static graze_status create_desk(void **workspace, void *user, graze_error *error) {
    const tabulation *t = user;
    desk *d = gz_calloc(1, sizeof *d);
    if (!d) return gz_fail_memory(error);
    graze_status status = gz_matrix_scratch_make(&d->scratch, t->checker, error);
    if (!status) status = graze_distance_workspace_create(&d->distance, t->checker, error);
    // As of a matrix: ranges of joints are cut to what graze_check() takes.
    if (!status)
        status = gz_pose_check(t->checker->robot, d->scratch.rest, t->checker->robot->column_count,
                               error);
    if (status)
        destroy_desk(d);
    else
        *workspace = d;
    return status;
}

static graze_status run_item(void *user, void *workspace, size_t index, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    tabulation *t = user;
    desk *d = workspace;
    job_item *item = &t->items[index];
    const gz_check_pair *p = &t->checker->pairs[item->pair];
    d->index = item->pair;
    bool ok = gz_matrix_pair_make(&d->pair, t->checker->robot, d->scratch.rest, p->a, p->b) &&
              tabulate_pair(t, d, item);
    gz_matrix_pair_free(&d->pair);
    return ok ? GRAZE_OK : gz_fail_memory(error);
}

/// The pairs that joints move, and no attached body is of.
static bool list_items(tabulation *t) {
    const graze_checker *c = t->checker;
    t->items = gz_calloc(c->pair_count, sizeof *t->items);
    for (size_t i = 0; t->items && i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        const gz_link *links = c->robot->links;
        if (!p->fixed && !links[p->a].is_attached && !links[p->b].is_attached)
            t->items[t->count++].pair = (int32_t)i;
    }
    return t->items != NULL;
}

/// Moves the tables that came of it into a copy of the robot.
static graze_status take_tables(tabulation *t, graze_robot **out, const graze_robot *robot,
                                graze_error *error) {
    graze_robot from = *robot;
    from.tables = NULL;
    from.table_count = 0;
    graze_robot *r = gz_robot_copy(&from);
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) count += t->items[i].kept;
    gz_pair_table *tables = gz_calloc(count, sizeof *tables);
    if (!r || !tables) {
        graze_robot_free(r);
        gz_free(tables);
        return gz_fail_memory(error);
    }
    gz_free(r->tables); // an empty array
    r->tables = tables;
    for (size_t i = 0; i < t->count; i++) {
        job_item *item = &t->items[i];
        if (!item->kept) continue;
        r->tables[r->table_count++] = item->table;
        item->table.cells = NULL;
    }
    *out = r;
    return GRAZE_OK;
}

static graze_status tabulate(tabulation *t, graze_robot **out, const graze_robot *robot,
                             const graze_tabulate_options *o, graze_error *error) {
    if (!list_items(t)) return gz_fail_memory(error);
    const gz_batch_job job = {.count = t->count,
                              .threads = o->threads,
                              .turn = 1,
                              .cancel = o->cancel,
                              .item = "pair",
                              .user = t,
                              .create = create_desk,
                              .destroy = destroy_desk,
                              .run = run_item};
    GZ_TRY(gz_batch_job_run(&job, error));
    return take_tables(t, out, robot, error);
}

graze_status graze_robot_tabulate(graze_robot **out, const graze_robot *robot,
                                  const graze_tabulate_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_tabulate_options o;
    GZ_TRY(GZ_OPTIONS_READ(graze_tabulate_options, &o, options, error));
    if (o.cells < 2 || o.cells > 256 || (o.cells & (o.cells - 1)))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "cells is %u; allowed: a power of two from 2 to 256", (unsigned)o.cells);
    graze_checker_options rules = graze_checker_options_default();
    rules.ignore_srdf_margins = 1;
    graze_checker *checker;
    GZ_TRY(graze_checker_create(&checker, robot, NULL, &rules, error));
    tabulation t = {.checker = checker, .cells = (int32_t)o.cells};
    graze_status status = tabulate(&t, out, robot, &o, error);
    for (size_t i = 0; i < t.count; i++) gz_free(t.items[i].table.cells);
    gz_free(t.items);
    graze_checker_free(checker);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
