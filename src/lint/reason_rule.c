// S014: are neighbours disabled as such?

#include <string.h>
#include <strings.h>

#include "lint/lint.h"

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

void gz_lint_check_adjacent(gz_lint_context *c, const gz_lint_rule *rule) {
    // In a robot that is no tree it is not certain who is whose neighbour.
    if (!c->srdf || c->root < 0) return;
    const gz_xml_element *root = gz_xml_root(c->srdf);
    for (const gz_xml_element *e = gz_xml_child(root, "disable_collisions"); e; e = gz_xml_next(e))
        judge(c, rule, e);
}
