#include "cli/sweep/sweep_map.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "cli/text.h"

#define OUTSIDE      UINT32_MAX
#define MOST_CELLS   ((uint64_t)1 << 25)
#define SAMPLED_ROWS ((uint64_t)100000)

// ---------------------------------------------------------------------------------------- places

/// Where a row puts the frame.
static graze_status place_frame(const gz_sweep_map *map, const gz_sweep_source *source,
                                const double *q, const double *base, graze_transform *poses,
                                graze_transform *frame, graze_error *error) {
    GZ_TRY(graze_robot_pose(source->robot, q, source->rest.size, base, poses, error));
    *frame = graze_transform_multiply(&poses[map->link], &map->in_link);
    return GRAZE_OK;
}

/// The cell of a direction on the cube around its origin, each of whose faces has n x n cells: the
/// face is that of the greatest coordinate, 0 to 5 for +x -x +y -y +z -z, and the other two
/// coordinates, divided by it, in their order, are the row and the column.
static uint64_t direction_cell(const double d[3], uint64_t n) {
    size_t axis = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    if (fabs(d[2]) > fabs(d[axis])) axis = 2;
    uint64_t cell = 2 * axis + (d[axis] < 0);
    for (size_t k = 0; k < 3; k++) {
        if (k == axis) continue;
        double at = 0.5 * (double)n * (1 + d[k] / fabs(d[axis]));
        uint64_t place = at > 0 ? (uint64_t)at : 0;
        cell = cell * n + (place < n ? place : n - 1);
    }
    return cell;
}

static uint64_t cells_of_directions(const gz_sweep_map *map) {
    uint64_t n = map->directions;
    return n > 0 ? 6 * n * n : 1;
}

static uint32_t cell_of(const gz_sweep_map *map, const graze_transform *frame) {
    uint64_t cell = 0;
    for (size_t k = 0; k < 3; k++) {
        double at = (frame->m[4 * k + 3] - map->low[k]) / map->voxel;
        if (!(at >= 0 && at < (double)map->size[k])) return OUTSIDE;
        cell = cell * map->size[k] + (uint64_t)at;
    }
    const double z[3] = {frame->m[2], frame->m[6], frame->m[10]};
    cell *= cells_of_directions(map);
    return (uint32_t)(map->directions > 0 ? cell + direction_cell(z, map->directions) : cell);
}

// ----------------------------------------------------------------------------------- preparation

/// What the voxels hold where nothing says it: multiples of their edge.
static graze_status choose_box(gz_sweep_map *map, gz_sweep_source *source, size_t rows, double *q,
                               double *base, double corners[6], graze_error *error) {
    uint64_t count = source->count < SAMPLED_ROWS ? source->count : SAMPLED_ROWS;
    for (size_t k = 0; k < 3; k++) {
        corners[k] = INFINITY;
        corners[3 + k] = -INFINITY;
    }
    for (uint64_t at = 0; at < count; at += rows) {
        size_t block = count - at < rows ? (size_t)(count - at) : rows;
        GZ_TRY(gz_sweep_source_read(source, at, block, q, base, error));
        for (size_t i = 0; i < block; i++) {
            graze_transform frame;
            GZ_TRY(place_frame(map, source, q + i * source->rest.size, base + i * GZ_BASE_SIZE,
                               map->poses, &frame, error));
            for (size_t k = 0; k < 3; k++) {
                corners[k] = fmin(corners[k], frame.m[4 * k + 3]);
                corners[3 + k] = fmax(corners[3 + k], frame.m[4 * k + 3]);
            }
        }
    }
    for (size_t k = 0; k < 3; k++) {
        corners[k] = map->voxel * (floor(corners[k] / map->voxel) - 1);
        corners[3 + k] = map->voxel * (floor(corners[3 + k] / map->voxel) + 2);
    }
    return GRAZE_OK;
}

static graze_status read_box(const gz_sweep_map *map, double corners[6], graze_error *error) {
    bool good = gz_decimal_parse_list(map->box, corners, 6);
    for (size_t k = 0; k < 3; k++)
        good = good && corners[3 + k] - corners[k] > 0 && isfinite(corners[3 + k] - corners[k]);
    if (good) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "--box is '%s'; allowed: x,y,z,x,y,z of the lower corner and the upper",
                   map->box);
}

static graze_status set_voxels(gz_sweep_map *map, const double corners[6], graze_error *error) {
    double cells = (double)cells_of_directions(map);
    for (size_t k = 0; k < 3; k++) {
        double size = ceil((corners[3 + k] - corners[k]) / map->voxel - 1e-9);
        map->low[k] = corners[k];
        map->size[k] = size < (double)MOST_CELLS ? (uint64_t)fmax(1, size) : MOST_CELLS;
        cells *= fmax(1, size);
    }
    if (cells <= (double)MOST_CELLS) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "the map has %.3g cells of place and direction; allowed: 2^25, with larger "
                   "--voxel, less --directions or a smaller --box",
                   cells);
}

graze_status gz_sweep_map_make(gz_sweep_map *map, gz_sweep_source *source, size_t rows, double *q,
                               double *base, graze_error *error) {
    double corners[6], frame[GZ_BASE_SIZE] = {0};
    map->link = graze_robot_find_link(source->robot, map->name);
    if (map->link < 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the robot has no link '%s'; allowed: one that 'graze info' lists",
                       map->name);
    if (map->frame != NULL) GZ_TRY(gz_base_parse(frame, "--frame", map->frame, error));
    map->in_link = graze_transform_from_xyz_rpy(frame, frame + 3);
    map->threads = source->threads > 0 ? source->threads : gz_thread_processors();
    size_t links = graze_robot_link_count(source->robot);
    map->poses = gz_malloc(map->threads * links, sizeof *map->poses);
    map->cells = gz_malloc(rows, sizeof *map->cells);
    if (map->poses == NULL || map->cells == NULL) return gz_fail_memory(error);
    GZ_TRY(map->box != NULL ? read_box(map, corners, error)
                            : choose_box(map, source, rows, q, base, corners, error));
    return set_voxels(map, corners, error);
}

void gz_sweep_map_free(gz_sweep_map *map) {
    gz_free(map->poses);
    gz_free(map->cells);
    *map = (gz_sweep_map){0};
}

void gz_sweep_map_arrays(const gz_sweep_map *map, gz_sweep_store *store) {
    for (size_t kind = GZ_SWEEP_REACHED; kind <= GZ_SWEEP_REACHED_FREE; kind++) {
        gz_sweep_array *array = &store->arrays[kind];
        array->used = true;
        array->inner_count = map->directions > 0 ? 4 : 3;
        for (size_t k = 0; k < 3; k++) array->inner[k] = map->size[k];
        array->inner[3] = cells_of_directions(map);
    }
    store->arrays[GZ_SWEEP_OUTSIDE] = (gz_sweep_array){
        .used = true, .inner = {2}, .inner_count = 1};
}

// --------------------------------------------------------------------------------------- counting

/// Rows whose cells several threads find, each its part.
typedef struct finding {
    gz_sweep_map *map;
    const gz_sweep_source *source;
    size_t count;
    const double *q, *base;
    uint32_t failed; ///< a thread
} finding;

static void find_cells(void *user, uint32_t thread) {
    finding *f = user;
    gz_sweep_map *map = f->map;
    size_t begin = f->count * thread / map->threads;
    size_t end = f->count * (thread + 1) / map->threads;
    graze_transform *poses = map->poses + thread * graze_robot_link_count(f->source->robot);
    for (size_t i = begin; i < end; i++) {
        graze_transform frame;
        // Rows that have a verdict have poses.
        bool placed = place_frame(map, f->source, f->q + i * f->source->rest.size,
                                  f->base + i * GZ_BASE_SIZE, poses, &frame, NULL) == GRAZE_OK;
        map->cells[i] = placed ? cell_of(map, &frame) : OUTSIDE;
        if (!placed) __atomic_store_n(&f->failed, 1, __ATOMIC_RELAXED);
    }
}

graze_status gz_sweep_map_add(gz_sweep_map *map, const gz_sweep_source *source,
                              gz_sweep_store *store, size_t count, const double *q,
                              const double *base, const unsigned char *verdicts,
                              graze_error *error) {
    finding f = {map, source, count, q, base, 0};
    gz_thread_run(map->threads, find_cells, &f);
    if (f.failed) return gz_fail(error, GRAZE_ERROR_RANGE, "a configuration has no pose");
    for (size_t i = 0; i < count; i++) {
        bool outside = map->cells[i] == OUTSIDE, free = verdicts[i] == GRAZE_FREE;
        if (outside)
            gz_sweep_store_count(store, GZ_SWEEP_OUTSIDE, 0);
        else
            gz_sweep_store_count(store, GZ_SWEEP_REACHED, map->cells[i]);
        if (outside && free)
            gz_sweep_store_count(store, GZ_SWEEP_OUTSIDE, 1);
        else if (free)
            gz_sweep_store_count(store, GZ_SWEEP_REACHED_FREE, map->cells[i]);
    }
    return GRAZE_OK;
}

void gz_sweep_map_describe(const gz_sweep_map *map, gz_json *json) {
    gz_json_put(json, "{ link=%s frame=%s voxel=%g", map->name, map->frame, map->voxel);
    gz_json_numbers(json, "low", map->low, 3);
    gz_json_put(json, "size=[ %" PRIu64 " %" PRIu64 " %" PRIu64 " ] directions=%u }", map->size[0],
                map->size[1], map->size[2], map->directions);
}
