/// Scenes of polygons from bytes: what loads is written and read back as the same, separating axes
/// and Minkowski differences agree on its pairs, and a body finds its way through it or does not.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "graze/planar_arm.h"
#include "planar/convex/convex_internal.h"

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
            const gz_convex *a = gz_scene_polygon(scene, i);
            const gz_convex *b = gz_scene_polygon(scene, j);
            const graze_vec2 here = {0, 0};
            bool overlap = gz_convex_overlap(a, b);
            FUZZ_CHECK(overlap || i != j);
            FUZZ_CHECK(gz_convex_overlap(b, a) == overlap);
            FUZZ_CHECK(gz_cspace_blocked(a, b, here) == overlap);
            FUZZ_CHECK(gz_cspace_blocked(b, a, here) == overlap);
        }
}

/// A body of two parts, and what it is among: the polygons with few enough vertices.
typedef struct body_case {
    graze_planar_parts parts;
    graze_planar_shape obstacles[MOST_POLYGONS];
    size_t obstacle_count;
    graze_planar_arm_scene scene;
} body_case;

/// The map says of every cell what each part against each polygon says there.
static void check_map(const graze_planar_scene *scene, const body_case *body, graze_error *error) {
    double size = graze_planar_scene_size(scene);
    graze_cspace_cell cells[CELLS * CELLS];
    graze_cspace map = graze_cspace_default();
    map.width = map.height = CELLS;
    map.ranges[0][0] = map.ranges[1][0] = 0;
    map.ranges[0][1] = map.ranges[1][1] = size;
    map.certified = 1;
    map.cells = cells;
    gz_convex parts[MOST_POLYGONS];
    graze_vec2 corners[MOST_POLYGONS][GRAZE_PLANAR_VERTEX_MAX];
    const graze_planar_parts *p = &body->parts;
    graze_status status = graze_planar_cspace_map(scene, p->items, p->count, &map, error);
    if (status) {
        fuzz_exercise_error(status, error);
        return;
    }
    for (size_t k = 0; k < p->count; k++) {
        for (int32_t i = 0; i < p->items[k].count; i++)
            corners[k][i] = (graze_vec2){p->items[k].vertices[i].x, p->items[k].vertices[i].y};
        FUZZ_CHECK(!gz_convex_make(&parts[k], corners[k], p->items[k].count, NULL));
    }
    for (uint32_t cell = 0; cell < CELLS * CELLS; cell++) {
        graze_vec2 at = graze_planar_map_middle(&map, cell % CELLS, cell / CELLS);
        bool blocked = false;
        for (size_t i = 0; i < graze_planar_scene_count(scene); i++)
            for (size_t k = 0; k < p->count; k++)
                blocked |= gz_cspace_blocked(gz_scene_polygon(scene, i), &parts[k], at);
        FUZZ_CHECK((cells[cell].state >= GRAZE_CSPACE_COLLIDING) == blocked);
    }
}

static void check_drive(double size, const body_case *body, graze_error *error) {
    graze_planar_pose start = {size / 16, size / 16, 0}, goal = {size / 2, size / 2, 1};
    graze_planar_drive_options options = graze_planar_drive_options_default();
    options.cells = CELLS;
    options.size = size;
    options.resolution = size / 256;
    graze_planar_path path;
    graze_status status = graze_planar_drive_plan(&body->scene, &start, &goal, &options, &path,
                                                  error);
    if (status) {
        fuzz_exercise_error(status, error);
        return;
    }
    FUZZ_CHECK((path.outcome == GRAZE_PLANAR_PATH_FOUND) == (path.poses != NULL));
    for (size_t i = 0; i + 1 < path.pose_count; i++) {
        graze_planar_leg verdict;
        FUZZ_CHECK(!graze_planar_arm_motion(&body->scene, &path.poses[i].x, &path.poses[i + 1].x,
                                            options.resolution, &verdict, error));
        FUZZ_CHECK(verdict == GRAZE_PLANAR_LEG_FREE);
    }
    graze_planar_path_free(&path);
}

/// An L, a thirtieth of the map.
static void check_body(const graze_planar_scene *scene) {
    static const double lengths[1] = {0};
    static const int32_t links[MOST_POLYGONS];
    double size = graze_planar_scene_size(scene), s = size / 60;
    const double corners[] = {0, 0, 2 * s, 0, 2 * s, s, s, s, s, 2 * s, 0, 2 * s};
    const size_t count = 6;
    body_case body = {.obstacle_count = 0};
    graze_error error;
    graze_status status = graze_planar_decompose(&body.parts, corners, &count, 1, 0, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        return;
    }
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        size_t n;
        const graze_vec2 *v = graze_planar_scene_polygon(scene, i, &n);
        body.obstacle_count += !graze_planar_polygon(&body.obstacles[body.obstacle_count], &v->x, n,
                                                     0, NULL);
    }
    body.scene = (graze_planar_arm_scene){{{0, 0}, lengths, 1},
                                          body.parts.items,
                                          links,
                                          body.parts.count,
                                          body.obstacles,
                                          body.obstacle_count,
                                          false,
                                          true,
                                          size};
    check_map(scene, &body, &error);
    check_drive(size, &body, &error);
    graze_planar_parts_free(&body.parts);
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
