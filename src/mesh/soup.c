// A triangle soup's memory. A file of its own: the importer program compiles it, too.

#include "base/memory.h"
#include "mesh/mesh.h"

gz_soup *gz_soup_create(void) {
    return gz_calloc(1, sizeof(gz_soup));
}

void gz_soup_free(gz_soup *soup) {
    if (!soup) return;
    gz_free(soup->vertices);
    gz_free(soup->triangles);
    gz_free(soup);
}

int gz_soup_reserve(gz_soup *soup, size_t more_vertices, size_t more_triangles) {
    size_t vertices, triangles;
    if (__builtin_add_overflow(soup->vertex_count, more_vertices, &vertices) ||
        __builtin_add_overflow(soup->triangle_count, more_triangles, &triangles))
        return 0;
    return gz_array_reserve((void **)&soup->vertices, &soup->vertex_capacity, vertices,
                            3 * sizeof(double)) &&
           gz_array_reserve((void **)&soup->triangles, &soup->triangle_capacity, triangles,
                            3 * sizeof(uint32_t));
}
