// Making a scene: of compiled files, with the rules by which it is checked.

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compile/compiled_file.h"
#include "graze_web_scene.h"

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
    graze_world_free(web->ruled_world);
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

GRAZE_WEB_API void *graze_web_room(size_t size) {
    return gz_malloc_aligned(size, 1);
}

GRAZE_WEB_API graze_status graze_web_open(graze_web *web, void *bytes, size_t size,
                                          const char *name, bool prove) {
    graze_web_close(web);
    gz_file_mapping *file = gz_file_mapping_take(bytes, size);
    if (file == NULL) return fail_memory(web);
    graze_status status = gz_compiled_open_mapping(&web->file, file, name, &web->error);
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

/// A checker of the rules as they were given, for the world that they were given for.
static graze_status make_checker(graze_web *web, double margin, graze_checker **checker) {
    graze_checker_options o = web->options;
    o.margin = margin;
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
        status = graze_checker_create(checker, web->robot, web->ruled_world, &o, &web->error);
    }
    free(allowed);
    free(margins);
    free(policies);
    return status;
}

graze_status need_plan_checker(graze_web *web) {
    if (web->plan_checker != NULL) return GRAZE_OK;
    bool has_margin = !isnan(web->options.margin) || !isnan(graze_robot_default_margin(web->robot));
    if (has_margin) {
        web->plan_checker = web->checker;
        return GRAZE_OK;
    }
    graze_checker *first = NULL;
    graze_status status = make_checker(web, DBL_MIN, &first);
    if (status == GRAZE_OK)
        status = graze_checker_with_world(&web->plan_checker, first, web->world, &web->error);
    graze_checker_free(first);
    return status;
}

GRAZE_WEB_API graze_status graze_web_prepare(graze_web *web, const double options[6]) {
    if (web->robot == NULL) return fail(web, GRAZE_ERROR_NOT_FOUND, "the file holds no robot");
    if (web->checker != NULL) return fail(web, GRAZE_ERROR_ARGUMENT, "it is prepared already");
    web->options = graze_checker_options_default();
    web->options.policy = (graze_policy)options[0];
    web->options.no_self = options[1] != 0;
    web->options.no_world = options[2] != 0;
    web->options.ignore_srdf = options[3] != 0;
    web->options.margin = options[4];
    web->options.domain = options[5];
    graze_status status = GRAZE_OK;
    if (web->world != NULL)
        status = graze_world_revise(&web->ruled_world, web->world, NULL, 0, &web->error);
    return status == GRAZE_OK ? make_checker(web, options[4], &web->checker) : status;
}

GRAZE_WEB_API graze_status graze_web_begin(graze_web *web) {
    if (web->checker == NULL || web->workspace != NULL)
        return fail(web, GRAZE_ERROR_ARGUMENT, "it is not prepared, or has begun already");
    web->violated_capacity = graze_robot_joint_count(web->robot);
    web->violated = calloc(web->violated_capacity + 1, sizeof *web->violated);
    if (web->violated == NULL) return fail_memory(web);
    return graze_workspace_create(&web->workspace, web->checker, &web->error);
}
