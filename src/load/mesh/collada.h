/// Collada: the XML document is checked in full, then read.
///
/// What would be left out is an error that names the element: a broken reference, a count that the
/// data do not keep, geometry in a place where the standard has none. Only what no mesh needs
/// (materials, animations, cameras ...) is passed over, and never looked at.
#ifndef GZ_LOAD_MESH_COLLADA_H
#define GZ_LOAD_MESH_COLLADA_H

#include "load/mesh/affine.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"
#include "load/xml/xml.h"

typedef struct gz_collada_facts {
    double unit; ///< metres per file unit; 1 where the file has none
    char up;     ///< 'x', 'y' or 'z'; 'y' where the file has none, as the standard has it
} gz_collada_facts;

/// An element that others refer to by its id.
typedef struct gz_collada_id {
    const char *id;
    const gz_xml_element *element;
    const gz_xml_element *second; ///< of that id, where it is used twice; or NULL
    uint64_t count;               ///< of arrays: values; of sources: entries; of vertices: entries
    double *values;               ///< of arrays: the numbers, once they were read; owned
    struct gz_collada_id *array;  ///< of sources: which holds the values
    uint64_t offset, stride;      ///< of sources: where entry 0 begins in it, and the others
    size_t first, primitives;     ///< of vertices: which of gz_collada.primitives are of them
} gz_collada_id;

typedef struct gz_collada_ids {
    gz_collada_id *items; ///< sorted by id
    size_t count, capacity;
} gz_collada_ids;

/// Polygons, or strips of triangles, one behind the other.
typedef struct gz_collada_primitive {
    uint32_t *corners; ///< indices of vertices
    size_t corner_count, corner_capacity;
    size_t *sizes; ///< corners of each polygon or strip; NULL: 3 each
    size_t size_count, size_capacity;
    bool strips;
} gz_collada_primitive;

/// A document while it is checked, and after.
typedef struct gz_collada {
    gz_mesh_reader *reader;
    gz_xml_document *document;
    const gz_xml_element *root;
    const gz_xml_element *scene; ///< the visual scene that is shown
    gz_collada_facts facts;
    gz_collada_ids arrays, sources, vertices, geometries, nodes;
    gz_collada_primitive *primitives; ///< in the order of the document
    size_t primitive_count, primitive_capacity;
} gz_collada;

/// Parses and checks a document: well-formed, no document type, and all of the checks below. Errors
/// carry a line. End with gz_collada_close(), whatever the status.
graze_status gz_collada_open(gz_collada *c, gz_mesh_reader *r);
void gz_collada_close(gz_collada *c);

/// Appends the meshes of the scene that a Collada file shows, with the profile of the options.
graze_status gz_collada_read(gz_mesh_reader *r);

/// Whether no mesh needs an element: nothing below it is looked at.
bool gz_collada_is_hidden(const gz_xml_element *element);
/// The element after this one in document order, inside `root`; NULL at the
/// end. What is below hidden elements is passed over.
const gz_xml_element *gz_collada_next(const gz_xml_element *element, const gz_xml_element *root);
/// A cursor over the text of an element.
static inline gz_text_cursor gz_collada_text(const gz_xml_element *element) {
    gz_text_cursor cursor = gz_cursor_of_string(element->text);
    cursor.line = element->line;
    return cursor;
}

static inline gz_place gz_collada_place(const gz_collada *c, const gz_xml_element *element) {
    return (gz_place){.file = c->reader->path, .line = element->line, .column = element->column};
}
/// Fails at an element's start tag.
#define gz_collada_fail(c, element, status, ...)                                                   \
    gz_fail_at((c)->reader->error, status, gz_collada_place(c, element), __VA_ARGS__)

/// Adds an element under its id (its own "id" attribute); elements without one are left out.
graze_status gz_collada_add(gz_collada *c, gz_collada_ids *ids, gz_collada_id item);
/// Sorts, and warns of ids that are used twice.
void gz_collada_sort(gz_collada *c, gz_collada_ids *ids);
/// Refuses what is read by an id that is used twice.
graze_status gz_collada_check_once(gz_collada *c, const gz_collada_id *found);
/// The element of that id, or NULL.
gz_collada_id *gz_collada_find_id(const gz_collada_ids *ids, const char *id);
/// The element that "#id" names, or NULL.
gz_collada_id *gz_collada_find(const gz_collada_ids *ids, const char *reference);

/// Inputs share out the indices of a corner by their offset; more than this in a file is nonsense.
enum { GZ_COLLADA_OFFSET_MAX = 63 };

/// The order of the indices of a primitive's corners.
typedef struct gz_collada_layout {
    uint64_t stride;                            ///< indices for each corner
    uint64_t vertex;                            ///< which of them is the vertex
    gz_collada_id *vertices;                    ///< what it is an index of
    uint64_t bounds[GZ_COLLADA_OFFSET_MAX + 1]; ///< what each of them must be below
} gz_collada_layout;

/// The positions of a mesh: entry i has its x at values[i * stride + axes[0]].
typedef struct gz_collada_positions {
    const double *values;
    uint64_t count, stride, axes[3];
} gz_collada_positions;

/// How many numbers a transform of a node has: 16 of a <matrix> ...; 0 for other elements.
size_t gz_collada_transform_size(const gz_xml_element *element);

/// Checks geometry: arrays, sources, vertices, primitives.
graze_status gz_collada_check_geometry(gz_collada *c);
graze_status gz_collada_layout_read(gz_collada *c, const gz_xml_element *primitive,
                                    gz_collada_layout *layout);
/// The positions of a mesh's <vertices>, which has been checked.
graze_status gz_collada_positions_get(gz_collada *c, const gz_xml_element *vertices,
                                      gz_collada_positions *positions);
/// Checks nodes: references, and how far instances of nodes multiply.
graze_status gz_collada_check_nodes(gz_collada *c);
/// Checks where elements are: what counts is where it is looked for, once
/// where one is looked for, and nothing unknown is beside it.
graze_status gz_collada_check_places(gz_collada *c);

/// Called for a node that holds geometry, with its transform.
typedef graze_status gz_collada_visit(void *user, const gz_xml_element *node,
                                      const gz_affine *place);

/// Visits the nodes of the scene that hold geometry, instances of nodes followed, in the order of
/// the file, each node before those below it; ends at the first error. The document has been
/// checked: without cycles, within the limits, every transform with its numbers.
graze_status gz_collada_walk(gz_collada *c, const gz_affine *first, gz_collada_visit *visit,
                             void *user);
/// Lists the nodes that hold geometry, in reader->report.
graze_status gz_collada_list_nodes(gz_collada *c);

/// Appends every instance of every mesh in the scene that is shown, `first` applied last.
graze_status gz_collada_append_scene(gz_collada *c, const gz_affine *first);

#endif
