// Level by level, from the largest boxes to single cells: a whole level at a time goes through the
// batch, so that threads share it evenly and the order in which boxes are checked, and with it
// what a budget allows, does not depend on them.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "cspace/cspace.h"

#define ROWS      8192 // configurations in memory at a time
#define LEVEL_MAX 6    // boxes begin with 2^6 cells a side
#define PROOFS    64   // boxes that a thread takes at a time

/// A box of 2^level cells a side, cut off at the map's edge.
typedef struct box {
    uint16_t x, y;
} box;

typedef struct box_list {
    box *items;
    size_t count, capacity;
} box_list;

typedef struct run {
    const graze_checker *checker;
    const graze_cspace *map;
    gz_cspace_grid grid;
    uint32_t threads;
    uint64_t decided; ///< cells
    graze_cspace_summary summary;
    uint64_t refused;    ///< cells whose middle cannot be checked
    graze_error refusal; ///< what stood against one of them
    double *q;           ///< ROWS rows
    uint8_t *verdicts;
    graze_contact *contacts;
    box *batch;       ///< the rows' boxes
    uint8_t *outside; ///< of columns, then of rows of cells: 1 outside the limits
    uint8_t *written; ///< of rows of cells: 1 where cells are written, undecided at first
    size_t batch_count;
    gz_motion_model motion;
    double *half; ///< of a box of the level, one per column
    gz_cspace_proof *proof;
    gz_cspace_caps caps;
    graze_transform *poses; ///< threads rows of links, for proofs
    graze_error *error;
} run;

static graze_cspace default_options(void) {
    return (graze_cspace){.threads = 1,
                          .columns = {0, 1},
                          .ranges = {{NAN, NAN}, {NAN, NAN}},
                          .width = 512,
                          .height = 512};
}

GZ_OPTIONS_INIT(graze_cspace, default_options)

static bool cancelled(const run *r) {
    return gz_is_cancelled(r->map->cancel);
}

static graze_cspace_cell *row_of(const run *r, uint32_t y) {
    return &r->map->cells[(size_t)y * r->map->width];
}

/// A cell to write; the others of its row are undecided where it is the first.
static graze_cspace_cell *cell_at(const run *r, uint32_t x, uint32_t y) {
    const graze_cspace_cell undecided = {.state = GRAZE_CSPACE_UNDECIDED, .link = -1, .other = -1};
    graze_cspace_cell *row = row_of(r, y);
    for (uint32_t i = 0; !r->written[y] && i < r->map->width; i++) row[i] = undecided;
    r->written[y] = 1;
    return &row[x];
}

static uint32_t cut(uint32_t from, uint32_t edge, uint32_t side) {
    return side - from < edge ? side - from : edge;
}

/// How many rows the budget still allows.
static size_t allowance(const run *r, size_t wanted) {
    if (r->map->budget == 0) return wanted;
    uint64_t left = r->map->budget - r->summary.checks;
    return left < wanted ? (size_t)left : wanted;
}

static void advance(run *r, uint64_t cells) {
    r->decided += cells;
    if (r->map->progress)
        r->map->progress(r->decided, (uint64_t)r->map->width * r->map->height, r->map->user);
}

/// Checks the middles of the boxes in the batch. Rows that fail, outside the domain of epsilon, are
/// GRAZE_UNKNOWN; only a lack of memory and a cancellation end the map.
static graze_status check_batch(run *r, const graze_checker *checker, uint32_t edge,
                                graze_answer answer) {
    for (size_t i = 0; i < r->batch_count; i++) {
        const box *b = &r->batch[i];
        gz_cspace_grid_place(&r->grid, b->x, b->y, cut(b->x, edge, r->map->width),
                             cut(b->y, edge, r->map->height), r->q + i * r->grid.q_size);
    }
    graze_batch batch = graze_batch_default();
    batch.threads = r->threads;
    batch.count = r->batch_count;
    batch.q = r->q;
    batch.base_common = r->map->base;
    batch.answer = answer;
    batch.verdicts = r->verdicts;
    batch.contacts = answer == GRAZE_ANSWER_FIRST ? r->contacts : NULL;
    batch.cancel = r->map->cancel;
    graze_error error;
    graze_status status = graze_check_batch(checker, &batch, &error);
    if (status == GRAZE_ERROR_RANGE) {
        r->refusal = error;
        // A row that fails hides from the batch's status that others were not done.
        return cancelled(r) ? gz_fail(r->error, GRAZE_ERROR_CANCELLED, "cancelled") : GRAZE_OK;
    }
    if (status && r->error) *r->error = error;
    return status;
}

// ---------------------------------------------------------------------------------------- middles

/// Writes the verdicts of the batch's cells; those that cannot be checked stay undecided.
static void write_verdicts(run *r, bool complete) {
    for (size_t i = 0; i < r->batch_count; i++) {
        graze_cspace_cell *cell = cell_at(r, r->batch[i].x, r->batch[i].y);
        if (r->verdicts[i] == GRAZE_FREE) cell->state = GRAZE_CSPACE_FREE;
        if (r->verdicts[i] == GRAZE_COLLISION) cell->state = GRAZE_CSPACE_COLLIDING;
        r->refused += complete && r->verdicts[i] == GRAZE_UNKNOWN;
    }
}

/// Writes the first colliding pairs of the batch's cells, all of which collide. One that was proved
/// with others, and whose own middle cannot be checked, has no pair that could be named: it is
/// undecided.
static void write_names(run *r, bool complete) {
    for (size_t i = 0; i < r->batch_count; i++) {
        graze_cspace_cell *cell = cell_at(r, r->batch[i].x, r->batch[i].y);
        if (complete && r->verdicts[i] == GRAZE_UNKNOWN) cell->state = GRAZE_CSPACE_UNDECIDED;
        if (r->verdicts[i] != GRAZE_COLLISION) continue;
        cell->kind = (uint8_t)r->contacts[i].kind;
        cell->link = r->contacts[i].link;
        cell->other = r->contacts[i].other;
    }
}

/// Checks the batch's middles within the budget, or names their pairs, and empties it.
static graze_status flush_cells(run *r, graze_answer answer) {
    bool names = answer == GRAZE_ANSWER_FIRST;
    if (!names) r->batch_count = allowance(r, r->batch_count);
    size_t count = r->batch_count;
    if (count == 0) return GRAZE_OK;
    graze_status status = check_batch(r, r->checker, 1, answer);
    if (status == GRAZE_OK || status == GRAZE_ERROR_CANCELLED) {
        if (names)
            write_names(r, status == GRAZE_OK);
        else
            write_verdicts(r, status == GRAZE_OK);
    }
    r->batch_count = 0;
    if (!names) r->summary.checks += count;
    advance(r, names ? 0 : count);
    return status;
}

/// Whether a cell is still to be checked in its middle, or to be named.
static bool is_open(const run *r, uint32_t x, uint32_t y, graze_answer answer) {
    if (!r->written[y]) return true;
    const graze_cspace_cell *cell = row_of(r, y) + x;
    if (answer == GRAZE_ANSWER_ANY) return cell->state == GRAZE_CSPACE_UNDECIDED;
    return cell->link < 0 && (cell->state == GRAZE_CSPACE_COLLIDING ||
                              cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED);
}

/// All verdicts first, eight configurations at a time where the batch can do so; the first pair is
/// looked up only where there is one.
static graze_status check_middles(run *r, graze_answer answer) {
    graze_status status = GRAZE_OK;
    size_t rows = answer == GRAZE_ANSWER_ANY ? allowance(r, ROWS) : ROWS;
    if (rows == 0) return GRAZE_OK;
    for (uint32_t y = 0; !status && y < r->map->height; y++) {
        if (answer == GRAZE_ANSWER_FIRST && !r->written[y]) continue;
        for (uint32_t x = 0; !status && x < r->map->width; x++) {
            if (!is_open(r, x, y, answer)) continue;
            r->batch[r->batch_count++] = (box){(uint16_t)x, (uint16_t)y};
            if (r->batch_count < rows) continue;
            status = flush_cells(r, answer);
            if (answer == GRAZE_ANSWER_ANY) rows = allowance(r, ROWS);
            if (rows == 0) return status; // the budget is spent
        }
    }
    return status ? status : flush_cells(r, answer);
}

// ------------------------------------------------------------------------------------------ proofs

static bool push(box_list *list, uint32_t x, uint32_t y) {
    if (!gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1,
                          sizeof *list->items))
        return false;
    list->items[list->count++] = (box){(uint16_t)x, (uint16_t)y};
    return true;
}

static void fill(run *r, const box *b, uint32_t edge, graze_cspace_state state) {
    uint32_t wide = cut(b->x, edge, r->map->width), high = cut(b->y, edge, r->map->height);
    for (uint32_t y = 0; y < high; y++)
        for (uint32_t x = 0; x < wide; x++) cell_at(r, b->x + x, b->y + y)->state = (uint8_t)state;
    r->summary.proofs++;
    r->decided += (uint64_t)wide * high;
}

typedef struct proof_work {
    run *run;
    atomic_size_t next;
} proof_work;

/// Turns the verdicts of boxes that collide at the level's margin into GRAZE_UNKNOWN unless all of
/// the box collides; so those of free ones where caps leave it open. What is unknown, outside the
/// domain of epsilon, stays so: the proofs rest on epsilon.
static void prove_boxes(void *user, uint32_t index) {
    GZ_FLOAT_ENVIRONMENT;
    proof_work *work = user;
    run *r = work->run;
    graze_transform *poses = r->poses + (size_t)index * (size_t)r->checker->robot->link_count;
    for (;;) {
        size_t first = atomic_fetch_add(&work->next, PROOFS);
        if (first >= r->batch_count) return;
        size_t end = first + PROOFS < r->batch_count ? first + PROOFS : r->batch_count;
        for (size_t i = first; i < end; i++) {
            const double *q = r->q + i * r->grid.q_size;
            if (r->verdicts[i] == GRAZE_FREE) {
                if (!gz_cspace_caps_clear(&r->caps, index, q, r->grid.q_size, r->map->base))
                    r->verdicts[i] = GRAZE_UNKNOWN;
                continue;
            }
            if (r->verdicts[i] != GRAZE_COLLISION) continue;
            graze_status posed = graze_robot_pose(r->checker->robot, q, r->grid.q_size,
                                                  r->map->base, poses, NULL);
            r->verdicts[i] = posed == GRAZE_OK && gz_cspace_proof_holds(r->proof, poses)
                                 ? GRAZE_COLLISION
                                 : GRAZE_UNKNOWN;
        }
    }
}

/// Writes what was proved; what was not goes on, four boxes for one.
static graze_status write_proofs(run *r, uint32_t edge, box_list *next) {
    for (size_t i = 0; i < r->batch_count; i++) {
        const box *b = &r->batch[i];
        if (r->verdicts[i] == GRAZE_FREE) {
            fill(r, b, edge, GRAZE_CSPACE_FREE_CERTIFIED);
        } else if (r->verdicts[i] == GRAZE_COLLISION) {
            fill(r, b, edge, GRAZE_CSPACE_COLLIDING_CERTIFIED);
        } else if (edge > 1) {
            uint32_t half = edge / 2;
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t x = b->x + k % 2 * half, y = b->y + k / 2 * half;
                if (x < r->map->width && y < r->map->height && !push(next, x, y))
                    return gz_fail_memory(r->error);
            }
        }
    }
    return GRAZE_OK;
}

/// One batch of boxes: free, colliding, or to be split.
static graze_status test_boxes(run *r, const graze_checker *level, uint32_t edge, box_list *next) {
    graze_status status = check_batch(r, level, edge, GRAZE_ANSWER_ANY);
    r->summary.checks += r->batch_count;
    r->summary.boxes += r->batch_count;
    // Outside the domain of epsilon nothing is proved, and the middles are checked in the end.
    if (status) return status;
    proof_work work = {.run = r};
    gz_thread_run(r->threads, prove_boxes, &work);
    status = write_proofs(r, edge, next);
    advance(r, 0);
    return status;
}

static graze_status test_level(run *r, const box_list *boxes, uint32_t edge, box_list *next) {
    for (int k = 0; k < 2; k++) r->half[r->map->columns[k]] = 0.5 * edge * r->grid.step[k];
    graze_checker *level = NULL;
    graze_status status = gz_cspace_level_make(&level, r->checker, &r->motion, r->half, r->error);
    if (!status) {
        gz_cspace_proof_bound(r->proof, r->half);
        gz_cspace_caps_bound(&r->caps, r->half);
    }
    for (size_t first = 0; !status && first < boxes->count;) {
        size_t count = boxes->count - first < ROWS ? boxes->count - first : ROWS;
        count = allowance(r, count);
        if (count == 0) break;
        memcpy(r->batch, boxes->items + first, count * sizeof *r->batch);
        r->batch_count = count;
        status = test_boxes(r, level, edge, next);
        first += count;
    }
    r->batch_count = 0;
    graze_checker_free(level);
    return status;
}

static graze_status prove_cells(run *r) {
    size_t links = (size_t)r->checker->robot->link_count;
    r->poses = gz_malloc(r->threads, links * sizeof *r->poses);
    r->half = gz_calloc(r->grid.q_size, sizeof *r->half);
    if (!r->poses || !r->half) return gz_fail_memory(r->error);
    graze_status status = gz_cspace_grid_motion(&r->grid, &r->motion, r->error);
    if (!status)
        status = gz_cspace_proof_make(&r->proof, r->checker, &r->motion, &r->grid, r->error);
    if (!status)
        status = gz_cspace_caps_make(&r->caps, r->checker, &r->motion, r->threads, r->error);
    box_list boxes = {0}, next = {0};
    for (uint32_t y = 0; !status && y < r->map->height; y += 1u << LEVEL_MAX)
        for (uint32_t x = 0; !status && x < r->map->width; x += 1u << LEVEL_MAX)
            if (!push(&boxes, x, y)) status = gz_fail_memory(r->error);
    for (int level = LEVEL_MAX; !status && level >= 0 && boxes.count; level--) {
        status = test_level(r, &boxes, 1u << level, &next);
        box_list done = boxes;
        boxes = next;
        next = done;
        next.count = 0;
    }
    gz_free(boxes.items);
    gz_free(next.items);
    return status;
}

// --------------------------------------------------------------------------------------- the whole

/// Writes the rows that are still to be written, where the caller wants all.
static void complete_cells(const run *r) {
    for (uint32_t y = 0; !r->map->rows && y < r->map->height; y++) cell_at(r, 0, y);
    if (r->map->rows) memcpy(r->map->rows, r->written, r->map->height);
}

/// Finds out which columns (side 0) and rows (1) of cells are outside the limits.
static void find_outside(const run *r) {
    for (uint32_t x = 0; x < r->map->width; x++) {
        gz_cspace_grid_place(&r->grid, x, 0, 1, 1, r->q);
        r->outside[x] = gz_cspace_grid_outside(&r->grid, 0, r->q);
    }
    for (uint32_t y = 0; y < r->map->height; y++) {
        gz_cspace_grid_place(&r->grid, 0, y, 1, 1, r->q);
        r->outside[r->map->width + y] = gz_cspace_grid_outside(&r->grid, 1, r->q);
    }
}

/// Marks what is outside the limits, and counts.
static void finish_cells(run *r) {
    graze_cspace_summary *s = &r->summary;
    uint64_t states[UINT8_MAX + 1] = {0};
    find_outside(r);
    const uint32_t width = r->map->width;
    uint64_t columns = 0;
    for (uint32_t x = 0; x < width; x++) columns += r->outside[x];
    for (uint32_t y = 0; y < r->map->height; y++) {
        const uint8_t outside = r->outside[width + y];
        s->outside += outside ? width : columns;
        if (!r->written[y]) states[GRAZE_CSPACE_UNDECIDED] += width;
        for (uint32_t x = 0; r->written[y] && x < width; x++) {
            graze_cspace_cell *cell = row_of(r, y) + x;
            cell->outside = r->outside[x] | outside;
            states[cell->state]++;
        }
    }
    s->free_cells = states[GRAZE_CSPACE_FREE];
    s->free_certified = states[GRAZE_CSPACE_FREE_CERTIFIED];
    s->colliding_cells = states[GRAZE_CSPACE_COLLIDING];
    s->colliding_certified = states[GRAZE_CSPACE_COLLIDING_CERTIFIED];
    s->undecided = states[GRAZE_CSPACE_UNDECIDED];
    for (int k = 0; k < 2; k++) {
        s->ranges[k][0] = r->grid.low[k];
        s->ranges[k][1] = r->grid.high[k];
    }
}

/// Poses the middle of the map once, so that what is wrong with q or the base is an error of its
/// own.
static graze_status check_posture(const run *r) {
    graze_workspace *workspace = NULL;
    graze_status status = graze_workspace_create(&workspace, r->checker, r->error);
    if (status) return status;
    status = gz_workspace_pose(workspace, r->grid.q, r->grid.q_size, r->map->base, r->error);
    graze_workspace_free(workspace);
    return status;
}

static graze_status check_arguments(const graze_checker *checker, const graze_cspace *map,
                                    graze_error *error) {
    if (!checker || !map) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or map is NULL");
    if (!map->cells) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "cells is NULL");
    if (!map->certified) return GRAZE_OK;
    if (checker->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "certified maps of bounding volumes are not supported; allowed: a checker "
                       "of GRAZE_LEVEL_MESH");
    if (!isfinite(checker->epsilon))
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "the robot has no epsilon, so nothing can be certified; allowed: origins "
                       "that are rotations");
    return GRAZE_OK;
}

static graze_status prepare(run *r) {
    graze_status status = gz_cspace_grid_make(&r->grid, r->checker->robot, r->map, r->error);
    if (status) return status;
    r->threads = r->map->threads ? r->map->threads : gz_thread_processors();
    if (r->threads > ROWS / PROOFS) r->threads = ROWS / PROOFS;
    r->q = gz_malloc(ROWS, r->grid.q_size * sizeof *r->q);
    r->verdicts = gz_malloc(ROWS, sizeof *r->verdicts);
    r->contacts = gz_malloc(ROWS, sizeof *r->contacts);
    r->batch = gz_malloc(ROWS, sizeof *r->batch);
    r->outside = gz_malloc((size_t)r->map->width + r->map->height, 1);
    r->written = gz_calloc(r->map->height, 1);
    if (!r->q || !r->verdicts || !r->contacts || !r->batch || !r->outside || !r->written)
        return gz_fail_memory(r->error);
    return check_posture(r);
}

static void release(run *r) {
    gz_cspace_proof_free(r->proof);
    gz_cspace_caps_free(&r->caps);
    gz_motion_model_free(&r->motion);
    gz_cspace_grid_free(&r->grid);
    gz_free(r->q);
    gz_free(r->verdicts);
    gz_free(r->contacts);
    gz_free(r->batch);
    gz_free(r->outside);
    gz_free(r->written);
    gz_free(r->poses);
    gz_free(r->half);
}

static graze_status fail_map(const run *r) {
    if (r->error) {
        *r->error = r->refusal;
        r->error->element[0] = '\0'; // a row of the batch, of no use here
    }
    return GRAZE_ERROR_RANGE;
}

graze_status graze_cspace_map_sized(const graze_checker *checker, const graze_cspace *map,
                                    graze_cspace_summary *summary, size_t size,
                                    graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (summary) memset(summary, 0, size);
    graze_cspace read;
    graze_status status = GZ_OPTIONS_READ(graze_cspace, &read, map, error);
    if (status == GRAZE_OK) status = check_arguments(checker, map ? &read : NULL, error);
    if (status) return status;
    map = &read;
    run r = {.checker = checker, .map = map, .error = error};
    status = prepare(&r);
    if (!status && map->certified) status = prove_cells(&r);
    if (!status && !cancelled(&r)) status = check_middles(&r, GRAZE_ANSWER_ANY);
    if (!status && !cancelled(&r)) status = check_middles(&r, GRAZE_ANSWER_FIRST);
    if (!status && cancelled(&r)) status = gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    // No cell at all: the base or what else they share is outside the domain.
    if (!status && r.refused == (uint64_t)map->width * map->height) status = fail_map(&r);
    if (status == GRAZE_OK || status == GRAZE_ERROR_CANCELLED) {
        complete_cells(&r);
        finish_cells(&r);
        if (summary) gz_fill(summary, size, &r.summary, sizeof r.summary);
    } else if (r.written) {
        memset(r.written, 0, map->height);
        complete_cells(&r);
    }
    release(&r);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
