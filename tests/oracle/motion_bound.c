// The motion bound (kinematics/motion_bound.h) against sampled distances: pairs of points of two
// links, or of a link and the world, in the middle of random boxes of q and elsewhere in them, and
// along random segments. Poses are those of an own forward kinematics in long double, from what
// <graze/robot.h> says of a robot. Robots are random trees with every kind of joint, those that
// ship, and those of GRAZE_TEST_DATA.
//
//   motion_bound [--samples N]     1: a distance has changed by more than the bound
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check/check_internal.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/motion_bound.h"
#include "kinematics_robot.h"
#include "math/transform.h"

enum { POINTS = 6, PLACES = 20, MADE = 400 };

// ------------------------------------------------------------------------------ forward kinematics

typedef long double real;

typedef struct rig {
    graze_robot *robot;
    size_t q_size, links;
    graze_joint_info *joints; ///< per link: the one above it
    int32_t *order;           ///< links, parents first
    double (*points)[POINTS][3];
    int32_t *frames; ///< per link: whose pose places its points; -1: it has none
    real (*middle)[12], (*other)[12];
    double *low, *high, *q, *half, *zero, (*bodies)[12];
    gz_path_joint *path;
    double epsilon;
} rig;

static void compose(const real a[12], const real b[12], real out[12]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] +
                             (j == 3 ? a[4 * i + 3] : 0);
}

/// Rotation about a unit axis.
static void turn(const graze_vec3 *axis, real angle, real out[12]) {
    real s = sinl(angle), c = cosl(angle), x = axis->x, y = axis->y, z = axis->z;
    real m[12] = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s, 0,
                  y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s, 0,
                  z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c),     0};
    memcpy(out, m, sizeof m);
}

static void quaternion(const double *w, real out[12]) {
    real n = sqrtl((real)w[0] * w[0] + (real)w[1] * w[1] + (real)w[2] * w[2] + (real)w[3] * w[3]);
    real x = w[0] / n, y = w[1] / n, z = w[2] / n, s = w[3] / n;
    real m[12] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * s),     2 * (x * z + y * s),     0,
                  2 * (x * y + z * s),     1 - 2 * (x * x + z * z), 2 * (y * z - x * s),     0,
                  2 * (x * z - y * s),     2 * (y * z + x * s),     1 - 2 * (x * x + y * y), 0};
    memcpy(out, m, sizeof m);
}

static real value_of(const rig *r, const graze_joint_info *joint, const double *q) {
    graze_joint_info leader;
    if (joint->mimic < 0) return joint->q_index >= 0 ? q[joint->q_index] : 0;
    graze_robot_joint(r->robot, joint->mimic, &leader);
    return (real)joint->multiplier * value_of(r, &leader, q) + joint->offset;
}

/// The two directions of a planar joint: the coordinate direction after the axis's largest one,
/// made perpendicular to the axis, and what is perpendicular to both.
static void plane_of(const graze_vec3 *axis, real u[3], real v[3]) {
    real a[3] = {axis->x, axis->y, axis->z}, n = 0;
    int largest = fabsl(a[1]) > fabsl(a[0]) ? 1 : 0;
    if (fabsl(a[2]) > fabsl(a[largest])) largest = 2;
    int next = (largest + 1) % 3;
    for (int i = 0; i < 3; i++) u[i] = (i == next) - a[next] * a[i];
    for (int i = 0; i < 3; i++) n += u[i] * u[i];
    for (int i = 0; i < 3; i++) u[i] /= sqrtl(n);
    for (int i = 0; i < 3; i++)
        v[i] = a[(i + 1) % 3] * u[(i + 2) % 3] - a[(i + 2) % 3] * u[(i + 1) % 3];
}

static void move(const rig *r, const graze_joint_info *joint, const double *q, real out[12]) {
    static const graze_vec3 none = {0, 0, 1};
    const double axis[3] = {joint->axis.x, joint->axis.y, joint->axis.z};
    turn(&none, 0, out);
    if (joint->type == GRAZE_JOINT_FIXED) return;
    if (joint->type == GRAZE_JOINT_FLOATING) {
        quaternion(q + joint->q_index + 3, out);
        for (int i = 0; i < 3; i++) out[4 * i + 3] = q[joint->q_index + i];
    } else if (joint->type == GRAZE_JOINT_PLANAR) {
        real u[3], v[3];
        plane_of(&joint->axis, u, v);
        turn(&joint->axis, q[joint->q_index + 2], out);
        for (int i = 0; i < 3; i++)
            out[4 * i + 3] = u[i] * q[joint->q_index] + v[i] * q[joint->q_index + 1];
    } else if (joint->type == GRAZE_JOINT_PRISMATIC) {
        for (int i = 0; i < 3; i++) out[4 * i + 3] = axis[i] * value_of(r, joint, q);
    } else {
        turn(&joint->axis, value_of(r, joint, q), out);
    }
}

static void pose(const rig *r, const double *q, real (*links)[12]) {
    static const graze_vec3 none = {0, 0, 1};
    for (size_t i = 0; i < r->links; i++) {
        int32_t link = r->order[i];
        const graze_joint_info *joint = &r->joints[link];
        if (i == 0) {
            turn(&none, 0, links[link]);
            continue;
        }
        real origin[12], motion[12], frame[12];
        for (int k = 0; k < 12; k++) origin[k] = joint->origin.m[k];
        compose(links[joint->parent], origin, frame);
        move(r, joint, q, motion);
        compose(frame, motion, links[link]);
    }
}

/// The distance of point i of link a (a point of the world, -1: its origin) from point j of b.
static real distance_of(const rig *r, real (*links)[12], int32_t a, int i, int32_t b, int j) {
    real square = 0;
    const double *p = a < 0 ? NULL : r->points[a][i], *s = r->points[b][j];
    for (int k = 0; k < 3; k++) {
        const real *m = links[r->frames[b]] + 4 * k, *n = p ? links[r->frames[a]] + 4 * k : NULL;
        real d = m[0] * s[0] + m[1] * s[1] + m[2] * s[2] + m[3];
        if (p) d -= n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3];
        square += d * d;
    }
    return sqrtl(square);
}

// --------------------------------------------------------------------------------------- the
// robots

/// A tree of links with joints of every kind.
static graze_robot *make_robot(uint64_t seed) {
    static const char *const types[] = {"revolute", "revolute", "continuous", "prismatic",
                                        "planar",   "floating", "fixed"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) exit(3);
    gz_random random = gz_random_make(seed, 77);
    int count = 3 + (int)gz_random_below(&random, 10), leader = 0;
    fprintf(out, "<robot name='made'>");
    for (int i = 0; i <= count; i++)
        fprintf(out,
                "<link name='l%d'><collision><origin xyz='%g %g %g' rpy='%g 1 2'/><geometry><box "
                "size='%g %g %g'/></geometry></collision></link>",
                i, gz_random_range(&random, -1, 1), gz_random_range(&random, -1, 1),
                gz_random_range(&random, -1, 1), gz_random_range(&random, -3, 3),
                gz_random_range(&random, 0.01, 1), gz_random_range(&random, 0.01, 1),
                gz_random_range(&random, 0.01, 1));
    for (int i = 1; i <= count; i++) {
        const char *type = types[gz_random_below(&random, 7)];
        int parent = gz_random_below(&random, 4) ? i - 1
                                                 : (int)gz_random_below(&random, (uint32_t)i);
        fprintf(
            out,
            "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/><origin xyz='%g "
            "%g %g' rpy='%g 1 3'/><axis xyz='%g %g 0.3'/><limit lower='%g' upper='%g' "
            "effort='1' velocity='1'/>",
            i, type, parent, i, gz_random_range(&random, -1, 1), gz_random_range(&random, -1, 1),
            gz_random_range(&random, -1, 1), gz_random_range(&random, -3, 3),
            gz_random_range(&random, -1, 1), gz_random_range(&random, -1, 1),
            gz_random_range(&random, -3, 0.5), gz_random_range(&random, 0.6, 3));
        bool single = strchr("rc", *type) || !strcmp(type, "prismatic");
        if (single && leader && gz_random_below(&random, 3) == 0)
            fprintf(out, "<mimic joint='j%d' multiplier='%g' offset='%g'/>", leader,
                    gz_random_range(&random, -2, 2), gz_random_range(&random, -1, 1));
        else if (single)
            leader = i;
        fprintf(out, "</joint>");
    }
    fprintf(out, "</robot>");
    fclose(out);
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, size, "made", ".", NULL, &error))
        fprintf(stderr, "motion_bound: %s\n", error.message);
    free(text);
    if (!robot) exit(3);
    return robot;
}

/// Points of a geometry: vertices that are farthest in random directions, and points of round
/// solids.
static void add_points(rig *r, const graze_geometry *g, gz_random *random) {
    r->frames[g->owner] = g->frame;
    for (int k = 0; k < POINTS; k++) {
        double *p = r->points[g->owner][k], direction[3], best = -INFINITY;
        if (g->element > 0 && gz_random_below(random, 2)) continue;
        for (int i = 0; i < 3; i++) direction[i] = gz_random_range(random, -1, 1);
        for (size_t v = 0; v < g->vertex_count; v++) {
            double along = gz_dot(direction, g->vertices + 3 * v);
            if (along > best) best = along, memcpy(p, g->vertices + 3 * v, 3 * sizeof *p);
        }
        if (g->vertex_count) continue;
        double axis[3], across[3];
        gz_subtract(g->ends[1], g->ends[0], axis);
        gz_cross(axis, direction, across);
        if (gz_norm(axis) == 0) memcpy(across, direction, sizeof across);
        for (int i = 0; i < 3; i++)
            p[i] = g->ends[k % 2][i] + across[i] / gz_norm(across) * g->radius * (1 - 1e-12);
    }
}

static void *need(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) exit(3);
    return p;
}

static void order_links(rig *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->links; i++) r->joints[i].parent = -1;
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(r->robot); j++) {
        graze_joint_info joint;
        graze_robot_joint(r->robot, j, &joint);
        r->joints[joint.child] = joint;
    }
    for (size_t i = 0; i < r->links; i++)
        if (r->joints[i].parent < 0) r->order[count++] = (int32_t)i;
    for (size_t at = 0; at < count; at++)
        for (size_t i = 0; i < r->links; i++)
            if (r->joints[i].parent == r->order[at]) r->order[count++] = (int32_t)i;
}

static void open_rig(rig *r, graze_robot *robot, gz_random *random) {
    *r = (rig){.robot = robot,
               .q_size = graze_robot_q_size(robot),
               .links = graze_robot_link_count(robot)};
    size_t bodies = (size_t)robot->body_count;
    r->joints = need(r->links, sizeof *r->joints);
    r->order = need(r->links, sizeof *r->order);
    r->points = need(r->links, sizeof *r->points);
    r->frames = need(r->links, sizeof *r->frames);
    r->middle = need(r->links, sizeof *r->middle);
    r->other = need(r->links, sizeof *r->other);
    r->bodies = need(bodies, sizeof *r->bodies);
    r->path = need(bodies, sizeof *r->path);
    double **rows[] = {&r->low, &r->high, &r->q, &r->half, &r->zero};
    for (int i = 0; i < 5; i++) *rows[i] = need(r->q_size, sizeof(double));
    order_links(r);
    for (size_t i = 0; i < r->links; i++) r->frames[i] = -1;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(robot, i, &g) == GRAZE_OK) add_points(r, &g, random);
    }
    graze_checker *checker = NULL;
    graze_checker_options options = graze_checker_options_default();
    options.no_world = options.ignore_srdf = 1;
    if (graze_checker_create(&checker, robot, NULL, &options, NULL)) exit(3);
    r->epsilon = graze_checker_epsilon(checker);
    graze_checker_free(checker);
}

static void close_rig(rig *r) {
    void *all[] = {r->joints, r->order, r->points, r->frames, r->middle, r->other, r->low,
                   r->high,   r->q,     r->half,   r->zero,   r->bodies, r->path};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    graze_robot_free(r->robot);
}

// ---------------------------------------------------------------------------------------- queries

/// A box of a range of q, for two links (a of -1: the world).
typedef struct query_box {
    int32_t a, b;
    int columns; ///< how many vary
} query_box;

static bool is_quaternion(const rig *r, size_t column) {
    graze_joint_info joint;
    graze_robot_joint(r->robot, graze_robot_q_joint(r->robot, column), &joint);
    return joint.type == GRAZE_JOINT_FLOATING && column >= (size_t)joint.q_index + 3;
}

/// Draws a number of q, and a range with a box in it where the column is to vary.
static void draw_column(rig *r, size_t column, bool varies, double size, gz_random *random) {
    graze_joint_info joint;
    graze_robot_joint(r->robot, graze_robot_q_joint(r->robot, column), &joint);
    double low = joint.limited ? joint.lower : -3.2, high = joint.limited ? joint.upper : 3.2;
    double x = gz_random_range(random, low, high), y = gz_random_range(random, low, high);
    r->low[column] = r->high[column] = r->q[column] = x;
    r->half[column] = 0;
    if (!varies || is_quaternion(r, column) || x == y) return;
    r->low[column] = fmin(x, y);
    r->high[column] = fmax(x, y);
    r->half[column] = size * (r->high[column] - r->low[column]) / 2;
    r->q[column] = gz_random_range(random, r->low[column] + r->half[column],
                                   r->high[column] - r->half[column]);
}

/// False where the robot has no such pair.
static bool draw_query(rig *r, query_box *query, gz_random *random) {
    uint32_t links = (uint32_t)r->links, columns = (uint32_t)r->q_size;
    query->b = (int32_t)gz_random_below(random, links);
    query->a = gz_random_below(random, 4) ? (int32_t)gz_random_below(random, links) : -1;
    if (query->a == query->b || r->frames[query->b] < 0 ||
        (query->a >= 0 && r->frames[query->a] < 0))
        return false;
    bool all = gz_random_below(random, 3) == 0;
    uint32_t one = gz_random_below(random, columns), two = gz_random_below(random, columns);
    double size = pow(10, gz_random_range(random, -4, 0));
    query->columns = 0;
    for (uint32_t i = 0; i < columns; i++) {
        draw_column(r, i, all || i == one || i == two, size, random);
        query->columns += r->half[i] > 0;
    }
    return true;
}

/// The bound by radii in the middle of the box; INFINITY where the path has joints of many columns.
static double posed_bound(const rig *r, const gz_motion_model *model, const query_box *query) {
    const graze_robot *robot = r->robot;
    if (query->a < 0 || !isfinite(r->epsilon)) return INFINITY;
    const int32_t ends[2] = {query->a, query->b};
    int32_t count = gz_motion_path(robot, model->varying, robot->links[query->a].body,
                                   robot->links[query->b].body, r->path);
    double base[12], centers[2][3];
    gz_pose_base(NULL, base, NULL);
    gz_pose_bodies(robot, r->q, base, r->bodies);
    graze_obb boxes[2];
    gz_posed_link links[2];
    for (int k = 0; k < 2; k++) {
        const gz_link *l = &robot->links[ends[k]];
        const double *at = r->bodies[l->body];
        gz_transform_apply(at, GZ_ARRAY3(l->sphere.center), centers[k]);
        boxes[k] = l->obb;
        gz_transform_apply(at, GZ_ARRAY3(l->obb.center), GZ_ARRAY3(boxes[k].center));
        for (int i = 0; i < 3; i++)
            gz_transform_rotate(at, GZ_ARRAY3(l->obb.axis[i]), GZ_ARRAY3(boxes[k].axis[i]));
        links[k] = (gz_posed_link){ends[k], centers[k], &boxes[k], gz_link_pad(l, at)};
    }
    for (int32_t i = 0; i < count; i++) {
        const gz_body *b = &robot->bodies[r->path[i].body];
        if (b->type == GRAZE_JOINT_PLANAR || b->type == GRAZE_JOINT_FLOATING) return INFINITY;
        double way = fabs(b->multiplier) * r->half[b->column];
        r->path[i].slide = b->type == GRAZE_JOINT_PRISMATIC ? way : 0;
        r->path[i].chord = b->type == GRAZE_JOINT_PRISMATIC ? 0 : fmin(way, 2);
    }
    gz_motion_set_radii(robot, (const double(*)[12])r->bodies, links, r->epsilon, r->path, count);
    return gz_motion_sum(r->path, count) * gz_motion_stretch(robot, query->a, query->b, count);
}

// ---------------------------------------------------------------------------------------- sampling

typedef struct tally {
    uint64_t samples, violations;
    double box, posed, rate; ///< greatest share of the bound that a distance changed by
} tally;

static void count(tally *t, real change, double limit, double *share) {
    // Stored origins are not quite rigid: links that move together are apart by some 1e-15 m more
    // or less.
    if (change > (real)limit + 1e-14L) t->violations++;
    if (limit > 1e-9 && isfinite(limit)) *share = fmax(*share, (double)(change / (real)limit));
}

/// The greatest change of a distance between two points of the pair.
static real change_of(const rig *r, const query_box *query, real (*from)[12], real (*to)[12]) {
    real most = 0;
    for (int i = 0; i < (query->a < 0 ? 1 : POINTS); i++)
        for (int j = 0; j < POINTS; j++)
            most = fmaxl(most, fabsl(distance_of(r, from, query->a, i, query->b, j) -
                                     distance_of(r, to, query->a, i, query->b, j)));
    return most;
}

static void try_box(rig *r, const gz_motion_model *model, const query_box *query, gz_random *random,
                    tally *t) {
    double q[512], limit, posed;
    // Places are rounded to doubles of magnitude 2^3 at most.
    for (size_t i = 0; i < r->q_size; i++) r->half[i] += r->half[i] > 0 ? 0x1p-49 : 0;
    limit = gz_motion_bound(model, query->a, query->b, r->half, NULL);
    posed = posed_bound(r, model, query);
    for (size_t i = 0; i < r->q_size; i++) r->half[i] -= r->half[i] > 0 ? 0x1p-49 : 0;
    pose(r, r->q, r->middle);
    for (int k = 0; k < PLACES; k++) {
        bool corner = gz_random_below(random, 2) == 0;
        for (size_t i = 0; i < r->q_size; i++) {
            double x = gz_random_range(random, -1, 1);
            q[i] = r->q[i] + r->half[i] * (corner ? (x < 0 ? -1 : 1) : x);
        }
        pose(r, q, r->other);
        real change = change_of(r, query, r->middle, r->other);
        count(t, change, limit, &t->box);
        count(t, change, posed, &t->posed);
        t->samples++;
    }
}

/// Two places of the box's diagonal.
static void try_segment(rig *r, const gz_motion_model *model, const query_box *query,
                        gz_random *random, tally *t) {
    double from[512], to[512], rates[512];
    for (size_t i = 0; i < r->q_size; i++) rates[i] = 2 * r->half[i];
    double rate = gz_motion_rate(model, query->a, query->b, rates);
    for (int k = 0; k < PLACES; k++) {
        double s = gz_random_unit(random), e = gz_random_unit(random);
        for (size_t i = 0; i < r->q_size; i++) {
            from[i] = r->q[i] + (2 * s - 1) * r->half[i];
            to[i] = r->q[i] + (2 * e - 1) * r->half[i];
        }
        pose(r, from, r->middle);
        pose(r, to, r->other);
        // Both places are rounded.
        double limit = rate * fabs(s - e) * (1 + 1e-9) + 1e-13;
        count(t, change_of(r, query, r->middle, r->other), limit, &t->rate);
        t->samples++;
    }
}

static void try_robot(rig *r, uint64_t samples, gz_random *random, tally *t) {
    uint64_t end = t->samples + samples;
    for (int misses = 0; t->samples < end && misses < 10000;) {
        query_box query;
        gz_motion_model model;
        if (!draw_query(r, &query, random)) {
            misses++;
            continue;
        }
        if (gz_motion_model_make(&model, r->robot, r->low, r->high, NULL)) exit(3);
        try_box(r, &model, &query, random, t);
        try_segment(r, &model, &query, random, t);
        gz_motion_model_free(&model);
    }
}

static void show(const char *name, const tally *t) {
    printf("%-20s %9llu samples, %llu violations; most of the bound: range %.4f, posed %.4f, rate "
           "%.4f\n",
           name, (unsigned long long)t->samples, (unsigned long long)t->violations, t->box,
           t->posed, t->rate);
}

int main(int argc, char **argv) {
    uint64_t samples = argc == 3 && !strcmp(argv[1], "--samples") ? strtoull(argv[2], NULL, 10) : 0;
    if (!samples) {
        fprintf(stderr, "usage: motion_bound --samples N\n");
        return 2;
    }
    size_t listed = kinematics_robot_count(), robots = listed + MADE;
    gz_random random = gz_random_make(1, 5);
    tally all = {0}, made = {0};
    for (size_t i = 0; i < robots; i++) {
        rig r;
        tally one = {0}, *t = i < listed ? &one : &made;
        open_rig(&r, i < listed ? kinematics_robot_load(i) : make_robot(i), &random);
        // Half of the samples are of made robots.
        if (r.q_size > 0 && r.q_size <= 512)
            try_robot(&r, samples / 2 / (i < listed ? listed : MADE), &random, t);
        if (i < listed) show(kinematics_robot_name(i), t);
        all.samples += i < listed ? one.samples : 0;
        all.violations += i < listed ? one.violations : 0;
        close_rig(&r);
    }
    show("made trees", &made);
    all.samples += made.samples;
    all.violations += made.violations;
    printf("all %llu samples, %llu violations\n", (unsigned long long)all.samples,
           (unsigned long long)all.violations);
    return all.violations > 0;
}
