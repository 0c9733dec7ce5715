#include "lint/mesh_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "load/mesh/mesh_formats.h"
#include "load/token.h"

// ------------------------------------------------------------------------------------------- STL

static bool ends_like(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

static void read_stl(gz_stl_facts *out, const char *path, const char *bytes, size_t size) {
    enum { HEADER = 84, FACET = 50, COUNT_AT = 80 };
    bool fits = gz_stl_is_binary(bytes, size);
    if (!fits && (!ends_like(path, ".stl") || size < HEADER || gz_stl_is_ascii(bytes, size)))
        return;
    const unsigned char *b = (const unsigned char *)bytes + COUNT_AT;
    out->binary = true;
    out->says_solid = strncasecmp(bytes, "solid", 5) == 0;
    out->triangles = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                     (uint32_t)b[3] << 24;
    out->wanted_bytes = HEADER + (uint64_t)FACET * out->triangles;
}

// --------------------------------------------------------------------------------------- Collada

/// A start tag: from behind '<' to its '>'.
typedef struct tag {
    const char *at, *end;
    size_t name; ///< length of its name
} tag;

static bool tag_is(const tag *t, const char *name) {
    return strlen(name) == t->name && memcmp(t->at, name, t->name) == 0;
}

/// The end of markup that begins at `at` with '<': behind it. Tags end at a '>' outside of quotes.
static const char *skip_markup(const char *at, const char *end) {
    static const struct {
        const char *open, *close;
    } others[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t n = strlen(others[i].open), m = strlen(others[i].close);
        if ((size_t)(end - at) < n || memcmp(at, others[i].open, n) != 0) continue;
        const char *close = memmem(at + n, (size_t)(end - at) - n, others[i].close, m);
        return close ? close + m : end;
    }
    char quote = '\0';
    for (; at < end; at++) {
        if (quote) {
            if (*at == quote) quote = '\0';
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at + 1;
        }
    }
    return end;
}

/// The next start tag from *at on, which moves behind it; false at the end.
static bool next_tag(const char **at, const char *end, tag *out) {
    const char *open;
    while ((open = memchr(*at, '<', (size_t)(end - *at)))) {
        *at = skip_markup(open, end);
        if (open + 1 == end || strchr("/!?", open[1])) continue;
        *out = (tag){.at = open + 1, .end = *at};
        out->name = strcspn(out->at, " \t\r\n/>");
        if (out->at + out->name <= end) return true;
    }
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Copies the value of an attribute; false where there is none, or it is longer than fits.
static bool get_attribute(const tag *t, const char *name, char *out, size_t size) {
    const char *p = t->at + t->name;
    size_t n = strlen(name);
    while (p < t->end) {
        while (p < t->end && is_blank(*p)) p++;
        const char *begin = p;
        while (p < t->end && !is_blank(*p) && *p != '=' && *p != '>') p++;
        const char *stop = p;
        while (p < t->end && (is_blank(*p) || *p == '=')) p++;
        if (p >= t->end || (*p != '"' && *p != '\'')) return false;
        const char *close = memchr(p + 1, *p, (size_t)(t->end - p - 1));
        if (!close) return false;
        size_t length = (size_t)(close - p - 1);
        if ((size_t)(stop - begin) == n && memcmp(begin, name, n) == 0 && length < size) {
            memcpy(out, p + 1, length);
            out[length] = '\0';
            return true;
        }
        p = close + 1;
    }
    return false;
}

static void read_unit(gz_collada_claims *out, const tag *t) {
    char text[40];
    double meter;
    if (get_attribute(t, "meter", text, sizeof text) &&
        gz_number_parse(text, strlen(text), &meter) && meter > 0) {
        out->has_unit = true;
        out->meter = meter;
    }
    if (!get_attribute(t, "name", out->unit_name, sizeof out->unit_name)) out->unit_name[0] = '\0';
}

static void read_up(gz_collada_claims *out, const tag *t, const char *end) {
    const char *p = t->end;
    while (p < end && is_blank(*p)) p++;
    if (end - p < 4 || *p < 'X' || *p > 'Z' || memcmp(p + 1, "_UP", 3) != 0) return;
    out->has_up = true;
    out->up = (char)(*p - 'X' + 'x');
}

// ----------------------------------------------------------------------------- lights and cameras

/// An id that is there, or a reference to one, of a light (`what` 0) or a camera (1).
typedef struct name {
    char text[64];
    const char *at;
    int what;
} name;

typedef struct names {
    name *items;
    size_t count, capacity;
} names;

/// Names longer than fits are left out on both sides.
static bool add_name(names *list, const tag *t, const char *attribute, int what) {
    name n = {.at = t->at, .what = what};
    if (!get_attribute(t, attribute, n.text, sizeof n.text)) return true;
    if (!gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1,
                          sizeof *list->items))
        return false;
    list->items[list->count++] = n;
    return true;
}

static int compare_names(const void *x, const void *y) {
    const name *a = x, *b = y;
    return a->what != b->what ? a->what - b->what : strcmp(a->text, b->text);
}

static int32_t line_of(const char *bytes, const char *at) {
    int32_t line = 1;
    for (const char *p = bytes; p < at; p++) line += *p == '\n';
    return line;
}

/// References into other files ("other.dae#lamp") are nobody's business here.
static void judge_references(gz_collada_claims *out, const names *ids, const names *references,
                             const char *bytes) {
    for (size_t i = 0; i < references->count; i++) {
        const name *r = &references->items[i];
        name key = {.what = r->what};
        if (r->text[0] != '#') continue;
        memcpy(key.text, r->text + 1, sizeof key.text - 1);
        if (ids->count && bsearch(&key, ids->items, ids->count, sizeof *ids->items, compare_names))
            continue;
        if (!out->broken++) {
            snprintf(out->broken_name, sizeof out->broken_name, "%s", r->text);
            out->broken_line = line_of(bytes, r->at);
        }
    }
}

static bool read_collada(gz_collada_claims *out, const char *bytes, size_t size) {
    static const char *const definitions[] = {"light", "camera"};
    static const char *const instances[] = {"instance_light", "instance_camera"};
    const char *at = bytes, *end = bytes + size;
    names ids = {0}, references = {0};
    bool ok = true;
    *out = (gz_collada_claims){.is_collada = true, .meter = 1, .up = 'y'};
    for (tag t; ok && next_tag(&at, end, &t);) {
        // The first of each counts: what the asset of the document says comes first.
        if (!out->has_unit && tag_is(&t, "unit")) read_unit(out, &t);
        if (!out->has_up && tag_is(&t, "up_axis")) read_up(out, &t, end);
        for (int what = 0; what < 2; what++) {
            if (tag_is(&t, definitions[what])) ok = ok && add_name(&ids, &t, "id", what);
            if (tag_is(&t, instances[what])) ok = ok && add_name(&references, &t, "url", what);
        }
    }
    if (ids.count > 1) qsort(ids.items, ids.count, sizeof *ids.items, compare_names);
    if (ok) judge_references(out, &ids, &references, bytes);
    gz_free(ids.items);
    gz_free(references.items);
    return ok;
}

static bool is_collada(const char *bytes, size_t size) {
    const char *at = bytes, *end = bytes + (size < 4096 ? size : 4096);
    tag t;
    return next_tag(&at, end, &t) && tag_is(&t, "COLLADA");
}

bool gz_mesh_facts_read(gz_mesh_facts *out, const char *path, const char *bytes, size_t size) {
    *out = (gz_mesh_facts){0};
    if (is_collada(bytes, size)) return read_collada(&out->collada, bytes, size);
    read_stl(&out->stl, path, bytes, size);
    return true;
}
