// A robot's summary for programs: one JSON object with everything that the text has.

#include <math.h>

#include "cli/info/robot_summary.h"
#include "cli/json.h"
#include "cli/link_poses.h"
#include "cli/robot_view.h"

static void write_count(gz_json *json, const char *key, const gz_geometry_count *count,
                        bool loaded) {
    gz_json_key(json, key);
    gz_json_put(json, "{ elements=%zu meshes=%zu primitives=%zu", count->elements, count->meshes,
                count->primitives);
    if (loaded || count->meshes == 0) {
        gz_json_put(json,
                    "triangles=%zu box_triangles=%zu degenerate=%zu components=%zu closed=%zu",
                    count->triangles, count->box_triangles, count->degenerate, count->components,
                    count->closed);
    } else {
        gz_json_put(json, "triangles=null");
    }
    gz_json_put(json, "}");
}

/// Opens an array whose items stand on lines of their own.
static void open_list(gz_json *json, const char *key) {
    gz_json_key(json, key);
    gz_json_put(json, "[");
    gz_json_gap(json, "\n  ");
}

static void write_q(gz_json *json, const graze_robot *robot) {
    open_list(json, "q");
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint = gz_joint_of_column(robot, i);
        gz_json_put(json, "{ name=%s joint=%s type=%s unit=%s lower=%g upper=%g passive=%i }",
                    graze_robot_q_name(robot, i), joint.name, gz_joint_type_name(joint.type),
                    gz_column_unit(robot, i), joint.limited ? joint.lower : -INFINITY,
                    joint.limited ? joint.upper : INFINITY, joint.passive);
    }
    gz_json_put(json, "]");
}

static void write_joint(gz_json *json, const graze_robot *robot, const graze_joint_info *joint) {
    gz_json_put(json, "{ name=%s type=%s parent=%s child=%s", joint->name,
                gz_joint_type_name(joint->type), graze_robot_link_name(robot, joint->parent),
                graze_robot_link_name(robot, joint->child));
    gz_json_numbers(json, "origin", joint->origin.m, 12);
    gz_json_vector(json, "axis", joint->axis);
    gz_json_put(json, "q_index=%d q_count=%d", joint->q_index, joint->q_count);
    if (joint->limited) gz_json_put(json, "lower=%g upper=%g", joint->lower, joint->upper);
    if (joint->has_velocity) gz_json_put(json, "velocity=%g", joint->velocity);
    if (joint->has_effort) gz_json_put(json, "effort=%g", joint->effort);
    if (joint->mimic >= 0)
        gz_json_put(json, "mimic=%s multiplier=%g offset=%g", gz_joint_at(robot, joint->mimic).name,
                    joint->multiplier, joint->offset);
    gz_json_put(json, "passive=%i }", joint->passive);
}

static void write_joints(gz_json *json, const graze_robot *robot) {
    open_list(json, "joints");
    for (int32_t i = 0; i < (int32_t)graze_robot_joint_count(robot); i++) {
        graze_joint_info joint = gz_joint_at(robot, i);
        write_joint(json, robot, &joint);
    }
    gz_json_put(json, "]");
}

static void write_bounds(gz_json *json, const graze_link_bounds *bounds) {
    gz_json_put(json, "bounds={ sphere={");
    gz_json_vector(json, "center", bounds->sphere.center);
    gz_json_put(json, "radius=%g } aabb={", bounds->sphere.radius);
    gz_json_vector(json, "min", bounds->aabb.min);
    gz_json_vector(json, "max", bounds->aabb.max);
    gz_json_put(json, "} obb={");
    gz_json_vector(json, "center", bounds->obb.center);
    gz_json_put(json, "axes=[");
    for (int i = 0; i < 3; i++) gz_json_vector(json, NULL, bounds->obb.axis[i]);
    gz_json_put(json, "]");
    gz_json_vector(json, "half", bounds->obb.half);
    gz_json_put(json, "} }");
}

static void write_links(gz_json *json, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    open_list(json, "links");
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(robot); i++) {
        graze_link_bounds bounds;
        gz_json_put(json, "{ name=%s body=%d pose_error=%g", graze_robot_link_name(robot, i),
                    graze_robot_link_body(robot, i),
                    graze_robot_link_pose_error(robot, i, s->domain));
        write_count(json, "collision", &s->link_collision[i], true);
        write_count(json, "visual", &s->link_visual[i], s->visuals);
        if (graze_robot_link_bounds(robot, i, &bounds) == GRAZE_OK && !bounds.empty)
            write_bounds(json, &bounds);
        else
            gz_json_put(json, "bounds=null");
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

static void write_open(gz_json *json, const gz_solid_summary *item) {
    static const char *const closures[] = {"closed", "hole", "winding", "non-manifold"};
    gz_json_put(json, "open=[");
    for (size_t i = 0; i < item->component_count; i++) {
        const graze_component_info *c = &item->components[i];
        if (c->closure == GRAZE_CLOSURE_CLOSED) continue;
        gz_json_put(json,
                    "{ component=%zu triangle=%zu triangles=%zu why=%s boundary_edges=%zu "
                    "boundary_loops=%zu hole_edges=%zu winding_edges=%zu non_manifold_edges=%zu",
                    i, c->triangle, c->triangle_count, closures[c->closure], c->boundary_edges,
                    c->boundary_loops, c->hole_edges, c->winding_edges, c->non_manifold_edges);
        gz_json_vector(json, "place", c->place);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

/// The item "solid" of one element.
static void write_solid(gz_json *json, const graze_robot *robot, const graze_geometry *geometry,
                        const gz_solid_summary *item) {
    const graze_solid_report *r = &item->report;
    gz_json_put(
        json,
        "solid={ triangles=%zu degenerate=%zu given_vertices=%zu vertices=%zu components=%zu "
        "closed=%zu reversed=%zu cavities=%zu open_components=%zu boundary_edges=%zu "
        "boundary_loops=%zu non_manifold_edges=%zu frame=%s",
        r->triangle_count, r->degenerate_count, r->given_vertex_count, r->vertex_count,
        r->component_count, r->closed_count, r->reversed_count, r->cavity_count, r->open_count,
        r->boundary_edges, r->boundary_loops, r->non_manifold_edges,
        graze_robot_link_name(robot, geometry->frame));
    write_open(json, item);
    gz_json_put(json, "}");
}

/// The collision elements one by one, with the files they come from.
static void write_elements(gz_json *json, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    open_list(json, "collision_elements");
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g = gz_collision_at(robot, i);
        gz_json_put(json, "{ link=%s element=%d shape=%s name=%s",
                    graze_robot_link_name(robot, g.owner), g.element, gz_shape_name(g.shape),
                    g.name);
        if (g.file != NULL) {
            gz_json_put(json, "file=%s", g.file);
            gz_json_numbers(json, "scale", g.scale, 3);
        }
        bool mesh = g.shape == GRAZE_SHAPE_MESH;
        gz_json_put(json, "triangles=%zu vertices=%zu degenerate=%zu components=%zu closed=%zu",
                    mesh ? g.file_triangle_count : g.triangle_count, g.vertex_count,
                    g.degenerate_count, g.component_count, g.closed_count);
        if (g.mesh != NULL) write_solid(json, robot, &g, &s->solids[i]);
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

// ------------------------------------------------------------------------------------------- SRDF

static void write_groups(gz_json *json, const graze_robot *robot) {
    open_list(json, "groups");
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        if (graze_robot_group(robot, i, &group) != GRAZE_OK) continue;
        gz_json_put(json, "{ name=%s joints=[", group.name);
        for (size_t k = 0; k < group.joint_count; k++)
            gz_json_put(json, "%s", gz_joint_at(robot, group.joints[k]).name);
        gz_json_put(json, "] links=[");
        for (size_t k = 0; k < group.link_count; k++)
            gz_json_put(json, "%s", graze_robot_link_name(robot, group.links[k]));
        gz_json_put(json, "] }");
    }
    gz_json_put(json, "]");
    open_list(json, "states");
    for (size_t i = 0; i < graze_robot_state_count(robot); i++) {
        const char *name = NULL, *group = NULL;
        if (graze_robot_state(robot, i, &name, &group) != GRAZE_OK) continue;
        gz_json_put(json, "{ name=%s group=%s }", name, group);
    }
    gz_json_put(json, "]");
}

static void write_ends(gz_json *json, const graze_robot *robot) {
    open_list(json, "end_effectors");
    for (size_t i = 0; i < graze_robot_end_effector_count(robot); i++) {
        graze_end_effector effector;
        if (graze_robot_end_effector(robot, i, &effector) != GRAZE_OK) continue;
        gz_json_put(json, "{ name=%s group=%s parent_group=%s parent_link=%s }", effector.name,
                    effector.group, effector.parent_group,
                    graze_robot_link_name(robot, effector.parent_link));
    }
    gz_json_put(json, "]");
    open_list(json, "virtual_joints");
    for (size_t i = 0; i < graze_robot_virtual_joint_count(robot); i++) {
        graze_virtual_joint joint;
        if (graze_robot_virtual_joint(robot, i, &joint) != GRAZE_OK) continue;
        gz_json_put(json, "{ name=%s type=%s parent_frame=%s child=%s }", joint.name, joint.type,
                    joint.parent_frame, graze_robot_link_name(robot, joint.child));
    }
    gz_json_put(json, "]");
}

static void write_pairs(gz_json *json, const gz_robot_summary *s, bool all) {
    const graze_robot *robot = s->robot;
    gz_json_put(json, "pair_counts={");
    for (int state = 0; state < GZ_PAIR_STATES; state++) {
        if (state >= GRAZE_PAIR_TOUCH && s->pair_count[state] == 0) continue;
        gz_json_key(json, gz_pair_becomes(state));
        gz_json_put(json, "%zu", s->pair_count[state]);
    }
    gz_json_put(json, "}");
    open_list(json, all ? "pairs" : "static_pairs");
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair = gz_pair_at(robot, i);
        int state = gz_pair_under_rules(s->checked, pair);
        if (!all && state != GRAZE_PAIR_STATIC) continue;
        gz_json_put(json, "{ a=%s b=%s state=%s reason=%s }", graze_robot_link_name(robot, pair.a),
                    graze_robot_link_name(robot, pair.b), gz_pair_becomes(state), pair.reason);
    }
    gz_json_put(json, "]");
}

static void write_rules(gz_json *json, const graze_checker_options *r) {
    gz_json_put(json, "rules={ level=%s policy=%s margin=%g no_self=%i no_world=%i policies=[",
                r->level == GRAZE_LEVEL_MESH ? "mesh" : "bounds", gz_policy_name(r->policy),
                r->margin, (int)r->no_self, (int)r->no_world);
    for (size_t i = 0; i < r->policy_count; i++)
        gz_json_put(json, "{ name=%s policy=%s }", r->policies[i].name,
                    gz_policy_name(r->policies[i].policy));
    gz_json_put(json, "] margins=[");
    for (size_t i = 0; i < r->margin_count; i++)
        gz_json_put(json, "{ a=%s b=%s margin=%g }", r->margins[i].a, r->margins[i].b,
                    r->margins[i].margin);
    gz_json_put(json, "] allowed=[");
    for (size_t i = 0; i < r->allowed_count; i++)
        gz_json_put(json, "{ a=%s b=%s }", r->allowed[i].a, r->allowed[i].b);
    gz_json_put(json, "] }");
}

static void write_warnings(gz_json *json, const graze_robot *robot) {
    open_list(json, "warnings");
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++) {
        graze_warning warning = graze_robot_warning(robot, i);
        gz_json_put(json, "{ code=%s message=%s file=%s element=%s line=%d column=%d count=%u }",
                    warning.code, warning.message, warning.file != NULL ? warning.file : "",
                    warning.element != NULL ? warning.element : "", warning.line, warning.column,
                    warning.count);
    }
    gz_json_put(json, "]");
}

static void write_compiled(gz_json *json, const graze_compiled *compiled,
                           const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    gz_json_put(json, "compiled={ version=%s bytes=%zu robot_bytes=%zu world_bytes=%zu sources=[",
                graze_compiled_version(compiled), size, robot, world);
    gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        char hash[33];
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        gz_json_put(json, "{ kind=%s state=%s path=%s", gz_source_kind_name(source.kind),
                    gz_source_state_name(states[i]), source.path);
        if (source.known) {
            snprintf(hash, sizeof hash, "%016" PRIx64 "%016" PRIx64, source.hash[1],
                     source.hash[0]);
            gz_json_put(json, "bytes=%" PRIu64 " xxh3=%s", source.size, hash);
        }
        gz_json_put(json, "}");
    }
    gz_json_put(json, "] }");
}

static void write_world(gz_json *json, const graze_world *world) {
    open_list(json, "objects");
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g;
        if (graze_world_object(world, i, &g) == GRAZE_OK)
            gz_json_put(json, "{ name=%s shape=%s }", g.name, gz_shape_name(g.shape));
    }
    gz_json_put(json, "]");
}

void gz_robot_summary_json(FILE *stream, const gz_robot_summary *summary, bool pairs) {
    const graze_robot *robot = summary->robot;
    double error = graze_robot_pose_error(robot, summary->domain);
    gz_json json = gz_json_begin(stream, "graze-info-1");
    gz_json_gap(&json, "\n");
    gz_json_put(&json, "name=%s root=%s bodies=%zu", graze_robot_name(robot),
                graze_robot_link_name(robot, graze_robot_root(robot)),
                graze_robot_body_count(robot));
    write_count(&json, "collision", &summary->collision, true);
    write_count(&json, "visual", &summary->visual, summary->visuals);
    gz_json_put(&json, "domain=%g pose_error=%g", summary->domain, error);
    // Of the robot alone; a world may have the larger error.
    gz_json_put(&json, "epsilon=%g", 2 * error);
    write_q(&json, robot);
    write_joints(&json, robot);
    write_links(&json, summary);
    write_elements(&json, summary);
    write_groups(&json, robot);
    write_ends(&json, robot);
    write_rules(&json, &summary->rules);
    write_pairs(&json, summary, pairs);
    write_warnings(&json, robot);
    if (summary->world != NULL) write_world(&json, summary->world);
    if (summary->poses != NULL) gz_link_poses_json(&json, robot, summary->poses);
    if (summary->compiled != NULL) write_compiled(&json, summary->compiled, summary->source_states);
    gz_json_finish(&json);
}
