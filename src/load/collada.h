/// Collada: the XML is judged here, in full; assimp then reads the geometry and the nodes.
///
/// assimp leaves out what it does not understand, and trusts counts and references. So everything
/// that it would drop in silence, or trip over, is an error before it sees the file, and the parts
/// that no mesh needs are hidden from it.
#ifndef GZ_LOAD_COLLADA_H
#define GZ_LOAD_COLLADA_H

#include "load/mesh_input.h"
#include "load/xml.h"

typedef struct gz_collada_facts {
    double unit;    ///< metres per file unit; 1 where the file says nothing
    char up;        ///< 'x', 'y' or 'z'; 'y' where the file says nothing, as the standard has it
    uint64_t lines; ///< line primitives, which have no surface
} gz_collada_facts;

/// Elements that others refer to by their id.
typedef struct gz_collada_ids {
    struct gz_collada_id {
        const char *id;
        const gz_xml_element *element;
        uint64_t count; ///< of arrays: values; of sources: entries; of vertices: entries
    } * items;
    size_t count, capacity;
} gz_collada_ids;

/// A document under judgement.
typedef struct gz_collada {
    const gz_mesh_input *input;
    graze_error *error;
    const gz_xml_element *root;
    gz_collada_facts facts;
    gz_collada_ids arrays, sources, vertices, geometries, nodes;
} gz_collada;

/// The element after this one in document order, inside `root`; NULL at the end. What assimp will
/// not see is passed over.
const gz_xml_element *gz_collada_next(const gz_xml_element *element, const gz_xml_element *root);
gz_place gz_collada_place(const gz_collada *c, const gz_xml_element *element);
/// Adds an element under its id (its own "id" attribute); elements without one are left out.
graze_status gz_collada_add(gz_collada *c, gz_collada_ids *ids, const gz_xml_element *element,
                            uint64_t count);
/// Sorts, and refuses ids that are used twice.
graze_status gz_collada_sort(gz_collada *c, gz_collada_ids *ids);
/// The element that "#id" names, or NULL.
const struct gz_collada_id *gz_collada_find(const gz_collada_ids *ids, const char *reference);

/// Judges geometry: arrays, sources, vertices, primitives.
graze_status gz_collada_check_geometry(gz_collada *c);
/// Judges nodes: references, and how far instances of nodes multiply.
graze_status gz_collada_check_nodes(gz_collada *c);
/// Judges a document: well-formed, no document type, and all of the above. Errors carry a line.
graze_status gz_collada_check(gz_collada_facts *facts, const gz_mesh_input *input,
                              graze_error *error);

/// Reads the document with the profile of the options.
graze_status gz_collada_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error);

#endif
