#include "cli/info/robot_summary.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/robot_view.h"
#include "cli/text.h"

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
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry geometry = gz_collision_at(robot, i);
        count_geometry(&summary->collision, &geometry);
        gz_geometry_count *link = &summary->link_collision[geometry.owner];
        if (link->elements == 0) summary->links_with_collision++;
        count_geometry(link, &geometry);
    }
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        graze_geometry geometry = gz_visual_at(robot, i);
        count_geometry(&summary->visual, &geometry);
        count_geometry(&summary->link_visual[geometry.owner], &geometry);
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++)
        summary->pair_count[gz_pair_under_rules(summary->checked, gz_pair_at(robot, i))]++;
    for (int32_t i = 0; i < (int32_t)graze_robot_joint_count(robot); i++) {
        graze_joint_info joint = gz_joint_at(robot, i);
        summary->joint_count[joint.type]++;
        if (joint.mimic >= 0) summary->mimic_count++;
    }
}

/// Whether every visual mesh of a compiled robot was loaded when it was compiled.
static bool has_visuals(const graze_robot *robot) {
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        graze_geometry geometry = gz_visual_at(robot, i);
        if (geometry.shape == GRAZE_SHAPE_MESH && geometry.mesh == NULL) return false;
    }
    return true;
}

// Components that are kept of one element: a soup has as many as triangles.
#define KEPT 1000

static bool survey(const graze_mesh *mesh, gz_solid_summary *item) {
    graze_mesh_info info;
    if (mesh == NULL || graze_mesh_describe(mesh, &info) != GRAZE_OK) return true;
    size_t count = info.component_count < KEPT ? info.component_count : KEPT;
    item->components = gz_malloc(count, sizeof *item->components);
    if (item->components == NULL) return false;
    item->component_count = count;
    return graze_mesh_solids(mesh, &item->report, item->components, count, NULL) == GRAZE_OK;
}

/// Surveys every collision element as a solid; false when out of memory.
static bool survey_all(gz_robot_summary *summary) {
    size_t count = graze_robot_collision_count(summary->robot);
    summary->solids = gz_calloc(count, sizeof *summary->solids);
    if (summary->solids == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (!survey(gz_collision_at(summary->robot, i).mesh, &summary->solids[i])) return false;
    return true;
}

/// How each source is today; false when out of memory (sources that cannot be read are missing).
static bool read_sources(gz_robot_summary *summary) {
    size_t count = graze_compiled_source_count(summary->compiled);
    graze_source_state *states = gz_malloc(count, sizeof *states);
    summary->source_states = states;
    if (states == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (graze_compiled_source_now(summary->compiled, i, &states[i], NULL) != GRAZE_OK)
            return false;
    return true;
}

/// Takes over the rules. What a checker of bounding volumes checks are no pairs of links.
static bool take_rules(gz_robot_summary *summary, const graze_checker *checker) {
    summary->rules = graze_checker_settings(checker);
    if (summary->rules.no_self || summary->rules.level == GRAZE_LEVEL_BOUNDS) return true;
    return graze_rules_create(&summary->checked, checker, NULL) == GRAZE_OK;
}

bool gz_robot_summary_make(gz_robot_summary *summary, const gz_robot_input *input) {
    const graze_robot *robot = input->robot;
    size_t links = graze_robot_link_count(robot);
    *summary = (gz_robot_summary){.robot = robot,
                                  .compiled = input->compiled,
                                  .visuals = input->compiled != NULL ? has_visuals(robot)
                                                                     : !input->no_visuals,
                                  .domain = input->domain,
                                  .world = input->world};
    if (input->compiled != NULL && !read_sources(summary)) return false;
    summary->link_collision = gz_calloc(2 * links, sizeof(gz_geometry_count));
    if (summary->link_collision == NULL || !survey_all(summary)) return false;
    summary->link_visual = summary->link_collision + links;
    if (!take_rules(summary, input->checker)) return false;
    count_all(summary);
    return true;
}

void gz_robot_summary_free(gz_robot_summary *summary) {
    graze_rules_free(summary->checked);
    gz_free(summary->link_collision);
    gz_free(summary->source_states);
    for (size_t i = 0; summary->solids != NULL && i < graze_robot_collision_count(summary->robot);
         i++)
        gz_free(summary->solids[i].components);
    gz_free(summary->solids);
    *summary = (gz_robot_summary){0};
}

int gz_pair_under_rules(const graze_rules *rules, graze_pair pair) {
    if (pair.state != GRAZE_PAIR_CHECKED && pair.state != GRAZE_PAIR_STATIC) return (int)pair.state;
    if (rules == NULL) return GZ_PAIR_LEFT_OUT;
    size_t words;
    const uint64_t *bits = graze_rules_matrix(rules, GRAZE_CONTACT_SELF, &words);
    const size_t b = (size_t)pair.b;
    bool checked = bits[(size_t)pair.a * words + b / 64] >> b % 64 & 1;
    return checked ? (int)pair.state : GZ_PAIR_ALLOWED;
}

const char *gz_pair_becomes(int state) {
    if (state == GZ_PAIR_ALLOWED) return "allowed";
    return state == GZ_PAIR_LEFT_OUT ? "left_out" : gz_pair_state_name((graze_pair_state)state);
}

const char *gz_source_state_name(graze_source_state state) {
    static const char *const names[] = {"same", "changed", "missing", "unknown"};
    return names[state];
}

const char *gz_source_kind_name(graze_source_kind kind) {
    static const char *const names[] = {"urdf", "srdf", "mesh", "world"};
    return names[kind];
}
