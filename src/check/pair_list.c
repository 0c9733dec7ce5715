// Which pairs a checker looks at, in which order and by which rules; and which not, and why not.

#include "check/checker.h"
#include "check/margin.h"

static graze_checked_pair self_pair(const graze_checker *c, const gz_check_pair *pair,
                                    bool hidden) {
    const char *reason = NULL;
    if (c->options.no_self) reason = "links are not checked against links";
    if (hidden) reason = pair->reason;
    return (graze_checked_pair){.link = pair->a,
                                .other = pair->b,
                                .hidden = reason,
                                .margin = pair->margin,
                                .policies = {c->link_policies[pair->a], c->link_policies[pair->b]}};
}

static bool comes_before(const gz_check_pair *x, const gz_check_pair *y) {
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

typedef bool (*visit)(const graze_checked_pair *pair, void *user);

/// Checked and hidden pairs are sorted alike: they are merged.
static bool visit_self(const graze_checker *c, visit each, void *user) {
    size_t i = 0, h = 0;
    while (i < c->pair_count || h < c->hidden_count) {
        bool hidden = i == c->pair_count ||
                      (h < c->hidden_count && comes_before(&c->hidden[h], &c->pairs[i]));
        graze_checked_pair pair = hidden ? self_pair(c, &c->hidden[h++], true)
                                         : self_pair(c, &c->pairs[i++], false);
        if (!each(&pair, user)) return false;
    }
    return true;
}

static void visit_world(const graze_checker *c, visit each, void *user) {
    size_t objects = c->world ? c->world->object_count : 0;
    for (size_t i = 0; i < c->link_count; i++) {
        for (size_t o = 0; o < objects; o++) {
            int32_t link = c->links[i];
            const char *reason = c->options.no_world ? "the world is not checked" : NULL;
            if (!reason && c->allowed && c->allowed[(size_t)link * objects + o]) reason = "allowed";
            graze_checked_pair pair = {
                .link = link,
                .other = (int32_t)o,
                .is_world = true,
                .hidden = reason,
                .margin = gz_object_margin(c, link, (int32_t)o),
                .policies = {c->link_policies[link], gz_object_policy(c, (int32_t)o)}};
            if (!each(&pair, user)) return;
        }
    }
}

void graze_checker_pairs(const graze_checker *checker, visit each, void *user) {
    if (checker && each && visit_self(checker, each, user)) visit_world(checker, each, user);
}
