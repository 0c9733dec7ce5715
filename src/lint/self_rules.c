// S: self-collision and the SRDF: names, pairs, states, geometry inside a neighbour's.

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "lint/link_geometry.h"
#include "lint/lint.h"
#include "lint/self_collision.h"
#include "load/token.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "mesh/mesh.h"

// --------------------------------------------------------------------------- S013: dead geometry

/// Sample points of a surface; so many may be outside; places of the joint over its range.
enum { POINTS = 64, MOST_OUTSIDE = 3, PLACES = 5 };

/// The turn by `value` about the joint's axis, or the shift along it.
static graze_transform motion_of(const gz_lint_joint *j, double value) {
    bool slides = strcmp(j->type, "prismatic") == 0;
    double a[3] = {1, 0, 0}, xyz[3] = {0}, turn[4], sine;
    if (j->axis.valid) memcpy(a, j->axis.value, sizeof a);
    double length = gz_norm(a);
    if (!(length > 0)) return graze_transform_identity();
    gz_sine_cosine(slides ? 0 : value / 2, &sine, &turn[3]);
    for (int k = 0; k < 3; k++) {
        turn[k] = sine * a[k] / length;
        if (slides) xyz[k] = value * a[k] / length;
    }
    return graze_transform_from_xyz_quat(xyz, turn);
}

/// Whether the limits of a joint are known, and what they are; a continuous one has a whole turn.
static bool range_of(const gz_lint_joint *j, double range[2]) {
    range[0] = range[1] = 0;
    if (strcmp(j->type, "fixed") == 0) return true;
    if (strcmp(j->type, "continuous") == 0) {
        range[1] = 2 * M_PI;
        return true;
    }
    if (strcmp(j->type, "revolute") != 0 && strcmp(j->type, "prismatic") != 0) return false;
    if (!j->lower.valid || !j->upper.valid || j->lower.value[0] > j->upper.value[0]) return false;
    range[0] = j->lower.value[0];
    range[1] = j->upper.value[0];
    return fabs(range[0]) <= GZ_ANGLE_MAX && fabs(range[1]) <= GZ_ANGLE_MAX;
}

/// Whether all but a few of the points, moved by `t`, are inside the mesh.
static bool are_inside(const graze_mesh *mesh, const double *points, size_t count,
                       const graze_transform *t) {
    size_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        double p[3];
        gz_transform_apply(t->m, points + 3 * i, p);
        outside += fabs(gz_surface_winding(mesh, p)) < 0.5;
        if (outside > MOST_OUTSIDE) return false;
    }
    return true;
}

/// Whether link `in` stays inside link `out`. @param down `in` is the child of the joint
static bool stays_inside(gz_lint_context *c, const gz_lint_joint *j, const gz_lint_link *in,
                         const gz_lint_link *out, bool down) {
    gz_soup *inner = NULL, *outer = NULL;
    graze_mesh *mesh = NULL;
    double points[3 * POINTS], range[2];
    gz_link_surface_make(&inner, c, in, GZ_LINT_COLLISION);
    if (inner) gz_link_surface_make(&outer, c, out, GZ_LINT_COLLISION);
    size_t count = outer ? gz_link_surface_sample(inner, points, POINTS) : 0;
    if (count) {
        graze_status status = gz_mesh_build(&mesh, outer, NULL, false, GZ_MESH_LINK, NULL);
        c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    }
    bool inside = mesh && range_of(j, range);
    for (int i = 0; inside && i < PLACES; i++) {
        graze_transform move = motion_of(j, range[0] + (range[1] - range[0]) * i / (PLACES - 1));
        graze_transform t = graze_transform_multiply(&j->origin.transform, &move);
        if (!down) t = graze_transform_inverse(&t);
        inside = are_inside(mesh, points, count, &t);
    }
    graze_mesh_free(mesh);
    gz_soup_free(inner);
    gz_soup_free(outer);
    return inside;
}

static void check_dead(gz_lint_context *c, const gz_lint_joint *j) {
    if (j->parent_link < 0 || j->child_link < 0 || j->parent_link == j->child_link) return;
    const gz_lint_link *parent = &c->links[j->parent_link], *child = &c->links[j->child_link];
    bool down = stays_inside(c, j, child, parent, true);
    if (!down && (c->out_of_memory || !stays_inside(c, j, parent, child, false))) return;
    const gz_lint_link *in = down ? child : parent, *out = down ? parent : child;
    gz_lint_place place = gz_lint_at_link(in, NULL);
    place.joint = j->name;
    if (!c->out_of_memory)
        gz_lint_add(c, place,
                    "link '%.100s' is inside link '%.100s' over the whole range of joint '%.100s'; "
                    "usual: some of it outside",
                    in->name, out->name, j->name);
}

// ------------------------------------------------------------------------------ S014: neighbours

/// Reasons that the MoveIt Setup Assistant writes; other words are somebody's own.
static bool is_other_reason(const char *reason) {
    static const char *const others[] = {"Never", "Always", "Default"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(reason, others[i]) == 0) return true;
    return strcasecmp(reason, "Adjacent") == 0 && strcmp(reason, "Adjacent") != 0;
}

static void check_adjacent(gz_lint_context *c, const gz_lint_pair *p) {
    const char *reason = gz_xml_get(p->element, "reason");
    // In a robot that is no tree it is not certain who is whose neighbour.
    if (c->root < 0 || p->enable || p->a < 0 || p->a == p->b || !reason ||
        !is_other_reason(reason) || !gz_lint_has_collision(c, p->a) ||
        !gz_lint_has_collision(c, p->b) || !gz_lint_adjacent(c, p->a, p->b))
        return;
    const char *names[2] = {gz_xml_get(p->element, "link1"), gz_xml_get(p->element, "link2")};
    gz_lint_place place = {.srdf = true, .element = p->element, .link = names[0]};
    gz_fix_buffer buffer;
    gz_fix_srdf_value(&buffer, c, p->element, "reason", "Adjacent", &place.fix);
    gz_lint_add(c, place,
                "links '%.100s' and '%.100s' are neighbours and disabled as \"%.20s\"; usual: "
                "\"Adjacent\"",
                names[0], names[1], reason);
}

static gz_lint_place at(const gz_xml_element *element) {
    return (gz_lint_place){.srdf = true, .element = element};
}

// ----------------------------------------------------------------------------------------- names

typedef enum kind { LINK, JOINT, GROUP } kind;

/// Unknown names beyond these get no suggestion: looking for the nearest takes time with the number
/// of names, and a file may hold as many unknown ones.
#define SUGGESTIONS 100

typedef struct name_check {
    gz_lint_context *context;
    const gz_xml_element *root;
    gz_name_table groups, virtual_joints;
    size_t reported;
} name_check;

static const char *const kind_words[] = {"link", "joint", "group"};

static bool is_known(const name_check *n, kind of, const char *name) {
    if (of == LINK) return gz_lint_find_link(n->context, name) >= 0;
    if (of == GROUP) return gz_name_table_find(&n->groups, name) >= 0;
    return gz_lint_find_joint(n->context, name) >= 0 ||
           gz_name_table_find(&n->virtual_joints, name) >= 0;
}

static const char *nearest_name(const name_check *n, kind of, const char *name) {
    const gz_lint_context *c = n->context;
    if (of == LINK) return gz_lint_nearest_link(c, name);
    gz_spelling nearest = gz_spelling_start(name);
    const char *best = NULL;
    for (size_t i = 0; of == JOINT && i < c->joint_count; i++)
        if (gz_spelling_try(&nearest, c->joints[i].name, 0)) best = c->joints[i].name;
    const gz_xml_element *e = of == GROUP ? gz_xml_child(n->root, "group") : NULL;
    for (; e; e = gz_xml_next(e)) {
        const char *other = gz_xml_get(e, "name");
        if (other && gz_spelling_try(&nearest, other, 0)) best = other;
    }
    return best;
}

/// Checks one attribute that names a thing. `link` of the finding is the name as written.
static void check_name(name_check *n, const gz_xml_element *e, const char *attribute, kind of) {
    const char *name = gz_xml_get(e, attribute);
    if (name && is_known(n, of, name)) return;
    gz_lint_place place = at(e);
    if (!name || !name[0]) {
        gz_lint_add(n->context, place, "<%.60s> has no %s; allowed: the name of a %s", e->tag,
                    attribute, kind_words[of]);
        return;
    }
    if (of == LINK) place.link = name;
    if (of == JOINT) place.joint = name;
    const char *best = n->reported++ < SUGGESTIONS ? nearest_name(n, of, name) : NULL;
    gz_lint_add(n->context, place, "%s of <%.60s> is '%.100s', which is no %s%s%.100s%s", attribute,
                e->tag, name, kind_words[of], best ? "; nearest: '" : "", best ? best : "",
                best ? "'" : "");
}

/// Where an SRDF names things: attributes of the children of its root (parent ""), and of those
/// elements' own.
static const struct {
    const char *parent, *tag, *attribute;
    kind of;
} references[] = {
    {"", "disable_collisions", "link1", LINK},
    {"", "disable_collisions", "link2", LINK},
    {"", "enable_collisions", "link1", LINK},
    {"", "enable_collisions", "link2", LINK},
    {"", "disable_default_collisions", "link", LINK},
    {"", "virtual_joint", "child_link", LINK},
    {"", "passive_joint", "name", JOINT},
    {"", "end_effector", "parent_link", LINK},
    {"", "end_effector", "group", GROUP},
    {"", "joint_property", "joint_name", JOINT},
    {"", "link_sphere_approximation", "link", LINK},
    {"", "group_state", "group", GROUP},
    {"collision_margins", "pair_margin", "link1", LINK},
    {"collision_margins", "pair_margin", "link2", LINK},
    {"group group_state", "link", "name", LINK},
    {"group group_state", "joint", "name", JOINT},
    {"group group_state", "group", "name", GROUP},
    {"group group_state", "chain", "base_link", LINK},
    {"group group_state", "chain", "tip_link", LINK},
};

static void check_element_names(name_check *n, const gz_xml_element *e) {
    const char *parent = e->parent->parent ? e->parent->tag : "";
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (gz_xml_is(e, references[i].tag) &&
            gz_is_listed(references[i].parent, parent, strlen(parent)))
            check_name(n, e, references[i].attribute, references[i].of);
    const char *group = gz_xml_is(e, "end_effector") ? gz_xml_get(e, "parent_group") : NULL;
    if (group && *group && !e->parent->parent) check_name(n, e, "parent_group", GROUP);
}

static bool collect_names(const gz_xml_element *root, const char *tag, gz_name_table *table) {
    for (const gz_xml_element *e = gz_xml_child(root, tag); e; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "name");
        if (name && gz_name_table_find(table, name) < 0 && !gz_name_table_add(table, name, 0))
            return false;
    }
    return true;
}

static void check_names(gz_lint_context *c, const gz_xml_element *root) {
    name_check n = {.context = c, .root = root};
    bool ok = collect_names(root, "group", &n.groups) &&
              collect_names(root, "virtual_joint", &n.virtual_joints);
    c->out_of_memory |= !ok;
    for (const gz_xml_element *e = ok ? root->first_child : NULL; e; e = e->next) {
        check_element_names(&n, e);
        for (const gz_xml_element *x = e->first_child; x; x = x->next) check_element_names(&n, x);
    }
    gz_name_table_free(&n.groups);
    gz_name_table_free(&n.virtual_joints);
}

static void check_robot_name(gz_lint_context *c, const gz_xml_element *root) {
    const char *name = gz_xml_get(root, "name");
    if (name && strcmp(name, c->robot_name) == 0) return;
    gz_lint_add(c, at(root), "the SRDF is for robot '%.100s'; the URDF is of '%.100s'",
                name ? name : "", c->robot_name);
}

static void check_virtual_joint(gz_lint_context *c, const gz_xml_element *root) {
    const gz_xml_element *e = c->root >= 0 ? gz_xml_child(root, "virtual_joint") : NULL;
    for (; e; e = gz_xml_next(e)) {
        int32_t link = gz_lint_find_link(c, gz_xml_get(e, "child_link"));
        if (link < 0 || link == c->root) continue;
        gz_lint_place place = at(e);
        place.link = c->links[link].name;
        gz_lint_add(c, place, "virtual joint holds link '%.100s'; allowed: the root link, '%.100s'",
                    place.link, c->links[c->root].name);
    }
}

// ----------------------------------------------------------------------------------------- pairs

static void check_reason(gz_lint_context *c, const gz_lint_pair *p) {
    const char *reason = gz_xml_get(p->element, "reason");
    if (p->enable || p->a < 0 || p->a == p->b || !reason || strcasecmp(reason, "Adjacent") != 0 ||
        gz_lint_adjacent(c, p->a, p->b))
        return;
    gz_lint_place place = at(p->element);
    place.link = c->links[p->a].name;
    gz_lint_add(c, place,
                "'%.100s' and '%.100s' are disabled as \"%.60s\", and no joint joins them",
                c->links[p->a].name, c->links[p->b].name, reason);
}

static void check_duplicates(gz_lint_context *c, const gz_lint_pair *p) {
    const gz_lint_pair *first = &c->pairs->items[p->first];
    if (p == first) return;
    gz_lint_add(c, at(p->element), "'%.100s' and '%.100s' have such a rule already, at line %d",
                c->links[p->a].name, c->links[p->b].name, (int)first->element->line);
}

/// Whether a rule about a pair can change what is checked: two different links that are there, with
/// collision geometry.
static bool is_effective(const gz_lint_context *c, const gz_lint_pair *p) {
    return p->a >= 0 && p->a != p->b && gz_lint_has_collision(c, p->a) &&
           gz_lint_has_collision(c, p->b);
}

/// The link that <disable_default_collisions> names, if it has collision geometry; or -1.
static int32_t default_link(const gz_lint_context *c, const gz_xml_element *e) {
    int32_t link = gz_lint_find_link(c, gz_xml_get(e, "link"));
    return link >= 0 && gz_lint_has_collision(c, link) ? link : -1;
}

/// Counts rules about pairs, and those that are effective.
static void check_effect(gz_lint_context *c, const gz_xml_element *root) {
    const gz_lint_pairs *pairs = gz_lint_pairs_get(c);
    if (!pairs) return;
    size_t rules = pairs->count, effective = 0;
    for (size_t i = 0; i < pairs->count; i++) effective += is_effective(c, &pairs->items[i]);
    const gz_xml_element *e = gz_xml_child(root, "disable_default_collisions");
    for (; e; e = gz_xml_next(e), rules++) effective += default_link(c, e) >= 0;
    if (!rules || effective) return;
    gz_lint_add(c, gz_lint_measured(at(root), 0, 1, ""),
                "none of the %zu rules about pairs names two links with collision geometry; usual: "
                "all of them",
                rules);
}

/// Marks the links with collision geometry that <disable_default_collisions> names; how many.
static size_t mark_defaults(const gz_lint_context *c, const gz_xml_element *root, uint8_t *off) {
    size_t count = 0;
    const gz_xml_element *e = gz_xml_child(root, "disable_default_collisions");
    for (; e; e = gz_xml_next(e)) {
        int32_t link = default_link(c, e);
        if (link < 0 || off[link]) continue;
        off[link] = 1;
        count++;
    }
    return count;
}

/// How many pairs the rules for single pairs leave out besides those that hang on a link of `off`,
/// less how many of those they bring back.
static double count_single(const gz_lint_context *c, const gz_lint_pairs *pairs,
                           const uint8_t *off) {
    double count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const gz_lint_pair *p = &pairs->items[i];
        if (p->first != i || !is_effective(c, p)) continue;
        bool by_default = off[p->a] || off[p->b];
        if (!p->enable) count += !by_default;
        // A rule that disables the pair is stronger.
        if (p->enable) count -= by_default && !gz_lint_pairs_find(pairs, p->a, p->b, false);
    }
    return count;
}

static void check_share(gz_lint_context *c, const gz_xml_element *root) {
    const gz_lint_pairs *pairs = gz_lint_pairs_get(c);
    size_t count = 0;
    if (!pairs) return;
    for (size_t i = 0; i < c->link_count; i++) count += gz_lint_has_collision(c, (int32_t)i);
    uint8_t *marks = gz_calloc(c->link_count, sizeof *marks);
    c->out_of_memory |= !marks;
    if (!marks) return;
    double links = (double)count, all = 0.5 * links * (links - 1);
    double defaults = (double)mark_defaults(c, root, marks);
    double off = defaults * (links - defaults) + 0.5 * defaults * (defaults - 1) +
                 count_single(c, pairs, marks);
    gz_free(marks);
    if (!(off > 0)) return;
    double share = off / all;
    gz_lint_add(c, gz_lint_measured(at(root), share, 0, ""),
                "%.0f of %.0f pairs of links with collision geometry are never checked (%.1f %%)",
                off, all, 100 * share);
}

// ---------------------------------------------------------------------------------------- states

static void check_state(gz_lint_context *c, const gz_xml_element *state, const gz_xml_element *e) {
    const char *state_name = gz_xml_get(state, "name");
    int32_t index = gz_lint_find_joint(c, gz_xml_get(e, "name"));
    const gz_lint_joint *j = index < 0 ? NULL : &c->joints[index];
    bool turns = j && strcmp(j->type, "revolute") == 0;
    if (!j || (!turns && strcmp(j->type, "prismatic") != 0)) return;
    gz_lint_numbers value = gz_lint_numbers_read(e, "value", 1);
    // As in URDF, a limit that is not written is 0.
    bool known = value.valid && j->limit && (!j->lower.text || j->lower.valid) &&
                 (!j->upper.text || j->upper.valid);
    double lower = j->lower.value[0], upper = j->upper.value[0], q = value.value[0];
    if (!known || lower > upper || (lower <= q && q <= upper)) return;
    const char *unit = turns ? "rad" : "m";
    gz_lint_place place = gz_lint_measured(at(e), q, q < lower ? lower : upper, unit);
    place.joint = j->name;
    gz_lint_add(c, place, "state '%.100s' puts joint '%.100s' at %.9g %s; allowed: %.9g to %.9g %s",
                state_name ? state_name : "", j->name, q, unit, lower, upper, unit);
}

static void check_states(gz_lint_context *c, const gz_xml_element *root) {
    const gz_xml_element *state = gz_xml_child(root, "group_state");
    for (; state; state = gz_xml_next(state))
        for (const gz_xml_element *e = gz_xml_child(state, "joint"); e; e = gz_xml_next(e))
            check_state(c, state, e);
}

#define RULE(...) GZ_LINT_RULE(SELF, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("S001", "always-touching", WARNING, "Two links touch wherever the joints stand.",
         "Disable the pair in the SRDF, or make the geometry smaller: no motion is ever free.",
         .check = gz_lint_check_always),
    RULE("S002", "state-collides", WARNING, "The robot touches itself at rest or in a named state.",
         "Move the state away from the contact, or disable a pair that is meant to touch.",
         .check = gz_lint_check_named),
    RULE("S003", "hidden-contact", WARNING, "A pair that is disabled can collide.",
         "Remove the rule; graze check --masked shows what it hides.",
         .check = gz_lint_check_hidden),
    RULE("S004", "srdf-unknown-name", WARNING, "The SRDF names what the robot does not have.",
         "Correct the name, or remove the rule: it has no effect.", .check_srdf = check_names),
    RULE("S005", "not-adjacent", WARNING, "A pair is disabled as adjacent, and is not.",
         "Find out whether the pair can collide (graze srdf), and say the true reason.",
         .check_pair = check_reason),
    RULE("S006", "duplicate-pair", INFO, "A pair has two rules of one kind.",
         "Remove the later one.", .check_pair = check_duplicates),
    RULE("S007", "srdf-robot-name", WARNING, "The SRDF is for a robot of another name.",
         "Take the SRDF of this robot, or correct its name.", .check_srdf = check_robot_name),
    RULE("S008", "state-outside", WARNING, "A named state is outside of a joint's limits.",
         "Move the state into the limits: planners refuse to start or end there.",
         .check_srdf = check_states),
    RULE("S009", "srdf-no-effect", WARNING, "No rule about pairs has any effect.",
         "Take the SRDF of this robot.", .check_srdf = check_effect),
    RULE("S010", "pairs-unchecked", INFO, "The SRDF leaves pairs of links out of every check.",
         "See that each is rightly left out: graze srdf ROBOT --verify FILE.",
         .check_srdf = check_share),
    RULE("S011", "contact-in-range", WARNING,
         "A joint reaches a contact of the robot with itself inside its limits.",
         "Narrow the limit, or see to it that whatever moves the joint checks for collisions.",
         .check = gz_lint_check_audit),
    RULE("S012", "virtual-joint-child", WARNING, "A virtual joint does not hold the root link.",
         "Name the root link as its child_link.", .check_srdf = check_virtual_joint),
    RULE("S013", "dead-geometry", INFO,
         "A link lies inside its neighbour wherever their joint stands.",
         "Remove its collision geometry: nothing can touch it.", .check_joint = check_dead),
    RULE("S014", "adjacent-unnamed", INFO,
         "A pair of neighbours is disabled for another reason than \"Adjacent\".",
         "Write reason=\"Adjacent\": it stays true when the rest of the matrix is made anew.",
         .check_pair = check_adjacent),
};

const gz_lint_tier gz_lint_tier_self = {rules, sizeof rules / sizeof *rules};
