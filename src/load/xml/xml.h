/// An XML document as a small tree that knows where everything stands. Expat does the parsing;
/// document types, and with them every entity but the five predefined ones, are refused.
#ifndef GZ_LOAD_XML_XML_H
#define GZ_LOAD_XML_XML_H

#include "base/error.h"
#include "graze/robot.h"

typedef struct gz_xml_attribute {
    const char *name, *value;
    size_t begin, size; ///< bytes of the value as written, between its quotes; begin is 0 where
                        ///< that is not known (other than one-byte encodings and UTF-8)
    bool odd_space; ///< the value holds a tab or a line break as written in the file (the parser
                    ///< has made them blanks); known for UTF-8 and other one-byte encodings
} gz_xml_attribute;

typedef struct gz_xml_element {
    const char *tag; ///< with its prefix, if any
    const gz_xml_attribute *attributes;
    size_t attribute_count;
    const char *text; ///< of an element without children, trimmed; "" if none
    const char *note; ///< what comments right in front of it say behind "graze-lint:"; "" if none
    struct gz_xml_element *parent, *first_child, *last_child, *next;
    int32_t line, column; ///< of the start tag, 1-based; columns count characters
    uint32_t ordinal;     ///< 1-based among the siblings of the same tag
    uint32_t namesakes;   ///< how many siblings have that tag, this one included
} gz_xml_element;

typedef struct gz_xml_document gz_xml_document;

/// Parses a whole document.
/// @param out  [out] free with gz_xml_free(); NULL on failure
/// @param file what errors call it; must outlive the call only
/// @return GRAZE_ERROR_PARSE (not well-formed), _UNSUPPORTED (document type, encoding), _LIMIT
///         (limits->depth, ->elements * 64, ->memory_bytes), _NO_MEMORY
graze_status gz_xml_parse(gz_xml_document **out, const char *bytes, size_t size, const char *file,
                          const graze_limits *limits, graze_error *error);
void gz_xml_free(gz_xml_document *document);
/// How many blanks stand in front of an XML declaration, where the standard allows none; they are
/// read all the same. 0 for text without a declaration.
size_t gz_xml_blanks_before(const char *bytes, size_t size);
/// Never NULL.
const gz_xml_element *gz_xml_root(const gz_xml_document *document);

/// The value of an attribute, or NULL.
const char *gz_xml_get(const gz_xml_element *element, const char *name);
const gz_xml_attribute *gz_xml_find(const gz_xml_element *element, const char *name);
/// The first child of that tag, or NULL.
const gz_xml_element *gz_xml_child(const gz_xml_element *element, const char *tag);
/// The next sibling of the same tag, or NULL.
const gz_xml_element *gz_xml_next(const gz_xml_element *element);
bool gz_xml_is(const gz_xml_element *element, const char *tag);

/// Writes the path of an element, e.g. /robot/link[@name='arm']/collision[2]/geometry/mesh: a
/// number where several siblings have the tag, a name for what is known by its name. A path that
/// does not fit loses its beginning. Returns path.
char *gz_xml_path(const gz_xml_element *element, char *path, size_t size);

/// Reading values out of XML elements: every mistake is an error that names element and attribute,
/// and whatever is not read is counted.

/// A file being read.
typedef struct gz_xml_source {
    const char *file;      ///< what errors call it
    const char *format;    ///< "URDF", "SRDF"
    gz_warnings *warnings; ///< of the load
    graze_error *error;    ///< the caller's, may be NULL
} gz_xml_source;

/// The place of an element; its path is written to `path`.
gz_place gz_xml_place(const gz_xml_source *source, const gz_xml_element *at,
                      char path[GRAZE_PATH_SIZE]);

/// The place of an element, its path in memory of the enclosing block.
#define GZ_XML_PLACE(source, at) gz_xml_place(source, at, (char[GRAZE_PATH_SIZE]){0})

/// Fails at an element's start tag: `gz_xml_fail(source, e, GRAZE_ERROR_SCHEMA, "no %s", tag)`
#define gz_xml_fail(source, at, status, ...)                                                       \
    gz_fail_at((source)->error, status, GZ_XML_PLACE(source, at), __VA_ARGS__)
/// Warns at an element: `gz_xml_warn(source, e, "bad-visual", "<visual> is left out")`
#define gz_xml_warn(source, at, code, ...)                                                         \
    gz_warn((source)->warnings, code, GZ_XML_PLACE(source, at), __VA_ARGS__)

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
