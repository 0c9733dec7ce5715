/// Scenes of polygons from bytes: what loads is written and read back as the same, separating axes
/// and Minkowski differences agree on its pairs, and a body finds its way through it or does not.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "graze/planar_cspace.h"
#include "graze/planar_scene.h"

enum { MOST_POLYGONS = 12, CELLS = 8 };

static void check_text(const graze_planar_scene *scene) {
    size_t size = graze_planar_scene_text(scene, NULL, 0), again;
    char *text = malloc(size + 1), *second = malloc(size + 1);
    graze_planar_scene *read;
    graze_error error;
    if (!text || !second) abort();
    FUZZ_CHECK(graze_planar_scene_text(scene, text, size + 1) == size);
    FUZZ_CHECK(!graze_planar_scene_load_memory(&read, text, size, "again.json", &error));
    again = graze_planar_scene_text(read, second, size + 1);
    FUZZ_CHECK(again == size && memcmp(text, second, size) == 0);
    graze_planar_scene_free(read);
    free(text);
    free(second);
}

static void check_pairs(const graze_planar_scene *scene, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) {
            const graze_planar_convex *a = graze_planar_scene_polygon(scene, i);
            const graze_planar_convex *b = graze_planar_scene_polygon(scene, j);
            const graze_vec2 here = {0, 0};
            bool overlap = graze_planar_convex_meet(a, b);
            FUZZ_CHECK(overlap || i != j);
            FUZZ_CHECK(graze_planar_convex_meet(b, a) == overlap);
            FUZZ_CHECK(graze_planar_cspace_blocked(a, b, here) == overlap);
            FUZZ_CHECK(graze_planar_cspace_blocked(b, a, here) == overlap);
        }
}

/// The map says of every cell what each part against each polygon says there.
static void check_map(const graze_planar_scene *scene, const graze_planar_body *body,
                      graze_error *error) {
    double size = graze_planar_scene_size(scene);
    graze_planar_grid grid = {{0, 0}, {size, size}, CELLS, CELLS};
    uint8_t cells[CELLS * CELLS];
    graze_status status = graze_planar_cspace_map(scene, body, &grid, true, cells, NULL, error);
    if (status) {
        fuzz_exercise_error(status, error);
        return;
    }
    for (int32_t cell = 0; cell < CELLS * CELLS; cell++) {
        graze_vec2 at = graze_planar_grid_middle(&grid, cell % CELLS, cell / CELLS);
        bool blocked = false;
        for (size_t i = 0; i < graze_planar_scene_count(scene); i++)
            for (size_t k = 0; k < graze_planar_body_part_count(body); k++)
                blocked |= graze_planar_cspace_blocked(graze_planar_scene_polygon(scene, i),
                                                       graze_planar_body_part(body, k), at);
        FUZZ_CHECK((cells[cell] >= GRAZE_PLANAR_CELL_BLOCKED) == blocked);
    }
}

static void check_drive(const graze_planar_scene *scene, const graze_planar_body *body,
                        graze_error *error) {
    double size = graze_planar_scene_size(scene);
    graze_planar_pose start = {size / 16, size / 16, 0}, goal = {size / 2, size / 2, 1};
    graze_planar_drive_options options = graze_planar_drive_options_default();
    options.cells = CELLS;
    options.resolution = size / 256;
    graze_planar_drive drive;
    graze_status status = graze_planar_drive_plan(scene, body, &start, &goal, &options, &drive,
                                                  error);
    if (status) {
        fuzz_exercise_error(status, error);
        return;
    }
    FUZZ_CHECK((drive.outcome == GRAZE_PLANAR_DRIVE_FOUND) == (drive.poses != NULL));
    for (size_t i = 0; i + 1 < drive.pose_count; i++) {
        graze_planar_leg verdict;
        FUZZ_CHECK(!graze_planar_leg_judge(scene, 1, body, &drive.poses[i], &drive.poses[i + 1],
                                           options.resolution, &verdict, error));
        FUZZ_CHECK(verdict == GRAZE_PLANAR_LEG_FREE);
    }
    graze_planar_drive_free(&drive);
}

/// An L, a thirtieth of the map.
static void check_body(const graze_planar_scene *scene) {
    double s = graze_planar_scene_size(scene) / 60;
    const double corners[] = {0, 0, 2 * s, 0, 2 * s, s, s, s, s, 2 * s, 0, 2 * s};
    const size_t count = 6;
    graze_planar_body *body;
    graze_error error;
    graze_status status = graze_planar_body_create(&body, corners, &count, 1, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        return;
    }
    check_map(scene, body, &error);
    check_drive(scene, body, &error);
    graze_planar_body_free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    graze_planar_scene *scene;
    graze_error error;
    graze_status status = graze_planar_scene_load_memory(&scene, (const char *)data, size,
                                                         "fuzz.json", &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        FUZZ_CHECK(scene == NULL);
        return 0;
    }
    size_t count = graze_planar_scene_count(scene);
    check_text(scene);
    check_pairs(scene, count < MOST_POLYGONS ? count : MOST_POLYGONS);
    if (count <= MOST_POLYGONS) check_body(scene);
    graze_planar_scene_free(scene);
    return 0;
}
