/// Lanes over the edges and vertices of one pair of polygons: which edge normal parts them most,
/// which vertex lies farthest along a direction. The same answers for any number of lanes.
#ifndef GZ_PLANAR_DISTANCE_POLYGON_EDGES_H
#define GZ_PLANAR_DISTANCE_POLYGON_EDGES_H

#include <math.h>
#include <string.h>

#include "math/lanes.h"
#include "planar/shapes/shape_internal.h"

#define ALWAYS static inline __attribute__((always_inline))

// Largest extents of two polygons together: either may reach from the least coordinate to the
// largest. Not so for NaN, infinity, and what would overflow.
#define POLYGON_EXTENTS_MAX (4 * GRAZE_PLANAR_COORDINATE_MAX)

// Room for lanes that begin behind a vertex.
#define OUTLINE_ROOM (GRAZE_PLANAR_VERTEX_MAX + 4)

// A polygon with its vertices relative to an origin, too.
typedef struct outline {
    const double *x, *y; ///< of the shape, or a copy where lanes would read past its end
    double local_x[GRAZE_PLANAR_VERTEX_MAX], local_y[GRAZE_PLANAR_VERTEX_MAX];
    double copy_x[OUTLINE_ROOM], copy_y[OUTLINE_ROOM];
    int count;
} outline;

// Something found per vertex or edge: the best value and the lowest index that has it.
typedef struct extreme_feature {
    double value;
    int index;
} extreme_feature;

static const double counting[GRAZE_PLANAR_VERTEX_MAX] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                         8, 9, 10, 11, 12, 13, 14, 15};

// Returns the largest magnitude of a local coordinate, NaN where one is no finite number.
ALWAYS double outline_set(outline *out, const graze_planar_shape *shape, int n, graze_vec2 origin) {
    gz_d ox = gz_d_all(origin.x), oy = gz_d_all(origin.y), extent = gz_d_all(0);
    gz_d zero = extent; // stays so as long as all numbers are finite
    out->count = n;
    for (int i = 0; i < n; i += GZ_D_LANES) {
        gz_d x = gz_d_load(shape->x + i), y = gz_d_load(shape->y + i);
        gz_d local_x = gz_d_sub(x, ox), local_y = gz_d_sub(y, oy);
        gz_d_store(out->local_x + i, local_x);
        gz_d_store(out->local_y + i, local_y);
        zero = gz_d_add(zero, gz_d_add(gz_d_sub(x, x), gz_d_sub(y, y)));
        extent = gz_d_max(extent, gz_d_max(gz_d_abs(local_x), gz_d_abs(local_y)));
    }
    out->x = shape->x;
    out->y = shape->y;
    if (n + GZ_D_LANES > GRAZE_PLANAR_VERTEX_MAX) {
        memcpy(out->copy_x, shape->x, sizeof shape->x);
        memcpy(out->copy_y, shape->y, sizeof shape->y);
        for (int k = GRAZE_PLANAR_VERTEX_MAX; k < OUTLINE_ROOM; k++) {
            out->copy_x[k] = out->copy_x[n - 1];
            out->copy_y[k] = out->copy_y[n - 1];
        }
        out->x = out->copy_x;
        out->y = out->copy_y;
    }
    double lanes[GZ_D_LANES], zeros[GZ_D_LANES], most = 0, sum = 0;
    gz_d_store(lanes, extent);
    gz_d_store(zeros, zero);
    for (int k = 0; k < GZ_D_LANES; k++) {
        most = lanes[k] > most ? lanes[k] : most;
        sum += zeros[k];
    }
    return most + sum;
}

// Across lanes: the largest value, and of equals the lowest index, for any number of lanes.
ALWAYS extreme_feature reduce(gz_d value, gz_d index) {
    double values[GZ_D_LANES], indices[GZ_D_LANES];
    gz_d_store(values, value);
    gz_d_store(indices, index);
    double best = values[0], at = indices[0];
    for (int k = 1; k < GZ_D_LANES; k++) {
        bool better = values[k] > best || (values[k] == best && indices[k] < at);
        best = better ? values[k] : best;
        at = better ? indices[k] : at;
    }
    return (extreme_feature){best, (int)at};
}

// The edge of p whose normal parts the polygons most: value is f |f| for its unit normal.
ALWAYS extreme_feature best_edge(const outline *p, int n, const outline *q, int m) {
    gz_d best = gz_d_all(-INFINITY), index = gz_d_all(0);
    gz_d end = gz_d_all(n - 1);
    if (n == 1) return (extreme_feature){-INFINITY, 0};
    for (int i = 0; i < n; i += GZ_D_LANES) {
        // The last edge leads back to the first vertex; entries after it have no length.
        gz_d number = gz_d_load(counting + i);
        gz_d_mask last = gz_d_and(gz_d_at_most(number, end), gz_d_at_most(end, number));
        gz_d to_x = gz_d_select(last, gz_d_all(p->x[0]), gz_d_load(p->x + i + 1));
        gz_d to_y = gz_d_select(last, gz_d_all(p->y[0]), gz_d_load(p->y + i + 1));
        gz_d ex = gz_d_sub(to_x, gz_d_load(p->x + i));
        gz_d ey = gz_d_sub(to_y, gz_d_load(p->y + i));
        gz_d least = gz_d_all(INFINITY);
        for (int j = 0; j < m; j++) {
            gz_d x = gz_d_all(q->local_x[j]), y = gz_d_all(q->local_y[j]);
            least = gz_d_min(gz_d_sub(gz_d_mul(ey, x), gz_d_mul(ex, y)), least);
        }
        gz_d own = gz_d_sub(gz_d_mul(ey, gz_d_load(p->local_x + i)),
                            gz_d_mul(ex, gz_d_load(p->local_y + i)));
        gz_d f = gz_d_sub(least, own);
        gz_d square = gz_d_add(gz_d_mul(ex, ex), gz_d_mul(ey, ey));
        gz_d value = gz_d_div(gz_d_mul(f, gz_d_abs(f)), square); // NaN for an edge without length
        gz_d_mask better = gz_d_less(best, value);
        best = gz_d_select(better, value, best);
        index = gz_d_select(better, number, index);
    }
    return reduce(best, index);
}

// The vertex farthest along (x, y), and how far, local.
ALWAYS extreme_feature support(const outline *p, int n, double x, double y) {
    if (n == 1) return (extreme_feature){x * p->local_x[0] + y * p->local_y[0], 0};
    gz_d dx = gz_d_all(x), dy = gz_d_all(y), best = gz_d_all(-INFINITY), index = gz_d_all(0);
    for (int i = 0; i < n; i += GZ_D_LANES) {
        gz_d along = gz_d_add(gz_d_mul(dx, gz_d_load(p->local_x + i)),
                              gz_d_mul(dy, gz_d_load(p->local_y + i)));
        gz_d_mask better = gz_d_less(best, along);
        best = gz_d_select(better, along, best);
        index = gz_d_select(better, gz_d_load(counting + i), index);
    }
    extreme_feature out = reduce(best, index);
    // Entries past the last vertex repeat it.
    out.index = out.index < n ? out.index : n - 1;
    return out;
}

#endif
