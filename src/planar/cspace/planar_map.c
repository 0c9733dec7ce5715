// Collision maps of the plane: grids, the run through their boxes of cells, and the map of an arm,
// whose boxes are tested whole, and split where that decides nothing.

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/worker.h"
#include "planar/cspace/cspace_internal.h"

// ------------------------------------------------------------------------------------------ grids

graze_vec2 gz_map_place(const graze_cspace *m, const gz_cell_box *box) {
    double x = (box->at[0] + 0.5 * box->size[0]) / m->width,
           y = (box->at[1] + 0.5 * box->size[1]) / m->height;
    return (graze_vec2){m->ranges[0][0] + x * (m->ranges[0][1] - m->ranges[0][0]),
                        m->ranges[1][0] + y * (m->ranges[1][1] - m->ranges[1][0])};
}

graze_vec2 gz_map_half(const graze_cspace *m, uint32_t wide, uint32_t high) {
    const double(*r)[2] = m->ranges;
    double x = 0.5 * (r[0][1] - r[0][0]) / m->width * wide;
    double y = 0.5 * (r[1][1] - r[1][0]) / m->height * high;
    return (graze_vec2){x * (1 + 0x1p-48) + 0x1p-50 * (fabs(r[0][0]) + fabs(r[0][1])),
                        y * (1 + 0x1p-48) + 0x1p-50 * (fabs(r[1][0]) + fabs(r[1][1]))};
}

graze_vec2 graze_planar_map_middle(const graze_cspace *map, uint32_t x, uint32_t y) {
    GZ_FLOAT_ENVIRONMENT;
    if (!map) return (graze_vec2){0, 0};
    return gz_map_place(map, &(gz_cell_box){{x, y}, {1, 1}, false});
}

graze_status gz_map_read(graze_cspace *map, const graze_cspace *given, graze_error *error) {
    GZ_TRY(GZ_OPTIONS_READ(graze_cspace, map, given, error));
    if (!map->cells) return gz_planar_fail_null(error);
    const uint32_t sides[2] = {map->width, map->height};
    for (int k = 0; k < 2; k++) {
        double low = map->ranges[k][0], high = map->ranges[k][1];
        if (sides[k] < 1 || sides[k] > GRAZE_CSPACE_SIZE_MAX)
            return gz_fail(error, GRAZE_ERROR_RANGE, "%s is %u; allowed: 1 to %d",
                           k ? "height" : "width", sides[k], GRAZE_CSPACE_SIZE_MAX);
        if (!(low < high && gz_planar_number_ok(low) && gz_planar_number_ok(high)))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the range of %s is %g to %g; allowed: ascending, magnitudes up to %g",
                           k ? "y" : "x", low, high, GRAZE_PLANAR_COORDINATE_MAX);
    }
    return GRAZE_OK;
}

void gz_map_put(const graze_cspace *map, const gz_cell_box *box, uint8_t state, int32_t link) {
    const graze_cspace_cell cell = {.state = state, .link = link, .other = -1};
    for (uint32_t y = box->at[1]; y < box->at[1] + box->size[1]; y++)
        for (uint32_t x = box->at[0]; x < box->at[0] + box->size[0]; x++)
            map->cells[(size_t)y * map->width + x] = cell;
}

// ---------------------------------------------------------------------------------- runs of boxes

typedef struct box_list {
    gz_cell_box *items;
    size_t count, capacity;
} box_list;

typedef struct map_run {
    const graze_cspace *map;
    gz_box_test *test;
    const void *user;
    size_t memory; ///< bytes, of each thread
    bool whole;
    uint64_t left, decided; ///< of the budget; cells
    box_list boxes, next;
    size_t first; ///< of the boxes that threads share now
} map_run;

static graze_status make_memory(void **memory, void *user, graze_error *error) {
    *memory = gz_malloc(((map_run *)user)->memory, 1);
    return *memory ? GRAZE_OK : gz_fail_memory(error);
}

static graze_status test_box(void *user, void *memory, size_t item, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    map_run *r = user;
    gz_cell_box *box = &r->boxes.items[r->first + item];
    box->split = !r->test(r->user, memory, box);
    (void)error;
    return GRAZE_OK;
}

static bool push(box_list *list, gz_cell_box box) {
    if (!gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1, sizeof box))
        return false;
    list->items[list->count++] = box;
    return true;
}

/// Takes a box for done, or adds its halves, across its longer side, to the next level.
static bool finish_box(map_run *r, const gz_cell_box *box) {
    gz_cell_box first = *box, second = *box;
    int k = box->size[1] > box->size[0];
    r->decided += box->split ? 0 : (uint64_t)box->size[0] * box->size[1];
    first.size[k] /= 2;
    second.at[k] += first.size[k];
    second.size[k] -= first.size[k];
    return !box->split || (push(&r->next, first) && push(&r->next, second));
}

/// Tests the boxes of a level, some at a time, as far as the budget goes.
static graze_status test_level(map_run *r, graze_error *error) {
    const graze_cspace *map = r->map;
    const size_t count = r->boxes.count, batch = r->whole ? 4096 : 64;
    gz_batch_job job = {.threads = map->threads < 256 ? map->threads : 256,
                        .turn = 1,
                        .cancel = map->cancel,
                        .item = "box",
                        .user = r,
                        .create = make_memory,
                        .destroy = gz_free,
                        .run = test_box};
    for (r->first = 0; r->first < count && r->left > 0; r->first += job.count) {
        gz_cell_box *boxes = &r->boxes.items[r->first];
        size_t most = count < r->first + batch ? count - r->first : batch;
        for (job.count = 0; job.count < most && r->left > 0; job.count++) {
            uint32_t *cells = &boxes[job.count].size[0];
            if (!r->whole && *cells > r->left) *cells = (uint32_t)r->left;
            r->left -= r->whole ? 1 : *cells;
        }
        GZ_TRY(gz_batch_job_run(&job, error));
        for (size_t i = 0; i < job.count; i++)
            if (!finish_box(r, &boxes[i])) return gz_fail_memory(error);
        if (map->progress) map->progress(r->decided, (uint64_t)map->width * map->height, map->user);
    }
    return GRAZE_OK;
}

graze_status gz_map_run(const graze_cspace *map, bool whole, gz_box_test *test, const void *user,
                        size_t memory, graze_error *error) {
    const gz_cell_box all = {{0, 0}, {map->width, map->height}, false};
    map_run r = {.map = map, .test = test, .user = user, .memory = memory, .whole = whole};
    graze_status status = GRAZE_OK;
    r.left = map->budget ? map->budget : UINT64_MAX;
    gz_map_put(map, &all, GRAZE_CSPACE_UNDECIDED, -1);
    if (map->rows) memset(map->rows, 1, map->height);
    for (uint32_t y = 0, high = whole ? map->height : 1; !status && y < map->height; y += high)
        if (!push(&r.boxes, (gz_cell_box){{0, y}, {map->width, high}, false}))
            status = gz_fail_memory(error);
    while (!status && r.boxes.count > 0) {
        status = test_level(&r, error);
        box_list done = r.boxes;
        r.boxes = r.next;
        r.next = (box_list){done.items, 0, done.capacity};
    }
    gz_free(r.boxes.items);
    gz_free(r.next.items);
    if (status == GRAZE_ERROR_NO_MEMORY) gz_map_put(map, &all, GRAZE_CSPACE_UNDECIDED, -1);
    return status;
}

// ------------------------------------------------------------------------------------------- arms

/// Sides of a cell are halved so often for its proof.
#define PROOF_DEPTH 2

typedef struct arm_map {
    const gz_arm_query *query;
    graze_cspace map;
    double q[GZ_ARM_COORDINATES_MAX], half[GZ_ARM_COORDINATES_MAX];
} arm_map;

static gz_arm_verdict test(arm_map *m, graze_vec2 at, graze_vec2 half) {
    const int32_t *joints = m->map.columns;
    m->q[joints[0]] = at.x;
    m->q[joints[1]] = at.y;
    m->half[joints[0]] = half.x;
    m->half[joints[1]] = half.y;
    return gz_arm_test(m->query, m->q, m->half);
}

/// Whether all of a box can be proved to be free, or colliding, in parts.
static bool prove(arm_map *m, graze_vec2 at, graze_vec2 half, uint8_t wanted, int depth) {
    gz_arm_verdict v = test(m, at, half);
    bool all = wanted == GRAZE_CSPACE_FREE ? v.touched < 0 : v.blocked >= 0;
    if (all || v.middle != wanted || depth == 0) return all;
    graze_vec2 part = {0.5 * half.x * (1 + 0x1p-48) + 0x1p-50 * fabs(at.x),
                       0.5 * half.y * (1 + 0x1p-48) + 0x1p-50 * fabs(at.y)};
    for (int k = 0; k < 4; k++) {
        graze_vec2 corner = {at.x + (k & 1 ? 0.5 : -0.5) * half.x,
                             at.y + (k & 2 ? 0.5 : -0.5) * half.y};
        if (!prove(m, corner, part, wanted, depth - 1)) return false;
    }
    return true;
}

static void map_cell(arm_map *m, const gz_cell_box *cell) {
    bool certified = m->map.certified;
    graze_vec2 at = gz_map_place(&m->map, cell);
    graze_vec2 half = certified ? gz_map_half(&m->map, 1, 1) : (graze_vec2){0, 0};
    gz_arm_verdict v = test(m, at, half);
    uint8_t state = v.middle;
    if (certified && state != GRAZE_CSPACE_UNDECIDED && prove(m, at, half, state, PROOF_DEPTH))
        state = state == GRAZE_CSPACE_FREE ? GRAZE_CSPACE_FREE_CERTIFIED
                                           : GRAZE_CSPACE_COLLIDING_CERTIFIED;
    gz_map_put(&m->map, cell, state, v.middle_link);
}

/// With proofs boxes larger than a cell are free, colliding by one link first, or split.
static bool map_box(const void *user, void *memory, const gz_cell_box *box) {
    arm_map *m = memcpy(memory, user, sizeof *m);
    bool cells = !m->map.certified || box->size[0] * box->size[1] == 1; // a row, or one
    for (uint32_t i = 0; cells && i < box->size[0]; i++)
        map_cell(m, &(gz_cell_box){{box->at[0] + i, box->at[1]}, {1, 1}, false});
    if (cells) return true;
    gz_arm_verdict v = test(m, gz_map_place(&m->map, box),
                            gz_map_half(&m->map, box->size[0], box->size[1]));
    bool all_free = v.touched < 0, one_link = v.blocked >= 0 && v.blocked == v.touched;
    if (all_free)
        gz_map_put(&m->map, box, GRAZE_CSPACE_FREE_CERTIFIED, -1);
    else if (one_link)
        gz_map_put(&m->map, box, GRAZE_CSPACE_COLLIDING_CERTIFIED, v.blocked);
    return all_free || one_link;
}

graze_status gz_arm_plane_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               const graze_cspace *given, graze_cspace *map, double *rest,
                               graze_error *error) {
    if (!given) return gz_planar_fail_null(error);
    GZ_TRY(gz_arm_query_make(query, scene, error));
    GZ_TRY(gz_map_read(map, given, error));
    const int32_t *joints = map->columns;
    if (!(joints[0] >= 0 && joints[1] >= 0 && joints[0] < query->count &&
          joints[1] < query->count && joints[0] != joints[1]))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the columns are %d and %d; allowed: two different ones of 0 to %d",
                       (int)joints[0], (int)joints[1], (int)query->count - 1);
    for (int32_t i = 0; i < query->count; i++) rest[i] = map->q ? map->q[i] : 0;
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 2; k++) rest[joints[k]] = map->ranges[k][end];
        GZ_TRY(gz_arm_check(query, rest, error));
    }
    return gz_arm_boxes_make(query, error);
}

graze_status gz_arm_boxes_make(gz_arm_query *query, graze_error *error) {
    size_t count = query->scene->obstacle_count;
    query->boxes = gz_malloc(count + 1, sizeof *query->boxes);
    if (!query->boxes) return gz_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        query->boxes[i] = graze_planar_shape_bounds(&query->scene->obstacles[i]);
    return GRAZE_OK;
}

graze_status graze_planar_arm_map(const graze_planar_arm_scene *scene, const graze_cspace *map,
                                  graze_error *error) {
    GZ_ENTER(error);
    gz_arm_query query;
    arm_map m = {.query = &query};
    GZ_TRY(gz_arm_plane_make(&query, scene, map, &m.map, m.q, error));
    graze_status status = gz_map_run(&m.map, m.map.certified, map_box, &m, sizeof m, error);
    gz_free(query.boxes);
    return status;
}
