#include "verify/kinematics.h"

#include <math.h>
#include <string.h>

#include "verify/fixed_point.h"
#include "verify/posed_shape.h"
#include "verify/verify_memory.h"

struct gz_kinematics {
    const gz_dump_scene *scene;
    bool outside;   ///< some point of the last part was outside the domain
    int32_t *order; ///< joints, parents' first
    gz_fixed_pose *links;
    gz_fixed_pose motion, moved, origin;
    mpz_t axis[3], plane[2][3], shift[3], x, y, place[3];
};

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

static void each_number(gz_kinematics *k, void (*number)(mpz_ptr)) {
    for (int i = 0; i < 3; i++) {
        number(k->axis[i]);
        number(k->plane[0][i]);
        number(k->plane[1][i]);
        number(k->shift[i]);
        number(k->place[i]);
    }
    number(k->x);
    number(k->y);
}

graze_status gz_kinematics_create(gz_kinematics **out, const gz_dump_text *text,
                                  const gz_dump_scene *s) {
    *out = NULL;
    // Before anything is made for so many links: their number is only a claim so far.
    if (s->joint_count + 1 != s->tree_size) return fail_tree(text, s);
    gz_kinematics *k = gz_verify_calloc(1, sizeof *k);
    bool *reached = gz_verify_calloc(s->tree_size, sizeof *reached);
    int32_t *first = gz_verify_calloc(s->tree_size, sizeof *first);
    int32_t *next = gz_verify_calloc(s->joint_count, sizeof *next);
    *out = k;
    if (k != NULL) {
        k->scene = s;
        k->order = gz_verify_calloc(s->joint_count, sizeof *k->order);
        k->links = gz_verify_calloc(s->tree_size, sizeof *k->links);
        for (size_t i = 0; k->links != NULL && i < s->tree_size; i++)
            gz_fixed_pose_init(&k->links[i]);
        gz_fixed_pose_init(&k->motion);
        gz_fixed_pose_init(&k->moved);
        gz_fixed_pose_init(&k->origin);
        each_number(k, mpz_init);
    }
    bool good = k != NULL && reached != NULL && first != NULL && next != NULL && k->order != NULL &&
                k->links != NULL;
    graze_status status = good ? GRAZE_OK : gz_dump_no_memory(text);
    if (good && !(order_joints(k, first, next, reached) && has_values(s)))
        status = fail_tree(text, s);
    gz_verify_free(reached);
    gz_verify_free(first);
    gz_verify_free(next);
    return status;
}

void gz_kinematics_free(gz_kinematics *k) {
    if (k == NULL) return;
    for (size_t i = 0; k->links != NULL && i < k->scene->tree_size; i++)
        gz_fixed_pose_clear(&k->links[i]);
    gz_fixed_pose_clear(&k->motion);
    gz_fixed_pose_clear(&k->moved);
    gz_fixed_pose_clear(&k->origin);
    each_number(k, mpz_clear);
    gz_verify_free(k->order);
    gz_verify_free(k->links);
    gz_verify_free(k);
}

// --------------------------------------------------------------------------------------- motions

/// The value of a joint of one number: multiplier * (that of the joint it follows) + offset, along
/// the chain, at whose end a fixed one has none. Uses x. False where it is 2^60 or more: no value
/// of a robot, and more than the halvings of an angle take.
static bool joint_value(gz_kinematics *k, const gz_dump_joint *joint, const double *q, mpz_t out) {
    mpz_t slope, sum;
    mpz_inits(slope, sum, NULL);
    gz_fixed_set(slope, 1);
    for (; joint->mimic >= 0; joint = &k->scene->joints[joint->mimic]) {
        gz_fixed_set(k->x, joint->offset);
        gz_fixed_multiply(k->x, k->x, slope);
        mpz_add(sum, sum, k->x);
        gz_fixed_set(k->x, joint->multiplier);
        gz_fixed_multiply(slope, slope, k->x);
    }
    gz_fixed_set(k->x, joint->type == GZ_DUMP_FIXED ? 0 : q[joint->column]);
    gz_fixed_multiply(out, slope, k->x);
    mpz_add(out, out, sum);
    mpz_clears(slope, sum, NULL);
    return mpz_sizeinbase(out, 2) <= GZ_FIXED_BITS + 60;
}

static bool load_axis(gz_kinematics *k, const double axis[3]) {
    for (int i = 0; i < 3; i++) gz_fixed_set(k->axis[i], axis[i]);
    return gz_fixed_normalize(k->axis, 3);
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
        gz_fixed_multiply(k->x, a[next], a[i]);
        mpz_sub(u[i], u[i], k->x);
    }
    gz_fixed_normalize(u, 3);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        gz_fixed_multiply(v[i], a[j], u[l]);
        gz_fixed_multiply(k->x, a[l], u[j]);
        mpz_sub(v[i], v[i], k->x);
    }
}

static void move_planar(gz_kinematics *k, const double axis[3], const double q[3]) {
    make_plane(k, axis);
    for (int i = 0; i < 3; i++) {
        gz_fixed_set(k->x, q[0]);
        gz_fixed_multiply(k->motion.m[4 * i + 3], k->plane[0][i], k->x);
        gz_fixed_set(k->x, q[1]);
        gz_fixed_multiply(k->x, k->plane[1][i], k->x);
        mpz_add(k->motion.m[4 * i + 3], k->motion.m[4 * i + 3], k->x);
    }
    gz_fixed_set(k->y, q[2]);
    gz_fixed_pose_turn(&k->motion, k->axis, k->y);
}

/// R of a quaternion x y z w, normalised: 1 - 2 (y^2 + z^2), 2 (x y - w z) ...
static bool move_floating(gz_kinematics *k, const double q[7]) {
    mpz_t u[4], *r = k->motion.m;
    for (int i = 0; i < 4; i++) {
        mpz_init(u[i]);
        gz_fixed_set(u[i], q[3 + i]);
    }
    bool turned = gz_fixed_normalize(u, 4);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        // The diagonal has the squares of the other two, what is beside it the products.
        gz_fixed_multiply(k->x, u[j], u[j]);
        gz_fixed_multiply(k->y, u[l], u[l]);
        mpz_add(k->x, k->x, k->y);
        mpz_mul_2exp(k->x, k->x, 1);
        gz_fixed_set(r[4 * i + i], 1);
        mpz_sub(r[4 * i + i], r[4 * i + i], k->x);
        gz_fixed_multiply(k->x, u[i], u[j]);
        gz_fixed_multiply(k->y, u[3], u[l]);
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
    if (!load_axis(k, joint->axis)) return false;
    if (joint->type == GZ_DUMP_PLANAR) {
        move_planar(k, joint->axis, q + joint->column);
        return true;
    }
    if (!joint_value(k, joint, q, k->y)) return false;
    if (joint->type == GZ_DUMP_PRISMATIC) {
        for (int i = 0; i < 3; i++) gz_fixed_multiply(k->motion.m[4 * i + 3], k->axis[i], k->y);
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
        load_axis(k, direction);
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
    gz_fixed_pose_apply(k->place, real, v);
    mpz_set_ui(k->y, 0);
    for (int i = 0; i < 3; i++) {
        gz_fixed_set(k->x, w[i]);
        mpz_sub(k->x, k->x, k->place[i]);
        mpz_addmul(k->y, k->x, k->x);
    }
    return mpz_cmp(k->y, square) <= 0;
}

static bool part_follows(gz_kinematics *k, const gz_dump_part *part, const double pose[12]) {
    const gz_fixed_pose *real = &k->links[k->scene->frames[part->frame]];
    mpz_t square;
    mpz_init(square);
    // The bound is rounded nowhere, and 2^-150 is added for what is cut off here.
    gz_fixed_set(square, part->pose_error);
    gz_fixed_set(k->x, 0x1p-150);
    mpz_add(square, square, k->x);
    mpz_mul(square, square, square);
    bool follows = true;
    k->outside = false;
    for (size_t e = 0; follows && e < part->element_count; e++)
        for (size_t i = 0; follows && i < part->elements[e].point_count; i++)
            follows = is_near(k, real, pose, part->elements[e].points[i], square);
    mpz_clear(square);
    return follows;
}

/// Says what is not as claimed. What is refuted is not made good again by what is undecided.
static void find_part(gz_kinematics *k, const gz_dump_part *part, const double pose[12],
                      gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    // A verdict is one of the real configuration within epsilon: pose_error belongs to that, and
    // one that does not would let the link stand anywhere.
    if (!(part->pose_error <= s->epsilon)) {
        result->outcome = GZ_REPLAY_UNDECIDED;
        snprintf(result->message, sizeof result->message,
                 "%s is not followed: its pose_error is %g m, more than epsilon, %g m", part->name,
                 part->pose_error, s->epsilon);
        return;
    }
    if (part_follows(k, part, pose)) return;
    if (k->outside) {
        result->outcome = GZ_REPLAY_UNDECIDED;
        snprintf(result->message, sizeof result->message,
                 "%s is outside the domain of %g m, where its pose_error does not hold", part->name,
                 s->domain);
        return;
    }
    result->outcome = GZ_REPLAY_REFUTED;
    snprintf(result->message, sizeof result->message,
             "%s does not stand where q puts it: a point is more than %g m off", part->name,
             part->pose_error);
}

void gz_kinematics_check(gz_kinematics *k, const gz_dump_configuration *c,
                         gz_replay_result *result) {
    const gz_dump_scene *s = k->scene;
    if (c->verdict == GZ_DUMP_UNKNOWN || result->outcome == GZ_REPLAY_REFUTED) return;
    pose_root(k, c->base);
    for (size_t i = 0; i < s->joint_count; i++) {
        const gz_dump_joint *joint = &s->joints[k->order[i]];
        if (!make_motion(k, joint, c->q)) {
            result->outcome = GZ_REPLAY_REFUTED;
            snprintf(result->message, sizeof result->message,
                     "q puts joint %s nowhere: its axis or quaternion is 0, or its value too large",
                     joint->name);
            return;
        }
        gz_fixed_pose_set(&k->origin, joint->origin);
        gz_fixed_pose_multiply(&k->moved, &k->links[joint->parent], &k->origin);
        gz_fixed_pose_multiply(&k->links[joint->child], &k->moved, &k->motion);
    }
    for (size_t i = 0; i < s->link_count && result->outcome != GZ_REPLAY_REFUTED; i++)
        find_part(k, &s->parts[i], c->poses[s->parts[i].frame], result);
}
