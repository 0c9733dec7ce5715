/// Reading values out of XML elements: every mistake is an error that names element and attribute,
/// and whatever is not read is counted.
#ifndef GZ_LOAD_XML_VALUE_H
#define GZ_LOAD_XML_VALUE_H

#include "load/xml/xml.h"

/// A file being read.
typedef struct gz_xml_source {
    const char *file;      ///< what errors call it
    const char *format;    ///< "URDF", "SRDF"
    gz_warnings *warnings; ///< of the load
    graze_error *error;    ///< the caller's, may be NULL
} gz_xml_source;

/// Makes the error at an element's start tag and returns status.
graze_status gz_xml_fail(const gz_xml_source *source, const gz_xml_element *at, graze_status status,
                         const char *format, ...) GZ_PRINTF(4, 5);
/// A warning at an element.
void gz_xml_warn(const gz_xml_source *source, const gz_xml_element *at, const char *code,
                 const char *format, ...) GZ_PRINTF(4, 5);
/// The place of an element; its path is written to `path`.
gz_place gz_xml_place(const gz_xml_source *source, const gz_xml_element *at,
                      char path[GRAZE_PATH_SIZE]);

/// The attribute, which must be there and not be empty.
graze_status gz_xml_require(const gz_xml_source *source, const gz_xml_element *element,
                            const char *name, const char **value);
/// Exactly `count` finite numbers; where the attribute is absent, values are left alone and
/// *present (may be NULL: then the attribute must be there) is false.
graze_status gz_xml_numbers(const gz_xml_source *source, const gz_xml_element *element,
                            const char *name, double *values, size_t count, bool *present);
/// The only child of that tag, or NULL when there is none; two are GRAZE_ERROR_SCHEMA.
graze_status gz_xml_single(const gz_xml_source *source, const gz_xml_element *element,
                           const char *tag, const gz_xml_element **child);

/// Warns of children and attributes that are in neither list (names separated by blanks): they are
/// ignored, and counted.
void gz_xml_report_unknown(const gz_xml_source *source, const gz_xml_element *element,
                           const char *children, const char *attributes);

/// GRAZE_ERROR_UNSUPPORTED at the first sign that the document is a xacro template: a `xacro:`
/// element, or `${...}` or `$(...)` in an attribute, outside of extensions.
graze_status gz_xml_refuse_xacro(const gz_xml_source *source, const gz_xml_element *root);

/// Whether a tag is one that other programs put into robot descriptions (gazebo, transmission, any
/// with a prefix ...).
bool gz_xml_is_extension(const char *tag);

#endif
