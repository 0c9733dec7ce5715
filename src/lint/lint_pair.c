#include "lint/self_collision.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/component.h"

bool gz_lint_has_collision(const gz_lint_context *c, int32_t link) {
    const gz_lint_link *l = &c->links[link];
    for (size_t i = 0; i < l->geometry_count; i++)
        if (!c->geometries[l->first_geometry + i].visual) return true;
    return false;
}

// ------------------------------------------------------------------------------------- adjacency

static int32_t parent_of(const gz_lint_context *c, int32_t link) {
    int32_t joint = c->links[link].parent_joint;
    return joint < 0 ? -1 : c->joints[joint].parent_link;
}

/// The cluster of empty links that a link hangs on, or -1.
static int32_t cluster_over(const gz_lint_context *c, const gz_lint_pairs *p, int32_t link) {
    int32_t parent = parent_of(c, link);
    if (parent < 0 || gz_lint_has_collision(c, parent)) return -1;
    return (int32_t)p->cluster[parent];
}

bool gz_lint_adjacent(const gz_lint_context *c, const gz_lint_pairs *p, int32_t a, int32_t b) {
    if (parent_of(c, a) == b || parent_of(c, b) == a) return true;
    int32_t over_a = cluster_over(c, p, a), over_b = cluster_over(c, p, b);
    if (over_a >= 0 && (over_a == over_b || p->cluster_above[over_a] == b)) return true;
    return over_b >= 0 && p->cluster_above[over_b] == a;
}

static void find_clusters(const gz_lint_context *c, gz_lint_pairs *p) {
    for (uint32_t i = 0; i < c->link_count; i++) {
        p->cluster[i] = i;
        p->cluster_above[i] = -1;
    }
    for (int32_t i = 0; i < (int32_t)c->link_count; i++) {
        int32_t parent = parent_of(c, i);
        if (parent < 0 || gz_lint_has_collision(c, i) || gz_lint_has_collision(c, parent)) continue;
        gz_join(p->cluster, (uint32_t)parent, (uint32_t)i);
    }
    for (uint32_t i = 0; i < c->link_count; i++) p->cluster[i] = gz_find_root(p->cluster, i);
    for (int32_t i = 0; i < (int32_t)c->link_count; i++) {
        int32_t parent = parent_of(c, i);
        if (parent < 0 || gz_lint_has_collision(c, i) || !gz_lint_has_collision(c, parent))
            continue;
        p->cluster_above[p->cluster[i]] = parent;
    }
}

// ----------------------------------------------------------------------------------------- rules

static int32_t link_of(const gz_lint_context *c, const gz_xml_element *e, const char *attribute) {
    const char *name = gz_xml_get(e, attribute);
    return name ? gz_lint_find_link(c, name) : -1;
}

static gz_lint_pair read_pair(const gz_lint_context *c, const gz_xml_element *e, size_t index) {
    int32_t a = link_of(c, e, "link1"), b = link_of(c, e, "link2");
    return (gz_lint_pair){.element = e,
                          .enable = gz_xml_is(e, "enable_collisions"),
                          .a = a < b ? a : b,
                          .b = a < b ? b : a,
                          .first = index};
}

static int compare_pairs(const void *x, const void *y) {
    const gz_lint_pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    if (p->enable != q->enable) return p->enable ? 1 : -1;
    return (p->first > q->first) - (p->first < q->first);
}

/// Sorts a copy by pair, in which those of one pair follow each other by their own indices.
static bool find_first(gz_lint_pairs *p) {
    p->sorted = gz_malloc(p->count, sizeof *p->sorted);
    if (!p->sorted) return false;
    for (size_t i = 0; i < p->count; i++) p->sorted[i] = p->items[i];
    qsort(p->sorted, p->count, sizeof *p->sorted, compare_pairs);
    size_t first = 0;
    for (size_t i = 0; i < p->count; i++) {
        const gz_lint_pair *s = &p->sorted[i], *f = &p->sorted[first];
        if (s->a != f->a || s->b != f->b || s->enable != f->enable) first = i;
        if (s->a >= 0) p->items[s->first].first = p->sorted[first].first;
    }
    return true;
}

const gz_lint_pair *gz_lint_pairs_find(const gz_lint_pairs *p, int32_t a, int32_t b, bool enable) {
    // Nothing is in front of number 0 of the pair: what is found is the first of its rules.
    const gz_lint_pair key = {.a = a < b ? a : b, .b = a < b ? b : a, .enable = enable};
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_pairs(&p->sorted[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (key.a < 0 || low == p->count) return NULL;
    const gz_lint_pair *found = &p->sorted[low];
    return found->a == key.a && found->b == key.b && found->enable == enable ? found : NULL;
}

static bool is_rule(const gz_xml_element *e) {
    return gz_xml_is(e, "disable_collisions") || gz_xml_is(e, "enable_collisions");
}

bool gz_lint_pairs_read(gz_lint_pairs *p, gz_lint_context *c) {
    *p = (gz_lint_pairs){0};
    const gz_xml_element *root = c->srdf ? gz_xml_root(c->srdf) : NULL;
    size_t count = 0, links = c->link_count ? c->link_count : 1;
    for (const gz_xml_element *e = root ? root->first_child : NULL; e; e = e->next)
        count += is_rule(e);
    p->items = gz_malloc(count ? count : 1, sizeof *p->items);
    p->cluster = gz_malloc(links, sizeof *p->cluster);
    p->cluster_above = gz_malloc(links, sizeof *p->cluster_above);
    bool ok = p->items && p->cluster && p->cluster_above;
    for (const gz_xml_element *e = ok && root ? root->first_child : NULL; e; e = e->next)
        if (is_rule(e)) {
            p->items[p->count] = read_pair(c, e, p->count);
            p->count++;
        }
    ok = ok && (!p->count || find_first(p));
    if (ok) find_clusters(c, p);
    c->out_of_memory |= !ok;
    return ok;
}

void gz_lint_pairs_free(gz_lint_pairs *p) {
    gz_free(p->items);
    gz_free(p->sorted);
    gz_free(p->cluster);
    gz_free(p->cluster_above);
}
