// Making a checker: which pairs count, which are decided once, and what the world adds.

#include "check/checker.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "check/domain.h"
#include "check/lane_filter.h"
#include "check/margin.h"
#include "check/policy.h"
#include "math/transform.h"

graze_checker_options graze_checker_options_default(void) {
    return (graze_checker_options){
        .struct_size = sizeof(graze_checker_options), .margin = NAN, .domain = GRAZE_DOMAIN};
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static graze_status check_options(const graze_world *world, const graze_checker_options *o,
                                  graze_error *error) {
    if (o->struct_size != sizeof *o)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "options are not initialised; use graze_checker_options_default()");
    if (world && !world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "world '%s' is not committed; call graze_world_commit() first", world->name);
    if ((o->level != GRAZE_LEVEL_MESH && o->level != GRAZE_LEVEL_BOUNDS) ||
        !gz_policy_is_known(o->policy))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "level or policy is not one of the enumerators");
    if (!o->allowed && o->allowed_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "allowed is NULL");
    return GRAZE_OK;
}

/// Judges a pair of links of one body in the body's frame.
static void judge_fixed(graze_checker *c, gz_check_pair *pair) {
    if (c->options.level == GRAZE_LEVEL_BOUNDS) return;
    pair->fixed = true;
    pair->collides = gz_link_pair_judge(c, identity, identity, pair, GZ_DETAIL_WITNESS,
                                        &pair->contact, &pair->stats);
}

/// Sorts the robot's pairs into checked and hidden ones.
static bool choose_pairs(graze_checker *c) {
    const graze_robot *r = c->robot;
    c->pairs = gz_calloc(r->pair_count, sizeof *c->pairs);
    c->hidden = gz_calloc(r->pair_count, sizeof *c->hidden);
    if (!c->pairs || !c->hidden) return false;
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_pair *p = &r->pairs[i];
        bool by_srdf = p->state == GRAZE_PAIR_DISABLED || p->state == GRAZE_PAIR_DEFAULT;
        bool checked = p->state == GRAZE_PAIR_CHECKED || p->state == GRAZE_PAIR_STATIC;
        gz_check_pair pair = {.a = p->a, .b = p->b, .reason = p->reason ? p->reason : ""};
        if (checked || (by_srdf && c->options.ignore_srdf)) {
            c->pairs[c->pair_count++] = pair;
        } else {
            if (p->state == GRAZE_PAIR_ADJACENT) pair.reason = "adjacent";
            if (by_srdf && !pair.reason[0])
                pair.reason = p->state == GRAZE_PAIR_DEFAULT ? "disabled by default" : "disabled";
            c->hidden[c->hidden_count++] = pair;
        }
    }
    return true;
}

static graze_status fail_name(const graze_checker *c, const char *name, graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "allowed pair names '%s', which is neither a link of '%s' nor an object of the "
                   "world",
                   name ? name : "(NULL)", c->robot->name);
}

static bool comes_before(const gz_check_pair *x, const gz_check_pair *y) {
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void hide_pair(graze_checker *c, int32_t a, int32_t b) {
    for (size_t i = 0; i < c->pair_count; i++) {
        gz_check_pair *p = &c->pairs[i];
        if (!((p->a == a && p->b == b) || (p->a == b && p->b == a))) continue;
        size_t at = c->hidden_count++; // its place, so that the hidden pairs stay sorted
        for (; at > 0 && comes_before(p, &c->hidden[at - 1]); at--)
            c->hidden[at] = c->hidden[at - 1];
        c->hidden[at] = *p;
        c->hidden[at].reason = "allowed";
        memmove(p, p + 1, (c->pair_count - i - 1) * sizeof *p);
        c->pair_count--;
        return;
    }
}

/// Applies one allowed pair; a name may be a link or an object, links first.
static graze_status allow(graze_checker *c, const graze_allowed_pair *pair, graze_error *error) {
    const char *names[2] = {pair->a, pair->b};
    int32_t link[2], object[2];
    for (int k = 0; k < 2; k++) {
        if (!names[k]) return fail_name(c, names[k], error);
        link[k] = graze_robot_find_link(c->robot, names[k]);
        object[k] = c->world ? graze_world_find_object(c->world, names[k]) : -1;
        if (link[k] < 0 && object[k] < 0) return fail_name(c, names[k], error);
    }
    if (link[0] >= 0 && link[1] >= 0) {
        hide_pair(c, link[0], link[1]);
        return GRAZE_OK;
    }
    int which = link[0] >= 0 ? 0 : 1;
    if (link[which] < 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "allowed pair '%s', '%s' names two objects; allowed: at least one link",
                       names[0], names[1]);
    size_t objects = c->world->object_count;
    if (!c->allowed) c->allowed = gz_calloc((size_t)c->robot->link_count, objects);
    if (!c->allowed) return gz_fail_memory(error);
    c->allowed[(size_t)link[which] * objects + (size_t)object[1 - which]] = 1;
    return GRAZE_OK;
}

static bool list_links(graze_checker *c) {
    const graze_robot *r = c->robot;
    c->links = gz_malloc((size_t)r->link_count, sizeof *c->links);
    if (!c->links) return false;
    for (int32_t i = 0; i < r->link_count; i++)
        if (r->links[i].collision_count) c->links[c->link_count++] = i;
    return true;
}

/// Poses a box, as an affine map does: its axes become as skew as the pose (GZ_OBJECT_SKEW, where
/// it is used). Only what rounds is added here.
static graze_obb place_object(const gz_object *o) {
    graze_obb box = o->shape.obb, out;
    gz_transform_apply(o->pose.m, GZ_ARRAY3(box.center), GZ_ARRAY3(out.center));
    for (int k = 0; k < 3; k++)
        gz_transform_rotate(o->pose.m, GZ_ARRAY3(box.axis[k]), GZ_ARRAY3(out.axis[k]));
    double reach = gz_norm(GZ_ARRAY3(box.center)) + gz_norm(GZ_ARRAY3(box.half));
    double grow = 0x1p-46 * reach + gz_pose_pad(o->pose.m);
    out.half = (graze_vec3){box.half.x + grow, box.half.y + grow, box.half.z + grow};
    return out;
}

static bool place_objects(graze_checker *c) {
    if (!c->world) return true;
    c->object_boxes = gz_calloc(c->world->object_count, sizeof *c->object_boxes);
    if (!c->object_boxes) return false;
    for (size_t i = 0; i < c->world->object_count; i++)
        if (c->world->objects[i].kind != GRAZE_SHAPE_POINTS)
            c->object_boxes[i] = place_object(&c->world->objects[i]);
    return true;
}

graze_status graze_checker_create(graze_checker **out, const graze_robot *robot,
                                  const graze_world *world, const graze_checker_options *options,
                                  graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_checker_options defaults = graze_checker_options_default();
    if (!options) options = &defaults;
    graze_status status = check_options(world, options, error);
    if (status) return status;
    graze_checker *c = gz_calloc(1, sizeof *c);
    if (!c) return gz_fail_memory(error);
    c->robot = robot;
    c->world = world;
    c->options = *options;
    c->options.allowed = NULL;
    c->options.allowed_count = 0;
    c->options.margins = NULL;
    c->options.margin_count = 0;
    c->options.policies = NULL;
    c->options.policy_count = 0;
    c->kernels = gz_kernels_choose();
    if (!choose_pairs(c) || !list_links(c) || !place_objects(c)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_policies_make(c, options, error);
    if (status == GRAZE_OK) status = gz_margins_read(c, options, error);
    if (status == GRAZE_OK) status = gz_domain_prepare(c, error);
    if (status == GRAZE_OK && !gz_margins_settle(c)) status = gz_fail_memory(error);
    for (size_t i = 0; status == GRAZE_OK && i < options->allowed_count; i++)
        status = allow(c, &options->allowed[i], error);
    for (size_t i = 0; status == GRAZE_OK && i < c->pair_count; i++) {
        gz_check_pair *p = &c->pairs[i];
        if (robot->links[p->a].body == robot->links[p->b].body) judge_fixed(c, p);
        c->fixed_collision |= p->collides;
    }
    if (status == GRAZE_OK && !gz_lane_model_create(&c->lanes, c)) status = gz_fail_memory(error);
    if (status) {
        graze_checker_free(c);
        return status;
    }
    *out = c;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_checker_free(graze_checker *c) {
    if (!c) return;
    gz_free(c->pairs);
    gz_free(c->hidden);
    gz_free(c->links);
    gz_free(c->object_boxes);
    gz_free(c->allowed);
    gz_free(c->link_policies);
    gz_free(c->object_policies);
    gz_margins_free(c->margins);
    gz_lane_model_free(c->lanes);
    gz_free(c);
}

const graze_robot *graze_checker_robot(const graze_checker *c) {
    return c->robot;
}
const graze_world *graze_checker_world(const graze_checker *c) {
    return c->world;
}
