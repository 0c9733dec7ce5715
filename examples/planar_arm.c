// Trajectory optimisation with smooth constraints: a two-link arm goes around a disk.
//
//     planar_arm OUTPUT.svg
//
// Unknown are the two angles at the waypoints between a given start and goal. The objective is the
// sum of the squared steps, so that the way is short and even. Each link, at each waypoint, must be
// clear of the disk: g(q) <= 0 with its gradient from graze_planar_arm_constraint(). NLopt's SLSQP
// (Kraft 1988) does the rest.
//
// Waypoints that are clear are not a clear way: an optimiser likes to jump across the disk in one
// step. So steps are limited, the margin leaves room for what happens within one, and at the end
// the way in between is not hoped for but proved (graze_planar_arm_motion()).

#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <graze/planar.h>

#define WAYPOINTS 40 // between start and goal
#define UNKNOWN   (2 * WAYPOINTS)
#define LINKS     2

static const double lengths[LINKS] = {1.0, 0.8};
static const graze_planar_arm arm = {{0, 0}, lengths, LINKS};
static const struct {
    graze_vec2 center;
    double radius;
} disk = {{0.15, 1.5}, 0.4};
static const double start[2] = {0.1, 0.6}, goal[2] = {2.6, 0.3};
static const double margin = 0.04;
static const double longest = 0.3; // radians a step
// A fiftieth of a link, two millimetres: small against the disk.
static const graze_planar_smoothing smoothing = {0.02, 0.002};

static const double *waypoint(const double *x, int i) {
    return i < 0 ? start : i >= WAYPOINTS ? goal : x + 2 * i;
}

// The sum over all steps of |q[i + 1] - q[i]|^2.
static double objective(unsigned n, const double *x, double *gradient, void *data) {
    (void)data;
    double sum = 0;
    for (unsigned k = 0; gradient && k < n; k++) gradient[k] = 0;
    for (int i = -1; i < WAYPOINTS; i++) {
        const double *from = waypoint(x, i), *to = waypoint(x, i + 1);
        for (int j = 0; j < 2; j++) {
            double step = to[j] - from[j];
            sum += step * step;
            if (gradient && i >= 0) gradient[2 * i + j] -= 2 * step;
            if (gradient && i + 1 < WAYPOINTS) gradient[2 * (i + 1) + j] += 2 * step;
        }
    }
    return sum;
}

// g[LINKS i + link] <= 0: the link is clear of the disk at waypoint i.
static void clear_of_disk(unsigned m, double *g, unsigned n, const double *x, double *gradient,
                          void *data) {
    (void)data;
    for (unsigned k = 0; gradient && k < m * n; k++) gradient[k] = 0;
    for (int i = 0; i < WAYPOINTS; i++) {
        for (int link = 0; link < LINKS; link++) {
            graze_planar_constraint c;
            double by_q[LINKS];
            int row = LINKS * i + link;
            if (graze_planar_arm_constraint(&arm, x + 2 * i, link, GRAZE_PLANAR_CLEAR_OF_DISK,
                                            disk.center, disk.radius, margin, &smoothing, &c, by_q,
                                            NULL) != GRAZE_OK) {
                g[row] = HUGE_VAL; // angles that left their range: not a place to stay
                continue;
            }
            g[row] = c.whole.value;
            for (int j = 0; gradient && j < LINKS; j++) {
                gradient[(unsigned)row * n + (unsigned)(2 * i + j)] = by_q[j];
            }
        }
    }
}

// g[i] <= 0: no step is longer than allowed.
static void short_steps(unsigned m, double *g, unsigned n, const double *x, double *gradient,
                        void *data) {
    (void)data;
    for (unsigned k = 0; gradient && k < m * n; k++) gradient[k] = 0;
    for (int i = 0; i <= WAYPOINTS; i++) {
        const double *from = waypoint(x, i - 1), *to = waypoint(x, i);
        g[i] = -longest * longest;
        for (int j = 0; j < 2; j++) {
            double step = to[j] - from[j];
            g[i] += step * step;
            double *row = gradient ? gradient + (unsigned)i * n : NULL;
            if (row && i > 0) row[2 * (i - 1) + j] -= 2 * step;
            if (row && i < WAYPOINTS) row[2 * i + j] += 2 * step;
        }
    }
}

// The links without width, and the disk, for the questions below.
static graze_planar_arm_scene make_scene(void) {
    static graze_planar_shape links[LINKS], obstacle;
    static const int32_t link_of[LINKS] = {0, 1};
    for (int i = 0; i < LINKS; i++)
        graze_planar_capsule(&links[i], (graze_vec2){0, 0}, (graze_vec2){lengths[i], 0}, 0, NULL);
    graze_planar_circle(&obstacle, disk.center, disk.radius, NULL);
    return (graze_planar_arm_scene){arm, links, link_of, LINKS, &obstacle, 1, false, false, 0};
}

// How near a link comes to the disk at a waypoint.
static double gap_at(const graze_planar_arm_scene *scene, const double *q) {
    graze_planar_arm_pair pair;
    return graze_planar_arm_clearance(scene, q, &pair, NULL) == GRAZE_OK ? pair.distance : -1;
}

// Whether the straight step between two waypoints is clear at all times.
static int step_is_clear(const graze_planar_arm_scene *scene, const double *from,
                         const double *to) {
    graze_planar_leg verdict;
    return graze_planar_arm_motion(scene, from, to, 1e-6, &verdict, NULL) == GRAZE_OK &&
           verdict == GRAZE_PLANAR_LEG_FREE;
}

static void draw_arm(FILE *file, const double *q, const char *style) {
    graze_vec2 p[LINKS + 1];
    if (graze_planar_arm_points(&arm, q, p, NULL) != GRAZE_OK) return;
    fprintf(file, "<polyline fill=\"none\" %s points=\"", style);
    for (int i = 0; i <= LINKS; i++) {
        fprintf(file, "%.1f,%.1f ", 320 + 160 * p[i].x, 340 - 160 * p[i].y);
    }
    fputs("\"/>\n", file);
}

static int draw(const char *path, const double *x) {
    FILE *file = fopen(path, "w");
    if (!file) return 0;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"380\">\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          file);
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#8a929c\"/>\n",
            320 + 160 * disk.center.x, 340 - 160 * disk.center.y, 160 * disk.radius);
    for (int i = 0; i < WAYPOINTS; i++) {
        draw_arm(file, waypoint(x, i), "stroke=\"#8fb2d9\" stroke-width=\"1.5\"");
    }
    draw_arm(file, start, "stroke=\"#3f7d33\" stroke-width=\"4\" stroke-linecap=\"round\"");
    draw_arm(file, goal, "stroke=\"#b4451b\" stroke-width=\"4\" stroke-linecap=\"round\"");
    fputs("</svg>\n", file);
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: planar_arm OUTPUT.svg\n");
        return 2;
    }
    // The search begins with the straight line, the elbow bent half a turn on the way.
    double x[UNKNOWN], tolerance[LINKS * WAYPOINTS], value = 0;
    for (int i = 0; i < WAYPOINTS; i++) {
        double t = (i + 1.0) / (WAYPOINTS + 1);
        for (int j = 0; j < 2; j++) x[2 * i + j] = start[j] + t * (goal[j] - start[j]);
    }
    graze_planar_arm_scene scene = make_scene();
    double worst = HUGE_VAL;
    for (int i = 0; i < WAYPOINTS; i++) worst = fmin(worst, gap_at(&scene, waypoint(x, i)));
    printf("straight line: least gap %.3f m\n", worst);
    for (int i = 0; i < WAYPOINTS; i++) x[2 * i + 1] += 3 * sin(3.14 * (i + 1) / (WAYPOINTS + 1));
    for (int k = 0; k < LINKS * WAYPOINTS; k++) tolerance[k] = 1e-6;

    nlopt_opt optimiser = nlopt_create(NLOPT_LD_SLSQP, UNKNOWN);
    if (!optimiser) return 1;
    nlopt_set_min_objective(optimiser, objective, NULL);
    nlopt_add_inequality_mconstraint(optimiser, LINKS * WAYPOINTS, clear_of_disk, NULL, tolerance);
    nlopt_add_inequality_mconstraint(optimiser, WAYPOINTS + 1, short_steps, NULL, tolerance);
    nlopt_set_ftol_rel(optimiser, 1e-8);
    nlopt_set_maxeval(optimiser, 2000);
    nlopt_result result = nlopt_optimize(optimiser, x, &value);
    nlopt_destroy(optimiser);
    if (result < 0) {
        fprintf(stderr, "planar_arm: the optimiser stopped with %d\n", (int)result);
        return 1;
    }

    worst = HUGE_VAL;
    int clear = 1;
    for (int i = -1; i <= WAYPOINTS; i++) {
        worst = fmin(worst, gap_at(&scene, waypoint(x, i)));
        if (i < WAYPOINTS) clear &= step_is_clear(&scene, waypoint(x, i), waypoint(x, i + 1));
    }
    printf("optimised: least gap %.3f m, sum of squared steps %.3f\n", worst, value);
    printf("between the waypoints: %s\n", clear ? "proved clear" : "not clear");
    if (!draw(argv[1], x)) {
        fprintf(stderr, "planar_arm: %s cannot be written\n", argv[1]);
        return 1;
    }
    return clear ? 0 : 1;
}
