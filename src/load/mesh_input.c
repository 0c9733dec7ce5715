#include "load/mesh/mesh_input.h"

#include <inttypes.h>

graze_status gz_mesh_fail_range(const gz_mesh_input *input, int32_t line, const char *what,
                                const double from[3], graze_error *error) {
    double to[3];
    gz_mesh_scale(input, from, to);
    int bad = 0;
    while (bad < 2 && fabs(to[bad]) <= GZ_COORDINATE_MAX) bad++;
    gz_place place = gz_mesh_place(input, line);
    if (isnan(from[bad]))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                          "%s: %c is not a number; allowed: finite coordinates", what, "xyz"[bad]);
    if (isinf(from[bad]))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                          "%s: %c is infinite; allowed: finite coordinates", what, "xyz"[bad]);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                      "%s: %c is %g m; allowed: -1048576 to 1048576 m", what, "xyz"[bad], to[bad]);
}

uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles) {
    return vertices * 3 * sizeof(double) + triangles * 3 * sizeof(uint32_t);
}

graze_status gz_mesh_check_memory(const gz_mesh_input *input, uint64_t bytes, const char *what,
                                  graze_error *error) {
    if (bytes <= input->budget->memory_left) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_LIMIT, gz_mesh_place(input, 0),
                      "%s takes about %" PRIu64 " bytes, %" PRIu64 " are left; allowed: "
                      "memory_bytes of %" PRIu64 " for one load",
                      what, bytes, input->budget->memory_left, input->options->limits.memory_bytes);
}

graze_status gz_mesh_reserve(const gz_mesh_input *input, gz_soup *soup, size_t more_vertices,
                             size_t more_triangles, graze_error *error) {
    if (more_vertices <= soup->vertex_capacity - soup->vertex_count &&
        more_triangles <= soup->triangle_capacity - soup->triangle_count &&
        more_triangles <= input->budget->triangles_left &&
        soup->triangle_count <= input->budget->triangles_left - more_triangles)
        return GRAZE_OK;

    uint64_t vertices, triangles;
    gz_place place = gz_mesh_place(input, 0);
    if (__builtin_add_overflow(soup->vertex_count, more_vertices, &vertices) ||
        vertices > UINT32_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "more vertices than 32-bit indices can name; allowed: %" PRIu32,
                          UINT32_MAX);
    if (__builtin_add_overflow(soup->triangle_count, more_triangles, &triangles) ||
        triangles > input->budget->triangles_left)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "at least %" PRIu64 " triangles, %" PRIu64 " are left; allowed: "
                          "triangles of %" PRIu64 " for one load, instances counted",
                          triangles, input->budget->triangles_left,
                          input->options->limits.triangles);
    graze_status status = gz_mesh_check_memory(input, gz_mesh_cost(vertices, triangles), "the mesh",
                                               error);
    if (status) return status;
    return gz_soup_reserve(soup, more_vertices, more_triangles) ? GRAZE_OK : gz_fail_memory(error);
}
