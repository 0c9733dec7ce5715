// A planar arm with links of some width among obstacles: its configuration space, proved cell by
// cell, and a path that is proved free.
//   planar_reach
#include <stdio.h>
#include <stdlib.h>

#include <graze/planar.h>

enum { SIDE = 256 };

int main(void) {
    static const double lengths[2] = {1, 0.8};
    static const int32_t link_of[2] = {0, 1};
    static const double table[8] = {0.3, -1.6, 1.2, -1.5, 1.1, -1.1, 0.4, -1.1};
    graze_planar_shape links[2], obstacles[3];
    graze_transform2 shelf = graze_transform2_make(-1.2, 0.9, 0.3);
    graze_error error;
    for (int i = 0; i < 2; i++)
        graze_planar_capsule(&links[i], (graze_vec2){0, 0}, (graze_vec2){lengths[i], 0}, 0.06,
                             NULL);
    if (graze_planar_circle(&obstacles[0], (graze_vec2){0.9, 1.1}, 0.25, &error) ||
        graze_planar_rectangle(&obstacles[1], &shelf, (graze_vec2){0.2, 0.4}, 0.05, &error) ||
        graze_planar_polygon(&obstacles[2], table, 4, 0, &error))
        return fprintf(stderr, "%s\n", error.message), 3;
    graze_planar_arm_scene scene = {
        {{0, 0}, lengths, 2}, links, link_of, 2, obstacles, 3, false, false, 0};

    graze_cspace map = graze_cspace_default();
    map.width = map.height = SIDE;
    map.ranges[0][0] = map.ranges[1][0] = -3.14;
    map.ranges[0][1] = map.ranges[1][1] = 3.14;
    map.certified = 1;
    map.cells = malloc(SIDE * SIDE * sizeof *map.cells);
    graze_planar_path path;
    graze_vec2 start = {-1.9, -0.5}, goal = {1.45, 1};
    if (!map.cells || graze_planar_arm_map(&scene, &map, &error) ||
        graze_planar_arm_plan(&scene, &map, start, goal, &path, &error))
        return fprintf(stderr, "%s\n", map.cells ? error.message : "out of memory"), 3;
    size_t count[4] = {0};
    for (int i = 0; i < SIDE * SIDE; i++) count[map.cells[i].state & 3]++;
    printf("%zu cells proved free, %zu proved to collide, %zu on the border\n", count[1], count[3],
           count[0] + count[2]);
    for (size_t i = 0; i < path.pose_count; i++)
        printf("  %.3f %.3f rad\n", path.poses[i].x, path.poses[i].y);
    int found = path.outcome == GRAZE_PLANAR_PATH_FOUND;
    printf("%s\n", found ? "every motion proved free" : "no path");
    graze_planar_path_free(&path);
    free(map.cells);
    return found ? 0 : 1;
}
