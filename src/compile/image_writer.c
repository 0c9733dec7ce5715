// Structures to bytes.

#include <string.h>

#include "compile/image.h"

typedef struct writer {
    unsigned char *out; ///< NULL: only measuring
    size_t at, arena;
} writer;

static size_t aligned(size_t n, size_t alignment) {
    return (n + alignment - 1) / alignment * alignment;
}

static void align(writer *w, size_t alignment) {
    size_t to = aligned(w->at, alignment);
    if (w->out) memset(w->out + w->at, 0, to - w->at);
    w->at = to;
}

static void put(writer *w, const void *bytes, size_t size) {
    if (w->out && size) memcpy(w->out + w->at, bytes, size);
    w->at += size;
}

static const void *pointer_at(const void *structure, const gz_field *field) {
    const void *pointer;
    memcpy(&pointer, (const unsigned char *)structure + field->offset, sizeof pointer);
    return pointer;
}

/// What stands in the file where the structure has a pointer.
static uintptr_t slot_of(const gz_field *field, const void *pointer) {
    switch (field->kind) {
    case GZ_FIELD_TEXT:
    case GZ_FIELD_MAYBE_TEXT:
        return pointer ? strlen(pointer) + 1 : 0;
    case GZ_FIELD_MAYBE:
        return pointer != NULL;
    case GZ_FIELD_STRUCTS:
    case GZ_FIELD_ARRAY:
    case GZ_FIELD_PLAIN:
    case GZ_FIELD_BOOL:
    case GZ_FIELD_NUMBERS:
    case GZ_FIELD_BOX:
    case GZ_FIELD_CHOICE:
        break;
    }
    return 0;
}

static void fill_structure(const gz_type *type, const unsigned char *from, unsigned char *to) {
    memset(to, 0, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_TEXT) {
            memcpy(to + f->offset, from + f->offset, f->size);
        } else {
            uintptr_t slot = slot_of(f, pointer_at(from, f));
            memcpy(to + f->offset, &slot, sizeof slot);
        }
    }
}

static void write_structures(writer *w, const gz_type *type, const void *array, size_t count);

static void write_target(writer *w, const gz_field *f, const void *structure) {
    if (f->kind < GZ_FIELD_TEXT) return;
    const void *target = pointer_at(structure, f);
    if (f->kind == GZ_FIELD_ARRAY) {
        align(w, GZ_IMAGE_ALIGNMENT);
        put(w, target, gz_field_count(f, structure) * f->unit);
    } else if (f->kind == GZ_FIELD_STRUCTS) {
        write_structures(w, f->type, target, gz_field_count(f, structure));
    } else if (f->kind == GZ_FIELD_MAYBE) {
        write_structures(w, f->type, target, target ? 1 : 0);
    } else if (target) {
        put(w, target, strlen(target) + 1);
    }
}

static void write_structures(writer *w, const gz_type *type, const void *array, size_t count) {
    align(w, 16);
    const unsigned char *items = array;
    for (size_t i = 0; w->out && i < count; i++)
        fill_structure(type, items + i * type->size, w->out + w->at + i * type->size);
    w->at += count * type->size;
    w->arena += aligned(count * type->size, 16);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < type->field_count; k++)
            write_target(w, &type->fields[k], items + i * type->size);
}

gz_image_size gz_image_write(const gz_type *type, const void *structure, unsigned char *out) {
    writer w = {.out = out};
    write_structures(&w, type, structure, 1);
    align(&w, GZ_IMAGE_ALIGNMENT);
    return (gz_image_size){w.at, w.arena};
}
