#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/lint.h"
#include "load/token.h"
#include "load/xml/xml.h"

// U: the XML and its numbers.
//
// Sources: the pages of wiki.ros.org/urdf/XML and wiki.ros.org/srdf, and what graze adds to them
// (docs/margins.md). Attributes that other rules require are not under `needs`: names (T004, T005,
// J008), sizes (G010), files (A001), mass and inertia (I007).

static const gz_lint_schema urdf_schemas[] = {
    {"robot", NULL, "link joint material", "name version", "", "", false},
    {"link", "robot", "inertial visual collision", "name type", "inertial", "", false},
    {"inertial", "link", "origin mass inertia", "", "origin mass inertia", "", false},
    {"mass", "inertial", "", "value:1", "", "", false},
    {"inertia", "inertial", "", "ixx:1 ixy:1 ixz:1 iyy:1 iyz:1 izz:1", "", "", false},
    {"origin", NULL, "", "xyz:3 rpy:3 quat_xyzw:4", "", "", false},
    {"visual", "link", "origin geometry material", "name", "origin geometry", "", false},
    {"collision", "link", "origin geometry", "name", "origin geometry", "", false},
    {"geometry", NULL, GZ_LINT_SHAPES, "", "*", "", false},
    {"box", "geometry", "", "size:3", "", "", false},
    {"sphere", "geometry", "", "radius:1", "", "", false},
    {"cylinder", "geometry", "", "radius:1 length:1", "", "", false},
    {"capsule", "geometry", "", "radius:1 length:1", "", "", false},
    {"mesh", "geometry", "", "filename scale:3", "", "", false},
    {"material", NULL, "color texture", "name", "", "", false},
    {"color", "material", "", "rgba:4", "", "", false},
    {"texture", "material", "", "filename", "", "", false},
    {"joint", "robot",
     "origin parent child axis limit mimic dynamics calibration safety_controller", "name type",
     "origin parent child axis limit mimic", "type", false},
    {"parent", "joint", "", "link", "", "", false},
    {"child", "joint", "", "link", "", "", false},
    {"axis", "joint", "", "xyz:3", "", "xyz", false},
    {"limit", "joint", "",
     "lower:1 upper:1 effort:1 velocity:1 acceleration:1 deceleration:1 jerk:1", "", "", false},
    {"mimic", "joint", "", "joint multiplier:1 offset:1", "", "", false},
    {"dynamics", "joint", "", "damping:1 friction:1", "", "", false},
    {"calibration", "joint", "", "rising:1 falling:1 reference_position:1", "", "", false},
    {"safety_controller", "joint", "",
     "soft_lower_limit:1 soft_upper_limit:1 k_position:1 k_velocity:1", "", "", false},
};

/// The second half of the robot's children are extensions that MoveIt and Tesseract read.
static const gz_lint_schema srdf_schemas[] = {
    {"robot", NULL,
     "disable_collisions enable_collisions disable_default_collisions group group_state "
     "virtual_joint passive_joint end_effector collision_margins "
     "link_sphere_approximation joint_property group_tcps group_opw kinematics_plugin_config "
     "contact_managers_plugin_config task_composer_plugin_config calibration_config",
     "name version", "", "", true},
    {"disable_collisions", "robot", "", "link1 link2 reason", "", "link1 link2", true},
    {"enable_collisions", "robot", "", "link1 link2", "", "link1 link2", true},
    {"disable_default_collisions", "robot", "", "link", "", "link", true},
    {"group", "robot", "joint link chain group", "name", "", "name", true},
    {"group", "group", "", "name", "", "name", true},
    {"joint", "group", "", "name", "", "name", true},
    {"link", "group", "", "name", "", "name", true},
    {"chain", "group", "", "base_link tip_link", "", "base_link tip_link", true},
    {"group_state", "robot", "joint", "name group", "", "name group", true},
    {"joint", "group_state", "", "name value:1", "", "name value", true},
    {"virtual_joint", "robot", "", "name type parent_frame child_link", "",
     "name type parent_frame child_link", true},
    {"passive_joint", "robot", "", "name", "", "name", true},
    {"end_effector", "robot", "", "name group parent_link parent_group", "",
     "name group parent_link", true},
    {"collision_margins", "robot", "pair_margin", "default_margin:1", "", "", true},
    {"pair_margin", "collision_margins", "", "link1 link2 margin:1", "", "link1 link2 margin",
     true},
};

static const gz_lint_schema *schema_of(const gz_xml_element *e, bool srdf) {
    const gz_lint_schema *list = srdf ? srdf_schemas : urdf_schemas;
    size_t count = srdf ? sizeof srdf_schemas / sizeof *srdf_schemas
                        : sizeof urdf_schemas / sizeof *urdf_schemas;
    for (size_t i = 0; i < count; i++) {
        const gz_lint_schema *s = &list[i];
        if (!gz_xml_is(e, s->tag)) continue;
        if (!s->parent || (e->parent && gz_xml_is(e->parent, s->parent))) return s;
    }
    return NULL;
}

bool gz_lint_schema_lists(const char *list, const char *name, size_t *count) {
    size_t n = strlen(name);
    for (const char *p = list; *p;) {
        size_t size = strcspn(p, " ");
        size_t own = strcspn(p, " :");
        if (own == n && strncmp(p, name, n) == 0) {
            *count = own < size ? (size_t)(p[own + 1] - '0') : 0;
            return true;
        }
        p += size;
        p += *p == ' ';
    }
    return false;
}

/// The first name of a list, copied to `name` and cut where it is too long; returns the rest of the
/// list, or NULL where the list is empty.
static const char *next_name(const char *list, char *name, size_t size) {
    if (!*list) return NULL;
    size_t n = strcspn(list, " "), own = strcspn(list, " :");
    own = own < size ? own : size - 1;
    memcpy(name, list, own);
    name[own] = '\0';
    return list + n + (list[n] == ' ');
}

/// The element behind `e` in document order, below it where `down`; NULL at the end.
static const gz_xml_element *next_element(const gz_xml_element *e, const gz_xml_element *root,
                                          bool down) {
    if (down && e->first_child) return e->first_child;
    while (e != root && !e->next) e = e->parent;
    return e == root ? NULL : e->next;
}

/// Where an element stands, and the link or joint of the URDF that it belongs to.
static gz_lint_place place_of(const gz_xml_element *element, bool srdf) {
    gz_lint_place place = {.element = element, .srdf = srdf};
    for (const gz_xml_element *e = srdf ? NULL : element; e; e = e->parent) {
        if (!e->parent || !gz_xml_is(e->parent, "robot")) continue;
        if (gz_xml_is(e, "link")) place.link = gz_xml_get(e, "name");
        if (gz_xml_is(e, "joint")) place.joint = gz_xml_get(e, "name");
    }
    return place;
}

static gz_lint_place at(const gz_xml_element *element, const gz_lint_schema *s) {
    return place_of(element, s->srdf);
}

// ---------------------------------------------------------------------------------------- robot

static void check_root(gz_lint_context *c, const gz_xml_element *root, bool srdf) {
    gz_lint_place place = place_of(root, srdf);
    const char *name = gz_xml_get(root, "name");
    if (!gz_xml_is(root, "robot"))
        gz_lint_add(c, place, "the root element is <%.100s>; allowed: <robot>", root->tag);
    else if (!name || !name[0])
        gz_lint_add(c, place, "<robot> has no name; allowed: one");
}

/// What only xacro understands: an element of its own, or ${...} or $(...) in an attribute.
static const char *xacro_sign(const gz_xml_element *e) {
    if (strncmp(e->tag, "xacro:", 6) == 0) return e->tag;
    for (size_t i = 0; i < e->attribute_count; i++)
        if (strstr(e->attributes[i].value, "${") || strstr(e->attributes[i].value, "$("))
            return e->attributes[i].value;
    return NULL;
}

/// Reports the first sign; one template has hundreds.
static void find_xacro(gz_lint_context *c, const gz_xml_element *root, bool srdf) {
    const gz_xml_element *e = root;
    while (e) {
        const char *sign = xacro_sign(e);
        if (sign) {
            gz_lint_add(c, place_of(e, srdf),
                        "\"%.60s\" is xacro, not %s; allowed: the output of `xacro FILE`", sign,
                        srdf ? "SRDF" : "URDF");
            return;
        }
        e = next_element(e, root, !gz_xml_is_extension(e->tag));
    }
}

// -------------------------------------------------------------------------------------- numbers

typedef enum word_fault { WORD_GOOD, WORD_BAD, WORD_COMMA, WORD_NOT_FINITE } word_fault;

/// "0,5" and "1,5e-3": a number but for its comma.
static bool has_comma(const char *word, size_t n) {
    char copy[64];
    double value;
    const char *comma = memchr(word, ',', n);
    if (!comma || n >= sizeof copy || comma == word || comma + 1 == word + n) return false;
    memcpy(copy, word, n);
    copy[comma - word] = '.';
    return gz_number_parse(copy, n, &value);
}

static word_fault classify_word(const char *word, size_t n) {
    double value;
    if (gz_number_parse(word, n, &value)) return isfinite(value) ? WORD_GOOD : WORD_NOT_FINITE;
    return has_comma(word, n) ? WORD_COMMA : WORD_BAD;
}

/// The first word of that fault, or none (size 0); of any words their count.
static gz_word find_word(const char *value, word_fault fault, size_t *count) {
    gz_text_cursor text = gz_lint_words(value);
    gz_word found = {NULL, 0};
    *count = 0;
    for (gz_word word; gz_cursor_word(&text, &word); ++*count)
        if (!found.size && classify_word(word.text, word.size) == fault) found = word;
    return found;
}

/// A template's numbers are not numbers yet: U002 reports them.
static bool is_template(const char *text) {
    return strstr(text, "${") || strstr(text, "$(");
}

/// How many numbers the value of a joint's state has; 0 where the joint is not known.
static size_t state_size(const gz_lint_context *c, const gz_xml_element *e) {
    int32_t joint = gz_lint_find_joint(c, gz_xml_get(e, "name"));
    if (joint < 0) return 0;
    const char *type = c->joints[joint].type;
    return strcmp(type, "floating") == 0 ? 7 : strcmp(type, "planar") == 0 ? 3 : 1;
}

static void check_attributes(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    for (size_t i = 0; i < e->attribute_count; i++) {
        const gz_xml_attribute *a = &e->attributes[i];
        gz_lint_numeric n = {e, s, a->name, a->value, 0, a->odd_space};
        if (!gz_lint_schema_lists(s->attributes, a->name, &n.wanted) || !n.wanted ||
            is_template(a->value))
            continue;
        if (s->srdf && strcmp(s->tag, "joint") == 0) n.wanted = state_size(c, e);
        c->rule->check_number(c, &n);
    }
}

static void walk(gz_lint_context *c, const gz_xml_document *document, bool srdf) {
    const gz_xml_element *root = gz_xml_root(document), *e = root;
    if (c->rule->check_root) c->rule->check_root(c, root, srdf);
    while (e && (c->rule->check_element || c->rule->check_number)) {
        const gz_lint_schema *s = schema_of(e, srdf);
        if (s && c->rule->check_element) c->rule->check_element(c, e, s);
        if (s && c->rule->check_number) check_attributes(c, e, s);
        e = next_element(e, root, s != NULL);
    }
}

void gz_lint_schema_walk(gz_lint_context *c) {
    walk(c, c->urdf, false);
    if (c->srdf) walk(c, c->srdf, true);
}

/// Whether a quaternion is zero, and so no rotation.
static bool is_zero_quaternion(const gz_lint_numeric *n) {
    gz_lint_numbers q = gz_lint_numbers_read(n->element, n->name, 4);
    return strcmp(n->name, "quat_xyzw") == 0 && q.valid && q.value[0] == 0 && q.value[1] == 0 &&
           q.value[2] == 0 && q.value[3] == 0;
}

static void check_numbers(gz_lint_context *c, const gz_lint_numeric *n) {
    size_t count;
    gz_lint_place place = at(n->element, n->schema);
    const char *tag = n->element->tag;
    gz_word word = find_word(n->text, WORD_BAD, &count);
    if (word.size) {
        gz_lint_add(c, place, "\"%.*s\" in %s of <%s> is not a number; allowed: %zu number%s",
                    gz_word_shown(word), word.text, n->name, tag, n->wanted ? n->wanted : 1,
                    n->wanted > 1 ? "s" : "");
    } else if (n->wanted ? count != n->wanted : !count) {
        size_t wanted = n->wanted ? n->wanted : 1;
        place = gz_lint_measured(place, (double)count, (double)wanted, "");
        gz_lint_add(c, place, "%s of <%s> holds %zu number%s; allowed: %zu", n->name, tag, count,
                    count == 1 ? "" : "s", wanted);
    } else if (is_zero_quaternion(n)) {
        gz_lint_add(c, place, "%s of <%s> is zero; allowed: any other quaternion", n->name, tag);
    } else if (strstr(n->name, "margin") &&
               gz_lint_numbers_read(n->element, n->name, 1).value[0] < 0) {
        gz_lint_add(c, place, "%s of <%s> is %.40s; allowed: metres, not negative", n->name, tag,
                    n->text);
    }
}

/// The largest coordinate, in metres, and angle, in radians, that the loader takes.
#define ORIGIN_MOST 0x1p20

static void check_finite(gz_lint_context *c, const gz_lint_numeric *n) {
    size_t count;
    gz_lint_place place = at(n->element, n->schema);
    const char *tag = n->element->tag;
    gz_word word = find_word(n->text, WORD_NOT_FINITE, &count);
    if (word.size)
        gz_lint_add(c, place, "%s of <%s> holds \"%.*s\"; allowed: finite numbers", n->name, tag,
                    gz_word_shown(word), word.text);
    if (word.size || strcmp(tag, "origin") != 0 || n->wanted != 3) return;
    gz_lint_numbers values = gz_lint_numbers_read(n->element, n->name, 3);
    for (size_t k = 0; values.valid && k < 3; k++) {
        if (fabs(values.value[k]) <= ORIGIN_MOST) continue;
        place = gz_lint_measured(place, values.value[k], ORIGIN_MOST,
                                 strcmp(n->name, "xyz") == 0 ? "m" : "rad");
        gz_lint_add(c, place, "%s of <origin> holds %.9g; allowed: magnitudes up to 1048576",
                    n->name, values.value[k]);
        return;
    }
}

static void check_commas(gz_lint_context *c, const gz_lint_numeric *n) {
    size_t count;
    gz_word word = find_word(n->text, WORD_COMMA, &count);
    if (word.size)
        gz_lint_add(c, at(n->element, n->schema),
                    "%s of <%s> holds \"%.*s\"; allowed: a point, not a comma", n->name,
                    n->element->tag, gz_word_shown(word), word.text);
}

static void check_spaces(gz_lint_context *c, const gz_lint_numeric *n) {
    // As written in the file, or as "&#9;", which the parser leaves what it is.
    if (n->odd_space || strpbrk(n->text, "\t\r\n"))
        gz_lint_add(c, at(n->element, n->schema),
                    "%s of <%s> has a tab or a line break between its numbers; allowed: blanks",
                    n->name, n->element->tag);
}

// ------------------------------------------------------------------------------------- spelling

/// The nearest name in a list of "name" and "name:count", in front of which `prefix` is put; ""
/// where none is near.
static const char *suggest(const char *list, const char *name, char *out, size_t size) {
    char known[64], best[64] = "";
    gz_spelling nearest = gz_spelling_start(name);
    while ((list = next_name(list, known, sizeof known)))
        if (gz_spelling_try(&nearest, known, 0)) memcpy(best, known, sizeof best);
    snprintf(out, size, "%s%s", best[0] ? "; nearest: " : "", best);
    return out;
}

static void check_spelling(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    char hint[96];
    size_t count;
    for (size_t i = 0; i < e->attribute_count; i++) {
        const char *name = e->attributes[i].name;
        if (gz_lint_schema_lists(s->attributes, name, &count) || strchr(name, ':') ||
            strcmp(name, "xmlns") == 0)
            continue;
        gz_lint_add(c, at(e, s), "attribute %.60s of <%s> is not %s, and ignored%s", name, e->tag,
                    s->srdf ? "SRDF" : "URDF", suggest(s->attributes, name, hint, sizeof hint));
    }
    for (const gz_xml_element *child = e->first_child; child; child = child->next) {
        if (gz_lint_schema_lists(s->children, child->tag, &count) ||
            gz_xml_is_extension(child->tag))
            continue;
        gz_lint_add(c, at(child, s), "<%.60s> in <%s> is not %s, and ignored%s", child->tag, e->tag,
                    s->srdf ? "SRDF" : "URDF", suggest(s->children, child->tag, hint, sizeof hint));
    }
}

// ------------------------------------------------------------------- what is missing, or too much

/// Whether nothing reads an element: the axis of a joint that does not turn or slide about one, and
/// the limits of a fixed joint. What is wrong there harms nobody.
static bool is_unread(const gz_xml_element *e) {
    const char *type = e->parent ? gz_xml_get(e->parent, "type") : NULL;
    bool fixed = type && strcmp(type, "fixed") == 0,
         floating = type && strcmp(type, "floating") == 0;
    return gz_xml_is(e, "axis") ? fixed || floating : gz_xml_is(e, "limit") && fixed;
}

static void check_needs(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    char name[64];
    if (is_unread(e)) return;
    for (const char *rest = s->needs; (rest = next_name(rest, name, sizeof name));) {
        const char *value = gz_xml_get(e, name);
        size_t numbers;
        gz_lint_schema_lists(s->attributes, name, &numbers);
        if (value && (value[0] || numbers)) continue; // numbers that are none: U003
        gz_lint_add(c, at(e, s), "<%s> has %s %s; allowed: %s=\"...\"", e->tag,
                    value ? "an empty" : "no", name, name);
    }
}

static void report_second(gz_lint_context *c, const gz_lint_schema *s, const gz_xml_element *first,
                          const gz_xml_element *second) {
    bool shapes = strcmp(s->once, "*") == 0;
    gz_lint_add(c, at(second, s), "<%s> holds a second %s<%s>, after line %d; allowed: one", s->tag,
                shapes ? "shape, " : "", second->tag, (int)first->line);
}

static void check_once(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    if (gz_xml_get(e, "rpy") && gz_xml_get(e, "quat_xyzw"))
        gz_lint_add(c, at(e, s), "<%s> has both rpy and quat_xyzw; allowed: one of them", e->tag);
    const gz_xml_element *first = NULL;
    if (strcmp(s->once, "*") == 0) {
        size_t count;
        for (const gz_xml_element *x = e->first_child; x; x = x->next) {
            if (!gz_lint_schema_lists(s->children, x->tag, &count)) continue;
            if (first) report_second(c, s, first, x);
            if (!first) first = x;
        }
        return;
    }
    char tag[64];
    for (const char *rest = s->once; (rest = next_name(rest, tag, sizeof tag));) {
        first = gz_xml_child(e, tag);
        if (first && is_unread(first)) continue;
        for (const gz_xml_element *x = first ? gz_xml_next(first) : NULL; x; x = gz_xml_next(x))
            report_second(c, s, first, x);
    }
}

static void check_words(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    bool is_joint = !s->srdf && strcmp(s->tag, "joint") == 0;
    const char *type = is_joint || strcmp(s->tag, "virtual_joint") == 0 ? gz_xml_get(e, "type")
                                                                        : NULL;
    const char *words = is_joint ? "fixed revolute continuous prismatic planar floating"
                                 : "fixed planar floating";
    size_t count;
    char hint[96];
    if (!type || !type[0] || is_template(type)) return; // what is missing has its own rule
    if (!strchr(type, ':') && gz_lint_schema_lists(words, type, &count)) return;
    gz_lint_add(c, at(e, s), "type of <%s> is \"%.60s\"; allowed: %s%s", e->tag, type, words,
                suggest(words, type, hint, sizeof hint));
}

// -------------------------------------------------------------------------------------- version

static void check_version(gz_lint_context *c, const gz_xml_element *e, const gz_lint_schema *s) {
    if (s->srdf) return;
    const char *newer = gz_xml_is(e, "capsule")      ? "<capsule>"
                        : gz_xml_get(e, "quat_xyzw") ? "quat_xyzw"
                        : gz_xml_is(e, "limit") &&
                                (gz_xml_get(e, "acceleration") || gz_xml_get(e, "deceleration") ||
                                 gz_xml_get(e, "jerk"))
                            ? "a limit of acceleration or jerk"
                            : NULL;
    if (newer)
        gz_lint_add(c, at(e, s), "%s came after URDF 1.0: many readers do not know it", newer);
    const char *version = gz_xml_is(e, "robot") ? gz_xml_get(e, "version") : NULL;
    if (version && strcmp(version, "1.0") != 0 && strcmp(version, "1") != 0)
        gz_lint_add(c, at(e, s),
                    "version is \"%.40s\"; readers of 1.0 refuse or misread what is newer",
                    version);
}

static void check_begin(gz_lint_context *c) {
    size_t blanks = gz_xml_blanks_before(c->text, c->text_size);
    if (blanks)
        gz_lint_add(c, (gz_lint_place){.element = gz_xml_root(c->urdf)},
                    "%zu blanks or line breaks stand in front of <?xml; allowed: none", blanks);
}

/// Calls `visit` for the <material> of each <visual>, and of the robot itself.
static void each_material(gz_lint_context *c, gz_name_table *defined,
                          void (*visit)(gz_lint_context *, gz_name_table *,
                                        const gz_xml_element *)) {
    const gz_xml_element *root = gz_xml_root(c->urdf), *e, *visual, *material;
    for (e = gz_xml_child(root, "material"); e; e = gz_xml_next(e)) visit(c, defined, e);
    for (e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        for (visual = gz_xml_child(e, "visual"); visual; visual = gz_xml_next(visual))
            if ((material = gz_xml_child(visual, "material"))) visit(c, defined, material);
}

static bool has_appearance(const gz_xml_element *material) {
    return gz_xml_child(material, "color") || gz_xml_child(material, "texture");
}

static void define_material(gz_lint_context *c, gz_name_table *defined, const gz_xml_element *e) {
    const char *name = gz_xml_get(e, "name");
    if (!name || gz_name_table_find(defined, name) >= 0) return;
    if (gz_xml_is(e->parent, "visual") && !gz_xml_child(e, "color")) return;
    c->out_of_memory |= !gz_name_table_add(defined, name, 0);
}

static void test_material(gz_lint_context *c, gz_name_table *defined, const gz_xml_element *e) {
    const char *name = gz_xml_get(e, "name");
    if (!gz_xml_is(e->parent, "visual") || has_appearance(e)) return;
    if (name && gz_name_table_find(defined, name) >= 0) return;
    gz_lint_add(c, (gz_lint_place){.element = e},
                "material \"%.60s\" is not defined; allowed: a <color>, a <texture>, or the name "
                "of a <material> that has one",
                name ? name : "");
}

static void check_materials(gz_lint_context *c) {
    gz_name_table defined = {0};
    each_material(c, &defined, define_material);
    each_material(c, &defined, test_material);
    gz_name_table_free(&defined);
}

#define RULE(...) GZ_LINT_RULE(SCHEMA, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("U001", "not-a-robot", ERROR, "The file is no XML, or its root is not <robot name>.",
         "Correct the XML at the place named.", .check_root = check_root),
    RULE("U002", "xacro", ERROR, "The file is a xacro template.",
         "Expand it first: xacro robot.xacro | graze lint -", .check_root = find_xacro),
    RULE("U003", "bad-number", ERROR, "An attribute does not hold the numbers that it should.",
         "Write as many numbers as the attribute takes, separated by blanks.",
         .check_number = check_numbers),
    RULE("U004", "odd-space", WARNING, "Numbers are separated by a tab or a line break.",
         "Separate them by blanks: some readers know nothing else.", .check_number = check_spaces),
    RULE("U005", "unknown-name", WARNING,
         "An element or attribute is not URDF, and readers ignore it.",
         "Correct the spelling, or put it into an extension such as <gazebo>.",
         .check_element = check_spelling),
    RULE("U006", "not-finite", ERROR, "A number is infinite, too large, or not a number.",
         "Write a finite number.", .check_number = check_finite),
    RULE("U007", "comma", ERROR, "A number has a comma where its point should be.",
         "Write a point, and look for the program that wrote it under a locale.",
         .check_number = check_commas),
    RULE("U008", "newer-version", INFO, "The file uses what URDF 1.0 does not have.",
         "Check that every reader of the file knows it.", .check_element = check_version),
    RULE("U009", "attribute-missing", ERROR, "An element lacks an attribute that it needs.",
         "Write the attribute.", .check_element = check_needs),
    RULE("U010", "twice", ERROR, "An element holds two of what it may hold once.",
         "Remove the one that is wrong: readers disagree about which of them counts.",
         .check_element = check_once),
    RULE("U011", "unknown-type", ERROR, "The type of a joint is none that there is.",
         "Write one of those that the message names, in small letters.",
         .check_element = check_words),
    RULE("U012", "blank-before-xml", WARNING, "Blanks or line breaks stand in front of <?xml.",
         "Remove them: the declaration is to be the first thing in a file.", .check = check_begin),
    RULE("U013", "undefined-material", WARNING, "A <visual> names a material that is not defined.",
         "Define it, or correct the name: the part has no colour, and urdfdom logs an error.",
         .check = check_materials),
};

const gz_lint_tier gz_lint_tier_schema = {rules, sizeof rules / sizeof *rules};
