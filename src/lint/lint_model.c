#include "lint/lint.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/token.h"

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

gz_lint_numbers gz_lint_numbers_read(const gz_xml_element *element, const char *attribute,
                                     size_t wanted) {
    gz_lint_numbers out = {0};
    out.text = element ? gz_xml_get(element, attribute) : NULL;
    if (!out.text) return out;
    out.element = element;
    bool good = true;
    for (const char *p = out.text; *p;) {
        if (is_space(*p)) {
            p++;
            continue;
        }
        const char *end = p;
        while (*end && !is_space(*end)) end++;
        double value;
        bool number = gz_number_parse(p, (size_t)(end - p), &value);
        good &= number && isfinite(value);
        if (number && out.count < sizeof out.value / sizeof *out.value)
            out.value[out.count] = value;
        out.count++;
        p = end;
    }
    out.valid = good && out.count == wanted;
    return out;
}

static gz_lint_origin read_origin(const gz_xml_element *parent) {
    gz_lint_origin out = {.transform = graze_transform_identity()};
    out.element = parent ? gz_xml_child(parent, "origin") : NULL;
    if (!out.element) return out;
    out.xyz = gz_lint_numbers_read(out.element, "xyz", 3);
    out.rpy = gz_lint_numbers_read(out.element, "rpy", 3);
    double zero[3] = {0}, xyz[3], rpy[3];
    memcpy(xyz, out.xyz.valid ? out.xyz.value : zero, sizeof xyz);
    memcpy(rpy, out.rpy.valid ? out.rpy.value : zero, sizeof rpy);
    for (int k = 0; k < 3; k++)
        if (fabs(xyz[k]) > 0x1p20 || fabs(rpy[k]) > 0x1p20) return out;
    out.transform = graze_transform_from_xyz_rpy(xyz, rpy);
    gz_lint_numbers quat = gz_lint_numbers_read(out.element, "quat_xyzw", 4);
    // Scaled by its largest part first, as the loader does: no square underflows or overflows.
    double most = 0;
    for (int k = 0; quat.valid && k < 4; k++) most = fmax(most, fabs(quat.value[k]));
    for (int k = 0; k < 4 && most > 0; k++) quat.value[k] /= most;
    if (most > 0) out.transform = graze_transform_from_xyz_quat(xyz, quat.value);
    return out;
}

static const char *name_of(const gz_xml_element *element, const char *attribute) {
    const char *text = element ? gz_xml_get(element, attribute) : NULL;
    return text ? text : "";
}

// ------------------------------------------------------------------------------------ geometries

static bool shape_of(const gz_xml_element *e, graze_shape *kind) {
    static const struct {
        const char *tag;
        graze_shape kind;
    } shapes[] = {{"box", GRAZE_SHAPE_BOX},
                  {"sphere", GRAZE_SHAPE_SPHERE},
                  {"cylinder", GRAZE_SHAPE_CYLINDER},
                  {"capsule", GRAZE_SHAPE_CAPSULE},
                  {"mesh", GRAZE_SHAPE_MESH}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!gz_xml_is(e, shapes[i].tag)) continue;
        *kind = shapes[i].kind;
        return true;
    }
    return false;
}

static gz_lint_geometry read_geometry(const gz_xml_element *element, int32_t link,
                                      int32_t ordinal) {
    gz_lint_geometry out = {.element = element,
                            .visual = gz_xml_is(element, "visual"),
                            .link = link,
                            .ordinal = ordinal,
                            .origin = read_origin(element),
                            .mesh = -1};
    const gz_xml_element *geometry = gz_xml_child(element, "geometry");
    for (const gz_xml_element *e = geometry ? geometry->first_child : NULL; e && !out.known;
         e = e->next)
        if (shape_of(e, &out.kind)) {
            out.known = true;
            out.shape = e;
        }
    if (!out.known) {
        out.shape = geometry ? geometry->first_child : NULL;
        return out;
    }
    out.size = gz_lint_numbers_read(out.shape, "size", 3);
    out.radius = gz_lint_numbers_read(out.shape, "radius", 1);
    out.length = gz_lint_numbers_read(out.shape, "length", 1);
    out.scale = gz_lint_numbers_read(out.shape, "scale", 3);
    return out;
}

static void read_geometries(gz_lint_context *c, int32_t link) {
    gz_lint_link *l = &c->links[link];
    int32_t ordinals[2] = {0, 0};
    l->first_geometry = c->geometry_count;
    for (const gz_xml_element *e = l->element->first_child; e; e = e->next) {
        bool visual = gz_xml_is(e, "visual");
        if (!visual && !gz_xml_is(e, "collision")) continue;
        c->geometries[c->geometry_count++] = read_geometry(e, link, ordinals[visual]++);
    }
    l->geometry_count = c->geometry_count - l->first_geometry;
}

// ------------------------------------------------------------------------------- links and joints

static gz_lint_link read_link(const gz_xml_element *element) {
    static const char *const parts[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    gz_lint_link out = {.element = element, .name = name_of(element, "name"), .parent_joint = -1};
    out.inertial = gz_xml_child(element, "inertial");
    out.inertial_origin = read_origin(out.inertial);
    if (!out.inertial) return out;
    out.mass = gz_lint_numbers_read(gz_xml_child(out.inertial, "mass"), "value", 1);
    const gz_xml_element *inertia = gz_xml_child(out.inertial, "inertia");
    for (int i = 0; i < 6; i++) out.inertia[i] = gz_lint_numbers_read(inertia, parts[i], 1);
    return out;
}

static gz_lint_joint read_joint(const gz_xml_element *element) {
    gz_lint_joint out = {
        .element = element, .parent_link = -1, .child_link = -1, .mimic_target = -1};
    out.name = name_of(element, "name");
    out.type = name_of(element, "type");
    out.parent = name_of(gz_xml_child(element, "parent"), "link");
    out.child = name_of(gz_xml_child(element, "child"), "link");
    out.origin = read_origin(element);
    out.axis_element = gz_xml_child(element, "axis");
    out.axis = gz_lint_numbers_read(out.axis_element, "xyz", 3);
    out.limit = gz_xml_child(element, "limit");
    out.lower = gz_lint_numbers_read(out.limit, "lower", 1);
    out.upper = gz_lint_numbers_read(out.limit, "upper", 1);
    out.effort = gz_lint_numbers_read(out.limit, "effort", 1);
    out.velocity = gz_lint_numbers_read(out.limit, "velocity", 1);
    out.safety = gz_xml_child(element, "safety_controller");
    out.mimic = gz_xml_child(element, "mimic");
    out.mimic_joint = name_of(out.mimic, "joint");
    out.multiplier = gz_lint_numbers_read(out.mimic, "multiplier", 1);
    out.offset = gz_lint_numbers_read(out.mimic, "offset", 1);
    return out;
}

int32_t gz_lint_find_link(const gz_lint_context *c, const char *name) {
    return name[0] ? gz_name_table_find(&c->link_names, name) : -1;
}

int32_t gz_lint_find_joint(const gz_lint_context *c, const char *name) {
    return name[0] ? gz_name_table_find(&c->joint_names, name) : -1;
}

/// Of two with one name the first counts.
static bool add_name(gz_name_table *table, const char *name, size_t index) {
    if (!name[0] || gz_name_table_find(table, name) >= 0) return true;
    return gz_name_table_add(table, name, (int32_t)index);
}

static bool name_all(gz_lint_context *c) {
    bool good = true;
    for (size_t i = 0; i < c->link_count; i++)
        good = good && add_name(&c->link_names, c->links[i].name, i);
    for (size_t i = 0; i < c->joint_count; i++)
        good = good && add_name(&c->joint_names, c->joints[i].name, i);
    return good;
}

/// Who is whose parent; the root is the one link that is no joint's child.
static void connect(gz_lint_context *c) {
    for (size_t j = 0; j < c->joint_count; j++) {
        gz_lint_joint *joint = &c->joints[j];
        joint->parent_link = gz_lint_find_link(c, joint->parent);
        joint->child_link = gz_lint_find_link(c, joint->child);
        if (joint->mimic) joint->mimic_target = gz_lint_find_joint(c, joint->mimic_joint);
        if (joint->child_link < 0) continue;
        gz_lint_link *child = &c->links[joint->child_link];
        if (!child->parent_count++) child->parent_joint = (int32_t)j;
    }
    c->root = -1;
    size_t roots = 0;
    for (size_t i = 0; i < c->link_count; i++) {
        // One that no joint can speak of is a mistake (T005), not a root.
        bool unnamed = gz_lint_find_link(c, c->links[i].name) != (int32_t)i;
        if (c->links[i].parent_count || unnamed) continue;
        c->root = (int32_t)i;
        roots++;
    }
    if (roots != 1) c->root = -1;
}

static size_t count_children(const gz_xml_element *parent, const char *tag) {
    size_t count = 0;
    for (const gz_xml_element *e = gz_xml_child(parent, tag); e; e = gz_xml_next(e)) count++;
    return count;
}

bool gz_lint_model_read(gz_lint_context *c) {
    const gz_xml_element *root = gz_xml_root(c->urdf);
    c->robot_name = name_of(root, "name");
    c->root = -1;
    size_t links = count_children(root, "link"), joints = count_children(root, "joint"),
           geometries = 0;
    for (const gz_xml_element *e = gz_xml_child(root, "link"); e; e = gz_xml_next(e))
        geometries += count_children(e, "visual") + count_children(e, "collision");
    c->links = gz_calloc(links ? links : 1, sizeof *c->links);
    c->joints = gz_calloc(joints ? joints : 1, sizeof *c->joints);
    c->geometries = gz_calloc(geometries ? geometries : 1, sizeof *c->geometries);
    if (!c->links || !c->joints || !c->geometries) return false;
    for (const gz_xml_element *e = root->first_child; e; e = e->next) {
        if (gz_xml_is(e, "link")) {
            c->links[c->link_count] = read_link(e);
            read_geometries(c, (int32_t)c->link_count++);
        } else if (gz_xml_is(e, "joint")) {
            c->joints[c->joint_count++] = read_joint(e);
        }
    }
    if (!name_all(c)) return false;
    connect(c);
    return true;
}

void gz_lint_model_clear(gz_lint_context *c) {
    gz_free(c->links);
    gz_free(c->joints);
    gz_free(c->geometries);
    gz_name_table_free(&c->link_names);
    gz_name_table_free(&c->joint_names);
}
