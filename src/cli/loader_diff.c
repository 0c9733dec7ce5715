#include "cli/loader_diff.h"

#include <math.h>
#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

const char *gz_profile_name(int profile) {
    static const char *const names[GZ_PROFILES] = {"ros", "spec", "moveit"};
    return names[profile];
}

// -------------------------------------------------------------------------------------- measuring

static graze_aabb box_of(const graze_geometry *g) {
    graze_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < g->vertex_count; i++) {
        const double *v = g->vertices + 3 * i;
        box.min = (graze_vec3){fmin(box.min.x, v[0]), fmin(box.min.y, v[1]), fmin(box.min.z, v[2])};
        box.max = (graze_vec3){fmax(box.max.x, v[0]), fmax(box.max.y, v[1]), fmax(box.max.z, v[2])};
    }
    return box;
}

static double distance(const double *a, const double *b) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/// Vertices come in the order of the file; where the profiles weld them differently their boxes are
/// compared.
static double farthest(const gz_placed_mesh *m, int profile) {
    const graze_geometry *a = &m->geometry[0], *b = &m->geometry[profile];
    double most = 0;
    if (a->vertex_count == b->vertex_count) {
        for (size_t i = 0; i < a->vertex_count; i++)
            most = fmax(most, distance(a->vertices + 3 * i, b->vertices + 3 * i));
        return most;
    }
    const graze_aabb *x = &m->box[0], *y = &m->box[profile];
    const double ends[4][3] = {{x->min.x, x->min.y, x->min.z},
                               {y->min.x, y->min.y, y->min.z},
                               {x->max.x, x->max.y, x->max.z},
                               {y->max.x, y->max.y, y->max.z}};
    return fmax(distance(ends[0], ends[1]), distance(ends[2], ends[3]));
}

/// The facts of a file, read once however many links use it.
static int find_file(gz_loader_diff *diff, const gz_robot_input *input, gz_placed_mesh *m,
                     const gz_placed_mesh *before, size_t before_count) {
    const char *path = m->geometry[0].file;
    for (size_t i = 0; i < before_count; i++)
        if (strcmp(before[i].geometry[0].file, path) == 0) m->file = before[i].file;
    if (m->file != NULL) return GZ_EXIT_FINE;
    if (!gz_storage_reserve((void **)&diff->files, &diff->file_capacity, diff->file_count + 1,
                            sizeof *diff->files))
        return gz_message_no_memory();
    graze_limits limits = {.file_bytes = input->max_bytes,
                           .memory_bytes = input->max_memory,
                           .depth = (uint32_t)input->max_depth,
                           .elements = (uint32_t)input->max_elements,
                           .triangles = input->max_triangles};
    graze_error error;
    graze_mesh_report *report = NULL;
    if (graze_mesh_report_create(&report, path, &limits, &error) != GRAZE_OK)
        return gz_message_error("info", &error);
    diff->files[diff->file_count++] = report;
    m->file = report;
    return GZ_EXIT_FINE;
}

/// Measures mesh `index` of a kind; GZ_EXIT_FINE also where it is no mesh, which is not counted.
static int take(gz_loader_diff *diff, const gz_robot_input *input, bool visual, size_t index) {
    gz_placed_mesh *m = &diff->meshes[diff->count];
    *m = (gz_placed_mesh){.visual = visual};
    for (int p = 0; p < GZ_PROFILES; p++) {
        graze_status status = visual
                                  ? graze_robot_visual(diff->robots[p], index, &m->geometry[p])
                                  : graze_robot_collision(diff->robots[p], index, &m->geometry[p]);
        if (status != GRAZE_OK || m->geometry[p].shape != GRAZE_SHAPE_MESH ||
            m->geometry[p].vertex_count == 0)
            return GZ_EXIT_FINE;
        m->box[p] = box_of(&m->geometry[p]);
    }
    bool differs = false;
    for (int p = 1; p < GZ_PROFILES; p++) {
        m->moved[p] = farthest(m, p);
        differs |= m->moved[p] > 0;
    }
    graze_error error;
    if (m->geometry[0].mesh != NULL &&
        graze_mesh_solids(m->geometry[0].mesh, &m->solid, NULL, 0, &error) != GRAZE_OK)
        return gz_message_error("info", &error);
    int status = find_file(diff, input, m, diff->meshes, diff->count);
    if (status != GZ_EXIT_FINE) return status;
    diff->count++;
    diff->differing += differs;
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------------------- loading

static int load_all(gz_loader_diff *diff, gz_robot_input *input, const char *path, bool visuals) {
    int wanted = input->collada, status = GZ_EXIT_FINE;
    bool quiet = input->quiet;
    for (int p = 0; p < GZ_PROFILES && status == GZ_EXIT_FINE; p++) {
        input->collada = p;
        // What there is to warn of is told once.
        input->quiet = quiet || p > 0;
        status = gz_robot_input_load(input, path,
                                     visuals ? GRAZE_VISUALS_LOAD : GRAZE_VISUALS_SKIP);
        diff->robots[p] = input->robot;
        input->robot = NULL;
    }
    input->collada = wanted;
    input->quiet = quiet;
    return status;
}

int gz_loader_diff_make(gz_loader_diff *diff, gz_robot_input *input, const char *path,
                        bool visuals) {
    *diff = (gz_loader_diff){0};
    int status = load_all(diff, input, path, visuals);
    if (status != GZ_EXIT_FINE) return status;
    size_t collisions = graze_robot_collision_count(diff->robots[0]);
    size_t shown = visuals ? graze_robot_visual_count(diff->robots[0]) : 0;
    diff->meshes = gz_storage_resize(NULL, collisions + shown, sizeof *diff->meshes);
    if (diff->meshes == NULL) return gz_message_no_memory();
    for (size_t i = 0; i < collisions && status == GZ_EXIT_FINE; i++)
        status = take(diff, input, false, i);
    for (size_t i = 0; i < shown && status == GZ_EXIT_FINE; i++)
        status = take(diff, input, true, i);
    return status;
}

void gz_loader_diff_free(gz_loader_diff *diff) {
    for (size_t i = 0; i < diff->file_count; i++) graze_mesh_report_free(diff->files[i]);
    for (int p = 0; p < GZ_PROFILES; p++) graze_robot_free(diff->robots[p]);
    gz_storage_free(diff->files);
    gz_storage_free(diff->meshes);
    *diff = (gz_loader_diff){0};
}
