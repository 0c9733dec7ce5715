// A motion by optimisation: waypoints for NLopt's SLSQP (Kraft 1988), whose soft clearance has
// gradients; then a trajectory through them, proved free.
//
//     safe_motion six_axis.urdf six_axis.srdf table.json

#include <graze/graze.h>
#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAYPOINTS 7 // between start and goal
#define N         6 // joints

typedef struct problem {
    graze_robot *robot;
    graze_checker *checker;
    graze_distance_workspace *distances;
    double start[N], goal[N], clearance;
} problem;

static const double *waypoint(const problem *p, const double *x, int i) {
    return i < 0 ? p->start : i >= WAYPOINTS ? p->goal : x + i * N;
}

// The sum over all steps of |q[i + 1] - q[i]|^2: a short and even way.
static double length(unsigned count, const double *x, double *gradient, void *user) {
    double sum = 0;
    if (gradient) memset(gradient, 0, count * sizeof *gradient);
    for (int i = -1; i < WAYPOINTS; i++)
        for (int k = 0; k < N; k++) {
            double step = waypoint(user, x, i + 1)[k] - waypoint(user, x, i)[k];
            sum += step * step;
            if (gradient && i >= 0) gradient[i * N + k] -= 2 * step;
            if (gradient && i + 1 < WAYPOINTS) gradient[(i + 1) * N + k] += 2 * step;
        }
    return sum;
}

// missing[i] <= 0: waypoint i keeps the clearance.
static void keep_clear(unsigned m, double *missing, unsigned count, const double *x,
                       double *gradient, void *user) {
    const problem *p = user;
    if (gradient) memset(gradient, 0, (size_t)m * count * sizeof *gradient);
    for (unsigned i = 0; i < m; i++) {
        graze_smooth_clearance c;
        double by_q[N] = {0};
        graze_distance_smooth(p->checker, p->distances, x + i * N, N, NULL, 0.3, 0.005, &c, by_q,
                              NULL, NULL);
        missing[i] = p->clearance - c.value;
        for (unsigned k = 0; gradient && k < N; k++) gradient[i * (count + N) + k] = -by_q[k];
    }
}

static double optimise(problem *p, double x[WAYPOINTS * N]) {
    double low[WAYPOINTS * N], high[WAYPOINTS * N], cost = 0;
    const double tolerance[WAYPOINTS] = {0};
    for (int i = 0; i < WAYPOINTS; i++) {
        double t = (i + 1.0) / (WAYPOINTS + 1);
        for (int k = 0; k < N; k++) x[i * N + k] = (1 - t) * p->start[k] + t * p->goal[k];
        x[i * N + 1] -= 0.5 * sin(3.14159265 * t); // over what is in the way
        graze_robot_q_limits(p->robot, low + i * N, high + i * N);
    }
    nlopt_opt o = nlopt_create(NLOPT_LD_SLSQP, WAYPOINTS * N);
    nlopt_set_min_objective(o, length, p);
    nlopt_add_inequality_mconstraint(o, WAYPOINTS, keep_clear, p, tolerance);
    nlopt_set_lower_bounds(o, low);
    nlopt_set_upper_bounds(o, high);
    nlopt_set_xtol_rel(o, 1e-6);
    nlopt_set_maxeval(o, 300);
    nlopt_optimize(o, x, &cost);
    nlopt_destroy(o);
    return cost;
}

// A cubic spline through the waypoints, a second a step, from rest to rest.
static graze_trajectory_report prove(const problem *p, const double *x) {
    double times[WAYPOINTS + 2], q[(WAYPOINTS + 2) * N], v[(WAYPOINTS + 2) * N] = {0};
    graze_trajectory_knots knots = graze_trajectory_knots_default();
    graze_trajectory *trajectory;
    graze_motion_workspace *motions;
    graze_trajectory_report report = {.verdict = GRAZE_MOTION_UNKNOWN};
    for (int i = -1; i <= WAYPOINTS; i++) {
        times[i + 1] = i + 1;
        memcpy(q + (i + 1) * N, waypoint(p, x, i), N * sizeof *q);
        for (int k = 0; k < N && i >= 0 && i < WAYPOINTS; k++)
            v[(i + 1) * N + k] = (waypoint(p, x, i + 1)[k] - waypoint(p, x, i - 1)[k]) / 2;
    }
    knots.count = WAYPOINTS + 2;
    knots.times = times;
    knots.q = q;
    knots.velocities = v;
    if (graze_trajectory_from_knots(&trajectory, p->robot, &knots, NULL)) return report;
    if (graze_motion_workspace_create(&motions, p->checker, NULL) == GRAZE_OK)
        graze_check_trajectory(p->checker, motions, trajectory, NULL, &report, NULL);
    graze_motion_workspace_free(motions);
    graze_trajectory_free(trajectory);
    return report;
}

int main(int argc, char **argv) {
    problem p = {.start = {-1.1, 0.6, -0.6}, .goal = {0.9, 0.6, -0.6}, .clearance = 0.02};
    double x[WAYPOINTS * N];
    graze_world *world = NULL;
    graze_error error;
    graze_load_options options = graze_load_options_default();
    if (argc != 4) return 2;
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&p.robot, argv[1], &options, &error) ||
        graze_world_create(&world, "table", &error) ||
        graze_world_add_file(world, argv[3], NULL, &error) || graze_world_commit(world, &error) ||
        graze_checker_create(&p.checker, p.robot, world, NULL, &error) ||
        graze_distance_workspace_create(&p.distances, p.checker, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    for (int i = 0; i < WAYPOINTS * N; i++) x[i] = p.start[i % N]; // straight on
    for (int i = 0; i < WAYPOINTS; i++) x[i * N] += (p.goal[0] - p.start[0]) * (i + 1) / 8;
    graze_trajectory_report report = prove(&p, x);
    printf("straight on: %s hits at %.2f s\n",
           report.verdict == GRAZE_MOTION_HIT ? graze_contact_link_name(p.checker, &report.contact)
                                              : "nothing",
           report.latest);
    double cost = optimise(&p, x);
    report = prove(&p, x);
    printf("optimised: cost %.3f, %s\n", cost,
           report.verdict == GRAZE_MOTION_FREE ? "proved free at every time" : "not free");
    graze_distance_workspace_free(p.distances);
    graze_checker_free(p.checker);
    graze_world_free(world);
    graze_robot_free(p.robot);
    return report.verdict != GRAZE_MOTION_FREE;
}
