#include <math.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/kinematics.h"
#include "verify/pose_bound.h"
#include "verify/posed_shape.h"
#include "verify/verify_memory.h"

// Halvings of an angle before its series: the error of a unit grows by 4 in each doubling.
#define HALVINGS 72
// Terms of the series: angles below 2^-12 leave less than 2^-12*36 of it behind.
#define TERMS 36

void gz_fixed_set(mpz_t out, double x) {
    gz_exact_set(out, x, -GZ_FIXED_BITS);
}

static void multiply(mpz_t out, const mpz_t a, const mpz_t b) {
    mpz_mul(out, a, b);
    mpz_fdiv_q_2exp(out, out, GZ_FIXED_BITS);
}

static void divide(mpz_t out, const mpz_t a, const mpz_t b) {
    mpz_t scaled;
    mpz_init(scaled);
    mpz_mul_2exp(scaled, a, GZ_FIXED_BITS);
    mpz_fdiv_q(out, scaled, b);
    mpz_clear(scaled);
}

/// Taylor's series at an angle below 2^-12, then the formulas for the double angle.
void gz_fixed_sine_cosine(mpz_t sine, mpz_t cosine, const mpz_t angle) {
    mpz_t small, term, one, square;
    mpz_inits(small, term, one, square, NULL);
    gz_fixed_set(one, 1);
    mpz_fdiv_q_2exp(small, angle, HALVINGS);
    // x^k / k!, added to cosine and sine in turn, with the signs + + - -.
    mpz_set(term, one);
    mpz_set(cosine, one);
    mpz_set_ui(sine, 0);
    for (unsigned long k = 1; k < TERMS; k++) {
        multiply(term, term, small);
        mpz_fdiv_q_ui(term, term, k);
        mpz_ptr sum = k % 2 == 1 ? sine : cosine;
        if (k % 4 < 2) {
            mpz_add(sum, sum, term);
        } else {
            mpz_sub(sum, sum, term);
        }
    }
    for (int k = 0; k < HALVINGS; k++) {
        multiply(sine, sine, cosine); // sin 2x = 2 sin x cos x
        mpz_mul_2exp(sine, sine, 1);
        multiply(square, cosine, cosine); // cos 2x = 2 cos^2 x - 1
        mpz_mul_2exp(square, square, 1);
        mpz_sub(cosine, square, one);
    }
    mpz_clears(small, term, one, square, NULL);
}

// The largest epsilon of a dump.
#define EPSILON_MAX 1e-4

// ---------------------------------------------------------------------------------------- poses

static void set_pose(gz_fixed_pose *pose, const double m[12]) {
    for (int i = 0; i < 12; i++) gz_fixed_set(pose->m[i], m[i]);
}

void gz_fixed_pose_identity(gz_fixed_pose *pose) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    set_pose(pose, identity);
}

void gz_fixed_pose_multiply(gz_fixed_pose *out, const gz_fixed_pose *a, const gz_fixed_pose *b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            mpz_ptr sum = out->m[4 * i + j];
            mpz_set_ui(sum, 0);
            for (int k = 0; k < 3; k++) mpz_addmul(sum, a->m[4 * i + k], b->m[4 * k + j]);
            mpz_fdiv_q_2exp(sum, sum, GZ_FIXED_BITS);
            if (j == 3) mpz_add(sum, sum, a->m[4 * i + 3]);
        }
    }
}

/// out = R p + t, three numbers.
static void apply_pose(mpz_t *out, const gz_fixed_pose *pose, const double p[3]) {
    mpz_t x;
    mpz_init(x);
    for (int i = 0; i < 3; i++) {
        mpz_set_ui(out[i], 0);
        for (int k = 0; k < 3; k++) {
            gz_fixed_set(x, p[k]);
            mpz_addmul(out[i], pose->m[4 * i + k], x);
        }
        mpz_fdiv_q_2exp(out[i], out[i], GZ_FIXED_BITS);
        mpz_add(out[i], out[i], pose->m[4 * i + 3]);
    }
    mpz_clear(x);
}

/// Makes a vector unit, in place. Returns false, and does nothing, where its length is 0.
static bool normalize(mpz_t *v, int count) {
    mpz_t sum;
    mpz_init(sum);
    for (int i = 0; i < count; i++) mpz_addmul(sum, v[i], v[i]);
    mpz_sqrt(sum, sum); // |v|, in units
    bool some = mpz_sgn(sum) > 0;
    for (int i = 0; some && i < count; i++) divide(v[i], v[i], sum);
    mpz_clear(sum);
    return some;
}

/// The direction of a vector of doubles, however short: a power of two makes its largest number 1/2
/// to 1 before anything is cut off. Returns false where all are 0.
static bool direction_of(mpz_t *v, const double *x, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    int exponent = 0;
    frexp(largest, &exponent);
    for (int i = 0; i < count; i++) gz_exact_set(v[i], x[i], exponent - GZ_FIXED_BITS);
    return normalize(v, count);
}

void gz_fixed_pose_turn(gz_fixed_pose *pose, mpz_t *axis, const mpz_t angle) {
    mpz_t s, c, rest, x;
    mpz_inits(s, c, rest, x, NULL);
    normalize(axis, 3);
    gz_fixed_sine_cosine(s, c, angle);
    gz_fixed_set(rest, 1);
    mpz_sub(rest, rest, c);
    // R = cos I + (1 - cos) u u^T + sin [u]x
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            mpz_ptr out = pose->m[4 * i + j];
            multiply(out, axis[i], axis[j]);
            multiply(out, out, rest);
            if (i == j) {
                mpz_add(out, out, c);
                continue;
            }
            int k = 3 - i - j;
            multiply(x, s, axis[k]);
            if ((i + 1) % 3 == j) { // [u]x has -u_k there
                mpz_sub(out, out, x);
            } else {
                mpz_add(out, out, x);
            }
        }
    }
    mpz_clears(s, c, rest, x, NULL);
}

struct gz_kinematics {
    gz_fixed_pose motion, moved, origin;
    mpz_t axis[3], plane[2][3], shift[3], x, y, z, place[3];
    const gz_dump_scene *scene;
    bool outside;   ///< a point of the last body, or what carries it, was outside the domain
    int32_t *order; ///< joints, parents' first
    gz_fixed_pose *links;
    bool *out_of_domain; ///< per link: whether it, or a joint on its way to the root, is
    gz_pose_bounds bounds;
};

#define NUMBERS      (offsetof(gz_kinematics, scene) / sizeof(mpz_t))
#define POSE_NUMBERS (sizeof(gz_fixed_pose) / sizeof(mpz_t))

// ------------------------------------------------------------------------------------- the tree

/// The joints from the root outwards; false where some link is not reached exactly once. `first`
/// and `next` are scratch: the joints of each parent, as chains.
static bool order_joints(gz_kinematics *k, int32_t *first, int32_t *next, bool *reached) {
    const gz_dump_scene *s = k->scene;
    for (size_t i = 0; i < s->tree_size; i++) first[i] = -1;
    for (size_t j = 0; j < s->joint_count; j++) {
        next[j] = first[s->joints[j].parent];
        first[s->joints[j].parent] = (int32_t)j;
    }
    size_t found = 0, done = 0;
    reached[s->root] = true;
    for (int32_t link = s->root; link >= 0;) {
        for (int32_t j = first[link]; j >= 0; j = next[j]) {
            if (reached[s->joints[j].child]) return false;
            reached[s->joints[j].child] = true;
            k->order[found++] = j;
        }
        link = done < found ? s->joints[k->order[done++]].child : -1;
    }
    return found == s->joint_count;
}

static int q_count(gz_dump_joint_type type) {
    static const int counts[] = {0, 1, 1, 1, 3, 7};
    return counts[type];
}

// The longest chain of joints that follow each other.
#define MIMICS 1000

/// Whether every joint knows its value: from q, or along a chain of mimics that ends; a fixed joint
/// there has the value 0.
static bool has_values(const gz_dump_scene *s) {
    for (size_t j = 0; j < s->joint_count; j++) {
        const gz_dump_joint *joint = &s->joints[j];
        for (int steps = 0; joint->mimic >= 0; steps++) {
            if ((size_t)joint->mimic >= s->joint_count || steps == MIMICS) return false;
            if (q_count(joint->type) != 1) return false;
            joint = &s->joints[joint->mimic];
            if (q_count(joint->type) > 1) return false;
        }
        if (q_count(joint->type) > 0 && joint->column < 0) return false;
    }
    return true;
}

static graze_status fail_tree(const gz_dump_text *text, const gz_dump_scene *s) {
    *text->error = (graze_error){.status = GRAZE_ERROR_SCHEMA};
    snprintf(text->error->file, sizeof text->error->file, "%s", text->name);
    snprintf(text->error->message, sizeof text->error->message,
             "the joints are no tree with the root %d, or one of them has no value", (int)s->root);
    return GRAZE_ERROR_SCHEMA;
}

graze_status gz_kinematics_create(gz_kinematics **out, const gz_dump_text *text,
                                  const gz_dump_scene *s) {
    *out = NULL;
    // Before anything is made for so many links: their number is only a claim so far.
    if (s->joint_count + 1 != s->tree_size) return fail_tree(text, s);
    gz_kinematics *k = gz_exact_numbers_create(sizeof *k, NUMBERS);
    bool *reached = gz_verify_calloc(s->tree_size, sizeof *reached);
    int32_t *first = gz_verify_calloc(s->tree_size, sizeof *first);
    int32_t *next = gz_verify_calloc(s->joint_count, sizeof *next);
    *out = k;
    if (k != NULL) {
        k->scene = s;
        k->order = gz_verify_calloc(s->joint_count, sizeof *k->order);
        k->links = gz_exact_numbers_create(s->tree_size * sizeof *k->links,
                                           s->tree_size * POSE_NUMBERS);
        k->out_of_domain = gz_verify_calloc(s->tree_size, sizeof *k->out_of_domain);
    }
    bool good = k != NULL && reached != NULL && first != NULL && next != NULL && k->order != NULL &&
                k->links != NULL && k->out_of_domain != NULL;
    graze_status status = good ? GRAZE_OK : gz_dump_no_memory(text);
    if (good && !(order_joints(k, first, next, reached) && has_values(s)))
        status = fail_tree(text, s);
    if (status == GRAZE_OK && !gz_pose_bounds_make(&k->bounds, s, k->order))
        status = gz_dump_no_memory(text);
    gz_verify_free(reached);
    gz_verify_free(first);
    gz_verify_free(next);
    return status;
}

void gz_kinematics_free(gz_kinematics *k) {
    if (k == NULL) return;
    gz_exact_numbers_free(k->links, k->scene->tree_size * POSE_NUMBERS);
    gz_verify_free(k->order);
    gz_verify_free(k->out_of_domain);
    gz_pose_bounds_free(&k->bounds);
    gz_exact_numbers_free(k, NUMBERS);
}

// --------------------------------------------------------------------------------------- motions

/// A whole number times a power of two.
typedef struct scaled {
    mpz_t whole, term;
    int exponent;
} scaled;

static void scale_by(scaled *s, double factor) {
    int own = gz_exact_exponent(factor);
    if (factor == 0 || mpz_sgn(s->whole) == 0) {
        mpz_set_ui(s->whole, 0);
        return;
    }
    gz_exact_set(s->term, factor, own);
    mpz_mul(s->whole, s->whole, s->term);
    s->exponent += own;
}

static void add_to(scaled *s, double term) {
    int own = gz_exact_exponent(term);
    if (term == 0) return;
    gz_exact_set(s->term, term, own);
    if (mpz_sgn(s->whole) == 0) s->exponent = own;
    if (own < s->exponent) {
        mpz_mul_2exp(s->whole, s->whole, (mp_bitcnt_t)(s->exponent - own));
        s->exponent = own;
    }
    mpz_mul_2exp(s->term, s->term, (mp_bitcnt_t)(own - s->exponent));
    mpz_add(s->whole, s->whole, s->term);
}

// The longest value along a chain of mimics: MIMICS multipliers of 53 bits each.
#define VALUE_BITS ((size_t)1 << 16)

/// The value of a joint of one number: multiplier * (that of the joint it follows) + offset, from
/// the end of the chain, where a fixed one has none. Nothing is cut off on the way: what is less
/// than a unit may be multiplied again. False where it is 2^60 or more: no value of a robot, and
/// more than the halvings of an angle take.
static bool joint_value(gz_kinematics *k, const gz_dump_joint *joint, const double *q, mpz_t out) {
    const gz_dump_joint *chain[MIMICS];
    int followers = 0;
    for (; joint->mimic >= 0; joint = &k->scene->joints[joint->mimic]) chain[followers++] = joint;
    scaled value = {.exponent = 0};
    mpz_inits(value.whole, value.term, NULL);
    add_to(&value, joint->type == GZ_DUMP_FIXED ? 0 : q[joint->column]);
    bool good = true;
    while (good && followers-- > 0) {
        scale_by(&value, chain[followers]->multiplier);
        add_to(&value, chain[followers]->offset);
        good = mpz_sizeinbase(value.whole, 2) <= VALUE_BITS;
    }
    if (mpz_sgn(value.whole) == 0) value.exponent = 0;
    // From here on in units of 2^-GZ_FIXED_BITS.
    int shift = value.exponent + GZ_FIXED_BITS;
    good = good && (int)mpz_sizeinbase(value.whole, 2) + value.exponent <= 60;
    if (good && shift >= 0) mpz_mul_2exp(out, value.whole, (mp_bitcnt_t)shift);
    if (good && shift < 0) mpz_fdiv_q_2exp(out, value.whole, (mp_bitcnt_t)-shift);
    mpz_clears(value.whole, value.term, NULL);
    return good;
}

/// Whether a value is outside of what the bounds are made for (docs/epsilon.md): of a slide, or a
/// turn that follows another joint, more than 1 beyond its limits' magnitude. Uses x.
static bool is_beyond_limits(gz_kinematics *k, const gz_dump_joint *joint, const mpz_t value) {
    bool slides = joint->type == GZ_DUMP_PRISMATIC;
    if (!joint->limited || (!slides && joint->mimic < 0)) return false;
    gz_fixed_set(k->x, fmax(fabs(joint->lower), fabs(joint->upper)));
    gz_fixed_set(k->z, 1);
    mpz_add(k->x, k->x, k->z);
    return mpz_cmpabs(value, k->x) > 0;
}

/// The two directions of a planar joint: the coordinate direction after the axis's largest
/// component, made perpendicular to the axis, and the axis's product with it.
static void make_plane(gz_kinematics *k, const double axis[3]) {
    int largest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) > fabs(axis[largest])) largest = i;
    int next = (largest + 1) % 3;
    mpz_t *u = k->plane[0], *v = k->plane[1], *a = k->axis;
    for (int i = 0; i < 3; i++) {
        gz_fixed_set(u[i], i == next);
        multiply(k->x, a[next], a[i]);
        mpz_sub(u[i], u[i], k->x);
    }
    normalize(u, 3);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        multiply(v[i], a[j], u[l]);
        multiply(k->x, a[l], u[j]);
        mpz_sub(v[i], v[i], k->x);
    }
}

static void move_planar(gz_kinematics *k, const double axis[3], const double q[3]) {
    make_plane(k, axis);
    for (int i = 0; i < 3; i++) {
        gz_fixed_set(k->x, q[0]);
        multiply(k->motion.m[4 * i + 3], k->plane[0][i], k->x);
        gz_fixed_set(k->x, q[1]);
        multiply(k->x, k->plane[1][i], k->x);
        mpz_add(k->motion.m[4 * i + 3], k->motion.m[4 * i + 3], k->x);
    }
    gz_fixed_set(k->y, q[2]);
    gz_fixed_pose_turn(&k->motion, k->axis, k->y);
}

/// R of a quaternion x y z w, normalised: 1 - 2 (y^2 + z^2), 2 (x y - w z) ...
static bool move_floating(gz_kinematics *k, const double q[7]) {
    mpz_t u[4], *r = k->motion.m;
    for (int i = 0; i < 4; i++) mpz_init(u[i]);
    bool turned = direction_of(u, q + 3, 4);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        // The diagonal has the squares of the other two, what is beside it the products.
        multiply(k->x, u[j], u[j]);
        multiply(k->y, u[l], u[l]);
        mpz_add(k->x, k->x, k->y);
        mpz_mul_2exp(k->x, k->x, 1);
        gz_fixed_set(r[4 * i + i], 1);
        mpz_sub(r[4 * i + i], r[4 * i + i], k->x);
        multiply(k->x, u[i], u[j]);
        multiply(k->y, u[3], u[l]);
        mpz_sub(r[4 * i + j], k->x, k->y);
        mpz_mul_2exp(r[4 * i + j], r[4 * i + j], 1);
        mpz_add(r[4 * j + i], k->x, k->y);
        mpz_mul_2exp(r[4 * j + i], r[4 * j + i], 1);
        gz_fixed_set(r[4 * i + 3], q[i]);
    }
    for (int i = 0; i < 4; i++) mpz_clear(u[i]);
    return turned;
}

/// The motion of one joint, after its origin; false where it has none: an axis or a quaternion of
/// length 0, or a value beyond all robots'.
static bool make_motion(gz_kinematics *k, const gz_dump_joint *joint, const double *q) {
    gz_fixed_pose_identity(&k->motion);
    if (joint->type == GZ_DUMP_FIXED) return true;
    if (joint->type == GZ_DUMP_FLOATING) return move_floating(k, q + joint->column);
    if (!direction_of(k->axis, joint->axis, 3)) return false;
    if (joint->type == GZ_DUMP_PLANAR) {
        move_planar(k, joint->axis, q + joint->column);
        return true;
    }
    if (!joint_value(k, joint, q, k->y)) return false;
    k->out_of_domain[joint->child] |= is_beyond_limits(k, joint, k->y);
    if (joint->type == GZ_DUMP_PRISMATIC) {
        for (int i = 0; i < 3; i++) multiply(k->motion.m[4 * i + 3], k->axis[i], k->y);
    } else {
        gz_fixed_pose_turn(&k->motion, k->axis, k->y);
    }
    return true;
}

/// The base: Rz(yaw) Ry(pitch) Rx(roll), and the translation.
static void pose_root(gz_kinematics *k, const double base[6]) {
    gz_fixed_pose *root = &k->links[k->scene->root];
    gz_fixed_pose_identity(root);
    for (int i = 0; i < 3; i++) gz_fixed_set(root->m[4 * i + 3], base[i]);
    for (int axis = 2; axis >= 0; axis--) {
        double direction[3] = {axis == 0, axis == 1, axis == 2};
        gz_fixed_pose_identity(&k->motion);
        direction_of(k->axis, direction, 3);
        gz_fixed_set(k->y, base[3 + axis]);
        gz_fixed_pose_turn(&k->motion, k->axis, k->y);
        gz_fixed_pose_multiply(&k->moved, root, &k->motion);
        for (int i = 0; i < 12; i++) mpz_set(root->m[i], k->moved.m[i]);
    }
}

// -------------------------------------------------------------------------------------- compared

/// Whether a snapped point is within the bound (a length in fixed point, squared) of its real
/// place.
static bool is_near(gz_kinematics *k, const gz_fixed_pose *real, const double pose[12],
                    const double v[3], const mpz_t square) {
    double w[3];
    gz_posed_snap(pose, v, w);
    for (int i = 0; i < 3; i++) k->outside = k->outside || !(fabs(w[i]) <= k->scene->domain);
    apply_pose(k->place, real, v);
    mpz_set_ui(k->y, 0);
    for (int i = 0; i < 3; i++) {
        gz_fixed_set(k->x, w[i]);
        mpz_sub(k->x, k->x, k->place[i]);
        mpz_addmul(k->y, k->x, k->x);
    }
    return mpz_cmp(k->y, square) <= 0;
}

/// Whether a cylinder's rims are within the bound of their real places, where both its ends are:
/// they turn with the axis, by the radius times the chord between the two directions, and by no
/// more than the radius, which is also how far the ball may be off that ends snapped to one point
/// make. Subtracts that from the bound and looks at the ends again.
static bool rims_follow(gz_kinematics *k, const gz_fixed_pose *real, const double pose[12],
                        const gz_dump_element *e, const mpz_t bound) {
    const double *ends[2] = {e->points[0], e->points[1]};
    double w[2][3];
    for (int i = 0; i < 2; i++) gz_posed_snap(pose, ends[i], w[i]);
    if (memcmp(ends[0], ends[1], sizeof w[0]) == 0) return true; // a ball: there is no axis
    apply_pose(k->axis, real, ends[0]);
    apply_pose(k->place, real, ends[1]);
    for (int i = 0; i < 3; i++) {
        mpz_sub(k->axis[i], k->place[i], k->axis[i]);
        gz_fixed_set(k->shift[i], w[1][i]);
        gz_fixed_set(k->x, w[0][i]);
        mpz_sub(k->shift[i], k->shift[i], k->x);
    }
    bool turns = normalize(k->axis, 3) && normalize(k->shift, 3);
    mpz_set_ui(k->y, 0);
    for (int i = 0; i < 3; i++) {
        mpz_sub(k->x, k->shift[i], k->axis[i]);
        mpz_addmul(k->y, k->x, k->x);
    }
    mpz_sqrt(k->y, k->y);
    gz_fixed_set(k->x, 1);
    if (!turns || mpz_cmp(k->y, k->x) > 0) mpz_set(k->y, k->x);
    gz_fixed_set(k->x, e->radius);
    multiply(k->x, k->x, k->y);
    mpz_sub(k->z, bound, k->x);
    if (mpz_sgn(k->z) < 0) return false;
    mpz_mul(k->z, k->z, k->z);
    return is_near(k, real, pose, ends[0], k->z) && is_near(k, real, pose, ends[1], k->z);
}

static bool body_follows(gz_kinematics *k, const gz_dump_body *body, const double pose[12],
                         double most) {
    const gz_fixed_pose *real = &k->links[k->scene->frames[body->frame]];
    mpz_t bound, square;
    mpz_inits(bound, square, NULL);
    // The bound is rounded nowhere, and 2^-150 is added for what is cut off here.
    gz_fixed_set(bound, most);
    gz_fixed_set(k->x, 0x1p-150);
    mpz_add(bound, bound, k->x);
    mpz_mul(square, bound, bound);
    bool follows = true;
    k->outside = k->out_of_domain[k->scene->frames[body->frame]];
    for (size_t e = 0; follows && e < body->element_count; e++) {
        const gz_dump_element *element = &body->elements[e];
        for (size_t i = 0; follows && i < element->point_count; i++)
            follows = is_near(k, real, pose, element->points[i], square);
        if (follows && element->shape == GZ_DUMP_CYLINDER)
            follows = rims_follow(k, real, pose, element, bound);
    }
    mpz_clears(bound, square, NULL);
    return follows;
}

/// Compares one link with its real pose. A refutation stays, whatever else is undecided.
static void check_body(gz_kinematics *k, size_t index, const double pose[12],
                       gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    const gz_dump_body *body = &s->bodies[index];
    // Above what an epsilon can be nothing is followed anyway.
    if (body->pose_error > k->bounds.stated[index] && body->pose_error <= EPSILON_MAX) {
        result->outcome = GZ_REPLAY_REFUTED;
        snprintf(result->message, sizeof result->message,
                 "%s: pose_error is %g m, more than the joints of the dump let it be, %g m",
                 body->name, body->pose_error, k->bounds.stated[index]);
        return;
    }
    // A verdict is one of the real configuration within epsilon: pose_error belongs to that, and
    // one that does not would let the link stand anywhere.
    if (!(body->pose_error <= s->epsilon)) {
        result->outcome = GZ_REPLAY_UNDECIDED;
        snprintf(result->message, sizeof result->message,
                 "%s is not followed: its pose_error is %g m, more than epsilon, %g m", body->name,
                 body->pose_error, s->epsilon);
        return;
    }
    double most = fmin(body->pose_error, k->bounds.possible[index]);
    if (body_follows(k, body, pose, most)) return;
    if (k->outside) {
        result->outcome = GZ_REPLAY_UNDECIDED;
        snprintf(result->message, sizeof result->message,
                 "%s, or what carries it, is outside the domain: %g m, or 1 beyond the limits of a "
                 "joint; its pose_error does not hold there",
                 body->name, s->domain);
        return;
    }
    result->outcome = GZ_REPLAY_REFUTED;
    snprintf(result->message, sizeof result->message,
             "%s does not stand where q puts it: a point is more than %g m off", body->name, most);
}

/// An epsilon that nothing in the dump accounts for would let what is apart count as touching.
/// Where a bound has no end, epsilon is the most that a dump can say.
static void check_epsilon(const gz_kinematics *k, gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    for (size_t i = 0; i < s->link_count; i++)
        if (!isfinite(s->bodies[i].pose_error)) return;
    if (s->epsilon <= k->bounds.epsilon) return;
    result->outcome = GZ_REPLAY_REFUTED;
    snprintf(result->message, sizeof result->message,
             "epsilon is %g m, more than the joints and the world of the dump let it be, %g m",
             s->epsilon, k->bounds.epsilon);
}

/// Whether a pose turns rigidly: R^T R is the identity up to 2^-10. Joints' origins are the dump's;
/// one that shrinks what the next stretches again would lose in between what is cut off. Uses x, y.
static bool is_rigid(gz_kinematics *k, const gz_fixed_pose *pose) {
    bool rigid = true;
    gz_fixed_set(k->y, 0x1p-10);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            gz_fixed_set(k->z, i == j ? -1 : 0);
            for (int row = 0; row < 3; row++) {
                multiply(k->x, pose->m[4 * row + i], pose->m[4 * row + j]);
                mpz_add(k->z, k->z, k->x);
            }
            rigid = rigid && mpz_cmpabs(k->z, k->y) <= 0;
        }
    }
    return rigid;
}

/// Whether a frame stands outside the domain: the bounds of what it carries do not hold, wherever
/// that is. Uses x.
static bool is_far(gz_kinematics *k, const gz_fixed_pose *pose) {
    bool far = false;
    gz_fixed_set(k->x, k->scene->domain);
    for (int i = 0; i < 3; i++) far = far || mpz_cmpabs(pose->m[4 * i + 3], k->x) > 0;
    return far;
}

/// Poses a joint's child in real arithmetic; false, and refuted, where that cannot be.
static bool follow_joint(gz_kinematics *k, const gz_dump_joint *joint, const double *q,
                         gz_replay_result *result) {
    k->out_of_domain[joint->child] = k->out_of_domain[joint->parent];
    const char *why = NULL;
    if (!make_motion(k, joint, q)) {
        why = "its axis or quaternion is 0, or its value too large";
    } else {
        set_pose(&k->origin, joint->origin);
        gz_fixed_pose_multiply(&k->moved, &k->links[joint->parent], &k->origin);
        gz_fixed_pose_multiply(&k->links[joint->child], &k->moved, &k->motion);
        if (!is_rigid(k, &k->links[joint->child])) why = "its origin is no rotation";
    }
    if (why == NULL) {
        k->out_of_domain[joint->child] |= is_far(k, &k->links[joint->child]);
        return true;
    }
    result->outcome = GZ_REPLAY_REFUTED;
    snprintf(result->message, sizeof result->message, "q puts joint %s nowhere: %s", joint->name,
             why);
    return false;
}

static bool follow_tree(gz_kinematics *k, const double *q, const double base[6],
                        gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    pose_root(k, base);
    k->out_of_domain[s->root] = is_far(k, &k->links[s->root]);
    for (size_t i = 0; i < s->joint_count; i++)
        if (!follow_joint(k, &s->joints[k->order[i]], q, result)) return false;
    return true;
}

bool gz_kinematics_place(gz_kinematics *k, const double *q, const double base[6],
                         double (*links)[12], gz_replay_result *result) {
    if (!follow_tree(k, q, base, result)) return false;
    for (size_t i = 0; i < k->scene->tree_size; i++)
        for (int n = 0; n < 12; n++)
            links[i][n] = ldexp(mpz_get_d(k->links[i].m[n]), -GZ_FIXED_BITS);
    return true;
}

void gz_kinematics_check(gz_kinematics *k, const gz_dump_configuration *c,
                         gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    if (c->verdict == GZ_DUMP_UNKNOWN || result->outcome == GZ_REPLAY_REFUTED) return;
    if (!follow_tree(k, c->q, c->base, result)) return;
    gz_pose_bounds_follow(&k->bounds, s, k->order, c->q);
    for (size_t i = 0; i < s->link_count && result->outcome != GZ_REPLAY_REFUTED; i++)
        check_body(k, i, c->poses[s->bodies[i].frame], result);
    if (result->outcome != GZ_REPLAY_REFUTED) check_epsilon(k, result);
}
