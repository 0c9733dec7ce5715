/// What the engine's structures are made of, in tables: which bytes of them are values, and which
/// are pointers to what. The writer and the reader of compiled files know no structure by name.
#ifndef GZ_COMPILE_IMAGE_TYPE_H
#define GZ_COMPILE_IMAGE_TYPE_H

#include <stddef.h>
#include <stdint.h>

/// Far above all lengths of a robot or world (2^20 m), and far enough below the largest float that
/// sums and products in filters stay finite: with an infinite box, lanes of a node that are empty
/// would overlap it.
#define GZ_NUMBER_MAX 0x1p40

/// What a field is, and what is asked of it when it is read.
typedef enum gz_field_kind {
    GZ_FIELD_PLAIN,   ///< bytes without padding; what they may be is checked elsewhere, or anything
    GZ_FIELD_BOOL,    ///< 0 or 1
    GZ_FIELD_NUMBERS, ///< doubles, of magnitude GZ_NUMBER_MAX at most
    GZ_FIELD_BOX,     ///< a graze_aabb: such numbers, and min at most max
    GZ_FIELD_CHOICE,  ///< an enumerator from 0 to `limit`
    GZ_FIELD_TEXT,    ///< a string
    GZ_FIELD_MAYBE_TEXT, ///< a string or NULL
    GZ_FIELD_MAYBE,      ///< one structure of `type`, or NULL
    GZ_FIELD_STRUCTS,    ///< an array of structures of `type`
    GZ_FIELD_ARRAY       ///< an array of elements of `unit` bytes, used where it lies in the file
} gz_field_kind;

typedef struct gz_type gz_type;

typedef struct gz_field {
    const char *name;
    uint32_t offset, size; ///< in the structure
    gz_field_kind kind;
    uint32_t limit;
    uint32_t unit;
    uint32_t count_offset, count_size; ///< of arrays: the field with their count, 4 or 8 bytes
    const gz_type *type;
} gz_field;

struct gz_type {
    const char *name;
    uint32_t size;
    uint32_t field_count;
    const gz_field *fields;
};

/// A structure of the file alone: where a file's content came from.
typedef struct gz_source {
    char *path;
    int32_t kind;
    int32_t known; ///< whether size and hash are those of a file
    uint64_t size;
    uint64_t hash[2];
} gz_source;

typedef struct gz_source_list {
    gz_source *items;
    size_t count;
} gz_source_list;

extern const gz_type gz_type_robot, gz_type_world, gz_type_source_list, gz_type_mesh,
    gz_type_geometry, gz_type_object;

/// A number that changes with any structure, on any other ABI, and with the order of the tables.
uint64_t gz_type_fingerprint(void);

/// How many elements an array field of a structure has; SIZE_MAX for a negative count.
size_t gz_field_count(const gz_field *field, const void *structure);

#endif
