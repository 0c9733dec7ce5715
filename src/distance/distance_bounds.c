// Which pairs there are, in which order, and how near they may be at least: by spheres and boxes.
#include <math.h>

#include "check/margin.h"
#include "distance/distance_internal.h"
#include "math/transform.h"

/// A length as computed from squares of differences and radii rounds by less than 2^-48 of itself
/// and of the radii; see gz_distance_exceeds().
static double beyond(double square, double radii) {
    return sqrt(square) * (1 - 0x1p-48) - radii * (1 + 0x1p-48);
}

/// A table is of the real distance, which that of the snapped shapes is no farther from than
/// epsilon, in the domain. Where it proves the pair apart, checks say so, too
/// (gz_margin_certified()).
gz_near_pair gz_near_links(const graze_distance_workspace *d, int32_t index, const double *q) {
    const gz_check_pair *p = &d->checker->pairs[index];
    const graze_workspace *ws = d->ws;
    const double *a = ws->centers[p->a], *b = ws->centers[p->b];
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    double bound = beyond(x * x + y * y + z * z, ws->radii[p->a] + ws->radii[p->b]);
    if (p->table && q)
        bound = fmax(bound, GZ_PAIR_TABLE_UNIT * gz_pair_table_at(p->table, q) -
                                gz_margin_certified(d->checker, p->a, p->b, 0));
    return (gz_near_pair){.bound = bound, .pair = index, .link = p->a, .other = p->b, .fixed = -1};
}

/// Of a sphere and an oriented box whose axes are orthonormal up to `skew`: along each the gap is
/// off by less than 10 skew and 2^-47 of the sizes (bound_test.c derives 16 skew for two boxes).
static double from_box(const double center[3], double radius, const graze_obb *box, double skew) {
    double t[3], square = 0, size = 0;
    gz_subtract(center, GZ_ARRAY3(box->center), t);
    for (int k = 0; k < 3; k++) size += fabs(t[k]) + GZ_ARRAY3(box->half)[k];
    double error = (20 * skew + 0x1p-46) * size;
    for (int k = 0; k < 3; k++) {
        double gap = fabs(gz_dot(GZ_ARRAY3(box->axis[k]), t)) - GZ_ARRAY3(box->half)[k] - error;
        if (gap > 0) square += gap * gap;
    }
    return beyond(square, radius) - 3 * skew * size;
}

/// Of a sphere and an axis-aligned box.
static double from_aabb(const double center[3], double radius, const graze_aabb *box) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double gap = fmax(GZ_ARRAY3(box->min)[k] - center[k], center[k] - GZ_ARRAY3(box->max)[k]);
        if (gap > 0) square += gap * gap;
    }
    return beyond(square, radius);
}

gz_near_pair gz_near_object(const graze_distance_workspace *d, int32_t link, int32_t object) {
    const graze_workspace *ws = d->ws;
    const gz_object *o = gz_world_at(d->checker->world, (size_t)object);
    const double *center = ws->centers[link], radius = ws->radii[link];
    double bound = o->kind == GRAZE_SHAPE_POINTS
                       ? from_aabb(center, radius, &o->box)
                       : from_box(center, radius, &o->posed, GZ_OBJECT_SKEW);
    return (gz_near_pair){.bound = bound, .pair = -1, .link = link, .other = object, .fixed = -1};
}

bool gz_near_comes_before(const gz_near_place *x, const gz_near_place *y) {
    const gz_near_pair *p = &x->pair, *q = &y->pair;
    if ((p->pair < 0) != (q->pair < 0)) return p->pair >= 0;
    if (p->link != q->link) return p->link < q->link;
    if (p->other != q->other) return p->other < q->other;
    if (x->element != y->element) return x->element < y->element;
    return x->other_element < y->other_element;
}

void gz_near_begin(const gz_near_place *here, const gz_near_place *place, gz_nearest *nearest) {
    nearest->found = false;
    nearest->first = !place->found || gz_near_comes_before(here, place);
    nearest->aimed = place->found && !nearest->first && !gz_near_comes_before(place, here);
}
