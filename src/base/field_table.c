#include "base/field_table.h"

#include <string.h>

#include "base/memory.h"
#include "graze/base.h"

static const gz_field warning_fields[] = {
    GZ_TEXT(graze_warning, code),   GZ_TEXT(graze_warning, message),
    GZ_TEXT(graze_warning, file),   GZ_TEXT(graze_warning, element),
    GZ_VALUE(graze_warning, line),  GZ_VALUE(graze_warning, column),
    GZ_VALUE(graze_warning, count),
};
GZ_TYPE_TABLE(gz_type_warning, graze_warning, warning_fields);

size_t gz_field_count(const gz_field *field, const void *structure) {
    const unsigned char *at = (const unsigned char *)structure + field->count_offset;
    if (field->count_size == sizeof(int32_t)) {
        int32_t count;
        memcpy(&count, at, sizeof count);
        return count < 0 ? SIZE_MAX : (size_t)count;
    }
    size_t count;
    memcpy(&count, at, sizeof count);
    return count;
}

const void *gz_field_pointer(const gz_field *field, const void *structure) {
    const void *pointer;
    memcpy(&pointer, (const unsigned char *)structure + field->offset, sizeof pointer);
    return pointer;
}

static void set_pointer(const gz_field *field, void *structure, const void *pointer) {
    memcpy((unsigned char *)structure + field->offset, &pointer, sizeof pointer);
}

/// Copies an array of structures into `*out`, which can be freed whatever the result.
static bool copy_structures(const gz_type *type, void **out, const unsigned char *from,
                            size_t count) {
    unsigned char *items = gz_calloc(count, type->size);
    *out = items;
    for (size_t i = 0; items && i < count; i++)
        if (!gz_type_copy(type, items + i * type->size, from + i * type->size)) return false;
    return items != NULL;
}

/// Copies what a pointer of `from` points to; NULL stays NULL.
static bool copy_target(const gz_field *f, void *to, const void *from) {
    const void *source = gz_field_pointer(f, from);
    void *copy = NULL;
    bool ok = true;
    if (!source) return true;
    if (f->kind == GZ_FIELD_STRUCTS) {
        ok = copy_structures(f->type, &copy, source, gz_field_count(f, from));
    } else if (f->kind == GZ_FIELD_ARRAY) {
        size_t count = gz_field_count(f, from);
        copy = gz_malloc(count, f->unit);
        ok = copy != NULL;
        if (ok && count) memcpy(copy, source, count * f->unit);
    } else if (f->kind == GZ_FIELD_MAYBE && f->type->hold) {
        f->type->hold(source);
        set_pointer(f, to, source);
        return true;
    } else if (f->kind == GZ_FIELD_MAYBE) {
        ok = copy_structures(f->type, &copy, source, 1);
    } else {
        copy = gz_string_copy(source);
        ok = copy != NULL;
    }
    set_pointer(f, to, copy);
    return ok;
}

bool gz_type_copy(const gz_type *type, void *to, const void *from) {
    memset(to, 0, type->size);
    // The counts of arrays are among the values, and are needed first.
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_TEXT)
            memcpy((unsigned char *)to + f->offset, (const unsigned char *)from + f->offset,
                   f->size);
    }
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].kind >= GZ_FIELD_TEXT && !copy_target(&type->fields[i], to, from))
            return false;
    return true;
}

void gz_type_clear(const gz_type *type, void *structure) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_TEXT) continue;
        unsigned char *target = (unsigned char *)(uintptr_t)gz_field_pointer(f, structure);
        if (target && f->kind == GZ_FIELD_MAYBE && f->type->drop) {
            f->type->drop(target);
            continue;
        }
        size_t count = f->kind == GZ_FIELD_STRUCTS ? gz_field_count(f, structure)
                                                   : f->kind == GZ_FIELD_MAYBE;
        for (size_t k = 0; target && k < count; k++)
            gz_type_clear(f->type, target + k * f->type->size);
        gz_free(target);
    }
}
