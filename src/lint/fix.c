#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "lint/lint.h"
#include "load/file.h"
#include "load/package.h"
#include "load/token.h"
#include "math/transform.h"

/// Sets where a fix goes: the first `size` bytes of an attribute's value. False where they are
/// unknown.
static bool locate(gz_fix_buffer *buffer, const char *file, const gz_xml_attribute *attribute,
                   size_t size, graze_lint_fix *fix) {
    if (!file || !attribute || !attribute->begin || size > attribute->size ||
        size >= sizeof buffer->was)
        return false;
    memcpy(buffer->was, file + attribute->begin, size);
    buffer->was[size] = '\0';
    // A zero byte cannot stand in XML, so `was` is the whole of it.
    *fix = (graze_lint_fix){.text = buffer->text, .was = buffer->was, .offset = attribute->begin};
    return true;
}

// ----------------------------------------------------------------------------------------- axes

/// The loader divides an axis by its length, which rounds. A vector beside the unit one must be
/// found that it takes to the same bits: the unit vector itself, or one some rounding errors longer
/// or shorter.
static bool find_unit(const graze_vec3 *axis, double out[3]) {
    for (int k = 0; k <= 256; k++) {
        double factor = 1 + (k % 2 ? 1 : -1) * ((k + 1) / 2) * 0x1p-52;
        double v[3] = {axis->x * factor, axis->y * factor, axis->z * factor};
        graze_vec3 again = {0, 0, 0};
        gz_axis_normalise(v, &again);
        if (memcmp(&again, axis, sizeof again) != 0) continue;
        memcpy(out, v, sizeof v);
        return true;
    }
    return false;
}

void gz_fix_axis(gz_fix_buffer *buffer, const gz_lint_context *c, const gz_lint_joint *joint,
                 graze_lint_fix *fix) {
    graze_vec3 axis;
    double unit[3];
    if (gz_axis_normalise(joint->axis.value, &axis) == 0 || !find_unit(&axis, unit)) return;
    const gz_xml_attribute *attribute = gz_xml_find(joint->axis_element, "xyz");
    if (!attribute || !locate(buffer, c->text, attribute, attribute->size, fix)) return;
    char numbers[3][GZ_NUMBER_SIZE];
    for (int i = 0; i < 3; i++) gz_number_format(numbers[i], unit[i]);
    snprintf(buffer->text, sizeof buffer->text, "%s %s %s", numbers[0], numbers[1], numbers[2]);
}

// ---------------------------------------------------------------------------------------- paths

typedef struct writer {
    char *out;
    size_t used, size;
    bool full;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(w->out + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= w->size - w->used)
        w->full = true;
    else
        w->used += (size_t)n;
}

/// One character of UTF-8, which expat has found to be valid, as a number; moves on behind it.
static uint32_t next_character(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? *p : *p & (0x3fu >> more);
    for (int i = 1; i <= more; i++) c = c << 6 | (p[i] & 0x3fu);
    *text += more + 1;
    return c;
}

/// A value as it can be written in any encoding and between either quotes.
static void put_escaped(writer *w, const char *text) {
    while (*text && !w->full) {
        uint32_t c = next_character(&text);
        if (c < 0x20 || c >= 0x7f || strchr("<>&\"'", (int)c))
            put(w, "&#x%X;", (unsigned)c);
        else
            put(w, "%c", (int)c);
    }
}

/// Where the path begins in an absolute file name; NULL where the name holds none that is written
/// plainly.
static const char *plain_path(const char *name) {
    if (strncasecmp(name, "file://localhost/", 17) == 0)
        name += 16;
    else if (strncasecmp(name, "file:///", 8) == 0)
        name += 7;
    else if (strncasecmp(name, "file:/", 6) == 0 && name[6] != '/')
        name += 5;
    return name[0] == '/' && name[1] != '/' ? name : NULL;
}

void gz_fix_path(gz_fix_buffer *buffer, gz_lint_context *c, const gz_lint_geometry *g,
                 const gz_lint_mesh *mesh, graze_lint_fix *fix) {
    const gz_xml_attribute *attribute = gz_xml_find(g->shape, "filename");
    const char *path = attribute ? plain_path(attribute->value) : NULL;
    // The loader may have decoded or turned what is written: then the path is not plain.
    if (!path || !mesh->path || strcmp(path, mesh->path) != 0) return;
    if (c->options->load->files) return; // folders are compared in the file system
    char *name = NULL;
    size_t root = 0;
    graze_status status = gz_package_name(&name, &root, path, c->base_dir, c->options->load);
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    if (!name) return;
    size_t prefix = (size_t)(path - attribute->value) + root;
    bool as_written = strlen(attribute->value) == attribute->size && attribute->begin &&
                      memcmp(c->text + attribute->begin, attribute->value, attribute->size) == 0;
    writer w = {.out = buffer->text, .size = sizeof buffer->text};
    put(&w, "package://%s", name);
    // What is written with entities or in another encoding is written anew as a whole.
    if (!as_written) put_escaped(&w, path + root);
    if (!w.full) locate(buffer, c->text, attribute, as_written ? prefix : attribute->size, fix);
    gz_free(name);
}

// ----------------------------------------------------------------------------------------- SRDF

void gz_fix_srdf_value(gz_fix_buffer *buffer, const gz_lint_context *c,
                       const gz_xml_element *element, const char *attribute, const char *value,
                       graze_lint_fix *fix) {
    const gz_xml_attribute *a = gz_xml_find(element, attribute);
    if (!a || !locate(buffer, c->srdf_text, a, a->size, fix)) return;
    snprintf(buffer->text, sizeof buffer->text, "%s", value);
}
