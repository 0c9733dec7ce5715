// In what do two structures differ?

#include <string.h>

#include "compile/image.h"

static const unsigned char *target_of(const void *structure, const gz_field *field) {
    const unsigned char *target;
    memcpy(&target, (const unsigned char *)structure + field->offset, sizeof target);
    return target;
}

static size_t length_of(const void *structure, const gz_field *field) {
    return field->kind >= GZ_FIELD_STRUCTS ? gz_field_count(field, structure)
                                           : target_of(structure, field) != NULL;
}

const char *gz_image_difference(const gz_type *type, const void *a, const void *b) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_TEXT) {
            const unsigned char *x = a, *y = b;
            if (memcmp(x + f->offset, y + f->offset, f->size) != 0) return f->name;
            continue;
        }
        const unsigned char *x = target_of(a, f), *y = target_of(b, f);
        size_t count = length_of(a, f);
        if (count != length_of(b, f)) return f->name;
        if (x == y || count == 0) continue;
        if (f->kind == GZ_FIELD_TEXT || f->kind == GZ_FIELD_MAYBE_TEXT) {
            if (strcmp((const char *)x, (const char *)y) != 0) return f->name;
        } else if (f->kind == GZ_FIELD_ARRAY) {
            if (memcmp(x, y, count * f->unit) != 0) return f->name;
        }
        for (size_t k = 0; f->type && k < count; k++) {
            const char *inside = gz_image_difference(f->type, x + k * f->type->size,
                                                     y + k * f->type->size);
            if (inside) return inside;
        }
    }
    return NULL;
}
