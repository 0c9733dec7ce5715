/// Field tables: which bytes of a structure are values, and which are pointers to what. One table
/// serves to copy, free, compare, write and read a structure.
#ifndef GZ_BASE_FIELD_TABLE_H
#define GZ_BASE_FIELD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Far above all lengths of a robot or world (2^20 m), and far enough below the largest float that
/// sums and products in filters stay finite: with an infinite box, lanes of a node that are empty
/// would overlap it.
#define GZ_NUMBER_MAX 0x1p40

/// What a field is, and what is checked when it is read from a file.
typedef enum gz_field_kind {
    GZ_FIELD_PLAIN,   ///< bytes without padding; what they may be is checked elsewhere, or anything
    GZ_FIELD_BOOL,    ///< 0 or 1
    GZ_FIELD_NUMBERS, ///< doubles, of magnitude GZ_NUMBER_MAX at most
    GZ_FIELD_BOX,     ///< a graze_aabb: such numbers, and min at most max
    GZ_FIELD_CHOICE,  ///< an enumerator from 0 to `limit`
    GZ_FIELD_SIZE,    ///< a size_t
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
    uint32_t count_offset,
        count_size; ///< of arrays: the field with their count, an int32_t or a size_t
    const gz_type *type;
} gz_field;

struct gz_type {
    const char *name;
    uint32_t size;
    uint32_t field_count;
    const gz_field *fields;
    /// Of structures with several owners (base/shared.h), else NULL: a copy adds an owner.
    void (*hold)(const void *structure);
    void (*drop)(void *structure);
};

/// Of graze_warning (graze/base.h).
extern const gz_type gz_type_warning;

/// Copies a structure with all that it owns; shared structures get an owner more. Bytes of `to`
/// that the table does not name become 0.
/// @return false when out of memory: gz_type_clear() then frees what has been copied
bool gz_type_copy(const gz_type *type, void *to, const void *from);

/// Frees what a structure owns and drops what it shares; the structure's own bytes stay.
void gz_type_clear(const gz_type *type, void *structure);

/// Number of elements of an array field of a structure; SIZE_MAX for a negative count.
size_t gz_field_count(const gz_field *field, const void *structure);

/// The pointer that a field of a structure holds.
const void *gz_field_pointer(const gz_field *field, const void *structure);

// One line in a table for each field of a structure `s`. A field that no table names is 0 in copies
// and in compiled files (test_image_type.c finds such fields). GZ_VALUE is for what has the same
// bytes on every machine: no size_t, no long, nothing with padding.

#define GZ_SIZE_OF_(s, f) sizeof(((s *)0)->f)
#define GZ_FIELD_(s, f, ...)                                                                       \
    { .name = #f, .offset = offsetof(s, f), .size = GZ_SIZE_OF_(s, f), __VA_ARGS__ }
#define GZ_COUNT_(s, n) .count_offset = offsetof(s, n), .count_size = GZ_SIZE_OF_(s, n)

/// Where size_t is no uint64_t, a field of it does not compile.
#define GZ_VALUE(s, f)                                                                             \
    GZ_FIELD_(s, f, .kind = GZ_FIELD_PLAIN,                                                        \
              .limit = _Generic((uint64_t)0, size_t : 0, default                                   \
                                : _Generic(((s *)0)->f, size_t                                     \
                                           : (void)0, default : 0)))
#define GZ_SIZE(s, f)                                                                              \
    GZ_FIELD_(s, f, .kind = GZ_FIELD_SIZE, .limit = _Generic(((s *)0)->f, size_t : 0))
#define GZ_BOOLEAN(s, f)     GZ_FIELD_(s, f, .kind = GZ_FIELD_BOOL)
#define GZ_NUMBERS(s, f)     GZ_FIELD_(s, f, .kind = GZ_FIELD_NUMBERS)
#define GZ_BOX(s, f)         GZ_FIELD_(s, f, .kind = GZ_FIELD_BOX)
#define GZ_CHOICE(s, f, max) GZ_FIELD_(s, f, .kind = GZ_FIELD_CHOICE, .limit = (max))
#define GZ_TEXT(s, f)        GZ_FIELD_(s, f, .kind = GZ_FIELD_TEXT)
#define GZ_MAYBE_TEXT(s, f)  GZ_FIELD_(s, f, .kind = GZ_FIELD_MAYBE_TEXT)
#define GZ_MAYBE(s, f, t)    GZ_FIELD_(s, f, .kind = GZ_FIELD_MAYBE, .type = &(t))
#define GZ_STRUCTS(s, f, n, t)                                                                     \
    GZ_FIELD_(s, f, .kind = GZ_FIELD_STRUCTS, GZ_COUNT_(s, n), .type = &(t))
/// `per`: elements of the C array for each that is counted.
#define GZ_ARRAY(s, f, n, per)                                                                     \
    GZ_FIELD_(s, f, .kind = GZ_FIELD_ARRAY, GZ_COUNT_(s, n),                                       \
              .unit = (uint32_t)((per) * sizeof *((s *)0)->f))
#define GZ_TYPE_TABLE(variable, s, table)                                                          \
    const gz_type variable = {.name = #s,                                                          \
                              .size = sizeof(s),                                                   \
                              .field_count = sizeof(table) / sizeof *(table),                      \
                              .fields = table}

#endif
