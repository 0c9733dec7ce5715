/// What the parts of the URDF reader share. Only urdf*.c include this.
#ifndef GZ_LOAD_URDF_URDF_INTERNAL_H
#define GZ_LOAD_URDF_URDF_INTERNAL_H

#include "load/mesh/mesh_file.h"
#include "load/xml/xml.h"
#include "robot/builder.h"

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
    gz_mesh_budget budget;
    int version; ///< 10, 11 or 12
    uint32_t geometries;
    gz_urdf_material *materials; ///< sorted by name
    size_t material_count, material_capacity;
} gz_urdf_reader;

static inline gz_line gz_urdf_line(const gz_xml_element *element) {
    return (gz_line){element->line, element->column};
}

/// `<origin>` of an element, the identity where there is none. (urdf.c)
graze_status gz_urdf_origin(const gz_urdf_reader *reader, const gz_xml_element *element,
                            graze_transform *origin);
/// Warns when an element or attribute is newer than the version that the file claims. (urdf.c)
void gz_urdf_since(const gz_urdf_reader *reader, const gz_xml_element *element, int version,
                   const char *what);

/// `<visual>` and `<collision>` elements of a link. (urdf_geometry.c)
graze_status gz_urdf_read_geometries(gz_urdf_reader *reader, const gz_xml_element *element,
                                     int32_t link);

/// Learns the materials of the whole file: those at its top, then those that visuals define.
/// (urdf_material.c)
graze_status gz_urdf_collect_materials(gz_urdf_reader *reader, const gz_xml_element *root);
/// The colour of a visual's `<material>`, if it has one; trouble with it is a warning. (ditto)
void gz_urdf_visual_color(const gz_urdf_reader *reader, const gz_xml_element *visual,
                          bool *has_color, double color[4]);

/// A `<joint>`. (urdf_joint.c)
graze_status gz_urdf_read_joint(gz_urdf_reader *reader, const gz_xml_element *element);

#endif
