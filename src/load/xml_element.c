// What does an element hold, and what is it called in messages?
#include "load/xml/xml.h"

#include <string.h>

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
    static const char *const tags[] = {"link",          "joint",         "group",
                                       "material",      "group_state",   "end_effector",
                                       "virtual_joint", "passive_joint", NULL};
    for (size_t i = 0; e->parent && tags[i]; i++)
        if (gz_xml_is(e, tags[i])) return gz_xml_get(e, "name");
    return NULL;
}

/// Text that grows towards its beginning.
typedef struct backward {
    char *start, *position;
    bool full;
} backward;

static void prepend(backward *b, const char *text) {
    size_t n = strlen(text), room = (size_t)(b->position - b->start);
    if (n > room) {
        b->full = true;
        text += n - room;
        n = room;
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
