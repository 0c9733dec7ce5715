// A ball inside one part, or a vertex of its surface as a ball without radius, and a solid inside
// the other: a ball, a box, a cylinder or a capsule. Let d be the signed distance of the ball's
// centre from the solid, negative inside; d < radius means that they share a point. For the proof
//
//     d + change + radius * turn + GZ_CURVED_TOLERANCE + 4 epsilon < radius
//
// must hold in the middle of the box. Step by step as in kinematics/motion_bound.c: a joint on the
// path between the two parts moves the centre, as the solid sees it, by no more than s, or t times
// its distance from the axis, which is bounded from either side: the centre is a point of its own
// part, or it is at most `radius` outside of the other one. Signed distances change by no more than
// the centre moves, so after each step d < radius still holds, which the next step's bound needs.
// The pose of either part in the check is at most epsilon from the real one.
//
// A shared point of two insides is a collision under the contract: leave it along any straight
// line. The first surface that is met belongs to one part and is met inside the other; so the
// surfaces cross, or a component of one lies inside the other. This needs that the policy lets a
// mesh contain, which `surface` does not: then only its vertices count, and they are points of the
// surface itself. Points, boxes, spheres, cylinders and capsules are solid under every policy.
//
// GZ_CURVED_TOLERANCE covers what the verdict on curved shapes leaves open (1e-9 m and 2.5e-12 of
// their span, narrow/curved/curved.h) and the rounding of the centres and solids in their frames.
#include "cspace/cspace.h"

#include <string.h>

#include "base/memory.h"
#include "cspace/inner_solid.h"
#include "math/transform.h"
#include "narrow/curved/curved.h"

typedef struct proof_pair {
    graze_checked_pair ids;
    bool fixed;    ///< the map does not move one against the other
    bool possible; ///< balls and solids are large enough, for boxes of this size
    double change, turn;
} proof_pair;

struct gz_cspace_proof {
    const graze_checker *checker;
    const gz_motion_model *motion;
    gz_inside *links, *objects;
    size_t object_count;
    proof_pair *pairs;
    size_t pair_count, pair_capacity;
    double slack;
    bool full;   ///< memory is out
    bool always; ///< a pair that the map does not move against each other collides
};

// ------------------------------------------------------------------------------------------ pairs

static graze_status collect_link(gz_cspace_proof *p, int32_t link, graze_error *error) {
    const graze_robot *robot = p->checker->robot;
    const gz_link *l = &robot->links[link];
    graze_status status = GRAZE_OK;
    for (size_t i = 0; !status && i < l->collision_count; i++) {
        graze_geometry g;
        status = graze_robot_collision(robot, l->first_collision + i, &g);
        if (status) return gz_fail(error, status, "collision geometry cannot be read");
        double frame[12];
        gz_transform_compose(l->in_body.m, g.origin.m, frame);
        status = gz_inside_add(&p->links[link], &g, p->checker->link_policies[link], frame, NULL,
                               error);
    }
    gz_inside_bound(&p->links[link]);
    return status;
}

static graze_status collect_object(gz_cspace_proof *p, size_t object, graze_error *error) {
    graze_geometry g;
    graze_status status = graze_world_object(p->checker->world, object, &g);
    if (status) return gz_fail(error, status, "object cannot be read");
    status = gz_inside_add(&p->objects[object], &g, gz_object_policy(p->checker, (int32_t)object),
                           g.origin.m, g.origin.m, error);
    gz_inside_bound(&p->objects[object]);
    return status;
}

static bool add_pair(const graze_checked_pair *pair, void *user) {
    gz_cspace_proof *p = user;
    if (pair->hidden) return true;
    p->full = !gz_array_reserve((void **)&p->pairs, &p->pair_capacity, p->pair_count + 1,
                                sizeof *p->pairs);
    if (!p->full) p->pairs[p->pair_count++] = (proof_pair){.ids = *pair};
    return !p->full;
}

/// Pairs that keep their pose against each other: in the middle of the map for all of it.
static graze_status test_fixed_pairs(gz_cspace_proof *p, const gz_cspace_grid *grid,
                                     graze_error *error);

graze_status gz_cspace_proof_make(gz_cspace_proof **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const gz_cspace_grid *grid,
                                  graze_error *error) {
    *out = NULL;
    gz_cspace_proof *p = gz_calloc(1, sizeof *p);
    if (!p) return gz_fail_memory(error);
    *p = (gz_cspace_proof){
        .checker = checker, .motion = motion, .slack = GZ_CURVED_TOLERANCE + 4 * checker->epsilon};
    p->object_count = checker->world ? graze_world_object_count(checker->world) : 0;
    p->links = gz_calloc((size_t)checker->robot->link_count, sizeof *p->links);
    p->objects = gz_calloc(p->object_count, sizeof *p->objects);
    graze_status status = p->links && p->objects ? GRAZE_OK : gz_fail_memory(error);
    for (int32_t i = 0; !status && i < checker->robot->link_count; i++)
        status = collect_link(p, i, error);
    for (size_t i = 0; !status && i < p->object_count; i++) status = collect_object(p, i, error);
    if (!status) graze_checker_pairs(checker, add_pair, p);
    if (p->full) status = gz_fail_memory(error);
    if (!status) status = test_fixed_pairs(p, grid, error);
    if (status) {
        gz_cspace_proof_free(p);
        return status;
    }
    *out = p;
    return GRAZE_OK;
}

void gz_cspace_proof_free(gz_cspace_proof *p) {
    if (!p) return;
    for (int32_t i = 0; p->links && i < p->checker->robot->link_count; i++)
        gz_inside_free(&p->links[i]);
    for (size_t i = 0; p->objects && i < p->object_count; i++) gz_inside_free(&p->objects[i]);
    gz_free(p->links);
    gz_free(p->objects);
    gz_free(p->pairs);
    gz_free(p);
}

// ----------------------------------------------------------------------------------------- proving

static const gz_inside *other_of(const gz_cspace_proof *p, const proof_pair *pair) {
    return pair->ids.is_world ? &p->objects[pair->ids.other] : &p->links[pair->ids.other];
}

void gz_cspace_proof_bound(gz_cspace_proof *p, const double *half) {
    for (size_t i = 0; i < p->pair_count; i++) {
        proof_pair *pair = &p->pairs[i];
        const gz_inside *a = &p->links[pair->ids.link], *b = other_of(p, pair);
        pair->change = gz_motion_bound(p->motion, gz_pair_first(&pair->ids),
                                       gz_pair_second(&pair->ids), half, &pair->turn);
        // No ball can be deeper in a solid than both allow.
        double most = fmax(a->ball_count && b->solid_count ? a->ball_radius + b->solid_depth : 0,
                           b->ball_count && a->solid_count ? b->ball_radius + a->solid_depth : 0);
        pair->possible = !pair->fixed && most > pair->change + p->slack;
    }
}

/// Some ball of one in some solid of the other. `to_solid` maps the balls' frame to that of the
/// solids.
static bool balls_in_solids(const gz_inside *balls, const gz_inside *solids,
                            const double to_solid[12], const proof_pair *pair, double slack) {
    for (size_t i = 0; i < balls->ball_count; i++) {
        const gz_ball *ball = &balls->balls[i];
        double need = pair->change + ball->radius * pair->turn + slack - ball->radius;
        if (need >= solids->solid_depth) continue;
        double p[3];
        gz_transform_apply(to_solid, ball->center, p);
        if (gz_point_distance(p, solids->center) > solids->radius + ball->radius) continue;
        for (size_t k = 0; k < solids->solid_count; k++) {
            const gz_inner_solid *c = &solids->solids[k];
            if (gz_inner_solid_distance(c, p) + need < 0) return true;
        }
    }
    return false;
}

static const double *pose_of(const gz_cspace_proof *p, const graze_transform *links, int32_t link) {
    const graze_robot *robot = p->checker->robot;
    return links[robot->bodies[robot->links[link].body].root_link].m;
}

static bool pair_collides(const gz_cspace_proof *p, const proof_pair *pair,
                          const graze_transform *links) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const double *a = pose_of(p, links, pair->ids.link);
    const double *b = pair->ids.is_world ? identity : pose_of(p, links, pair->ids.other);
    const gz_inside *first = &p->links[pair->ids.link], *second = other_of(p, pair);
    double to[12], center[3];
    gz_transform_relative(a, b, to);
    gz_transform_apply(to, first->center, center);
    if (gz_point_distance(center, second->center) > first->radius + second->radius) return false;
    if (balls_in_solids(first, second, to, pair, p->slack)) return true;
    gz_transform_relative(b, a, to);
    return balls_in_solids(second, first, to, pair, p->slack);
}

/// Whether the verdict in the middle of the map is COLLISION.
static graze_status check_middle(const gz_cspace_proof *p, const gz_cspace_grid *grid,
                                 bool *collides, graze_error *error) {
    graze_workspace *workspace = NULL;
    graze_report report = {0};
    graze_status status = graze_workspace_create(&workspace, p->checker, error);
    *collides = !status &&
                graze_check(p->checker, workspace, GRAZE_ANSWER_ANY, grid->q, grid->q_size,
                            grid->map->base, &report, NULL) == GRAZE_OK &&
                report.verdict == GRAZE_COLLISION;
    graze_workspace_free(workspace);
    return status;
}

static graze_status test_fixed_pairs(gz_cspace_proof *p, const gz_cspace_grid *grid,
                                     graze_error *error) {
    const graze_robot *robot = p->checker->robot;
    graze_transform *poses = gz_malloc((size_t)robot->link_count, sizeof *poses);
    if (!poses) return gz_fail_memory(error);
    graze_status status = graze_robot_pose(robot, grid->q, grid->q_size, grid->map->base, poses,
                                           error);
    for (size_t i = 0; !status && i < p->pair_count; i++) {
        proof_pair *pair = &p->pairs[i];
        pair->fixed = !gz_motion_moves(p->motion, gz_pair_first(&pair->ids),
                                       gz_pair_second(&pair->ids));
        if (pair->fixed && !p->always) p->always = pair_collides(p, pair, poses);
    }
    // All of the map would rest on one ball: no such claim against the verdict.
    if (p->always) status = check_middle(p, grid, &p->always, error);
    gz_free(poses);
    return status;
}

bool gz_cspace_proof_holds(const gz_cspace_proof *p, const graze_transform *links) {
    if (p->always) return true;
    for (size_t i = 0; i < p->pair_count; i++)
        if (p->pairs[i].possible && pair_collides(p, &p->pairs[i], links)) return true;
    return false;
}
