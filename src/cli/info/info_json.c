// A robot's summary for programs: one JSON object with everything that the text has.

#include <math.h>

#include "cli/info/robot_summary.h"
#include "cli/output.h"

static void key(FILE *stream, const char *name) {
    gz_json_string(stream, name);
    fputc(':', stream);
}

static void write_vector(FILE *stream, graze_vec3 v) {
    double values[3] = {v.x, v.y, v.z};
    gz_json_numbers(stream, values, 3);
}

static void write_count(FILE *stream, const gz_geometry_count *count, bool loaded) {
    fprintf(stream, "{\"elements\":%zu,\"meshes\":%zu,\"primitives\":%zu,", count->elements,
            count->meshes, count->primitives);
    if (loaded || count->meshes == 0) {
        fprintf(stream,
                "\"triangles\":%zu,\"box_triangles\":%zu,\"degenerate\":%zu,\"components\":%zu,"
                "\"closed\":%zu}",
                count->triangles, count->box_triangles, count->degenerate, count->components,
                count->closed);
    } else {
        fputs("\"triangles\":null}", stream);
    }
}

/// epsilon is that of the robot alone; a world may have the larger error.
static void write_pose_error(FILE *stream, const gz_robot_summary *s) {
    double error = graze_robot_pose_error(s->robot, s->domain);
    fputs("\"domain\":", stream);
    gz_json_number(stream, s->domain);
    fputs(",\n\"pose_error\":", stream);
    gz_json_number(stream, error);
    fputs(",\n\"epsilon\":", stream);
    gz_json_number(stream, 2 * error);
}

static void write_q(FILE *stream, const graze_robot *robot) {
    key(stream, "q");
    fputc('[', stream);
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, graze_robot_q_joint(robot, i), &joint) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {" : "\n  {", stream);
        key(stream, "name");
        gz_json_string(stream, graze_robot_q_name(robot, i));
        fputc(',', stream);
        key(stream, "joint");
        gz_json_string(stream, joint.name);
        fprintf(stream,
                ",\"type\":\"%s\",\"unit\":\"%s\",\"lower\":", gz_joint_type_name(joint.type),
                gz_column_unit(robot, i));
        gz_json_number(stream, joint.limited ? joint.lower : -INFINITY);
        fputs(",\"upper\":", stream);
        gz_json_number(stream, joint.limited ? joint.upper : INFINITY);
        fprintf(stream, ",\"passive\":%s}", joint.passive ? "true" : "false");
    }
    fputs("]", stream);
}

static void write_joint(FILE *stream, const graze_robot *robot, const graze_joint_info *joint) {
    fputc('{', stream);
    key(stream, "name");
    gz_json_string(stream, joint->name);
    fprintf(stream, ",\"type\":\"%s\",\"parent\":", gz_joint_type_name(joint->type));
    gz_json_string(stream, graze_robot_link_name(robot, joint->parent));
    fputs(",\"child\":", stream);
    gz_json_string(stream, graze_robot_link_name(robot, joint->child));
    fputs(",\"origin\":", stream);
    gz_json_numbers(stream, joint->origin.m, 12);
    fputs(",\"axis\":", stream);
    write_vector(stream, joint->axis);
    fputs(",\"q_index\":", stream);
    gz_json_index(stream, joint->q_index);
    fprintf(stream, ",\"q_count\":%d", (int)joint->q_count);
    if (joint->limited) {
        fputs(",\"lower\":", stream);
        gz_json_number(stream, joint->lower);
        fputs(",\"upper\":", stream);
        gz_json_number(stream, joint->upper);
    }
    if (joint->has_velocity) {
        fputs(",\"velocity\":", stream);
        gz_json_number(stream, joint->velocity);
    }
    if (joint->has_effort) {
        fputs(",\"effort\":", stream);
        gz_json_number(stream, joint->effort);
    }
    graze_joint_info followed;
    if (joint->mimic >= 0 && graze_robot_joint(robot, joint->mimic, &followed) == GRAZE_OK) {
        fputs(",\"mimic\":", stream);
        gz_json_string(stream, followed.name);
        fputs(",\"multiplier\":", stream);
        gz_json_number(stream, joint->multiplier);
        fputs(",\"offset\":", stream);
        gz_json_number(stream, joint->offset);
    }
    fprintf(stream, ",\"passive\":%s}", joint->passive ? "true" : "false");
}

static void write_joints(FILE *stream, const graze_robot *robot) {
    key(stream, "joints");
    fputc('[', stream);
    for (int32_t i = 0; i < graze_robot_joint_count(robot); i++) {
        graze_joint_info joint;
        if (graze_robot_joint(robot, i, &joint) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  " : "\n  ", stream);
        write_joint(stream, robot, &joint);
    }
    fputs("]", stream);
}

static void write_bounds(FILE *stream, const graze_link_bounds *bounds) {
    fputs("{\"sphere\":{\"center\":", stream);
    write_vector(stream, bounds->sphere.center);
    fputs(",\"radius\":", stream);
    gz_json_number(stream, bounds->sphere.radius);
    fputs("},\"aabb\":{\"min\":", stream);
    write_vector(stream, bounds->aabb.min);
    fputs(",\"max\":", stream);
    write_vector(stream, bounds->aabb.max);
    fputs("},\"obb\":{\"center\":", stream);
    write_vector(stream, bounds->obb.center);
    fputs(",\"axes\":[", stream);
    for (int i = 0; i < 3; i++) {
        if (i > 0) fputc(',', stream);
        write_vector(stream, bounds->obb.axis[i]);
    }
    fputs("],\"half\":", stream);
    write_vector(stream, bounds->obb.half);
    fputs("}}", stream);
}

static void write_links(FILE *stream, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    key(stream, "links");
    fputc('[', stream);
    for (int32_t i = 0; i < graze_robot_link_count(robot); i++) {
        graze_link_bounds bounds;
        fputs(i > 0 ? ",\n  {" : "\n  {", stream);
        key(stream, "name");
        gz_json_string(stream, graze_robot_link_name(robot, i));
        fprintf(stream, ",\"body\":%d,\"pose_error\":", (int)graze_robot_link_body(robot, i));
        gz_json_number(stream, graze_robot_link_pose_error(robot, i, s->domain));
        fputs(",\"collision\":", stream);
        write_count(stream, &s->link_collision[i], true);
        fputs(",\"visual\":", stream);
        write_count(stream, &s->link_visual[i], s->visuals);
        fputs(",\"bounds\":", stream);
        if (graze_robot_link_bounds(robot, i, &bounds) == GRAZE_OK && !bounds.empty) {
            write_bounds(stream, &bounds);
        } else {
            fputs("null", stream);
        }
        fputc('}', stream);
    }
    fputs("]", stream);
}

/// The collision elements one by one, with the files they come from.
static void write_elements(FILE *stream, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    key(stream, "collision_elements");
    fputc('[', stream);
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        if (graze_robot_collision(robot, i, &g) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {" : "\n  {", stream);
        key(stream, "link");
        gz_json_string(stream, graze_robot_link_name(robot, g.owner));
        fprintf(stream, ",\"element\":%d,\"shape\":\"%s\",\"name\":", (int)g.element,
                gz_shape_name(g.shape));
        gz_json_string(stream, g.name);
        if (g.file != NULL) {
            fputs(",\"file\":", stream);
            gz_json_string(stream, g.file);
            fputs(",\"scale\":", stream);
            gz_json_numbers(stream, g.scale, 3);
        }
        fprintf(stream,
                ",\"triangles\":%zu,\"vertices\":%zu,\"degenerate\":%zu,\"components\":%zu,"
                "\"closed\":%zu",
                g.shape == GRAZE_SHAPE_MESH ? g.file_triangle_count : g.triangle_count,
                g.vertex_count, g.degenerate_count, g.component_count, g.closed_count);
        if (g.mesh != NULL) {
            fputs(",\"solid\":", stream);
            gz_solid_summary_json(stream, robot, &g, &s->solids[i]);
        }
        fputc('}', stream);
    }
    fputs("]", stream);
}

// ---------------------------------------------------------------------------------------- SRDF

static void write_names(FILE *stream, const graze_robot *robot, const graze_group *group,
                        bool links) {
    size_t count = links ? group->link_count : group->joint_count;
    fputc('[', stream);
    for (size_t i = 0; i < count; i++) {
        graze_joint_info joint;
        if (i > 0) fputc(',', stream);
        if (links) {
            gz_json_string(stream, graze_robot_link_name(robot, group->links[i]));
        } else if (graze_robot_joint(robot, group->joints[i], &joint) == GRAZE_OK) {
            gz_json_string(stream, joint.name);
        }
    }
    fputc(']', stream);
}

static void write_groups(FILE *stream, const graze_robot *robot) {
    key(stream, "groups");
    fputc('[', stream);
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        if (graze_robot_group(robot, i, &group) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {\"name\":" : "\n  {\"name\":", stream);
        gz_json_string(stream, group.name);
        fputs(",\"joints\":", stream);
        write_names(stream, robot, &group, false);
        fputs(",\"links\":", stream);
        write_names(stream, robot, &group, true);
        fputc('}', stream);
    }
    fputs("],\n\"states\":[", stream);
    for (size_t i = 0; i < graze_robot_state_count(robot); i++) {
        const char *name = NULL, *group = NULL;
        if (graze_robot_state(robot, i, &name, &group) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {\"name\":" : "\n  {\"name\":", stream);
        gz_json_string(stream, name);
        fputs(",\"group\":", stream);
        gz_json_string(stream, group);
        fputc('}', stream);
    }
    fputs("]", stream);
}

static void write_ends(FILE *stream, const graze_robot *robot) {
    fputs("\"end_effectors\":[", stream);
    for (size_t i = 0; i < graze_robot_end_effector_count(robot); i++) {
        graze_end_effector effector;
        if (graze_robot_end_effector(robot, i, &effector) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {\"name\":" : "\n  {\"name\":", stream);
        gz_json_string(stream, effector.name);
        fputs(",\"group\":", stream);
        gz_json_string(stream, effector.group);
        fputs(",\"parent_group\":", stream);
        gz_json_string(stream, effector.parent_group);
        fputs(",\"parent_link\":", stream);
        gz_json_string(stream, graze_robot_link_name(robot, effector.parent_link));
        fputc('}', stream);
    }
    fputs("],\n\"virtual_joints\":[", stream);
    for (size_t i = 0; i < graze_robot_virtual_joint_count(robot); i++) {
        graze_virtual_joint joint;
        if (graze_robot_virtual_joint(robot, i, &joint) != GRAZE_OK) continue;
        fputs(i > 0 ? ",\n  {\"name\":" : "\n  {\"name\":", stream);
        gz_json_string(stream, joint.name);
        fprintf(stream, ",\"type\":\"%s\",\"parent_frame\":", joint.type);
        gz_json_string(stream, joint.parent_frame);
        fputs(",\"child\":", stream);
        gz_json_string(stream, graze_robot_link_name(robot, joint.child));
        fputc('}', stream);
    }
    fputs("]", stream);
}

static void write_pairs(FILE *stream, const gz_robot_summary *s, bool all) {
    const graze_robot *robot = s->robot;
    fputs("\"pair_counts\":{", stream);
    for (int state = 0; state <= GRAZE_PAIR_TOUCH; state++) {
        if (state == GRAZE_PAIR_TOUCH && s->pair_count[state] == 0) continue;
        fprintf(stream, "%s\"%s\":%zu", state > 0 ? "," : "",
                gz_pair_state_name((graze_pair_state)state), s->pair_count[state]);
    }
    fputs(all ? "},\n\"pairs\":[" : "},\n\"static_pairs\":[", stream);
    const char *separator = "\n  ";
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        if (graze_robot_pair(robot, i, &pair) != GRAZE_OK) continue;
        if (!all && pair.state != GRAZE_PAIR_STATIC) continue;
        fprintf(stream, "%s{\"a\":", separator);
        separator = ",\n  ";
        gz_json_string(stream, graze_robot_link_name(robot, pair.a));
        fputs(",\"b\":", stream);
        gz_json_string(stream, graze_robot_link_name(robot, pair.b));
        fprintf(stream, ",\"state\":\"%s\",\"reason\":", gz_pair_state_name(pair.state));
        gz_json_string(stream, pair.reason);
        fputc('}', stream);
    }
    fputs("]", stream);
}

static void write_warnings(FILE *stream, const graze_robot *robot) {
    fputs("\"warnings\":[", stream);
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++) {
        graze_warning warning = graze_robot_warning(robot, i);
        fputs(i > 0 ? ",\n  {\"code\":" : "\n  {\"code\":", stream);
        gz_json_string(stream, warning.code);
        fputs(",\"message\":", stream);
        gz_json_string(stream, warning.message);
        fputs(",\"file\":", stream);
        gz_json_string(stream, warning.file != NULL ? warning.file : "");
        fputs(",\"element\":", stream);
        gz_json_string(stream, warning.element != NULL ? warning.element : "");
        fprintf(stream, ",\"line\":%d,\"column\":%d,\"count\":%u}", (int)warning.line,
                (int)warning.column, warning.count);
    }
    fputs("]", stream);
}

void gz_robot_summary_json(FILE *stream, const gz_robot_summary *summary, bool pairs) {
    const graze_robot *robot = summary->robot;
    fputs("{\"format\":\"graze-info-1\",\n\"name\":", stream);
    gz_json_string(stream, graze_robot_name(robot));
    fputs(",\n\"root\":", stream);
    gz_json_string(stream, graze_robot_link_name(robot, graze_robot_root(robot)));
    fprintf(stream, ",\n\"bodies\":%d,\n\"collision\":", (int)graze_robot_body_count(robot));
    write_count(stream, &summary->collision, true);
    fputs(",\n\"visual\":", stream);
    write_count(stream, &summary->visual, summary->visuals);
    fputs(",\n", stream);
    write_pose_error(stream, summary);
    fputs(",\n", stream);
    write_q(stream, robot);
    fputs(",\n", stream);
    write_joints(stream, robot);
    fputs(",\n", stream);
    write_links(stream, summary);
    fputs(",\n", stream);
    write_elements(stream, summary);
    fputs(",\n", stream);
    write_groups(stream, robot);
    fputs(",\n", stream);
    write_ends(stream, robot);
    fputs(",\n", stream);
    write_pairs(stream, summary, pairs);
    fputs(",\n", stream);
    write_warnings(stream, robot);
    if (summary->compiled != NULL) {
        fputs(",\n", stream);
        gz_compiled_summary_json(stream, summary->compiled, summary->source_states);
    }
    fputs("}\n", stream);
}
