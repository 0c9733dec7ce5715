#include <math.h>

#include "check/filter_error.h"
#include "check/margin.h"
#include "math/transform.h"

/// With u = 2^-24, and norms those of
/// Frobenius. Sine and cosine are off by 8 u each (gz_filter_sine_cosine()).
///   An origin that permutes axes, then a turn about one of the body's: the matrix J has two rows
/// and columns of sines and cosines, 16 u in all; the products with the parent's columns, two
/// each, round six entries by 2 u times a norm of at most 1, below 5 u; and J stands for one that
/// is `bent`. 21 u and that.
///   Any other origin, then a turn about an axis of the body's frame: the origin's numbers u sqrt
///   3,
/// its product with the parent's rotation, three products summed, 3 u sqrt 3 sqrt 3 = 9 u; the
/// errors of sine and cosine times two columns of length 1 each, 16 u; two products and a sum for
/// each of these, 6 u. 33 u in all.
///   Any other J = projection + c cosine + s sine: the errors of s and c times |cosine|, |sine| <=
/// sqrt 2, 23 u; the rounding of the constants (u each), of products and sums (3 u), times the
/// norms, 16 u; the product with the parent's rotation 9 u. 48 u in all.
/// For all of them: 48 u and what is bent. A slide's rotation is the parent's times the origin's.
///   The translation R o + t adds the parent's rotation error times |o|, the rounding of o (its
/// constants, the value of a slide, products and sums: 4 u |o|) and of products and sums (4 u times
/// sqrt 3 |o| + |t|): below 12 u |o| + 4 u |t|, where |t| is less than e.length and the base's
/// offset, and e.length holds |o| once more. The pose in double, which counts, has the base's
/// translation in every sum: each joint rounds it by 2^-51 of at most 2^20 m a coordinate, 2^-30 m
/// in all, which is below 4 u GZ_FILTER_BASE_MAX. All of it holds with fused products, which round
/// less. The base's own numbers are rounded once: u, and u GZ_FILTER_BASE_MAX sqrt 3.
gz_pose_bound gz_pose_bound_next(const gz_pose_bound *parent, const gz_filter_body *body) {
    const double u = 0x1p-24;
    double o = 0;
    for (int k = 0; k < 3; k++) {
        double slide = body->turns ? 0 : fabs((double)body->slide[k]) * body->value_max;
        o += fabs((double)body->shift[k]) + slide;
    }
    gz_pose_bound e;
    e.length = parent->length + GZ_BOUND_SLACK * o;
    e.rotation = parent->rotation * (1 + 64 * u) + 48 * u + GZ_BOUND_SLACK * body->bent;
    e.translation = parent->translation + (parent->rotation + GZ_BOUND_SLACK * body->bent) * o +
                    6 * u * (o + e.length + 2 * GZ_FILTER_BASE_MAX);
    return e;
}

void gz_common_bodies(const graze_robot *r, int32_t body, int32_t *common) {
    for (int32_t i = 0; i < r->body_count; i++) common[i] = -1;
    for (int32_t i = body; i >= 0; i = r->bodies[i].parent) common[i] = i;
    for (int32_t i = 0; i < r->body_count; i++) // parents come first
        if (common[i] < 0) common[i] = common[r->bodies[i].parent];
}

/// What a link's bounds are off seen from a body on its way: the error recursion from there on. It
/// starts with none, so that every step adds less to the translation, by the body's rotation error
/// times |o|, and nothing else is more.
static double own_error(const gz_pair_side *s, const gz_pose_bound *common) {
    double path = (s->body->length - common->length) * (1 / GZ_BOUND_SLACK - 1e-6);
    return s->error -
           GZ_BOUND_SLACK * (1 - 1e-6) * (common->translation + common->rotation * fmax(path, 0));
}

/// Box and sphere of a link reach this far from the sphere's centre, in the 1-norm along the box.
static double extent(const gz_link *l) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = GZ_ARRAY3(l->obb.center)[k] - GZ_ARRAY3(l->sphere.center)[k];
    return gz_norm(d) + l->sphere.radius + l->obb.half.x + l->obb.half.y + l->obb.half.z;
}

/// The float pose of the common body is A R with a rotation R, where |A - 1| is at most its
/// rotation error e. Were all joints behind it exact, it would place both links by A where they
/// are; each is off that by its own error, longer by 1 + e at most. A changes a distance D by at
/// most e D. So spheres that are D apart in float are D - e D - errors apart, and e
/// times the sum of their radii and the margin is enough. A changes products of two unit vectors by
/// 2 e + e^2, and so a gap along an axis of two boxes, at the distance d of their centres, by 2.01
/// e (d + their half extents), along products of two axes by 8.2 e (d + half extents), the distance
/// of a centre from a box by 3.5 e d: 16 e of both, with d no more than the spheres' and the
/// centres'. Errors count four times for boxes, as where the whole error does (boxes_near() and
/// boxes_apart()). Mesh proxies take `spheres` for the error of both places, and then the errors of
/// both rotations, of which each holds e, times the distance: more than 2.01 e. Where the error of
/// the whole way is less, it counts.
///
/// Tests of two boxes take the axes of the first, A, for a rotation's: with B the second's, and d =
/// A x - B y where they touch, they test d along B as B' A A' d, and at its products with the
/// columns of R = A' B as if these were a rotation's. The former is off by |A A' - 1| |d|, of which
/// |y|, at most the second's half extents, is not in proportion to the first's own size: (2 e +
/// e^2) |y|. The latter is: a product of two columns of R is off the third by at most 3 e + e^2
/// (its singular values lie within 1 -+ e), so that of two with numbers of y is off by sqrt 2 (3 e
/// + e^2) |y|. Both are below 6 e |y| for e < 1; either box may be the first. What comes of B's
/// own e is in proportion to y, and in the four times.
gz_pair_pads gz_pair_pads_make(const gz_pair_side *a, const gz_pair_side *b,
                               const gz_pose_bound *common, double margin) {
    double whole = 1.001 * (a->error + b->error), turn = GZ_BOUND_SLACK * common->rotation;
    double across = 6.01 * (a->body->rotation * gz_norm(GZ_ARRAY3(b->link->obb.half)) +
                            b->body->rotation * gz_norm(GZ_ARRAY3(a->link->obb.half)));
    gz_pair_pads out = {whole, 4 * whole + across};
    if (!(turn < 0.005)) return out;
    double own = GZ_BOUND_SLACK * (own_error(a, common) + own_error(b, common));
    double radii = a->link->sphere.radius + b->link->sphere.radius + margin;
    double size = extent(a->link) + extent(b->link) + 2 * whole + margin;
    out.spheres = fmin(out.spheres, own + turn * (radii + own));
    out.boxes = fmin(out.boxes, 4 * own + 16 * turn * size + across);
    return out;
}

float gz_filter_threshold(double margin, double radii, float turn) {
    double threshold = 2 * gz_margin_threshold(margin, radii) - margin;
    return (float)(threshold * (1.00001 + 2 * (double)turn));
}
