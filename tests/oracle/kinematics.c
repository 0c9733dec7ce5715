// Forward kinematics and the snap against 256-bit arithmetic: is every snapped point as near to its
// real place as graze_robot_link_pose_error() says? And how much nearer is it?
//
// Robots: those that ship, those of GRAZE_TEST_DATA, and made ones with every kind of joint and
// shape. Configurations: inside the limits; at their ends; many turns (|q| to 2^20); each with
// bases near, far (corners of the domain) and turned many times. Configurations outside of the
// domain are drawn again.
//
// usage: kinematics [--configurations N] [--seed N] [--domain M] [--points N]
//                   [--robot NAME]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kinematics_robot.h"
#include "real_pose.h"

typedef enum drawing { INSIDE, ENDS, TURNS, KINDS } drawing;
static const char *const kind_names[KINDS] = {"inside", "ends", "turns"};

typedef struct options {
    unsigned long configurations, seed, points;
    double domain;
    const char *robot; ///< NULL: all
} options;

/// One robot under test.
typedef struct subject {
    const options *options;
    const graze_robot *robot;
    real_robot real;
    graze_checker *checker; ///< with a margin: refuses what is outside of the domain
    graze_workspace *workspace;
    graze_transform *links;
    double *q, base[6], *bounds; ///< bounds: pose_error of each link
    double (*snapped)[3];        ///< points of one geometry
    size_t snapped_capacity;
    mpfr_t at[3], other[3], along[3];
    unsigned long done, outside, points, violations;
    double worst[KINDS], worst_ratio, bound;
} subject;

// -----------------------------------------------------------------------------------
// configurations

/// A number within the limits, at one of their ends, or in many turns.
static double draw_value(const graze_joint_info *joint, drawing kind, gz_random *random) {
    bool slides = joint->type == GRAZE_JOINT_PRISMATIC;
    double lower = joint->limited ? joint->lower : slides ? -20 : -3.2;
    double upper = joint->limited ? joint->upper : slides ? 20 : 3.2;
    if (kind == TURNS && !slides) return gz_random_range(random, -0x1p20, 0x1p20);
    if (kind == ENDS) return gz_random_below(random, 2) ? lower : upper;
    return gz_random_range(random, lower, upper);
}

/// A joint that others follow stays within its limits: theirs, times many turns, are left.
static bool is_followed(const graze_robot *robot, int32_t joint) {
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
        graze_joint_info info;
        if (graze_robot_joint(robot, j, &info) == GRAZE_OK && info.mimic == joint) return true;
    }
    return false;
}

static void draw_q(subject *s, drawing kind, gz_random *random) {
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(s->robot); j++) {
        graze_joint_info joint;
        if (graze_robot_joint(s->robot, j, &joint) || joint.q_count == 0) continue;
        double *q = s->q + joint.q_index;
        if (joint.type == GRAZE_JOINT_PLANAR || joint.type == GRAZE_JOINT_FLOATING) {
            double far = 0.4 * s->options->domain; // draws that leave the domain are redrawn
            for (int k = 0; k < joint.q_count; k++) q[k] = gz_random_range(random, -far, far);
            if (joint.type == GRAZE_JOINT_PLANAR) q[2] = draw_value(&joint, kind, random);
            double scale = ldexp(1, (int)gz_random_below(random, 17) - 8);
            for (int k = 3; k < joint.q_count; k++) q[k] *= scale;
        } else {
            q[0] = draw_value(&joint, is_followed(s->robot, j) ? INSIDE : kind, random);
        }
    }
}

static void draw_base(subject *s, drawing kind, double workspace_radius, gz_random *random) {
    double far = fmax(s->options->domain - workspace_radius, 0);
    bool corner = gz_random_below(random, 2), near = gz_random_below(random, 8) == 0;
    for (int k = 0; k < 3; k++) {
        double x = gz_random_range(random, corner ? 0.9 : 0, 1) * far;
        s->base[k] = near ? 0 : gz_random_below(random, 2) ? x : -x;
        double most = kind == TURNS ? 0x1p20 : 3.2;
        s->base[3 + k] = gz_random_range(random, -most, most);
    }
}

// ------------------------------------------------------------------------------------------ errors

/// How far a point of one cylinder's rim is from the other cylinder: the axis a-b and the radius.
static double beyond_cylinder(subject *s, mpfr_t p[3], mpfr_t a[3], mpfr_t b[3], double radius) {
    real_robot *r = &s->real;
    mpfr_t n[3], length, height, radial, sum;
    mpfr_inits2(REAL_BITS, n[0], n[1], n[2], length, height, radial, sum, (mpfr_ptr)0);
    mpfr_set_zero(length, 1);
    mpfr_set_zero(height, 1);
    for (int k = 0; k < 3; k++) {
        mpfr_sub(n[k], b[k], a[k], MPFR_RNDN);
        mpfr_sqr(r->x, n[k], MPFR_RNDN);
        mpfr_add(length, length, r->x, MPFR_RNDN);
    }
    mpfr_sqrt(length, length, MPFR_RNDN);
    for (int k = 0; k < 3; k++) {
        mpfr_div(n[k], n[k], length, MPFR_RNDN);
        mpfr_sub(r->x, p[k], a[k], MPFR_RNDN);
        mpfr_mul(r->x, r->x, n[k], MPFR_RNDN);
        mpfr_add(height, height, r->x, MPFR_RNDN);
    }
    mpfr_set_zero(radial, 1);
    for (int k = 0; k < 3; k++) {
        mpfr_sub(r->x, p[k], a[k], MPFR_RNDN);
        mpfr_mul(r->y, height, n[k], MPFR_RNDN);
        mpfr_sub(r->x, r->x, r->y, MPFR_RNDN);
        mpfr_sqr(r->x, r->x, MPFR_RNDN);
        mpfr_add(radial, radial, r->x, MPFR_RNDN);
    }
    mpfr_sqrt(radial, radial, MPFR_RNDN);
    mpfr_sub_d(radial, radial, radius, MPFR_RNDN);
    if (mpfr_sgn(radial) < 0) mpfr_set_zero(radial, 1);
    mpfr_sub(length, height, length, MPFR_RNDN); // beyond b
    mpfr_neg(height, height, MPFR_RNDN);         // beyond a
    mpfr_max(height, height, length, MPFR_RNDN);
    if (mpfr_sgn(height) < 0) mpfr_set_zero(height, 1);
    mpfr_hypot(sum, radial, height, MPFR_RNDU);
    double out = mpfr_get_d(sum, MPFR_RNDU);
    mpfr_clears(n[0], n[1], n[2], length, height, radial, sum, (mpfr_ptr)0);
    return out;
}

/// A point of the rim at the end a of the axis a-b: across the axis in the direction given.
static void rim_point(subject *s, mpfr_t a[3], mpfr_t b[3], const double direction[3],
                      double radius, mpfr_t out[3]) {
    real_robot *r = &s->real;
    mpfr_set_zero(r->z, 1);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3; // axis x direction
        mpfr_sub(r->x, b[i], a[i], MPFR_RNDN);
        mpfr_mul_d(r->x, r->x, direction[j], MPFR_RNDN);
        mpfr_sub(r->y, b[j], a[j], MPFR_RNDN);
        mpfr_mul_d(r->y, r->y, direction[i], MPFR_RNDN);
        mpfr_sub(out[k], r->x, r->y, MPFR_RNDN);
        mpfr_sqr(r->x, out[k], MPFR_RNDN);
        mpfr_add(r->z, r->z, r->x, MPFR_RNDN);
    }
    mpfr_sqrt(r->z, r->z, MPFR_RNDN);
    mpfr_d_div(r->z, radius, r->z, MPFR_RNDN);
    for (int k = 0; k < 3; k++) {
        mpfr_mul(out[k], out[k], r->z, MPFR_RNDN);
        mpfr_add(out[k], out[k], a[k], MPFR_RNDN);
    }
}

static void set_point(mpfr_t out[3], const double p[3]) {
    for (int k = 0; k < 3; k++) mpfr_set_d(out[k], p[k], MPFR_RNDN);
}

/// How far points of the rims of a snapped cylinder and the real one are from the other solid.
static double rim_error(subject *s, const graze_geometry *g, const real_pose *pose,
                        gz_random *random) {
    const double d[3] = {gz_random_range(random, -1, 1), gz_random_range(random, -1, 1),
                         gz_random_range(random, -1, 1)};
    mpfr_t a[3], b[3];
    for (int k = 0; k < 3; k++) mpfr_inits2(REAL_BITS, a[k], b[k], (mpfr_ptr)0);
    set_point(a, s->snapped[0]);
    set_point(b, s->snapped[1]);
    real_point(&s->real, pose, g->ends[0], s->other);
    real_point(&s->real, pose, g->ends[1], s->along);
    rim_point(s, a, b, d, g->radius, s->at);
    double worst = beyond_cylinder(s, s->at, s->other, s->along, g->radius);
    rim_point(s, s->other, s->along, d, g->radius, s->at);
    worst = fmax(worst, beyond_cylinder(s, s->at, a, b, g->radius));
    for (int k = 0; k < 3; k++) mpfr_clears(a[k], b[k], (mpfr_ptr)0);
    return worst;
}

static void take(subject *s, drawing kind, double error, double bound) {
    s->points++;
    s->worst[kind] = fmax(s->worst[kind], error);
    s->worst_ratio = fmax(s->worst_ratio, error / bound);
    if (!(error <= bound)) s->violations++;
}

static void compare_geometry(subject *s, const graze_geometry *g, drawing kind, gz_random *random) {
    size_t count = graze_geometry_point_count(g);
    if (count > s->snapped_capacity) {
        free(s->snapped);
        s->snapped = real_allocate(s->snapped_capacity = count, sizeof *s->snapped);
    }
    const real_pose *pose = &s->real.links[g->frame];
    double bound = s->bounds[g->owner];
    bool ends = g->shape != GRAZE_SHAPE_MESH && g->shape != GRAZE_SHAPE_BOX;
    // All points of a small geometry; of a mesh only as many as are asked for.
    size_t wanted = count <= 2 ? count : s->options->points;
    if (ends) graze_geometry_snap(g, &s->links[g->frame], s->snapped[0]);
    for (size_t i = 0; i < wanted; i++) {
        size_t at = count <= 2 ? i : gz_random_below(random, (uint32_t)count);
        const double *v = ends ? g->ends[at] : g->vertices + 3 * at;
        graze_vec3 w = graze_transform_point(&s->links[g->frame], (graze_vec3){v[0], v[1], v[2]});
        const double p[3] = {w.x, w.y, w.z};
        if (ends && memcmp(p, s->snapped[at], sizeof p) != 0) s->violations++;
        real_point(&s->real, pose, v, s->at);
        take(s, kind, real_distance(&s->real, p, s->at), bound);
    }
    if (g->shape == GRAZE_SHAPE_CYLINDER) take(s, kind, rim_error(s, g, pose, random), bound);
}

/// One configuration; false where it is outside of the domain.
static bool compare(subject *s, drawing kind, gz_random *random) {
    graze_report report = {0};
    graze_status status = graze_check(s->checker, s->workspace, GRAZE_ANSWER_ANY, s->q,
                                      graze_robot_q_size(s->robot), s->base, &report, NULL);
    if (status == GRAZE_ERROR_RANGE) return false;
    if (status ||
        graze_robot_pose(s->robot, s->q, graze_robot_q_size(s->robot), s->base, s->links, NULL)) {
        s->violations++;
        return true;
    }
    real_robot_pose(&s->real, s->q, s->base);
    for (size_t i = 0; i < graze_robot_collision_count(s->robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(s->robot, i, &g) == GRAZE_OK)
            compare_geometry(s, &g, kind, random);
    }
    return true;
}

// ------------------------------------------------------------------------------------------ robots

/// How far the robot reaches from its base, roughly: lengths of all origins and limits added up.
static double radius_of(const graze_robot *robot) {
    double workspace_radius = 0;
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
        graze_joint_info info;
        if (graze_robot_joint(robot, j, &info)) continue;
        const double *m = info.origin.m;
        workspace_radius += sqrt(m[3] * m[3] + m[7] * m[7] + m[11] * m[11]);
        if (info.type == GRAZE_JOINT_PRISMATIC)
            workspace_radius += info.limited ? fmax(fabs(info.lower), fabs(info.upper)) : 20;
    }
    double own = 0;
    for (int32_t l = 0; l < (int32_t)graze_robot_link_count(robot); l++) {
        graze_link_bounds b;
        if (graze_robot_link_bounds(robot, l, &b) || b.empty) continue;
        const graze_vec3 *c = &b.sphere.center;
        own = fmax(own, b.sphere.radius + fabs(c->x) + fabs(c->y) + fabs(c->z));
    }
    return workspace_radius + own;
}

static void prepare(subject *s, const options *o, const graze_robot *robot) {
    *s = (subject){.options = o, .robot = robot};
    int32_t links = (int32_t)graze_robot_link_count(robot);
    real_robot_init(&s->real, robot);
    s->links = real_allocate((size_t)links, sizeof *s->links);
    s->bounds = real_allocate((size_t)links, sizeof *s->bounds);
    s->q = real_allocate(graze_robot_q_size(robot), sizeof *s->q);
    for (int k = 0; k < 3; k++)
        mpfr_inits2(REAL_BITS, s->at[k], s->other[k], s->along[k], (mpfr_ptr)0);
    for (int32_t l = 0; l < links; l++)
        s->bounds[l] = graze_robot_link_pose_error(robot, l, o->domain);
    s->bound = graze_robot_pose_error(robot, o->domain);
    graze_checker_options rules = graze_checker_options_default();
    rules.no_self = 1; // only what is refused counts here
    rules.margin = 1e-6;
    rules.domain = o->domain;
    graze_error error;
    if (graze_checker_create(&s->checker, robot, NULL, &rules, &error) ||
        graze_workspace_create(&s->workspace, s->checker, &error)) {
        fprintf(stderr, "kinematics: %s\n", error.message);
        exit(3);
    }
}

static void clear(subject *s) {
    real_robot_clear(&s->real);
    graze_workspace_free(s->workspace);
    graze_checker_free(s->checker);
    free(s->links);
    free(s->bounds);
    free(s->q);
    free(s->snapped);
    for (int k = 0; k < 3; k++) mpfr_clears(s->at[k], s->other[k], s->along[k], (mpfr_ptr)0);
}

/// Runs one robot; returns the violations.
static unsigned long examine(const options *o, const char *name, const graze_robot *robot,
                             unsigned long count, uint64_t stream) {
    subject s;
    prepare(&s, o, robot);
    gz_random random = gz_random_make(o->seed, stream);
    double workspace_radius = radius_of(robot);
    while (s.done < count && s.outside < 20 * count + 1000) {
        drawing kind = (drawing)(s.done % KINDS);
        draw_q(&s, kind, &random);
        draw_base(&s, kind, workspace_radius, &random);
        if (compare(&s, kind, &random))
            s.done++;
        else
            s.outside++;
    }
    if (s.done < count) s.violations++;
    double worst = 0;
    for (int k = 0; k < KINDS; k++) worst = fmax(worst, s.worst[k]);
    printf("%-24s %8lu %9lu %8lu  ", name, s.done, s.points, s.outside);
    for (int k = 0; k < KINDS; k++) printf(" %9.2e", s.worst[k]);
    printf("  %9.2e %9.2e %6.1f %6.1f %5lu\n", worst, s.bound, s.bound / worst, 1 / s.worst_ratio,
           s.violations);
    fflush(stdout);
    unsigned long violations = s.violations;
    clear(&s);
    return violations;
}

static options read_options(int count, char **words) {
    options o = {.configurations = 20000, .seed = 1, .points = 3, .domain = GRAZE_DOMAIN};
    for (int i = 1; i < count; i += 2) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        char *end;
        double number = strtod(value, &end);
        bool good = end != value && !*end && number > 0;
        if (!strcmp(words[i], "--robot"))
            o.robot = value, good = *value;
        else if (!strcmp(words[i], "--configurations"))
            o.configurations = (unsigned long)number;
        else if (!strcmp(words[i], "--seed"))
            o.seed = (unsigned long)number;
        else if (!strcmp(words[i], "--points"))
            o.points = (unsigned long)number;
        else if (!strcmp(words[i], "--domain"))
            o.domain = number;
        else
            good = false;
        if (good) continue;
        fprintf(stderr, "kinematics: %s %s: no such option, or not a number above 0\n", words[i],
                value);
        exit(2);
    }
    return o;
}

int main(int count, char **words) {
    options o = read_options(count, words);
    size_t robots = kinematics_robot_count();
    unsigned long each = (o.configurations + robots - 1) / robots, violations = 0;
    printf("domain %g m, seed %lu; errors and bounds in metres; slack: bound over worst error, of "
           "the robot and the least of a link\n%-24s %8s %9s %8s  ",
           o.domain, o.seed, "robot", "configs", "points", "outside");
    for (int k = 0; k < KINDS; k++) printf(" %9s", kind_names[k]);
    printf("  %9s %9s %6s %6s %5s\n", "worst", "bound", "slack", "least", "wrong");
    for (size_t i = 0; i < robots; i++) {
        if (o.robot && strcmp(o.robot, kinematics_robot_name(i)) != 0) continue;
        graze_robot *robot = kinematics_robot_load(i);
        if (robot) violations += examine(&o, kinematics_robot_name(i), robot, each, i);
        graze_robot_free(robot);
    }
    printf("%lu violations\n", violations);
    return violations ? 1 : 0;
}
