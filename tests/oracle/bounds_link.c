// Links: their spheres and oriented boxes in double, and the filter in float over eight
// configurations.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bounds.h"
#include "broad/bound_test.h"
#include "check/check_internal.h"
#include "check/filters.h"
#include "math/transform.h"

/// A link in its pose.
typedef struct posed_link {
    const graze_robot *robot;
    const gz_link *link;
    double pose[12], center[3];
    graze_obb box;
} posed_link;

static bool draw_link(campaign *c, posed_link *p) {
    p->robot = c->robots[gz_random_below(&c->random, (uint32_t)c->robot_count)];
    p->link = &p->robot->links[gz_random_below(&c->random, (uint32_t)p->robot->link_count)];
    const gz_link *l = p->link;
    for (size_t i = l->first_collision; i < l->first_collision + l->collision_count; i++)
        if (!p->robot->collisions[i].shape.mesh) return false; // triangles only
    return l->collision_count > 0;
}

/// As gz_workspace_pose() and gz_workspace_box() place the bounds.
static void place(posed_link *p) {
    const gz_link *l = p->link;
    gz_transform_apply(p->pose, GZ_ARRAY3(l->sphere.center), p->center);
    gz_transform_apply(p->pose, GZ_ARRAY3(l->obb.center), GZ_ARRAY3(p->box.center));
    for (int k = 0; k < 3; k++)
        gz_transform_rotate(p->pose, GZ_ARRAY3(l->obb.axis[k]), GZ_ARRAY3(p->box.axis[k]));
    p->box.half = l->obb.half;
}

static size_t gather_link(campaign *c, int which, const posed_link *p) {
    const gz_link *l = p->link;
    size_t count = 0;
    for (size_t i = 0; i < l->collision_count; i++)
        count += p->robot->collisions[l->first_collision + i].shape.mesh->vertex_count;
    double *out = bounds_points(c, which, count);
    for (size_t i = 0; i < l->collision_count; i++) {
        const graze_mesh *m = p->robot->collisions[l->first_collision + i].shape.mesh;
        for (size_t v = 0; v < m->vertex_count; v++, out += 3)
            gz_snap(p->pose, m->vertices + 3 * v, out);
    }
    return count;
}

/// How far snapped vertices stick out of the posed bounds, against what the pads allow.
static void measure_link(campaign *c, const posed_link *p, const double *points, size_t count) {
    double allowed = p->link->pad + gz_pose_pad(p->pose), ball = 0, box = 0;
    const double *h = GZ_ARRAY3(p->box.half);
    for (size_t i = 0; i < count; i++) {
        long double d[3], square = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = (long double)points[3 * i + (size_t)k] - (long double)p->center[k];
            square += d[k] * d[k];
        }
        ball = fmax(ball, (double)(sqrtl(square) - (long double)p->link->sphere.radius));
        for (int k = 0; k < 3; k++) {
            long double along = 0;
            for (int j = 0; j < 3; j++)
                along += (long double)GZ_ARRAY3(p->box.axis[k])[j] *
                         ((long double)points[3 * i + (size_t)j] -
                          (long double)GZ_ARRAY3(p->box.center)[j]);
            box = fmax(box, (double)(fabsl(along) - (long double)h[k]));
        }
    }
    tally *balls = &c->tallies[BALL_HOLDS], *boxes = &c->tallies[BOX_HOLDS];
    balls->tested += count;
    boxes->tested += count;
    bounds_measure(balls, ball, allowed);
    // Boxes are tested with (20 skew + 2^-46) of the sizes on top of the pad.
    allowed += (20 * p->link->skew + 0x1p-46) * (h[0] + h[1] + h[2]);
    bounds_measure(boxes, box, allowed);
}

// ------------------------------------------------------------------------------------------ coins

enum { RIM_POINTS = 16 };

/// Points of the rims of a cylinder whose ends were snapped.
static void rim_points(const double ends[2][3], double radius, long double out[][3]) {
    long double axis[3], u[3], v[3], length = 0, norm = 0;
    for (int k = 0; k < 3; k++) {
        axis[k] = (long double)ends[1][k] - (long double)ends[0][k];
        length += axis[k] * axis[k];
    }
    length = sqrtl(length);
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabsl(axis[k]) < fabsl(axis[least])) least = k;
    const int j = (least + 1) % 3, l = (least + 2) % 3;
    norm = sqrtl(axis[j] * axis[j] + axis[l] * axis[l]);
    u[least] = 0, u[j] = -axis[l] / norm, u[l] = axis[j] / norm;
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        v[k] = (axis[m] * u[n] - axis[n] * u[m]) / length;
    }
    for (int i = 0; i < RIM_POINTS; i++) {
        long double angle = 0.8L * (long double)i, r = (long double)radius;
        for (int k = 0; k < 3; k++)
            out[i][k] = (long double)ends[i % 2][k] + r * (cosl(angle) * u[k] + sinl(angle) * v[k]);
    }
}

/// How far rim points are out of a box.
static double out_of_box(const graze_obb *box, long double points[][3]) {
    const double *h = GZ_ARRAY3(box->half);
    long double most = 0;
    for (int i = 0; i < RIM_POINTS; i++)
        for (int k = 0; k < 3; k++) {
            long double along = 0;
            for (int j = 0; j < 3; j++)
                along += (long double)GZ_ARRAY3(box->axis[k])[j] *
                         (points[i][j] - (long double)GZ_ARRAY3(box->center)[j]);
            most = fmaxl(most, fabsl(along) - (long double)h[k]);
        }
    return (double)most;
}

static double out_of_ball(const posed_link *p, long double points[][3]) {
    long double most = 0;
    for (int i = 0; i < RIM_POINTS; i++) {
        long double square = 0;
        for (int k = 0; k < 3; k++) {
            long double d = points[i][k] - (long double)p->center[k];
            square += d * d;
        }
        most = fmaxl(most, sqrtl(square) - (long double)p->link->sphere.radius);
    }
    return (double)most;
}

static graze_robot *make_coin(double radius, double length) {
    char text[300];
    int used = snprintf(text, sizeof text,
                        "<robot name='c'><link name='coin'><collision><geometry>"
                        "<cylinder radius='%.17g' length='%.17g'/></geometry></collision></link>"
                        "</robot>",
                        radius, length);
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, (size_t)used, "coin", NULL, NULL, &error))
        give_up("coin", error.message);
    return robot;
}

/// A coin of 1 m and 50 to 10^6 radii to its thickness, up to 2^20 m away.
void bounds_coins(campaign *c) {
    double radius = gz_random_range(&c->random, 0.5, 1);
    double length = radius / pow(10, gz_random_range(&c->random, 1.7, 6));
    graze_robot *robot = make_coin(radius, length);
    posed_link p = {.robot = robot, .link = &robot->links[0]};
    bounds_pose(c, ldexp(1, (int)gz_random_below(&c->random, 20)), p.pose);
    place(&p);
    const gz_shape *s = &robot->collisions[0].shape;
    double ends[2][3];
    gz_snap(p.pose, s->a, ends[0]);
    gz_snap(p.pose, s->b, ends[1]);
    graze_world *world;
    graze_transform pose;
    memcpy(pose.m, p.pose, sizeof pose.m);
    graze_error error;
    if (graze_world_create(&world, "coins", &error) ||
        graze_world_add_cylinder(world, "coin", radius, length, &pose, &error))
        give_up("world", error.message);
    if (memcmp(ends[0], ends[1], sizeof ends[0]) != 0) {
        long double points[RIM_POINTS][3];
        const graze_obb *posed = &gz_world_at(world, 0)->posed;
        rim_points((const double(*)[3])ends, radius, points);
        double pad = gz_link_pad(p.link, p.pose), sum = p.box.half.x + p.box.half.y + p.box.half.z;
        for (int k = BALL_HOLDS_RIM; k <= OBJECT_HOLDS_RIM; k++) c->tallies[k].tested += RIM_POINTS;
        bounds_measure(&c->tallies[BALL_HOLDS_RIM], out_of_ball(&p, points), pad);
        bounds_measure(&c->tallies[BOX_HOLDS_RIM], out_of_box(&p.box, points),
                       pad + (20 * p.link->skew + 0x1p-46) * sum);
        // Nothing is left to be allowed but what makes the axes skew.
        bounds_measure(&c->tallies[OBJECT_HOLDS_RIM], out_of_box(posed, points), 0x1p-46 * sum);
    }
    graze_world_free(world);
    graze_robot_free(robot);
}

/// Directions in which the bounds may be apart: 15 axes of the boxes, the line of the centres; and
/// for a ball beside a box the shortest way between the hulls.
static bool prove_apart(campaign *c, const posed_link *a, const posed_link *b, size_t na,
                        size_t nb) {
    for (int test = 0; test < 16; test++) {
        double n[3];
        if (test < 6)
            memcpy(n, GZ_ARRAY3((test < 3 ? a : b)->box.axis[test % 3]), sizeof n);
        else if (test < 15)
            gz_cross(GZ_ARRAY3(a->box.axis[(test - 6) / 3]), GZ_ARRAY3(b->box.axis[test % 3]), n);
        else
            gz_subtract(b->center, a->center, n);
        if (separation_prove(&c->separation, n, c->points[0], na, c->points[1], nb) ||
            separation_prove(&c->separation, n, c->points[1], nb, c->points[0], na))
            return true;
    }
    return separation_search(&c->separation, c->points[0], na, c->points[1], nb, 0);
}

static void claim(campaign *c, int kind, bool apart, const posed_link *a, const posed_link *b) {
    tally *t = &c->tallies[kind];
    t->tested++;
    if (!apart) return;
    t->apart++;
    size_t na = gather_link(c, 0, a), nb = gather_link(c, 1, b);
    if (!prove_apart(c, a, b, na, nb)) t->wrong++;
}

void bounds_links(campaign *c) {
    posed_link a, b;
    if (!draw_link(c, &a) || !draw_link(c, &b)) return;
    double far = exp2(gz_random_range(&c->random, -3, 12));
    bounds_pose(c, far, a.pose);
    bounds_pose(c, far, b.pose);
    place(&a);
    place(&b);
    // The spheres within some pads of touching, or the boxes somewhere near.
    double n[3], wanted = a.link->sphere.radius + b.link->sphere.radius;
    gz_subtract(b.center, a.center, n);
    double distance = gz_norm(n),
           pad = a.link->pad + b.link->pad + gz_pose_pad(a.pose) + gz_pose_pad(b.pose);
    if (gz_random_below(&c->random, 2))
        wanted += gz_random_range(&c->random, -2, 6) * pad;
    else
        wanted *= gz_random_range(&c->random, 0.3, 1.1);
    for (int k = 0; k < 3; k++) b.pose[4 * k + 3] -= n[k] * (1 - wanted / distance);
    place(&b);
    pad = a.link->pad + b.link->pad + gz_pose_pad(a.pose) + gz_pose_pad(b.pose);
    claim(c, SPHERES,
          gz_spheres_apart(a.center, a.link->sphere.radius, b.center, b.link->sphere.radius, pad),
          &a, &b);
    claim(c, BOXES, gz_obb_apart(&a.box, &b.box, a.link->skew + b.link->skew, pad), &a, &b);
    measure_link(c, &a, c->points[0], gather_link(c, 0, &a));
}

// ------------------------------------------------------------------------------------------- lanes

static void draw_rows(campaign *c, const graze_robot *r, double *q) {
    for (size_t i = 0; i < GZ_LANES * r->column_count; i++) {
        const graze_joint_info *j = &r->joints[r->column_joints[i % r->column_count]].info;
        q[i] = j->limited ? gz_random_range(&c->random, j->lower, j->upper)
                          : gz_random_range(&c->random, -3.2, 3.2);
        bool turns = j->type == GRAZE_JOINT_CONTINUOUS && gz_random_below(&c->random, 4) == 0;
        if (turns) q[i] = gz_random_range(&c->random, -0x1p20, 0x1p20);
    }
}

static bool has_curves(const posed_link *p) {
    for (size_t i = 0; i < p->link->collision_count; i++)
        if (!p->robot->collisions[p->link->first_collision + i].shape.mesh) return true;
    return false;
}

/// Whether the ball around one link keeps clear of the other's box, by more than both may be off:
/// for links without vertices to look at, which ball and box hold.
static bool ball_clears_box(const posed_link *ball, const posed_link *box, double pad) {
    long double square = 0;
    for (int k = 0; k < 3; k++) {
        long double along = 0;
        for (int j = 0; j < 3; j++)
            along += (long double)GZ_ARRAY3(box->box.axis[k])[j] *
                     ((long double)ball->center[j] - (long double)GZ_ARRAY3(box->box.center)[j]);
        long double beyond = fabsl(along) - (long double)GZ_ARRAY3(box->box.half)[k];
        square += beyond > 0 ? beyond * beyond : 0;
    }
    long double limit = (long double)ball->link->sphere.radius + (long double)pad;
    return square > limit * limit;
}

/// What one lane left out is apart; where it put the spheres is near where they are.
static void prove_row(campaign *c, const graze_checker *k, const graze_workspace *ws,
                      const gz_batch_block *block, uint32_t lane, const double origin[12]) {
    const graze_robot *r = k->robot;
    for (size_t i = 0; i < k->filter->link_count; i++) {
        const gz_filter_link *l = &k->filter->links[i];
        double off = 0;
        for (int x = 0; x < 3; x++)
            off += pow(ws->centers[l->link][x] - origin[4 * x + 3] -
                           (double)block->centers[i][x][lane],
                       2);
        bounds_measure(&c->tallies[LANE_CENTER], sqrt(off), l->error);
        c->tallies[LANE_CENTER].tested++;
    }
    for (size_t i = 0; i < k->filter->pair_count; i++) {
        const gz_filter_pair *p = &k->filter->pairs[i];
        bool left = false;
        for (size_t s = 0; s < block->pair_count && !left; s++)
            left = block->pairs[s].index == p->pair && (block->pairs[s].lanes >> lane & 1);
        const gz_check_pair *pair = &k->pairs[p->pair];
        posed_link a = {.robot = r, .link = &r->links[pair->a]},
                   b = {.robot = r, .link = &r->links[pair->b]};
        memcpy(a.pose, ws->bodies[a.link->body], sizeof a.pose);
        memcpy(b.pose, ws->bodies[b.link->body], sizeof b.pose);
        place(&a);
        place(&b);
        // Where the double test says so beyond its pad, no vertex needs to be looked at: what it
        // says is proved on its own.
        double pad = a.link->pad + b.link->pad + gz_pose_pad(a.pose) + gz_pose_pad(b.pose);
        if (!left && (gz_spheres_apart(a.center, a.link->sphere.radius, b.center,
                                       b.link->sphere.radius, pad) ||
                      gz_obb_apart(&a.box, &b.box, a.link->skew + b.link->skew, pad))) {
            c->tallies[LANES].tested++;
            c->tallies[LANES].apart++;
            continue;
        }
        if (has_curves(&a) || has_curves(&b)) {
            c->tallies[LANES].tested++;
            c->tallies[LANES].apart += !left;
            c->tallies[LANES].wrong += !left && !ball_clears_box(&a, &b, pad) &&
                                       !ball_clears_box(&b, &a, pad);
            continue;
        }
        claim(c, LANES, !left, &a, &b);
    }
}

void bounds_lanes(campaign *c) {
    const graze_robot *r = c->robots[gz_random_below(&c->random, (uint32_t)c->robot_count)];
    graze_checker *checker;
    graze_workspace *ws;
    gz_batch_block block;
    double *q = allocate(GZ_LANES * r->column_count, sizeof *q), base[GZ_LANES][12];
    if (graze_checker_create(&checker, r, NULL, NULL, NULL)) return;
    bool ready = checker->filter && !graze_workspace_create(&ws, checker, NULL);
    if (!ready || !gz_batch_block_create(&block, checker->filter)) {
        graze_checker_free(checker);
        free(q);
        return;
    }
    gz_batch_filter filter = gz_filter_kernels_choose(checker->kernels)->batch;
    for (int repeat = 0; repeat < 50; repeat++) {
        double far = exp2(gz_random_range(&c->random, 0, 12)), own[GZ_LANES][6];
        draw_rows(c, r, q);
        for (int i = 0; i < GZ_LANES; i++) {
            for (int k = 0; k < 3; k++) {
                own[i][k] = i ? own[0][k] + gz_random_range(&c->random, -3, 3)
                              : gz_random_range(&c->random, -far, far);
                own[i][3 + k] = gz_random_range(&c->random, -3.2, 3.2);
            }
            graze_transform t = graze_transform_from_xyz_rpy(own[i], own[i] + 3);
            memcpy(base[i], t.m, sizeof base[i]);
        }
        block.unfit = 0;
        filter(checker->filter, q, r->column_count, GZ_LANES, base, &block);
        for (uint32_t i = 0; i < GZ_LANES; i++)
            if (!(block.unfit >> i & 1) &&
                !gz_workspace_pose(ws, q + i * r->column_count, r->column_count, own[i], NULL))
                prove_row(c, checker, ws, &block, i, base[0]);
    }
    gz_batch_block_free(&block);
    graze_workspace_free(ws);
    graze_checker_free(checker);
    free(q);
}
