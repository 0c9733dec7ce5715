#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/token.h"
#include "load/urdf/urdf.h"
#include "load/xml/xml.h"

// Groups refer to each other by name; suggestions compare a name with every other. Both are for
// files that people write, and must not become slow for files that an enemy writes.
enum { MOST_GROUPS = 1000, MOST_SUGGESTIONS = 50, MOST_VIRTUAL_JOINTS = 64 };

typedef struct reader {
    gz_xml_source source;
    gz_builder *builder;
    const gz_xml_element *root;
    const gz_xml_element *groups[MOST_GROUPS]; ///< where the builder's groups begin
    const char *virtual_joints[MOST_VIRTUAL_JOINTS];
    size_t virtual_joint_count;
    int suggestions;
    size_t rules, rules_in_effect; ///< of collision pairs
} reader;

// ---------------------------------------------------------------------------------------- names

typedef enum kind { LINK, JOINT, GROUP } kind;

static int32_t find(const reader *r, kind of, const char *name) {
    if (of == LINK) return gz_builder_find_link(r->builder, name);
    if (of == JOINT) return gz_builder_find_joint(r->builder, name);
    return gz_builder_find_group(r->builder, name);
}

/// The known name most like an unknown one, or NULL.
static const char *nearest_name(reader *r, kind of, const char *name) {
    if (r->suggestions++ >= MOST_SUGGESTIONS) return NULL;
    gz_spelling nearest = gz_spelling_start(name);
    const char *best = NULL;
    if (of == GROUP) {
        for (const gz_xml_element *e = gz_xml_child(r->root, "group"); e; e = gz_xml_next(e)) {
            const char *other = gz_xml_get(e, "name");
            if (other && gz_spelling_try(&nearest, other, 0)) best = other;
        }
        return best;
    }
    const graze_robot *robot = gz_builder_robot(r->builder);
    size_t count = of == LINK ? graze_robot_link_count(robot) : graze_robot_joint_count(robot);
    for (int32_t i = 0; i < (int32_t)count; i++) {
        graze_joint_info joint;
        graze_robot_joint(robot, i, &joint);
        const char *other = of == LINK ? graze_robot_link_name(robot, i) : joint.name;
        if (gz_spelling_try(&nearest, other, i)) best = other;
    }
    return best;
}

/// Groups and states may name the virtual joint, which is no joint of the robot.
static bool is_virtual_joint(const reader *r, const char *name) {
    for (size_t i = 0; i < r->virtual_joint_count; i++)
        if (strcmp(r->virtual_joints[i], name) == 0) return true;
    return false;
}

static void learn_virtual_joints(reader *r) {
    for (const gz_xml_element *e = gz_xml_child(r->root, "virtual_joint");
         e && r->virtual_joint_count < MOST_VIRTUAL_JOINTS; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "name");
        if (name) r->virtual_joints[r->virtual_joint_count++] = name;
    }
}

/// Looks up the name that an attribute holds: the attribute must be there, but a name that the
/// robot does not have is a warning, and *index is -1.
static graze_status find_named(reader *r, const gz_xml_element *e, const char *attribute, kind of,
                               int32_t *index) {
    static const char *const codes[] = {"srdf-unknown-link", "srdf-unknown-joint",
                                        "srdf-unknown-group"};
    static const char *const words[] = {"link", "joint", "group"};
    const char *name;
    *index = -1;
    GZ_TRY(gz_xml_require(&r->source, e, attribute, &name));
    *index = find(r, of, name);
    if (*index >= 0 || (of == JOINT && is_virtual_joint(r, name))) return GRAZE_OK;
    const char *best = nearest_name(r, of, name);
    gz_xml_warn(&r->source, e, codes[of], "the robot has no %s %.200s%s%.200s%s: <%s> is left out",
                words[of], name, best ? " (did you mean " : "", best ? best : "", best ? "?)" : "",
                e->tag);
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- rules

/// Looks up the two links of a pair; one that is not there, or the same twice, is a warning, and *a
/// is -1.
static graze_status find_pair(reader *r, const gz_xml_element *e, int32_t *a, int32_t *b) {
    GZ_TRY(find_named(r, e, "link1", LINK, a));
    GZ_TRY(find_named(r, e, "link2", LINK, b));
    if (*a < 0) return GRAZE_OK;
    if (*a == *b)
        gz_xml_warn(&r->source, e, "srdf-same-link",
                    "<%s> names link %.200s twice: left out, as a link is never checked against "
                    "itself",
                    e->tag, gz_xml_get(e, "link1"));
    if (*a == *b || *b < 0) *a = -1;
    return GRAZE_OK;
}

static graze_status read_pair(reader *r, const gz_xml_element *e, bool enable) {
    gz_xml_report_unknown(&r->source, e, "", enable ? "link1 link2" : "link1 link2 reason");
    r->rules++;
    int32_t a, b;
    GZ_TRY(find_pair(r, e, &a, &b));
    if (a < 0) return GRAZE_OK;
    r->rules_in_effect++;
    if (enable) return gz_builder_enable_pair(r->builder, a, b);
    const char *reason = gz_xml_get(e, "reason");
    return gz_builder_disable_pair(r->builder, a, b, reason ? reason : "");
}

static graze_status read_disable_default(reader *r, const gz_xml_element *e) {
    gz_xml_report_unknown(&r->source, e, "", "link");
    r->rules++;
    int32_t link;
    GZ_TRY(find_named(r, e, "link", LINK, &link));
    if (link < 0) return GRAZE_OK;
    r->rules_in_effect++;
    return gz_builder_disable_default(r->builder, link);
}

// --------------------------------------------------------------------------------------- margins

static graze_status read_margin(reader *r, const gz_xml_element *e, const char *attribute,
                                double *margin) {
    GZ_TRY(gz_xml_numbers(&r->source, e, attribute, margin, 1, NULL));
    if (*margin >= 0) return GRAZE_OK;
    return gz_xml_fail(&r->source, e, GRAZE_ERROR_SCHEMA,
                       "attribute %s of <%s> is %g; allowed: metres, not negative", attribute,
                       e->tag, *margin);
}

static graze_status read_pair_margin(reader *r, const gz_xml_element *e) {
    gz_xml_report_unknown(&r->source, e, "", "link1 link2 margin");
    int32_t a, b;
    double margin;
    GZ_TRY(find_pair(r, e, &a, &b));
    GZ_TRY(read_margin(r, e, "margin", &margin));
    if (a < 0) return GRAZE_OK;
    return gz_builder_pair_margin(r->builder, a, b, margin, GZ_XML_PLACE(&r->source, e));
}

/// Tesseract's extension: how far apart pairs of links must be.
static graze_status read_margins(reader *r, const gz_xml_element *element) {
    gz_xml_report_unknown(&r->source, element, "pair_margin", "default_margin");
    if (gz_xml_get(element, "default_margin")) {
        double margin;
        GZ_TRY(read_margin(r, element, "default_margin", &margin));
        GZ_TRY(
            gz_builder_pair_margin(r->builder, -1, -1, margin, GZ_XML_PLACE(&r->source, element)));
    }
    for (const gz_xml_element *e = gz_xml_child(element, "pair_margin"); e; e = gz_xml_next(e))
        GZ_TRY(read_pair_margin(r, e));
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- groups

static graze_status read_chain(reader *r, const gz_xml_element *e, int32_t group) {
    gz_xml_report_unknown(&r->source, e, "", "base_link tip_link");
    int32_t base, tip;
    GZ_TRY(find_named(r, e, "base_link", LINK, &base));
    GZ_TRY(find_named(r, e, "tip_link", LINK, &tip));
    if (base < 0 || tip < 0) return GRAZE_OK;
    return gz_builder_group_chain(r->builder, group, base, tip, GZ_XML_PLACE(&r->source, e));
}

static graze_status read_member(reader *r, const gz_xml_element *e, int32_t group) {
    if (gz_xml_is(e, "chain")) return read_chain(r, e, group);
    kind of = gz_xml_is(e, "joint") ? JOINT : gz_xml_is(e, "link") ? LINK : GROUP;
    if (of == GROUP && !gz_xml_is(e, "group")) return GRAZE_OK; // reported as unknown
    gz_xml_report_unknown(&r->source, e, "", "name");
    int32_t index;
    GZ_TRY(find_named(r, e, "name", of, &index));
    if (index < 0) return GRAZE_OK;
    if (of == JOINT) return gz_builder_group_joint(r->builder, group, index);
    if (of == LINK) return gz_builder_group_link(r->builder, group, index);
    return gz_builder_group_subgroup(r->builder, group, gz_xml_get(e, "name"),
                                     GZ_XML_PLACE(&r->source, e));
}

/// Makes the groups, so that members can refer to groups that come later.
static graze_status make_groups(reader *r) {
    uint32_t count = 0;
    for (const gz_xml_element *e = gz_xml_child(r->root, "group"); e; e = gz_xml_next(e)) {
        const char *name;
        GZ_TRY(gz_xml_require(&r->source, e, "name", &name));
        if (count++ == MOST_GROUPS)
            return gz_xml_fail(&r->source, e, GRAZE_ERROR_LIMIT,
                               "more than %d groups; allowed: at most %d", MOST_GROUPS,
                               MOST_GROUPS);
        if (gz_builder_find_group(r->builder, name) >= 0) continue; // read_group() warns of it
        int32_t group;
        GZ_TRY(gz_builder_add_group(r->builder, name, &group));
        r->groups[group] = e;
    }
    return GRAZE_OK;
}

static graze_status read_group(reader *r, const gz_xml_element *element) {
    gz_xml_report_unknown(&r->source, element, "joint link chain group", "name");
    const char *name = gz_xml_get(element, "name");
    int32_t group = gz_builder_find_group(r->builder, name);
    if (r->groups[group] != element) {
        gz_xml_warn(&r->source, element, "srdf-duplicate-group",
                    "group %.200s is defined twice: the first one counts", name);
        return GRAZE_OK;
    }
    for (const gz_xml_element *e = element->first_child; e; e = e->next)
        GZ_TRY(read_member(r, e, group));
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- states

static size_t count_words(const char *text) {
    gz_text_cursor cursor = gz_cursor_of_string(text);
    size_t count = 0;
    for (gz_word word; gz_cursor_word(&cursor, &word);) count++;
    return count;
}

static graze_status read_state_joint(reader *r, const gz_xml_element *e, int32_t state) {
    gz_xml_report_unknown(&r->source, e, "", "name value");
    int32_t joint;
    const char *text;
    GZ_TRY(find_named(r, e, "name", JOINT, &joint));
    GZ_TRY(gz_xml_require(&r->source, e, "value", &text));
    size_t count = count_words(text);
    if (count != 1 && count != 3 && count != 7)
        return gz_xml_fail(&r->source, e, GRAZE_ERROR_SCHEMA,
                           "attribute value of <joint> holds %zu numbers; allowed: 1, of a planar "
                           "joint 3, of a floating joint 7",
                           count);
    double values[7];
    GZ_TRY(gz_xml_numbers(&r->source, e, "value", values, count, NULL));
    if (joint < 0) return GRAZE_OK;
    return gz_builder_state_joint(r->builder, state, joint, values, count,
                                  GZ_XML_PLACE(&r->source, e));
}

static graze_status read_state(reader *r, const gz_xml_element *element) {
    gz_xml_report_unknown(&r->source, element, "joint", "name group");
    const char *name;
    int32_t group, state = -1;
    GZ_TRY(gz_xml_require(&r->source, element, "name", &name));
    GZ_TRY(find_named(r, element, "group", GROUP, &group));
    if (group < 0) return GRAZE_OK;
    const char *group_name = gz_xml_get(element, "group");
    GZ_TRY(gz_builder_add_state(r->builder, name, group_name, &state));
    for (const gz_xml_element *e = gz_xml_child(element, "joint"); e; e = gz_xml_next(e))
        GZ_TRY(read_state_joint(r, e, state));
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- the rest

static graze_status read_virtual_joint(reader *r, const gz_xml_element *e) {
    gz_xml_report_unknown(&r->source, e, "", "name type parent_frame child_link");
    const char *name, *type, *frame;
    int32_t child;
    GZ_TRY(gz_xml_require(&r->source, e, "name", &name));
    GZ_TRY(gz_xml_require(&r->source, e, "type", &type));
    GZ_TRY(gz_xml_require(&r->source, e, "parent_frame", &frame));
    GZ_TRY(find_named(r, e, "child_link", LINK, &child));
    if (!gz_is_listed("fixed planar floating", type, strlen(type)))
        return gz_xml_fail(&r->source, e, GRAZE_ERROR_SCHEMA,
                           "virtual joint type is \"%.100s\"; allowed: fixed, planar, floating",
                           type);
    if (child < 0) return GRAZE_OK;
    return gz_builder_virtual_joint(r->builder, name, type, frame, child,
                                    GZ_XML_PLACE(&r->source, e));
}

static graze_status read_passive_joint(reader *r, const gz_xml_element *e) {
    gz_xml_report_unknown(&r->source, e, "", "name");
    int32_t joint;
    GZ_TRY(find_named(r, e, "name", JOINT, &joint));
    if (joint < 0) return GRAZE_OK;
    return gz_builder_passive_joint(r->builder, joint);
}

static graze_status read_end_effector(reader *r, const gz_xml_element *e) {
    gz_xml_report_unknown(&r->source, e, "", "name group parent_link parent_group");
    const char *name;
    int32_t link, group, parent = -1;
    GZ_TRY(gz_xml_require(&r->source, e, "name", &name));
    GZ_TRY(find_named(r, e, "group", GROUP, &group));
    GZ_TRY(find_named(r, e, "parent_link", LINK, &link));
    const char *parent_group = gz_xml_get(e, "parent_group");
    if (parent_group && !*parent_group) parent_group = NULL;
    if (parent_group) GZ_TRY(find_named(r, e, "parent_group", GROUP, &parent));
    if (link < 0 || group < 0 || (parent_group && parent < 0)) return GRAZE_OK;
    return gz_builder_end_effector(r->builder, name, gz_xml_get(e, "group"),
                                   parent_group ? parent_group : "", link);
}

// ----------------------------------------------------------------------------------- the document

#define KNOWN                                                                                      \
    "disable_collisions enable_collisions disable_default_collisions group group_state "           \
    "virtual_joint passive_joint end_effector collision_margins"

/// What MoveIt and Tesseract put into SRDF files beyond that: of no use here, and counted.
static bool is_extension(const char *tag) {
    static const char tags[] = "link_sphere_approximation joint_property group_tcps group_opw "
                               "kinematics_plugin_config contact_managers_plugin_config "
                               "task_composer_plugin_config calibration_config";
    return gz_is_listed(tags, tag, strlen(tag)) || gz_xml_is_extension(tag);
}

static void report_unknown(const reader *r) {
    char known[1024] = KNOWN;
    for (const gz_xml_element *e = r->root->first_child; e; e = e->next) {
        if (!is_extension(e->tag)) continue;
        gz_xml_warn(&r->source, e, "extension-ignored", "<%.100s> is an extension of SRDF: ignored",
                    e->tag);
        // Known now, so that it is not reported a second time.
        size_t used = strlen(known);
        if (used + strlen(e->tag) + 2 < sizeof known && !strstr(known, e->tag))
            snprintf(known + used, sizeof known - used, " %s", e->tag);
    }
    gz_xml_report_unknown(&r->source, r->root, known, "name version");
}

static graze_status read_element(reader *r, const gz_xml_element *e) {
    if (gz_xml_is(e, "disable_collisions")) return read_pair(r, e, false);
    if (gz_xml_is(e, "enable_collisions")) return read_pair(r, e, true);
    if (gz_xml_is(e, "disable_default_collisions")) return read_disable_default(r, e);
    if (gz_xml_is(e, "group")) return read_group(r, e);
    if (gz_xml_is(e, "group_state")) return read_state(r, e);
    if (gz_xml_is(e, "virtual_joint")) return read_virtual_joint(r, e);
    if (gz_xml_is(e, "passive_joint")) return read_passive_joint(r, e);
    if (gz_xml_is(e, "end_effector")) return read_end_effector(r, e);
    if (gz_xml_is(e, "collision_margins")) return read_margins(r, e);
    return GRAZE_OK; // reported as unknown
}

static graze_status read_robot(reader *r) {
    const gz_xml_source *source = &r->source;
    if (!gz_xml_is(r->root, "robot"))
        return gz_xml_fail(source, r->root, GRAZE_ERROR_SCHEMA,
                           "root element is <%.100s>; allowed: <robot>, as SRDF has it",
                           r->root->tag);
    GZ_TRY(gz_xml_refuse_xacro(source, r->root));
    if (gz_xml_child(r->root, "link"))
        gz_xml_warn(source, r->root, "srdf-is-urdf",
                    "<robot> holds <link> elements: this looks like a URDF, not an SRDF");
    const char *name = gz_xml_get(r->root, "name");
    const char *robot = graze_robot_name(gz_builder_robot(r->builder));
    if (name && *name && strcmp(name, robot) != 0)
        gz_xml_warn(source, r->root, "srdf-robot-name",
                    "this SRDF is for robot %.200s, the URDF is of %.200s: applied all the same",
                    name, robot);
    report_unknown(r);
    learn_virtual_joints(r);
    graze_status status = make_groups(r);
    for (const gz_xml_element *e = r->root->first_child; e && !status; e = e->next) {
        status = read_element(r, e);
        if (!status && source->warnings->out_of_memory) status = GRAZE_ERROR_NO_MEMORY;
    }
    // The builder does not say so itself.
    if (status == GRAZE_ERROR_NO_MEMORY) status = gz_fail_memory(source->error);
    if (!status && r->rules && !r->rules_in_effect)
        gz_xml_warn(source, r->root, "srdf-no-effect",
                    "none of the %zu rules about collision pairs took effect", r->rules);
    return status;
}

graze_status gz_srdf_read(gz_builder *builder, const graze_load_options *options,
                          graze_error *error) {
    const char *path = options->srdf;
    char *bytes;
    size_t size;
    GZ_TRY(gz_load_read(path, options->files, options->limits.file_bytes, &bytes, &size, error));
    gz_xml_document *document;
    graze_status status = gz_xml_parse(&document, bytes, size, path, &options->limits, error);
    size_t blanks = gz_xml_blanks_before(bytes, size);
    gz_free(bytes);
    if (status) return status;
    reader r = {.source = {.file = path,
                           .format = "SRDF",
                           .warnings = gz_builder_warnings(builder),
                           .error = error},
                .builder = builder,
                .root = gz_xml_root(document)};
    gz_urdf_check_head(&r.source, r.root, blanks);
    status = read_robot(&r);
    gz_xml_free(document);
    return status;
}
