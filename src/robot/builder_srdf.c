// What does the SRDF add? Rules of pairs, groups, states and end effectors.

#include "base/memory.h"
#include "robot/builder_internal.h"

static graze_status add_rule(gz_builder *b, gz_pair_rule rule, const char *reason) {
    if (!gz_array_reserve((void **)&b->rules, &b->rule_capacity, b->rule_count + 1,
                          sizeof *b->rules))
        return GRAZE_ERROR_NO_MEMORY;
    rule.reason = gz_string_copy(reason ? reason : "");
    if (!rule.reason) return GRAZE_ERROR_NO_MEMORY;
    b->rules[b->rule_count++] = rule;
    return GRAZE_OK;
}

graze_status gz_builder_disable_pair(gz_builder *b, int32_t a, int32_t c, const char *reason) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c}, reason);
}

graze_status gz_builder_enable_pair(gz_builder *b, int32_t a, int32_t c) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c, .enable = true}, NULL);
}

graze_status gz_builder_disable_default(gz_builder *b, int32_t link) {
    b->robot->links[link].is_default_disabled = true;
    return GRAZE_OK;
}

graze_status gz_builder_passive_joint(gz_builder *b, int32_t joint) {
    b->robot->joints[joint].info.passive = true;
    return GRAZE_OK;
}

graze_status gz_builder_end_effector(gz_builder *b, const char *name, const char *group,
                                     const char *parent_group, int32_t parent_link) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->end_effectors, &b->end_effector_capacity,
                          r->end_effector_count + 1, sizeof *r->end_effectors))
        return GRAZE_ERROR_NO_MEMORY;
    graze_end_effector *e = &r->end_effectors[r->end_effector_count++];
    *e = (graze_end_effector){.name = gz_string_copy(name),
                              .group = gz_string_copy(group ? group : ""),
                              .parent_group = gz_string_copy(parent_group ? parent_group : ""),
                              .parent_link = parent_link};
    return e->name && e->group && e->parent_group ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_add_group(gz_builder *b, const char *name, int32_t *group) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->groups, &b->group_capacity, r->group_count + 1,
                          sizeof *r->groups))
        return GRAZE_ERROR_NO_MEMORY;
    gz_group *g = &r->groups[r->group_count];
    *g = (gz_group){.name = gz_string_copy(name)};
    if (!g->name) return GRAZE_ERROR_NO_MEMORY;
    *group = (int32_t)r->group_count++;
    if (gz_builder_find_group(b, name) < 0 && !gz_name_table_add(&b->group_names, g->name, *group))
        return GRAZE_ERROR_NO_MEMORY;
    return GRAZE_OK;
}

int32_t gz_builder_find_group(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->group_names, name);
}

static graze_status add_member(gz_builder *b, pending_member m, const char *name, gz_place place) {
    if (!gz_array_reserve((void **)&b->members, &b->member_capacity, b->member_count + 1,
                          sizeof *b->members))
        return GRAZE_ERROR_NO_MEMORY;
    m.name = gz_string_copy(name);
    m.file = gz_string_copy(place.file);
    m.element = gz_string_copy(place.element);
    m.line = place.line;
    m.column = place.column;
    b->members[b->member_count++] = m;
    bool ok = (!name || m.name) && (!place.file || m.file) && (!place.element || m.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_virtual_joint(gz_builder *b, const char *name, const char *type,
                                      const char *parent_frame, int32_t child, gz_place place) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->virtual_joints, &b->virtual_joint_capacity,
                          r->virtual_joint_count + 1, sizeof *r->virtual_joints))
        return GRAZE_ERROR_NO_MEMORY;
    graze_virtual_joint *v = &r->virtual_joints[r->virtual_joint_count++];
    *v = (graze_virtual_joint){.name = gz_string_copy(name),
                               .type = gz_string_copy(type),
                               .parent_frame = gz_string_copy(parent_frame ? parent_frame : ""),
                               .child = child};
    if (!v->name || !v->type || !v->parent_frame) return GRAZE_ERROR_NO_MEMORY;
    return add_member(b, (pending_member){.kind = MEMBER_VIRTUAL, .group = -1, .a = child}, name,
                      place);
}

void gz_builder_look_at_virtual_joints(gz_builder *b) {
    const graze_robot *r = b->robot;
    for (size_t i = 0; i < b->member_count; i++) {
        const pending_member *m = &b->members[i];
        if (m->kind != MEMBER_VIRTUAL || m->a == r->root) continue;
        gz_place place = {m->file, m->element, m->line, m->column};
        gz_warn(&b->robot->warnings, "virtual-joint-not-at-root", place,
                "virtual joint '%.100s' has the child link '%.100s', but the root is '%.100s', "
                "which is what a base pose places",
                m->name, r->links[m->a].name, r->links[r->root].name);
    }
}

graze_status gz_builder_group_joint(gz_builder *b, int32_t group, int32_t joint) {
    return add_member(b, (pending_member){.kind = MEMBER_JOINT, .group = group, .a = joint}, NULL,
                      (gz_place){0});
}

graze_status gz_builder_group_link(gz_builder *b, int32_t group, int32_t link) {
    return add_member(b, (pending_member){.kind = MEMBER_LINK, .group = group, .a = link}, NULL,
                      (gz_place){0});
}

graze_status gz_builder_group_chain(gz_builder *b, int32_t group, int32_t base, int32_t tip,
                                    gz_place place) {
    return add_member(b,
                      (pending_member){.kind = MEMBER_CHAIN, .group = group, .a = base, .b = tip},
                      NULL, place);
}

graze_status gz_builder_group_subgroup(gz_builder *b, int32_t group, const char *subgroup,
                                       gz_place place) {
    return add_member(b, (pending_member){.kind = MEMBER_SUBGROUP, .group = group}, subgroup,
                      place);
}

graze_status gz_builder_add_state(gz_builder *b, const char *name, const char *group,
                                  int32_t *state) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->states, &b->state_capacity, r->state_count + 1,
                          sizeof *r->states))
        return GRAZE_ERROR_NO_MEMORY;
    gz_state *s = &r->states[r->state_count];
    *s = (gz_state){.name = gz_string_copy(name), .group = gz_string_copy(group ? group : "")};
    *state = (int32_t)r->state_count++;
    return s->name && s->group ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_state_joint(gz_builder *b, int32_t state, int32_t joint,
                                    const double *values, size_t count, gz_place place) {
    if (!gz_array_reserve((void **)&b->values, &b->value_capacity, b->value_count + 1,
                          sizeof *b->values))
        return GRAZE_ERROR_NO_MEMORY;
    pending_value v = {.state = state,
                       .joint = joint,
                       .count = count > 7 ? 8 : count, // 8: wrong for every joint
                       .file = gz_string_copy(place.file),
                       .element = gz_string_copy(place.element),
                       .line = place.line,
                       .column = place.column};
    for (size_t i = 0; i < count && i < 7; i++) v.value[i] = values[i];
    b->values[b->value_count++] = v;
    bool ok = (!place.file || v.file) && (!place.element || v.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

// ----------------------------------------------------------------------- when the tree is known

graze_status gz_builder_resolve_states(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    for (size_t i = 0; i < b->value_count; i++) {
        const pending_value *v = &b->values[i];
        const graze_joint_info *j = &r->joints[v->joint].info;
        gz_place place = {v->file, v->element, v->line, v->column};
        if (j->q_count == 0) {
            gz_warn(&r->warnings, "srdf-state-not-moving", place,
                    "joint '%s' has no value of its own (fixed or mimic); left out", j->name);
            continue;
        }
        if ((size_t)j->q_count != v->count)
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                              "joint '%s' has %zu values; allowed: exactly %d", j->name, v->count,
                              j->q_count);
        gz_state *s = &r->states[v->state];
        gz_state_value *more = gz_realloc(s->values, s->value_count + v->count, sizeof *s->values);
        if (!more) return gz_fail_memory(error);
        s->values = more;
        for (size_t k = 0; k < v->count; k++)
            more[s->value_count++] = (gz_state_value){j->q_index + (int32_t)k, v->value[k]};
    }
    return GRAZE_OK;
}
