#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "load/xml/xml.h"

gz_place gz_xml_place(const gz_xml_source *source, const gz_xml_element *at,
                      char path[GRAZE_PATH_SIZE]) {
    gz_xml_path(at, path, GRAZE_PATH_SIZE);
    return (gz_place){
        .file = source->file, .element = path, .line = at->line, .column = at->column};
}

graze_status gz_xml_require(const gz_xml_source *source, const gz_xml_element *element,
                            const char *name, const char **value) {
    *value = gz_xml_get(element, name);
    if (!*value)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "<%s> has no attribute %s; allowed: %s=\"...\" is required",
                           element->tag, name, name);
    if (!**value)
        return gz_xml_fail(source, element, GRAZE_ERROR_SCHEMA,
                           "attribute %s of <%s> is empty; allowed: some text", name, element->tag);
    return GRAZE_OK;
}

graze_status gz_xml_numbers(const gz_xml_source *source, const gz_xml_element *element,
                            const char *name, double *values, size_t count, bool *present) {
    const gz_xml_attribute *attribute = gz_xml_find(element, name);
    if (present) *present = attribute != NULL;
    if (!attribute) {
        const char *value;
        return present ? GRAZE_OK : gz_xml_require(source, element, name, &value);
    }
    bool odd_space = false;
    graze_error why;
    graze_status status = gz_numbers_parse(attribute->value, values, count, &odd_space, &why);
    if (status)
        return gz_xml_fail(source, element, status, "attribute %s of <%s>: %s", name, element->tag,
                           why.message);
    if (odd_space || attribute->odd_space)
        gz_xml_warn(source, element, "odd-space",
                    "attribute %s of <%s> holds tabs or line breaks: read as blanks here, an error "
                    "for urdfdom",
                    name, element->tag);
    return GRAZE_OK;
}

graze_status gz_xml_single(const gz_xml_source *source, const gz_xml_element *element,
                           const char *tag, const gz_xml_element **child) {
    *child = gz_xml_child(element, tag);
    const gz_xml_element *second = *child ? gz_xml_next(*child) : NULL;
    if (second)
        return gz_xml_fail(source, second, GRAZE_ERROR_SCHEMA,
                           "<%s> holds a second <%s>; allowed: one", element->tag, tag);
    return GRAZE_OK;
}

// -------------------------------------------------------------------- what is not read, or not yet

static bool listed(const char *list, const char *word) {
    return gz_is_listed(list, word, strlen(word));
}

bool gz_xml_is_extension(const char *tag) {
    return strchr(tag, ':') ||
           listed("gazebo transmission ros2_control sensor sensors mujoco plugin loop_joint", tag);
}

/// Suggests the listed word most like a misspelt one, in words for a message; "" when none is.
static const char *suggestion(const char *list, const char *word, char *out, size_t size) {
    char name[64];
    const char *nearest = gz_spelling_of_list(list, word, name);
    snprintf(out, size, nearest ? " (did you mean %s?)" : "%s", nearest ? nearest : "");
    return out;
}

void gz_xml_report_unknown(const gz_xml_source *source, const gz_xml_element *element,
                           const char *children, const char *attributes) {
    char hint[96];
    for (const gz_xml_element *e = element->first_child; e; e = e->next) {
        if (listed(children, e->tag)) continue;
        if (gz_xml_is_extension(e->tag))
            gz_xml_warn(source, e, "extension-ignored", "<%s> is an extension of %s: ignored",
                        e->tag, source->format);
        else
            gz_xml_warn(source, e, "unknown-element", "<%s> in <%s> is not %s: ignored%s", e->tag,
                        element->tag, source->format,
                        suggestion(children, e->tag, hint, sizeof hint));
    }
    for (size_t i = 0; i < element->attribute_count; i++) {
        const char *name = element->attributes[i].name;
        if (listed(attributes, name) || strncmp(name, "xmlns", 5) == 0) continue;
        if (strchr(name, ':'))
            gz_xml_warn(source, element, "extension-ignored",
                        "attribute %s is an extension of %s: ignored", name, source->format);
        else
            gz_xml_warn(source, element, "unknown-attribute",
                        "attribute %s of <%s> is not %s: ignored%s", name, element->tag,
                        source->format, suggestion(attributes, name, hint, sizeof hint));
    }
}

static graze_status refuse_xacro_element(const gz_xml_source *source, const gz_xml_element *e) {
    if (strncmp(e->tag, "xacro:", 6) == 0)
        return gz_xml_fail(source, e, GRAZE_ERROR_UNSUPPORTED,
                           "<%s> makes this a xacro template; allowed: plain %s: run xacro first",
                           e->tag, source->format);
    for (size_t i = 0; i < e->attribute_count; i++) {
        const char *value = e->attributes[i].value;
        if (strstr(value, "${") || strstr(value, "$("))
            return gz_xml_fail(source, e, GRAZE_ERROR_UNSUPPORTED,
                               "attribute %s of <%s> holds \"%.60s\", which only xacro can expand; "
                               "allowed: plain %s: run xacro first",
                               e->attributes[i].name, e->tag, value, source->format);
    }
    return GRAZE_OK;
}

graze_status gz_xml_refuse_xacro(const gz_xml_source *source, const gz_xml_element *root) {
    for (const gz_xml_element *e = root; e;) {
        GZ_TRY(refuse_xacro_element(source, e));
        // Document order without recursion; what an extension holds is none of our business.
        if (e->first_child && !gz_xml_is_extension(e->tag)) {
            e = e->first_child;
            continue;
        }
        while (e != root && !e->next) e = e->parent;
        e = e == root ? NULL : e->next;
    }
    return GRAZE_OK;
}
