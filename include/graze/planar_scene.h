/// @file planar_scene.h
/// Scenes of convex polygons with any number of vertices: made at random, stored, read; and which
/// of them meet, decided exactly.
///
/// Metres. Coordinates are 0 or of magnitude 2^-100 to 2^100. Polygons are closed sets: those that
/// touch meet. Each is counter-clockwise, every three neighbours turning strictly left, once
/// around; or a segment (two different points), or a point.
#ifndef GRAZE_PLANAR_SCENE_H
#define GRAZE_PLANAR_SCENE_H

#include "planar_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most vertices of a polygon of a scene, and most polygons.
#define GRAZE_PLANAR_SCENE_VERTEX_MAX  1000
#define GRAZE_PLANAR_SCENE_POLYGON_MAX 100000

// ------------------------------------------------------------------------------------------ scenes

/// Polygons in a square map from (0, 0) to (size, size); they may overlap. Immutable: shared freely
/// by threads. Free with graze_planar_scene_free().
typedef struct graze_planar_scene graze_planar_scene;

/// Obtain from graze_planar_scene_options_default(), then change fields.
typedef struct graze_planar_scene_options {
    uint32_t struct_size;
    uint32_t count;                  ///< polygons, 1 to GRAZE_PLANAR_SCENE_POLYGON_MAX; default 10
    uint32_t vertex_min, vertex_max; ///< of each polygon, 3 to GRAZE_PLANAR_SCENE_VERTEX_MAX;
                                     ///< default 4 to 6
    double radius_min, radius_max;   ///< distance of a polygon's vertices from its middle, metres,
                                     ///< 0 < min <= max <= size / 2; default 0.4 to 0.5
    double size;                     ///< edge of the map, metres, 2^-50 to 2^50; default 2
    uint64_t seed;                   ///< default 1
} graze_planar_scene_options;

/// Writes the defaults of graze_planar_scene_options into a structure of `size` bytes, the caller's
/// size of it: what graze_planar_scene_options_default() calls, so that programs compiled against a
/// shorter one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_scene_options_init(graze_planar_scene_options *options, size_t size);

/// The default options of a random scene. Any thread. Allocates nothing. Cost: constant.
static inline graze_planar_scene_options graze_planar_scene_options_default(void) {
    graze_planar_scene_options options;
    graze_planar_scene_options_init(&options, sizeof options);
    return options;
}

/// Makes a scene at random. Each polygon has a number of vertices and a middle drawn uniformly, the
/// middle at least radius_max inside the map; points are drawn about it in uniform directions, at
/// uniform distances from radius_min to radius_max, until their convex hull has that many corners.
/// @param scene   [out] NULL on failure
/// @param options NULL: the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE; GRAZE_ERROR_LIMIT (no such hull among
///         20,000 points: many vertices need radii that differ less); GRAZE_ERROR_NO_MEMORY.
/// The same options give the same bits on every machine. Any thread.
/// Free with graze_planar_scene_free(). Allocates. Cost: O(vertices), and the draws.
GRAZE_API graze_status graze_planar_scene_generate(graze_planar_scene **scene,
                                                   const graze_planar_scene_options *options,
                                                   graze_error *error);

/// Makes a scene of given polygons; everything is copied.
/// @param size     edge of the map, as above; polygons may reach out of it
/// @param vertices those of the first polygon, of the second ...
/// @param counts   polygon_count numbers of vertices
/// @param polygon_count 0 is allowed
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE (a coordinate); GRAZE_ERROR_SCHEMA
///         (clockwise, not strictly convex; the message names the vertex, `element` the polygon:
///         polygons[3]); GRAZE_ERROR_LIMIT; GRAZE_ERROR_NO_MEMORY.
/// Free with graze_planar_scene_free(). Any thread. Allocates. Cost: O(vertices).
GRAZE_API graze_status graze_planar_scene_create(graze_planar_scene **scene, double size,
                                                 const graze_vec2 *vertices, const int32_t *counts,
                                                 size_t polygon_count, graze_error *error);

/// All pairs of polygons that meet, first < second, by increasing first and second number: sweep
/// and prune along x, then separating axes (Gottschalk, Lin and Manocha 1996, in the plane), the
/// lines of all edges. Exact: signs that doubles leave open are decided by expansions.
/// @param pairs    [out] the first `capacity` of them; NULL for a capacity of 0
/// @param count    [out] how many there are; 0 on failure
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_NO_MEMORY. Any thread. Allocates.
/// Cost: n log n, pairs whose boxes overlap along x, and edges of those that do along both.
/// Source: Baraff, "Dynamic simulation of non-penetrating rigid bodies" (1992), section 2.3.
GRAZE_API graze_status graze_planar_scene_pairs(const graze_planar_scene *scene, size_t (*pairs)[2],
                                                size_t capacity, size_t *count, graze_error *error);

/// Reads a scene of JSON, strictly:
/// {"format": "graze-planar-scene-1", "size": 2, "polygons": [{"vertices": [[0, 0], [1, 0], ...]}]}
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _SCHEMA (other keys too), _RANGE, _LIMIT,
///         _NO_MEMORY, with line, column and element. The default limits of graze_limits hold.
/// Free with graze_planar_scene_free(). Any thread. Allocates. Cost: linear in the file.
GRAZE_API graze_status graze_planar_scene_load(graze_planar_scene **scene, const char *path,
                                               graze_error *error);

/// Reads a scene from the text of its JSON.
/// @param scene [out] NULL on failure; free with graze_planar_scene_free()
/// @param text not necessarily NUL-terminated
/// @param size bytes
/// @param name what errors call it
/// @return as graze_planar_scene_load()
/// Any thread. Allocates. Cost: linear in the text.
GRAZE_API graze_status graze_planar_scene_load_memory(graze_planar_scene **scene, const char *text,
                                                      size_t size, const char *name,
                                                      graze_error *error);

/// Writes the scene as JSON that reads back as the same scene, bit for bit, in every locale: at
/// most `size` bytes of it with a NUL behind (snprintf's rule). @return the bytes of all of it,
/// without NUL
/// Any thread. Allocates nothing. Cost: O(vertices).
GRAZE_API size_t graze_planar_scene_text(const graze_planar_scene *scene, char *buffer,
                                         size_t size);

/// Frees a scene; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_scene_free(graze_planar_scene *scene);

/// The edge of the map, metres; 0 for NULL. Any thread. Allocates nothing. Cost: constant.
GRAZE_API double graze_planar_scene_size(const graze_planar_scene *scene);

/// The number of polygons of a scene; 0 for NULL. Any thread. Allocates nothing. Cost: constant.
GRAZE_API size_t graze_planar_scene_count(const graze_planar_scene *scene);

/// The vertices of a polygon of a scene, living as long as it; NULL where there is none.
/// @param count [out] how many; NULL: not wanted
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API const graze_vec2 *graze_planar_scene_polygon(const graze_planar_scene *scene,
                                                       size_t index, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
