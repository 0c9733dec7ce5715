// U: the XML and its numbers.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint/lint.h"
#include "load/nearest_name.h"
#include "load/text_file.h"
#include "load/xml_value.h"

// --------------------------------------------------------------------------------------- schema

/// What an element may hold. Attributes are separated by blanks; "xyz:3" holds three numbers.
typedef struct element_schema {
    const char *tag, *parent; ///< parent NULL: anywhere
    const char *children, *attributes;
} element_schema;

static const element_schema schemas[] = {
    {"robot", NULL, "link joint material", "name version"},
    {"link", "robot", "inertial visual collision", "name type"},
    {"inertial", "link", "origin mass inertia", ""},
    {"mass", "inertial", "", "value:1"},
    {"inertia", "inertial", "", "ixx:1 ixy:1 ixz:1 iyy:1 iyz:1 izz:1"},
    {"origin", NULL, "", "xyz:3 rpy:3 quat_xyzw:4"},
    {"visual", "link", "origin geometry material", "name"},
    {"collision", "link", "origin geometry", "name"},
    {"geometry", NULL, "box sphere cylinder capsule mesh", ""},
    {"box", "geometry", "", "size:3"},
    {"sphere", "geometry", "", "radius:1"},
    {"cylinder", "geometry", "", "radius:1 length:1"},
    {"capsule", "geometry", "", "radius:1 length:1"},
    {"mesh", "geometry", "", "filename scale:3"},
    {"material", NULL, "color texture", "name"},
    {"color", "material", "", "rgba:4"},
    {"texture", "material", "", "filename"},
    {"joint", "robot",
     "origin parent child axis limit mimic dynamics calibration safety_controller", "name type"},
    {"parent", "joint", "", "link"},
    {"child", "joint", "", "link"},
    {"axis", "joint", "", "xyz:3"},
    {"limit", "joint", "",
     "lower:1 upper:1 effort:1 velocity:1 acceleration:1 deceleration:1 jerk:1"},
    {"mimic", "joint", "", "joint multiplier:1 offset:1"},
    {"dynamics", "joint", "", "damping:1 friction:1"},
    {"calibration", "joint", "", "rising:1 falling:1 reference_position:1"},
    {"safety_controller", "joint", "",
     "soft_lower_limit:1 soft_upper_limit:1 k_position:1 k_velocity:1"},
};

static const element_schema *schema_of(const gz_xml_element *e) {
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        const element_schema *s = &schemas[i];
        if (!gz_xml_is(e, s->tag)) continue;
        if (!s->parent || (e->parent && gz_xml_is(e->parent, s->parent))) return s;
    }
    return NULL;
}

/// Finds a name in a list of "name" and "name:count"; *count is 0 for what holds no numbers.
static bool in_list(const char *list, const char *name, size_t *count) {
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

/// Calls `each` for every element that URDF knows, in document order; what extensions hold is
/// theirs.
static void walk(gz_lint_context *c, const gz_lint_rule *rule,
                 void (*each)(gz_lint_context *, const gz_lint_rule *, const gz_xml_element *,
                              const element_schema *)) {
    const gz_xml_element *root = gz_xml_root(c->urdf), *e = root;
    while (e) {
        const element_schema *s = schema_of(e);
        if (s) each(c, rule, e, s);
        if (s && e->first_child) {
            e = e->first_child;
            continue;
        }
        while (e && e != root && !e->next) e = e->parent;
        if (!e || e == root) return;
        e = e->next;
    }
}

/// The link or joint that an element belongs to.
static gz_lint_place at(const gz_xml_element *element) {
    gz_lint_place place = {.element = element};
    for (const gz_xml_element *e = element; e; e = e->parent) {
        if (gz_xml_is(e, "link") && e->parent && gz_xml_is(e->parent, "robot"))
            place.link = gz_xml_get(e, "name");
        if (gz_xml_is(e, "joint") && e->parent && gz_xml_is(e->parent, "robot"))
            place.joint = gz_xml_get(e, "name");
    }
    return place;
}

// ---------------------------------------------------------------------------------------- robot

static void check_robot(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = gz_xml_root(c->urdf);
    if (!gz_xml_is(root, "robot"))
        gz_lint_add(c, rule, at(root), "the root element is <%.100s>; allowed: <robot>", root->tag);
    else if (!c->robot_name[0])
        gz_lint_add(c, rule, at(root), "<robot> has no name; allowed: one");
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
static void check_xacro(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = gz_xml_root(c->urdf), *e = root;
    while (e) {
        const char *sign = xacro_sign(e);
        if (sign) {
            gz_lint_add(c, rule, at(e),
                        "\"%.60s\" is xacro, not URDF; allowed: the output of `xacro FILE`", sign);
            return;
        }
        if (e->first_child && !gz_xml_is_extension(e->tag)) {
            e = e->first_child;
            continue;
        }
        while (e != root && !e->next) e = e->parent;
        e = e == root ? NULL : e->next;
    }
}

// -------------------------------------------------------------------------------------- numbers

typedef enum word_fault { WORD_GOOD, WORD_BAD, WORD_COMMA, WORD_NOT_FINITE } word_fault;

static bool is_space(char ch) {
    return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

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

static word_fault judge_word(const char *word, size_t n) {
    double value;
    if (gz_number_parse(word, n, &value)) return isfinite(value) ? WORD_GOOD : WORD_NOT_FINITE;
    return has_comma(word, n) ? WORD_COMMA : WORD_BAD;
}

/// The first word of that fault, or of any words their count.
static const char *find_word(const char *text, word_fault fault, size_t *size, size_t *count) {
    const char *found = NULL;
    *count = 0;
    for (const char *p = text; *p;) {
        if (is_space(*p)) {
            p++;
            continue;
        }
        size_t n = 0;
        while (p[n] && !is_space(p[n])) n++;
        if (!found && judge_word(p, n) == fault) {
            found = p;
            *size = n;
        }
        ++*count;
        p += n;
    }
    return found;
}

/// A template's numbers are not numbers yet: U002 speaks of them.
static bool is_template(const char *text) {
    return strstr(text, "${") || strstr(text, "$(");
}

/// Calls `each` for every attribute that holds numbers.
static void walk_numbers(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                         const element_schema *s,
                         void (*each)(gz_lint_context *, const gz_lint_rule *,
                                      const gz_xml_element *, const gz_xml_attribute *, size_t)) {
    for (size_t i = 0; i < e->attribute_count; i++) {
        size_t wanted;
        const gz_xml_attribute *a = &e->attributes[i];
        if (in_list(s->attributes, a->name, &wanted) && wanted && !is_template(a->value))
            each(c, rule, e, a, wanted);
    }
}

static void judge_number(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                         const gz_xml_attribute *a, size_t wanted) {
    size_t size = 0, count;
    const char *word = find_word(a->value, WORD_BAD, &size, &count);
    if (word) {
        gz_lint_add(c, rule, at(e), "\"%.*s\" in %s of <%s> is not a number; allowed: %zu number%s",
                    (int)(size < 40 ? size : 40), word, a->name, e->tag, wanted,
                    wanted > 1 ? "s" : "");
    } else if (count != wanted) {
        gz_lint_place place = at(e);
        place.has_value = true;
        place.value = (double)count;
        place.threshold = (double)wanted;
        gz_lint_add(c, rule, place, "%s of <%s> holds %zu number%s; allowed: %zu", a->name, e->tag,
                    count, count == 1 ? "" : "s", wanted);
    }
}

static void judge_finite(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                         const gz_xml_attribute *a, size_t wanted) {
    size_t size = 0, count;
    (void)wanted;
    const char *word = find_word(a->value, WORD_NOT_FINITE, &size, &count);
    if (word)
        gz_lint_add(c, rule, at(e), "%s of <%s> holds \"%.*s\"; allowed: finite numbers", a->name,
                    e->tag, (int)(size < 40 ? size : 40), word);
}

static void judge_comma(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                        const gz_xml_attribute *a, size_t wanted) {
    size_t size = 0, count;
    (void)wanted;
    const char *word = find_word(a->value, WORD_COMMA, &size, &count);
    if (word)
        gz_lint_add(c, rule, at(e), "%s of <%s> holds \"%.*s\"; allowed: a point, not a comma",
                    a->name, e->tag, (int)(size < 40 ? size : 40), word);
}

static void judge_space(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                        const gz_xml_attribute *a, size_t wanted) {
    (void)wanted;
    if (a->odd_space)
        gz_lint_add(c, rule, at(e),
                    "%s of <%s> has a tab or a line break between its numbers; allowed: blanks",
                    a->name, e->tag);
}

#define NUMBER_CHECK(name, judge)                                                                  \
    static void name##_element(gz_lint_context *c, const gz_lint_rule *rule,                       \
                               const gz_xml_element *e, const element_schema *s) {                 \
        walk_numbers(c, rule, e, s, judge);                                                        \
    }                                                                                              \
    static void name(gz_lint_context *c, const gz_lint_rule *rule) {                               \
        walk(c, rule, name##_element);                                                             \
    }

NUMBER_CHECK(check_numbers, judge_number)
NUMBER_CHECK(check_finite, judge_finite)
NUMBER_CHECK(check_commas, judge_comma)
NUMBER_CHECK(check_spaces, judge_space)

// ------------------------------------------------------------------------------------- spelling

/// The nearest name in a list of "name" and "name:count", in front of which `prefix` is put; ""
/// where none is near.
static const char *suggest(const char *list, const char *name, char *out, size_t size) {
    char known[64], best[64] = "";
    gz_nearest nearest = gz_nearest_start(name);
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " "), own = strcspn(p, " :");
        if (own < sizeof known) {
            memcpy(known, p, own);
            known[own] = '\0';
            if (gz_nearest_offer(&nearest, known, 0)) memcpy(best, known, own + 1);
        }
        p += n;
        p += *p == ' ';
    }
    snprintf(out, size, "%s%s", best[0] ? "; nearest: " : "", best);
    return out;
}

static void judge_names(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                        const element_schema *s) {
    char hint[96];
    size_t count;
    for (size_t i = 0; i < e->attribute_count; i++) {
        const char *name = e->attributes[i].name;
        if (in_list(s->attributes, name, &count) || strchr(name, ':') || strcmp(name, "xmlns") == 0)
            continue;
        gz_lint_add(c, rule, at(e), "attribute %.60s of <%s> is not URDF, and ignored%s", name,
                    e->tag, suggest(s->attributes, name, hint, sizeof hint));
    }
    for (const gz_xml_element *child = e->first_child; child; child = child->next) {
        if (in_list(s->children, child->tag, &count) || gz_xml_is_extension(child->tag)) continue;
        gz_lint_add(c, rule, at(child), "<%.60s> in <%s> is not URDF, and ignored%s", child->tag,
                    e->tag, suggest(s->children, child->tag, hint, sizeof hint));
    }
}

static void check_spelling(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_names);
}

// -------------------------------------------------------------------------------------- version

static void judge_version(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e,
                          const element_schema *s) {
    (void)s;
    const char *newer = gz_xml_is(e, "capsule")      ? "<capsule>"
                        : gz_xml_get(e, "quat_xyzw") ? "quat_xyzw"
                        : gz_xml_is(e, "limit") &&
                                (gz_xml_get(e, "acceleration") || gz_xml_get(e, "deceleration") ||
                                 gz_xml_get(e, "jerk"))
                            ? "a limit of acceleration or jerk"
                            : NULL;
    if (newer)
        gz_lint_add(c, rule, at(e), "%s came after URDF 1.0: many readers do not know it", newer);
    const char *version = gz_xml_is(e, "robot") ? gz_xml_get(e, "version") : NULL;
    if (version && strcmp(version, "1.0") != 0 && strcmp(version, "1") != 0)
        gz_lint_add(c, rule, at(e),
                    "version is \"%.40s\"; readers of 1.0 refuse or misread what is newer",
                    version);
}

static void check_version(gz_lint_context *c, const gz_lint_rule *rule) {
    walk(c, rule, judge_version);
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_SCHEMA, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("U001", "not-a-robot", ERROR, "The file is no XML, or its root is not <robot name>.",
         "Mend the XML at the place named.", check_robot),
    RULE("U002", "xacro", ERROR, "The file is a xacro template.",
         "Expand it first: xacro robot.xacro | graze lint -", check_xacro),
    RULE("U003", "bad-number", ERROR, "An attribute does not hold the numbers that it should.",
         "Write as many numbers as the attribute takes, separated by blanks.", check_numbers),
    RULE("U004", "odd-space", WARNING, "Numbers are separated by a tab or a line break.",
         "Separate them by blanks: some readers know nothing else.", check_spaces),
    RULE("U005", "unknown-name", WARNING,
         "An element or attribute is not URDF, and readers ignore it.",
         "Mend the spelling, or put it into an extension such as <gazebo>.", check_spelling),
    RULE("U006", "not-finite", ERROR, "A number is infinite, too large, or not a number.",
         "Write a finite number.", check_finite),
    RULE("U007", "comma", ERROR, "A number has a comma where its point should be.",
         "Write a point, and look for the program that wrote it under a locale.", check_commas),
    RULE("U008", "newer-version", INFO, "The file uses what URDF 1.0 does not have.",
         "Check that every reader of the file knows it.", check_version),
};

const gz_lint_rule *gz_lint_rules_schema(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
