#include "cli/info/robot_summary.h"

#include <string.h>

#include "cli/text.h"

const char *gz_joint_type_name(graze_joint_type type) {
    static const char *const names[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "planar",   "floating"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

const char *gz_pair_state_name(graze_pair_state state) {
    static const char *const names[] = {"checked",  "static",  "adjacent",
                                        "disabled", "default", "touch"};
    return (size_t)state < sizeof names / sizeof *names ? names[state] : "unknown";
}

const char *gz_shape_name(graze_shape shape) {
    static const char *const names[] = {"box", "sphere", "cylinder", "capsule", "mesh", "points"};
    return (size_t)shape < sizeof names / sizeof *names ? names[shape] : "unknown";
}

const char *gz_column_unit(const graze_robot *robot, size_t column) {
    graze_joint_info joint;
    if (graze_robot_joint(robot, graze_robot_q_joint(robot, column), &joint) != GRAZE_OK) return "";
    int32_t number = (int32_t)column - joint.q_index;
    switch (joint.type) {
    case GRAZE_JOINT_PRISMATIC:
        return "m";
    case GRAZE_JOINT_PLANAR:
        return number < 2 ? "m" : "rad";
    case GRAZE_JOINT_FLOATING:
        return number < 3 ? "m" : "";
    default:
        return "rad";
    }
}

static void count_geometry(gz_geometry_count *count, const graze_geometry *geometry) {
    count->elements++;
    if (geometry->shape == GRAZE_SHAPE_MESH) {
        count->meshes++;
        count->triangles += geometry->file_triangle_count;
        count->degenerate += geometry->degenerate_count;
        count->components += geometry->component_count;
        count->closed += geometry->closed_count;
    } else {
        count->primitives++;
        if (geometry->shape == GRAZE_SHAPE_BOX) count->box_triangles += geometry->triangle_count;
    }
}

static void count_all(gz_robot_summary *summary) {
    const graze_robot *robot = summary->robot;
    graze_geometry geometry;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        if (graze_robot_collision(robot, i, &geometry) != GRAZE_OK) continue;
        count_geometry(&summary->collision, &geometry);
        gz_geometry_count *link = &summary->link_collision[geometry.owner];
        if (link->elements == 0) summary->links_with_collision++;
        count_geometry(link, &geometry);
    }
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        if (graze_robot_visual(robot, i, &geometry) != GRAZE_OK) continue;
        count_geometry(&summary->visual, &geometry);
        count_geometry(&summary->link_visual[geometry.owner], &geometry);
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair) == GRAZE_OK) summary->pair_count[pair.state]++;
    }
    for (int32_t i = 0; i < graze_robot_joint_count(robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, i, &joint) != GRAZE_OK) continue;
        summary->joint_count[joint.type]++;
        if (joint.mimic >= 0) summary->mimic_count++;
    }
}

/// Whether every visual mesh of a compiled robot was loaded when it was compiled.
static bool has_visuals(const graze_robot *robot) {
    graze_geometry geometry;
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        if (graze_robot_visual(robot, i, &geometry) == GRAZE_OK &&
            geometry.shape == GRAZE_SHAPE_MESH && geometry.mesh == NULL)
            return false;
    }
    return true;
}

bool gz_robot_summary_make(gz_robot_summary *summary, const graze_robot *robot,
                           const graze_compiled *compiled, bool visuals, double domain) {
    size_t links = (size_t)graze_robot_link_count(robot);
    *summary = (gz_robot_summary){
        .robot = robot, .compiled = compiled, .visuals = visuals, .domain = domain};
    if (compiled != NULL) {
        summary->visuals = has_visuals(robot);
        if (!gz_compiled_summary_read(compiled, &summary->source_states)) return false;
    }
    summary->link_collision = gz_storage_resize(NULL, links, sizeof(gz_geometry_count));
    summary->link_visual = gz_storage_resize(NULL, links, sizeof(gz_geometry_count));
    summary->solids = gz_solid_summary_make(robot);
    if (summary->link_collision == NULL || summary->link_visual == NULL ||
        summary->solids == NULL) {
        return false;
    }
    memset(summary->link_collision, 0, links * sizeof(gz_geometry_count));
    memset(summary->link_visual, 0, links * sizeof(gz_geometry_count));
    count_all(summary);
    return true;
}

void gz_robot_summary_free(gz_robot_summary *summary) {
    gz_storage_free(summary->link_collision);
    gz_storage_free(summary->link_visual);
    gz_storage_free(summary->source_states);
    gz_solid_summary_free(summary->solids, summary->robot);
    *summary = (gz_robot_summary){0};
}
