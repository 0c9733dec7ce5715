// How far can a snapped vertex be from its place in real arithmetic? docs/epsilon.md tells the
// derivation in prose; here stand the numbers.

#include <math.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/shape.h"
#include "robot/robot.h"

// Matrices carry the Frobenius norm |.|, vectors the Euclidean one, u = 2^-53. R, t are a body's
// real pose, R', t' the computed one:
//
//     rotation >= |R' - R|,   stretch >= |R|_2 and |R^-1|_2 (origins as stored are not quite
//     rigid), |t' - t| <= fixed + per_metre D + roundings sqrt 3 h,
//
// where D is the domain and h = u 2^floor(log2 D) the rounding of a sum of magnitude at most D. The
// rest is of first order in u; products of errors, and the rounding of the bounds themselves, are
// below 2^-20 of them (chains have at most 10^5 joints) and are held by SLACK at the end.
#define U     0x1p-53
#define SLACK (1 + 0x1p-20)

/// The product A B of rotations: nine sums (x + y) + z of products. The products are off by u times
/// the entries of |A||B|, each at most 1 (rows and columns have length 1): 3 u in norm; the first
/// sums by u times a matrix of norm sqrt 2 (two columns of A, two rows of B), the second ones by u
/// sqrt 3: 6.15 u.
#define PRODUCT_ERROR (6.2 * U)

/// The base, from three angles. Each factor has four entries that are sines or cosines, each off by
/// 2 u: 4 u in norm, 12 u for three factors. Of the rounded entries four are sums of products of up
/// to three factors, off by 2 u (their absolute values sum to at most 1 by Cauchy and Schwarz) and
/// u, four are single products, u each, one is exact: sqrt(4 * 9 + 4) u < 6.4 u. The translation is
/// exact.
#define BASE_ERROR (6 * GZ_TRIGONOMETRY_ERROR + 6.4 * U)

/// A joint's turn, (projection + c cosine) + s sine, about a unit axis; C and S are the real
/// constants, of norm sqrt 2 each, orthogonal to each other and to the projection part of norm 1.
/// Sine and cosine are off by 2 u each: sqrt(2 (2 u)^2 * 2) = 4 u. Products: u sqrt 2 (|c| + |s|)
/// <= 2 u. Sums: of norm at most sqrt 3 each, 3.5 u.
#define TURN_ERROR (2 * GZ_TRIGONOMETRY_ERROR + 5.5 * U)

/// The folded constants of a turn. projection = O (a a^T): entries of a a^T and products are off by
/// u each, 2 u sqrt 3 in all, sums by u each: 5.5 u. cosine = O - projection is off by that,
/// and 1.42 u; as its part enters with 1 - c, twice 5.5 u holds both. sine = O [a]x: products u
/// sqrt 3 sqrt 2, one sum u sqrt 2: 3.9 u. Where the axis is a coordinate direction all of it is
/// exact.
#define FOLD_ERROR (16.4 * U)
/// The same for an axis of length 1 + n instead of 1: 2 n (1 - c) + sqrt 2 n |s| < 5.5 n.
#define FOLD_AXIS 5.5

/// A quaternion. Its norm is off by 3 u (squares u, sums 3 u, half of it for the root, the root u),
/// its quotients by 4 u: within 4 u of the unit quaternion, whose turn moves by 2 sqrt 2 times that
/// for a change across it and for one along it, together 22.7 u. Entries: six off by 2 u (|x y| +
/// |w z| <= 1/2, doubled; the sum), three by 5 u: 10 u. Then the product with the origin.
#define QUATERNION_ERROR (33 * U + PRODUCT_ERROR)

/// The directions of a plane, docs/epsilon.md: the first within 6 u + 2 n, the second 8.5 u + 3 n.
#define PLANE_ERROR (14.5 * U)
#define PLANE_AXIS  5

/// Limited values may be this much beyond their limits, rad or m, before the bound ends.
#define BEYOND_LIMITS 1.0

/// A length of the form fixed + per_metre D.
typedef struct length {
    double fixed, per_metre;
} length;

/// What the analysis knows of a link while it goes down the tree: in_body is off by so much.
typedef struct fold_error {
    double rotation, translation;
} fold_error;

static bool is_identity_turn(const double m[12]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (m[4 * i + j] != (i == j)) return false;
    return true;
}

double gz_robot_skew(const double m[12]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = (m[i] * m[j] + m[4 + i] * m[4 + j]) + m[8 + i] * m[8 + j];
            sum += (dot - (i == j)) * (dot - (i == j));
        }
    }
    return sqrt(sum);
}

/// |O^T O - I|, rounded up: 0 for the identity. Each dot is off by 4 u.
static double rigid_error(const double m[12]) {
    return is_identity_turn(m) ? 0 : gz_robot_skew(m) * SLACK + 16 * U;
}

static double translation_of(const double m[12]) {
    double t[3] = {m[3], m[7], m[11]};
    return gz_norm(t);
}

static bool is_coordinate_axis(const double a[3]) {
    double sum = fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
    return sum == 1 && (fabs(a[0]) == 1 || fabs(a[1]) == 1 || fabs(a[2]) == 1);
}

/// How far the length of an axis is from 1: ||a| - 1| <= ||a|^2 - 1|.
static double axis_error(const double a[3]) {
    return is_coordinate_axis(a) ? 0 : fabs(gz_dot(a, a) - 1) + 4 * U;
}

// ------------------------------------------------------------------------------------- the values

/// Errors of a joint's resolved multiplier and offset against those of its mimic chain.
typedef struct mimic_error {
    double multiplier, offset;
    bool known;
} mimic_error;

static bool is_power_of_two(double x) {
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5;
}

/// value = m (m' q + b') + b of a joint that follows another with errors of its own; a product with
/// a power of two, or with 0, is exact.
static mimic_error follow(const gz_joint *j, const gz_joint *other, const mimic_error *before) {
    double m = j->info.multiplier, product = m * other->offset;
    bool exact = is_power_of_two(m) || m == 0;
    mimic_error e = {.known = true};
    e.multiplier = fabs(m) * before->multiplier;
    if (!exact && !is_power_of_two(other->multiplier)) e.multiplier += U * fabs(j->multiplier);
    e.offset = fabs(m) * before->offset;
    if (!exact) e.offset += U * fabs(product);
    if (product != 0 && j->info.offset != 0) e.offset += U * fabs(j->offset);
    return e;
}

/// Fills the errors of one joint and of all that it follows. `path` has room for all joints.
static void resolve(const graze_robot *r, int32_t joint, mimic_error *errors, int32_t *path) {
    size_t count = 0;
    while (!errors[joint].known && r->joints[joint].info.mimic >= 0) {
        path[count++] = joint;
        joint = r->joints[joint].info.mimic;
    }
    errors[joint].known = true; // the end of a chain is q itself, or the 0 of a fixed joint
    while (count) {
        int32_t at = path[--count];
        errors[at] = follow(&r->joints[at], &r->joints[joint], &errors[joint]);
        joint = at;
    }
}

/// How far the value of a body's joint may be off, for magnitudes up to `most`: m q has magnitude
/// at most most + |b|; multiplying and adding round once each.
static double value_error(const gz_body *b, const mimic_error *e, double most) {
    double product = most + fabs(b->offset), m = fabs(b->multiplier);
    if (b->column < 0) return e->offset;
    double sum = e->offset;
    if (e->multiplier > 0) sum += m > 0 ? e->multiplier / m * product : e->multiplier * 0x1p20;
    if (!is_power_of_two(m) && m != 0) sum += U * product;
    if (b->offset != 0) sum += U * most;
    return sum;
}

/// The largest magnitude of a joint's value that the bound holds for; INFINITY where the domain's
/// size is all that bounds it. Angles that follow others are held to their limits, because at 2^20
/// radians their rounding alone would be 2^-32.
static double value_max(const graze_robot *r, const gz_body *b) {
    const graze_joint_info *info = &r->joints[b->joint].info;
    bool slides = b->type == GRAZE_JOINT_PRISMATIC, turns = b->type == GRAZE_JOINT_REVOLUTE;
    if (info->limited && (slides || (turns && info->mimic >= 0)))
        return fmax(fabs(info->lower), fabs(info->upper)) + BEYOND_LIMITS;
    return INFINITY;
}

// -------------------------------------------------------------------------------------- the bodies

/// One joint: errors of its own rotation and translation, and bounds of the translation `move` from
/// the parent's frame to the body's, and of the part `shift` of it that q makes.
typedef struct joint_error {
    double rotation;
    length translation, move, shift;
    bool no_origin_turn; ///< its rotation is the identity: the product with the parent's is exact
} joint_error;

static void add_length(length *sum, double factor, length x) {
    sum->fixed += factor * x.fixed;
    if (x.per_metre > 0) sum->per_metre += factor * x.per_metre;
}

/// How far a joint can move its body: limited slides by their limits, others by the domain, since
/// R' (move) = t' - t'_parent is at most 2 sqrt 3 D long.
static void bound_moves(const gz_body *b, double stretch, double skew, joint_error *e) {
    double origin = translation_of(b->origin);
    e->move = (length){.fixed = origin};
    bool slides = b->type == GRAZE_JOINT_PRISMATIC;
    if (slides && isfinite(b->value_max)) {
        e->shift = (length){.fixed = b->value_max};
        e->move.fixed += (1 + skew) * b->value_max;
    } else if (slides || b->type == GRAZE_JOINT_PLANAR || b->type == GRAZE_JOINT_FLOATING) {
        double far = 2 * sqrt(3) * stretch * SLACK;
        e->move = (length){.per_metre = far};
        e->shift = (length){.fixed = (1 + skew) * origin, .per_metre = (1 + skew) * far};
    }
}

/// The joint's own motion M = origin * turn or shift, see the constants above. `skew` is that of
/// its origin, `fold` the error of the origin, folded from fixed joints.
static joint_error joint_errors(const gz_body *b, double stretch, double skew,
                                const fold_error *fold, const mimic_error *mimic) {
    joint_error e = {.rotation = fold->rotation, .translation = {.fixed = fold->translation}};
    bool aligned = is_coordinate_axis(b->axis);
    double off = axis_error(b->axis), shift = GZ_APPLY_ERROR, long_value = b->value_max;
    bound_moves(b, stretch, skew, &e);
    switch (b->type) {
    case GRAZE_JOINT_PRISMATIC:
        e.no_origin_turn = is_identity_turn(b->origin);
        shift += off + (aligned ? 0 : U);
        if (!isfinite(long_value)) long_value = GZ_ANGLE_MAX;
        e.translation.fixed += (1 + skew) * value_error(b, mimic, long_value);
        break;
    case GRAZE_JOINT_FLOATING:
        e.rotation += (1 + skew) * QUATERNION_ERROR;
        break;
    default:
        if (b->type == GRAZE_JOINT_PLANAR && !aligned) shift += PLANE_ERROR + PLANE_AXIS * off;
        if (!isfinite(long_value)) long_value = GZ_ANGLE_MAX;
        e.rotation += (1 + skew) * (TURN_ERROR + (aligned ? 0 : FOLD_ERROR + FOLD_AXIS * off));
        e.rotation += (1 + skew) * sqrt(2) * value_error(b, mimic, long_value);
        break;
    }
    // O shift + o: the shift's own error, the product, the sum (u of each coordinate).
    if (e.shift.fixed > 0 || e.shift.per_metre > 0) {
        add_length(&e.translation, (1 + skew) * shift + fold->rotation, e.shift);
        add_length(&e.translation, U, e.move);
    }
    return e;
}

/// R = R_parent M and t = R_parent move + t_parent, with the roundings of gz_transform_compose().
static void pose_body(gz_pose_error *out, const gz_pose_error *parent, const joint_error *e,
                      double skew) {
    *out = *parent;
    out->stretch *= 1 + skew;
    out->rotation = parent->rotation * (1 + skew) + parent->stretch * e->rotation;
    if (!e->no_origin_turn) out->rotation += out->stretch * PRODUCT_ERROR;
    length sum = {parent->fixed, parent->per_metre};
    add_length(&sum, parent->rotation + GZ_APPLY_ERROR * parent->stretch, e->move);
    add_length(&sum, parent->stretch, e->translation);
    out->fixed = sum.fixed;
    out->per_metre = sum.per_metre;
    // Adding t' rounds each coordinate, unless there is nothing to add.
    if (e->move.fixed > 0 || e->move.per_metre > 0) out->roundings++;
}

/// The errors of links' places in their bodies, root links first: those that the fold composed.
static void fold_link(const graze_robot *r, int32_t link, fold_error *folds) {
    const gz_joint *j = &r->joints[r->links[link].parent_joint];
    const gz_link *parent = &r->links[j->info.parent];
    const fold_error *before = &folds[j->info.parent];
    // A body's root link has the identity for its place, and composing with it is exact.
    if (r->bodies[parent->body].root_link == j->info.parent) return;
    double skew = rigid_error(j->info.origin.m), move = translation_of(j->info.origin.m);
    double around = 1 + rigid_error(parent->in_body.m);
    fold_error *out = &folds[link];
    out->rotation = before->rotation * (1 + skew) + around * (1 + skew) * PRODUCT_ERROR;
    out->translation = before->translation + (before->rotation + GZ_APPLY_ERROR * around) * move +
                       U * (translation_of(parent->in_body.m) + around * move);
}

static void analyse_body(graze_robot *r, int32_t index, const fold_error *folds,
                         const mimic_error *mimics) {
    gz_body *b = &r->bodies[index];
    b->value_max = value_max(r, b);
    const gz_pose_error *parent = &r->bodies[b->parent].error;
    double skew = rigid_error(b->origin);
    joint_error e = joint_errors(b, parent->stretch, skew, &folds[b->root_link], &mimics[b->joint]);
    pose_body(&b->error, parent, &e, skew);
    // Origins that are no rotations, or axes that are no directions, are beyond the first order.
    if (!(skew <= 0x1p-20) || !(axis_error(b->axis) <= 0x1p-20)) b->error.fixed = INFINITY;
}

bool gz_robot_analyse(graze_robot *r, const int32_t *order) {
    size_t joints = (size_t)r->joint_count;
    fold_error *folds = gz_calloc((size_t)r->link_count, sizeof *folds);
    mimic_error *mimics = gz_calloc(joints, sizeof *mimics);
    int32_t *path = gz_malloc(joints, sizeof *path);
    bool ok = folds && mimics && path;
    if (ok) {
        for (int32_t i = 1; i < r->link_count; i++) fold_link(r, order[i], folds);
        for (int32_t j = 0; j < r->joint_count; j++) resolve(r, j, mimics, path);
        r->bodies[0].error = (gz_pose_error){.rotation = BASE_ERROR, .stretch = 1};
        r->bodies[0].value_max = INFINITY;
        for (int32_t i = 1; i < r->body_count; i++) analyse_body(r, i, folds, mimics);
    }
    gz_free(folds);
    gz_free(mimics);
    gz_free(path);
    return ok;
}

// ------------------------------------------------------------------------------------- the answers

/// What rounding adds to R' v + t' for a point v at most `radius` from its body's origin.
static double rounding_error(const gz_pose_error *e, double radius, double domain) {
    double sum = GZ_APPLY_ERROR * e->stretch * radius + sqrt(3) * gz_half_ulp(domain * SLACK);
    return sum * SLACK + GZ_SNAP_ERROR;
}

static double vertex_error(const gz_pose_error *e, double radius, double domain) {
    double pose = e->fixed + e->rotation * radius;
    if (e->per_metre > 0) pose += e->per_metre * domain;
    pose += e->roundings * sqrt(3) * gz_half_ulp(domain * SLACK);
    return pose * SLACK + rounding_error(e, radius, domain);
}

static double element_error(const gz_shape *shape, const gz_pose_error *e, double domain) {
    if (shape->mesh) return vertex_error(e, gz_mesh_span(shape->mesh), domain);
    double radius = fmax(gz_norm(shape->a), gz_norm(shape->b)), axis[3];
    gz_subtract(shape->b, shape->a, axis);
    // Seen from each other the ends share the error of t.
    double apart = e->rotation * gz_norm(axis) * SLACK + 2 * rounding_error(e, radius, domain);
    return gz_curved_error(shape, vertex_error(e, radius, domain), apart);
}

GZ_OUT_OF_LINE static double link_error(const graze_robot *r, const gz_link *l, double domain) {
    double most = 0;
    for (size_t i = l->first_collision; i < l->first_collision + l->collision_count; i++) {
        double e = element_error(&r->collisions[i].shape, &r->bodies[l->body].error, domain);
        most = e <= most ? most : e;
    }
    return isfinite(most) ? most : INFINITY;
}

static bool is_domain(double domain) {
    return domain > 0 && domain <= GZ_COORDINATE_MAX;
}

double graze_robot_link_pose_error(const graze_robot *r, int32_t link, double domain) {
    GZ_FLOAT_ENVIRONMENT;
    if (!r || link < 0 || link >= r->link_count || !is_domain(domain)) return INFINITY;
    return link_error(r, &r->links[link], domain);
}

double graze_robot_pose_error(const graze_robot *r, double domain) {
    GZ_FLOAT_ENVIRONMENT;
    if (!r || !is_domain(domain)) return INFINITY;
    double most = 0;
    for (int32_t i = 0; i < r->link_count; i++)
        most = fmax(most, link_error(r, &r->links[i], domain));
    return most;
}
