// Where do the loaders that people use place a robot's meshes? graze info --loader-diff.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/info/robot_summary.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"
#include "graze/mesh_report.h"

enum { PROFILES = 3 }; ///< ros, spec, moveit: by graze_collada

/// A mesh file, read by graze and by assimp.
typedef struct mesh_readings {
    const char *path;         ///< of a robot's geometry
    graze_mesh_report *facts; ///< NULL where graze has no reader for it
    size_t triangles[2];      ///< as graze and as assimp reads it
    double apart;        ///< metres in the file's frame: from a vertex of one to the nearest of the
                         ///< other, at most
    double bounds_apart; ///< metres: how far the bounds are apart, at most
    bool same;           ///< but for single precision
    char error[GRAZE_MESSAGE_SIZE]; ///< why there is nothing to compare; "" where there is
} mesh_readings;

/// One mesh of a link, as every profile places it.
typedef struct placed_mesh {
    bool visual;
    graze_geometry geometry[PROFILES];
    graze_aabb box[PROFILES]; ///< metres, in the frame of the link `geometry.frame`
    double moved[PROFILES];   ///< metres: how far its farthest vertex is from where `ros` has it
    size_t file;              ///< of the files
    graze_solid_report solid; ///< as `ros` has it
} placed_mesh;

typedef struct loader_diff {
    graze_robot *robots[PROFILES];
    placed_mesh *meshes;
    size_t count, differing;
    mesh_readings *files; ///< in the order of their first use
    size_t file_count, file_capacity, misread;
} loader_diff;

static const char *const profile_names[PROFILES] = {"ros", "spec", "moveit"};

// -------------------------------------------------------------------------------------- measuring

static graze_vec3 vertex_at(const graze_geometry *g, size_t i) {
    const double *v = g->vertices + 3 * i;
    return (graze_vec3){v[0], v[1], v[2]};
}

static graze_aabb box_of(const graze_geometry *g) {
    graze_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < g->vertex_count; i++) {
        const graze_vec3 v = vertex_at(g, i);
        box.min = (graze_vec3){fmin(box.min.x, v.x), fmin(box.min.y, v.y), fmin(box.min.z, v.z)};
        box.max = (graze_vec3){fmax(box.max.x, v.x), fmax(box.max.y, v.y), fmax(box.max.z, v.z)};
    }
    return box;
}

static graze_vec3 difference(graze_vec3 a, graze_vec3 b) {
    return (graze_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double distance(graze_vec3 a, graze_vec3 b) {
    graze_vec3 d = difference(a, b);
    return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/// The largest magnitude of a coordinate.
static double largest(graze_vec3 v) {
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/// Vertices come in the order of the file; where the profiles weld them differently their boxes are
/// compared.
static double farthest(const placed_mesh *m, int profile) {
    const graze_geometry *a = &m->geometry[0], *b = &m->geometry[profile];
    const graze_aabb *x = &m->box[0], *y = &m->box[profile];
    double most = 0;
    if (a->vertex_count != b->vertex_count)
        return fmax(distance(x->min, y->min), distance(x->max, y->max));
    for (size_t i = 0; i < a->vertex_count; i++)
        most = fmax(most, distance(vertex_at(a, i), vertex_at(b, i)));
    return most;
}

// ---------------------------------------------------------------------------------------- readers

/// A vertex, and its place along a direction in which hardly any two vertices of a robot's mesh
/// have the same.
typedef struct sorted_vertex {
    double along;
    graze_vec3 vertex;
} sorted_vertex;

static double along(graze_vec3 v) {
    return 0.5377 * v.x + 0.6151 * v.y + 0.5765 * v.z; // of a length just below 1
}

static int compare_along(const void *a, const void *b) {
    const sorted_vertex *v = a, *w = b;
    return (v->along > w->along) - (v->along < w->along);
}

/// The distance to the nearest of the vertices, or some distance below `enough`.
static double nearest(graze_vec3 v, const sorted_vertex *sorted, size_t count, double enough) {
    const double at = along(v);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].along < at)
            low = middle + 1;
        else
            high = middle;
    }
    double least = INFINITY;
    for (size_t up = low, down = low; least > enough;) {
        double above = up < count ? sorted[up].along - at : INFINITY;
        double below = down > 0 ? at - sorted[down - 1].along : INFINITY;
        if (fmin(above, below) >= least) break;
        least = fmin(least, distance(v, sorted[above < below ? up++ : --down].vertex));
    }
    return least;
}

/// How far a vertex of `a` is from the nearest of `b`, at most; no less than `most`. Negative
/// without memory.
static double farthest_vertex(const graze_geometry *a, const graze_geometry *b, double most) {
    sorted_vertex *sorted = gz_malloc(b->vertex_count, sizeof *sorted);
    if (sorted == NULL) return -1;
    for (size_t i = 0; i < b->vertex_count; i++)
        sorted[i] = (sorted_vertex){along(vertex_at(b, i)), vertex_at(b, i)};
    qsort(sorted, b->vertex_count, sizeof *sorted, compare_along);
    for (size_t i = 0; i < a->vertex_count; i++)
        most = fmax(most, nearest(vertex_at(a, i), sorted, b->vertex_count, most));
    gz_free(sorted);
    return most;
}

/// Compares two readings. assimp's numbers are floats: reading one errs by up to 4 units of 2^-24,
/// transforming it by 4 for each node on the way. 2^-16 of the largest coordinate is enough
/// for 60 nodes.
static int compare(mesh_readings *file, const graze_geometry *ours, const graze_geometry *theirs) {
    const graze_aabb a = box_of(ours), b = box_of(theirs);
    file->bounds_apart = fmax(largest(difference(a.min, b.min)), largest(difference(a.max, b.max)));
    double first = farthest_vertex(ours, theirs, 0);
    file->apart = first < 0 ? first : farthest_vertex(theirs, ours, first);
    if (file->apart < 0) return gz_message_no_memory();
    file->triangles[0] = ours->file_triangle_count;
    file->triangles[1] = theirs->file_triangle_count;
    file->same = file->triangles[0] == file->triangles[1] &&
                 file->apart <= 0x1p-16 * fmax(largest(a.min), largest(a.max));
    return GZ_EXIT_FINE;
}

static int read_twice(mesh_readings *file, const gz_robot_input *input) {
    graze_world *worlds[2] = {NULL, NULL};
    graze_geometry geometry[2];
    graze_error error = {0};
    graze_status status = GRAZE_OK;
    for (int i = 0; i < 2 && status == GRAZE_OK; i++) {
        status = gz_robot_input_read_mesh(input, file->path, (graze_mesh_reader)i, &worlds[i],
                                          &error);
        if (status == GRAZE_OK) status = graze_world_object(worlds[i], 0, &geometry[i]);
    }
    snprintf(file->error, sizeof file->error, "%s", error.message);
    int done = status == GRAZE_OK ? compare(file, &geometry[0], &geometry[1]) : GZ_EXIT_FINE;
    for (int i = 0; i < 2; i++) graze_world_free(worlds[i]);
    return done;
}

/// The facts and readings of a file, found once however many links use it.
static int find_file(loader_diff *diff, const gz_robot_input *input, placed_mesh *m) {
    const char *path = m->geometry[0].file;
    for (m->file = 0; m->file < diff->file_count; m->file++)
        if (strcmp(diff->files[m->file].path, path) == 0) return GZ_EXIT_FINE;
    if (!gz_array_reserve((void **)&diff->files, &diff->file_capacity, diff->file_count + 1,
                          sizeof *diff->files))
        return gz_message_no_memory();
    mesh_readings *file = &diff->files[diff->file_count];
    *file = (mesh_readings){.path = path};
    graze_error error;
    graze_status status = graze_mesh_report_create(&file->facts, path, &input->limits, &error);
    if (status != GRAZE_OK && status != GRAZE_ERROR_UNSUPPORTED)
        return gz_message_error("info", &error);
    diff->file_count++;
    int done = file->facts != NULL ? read_twice(file, input) : GZ_EXIT_FINE;
    diff->misread += file->facts != NULL && !file->same;
    return done;
}

/// Measures mesh `index` of a kind; GZ_EXIT_FINE also where it is no mesh, which is not counted.
static int take(loader_diff *diff, const gz_robot_input *input, bool visual, size_t index) {
    placed_mesh *m = &diff->meshes[diff->count];
    *m = (placed_mesh){.visual = visual};
    for (int p = 0; p < PROFILES; p++) {
        m->geometry[p] = visual ? gz_visual_at(diff->robots[p], index)
                                : gz_collision_at(diff->robots[p], index);
        if (m->geometry[p].shape != GRAZE_SHAPE_MESH || m->geometry[p].vertex_count == 0)
            return GZ_EXIT_FINE;
        m->box[p] = box_of(&m->geometry[p]);
    }
    bool differs = false;
    for (int p = 1; p < PROFILES; p++) {
        m->moved[p] = farthest(m, p);
        differs |= m->moved[p] > 0;
    }
    graze_error error;
    if (m->geometry[0].mesh != NULL &&
        graze_mesh_solids(m->geometry[0].mesh, &m->solid, NULL, 0, &error) != GRAZE_OK)
        return gz_message_error("info", &error);
    GZ_TRY_EXIT(find_file(diff, input, m));
    diff->count++;
    diff->differing += differs;
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------------------- loading

static int load_all(loader_diff *diff, gz_robot_input *input, bool visuals) {
    int wanted = input->collada, status = GZ_EXIT_FINE;
    bool quiet = input->quiet;
    for (int p = 0; p < PROFILES && status == GZ_EXIT_FINE; p++) {
        input->collada = p;
        // What there is to warn of is told once.
        input->quiet = quiet || p > 0;
        status = gz_robot_input_load(input, visuals ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_SKIP);
        diff->robots[p] = input->robot;
        input->robot = NULL;
    }
    input->collada = wanted;
    input->quiet = quiet;
    return status;
}

/// Loads ROBOT once for each profile and compares. Returns an exit status; release in any case.
static int make(loader_diff *diff, gz_robot_input *input, bool visuals) {
    *diff = (loader_diff){0};
    GZ_TRY_EXIT(load_all(diff, input, visuals));
    size_t collisions = graze_robot_collision_count(diff->robots[0]);
    size_t shown = visuals ? graze_robot_visual_count(diff->robots[0]) : 0;
    diff->meshes = gz_malloc(collisions + shown, sizeof *diff->meshes);
    if (diff->meshes == NULL) return gz_message_no_memory();
    for (size_t i = 0; i < collisions; i++) GZ_TRY_EXIT(take(diff, input, false, i));
    for (size_t i = 0; i < shown; i++) GZ_TRY_EXIT(take(diff, input, true, i));
    return GZ_EXIT_FINE;
}

static void release(loader_diff *diff) {
    for (size_t i = 0; i < diff->file_count; i++) graze_mesh_report_free(diff->files[i].facts);
    for (int p = 0; p < PROFILES; p++) graze_robot_free(diff->robots[p]);
    gz_free(diff->files);
    gz_free(diff->meshes);
    *diff = (loader_diff){0};
}

static const char *link_of(const loader_diff *diff, const placed_mesh *m) {
    return graze_robot_link_name(diff->robots[0], m->geometry[0].owner);
}

static const char *frame_of(const loader_diff *diff, const placed_mesh *m) {
    return graze_robot_link_name(diff->robots[0], m->geometry[0].frame);
}

// ------------------------------------------------------------------------------------------- text

static void print_node(FILE *stream, const graze_mesh_node *node) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    bool moves = false;
    for (int i = 0; i < 12; i++) moves |= node->transform[i] != identity[i];
    fprintf(stream, "  node %s", node->name[0] != '\0' ? GZ_PLAIN(node->name) : "(no name)");
    if (node->geometry_count > 1) fprintf(stream, ", %zu geometries", node->geometry_count);
    if (!node->known) fputs(": turned by <lookat> or <skew>", stream);
    if (node->known && !moves) fputs(": where it is", stream);
    for (int i = 0; node->known && moves && i < 12; i++)
        fprintf(stream, "%s%.6g", i == 0 ? ": [" : i % 4 == 0 ? "; " : " ", node->transform[i]);
    fputs(node->known && moves ? "]\n" : "\n", stream);
}

/// What assimp reads of the file, too.
static void print_readings(FILE *stream, const mesh_readings *file) {
    if (file->error[0] != '\0')
        fprintf(stream, "  assimp: not compared: %s\n", GZ_PLAIN(file->error));
    else if (file->same)
        fputs("  assimp: the same, in single precision\n", stream);
    else
        fprintf(stream,
                "  assimp: %zu triangles, vertices up to %.4g m, bounds up to %.4g m apart\n",
                file->triangles[1], file->apart, file->bounds_apart);
}

static void print_facts(FILE *stream, const mesh_readings *readings) {
    const graze_mesh_report *file = readings->facts;
    if (file == NULL) {
        fprintf(stream, "  file %s: read by assimp alone; ", GZ_PLAIN(readings->path));
        return;
    }
    fprintf(stream, "  file %s: %s, %" PRIu64 " bytes, hash %016" PRIx64 "\n",
            GZ_PLAIN(readings->path), file->format, file->bytes, file->hash);
    if (file->unit > 0)
        fprintf(stream, "  unit %g m, %c up; ", file->unit, file->up);
    else
        fputs("  no unit, no up axis; ", stream);
}

static void print_file(FILE *stream, const loader_diff *diff, const placed_mesh *m) {
    const mesh_readings *file = &diff->files[m->file];
    const graze_geometry *g = &m->geometry[0];
    print_facts(stream, file);
    fprintf(stream, "scale %g %g %g\n", g->scale[0], g->scale[1], g->scale[2]);
    fprintf(stream,
            "  triangles %zu, %zu without area; vertices %zu, welded %zu; components %zu, %zu "
            "closed\n",
            g->file_triangle_count, g->degenerate_count, m->solid.given_vertex_count,
            g->vertex_count, g->component_count, g->closed_count);
    for (size_t i = 0; file->facts != NULL && i < file->facts->node_count; i++)
        print_node(stream, &file->facts->nodes[i]);
    if (file->facts != NULL) print_readings(stream, file);
}

static void print_mesh(FILE *stream, const loader_diff *diff, const placed_mesh *m) {
    fprintf(stream, "%s, %s %d\n", GZ_PLAIN(link_of(diff, m)), m->visual ? "visual" : "collision",
            (int)m->geometry[0].element);
    print_file(stream, diff, m);
    bool same = m->moved[1] == 0 && m->moved[2] == 0;
    char low[GZ_VECTOR_SIZE], high[GZ_VECTOR_SIZE];
    for (int p = 0; p < (same ? 1 : PROFILES); p++) {
        fprintf(stream, "  %-6s box ", same ? "every" : profile_names[p]);
        fprintf(stream, "%s to %s m of %s", gz_vector_format(low, m->box[p].min),
                gz_vector_format(high, m->box[p].max), GZ_PLAIN(frame_of(diff, m)));
        if (p > 0 && m->moved[p] > 0) fprintf(stream, ": up to %.4g m from ros", m->moved[p]);
        if (p > 0 && m->moved[p] == 0) fputs(": as ros", stream);
        fputc('\n', stream);
    }
}

static void write_text(FILE *stream, const loader_diff *diff) {
    for (size_t i = 0; i < diff->count; i++) print_mesh(stream, diff, &diff->meshes[i]);
    fprintf(stream, "%zu of %zu meshes lie elsewhere in another profile\n", diff->differing,
            diff->count);
    fprintf(stream, "%zu of %zu files are not read alike by assimp\n", diff->misread,
            diff->file_count);
}

// ------------------------------------------------------------------------------------------- JSON

static void write_nodes(gz_json *json, const graze_mesh_report *file) {
    gz_json_put(json, "nodes=[");
    for (size_t i = 0; file != NULL && i < file->node_count; i++) {
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

static void write_facts(gz_json *json, const graze_mesh_report *file) {
    gz_json_put(json, "format=%s", file != NULL ? file->format : "assimp");
    if (file != NULL) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, file->hash);
        gz_json_put(json, "bytes=%" PRIu64 " hash=%s", file->bytes, hash);
    }
    if (file != NULL && file->unit > 0) {
        const char up[2] = {file->up, '\0'};
        gz_json_put(json, "unit=%g up=%s", file->unit, up);
    } else {
        gz_json_put(json, "unit=null up=null");
    }
}

static void write_readings(gz_json *json, const mesh_readings *file) {
    if (file->facts == NULL) return;
    if (file->error[0] != '\0')
        gz_json_put(json, "assimp={ error=%s }", file->error);
    else
        gz_json_put(json, "assimp={ same=%i triangles=%zu moved=%g bounds_moved=%g }", file->same,
                    file->triangles[1], file->apart, file->bounds_apart);
}

static void write_file(gz_json *json, const loader_diff *diff, const placed_mesh *m) {
    const mesh_readings *file = &diff->files[m->file];
    const graze_geometry *g = &m->geometry[0];
    gz_json_put(json, "file=%s uri=%s", g->file, g->uri);
    write_facts(json, file->facts);
    gz_json_numbers(json, "scale", g->scale, 3);
    gz_json_put(json,
                "triangles=%zu degenerate=%zu vertices=%zu welded_vertices=%zu components=%zu "
                "closed=%zu",
                g->file_triangle_count, g->degenerate_count, m->solid.given_vertex_count,
                g->vertex_count, g->component_count, g->closed_count);
    write_nodes(json, file->facts);
    write_readings(json, file);
}

static void write_mesh(gz_json *json, const loader_diff *diff, const placed_mesh *m) {
    gz_json_put(json, "{ link=%s kind=%s element=%d", link_of(diff, m),
                m->visual ? "visual" : "collision", m->geometry[0].element);
    write_file(json, diff, m);
    gz_json_put(json, "frame=%s profiles={", frame_of(diff, m));
    for (int p = 0; p < PROFILES; p++) {
        gz_json_key(json, profile_names[p]);
        gz_json_put(json, "{");
        gz_json_vector(json, "min", m->box[p].min);
        gz_json_vector(json, "max", m->box[p].max);
        gz_json_put(json, "moved=%g }", m->moved[p]);
    }
    gz_json_put(json, "} }");
}

static void write_json(FILE *stream, const loader_diff *diff) {
    gz_json json = gz_json_begin(stream, "graze-loader-diff-1");
    gz_json_put(&json, "robot=%s differing=%zu misread=%zu meshes=[",
                graze_robot_name(diff->robots[0]), diff->differing, diff->misread);
    gz_json_gap(&json, "\n ");
    for (size_t i = 0; i < diff->count; i++) write_mesh(&json, diff, &diff->meshes[i]);
    gz_json_finish(&json);
}

int gz_loader_diff_write(gz_robot_input *input, const char *path, bool visuals, bool as_json) {
    loader_diff diff;
    gz_output output;
    int status = make(&diff, input, visuals);
    if (status == GZ_EXIT_FINE) {
        if (gz_output_open(&output, path) == GZ_EXIT_FINE)
            (as_json ? write_json : write_text)(output.stream, &diff);
        status = gz_output_finish(&output);
    }
    release(&diff);
    return status;
}
