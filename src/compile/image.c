// Structures to bytes, bytes to structures, and where two structures differ.

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "compile/image.h"
#include "graze/robot.h"
#include "robot/robot.h"
#include "world/world.h"

/// Bytes of a field, and of a structure, in a file.
static size_t field_size(const gz_field *f) {
    if (f->kind >= GZ_FIELD_STRUCTS) return 0;
    return f->kind >= GZ_FIELD_SIZE ? sizeof(uint64_t) : f->size;
}

static size_t structure_size(const gz_type *type) {
    size_t size = 0;
    for (uint32_t i = 0; i < type->field_count; i++) size += field_size(&type->fields[i]);
    return size;
}

// ---------------------------------------------------------------------------------------- writing

typedef struct writer {
    unsigned char *out; ///< NULL: only measuring
    size_t at;
} writer;

static void write_padding(writer *w) {
    size_t skip = -w->at % GZ_IMAGE_ALIGNMENT;
    if (w->out) memset(w->out + w->at, 0, skip);
    w->at += skip;
}

static void put(writer *w, const void *bytes, size_t size) {
    if (w->out && size) memcpy(w->out + w->at, bytes, size);
    w->at += size;
}

/// What stands in the file for a size_t, a string, or a structure that may be there.
static uint64_t slot_of(const gz_field *field, const void *structure) {
    if (field->kind == GZ_FIELD_SIZE) {
        size_t size;
        memcpy(&size, (const unsigned char *)structure + field->offset, sizeof size);
        return size;
    }
    const void *pointer = gz_field_pointer(field, structure);
    if (!pointer) return 0;
    return field->kind == GZ_FIELD_MAYBE ? 1 : strlen(pointer) + 1;
}

static void write_fields(writer *w, const gz_type *type, const unsigned char *structure) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_SIZE) {
            put(w, structure + f->offset, f->size);
        } else if (f->kind < GZ_FIELD_STRUCTS) {
            const uint64_t slot = slot_of(f, structure);
            put(w, &slot, sizeof slot);
        }
    }
}

static void write_structures(writer *w, const gz_type *type, const void *array, size_t count);

static void write_target(writer *w, const gz_field *f, const void *structure) {
    if (f->kind < GZ_FIELD_TEXT) return;
    const void *target = gz_field_pointer(f, structure);
    if (f->kind == GZ_FIELD_ARRAY) {
        write_padding(w);
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
    const unsigned char *items = array;
    if (w->out)
        for (size_t i = 0; i < count; i++) write_fields(w, type, items + i * type->size);
    else
        w->at += count * structure_size(type);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < type->field_count; k++)
            write_target(w, &type->fields[k], items + i * type->size);
}

size_t gz_image_write(const gz_type *type, const void *structure, unsigned char *out) {
    writer w = {.out = out};
    write_structures(&w, type, structure, 1);
    write_padding(&w);
    return w.at;
}

// ---------------------------------------------------------------------------------------- reading
// Every length, bool, enumerator and number of the body is checked.

typedef struct reader {
    const unsigned char *body;
    size_t at, size;
    gz_pool *pool;
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

/// Moves to the next multiple of 64; false behind the end. The bytes between must be 0, so that
/// every byte of a file counts.
static bool skip_padding(reader *r) {
    size_t skip = -r->at % GZ_IMAGE_ALIGNMENT;
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

/// Copies what stands in the file for a field, and checks what it is. What a string or a structure
/// that may be there is said by stays in the place of its pointer until read_target().
static graze_status read_field(const reader *r, const gz_type *type, const gz_field *f,
                               const unsigned char *from, unsigned char *to) {
    if (f->kind >= GZ_FIELD_STRUCTS) return GRAZE_OK;
    if (f->kind < GZ_FIELD_SIZE) {
        memcpy(to, from, f->size);
        return check_value(r, type, f, to);
    }
    uint64_t slot;
    memcpy(&slot, from, sizeof slot);
    size_t size = (size_t)slot;
    if (size != slot) return fail(r, type, f, "is too large for this machine");
    if (f->kind == GZ_FIELD_MAYBE && size > 1) return fail(r, type, f, "is neither there nor not");
    memcpy(to, &size, sizeof size);
    return GRAZE_OK;
}

/// Reads what a pointer of a structure points to.
static graze_status read_target(reader *r, const gz_type *type, const gz_field *f,
                                unsigned char *structure) {
    size_t count;
    if (f->kind >= GZ_FIELD_STRUCTS)
        count = gz_field_count(f, structure);
    else
        memcpy(&count, structure + f->offset, sizeof count);
    const void *target = NULL;
    void *made = NULL;
    if (f->kind == GZ_FIELD_TEXT || f->kind == GZ_FIELD_MAYBE_TEXT) {
        GZ_TRY(read_text(r, type, f, count, &target));
    } else if (f->kind == GZ_FIELD_ARRAY) {
        target = skip_padding(r) ? take(r, count, f->unit) : NULL;
        if (!target) return fail(r, type, f, "is longer than the file");
    } else if (f->kind == GZ_FIELD_STRUCTS || count) {
        GZ_TRY(read_structures(r, f->type, count, &made));
        target = made;
    }
    memcpy(structure + f->offset, &target, sizeof target);
    return GRAZE_OK;
}

static graze_status read_structures(reader *r, const gz_type *type, size_t count, void **out) {
    const size_t size = structure_size(type);
    const unsigned char *from = take(r, count, size);
    if (!from) return fail(r, type, NULL, "are more than the file holds");
    if (count > SIZE_MAX / 2 / type->size)
        return fail(r, type, NULL, "are too many for this machine");
    unsigned char *to = gz_pool_take(r->pool, count * type->size);
    if (!to) return gz_fail_memory(r->error);
    memset(to, 0, count * type->size);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < type->field_count; k++) {
            const gz_field *f = &type->fields[k];
            GZ_TRY(read_field(r, type, f, from, to + i * type->size + f->offset));
            from += field_size(f);
        }
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < type->field_count; k++)
            if (type->fields[k].kind >= GZ_FIELD_TEXT)
                GZ_TRY(read_target(r, type, &type->fields[k], to + i * type->size));
    *out = to;
    return GRAZE_OK;
}

graze_status gz_image_read(const gz_type *type, const unsigned char *body, size_t size,
                           gz_pool *pool, const char *file, void **structure, graze_error *error) {
    reader r = {.body = body, .size = size, .pool = pool, .file = file, .error = error};
    *structure = NULL;
    GZ_TRY(read_structures(&r, type, 1, structure));
    if (!skip_padding(&r) || r.at != r.size) return fail(&r, type, NULL, "ends before its body");
    return GRAZE_OK;
}

// -------------------------------------------------------------------------------------- comparing

static size_t length_of(const void *structure, const gz_field *field) {
    return field->kind >= GZ_FIELD_STRUCTS ? gz_field_count(field, structure)
                                           : gz_field_pointer(field, structure) != NULL;
}

const char *gz_image_difference(const gz_type *type, const void *a, const void *b) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        if (f->kind < GZ_FIELD_TEXT) {
            const unsigned char *x = a, *y = b;
            if (memcmp(x + f->offset, y + f->offset, f->size) != 0) return f->name;
            continue;
        }
        const unsigned char *x = gz_field_pointer(f, a), *y = gz_field_pointer(f, b);
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

// ---------------------------------------------------------------------------------------- sources

static const gz_field source_fields[] = {
    GZ_TEXT(gz_source, path),  GZ_VALUE(gz_source, kind), GZ_VALUE(gz_source, known),
    GZ_VALUE(gz_source, size), GZ_VALUE(gz_source, hash),
};
static GZ_TYPE_TABLE(type_source, gz_source, source_fields);

static const gz_field source_list_fields[] = {
    GZ_STRUCTS(gz_source_list, items, count, type_source),
    GZ_SIZE(gz_source_list, count),
};
GZ_TYPE_TABLE(gz_type_source_list, gz_source_list, source_list_fields);

// ------------------------------------------------------------------------------------ the tables

static uint64_t add_number(uint64_t hash, uint64_t number) {
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

/// The place in the table of the field that counts an array.
static uint32_t counting_field(const gz_type *type, const gz_field *f) {
    uint32_t k = 0;
    while (k < type->field_count && type->fields[k].offset != f->count_offset) k++;
    return k;
}

static uint64_t add_type(uint64_t hash, const gz_type *type) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        // FNV-1a: this is a good part of what opening a small file takes.
        for (const char *c = f->name; *c; c++) hash = add_number(hash, (unsigned char)*c);
        hash = add_number(hash, (uint64_t)f->kind);
        hash = add_number(hash, field_size(f));
        hash = add_number(hash, f->limit);
        hash = add_number(hash, f->unit);
        if (f->kind >= GZ_FIELD_STRUCTS) hash = add_number(hash, counting_field(type, f));
        hash = gz_random_mix(hash);
        if (f->type) hash = add_type(hash, f->type);
    }
    return hash;
}

uint64_t gz_type_fingerprint(void) {
    // What lies in arrays has a size, too, but no table: its offsets are hashed here.
    const uint64_t inside[] = {offsetof(gz_node, child),         offsetof(gz_node, count),
                               offsetof(gz_packet, triangle),    offsetof(gz_packet, count),
                               offsetof(gz_component, triangle), offsetof(gz_component, box),
                               offsetof(gz_point_leaf, point)};
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        hash = gz_random_mix(hash ^ inside[i]);
    hash = add_type(hash, &gz_type_source_list);
    hash = add_type(hash, &gz_type_robot);
    return add_type(hash, &gz_type_world);
}
