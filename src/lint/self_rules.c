// S013: is the geometry of a link inside its neighbour, wherever the joint between them stands?

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

/// Points looked at on each surface; so many may be outside; places of the joint over its range.
enum { POINTS = 64, MOST_OUTSIDE = 3, PLACES = 5 };

/// The turn by `angle` about a unit axis (Rodrigues), or the shift by `value` along it.
static graze_transform motion_of(const gz_lint_joint *j, double value) {
    graze_transform t = graze_transform_identity();
    double a[3] = {1, 0, 0}, sine, cosine;
    if (j->axis.valid) memcpy(a, j->axis.value, sizeof a);
    double length = gz_norm(a);
    if (!(length > 0)) return t;
    for (int k = 0; k < 3; k++) a[k] /= length;
    if (strcmp(j->type, "prismatic") == 0) {
        for (int k = 0; k < 3; k++) t.m[4 * k + 3] = value * a[k];
        return t;
    }
    gz_sine_cosine(value, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        for (int k = 0; k < 3; k++) t.m[4 * i + k] = (1 - cosine) * a[i] * a[k];
        t.m[4 * i + i] += cosine;
        t.m[4 * i + u] -= sine * a[v];
        t.m[4 * i + v] += sine * a[u];
    }
    return t;
}

/// Whether the limits of a joint are known, and what they are; a continuous one has a whole turn.
static bool range_of(const gz_lint_joint *j, double range[2]) {
    range[0] = range[1] = 0;
    if (strcmp(j->type, "fixed") == 0) return true;
    if (strcmp(j->type, "continuous") == 0) {
        range[1] = 2 * 3.14159265358979323846;
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

static void check_dead(gz_lint_context *c, const gz_lint_rule *rule) {
    for (size_t i = 0; i < c->joint_count && !c->out_of_memory; i++) {
        const gz_lint_joint *j = &c->joints[i];
        if (j->parent_link < 0 || j->child_link < 0 || j->parent_link == j->child_link) continue;
        const gz_lint_link *parent = &c->links[j->parent_link], *child = &c->links[j->child_link];
        const gz_lint_link *in = NULL, *out = parent;
        if (stays_inside(c, j, child, parent, true)) in = child;
        if (!in && !c->out_of_memory && stays_inside(c, j, parent, child, false)) {
            in = parent;
            out = child;
        }
        if (!in || c->out_of_memory) continue;
        gz_lint_place place = {.element = in->element, .link = in->name, .joint = j->name};
        gz_lint_add(c, rule, place,
                    "link '%.100s' is inside link '%.100s' over the whole range of joint '%.100s'; "
                    "usual: some of it outside",
                    in->name, out->name, j->name);
    }
}

// S014: are neighbours disabled as such?

// Chains of links without geometry are looked through so far: hostile ones end.
#define MOST_EMPTY 64

static bool is_empty(const gz_lint_context *c, int32_t link) {
    const gz_lint_link *l = &c->links[link];
    for (size_t i = 0; i < l->geometry_count; i++)
        if (!c->geometries[l->first_geometry + i].visual) return false;
    return true;
}

static int32_t parent_of(const gz_lint_context *c, int32_t link) {
    int32_t joint = c->links[link].parent_joint;
    return joint >= 0 ? c->joints[joint].parent_link : -1;
}

/// The first link above that has collision geometry, or -1; *top is the last empty one on the way,
/// -1 where there is none.
static int32_t neighbour_above(const gz_lint_context *c, int32_t link, int32_t *top) {
    *top = -1;
    int32_t at = parent_of(c, link);
    for (int i = 0; at >= 0 && is_empty(c, at); i++) {
        if (i == MOST_EMPTY) {
            *top = -1;
            return -1;
        }
        *top = at;
        at = parent_of(c, at);
    }
    return at;
}

/// As the loader has it: joined by a joint, looking through links without collision geometry; both
/// below one such link count, too.
static bool are_adjacent(const gz_lint_context *c, int32_t a, int32_t b) {
    int32_t top_a, top_b;
    int32_t above_a = neighbour_above(c, a, &top_a), above_b = neighbour_above(c, b, &top_b);
    return above_a == b || above_b == a || (top_a >= 0 && top_a == top_b);
}

/// Reasons that the MoveIt Setup Assistant writes; other words are somebody's own.
static bool is_other_reason(const char *reason) {
    static const char *const others[] = {"Never", "Always", "Default"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(reason, others[i]) == 0) return true;
    return strcasecmp(reason, "Adjacent") == 0 && strcmp(reason, "Adjacent") != 0;
}

static void judge(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *e) {
    const char *names[2] = {gz_xml_get(e, "link1"), gz_xml_get(e, "link2")};
    const char *reason = gz_xml_get(e, "reason");
    if (!names[0] || !names[1] || !reason || !is_other_reason(reason)) return;
    int32_t a = gz_lint_find_link(c, names[0]), b = gz_lint_find_link(c, names[1]);
    if (a < 0 || b < 0 || a == b || is_empty(c, a) || is_empty(c, b) || !are_adjacent(c, a, b))
        return;
    gz_lint_place place = {.srdf = true, .element = e, .link = names[0]};
    gz_fix_buffer mend;
    gz_fix_srdf_value(&mend, c, e, "reason", "Adjacent", &place.fix);
    gz_lint_add(c, rule, place,
                "links '%.100s' and '%.100s' are neighbours and disabled as \"%.20s\"; usual: "
                "\"Adjacent\"",
                names[0], names[1], reason);
}

static void check_adjacent(gz_lint_context *c, const gz_lint_rule *rule) {
    // In a robot that is no tree it is not certain who is whose neighbour.
    if (!c->srdf || c->root < 0) return;
    const gz_xml_element *root = gz_xml_root(c->srdf);
    for (const gz_xml_element *e = gz_xml_child(root, "disable_collisions"); e; e = gz_xml_next(e))
        judge(c, rule, e);
}

// S: self-collision and the SRDF: names and structure.

static gz_lint_place at(const gz_xml_element *element) {
    return (gz_lint_place){.srdf = true, .element = element};
}

static const gz_xml_element *srdf_root(const gz_lint_context *c) {
    return c->srdf ? gz_xml_root(c->srdf) : NULL;
}

// ----------------------------------------------------------------------------------------- names

typedef enum kind { LINK, JOINT, GROUP } kind;

/// Unknown names beyond these get no suggestion: looking for the nearest takes time with the number
/// of names, and a file may hold as many unknown ones.
#define SUGGESTIONS 100

typedef struct name_check {
    gz_lint_context *context;
    const gz_lint_rule *rule;
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
    gz_spelling nearest = gz_spelling_start(name);
    const char *best = NULL;
    for (size_t i = 0; of == LINK && i < c->link_count; i++)
        if (gz_spelling_try(&nearest, c->links[i].name, 0)) best = c->links[i].name;
    for (size_t i = 0; of == JOINT && i < c->joint_count; i++)
        if (gz_spelling_try(&nearest, c->joints[i].name, 0)) best = c->joints[i].name;
    const gz_xml_element *e = of == GROUP ? gz_xml_child(srdf_root(c), "group") : NULL;
    for (; e; e = gz_xml_next(e)) {
        const char *other = gz_xml_get(e, "name");
        if (other && gz_spelling_try(&nearest, other, 0)) best = other;
    }
    return best;
}

/// Judges one attribute that names a thing. `link` of the finding is the name as written.
static void judge_name(name_check *n, const gz_xml_element *e, const char *attribute, kind of) {
    const char *name = gz_xml_get(e, attribute);
    if (name && is_known(n, of, name)) return;
    gz_lint_place place = at(e);
    if (!name || !name[0]) {
        gz_lint_add(n->context, n->rule, place, "<%.60s> has no %s; allowed: the name of a %s",
                    e->tag, attribute, kind_words[of]);
        return;
    }
    if (of == LINK) place.link = name;
    if (of == JOINT) place.joint = name;
    const char *best = n->reported++ < SUGGESTIONS ? nearest_name(n, of, name) : NULL;
    gz_lint_add(n->context, n->rule, place, "%s of <%.60s> is '%.100s', which is no %s%s%.100s%s",
                attribute, e->tag, name, kind_words[of], best ? "; nearest: '" : "",
                best ? best : "", best ? "'" : "");
}

static void judge_members(name_check *n, const gz_xml_element *group) {
    for (const gz_xml_element *e = group->first_child; e; e = e->next) {
        if (gz_xml_is(e, "link")) judge_name(n, e, "name", LINK);
        if (gz_xml_is(e, "joint")) judge_name(n, e, "name", JOINT);
        if (gz_xml_is(e, "group")) judge_name(n, e, "name", GROUP);
        if (!gz_xml_is(e, "chain")) continue;
        judge_name(n, e, "base_link", LINK);
        judge_name(n, e, "tip_link", LINK);
    }
}

static void judge_margins(name_check *n, const gz_xml_element *margins) {
    for (const gz_xml_element *e = gz_xml_child(margins, "pair_margin"); e; e = gz_xml_next(e)) {
        judge_name(n, e, "link1", LINK);
        judge_name(n, e, "link2", LINK);
    }
}

static void judge_names(name_check *n, const gz_xml_element *e) {
    if (gz_xml_is(e, "disable_collisions") || gz_xml_is(e, "enable_collisions")) {
        judge_name(n, e, "link1", LINK);
        judge_name(n, e, "link2", LINK);
    } else if (gz_xml_is(e, "disable_default_collisions")) {
        judge_name(n, e, "link", LINK);
    } else if (gz_xml_is(e, "virtual_joint")) {
        judge_name(n, e, "child_link", LINK);
    } else if (gz_xml_is(e, "passive_joint")) {
        judge_name(n, e, "name", JOINT);
    } else if (gz_xml_is(e, "end_effector")) {
        judge_name(n, e, "parent_link", LINK);
        judge_name(n, e, "group", GROUP);
        const char *parent = gz_xml_get(e, "parent_group");
        if (parent && *parent) judge_name(n, e, "parent_group", GROUP);
    } else if (gz_xml_is(e, "joint_property")) {
        judge_name(n, e, "joint_name", JOINT);
    } else if (gz_xml_is(e, "link_sphere_approximation")) {
        judge_name(n, e, "link", LINK);
    } else if (gz_xml_is(e, "collision_margins")) {
        judge_margins(n, e);
    } else if (gz_xml_is(e, "group")) {
        judge_members(n, e);
    } else if (gz_xml_is(e, "group_state")) {
        judge_name(n, e, "group", GROUP);
        judge_members(n, e);
    }
}

static bool learn_names(const gz_xml_element *root, const char *tag, gz_name_table *table) {
    for (const gz_xml_element *e = gz_xml_child(root, tag); e; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "name");
        if (name && gz_name_table_find(table, name) < 0 && !gz_name_table_add(table, name, 0))
            return false;
    }
    return true;
}

static void check_names(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = srdf_root(c);
    if (!root) return;
    name_check n = {.context = c, .rule = rule};
    bool ok = learn_names(root, "group", &n.groups) &&
              learn_names(root, "virtual_joint", &n.virtual_joints);
    c->out_of_memory |= !ok;
    for (const gz_xml_element *e = ok ? root->first_child : NULL; e; e = e->next)
        judge_names(&n, e);
    gz_name_table_free(&n.groups);
    gz_name_table_free(&n.virtual_joints);
}

static void check_robot_name(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = srdf_root(c);
    const char *name = root ? gz_xml_get(root, "name") : NULL;
    if (!root || (name && strcmp(name, c->robot_name) == 0)) return;
    gz_lint_add(c, rule, at(root), "the SRDF is for robot '%.100s'; the URDF is of '%.100s'",
                name ? name : "", c->robot_name);
}

static void check_virtual_joint(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = srdf_root(c);
    const gz_xml_element *e = root && c->root >= 0 ? gz_xml_child(root, "virtual_joint") : NULL;
    for (; e; e = gz_xml_next(e)) {
        const char *child = gz_xml_get(e, "child_link");
        int32_t link = child ? gz_lint_find_link(c, child) : -1;
        if (link < 0 || link == c->root) continue;
        gz_lint_place place = at(e);
        place.link = c->links[link].name;
        gz_lint_add(c, rule, place,
                    "virtual joint holds link '%.100s'; allowed: the root link, '%.100s'", child,
                    c->links[c->root].name);
    }
}

// ----------------------------------------------------------------------------------------- pairs

static void check_reason(gz_lint_context *c, const gz_lint_rule *rule) {
    gz_lint_pairs pairs;
    if (gz_lint_pairs_read(&pairs, c))
        for (size_t i = 0; i < pairs.count; i++) {
            const gz_lint_pair *p = &pairs.items[i];
            const char *reason = gz_xml_get(p->element, "reason");
            if (p->enable || p->a < 0 || p->a == p->b || !reason ||
                strcasecmp(reason, "Adjacent") != 0 || gz_lint_adjacent(c, &pairs, p->a, p->b))
                continue;
            gz_lint_place place = at(p->element);
            place.link = c->links[p->a].name;
            gz_lint_add(c, rule, place,
                        "'%.100s' and '%.100s' are disabled as \"%.60s\", and no joint joins them",
                        c->links[p->a].name, c->links[p->b].name, reason);
        }
    gz_lint_pairs_free(&pairs);
}

static void check_duplicates(gz_lint_context *c, const gz_lint_rule *rule) {
    gz_lint_pairs pairs;
    if (gz_lint_pairs_read(&pairs, c))
        for (size_t i = 0; i < pairs.count; i++) {
            const gz_lint_pair *p = &pairs.items[i];
            if (p->first == i) continue;
            gz_lint_add(c, rule, at(p->element),
                        "'%.100s' and '%.100s' have such a rule already, at line %d",
                        c->links[p->a].name, c->links[p->b].name,
                        (int)pairs.items[p->first].element->line);
        }
    gz_lint_pairs_free(&pairs);
}

/// Counts rules about pairs, and those that change which pairs are checked: links that are there,
/// two different ones, with collision geometry.
static void check_effect(gz_lint_context *c, const gz_lint_rule *rule) {
    gz_lint_pairs pairs;
    size_t rules = 0, effective = 0;
    if (gz_lint_pairs_read(&pairs, c)) {
        for (size_t i = 0; i < pairs.count; i++) {
            const gz_lint_pair *p = &pairs.items[i];
            effective += p->a >= 0 && p->a != p->b && gz_lint_has_collision(c, p->a) &&
                         gz_lint_has_collision(c, p->b);
        }
        rules = pairs.count;
        const gz_xml_element *root = srdf_root(c);
        const gz_xml_element *e = root ? gz_xml_child(root, "disable_default_collisions") : NULL;
        for (; e; e = gz_xml_next(e)) {
            const char *name = gz_xml_get(e, "link");
            int32_t link = name ? gz_lint_find_link(c, name) : -1;
            rules++;
            effective += link >= 0 && gz_lint_has_collision(c, link);
        }
    }
    gz_lint_pairs_free(&pairs);
    if (!rules || effective || c->out_of_memory) return;
    gz_lint_place place = at(srdf_root(c));
    place.has_value = true;
    place.threshold = 1;
    place.unit = "";
    gz_lint_add(c, rule, place,
                "none of the %zu rules about pairs names two links with collision geometry; usual: "
                "all of them",
                rules);
}

/// Marks the links with collision geometry that <disable_default_collisions> names; how many.
static size_t mark_defaults(const gz_lint_context *c, uint8_t *off) {
    size_t count = 0;
    const gz_xml_element *e = gz_xml_child(srdf_root(c), "disable_default_collisions");
    for (; e; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "link");
        int32_t link = name ? gz_lint_find_link(c, name) : -1;
        if (link < 0 || off[link] || !gz_lint_has_collision(c, link)) continue;
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
        if (p->first != i || p->a < 0 || p->a == p->b || !gz_lint_has_collision(c, p->a) ||
            !gz_lint_has_collision(c, p->b))
            continue;
        bool by_default = off[p->a] || off[p->b];
        if (!p->enable) count += !by_default;
        // A rule that disables the pair is stronger.
        if (p->enable) count -= by_default && !gz_lint_pairs_find(pairs, p->a, p->b, false);
    }
    return count;
}

static void check_share(gz_lint_context *c, const gz_lint_rule *rule) {
    gz_lint_pairs pairs;
    size_t count = 0;
    if (!c->srdf) return;
    for (size_t i = 0; i < c->link_count; i++) count += gz_lint_has_collision(c, (int32_t)i);
    uint8_t *marks = gz_calloc(c->link_count ? c->link_count : 1, sizeof *marks);
    c->out_of_memory |= !marks;
    double links = (double)count, all = 0.5 * links * (links - 1), off = 0;
    if (gz_lint_pairs_read(&pairs, c) && marks) {
        double defaults = (double)mark_defaults(c, marks);
        off = defaults * (links - defaults) + 0.5 * defaults * (defaults - 1);
        off += count_single(c, &pairs, marks);
    }
    gz_lint_pairs_free(&pairs);
    gz_free(marks);
    if (!(off > 0) || c->out_of_memory) return;
    double share = off / all;
    gz_lint_place place = at(srdf_root(c));
    place.has_value = true;
    place.value = share;
    place.threshold = 0;
    place.unit = "";
    gz_lint_add(c, rule, place,
                "%.0f of %.0f pairs of links with collision geometry are never checked (%.1f %%)",
                off, all, 100 * share);
}

// ---------------------------------------------------------------------------------------- states

static void judge_state(gz_lint_context *c, const gz_lint_rule *rule, const gz_xml_element *state,
                        const gz_xml_element *e) {
    const char *name = gz_xml_get(e, "name"), *state_name = gz_xml_get(state, "name");
    int32_t index = name ? gz_lint_find_joint(c, name) : -1;
    const gz_lint_joint *j = index < 0 ? NULL : &c->joints[index];
    bool turns = j && strcmp(j->type, "revolute") == 0;
    if (!j || (!turns && strcmp(j->type, "prismatic") != 0)) return;
    gz_lint_numbers value = gz_lint_numbers_read(e, "value", 1);
    // As in URDF, a limit that is not written is 0.
    bool known = value.valid && j->limit && (!j->lower.text || j->lower.valid) &&
                 (!j->upper.text || j->upper.valid);
    double lower = j->lower.value[0], upper = j->upper.value[0], q = value.value[0];
    if (!known || lower > upper || (lower <= q && q <= upper)) return;
    gz_lint_place place = at(e);
    const char *unit = turns ? "rad" : "m";
    place.joint = j->name;
    place.has_value = true;
    place.value = q;
    place.threshold = q < lower ? lower : upper;
    place.unit = unit;
    gz_lint_add(c, rule, place,
                "state '%.100s' puts joint '%.100s' at %.9g %s; allowed: %.9g to %.9g %s",
                state_name ? state_name : "", j->name, q, unit, lower, upper, unit);
}

static void check_states(gz_lint_context *c, const gz_lint_rule *rule) {
    const gz_xml_element *root = srdf_root(c);
    const gz_xml_element *state = root ? gz_xml_child(root, "group_state") : NULL;
    for (; state; state = gz_xml_next(state))
        for (const gz_xml_element *e = gz_xml_child(state, "joint"); e; e = gz_xml_next(e))
            judge_state(c, rule, state, e);
}

#define RULE(id, name, level, summary, advice, check)                                              \
    { {id, name, GRAZE_TIER_SELF, GRAZE_SEVERITY_##level, summary, advice}, check }

static const gz_lint_rule rules[] = {
    RULE("S001", "always-touching", WARNING, "Two links touch wherever the joints stand.",
         "Disable the pair in the SRDF, or make the geometry smaller: no motion is ever free.",
         gz_lint_check_always),
    RULE("S002", "state-collides", WARNING, "The robot touches itself at rest or in a named state.",
         "Move the state away from the contact, or disable a pair that is meant to touch.",
         gz_lint_check_named),
    RULE("S003", "hidden-contact", WARNING, "A pair that is disabled can collide.",
         "Remove the rule; graze check --masked shows what it hides.", gz_lint_check_hidden),
    RULE("S004", "srdf-unknown-name", WARNING, "The SRDF names what the robot does not have.",
         "Mend the name, or remove the rule: it has no effect.", check_names),
    RULE("S005", "not-adjacent", WARNING, "A pair is disabled as adjacent, and is not.",
         "Find out whether the pair can collide (graze srdf), and say the true reason.",
         check_reason),
    RULE("S006", "duplicate-pair", INFO, "A pair has two rules of one kind.",
         "Remove the later one.", check_duplicates),
    RULE("S007", "srdf-robot-name", WARNING, "The SRDF is for a robot of another name.",
         "Take the SRDF of this robot, or mend its name.", check_robot_name),
    RULE("S008", "state-outside", WARNING, "A named state is outside of a joint's limits.",
         "Move the state into the limits: planners refuse to start or end there.", check_states),
    RULE("S009", "srdf-no-effect", WARNING, "No rule about pairs has any effect.",
         "Take the SRDF of this robot.", check_effect),
    RULE("S010", "pairs-unchecked", INFO, "The SRDF leaves pairs of links out of every check.",
         "See that each is rightly left out: graze srdf ROBOT --verify FILE.", check_share),
    RULE("S011", "contact-in-range", WARNING,
         "A joint reaches a contact of the robot with itself inside its limits.",
         "Narrow the limit, or see to it that whatever moves the joint checks for collisions.",
         gz_lint_check_audit),
    RULE("S012", "virtual-joint-child", WARNING, "A virtual joint does not hold the root link.",
         "Name the root link as its child_link.", check_virtual_joint),
    RULE("S013", "dead-geometry", INFO,
         "A link lies inside its neighbour wherever their joint stands.",
         "Remove its collision geometry: nothing can touch it.", check_dead),
    RULE("S014", "adjacent-unnamed", INFO,
         "A pair of neighbours is disabled for another reason than \"Adjacent\".",
         "Write reason=\"Adjacent\": it stays true when the rest of the matrix is made anew.",
         check_adjacent),
};

const gz_lint_rule *gz_lint_rules_self(size_t *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}
