/// Reads URDF (links, joints, geometries, materials) and SRDF (pairs that need no check, groups,
/// states) into a builder.
#ifndef GZ_LOAD_URDF_URDF_H
#define GZ_LOAD_URDF_URDF_H

#include "load/mesh/mesh_file.h"
#include "load/package.h"
#include "load/urdf/profile_fit.h"
#include "load/xml/xml.h"
#include "robot/builder.h"

/// Reads the SRDF file of the options into the builder of its robot. Unknown names are warnings.
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _SCHEMA (wrong root, a required attribute is
///         missing), _RANGE, _UNSUPPORTED, _LIMIT, _NO_MEMORY
graze_status gz_srdf_read(gz_builder *builder, const graze_load_options *options,
                          graze_error *error);

// ------------------------------------------------- for urdf.c, urdf_geometry.c and srdf.c

/// Warns of a root without a name, and of blanks in front of the XML declaration.
void gz_urdf_check_head(const gz_xml_source *source, const gz_xml_element *root, size_t blanks);

/// A material that visuals may refer to by name.
typedef struct gz_urdf_material {
    const char *name; ///< the document's
    const gz_xml_element *element;
    size_t order; ///< materials at the top of the file come first
    bool global;  ///< at the top of the file
} gz_urdf_material;

typedef struct gz_urdf_reader {
    gz_xml_source source;
    gz_builder *builder;
    const char *base_dir;
    const graze_load_options *options;
    gz_package_cache *packages;
    gz_mesh_budget budget;
    gz_profile_fit fit;
    int version; ///< 10, 11 or 12
    uint32_t geometries;
    bool collides;               ///< one of them is collision geometry
    gz_urdf_material *materials; ///< sorted by name
    size_t material_count, material_capacity;
} gz_urdf_reader;

static inline gz_line gz_urdf_line(const gz_xml_element *element) {
    return (gz_line){element->line, element->column};
}

/// `<origin>` of an element, the identity where there is none.
graze_status gz_urdf_origin(const gz_urdf_reader *r, const gz_xml_element *element,
                            graze_transform *origin);
/// Warns when an element or attribute is newer than the version that the file claims.
void gz_urdf_since(const gz_urdf_reader *r, const gz_xml_element *element, int version,
                   const char *what);

/// `<visual>` and `<collision>` elements of a link.
graze_status gz_urdf_read_geometries(gz_urdf_reader *r, const gz_xml_element *element,
                                     int32_t link);

/// Collects the materials of the whole file: those at its top, then those that visuals define.
graze_status gz_urdf_collect_materials(gz_urdf_reader *r, const gz_xml_element *root);

#endif
