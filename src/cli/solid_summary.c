#include "cli/info/robot_summary.h"

#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

/// Components that are kept, and open ones that are shown, of one element: a soup has as many as
/// triangles.
#define KEPT  1000
#define SHOWN 8

static const char *const closure_names[] = {"closed", "hole", "winding", "non-manifold"};

// ------------------------------------------------------------------------------------- gathering

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

// ------------------------------------------------------------------------------------------ text

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

// ------------------------------------------------------------------------------------------ JSON

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
