// A planar arm with links of any shape, fixed or on a base that drives (a rigid body is one link of
// such an arm), at one configuration: where its shapes are, which pair is nearest, and what holds
// for a whole box of configurations around.
//
// docs/planar.md bounds how far a shape moves there. No direction's support of a set changes by
// more than its points move, so the signed distance of two shapes, a maximum over directions of
// differences of supports, does not either.

#include "base/error.h"
#include "base/float_environment.h"
#include "graze/planar_smooth.h"
#include "math/trigonometry.h"
#include "planar/cspace/cspace_internal.h"

/// An arm at q.
typedef struct arm_pose {
    graze_vec2 joints[GRAZE_PLANAR_LINK_MAX];
    graze_planar_shape placed[GRAZE_PLANAR_ARM_SHAPE_MAX];
    graze_planar_bounds boxes[GRAZE_PLANAR_ARM_SHAPE_MAX];
    double error; ///< of a distance
} arm_pose;

// ------------------------------------------------------------------------------------- arguments

graze_status gz_planar_shapes_check(const char *name, const graze_planar_shape *shapes,
                                    size_t count, graze_error *error) {
    for (size_t i = 0; i < count; i++) {
        graze_error found;
        graze_status status = graze_planar_shape_check(&shapes[i], &found);
        if (status) return gz_fail(error, status, "%s %zu: %s", name, i, found.message);
    }
    return GRAZE_OK;
}

static graze_status check_links(const graze_planar_arm_scene *scene, graze_error *error) {
    int32_t links = scene->arm.link_count;
    if (scene->shape_count < 1 || scene->shape_count > GRAZE_PLANAR_ARM_SHAPE_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the arm has %zu shapes; allowed: 1 to %d",
                       scene->shape_count, GRAZE_PLANAR_ARM_SHAPE_MAX);
    for (size_t i = 0; i < scene->shape_count; i++) {
        int32_t link = scene->shape_links[i], least = i > 0 ? scene->shape_links[i - 1] : 0;
        if (link >= least && link < links) continue;
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "shape %zu is of link %d; allowed: %d to %d, never falling", i, (int)link,
                       (int)least, (int)links - 1);
    }
    return GRAZE_OK;
}

graze_status gz_arm_query_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               graze_error *error) {
    static const double zeros[GRAZE_PLANAR_LINK_MAX];
    if (!scene || !scene->shapes || !scene->shape_links ||
        (!scene->obstacles && scene->obstacle_count > 0))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the scene or one of its arrays is NULL; allowed: only no obstacles");
    graze_vec2 points[GRAZE_PLANAR_LINK_MAX + 1];
    GZ_TRY(graze_planar_arm_points(&scene->arm, zeros, points, error));
    GZ_TRY(check_links(scene, error));
    GZ_TRY(gz_planar_shapes_check("shape", scene->shapes, scene->shape_count, error));
    GZ_TRY(gz_planar_shapes_check("obstacle", scene->obstacles, scene->obstacle_count, error));
    GZ_TRY(gz_planar_range_check("walls", scene->walls, 0, GZ_ARM_PLACE_MAX, "0 to 2^50", error));
    int32_t first = scene->drives ? 2 : 0;
    *query = (gz_arm_query){.scene = scene, .first = first, .far = scene->walls};
    query->count = first + scene->arm.link_count;
    for (int32_t i = 0; i < scene->arm.link_count; i++) query->length += scene->arm.lengths[i];
    double radius = 0;
    for (size_t i = 0; i < scene->shape_count; i++) {
        const graze_planar_shape *s = &scene->shapes[i];
        radius = fmax(radius, s->radius);
        for (int32_t k = 0; k < s->count; k++)
            query->radius = fmax(query->radius, hypot(s->vertices[k].x, s->vertices[k].y));
    }
    for (size_t i = 0; i < scene->obstacle_count; i++) {
        graze_planar_bounds b = graze_planar_shape_bounds(&scene->obstacles[i]);
        query->far = fmax(query->far, fmax(fmax(-b.min.x, b.max.x), fmax(-b.min.y, b.max.y)));
    }
    query->extent = query->length + query->radius + radius;
    return GRAZE_OK;
}

graze_status gz_arm_check(const gz_arm_query *query, const double *q, graze_error *error) {
    if (!q) return gz_planar_fail_null(error);
    for (int32_t i = 0; i < query->count; i++) {
        if (i < query->first && !(fabs(q[i]) <= GZ_ARM_PLACE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the base is at %g, %g; allowed: magnitudes at most 2^50", q[0], q[1]);
        if (i >= query->first && !(fabs(q[i]) <= GZ_ARM_ANGLE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "angle %d is %g; allowed: magnitude at most 2^10",
                           (int)(i - query->first), q[i]);
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ poses

/// The error of a distance, u = 2^-53. Of n links: an angle is a sum of up to n numbers and so off
/// by at most n u sum |q|; its sine and cosine by 2 u more, products and sums by 3 u: what hangs on
/// a joint, a link's end or a vertex, is off by at most (n sum |q| + 5) sqrt(2) u of its way from
/// that joint. Adding rounds by u of the largest coordinate each, n + 1 times for x and for y. The
/// distance of the rounded shapes is off by at most 256 u of the largest number (docs/planar.md).
static double distance_error(const gz_arm_query *query, const double *q) {
    double n = (double)query->scene->arm.link_count, angles = 0;
    for (int32_t i = query->first; i < query->count; i++) angles += fabs(q[i]);
    graze_vec2 base = gz_arm_base(query, q);
    double size = fmax(query->far, hypot(base.x, base.y) + query->extent);
    double sum = 2 * (query->length + query->radius) * (n * angles + 5) +
                 (2 * (n + 1) + 256) * size;
    return 0x1p-53 * sum * (1 + 0x1p-20); // its own rounding
}

static void place_all(const gz_arm_query *query, const double *q, graze_vec2 *joints,
                      graze_planar_shape *placed) {
    const graze_planar_arm_scene *scene = query->scene;
    graze_vec2 at = gz_arm_base(query, q);
    double angle = 0;
    size_t k = 0;
    for (int32_t i = 0; i < scene->arm.link_count; i++) {
        double s, c;
        angle += q[query->first + i];
        gz_sine_cosine(angle, &s, &c);
        joints[i] = at;
        for (; k < scene->shape_count && scene->shape_links[k] == i; k++)
            gz_planar_place(&placed[k], &scene->shapes[k], (graze_vec2){0, 0}, c, s, at);
        at = gz_vec2_add_scaled(at, scene->arm.lengths[i], (graze_vec2){c, s});
    }
}

static void pose_arm(const gz_arm_query *query, const double *q, arm_pose *pose) {
    place_all(query, q, pose->joints, pose->placed);
    pose->error = distance_error(query, q);
    for (size_t i = 0; i < query->scene->shape_count; i++)
        pose->boxes[i] = graze_planar_shape_bounds(&pose->placed[i]);
}

graze_status graze_planar_arm_place(const graze_planar_arm_scene *scene, const double *q,
                                    graze_planar_shape *placed, graze_error *error) {
    GZ_ENTER(error);
    gz_arm_query query;
    graze_vec2 joints[GRAZE_PLANAR_LINK_MAX];
    if (!placed) return gz_planar_fail_null(error);
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(gz_arm_check(&query, q, error));
    place_all(&query, q, joints, placed);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ pairs

/// The greatest gap of boxes along an axis: no more than the distance.
static double box_gap(const graze_planar_bounds *a, const graze_planar_bounds *b) {
    double x = fmax(a->min.x - b->max.x, b->min.x - a->max.x);
    double y = fmax(a->min.y - b->max.y, b->min.y - a->max.y);
    return fmax(x, y);
}

/// How far a shape moves, seen from link `from` (-1: from the ground), while q changes by `half`.
static double way_of(const gz_arm_query *query, const arm_pose *pose, size_t shape, int32_t from,
                     const double *half) {
    const graze_planar_shape *s = &pose->placed[shape];
    double way = 0;
    if (!half) return 0;
    for (int32_t j = query->scene->shape_links[shape]; j > from; j--) {
        double turn = half[query->first + j], arm = 0;
        if (turn == 0) continue;
        for (int32_t k = 0; k < s->count; k++)
            arm = fmax(arm, hypot(s->vertices[k].x - pose->joints[j].x,
                                  s->vertices[k].y - pose->joints[j].y));
        way += turn * (arm + pose->error + way);
    }
    if (from < 0 && query->first > 0) way += hypot(half[0], half[1]);
    return way * (1 + 0x1p-40);
}

/// What pairs of shapes are looked at for: the least distance, or what holds in a box of angles.
typedef struct pair_search {
    const gz_arm_query *query;
    arm_pose pose;
    const double *half;           ///< of the box; NULL for none
    graze_planar_arm_pair *least; ///< NULL for a box
    gz_arm_verdict verdict;
} pair_search;

static void start_search(pair_search *s, const gz_arm_query *query, const double *q,
                         const double *half, graze_planar_arm_pair *least) {
    s->query = query;
    s->half = half;
    s->least = least;
    s->verdict = (gz_arm_verdict){.touched = -1, .blocked = -1, .middle_link = -1};
    pose_arm(query, q, &s->pose);
}

/// A pair in a box of angles in which its distance changes by no more than `way`.
static void test_pair(pair_search *s, int32_t link, double way, double distance) {
    gz_arm_verdict *v = &s->verdict;
    double error = s->pose.error;
    if (distance > way + error) return;
    if (v->touched < 0) v->touched = link;
    if (distance < -(way + error) && v->blocked < 0) v->blocked = link;
    if (distance < -error && v->middle_link < 0) {
        v->middle_link = link;
        v->middle = GRAZE_CSPACE_COLLIDING;
    }
    if (distance <= error && v->middle == GRAZE_CSPACE_FREE) v->middle = GRAZE_CSPACE_UNDECIDED;
}

/// A shape at a distance from an obstacle (-1: the walls), or from another shape.
static void put_pair(pair_search *s, size_t shape, int32_t other, bool self, double way,
                     double distance) {
    if (!s->least)
        test_pair(s, s->query->scene->shape_links[shape], way, distance);
    else if (distance < s->least->distance)
        *s->least = (graze_planar_arm_pair){distance, s->pose.error, (int32_t)shape, other, self};
}

/// A shape with an obstacle, or with another shape as seen from the link of that; left out where
/// their boxes are farther apart than matters.
static void visit(pair_search *s, size_t shape, size_t other, bool self, double way,
                  const graze_planar_bounds *box) {
    double limit = s->least ? s->least->distance : way + s->pose.error;
    if (box_gap(&s->pose.boxes[shape], box) > limit) return;
    const graze_planar_shape *b = self ? &s->pose.placed[other]
                                       : &s->query->scene->obstacles[other];
    graze_planar_result r = {.distance = -INFINITY};
    (void)graze_planar_distance(&s->pose.placed[shape], b, &r); // in range: arguments were checked
    put_pair(s, shape, (int32_t)other, self, way, r.distance);
}

/// How far a box is inside the square from 0 to `size`.
static double wall_gap(double size, const graze_planar_bounds *box) {
    return fmin(fmin(box->min.x, size - box->max.x), fmin(box->min.y, size - box->max.y));
}

/// Every shape with the walls and every obstacle, then with the shapes of links that no joint
/// connects with its own, in this order.
static void visit_pairs(pair_search *s) {
    const graze_planar_arm_scene *scene = s->query->scene;
    for (size_t i = 0; i < scene->shape_count; i++) {
        double way = way_of(s->query, &s->pose, i, -1, s->half);
        if (scene->walls > 0)
            put_pair(s, i, -1, false, way, wall_gap(scene->walls, &s->pose.boxes[i]));
        for (size_t k = 0; k < scene->obstacle_count; k++) {
            graze_planar_bounds box = s->query->boxes
                                          ? s->query->boxes[k]
                                          : graze_planar_shape_bounds(&scene->obstacles[k]);
            visit(s, i, k, false, way, &box);
        }
        for (size_t k = 0; scene->self && k < i; k++) {
            if (scene->shape_links[k] + 1 >= scene->shape_links[i]) break;
            way = way_of(s->query, &s->pose, i, scene->shape_links[k], s->half);
            visit(s, i, k, true, way, &s->pose.boxes[k]);
        }
    }
}

graze_status graze_planar_arm_clearance(const graze_planar_arm_scene *scene, const double *q,
                                        graze_planar_arm_pair *pair, graze_error *error) {
    GZ_ENTER(error);
    gz_arm_query query;
    pair_search s;
    if (!pair) return gz_planar_fail_null(error);
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(gz_arm_check(&query, q, error));
    start_search(&s, &query, q, NULL, pair);
    *pair = (graze_planar_arm_pair){INFINITY, s.pose.error, -1, -1, false};
    visit_pairs(&s);
    return GRAZE_OK;
}

gz_arm_verdict gz_arm_test(const gz_arm_query *query, const double *q, const double *half) {
    pair_search s;
    start_search(&s, query, q, half, NULL);
    visit_pairs(&s);
    return s.verdict;
}

double gz_arm_way(const gz_arm_query *query, const double *change) {
    const graze_planar_arm *arm = &query->scene->arm;
    double way = query->first > 0 ? hypot(change[0], change[1]) : 0, behind = query->radius;
    for (int32_t i = arm->link_count - 1; i >= 0; i--) {
        way += fabs(change[query->first + i]) * behind;
        if (i > 0) behind += arm->lengths[i - 1];
    }
    return way * (1 + 0x1p-40);
}
