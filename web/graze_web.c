#include "graze_web.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A rule by name, as it came over.
typedef struct rule {
    char *a, *b;
    double value; ///< margin, or policy
} rule;

typedef struct rule_list {
    rule *items;
    size_t count;
} rule_list;

/// A contact that does not count.
typedef struct hidden_contact {
    graze_contact contact;
    const char *reason;
} hidden_contact;

struct graze_web {
    graze_compiled *file; ///< while it is being taken
    graze_robot *robot;
    graze_world *world;
    rule_list allowed, margins, policies;
    graze_checker *checker, *plan_checker; ///< the second has the least margin where none is set
    graze_workspace *workspace;
    graze_motion_workspace *motion, *plan_motion; ///< NULL until they are needed
    graze_distance_workspace *distance;           ///< likewise
    graze_path *path;
    graze_trajectory *trajectory;
    graze_transform *links; ///< poses of all links, while a search is watched
    int32_t watched;
    graze_proximity *near; ///< of the last graze_web_nearest()
    size_t near_capacity, near_count;
    graze_contact *contacts; ///< of the last check
    size_t contact_capacity, contact_count;
    hidden_contact *hidden;
    size_t hidden_capacity, hidden_count;
    bool lists_hidden; ///< graze_web_contact() is about `hidden`
    int32_t *violated;
    size_t violated_capacity;
    graze_contact_report found; ///< of the last graze_web_contacts()
    graze_error error;
};

// --------------------------------------------------------------------------------- setting up

GRAZE_WEB_API graze_web *graze_web_create(void) {
    return calloc(1, sizeof(graze_web));
}

static void free_rules(rule_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].a);
        free(list->items[i].b);
    }
    free(list->items);
}

static void free_checkers(graze_web *web) {
    graze_path_free(web->path);
    graze_motion_workspace_free(web->motion);
    graze_motion_workspace_free(web->plan_motion);
    graze_distance_workspace_free(web->distance);
    graze_workspace_free(web->workspace);
    if (web->plan_checker != web->checker) graze_checker_free(web->plan_checker);
    graze_checker_free(web->checker);
    web->path = NULL;
    web->motion = web->plan_motion = NULL;
    web->distance = NULL;
    web->workspace = NULL;
    web->checker = web->plan_checker = NULL;
}

GRAZE_WEB_API void graze_web_free(graze_web *web) {
    if (web == NULL) return;
    free_checkers(web);
    graze_web_close(web);
    graze_world_free(web->world);
    graze_trajectory_free(web->trajectory);
    free(web->links);
    graze_robot_free(web->robot);
    free_rules(&web->allowed);
    free_rules(&web->margins);
    free_rules(&web->policies);
    free(web->near);
    free(web->contacts);
    free(web->hidden);
    free(web->violated);
    free(web->found.pairs);
    free(web->found.triangles);
    free(web);
}

GRAZE_WEB_API graze_error *graze_web_error(graze_web *web) {
    return &web->error;
}

GRAZE_WEB_API const graze_robot *graze_web_robot(const graze_web *web) {
    return web->robot;
}

static graze_status fail(graze_web *web, graze_status status, const char *message) {
    web->error = (graze_error){.status = status};
    snprintf(web->error.message, sizeof web->error.message, "%s", message);
    return status;
}

static graze_status fail_memory(graze_web *web) {
    return fail(web, GRAZE_ERROR_NO_MEMORY, "out of memory");
}

GRAZE_WEB_API graze_status graze_web_open(graze_web *web, const void *bytes, size_t size,
                                          const char *name, bool prove) {
    graze_web_close(web);
    graze_status status = graze_compiled_open_memory(&web->file, bytes, size, name, &web->error);
    if (status == GRAZE_OK && prove) status = graze_compiled_verify(web->file, &web->error);
    return status;
}

GRAZE_WEB_API graze_status graze_web_take_robot(graze_web *web) {
    if (!graze_compiled_has_robot(web->file)) return GRAZE_OK;
    if (web->robot != NULL) return fail(web, GRAZE_ERROR_ARGUMENT, "a second robot; allowed: one");
    return graze_compiled_robot(&web->robot, web->file, &web->error);
}

GRAZE_WEB_API graze_status graze_web_take_world(graze_web *web) {
    if (!graze_compiled_has_world(web->file)) return GRAZE_OK;
    if (web->world != NULL) return fail(web, GRAZE_ERROR_ARGUMENT, "a second world; allowed: one");
    return graze_compiled_world(&web->world, web->file, &web->error);
}

GRAZE_WEB_API void graze_web_close(graze_web *web) {
    graze_compiled_close(web->file);
    web->file = NULL;
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static graze_status add_rule(graze_web *web, rule_list *list, const char *a, const char *b,
                             double value) {
    rule *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL) return fail_memory(web);
    list->items = grown;
    bool all = b == NULL || b[0] == '\0';
    rule made = {.a = copy_text(a), .b = all ? NULL : copy_text(b), .value = value};
    list->items[list->count++] = made;
    return made.a != NULL && (all || made.b != NULL) ? GRAZE_OK : fail_memory(web);
}

GRAZE_WEB_API graze_status graze_web_allow(graze_web *web, const char *a, const char *b) {
    return add_rule(web, &web->allowed, a, b, 0);
}

GRAZE_WEB_API graze_status graze_web_set_margin(graze_web *web, const char *a, const char *b,
                                                double margin) {
    return add_rule(web, &web->margins, a, b, margin);
}

GRAZE_WEB_API graze_status graze_web_set_policy(graze_web *web, const char *name, int32_t policy) {
    return add_rule(web, &web->policies, name, NULL, policy);
}

/// Makes both checkers of one set of options; the least margin is any that is above 0.
static graze_status make_checkers(graze_web *web, graze_checker_options *options) {
    graze_status status = graze_checker_create(&web->checker, web->robot, web->world, options,
                                               &web->error);
    if (status != GRAZE_OK) return status;
    web->plan_checker = web->checker;
    if (!isnan(options->margin) || !isnan(graze_robot_default_margin(web->robot))) return GRAZE_OK;
    options->margin = DBL_MIN;
    return graze_checker_create(&web->plan_checker, web->robot, web->world, options, &web->error);
}

static graze_status make_arrays(graze_web *web) {
    web->violated_capacity = graze_robot_joint_count(web->robot);
    web->violated = calloc(web->violated_capacity + 1, sizeof *web->violated);
    if (web->violated == NULL) return fail_memory(web);
    return graze_workspace_create(&web->workspace, web->checker, &web->error);
}

GRAZE_WEB_API graze_status graze_web_prepare(graze_web *web, const double options[6]) {
    if (web->robot == NULL) return fail(web, GRAZE_ERROR_NOT_FOUND, "the file holds no robot");
    if (web->checker != NULL) return fail(web, GRAZE_ERROR_ARGUMENT, "it is prepared already");
    graze_checker_options o = graze_checker_options_default();
    o.policy = (graze_policy)options[0];
    o.no_self = options[1] != 0;
    o.no_world = options[2] != 0;
    o.ignore_srdf = options[3] != 0;
    o.margin = options[4];
    o.domain = options[5];
    graze_allowed_pair *allowed = calloc(web->allowed.count + 1, sizeof *allowed);
    graze_pair_margin *margins = calloc(web->margins.count + 1, sizeof *margins);
    graze_name_policy *policies = calloc(web->policies.count + 1, sizeof *policies);
    graze_status status = GRAZE_OK;
    if (allowed == NULL || margins == NULL || policies == NULL) {
        status = fail_memory(web);
    } else {
        for (const rule *r = web->allowed.items; o.allowed_count < web->allowed.count; r++)
            allowed[o.allowed_count++] = (graze_allowed_pair){r->a, r->b};
        for (const rule *r = web->margins.items; o.margin_count < web->margins.count; r++)
            margins[o.margin_count++] = (graze_pair_margin){r->a, r->b, r->value};
        for (const rule *r = web->policies.items; o.policy_count < web->policies.count; r++)
            policies[o.policy_count++] = (graze_name_policy){r->a, (graze_policy)r->value};
        o.allowed = allowed;
        o.margins = margins;
        o.policies = policies;
        status = make_checkers(web, &o);
    }
    free(allowed);
    free(margins);
    free(policies);
    return status == GRAZE_OK ? make_arrays(web) : status;
}

/// Checkers of another world in place of those there are; on failure nothing has changed.
static graze_status take_world(graze_web *web, graze_world *world) {
    graze_checker *checker = NULL, *plan = NULL;
    bool one = web->plan_checker == web->checker;
    graze_status status = graze_checker_with_world(&checker, web->checker, world, &web->error);
    if (status == GRAZE_OK && !one)
        status = graze_checker_with_world(&plan, web->plan_checker, world, &web->error);
    if (status == GRAZE_OK) status = graze_workspace_rebind(web->workspace, checker, &web->error);
    if (status != GRAZE_OK) {
        graze_checker_free(plan);
        graze_checker_free(checker);
        return status;
    }
    graze_motion_workspace_free(web->motion);
    graze_motion_workspace_free(web->plan_motion);
    web->motion = web->plan_motion = NULL;
    if (!one) graze_checker_free(web->plan_checker);
    graze_checker_free(web->checker);
    graze_world_free(web->world);
    web->checker = checker;
    web->plan_checker = one ? checker : plan;
    web->world = world;
    web->contact_count = web->hidden_count = 0;
    return GRAZE_OK;
}

/// Of an object of several shapes the first one is moved to a pose: the frame is where it then is.
static void find_frame(const graze_world *world, const char *name, graze_transform *pose) {
    graze_geometry first;
    int32_t index = graze_world_find_object(world, name);
    if (index < 0 || graze_world_object(world, (size_t)index, &first) != GRAZE_OK) return;
    const graze_transform identity = graze_transform_identity();
    if (memcmp(&first.in_object, &identity, sizeof identity) == 0) return;
    const graze_transform back = graze_transform_inverse(&first.in_object);
    *pose = graze_transform_multiply(pose, &back);
}

/// The next version of the world, by changes to the one there is.
static graze_status revise(graze_web *web, const graze_world_change *changes, size_t count) {
    graze_world *empty = NULL, *next = NULL;
    graze_status status = GRAZE_OK;
    if (web->world == NULL) {
        status = graze_world_create(&empty, "world", &web->error);
        if (status == GRAZE_OK) status = graze_world_commit(empty, &web->error);
    }
    if (status == GRAZE_OK)
        status = graze_world_revise(&next, web->world != NULL ? web->world : empty, changes, count,
                                    &web->error);
    if (status == GRAZE_OK) status = take_world(web, next);
    if (status != GRAZE_OK) graze_world_free(next);
    graze_world_free(empty);
    return status;
}

GRAZE_WEB_API graze_status graze_web_change(graze_web *web, int32_t kind, const char *name,
                                            const double pose[12], const double shape[6]) {
    graze_transform place;
    graze_geometry geometry = {.shape = (graze_shape)shape[0],
                               .size = {shape[1], shape[2], shape[3]},
                               .radius = shape[4],
                               .length = shape[5]};
    graze_world_change change = graze_world_change_default();
    memcpy(place.m, pose, sizeof place.m);
    if (kind == GRAZE_CHANGE_MOVE) find_frame(web->world, name, &place);
    change.kind = (graze_change_kind)kind;
    change.name = name;
    change.pose = kind != GRAZE_CHANGE_REMOVE ? &place : NULL;
    change.geometry = kind == GRAZE_CHANGE_ADD ? &geometry : NULL;
    return revise(web, &change, 1);
}

/// The shapes of an object, as they are; the number of them.
static size_t shapes_of(const graze_world *world, int32_t first, graze_geometry *shapes,
                        size_t capacity) {
    size_t count = 0;
    graze_geometry g;
    for (size_t i = (size_t)first; graze_world_object(world, i, &g) == GRAZE_OK; i++, count++) {
        if (count > 0 && g.element == 0) break; // the next object
        if (count < capacity) shapes[count] = g;
    }
    return count;
}

/// Scales a shape about the origin of its object; `vertices` gets its mesh or its points.
static void scale_shape(graze_geometry *g, graze_placed_shape *placed, double factor,
                        double *vertices) {
    for (int k = 0; k < 3; k++) g->size[k] *= factor;
    g->radius *= factor;
    g->length *= factor;
    if (g->shape == GRAZE_SHAPE_MESH || g->shape == GRAZE_SHAPE_POINTS) {
        for (int k = 0; k < 3; k++) g->scale[k] *= factor;
        for (size_t i = 0; i < 3 * g->vertex_count; i++) vertices[i] = factor * g->vertices[i];
        g->vertices = vertices;
        g->mesh = NULL;
    }
    *placed = (graze_placed_shape){.geometry = g, .pose = g->in_object};
    for (int k = 3; k < 12; k += 4) placed->pose.m[k] *= factor;
}

static bool is_endless(const graze_geometry *g) {
    return g->shape == GRAZE_SHAPE_HALFSPACE || g->shape == GRAZE_SHAPE_PLANE;
}

/// In one step: taken away, and added at the end of the world.
static graze_status replace(graze_web *web, const char *name, const graze_placed_shape *shapes,
                            size_t count) {
    graze_transform pose = shapes->geometry->origin;
    find_frame(web->world, name, &pose);
    graze_world_change changes[2] = {graze_world_change_default(), graze_world_change_default()};
    changes[0].kind = GRAZE_CHANGE_REMOVE;
    changes[1].kind = GRAZE_CHANGE_ADD;
    changes[0].name = changes[1].name = name;
    changes[1].pose = &pose;
    changes[1].shapes = shapes;
    changes[1].shape_count = count;
    return revise(web, changes, 2);
}

GRAZE_WEB_API graze_status graze_web_scale(graze_web *web, const char *name, double factor) {
    int32_t first = graze_world_find_object(web->world, name);
    if (first < 0) return fail(web, GRAZE_ERROR_NOT_FOUND, "there is no such object");
    if (!(factor > 0) || !isfinite(factor))
        return fail(web, GRAZE_ERROR_RANGE, "the factor is not above 0 and finite");
    size_t count = shapes_of(web->world, first, NULL, 0), vertex_count = 0;
    graze_geometry *shapes = calloc(count, sizeof *shapes);
    graze_placed_shape *placed = calloc(count, sizeof *placed);
    graze_status status = shapes && placed ? GRAZE_OK : fail_memory(web);
    if (status == GRAZE_OK) shapes_of(web->world, first, shapes, count);
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        vertex_count += shapes[i].vertex_count;
        if (is_endless(&shapes[i]))
            status = fail(web, GRAZE_ERROR_ARGUMENT, "a half-space or plane has no size to scale");
    }
    double *vertices = status == GRAZE_OK ? calloc(vertex_count + 1, 3 * sizeof *vertices) : NULL;
    if (status == GRAZE_OK && vertices == NULL) status = fail_memory(web);
    double *at = vertices;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        scale_shape(&shapes[i], &placed[i], factor, at);
        at += 3 * shapes[i].vertex_count;
    }
    if (status == GRAZE_OK) status = replace(web, name, placed, count);
    free(vertices);
    free(placed);
    free(shapes);
    return status;
}

// --------------------------------------------------------------------------------------- model

/// Writes numbers one behind the other.
static double *put(double *row, double value) {
    *row = value;
    return row + 1;
}

static double *put_all(double *row, const double *values, size_t count) {
    memcpy(row, values, count * sizeof *values);
    return row + count;
}

static double *put_vector(double *row, graze_vec3 v) {
    return put(put(put(row, v.x), v.y), v.z);
}

static double *put_pointer(double *row, const void *pointer) {
    return put(row, (double)(uintptr_t)pointer);
}

GRAZE_WEB_API graze_status graze_web_joint(const graze_web *web, int32_t joint, double *row) {
    graze_joint_info j;
    graze_status status = graze_robot_joint(web->robot, joint, &j);
    if (status != GRAZE_OK) return status;
    row = put_pointer(row, j.name);
    row = put(put(put(row, j.type), j.parent), j.child);
    row = put_vector(put_all(row, j.origin.m, 12), j.axis);
    row = put(put(put(row, j.q_index), j.q_count), j.limited);
    row = put(put(put(row, j.lower), j.upper), j.velocity);
    put(put(put(put(row, j.mimic), j.multiplier), j.offset), j.passive);
    return GRAZE_OK;
}

GRAZE_WEB_API size_t graze_web_geometry_count(const graze_web *web, graze_web_kind kind) {
    if (kind == GRAZE_WEB_COLLISION) return graze_robot_collision_count(web->robot);
    if (kind == GRAZE_WEB_VISUAL) return graze_robot_visual_count(web->robot);
    return graze_world_object_count(web->world);
}

static graze_status geometry_at(const graze_web *web, graze_web_kind kind, size_t index,
                                graze_geometry *g) {
    return kind == GRAZE_WEB_COLLISION ? graze_robot_collision(web->robot, index, g)
           : kind == GRAZE_WEB_VISUAL  ? graze_robot_visual(web->robot, index, g)
                                       : graze_world_object(web->world, index, g);
}

GRAZE_WEB_API graze_status graze_web_geometry(const graze_web *web, graze_web_kind kind,
                                              size_t index, double *row) {
    graze_geometry g;
    graze_status status = geometry_at(web, kind, index, &g);
    if (status != GRAZE_OK) return status;
    row = put_pointer(put_pointer(row, g.name), g.uri);
    row = put(put(put(put(row, g.owner), g.element), g.shape), g.frame);
    row = put_all(put_all(put_all(row, g.origin.m, 12), g.size, 3), g.scale, 3);
    row = put(put(row, g.radius), g.length);
    row = put_pointer(put(row, (double)g.vertex_count), g.vertices);
    row = put_pointer(put(row, (double)g.triangle_count), g.triangles);
    row = put(put_all(row, &g.ends[0][0], 6), g.has_color);
    put_all(row, g.color, 4);
    return GRAZE_OK;
}

GRAZE_WEB_API bool graze_web_is_closed(const graze_web *web, graze_web_kind kind, size_t index) {
    graze_geometry g;
    if (geometry_at(web, kind, index, &g) != GRAZE_OK) return false;
    if (g.shape != GRAZE_SHAPE_MESH) return true;
    graze_solid_report r = {0};
    return graze_mesh_solids(g.mesh, &r, NULL, 0, NULL) == GRAZE_OK && r.open_count == 0 &&
           r.reversed_count == r.cavity_count;
}

GRAZE_WEB_API size_t graze_web_tree_level(const graze_web *web, graze_web_kind kind, size_t index,
                                          uint32_t level, graze_aabb *boxes, size_t capacity) {
    graze_geometry g;
    if (geometry_at(web, kind, index, &g) != GRAZE_OK) return 0;
    return graze_mesh_tree_level(g.mesh, level, boxes, capacity);
}

GRAZE_WEB_API graze_status graze_web_bounds(const graze_web *web, int32_t link, double *row) {
    graze_link_bounds b;
    graze_status status = graze_robot_link_bounds(web->robot, link, &b);
    if (status != GRAZE_OK) return status;
    row = put(put(row, b.empty), (double)b.triangle_count);
    row = put(put_vector(row, b.sphere.center), b.sphere.radius);
    row = put_vector(put_vector(row, b.aabb.min), b.aabb.max);
    row = put_vector(row, b.obb.center);
    for (int k = 0; k < 3; k++) row = put_vector(row, b.obb.axis[k]);
    put_vector(row, b.obb.half);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_pair(const graze_web *web, size_t index, double *row) {
    graze_pair pair;
    graze_status status = graze_robot_pair(web->robot, index, &pair);
    if (status != GRAZE_OK) return status;
    put_pointer(put(put(put(row, pair.a), pair.b), pair.state), pair.reason);
    return GRAZE_OK;
}

GRAZE_WEB_API bool graze_web_boundary(const graze_web *web, double row[6]) {
    return graze_world_boundary(web->world, row, row + 3);
}

GRAZE_WEB_API graze_status graze_web_state(const graze_web *web, size_t index, double row[2]) {
    const char *name, *group;
    graze_status status = graze_robot_state(web->robot, index, &name, &group);
    if (status == GRAZE_OK) put_pointer(put_pointer(row, name), group);
    return status;
}

GRAZE_WEB_API double graze_web_epsilon(const graze_web *web) {
    return graze_checker_epsilon(web->checker);
}

// ------------------------------------------------------------------------------------- queries

static size_t q_size(const graze_web *web) {
    return graze_robot_q_size(web->robot);
}

/// Makes room for more items; what was there may be lost.
static bool grow(void **items, size_t *capacity, size_t wanted, size_t size) {
    if (wanted <= *capacity) return true;
    free(*items);
    *items = calloc(wanted, size);
    *capacity = *items != NULL ? wanted : 0;
    return *items != NULL;
}

/// One check into the arrays that are there.
static graze_status check_once(graze_web *web, graze_answer answer, const double *q,
                               const double *base, graze_report *report) {
    *report = (graze_report){.contacts = web->contacts,
                             .capacity = web->contact_capacity,
                             .violated = web->violated,
                             .violated_capacity = web->violated_capacity};
    return graze_check(web->checker, web->workspace, answer, q, q_size(web), base, report,
                       &web->error);
}

GRAZE_WEB_API graze_status graze_web_check(graze_web *web, graze_answer answer, const double *q,
                                           const double *base, double report[4]) {
    graze_report r;
    web->contact_count = 0;
    web->lists_hidden = false;
    if (!grow((void **)&web->contacts, &web->contact_capacity, 16, sizeof *web->contacts))
        return fail_memory(web);
    graze_status status = check_once(web, answer, q, base, &r);
    if (status == GRAZE_OK && r.truncated) {
        if (!grow((void **)&web->contacts, &web->contact_capacity, r.count, sizeof *web->contacts))
            return fail_memory(web);
        status = check_once(web, answer, q, base, &r);
    }
    if (status != GRAZE_OK) return status;
    web->contact_count = r.count;
    put_pointer(put(put(put(report, r.verdict), (double)r.count), (double)r.violated_count),
                web->violated);
    return GRAZE_OK;
}

static bool keep_hidden(const graze_explanation *e, void *user) {
    graze_web *web = user;
    if (!e->allowed || !e->collides) return true;
    if (web->hidden_count == web->hidden_capacity) {
        size_t capacity = 2 * web->hidden_capacity + 16;
        hidden_contact *grown = realloc(web->hidden, capacity * sizeof *grown);
        if (grown == NULL) {
            fail_memory(web);
            return false;
        }
        web->hidden = grown;
        web->hidden_capacity = capacity;
    }
    web->hidden[web->hidden_count++] = (hidden_contact){e->contact, e->reason};
    return true;
}

GRAZE_WEB_API graze_status graze_web_hidden(graze_web *web, const double *q, const double *base,
                                            double *count) {
    web->hidden_count = 0;
    web->lists_hidden = true;
    web->error.status = GRAZE_OK;
    graze_status status = graze_check_explain(web->checker, web->workspace, q, q_size(web), base,
                                              keep_hidden, web, NULL);
    if (status == GRAZE_OK) status = web->error.status;
    *count = (double)web->hidden_count;
    return status;
}

GRAZE_WEB_API graze_status graze_web_contact(const graze_web *web, size_t index, double *row) {
    size_t count = web->lists_hidden ? web->hidden_count : web->contact_count;
    if (index >= count) return GRAZE_ERROR_ARGUMENT;
    const graze_contact *c = web->lists_hidden ? &web->hidden[index].contact
                                               : &web->contacts[index];
    row = put(put(put(row, c->kind), c->link), c->element);
    row = put(put(put(row, c->other), c->other_element), c->contained);
    row = put(put(put(row, (double)c->triangle), (double)c->other_triangle), c->has_segment);
    row = put_vector(put_vector(row, c->segment[0]), c->segment[1]);
    row = put_pointer(put_vector(row, c->point), graze_contact_other_name(web->checker, c));
    put_pointer(row, web->lists_hidden ? web->hidden[index].reason : NULL);
    return GRAZE_OK;
}

static graze_status list_contacts(graze_web *web, const double *q, const double *base, size_t limit,
                                  bool manifolds) {
    graze_contacts_options options = graze_contacts_options_default();
    options.triangle_limit = limit;
    options.manifolds = manifolds;
    return graze_check_contacts(web->checker, web->workspace, q, q_size(web), base, &options,
                                &web->found, &web->error);
}

GRAZE_WEB_API graze_status graze_web_contacts(graze_web *web, const double *q, const double *base,
                                              size_t limit, bool manifolds, double report[4]) {
    graze_contact_report *f = &web->found;
    graze_status status = list_contacts(web, q, base, limit, manifolds);
    if (status == GRAZE_OK && f->truncated) {
        // As many as there are, or as the limit leaves of each pair.
        size_t triangles = f->triangle_count;
        if (limit > 0 && f->pair_count < triangles / limit) triangles = limit * f->pair_count;
        size_t pair_capacity = f->pair_capacity, triangle_capacity = f->triangle_capacity;
        bool grown = grow((void **)&f->pairs, &pair_capacity, f->pair_count, sizeof *f->pairs) &&
                     grow((void **)&f->triangles, &triangle_capacity, triangles,
                          sizeof *f->triangles);
        f->pair_capacity = pair_capacity;
        f->triangle_capacity = f->triangles != NULL ? triangle_capacity : 0;
        if (!grown) return fail_memory(web);
        status = list_contacts(web, q, base, limit, manifolds);
    }
    put(put(put(put(report, f->verdict), (double)f->pair_count), (double)f->triangle_count),
        (double)f->triangles_written);
    return status;
}

GRAZE_WEB_API graze_status graze_web_contact_pair(const graze_web *web, size_t index, double *row) {
    if (index >= web->found.pair_count || index >= web->found.pair_capacity)
        return GRAZE_ERROR_ARGUMENT;
    const graze_contact_pair *p = &web->found.pairs[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(put(row, p->other), p->other_element), p->contained);
    row = put(put(put(row, (double)p->triangle_count), (double)p->first), (double)p->written);
    row = put(put(put_vector(put(row, p->point_count), p->normal), p->depth), p->least);
    for (int k = 0; k < GRAZE_MANIFOLD_POINTS; k++) row = put_vector(row, p->points[k]);
    put_all(row, p->depths, GRAZE_MANIFOLD_POINTS);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_triangle_pair(const graze_web *web, size_t index,
                                                   double *row) {
    if (index >= web->found.triangles_written) return GRAZE_ERROR_ARGUMENT;
    const graze_triangle_pair *p = &web->found.triangles[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(row, p->other), p->other_element);
    row = put(put(put(row, (double)p->triangle), (double)p->other_triangle), p->overlap);
    row = put_vector(put_vector(row, p->segment[0]), p->segment[1]);
    put_vector(put_vector(row, p->normal[0]), p->normal[1]);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_batch(graze_web *web, size_t count, const double *q,
                                           const double *base, uint8_t *verdicts) {
    graze_batch batch = graze_batch_default();
    batch.count = count;
    batch.q = q;
    batch.base_common = base;
    batch.verdicts = verdicts;
    return graze_check_batch(web->checker, &batch, &web->error);
}

GRAZE_WEB_API graze_status graze_web_nearest(graze_web *web, size_t count, double threshold,
                                             const double *q, const double *base,
                                             double report[3]) {
    graze_status status = GRAZE_OK;
    web->near_count = 0;
    if (!grow((void **)&web->near, &web->near_capacity, count, sizeof *web->near))
        return fail_memory(web);
    if (web->distance == NULL)
        status = graze_distance_workspace_create(&web->distance, web->checker, &web->error);
    graze_distance_options options = graze_distance_options_default();
    options.answer = count == 1 ? GRAZE_DISTANCE_LEAST : GRAZE_DISTANCE_NEAREST;
    options.threshold = threshold;
    graze_distance_report r = {.pairs = web->near, .capacity = count};
    if (status == GRAZE_OK)
        status = graze_distance(web->checker, web->distance, q, q_size(web), base, &options, &r,
                                &web->error);
    if (status != GRAZE_OK) return status;
    web->near_count = r.count < count ? r.count : count;
    put(put(put(report, (double)web->near_count), r.least.lower), r.least.upper);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_proximity(const graze_web *web, size_t index, double *row) {
    if (index >= web->near_count) return GRAZE_ERROR_ARGUMENT;
    const graze_proximity *p = &web->near[index];
    row = put(put(put(row, p->kind), p->link), p->element);
    row = put(put(row, p->other), p->other_element);
    row = put(put(put(row, (double)p->triangle), (double)p->other_triangle), p->overlap);
    row = put(put(row, p->distance.lower), p->distance.upper);
    put_vector(put_vector(put_vector(row, p->point[0]), p->point[1]), p->normal);
    return GRAZE_OK;
}

static graze_status need_motion(graze_web *web) {
    if (web->motion != NULL) return GRAZE_OK;
    return graze_motion_workspace_create(&web->motion, web->checker, &web->error);
}

GRAZE_WEB_API graze_status graze_web_motion(graze_web *web, const double *from, const double *to,
                                            const double *from_base, const double *to_base,
                                            bool first, double report[6]) {
    graze_status status = need_motion(web);
    if (status != GRAZE_OK) return status;
    graze_motion_options options = graze_motion_options_default();
    options.answer = first ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
    graze_motion_report r;
    status = graze_check_motion(web->checker, web->motion, from, to, q_size(web), from_base,
                                to_base, &options, &r, &web->error);
    if (status != GRAZE_OK) return status;
    report = put(put(put(report, r.verdict), r.earliest), r.latest);
    put(put(put(report, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_set_trajectory(graze_web *web, uint32_t degree, size_t count,
                                                    const double *times, const double *q,
                                                    const double *base) {
    graze_trajectory_free(web->trajectory);
    return graze_trajectory_from_bezier(&web->trajectory, web->robot, degree, count, times, q, base,
                                        &web->error);
}

GRAZE_WEB_API graze_status graze_web_trajectory_at(graze_web *web, double time, double *place) {
    graze_status status = graze_trajectory_at(web->trajectory, time, place, place + q_size(web));
    return status == GRAZE_OK ? GRAZE_OK : fail(web, status, "no trajectory, or no finite time");
}

/// A piece as a trajectory of its own.
static graze_status take_piece(graze_web *web, size_t piece, graze_trajectory **one) {
    if (piece >= graze_trajectory_piece_count(web->trajectory))
        return fail(web, GRAZE_ERROR_ARGUMENT, "there is no such piece of the trajectory");
    const double *base, *q = graze_trajectory_points(web->trajectory, piece, &base);
    const double times[2] = {graze_trajectory_time(web->trajectory, piece),
                             graze_trajectory_time(web->trajectory, piece + 1)};
    return graze_trajectory_from_bezier(one, web->robot, graze_trajectory_degree(web->trajectory),
                                        1, times, q, base, &web->error);
}

GRAZE_WEB_API graze_status graze_web_check_piece(graze_web *web, size_t piece, double report[6]) {
    graze_trajectory *one = NULL;
    graze_trajectory_report r;
    graze_status status = need_motion(web);
    if (status == GRAZE_OK) status = take_piece(web, piece, &one);
    if (status == GRAZE_OK)
        status = graze_check_trajectory(web->checker, web->motion, one, NULL, &r, &web->error);
    graze_trajectory_free(one);
    if (status != GRAZE_OK) return status;
    report = put(put(put(report, r.verdict), r.earliest), r.latest);
    put(put(put(report, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

static void report_node(void *user, const graze_plan_node *node) {
    graze_web *web = user;
    if (graze_robot_pose(web->robot, node->q, q_size(web), node->base, web->links, NULL) !=
        GRAZE_OK)
        return;
    const double *m = web->links[web->watched].m;
    graze_web_node(node->tree, node->parent, m[3], m[7], m[11]);
}

/// Has graze_web_node() told of the search, where a link is watched.
static graze_status watch(graze_web *web, double link, graze_plan_options *o) {
    size_t count = graze_robot_link_count(web->robot);
    if (link < 0) return GRAZE_OK;
    if (!(link < (double)count))
        return fail(web, GRAZE_ERROR_ARGUMENT, "there is no link of the number that is watched");
    if (web->links == NULL) web->links = calloc(count, sizeof *web->links);
    if (web->links == NULL) return fail_memory(web);
    web->watched = (int32_t)link;
    o->on_node = report_node;
    o->on_node_user = web;
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_plan(graze_web *web, const double *start,
                                          const double *start_base, const double *goal,
                                          const double *goal_base, const double options[9],
                                          const int32_t *columns, size_t column_count,
                                          double result[13]) {
    graze_plan_options o = graze_plan_options_default();
    o.step = options[0];
    o.resolution = options[1];
    o.seed = (uint64_t)options[2];
    o.max_iterations = (uint64_t)options[3];
    o.max_seconds = options[4];
    o.shortcut_rounds = (uint32_t)options[5];
    o.planar_base = options[6] != 0;
    o.certify = options[7] != 0;
    o.columns = columns;
    o.column_count = column_count;
    graze_path_free(web->path);
    web->path = NULL;
    graze_plan_result r = {0};
    graze_status status = watch(web, options[8], &o);
    if (status != GRAZE_OK) return status;
    status = graze_plan(web->plan_checker, start, start_base, goal, goal_base, &o, &r, &web->error);
    if (status != GRAZE_OK) return status;
    web->path = r.path;
    result = put_pointer(put(result, r.outcome), r.path);
    result = put(put(put(result, r.joint), (double)r.iterations), (double)r.configurations_checked);
    result = put(put(result, (double)r.tree_size[0]), (double)r.tree_size[1]);
    result = put(put(put(result, r.length_raw), r.length), r.certified);
    put(put(put(result, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_simplify(graze_web *web, size_t count, const double *q,
                                              const double *base, uint32_t *kept, double *left) {
    graze_status status = GRAZE_OK;
    if (web->plan_motion == NULL)
        status = graze_motion_workspace_create(&web->plan_motion, web->plan_checker, &web->error);
    size_t n = 0, size = q_size(web);
    graze_motion_report r = {0};
    for (size_t i = 0; status == GRAZE_OK && i < count; n++) {
        kept[n] = (uint32_t)i;
        size_t next = count - 1;
        // The neighbour stays where nothing farther is proved.
        for (; status == GRAZE_OK && next > i + 1; next--) {
            status = graze_check_motion(web->plan_checker, web->plan_motion, q + i * size,
                                        q + next * size, size, base + i * 6, base + next * 6, NULL,
                                        &r, &web->error);
            if (r.verdict == GRAZE_MOTION_FREE) break;
        }
        i = next > i ? next : count;
    }
    *left = (double)n;
    return status;
}
