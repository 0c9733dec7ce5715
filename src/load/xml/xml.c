#include <expat.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "load/token.h"
#include "load/xml/xml.h"

// MAX_NAMES keeps a file made of nothing but new names from being slow to read.
enum { MAX_NAMES = 4096, MAX_NOTE = 4096 };

struct gz_xml_document {
    gz_pool pool; ///< of the elements and all that they hold
    gz_xml_element *root;
};

/// A tag name, stored once. The counter serves count_namesakes() and is 0 between its calls.
typedef struct tag_name {
    uint32_t counter;
    char name[];
} tag_name;

typedef struct reader {
    XML_Parser parser;
    gz_xml_document *document;
    const char *bytes;
    size_t size;
    const char *file;
    const graze_limits *limits;
    graze_error *error;
    graze_status status; ///< of what stopped the parser, if not expat itself
    gz_xml_element *open;
    const char *note; ///< of the comments since the last tag
    uint32_t depth;
    uint64_t elements;
    bool one_byte; ///< quotes, tabs and line breaks are single bytes of the input
    char *text;    ///< character data since the last tag
    size_t text_size, text_capacity;
    tag_name *tags[MAX_NAMES]; ///< sorted: no choice of names makes finding one slow
    uint32_t tag_count;
} reader;

// --------------------------------------------------------------------------------------- memory

static void stop(reader *r, graze_status status) {
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

/// Memory of the document; NULL after stopping the parser.
static void *take(reader *r, size_t size) {
    void *memory = gz_pool_take(&r->document->pool, size);
    if (!memory) stop(r, gz_fail_memory(r->error));
    return memory;
}

static char *take_string(reader *r, const char *text, size_t n) {
    char *copy = take(r, n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

static void *expat_malloc(size_t size) {
    return gz_malloc(size, 1);
}

static void *expat_realloc(void *memory, size_t size) {
    return gz_realloc(memory, size, 1);
}

// --------------------------------------------------------------------------------------- errors

/// An element's tag points at the name inside its `tag_name`.
static uint32_t *counter_of(const gz_xml_element *element) {
    char *name = (char *)(uintptr_t)element->tag;
    return &((tag_name *)(void *)(name - offsetof(tag_name, name)))->counter;
}

/// Numbers the children of an element among their namesakes, in linear time.
static void count_namesakes(gz_xml_element *element) {
    gz_xml_element *e;
    for (e = element->first_child; e; e = e->next) e->ordinal = ++*counter_of(e);
    for (e = element->first_child; e; e = e->next) e->namesakes = *counter_of(e);
    for (e = element->first_child; e; e = e->next) *counter_of(e) = 0;
}

static gz_place here(reader *r, char path[GRAZE_PATH_SIZE]) {
    path[0] = '\0';
    for (gz_xml_element *e = r->open; e; e = e->parent) count_namesakes(e);
    if (r->open) gz_xml_path(r->open, path, GRAZE_PATH_SIZE);
    return (gz_place){.file = r->file,
                      .element = path,
                      .line = (int32_t)XML_GetCurrentLineNumber(r->parser),
                      .column = (int32_t)XML_GetCurrentColumnNumber(r->parser) + 1};
}

/// Stops the parser with an error at its place.
#define stop_here(r, status, ...)                                                                  \
    stop(r, gz_fail_at((r)->error, status, here(r, (char[GRAZE_PATH_SIZE]){0}), __VA_ARGS__))

// ------------------------------------------------------------------------------------- handlers

/// The stored copy of a name; NULL after stopping the parser.
static const char *intern(reader *r, const char *name) {
    uint32_t low = 0, high = r->tag_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(r->tags[middle]->name, name);
        if (!order) return r->tags[middle]->name;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (r->tag_count == MAX_NAMES) {
        stop_here(r, GRAZE_ERROR_LIMIT,
                  "XML uses more than %d different names; allowed: at most %d", MAX_NAMES,
                  MAX_NAMES);
        return NULL;
    }
    size_t n = strlen(name);
    tag_name *t = take(r, sizeof *t + n + 1);
    if (!t) return NULL;
    memcpy(t->name, name, n + 1);
    t->counter = 0;
    memmove(r->tags + low + 1, r->tags + low, (r->tag_count - low) * sizeof *r->tags);
    r->tags[low] = t;
    r->tag_count++;
    return t->name;
}

/// Scans the start tag as written for the values of its attributes: fixes need their places, and
/// expat turns tabs and line breaks in them into blanks, as XML asks; other URDF readers do not.
static void locate_values(reader *r, gz_xml_attribute *attributes, size_t count) {
    XML_Index index = XML_GetCurrentByteIndex(r->parser);
    int length = XML_GetCurrentByteCount(r->parser);
    if (!r->one_byte || index < 0 || length < 0 || (size_t)index > r->size ||
        (size_t)length > r->size - (size_t)index)
        return;
    const char *p = r->bytes + index, *end = p + length;
    for (size_t i = 0; i < count && p < end; i++) {
        while (p < end && *p != '"' && *p != '\'') p++;
        if (p == end) return;
        char quote = *p++;
        const char *value = p;
        for (; p < end && *p != quote; p++)
            attributes[i].odd_space |= *p == '\t' || *p == '\n' || *p == '\r';
        attributes[i].begin = (size_t)(value - r->bytes);
        attributes[i].size = (size_t)(p - value);
        p++;
    }
}

/// False after stopping the parser.
static bool copy_attributes(reader *r, gz_xml_element *element, const char **pairs) {
    size_t count = 0;
    while (pairs[2 * count]) count++;
    if (!count) return true;
    gz_xml_attribute *attributes = take(r, count * sizeof *attributes);
    if (!attributes) return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = intern(r, pairs[2 * i]);
        const char *value = name ? take_string(r, pairs[2 * i + 1], strlen(pairs[2 * i + 1]))
                                 : NULL;
        if (!value) return false;
        attributes[i] = (gz_xml_attribute){.name = name, .value = value};
    }
    locate_values(r, attributes, count);
    element->attributes = attributes;
    element->attribute_count = count;
    return true;
}

static void link_child(reader *r, gz_xml_element *element) {
    gz_xml_element *parent = r->open;
    element->parent = parent;
    if (!parent)
        r->document->root = element;
    else if (parent->last_child)
        parent->last_child->next = element;
    else
        parent->first_child = element;
    if (parent) parent->last_child = element;
}

static bool within_limits(reader *r) {
    // A link with a joint and two geometries takes about 20 XML elements.
    const uint64_t most = (uint64_t)r->limits->elements * 64, bytes = r->limits->memory_bytes;
    if (r->depth >= r->limits->depth)
        stop_here(r, GRAZE_ERROR_LIMIT,
                  "XML is nested deeper than %u elements; allowed: at most %u (limits.depth)",
                  (unsigned)r->limits->depth, (unsigned)r->limits->depth);
    else if (r->elements >= most)
        stop_here(r, GRAZE_ERROR_LIMIT,
                  "XML has too many elements; allowed: at most %llu (64 times limits.elements)",
                  (unsigned long long)most);
    else if (r->document->pool.bytes > bytes)
        stop_here(r, GRAZE_ERROR_LIMIT,
                  "XML has too many elements; allowed: at most %llu bytes of memory "
                  "(limits.memory_bytes)",
                  (unsigned long long)bytes);
    return !r->status;
}

static void XMLCALL on_start(void *user, const char *name, const char **pairs) {
    reader *r = user;
    if (r->status || !within_limits(r)) return;
    gz_xml_element *element = take(r, sizeof *element);
    if (!element) return;
    *element = (gz_xml_element){.text = "",
                                .note = r->note,
                                .line = (int32_t)XML_GetCurrentLineNumber(r->parser),
                                .column = (int32_t)XML_GetCurrentColumnNumber(r->parser) + 1,
                                .ordinal = 1,
                                .namesakes = 1};
    element->tag = intern(r, name);
    if (!element->tag || !copy_attributes(r, element, pairs)) return;
    link_child(r, element);
    r->open = element;
    r->note = "";
    r->depth++;
    r->elements++;
    r->text_size = 0;
}

static void XMLCALL on_end(void *user, const char *name) {
    (void)name;
    reader *r = user;
    if (r->status) return;
    gz_xml_element *element = r->open;
    size_t first = 0, last = r->text_size;
    while (first < last && gz_is_space(r->text[first])) first++;
    while (last > first && gz_is_space(r->text[last - 1])) last--;
    if (!element->first_child && last > first)
        element->text = take_string(r, r->text + first, last - first);
    r->text_size = 0;
    r->note = "";
    count_namesakes(element);
    r->open = element->parent;
    r->depth--;
}

/// Keeps comments for the linter about the element behind them; the loader needs none.
static void XMLCALL on_comment(void *user, const char *text) {
    static const char opening[] = "graze-lint:";
    reader *r = user;
    const char *said = strstr(text, opening);
    if (r->status || !said) return;
    said += sizeof opening - 1;
    size_t before = strlen(r->note), n = strlen(said);
    if (before + n > MAX_NOTE) return; // or a file of nothing but comments would be slow to read
    char *note = take(r, before + n + 2);
    if (!note) return;
    memcpy(note, r->note, before);
    note[before] = '\n';
    memcpy(note + before + 1, said, n + 1);
    r->note = note;
}

static void XMLCALL on_text(void *user, const char *text, int n) {
    reader *r = user;
    if (r->status || n <= 0) return;
    if (!gz_array_reserve((void **)&r->text, &r->text_capacity, r->text_size + (size_t)n, 1)) {
        stop(r, gz_fail_memory(r->error));
        return;
    }
    memcpy(r->text + r->text_size, text, (size_t)n);
    r->text_size += (size_t)n;
}

/// Expat reports a document type behind its name; this is where it begins.
static gz_place doctype_place(const reader *r, gz_place place) {
    static const char opening[] = "<!DOCTYPE";
    const size_t n = sizeof opening - 1;
    XML_Index index = XML_GetCurrentByteIndex(r->parser);
    if (!r->one_byte || index < 0 || (size_t)index > r->size) return place;
    const char *p = r->bytes + index, *end = p;
    while (p > r->bytes && (r->size - (size_t)(p - r->bytes) < n || memcmp(p, opening, n) != 0))
        p--;
    for (const char *q = p; q < end; q++) place.line -= *q == '\n';
    place.column = 1;
    while (p > r->bytes && p[-1] != '\n') place.column += (*--p & 0xc0) != 0x80; // UTF-8
    return place;
}

static void XMLCALL on_doctype(void *user, const char *name, const char *system_id,
                               const char *public_id, int has_internal_subset) {
    (void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
    reader *r = user;
    if (r->status) return;
    char path[GRAZE_PATH_SIZE];
    stop(r, gz_fail_at(r->error, GRAZE_ERROR_UNSUPPORTED, doctype_place(r, here(r, path)),
                       "XML holds a document type (<!DOCTYPE>); allowed: none, nor entities of "
                       "its own"));
}

// -------------------------------------------------------------------------------------- parsing

/// What a document is instead of XML, where that shows; else NULL.
static const char *other_format(const reader *r) {
    const char *p = r->bytes, *end = p + r->size;
    if (!r->one_byte) return NULL;
    if (r->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    while (p < end && gz_is_space(*p)) p++;
    if (p == end || *p == '<') return NULL;
    const struct {
        const char *begin, *name;
    } formats[] = {{"solid", "an STL mesh"},
                   {"glTF", "a glTF mesh"},
                   {"ply\n", "a PLY mesh"},
                   {"ply\r", "a PLY mesh"},
                   {"PK\3\4", "an archive"},
                   {"\x1f\x8b", "an archive"},
                   {"{", "JSON"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t n = strlen(formats[i].begin);
        if ((size_t)(end - p) >= n && memcmp(p, formats[i].begin, n) == 0) return formats[i].name;
    }
    // A binary STL: 80 bytes of any kind, a count, 50 bytes a triangle.
    uint64_t triangles = 0;
    for (int i = 3; r->size >= 84 && i >= 0; i--)
        triangles = triangles << 8 | (unsigned char)r->bytes[80 + i];
    return r->size >= 84 && r->size == 84 + 50 * triangles ? "an STL mesh" : NULL;
}

static graze_status fail_expat(reader *r) {
    enum XML_Error code = XML_GetErrorCode(r->parser);
    if (r->status) return r->status;
    if (code == XML_ERROR_NO_MEMORY) return gz_fail_memory(r->error);
    char path[GRAZE_PATH_SIZE];
    gz_place place = here(r, path);
    if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING)
        return gz_fail_at(r->error, GRAZE_ERROR_UNSUPPORTED, place,
                          "XML encoding: %s; allowed: UTF-8, UTF-16, ISO-8859-1, US-ASCII",
                          XML_ErrorString(code));
    if (code == XML_ERROR_NO_ELEMENTS && r->open)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "XML ends inside <%.100s>; allowed: a document whose elements all end",
                          r->open->tag);
    if (code == XML_ERROR_NO_ELEMENTS)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "XML ends without an element; allowed: a document with one root element");
    const char *other = r->document->root ? NULL : other_format(r);
    if (other)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "this is no XML, but %s; allowed: XML 1.0, which begins with '<'", other);
    return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                      "not well-formed XML: %s; allowed: XML 1.0", XML_ErrorString(code));
}

/// UTF-16 shows by its mark, or by a zero byte in its first character.
static bool has_one_byte_units(const char *bytes, size_t size) {
    if (size < 2) return true;
    unsigned char a = (unsigned char)bytes[0], b = (unsigned char)bytes[1];
    return !(a == 0xfe && b == 0xff) && !(a == 0xff && b == 0xfe) && a != 0 && b != 0;
}

/// Feeds a part of the document to the parser, the last part where it ends with it.
static graze_status feed(reader *r, size_t from, size_t to) {
    // Expat counts bytes of a call as int.
    const size_t most = (size_t)1 << 26;
    for (size_t at = from;;) {
        size_t n = to - at < most ? to - at : most;
        if (XML_Parse(r->parser, r->bytes + at, (int)n, at + n == r->size) != XML_STATUS_OK)
            return fail_expat(r);
        at += n;
        if (at == to) return GRAZE_OK;
    }
}

size_t gz_xml_blanks_before(const char *bytes, size_t size) {
    size_t n = 0;
    while (n < size && gz_is_space(bytes[n])) n++;
    return size - n > 5 && memcmp(bytes + n, "<?xml", 5) == 0 && gz_is_space(bytes[n + 5]) ? n : 0;
}

static graze_status run(reader *r) {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetCommentHandler(r->parser, on_comment);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    // Blanks in front of the declaration are fed behind it: every later byte and line keeps its
    // number, and every column but those on the declaration's own line.
    size_t blanks = gz_xml_blanks_before(r->bytes, r->size);
    const char *end = blanks ? gz_bytes_find(r->bytes, r->size, "?>") : NULL;
    size_t begin = end ? (size_t)(end - r->bytes) + 2 : 0;
    if (end) GZ_TRY(feed(r, blanks, begin));
    if (end) GZ_TRY(feed(r, 0, blanks));
    return feed(r, begin, r->size);
}

graze_status gz_xml_parse(gz_xml_document **out, const char *bytes, size_t size, const char *file,
                          const graze_limits *limits, graze_error *error) {
    *out = NULL;
    reader *r = gz_calloc(1, sizeof *r);
    gz_xml_document *document = gz_calloc(1, sizeof *document);
    XML_Memory_Handling_Suite memory = {expat_malloc, expat_realloc, gz_free};
    XML_Parser parser = r && document ? XML_ParserCreate_MM(NULL, &memory, NULL) : NULL;
    if (!parser) {
        gz_free(r);
        gz_free(document);
        return gz_fail_memory(error);
    }
    *r = (reader){.parser = parser,
                  .document = document,
                  .bytes = bytes,
                  .size = size,
                  .file = file,
                  .limits = limits,
                  .error = error,
                  .note = "",
                  .one_byte = has_one_byte_units(bytes, size)};
    graze_status status = run(r);
    XML_ParserFree(parser);
    gz_free(r->text);
    gz_free(r);
    if (status) {
        gz_xml_free(document);
        return status;
    }
    *out = document;
    return GRAZE_OK;
}

void gz_xml_free(gz_xml_document *document) {
    if (!document) return;
    gz_pool_free(&document->pool);
    gz_free(document);
}

const gz_xml_element *gz_xml_root(const gz_xml_document *document) {
    return document->root;
}

// What does an element hold, and what is it called in messages?

const gz_xml_attribute *gz_xml_find(const gz_xml_element *element, const char *name) {
    for (size_t i = 0; i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0) return &element->attributes[i];
    return NULL;
}

const char *gz_xml_get(const gz_xml_element *element, const char *name) {
    const gz_xml_attribute *attribute = gz_xml_find(element, name);
    return attribute ? attribute->value : NULL;
}

bool gz_xml_is(const gz_xml_element *element, const char *tag) {
    return strcmp(element->tag, tag) == 0;
}

const gz_xml_element *gz_xml_child(const gz_xml_element *element, const char *tag) {
    for (const gz_xml_element *e = element->first_child; e; e = e->next)
        if (gz_xml_is(e, tag)) return e;
    return NULL;
}

const gz_xml_element *gz_xml_next(const gz_xml_element *element) {
    for (const gz_xml_element *e = element->next; e; e = e->next)
        if (e->tag == element->tag) return e; // tags of a document are stored once
    return NULL;
}

/// What people know by its name rather than by its number.
static const char *known_name(const gz_xml_element *e) {
    static const char tags[] =
        "link joint group material group_state end_effector virtual_joint passive_joint";
    return e->parent && gz_is_listed(tags, e->tag, strlen(e->tag)) ? gz_xml_get(e, "name") : NULL;
}

/// Text that grows towards its beginning.
typedef struct backward {
    char *start, *position;
    bool full;
} backward;

static void prepend(backward *b, const char *text) {
    size_t n = strlen(text), space = (size_t)(b->position - b->start);
    if (n > space) {
        b->full = true;
        text += n - space;
        n = space;
    }
    b->position -= n;
    memcpy(b->position, text, n);
}

char *gz_xml_path(const gz_xml_element *element, char *path, size_t size) {
    backward b = {path, path + size - 1, false};
    *b.position = '\0';
    for (const gz_xml_element *e = element; e && !b.full; e = e->parent) {
        const char *name = known_name(e);
        if (name) {
            const char *quote = strchr(name, '\'') ? "\"" : "'";
            prepend(&b, "]");
            prepend(&b, quote);
            prepend(&b, name);
            prepend(&b, quote);
            prepend(&b, "[@name=");
        } else if (e->namesakes > 1) {
            char digits[16], *d = digits + sizeof digits - 1;
            *d = '\0';
            for (uint32_t n = e->ordinal; n; n /= 10) *--d = (char)('0' + n % 10);
            prepend(&b, "]");
            prepend(&b, d);
            prepend(&b, "[");
        }
        prepend(&b, e->tag);
        prepend(&b, "/");
    }
    if (b.full && size > 4) {
        b.position = path;
        memcpy(path, "...", 3);
    }
    memmove(path, b.position, strlen(b.position) + 1);
    return path;
}
