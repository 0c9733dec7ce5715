/// A document of maps, lists and scalars, from JSON or YAML. Every value has its line, so that a
/// mistake in meaning is reported where it is, like one in syntax.
#ifndef GZ_LOAD_DOCUMENT_DOCUMENT_H
#define GZ_LOAD_DOCUMENT_DOCUMENT_H

#include "base/error.h"
#include "graze/robot.h"

typedef enum gz_value_kind {
    GZ_VALUE_NULL,
    GZ_VALUE_BOOL,
    GZ_VALUE_NUMBER,
    GZ_VALUE_STRING,
    GZ_VALUE_LIST,
    GZ_VALUE_MAP
} gz_value_kind;

typedef struct gz_value {
    gz_value_kind kind;
    int32_t line, column;         ///< where the value starts, 1-based
    int32_t key_line, key_column; ///< YAML: of the key in front of it; 0 in lists
    uint32_t parent;              ///< its index in gz_document.values
    uint32_t first,
        next;       ///< how far behind this value the first child, the next sibling is; 0: none
    uint32_t last;  ///< index of the last child
    uint32_t index; ///< position among its siblings
    uint32_t count; ///< children
    uint32_t key;   ///< offset of the key in gz_document.text; 0: no key
    uint32_t text;  ///< offset of a string's text (YAML: of every scalar's); 0: none
    double number;  ///< numbers; 0 or 1 for bool
} gz_value;

typedef struct gz_document {
    const char *file;      ///< as errors call it; not owned
    graze_error *error;    ///< the caller's; may be NULL
    gz_warnings *warnings; ///< the caller's
    const char *name_key;  ///< key that names the maps of a list in element paths: "name", "id"
    gz_value *values;      ///< values[0] is the root
    size_t count, capacity;
    char *text; ///< NUL-terminated strings
    size_t text_size, text_capacity;
    uint64_t memory_limit;
    uint32_t depth_limit;
    uint32_t key_limit;    ///< keys of one map
    uint32_t unknown_keys; ///< that gz_value_check_keys() has warned of
} gz_document;

/// Reads a document; its file, error and warnings have been set. Clear it in any case.
/// @return GRAZE_ERROR_PARSE; _SCHEMA (a key twice in a map); _RANGE (a number beyond doubles);
///         _LIMIT (depth, memory, keys); _UNSUPPORTED (YAML anchors, several documents); _NO_MEMORY
graze_status gz_document_read_json(gz_document *document, const char *text, size_t size,
                                   const graze_limits *limits);
graze_status gz_document_read_yaml(gz_document *document, const char *text, size_t size,
                                   const graze_limits *limits);
void gz_document_clear(gz_document *document);

// ------------------------------------------------------------------------------------- reading it

static inline const gz_value *gz_document_root(const gz_document *document) {
    return &document->values[0];
}
/// The first child; NULL: none.
static inline const gz_value *gz_value_first(const gz_value *parent) {
    return parent->first ? parent + parent->first : NULL;
}

/// The next sibling; NULL: none.
static inline const gz_value *gz_value_next(const gz_value *value) {
    return value->next ? value + value->next : NULL;
}

/// The value of a key, or NULL (also when `map` is no map).
const gz_value *gz_value_member(const gz_document *document, const gz_value *map, const char *key);
/// The key in front of a value; "" in lists.
const char *gz_value_key(const gz_document *document, const gz_value *value);
/// The text of a string (YAML: of any scalar); NULL for other kinds.
const char *gz_value_text(const gz_document *document, const gz_value *value);
/// What a value is, for messages: "a number", "a list" ...
const char *gz_value_kind_name(const gz_value *value);

/// The path of a value, as /objects[@name='can']/radius, or with a 0-based index where the map in
/// the list has no name: /objects[3]/radius. `key`, unless NULL, is a member that is not there.
void gz_value_element(const gz_document *document, const gz_value *value, const char *key,
                      char *out, size_t size);

/// The place of a value; its path is written to `element`.
gz_place gz_value_place(const gz_document *document, const gz_value *value,
                        char element[GRAZE_PATH_SIZE]);

/// The place of a value, its path in memory of the enclosing block.
#define GZ_VALUE_PLACE(document, value) gz_value_place(document, value, (char[GRAZE_PATH_SIZE]){0})

/// Fails at a value: `gz_value_fail(d, value, GRAZE_ERROR_RANGE, "size is %g", size)`
#define gz_value_fail(document, value, status, ...)                                                \
    gz_fail_at((document)->error, status, GZ_VALUE_PLACE(document, value), __VA_ARGS__)
/// Warns at a value: `gz_value_warn(d, value, "pose-unset", "a pose is all zeros")`
#define gz_value_warn(document, value, code, ...)                                                  \
    gz_warn((document)->warnings, code, GZ_VALUE_PLACE(document, value), __VA_ARGS__)
/// Fills in the place of a value in an error made without one.
void gz_value_locate(const gz_document *document, const gz_value *value);

/// Warns of the keys of a map that are none of `keys`, which blanks separate, naming the nearest
/// that is.
void gz_value_check_keys(gz_document *document, const gz_value *map, const char *keys);
/// Fails at the first such key.
graze_status gz_value_refuse_keys(const gz_document *document, const gz_value *map,
                                  const char *keys);

/// A member that must be there: else *out is NULL and the status GRAZE_ERROR_SCHEMA.
graze_status gz_value_required(const gz_document *document, const gz_value *map, const char *key,
                               const gz_value **out);
/// Checks the kind. @param allowed e.g. "a list of 3 numbers"
graze_status gz_value_expect(const gz_document *document, const gz_value *value, gz_value_kind kind,
                             const char *allowed);
/// A member of a kind that must be there.
graze_status gz_value_required_kind(const gz_document *document, const gz_value *map,
                                    const char *key, gz_value_kind kind, const char *allowed,
                                    const gz_value **out);
/// A finite number.
graze_status gz_value_number(const gz_document *document, const gz_value *value, double *out);
/// A list of exactly n finite numbers.
graze_status gz_value_numbers(const gz_document *document, const gz_value *value, double *out,
                              uint32_t n);

// ------------------------------------------------------------------------------------ building it

/// Starts a document. Returns false when out of memory.
bool gz_document_start(gz_document *document, const char *name_key, const graze_limits *limits);
/// Appends a value below `parent` (ignored for the root). The status is GRAZE_OK, GRAZE_ERROR_LIMIT
/// or _NO_MEMORY; `value` has kind and places set and gets its index in *index.
graze_status gz_document_add(gz_document *document, uint32_t parent, gz_value value,
                             uint32_t *index);
/// Stores a string; *offset is never 0.
graze_status gz_document_add_text(gz_document *document, const char *text, size_t size,
                                  uint32_t *offset);

#endif
