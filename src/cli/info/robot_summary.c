#include "cli/info/robot_summary.h"

#include <inttypes.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
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

/// Components that are kept, and open ones that are shown, of one element: a soup has as many as
/// triangles.
#define KEPT  1000
#define SHOWN 8

static const char *const closure_names[] = {"closed", "hole", "winding", "non-manifold"};

// ------------------------------------------------------------------------------------------ solids

static bool survey(const graze_mesh *mesh, gz_solid_summary *item) {
    graze_mesh_info info;
    if (mesh == NULL || graze_mesh_describe(mesh, &info) != GRAZE_OK) return true;
    size_t count = info.component_count < KEPT ? info.component_count : KEPT;
    item->components = gz_storage_resize(NULL, count, sizeof *item->components);
    if (item->components == NULL) return false;
    item->component_count = count;
    return graze_mesh_solids(mesh, &item->report, item->components, count, NULL) == GRAZE_OK;
}

gz_solid_summary *gz_solid_summary_make(const graze_robot *robot) {
    size_t count = graze_robot_collision_count(robot);
    gz_solid_summary *items = gz_storage_resize(NULL, count, sizeof *items);
    if (items == NULL) return NULL;
    memset(items, 0, count * sizeof *items);
    for (size_t i = 0; i < count; i++) {
        graze_geometry geometry;
        if (graze_robot_collision(robot, i, &geometry) != GRAZE_OK) continue;
        if (survey(geometry.mesh, &items[i])) continue;
        gz_solid_summary_free(items, robot);
        return NULL;
    }
    return items;
}

void gz_solid_summary_free(gz_solid_summary *items, const graze_robot *robot) {
    if (items == NULL) return;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        gz_storage_free(items[i].components);
    }
    gz_storage_free(items);
}

// ---------------------------------------------------------------------------------- solids as text

static void print_why(FILE *stream, const graze_component_info *c) {
    switch (c->closure) {
    case GRAZE_CLOSURE_HOLE:
        fprintf(stream, "%zu edge%s with a triangle on one side only", c->hole_edges,
                c->hole_edges == 1 ? "" : "s");
        break;
    case GRAZE_CLOSURE_WINDING:
        fprintf(stream, "%zu edge%s between triangles that are wound against each other",
                c->winding_edges, c->winding_edges == 1 ? "" : "s");
        break;
    default:
        fprintf(stream, "%zu edge%s of more than two triangles that do not cancel",
                c->boundary_edges - c->winding_edges,
                c->boundary_edges - c->winding_edges == 1 ? "" : "s");
    }
}

static void print_open(FILE *stream, size_t number, const graze_component_info *c,
                       const char *frame) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], z[GZ_DECIMAL_SIZE];
    fprintf(stream, "    component %zu (%zu triangle%s from %zu on) counts as a surface: ", number,
            c->triangle_count, c->triangle_count == 1 ? "" : "s", c->triangle);
    print_why(stream, c);
    fprintf(stream, "; %zu boundary edges in %zu loop%s, one at (%s, %s, %s) in the frame of %s\n",
            c->boundary_edges, c->boundary_loops, c->boundary_loops == 1 ? "" : "s",
            gz_decimal_format_fixed(x, c->place.x, 4), gz_decimal_format_fixed(y, c->place.y, 4),
            gz_decimal_format_fixed(z, c->place.z, 4), GZ_PLAIN(frame));
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
    if (shown < r->open_count) {
        fprintf(stream,
                "    and %zu more open components; %zu boundary edges in %zu loops in all\n",
                r->open_count - shown, r->boundary_edges, r->boundary_loops);
    }
}

void gz_solid_summary_text(FILE *stream, const graze_robot *robot, const gz_solid_summary *items) {
    int width = 4;
    size_t meshes = 0;
    graze_geometry g;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        if (graze_robot_collision(robot, i, &g) != GRAZE_OK || g.shape != GRAZE_SHAPE_MESH)
            continue;
        int length = (int)strlen(graze_robot_link_name(robot, g.owner));
        if (length > width) width = length;
        meshes++;
    }
    if (meshes == 0) return;
    fprintf(stream,
            "\ncollision meshes as solids\n  %-*s  %7s  %9s  %10s  %8s  %10s  %6s  %8s  %8s\n",
            width, "link", "element", "triangles", "degenerate", "vertices", "components", "closed",
            "reversed", "cavities");
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        if (graze_robot_collision(robot, i, &g) != GRAZE_OK || g.shape != GRAZE_SHAPE_MESH)
            continue;
        print_element(stream, width, robot, &g, &items[i]);
    }
}

// ---------------------------------------------------------------------------------- solids as JSON

static void write_place(FILE *stream, graze_vec3 place) {
    const double values[3] = {place.x, place.y, place.z};
    fputs(",\"place\":", stream);
    gz_json_numbers(stream, values, 3);
}

static void write_open(FILE *stream, const gz_solid_summary *item) {
    const char *separator = "";
    fputs(",\"open\":[", stream);
    for (size_t i = 0; i < item->component_count; i++) {
        const graze_component_info *c = &item->components[i];
        if (c->closure == GRAZE_CLOSURE_CLOSED) continue;
        fprintf(stream,
                "%s{\"component\":%zu,\"triangle\":%zu,\"triangles\":%zu,\"why\":\"%s\","
                "\"boundary_edges\":%zu,\"boundary_loops\":%zu,\"hole_edges\":%zu,"
                "\"winding_edges\":%zu,\"non_manifold_edges\":%zu",
                separator, i, c->triangle, c->triangle_count, closure_names[c->closure],
                c->boundary_edges, c->boundary_loops, c->hole_edges, c->winding_edges,
                c->non_manifold_edges);
        write_place(stream, c->place);
        fputc('}', stream);
        separator = ",";
    }
    fputc(']', stream);
}

void gz_solid_summary_json(FILE *stream, const graze_robot *robot, const graze_geometry *geometry,
                           const gz_solid_summary *item) {
    const graze_solid_report *r = &item->report;
    fprintf(stream,
            "{\"triangles\":%zu,\"degenerate\":%zu,\"given_vertices\":%zu,\"vertices\":%zu,"
            "\"components\":%zu,\"closed\":%zu,\"reversed\":%zu,\"cavities\":%zu,"
            "\"open_components\":%zu,\"boundary_edges\":%zu,\"boundary_loops\":%zu,"
            "\"non_manifold_edges\":%zu,\"frame\":",
            r->triangle_count, r->degenerate_count, r->given_vertex_count, r->vertex_count,
            r->component_count, r->closed_count, r->reversed_count, r->cavity_count, r->open_count,
            r->boundary_edges, r->boundary_loops, r->non_manifold_edges);
    gz_json_string(stream, graze_robot_link_name(robot, geometry->frame));
    write_open(stream, item);
    fputc('}', stream);
}

static const char *state_name(graze_source_state state) {
    static const char *const names[] = {"same", "changed", "missing", "unknown"};
    return names[state];
}

static const char *kind_name(graze_source_kind kind) {
    static const char *const names[] = {"urdf", "srdf", "mesh", "world"};
    return names[kind];
}

bool gz_compiled_summary_read(const graze_compiled *compiled, graze_source_state **states) {
    size_t count = graze_compiled_source_count(compiled);
    *states = gz_storage_resize(NULL, count, sizeof **states);
    for (size_t i = 0; *states != NULL && i < count; i++) {
        if (graze_compiled_source_now(compiled, i, &(*states)[i], NULL) == GRAZE_OK) continue;
        gz_storage_free(*states);
        *states = NULL;
    }
    return *states != NULL;
}

void gz_compiled_summary_text(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    fprintf(stream, "\ncompiled by graze %s, %zu bytes: robot %zu, world %zu\n",
            GZ_PLAIN(graze_compiled_version(compiled)), size, robot, world);
    fprintf(stream, "sources, and what they are now\n  %-7s  %-5s  %10s  %-32s  path\n", "now",
            "kind", "bytes", "XXH3");
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        fprintf(stream, "  %-7s  %-5s  ", state_name(states[i]), kind_name(source.kind));
        if (source.known) {
            fprintf(stream, "%10" PRIu64 "  %016" PRIx64 "%016" PRIx64, source.size, source.hash[1],
                    source.hash[0]);
        } else {
            fprintf(stream, "%10s  %-32s", "-", "-");
        }
        fprintf(stream, "  %s\n", GZ_PLAIN(source.path));
    }
}

void gz_compiled_summary_json(FILE *stream, const graze_compiled *compiled,
                              const graze_source_state *states) {
    size_t robot, world, size = graze_compiled_size(compiled, &robot, &world);
    fputs("\"compiled\":{\"version\":", stream);
    gz_json_string(stream, graze_compiled_version(compiled));
    fprintf(stream, ",\"bytes\":%zu,\"robot_bytes\":%zu,\"world_bytes\":%zu,\"sources\":[", size,
            robot, world);
    for (size_t i = 0; i < graze_compiled_source_count(compiled); i++) {
        graze_source source;
        if (graze_compiled_source(compiled, i, &source) != GRAZE_OK) continue;
        fprintf(stream, "%s\n  {\"kind\":\"%s\",\"state\":\"%s\",\"path\":", i > 0 ? "," : "",
                kind_name(source.kind), state_name(states[i]));
        gz_json_string(stream, source.path);
        if (source.known) {
            fprintf(stream, ",\"bytes\":%" PRIu64 ",\"xxh3\":\"%016" PRIx64 "%016" PRIx64 "\"",
                    source.size, source.hash[1], source.hash[0]);
        }
        fputs("}", stream);
    }
    fputs("]}", stream);
}
