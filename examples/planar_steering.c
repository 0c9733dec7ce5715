// Steering by the gradient of the closest approach: a vehicle crosses a road with three cars and a
// walker. Ten times a second it asks how near it will come to each within the horizon, and where
// that is too near, changes its velocity along the gradient.
//   planar_steering
#include <math.h>
#include <stdio.h>

#include <graze/planar.h>

#define MOVERS 4

typedef struct mover {
    graze_planar_shape shape;
    graze_vec2 velocity;
} mover;

static const double horizon = 4, margin = 0.3, fastest = 2, tick = 0.1;

static graze_vec2 plus(graze_vec2 a, double k, graze_vec2 b) {
    return (graze_vec2){a.x + k * b.x, a.y + k * b.y};
}

static void move(mover *m, double time) {
    graze_transform2 way = graze_transform2_make(time * m->velocity.x, time * m->velocity.y, 0);
    graze_planar_transform(&m->shape, &m->shape, &way, NULL);
}

static mover rectangle(double x, double y, double half_x, double half_y, graze_vec2 velocity) {
    mover m = {.velocity = velocity};
    graze_transform2 pose = graze_transform2_make(x, y, 0);
    graze_planar_rectangle(&m.shape, &pose, (graze_vec2){half_x, half_y}, 0.1, NULL);
    return m;
}

// The least clearance of all movers if the vehicle drives like this, and its gradient.
static graze_planar_clearance_result least(const mover *vehicle, const mover *others) {
    graze_planar_clearance_result worst = {.clearance = INFINITY}, r;
    for (int i = 0; i < MOVERS; i++)
        if (!graze_planar_clearance(&others[i].shape, others[i].velocity, &vehicle->shape,
                                    vehicle->velocity, horizon, 0, &r) &&
            r.clearance < worst.clearance)
            worst = r;
    return worst;
}

// Climbs from the vehicle's velocity to the margin, at most `fastest`. Returns the clearance.
static double climb(mover *vehicle, const mover *others) {
    graze_planar_clearance_result c = least(vehicle, others);
    for (int step = 0; step < 40 && c.clearance < margin; step++) {
        graze_vec2 g = c.by_velocity;
        double square = g.x * g.x + g.y * g.y;
        if (square == 0) break;
        // As long as the clearance is short of the margin, to first order.
        vehicle->velocity = plus(vehicle->velocity, (margin + 0.01 - c.clearance) / square, g);
        double speed = hypot(vehicle->velocity.x, vehicle->velocity.y);
        if (speed > fastest)
            vehicle->velocity = plus((graze_vec2){0, 0}, fastest / speed, vehicle->velocity);
        c = least(vehicle, others);
    }
    return c.clearance;
}

// The wanted velocity, or what climbing from it, from less of it or from the last velocity leads
// to: the first that keeps the margin, else the one that comes nearest to it.
static void steer(mover *vehicle, graze_vec2 wanted, const mover *others) {
    const graze_vec2 starts[4] = {
        wanted, vehicle->velocity, {0.5 * wanted.x, 0.5 * wanted.y}, {0, 0}};
    graze_vec2 best = {0, 0};
    double most = -INFINITY;
    for (int i = 0; i < 4 && most < margin; i++) {
        vehicle->velocity = starts[i];
        double clearance = climb(vehicle, others);
        if (clearance <= most) continue;
        most = clearance;
        best = vehicle->velocity;
    }
    vehicle->velocity = best;
}

// Drives to (0, 9). Returns the time, and the least distance met on the way.
static double drive(int steering, double *nearest) {
    mover vehicle = rectangle(0, 0, 0.4, 0.6, (graze_vec2){0, 0});
    mover others[MOVERS] = {rectangle(-7, 3, 1, 0.5, (graze_vec2){2.5, 0}),
                            rectangle(9, 5, 1, 0.5, (graze_vec2){-2, 0}),
                            rectangle(-14, 3, 1, 0.5, (graze_vec2){2.5, 0})};
    graze_planar_circle(&others[3].shape, (graze_vec2){0.2, 7.5}, 0.3, NULL);
    others[3].velocity = (graze_vec2){0, -0.4};
    *nearest = INFINITY;
    graze_vec2 at = {0, 0}, goal = {0, 9};
    int ticks = 0;
    for (; ticks < 300 && hypot(goal.x - at.x, goal.y - at.y) > 0.1; ticks++) {
        graze_vec2 way = plus(goal, -1, at);
        graze_vec2 wanted = plus((graze_vec2){0, 0}, fmin(1.5 / hypot(way.x, way.y), 1 / tick),
                                 way);
        if (steering) steer(&vehicle, wanted, others);
        if (!steering) vehicle.velocity = wanted;
        for (int i = 0; i < MOVERS; i++) {
            // Within the tick, not at its ends only.
            graze_planar_approach_result a;
            if (!graze_planar_approach(&vehicle.shape, vehicle.velocity, &others[i].shape,
                                       others[i].velocity, tick, &a))
                *nearest = fmin(*nearest, a.distance);
            move(&others[i], tick);
        }
        move(&vehicle, tick);
        at = plus(at, tick, vehicle.velocity);
    }
    return ticks * tick;
}

int main(void) {
    double nearest, time = drive(0, &nearest);
    printf("straight on: there after %.1f s, least distance %.2f m%s\n", time, nearest,
           nearest <= 0 ? ": a crash" : "");
    time = drive(1, &nearest);
    printf("steering:    there after %.1f s, least distance %.2f m\n", time, nearest);
    return nearest > 0 && time < 30 ? 0 : 1;
}
