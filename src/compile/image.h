/// Structures to bytes and back by their field tables (base/field_table.h): the body of a compiled
/// file, and the checks of what was read.
#ifndef GZ_COMPILE_IMAGE_H
#define GZ_COMPILE_IMAGE_H

#include <stdint.h>

#include "base/error.h"
#include "base/field_table.h"
#include "base/memory.h"
#include "mesh/shape.h"
#include "robot/robot.h"
#include "world/world.h"

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

extern const gz_type gz_type_source_list;

/// A number that changes with what a body is made of: names, kinds and sizes of the fields in the
/// order of the tables, and where things lie in the elements of arrays. The same on machines whose
/// bodies are the same.
uint64_t gz_type_fingerprint(void);

// A body is a sequence without offsets: an array of structures, then for each of them, field by
// field, what its pointers point to, by the same rule. A structure is its fields in the order of
// its table, without padding and the same on every machine: values as they are; a size_t as 8
// bytes; for a string 8 bytes with its length and NUL (0: NULL), for a structure that may be there
// 8 bytes with 1 or 0, for an array nothing, as its count says how long it is. So nothing can
// overlap, lie outside or be read twice. Arrays begin at multiples of 64 bytes, to be used where
// they lie.

#define GZ_IMAGE_ALIGNMENT 64

/// Measures (out NULL) or writes one structure with all that it points to: how many bytes. Padding
/// is 0: the same structure gives the same bytes.
size_t gz_image_write(const gz_type *type, const void *structure, unsigned char *out);

/// Rebuilds the structures in the pool, at most some times as large as the body; strings and arrays
/// stay in the body, which must be aligned to 64 bytes and outlive them. Checks lengths, strings,
/// bools, enumerators and that numbers are finite; what counts and indices mean is the caller's to
/// check.
/// @param pool the caller's to free, whatever the result
/// @param file named in errors
/// @return GRAZE_OK; GRAZE_ERROR_PARSE; GRAZE_ERROR_NO_MEMORY
graze_status gz_image_read(const gz_type *type, const unsigned char *body, size_t size,
                           gz_pool *pool, const char *file, void **structure, graze_error *error);

/// The name of a field, at any depth, in which two structures of a type differ with all that they
/// point to; NULL where they do in none.
const char *gz_image_difference(const gz_type *type, const void *a, const void *b);

/// Do the parts of a compiled robot or world fit together? Every count, index, order and tree that
/// the engine relies on without looking is looked at here, once, when a file is opened.
///
/// Promised: with what has passed, no query reads outside its arrays, overflows a stack or runs
/// without end, whatever else the file says. Not promised: that boxes hold their triangles and that
/// numbers are those of the robot; that is what the checksum (against accidents) and
/// graze_compiled_verify() (against anybody) are for.

/// Memory that checks share, and what errors name.
typedef struct gz_image_checker {
    const char *file;
    char element[80]; ///< of the file: "collision mesh 3"
    uint8_t *marks;   ///< of gz_array_reserve()
    size_t mark_capacity;
    graze_error *error;
} gz_image_checker;

/// Fails with "compiled file: PART: message".
graze_status gz_image_fail(const gz_image_checker *checker, const char *format, ...)
    GZ_PRINTF(2, 3);

/// Cleared marks for so many things, or NULL when out of memory.
uint8_t *gz_image_marks(gz_image_checker *checker, size_t count);

/// A tree: its nodes have 1 to 8 children, come before them, have one parent each, lie no deeper
/// than GZ_TREE_DEPTH, and name leaves below leaf_count; empty lanes overlap nothing.
graze_status gz_tree_image_check(gz_image_checker *checker, const gz_node *nodes, size_t node_count,
                                 int32_t root, size_t leaf_count);
/// A shape of that kind; `loaded` false: a visual mesh that was not.
graze_status gz_shape_image_check(gz_image_checker *checker, graze_shape kind,
                                  const gz_shape *shape, bool loaded);

/// A whole graze_robot, a whole graze_world.
graze_status gz_robot_image_check(gz_image_checker *checker, const void *robot);
graze_status gz_world_image_check(gz_image_checker *checker, const void *world);

#endif
