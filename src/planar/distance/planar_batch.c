// Batches of pairs of shapes: their rows, and the driver of all loops over them.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

const gz_planar_kernels *gz_planar_kernels_for(gz_isa isa) {
#ifdef GRAZE_HAVE_AVX2
    if (isa == GZ_ISA_AVX2) return &gz_planar_kernels_avx2;
#endif
    return isa == GZ_ISA_SCALAR ? &gz_planar_kernels_scalar : &gz_planar_kernels_base;
}

void gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out) {
    gz_planar_kernels_for(gz_isa_of_process())->polygon(a, b, out);
}

int32_t graze_planar_row_count(graze_planar_kind kind, int32_t vertex_count) {
    static const int32_t rows[] = {3, 5, GZ_SIMPLE_ROWS};
    if (kind >= GRAZE_PLANAR_CIRCLE && kind < GRAZE_PLANAR_POLYGON) return rows[kind];
    bool good = kind == GRAZE_PLANAR_POLYGON && vertex_count >= 1 &&
                vertex_count <= GRAZE_PLANAR_VERTEX_MAX;
    return good ? 2 * vertex_count + 1 : 0;
}

// A pair's polygon without vertices that repeat their neighbour: padding, flat rectangles.
static void shape_of_rows(graze_planar_shape *out, const double *const *rows, int32_t n,
                          size_t pair) {
    graze_vec2 corners[GRAZE_PLANAR_VERTEX_MAX];
    size_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        graze_vec2 v = {rows[i][pair], rows[n + i][pair]};
        if (count == 0 || !gz_planar_same(v, corners[count - 1])) corners[count++] = v;
    }
    while (count > 1 && gz_planar_same(corners[0], corners[count - 1])) count--;
    gz_planar_shape_fill(out, corners, count, rows[2 * n][pair]);
}

double gz_distance_of_polygons(const gz_pair_block *block, size_t pair) {
    graze_planar_shape a, b;
    shape_of_rows(&a, block->a, block->vertices_a, pair);
    shape_of_rows(&b, block->b, block->vertices_b, pair);
    graze_planar_result result;
    if (!gz_planar_shape_in_range(&a) || !gz_planar_shape_in_range(&b)) return NAN;
    gz_polygon_distance(&a, &b, &result);
    return result.distance - (a.radius + b.radius);
}

// ---------------------------------------------------------------------------------- the driver

// Numbers of a block that is copied, and most of its pairs: enough for a loop to be worth its call,
// few enough for both sides to stay in a first-level cache.
#define NUMBERS_MAX (GRAZE_PLANAR_ROW_MAX * 32)
#define PAIRS_MAX   64

// Vertices that a kind has as a polygon.
static int32_t polygon_vertices(const graze_planar_array *array) {
    static const int32_t vertices[3] = {1, 2, 4};
    return array->kind == GRAZE_PLANAR_POLYGON ? array->vertex_count : vertices[array->kind];
}

static void rectangle_vertices(double *const rows[GRAZE_PLANAR_ROW_MAX], size_t k) {
    double x = rows[0][k], y = rows[1][k], c = rows[2][k], s = rows[3][k];
    double ux = rows[4][k] * c, uy = rows[4][k] * s, radius = rows[6][k];
    double vx = -rows[5][k] * s, vy = rows[5][k] * c;
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        rows[i][k] = x + sign[i][0] * ux + sign[i][1] * vx;
        rows[4 + i][k] = y + sign[i][0] * uy + sign[i][1] * vy;
    }
    rows[8][k] = radius;
}

// Rewrites copied rows of a kind, `size` pairs long, as those of a polygon.
static void rows_as_polygons(double *const rows[GRAZE_PLANAR_ROW_MAX], graze_planar_kind kind,
                             size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (kind == GRAZE_PLANAR_RECTANGLE) rectangle_vertices(rows, k);
        if (kind == GRAZE_PLANAR_CAPSULE) { // x0 y0 x1 y1 -> x0 x1 y0 y1
            double y0 = rows[1][k];
            rows[1][k] = rows[2][k];
            rows[2][k] = y0;
        }
    }
}

// Copies numbers from `from` on; what `size` has more of repeats the last.
static void copy_row(double *to, const double *from, size_t count, size_t size) {
    memcpy(to, from, count * sizeof *to);
    for (size_t i = count; i < size; i++) to[i] = from[count - 1];
}

// The rows of a block of pairs from `first` on: copied to memory for `size`, or in place without.
static void block_rows(const double *rows[GRAZE_PLANAR_ROW_MAX], double *memory,
                       const gz_pair_job *job, const graze_planar_array *array, size_t first,
                       size_t count, size_t size) {
    double *copies[GRAZE_PLANAR_ROW_MAX];
    int32_t own = graze_planar_row_count(array->kind, array->vertex_count);
    int32_t needed = job->as_polygons ? 2 * polygon_vertices(array) + 1 : own;
    bool one = array->count == 1;
    for (int32_t k = 0; memory && k < needed; k++) rows[k] = copies[k] = memory + (size_t)k * size;
    for (int32_t k = 0; k < own; k++) {
        const double *row = array->data + (size_t)k * array->stride + (one ? 0 : first);
        if (memory)
            copy_row(copies[k], row, one ? 1 : count, size);
        else
            rows[k] = row;
    }
    if (memory && job->as_polygons) rows_as_polygons(copies, array->kind, size);
}

// Whether the rows lie at distances at which they push each other out of a first-level cache: of 64
// sets, a page (512 doubles) long, with eight ways, some of which the outputs and the stack need.
static bool rows_collide(const graze_planar_array *a, const graze_planar_array *b) {
    size_t rows = (size_t)graze_planar_row_count(a->kind, a->vertex_count) +
                  (size_t)graze_planar_row_count(b->kind, b->vertex_count);
    size_t step = (a->stride | b->stride | 512) & -(a->stride | b->stride | 512);
    return rows * step > 6 * 512;
}

// A block of which the loop writes to, and takes velocities from, the pairs from `at` on.
static void block_point(gz_pair_block *block, const gz_pair_job *j, size_t at) {
    block->distances = j->distances + at;
    if (j->times == NULL) return;
    block->times = j->times + at;
    block->vx = j->vx + at;
    block->vy = j->vy + at;
}

// The pairs from `first` on that are not all read in place: tails, kinds taken as polygons, and for
// loops of distance one shape against many.
static void run_copied(const gz_pair_job *j, size_t first, gz_pair_block *block) {
    double rows[2][NUMBERS_MAX], more[4][PAIRS_MAX];
    size_t n = (size_t)block->vertices_a, m = (size_t)block->vertices_b;
    size_t size = NUMBERS_MAX / (2 * (n > m ? n : m) + 1) / GZ_PAIR_STEP * GZ_PAIR_STEP;
    size = size < PAIRS_MAX ? size : PAIRS_MAX;
    block->one[0] = block->one[1] = false;
    for (size_t at = first; at < j->count; at += size) {
        size_t count = j->count - at < size ? j->count - at : size;
        block->count = (count + GZ_PAIR_STEP - 1) / GZ_PAIR_STEP * GZ_PAIR_STEP;
        // One shape is copied once.
        if (j->a->count > 1 || at == first) block_rows(block->a, rows[0], j, j->a, at, count, size);
        if (j->b->count > 1 || at == first) block_rows(block->b, rows[1], j, j->b, at, count, size);
        block->distances = more[0];
        block->times = more[1];
        block->vx = more[2];
        block->vy = more[3];
        if (j->times) copy_row(more[2], j->vx + at, count, block->count);
        if (j->times) copy_row(more[3], j->vy + at, count, block->count);
        j->loop(block);
        memcpy(j->distances + at, more[0], count * sizeof(double));
        if (j->times) memcpy(j->times + at, more[1], count * sizeof(double));
    }
}

void gz_pairs_run(const gz_pair_job *j) {
    double ones[2][GZ_SIMPLE_ROWS * GZ_PAIR_STEP];
    gz_pair_block block = {.vertices_a = polygon_vertices(j->a),
                           .vertices_b = polygon_vertices(j->b),
                           .one = {j->a->count == 1, j->b->count == 1},
                           .sign = j->exchanged ? -1 : 1,
                           .horizon = j->horizon};
    bool polygons = j->as_polygons || j->b->kind == GRAZE_PLANAR_POLYGON;
    bool alike = !block.one[0] && !block.one[1] && !rows_collide(j->a, j->b);
    bool in_place = j->times || (polygons ? alike && !j->as_polygons : !rows_collide(j->a, j->b));
    size_t whole = in_place ? j->count / GZ_PAIR_STEP * GZ_PAIR_STEP : 0;
    if (whole > 0) {
        block.count = whole;
        block_point(&block, j, 0);
        block_rows(block.a, block.one[0] ? ones[0] : NULL, j, j->a, 0, whole, GZ_PAIR_STEP);
        block_rows(block.b, block.one[1] ? ones[1] : NULL, j, j->b, 0, whole, GZ_PAIR_STEP);
        j->loop(&block);
    }
    if (whole < j->count) run_copied(j, whole, &block);
}

static bool array_ok(const graze_planar_array *array) {
    return array != NULL && graze_planar_row_count(array->kind, array->vertex_count) > 0 &&
           array->stride >= array->count && (array->count == 0 || array->data != NULL);
}

bool gz_planar_arrays_ok(const graze_planar_array *a, const graze_planar_array *b, size_t *count) {
    if (!array_ok(a) || !array_ok(b)) return false;
    *count = a->count == 1 ? b->count : a->count;
    return b->count == *count || b->count == 1;
}

graze_status graze_planar_distance_batch(const graze_planar_array *a, const graze_planar_array *b,
                                         double *distances) {
    GZ_FLOAT_ENVIRONMENT;
    gz_pair_job job = {.distances = distances};
    if (!gz_planar_arrays_ok(a, b, &job.count)) return GRAZE_ERROR_ARGUMENT;
    if (job.count == 0) return GRAZE_OK;
    if (distances == NULL) return GRAZE_ERROR_ARGUMENT;
    // The distance does not depend on the order, so kinds come in theirs.
    const gz_planar_kernels *kernels = gz_planar_kernels_for(gz_isa_choose());
    job.a = a->kind > b->kind ? b : a;
    job.b = a->kind > b->kind ? a : b;
    job.loop = kernels->distance[job.a->kind][job.b->kind];
    job.as_polygons = job.loop == NULL;
    if (job.as_polygons) job.loop = kernels->distance[GRAZE_PLANAR_POLYGON][GRAZE_PLANAR_POLYGON];
    gz_pairs_run(&job);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- storing

// The rectangle with the shape's first two edges.
static graze_status rectangle_rows(double row[7], const graze_planar_shape *shape) {
    // Fewer vertices are rectangles without one extent or both.
    int32_t n = shape->count;
    if (n == 3 || n > 4) return GRAZE_ERROR_UNSUPPORTED;
    graze_vec2 p[4];
    for (int32_t i = 0; i < 4; i++) p[i] = shape->vertices[n == 4 ? i : n == 1 ? 0 : i % 3 > 0];
    double ex = p[1].x - p[0].x, ey = p[1].y - p[0].y, fx = p[3].x - p[0].x, fy = p[3].y - p[0].y;
    double e = sqrt(ex * ex + ey * ey), f = sqrt(fx * fx + fy * fy), longest = e > f ? e : f;
    double off_x = p[2].x - p[1].x - fx, off_y = p[2].y - p[1].y - fy;
    double slack = 1e-9 * longest, lean = fabs(ex * fx + ey * fy);
    if (sqrt(off_x * off_x + off_y * off_y) > slack || lean > slack * longest)
        return GRAZE_ERROR_UNSUPPORTED;
    // The longer side gives the direction.
    double c = 1, s = 0;
    if (longest > 0) {
        c = e >= f ? ex / e : fy / f;
        s = e >= f ? ey / e : -fx / f;
    }
    const double out[7] = {
        p[0].x + 0.5 * (ex + fx), p[0].y + 0.5 * (ey + fy), c, s, 0.5 * e, 0.5 * f, shape->radius};
    memcpy(row, out, sizeof out);
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status rows_set(double row[GRAZE_PLANAR_ROW_MAX],
                                            graze_planar_kind kind, int32_t vertex_count,
                                            const graze_planar_shape *shape) {
    int32_t n = kind == GRAZE_PLANAR_CIRCLE ? 1 : kind == GRAZE_PLANAR_CAPSULE ? 2 : vertex_count;
    if (kind == GRAZE_PLANAR_RECTANGLE) return rectangle_rows(row, shape);
    if (shape->count > n) return GRAZE_ERROR_ARGUMENT;
    for (int32_t i = 0; i < n; i++) {
        bool polygon = kind == GRAZE_PLANAR_POLYGON;
        row[polygon ? i : 2 * i] = shape->vertices[i].x;
        row[polygon ? n + i : 2 * i + 1] = shape->vertices[i].y;
    }
    row[2 * n] = shape->radius;
    return GRAZE_OK;
}

graze_status graze_planar_array_set(double *data, size_t stride, size_t index,
                                    graze_planar_kind kind, int32_t vertex_count,
                                    const graze_planar_shape *shape) {
    GZ_FLOAT_ENVIRONMENT;
    int32_t rows = graze_planar_row_count(kind, vertex_count);
    if (data == NULL || shape == NULL || index >= stride || rows == 0 || !gz_planar_count_ok(shape))
        return GRAZE_ERROR_ARGUMENT;
    double row[GRAZE_PLANAR_ROW_MAX];
    GZ_TRY(rows_set(row, kind, vertex_count, shape));
    for (int32_t k = 0; k < rows; k++) data[(size_t)k * stride + index] = row[k];
    return GRAZE_OK;
}
