// The matrix as SRDF. Where a text is given it is edited, not written anew: rules about pairs are
// cut out of its bytes, and the new ones put where the first of them was. The parser has found the
// text to be well-formed and without a document type before; so tags, comments and character data
// can be told apart by their first characters alone.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "matrix/matrix_internal.h"

// ---------------------------------------------------------------------------------------- the text

typedef struct output {
    char *bytes; ///< NUL-terminated once something was added
    size_t size, capacity;
    bool full; ///< sticky: memory is out
} output;

static void add_bytes(output *t, const char *bytes, size_t size) {
    t->full = t->full || !gz_array_reserve((void **)&t->bytes, &t->capacity, t->size + size + 1, 1);
    if (t->full) return;
    if (size) memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
}

static void print(output *t, const char *format, ...) GZ_PRINTF(2, 3);
static void print(output *t, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0) size = 0;
    add_bytes(t, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

/// Adds the value of an attribute in double quotes.
static void add_escaped(output *t, const char *value) {
    static const char special[] = "&<\"\t\n\r";
    static const char *const entities[] = {"&amp;", "&lt;", "&quot;", "&#9;", "&#10;", "&#13;"};
    for (; *value; value++) {
        const char *at = strchr(special, *value);
        if (at)
            print(t, "%s", entities[at - special]);
        else
            add_bytes(t, value, 1);
    }
}

// --------------------------------------------------------------------------------------- the rules

static void print_evidence(output *t, const graze_matrix *m, const graze_matrix_entry *e) {
    unsigned long long seed = graze_matrix_settings(m).seed, samples = e->samples;
    const char *kind = e->kind == GRAZE_MATRIX_ALWAYS ? "always" : "never, proved";
    if (e->kind == GRAZE_MATRIX_ADJACENT)
        print(t, "adjacent");
    else if (e->kind != GRAZE_MATRIX_NEVER_SAMPLED && e->column_count == 0)
        print(t, "%s: no joint moves the pair", kind);
    else if (e->kind == GRAZE_MATRIX_ALWAYS)
        print(t, "always: %llu of %llu samples, seed %llu", (unsigned long long)e->collisions,
              samples, seed);
    else if (e->kind == GRAZE_MATRIX_NEVER_PROVED)
        print(t, "never, proved: %llu boxes over %d variables", (unsigned long long)e->nodes,
              (int)e->column_count);
    else if (e->column_count == 0)
        print(t, "never: no joint moves the pair, and it is free at rest");
    else
        print(t,
              "never, sampled: 0 of %llu, seed %llu, and %llu searched; nearest "
              "above %.3g m; collides in less than %.2g (95 %%)",
              samples, seed, (unsigned long long)e->searched, e->distance, e->rate_bound);
}

/// In a comment "--" must not stand.
static void add_plain(output *t, const char *name) {
    for (const char *c = name; *c; c++) {
        bool bad = (*c == '-' && (c == name || c[-1] == '-')) || (unsigned char)*c < ' ';
        add_bytes(t, bad ? "_" : c, 1);
    }
}

static void print_rule(output *t, const graze_matrix *m, const graze_matrix_entry *e,
                       const char *line_end) {
    const graze_robot *r = graze_matrix_robot(m);
    const char *reason = graze_matrix_kind_reason(e->kind);
    if (reason) {
        print(t, "    <disable_collisions link1=\"");
        add_escaped(t, graze_robot_link_name(r, e->a));
        print(t, "\" link2=\"");
        add_escaped(t, graze_robot_link_name(r, e->b));
        print(t, "\" reason=\"%s\"/> <!-- graze: ", reason);
        print_evidence(t, m, e);
    } else if (e->kind == GRAZE_MATRIX_DEFAULT) {
        print(t, "    <!-- graze: checked: ");
        add_plain(t, graze_robot_link_name(r, e->a));
        print(t, ", ");
        add_plain(t, graze_robot_link_name(r, e->b));
        print(t, e->apart ? ": collide at rest, but not always"
                          : ": collide at rest, and a joint without limits is "
                            "between");
    } else {
        return;
    }
    print(t, " -->%s", line_end);
}

static void print_rules(output *t, const graze_matrix *m, const char *line_end) {
    graze_matrix_options o = graze_matrix_settings(m);
    print(t, "    <!-- graze: %zu pairs; %llu samples, seed %llu, ", graze_matrix_count(m),
          (unsigned long long)o.samples, (unsigned long long)o.seed);
    if (o.quick)
        print(t, "quick %llu -->%s", (unsigned long long)o.quick, line_end);
    else
        print(t, "search %llu, budget %llu -->%s", (unsigned long long)o.search,
              (unsigned long long)o.budget, line_end);
    for (size_t i = 0; i < graze_matrix_count(m); i++)
        print_rule(t, m, graze_matrix_at(m, i), line_end);
}

// ----------------------------------------------------------------------------------------- editing

/// A place in the text, and what is known of it.
typedef struct scanner {
    const char *text;
    size_t size, at;
    int depth; ///< elements that are open
} scanner;

static bool starts(const scanner *s, size_t at, const char *what) {
    size_t n = strlen(what);
    return at + n <= s->size && memcmp(s->text + at, what, n) == 0;
}

/// Just behind the next occurrence of `what`; the end of the text without one.
static size_t behind(const scanner *s, size_t at, const char *what) {
    for (; at < s->size; at++)
        if (starts(s, at, what)) return at + strlen(what);
    return s->size;
}

/// Just behind the '>' of the tag that starts at `at`.
static size_t behind_tag(const scanner *s, size_t at) {
    char quote = 0;
    for (; at < s->size; at++) {
        char c = s->text[at];
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '>')
            return at + 1;
    }
    return s->size;
}

typedef enum token { TEXT_END, START_TAG, EMPTY_TAG, END_TAG, COMMENT, OTHER } token;

/// Reads the next piece of markup, [*begin, s->at).
static token next_token(scanner *s, size_t *begin) {
    while (s->at < s->size && s->text[s->at] != '<') s->at++;
    *begin = s->at;
    if (s->at >= s->size) return TEXT_END;
    if (starts(s, s->at, "<!--")) return s->at = behind(s, s->at + 4, "-->"), COMMENT;
    if (starts(s, s->at, "<![CDATA[")) return s->at = behind(s, s->at, "]]>"), OTHER;
    if (starts(s, s->at, "<?")) return s->at = behind(s, s->at, "?>"), OTHER;
    s->at = behind_tag(s, s->at);
    if (starts(s, *begin, "</")) return END_TAG;
    return s->text[s->at - 2] == '/' ? EMPTY_TAG : START_TAG;
}

static bool has_name(const scanner *s, size_t begin, const char *name) {
    size_t n = strlen(name), end = begin + 1 + n;
    return starts(s, begin + 1, name) && end < s->size && strchr(" \t\r\n/>", s->text[end]);
}

static bool is_rule(const scanner *s, size_t begin) {
    return has_name(s, begin, "disable_collisions") ||
           has_name(s, begin, "disable_default_collisions");
}

typedef struct editor {
    scanner s;
    output *out;
    const graze_matrix *matrix;
    const char *line_end;
    size_t copied;  ///< bytes of the text that are in the output, or cut
    bool done;      ///< the rules are written
    bool fresh;     ///< all of the line up to there is cut, or blank
    int32_t hidden; ///< line of the first rule inside another element, where no program reads it
} editor;

static void copy_to(editor *e, size_t end) {
    if (end > e->copied) add_bytes(e->out, e->s.text + e->copied, end - e->copied);
    if (end > e->copied) e->copied = end;
}

static void write_rules(editor *e) {
    if (e->done) return;
    if (e->out->size && e->out->bytes[e->out->size - 1] != '\n') print(e->out, "%s", e->line_end);
    print_rules(e->out, e->matrix, e->line_end);
    e->done = true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// What is cut goes with the blanks before it, and with its line where nothing else is on it.
static void cut(editor *e, size_t begin, size_t end) {
    const scanner *s = &e->s;
    while (begin > e->copied && is_blank(s->text[begin - 1])) begin--;
    bool fresh = begin == 0 || s->text[begin - 1] == '\n' || (begin == e->copied && e->fresh);
    size_t after = end;
    while (after < s->size && (is_blank(s->text[after]) || s->text[after] == '\r')) after++;
    bool whole = fresh && after < s->size && s->text[after] == '\n';
    copy_to(e, begin);
    write_rules(e);
    e->copied = whole ? after + 1 : end;
    e->fresh = fresh && !whole;
}

/// Before the end tag of the root, in front of the blanks of its line.
static void write_before(editor *e, size_t begin) {
    while (begin > e->copied && (e->s.text[begin - 1] == ' ' || e->s.text[begin - 1] == '\t'))
        begin--;
    copy_to(e, begin);
    write_rules(e);
}

static int32_t line_of(const scanner *s, size_t at) {
    int32_t line = 1;
    for (size_t i = 0; i < at; i++) line += s->text[i] == '\n';
    return line;
}

static void edit(editor *e) {
    scanner *s = &e->s;
    size_t begin, element = 0;
    int cutting = 0; ///< depth of the rule that is being cut, or 0
    for (token t = next_token(s, &begin); t != TEXT_END; t = next_token(s, &begin)) {
        bool rule = s->depth == 1 && (t == START_TAG || t == EMPTY_TAG) && is_rule(s, begin);
        if (s->depth > 1 && !e->hidden && (t == START_TAG || t == EMPTY_TAG) && is_rule(s, begin))
            e->hidden = line_of(s, begin);
        if (t == EMPTY_TAG && s->depth == 0) { // the root holds nothing
            copy_to(e, s->at - 2);
            print(e->out, ">%s", e->line_end);
            write_rules(e);
            print(e->out, "</robot>");
            e->copied = s->at;
        } else if (t == EMPTY_TAG && rule) {
            cut(e, begin, s->at);
        } else if (t == START_TAG) {
            s->depth++;
            if (rule) element = begin, cutting = s->depth;
        } else if (t == END_TAG) {
            if (cutting && cutting == s->depth) {
                cut(e, element, s->at);
                cutting = 0;
            }
            s->depth--;
            if (s->depth == 0) write_before(e, begin);
        } else if (t == COMMENT && s->depth == 1 && starts(s, begin, "<!-- graze: ")) {
            cut(e, begin, s->at);
        }
    }
    copy_to(e, s->size);
}

/// Only bytes that are UTF-8 can be edited byte by byte.
static bool is_utf8_document(const char *text, size_t size) {
    if (memchr(text, '\0', size)) return false;
    scanner s = {.text = text, .size = size};
    size_t start = starts(&s, 0, "\xef\xbb\xbf") ? 3 : 0;
    if (!starts(&s, start, "<?xml")) return true;
    size_t end = behind(&s, start, "?>"), at = start;
    s.size = end;
    at = behind(&s, at, "encoding");
    if (at >= end) return true;
    while (at < end && text[at] != '"' && text[at] != '\'') at++;
    const char *name = text + at + 1;
    return end - at > 9 &&
           (strncasecmp(name, "UTF-8", 5) == 0 || strncasecmp(name, "US-ASCII", 8) == 0);
}

static graze_status edit_text(output *out, const graze_matrix *m, const char *text, size_t size,
                              const char *name, const graze_limits *limits, graze_error *error) {
    gz_xml_document *document = NULL;
    graze_status status = gz_matrix_document_parse(&document, text, size, name, limits, error);
    gz_xml_free(document);
    if (status) return status;
    if (!is_utf8_document(text, size))
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, (gz_place){.file = name},
                          "the encoding is not UTF-8; allowed, to keep the rest as it is: UTF-8");
    editor e = {.s = {.text = text, .size = size},
                .out = out,
                .matrix = m,
                .line_end = memchr(text, '\r', size) ? "\r\n" : "\n"};
    edit(&e);
    if (e.hidden)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED,
                          (gz_place){.file = name, .line = e.hidden},
                          "a rule about a pair stands inside another element, where it has no "
                          "effect; allowed: such rules as children of the root");
    return GRAZE_OK;
}

graze_status graze_matrix_write_srdf(char **out, size_t *size, const graze_matrix *m,
                                     const char *text, size_t text_size, const char *name,
                                     const graze_limits *limits, graze_error *error) {
    if (!out || !size) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out or size is NULL");
    *out = NULL;
    *size = 0;
    if (!m || (text && !name))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "matrix or name is NULL");
    output t = {0};
    graze_status status = GRAZE_OK;
    if (text) {
        status = edit_text(&t, m, text, text_size, name, limits, error);
    } else {
        print(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"");
        add_escaped(&t, graze_robot_name(graze_matrix_robot(m)));
        print(&t, "\">\n");
        print_rules(&t, m, "\n");
        print(&t, "</robot>\n");
    }
    if (!status && t.full) status = gz_fail_memory(error);
    if (status) {
        gz_free(t.bytes);
        return status;
    }
    *out = t.bytes;
    *size = t.size;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_matrix_text_free(char *text) {
    gz_free(text);
}
