// Signed distance of one pair of planar shapes where planar_single.c does not answer; of two
// rectangles by their vertices.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

const gz_planar_kernels *gz_planar_kernels_for(gz_isa isa) {
#ifdef GRAZE_HAVE_AVX2
    if (isa == GZ_ISA_AVX2) return &gz_planar_kernels_avx2;
#endif
    return isa == GZ_ISA_SCALAR ? &gz_planar_kernels_scalar : &gz_planar_kernels_base;
}

bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out) {
    return gz_planar_kernels_for(gz_isa_of_process())->polygon(a, b, out);
}

// Whether the first and the last vertex and the radius are numbers of which no distance overflows.
static bool in_range(const graze_planar_shape *shape) {
    int32_t last = shape->count - 1;
    double most = GRAZE_PLANAR_COORDINATE_MAX;
    return (fabs(shape->x[0]) <= most) & (fabs(shape->y[0]) <= most) &
           (fabs(shape->x[last]) <= most) & (fabs(shape->y[last]) <= most) &
           (fabs(shape->radius) <= most);
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
    if (!in_range(a) || !in_range(b)) return false;
    if (a->count <= 2 && b->count <= 2) {
        gz_planar_ends_distance(a, b, out);
        return true;
    }
    if (!gz_polygon_distance(a, b, out)) return false;
    add_radii(out, a->radius, b->radius);
    return true;
}

graze_status gz_planar_distance_of_any(const graze_planar_shape *a, const graze_planar_shape *b,
                                       graze_planar_result *result) {
    GZ_FLOAT_ENVIRONMENT;
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
    GZ_TRY(graze_planar_rectangle_from_vertices(&shape_a, a, 0, error));
    GZ_TRY(graze_planar_rectangle_from_vertices(&shape_b, b, 0, error));
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
