/// Triangles as a file gives them: what the loaders hand to the rest of the house.
#ifndef GZ_MESH_SOUP_H
#define GZ_MESH_SOUP_H

#include <stddef.h>
#include <stdint.h>

/// Unwelded (or partly welded) triangles, in the file's own order. Owned: free with gz_soup_free().
typedef struct gz_soup {
    double *vertices;                     ///< x y z each
    size_t vertex_count, vertex_capacity; ///< capacities in vertices and triangles
    uint32_t *triangles;                  ///< three vertex indices each, all below vertex_count
    size_t triangle_count, triangle_capacity;
    size_t skipped; ///< faces of one or two corners in the file, left out
} gz_soup;

/// An empty soup, or NULL when out of memory.
gz_soup *gz_soup_create(void);
/// Frees; NULL is allowed.
void gz_soup_free(gz_soup *soup);
/// Makes room for so many more; 0 when out of memory (nothing changed), else 1.
int gz_soup_reserve(gz_soup *soup, size_t more_vertices, size_t more_triangles);

#endif
