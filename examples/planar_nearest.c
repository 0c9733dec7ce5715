// Distance and time of contact of two shapes in the plane, one of them concave.
//   planar_nearest
#include <math.h>
#include <stdio.h>

#include <graze/planar.h>

int main(void) {
    // A fork, 3 m high, in convex parts; the corners are rounded by 5 cm.
    static const double fork[] = {0, 0, 3, 0, 3, 0.5, 0.5, 0.5, 0.5, 2.5, 3, 2.5, 3, 3, 0, 3};
    const size_t corners = 8;
    graze_error error;
    graze_planar_parts parts;
    graze_planar_shape pallet;
    graze_transform2 pose = graze_transform2_make(5, 1.5, 0.2);
    if (graze_planar_decompose(&parts, fork, &corners, 1, 0.05, &error) ||
        graze_planar_rectangle(&pallet, &pose, (graze_vec2){0.6, 0.4}, 0, &error))
        return fprintf(stderr, "%s\n", error.message), 3;

    // The nearest two parts are the nearest points of the whole; likewise the first to touch.
    graze_planar_result near = {.distance = INFINITY}, r;
    graze_planar_approach_result first = {.time = INFINITY}, a;
    graze_vec2 still = {0, 0}, velocity = {-0.8, 0.1};
    for (size_t i = 0; i < parts.count; i++) {
        if (!graze_planar_distance(&parts.items[i], &pallet, &r) && r.distance < near.distance)
            near = r;
        if (!graze_planar_approach(&parts.items[i], still, &pallet, velocity, 20, &a) && a.hit &&
            a.time < first.time)
            first = a;
    }
    printf("%zu parts, %.4f m apart, from (%.3f, %.3f) to (%.3f, %.3f)\n", parts.count,
           near.distance, near.point_a.x, near.point_a.y, near.point_b.x, near.point_b.y);
    printf("touching after %.4f s at (%.3f, %.3f)\n", first.time, first.point_a.x, first.point_a.y);
    graze_planar_parts_free(&parts);
    return 0;
}
