// What does a robot own?

#include "base/memory.h"
#include "robot/robot.h"

void gz_geometry_clear(gz_geometry *g) {
    gz_free(g->name);
    gz_free(g->file);
    gz_free(g->uri);
    if (g->has_shape) gz_shape_clear(&g->shape);
}

void gz_joint_clear(gz_joint *j) {
    gz_free((void *)(uintptr_t)j->info.name);
    gz_free(j->parent_name);
    gz_free(j->child_name);
    gz_free(j->mimic_name);
}

void graze_robot_free(graze_robot *r) {
    if (!r) return;
    if (r->keeper) {
        gz_keeper_drop(r->keeper);
        return;
    }
    for (int32_t i = 0; i < r->link_count; i++) gz_free(r->links[i].name);
    for (int32_t i = 0; i < r->joint_count; i++) gz_joint_clear(&r->joints[i]);
    for (size_t i = 0; i < r->collision_count; i++) gz_geometry_clear(&r->collisions[i]);
    for (size_t i = 0; i < r->visual_count; i++) gz_geometry_clear(&r->visuals[i]);
    for (size_t i = 0; i < r->pair_count; i++) gz_free(r->pairs[i].reason);
    for (size_t i = 0; i < r->column_count; i++) gz_free(r->column_names[i]);
    for (size_t i = 0; i < r->group_count; i++) {
        gz_free(r->groups[i].name);
        gz_free(r->groups[i].joints);
        gz_free(r->groups[i].links);
    }
    for (size_t i = 0; i < r->state_count; i++) {
        gz_free(r->states[i].name);
        gz_free(r->states[i].group);
        gz_free(r->states[i].values);
    }
    for (size_t i = 0; i < r->end_effector_count; i++) {
        gz_free((void *)(uintptr_t)r->end_effectors[i].name);
        gz_free((void *)(uintptr_t)r->end_effectors[i].group);
        gz_free((void *)(uintptr_t)r->end_effectors[i].parent_group);
    }
    for (size_t i = 0; i < r->virtual_joint_count; i++) {
        gz_free((void *)(uintptr_t)r->virtual_joints[i].name);
        gz_free((void *)(uintptr_t)r->virtual_joints[i].type);
        gz_free((void *)(uintptr_t)r->virtual_joints[i].parent_frame);
    }
    void *arrays[] = {r->links,         r->joints,         r->bodies,  r->column_names, r->pairs,
                      r->column_joints, r->collisions,     r->visuals, r->groups,       r->states,
                      r->end_effectors, r->virtual_joints, r->name,    r->file,         r->margins};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) gz_free(arrays[i]);
    gz_warnings_free(&r->warnings);
    gz_free(r);
}
