#include "lint/schema.h"

#include <string.h>

// Sources: the pages of wiki.ros.org/urdf/XML and wiki.ros.org/srdf, and what graze adds to them
// (docs/margins.md). Attributes that other rules ask for are not under `needs`: names (T004, T005,
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

const char *gz_lint_schema_next(const char *list, char *name, size_t size) {
    if (!*list) return NULL;
    size_t n = strcspn(list, " "), own = strcspn(list, " :");
    own = own < size ? own : size - 1;
    memcpy(name, list, own);
    name[own] = '\0';
    return list + n + (list[n] == ' ');
}

static void walk(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *root,
                 bool srdf, gz_lint_each *each) {
    const gz_xml_element *e = root;
    while (e) {
        const gz_lint_schema *s = schema_of(e, srdf);
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

void gz_lint_schema_walk(gz_lint_context *c, const gz_lint_rule *rule, gz_lint_each *each) {
    walk(c, rule, gz_xml_root(c->urdf), false, each);
    if (c->srdf) walk(c, rule, gz_xml_root(c->srdf), true, each);
}

gz_lint_place gz_lint_schema_place(const gz_xml_element *element, bool srdf) {
    gz_lint_place place = {.element = element, .srdf = srdf};
    for (const gz_xml_element *e = srdf ? NULL : element; e; e = e->parent) {
        if (!e->parent || !gz_xml_is(e->parent, "robot")) continue;
        if (gz_xml_is(e, "link")) place.link = gz_xml_get(e, "name");
        if (gz_xml_is(e, "joint")) place.joint = gz_xml_get(e, "name");
    }
    return place;
}
