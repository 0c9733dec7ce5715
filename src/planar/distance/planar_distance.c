// Signed distance of planar shapes: of one pair, of two rectangles by their vertices, of batches.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

static bool shape_ok(const graze_planar_shape *shape) {
    return shape != NULL && gz_planar_count_ok(shape);
}

// Whether the first and the last vertex and the radius are numbers of which no distance overflows.
static bool in_range(const graze_planar_shape *shape) {
    int32_t last = shape->count - 1;
    double most = GRAZE_PLANAR_COORDINATE_MAX;
    return (fabs(shape->x[0]) <= most) & (fabs(shape->y[0]) <= most) &
           (fabs(shape->x[last]) <= most) & (fabs(shape->y[last]) <= most) &
           (fabs(shape->radius) <= most);
}

static void swap_sides(graze_planar_result *result) {
    graze_vec2 point = result->point_a;
    graze_planar_feature feature = result->feature_a;
    result->normal.x = -result->normal.x;
    result->normal.y = -result->normal.y;
    result->point_a = result->point_b;
    result->point_b = point;
    result->feature_a = result->feature_b;
    result->feature_b = feature;
}

// Takes the radii off the distance of two polygons: the witnesses move along the normal.
static void add_radii(graze_planar_result *result, double radius_a, double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a.x += radius_a * n.x;
    result->point_a.y += radius_a * n.y;
    result->point_b.x -= radius_b * n.x;
    result->point_b.y -= radius_b * n.y;
}

// False, and nothing written, where numbers are out of range.
static GZ_OUT_OF_LINE bool pair_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                         graze_planar_result *out) {
    graze_vec2 a0 = gz_planar_vertex(a, 0), b0 = gz_planar_vertex(b, 0);
    if (!in_range(a) || !in_range(b)) return false;
    if (a->count > 2 || b->count > 2) {
        if (!gz_polygon_distance(a, b, out)) return false;
        add_radii(out, a->radius, b->radius);
    } else if (a->count == 2 && b->count == 2) {
        graze_planar_capsules(a0, gz_planar_vertex(a, 1), a->radius, b0, gz_planar_vertex(b, 1),
                              b->radius, out);
    } else if (b->count == 2) {
        graze_planar_circle_capsule(a0, a->radius, b0, gz_planar_vertex(b, 1), b->radius, out);
    } else if (a->count == 2) {
        graze_planar_circle_capsule(b0, b->radius, a0, gz_planar_vertex(a, 1), a->radius, out);
        swap_sides(out);
    } else {
        graze_planar_circles(a0, a->radius, b0, b->radius, out);
    }
    return true;
}

graze_status graze_planar_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                   graze_planar_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    if (!shape_ok(a) || !shape_ok(b) || result == NULL) return GRAZE_ERROR_ARGUMENT;
    return pair_distance(a, b, result) ? GRAZE_OK : GRAZE_ERROR_RANGE;
}

// ---------------------------------------------------------------------------------- rectangles

static graze_vec2 given(const double xy[8], int i) {
    return gz_planar_snap((graze_vec2){xy[2 * (i & 3)], xy[2 * (i & 3) + 1]});
}

// The number that the caller gave a vertex of the shape.
static int32_t vertex_number(const double xy[8], graze_vec2 vertex) {
    for (int32_t i = 0; i < 3; i++)
        if (gz_planar_same(given(xy, i), vertex)) return i;
    return 3;
}

// The number that the caller gave an edge between two vertices of the shape, 0 where both are one.
static int32_t edge_number(const double xy[8], graze_vec2 from, graze_vec2 to) {
    for (int32_t i = 0; i < 4; i++) {
        graze_vec2 a = given(xy, i), b = given(xy, i + 1);
        if ((gz_planar_same(a, from) && gz_planar_same(b, to)) ||
            (gz_planar_same(a, to) && gz_planar_same(b, from)))
            return i;
    }
    return vertex_number(xy, from);
}

// The feature's edge: itself, or the one that begins in the vertex.
static int32_t edge_of(const double xy[8], const graze_planar_shape *shape, int32_t index) {
    int32_t next = gz_planar_next(index, shape->count);
    return edge_number(xy, gz_planar_vertex(shape, index), gz_planar_vertex(shape, next));
}

graze_status graze_planar_rectangle_distance(const double a[8], const double b[8],
                                             graze_planar_rectangle_result *result,
                                             graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (a == NULL || b == NULL || result == NULL) return gz_planar_fail_null(error);
    graze_planar_shape shape_a, shape_b;
    graze_status status = graze_planar_rectangle_from_vertices(&shape_a, a, 0, error);
    if (status == GRAZE_OK) status = graze_planar_rectangle_from_vertices(&shape_b, b, 0, error);
    if (status != GRAZE_OK) return status;
    graze_planar_result found;
    if (!pair_distance(&shape_a, &shape_b, &found))
        return gz_fail(error, GRAZE_ERROR_RANGE, "a coordinate is out of range; allowed: up to %g",
                       GRAZE_PLANAR_COORDINATE_MAX);
    // The edge is A's if A's feature is one, or if both are vertices.
    bool on_b = !found.feature_b.edge;
    int32_t of_a = found.feature_a.index, of_b = found.feature_b.index;
    *result = (graze_planar_rectangle_result){
        .distance = found.distance,
        .normal = found.normal,
        .point_a = found.point_a,
        .point_b = found.point_b,
        .vertex_on_b = on_b,
        .vertex = on_b ? vertex_number(b, gz_planar_vertex(&shape_b, of_b))
                       : vertex_number(a, gz_planar_vertex(&shape_a, of_a)),
        .edge = on_b ? edge_of(a, &shape_a, of_a) : edge_of(b, &shape_b, of_b)};
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- batches

// Pairs that are copied and processed at once, where they cannot be read in place.
#define CHUNK 32

_Static_assert(CHUNK % GZ_DISTANCE_STEP == 0, "a chunk is whole steps");

// Rows copied side by side.
typedef struct chunk {
    double rows[GRAZE_PLANAR_ROW_MAX][CHUNK];
} chunk;

int32_t graze_planar_row_count(graze_planar_kind kind, int32_t vertex_count) {
    switch (kind) {
    case GRAZE_PLANAR_CIRCLE:
        return 3;
    case GRAZE_PLANAR_CAPSULE:
        return 5;
    case GRAZE_PLANAR_RECTANGLE:
        return 7;
    case GRAZE_PLANAR_POLYGON:
        return vertex_count >= 1 && vertex_count <= GRAZE_PLANAR_VERTEX_MAX ? 2 * vertex_count + 1
                                                                            : 0;
    }
    return 0;
}

// A pair's polygon without the vertices that repeat their neighbour, as padding and rectangles
// without an extent do.
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

double gz_distance_of_polygons(const gz_distance_block *block, size_t pair) {
    graze_planar_shape a, b;
    shape_of_rows(&a, block->a, block->vertices_a, pair);
    shape_of_rows(&b, block->b, block->vertices_b, pair);
    graze_planar_result result;
    if (!gz_polygon_distance(&a, &b, &result)) return NAN;
    return result.distance - (a.radius + b.radius);
}

// ---------------------------------------------------------------------------- kinds as polygons

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

// Rewrites the chunk's rows of a kind as those of a polygon.
static void chunk_as_polygons(chunk *c, graze_planar_kind kind) {
    double *rows[GRAZE_PLANAR_ROW_MAX];
    for (int k = 0; k < GRAZE_PLANAR_ROW_MAX; k++) rows[k] = c->rows[k];
    for (size_t k = 0; k < CHUNK; k++) {
        if (kind == GRAZE_PLANAR_RECTANGLE) rectangle_vertices(rows, k);
        if (kind == GRAZE_PLANAR_CAPSULE) { // x0 y0 x1 y1 -> x0 x1 y0 y1
            double y0 = rows[1][k];
            rows[1][k] = rows[2][k];
            rows[2][k] = y0;
        }
    }
}

// Copies shapes from `first` on, the last of them to the chunk's end.
static void chunk_fill(chunk *c, const graze_planar_array *array, size_t first, size_t count,
                       bool as_polygons) {
    int32_t rows = graze_planar_row_count(array->kind, array->vertex_count);
    for (int32_t k = 0; k < rows; k++) {
        const double *row = array->data + (size_t)k * array->stride;
        if (array->count > 1 && count == CHUNK) {
            memcpy(c->rows[k], row + first, sizeof c->rows[k]);
            continue;
        }
        for (size_t i = 0; i < CHUNK; i++) {
            size_t at = array->count == 1 ? 0 : first + (i < count ? i : count - 1);
            c->rows[k][i] = row[at];
        }
    }
    if (as_polygons) chunk_as_polygons(c, array->kind);
}

// ---------------------------------------------------------------------------------- the driver

typedef struct job {
    const graze_planar_array *a, *b;
    gz_distance_loop *loop;
    bool as_polygons;
} job;

static gz_distance_block block_make(const job *j, double *distances) {
    return (gz_distance_block){.vertices_a = polygon_vertices(j->a),
                               .vertices_b = polygon_vertices(j->b),
                               .distances = distances};
}

static void rows_of_array(const double *rows[GRAZE_PLANAR_ROW_MAX],
                          const graze_planar_array *array) {
    int32_t count = graze_planar_row_count(array->kind, array->vertex_count);
    for (int32_t k = 0; k < count; k++) rows[k] = array->data + (size_t)k * array->stride;
}

// Pairs that are not read in place: one shape against many, tails, kinds taken as polygons.
static GZ_OUT_OF_LINE void run_copied(const job *j, size_t first, size_t count, double *distances) {
    chunk a, b;
    double out[CHUNK];
    gz_distance_block block = block_make(j, out);
    for (int k = 0; k < GRAZE_PLANAR_ROW_MAX; k++) {
        block.a[k] = a.rows[k];
        block.b[k] = b.rows[k];
    }
    for (size_t done = 0; done < count; done += CHUNK) {
        size_t size = count - done < CHUNK ? count - done : CHUNK;
        // A shape compared with all others is copied once.
        if (done == 0 || j->a->count > 1) chunk_fill(&a, j->a, first + done, size, j->as_polygons);
        if (done == 0 || j->b->count > 1) chunk_fill(&b, j->b, first + done, size, j->as_polygons);
        block.count = (size + GZ_DISTANCE_STEP - 1) / GZ_DISTANCE_STEP * GZ_DISTANCE_STEP;
        j->loop(&block);
        memcpy(distances + done, out, size * sizeof *out);
    }
}

// Whether the rows lie at distances at which they push each other out of a first-level cache: of 64
// sets, a page (512 doubles) long, with eight ways, some of which the outputs and the stack need.
static bool rows_collide(const graze_planar_array *a, const graze_planar_array *b) {
    size_t rows = (size_t)graze_planar_row_count(a->kind, a->vertex_count) +
                  (size_t)graze_planar_row_count(b->kind, b->vertex_count);
    size_t step = (a->stride | b->stride | 512) & -(a->stride | b->stride | 512);
    return rows * step > 6 * 512;
}

static void run(const job *j, size_t count, double *distances) {
    bool in_place = !j->as_polygons && j->a->count == count && j->b->count == count &&
                    !rows_collide(j->a, j->b);
    size_t whole = in_place ? count / GZ_DISTANCE_STEP * GZ_DISTANCE_STEP : 0;
    if (whole > 0) {
        gz_distance_block block = block_make(j, distances);
        block.count = whole;
        rows_of_array(block.a, j->a);
        rows_of_array(block.b, j->b);
        j->loop(&block);
    }
    if (whole < count) run_copied(j, whole, count - whole, distances + whole);
}

bool gz_planar_array_ok(const graze_planar_array *array) {
    return array != NULL && graze_planar_row_count(array->kind, array->vertex_count) > 0 &&
           array->stride >= array->count && (array->count == 0 || array->data != NULL);
}

graze_status graze_planar_distance_batch(const graze_planar_array *a, const graze_planar_array *b,
                                         double *distances) {
    GZ_FLOAT_ENVIRONMENT;
    if (!gz_planar_array_ok(a) || !gz_planar_array_ok(b)) return GRAZE_ERROR_ARGUMENT;
    size_t count = a->count == 1 ? b->count : a->count;
    if (b->count != count && b->count != 1) return GRAZE_ERROR_ARGUMENT;
    if (count == 0) return GRAZE_OK;
    if (distances == NULL) return GRAZE_ERROR_ARGUMENT;
    // The distance does not depend on the order, so kinds come in theirs.
    const gz_planar_kernels *kernels = gz_planar_kernels_for(gz_isa_choose());
    job j = {.a = a, .b = b};
    if (a->kind > b->kind) {
        j.a = b;
        j.b = a;
    }
    j.loop = kernels->distance[j.a->kind][j.b->kind];
    if (j.loop == NULL) {
        j.as_polygons = true;
        j.loop = kernels->distance[GRAZE_PLANAR_POLYGON][GRAZE_PLANAR_POLYGON];
    }
    run(&j, count, distances);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- storing

// The rectangle with the shape's first two edges.
static graze_status rectangle_rows(double row[7], const graze_planar_shape *shape) {
    // Fewer vertices are rectangles without one extent or both.
    int32_t n = shape->count;
    if (n == 3 || n > 4) return GRAZE_ERROR_UNSUPPORTED;
    graze_vec2 p[4];
    for (int32_t i = 0; i < 4; i++)
        p[i] = gz_planar_vertex(shape, n == 4 ? i : n == 1 ? 0 : i % 3 > 0);
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
    row[0] = p[0].x + 0.5 * (ex + fx);
    row[1] = p[0].y + 0.5 * (ey + fy);
    row[2] = c;
    row[3] = s;
    row[4] = 0.5 * e;
    row[5] = 0.5 * f;
    row[6] = shape->radius;
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
        row[polygon ? i : 2 * i] = shape->x[i];
        row[polygon ? n + i : 2 * i + 1] = shape->y[i];
    }
    row[2 * n] = shape->radius;
    return GRAZE_OK;
}

graze_status graze_planar_array_set(double *data, size_t stride, size_t index,
                                    graze_planar_kind kind, int32_t vertex_count,
                                    const graze_planar_shape *shape) {
    GZ_FLOAT_ENVIRONMENT;
    int32_t rows = graze_planar_row_count(kind, vertex_count);
    if (data == NULL || shape == NULL || index >= stride || rows == 0 || shape->count < 1 ||
        shape->count > GRAZE_PLANAR_VERTEX_MAX)
        return GRAZE_ERROR_ARGUMENT;
    double row[GRAZE_PLANAR_ROW_MAX];
    graze_status status = rows_set(row, kind, vertex_count, shape);
    if (status != GRAZE_OK) return status;
    for (int32_t k = 0; k < rows; k++) data[(size_t)k * stride + index] = row[k];
    return GRAZE_OK;
}
