// What --loader-diff found, for people and for programs.
#include <inttypes.h>
#include <string.h>

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

static void write_text(FILE *stream, const char *key, const char *text) {
    fprintf(stream, ",\"%s\":", key);
    gz_json_string(stream, text);
}

static void write_box(FILE *stream, const graze_aabb *box) {
    const double min[3] = {box->min.x, box->min.y, box->min.z};
    const double max[3] = {box->max.x, box->max.y, box->max.z};
    fputs("{\"min\":", stream);
    gz_json_numbers(stream, min, 3);
    fputs(",\"max\":", stream);
    gz_json_numbers(stream, max, 3);
}

static void write_nodes(FILE *stream, const graze_mesh_report *file) {
    fputs(",\"nodes\":[", stream);
    for (size_t i = 0; i < file->node_count; i++) {
        const graze_mesh_node *node = &file->nodes[i];
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", stream);
        gz_json_string(stream, node->name);
        fprintf(stream, ",\"geometries\":%zu,\"transform\":", node->geometry_count);
        if (node->known)
            gz_json_numbers(stream, node->transform, 12);
        else
            fputs("null", stream);
        fputc('}', stream);
    }
    fputc(']', stream);
}

static void write_file(FILE *stream, const gz_placed_mesh *m) {
    const graze_mesh_report *file = m->file;
    const graze_geometry *g = &m->geometry[0];
    write_text(stream, "file", g->file);
    write_text(stream, "uri", g->uri);
    write_text(stream, "format", file->format);
    fprintf(stream, ",\"bytes\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\",\"unit\":", file->bytes,
            file->hash);
    if (file->unit > 0) {
        gz_json_number(stream, file->unit);
        fprintf(stream, ",\"up\":\"%c\"", file->up);
    } else {
        fputs("null,\"up\":null", stream);
    }
    fputs(",\"scale\":", stream);
    gz_json_numbers(stream, g->scale, 3);
    fprintf(stream,
            ",\"triangles\":%zu,\"degenerate\":%zu,\"vertices\":%zu,\"welded_vertices\":%zu,"
            "\"components\":%zu,\"closed\":%zu",
            g->file_triangle_count, g->degenerate_count, m->solid.given_vertex_count,
            g->vertex_count, g->component_count, g->closed_count);
    write_nodes(stream, file);
}

static void write_mesh(FILE *stream, const gz_loader_diff *diff, const gz_placed_mesh *m) {
    fputs("{\"link\":", stream);
    gz_json_string(stream, link_of(diff, m));
    fprintf(stream, ",\"kind\":\"%s\",\"element\":%d", m->visual ? "visual" : "collision",
            (int)m->geometry[0].element);
    write_file(stream, m);
    write_text(stream, "frame", frame_of(diff, m));
    fputs(",\"profiles\":{", stream);
    for (int p = 0; p < GZ_PROFILES; p++) {
        fprintf(stream, "%s\"%s\":", p > 0 ? "," : "", gz_profile_name(p));
        write_box(stream, &m->box[p]);
        fputs(",\"moved\":", stream);
        gz_json_number(stream, m->moved[p]);
        fputc('}', stream);
    }
    fputs("}}", stream);
}

void gz_loader_diff_json(FILE *stream, const gz_loader_diff *diff) {
    fputs("{\"format\":\"graze-loader-diff-1\",\"robot\":", stream);
    gz_json_string(stream, graze_robot_name(diff->robots[0]));
    fprintf(stream, ",\"differing\":%zu,\"meshes\":[", diff->differing);
    for (size_t i = 0; i < diff->count; i++) {
        fputs(i > 0 ? ",\n " : "\n ", stream);
        write_mesh(stream, diff, &diff->meshes[i]);
    }
    fputs("]}\n", stream);
}
