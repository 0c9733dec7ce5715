// Forward kinematics against an implementation of its own: long double, the C library's sine and
// cosine, recursion from link to parent over the numbers that went into the text.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/robot.h"
#include "kinematics/forward_kinematics.h"
#include "unit/robot/robot_text_maker.h"

typedef long double real;

typedef struct pose {
    real r[3][3], t[3];
} pose;

static pose identity(void) {
    return (pose){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}

static pose multiply(const pose *a, const pose *b) {
    pose out;
    for (int i = 0; i < 3; i++) {
        out.t[i] = a->t[i];
        for (int k = 0; k < 3; k++) out.t[i] += a->r[i][k] * b->t[k];
        for (int j = 0; j < 3; j++) {
            out.r[i][j] = 0;
            for (int k = 0; k < 3; k++) out.r[i][j] += a->r[i][k] * b->r[k][j];
        }
    }
    return out;
}

/// A turn about a unit axis: R = I + sin K + (1 - cos) K^2.
static pose turn(const real a[3], real angle) {
    real k[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    pose out = identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real k2 = 0;
            for (int n = 0; n < 3; n++) k2 += k[i][n] * k[n][j];
            out.r[i][j] += sinl(angle) * k[i][j] + (1 - cosl(angle)) * k2;
        }
    return out;
}

static pose shift(real x, real y, real z) {
    pose out = identity();
    out.t[0] = x, out.t[1] = y, out.t[2] = z;
    return out;
}

static pose from_xyz_rpy(const double xyz[3], const double rpy[3]) {
    static const real x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    pose p = shift(xyz[0], xyz[1], xyz[2]), yaw = turn(z, rpy[2]), pitch = turn(y, rpy[1]),
         roll = turn(x, rpy[0]);
    p = multiply(&p, &yaw);
    p = multiply(&p, &pitch);
    return multiply(&p, &roll);
}

static pose from_quaternion(const double *q) {
    real n = sqrtl((real)q[0] * q[0] + (real)q[1] * q[1] + (real)q[2] * q[2]);
    if (n == 0) return identity();
    real axis[3] = {q[0] / n, q[1] / n, q[2] / n};
    return turn(axis, 2 * atan2l(n, q[3]));
}

/// A joint as it goes into the text.
typedef struct joint {
    graze_joint_type type;
    int parent, child, mimic; ///< mimic: joint index or -1
    double xyz[3], rpy[3], axis[3], multiplier, offset;
    int column; ///< first number of q, -1 where it has none
} joint;

typedef struct model {
    joint joints[64];
    int joint_count, link_count, parent_joint[64];
    size_t q_size;
} model;

static real value_of(const model *m, int j, const double *q) {
    const joint *it = &m->joints[j];
    if (it->mimic >= 0) return it->multiplier * value_of(m, it->mimic, q) + it->offset;
    return it->column < 0 ? 0 : q[it->column];
}

static pose motion(const model *m, int j, const double *q) {
    const joint *it = &m->joints[j];
    real a[3], n = sqrtl((real)it->axis[0] * it->axis[0] + (real)it->axis[1] * it->axis[1] +
                         (real)it->axis[2] * it->axis[2]);
    for (int k = 0; k < 3; k++) a[k] = it->axis[k] / n;
    const double *own = it->column < 0 ? NULL : q + it->column;
    switch (it->type) {
    case GRAZE_JOINT_FIXED:
        return identity();
    case GRAZE_JOINT_REVOLUTE:
    case GRAZE_JOINT_CONTINUOUS:
        return turn(a, value_of(m, j, q));
    case GRAZE_JOINT_PRISMATIC: {
        real v = value_of(m, j, q);
        return shift(a[0] * v, a[1] * v, a[2] * v);
    }
    case GRAZE_JOINT_PLANAR: {
        // The plane's x is the coordinate direction after the axis's largest component, made
        // perpendicular; for an axis along z: x and y.
        int largest = 0;
        for (int k = 1; k < 3; k++)
            if (fabsl(a[k]) > fabsl(a[largest])) largest = k;
        real u[3] = {0, 0, 0}, length = 0;
        u[(largest + 1) % 3] = 1;
        real along = a[(largest + 1) % 3];
        for (int k = 0; k < 3; k++) {
            u[k] -= along * a[k];
            length += u[k] * u[k];
        }
        for (int k = 0; k < 3; k++) u[k] /= sqrtl(length);
        real v[3] = {a[1] * u[2] - a[2] * u[1], a[2] * u[0] - a[0] * u[2],
                     a[0] * u[1] - a[1] * u[0]};
        pose out = turn(a, own[2]);
        for (int k = 0; k < 3; k++) out.t[k] = u[k] * own[0] + v[k] * own[1];
        return out;
    }
    case GRAZE_JOINT_FLOATING: {
        pose out = from_quaternion(own + 3);
        for (int k = 0; k < 3; k++) out.t[k] = own[k];
        return out;
    }
    }
    return identity();
}

static pose link_pose(const model *m, int link, const double *q, const pose *base) {
    int j = m->parent_joint[link];
    if (j < 0) return *base;
    pose p = link_pose(m, m->joints[j].parent, q, base), o, s;
    o = from_xyz_rpy(m->joints[j].xyz, m->joints[j].rpy);
    s = motion(m, j, q);
    p = multiply(&p, &o);
    return multiply(&p, &s);
}

static real difference(const double got[12], const pose *want) {
    real worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) worst = fmaxl(worst, fabsl(got[4 * i + j] - want->r[i][j]));
        worst = fmaxl(worst, fabsl(got[4 * i + 3] - want->t[i]));
    }
    return worst;
}

static const char *const type_names[] = {"fixed",     "revolute", "continuous",
                                         "prismatic", "planar",   "floating"};

static bool is_single(graze_joint_type type) {
    return type == GRAZE_JOINT_REVOLUTE || type == GRAZE_JOINT_CONTINUOUS ||
           type == GRAZE_JOINT_PRISMATIC;
}

static void make_model(model *m, gz_random *r, int links) {
    memset(m, 0, sizeof *m);
    m->link_count = links;
    m->joint_count = links - 1;
    m->parent_joint[0] = -1;
    for (int i = 0; i < links - 1; i++) {
        joint *j = &m->joints[i];
        j->type = (graze_joint_type)gz_random_below(r, 6);
        j->child = i + 1;
        // Long chains in some trees, bushes in others.
        j->parent = links % 2 ? i : (int)gz_random_below(r, (uint32_t)(i + 1));
        m->parent_joint[i + 1] = i;
        for (int k = 0; k < 3; k++) {
            j->xyz[k] = gz_random_range(r, -1, 1);
            j->rpy[k] = gz_random_range(r, -4, 4);
            j->axis[k] = gz_random_range(r, -2, 2);
        }
        if (gz_random_below(r, 3) == 0) { // along a coordinate axis
            memset(j->axis, 0, sizeof j->axis);
            j->axis[gz_random_below(r, 3)] = gz_random_below(r, 2) ? 1 : -1;
        }
        j->mimic = -1;
        j->column = -1;
        int other = i ? (int)gz_random_below(r, (uint32_t)i) : 0;
        if (i && is_single(j->type) && gz_random_below(r, 3) == 0 &&
            is_single(m->joints[other].type)) {
            j->mimic = other; // chains of mimics come about
            j->multiplier = gz_random_range(r, -1, 1);
            j->offset = gz_random_range(r, -1, 1);
            continue;
        }
        if (j->type == GRAZE_JOINT_FIXED) continue;
        j->column = (int)m->q_size;
        m->q_size += j->type == GRAZE_JOINT_PLANAR ? 3 : j->type == GRAZE_JOINT_FLOATING ? 7 : 1;
    }
}

static graze_robot *load_model(const model *m) {
    text_maker t = {0};
    text_add(&t, "<robot name='r'>");
    for (int i = 0; i < m->link_count; i++) text_add(&t, "<link name='l%d'/>", i);
    for (int i = 0; i < m->joint_count; i++) {
        const joint *j = &m->joints[i];
        text_add(&t,
                 "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                 "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
                 "<axis xyz='%.17g %.17g %.17g'/>",
                 i, type_names[j->type], j->parent, j->child, j->xyz[0], j->xyz[1], j->xyz[2],
                 j->rpy[0], j->rpy[1], j->rpy[2], j->axis[0], j->axis[1], j->axis[2]);
        if (j->type == GRAZE_JOINT_REVOLUTE || j->type == GRAZE_JOINT_PRISMATIC)
            text_add(&t, "<limit lower='-100' upper='100' effort='1' velocity='1'/>");
        if (j->mimic >= 0)
            text_add(&t, "<mimic joint='j%d' multiplier='%.17g' offset='%.17g'/>", j->mimic,
                     j->multiplier, j->offset);
        text_add(&t, "</joint>");
    }
    text_add(&t, "</robot>");
    return text_load(&t);
}

/// Random values: angles up to 100, lengths up to 1.
static void random_q(const model *m, gz_random *r, double *q) {
    for (int i = 0; i < m->joint_count; i++) {
        const joint *j = &m->joints[i];
        if (j->column < 0) continue;
        double *own = q + j->column;
        switch (j->type) {
        case GRAZE_JOINT_PRISMATIC:
            own[0] = gz_random_range(r, -1, 1);
            break;
        case GRAZE_JOINT_PLANAR:
            own[0] = gz_random_range(r, -1, 1);
            own[1] = gz_random_range(r, -1, 1);
            own[2] = gz_random_range(r, -100, 100);
            break;
        case GRAZE_JOINT_FLOATING: {
            double size = pow(10, gz_random_range(r, -5, 5));
            for (int k = 0; k < 7; k++) own[k] = (k < 3 ? 1 : size) * gz_random_range(r, -1, 1);
            break;
        }
        default:
            own[0] = gz_random_range(r, -100, 100);
        }
    }
}

static real worst;

static void compare(const graze_robot *robot, const model *m, const double *q, const double *base) {
    graze_transform links[64];
    graze_error e;
    if (graze_robot_pose(robot, q, m->q_size, base, links, &e)) fail_msg("%s", e.message);
    pose root = base ? from_xyz_rpy(base, base + 3) : identity();
    for (int i = 0; i < m->link_count; i++) {
        pose want = link_pose(m, i, q, &root);
        real d = difference(links[i].m, &want);
        worst = fmaxl(worst, d);
        if (!(d < 1e-12L)) fail_msg("link %d of %d is off by %Lg", i, m->link_count, d);
    }
    // The bodies' poses are those of their root links, bit for bit.
    double bodies[64][12], at[12];
    assert_int_equal(gz_pose_base(base, at, NULL), GRAZE_OK);
    gz_pose_bodies(robot, q, at, bodies);
    for (int32_t i = 0; i < robot->body_count; i++)
        assert_memory_equal(bodies[i], links[robot->bodies[i].root_link].m, sizeof bodies[i]);
    for (int i = 0; i < m->joint_count; i++)
        if (is_single(m->joints[i].type))
            assert_true(fabsl(gz_pose_value(robot, i, q) - value_of(m, i, q)) < 1e-13L);
}

static void test_random_trees_equal_long_double(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    worst = 0;
    for (int round = 0; round < 150; round++) {
        model m;
        double q[7 * 64] = {0}, base[6];
        make_model(&m, &r, 2 + round % 29);
        graze_robot *robot = load_model(&m);
        assert_int_equal(graze_robot_q_size(robot), m.q_size);
        for (int i = 0; i < 4; i++) {
            random_q(&m, &r, q);
            for (int k = 0; k < 6; k++)
                base[k] = k < 3 ? gz_random_range(&r, -5, 5) : gz_random_range(&r, -100, 100);
            compare(robot, &m, q, i % 2 ? base : NULL);
        }
        graze_robot_free(robot);
    }
    print_message("worst error %.2Lg\n", worst);
}

static void test_heron_equals_long_double(void **state) {
    (void)state;
    graze_robot *robot;
    graze_error e;
    graze_load_options options = graze_load_options_default();
    options.visuals = GRAZE_VISUALS_SKIP;
    if (graze_robot_load_urdf(&robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, &e))
        fail_msg("%s", e.message);
    int32_t n = (int32_t)graze_robot_link_count(robot);
    size_t size = graze_robot_q_size(robot);
    graze_transform *links = malloc((size_t)n * sizeof *links);
    double *q = malloc(size * sizeof *q);
    assert_true(links && q && n > 10);
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < size; i++) q[i] = gz_random_range(&r, -100, 100);
        for (size_t i = 0; i < size; i++) { // slides are lengths
            graze_joint_info info;
            graze_robot_joint(robot, graze_robot_q_joint(robot, i), &info);
            if (info.type == GRAZE_JOINT_PRISMATIC) q[i] /= 100;
        }
        assert_int_equal(graze_robot_pose(robot, q, size, NULL, links, NULL), GRAZE_OK);
        for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
            graze_joint_info info;
            assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
            // Joint by joint: the child's pose from the parent's, which was compared before.
            joint own = {.type = info.type, .mimic = -1, .column = -1};
            model m = {.joint_count = 1};
            own.axis[0] = info.axis.x, own.axis[1] = info.axis.y, own.axis[2] = info.axis.z;
            double value[7] = {0};
            if (info.mimic >= 0) {
                graze_joint_info other;
                graze_robot_joint(robot, info.mimic, &other);
                assert_true(other.q_index >= 0);
                value[0] = info.multiplier * q[other.q_index] + info.offset;
            } else if (info.q_index >= 0) {
                memcpy(value, q + info.q_index, (size_t)info.q_count * sizeof *value);
            }
            if (info.type != GRAZE_JOINT_FIXED) own.column = 0;
            m.joints[0] = own;
            pose parent, origin, moved = motion(&m, 0, value);
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++) {
                    parent.r[i][k] = links[info.parent].m[4 * i + k];
                    origin.r[i][k] = info.origin.m[4 * i + k];
                }
                parent.t[i] = links[info.parent].m[4 * i + 3];
                origin.t[i] = info.origin.m[4 * i + 3];
            }
            pose want = multiply(&parent, &origin);
            want = multiply(&want, &moved);
            assert_true(difference(links[info.child].m, &want) < 1e-13L);
        }
    }
    free(links);
    free(q);
    graze_robot_free(robot);
}

// --------------------------------------------------------------------------------------- errors

static graze_robot *make_mixed(void) {
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
                 "<link name='e'/>"
                 "<joint name='wheel' type='continuous'><parent link='a'/><child link='b'/></joint>"
                 "<joint name='double' type='continuous'><parent link='b'/><child link='c'/>"
                 "<mimic joint='wheel' multiplier='4'/></joint>"
                 "<joint name='fly' type='floating'><parent link='a'/><child link='d'/></joint>"
                 "<joint name='glide' type='planar'><parent link='d'/><child link='e'/>"
                 "<axis xyz='0 0 1'/></joint></robot>");
    return text_load(&t);
}

static void test_values_that_mean_nothing_are_refused_by_name(void **state) {
    (void)state;
    graze_robot *robot = make_mixed();
    double q[11] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, base[6] = {0};
    graze_transform links[5];
    graze_error e;
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_OK);
    assert_string_equal(e.message, "");
    const double bad[] = {NAN, INFINITY, -INFINITY, nextafter(0x1p20, INFINITY), -0x1p21};
    for (int i = 0; i < 11; i++) {
        const char *name = i == 0 ? "wheel" : i < 8 ? "fly" : "glide";
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            double keep = q[i];
            q[i] = bad[k];
            assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_ERROR_RANGE);
            assert_int_equal(e.status, GRAZE_ERROR_RANGE);
            assert_non_null(strstr(e.element, name));
            assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, NULL), GRAZE_ERROR_RANGE);
            q[i] = keep;
        }
    }
    q[0] = 0x1p19; // in range itself, four times that is not
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.element, "double"));
    q[0] = 0x1p18;
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_OK);
    q[7] = 0;
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.element, "fly"));
    q[7] = 1e-99; // short, but it can be normalised
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, links, &e), GRAZE_OK);
    assert_true(fabs(links[3].m[0] - 1) < 1e-15);
    for (int i = 0; i < 6; i++) {
        base[i] = NAN;
        assert_int_equal(graze_robot_pose(robot, q, 11, base, links, &e), GRAZE_ERROR_RANGE);
        assert_string_equal(e.element, "base");
        base[i] = 0;
    }
    graze_robot_free(robot);
}

static void test_wrong_lengths_and_null_are_refused(void **state) {
    (void)state;
    graze_robot *robot = make_mixed();
    double q[12] = {0};
    graze_transform links[5];
    graze_error e;
    q[7] = 1;
    assert_int_equal(graze_robot_pose(robot, q, 10, NULL, links, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pose(robot, q, 12, NULL, links, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pose(robot, q, 0, NULL, links, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pose(robot, NULL, 11, NULL, links, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pose(NULL, q, 11, NULL, links, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pose(robot, q, 11, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT);
    graze_robot_free(robot);
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='a'/></robot>");
    robot = text_load(&t);
    assert_int_equal(graze_robot_pose(robot, NULL, 0, NULL, links, &e), GRAZE_OK);
    graze_robot_free(robot);
}

static void test_equal_input_gives_equal_bits(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    model m;
    make_model(&m, &r, 29);
    graze_robot *a = load_model(&m), *b = load_model(&m);
    double q[7 * 64] = {0};
    for (int i = 0; i < 50; i++) {
        graze_transform la[64], lb[64];
        random_q(&m, &r, q);
        assert_int_equal(graze_robot_pose(a, q, m.q_size, NULL, la, NULL), GRAZE_OK);
        assert_int_equal(graze_robot_pose(b, q, m.q_size, NULL, lb, NULL), GRAZE_OK);
        assert_memory_equal(la, lb, 29 * sizeof *la);
    }
    graze_robot_free(a);
    graze_robot_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees_equal_long_double),
        cmocka_unit_test(test_heron_equals_long_double),
        cmocka_unit_test(test_values_that_mean_nothing_are_refused_by_name),
        cmocka_unit_test(test_wrong_lengths_and_null_are_refused),
        cmocka_unit_test(test_equal_input_gives_equal_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
