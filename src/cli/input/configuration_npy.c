// NumPy's array format, versions 1.0 to 3.0: magic, version, length of a header, the header (a
// Python dictionary literal with three keys), then the numbers. Only what a table of
// configurations can be is accepted: little-endian floats, C order, two dimensions.

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/input/configuration.h"
#include "cli/text.h"

// numpy.lib.format allows more; a header for a table takes about a hundred bytes.
#define HEADER_LIMIT 65536

typedef struct npy_header {
    char descr[32];
    bool found[3], fortran_order; ///< found: the three keys
    uint64_t shape[2];
    size_t dimensions;
} npy_header;

typedef struct npy_parser {
    const char *text;
    size_t at, length;
} npy_parser;

static gz_place place_of(const gz_configuration_file *file) {
    return (gz_place){.file = file->source.name};
}

static graze_status fail(const gz_configuration_file *file, graze_error *error, const char *what) {
    return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file), "%s", what);
}

// -------------------------------------------------------------------------------------- header

static void skip_blanks(npy_parser *p) {
    while (p->at < p->length && (p->text[p->at] == ' ' || p->text[p->at] == '\n')) p->at++;
}

static bool take(npy_parser *p, char c) {
    skip_blanks(p);
    if (p->at >= p->length || p->text[p->at] != c) return false;
    p->at++;
    return true;
}

static bool take_word(npy_parser *p, const char *word) {
    skip_blanks(p);
    size_t length = strlen(word);
    if (p->length - p->at < length || memcmp(p->text + p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/// A string in single or double quotes, without escapes.
static bool take_string(npy_parser *p, char *out, size_t size) {
    skip_blanks(p);
    if (p->at >= p->length) return false;
    char quote = p->text[p->at];
    if (quote != '\'' && quote != '"') return false;
    const char *start = p->text + p->at + 1;
    const char *stop = memchr(start, quote, p->length - p->at - 1);
    if (stop == NULL || (size_t)(stop - start) >= size) return false;
    memcpy(out, start, (size_t)(stop - start));
    out[stop - start] = '\0';
    p->at += (size_t)(stop - start) + 2;
    return true;
}

static bool take_count(npy_parser *p, uint64_t *value) {
    skip_blanks(p);
    char digits[24];
    size_t length = 0;
    while (p->at < p->length && length + 1 < sizeof digits &&
           isdigit((unsigned char)p->text[p->at]))
        digits[length++] = p->text[p->at++];
    digits[length] = '\0';
    // Python 2 wrote long integers with an L.
    if (length > 0 && p->at < p->length && p->text[p->at] == 'L') p->at++;
    return gz_decimal_parse_count(digits, value);
}

/// A tuple of numbers: (), (3,), (3, 4), ... of which two are kept.
static bool take_shape(npy_parser *p, npy_header *header) {
    if (!take(p, '(')) return false;
    while (!take(p, ')')) {
        uint64_t value = 0;
        if (!take_count(p, &value)) return false;
        if (header->dimensions < 2) header->shape[header->dimensions] = value;
        header->dimensions++;
        if (!take(p, ',')) return take(p, ')');
    }
    return true;
}

static bool take_entry(npy_parser *p, npy_header *header) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    char key[32];
    int which = 0;
    if (!take_string(p, key, sizeof key) || !take(p, ':')) return false;
    while (which < 3 && strcmp(key, keys[which]) != 0) which++;
    if (which == 3 || header->found[which]) return false;
    header->found[which] = true;
    if (which == 0) return take_string(p, header->descr, sizeof header->descr);
    if (which == 2) return take_shape(p, header);
    header->fortran_order = take_word(p, "True");
    return header->fortran_order || take_word(p, "False");
}

static bool parse_header(npy_parser *p, npy_header *header) {
    if (!take(p, '{')) return false;
    for (bool more = true; !take(p, '}'); more = take(p, ','))
        if (!more || !take_entry(p, header)) return false;
    skip_blanks(p);
    return p->at == p->length && header->found[0] && header->found[1] && header->found[2];
}

static uint32_t little_endian(const char *bytes, size_t count) {
    uint32_t value = 0;
    for (size_t i = count; i > 0; i--) value = value << 8 | (unsigned char)bytes[i - 1];
    return value;
}

/// Reads from the magic to the first number.
static graze_status read_header(gz_configuration_file *file, npy_header *header,
                                graze_error *error) {
    gz_byte_source *source = &file->source;
    GZ_TRY(gz_byte_source_fill(source, 12, error));
    const char *bytes = source->buffer + source->begin;
    size_t available = source->end - source->begin;
    if (available < 6 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return fail(file, error, "the first bytes are not those of an NPY file (\\x93NUMPY)");
    if (available < 12) return fail(file, error, "truncated in the NPY header");
    int major = (unsigned char)bytes[6], minor = (unsigned char)bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place_of(file),
                          "NPY version %d.%d; allowed: 1.0, 2.0, 3.0", major, minor);
    size_t prefix = major == 1 ? 10 : 12;
    size_t length = little_endian(bytes + 8, prefix - 8);
    if (length > HEADER_LIMIT)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place_of(file),
                          "the NPY header has %zu bytes; allowed: up to %d", length, HEADER_LIMIT);
    GZ_TRY(gz_byte_source_fill(source, prefix + length, error));
    if (source->end - source->begin < prefix + length)
        return fail(file, error, "truncated in the NPY header");
    npy_parser parser = {.text = source->buffer + source->begin + prefix, .length = length};
    if (!parse_header(&parser, header))
        return fail(file, error,
                    "the NPY header is not a dictionary with descr, fortran_order and shape");
    source->begin += prefix + length;
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------- meaning

/// Which joints the columns are: those of --joints, or all of q, or the base in front of them.
static graze_status choose_columns(gz_configuration_file *file, const char *joints, uint64_t found,
                                   graze_error *error) {
    size_t size = file->rest->size;
    bool based = found == size + GZ_BASE_SIZE;
    GZ_TRY(joints != NULL ? gz_columns_parse(&file->columns, file->robot, joints, error)
                          : gz_columns_all(&file->columns, file->robot, based, error));
    if (found == 0) return fail(file, error, "no columns; allowed: at least one");
    if (file->columns.count == found) return GRAZE_OK;
    if (joints != NULL)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place_of(file),
                          "%llu columns; allowed: %zu, as --joints names",
                          (unsigned long long)found, file->columns.count);
    return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place_of(file),
                      "%llu columns; allowed: %zu (q, see 'graze info'), %zu (base x y z roll "
                      "pitch yaw, then q), or others named by --joints",
                      (unsigned long long)found, size, size + GZ_BASE_SIZE);
}

graze_status gz_npy_open(gz_configuration_file *file, const char *joints, graze_error *error) {
    npy_header header = {0};
    GZ_TRY(read_header(file, &header, error));
    bool is_double = strcmp(header.descr, "<f8") == 0;
    if (!is_double && strcmp(header.descr, "<f4") != 0)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place_of(file),
                          "numbers of type '%s'; allowed: '<f8' (float64), '<f4' (float32)",
                          header.descr);
    if (header.fortran_order)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place_of(file),
                          "Fortran order; allowed: C order (numpy.ascontiguousarray)");
    if (header.dimensions != 2)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place_of(file),
                          "%zu dimension%s; allowed: 2, one configuration per row",
                          header.dimensions, header.dimensions == 1 ? "" : "s");
    GZ_TRY(choose_columns(file, joints, header.shape[1], error));
    file->item_size = is_double ? 8 : 4;
    file->row_count = header.shape[0];
    // A regular file shows at once whether its numbers are all there; a pipe on the way.
    uint64_t row_bytes = (uint64_t)(file->columns.count * file->item_size);
    uint64_t rest = file->source.size -
                    (file->source.taken - (file->source.end - file->source.begin));
    bool fits = file->row_count <= UINT64_MAX / row_bytes;
    if (!fits || (file->source.regular && file->row_count * row_bytes != rest))
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file),
                          "%llu bytes of numbers behind the header; allowed: %llu rows of %llu",
                          (unsigned long long)rest, (unsigned long long)file->row_count,
                          (unsigned long long)row_bytes);
    return GRAZE_OK;
}

static double read_number(const char *bytes, size_t size) {
    uint32_t low = little_endian(bytes, 4);
    uint64_t bits = size == 8 ? (uint64_t)little_endian(bytes + 4, 4) << 32 | low : 0;
    float single;
    double number;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return size == 8 ? number : (double)single;
}

graze_status gz_npy_read_row(gz_configuration_file *file, bool *end, graze_error *error) {
    gz_byte_source *source = &file->source;
    *end = file->rows_read == file->row_count;
    size_t bytes = file->columns.count * file->item_size;
    GZ_TRY(gz_byte_source_fill(source, *end ? 1 : bytes, error));
    size_t available = source->end - source->begin;
    if (*end && available > 0) return fail(file, error, "more bytes follow the last row");
    if (*end) return GRAZE_OK;
    if (available < bytes)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file),
                          "truncated in row %llu; allowed: %llu rows",
                          (unsigned long long)file->rows_read, (unsigned long long)file->row_count);
    const char *at = source->buffer + source->begin;
    for (size_t i = 0; i < file->columns.count; i++)
        file->row[i] = read_number(at + i * file->item_size, file->item_size);
    source->begin += bytes;
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ pairs

/// Two whole numbers of `size` bytes at `bytes`. False where one is not below `limit`.
static bool read_pair(const char *bytes, size_t size, uint64_t limit, uint32_t pair[2]) {
    for (size_t i = 0; i < 2; i++, bytes += size) {
        // A number below 0 is one far above.
        uint64_t high = size == 8 ? little_endian(bytes + 4, 4) : 0;
        uint64_t value = high << 32 | little_endian(bytes, 4);
        if (value >= limit) return false;
        pair[i] = (uint32_t)value;
    }
    return true;
}

static graze_status read_pairs(gz_configuration_file *file, uint64_t limit, uint32_t **pairs,
                               size_t *count, graze_error *error) {
    npy_header header = {0};
    GZ_TRY(read_header(file, &header, error));
    const char *type = header.descr;
    bool is_long = strcmp(type, "<i8") == 0 || strcmp(type, "<u8") == 0;
    if (!is_long && strcmp(type, "<i4") != 0 && strcmp(type, "<u4") != 0)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place_of(file),
                          "numbers of type '%s'; allowed: '<i4', '<i8', '<u4', '<u8' (int32, "
                          "int64, and without sign)",
                          type);
    if (header.fortran_order || header.dimensions != 2 || header.shape[1] != 2)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place_of(file),
                          "no rows of two numbers in C order; allowed: the shape [edges, 2]");
    gz_byte_source *source = &file->source;
    size_t bytes = is_long ? 16 : 8;
    uint64_t rows = header.shape[0];
    uint64_t rest = source->size - (source->taken - (source->end - source->begin));
    if (rows == 0 || rows > UINT64_MAX / bytes || rows * bytes != rest)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file),
                          "%llu bytes of numbers behind the header; allowed: %llu rows of %zu, and "
                          "one row at least",
                          (unsigned long long)rest, (unsigned long long)rows, bytes);
    *pairs = gz_malloc((size_t)rows, 2 * sizeof **pairs);
    if (*pairs == NULL) return gz_fail_memory(error);
    for (*count = 0; *count < rows; ++*count, source->begin += bytes) {
        GZ_TRY(gz_byte_source_fill(source, bytes, error));
        if (source->end - source->begin < bytes) return fail(file, error, "has become shorter");
        if (!read_pair(source->buffer + source->begin, bytes / 2, limit, *pairs + 2 * *count))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, place_of(file),
                              "edge %zu has the end of no configuration; allowed: 0 to %llu",
                              *count, (unsigned long long)(limit - 1));
    }
    return GRAZE_OK;
}

graze_status gz_npy_read_pairs(const char *path, uint64_t limit, uint32_t **pairs, size_t *count,
                               graze_error *error) {
    gz_configuration_file file = {0};
    *pairs = NULL;
    graze_status status = gz_byte_source_open(&file.source, path, error);
    if (status == GRAZE_OK && !file.source.regular)
        status = fail(&file, error, "is no file; allowed: one that can be read again");
    if (status == GRAZE_OK) status = read_pairs(&file, limit, pairs, count, error);
    gz_configuration_file_close(&file);
    if (status == GRAZE_OK) return status;
    gz_free(*pairs);
    *pairs = NULL;
    return status;
}
