// What --loader-diff found, for people and for programs.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/json.h"
#include "cli/loader_diff.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

#define DECIMALS 4

static const char *link_of(const gz_loader_diff *diff, const gz_placed_mesh *m) {
    return graze_robot_link_name(diff->robots[0], m->geometry[0].owner);
}

static const char *frame_of(const gz_loader_diff *diff, const gz_placed_mesh *m) {
    return graze_robot_link_name(diff->robots[0], m->geometry[0].frame);
}

static bool is_identity(const double m[12]) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < 12; i++)
        if (m[i] != identity[i]) return false;
    return true;
}

// ------------------------------------------------------------------------------------------- text

static void print_node(FILE *stream, const graze_mesh_node *node) {
    fprintf(stream, "  node %s", node->name[0] != '\0' ? GZ_PLAIN(node->name) : "(no name)");
    if (node->geometry_count > 1) fprintf(stream, ", %zu geometries", node->geometry_count);
    if (!node->known) {
        fputs(": turned by <lookat> or <skew>\n", stream);
    } else if (is_identity(node->transform)) {
        fputs(": where it is\n", stream);
    } else {
        fputs(": ", stream);
        for (int i = 0; i < 12; i++)
            fprintf(stream, "%s%.6g", i == 0 ? "[" : i % 4 == 0 ? "; " : " ", node->transform[i]);
        fputs("]\n", stream);
    }
}

static void print_file(FILE *stream, const gz_placed_mesh *m) {
    const graze_mesh_report *file = m->file;
    const graze_geometry *g = &m->geometry[0];
    fprintf(stream, "  file %s: %s, %" PRIu64 " bytes, hash %016" PRIx64 "\n", GZ_PLAIN(g->file),
            file->format, file->bytes, file->hash);
    if (file->unit > 0)
        fprintf(stream, "  unit %g m, %c up; ", file->unit, file->up);
    else
        fputs("  no unit, no up axis; ", stream);
    fprintf(stream, "scale %g %g %g\n", g->scale[0], g->scale[1], g->scale[2]);
    fprintf(stream,
            "  triangles %zu, %zu without area; vertices %zu, welded %zu; components %zu, %zu "
            "closed\n",
            g->file_triangle_count, g->degenerate_count, m->solid.given_vertex_count,
            g->vertex_count, g->component_count, g->closed_count);
    for (size_t i = 0; i < file->node_count; i++) print_node(stream, &file->nodes[i]);
}

static void print_corner(FILE *stream, graze_vec3 v) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], z[GZ_DECIMAL_SIZE];
    fprintf(stream, "(%s, %s, %s)", gz_decimal_format_fixed(x, v.x, DECIMALS),
            gz_decimal_format_fixed(y, v.y, DECIMALS), gz_decimal_format_fixed(z, v.z, DECIMALS));
}

static void print_mesh(FILE *stream, const gz_loader_diff *diff, const gz_placed_mesh *m) {
    fprintf(stream, "%s, %s %d\n", GZ_PLAIN(link_of(diff, m)), m->visual ? "visual" : "collision",
            (int)m->geometry[0].element);
    print_file(stream, m);
    bool same = m->moved[1] == 0 && m->moved[2] == 0;
    for (int p = 0; p < (same ? 1 : GZ_PROFILES); p++) {
        fprintf(stream, "  %-6s box ", same ? "every" : gz_profile_name(p));
        print_corner(stream, m->box[p].min);
        fputs(" to ", stream);
        print_corner(stream, m->box[p].max);
        fprintf(stream, " m of %s", GZ_PLAIN(frame_of(diff, m)));
        if (p > 0 && m->moved[p] > 0) fprintf(stream, ": up to %.4g m from ros", m->moved[p]);
        if (p > 0 && m->moved[p] == 0) fputs(": as ros", stream);
        fputc('\n', stream);
    }
}

void gz_loader_diff_text(FILE *stream, const gz_loader_diff *diff) {
    for (size_t i = 0; i < diff->count; i++) print_mesh(stream, diff, &diff->meshes[i]);
    fprintf(stream, "%zu of %zu meshes lie elsewhere in another profile\n", diff->differing,
            diff->count);
}

// ------------------------------------------------------------------------------------------- JSON

static void write_nodes(gz_json *json, const graze_mesh_report *file) {
    gz_json_put(json, "nodes=[");
    for (size_t i = 0; i < file->node_count; i++) {
        const graze_mesh_node *node = &file->nodes[i];
        gz_json_put(json, "{ name=%s geometries=%zu", node->name, node->geometry_count);
        if (node->known)
            gz_json_numbers(json, "transform", node->transform, 12);
        else
            gz_json_put(json, "transform=null");
        gz_json_put(json, "}");
    }
    gz_json_put(json, "]");
}

static void write_file(gz_json *json, const gz_placed_mesh *m) {
    const graze_mesh_report *file = m->file;
    const graze_geometry *g = &m->geometry[0];
    const char up[2] = {file->up, '\0'};
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, file->hash);
    gz_json_put(json, "file=%s uri=%s format=%s bytes=%" PRIu64 " hash=%s unit=%g up=%s", g->file,
                g->uri, file->format, file->bytes, hash, file->unit > 0 ? file->unit : NAN,
                file->unit > 0 ? up : NULL);
    gz_json_numbers(json, "scale", g->scale, 3);
    gz_json_put(
        json,
        "triangles=%zu degenerate=%zu vertices=%zu welded_vertices=%zu components=%zu closed=%zu",
        g->file_triangle_count, g->degenerate_count, m->solid.given_vertex_count, g->vertex_count,
        g->component_count, g->closed_count);
    write_nodes(json, file);
}

static void write_mesh(gz_json *json, const gz_loader_diff *diff, const gz_placed_mesh *m) {
    gz_json_put(json, "{ link=%s kind=%s element=%d", link_of(diff, m),
                m->visual ? "visual" : "collision", m->geometry[0].element);
    write_file(json, m);
    gz_json_put(json, "frame=%s profiles={", frame_of(diff, m));
    for (int p = 0; p < GZ_PROFILES; p++) {
        gz_json_key(json, gz_profile_name(p));
        gz_json_put(json, "{");
        gz_json_vector(json, "min", m->box[p].min);
        gz_json_vector(json, "max", m->box[p].max);
        gz_json_put(json, "moved=%g }", m->moved[p]);
    }
    gz_json_put(json, "} }");
}

void gz_loader_diff_json(FILE *stream, const gz_loader_diff *diff) {
    gz_json json = gz_json_begin(stream, "graze-loader-diff-1");
    gz_json_put(&json, "robot=%s differing=%zu meshes=[", graze_robot_name(diff->robots[0]),
                diff->differing);
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < diff->count; i++) write_mesh(&json, diff, &diff->meshes[i]);
    gz_json_finish(&json);
}
