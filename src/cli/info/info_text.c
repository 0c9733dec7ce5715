// A robot's summary for people: a head of totals, then tables with aligned columns.

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/info/robot_summary.h"
#include "cli/link_poses.h"
#include "cli/message.h"
#include "cli/robot_view.h"
#include "cli/text.h"

#define DECIMALS 4
// Open components that are shown of one element.
#define SHOWN 8

static const char *joint_name(const graze_robot *robot, size_t i) {
    return gz_joint_at(robot, (int32_t)i).name;
}

static const char *limit_text(char buffer[GZ_DECIMAL_SIZE], double value) {
    return isfinite(value) ? gz_decimal_format_fixed(buffer, value, DECIMALS) : "-";
}

// ---------------------------------------------------------------------------------------- head

static void print_geometry(FILE *stream, const gz_geometry_count *count, bool loaded) {
    if (loaded || count->meshes == 0) {
        fprintf(stream, "%zu triangles in %zu mesh%s", count->triangles, count->meshes,
                count->meshes == 1 ? "" : "es");
    } else {
        fprintf(stream, "%zu mesh%s, not loaded", count->meshes, count->meshes == 1 ? "" : "es");
    }
    if (count->primitives > 0)
        fprintf(stream, ", %zu primitive%s", count->primitives, count->primitives == 1 ? "" : "s");
    if (count->degenerate > 0) fprintf(stream, ", %zu without area", count->degenerate);
    fputc('\n', stream);
}

/// Bounds, so rounded up: 3 digits are off by less than 0.5 %.
static void print_pose_error(FILE *stream, const gz_robot_summary *s) {
    double error = graze_robot_pose_error(s->robot, s->domain);
    fprintf(stream, "pose_error %.2e m, epsilon %.2e m, for coordinates up to %g m\n",
            error * 1.005, 2 * error * 1.005, s->domain);
}

static void print_head(FILE *stream, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    fprintf(stream, "robot      %s\n", GZ_PLAIN(graze_robot_name(robot)));
    fprintf(stream, "links      %d, %zu with collision geometry, %d rigid bod%s\n",
            (int)graze_robot_link_count(robot), s->links_with_collision,
            (int)graze_robot_body_count(robot), graze_robot_body_count(robot) == 1 ? "y" : "ies");
    fprintf(stream, "joints     %d", (int)graze_robot_joint_count(robot));
    const char *separator = ": ";
    for (int type = 0; type <= GRAZE_JOINT_FLOATING; type++) {
        if (s->joint_count[type] == 0) continue;
        fprintf(stream, "%s%zu %s", separator, s->joint_count[type],
                gz_joint_type_name((graze_joint_type)type));
        separator = ", ";
    }
    if (s->mimic_count > 0) fprintf(stream, "; %zu mimic", s->mimic_count);
    fprintf(stream, "\nq          %zu number%s\n", graze_robot_q_size(robot),
            graze_robot_q_size(robot) == 1 ? "" : "s");
    fprintf(stream, "root       %s\n",
            GZ_PLAIN(graze_robot_link_name(robot, graze_robot_root(robot))));
    fprintf(stream, "collision  ");
    print_geometry(stream, &s->collision, true);
    fprintf(stream, "visual     ");
    print_geometry(stream, &s->visual, s->visuals);
    fprintf(stream, "closed     %zu of %zu component%s of the collision meshes\n",
            s->collision.closed, s->collision.components, s->collision.components == 1 ? "" : "s");
    fprintf(stream, "pairs      %zu", graze_robot_pair_count(robot));
    separator = ": ";
    for (int state = 0; state < GZ_PAIR_STATES; state++) {
        if (state > 0 && s->pair_count[state] == 0) continue;
        fprintf(stream, "%s%zu %s", separator, s->pair_count[state], gz_pair_becomes(state));
        separator = ", ";
    }
    fputc('\n', stream);
    print_pose_error(stream, s);
    fprintf(stream, "warnings   %zu\n", graze_robot_warning_count(robot));
}

// -------------------------------------------------------------------------------------- tables

static void print_q(FILE *stream, const graze_robot *robot) {
    size_t size = graze_robot_q_size(robot);
    if (size == 0) return;
    int width = gz_widest(robot, size, "joint", graze_robot_q_name);
    fprintf(stream, "\nthe order of q\n  %3s  %-*s  %-10s  %-4s  %10s  %10s\n", "#", width, "joint",
            "type", "unit", "lower", "upper");
    for (size_t i = 0; i < size; i++) {
        graze_joint_info joint = gz_joint_of_column(robot, i);
        char lower[GZ_DECIMAL_SIZE], upper[GZ_DECIMAL_SIZE];
        fprintf(stream, "  %3zu  %-*s  %-10s  %-4s  %10s  %10s%s\n", i, width,
                GZ_PLAIN(graze_robot_q_name(robot, i)), gz_joint_type_name(joint.type),
                gz_column_unit(robot, i), joint.limited ? limit_text(lower, joint.lower) : "-",
                joint.limited ? limit_text(upper, joint.upper) : "-",
                joint.passive ? "  passive" : "");
    }
}

static void print_joints(FILE *stream, const graze_robot *robot) {
    size_t count = graze_robot_joint_count(robot);
    if (count == 0) return;
    int width = gz_widest(robot, count, "joint", joint_name);
    int links = gz_widest_link(robot, "parent");
    fprintf(stream, "\njoints\n  %3s  %-*s  %-10s  %-*s  %s\n", "#", width, "joint", "type", links,
            "parent", "child");
    for (size_t i = 0; i < count; i++) {
        graze_joint_info joint = gz_joint_at(robot, (int32_t)i);
        fprintf(stream, "  %3zu  %-*s  %-10s  %-*s  %s", i, width, GZ_PLAIN(joint.name),
                gz_joint_type_name(joint.type), links,
                GZ_PLAIN(graze_robot_link_name(robot, joint.parent)),
                GZ_PLAIN(graze_robot_link_name(robot, joint.child)));
        if (joint.mimic >= 0) {
            char multiplier[GZ_DECIMAL_SIZE], offset[GZ_DECIMAL_SIZE];
            fprintf(stream, "  = %s %s + %s", gz_decimal_format(multiplier, joint.multiplier),
                    GZ_PLAIN(joint_name(robot, (size_t)joint.mimic)),
                    gz_decimal_format(offset, joint.offset));
        }
        fputc('\n', stream);
    }
}

static void print_links(FILE *stream, const gz_robot_summary *s) {
    const graze_robot *robot = s->robot;
    size_t count = graze_robot_link_count(robot);
    int width = gz_widest_link(robot, "link");
    fprintf(stream, "\nlinks\n  %3s  %-*s  %4s  %6s  %10s  %9s  %9s  %7s  %10s\n", "#", width,
            "link", "body", "meshes", "primitives", "triangles", "closed", "visuals", "triangles");
    for (size_t i = 0; i < count; i++) {
        const gz_geometry_count *collision = &s->link_collision[i], *visual = &s->link_visual[i];
        char closed[48];
        snprintf(closed, sizeof closed, "%zu/%zu", collision->closed, collision->components);
        fprintf(stream, "  %3zu  %-*s  %4d  %6zu  %10zu  %9zu  %9s  %7zu  ", i, width,
                GZ_PLAIN(graze_robot_link_name(robot, (int32_t)i)),
                (int)graze_robot_link_body(robot, (int32_t)i), collision->meshes,
                collision->primitives, collision->triangles, closed, visual->elements);
        if (s->visuals || visual->meshes == 0)
            fprintf(stream, "%10zu\n", visual->triangles);
        else
            fprintf(stream, "%10s\n", "-");
    }
}

static void print_vector(FILE *stream, graze_vec3 v, const char *behind) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], z[GZ_DECIMAL_SIZE];
    fprintf(stream, "%8s %8s %8s%s", gz_decimal_format_fixed(x, v.x, DECIMALS),
            gz_decimal_format_fixed(y, v.y, DECIMALS), gz_decimal_format_fixed(z, v.z, DECIMALS),
            behind);
}

static void print_bounds(FILE *stream, const graze_robot *robot) {
    size_t count = graze_robot_link_count(robot);
    int width = gz_widest_link(robot, "link");
    fprintf(stream,
            "\nbounds of the collision geometry in the link frame, m\n"
            "  %-*s  %-36s  %-26s  %-26s  %-26s  %s\n",
            width, "link", "sphere: center, radius", "box: min", "box: max", "oriented box: center",
            "oriented box: half sizes");
    for (size_t i = 0; i < count; i++) {
        graze_link_bounds bounds;
        if (graze_robot_link_bounds(robot, (int32_t)i, &bounds) != GRAZE_OK || bounds.empty)
            continue;
        char radius[GZ_DECIMAL_SIZE];
        fprintf(stream, "  %-*s  ", width, GZ_PLAIN(graze_robot_link_name(robot, (int32_t)i)));
        print_vector(stream, bounds.sphere.center, "");
        fprintf(stream, " %8s   ", gz_decimal_format_fixed(radius, bounds.sphere.radius, DECIMALS));
        print_vector(stream, bounds.aabb.min, "  ");
        print_vector(stream, bounds.aabb.max, "  ");
        print_vector(stream, bounds.obb.center, "  ");
        print_vector(stream, bounds.obb.half, "\n");
    }
}

// ---------------------------------------------------------------------------------------- SRDF

static void print_groups(FILE *stream, const graze_robot *robot) {
    if (graze_robot_group_count(robot) > 0) fprintf(stream, "\ngroups\n");
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        if (graze_robot_group(robot, i, &group) != GRAZE_OK) continue;
        fprintf(stream, "  %s:", GZ_PLAIN(group.name));
        for (size_t k = 0; k < group.joint_count; k++) {
            graze_joint_info joint = gz_joint_at(robot, group.joints[k]);
            if (joint.q_count > 0) fprintf(stream, " %s", GZ_PLAIN(joint.name));
        }
        fputc('\n', stream);
    }
    if (graze_robot_state_count(robot) > 0) fprintf(stream, "\nstates\n");
    for (size_t i = 0; i < graze_robot_state_count(robot); i++) {
        const char *name = NULL, *group = NULL;
        if (graze_robot_state(robot, i, &name, &group) != GRAZE_OK) continue;
        fprintf(stream, "  %s/%s\n", GZ_PLAIN(group), GZ_PLAIN(name));
    }
    if (graze_robot_end_effector_count(robot) > 0) fprintf(stream, "\nend effectors\n");
    for (size_t i = 0; i < graze_robot_end_effector_count(robot); i++) {
        graze_end_effector effector;
        if (graze_robot_end_effector(robot, i, &effector) != GRAZE_OK) continue;
        fprintf(stream, "  %s: group %s on %s\n", GZ_PLAIN(effector.name), GZ_PLAIN(effector.group),
                GZ_PLAIN(graze_robot_link_name(robot, effector.parent_link)));
    }
    for (size_t i = 0; i < graze_robot_virtual_joint_count(robot); i++) {
        graze_virtual_joint joint;
        if (graze_robot_virtual_joint(robot, i, &joint) != GRAZE_OK) continue;
        fprintf(stream, "%s  %s: %s, %s to %s\n", i == 0 ? "\nvirtual joints\n" : "",
                GZ_PLAIN(joint.name), GZ_PLAIN(joint.type), GZ_PLAIN(joint.parent_frame),
                GZ_PLAIN(graze_robot_link_name(robot, joint.child)));
    }
}

/// The rules of the command, as far as there are any.
static void print_rules(FILE *stream, const graze_checker_options *rules) {
    char number[GZ_DECIMAL_SIZE];
    if (rules->level || rules->no_self || rules->no_world || rules->policy || rules->policy_count ||
        !isnan(rules->margin) || rules->margin_count || rules->allowed_count)
        fprintf(stream, "\nrules\n");
    if (rules->level == GRAZE_LEVEL_BOUNDS) fprintf(stream, "  bounding volumes, not meshes\n");
    if (rules->no_self) fprintf(stream, "  no link against link\n");
    if (rules->no_world) fprintf(stream, "  no link against the world\n");
    if (rules->policy != GRAZE_POLICY_SOLID)
        fprintf(stream, "  all count as %s\n", gz_policy_name(rules->policy));
    for (size_t i = 0; i < rules->policy_count; i++)
        fprintf(stream, "  %s counts as %s\n", GZ_PLAIN(rules->policies[i].name),
                gz_policy_name(rules->policies[i].policy));
    if (!isnan(rules->margin))
        fprintf(stream, "  margin %s m\n", gz_decimal_format(number, rules->margin));
    for (size_t i = 0; i < rules->margin_count; i++) {
        const graze_pair_margin *m = &rules->margins[i];
        fprintf(stream, "  margin %s m of %s%s%s\n", gz_decimal_format(number, m->margin),
                GZ_PLAIN(m->a), m->b != NULL ? ", " : "", m->b != NULL ? GZ_PLAIN(m->b) : "");
    }
    for (size_t i = 0; i < rules->allowed_count; i++)
        fprintf(stream, "  %s and %s may touch\n", GZ_PLAIN(rules->allowed[i].a),
                GZ_PLAIN(rules->allowed[i].b));
}

static void print_pairs(FILE *stream, const gz_robot_summary *s, bool all) {
    const graze_robot *robot = s->robot;
    int width = gz_widest_link(robot, "link");
    const char *head = all ? "\npairs, in check order\n"
                           : "\npairs that no joint moves, judged once\n";
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair = gz_pair_at(robot, i);
        int state = gz_pair_under_rules(s->checked, pair);
        if (!all && state != GRAZE_PAIR_STATIC) continue;
        const char *a = GZ_PLAIN(graze_robot_link_name(robot, pair.a));
        const char *b = GZ_PLAIN(graze_robot_link_name(robot, pair.b));
        bool reason = all && pair.reason[0] != '\0';
        fprintf(stream, "%s  %-*s  %-*s", head, width, a, all ? width : 0, b);
        if (all) fprintf(stream, "  %-*s", reason ? 8 : 0, gz_pair_becomes(state));
        if (reason) fprintf(stream, "  %s", GZ_PLAIN(pair.reason));
        fputc('\n', stream);
        head = "";
    }
}

// ---------------------------------------------------------------------------------- solids

static void print_why(FILE *stream, const graze_component_info *c) {
    bool hole = c->closure == GRAZE_CLOSURE_HOLE, winding = c->closure == GRAZE_CLOSURE_WINDING;
    size_t count = hole      ? c->hole_edges
                   : winding ? c->winding_edges
                             : c->boundary_edges - c->winding_edges;
    fprintf(stream, "%zu edge%s %s", count, count == 1 ? "" : "s",
            hole      ? "with a triangle on one side only"
            : winding ? "between triangles that are wound against each other"
                      : "of more than two triangles that do not cancel");
}

static void print_open(FILE *stream, size_t number, const graze_component_info *c,
                       const char *frame) {
    char place[GZ_VECTOR_SIZE];
    fprintf(stream, "    component %zu (%zu triangle%s from %zu on) counts as a surface: ", number,
            c->triangle_count, c->triangle_count == 1 ? "" : "s", c->triangle);
    print_why(stream, c);
    fprintf(stream, "; %zu boundary edges in %zu loop%s, one at %s in the frame of %s\n",
            c->boundary_edges, c->boundary_loops, c->boundary_loops == 1 ? "" : "s",
            gz_vector_format(place, c->place), GZ_PLAIN(frame));
}

static void print_element(FILE *stream, int width, const graze_robot *robot,
                          const graze_geometry *g, const gz_solid_summary *item) {
    const graze_solid_report *r = &item->report;
    fprintf(stream, "  %-*s  %7d  %9zu  %10zu  %8zu  %10zu  %6zu  %8zu  %8zu\n", width,
            GZ_PLAIN(graze_robot_link_name(robot, g->owner)), (int)g->element, r->triangle_count,
            r->degenerate_count, r->vertex_count, r->component_count, r->closed_count,
            r->reversed_count, r->cavity_count);
    size_t shown = 0;
    for (size_t i = 0; i < item->component_count && shown < SHOWN; i++) {
        if (item->components[i].closure == GRAZE_CLOSURE_CLOSED) continue;
        print_open(stream, i, &item->components[i], graze_robot_link_name(robot, g->frame));
        shown++;
    }
    if (shown < r->open_count)
        fprintf(stream,
                "    and %zu more open components; %zu boundary edges in %zu loops in all\n",
                r->open_count - shown, r->boundary_edges, r->boundary_loops);
}

/// The table of the meshes, each followed by its open components.
static void print_solids(FILE *stream, const graze_robot *robot, const gz_solid_summary *items) {
    int width = 4;
    size_t count = graze_robot_collision_count(robot), meshes = 0;
    for (size_t i = 0; i < count; i++) {
        graze_geometry g = gz_collision_at(robot, i);
        if (g.shape != GRAZE_SHAPE_MESH) continue;
        int length = (int)strlen(graze_robot_link_name(robot, g.owner));
        if (length > width) width = length;
        meshes++;
    }
    if (meshes == 0) return;
    fprintf(stream,
            "\ncollision meshes as solids\n  %-*s  %7s  %9s  %10s  %8s  %10s  %6s  %8s  %8s\n",
            width, "link", "element", "triangles", "degenerate", "vertices", "components", "closed",
            "reversed", "cavities");
    for (size_t i = 0; i < count; i++) {
        graze_geometry g = gz_collision_at(robot, i);
        if (g.shape == GRAZE_SHAPE_MESH) print_element(stream, width, robot, &g, &items[i]);
    }
}

// --------------------------------------------------------------------------------- compiled files

/// The head line and the table of sources.
static void print_compiled(FILE *stream, const graze_compiled *compiled,
                           const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    fprintf(stream, "\ncompiled by graze %s, %zu bytes: robot %zu, world %zu\n",
            GZ_PLAIN(graze_compiled_version(compiled)), size, robot, world);
    fprintf(stream, "sources, and what they are now\n  %-7s  %-5s  %10s  %-32s  path\n", "now",
            "kind", "bytes", "XXH3");
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        fprintf(stream, "  %-7s  %-5s  ", gz_source_state_name(states[i]),
                gz_source_kind_name(source.kind));
        if (source.known) {
            fprintf(stream, "%10" PRIu64 "  %016" PRIx64 "%016" PRIx64, source.size, source.hash[1],
                    source.hash[0]);
        } else {
            fprintf(stream, "%10s  %-32s", "-", "-");
        }
        fprintf(stream, "  %s\n", GZ_PLAIN(source.path));
    }
}

static void print_world(FILE *stream, const graze_world *world) {
    fprintf(stream, "\nobjects of the world\n");
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g;
        if (graze_world_object(world, i, &g) == GRAZE_OK)
            fprintf(stream, "  %-8s  %s\n", gz_shape_name(g.shape), GZ_PLAIN(g.name));
    }
}

void gz_robot_summary_text(FILE *stream, const gz_robot_summary *summary, bool pairs) {
    const graze_robot *robot = summary->robot;
    print_head(stream, summary);
    print_q(stream, robot);
    print_joints(stream, robot);
    print_links(stream, summary);
    print_solids(stream, robot, summary->solids);
    print_bounds(stream, robot);
    print_groups(stream, robot);
    print_rules(stream, &summary->rules);
    print_pairs(stream, summary, pairs);
    if (summary->world != NULL) print_world(stream, summary->world);
    if (summary->poses != NULL) gz_link_poses_print(stream, robot, summary->poses);
    if (summary->compiled != NULL)
        print_compiled(stream, summary->compiled, summary->source_states);
}
