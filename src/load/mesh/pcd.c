// Clouds of points of the Point Cloud Library (.pcd), versions 0.5 to 0.7: a header of lines, then
// points as text, as rows of numbers, or field by field and compressed by LZF.

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "load/mesh/mesh_reader.h"

enum { MOST_FIELDS = 256, MOST_COUNT = 1 << 20 };

typedef struct field {
    uint32_t size, count;
    char type;       ///< I, U or F
    uint64_t offset; ///< in a row of bytes
    uint32_t column; ///< in a row of words
} field;

typedef struct cloud {
    gz_mesh_reader *reader;
    field fields[MOST_FIELDS];
    uint32_t field_count;
    int32_t axis[3]; ///< fields of x, y and z; -1: not there
    gz_number_type number[3];
    bool has_points, has_width, has_height, has_sizes, has_types;
    uint64_t points, width, height;
    uint64_t row; ///< bytes of a point
    uint32_t columns;
    uint64_t dropped; ///< points with a coordinate that is not a number
} cloud;

bool gz_pcd_is(const char *bytes, size_t size) {
    gz_text_cursor cursor = gz_cursor_begin(bytes, size < 4096 ? size : 4096);
    for (gz_word word; gz_cursor_word(&cursor, &word); gz_cursor_skip_line(&cursor))
        if (word.text[0] != '#')
            return gz_word_is(word, "version") || gz_word_is(word, "fields") ||
                   gz_word_is(word, "columns");
    return false;
}

// ------------------------------------------------------------------------------------------ header

#define fail_line(c, status, ...)                                                                  \
    gz_mesh_fail((c)->reader, (c)->reader->cursor.line, status, __VA_ARGS__)

static graze_status read_fields(cloud *c) {
    gz_word word;
    static const char *const names[3] = {"x", "y", "z"};
    if (c->field_count) return fail_line(c, GRAZE_ERROR_PARSE, "FIELDS stands twice");
    while (gz_cursor_line_word(&c->reader->cursor, &word)) {
        if (c->field_count == MOST_FIELDS)
            return fail_line(c, GRAZE_ERROR_LIMIT, "more than %d fields; allowed: %d", MOST_FIELDS,
                             MOST_FIELDS);
        for (int k = 0; k < 3; k++) {
            if (!gz_word_is(word, names[k])) continue;
            if (c->axis[k] >= 0)
                return fail_line(c, GRAZE_ERROR_PARSE, "the field %s stands twice", names[k]);
            c->axis[k] = (int32_t)c->field_count;
        }
        c->fields[c->field_count++] = (field){.size = 4, .count = 1, .type = 'F'};
    }
    return GRAZE_OK;
}

/// The values of SIZE, TYPE or COUNT: one for each field.
static graze_status read_column(cloud *c, gz_word key) {
    const bool type = gz_word_is(key, "type"), size = gz_word_is(key, "size");
    for (uint32_t i = 0; i < c->field_count; i++) {
        gz_word word;
        uint64_t value = 0;
        if (!gz_cursor_line_word(&c->reader->cursor, &word))
            return fail_line(c, GRAZE_ERROR_PARSE, "%.*s has %u values; allowed: %u, as FIELDS",
                             (int)key.size, key.text, i, c->field_count);
        bool fine = type ? word.size == 1 && memchr("IUFiuf", word.text[0], 6)
                         : gz_whole_parse(word, MOST_COUNT, &value) &&
                               (!size || value == 1 || value == 2 || value == 4 || value == 8);
        if (!fine)
            return fail_line(c, GRAZE_ERROR_PARSE, "%.*s holds '%.*s'; allowed: %s", (int)key.size,
                             key.text, gz_word_shown(word), word.text,
                             type   ? "I, U, F"
                             : size ? "1, 2, 4, 8"
                                    : "0 to 1048576");
        if (type)
            c->fields[i].type = (char)(word.text[0] & ~0x20);
        else
            *(size ? &c->fields[i].size : &c->fields[i].count) = (uint32_t)value;
    }
    gz_word more;
    if (gz_cursor_line_word(&c->reader->cursor, &more))
        return fail_line(c, GRAZE_ERROR_PARSE, "%.*s has more values than FIELDS, %u",
                         (int)key.size, key.text, c->field_count);
    c->has_sizes |= size;
    c->has_types |= type;
    return GRAZE_OK;
}

static graze_status read_whole(cloud *c, gz_word key, bool *has, uint64_t *out) {
    gz_word word = {0};
    *has = gz_cursor_line_word(&c->reader->cursor, &word) && gz_whole_parse(word, UINT32_MAX, out);
    if (*has) return GRAZE_OK;
    return fail_line(c, GRAZE_ERROR_PARSE, "%.*s is '%.*s'; allowed: a whole number", (int)key.size,
                     key.text, gz_word_shown(word), word.text ? word.text : "");
}

/// Where the sensor stood: the points are taken as they are written, as the Point Cloud Library
/// does.
static graze_status read_viewpoint(cloud *c) {
    static const double none[7] = {0, 0, 0, 1, 0, 0, 0};
    bool moved = false;
    for (int i = 0; i < 7; i++) {
        gz_word word = {0};
        double value;
        if (!gz_cursor_line_word(&c->reader->cursor, &word) ||
            !gz_number_parse(word.text, word.size, &value))
            return fail_line(c, GRAZE_ERROR_PARSE, "VIEWPOINT; allowed: 7 numbers");
        moved |= value != none[i];
    }
    if (moved)
        gz_warn(c->reader->warnings, "pcd-viewpoint",
                gz_mesh_place(c->reader, c->reader->cursor.line),
                "VIEWPOINT is not 0 0 0 1 0 0 0; the points are taken as written, not moved by it");
    return GRAZE_OK;
}

static graze_status read_line(cloud *c, gz_word key) {
    if (gz_word_is(key, "version")) return GRAZE_OK;
    if (gz_word_is(key, "fields") || gz_word_is(key, "columns")) return read_fields(c);
    if (gz_word_is(key, "viewpoint")) return read_viewpoint(c);
    if (gz_word_is(key, "width")) return read_whole(c, key, &c->has_width, &c->width);
    if (gz_word_is(key, "height")) return read_whole(c, key, &c->has_height, &c->height);
    if (gz_word_is(key, "points")) return read_whole(c, key, &c->has_points, &c->points);
    if (gz_word_index(key, "size type count") >= 0) return read_column(c, key);
    return fail_line(c, GRAZE_ERROR_PARSE,
                     "'%.*s'; allowed: VERSION, FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, "
                     "VIEWPOINT, POINTS, DATA",
                     gz_word_shown(key), key.text);
}

/// What the numbers of an axis are; false for those that no double holds, and for lists.
static bool number_type(const field *f, gz_number_type *out) {
    static const gz_number_type whole[2][3] = {{GZ_I8, GZ_I16, GZ_I32}, {GZ_U8, GZ_U16, GZ_U32}};
    if (f->count != 1) return false;
    if (f->type == 'F') {
        *out = f->size == 8 ? GZ_F64 : GZ_F32;
        return f->size == 4 || f->size == 8;
    }
    if (f->size > 4) return false;
    *out = whole[f->type == 'U'][f->size == 4 ? 2 : f->size - 1];
    return true;
}

static graze_status check_header(cloud *c, bool text) {
    if (c->axis[0] < 0 || c->axis[1] < 0 || c->axis[2] < 0)
        return fail_line(c, GRAZE_ERROR_PARSE, "FIELDS lacks x, y or z; allowed: all three");
    if (!text && (!c->has_sizes || !c->has_types))
        return fail_line(c, GRAZE_ERROR_PARSE, "no %s; allowed: SIZE and TYPE before binary DATA",
                         c->has_sizes ? "TYPE" : "SIZE");
    for (uint32_t i = 0; i < c->field_count; i++) {
        field *f = &c->fields[i];
        f->offset = c->row;
        f->column = c->columns;
        c->row += (uint64_t)f->size * f->count; // at most 2^8 times 2^23
        c->columns += f->count;
    }
    for (int k = 0; k < 3; k++)
        if (!number_type(&c->fields[c->axis[k]], &c->number[k]))
            return fail_line(c, GRAZE_ERROR_UNSUPPORTED,
                             "%c is of type %c, size %u, count %u; allowed: F of 4 or 8, I or U of "
                             "1, 2 or 4 bytes, one",
                             "xyz"[k], c -> fields[c->axis[k]].type, c->fields[c->axis[k]].size,
                             c->fields[c->axis[k]].count);
    uint64_t area = c->width * (c->has_height ? c->height : 1);
    if (!c->has_points && !c->has_width)
        return fail_line(c, GRAZE_ERROR_PARSE, "neither POINTS nor WIDTH stands before DATA");
    if (!c->has_points) c->points = area;
    if ((c->has_width && area != c->points) || c->points > UINT32_MAX)
        return fail_line(c, GRAZE_ERROR_MESH,
                         "%" PRIu64 " points in %" PRIu64 " by %" PRIu64
                         "; allowed: WIDTH times HEIGHT, below 2^32",
                         c->points, c->width, c->has_height ? c->height : 1);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ points

static graze_status add_point(cloud *c, int32_t line, uint64_t index, const double p[3]) {
    gz_mesh_reader *r = c->reader;
    if (isnan(p[0]) || isnan(p[1]) || isnan(p[2])) {
        c->dropped++;
        return GRAZE_OK;
    }
    GZ_TRY(gz_mesh_reserve(r, 1, 0));
    if (gz_mesh_append_vertex(r, p)) return GRAZE_OK;
    return gz_mesh_fail_vertex(r, line, p, "point %" PRIu64, index);
}

static graze_status read_text(cloud *c) {
    gz_mesh_reader *r = c->reader;
    for (uint64_t i = 0; i < c->points; i++) {
        double p[3] = {0};
        gz_cursor_skip_blanks(&r->cursor);
        for (uint32_t column = 0; column < c->columns; column++) {
            gz_word word;
            if (!gz_cursor_line_word(&r->cursor, &word))
                return fail_line(c, GRAZE_ERROR_MESH,
                                 "point %" PRIu64 " of %" PRIu64 " has %u numbers; allowed: %u", i,
                                 c->points, column, c->columns);
            for (int k = 0; k < 3; k++)
                if (c->fields[c->axis[k]].column == column &&
                    !gz_number_parse(word.text, word.size, &p[k]))
                    return fail_line(c, GRAZE_ERROR_PARSE,
                                     "point %" PRIu64 ": '%.*s'; allowed: a number", i,
                                     gz_word_shown(word), word.text);
        }
        GZ_TRY(add_point(c, r->cursor.line, i, p));
        gz_word more;
        if (gz_cursor_line_word(&r->cursor, &more))
            return fail_line(c, GRAZE_ERROR_MESH,
                             "point %" PRIu64 " has more than %u numbers; allowed: as many as "
                             "FIELDS and COUNT say",
                             i, c->columns);
    }
    gz_word more;
    if (!gz_cursor_word(&r->cursor, &more)) return GRAZE_OK;
    return fail_line(c, GRAZE_ERROR_MESH,
                     "more lines than points, %" PRIu64 "; allowed: as many as POINTS says",
                     c->points);
}

/// Reads the points of a block: the numbers of an axis begin at `start` and are `step` apart.
static graze_status read_block(cloud *c, const char *block, const uint64_t start[3],
                               const uint64_t step[3]) {
    for (uint64_t i = 0; i < c->points; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = gz_load_number(c->number[k], block + start[k] + i * step[k], false);
        GZ_TRY(add_point(c, 0, i, p));
    }
    return GRAZE_OK;
}

static graze_status check_end(const cloud *c, uint64_t used, uint64_t left) {
    if (used > left)
        return gz_mesh_fail(c->reader, 0, GRAZE_ERROR_MESH,
                            "%" PRIu64 " bytes behind the header; allowed: %" PRIu64 " for %" PRIu64
                            " points",
                            left, used, c->points);
    if (used < left)
        gz_warn(c->reader->warnings, "pcd-bytes-behind", gz_mesh_place(c->reader, 0),
                "%" PRIu64 " bytes behind the last point are ignored", left - used);
    return GRAZE_OK;
}

static graze_status read_rows(cloud *c, const char *data, uint64_t size) {
    uint64_t start[3], step[3] = {c->row, c->row, c->row}, used;
    for (int k = 0; k < 3; k++) start[k] = c->fields[c->axis[k]].offset;
    if (__builtin_mul_overflow(c->row, c->points, &used)) used = UINT64_MAX;
    GZ_TRY(check_end(c, used, size));
    return read_block(c, data, start, step);
}

/// Undoes LZF (Lehmann): runs of bytes, and copies of what came before. Returns the bytes written,
/// or the capacity + 1 where the input is not as it must be.
static size_t decompress(const unsigned char *in, size_t size, unsigned char *out,
                         size_t capacity) {
    const unsigned char *end = in + size;
    size_t n = 0;
    while (in < end) {
        size_t control = *in++;
        if (control < 32) {
            size_t length = control + 1;
            if ((size_t)(end - in) < length || capacity - n < length) return capacity + 1;
            memcpy(out + n, in, length);
            in += length;
            n += length;
            continue;
        }
        size_t length = control >> 5;
        if (length == 7) {
            if (in == end) return capacity + 1;
            length += *in++;
        }
        length += 2;
        if (in == end) return capacity + 1;
        size_t back = ((control & 31) << 8) + *in++ + 1;
        if (back > n || capacity - n < length) return capacity + 1;
        // Byte by byte: a copy may run into what it writes.
        for (; length; length--, n++) out[n] = out[n - back];
    }
    return n;
}

static graze_status read_compressed(cloud *c, const char *data, uint64_t size) {
    gz_mesh_reader *r = c->reader;
    if (size < 8)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH, "%" PRIu64 " bytes; allowed: two sizes first",
                            size);
    uint64_t packed = gz_load_u32(data, false), full = gz_load_u32(data + 4, false), wanted;
    GZ_TRY(check_end(c, packed + 8, size));
    // Three bytes stand for at most 264.
    if (__builtin_mul_overflow(c->row, c->points, &wanted) || full != wanted ||
        full / 88 > packed + 1)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH,
                            "%" PRIu64 " bytes, packed %" PRIu64 ", for %" PRIu64
                            " points of %" PRIu64 " bytes; allowed: as many as they take",
                            full, packed, c->points, c->row);
    GZ_TRY(gz_mesh_check_memory(r, full, "the compressed points"));
    char *block = gz_malloc(full, 1);
    if (!block) return gz_fail_memory(r->error);
    graze_status status = GRAZE_OK;
    if (decompress((const unsigned char *)data + 8, packed, (unsigned char *)block, full) != full)
        status = gz_mesh_fail(
            r, 0, GRAZE_ERROR_MESH,
            "the compressed points are damaged; allowed: LZF of %" PRIu64 " bytes", full);
    uint64_t start[3], step[3];
    for (int k = 0; k < 3; k++) {
        start[k] = c->fields[c->axis[k]].offset * c->points;
        step[k] = c->fields[c->axis[k]].size;
    }
    if (!status) status = read_block(c, block, start, step);
    gz_free(block);
    return status;
}

// -------------------------------------------------------------------------------------------- file

static graze_status read_data(cloud *c, gz_word data) {
    gz_mesh_reader *r = c->reader;
    int kind = gz_word_index(data, "ascii binary binary_compressed");
    if (kind < 0)
        return fail_line(c, GRAZE_ERROR_UNSUPPORTED,
                         "DATA is '%.*s'; allowed: ascii, binary, binary_compressed",
                         gz_word_shown(data), data.text);
    GZ_TRY(check_header(c, kind == 0));
    gz_cursor_skip_line(&r->cursor);
    uint64_t left = (uint64_t)(r->cursor.end - r->cursor.at);
    if (kind == 0) return read_text(c);
    return kind == 1 ? read_rows(c, r->cursor.at, left) : read_compressed(c, r->cursor.at, left);
}

static graze_status read_lines(cloud *c) {
    gz_text_cursor *cursor = &c->reader->cursor;
    for (gz_word key; gz_cursor_word(cursor, &key); gz_cursor_skip_line(cursor)) {
        gz_word data = {0};
        if (key.text[0] == '#') continue;
        if (!gz_word_is(key, "data")) {
            GZ_TRY(read_line(c, key));
            continue;
        }
        if (!gz_cursor_line_word(cursor, &data))
            return fail_line(c, GRAZE_ERROR_PARSE, "DATA without a value");
        return read_data(c, data);
    }
    return fail_line(c, GRAZE_ERROR_PARSE, "the header ends without DATA");
}

graze_status gz_pcd_read(gz_mesh_reader *r) {
    cloud *c = gz_calloc(1, sizeof *c);
    if (!c) return gz_fail_memory(r->error);
    *c = (cloud){.reader = r, .axis = {-1, -1, -1}};
    r->cursor = gz_cursor_begin(r->bytes, r->size);
    graze_status status = read_lines(c);
    if (!status && c->dropped)
        gz_warn(r->warnings, "points-not-numbers", gz_mesh_place(r, 0),
                "%" PRIu64 " of %" PRIu64 " points have a coordinate that is NaN; left out",
                c->dropped, c->points);
    gz_free(c);
    return status;
}
