/// What elements of URDF and SRDF may hold: names, how many numbers, what must be there, and what
/// may be there once. Rules walk a description by it.
#ifndef GZ_LINT_SCHEMA_H
#define GZ_LINT_SCHEMA_H

#include "lint/lint.h"

/// The shapes that a <geometry> may hold, one of them.
#define GZ_LINT_SHAPES "box sphere cylinder capsule mesh"

/// One kind of element. Names in lists are separated by blanks; "xyz:3" holds three numbers.
typedef struct gz_lint_schema {
    const char *tag, *parent;          ///< parent NULL: anywhere
    const char *children, *attributes; ///< known
    const char *once; ///< children of which there may be one; "*": one of all known ones together
    const char
        *needs; ///< attributes that must be there, but for those that have rules of their own
    bool srdf;  ///< of an SRDF
} gz_lint_schema;

typedef void gz_lint_each(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                          const gz_lint_schema *s);

/// Calls `each` for every element that URDF knows, in document order, then for every one of the
/// SRDF; what extensions hold is theirs.
void gz_lint_schema_walk(gz_lint_context *c, const gz_lint_rule *rule, gz_lint_each *each);
/// Finds a name in a list of "name" and "name:count"; *count is 0 for what holds no numbers.
bool gz_lint_schema_lists(const char *list, const char *name, size_t *count);
/// The first name of a list, copied to `name` and cut where it is too long; returns the rest of the
/// list, or NULL where the list is empty.
const char *gz_lint_schema_next(const char *list, char *name, size_t size);
/// Where an element stands, and the link or joint of the URDF that it belongs to.
gz_lint_place gz_lint_schema_place(const gz_xml_element *element, bool srdf);

#endif
