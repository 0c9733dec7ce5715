// Bytes to structures. Nothing of the body is believed.

#include <math.h>
#include <string.h>

#include "compile/image.h"
#include "graze/robot.h"

typedef struct reader {
    const unsigned char *body;
    size_t at, size;
    unsigned char *arena;
    size_t arena_at, arena_size;
    const char *file;
    graze_error *error;
} reader;

/// The name of a field in a message.
static graze_status fail(const reader *r, const gz_type *type, const gz_field *field,
                         const char *what) {
    return gz_fail_at(r->error, GRAZE_ERROR_PARSE, (gz_place){.file = r->file},
                      "compiled file is damaged at byte %zu of a body: %s%s%s %s", r->at,
                      type->name, field ? "." : "", field ? field->name : "", what);
}

/// Moves to the next multiple; false behind the end. The bytes between must be 0, so that every
/// byte of a file counts.
static bool align(reader *r, size_t alignment) {
    size_t skip = (alignment - r->at % alignment) % alignment;
    if (skip > r->size - r->at) return false;
    for (size_t i = 0; i < skip; i++)
        if (r->body[r->at + i]) return false;
    r->at += skip;
    return true;
}

/// The next count * unit bytes, or NULL where there are not so many.
static const unsigned char *take(reader *r, size_t count, size_t unit) {
    size_t bytes;
    if (__builtin_mul_overflow(count, unit, &bytes) || bytes > r->size - r->at) return NULL;
    const unsigned char *out = r->body + r->at;
    r->at += bytes;
    return out;
}

static graze_status check_value(const reader *r, const gz_type *type, const gz_field *f,
                                const unsigned char *value) {
    if (f->kind == GZ_FIELD_BOOL && *value > 1) return fail(r, type, f, "is not 0 or 1");
    if (f->kind == GZ_FIELD_CHOICE) {
        uint32_t choice;
        memcpy(&choice, value, sizeof choice);
        if (choice > f->limit) return fail(r, type, f, "is no choice");
    }
    bool numbers = f->kind == GZ_FIELD_NUMBERS || f->kind == GZ_FIELD_BOX;
    for (uint32_t i = 0; numbers && i < f->size; i += sizeof(double)) {
        double number;
        memcpy(&number, value + i, sizeof number);
        if (!(fabs(number) <= GZ_NUMBER_MAX))
            return fail(r, type, f, "is out of range; allowed: magnitudes up to 2^40");
    }
    if (f->kind != GZ_FIELD_BOX) return GRAZE_OK;
    graze_aabb box;
    memcpy(&box, value, sizeof box);
    // Splitting a tree of boxes stops where areas are negative.
    if (!(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z))
        return fail(r, type, f, "is no box; allowed: min at most max");
    return GRAZE_OK;
}

static graze_status read_structures(reader *r, const gz_type *type, size_t count, void **out);

static graze_status read_text(reader *r, const gz_type *type, const gz_field *f, size_t length,
                              const void **out) {
    if (length == 0 && f->kind == GZ_FIELD_MAYBE_TEXT) return GRAZE_OK;
    const unsigned char *text = length ? take(r, length, 1) : NULL;
    if (!text || memchr(text, '\0', length) != text + length - 1)
        return fail(r, type, f, "is no string");
    *out = text;
    return GRAZE_OK;
}

/// Turns what stands in a structure for a pointer into one.
static graze_status read_target(reader *r, const gz_type *type, const gz_field *f,
                                unsigned char *structure) {
    uintptr_t slot;
    memcpy(&slot, structure + f->offset, sizeof slot);
    const void *target = NULL;
    graze_status status = GRAZE_OK;
    if (f->kind == GZ_FIELD_TEXT || f->kind == GZ_FIELD_MAYBE_TEXT) {
        status = read_text(r, type, f, slot, &target);
    } else if (f->kind == GZ_FIELD_MAYBE) {
        if (slot > 1) return fail(r, type, f, "is neither there nor not");
        void *made = NULL;
        status = read_structures(r, f->type, slot, &made);
        target = slot ? made : NULL;
    } else {
        if (slot) return fail(r, type, f, "is not 0 where a pointer will be");
        size_t count = gz_field_count(f, structure);
        void *made = NULL;
        if (f->kind == GZ_FIELD_STRUCTS) {
            status = read_structures(r, f->type, count, &made);
            target = made;
        } else {
            target = align(r, GZ_IMAGE_ALIGNMENT) ? take(r, count, f->unit) : NULL;
            if (!target) return fail(r, type, f, "is longer than the file");
        }
    }
    if (status == GRAZE_OK) memcpy(structure + f->offset, &target, sizeof target);
    return status;
}

static graze_status read_structure(reader *r, const gz_type *type, unsigned char *structure) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        graze_status status = f->kind < GZ_FIELD_TEXT
                                  ? check_value(r, type, f, structure + f->offset)
                                  : read_target(r, type, f, structure);
        if (status) return status;
    }
    return GRAZE_OK;
}

static graze_status read_structures(reader *r, const gz_type *type, size_t count, void **out) {
    const unsigned char *from = align(r, 16) ? take(r, count, type->size) : NULL;
    if (!from) return fail(r, type, NULL, "are more than the file holds");
    size_t bytes = count * type->size, room = (bytes + 15) / 16 * 16;
    if (room > r->arena_size - r->arena_at)
        return fail(r, type, NULL, "are more than the header says");
    unsigned char *to = r->arena + r->arena_at;
    r->arena_at += room;
    if (bytes) memcpy(to, from, bytes);
    for (size_t i = 0; i < count; i++) {
        graze_status status = read_structure(r, type, to + i * type->size);
        if (status) return status;
    }
    *out = to;
    return GRAZE_OK;
}

graze_status gz_image_read(const gz_type *type, const unsigned char *body, gz_image_size size,
                           void *arena, const char *file, void **structure, graze_error *error) {
    reader r = {.body = body,
                .size = size.bytes,
                .arena = arena,
                .arena_size = size.arena_bytes,
                .file = file,
                .error = error};
    *structure = NULL;
    graze_status status = read_structures(&r, type, 1, structure);
    if (status) return status;
    if (!align(&r, GZ_IMAGE_ALIGNMENT) || r.at != r.size || r.arena_at != r.arena_size)
        return fail(&r, type, NULL, "ends before its body");
    return GRAZE_OK;
}
